/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * row.h - one line of docs.jsonl, checked.
 */
#ifndef FP_CORPUS_ROW_H
#define FP_CORPUS_ROW_H

#include "base/base.h"

/* What members are called. */
typedef struct fp_corpus_row_form {
    const char *id, *text, *group, *language;
    const char *const *fields; /* names of the values wanted, the last NULL; or NULL */
    bool lax;                  /* the id and the group may be numbers, and the id may be missing */
} fp_corpus_row_form;

/* As docs.jsonl has them. */
#define FP_CORPUS_ROW_FORM(wanted) (&(fp_corpus_row_form){"id", "text", "group", "lang", (wanted), false})

typedef struct fp_corpus_row {
    fp_string id, text, group, language;
    size_t id_byte;          /* where the id begins, in the line */
    size_t characters;       /* of the text */
    const fp_string *values; /* [field count] empty where the document has none; what is no string as it is written */
} fp_corpus_row;

/* Reads a line. The row points into the line, and where that has escapes into `kept`; `scratch` is free afterwards.
 * Errors have their byte in the line: FP_ERROR_SYNTAX, _ENCODING, _DUPLICATE (keys). row->id is set where the failure
 * comes behind it, else empty. */
fp_status fp_corpus_row_parse(fp_string line, const fp_corpus_row_form *form, fp_arena *scratch, fp_arena *kept,
                              fp_corpus_row *row, fp_error *error);

/* Ids and kinds are columns of tables: FP_ERROR_SYNTAX for a tab, a line end or a NUL. */
fp_status fp_corpus_id_check(fp_string id, fp_error *error);

#endif
