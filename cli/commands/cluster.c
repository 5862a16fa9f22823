/* SPDX-License-Identifier: GPL-3.0-or-later
 * fplab cluster: connected near-duplicates. */
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "cli/audit.h"
#include "cli/commands/index/index.h"
#include "cli/near_texts.h"
#include "cli/plots.h"
#include "reports/runs/run.h"

enum { LARGEST = 20 };

typedef struct cluster {
    fp_cli_near near;
    const char *collection, *edges, *window, *recall, *out;
    bool members, pairs;
    int argument_count;
    const char **arguments;
    fp_arena *arena;
    int64_t span;
    fp_cli_audit_options audited;
    fp_cli_audit *audit; /* NULL: no audit */
    fp_entries *entries;
    double sure;
    fp_table_format as;
    fp_gathered texts;
    fp_clustered made;
    fp_cli_plots plots;
} cluster;

/* ---- Pairs for a person to judge ---- */

static fp_status offer_links(void *context, const fp_neighbours *pairs, size_t count, fp_error *error) {
    const cluster *with = context;
    return fp_cli_audit_offer_near(with->audit, with->texts.texts, pairs, count, error);
}

static fp_status write_audit(const cluster *with, const char *place, fp_error *error) {
    const fp_cli_audit_of of = {.arm = fp_cli_near_measured(&with->near),
                                .name = "cluster",
                                .pairs = with->pairs ? "all pairs of texts within the threshold"
                                                     : "links of clusters: near pairs of different fingerprints, and "
                                                       "each text with the first of its fingerprint",
                                .documents = with->texts.count,
                                .entries = with->entries,
                                .place = place};
    return fp_cli_audit_write(with->audit, &of, error);
}

/* ---- Texts in memory ---- */

static fp_table *clusters_table(const cluster *with, size_t most) {
    fp_table *table = fp_table_new("cluster|>texts|>different|weakest_a|weakest_b|>distance|>similarity", with->arena);
    for (size_t i = 0; i < with->made.cluster_count && i < most; i++) {
        const fp_cluster *of = with->made.clusters + i;
        fp_table_string(table, with->texts.texts[of->first].id);
        fp_table_count(table, of->size);
        fp_table_count(table, of->distinct);
        fp_table_string(table, with->texts.texts[of->a].id);
        fp_table_string(table, with->texts.texts[of->b].id);
        if (isinf(of->distance)) fp_table_undefined(table);
        else fp_table_exact(table, of->distance);
        fp_table_real(table, with->edges ? NAN : fp_arm_similarity(fp_cli_near_measured(&with->near), of->distance), 4);
    }
    return table;
}

/* Every text that is in a cluster of two or more, in the order of the texts. */
static fp_table *members_table(const cluster *with) {
    fp_table *table = fp_table_new("id|cluster|>texts", with->arena);
    uint32_t *size = fp_arena_alloc(with->arena, with->made.count, sizeof *size);
    for (size_t i = 0; i < with->made.cluster_count; i++)
        size[with->made.clusters[i].first] = with->made.clusters[i].size;
    for (size_t i = 0; i < with->made.count; i++) {
        uint32_t of = with->made.of[i];
        if (!size[of]) continue;
        fp_table_string(table, with->texts.texts[i].id);
        fp_table_string(table, with->texts.texts[of].id);
        fp_table_count(table, size[of]);
    }
    return table;
}

/* How many clusters there are of each size, ascending. */
static fp_table *sizes_table(const cluster *with) {
    size_t count = with->made.cluster_count;
    fp_table *table = fp_table_new(">texts|>clusters", with->arena);
    uint32_t *size = fp_arena_raw(with->arena, count + 1, sizeof *size);
    for (size_t i = 0; i < count; i++) size[i] = with->made.clusters[i].size;
    qsort(size, count, sizeof *size, fp_ascending_u32);
    for (size_t i = 0, next; i < count; i = next) {
        for (next = i + 1; next < count && size[next] == size[i];) next++;
        fp_table_count(table, size[i]);
        fp_table_count(table, next - i);
    }
    return table;
}

