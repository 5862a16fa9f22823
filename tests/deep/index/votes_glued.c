/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * votes_glued ARM TRIALS CORPUS | ARM TRIALS LINES DOCUMENTS LENGTH: how often a text glued from a fifth of one
 * document and pieces of others finds that document first, by an inverted index with votes.
 *
 * Documents are those of a corpus; or they are made of the file LINES, one after the other and never held together:
 * pieces of 6 to 14 characters from random places of its Han text, a twentieth of the characters exchanged, about
 * LENGTH characters in all, so that every piece stands in other documents as well.
 *
 * A trial takes a document of 200 characters or more, as many stretches of 40 characters of it as make a fifth, and
 * fills up to its length with stretches of other documents, each of another one, in random order. So each other
 * document has a part of the text, too. Told are the share of trials in which the document is first, alone, with its
 * 95% interval (Wilson); the same after the texts were aligned; hits of it and of the best other one; and what chance
 * would give on paper. Exit status 1 when fewer than 95% are first, by the votes alone or by both. */
#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "corpora/corpus.h"
#include "index/votes.h"
#include "text/alignment/alignment.h"
#include "text/unicode/utf8.h"

enum { STRETCH = 40, SHORTEST = 200, LEAST_PIECE = 6, MOST_PIECE = 14, BATCH = 4096 };

static size_t below(uint64_t *at, size_t bound) { return (size_t)(fp_mix((*at)++, 11) % bound); }

/* ---- Documents ---- */

/* Han characters, three bytes each, or the texts of a corpus. */
typedef struct documents {
    fp_string *text;
    fp_string pool;
    size_t count, length;
} documents;

/* The i-th, in `arena`. */
static fp_string document_of(const documents *of, size_t index, fp_arena *arena) {
    if (of->text) return of->text[index];
    uint64_t at = (uint64_t)index << 20;
    size_t bytes = 3 * (of->length * 3 / 4 + below(&at, of->length / 2)), length = 0, all = of->pool.length / 3;
    char *text = fp_arena_raw(arena, bytes + 3 * MOST_PIECE, 1);
    while (length < bytes) {
        size_t piece = LEAST_PIECE + below(&at, MOST_PIECE - LEAST_PIECE + 1), from = below(&at, all - MOST_PIECE);
        memcpy(text + length, of->pool.data + 3 * from, 3 * piece);
        for (size_t i = 0; i < piece; i++)
            if (below(&at, 20) == 0) memcpy(text + length + 3 * i, of->pool.data + 3 * below(&at, all), 3);
        length += 3 * piece;
    }
    return (fp_string){text, length};
}

static fp_string read_pool(const char *path, fp_arena *arena) {
    fp_string all;
    size_t length = 0;
    if (fp_read_file(path, arena, &all, NULL) != FP_OK) return (fp_string){NULL, 0};
    char *pool = fp_arena_raw(arena, all.length, 1);
    for (size_t at = 0, size; at < all.length; at += size) {
        uint32_t code;
        size = fp_utf8_decode(all.data + at, &code);
        if (code >= 0x4e00 && code < 0xa000) memcpy(pool + length, all.data + at, 3), length += 3;
    }
    return (fp_string){pool, length};
}

static bool open_documents(int count, char **argument, documents *out, fp_arena *arena, fp_error *error) {
    *out = (documents){0};
    if (count == 3) {
        out->pool = read_pool(argument[0], arena);
        out->count = (size_t)atol(argument[1]);
        out->length = (size_t)atol(argument[2]);
        return out->pool.length > 3 * 1000;
    }
    fp_corpus corpus;
    if (fp_corpus_read(argument[0], NULL, arena, &corpus, error) != FP_OK) return false;
    out->count = corpus.document_count;
    out->text = fp_arena_raw(arena, out->count, sizeof *out->text);
    return fp_corpus_fetch(&corpus, NULL, out->count, arena, out->text, error) == FP_OK;
}

/* ---- The index ---- */

typedef struct making {
    const documents *of;
    const fp_arm *arm;
    size_t first;
    fp_granules made[BATCH];
} making;

static fp_status make_granules(void *context, size_t index, fp_arena *arena, fp_error *error) {
    making *to = context;
    fp_string text = document_of(to->of, to->first + index, arena);
    return fp_granules_of(to->arm, text, FP_GRANULES_STORED, arena, to->made + index, error);
}

