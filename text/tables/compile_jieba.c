/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * compile_jieba DIRECTORY MODEL OUTPUT - jieba's dictionary, hidden Markov model and IDF list as one table
 * (text/segmentation/jieba_table.h). DIRECTORY is where the Debian package python3-jieba installs them; MODEL has the
 * rows of jieba_model.py.
 */
#include <math.h>

#include "text/segmentation/jieba_table.h"
#include "text/tables/compile.h"

/* ---- The double array. Families (the children of one node) are placed individually, large ones first, each at the
 * smallest base at which all its places are free and which no other family has; small families then fill the gaps of
 * the large ones ---- */

/* One edge of the trie; after sorting, the children of a node are adjacent. */
typedef struct edge {
    uint32_t parent, character, child;
} edge;

typedef struct family {
    uint32_t parent;
    uint32_t first, count; /* edges */
} family;

/* Units; jieba's words take 1.2 million. */
enum { ROOM = 1 << 24, MOST_CHARACTERS = 1 << 16 };

static uint64_t taken[ROOM / 64 + 1]; /* one bit per unit */
static uint64_t based[ROOM / 64 + 1]; /* one bit per base in use */
static size_t lowest;                 /* no unit below it is free */

static void set_bit(uint64_t *bits, size_t at) { bits[at / 64] |= (uint64_t)1 << at % 64; }

static bool get_bit(const uint64_t *bits, size_t at) { return bits[at / 64] >> at % 64 & 1; }

/* The 64 bits from `at` on. */
static uint64_t window(const uint64_t *bits, size_t at) {
    uint64_t low = bits[at / 64] >> at % 64;
    return at % 64 ? low | bits[at / 64 + 1] << (64 - at % 64) : low;
}

FP_COMPARES(by_parent, edge, FP_ORDER(a->parent, b->parent) ?: FP_ORDER(a->character, b->character));

/* Large families first; ties in the order of the words. */
FP_COMPARES(by_size, family, FP_ORDER(b->count, a->count) ?: FP_ORDER(a->parent, b->parent));

static size_t families_of(const edge *edges, size_t edge_count, family *families) {
    size_t count = 0;
    for (size_t i = 0; i < edge_count; i++) {
        if (i == 0 || edges[i].parent != edges[i - 1].parent)
            families[count++] = (family){edges[i].parent, (uint32_t)i, 0};
        families[count - 1].count++;
    }
    return count;
}

/* The smallest base, not below `at`, at which all places of the family are free; tries 64 bases at a time. */
static size_t first_fit(const edge *children, size_t count, size_t at) {
    for (; at + MOST_CHARACTERS + 64 < ROOM; at += 64) {
        uint64_t busy = window(based, at);
        for (size_t i = count; i-- > 0 && ~busy;) busy |= window(taken, at + children[i].character);
        if (~busy) return at + (size_t)__builtin_ctzll(~busy);
    }
    die("compile_jieba", 0, "the words take more than %d units; raise ROOM", ROOM);
}

/* Finds the base of a family and occupies its places. */
static uint32_t place(const edge *children, size_t count) {
    while (get_bit(taken, lowest)) lowest++;
    size_t first = children[0].character;
    size_t from = lowest > first + FP_TRIE_LEAF ? lowest - first : FP_TRIE_LEAF + 1;
    size_t at = first_fit(children, count, from);
    set_bit(based, at);
    for (size_t i = 0; i < count; i++) set_bit(taken, at + children[i].character);
    return (uint32_t)at;
}

/* Children come after their parents, so one pass from the end finds every prefix. */
static void mark_prefixes(const edge *edges, size_t edge_count, uint16_t *value) {
    for (size_t i = edge_count; i-- > 0;)
        if (value[edges[i].child] && !value[edges[i].parent]) value[edges[i].parent] = FP_TRIE_PREFIX;
}

typedef struct trie_layout {
    uint64_t *units; /* [count] */
    size_t count;
} trie_layout;

/* `edges` are those to the nodes 1 … nodes − 1. `value` holds the value of each node: 0, or 2 and above; inner nodes
 * with value 0 and a valued descendant get FP_TRIE_PREFIX. `characters` is the largest character number plus one. The
 * same trie gives the same units. */
