/* SPDX-License-Identifier: GPL-3.0-or-later
 * Alignment of two texts against the plain table of Smith and Waterman, on the same texts in one run, and of a megabyte
 * and of one character; then texts asked of an inverted index with votes over 20,000 documents.
 *
 * Texts are made of newswire-zh: pieces of 6 to 14 characters from random places. The second text of an alignment is
 * the first with one character in thirty exchanged, left out or added, cut into five and put together the other way
 * round. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "corpora/corpus.h"
#include "index/votes/ballot.h"
#include "text/alignment/alignment.h"
#include "text/unicode/utf8.h"

enum { PIECES = 5, EDITS = 30, DOCUMENTS = 20000, CHARACTERS = 600, ASKED = 2000 };

static uint64_t drawn;
static size_t below(size_t bound) { return (size_t)(fp_mix(drawn++, 17) % bound); }

/* ---- Texts of Han characters, three bytes each ---- */

static fp_string read_pool(fp_arena *arena) {
    fp_corpus corpus;
    if (fp_corpus_read("tests/data/newswire-zh", NULL, arena, &corpus, NULL) != FP_OK) return (fp_string){NULL, 0};
    fp_string *text = fp_arena_raw(arena, corpus.document_count, sizeof *text);
    if (fp_corpus_fetch(&corpus, NULL, corpus.document_count, arena, text, NULL) != FP_OK) return (fp_string){NULL, 0};
    size_t bytes = 0, length = 0;
    for (size_t i = 0; i < corpus.document_count; i++) bytes += text[i].length;
    char *pool = fp_arena_raw(arena, bytes, 1);
    for (size_t i = 0; i < corpus.document_count; i++)
        for (size_t at = 0, size; at < text[i].length; at += size) {
            uint32_t code;
            size = fp_utf8_decode(text[i].data + at, &code);
            if (code >= 0x4e00 && code < 0xa000) memcpy(pool + length, text[i].data + at, 3), length += 3;
        }
    return (fp_string){pool, length};
}

static fp_string make_text(fp_string pool, size_t characters, fp_arena *arena) {
    char *text = fp_arena_raw(arena, 3 * characters, 1);
    for (size_t length = 0; length < characters;) {
        size_t piece = 6 + below(9);
        if (piece > characters - length) piece = characters - length;
        memcpy(text + 3 * length, pool.data + 3 * below(pool.length / 3 - 14), 3 * piece);
        length += piece;
    }
    return (fp_string){text, 3 * characters};
}

static fp_string edit(fp_string pool, fp_string text, fp_arena *arena) {
    char *made = fp_arena_raw(arena, 2 * text.length, 1);
    size_t length = 0, all = text.length / 3;
    for (size_t part = PIECES; part-- > 0;)
        for (size_t i = all * part / PIECES; i < all * (part + 1) / PIECES; i++) {
            size_t kind = below(EDITS) ? 3 : below(3);
            if (kind == 0 || kind == 2) memcpy(made + length, pool.data + 3 * below(pool.length / 3), 3), length += 3;
            if (kind >= 2) memcpy(made + length, text.data + 3 * i, 3), length += 3;
        }
    return (fp_string){made, length};
}

/* ---- Alignment ---- */

/* The score of the best local alignment, cell by cell. */
static int plain_table(fp_string a, fp_string b, fp_arena *arena) {
    size_t a_count = a.length / 3, b_count = b.length / 3;
    uint32_t *left = fp_arena_raw(arena, a_count, 4), *right = fp_arena_raw(arena, b_count, 4);
    int *row = fp_arena_alloc(arena, b_count + 1, sizeof *row), best = 0;
    for (size_t i = 0; i < a_count; i++) fp_utf8_decode(a.data + 3 * i, left + i);
    for (size_t j = 0; j < b_count; j++) fp_utf8_decode(b.data + 3 * j, right + j);
    for (size_t i = 0; i < a_count; i++) {
        int diagonal = 0, before = 0;
        for (size_t j = 0; j < b_count; j++) {
            int above = row[j + 1], here = diagonal + (left[i] == right[j] ? 1 : -2);
            here = here < above - 1 ? above - 1 : here;
            here = here < before - 1 ? before - 1 : here;
            here = here < 0 ? 0 : here;
            best = here > best ? here : best;
            diagonal = above;
            row[j + 1] = before = here;
        }
    }
    return best;
}

