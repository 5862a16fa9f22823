/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * row.h - parses and checks one line of docs.jsonl.
 */
#ifndef FP_ROW_H
#define FP_ROW_H

#include "base/base.h"
#include "base/map.h"

/* Names of the members. */
typedef struct fp_corpus_row_form {
    const char *id, *text, *group, *language;
    const char *const *fields; /* names of the requested values, terminated by NULL; or NULL */
    bool lax;                  /* the id and the group may be numbers, and the id may be missing */
} fp_corpus_row_form;

/* The names in docs.jsonl. */
#define FP_CORPUS_ROW_FORM(wanted) (&(fp_corpus_row_form){"id", "text", "group", "lang", (wanted), false})

typedef struct fp_corpus_row {
    fp_string id, text, group, language;
    size_t id_byte;          /* offset of the id in the line */
    size_t characters;       /* of the text */
    const fp_string *values; /* [field count] empty if the document has none; values other than strings as written */
} fp_corpus_row;

/* Parses a line. The row points into the line, or into `kept` for strings with escapes; `scratch` is not referenced.
 * Errors have their byte in the line: FP_ERROR_SYNTAX, _ENCODING, _DUPLICATE (keys). On failure row->id is set if the
 * id was checked before the error was found, else empty. */
fp_status fp_corpus_row_parse(fp_string line, const fp_corpus_row_form *form, fp_arena *scratch, fp_arena *kept,
                              fp_corpus_row *row, fp_error *error);

/* Ids and kinds become columns of tables: FP_ERROR_SYNTAX for a tab, a line end, a carriage return or a NUL. */
fp_status fp_corpus_id_check(fp_string id, fp_error *error);

/* ---- Numbers for texts in the order of first occurrence. Texts are identified by XXH3-64 ---- */

/* {.like = …}: empty. Its memory is outside other arenas; fp_numbering_free releases it. */
typedef struct fp_numbering {
    fp_map map;
    const fp_arena *like; /* memory source of the map; NULL: malloc */
    fp_arena *arena;      /* of the map */
    size_t count, room;
} fp_numbering;

/* The number of a text; *fresh: it is new. FP_ERROR_MEMORY. */
fp_status fp_numbering_of(fp_numbering *numbering, fp_string text, uint32_t *number, bool *fresh, fp_error *error);
/* The number, or FP_MAP_NONE for an unknown text. */
uint32_t fp_numbering_find(const fp_numbering *numbering, fp_string text);
void fp_numbering_free(fp_numbering *numbering);

#endif
