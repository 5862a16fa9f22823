/* SPDX-License-Identifier: GPL-3.0-or-later
 * Groups of synonyms, sorted by word. */
#include "corpora/corruption/corruption.h"

#include <stdlib.h>
#include <string.h>

#include "text/unicode/utf8.h"

extern const char fp_table_synonyms[], fp_table_synonyms_end[];

typedef struct entry {
    fp_string word;
    size_t first, count; /* its group, in `member` */
} entry;

struct fp_synonyms {
    size_t count;
    entry *entries; /* by word; equal words in the order of the list */
    fp_string *member;
};

fp_string fp_synonyms_shipped(void) {
    return (fp_string){fp_table_synonyms, (size_t)(fp_table_synonyms_end - fp_table_synonyms)};
}

static bool next_word(fp_string *rest, fp_string *word) {
    size_t at = 0, end;
    while (at < rest->length && memchr(" \t", rest->data[at], 2)) at++;
    for (end = at; end < rest->length && !memchr(" \t", rest->data[end], 2);) end++;
    *word = (fp_string){rest->data + at, end - at};
    *rest = (fp_string){rest->data + end, rest->length - end};
    return end > at;
}

/* The words of a line without its group code; empty for a line that is not a group. */
static fp_string words_of(fp_string line) {
    fp_string rest = line, code;
    if (!next_word(&rest, &code) || *code.data == '#') return (fp_string){line.data, 0};
    bool ascii = code.length > 1 && (unsigned char)*code.data < 0x80;
    char last = code.data[code.length - 1];
    if (!ascii || (last != '=' && last != '#' && last != '@')) return line;
    return last == '=' ? rest : (fp_string){line.data, 0};
}

static void add_group(fp_synonyms *to, fp_string words) {
    size_t first = to->count;
    for (fp_string word; next_word(&words, &word);) to->member[to->count++] = word;
    size_t count = to->count - first;
    if (count < 2) to->count = first;
    for (size_t i = first; i < to->count; i++) to->entries[i] = (entry){to->member[i], first, count};
}

FP_COMPARES(by_word, entry, fp_string_compare(a->word, b->word) ?: FP_ORDER(a->first, b->first));

fp_status fp_synonyms_read(fp_string list, fp_arena *arena, const fp_synonyms **made, fp_error *error) {
    size_t words = 1, valid = fp_utf8_check(list);
    if (valid != list.length)
        return fp_at_byte(error, fp_fail(error, FP_ERROR_ENCODING, "the list of synonyms is not valid UTF-8"), valid);
    for (size_t i = 0; i < list.length; i++) words += memchr(" \t\n", list.data[i], 3) != NULL;
    fp_synonyms *to = FP_NEED(fp_arena_alloc(arena, 1, sizeof *to), error);
    to->entries = FP_NEED(fp_arena_raw(arena, words, sizeof *to->entries), error);
    to->member = FP_NEED(fp_arena_raw(arena, words, sizeof *to->member), error);
    for (fp_string rest = list, line; fp_next_line(&rest, &line);) add_group(to, words_of(line));
    if (!to->count) return fp_fail(error, FP_ERROR_EMPTY, "the list of synonyms has no line with two words");
    qsort(to->entries, to->count, sizeof *to->entries, by_word);
    *made = to;
    return FP_OK;
}

fp_string fp_synonyms_draw(const fp_synonyms *synonyms, fp_string word, uint64_t random) {
    size_t first = FP_FIRST(i, synonyms->count, fp_string_compare(synonyms->entries[i].word, word) >= 0), others = 0;
    for (int draw = 0; draw < 2; draw++) {
        uint64_t left = draw ? random % others : UINT64_MAX;
        for (size_t i = first; i < synonyms->count && fp_string_equal(synonyms->entries[i].word, word); i++) {
            const entry *it = &synonyms->entries[i];
            for (size_t m = it->first; m < it->first + it->count; m++) {
                if (fp_string_equal(synonyms->member[m], word)) continue;
                if (draw && left-- == 0) return synonyms->member[m];
                others += !draw;
            }
        }
        if (!others) break;
    }
    return (fp_string){word.data, 0};
}
