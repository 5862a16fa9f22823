/* SPDX-License-Identifier: GPL-3.0-or-later
 * fplab compare: two texts, the algorithms side by side. */
#include <math.h>

#include "algorithms/arms/arm.h"
#include "algorithms/families/sets.h"
#include "cli/choice.h"
#include "cli/read_entries.h"
#include "cli/terminal.h"
#include "cli/text_pair.h"
#include "text/unicode/utf8.h"

/* The result of one arm for the two texts. */
typedef struct verdict {
    const fp_arm *arm;
    double distance, similarity; /* NaN: no result */
    double chosen;               /* the threshold of a saved choice; NaN: the arm is not a choice */
    fp_usual_threshold usual;
    size_t features[2]; /* of each text; SIZE_MAX if the arm uses no features */
    size_t empty;       /* texts without features */
    size_t places;      /* bits or slots that the distance counts; 0: it counts none, or no result */
    bool *differs;      /* [places], in the order in which the fingerprint is written */
} verdict;

typedef struct comparison {
    fp_string texts[2];
    verdict *verdicts; /* [count] */
    size_t count;
    bool choices; /* one of the arms is a saved choice */
    bool whole;
    fp_arena *arena;
} comparison;

/* ---- Measuring ---- */

static size_t count_features(const fp_arm *arm, const fp_document *document) {
    uint32_t needs = arm->instance.algorithm->needs;
    if (needs & FP_NEEDS_INITIALS) return document->initials.length;
    return needs & (FP_NEEDS_FEATURES | FP_NEEDS_SEQUENCE) ? document->features.count : SIZE_MAX;
}

static fp_status sketch(const fp_arm *arm, fp_string raw, fp_arena *arena, fp_sketch *made, size_t *features,
                        fp_error *error) {
    fp_text text;
    fp_document document = {0};
    FP_TRY(fp_arm_ready(arm, error));
    FP_TRY(fp_arm_preprocess(arm, raw, fp_arm_wants(arm), arena, &text, error));
    FP_TRY(fp_arm_document(arm, &text, false, arena, &document, error));
    *features = count_features(arm, &document);
    return fp_arm_sketch_document(arm, &document, arena, made, error);
}

/* Of bits the highest is written first. */
static void find_places(const fp_arm *arm, const fp_sketch made[2], fp_arena *arena, verdict *to) {
    size_t count = fp_places(&arm->instance);
    uint64_t *differs = fp_arena_alloc(arena, count / 64 + 1, sizeof *differs);
    bool *written = fp_arena_alloc(arena, count + 1, sizeof *written);
    if (count) fp_places_differing(&arm->instance, made[0], made[1], differs);
    for (size_t i = 0; i < count; i++) {
        size_t place = arm->instance.layout.bits ? count - 1 - i : i;
        written[i] = differs[place / 64] >> place % 64 & 1;
    }
    to->places = count;
    to->differs = written;
}

static fp_status measure(fp_arm *arm, double chosen, const fp_string texts[2], fp_arena *arena, verdict *to,
                         fp_error *error) {
    fp_sketch made[2];
    const fp_algorithm *algorithm = arm->instance.algorithm;
    size_t least = fp_arm_fits(arm) ? fp_learning_of(algorithm)->least_documents : 0;
    if (least > 2)
        return fp_fail(
            error, FP_ERROR_EMPTY,
            "the arm %s is fitted to a corpus of %zu documents or more, and compare has 2, each of which would "
            "be the other's opposite; `fplab distances` fits it to a corpus",
            arm->name, least);
    *to = (verdict){.arm = arm, .chosen = chosen, .similarity = NAN, .distance = arm->instance.layout.maximum};
    if (fp_arm_learns(arm)) FP_TRY(fp_arm_fit(arm, texts, NULL, 2, NULL, 0, error));
    for (int i = 0; i < 2; i++) FP_TRY(sketch(arm, texts[i], arena, made + i, to->features + i, error));
    to->usual = fp_arm_usual_threshold(arm);
    to->empty = (size_t)made[0].empty + made[1].empty;
    if (to->empty) return FP_OK;
    FP_TRY(fp_arm_distance_checked(arm, fp_string_of("text A"), made[0], fp_string_of("text B"), made[1], &to->distance,
                                   error));
    if (algorithm->similarity) to->similarity = algorithm->similarity(&arm->instance, to->distance);
    find_places(arm, made, arena, to);
    return FP_OK;
}

/* ---- Rows ---- */

/* Two columns: the threshold, and what it makes of the distance. */
static void add_called(fp_table *table, const verdict *of, double threshold, int digits) {
    fp_table_real(table, threshold, digits);
    if (isnan(threshold)) fp_table_undefined(table);
    else fp_table_text(table, of->distance <= threshold ? "duplicate" : "not");
}

static void add_features(fp_table *table, size_t count) {
    if (count == SIZE_MAX) fp_table_undefined(table);
    else fp_table_count(table, count);
}

static int digits_of(const verdict *of) { return of->arm->instance.layout.integral ? 0 : 2; }

