/* SPDX-License-Identifier: GPL-3.0-or-later
 * Texts: UTF-8 and other encodings, normalisation, segmenters, corruption, alignment. */
#include "corpora/corruption/corruption.h"
#include "tests/fuzz/fuzz.h"
#include "text/alignment/alignment.h"
#include "text/segmentation/segment.h"
#include "text/unicode/encoding.h"
#include "text/unicode/normalise.h"
#include "text/unicode/utf8.h"
#include "text/unicode/visible.h"

static bool valid(fp_string text) { return fp_utf8_check(text) == text.length; }

/* The longest part from the front that is valid. */
static fp_string valid_part(fp_string text) { return (fp_string){text.data, fp_utf8_check(text)}; }

/* Nothing of it commands a terminal. */
static bool shows(fp_string text) {
    for (size_t at = 0; at < text.length;) {
        uint32_t code;
        at += fp_utf8_decode(text.data + at, &code);
        if (fp_is_control(code)) return false;
    }
    return true;
}

void fuzz_utf8(fp_string input, fp_arena *arena) {
    fp_string good = valid_part(input);
    size_t count = 0;
    for (size_t at = 0; at < good.length; count++) {
        uint32_t code;
        char again[4];
        size_t bytes = fp_utf8_decode(good.data + at, &code);
        FUZZ_DEMAND(bytes == fp_utf8_size(good.data[at]) && bytes <= good.length - at);
        FUZZ_DEMAND(code <= 0x10ffff && (code < 0xd800 || code > 0xdfff));
        FUZZ_DEMAND(fp_utf8_encode(code, again) == bytes && memcmp(again, good.data + at, bytes) == 0);
        at += bytes;
    }
    FUZZ_DEMAND(fp_utf8_count(good) == count);
    fp_string visible = fp_visible(input, arena);
    FUZZ_DEMAND(visible.data && valid(visible) && shows(visible));
}

void fuzz_encoding(fp_string input, fp_arena *arena) {
    static const char *const NAMES[] = {"auto",   "auto",     "utf-8",       "gb18030", "gbk",       "big5",
                                        "utf-16", "utf-16le", "utf-32",      "euc-jp",  "shift_jis", "iso-2022-jp",
                                        "hz",     "latin-1",  "iso-2022-cn", "utf-7",   "scsu",      "big5-hkscs"};
    unsigned choice = fuzz_choice(&input);
    fp_string text;
    fp_encoding_report report;
    fp_error error;
    if (fp_to_utf8(input, NAMES[choice / 2 % (sizeof NAMES / sizeof *NAMES)], choice & 1, arena, &text, &report,
                   &error) == FP_OK) {
        FUZZ_DEMAND(valid(text) && memchr(report.name, 0, sizeof report.name));
        FUZZ_DEMAND(report.confidence >= 0 && report.confidence <= 100);
    } else FUZZ_DEMAND(error.byte == SIZE_MAX || error.byte <= input.length);
    fp_byte_order_mark(input);
}

/* Normalising twice changes nothing; what is left has no controls but line ends. */
void fuzz_normalise(fp_string input, fp_arena *arena) {
    fp_han han = fuzz_choice(&input) & 1 ? FP_HAN_SIMPLIFIED : FP_HAN_KEEP;
    fp_string once, twice;
    fp_error error;
    fp_status status = fp_normalise(input, han, arena, &once, &error);
    FUZZ_DEMAND((status == FP_OK) == valid(input));
    if (status != FP_OK) {
        FUZZ_DEMAND(error.byte == fp_utf8_check(input));
        return;
    }
    FUZZ_DEMAND(valid(once));
    FUZZ_DEMAND(fp_normalise(once, han, arena, &twice, &error) == FP_OK && fp_string_equal(once, twice));
    for (size_t i = 0; i < once.length; i++) FUZZ_DEMAND((unsigned char)once.data[i] >= ' ' || once.data[i] == '\n');
}

/* What fplab/segmenter.h promises: ascending by their begin, none empty, none inside a character, and, where none
 * overlap, every byte in one. */
