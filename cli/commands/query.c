/* SPDX-License-Identifier: GPL-3.0-or-later
 * fplab query: which texts of a collection are near a text. */
#include <math.h>
#include <unistd.h>

#include "base/time_text.h"
#include "cli/commands/index/index.h"
#include "cli/commands/index/query_answers.h"
#include "cli/read_entries.h"

typedef struct query {
    fp_cli_near near;
    const char *within, *window, *verify, *share, *containment;
    bool sources, fingerprints, real;
    double least; /* --sources: share of the text */
    fp_containment_spec contained;
    fp_cli_input input; /* --text */
    int top;
    fp_table_format as;
    fp_arena *arena, *row;
    fp_collection *collection;
    fp_entries *entries;
    fp_cli_answers answers;
    fp_cli_audit_options audited;
} query;

/* ---- Questions ---- */

static fp_status take(void *context, size_t arm, size_t first, size_t count, const fp_sketch *sketches,
                      fp_error *error) {
    query *with = context;
    fp_cli_question *questions = FP_NEED(fp_memory_take(NULL, count, sizeof *questions), error);
    (void)arm;
    for (size_t i = 0; i < count; i++)
        questions[i] = (fp_cli_question){*fp_entries_at(with->entries, first + i), sketches[i]};
    fp_status status = fp_cli_answer(&with->answers, questions, count, error);
    fp_memory_release(NULL, questions);
    return status;
}

static fp_status answer_text(query *with, fp_string text, fp_error *error) {
    fp_cli_question question = {.entry = {.id = fp_string_of("text"), .text = text, .time = FP_TIME_NONE}};
    FP_TRY(fp_arm_sketch(with->near.made, text, with->arena, &question.sketch, error));
    return fp_cli_answer(&with->answers, &question, 1, error);
}

/* ---- The command ---- */

static int summarise(const query *with) {
    const fp_cli_answers *made = &with->answers;
    const char *within = fp_cli_near_text(with->near.made, made->within, with->arena),
               *what = with->fingerprints ? fp_cli_word(made->texts, "fingerprint", "fingerprints")
                                          : fp_cli_word(made->texts, "text", "texts");
    fp_cli_note("Of %zu %s %zu %s a text of the collection within %s: %zu in all.\n", made->texts, what, made->answered,
                fp_cli_word(made->answered, "has", "have"), within, made->found);
    fp_cli_warn_empty(made->empty, "the arm");
    if (with->near.made) fp_cli_warn_uncut((fp_arm *const *)&with->near.made, 1, NULL, made->texts);
    fp_cli_note_left_out(made->skipped);
    double farthest = with->top && !with->within ? with->near.within : made->within;
    return fp_cli_collection_expect(with->collection, &with->near, farthest, with->arena);
}

static int ask_parts(const fp_command *command, query *with, const char *const *inputs) {
    fp_cli_asking asking = {.collection = with->collection,
                            .top = (size_t)with->top,
                            .least = with->least,
                            .contained = with->containment ? &with->contained : NULL,
                            .as = with->as,
                            .arena = with->arena};
    FP_CLI_TRY(with->input.literal
                   ? fp_cli_text(&with->input, inputs[0], with->arena, &asking.text)
                   : fp_cli_entries_open(command, &with->near.texts, inputs, with->arena, &asking.entries));
    int status = fp_cli_ask(&asking);
    if (asking.entries) fp_entries_close(asking.entries);
    return status;
}

static void open_answers(query *with) {
    fp_cli_answers *to = &with->answers;
    to->collection = with->collection;
    to->arm = with->near.made;
    to->top = (size_t)with->top;
    to->real = !with->fingerprints && fp_arm_layout(to->arm)->stored > 0;
    to->scratch = fp_cli_arena();
    to->each = fp_cli_arena();
    with->row = fp_cli_arena();
    to->table = fp_table_new(to->real ? "text|found|>distance|>real|>similarity|>cluster|time|title|url"
                                      : "text|found|>distance|>similarity|>cluster|time|title|url",
                             with->arena);
    fp_table_stream(to->table, with->as, stdout, with->row);
}

