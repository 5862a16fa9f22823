/* SPDX-License-Identifier: GPL-3.0-or-later
 * Reading a corpus against the documents that it was made of: over blocks and threads, packed, with bad rows at any
 * place, in parts, from a pipe, and when its file changes between two passes. */
#include <fcntl.h>
#include <pthread.h>
#include <sys/stat.h>
#include <zlib.h>
#include <zstd.h>

#include "corpora/corpus.h"
#include "text/unicode/utf8.h"
#include "tests/support.h"

enum { THREAD_COUNTS = 3 };
static const int THREADS[THREAD_COUNTS] = {1, 2, 7};

static char directory[] = "/tmp/fplab-reading-XXXXXX"; /* made by main */

static const char *file_called(const char *name) {
    static char path[4][200];
    static int turn;
    turn = (turn + 1) % 4;
    snprintf(path[turn], sizeof path[turn], "%s/%s", directory, name);
    return path[turn];
}

/* ---- A file whose documents are known ---- */

typedef struct expected {
    char id[16], group[8], colour[8];
    fp_string text;
} expected;

typedef struct made {
    fp_arena *arena;
    char *content;
    size_t length, room;
    size_t count;
    expected *documents;
    size_t bad_count;
    size_t *bad_row, *bad_byte; /* in the order of the file */
} made;

static void put(made *to, const char *bytes, size_t length) {
    while (to->length + length > to->room) {
        to->room = to->room ? 2 * to->room : 1 << 16;
        to->content = realloc(to->content, to->room);
        assert_non_null(to->content);
    }
    memcpy(to->content + to->length, bytes, length);
    to->length += length;
}

static void print(made *to, const char *format, ...) {
    char line[256];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    assert_in_range(length, 0, sizeof line - 1);
    put(to, line, (size_t)length);
}

/* The text, and the way it is written: as it is, or with escapes. */
static void put_text(made *to, uint64_t seed, size_t characters, fp_string *text) {
    char *plain = fp_arena_raw(to->arena, 3 * characters + 1, 1);
    size_t length = 0;
    for (size_t i = 0; i < characters; i++) {
        uint32_t code = 0x4e00 + (uint32_t)(fp_mix(seed, i) % 5000);
        bool letter = fp_mix(seed, i) % 3 == 0;
        if (letter) code = 'a' + code % 26;
        size_t size = fp_utf8_encode(code, plain + length);
        if (seed % 3 == 0 && !letter) print(to, "\\u%04x", code);
        else put(to, plain + length, size);
        length += size;
    }
    *text = (fp_string){plain, length};
}

/* Documents of 0 to 600 characters, one of them longer than a block; every so many rows an empty one; and, where
 * `bad`, rows of three kinds that cannot be taken: runs of them, single ones, the first and the last. */
static made make(size_t rows, uint64_t seed, bool bad) {
    made it = {.arena = fp_arena_new(),
               .documents = calloc(rows, sizeof *it.documents),
               .bad_row = calloc(rows, sizeof *it.bad_row),
               .bad_byte = calloc(rows, sizeof *it.bad_byte)};
    for (size_t row = 1; row <= rows; row++) {
        uint64_t chance = fp_mix(seed, row);
        if (chance % 41 == 0 && row > 1 && row < rows) {
            print(&it, row % 2 ? "\n" : "\r\n");
            continue;
        }
        if (bad && (row == 1 || row == rows || chance % 3 == 0)) {
            size_t kind = it.count ? chance / 3 % 3 : 0, at = it.length, byte = 7;
            if (kind == 0) print(&it, "{\"id\":\"x\",\"text\":7}\n"), byte = 17;
            else if (kind == 1) print(&it, "{\"id\":\xff}\n"), byte = 6;
            else print(&it, "{\"id\":\"%s\",\"text\":8}\n", it.documents[chance / 9 % it.count].id), byte = 6;
            it.bad_row[it.bad_count] = row;
            it.bad_byte[it.bad_count++] = at + byte;
            continue;
        }
        expected *one = it.documents + it.count++;
        snprintf(one->id, sizeof one->id, "d%zu", row);
        if (chance % 4) snprintf(one->group, sizeof one->group, "g%zu", row / 3);
        if (chance % 5) snprintf(one->colour, sizeof one->colour, "%zu", (size_t)(chance / 5 % 7));
        print(&it, "{\"id\":\"%s\",\"text\":\"", one->id);
        put_text(&it, chance, row == rows / 2 ? 900000 : chance / 7 % 600, &one->text);
        print(&it, "\"");
        if (*one->group) print(&it, ",\"group\":\"%s\"", one->group);
        if (*one->colour) print(&it, ",\"colour\":%s", one->colour);
        print(&it, row % 5 ? "}\n" : "}\r\n");
    }
    if (seed % 2) it.length--; /* the last line without its end */
    return it;
}

