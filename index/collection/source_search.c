/* SPDX-License-Identifier: GPL-3.0-or-later
 * Sources of texts: an index of granules beside the store, whose documents are the records by their numbers. */
#include "index/collection/source_search.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/bytes.h"
#include "index/collection/table_kind.h"

#define FACT_VOTES "votes"

/* ---- Making ---- */

/* Records as documents: a number without a record is a document without granules. */
typedef struct adding {
    const fp_collection *of;
    fp_votes_builder *builder;
    uint64_t next; /* the number that is added next */
    fp_arena *scratch;
} adding;

static fp_status add_record(void *context, const fp_record *record, fp_error *error) {
    adding *to = context;
    fp_granules granules = {0};
    for (; to->next < record->number; to->next++) FP_TRY(fp_votes_add(to->builder, granules, error));
    fp_arena_reset(to->scratch);
    FP_TRY(fp_granules_of(to->of->arm, record->text, FP_GRANULES_STORED, to->scratch, &granules, error));
    to->next++;
    return fp_votes_add(to->builder, granules, error);
}

/* The records from a number on, numbered from 0 there; *next is the number behind the last. */
static fp_status index_records(fp_collection *of, uint64_t from, fp_arena *arena, fp_votes *votes, uint64_t *next,
                               fp_error *error) {
    adding to = {.of = of, .next = from, .scratch = fp_arena_new_like(of->arena)};
    if (!to.scratch) return fp_no_memory(error);
    fp_status status = fp_votes_begin(of->arena, &to.builder, error);
    if (status == FP_OK) {
        status = fp_records_each(of->records, from, true, add_record, &to, error);
        if (status == FP_OK) status = fp_votes_end(to.builder, arena, votes, error);
        else fp_votes_discard(to.builder);
    }
    fp_arena_free(to.scratch);
    *next = to.next;
    return status;
}

static const char *votes_path(const fp_collection *of) { return fp_format(of->arena, "%s.votes", of->address); }

static fp_status tell_store(fp_collection *of, uint64_t through, const char *path, fp_error *error) {
    fp_section_file *file;
    fp_votes votes;
    char value[64];
    FP_TRY(fp_votes_open(path, of->arena, &file, &votes, error));
    snprintf(value, sizeof value, "%llu %llx", (unsigned long long)through,
             (unsigned long long)fp_section_file_sum(file));
    fp_section_file_close(file);
    FP_TRY(fp_records_begin(of->records, error));
    FP_TRY(fp_records_set_fact(of->records, FACT_VOTES, fp_string_of(value), error));
    return fp_records_commit(of->records, error);
}

fp_status fp_collection_merge_sources(fp_collection *of, fp_error *error) {
    if (!of->keeps_texts || fp_records_have_keys(of->records) || fp_granules_check(of->arm, NULL) != FP_OK)
        return FP_OK;
    const char *path = votes_path(of), *fresh = path ? fp_format(of->arena, "%s.new", path) : NULL;
    fp_arena *scratch = fresh ? fp_arena_new_like(of->arena) : NULL;
    fp_votes votes;
    uint64_t through = 0;
    if (!scratch) return fp_no_memory(error);
    fp_status status = index_records(of, 0, scratch, &votes, &through, error);
    if (status == FP_OK) status = fp_votes_save(&votes, fresh, error);
    fp_arena_free(scratch);
    if (status == FP_OK) status = tell_store(of, through, fresh, error);
    if (status != FP_OK) unlink(fresh);
    if (status == FP_OK && rename(fresh, path) != 0) status = fp_file_error(error, path, "put in place");
    return status;
}

/* ---- Opening ---- */

/* What the store says of its index. */
typedef struct votes_state {
    unsigned long long through; /* records below it are in it; 0: there is none */
    unsigned long long sum;
} votes_state;

