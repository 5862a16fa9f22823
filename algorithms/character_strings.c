/* SPDX-License-Identifier: GPL-3.0-or-later
 * Exact measures of texts as strings of characters (Unicode code points of the normalised text, up to a stated number
 * from the beginning).
 *
 * levenshtein: insertions, deletions and replacements that turn one text into the other, as a share of the longer one,
 * scaled to 64, in rows · columns/64 steps.
 *
 * substring: the longest run of characters that both texts have, as a share of the shorter one; the distance is 64·(1 −
 * share). Diagonals are searched as Boyer and Moore search texts: a run longer than the longest so far must match at
 * its far end, so that most of a diagonal is skipped.
 *
 * Two empty texts are equal; an empty text and a non-empty one are at the largest distance. */
#include <string.h>

#include "algorithms/families/sets.h"
#include "text/alignment/levenshtein.h"
#include "text/unicode/utf8.h"

typedef struct strings_parameters {
    int64_t characters;
    int64_t band;
} strings_parameters;

enum { MOST_CHARACTERS = 1 << 16 };

#define CHARACTERS                                                                                                 \
    {                                                                                                              \
        "characters", FP_INTEGER, "characters", "how many are compared, from the beginning of a text", "10000", 1, \
            MOST_CHARACTERS, NULL, offsetof(strings_parameters, characters)                                        \
    }

static const fp_parameter LEVENSHTEIN[] = {
    CHARACTERS,
    {"band", FP_INTEGER, "edits", "pairs with more edits are at the largest distance; 0: no limit", "0", 0,
     MOST_CHARACTERS, NULL, offsetof(strings_parameters, band)},
    {0},
};
static const fp_parameter SUBSTRING[] = {CHARACTERS, {0}};

static fp_status layout(const void *parameters, fp_layout *out, fp_error *error) {
    (void)parameters, (void)error;
    *out = (fp_layout){.maximum = 64, .scale = "parts of 64"};
    return FP_OK;
}

/* The code points, 4 bytes each. */
static fp_status sketch(const fp_instance *self, const fp_document *document, fp_arena *scratch, fp_sketch *out,
                        fp_error *error) {
    const strings_parameters *parameters = self->parameters;
    const fp_string text = document->text;
    size_t count = 0, most = (size_t)parameters->characters;
    uint32_t *code = FP_NEED(fp_arena_raw(scratch, text.length < most ? text.length : most, sizeof *code), error);
    for (size_t at = 0; at < text.length && count < most; count++) at += fp_utf8_decode(text.data + at, code + count);
    *out = (fp_sketch){.data = code, .size = count * sizeof *code};
    return FP_OK;
}

static const char *text(const fp_instance *self, fp_sketch sketched, fp_arena *arena) {
    (void)self;
    return fp_format(arena, "%016llx", (unsigned long long)fp_xxh3(sketched.data, sketched.size, 0));
}

/* ---- Levenshtein ---- */

static size_t edits(const uint32_t *a, size_t a_count, const uint32_t *b, size_t b_count) {
    int8_t change[MOST_CHARACTERS];
    return fp_edits_within(a, a_count, b, b_count, (fp_edit_band){a_count + b_count, a_count + b_count, false}, change);
}

static double levenshtein(const fp_instance *self, fp_sketch a, fp_sketch b) {
    const strings_parameters *parameters = self->parameters;
    size_t left = a.size / 4, right = b.size / 4, longer = left > right ? left : right, band = (size_t)parameters->band;
    if (!longer) return 0;
    if (band && longer - (left < right ? left : right) > band) return 64;
    size_t count = left < right ? edits(a.data, left, b.data, right) : edits(b.data, right, a.data, left);
    return band && count > band ? 64 : 64 * (double)count / (double)longer;
}

/* ---- The longest common substring ---- */

/* The length of the longest run on the diagonal a[i…], b[i…] of `length` characters, if it exceeds `best`; else
 * `best`. */
static size_t longest_on(const uint32_t *a, const uint32_t *b, size_t length, size_t best, size_t *begin) {
    for (size_t from = 0; from + best < length;) {
        size_t at = from + best + 1;
        while (at > from && a[at - 1] == b[at - 1]) at--;
        if (at > from) { /* a mismatch: the run begins after it */
            from = at;
            continue;
        }
        size_t end = from + best + 1;
        while (end < length && a[end] == b[end]) end++;
        best = end - from;
        *begin = from;
        from = end;
    }
    return best;
}

