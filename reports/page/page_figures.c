/* SPDX-License-Identifier: GPL-3.0-or-later
 * The figures of the run: those that gnuplot drew as SVG. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "reports/page/page_form.h"
#include "reports/page/page_svg.h"
#include "reports/plots/picture.h"
#include "reports/plots/plot_figures.h"

enum { MOST_PICTURES = 512 };

static int by_name(const void *a, const void *b) { return strcmp(*(const char *const *)a, *(const char *const *)b); }

static size_t list_pictures(fp_page *page, const char *directory, const char **names) {
    DIR *stream;
    size_t count = 0;
    fp_status status = fp_directory_open(directory, &stream, &page->failed);
    if (!stream) return 0;
    for (const struct dirent *entry; count < MOST_PICTURES && status == FP_OK &&
                                     (entry = fp_directory_next(stream, directory, &status, &page->failed));) {
        size_t length = strlen(entry->d_name);
        if (*entry->d_name == '.' || length <= 4 || strcmp(entry->d_name + length - 4, ".svg") != 0) continue;
        const char *name = fp_format(page->arena, "%s", entry->d_name);
        if (name) names[count++] = name;
    }
    closedir(stream);
    qsort(names, count, sizeof *names, by_name);
    return count;
}

/* The figure in whose name the picture ends: CORPUS-thresholds.svg; the longest, for lost_thresholds.svg. */
static const fp_figure *figure_of(const char *name) {
    const fp_figure *found = NULL, *it;
    size_t length = strlen(name) - 4;
    for (size_t i = 0; (it = fp_plot_figure_at(i)); i++) {
        size_t end = strlen(it->name);
        if (length <= end || name[length - end - 1] != '-' || memcmp(name + length - end, it->name, end) != 0) continue;
        if (!found || end > strlen(found->name)) found = it;
    }
    return found;
}

static void write_picture(fp_page *page, const char *directory, const char *name, const fp_figure *figure) {
    const char *path = fp_format(page->arena, "%s/%s", directory, name);
    fp_page_text caption = fp_page_data(fp_string_of(name), page->arena);
    fp_string svg;
    fp_error error = {0};
    if (!path) return;
    fp_status status = fp_read_file(path, page->arena, &svg, &error);
    page->lost |= status == FP_ERROR_MEMORY;
    if (page->lost) return;
    if (status != FP_OK || !fp_page_svg_is_harmless(svg) || fp_picture_lacks(svg, FP_PICTURE_SVG)) {
        fp_page_note(page, FP_SAY(page, NOTE_FIGURE, caption), true);
        return;
    }
    const char *stem = fp_format(page->arena, "%.*s", (int)(strlen(name) - 5 - strlen(figure->name)), name);
    fp_page_text shown = fp_page_column(fp_format(page->arena, "figure_%s", figure->name), page->arena);
    if (!stem || !shown.en) return;
    shown = (fp_page_text){fp_format(page->arena, "%s: %s", stem, shown.en),
                           fp_format(page->arena, "%s：%s", stem, shown.zh)};
    page->form->figure(page, name, svg, shown);
}

static void write_run(fp_page *page, const char *figures, bool *any) {
    const char *names[MOST_PICTURES], *directory = figures ? fp_format(page->arena, "%s/plots", figures) : NULL;
    size_t count = directory ? list_pictures(page, directory, names) : 0;
    if (page->failed.code != FP_OK) return;
    if (count == 0) {
        fp_page_note(page, FP_SAY_PLAIN(page, NOTE_FIGURES), directory != NULL);
        return;
    }
    if (!*any) page->form->heading(page, "figures", FP_SAY_PLAIN(page, FIGURES));
    *any = true;
    const fp_figure *figure;
    for (size_t k = 0; (figure = fp_plot_figure_at(k)); k++)
        for (size_t i = 0; i < count; i++)
            if (figure_of(names[i]) == figure) write_picture(page, directory, names[i], figure);
}

void fp_page_figures(fp_page *page) {
    bool any = false;
    for (page->figures_of = 0; page->figures_of < page->run_count; page->figures_of++)
        write_run(page, page->runs[page->figures_of].figures, &any);
}
