/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * compile_alike OUTPUT SHAPES RIME JIEBA - characters that sound or look alike (text/unicode/alike.h states the rules):
 * SHAPES holds lines of Unihan, RIME is pinyin_simp.dict.yaml, JIEBA dict.txt.
 */
#include "text/tables/compile.h"
#include "text/unicode/han.h"
#include "text/unicode/alike.h"
#include "text/unicode/alike_table.h"

/* Below this weight Rime's rows are mostly mistakes (compile_pinyin.c); a character below this frequency is not a
 * candidate. */
enum { HEAVY = 20, FREQUENT = 100, MOST_ROWS = 1 << 15, LAST_OF_LEVEL_1 = 0xc67e };

typedef struct shape {
    char cangjie[8], corners[8];
    uint32_t spoofs;
    uint8_t strokes, script;
} shape;

typedef struct row { /* of RIME: one character with one reading */
    uint32_t code, weight;
    char letters[8];
} row;

static fp_alike_table table;
static shape shapes[CODES];
static uint64_t frequency[CODES];
static row rows[MOST_ROWS];
static size_t row_count, reading_count, look_count;

/* ---- Sources ---- */

static void copy_code(char *to, const char *from) {
    size_t length = strcspn(from, " .*");
    if (length > 7) length = 7;
    memcpy(to, from, length);
    to[length] = '\0';
}

static void read_shapes(const char *file) {
    reader from = open_reader(file, NULL);
    while (next_line(&from)) {
        char *field[3];
        if (from.text[0] != 'U' || cut_fields(from.text, field, 3) != 3) die(file, from.line, "not three fields");
        unsigned long code = strtoul(field[0] + 2, NULL, 16);
        if (code >= CODES) die(file, from.line, "no code point");
        shape *it = &shapes[code];
        if (strcmp(field[1], "kCangjie") == 0) copy_code(it->cangjie, field[2]);
        else if (strcmp(field[1], "kFourCornerCode") == 0) copy_code(it->corners, field[2]);
        else if (strcmp(field[1], "kTotalStrokes") == 0) it->strokes = (uint8_t)strtoul(field[2], NULL, 10);
        else if (strcmp(field[1], "kTGH") == 0) it->script |= FP_SCRIPT_SIMPLIFIED;
        else if (strcmp(field[1], "kBigFive") == 0 && strtoul(field[2], NULL, 16) <= LAST_OF_LEVEL_1)
            it->script |= FP_SCRIPT_TRADITIONAL;
        else if (strcmp(field[1], "kSpoofingVariant") == 0) it->spoofs = (uint32_t)strtoul(field[2] + 2, NULL, 16);
    }
}

static void read_rime(const char *file) {
    reader from = open_reader(file, "rime-data-pinyin-simp");
    while (next_row(&from)) {
        char *field[3];
        if (cut_fields(from.text, field, 3) != 3 || !*field[0]) continue;
        uint32_t code;
        size_t size = fp_utf8_decode(field[0], &code), length = strlen(field[1]);
        if (code < 0x3400 || field[0][size]) continue; /* a phrase */
        if (length >= sizeof rows->letters) die(file, from.line, "'%s' is no syllable", field[1]);
        if (row_count == MOST_ROWS) die(file, from.line, "more than %d characters", MOST_ROWS);
        rows[row_count] = (row){.code = code, .weight = (uint32_t)strtoul(field[2], NULL, 10)};
        memcpy(rows[row_count++].letters, field[1], length);
    }
    if (!row_count) die(file, 0, "holds no characters");
}

static void read_jieba(const char *file) {
    reader from = open_reader(file, "python3-jieba");
    while (next_line(&from)) {
        uint64_t times = (uint64_t)cut_frequency(&from);
        for (const char *at = from.text; *at;) frequency[fp_han_fold_code(next_code(&at))] += times;
    }
}

/* ---- Characters ---- */

static void fill_characters(const char *name) {
    for (uint32_t code = 0x3400; code < CODES; code++) {
        uint64_t written = frequency[fp_han_fold_code(code)];
        if (!shapes[code].script) continue;
        if (table.count == FP_ALIKE_CHARACTERS) die(name, 0, "more than %d characters", FP_ALIKE_CHARACTERS);
        table.character[table.count++] = (fp_alike_character){
            .code = code,
            .script = shapes[code].script,
            .frequency = written < FREQUENT     ? 0
                         : written > UINT32_MAX ? UINT32_MAX
                                                : (uint32_t)written,
        };
    }
}

static void sum_frequencies(const char *name) {
    for (unsigned script = 1; script <= 2; script++) {
        uint32_t *before = table.before[script - 1];
        uint64_t sum = 0;
        for (uint32_t i = 0; i < table.count; i++) {
            before[i] = (uint32_t)sum;
            if (table.character[i].script & script) sum += table.character[i].frequency;
        }
        if (sum > UINT32_MAX) die(name, 0, "frequencies add up to more than %u", UINT32_MAX);
        before[table.count] = (uint32_t)sum;
    }
}

/* ---- Sound ---- */

