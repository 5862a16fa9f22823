/* SPDX-License-Identifier: GPL-3.0-or-later
 * fplab track: each new text against all that came before, and into the collection. */
#include <math.h>
#include <unistd.h>

#include "cli/commands/index/index.h"
#include "cli/plots.h"
#include "index/collection/tracking.h"
#include "reports/runs/run.h"
#include "reports/tables/found_tables.h"

typedef struct track {
    fp_cli_near near;
    const char *window, *verify, *out;
    bool quiet; /* only what is a duplicate is printed */
    int argument_count;
    const char **arguments;
    const char *address;
    fp_cli_plots plots;
    fp_table_format as;
    fp_arena *arena, *scratch, *kept, *row;
    fp_cli_audit_options audited;
    fp_cli_audit *audit; /* NULL: no audit */
    fp_tracking tracking;
    fp_entries *entries;
    fp_table *table, *saved; /* for a person, and for --out */
    fp_tracking_counts *counts;
    fp_cli_existing existing;
    size_t texts, duplicates, empty, aligned;
    double shared; /* sum over those that were aligned */
    bool open;     /* a transaction is */
    bool full;     /* standard output is closed or full, which was reported */
} track;

/* ---- Texts ---- */

/* What waits for its transaction: a row is printed when its text is on the disk. */
typedef struct waiting {
    fp_record record; /* of the entry */
    fp_tracked tracked;
} waiting;

static void keep(const track *with, fp_string *text) { text->data = fp_string_copy(with->kept, *text); }

/* What outlives the text's own memory. */
static void keep_row(const track *with, const fp_record *record, const fp_tracked *tracked, waiting *row) {
    *row = (waiting){*record, *tracked};
    if (!tracked->earlier) return;
    keep(with, &row->tracked.original.id);
    keep(with, &row->tracked.original.source);
    keep(with, &row->tracked.passages);
}

static fp_status offer(const track *with, const fp_entry *entry, const fp_tracked *tracked, fp_error *error) {
    const fp_cli_audited pair = {.id = {entry->id, tracked->original.id},
                                 .text = {entry->text, tracked->original.text},
                                 .distance = tracked->distance};
    return tracked->earlier ? fp_cli_audit_offer(with->audit, &pair, error) : FP_OK;
}

static fp_status take_one(track *with, const fp_entry *entry, fp_sketch sketch, waiting *rows, size_t *count,
                          fp_error *error) {
    fp_record record = fp_cli_record(entry, sketch.empty);
    fp_tracked tracked;
    bool adds;
    fp_arena_reset(with->scratch);
    FP_TRY(fp_cli_existing_meet(&with->existing, with->tracking.collection, &record, sketch,
                                with->near.texts.options.skip_bad, &adds, error));
    if (!adds) return FP_OK;
    FP_TRY(fp_track(&with->tracking, &record, sketch, entry->text, with->scratch, &tracked, error));
    FP_TRY(offer(with, entry, &tracked, error));
    keep_row(with, &record, &tracked, rows + (*count)++);
    return FP_OK;
}

static fp_status put_row(track *with, const waiting *row, fp_error *error) {
    const fp_tracked *tracked = &row->tracked;
    with->texts++;
    with->empty += row->record.empty;
    with->duplicates += tracked->earlier != 0;
    if (!isnan(tracked->shared)) {
        with->aligned++;
        with->shared += tracked->shared;
    }
    if (!with->quiet || tracked->earlier)
        fp_tracking_add_row(with->table, with->as == FP_FORMAT_TABLE, &row->record, tracked);
    if (with->saved) fp_tracking_add_row(with->saved, false, &row->record, tracked);
    return fp_tracking_count(with->counts, &row->record, tracked, error);
}

static fp_status take(void *context, size_t arm, size_t first, size_t count, const fp_sketch *sketches,
                      fp_error *error) {
    track *with = context;
    size_t row_count = 0;
    (void)arm;
    fp_arena_reset(with->kept);
    waiting *rows = FP_NEED(fp_arena_raw(with->kept, count, sizeof *rows), error);
    FP_TRY(fp_collection_begin(with->tracking.collection, error));
    with->open = true;
    for (size_t i = 0; i < count; i++)
        FP_TRY(take_one(with, fp_entries_at(with->entries, first + i), sketches[i], rows, &row_count, error));
    with->open = false;
    FP_TRY(fp_collection_commit(with->tracking.collection, error));
    for (size_t i = 0; i < row_count; i++) FP_TRY(put_row(with, rows + i, error));
    with->full = fp_cli_flush() != FP_EXIT_SUCCESS;
    if (with->full) return fp_fail(error, FP_ERROR_IO, "standard output is closed or full");
    bool many = fp_collection_wants_merge(with->tracking.collection);
    return many ? fp_collection_merge(with->tracking.collection, NULL, error) : FP_OK;
}

/* ---- What came out ---- */

