/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * fplab/arm.h - arms: an algorithm with all its choices.
 */
#ifndef FPLAB_ARM_H
#define FPLAB_ARM_H 1

#include <fplab/algorithm.h>
#include <fplab/segmenter.h>

FP_BEGIN

/* An arm is what an experiment compares: algorithm, parameters, features and text treatment, written
 * "simhash:bits=64,features=words,weight=tfidf,name=ours". Opaque; made in an arena and released with it. */
typedef struct fp_arm fp_arm;

/* The registered algorithms, by position; NULL past the end. */
const fp_algorithm *fp_algorithm_at(size_t index);
/* By name; NULL and *error (with the nearest name) when there is none. */
const fp_algorithm *fp_algorithm_find(const char *name, fp_error *error);

/* Loads the shared object FILE, which exports `const fp_algorithm fp_plugin` built against these headers, of
 * FP_ABI_VERSION. It stays loaded for the life of the process. `arena` is used for the checks. Errors: FP_ERROR_IO
 * (cannot be loaded), FP_ERROR_ABI (no fp_plugin, another version, a required slot is NULL), FP_ERROR_RANGE (a
 * parameter whose default breaks its own bounds, or a name that is not [a-z0-9_]+), FP_ERROR_DUPLICATE (the name of a
 * built-in algorithm). The file is named. */
extern const fp_algorithm fp_plugin; /* a plug-in defines it; the library does not */
fp_status fp_plugin_load(const char *file, fp_arena *arena, const fp_algorithm **algorithm, fp_error *error);

/* Algorithms and segmenters besides the registered ones. The lists, each of which may be NULL, and what they name live
 * as long as the arms. */
typedef struct fp_extensions {
    size_t size;                           /* sizeof(fp_extensions) */
    const fp_algorithm *const *algorithms; /* ended by NULL */
    const fp_segmenter *const *segmenters; /* ended by NULL; chosen by segmenter=NAME */
} fp_extensions;

/* Parses `spec` into *arm, allocated in `arena`, with what `extensions` adds (NULL: nothing). Files that the spec names
 * are read here, and not again. An arm that learns (fp_arm_learns) must be fitted before it sketches. FP_ERROR_UNKNOWN
 * with the nearest name, FP_ERROR_RANGE with the bounds, FP_ERROR_SYNTAX, FP_ERROR_DUPLICATE for a key that is set
 * twice or an extension with the name of a registered one, FP_ERROR_EMPTY for a required file; errors of a file name
 * it. */
fp_status fp_arm_parse(const char *spec, const fp_extensions *extensions, fp_arena *arena, fp_arm **arm,
                       fp_error *error);
/* True when the arm learns from a corpus: a fitted algorithm, or weights that use a corpus's document frequencies. */
bool fp_arm_learns(const fp_arm *arm);
/* Learns from `count` texts (UTF-8, not normalised). ids[count] as in fp_arm_sketches; pairs[pair_count], which count
 * the texts from 0, are for arms that learn from labels; both may be NULL. Where texts are fewer than the stated least,
 * fp_arm_caution reports it. FP_ERROR_EMPTY when a centre has nothing to learn from, FP_ERROR_ENCODING, FP_ERROR_RANGE
 * for a pair of a text that is not there. Uses as many threads as OMP_NUM_THREADS allows, which end with the call. */
fp_status fp_arm_fit(fp_arm *arm, const fp_string *texts, const fp_string *ids, size_t count, const fp_pair *pairs,
                     size_t pair_count, fp_error *error);
/* What the user must know of an arm that learned from too little, in one line that names the number of documents: of
 * document frequencies (fewer than 20; those of a file count, and are reported before any fit), or of what the
 * algorithm fits (fewer than its least_documents); or of pairs with a distance (fp_learning.pairs_known) that the
 * corpus last measured does not label. NULL when there is nothing to say. After several fits, reports the smallest.
 * Lives as long as the arm. */
const char *fp_arm_caution(const fp_arm *arm);
/* Writes what a fitted arm has learned to a file, whole or not at all (the file is written beside its place, and then
 * takes it): the version of the library, fp_arm_spec, document frequencies and the algorithm's model, with a checksum.
 * algorithms/arms/model.c describes the format. FP_ERROR_EMPTY where nothing was learned or is to be learned,
 * FP_ERROR_UNKNOWN where the algorithm's models are not saved, FP_ERROR_IO. */
fp_status fp_arm_save(const fp_arm *arm, const char *path, fp_error *error);
/* Takes what fp_arm_save wrote, as fp_arm_fit would have learned it: sketches are the same to the last bit, on any
 * machine. The arm has the same fp_arm_spec; files that it names must still hold the same. FP_ERROR_UNKNOWN: the model
 * of another arm; FP_ERROR_ABI: of another form of the file, as an older or newer library may write it;
 * FP_ERROR_SYNTAX: no model, cut off or damaged; FP_ERROR_IO, FP_ERROR_RANGE (over 4 GiB). On failure the arm is
 * unchanged. */
