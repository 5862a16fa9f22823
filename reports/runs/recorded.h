/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * recorded.h - the contents of run.json, for repeating a run, and the comparison of two runs.
 */
#ifndef FP_RECORDED_H
#define FP_RECORDED_H

#include "reports/runs/run_manifest.h"
#include "reports/runs/run_table.h"

/* A sample of the non-duplicate pairs. */
typedef struct fp_recorded_draw {
    double all, near, drawn, weight, seed; /* weight 0: no sample */
    const char *counted; /* names, joined by commas, of the arms whose pairs were all counted; empty: none */
} fp_recorded_draw;

typedef struct fp_recorded_corpus {
    const char *name, *path, *documents_sha256;
    const char *pairs_sha256; /* empty without pairs.tsv */
    fp_recorded_draw negatives;
} fp_recorded_corpus;

/* A file named by arms: idf=, userdict=, stop=, terms=. */
typedef struct fp_recorded_input {
    const char *path;
    const char *sha256; /* of the unpacked content; empty: unknown, because it was not a regular file */
} fp_recorded_input;

typedef struct fp_recorded_arm {
    const char *spec, *name; /* the spec has every value written out */
    size_t seed_count;       /* consecutive hash seeds; 0: the spec sets the seed */
    uint64_t first_seed;
} fp_recorded_arm;

typedef struct fp_recorded {
    const char *directory;        /* directory of run.json */
    const char *version, *commit; /* empty: not recorded */
    const char *date;             /* ISO 8601 */
    const char *here;             /* working directory of the program */
    size_t argument_count;
    const char *const *arguments; /* the command's name first */
    size_t corpus_count;
    const fp_recorded_corpus *corpora;
    size_t arm_count;
    const fp_recorded_arm *arms;
    const char *seed;   /* of the bootstrap and of samples; NULL: not recorded */
    size_t input_count; /* also 0 in runs of earlier versions */
    const fp_recorded_input *inputs;
    double confidence;   /* of the intervals; 0: not recorded */
    bool documents;      /* documents are counted, not pairs */
    const char *tables;  /* checksums of the data tables as text, for comparison */
    const fp_json *json; /* run.json */
    fp_run_manifest manifest;
} fp_recorded;

/* Reads run.json, given its path or its directory, without checking the tables. FP_ERROR_IO, also if fplab did not
 * write it; FP_ERROR_SYNTAX (not JSON, or a member is missing). */
fp_status fp_recorded_describe(const char *path, fp_arena *arena, fp_recorded *run, fp_error *error);

/* The same for a run that is being written: its manifest has no files. */
fp_status fp_recorded_of(const fp_run_content *written, fp_arena *arena, fp_recorded *run, fp_error *error);

/* Like fp_recorded_describe, and checks the tables against run.json (fp_run_manifest_check). */
fp_status fp_recorded_read(const char *path, fp_arena *arena, fp_recorded *run, fp_error *error);

/* Checksum of the file now. *known is false if it is missing or not a regular file (reading a pipe would consume it).
 * FP_ERROR_IO, FP_ERROR_MEMORY. */
fp_status fp_recorded_checksum(const char *path, fp_arena *scratch, char sha256[65], bool *known, fp_error *error);

/* The comparison of one table of two runs. Timings are not compared: sketch_seconds and its interval, distance_seconds,
 * microseconds_per_document, microseconds_most, and front, which depends on them. */
typedef struct fp_recorded_difference {
    const char *table;
    size_t cells;      /* compared cells */
    size_t timings;    /* cells not compared */
    size_t differ;     /* cells that differ */
    const char *first; /* "row 3, f1: 0.71, now 0.72"; NULL: no difference */
} fp_recorded_difference;

/* Compares `table` of the directories cell by cell. A table that only `before` has counts as different. FP_ERROR_IO,
 * FP_ERROR_MEMORY. */
fp_status fp_recorded_compare(const char *before, const char *after, const char *table, fp_arena *arena,
                              fp_recorded_difference *difference, fp_error *error);

#endif
