/* SPDX-License-Identifier: GPL-3.0-or-later
 * fplab query: which texts of a collection are near a text. */
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "algorithms/pipeline/pipeline.h"
#include "base/time_text.h"
#include "cli/commands/index/index.h"
#include "cli/input.h"
#include "text/alignment/alignment.h"

typedef struct query {
    fp_cli_near near;
    const char *within, *window, *verify, *share, *format;
    bool sources;
    double least;       /* --sources: share of the text */
    double verified;    /* least share of the text in common passages; 0: not asked for */
    fp_cli_input input; /* --text */
    int top;
    double distance;
    int64_t span;
    fp_table_format as;
    fp_arena *arena, *scratch, *row;
    fp_collection *collection;
    fp_entries *entries; /* NULL: one text */
    fp_table *table;
    size_t texts, answered, found, silent;
    bool full; /* standard output takes no more, which is told */
} query;

/* ---- Answers ---- */

static void put_row(query *with, fp_string id, const fp_near *near, const fp_record *record, uint64_t cluster) {
    char time[FP_TIME_TEXT];
    fp_time_write(record->time, time);
    fp_table_string(with->table, id);
    fp_table_string(with->table, record->id);
    fp_table_exact(with->table, near->distance);
    fp_table_real(with->table, fp_arm_similarity(with->near.made, near->distance), 4);
    fp_table_count(with->table, cluster);
    fp_table_text(with->table, time);
    fp_table_string(with->table, record->title);
    fp_table_string(with->table, record->url);
}

static bool in_window(const query *with, int64_t own, const fp_record *record) {
    return !with->span || fp_times_within(own, record->time, with->span);
}

/* The second round: what is near must have its share of the text. */
static fp_status verify(query *with, fp_string text, const fp_record *record, bool *passes, fp_error *error) {
    fp_alignment alignment;
    *passes = true;
    if (!(with->verified > 0)) return FP_OK;
    FP_TRY(fp_align(text, record->text, 0, with->scratch, &alignment, error));
    *passes = alignment.share[0] >= with->verified;
    return FP_OK;
}

/* With a window, or a second round, all that is near is looked at, since who passes is known of the records alone. */
static fp_status answer(query *with, const fp_entry *entry, fp_sketch sketch, bool says, fp_error *error) {
    const fp_near *found;
    size_t count, most = (size_t)with->top, told = 0;
    bool filters = with->span || with->verified > 0;
    with->texts++;
    with->silent += !says;
    if (!says) return FP_OK;
    fp_arena_reset(with->scratch);
    FP_TRY(fp_collection_near(with->collection, sketch, with->distance, filters ? 0 : most, with->scratch, &found,
                              &count, error));
    for (size_t i = 0; i < count && (most == 0 || told < most); i++) {
        fp_record record;
        uint64_t cluster;
        fp_records *records = fp_collection_records(with->collection);
        bool passes;
        FP_TRY(fp_records_get(records, found[i].number, with->verified > 0, with->scratch, &record, error));
        if (!in_window(with, entry->time, &record)) continue;
        FP_TRY(verify(with, entry->text, &record, &passes, error));
        if (!passes) continue;
        FP_TRY(fp_collection_cluster_of(with->collection, found[i].number, &cluster, error));
        put_row(with, entry->id, found + i, &record, cluster);
        told++;
    }
    with->found += told;
    with->answered += told > 0;
    return FP_OK;
}

static fp_status take(void *context, size_t arm, size_t first, size_t count, const fp_sketch *sketches,
                      const bool *says, fp_error *error) {
    query *with = context;
    (void)arm;
    for (size_t i = 0; i < count; i++) {
        FP_TRY(answer(with, fp_entries_at(with->entries, first + i), sketches[i], says[i], error));
    }
    /* Who waits for an answer gets it before the next text. */
    with->full = fp_cli_flush() >= 0;
    return with->full ? fp_fail(error, FP_ERROR_IO, "standard output takes no more") : FP_OK;
}

static fp_status answer_entries(query *with, const fp_progress *progress, fp_error *error) {
    fp_text_source source = fp_entries_source(with->entries);
    fp_pipeline_arm one = {.arm = with->near.made};
    const fp_pipeline pipeline = {.source = &source,
                                  .arms = &one,
                                  .count = 1,
                                  .take = take,
                                  .context = with,
                                  .progress = progress,
                                  .arena = with->arena};
    return fp_pipeline_run(&pipeline, error);
}

