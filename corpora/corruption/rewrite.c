/* SPDX-License-Identifier: GPL-3.0-or-later
 * Random numbers and changes of a corruption. */
#include "corpora/corruption/rewrite.h"

#include <math.h>
#include <string.h>

#include "text/unicode/utf8.h"

/* ---- Random numbers ---- */

uint64_t fp_rewrite_draw(fp_rewrite *work) {
    unsigned char bytes[8];
    fp_bytes_put(work->drawn++, bytes);
    return fp_xxh3(bytes, sizeof bytes, work->key);
}

/* The upper half of a product (Lemire, ACM TOMACS 29, 2019), without the rejection: no probability is off by more than
 * 2⁻³². */
size_t fp_rewrite_below(fp_rewrite *work, size_t count) {
    return (size_t)((uint64_t)count * (fp_rewrite_draw(work) >> 32) >> 32);
}

bool fp_rewrite_chosen(fp_rewrite *work) {
    work->sites++;
    return (double)(fp_rewrite_draw(work) >> 11) * 0x1p-53 < work->rate;
}

size_t fp_rewrite_share(fp_rewrite *work, size_t amount) {
    size_t share = (size_t)llround(work->rate * (double)amount);
    work->sites += amount;
    work->changes += share;
    return share;
}

/* ---- Changes ---- */

static void append(fp_rewrite *work, const char *data, size_t length) {
    size_t wanted = work->length + length;
    work->no_memory |= fp_arena_room(work->arena, &work->made, &work->room, wanted, 1, NULL) != FP_OK;
    if (work->no_memory || !length) return;
    memcpy(work->made + work->length, data, length);
    work->length += length;
}

static void pass_on(fp_rewrite *work, size_t end) {
    append(work, work->text.data + work->at, end - work->at);
    work->at = end;
}

static void note_edit(fp_rewrite *work, fp_corruption_edit edit) {
    work->no_memory |= FP_ROOM(work->arena, work->edits, work->edit_count, work->edit_room, NULL) != FP_OK;
    if (!work->no_memory) work->edits[work->edit_count++] = edit;
}

void fp_rewrite_put(fp_rewrite *work, size_t begin, size_t end, fp_string to) {
    pass_on(work, begin);
    size_t to_begin = work->length;
    append(work, to.data, to.length);
    work->at = end;
    note_edit(work, (fp_corruption_edit){begin, end, to_begin, work->length});
}

void fp_rewrite_change(fp_rewrite *work, size_t begin, size_t end, fp_string to) {
    fp_rewrite_put(work, begin, end, to);
    work->changes++;
}

void fp_rewrite_change_code(fp_rewrite *work, size_t begin, size_t end, uint32_t to) {
    char bytes[4];
    fp_rewrite_change(work, begin, end, (fp_string){bytes, fp_utf8_encode(to, bytes)});
}

void fp_rewrite_swap(fp_rewrite *work, fp_string first, fp_string second) {
    size_t begin = fp_rewrite_place(work, first), gap = begin + first.length, next = fp_rewrite_place(work, second);
    pass_on(work, begin);
    size_t to_begin = work->length;
    append(work, second.data, second.length);
    append(work, work->text.data + gap, next - gap);
    append(work, first.data, first.length);
    work->at = next + second.length;
    note_edit(work, (fp_corruption_edit){begin, work->at, to_begin, work->length});
    work->changes++;
}

/* ---- Words ---- */

fp_status fp_rewrite_cut(fp_rewrite *work, fp_tokens *words, fp_error *error) {
    const fp_corruption_means *means = work->means;
    return means->segmenter->cut(means->segmenter_state, work->text, work->arena, words, error);
}

/* ---- Running a corruption ---- */

static uint64_t key_of(const fp_corruption_kind *kind, const fp_corruption_means *means, const fp_corruption_text *of) {
    uint64_t key = fp_xxh3(of->id.data, of->id.length, fp_mix(means->seed, of->copy));
    return fp_xxh3(kind->name, strlen(kind->name), key);
}

static fp_status run_step(const fp_corruption_kind *kind, fp_rewrite *work, fp_corruption_step *step, fp_error *error) {
    work->key = key_of(kind, work->means, work->of);
    FP_TRY(kind->apply(work, error));
    fp_string after = work->text;
    if (work->edit_count) {
        pass_on(work, work->text.length);
        after = (fp_string){work->made ? work->made : "", work->length};
    }
    if (work->no_memory) return fp_no_memory(error);
    *step = (fp_corruption_step){.kind = kind,
                                 .sites = work->sites,
                                 .changes = work->changes,
                                 .before = work->text,
                                 .after = after,
                                 .edits = work->edits,
                                 .edit_count = work->edit_count};
    return FP_OK;
}

static fp_status check_means(const fp_corruption_kind *kind, const fp_corruption_means *means, fp_error *error) {
    if ((kind->needs & FP_NEEDS_SEGMENTER) && !means->segmenter)
        return fp_fail(error, FP_ERROR_EMPTY, "%s needs a segmenter", kind->name);
    if ((kind->needs & FP_NEEDS_SYNONYMS) && !means->synonyms)
        return fp_fail(error, FP_ERROR_EMPTY, "%s needs a list of synonyms", kind->name);
    return FP_OK;
}

fp_status fp_corrupt(const fp_corruption *corruption, double rate, const fp_corruption_means *means,
                     const fp_corruption_text *of, fp_arena *arena, fp_corrupted *made, fp_error *error) {
    if (!(rate >= 0 && rate <= 1)) return fp_fail(error, FP_ERROR_RANGE, "a rate of %g: not from 0 to 1", rate);
    *made = (fp_corrupted){.text = of->text};
    for (size_t i = 0; i < corruption->count; i++) {
        fp_rewrite work = {.means = means, .of = of, .rate = rate, .text = made->text, .arena = arena};
        work.script = fp_script_of(work.text);
        FP_TRY(check_means(corruption->kinds[i], means, error));
        FP_TRY(run_step(corruption->kinds[i], &work, &made->steps[i], error));
        made->text = made->steps[i].after;
        made->step_count++;
    }
    return FP_OK;
}
