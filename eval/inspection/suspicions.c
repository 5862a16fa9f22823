/* SPDX-License-Identifier: GPL-3.0-or-later
 * Doubtful texts and labels. */
#include "eval/inspection/inspection.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unicode/uchar.h>
#include <unicode/uscript.h>

#include "base/parallel.h"
#include "eval/units/shape.h"
#include "text/unicode/normalise.h"
#include "text/unicode/utf8.h"

const char *const fp_suspicion_names[FP_SUSPICIONS] = {
    [FP_SUSPECTED_EMPTY] = "near-empty texts",
    [FP_SUSPECTED_BYTES] = "identical texts, byte by byte",
    [FP_SUSPECTED_TEXT] = "identical texts, normalised",
    [FP_SUSPECTED_UNITS] = "identical texts, unconnected",
    [FP_SUSPECTED_SPLITS] = "identical texts, in two splits",
    [FP_SUSPECTED_LABELS] = "pairs of the same two texts with both labels",
    [FP_SUSPECTED_SAME_NEGATIVE] = "negative pairs of one text",
    [FP_SUSPECTED_TRANSITIVITY] = "negative pairs that positives connect",
    [FP_SUSPECTED_NOTHING] = "pairs with an empty text",
    [FP_SUSPECTED_LANGUAGE] = "languages that do not match the script",
};

typedef struct suspecting {
    const fp_corpus *corpus;
    const fp_corpus_field *languages, *splits;
    fp_components units;
    uint64_t *bytes, *texts; /* [document_count] */
    bool *few, *mismatched;  /* [document_count] */
    const fp_text_batch *batch;
    const fp_progress *progress;
    const fp_arenas *arenas; /* of the batch */
    fp_suspicions *made;
    fp_arena *arena, *scratch; /* of the result; of temporary data */
} suspecting;

/* ---- Reporting ---- */

static fp_status suspect(fp_suspicion *to, const char *example, fp_error *error) {
    if (!example) return fp_no_memory(error);
    to->examples[to->example_count++] = example;
    return FP_OK;
}

static fp_status suspect_document(suspecting *in, fp_suspected what, size_t document, fp_error *error) {
    fp_suspicion *to = &in->made->of[what];
    if (to->count++ >= FP_SUSPICION_EXAMPLES) return FP_OK;
    return suspect(to, fp_string_copy(in->arena, in->corpus->documents[document].id), error);
}

static const char *two(fp_arena *arena, fp_string a, const char *sign, fp_string b) {
    return fp_format(arena, "%.*s %s %.*s", (int)a.length, a.data, sign, (int)b.length, b.data);
}

static fp_status suspect_two(suspecting *in, fp_suspected what, size_t a, const char *sign, size_t b, fp_error *error) {
    fp_suspicion *to = &in->made->of[what];
    const fp_corpus_document *documents = in->corpus->documents;
    if (to->count++ >= FP_SUSPICION_EXAMPLES) return FP_OK;
    return suspect(to, two(in->arena, documents[a].id, sign, documents[b].id), error);
}

/* ---- Scripts of letters ---- */

typedef struct text_scripts {
    size_t letters, digits;
    size_t han, kana, hangul; /* of the letters */
} text_scripts;

/* `text` must be valid UTF-8. Uses the Unicode properties Alphabetic, Decimal_Number and Script. */
static text_scripts scripts_of(fp_string text) {
    text_scripts made = {0};
    for (const char *at = text.data, *end = at + text.length; at < end;) {
        uint32_t code;
        UErrorCode failed = U_ZERO_ERROR;
        at += fp_utf8_decode(at, &code);
        if (u_isdigit((UChar32)code)) made.digits++;
        if (!u_isUAlphabetic((UChar32)code)) continue;
        UScriptCode script = uscript_getScript((UChar32)code, &failed);
        made.letters++;
        made.han += script == USCRIPT_HAN;
        made.kana += script == USCRIPT_HIRAGANA || script == USCRIPT_KATAKANA;
        made.hangul += script == USCRIPT_HANGUL;
    }
    return made;
}

static bool is_of(fp_string language, const char *primary) {
    size_t length = strlen(primary);
    if (language.length < length || strncasecmp(language.data, primary, length) != 0) return false;
    return language.length == length || language.data[length] == '-' || language.data[length] == '_';
}

/* Whether letters of those scripts contradict that language (BCP 47: "zh-Hans", "en"), by the rule in inspection.h;
 * false when no language is given. */
