/* SPDX-License-Identifier: GPL-3.0-or-later
 * K-grams of characters where there are vectors: units against the definition, character by character, and hashes of
 * slices against xxHash's own library, at ends of memory that nobody may read behind. */
#include <sys/mman.h>
#include <unistd.h>
#include <xxhash.h>

#include "tests/support.h"
#include "text/features/extract.h"

enum { SLICES = 4096, BYTES = 1 << 15 };

/* `bytes` that end where a page begins that cannot be read. */
static char *at_the_edge(size_t bytes) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE), whole = (bytes + page - 1) / page * page;
    char *pages = mmap(NULL, whole + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_true(pages != MAP_FAILED && mprotect(pages + whole, page, PROT_NONE) == 0);
    return pages + whole - bytes;
}

static void check_hashes(const char *data, const uint32_t *begin, const uint32_t *end, size_t count) {
    static uint64_t hash[SLICES + 1];
    hash[count] = 7;
    fp_window_hash(data, begin, end, count, hash);
    for (size_t i = 0; i < count; i++)
        if (hash[i] != XXH3_64bits(data + begin[i], end[i] - begin[i]))
            fail_msg("slice %zu of %zu, %u bytes from %u", i, count, end[i] - begin[i], begin[i]);
    assert_true(hash[count] == 7);
}

/* Lengths from 0 to `longest`, one after the other with gaps, up to the last byte. */
static void slices_have_their_hashes(void **state) {
    (void)state;
    static uint32_t begin[SLICES], end[SLICES];
    for (uint32_t longest = 0; longest <= 40; longest++) {
        size_t bytes = 0;
        uint32_t at = 0;
        for (size_t i = 0; i < SLICES; i++) {
            uint64_t random = fp_mix(i, longest);
            begin[i] = at;
            end[i] = at + (uint32_t)(random % (longest + 1));
            at += (uint32_t)(random >> 32) % (longest / 2 + 2);
            if (end[i] > bytes) bytes = end[i];
            if (random >> 60 == 0) at = end[i];
        }
        char *data = at_the_edge(bytes);
        for (size_t b = 0; b < bytes; b++) data[b] = (char)fp_mix(b, 3);
        check_hashes(data, begin, end, SLICES);
        for (size_t few = 0; few < 40; few++) check_hashes(data, begin + SLICES - few, end + SLICES - few, few);
    }
}

/* Every length with every other among its neighbours, K-grams that overlap, and slices in no order. */
static void any_slices_have_their_hashes(void **state) {
    (void)state;
    static uint32_t begin[SLICES], end[SLICES];
    char *data = at_the_edge(BYTES);
    for (size_t b = 0; b < BYTES; b++) data[b] = (char)fp_mix(b, 4);
    for (uint32_t first = 0; first <= 18; first++) {
        for (uint32_t second = 0; second <= 18; second++)
            for (size_t i = 0; i < 32; i++) {
                begin[i] = (uint32_t)i * 3;
                end[i] = begin[i] + (fp_mix(i, first * 19 + second) % 4 ? first : second);
            }
        check_hashes(data, begin, end, 32);
    }
    for (size_t i = 0; i < SLICES; i++) {
        begin[i] = (uint32_t)(fp_mix(i, 5) % (BYTES - 20));
        end[i] = begin[i] + (uint32_t)(fp_mix(i, 6) % 20);
        if (i % 3) begin[i] = begin[i - 1], end[i] = begin[i] + (uint32_t)(fp_mix(i, 6) % 20);
    }
    begin[SLICES - 1] = BYTES - 9, end[SLICES - 1] = BYTES;
    check_hashes(data, begin, end, SLICES);
}

/* ---- Characters ---- */

/* Runs of white space become one space between characters, and nothing at both ends. */
static size_t define(const char *text, size_t length, char *to, uint32_t *begin, size_t *count) {
    size_t used = 0;
    bool gap = false;
    *count = 0;
    for (size_t i = 0; i < length; i++) {
        bool white = text[i] == ' ' || text[i] == '\n';
        if (white) {
            gap = used > 0;
            continue;
        }
        if (gap) begin[(*count)++] = (uint32_t)used, to[used++] = ' ';
        gap = false;
        if (((unsigned char)text[i] & 0xc0) != 0x80) begin[(*count)++] = (uint32_t)used;
        to[used++] = text[i];
    }
    begin[*count] = (uint32_t)used;
    return used;
}

static void characters_are_units(void **state) {
    (void)state;
    static const char *const PIECES[] = {"好", "天", "a", "7", " ", "\n", "é", "😀", "  ", "气"};
    enum { KINDS = 10, MOST = 700 };
    char expected[MOST + 1];
    uint32_t begin[MOST + 1];
    for (size_t trial = 0; trial < 3000; trial++) {
        size_t wanted = trial % 600, length = 0, count, kinds = trial % 7 ? KINDS : 2 + trial / 7 % (KINDS - 1);
        char made[MOST + 8];
        for (size_t i = 0; length < wanted; i++) {
            /* White space is rare in most, so that blocks are without it. */
            const char *piece = PIECES[fp_mix(fp_mix(trial, 1), i) % kinds];
            if ((*piece == ' ' || *piece == '\n') && trial % 3 && fp_mix(trial, i) % 30) piece = "好";
            memcpy(made + length, piece, strlen(piece));
            length += strlen(piece);
        }
        fp_arena *arena = fp_arena_new();
        fp_builder units;
        char *text = at_the_edge(length + (length == 0));
        memcpy(text, made, length);
        ASSERT_GOOD(fp_character_units((fp_string){text, length}, false, arena, &units, &test_error));
        size_t used = define(made, length, expected, begin, &count);
        if (units.count != count || units.length != used) fail_msg("trial %zu: %zu units", trial, units.count);
        assert_memory_equal(units.buffer, expected, used);
        assert_memory_equal(units.begin, begin, (count + 1) * sizeof *begin);
        fp_arena_free(arena);
        munmap((void *)((uintptr_t)text & ~((uintptr_t)sysconf(_SC_PAGESIZE) - 1)), (size_t)sysconf(_SC_PAGESIZE) * 2);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(slices_have_their_hashes),
                                       cmocka_unit_test(any_slices_have_their_hashes),
                                       cmocka_unit_test(characters_are_units)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
