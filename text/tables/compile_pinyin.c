/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * compile_pinyin OUTPUT UNIHAN RIME OURS SURNAMES JIEBA SYLLABLES - pinyin initials of characters and phrases, the
 * readings of characters, and the frequency of each initial, final, tone and syllable in Chinese, from the word counts
 * of JIEBA and the weights of RIME.
 *
 * The most common reading of a character is, in this order: a row of one character in OURS
 * (text/data/pinyin_phrases.txt); its heaviest reading in RIME (pinyin_simp.dict.yaml) if that weighs 20 or more, with
 * kMandarin to break ties; the first kMandarin of UNIHAN (Unihan_Readings.txt); any reading in RIME. With RIME's
 * phrases and without OURS, RIME before UNIHAN gets 36, and UNIHAN before RIME 35, of the 232 words in
 * tests/data/pinyin_gold.tsv wrong, which is no significant difference. RIME reflects current usage better, but below a
 * weight of 20 its readings of rare characters are mostly mistakes. A traditional character reads as its simplified
 * one.
 */
#include <math.h>
#include <unicode/unorm2.h>
#include <unicode/ustring.h>

#include "text/unicode/han.h"
#include "text/segmentation/pinyin_table.h"
#include "text/tables/compile.h"

enum { HEAVY = 20, MOST_PHRASES = 1 << 17, KEY_ROOM = FP_PINYIN_LONGEST * 4 + 1 };

typedef struct phrase {
    char key[KEY_ROOM]; /* folded */
    char initials[FP_PINYIN_LONGEST + 1];
    bool ours;
    fp_pinyin_place place; /* in addition to FP_PINYIN_IN_WORD */
    double weight;
    size_t line;
} phrase;

static fp_pinyin_table table;
static char unihan[CODES], rime[CODES], ours[CODES]; /* initials */
static double rime_weight[CODES];
static char letter[CODES];
static uint16_t value[CODES];
static bool given[CODES]; /* more common in given names than elsewhere */
static phrase *phrases;
static size_t phrase_count;

/* Weighted occurrences of the symbols in a source, from its word counts. */
typedef struct tally {
    double symbol[FP_PINYIN_SYMBOLS + 1], total; /* the extra symbol: no reading */
} tally;

static void count_word(tally *to, fp_string word, const char *initials, size_t length, double times) {
    fp_pinyin_reading readings[256];
    fp_pinyin_read(&table, word, (fp_string){initials, length}, readings);
    for (size_t i = 0; i < 4 * length; i++) to->symbol[readings[i / 4].symbol[i % 4]] += times;
    to->total += times * (double)length;
}

/* ---- Letters ---- */

/* The letters of the first syllable without tone marks, with v for ü, and its tone; false if it is empty or longer than
 * 6 letters. */
static bool plain_of(const char *syllable, char letters[8], unsigned *tone) {
    static const UChar TONES[] = {0x304, 0x301, 0x30c, 0x300};
    UErrorCode status = U_ZERO_ERROR;
    UChar text[64], parts[96];
    int32_t length, count, made = 0;
    u_strFromUTF8(text, 64, &length, syllable, -1, &status);
    count = unorm2_normalize(unorm2_getNFDInstance(&status), text, U_SUCCESS(status) ? length : 0, parts, 96, &status);
    *tone = 5;
    for (int32_t i = 0; U_SUCCESS(status) && i < count; i++) {
        if (parts[i] == ' ') break;
        for (unsigned t = 0; t < 4; t++) *tone = parts[i] == TONES[t] ? t + 1 : *tone;
        if (parts[i] == 0x308 && made) letters[made - 1] = 'v';
        if (parts[i] < 0x80 && made < 7) letters[made++] = (char)parts[i];
    }
    letters[made] = '\0';
    return U_SUCCESS(status) && made && made < 7;
}