static void let_go(made *it) {
    fp_arena_free(it->arena);
    free(it->content);
    free(it->documents);
    free(it->bad_row);
    free(it->bad_byte);
}

static void write_bytes(const char *name, const void *bytes, size_t length) {
    FILE *file = fopen(file_called(name), "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, length, file), length);
    assert_int_equal(fclose(file), 0);
}

static void write_documents(const made *from) { write_bytes("docs.jsonl", from->content, from->length); }

/* ---- What is read ---- */

typedef struct heard {
    size_t count, room;
    size_t *row, *byte;
} heard;

static void hear(void *context, const fp_error *error) {
    heard *to = context;
    if (to->count == to->room) {
        to->room = to->room ? 2 * to->room : 64;
        to->row = realloc(to->row, to->room * sizeof *to->row);
        to->byte = realloc(to->byte, to->room * sizeof *to->byte);
    }
    to->row[to->count] = error->line;
    to->byte[to->count++] = error->byte;
}

static const char *const FIELDS[] = {"colour", "lang", NULL};

static void read_corpus(int threads, bool skip, heard *to, fp_arena *arena, fp_corpus *corpus) {
    fp_progress over = {.threads = threads};
    fp_corpus_opening options = {
        .skip_bad = skip, .fields = FIELDS, .progress = &over, .skipped = to ? hear : NULL, .context = to};
    ASSERT_GOOD(fp_corpus_read(directory, &options, arena, corpus, &test_error));
}

static void assert_text(fp_string found, fp_string wanted) {
    assert_int_equal(found.length, wanted.length);
    if (wanted.length) assert_memory_equal(found.data, wanted.data, wanted.length);
}

/* A pass gives every document once, in order. */
static void check_pass(fp_text_source *source, const expected *documents, size_t count) {
    fp_text_batch batch = {.count = 1};
    size_t next = 0;
    while (batch.count) {
        ASSERT_GOOD(source->next(source->context, &batch, &test_error));
        assert_int_equal(batch.first, next);
        for (size_t i = 0; i < batch.count; i++, next++) {
            assert_true(next < count);
            assert_text(batch.text[i], documents[next].text);
            assert_text(batch.id[i], fp_string_of(documents[next].id));
        }
    }
    assert_int_equal(next, count);
}

static void check_passes(const fp_corpus *corpus, const expected *documents, size_t count, fp_arena *arena) {
    fp_text_source source;
    ASSERT_GOOD(fp_corpus_source(corpus, arena, &source, &test_error));
    assert_int_equal(source.count, count);
    for (int pass = 0; pass < 2; pass++) {
        check_pass(&source, documents, count);
        ASSERT_GOOD(source.rewind(source.context, &test_error));
    }
    fp_text_source_close(&source);
}

static void check_corpus(const fp_corpus *corpus, const made *from) {
    assert_int_equal(corpus->document_count, from->count);
    const fp_corpus_field *colour = fp_corpus_field_find(corpus, "colour");
    assert_true(colour->any && !fp_corpus_field_find(corpus, "lang")->any && !fp_corpus_field_find(corpus, "group"));
    assert_true(colour->value_count <= 8);
    for (size_t i = 0; i < from->count; i++) {
        const expected *one = from->documents + i;
        assert_text(corpus->documents[i].id, fp_string_of(one->id));
        assert_int_equal(corpus->documents[i].characters, fp_utf8_count(one->text));
        assert_text(colour->values[colour->of[i]], fp_string_of(one->colour));
        assert_int_equal(corpus->group[i] == UINT32_MAX, !*one->group);
        if (i && *one->group && *one[-1].group)
            assert_int_equal(corpus->group[i] == corpus->group[i - 1], strcmp(one->group, one[-1].group) == 0);
    }
    char hex[65];
    fp_sha256_hex((fp_string){from->content, from->length}, hex);
    assert_string_equal(corpus->documents_sha256, hex);
}

/* ---- The tests ---- */

static void write_gzip(const made *from) {
    gzFile file = gzopen(file_called("docs.jsonl.gz"), "wb1");
    assert_int_equal(gzwrite(file, from->content, (unsigned)from->length), from->length);
    assert_int_equal(gzclose(file), Z_OK);
}

static void write_zstd(const made *from) {
    size_t room = ZSTD_compressBound(from->length);
    char *packed = malloc(room);
    size_t length = ZSTD_compress(packed, room, from->content, from->length, 1);
    assert_false(ZSTD_isError(length));
    write_bytes("docs.jsonl.zst", packed, length);
    free(packed);
}

static void packed_or_not_and_any_threads(void **state) {
    (void)state;
    static const char *const NAMES[] = {"docs.jsonl", "docs.jsonl.gz", "docs.jsonl.zst"};
    static void (*const WRITE[])(const made *) = {write_documents, write_gzip, write_zstd};
    made it = make(3000, 7, false);
    for (size_t k = 0; k < 3; k++) {
        WRITE[k](&it);
        for (size_t t = 0; t < THREAD_COUNTS; t++) {
            fp_arena *arena = fp_arena_new();
            fp_corpus corpus;
            read_corpus(THREADS[t], false, NULL, arena, &corpus);
            assert_null(corpus.texts);
            check_corpus(&corpus, &it);
            check_passes(&corpus, it.documents, it.count, arena);
            fp_arena_free(arena);
        }
        unlink(file_called(NAMES[k]));
    }
    let_go(&it);
}

/* About every third row is bad, so that blocks begin and end with bad rows and good ones. */
static void bad_rows_are_those_that_were_made(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 4; seed++) {
        made it = make(3000, seed, true);
        write_documents(&it);
        for (size_t t = 0; t < THREAD_COUNTS; t++) {
            fp_arena *arena = fp_arena_new();
            fp_corpus corpus;
            heard told = {0};
            read_corpus(THREADS[t], true, &told, arena, &corpus);
            assert_int_equal(told.count, it.bad_count);
            assert_int_equal(corpus.skipped, it.bad_count);
            assert_memory_equal(told.row, it.bad_row, it.bad_count * sizeof *told.row);
            assert_memory_equal(told.byte, it.bad_byte, it.bad_count * sizeof *told.byte);
            check_corpus(&corpus, &it);
            check_passes(&corpus, it.documents, it.count, arena);
            free(told.row);
            free(told.byte);
            fp_arena_free(arena);
        }
        unlink(file_called("docs.jsonl"));
        let_go(&it);
    }
}

