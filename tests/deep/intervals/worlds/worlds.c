/* SPDX-License-Identifier: GPL-3.0-or-later
 * The worlds, those that people wrote first. */
#include "tests/deep/intervals/worlds/population.h"

#define POEMS "zhTW_quantangshi_two_editions"
#define LICENCES "en_scancode_licenses"
#define TYPOS "zhTW_sighan_typos"
#define SCRIPTS "zh_cross_script_poems"
#define LAWS "zh_prc_law_revisions"
#define WORD_ORDER "zh_pawsx"
#define EVENTS "zh_sohu_event"
#define NEWSWIRE "newswire-zh"
#define ZIPF "made_zipf_sizes"
#define BOILERPLATE "made_boilerplate"
#define FAMILIES "made_families"

#define UNITS(...) \
    { __VA_ARGS__ }
#define ARMS(...) \
    { __VA_ARGS__ }
#define SIMHASHES ARMS("simhash:hashseed=1", "simhash:hashseed=2", "simhash:hashseed=3", "simhash:hashseed=4")
#define MINHASHES \
    ARMS("minhash:seed=1,slots=16", "minhash:seed=2,slots=16", "minhash:seed=3,slots=16", "minhash:seed=4,slots=16")

#define GROUPS(name, set, units, arms) \
    { name, set, units, ALL_PAIRS, 0, true, FP_LEVEL_PAIR, NONE, arms }
#define MANY(name, set, units, arms) \
    { name, set, units, COUNTED, 0, true, FP_LEVEL_PAIR, NONE, arms }
#define LIST(name, set, units, prevalence, grouped, arms) \
    { name, set, units, LISTED, prevalence, grouped, FP_LEVEL_PAIR, NONE, arms }
#define PAIRS(name, set, units, prevalence, arms) \
    { name, set, units, SINGLE_PAIRS, prevalence, false, FP_LEVEL_PAIR, NONE, arms }
#define OTHER(name, set, units, design, prevalence, level, contest, arms) \
    { name, set, units, design, prevalence, design == ALL_PAIRS, level, contest, arms }

