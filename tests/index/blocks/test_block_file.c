/* SPDX-License-Identifier: GPL-3.0-or-later
 * Block tables on disk and under strain: the same bytes for any number of threads, every byte of a file changed in
 * turn, what is lost said by name, memory that fails, equal fingerprints without end. */
#include <pthread.h>
#include <sys/stat.h>
#include <unistd.h>

#include "pairs/tables/block_tables.h"
#include "pairs/tables/section_file.h"
#include "tests/support.h"

static char directory[64], path[96], other[96];

static int set_up(void **state) {
    (void)state;
    snprintf(directory, sizeof directory, "/tmp/fplab-block-file-XXXXXX");
    if (!mkdtemp(directory)) return 1;
    snprintf(path, sizeof path, "%s/index", directory);
    snprintf(other, sizeof other, "%s/other", directory);
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    unlink(path);
    unlink(other);
    return rmdir(directory);
}

static unsigned char *read_bytes(const char *from, size_t *bytes) {
    struct stat facts;
    FILE *file = fopen(from, "rb");
    assert_non_null(file);
    assert_int_equal(fstat(fileno(file), &facts), 0);
    unsigned char *content = malloc((size_t)facts.st_size);
    *bytes = fread(content, 1, (size_t)facts.st_size, file);
    assert_int_equal(*bytes, facts.st_size);
    fclose(file);
    return content;
}

static void write_bytes(const unsigned char *content, size_t bytes) {
    FILE *file = fopen(other, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(content, 1, bytes, file), bytes);
    assert_int_equal(fclose(file), 0);
}

static fp_block_source random_source(size_t count, fp_arena *arena) {
    uint64_t *fingerprints = fp_arena_raw(arena, count, sizeof *fingerprints);
    for (size_t i = 0; i < count; i++) fingerprints[i] = fp_mix(i, 1);
    return (fp_block_source){fingerprints, NULL, count};
}

static fp_block_design parse(const char *text) {
    fp_block_design design;
    ASSERT_GOOD(fp_block_design_parse(text, 64, 3, &design, &test_error));
    return design;
}

/* ---- Bytes ---- */

static void threads_make_the_same_bytes(void **state) {
    (void)state;
    fp_arena *arena = fp_arena_new();
    fp_block_source source = random_source(300000, arena);
    fp_block_design design = parse("blocks=5,agree=2");
    size_t bytes, again;
    ASSERT_GOOD(fp_block_tables_write(&design, &source, path, &(fp_progress){.threads = 1}, NULL, &test_error));
    unsigned char *one = read_bytes(path, &bytes);
    for (int threads = 2; threads < 6; threads += 3) {
        ASSERT_GOOD(
            fp_block_tables_write(&design, &source, path, &(fp_progress){.threads = threads}, NULL, &test_error));
        unsigned char *many = read_bytes(path, &again);
        assert_int_equal(bytes, again);
        assert_memory_equal(one, many, bytes);
        free(many);
    }
    free(one);
    fp_arena_free(arena);
}

/* docs/index-format.md: no more than 12 bytes a fingerprint of 64 bits and table, directories included. */
static void tables_are_small(void **state) {
    (void)state;
    static const char *const texts[] = {"blocks=4", "blocks=5,agree=2", "blocks=4+4"};
    fp_arena *arena = fp_arena_new();
    for (size_t count = 1000; count <= 1000000; count *= 10)
        for (size_t i = 0; i < 3; i++) {
            fp_block_source source = random_source(count, arena);
            fp_block_design design = parse(texts[i]);
            fp_block_tables *tables;
            if (count > 100000 && i) continue;
            ASSERT_GOOD(fp_block_tables_build(&design, &source, NULL, NULL, &tables, &test_error));
            double each =
                (double)fp_block_tables_bytes(tables) / (double)count / (double)fp_block_design_tables(&design);
            assert_true(each > 11 && each <= 12);
            fp_block_tables_close(tables);
        }
    fp_arena_free(arena);
}

/* ---- Damage ---- */

typedef struct lines {
    size_t count;
    char text[600];
} lines;

