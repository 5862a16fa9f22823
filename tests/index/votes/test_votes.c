/* SPDX-License-Identifier: GPL-3.0-or-later
 * The inverted index with votes: the worked example of Datagrand's system, ballots against counting every document one
 * by one, chance against documents drawn at random, granules against the fingerprint of each window and against slices
 * of texts worked out by hand. */
#include <math.h>

#include "index/votes.h"
#include "tests/support.h"

static size_t below(uint64_t *at, size_t bound) { return (size_t)(fp_mix((*at)++, 5) % bound); }

static fp_votes build(const fp_granules *documents, size_t count, fp_arena *arena) {
    fp_votes_builder *builder;
    fp_votes made;
    fp_arena *building = fp_arena_new();
    ASSERT_GOOD(fp_votes_begin(building, &builder, &test_error));
    for (size_t i = 0; i < count; i++) ASSERT_GOOD(fp_votes_add(builder, documents[i], &test_error));
    ASSERT_GOOD(fp_votes_end(builder, arena, &made, &test_error));
    fp_arena_free(building);
    return made;
}

/* All keys asked, nothing stopped or cut off. */
static fp_ballot_options everything(size_t most) {
    fp_ballot_options options = {.all_up_to = 1 << 20, .stop_share = 1, .chance = 1e300, .most = most};
    return options;
}

/* ---- The worked example ---- */

/* 1→[a,b,c,d], 2→[b,e,f], 3→[a,c,g] becomes a→[1,3], b→[1,2], c→[1,3], d→[1], e→[2], f→[2], g→[3]. */
static void the_worked_example(void **state) {
    (void)state;
    static const char *const DOCUMENTS[] = {"abcd", "bef", "acg"};
    static const char *const INVERTED[] = {"13", "12", "13", "1", "2", "2", "3"};
    fp_arena *arena = fp_arena_new();
    fp_granule granule[3][4];
    fp_granules documents[3];
    for (uint32_t i = 0; i < 3; i++) {
        documents[i] = (fp_granules){strlen(DOCUMENTS[i]), granule[i], 1};
        for (uint32_t k = 0; k < documents[i].count; k++)
            granule[i][k] = (fp_granule){(uint64_t)DOCUMENTS[i][k], k, k + 1};
    }
    fp_votes made = build(documents, 3, arena);
    assert_int_equal(made.document_count, 3);
    assert_int_equal(made.posting_count, 10);
    for (uint64_t letter = 0; letter < 256; letter++) {
        fp_vote_list list;
        ASSERT_GOOD(fp_votes_find(&made, letter, &list, &test_error));
        const char *expected = letter >= 'a' && letter <= 'g' ? INVERTED[letter - 'a'] : "";
        assert_int_equal(list.count, strlen(expected));
        for (size_t i = 0; i < list.count; i++) {
            assert_int_equal(list.document[i] + 1, expected[i] - '0');
            const char *text = DOCUMENTS[list.document[i]];
            assert_int_equal(text[list.place[i]], letter);
        }
    }
    /* The text [a, c, h, g] has three granules of document 3 and two of document 1. */
    fp_granule asked[] = {{'a', 0, 1}, {'c', 1, 2}, {'h', 2, 3}, {'g', 3, 4}};
    fp_ballot_options all = everything(10);
    fp_ballot_room room;
    fp_ballot ballot;
    ASSERT_GOOD(fp_ballot_room_open(3, arena, &room, &test_error));
    ASSERT_GOOD(fp_ballot_hold((const fp_votes *[]){&made}, 1, (fp_granules){4, asked, 1}, &all, &room, arena, &ballot,
                               &test_error));
    assert_int_equal(ballot.different, 4);
    assert_int_equal(ballot.sampled, 4);
    assert_int_equal(ballot.count, 2);
    assert_int_equal(ballot.match[0].document, 2);
    assert_int_equal(ballot.match[0].hit_count, 3);
    assert_true(ballot.match[0].share == 0.75);
    assert_int_equal(ballot.match[0].hit[2].key, 'g');
    assert_int_equal(ballot.match[0].hit[2].from, 3);
    assert_int_equal(ballot.match[0].hit[2].place, 2);
    assert_int_equal(ballot.match[1].document, 0);
    assert_int_equal(ballot.match[1].hit_count, 2);
    /* Σ f = 2 + 2 + 1 and 10 granules in all: of 3, 5·3/10 hits; 3·(1 − e^−1.5·(1 + 1.5 + 1.5²/2)). */
    assert_true(fabs(ballot.match[0].chance - 3 * (1 - exp(-1.5) * (1 + 1.5 + 1.125))) < 1e-12);
    fp_arena_free(arena);
}

