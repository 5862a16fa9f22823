/* SPDX-License-Identifier: GPL-3.0-or-later
 * Sentences left out, and sentences of other texts put in. */
#include "corpora/corruption/rewrite.h"
#include "corpora/corruption/text_parts.h"

static fp_status leave_out(fp_rewrite *work, fp_error *error) {
    fp_text_parts all;
    FP_TRY(fp_text_parts_sentences(work->text, work->arena, &all, error));
    for (size_t i = 0; i < all.count; i++) {
        if (!fp_rewrite_chosen(work)) continue;
        size_t begin = fp_rewrite_place(work, all.part[i].text);
        fp_rewrite_change(work, begin, begin + all.part[i].text.length, (fp_string){"", 0});
    }
    return FP_OK;
}

/* Of all donors, in one list. */
static fp_status foreign_sentences(fp_rewrite *work, fp_text_parts *all, fp_error *error) {
    const fp_corruption_text *of = work->of;
    size_t room = 0;
    for (size_t i = 0; i < of->donor_count; i++) room += of->donors[i].length + 1;
    fp_text_part *part = fp_arena_raw(work->arena, room + 1, sizeof *part);
    if (!part) return fp_no_memory(error);
    *all = (fp_text_parts){part, 0};
    for (size_t i = 0; i < of->donor_count; i++) {
        fp_text_parts some;
        FP_TRY(fp_text_parts_sentences(of->donors[i], work->arena, &some, error));
        for (size_t k = 0; k < some.count; k++) part[all->count++] = some.part[k];
    }
    return FP_OK;
}

static fp_status put_in(fp_rewrite *work, fp_error *error) {
    fp_text_parts all, foreign = {0};
    FP_TRY(fp_text_parts_sentences(work->text, work->arena, &all, error));
    FP_TRY(foreign_sentences(work, &foreign, error));
    for (size_t i = 0; i < all.count && foreign.count; i++) {
        if (!fp_rewrite_chosen(work)) continue;
        size_t end = fp_rewrite_place(work, all.part[i].text) + all.part[i].text.length;
        fp_rewrite_change(work, end, end, foreign.part[fp_rewrite_below(work, foreign.count)].text);
    }
    return FP_OK;
}

const fp_corruption_kind fp_corruption_sentence_delete = {
    .name = "sentence_delete",
    .label = "sentences deleted",
    .label_zh = "删除句子",
    .help = "leaves sentences out",
    .unit = "sentences",
    .apply = leave_out,
};

const fp_corruption_kind fp_corruption_sentence_insert = {
    .name = "sentence_insert",
    .label = "sentences inserted",
    .label_zh = "插入他文句子",
    .help = "puts a sentence of another document behind one",
    .unit = "sentences, behind which one may be put",
    .source = "other documents of the corpus, of another group",
    .needs = FP_NEEDS_DONORS,
    .apply = put_in,
};
