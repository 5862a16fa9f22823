/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * fplab/columns.h - batches: columns of texts to columns of sketches, keys, distances, near-duplicate pairs, clusters.
 * For programs that hold data as arrays, and for joins that another engine does (docs/distributed.md).
 *
 * Columns belong to the caller and are only read. No function keeps state between calls. Each may be called by several
 * threads at once, and uses the threads of its progress, which end with the call. `progress` and `error` may be NULL.
 * Long-running functions end with FP_ERROR_CANCELLED soon after progress->cancel is set; their results are then
 * undefined.
 */
#ifndef FPLAB_COLUMNS_H
#define FPLAB_COLUMNS_H 1

#include <fplab/arm.h>
#include <fplab/progress.h>

FP_BEGIN

/* ---- Texts ---- */

/* Like fp_arm_fit and fp_arm_sketches, with the same models and sketches. `ids`, which may be NULL, has as many texts.
 * *bad, which may be NULL, receives the position, from 0, of the text that cannot be read; SIZE_MAX if the error does
 * not concern a single text. FP_ERROR_RANGE for offsets that descend, or another number of ids than of texts. */
fp_status fp_column_fit(fp_arm *arm, const fp_text_column *texts, const fp_text_column *ids, const fp_pair *pairs,
                        size_t pair_count, size_t *bad, const fp_progress *progress, fp_error *error);
/* Fills sketches[arm_count], one entry an arm. Arms share their common input: texts are normalised and split into
 * features once. */
fp_status fp_column_sketches(const fp_arm *const *arms, size_t arm_count, const fp_text_column *texts,
                             const fp_text_column *ids, fp_arena *out, fp_sketches *sketches, size_t *bad,
                             const fp_progress *progress, fp_error *error);

/* ---- Learning from texts that are divided into parts, on several machines. Each part is counted, the tallies are
 * merged, in a tree or all at once, and the arm takes them:
 *
 *     fp_column_tally …, fp_arm_merge_tallies …, fp_arm_take_tallies(arm, tallies, count, &again, error)
 *
 * Arms that weigh by document frequencies and also fit a centre need two rounds: `again` is true after the first, and
 * the arm of every machine must take those tallies before it counts its part for the second. If tallies are merged in
 * the order of the texts, the model equals that of fp_column_fit byte for byte, in any division; in another order, up
 * to the rounding of the mean IDF. One exception: for the median of simhash:center=median each quotient counts as the
 * nearest multiple of 2^-12, so that each bit's median, from -1 to 1, is off by at most 2^-13; it is the same in any
 * division and any order. ---- */

/* Counts the texts, of which there may be none; the tally is bytes in `out`. The arm is only read; if it is fitted, it
 * counts for a new fit. FP_ERROR_UNKNOWN, with the name of the arm: it learns nothing, learns from pairs, or its
 * algorithm cannot be divided; others as for fp_column_fit. */
fp_status fp_column_tally(const fp_arm *arm, const fp_text_column *texts, fp_arena *out, fp_string *tally, size_t *bad,
                          const fp_progress *progress, fp_error *error);
/* fp_arm_merge_tallies merges several tallies, in their order, into one in `out`. fp_arm_take_tallies fits the arm to
 * tallies of one round. FP_ERROR_EMPTY: no tallies, or nothing to learn a centre from; FP_ERROR_UNKNOWN: the tally of
 * another arm; FP_ERROR_RANGE: of another round, weighted with other frequencies, or 2^32 documents; FP_ERROR_SYNTAX,
 * FP_ERROR_ABI as for fp_arm_load. On failure the arm is unchanged. Both use one thread. */
fp_status fp_arm_merge_tallies(const fp_arm *arm, const fp_string *tallies, size_t count, fp_arena *out,
                               fp_string *merged, fp_error *error);
fp_status fp_arm_take_tallies(fp_arm *arm, const fp_string *tallies, size_t count, bool *again, fp_error *error);

