/* SPDX-License-Identifier: GPL-3.0-or-later
 * Pages of runs. */
#include "cli/run_page.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

bool fp_cli_run_page_languages(const char *text, int *languages) {
    static const struct {
        const char *name;
        int languages;
    } KNOWN[] = {{"both", FP_PAGE_BOTH}, {"en", FP_PAGE_EN}, {"zh", FP_PAGE_ZH}};
    for (size_t i = 0; i < sizeof KNOWN / sizeof *KNOWN; i++) {
        if (text && strcmp(KNOWN[i].name, text) != 0) continue;
        *languages = KNOWN[i].languages;
        return true;
    }
    return false;
}

/* Whether what the run lists is a picture, and is in `directory` with this end in place of ".svg". */
static bool is_there_as(const fp_run_manifest_file *listed, const char *directory, const char *end) {
    char path[PATH_MAX];
    size_t length = strlen(listed->name);
    if (strncmp(listed->name, "plots/", 6) != 0 || length <= 4 || strcmp(listed->name + length - 4, ".svg") != 0)
        return false;
    int needed = snprintf(path, sizeof path, "%s/%.*s%s", directory, (int)length - 4, listed->name, end);
    return needed > 0 && (size_t)needed < sizeof path && access(path, R_OK) == 0;
}

bool fp_cli_run_page_has_pictures(const fp_recorded *run, const char *directory) {
    for (size_t i = 0; i < run->manifest.count; i++)
        if (is_there_as(run->manifest.files + i, directory, ".svg")) return true;
    return false;
}

bool fp_cli_run_page_has_each_as(const fp_recorded *run, const char *directory, const char *end) {
    for (size_t i = 0; i < run->manifest.count; i++) {
        const fp_run_manifest_file *listed = run->manifest.files + i;
        if (is_there_as(listed, directory, ".svg") && !is_there_as(listed, directory, end)) return false;
    }
    return true;
}
