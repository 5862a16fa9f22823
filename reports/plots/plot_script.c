/* SPDX-License-Identifier: GPL-3.0-or-later
 * Writes the files that gnuplot runs. */
#include "reports/plots/plot_parts.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory_stream.h"
#include "text/unicode/utf8.h"

/* ---- Names ---- */

enum { LONGEST_STEM = 160 };

static bool safe(char byte) {
    unsigned char code = (unsigned char)byte;
    return code >= 0x80 || (code >= 'a' && code <= 'z') || (code >= 'A' && code <= 'Z') ||
           (code >= '0' && code <= '9') || byte == '-' || byte == '_' || byte == '.';
}

char *fp_plot_stem(fp_string corpus, fp_arena *arena) {
    fp_string text = fp_plot_text(corpus, arena);
    if (text.length == 0) text = fp_string_of("corpus");
    char *stem = fp_arena_raw(arena, LONGEST_STEM + 16, 1);
    size_t length = text.length;
    if (length > LONGEST_STEM) {
        length = LONGEST_STEM;
        while (length && (text.data[length] & 0xc0) == 0x80) length--; /* not inside a character */
    }
    memcpy(stem, text.data, length);
    stem[length] = '\0';
    for (size_t i = 0; i < length; i++)
        if (!safe(stem[i]) || (i == 0 && (stem[i] == '-' || stem[i] == '.'))) stem[i] = '_';
    if (fp_string_equal((fp_string){stem, length}, corpus)) return stem;
    snprintf(stem + length, 16, "-%08x", (unsigned)(fp_fnv1a(corpus.data, corpus.length, 0) & 0xffffffffu));
    return stem;
}

/* ---- Scripts (reports/plots/gnuplot/) ---- */

#define SCRIPT(name) extern const char fp_table_gnuplot_##name[], fp_table_gnuplot_##name##_end[];
#include "gnuplot_scripts.h" /* one SCRIPT for each, made by plots.mk */
#undef SCRIPT
#define SCRIPT(name) {#name, fp_table_gnuplot_##name, fp_table_gnuplot_##name##_end},
static const struct script {
    const char *name, *begin, *end;
} SCRIPTS[] = {
#include "gnuplot_scripts.h"
};
enum { SCRIPT_COUNT = sizeof SCRIPTS / sizeof *SCRIPTS };

/* All figures load style.gp, which loads words.gp. Some load a shared script; they contain "…'ranking.gp'". */
static bool is_loaded_by(const char *script, const char *figure) {
    char quoted[64];
    snprintf(quoted, sizeof quoted, "'%s.gp'", script);
    for (size_t i = 0; i < SCRIPT_COUNT; i++)
        if (strcmp(SCRIPTS[i].name, figure) == 0 &&
            memmem(SCRIPTS[i].begin, (size_t)(SCRIPTS[i].end - SCRIPTS[i].begin), quoted, strlen(quoted)))
            return true;
    return strcmp(script, figure) == 0;
}

static bool is_wanted(const char *script, const char *const *figures) {
    for (; *figures; figures++)
        if (is_loaded_by(script, *figures)) return true;
    return strcmp(script, "style") == 0 || strcmp(script, "words") == 0;
}

fp_status fp_plot_scripts_save(const char *directory, const char *const *figures, fp_arena *arena, fp_error *error) {
    for (const struct script *it = SCRIPTS; it < SCRIPTS + SCRIPT_COUNT; it++) {
        if (!is_wanted(it->name, figures)) continue;
        const char *path = fp_format(arena, "%s/%s.gp", directory, it->name);
        fp_output output;
        FP_TRY(fp_output_open(&output, path, error));
        fwrite(it->begin, 1, (size_t)(it->end - it->begin), output.stream);
        FP_TRY(fp_output_close(&output, error));
    }
    return FP_OK;
}

/* ---- Arms ---- */

/* A table's name as a gnuplot variable, without hyphens. */
static void write_variable(FILE *stream, const char *table, const char *end) {
    for (const char *at = table; *at; at++) fputc(*at == '-' ? '_' : *at, stream);
    fprintf(stream, "_%s", end);
}

/* For an empty curve, the last row is before the first. */
static void write_rows(FILE *stream, uint64_t tables, const fp_plot_arm *arms, size_t count) {
    fprintf(stream, "# Their rows in the tables, counted from 0 after the header.\n");
    for (int table = 0; fp_schema_at(table); table++) {
        for (int last = 0; tables >> table & 1 && last < 2; last++) {
            fprintf(stream, "array ");
            write_variable(stream, fp_schema_at(table)->name, last ? "last" : "first");
            fprintf(stream, "[arms] = [");
            for (size_t i = 0; i < count; i++) {
                long long row = (long long)(arms[i].first[table] + (last ? arms[i].rows[table] : 0)) - last;
                fprintf(stream, "%s%lld", i ? ", " : "", row);
            }
            fprintf(stream, "]\n");
        }
    }
}

/* Writes the strata, which are the same for every arm, because gnuplot interprets backslashes and quotation marks in
 * names that it reads from a table. */
static void write_strata(FILE *stream, const fp_plot_arms *all, const fp_plot_arm *arm, fp_arena *arena) {
    size_t count = arm->rows[FP_FILE_STRATA];
    if (!(all->tables >> FP_FILE_STRATA & 1)) return;
    const char *by = fp_plot_quote_field(all->by, arena);
    fprintf(stream, "by = %s\n", by);
    fp_plot_write_texts(stream, "stratum", all->strata + arm->first[FP_FILE_STRATA], count, sizeof *all->strata, arena);
}

