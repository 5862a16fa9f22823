/* SPDX-License-Identifier: GPL-3.0-or-later
 * Differing slots. The limit is memory: a signature of 64 slots of 32 bits is 256 bytes, compared at some 60 bytes per
 * nanosecond when it is in the cache. Measured, vectors of 512 bits gain nothing over 256, so that the two levels share
 * a kernel. */
#include "algorithms/kernels/bit_counts.h"
#include "algorithms/kernels/distance_kernels.h"

FP_BODY uint32_t narrow(const uint32_t *a, const uint32_t *b, size_t slots) {
    uint32_t differing = 0;
    for (size_t i = 0; i < slots; i++) differing += a[i] != b[i];
    return differing;
}

FP_BODY uint32_t wide(const uint64_t *a, const uint64_t *b, size_t slots) {
    uint64_t differing = 0;
    for (size_t i = 0; i < slots; i++) differing += a[i] != b[i];
    return (uint32_t)differing;
}

/* A slot differs if it differs in any plane. */
FP_BODY uint32_t planar(const uint64_t *a, const uint64_t *b, size_t words, size_t planes, bool counts) {
    uint32_t differing = 0;
    for (size_t w = 0; w < words; w++) {
        uint64_t any = 0;
        for (size_t p = 0; p < planes; p++) any |= a[w * planes + p] ^ b[w * planes + p];
        differing += fp_bits_set(any, counts);
    }
    return differing;
}

FP_BODY void body(const fp_slots_form *form, const void *query, const void *many, size_t count, uint32_t *out,
                  bool counts) {
    const unsigned char *at = many;
    size_t words = (form->slots + 63) / 64;
    for (size_t i = 0; i < count; i++, at += form->bytes) {
        const void *other = at;
        out[i] = form->planes ? planar(query, other, words, form->planes, counts)
                 : form->wide ? wide(query, other, form->slots)
                              : narrow(query, other, form->slots);
    }
}

static void portable(const fp_slots_form *form, const void *query, const void *many, size_t count, uint32_t *out) {
    body(form, query, many, count, out, false);
}

FP_FOR_AVX2 static void avx2(const fp_slots_form *form, const void *query, const void *many, size_t count,
                             uint32_t *out) {
    body(form, query, many, count, out, true);
}

const fp_slots_kernel fp_slots_kernels[FP_CPU_LEVELS] = {portable, avx2, avx2};
