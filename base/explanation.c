/* SPDX-License-Identifier: GPL-3.0-or-later
 * Explanations: steps, lines and table cells in the order of writing. */
#include "base/explanation.h"

static void append(fp_explanation *to, fp_explain_list *list, const char *text, bool number) {
    if (text && FP_ROOM(to->arena, list->at, list->count, list->room, NULL) == FP_OK)
        list->at[list->count++] = (fp_explain_text){text, number};
    else to->failed = true;
}

/* ---- Writing ---- */

fp_explanation *fp_explanation_new(fp_arena *arena) {
    fp_explanation *made = fp_arena_alloc(arena, 1, sizeof *made);
    if (made) made->arena = arena;
    return made;
}

void fp_explain_step(fp_explanation *explanation, const char *title) {
    fp_explain_step_data *made = fp_arena_alloc(explanation->arena, 1, sizeof *made);
    if (!made || !(made->title = fp_string_copy(explanation->arena, fp_string_of(title)))) {
        explanation->failed = true;
        return;
    }
    if (explanation->last) explanation->last->next = made;
    else explanation->first = made;
    explanation->last = made;
    explanation->count++;
}

void fp_explain_line(fp_explanation *explanation, const char *format, ...) {
    if (!explanation->last) return;
    va_list arguments;
    va_start(arguments, format);
    append(explanation, &explanation->last->lines, fp_format_list(explanation->arena, format, arguments), false);
    va_end(arguments);
}

void fp_explain_table(fp_explanation *explanation, const char *columns) {
    if (!explanation->last) return;
    fp_string rest = fp_string_of(columns), name;
    while (fp_next_field(&rest, '|', &name)) {
        bool number = name.length && *name.data == '>';
        if (number) name.data++, name.length--;
        append(explanation, &explanation->last->columns, fp_string_copy(explanation->arena, name), number);
    }
}

void fp_explain_cell(fp_explanation *explanation, const char *format, ...) {
    if (!explanation->last) return;
    va_list arguments;
    va_start(arguments, format);
    append(explanation, &explanation->last->cells, fp_format_list(explanation->arena, format, arguments), false);
    va_end(arguments);
}

/* ---- Reading ---- */

static size_t row_count(const fp_explain_step_data *step) {
    size_t columns = step->columns.count;
    return columns ? (step->cells.count + columns - 1) / columns : 0;
}

const char *fp_explain_at(const fp_explain_step_data *step, size_t row, size_t column) {
    size_t columns = step->columns.count;
    if (column >= columns || row >= row_count(step)) return NULL;
    size_t index = row * columns + column;
    return index < step->cells.count ? step->cells.at[index].text : NULL;
}

static const fp_explain_step_data *step_at(const fp_explanation *explanation, size_t step) {
    static const fp_explain_step_data none;
    const fp_explain_step_data *at = explanation->first;
    while (at && step-- > 0) at = at->next;
    return at ? at : &none;
}

bool fp_explanation_failed(const fp_explanation *explanation) { return explanation->failed; }

size_t fp_explanation_steps(const fp_explanation *explanation) { return explanation->count; }

const char *fp_explanation_title(const fp_explanation *explanation, size_t step) {
    return step_at(explanation, step)->title;
}

size_t fp_explanation_lines(const fp_explanation *explanation, size_t step) {
    return step_at(explanation, step)->lines.count;
}

const char *fp_explanation_line(const fp_explanation *explanation, size_t step, size_t line) {
    const fp_explain_list *lines = &step_at(explanation, step)->lines;
    return line < lines->count ? lines->at[line].text : NULL;
}

size_t fp_explanation_columns(const fp_explanation *explanation, size_t step) {
    return step_at(explanation, step)->columns.count;
}

const char *fp_explanation_column(const fp_explanation *explanation, size_t step, size_t column, bool *number) {
    const fp_explain_list *columns = &step_at(explanation, step)->columns;
    if (column >= columns->count) return NULL;
    if (number) *number = columns->at[column].number;
    return columns->at[column].text;
}

size_t fp_explanation_rows(const fp_explanation *explanation, size_t step) {
    return row_count(step_at(explanation, step));
}

const char *fp_explanation_cell(const fp_explanation *explanation, size_t step, size_t row, size_t column) {
    return fp_explain_at(step_at(explanation, step), row, column);
}
