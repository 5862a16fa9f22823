/* SPDX-License-Identifier: GPL-3.0-or-later
 * Granules of texts, the index of their postings, and the ballot. */
#include "index/votes.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "text/unicode/utf8.h"

/* ---- Granules through the stages of an arm ---- */

/* The source of the hashes of an arm's sketch. */
typedef enum granule_kind { NO_GRANULES, WINDOWS, CHOSEN_FEATURES, ALL_FEATURES } granule_kind;

static granule_kind kind_of(const fp_arm *arm) {
    static const struct {
        const char *name;
        granule_kind kind;
    } KINDS[] = {
        {"pinyin", WINDOWS}, {"winnowing", CHOSEN_FEATURES}, {"sentences", CHOSEN_FEATURES}, {"jaccard", ALL_FEATURES}};
    for (size_t i = 0; i < sizeof KINDS / sizeof *KINDS; i++)
        if (strcmp(arm->instance.algorithm->name, KINDS[i].name) == 0) return KINDS[i].kind;
    return NO_GRANULES;
}

/* The value of a parameter of the arm's algorithm. */
static void *parameter_of(const fp_arm *arm, void *parameters, const char *name) {
    const fp_parameter *row = fp_parameter_find(arm->instance.algorithm->parameters, fp_string_of(name));
    return row ? (char *)parameters + row->offset : NULL;
}

static size_t window_of(const fp_arm *arm) {
    const int64_t *granule = parameter_of(arm, arm->parameters, "granule");
    return granule ? (size_t)*granule : 0;
}

fp_status fp_granules_check(const fp_arm *arm, fp_error *error) {
    granule_kind kind = kind_of(arm);
    if (kind == NO_GRANULES)
        return fp_fail(error, FP_ERROR_UNKNOWN,
                       "%s has no granules with places; winnowing, jaccard, sentences and pinyin:granule=… have",
                       arm->instance.algorithm->name);
    if (kind == WINDOWS && !window_of(arm))
        return fp_fail(error, FP_ERROR_UNKNOWN,
                       "pinyin takes the whole text as one granule; set granule=16, or another");
    return FP_OK;
}

/* ---- Windows of initials ---- */

/* The algorithm with its windows one initial apart. An overlap of 1 − 1/n means a step of 1, and a smaller step also
 * counts as 1; nextafter prevents rounding to 2. */
static fp_status with_every_window(const fp_arm *arm, fp_arena *arena, fp_instance *out, fp_error *error) {
    size_t size = arm->instance.algorithm->parameters_size;
    void *parameters = FP_NEED(fp_arena_raw(arena, size, 1), error);
    memcpy(parameters, arm->parameters, size);
    *(double *)parameter_of(arm, parameters, "overlap") = nextafter(1 - 1 / (double)window_of(arm), 1);
    *out = arm->instance;
    out->parameters = parameters;
    return FP_OK;
}

/* Places between windows, by the formula of the algorithm. */
static size_t step_of(const fp_arm *arm, fp_granule_use use) {
    const double *overlap = parameter_of(arm, arm->parameters, "overlap");
    double step = use == FP_GRANULES_ASKED ? 1 : floor((double)window_of(arm) * (1 - *overlap));
    return step >= 1 ? (size_t)step : 1;
}

static fp_status windows_of(const fp_arm *arm, const fp_document *document, fp_granule_use use, fp_arena *arena,
                            fp_granules *out, fp_error *error) {
    fp_instance instance = arm->instance;
    fp_sketch sketch;
    size_t window = window_of(arm), step = step_of(arm, use), length = document->initials.length;
    *out = (fp_granules){0};
    if (!length) return FP_OK;
    if (use == FP_GRANULES_ASKED) FP_TRY(with_every_window(arm, arena, &instance, error));
    FP_TRY(instance.algorithm->sketch(&instance, document, arena, &sketch, error));
    size_t count = length <= window ? 1 : 1 + (length - window + step - 1) / step, bytes = sketch.size / count;
    fp_granule *made = FP_NEED(fp_arena_raw(arena, count, sizeof *made), error);
    for (size_t i = 0; i < count; i++) {
        size_t from = i * step, to = from + window < length ? from + window : length;
        made[i] = (fp_granule){fp_mix(fp_xxh3((const char *)sketch.data + i * bytes, bytes, 0), 0), (uint32_t)from,
                               (uint32_t)to};
    }
    *out = (fp_granules){count, made, use == FP_GRANULES_ASKED ? step_of(arm, FP_GRANULES_STORED) : 1};
    return FP_OK;
}

/* ---- Features ---- */

/* Characters before byte `to` of the units, given that the first `*counted` bytes have `*characters`. */
static uint32_t characters_to(const fp_units *units, size_t to, size_t *counted, uint32_t *characters) {
    if (to > *counted)
        *characters += (uint32_t)fp_utf8_count((fp_string){units->buffer.data + *counted, to - *counted});
    *counted = to > *counted ? to : *counted;
    return *characters;
}