static trie_layout lay_out_trie(edge *edges, size_t nodes, uint16_t *value, uint32_t characters) {
    size_t edge_count = nodes - 1, largest = FP_TRIE_LEAF;
    family *families = take_memory(edge_count + 1, sizeof *families);
    uint32_t *bases = take_memory(nodes, sizeof *bases);
    qsort(edges, edge_count, sizeof *edges, by_parent);
    size_t family_count = families_of(edges, edge_count, families);
    mark_prefixes(edges, edge_count, value);
    qsort(families, family_count, sizeof *families, by_size);

    for (size_t i = 0; i < characters; i++) set_bit(taken, i);
    for (size_t i = 0; i < nodes; i++) bases[i] = FP_TRIE_LEAF;
    for (size_t i = 0; i < family_count; i++) {
        if (families[i].parent == 0) continue; /* the root's base is 0 */
        uint32_t base = place(edges + families[i].first, families[i].count);
        bases[families[i].parent] = base;
        if (base > largest) largest = base;
    }
    bases[0] = 0;

    trie_layout made = {.count = largest + characters};
    made.units = take_memory(made.count, sizeof *made.units);
    for (size_t i = 0; i < made.count; i++) made.units[i] = fp_trie_unit(FP_TRIE_EMPTY, 0, FP_TRIE_LEAF);
    for (size_t i = 0; i < edge_count; i++) {
        const edge *it = edges + i;
        made.units[bases[it->parent] + it->character] = fp_trie_unit(it->character, value[it->child], bases[it->child]);
    }
    return made;
}

/* ---- State ---- */

static const char PACKAGE[] = "python3-jieba";

/* A limit; the longest words of the lists have 16 characters. */
enum { LONGEST = 64 };

typedef struct word {
    char *text;
    double number; /* its frequency, an integer under 2³², or its IDF */
} word;

typedef struct list {
    char file[4096];
    word *word;
    size_t count, room;
    size_t characters; /* of all words */
} list;

static list words, idf;
static fp_jieba_table table;
static uint16_t number[FP_JIEBA_CODES]; /* of a character */
static uint32_t number_count;           /* the largest number plus one */
static fp_growing_trie trie;
static edge *edges;       /* [trie.count − 1] to each node but the root */
static double *frequency; /* [trie.count] of each node */
static uint16_t *value;   /* [trie.count] */
static trie_layout laid;
static double *frequencies, *emissions, *idf_values;
static uint16_t *idf_index;

/* ---- Lists ---- */

/* Parses a word and a number; ignores the rest. */
static void read_row(const reader *from, bool whole, list *to) {
    size_t length = strcspn(from->text, " ");
    char *digits = from->text + length + (from->text[length] != '\0');
    fp_string text = {from->text, length};
    if (!length) die(from->file, from->line, "no word");
    if (!*digits || *digits == ' ') die(from->file, from->line, "no number behind the word");
    if (fp_utf8_check(text) < length) die(from->file, from->line, "not UTF-8");
    if (fp_utf8_count(text) > LONGEST) die(from->file, from->line, "a word of over %d characters", LONGEST);
    char *end = digits + strspn(digits, "0123456789");
    word *made = to->word + to->count++;
    made->number = whole ? strtod(digits, NULL) : strtod(digits, &end);
    if (whole && (strchr(" ", *end) == NULL || made->number > UINT32_MAX))
        die(from->file, from->line, "the frequency is not a number under 2^32");
    if (!whole && (strchr(" ", *end) == NULL || !isfinite(made->number) || made->number <= 0))
        die(from->file, from->line, "the weight is not a number above 0");
    made->text = take_memory(length + 1, 1);
    memcpy(made->text, from->text, length);
    to->characters += fp_utf8_count(text);
}

static void read_list(const char *directory, const char *name, bool whole, list *to) {
    snprintf(to->file, sizeof to->file, "%s/%s", directory, name);
    reader from = open_reader(to->file, PACKAGE);
    while (next_line(&from)) {
        if (to->count == to->room) {
            to->room = to->room ? 2 * to->room : 1 << 16;
            to->word = realloc(to->word, to->room * sizeof *to->word);
            if (!to->word) die(to->file, from.line, "out of memory");
        }
        read_row(&from, whole, to);
    }
}

/* ---- Numbering the characters ---- */

typedef struct weighted {
    double weight;
    uint32_t code;
    bool class;
} weighted;

/* Whether jieba.re_han_default matches the character. */
static bool in_class(uint32_t code) {
    if (code >= FP_JIEBA_FIRST_HAN && code <= FP_JIEBA_LAST_HAN) return true;
    bool letter = (code >= 'a' && code <= 'z') || (code >= 'A' && code <= 'Z');
    return letter || (code >= '0' && code <= '9') || (code && code < 0x80 && strchr("+#&._%-", (int)code));
}

FP_COMPARES(by_use, weighted,
            FP_ORDER(b->class, a->class) ?: FP_ORDER(b->weight, a->weight) ?: FP_ORDER(a->code, b->code));

static void weigh(const list *of, bool by_number, double weight[FP_JIEBA_CODES]) {
    for (size_t i = 0; i < of->count; i++) {
        for (const char *at = of->word[i].text; *at;) {
            uint32_t code = next_code(&at);
            if (code >= FP_JIEBA_CODES) die(of->file, i + 1, "a character beyond U+FFFF");
            weight[code] += by_number ? of->word[i].number : 1;
        }
    }
}

