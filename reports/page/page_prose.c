/* SPDX-License-Identifier: GPL-3.0-or-later
 * What Markdown and LaTeX write alike, but for how a text is escaped. */
#include <string.h>

#include "reports/page/page_form.h"

void fp_page_put(fp_page *page, fp_page_text text, const char *between) {
    void (*escape)(FILE *, const char *) = page->escape;
    if (!text.en || !text.zh) {
        page->lost = true;
        return;
    }
    bool same = strcmp(text.en, text.zh) == 0;
    if (page->languages != FP_PAGE_ZH || same) escape(page->stream, text.en);
    if (page->languages == FP_PAGE_BOTH && !same) fputs(between, page->stream);
    if (page->languages != FP_PAGE_EN && !same) escape(page->stream, text.zh);
}

void fp_page_put_paragraph(fp_page *page, fp_page_kind kind, fp_page_text text) {
    (void)kind;
    fp_page_put(page, text, "\n\n");
    fputs("\n\n", page->stream);
}

void fp_page_put_left_out(fp_page *page, const fp_page_grid *grid) {
    if (!grid->left_out) return;
    const char *number = fp_format(page->arena, "%zu", grid->left_out);
    fp_page_put_paragraph(page, FP_PAGE_PLAIN,
                          FP_SAY(page, MORE_ROWS, fp_page_plain(number), fp_page_plain(grid->file)));
}

void fp_page_put_term(fp_page *page, const char *open, fp_page_text name, const char *close, fp_page_text text) {
    fputs(open, page->stream);
    fp_page_put(page, name, " · ");
    fprintf(page->stream, "%s: ", close);
    fp_page_put(page, text, " ");
    fputs("\n\n", page->stream);
}

const char *fp_page_folder(fp_page *page) {
    if (!page->options->folder) return "plots";
    if (page->run_count == 1) return page->options->folder;
    const char *folder = fp_format(page->arena, "%s/%zu", page->options->folder, page->figures_of + 1);
    if (!folder) page->lost = true;
    return folder ? folder : "";
}
