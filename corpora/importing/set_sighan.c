/* SPDX-License-Identifier: GPL-3.0-or-later
 * The SIGHAN bake-offs of spelling: essays in SGML with their mistakes, and tests in two files, as releases sighan7csc
 * 1.0, clp14csc 1.1 and sighan8csc 1.0 have them. The forms are those that two readers of these files agree on:
 * github.com/liwenju0/sighan_raw (data_process.py), and bbcm's csc.py, github.com/gitabtion/BertBasedCorrectionModels.
 *
 * 2014, 2015: <ESSAY …><TEXT><PASSAGE id="I">…</PASSAGE>…</TEXT><MISTAKE id="I" location="8"><WRONG>無</WRONG>
 * <CORRECTION>膚</CORRECTION></MISTAKE>…</ESSAY>; 2013: <DOC Nid="I"><P>…</P><TEXT><MISTAKE wrong_position=8><WRONG>…
 * </WRONG><CORRECT>…</CORRECT></MISTAKE></TEXT></DOC>. Places count characters from 1; WRONG is one character or the
 * word that holds it. Tests: a line "(pid=I) …" or "(NID=I) …", and in the other file "I, 8, 膚, …", or "I, 0". */
#include <string.h>
#include <strings.h>

#include "corpora/importing/recipe.h"
#include "corpora/readers/form.h"
#include "text/unicode/utf8.h"

/* ---- Sentences whose characters are corrected ---- */

typedef struct passage {
    fp_string id, text;
    size_t row;
    fp_string *was, *is; /* [count] its characters */
    size_t count;
} passage;

static fp_status split(passage *of, fp_arena *arena, fp_error *error) {
    of->count = 0;
    of->was = fp_arena_raw(arena, of->text.length + 1, sizeof *of->was);
    of->is = fp_arena_raw(arena, of->text.length + 1, sizeof *of->is);
    if (!of->was || !of->is) return fp_no_memory(error);
    for (size_t at = 0; at < of->text.length; of->count++) {
        size_t size = fp_utf8_size(of->text.data[at]);
        of->was[of->count] = of->is[of->count] = (fp_string){of->text.data + at, size};
        at += size;
    }
    return FP_OK;
}

static bool stands_at(const passage *in, size_t begin, fp_string word) {
    size_t at = 0;
    for (size_t i = begin; at < word.length; i++) {
        if (i == in->count || at + in->was[i].length > word.length) return false;
        if (memcmp(word.data + at, in->was[i].data, in->was[i].length) != 0) return false;
        at += in->was[i].length;
    }
    return true;
}

/* Where the word stands that holds the character at `place`. */
static bool find_word(const passage *in, size_t place, fp_string word, size_t *begin) {
    size_t length = fp_utf8_count(word);
    for (size_t back = 0; back < length && back <= place; back++) {
        *begin = place - back;
        if (stands_at(in, *begin, word)) return true;
    }
    return false;
}

static fp_status correct(passage *in, size_t place, fp_string wrong, fp_string right, fp_error *error) {
    size_t begin;
    if (place == 0 || wrong.length == 0 || fp_utf8_count(wrong) != fp_utf8_count(right))
        return fp_fail(error, FP_ERROR_SYNTAX, "a mistake in %.*s whose correction is of another length",
                       (int)in->id.length, in->id.data);
    if (!find_word(in, place - 1, wrong, &begin))
        return fp_fail(error, FP_ERROR_SYNTAX, "\"%.*s\" does not stand at character %zu of %.*s", (int)wrong.length,
                       wrong.data, place, (int)in->id.length, in->id.data);
    for (size_t at = 0; at < right.length; begin++) {
        fp_string sign = {right.data + at, fp_utf8_size(right.data[at])};
        if (!fp_string_equal(sign, in->was[begin])) in->is[begin] = sign;
        at += sign.length;
    }
    return FP_OK;
}

static fp_status join(const passage *of, fp_arena *arena, fp_string *text, fp_error *error) {
    size_t length = 0;
    for (size_t i = 0; i < of->count; i++) length += of->is[i].length;
    char *made = fp_arena_raw(arena, length + 1, 1), *to = made;
    if (!made) return fp_no_memory(error);
    for (size_t i = 0; i < of->count; i++) {
        memcpy(to, of->is[i].data, of->is[i].length);
        to += of->is[i].length;
    }
    *text = (fp_string){made, length};
    return FP_OK;
}

static fp_status add(fp_set_sentences *to, const passage *of, size_t file, fp_error *error) {
    const fp_set *set = fp_set_sentences_of(to);
    fp_string corrected;
    const char *id = fp_format(set->arena, "%s-%.*s", set->kinds[file], (int)of->id.length, of->id.data);
    if (!id) return fp_no_memory(error);
    FP_TRY(join(of, set->arena, &corrected, error));
    return fp_set_sentences_add(to, fp_string_of(id), of->text, corrected, file, of->row, error);
}

/* ---- SGML ---- */

typedef struct tag {
    fp_string name, inside, behind; /* its attributes; the text up to the next tag */
    size_t row;
} tag;

