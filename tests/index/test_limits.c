/* SPDX-License-Identifier: GPL-3.0-or-later
 * The bounds that the headers of index/ state: what lies at them is taken, what lies one behind is FP_ERROR_RANGE, with
 * the number in the reason. */
#include <math.h>

#include "pairs/banding.h"
#include "pairs/tables/band_tables.h"
#include "pairs/tables/block_design.h"
#include "pairs/tables/section_file.h"
#include "tests/support.h"

static void expect(fp_status got, fp_status wanted, const char *says, const char *what) {
    if (got != wanted || (wanted != FP_OK && !strstr(test_error.message, says)))
        fail_msg("%s: %s: %s", what, fp_status_name(got), test_error.message);
}

static void bandings(void **state) {
    (void)state;
    static const struct {
        fp_banding_goal goal;
        const char *says; /* NULL: taken */
    } cases[] = {
        {{64, 0, 0.8, 0, 1, 1}, NULL},
        {{1, 64, 0.8, 0.5, 0, 0}, NULL},
        {{FP_BANDING_SLOTS, 1, 0.8, 0, 0, 1}, NULL},
        {{0, 0, 0.8, 0, 1, 1}, "slots takes 1 to 4096, not 0"},
        {{FP_BANDING_SLOTS + 1, 0, 0.8, 0, 1, 1}, "slots takes 1 to 4096, not 4097"},
        {{64, 65, 0.8, 0, 1, 1}, "bits of a slot takes 0 to 64, not 65"},
        {{64, 0, 0, 0, 1, 1}, "not at 0"},
        {{64, 0, 1, 0, 1, 1}, "not at 1"},
        {{64, 0, NAN, 0, 1, 1}, "not at nan"},
        {{64, 0, 0.8, 1, 1, 1}, "recall lies between 0 and 1, not at 1"},
        {{64, 0, 0.8, -0.1, 1, 1}, "recall lies between 0 and 1, not at -0.1"},
        {{64, 0, 0.8, 0, 0, 0}, "weights"},
        {{64, 0, 0.8, 0, -1, 2}, "weights"},
        {{64, 0, 0.8, 0, INFINITY, 1}, "weights"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        expect(fp_banding_check(&cases[i].goal, &test_error), cases[i].says ? FP_ERROR_RANGE : FP_OK, cases[i].says,
               cases[i].says ? cases[i].says : "a goal");
}

static void bands(void **state) {
    (void)state;
    fp_arena *arena = fp_arena_new();
    const fp_layout of = *fp_arm_layout(test_arm("minhash:slots=64", NULL, 0, arena));
    uint8_t data[8] = {0};
    const fp_sketches many = {.count = UINT32_MAX, .stride = of.bytes, .data = data},
                      other = {.count = 1, .stride = of.bytes + 1, .data = data}, none = {.stride = of.bytes};
    static const struct {
        fp_banding banding;
        const char *says;
    } cases[] = {{{16, 4}, NULL},
                 {{64, 1}, NULL},
                 {{0, 4}, "0 bands of 4 slots"},
                 {{4, 0}, "4 bands of 0 slots"},
                 {{16, 5}, "16 bands of 5 slots need 80, and the sketch has 64"},
                 {{UINT32_MAX, UINT32_MAX}, "need 18446744065119617025"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        expect(fp_band_check(&of, cases[i].banding, &none, &test_error), cases[i].says ? FP_ERROR_RANGE : FP_OK,
               cases[i].says, "a banding");
    const fp_banding one = {1, 1};
    expect(fp_band_check(&of, one, &many, &test_error), FP_ERROR_RANGE, "4294967295 documents are too many",
           "documents");
    expect(fp_band_check(&of, one, &other, &test_error), FP_ERROR_RANGE, "do not fit a layout", "another size");
    fp_layout wrong = of;
    for (size_t i = 0; i < 3; i++) {
        wrong = of;
        if (i == 0) wrong.slots = 0;
        else wrong.slot_bits = i == 1 ? 0 : 65;
        expect(fp_band_check(&wrong, one, NULL, &test_error), FP_ERROR_RANGE, "sketches of slots", "a layout");
    }
    fp_arena_free(arena);
}

static void blocks(void **state) {
    (void)state;
    static const struct {
        fp_block_design design;
        const char *says;
    } cases[] = {
        {{64, 3, 0, {{0}}}, NULL},
        {{64, 3, 1, {{4, 1}}}, NULL},
        {{1024, 1023, 0, {{0}}}, NULL},
        {{0, 0, 0, {{0}}}, "1 to 1024 bits, not 0"},
        {{1025, 3, 0, {{0}}}, "1 to 1024 bits, not 1025"},
        {{64, 64, 0, {{0}}}, "less than the 64 bits, not 64"},
        {{64, 3, FP_BLOCK_LEVELS + 1, {{4, 1}, {4, 1}}}, "at most 2 levels, not 3"},
        {{64, 4, 1, {{4, 1}}}, "a distance of 4 needs more than 4 blocks"},
        {{64, 3, 1, {{65, 1}}}, "65"},
        {{64, 3, 1, {{4, 0}}}, "at least one block"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        expect(fp_block_design_check(&cases[i].design, &test_error), cases[i].says ? FP_ERROR_RANGE : FP_OK,
               cases[i].says, cases[i].says ? cases[i].says : "a design");
}

static void names_of_sections(void **state) {
    (void)state;
    char place[] = "/tmp/fplab-limits-XXXXXX", path[64], name[FP_SECTION_NAME + 2], kind[FP_SECTION_KIND + 2];
    assert_non_null(mkdtemp(place));
    snprintf(path, sizeof path, "%s/file", place);
    memset(name, 'n', sizeof name - 1), memset(kind, 'k', sizeof kind - 1);
    name[sizeof name - 1] = kind[sizeof kind - 1] = '\0';
    fp_section_writer *writer;
    expect(fp_section_writer_open(path, "", 1, NULL, &writer, &test_error), FP_ERROR_RANGE, "1 to", "no kind");
    expect(fp_section_writer_open(path, kind, 1, NULL, &writer, &test_error), FP_ERROR_RANGE, "1 to", "a long kind");
    expect(fp_section_writer_open(path, kind + 1, 1, NULL, &writer, &test_error), FP_OK, "", "the longest kind");
    expect(fp_section_begin(writer, "", &test_error), FP_ERROR_RANGE, "1 to", "no name");
    expect(fp_section_begin(writer, name, &test_error), FP_ERROR_RANGE, "1 to", "a long name");
    expect(fp_section_begin(writer, name + 1, &test_error), FP_OK, "", "the longest name");
    expect(fp_section_add(writer, "data", 4, &test_error), FP_OK, "", "data");
    expect(fp_section_writer_close(writer, &test_error), FP_OK, "", "the file");
    fp_section_file *file;
    fp_section section;
    expect(fp_section_file_open(path, kind + 1, 1, NULL, &file, &test_error), FP_OK, "", "open");
    assert_true(fp_section_find(file, name + 1, &section) && section.bytes == 4 &&
                memcmp(section.data, "data", 4) == 0);
    expect(fp_section_damaged(file, "n", "so it is", &test_error), FP_ERROR_SYNTAX,
           "the section n is damaged: so it is", "damage");
    fp_section_file_close(file);
    unlink(path), rmdir(place);
}

/* Each status has a name of its own, and what is none says so. */
static void names_of_statuses(void **state) {
    (void)state;
    static const fp_status all[] = {
        FP_OK,          FP_ERROR_MEMORY,  FP_ERROR_IO,        FP_ERROR_SYNTAX, FP_ERROR_ENCODING,
        FP_ERROR_RANGE, FP_ERROR_UNKNOWN, FP_ERROR_DUPLICATE, FP_ERROR_EMPTY,  FP_ERROR_ABI,
        FP_ERROR_TOOL};
    size_t count = sizeof all / sizeof *all;
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < i; j++) assert_string_not_equal(fp_status_name(all[i]), fp_status_name(all[j]));
    assert_string_equal(fp_status_name((fp_status)1000), "unknown status");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(bandings), cmocka_unit_test(bands), cmocka_unit_test(blocks),
                                       cmocka_unit_test(names_of_sections), cmocka_unit_test(names_of_statuses)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
