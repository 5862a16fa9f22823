/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * bench_readers [FILE…]: megabytes per second of one thread's processor time that texts are read at, by form, as the
 * entries of a command, and beside it what Python reads the same files at (readers_peers.py: json, csv, BeautifulSoup
 * with lxml where it is installed, lxml alone, readability). Without files it makes some, 40 MB each, of the texts that
 * ship; pages are those of Debian's Chinese documentation, where it is installed, else made. Each figure is the best of
 * three rounds. `memchr` is the least that a reader of lines can do: finding their ends. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "corpora/corpus.h"
#include "corpora/readers/entries.h"

enum { ROUNDS = 3, MEGABYTES = 40 };

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void must(fp_status status, const fp_error *error) {
    if (status == FP_OK) return;
    fprintf(stderr, "bench_readers: %s: %s\n", error->file, error->message);
    exit(1);
}

/* ---- Files ---- */

static const char *escaped(fp_string text, bool csv, char *to) {
    char *at = to;
    for (size_t i = 0; i < text.length; i++) {
        char byte = text.data[i];
        if (csv && byte == '"') *at++ = '"';
        if (!csv && (byte == '"' || byte == '\\')) *at++ = '\\';
        if (!csv && byte == '\n') *at++ = '\\', byte = 'n';
        *at++ = byte;
    }
    *at = '\0';
    return to;
}

static void put(FILE *to, const char *form, size_t serial, fp_string text) {
    static char room[1 << 20];
    if (2 * text.length + 1 > sizeof room) return;
    if (strcmp(form, "lines") == 0) {
        fprintf(to, "%s\n", escaped(text, false, room));
    } else if (strcmp(form, "csv") == 0) {
        fprintf(to, "%zu,\"%s\"\n", serial, escaped(text, true, room));
    } else {
        fprintf(to, "{\"id\": \"d%zu\", \"text\": \"%s\", \"group\": \"g%zu\", \"n\": %zu}\n", serial,
                escaped(text, false, room), serial / 3, serial);
    }
}

static void make_file(const char *path, const char *form, const fp_string *texts, size_t count) {
    FILE *to = fopen(path, "w");
    if (!to) exit(1);
    if (strcmp(form, "csv") == 0) fputs("id,text\n", to);
    for (size_t i = 0; ftell(to) < (long)MEGABYTES * 1000000; i++) put(to, form, i, texts[i * 7919 % count]);
    if (fclose(to) != 0) exit(1);
}

/* ---- Reading ---- */

/* Bytes of the files of a list. */
static double megabytes_of(const char *path) {
    char command[4200];
    double bytes = 0;
    snprintf(command, sizeof command, "du -Lsb --apparent-size '%s' 2>/dev/null", path);
    FILE *from = popen(command, "r");
    if (from && fscanf(from, "%lf", &bytes) != 1) bytes = 0;
    if (from) pclose(from);
    return bytes / 1e6;
}

static size_t read_all(const char *path) {
    fp_arena *arena = fp_arena_new();
    const fp_progress progress = {.threads = 1};
    const fp_entries_options options = {.skip_bad = true, .progress = &progress};
    fp_entries *entries;
    fp_text_batch batch = {.count = 1};
    fp_error error = {0};
    size_t characters = 0;
    must(fp_entries_open(&path, 1, &options, arena, &entries, &error), &error);
    fp_text_source source = fp_entries_source(entries);
    while (batch.count) {
        must(source.next(source.context, &batch, &error), &error);
        for (size_t i = 0; i < batch.count; i++) characters += fp_entries_at(entries, batch.first + i)->characters;
    }
    fp_entries_close(entries);
    fp_arena_free(arena);
    return characters;
}

static void measure(const char *path, const char *peers) {
    double best = 1e9;
    size_t characters = 0;
    for (int round = 0; round < ROUNDS; round++) {
        double start = now();
        characters = read_all(path);
        if (now() - start < best) best = now() - start;
    }
    const char *slash = strrchr(path, '/');
    printf("%-12s %8.0f MB/s   %zu characters\n", slash ? slash + 1 : path, megabytes_of(path) / best, characters);
    fflush(stdout);
    char command[4200];
    snprintf(command, sizeof command, "/usr/bin/python3 '%s' '%s'", peers, path);
    if (system(command) != 0) puts("  (nothing of Python's)");
}

/* What a reader of lines cannot do without. */
static void measure_limit(const char *path) {
    fp_arena *arena = fp_arena_new();
    fp_string content;
    fp_error error = {0};
    double best = 1e9;
    size_t lines = 0;
    must(fp_read_file(path, arena, &content, &error), &error);
    for (int round = 0; round < ROUNDS; round++) {
        double start = now();
        lines = 0;
        const char *end = content.data + content.length;
        for (const char *at = content.data; (at = memchr(at, '\n', (size_t)(end - at))); at++) lines++;
        if (now() - start < best) best = now() - start;
    }
    printf("memchr       %8.0f MB/s   %zu line ends\n", (double)content.length / 1e6 / best, lines);
    fp_arena_free(arena);
}

int main(int argc, char **argv) {
    const char *peers = "bench/readers_peers.py";
    for (int i = 1; i < argc; i++) measure(argv[i], peers);
    if (argc > 1) return 0;
    char place[] = "/tmp/bench_readers_XXXXXX", path[128], command[128];
    fp_arena *arena = fp_arena_new();
    fp_corpus corpus;
    fp_error error = {0};
    if (!mkdtemp(place)) return 1;
    must(fp_corpus_read("tests/data/newswire-zh", &(fp_corpus_options){0}, arena, &corpus, &error), &error);
    fp_string *texts = fp_arena_raw(arena, corpus.document_count, sizeof *texts);
    if (!texts) return 1;
    must(fp_corpus_fetch(&corpus, NULL, corpus.document_count, arena, texts, &error), &error);
    static const struct {
        const char *form, *name;
    } FORMS[] = {{"lines", "texts"}, {"jsonl", "texts.jsonl"}, {"csv", "texts.csv"}};
    for (size_t f = 0; f < sizeof FORMS / sizeof *FORMS; f++) {
        snprintf(path, sizeof path, "%s/%s", place, FORMS[f].name);
        make_file(path, FORMS[f].form, texts, corpus.document_count);
        if (f == 0) measure_limit(path);
        measure(path, peers);
    }
    static const char *const PAGES[] = {"/usr/share/libreoffice/help/zh-CN/text/shared", "/usr/share/debian-reference"};
    for (size_t i = 0; i < sizeof PAGES / sizeof *PAGES; i++)
        if (access(PAGES[i], R_OK) == 0) measure(PAGES[i], peers);
    snprintf(command, sizeof command, "rm -rf %s", place);
    fp_arena_free(arena);
    return system(command) == 0 ? 0 : 1;
}