static fp_status save_run(const track *with, fp_run_content *to, fp_error *error) {
    const fp_run_fact facts[] = {{"collection", with->address, 0},
                                 {"arm", with->near.made->spec, 0},
                                 {"threshold", NULL, with->near.within},
                                 {"window", with->window ? with->window : "none", 0},
                                 {"texts", NULL, (double)with->texts},
                                 {"duplicates", NULL, (double)with->duplicates},
                                 {NULL, NULL, 0}};
    return fp_run_save_facts(&(fp_run_facts){.facts = facts}, with->argument_count, with->arguments, to, error);
}

static fp_status write_audit(const track *with, const char *place, fp_error *error) {
    const fp_cli_audit_of of = {.arm = with->near.made,
                                .name = "track",
                                .pairs = "texts that have an earlier one, each with its original",
                                .documents = with->texts + with->duplicates,
                                .place = place};
    return fp_cli_audit_write(with->audit, &of, error);
}

static fp_status save(const track *with, fp_run_content *to, fp_error *error) {
    fp_table *by_source = fp_tracking_by_source_table(with->counts, with->arena),
             *by_day = fp_tracking_by_day_table(with->counts, with->arena);
    FP_TRY(fp_run_put_table(to, "track", with->saved, error));
    FP_TRY(fp_run_put_table(to, "by-source", by_source, error));
    FP_TRY(fp_run_put_table(to, "by-day", by_day, error));
    FP_TRY(write_audit(with, to->directory, error));
    return save_run(with, to, error);
}

static int summarise(const track *with) {
    size_t left_out = fp_entries_skipped(with->entries) + with->existing.left_out;
    fp_cli_existing_note(&with->existing, with->address);
    if (!with->texts) {
        if (!with->existing.skipped) fp_cli_note("There are no texts.\n");
        fp_cli_note_left_out(left_out);
        return FP_EXIT_SUCCESS;
    }
    const char *within = fp_cli_near_text(with->near.made, with->near.within, with->arena);
    double share = with->texts ? 100 * (double)with->duplicates / (double)with->texts : 0;
    fp_cli_note("Of %zu %s %zu (%.1f%%) %s within %s of an earlier one", with->texts,
                fp_cli_word(with->texts, "text", "texts"), with->duplicates, share,
                fp_cli_word(with->duplicates, "is", "are"), within);
    if (with->aligned)
        fp_cli_note(", and have %.0f%% of their characters in common with it on average",
                    100 * with->shared / (double)with->aligned);
    fp_cli_note(".\n");
    fp_cli_warn_empty(with->empty, "the arm");
    fp_cli_warn_uncut(&with->near.made, 1, NULL, with->texts);
    fp_cli_note_left_out(left_out);
    return fp_cli_collection_expect(with->tracking.collection, &with->near, with->near.within, with->arena);
}

/* Texts that went in stay in when something fails behind them. */
static int work(track *with, fp_run_directory *out) {
    fp_error error = {.line = SIZE_MAX, .byte = SIZE_MAX};
    fp_progress progress = fp_cli_progress();
    fp_status done = fp_cli_sketch_entries(&with->near, with->entries, take, with,
                                           isatty(STDOUT_FILENO) ? NULL : &progress, with->arena, &error);
    fp_cli_progress_end();
    if (with->open) fp_collection_abort(with->tracking.collection);
    if (done != FP_OK) {
        int status = with->full ? FP_EXIT_FAILURE : fp_cli_fail(&error);
        if (with->texts) fprintf(stderr, "fplab: what came before is in %s\n", with->address);
        return status;
    }
    int status = fp_cli_write(with->table, with->as);
    if (out->place && save(with, &out->content, &error) != FP_OK) status = fp_cli_out_fail(out, &error);
    else if (out->place && status == FP_EXIT_SUCCESS) fp_cli_draw_some(&with->plots, out);
    if (status == FP_EXIT_SUCCESS && !out->place && write_audit(with, NULL, &error) != FP_OK)
        status = fp_cli_fail(&error);
    return status == FP_EXIT_SUCCESS ? summarise(with) : status;
}

/* ---- The command ---- */

static void open_tables(track *with) {
    with->scratch = fp_cli_arena();
    with->kept = fp_cli_arena();
    with->row = fp_cli_arena();
    with->table = fp_tracking_table(with->as == FP_FORMAT_TABLE, with->arena);
    with->saved = with->out ? fp_tracking_table(false, with->arena) : NULL;
    with->counts = fp_tracking_counts_open(with->arena);
    fp_table_stream(with->table, with->as, stdout, with->row);
}

