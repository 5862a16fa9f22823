/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * fplab/sketch.h - fingerprints, one and many, and what they look like.
 */
#ifndef FPLAB_SKETCH_H
#define FPLAB_SKETCH_H 1

#include <stdbool.h>
#include <stdint.h>
#include <stddef.h>
#include <fplab/version.h>

FP_BEGIN

/* A fingerprint: `size` bytes, aligned to 8 where the lab stores it. An empty sketch has no features: the text has
 * none that the arm reads (no word, no Han character), or none was sampled. It is no evidence: its distance from every
 * sketch is the largest, from another empty one too (fp_arm_distance). `empty` is its only mark: the bytes may equal
 * those of a sketch with features. */
typedef struct fp_sketch {
    const void *data;
    size_t size;
    bool empty;
} fp_sketch;

/* What the sketches and distances of an arm look like; filled by fp_algorithm.layout. */
typedef struct fp_layout {
    size_t bytes;   /* size of every sketch, a multiple of 8 for bit fingerprints; 0 when sketches vary in size */
    size_t bits;    /* > 0: the distance is the Hamming distance of this many bits in 64-bit words, unused bits zero */
    double payload; /* bytes of information where packing is tighter than `bytes` (20 bits are 2.5); 0 where it is not;
                       of `stored` where that is set */
    double maximum; /* the largest distance */
    bool integral;  /* distances are whole numbers */
    char scale[32]; /* the unit a distance is read in: "bits of 64", "slots of 64", "levels of 60" */
    char measure[32]; /* what fp_algorithm.similarity gives under these parameters, where it is not
                         fp_algorithm.measure; else empty */
    /* > 0: the distance is the number of slots that differ, of this many in `bytes` bytes. Slot i is the i-th integer
     * of 32 or 64 bits, or, for other widths, bits i·slot_bits … (i + 1)·slot_bits − 1 of the 64-bit words, the lowest
     * first; where `planar`, bit i % 64 of each of the words i/64·slot_bits … i/64·slot_bits + slot_bits − 1. */
    size_t slots;
    size_t slot_bits;
    bool planar;
    /* > 0: a sketch has two sides. Its first so many bytes are all that a store of sketches need keep, and equal those
     * of the algorithm's own form without sides; the rest is what a query knows beyond them
     * (fp_algorithm.query_distances). The distance of two sketches is that of both directions. Then bits = slots = 0.
     * 0: there is one side. */
    size_t stored;
} fp_layout;

/* Sketches of many documents. Fixed: fp_layout.bytes at data + i·stride; the lab's own lie side by side (the stride is
 * fp_layout.bytes), and functions of fplab/arm.h also take a column of longer records, each sketch aligned to 8.
 * Variable: data + offset[i] … offset[i+1], each start aligned to 8, size[i] bytes used. */
typedef struct fp_sketches {
    size_t count;
    size_t stride; /* 0 when variable */
    const unsigned char *data;
    const size_t *offset; /* [count + 1], NULL when fixed */
    const size_t *size;   /* [count], NULL when fixed */
    const bool *empty;    /* [count], as fp_sketch.empty; NULL: none is */
} fp_sketches;

/* The i-th sketch; i < count. Of a column of records it is the rest of the record as well, which functions of
 * fplab/arm.h do not read. */
static inline fp_sketch fp_sketches_at(const fp_sketches *sketches, size_t i) {
    fp_sketch sketch;
    sketch.data = sketches->data + (sketches->stride ? i * sketches->stride : sketches->offset[i]);
    sketch.size = sketches->stride ? sketches->stride : sketches->size[i];
    sketch.empty = sketches->empty && sketches->empty[i];
    return sketch;
}

/* How the values of a key that two sparse vectors share are joined: 1, a·b, or min(a, b). */
typedef enum fp_join { FP_JOIN_COUNT, FP_JOIN_PRODUCT, FP_JOIN_MINIMUM } fp_join;

/* A sketch read as a sparse vector; points into the sketch. */
typedef struct fp_vector {
    size_t count;
    size_t step;         /* bytes from one key to the next, and from one value to the next */
    const uint64_t *key; /* ascending, no key twice */
    const double *value; /* > 0; not read by FP_JOIN_COUNT */
    double total; /* what fp_algorithm.joined wants to know of the sketch beside `count`: the sum of its weights, … */
} fp_vector;

FP_END

#endif