static bool mismatches(const text_scripts *scripts, fp_string language) {
    if (language.length == 0 || is_of(language, "und") || is_of(language, "mul")) return false;
    if (is_of(language, "zh") || is_of(language, "yue") || is_of(language, "lzh"))
        return 3 * scripts->han < scripts->letters;
    if (is_of(language, "ja")) return scripts->kana == 0;
    if (is_of(language, "ko")) return 3 * scripts->hangul < scripts->letters;
    return 3 * (scripts->han + scripts->kana + scripts->hangul) > scripts->letters;
}

/* ---- Texts ---- */

static uint64_t hash_of(fp_string text) {
    uint64_t hash = fp_xxh3(text.data, text.length, 0);
    return text.length ? hash | (hash == 0) : 0;
}

static fp_status look(void *context, size_t index, fp_arena *scratch, fp_error *error) {
    suspecting *in = context;
    size_t document = in->batch->first + index;
    fp_string raw = in->batch->text[index], text;
    FP_TRY(fp_normalise(raw, FP_HAN_SIMPLIFIED, scratch, &text, error));
    text_scripts scripts = scripts_of(text);
    in->bytes[document] = hash_of(raw);
    in->texts[document] = hash_of(text);
    in->few[document] = scripts.letters + scripts.digits < FP_LEAST_LETTERS;
    if (in->languages->any && scripts.letters >= FP_LEAST_FOR_LANGUAGE)
        in->mismatched[document] = mismatches(&scripts, in->languages->values[in->languages->of[document]]);
    return FP_OK;
}

static fp_status look_at_batch(void *context, const fp_text_batch *batch, fp_error *error) {
    suspecting *in = context;
    const fp_progress *progress = in->progress, quiet = fp_progress_quiet(progress);
    in->batch = batch;
    FP_TRY(fp_parallel(batch->count, in->arenas, true, look, in, "texts", &quiet, error));
    if (progress && progress->report)
        progress->report(progress->context, "texts", batch->first + batch->count, in->corpus->document_count);
    return FP_OK;
}

static fp_status look_at_all(suspecting *in, fp_error *error) {
    FP_ARENAS(arenas, in->progress, in->scratch, error);
    in->arenas = &arenas;
    return fp_corpus_read_batches(in->corpus, look_at_batch, in, error);
}

static fp_status report_texts(suspecting *in, fp_error *error) {
    for (size_t i = 0; i < in->corpus->document_count; i++) {
        if (in->few[i]) FP_TRY(suspect_document(in, FP_SUSPECTED_EMPTY, i, error));
        if (in->mismatched[i]) FP_TRY(suspect_document(in, FP_SUSPECTED_LANGUAGE, i, error));
    }
    return FP_OK;
}

/* ---- Identical texts ---- */

/* Non-empty documents by their hash; *count receives their number. */
static fp_placed_key *sort_hashes(const uint64_t *hashes, size_t documents, size_t *count, fp_arena *scratch) {
    fp_placed_key *keyed = fp_arena_raw(scratch, documents, sizeof *keyed);
    *count = 0;
    for (size_t i = 0; keyed && i < documents; i++)
        if (hashes[i]) keyed[(*count)++] = (fp_placed_key){hashes[i], (uint32_t)i};
    if (keyed) qsort(keyed, *count, sizeof *keyed, fp_by_placed_key);
    return keyed;
}

/* A document, and the first one with its text. */
static fp_status compare_texts(suspecting *in, uint32_t first, uint32_t document, bool normalised, fp_error *error) {
    fp_suspected what = normalised ? FP_SUSPECTED_TEXT : FP_SUSPECTED_BYTES;
    FP_TRY(suspect_two(in, what, first, "=", document, error));
    if (!normalised) return FP_OK;
    if (in->units.of[first] != in->units.of[document])
        FP_TRY(suspect_two(in, FP_SUSPECTED_UNITS, first, "=", document, error));
    if (in->splits->any && in->splits->of[first] != in->splits->of[document])
        FP_TRY(suspect_two(in, FP_SUSPECTED_SPLITS, first, "=", document, error));
    return FP_OK;
}

static fp_status find_twice(suspecting *in, const uint64_t *hashes, bool normalised, fp_error *error) {
    size_t count;
    fp_placed_key *keyed = FP_NEED(sort_hashes(hashes, in->corpus->document_count, &count, in->scratch), error);
    for (size_t i = 0, first = 0; i < count; i++) {
        if (keyed[i].key != keyed[first].key) first = i;
        if (i != first) FP_TRY(compare_texts(in, keyed[first].place, keyed[i].place, normalised, error));
    }
    return FP_OK;
}

