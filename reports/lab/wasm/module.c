/* SPDX-License-Identifier: GPL-3.0-or-later
 * The module's interface to JavaScript (reports/lab/lab.js): one lab, and a buffer for its requests. */
#include <stdlib.h>
#include <string.h>

#include "reports/lab/lab.h"

#define EXPORT(name) __attribute__((export_name(name)))

/* Implemented in JavaScript: the progress of a stage, whose name has `length` bytes. */
__attribute__((import_module("fplab"), import_name("progress"))) void lab_progress(const char *stage, size_t length,
                                                                                   size_t done, size_t total);

static void report(void *context, const char *stage, size_t done, size_t total) {
    (void)context;
    lab_progress(stage, strlen(stage), done, total);
}

typedef struct module {
    fp_lab *lab;
    char *request;
    size_t answer_length;
} module;

/* NULL when memory runs out, as below. */
EXPORT("open") module *lab_open(void) {
    module *made = calloc(1, sizeof *made);
    if (!made) return NULL;
    made->lab = fp_lab_open();
    if (made->lab) {
        fp_lab_watch(made->lab, report, NULL);
        return made;
    }
    free(made);
    return NULL;
}

/* The buffer for the next request, of `length` bytes of UTF-8. */
EXPORT("room") char *lab_room(module *of, size_t length) {
    free(of->request);
    of->request = malloc(length ? length : 1);
    return of->request;
}

/* The answer is valid until the next call. */
EXPORT("call") const char *lab_call(module *of, size_t length) {
    const char *answer = fp_lab_call(of->lab, of->request, length, &of->answer_length);
    free(of->request);
    of->request = NULL;
    return answer;
}

EXPORT("length") size_t lab_length(const module *of) { return of->answer_length; }
