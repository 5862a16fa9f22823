/* SPDX-License-Identifier: GPL-3.0-or-later
 * A writer to be killed, and whoever looks afterwards.
 *
 *     record_writer add ADDRESS FIRST COUNT BATCH [LETTER]   adds records FIRST … FIRST + COUNT − 1, BATCH a
 * transaction; makes the store where FIRST is 1; after each commit the number of its last record on standard output;
 * the ids begin with LETTER (r) record_writer check ADDRESS BATCH                      looks at everything; prints how
 * many records there are
 *
 * A record is what its number says, a batch is whole where the fact "last" is its last number. Status 1: an error,
 * which is told; 2: something that is not as it must be. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "index/store/record_store.h"

enum { KEYS = 4, STRING = 60 };

struct made {
    char id[32], title[STRING + 1], url[STRING + 1], source[STRING + 1], bits[8];
    uint64_t keys[KEYS];
    fp_record record;
};

static void make(struct made *made, uint64_t number, char letter) {
    uint64_t bits = fp_mix(number, 5);
    snprintf(made->id, sizeof made->id, "%c%" PRIu64, letter, number);
    snprintf(made->title, sizeof made->title, "%0*" PRIu64, STRING, number);
    snprintf(made->url, sizeof made->url, "%-*" PRIu64, STRING, number);
    snprintf(made->source, sizeof made->source, "%0*" PRIx64, STRING, bits);
    memcpy(made->bits, &bits, sizeof bits);
    for (int i = 0; i < KEYS; i++) made->keys[i] = (uint64_t)i << 16 | (bits >> 16 * i & 0xffff);
    made->record = (fp_record){.id = fp_string_of(made->id),
                               .fingerprint = {made->bits, sizeof made->bits},
                               .title = fp_string_of(made->title),
                               .url = fp_string_of(made->url),
                               .source = fp_string_of(made->source),
                               .time = (int64_t)number,
                               .characters = number};
}

static int told(const fp_error *error) {
    fprintf(stderr, "%s%s%s\n", error->file, *error->file ? ": " : "", error->message);
    return 1;
}

static fp_status add_batch(fp_records *records, uint64_t first, uint64_t count, char letter, fp_error *error) {
    char last[32];
    FP_TRY(fp_records_begin(records, error));
    for (uint64_t i = 0; i < count; i++) {
        struct made made;
        make(&made, first + i, letter);
        FP_TRY(fp_records_add(records, &made.record, made.keys, KEYS, error));
    }
    snprintf(last, sizeof last, "%" PRIu64, first + count - 1);
    FP_TRY(fp_records_set_fact(records, "last", fp_string_of(last), error));
    return fp_records_commit(records, error);
}

static int add(const char *address, uint64_t first, uint64_t count, uint64_t batch, char letter) {
    fp_records *records;
    fp_error error = {0};
    if (fp_records_open(address, first == 1 ? FP_RECORDS_CREATE : FP_RECORDS_WRITE, NULL, &records, &error))
        return told(&error);
    if (fp_records_caution(records)) fprintf(stderr, "%s\n", fp_records_caution(records));
    fp_status status = FP_OK;
    for (uint64_t at = 0; !status && at < count; at += batch) {
        uint64_t some = count - at < batch ? count - at : batch;
        status = add_batch(records, first + at, some, letter, &error);
        if (!status) printf("%" PRIu64 "\n", first + at + some - 1);
        fflush(stdout);
    }
    fp_records_close(records);
    return status ? told(&error) : 0;
}

static void tell(void *context, const char *problem) {
    (void)context;
    fprintf(stderr, "problem: %s\n", problem);
}

static bool is_right(const fp_record *got) {
    struct made made;
    make(&made, got->number, got->id.length ? *got->id.data : 'r');
    const fp_record *wanted = &made.record;
    return fp_string_equal(got->id, wanted->id) && fp_string_equal(got->fingerprint, wanted->fingerprint) &&
           fp_string_equal(got->title, wanted->title) && fp_string_equal(got->url, wanted->url) &&
           fp_string_equal(got->source, wanted->source) && got->time == wanted->time &&
           got->characters == wanted->characters && got->cluster == got->number;
}

static fp_status compare(void *context, const fp_record *got, fp_error *error) {
    uint64_t *next = context;
    if (got->number != (*next)++ || !is_right(got))
        return fp_fail(error, FP_ERROR_EMPTY, "record %" PRIu64 " is not what was written", got->number);
    return FP_OK;
}

static fp_status look(fp_records *records, uint64_t batch, fp_arena *arena, fp_error *error) {
    uint64_t next = 1;
    fp_string last;
    FP_TRY(fp_records_each(records, 1, true, compare, &next, error));
    FP_TRY(fp_records_fact(records, "last", arena, &last, error));
    uint64_t whole = last.data ? strtoull(last.data, NULL, 10) : 0;
    if (whole != next - 1 || whole % batch)
        return fp_fail(error, FP_ERROR_EMPTY, "%" PRIu64 " records, but the last transaction ended with %" PRIu64,
                       next - 1, whole);
    printf("%" PRIu64 "\n", whole);
    return FP_OK;
}

/* Of a damaged store: no record may come back as another than it was. */
static fp_status look_at_rest(fp_records *records, fp_arena *arena, fp_error *error) {
    fp_records_count count;
    uint64_t good = 0;
    FP_TRY(fp_records_counted(records, &count, error));
    for (uint64_t number = 1; number < count.next && number < 1000000; number++) {
        fp_record record;
        fp_arena_reset(arena);
        fp_status status = fp_records_get(records, number, true, arena, &record, error);
        if (!status && !is_right(&record)) {
            fprintf(stderr, "record %" PRIu64 " is another\n", number);
            exit(3);
        }
        good += !status;
        if (status && status != FP_ERROR_SYNTAX && status != FP_ERROR_UNKNOWN) return status;
    }
    printf("%" PRIu64 " left\n", good);
    return FP_OK;
}

static int check(const char *address, uint64_t batch) {
    fp_records *records;
    fp_error error = {0};
    uint64_t problems = 0;
    if (fp_records_open(address, FP_RECORDS_READ, NULL, &records, &error)) return told(&error);
    fp_arena *arena = fp_arena_new();
    fp_status status = fp_records_check(records, tell, NULL, &problems, &error);
    if (!status) status = problems ? look_at_rest(records, arena, &error) : look(records, batch, arena, &error);
    fp_arena_free(arena);
    fp_records_close(records);
    if (status) told(&error);
    return status == FP_ERROR_EMPTY || problems ? 2 : status != FP_OK;
}

int main(int count, char **words) {
    if (count >= 6 && !strcmp(words[1], "add"))
        return add(words[2], strtoull(words[3], NULL, 10), strtoull(words[4], NULL, 10), strtoull(words[5], NULL, 10),
                   count > 6 ? *words[6] : 'r');
    if (count == 4 && !strcmp(words[1], "check")) return check(words[2], strtoull(words[3], NULL, 10));
    fprintf(stderr, "usage: record_writer add ADDRESS FIRST COUNT BATCH [LETTER] | check ADDRESS BATCH\n");
    return 2;
}
