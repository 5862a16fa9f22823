/* SPDX-License-Identifier: GPL-3.0-or-later
 * Document frequencies, learned from a corpus or read from a file. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "text/features/extract.h"

struct fp_idf {
    fp_map map;
    double *value; /* [terms] idf */
    size_t terms;
    size_t documents;
    double mean;        /* of `value` */
    double mean_length; /* mean number of distinct terms of a document */
};

/* Room for `terms` terms; no document and no term yet. */
static fp_status open_idf(size_t terms, fp_arena *arena, fp_idf **idf, fp_error *error) {
    fp_idf *made = *idf = FP_NEED(fp_arena_alloc(arena, 1, sizeof *made), error);
    made->value = FP_NEED(fp_arena_raw(arena, terms, sizeof *made->value), error);
    return fp_map_open(&made->map, terms, arena, error);
}

/* The smoothed inverse document frequency (Spärck Jones 1972, with half a document added, so that a term in every
 * document still has a small weight). */
static double smoothed_idf(double documents, double frequency) { return log((documents + 1) / (frequency + 0.5)); }

/* Computed from the values, so that a loaded table gives the same result as a counted one. */
static void find_length(fp_idf *idf) {
    double sum = 0, documents = (double)idf->documents;
    for (size_t i = 0; i < idf->terms; i++) sum += round((documents + 1) / exp(idf->value[i]) - 0.5);
    idf->mean_length = documents > 0 ? sum / documents : 0;
}

double fp_idf_mean_length(const fp_idf *idf) { return idf->mean_length; }

static void finish(fp_idf *idf, const uint32_t *frequency) {
    double sum = 0;
    for (size_t i = 0; i < idf->terms; i++) {
        idf->value[i] = smoothed_idf((double)idf->documents, frequency[i]);
        sum += idf->value[i];
    }
    idf->mean = idf->terms ? sum / (double)idf->terms : smoothed_idf((double)idf->documents, 0);
    find_length(idf);
}

/* ---- Counting ---- */

/* The distinct terms of a corpus, in order of first occurrence, with their document frequencies. Its memory is one
 * arena; a full tally moves to another, twice as large. */
struct fp_tally {
    const fp_arena *like; /* memory source */
    fp_arena *arena;
    fp_map seen;
    uint64_t *hash;
    uint32_t *frequency;
    size_t terms, room;
    size_t documents;
};

static fp_status make_room(fp_tally *tally, size_t room, fp_error *error) {
    fp_arena *arena = FP_NEED(fp_arena_new_like(tally->like), error);
    fp_tally larger = {.like = tally->like,
                       .arena = arena,
                       .hash = fp_arena_raw(arena, room, sizeof *larger.hash),
                       .frequency = fp_arena_raw(arena, room, sizeof *larger.frequency),
                       .terms = tally->terms,
                       .room = room,
                       .documents = tally->documents};
    fp_status status = larger.hash && larger.frequency ? FP_OK : fp_no_memory(error);
    if (status == FP_OK) status = fp_map_open(&larger.seen, room, arena, error);
    if (status != FP_OK) {
        fp_arena_free(arena);
        return status;
    }
    for (size_t i = 0; i < tally->terms; i++) {
        larger.hash[i] = tally->hash[i];
        larger.frequency[i] = tally->frequency[i];
        fp_map_put(&larger.seen, tally->hash[i], (uint32_t)i);
    }
    fp_arena_free(tally->arena);
    *tally = larger;
    return FP_OK;
}

fp_status fp_tally_open(const fp_arena *like, fp_tally **tally, fp_error *error) {
    enum { FIRST = 1 << 12 };
    *tally = FP_NEED(fp_memory_take(like, 1, sizeof **tally), error);
    (*tally)->like = like;
    fp_status status = make_room(*tally, FIRST, error);
    if (status == FP_OK) return FP_OK;
    fp_tally_close(*tally);
    *tally = NULL;
    return status;
}

void fp_tally_close(fp_tally *tally) {
    if (!tally) return;
    fp_arena_free(tally->arena);
    fp_memory_release(tally->like, tally);
}

