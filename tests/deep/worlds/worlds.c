/* SPDX-License-Identifier: GPL-3.0-or-later
 * The worlds, those that people wrote first. */
#include "tests/deep/worlds/population.h"

#define POEMS "zhTW_quantangshi_two_editions"
#define LICENCES "en_scancode_licenses"
#define TYPOS "zhTW_sighan_typos"
#define SCRIPTS "zh_cross_script_poems"
#define LAWS "zh_prc_law_revisions"
#define WORD_ORDER "zh_pawsx"
#define EVENTS "zh_sohu_event"
#define NEWSWIRE "newswire-zh"

const world WORLDS[] = {
    /* All pairs of documents in groups. */
    {"poems", POEMS, {20, 60, 100}, ALL_PAIRS, 0, true, NONE, {"simhash", "minhash", "pinyin"}},
    {"poems-exact", POEMS, {100}, ALL_PAIRS, 0, true, NONE, {"jaccard", "cosine"}},
    {"poems-ties", POEMS, {100}, ALL_PAIRS, 0, true, NONE, {"simhash:bits=16", "minhash:slots=8"}},
    {"poems-many", POEMS, {500, 2000}, NEAR, 0, true, NONE, {"simhash", "pinyin"}},
    {"licences", LICENCES, {20, 60}, ALL_PAIRS, 0, true, NONE, {"simhash", "minhash", "jaccard"}},
    {"licences-many", LICENCES, {300}, NEAR, 0, true, NONE, {"simhash", "minhash"}},
    {"laws", LAWS, {60, 100}, ALL_PAIRS, 0, true, NONE, {"simhash", "minhash"}},
    {"scripts", SCRIPTS, {20, 60}, ALL_PAIRS, 0, true, NONE, {"simhash:han=keep", "minhash", "pinyin"}},
    {"newswire", NEWSWIRE, {20, 60}, ALL_PAIRS, 0, true, NONE, {"simhash", "minhash", "jaccard"}},
    /* Labelled pairs across groups, a sample of all. */
    {"poems-listed", POEMS, {100, 500}, LISTED, 0.1, true, NONE, {"simhash", "pinyin"}},
    {"licences-listed", LICENCES, {60, 200}, LISTED, 0.3, false, NONE, {"simhash", "minhash"}},
    {"typos-listed", TYPOS, {60, 200, 2000}, LISTED, 0.4, false, NONE, {"simhash", "pinyin", "cosine"}},
    {"laws-listed", LAWS, {200}, LISTED, 0.05, false, NONE, {"simhash", "jaccard"}},
    /* Pairs of their own. */
    {"word-order", WORD_ORDER, {200, 2000}, SINGLE_PAIRS, 0.42, false, NONE, {"simhash", "jaccard"}},
    {"events-half", EVENTS, {60, 500}, SINGLE_PAIRS, 0.5, false, NONE, {"simhash", "minhash:slots=16"}},
    {"events-tenth", EVENTS, {1000}, SINGLE_PAIRS, 0.1, false, NONE, {"simhash", "jaccard"}},
    {"events-10-positives", EVENTS, {1000}, SINGLE_PAIRS, 0.01, false, NONE, {"simhash", "minhash", "jaccard"}},
    {"events-thousandth", EVENTS, {10000}, SINGLE_PAIRS, 0.001, false, NONE, {"simhash"}},
    /* Made up. */
    {"made-boilerplate", "made_boilerplate", {60, 100}, ALL_PAIRS, 0, true, NONE, {"simhash", "minhash", "jaccard"}},
    {"made-zipf-listed", "made_zipf_sizes", {100, 500, 1500}, LISTED, 0.3, false, NONE, {"simhash", "minhash"}},
    {"made-zipf", "made_zipf_sizes", {60, 100}, ALL_PAIRS, 0, true, NONE, {"simhash", "minhash"}},
    {"made-families", "made_families", {20, 60}, ALL_PAIRS, 0, true, NONE, {"simhash", "minhash"}},
    {"made-families-listed", "made_families", {200}, LISTED, 0.01, false, NONE, {"simhash", "minhash"}},
    /* Differences. */
    {"poems-differ", POEMS, {60, 100}, ALL_PAIRS, 0, true, KNOWN, {"simhash", "minhash", "pinyin"}},
    {"licences-differ", LICENCES, {60}, ALL_PAIRS, 0, true, KNOWN, {"simhash", "minhash", "jaccard"}},
    {"typos-differ", TYPOS, {200}, LISTED, 0.4, false, KNOWN, {"simhash", "minhash", "pinyin"}},
    {"word-order-differ", WORD_ORDER, {500}, SINGLE_PAIRS, 0.42, false, KNOWN, {"simhash", "minhash", "jaccard"}},
    {"poems-equal",
     POEMS,
     {60, 100},
     ALL_PAIRS,
     0,
     true,
     EQUAL,
     {"simhash:hashseed=1", "simhash:hashseed=2", "simhash:hashseed=3", "simhash:hashseed=4"}},
    {"licences-equal",
     LICENCES,
     {60},
     ALL_PAIRS,
     0,
     true,
     EQUAL,
     {"minhash:seed=1,slots=16", "minhash:seed=2,slots=16", "minhash:seed=3,slots=16", "minhash:seed=4,slots=16"}},
    {"typos-equal",
     TYPOS,
     {200},
     LISTED,
     0.4,
     false,
     EQUAL,
     {"simhash:hashseed=1", "simhash:hashseed=2", "simhash:hashseed=3", "simhash:hashseed=4"}},
    {"word-order-equal",
     WORD_ORDER,
     {500},
     SINGLE_PAIRS,
     0.42,
     false,
     EQUAL,
     {"minhash:seed=1,slots=16", "minhash:seed=2,slots=16", "minhash:seed=3,slots=16", "minhash:seed=4,slots=16"}},
};
const size_t WORLD_COUNT = sizeof WORLDS / sizeof *WORLDS;
