/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * bench_segment [FILE…]: megabytes of UTF-8 per second and thread, of the jieba segmenter (with and without the
 * hidden Markov model) and of ICU's word iterator, on the same documents in the same run. Without files it reads what
 * is installed of Debian's Chinese documentation (manpages-zh, fortunes-zh, debian-reference-zh-cn,
 * libreoffice-help-zh-cn), of which it keeps the lines that hold Han characters, without HTML tags. Each figure is
 * the best of several rounds, which take turns. Exit status 1 when nothing could be read. */
#include <glob.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "text/segmentation/segment.h"
#include "text/unicode/utf8.h"

enum { MOST_DOCUMENTS = 20000, ROUNDS = 5 };

typedef struct corpus {
    fp_string document[MOST_DOCUMENTS];
    size_t count, bytes, characters, han;
} corpus;

typedef struct contest {
    const char *name;
    const fp_segmenter *segmenter;
    fp_segment_options options;
    const void *state;
    size_t tokens;
    double best; /* seconds */
} contest;

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static size_t count_han(fp_string line) {
    size_t count = 0;
    for (size_t at = 0; at < line.length;) {
        uint32_t code;
        at += fp_utf8_decode(line.data + at, &code);
        count += code >= 0x4e00 && code <= 0x9fff;
    }
    return count;
}

/* Drops <…> in place. */
static fp_string without_tags(char *data, size_t length) {
    size_t kept = 0;
    bool inside = false;
    for (size_t i = 0; i < length; i++) {
        if (data[i] == '<') inside = true;
        else if (data[i] == '>' && inside) inside = false;
        else if (!inside) data[kept++] = data[i];
    }
    return (fp_string){data, kept};
}

static void add_document(corpus *all, const char *path, bool web, fp_arena *arena) {
    fp_string content, line;
    if (all->count == MOST_DOCUMENTS || fp_read_file(path, arena, &content, NULL) != FP_OK) return;
    char *text = fp_arena_raw(arena, content.length + 1, 1);
    if (!text || fp_utf8_check(content) < content.length) return;
    if (web) {
        char *copy = fp_string_copy(arena, content);
        if (!copy) return;
        content = without_tags(copy, content.length);
    }
    size_t used = 0;
    while (fp_next_line(&content, &line)) {
        size_t han = count_han(line);
        if (han == 0) continue;
        memcpy(text + used, line.data, line.length);
        text[used + line.length] = '\n';
        used += line.length + 1;
        all->han += han;
    }
    if (used == 0) return;
    all->document[all->count++] = (fp_string){text, used};
    all->bytes += used;
    all->characters += fp_utf8_count((fp_string){text, used});
}

static void add_debian(corpus *all, fp_arena *arena) {
    static const struct {
        const char *pattern;
        bool web;
    } sources[] = {{"/usr/share/man/zh_CN/man*/*.gz", false},
                   {"/usr/share/man/zh_TW/man*/*.gz", false},
                   {"/usr/share/games/fortunes/*.u8", false},
                   {"/usr/share/debian-reference/*.zh-cn.html", true},
                   {"/usr/share/libreoffice/help/zh-CN/text/*/*.html", true},
                   {"/usr/share/libreoffice/help/zh-CN/text/*/*/*.html", true}};
    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++) {
        glob_t found;
        if (glob(sources[i].pattern, 0, NULL, &found) == 0)
            for (size_t f = 0; f < found.gl_pathc; f++) add_document(all, found.gl_pathv[f], sources[i].web, arena);
        globfree(&found);
    }
}

static fp_status run(contest *it, const corpus *all, fp_arena *scratch, fp_error *error) {
    double start = now();
    it->tokens = 0;
    for (size_t i = 0; i < all->count; i++) {
        fp_tokens tokens;
        FP_TRY(it->segmenter->cut(it->state, all->document[i], scratch, &tokens, error));
        it->tokens += tokens.count;
        fp_arena_reset(scratch);
    }
    double seconds = now() - start;
    if (it->best == 0 || seconds < it->best) it->best = seconds;
    return FP_OK;
}

static fp_status bench(const corpus *all, fp_arena *arena, fp_arena *scratch, fp_error *error) {
    contest contests[] = {
        {.name = "jieba", .segmenter = fp_segmenter_at(0), .options = {.hmm = true, .userdict = "none"}},
        {.name = "jieba, hmm=off", .segmenter = fp_segmenter_at(0), .options = {.userdict = "none"}},
        {.name = "jieba, as fplab uses it",
         .segmenter = fp_segmenter_at(0),
         .options = {.hmm = true, .join_numbers = true, .userdict = "shipped"}},
        {.name = "jieba, search",
         .segmenter = fp_segmenter_at(0),
         .options = {.hmm = true, .search = true, .userdict = "none"}},
        {.name = "icu", .segmenter = fp_segmenter_at(1), .options = {.userdict = "none"}},
    };
    size_t count = sizeof contests / sizeof *contests;
    for (size_t i = 0; i < count; i++) {
        double start = now();
        FP_TRY(contests[i].segmenter->open(&contests[i].options, arena, &contests[i].state, error));
        printf("open %-24s %9.3f ms\n", contests[i].name, (now() - start) * 1e3);
    }
    for (size_t round = 0; round < ROUNDS; round++)
        for (size_t i = 0; i < count; i++) FP_TRY(run(contests + i, all, scratch, error));
    printf("%-29s %10s %12s %8s\n", "segmenter", "MB/s", "tokens", "to icu");
    for (size_t i = 0; i < count; i++)
        printf("%-29s %10.1f %12zu %8.2f\n", contests[i].name, (double)all->bytes / contests[i].best / 1e6,
               contests[i].tokens, contests[count - 1].best / contests[i].best);
    return FP_OK;
}

int main(int count, char **files) {
    fp_arena *arena = fp_arena_new(), *scratch = fp_arena_new();
    fp_error error = {.code = FP_OK};
    corpus *all = arena ? fp_arena_alloc(arena, 1, sizeof *all) : NULL;
    if (!all || !scratch) return 1;
    for (int i = 1; i < count; i++) add_document(all, files[i], false, arena);
    if (count == 1) add_debian(all, arena);
    if (all->bytes == 0) {
        fputs("bench_segment: no Chinese text to cut\n", stderr);
        return 1;
    }
    printf("%zu documents, %.1f MB, %.0f%% of the characters Han\n", all->count, (double)all->bytes / 1e6,
           100.0 * (double)all->han / (double)all->characters);
    fp_status status = bench(all, arena, scratch, &error);
    if (status != FP_OK) fprintf(stderr, "bench_segment: %s\n", error.message);
    fp_arena_free(scratch);
    fp_arena_free(arena);
    return status == FP_OK ? 0 : 1;
}
