/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * fuzz.h - what the targets of the fuzzer share. A target takes any bytes, gives them to one reader of the lab, and
 * demands what its header promises of whatever comes: no more than a status, or a result that keeps its laws.
 */
#ifndef FP_FUZZ_H
#define FP_FUZZ_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"

/* Ends the process, as a sanitizer would, where a law does not hold. */
#define FUZZ_DEMAND(holds)                                                                     \
    do {                                                                                       \
        if (!(holds)) {                                                                        \
            fprintf(stderr, "%s:%d: the law does not hold: %s\n", __FILE__, __LINE__, #holds); \
            abort();                                                                           \
        }                                                                                      \
    } while (0)

typedef struct fuzz_target {
    const char *name;
    void (*run)(fp_string input, fp_arena *arena); /* the arena is empty, and is reset afterwards */
} fuzz_target;

#define TARGET(name) void fuzz_##name(fp_string input, fp_arena *arena);
#include "tests/fuzz/targets.def"
#undef TARGET
#define FORM(name) void fuzz_reader_##name(fp_string input, fp_arena *arena);
#include "corpora/readers/forms.def"
#undef FORM
/* All of them, the last without a name. */
extern const fuzz_target fuzz_targets[];

/* The path of a file of that name in a directory of this process, in memory where the system has one there; the
 * directory and the files that were named go with the process. In `arena`. */
const char *fuzz_path(const char *name, fp_arena *arena);
/* The same, holding `content`. */
const char *fuzz_file(const char *name, fp_string content, fp_arena *arena);
/* What a file holds; data NULL where there is none. */
fp_string fuzz_content(const char *path, fp_arena *arena);

/* Takes a byte off the front: a choice of the input's. 0 at its end. */
static inline unsigned fuzz_choice(fp_string *input) {
    if (!input->length) return 0;
    input->length--;
    return (unsigned char)*input->data++;
}
/* The next part, up to a byte 0xff, which UTF-8 does not have. */
static inline fp_string fuzz_part(fp_string *input) {
    fp_string part = {"", 0};
    if (input->data && fp_next_field(input, '\xff', &part)) return part;
    return (fp_string){"", 0};
}

#endif
