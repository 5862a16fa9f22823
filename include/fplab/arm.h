/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * fplab/arm.h - arms: an algorithm with all its options.
 */
#ifndef FPLAB_ARM_H
#define FPLAB_ARM_H 1

#include <fplab/algorithm.h>
#include <fplab/segmenter.h>

FP_BEGIN

/* An arm is the unit that an experiment compares: algorithm, parameters, features and text treatment, written
 * "simhash:bits=64,features=words,weight=tfidf,name=ours". Opaque; made in an arena and released with it. */
typedef struct fp_arm fp_arm;

/* The built-in algorithms, by position; NULL past the end. */
const fp_algorithm *fp_algorithm_at(size_t index);
/* The family of a built-in algorithm: "baseline", "signs", "minhash", … NULL past the end. */
const char *fp_algorithm_family(size_t index);
/* Finds an algorithm by name; NULL and *error (with the nearest name) if there is none. */
const fp_algorithm *fp_algorithm_find(const char *name, fp_error *error);

/* Loads the shared object FILE, which exports `const fp_algorithm fp_plugin` built against these headers, of
 * FP_ABI_VERSION. It stays loaded for the life of the process. `arena` is used for the checks. Errors name the file:
 * FP_ERROR_IO (cannot be loaded), FP_ERROR_ABI (no fp_plugin, another version, missing or contradictory slots),
 * FP_ERROR_RANGE (a name that is not [a-z0-9_]+, an invalid parameter), FP_ERROR_DUPLICATE (the name of a built-in
 * algorithm). */
extern const fp_algorithm fp_plugin; /* defined by the plug-in, not by the library */
fp_status fp_plugin_load(const char *file, fp_arena *arena, const fp_algorithm **algorithm, fp_error *error);

/* Algorithms and segmenters in addition to the built-in ones; an algorithm takes precedence over a built-in one of the
 * same name. The lists may be NULL. The lists and the objects that they name must outlive the arms. */
typedef struct fp_extensions {
    size_t size;                           /* sizeof(fp_extensions) */
    const fp_algorithm *const *algorithms; /* terminated by NULL */
    const fp_segmenter *const *segmenters; /* terminated by NULL; chosen by segmenter=NAME */
} fp_extensions;

/* Parses `spec` into *arm, allocated in `arena`, with the additions of `extensions` (may be NULL). Reads the files that
 * the spec names; later calls do not read them. An arm that learns (fp_arm_learns) must be fitted before it sketches.
 * FP_ERROR_UNKNOWN with the nearest name, FP_ERROR_RANGE with the bounds, FP_ERROR_SYNTAX, FP_ERROR_DUPLICATE for a key
 * that is set twice or a segmenter with the name of a built-in one, FP_ERROR_EMPTY for a missing required file. Errors
 * in a file name it. */
fp_status fp_arm_parse(const char *spec, const fp_extensions *extensions, fp_arena *arena, fp_arm **arm,
                       fp_error *error);
/* True if the arm learns from a corpus: a fitted algorithm, or weights that use document frequencies of a corpus. */
bool fp_arm_learns(const fp_arm *arm);
/* Fits the arm to `count` texts (UTF-8, not normalised). ids[count] as in fp_arm_sketches; pairs[pair_count], which
 * refer to texts by position from 0, are for arms that learn from labels. Both may be NULL. If there are few texts,
 * fp_arm_caution reports it. FP_ERROR_EMPTY when there is nothing to learn a centre from, FP_ERROR_ENCODING,
 * FP_ERROR_RANGE for a pair that refers to a missing text. Uses as many threads as OMP_NUM_THREADS allows; they end
 * with the call. */
fp_status fp_arm_fit(fp_arm *arm, const fp_string *texts, const fp_string *ids, size_t count, const fp_pair *pairs,
                     size_t pair_count, fp_error *error);
/* A one-line warning for an arm that learned from too little, with the number of documents: fewer than 20 for document
 * frequencies (those of a file count too, and are reported before any fit); fewer than its least_documents for a fitted
 * algorithm; or pairs with a distance (fp_learning.pairs_known) that the last measured corpus does not label. NULL if
 * there is no warning. After several fits, reports the smallest. Lives as long as the arm. */
const char *fp_arm_caution(const fp_arm *arm);
/* Writes what a fitted arm has learned to a file: the version of the library, fp_arm_spec, document frequencies and the
 * algorithm's model, with a checksum. The file is complete or absent: it is written next to `path` and then renamed.
 * algorithms/arms/model.c describes the format. FP_ERROR_EMPTY if the arm is not fitted or learns nothing,
 * FP_ERROR_UNKNOWN if models of this algorithm cannot be saved, FP_ERROR_IO. */
fp_status fp_arm_save(const fp_arm *arm, const char *path, fp_error *error);
/* Loads a file of fp_arm_save, with the same effect as fp_arm_fit: sketches are the same to the last bit, on any
 * machine. The arm must have the same fp_arm_spec; files that the spec names must have the same content.
 * FP_ERROR_UNKNOWN: the model of another arm; FP_ERROR_ABI: another version of the format, written by an older or newer
 * library; FP_ERROR_SYNTAX: not a model, truncated or damaged; FP_ERROR_IO, FP_ERROR_RANGE (over 4 GiB). On failure the
 * arm is unchanged. */
