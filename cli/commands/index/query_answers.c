/* SPDX-License-Identifier: GPL-3.0-or-later
 * fplab query: what is near a text, in rows. */
#include "cli/commands/index/query_answers.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

#include "base/time_text.h"
#include "cli/read_entries.h"
#include "cli/streams.h"
#include "index/collection/source_search.h"
#include "index/fingerprint_lines.h"
#include "text/alignment/alignment.h"

enum { AT_ONCE = 512 };

/* `real` is written if answers are ordered by it. */
static void put_row(const fp_cli_answers *to, fp_string id, const fp_near *near, double real, const fp_record *record,
                    uint64_t cluster) {
    char time[FP_TIME_TEXT];
    fp_time_write(record->time, time);
    fp_table_string(to->table, id);
    fp_table_string(to->table, record->id);
    fp_table_exact(to->table, near->distance);
    if (to->real) fp_table_real(to->table, real, 2);
    fp_table_real(to->table, fp_arm_similarity(to->arm, to->real ? real : near->distance), 4);
    fp_table_count(to->table, cluster);
    fp_table_text(to->table, time);
    fp_table_string(to->table, record->title);
    fp_table_string(to->table, record->url);
}

/* The second round: what is near must have its share of the text. */
static fp_status verify(const fp_cli_answers *with, fp_string text, const fp_record *record, bool *passes,
                        fp_error *error) {
    fp_alignment alignment;
    *passes = true;
    if (!(with->verified > 0)) return FP_OK;
    FP_TRY(fp_align(text, record->text, 0, with->each, &alignment, error));
    *passes = alignment.share[0] >= with->verified;
    return FP_OK;
}

static fp_status put_rows(fp_cli_answers *to, const fp_cli_question *question, const fp_nears *nears, fp_error *error) {
    fp_records *records = fp_collection_records(to->collection);
    const fp_entry *entry = &question->entry;
    fp_near *found = FP_NEED(fp_arena_raw(to->scratch, nears->count, sizeof *found), error);
    double *real = FP_NEED(fp_arena_raw(to->scratch, nears->count, sizeof *real), error);
    size_t rows = 0;
    if (nears->count) memcpy(found, nears->found, nears->count * sizeof *found);
    if (to->real)
        FP_TRY(fp_collection_rank(to->collection, to->arm, question->sketch, found, nears->count, real, error));
    for (size_t i = 0; i < nears->count && (to->top == 0 || rows < to->top); i++) {
        const fp_near *near = found + i;
        fp_record record;
        uint64_t cluster;
        bool passes;
        fp_arena_reset(to->each);
        FP_TRY(fp_records_get(records, near->number, to->verified > 0 || to->audit, to->each, &record, error));
        if (to->window && !fp_times_within(entry->time, record.time, to->window)) continue;
        FP_TRY(verify(to, entry->text, &record, &passes, error));
        if (!passes) continue;
        FP_TRY(fp_collection_cluster_of(to->collection, near->number, &cluster, error));
        put_row(to, entry->id, near, to->real ? real[i] : 0, &record, cluster);
        const fp_cli_audited pair = {
            .id = {entry->id, record.id}, .text = {entry->text, record.text}, .distance = near->distance};
        FP_TRY(fp_cli_audit_offer(to->audit, &pair, error));
        rows++;
    }
    to->found += rows;
    to->answered += rows > 0;
    return FP_OK;
}

/* With a window or a second round, all near texts are examined, since only the records show which ones pass. */
static fp_status answer_some(fp_cli_answers *to, const fp_cli_question *questions, size_t count, fp_error *error) {
    fp_sketch sketches[AT_ONCE];
    fp_nears nears[AT_ONCE];
    size_t asked = 0;
    bool filters = to->window || to->verified > 0;
    size_t most = to->real && to->top ? FP_CLI_REAL_MOST(to->top) : to->top;
    fp_arena_reset(to->scratch);
    for (size_t i = 0; i < count; i++)
        if (!questions[i].sketch.empty) sketches[asked++] = questions[i].sketch;
    FP_TRY(fp_collection_near_each(to->collection, sketches, asked, to->within, filters ? 0 : most, NULL, to->scratch,
                                   nears, error));
    asked = 0;
    for (size_t i = 0; i < count; i++)
        if (!questions[i].sketch.empty) FP_TRY(put_rows(to, questions + i, nears + asked++, error));
    to->texts += count;
    to->empty += count - asked;
    return FP_OK;
}

