/* SPDX-License-Identifier: GPL-3.0-or-later
 * fplab query: what is near a text, in rows. */
#include "cli/commands/index/query_answers.h"

#include "base/time_text.h"
#include "text/alignment/alignment.h"

enum { AT_ONCE = 512 };

static void put_row(const fp_cli_answers *to, fp_string id, const fp_near *near, const fp_record *record,
                    uint64_t cluster) {
    char time[FP_TIME_TEXT];
    fp_time_write(record->time, time);
    fp_table_string(to->table, id);
    fp_table_string(to->table, record->id);
    fp_table_exact(to->table, near->distance);
    fp_table_real(to->table, fp_arm_similarity(to->arm, near->distance), 4);
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

static fp_status put_rows(fp_cli_answers *to, const fp_entry *entry, const fp_nears *nears, fp_error *error) {
    fp_records *records = fp_collection_records(to->collection);
    size_t told = 0;
    for (size_t i = 0; i < nears->count && (to->top == 0 || told < to->top); i++) {
        const fp_near *near = nears->found + i;
        fp_record record;
        uint64_t cluster;
        bool passes;
        fp_arena_reset(to->each);
        FP_TRY(fp_records_get(records, near->number, to->verified > 0 || to->audit, to->each, &record, error));
        if (to->window && !fp_times_within(entry->time, record.time, to->window)) continue;
        FP_TRY(verify(to, entry->text, &record, &passes, error));
        if (!passes) continue;
        FP_TRY(fp_collection_cluster_of(to->collection, near->number, &cluster, error));
        put_row(to, entry->id, near, &record, cluster);
        const fp_cli_audited pair = {
            .id = {entry->id, record.id}, .text = {entry->text, record.text}, .distance = near->distance};
        FP_TRY(fp_cli_audit_offer(to->audit, &pair, error));
        told++;
    }
    to->found += told;
    to->answered += told > 0;
    return FP_OK;
}

/* With a window, or a second round, all that is near is looked at, since who passes is known of the records alone. */
static fp_status answer_some(fp_cli_answers *to, const fp_cli_question *questions, size_t count, fp_error *error) {
    fp_sketch sketches[AT_ONCE];
    fp_nears nears[AT_ONCE];
    size_t asked = 0;
    bool filters = to->window || to->verified > 0;
    fp_arena_reset(to->scratch);
    for (size_t i = 0; i < count; i++)
        if (questions[i].says) sketches[asked++] = questions[i].sketch;
    FP_TRY(fp_collection_near_each(to->collection, sketches, asked, to->within, filters ? 0 : to->top, NULL,
                                   to->scratch, nears, error));
    asked = 0;
    for (size_t i = 0; i < count; i++)
        if (questions[i].says) FP_TRY(put_rows(to, &questions[i].entry, nears + asked++, error));
    to->texts += count;
    to->silent += count - asked;
    return FP_OK;
}

fp_status fp_cli_answer(fp_cli_answers *to, const fp_cli_question *questions, size_t count, fp_error *error) {
    for (size_t first = 0; first < count; first += AT_ONCE)
        FP_TRY(answer_some(to, questions + first, count - first < AT_ONCE ? count - first : AT_ONCE, error));
    to->full = fp_cli_flush() >= 0;
    return to->full ? fp_fail(error, FP_ERROR_IO, "standard output takes no more") : FP_OK;
}