static void cut(const char *name, fp_string input, fp_arena *arena) {
    static fp_arena *kept;
    static const void *states[2][16];
    const fp_segmenter *segmenter = NULL;
    size_t which = 0;
    for (; (segmenter = fp_segmenter_at(which)) && strcmp(segmenter->name, name) != 0;) which++;
    unsigned choice = fuzz_choice(&input) % 8;
    fp_segment_options options = {choice & 1, choice >> 1 & 1, choice >> 2 & 1, "shipped"};
    fp_string text = valid_part(input);
    fp_tokens tokens;
    fp_error error;
    if (!kept) kept = fp_arena_new();
    if (!states[which][choice]) {
        const void *state = NULL;
        if (segmenter->open) FUZZ_DEMAND(segmenter->open(&options, kept, &state, &error) == FP_OK);
        states[which][choice] = state ? state : "";
    }
    FUZZ_DEMAND(segmenter->cut(states[which][choice], text, arena, &tokens, &error) == FP_OK);
    for (size_t i = 0; i < tokens.count; i++)
        FUZZ_DEMAND(tokens.token[i].begin < tokens.token[i].end && tokens.token[i].end <= text.length);
    if (options.search) return; /* tokens overlap, and jieba's come behind those inside them */
    FUZZ_DEMAND(fp_tokens_check(segmenter, text, tokens, &error) == FP_OK);
    size_t end = 0;
    for (size_t i = 0; i < tokens.count; end = tokens.token[i++].end) FUZZ_DEMAND(tokens.token[i].begin == end);
    FUZZ_DEMAND(end == text.length);
}

void fuzz_segment_jieba(fp_string input, fp_arena *arena) { cut("jieba", input, arena); }
void fuzz_segment_icu(fp_string input, fp_arena *arena) { cut("icu", input, arena); }

/* The copy is valid UTF-8, no more changes than sites, and the edits are in the order of the text. */
void fuzz_corruption(fp_string input, fp_arena *arena) {
    unsigned kind = fuzz_choice(&input), rate = fuzz_choice(&input);
    size_t kinds = 0;
    while (fp_corruption_at(kinds)) kinds++;
    fp_corruption corruption;
    fp_corrupted made;
    fp_error error;
    fp_string donors[] = {fp_string_of("一行人参观了图书馆。\n几点开门？"), fp_string_of("The quick brown fox.")};
    fp_corruption_text of = {fp_string_of("a"), kind / kinds, valid_part(input), donors, 2};
    FUZZ_DEMAND(fp_corruption_parse(fp_string_of(fp_corruption_at(kind % kinds)->name), &corruption, &error) == FP_OK);
    fp_corruption_means means = {.seed = rate};
    if (fp_corrupt(&corruption, (rate % 11) / 10.0, &means, &of, arena, &made, &error) != FP_OK) return;
    FUZZ_DEMAND(valid(made.text));
    for (size_t s = 0; s < made.step_count; s++) {
        const fp_corruption_step *step = made.steps + s;
        size_t from = 0, to = 0;
        for (size_t e = 0; e < step->edit_count; e++) {
            fp_corruption_edit edit = step->edits[e];
            FUZZ_DEMAND(edit.begin >= from && edit.end >= edit.begin && edit.end <= step->before.length);
            FUZZ_DEMAND(edit.to_begin >= to && edit.to_end >= edit.to_begin && edit.to_end <= step->after.length);
            from = edit.end;
            to = edit.to_end;
        }
    }
}

/* Passages lie in the texts, and share no more of them than there is. */
void fuzz_alignment(fp_string input, fp_arena *arena) {
    unsigned least = fuzz_choice(&input);
    fp_string texts[2] = {fuzz_part(&input), fuzz_part(&input)};
    fp_alignment made;
    fp_error error;
    for (int t = 0; t < 2; t++) texts[t] = valid_part(texts[t]);
    if (fp_align(texts[0], texts[1], least, arena, &made, &error) != FP_OK) {
        FUZZ_DEMAND(least == 1);
        return;
    }
    for (size_t p = 0; p < made.count; p++)
        for (int t = 0; t < 2; t++) {
            const fp_passage *passage = made.passages + p;
            FUZZ_DEMAND(passage->begin[t] < passage->end[t] && passage->end[t] <= texts[t].length);
            FUZZ_DEMAND(passage->run_count && passage->same <= passage->characters[t]);
        }
    for (int t = 0; t < 2; t++) FUZZ_DEMAND(made.share[t] >= 0 && made.share[t] <= 1);
}