/* ---- Against counting one by one ---- */

enum { DOCUMENTS = 300, ASKED = 90 };

typedef struct world {
    fp_granules document[DOCUMENTS];
    size_t frequency[2000]; /* documents that have the key */
    fp_arena *arena;
    uint64_t at;
} world;

static uint64_t key_of(size_t number) { return fp_mix(number, 3); }

/* Keys 0 … 1999, small ones more often. */
static fp_granules draw(world *of, size_t count) {
    fp_granule *made = fp_arena_raw(of->arena, count, sizeof *made);
    for (size_t i = 0; i < count; i++) {
        size_t number = below(&of->at, 2000) * below(&of->at, 2000) / 2000;
        made[i] = (fp_granule){key_of(number), (uint32_t)i, (uint32_t)i + 1};
    }
    return (fp_granules){count, made, 1};
}

static bool holds(fp_granules granules, uint64_t key) {
    for (size_t i = 0; i < granules.count; i++)
        if (granules.at[i].key == key) return true;
    return false;
}

static world make_world(fp_arena *arena, uint64_t seed) {
    world made = {.arena = arena, .at = seed};
    for (size_t d = 0; d < DOCUMENTS; d++) made.document[d] = draw(&made, below(&made.at, 80));
    for (size_t key = 0; key < 2000; key++)
        for (size_t d = 0; d < DOCUMENTS; d++) made.frequency[key] += holds(made.document[d], key_of(key));
    return made;
}

static void check_ballot(const world *of, fp_granules asked, const fp_ballot *ballot, const uint64_t *deleted) {
    size_t different = 0, hits[DOCUMENTS] = {0}, told = 0;
    bool seen[DOCUMENTS] = {false};
    for (size_t i = 0; i < asked.count; i++) {
        if (holds((fp_granules){i, asked.at, 1}, asked.at[i].key)) continue;
        different++;
        for (size_t d = 0; d < DOCUMENTS; d++)
            hits[d] += !(deleted[d / 64] >> d % 64 & 1) && holds(of->document[d], asked.at[i].key);
    }
    assert_int_equal(ballot->different, different);
    assert_int_equal(ballot->sampled, different);
    for (size_t d = 0; d < DOCUMENTS; d++) told += hits[d] > 0;
    assert_int_equal(ballot->count, told);
    for (size_t r = 0; r < ballot->count; r++) {
        const fp_ballot_match *match = ballot->match + r;
        assert_false(seen[match->document]);
        seen[match->document] = true;
        assert_int_equal(match->hit_count, hits[match->document]);
        if (r) {
            const fp_ballot_match *before = match - 1;
            assert_true(before->hit_count > match->hit_count ||
                        (before->hit_count == match->hit_count && before->document < match->document));
        }
        for (size_t h = 0; h < match->hit_count; h++) {
            const fp_ballot_hit *hit = match->hit + h;
            assert_int_equal(asked.at[hit->from].key, hit->key);
            assert_int_equal(of->document[match->document].at[hit->place].key, hit->key);
            assert_false(holds((fp_granules){hit->place, of->document[match->document].at, 1}, hit->key));
        }
    }
}