/* The first letter of a syllable without its tone mark; 0 if no Mandarin syllable begins with it. */
static char initial_of(const char *syllable) {
    char letters[8];
    unsigned tone;
    return plain_of(syllable, letters, &tone) && strchr("abcdefghjklmnopqrstwxyz", *letters) ? *letters : 0;
}

/* Writes the initials of "yin hang", or with `bare` also of "yh", to `to`; returns their number, 0 if the text is
 * invalid. */
static size_t initials_of(char *text, bool bare, char *to, size_t room) {
    size_t count = 0;
    if (bare && !strchr(text, ' ')) {
        for (char letters[2] = {0}; *text; text++, count++) {
            letters[0] = *text;
            if (count == room || !(to[count] = initial_of(letters))) return 0;
        }
        return count;
    }
    for (char *part = strtok(text, " "); part; part = strtok(NULL, " ")) {
        if (count == room || !(to[count++] = initial_of(part))) return 0;
    }
    return count;
}

/* ---- Sources ---- */

enum { TONES = FP_PINYIN_INITIALS + FP_PINYIN_FINALS, SYLLABLES = TONES + FP_PINYIN_TONES };

/* Reads the names of all symbols; rows are syllable TAB final. */
static void read_syllables(const char *file) {
    char(*finals)[8] = table.name + FP_PINYIN_INITIALS;
    size_t count = 0, distinct = 0, place;
    reader from = open_reader(file, NULL);
    while (next_row(&from)) {
        char *field[2];
        if (cut_fields(from.text, field, 2) < 2 || strlen(field[0]) > 7 || strlen(field[1]) > 7)
            die(file, from.line, "not a syllable TAB its final");
        for (place = 0; place < distinct && strcmp(finals[place], field[1]) != 0; place++) continue;
        if (count == FP_PINYIN_SYLLABLES || place == FP_PINYIN_FINALS)
            die(file, from.line, "not %d syllables and %d finals", FP_PINYIN_SYLLABLES, FP_PINYIN_FINALS);
        strcpy(finals[place], field[1]);
        distinct += place == distinct;
        table.final_of[count] = (uint8_t)place;
        strcpy(table.name[SYLLABLES + count++], field[0]);
    }
    if (count < FP_PINYIN_SYLLABLES || distinct < FP_PINYIN_FINALS)
        die(file, 0, "fewer than %d syllables and %d finals", FP_PINYIN_SYLLABLES, FP_PINYIN_FINALS);
    for (size_t i = 0; i < FP_PINYIN_INITIALS; i++) table.name[i][0] = fp_pinyin_letters[i];
    for (size_t i = 0; i < FP_PINYIN_TONES; i++) table.name[TONES + i][0] = (char)('1' + i);
}

enum { READINGS = 8 };
static uint16_t coded[CODES][READINGS]; /* syllable · 8 + tone, in the order of the sources; 0 after the last */

/* Parses Unihan readings: "zhòng(1823) chóng(329)", "0086.040:chóng,zhòng". */
static void add_coded(uint32_t code, char *text) {
    for (char *at = strtok(text, " ,"); at; at = strtok(NULL, " ,")) {
        char letters[8], *behind = strrchr(at, ':');
        unsigned tone, place = 0, i = 0;
        at[strcspn(at, "(")] = '\0';
        if (!plain_of(behind ? behind + 1 : at, letters, &tone)) continue;
        while (place < FP_PINYIN_SYLLABLES && strcmp(table.name[SYLLABLES + place], letters) != 0) place++;
        while (i < READINGS && coded[code][i] && coded[code][i] >> 3 != place) i++;
        if (place < FP_PINYIN_SYLLABLES && i < READINGS && !coded[code][i])
            coded[code][i] = (uint16_t)(place << 3 | tone);
    }
}

static void store_coded(const char *name) {
    for (uint32_t code = 0; code < CODES; code++) {
        for (size_t i = 0; i < READINGS && coded[code][i]; i++) {
            if (table.coded_count == FP_PINYIN_CODED) die(name, 0, "more than %d readings", FP_PINYIN_CODED);
            table.coded[table.coded_count++] = code << 12 | coded[code][i];
        }
    }
}

