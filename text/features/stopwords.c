/* SPDX-License-Identifier: GPL-3.0-or-later
 * Stop words: the shipped list, a user's file, or none. */
#include <string.h>

#include "base/map.h"
#include "text/features/extractor.h"
#include "text/unicode/han.h"
#include "text/unicode/normalise.h"

extern const char fp_table_stopwords[], fp_table_stopwords_end[];

struct fp_stopwords {
    fp_map words; /* XXH3 of a word */
};

static fp_string trimmed(fp_string line) {
    while (line.length && (*line.data == ' ' || *line.data == '\t')) line.data++, line.length--;
    while (line.length && (line.data[line.length - 1] == ' ' || line.data[line.length - 1] == '\t')) line.length--;
    return line;
}

/* Words are normalised as texts are, so that a list may be in either script and case; as they stand and folded, since a
 * word alone may fold otherwise than in its line. */
static fp_status fill(fp_stopwords *stop, fp_string list, const char *path, fp_arena *arena, fp_error *error) {
    size_t most = 1;
    for (size_t i = 0; i < list.length; i++) most += list.data[i] == '\n';
    FP_TRY(fp_map_open(&stop->words, most * 2, arena, error));
    uint32_t count = 0;
    fp_string line;
    for (size_t row = 1; fp_next_line(&list, &line); row++) {
        line = trimmed(line);
        if (line.length == 0 || *line.data == '#') continue;
        for (int han = FP_HAN_KEEP; han <= FP_HAN_SIMPLIFIED; han++) {
            fp_string word;
            fp_status status = fp_normalise(line, (fp_han)han, arena, &word, error);
            if (status != FP_OK) return fp_at(error, status, path, row, SIZE_MAX);
            fp_map_put(&stop->words, fp_xxh3(word.data, word.length, 0), count++);
        }
    }
    return FP_OK;
}

fp_status fp_stopwords_open(const char *source, fp_arena *arena, const fp_stopwords **stop, fp_error *error) {
    *stop = NULL;
    if (strcmp(source, "none") == 0) return FP_OK;
    fp_string list = {fp_table_stopwords, (size_t)(fp_table_stopwords_end - fp_table_stopwords)};
    if (strcmp(source, "shipped") != 0) FP_TRY(fp_read_file(source, arena, &list, error));
    fp_stopwords *made = fp_arena_alloc(arena, 1, sizeof *made);
    if (!made) return fp_no_memory(error);
    FP_TRY(fill(made, list, source, arena, error));
    *stop = made;
    return FP_OK;
}

static bool has(const fp_stopwords *stop, fp_string word) {
    return fp_map_get(&stop->words, fp_xxh3(word.data, word.length, 0)) != FP_MAP_NONE;
}

fp_status fp_stopwords_hold(const fp_stopwords *stop, fp_string word, fp_arena *arena, bool *held, fp_error *error) {
    *held = stop && has(stop, word);
    if (!stop || *held) return FP_OK;
    fp_string folded;
    FP_TRY(fp_han_fold(word, false, arena, &folded, error));
    if (folded.data != word.data) *held = has(stop, folded);
    return FP_OK;
}
