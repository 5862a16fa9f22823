/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * bench_normalise [FILE…]: megabytes of UTF-8 per second on one thread, of the check of UTF-8, of normalisation without
 * and with Han folding, of ICU's NFKC_Casefold over the same text (with the conversions to and from UTF-16 that it
 * needs), and of pinyin initials over jieba's words. Without files it takes what is installed of Debian's fortunes-zh
 * and manpages-zh (simplified and traditional). Each text is measured as it is and in normal form. Figures are the best
 * of several rounds, which take turns. Exit status 1 when nothing could be read. */
#include <glob.h>
#include <string.h>
#include <time.h>
#include <unicode/unorm2.h>
#include <unicode/ustring.h>

#include "text/unicode/normalise.h"
#include "text/segmentation/pinyin.h"
#include "text/unicode/utf8.h"

enum { MOST_DOCUMENTS = 4000, ROUNDS = 15 };

typedef struct corpus {
    const char *name;
    fp_string *document; /* [MOST_DOCUMENTS] */
    size_t count, bytes;
} corpus;

/* Processor time, so that other programs disturb less. */
static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static bool holds_chinese(fp_string text) {
    for (size_t at = 0; at < text.length;) {
        uint32_t code;
        at += fp_utf8_decode(text.data + at, &code);
        if (code >= 0x4e00 && code <= 0x9fff) return true;
    }
    return false;
}

static void add_document(corpus *to, fp_string text) {
    if (to->count == MOST_DOCUMENTS || !text.length) return;
    to->document[to->count++] = text;
    to->bytes += text.length;
}

/* The lines of a file that hold Chinese. */
static void add_file(corpus *to, const char *path, fp_arena *arena) {
    fp_string content, line;
    if (fp_read_file(path, arena, &content, NULL) != FP_OK || fp_utf8_check(content) < content.length) return;
    char *kept = fp_arena_raw(arena, content.length + 1, 1);
    size_t used = 0;
    while (kept && fp_next_line(&content, &line)) {
        if (!holds_chinese(line)) continue;
        memcpy(kept + used, line.data, line.length);
        used += line.length;
        kept[used++] = '\n';
    }
    add_document(to, (fp_string){kept, used});
}

static corpus read_pattern(const char *name, const char *pattern, fp_arena *arena) {
    corpus made = {.name = name, .document = fp_arena_alloc(arena, MOST_DOCUMENTS, sizeof(fp_string))};
    glob_t found;
    if (made.document && glob(pattern, 0, NULL, &found) == 0) {
        for (size_t i = 0; i < found.gl_pathc; i++) add_file(&made, found.gl_pathv[i], arena);
        globfree(&found);
    }
    return made;
}

static corpus in_normal_form(const corpus *from, fp_han han, const char *name, fp_arena *arena) {
    corpus made = {.name = name, .document = fp_arena_alloc(arena, MOST_DOCUMENTS, sizeof(fp_string))};
    for (size_t i = 0; made.document && i < from->count; i++) {
        fp_string text;
        if (fp_normalise(from->document[i], han, arena, &text, NULL) == FP_OK) add_document(&made, text);
    }
    return made;
}

/* ---- What is measured ---- */

typedef struct bench {
    fp_arena *scratch;
    const fp_segmenter *segmenter;
    const void *state;
    double initials; /* seconds of a round */
    size_t sum;      /* of lengths, so that nothing is left out */
} bench;

static void check(bench *b, fp_string text) { b->sum += fp_utf8_check(text); }

static void normalise_keep(bench *b, fp_string text) {
    fp_string normal;
    if (fp_normalise(text, FP_HAN_KEEP, b->scratch, &normal, NULL) == FP_OK) b->sum += normal.length;
}

static void normalise_fold(bench *b, fp_string text) {
    fp_string normal;
    if (fp_normalise(text, FP_HAN_SIMPLIFIED, b->scratch, &normal, NULL) == FP_OK) b->sum += normal.length;
}

