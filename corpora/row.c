/* SPDX-License-Identifier: GPL-3.0-or-later
 * Parses a document from a line of JSON. */
#include "corpora/row.h"

#include <string.h>

#include "corpora/json.h"
#include "text/unicode/utf8.h"

typedef struct parser {
    const fp_corpus_row_form *form;
    fp_string line;
    fp_arena *kept;
    fp_error *error;
} parser;

/* An error at the place of `value`. */
#define FAIL(in, value, ...) fp_at_byte((in)->error, fp_fail((in)->error, FP_ERROR_SYNTAX, __VA_ARGS__), (value)->byte)

fp_status fp_corpus_id_check(fp_string id, fp_error *error) {
    static const struct {
        char sign;
        const char *name;
    } NEVER[] = {{'\t', "a tab"}, {'\n', "a line end"}, {'\r', "a carriage return"}, {'\0', "a NUL"}};
    for (size_t i = 0; i < sizeof NEVER / sizeof *NEVER; i++)
        if (memchr(id.data, NEVER[i].sign, id.length))
            return fp_fail(error, FP_ERROR_SYNTAX, "the id holds %s", NEVER[i].name);
    return FP_OK;
}

/* Copies a value unless it points into the line. */
static fp_status keep(const parser *in, fp_string value, fp_string *to) {
    uintptr_t place = (uintptr_t)value.data, line = (uintptr_t)in->line.data;
    *to = value;
    if (value.length == 0 || (place >= line && place < line + in->line.length)) return FP_OK;
    to->data = FP_NEED(fp_string_copy(in->kept, value), in->error);
    return FP_OK;
}

/* A string member; empty if it is missing or null. */
static fp_status take_string(const parser *in, const fp_json *object, const char *name, bool number, fp_string *value) {
    const fp_json *member = fp_json_member(object, name);
    *value = (fp_string){"", 0};
    if (!member || member->type == FP_JSON_NULL) return FP_OK;
    if (member->type == FP_JSON_STRING || (number && member->type == FP_JSON_NUMBER))
        return keep(in, member->text, value);
    return FAIL(in, member, "\"%s\" is not a string", name);
}

static fp_status take_id(const parser *in, const fp_json *object, fp_corpus_row *row) {
    const char *name = in->form->id;
    const fp_json *member = fp_json_member(object, name);
    fp_string id;
    if (!member && in->form->lax) return FP_OK;
    FP_TRY(take_string(in, object, name, in->form->lax, &id));
    if (id.length == 0) return FAIL(in, member ? member : object, "the document has no \"%s\"", name);
    if (fp_corpus_id_check(id, in->error) != FP_OK) return fp_at_byte(in->error, FP_ERROR_SYNTAX, member->byte);
    row->id = id;
    row->id_byte = member->byte;
    return FP_OK;
}

static fp_status take_values(const parser *in, const fp_json *object, fp_corpus_row *row) {
    const char *const *fields = in->form->fields;
    size_t count = 0;
    while (fields && fields[count]) count++;
    fp_string *values = FP_NEED(fp_arena_alloc(in->kept, count, sizeof *values), in->error);
    row->values = values;
    for (size_t f = 0; f < count; f++) {
        const fp_json *member = fp_json_member(object, fields[f]);
        values[f] = (fp_string){"", 0};
        if (member && member->type != FP_JSON_NULL) FP_TRY(keep(in, member->text, values + f));
    }
    return FP_OK;
}

/* Lists the existing members, since one of them may be the text. */
static fp_status no_text(const parser *in, const fp_json *object) {
    char names[120] = "";
    size_t used = 0;
    for (const fp_json *member = object->first; in->form->lax && member && used < sizeof names; member = member->next)
        used += (size_t)snprintf(names + used, sizeof names - used, "%s%.*s", used ? ", " : "",
                                 (int)member->name.length, member->name.data);
    if (!used || used >= sizeof names) return FAIL(in, object, "the document has no \"%s\"", in->form->text);
    return FAIL(in, object, "the document has no \"%s\", but %s; --text-field names the text", in->form->text, names);
}

static fp_status take_document(const parser *in, const fp_json *object, fp_corpus_row *row) {
    const fp_corpus_row_form *form = in->form;
    if (object->type != FP_JSON_OBJECT) return FAIL(in, object, "a document is a JSON object");
    const fp_json *text = fp_json_member(object, form->text);
    if (!text) return no_text(in, object);
    if (text->type == FP_JSON_NULL) return FAIL(in, text, "\"%s\" is null, not a string", form->text);
    FP_TRY(take_id(in, object, row));
    FP_TRY(take_string(in, object, form->text, false, &row->text));
    FP_TRY(take_string(in, object, form->language, false, &row->language));
    FP_TRY(take_string(in, object, form->group, form->lax, &row->group));
    row->characters = fp_utf8_count(row->text);
    return take_values(in, object, row);
}

fp_status fp_corpus_row_parse(fp_string line, const fp_corpus_row_form *form, fp_arena *scratch, fp_arena *kept,
                              fp_corpus_row *row, fp_error *error) {
    parser in = {form, line, kept, error};
    const fp_json *object;
    *row = (fp_corpus_row){.id = {"", 0}};
    FP_TRY(fp_json_parse(line, scratch, &object, error));
    return take_document(&in, object, row);
}

/* ---- A growing map: each version is in its own arena ---- */

static fp_status grow(fp_numbering *of, fp_error *error) {
    fp_numbering larger = {.count = of->count,
                           .room = of->room ? 2 * of->room : 1024,
                           .like = of->like,
                           .arena = FP_NEED(fp_arena_new_like(of->like), error)};
    fp_status status = fp_map_open(&larger.map, larger.room, larger.arena, error);
    if (status != FP_OK) {
        fp_arena_free(larger.arena);
        return status;
    }
    for (size_t i = 0; of->arena && i <= of->map.mask; i++)
        if (of->map.value[i] != FP_MAP_NONE) fp_map_put(&larger.map, of->map.key[i], of->map.value[i]);
    fp_arena_free(of->arena);
    *of = larger;
    return FP_OK;
}

fp_status fp_numbering_of(fp_numbering *numbering, fp_string text, uint32_t *number, bool *fresh, fp_error *error) {
    if (numbering->count == numbering->room) FP_TRY(grow(numbering, error));
    uint64_t key = fp_xxh3(text.data, text.length, 0);
    *number = fp_map_get(&numbering->map, key);
    *fresh = *number == FP_MAP_NONE;
    if (*fresh) fp_map_put(&numbering->map, key, *number = (uint32_t)numbering->count++);
    return FP_OK;
}

uint32_t fp_numbering_find(const fp_numbering *numbering, fp_string text) {
    if (!numbering->arena) return FP_MAP_NONE;
    return fp_map_get(&numbering->map, fp_xxh3(text.data, text.length, 0));
}

void fp_numbering_free(fp_numbering *numbering) {
    fp_arena_free(numbering->arena);
    *numbering = (fp_numbering){.like = numbering->like};
}
