/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * fplab/collection.h - collections: fingerprints on disk or in Redis, for look-ups among millions. `fplab index`
 * creates them, `fplab query` searches them. docs/index-format.md describes the file.
 */
#ifndef FPLAB_COLLECTION_H
#define FPLAB_COLLECTION_H 1

#include <fplab/columns.h>

FP_BEGIN

/* An open collection: one thread at a time. Among all processes, one writer at a time. */
typedef struct fp_text_index fp_text_index;

/* Options of a new collection. May grow at the end; `size` is sizeof(fp_text_index_form). */
typedef struct fp_text_index_form {
    size_t size;
    double threshold; /* look-ups up to this distance are fast: 0 or more, below the largest distance */
    double recall;    /* for slots: the least P[a text right at the threshold is found]; 0: 0.99 */
    bool keeps_texts; /* texts are stored as well */
} fp_text_index_form;

/* Creates a collection at an address: a new file, or redis://host… (docs/scale.md). Copies the arm with what it has
 * learned, but not its extensions, which must outlive the index. The caller closes *index with fp_text_index_close.
 * FP_ERROR_DUPLICATE: the address is in use; FP_ERROR_EMPTY: the arm is not fitted; FP_ERROR_RANGE: threshold or recall
 * out of bounds, or, for Redis, an arm without bits; FP_ERROR_UNKNOWN: the arm cannot be saved (fp_arm_save);
 * FP_ERROR_IO, FP_ERROR_ABI. */
fp_status fp_text_index_create(const char *address, const fp_arm *arm, const fp_text_index_form *form,
                               fp_text_index **index, fp_error *error);
/* Opens a collection whose arm needs no extensions. FP_ERROR_IO: it does not exist, or another process writes to it;
 * FP_ERROR_SYNTAX: not a collection, or damaged; FP_ERROR_ABI: another version of the format. */
fp_status fp_text_index_open(const char *address, bool writes, fp_text_index **index, fp_error *error);
/* `index` may be NULL. */
void fp_text_index_close(fp_text_index *index);

/* The arm of the collection, fitted; lives as long as the index. */
const fp_arm *fp_text_index_arm(fp_text_index *index);
double fp_text_index_threshold(const fp_text_index *index);
/* The number of stored texts, without deleted ones. */
fp_status fp_text_index_count(fp_text_index *index, uint64_t *count, fp_error *error);

/* Adds texts under ids (not NULL, 1 to 480 bytes each). They are committed 8,192 at a time: committed texts stay after
 * an error or a cancellation. `time` is in milliseconds since 1970, INT64_MIN if unknown; the array may be NULL. Skips
 * a text that is already stored under its id (same fingerprint, length and, if stored, text); *added counts the others.
 * FP_ERROR_DUPLICATE: an id that is stored with another text; FP_ERROR_RANGE: an id of another length, or an index
 * opened for reading; FP_ERROR_CANCELLED. *bad is the position, as for fp_column_sketches. */
fp_status fp_text_index_add(fp_text_index *index, const fp_text_column *texts, const fp_text_column *ids,
                            const int64_t *time, uint64_t *added, size_t *bad, const fp_progress *progress,
                            fp_error *error);
/* FP_ERROR_UNKNOWN: no such id. FP_ERROR_RANGE: an index opened for reading. */
fp_status fp_text_index_delete(fp_text_index *index, fp_string id, fp_error *error);

/* One match: text `query` of the column is near the record `id`. */
typedef struct fp_text_match {
    size_t query;
    double distance;
    fp_string id;
} fp_text_match;
/* Finds the records within a distance of each text, ordered by text, then distance, then age (oldest first). `most` >
 * 0: only the nearest `most` records of each text. Returns (*matches)[*count] with their ids in `out`. Beyond the
 * threshold the scan is linear. FP_ERROR_RANGE: `within` is below 0, or in Redis above the threshold;
 * FP_ERROR_CANCELLED. */
fp_status fp_text_index_search(fp_text_index *index, const fp_text_column *texts, double within, size_t most,
                               fp_arena *out, const fp_text_match **matches, size_t *count, size_t *bad,
                               const fp_progress *progress, fp_error *error);

/* Calls `visit` for every record, the oldest first. `text` is empty if texts are not stored. The arguments are valid
 * until `visit` returns; it must not write to the collection. Stops at the first status other than FP_OK, and returns
 * it. */
fp_status fp_text_index_each(fp_text_index *index,
                             fp_status (*visit)(void *context, fp_string id, int64_t time, fp_string text,
                                                fp_error *error),
                             void *context, fp_error *error);

FP_END

#endif
