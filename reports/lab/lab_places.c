/* SPDX-License-Identifier: GPL-3.0-or-later
 * Units keep their order and their bytes on the way from the text, and what is dropped between them is never equal to
 * what is kept: a stop word is always one, punctuation too. So each unit stands at the first equal one that is left. */
#include "reports/lab/lab_places.h"

#include "text/features/extract.h"
#include "text/unicode/utf8.h"

fp_status fp_lab_utf16(fp_string text, fp_arena *arena, const uint32_t **utf16, fp_error *error) {
    uint32_t *units = fp_arena_raw(arena, text.length + 1, sizeof *units), count = 0;
    if (!units) return fp_no_memory(error);
    for (size_t at = 0; at < text.length;) {
        uint32_t code;
        size_t size = fp_utf8_decode(text.data + at, &code);
        for (size_t i = 0; i < size; i++) units[at + i] = count;
        count += code >= 0x10000 ? 2 : 1;
        at += size;
    }
    units[text.length] = count;
    *utf16 = units;
    return FP_OK;
}

static fp_string unit_at(const fp_units *units, size_t i) {
    return (fp_string){units->buffer.data + units->begin[i], units->end[i] - units->begin[i]};
}

static void place_words(const fp_text *text, const fp_units *units, fp_lab_place *places) {
    size_t token = 0;
    for (size_t i = 0; i < units->count; i++) {
        fp_string unit = unit_at(units, i);
        for (; token < text->tokens.count; token++) {
            fp_token at = text->tokens.token[token];
            if (!fp_string_equal(unit, (fp_string){text->text.data + at.begin, at.end - at.begin})) continue;
            places[i] = (fp_lab_place){at.begin, at.end};
            token++;
            break;
        }
    }
}

static bool is_white(char byte) { return (unsigned char)byte <= ' '; }

/* Runs of white space became one space, which does not count as a part of a character's unit. */
static size_t matches(fp_string text, size_t at, fp_string unit) {
    size_t end = at;
    for (size_t i = 0; i < unit.length; i++, end++) {
        if (end == text.length ||
            (text.data[end] != unit.data[i] && !(unit.data[i] == ' ' && is_white(text.data[end]))))
            return 0;
    }
    return end;
}

static void place_pieces(fp_string text, const fp_units *units, fp_lab_place *places) {
    size_t at = 0;
    for (size_t i = 0; i < units->count; i++) {
        fp_string unit = unit_at(units, i);
        size_t end = 0;
        while (at < text.length && (end = matches(text, at, unit)) == 0) at++;
        if (!end) return;
        places[i] = (fp_lab_place){(uint32_t)at, (uint32_t)end};
        at = end;
    }
}

fp_status fp_lab_unit_places(const fp_arm *arm, const fp_text *text, const fp_units *units, fp_arena *arena,
                             const fp_lab_place **places, fp_error *error) {
    *places = NULL;
    if (arm->extractor->unit == FP_FEATURE_INITIAL) return FP_OK;
    fp_lab_place *made = fp_arena_alloc(arena, units->count + 1, sizeof *made);
    if (!made) return fp_no_memory(error);
    if (arm->extractor->unit == FP_FEATURE_WORD) place_words(text, units, made);
    else place_pieces(text->text, units, made);
    *places = made;
    return FP_OK;
}
