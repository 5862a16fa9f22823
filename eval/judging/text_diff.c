/* SPDX-License-Identifier: GPL-3.0-or-later
 * Differences of two texts. */
#include "eval/judging/text_diff.h"

#include <string.h>

#include "text/unicode/utf8.h"
#include "text/unicode/words.h"

/* ---- Units ---- */

/* A text as units; equal hashes are equal units. */
typedef struct units {
    fp_string text;
    int32_t count;
    uint64_t *hash;
    uint32_t *begin; /* [count + 1] */
    bool *changed;   /* [count] not in the other text */
} units;

enum { LAST_ALPHABET = 0x58f }; /* Latin, Greek, Cyrillic, Armenian: words are separated by spaces */

static bool in_word(uint32_t code) { return code <= LAST_ALPHABET && fp_is_wordy(code); }

/* The end of the unit that begins at `at`. */
static size_t unit_end(fp_string text, size_t at) {
    uint32_t code;
    size_t end = at + fp_utf8_decode(text.data + at, &code);
    if (!in_word(code)) return end;
    while (end < text.length) {
        size_t size = fp_utf8_decode(text.data + end, &code);
        if (!in_word(code)) break;
        end += size;
    }
    return end;
}

static fp_status cut(fp_string text, fp_arena *scratch, units *to, fp_error *error) {
    if (text.length > 1u << 29) return fp_fail(error, FP_ERROR_RANGE, "a text of more than 512 MB");
    *to = (units){.text = text,
                  .hash = FP_NEED(fp_arena_raw(scratch, text.length, sizeof *to->hash), error),
                  .begin = FP_NEED(fp_arena_raw(scratch, text.length + 1, sizeof *to->begin), error),
                  .changed = FP_NEED(fp_arena_alloc(scratch, text.length, sizeof *to->changed), error)};
    for (size_t at = 0; at < text.length;) {
        size_t end = unit_end(text, at);
        to->begin[to->count] = (uint32_t)at;
        to->hash[to->count++] = fp_xxh3(text.data + at, end - at, 0);
        at = end;
    }
    to->begin[to->count] = (uint32_t)text.length;
    return FP_OK;
}

/* ---- The shortest script ---- */

/* Paths over the edit graph: a step right drops a unit of a, a step down adds one of b, a diagonal keeps one. On
 * diagonal k = x − y, ahead[k] is the largest x reached from the beginning of the box, and back[k] the smallest x
 * reached from its end. */
typedef struct search {
    units *a, *b;
    int32_t *ahead, *back; /* point at diagonal 0 */
} search;

typedef struct box {
    int32_t left, top, right, bottom; /* x from left to right, y from top to bottom */
} box;

typedef struct point {
    int32_t x, y;
} point;

enum { NOWHERE = INT32_MIN / 2 };

static int32_t larger(int32_t a, int32_t b) { return a > b ? a : b; }
static int32_t smaller(int32_t a, int32_t b) { return a < b ? a : b; }

static bool equal_at(const search *in, int32_t x, int32_t y) { return in->a->hash[x] == in->b->hash[y]; }

/* One more difference on diagonal k from the beginning, then along the diagonal. */
static void step_ahead(const search *in, box of, int32_t k) {
    int32_t right = in->ahead[k - 1] + 1, down = in->ahead[k + 1];
    int32_t x = larger(right <= of.right ? right : NOWHERE, down - k <= of.bottom ? down : NOWHERE);
    if (x < of.left) x = NOWHERE;
    while (x >= of.left && x < of.right && x - k < of.bottom && equal_at(in, x, x - k)) x++;
    in->ahead[k] = x;
}

static void step_back(const search *in, box of, int32_t k) {
    int32_t left = in->back[k + 1] - 1, up = in->back[k - 1];
    int32_t x = smaller(left >= of.left ? left : -NOWHERE, up - k >= of.top ? up : -NOWHERE);
    if (x > of.right) x = -NOWHERE;
    while (x <= of.right && x > of.left && x - k > of.top && equal_at(in, x - 1, x - k - 1)) x--;
    in->back[k] = x;
}

/* The diagonals that d differences reach from diagonal `from`, every second one. */
typedef struct range {
    int32_t first, last;
} range;

static range reached(box of, int32_t from, int32_t d) {
    int32_t lowest = of.left - of.bottom, highest = of.right - of.top;
    return (range){larger(from - d, lowest + ((from - d - lowest) & 1)), smaller(from + d, highest)};
}

/* Marks the two diagonals beside those reached as empty, if they are close enough to be read. */
static void fence(int32_t *path, box of, int32_t from, int32_t d, int32_t nothing) {
    if (from - d - 1 >= of.left - of.bottom - 1) path[from - d - 1] = nothing;
    if (from + d + 1 <= of.right - of.top + 1) path[from + d + 1] = nothing;
}

/* The farthest point that d differences reach from the beginning. */
static point farthest(const search *in, box of, int32_t from, int32_t d) {
    range over = reached(of, from, d);
    point best = {of.left, of.top};
    for (int32_t k = over.first; k <= over.last; k += 2)
        if (in->ahead[k] != NOWHERE && 2 * in->ahead[k] - k > best.x + best.y)
            best = (point){in->ahead[k], in->ahead[k] - k};
    return best;
}