/* In the input, kMandarin precedes the other fields. */
static void read_unihan(const char *file) {
    reader from = open_reader(file, "unicode-data");
    while (next_line(&from)) {
        char *field[3];
        if (from.text[0] != 'U' || cut_fields(from.text, field, 3) != 3) continue;
        unsigned long code = strtoul(field[0] + 2, NULL, 16);
        char initial = initial_of(strcmp(field[1], "kMandarin") == 0 ? field[2] : "a");
        if (code >= CODES || !initial) die(file, from.line, "%s has the reading '%s'", field[0], field[2]);
        if (strcmp(field[1], "kMandarin") == 0) unihan[code] = initial;
        add_coded((uint32_t)code, field[2]);
    }
}

static phrase *add_phrase(const reader *from, const char *word, const char *initials, size_t count, bool is_ours,
                          double weight) {
    if (phrase_count == MOST_PHRASES) die(from->file, from->line, "more than %d phrases", MOST_PHRASES);
    phrase *made = &phrases[phrase_count++];
    *made = (phrase){.ours = is_ours, .weight = weight, .line = from->line};
    memcpy(made->initials, initials, count);
    for (char *to = made->key; *word;) to += fp_utf8_encode(fp_han_fold_code(next_code(&word)), to);
    return made;
}

static void add_reading(uint32_t code, char initial, double weight) {
    bool heavier = !rime[code] || weight > rime_weight[code];
    bool confirmed = rime[code] && weight == rime_weight[code] && initial == unihan[code];
    if (!heavier && !confirmed) return;
    rime[code] = initial;
    rime_weight[code] = weight;
}

/* With `typed` it only counts the symbols of the rows, by their weight and their own initials. */
static void read_rime(const char *file, tally *typed) {
    reader from = open_reader(file, "rime-data-pinyin-simp");
    bool in_body = false;
    while (next_line(&from)) {
        char *field[3], initials[FP_PINYIN_LONGEST];
        if (!in_body || !*from.text || *from.text == '#') {
            if (strcmp(from.text, "...") == 0) in_body = true;
            continue;
        }
        size_t fields = cut_fields(from.text, field, 3);
        size_t length = count_characters(&from, field[0]);
        size_t count = fields < 2 ? 0 : initials_of(field[1], false, initials, FP_PINYIN_LONGEST);
        if (!count || count != length)
            die(file, from.line, "not a word TAB one syllable a character, at most %d", FP_PINYIN_LONGEST);
        double weight = fields < 3 ? 0 : strtod(field[2], NULL);
        if (typed) count_word(typed, fp_string_of(field[0]), initials, count, weight);
        else if (length == 1) add_reading(first_code(field[0]), initials[0], weight);
        else add_phrase(&from, field[0], initials, count, false, weight);
    }
    if (!in_body) die(file, 0, "has no line '...' before its rows");
}

static void read_ours(const char *file) {
    reader from = open_reader(file, NULL);
    while (next_row(&from)) {
        char *field[3], initials[FP_PINYIN_LONGEST];
        size_t fields = cut_fields(from.text, field, 3);
        if (fields < 2 || !*field[0]) die(file, from.line, "no TAB between the word and its initials");
        if (fields == 3 && strcmp(field[2], "across") != 0)
            die(file, from.line, "the third field is '%s', not across", field[2]);
        size_t length = count_characters(&from, field[0]);
        if (length > FP_PINYIN_LONGEST)
            die(file, from.line, "'%s' has more than %d characters", field[0], FP_PINYIN_LONGEST);
        size_t count = initials_of(field[1], length > 1, initials, FP_PINYIN_LONGEST);
        if (!count) die(file, from.line, "'%s': neither initials nor syllables", field[0]);
        if (count != length) die(file, from.line, "'%s' has %zu characters and %zu initials", field[0], length, count);
        if (length == 1) ours[first_code(field[0])] = initials[0];
        else
            add_phrase(&from, field[0], initials, count, true, 0)->place =
                fields == 3 ? FP_PINYIN_RUNS_ON : FP_PINYIN_IN_WORD;
    }
}

