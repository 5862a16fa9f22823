/* SPDX-License-Identifier: GPL-3.0-or-later
 * Reads a sheet as fplab wrote it or as a spreadsheet saved it. */
#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <strings.h>

#include "corpora/readers/csv.h"
#include "eval/judging/judging.h"
#include "text/unicode/utf8.h"

/* ---- Judgements ---- */

static const char *const NAMES[FP_JUDGEMENTS] = {"duplicate", "not", "unsure", ""};

const char *fp_judgement_name(fp_judgement judgement) { return NAMES[judgement]; }

static fp_string trimmed(fp_string text) { return fp_string_trim(text, " "); }

/* Ignores case and surrounding blanks; returns false for anything else. */
static bool parse_judgement(fp_string text, fp_judgement *judgement) {
    text = trimmed(text);
    for (size_t i = 0; i < FP_JUDGEMENTS; i++) {
        if (text.length != strlen(NAMES[i]) || strncasecmp(text.data, NAMES[i], text.length) != 0) continue;
        *judgement = (fp_judgement)i;
        return true;
    }
    return false;
}

/* ---- Cells ---- */

typedef struct row {
    size_t count;
    const fp_string *cell; /* [count] unquoted */
} row;

typedef struct reader {
    fp_arena *arena;
    fp_judged_sheet *sheet;
    size_t line;
    size_t lines;         /* in the file: an upper limit for the number of rows */
    size_t pairs;         /* rows read */
    size_t stated_pairs;  /* number of sampled pairs, from the header */
    uint64_t population;  /* pairs of all strata */
    bool begun;           /* the first line was that of a sheet */
    unsigned header_seen; /* a bit for each header line */
    size_t *lines_of;     /* line of each pair; 0: not read */
    fp_judged_pair *read;
    fp_error *error;
} reader;

static bool cell_is(fp_string cell, const char *text) { return fp_string_equal(cell, fp_string_of(text)); }

/* A judgement with the quotation marks around its cell, which is a part of the file, since it holds no doubled marks.
 * Header lines precede it (check_header): the byte before it is a tab, a line end or its opening mark. */
static fp_string with_quotes(fp_string cell) {
    bool quoted = cell.data[-1] == '"';
    return (fp_string){cell.data - quoted, cell.length + 2 * (size_t)quoted};
}

/* ---- Header ---- */

static fp_status read_stratum(reader *in, const row *cells) {
    fp_judged_sheet *sheet = in->sheet;
    uint64_t distance = 0, population = 0, drawn = 0;
    bool good = cells->count >= 6 && fp_string_count(cells->cell[1], &distance) && cell_is(cells->cell[2], "pairs") &&
                fp_string_count(cells->cell[3], &population) && cell_is(cells->cell[4], "drawn") &&
                fp_string_count(cells->cell[5], &drawn);
    for (size_t i = 6; i < cells->count; i++) good = good && trimmed(cells->cell[i]).length == 0;
    if (!good)
        return fp_fail(in->error, FP_ERROR_SYNTAX, "expected # stratum, K, pairs, N, drawn, M, separated by tabs");
    if (population > INT64_MAX - in->population)
        return fp_fail(in->error, FP_ERROR_RANGE, "the strata have more than %" PRId64 " pairs", INT64_MAX);
    if (drawn > population || (drawn == 0 && population > 0))
        return fp_fail(in->error, FP_ERROR_RANGE, "stratum %" PRIu64 ": %" PRIu64 " sampled of %" PRIu64 " pairs",
                       distance, drawn, population);
    if (sheet->stratum_count == FP_JUDGED_STRATA)
        return fp_fail(in->error, FP_ERROR_RANGE, "more than %d strata", FP_JUDGED_STRATA);
    if (sheet->stratum_count && distance != sheet->strata[sheet->stratum_count - 1].distance + 1)
        return fp_fail(in->error, FP_ERROR_SYNTAX, "stratum %" PRIu64 " does not follow %zu", distance,
                       sheet->strata[sheet->stratum_count - 1].distance);
    sheet->strata[sheet->stratum_count++] = (fp_judged_stratum){(size_t)distance, population, (size_t)drawn};
    in->stated_pairs += (size_t)drawn;
    in->population += population;
    return FP_OK;
}