FP_COMPARES(by_character, row,
            FP_ORDER(a->code, b->code) ?: FP_ORDER(b->weight, a->weight) ?: strcmp(a->letters, b->letters));

static size_t syllable_of(const char *name, const char *letters) {
    size_t i = 0;
    while (i < FP_ALIKE_SYLLABLES && *table.syllable[i].letters && strcmp(table.syllable[i].letters, letters) != 0) i++;
    if (i == FP_ALIKE_SYLLABLES) die(name, 0, "more than %d syllables", FP_ALIKE_SYLLABLES);
    memcpy(table.syllable[i].letters, letters, sizeof table.syllable[i].letters);
    return i;
}

/* Readings with enough weight, or the heaviest if there is none. */
static void fill_readings(const char *name) {
    qsort(rows, row_count, sizeof *rows, by_character);
    for (size_t c = 0; c < table.count; c++) {
        fp_alike_character *to = &table.character[c];
        uint32_t code = fp_han_fold_code(to->code);
        size_t low = 0;
        while (low < row_count && rows[low].code < code) low++;
        to->reading = (uint16_t)reading_count;
        for (size_t i = low; i < row_count && rows[i].code == code; i++) {
            if (i > low && (rows[i].weight < HEAVY || strcmp(rows[i].letters, rows[i - 1].letters) == 0)) continue;
            if (reading_count == FP_ALIKE_READINGS) die(name, 0, "more than %d readings", FP_ALIKE_READINGS);
            table.reading[reading_count++] =
                (fp_alike_reading){rows[i].weight, (uint16_t)syllable_of(name, rows[i].letters)};
            to->reading_count++;
        }
    }
}

FP_COMPARES(by_weight, fp_alike_member, FP_ORDER(b->weight, a->weight) ?: FP_ORDER(a->character, b->character));

static void fill_members(void) {
    size_t used = 0;
    for (size_t s = 0; s < FP_ALIKE_SYLLABLES && *table.syllable[s].letters; s++) {
        fp_alike_syllable *to = &table.syllable[s];
        to->first = (uint16_t)used;
        for (size_t c = 0; c < table.count; c++) {
            const fp_alike_character *it = &table.character[c];
            for (size_t i = it->reading; i < (size_t)it->reading + it->reading_count; i++)
                if (table.reading[i].syllable == s && table.reading[i].weight >= HEAVY)
                    table.member[used++] = (fp_alike_member){table.reading[i].weight, (uint16_t)c};
        }
        to->count = (uint16_t)(used - to->first);
        qsort(&table.member[to->first], to->count, sizeof *table.member, by_weight);
    }
}

/* ---- Look ---- */

/* Whether the codes are equal, or differ by one changed, deleted or swapped letter. */
static bool one_apart(const char *a, const char *b) {
    size_t m = strlen(a), n = strlen(b), head = 0, tail = 0;
    if (m > n) return one_apart(b, a);
    while (head < m && a[head] == b[head]) head++;
    while (tail < m - head && a[m - 1 - tail] == b[n - 1 - tail]) tail++;
    if (m != n) return n - m == 1 && head + tail >= m;
    size_t left = m - head - tail;
    return left <= 1 || (left == 2 && a[head] == b[head + 1] && a[head + 1] == b[head]);
}

static bool look_alike(uint32_t a, uint32_t b) {
    const shape *one = &shapes[a], *other = &shapes[b];
    if (one->spoofs == b || other->spoofs == a) return true;
    if (!*one->cangjie || !*other->cangjie || !*one->corners || !*other->corners) return false;
    size_t m = strlen(one->cangjie), n = strlen(other->cangjie), shorter = m < n ? m : n, same = 0;
    int strokes = abs(one->strokes - other->strokes);
    if (strokes > 2 || (shorter < 3 && strokes > 1) || !one_apart(one->cangjie, other->cangjie)) return false;
    for (size_t i = 0; i < 4; i++) same += one->corners[i] == other->corners[i];
    return same >= (shorter < 3 ? 4 : 3);
}

static void fill_looks(const char *name) {
    for (size_t c = 0; c < table.count; c++) {
        fp_alike_character *to = &table.character[c];
        to->look = (uint16_t)look_count;
        for (size_t d = 0; d < table.count; d++) {
            if (d == c || !table.character[d].frequency || !look_alike(to->code, table.character[d].code)) continue;
            if (look_count == FP_ALIKE_LOOKS || to->look_count == UINT8_MAX) die(name, 0, "too many look alike");
            table.look[look_count++] = (fp_alike_member){table.character[d].frequency, (uint16_t)d};
            to->look_count++;
        }
    }
}

int main(int count, char **argument) {
    if (count != 5) die(argument[0], 0, "usage: compile_alike OUTPUT SHAPES RIME JIEBA");
    read_shapes(argument[2]);
    read_rime(argument[3]);
    read_jieba(argument[4]);
    fill_characters(argument[2]);
    sum_frequencies(argument[4]);
    fill_readings(argument[3]);
    fill_members();
    fill_looks(argument[2]);
    write_table(argument[1], &table, sizeof table);
    return 0;
}