const world WORLDS[] = {
    /* All pairs of documents in groups. */
    GROUPS("poems", POEMS, UNITS(20, 60, 100), ARMS("simhash", "pinyin")),
    GROUPS("poems-exact", POEMS, UNITS(60), ARMS("jaccard", "cosine")),
    GROUPS("poems-ties", POEMS, UNITS(60), ARMS("simhash:bits=16", "minhash:slots=8")),
    MANY("poems-many", POEMS, UNITS(500), ARMS("simhash", "pinyin")),
    GROUPS("licences", LICENCES, UNITS(20, 60), ARMS("simhash", "jaccard")),
    MANY("licences-many", LICENCES, UNITS(300), ARMS("simhash", "minhash")),
    GROUPS("laws", LAWS, UNITS(60, 100), ARMS("simhash", "minhash")),
    GROUPS("scripts", SCRIPTS, UNITS(20, 60), ARMS("simhash:han=keep", "pinyin")),
    GROUPS("newswire", NEWSWIRE, UNITS(20, 60), ARMS("simhash", "jaccard")),
    /* Labelled pairs across groups, a sample of all. */
    LIST("poems-listed", POEMS, UNITS(100, 500), 0.1, true, ARMS("simhash", "pinyin")),
    LIST("licences-listed", LICENCES, UNITS(60, 200), 0.3, false, ARMS("simhash", "minhash")),
    LIST("typos-listed", TYPOS, UNITS(60, 200, 2000), 0.4, false, ARMS("simhash", "pinyin", "cosine")),
    LIST("laws-listed", LAWS, UNITS(200), 0.05, false, ARMS("simhash", "jaccard")),
    /* Pairs of their own. */
    PAIRS("word-order", WORD_ORDER, UNITS(200, 2000), 0.42, ARMS("simhash", "jaccard")),
    PAIRS("events-half", EVENTS, UNITS(60, 500), 0.5, ARMS("simhash", "minhash:slots=16")),
    PAIRS("events-tenth", EVENTS, UNITS(1000), 0.1, ARMS("simhash", "jaccard")),
    PAIRS("events-10-positives", EVENTS, UNITS(1000), 0.01, ARMS("simhash", "minhash", "jaccard")),
    PAIRS("events-thousandth", EVENTS, UNITS(10000), 0.001, ARMS("simhash")),
    /* Made up. */
    GROUPS("made-boilerplate", BOILERPLATE, UNITS(60), ARMS("minhash", "jaccard")),
    LIST("made-zipf-listed", ZIPF, UNITS(100, 500), 0.3, false, ARMS("simhash", "minhash")),
    GROUPS("made-zipf", ZIPF, UNITS(60), ARMS("simhash", "minhash")),
    GROUPS("made-families", FAMILIES, UNITS(20), ARMS("simhash", "minhash")),
    LIST("made-families-listed", FAMILIES, UNITS(100), 0.01, false, ARMS("simhash", "minhash")),
    /* Documents and clusters. */
    OTHER("laws-documents", LAWS, UNITS(200), LISTED, 0.05, FP_LEVEL_DOCUMENT, NONE, ARMS("simhash", "minhash")),
    OTHER("made-zipf-documents", ZIPF, UNITS(200), LISTED, 0.3, FP_LEVEL_DOCUMENT, NONE, ARMS("simhash", "minhash")),
    OTHER("licences-clusters", LICENCES, UNITS(60, 200), LISTED, 0.3, FP_LEVEL_CLUSTER, NONE,
          ARMS("simhash", "minhash")),
    OTHER("typos-clusters", TYPOS, UNITS(200), LISTED, 0.4, FP_LEVEL_CLUSTER, NONE, ARMS("pinyin")),
    OTHER("poems-clusters", POEMS, UNITS(60), ALL_PAIRS, 0, FP_LEVEL_CLUSTER, NONE, ARMS("simhash", "pinyin")),
    /* Averages over hash seeds. */
    OTHER("newswire-seeds", NEWSWIRE, UNITS(60), LISTED, 0.1, FP_LEVEL_PAIR, SEEDS, ARMS("simhash:hashseed=")),
    OTHER("licences-seeds", LICENCES, UNITS(60), LISTED, 0.3, FP_LEVEL_PAIR, SEEDS, ARMS("minhash:slots=16,seed=")),
    OTHER("newswire-seeds-equal", NEWSWIRE, UNITS(60), LISTED, 0.1, FP_LEVEL_PAIR, SEEDS_EQUAL,
          ARMS("simhash:hashseed=")),
    OTHER("licences-seeds-equal", LICENCES, UNITS(60), LISTED, 0.3, FP_LEVEL_PAIR, SEEDS_EQUAL,
          ARMS("minhash:slots=16,seed=")),
    /* Differences. */
    OTHER("poems-differ", POEMS, UNITS(60), ALL_PAIRS, 0, FP_LEVEL_PAIR, KNOWN, ARMS("simhash", "minhash", "pinyin")),
    OTHER("licences-differ", LICENCES, UNITS(60), ALL_PAIRS, 0, FP_LEVEL_PAIR, KNOWN, ARMS("simhash", "jaccard")),
    OTHER("typos-differ", TYPOS, UNITS(200), LISTED, 0.4, FP_LEVEL_PAIR, KNOWN, ARMS("simhash", "minhash", "pinyin")),
    OTHER("word-order-differ", WORD_ORDER, UNITS(500), SINGLE_PAIRS, 0.42, FP_LEVEL_PAIR, KNOWN,
          ARMS("simhash", "minhash", "jaccard")),
    OTHER("poems-equal", POEMS, UNITS(60), ALL_PAIRS, 0, FP_LEVEL_PAIR, EQUAL, SIMHASHES),
    OTHER("licences-equal", LICENCES, UNITS(60), ALL_PAIRS, 0, FP_LEVEL_PAIR, EQUAL, MINHASHES),
    OTHER("typos-equal", TYPOS, UNITS(200), LISTED, 0.4, FP_LEVEL_PAIR, EQUAL, SIMHASHES),
    OTHER("word-order-equal", WORD_ORDER, UNITS(500), SINGLE_PAIRS, 0.42, FP_LEVEL_PAIR, EQUAL, MINHASHES),
};
const size_t WORLD_COUNT = sizeof WORLDS / sizeof *WORLDS;
