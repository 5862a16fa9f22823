/* SPDX-License-Identifier: GPL-3.0-or-later
 * Runs of plain text. The code points of the three-byte characters of a block are compressed into an array and looked
 * up in the table. */
#include "text/unicode/plain.h"

#include "text/unicode/blocks.h"
#include "text/unicode/normalise_table.h"

#if defined(__x86_64__)
enum { MOST_CODES = 32 };

/* Line feeds are plain, other controls are not. */
FP_FOR_VBMI2 static inline __mmask64 controls(__m512i byte) {
    __mmask64 low =
        _mm512_cmplt_epu8_mask(byte, _mm512_set1_epi8(' ')) & ~_mm512_cmpeq_epi8_mask(byte, _mm512_set1_epi8('\n'));
    return low | _mm512_cmpeq_epi8_mask(byte, _mm512_set1_epi8(0x7f));
}

/* The or of the table's flags for the characters that begin in `which`; ends the block before the first one with a flag
 * in `stopping`. */
FP_FOR_VBMI2 static inline unsigned look_up(fp_utf8_block *of, __mmask64 which, unsigned stopping) {
    uint16_t code[MOST_CODES];
    size_t count = (size_t)_mm_popcnt_u64(which);
    unsigned all = 0;
    const __m512i six = _mm512_set1_epi16(0x3f);
#define WIDE(bytes) _mm512_cvtepu8_epi16(_mm512_castsi512_si256(_mm512_maskz_compress_epi8(which, bytes)))
    __m512i high = _mm512_slli_epi16(WIDE(of->byte), 12),
            middle = _mm512_slli_epi16(_mm512_and_si512(WIDE(of->second), six), 6),
            low = _mm512_and_si512(WIDE(of->third), six);
#undef WIDE
    _mm512_storeu_si512(code, _mm512_or_si512(high, _mm512_or_si512(middle, low)));
    for (size_t i = 0; i < count; i++) all |= fp_table_normalise.basic[code[i]];
    if (!(all & stopping)) return all;
    size_t first = 0;
    while (!(fp_table_normalise.basic[code[first]] & stopping)) first++;
    of->end = (unsigned)_tzcnt_u64(_pdep_u64(UINT64_C(1) << first, which));
    return all;
}

/* Where a full-width form of ASCII (U+FF01 … U+FF5E) or an ideographic space begins; sets the byte in *byte to its
 * one-byte form. */
FP_FOR_VBMI2 static inline __mmask64 narrow(const fp_utf8_block *of, __m512i *byte) {
    __mmask64 first = of->lead & _mm512_cmpeq_epi8_mask(of->byte, _mm512_set1_epi8((char)0xef));
    __mmask64 bc = first & _mm512_cmpeq_epi8_mask(of->second, _mm512_set1_epi8((char)0xbc)) &
                   _mm512_cmpge_epu8_mask(of->third, _mm512_set1_epi8((char)0x81));
    __mmask64 bd = first & _mm512_cmpeq_epi8_mask(of->second, _mm512_set1_epi8((char)0xbd)) &
                   _mm512_cmple_epu8_mask(of->third, _mm512_set1_epi8((char)0x9e));
    __mmask64 space = of->lead & _mm512_cmpeq_epi8_mask(of->byte, _mm512_set1_epi8((char)0xe3)) &
                      _mm512_cmpeq_epi8_mask(of->second, _mm512_set1_epi8((char)0x80)) &
                      _mm512_cmpeq_epi8_mask(of->third, _mm512_set1_epi8((char)0x80));
    *byte = _mm512_mask_sub_epi8(*byte, bc, of->third, _mm512_set1_epi8(0x60));
    *byte = _mm512_mask_sub_epi8(*byte, bd, of->third, _mm512_set1_epi8(0x20));
    *byte = _mm512_mask_mov_epi8(*byte, space, _mm512_set1_epi8(' '));
    return bc | bd | space;
}

/* Writes the block up to its end and returns the number of bytes. */
FP_FOR_VBMI2 static inline size_t write_block(const fp_utf8_block *of, __m512i byte, __mmask64 narrowed, char *out) {
    __mmask64 kept = fp_bits_below(of->end) & ~(narrowed << 1 | narrowed << 2);
    __m512i offset = _mm512_sub_epi8(byte, _mm512_set1_epi8('A'));
    __mmask64 upper = _mm512_cmplt_epu8_mask(offset, _mm512_set1_epi8(26));
    byte = _mm512_mask_add_epi8(byte, upper, byte, _mm512_set1_epi8('a' - 'A'));
    if (narrowed) byte = _mm512_maskz_compress_epi8(kept, byte);
    size_t size = (size_t)_mm_popcnt_u64(kept);
    _mm512_mask_storeu_epi8(out, fp_bits_below((unsigned)size), byte);
    return size;
}

FP_FOR_VBMI2 fp_plain_run fp_plain_normalise(const char *raw, size_t length, char *out) {
    fp_plain_run run = {.folds = SIZE_MAX};
    for (unsigned end = FP_BLOCK_NEARLY; end >= FP_BLOCK_NEARLY && run.read < length;) {
        fp_utf8_block now = fp_block_load(raw + run.read, length - run.read);
        fp_block_find(&now, length - run.read, controls(now.byte));
        __m512i byte = now.byte;
        __mmask64 narrowed = narrow(&now, &byte);
        unsigned flags = look_up(&now, now.lead & ~narrowed, ~(unsigned)FP_FOLDS);
        if (flags & FP_FOLDS && run.folds == SIZE_MAX) run.folds = run.written;
        run.written += write_block(&now, byte, narrowed & fp_bits_below(now.end), out + run.written);
        run.read += end = now.end;
    }
    return run;
}

FP_FOR_VBMI2 size_t fp_plain_unfolded(const char *text, size_t length) {
    size_t at = 0;
    for (unsigned end = FP_BLOCK_NEARLY; end >= FP_BLOCK_NEARLY && at < length;) {
        fp_utf8_block now = fp_block_load(text + at, length - at);
        fp_block_find(&now, length - at, 0);
        look_up(&now, now.lead, FP_FOLDS);
        at += end = now.end;
    }
    return at;
}

#else
fp_plain_run fp_plain_normalise(const char *raw, size_t length, char *out) {
    (void)raw, (void)length, (void)out;
    return (fp_plain_run){.folds = SIZE_MAX};
}

size_t fp_plain_unfolded(const char *text, size_t length) { return (void)text, (void)length, 0; }
#endif