/* ---- Sketches. Sketches of a fixed size lie `stride` bytes apart, fp_layout.bytes or more; the functions for near
 * pairs and keys need them contiguous. FP_ERROR_RANGE for sketches of another size than the arm's, or that are not
 * aligned to 8 bytes. ---- */

/* Element type of `out`. */
typedef enum fp_number {
    FP_FLOAT64, /* double */
    FP_FLOAT32  /* float: the distance rounded to nearest */
} fp_number;
/* out[i · columns->count + j]: the distance of sketch i of `rows` and sketch j of `columns`. */
fp_status fp_column_matrix(const fp_arm *arm, const fp_sketches *rows, const fp_sketches *columns, fp_number kind,
                           void *out, const fp_progress *progress, fp_error *error);
/* out[i]: the distance of the sketches a[i] and b[i], for candidates from another source. FP_ERROR_RANGE for a position
 * out of range. */
fp_status fp_column_distances(const fp_arm *arm, const fp_sketches *sketches, const uint32_t *a, const uint32_t *b,
                              size_t count, fp_number kind, void *out, const fp_progress *progress, fp_error *error);

/* out[i · places + p]: bit or slot p of sketch i as a number, so that the distance of two sketches is the number of
 * places that differ; places is fp_layout.bits, or else .slots. FP_ERROR_RANGE for an arm with neither. */
fp_status fp_column_places(const fp_arm *arm, const fp_sketches *sketches, uint64_t *out, const fp_progress *progress,
                           fp_error *error);

/* ---- Keys: sketches with the same key in a table are candidates ---- */

/* For bits, "blocks=4" or "blocks=6,agree=3": a table for every choice of blocks that agree (Manku, Jain, Das Sarma,
 * WWW 2007); every pair within the distance is a candidate. For slots, "bands=16,rows=8": MinHash LSH (Broder 1997;
 * Indyk, Motwani, STOC 1998); a pair at the distance is a candidate with probability `recall`. */
typedef struct fp_key_design {
    char text[64];
    size_t tables;
    double within; /* the distance that it is designed for */
    double recall; /* P[a pair right at that distance is a candidate] */
} fp_key_design;

/* Parses the design `text`. If it is NULL, chooses one as `fplab dedup` does for `count` sketches, with at least the
 * given `recall`, in (0, 1] (bits: 1; where a linear scan is faster, within + 1 blocks). FP_ERROR_SYNTAX;
 * FP_ERROR_RANGE: a design that misses pairs of bits within the distance, that is larger than the sketch, or for an arm
 * without bits or slots, or a distance at which no keys help. */
fp_status fp_key_design_make(const fp_arm *arm, const char *text, double within, double recall, size_t count,
                             fp_key_design *design, fp_error *error);
/* keys[i · design->tables + t]: the key of sketch i in table t. For bits it is the bits of the key packed together, the
 * lowest first, or, for more than 64 bits, XXH3-64 of the 64-bit words under its mask, little-endian, with seed t. For
 * a band it is XXH3-64 of its slots, each as eight bytes, with seed t. The same on every machine. An empty sketch has
 * keys like any other: leave it out. */
fp_status fp_column_keys(const fp_arm *arm, const fp_key_design *design, const fp_sketches *sketches, uint64_t *keys,
                         const fp_progress *progress, fp_error *error);

/* ---- Graphs of near pairs, as in `fplab cluster` and `fplab dedup`. Positions are below `count` (FP_ERROR_RANGE) and
 * `count` is below 2^32 − 1 ---- */

/* of[i]: the smallest position connected with i by edges (a[k], b[k]); i itself if there is no smaller one. */
fp_status fp_cluster_edges(size_t count, const uint32_t *a, const uint32_t *b, size_t edges, uint32_t *of,
                           fp_error *error);

