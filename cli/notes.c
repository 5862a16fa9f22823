/* SPDX-License-Identifier: GPL-3.0-or-later
 * --quiet and --verbose. */
#include <stdarg.h>
#include <sys/resource.h>

#include "base/cpu.h"
#include "cli/cli.h"

/* The program has one manner. */
static bool quiet, verbose;
static double began; /* when it was known to be verbose */

void fp_cli_set_quiet(void) { quiet = true; }
bool fp_cli_is_quiet(void) { return quiet; }
bool fp_cli_is_verbose(void) { return verbose; }

void fp_cli_set_verbose(void) {
    if (verbose) return;
    verbose = true;
    began = fp_seconds();
    fp_cli_detail("%d threads, kernels for %s", fp_threads(NULL), fp_cpu_name(fp_cpu_chosen()));
}

void fp_cli_note(const char *format, ...) {
    if (quiet) return;
    va_list arguments;
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
}

const char *fp_cli_word(size_t count, const char *one, const char *many) { return count == 1 ? one : many; }

void fp_cli_note_left_out(size_t count) {
    if (count) fp_cli_note("%zu bad %s left out.\n", count, fp_cli_word(count, "line was", "lines were"));
}

void fp_cli_detail(const char *format, ...) {
    if (!verbose) return;
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "fplab: ");
    vfprintf(stderr, format, arguments);
    fprintf(stderr, "\n");
    va_end(arguments);
}

void fp_cli_detail_end(void) {
    struct rusage used;
    if (!verbose || getrusage(RUSAGE_SELF, &used) != 0) return;
    fp_cli_detail("in all: %.2f s, %.0f MB at most", fp_seconds() - began, (double)used.ru_maxrss / 1024);
}
