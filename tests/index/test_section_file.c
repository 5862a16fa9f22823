/* SPDX-License-Identifier: GPL-3.0-or-later
 * Files of sections: what was written comes back; every flipped byte of the header and the directory, and every cut, is
 * told and leads nowhere; a flipped byte of the data is found by its page alone; a file that cannot be written leaves
 * the one before. */
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "pairs/tables/section_file.h"
#include "tests/support.h"

enum { SECTIONS = 4 };

static const struct {
    const char *name;
    size_t bytes;
} made[SECTIONS] = {{"first", 100}, {"empty", 0}, {"large", 2 * FP_SECTION_PAGE + 7}, {"page", FP_SECTION_PAGE}};

static char directory[64], path[96], other[96];

static unsigned char byte_at(size_t section, size_t i) { return (unsigned char)fp_mix(i, section + 1); }

static int set_up(void **state) {
    (void)state;
    snprintf(directory, sizeof directory, "/tmp/fplab-sections-XXXXXX");
    if (!mkdtemp(directory)) return 1;
    snprintf(path, sizeof path, "%s/index", directory);
    snprintf(other, sizeof other, "%s/other", directory);
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    unlink(path);
    unlink(other);
    return rmdir(directory); /* fails when something else was left there */
}

static fp_status write_file(const char *to, fp_error *error) {
    fp_section_writer *writer;
    FP_TRY(fp_section_writer_open(to, "test", 3, NULL, &writer, error));
    fp_status status = FP_OK;
    for (size_t s = 0; s < SECTIONS && status == FP_OK; s++) {
        status = fp_section_begin(writer, made[s].name, error);
        for (size_t i = 0; i < made[s].bytes && status == FP_OK;) {
            unsigned char some[1000];
            size_t count = 0;
            while (count < sizeof some && i < made[s].bytes) some[count++] = byte_at(s, i++);
            status = fp_section_add(writer, some, count, error);
        }
    }
    if (status == FP_OK) return fp_section_writer_close(writer, error);
    fp_section_writer_discard(writer);
    return status;
}