static void note(void *context, const char *line) {
    lines *seen = context;
    seen->count++;
    snprintf(seen->text, sizeof seen->text, "%s", line);
    assert_null(strchr(line, '\n'));
}

/* A damaged page is refused when a query comes to it: what is found is right, or nothing is. Whether one was refused.
 */
static bool ask_some(const fp_block_tables *tables, const fp_block_source *source) {
    fp_arena *arena = fp_arena_new();
    const fp_found *found;
    size_t count, refused = 0;
    fp_error error;
    for (size_t i = 0; i < source->count; i++) {
        if (fp_block_tables_near(tables, source->fingerprints + i, 3, arena, &found, &count, NULL, &error) != FP_OK) {
            assert_non_null(strstr(error.message, "are damaged; `fplab index merge` makes the file again"));
            refused++;
            continue;
        }
        size_t near = 0;
        for (size_t k = 0; k < source->count; k++)
            near += __builtin_popcountll(source->fingerprints[i] ^ source->fingerprints[k]) <= 3;
        assert_int_equal(count, near);
        for (size_t k = 0; k < count; k++)
            assert_int_equal(__builtin_popcountll(source->fingerprints[i] ^ source->fingerprints[found[k].number]),
                             found[k].distance);
    }
    fp_arena_free(arena);
    return refused > 0;
}

static void every_changed_byte_is_told(void **state) {
    (void)state;
    fp_arena *arena = fp_arena_new();
    fp_block_source source = random_source(24, arena);
    fp_block_design design = parse("blocks=4");
    size_t bytes, refused = 0, told = 0, padding = 0;
    ASSERT_GOOD(fp_block_tables_write(&design, &source, path, NULL, NULL, &test_error));
    unsigned char *content = read_bytes(path, &bytes);
    for (size_t at = 0; at < bytes; at++) {
        fp_block_tables *tables;
        fp_error error = {0};
        uint64_t problems;
        lines seen = {0};
        content[at] ^= (unsigned char)(1 << fp_mix(at, 9) % 8);
        write_bytes(content, bytes);
        if (fp_block_tables_open(other, NULL, &tables, &error) == FP_OK) {
            ASSERT_GOOD(fp_block_tables_verify(tables, note, &seen, &problems, NULL, &test_error));
            assert_int_equal(seen.count, problems);
            assert_int_equal(ask_some(tables, &source), problems > 0);
            fp_block_tables_close(tables);
            if (problems) told++;
            else padding++;
        } else {
            assert_null(tables);
            assert_string_equal(error.file, other);
            assert_true(strlen(error.message) > 10 && !strchr(error.message, '\n'));
            refused++;
        }
        content[at] ^= (unsigned char)(1 << fp_mix(at, 9) % 8);
    }
    /* 4 tables of 24 fingerprints: 5 starts of 4 bytes, 8 and 3 bytes each. */
    assert_int_equal(told, 4 * (5 * 4 + 24 * 11));
    assert_true(padding < 15 * FP_SECTION_ALIGNMENT);
    assert_int_equal(refused + told + padding, bytes);
    free(content);
    fp_arena_free(arena);
}

static void every_cut_is_told(void **state) {
    (void)state;
    fp_arena *arena = fp_arena_new();
    fp_block_source source = random_source(24, arena);
    fp_block_design design = parse("blocks=4");
    size_t bytes;
    ASSERT_GOOD(fp_block_tables_write(&design, &source, path, NULL, NULL, &test_error));
    unsigned char *content = read_bytes(path, &bytes);
    for (size_t cut = 0; cut < bytes; cut++) {
        fp_block_tables *tables;
        fp_error error = {0};
        write_bytes(content, cut);
        assert_int_equal(fp_block_tables_open(other, NULL, &tables, &error), FP_ERROR_SYNTAX);
        assert_string_equal(error.file, other);
        assert_non_null(strstr(error.message, "cut off"));
    }
    free(content);
    fp_arena_free(arena);
}