static int work(const fp_command *command, query *with, const char *const *inputs) {
    fp_error error = {.line = SIZE_MAX, .byte = SIZE_MAX};
    fp_progress progress = fp_cli_progress();
    fp_string text;
    fp_status done = FP_OK;
    if (with->sources || with->containment) return ask_parts(command, with, inputs);
    open_answers(with);
    if (with->fingerprints)
        done = fp_cli_answer_fingerprints(&with->answers, &with->near.texts.options, inputs, with->arena, &error);
    else if (with->input.literal) {
        FP_CLI_TRY(fp_cli_text(&with->input, inputs[0], with->arena, &text));
        done = answer_text(with, text, &error);
    } else {
        FP_CLI_TRY(fp_cli_entries_open(command, &with->near.texts, inputs, with->arena, &with->entries));
        done = fp_cli_sketch_entries(&with->near, with->entries, take, with, isatty(STDOUT_FILENO) ? NULL : &progress,
                                     with->arena, &error);
        fp_entries_close(with->entries);
    }
    fp_cli_progress_end();
    if (done != FP_OK) return with->answers.full ? FP_EXIT_FAILURE : fp_cli_fail(&error);
    fp_cli_write(with->answers.table, with->as);
    const fp_cli_audit_of of = {.arm = with->near.made,
                                .name = "query",
                                .pairs = "queries, each with a text that it found",
                                .documents = with->answers.texts + with->answers.found};
    if (fp_cli_audit_write(with->answers.audit, &of, &error) != FP_OK) return fp_cli_fail(&error);
    return summarise(with);
}

/* ---- Options ---- */

/* Checks of options that need no input. */
static int check_options(const fp_command *command, query *with, const char *const *arguments) {
    if (!arguments[0]) return fp_cli_usage(command, "no collection given; make one with `fplab index build`");
    if (with->input.literal && (!arguments[1] || arguments[2]))
        return fp_cli_usage(command, "--text goes with one text");
    if (with->top < 0) return fp_cli_usage(command, "--top takes a number from 1 on, not %d", with->top);
    if (with->sources && (with->within || with->window || with->verify || with->audited.pairs))
        return fp_cli_usage(command,
                            "--threshold, --window, --verify and --audit are of whole texts, --sources of their parts");
    if (with->fingerprints && (with->input.literal || with->sources || with->window || with->verify ||
                               with->audited.pairs || with->near.texts.from))
        return fp_cli_usage(command,
                            "--fingerprints have no text and no time: --text, --sources, --window, --verify, --audit "
                            "and --from do not go with them");
    if (with->real && (with->fingerprints || with->sources))
        return fp_cli_usage(command, "--real compares whole texts; it does not go with --%s",
                            with->sources ? "sources" : "fingerprints");
    fp_error error = {0};
    if (with->containment && (with->within || with->window || with->verify || with->audited.pairs || with->real ||
                              with->sources || with->fingerprints))
        return fp_cli_usage(
            command, "--containment compares features exactly: --threshold, --window, --verify, --audit, --real, "
                     "--sources and --fingerprints do not go with it");
    if (with->containment && fp_containment_parse(with->containment, with->arena, &with->contained, &error) != FP_OK)
        return fp_cli_usage(command, "--containment: %s", error.message);
    with->least = 0.05;
    if (with->share &&
        (!with->sources || !fp_parse_real(with->share, &with->least) || !(with->least >= 0) || with->least > 1))
        return fp_cli_usage(command, "--share takes a number from 0 to 1, with --sources, not %s", with->share);
    if (with->within && (!fp_parse_real(with->within, &with->answers.within) || !(with->answers.within >= 0)))
        return fp_cli_usage(command, "--threshold takes a distance from 0 on, not %s", with->within);
    FP_CLI_TRY(fp_cli_window(command, with->window, &with->answers.window));
    FP_CLI_TRY(fp_cli_verify(command, with->verify, &with->answers.verified));
    FP_CLI_TRY(fp_cli_audit_open(command, &with->audited, NULL, with->arena, &with->answers.audit));
    return fp_cli_entries_check(command, &with->near.texts, with->arena);
}