static void write_arms(FILE *stream, const fp_gnuplot *draw, const fp_plot_arms *all, const fp_plot_arm *arms,
                       size_t count, double confidence) {
    const char *name = fp_plot_quote_field(arms->corpus, draw->arena);
    fprintf(stream, "directory = here.'..'\nstem = '%s'\ncorpus = %s\n", draw->stem, name);
    fprintf(stream, "confidence = %g # of the intervals; 0: not known\narms = %zu\n", confidence, count);
    fprintf(stream, "documents = %d # 1: documents are counted, not pairs\n", all->documents);
    fprintf(stream, "texts = %" PRIu64 ". # of the corpus; 0: not known\n", arms->texts);
    fprintf(stream, "bands = %d # 1: results.tsv has simultaneous bands\n", all->bands);
    fprintf(stream, "has_times = %d # 1: summary.tsv has intervals of the times\n", all->times);
    fprintf(stream, "has_bounds = %d # 1: summary.tsv has the bound of the best F1\n", all->bounds);
    fp_plot_write_texts(stream, "label", &arms->label, count, sizeof *arms, draw->arena);
    write_strata(stream, all, arms, draw->arena);
    write_rows(stream, all->tables, arms, count);
}

fp_status fp_plot_arms_save(const fp_gnuplot *draw, const fp_plot_arms *all, const fp_plot_arm *arms, size_t count,
                            double confidence, fp_error *error) {
    static const char TITLE[] = "The arms of a corpus, for the figures beside this file. Labels may be changed.";
    fp_memory_stream memory;
    FP_TRY(fp_memory_stream_open(&memory, error));
    write_arms(memory.stream, draw, all, arms, count, confidence);
    FP_TRY(fp_memory_stream_close(&memory, error));
    fp_status status = fp_gnuplot_describe(draw, TITLE, "thresholds", memory.text, error);
    free(memory.text);
    return status;
}

/* ---- Texts of pictures ---- */

/* Three bytes of UTF-8: a noncharacter, or a control of the text direction. */
static bool cannot_stand(const unsigned char *at) {
    unsigned code = (at[0] & 15u) << 12 | (at[1] & 63u) << 6 | (at[2] & 63u);
    if ((at[0] & 0xf0) != 0xe0) return false;
    return (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069) || code >= 0xfffe;
}

fp_string fp_plot_text(fp_string field, fp_arena *arena) {
    char *text = fp_arena_raw(arena, field.length * 3 + 1, 1);
    size_t used = 0, valid = fp_utf8_check(field);
    for (size_t i = 0; i < field.length; i++) {
        bool broken = i == valid;
        if (broken || (i + 3 <= valid && cannot_stand((const unsigned char *)field.data + i))) {
            used += (size_t)sprintf(text + used, "\xef\xbf\xbd");
            if (broken) valid = i + 1 + fp_utf8_check((fp_string){field.data + i + 1, field.length - i - 1});
            else i += 2;
            continue;
        }
        unsigned char byte = (unsigned char)field.data[i];
        text[used++] = byte < ' ' || byte == 0x7f ? ' ' : field.data[i];
    }
    text[used] = '\0';
    return (fp_string){text, used};
}

/* gnuplot reads '…' literally, except that two adjacent apostrophes confuse it; in "…" it interprets \ and `. */
char *fp_plot_quote(fp_string text, fp_arena *arena) {
    char *made = fp_arena_raw(arena, text.length * 4 + 3, 1);
    char quote = text.length && memchr(text.data, '\'', text.length) ? '"' : '\'';
    size_t used = 0;
    made[used++] = quote;
    for (size_t i = 0; i < text.length; i++) {
        char byte = text.data[i];
        if (quote == '"' && (byte == '"' || byte == '\\' || byte == '`'))
            used += (size_t)sprintf(made + used, "\\%03o", (unsigned)byte);
        else made[used++] = byte;
    }
    made[used++] = quote;
    made[used] = '\0';
    return made;
}

/* Puts a word joiner into "]]>". */
static fp_string join(fp_string text, fp_arena *arena) {
    static const char END[] = "]]>", JOINED[] = "]]\xe2\x81\xa0>";
    char *made = fp_arena_raw(arena, text.length * 2 + 1, 1);
    size_t used = 0;
    for (size_t i = 0; i < text.length;) {
        bool end = text.length - i >= 3 && memcmp(text.data + i, END, 3) == 0;
        size_t taken = end ? sizeof JOINED - 1 : 1;
        memcpy(made + used, end ? JOINED : text.data + i, taken);
        used += taken;
        i += end ? 3 : 1;
    }
    return (fp_string){made, used};
}

char *fp_plot_quote_field(fp_string field, fp_arena *arena) {
    return fp_plot_quote(join(fp_plot_text(field, arena), arena), arena);
}

void fp_plot_write_texts(FILE *stream, const char *name, const fp_string *fields, size_t count, size_t stride,
                         fp_arena *arena) {
    if (count) fprintf(stream, "array %s[%zu] = [ \\\n", name, count);
    else fprintf(stream, "array %s[1] = ['']\n", name);
    for (size_t i = 0; i < count; i++) {
        const fp_string *field = (const void *)((const char *)fields + i * stride);
        const char *label = fp_plot_quote_field(*field, arena);
        fprintf(stream, "    %s%s \\\n", label, i + 1 < count ? "," : "");
    }
    if (count) fprintf(stream, "]\n");
}

void fp_plot_write_counts(FILE *stream, const char *name, const uint64_t *counts, size_t count) {
    fprintf(stream, "array %s[%zu] = [", name, count);
    for (size_t i = 0; i < count; i++)
        fprintf(stream, "%s%" PRIu64 ".", i == 0 ? "" : i % 16 ? ", " : ", \\\n    ", counts[i]);
    fprintf(stream, "]\n");
}
