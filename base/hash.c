/* SPDX-License-Identifier: GPL-3.0-or-later
 * Term hashes and file checksums. */
#include <nettle/sha2.h>
#define XXH_STATIC_LINKING_ONLY /* the size of XXH3_state_t */
#include <xxhash.h>

#include "base/base.h"

uint64_t fp_fnv1a(const void *data, size_t length, uint64_t seed) {
    const unsigned char *byte = data;
    uint64_t hash = UINT64_C(0xcbf29ce484222325) ^ seed;
    for (size_t i = 0; i < length; i++) hash = (hash ^ byte[i]) * UINT64_C(0x100000001b3);
    return hash;
}

uint64_t fp_xxh3(const void *data, size_t length, uint64_t seed) { return XXH3_64bits_withSeed(data, length, seed); }

struct fp_xxh3_sum {
    XXH3_state_t state;
};

fp_xxh3_sum *fp_xxh3_begin(fp_arena *arena) {
    fp_xxh3_sum *sum = fp_arena_alloc(arena, 1, sizeof *sum);
    if (sum) XXH3_64bits_reset(&sum->state);
    return sum;
}

void fp_xxh3_again(fp_xxh3_sum *sum) { XXH3_64bits_reset(&sum->state); }

void fp_xxh3_add(fp_xxh3_sum *sum, fp_string piece) { XXH3_64bits_update(&sum->state, piece.data, piece.length); }

uint64_t fp_xxh3_end(const fp_xxh3_sum *sum) { return XXH3_64bits_digest(&sum->state); }

struct fp_sha256 {
    struct sha256_ctx context;
};

fp_sha256 *fp_sha256_begin(fp_arena *arena) {
    fp_sha256 *sum = fp_arena_raw(arena, 1, sizeof *sum);
    if (sum) sha256_init(&sum->context);
    return sum;
}

void fp_sha256_add(fp_sha256 *sum, fp_string piece) {
    sha256_update(&sum->context, piece.length, (const uint8_t *)piece.data);
}

void fp_sha256_end(fp_sha256 *sum, char hex[65]) {
    uint8_t digest[SHA256_DIGEST_SIZE];
    sha256_digest(&sum->context, sizeof digest, digest);
    for (size_t i = 0; i < sizeof digest; i++) snprintf(hex + 2 * i, 3, "%02x", digest[i]);
}

void fp_sha256_hex(fp_string content, char hex[65]) {
    fp_sha256 sum;
    sha256_init(&sum.context);
    fp_sha256_add(&sum, content);
    fp_sha256_end(&sum, hex);
}