static fp_status make_index(const documents *of, const fp_arm *arm, fp_arena *arena, fp_votes *out, fp_error *error) {
    static making batch;
    batch = (making){of, arm, 0, {{0}}};
    fp_votes_builder *builder;
    fp_arenas arenas;
    FP_TRY(fp_votes_begin(NULL, &builder, error));
    FP_TRY(fp_arenas_open(&arenas, NULL, arena, error));
    for (; batch.first < of->count; batch.first += BATCH) {
        size_t count = of->count - batch.first < BATCH ? of->count - batch.first : BATCH;
        for (size_t t = 0; t < arenas.count; t++) fp_arena_reset(arenas.each[t]);
        FP_TRY(fp_parallel(count, &arenas, false, make_granules, &batch, "granules", NULL, error));
        for (size_t i = 0; i < count; i++) FP_TRY(fp_votes_add(builder, batch.made[i], error));
    }
    fp_arenas_free(&arenas);
    return fp_votes_end(builder, arena, out, error);
}

/* ---- A glued text ---- */

/* The bytes where each character begins, and the end. */
static size_t *offsets_of(fp_string text, size_t *count, fp_arena *arena) {
    size_t *at = fp_arena_raw(arena, text.length + 1, sizeof *at);
    *count = 0;
    for (size_t byte = 0; byte < text.length; byte += fp_utf8_size(text.data[byte])) at[(*count)++] = byte;
    at[*count] = text.length;
    return at;
}

static fp_string stretch_of(fp_string text, const size_t *at, size_t from) {
    return (fp_string){text.data + at[from], at[from + STRETCH] - at[from]};
}

/* Stretches of a fifth of the source, none twice, then of others; *own tells how many. */
static fp_string glue(const documents *of, size_t source, uint64_t *random, size_t *own, fp_arena *arena) {
    size_t characters;
    fp_string text = document_of(of, source, arena);
    const size_t *at = offsets_of(text, &characters, arena);
    size_t places = characters / STRETCH, count = 0, wanted = (characters + STRETCH / 2) / STRETCH, bytes = 0;
    size_t slack = characters % STRETCH ? below(random, characters % STRETCH) : 0;
    fp_string *stretch = fp_arena_raw(arena, wanted, sizeof *stretch);
    size_t *order = fp_arena_raw(arena, places, sizeof *order);
    *own = (characters / 5 + STRETCH / 2) / STRETCH;
    for (size_t i = 0; i < places; i++) order[i] = i;
    for (; count < *own; count++) {
        size_t chosen = count + below(random, places - count), place = order[chosen];
        order[chosen] = order[count];
        stretch[count] = stretch_of(text, at, slack + place * STRETCH);
    }
    while (count < wanted) {
        size_t other = below(random, of->count), length;
        if (other == source) continue;
        fp_string from = document_of(of, other, arena);
        const size_t *begin = offsets_of(from, &length, arena);
        if (length > STRETCH) stretch[count++] = stretch_of(from, begin, below(random, length - STRETCH));
    }
    for (size_t i = count; i > 1; i--) {
        size_t other = below(random, i);
        fp_string moved = stretch[i - 1];
        stretch[i - 1] = stretch[other];
        stretch[other] = moved;
    }
    for (size_t i = 0; i < count; i++) bytes += stretch[i].length;
    char *glued = fp_arena_raw(arena, bytes, 1), *to = glued;
    for (size_t i = 0; i < count; to += stretch[i++].length) memcpy(to, stretch[i].data, stretch[i].length);
    return (fp_string){glued, bytes};
}

/* ---- Trials ---- */

typedef struct tally {
    size_t first, told, aligned_first, short_ones;
    double own_hits, other_hits, sampled, stopped, mean, seconds;
} tally;

/* Whether the document is first and has more than the next one. */
static bool leads(const fp_ballot *ballot, size_t source) {
    if (!ballot->count || ballot->match[0].document != source) return false;
    return ballot->count < 2 || ballot->match[1].hit_count < ballot->match[0].hit_count;
}

/* Whether the document shares most with the text, of those in the ballot, as fp_sources_of orders them. */
static fp_status leads_aligned(const documents *of, const fp_ballot *ballot, fp_string text, size_t source,
                               fp_arena *arena, bool *leads, fp_error *error) {
    double most = 0;
    *leads = false;
    for (size_t i = 0; i < ballot->count; i++) {
        fp_alignment found;
        size_t document = ballot->match[i].document;
        FP_TRY(fp_align(text, document_of(of, document, arena), 0, arena, &found, error));
        if (found.share[0] <= most) continue;
        most = found.share[0];
        *leads = document == source;
    }
    return FP_OK;
}

