/* SPDX-License-Identifier: GPL-3.0-or-later
 * The registry of segmenters, token checks, and joining numbers with their measures. */
#include <string.h>

#include "text/segmentation/segment.h"

#define SEGMENTER(name) extern const fp_segmenter fp_segmenter_##name;
#include "text/segmentation/segmenters.def"
#undef SEGMENTER

static const fp_segmenter *const segmenters[] = {
#define SEGMENTER(name) &fp_segmenter_##name,
#include "text/segmentation/segmenters.def"
#undef SEGMENTER
};

const fp_segmenter *fp_segmenter_at(size_t index) {
    return index < sizeof segmenters / sizeof *segmenters ? segmenters[index] : NULL;
}

/* ---- Checking tokens ---- */

/* Between two characters, or at an end. */
static bool is_border(fp_string text, uint32_t at) {
    return at == text.length || (at < text.length && ((unsigned char)text.data[at] & 0xc0) != 0x80);
}

fp_status fp_tokens_check(const fp_segmenter *segmenter, fp_string text, fp_tokens tokens, fp_error *error) {
    uint32_t before = 0, reached = 0;
    for (size_t i = 0; i < tokens.count; i++) {
        fp_token at = tokens.token[i];
        if (at.begin < before || at.begin > reached || at.begin >= at.end || !is_border(text, at.begin) ||
            !is_border(text, at.end))
            return fp_fail(error, FP_ERROR_RANGE,
                           "the segmenter %s makes bytes %u to %u token %zu, behind one that ends with byte %u",
                           segmenter->name, at.begin, at.end, i, reached);
        before = at.begin;
        if (at.end > reached) reached = at.end;
    }
    if (reached == text.length) return FP_OK;
    return fp_fail(error, FP_ERROR_RANGE, "the segmenter %s cuts %u bytes of a text of %zu", segmenter->name, reached,
                   text.length);
}

/* ---- Numbers and measures ---- */

/* text/data/measures.txt: one measure a line, in byte order. */
extern const char fp_table_measures[], fp_table_measures_end[];

/* Binary search over lines: `first` and `end` are always at the start of a line. */
static bool is_measure(const char *word, size_t length) {
    const char *first = fp_table_measures, *end = fp_table_measures_end;
    while (first < end) {
        const char *line = first + (end - first) / 2;
        while (line > first && line[-1] != '\n') line--;
        const char *line_end = memchr(line, '\n', (size_t)(end - line));
        int order = fp_string_compare((fp_string){word, length}, (fp_string){line, (size_t)(line_end - line)});
        if (order == 0) return true;
        if (order < 0) end = line;
        else first = line_end + 1;
    }
    return false;
}

static bool is_digit(char byte) { return byte >= '0' && byte <= '9'; }

static size_t leading_digits(const char *word, size_t length) {
    size_t count = 0;
    while (count < length && is_digit(word[count])) count++;
    return count;
}

/* 51, 3.14, 1,000: digits, with single points or commas between digits. */
static bool is_number(const char *word, size_t length) {
    size_t at = leading_digits(word, length);
    while (at > 0 && at < length && (word[at] == '.' || word[at] == ',')) {
        size_t more = leading_digits(word + at + 1, length - at - 1);
        if (more == 0) return false;
        at += 1 + more;
    }
    return at > 0 && at == length;
}

/* Whether the tokens at `at` continue the number before them, with a point and digits or a comma and three digits:
 * segmenters cut some numbers at points and commas. */
static bool continues(fp_string text, const fp_token *tokens, size_t at, size_t count) {
    if (at + 1 >= count) return false;
    if (tokens[at].begin != tokens[at - 1].end || tokens[at + 1].begin != tokens[at].end) return false;
    const char *separator = text.data + tokens[at].begin, *digits = text.data + tokens[at + 1].begin;
    size_t length = tokens[at + 1].end - tokens[at + 1].begin;
    if (tokens[at].end - tokens[at].begin != 1 || !is_number(digits, length)) return false;
    return *separator == '.' || (*separator == ',' && leading_digits(digits, length) == 3);
}

size_t fp_join_numbers(fp_string text, fp_token *tokens, size_t count) {
    size_t kept = 0;
    for (size_t i = 0; i < count;) {
        const char *word = text.data + tokens[i].begin;
        size_t end = i + 1;
        if (is_digit(*word) && is_number(word, tokens[i].end - tokens[i].begin)) {
            while (continues(text, tokens, end, count)) end += 2;
            fp_token behind = end < count ? tokens[end] : (fp_token){0, 0};
            uint32_t number_end = tokens[end - 1].end;
            if (behind.begin == number_end && is_measure(text.data + number_end, behind.end - number_end)) {
                tokens[kept++] = (fp_token){tokens[i].begin, behind.end};
                i = end + 1;
                continue;
            }
        }
        while (i < end) tokens[kept++] = tokens[i++];
    }
    return kept;
}