/* One bad row at any place, twice in a block or in several: the first is the one that is told. */
static void the_first_error_is_told(void **state) {
    (void)state;
    made it = make(3000, 11, false);
    fp_arena *arena = fp_arena_new();
    for (size_t trial = 0; trial < 12; trial++) {
        size_t first = SIZE_MAX, line = 0;
        char *kept = fp_arena_raw(arena, it.length, 1);
        memcpy(kept, it.content, it.length);
        for (size_t k = 0; k < 3; k++) {
            size_t at = fp_mix(trial, k) % (it.length - 1);
            while (at && it.content[at - 1] != '\n') at--;
            if (it.content[at] != '{') continue; /* an empty line */
            it.content[at] = '?';
            if (at < first) first = at;
        }
        for (size_t i = 0; i < first && first != SIZE_MAX; i++) line += it.content[i] == '\n';
        write_documents(&it);
        for (size_t t = 0; t < THREAD_COUNTS && first != SIZE_MAX; t++) {
            fp_progress over = {.threads = THREADS[t]};
            fp_corpus_opening options = {.progress = &over};
            fp_corpus corpus;
            fp_error error;
            assert_int_equal(fp_corpus_read(directory, &options, arena, &corpus, &error), FP_ERROR_SYNTAX);
            assert_string_equal(error.file, file_called("docs.jsonl"));
            assert_int_equal(error.line, line + 1);
            assert_int_equal(error.byte, first);
        }
        memcpy(it.content, kept, it.length);
    }
    unlink(file_called("docs.jsonl"));
    fp_arena_free(arena);
    let_go(&it);
}

static void parts_and_texts_on_demand(void **state) {
    (void)state;
    made it = make(2000, 3, true);
    fp_arena *arena = fp_arena_new();
    fp_corpus corpus, part, smaller;
    write_documents(&it);
    read_corpus(2, true, NULL, arena, &corpus);
    enum { ASKED = 500 };
    uint32_t asked[ASKED], chosen[ASKED], third[ASKED];
    fp_string texts[ASKED];
    for (size_t i = 0; i < ASKED; i++) asked[i] = (uint32_t)(fp_mix(5, i / 2) % it.count); /* each twice */
    ASSERT_GOOD(fp_corpus_fetch(&corpus, asked, ASKED, arena, texts, &test_error));
    for (size_t i = 0; i < ASKED; i++) assert_text(texts[i], it.documents[asked[i]].text);

    expected *of_part = calloc(ASKED, sizeof *of_part), *of_smaller = calloc(ASKED, sizeof *of_smaller);
    size_t thirds = 0;
    for (uint32_t i = 0; i < ASKED; i++) {
        chosen[i] = (uint32_t)(it.count - 2 * ASKED + 2 * i + 1); /* the last is among them */
        of_part[i] = it.documents[chosen[i]];
        if (i % 3) continue;
        of_smaller[thirds] = of_part[i];
        third[thirds++] = i;
    }
    ASSERT_GOOD(fp_corpus_part(&corpus, chosen, ASKED, arena, &part, &test_error));
    check_passes(&part, of_part, ASKED, arena);
    ASSERT_GOOD(fp_corpus_part(&part, third, thirds, arena, &smaller, &test_error));
    check_passes(&smaller, of_smaller, thirds, arena);
    const fp_corpus_field *colour = fp_corpus_field_find(&smaller, "colour");
    for (size_t i = 0; i < thirds; i++) {
        assert_text(colour->values[colour->of[i]], fp_string_of(of_smaller[i].colour));
        assert_int_equal(smaller.group[i], corpus.group[chosen[third[i]]]);
    }
    free(of_part);
    free(of_smaller);
    unlink(file_called("docs.jsonl"));
    fp_arena_free(arena);
    let_go(&it);
}