static void number_characters(void) {
    static double weight[FP_JIEBA_CODES];
    static weighted all[FP_JIEBA_CODES];
    size_t count = 0;
    weigh(&words, true, weight);
    weigh(&idf, false, weight);
    for (uint32_t code = 0; code < FP_JIEBA_CODES; code++)
        if (weight[code] > 0 || in_class(code)) all[count++] = (weighted){weight[code], code, in_class(code)};
    if (count >= FP_TRIE_EMPTY) die(words.file, 0, "too many different characters");
    qsort(all, count, sizeof *all, by_use);
    for (size_t i = 0; i < count; i++) {
        number[all[i].code] = (uint16_t)(i + 1);
        table.class_count += all[i].class;
    }
    number_count = (uint32_t)count + 1;
}

/* ---- Words ---- */

static size_t numbers_of(const char *text, uint32_t to[LONGEST]) {
    size_t count = 0;
    while (*text) to[count++] = number[next_code(&text)];
    return count;
}

static uint32_t add_word(const char *text) {
    uint32_t numbers[LONGEST], node = 0;
    size_t count = numbers_of(text, numbers);
    for (size_t i = 0; i < count; i++) {
        uint32_t child = fp_growing_trie_add(&trie, node, numbers[i]);
        edges[child - 1] = (edge){node, numbers[i], child};
        node = child;
    }
    return node;
}

/* As in jieba: a repeated word keeps its last frequency, but the total counts both. */
static void grow(fp_arena *arena) {
    size_t limit = words.characters + idf.characters;
    if (fp_growing_trie_open(&trie, limit, arena, NULL) != FP_OK) die(words.file, 0, "out of memory");
    edges = take_memory(limit, sizeof *edges);
    frequency = take_memory(limit + 1, sizeof *frequency);
    value = take_memory(limit + 1, sizeof *value);
    for (size_t i = 0; i < words.count; i++) {
        frequency[add_word(words.word[i].text)] = words.word[i].number;
        table.total += (uint64_t)words.word[i].number;
    }
    for (size_t i = 0; i < idf.count; i++) add_word(idf.word[i].text);
}

FP_COMPARES(falling, double, FP_ORDER(*b, *a));
FP_COMPARES(rising, double, FP_ORDER(*a, *b));

/* Appends the distinct numbers other than 0, sorted, to `to`; returns its new length. */
static size_t share(double *sorted, size_t count, int (*order)(const void *, const void *), double *to, size_t made) {
    qsort(sorted, count, sizeof *sorted, order);
    for (size_t i = 0; i < count; i++)
        if (sorted[i] != 0 && (i == 0 || sorted[i] != sorted[i - 1])) to[made++] = sorted[i];
    if (made > UINT16_MAX) die(table.idf_count ? idf.file : words.file, 0, "more different numbers than 16 bits count");
    return made;
}

/* The index of `wanted` among the shared numbers from `first` on. */
static uint16_t place_of(double wanted, const double *shared, size_t first, size_t count,
                         int (*order)(const void *, const void *)) {
    const double *found = bsearch(&wanted, shared + first, count - first, sizeof wanted, order);
    return (uint16_t)(found - shared);
}

/* High frequencies first, so that common words share cache lines. */
static void share_frequencies(void) {
    double *sorted = take_memory(trie.count, sizeof *sorted);
    enum { FIRST = FP_TRIE_PREFIX + 1 };
    frequencies = take_memory(trie.count + FIRST, sizeof *frequencies);
    memcpy(sorted, frequency, trie.count * sizeof *sorted);
    table.frequency_count = (uint32_t)share(sorted, trie.count, falling, frequencies, FIRST);
    for (size_t node = 0; node < trie.count; node++)
        if (frequency[node] > 0)
            value[node] = place_of(frequency[node], frequencies, FIRST, table.frequency_count, falling);
}

/* The mean is summed in list order; the median is jieba's, the upper one of two. */
static void share_idf(void) {
    double *sorted = take_memory(idf.count, sizeof *sorted), sum = 0;
    for (size_t i = 0; i < idf.count; i++) sum += sorted[i] = idf.word[i].number;
    idf_values = take_memory(idf.count + 1, sizeof *idf_values);
    table.idf_count = (uint32_t)share(sorted, idf.count, rising, idf_values, 1);
    table.idf_mean = sum / (double)idf.count;
    table.idf_median = sorted[idf.count / 2];
    idf_index = take_memory(laid.count, sizeof *idf_index);
    for (size_t i = 0; i < idf.count; i++) {
        uint32_t numbers[LONGEST];
        size_t unit = fp_trie_find(laid.units, numbers, numbers_of(idf.word[i].text, numbers));
        if (unit == 0) die(idf.file, i + 1, "a word was lost");
        idf_index[unit] = place_of(idf.word[i].number, idf_values, 1, table.idf_count, rising);
    }
}