static size_t clustered_texts(const cluster *with) {
    size_t count = 0;
    for (size_t i = 0; i < with->made.cluster_count; i++) count += with->made.clusters[i].size;
    return count;
}

static int summarise(const cluster *with) {
    if (!with->texts.count) {
        fp_cli_note("There are no texts.\n");
        fp_cli_note_left_out(with->texts.skipped);
        return FP_EXIT_SUCCESS;
    }
    size_t together = clustered_texts(with), clusters = with->made.cluster_count;
    const char *within = fp_cli_near_text(with->near.made, with->near.within, with->arena);
    fp_cli_note("Of %zu %s %zu (%.1f%%) %s connected in %zu %s by steps of at most %s", with->made.count,
                fp_cli_word(with->made.count, "text", "texts"), together,
                100 * (double)together / (double)with->made.count, fp_cli_word(together, "is", "are"), clusters,
                fp_cli_word(clusters, "cluster", "clusters"), within);
    if (clusters) fp_cli_note("; the largest has %u", with->made.clusters[0].size);
    fp_cli_note(".\n");
    fp_cli_warn_empty(with->texts.empty_count, with->near.made->name);
    fp_cli_note_left_out(with->texts.skipped);
    fp_cli_note_verified(&with->near, &with->made.joined);
    return fp_cli_near_expect(&with->near, with->made.joined.how, with->made.joined.recall, with->arena);
}

static fp_status save_run(const cluster *with, fp_run_content *to, fp_error *error) {
    const fp_run_fact facts[] = {{"arm", with->near.made->spec, 0},
                                 {"threshold", NULL, with->near.within},
                                 {"window", with->window ? with->window : "none", 0},
                                 {"texts", NULL, (double)with->made.count},
                                 {"clusters", NULL, (double)with->made.cluster_count},
                                 {"texts_in_clusters", NULL, (double)clustered_texts(with)},
                                 {"near_pairs", NULL, (double)with->made.joined.pairs},
                                 {"verify", fp_cli_near_verifies(&with->near), 0},
                                 {"pairs_found", NULL, (double)with->made.joined.found},
                                 {"found_by", with->made.joined.how, 0},
                                 {"recall_at_threshold", NULL, with->made.joined.recall},
                                 {NULL, NULL, 0}};
    return fp_run_save_facts(&(fp_run_facts){.facts = facts}, with->argument_count, with->arguments, to, error);
}

static fp_status save(const cluster *with, fp_run_content *to, fp_error *error) {
    FP_TRY(fp_run_put_table(to, "clusters", clusters_table(with, SIZE_MAX), error));
    FP_TRY(fp_run_put_table(to, "members", members_table(with), error));
    FP_TRY(fp_run_put_table(to, "cluster-sizes", sizes_table(with), error));
    FP_TRY(write_audit(with, to->directory, error));
    return save_run(with, to, error);
}

static int write_out(cluster *with) {
    fp_run_directory run;
    fp_error error = {.line = SIZE_MAX, .byte = SIZE_MAX};
    FP_CLI_TRY(fp_cli_out_open(with->out, with->arena, &run));
    int status = save(with, &run.content, &error) == FP_OK ? FP_EXIT_SUCCESS : fp_cli_out_fail(&run, &error);
    if (status == FP_EXIT_SUCCESS) fp_cli_draw_some(&with->plots, &run);
    return fp_cli_plots_commit(&with->plots, &run, status);
}

static void show(const cluster *with) {
    fp_cli_write(with->members ? members_table(with)
                               : clusters_table(with, with->as == FP_FORMAT_TABLE ? LARGEST : SIZE_MAX),
                 with->as);
    if (!with->members && with->as == FP_FORMAT_TABLE && with->made.cluster_count > LARGEST)
        fp_cli_note("Printed are the %d largest clusters; --format tsv prints all.\n", LARGEST);
}

