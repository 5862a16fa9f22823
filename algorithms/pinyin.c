/* SPDX-License-Identifier: GPL-3.0-or-later
 * The pinyin-initial frequency fingerprint. A granule's letter frequencies, less a reference frequency, are put on L
 * levels a letter; the levels are kept as a thermometer code (level v sets the lowest v of L − 1 bits), so that the sum
 * of level differences is the Hamming distance of the codes. Homophones change nothing. A granule without initials
 * takes the lowest level everywhere.
 *
 * The scale. Were the initials of a text drawn one by one from the reference, f_x would have the variance r(1 − r)/m,
 * and (f − r)/√(r(1 − r)/m) would be of the order of 1 at any length. But texts differ: what they are about moves their
 * letters together, so that this z grows with √m and a long text has the lowest or the highest level nearly everywhere.
 * With a correlation ρ between the letters of one text the variance is r(1 − r)(1/m + ρ(1 − 1/m)) (the beta-binomial's;
 * Williams, Applied Statistics 31(2), 1982); `quantile` takes 1/m + ρ for it, and puts the level boundaries at the
 * normal distribution's quantiles, so that in ordinary text every level is as frequent as every other, at any length.
 */
#include <math.h>
#include <string.h>

#include "algorithms/kernels/hamming.h"
#include "base/base.h"
#include "text/segmentation/pinyin.h"
#include "text/unicode/utf8.h"

enum { LETTERS = 20, MOST_LEVELS = 10, MOST_WORDS = 3 };
enum { NORMALISE_QUANTILE, NORMALISE_DEVIATION, NORMALISE_MINMAX };
enum { DISTANCE_LEVELS, DISTANCE_LETTERS };
enum { REFERENCE_BUILTIN, REFERENCE_CORPUS };

/* A reference learned from n documents is off by 1/√n of the deviation that documents have among themselves. Of 64 that
 * is an eighth, by which one letter in ten of four levels gets another one (0.4 + 2·0.32 of documents lie within one
 * deviation of a boundary, and E|N(0, 1)|/8 = 0.1). Of two, each is above the reference where the other is below. */
enum { LEAST_DOCUMENTS = 64 };

typedef struct pinyin_parameters {
    int64_t levels; /* index into LEVELS */
    int64_t granule;
    double overlap;
    int64_t normalise;
    int64_t distance;
    int64_t reference;
} pinyin_parameters;

static const char *const LEVELS[] = {"10", "8", "4", "2", NULL};
static const unsigned LEVEL_COUNT[] = {10, 8, 4, 2};
static const char *const NORMALISATIONS[] = {"quantile", "deviation", "minmax", NULL};
static const char *const DISTANCES[] = {"levels", "letters", NULL};
static const char *const REFERENCES[] = {"builtin", "corpus", NULL};

static const fp_parameter PARAMETERS[] = {
    {"levels", FP_CHOICE, "levels", "levels a letter: 10 decimal digits, 8 octal, 4 or 2", "4", 0, 0, LEVELS,
     offsetof(pinyin_parameters, levels)},
    {"granule", FP_INTEGER, "initials", "length of a granule; 0 takes the whole text as one", "0", 0, 1e9, NULL,
     offsetof(pinyin_parameters, granule)},
    {"overlap", FP_REAL, "", "share of a granule that the next one covers again", "0.5", 0, 0.95, NULL,
     offsetof(pinyin_parameters, overlap)},
    {"normalise", FP_CHOICE, "",
     "quantile: levels equally frequent in ordinary text of any length; deviation: in standard errors from the "
     "reference, cut to ±2 (saturates on long text); minmax: the granule's own range",
     "quantile", 0, 0, NORMALISATIONS, offsetof(pinyin_parameters, normalise)},
    {"distance", FP_CHOICE, "", "levels: sum of the level differences; letters: letters whose levels differ", "levels",
     0, 0, DISTANCES, offsetof(pinyin_parameters, distance)},
    {"reference", FP_CHOICE, "",
     "reference frequencies: builtin (jieba's and Rime's word counts), or of the corpus at hand, of 64 documents or more",
     "builtin", 0, 0, REFERENCES, offsetof(pinyin_parameters, reference)},
    {0},
};

static unsigned levels_of(const pinyin_parameters *parameters) { return LEVEL_COUNT[parameters->levels]; }
static size_t code_words(unsigned levels) { return (LETTERS * (levels - 1) + 63) / 64; }