static void ballots_one_by_one(void **state) {
    (void)state;
    fp_arena *arena = fp_arena_new();
    world of = make_world(arena, 1);
    fp_votes whole = build(of.document, DOCUMENTS, arena), parts[3];
    for (size_t p = 0; p < 3; p++) parts[p] = build(of.document + 100 * p, 100, arena);
    fp_ballot_options all = everything(DOCUMENTS);
    fp_ballot_room room;
    ASSERT_GOOD(fp_ballot_room_open(DOCUMENTS, arena, &room, &test_error));
    for (size_t trial = 0; trial < 30; trial++) {
        uint64_t deleted[DOCUMENTS / 64 + 1] = {0};
        fp_ballot ballot, in_parts;
        fp_granules asked = draw(&of, below(&of.at, ASKED));
        all.deleted = deleted;
        for (size_t d = 0; trial % 2 && d < 60; d++) deleted[below(&of.at, 4)] |= (uint64_t)1 << below(&of.at, 64);
        ASSERT_GOOD(fp_ballot_hold((const fp_votes *[]){&whole}, 1, asked, &all, &room, arena, &ballot, &test_error));
        check_ballot(&of, asked, &ballot, deleted);
        ASSERT_GOOD(fp_ballot_hold((const fp_votes *[]){parts, parts + 1, parts + 2}, 3, asked, &all, &room, arena,
                                   &in_parts, &test_error));
        check_ballot(&of, asked, &in_parts, deleted);
        for (size_t r = 0; r < ballot.count; r++) assert_true(ballot.match[r].chance == in_parts.match[r].chance);
        /* The foremost alone are the beginning of all. */
        fp_ballot_options few = all;
        few.most = 3;
        ASSERT_GOOD(fp_ballot_hold((const fp_votes *[]){&whole}, 1, asked, &few, &room, arena, &in_parts, &test_error));
        assert_int_equal(in_parts.count, ballot.count < 3 ? ballot.count : 3);
        for (size_t r = 0; r < in_parts.count; r++)
            assert_int_equal(in_parts.match[r].document, ballot.match[r].document);
    }
    fp_arena_free(arena);
}

/* ---- What is asked, and what is stopped ---- */

static void samples(void **state) {
    (void)state;
    assert_int_equal(fp_ballot_sample(0, 64), 0);
    assert_int_equal(fp_ballot_sample(64, 64), 64);
    assert_int_equal(fp_ballot_sample(128, 64), 128);
    assert_int_equal(fp_ballot_sample(192, 64), 64 + 90); /* √8192 = 90.5 */
    assert_int_equal(fp_ballot_sample(64 + 640000, 64), 64 + 6400);
    fp_arena *arena = fp_arena_new();
    world of = make_world(arena, 9);
    fp_votes whole = build(of.document, DOCUMENTS, arena);
    fp_ballot_room room;
    ASSERT_GOOD(fp_ballot_room_open(DOCUMENTS, arena, &room, &test_error));
    fp_ballot_options options = everything(DOCUMENTS);
    options.all_up_to = 16;
    options.stop_share = 0.06;
    fp_granules asked = draw(&of, 400);
    fp_ballot ballot, again;
    ASSERT_GOOD(fp_ballot_hold((const fp_votes *[]){&whole}, 1, asked, &options, &room, arena, &ballot, &test_error));
    assert_int_equal(ballot.sampled, fp_ballot_sample(ballot.different, 16));
    assert_true(ballot.stopped > 0);
    for (size_t r = 0; r < ballot.count; r++)
        for (size_t h = 0; h < ballot.match[r].hit_count; h++) {
            size_t number = 0;
            while (key_of(number) != ballot.match[r].hit[h].key) number++;
            assert_true(of.frequency[number] <= 18); /* 6% of the documents */
        }
    /* The order of the granules is no matter. */
    fp_granule *turned = fp_arena_raw(arena, asked.count, sizeof *turned);
    for (size_t i = 0; i < asked.count; i++) turned[asked.count - 1 - i] = asked.at[i];
    ASSERT_GOOD(fp_ballot_hold((const fp_votes *[]){&whole}, 1, (fp_granules){asked.count, turned, 1}, &options, &room,
                               arena, &again, &test_error));
    assert_int_equal(again.count, ballot.count);
    for (size_t r = 0; r < ballot.count; r++) {
        assert_int_equal(again.match[r].document, ballot.match[r].document);
        assert_int_equal(again.match[r].hit_count, ballot.match[r].hit_count);
    }
    fp_arena_free(arena);
}

/* Documents and texts whose granules are drawn at random: of all ballots together no more documents come through than
 * `chance` says, and some do. */
