/* SPDX-License-Identifier: GPL-3.0-or-later
 * Answers of a Redis that says anything: they have no more than was asked for. */
#include <sys/socket.h>
#include <unistd.h>

#include "index/store/redis_store.h"
#include "tests/fuzz/fuzz.h"

static void count(const redisReply *reply, fp_redis_most *had) {
    had->elements += reply->elements;
    had->bytes += reply->len;
    for (size_t i = 0; i < reply->elements; i++)
        if (reply->element[i]) count(reply->element[i], had);
}

/* The first byte says how much may be answered, the rest is what comes; then the connection ends. */
void fuzz_redis_answers(fp_string input, fp_arena *arena) {
    unsigned choice = fuzz_choice(&input);
    const fp_redis_most most = {choice & 15, (size_t)1 << (choice >> 4)};
    int ends[2];
    fp_redis store = {.tries = 1, .patience = 1, .address = {.shown = "redis"}};
    fp_error error;
    (void)arena;
    FUZZ_DEMAND(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0);
    FUZZ_DEMAND(write(ends[1], input.data, input.length) == (ssize_t)input.length && shutdown(ends[1], SHUT_WR) == 0);
    store.connection = redisConnectFd(ends[0]);
    FUZZ_DEMAND(store.connection);
    fp_redis_count_answers(&store);
    while (store.connection) {
        redisReply *reply;
        fp_redis_most had = {0};
        fp_status status = fp_redis_receive(&store, most, &reply, &error);
        FUZZ_DEMAND((status == FP_OK) == (reply != NULL));
        FUZZ_DEMAND(status == FP_OK || error.message[0]);
        FUZZ_DEMAND(status != FP_ERROR_RANGE || !store.connection);
        if (!reply) continue;
        count(reply, &had);
        FUZZ_DEMAND(had.elements <= most.elements && had.bytes <= most.bytes);
        freeReplyObject(reply);
    }
    close(ends[1]);
}
