/* SPDX-License-Identifier: GPL-3.0-or-later
 * Text to units to term hashes: words, characters, sentences and initials are four ways to fill one buffer; K-grams are
 * slices of it. */
#include "text/features/extract.h"

#include <math.h>
#include <stdatomic.h>

#include "text/features/spec.h"
#include "text/segmentation/pinyin.h"
#include "text/unicode/normalise.h"
#include "text/unicode/words.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <string.h>

#include "text/unicode/utf8.h"

/* ---- Opening ---- */

/* The inputs of each weight, by fp_weight. */
static const struct {
    bool idf, whole;
} WEIGHTS[] = {
#define WEIGHT(name, constant, idf, whole, formula) [FP_WEIGHT_##constant] = {idf, whole},
#include "text/features/weights.def"
#undef WEIGHT
};

static fp_status parse_features(const char *text, fp_extractor *made, fp_error *error) {
    static const struct {
        const char *name;
        fp_feature_unit unit;
        bool grams;
    } KINDS[] = {{"words", FP_FEATURE_WORD, true},
                 {"spots", FP_FEATURE_SPOT, true},
                 {"chars", FP_FEATURE_CHARACTER, true},
                 {"sentences", FP_FEATURE_SENTENCE, false},
                 {"initials", FP_FEATURE_INITIAL, true}};
    const char *colon = strchr(text, ':');
    fp_string kind = {text, colon ? (size_t)(colon - text) : strlen(text)};
    int64_t span = 1;
    for (size_t i = 0; i < sizeof KINDS / sizeof *KINDS; i++) {
        if (!fp_string_equal(kind, fp_string_of(KINDS[i].name))) continue;
        if (colon && !KINDS[i].grams)
            return fp_fail(error, FP_ERROR_SYNTAX, "features=%s: %s takes no length", text, KINDS[i].name);
        if (colon && !fp_parse_integer(colon + 1, &span))
            return fp_fail(error, FP_ERROR_SYNTAX, "features=%s: %s is not a whole number", text, colon + 1);
        if (span < 1 || span > 1000)
            return fp_fail(error, FP_ERROR_RANGE, "features=%s is out of bounds: the length takes 1 to 1000", text);
        made->unit = KINDS[i].unit;
        made->span = made->unit == FP_FEATURE_SPOT ? 1 : (size_t)span;
        made->chain = colon ? (size_t)span : 2;
        return FP_OK;
    }
    return fp_fail(
        error, FP_ERROR_RANGE,
        "features=%s is not a choice: features takes words, words:K, spots:K, chars:K, sentences, initials:K", text);
}

fp_status fp_extractor_open(const fp_feature_spec *spec, fp_arena *arena, const fp_extractor **extractor,
                            fp_error *error) {
    fp_extractor *made = FP_NEED(fp_arena_alloc(arena, 1, sizeof *made), error);
    made->spec = *spec;
    FP_TRY(parse_features(spec->features, made, error));
    if ((spec->hash == FP_HASH_MD5 || spec->hash == FP_HASH_MD5_UTF16) && spec->hash_seed)
        return fp_fail(error, FP_ERROR_RANGE, "hashseed=%lld: MD5 takes no seed", (long long)spec->hash_seed);
    if (made->unit == FP_FEATURE_SPOT) FP_TRY(fp_stopwords_open("shipped", arena, &made->skipped, error));
    if (strcmp(spec->stop, "none") == 0) made->stop = made->skipped;
    else FP_TRY(fp_stopwords_open(spec->stop, arena, &made->stop, error));
    FP_TRY(fp_terms_open(spec, arena, &made->terms, error));
    made->weigh_idf = WEIGHTS[spec->weight].idf;
    made->source = strcmp(spec->idf, "corpus") == 0    ? FP_IDF_CORPUS
                   : strcmp(spec->idf, "builtin") == 0 ? FP_IDF_BUILTIN
                                                       : FP_IDF_FILE;
    if (made->weigh_idf && made->source == FP_IDF_BUILTIN && (made->unit != FP_FEATURE_WORD || made->span > 1))
        return fp_fail(error, FP_ERROR_RANGE, "idf=builtin knows single words; use features=words, or idf=corpus");
    if (spec->weight == FP_WEIGHT_BM25 && made->source == FP_IDF_BUILTIN)
        return fp_fail(error, FP_ERROR_RANGE,
                       "weight=bm25 needs the average length of documents, which idf=builtin does not know; use "
                       "idf=corpus, a file, or weight=damped");
    /* Read even if the weight does not use it, so that a missing file is reported. */
    if (made->source == FP_IDF_FILE) FP_TRY(fp_idf_read(made, spec->idf, arena, &made->fixed, error));
    *extractor = made;
    return FP_OK;
}

