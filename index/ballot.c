/* SPDX-License-Identifier: GPL-3.0-or-later
 * Votes: sampled, looked up, counted, ranked, cut off. */
#include "index/ballot.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>

#include "base/bytes.h"

const fp_ballot_options fp_ballot_defaults = {.all_up_to = 256, .stop_share = 0.05, .chance = 1, .most = 10};

size_t fp_ballot_sample(size_t granules, size_t all_up_to) {
    if (granules <= all_up_to) return granules;
    return all_up_to + (size_t)sqrt((double)all_up_to * (double)(granules - all_up_to));
}

fp_status fp_ballot_room_open(size_t documents, fp_arena *arena, fp_ballot_room *room, fp_error *error) {
    *room = (fp_ballot_room){fp_arena_alloc(arena, documents, sizeof *room->hits), documents};
    return room->hits ? FP_OK : fp_no_memory(error);
}

/* ---- Looking up ---- */

/* A key that is asked for. */
typedef struct voter {
    uint64_t order; /* the sample takes the smallest */
    fp_granule granule;
    size_t frequency; /* documents that have it */
} voter;

typedef struct polling {
    const fp_votes *const *parts;
    size_t part_count;
    size_t documents, postings; /* of all parts */
    fp_ballot_options options;
    voter *voter; /* [sampled] */
    size_t sampled;
    size_t for_one; /* fp_granules.for_one */
    double votes;   /* Σ frequency */
    fp_ballot_room *room;
    fp_arena *arena;
} polling;

static int by_place_of_key(const void *left, const void *right) {
    const voter *a = left, *b = right;
    return a->order != b->order ? FP_ORDER(a->order, b->order) : FP_ORDER(a->granule.from, b->granule.from);
}

static fp_status count_documents(const polling *in, voter *one, fp_error *error) {
    fp_vote_list list;
    one->frequency = 0;
    for (size_t p = 0; p < in->part_count; p++) {
        FP_TRY(fp_votes_find(in->parts[p], one->granule.key, &list, error));
        one->frequency += list.count;
    }
    return FP_OK;
}

/* The different granules in the order of sampling, each where it first stands; then those that are asked for. Mixing is
 * one to one, so equal orders are equal keys. */
static fp_status sample(polling *in, fp_granules asked, fp_ballot *out, fp_error *error) {
    in->voter = FP_NEED(fp_arena_raw(in->arena, asked.count, sizeof *in->voter), error);
    for (size_t i = 0; i < asked.count; i++) in->voter[i] = (voter){fp_mix(asked.at[i].key, 1), asked.at[i], 0};
    if (asked.count) qsort(in->voter, asked.count, sizeof *in->voter, by_place_of_key);
    for (size_t i = 0; i < asked.count; i++)
        if (!out->different || in->voter[out->different - 1].order != in->voter[i].order)
            in->voter[out->different++] = in->voter[i];
    size_t granules = (out->different + in->for_one - 1) / in->for_one;
    size_t wanted = fp_ballot_sample(granules, in->options.all_up_to) * in->for_one;
    double stop = fmax(in->options.stop_share * (double)in->documents, FP_BALLOT_STOP_LEAST);
    for (size_t i = 0; i < out->different && in->sampled < wanted; i++) {
        voter *one = in->voter + i;
        FP_TRY(count_documents(in, one, error));
        bool stopped = (double)one->frequency > stop;
        out->stopped += stopped;
        if (stopped) continue;
        in->votes += (double)one->frequency;
        in->voter[in->sampled++] = *one;
    }
    out->sampled = in->sampled;
    return FP_OK;
}

/* ---- Counting ---- */

typedef struct candidate {
    uint32_t hits;
    uint32_t document;
} candidate;

static int most_hits_first(const void *left, const void *right) {
    const candidate *a = left, *b = right;
    return a->hits != b->hits ? FP_ORDER(b->hits, a->hits) : FP_ORDER(a->document, b->document);
}

static bool is_deleted(const polling *in, size_t document) {
    return in->options.deleted && in->options.deleted[document / 64] >> document % 64 & 1;
}

/* Counts the hits of each document, and tells those that have any, at most as many as there are votes. */
static fp_status count_hits(polling *in, candidate **found, size_t *count, fp_error *error) {
    uint32_t *hits = in->room->hits;
    *count = 0;
    *found = FP_NEED(fp_arena_raw(in->arena, (size_t)in->votes, sizeof **found), error);
    for (size_t k = 0; k < in->sampled; k++) {
        for (size_t p = 0, base = 0; p < in->part_count; base += in->parts[p++]->document_count) {
            fp_vote_list list;
            FP_TRY(fp_votes_find(in->parts[p], in->voter[k].granule.key, &list, error));
            for (size_t i = 0; i < list.count; i++) {
                size_t document = base + list.document[i];
                if (document >= in->documents || is_deleted(in, document)) continue;
                if (!hits[document]++) (*found)[(*count)++] = (candidate){0, (uint32_t)document};
            }
        }
    }
    for (size_t i = 0; i < *count; i++) {
        (*found)[i].hits = hits[(*found)[i].document];
        hits[(*found)[i].document] = 0;
    }
    return FP_OK;
}

