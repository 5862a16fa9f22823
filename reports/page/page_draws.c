/* SPDX-License-Identifier: GPL-3.0-or-later
 * What is said of corpora whose negatives are a sample. */
#include "reports/page/page_form.h"

static fp_page_text whole(fp_page *page, double count) {
    const char *text = fp_format(page->arena, "%.0f", count);
    page->lost |= !text;
    return fp_page_plain(text ? text : "");
}

static fp_page_text join(fp_page *page, fp_page_text to, fp_page_text more) {
    to.en = fp_format(page->arena, "%s %s", to.en ? to.en : "", more.en ? more.en : "");
    to.zh = fp_format(page->arena, "%s%s", to.zh ? to.zh : "", more.zh ? more.zh : "");
    page->lost |= !to.en || !to.zh;
    return to;
}

fp_page_text fp_page_say_draw(fp_page *page, size_t corpus) {
    const fp_recorded_draw *of = &page->run->corpora[corpus].negatives;
    const char *weight = fp_format(page->arena, "%.*f", of->weight < 100 ? 2 : 0, of->weight);
    if (!(of->weight > 0)) return fp_page_plain("");
    page->lost |= !weight;
    fp_page_text said =
        FP_SAY(page, ANSWER_DRAWN, whole(page, of->all),
               fp_page_data(fp_string_of(page->run->corpora[corpus].name), page->arena), whole(page, of->near),
               whole(page, of->drawn), whole(page, of->seed), fp_page_plain(weight ? weight : ""));
    if (!*of->counted) return said;
    return join(page, said, FP_SAY(page, ANSWER_COUNTED, fp_page_data(fp_string_of(of->counted), page->arena)));
}

fp_page_text fp_page_add_draws(fp_page *page, fp_page_text to) {
    for (size_t i = 0; i < page->run->corpus_count; i++) {
        fp_page_text more = fp_page_say_draw(page, i);
        if (more.en && *more.en) to = join(page, to, more);
    }
    return to;
}