static fp_status answer_text(query *with, fp_string text, fp_error *error) {
    fp_sketch sketch;
    bool says;
    FP_TRY(fp_arm_sketch_says(with->near.made, text, with->arena, &sketch, &says, error));
    const fp_entry entry = {.id = fp_string_of("text"), .text = text, .time = FP_TIME_NONE};
    return answer(with, &entry, sketch, says, error);
}

/* ---- The command ---- */

static void summarise(const query *with) {
    const char *within = fp_cli_near_text(with->near.made, with->distance, with->arena);
    fprintf(stderr, "Of %zu texts %zu have a text of the collection within %s: %zu in all.\n", with->texts,
            with->answered, within ? within : "it", with->found);
    if (with->silent) fprintf(stderr, "%zu texts have nothing that the arm reads.\n", with->silent);
    double told = with->top && !with->within ? with->near.within : with->distance;
    fp_cli_collection_expect(with->collection, &with->near, told, with->arena);
}

static int ask_sources(const fp_command *command, query *with, const char *const *inputs) {
    fp_cli_asking asking = {.collection = with->collection,
                            .top = (size_t)with->top,
                            .least = with->least,
                            .as = with->as,
                            .arena = with->arena};
    int status = with->input.literal ? fp_cli_text(command, &with->input, inputs[0], with->arena, &asking.text)
                                     : fp_cli_near_entries(command, &with->near, inputs, with->arena, &asking.entries);
    if (status >= 0) return status;
    status = fp_cli_ask_sources(&asking);
    if (asking.entries) fp_entries_close(asking.entries);
    return status;
}

static int work(const fp_command *command, query *with, const char *const *inputs) {
    fp_error error = {.line = SIZE_MAX, .byte = SIZE_MAX};
    fp_progress progress = fp_cli_progress();
    fp_string text;
    fp_status done = FP_OK;
    if (with->sources) return ask_sources(command, with, inputs);
    with->scratch = fp_arena_new();
    with->row = fp_arena_new();
    with->table = fp_table_new("text|*found|>distance|>similarity|>cluster|time|title|url", with->arena);
    if (!with->scratch || !with->row || !with->table) return fp_cli_no_memory();
    fp_table_stream(with->table, with->as, stdout, with->row);
    if (with->input.literal) {
        int status = fp_cli_text(command, &with->input, inputs[0], with->arena, &text);
        if (status >= 0) return status;
        done = answer_text(with, text, &error);
    } else {
        int status = fp_cli_near_entries(command, &with->near, inputs, with->arena, &with->entries);
        if (status >= 0) return status;
        done = answer_entries(with, isatty(STDOUT_FILENO) ? NULL : &progress, &error);
        fp_entries_close(with->entries);
    }
    fp_cli_progress_end();
    if (done != FP_OK) return with->full ? FP_EXIT_FAILURE : fp_cli_fail(&error);
    int status = fp_cli_write(with->table, with->as);
    if (status == FP_EXIT_SUCCESS) summarise(with);
    return status;
}

static int prepare(const fp_command *command, query *with, const char *const *arguments) {
    if (!arguments[0]) return fp_cli_usage(command, "which collection?");
    if (with->input.literal && (!arguments[1] || arguments[2]))
        return fp_cli_usage(command, "--text goes with one text");
    if (with->top < 0) return fp_cli_usage(command, "--top takes a number from 1 on, not %d", with->top);
    if (!fp_cli_format(command, with->format, isatty(STDOUT_FILENO) ? FP_FORMAT_TABLE : FP_FORMAT_TSV, &with->as))
        return FP_EXIT_USAGE;
    if (with->window && !fp_span_parse(with->window, &with->span))
        return fp_cli_usage(command, "--window takes a span such as 7d, 12h or 30m, not %s", with->window);
    if (with->sources && (with->within || with->window || with->verify))
        return fp_cli_usage(command, "--within, --window and --verify are of whole texts, --sources of their parts");
    with->least = 0.05;
    if (with->share &&
        (!with->sources || !fp_parse_real(with->share, &with->least) || !(with->least >= 0) || with->least > 1))
        return fp_cli_usage(command, "--share takes a number from 0 to 1, with --sources, not %s", with->share);
    int status = fp_cli_collection(arguments[0], false, with->arena, &with->collection);
    if (status < 0) status = fp_cli_collection_near(with->collection, with->arena, &with->near);
    if (status >= 0) return status;
    status = fp_cli_verify(command, with->verify, with->collection, &with->verified);
    if (status >= 0) return status;
    with->distance = with->top && !with->within ? with->near.made->instance.layout.maximum : with->near.within;
    if (with->within && (!fp_parse_real(with->within, &with->distance) || !(with->distance >= 0)))
        return fp_cli_usage(command, "--within takes a distance from 0 on, not %s", with->within);
    return -1;
}

