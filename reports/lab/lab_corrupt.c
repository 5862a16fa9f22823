/* SPDX-License-Identifier: GPL-3.0-or-later
 * A text changed at a stated rate, and where. */
#include "corpora/corruption/corruption.h"
#include "reports/lab/lab_parts.h"
#include "text/unicode/utf8.h"

/* The means of kinds that need neither other texts nor a file. */
static fp_status open_means(const fp_lab_call_data *call, double seed, fp_corruption_means *means, fp_error *error) {
    static const fp_segment_options USUAL = {.hmm = true, .userdict = "none"};
    *means = (fp_corruption_means){.seed = (uint64_t)seed, .segmenter = fp_segmenter_at(0)};
    FP_TRY(means->segmenter->open(&USUAL, call->scratch, &means->segmenter_state, error));
    return fp_synonyms_read(fp_synonyms_shipped(), call->scratch, &means->synonyms, error);
}

/* utf16[i]: the number of UTF-16 units in the first i bytes of the text; [text.length + 1], in `arena`. */
static fp_status count_units(fp_string text, fp_arena *arena, const uint32_t **utf16, fp_error *error) {
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

/* Half-open ranges of the changed text; with several kinds, those of the last. */
static fp_status put_edits(const fp_lab_call_data *call, const fp_corrupted *made, fp_error *error) {
    const fp_corruption_step *last = made->steps + made->step_count - 1;
    const uint32_t *utf16;
    FP_TRY(count_units(made->text, call->scratch, &utf16, error));
    fp_json_put_count(call->to, "sites", last->sites);
    fp_json_put_count(call->to, "changes", last->changes);
    fp_json_begin_object(call->to, "edits");
    FP_JSON_LIST(call->to, "start", i, last->edit_count,
                 fp_json_put_count(call->to, NULL, utf16[last->edits[i].to_begin]));
    FP_JSON_LIST(call->to, "end", i, last->edit_count, fp_json_put_count(call->to, NULL, utf16[last->edits[i].to_end]));
    fp_json_end_object(call->to);
    return FP_OK;
}

fp_status fp_lab_corrupt(const fp_lab_call_data *call, fp_error *error) {
    fp_string kind;
    fp_corruption corruption;
    fp_corruption_text of = {0};
    fp_corruption_means means;
    fp_corrupted made;
    double rate, seed, copy;
    FP_TRY(fp_lab_text(call, "kind", &kind, error));
    FP_TRY(fp_lab_text(call, "text", &of.text, error));
    FP_TRY(fp_lab_number(call, "rate", 0.1, 0, 1, &rate, error));
    FP_TRY(fp_lab_number(call, "seed", 0, 0, 9007199254740991, &seed, error));
    FP_TRY(fp_lab_number(call, "copy", 0, 0, 9007199254740991, &copy, error));
    of.copy = (uint64_t)copy;
    FP_TRY(fp_corruption_parse(kind, &corruption, error));
    if (corruption.needs & FP_NEEDS_DONORS)
        return fp_fail(error, FP_ERROR_EMPTY, "%.*s takes from other texts, and there is one", (int)kind.length,
                       kind.data);
    FP_TRY(open_means(call, seed, &means, error));
    FP_TRY(fp_corrupt(&corruption, rate, &means, &of, call->scratch, &made, error));
    fp_json_put_string(call->to, "text", made.text);
    return put_edits(call, &made, error);
}