static void *write_pipe(void *argument) {
    write_documents(argument);
    return NULL;
}

/* What cannot be read twice keeps its texts. */
static void a_pipe_is_read_once(void **state) {
    (void)state;
    made it = make(2000, 5, false);
    fp_arena *arena = fp_arena_new();
    fp_corpus corpus;
    pthread_t writer;
    assert_int_equal(mkfifo(file_called("docs.jsonl"), 0600), 0);
    assert_int_equal(pthread_create(&writer, NULL, write_pipe, &it), 0);
    read_corpus(2, false, NULL, arena, &corpus);
    pthread_join(writer, NULL);
    unlink(file_called("docs.jsonl"));
    assert_non_null(corpus.texts);
    check_corpus(&corpus, &it);
    check_passes(&corpus, it.documents, it.count, arena);
    fp_arena_free(arena);
    let_go(&it);
}

static void expect_change(const fp_corpus *corpus, fp_text_source *source) {
    fp_text_batch batch = {.count = 1};
    fp_status status = FP_OK;
    fp_error error = {0};
    while (status == FP_OK && batch.count) status = source->next(source->context, &batch, &error);
    assert_int_equal(status, FP_ERROR_IO);
    assert_string_equal(error.file, corpus->file.path);
    assert_string_equal(error.message, "the file has changed since the corpus was read");
}

/* A file that is another at the second pass, whatever has changed in it, is found out at its end at the latest. */
static void a_changed_file_is_refused(void **state) {
    (void)state;
    made it = make(2000, 9, false);
    fp_arena *arena = fp_arena_new();
    fp_corpus corpus;
    fp_text_source source;
    write_documents(&it);
    read_corpus(2, false, NULL, arena, &corpus);
    ASSERT_GOOD(fp_corpus_source(&corpus, arena, &source, &test_error));
    check_pass(&source, it.documents, it.count);

    size_t digit = 0; /* in a value of "colour", which no pass looks at */
    for (size_t i = it.length; i-- > 0 && !digit;)
        if (memcmp(it.content + i, "\"colour\":", 9) == 0) digit = i + 9;
    char was = it.content[digit];
    it.content[digit] = was == '9' ? '8' : '9';
    write_documents(&it);
    ASSERT_GOOD(source.rewind(source.context, &test_error));
    expect_change(&corpus, &source);
    it.content[digit] = was;

    write_documents(&it);
    ASSERT_GOOD(source.rewind(source.context, &test_error));
    check_pass(&source, it.documents, it.count); /* as it was */

    memcpy(strstr(it.content + it.length / 2, "\"id\":\"") + 6, "X", 1);
    write_documents(&it);
    ASSERT_GOOD(source.rewind(source.context, &test_error));
    expect_change(&corpus, &source);

    write_bytes("docs.jsonl", it.content, it.length / 3);
    ASSERT_GOOD(source.rewind(source.context, &test_error));
    expect_change(&corpus, &source);
    fp_text_source_close(&source);

    unlink(file_called("docs.jsonl"));
    fp_string text;
    fp_error error;
    assert_int_equal(fp_corpus_fetch(&corpus, (uint32_t[]){1}, 1, arena, &text, &error), FP_ERROR_IO);
    fp_arena_free(arena);
    let_go(&it);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(packed_or_not_and_any_threads), cmocka_unit_test(bad_rows_are_those_that_were_made),
        cmocka_unit_test(the_first_error_is_told),       cmocka_unit_test(parts_and_texts_on_demand),
        cmocka_unit_test(a_pipe_is_read_once),           cmocka_unit_test(a_changed_file_is_refused),
    };
    if (!mkdtemp(directory)) return 1;
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    rmdir(directory);
    return failed;
}
