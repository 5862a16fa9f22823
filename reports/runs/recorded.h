/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * recorded.h - what run.json says of a run, so that it can be repeated, and whether two runs found the same figures.
 */
#ifndef FP_RECORDED_H
#define FP_RECORDED_H

#include "reports/runs/run_manifest.h"
#include "reports/runs/run_table.h"

/* A sample of the pairs that are no duplicates. */
typedef struct fp_recorded_draw {
    double all, near, drawn, weight, seed; /* weight 0: there was none */
    const char *counted; /* the names of the arms of which all pairs are counted, with commas; empty: none */
} fp_recorded_draw;

typedef struct fp_recorded_corpus {
    const char *name, *path, *documents_sha256;
    const char *pairs_sha256; /* empty without pairs.tsv */
    fp_recorded_draw negatives;
} fp_recorded_corpus;

/* A file that arms read: idf=, userdict=, stop=, terms=. */
typedef struct fp_recorded_input {
    const char *path;
    const char *sha256; /* of what it holds, unpacked; empty: not known, it was no file */
} fp_recorded_input;

/* The seeds of its hash that an arm was measured under, one after the other; none where its spec names its own. */
typedef struct fp_recorded_seeds {
    size_t count;
    uint64_t first;
} fp_recorded_seeds;

typedef struct fp_recorded {
    const char *directory;        /* that holds run.json */
    const char *version, *commit; /* empty where run.json does not say */
    const char *date;             /* ISO 8601 */
    const char *here;             /* the directory the program ran in */
    size_t argument_count;
    const char *const *arguments; /* the command's name first */
    size_t corpus_count;
    const fp_recorded_corpus *corpora;
    size_t arm_count;
    const char *const *specs, *const *names; /* [arm_count] every value written out */
    const fp_recorded_seeds *seeds;          /* [arm_count] */
    const char *seed;                        /* of the bootstrap and of samples; NULL: the run records none */
    size_t input_count;                      /* 0 in runs of earlier versions, too */
    const fp_recorded_input *inputs;
    const char *tables;  /* their checksums as written, to be compared */
    const fp_json *json; /* run.json */
    fp_run_manifest manifest;
} fp_recorded;

/* Reads a run.json, or that of a directory, whatever has become of the tables. FP_ERROR_IO, also when it is not of
 * fplab; FP_ERROR_SYNTAX (not JSON, or a member is missing). */
fp_status fp_recorded_describe(const char *path, fp_arena *arena, fp_recorded *run, fp_error *error);

/* The same of a run that is being written: its manifest has no files. */
fp_status fp_recorded_of(const fp_run_content *written, fp_arena *arena, fp_recorded *run, fp_error *error);

/* The same as the first, of a run whose tables are those that run.json names (fp_run_manifest_check). */
fp_status fp_recorded_read(const char *path, fp_arena *arena, fp_recorded *run, fp_error *error);

/* What a file holds now; *known is false where it is not there or no file (a pipe would be read away). FP_ERROR_IO,
 * FP_ERROR_MEMORY. */
fp_status fp_recorded_checksum(const char *path, fp_arena *scratch, char sha256[65], bool *known, fp_error *error);

/* One table of two runs. Timings are left out: sketch_seconds and its interval, distance_seconds,
 * microseconds_per_document, microseconds_most, and front, which depends on them. */
typedef struct fp_recorded_difference {
    const char *table;
    size_t cells;      /* compared */
    size_t timings;    /* left out */
    size_t differ;     /* cells */
    const char *first; /* "row 3, f1: 0.71, now 0.72"; NULL: none differs */
} fp_recorded_difference;

/* Compares `table` of the directories cell by cell. A table that is only in `before` differs. FP_ERROR_IO,
 * FP_ERROR_MEMORY. */
fp_status fp_recorded_compare(const char *before, const char *after, const char *table, fp_arena *arena,
                              fp_recorded_difference *difference, fp_error *error);

#endif