/* ---- Pairs, as they are found ---- */

typedef struct listing {
    cluster *with;
    fp_table *table;
    size_t count; /* pairs that were listed */
    bool full;    /* standard output is closed or full, which was reported */
} listing;

static fp_status put_pairs(void *context, const fp_neighbours *pairs, size_t count, fp_error *error) {
    listing *to = context;
    const cluster *with = to->with;
    for (size_t i = 0; i < count; i++) {
        fp_table_string(to->table, with->texts.texts[pairs[i].a].id);
        fp_table_string(to->table, with->texts.texts[pairs[i].b].id);
        fp_table_exact(to->table, pairs[i].distance);
        fp_table_real(to->table, fp_arm_similarity(fp_cli_near_measured(&with->near), pairs[i].distance), 4);
    }
    FP_TRY(offer_links(to->with, pairs, count, error));
    to->count += count;
    to->full = fp_cli_flush() != FP_EXIT_SUCCESS;
    return to->full ? fp_fail(error, FP_ERROR_IO, "standard output is closed or full") : FP_OK;
}

static fp_status join_pairs(cluster *with, listing *to, const fp_progress *progress, fp_error *error) {
    fp_near_verify verify;
    fp_near_join join = fp_cli_near_joining(&with->near, &with->texts, with->sure, with->span, &verify);
    join.take = put_pairs;
    join.context = to;
    return fp_near_join_run(&join, progress, with->arena, &with->made.joined, error);
}

static int list_pairs(cluster *with) {
    fp_error error = {.line = SIZE_MAX, .byte = SIZE_MAX};
    fp_progress progress = fp_cli_progress();
    fp_arena *row = fp_cli_arena();
    listing to = {.with = with, .table = fp_table_new("a|b|>distance|>similarity", with->arena)};
    fp_table_stream(to.table, with->as, stdout, row);
    fp_status done = join_pairs(with, &to, isatty(STDOUT_FILENO) ? NULL : &progress, &error);
    fp_cli_progress_end();
    if (done == FP_OK) fp_cli_write(to.table, with->as);
    fp_arena_free(row);
    if (done != FP_OK) return to.full ? FP_EXIT_FAILURE : fp_cli_fail(&error);
    if (write_audit(with, NULL, &error) != FP_OK) return fp_cli_fail(&error);
    if (!with->texts.count) return summarise(with);
    fp_cli_note("%zu %s %zu near-duplicate %s.\n", with->texts.count,
                fp_cli_word(with->texts.count, "text has", "texts have"), to.count,
                fp_cli_word(to.count, "pair", "pairs"));
    fp_cli_note_verified(&with->near, &with->made.joined);
    return fp_cli_near_expect(&with->near, with->made.joined.how, with->made.joined.recall, with->arena);
}

static int cluster_texts(cluster *with) {
    fp_error error = {.line = SIZE_MAX, .byte = SIZE_MAX};
    fp_progress progress = fp_cli_progress();
    if (fp_cli_audit_check(with->audit, with->entries, &error) != FP_OK) return fp_cli_fail(&error);
    FP_CLI_TRY(fp_cli_gather(&with->near, with->entries, with->arena, &with->texts));
    if (with->pairs) return list_pairs(with);
    fp_near_verify verify;
    fp_near_join join = fp_cli_near_joining(&with->near, &with->texts, with->sure, with->span, &verify);
    join.take = with->audit ? offer_links : NULL;
    join.context = with;
    fp_status done = fp_cluster_texts(&join, &progress, with->arena, &with->made, &error);
    fp_cli_progress_end();
    if (done != FP_OK) return fp_cli_fail(&error);
    int status = with->out ? write_out(with) : FP_EXIT_SUCCESS;
    if (status != FP_EXIT_SUCCESS) return status;
    show(with);
    if (!with->out && write_audit(with, NULL, &error) != FP_OK) return fp_cli_fail(&error);
    return summarise(with);
}