static fp_status layout(const void *opaque, fp_layout *out, fp_error *error) {
    (void)error;
    const pinyin_parameters *parameters = opaque;
    unsigned levels = levels_of(parameters), bits = LETTERS * (levels - 1);
    bool whole = parameters->granule == 0, letters = parameters->distance == DISTANCE_LETTERS;
    *out = (fp_layout){.bytes = whole ? code_words(levels) * 8 : 0,
                       .bits = whole && !letters ? bits : 0,
                       .payload = whole ? ceil(ceil(LETTERS * log2(levels)) / 8) : 0,
                       .maximum = letters ? LETTERS : bits,
                       .integral = whole,
                       .slots = whole && letters ? LETTERS : 0,
                       .slot_bits = whole && letters ? levels - 1 : 0};
    snprintf(out->scale, sizeof out->scale, "%s of %u", letters ? "letters" : "levels", letters ? LETTERS : bits);
    return FP_OK;
}

/* ---- Letters ---- */

/* Position of a consonant among the 20, or LETTERS for a vowel. */
static unsigned letter_index(char initial) {
    const char *at = strchr(fp_pinyin_letters, initial);
    return at && initial ? (unsigned)(at - fp_pinyin_letters) : LETTERS;
}

static void count_letters(fp_string initials, uint64_t count[LETTERS + 1]) {
    memset(count, 0, (LETTERS + 1) * sizeof *count);
    for (size_t i = 0; i < initials.length; i++) count[letter_index(initials.data[i])]++;
}

static bool learns(const void *opaque) {
    const pinyin_parameters *parameters = opaque;
    return parameters->reference == REFERENCE_CORPUS;
}

/* Fitted or built in. */
static const double *reference_of(const fp_instance *self) { return self->model ? self->model : fp_pinyin_reference(); }

/* The initials of a corpus: each consonant, and all with the vowels. */
typedef struct letter_counts {
    uint64_t letter[LETTERS], total;
} letter_counts;

static fp_status learn_begin(const fp_instance *self, const fp_training *training, fp_arena *arena, void **state,
                             fp_error *error) {
    (void)self;
    (void)training;
    *state = fp_arena_alloc(arena, 1, sizeof(letter_counts));
    return *state ? FP_OK : fp_no_memory(error);
}

static fp_status learn_read(const fp_instance *self, const fp_document *document, fp_arena *scratch, fp_sketch *read,
                            fp_error *error) {
    (void)self;
    uint64_t count[LETTERS + 1];
    letter_counts *made = fp_arena_raw(scratch, 1, sizeof *made);
    if (!made) return fp_no_memory(error);
    count_letters(document->initials, count);
    memcpy(made->letter, count, sizeof made->letter);
    made->total = document->initials.length;
    *read = (fp_sketch){.data = made, .size = sizeof *made};
    return FP_OK;
}

static fp_status learn_add(const fp_instance *self, void *state, fp_sketch read, fp_arena *arena, fp_error *error) {
    (void)self;
    (void)arena;
    (void)error;
    letter_counts *all = state;
    const letter_counts *more = read.data;
    for (size_t x = 0; x < LETTERS; x++) all->letter[x] += more->letter[x];
    all->total += more->total;
    return FP_OK;
}

/* The reference frequencies of the corpus; a letter that it lacks gets half an occurrence, so that no deviation is
 * infinite. */
static fp_status learn_end(const fp_instance *self, void *state, fp_arena *arena, const void **model, fp_error *error) {
    (void)self;
    const letter_counts *all = state;
    double *reference = fp_arena_alloc(arena, LETTERS, sizeof *reference);
    if (!reference) return fp_no_memory(error);
    for (size_t x = 0; x < LETTERS; x++)
        reference[x] = fmax((double)all->letter[x], 0.5) / (double)(all->total + LETTERS);
    *model = reference;
    return FP_OK;
}

static fp_status model_write(const fp_instance *self, fp_arena *arena, fp_string *bytes, fp_error *error) {
    return fp_bytes_of_reals(self->model, LETTERS, arena, bytes, error);
}

/* A frequency is above 0 and below 1: deviations are divided by √(r(1 − r)). */
static fp_status model_read(const fp_instance *self, fp_string bytes, fp_arena *arena, const void **model,
                            fp_error *error) {
    (void)self;
    double *reference;
    size_t count;
    FP_TRY(fp_reals_of_bytes(bytes, arena, &reference, &count, error));
    bool good = count == LETTERS;
    for (size_t x = 0; good && x < LETTERS; x++) good = reference[x] > 0 && reference[x] < 1;
    if (!good) return fp_fail(error, FP_ERROR_SYNTAX, "not the frequencies of %d letters", LETTERS);
    *model = reference;
    return FP_OK;
}