/* The whole file, for what damages it. */
static unsigned char *read_bytes(size_t *bytes) {
    struct stat facts;
    assert_int_equal(stat(path, &facts), 0);
    unsigned char *content = malloc((size_t)facts.st_size);
    FILE *file = fopen(path, "rb");
    assert_non_null(content);
    assert_non_null(file);
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

static void change_byte(size_t at) {
    FILE *file = fopen(other, "r+b");
    assert_non_null(file);
    assert_int_equal(fseek(file, (long)at, SEEK_SET), 0);
    int was = fgetc(file);
    assert_int_equal(fseek(file, (long)at, SEEK_SET), 0);
    fputc(was ^ 1 << at % 8, file);
    assert_int_equal(fclose(file), 0);
}

static void refused(fp_status status, const char *says) {
    fp_section_file *file;
    fp_error error = {0};
    assert_int_equal(fp_section_file_open(other, "test", 3, NULL, &file, &error), status);
    assert_null(file);
    assert_string_equal(error.file, other);
    if (!strstr(error.message, says)) fail_msg("%s", error.message);
}

static void sections_come_back(void **state) {
    (void)state;
    fp_section_file *file;
    fp_section section;
    ASSERT_GOOD(write_file(path, &test_error));
    ASSERT_GOOD(fp_section_file_open(path, "test", 3, NULL, &file, &test_error));
    assert_string_equal(fp_section_file_path(file), path);
    assert_int_equal(fp_section_count(file), SECTIONS);
    for (size_t s = 0; s < SECTIONS; s++) {
        assert_true(fp_section_find(file, made[s].name, &section));
        assert_ptr_equal(section.data, fp_section_at(file, s).data);
        assert_int_equal(section.bytes, made[s].bytes);
        assert_int_equal((uintptr_t)section.data % FP_SECTION_ALIGNMENT, 0);
        for (size_t i = 0; i < section.bytes; i++)
            if (((const unsigned char *)section.data)[i] != byte_at(s, i)) fail_msg("section %zu, byte %zu", s, i);
    }
    assert_false(fp_section_find(file, "none", &section));
    fp_section_file_close(file);
}

/* ---- Damage ---- */

typedef struct damages {
    size_t count;
    fp_section_damage last;
} damages;

static void note(void *context, const fp_section_damage *damage) {
    damages *seen = context;
    seen->count++;
    seen->last = *damage;
}

static void every_byte_of_the_header_counts(void **state) {
    (void)state;
    size_t bytes;
    ASSERT_GOOD(write_file(path, &test_error));
    unsigned char *content = read_bytes(&bytes);
    size_t directory_at = ((const fp_section_header *)(const void *)content)->directory;
    write_bytes(content, bytes);
    for (size_t at = 0; at < bytes; at = at + 1 == sizeof(fp_section_header) ? directory_at : at + 1) {
        fp_section_file *file;
        fp_error error = {0};
        change_byte(at);
        if (fp_section_file_open(other, "test", 3, NULL, &file, &error) == FP_OK) fail_msg("byte %zu was changed", at);
        assert_string_equal(error.file, other);
        assert_true(strlen(error.message) > 0 && !strchr(error.message, '\n'));
        change_byte(at);
    }
    free(content);
}

static void every_cut_is_told(void **state) {
    (void)state;
    size_t bytes, cuts[64], count = 0;
    ASSERT_GOOD(write_file(path, &test_error));
    unsigned char *content = read_bytes(&bytes);
    size_t directory_at = ((const fp_section_header *)(const void *)content)->directory;
    const fp_section_row *row = (const void *)(content + directory_at + sizeof(fp_section_directory));
    for (size_t s = 0; s < SECTIONS; s++)
        cuts[count++] = row[s].offset, cuts[count++] = row[s].offset + row[s].bytes / 2;
    for (size_t i = 0; i < sizeof(fp_section_header); i += 8) cuts[count++] = i;
    cuts[count++] = directory_at, cuts[count++] = directory_at + 20, cuts[count++] = bytes - 1;
    for (size_t i = 0; i < count; i++) {
        write_bytes(content, cuts[i]);
        refused(FP_ERROR_SYNTAX, "cut off");
    }
    free(content);
}

/* With a checksum that is right, as somebody could make one, bounds are still kept. */
static void no_bound_is_believed(void **state) {
    (void)state;
    size_t bytes;
    ASSERT_GOOD(write_file(path, &test_error));
    unsigned char *content = read_bytes(&bytes);
    fp_section_header *header = (void *)content;
    size_t fields[] = {header->directory,
                       header->directory + 8, /* sections, bytes a page */
                       header->directory + 16 + 32,
                       header->directory + 16 + 40, /* where a section is, its bytes */
                       header->directory + 16 + 48 * 2 + 32,
                       header->directory + 16 + 48 * 2 + 40};
    uint64_t values[] = {0, 1, 63, UINT64_MAX, UINT64_MAX - 63, UINT64_C(1) << 63, bytes, bytes * 64};
    for (size_t f = 0; f < sizeof fields / sizeof *fields; f++)
        for (size_t v = 0; v < sizeof values / sizeof *values; v++) {
            uint64_t was;
            if (f == 3 && values[v] - 1 < made[0].bytes) continue; /* a shorter section is one, too */
            fp_arena *arena = fp_arena_new();
            memcpy(&was, content + fields[f], 8);
            memcpy(content + fields[f], &values[v], 8);
            fp_xxh3_sum *sum = fp_xxh3_begin(arena);
            fp_xxh3_add(sum, (fp_string){(const char *)content, offsetof(fp_section_header, checksum)});
            fp_xxh3_add(sum, (fp_string){(const char *)content + header->directory, bytes - header->directory});
            header->checksum = fp_xxh3_end(sum);
            write_bytes(content, bytes);
            refused(FP_ERROR_SYNTAX, "damaged");
            memcpy(content + fields[f], &was, 8);
            fp_arena_free(arena);
        }
    free(content);
}

static void pages_are_checked_by_themselves(void **state) {
    (void)state;
    size_t bytes;
    ASSERT_GOOD(write_file(path, &test_error));
    unsigned char *content = read_bytes(&bytes);
    size_t directory_at = ((const fp_section_header *)(const void *)content)->directory;
    const fp_section_row *row = (const void *)(content + directory_at + sizeof(fp_section_directory));
    const struct {
        size_t section, at, first, end;
    } tries[] = {{0, 99, 0, 100},
                 {2, 0, 0, FP_SECTION_PAGE},
                 {2, FP_SECTION_PAGE, FP_SECTION_PAGE, 2 * FP_SECTION_PAGE},
                 {2, 2 * FP_SECTION_PAGE + 6, 2 * FP_SECTION_PAGE, 2 * FP_SECTION_PAGE + 7},
                 {3, 5, 0, FP_SECTION_PAGE}};
    for (size_t i = 0; i < sizeof tries / sizeof *tries; i++) {
        fp_section_file *file;
        fp_section section;
        damages seen = {0};
        write_bytes(content, bytes);
        ASSERT_GOOD(fp_section_file_open(other, "test", 3, NULL, &file, &test_error));
        ASSERT_GOOD(fp_section_file_verify(file, note, &seen, NULL, &test_error));
        assert_int_equal(seen.count, 0);
        for (size_t s = 0; s < SECTIONS; s++)
            ASSERT_GOOD(fp_section_find_good(file, made[s].name, &section, &test_error));
        change_byte(row[tries[i].section].offset + tries[i].at);
        ASSERT_GOOD(fp_section_file_verify(file, note, &seen, NULL, &test_error));
        assert_int_equal(seen.count, 1);
        assert_int_equal(seen.last.section, tries[i].section);
        assert_int_equal(seen.last.first, tries[i].first);
        assert_int_equal(seen.last.end, tries[i].end);
        for (size_t s = 0; s < SECTIONS; s++)
            assert_int_equal(fp_section_find_good(file, made[s].name, &section, &test_error),
                             s == tries[i].section ? FP_ERROR_SYNTAX : FP_OK);
        assert_int_equal(fp_section_find_good(file, "none", &section, &test_error), FP_ERROR_SYNTAX);
        fp_section_file_close(file);
    }
    free(content);
}

static void what_is_no_such_file_is_told(void **state) {
    (void)state;
    size_t bytes;
    fp_section_file *file;
    ASSERT_GOOD(write_file(path, &test_error));
    unsigned char *content = read_bytes(&bytes);
    fp_section_header *header = (void *)content;
    assert_int_equal(fp_section_file_open(path, "blocks", 3, NULL, &file, &test_error), FP_ERROR_SYNTAX);
    assert_non_null(strstr(test_error.message, "kind 'blocks'"));
    assert_int_equal(fp_section_file_open(path, "test", 4, NULL, &file, &test_error), FP_ERROR_ABI);
    assert_non_null(strstr(test_error.message, "version 3 of test; this program reads version 4"));
    assert_int_equal(fp_section_file_open(directory, "test", 3, NULL, &file, &test_error), FP_ERROR_IO);
    assert_int_equal(fp_section_file_open("/nowhere/at/all", "test", 3, NULL, &file, &test_error), FP_ERROR_IO);
    header->order = __builtin_bswap64(header->order);
    write_bytes(content, bytes);
    refused(FP_ERROR_ABI, "another order of bytes");
    header->order = FP_SECTION_ORDER;
    header->file_version = 2;
    write_bytes(content, bytes);
    refused(FP_ERROR_ABI, "version 2 of the format");
    header->file_version = FP_SECTION_VERSION;
    unsigned char *longer = calloc(bytes + 1, 1);
    memcpy(longer, content, bytes);
    write_bytes(longer, bytes + 1);
    refused(FP_ERROR_SYNTAX, "behind its end");
    free(longer);
    write_bytes((const unsigned char *)"{\"id\": 1}", 9);
    refused(FP_ERROR_SYNTAX, "no index file");
    free(content);
}

/* A disk with room for half of it, as a limit on the size of files. */
static void a_full_disk_leaves_the_old_file(void **state) {
    (void)state;
    struct rlimit old, half = {FP_SECTION_PAGE, RLIM_INFINITY};
    fp_section_file *file;
    fp_error error = {0};
    ASSERT_GOOD(write_file(path, &test_error));
    void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
    half.rlim_max = old.rlim_max;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &half), 0);
    fp_status status = write_file(path, &error);
    setrlimit(RLIMIT_FSIZE, &old);
    signal(SIGXFSZ, handler);
    assert_int_equal(status, FP_ERROR_IO);
    assert_string_equal(error.file, path);
    ASSERT_GOOD(fp_section_file_open(path, "test", 3, NULL, &file, &test_error));
    damages seen = {0};
    ASSERT_GOOD(fp_section_file_verify(file, note, &seen, NULL, &test_error));
    assert_int_equal(seen.count, 0);
    fp_section_file_close(file);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sections_come_back),
        cmocka_unit_test(every_byte_of_the_header_counts),
        cmocka_unit_test(every_cut_is_told),
        cmocka_unit_test(no_bound_is_believed),
        cmocka_unit_test(pages_are_checked_by_themselves),
        cmocka_unit_test(what_is_no_such_file_is_told),
        cmocka_unit_test(a_full_disk_leaves_the_old_file),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
