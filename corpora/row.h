/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * row.h - one line of docs.jsonl, checked.
 */
#ifndef FP_ROW_H
#define FP_ROW_H

#include "base/base.h"
#include "base/map.h"

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

/* ---- numbers for texts in the order in which they are first seen. Texts are told apart by XXH3-64. ---- */

/* {.like = …}: nothing is seen. Grows outside of any arena's reach; released by fp_numbering_free. */
typedef struct fp_numbering {
    fp_map map;
    const fp_arena *like; /* maps are from where this has its memory; NULL: malloc */
    fp_arena *arena;      /* of the map */
    size_t count, room;
} fp_numbering;

/* The number of a text; *fresh: it is new. FP_ERROR_MEMORY. */
fp_status fp_numbering_of(fp_numbering *numbering, fp_string text, uint32_t *number, bool *fresh, fp_error *error);
/* The number, or FP_MAP_NONE for a text that was not seen. */
uint32_t fp_numbering_find(const fp_numbering *numbering, fp_string text);
void fp_numbering_free(fp_numbering *numbering);

#endif