/* Allowed content of a header line. */
typedef enum header_kind { ANY_TEXT, DIGITS, HEXADECIMAL } header_kind;

enum { HEADER_LINES = 11 };

typedef struct header_line {
    const char *name;
    header_kind kind;
    fp_string *to; /* NULL: a known line that is not needed to read the sheet */
} header_line;

static bool holds(fp_string text, header_kind kind) {
    static const char *const SIGNS[] = {[DIGITS] = "0123456789", [HEXADECIMAL] = "0123456789abcdef"};
    for (size_t i = 0; kind != ANY_TEXT && i < text.length; i++)
        if (!text.data[i] || !strchr(SIGNS[kind], text.data[i])) return false;
    return text.length > 0;
}

/* Reads one value, which may occur only once; a spreadsheet pads the line with empty cells. */
static fp_status read_value(reader *in, const row *cells, size_t number, const header_line *line) {
    fp_string value = cells->count > 1 ? trimmed(cells->cell[1]) : (fp_string){"", 0};
    if (in->header_seen & 1u << number)
        return fp_fail(in->error, FP_ERROR_DUPLICATE, "duplicate header line \"%s\"", line->name);
    in->header_seen |= 1u << number;
    for (size_t i = 2; i < cells->count; i++)
        if (trimmed(cells->cell[i]).length)
            return fp_fail(in->error, FP_ERROR_SYNTAX, "the header line \"%s\" has more than one value", line->name);
    if (!holds(value, line->kind))
        return fp_fail(in->error, FP_ERROR_SYNTAX, "the header line \"%s\" takes %s, not \"%.*s\"", line->name,
                       line->kind == DIGITS        ? "a whole number"
                       : line->kind == HEXADECIMAL ? "hexadecimal digits"
                                                   : "a text",
                       (int)(value.length < 80 ? value.length : 80), value.data);
    if (line->to) *line->to = value;
    return FP_OK;
}

static fp_status read_header(reader *in, const row *cells) {
    fp_judged_sheet *sheet = in->sheet;
    const header_line LINES[HEADER_LINES] = {{"# corpus", ANY_TEXT, &sheet->corpus},
                                             {"# sha256", HEXADECIMAL, &sheet->sha256},
                                             {"# arm", ANY_TEXT, &sheet->arm},
                                             {"# scale", ANY_TEXT, &sheet->scale},
                                             {"# documents", DIGITS, &sheet->documents},
                                             {"# seed", DIGITS, &sheet->seed},
                                             {"# sampled", ANY_TEXT, &sheet->of},
                                             {"# version", ANY_TEXT, NULL},
                                             {"# pairs", DIGITS, NULL},
                                             {"# per_distance", DIGITS, NULL},
                                             {"# judgement", ANY_TEXT, NULL}};
    fp_string name = trimmed(cells->cell[0]), value = cells->count > 1 ? trimmed(cells->cell[1]) : (fp_string){"", 0};
    if (cell_is(name, "# fplab judged sample")) {
        if (in->begun) return fp_fail(in->error, FP_ERROR_DUPLICATE, "the sheet begins twice");
        in->begun = true;
        if (cell_is(value, "1")) return FP_OK;
        return fp_fail(in->error, FP_ERROR_SYNTAX, "the sheet has format %.*s, and this fplab reads format 1",
                       (int)value.length, value.data);
    }
    if (cell_is(name, "# stratum")) return read_stratum(in, cells);
    for (size_t i = 0; i < HEADER_LINES; i++)
        if (cell_is(name, LINES[i].name)) return read_value(in, cells, i, LINES + i);
    return fp_fail(in->error, FP_ERROR_SYNTAX, "\"%.*s\" is not a header line of a sheet",
                   (int)(name.length < 80 ? name.length : 80), name.data);
}