/* --fingerprints: those that are printed in hexadecimal. */
static int check_fingerprints(const fp_command *command, const query *with) {
    const fp_arm *arm = fp_collection_stored(with->collection);
    if (!with->fingerprints || (arm->instance.layout.bits && !arm->instance.algorithm->text)) return FP_EXIT_SUCCESS;
    return fp_cli_usage(command, "--fingerprints reads bits in hexadecimal, as simhash has them; %s has other ones",
                        fp_arm_name(arm));
}

/* --real: the collection's arm in its two-sided form, which also uses query data beyond the fingerprint. */
static int take_real(const fp_command *command, query *with) {
    fp_error error = {0};
    if (!with->real) return FP_EXIT_SUCCESS;
    fp_status status = fp_arm_with_sides(with->near.made, true, with->arena, &with->near.made, &error);
    if (status == FP_ERROR_UNKNOWN) return fp_cli_usage(command, "--real: %s", error.message);
    return status == FP_OK ? FP_EXIT_SUCCESS : fp_cli_fail(&error);
}

static int prepare(const fp_command *command, query *with, const char *const *arguments) {
    FP_CLI_TRY(check_options(command, with, arguments));
    FP_CLI_TRY(fp_cli_collection(arguments[0], false, with->arena, &with->collection));
    FP_CLI_TRY(fp_cli_collection_near(with->collection, with->arena, &with->near));
    FP_CLI_TRY(check_fingerprints(command, with));
    FP_CLI_TRY(take_real(command, with));
    FP_CLI_TRY(fp_cli_need_texts(command, with->verify, &with->audited, with->collection));
    if (!with->within) with->answers.within = with->top ? with->near.made->instance.layout.maximum : with->near.within;
    return FP_EXIT_SUCCESS;
}

static int run(const fp_command *command, int argc, const char **argv) {
    query with = {.as = isatty(STDOUT_FILENO) ? FP_FORMAT_TABLE : FP_FORMAT_TSV};
    fp_option options[] = {
        {"threshold", 'd', FP_TAKES_TEXT(&with.within), "texts at a distance of at most H (default: the collection's)",
         "H"},
        {"within", 0, FP_TAKES_TEXT(&with.within), NULL, "H"},
        {"top", 'k', FP_TAKES_INT(&with.top), "only the nearest N, however far they are without --threshold", "N"},
        {"text", 't', FP_TAKES_FLAG(&with.input.literal), "the argument is the text itself", NULL},
        {"real", 0, FP_TAKES_FLAG(&with.real),
         "order by the query's real values instead of its fingerprint: sums of signs, values of slots (simhash, hyperplane, bitsample, minhash)",
         NULL},
        {"window", 0, FP_TAKES_TEXT(&with.window), "only texts within this time of the query: 7d, 12h, 30m", "SPAN"},
        {"verify", 0, FP_TAKES_HINT(&with.verify, "alignment"),
         "alignment[:SHARE]: only texts that contain that share of the query in common passages (default: 0.5)", "HOW"},
        FP_CLI_FORMAT_OPTION(with.as, "how to print", "table on a terminal, tsv elsewhere"),
        {.kind = FP_OPTION_MORE},
        FP_CLI_AUDIT_OPTIONS(with.audited),
        {"sources", 's', FP_TAKES_FLAG(&with.sources),
         "the sources that parts of a text were copied from (winnowing, shingles, …)", NULL},
        {"share", 0, FP_TAKES_TEXT(&with.share), "--sources: least share of the text (default: 0.05)", "SHARE"},
        {"containment", 0, FP_TAKES_TEXT(&with.containment),
         "texts that have at least that share of the text's features, 0.8 or 0.8:partitions=32,recall=0.99 (minhash)",
         "SHARE"},
        {"fingerprints", 0, FP_TAKES_FLAG(&with.fingerprints),
         "the lines are fingerprints, as `fplab fingerprint` prints them (bits in hexadecimal)", NULL},
        FP_CLI_ENTRIES_OPTIONS(with.near.texts),
        FP_CLI_TEXT_FIELD_OPTION(with.near.texts),
        FP_CLI_PLUGIN_OPTIONS,
        {0}};
    FP_CLI_BEGIN(command, argc, argv, options, arguments, arena);
    with.arena = arena;
    int status = prepare(command, &with, arguments);
    if (status == FP_EXIT_SUCCESS) status = work(command, &with, arguments + 1);
    if (with.collection) fp_collection_close(with.collection);
    fp_arena_free(with.answers.scratch);
    fp_arena_free(with.answers.each);
    fp_arena_free(with.row);
    return status;
}

