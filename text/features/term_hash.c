/* SPDX-License-Identifier: GPL-3.0-or-later
 * The hash of one term, as spec.h says. */
#include <nettle/md5.h>

#include "text/features/extractor.h"
#include "text/unicode/utf8.h"

/* The UTF-16 units of a code point; their number. */
static size_t to_units(uint32_t code, uint16_t unit[2]) {
    if (code < 0x10000) {
        unit[0] = (uint16_t)code;
        return 1;
    }
    unit[0] = (uint16_t)(0xd7c0 + (code >> 10));
    unit[1] = (uint16_t)(0xdc00 + (code & 0x3ff));
    return 2;
}

/* Fowler, Noll and Vo, FNV-1a with 64 bits, a unit for a byte; the seed is mixed in as fp_fnv1a does. */
static uint64_t fnv1a_utf16(fp_string term, uint64_t seed) {
    uint64_t hash = fp_fnv1a("", 0, seed);
    for (size_t at = 0; at < term.length;) {
        uint32_t code;
        uint16_t unit[2];
        at += fp_utf8_decode(term.data + at, &code);
        size_t count = to_units(code, unit);
        for (size_t i = 0; i < count; i++) hash = (hash ^ unit[i]) * UINT64_C(0x100000001b3);
    }
    return hash;
}

static uint64_t md5(fp_string term, bool utf16) {
    struct md5_ctx state;
    uint8_t digest[MD5_DIGEST_SIZE];
    md5_init(&state);
    if (!utf16) md5_update(&state, term.length, (const uint8_t *)term.data);
    for (size_t at = 0; utf16 && at < term.length;) {
        uint32_t code;
        uint16_t unit[2];
        at += fp_utf8_decode(term.data + at, &code);
        size_t count = to_units(code, unit);
        for (size_t i = 0; i < count; i++)
            md5_update(&state, 2, (const uint8_t[]){(uint8_t)unit[i], (uint8_t)(unit[i] >> 8)});
    }
    md5_digest(&state, sizeof digest, digest);
    uint64_t hash = 0;
    for (size_t i = MD5_DIGEST_SIZE - 8; i < MD5_DIGEST_SIZE; i++) hash = hash << 8 | digest[i];
    return hash;
}

uint64_t fp_term_hash(const fp_feature_spec *spec, fp_string term) {
    uint64_t seed = (uint64_t)spec->hash_seed;
    switch ((fp_hash)spec->hash) {
    case FP_HASH_XXH3: break;
    case FP_HASH_FNV1A: return fp_fnv1a(term.data, term.length, seed);
    case FP_HASH_FNV1A_UTF16: return fnv1a_utf16(term, seed);
    case FP_HASH_MD5: return md5(term, false);
    case FP_HASH_MD5_UTF16: return md5(term, true);
    }
    return fp_xxh3(term.data, term.length, seed);
}