/* A byte of the section, in two tables at most. */
static void damage(unsigned char *content, const char *section, size_t byte) {
    const fp_section_header *header = (const void *)content;
    const fp_section_directory *sections = (const void *)(content + header->directory);
    const fp_section_row *row = (const void *)(sections + 1);
    while (strcmp(row->name, section) != 0) row++;
    content[row->offset + byte] ^= 4;
}

static void verify_damaged(const unsigned char *content, size_t bytes, size_t problems, const char *says) {
    fp_block_tables *tables;
    uint64_t count;
    lines seen = {0};
    write_bytes(content, bytes);
    ASSERT_GOOD(fp_block_tables_open(other, NULL, &tables, &test_error));
    ASSERT_GOOD(fp_block_tables_verify(tables, note, &seen, &count, NULL, &test_error));
    assert_int_equal(count, problems);
    if (!strstr(seen.text, says) || !strstr(seen.text, "`fplab index merge` makes the tables again") ||
        !strstr(seen.text, other))
        fail_msg("%s", seen.text);
    fp_block_tables_close(tables);
}

static void what_is_lost_is_named(void **state) {
    (void)state;
    fp_arena *arena = fp_arena_new();
    fp_block_source source = random_source(200000, arena);
    fp_block_design design = parse("blocks=4"), scan = parse("scan");
    size_t bytes;
    ASSERT_GOOD(fp_block_tables_write(&design, &source, path, NULL, NULL, &test_error));
    unsigned char *content = read_bytes(path, &bytes);
    damage(content, "fingerprints.2", FP_SECTION_PAGE + 5);
    verify_damaged(content, bytes, 1,
                   "table 2: bytes 1048576 to 1599999 of the section fingerprints.2 are damaged: 68928 of "
                   "200000 fingerprints are lost");
    damage(content, "numbers.0", 0);
    verify_damaged(content, bytes, 2, "200000 fingerprints are lost");
    damage(content, "directory.1", 3);
    verify_damaged(content, bytes, 3, "lost");
    damage(content, "numbers.3", 599999);
    verify_damaged(content, bytes, 4, "200000 of 200000 numbers are lost");
    free(content);
    ASSERT_GOOD(fp_block_tables_write(&scan, &source, path, NULL, NULL, &test_error));
    content = read_bytes(path, &bytes);
    damage(content, "fingerprints.0", 0);
    verify_damaged(content, bytes, 1, "131072 of 200000 fingerprints are lost");
    free(content);
    fp_arena_free(arena);
}

/* ---- Memory ---- */

typedef struct meter {
    size_t live, most; /* bytes */
    size_t left;       /* allocations until they fail */
} meter;

static void *take(meter *of, void *place, size_t size) {
    size_t *old = place ? (size_t *)place - 8 : NULL, had = old ? *old : 0;
    if (of->left == 0) return NULL;
    of->left--;
    size_t *made = realloc(old, size + 64);
    assert_non_null(made);
    *made = size;
    of->live += size - had;
    if (of->live > of->most) of->most = of->live;
    return made + 8;
}

/* Threads allocate at once. */
static pthread_mutex_t metering = PTHREAD_MUTEX_INITIALIZER;

static void *meter_resize(void *context, void *place, size_t size) {
    pthread_mutex_lock(&metering);
    void *made = take(context, place, size);
    pthread_mutex_unlock(&metering);
    return made;
}

static void *meter_allocate(void *context, size_t size) { return meter_resize(context, NULL, size); }

static void meter_release(void *context, void *place) {
    meter *of = context;
    size_t *old = (size_t *)place - 8;
    pthread_mutex_lock(&metering);
    of->live -= *old;
    pthread_mutex_unlock(&metering);
    free(old);
}

static fp_arena *metered(meter *of) {
    fp_allocator allocator = {sizeof allocator, of, meter_allocate, meter_resize, meter_release};
    fp_arena *arena;
    return fp_arena_new_with(&allocator, &arena, NULL) == FP_OK ? arena : NULL;
}