static void chance_is_an_upper_bound(void **state) {
    (void)state;
    enum { BALLOTS = 2000 };
    fp_arena *arena = fp_arena_new(), *scratch = fp_arena_new();
    world of = {.arena = arena, .at = 77};
    for (size_t d = 0; d < DOCUMENTS; d++) {
        fp_granule *made = fp_arena_raw(arena, 100, sizeof *made);
        of.document[d] = (fp_granules){10 + below(&of.at, 90), made, 1};
        for (size_t i = 0; i < of.document[d].count; i++) made[i] = (fp_granule){key_of(below(&of.at, 2000)), 0, 1};
    }
    fp_votes whole = build(of.document, DOCUMENTS, arena);
    fp_ballot_room room;
    ASSERT_GOOD(fp_ballot_room_open(DOCUMENTS, arena, &room, &test_error));
    double found = 0;
    of.arena = scratch;
    for (size_t trial = 0; trial < BALLOTS; trial++) {
        fp_arena_reset(scratch);
        fp_granule asked[60];
        for (uint32_t i = 0; i < 60; i++) asked[i] = (fp_granule){key_of(below(&of.at, 2000)), i, i + 1};
        fp_ballot_options options = everything(DOCUMENTS);
        options.chance = 0.5;
        fp_ballot ballot;
        ASSERT_GOOD(fp_ballot_hold((const fp_votes *[]){&whole}, 1, (fp_granules){60, asked, 1}, &options, &room,
                                   scratch, &ballot, &test_error));
        found += (double)ballot.count / BALLOTS;
    }
    /* A document comes through where its own tail is 0.5/300 or less, so that 0.5 are expected at most. */
    assert_true(found < 0.5 + 4 * sqrt(0.5 / BALLOTS));
    assert_true(found > 0.05);
    fp_arena_free(scratch);
    fp_arena_free(arena);
}

static void overlapping_hits_count_once(void **state) {
    (void)state;
    fp_arena *arena = fp_arena_new();
    fp_granule granule[6];
    for (uint32_t i = 0; i < 6; i++) granule[i] = (fp_granule){key_of(i), i, i + 3};
    granule[5].from = 20, granule[5].to = 23;
    fp_granules document = {6, granule, 1};
    fp_votes made = build(&document, 1, arena);
    fp_ballot_options all = everything(1);
    fp_ballot_room room;
    fp_ballot ballot;
    ASSERT_GOOD(fp_ballot_room_open(1, arena, &room, &test_error));
    ASSERT_GOOD(fp_ballot_hold((const fp_votes *[]){&made}, 1, document, &all, &room, arena, &ballot, &test_error));
    assert_int_equal(ballot.match[0].hit_count, 6);
    assert_int_equal(ballot.match[0].apart, 3); /* 0–3, 3–6, 20–23 */
    /* Σ f = 6 of 6 granules: 6 hits are expected, or 3 that do not overlap; one document. */
    assert_true(fabs(ballot.match[0].chance - (1 - exp(-3) * (1 + 3 + 4.5))) < 1e-12);
    fp_arena_free(arena);
}

/* ---- An index that is elsewhere ---- */

/* The half of the postings that has the key; 0 where it is asked for UINT64_MAX. */
static fp_status half(void *context, uint64_t key, fp_vote_list *some, fp_error *error) {
    const fp_votes *whole = context;
    size_t middle = 0;
    while (middle < whole->all.count && !(whole->all.key[middle] >> 63)) middle++;
    size_t first = key >> 63 ? middle : 0, end = key >> 63 ? whole->all.count : middle;
    if (key == UINT64_MAX) return fp_fail(error, FP_ERROR_SYNTAX, "damaged");
    *some = (fp_vote_list){end - first, whole->all.key + first, whole->all.document + first, whole->all.place + first};
    return FP_OK;
}