fp_status fp_suspicions_between(const fp_corpus *earlier, const fp_suspicions *of_earlier, const fp_corpus *later,
                                const fp_suspicions *of_later, fp_arena *arena, fp_suspicion *made, fp_error *error) {
    FP_SCRATCH(scratch, arena, error);
    size_t before, after;
    *made = (fp_suspicion){0};
    fp_placed_key *a = FP_NEED(sort_hashes(of_earlier->texts, earlier->document_count, &before, scratch), error);
    fp_placed_key *b = FP_NEED(sort_hashes(of_later->texts, later->document_count, &after, scratch), error);
    for (size_t i = 0, k = 0; i < before && k < after;) {
        if (a[i].key < b[k].key) i++;
        else if (a[i].key > b[k].key) k++;
        else {
            uint32_t place = b[k++].place;
            if (made->count++ < FP_SUSPICION_EXAMPLES)
                FP_TRY(suspect(made, two(arena, earlier->documents[a[i].place].id, "=", later->documents[place].id),
                               error));
        }
    }
    return FP_OK;
}

/* ---- Labels ---- */

static fp_status compare_labels(suspecting *in, const fp_placed_key *keyed, size_t count, fp_error *error) {
    for (size_t first = 0, end; first < count; first = end) {
        bool labels[2] = {false};
        for (end = first; end < count && keyed[end].key == keyed[first].key; end++)
            labels[in->corpus->pairs[keyed[end].place].label] = true;
        for (size_t i = first; i < end && labels[0] && labels[1]; i++) {
            fp_pair pair = in->corpus->pairs[keyed[i].place];
            FP_TRY(suspect_two(in, FP_SUSPECTED_LABELS, pair.a, pair.label ? "=" : "≠", pair.b, error));
        }
    }
    return FP_OK;
}

static fp_status find_labels(suspecting *in, fp_error *error) {
    const fp_corpus *corpus = in->corpus;
    fp_placed_key *keyed = FP_NEED(fp_arena_raw(in->scratch, corpus->pair_count, sizeof *keyed), error);
    for (size_t i = 0; i < corpus->pair_count; i++) {
        fp_pair pair = corpus->pairs[i];
        uint64_t a = in->texts[pair.a], b = in->texts[pair.b];
        keyed[i] = (fp_placed_key){fp_mix(a < b ? a : b, a < b ? b : a), (uint32_t)i};
        if (!a || !b) FP_TRY(suspect_two(in, FP_SUSPECTED_NOTHING, pair.a, pair.label ? "=" : "≠", pair.b, error));
        if (pair.label) continue;
        if (a == b) FP_TRY(suspect_two(in, FP_SUSPECTED_SAME_NEGATIVE, pair.a, "≠", pair.b, error));
        if (in->units.of[pair.a] == in->units.of[pair.b])
            FP_TRY(suspect_two(in, FP_SUSPECTED_TRANSITIVITY, pair.a, "≠", pair.b, error));
    }
    qsort(keyed, corpus->pair_count, sizeof *keyed, fp_by_placed_key);
    return compare_labels(in, keyed, corpus->pair_count, error);
}

/* ---- All ---- */

static fp_status find(suspecting *in, fp_error *error) {
    const fp_corpus *corpus = in->corpus;
    const fp_labelled_documents from = {corpus->document_count, corpus->group, corpus->pair_count, corpus->pairs};
    FP_TRY(fp_components_make(&from, in->scratch, in->scratch, &in->units, error));
    in->bytes = FP_NEED(fp_arena_raw(in->scratch, corpus->document_count, sizeof *in->bytes), error);
    in->texts = FP_NEED(fp_arena_raw(in->arena, corpus->document_count, sizeof *in->texts), error);
    in->few = FP_NEED(fp_arena_alloc(in->scratch, corpus->document_count, sizeof *in->few), error);
    in->mismatched = FP_NEED(fp_arena_alloc(in->scratch, corpus->document_count, sizeof *in->mismatched), error);
    in->made->texts = in->texts;
    FP_TRY(look_at_all(in, error));
    FP_TRY(report_texts(in, error));
    FP_TRY(find_twice(in, in->bytes, false, error));
    FP_TRY(find_twice(in, in->texts, true, error));
    return find_labels(in, error);
}

fp_status fp_suspicions_find(const fp_corpus *corpus, const fp_progress *progress, fp_arena *arena, fp_suspicions *made,
                             fp_error *error) {
    FP_SCRATCH(scratch, arena, error);
    suspecting in = {.corpus = corpus,
                     .languages = fp_corpus_field_find(corpus, "lang"),
                     .splits = fp_corpus_field_find(corpus, "split"),
                     .progress = progress,
                     .made = made,
                     .arena = arena,
                     .scratch = scratch};
    *made = (fp_suspicions){0};
    return find(&in, error);
}