/* *at: its begin in a. */
static size_t longest_common(const uint32_t *a, size_t a_count, const uint32_t *b, size_t b_count, size_t *at) {
    size_t best = 0;
    *at = 0;
    for (size_t d = 0, most = 2 * (a_count > b_count ? a_count : b_count); d < most;
         d++) { /* the longest diagonals first, on alternate sides */
        size_t skip = d / 2, i = d % 2 ? skip + 1 : 0, j = d % 2 ? 0 : skip, begin = 0;
        if (i >= a_count || j >= b_count) continue;
        size_t length = a_count - i < b_count - j ? a_count - i : b_count - j;
        size_t found = longest_on(a + i, b + j, length, best, &begin);
        if (found > best) best = found, *at = i + begin;
    }
    return best;
}

static double substring(const fp_instance *self, fp_sketch a, fp_sketch b) {
    size_t left = a.size / 4, right = b.size / 4, shorter = left < right ? left : right, at;
    (void)self;
    if (!shorter) return left == right ? 0 : 64;
    return 64 * (1 - (double)longest_common(a.data, left, b.data, right, &at) / (double)shorter);
}

/* ---- Explanations ---- */

static fp_status explain(const fp_instance *self, const fp_document *document, fp_arena *scratch, fp_explanation *to,
                         fp_error *error) {
    fp_sketch made;
    FP_TRY(sketch(self, document, scratch, &made, error));
    fp_explain_step(to, "characters");
    fp_explain_line(to, "The characters of the normalised text are kept as they are.");
    fp_explain_table(to, ">characters|text");
    fp_explain_cell(to, "%zu", made.size / 4);
    fp_explain_cell(to, "%.*s", (int)document->text.length, document->text.data);
    return FP_OK;
}

static fp_status explain_edits(const fp_instance *self, const fp_document *a, const fp_document *b, fp_arena *scratch,
                               fp_explanation *to, fp_error *error) {
    fp_sketch left, right;
    FP_TRY(sketch(self, a, scratch, &left, error));
    FP_TRY(sketch(self, b, scratch, &right, error));
    fp_explain_step(to, "edits");
    fp_explain_line(to, "A has %zu characters, B %zu; %zu edits turn the one into the other.", left.size / 4,
                    right.size / 4, edits(left.data, left.size / 4, right.data, right.size / 4));
    return FP_OK;
}

static fp_status explain_substring(const fp_instance *self, const fp_document *a, const fp_document *b,
                                   fp_arena *scratch, fp_explanation *to, fp_error *error) {
    fp_sketch left, right;
    size_t at;
    FP_TRY(sketch(self, a, scratch, &left, error));
    FP_TRY(sketch(self, b, scratch, &right, error));
    size_t count = longest_common(left.data, left.size / 4, right.data, right.size / 4, &at), first = 0, end;
    for (size_t i = 0; i < at; i++) first += fp_utf8_size(a->text.data[first]);
    end = first;
    for (size_t i = 0; i < count; i++) end += fp_utf8_size(a->text.data[end]);
    fp_explain_step(to, "the longest common substring");
    fp_explain_line(to, "%zu characters, from character %zu of A on:", count, at + 1);
    fp_explain_line(to, "%.*s", (int)(end - first), a->text.data + first);
    return FP_OK;
}

#define STRINGS_MEMBERS                                                                                           \
    .abi = FP_ABI_VERSION, .needs = FP_NEEDS_TEXT, .features = "", .parameters_size = sizeof(strings_parameters), \
    .layout = layout, .sketch = sketch, .text = text, .explain = explain, .similarity = fp_set_similarity

const fp_algorithm fp_algorithm_levenshtein = {
    STRINGS_MEMBERS,
    .name = "levenshtein",
    .summary = "exact edit distance, as a share of the longer text",
    .citation = "Levenshtein 1966; Myers, A fast bit-vector algorithm for approximate string matching based on dynamic "
                "programming, Journal of the ACM 46(3), 1999; Hyyrö, A bit-vector algorithm for computing Levenshtein "
                "and Damerau edit distances, Nordic Journal of Computing 10, 2003",
    .parameters = LEVENSHTEIN,
    .distance = levenshtein,
    .explain_pair = explain_edits,
    .measure = "unedited share",
};

const fp_algorithm fp_algorithm_substring = {
    STRINGS_MEMBERS,
    .name = "substring",
    .summary = "the longest common substring, as a share of the shorter text",
    .citation = "exact substring duplication as in Lee, Ippolito, Nystrom, Zhang, Eck, Callison-Burch, Carlini, "
                "Deduplicating training data makes language models better, ACL 2022, section 4.1, of a pair",
    .parameters = SUBSTRING,
    .distance = substring,
    .explain_pair = explain_substring,
    .measure = "common substring",
};