/* Leaves those with the most hits, `most` or more where hits are equal, in front; returns how many. Counting how many
 * have how many hits saves sorting them all. */
static size_t keep_foremost(candidate *found, size_t count, size_t most, size_t sampled, fp_arena *arena) {
    size_t *with = fp_arena_alloc(arena, sampled + 2, sizeof *with), kept = 0;
    if (!with || count <= most) return count;
    for (size_t i = 0; i < count; i++) with[found[i].hits]++;
    size_t least = sampled, sum = with[sampled];
    while (least > 1 && sum < most) sum += with[--least];
    for (size_t i = 0; i < count; i++)
        if (found[i].hits >= least) found[kept++] = found[i];
    return kept;
}

/* ---- Which granules, and chance ---- */

static int by_place(const void *left, const void *right) {
    const fp_ballot_hit *a = left, *b = right;
    return a->from != b->from ? FP_ORDER(a->from, b->from) : FP_ORDER(a->key, b->key);
}

/* The document's posting in the list, or SIZE_MAX. */
static size_t posting_of(const fp_vote_list *list, size_t document) {
    size_t low = 0, high = list->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (list->document[middle] < document) low = middle + 1;
        else high = middle;
    }
    return low < list->count && list->document[low] == document ? low : SIZE_MAX;
}

/* Hits whose places in the text do not overlap, as many as there can be: the one that ends first, again and again. Of
 * granules in the order of their beginnings, ends ascend nearly; one that lies inside another takes its place. */
static size_t hits_apart(const fp_ballot_hit *hit, size_t count) {
    size_t apart = 0, behind = 0;
    for (size_t i = 0; i < count; i++) {
        if (!apart || hit[i].from >= behind) apart++, behind = hit[i].to;
        else if (hit[i].to < behind) behind = hit[i].to;
    }
    return apart;
}

static fp_status fill_match(const polling *in, candidate found, fp_ballot_match *out, fp_error *error) {
    size_t part = 0, own = found.document, count = 0;
    while (own >= in->parts[part]->document_count) own -= in->parts[part++]->document_count;
    const fp_votes *votes = in->parts[part];
    fp_ballot_hit *hit = FP_NEED(fp_arena_raw(in->arena, found.hits, sizeof *hit), error);
    for (size_t k = 0; k < in->sampled && count < found.hits; k++) {
        const fp_granule *granule = &in->voter[k].granule;
        fp_vote_list list;
        FP_TRY(fp_votes_find(votes, granule->key, &list, error));
        size_t posting = posting_of(&list, own);
        if (posting == SIZE_MAX) continue;
        hit[count++] = (fp_ballot_hit){granule->key, granule->from, granule->to, list.place[posting]};
    }
    if (count) qsort(hit, count, sizeof *hit, by_place);
    *out =
        (fp_ballot_match){.document = found.document, .hit_count = count, .hit = hit, .apart = hits_apart(hit, count)};
    out->share = fmin((double)(found.hits * in->for_one) / (double)in->sampled, 1);
    double mean = in->votes * votes->granules[own] / (double)in->postings;
    out->chance = (double)in->documents;
    if (out->apart)
        out->chance *= gsl_cdf_poisson_Q((unsigned)out->apart - 1, mean * (double)out->apart / (double)count);
    return FP_OK;
}

/* ---- The ballot ---- */

/* Hits apart decide who stays, hits who is first: of more than are told, some are looked at that may be cut off. */
enum { SPARE = 4 };

fp_status fp_ballot_hold(const fp_votes *const *parts, size_t part_count, fp_granules asked,
                         const fp_ballot_options *options, fp_ballot_room *room, fp_arena *arena, fp_ballot *out,
                         fp_error *error) {
    polling in = {.parts = parts,
                  .part_count = part_count,
                  .options = options ? *options : fp_ballot_defaults,
                  .for_one = asked.for_one ? asked.for_one : 1,
                  .room = room,
                  .arena = arena};
    candidate *found;
    size_t count, most = in.options.most;
    *out = (fp_ballot){0};
    for (size_t p = 0; p < part_count; p++) in.documents += parts[p]->document_count;
    for (size_t p = 0; p < part_count; p++) in.postings += parts[p]->posting_count;
    if (room->documents < in.documents) return fp_fail(error, FP_ERROR_RANGE, "a ballot's room is of fewer documents");
    FP_TRY(sample(&in, asked, out, error));
    FP_TRY(count_hits(&in, &found, &count, error));
    count = keep_foremost(found, count, most * SPARE, in.sampled, arena);
    if (count) qsort(found, count, sizeof *found, most_hits_first);
    if (count > most * SPARE) count = most * SPARE;
    out->match = FP_NEED(fp_arena_raw(arena, count, sizeof *out->match), error);
    for (size_t i = 0; i < count && out->count < most; i++) {
        FP_TRY(fill_match(&in, found[i], out->match + out->count, error));
        out->count += out->match[out->count].chance <= in.options.chance;
    }
    return FP_OK;
}
