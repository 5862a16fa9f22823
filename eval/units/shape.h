/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * shape.h - division of a corpus into parts, and samples of a corpus. Documents connected by groups and positive pairs
 * (sampling_units.h) are a unit and stay together. The random number of a unit depends only on the seed and on its
 * smallest id in byte order, not on the order of the corpus.
 */
#ifndef FP_SHAPE_H
#define FP_SHAPE_H

#include "corpora/corpus.h"
#include "eval/units/sampling_units.h"

/* The strata of units; every part gets its share of each stratum. */
typedef enum fp_stratum_of {
    FP_STRATUM_NONE,
    FP_STRATUM_KIND,  /* of most of its labelled pairs; the smaller name where two are as many */
    FP_STRATUM_FIELD, /* the value of most of its documents */
    FP_STRATUM_LENGTH /* log2 of the mean number of characters, rounded down */
} fp_stratum_of;

typedef struct fp_shape_split_options {
    const double *shares; /* [part_count] above 0, of any sum */
    size_t part_count;    /* 2 to FP_SPLIT_PARTS */
    fp_stratum_of by;
    const fp_corpus_field *field; /* for FP_STRATUM_FIELD */
    uint64_t seed;
} fp_shape_split_options;
enum { FP_SPLIT_PARTS = 100 };

/* The part of each document. */
typedef struct fp_shape {
    size_t part_count;
    size_t unit_count;
    const uint8_t *part; /* [document_count] FP_SHAPE_NONE: nowhere */
    const bool *pairs;   /* [pair_count] pairs kept, of those whose documents are both kept; NULL: all */
    size_t *documents;   /* [part_count] */
    size_t *units;       /* [part_count] */
    size_t crossing;     /* pairs whose documents go to two parts: they are in none */
} fp_shape;
enum { FP_SHAPE_NONE = 255 };

/* Without strata, a unit's part is where its random number, uniform from 0 to 1, falls among the shares, independently
 * of other units; sizes vary. With strata, the units of each stratum, largest first, ties by their numbers, go to the
 * part that lacks most documents of its share: sizes are right in each stratum. In `arena`. FP_ERROR_EMPTY: a part gets
 * no document. */
fp_status fp_shape_split(const fp_corpus *corpus, const fp_shape_split_options *options, fp_arena *arena,
                         fp_shape *shape, fp_error *error);

typedef enum fp_sampled { FP_SAMPLED_DOCUMENTS, FP_SAMPLED_UNITS, FP_SAMPLED_PAIRS } fp_sampled;

/* One part: the `count` documents, units or labelled pairs of the smallest numbers, so that a smaller sample is within
 * a larger one of the same seed; all where there are no more. Of documents, the pairs among them; of pairs, their
 * documents and no other pairs. */
fp_status fp_shape_sample(const fp_corpus *corpus, fp_sampled what, size_t count, uint64_t seed, fp_arena *arena,
                          fp_shape *shape, fp_error *error);

/* As fp_shape_sample of pairs, but at most this many of each label, and only while the documents together have at most
 * `characters`: kept[] are their positions among the pairs of the corpus, ascending. */
fp_status fp_pairs_draw(const fp_corpus *corpus, size_t each, size_t characters, uint64_t seed, fp_arena *arena,
                        uint32_t **kept, size_t *count, fp_error *error);
/* The corpus of only these pairs and their documents, in `arena`. */
fp_status fp_pairs_part(const fp_corpus *corpus, const uint32_t *pairs, size_t count, fp_arena *arena, fp_corpus *part,
                        fp_error *error);

/* Writes one part as a corpus into an existing directory: lines unchanged, pairs with labels and kinds, MANIFEST.json
 * with the name "NAME, PART" and the contents of the corpus's manifest. *pairs: written. Errors as of
 * fp_corpus_each_line and fp_corpus_writer_finish. */
fp_status fp_shape_write(const fp_corpus *corpus, const fp_shape *shape, size_t part, const char *called,
                         const char *directory, fp_arena *arena, size_t pairs[2], fp_error *error);

/* ---- Random numbers for sampling documents, units and pairs ---- */

/* The units of a corpus, and the key of the smallest id of each. In `arena`. */
fp_status fp_shape_units(const fp_corpus *corpus, uint64_t seed, fp_arena *arena, fp_components *units, uint64_t **keys,
                         fp_error *error);

#endif
