/* SPDX-License-Identifier: GPL-3.0-or-later
 * The classroom: what stands in its page. */
#include "reports/web/pages.h"

#include "reports/web/frame.h"

extern const char fp_table_common_css[], fp_table_common_css_end[], fp_table_common_js[], fp_table_common_js_end[];
extern const char fp_table_classroom_css[], fp_table_classroom_css_end[], fp_table_classroom_js[],
    fp_table_classroom_js_end[], fp_table_classroom_corpus[], fp_table_classroom_corpus_end[];

static fp_string between(const char *begin, const char *end) { return (fp_string){begin, (size_t)(end - begin)}; }

fp_status fp_classroom_write(FILE *to, fp_frame_language language, fp_arena *arena, fp_error *error) {
    const fp_string styles[] = {between(fp_table_common_css, fp_table_common_css_end),
                                between(fp_table_classroom_css, fp_table_classroom_css_end),
                                {0}};
    fp_string module;
    FP_TRY(fp_lab_module(arena, &module, error));
    const fp_string scripts[] = {fp_lab_script(),
                                 between(fp_table_common_js, fp_table_common_js_end),
                                 between(fp_table_classroom_js, fp_table_classroom_js_end),
                                 {0}};
    const fp_frame_data data[] = {
        {"lab", module}, {"corpus", between(fp_table_classroom_corpus, fp_table_classroom_corpus_end)}, {0}};
    const fp_frame frame = {.title_en = "Text fingerprints: a lesson",
                            .title_zh = "文本指纹：一堂课",
                            .language = language,
                            .styles = styles,
                            .scripts = scripts,
                            .data = data};
    fp_frame_write(to, &frame);
    return FP_OK;
}

/* ---- The playground ---- */

extern const char fp_table_playground_css[], fp_table_playground_css_end[], fp_table_playground_js[],
    fp_table_playground_js_end[];

fp_status fp_playground_write(FILE *to, fp_frame_language language, fp_arena *arena, fp_error *error) {
    fp_string module;
    FP_TRY(fp_lab_module(arena, &module, error));
    const fp_string styles[] = {between(fp_table_playground_css, fp_table_playground_css_end), {0}};
    const fp_string scripts[] = {fp_lab_script(), between(fp_table_playground_js, fp_table_playground_js_end), {0}};
    const fp_frame_data data[] = {{"lab", module}, {0}};
    const fp_frame frame = {.title_en = "Text fingerprints: a playground",
                            .title_zh = "文本指纹：练习场",
                            .language = language,
                            .styles = styles,
                            .scripts = scripts,
                            .data = data};
    fp_frame_write(to, &frame);
    return FP_OK;
}
