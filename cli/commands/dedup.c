/* SPDX-License-Identifier: GPL-3.0-or-later
 * fplab dedup: of texts that are near-duplicates keep one. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/time_text.h"
#include "cli/audit.h"
#include "cli/near_texts.h"
#include "cli/out.h"
#include "reports/runs/run.h"

typedef struct dedup {
    fp_cli_near near;
    const char *keep, *window, *recall, *out, *audit_of;
    fp_cli_audit_options audited;
    fp_cli_audit *audit; /* NULL: no audit */
    fp_table_format as;
    bool dropped; /* the table of the dropped ones is printed, not the lines that are kept */
    int argument_count;
    const char **arguments;
    fp_arena *arena;
    int64_t span;
    long long passages; /* --passages; 0: not requested */
    double sure;        /* --recall */
    fp_gathered texts;
    fp_kept kept;
} dedup;

/* ---- What is preferred ---- */

typedef enum preference { FIRST, LONGEST, NEWEST, BEST } preference;

static int read_preference(const fp_command *command, dedup *with, preference *preferred) {
    static const char *const NAMES[] = {"first", "longest", "newest"};
    const char *text = with->keep ? with->keep : NAMES[FIRST];
    for (preference p = FIRST; p < BEST; p++)
        if (strcmp(text, NAMES[ *preferred = p]) == 0) return FP_EXIT_SUCCESS;
    *preferred = BEST;
    if (strncmp(text, "best:", 5) != 0 || !text[5])
        return fp_cli_usage(command, "--keep takes first, longest, newest or best:FIELD, not %s", text);
    with->near.texts.options.name[FP_ENTRY_RANK] = text + 5;
    return FP_EXIT_SUCCESS;
}

/* What is larger is preferred; what is not known comes last. */
static double merit(const fp_gathered_text *text, int64_t time, preference preferred) {
    if (preferred == LONGEST) return text->characters;
    if (preferred == NEWEST) return time == FP_TIME_NONE ? NAN : (double)time;
    return text->rank;
}

typedef struct ranked {
    double merit; /* −INFINITY if unknown */
    uint32_t place;
} ranked;

FP_COMPARES(by_merit, ranked, FP_ORDER(b->merit, a->merit) ?: FP_ORDER(a->place, b->place));

/* The place of each text in the order of preference; NULL where that is the order of the texts. */
static fp_status rank_texts(const dedup *with, preference preferred, const uint32_t **rank, fp_error *error) {
    size_t count = with->texts.count, unknown = 0;
    *rank = NULL;
    if (preferred == FIRST) return FP_OK;
    ranked *list = FP_NEED(fp_arena_raw(with->arena, count, sizeof *list), error);
    uint32_t *places = FP_NEED(fp_arena_raw(with->arena, count, sizeof *places), error);
    for (size_t i = 0; i < count; i++) {
        double value = merit(with->texts.texts + i, with->texts.time[i], preferred);
        if (isnan(value)) unknown++;
        list[i] = (ranked){isnan(value) ? -INFINITY : value, (uint32_t)i};
    }
    if (count && unknown == count)
        return fp_fail(error, FP_ERROR_EMPTY, "no text has a \"%s\"",
                       preferred == BEST                              ? with->near.texts.options.name[FP_ENTRY_RANK]
                       : with->near.texts.options.name[FP_ENTRY_TIME] ? with->near.texts.options.name[FP_ENTRY_TIME]
                                                                      : "time");
    qsort(list, count, sizeof *list, by_merit);
    for (size_t i = 0; i < count; i++) places[list[i].place] = (uint32_t)i;
    *rank = places;
    if (unknown)
        fprintf(stderr, "fplab: %zu %s what --keep %s asks for: %s last\n", unknown,
                fp_cli_word(unknown, "text lacks", "texts lack"), with->keep,
                fp_cli_word(unknown, "it comes", "they come"));
    return FP_OK;
}

/* ---- What came out ---- */