unsigned fp_extractor_wants(const fp_extractor *extractor) {
    if (extractor->unit == FP_FEATURE_INITIAL) return FP_WANT_INITIALS;
    return extractor->unit == FP_FEATURE_WORD || extractor->unit == FP_FEATURE_SPOT ? FP_WANT_TOKENS : 0;
}

bool fp_extractor_learns(const fp_extractor *extractor) {
    return extractor->weigh_idf && extractor->source == FP_IDF_CORPUS;
}

const fp_idf *fp_extractor_file(const fp_extractor *extractor) {
    return extractor->weigh_idf && extractor->source == FP_IDF_FILE ? extractor->fixed : NULL;
}

bool fp_extractor_whole(const fp_extractor *extractor) { return WEIGHTS[extractor->spec.weight].whole; }

bool fp_extractor_plain(const fp_extractor *extractor, bool tf) {
    const fp_feature_spec *spec = &extractor->spec;
    return !extractor->terms && spec->top == 0 && (!tf || spec->weight == FP_WEIGHT_TF);
}

unsigned fp_extractor_width(const fp_extractor *extractor) {
    return extractor->terms ? fp_terms_width(extractor->terms) : 0;
}

/* ---- Units ---- */

fp_status fp_builder_open(fp_builder *made, size_t bytes, size_t units, fp_arena *arena, fp_error *error) {
    if (bytes >= UINT32_MAX) return fp_fail(error, FP_ERROR_RANGE, "a text of 4 GiB or more");
    *made = (fp_builder){.buffer = fp_arena_raw(arena, bytes + 1, 1),
                         .begin = fp_arena_raw(arena, units, sizeof(uint32_t)),
                         .end = fp_arena_raw(arena, units, sizeof(uint32_t))};
    return made->buffer && made->begin && made->end ? FP_OK : fp_no_memory(error);
}

void fp_builder_add(fp_builder *to, const char *data, size_t length) {
    memcpy(to->buffer + to->length, data, length);
    to->begin[to->count] = (uint32_t)to->length;
    to->length += length;
    to->end[to->count++] = (uint32_t)to->length;
}

static fp_status word_units(const fp_extractor *extractor, const fp_text *text, fp_arena *arena, fp_builder *to,
                            fp_error *error) {
    size_t bytes = 0; /* in search mode words overlap and have more bytes than the text */
    for (size_t i = 0; i < text->tokens.count; i++)
        bytes += text->tokens.token[i].end - text->tokens.token[i].begin + 1;
    FP_TRY(fp_builder_open(to, bytes, text->tokens.count, arena, error));
    for (size_t i = 0; i < text->tokens.count; i++) {
        fp_token token = text->tokens.token[i];
        fp_string word = {text->text.data + token.begin, token.end - token.begin};
        if (!fp_has_word(word.data, word.length)) continue;
        if (extractor->spec.shortest > 1 && fp_utf8_count(word) < (size_t)extractor->spec.shortest) continue;
        bool stopped;
        FP_TRY(fp_stopwords_hold(extractor->stop, word, arena, &stopped, error));
        if (stopped) continue;
        if (to->count) to->buffer[to->length++] = ' ';
        fp_builder_add(to, word.data, word.length);
    }
    return FP_OK;
}

/* Spot signatures (Theobald, Siddharth, Paepcke, SpotSigs: robust and efficient near duplicate detection in large
 * web collections, SIGIR 2008, section 3): a stop word with the next K content words, so that prose counts and lists
 * of words around it do not. Each is one unit, "the south carolina"; a stop word with fewer content words after it
 * gives none. The antecedents are all stop words of the shipped list, at the paper's distance 1, or only those of
 * stop=FILE. */