fp_status fp_cli_answer(fp_cli_answers *to, const fp_cli_question *questions, size_t count, fp_error *error) {
    for (size_t first = 0; first < count; first += AT_ONCE)
        FP_TRY(answer_some(to, questions + first, count - first < AT_ONCE ? count - first : AT_ONCE, error));
    to->full = fp_cli_flush() != FP_EXIT_SUCCESS;
    return to->full ? fp_fail(error, FP_ERROR_IO, "standard output is closed or full") : FP_OK;
}

/* ---- fplab query --fingerprints: questions that are fingerprints already ---- */

enum { PRINTS_AT_ONCE = 4096 };

typedef struct gathering {
    fp_cli_answers *to;
    const fp_entries_options *options;
    size_t words;
    fp_arena *arena;          /* of those that wait */
    fp_cli_question *waiting; /* [PRINTS_AT_ONCE] */
    size_t count;
} gathering;

static fp_status answer_prints(void *context, fp_error *error) {
    gathering *from = context;
    size_t count = from->count;
    from->count = 0;
    fp_status status = count ? fp_cli_answer(from->to, from->waiting, count, error) : FP_OK;
    fp_arena_reset(from->arena);
    return status;
}

/* As the lines of texts are called. */
static fp_string name_of(const gathering *from, const fp_fingerprint_line *line) {
    const char *prefix = from->options->prefix, *name;
    if (line->id.length) name = fp_string_copy(from->arena, line->id);
    else if (prefix) name = fp_format(from->arena, "%s%zu", prefix, line->line);
    else name = fp_format(from->arena, "%s:%zu", line->file, line->line);
    return name ? fp_string_of(name) : (fp_string){0};
}

static fp_status take(void *context, const fp_fingerprint_line *line, fp_error *error) {
    gathering *from = context;
    uint64_t *words = FP_NEED(fp_arena_raw(from->arena, from->words, sizeof *words), error);
    for (size_t i = 0; i < from->words; i++) words[i] = line->words[i];
    from->waiting[from->count++] = (fp_cli_question){
        .entry = {.id = name_of(from, line), .time = FP_TIME_NONE},
        .sketch = {words, from->words * sizeof *words},
    };
    if (!from->waiting[from->count - 1].entry.id.data) return fp_no_memory(error);
    return from->count == PRINTS_AT_ONCE ? answer_prints(from, error) : FP_OK;
}

static bool leave_out(void *context, const fp_error *error) {
    gathering *from = context;
    if (!from->options->skip_bad) return false;
    fprintf(stderr, "fplab: left out: %s:%zu: %s\n", error->file, error->line, error->message);
    from->to->skipped++;
    return true;
}

fp_status fp_cli_answer_fingerprints(fp_cli_answers *to, const fp_entries_options *options, const char *const *inputs,
                                     fp_arena *arena, fp_error *error) {
    static const char *const STREAM[] = {"-", NULL};
    const fp_layout *layout = fp_arm_layout(fp_collection_stored(to->collection));
    FP_SCRATCH(scratch, NULL, error);
    gathering from = {.to = to,
                      .options = options,
                      .words = layout->bytes / sizeof(uint64_t),
                      .arena = scratch,
                      .waiting = FP_NEED(fp_arena_alloc(arena, PRINTS_AT_ONCE, sizeof *from.waiting), error)};
    const fp_fingerprint_lines how = {
        .bits = (unsigned)layout->bits, .take = take, .pause = answer_prints, .leave_out = leave_out, .context = &from};
    if (!inputs[0]) {
        fp_cli_await("fingerprints, one a line,");
        inputs = STREAM;
    }
    for (; *inputs; inputs++) FP_TRY(fp_fingerprint_lines_read(*inputs, &how, arena, error));
    return FP_OK;
}

