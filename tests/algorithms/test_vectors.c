/* SPDX-License-Identifier: GPL-3.0-or-later
 * Runs the known answers of every registered algorithm; an algorithm without a vector file fails, and for one without a
 * verification code the code is told. */
#include <math.h>

#include "tests/support.h"
#include "tests/algorithms/arm_learn.h"

enum { MOST_FIELDS = 6, MOST_FEATURES = 64 };

typedef struct row {
    const char *field[MOST_FIELDS];
    size_t count, line;
    const char *path;
} row;

#define FAIL_ROW(row, ...)                                 \
    do {                                                   \
        print_error("%s:%zu: ", (row)->path, (row)->line); \
        fail_msg(__VA_ARGS__);                             \
    } while (0)

static double number(const row *r, size_t field) {
    double value = 0;
    if (field >= r->count || !fp_parse_real(r->field[field], &value))
        FAIL_ROW(r, "field %zu is not a number", field + 1);
    return value;
}

/* HASH:WEIGHT, separated by spaces. */
static size_t parse_features(const row *r, const char *text, uint64_t *hash, double *weight) {
    size_t count = 0;
    while (*text) {
        char *end;
        bool binary = strncmp(text, "0b", 2) == 0;
        if (count == MOST_FEATURES) FAIL_ROW(r, "too many features");
        hash[count] = strtoull(binary ? text + 2 : text, &end, binary ? 2 : 16);
        if (*end != ':') FAIL_ROW(r, "a feature is HASH:WEIGHT");
        weight[count++] = strtod(end + 1, &end);
        text = *end ? end + 1 : end;
    }
    return count;
}

static void check_text(const row *r, const fp_arm *arm, const fp_document *document, fp_arena *arena) {
    fp_sketch sketch;
    ASSERT_GOOD(arm->instance.algorithm->sketch(&arm->instance, document, arena, &sketch, &test_error));
    const char *text = fp_arm_text(arm, sketch, arena);
    if (strcmp(text, r->field[3]) != 0) FAIL_ROW(r, "expected %s, got %s", r->field[3], text);
}

static void check_sketch(const row *r, fp_arena *arena) {
    uint64_t hash[MOST_FEATURES];
    double weight[MOST_FEATURES];
    fp_document document = {0};
    size_t count = parse_features(r, r->field[2], hash, weight);
    document.features = (fp_features){count, hash, weight, NULL, count, hash};
    check_text(r, test_arm(r->field[1], NULL, 0, arena), &document, arena);
}

static void check_initials(const row *r, fp_arena *arena) {
    fp_document document = {.initials = fp_string_of(r->field[2])};
    check_text(r, test_arm(r->field[1], NULL, 0, arena), &document, arena);
}

static void check_of_text(const row *r, fp_arena *arena) {
    const fp_document document = {.text = fp_string_of(r->field[2])};
    check_text(r, test_arm(r->field[1], NULL, 0, arena), &document, arena);
}

static void check_value(const row *r, bool similarity, fp_arena *arena) {
    fp_arm *arm = test_arm(r->field[1], (fp_string[]){fp_string_of(r->field[2]), fp_string_of(r->field[3])}, 2, arena);
    double value = test_distance(r->field[1], r->field[2], r->field[3], arena);
    if (similarity && !arm->instance.algorithm->similarity) FAIL_ROW(r, "the algorithm has no similarity");
    if (similarity) value = arm->instance.algorithm->similarity(&arm->instance, value);
    if (!(fabs(value - number(r, 4)) <= number(r, 5))) FAIL_ROW(r, "expected %s, got %.17g", r->field[4], value);
}

/* ---- Verification codes ---- */

enum { INPUTS = 64, MOST_INPUT = 200 };

/* Standard inputs: document i has 3·i mod 199 features with mixed hashes and weights 1 … 5, as many initials, and its
 * number as its text. Later documents share features with earlier ones. */
static void make_inputs(fp_document documents[INPUTS], fp_arena *arena) {
    for (size_t i = 0; i < INPUTS; i++) {
        size_t count = 3 * i % 199;
        uint64_t *hash = fp_arena_alloc(arena, MOST_INPUT, sizeof *hash);
        double *weight = fp_arena_alloc(arena, MOST_INPUT, sizeof *weight);
        char *initials = fp_arena_alloc(arena, MOST_INPUT, 1);
        for (size_t j = 0; j < count; j++) {
            hash[j] = fp_mix(i / 4 * 50 + j, 77);
            weight[j] = (double)(1 + hash[j] % 5);
            initials[j] = "bcdfghjklmnpqrstwxyzaeo"[hash[j] % 23];
        }
        const char *text = fp_format(arena, "%zu", i);
        documents[i] = (fp_document){.id = fp_string_of(text),
                                     .text = fp_string_of(text),
                                     .initials = {initials, count},
                                     .features = {count, hash, weight, NULL, count, hash}};
    }
}

