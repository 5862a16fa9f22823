/* SPDX-License-Identifier: GPL-3.0-or-later
 * lab_answers - the lab behind a page, in the program's own build: an answer, on one line, to each line of standard
 * input. */
#include <stdio.h>
#include <stdlib.h>

#include "reports/lab/lab.h"

int main(void) {
    fp_lab *lab = fp_lab_open();
    char *line = NULL;
    size_t room = 0;
    ssize_t length;
    while (lab && (length = getline(&line, &room, stdin)) > 0) {
        for (const char *at = fp_lab_call(lab, line, (size_t)length, NULL); *at; at++)
            if (*at != '\n') putchar(*at);
        putchar('\n');
    }
    free(line);
    fp_lab_close(lab);
    return lab ? EXIT_SUCCESS : EXIT_FAILURE;
}