static void plain_icu(bench *b, fp_string text) {
    UErrorCode status = U_ZERO_ERROR;
    int32_t room = (int32_t)text.length * 2 + 64, length;
    UChar *units = fp_arena_raw(b->scratch, (size_t)room, sizeof *units),
          *normal = fp_arena_raw(b->scratch, (size_t)room, sizeof *normal);
    char *bytes = fp_arena_raw(b->scratch, (size_t)room * 2, 1);
    if (!units || !normal || !bytes) return;
    u_strFromUTF8(units, room, &length, text.data, (int32_t)text.length, &status);
    length = unorm2_normalize(unorm2_getNFKCCasefoldInstance(&status), units, length, normal, room, &status);
    u_strToUTF8(bytes, room * 2, &length, normal, length, &status);
    b->sum += (size_t)length;
}

static double time_of(bench *b, const corpus *over, void (*measured)(bench *, fp_string)) {
    double start = now();
    for (size_t i = 0; i < over->count; i++) {
        measured(b, over->document[i]);
        fp_arena_reset(b->scratch);
    }
    return now() - start;
}

/* Without the time of the segmenter. */
static double time_of_initials(bench *b, const corpus *over) {
    double spent = 0;
    for (size_t i = 0; i < over->count; i++) {
        fp_tokens tokens;
        fp_string initials;
        if (b->segmenter->cut(b->state, over->document[i], b->scratch, &tokens, NULL) == FP_OK) {
            double start = now();
            if (fp_pinyin_initials(over->document[i], tokens, b->scratch, &initials, NULL) == FP_OK)
                b->sum += initials.length;
            spent += now() - start;
        }
        fp_arena_reset(b->scratch);
    }
    return spent;
}

static void measure(bench *b, const corpus *over) {
    enum { CHECK, KEEP, FOLD, ICU, INITIALS, COUNT };
    double best[COUNT];
    if (!over->bytes) return;
    for (int i = 0; i < COUNT; i++) best[i] = 1e9;
    for (int round = 0; round < ROUNDS; round++) {
        double spent[COUNT] = {time_of(b, over, check), time_of(b, over, normalise_keep),
                               time_of(b, over, normalise_fold), time_of(b, over, plain_icu),
                               round < 2 ? time_of_initials(b, over) : 1e9};
        for (int i = 0; i < COUNT; i++) {
            if (spent[i] < best[i]) best[i] = spent[i];
        }
    }
    double size = (double)over->bytes / 1e6;
    printf("%-34s %6.1f %7.0f %7.0f %7.0f %7.0f %7.0f %6.1f\n", over->name, size, size / best[CHECK], size / best[KEEP],
           size / best[FOLD], size / best[ICU], size / best[INITIALS], best[ICU] / best[KEEP]);
}

int main(int count, char **argument) {
    fp_arena *arena = fp_arena_new(), *kept = fp_arena_new();
    bench b = {.scratch = fp_arena_new(), .segmenter = fp_segmenter_at(0)};
    fp_segment_options options = {.hmm = true, .userdict = "none"};
    if (!arena || !kept || !b.scratch || b.segmenter->open(&options, kept, &b.state, NULL) != FP_OK) return 1;
    static const char *const INSTALLED[][2] = {{"fortunes-zh", "/usr/share/games/fortunes/*.u8"},
                                               {"manpages-zh, simplified", "/usr/share/man/zh_CN/man*/*.gz"},
                                               {"manpages-zh, traditional", "/usr/share/man/zh_TW/man*/*.gz"}};
    size_t texts = count > 1 ? (size_t)count - 1 : sizeof INSTALLED / sizeof *INSTALLED, bytes = 0;
    printf("%-34s %6s %7s %7s %7s %7s %7s %6s\n", "text", "MB", "check", "normal", "+ fold", "ICU", "pinyin", "ratio");
    for (size_t i = 0; i < texts; i++) {
        const char *name = count > 1 ? argument[i + 1] : INSTALLED[i][0];
        corpus raw = read_pattern(name, count > 1 ? argument[i + 1] : INSTALLED[i][1], kept);
        corpus normal = in_normal_form(&raw, FP_HAN_KEEP, "  in normal form", kept);
        corpus folded = in_normal_form(&raw, FP_HAN_SIMPLIFIED, "  in normal form and folded", kept);
        measure(&b, &raw);
        measure(&b, &normal);
        measure(&b, &folded);
        bytes += raw.bytes;
    }
    puts("MB/s of processor time; ratio: normal against ICU");
    if (!bytes) puts("nothing to read: name files, or install fortunes-zh or manpages-zh");
    return bytes && b.sum ? 0 : 1;
}