static fp_status check_header(const reader *in) {
    const fp_judged_sheet *sheet = in->sheet;
    const struct {
        const char *name;
        bool present;
    } NEEDED[] = {{"# fplab judged sample", in->begun}, {"# corpus", sheet->corpus.length},
                  {"# sha256", sheet->sha256.length},   {"# arm", sheet->arm.length},
                  {"# scale", sheet->scale.length},     {"# documents", sheet->documents.length},
                  {"# seed", sheet->seed.length},       {"# stratum", sheet->stratum_count > 0}};
    for (size_t i = 0; i < sizeof NEEDED / sizeof *NEEDED; i++)
        if (!NEEDED[i].present)
            return fp_fail(in->error, FP_ERROR_SYNTAX,
                           "the header line \"%s\" is missing: is this a sheet of `fplab judge sample`?",
                           NEEDED[i].name);
    if (in->stated_pairs > in->lines)
        return fp_fail(in->error, FP_ERROR_SYNTAX, "%zu pairs were sampled, and the sheet has %zu lines",
                       in->stated_pairs, in->lines);
    return FP_OK;
}

/* ---- Columns ---- */

enum { PAIR, ID_A, ID_B, DISTANCE, STRATUM, JUDGEMENT, NEEDED_COLUMNS, TEXT_A = NEEDED_COLUMNS, TEXT_B, COLUMNS };

typedef struct column_list {
    size_t count;
    size_t at[COLUMNS]; /* SIZE_MAX: absent */
} column_list;

static fp_status read_columns(reader *in, const row *cells, column_list *to) {
    static const char *const TITLES[COLUMNS] = {"pair",    "id_a",      "id_b",   "distance",
                                                "stratum", "judgement", "text_a", "text_b"};
    to->count = cells->count;
    for (size_t c = 0; c < COLUMNS; c++) {
        to->at[c] = SIZE_MAX;
        for (size_t i = 0; i < cells->count; i++) {
            if (!cell_is(trimmed(cells->cell[i]), TITLES[c])) continue;
            if (to->at[c] != SIZE_MAX)
                return fp_fail(in->error, FP_ERROR_DUPLICATE, "two columns are called %s", TITLES[c]);
            to->at[c] = i;
        }
        if (c < NEEDED_COLUMNS && to->at[c] == SIZE_MAX)
            return fp_fail(
                in->error, FP_ERROR_SYNTAX,
                "there is no column called %s: expected pair, id_a, id_b, distance, stratum, judgement, text_a, "
                "text_b, separated by tabs",
                TITLES[c]);
    }
    in->sheet->texts = to->at[TEXT_A] != SIZE_MAX && to->at[TEXT_B] != SIZE_MAX;
    return FP_OK;
}

/* ---- Rows ---- */

/* Distance and stratum must agree. */
static fp_status read_place(reader *in, fp_string distance, fp_string stratum, fp_judged_pair *pair) {
    const fp_judged_sheet *sheet = in->sheet;
    uint64_t number;
    if (!fp_string_real(distance, &pair->distance) || pair->distance < 0)
        return fp_fail(in->error, FP_ERROR_SYNTAX, "the distance \"%.*s\" is not a number", (int)distance.length,
                       distance.data);
    if (!fp_string_count(stratum, &number) || number < sheet->strata[0].distance ||
        number >= sheet->strata[0].distance + sheet->stratum_count)
        return fp_fail(in->error, FP_ERROR_RANGE, "the stratum \"%.*s\" is not among those of the header",
                       (int)stratum.length, stratum.data);
    if (ceil(pair->distance) != (double)number)
        return fp_fail(in->error, FP_ERROR_RANGE, "a distance of %.*s is not in stratum %" PRIu64, (int)distance.length,
                       distance.data, number);
    pair->stratum = (size_t)number - sheet->strata[0].distance;
    return FP_OK;
}