/* Their numbers, from 1. */
static const char *places_text(const verdict *of, fp_arena *arena) {
    enum { DIGITS = 21 };
    char *text = fp_arena_raw(arena, of->places * DIGITS + 1, 1), *end = text;
    *end = 0;
    for (size_t i = 0; i < of->places; i++)
        if (of->differs[i]) end += sprintf(end, "%s%zu", end > text ? " " : "", i + 1);
    return text;
}

/* For programs. */
static fp_table *all_columns(const comparison *of) {
    fp_table *table = fp_table_new(
        of->choices
            ? "arm|>distance|scale|features|measure|>similarity|>threshold|called|>A features|>B features|>usual "
              "threshold|usually called|source of the usual threshold|differing places"
            : "arm|>distance|scale|features|measure|>similarity|>A features|>B features|>usual threshold|usually "
              "called|source of the usual threshold|differing places",
        of->arena);
    for (size_t i = 0; i < of->count; i++) {
        const verdict *at = of->verdicts + i;
        fp_table_text(table, fp_arm_name(at->arm));
        fp_table_real(table, at->distance, digits_of(at));
        FP_TABLE_TEXTS(table, at->arm->instance.layout.scale, fp_arm_compared(at->arm, of->arena),
                       fp_arm_measure(at->arm));
        fp_table_real(table, at->similarity, 3);
        if (of->choices) add_called(table, at, at->chosen, digits_of(at));
        for (int which = 0; which < 2; which++) add_features(table, at->features[which]);
        add_called(table, at, at->usual.distance, digits_of(at));
        fp_table_text(table, at->usual.source);
        if (at->places) fp_table_text(table, places_text(at, of->arena));
        else fp_table_undefined(table);
    }
    return table;
}

/* For a person: fits into 80 columns. A choice's threshold replaces the usual one. */
static fp_table *few_columns(const comparison *of) {
    fp_table *table = fp_table_new("arm|>distance|scale|>similarity|>features|>up to|called", of->arena);
    for (size_t i = 0; i < of->count; i++) {
        const verdict *at = of->verdicts + i;
        fp_table_text(table, fp_arm_name(at->arm));
        fp_table_real(table, at->distance, digits_of(at));
        fp_table_text(table, at->arm->instance.layout.scale);
        fp_table_real(table, at->similarity, 3);
        if (at->features[0] == SIZE_MAX) fp_table_undefined(table);
        else fp_table_text(table, fp_format(of->arena, "%zu/%zu", at->features[0], at->features[1]));
        add_called(table, at, isnan(at->chosen) ? at->usual.distance : at->chosen, digits_of(at));
    }
    return table;
}

/* ---- Texts ---- */

/* Characters that each has alone, and that both have. */
static fp_status write_counts(const comparison *of, FILE *stream, fp_error *error) {
    fp_diff diff;
    size_t places = 0, alone[2] = {0}, same = 0;
    FP_TRY(fp_diff_make(of->texts[0], of->texts[1], of->arena, &diff, error));
    for (size_t i = 0; i < diff.count; i++) {
        const fp_diff_run *run = diff.runs + i;
        if (run->same) same += fp_utf8_count(run->a);
        else places++, alone[0] += fp_utf8_count(run->a), alone[1] += fp_utf8_count(run->b);
    }
    fputc('\n', stream);
    if (!places) return FP_OK;
    fprintf(stream, "%zu %s\ncharacters: %zu in A alone, %zu in B alone, %zu in both\n", places,
            places == 1 ? "place differs" : "places differ", alone[0], alone[1], same);
    return FP_OK;
}

/* Of long texts what differs, with a little around it. */
static fp_status write_texts(const comparison *of, FILE *stream, fp_error *error) {
    enum { LONG = 400, CONTEXT = 20 };
    const fp_cli_pair_view view = {.colours = fp_cli_colours(),
                                   .close = true,
                                   .whole = of->whole ? SIZE_MAX : LONG,
                                   .context = CONTEXT,
                                   .columns = fp_cli_width(),
                                   .rows = SIZE_MAX};
    FP_TRY(write_counts(of, stream, error));
    return fp_cli_pair_write(stream, &view, of->texts[0], of->texts[1], of->arena, error);
}

static fp_status write_all(const comparison *of, FILE *stream, fp_error *error) {
    fp_table *table = few_columns(of);
    fp_table_write(table, FP_FORMAT_TABLE, stream);
    return write_texts(of, stream, error);
}

static int print(const comparison *of, fp_table_format format) {
    fp_error error = {0};
    if (format != FP_FORMAT_TABLE) return fp_cli_write(all_columns(of), format);
    fp_cli_show_begin();
    return fp_cli_show_end(write_all(of, stdout, &error), &error);
}

/* ---- All ---- */

/* All of both lists, or the usual ones where both are empty. */
static const char **specs_of(const char *const *arms, const char *const *choices, fp_arena *arena) {
    size_t first = 0, count = 0;
    if (!arms && !choices) arms = fp_cli_usual_arms;
    while (arms && arms[first]) first++;
    while (choices && choices[count]) count++;
    const char **specs = fp_arena_alloc(arena, first + count + 1, sizeof *specs);
    for (size_t i = 0; i < first; i++) specs[i] = arms[i];
    for (size_t i = 0; i < count; i++) specs[first + i] = fp_format(arena, "%c%s", FP_CLI_CHOICE_MARK, choices[i]);
    return specs;
}