/* A point on a shortest path, or, past the effort limit, the farthest point reached; never a corner of the box. Both
 * texts have units in the box; their first units differ, and so do their last units. */
static point middle(const search *in, box of) {
    int32_t start = of.left - of.top, end = of.right - of.bottom; /* diagonals of the corners */
    bool odd = (end - start) % 2 != 0;
    in->ahead[start] = of.left;
    in->back[end] = of.right;
    for (int32_t d = 1;; d++) {
        range over = reached(of, start, d);
        fence(in->ahead, of, start, d, NOWHERE);
        for (int32_t k = over.first; k <= over.last; k += 2) {
            step_ahead(in, of, k);
            if (odd && k > end - d && k < end + d && in->ahead[k] >= in->back[k])
                return (point){in->ahead[k], in->ahead[k] - k};
        }
        over = reached(of, end, d);
        fence(in->back, of, end, d, -NOWHERE);
        for (int32_t k = over.first; k <= over.last; k += 2) {
            step_back(in, of, k);
            if (!odd && k >= start - d && k <= start + d && in->ahead[k] >= in->back[k])
                return (point){in->back[k], in->back[k] - k};
        }
        if (d == FP_DIFF_EFFORT) return farthest(in, of, start, d);
    }
}

static void mark(bool *changed, int32_t from, int32_t to) {
    if (from < to) memset(changed + from, true, (size_t)(to - from));
}

static void compare(const search *in, box of) {
    for (;;) {
        while (of.left < of.right && of.top < of.bottom && equal_at(in, of.left, of.top)) of.left++, of.top++;
        while (of.left < of.right && of.top < of.bottom && equal_at(in, of.right - 1, of.bottom - 1))
            of.right--, of.bottom--;
        if (of.left == of.right || of.top == of.bottom) break;
        point at = middle(in, of);
        compare(in, (box){of.left, of.top, at.x, at.y});
        of.left = at.x;
        of.top = at.y;
    }
    mark(in->a->changed, of.left, of.right);
    mark(in->b->changed, of.top, of.bottom);
}

/* ---- Runs ---- */

static fp_string slice(const units *of, int32_t from, int32_t to) {
    return (fp_string){of->text.data + of->begin[from], of->begin[to] - of->begin[from]};
}

static size_t collect(const units *a, const units *b, fp_diff_run *runs) {
    size_t count = 0;
    int32_t x = 0, y = 0;
    while (x < a->count || y < b->count) {
        int32_t from_x = x, from_y = y;
        while (x < a->count && y < b->count && !a->changed[x] && !b->changed[y]) x++, y++;
        bool same = x > from_x;
        if (!same) {
            while (x < a->count && a->changed[x]) x++;
            while (y < b->count && b->changed[y]) y++;
        }
        runs[count++] = (fp_diff_run){same, slice(a, from_x, x), slice(b, from_y, y)};
    }
    return count;
}

static bool has_letter(fp_string text) {
    uint32_t code;
    for (size_t at = 0; at < text.length;) {
        at += fp_utf8_decode(text.data + at, &code);
        if (fp_is_wordy(code)) return true;
    }
    return false;
}

static size_t size_of(const fp_diff_run *run) {
    size_t a = fp_utf8_count(run->a), b = fp_utf8_count(run->b);
    return a > b ? a : b;
}

static bool is_coincidence(const fp_diff_run *before, const fp_diff_run *same, const fp_diff_run *after) {
    if (!has_letter(same->a)) return true;
    size_t size = size_of(same);
    return size <= 2 && size < size_of(before) && size < size_of(after);
}

static void extend(fp_diff_run *run, const fp_diff_run *by) {
    run->a.length += by->a.length;
    run->b.length += by->b.length;
}

/* Consecutive slices are adjacent in memory, so runs are joined by adding their lengths. */
static size_t join_coincidences(fp_diff_run *runs, size_t count) {
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        fp_diff_run *last = kept ? runs + kept - 1 : NULL;
        if (last && !last->same && runs[i].same && i + 1 < count && is_coincidence(last, runs + i, runs + i + 1)) {
            extend(last, runs + i);
            extend(last, runs + ++i);
        } else {
            runs[kept++] = runs[i];
        }
    }
    return kept;
}

fp_status fp_diff_make(fp_string a, fp_string b, fp_arena *arena, fp_diff *diff, fp_error *error) {
    FP_SCRATCH(scratch, arena, error);
    units left, right;
    FP_TRY(cut(a, scratch, &left, error));
    FP_TRY(cut(b, scratch, &right, error));
    size_t diagonals = (size_t)left.count + (size_t)right.count + 3;
    int32_t *room = FP_NEED(fp_arena_raw(scratch, diagonals, 2 * sizeof *room), error);
    fp_diff_run *runs = FP_NEED(fp_arena_raw(arena, (size_t)left.count + (size_t)right.count, sizeof *runs), error);
    search in = {&left, &right, room + right.count + 1, room + diagonals + right.count + 1};
    compare(&in, (box){0, 0, left.count, right.count});
    diff->runs = runs;
    diff->count = join_coincidences(runs, collect(&left, &right, runs));
    return FP_OK;
}