static int prepare(const fp_command *command, track *with, const char *const *arguments) {
    fp_tracking *tracking = &with->tracking;
    if (!arguments[0]) return fp_cli_usage(command, "no collection given; make one with `fplab index build`");
    with->address = arguments[0];
    FP_CLI_TRY(fp_cli_existing_check(command, &with->existing));
    FP_CLI_TRY(fp_cli_window(command, with->window, &tracking->window));
    FP_CLI_TRY(fp_cli_verify(command, with->verify, &tracking->least));
    FP_CLI_TRY(fp_cli_audit_open(command, &with->audited, with->out, with->arena, &with->audit));
    FP_CLI_TRY(fp_cli_entries_check(command, &with->near.texts, with->arena));
    FP_CLI_TRY(fp_cli_collection(with->address, true, with->arena, &tracking->collection));
    FP_CLI_TRY(fp_cli_collection_near(tracking->collection, with->arena, &with->near));
    tracking->within = with->near.within;
    tracking->aligns = fp_collection_keeps_texts(tracking->collection);
    FP_CLI_TRY(fp_cli_need_texts(command, with->verify, &with->audited, tracking->collection));
    open_tables(with);
    return FP_EXIT_SUCCESS;
}

static int track_inputs(const fp_command *command, track *with, const char *const *inputs) {
    fp_run_directory out;
    FP_CLI_TRY(fp_cli_out_open(with->out, with->arena, &out));
    FP_CLI_TRY(fp_cli_entries_open(command, &with->near.texts, inputs, with->arena, &with->entries));
    int status = work(with, &out);
    fp_entries_close(with->entries);
    return fp_cli_plots_commit(&with->plots, &out, status);
}

static int run(const fp_command *command, int argc, const char **argv) {
    track with = {
        .argument_count = argc, .arguments = argv, .as = isatty(STDOUT_FILENO) ? FP_FORMAT_TABLE : FP_FORMAT_TSV};
    fp_option options[] = {
        {"window", 0, FP_TAKES_TEXT(&with.window), "texts further apart in time do not match: 7d, 12h, 30m", "SPAN"},
        {"verify", 0, FP_TAKES_HINT(&with.verify, "alignment"),
         "alignment[:SHARE]: only a text that has that share of the new one is its original (default: 0.5)", "HOW"},
        {"duplicates", 0, FP_TAKES_FLAG(&with.quiet), "print only the duplicates", NULL},
        {"out", 'o', FP_TAKES_TEXT(&with.out),
         "write the matches, and a summary by source and by day, with pictures, here", "DIR"},
        FP_CLI_TEXT_FIELD_OPTION(with.near.texts),
        FP_CLI_OLD_TEXT_OPTION(with.near.texts),
        FP_CLI_FORMAT_OPTION(with.as, "how to print", "table on a terminal, tsv elsewhere"),
        {.kind = FP_OPTION_MORE},
        FP_CLI_EXISTING_OPTION(with.existing),
        FP_CLI_FORCE_OPTION,
        FP_CLI_AUDIT_OPTIONS(with.audited),
        FP_CLI_PLOT_OPTIONS,
        FP_CLI_ENTRIES_OPTIONS(with.near.texts),
        FP_CLI_PLUGIN_OPTIONS,
        {0}};
    FP_CLI_BEGIN(command, argc, argv, options, arguments, arena);
    with.arena = arena;
    int status = fp_cli_plots_read(command, with.arena, &with.plots);
    if (status == FP_EXIT_SUCCESS) status = prepare(command, &with, arguments);
    if (status == FP_EXIT_SUCCESS) status = track_inputs(command, &with, arguments + 1);
    fp_tracking_counts_close(with.counts);
    if (with.tracking.collection) fp_collection_close(with.tracking.collection);
    fp_arena_free(with.scratch);
    fp_arena_free(with.kept);
    fp_arena_free(with.row);
    return status;
}

const fp_command fp_command_track = {
    .name = "track",
    .arguments = "COLLECTION [OPTION…] [INPUT…]",
    .summary = "report for each new text which earlier one it repeats, and keep it",
    .summary_zh = "逐篇报告新文本重复了哪篇旧文本，并保存它",
    .details = "Looks up each text among all texts of the COLLECTION (`fplab index build`) and those before it, and\n"
               "adds it. Within the threshold of an earlier text it is a duplicate of the nearest, the oldest among\n"
               "equals. Prints the id of that text, the distance, the estimated similarity, and, if the collection\n"
               "keeps texts (--keep-texts), the share of the new text's characters in common passages. The match is\n"
               "recorded in the collection, with the places of the passages, and the two texts get one cluster.\n"
               "\n"
               "A file can be tracked again: a text whose id and text are there is skipped, without a row. Texts are\n"
               "compared by fingerprint and number of characters, and, if they are kept, byte by byte.\n"
               "\n"
               "A row is printed when its text is on the disk. --out DIR receives track.tsv, by-source.tsv\n"
               "(duplicates by source, and how often each source is copied by others), by-day.tsv and run.json, and\n"
               "pictures of the last two for texts with a time or a source: plots/tracking-by_day and -by_source.",
    .examples = "  fplab index build news.fp --choice choice.json --keep-texts archive.jsonl.gz\n"
                "  fplab track news.fp today.jsonl\n"
                "  tail -f crawl.jsonl | fplab track news.fp --from jsonl --duplicates --format json\n"
                "  fplab track news.fp --window 7d --time published --source site --out week posts.jsonl",
    .run = run,
};