static fp_status read_row(reader *in, const row *cells, const column_list *columns) {
    if (cells->count != columns->count)
        return fp_fail(in->error, FP_ERROR_SYNTAX, "%zu cells, and the sheet has %zu columns", cells->count,
                       columns->count);
    fp_string cell[COLUMNS];
    for (size_t c = 0; c < COLUMNS; c++)
        cell[c] = columns->at[c] == SIZE_MAX ? (fp_string){"", 0} : cells->cell[columns->at[c]];
    for (size_t c = DISTANCE; c < TEXT_A; c++) cell[c] = trimmed(cell[c]);
    uint64_t number;
    if (!fp_string_count(trimmed(cell[PAIR]), &number) || number == 0 || number > in->stated_pairs)
        return fp_fail(in->error, FP_ERROR_RANGE, "the pair \"%.*s\" is not a number from 1 to %zu",
                       (int)cell[PAIR].length, cell[PAIR].data, in->stated_pairs);
    if (in->lines_of[number - 1])
        return fp_fail(in->error, FP_ERROR_DUPLICATE, "pair %" PRIu64 " is on line %zu already", number,
                       in->lines_of[number - 1]);
    fp_judged_pair *pair = in->read + number - 1;
    *pair = (fp_judged_pair){.id_a = cell[ID_A], .id_b = cell[ID_B], .text_a = cell[TEXT_A], .text_b = cell[TEXT_B]};
    FP_TRY(read_place(in, cell[DISTANCE], cell[STRATUM], pair));
    if (!parse_judgement(cell[JUDGEMENT], &pair->judgement))
        return fp_fail(in->error, FP_ERROR_SYNTAX, "the judgement \"%.*s\" is none of duplicate, not, unsure, or empty",
                       (int)(cell[JUDGEMENT].length < 80 ? cell[JUDGEMENT].length : 80), cell[JUDGEMENT].data);
    pair->saved = pair->judgement;
    pair->cell = with_quotes(cells->cell[columns->at[JUDGEMENT]]);
    in->lines_of[number - 1] = in->line;
    in->sheet->rows[in->pairs++] = (size_t)number - 1;
    return FP_OK;
}

static fp_status check_rows(const reader *in) {
    const fp_judged_sheet *sheet = in->sheet;
    for (size_t i = 0; i < in->stated_pairs; i++)
        if (!in->lines_of[i])
            return fp_fail(in->error, FP_ERROR_SYNTAX, "%zu pairs were sampled, and pair %zu is missing",
                           in->stated_pairs, i + 1);
    size_t count[FP_JUDGED_STRATA] = {0};
    for (size_t i = 0; i < in->stated_pairs; i++) count[in->read[i].stratum]++;
    for (size_t s = 0; s < sheet->stratum_count; s++)
        if (count[s] != sheet->strata[s].drawn)
            return fp_fail(in->error, FP_ERROR_SYNTAX, "%zu pairs were sampled from stratum %zu, and the sheet has %zu",
                           sheet->strata[s].drawn, sheet->strata[s].distance, count[s]);
    return FP_OK;
}

static fp_status begin_rows(reader *in) {
    FP_TRY(check_header(in));
    in->read = FP_NEED(fp_arena_alloc(in->arena, in->stated_pairs, sizeof *in->read), in->error);
    in->lines_of = FP_NEED(fp_arena_alloc(in->arena, in->stated_pairs, sizeof *in->lines_of), in->error);
    in->sheet->rows = FP_NEED(fp_arena_alloc(in->arena, in->stated_pairs, sizeof *in->sheet->rows), in->error);
    return FP_OK;
}

/* The byte of an error is an offset in the file. */
static fp_status split_line(reader *in, fp_string line, row *cells) {
    size_t valid = fp_utf8_check(line);
    fp_status status =
        valid < line.length
            ? fp_at_byte(in->error, fp_fail(in->error, FP_ERROR_ENCODING, "invalid UTF-8: save the sheet as UTF-8"),
                         valid)
            : fp_csv_fields((fp_csv){'\t', true}, line, in->arena, &cells->cell, &cells->count, in->error);
    if (status != FP_OK && in->error->byte != SIZE_MAX)
        in->error->byte += (size_t)(line.data - in->sheet->content.data);
    return status;
}