/* ---- The model: rows of table, state, key and log probability (jieba_model.py) ---- */

static size_t state_of(const reader *from, const char *name) {
    static const char NAMES[FP_JIEBA_STATES + 1] = "BMES";
    const char *found = strlen(name) == 1 ? strchr(NAMES, *name) : NULL;
    if (!found) die(from->file, from->line, "a state other than B, M, E, S");
    return (size_t)(found - NAMES);
}

/* Emissions are used only for Han characters (finalseg's re_han), so other rows are skipped. */
static void read_model_row(const reader *from) {
    char *field[4], *end;
    if (cut_fields(from->text, field, 4) != 4) die(from->file, from->line, "not a table, a state, a key and a number");
    size_t state = state_of(from, field[1]);
    fp_string key = check_utf8(from, field[2]);
    uint32_t code = first_code(key.data);
    double read = strtod(field[3], &end);
    if (!*field[3] || *end) die(from->file, from->line, "'%s' is not a number", field[3]);
    if (strcmp(field[0], "start") == 0) table.start[state] = read;
    else if (strcmp(field[0], "trans") == 0) table.transition[state][state_of(from, field[2])] = read;
    else if (strcmp(field[0], "emit") != 0 || fp_utf8_count(key) != 1)
        die(from->file, from->line, "not a row of start, trans or emit with one character");
    else if (code >= FP_JIEBA_FIRST_HAN && code <= FP_JIEBA_LAST_HAN)
        emissions[(size_t)number[code] * FP_JIEBA_STATES + state] = read;
}

static void fill(double *numbers, size_t count, double with) {
    for (size_t i = 0; i < count; i++) numbers[i] = with;
}

static void read_model(const char *file) {
    size_t count = ((size_t)table.class_count + 1) * FP_JIEBA_STATES;
    emissions = take_memory(count, sizeof *emissions);
    fill(emissions, count, FP_JIEBA_LOG_ZERO);
    fill(table.start, FP_JIEBA_STATES, FP_JIEBA_LOG_ZERO);
    fill(*table.transition, FP_JIEBA_STATES * FP_JIEBA_STATES, FP_JIEBA_LOG_ZERO);
    reader from = open_reader(file, NULL);
    while (next_line(&from)) read_model_row(&from);
}

/* ---- Writing ---- */

static void write_all(const char *name) {
    uint64_t *whole = take_memory(table.frequency_count, sizeof *whole);
    double *logs = take_memory(table.frequency_count, sizeof *logs);
    for (size_t i = 0; i < table.frequency_count; i++) {
        whole[i] = (uint64_t)frequencies[i];
        logs[i] = log(frequencies[i]);
    }
    const struct {
        uint64_t *offset;
        const void *data;
        size_t size;
    } sections[] = {
        {&table.numbers, number, sizeof number},
        {&table.units, laid.units, laid.count * sizeof *laid.units},
        {&table.frequencies, whole, table.frequency_count * sizeof *whole},
        {&table.logs, logs, table.frequency_count * sizeof *logs},
        {&table.emissions, emissions, ((size_t)table.class_count + 1) * FP_JIEBA_STATES * sizeof *emissions},
        {&table.idf_index, idf_index, laid.count * sizeof *idf_index},
        {&table.idf, idf_values, table.idf_count * sizeof *idf_values},
    };
    enum { SECTIONS = sizeof sections / sizeof *sections };
    uint64_t at = sizeof table;
    for (size_t i = 0; i < SECTIONS; i++) {
        *sections[i].offset = (at + 63) / 64 * 64;
        at = *sections[i].offset + sections[i].size;
    }
    table.unit_count = (uint32_t)laid.count;
    table.size = at;
    memcpy(table.magic, FP_JIEBA_MAGIC, sizeof table.magic);
    char *made = take_memory(at, 1);
    memcpy(made, &table, sizeof table);
    for (size_t i = 0; i < SECTIONS; i++) memcpy(made + *sections[i].offset, sections[i].data, sections[i].size);
    write_table(name, made, at);
}

int main(int count, char **argument) {
    if (count != 4) die("compile_jieba", 0, "usage: compile_jieba DIRECTORY MODEL OUTPUT");
    fp_arena *arena = fp_arena_new();
    if (!arena) die(argument[3], 0, "out of memory");
    read_list(argument[1], "dict.txt", true, &words);
    read_list(argument[1], "analyse/idf.txt", false, &idf);
    number_characters();
    read_model(argument[2]);
    grow(arena);
    share_frequencies();
    laid = lay_out_trie(edges, trie.count, value, number_count);
    share_idf();
    write_all(argument[3]);
    fp_arena_free(arena);
    return 0;
}