static fp_status spot_units(const fp_extractor *extractor, const fp_text *text, fp_arena *arena, fp_builder *to,
                            fp_error *error) {
    typedef struct spot_word {
        fp_string text;
        bool stop;
        size_t behind; /* index in `content` of the next content word */
    } spot_word;
    size_t count = 0, contents = 0, bytes = 0, chain = extractor->chain, most = text->tokens.count;
    spot_word *word = FP_NEED(fp_arena_raw(arena, most, sizeof *word), error);
    fp_string *content = FP_NEED(fp_arena_raw(arena, most, sizeof *content), error);
    for (size_t i = 0; i < most; i++) {
        fp_token token = text->tokens.token[i];
        fp_string read = {text->text.data + token.begin, token.end - token.begin};
        bool stop, skipped;
        if (!fp_has_word(read.data, read.length)) continue;
        FP_TRY(fp_stopwords_hold(extractor->stop, read, arena, &stop, error));
        FP_TRY(fp_stopwords_hold(extractor->skipped, read, arena, &skipped, error));
        word[count++] = (spot_word){read, stop, contents};
        if (!skipped && !stop) content[contents++] = read;
    }
    for (size_t i = 0; i < count; i++) {
        word[i].stop = word[i].stop && word[i].behind + chain <= contents;
        if (!word[i].stop) continue;
        bytes += word[i].text.length + chain;
        for (size_t k = 0; k < chain; k++) bytes += content[word[i].behind + k].length;
    }
    FP_TRY(fp_builder_open(to, bytes, count, arena, error));
    for (size_t i = 0; i < count; i++) {
        if (!word[i].stop) continue;
        fp_builder_add(to, word[i].text.data, word[i].text.length);
        for (size_t k = 0; k < chain; k++) {
            fp_string next = content[word[i].behind + k];
            to->buffer[to->length++] = ' ';
            memcpy(to->buffer + to->length, next.data, next.length);
            to->length += next.length;
        }
        to->end[to->count - 1] = (uint32_t)to->length;
    }
    return FP_OK;
}

static fp_status fill_units(const fp_extractor *extractor, const fp_text *text, fp_arena *arena, fp_builder *to,
                            fp_error *error) {
    switch (extractor->unit) {
    case FP_FEATURE_WORD: return word_units(extractor, text, arena, to, error);
    case FP_FEATURE_SPOT: return spot_units(extractor, text, arena, to, error);
    case FP_FEATURE_CHARACTER:
        return fp_character_units(text->text, extractor->spec.punctuation != 0, arena, to, error);
    case FP_FEATURE_SENTENCE: return fp_sentence_units(text->text, extractor->spec.sentence != 0, arena, to, error);
    case FP_FEATURE_INITIAL: break;
    }
    return fp_character_units(text->initials, false, arena, to, error);
}

/* ---- Hashes ---- */

/* Separate loops for the common hashes, so that they are inlined. */
static void hash_all(const fp_extractor *extractor, const fp_units *units, uint64_t *hash) {
    const uint32_t *begin = units->begin, *end = units->end + (units->length ? units->span - 1 : 0);
    const char *data = units->buffer.data;
    if (extractor->spec.hash == FP_HASH_XXH3 && extractor->spec.hash_seed == 0) {
        fp_window_hash(data, begin, end, units->length, hash);
    } else if (extractor->spec.hash == FP_HASH_XXH3) {
        uint64_t seed = (uint64_t)extractor->spec.hash_seed;
        for (size_t i = 0; i < units->length; i++)
            hash[i] = XXH3_64bits_withSeed(data + begin[i], end[i] - begin[i], seed);
    } else {
        for (size_t i = 0; i < units->length; i++) hash[i] = fp_term_hash(&extractor->spec, fp_units_term(units, i));
    }
}

fp_status fp_extract(const fp_extractor *extractor, const fp_text *text, fp_arena *arena, fp_units *units,
                     fp_error *error) {
    fp_builder built;
    FP_TRY(fill_units(extractor, text, arena, &built, error));
    size_t span = extractor->span < built.count ? extractor->span : built.count;
    size_t length = built.count ? built.count - span + 1 : 0;
    uint64_t *hash = FP_NEED(fp_arena_raw(arena, length, sizeof *hash), error);
    *units = (fp_units){.buffer = {built.buffer, built.length},
                        .count = built.count,
                        .begin = built.begin,
                        .end = built.end,
                        .length = length,
                        .span = span,
                        .hash = hash};
    hash_all(extractor, units, hash);
    return FP_OK;
}

fp_string fp_units_term(const fp_units *units, size_t i) {
    uint32_t begin = units->begin[i];
    return (fp_string){units->buffer.data + begin, units->end[i + units->span - 1] - begin};
}

