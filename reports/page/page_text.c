/* SPDX-License-Identifier: GPL-3.0-or-later
 * The texts of the page, and how they are filled and formatted. */
#include "reports/page/page_form.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

#include "eval/measures/measure.h"
#include "reports/plots/plot_parts.h"

/* ---- The tables ---- */

const fp_page_text fp_page_texts[] = {
#define WORD(id, en, zh) {en, zh},
#include "reports/page/page_words.def"
};

static const fp_page_text cell_texts[] = {
#define CELL(en, zh) {en, zh},
#include "reports/page/page_words.def"
};

static const struct {
    const char *name;
    fp_page_text text;
} columns[] = {
#define COLUMN(name, en, zh) {name, {en, zh}},
#include "reports/page/page_words.def"
};

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

fp_page_text fp_page_fill(fp_page *page, fp_page_text form, const fp_page_text *values, size_t count) {
    return (fp_page_text){fill(form.en, values, count, false, page->arena),
                          fill(form.zh, values, count, true, page->arena)};
}

fp_page_text fp_page_plain(const char *text) { return (fp_page_text){text, text}; }

fp_page_text fp_page_count(fp_page *page, double count) { return FP_FORMATTED(page, "%.0f", count); }

fp_page_text fp_page_append(fp_page *page, fp_page_text list, fp_page_text more, fp_page_text between) {
    if (!*list.en) return more;
    return (fp_page_text){fp_format(page->arena, "%s%s%s", list.en, between.en, more.en),
                          fp_format(page->arena, "%s%s%s", list.zh, between.zh, more.zh)};
}

fp_page_text fp_page_list(fp_page *page, fp_page_text list, fp_page_text more) {
    return fp_page_append(page, list, more, FP_WORD(COMMA));
}

/* ---- Cells ---- */

fp_page_text fp_page_column(fp_page *page, const char *name) {
    fp_measure measure;
    fp_error error;
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        if (strcmp(columns[i].name, name) == 0) return columns[i].text;
    if (fp_measure_find(name, 0.5, &measure, &error) == FP_OK && measure.row->label)
        return (fp_page_text){measure.row->label, measure.row->label_zh ? measure.row->label_zh : measure.row->label};
    char *text = fp_format(page->arena, "%s", name);
    for (char *at = text; (at = strchr(at, '_'));) *at = ' ';
    return fp_page_plain(text);
}

fp_page_text fp_page_label(fp_page *page, fp_string name) {
    return fp_page_column(page, fp_string_copy(page->arena, name));
}

fp_page_text fp_page_data(fp_page *page, fp_string text) { return fp_page_plain(fp_plot_text(text, page->arena).data); }

fp_page_text fp_page_name(fp_page *page, const char *text) { return fp_page_data(page, fp_string_of(text)); }

/* "0.06 (90% interval)" */
static fp_page_text with_level(fp_page *page, fp_page_text value) {
    static const char END[] = " interval)";
    const char *bracket = strstr(value.en, " (");
    if (!bracket || !fp_string_ends(fp_string_of(bracket + 2), fp_string_of(END))) return value;
    int level = (int)(strlen(bracket + 2) - strlen(END));
    return FP_SAY(page, AT_LEVEL, FP_FORMATTED(page, "%.*s", (int)(bracket - value.en), value.en),
                  FP_FORMATTED(page, "%.*s", level, bracket + 2));
}

static const char DASH[] = "–";

/* Texts of cells end with their value, if they have one. */
fp_page_text fp_page_cell_text(fp_page *page, fp_string cell) {
    for (size_t i = 0; i < sizeof cell_texts / sizeof *cell_texts; i++) {
        const char *form = cell_texts[i].en, *place = strstr(form, "{0}");
        size_t length = place ? (size_t)(place - form) : strlen(form);
        if (!fp_string_begins(cell, (fp_string){form, length}) || (!place && cell.length > length)) continue;
        fp_page_text value = fp_page_data(page, (fp_string){cell.data + length, cell.length - length});
        value = with_level(page, value);
        return fp_page_fill(page, cell_texts[i], &value, 1);
    }
    return fp_string_equal(cell, fp_string_of("NA")) ? fp_page_plain(DASH) : fp_page_data(page, cell);
}

/* ---- Numbers ---- */

bool fp_page_is_none(fp_string cell) { return cell.length == 0 || fp_string_equal(cell, fp_string_of("NA")); }

static bool is_whole(const char *text) { return text[strspn(text, "-0123456789")] == '\0'; }

/* "16..21", a range of thresholds chosen in turn; or another text. */
static fp_page_text no_number(fp_page *page, fp_string cell) {
    const char *dots = memmem(cell.data, cell.length, "..", 2);
    if (!dots) return fp_page_cell_text(page, cell);
    size_t length = (size_t)(dots - cell.data);
    fp_page_text low = fp_page_number(page, (fp_string){cell.data, length}, false),
                 high = fp_page_number(page, (fp_string){dots + 2, cell.length - length - 2}, false);
    return FP_FORMATTED(page, "%s–%s", low.en, high.en);
}

fp_page_text fp_page_number(fp_page *page, fp_string cell, bool share) {
    char text[40];
    double value;
    if (fp_page_is_none(cell)) return fp_page_plain(DASH);
    if (cell.length >= sizeof text) return fp_page_data(page, cell);
    snprintf(text, sizeof text, "%.*s", (int)cell.length, cell.data);
    if (!fp_parse_real(text, &value) || !isfinite(value)) return no_number(page, cell);
    if (share) return FP_FORMATTED(page, value != 0 && fabs(value) < 0.0005 ? "%.1e" : "%.3f", value);
    if (is_whole(text)) return FP_FORMATTED(page, "%s", text);
    return FP_FORMATTED(page, fabs(value) >= 1000 ? "%.0f" : "%.4g", value);
}

fp_page_text fp_page_with_limits(fp_page *page, fp_string value, fp_string from, fp_string to, bool share) {
    const char *shown = fp_page_number(page, value, share).en, *low = fp_page_number(page, from, share).en,
               *high = fp_page_number(page, to, share).en;
    if (strcmp(low, DASH) == 0 && strcmp(high, DASH) == 0) return fp_page_number(page, value, share);
    return FP_FORMATTED(page, strchr(low, '-') ? "%s (%s to %s)" : "%s (%s–%s)", shown, low, high);
}