/* XXH3 over the sketches of the standard inputs, as they are written. */
static const char *code_of(const char *spec, fp_arena *arena) {
    fp_document documents[INPUTS];
    fp_arm *arm;
    uint64_t code = 0;
    make_inputs(documents, arena);
    ASSERT_GOOD(fp_arm_parse(spec, NULL, arena, &arm, &test_error));
    const fp_algorithm *algorithm = arm->instance.algorithm;
    ASSERT_GOOD(test_arm_learn(arm, &(fp_training){0}, documents, INPUTS, arena, &test_error));
    for (size_t i = 0; i < INPUTS; i++) {
        fp_sketch sketch;
        ASSERT_GOOD(algorithm->sketch(&arm->instance, documents + i, arena, &sketch, &test_error));
        const char *text = fp_arm_text(arm, sketch, arena);
        code = fp_xxh3(text, strlen(text), code);
    }
    return fp_format(arena, "%016llx", (unsigned long long)code);
}

static void check_code(const row *r, fp_arena *arena) {
    const char *got = code_of(r->field[1], arena);
    if (strcmp(got, r->field[2]) != 0) FAIL_ROW(r, "verification code %s, not %s", got, r->field[2]);
}

static size_t fields_of(const row *r) {
    static const struct {
        const char *kind;
        size_t fields;
    } KINDS[] = {{"sketch", 4}, {"initials", 4}, {"text", 4}, {"distance", 6}, {"similarity", 6}, {"code", 3}};
    for (size_t i = 0; i < sizeof KINDS / sizeof *KINDS; i++)
        if (strcmp(KINDS[i].kind, r->field[0]) == 0) return KINDS[i].fields;
    FAIL_ROW(r, "unknown kind of row %s; tabs stand between fields", r->field[0]);
    return 0;
}

static void check_row(const row *r, fp_arena *arena) {
    const char *kind = r->field[0];
    size_t wanted = fields_of(r);
    if (r->count != wanted)
        FAIL_ROW(r, "a row %s has %zu fields with tabs between them, not %zu", kind, wanted, r->count);
    if (strcmp(kind, "code") == 0) check_code(r, arena);
    else if (strcmp(kind, "sketch") == 0) check_sketch(r, arena);
    else if (strcmp(kind, "initials") == 0) check_initials(r, arena);
    else if (strcmp(kind, "text") == 0) check_of_text(r, arena);
    else check_value(r, strcmp(kind, "similarity") == 0, arena);
}

/* The rows of the algorithm's file. What a fingerprint is today, nobody but this code can say: it is no condition of
 * passing, and asked for in a row to paste. */
static size_t check_file(const char *name, fp_arena *arena) {
    const char *path = fp_format(arena, "tests/vectors/%s.tsv", name);
    fp_string rest, line, field;
    size_t rows = 0, codes = 0;
    if (fp_read_file(path, arena, &rest, &test_error) != FP_OK)
        fail_msg("%s: %s; every algorithm has known answers (tests/vectors/README.txt tells the rows)", path,
                 test_error.message);
    for (size_t number_of_line = 1; fp_next_line(&rest, &line); number_of_line++) {
        if (line.length == 0 || *line.data == '#') continue;
        row r = {.line = number_of_line, .path = path};
        while (r.count < MOST_FIELDS && fp_next_field(&line, '\t', &field))
            r.field[r.count++] = fp_string_copy(arena, field);
        check_row(&r, arena);
        codes += strcmp(r.field[0], "code") == 0;
        rows++;
    }
    if (rows > 0 && codes == 0)
        printf("note: %s holds no verification code yet; paste this row:\nnote: code\t%s\t%s\n", path, name,
               code_of(name, arena));
    return rows;
}

static void every_algorithm_gives_its_known_answers(void **state) {
    (void)state;
    for (size_t i = 0; fp_algorithm_at(i); i++) {
        fp_arena *arena = fp_arena_new();
        const char *name = fp_algorithm_at(i)->name;
        if (check_file(name, arena) == 0) fail_msg("tests/vectors/%s.tsv has no rows", name);
        fp_arena_free(arena);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_algorithm_gives_its_known_answers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