static fp_status try_once(const documents *of, const fp_arm *arm, const fp_votes *votes, size_t source,
                          uint64_t *random, fp_ballot_room *room, fp_arena *arena, tally *to, fp_error *error) {
    size_t own;
    fp_granules asked;
    fp_ballot ballot;
    fp_string text = glue(of, source, random, &own, arena);
    double start = fp_seconds();
    FP_TRY(fp_granules_of(arm, text, FP_GRANULES_ASKED, arena, &asked, error));
    FP_TRY(fp_ballot_hold((const fp_votes *[]){votes}, 1, asked, NULL, room, arena, &ballot, error));
    to->seconds += fp_seconds() - start;
    to->first += leads(&ballot, source);
    to->sampled += (double)ballot.sampled;
    to->stopped += (double)ballot.stopped;
    double other = 0;
    for (size_t i = 0; i < ballot.count; i++) {
        const fp_ballot_match *match = ballot.match + i;
        if (match->document == source) to->told++, to->own_hits += (double)match->hit_count;
        else other = fmax(other, (double)match->hit_count);
    }
    to->other_hits += other;
    bool first;
    FP_TRY(leads_aligned(of, &ballot, text, source, arena, &first, error));
    to->aligned_first += first;
    return FP_OK;
}

static void tell_share(const char *what, size_t count, size_t of) {
    double p = (double)count / (double)of, n = (double)of, z = 1.959963984540054, middle = (p + z * z / (2 * n)),
           half = z * sqrt(p * (1 - p) / n + z * z / (4 * n * n)), all = 1 + z * z / n;
    printf("  %s in %zu of %zu trials: %.1f%% (%.1f–%.1f%%)\n", what, count, of, 100 * p, 100 * (middle - half) / all,
           100 * (middle + half) / all);
}

/* On paper: a document of ordinary length has Σ f·g/G of the sampled keys by chance; the hits that one of N documents
 * is expected to reach. */
static void tell_chance(const fp_votes *votes, double mean, double documents_asked) {
    unsigned hits = 1;
    while (documents_asked * gsl_cdf_poisson_Q(hits - 1, mean) > 0.01) hits++;
    printf("  by chance %.3f hits a document; %u or more for 0.01 of %.0f documents (%zu postings)\n", mean, hits,
           documents_asked, votes->posting_count);
}

/* Σ f·g/G of the first document's granules for another one of ordinary length: its own hits are not chance. */
static double chance_mean(const fp_votes *votes, fp_granules asked) {
    double sum = -(double)votes->granules[0];
    for (size_t i = 0; i < asked.count; i++) {
        fp_vote_list list;
        fp_error error;
        if (fp_votes_find(votes, asked.at[i].key, &list, &error) == FP_OK) sum += (double)list.count;
    }
    return sum / (double)votes->document_count;
}

int main(int count, char **argument) {
    fp_arena *arena = fp_arena_new(), *scratch = fp_arena_new();
    fp_error error = {0};
    fp_arm *arm;
    documents of;
    fp_votes votes;
    fp_ballot_room room;
    tally all = {0};
    uint64_t random = 1;
    if (count != 4 && count != 6) return fprintf(stderr, "votes_glued ARM TRIALS CORPUS | LINES DOCUMENTS LENGTH\n"), 2;
    size_t trials = (size_t)atol(argument[2]);
    double start = fp_seconds();
    if (fp_arm_parse(argument[1], NULL, arena, &arm, &error) != FP_OK ||
        !open_documents(count - 3, argument + 3, &of, arena, &error) ||
        make_index(&of, arm, arena, &votes, &error) != FP_OK ||
        fp_ballot_room_open(of.count, arena, &room, &error) != FP_OK)
        return fprintf(stderr, "votes_glued: %s\n", error.message), 2;
    double built = fp_seconds() - start;
    for (size_t trial = 0; trial < trials;) {
        size_t source = below(&random, of.count);
        fp_arena_reset(scratch);
        if (fp_utf8_count(document_of(&of, source, scratch)) < SHORTEST) {
            if (all.short_ones++ > 1000 * trials) return fprintf(stderr, "votes_glued: documents are too short\n"), 2;
            continue;
        }
        if (try_once(&of, arm, &votes, source, &random, &room, scratch, &all, &error) != FP_OK)
            return fprintf(stderr, "votes_glued: %s\n", error.message), 2;
        trial++;
    }
    double n = (double)trials;
    fp_granules asked;
    if (fp_granules_of(arm, document_of(&of, 0, scratch), FP_GRANULES_ASKED, scratch, &asked, &error) != FP_OK)
        return 2;
    printf("%s, %zu documents, built in %.0f s; %.2f ms a text\n", argument[1], of.count, built, 1e3 * all.seconds / n);
    tell_share("first by votes, alone,", all.first, trials);
    tell_share("first when aligned", all.aligned_first, trials);
    tell_share("told", all.told, trials);
    printf("  sampled %.0f granules, stopped %.0f; hits %.1f of the source, %.1f of the best other\n", all.sampled / n,
           all.stopped / n, all.own_hits / n, all.other_hits / n);
    tell_chance(&votes, chance_mean(&votes, asked), (double)of.count);
    fp_arena_free(scratch);
    fp_arena_free(arena);
    return (double)(all.first > all.aligned_first ? all.first : all.aligned_first) < 0.95 * n;
}
