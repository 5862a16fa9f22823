/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * gathered.h - the sketches of all texts of some inputs, with what is known of each text but the text itself.
 */
#ifndef FP_CLI_GATHERED_H
#define FP_CLI_GATHERED_H

#include "algorithms/arms/pipeline.h"
#include "cli/near/near_texts.h"
#include "corpora/row.h"

typedef struct fp_gathered_text {
    fp_string id;
    uint32_t characters;
    double rank; /* NaN where the field that ranks is missing */
} fp_gathered_text;

typedef struct fp_gathered {
    size_t count;
    fp_sketches sketches;
    const bool *silent; /* [count] nothing is said of the text */
    size_t silent_count;
    fp_gathered_text *texts; /* [count] */
    int64_t *time;           /* [count] FP_TIME_NONE where nothing is known */
    fp_string *lines;        /* [count] as they stand in the files, where those cannot be read again; NULL */
    size_t skipped;
} fp_gathered;

/* Reads all texts and sketches them; an arm that has not learned yet learns from them first, for which they are read
 * twice. An id that stands twice is refused. Everything lives in `arena`. Returns −1, or the exit status. */
int fp_cli_gather(fp_cli_near *near, fp_entries *entries, fp_arena *arena, fp_gathered *gathered);

/* Calls `visit` for every text once more, in order, with its line: for what is chosen to be written. */
typedef fp_status (*fp_visit_line)(void *context, size_t position, fp_string line, fp_error *error);
fp_status fp_cli_gathered_lines(const fp_gathered *gathered, fp_entries *entries, fp_visit_line visit, void *context,
                                fp_error *error);

#endif