static void parts_that_are_elsewhere(void **state) {
    (void)state;
    fp_arena *arena = fp_arena_new();
    world of = make_world(arena, 21);
    fp_votes whole = build(of.document, DOCUMENTS, arena), none = build(NULL, 0, arena);
    fp_votes read = {DOCUMENTS, whole.posting_count, whole.granules, {0}, half, &whole};
    fp_vote_list list, in_memory;
    ASSERT_GOOD(fp_votes_find(&none, 7, &list, &test_error));
    assert_int_equal(list.count, 0);
    ASSERT_GOOD(fp_votes_find(&whole, UINT64_MAX, &list, &test_error));
    assert_int_equal(list.count, 0);
    for (size_t number = 0; number < 2100; number++) {
        ASSERT_GOOD(fp_votes_find(&read, key_of(number), &list, &test_error));
        ASSERT_GOOD(fp_votes_find(&whole, key_of(number), &in_memory, &test_error));
        assert_int_equal(list.count, number < 2000 ? of.frequency[number] : 0);
        assert_true(in_memory.count == list.count && (!list.count || in_memory.document == list.document));
    }
    const fp_granule bad = {UINT64_MAX, 0, 1};
    fp_ballot_room room;
    fp_ballot ballot;
    ASSERT_GOOD(fp_ballot_room_open(DOCUMENTS, arena, &room, &test_error));
    assert_int_equal(fp_ballot_hold((const fp_votes *[]){&read}, 1, (fp_granules){1, &bad, 1}, NULL, &room, arena,
                                    &ballot, &test_error),
                     FP_ERROR_SYNTAX);
    fp_arena_free(arena);
}

/* ---- Granules ---- */

static fp_granules granules(const char *spec, const char *text, fp_granule_use use, fp_arena *arena) {
    fp_granules made;
    fp_arm *arm = test_arm(spec, NULL, 0, arena);
    ASSERT_GOOD(fp_granules_of(arm, fp_string_of(text), use, arena, &made, &test_error));
    return made;
}

static void places_of_features(void **state) {
    (void)state;
    fp_arena *arena = fp_arena_new();
    fp_granules pairs = granules("jaccard:features=chars:2", "北京  大學，北京", FP_GRANULES_STORED, arena);
    /* 北京, 京␣, ␣大, 大学, 学, ,北 北京 */
    assert_int_equal(pairs.count, 7);
    for (uint32_t i = 0; i < 7; i++) assert_true(pairs.at[i].from == i && pairs.at[i].to == i + 2);
    assert_true(pairs.at[0].key == pairs.at[6].key && pairs.at[0].key != pairs.at[1].key);
    fp_granules words = granules("jaccard:features=words:1", "我 在 北京 工作", FP_GRANULES_ASKED, arena);
    assert_int_equal(words.count, 4);
    assert_true(words.at[2].from == 4 && words.at[2].to == 6 && words.at[3].from == 7 && words.at[3].to == 9);
    fp_granules sentences =
        granules("sentences:k=2", "短句。这是长长的一句话。更短。这是第二长的句子。", FP_GRANULES_STORED, arena);
    assert_int_equal(sentences.count, 2);
    assert_true(sentences.at[0].from == 3 && sentences.at[0].to == 12);
    /* Winnowing: a subset of the shingles, in each of their windows one. */
    const char *text = "临江大桥今天下午恢复通车，市民可以步行通过，公交线路同时恢复。";
    fp_granules all = granules("jaccard:features=chars:3", text, FP_GRANULES_STORED, arena);
    fp_granules chosen = granules("winnowing:window=4,features=chars:3", text, FP_GRANULES_STORED, arena);
    size_t last = 0;
    assert_true(chosen.count < all.count && chosen.count >= all.count / 4);
    for (size_t i = 0; i < chosen.count; i++) {
        assert_int_equal(chosen.at[i].key, all.at[chosen.at[i].from].key);
        assert_true(chosen.at[i].from - last <= 4);
        last = chosen.at[i].from;
    }
    fp_arena_free(arena);
}

