/* SPDX-License-Identifier: GPL-3.0-or-later
 * The texts of the page, and how they are filled and formatted. */
#include "reports/page/page_form.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

#include "eval/measures/measure.h"
#include "reports/plots/plot_parts.h"

/* ---- The tables ---- */

static const fp_page_text words[] = {
#define WORD(id, en, zh) {en, zh},
#include "reports/page/page_words.def"
};

static const fp_page_named columns[] = {
#define COLUMN(name, en, zh) {name, {en, zh}},
#include "reports/page/page_words.def"
    {NULL, {NULL, NULL}}};

const fp_page_named fp_page_live_words[] = {
#define LIVE(name, en, zh) {name, {en, zh}},
#include "reports/page/page_words.def"
    {NULL, {NULL, NULL}}};

/* ---- Sentences ---- */

static const char *in_language(fp_page_text text, bool zh) { return zh ? text.zh : text.en; }

/* The number of the placeholder at `at`; −1: none. */
static int value_at(const char *at) {
    return at[0] == '{' && isdigit((unsigned char)at[1]) && at[2] == '}' ? at[1] - '0' : -1;
}

static const char *fill(const char *form, const fp_page_text *values, size_t count, bool zh, fp_arena *arena) {
    size_t length = strlen(form) + 1;
    for (const char *at = form; *at; at++)
        if (value_at(at) >= 0 && (size_t)value_at(at) < count) length += strlen(in_language(values[value_at(at)], zh));
    char *made = fp_arena_raw(arena, length, 1), *to = made;
    while (*form) {
        int value = value_at(form);
        bool filled = value >= 0 && (size_t)value < count;
        if (filled) to = stpcpy(to, in_language(values[value], zh));
        else *to++ = *form;
        form += filled ? 3 : 1;
    }
    *to = '\0';
    return made;
}

fp_page_text fp_page_sentence(fp_page_word word, const fp_page_text *values, size_t count, fp_arena *arena) {
    return (fp_page_text){fill(words[word].en, values, count, false, arena),
                          fill(words[word].zh, values, count, true, arena)};
}

/* ---- Cells ---- */

static fp_page_text find(const fp_page_named *in, const char *name) {
    for (; in->name; in++)
        if (strcmp(in->name, name) == 0) return in->text;
    return (fp_page_text){NULL, NULL};
}

static const char *spaced(const char *name, fp_arena *arena) {
    char *text = fp_format(arena, "%s", name);
    for (char *at = text; (at = strchr(at, '_'));) *at = ' ';
    return text;
}

fp_page_text fp_page_column(const char *name, fp_arena *arena) {
    fp_page_text found = find(columns, name);
    fp_measure measure;
    fp_error error;
    if (found.en) return found;
    if (fp_measure_find(name, 0.5, &measure, &error) == FP_OK && measure.row->label)
        return (fp_page_text){measure.row->label, measure.row->label_zh ? measure.row->label_zh : measure.row->label};
    const char *text = spaced(name, arena);
    return (fp_page_text){text, text};
}

fp_page_text fp_page_data(fp_string text, fp_arena *arena) {
    const char *made = fp_plot_text(text, arena).data;
    return (fp_page_text){made, made};
}

static bool starts(fp_string text, const char *with, fp_string *rest) {
    size_t length = strlen(with);
    *rest = (fp_string){text.data + length, text.length - length};
    return fp_string_begins(text, fp_string_of(with));
}

/* "0.06 (90% interval)" */
static fp_page_text with_level(fp_page_text value, fp_arena *arena) {
    static const char END[] = " interval)";
    const char *bracket = strstr(value.en, " (");
    if (!bracket || strlen(bracket) < sizeof END || strcmp(bracket + strlen(bracket) - (sizeof END - 1), END) != 0)
        return value;
    int level = (int)(strlen(bracket + 2) - (sizeof END - 1));
    const char *bound = fp_format(arena, "%.*s", (int)(bracket - value.en), value.en),
               *interval = fp_format(arena, "%.*s", level, bracket + 2);
    const fp_page_text parts[] = {{bound, bound}, {interval, interval}};
    return fp_page_sentence(FP_WORD_AT_LEVEL, parts, 2, arena);
}