static fp_table *dropped_table(const dedup *with) {
    fp_table *table = fp_table_new("dropped|kept|>distance|>similarity|>characters|>characters_kept", with->arena);
    const fp_arm *arm = fp_cli_near_measured(&with->near);
    for (size_t i = 0; i < with->kept.count; i++) {
        uint32_t because = with->kept.because[i];
        if (because == FP_KEPT) continue;
        fp_table_string(table, with->texts.texts[i].id);
        fp_table_string(table, with->texts.texts[because].id);
        fp_table_exact(table, with->kept.distance[i]);
        fp_table_real(table, fp_arm_similarity(arm, with->kept.distance[i]), 4);
        fp_table_count(table, with->texts.texts[i].characters);
        fp_table_count(table, with->texts.texts[because].characters);
    }
    return table;
}

static int summarise(const dedup *with) {
    if (!with->texts.count) {
        fp_cli_note("There are no texts.\n");
        fp_cli_note_left_out(with->texts.skipped);
        return FP_EXIT_SUCCESS;
    }
    const fp_kept *kept = &with->kept;
    size_t dropped = kept->count - kept->kept;
    const char *within = fp_cli_near_text(with->near.made, with->near.within, with->arena);
    fp_cli_note("Of %zu %s %zu %s kept and %zu (%.1f%%) %s dropped, each within %s of a kept one.\n", kept->count,
                fp_cli_word(kept->count, "text", "texts"), kept->kept, fp_cli_word(kept->kept, "is", "are"), dropped,
                100 * (double)dropped / (double)kept->count, fp_cli_word(dropped, "is", "are"), within);
    fp_cli_warn_empty(kept->empty, with->near.made->name);
    fp_cli_note_left_out(with->texts.skipped);
    fp_cli_note_verified(&with->near, &kept->joined);
    return fp_cli_near_expect(&with->near, kept->joined.how, kept->joined.recall, with->arena);
}

/* ---- Lines ---- */

typedef struct sorting {
    const dedup *with;
    FILE *kept, *dropped; /* `dropped` may be NULL */
} sorting;

static fp_status sort_line(void *context, size_t position, fp_string line, fp_error *error) {
    sorting *to = context;
    FILE *stream = to->with->kept.because[position] == FP_KEPT ? to->kept : to->dropped;
    if (!stream) return FP_OK;
    fwrite(line.data, 1, line.length, stream);
    fputc('\n', stream);
    return ferror(stream) ? fp_file_error(error, "standard output", "write") : FP_OK;
}

static int print_kept(const dedup *with, fp_entries *entries) {
    sorting to = {.with = with, .kept = stdout};
    fp_error error = {.line = SIZE_MAX, .byte = SIZE_MAX};
    fp_status status = fp_cli_gathered_lines(&with->texts, entries, sort_line, &to, &error);
    int flushed = fp_cli_flush();
    if (flushed != FP_EXIT_SUCCESS) return flushed;
    return status == FP_OK ? FP_EXIT_SUCCESS : fp_cli_fail(&error);
}

static fp_status sort_into(const dedup *with, fp_entries *entries, const char *kept_path, const char *dropped_path,
                           fp_error *error) {
    fp_output kept, dropped;
    FP_TRY(fp_output_open(&kept, kept_path, error));
    fp_status status = fp_output_open(&dropped, dropped_path, error);
    if (status != FP_OK) return fp_output_end(&kept, status, error);
    sorting to = {with, kept.stream, dropped.stream};
    status = fp_cli_gathered_lines(&with->texts, entries, sort_line, &to, error);
    return fp_output_end(&dropped, fp_output_end(&kept, status, error), error);
}

static fp_status save_run(const dedup *with, fp_run_content *to, fp_error *error) {
    const fp_kept *kept = &with->kept;
    const fp_run_fact facts[] = {{"arm", with->near.made->spec, 0},
                                 {"threshold", NULL, with->near.within},
                                 {"keep", with->keep ? with->keep : "first", 0},
                                 {"window", with->window ? with->window : "none", 0},
                                 {"texts", NULL, (double)kept->count},
                                 {"kept", NULL, (double)kept->kept},
                                 {"near_pairs", NULL, (double)kept->joined.pairs},
                                 {"verify", fp_cli_near_verifies(&with->near), 0},
                                 {"pairs_found", NULL, (double)kept->joined.found},
                                 {"found_by", kept->joined.how, 0},
                                 {"recall_at_threshold", NULL, kept->joined.recall},
                                 {NULL, NULL, 0}};
    return fp_run_save_facts(&(fp_run_facts){.facts = facts}, with->argument_count, with->arguments, to, error);
}