/* ---- fplab query --sources and --containment: where texts were copied from, in whole or in part, and which contain
 * them ---- */

typedef struct asking {
    const fp_cli_asking *with;
    fp_source_search *search;
    fp_source_question question;
    fp_containment_search contained; /* or this */
    fp_table *table;
    fp_arena *scratch, *row;
    size_t texts, answered, rows;
    bool full;
} asking;

/* ---- Answers ---- */

static void put_passages(asking *to, const fp_alignment *alignment) {
    enum { MOST = 16 };
    const char *text = "";
    for (size_t i = 0; text && i < alignment->count && i < MOST; i++) {
        const fp_passage *passage = alignment->passages + i;
        text = fp_format(to->scratch, "%s%s%zu-%zu=%zu-%zu", text, i ? "," : "", passage->from[0], passage->to[0],
                         passage->from[1], passage->to[1]);
    }
    fp_table_text(to->table, text);
}

static void put_granules(asking *to, const fp_source *source) {
    enum { MOST = 16 };
    const char *text = "";
    for (size_t i = 0; text && i < source->hits && i < MOST; i++)
        text = fp_format(to->scratch, "%s%s%u-%u=%u", text, i ? "," : "", source->hit[i].from, source->hit[i].to,
                         source->hit[i].place);
    fp_table_text(to->table, text);
}

static void put_source_row(asking *to, fp_string id, const fp_source *source) {
    fp_table_string(to->table, id);
    fp_table_string(to->table, source->record.id);
    fp_table_real(to->table, source->alignment.share[0], 3);
    fp_table_count(to->table, source->alignment.same);
    fp_table_count(to->table, source->hits);
    fp_table_count(to->table, source->sampled);
    fp_table_real(to->table, source->chance, 3);
    put_passages(to, &source->alignment);
    if (to->with->as != FP_FORMAT_TABLE) put_granules(to, source);
    fp_table_string(to->table, source->record.title);
}

static fp_status answer_contained(asking *to, fp_string id, fp_string text, fp_error *error) {
    const fp_container *found;
    size_t count, size;
    FP_TRY(fp_containers_of(&to->contained, text, to->scratch, &found, &count, &size, error));
    if (to->with->top && count > to->with->top) count = to->with->top;
    to->answered += count > 0;
    to->rows += count;
    for (size_t i = 0; i < count; i++) {
        fp_record record;
        FP_TRY(fp_records_get(fp_collection_records(to->with->collection), found[i].number, false, to->scratch, &record,
                              error));
        fp_table_string(to->table, id);
        fp_table_string(to->table, record.id);
        fp_table_real(to->table, (double)found[i].shared / (double)size, 3);
        fp_table_count(to->table, found[i].shared);
        fp_table_count(to->table, size);
        fp_table_count(to->table, found[i].size);
        fp_table_string(to->table, record.title);
        fp_table_string(to->table, record.url);
    }
    return FP_OK;
}

static fp_status answer(asking *to, fp_string id, fp_string text, fp_error *error) {
    const fp_source *sources;
    size_t count;
    fp_arena_reset(to->scratch);
    if (to->with->contained) return answer_contained(to, id, text, error);
    FP_TRY(fp_sources_of(to->search, text, &to->question, to->scratch, &sources, &count, error));
    to->texts++;
    to->answered += count > 0;
    for (size_t i = 0; i < count; i++) put_source_row(to, id, sources + i);
    return FP_OK;
}

