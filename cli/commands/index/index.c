/* SPDX-License-Identifier: GPL-3.0-or-later
 * fplab index: fingerprints kept to look others up among them. */
#include "cli/commands/index/index.h"
#include "index/collection/containment.h"

#include <string.h>

#include "index/collection/near_join.h"

/* ---- The parts ---- */

typedef struct index_options {
    fp_cli_adding adding;
    const char *ids, *before;
    fp_table_format format;
} index_options;

static int build(const fp_command *command, index_options *chosen, const char *const *inputs) {
    fp_cli_adding *adding = &chosen->adding;
    FP_CLI_TRY(fp_cli_adding_check(adding));
    FP_CLI_TRY(fp_cli_near_arm(command, &adding->near, adding->arena));
    int status = fp_cli_add(adding, inputs);
    if (status != FP_EXIT_SUCCESS) return status;
    return fp_cli_collection_expect(adding->collection, &adding->near, adding->near.within, adding->arena);
}

static int add(const fp_command *command, index_options *chosen, const char *const *inputs) {
    fp_cli_adding *adding = &chosen->adding;
    const fp_cli_near *near = &adding->near;
    if (adding->recall) return fp_cli_usage(command, "--recall goes with build; %s has its own", adding->address);
    if (near->arm || near->threshold || near->choice || near->model)
        return fp_cli_usage(command, "add: %s has its own arm and threshold", adding->address);
    FP_CLI_TRY(fp_cli_adding_check(adding));
    FP_CLI_TRY(fp_cli_collection(adding->address, true, adding->arena, &adding->collection));
    FP_CLI_TRY(fp_cli_collection_near(adding->collection, adding->arena, &adding->near));
    return fp_cli_add(adding, inputs);
}

static fp_status delete_one(fp_collection *collection, fp_string id, bool skip, size_t *deleted, fp_error *error) {
    fp_status status = fp_collection_delete(collection, id, error);
    if (status == FP_ERROR_UNKNOWN && skip) {
        fprintf(stderr, "fplab: %s\n", error->message);
        return FP_OK;
    }
    *deleted += status == FP_OK;
    return status;
}

/* Ids of records that are older than a moment. */
typedef struct old_ones {
    int64_t before;
    fp_arena *arena;
    fp_string *ids; /* grows in the arena */
    size_t count, room;
} old_ones;

static fp_status note_old(void *context, const fp_record *record, fp_error *error) {
    old_ones *to = context;
    if (record->time == FP_TIME_NONE || record->time >= to->before) return FP_OK;
    FP_TRY(FP_ROOM(to->arena, to->ids, to->count, to->room, error));
    const char *id = FP_NEED(fp_string_copy(to->arena, record->id), error);
    to->ids[to->count++] = (fp_string){id, record->id.length};
    return FP_OK;
}

/* What has left the window that somebody looks back through. */
static fp_status find_old(const index_options *chosen, old_ones *old, fp_error *error) {
    if (!chosen->before) return FP_OK;
    return fp_records_each(fp_collection_records(chosen->adding.collection), 0, false, note_old, old, error);
}

static fp_status delete_all(const index_options *chosen, const old_ones *old, const char *const *ids, size_t *deleted,
                            fp_error *error) {
    fp_collection *collection = chosen->adding.collection;
    bool skip = chosen->adding.near.texts.options.skip_bad;
    fp_string list, line;
    for (size_t i = 0; i < old->count; i++) FP_TRY(delete_one(collection, old->ids[i], false, deleted, error));
    for (; *ids; ids++) FP_TRY(delete_one(collection, fp_string_of(*ids), skip, deleted, error));
    if (!chosen->ids) return FP_OK;
    FP_TRY(fp_read_file_within(chosen->ids, fp_cli_most_bytes(), chosen->adding.arena, &list, error));
    while (fp_next_line(&list, &line))
        if (line.length) FP_TRY(delete_one(collection, line, skip, deleted, error));
    return FP_OK;
}

static int delete (const fp_command *command, index_options *chosen, const char *const *ids) {
    fp_cli_adding *adding = &chosen->adding;
    fp_error error = {.line = SIZE_MAX, .byte = SIZE_MAX};
    size_t deleted = 0;
    if (!*ids && !chosen->ids && !chosen->before)
        return fp_cli_usage(command,
                            "delete: no record given; name ids, a file of them with --ids, or a time with --before");
    old_ones old = {.arena = adding->arena};
    if (chosen->before && fp_time_parse(fp_string_of(chosen->before), &old.before, &error) != FP_OK)
        return fp_cli_usage(command, "--before: %s", error.message);
    FP_CLI_TRY(fp_cli_collection(adding->address, true, adding->arena, &adding->collection));
    fp_status done = find_old(chosen, &old, &error);
    if (done == FP_OK) done = fp_collection_begin(adding->collection, &error);
    if (done == FP_OK) {
        done = delete_all(chosen, &old, ids, &deleted, &error);
        if (done == FP_OK) done = fp_collection_commit(adding->collection, &error);
        else fp_collection_abort(adding->collection);
    }
    if (done != FP_OK) return fp_cli_fail(&error);
    fp_cli_note("%zu %s deleted from %s.\n", deleted, fp_cli_word(deleted, "text was", "texts were"), adding->address);
    return FP_EXIT_SUCCESS;
}

