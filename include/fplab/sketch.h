/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * fplab/sketch.h - fingerprints, one or many, and their layout.
 */
#ifndef FPLAB_SKETCH_H
#define FPLAB_SKETCH_H 1

#include <stdbool.h>
#include <stdint.h>
#include <stddef.h>
#include <fplab/version.h>

FP_BEGIN

/* A fingerprint: `size` bytes, aligned to 8 where the library stores it. An empty sketch has no features: the arm finds
 * none in the text (no word, no Han character), or samples none. It is no evidence: its distance from every sketch,
 * including another empty one, is the largest (fp_arm_distance). Only `empty` marks it: the bytes may equal those of a
 * sketch with features. */
typedef struct fp_sketch {
    const void *data;
    size_t size;
    bool empty;
} fp_sketch;

/* Layout of the sketches and scale of the distances of an arm; filled by fp_algorithm.layout. */
typedef struct fp_layout {
    size_t bytes;   /* size of every sketch, a multiple of 8 for bit fingerprints; 0 when sketches vary in size */
    size_t bits;    /* > 0: the distance is the Hamming distance of this many bits in 64-bit words, unused bits zero */
    double payload; /* bytes of information if tighter packing than `bytes` is possible (20 bits are 2.5), else 0;
                       refers to `stored` if that is set */
    double maximum; /* the largest distance */
    bool integral;  /* distances are integers */
    char scale[32]; /* the unit of distances: "bits of 64", "slots of 64", "levels of 60" */
    char measure[32]; /* the measure of fp_algorithm.similarity under these parameters if it differs from
                         fp_algorithm.measure; else empty */
    /* > 0: the distance is the number of slots that differ, out of this many in `bytes` bytes. Slot i is the i-th
     * integer of 32 or 64 bits, or, for other widths, bits i·slot_bits … (i + 1)·slot_bits − 1 of the 64-bit words, the
     * lowest first; if `planar`, bit i % 64 of each of the words i/64·slot_bits … i/64·slot_bits + slot_bits − 1. */
    size_t slots;
    size_t slot_bits;
    bool planar;
    /* > 0: a sketch has two sides. The stored side is its first `stored` bytes, which are all that a store of sketches
     * needs to keep; they equal the sketch that the algorithm makes without sides. The rest is used only for queries
     * (fp_algorithm.query_distances). The distance of two sketches combines both directions. Then bits = slots = 0. 0:
     * there is one side. */
    size_t stored;
} fp_layout;

/* Sketches of many documents. Fixed size: fp_layout.bytes at data + i·stride; the library's own are contiguous (the
 * stride is fp_layout.bytes), and functions of fplab/arm.h also take a column of longer records, each sketch aligned to
 * 8. Variable size: data + offset[i] … offset[i+1], each start aligned to 8, size[i] bytes used. */
typedef struct fp_sketches {
    size_t count;
    size_t stride; /* 0 when variable */
    const unsigned char *data;
    const size_t *offset; /* [count + 1], NULL when fixed */
    const size_t *size;   /* [count], NULL when fixed */
    const bool *empty;    /* [count], as fp_sketch.empty; NULL: no sketch is empty */
} fp_sketches;

/* The i-th sketch; i < count. In a column of records its size includes the rest of the record, which functions of
 * fplab/arm.h do not read. */
static inline fp_sketch fp_sketches_at(const fp_sketches *sketches, size_t i) {
    fp_sketch sketch;
    sketch.data = sketches->data + (sketches->stride ? i * sketches->stride : sketches->offset[i]);
    sketch.size = sketches->stride ? sketches->stride : sketches->size[i];
    sketch.empty = sketches->empty && sketches->empty[i];
    return sketch;
}

/* How the values of a key in both of two sparse vectors are joined: 1, a·b, or min(a, b). */
typedef enum fp_join { FP_JOIN_COUNT, FP_JOIN_PRODUCT, FP_JOIN_MINIMUM } fp_join;

/* A sketch as a sparse vector; points into the sketch. */
typedef struct fp_vector {
    size_t count;
    size_t step;         /* bytes from one key to the next, and from one value to the next */
    const uint64_t *key; /* ascending, unique */
    const double *value; /* > 0; not read by FP_JOIN_COUNT */
    double total;        /* what fp_algorithm.joined needs of the sketch besides `count`: the sum of its weights, … */
} fp_vector;

FP_END

#endif
