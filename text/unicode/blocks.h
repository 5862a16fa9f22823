/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * blocks.h - 64 bytes of UTF-8 at a time, where the processor has the vectors for it (AVX-512 with VBMI and VBMI2):
 * masks of the bytes that begin three-byte characters. On other processors there is only fp_blocks_there, which returns
 * false.
 */
#ifndef FP_BLOCKS_H
#define FP_BLOCKS_H

#include "base/base.h"
#include "base/cpu.h"

static inline bool fp_blocks_there(void) {
#if defined(__x86_64__)
    return fp_cpu_chosen() == FP_CPU_AVX512 && __builtin_cpu_supports("avx512vbmi") &&
           __builtin_cpu_supports("avx512vbmi2") && __builtin_cpu_supports("bmi2");
#else
    return false;
#endif
}

/* Callers alternate between runs of blocks and single characters. fp_run_first: where the first run may begin: 0, or
 * SIZE_MAX without vectors. fp_run_next: after a short run the next begins only FP_RUN_PAUSE bytes later, since what
 * ended it is likely to recur. */
enum { FP_RUN_PAUSE = 64 };
static inline size_t fp_run_first(void) { return fp_blocks_there() ? 0 : SIZE_MAX; }
static inline size_t fp_run_next(size_t begin, size_t end) {
    return end - begin < FP_RUN_PAUSE ? end + FP_RUN_PAUSE : end;
}

#if defined(__x86_64__)
#include <immintrin.h>

#define FP_FOR_VBMI2 \
    __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,avx2,popcnt,bmi,bmi2")))

enum { FP_BLOCK = 64 };

typedef struct fp_utf8_block {
    __m512i byte, second, third; /* the bytes, and those one and two after each */
    __mmask64 lead;              /* first bytes of three-byte characters */
    unsigned end;                /* end of the complete well-formed characters; at most 64 */
} fp_utf8_block;

/* The bits below bit `end`. */
FP_FOR_VBMI2 static inline __mmask64 fp_bits_below(unsigned end) { return _bzhi_u64(UINT64_MAX, end); }

/* Bytes after the text are zero. */
FP_FOR_VBMI2 static inline fp_utf8_block fp_block_load(const char *from, size_t left) {
    fp_utf8_block made = {0};
    if (left >= FP_BLOCK + 2) {
        made.byte = _mm512_loadu_si512(from);
        made.second = _mm512_loadu_si512(from + 1);
        made.third = _mm512_loadu_si512(from + 2);
    } else {
        __mmask64 there = fp_bits_below(left < FP_BLOCK ? (unsigned)left : FP_BLOCK);
        made.byte = _mm512_maskz_loadu_epi8(there, from);
        made.second = _mm512_maskz_loadu_epi8(there >> 1, from + 1);
        made.third = _mm512_maskz_loadu_epi8(there >> 2, from + 2);
    }
    return made;
}

/* Sets lead and end; bytes in `refused` end the block. The leads E1 … EC, EE and EF accept any two tails, so no further
 * check is needed; an incomplete character is left for the next block. */
FP_FOR_VBMI2 static inline void fp_block_find(fp_utf8_block *of, size_t left, __mmask64 refused) {
    __m512i high = _mm512_and_si512(of->byte, _mm512_set1_epi8((char)0xf0));
    __mmask64 ascii = ~_mm512_movepi8_mask(of->byte);
    __mmask64 tail = _mm512_cmplt_epi8_mask(of->byte, _mm512_set1_epi8((char)0xc0)) & ~ascii;
    __mmask64 lead = _mm512_cmpeq_epi8_mask(high, _mm512_set1_epi8((char)0xe0)) &
                     ~_mm512_cmpeq_epi8_mask(of->byte, _mm512_set1_epi8((char)0xe0)) &
                     ~_mm512_cmpeq_epi8_mask(of->byte, _mm512_set1_epi8((char)0xed));
    __mmask64 bad = refused | ~(ascii | tail | lead) | ((lead << 1 | lead << 2) ^ tail);
    bad |= lead & (bad >> 1 | bad >> 2 | UINT64_C(3) << (FP_BLOCK - 2));
    of->end = bad ? (unsigned)_tzcnt_u64(bad) : FP_BLOCK;
    if (of->end > left) of->end = (unsigned)left;
    of->lead = lead & fp_bits_below(of->end);
}

/* A block with a smaller end was ended by other content, not by an incomplete character. */
enum { FP_BLOCK_NEARLY = FP_BLOCK - 2 };
#endif

#endif