/* ---- Pairs for a person to judge ---- */

static fp_status offer_dropped(const dedup *with, fp_error *error) {
    const fp_kept *kept = &with->kept;
    for (size_t i = 0; i < kept->count; i++) {
        uint32_t because = kept->because[i];
        const fp_neighbours pair = {(uint32_t)i, because, kept->distance[i]};
        if (because != FP_KEPT) FP_TRY(fp_cli_audit_offer_near(with->audit, with->texts.texts, &pair, 1, error));
    }
    return FP_OK;
}

static fp_status offer_near(void *context, const fp_neighbours *pairs, size_t count, fp_error *error) {
    const dedup *with = context;
    return fp_cli_audit_offer_near(with->audit, with->texts.texts, pairs, count, error);
}

/* Pairs were found once to decide, those of equal fingerprints left out; here all are. */
static fp_status offer_all_near(dedup *with, fp_error *error) {
    fp_near_verify verify;
    fp_near_join join = fp_cli_near_joining(&with->near, &with->texts, with->sure, with->span, &verify);
    join.take = offer_near;
    join.context = with;
    fp_progress progress = fp_cli_progress();
    fp_near_joined joined;
    fp_status status = fp_near_join_run(&join, &progress, with->arena, &joined, error);
    fp_cli_progress_end();
    return status;
}

static bool audits_pairs(const dedup *with) { return with->audit_of && strcmp(with->audit_of, "pairs") == 0; }

static fp_status write_audit(dedup *with, fp_entries *entries, const char *place, fp_error *error) {
    const fp_cli_audit_of of = {.arm = fp_cli_near_measured(&with->near),
                                .name = "dedup",
                                .pairs = audits_pairs(with) ? "all pairs of texts within the threshold"
                                                            : "dropped texts, each with the kept text nearest to it",
                                .documents = with->kept.count,
                                .entries = entries,
                                .place = place};
    if (!with->audit) return FP_OK;
    FP_TRY(audits_pairs(with) ? offer_all_near(with, error) : offer_dropped(with, error));
    return fp_cli_audit_write(with->audit, &of, error);
}

static fp_status save(dedup *with, fp_entries *entries, fp_run_content *to, fp_error *error) {
    bool objects;
    if (!fp_entries_alike(entries, &objects))
        return fp_fail(error, FP_ERROR_RANGE,
                       "lines of text and JSON cannot be mixed in one output; --from sets their form");
    const char *ending = objects ? "jsonl" : "txt";
    const char *kept = FP_NEED(fp_format(with->arena, "%s/kept.%s", to->directory, ending), error),
               *dropped = FP_NEED(fp_format(with->arena, "%s/dropped.%s", to->directory, ending), error);
    FP_TRY(sort_into(with, entries, kept, dropped, error));
    FP_TRY(fp_run_put_table(to, "dropped", dropped_table(with), error));
    FP_TRY(write_audit(with, entries, to->directory, error));
    return save_run(with, to, error);
}

static int write_out(dedup *with, fp_entries *entries) {
    fp_run_directory run;
    fp_error error = {.line = SIZE_MAX, .byte = SIZE_MAX};
    FP_CLI_TRY(fp_cli_out_open(with->out, with->arena, &run));
    int status = save(with, entries, &run.content, &error) == FP_OK ? FP_EXIT_SUCCESS : fp_cli_out_fail(&run, &error);
    return fp_cli_out_commit(&run, status);
}

/* ---- The command ---- */