/* ---- Names ---- */

static char own_letter(uint32_t code) {
    if (ours[code]) return ours[code];
    if (rime[code] && rime_weight[code] >= HEAVY) return rime[code];
    return unihan[code] ? unihan[code] : rime[code];
}

typedef struct context { /* context that identifies a surname */
    char word[KEY_ROOM], initials[FP_PINYIN_LONGEST + 1];
    bool before;
} context;

static void add_context(const reader *from, char *word, char *letters, context *to) {
    size_t length = strlen(word);
    to->before = word[length - 1] == '+';
    if (to->before) word[length - 1] = '\0';
    else word++;
    size_t characters = count_characters(from, word);
    if (!characters || characters >= FP_PINYIN_LONGEST ||
        initials_of(letters, true, to->initials, FP_PINYIN_LONGEST) != characters)
        die(from->file, from->line, "'%s' has not as many initials, or more than %d", word, FP_PINYIN_LONGEST - 1);
    strcpy(to->word, word);
}

enum { MOST_CONTEXTS = 256, MOST_SURNAMES = 256 };

static struct { /* surnames.txt, without the surnames whose reading is the most common one */
    context contexts[MOST_CONTEXTS];
    uint32_t surname[MOST_SURNAMES];
    char initial[MOST_SURNAMES];
    size_t context_count, count, in_names;
} names;

static void add_surname(const reader *from, const char *surname, const char *syllable, const char *mark) {
    char initial = initial_of(syllable);
    if (count_characters(from, surname) != 1 || !initial)
        die(from->file, from->line, "'%s' is not one character, or '%s' no syllable", surname, syllable);
    if (mark && strcmp(mark, "titled") != 0) die(from->file, from->line, "the third field is '%s', not titled", mark);
    uint32_t code = first_code(surname);
    if (initial == own_letter(code)) return;
    if (names.count == MOST_SURNAMES || names.in_names == FP_PINYIN_SURNAMES)
        die(from->file, from->line, "too many surnames");
    names.surname[names.count] = code;
    names.initial[names.count++] = initial;
    if (mark) return;
    table.surname[names.in_names].code = code;
    table.surname[names.in_names++].initial = initial;
}

/* Adds a phrase for each surname in each context. */
static void add_name_phrases(const reader *from) {
    for (size_t i = 0; i < names.count; i++) {
        char surname[5] = {0}, initial[2] = {names.initial[i]};
        fp_utf8_encode(names.surname[i], surname);
        for (size_t k = 0; k < names.context_count; k++) {
            const context *with = &names.contexts[k];
            char word[2 * KEY_ROOM], initials[2 * FP_PINYIN_LONGEST];
            stpcpy(stpcpy(word, with->before ? with->word : surname), with->before ? surname : with->word);
            stpcpy(stpcpy(initials, with->before ? with->initials : initial), with->before ? initial : with->initials);
            add_phrase(from, word, initials, strlen(initials), true, 0)->place = FP_PINYIN_WHOLE;
        }
    }
}

static void read_surnames(const char *file) {
    reader from = open_reader(file, NULL);
    while (next_row(&from)) {
        char *field[3] = {0};
        if (cut_fields(from.text, field, 3) < 2 || !*field[0])
            die(file, from.line, "no TAB between the surname and its syllable");
        if (!strchr(field[0], '+')) add_surname(&from, field[0], field[1], field[2]);
        else if (names.context_count == MOST_CONTEXTS) die(file, from.line, "more than %d contexts", MOST_CONTEXTS);
        else add_context(&from, field[0], field[1], &names.contexts[names.context_count++]);
    }
    add_name_phrases(&from);
}

