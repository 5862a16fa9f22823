/* SPDX-License-Identifier: GPL-3.0-or-later
 * Standard input, output and error. */
#include "cli/streams.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/cpu.h"
#include "cli/cli.h"
#include "cli/terminal.h"
#include "text/unicode/utf8.h"
#include "text/unicode/visible.h"

/* ---- Control characters made visible ---- */

/* A stream of bytes that is cut anywhere: the start of a sequence waits for the rest. */
typedef struct filter {
    char waiting[4];
    size_t count;
} filter;

/* Whether the pending bytes may be the start of a longer sequence. */
static bool is_begun(const filter *in) {
    unsigned char lead = (unsigned char)in->waiting[0], last = (unsigned char)in->waiting[in->count - 1];
    size_t whole = lead >= 0xc2 && lead < 0xf5 ? fp_utf8_size(in->waiting[0]) : 1;
    return in->count < whole && (in->count == 1 || (last & 0xc0) == 0x80);
}

/* One byte more; what can be written goes to `to`, which has room for four of FP_VISIBLE_MOST. */
static size_t take_byte(filter *in, char byte, char *to) {
    size_t used = 0;
    in->waiting[in->count++] = byte;
    while (in->count && !is_begun(in)) {
        size_t taken = 1;
        if (in->waiting[0] == '\n') to[used++] = '\n';
        else used += fp_visible_next((fp_string){in->waiting, in->count}, &taken, to + used);
        in->count -= taken;
        memmove(in->waiting, in->waiting + taken, in->count);
    }
    return used;
}

static bool write_all(int descriptor, const char *from, size_t size) {
    while (size) {
        ssize_t wrote = write(descriptor, from, size);
        if (wrote < 0 && errno == EINTR) continue;
        if (wrote <= 0) return false;
        from += wrote;
        size -= (size_t)wrote;
    }
    return true;
}

/* Why standard output was lost; 0: it was not. What comes behind the first failure is not written, so that the reader
 * has the start of the output, and no part behind a gap. */
static int lost;

static ssize_t write_plain(void *cookie, const char *from, size_t size) {
    (void)cookie;
    errno = 0;
    if (!lost && !write_all(STDOUT_FILENO, from, size)) lost = errno ? errno : EIO;
    errno = lost;
    return lost ? 0 : (ssize_t)size;
}

static int close_plain(void *cookie) {
    (void)cookie;
    return close(STDOUT_FILENO);
}

static ssize_t write_error(void *cookie, const char *from, size_t size) {
    char out[1024];
    size_t used = 0;
    for (size_t i = 0; i < size; i++) {
        used += take_byte(cookie, from[i], out + used);
        if (used + 4 * FP_VISIBLE_MOST < sizeof out && i + 1 < size) continue;
        if (!write_all(STDERR_FILENO, out, used)) return 0;
        used = 0;
    }
    return (ssize_t)size;
}

static ssize_t write_output(void *cookie, const char *from, size_t size) {
    char out[4 * FP_VISIBLE_MOST];
    for (size_t i = 0; i < size; i++) {
        size_t used = take_byte(cookie, from[i], out);
        if (fwrite(out, 1, used, stdout) != used) return 0;
    }
    return (ssize_t)size;
}

/* Writes to standard output after fp_cli_streams_open; printing allocates no memory. */
static FILE *visible_output;

void fp_cli_print(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vfprintf(visible_output, format, arguments);
    va_end(arguments);
}

/* ---- Open ---- */

/* Of the other direction, so that every use fails. */
static void keep_open(int descriptor, int direction) {
    if (fcntl(descriptor, F_GETFD) >= 0 || errno != EBADF) return;
    int opened = open("/dev/null", direction);
    if (opened >= 0 && opened != descriptor) {
        dup2(opened, descriptor);
        close(opened);
    }
}

/* A stream whose bytes go through `write`, unbuffered; NULL when out of memory. */
static FILE *open_filter(cookie_write_function_t *write, filter *state) {
    FILE *stream = fopencookie(state, "w", (cookie_io_functions_t){.write = write});
    if (stream) setvbuf(stream, NULL, _IONBF, 0);
    return stream;
}

/* Lines appear on a terminal as they are written, as usual. */
static FILE *open_output(void) {
    static char buffer[1 << 16];
    FILE *stream = fopencookie(NULL, "w", (cookie_io_functions_t){.write = write_plain, .close = close_plain});
    if (stream) setvbuf(stream, buffer, isatty(STDOUT_FILENO) ? _IOLBF : _IOFBF, sizeof buffer);
    return stream;
}

bool fp_cli_streams_open(void) {
    static filter output, errors;
    keep_open(STDIN_FILENO, O_WRONLY);
    keep_open(STDOUT_FILENO, O_RDONLY);
    keep_open(STDERR_FILENO, O_RDONLY);
    FILE *plain = open_output();
    if (plain) stdout = plain;
    visible_output = plain ? open_filter(write_output, &output) : NULL;
    FILE *visible = visible_output ? open_filter(write_error, &errors) : NULL;
    if (visible) stderr = visible;
    return visible != NULL;
}

/* ---- Complete ---- */

bool fp_cli_reader_gone(void) {
    struct pollfd output = {.fd = STDOUT_FILENO, .events = POLLOUT};
    return poll(&output, 1, 0) == 1 && (output.revents & POLLERR);
}

int fp_cli_flush(void) {
    static bool reported;
    bool bad = fflush(stdout) != 0 || ferror(stdout) != 0;
    if (!bad) return FP_EXIT_SUCCESS;
    fp_cli_progress_end();
    if (!reported && lost != EPIPE && !fp_cli_reader_gone())
        fprintf(stderr, "fplab: standard output: cannot write: %s\n", strerror(lost));
    reported = true;
    return FP_EXIT_FAILURE;
}

/* A command that failed has already reported why. */
static int complete(int status) {
    if (status != FP_EXIT_SUCCESS) return fflush(stdout), status;
    if (fp_cli_flush() != FP_EXIT_SUCCESS) return FP_EXIT_FAILURE;
    if (fclose(stdout) == 0) return status;
    fprintf(stderr, "fplab: standard output: cannot write: %s\n", strerror(errno));
    return FP_EXIT_FAILURE;
}

int fp_cli_finish(int status) {
    fp_cli_show_all();
    return complete(status);
}

/* ---- --quiet and --verbose ---- */

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