static int work(dedup *with, preference preferred, fp_entries *entries) {
    fp_error error = {.line = SIZE_MAX, .byte = SIZE_MAX};
    fp_progress progress = fp_cli_progress();
    if (fp_cli_audit_check(with->audit, entries, &error) != FP_OK) return fp_cli_fail(&error);
    FP_CLI_TRY(fp_cli_gather(&with->near, entries, with->arena, &with->texts));
    fp_near_verify verify;
    fp_near_join join = fp_cli_near_joining(&with->near, &with->texts, with->sure, with->span, &verify);
    fp_status done = rank_texts(with, preferred, &join.rank, &error);
    if (done == FP_OK) done = fp_keep(&join, &progress, with->arena, &with->kept, &error);
    fp_cli_progress_end();
    if (done != FP_OK) return fp_cli_fail(&error);
    int status;
    if (with->out) status = write_out(with, entries);
    else {
        status = with->dropped ? fp_cli_write(dropped_table(with), with->as) : print_kept(with, entries);
        if (status == FP_EXIT_SUCCESS && write_audit(with, entries, NULL, &error) != FP_OK)
            status = fp_cli_fail(&error);
    }
    return status == FP_EXIT_SUCCESS ? summarise(with) : status;
}

static int check_passages(const fp_command *command, const dedup *with) {
    const fp_cli_near *near = &with->near;
    if (with->passages < 0 || with->passages > 1 << 20)
        return fp_cli_usage(command, "--passages takes 1 to %d characters", 1 << 20);
    if (near->arm || near->threshold || near->choice || near->model || near->verify || with->keep || with->out ||
        with->window || with->recall || with->audited.pairs)
        return fp_cli_usage(command, "--passages compares characters: it goes with --dropped and with what says how "
                                     "inputs are read, and with nothing else");
    return FP_EXIT_SUCCESS;
}

static int prepare(const fp_command *command, dedup *with, preference *preferred) {
    with->sure = 0.99;
    if (with->out && with->dropped) return fp_cli_usage(command, "--dropped prints what --out writes: name one");
    if (with->audit_of && !with->audited.pairs) return fp_cli_usage(command, "--audit-of goes with --audit M");
    if (with->audit_of && !audits_pairs(with) && strcmp(with->audit_of, "dropped") != 0)
        return fp_cli_usage(command, "--audit-of takes dropped or pairs, not %s", with->audit_of);
    if (fp_cli_given("format") && !with->dropped) return fp_cli_usage(command, "--format goes with --dropped");
    if (with->passages) {
        FP_CLI_TRY(check_passages(command, with));
        return fp_cli_entries_check(command, &with->near.texts, with->arena);
    }
    FP_CLI_TRY(fp_cli_window(command, with->window, &with->span));
    FP_CLI_TRY(fp_cli_recall(command, with->recall, &with->sure));
    FP_CLI_TRY(fp_cli_audit_open(command, &with->audited, with->out, with->arena, &with->audit));
    FP_CLI_TRY(read_preference(command, with, preferred));
    FP_CLI_TRY(fp_cli_entries_check(command, &with->near.texts, with->arena));
    FP_CLI_TRY(fp_cli_near_arm(command, &with->near, with->arena));
    return fp_cli_near_verify(command, &with->near, with->arena);
}