static fp_status features_of(const fp_arm *arm, const fp_document *document, const fp_units *units, bool chosen,
                             fp_arena *arena, fp_granules *out, fp_error *error) {
    const fp_features *features = &document->features;
    fp_sketch sketch = {0};
    if (chosen) FP_TRY(arm->instance.algorithm->sketch(&arm->instance, document, arena, &sketch, error));
    fp_granule *made = FP_NEED(fp_arena_raw(arena, features->length, sizeof *made), error);
    size_t count = 0, begun = 0, ended = 0;
    uint32_t before = 0, behind = 0;
    for (size_t i = 0; i < features->length; i++) {
        uint64_t hash = features->sequence[i];
        if (chosen && (!sketch.size || !bsearch(&hash, sketch.data, sketch.size / 8, 8, fp_ascending_u64))) continue;
        fp_string term = fp_units_term(units, i);
        size_t begin = (size_t)(term.data - units->buffer.data);
        made[count++] = (fp_granule){fp_mix(hash, 0), characters_to(units, begin, &begun, &before),
                                     characters_to(units, begin + term.length, &ended, &behind)};
    }
    *out = (fp_granules){count, made, 1};
    return FP_OK;
}

/* ---- Granules of a text ---- */

fp_status fp_granules_of(const fp_arm *arm, fp_string text, fp_granule_use use, fp_arena *arena, fp_granules *out,
                         fp_error *error) {
    fp_text read;
    fp_counted counted;
    fp_document document = {.id = text};
    FP_TRY(fp_granules_check(arm, error));
    FP_TRY(fp_arm_ready(arm, error));
    FP_TRY(fp_arm_preprocess(arm, text, fp_arm_wants(arm), arena, &read, error));
    FP_TRY(fp_arm_count(arm, &read, arena, &counted, error));
    FP_TRY(fp_arm_weigh(arm, &read, &counted, false, arena, &document, error));
    granule_kind kind = kind_of(arm);
    if (kind == WINDOWS) return windows_of(arm, &document, use, arena, out, error);
    return features_of(arm, &document, &counted.units, kind == CHOSEN_FEATURES, arena, out, error);
}

typedef struct entry {
    uint64_t key;
    uint32_t document, place;
} entry;

struct fp_votes_builder {
    fp_arena *arena;
    entry *entries;
    size_t count, room;
    uint32_t *granules;
    size_t documents, documents_room;
};

fp_status fp_votes_begin(fp_arena *arena, fp_votes_builder **builder, fp_error *error) {
    *builder = FP_NEED(fp_arena_alloc(arena, 1, sizeof **builder), error);
    (*builder)->arena = arena;
    return FP_OK;
}

/* ---- Documents ---- */

FP_COMPARES(by_key, entry,
            FP_ORDER(a->key, b->key) ?: FP_ORDER(a->document, b->document) ?: FP_ORDER(a->place, b->place));

fp_status fp_votes_add(fp_votes_builder *builder, fp_granules granules, fp_error *error) {
    if (builder->documents >= UINT32_MAX - 1 || builder->count + granules.count >= UINT32_MAX)
        return fp_fail(error, FP_ERROR_RANGE, "more than 2^32 - 2 documents or granules in one part of an index");
    FP_TRY(FP_ROOM(builder->arena, builder->entries, builder->count + granules.count, builder->room, error));
    FP_TRY(FP_ROOM(builder->arena, builder->granules, builder->documents, builder->documents_room, error));
    entry *own = builder->entries + builder->count;
    size_t kept = 0;
    for (size_t i = 0; i < granules.count; i++)
        own[i] = (entry){granules.at[i].key, (uint32_t)builder->documents, granules.at[i].from};
    if (granules.count) qsort(own, granules.count, sizeof *own, by_key);
    for (size_t i = 0; i < granules.count; i++)
        if (!kept || own[kept - 1].key != own[i].key) own[kept++] = own[i];
    builder->count += kept;
    builder->granules[builder->documents++] = (uint32_t)kept;
    return FP_OK;
}

/* ---- The index ---- */

/* Sorts the entries by key: distributes them by the uppermost bits, about 32 to a bucket, and sorts each bucket. */
static fp_status sort_entries(const fp_votes_builder *of, entry **sorted, fp_error *error) {
    unsigned bits = 1;
    while (bits < 28 && of->count >> bits > 32) bits++;
    size_t buckets = (size_t)1 << bits;
    entry *made = FP_NEED(fp_arena_raw(of->arena, of->count, sizeof *made), error);
    uint32_t *end = FP_NEED(fp_arena_alloc(of->arena, buckets + 1, sizeof *end), error);
    for (size_t i = 0; i < of->count; i++) end[(of->entries[i].key >> (64 - bits)) + 1]++;
    for (size_t i = 1; i <= buckets; i++) end[i] += end[i - 1];
    for (size_t i = 0; i < of->count; i++) made[end[of->entries[i].key >> (64 - bits)]++] = of->entries[i];
    for (size_t i = 0, begin = 0; i < buckets; begin = end[i++])
        if (end[i] > begin + 1) qsort(made + begin, end[i] - begin, sizeof *made, by_key);
    *sorted = made;
    return FP_OK;
}