/* Verdicts have at most one number. */
fp_page_text fp_page_cell_text(fp_string cell, fp_arena *arena) {
    static const struct {
        const char *start;
        fp_page_word word;
    } KNOWN[] = {
        {"A is better, by less than ", FP_WORD_A_BETTER_LITTLE},
        {"B is better, by less than ", FP_WORD_B_BETTER_LITTLE},
        {"A is better", FP_WORD_A_BETTER},
        {"B is better", FP_WORD_B_BETTER},
        {"within ±", FP_WORD_WITHIN},
        {"could differ by up to ", FP_WORD_COULD_DIFFER},
        {"not defined", FP_WORD_NOT_DEFINED},
        {"equal", FP_WORD_EQUAL},
        {"yes", FP_WORD_YES},
        {"no", FP_WORD_NO},
        {"fits", FP_WORD_FITS},
        {"no: distances too small", FP_WORD_FITS_SMALL},
        {"no: distances too large", FP_WORD_FITS_LARGE},
        {"no: distances too scattered", FP_WORD_FITS_SCATTERED},
        {"no: distances too regular", FP_WORD_FITS_REGULAR},
        {"not tested", FP_WORD_NOT_TESTED},
        {"bits of ", FP_WORD_BITS_OF},
        {"slots of ", FP_WORD_SLOTS_OF},
        {"levels of ", FP_WORD_LEVELS_OF},
        {"NA", FP_WORD_NA},
    };
    fp_string rest;
    for (size_t i = 0; i < sizeof KNOWN / sizeof *KNOWN; i++) {
        if (!starts(cell, KNOWN[i].start, &rest)) continue;
        bool takes = strstr(words[KNOWN[i].word].en, "{0}") != NULL;
        fp_page_text value = with_level(fp_page_data(rest, arena), arena);
        if (takes || rest.length == 0) return fp_page_sentence(KNOWN[i].word, &value, 1, arena);
    }
    return fp_page_data(cell, arena);
}

/* ---- Numbers ---- */

static const char DASH[] = "–";

static bool is_whole(const char *text) { return text[strspn(text, "-0123456789")] == '\0'; }

/* "16..21", a range of thresholds chosen in turn; NULL texts: not a range. */
static fp_page_text range(fp_string cell, fp_arena *arena) {
    const char *dots = memmem(cell.data, cell.length, "..", 2);
    if (!dots) return (fp_page_text){NULL, NULL};
    size_t length = (size_t)(dots - cell.data);
    fp_page_text low = fp_page_number((fp_string){cell.data, length}, false, arena),
                 high = fp_page_number((fp_string){dots + 2, cell.length - length - 2}, false, arena);
    const char *made = fp_format(arena, "%s–%s", low.en, high.en);
    return (fp_page_text){made, made};
}

fp_page_text fp_page_number(fp_string cell, bool share, fp_arena *arena) {
    char text[40];
    double value;
    if (cell.length == 0 || fp_string_equal(cell, fp_string_of("NA"))) return (fp_page_text){DASH, DASH};
    if (cell.length >= sizeof text) return fp_page_data(cell, arena);
    snprintf(text, sizeof text, "%.*s", (int)cell.length, cell.data);
    if (!fp_parse_real(text, &value) || !isfinite(value)) {
        fp_page_text two = range(cell, arena);
        return two.en ? two : fp_page_cell_text(cell, arena);
    }
    const char *made;
    if (share && value != 0 && fabs(value) < 0.0005) made = fp_format(arena, "%.1e", value);
    else if (share) made = fp_format(arena, "%.3f", value);
    else if (is_whole(text)) made = fp_format(arena, "%s", text);
    else made = fp_format(arena, fabs(value) >= 1000 ? "%.0f" : "%.4g", value);
    return (fp_page_text){made, made};
}

fp_page_text fp_page_with_limits(fp_string value, fp_string from, fp_string to, bool share, fp_arena *arena) {
    fp_page_text shown = fp_page_number(value, share, arena), low = fp_page_number(from, share, arena),
                 high = fp_page_number(to, share, arena);
    if (strcmp(low.en, DASH) == 0 && strcmp(high.en, DASH) == 0) return shown;
    const char *made =
        fp_format(arena, strchr(low.en, '-') ? "%s (%s to %s)" : "%s (%s–%s)", shown.en, low.en, high.en);
    return (fp_page_text){made, made};
}
