/* SPDX-License-Identifier: GPL-3.0-or-later
 * Parameter tables of text and features. */
#include "text/features/spec.h"

#include <string.h>

#define TEXT(member) offsetof(fp_text_spec, member)
#define FEATURE(member) offsetof(fp_feature_spec, member)

static const char *const HAN[] = {"keep", "simplified", NULL};
static const char *const SEGMENTERS[] = {
#define SEGMENTER(name) #name,
#include "text/segmentation/segmenters.def"
#undef SEGMENTER
    NULL};
static const char *const ON_OFF[] = {"on", "off", NULL};
static const char *const OFF_ON[] = {"off", "on", NULL};
static const char *const JOIN[] = {"numbers", "none", NULL};
static const char *const WEIGHTS[] = {
#define WEIGHT(name, constant, idf, whole, formula) #name,
#include "text/features/weights.def"
#undef WEIGHT
    NULL};
static const char *const PUNCTUATION[] = {"keep", "drop", NULL};
static const char *const SENTENCE[] = {"standard", "semicolon", NULL};
static const char *const HASHES[] = {"xxh3", "fnv1a", "fnv1a-utf16", "md5", "md5-utf16", NULL};

const fp_parameter fp_text_parameters[] = {
    {"han", FP_CHOICE, "", "fold traditional to simplified characters, or keep them", "simplified", 0, 0, HAN,
     TEXT(han)},
    {"segmenter", FP_CHOICE, "", "word segmenter", "jieba", 0, 0, SEGMENTERS, TEXT(segmenter)},
    {"hmm", FP_CHOICE, "", "jieba: guess words that are not in the dictionary", "on", 0, 0, ON_OFF, TEXT(hmm)},
    {"join", FP_CHOICE, "", "join a number with the measure or unit behind it (51区, 9架)", "numbers", 0, 0, JOIN,
     TEXT(join)},
    {"search", FP_CHOICE, "", "jieba: also give the words inside long words", "off", 0, 0, OFF_ON, TEXT(search)},
    {"userdict", FP_TEXT, "", "jieba: user dictionary: shipped, none, or a file (word frequency tag)", "shipped", 0, 0,
     NULL, TEXT(userdict)},
    {0},
};

const fp_parameter fp_feature_parameters[] = {
    {"features", FP_TEXT, "",
     "words, words:K (word K-shingles), spots:K (a stop word and K words behind it), chars:K (character K-grams), sentences, or initials:K",
     "words", 0, 0, NULL, FEATURE(features)},
    {"weight", FP_CHOICE, "",
     "weight of a feature; damped: (1 + ln tf)·√idf; bm25: k1=1.2, b=0.75; levels: 1–5, a fifth of the document's terms each, by tf·idf; length: characters; table: as terms=FILE says",
     "tf", 0, 0, WEIGHTS, FEATURE(weight)},
    {"top", FP_INTEGER, "features", "keep only the N heaviest features; 0 keeps all", "0", 0, 1e9, NULL, FEATURE(top)},
    {"shortest", FP_INTEGER, "characters", "drop words of fewer characters", "1", 1, 100, NULL, FEATURE(shortest)},
    {"punctuation", FP_CHOICE, "", "chars:K: keep or drop all but letters, digits and marks", "keep", 0, 0, PUNCTUATION,
     FEATURE(punctuation)},
    {"sentence", FP_CHOICE, "", "sentences: end at 。！？ … and line ends (standard), or at semicolons as well",
     "standard", 0, 0, SENTENCE, FEATURE(sentence)},
    {"stop", FP_TEXT, "", "stop words: none, shipped, or a file with one word a line", "none", 0, 0, NULL,
     FEATURE(stop)},
    {"idf", FP_TEXT, "",
     "inverse document frequencies: learned from the corpus (of 20 documents or more), builtin (words, jieba's), or a file",
     "corpus", 0, 0, NULL, FEATURE(idf)},
    {"hash", FP_CHOICE, "", "64-bit term hash, of UTF-8 or of UTF-16 units; md5: its last 8 bytes, without a seed",
     "xxh3", 0, 0, HASHES, FEATURE(hash)},
    {"hashseed", FP_INTEGER, "", "seed of the term hash", "0", 0, 9e15, NULL, FEATURE(hash_seed)},
    {"terms", FP_TEXT, "",
     "hashes given by hand: none, or a file (term, bits, weight, or term, weight; tab-separated); other terms are dropped",
     "none", 0, 0, NULL, FEATURE(terms)},
    {0},
};

/* ---- External segmenters ---- */

static fp_status add_segmenter(const fp_segmenter *segmenter, const char **names, size_t count, fp_error *error) {
    const char *name = segmenter->name;
    if (!name || !*name || strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_") != strlen(name) || !segmenter->cut)
        return fp_fail(error, FP_ERROR_RANGE, "a segmenter lacks a name of the form [a-z0-9_]+, or cut");
    for (size_t i = 0; i < count; i++)
        if (strcmp(names[i], name) == 0)
            return fp_fail(error, FP_ERROR_DUPLICATE, "two segmenters are called %s", name);
    names[count] = name;
    return FP_OK;
}

fp_status fp_text_parameters_with(const fp_segmenter *const *segmenters, fp_arena *arena, const fp_parameter **table,
                                  fp_error *error) {
    size_t rows = 0, count = 0, more = 0;
    *table = fp_text_parameters;
    if (!segmenters || !*segmenters) return FP_OK;
    while (fp_text_parameters[rows].name) rows++;
    while (SEGMENTERS[count]) count++;
    while (segmenters[more]) more++;
    const char **names = FP_NEED(fp_arena_alloc(arena, count + more + 1, sizeof *names), error);
    fp_parameter *copy = FP_NEED(fp_arena_alloc(arena, rows + 1, sizeof *copy), error);
    memcpy(names, SEGMENTERS, count * sizeof *names);
    for (size_t i = 0; i < more; i++) FP_TRY(add_segmenter(segmenters[i], names, count + i, error));
    memcpy(copy, fp_text_parameters, rows * sizeof *copy);
    for (size_t i = 0; i < rows; i++)
        if (copy[i].choices == SEGMENTERS) copy[i].choices = names;
    *table = copy;
    return FP_OK;
}

/* ---- Files ---- */

/* Adds a value that is not one of the keywords, which need no file. */
static size_t add_file(const char *value, const char *word, const char *other, const char **files, size_t count) {
    if (strcmp(value, word) == 0 || strcmp(value, other) == 0) return count;
    files[count] = value;
    return count + 1;
}

size_t fp_spec_files(const fp_text_spec *text, const fp_feature_spec *features, const char *files[FP_SPEC_FILES]) {
    size_t count = 0;
    if (text) count = add_file(text->userdict, "shipped", "none", files, count);
    if (!features) return count;
    count = add_file(features->stop, "shipped", "none", files, count);
    count = add_file(features->idf, "corpus", "builtin", files, count);
    return add_file(features->terms, "none", "none", files, count);
}

bool fp_feature_spec_same_units(const fp_feature_spec *a, const fp_feature_spec *b) {
    return strcmp(a->features, b->features) == 0 && a->shortest == b->shortest && a->punctuation == b->punctuation &&
           a->sentence == b->sentence && strcmp(a->stop, b->stop) == 0 && a->hash == b->hash &&
           a->hash_seed == b->hash_seed;
}
