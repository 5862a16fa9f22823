/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * near_texts.h - shared by the commands that find near-duplicates: texts with their metadata, an arm, and the
 * distance threshold of near-duplicates.
 */
#ifndef FP_NEAR_TEXTS_H
#define FP_NEAR_TEXTS_H

#include "algorithms/arms/pipeline.h"
#include "cli/choice.h"
#include "cli/read_entries.h"
#include "corpora/row.h"
#include "index/collection/keep.h"

typedef struct fp_cli_near {
    /* Values from the command line; NULL: not given. */
    const char *arm, *choice, *threshold, *model, *verify;
    fp_cli_entries texts;
    /* The resolved values. */
    fp_arm *made;
    double within;
    bool chosen; /* `saved` is the choice */
    fp_choice saved;
    bool usual;   /* no arm was given: FP_CLI_NEAR_USUAL */
    bool learned; /* the arm learns nothing, or already has its model */
    /* --verify; `similarity` 0: no verification. */
    fp_arm *exact; /* NULL: texts are aligned */
    double similarity;
} fp_cli_near;

/* The row of --verify for commands that have the texts. */
#define FP_CLI_VERIFY_OPTION(near)                                                                                  \
    {                                                                                                               \
        "verify", 0, FP_TAKES_HINT(&(near).verify, "exact alignment none"),                                         \
            "check each pair found: exact (the exact measure must reach the threshold, too), alignment[:S] "        \
            "(common passages are a share S of both texts, default 0.5), none (default: exact without --arm, else " \
            "none)",                                                                                                \
            "HOW"                                                                                                   \
    }
/* Sets --verify; call after the arm is set. Returns the exit status. */
int fp_cli_near_verify(const fp_command *command, fp_cli_near *near, fp_arena *arena);
/* --verify alignment[:SHARE]: the smallest share of a text in common passages for a match; 0: not requested. Returns
 * the exit status. */
int fp_cli_verify(const fp_command *command, const char *how, double *least);
/* The join of the gathered texts, with recall probability `recall`, within a time window (0: no window). Verifies
 * with *verify if requested. The caller sets the callback. */
struct fp_gathered;
fp_near_join fp_cli_near_joining(const fp_cli_near *near, const struct fp_gathered *gathered, double recall,
                                 int64_t window, fp_near_verify *verify);
/* The arm whose distances the pairs have. */
const fp_arm *fp_cli_near_measured(const fp_cli_near *near);
/* The spec of the exact arm, "alignment" or "none": for run.json. */
const char *fp_cli_near_verifies(const fp_cli_near *near);
/* Reports how many of the found pairs were verified; prints nothing without verification. */
void fp_cli_note_verified(const fp_cli_near *near, const fp_near_joined *joined);

/* The default arm for near-duplicates; docs/finding.md has its figures. */
#define FP_CLI_NEAR_USUAL FP_NEAR_ARM
#define FP_CLI_NEAR_USUAL_THRESHOLD "25"
#define FP_CLI_NEAR_USUAL_HELP \
    "algorithm:key=value,…, or @FILE (default: " FP_CLI_NEAR_USUAL " at " FP_CLI_NEAR_USUAL_THRESHOLD ")"

/* Rows for an option table: the arm and the threshold. */
#define FP_CLI_NEAR_OPTIONS(near)                                                                                    \
    {"arm", 'a', FP_TAKES_TEXT(&(near).arm), FP_CLI_NEAR_USUAL_HELP, "SPEC"},                                        \
        {"threshold", 'd', FP_TAKES_TEXT(&(near).threshold), "texts at a distance of at most H are near-duplicates", \
         "H"},                                                                                                       \
        {"choice", 0, FP_TAKES_TEXT(&(near).choice), "instead of both: what `fplab tune --save` wrote", "FILE"}, {   \
        "model", 0, FP_TAKES_TEXT(&(near).model), "the model of the arm (`fplab fingerprint --save-model`)", "FILE"  \
    }
/* Sets the arm and the threshold; refuses a missing one. Returns the exit status. */
int fp_cli_near_arm(const fp_command *command, fp_cli_near *near, fp_arena *arena);

/* Sketches all texts by the arm. An arm that has not learned yet learns from them first, so they are read twice.
 * `take` finds the entry of position i by fp_entries_at. FP_ERROR_IO: when they cannot be read twice. */
fp_status fp_cli_sketch_entries(const fp_cli_near *near, fp_entries *entries, fp_take_sketches take, void *context,
                                const fp_progress *progress, fp_arena *arena, fp_error *error);

/* --window SPAN, in milliseconds, and --recall P, above 0 and up to 1; NULL keeps the default. Each returns
 * the exit status after reporting the mistake. */
int fp_cli_window(const fp_command *command, const char *text, int64_t *window);
int fp_cli_recall(const fp_command *command, const char *text, double *recall);

/* A distance on the scale of the arm, with the similarity: "3 bits of 64 (cosine 0.989)". */
const char *fp_cli_near_text(const fp_arm *arm, double distance, fp_arena *arena);

/* Reports on standard error how pairs are found and with what recall, and the precision and recall promised by the
 * choice. Always returns FP_EXIT_SUCCESS. */
int fp_cli_near_expect(const fp_cli_near *near, const char *how, double recall, fp_arena *arena);

/* Reports on standard error how many texts have no features for `who`, if there are any. */
void fp_cli_warn_empty(size_t count, const char *who);

/* ---- Sketches of all texts of some inputs, with metadata but without the texts ---- */

typedef struct fp_gathered_text {
    fp_string id;
    uint32_t characters;
    double rank; /* NaN if the ranking field is missing */
} fp_gathered_text;

typedef struct fp_gathered {
    size_t count;
    fp_sketches sketches;
    fp_sketches exact; /* with near->similarity: of near->exact, or the texts */
    const bool *empty; /* [count] the text has no features */
    size_t empty_count;
    fp_gathered_text *texts; /* [count] */
    int64_t *time;           /* [count] FP_TIME_NONE if unknown */
    fp_string *lines;        /* [count] lines of the files, if those cannot be read again; else NULL */
    size_t skipped;
} fp_gathered;

/* Reads all texts and sketches them. An arm that has not learned yet learns from them first, so they are read twice.
 * Refuses duplicate ids. Everything lives in `arena`. Returns the exit status. */
int fp_cli_gather(fp_cli_near *near, fp_entries *entries, fp_arena *arena, fp_gathered *gathered);

/* Calls `visit` for every text again, in order, with its line, to write a selection. */
typedef fp_status (*fp_visit_line)(void *context, size_t position, fp_string line, fp_error *error);
fp_status fp_cli_gathered_lines(const fp_gathered *gathered, fp_entries *entries, fp_visit_line visit, void *context,
                                fp_error *error);

#endif