/* ---- Pairs that another program found ---- */

/* Texts are numbered as they come. */
typedef struct edges {
    fp_numbering ids;
    fp_arena *arena;
    fp_gathered_text *texts;
    fp_neighbours *pairs;
    size_t count, room, text_room;
} edges;

static fp_status number_text(edges *to, fp_string id, uint32_t *number, fp_error *error) {
    bool fresh;
    FP_TRY(fp_numbering_of(&to->ids, id, number, &fresh, error));
    if (!fresh) return FP_OK;
    FP_TRY(FP_ROOM(to->arena, to->texts, *number, to->text_room, error));
    to->texts[*number] = (fp_gathered_text){.id = id}; /* of the file, which stays */
    return FP_OK;
}

static fp_status take_edge(void *context, const fp_score_row *row, const char **place, fp_error *error) {
    edges *to = context;
    fp_neighbours edge = {0, 0, INFINITY}; /* not stated */
    FP_TRY(number_text(to, row->id_a, &edge.a, error));
    *place = row->id_b.data;
    FP_TRY(number_text(to, row->id_b, &edge.b, error));
    *place = row->number.data;
    if (row->number.length) FP_TRY(fp_score_number(row->number, "distance", &edge.distance, error));
    if (edge.distance < 0) return fp_fail(error, FP_ERROR_RANGE, "the distance %g is below 0", edge.distance);
    FP_TRY(FP_ROOM(to->arena, to->pairs, to->count, to->room, error));
    to->pairs[to->count++] = edge;
    return FP_OK;
}

static int cluster_edges(cluster *with) {
    fp_error error = {.line = SIZE_MAX, .byte = SIZE_MAX};
    edges read = {.ids = {.like = with->arena}, .arena = with->arena};
    fp_status status = fp_cli_pair_rows(with->edges, take_edge, &read, with->arena, &error);
    if (status == FP_OK)
        status = fp_cluster_pairs(read.pairs, read.count, read.ids.count, with->arena, &with->made, &error);
    with->texts = (fp_gathered){.count = read.ids.count, .texts = read.texts};
    fp_numbering_free(&read.ids);
    if (status != FP_OK) return fp_cli_fail(&error);
    show(with);
    fp_cli_note("%zu %s %zu texts in %zu %s.\n", read.count, fp_cli_word(read.count, "pair connects", "pairs connect"),
                clustered_texts(with), with->made.cluster_count,
                fp_cli_word(with->made.cluster_count, "cluster", "clusters"));
    return FP_EXIT_SUCCESS;
}

/* ---- The clusters of a collection, brought up to date ---- */

static fp_status put_cluster(fp_collection *collection, const fp_collection_cluster_size *of, fp_arena *scratch,
                             fp_table *table, fp_error *error) {
    fp_record record = {.id = {"", 0}, .title = {"", 0}};
    fp_arena_reset(scratch);
    fp_status status = fp_records_get(fp_collection_records(collection), of->number, false, scratch, &record, error);
    if (status != FP_OK && status != FP_ERROR_UNKNOWN) return status;
    fp_table_count(table, of->number);
    fp_table_count(table, of->size);
    fp_table_string(table, status == FP_OK ? record.id : fp_string_of("(deleted)"));
    fp_table_string(table, record.title);
    return FP_OK;
}

static fp_status put_clusters(const cluster *with, fp_collection *collection, fp_table *table, size_t *count,
                              fp_error *error) {
    fp_collection_cluster_size *list;
    FP_TRY(fp_collection_clusters(collection, with->arena, &list, count, error));
    FP_SCRATCH(scratch, NULL, error);
    size_t most = with->as == FP_FORMAT_TABLE && *count > LARGEST ? LARGEST : *count;
    for (size_t i = 0; i < most; i++) FP_TRY(put_cluster(collection, list + i, scratch, table, error));
    return FP_OK;
}