/* ---- One granule ---- */

/* ρ: the mean of the letters' moment estimates lies between 0.005 and 0.006 on four sets of texts that nobody chose for
 * it: Chinese statutes, Sohu's news, school essays and encyclopaedia sentences. */
static const double CORRELATION = 0.005;

/* z_x = (f_x − r_x)/√(r_x(1 − r_x)/m), the deviation from the reference in standard errors, with 1/m + ρ for 1/m under
 * `quantile`; under `minmax` the difference alone. */
static void deviations(fp_string initials, const double *reference, int64_t normalise, double z[LETTERS]) {
    uint64_t count[LETTERS + 1];
    count_letters(initials, count);
    double m = (double)initials.length, variance = 1 / m;
    if (normalise == NORMALISE_QUANTILE) variance += CORRELATION;
    for (size_t x = 0; x < LETTERS; x++) {
        double r = reference[x], difference = (double)count[x] / m - r;
        z[x] = normalise == NORMALISE_MINMAX ? difference : difference / sqrt(r * (1 - r) * variance);
    }
}

/* The v/L quantiles of the normal distribution, v = 1 … L − 1, as constants: a mathematical library's last digit must
 * not decide a level. */
static const double QUANTILES[][MOST_LEVELS - 1] = {{-1.2815515655446004, -0.8416212335729142, -0.5244005127080407,
                                                     -0.2533471031357997, 0, 0.2533471031357997, 0.5244005127080407,
                                                     0.8416212335729142, 1.2815515655446004},
                                                    {-1.1503493803760083, -0.6744897501960817, -0.3186393639643752, 0,
                                                     0.3186393639643752, 0.6744897501960817, 1.1503493803760083},
                                                    {-0.6744897501960817, 0, 0.6744897501960817},
                                                    {0}};

static unsigned quantile_level(double z, const pinyin_parameters *parameters) {
    unsigned level = 0;
    while (level + 1 < levels_of(parameters) && z >= QUANTILES[parameters->levels][level]) level++;
    return level;
}

/* The level of z in the range low … high, cut at both ends. */
static unsigned level_of(double z, double low, double high, unsigned levels) {
    if (!(high > low) || z <= low) return 0;
    double level = floor((z - low) / (high - low) * levels);
    return level >= levels ? levels - 1 : (unsigned)level;
}

static void granule_levels(fp_string initials, const double *reference, const pinyin_parameters *parameters,
                           unsigned level[LETTERS]) {
    memset(level, 0, LETTERS * sizeof *level);
    if (initials.length == 0) return;
    double z[LETTERS], low = -2, high = 2;
    deviations(initials, reference, parameters->normalise, z);
    if (parameters->normalise == NORMALISE_MINMAX) {
        low = high = z[0];
        for (size_t x = 1; x < LETTERS; x++) low = fmin(low, z[x]), high = fmax(high, z[x]);
    }
    for (size_t x = 0; x < LETTERS; x++)
        level[x] = parameters->normalise == NORMALISE_QUANTILE ? quantile_level(z[x], parameters)
                                                               : level_of(z[x], low, high, levels_of(parameters));
}

static void thermometer(const unsigned level[LETTERS], unsigned levels, uint64_t *code) {
    for (unsigned x = 0; x < LETTERS; x++) {
        for (unsigned v = 0; v < level[x]; v++) {
            unsigned bit = x * (levels - 1) + v;
            code[bit / 64] |= UINT64_C(1) << bit % 64;
        }
    }
}

/* ---- Documents ---- */

/* A document's initials cut into granules. They begin every granule·(1 − overlap) initials, as long as they bring new
 * ones; the last one ends with the text. A text without initials is one empty granule. */
typedef struct granules {
    fp_string initials;
    size_t length, step, count;
} granules;

static granules cut(const pinyin_parameters *parameters, fp_string initials) {
    granules made = {.initials = initials,
                     .length = parameters->granule ? (size_t)parameters->granule : initials.length};
    double step = floor((double)made.length * (1 - parameters->overlap));
    made.step = step >= 1 ? (size_t)step : 1;
    made.count = initials.length <= made.length ? 1 : 1 + (initials.length - made.length + made.step - 1) / made.step;
    return made;
}