/* ---- Raw text to normalised text, tokens and pinyin initials ---- */

/* Texts cut so far, and how many of them are uncut; for any number of threads. */
typedef struct tally {
    atomic_size_t texts, uncut;
} tally;

struct fp_preprocessor {
    fp_han han;
    const fp_segmenter *segmenter;
    const void *state;
    bool outside; /* external: its tokens are checked */
    tally *tally; /* only for jieba; NULL: the segmenter has its own dictionaries */
};

extern const fp_segmenter fp_segmenter_jieba;

static const fp_segmenter *segmenter_of(const fp_text_spec *spec, bool *outside) {
    size_t registered = 0, index = (size_t)spec->segmenter;
    while (fp_segmenter_at(registered)) registered++;
    *outside = index >= registered;
    return *outside ? spec->segmenters[index - registered] : fp_segmenter_at(index);
}

fp_status fp_preprocessor_open(const fp_text_spec *spec, fp_arena *arena, const fp_preprocessor **preprocessor,
                               fp_error *error) {
    fp_preprocessor *made = FP_NEED(fp_arena_alloc(arena, 1, sizeof *made), error);
    made->han = (fp_han)spec->han;
    made->segmenter = segmenter_of(spec, &made->outside);
    fp_segment_options options = {.hmm = spec->hmm == 0,
                                  .search = spec->search != 0,
                                  .join_numbers = spec->join == 0,
                                  .userdict = spec->userdict};
    if (made->segmenter->open) FP_TRY(made->segmenter->open(&options, arena, &made->state, error));
    if (made->segmenter == &fp_segmenter_jieba && !(made->tally = fp_arena_alloc(arena, 1, sizeof *made->tally)))
        return fp_no_memory(error);
    *preprocessor = made;
    return FP_OK;
}

/* ---- Scripts that the segmenter cannot cut ---- */

/* The inverse of the least share of uncut tokens. */
enum { UNCUT_SHARE = 4 };

/* Whether a token may begin with a letter of fp_word.uncut, from its first two bytes: U+0800 to U+1FFF, U+3040 to
 * U+30FF, U+A000 to U+AFFF, and beyond U+FFFF. */
static bool may_be_uncut(const unsigned char *byte) {
    return byte[0] == 0xe0 || byte[0] == 0xe1 || (byte[0] == 0xe3 && (byte[1] & 0xfc) == 0x80 && byte[1] != 0x80) ||
           byte[0] == 0xea || byte[0] >= 0xf0;
}

static void count_uncut(tally *to, const fp_text *text) {
    size_t uncut = 0;
    for (size_t i = 0; i < text->tokens.count; i++) {
        size_t begin = text->tokens.token[i].begin;
        if (may_be_uncut((const unsigned char *)text->text.data + begin)) uncut += fp_word_at(text->text, begin).uncut;
    }
    atomic_fetch_add_explicit(&to->texts, 1, memory_order_relaxed);
    if (uncut && uncut * UNCUT_SHARE >= text->tokens.count)
        atomic_fetch_add_explicit(&to->uncut, 1, memory_order_relaxed);
}

size_t fp_preprocessor_uncut(const fp_preprocessor *of, size_t texts) {
    size_t seen = of->tally ? atomic_load(&of->tally->texts) : 0;
    return seen ? (size_t)ceil((double)atomic_load(&of->tally->uncut) / (double)seen * (double)texts) : 0;
}

/* ---- One text ---- */

fp_status fp_preprocess(const fp_preprocessor *preprocessor, fp_string raw, unsigned wanted, fp_arena *arena,
                        fp_text *text, fp_error *error) {
    *text = (fp_text){0};
    FP_TRY(fp_normalise(raw, preprocessor->han, arena, &text->text, error));
    if (!(wanted & (FP_WANT_TOKENS | FP_WANT_INITIALS))) return FP_OK;
    FP_TRY(preprocessor->segmenter->cut(preprocessor->state, text->text, arena, &text->tokens, error));
    if (preprocessor->outside) FP_TRY(fp_tokens_check(preprocessor->segmenter, text->text, text->tokens, error));
    if (preprocessor->tally && wanted & FP_WANT_TOKENS) count_uncut(preprocessor->tally, text);
    if (!(wanted & FP_WANT_INITIALS)) return FP_OK;
    return fp_pinyin_initials(text->text, text->tokens, arena, &text->initials, error);
}
