/* SPDX-License-Identifier: GPL-3.0-or-later
 * A progress bar with the time left, on standard error when it is a terminal. */
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"

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
