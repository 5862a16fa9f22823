/* SPDX-License-Identifier: GPL-3.0-or-later
 * Explanations: steps, lines and table cells, kept in the order in which they are told. */
#include "base/explanation.h"

#include <stdarg.h>
#include <string.h>

static void append(fp_explanation *to, fp_explain_list *list, const char *text) {
    fp_explain_text *made = fp_arena_alloc(to->arena, 1, sizeof *made);
    if (!made || !text) {
        to->failed = true;
        return;
    }
    made->text = text;
    if (list->last) list->last->next = made;
    else list->first = made;
    list->last = made;
    list->count++;
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
}

static const char *format_text(fp_arena *arena, const char *format, va_list arguments) {
    va_list again;
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    char *text = length < 0 ? NULL : fp_arena_raw(arena, (size_t)length + 1, 1);
    if (text) vsnprintf(text, (size_t)length + 1, format, arguments);
    return text;
}

void fp_explain_line(fp_explanation *explanation, const char *format, ...) {
    if (!explanation->last) return;
    va_list arguments;
    va_start(arguments, format);
    append(explanation, &explanation->last->lines, format_text(explanation->arena, format, arguments));
    va_end(arguments);
}

void fp_explain_table(fp_explanation *explanation, const char *columns) {
    if (!explanation->last) return;
    fp_string rest = fp_string_of(columns), name;
    while (fp_next_field(&rest, '|', &name)) {
        bool number = name.length && *name.data == '>';
        if (number) name.data++, name.length--;
        append(explanation, &explanation->last->columns, fp_string_copy(explanation->arena, name));
        if (explanation->last->columns.last) explanation->last->columns.last->number = number;
    }
}

void fp_explain_cell(fp_explanation *explanation, const char *format, ...) {
    if (!explanation->last) return;
    va_list arguments;
    va_start(arguments, format);
    append(explanation, &explanation->last->cells, format_text(explanation->arena, format, arguments));
    va_end(arguments);
}

const char *fp_explain_at(const fp_explain_step_data *step, size_t row, size_t column) {
    size_t index = row * step->columns.count + column;
    if (column >= step->columns.count || index >= step->cells.count) return NULL;
    const fp_explain_text *cell = step->cells.first;
    while (index-- > 0) cell = cell->next;
    return cell->text;
}