fp_status fp_arm_load(fp_arm *arm, const char *path, fp_error *error);
/* What fp_arm_save writes, in `arena`, and taking it as fp_arm_load does. Errors as theirs, without a file. */
fp_status fp_arm_model_bytes(const fp_arm *arm, fp_arena *arena, fp_string *bytes, fp_error *error);
fp_status fp_arm_take_model_bytes(fp_arm *arm, fp_string bytes, fp_error *error);
/* The spec of the arm whose model a file is, for fp_arm_parse; in `arena`. Errors as in fp_arm_load. */
fp_status fp_model_spec(const char *path, fp_arena *arena, const char **spec, fp_error *error);

/* The sketch of one text, in `out`, which the caller owns and which keeps *sketch alive until its reset. */
fp_status fp_arm_sketch(const fp_arm *arm, fp_string text, fp_arena *out, fp_sketch *sketch, fp_error *error);
/* The sketches of `count` texts, in `out`, with as many threads as fp_arm_fit; the same for any number of them.
 * ids[count] are the ids of the documents, which only the controls read; NULL: each text is its own id. An error names
 * the text by its place, from 0, and its byte. */
fp_status fp_arm_sketches(const fp_arm *arm, const fp_string *texts, const fp_string *ids, size_t count, fp_arena *out,
                          fp_sketches *sketches, fp_error *error);
/* The features of one text as the algorithm sees them, with their terms, in `out`. None where the algorithm reads no
 * features. */
fp_status fp_arm_features(const fp_arm *arm, fp_string text, fp_arena *out, fp_features *features, fp_error *error);

/* The distance of two of the arm's sketches, on the scale of fp_arm_layout; the largest where one of them is empty. */
double fp_arm_distance(const fp_arm *arm, fp_sketch a, fp_sketch b);
/* The distances of one sketch to sketches first … first + count − 1 of `many`, into out[count]: equal to
 * fp_arm_distance to the last bit, and often much faster. */
void fp_arm_distances(const fp_arm *arm, fp_sketch query, const fp_sketches *many, size_t first, size_t count,
                      double *out);
/* A block of the matrix of distances: out[i · column_count + j] is that of sketch first_row + i of `rows` and sketch
 * first_column + j of `columns`, which may be the same sketches. Blocks may be asked for by several threads. */
void fp_arm_distance_block(const fp_arm *arm, const fp_sketches *rows, size_t first_row, size_t row_count,
                           const fp_sketches *columns, size_t first_column, size_t column_count, double *out);

/* The similarity that the arm estimates: the name of the measure ("cosine", "Jaccard"), "" where there is
 * none; its value at a distance; and P[distance ≤ h] where the true value is `similarity`, by the law of the
 * fingerprint (fp_algorithm.citation). NaN where the algorithm has none. */
const char *fp_arm_measure(const fp_arm *arm);
double fp_arm_similarity(const fp_arm *arm, double distance);
double fp_arm_law(const fp_arm *arm, double similarity, double h);
/* Sizes and scale. Lives as long as the arm. */
const fp_layout *fp_arm_layout(const fp_arm *arm);
/* The arm that measures exactly, on the same features, what `arm` estimates (fp_algorithm.counterpart), in `arena`;
 * NULL in *counterpart where none does, and of an arm whose algorithm is fitted, since its model moves what it
 * estimates. It learns weights of its own (fp_arm_learns). Errors as of fp_arm_parse. */
fp_status fp_arm_counterpart(const fp_arm *arm, fp_arena *arena, fp_arm **counterpart, fp_error *error);
/* The sketch as text: as the algorithm writes it, else in hexadecimal (bits: the highest first). NULL when there is no
 * memory. */
const char *fp_arm_text(const fp_arm *arm, fp_sketch sketch, fp_arena *arena);
/* Writes the steps from texts[count], one or two, to their sketches, and for two where their distance comes from; the
 * last step is the distance. sketches[count], which may be NULL: they live as long as the explanation.
 * FP_ERROR_UNKNOWN where the algorithm does not explain itself, FP_ERROR_EMPTY where the arm is not fitted,
 * FP_ERROR_RANGE where the algorithm breaks its promises on the two. */
fp_status fp_arm_explain(const fp_arm *arm, const fp_string *texts, size_t count, fp_explanation *explanation,
                         fp_sketch *sketches, fp_error *error);

/* Label (the name=… of the spec, else the spec as written) and the full canonical spec with every value. */
const char *fp_arm_name(const fp_arm *arm);
const char *fp_arm_spec(const fp_arm *arm);

FP_END

#endif