static int run(const fp_command *command, int argc, const char **argv) {
    query with = {0};
    fp_option options[] = {
        {"within", 'd', FP_TAKES_TEXT(&with.within), "how far to look (default: the collection's threshold)", "H"},
        {"top", 'k', FP_TAKES_INT(&with.top), "only the nearest N, however far they are without --within", "N"},
        {"window", 0, FP_TAKES_TEXT(&with.window), "only texts whose times are that close: 7d, 12h, 30m", "SPAN"},
        {"verify", 0, FP_TAKES_TEXT(&with.verify),
         "alignment[:SHARE]: only texts that have that share of the asked one in common passages (default: 0.5)",
         "HOW"},
        {"sources", 's', FP_TAKES_FLAG(&with.sources),
         "where parts of a text were copied from (winnowing, shingles, …)", NULL},
        {"share", 0, FP_TAKES_TEXT(&with.share), "--sources: least share of the text (default: 0.05)", "SHARE"},
        {"text", 't', FP_TAKES_FLAG(&with.input.literal), "the argument is the text itself", NULL},
        FP_CLI_ENTRIES_OPTIONS(with.near),
        FP_CLI_FORMAT_OPTION(with.format, "how to print", "table on a terminal, tsv elsewhere"),
        FP_CLI_PLUGIN_OPTIONS,
        {0}};
    const char **arguments;
    int status = fp_cli_begin(command, argc, argv, options, &arguments, &with.arena);
    if (status >= 0) return status;
    status = prepare(command, &with, arguments);
    if (status < 0) status = work(command, &with, arguments + 1);
    if (with.collection) fp_collection_close(with.collection);
    fp_arena_free(with.scratch);
    fp_arena_free(with.row);
    fp_cli_end(options, with.arena);
    return status;
}

const fp_command fp_command_query = {
    .name = "query",
    .arguments = "COLLECTION [OPTION…] [INPUT…]",
    .summary = "look texts up in a collection: which are near-duplicates of them",
    .details = "Prints a row for each text of the COLLECTION (`fplab index`) within the threshold of a text of the\n"
               "INPUTs, the nearest first: its id, the distance, what that says of the texts on the algorithm's\n"
               "own measure, its cluster, time, title and url. Answers come as the texts come.\n"
               "\n"
               "--top N gives the nearest N, however far. Look-ups up to the collection's threshold are fast;\n"
               "beyond it, and where fewer than N are within it, every fingerprint is looked at. Told is how\n"
               "sure a text at that distance is found: always, but for signatures (minhash) up to the threshold.\n"
               "\n"
               "--sources finds the texts that a text was copied from, a fifth of it or a whole: its granules are\n"
               "put to the vote, what chance explains is cut off, and the rest is aligned with the text. Told are\n"
               "the share of the text that stands in common passages, their places (characters of the text = of\n"
               "the source), and which granules were met. The collection keeps its texts (index build\n"
               "--keep-texts), and its arm has granules: winnowing, jaccard, sentences, pinyin:granule=16.",
    .examples = "  fplab query news.fp today.jsonl\n"
                "  fplab query news.fp --text '直击儿科急诊现状忙碌不止 儿科接诊进行时' --top 3\n"
                "  tail -f titles.txt | fplab query titles.fp --format json\n"
                "  fplab index build granules.fp -a winnowing -d 32 --keep-texts archive.jsonl\n"
                "  fplab query granules.fp --sources --top 3 essays.jsonl\n"
                "  fplab query news.fp --window 7d --time published posts.jsonl",
    .run = run,
};