static int stats(const fp_command *command, index_options *chosen, const char *const *rest) {
    fp_cli_adding *adding = &chosen->adding;
    if (*rest) return fp_cli_usage(command, "stats: unexpected argument %s", *rest);
    FP_CLI_TRY(fp_cli_collection(adding->address, false, adding->arena, &adding->collection));
    return fp_cli_collection_stats(adding->collection, chosen->format, adding->arena);
}

static void print_problem(void *context, const char *problem) {
    (void)context;
    printf("%s\n", problem);
}

static int check(const fp_command *command, index_options *chosen, const char *const *rest) {
    fp_cli_adding *adding = &chosen->adding;
    fp_error error = {.line = SIZE_MAX, .byte = SIZE_MAX};
    uint64_t problems;
    if (*rest) return fp_cli_usage(command, "check: unexpected argument %s", *rest);
    fp_status done = fp_collection_check_store(adding->address, print_problem, NULL, &problems, &error);
    if (done == FP_OK && problems == 0) {
        FP_CLI_TRY(fp_cli_collection(adding->address, false, adding->arena, &adding->collection));
        done = fp_collection_check(adding->collection, print_problem, NULL, &problems, &error);
    }
    if (done != FP_OK) return fp_cli_fail(&error);
    if (problems == 0) fp_cli_note("%s: no damage found.\n", adding->address);
    else fprintf(stderr, "%llu problems in %s\n", (unsigned long long)problems, adding->address);
    return problems ? FP_EXIT_FAILURE : FP_EXIT_SUCCESS;
}

static int merge_shards(index_options *chosen, const char *const *others, uint64_t *taken) {
    fp_error error = {.line = SIZE_MAX, .byte = SIZE_MAX};
    for (*taken = 0; *others; others++) {
        fp_collection *other;
        uint64_t count;
        FP_CLI_TRY(fp_cli_collection(*others, false, chosen->adding.arena, &other));
        fp_status done = fp_collection_take(chosen->adding.collection, other, &count, &error);
        fp_collection_close(other);
        if (done != FP_OK) {
            fprintf(stderr, "fplab: nothing was merged from %s\n", *others);
            return fp_cli_fail(&error);
        }
        *taken += count;
    }
    return FP_EXIT_SUCCESS;
}

static int merge(const fp_command *command, index_options *chosen, const char *const *others) {
    fp_cli_adding *adding = &chosen->adding;
    fp_error error = {.line = SIZE_MAX, .byte = SIZE_MAX};
    fp_progress progress = fp_cli_progress();
    uint64_t taken;
    (void)command;
    FP_CLI_TRY(fp_cli_collection(adding->address, true, adding->arena, &adding->collection));
    FP_CLI_TRY(merge_shards(chosen, others, &taken));
    fp_status done = fp_collection_merge(adding->collection, &progress, &error);
    /* Reads every text, for which nobody waits here: merges in between leave it out. */
    if (done == FP_OK) done = fp_containment_keep_sizes(adding->collection, &error);
    fp_cli_progress_end();
    if (done != FP_OK) return fp_cli_fail(&error);
    fp_collection_state state;
    if (fp_collection_state_of(adding->collection, &state, &error) != FP_OK) return fp_cli_fail(&error);
    if (taken) fp_cli_note("%llu texts were taken from other collections.\n", (unsigned long long)taken);
    fp_cli_note("%llu fingerprints are in the tables of %s (%s).\n", (unsigned long long)state.in_tables,
                adding->address, *state.design ? state.design : "none");
    return FP_EXIT_SUCCESS;
}

/* ---- The command ---- */

enum { MOST_NAMED = 4 };

/* `takes`: the options that are named, and no others; else all others. */
static const struct {
    const char *name;
    int (*run)(const fp_command *command, index_options *chosen, const char *const *rest);
    bool takes;
    const char *options[MOST_NAMED];
} PARTS[] = {{"build", build, false, {"ids", "before", "format"}},
             {"add", add, false, {"ids", "before", "format"}},
             {"delete", delete, true, {"ids", "before", "skip-bad"}},
             {"stats", stats, true, {"format"}},
             {"check", check, true, {0}},
             {"merge", merge, true, {0}}};