static fp_status read_state(const fp_collection *of, fp_arena *arena, votes_state *state, fp_error *error) {
    fp_string value;
    *state = (votes_state){0};
    FP_TRY(fp_records_fact(of->records, FACT_VOTES, arena, &value, error));
    if (!value.data) return FP_OK;
    const char *text = fp_string_copy(arena, value);
    if (!text) return fp_no_memory(error);
    if (sscanf(text, "%llu %llx", &state->through, &state->sum) != 2) state->through = 0;
    return FP_OK;
}

/* The file that the store knows; where it is another or none, why. */
static fp_status open_known(const fp_collection *of, const votes_state *state, fp_arena *arena, fp_section_file **file,
                            fp_votes *votes, fp_error *why) {
    const char *path = votes_path(of);
    *file = NULL;
    if (!path) return fp_no_memory(why);
    FP_TRY(fp_votes_open(path, arena, file, votes, why));
    if (fp_section_file_sum(*file) == state->sum && votes->document_count == state->through) return FP_OK;
    fp_section_file_close(*file);
    *file = NULL;
    return fp_fail(why, FP_ERROR_UNKNOWN, "it is not the one that the store knows");
}

struct fp_source_search {
    fp_collection *of;
    fp_arena *arena;
    fp_section_file *file; /* NULL: no index was made, or it is another */
    fp_votes parts[2];     /* of the file, and of what came since */
    const fp_votes *part[2];
    size_t part_count;
    fp_ballot_room room;
    uint64_t *gone;
};

/* Deleted records, a bit a number, for all documents of the parts. */
static fp_status copy_gone(fp_source_search *in, size_t documents, fp_error *error) {
    size_t words = documents / 64 + 1;
    in->gone = fp_arena_alloc(in->arena, words, sizeof *in->gone);
    if (!in->gone) return fp_no_memory(error);
    size_t known = in->of->gone_words < words ? in->of->gone_words : words;
    if (known) memcpy(in->gone, in->of->gone, known * sizeof *in->gone);
    return FP_OK;
}

/* What is not in the file is indexed in memory: the records from *through on. */
static fp_status open_file(fp_source_search *in, uint64_t *through, fp_error *error) {
    votes_state state;
    fp_error why;
    *through = 0;
    FP_TRY(read_state(in->of, in->arena, &state, error));
    if (state.through == 0) return FP_OK;
    fp_status status = open_known(in->of, &state, in->arena, &in->file, in->parts, &why);
    if (status == FP_ERROR_MEMORY) return fp_no_memory(error);
    if (status == FP_OK) *through = state.through;
    return FP_OK;
}

static fp_status note_gone(void *context, uint64_t number, fp_error *error) {
    return fp_collection_set_gone(context, number, error);
}

static fp_status open_parts(fp_source_search *in, fp_error *error) {
    uint64_t through, next;
    FP_TRY(open_file(in, &through, error));
    FP_TRY(fp_records_each_deleted(in->of->records, 0, note_gone, in->of, error));
    FP_TRY(index_records(in->of, through, in->arena, in->parts + 1, &next, error));
    if (in->file) in->part[in->part_count++] = in->parts;
    in->part[in->part_count++] = in->parts + 1;
    FP_TRY(copy_gone(in, next, error));
    return fp_ballot_room_open(next, in->arena, &in->room, error);
}

fp_status fp_source_search_open(fp_collection *collection, fp_source_search **search, fp_error *error) {
    *search = NULL;
    FP_TRY(fp_granules_check(collection->arm, error));
    if (!collection->keeps_texts)
        return fp_fail(error, FP_ERROR_EMPTY, "%s keeps no texts to look for sources in (build it with --keep-texts)",
                       collection->address);
    fp_arena *arena = fp_arena_new_like(collection->arena);
    fp_source_search *made = arena ? fp_arena_alloc(arena, 1, sizeof *made) : NULL;
    if (!made) {
        fp_arena_free(arena);
        return fp_no_memory(error);
    }
    made->of = collection;
    made->arena = arena;
    fp_status status = open_parts(made, error);
    if (status == FP_OK) *search = made;
    else fp_source_search_close(made);
    return status;
}