/* Each window has the fingerprint that the arm gives those initials alone; what is stored is among what is asked. */
static void windows_of_initials(void **state) {
    (void)state;
    fp_arena *arena = fp_arena_new();
    const char *text = "临江大桥今天下午恢复通车，市民可以步行通过，公交线路同时恢复，银行照常营业。";
    for (int overlap = 0; overlap < 2; overlap++) {
        const char *spec = overlap ? "pinyin:granule=7,overlap=0.5" : "pinyin:granule=7,overlap=0";
        fp_arm *arm = test_arm(spec, NULL, 0, arena);
        fp_granules stored = granules(spec, text, FP_GRANULES_STORED, arena);
        fp_granules asked = granules(spec, text, FP_GRANULES_ASKED, arena);
        fp_text read;
        ASSERT_GOOD(fp_arm_preprocess(arm, fp_string_of(text), FP_WANT_INITIALS, arena, &read, &test_error));
        size_t length = read.initials.length, step = overlap ? 3 : 7;
        assert_int_equal(length, 34);
        assert_int_equal(asked.count, length - 6);
        assert_int_equal(stored.count, 1 + (length - 7 + step - 1) / step);
        for (size_t i = 0; i < asked.count; i++) {
            fp_document window = {.initials = {read.initials.data + i, 7}};
            fp_sketch alone;
            ASSERT_GOOD(arm->instance.algorithm->sketch(&arm->instance, &window, arena, &alone, &test_error));
            assert_true(asked.at[i].from == i && asked.at[i].to == i + 7);
            assert_true(asked.at[i].key == fp_mix(fp_xxh3(alone.data, alone.size, 0), 0));
        }
        for (size_t i = 0; i < stored.count; i++) {
            assert_int_equal(stored.at[i].from, i * step);
            if (stored.at[i].to - stored.at[i].from == 7) assert_int_equal(stored.at[i].key, asked.at[i * step].key);
            else assert_int_equal(stored.at[i].to, length);
        }
    }
    assert_int_equal(granules("pinyin:granule=7", "no Han", FP_GRANULES_ASKED, arena).count, 0);
    fp_error error;
    assert_int_equal(fp_granules_check(test_arm("pinyin", NULL, 0, arena), &error), FP_ERROR_UNKNOWN);
    assert_int_equal(fp_granules_check(test_arm("simhash", NULL, 0, arena), &error), FP_ERROR_UNKNOWN);
    fp_arena_free(arena);
}

/* ---- Finding a source, and looking more finely ---- */

static const char *const TEXTS[] = {"临江大桥今天下午恢复通车，市民可以步行通过，公交线路同时恢复，沿线商户表示欢迎。",
                                    "气象台预计明天夜间到后天白天有中到大雨，气温下降六到八度，请注意添衣。",
                                    "市图书馆新馆将于下月开放，藏书一百万册，设有儿童阅览区和自习室。"};

static void a_copied_passage_is_found(void **state) {
    (void)state;
    static const char *const ARMS[] = {"pinyin:granule=8", "winnowing:features=chars:3", "jaccard:features=chars:3",
                                       "jaccard:features=words:2"};
    /* From the middle of the third text, at another place, and from the first, in traditional script. */
    fp_string asked =
        fp_string_of("據悉，新馆将于下月开放，藏书一百万册，设有儿童閱覽區。另讯，公交线路同时恢复，沿线商户。");
    fp_arena *arena = fp_arena_new();
    for (size_t a = 0; a < sizeof ARMS / sizeof *ARMS; a++) {
        fp_arm *arm = test_arm(ARMS[a], NULL, 0, arena);
        fp_granules documents[3], parts;
        for (size_t i = 0; i < 3; i++)
            ASSERT_GOOD(
                fp_granules_of(arm, fp_string_of(TEXTS[i]), FP_GRANULES_STORED, arena, documents + i, &test_error));
        fp_votes votes = build(documents, 3, arena);
        fp_ballot_options all = everything(3);
        fp_ballot_room room;
        fp_ballot ballot;
        ASSERT_GOOD(fp_ballot_room_open(3, arena, &room, &test_error));
        ASSERT_GOOD(fp_granules_of(arm, asked, FP_GRANULES_ASKED, arena, &parts, &test_error));
        ASSERT_GOOD(fp_ballot_hold((const fp_votes *[]){&votes}, 1, parts, &all, &room, arena, &ballot, &test_error));
        assert_int_equal(ballot.count, 2);
        assert_int_equal(ballot.match[0].document, 2);
        assert_int_equal(ballot.match[1].document, 0);
    }
    fp_arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_worked_example),
        cmocka_unit_test(ballots_one_by_one),
        cmocka_unit_test(samples),
        cmocka_unit_test(chance_is_an_upper_bound),
        cmocka_unit_test(overlapping_hits_count_once),
        cmocka_unit_test(parts_that_are_elsewhere),
        cmocka_unit_test(places_of_features),
        cmocka_unit_test(windows_of_initials),
        cmocka_unit_test(a_copied_passage_is_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
