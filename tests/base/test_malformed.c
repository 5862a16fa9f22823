/* SPDX-License-Identifier: GPL-3.0-or-later
 * Headers of matrices and moments of time that are written otherwise than their formats say: NumPy's format takes a
 * literal of Python with three keys, each once, in any order, with spaces, and a comma at the end or none (NEP 1); RFC
 * 3339 takes two digits for each part. */
#include "base/npy.h"
#include "base/time_text.h"
#include "tests/support.h"

typedef struct place {
    char directory[32], path[64];
} place;

/* A file of two rows of two numbers with that header; version 1 where it is short enough for two bytes of length,
 * else 2. */
static fp_status read_npy(const place *it, const char *header, size_t length, int version, fp_arena *arena,
                          fp_npy *matrix) {
    static const float VALUES[] = {1, 2, 3, 4};
    FILE *file = fopen(it->path, "wb");
    assert_non_null(file);
    fprintf(file, "\x93NUMPY%c%c", version / 10, version % 10);
    for (int i = 0; i < (version / 10 == 1 ? 2 : 4); i++) fputc((int)(length >> 8 * i & 255), file);
    assert_int_equal(fwrite(header, 1, length, file), length);
    fwrite(VALUES, sizeof *VALUES, 4, file);
    fclose(file);
    return fp_npy_read(it->path, arena, matrix, &test_error);
}

#define DESCR "'descr': '<f4'"
#define ORDER "'fortran_order': False"
#define SHAPE "'shape': (2, 2)"

static void headers(void **state) {
    const place *it = *state;
    static const char *const GOOD[] = {"{" DESCR ", " ORDER ", " SHAPE ", }      \n", "{" SHAPE "," DESCR "," ORDER "}",
                                       " { " ORDER " , \t" SHAPE " , " DESCR " ,} ",
                                       "{\"descr\": \"<f4\", \"fortran_order\": False, \"shape\": ( 2 ,2 , )}",
                                       "{" DESCR "," ORDER ",'shape':(2,2)}\n\n"};
    static const char *const BAD[] = {"",
                                      "{}",
                                      DESCR "," ORDER "," SHAPE "}",
                                      "{" DESCR "," ORDER "," SHAPE,
                                      "{" DESCR "," ORDER "," SHAPE "} x",
                                      "{" DESCR "," ORDER "}",
                                      "{" DESCR "," SHAPE "}",
                                      "{" ORDER "," SHAPE "}",
                                      "{" DESCR "," DESCR "," ORDER "," SHAPE "}",
                                      "{" DESCR "," ORDER "," ORDER "," SHAPE "}",
                                      "{" DESCR "," ORDER "," SHAPE "," SHAPE "}",
                                      "{" DESCR " " ORDER "," SHAPE "}",
                                      "{" DESCR "," ORDER "," SHAPE ",'more': 1}",
                                      "{descr: '<f4'," ORDER "," SHAPE "}",
                                      "{'descr' '<f4'," ORDER "," SHAPE "}",
                                      "{'descr': <f4," ORDER "," SHAPE "}",
                                      "{'descr': '<f4," ORDER "}",
                                      "{" DESCR ",'fortran_order': 0," SHAPE "}",
                                      "{" DESCR "," ORDER ",'shape': 2, 2}",
                                      "{" DESCR "," ORDER ",'shape': (2, 2}",
                                      "{" DESCR "," ORDER ",'shape': (2 2)}",
                                      "{" DESCR "," ORDER ",'shape': (-2, 2)}",
                                      "{" DESCR "," ORDER ",'shape': (2, x)}"};
    static const struct {
        const char *shape;
        fp_status status;
        const char *says;
    } SHAPES[] = {{"()", FP_ERROR_SYNTAX, "0 dimensions"},
                  {"(4,)", FP_ERROR_SYNTAX, "1 dimension;"},
                  {"(1, 2, 2)", FP_ERROR_SYNTAX, "3 dimensions"},
                  {"(0, 2)", FP_ERROR_EMPTY, "0 rows of 2 columns"},
                  {"(2, 0)", FP_ERROR_EMPTY, "2 rows of 0 columns"},
                  {"(1, 2)", FP_ERROR_SYNTAX, "bytes after its array"},
                  {"(3, 2)", FP_ERROR_SYNTAX, "ends before its array does"}};
    fp_arena *arena = fp_arena_new();
    fp_npy matrix;
    for (size_t i = 0; i < sizeof GOOD / sizeof *GOOD; i++)
        for (int version = 10; version <= 30; version += 10) {
            if (read_npy(it, GOOD[i], strlen(GOOD[i]), version, arena, &matrix) != FP_OK)
                fail_msg("%s: %s", GOOD[i], test_error.message);
            assert_true(matrix.rows == 2 && matrix.columns == 2 && matrix.values[0] == 1 && matrix.values[3] == 4);
        }
    for (size_t i = 0; i < sizeof BAD / sizeof *BAD; i++)
        if (read_npy(it, BAD[i], strlen(BAD[i]), 10, arena, &matrix) != FP_ERROR_SYNTAX ||
            !strstr(test_error.message, "has no header of a plain"))
            fail_msg("\"%s\" was taken, or: %s", BAD[i], test_error.message);
    for (size_t i = 0; i < sizeof SHAPES / sizeof *SHAPES; i++) {
        const char *header = fp_format(arena, "{" DESCR "," ORDER ",'shape': %s}", SHAPES[i].shape);
        if (read_npy(it, header, strlen(header), 10, arena, &matrix) != SHAPES[i].status ||
            !strstr(test_error.message, SHAPES[i].says))
            fail_msg("%s: %s", SHAPES[i].shape, test_error.message);
    }
    static const int VERSIONS[] = {0, 11, 40};
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(read_npy(it, GOOD[0], strlen(GOOD[0]), VERSIONS[i], arena, &matrix), FP_ERROR_SYNTAX);
        assert_non_null(strstr(test_error.message, "versions 1.0 to 3.0 are read"));
    }
    /* A header of spaces up to its bound, and one byte longer. */
    enum { MOST = 1 << 16 };
    char *spaces = memset(fp_arena_raw(arena, MOST + 1, 1), ' ', MOST + 1);
    memcpy(spaces, GOOD[0], strlen(GOOD[0]));
    ASSERT_GOOD(read_npy(it, spaces, MOST, 20, arena, &matrix));
    assert_int_equal(read_npy(it, spaces, MOST + 1, 20, arena, &matrix), FP_ERROR_SYNTAX);
    assert_non_null(strstr(test_error.message, "has a .npy header of 65537 bytes"));
    fp_arena_free(arena);
}