static int dispatch(const fp_command *command, index_options *chosen, const fp_option *options,
                    const char **arguments) {
    if (!arguments[0])
        return fp_cli_usage(command, "no action given; give one of build, add, delete, stats, check or merge");
    for (size_t i = 0; i < sizeof PARTS / sizeof *PARTS; i++) {
        if (strcmp(arguments[0], PARTS[i].name) != 0) continue;
        if (!arguments[1])
            return fp_cli_usage(command, "%s: no collection given; make one with `fplab index build`", arguments[0]);
        chosen->adding.address = arguments[1];
        FP_CLI_TRY(fp_cli_only(command, PARTS[i].name, options, PARTS[i].takes, PARTS[i].options));
        int status = PARTS[i].run(command, chosen, arguments + 2);
        if (chosen->adding.collection) fp_collection_close(chosen->adding.collection);
        return status;
    }
    return fp_cli_usage(command, "build, add, delete, stats, check or merge, not %s", arguments[0]);
}

static int run(const fp_command *command, int argc, const char **argv) {
    index_options chosen = {.adding = {.command = command}};
    fp_cli_adding *adding = &chosen.adding;
    fp_option options[] = {
        FP_CLI_NEAR_OPTIONS(adding->near),
        FP_CLI_TEXT_FIELD_OPTION(adding->near.texts),
        FP_CLI_OLD_TEXT_OPTION(adding->near.texts),
        FP_CLI_FORMAT_OPTION(chosen.format, "stats", "table"),
        {.kind = FP_OPTION_MORE},
        {"recall", 0, FP_TAKES_TEXT(&adding->recall),
         "build, signatures (minhash): probability that a text at exactly the threshold is found (default: 0.99)", "P"},
        {"keep-texts", 0, FP_TAKES_FLAG(&adding->keeps_texts), "build: keep the texts, for common passages", NULL},
        {"shard", 0, FP_TAKES_TEXT(&adding->shard), "build, add: only texts of this part, by their ids: 2/8",
         "NUMBER/COUNT"},
        FP_CLI_EXISTING_OPTION(adding->existing),
        {"acknowledge", 0, FP_TAKES_FLAG(&adding->acknowledges), "build, add: print each id when it is on the disk",
         NULL},
        {"ids", 0, FP_TAKES_TEXT(&chosen.ids), "delete: the ids in this file, one a line", "FILE"},
        {"before", 0, FP_TAKES_TEXT(&chosen.before), "delete: all records older than this time, such as 2024-05-01",
         "TIME"},
        FP_CLI_ENTRIES_OPTIONS(adding->near.texts),
        FP_CLI_PLUGIN_OPTIONS,
        {0}};
    FP_CLI_BEGIN(command, argc, argv, options, arguments, arena);
    adding->arena = arena;
    return dispatch(command, &chosen, options, arguments);
}

const fp_command fp_command_index = {
    .name = "index",
    .arguments = "build | add | delete | stats | check | merge COLLECTION [OPTION…] [INPUT…]",
    .summary = "keep fingerprints, to find near-duplicates among millions",
    .summary_zh = "保存指纹，以便在海量文本中查询",
    .introduction_zh =
        "指纹库是一个文件，或一个 Redis 数据库：redis://:密码@主机:端口/库?name=名称。其中有每篇文本的记录（编号、指纹、标题、网址、来源、\n"
        "时间、所属的组）、方案及其学到的内容，以及阈值。查询借助索引表，不必逐条扫描：位指纹一个不漏，签名（minhash）以 --recall 的概率找到。",
    .details =
        "A COLLECTION is a file, or a Redis database: redis://:password@host:port/db?name=NAME. It holds a\n"
        "record of each text (id, fingerprint, title, url, source, time, cluster), the arm, its model, and\n"
        "the threshold. Tables find the fingerprints within the threshold without a linear scan: all of them\n"
        "for bits; for signatures (minhash) with probability --recall, which is printed (1: no tables, a\n"
        "linear scan). In Redis, lists by block replace the tables.\n"
        "\n"
        "build makes a collection of the INPUTs: a corpus directory, a file of JSON objects (.jsonl) with\n"
        "\"id\" and \"text\", a file with a text on each line, or standard input. add adds texts, delete removes\n"
        "them by id or by age, stats prints what the collection contains, check compares everything with its\n"
        "checksums, and merge adds other collections of the same arm and rebuilds the tables. Records added\n"
        "since the last merge are scanned linearly; add merges when there are many. A file can be added\n"
        "again: a text whose id and text are there is skipped. Texts are compared by fingerprint and number\n"
        "of characters, and, if the collection keeps them, byte by byte.\n"
        "\n"
        "A build or an add that is killed at any moment keeps all that was acknowledged, and nothing in part.\n"
        "With --shard, independent machines build parts for merge to join.",
    .examples = "  fplab index build news.fp --choice choice.json --keep-texts news.jsonl.gz\n"
                "  fplab index build titles.fp --arm simhash --threshold 3 titles.txt\n"
                "  tail -f today.jsonl | fplab index add news.fp --from jsonl --acknowledge\n"
                "  fplab index delete news.fp 2024-05-01-17\n"
                "  fplab index delete news.fp --before 2024-05-01\n"
                "  fplab index stats news.fp\n"
                "  fplab index build part2.fp -a simhash -d 3 --shard 2/8 pages.jsonl.zst\n"
                "  fplab index merge part1.fp part2.fp part3.fp",
    .run = run,
};
