/* SPDX-License-Identifier: GPL-3.0-or-later
 * Arms: their specs, the parameters of a plug-in, the models that they learned, and the lists of words they read. */
#include "algorithms/arms/arm.h"
#include "corpora/corruption/corruption.h"
#include "pairs/block_design.h"
#include "pairs/lsh_tables.h"
#include "tests/fuzz/fuzz.h"
#include "text/features/extract.h"
#include "text/unicode/utf8.h"

/* ---- Specs ---- */

/* A canonical spec says all: it gives itself again. Files are named and not read. */
void fuzz_spec(fp_string input, fp_arena *arena) {
    const char *text = fp_string_copy(arena, input);
    fp_arm *arm, *again;
    fp_error error;
    fp_lsh_spec lsh;
    fp_block_design design;
    fp_corruption corruption;
    if (fp_arm_bind(text, NULL, arena, &arm, &error) == FP_OK) {
        FUZZ_DEMAND(fp_arm_bind(fp_arm_spec(arm), NULL, arena, &again, &error) == FP_OK);
        FUZZ_DEMAND(strcmp(fp_arm_spec(arm), fp_arm_spec(again)) == 0);
    }
    fp_lsh_parse(text, arena, &lsh, &error);
    if (fp_block_design_parse(text, 64, 3, &design, &error) == FP_OK) {
        fp_block_design read;
        const char *written = fp_block_design_text(&design, arena);
        FUZZ_DEMAND(fp_block_design_parse(written, 64, 3, &read, &error) == FP_OK);
        FUZZ_DEMAND(strcmp(written, fp_block_design_text(&read, arena)) == 0);
    }
    fp_corruption_parse(fp_string_of(text), &corruption, &error);
}

/* ---- Parameters of a plug-in ---- */

typedef struct plugin_values {
    int64_t whole, choice;
    double real;
    const char *text, *file;
} plugin_values;

static const char *const CHOICES[] = {"one", "two", "three", NULL};
static const fp_parameter PARAMETERS[] = {
    {"whole", FP_INTEGER, "bits", "", "8", -5, 1 << 20, NULL, offsetof(plugin_values, whole)},
    {"real", FP_REAL, "", "", "0.5", 0, 1, NULL, offsetof(plugin_values, real)},
    {"choice", FP_CHOICE, "", "", "two", 0, 0, CHOICES, offsetof(plugin_values, choice)},
    {"text", FP_TEXT, "", "", "none", 0, 0, NULL, offsetof(plugin_values, text)},
    {"file", FP_FILE, "", "", "x", 0, 0, NULL, offsetof(plugin_values, file)},
    {0}};

static bool within(const plugin_values *values) {
    return values->whole >= -5 && values->whole <= 1 << 20 && values->real >= 0 && values->real <= 1 &&
           values->choice >= 0 && values->choice < 3 && values->text && values->file;
}

/* Values are within their bounds, and what is written of them is read as the same. */
void fuzz_parameters(fp_string input, fp_arena *arena) {
    plugin_values values, again;
    fp_error error;
    fp_string pair;
    FUZZ_DEMAND(fp_parameters_initialise(PARAMETERS, &values, &error) == FP_OK && within(&values));
    again = values;
    for (fp_string rest = input; fp_next_field(&rest, ',', &pair);) {
        fp_string value = pair, name;
        if (!fp_next_field(&value, '=', &name) || !value.data) continue;
        const fp_parameter *row = fp_parameter_find(PARAMETERS, name);
        if (!row || fp_parameter_set(row, value, &values, arena, &error) != FP_OK) continue;
        FUZZ_DEMAND(within(&values));
        const char *written = fp_parameter_text(row, &values, arena);
        FUZZ_DEMAND(fp_parameter_set(row, fp_string_of(written), &again, arena, &error) == FP_OK);
        FUZZ_DEMAND(strcmp(written, fp_parameter_text(row, &again, arena)) == 0);
    }
    fp_nearest(fp_string_copy(arena, input), CHOICES);
}

/* ---- Models ---- */

static const char *const LEARNING[] = {"simhash:features=chars:2,bits=16,center=mean",
                                       "simhash:features=chars:2,bits=16,center=median",
                                       "cosine:features=chars:2,weight=tfidf", "pinyin:reference=corpus"};
enum { LEARNING_COUNT = sizeof LEARNING / sizeof *LEARNING };