/* One part after the other is left away, cut short or of one digit too many. */
static void moments(void **state) {
    (void)state;
    static const char *const GOOD[] = {"2024-05-01t08:30:15.25z", "2024-05-01 08:30:15+08", "2024-05-01T08:30-0830"};
    static const char *const NONE[] = {"2024-",
                                       "2024-05",
                                       "2024-05-",
                                       "2024-05-0",
                                       "2024/05/01",
                                       "2024-05/01",
                                       "2024-05-01T8:30",
                                       "2024-05-01T08",
                                       "2024-05-01T08:",
                                       "2024-05-01T0830",
                                       "2024-05-01T08:3",
                                       "2024-05-01T08:30:",
                                       "2024-05-01T08:30:1",
                                       "2024-05-01T08:30:151",
                                       "2024-05-01T08:30:15+",
                                       "2024-05-01T08:30:15+8",
                                       "2024-05-01T08:30:15+08:",
                                       "2024-05-01T08:30:15+08:3",
                                       "2024-05-01T08:30:15+08:60",
                                       "2024-05-01T08:30:15+08:300",
                                       "2024-05-01T08:30:15ZZ",
                                       "2024-05-01T08:30:15*08:00",
                                       "17145234001234567",
                                       "12345678",
                                       "1714523400x"};
    int64_t time;
    for (size_t i = 0; i < 3; i++)
        if (fp_time_parse(fp_string_of(GOOD[i]), &time, NULL) != FP_OK) fail_msg("\"%s\" was refused", GOOD[i]);
    for (size_t i = 0; i < sizeof NONE / sizeof *NONE; i++)
        if (fp_time_parse(fp_string_of(NONE[i]), &time, NULL) == FP_OK) fail_msg("\"%s\" was taken", NONE[i]);
    /* Every beginning of a moment is one, or none: none of them reads behind its end. */
    static const char WHOLE[] = "2024-05-01T08:30:15.250+08:30";
    for (size_t length = 0; length < sizeof WHOLE; length++) {
        char *copy = malloc(length ? length : 1);
        memcpy(copy, WHOLE, length);
        bool whole = length == 10 || length == 16 || length == 19 || (length >= 21 && length <= 23) || length == 26 ||
                     length == 29;
        assert_int_equal(fp_time_parse((fp_string){copy, length}, &time, NULL) == FP_OK, whole);
        free(copy);
    }
}

static int make(void **state) {
    place *it = calloc(1, sizeof *it);
    strcpy(it->directory, "/tmp/fplab-malformed-XXXXXX");
    assert_non_null(mkdtemp(it->directory));
    snprintf(it->path, sizeof it->path, "%s/m.npy", it->directory);
    *state = it;
    return 0;
}

static int clear(void **state) {
    place *it = *state;
    unlink(it->path), rmdir(it->directory);
    free(it);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test_setup_teardown(headers, make, clear),
                                       cmocka_unit_test(moments)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