static const char BLANKS[] = " \t\n\r";

static bool is_blank(char sign) { return memchr(BLANKS, sign, strlen(BLANKS)); }

static fp_string trim(fp_string text) { return fp_string_trim(text, BLANKS); }

static bool is(fp_string name, const char *word) {
    return name.length == strlen(word) && strncasecmp(name.data, word, name.length) == 0;
}

static bool next_tag(fp_string *rest, size_t *row, tag *to) {
    const char *open = memchr(rest->data, '<', rest->length), *end = rest->data + rest->length;
    const char *close = open ? memchr(open, '>', (size_t)(end - open)) : NULL;
    if (!close) return false;
    for (const char *at = rest->data; at < open; at++) *row += *at == '\n';
    const char *next = memchr(close, '<', (size_t)(end - close)), *name = open + 1, *behind = name;
    while (behind < close && !is_blank(*behind)) behind++;
    *to = (tag){{name, (size_t)(behind - name)},
                {behind, (size_t)(close - behind)},
                trim((fp_string){close + 1, (size_t)((next ? next : end) - close - 1)}),
                *row};
    for (const char *at = open; at <= close; at++) *row += *at == '\n';
    *rest = (fp_string){close + 1, (size_t)(end - close - 1)};
    return true;
}

/* NAME="value" or NAME=value. */
static fp_string attribute(const tag *of, const char *name) {
    size_t length = strlen(name);
    const char *end = of->inside.data + of->inside.length;
    for (const char *at = of->inside.data; at + length + 1 < end; at++) {
        if (!is_blank(*at) || strncasecmp(at + 1, name, length) != 0 || at[1 + length] != '=') continue;
        const char *begin = at + length + 2, *stop = begin;
        if (begin < end && *begin == '"') {
            begin++;
            stop = memchr(begin, '"', (size_t)(end - begin));
            return stop ? (fp_string){begin, (size_t)(stop - begin)} : (fp_string){"", 0};
        }
        while (stop < end && !is_blank(*stop)) stop++;
        return (fp_string){begin, (size_t)(stop - begin)};
    }
    return (fp_string){"", 0};
}

static size_t number_of(fp_string digits) {
    size_t number = 0;
    for (digits = trim(digits); digits.length && *digits.data >= '0' && *digits.data <= '9' && number < 1u << 20;
         digits.data++, digits.length--)
        number = 10 * number + (size_t)(*digits.data - '0');
    return digits.length ? 0 : number;
}

enum { MOST_PASSAGES = 1000 };

/* One essay: its passages, then its mistakes. */
typedef struct essay {
    passage *passages; /* [MOST_PASSAGES] */
    size_t count, place;
    fp_string id; /* of a document of 2013 */
    fp_string of, wrong;
    fp_status status; /* of the first thing that is wrong in it, and its line */
    fp_error why;
    size_t row;
} essay;

static fp_status begin_passage(essay *in, const tag *at, fp_arena *arena, fp_error *error) {
    fp_string id = attribute(at, "id");
    in->row = at->row;
    if (in->count == MOST_PASSAGES)
        in->status = fp_fail(&in->why, FP_ERROR_RANGE, "more than %d passages in one essay", MOST_PASSAGES);
    else if (!id.length && !in->id.length) in->status = fp_fail(&in->why, FP_ERROR_SYNTAX, "a passage without an id");
    if (in->status != FP_OK) return FP_OK;
    passage *made = in->passages + in->count++;
    *made = (passage){.id = id.length ? id : in->id, .text = at->behind, .row = at->row};
    return split(made, arena, error);
}

static void take_correction(essay *in, fp_string right, size_t row) {
    for (size_t i = 0; i < in->count; i++) {
        if (in->of.length && !fp_string_equal(in->passages[i].id, in->of)) continue;
        in->row = in->passages[i].row;
        in->status = correct(in->passages + i, in->place, in->wrong, right, &in->why);
        return;
    }
    in->row = row;
    in->status = fp_fail(&in->why, FP_ERROR_SYNTAX, "a mistake in \"%.*s\", which is not there", (int)in->of.length,
                         in->of.data);
}

static fp_status take_tag(essay *in, const tag *at, fp_arena *arena, fp_error *error) {
    if (in->status != FP_OK) return FP_OK;
    if (is(at->name, "DOC")) in->id = attribute(at, "Nid");
    else if (is(at->name, "PASSAGE") || is(at->name, "P")) return begin_passage(in, at, arena, error);
    else if (is(at->name, "MISTAKE")) {
        fp_string place = attribute(at, "location");
        in->of = attribute(at, "id");
        in->place = number_of(place.length ? place : attribute(at, "wrong_position"));
    } else if (is(at->name, "WRONG")) in->wrong = at->behind;
    else if (is(at->name, "CORRECTION") || is(at->name, "CORRECT")) take_correction(in, at->behind, at->row);
    return FP_OK;
}

