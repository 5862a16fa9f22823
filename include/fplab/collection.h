/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * fplab/collection.h - collections: fingerprints on disk or in Redis, to look others up among millions; what `fplab
 * index` makes, and `fplab query` asks. docs/index-format.md describes the file.
 */
#ifndef FPLAB_COLLECTION_H
#define FPLAB_COLLECTION_H 1

#include <fplab/columns.h>

FP_BEGIN

/* A collection that is open. One thread at a time; one writer at a time over all processes. */
typedef struct fp_text_index fp_text_index;

/* What a new one is to be. May grow at the end; `size` is sizeof(fp_text_index_form). */
typedef struct fp_text_index_form {
    size_t size;
    double threshold; /* look-ups up to this distance are fast: 0 or more, below the largest */
    double recall;    /* of slots: the least P[a text right at the threshold is found]; 0: 0.99 */
    bool keeps_texts; /* texts are kept as well */
} fp_text_index_form;

/* Makes one at an address: a file that is not there, or redis://host… (docs/scale.md). The arm, which is fitted where
 * it learns, is copied with what it has learned. The caller ends *index with fp_text_index_close. FP_ERROR_DUPLICATE:
 * something is there; FP_ERROR_EMPTY: the arm is not fitted; FP_ERROR_RANGE, FP_ERROR_IO, FP_ERROR_ABI. */
fp_status fp_text_index_create(const char *address, const fp_arm *arm, const fp_text_index_form *form,
                               fp_text_index **index, fp_error *error);
/* Opens one. FP_ERROR_IO: there is none, or another process writes to it; FP_ERROR_SYNTAX: it is none, or damaged;
 * FP_ERROR_ABI: of another version. */
fp_status fp_text_index_open(const char *address, bool writes, fp_text_index **index, fp_error *error);
/* `index` may be NULL. */
void fp_text_index_close(fp_text_index *index);

/* Its arm, fitted; lives as long as the index. */
const fp_arm *fp_text_index_arm(fp_text_index *index);
double fp_text_index_threshold(const fp_text_index *index);
/* The records that are there. */
fp_status fp_text_index_count(fp_text_index *index, uint64_t *count, fp_error *error);

/* Adds texts under ids, each in one transaction with its neighbours: what is committed stays after an error or a
 * cancellation. `time`, which may be NULL, in milliseconds since 1970; INT64_MIN is none. A text that is there under
 * its id is passed over; *added counts the others. FP_ERROR_DUPLICATE: an id that is there with another text, with its
 * place in *bad as of fp_column_sketches. */
fp_status fp_text_index_add(fp_text_index *index, const fp_text_column *texts, const fp_text_column *ids,
                            const int64_t *time, uint64_t *added, size_t *bad, const fp_progress *progress,
                            fp_error *error);
/* FP_ERROR_UNKNOWN: there is no such id. */
fp_status fp_text_index_delete(fp_text_index *index, fp_string id, fp_error *error);

/* One answer: text `query` of the column is near the record `id`. */
typedef struct fp_text_match {
    size_t query;
    double distance;
    fp_string id;
} fp_text_match;
/* The records within a distance of each text, by text, then distance, then age; `most` > 0: of each the nearest so
 * many.
 * (*matches)[*count] in `out`. Beyond the threshold every fingerprint is looked at. */
fp_status fp_text_index_search(fp_text_index *index, const fp_text_column *texts, double within, size_t most,
                               fp_arena *out, const fp_text_match **matches, size_t *count, size_t *bad,
                               const fp_progress *progress, fp_error *error);

/* Calls `visit` for every record by age. `text` is empty where texts are not kept. What it is given lasts until it
 * returns; it must not write. Stops at the first status that is not FP_OK, and returns it. */
fp_status fp_text_index_each(fp_text_index *index,
                             fp_status (*visit)(void *context, fp_string id, int64_t time, fp_string text,
                                                fp_error *error),
                             void *context, fp_error *error);

FP_END

#endif
