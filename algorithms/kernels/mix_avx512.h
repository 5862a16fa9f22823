/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * mix_avx512.h - fp_mix in vectors, for kernels of the AVX-512 level.
 */
#ifndef FP_MIX_AVX512_H
#define FP_MIX_AVX512_H

#include <immintrin.h>

#include "base/cpu.h"

/* fp_mix of eight values to which the streams have been added. */
FP_FOR_AVX512 FP_BODY __m512i fp_mixed_eight(__m512i z) {
    const __m512i first = _mm512_set1_epi64((long long)UINT64_C(0xbf58476d1ce4e5b9)),
                  second = _mm512_set1_epi64((long long)UINT64_C(0x94d049bb133111eb));
    z = _mm512_mullo_epi64(_mm512_xor_si512(z, _mm512_srli_epi64(z, 30)), first);
    z = _mm512_mullo_epi64(_mm512_xor_si512(z, _mm512_srli_epi64(z, 27)), second);
    return _mm512_xor_si512(z, _mm512_srli_epi64(z, 31));
}

#endif