static fp_status count_pairs(void *context, const fp_found_pair *pairs, size_t count, fp_error *error) {
    (void)pairs;
    (void)error;
    *(_Atomic uint64_t *)context += count;
    return FP_OK;
}

static fp_status no_answer(void *context, size_t query, const fp_found *found, size_t count, fp_arena *arena,
                           fp_error *error) {
    (void)context, (void)query, (void)found, (void)count, (void)arena, (void)error;
    return FP_OK;
}

/* All that there is to do, over one thread. */
static fp_status do_everything(const fp_block_design *design, const fp_block_source *source, fp_arena *arena,
                               fp_block_tables **tables, fp_arenas *arenas) {
    _Atomic uint64_t pairs = 0;
    fp_error error;
    const fp_progress one = {.threads = 1};
    FP_TRY(fp_arenas_open(arenas, &one, arena, &error));
    FP_TRY(fp_block_tables_build(design, source, &one, arena, tables, &error));
    fp_block_tables_close(*tables);
    *tables = NULL;
    FP_TRY(fp_block_tables_write(design, source, path, &one, arena, &error));
    FP_TRY(fp_block_tables_open(path, arena, tables, &error));
    FP_TRY(fp_block_tables_verify(*tables, NULL, NULL, NULL, &one, &error));
    FP_TRY(fp_block_tables_near_each(*tables, source->fingerprints, source->count, 3, no_answer, NULL, arenas, &one,
                                     NULL, &error));
    return fp_block_pairs(design, source, count_pairs, &pairs, arenas, &one, &error);
}

static void failed_allocations_are_given_back(void **state) {
    (void)state;
    fp_arena *own = fp_arena_new();
    fp_block_source source = random_source(50, own);
    fp_block_design design = parse("blocks=4");
    fp_status status = FP_ERROR_MEMORY;
    size_t allowed = 0;
    for (; status == FP_ERROR_MEMORY; allowed++) {
        meter of = {.left = allowed};
        fp_arena *arena = metered(&of);
        fp_block_tables *tables = NULL;
        fp_arenas arenas = {0};
        status = arena ? do_everything(&design, &source, arena, &tables, &arenas) : FP_ERROR_MEMORY;
        fp_block_tables_close(tables);
        fp_arenas_free(&arenas);
        if (arena) fp_arena_free(arena);
        assert_int_equal(of.live, 0);
    }
    assert_int_equal(status, FP_OK);
    assert_true(allowed > 20);
    fp_arena_free(own);
}

/* Half of all are equal: pairs are counted, not kept. */
static void equal_fingerprints_take_no_memory(void **state) {
    enum { EQUAL = 10000, ALL = 20000 };
    (void)state;
    meter of = {.left = SIZE_MAX};
    fp_arena *arena = metered(&of), *own = fp_arena_new();
    fp_block_source source = random_source(ALL, own);
    uint64_t *fingerprints = fp_arena_raw(own, ALL, sizeof *fingerprints);
    fp_block_design design = parse("blocks=4");
    _Atomic uint64_t pairs = 0;
    fp_arenas arenas;
    for (size_t i = 0; i < ALL; i++) fingerprints[i] = i % 2 ? 42 : source.fingerprints[i];
    source.fingerprints = fingerprints;
    ASSERT_GOOD(fp_arenas_open(&arenas, &(fp_progress){.threads = 2}, arena, &test_error));
    ASSERT_GOOD(fp_block_pairs(&design, &source, count_pairs, &pairs, &arenas, NULL, &test_error));
    assert_int_equal(pairs, (uint64_t)EQUAL * (EQUAL - 1) / 2);
    assert_true(of.most < 4 << 20);
    fp_arenas_free(&arenas);
    fp_arena_free(arena);
    fp_arena_free(own);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_make_the_same_bytes),
        cmocka_unit_test(tables_are_small),
        cmocka_unit_test(every_changed_byte_is_told),
        cmocka_unit_test(every_cut_is_told),
        cmocka_unit_test(what_is_lost_is_named),
        cmocka_unit_test(failed_allocations_are_given_back),
        cmocka_unit_test(equal_fingerprints_take_no_memory),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