static int show_collection(cluster *with, fp_collection *collection) {
    fp_error error = {.line = SIZE_MAX, .byte = SIZE_MAX};
    fp_progress progress = fp_cli_progress();
    uint64_t joined;
    size_t count;
    FP_CLI_TRY(fp_cli_collection_near(collection, with->arena, &with->near));
    fp_table *table = fp_table_new(">cluster|>texts|oldest|title", with->arena);
    fp_status done = fp_collection_cluster(collection, with->span, &progress, &joined, &error);
    if (done == FP_OK) done = put_clusters(with, collection, table, &count, &error);
    fp_cli_progress_end();
    if (done != FP_OK) return fp_cli_fail(&error);
    fp_cli_write(table, with->as);
    fp_cli_note("%s has %zu %s of two texts and more; %llu %s new.\n", with->collection, count,
                fp_cli_word(count, "cluster", "clusters"), (unsigned long long)joined,
                fp_cli_word(joined, "join is", "joins are"));
    return fp_cli_collection_expect(collection, &with->near, with->near.within, with->arena);
}

static int cluster_collection(cluster *with) {
    fp_collection *collection;
    FP_CLI_TRY(fp_cli_collection(with->collection, true, with->arena, &collection));
    int status = show_collection(with, collection);
    fp_collection_close(collection);
    return status;
}

/* ---- The command ---- */

static int prepare(const fp_command *command, cluster *with, const char *const *arguments) {
    const fp_cli_near *near = &with->near;
    with->sure = 0.99;
    if (with->edges &&
        (with->collection || near->arm || near->threshold || near->choice || near->model || near->verify || with->out ||
         with->pairs || with->window || with->recall || with->audited.pairs || arguments[0]))
        return fp_cli_usage(command,
                            "--edges takes pairs that were found already: it goes with --members and --format");
    if (with->pairs && (with->members || with->out))
        return fp_cli_usage(command, "--pairs lists pairs, --members and --out clusters: name one");
    FP_CLI_TRY(fp_cli_window(command, with->window, &with->span));
    FP_CLI_TRY(fp_cli_recall(command, with->recall, &with->sure));
    FP_CLI_TRY(fp_cli_audit_open(command, &with->audited, with->out, with->arena, &with->audit));
    FP_CLI_TRY(fp_cli_entries_check(command, &with->near.texts, with->arena));
    if (with->edges) return FP_EXIT_SUCCESS;
    if (!with->collection) {
        FP_CLI_TRY(fp_cli_near_arm(command, &with->near, with->arena));
        return fp_cli_near_verify(command, &with->near, with->arena);
    }
    if (near->verify)
        return fp_cli_usage(command,
                            "--verify needs the features or the texts of all records, which a collection does "
                            "not keep: cluster the texts themselves, or ask with fplab query --verify alignment");
    if (near->arm || near->threshold || near->choice || near->model || with->out || with->members || with->pairs ||
        with->audit || arguments[0])
        return fp_cli_usage(command, "--collection has its own arm, threshold and texts");
    return FP_EXIT_SUCCESS;
}