/* Characters with at least this many occurrences in three-character names of jieba's dictionary, after the first
 * character, and a share there larger by at least this ratio than in its other words of two and three characters. */
enum { LEAST_NAMES = 10 };
static const double LEAST_RATIO = 1.5;

static void read_given_names(const char *file) {
    static uint32_t in_names[CODES], elsewhere[CODES];
    double named = 0, others = 0;
    reader from = open_reader(file, "python3-jieba");
    while (next_line(&from)) {
        char *space = strchr(from.text, ' '), *tag = space ? strchr(space + 1, ' ') : NULL;
        if (!tag) continue;
        *space = '\0';
        size_t length = count_characters(&from, from.text);
        bool name = strcmp(tag + 1, "nr") == 0 && length == 3, other = strncmp(tag + 1, "nr", 2) != 0;
        if (!name && !(other && (length == 2 || length == 3))) continue;
        const char *at = from.text + (name ? fp_utf8_size(*from.text) : 0);
        while (*at) {
            uint32_t code = next_code(&at);
            name ? in_names[code]++ : elsewhere[code]++;
            *(name ? &named : &others) += 1;
        }
    }
    for (uint32_t code = 0; code < CODES; code++) {
        double share = (double)in_names[code] * others, usual = ((double)elsewhere[code] + 1) * named;
        given[code] = in_names[code] >= LEAST_NAMES && share > LEAST_RATIO * usual;
    }
}

/* ---- Table ---- */

FP_COMPARES(by_key_then_source, phrase,
            strcmp(a->key, b->key) ?: FP_ORDER(b->ours, a->ours) ?: FP_ORDER(b->weight, a->weight) ?: FP_ORDER(a->line, b->line));

static void choose_phrases(const char *file) {
    qsort(phrases, phrase_count, sizeof *phrases, by_key_then_source);
    size_t kept = 0;
    for (size_t i = 0; i < phrase_count; i++) {
        phrase *last = kept ? &phrases[kept - 1] : NULL;
        bool again = last && strcmp(last->key, phrases[i].key) == 0;
        if (again && phrases[i].ours && strcmp(last->initials, phrases[i].initials) != 0)
            die(file, phrases[i].line, "'%s' has other initials in line %zu", phrases[i].key, last->line);
        if (!again) phrases[kept++] = phrases[i];
    }
    phrase_count = kept;
}

static void fill_values(void) {
    for (uint32_t code = 0; code < CODES; code++) letter[code] = own_letter(code);
    for (size_t i = 0; i < phrase_count; i++) {
        const char *at = phrases[i].key;
        for (size_t k = 0; *at; k++) {
            uint32_t code = next_code(&at);
            if (letter[code] != phrases[i].initials[k]) value[code] |= FP_PINYIN_MANY;
        }
    }
    for (size_t i = 0; i < phrase_count; i++) {
        const char *at = phrases[i].place ? phrases[i].key : "";
        for (bool first = true; *at; first = false)
            value[next_code(&at)] |= first ? FP_PINYIN_ACROSS : FP_PINYIN_FOLLOWS;
    }
    for (uint32_t code = 0; code < CODES; code++) {
        uint32_t folded = fp_han_fold_code(code);
        char initial = letter[folded] ? letter[folded] : letter[code];
        unsigned flags = value[folded] & (FP_PINYIN_MANY | FP_PINYIN_ACROSS | FP_PINYIN_FOLLOWS);
        if (given[folded]) flags |= FP_PINYIN_GIVEN;
        value[code] = initial ? (uint16_t)(flags | (unsigned)(initial - 'a' + 1)) : 0;
    }
}

static bool holds_many(const char *key) {
    while (*key)
        if (value[next_code(&key)] & FP_PINYIN_MANY) return true;
    return false;
}