static fp_status read_lines(reader *in, fp_string content) {
    row cells;
    column_list columns = {0};
    fp_string line;
    while (fp_next_line(&content, &line)) {
        in->line++;
        if (trimmed(line).length == 0) continue;
        FP_TRY(split_line(in, line, &cells));
        bool comment = cells.cell[0].length && *cells.cell[0].data == '#';
        if (columns.count) FP_TRY(read_row(in, &cells, &columns));
        else if (comment) FP_TRY(read_header(in, &cells));
        else {
            FP_TRY(begin_rows(in));
            FP_TRY(read_columns(in, &cells, &columns));
        }
    }
    in->line = SIZE_MAX;
    FP_TRY(check_header(in));
    if (!columns.count) return fp_fail(in->error, FP_ERROR_EMPTY, "the sheet has no rows");
    return check_rows(in);
}

fp_status fp_judged_read(const char *path, fp_arena *arena, fp_judged_sheet *sheet, fp_error *error) {
    fp_error ignored;
    *sheet =
        (fp_judged_sheet){.path = FP_NEED(fp_string_copy(arena, fp_string_of(path)), error),
                          .strata = FP_NEED(fp_arena_alloc(arena, FP_JUDGED_STRATA, sizeof *sheet->strata), error)};
    FP_TRY(fp_read_file(path, arena, &sheet->content, error));
    fp_string content = sheet->content;
    reader in = {.arena = arena, .sheet = sheet, .error = error ? error : &ignored};
    for (size_t i = 0; i < content.length; i++) in.lines += content.data[i] == '\n';
    in.lines++;
    fp_status status = read_lines(&in, fp_string_skip_mark(content));
    if (status != FP_OK) return fp_at(in.error, status, path, in.line, in.error->byte);
    sheet->pairs = in.read;
    sheet->pair_count = in.pairs;
    return FP_OK;
}

/* ---- Matching sheets and corpora ---- */

fp_status fp_judged_belongs(const fp_judged_sheet *sheet, const fp_corpus *corpus, fp_error *error) {
    if (cell_is(sheet->sha256, corpus->documents_sha256)) return FP_OK;
    return FP_FAIL_AT(error, FP_ERROR_UNKNOWN, sheet->path,
                      "the sheet was sampled from %.*s, whose documents have the sha256 %.*s; those of %s have %s",
                      (int)sheet->corpus.length, sheet->corpus.data, (int)sheet->sha256.length, sheet->sha256.data,
                      corpus->path, corpus->documents_sha256);
}

static bool same_strata(const fp_judged_sheet *a, const fp_judged_sheet *b) {
    bool same = a->stratum_count == b->stratum_count && a->pair_count == b->pair_count;
    for (size_t s = 0; same && s < a->stratum_count; s++)
        same = a->strata[s].distance == b->strata[s].distance && a->strata[s].population == b->strata[s].population &&
               a->strata[s].drawn == b->strata[s].drawn;
    return same;
}

fp_status fp_judged_same(const fp_judged_sheet *a, const fp_judged_sheet *b, fp_error *error) {
    const struct {
        const char *what;
        fp_string left, right;
    } facts[] = {
        {"sha256 of the documents", a->sha256, b->sha256}, {"arm", a->arm, b->arm}, {"seed", a->seed, b->seed}};
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++) {
        fp_string left = facts[i].left, right = facts[i].right;
        if (!fp_string_equal(left, right))
            return FP_FAIL_AT(error, FP_ERROR_UNKNOWN, a->path, "not the same sample as %s: the %s is %.*s, not %.*s",
                              b->path, facts[i].what, (int)left.length, left.data, (int)right.length, right.data);
    }
    if (!same_strata(a, b))
        return FP_FAIL_AT(error, FP_ERROR_UNKNOWN, a->path, "not the same sample as %s: other strata", b->path);
    for (size_t i = 0; i < a->pair_count; i++)
        if (!fp_string_equal(a->pairs[i].id_a, b->pairs[i].id_a) ||
            !fp_string_equal(a->pairs[i].id_b, b->pairs[i].id_b))
            return FP_FAIL_AT(error, FP_ERROR_UNKNOWN, a->path,
                              "not the same sample as %s: pair %zu has other documents", b->path, i + 1);
    return FP_OK;
}
