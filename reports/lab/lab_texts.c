/* SPDX-License-Identifier: GPL-3.0-or-later
 * Texts in the lab behind a page: normalised, with their features and places. */
#include "reports/lab/lab_parts.h"

#include "base/map.h"
#include "text/features/extract.h"
#include "text/unicode/normalise.h"
#include "text/unicode/utf8.h"

/* ---- Normalisation ---- */

fp_status fp_lab_normalise(const fp_lab_call_data *call, fp_error *error) {
    fp_string raw, text;
    FP_TRY(fp_lab_text(call, "text", &raw, error));
    FP_TRY(fp_normalise(raw, FP_HAN_SIMPLIFIED, call->scratch, &text, error));
    fp_json_put_string(call->to, "text", text);
    return FP_OK;
}

/* ----
 * Places of units. Units keep the order and the bytes of the text, and what is dropped between them never equals what
 * is kept: a stop word is always dropped, and so is punctuation. Each unit is thus at the next equal piece of text.
 */

fp_status fp_lab_utf16(fp_string text, fp_arena *arena, const uint32_t **utf16, fp_error *error) {
    uint32_t *units = FP_NEED(fp_arena_raw(arena, text.length + 1, sizeof *units), error), count = 0;
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

/* Bytes of the normalised text. */
typedef struct place {
    uint32_t begin, end;
} place;

static fp_string unit_at(const fp_units *units, size_t i) {
    return (fp_string){units->buffer.data + units->begin[i], units->end[i] - units->begin[i]};
}

static void place_words(const fp_text *text, const fp_units *units, place *places) {
    size_t token = 0;
    for (size_t i = 0; i < units->count; i++) {
        fp_string unit = unit_at(units, i);
        for (; token < text->tokens.count; token++) {
            fp_token at = text->tokens.token[token];
            if (!fp_string_equal(unit, (fp_string){text->text.data + at.begin, at.end - at.begin})) continue;
            places[i] = (place){at.begin, at.end};
            token++;
            break;
        }
    }
}

static bool is_white(char byte) { return (unsigned char)byte <= ' '; }

/* Runs of white space became one space, which is not part of a unit of one character. */
static size_t matches(fp_string text, size_t at, fp_string unit) {
    size_t end = at;
    for (size_t i = 0; i < unit.length; i++, end++) {
        if (end == text.length ||
            (text.data[end] != unit.data[i] && !(unit.data[i] == ' ' && is_white(text.data[end]))))
            return 0;
    }
    return end;
}

static void place_pieces(fp_string text, const fp_units *units, place *places) {
    size_t at = 0;
    for (size_t i = 0; i < units->count; i++) {
        fp_string unit = unit_at(units, i);
        size_t end = 0;
        while (at < text.length && (end = matches(text, at, unit)) == 0) at++;
        if (!end) return;
        places[i] = (place){(uint32_t)at, (uint32_t)end};
        at = end;
    }
}

/* The place of every unit, [units->count]; NULL for pinyin initials, which are not in the text. `text` has tokens. */
static fp_status unit_places(const fp_arm *arm, const fp_text *text, const fp_units *units, fp_arena *arena,
                             const place **places, fp_error *error) {
    *places = NULL;
    if (arm->extractor->unit == FP_FEATURE_INITIAL || arm->extractor->unit == FP_FEATURE_SPOT) return FP_OK;
    place *made = FP_NEED(fp_arena_alloc(arena, units->count + 1, sizeof *made), error);
    if (arm->extractor->unit == FP_FEATURE_WORD) place_words(text, units, made);
    else place_pieces(text->text, units, made);
    *places = made;
    return FP_OK;
}

/* ---- Features ---- */

/* The results of an arm's stages for a text. */
typedef struct stages {
    fp_text text;
    fp_counted counted;
    fp_document document;
    const place *unit_places; /* [counted.units.count], in bytes of the text; NULL if unknown */
    const uint32_t *utf16;    /* [text.length + 1] */
    fp_map at;                /* from a term hash to its index in counted.counts */
} stages;

static fp_status run_stages(const fp_lab_call_data *call, const fp_arm *arm, fp_string raw, stages *to,
                            fp_error *error) {
    fp_arena *scratch = call->scratch;
    *to = (stages){.document = {.id = raw}};
    FP_TRY(fp_arm_preprocess(arm, raw, fp_arm_wants(arm) | FP_WANT_TOKENS, scratch, &to->text, error));
    FP_TRY(fp_arm_count(arm, &to->text, scratch, &to->counted, error));
    FP_TRY(fp_arm_weigh(arm, &to->text, &to->counted, true, scratch, &to->document, error));
    FP_TRY(fp_lab_utf16(to->text.text, scratch, &to->utf16, error));
    if (arm->extractor) FP_TRY(unit_places(arm, &to->text, &to->counted.units, scratch, &to->unit_places, error));
    const fp_counts *counts = &to->counted.counts;
    FP_TRY(fp_map_open(&to->at, counts->count, scratch, error));
    for (size_t i = 0; i < counts->count; i++) fp_map_put(&to->at, counts->hash[i], (uint32_t)i);
    return FP_OK;
}

static void put_tokens(fp_json_writer *to, const stages *of) {
    const fp_tokens *tokens = &of->text.tokens;
    fp_json_begin_object(to, "tokens");
    FP_JSON_LIST(to, "start", i, tokens->count, fp_json_put_count(to, NULL, of->utf16[tokens->token[i].begin]));
    FP_JSON_LIST(to, "end", i, tokens->count, fp_json_put_count(to, NULL, of->utf16[tokens->token[i].end]));
    fp_json_end_object(to);
}

/* The first place of the feature; {0, 0} if unknown. */
static place place_of(const stages *of, uint64_t hash) {
    uint32_t which = fp_map_get(&of->at, hash);
    if (!of->unit_places || which == FP_MAP_NONE) return (place){0, 0};
    const fp_units *units = &of->counted.units;
    size_t first = of->counted.counts.first[which];
    return (place){of->unit_places[first].begin, of->unit_places[first + units->span - 1].end};
}

static void put_place(fp_json_writer *to, const stages *of, size_t i, bool end) {
    place at = place_of(of, of->document.features.hash[i]);
    if (at.end == 0) fp_json_put_null(to, NULL);
    else fp_json_put_count(to, NULL, of->utf16[end ? at.end : at.begin]);
}

static void put_frequency(fp_json_writer *to, const stages *of, size_t i) {
    uint32_t which = fp_map_get(&of->at, of->document.features.hash[i]);
    fp_json_put_count(to, NULL, which == FP_MAP_NONE ? 1 : of->counted.counts.frequency[which]);
}

static void put_features(fp_json_writer *to, const stages *of) {
    const fp_features *features = &of->document.features;
    size_t count = features->count;
    fp_json_begin_object(to, "features");
    FP_JSON_LIST(to, "term", i, count, fp_json_put_string(to, NULL, fp_features_term(features, i)));
    FP_JSON_LIST(to, "hash", i, count, fp_lab_put_hash(to, NULL, features->hash[i]));
    FP_JSON_LIST(to, "weight", i, count, fp_json_put_real(to, NULL, features->weight[i]));
    FP_JSON_LIST(to, "count", i, count, put_frequency(to, of, i));
    FP_JSON_LIST(to, "start", i, count, put_place(to, of, i, false));
    FP_JSON_LIST(to, "end", i, count, put_place(to, of, i, true));
    fp_json_end_object(to);
}

fp_status fp_lab_features(const fp_lab_call_data *call, fp_error *error) {
    fp_string spec, raw;
    fp_arm *arm;
    stages of;
    FP_TRY(fp_lab_text(call, "arm", &spec, error));
    FP_TRY(fp_lab_text(call, "text", &raw, error));
    FP_TRY(fp_lab_arm_of(call, spec, &raw, 1, &arm, error));
    FP_TRY(run_stages(call, arm, raw, &of, error));
    fp_json_put_string(call->to, "normalised", of.text.text);
    fp_json_put_string(call->to, "initials", of.text.initials);
    put_tokens(call->to, &of);
    put_features(call->to, &of);
    return FP_OK;
}