static fp_string granule_at(const granules *of, size_t index) {
    size_t begin = index * of->step, left = of->initials.length - begin;
    return (fp_string){of->initials.data + begin, left < of->length ? left : of->length};
}

static fp_status sketch(const fp_instance *self, const fp_document *document, fp_arena *scratch, fp_sketch *out,
                        fp_error *error) {
    const pinyin_parameters *parameters = self->parameters;
    granules parts = cut(parameters, document->initials);
    size_t words = code_words(levels_of(parameters));
    uint64_t *code = fp_arena_alloc(scratch, parts.count, words * sizeof *code);
    if (!code) return fp_no_memory(error);
    for (size_t g = 0; g < parts.count; g++) {
        unsigned level[LETTERS];
        granule_levels(granule_at(&parts, g), reference_of(self), parameters, level);
        thermometer(level, levels_of(parameters), code + g * words);
    }
    *out = (fp_sketch){.data = code, .size = parts.count * words * sizeof *code};
    return FP_OK;
}

/* ---- Distances ---- */

static unsigned level_at(const uint64_t *code, unsigned letter, unsigned levels) {
    unsigned level = 0;
    for (unsigned v = 0; v < levels - 1; v++) {
        unsigned bit = letter * (levels - 1) + v;
        level += code[bit / 64] >> bit % 64 & 1;
    }
    return level;
}

static double granule_distance(const pinyin_parameters *parameters, const uint64_t *a, const uint64_t *b) {
    unsigned levels = levels_of(parameters), differing = 0;
    if (parameters->distance == DISTANCE_LETTERS) {
        for (unsigned x = 0; x < LETTERS; x++) differing += level_at(a, x, levels) != level_at(b, x, levels);
        return differing;
    }
    uint32_t bits;
    fp_hamming_chosen()->kernel(a, b, code_words(levels), 1, &bits);
    return bits;
}

/* Twenty digits a granule, in the order of the letters; a hyphen between granules. */
static const char *text(const fp_instance *self, fp_sketch sketch, fp_arena *arena) {
    const pinyin_parameters *parameters = self->parameters;
    unsigned levels = levels_of(parameters);
    size_t words = code_words(levels), count = sketch.size / (words * 8);
    char *out = fp_arena_raw(arena, count, LETTERS + 1);
    if (!out) return NULL;
    const uint64_t *code = sketch.data;
    for (size_t g = 0; g < count; g++) {
        char *digits = out + g * (LETTERS + 1);
        for (unsigned x = 0; x < LETTERS; x++) digits[x] = (char)('0' + level_at(code + g * words, x, levels));
        digits[LETTERS] = g + 1 < count ? '-' : '\0';
    }
    return out;
}

/* Mean over the granules of `from` of the smallest distance to a granule of `to`. */
static double directed(const pinyin_parameters *parameters, fp_sketch from, fp_sketch to) {
    size_t words = code_words(levels_of(parameters)), bytes = words * 8;
    size_t from_count = from.size / bytes, to_count = to.size / bytes;
    const uint64_t *a = from.data, *b = to.data;
    double sum = 0;
    for (size_t i = 0; i < from_count; i++) {
        double nearest = INFINITY;
        for (size_t j = 0; j < to_count; j++)
            nearest = fmin(nearest, granule_distance(parameters, a + i * words, b + j * words));
        sum += nearest;
    }
    return sum / (double)from_count;
}

/* Over the granules of the shorter document; for equally many, the mean of both directions keeps the distance
 * symmetric. */
static double distance(const fp_instance *self, fp_sketch a, fp_sketch b) {
    const pinyin_parameters *parameters = self->parameters;
    if (a.size < b.size) return directed(parameters, a, b);
    if (a.size > b.size) return directed(parameters, b, a);
    if (self->layout.bytes) return granule_distance(parameters, a.data, b.data);
    return (directed(parameters, a, b) + directed(parameters, b, a)) / 2;
}

/* ---- Telling ---- */