static fp_status answer_all(asking *to, fp_error *error) {
    fp_entries *entries = to->with->entries;
    fp_text_batch batch = {.count = 1};
    if (!entries) return answer(to, fp_string_of("text"), to->with->text, error);
    fp_text_source source = fp_entries_source(entries);
    while (batch.count) {
        FP_TRY(source.next(source.context, &batch, error));
        for (size_t i = 0; i < batch.count; i++) {
            const fp_entry *entry = fp_entries_at(entries, batch.first + i);
            FP_TRY(answer(to, entry->id, entry->text, error));
        }
        to->full = fp_cli_flush() != FP_EXIT_SUCCESS;
        if (to->full) return fp_fail(error, FP_ERROR_IO, "standard output is closed or full");
    }
    return FP_OK;
}

/* ---- The work ---- */

static fp_status open_all(asking *to, fp_error *error) {
    const fp_cli_asking *with = to->with;
    to->scratch = fp_cli_arena();
    to->row = fp_cli_arena();
    to->table =
        FP_NEED(fp_table_new(with->contained ? "text|found|>containment|>shared|>asked|>features|title|url"
                             : with->as == FP_FORMAT_TABLE
                                 ? "text|source|>share|>characters|>hits|>asked|>chance|passages|title"
                                 : "text|source|>share|>characters|>hits|>asked|>chance|passages|granules|title",
                             with->arena),
                error);
    fp_table_stream(to->table, with->as, stdout, to->row);
    if (with->contained) return fp_containment_open(with->collection, with->contained, &to->contained, error);
    return fp_source_search_open(with->collection, &to->search, error);
}

static void note_sources(const asking *to) {
    fp_cli_note(
        "Of %zu %s %zu %s a passage in common with a text of the collection (%g%% of the text asked about, or more).\n",
        to->texts, fp_cli_word(to->texts, "text", "texts"), to->answered, fp_cli_word(to->answered, "has", "have"),
        100 * to->with->least);
}

static void note_contained(const asking *to) {
    const fp_containment_search *with = &to->contained;
    double asked = (double)(with->asked - with->empty), share = 100 / asked / (double)with->sketches.count;
    fp_cli_note("Of %zu %s %zu %s contained in a text of the collection (%g%% of the features, or more): %zu in all.\n",
                with->asked, fp_cli_word(with->asked, "text", "texts"), to->answered,
                fp_cli_word(to->answered, "is", "are"), 100 * with->spec.least, to->rows);
    fp_cli_warn_empty(with->empty, "the arm");
    if (share < INFINITY)
        fp_cli_note("LSH Ensemble, %lld partitions by size: at that share a text is found with probability %.3f or "
                    "more. On average %.2f%% of %zu texts were candidates, and %.1f were compared exactly.\n",
                    (long long)with->spec.partitions, with->recall, share * (double)(with->candidates + with->scanned),
                    with->sketches.count, (double)with->compared / asked);
    if (with->scanned)
        fp_cli_note("%.2f%% of the texts are so much longer than the one asked about that no bands find them: all of "
                    "these were candidates. More slots leave fewer.\n",
                    share * (double)with->scanned);
    if (with->sized)
        fp_cli_note("The features of %zu %s were counted first; `fplab index merge` stores the counts.\n", with->sized,
                    fp_cli_word(with->sized, "text", "texts"));
}

int fp_cli_ask(const fp_cli_asking *with) {
    asking to = {.with = with, .question = {with->top ? with->top : 1, with->least}};
    fp_error error = {.line = SIZE_MAX, .byte = SIZE_MAX};
    fp_status done = open_all(&to, &error);
    if (done == FP_OK) done = answer_all(&to, &error);
    int status = done == FP_OK ? fp_cli_write(to.table, with->as) : to.full ? FP_EXIT_FAILURE : fp_cli_fail(&error);
    if (status == FP_EXIT_SUCCESS && with->contained) note_contained(&to);
    else if (status == FP_EXIT_SUCCESS) note_sources(&to);
    fp_source_search_close(to.search);
    fp_containment_close(&to.contained);
    fp_arena_free(to.scratch);
    fp_arena_free(to.row);
    return status;
}