static int run(const fp_command *command, int argc, const char **argv) {
    dedup with = {.argument_count = argc, .arguments = argv, .as = FP_FORMAT_TSV};
    fp_option options[] = {
        FP_CLI_NEAR_OPTIONS(with.near),
        FP_CLI_VERIFY_OPTION(with.near),
        {"keep", 'k', FP_TAKES_HINT(&with.keep, "first longest newest best:"),
         "first (default), longest, newest, or best:FIELD, the largest number", "WHICH"},
        {"out", 'o', FP_TAKES_TEXT(&with.out), "write the kept and the dropped texts, with the reasons, here", "DIR"},
        {"dropped", 0, FP_TAKES_FLAG(&with.dropped),
         "print the dropped texts with the reasons, instead of the kept lines", NULL},
        FP_CLI_TEXT_FIELD_OPTION(with.near.texts),
        FP_CLI_OLD_TEXT_OPTION(with.near.texts),
        FP_CLI_FORMAT_OPTION(with.as, "--dropped", "tsv"),
        {.kind = FP_OPTION_MORE},
        {"passages", 0, FP_TAKES_LONG(&with.passages),
         "instead: remove sentences that lie in spans of N characters or more that occurred before; --dropped prints the "
         "spans",
         "N"},
        {"window", 0, FP_TAKES_TEXT(&with.window), "texts further apart in time are not duplicates: 7d, 12h, 30m",
         "SPAN"},
        {"recall", 0, FP_TAKES_TEXT(&with.recall),
         "signatures (minhash): recall of pairs right at the threshold (default: 0.99)", "P"},
        FP_CLI_FORCE_OPTION,
        FP_CLI_AUDIT_OPTIONS(with.audited),
        {"audit-of", 0, FP_TAKES_TEXT(&with.audit_of),
         "--audit: dropped (default): each dropped text with the kept text nearest to it; pairs: all pairs within the "
         "threshold",
         "WHAT"},
        FP_CLI_ENTRIES_OPTIONS(with.near.texts),
        FP_CLI_PLUGIN_OPTIONS,
        {0}};
    preference preferred = FIRST;
    fp_entries *entries;
    FP_CLI_BEGIN(command, argc, argv, options, arguments, arena);
    with.arena = arena;
    FP_CLI_TRY(prepare(command, &with, &preferred));
    FP_CLI_TRY(fp_cli_entries_open(command, &with.near.texts, arguments, with.arena, &entries));
    int status = with.passages ? fp_cli_passages(entries, with.near.texts.options.name[FP_ENTRY_TEXT],
                                                 (size_t)with.passages, with.dropped ? &with.as : NULL, with.arena)
                               : work(&with, preferred, entries);
    fp_entries_close(entries);
    return status;
}

const fp_command fp_command_dedup = {
    .name = "dedup",
    .arguments = "[OPTION…] [INPUT…]",
    .summary = "keep one of each set of near-duplicate texts",
    .summary_zh = "每组近似重复的文本只留一篇",
    .introduction_zh =
        "输入是语料目录、含 id 与 text 的 JSON 对象文件（.jsonl），或每行一篇文本的文件；不给输入时读标准输入。gzip 与 Zstandard 自动解压。\n"
        "留下的行按读入时的样子输出。",
    .details = "An INPUT is a corpus directory, a file of JSON objects (.jsonl) with \"id\" and \"text\", or a file\n"
               "with a text on each line; without one standard input is read. gzip and Zstandard are unpacked.\n"
               "The lines that are kept are printed as they were read.\n"
               "\n"
               "Texts are processed in order of preference (--keep). A text is dropped only for a kept text within\n"
               "the threshold: no two kept texts are near-duplicates, and matching is not transitive. With --window,\n"
               "texts are duplicates only if their times are that close; a text without a time is then never\n"
               "dropped.\n"
               "\n"
               "The default is minhash:slots=128 at 25, verified. On newswire-zh and -en it finds 99.3% and 99.96%\n"
               "of copies with 0.3% to 1.6% of their characters changed, and merges 25% and 86% of documents that\n"
               "differ in digits alone (docs/finding.md). --verify exact keeps the features of all texts in memory,\n"
               "8 bytes or more each; --verify alignment keeps the texts.\n"
               "\n"
               "Bit fingerprints (simhash, pinyin) use tables of blocks; sets and term vectors (jaccard, cosine) use\n"
               "an inverted index: both are exact. Signatures (minhash) use bands, which miss a pair with a\n"
               "probability that is printed. --out DIR receives kept, dropped, dropped.tsv with the reasons, and\n"
               "run.json.",
    .examples = "  fplab dedup news.jsonl.gz > kept.jsonl\n"
                "  fplab dedup --arm simhash --threshold 3 news.jsonl.gz > kept.jsonl\n"
                "  fplab dedup --choice choice.json --keep longest --out cleaned news.jsonl\n"
                "  fplab dedup -a simhash -d 6 --out cleaned --audit 20 news.jsonl && fplab judge cleaned/audit.tsv\n"
                "  fplab dedup --passages 50 pages.jsonl > without-boilerplate.jsonl\n"
                "  fplab dedup -a jaccard -d 20 --dropped --format table titles.txt\n"
                "  fplab dedup -a simhash -d 3 --keep best:likes --time published --window 7d posts.jsonl",
    .run = run,
};