/* An arm that is forgotten again before each input; NULL: its spec is none any more. */
static fp_arm *arm_of(unsigned which) {
    static fp_arena *kept;
    static fp_arm *arms[LEARNING_COUNT];
    fp_error error;
    if (!kept) kept = fp_arena_new();
    if (!arms[which] && fp_arm_parse(LEARNING[which], NULL, kept, arms + which, &error) != FP_OK) arms[which] = NULL;
    return arms[which];
}

/* A model file or a tally around the input: the right mark, length and checksum, so that what is inside is looked at.
 */
static fp_string model_file(const fp_arm *arm, const char *mark, fp_string inside, fp_arena *arena) {
    fp_string spec = fp_string_of(fp_arm_spec(arm)), version = fp_string_of(FP_VERSION);
    size_t size = 16 + 16 + 8 + version.length + 8 + spec.length + inside.length + 8;
    char *made = fp_arena_raw(arena, size, 1), *at = made + 32;
    memcpy(made, mark, 16);
    fp_bytes_put(2, (unsigned char *)made + 16);
    fp_bytes_put(size, (unsigned char *)made + 24);
    fp_bytes_put(version.length, (unsigned char *)at);
    memcpy(at + 8, version.data, version.length);
    at += 8 + version.length;
    fp_bytes_put(spec.length, (unsigned char *)at);
    memcpy(at + 8, spec.data, spec.length);
    at += 8 + spec.length;
    if (inside.length) memcpy(at, inside.data, inside.length);
    fp_bytes_put(fp_xxh3(made, size - 8, 0), (unsigned char *)made + size - 8);
    return (fp_string){made, size};
}

/* What is taken is used: a sketch of two texts, and their distance. */
static void use(const fp_arm *arm, fp_arena *arena) {
    static const char *const TEXTS[] = {"今天下午，临江大桥恢复通车。", "The quick brown fox."};
    fp_sketch sketch[2];
    fp_error error;
    for (int t = 0; t < 2; t++)
        if (fp_arm_sketch(arm, fp_string_of(TEXTS[t]), arena, sketch + t, &error) != FP_OK) return;
    double distance = fp_arm_distance(arm, sketch[0], sketch[1]);
    FUZZ_DEMAND(fp_arm_distance_good(arm, distance));
    FUZZ_DEMAND(fp_arm_distance(arm, sketch[0], sketch[0]) == 0);
}

void fuzz_model(fp_string input, fp_arena *arena) {
    unsigned choice = fuzz_choice(&input);
    fp_arm *arm = arm_of(choice / 4 % LEARNING_COUNT);
    fp_error error;
    if (!arm) return;
    bool tally = choice & 2, again;
    const char *mark = tally ? "fplab-tally\r\n\x1a\n" : "fplab-model\r\n\x1a\n";
    fp_string file = choice & 1 ? model_file(arm, mark, input, arena) : input;
    const fp_string twice[] = {file, file};
    if ((tally ? fp_arm_take_tallies(arm, twice, 2, &again, &error) : fp_arm_take_model_bytes(arm, file, &error)) ==
        FP_OK) {
        use(arm, arena);
        FUZZ_DEMAND(fp_arm_forget(arm, &error) == FP_OK);
    }
}

/* ---- Lists of words ---- */

/* Stop words, document frequencies, term tables and a dictionary, from one file. */
void fuzz_lists(fp_string input, fp_arena *arena) {
    unsigned choice = fuzz_choice(&input);
    const char *path = fuzz_file("words", input, arena);
    fp_feature_spec spec;
    fp_error error;
    const fp_extractor *extractor;
    fp_token token = {0, 3};
    fp_text text = {fp_string_of("桥 bridge"), {&token, 1}, {"", 0}};
    FUZZ_DEMAND(fp_parameters_initialise(fp_feature_parameters, &spec, &error) == FP_OK);
    spec.features = "words";
    switch (choice % 3) {
    case 0: spec.stop = path; break;
    case 1: spec.idf = path, spec.weight = FP_WEIGHT_TFIDF; break;
    default: spec.terms = path;
    }
    if (fp_extractor_open(&spec, arena, &extractor, &error) != FP_OK) {
        FUZZ_DEMAND(error.message[0]);
        return;
    }
    fp_units units;
    fp_counts counts;
    fp_features features;
    FUZZ_DEMAND(fp_extract(extractor, &text, arena, &units, &error) == FP_OK);
    FUZZ_DEMAND(fp_count(&units, arena, &counts, &error) == FP_OK);
    fp_weigh(extractor, NULL, &units, &counts, true, arena, &features, &error);
}