static double align(const char *what, fp_string a, fp_string b) {
    fp_arena *arena = fp_arena_new();
    fp_alignment made;
    double start = fp_seconds();
    if (fp_align(a, b, 0, arena, &made, NULL) != FP_OK) exit(1);
    double took = fp_seconds() - start;
    printf("%s: %.1f MB/s; %zu passages, %.1f%% of the first\n", what, (double)(a.length + b.length) / took / 1e6,
           made.count, 100 * made.share[0]);
    fp_arena_free(arena);
    return took;
}

static void alignments(fp_string pool, fp_arena *arena) {
    fp_string a = make_text(pool, 20000, arena), b = edit(pool, a, arena);
    double took = align("align, two of 60 kB", a, b), start = fp_seconds();
    int best = plain_table(a, b, arena);
    double plain = fp_seconds() - start;
    printf("plain table, the same: %.3f MB/s, best score %d: %.0f times slower\n",
           (double)(a.length + b.length) / plain / 1e6, best, plain / took);
    a = make_text(pool, 350000, arena);
    align("align, two of 1 MB", a, edit(pool, a, arena));
    align("align, 1 MB with another one", a, make_text(pool, 350000, arena));
    char *one = fp_arena_raw(arena, 1 << 20, 1);
    memset(one, 'a', 1 << 20);
    align("align, 1 MB of one character", (fp_string){one, 1 << 20}, (fp_string){one, 1 << 20});
}

/* ---- Votes ---- */

static int votes(const char *spec, fp_string pool) {
    fp_arena *arena = fp_arena_new(), *scratch = fp_arena_new();
    fp_arm *arm;
    fp_votes_builder *builder;
    fp_votes made;
    fp_ballot_room room;
    fp_granules granules;
    fp_ballot ballot;
    if (fp_arm_parse(spec, arena, &arm, NULL) != FP_OK || fp_votes_begin(NULL, &builder, NULL) != FP_OK) return 1;
    double start = fp_seconds(), cutting = 0, asking = 0;
    for (size_t i = 0; i < DOCUMENTS; i++) {
        fp_arena_reset(scratch);
        fp_string text = make_text(pool, CHARACTERS, scratch);
        if (fp_granules_of(arm, text, FP_GRANULES_STORED, scratch, &granules, NULL) != FP_OK ||
            fp_votes_add(builder, granules, NULL) != FP_OK)
            return 1;
    }
    if (fp_votes_end(builder, arena, &made, NULL) != FP_OK) return 1;
    double built = fp_seconds() - start;
    if (fp_ballot_room_open(DOCUMENTS, arena, &room, NULL) != FP_OK) return 1;
    for (size_t i = 0; i < ASKED; i++) {
        fp_arena_reset(scratch);
        fp_string text = make_text(pool, CHARACTERS, scratch);
        start = fp_seconds();
        if (fp_granules_of(arm, text, FP_GRANULES_ASKED, scratch, &granules, NULL) != FP_OK) return 1;
        double between = fp_seconds();
        if (fp_ballot_hold((const fp_votes *[]){&made}, 1, granules, NULL, &room, scratch, &ballot, NULL) != FP_OK)
            return 1;
        asking += fp_seconds() - between;
        cutting += between - start;
    }
    printf(
        "votes, %s, %d documents of %d characters: built in %.1f s; %.0f ballots/s, %.0f texts/s with their granules\n",
        spec, DOCUMENTS, CHARACTERS, built, ASKED / asking, ASKED / (asking + cutting));
    fp_arena_free(scratch);
    fp_arena_free(arena);
    return 0;
}

int main(void) {
    static const char *const ARMS[] = {"pinyin:granule=16", "winnowing", "jaccard:features=chars:5"};
    fp_arena *arena = fp_arena_new();
    fp_string pool = read_pool(arena);
    int status = pool.length < 3000;
    if (!status) alignments(pool, arena);
    for (size_t i = 0; i < sizeof ARMS / sizeof *ARMS && !status; i++) status = votes(ARMS[i], pool);
    fp_arena_free(arena);
    return status;
}