const fp_command fp_command_query = {
    .name = "query",
    .arguments = "COLLECTION [OPTION…] [INPUT…]",
    .summary = "look up texts in a collection: print their near-duplicates",
    .summary_zh = "在指纹库中查找某文本的近似重复",
    .introduction_zh =
        "对输入的每篇文本，列出指纹库（fplab index）中距离在阈值以内的文本，近者在前：编号、距离、对应的相似度、所属的组、时间、\n"
        "标题与网址。文本到来一篇，就回答一篇。",
    .details = "Prints a row for each text of the COLLECTION (`fplab index`) within the threshold of a text of the\n"
               "INPUTs, the nearest first: its id, the distance, the estimated similarity on the algorithm's own\n"
               "measure, its cluster, time, title and url. Answers are printed as texts are read.\n"
               "\n"
               "--top N gives the nearest N, however far. Look-ups up to the collection's threshold are fast; beyond\n"
               "it, and if fewer than N are within it, every fingerprint is compared. Prints the probability that a\n"
               "text at that distance is found: 1, except for signatures (minhash) up to the threshold.\n"
               "\n"
               "--real (the default of an arm with query=real) orders the texts that the fingerprints find by the\n"
               "query's own sums, or values of slots, against the stored fingerprint: the column real, in the same\n"
               "unit, and the similarity of it. The threshold applies to the stored fingerprints. With --top N the\n"
               "10·N nearest (at least 100) are ordered.\n"
               "\n"
               "With --fingerprints the lines of the INPUTs are fingerprints of the collection's width, alone or\n"
               "after an id and a tab, with or without a header line.\n"
               "\n"
               "--sources finds the texts that a text was copied from, in part or whole: its granules vote for\n"
               "texts, votes that chance explains are cut off, and the remaining texts are aligned. Prints the share\n"
               "of the text in common passages, their places (characters of the text = of the source), and the\n"
               "granules in common. The collection must keep its texts (index build --keep-texts), and its arm have\n"
               "granules: winnowing, jaccard, sentences, pinyin:granule=16.\n"
               "\n"
               "--containment 0.8 finds the texts that have at least 80% of the features of a text, however long\n"
               "they are: LSH Ensemble (Zhu et al., PVLDB 2016) on signatures of minhash, in 16 partitions by size,\n"
               "with a recall of at least 0.95 (0.8:partitions=32,recall=0.99). What it finds is compared exactly:\n"
               "the collection must keep its texts. `fplab index merge` stores how many features each of them has.",
    .examples = "  fplab query news.fp today.jsonl\n"
                "  fplab query news.fp --text '直击儿科急诊现状忙碌不止 儿科接诊进行时' --top 3\n"
                "  tail -f titles.txt | fplab query titles.fp --format json\n"
                "  fplab fingerprint -a simhash titles.txt | fplab query titles.fp --fingerprints\n"
                "  fplab index build granules.fp -a winnowing -d 32 --keep-texts archive.jsonl\n"
                "  fplab query granules.fp --sources --top 3 essays.jsonl\n"
                "  fplab query signatures.fp --containment 0.8 excerpts.jsonl\n"
                "  fplab query news.fp --window 7d --time published posts.jsonl",
    .run = run,
};
