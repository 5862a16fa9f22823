/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * arm_files.h - the files that algorithms must be given (FP_FILE without a default), for tests that walk all
 * algorithms. Include it after support.h.
 */
#ifndef FP_TEST_ARM_FILES_H
#define FP_TEST_ARM_FILES_H

/* What the algorithm's arm file is called for the texts of this test, which are their own ids; removed at the end. */
static char arm_directory[64];

static void remove_arm_files(void) {
    static const char *const NAMES[] = {"scores.file", "vectors.file", "vectors.ids"};
    char path[128];
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++) {
        snprintf(path, sizeof path, "%s/%s", arm_directory, NAMES[i]);
        unlink(path);
    }
    rmdir(arm_directory);
}

static void write_scores(FILE *to, const fp_string *ids, size_t count) {
    for (size_t i = 0; i < count; i++)
        for (size_t j = i + 1; j < count; j++)
            fprintf(to, "%.*s\t%.*s\t%zu\n", (int)ids[i].length, ids[i].data, (int)ids[j].length, ids[j].data,
                    (i * 31 + j * 17) % 65);
}

/* A .npy file of version 1.0 with a row of four numbers an id, none of them all zeros. */
static void write_vectors(FILE *to, const fp_string *ids, size_t count) {
    char header[118];
    (void)ids;
    int length =
        snprintf(header, sizeof header, "{'descr': '<f4', 'fortran_order': False, 'shape': (%zu, 4), }", count);
    memset(header + length, ' ', sizeof header - (size_t)length);
    header[sizeof header - 1] = '\n';
    fwrite("\x93NUMPY\1\0\x76\0", 1, 10, to);
    fwrite(header, 1, sizeof header, to);
    for (size_t i = 0; i < count; i++) {
        /* Little-endian; the exponents of 0.5 … 2. */
        for (size_t j = 0; j < 4; j++) {
            uint32_t bits = (uint32_t)(fp_mix(i, j) & 0x80ffffff) | 0x3f000000;
            unsigned char bytes[4];
            for (int b = 0; b < 4; b++) bytes[b] = (unsigned char)(bits >> 8 * b);
            fwrite(bytes, 1, sizeof bytes, to);
        }
    }
}

static void write_ids(FILE *to, const fp_string *ids, size_t count) {
    for (size_t i = 0; i < count; i++) fprintf(to, "%.*s\n", (int)ids[i].length, ids[i].data);
}

/* What makes the file of a parameter; ids are distinct. */
typedef struct arm_file {
    const char *algorithm, *parameter;
    void (*write)(FILE *to, const fp_string *ids, size_t count);
} arm_file;

static const arm_file ARM_FILES[] = {
    {"scores", "file", write_scores},
    {"vectors", "file", write_vectors},
    {"vectors", "ids", write_ids},
};

static const char *made_file(const char *algorithm, const char *parameter, const fp_string *ids, size_t count,
                             fp_arena *arena) {
    const char *path = fp_format(arena, "%s/%s.%s", arm_directory, algorithm, parameter);
    for (size_t i = 0; i < sizeof ARM_FILES / sizeof *ARM_FILES; i++) {
        if (strcmp(ARM_FILES[i].algorithm, algorithm) || strcmp(ARM_FILES[i].parameter, parameter)) continue;
        FILE *to = fopen(path, "wb");
        assert_non_null(to);
        ARM_FILES[i].write(to, ids, count);
        assert_int_equal(fclose(to), 0);
        return path;
    }
    fail_msg("%s needs %s=FILE, and tests/arm_files.h does not know how to make one", algorithm, parameter);
    return NULL;
}

/* An arm of the algorithm: its name, and where it must be given files, files for documents with these ids. */
static inline const char *test_spec(const fp_algorithm *algorithm, const fp_string *ids, size_t count,
                                    fp_arena *arena) {
    const char *spec = algorithm->name;
    fp_string *distinct = fp_arena_alloc(arena, count + 1, sizeof *distinct);
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        size_t j = 0;
        while (j < kept && !fp_string_equal(distinct[j], ids[i])) j++;
        if (j == kept) distinct[kept++] = ids[i];
    }
    for (const fp_parameter *row = algorithm->parameters; row && row->name; row++) {
        if (row->type != FP_FILE || *row->initial) continue;
        if (!*arm_directory) {
            strcpy(arm_directory, "/tmp/fplab-arm-files-XXXXXX");
            assert_non_null(mkdtemp(arm_directory));
            atexit(remove_arm_files);
        }
        const char *path = made_file(algorithm->name, row->name, distinct, kept, arena);
        spec = fp_format(arena, "%s%s%s=%s", spec, strchr(spec, ':') ? "," : ":", row->name, path);
    }
    return spec;
}

#endif