#define FP_KEPT UINT32_MAX
/* Processes positions in the order of `rank` (NULL: 0, 1, …; else a permutation). A position with an edge to an earlier
 * kept one is dropped. because[i]: the kept position nearest to the dropped i, ties by order; FP_KEPT if i is kept.
 * distance[i]: the distance to it; 0 if i is kept. An edge from a position to itself is ignored. */
fp_status fp_keep_edges(size_t count, const uint32_t *a, const uint32_t *b, const double *distances, size_t edges,
                        const uint32_t *rank, uint32_t *because, double *distance, fp_error *error);

/* ---- Near pairs within one column, found without comparing every pair (docs/finding.md) ---- */

/* The default arm and threshold of `fplab dedup` and `fplab cluster`, which verify each pair by the exact measure. */
#define FP_NEAR_ARM "minhash:slots=128"
#define FP_NEAR_THRESHOLD 25

/* May grow at the end; `size` is sizeof(fp_near_search), and zero members mean the defaults. */
typedef struct fp_near_search {
    size_t size;
    double within;        /* two texts are near up to this distance, 0 or more and below the largest */
    double recall;        /* for slots: the least P[a pair right at that distance is found]; 0: 0.99 */
    const uint32_t *rank; /* [count] a permutation: the order of preference of fp_near_keep; NULL: 0, 1, … */
    const int64_t *time;  /* [count] with `window`: milliseconds; a text with INT64_MIN is never within the window of
                             another */
    int64_t window;       /* texts further apart in time are not compared; 0: all are compared */
    /* Exact verification: a found pair counts only if the similarity that an exact arm (fp_arm_counterpart) measures is
     * at least `similarity`. `exact` holds the sketches of the same texts by that arm, in the same order. exact_arm
     * NULL: no verification. */
    const fp_arm *exact_arm;
    const fp_sketches *exact;
    double similarity;
} fp_near_search;

/* What a search did. */
typedef struct fp_near_report {
    char how[64];   /* "4 tables of blocks" */
    double recall;  /* P[a pair right at the distance is found]: 1 if certain */
    uint64_t pairs; /* of different sketches, after verification */
    uint64_t found; /* before verification */
} fp_near_report;

/* Empty sketches match nothing. `found` may be NULL. FP_ERROR_RANGE also for a distance below 0 or that all pairs have,
 * an invalid recall or rank, a window without times, or another number of exact sketches. */

/* because[count], distance[count] as for fp_keep_edges. */
fp_status fp_near_keep(const fp_arm *arm, const fp_sketches *sketches, const fp_near_search *search, uint32_t *because,
                       double *distance, fp_near_report *found, const fp_progress *progress, fp_error *error);

/* Connected near-duplicates (single linkage). */
typedef struct fp_cluster {
    uint32_t first;    /* its first text, which identifies it */
    uint32_t size;     /* ≥ 2 */
    uint32_t distinct; /* different sketches */
    /* The longest edge of its minimum spanning tree: without it the cluster would be disconnected. */
    uint32_t a, b;
    double distance;
} fp_cluster;

/* of[count] as for fp_cluster_edges; (*clusters)[*cluster_count] in `out`, the largest first, then by first text. */
fp_status fp_near_clusters(const fp_arm *arm, const fp_sketches *sketches, const fp_near_search *search, uint32_t *of,
                           fp_arena *out, const fp_cluster **clusters, size_t *cluster_count, fp_near_report *found,
                           const fp_progress *progress, fp_error *error);

/* A pair within the distance; a < b. */
typedef struct fp_neighbours {
    uint32_t a, b;
    double distance;
} fp_neighbours;

/* All pairs, equal sketches included, by a, then b: (*pairs)[*count] in `out`. Memory grows with their number. */
fp_status fp_near_edges(const fp_arm *arm, const fp_sketches *sketches, const fp_near_search *search, fp_arena *out,
                        const fp_neighbours **pairs, size_t *count, fp_near_report *found, const fp_progress *progress,
                        fp_error *error);

FP_END

#endif