void fp_source_search_close(fp_source_search *search) {
    if (!search) return;
    fp_section_file_close(search->file);
    fp_arena_free(search->arena);
}

/* ---- Checking ---- */

/* It is the one that the store knows, and every page is as it was written. */
fp_status fp_collection_check_sources(const fp_collection *of, void (*tell)(void *context, const char *problem),
                                      void *context, uint64_t *problems, const fp_progress *progress, fp_error *error) {
    votes_state state;
    fp_section_file *file;
    fp_votes votes;
    fp_error why = {.line = SIZE_MAX, .byte = SIZE_MAX};
    char line[768];
    *problems = 0;
    if (fp_records_have_keys(of->records)) return FP_OK;
    FP_TRY(read_state(of, of->arena, &state, error));
    if (state.through == 0) return FP_OK;
    fp_status status = open_known(of, &state, of->arena, &file, &votes, &why);
    if (status == FP_ERROR_MEMORY) return fp_no_memory(error);
    if (status == FP_OK) {
        status = fp_collection_verify_file(file, "`fplab index merge` makes the index of granules again", tell, context,
                                           problems, progress, error);
        fp_section_file_close(file);
        return status;
    }
    snprintf(line, sizeof line, "the index of granules is not used (%s): `fplab index merge` makes it again",
             why.message);
    *problems = 1;
    tell(context, line);
    return FP_OK;
}

/* ---- Looking up ---- */

static int by_share(const void *left, const void *right) {
    const fp_source *a = left, *b = right;
    int order = FP_ORDER(b->alignment.share[0], a->alignment.share[0]);
    if (order == 0) order = FP_ORDER(b->hits, a->hits);
    return order ? order : FP_ORDER(a->number, b->number);
}

static fp_status look_at(fp_source_search *in, const fp_ballot *ballot, const fp_ballot_match *match,
                         const fp_alignment_text *asked, fp_arena *arena, fp_source *to, fp_error *error) {
    *to = (fp_source){.number = match->document,
                      .hits = match->hit_count,
                      .sampled = ballot->sampled,
                      .chance = match->chance,
                      .hit = match->hit};
    FP_TRY(fp_records_get(in->of->records, to->number, true, arena, &to->record, error));
    return fp_align_with(asked, to->record.text, arena, &to->alignment, error);
}

fp_status fp_sources_of(fp_source_search *search, fp_string text, const fp_source_question *question, fp_arena *arena,
                        const fp_source **sources, size_t *count, fp_error *error) {
    enum { LOOKED_AT = 10 }; /* chance lets some through, which alignment drops */
    fp_ballot_options options = fp_ballot_defaults;
    fp_granules asked;
    fp_ballot ballot;
    const fp_alignment_text *aligned;
    *sources = NULL;
    *count = 0;
    options.deleted = search->gone;
    options.most = question->most > LOOKED_AT ? question->most : LOOKED_AT;
    FP_TRY(fp_granules_of(search->of->arm, text, FP_GRANULES_ASKED, arena, &asked, error));
    if (asked.count == 0) return FP_OK;
    FP_TRY(fp_ballot_hold(search->part, search->part_count, asked, &options, &search->room, arena, &ballot, error));
    FP_TRY(fp_alignment_open(text, 0, arena, &aligned, error));
    fp_source *found = fp_arena_raw(arena, ballot.count, sizeof *found);
    if (!found) return fp_no_memory(error);
    for (size_t i = 0; i < ballot.count; i++) {
        FP_TRY(look_at(search, &ballot, ballot.match + i, aligned, arena, found + *count, error));
        if (found[*count].alignment.share[0] > 0 && found[*count].alignment.share[0] >= question->least) ++*count;
    }
    if (*count) qsort(found, *count, sizeof *found, by_share);
    if (*count > question->most) *count = question->most;
    *sources = found;
    return FP_OK;
}