fp_status fp_arm_load(fp_arm *arm, const char *path, fp_error *error);
/* The content of a fp_arm_save file as bytes in `arena`; and a fit from such bytes, like fp_arm_load. Errors as for
 * fp_arm_save and fp_arm_load, but without a file. */
fp_status fp_arm_model_bytes(const fp_arm *arm, fp_arena *arena, fp_string *bytes, fp_error *error);
fp_status fp_arm_take_model_bytes(fp_arm *arm, fp_string bytes, fp_error *error);
/* The spec of the arm that a model file belongs to, for fp_arm_parse; in `arena`. Errors as for fp_arm_load. */
fp_status fp_model_spec(const char *path, fp_arena *arena, const char **spec, fp_error *error);

/* Makes the sketch of one text (UTF-8, not normalised) in `out`; *sketch lives until `out` is reset or freed.
 * FP_ERROR_EMPTY: the arm must be fitted first; FP_ERROR_ENCODING, with the byte; FP_ERROR_RANGE: a text of 4 GiB or
 * more; errors of the algorithm and the segmenter. */
fp_status fp_arm_sketch(const fp_arm *arm, fp_string text, fp_arena *out, fp_sketch *sketch, fp_error *error);
/* Makes the sketches of `count` texts in `out`, with as many threads as fp_arm_fit; the result is the same for any
 * number of threads. ids[count] are the ids of the documents, which only the control arms read; NULL: each text is its
 * own id. Errors as for fp_arm_sketch; they name the position of the text, from 0. */
fp_status fp_arm_sketches(const fp_arm *arm, const fp_string *texts, const fp_string *ids, size_t count, fp_arena *out,
                          fp_sketches *sketches, fp_error *error);
/* The features of one text as the algorithm sees them, with their terms, in `out`. Empty if it reads no features.
 * Errors as for fp_arm_sketch. */
fp_status fp_arm_features(const fp_arm *arm, fp_string text, fp_arena *out, fp_features *features, fp_error *error);

/* The distance of two sketches of the arm, on the scale of fp_arm_layout; the largest if either is empty. */
double fp_arm_distance(const fp_arm *arm, fp_sketch a, fp_sketch b);
/* The distances of one sketch to sketches first … first + count − 1 of `many`, into out[count]: equal to
 * fp_arm_distance to the last bit, and often much faster. */
void fp_arm_distances(const fp_arm *arm, fp_sketch query, const fp_sketches *many, size_t first, size_t count,
                      double *out);
/* If fp_arm_layout(arm)->stored > 0 (simhash:query=real): the distances of a sketch to stored sides, of which only the
 * first `stored` bytes are read; fp_arm_distance combines both directions. Otherwise the distances of fp_arm_distances.
 * Distances above `within` become infinity: a small `within` makes a scan many times as fast. */
void fp_arm_query_distances(const fp_arm *arm, fp_sketch query, const fp_sketches *stored, size_t first, size_t count,
                            double within, double *out);
/* A block of the distance matrix: out[i · column_count + j] is the distance of sketch first_row + i of `rows` and
 * sketch first_column + j of `columns`, which may be the same sketches. Several threads may compute blocks at once. */
void fp_arm_distance_block(const fp_arm *arm, const fp_sketches *rows, size_t first_row, size_t row_count,
                           const fp_sketches *columns, size_t first_column, size_t column_count, double *out);

/* The similarity that the arm estimates: the name of the measure ("cosine", "Jaccard"), or "" if there is none; its
 * value at a distance; and P[distance ≤ h] when the true value is `similarity`, by the law of the fingerprint
 * (fp_algorithm.citation). NaN if the algorithm defines none. */
const char *fp_arm_measure(const fp_arm *arm);
double fp_arm_similarity(const fp_arm *arm, double distance);
double fp_arm_law(const fp_arm *arm, double similarity, double h);
/* Sizes and scale. Lives as long as the arm. */
const fp_layout *fp_arm_layout(const fp_arm *arm);
/* The arm that measures exactly, on the same features, what `arm` estimates (fp_algorithm.counterpart), in `arena`.
 * *counterpart is NULL if there is none, or if the algorithm is fitted, since its model changes what the arm estimates.
 * It reads no file of the arm's text and features again, and must not outlive `arm`. It learns its own weights
 * (fp_arm_learns). Errors as for fp_arm_parse. */
fp_status fp_arm_counterpart(const fp_arm *arm, fp_arena *arena, fp_arm **counterpart, fp_error *error);
/* The sketch as text: in the algorithm's own notation, else in hexadecimal (bits: the highest first). NULL when there
 * is no memory. */
const char *fp_arm_text(const fp_arm *arm, fp_sketch sketch, fp_arena *arena);
/* Writes the steps from texts[count], one or two, to their sketches. For two texts it also explains their distance,
 * which is the last step. sketches[count] may be NULL; they live as long as the explanation. FP_ERROR_UNKNOWN if the
 * algorithm has no explanation, FP_ERROR_EMPTY if the arm is not fitted, FP_ERROR_RANGE if the algorithm breaks its
 * contract on the two. */
fp_status fp_arm_explain(const fp_arm *arm, const fp_string *texts, size_t count, fp_explanation *explanation,
                         fp_sketch *sketches, fp_error *error);

/* Label (name=… of the spec, else the spec as written) and the full canonical spec with every value. */
const char *fp_arm_name(const fp_arm *arm);
const char *fp_arm_spec(const fp_arm *arm);

FP_END

#endif
