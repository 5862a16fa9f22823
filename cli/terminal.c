/* SPDX-License-Identifier: GPL-3.0-or-later
 * Standard output is kept in memory until its size is known. */
#include "cli/terminal.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/cli.h"
#include "reports/tables/table.h"

/* The program has one terminal. */
static struct {
    bool refused;
    int depth;    /* of fp_cli_show_begin */
    int terminal; /* standard output's own descriptor, while what is printed is kept; −1: it is not */
    int kept;     /* where: a file in memory */
} pager = {.terminal = -1};

void fp_cli_no_pager(void) { pager.refused = true; }

bool fp_cli_has_terminal(void) { return pager.terminal >= 0 || isatty(STDOUT_FILENO); }

static struct winsize screen(void) {
    struct winsize size = {0};
    ioctl(pager.terminal >= 0 ? pager.terminal : STDOUT_FILENO, TIOCGWINSZ, &size);
    return size;
}

size_t fp_cli_width(void) {
    enum { USUAL = 80 };
    const char *columns = getenv("COLUMNS");
    int64_t stated;
    if (!fp_cli_has_terminal()) return SIZE_MAX;
    if (columns && fp_parse_integer(columns, &stated) && stated > 0) return (size_t)stated;
    return screen().ws_col ? screen().ws_col : USUAL;
}

/* The command for sh; NULL: no pager. */
static const char *command(void) {
    const char *own = getenv("FPLAB_PAGER"), *common = getenv("PAGER"), *named = own ? own : common;
    if (!named) return "if command -v less >/dev/null; then less; else exit 127; fi";
    return *named && strcmp(named, "cat") != 0 ? named : NULL;
}

/* Cells of a line, but those of colours, ESC [ … m. */
static size_t cells_of(const char *line, size_t length) {
    size_t cells = 0;
    for (size_t at = 0, end; at < length; at = end) {
        for (end = at; end < length && line[end] != '\033'; end++) continue;
        cells += fp_view_cells((fp_string){line + at, end - at});
        while (end < length && line[end] != 'm') end++;
        end += end < length;
    }
    return cells;
}

/* The last row of the screen is for the prompt of the shell. Where its height is not known, everything fits. */
static bool fits(FILE *text) {
    size_t rows = screen().ws_row, lines = 0, width = fp_cli_width(), room = 0;
    char *line = NULL;
    bool good = true;
    for (ssize_t length; rows && good && (length = getline(&line, &room, text)) > 0;) {
        if (line[length - 1] == '\n') length--;
        good = ++lines < rows && cells_of(line, (size_t)length) <= width;
    }
    free(line);
    rewind(text);
    return good;
}

static void copy(FILE *from, FILE *to) {
    char piece[1 << 14];
    for (size_t count; (count = fread(piece, 1, sizeof piece, from)) > 0;) fwrite(piece, 1, count, to);
}

/* False where the pager cannot be started: sh ends with 127 when it does not find it. */
static bool page(FILE *text, const char *wanted) {
    enum { NOT_FOUND = 127, IGNORED = 3 };
    static const int SIGNALS[IGNORED] = {SIGINT, SIGQUIT, SIGPIPE}; /* keys are the pager's, and it may be left early */
    void (*before[IGNORED])(int);
    setenv("LESS", "SRX", 0);
    FILE *pipe = popen(wanted, "we");
    if (!pipe) return false;
    for (int i = 0; i < IGNORED; i++) before[i] = signal(SIGNALS[i], SIG_IGN);
    copy(text, pipe);
    int status = pclose(pipe);
    for (int i = 0; i < IGNORED; i++) signal(SIGNALS[i], before[i]);
    rewind(text);
    return status != -1 && !(WIFEXITED(status) && WEXITSTATUS(status) == NOT_FOUND);
}

void fp_cli_show_begin(void) {
    if (pager.depth++ || pager.refused || !command() || !isatty(STDOUT_FILENO)) return;
    fflush(stdout);
    int kept = memfd_create("fplab", MFD_CLOEXEC), terminal = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
    if (kept >= 0 && terminal >= 0 && dup2(kept, STDOUT_FILENO) >= 0) {
        pager.terminal = terminal;
        pager.kept = kept;
        return;
    }
    if (terminal >= 0) close(terminal);
    if (kept >= 0) close(kept);
}

void fp_cli_show_all(void) {
    if (pager.terminal < 0) return;
    bool good = fp_cli_flush() == FP_EXIT_SUCCESS;
    FILE *text = good ? fdopen(pager.kept, "r") : NULL;
    bool all = !text || (rewind(text), fits(text));
    dup2(pager.terminal, STDOUT_FILENO);
    close(pager.terminal);
    pager.terminal = -1;
    if (text && (all || !page(text, command()))) copy(text, stdout);
    if (text) fclose(text);
    else close(pager.kept);
}

int fp_cli_show_end(fp_status status, const fp_error *error) {
    if (--pager.depth == 0) fp_cli_show_all();
    if (status != FP_OK) return fp_cli_fail(error);
    fp_cli_flush();
    return FP_EXIT_SUCCESS;
}

/* ---- A progress bar with the time left, on standard error when it is a terminal ---- */

enum { WIDTH = 30 };

/* The program has one bar. */
static struct {
    char stage[32];
    double started, drawn;
    bool visible, drawable;
} bar;

/* Straight to the terminal: `stderr` would show the bar's own control characters. */
static void draw(const char *stage, size_t done, size_t total, double now) {
    static const char MARKS[] = "##############################";
    double share = total ? (double)done / (double)total : 1, elapsed = now - bar.started;
    int filled = (int)(share * WIDTH);
    char left[40] = "";
    if (share > 0) snprintf(left, sizeof left, "  %.0f s left ", elapsed * (1 - share) / share);
    dprintf(STDERR_FILENO, "\r%-10s [%.*s%*s] %3.0f%%%s\033[K", stage, filled, MARKS, WIDTH - filled, "", share * 100,
            left);
    bar.visible = true;
    bar.drawn = now;
}

/* With --verbose. */
static void end_stage(double now) {
    if (!*bar.stage || !fp_cli_is_verbose()) return;
    if (bar.visible) dprintf(STDERR_FILENO, "\r\033[K");
    fp_cli_detail("%s: %.2f s", bar.stage, now - bar.started);
}

static void report(void *context, const char *stage, size_t done, size_t total) {
    (void)context;
    double now = fp_seconds();
    if (strcmp(stage, bar.stage) != 0) {
        end_stage(now);
        snprintf(bar.stage, sizeof bar.stage, "%s", stage);
        bar.started = now;
    }
    if (bar.drawable && now - bar.started > 1 && now - bar.drawn > 0.1) draw(stage, done, total, now);
}

fp_progress fp_cli_progress(void) {
    bar.drawable = isatty(STDERR_FILENO) && !fp_cli_is_quiet();
    return bar.drawable || fp_cli_is_verbose() ? (fp_progress){.report = report} : (fp_progress){0};
}

void fp_cli_progress_end(void) {
    if (bar.visible) dprintf(STDERR_FILENO, "\r\033[K");
    end_stage(fp_seconds());
    bar.visible = false;
    bar.stage[0] = '\0';
}
