/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Words that are not in the dictionary: jieba.finalseg. Runs of Han characters go through a hidden Markov model of
 * four states (begin, middle, end of a word; single) whose best sequence the Viterbi algorithm finds; everything else
 * is cut by the pattern [a-zA-Z0-9]+(\.\d+)?%? */
#include "text/segmentation/jieba.h"

/* Which of its two possible predecessors each state had. Python's max over (probability, letter) gives a tie to the
 * larger letter, which is the one that a set bit stands for. */
enum {
    B_AFTER_S = 1, /* else after E */
    M_AFTER_M = 2, /* else after B */
    E_AFTER_M = 4, /* else after B */
    S_AFTER_S = 8  /* else after E */
};

typedef struct scores {
    double b, m, e, s;
} scores;

static scores first_scores(const fp_jieba_table *table, const double *emission) {
    const double *start = table->start;
    return (scores){start[FP_JIEBA_B] + emission[FP_JIEBA_B], start[FP_JIEBA_M] + emission[FP_JIEBA_M],
                    start[FP_JIEBA_E] + emission[FP_JIEBA_E], start[FP_JIEBA_S] + emission[FP_JIEBA_S]};
}

/* Marks in cut->choice[i] whether a word ends with character i, for begin ≤ i < end. */
static void viterbi(fp_jieba_cut *cut, size_t begin, size_t end) {
    const fp_jieba *jieba = cut->jieba;
    const double(*to)[FP_JIEBA_STATES] = jieba->table->transition;
    const double eb = to[FP_JIEBA_E][FP_JIEBA_B], sb = to[FP_JIEBA_S][FP_JIEBA_B];
    const double bm = to[FP_JIEBA_B][FP_JIEBA_M], mm = to[FP_JIEBA_M][FP_JIEBA_M];
    const double be = to[FP_JIEBA_B][FP_JIEBA_E], me = to[FP_JIEBA_M][FP_JIEBA_E];
    const double es = to[FP_JIEBA_E][FP_JIEBA_S], ss = to[FP_JIEBA_S][FP_JIEBA_S];
    uint8_t *choice = cut->choice;
    scores v = first_scores(jieba->table, jieba->emission + cut->symbol[begin] * (size_t)FP_JIEBA_STATES);
    for (size_t i = begin + 1; i < end; i++) {
        const double *emission = jieba->emission + cut->symbol[i] * (size_t)FP_JIEBA_STATES;
        double b0 = v.e + eb + emission[FP_JIEBA_B], b1 = v.s + sb + emission[FP_JIEBA_B];
        double m0 = v.b + bm + emission[FP_JIEBA_M], m1 = v.m + mm + emission[FP_JIEBA_M];
        double e0 = v.b + be + emission[FP_JIEBA_E], e1 = v.m + me + emission[FP_JIEBA_E];
        double s0 = v.e + es + emission[FP_JIEBA_S], s1 = v.s + ss + emission[FP_JIEBA_S];
        choice[i] = (uint8_t)((b1 >= b0) * B_AFTER_S | (m1 >= m0) * M_AFTER_M | (e1 >= e0) * E_AFTER_M |
                              (s1 >= s0) * S_AFTER_S);
        v = (scores){b1 >= b0 ? b1 : b0, m1 >= m0 ? m1 : m0, e1 >= e0 ? e1 : e0, s1 >= s0 ? s1 : s0};
    }
    static const uint8_t bit[FP_JIEBA_STATES] = {B_AFTER_S, M_AFTER_M, E_AFTER_M, S_AFTER_S};
    static const uint8_t before[FP_JIEBA_STATES][2] = {[FP_JIEBA_B] = {FP_JIEBA_E, FP_JIEBA_S},
                                                       [FP_JIEBA_M] = {FP_JIEBA_B, FP_JIEBA_M},
                                                       [FP_JIEBA_E] = {FP_JIEBA_B, FP_JIEBA_M},
                                                       [FP_JIEBA_S] = {FP_JIEBA_E, FP_JIEBA_S}};
    size_t state = v.s >= v.e ? FP_JIEBA_S : FP_JIEBA_E;
    choice[begin] = 0;
    for (size_t i = end; i-- > begin;) {
        size_t previous = before[state][(choice[i] & bit[state]) != 0];
        choice[i] = state >= FP_JIEBA_E;
        state = previous;
    }
}

/* Was the word deleted by the user, so that the model may not make it up? */
static bool is_split(const fp_jieba_cut *cut, size_t begin, size_t end) {
    const fp_jieba_words *words = cut->jieba->words;
    uint32_t node = 0;
    if (!fp_jieba_may_begin(words, cut->symbol[begin], cut->symbol[end - begin > 1 ? begin + 1 : begin])) return false;
    for (size_t i = begin; i < end; i++) {
        node = fp_growing_trie_child(&words->trie, node, cut->symbol[i]);
        if (node == 0) return false;
    }
    return words->word[node].split;
}

static void emit_characters(fp_jieba_cut *cut, size_t begin, size_t end) {
    for (size_t i = begin; i < end; i++) fp_jieba_emit(cut, i, i + 1);
}

static void guess_han(fp_jieba_cut *cut, size_t begin, size_t end) {
    if (end - begin == 1) {
        fp_jieba_emit(cut, begin, end);
        return;
    }
    viterbi(cut, begin, end);
    bool splits = cut->jieba->words && cut->jieba->words->splits;
    for (size_t i = begin; i < end; i++) {
        if (!cut->choice[i]) continue;
        if (splits && is_split(cut, begin, i + 1)) emit_characters(cut, begin, i + 1);
        else fp_jieba_emit(cut, begin, i + 1);
        begin = i + 1;
    }
}

static bool is_byte(const fp_jieba_cut *cut, size_t at, char byte) { return cut->text.data[cut->offset[at]] == byte; }

static bool is_digit(const fp_jieba_cut *cut, size_t at) {
    char byte = cut->text.data[cut->offset[at]];
    return byte >= '0' && byte <= '9';
}

/* The end of the number or name that begins at `at`, an ASCII letter or digit. */
static size_t name_end(const fp_jieba_cut *cut, size_t at, size_t end) {
    while (at < end && fp_jieba_is_alphanumeric(cut, at)) at++;
    if (end - at >= 2 && is_byte(cut, at, '.') && is_digit(cut, at + 1))
        for (at += 2; at < end && is_digit(cut, at);) at++;
    return at < end && is_byte(cut, at, '%') ? at + 1 : at;
}

/* Names and numbers, and what lies between them. */
static void guess_rest(fp_jieba_cut *cut, size_t begin, size_t end) {
    while (begin < end) {
        size_t at = begin;
        if (fp_jieba_is_alphanumeric(cut, at)) at = name_end(cut, at, end);
        else
            while (at < end && !fp_jieba_is_alphanumeric(cut, at)) at++;
        fp_jieba_emit(cut, begin, at);
        begin = at;
    }
}

void fp_jieba_guess(fp_jieba_cut *cut, size_t begin, size_t end) {
    while (begin < end) {
        bool han = fp_jieba_is_han(cut, begin);
        size_t at = begin + 1;
        while (at < end && fp_jieba_is_han(cut, at) == han) at++;
        if (han) guess_han(cut, begin, at);
        else guess_rest(cut, begin, at);
        begin = at;
    }
}