static int compare(const fp_cli_input *input, const char *const arguments[2], const char *const *specs,
                   fp_table_format format, comparison *made) {
    fp_arm **arms;
    double *thresholds;
    fp_error error = {0};
    FP_CLI_TRY(fp_cli_arms_at(specs, made->arena, &arms, &thresholds, &made->count));
    for (int i = 0; i < 2; i++) FP_CLI_TRY(fp_cli_text(input, arguments[i], made->arena, made->texts + i));
    made->verdicts = fp_arena_alloc(made->arena, made->count, sizeof *made->verdicts);
    size_t *empty = fp_arena_alloc(made->arena, made->count, sizeof *empty);
    for (size_t i = 0; i < made->count; i++) {
        made->choices |= !isnan(thresholds[i]);
        if (measure(arms[i], thresholds[i], made->texts, made->arena, made->verdicts + i, &error) != FP_OK)
            return fp_cli_fail(&error);
        empty[i] = made->verdicts[i].empty;
    }
    fp_cli_cautions(arms, empty, made->count, NULL, 2);
    return print(made, format);
}

static int run(const fp_command *command, int argc, const char **argv) {
    const char **arms = NULL, **choices = NULL;
    fp_table_format format = FP_FORMAT_TABLE;
    fp_cli_input input = {0};
    comparison made = {0};
    fp_option options[] = {
        {"arm", 'a', FP_TAKES_LIST(&arms), "algorithm:key=value,… or @FILE; may be repeated (default: 16 algorithms)",
         "SPEC"},
        {"choice", 0, FP_TAKES_LIST(&choices),
         "an arm and threshold that `fplab tune --save` wrote, which decides whether the two are duplicates; may be repeated",
         "FILE"},
        {"whole", 0, FP_TAKES_FLAG(&made.whole), "show long texts whole, not only where they differ", NULL},
        FP_CLI_INPUT_OPTIONS(input),
        FP_CLI_PLUGIN_OPTIONS,
        FP_CLI_FORMAT_OPTION(format, "how to print", "table"),
        {0}};
    FP_CLI_BEGIN(command, argc, argv, options, arguments, arena);
    made.arena = arena;
    if (!arguments[0] || !arguments[1] || arguments[2]) return fp_cli_usage(command, "compare takes two texts");
    FP_CLI_TRY(fp_cli_input_check(command, &input, made.arena));
    return compare(&input, arguments, specs_of(arms, choices, made.arena), format, &made);
}

const fp_command fp_command_compare = {
    .name = "compare",
    .arguments = "[OPTION…] A B",
    .summary = "compare two texts, the algorithms side by side",
    .summary_zh = "用各种算法逐一比较两篇文本",
    .introduction_zh =
        "读入两个文件（- 为标准输入，.gz 与 .zst 自动解压）；加 --text 时两个参数就是文本本身。每个方案列出指纹的距离、\n"
        "距离的尺度、它对应的相似度、两篇各有多少特征，以及按常用阈值是否判为重复。适合自己文本的阈值用 fplab tune 选取。",
    .details = "Reads two files (- is standard input; .gz and .zst are unpacked), or with --text takes the two\n"
               "arguments as the texts. For each arm it prints the distance of the fingerprints and its scale, the\n"
               "similarity that corresponds to it, the number of features of A and B, and the verdict at the usual\n"
               "threshold: that of a saved choice; equality for exact; an angle of 3 of 64 bits for measures of\n"
               "cosine (Manku, Jain, Das Sarma 2007); 0.8 for measures of Jaccard similarity (Soboleva et al.,\n"
               "SlimPajama, 2023). Other arms have no usual threshold: NA. `fplab tune` finds a threshold for your\n"
               "texts.\n"
               "\n"
               "Both texts follow, with [-only in A-] and {+only in B+} marked, or in colours; of long texts only\n"
               "the differences, with some context. Formats other than table have no texts; they list features,\n"
               "measures and sources in full, and the numbers of the differing bits or slots, from 1, the highest\n"
               "bit first.\n"
               "\n"
               "Equal distances of different algorithms are not equal strictness, and arms with different features\n"
               "do not measure the same thing. An arm that learns its IDF learns it from the two texts alone, with a\n"
               "warning: idf=builtin or idf=FILE is better. An arm that must be fitted (center=mean) is refused. A\n"
               "text without features for an arm (no Han character, for pinyin) is no evidence: the distance is the\n"
               "largest one and the similarity NA.",
    .examples = "  fplab compare one.txt two.txt\n"
                "  fplab compare --text 我喜欢看电视，不喜欢看电影。 我不喜欢看电视，也不喜欢看电影。\n"
                "  fplab compare --arm simhash:features=words --arm simhash:features=chars:2 one.txt two.txt",
    .run = run,
};