static fp_status expect(fp_tally *tally, size_t count, fp_error *error) {
    size_t room = tally->room;
    while (room - tally->terms < count) room *= 2;
    return room > tally->room ? make_room(tally, room, error) : FP_OK;
}

/* The frequency of a term, for which there must be room. */
static uint32_t *frequency_of(fp_tally *tally, uint64_t hash) {
    size_t place = fp_map_place(&tally->seen, hash);
    if (tally->seen.value[place] == FP_MAP_NONE) {
        tally->seen.key[place] = tally->hash[tally->terms] = hash;
        tally->frequency[tally->terms] = 0;
        tally->seen.value[place] = (uint32_t)tally->terms++;
    }
    return tally->frequency + tally->seen.value[place];
}

fp_status fp_tally_add(fp_tally *tally, const uint64_t *hash, size_t count, fp_error *error) {
    FP_TRY(expect(tally, count, error));
    for (size_t i = 0; i < count; i++) ++*frequency_of(tally, hash[i]);
    tally->documents++;
    return FP_OK;
}

/* Format: the number of documents, then hash and frequency of each term. */
fp_status fp_tally_write(const fp_tally *tally, fp_arena *arena, fp_string *bytes, fp_error *error) {
    uint64_t *number = FP_NEED(fp_arena_raw(arena, 2 * tally->terms + 1, sizeof *number), error);
    number[0] = tally->documents;
    for (size_t i = 0; i < tally->terms; i++) {
        number[2 * i + 1] = tally->hash[i];
        number[2 * i + 2] = tally->frequency[i];
    }
    return fp_bytes_of(number, 2 * tally->terms + 1, arena, bytes, error);
}

fp_status fp_tally_add_bytes(fp_tally *tally, fp_string bytes, fp_error *error) {
    if (bytes.length % 16 != 8) return fp_fail(error, FP_ERROR_SYNTAX, "not a tally of document frequencies");
    uint64_t documents = fp_bytes_get(bytes.data);
    if (documents > UINT32_MAX - tally->documents)
        return fp_fail(error, FP_ERROR_RANGE, "more than 4294967295 documents");
    FP_TRY(expect(tally, bytes.length / 16, error));
    tally->documents += (size_t)documents;
    for (const char *at = bytes.data + 8; at < bytes.data + bytes.length; at += 16) {
        uint64_t more = fp_bytes_get(at + 8);
        uint32_t *frequency = frequency_of(tally, fp_bytes_get(at));
        if (more < 1 || more > documents || *frequency + more > tally->documents)
            return fp_fail(error, FP_ERROR_SYNTAX, "a term in more documents than there are");
        *frequency += (uint32_t)more;
    }
    return FP_OK;
}

fp_status fp_tally_idf(const fp_tally *tally, fp_arena *arena, const fp_idf **idf, fp_error *error) {
    fp_idf *made;
    FP_TRY(open_idf(tally->terms, arena, &made, error));
    made->terms = tally->terms;
    made->documents = tally->documents;
    for (size_t i = 0; i < made->terms; i++) fp_map_put(&made->map, tally->hash[i], (uint32_t)i);
    finish(made, tally->frequency);
    *idf = made;
    return FP_OK;
}

double fp_idf_of(const fp_idf *idf, uint64_t hash) {
    uint32_t at = fp_map_get(&idf->map, hash);
    return at == FP_MAP_NONE ? idf->mean : idf->value[at];
}

size_t fp_idf_documents(const fp_idf *idf) { return idf->documents; }

/* ---- Bytes: the number of documents, the mean, then hash and value of each term ---- */

fp_status fp_idf_write(const fp_idf *idf, fp_arena *arena, fp_string *bytes, fp_error *error) {
    uint64_t *number = FP_NEED(fp_arena_raw(arena, idf->terms + 1, 2 * sizeof *number), error);
    number[0] = idf->documents;
    memcpy(number + 1, &idf->mean, sizeof idf->mean);
    for (size_t at = 0; at <= idf->map.mask; at++) {
        uint32_t term = idf->map.value[at];
        if (term == FP_MAP_NONE) continue;
        number[2 * term + 2] = idf->map.key[at];
        memcpy(number + 2 * term + 3, idf->value + term, sizeof *idf->value);
    }
    return fp_bytes_of(number, 2 * (idf->terms + 1), arena, bytes, error);
}