static void tell_granule(fp_explanation *to, const fp_instance *self, fp_string initials) {
    const pinyin_parameters *parameters = self->parameters;
    const double *reference = reference_of(self);
    uint64_t count[LETTERS + 1];
    double z[LETTERS] = {0};
    unsigned level[LETTERS];
    count_letters(initials, count);
    if (initials.length) deviations(initials, reference, parameters->normalise, z);
    granule_levels(initials, reference, parameters, level);
    fp_explain_table(to, "letter|>count|>frequency|>reference|>deviation|>level");
    for (size_t x = 0; x < LETTERS; x++) {
        fp_explain_cell(to, "%c", fp_pinyin_letters[x]);
        fp_explain_cell(to, "%llu", (unsigned long long)count[x]);
        fp_explain_cell(to, "%.4f", initials.length ? (double)count[x] / (double)initials.length : 0);
        fp_explain_cell(to, "%.4f", reference[x]);
        fp_explain_cell(to, "%+.3f", z[x]);
        fp_explain_cell(to, "%u", level[x]);
    }
}

/* Every character of the text with its initial below it, or "-" where it gives none: which do is known from each alone,
 * and their initials from the text. */
static fp_status tell_initials(fp_explanation *to, const fp_document *document, fp_arena *scratch, fp_error *error) {
    fp_string text = document->text, initials = document->initials;
    fp_explain_table(to, "character|initial");
    for (size_t at = 0, size; at < text.length; at += size) {
        size = fp_utf8_size(text.data[at]);
        fp_string character = {text.data + at, size}, alone;
        fp_token token = {0, (uint32_t)size};
        if (*character.data == ' ' || *character.data == '\n') continue;
        FP_TRY(fp_pinyin_initials(character, (fp_tokens){&token, 1}, scratch, &alone, error));
        bool gives = alone.length && initials.length;
        fp_explain_cell(to, "%.*s", (int)size, character.data);
        fp_explain_cell(to, "%c", gives ? *initials.data : '-');
        if (gives) initials.data++, initials.length--;
    }
    return FP_OK;
}

static fp_status explain(const fp_instance *self, const fp_document *document, fp_arena *scratch, fp_explanation *to,
                         fp_error *error) {
    const pinyin_parameters *parameters = self->parameters;
    granules parts = cut(parameters, document->initials);
    fp_sketch made;
    FP_TRY(sketch(self, document, scratch, &made, error));
    fp_explain_step(to, "1. initials");
    fp_explain_line(to, "%.*s", (int)document->initials.length, document->initials.data);
    if (parts.count == 1) fp_explain_line(to, "%zu initials, one granule", document->initials.length);
    else
        fp_explain_line(to, "%zu initials, %zu granules of %zu, a new one every %zu", document->initials.length,
                        parts.count, parts.length, parts.step);
    FP_TRY(tell_initials(to, document, scratch, error));
    for (size_t g = 0; g < parts.count; g++) {
        fp_string initials = granule_at(&parts, g);
        const char *title = fp_format(scratch, "2-4. granule %zu: frequencies, less the reference, normalised", g + 1);
        if (!title) return fp_no_memory(error);
        fp_explain_step(to, title);
        fp_explain_line(to, "initials %zu to %zu: %.*s", g * parts.step + 1, g * parts.step + initials.length,
                        (int)initials.length, initials.data);
        tell_granule(to, self, initials);
    }
    const char *digits = text(self, made, scratch);
    if (!digits) return fp_no_memory(error);
    fp_explain_step(to, "5. fingerprint: the levels in the order of the letters");
    fp_explain_line(to, "%s", digits);
    fp_explain_line(to, "packed in %.0f bits a granule", ceil(LETTERS * log2(levels_of(parameters))));
    return FP_OK;
}

static const fp_learning LEARNING = {
    .begin = learn_begin,
    .read = learn_read,
    .add = learn_add,
    .end = learn_end,
    .needed = learns,
    .least_documents = LEAST_DOCUMENTS,
    .write_model = model_write,
    .read_model = model_read,
};

const fp_algorithm fp_algorithm_pinyin = {
    .abi = FP_ABI_VERSION,
    .needs = FP_NEEDS_INITIALS,
    .name = "pinyin",
    .summary = "frequencies of the 20 pinyin initials on a few levels; unmoved by homophones and by the script",
    .citation =
        "Datagrand's fingerprint tracking system for Chinese texts; the normalisation is fplab's: z = (f − r)/√(r(1 − "
        "r)(1/m + ρ)) with the beta-binomial's ρ (Williams, Extra-binomial variation in logistic linear models, Applied "
        "Statistics 31(2), 1982), levels at the normal quantiles",
    .features = "",
    .parameters_size = sizeof(pinyin_parameters),
    .parameters = PARAMETERS,
    .layout = layout,
    .sketch = sketch,
    .distance = distance,
    .text = text,
    .explain = explain,
    .learning = &LEARNING,
};
