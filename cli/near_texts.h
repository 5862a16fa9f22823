/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * near_texts.h - what the commands that look for near-duplicates share: texts with what is known of them, an arm, and
 * the distance up to which two texts are called near-duplicates.
 */
#ifndef FP_NEAR_TEXTS_H
#define FP_NEAR_TEXTS_H

#include "algorithms/arms/pipeline.h"
#include "cli/choice.h"
#include "cli/read_entries.h"
#include "corpora/row.h"
#include "index/collection/near_join.h"

typedef struct fp_cli_near {
    /* As the command line has them; NULL where it has not. */
    const char *arm, *choice, *threshold, *model, *verify;
    fp_cli_entries texts;
    /* What they come to. */
    fp_arm *made;
    double within;
    bool chosen; /* `said` is what the choice says */
    fp_choice said;
    bool usual;   /* nobody has named an arm: FP_CLI_NEAR_USUAL */
    bool learned; /* the arm needs nothing more: it learns nothing, or has its model */
    /* --verify; `similarity` 0: nothing is verified. */
    fp_arm *exact; /* NULL: texts are aligned */
    double similarity;
} fp_cli_near;

/* The row of --verify where texts are at hand. */
#define FP_CLI_VERIFY_OPTION(near)                                                                                   \
    {                                                                                                                \
        "verify", 0, FP_TAKES_HINT(&(near).verify, "exact alignment none"),                                          \
            "look at each pair found again: exact (the exact measure must reach the threshold, too), alignment[:S] " \
            "(common passages are a share S of both texts, default 0.5), none (default: exact without --arm, else "  \
            "none)",                                                                                                 \
            "HOW"                                                                                                    \
    }
/* Takes --verify, once the arm is known. Returns −1, or the exit status. */
int fp_cli_near_verify(const fp_command *command, fp_cli_near *near, fp_arena *arena);
/* --verify alignment[:SHARE]: the least share of a text that a match must have in common passages; 0 where nothing is
 * asked. Returns −1, or the exit status. */
int fp_cli_verify(const fp_command *command, const char *how, double *least);
/* The join of the texts that were gathered, found with probability `recall`, within a window of time (0: none), which
 * verifies by *verify where that was asked; without a taker. */
struct fp_gathered;
fp_near_join fp_cli_near_joining(const fp_cli_near *near, const struct fp_gathered *gathered, double recall,
                                 int64_t window, fp_near_verify *verify);
/* The arm whose distances pairs have. */
const fp_arm *fp_cli_near_measured(const fp_cli_near *near);
/* The spec of the exact arm, "alignment" or "none": for run.json. */
const char *fp_cli_near_verifies(const fp_cli_near *near);
/* Says how many of the pairs found were verified; nothing where none were asked to be. */
void fp_cli_note_verified(const fp_cli_near *near, const fp_near_joined *joined);

/* What finds near-duplicates where nobody names an arm; docs/finding.md has its figures. */
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
        "model", 0, FP_TAKES_TEXT(&(near).model), "what the arm has learned (`fplab fingerprint --save-model`)",     \
            "FILE"                                                                                                   \
    }
/* The arm and the threshold; what stands in for a missing one is refused. Returns −1, or the exit status. */
int fp_cli_near_arm(const fp_command *command, fp_cli_near *near, fp_arena *arena);

/* Sketches all texts by the arm, which learns from them before where it has not learned yet: then they are read twice.
 * `take` finds the entry of position i by fp_entries_at. FP_ERROR_IO where they cannot be read twice. */
fp_status fp_cli_sketch_entries(const fp_cli_near *near, fp_entries *entries, fp_take_sketches take, void *context,
                                const fp_progress *progress, fp_arena *arena, fp_error *error);

/* --window SPAN, in milliseconds, and --recall P, above 0 and up to 1; NULL leaves what is there. Each returns −1, or
 * the exit status after telling the mistake. */
int fp_cli_window(const fp_command *command, const char *text, int64_t *window);
int fp_cli_recall(const fp_command *command, const char *text, double *recall);

/* A distance on the scale of the arm, with what it says of the texts: "3 bits of 64 (cosine 0.989)". */
const char *fp_cli_near_text(const fp_arm *arm, double distance, fp_arena *arena);

/* Says on standard error what to expect: how pairs were found and how sure that is, and the precision and the recall
 * that the choice promises. Returns the exit status. */
int fp_cli_near_expect(const fp_cli_near *near, const char *how, double recall, fp_arena *arena);

/* Says on standard error how many texts have no features for `who`, where some have none. */
void fp_cli_note_silent(size_t count, const char *who);

/* ---- the sketches of all texts of some inputs, with what is known of each text but the text itself. ---- */

typedef struct fp_gathered_text {
    fp_string id;
    uint32_t characters;
    double rank; /* NaN where the field that ranks is missing */
} fp_gathered_text;

typedef struct fp_gathered {
    size_t count;
    fp_sketches sketches;
    fp_sketches exact;  /* with near->similarity: of near->exact, or the texts */
    const bool *silent; /* [count] nothing is said of the text */
    size_t silent_count;
    fp_gathered_text *texts; /* [count] */
    int64_t *time;           /* [count] FP_TIME_NONE where nothing is known */
    fp_string *lines;        /* [count] as they stand in the files, where those cannot be read again; NULL */
    size_t skipped;
} fp_gathered;

/* Reads all texts and sketches them; an arm that has not learned yet learns from them first, for which they are read
 * twice. Duplicate ids are refused. Everything lives in `arena`. Returns −1, or the exit status. */
int fp_cli_gather(fp_cli_near *near, fp_entries *entries, fp_arena *arena, fp_gathered *gathered);

/* Calls `visit` for every text once more, in order, with its line: for what is chosen to be written. */
typedef fp_status (*fp_visit_line)(void *context, size_t position, fp_string line, fp_error *error);
fp_status fp_cli_gathered_lines(const fp_gathered *gathered, fp_entries *entries, fp_visit_line visit, void *context,
                                fp_error *error);

#endif