/* ln((N + 1)/(df + 0.5)), df ≤ N < 2^64, is between 2^-66 and 46. Within these bounds squares and quotients of weights
 * are finite. */
static bool take_value(uint64_t bits, double *value) {
    memcpy(value, &bits, sizeof *value);
    return *value >= 0x1p-66 && *value <= 46;
}

fp_status fp_idf_of_bytes(fp_string bytes, fp_arena *arena, const fp_idf **idf, fp_error *error) {
    uint64_t *number;
    size_t count;
    FP_TRY(fp_integers_of_bytes(bytes, arena, &number, &count, error));
    if (count < 2 || count % 2) return fp_fail(error, FP_ERROR_SYNTAX, "not a table of document frequencies");
    fp_idf *made;
    FP_TRY(open_idf(count / 2 - 1, arena, &made, error));
    made->documents = number[0];
    made->terms = count / 2 - 1;
    bool good = take_value(number[1], &made->mean);
    for (size_t i = 0; i < made->terms && good; i++) {
        good =
            take_value(number[2 * i + 3], made->value + i) && fp_map_get(&made->map, number[2 * i + 2]) == FP_MAP_NONE;
        fp_map_put(&made->map, number[2 * i + 2], (uint32_t)i);
    }
    if (!good) return fp_fail(error, FP_ERROR_SYNTAX, "a document frequency that no term has, or a term twice");
    find_length(made);
    *idf = made;
    return FP_OK;
}

/* ---- The file: a line "documents TAB N", then a line "term TAB df" for each term ---- */

static fp_status bad_row(fp_error *error, const char *path, size_t line, const char *reason) {
    fp_fail(error, FP_ERROR_SYNTAX, "%s", reason);
    return fp_at(error, FP_ERROR_SYNTAX, path, line, SIZE_MAX);
}

/* Parses "name TAB positive integer". */
static bool parse_row(fp_string line, fp_string *name, int64_t *value) {
    fp_string number;
    char text[32];
    if (!fp_next_field(&line, '\t', name) || !fp_next_field(&line, '\t', &number) || line.data) return false;
    if (number.length == 0 || number.length >= sizeof text) return false;
    memcpy(text, number.data, number.length);
    text[number.length] = '\0';
    return fp_parse_integer(text, value) && *value > 0;
}

fp_status fp_idf_read(const fp_extractor *extractor, const char *path, fp_arena *arena, const fp_idf **idf,
                      fp_error *error) {
    fp_string rest, line, term;
    FP_TRY(fp_read_file(path, arena, &rest, error));
    size_t most = 1;
    for (size_t i = 0; i < rest.length; i++) most += rest.data[i] == '\n';
    fp_idf *made;
    uint32_t *frequency = FP_NEED(fp_arena_raw(arena, most, sizeof *frequency), error);
    FP_TRY(open_idf(most, arena, &made, error));
    int64_t value;
    if (!fp_next_line(&rest, &line) || !parse_row(line, &term, &value) ||
        !fp_string_equal(term, fp_string_of("documents")))
        return bad_row(error, path, 1, "an IDF file begins with the line documents, a tab, and their number");
    if (value > UINT32_MAX) return bad_row(error, path, 1, "more than 4294967295 documents");
    made->documents = (size_t)value;
    for (size_t row = 2; fp_next_line(&rest, &line); row++) {
        if (!parse_row(line, &term, &value))
            return bad_row(error, path, row, "expected a term, a tab, and the number of documents that hold it");
        if ((size_t)value > made->documents)
            return bad_row(error, path, row, "a term in more documents than there are");
        uint64_t hash = fp_term_hash(&extractor->spec, term);
        if (fp_map_get(&made->map, hash) != FP_MAP_NONE) {
            fp_fail(error, FP_ERROR_DUPLICATE, "duplicate term %.*s", (int)term.length, term.data);
            return fp_at(error, FP_ERROR_DUPLICATE, path, row, SIZE_MAX);
        }
        frequency[made->terms] = (uint32_t)value;
        fp_map_put(&made->map, hash, (uint32_t)made->terms++);
    }
    finish(made, frequency);
    *idf = made;
    return FP_OK;
}