static int run(const fp_command *command, int argc, const char **argv) {
    cluster with = {.argument_count = argc, .arguments = argv};
    fp_option options[] = {
        FP_CLI_NEAR_OPTIONS(with.near),
        FP_CLI_VERIFY_OPTION(with.near),
        {"collection", 'c', FP_TAKES_TEXT(&with.collection),
         "instead of texts: what `fplab index` made; updates its clusters", "COLLECTION"},
        {"members", 0, FP_TAKES_FLAG(&with.members), "print every text that is in a cluster, not the clusters", NULL},
        {"out", 'o', FP_TAKES_TEXT(&with.out), "write clusters.tsv, members.tsv, cluster-sizes.tsv and a picture here",
         "DIR"},
        FP_CLI_TEXT_FIELD_OPTION(with.near.texts),
        FP_CLI_OLD_TEXT_OPTION(with.near.texts),
        FP_CLI_FORMAT_OPTION(with.as, "how to print", "table, of the largest clusters"),
        {.kind = FP_OPTION_MORE},
        {"window", 0, FP_TAKES_TEXT(&with.window), "texts further apart in time are not joined: 7d, 12h, 30m", "SPAN"},
        {"recall", 0, FP_TAKES_TEXT(&with.recall),
         "signatures (minhash): recall of pairs right at the threshold (default: 0.99)", "P"},
        {"edges", 0, FP_TAKES_TEXT(&with.edges),
         "instead of texts: pairs that were found elsewhere, id_a, id_b and optionally a distance, tab-separated; - is standard input",
         "FILE"},
        {"pairs", 0, FP_TAKES_FLAG(&with.pairs), "print every pair of near-duplicates, as they are found", NULL},
        FP_CLI_FORCE_OPTION,
        FP_CLI_AUDIT_OPTIONS(with.audited),
        FP_CLI_PLOT_OPTIONS,
        FP_CLI_ENTRIES_OPTIONS(with.near.texts),
        FP_CLI_PLUGIN_OPTIONS,
        {0}};
    FP_CLI_BEGIN(command, argc, argv, options, arguments, arena);
    with.arena = arena;
    FP_CLI_TRY(fp_cli_plots_read(command, with.arena, &with.plots));
    FP_CLI_TRY(prepare(command, &with, arguments));
    if (with.collection) return cluster_collection(&with);
    if (with.edges) return cluster_edges(&with);
    FP_CLI_TRY(fp_cli_entries_open(command, &with.near.texts, arguments, with.arena, &with.entries));
    int status = cluster_texts(&with);
    fp_entries_close(with.entries);
    return status;
}

const fp_command fp_command_cluster = {
    .name = "cluster",
    .arguments = "[OPTION…] [INPUT…] | --collection COLLECTION | --edges FILE",
    .summary = "group near-duplicates that are connected",
    .summary_zh = "把相连的近似重复文本归为一组",
    .introduction_zh =
        "一组由阈值以内的文本对连成（单链接）：一串小步会把首尾连在一起，因此大组需要检查。表中列出每组有多少篇文本、多少个不同的指纹，\n"
        "以及最弱的一环：去掉这一对，该组就会断开。组以其第一篇文本的编号为名。输入同 fplab dedup。--pairs 改为列出全部近似重复对。",
    .details = "A cluster is connected by pairs within the threshold (single linkage): a chain of small steps joins\n"
               "distant texts, so check large clusters. For each cluster the table shows the number of texts and of\n"
               "different fingerprints, and the weakest link: the pair without which the cluster would split. The id\n"
               "of a cluster is that of its first text. INPUTs are as in `fplab dedup`. --pairs lists all pairs of\n"
               "near-duplicates instead, and keeps only the fingerprints in memory. --edges reads such a list, from\n"
               "this program or another (docs/distributed.md); the id of a cluster is then the one that comes first\n"
               "in the list.\n"
               "\n"
               "--collection clusters the texts added to a collection since the last run as well. The name of a\n"
               "cluster is the number of its oldest text. It stays when texts are added; when two clusters join, the\n"
               "older name stays.",
    .examples = "  fplab cluster --arm simhash --threshold 6 corpora/data/newswire-zh\n"
                "  fplab cluster --choice choice.json --members --format tsv news.jsonl.gz > clusters.tsv\n"
                "  fplab cluster -a jaccard -d 12.8 --window 7d --time published posts.jsonl\n"
                "  fplab cluster -a minhash -d 13 --pairs -f tsv corpora/data/newswire-zh\n"
                "  fplab cluster --edges verified.tsv --members -f tsv\n"
                "  fplab cluster --collection news.fp",
    .run = run,
};
