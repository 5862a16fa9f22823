/* SPDX-License-Identifier: GPL-3.0-or-later
 * Finds sources of texts by an index of granules, whose documents are the records by number. */
#include "index/collection/source_search.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "index/collection/collection_inside.h"

#define FACT_VOTES "votes"

/* ---- Making ---- */

/* Adds records as documents; a number without a record is a document without granules. */
typedef struct adding {
    const fp_collection *of;
    fp_votes_builder *builder;
    uint64_t next; /* the next number to add */
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

/* Indexes the records from a number on, as documents from 0. *next: one more than the last number. */
static fp_status index_records(fp_collection *of, uint64_t from, fp_arena *arena, fp_votes *votes, uint64_t *next,
                               fp_error *error) {
    FP_SCRATCH(scratch, of->arena, error);
    FP_SCRATCH(building, of->arena, error);
    adding to = {.of = of, .next = from, .scratch = scratch};
    FP_TRY(fp_votes_begin(building, &to.builder, error));
    FP_TRY(fp_records_each(of->records, from, true, add_record, &to, error));
    *next = to.next;
    return fp_votes_end(to.builder, arena, votes, error);
}

/* ---- Stored index: postings in buckets by the uppermost bits of their keys, and the number of granules of each
 * record. The fact "votes" holds the number below which records are indexed, and the number of postings. ---- */

typedef struct stored {
    fp_buckets *postings, *granules;
    fp_key_bits prefix, none;
} stored;

static void close_stored(stored *of) {
    fp_buckets_close(of->postings);
    fp_buckets_close(of->granules);
    *of = (stored){0};
}

static fp_status open_stored(const fp_collection *of, size_t postings, fp_arena *arena, stored *made, fp_error *error) {
    const fp_buckets first = {.records = of->records,
                              .first = FP_BUCKET_GRANULES,
                              .words = 1,
                              .table_count = 1,
                              .has_places = true,
                              .prefixes = &made->prefix},
                     second = {.records = of->records,
                               .first = FP_BUCKET_GRANULES + 1,
                               .table_count = 1,
                               .prefixes = &made->none};
    *made = (stored){0};
    FP_TRY(fp_bucket_prefix(postings, arena, &made->prefix, error));
    FP_TRY(fp_bucket_prefix(0, arena, &made->none, error));
    fp_status status = fp_buckets_open(&first, arena, &made->postings, error);
    if (status == FP_OK) status = fp_buckets_open(&second, arena, &made->granules, error);
    if (status != FP_OK) close_stored(made);
    return status;
}

static fp_status write_stored(const stored *to, const fp_votes *votes, fp_arena *arena, fp_error *error) {
    size_t buckets = (size_t)1 << to->prefix.bits, count = votes->posting_count;
    uint32_t *begin = FP_NEED(fp_arena_raw(arena, buckets + 1, sizeof *begin), error);
    const uint32_t all[] = {0, (uint32_t)votes->document_count};
    const fp_bucket postings = {count, votes->all.key, votes->all.document, votes->all.place},
                    granules = {votes->document_count, NULL, votes->granules, NULL};
    uint64_t bytes = 0;
    for (size_t b = 0, i = 0; b <= buckets; b++) {
        while (i < count && fp_key_bits_of(&to->prefix, votes->all.key + i) < b) i++;
        begin[b] = (uint32_t)i;
    }
    FP_TRY(fp_buckets_write(to->postings, 0, begin, &postings, &bytes, error));
    return fp_buckets_write(to->granules, 0, all, &granules, &bytes, error);
}

static fp_status replace_stored(const fp_collection *of, const fp_votes *votes, const stored *to, fp_arena *arena,
                                fp_error *error) {
    char value[64];
    snprintf(value, sizeof value, "%zu %zu", votes->document_count, votes->posting_count);
    FP_TRY(fp_records_begin(of->records, error));
    fp_status status = fp_buckets_remove(of->records, true, error);
    if (status == FP_OK) status = write_stored(to, votes, arena, error);
    if (status == FP_OK) status = fp_records_set_fact(of->records, FACT_VOTES, fp_string_of(value), error);
    return fp_records_end(of->records, status, error);
}

fp_status fp_collection_merge_sources(fp_collection *of, fp_error *error) {
    if (!of->keeps_texts || fp_records_have_keys(of->records) || fp_granules_check(of->arm, NULL) != FP_OK)
        return FP_OK;
    FP_SCRATCH(scratch, of->arena, error);
    fp_votes votes;
    stored to = {0};
    uint64_t through = 0;
    FP_TRY(index_records(of, 0, scratch, &votes, &through, error));
    fp_status status = open_stored(of, votes.posting_count, scratch, &to, error);
    if (status == FP_OK) status = replace_stored(of, &votes, &to, scratch, error);
    close_stored(&to);
    return status;
}

/* ---- Opening ---- */

/* *through and *postings are 0 if there is no index. */
static fp_status read_state(const fp_collection *of, fp_arena *arena, size_t *through, size_t *postings,
                            fp_error *error) {
    fp_string value;
    *through = *postings = 0;
    FP_TRY(fp_records_fact(of->records, FACT_VOTES, arena, &value, error));
    if (!value.data) return FP_OK;
    if (sscanf(value.data, "%zu %zu", through, postings) == 2 && *through <= UINT32_MAX && *postings <= UINT32_MAX)
        return FP_OK;
    return FP_FAIL_AT(error, FP_ERROR_SYNTAX, of->address, "damaged: its index of granules is called %.40s",
                      value.data);
}

struct fp_source_search {
    fp_collection *of;
    fp_arena *arena;
    stored stored;     /* made by a merge; else empty */
    fp_votes parts[2]; /* stored; later records, in memory */
    const fp_votes *part[2];
    size_t part_count;
    fp_ballot_room room;
    uint64_t *gone;
};

static fp_status some_of(void *context, uint64_t key, fp_vote_list *some, fp_error *error) {
    const stored *of = context;
    const fp_bucket *bucket;
    FP_TRY(fp_bucket_at(of->postings, 0, fp_key_bits_of(&of->prefix, &key), &bucket, error));
    *some = (fp_vote_list){bucket->count, bucket->words, bucket->numbers, bucket->places};
    return FP_OK;
}

/* Copies the deleted records, one bit a number, for all documents of the parts. */
static fp_status copy_gone(fp_source_search *in, size_t documents, fp_error *error) {
    size_t words = documents / 64 + 1;
    in->gone = FP_NEED(fp_arena_alloc(in->arena, words, sizeof *in->gone), error);
    size_t known = in->of->gone_words < words ? in->of->gone_words : words;
    if (known) memcpy(in->gone, in->of->gone, known * sizeof *in->gone);
    return FP_OK;
}

/* Opens the stored index. The records from *through on are not in it. */
static fp_status open_first(fp_source_search *in, uint64_t *through, fp_error *error) {
    size_t documents, postings;
    const fp_bucket *granules;
    FP_TRY(read_state(in->of, in->arena, &documents, &postings, error));
    *through = documents;
    if (documents == 0) return FP_OK;
    FP_TRY(open_stored(in->of, postings, in->arena, &in->stored, error));
    FP_TRY(fp_bucket_at(in->stored.granules, 0, 0, &granules, error));
    if (granules->count != documents)
        return FP_FAIL_AT(error, FP_ERROR_SYNTAX, in->of->address,
                          "the index of granules is damaged; `fplab index merge` makes it again");
    in->parts[0] = (fp_votes){.document_count = documents,
                              .posting_count = postings,
                              .granules = granules->numbers,
                              .some = some_of,
                              .context = &in->stored};
    in->part[in->part_count++] = in->parts;
    return FP_OK;
}

static fp_status open_parts(fp_source_search *in, fp_error *error) {
    uint64_t through, next;
    FP_TRY(open_first(in, &through, error));
    FP_TRY(fp_records_each_deleted(in->of->records, 0, fp_collection_set_gone, in->of, error));
    FP_TRY(index_records(in->of, through, in->arena, in->parts + 1, &next, error));
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
    close_stored(&search->stored);
    fp_arena_free(search->arena);
}

/* ---- Checking ---- */

/* Checks that every row is intact, and the number of postings. */
static fp_status check_stored(const stored *of, size_t postings, fp_error *error) {
    uint64_t sum = 0, count = 0;
    const fp_bucket *granules;
    FP_TRY(fp_buckets_sum(of->postings, NULL, NULL, &sum, &count, error));
    FP_TRY(fp_bucket_at(of->granules, 0, 0, &granules, error));
    uint64_t held = 0;
    for (size_t i = 0; i < granules->count; i++) held += granules->numbers[i];
    if (count == postings && held == postings) return FP_OK;
    return fp_fail(error, FP_ERROR_SYNTAX,
                   "the index of granules has %llu postings of %zu; `fplab index merge` makes it again",
                   (unsigned long long)count, postings);
}

fp_status fp_collection_check_sources(fp_collection *of, fp_error *error) {
    size_t through, postings;
    stored there;
    if (fp_records_have_keys(of->records)) return FP_OK;
    FP_TRY(read_state(of, of->arena, &through, &postings, error));
    if (through == 0) return FP_OK;
    FP_TRY(open_stored(of, postings, of->arena, &there, error));
    fp_status status = check_stored(&there, postings, error);
    close_stored(&there);
    return status;
}

/* ---- Looking up ---- */

FP_COMPARES(by_share, fp_source,
            FP_ORDER(b->alignment.share[0], a->alignment.share[0]) ?: FP_ORDER(b->hits, a->hits) ?:
            FP_ORDER(a->number, b->number));

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
    enum { LOOKED_AT = 10 }; /* some match by chance; alignment drops them */
    fp_ballot_options options = fp_ballot_defaults;
    fp_granules asked;
    fp_ballot ballot;
    const fp_alignment_text *aligned;
    *sources = NULL;
    *count = 0;
    if (search->stored.postings) fp_buckets_trim(search->stored.postings);
    options.deleted = search->gone;
    options.most = question->most > LOOKED_AT ? question->most : LOOKED_AT;
    FP_TRY(fp_granules_of(search->of->arm, text, FP_GRANULES_ASKED, arena, &asked, error));
    if (asked.count == 0) return FP_OK;
    FP_TRY(fp_ballot_hold(search->part, search->part_count, asked, &options, &search->room, arena, &ballot, error));
    FP_TRY(fp_alignment_open(text, 0, arena, &aligned, error));
    fp_source *found = FP_NEED(fp_arena_raw(arena, ballot.count, sizeof *found), error);
    for (size_t i = 0; i < ballot.count; i++) {
        FP_TRY(look_at(search, &ballot, ballot.match + i, aligned, arena, found + *count, error));
        if (found[*count].alignment.share[0] > 0 && found[*count].alignment.share[0] >= question->least) ++*count;
    }
    if (*count) qsort(found, *count, sizeof *found, by_share);
    if (*count > question->most) *count = question->most;
    *sources = found;
    return FP_OK;
}