fp_status fp_votes_end(const fp_votes_builder *of, fp_arena *arena, fp_votes *out, fp_error *error) {
    entry *sorted = NULL;
    FP_TRY(sort_entries(of, &sorted, error));
    uint64_t *key = FP_NEED(fp_arena_raw(arena, of->count, sizeof *key), error);
    uint32_t *document = FP_NEED(fp_arena_raw(arena, of->count, sizeof *document), error);
    uint32_t *place = FP_NEED(fp_arena_raw(arena, of->count, sizeof *place), error);
    uint32_t *granules = FP_NEED(fp_arena_raw(arena, of->documents, sizeof *granules), error);
    for (size_t i = 0; i < of->count; i++) {
        key[i] = sorted[i].key;
        document[i] = sorted[i].document;
        place[i] = sorted[i].place;
    }
    if (of->documents) memcpy(granules, of->granules, of->documents * sizeof *granules);
    *out = (fp_votes){.document_count = of->documents,
                      .posting_count = of->count,
                      .granules = granules,
                      .all = {of->count, key, document, place}};
    return FP_OK;
}

/* ---- A key's postings ---- */

/* The first posting with a key ≥ `key`. */
static size_t lower_bound(const fp_vote_list *of, uint64_t key) { return FP_FIRST(i, of->count, of->key[i] >= key); }

fp_status fp_votes_find(const fp_votes *votes, uint64_t key, fp_vote_list *found, fp_error *error) {
    fp_vote_list some = votes->all;
    if (votes->some) FP_TRY(votes->some(votes->context, key, &some, error));
    *found = (fp_vote_list){0};
    if (some.count == 0) return FP_OK; /* its lists may be NULL */
    size_t first = lower_bound(&some, key), end = key == UINT64_MAX ? some.count : lower_bound(&some, key + 1);
    *found = (fp_vote_list){end - first, some.key + first, some.document + first, some.place + first};
    return FP_OK;
}

/* ---- Votes: sample, look up, count, rank, cut off ---- */

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

/* A key to look up. */
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

FP_COMPARES(by_place_of_key, voter, FP_ORDER(a->order, b->order) ?: FP_ORDER(a->granule.from, b->granule.from));

static fp_status count_documents(const polling *in, voter *one, fp_error *error) {
    fp_vote_list list;
    one->frequency = 0;
    for (size_t p = 0; p < in->part_count; p++) {
        FP_TRY(fp_votes_find(in->parts[p], one->granule.key, &list, error));
        one->frequency += list.count;
    }
    return FP_OK;
}

/* Sorts the distinct granules in sampling order, each at its first place, and takes the sample. Mixing is one-to-one,
 * so equal orders mean equal keys. */
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

FP_COMPARES(most_hits_first, candidate, FP_ORDER(b->hits, a->hits) ?: FP_ORDER(a->document, b->document));

static bool is_deleted(const polling *in, size_t document) {
    return in->options.deleted && in->options.deleted[document / 64] >> document % 64 & 1;
}

/* Counts the hits of each document. Lists the documents with any hit, at most as many as there are votes. */
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

/* Moves the documents with the most hits to the front, `most` of them, or more with ties; returns how many. A histogram
 * of hits avoids sorting them all. */
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

FP_COMPARES(by_place, fp_ballot_hit, FP_ORDER(a->from, b->from) ?: FP_ORDER(a->key, b->key));

/* The maximum number of hits that do not overlap in the text: greedily takes the one that ends first. Hits are sorted
 * by begin, so ends are nearly ascending; a hit inside another one replaces it. */
static size_t hits_apart(const fp_ballot_hit *hit, size_t count) {
    size_t apart = 0, behind = 0;
    for (size_t i = 0; i < count; i++) {
        if (!apart || hit[i].from >= behind) apart++, behind = hit[i].to;
        else if (hit[i].to < behind) behind = hit[i].to;
    }
    return apart;
}

static fp_status fill_match(const polling *in, candidate found, fp_ballot_match *out, fp_error *error) {
    size_t part = 0, count = 0;
    uint32_t own = found.document;
    while (own >= in->parts[part]->document_count) own -= (uint32_t)in->parts[part++]->document_count;
    const fp_votes *votes = in->parts[part];
    fp_ballot_hit *hit = FP_NEED(fp_arena_raw(in->arena, found.hits, sizeof *hit), error);
    for (size_t k = 0; k < in->sampled && count < found.hits; k++) {
        const fp_granule *granule = &in->voter[k].granule;
        fp_vote_list list;
        FP_TRY(fp_votes_find(votes, granule->key, &list, error));
        const uint32_t *at = list.count ? bsearch(&own, list.document, list.count, sizeof own, fp_ascending_u32) : NULL;
        if (at)
            hit[count++] = (fp_ballot_hit){granule->key, granule->from, granule->to, list.place[at - list.document]};
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

/* Documents examined for each one reported: all hits set the order, but non-overlapping hits decide which documents
 * stay. */
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