static fp_status end_essay(fp_set_sentences *to, essay *in, size_t file, fp_error *error) {
    if (in->status != FP_OK) FP_TRY(fp_set_bad(fp_set_sentences_of(to), in->status, &in->why, file, in->row, error));
    else
        for (size_t i = 0; i < in->count; i++) FP_TRY(add(to, in->passages + i, file, error));
    *in = (essay){.passages = in->passages, .why = {.line = SIZE_MAX, .byte = SIZE_MAX}};
    return FP_OK;
}

static fp_status read_essays(fp_set_sentences *to, size_t file, fp_error *error) {
    const fp_set *set = fp_set_sentences_of(to);
    essay in = {.passages = fp_arena_raw(set->arena, MOST_PASSAGES, sizeof *in.passages)};
    fp_string rest;
    size_t row = 1;
    tag at;
    if (!in.passages) return fp_no_memory(error);
    FP_TRY(fp_read_file_within(set->paths[file], set->most_bytes, set->arena, &rest, error));
    fp_status status = fp_form_check_utf8(rest, error);
    if (status != FP_OK) return fp_at(error, status, set->paths[file], SIZE_MAX, SIZE_MAX);
    while (next_tag(&rest, &row, &at)) {
        if (is(at.name, "/ESSAY") || is(at.name, "/DOC")) FP_TRY(end_essay(to, &in, file, error));
        else FP_TRY(take_tag(&in, &at, set->arena, error));
    }
    return FP_OK;
}

/* ---- Tests ---- */

/* "(pid=I) text". */
static fp_status read_input(fp_string line, passage *to, fp_arena *arena, fp_error *error) {
    const char *sign = memchr(line.data, '=', line.length), *close = memchr(line.data, ')', line.length);
    FP_TRY(fp_form_check_utf8(line, error));
    if (line.length == 0 || *line.data != '(' || !sign || !close || close < sign)
        return fp_fail(error, FP_ERROR_SYNTAX, "the line does not begin with (pid=…) or (NID=…)");
    to->id = (fp_string){sign + 1, (size_t)(close - sign - 1)};
    to->text = trim((fp_string){close + 1, (size_t)(line.data + line.length - close - 1)});
    return split(to, arena, error);
}

/* "I, 8, 膚, …" or "I, 0". */
static fp_status read_truth(fp_string line, passage *to, fp_error *error) {
    fp_string rest = line, field;
    FP_TRY(fp_form_check_utf8(line, error));
    fp_next_field(&rest, ',', &field);
    if (!fp_string_equal(trim(field), to->id))
        return fp_fail(error, FP_ERROR_SYNTAX, "the truth is of %.*s, the sentence is %.*s", (int)field.length,
                       field.data, (int)to->id.length, to->id.data);
    while (fp_next_field(&rest, ',', &field)) {
        size_t place = number_of(field);
        if (place == 0 && !rest.data) return FP_OK;
        if (place == 0 || place > to->count || !fp_next_field(&rest, ',', &field))
            return fp_fail(error, FP_ERROR_SYNTAX, "%.*s has no character %.*s to be corrected", (int)to->id.length,
                           to->id.data, (int)trim(field).length, trim(field).data);
        FP_TRY(correct(to, place, to->was[place - 1], trim(field), error));
    }
    return FP_OK;
}

static fp_status read_test(fp_set_sentences *to, size_t file, fp_error *error) {
    const fp_set *set = fp_set_sentences_of(to);
    fp_string sentences, truths, line, truth;
    FP_TRY(fp_set_needs(set, file + 1, "the truth of a test", error));
    FP_TRY(fp_read_file_within(set->paths[file], set->most_bytes, set->arena, &sentences, error));
    FP_TRY(fp_read_file_within(set->paths[file + 1], set->most_bytes, set->arena, &truths, error));
    for (size_t row = 1; fp_next_line(&sentences, &line); row++) {
        passage one = {.row = row};
        fp_error why = {.line = SIZE_MAX, .byte = SIZE_MAX};
        if (!fp_next_line(&truths, &truth)) truth = (fp_string){"", 0};
        fp_status status = read_input(fp_string_skip_mark(line), &one, set->arena, &why);
        if (status == FP_OK) status = read_truth(fp_string_skip_mark(truth), &one, &why);
        if (status == FP_ERROR_MEMORY) return fp_no_memory(error);
        if (status == FP_OK) FP_TRY(add(to, &one, file, error));
        else FP_TRY(fp_set_bad(set, status, &why, file, row, error));
    }
    return FP_OK;
}

/* ---- All ---- */

/* In the order of recipes.def. */
enum { ESSAYS = 5, TESTS = 3 };

static fp_status fill(fp_set_sentences *to, fp_error *error) {
    const fp_set *set = fp_set_sentences_of(to);
    for (size_t file = 0; file < ESSAYS; file++)
        if (set->paths[file]) FP_TRY(read_essays(to, file, error));
    for (size_t test = 0; test < TESTS; test++)
        if (set->paths[ESSAYS + 2 * test]) FP_TRY(read_test(to, ESSAYS + 2 * test, error));
    return FP_OK;
}

fp_status fp_set_sighan(const fp_set *set, fp_error *error) { return fp_set_sentences_read(set, fill, error); }
