/* SPDX-License-Identifier: GPL-3.0-or-later
 * The pinyin frequency fingerprint. A granule's frequencies of initials (or finals, tones, syllables: `count`), minus a
 * reference frequency, are quantised to L levels per symbol; the levels are stored as a thermometer code (level v sets
 * the lowest v of L − 1 bits), so that the sum of level differences is the Hamming distance of the codes. Homophones
 * change nothing. A granule without initials has the lowest level everywhere.
 *
 * The scale. With independent initials f_x would have the variance r(1 − r)/m. But the topic correlates the letters of
 * a text, so that (f − r)/√(r(1 − r)/m) grows with √m and a long text has the lowest or highest level nearly
 * everywhere. With a correlation ρ the variance is r(1 − r)(1/m + ρ(1 − 1/m)) (the beta-binomial's; Williams, Applied
 * Statistics 31(2), 1982). `quantile` takes 1/m + ρ for the last factor and quantiles of the normal distribution as
 * boundaries, so that all levels are equally frequent in ordinary text of any length.
 *
 * Exact. Level v of L means v/L ≤ u < (v + 1)/L for a position u: Φ(z) under `quantile`, otherwise the place of z
 * between −2 and 2, or between its bounds in the granule (`minmax`). levels=exact keeps u itself, one float each; its
 * distance is 4·Σ|u − u′|, which that of four levels rounds. All of them estimate the measure 1 − Σ|u − u′|/symbols. */
#include <math.h>
#include <string.h>

#include "algorithms/kernels/hamming.h"
#include "base/base.h"
#include "text/segmentation/pinyin.h"
#include "text/unicode/utf8.h"

enum { MOST_LEVELS = 10, EXACT_LEVELS = 4, EXACT = 4 /* index into LEVELS */ };
enum { NORMALISE_QUANTILE, NORMALISE_DEVIATION, NORMALISE_MINMAX };
enum { DISTANCE_LEVELS, DISTANCE_LETTERS };
enum { REFERENCE_BUILTIN, REFERENCE_CORPUS };

/* The error of a reference learned from n documents is 1/√n of the deviation between documents. With 64 documents that
 * is an eighth, which gives one letter in ten another of four levels (0.4 + 2·0.32 of documents lie within one
 * deviation of a boundary, and E|N(0, 1)|/8 = 0.1). */
enum { LEAST_DOCUMENTS = 64 };

typedef struct pinyin_parameters {
    int64_t count;  /* index into COUNTS and COUNTED */
    int64_t levels; /* index into LEVELS */
    int64_t granule;
    double overlap;
    int64_t normalise;
    int64_t distance;
    int64_t reference;
} pinyin_parameters;

/* Symbols of all kinds, one kind after the other, in the order of fp_pinyin_symbol. */
enum { FINALS = FP_PINYIN_INITIALS, TONES = FINALS + FP_PINYIN_FINALS, SYLLABLES = TONES + FP_PINYIN_TONES };
typedef struct counted {
    unsigned first, symbols;
} counted;
static const char *const COUNTS[] = {
    "initials", "finals", "tones", "syllables", "initials+finals", "finals+tones", "initials+finals+tones", NULL};
static const counted COUNTED[] = {{0, FINALS},
                                  {FINALS, FP_PINYIN_FINALS},
                                  {TONES, FP_PINYIN_TONES},
                                  {SYLLABLES, FP_PINYIN_SYLLABLES},
                                  {0, TONES},
                                  {FINALS, FP_PINYIN_FINALS + FP_PINYIN_TONES},
                                  {0, SYLLABLES}};

static const char *const LEVELS[] = {"10", "8", "4", "2", "exact", NULL};
static const unsigned LEVEL_COUNT[] = {10, 8, 4, 2, EXACT_LEVELS};
static const char *const NORMALISATIONS[] = {"quantile", "deviation", "minmax", NULL};
static const char *const DISTANCES[] = {"levels", "letters", NULL};
static const char *const REFERENCES[] = {"builtin", "corpus", NULL};

