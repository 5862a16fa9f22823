/* SPDX-License-Identifier: GPL-3.0-or-later
 * fplab query --sources: where texts were copied from, in whole or in part. */
#include <unistd.h>

#include "cli/commands/index/index.h"
#include "cli/streams.h"
#include "index/collection/source_search.h"

typedef struct asking {
    const fp_cli_asking *with;
    fp_source_search *search;
    fp_source_question question;
    fp_table *table;
    fp_arena *scratch, *row;
    size_t texts, answered;
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

static void put_row(asking *to, fp_string id, const fp_source *source) {
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

static fp_status answer(asking *to, fp_string id, fp_string text, fp_error *error) {
    const fp_source *sources;
    size_t count;
    fp_arena_reset(to->scratch);
    FP_TRY(fp_sources_of(to->search, text, &to->question, to->scratch, &sources, &count, error));
    to->texts++;
    to->answered += count > 0;
    for (size_t i = 0; i < count; i++) put_row(to, id, sources + i);
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
        to->full = fp_cli_flush() >= 0;
        if (to->full) return fp_fail(error, FP_ERROR_IO, "standard output takes no more");
    }
    return FP_OK;
}

/* ---- The work ---- */

static fp_status open_all(asking *to, fp_error *error) {
    const fp_cli_asking *with = to->with;
    to->scratch = fp_arena_new();
    to->row = fp_arena_new();
    to->table = fp_table_new(with->as == FP_FORMAT_TABLE
                                 ? "text|source|>share|>characters|>hits|>asked|>chance|passages|title"
                                 : "text|source|>share|>characters|>hits|>asked|>chance|passages|granules|title",
                             with->arena);
    if (!to->scratch || !to->row || !to->table) return fp_no_memory(error);
    fp_table_stream(to->table, with->as, stdout, to->row);
    return fp_source_search_open(with->collection, &to->search, error);
}

int fp_cli_ask_sources(const fp_cli_asking *with) {
    asking to = {.with = with, .question = {with->top ? with->top : 1, with->least}};
    fp_error error = {.line = SIZE_MAX, .byte = SIZE_MAX};
    fp_status done = open_all(&to, &error);
    if (done == FP_OK) done = answer_all(&to, &error);
    int status = done == FP_OK ? fp_cli_write(to.table, with->as) : to.full ? FP_EXIT_FAILURE : fp_cli_fail(&error);
    if (status == FP_EXIT_SUCCESS)
        fp_cli_note(
            "Of %zu %s %zu %s a passage in common with a text of the collection (%g%% of the text asked about, or more).\n",
            to.texts, fp_cli_word(to.texts, "text", "texts"), to.answered, fp_cli_word(to.answered, "has", "have"),
            100 * with->least);
    fp_source_search_close(to.search);
    fp_arena_free(to.scratch);
    fp_arena_free(to.row);
    return status;
}