static void add_slot(const char *name, const phrase *from, fp_pinyin_place place) {
    static size_t used;
    if (++used > FP_PINYIN_SLOTS / 2) die(name, 0, "more than %d phrases; raise FP_PINYIN_SLOTS", FP_PINYIN_SLOTS / 2);
    uint64_t key = fp_pinyin_key(from->key, strlen(from->key), place);
    size_t at = key % FP_PINYIN_SLOTS;
    for (; table.slot[at].key; at = (at + 1) % FP_PINYIN_SLOTS) {
        if (table.slot[at].key == key) die(name, 0, "two phrases with one hash: '%s'", from->key);
    }
    table.slot[at].key = key;
    memcpy(table.slot[at].initials, from->initials, FP_PINYIN_LONGEST);
}

static void fill_slots(const char *name) {
    for (size_t i = 0; i < phrase_count; i++) {
        if (!holds_many(phrases[i].key)) continue;
        add_slot(name, &phrases[i], FP_PINYIN_IN_WORD);
        if (phrases[i].place) add_slot(name, &phrases[i], phrases[i].place);
    }
}

/* ---- Reference ---- */

/* Each word of jieba's dictionary (word frequency tag) counts by its frequency. */
static tally count_jieba(const char *file) {
    tally made = {0};
    reader from = open_reader(file, "python3-jieba");
    while (next_line(&from)) {
        char initials[256];
        double frequency = cut_frequency(&from);
        fp_string word = check_utf8(&from, from.text);
        if (word.length > sizeof initials) die(file, from.line, "a word of more than %zu bytes", sizeof initials);
        size_t over, length = fp_pinyin_word(&table, word, false, 0, initials, &over);
        count_word(&made, word, initials, length, frequency);
    }
    if (made.total <= 0) die(file, 0, "holds no Chinese words");
    return made;
}

/* Relative frequencies of the symbols: three parts jieba's counts and one part Rime's. jieba's are from printed text,
 * mostly newspapers of the 1990s and novels; Rime's (the word weights of Android's pinyin input method, 2009) from what
 * people type, mostly messages. By Σ(f − r)²/r · 1000 against the letters of five sets of modern text the mixture is
 * nearer to each than jieba's counts alone: edited news 17.0 instead of 17.5, Sohu's news 6.8 instead of 8.4, school
 * essays 57 instead of 73, encyclopaedia sentences 43 instead of 52, statutes 37.4 instead of 38.2. Rime's alone (31,
 * 17, 28, 32, 49) and the software manuals of the distribution (LibreOffice's help 77, 63, 94, 142, 46; manpages-zh 53,
 * 44, 76, 119, 36; the Debian reference 40, 30, 64, 75, 53) are farther from most. */
static void fill_reference(const char *jieba_file, const char *rime_file) {
    const double jieba_share = 0.75, least = 1e-6;
    tally print = count_jieba(jieba_file), typed = {0};
    read_rime(rime_file, &typed);
    if (typed.total <= 0) die(rime_file, 0, "weighs no word");
    for (size_t i = 0; i < FP_PINYIN_SYMBOLS; i++)
        table.reference[i] = fmax(least, jieba_share * print.symbol[i] / print.total +
                                             (1 - jieba_share) * typed.symbol[i] / typed.total);
}

int main(int count, char **argument) {
    if (count != 8) die(argument[0], 0, "usage: compile_pinyin OUTPUT UNIHAN RIME OURS SURNAMES JIEBA SYLLABLES");
    phrases = take_memory(MOST_PHRASES, sizeof *phrases);
    read_syllables(argument[7]);
    read_unihan(argument[2]);
    store_coded(argument[1]);
    read_rime(argument[3], NULL);
    read_ours(argument[4]);
    read_surnames(argument[5]);
    read_given_names(argument[6]);
    choose_phrases(argument[4]);
    fill_values();
    fill_slots(argument[1]);
    store_blocks(argument[1], value, sizeof value[0], table.index, table.block, FP_PINYIN_BLOCKS);
    fill_reference(argument[6], argument[3]);
    write_table(argument[1], &table, sizeof table);
    return 0;
}