static const fp_parameter PARAMETERS[] = {
    {"count", FP_CHOICE, "",
     "what is counted: the 20 initials, 36 finals, 5 tones, 405 syllables without tone, or several of them side by side",
     "initials", 0, 0, COUNTS, offsetof(pinyin_parameters, count)},
    {"levels", FP_CHOICE, "levels",
     "levels a letter: 10 decimal digits, 8 octal, 4 or 2; exact: the frequencies themselves, 4 bytes each", "4", 0, 0,
     LEVELS, offsetof(pinyin_parameters, levels)},
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
static unsigned symbols_of(const pinyin_parameters *parameters) { return COUNTED[parameters->count].symbols; }

/* 64-bit words of one granule. */
static size_t code_words(const pinyin_parameters *parameters) {
    size_t symbols = symbols_of(parameters);
    return parameters->levels == EXACT ? (symbols + 1) / 2 : (symbols * (levels_of(parameters) - 1) + 63) / 64;
}

static fp_status layout(const void *opaque, fp_layout *out, fp_error *error) {
    const pinyin_parameters *parameters = opaque;
    bool whole = parameters->granule == 0, letters = parameters->distance == DISTANCE_LETTERS,
         exact = parameters->levels == EXACT;
    unsigned levels = levels_of(parameters), symbols = symbols_of(parameters), bits = symbols * (levels - 1);
    unsigned most = exact ? symbols * levels : letters ? symbols : bits;
    if (exact && letters)
        return fp_fail(error, FP_ERROR_RANGE,
                       "levels=exact has no levels that differ or not: distance=levels goes with it");
    *out = (fp_layout){.bytes = whole ? code_words(parameters) * 8 : 0,
                       .bits = whole && !letters && !exact ? bits : 0,
                       .payload = whole ? ceil(exact ? symbols * 4 : ceil(symbols * log2(levels)) / 8) : 0,
                       .maximum = most,
                       .integral = whole && !exact,
                       .slots = whole && letters ? symbols : 0,
                       .slot_bits = whole && letters ? levels - 1 : 0};
    snprintf(out->scale, sizeof out->scale, "%s of %u", letters ? "letters" : "levels", most);
    return FP_OK;
}

/* ---- Documents, granules and their symbols ---- */

/* A document's characters, one for each initial; readings exist only if more than initials is counted. */
typedef struct characters {
    fp_string initials;
    const fp_pinyin_reading *readings; /* [initials.length], or NULL */
} characters;

/* A document's initials, divided into granules. One begins every granule·(1 − overlap) initials, as long as it adds new
 * ones; the last one ends with the text. A text without initials is one empty granule. */
typedef struct granules {
    characters of;
    size_t length, step, count;
} granules;

static fp_status cut(const pinyin_parameters *parameters, const fp_document *document, fp_arena *scratch, granules *out,
                     fp_error *error) {
    size_t initials = document->initials.length, length = parameters->granule ? (size_t)parameters->granule : initials;
    double step = floor((double)length * (1 - parameters->overlap));
    *out = (granules){.of = {document->initials, NULL}, .length = length, .step = step >= 1 ? (size_t)step : 1};
    out->count = initials <= length ? 1 : 1 + (initials - length + out->step - 1) / out->step;
    if (symbols_of(parameters) == FP_PINYIN_INITIALS) return FP_OK;
    out->of.readings = fp_pinyin_readings(document->text, document->initials, scratch);
    return out->of.readings ? FP_OK : fp_no_memory(error);
}

static characters granule_at(const granules *parts, size_t index) {
    characters of = parts->of;
    size_t begin = index * parts->step, left = of.initials.length - begin;
    return (characters){{of.initials.data + begin, left < parts->length ? left : parts->length},
                        of.readings ? of.readings + begin : NULL};
}

static void count_symbols(const pinyin_parameters *parameters, characters of, uint64_t *count) {
    counted in = COUNTED[parameters->count];
    memset(count, 0, in.symbols * sizeof *count);
    for (size_t i = 0; i < of.initials.length; i++) {
        if (of.readings) {
            for (unsigned k = 0, at; k < 4; k++)
                if ((at = of.readings[i].symbol[k] - in.first) < in.symbols) count[at]++;
        } else {
            const char *letter = memchr(fp_pinyin_letters, of.initials.data[i], FP_PINYIN_INITIALS);
            if (letter) count[letter - fp_pinyin_letters]++;
        }
    }
}

static bool learns(const void *opaque) { return ((const pinyin_parameters *)opaque)->reference == REFERENCE_CORPUS; }

/* The fitted reference, or the built-in one. */
static const double *reference_of(const fp_instance *self) {
    const pinyin_parameters *parameters = self->parameters;
    return self->model ? self->model : fp_pinyin_reference() + COUNTED[parameters->count].first;
}

/* Counts of a corpus: of each symbol, followed by that of all initials, including the vowels. */
static fp_status learn_begin(const fp_instance *self, const fp_training *training, fp_arena *arena, void **state,
                             fp_error *error) {
    (void)training;
    *state = fp_arena_alloc(arena, symbols_of(self->parameters) + 1, sizeof(uint64_t));
    return *state ? FP_OK : fp_no_memory(error);
}

static fp_status learn_read(const fp_instance *self, const fp_document *document, fp_arena *scratch, fp_sketch *read,
                            fp_error *error) {
    size_t symbols = symbols_of(self->parameters);
    uint64_t *count = FP_NEED(fp_arena_raw(scratch, symbols + 1, sizeof *count), error);
    granules parts;
    FP_TRY(cut(self->parameters, document, scratch, &parts, error));
    count_symbols(self->parameters, parts.of, count);
    count[symbols] = document->initials.length;
    *read = (fp_sketch){.data = count, .size = (symbols + 1) * sizeof *count};
    return FP_OK;
}

static fp_status learn_add(const fp_instance *self, void *state, fp_sketch read, fp_arena *arena, fp_error *error) {
    (void)arena, (void)error;
    uint64_t *all = state;
    const uint64_t *more = read.data;
    for (size_t x = 0; x <= symbols_of(self->parameters); x++) all[x] += more[x];
    return FP_OK;
}

static fp_status state_write(const fp_instance *self, void *state, fp_arena *arena, fp_string *bytes, fp_error *error) {
    return fp_bytes_of(state, symbols_of(self->parameters) + 1, arena, bytes, error);
}

static fp_status state_add(const fp_instance *self, void *state, fp_string bytes, fp_arena *arena, fp_error *error) {
    uint64_t *number;
    size_t count, symbols = symbols_of(self->parameters);
    FP_TRY(fp_integers_of_bytes(bytes, arena, &number, &count, error));
    bool good = count == symbols + 1;
    for (size_t x = 0; good && x < symbols; x++) good = number[x] <= number[symbols];
    if (!good) return fp_fail(error, FP_ERROR_SYNTAX, "not the counts of %zu symbols", symbols);
    return learn_add(self, state, (fp_sketch){.data = number}, arena, error);
}

/* The reference frequencies of the corpus; a symbol that the corpus lacks counts half an occurrence, so that no
 * deviation is infinite. */
static fp_status learn_end(const fp_instance *self, void *state, fp_arena *arena, const void **model, fp_error *error) {
    const uint64_t *all = state;
    size_t symbols = symbols_of(self->parameters);
    double *reference = FP_NEED(fp_arena_alloc(arena, symbols, sizeof *reference), error);
    for (size_t x = 0; x < symbols; x++) reference[x] = fmax((double)all[x], 0.5) / (double)(all[symbols] + symbols);
    *model = reference;
    return FP_OK;
}

static fp_status model_write(const fp_instance *self, fp_arena *arena, fp_string *bytes, fp_error *error) {
    return fp_bytes_of(self->model, symbols_of(self->parameters), arena, bytes, error);
}

/* A frequency is above 0 and below 1: deviations are divided by √(r(1 − r)). */
static fp_status model_read(const fp_instance *self, fp_string bytes, fp_arena *arena, const void **model,
                            fp_error *error) {
    double *reference;
    size_t count, symbols = symbols_of(self->parameters);
    FP_TRY(fp_reals_of_bytes(bytes, arena, &reference, &count, error));
    bool good = count == symbols;
    for (size_t x = 0; good && x < symbols; x++) good = reference[x] > 0 && reference[x] < 1;
    if (!good) return fp_fail(error, FP_ERROR_SYNTAX, "not the frequencies of %zu symbols", symbols);
    *model = reference;
    return FP_OK;
}

/* ---- One granule ---- */

/* ρ: moment estimates on four sets of Chinese texts (statutes, news, school essays, encyclopaedia sentences) have means
 * of 0.005 to 0.006 for initials, of 0.004 to 0.009 for finals, tones and syllables. */
static const double CORRELATION = 0.005;

/* The v/L quantiles of the normal distribution, v = 1 … L − 1, as constants: a mathematical library's last digit must
 * not decide a level. */
static const double QUANTILES[][MOST_LEVELS - 1] = {{-1.2815515655446004, -0.8416212335729142, -0.5244005127080407,
                                                     -0.2533471031357997, 0, 0.2533471031357997, 0.5244005127080407,
                                                     0.8416212335729142, 1.2815515655446004},
                                                    {-1.1503493803760083, -0.6744897501960817, -0.3186393639643752, 0,
                                                     0.3186393639643752, 0.6744897501960817, 1.1503493803760083},
                                                    {-0.6744897501960817, 0, 0.6744897501960817},
                                                    {0}};

typedef struct granule {
    uint64_t count[FP_PINYIN_SYMBOLS];
    double z[FP_PINYIN_SYMBOLS], position[FP_PINYIN_SYMBOLS]; /* u */
    unsigned level[FP_PINYIN_SYMBOLS];
} granule;

/* z: the deviations from the reference in standard errors, (f − r)/√(r(1 − r)/m), with 1/m + ρ for 1/m under
 * `quantile`, and without the standard error under `minmax`. */
static void deviations(const uint64_t *count, double m, const double *reference, const pinyin_parameters *parameters,
                       double *z) {
    double variance = 1 / m + (parameters->normalise == NORMALISE_QUANTILE ? CORRELATION : 0);
    for (unsigned x = 0; x < symbols_of(parameters); x++) {
        double r = reference[x], unit = parameters->normalise == NORMALISE_MINMAX ? 1 : sqrt(r * (1 - r) * variance);
        z[x] = ((double)count[x] / m - r) / unit;
    }
}

static unsigned quantile_level(double z, const pinyin_parameters *parameters) {
    unsigned level = 0;
    while (level + 1 < levels_of(parameters) && z >= QUANTILES[parameters->levels][level]) level++;
    return level;
}

/* The bounds between which z has its place. */
static void bounds_of(const double *z, const pinyin_parameters *parameters, double *low, double *high) {
    *low = -2;
    *high = 2;
    if (parameters->normalise != NORMALISE_MINMAX) return;
    *low = *high = z[0];
    for (unsigned x = 1; x < symbols_of(parameters); x++) *low = fmin(*low, z[x]), *high = fmax(*high, z[x]);
}

/* Without initials everything except the counts is 0. */
static void measure_granule(characters of, const double *reference, const pinyin_parameters *parameters, granule *to) {
    bool quantile = parameters->normalise == NORMALISE_QUANTILE;
    unsigned levels = levels_of(parameters), symbols = symbols_of(parameters);
    double low, high;
    *to = (granule){0};
    count_symbols(parameters, of, to->count);
    if (of.initials.length == 0) return;
    deviations(to->count, (double)of.initials.length, reference, parameters, to->z);
    bounds_of(to->z, parameters, &low, &high);
    for (unsigned x = 0; x < symbols; x++) {
        if (quantile && parameters->levels != EXACT) {
            to->level[x] = quantile_level(to->z[x], parameters);
            continue;
        }
        if (quantile) to->position[x] = erfc(-to->z[x] / M_SQRT2) / 2;
        else if (high > low) to->position[x] = fmin(fmax((to->z[x] - low) / (high - low), 0), 1);
        to->level[x] = (unsigned)fmin(floor(to->position[x] * levels), levels - 1);
    }
}

static void encode(const granule *from, const pinyin_parameters *parameters, uint64_t *code) {
    unsigned bits = levels_of(parameters) - 1;
    for (unsigned x = 0; x < symbols_of(parameters); x++) {
        if (parameters->levels == EXACT)
            memcpy((char *)code + x * sizeof(float), &(float){(float)from->position[x]}, sizeof(float));
        for (unsigned bit = x * bits; parameters->levels != EXACT && bit < x * bits + from->level[x]; bit++)
            code[bit / 64] |= UINT64_C(1) << bit % 64;
    }
}

static fp_status sketch(const fp_instance *self, const fp_document *document, fp_arena *scratch, fp_sketch *out,
                        fp_error *error) {
    const pinyin_parameters *parameters = self->parameters;
    granules parts;
    FP_TRY(cut(parameters, document, scratch, &parts, error));
    size_t words = code_words(parameters);
    uint64_t *code = FP_NEED(fp_arena_alloc(scratch, parts.count, words * sizeof *code), error);
    granule made;
    for (size_t g = 0; g < parts.count; g++) {
        measure_granule(granule_at(&parts, g), reference_of(self), parameters, &made);
        encode(&made, parameters, code + g * words);
    }
    *out = (fp_sketch){.data = code, .size = parts.count * words * sizeof *code};
    return FP_OK;
}

/* ---- Distances ---- */

/* The level of a symbol, or its position. */
static double value_at(const pinyin_parameters *parameters, const uint64_t *code, unsigned symbol) {
    unsigned bits = levels_of(parameters) - 1, level = 0;
    float position;
    if (parameters->levels == EXACT)
        return memcpy(&position, (const char *)code + symbol * sizeof position, sizeof position), position;
    for (unsigned bit = symbol * bits; bit < (symbol + 1) * bits; bit++)
        level += (unsigned)(code[bit / 64] >> bit % 64 & 1);
    return level;
}

static double granule_distance(const pinyin_parameters *parameters, const uint64_t *a, const uint64_t *b) {
    bool exact = parameters->levels == EXACT;
    double sum = 0;
    uint32_t bits;
    if (!exact && parameters->distance == DISTANCE_LEVELS) {
        fp_hamming(a, b, code_words(parameters), 1, &bits);
        return bits;
    }
    for (unsigned x = 0; x < symbols_of(parameters); x++) {
        double apart = fabs(value_at(parameters, a, x) - value_at(parameters, b, x));
        sum += exact ? EXACT_LEVELS * apart : apart > 0;
    }
    return sum;
}

/* The exact measure for levels=exact, else its estimate; letters that differ count as if they differed by one level. */
static double similarity(const fp_instance *self, double distance) {
    const pinyin_parameters *parameters = self->parameters;
    return 1 - distance / (symbols_of(parameters) * levels_of(parameters));
}

/* One digit per symbol, in their order, or the positions with three digits; a hyphen between granules. */
static const char *text(const fp_instance *self, fp_sketch sketch, fp_arena *arena) {
    const pinyin_parameters *parameters = self->parameters;
    unsigned symbols = symbols_of(parameters), width = parameters->levels == EXACT ? 6 : 1;
    size_t words = code_words(parameters), count = sketch.size / (words * 8);
    char *out = fp_arena_raw(arena, count, symbols * width + 1), *to = out;
    if (!out) return NULL;
    const uint64_t *code = sketch.data;
    for (size_t g = 0; g < count; g++, code += words) {
        for (unsigned x = 0; x < symbols; x++) {
            double value = value_at(parameters, code, x);
            if (width == 1) *to++ = (char)('0' + (int)value);
            else to += snprintf(to, width + 1, x + 1 < symbols ? "%.3f " : "%.3f", value);
        }
        *to++ = g + 1 < count ? '-' : '\0';
    }
    return out;
}

/* Mean over the granules of `from` of the smallest distance to a granule of `to`. */
static double directed(const pinyin_parameters *parameters, fp_sketch from, fp_sketch to) {
    size_t words = code_words(parameters), bytes = words * 8;
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

/* ---- Explanations ---- */

static void explain_granule(fp_explanation *to, const fp_instance *self, characters of) {
    const pinyin_parameters *parameters = self->parameters;
    const double *reference = reference_of(self);
    granule made;
    measure_granule(of, reference, parameters, &made);
    fp_explain_table(to, of.readings ? "symbol|>count|>frequency|>reference|>deviation|>level"
                                     : "letter|>count|>frequency|>reference|>deviation|>level");
    for (unsigned x = 0; x < symbols_of(parameters); x++) {
        fp_explain_cell(to, "%s", fp_pinyin_symbol(COUNTED[parameters->count].first + x));
        fp_explain_cell(to, "%llu", (unsigned long long)made.count[x]);
        fp_explain_cell(to, "%.4f", of.initials.length ? (double)made.count[x] / (double)of.initials.length : 0);
        fp_explain_cell(to, "%.4f", reference[x]);
        fp_explain_cell(to, "%+.3f", made.z[x]);
        if (parameters->levels == EXACT) fp_explain_cell(to, "%.3f", made.position[x]);
        else fp_explain_cell(to, "%u", made.level[x]);
    }
}

/* Every character of the text with its initial below it, or "-" if it has none, and its syllable if that is counted. */
static void explain_initials(fp_explanation *to, fp_string text, characters of) {
    size_t read = 0;
    fp_explain_table(to, of.readings ? "character|initial|syllable|tone" : "character|initial");
    for (size_t at = 0, size; at < text.length; at += size) {
        uint32_t code;
        size = fp_utf8_decode(text.data + at, &code);
        if (code == ' ' || code == '\n') continue;
        bool gives = read < of.initials.length && fp_pinyin_has_reading(code);
        fp_explain_cell(to, "%.*s", (int)size, text.data + at);
        fp_explain_cell(to, "%c", gives ? of.initials.data[read] : '-');
        for (unsigned k = 0; of.readings && k < 2; k++) {
            unsigned symbol = gives ? of.readings[read].symbol[3 - k] : FP_PINYIN_SYMBOLS;
            fp_explain_cell(to, "%s", symbol == FP_PINYIN_SYMBOLS ? "-" : fp_pinyin_symbol(symbol));
        }
        read += gives;
    }
}

static fp_status explain(const fp_instance *self, const fp_document *document, fp_arena *scratch, fp_explanation *to,
                         fp_error *error) {
    const pinyin_parameters *parameters = self->parameters;
    granules parts;
    FP_TRY(cut(parameters, document, scratch, &parts, error));
    fp_sketch made;
    FP_TRY(sketch(self, document, scratch, &made, error));
    fp_explain_step(to, "1. initials");
    fp_explain_line(to, "%.*s", (int)document->initials.length, document->initials.data);
    if (parts.count == 1) fp_explain_line(to, "%zu initials, one granule", document->initials.length);
    else
        fp_explain_line(to, "%zu initials, %zu granules of %zu, a new one every %zu", document->initials.length,
                        parts.count, parts.length, parts.step);
    explain_initials(to, document->text, parts.of);
    for (size_t g = 0; g < parts.count; g++) {
        characters of = granule_at(&parts, g);
        const char *title =
            FP_NEED(fp_format(scratch, "2-4. granule %zu: frequencies, less the reference, normalised", g + 1), error);
        fp_explain_step(to, title);
        fp_explain_line(to, "initials %zu to %zu: %.*s", g * parts.step + 1, g * parts.step + of.initials.length,
                        (int)of.initials.length, of.initials.data);
        explain_granule(to, self, of);
    }
    const char *digits = FP_NEED(text(self, made, scratch), error);
    bool exact = parameters->levels == EXACT;
    fp_explain_step(to, exact ? "5. the positions in the order of the symbols"
                              : "5. fingerprint: the levels in the order of the letters");
    fp_explain_line(to, "%s", digits);
    if (!exact)
        fp_explain_line(to, "packed in %.0f bits a granule",
                        ceil(symbols_of(parameters) * log2(levels_of(parameters))));
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
    .write_state = state_write,
    .add_state = state_add,
};

const fp_algorithm fp_algorithm_pinyin = {
    .abi = FP_ABI_VERSION,
    .needs = FP_NEEDS_INITIALS,
    .name = "pinyin",
    .summary =
        "frequencies of the 20 pinyin initials, or of finals, tones, syllables, on a few levels; unmoved by homophones and by the script",
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
    .measure = "pinyin agreement",
    .similarity = similarity,
    .counterpart = "pinyin:levels=exact,distance=levels",
    .learning = &LEARNING,
};
