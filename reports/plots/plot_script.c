/* SPDX-License-Identifier: GPL-3.0-or-later
 * The files that gnuplot runs. */
#include "reports/plots/plot_script.h"

#include <inttypes.h>
#include <string.h>

#include "reports/plots/plot_text.h"

/* ---- Names ---- */

enum { LONGEST_STEM = 160 };

static bool safe(char byte) {
    unsigned char code = (unsigned char)byte;
    return code >= 0x80 || (code >= 'a' && code <= 'z') || (code >= 'A' && code <= 'Z') ||
           (code >= '0' && code <= '9') || byte == '-' || byte == '_' || byte == '.';
}

char *fp_plot_stem(fp_string corpus, fp_arena *arena) {
    fp_string text = fp_plot_text(corpus, arena);
    if (!text.data) return NULL;
    if (text.length == 0) text = fp_string_of("corpus");
    char *stem = fp_arena_raw(arena, LONGEST_STEM + 16, 1);
    if (!stem) return NULL;
    size_t length = text.length;
    if (length > LONGEST_STEM) {
        length = LONGEST_STEM;
        while (length && (text.data[length] & 0xc0) == 0x80) length--; /* not within a character */
    }
    memcpy(stem, text.data, length);
    stem[length] = '\0';
    for (size_t i = 0; i < length; i++)
        if (!safe(stem[i]) || (i == 0 && (stem[i] == '-' || stem[i] == '.'))) stem[i] = '_';
    if (fp_string_equal((fp_string){stem, length}, corpus)) return stem;
    snprintf(stem + length, 16, "-%08x", (unsigned)(fp_fnv1a(corpus.data, corpus.length, 0) & 0xffffffffu));
    return stem;
}

/* ---- Scripts (reports/gnuplot/) ---- */

#define SCRIPT(name) extern const char fp_table_gnuplot_##name[], fp_table_gnuplot_##name##_end[];
#include "gnuplot_scripts.h" /* a SCRIPT for each, made by plots.mk */
#undef SCRIPT
#define SCRIPT(name) {#name, fp_table_gnuplot_##name, fp_table_gnuplot_##name##_end},
static const struct script {
    const char *name, *begin, *end;
} SCRIPTS[] = {
#include "gnuplot_scripts.h"
};
enum { SCRIPT_COUNT = sizeof SCRIPTS / sizeof *SCRIPTS };

/* All figures load style.gp, which loads words.gp, and some load one that they share: "…'ranking.gp'" stands in them.
 */
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
        if (!path) return fp_no_memory(error);
        FP_TRY(fp_output_open(&output, path, error));
        fwrite(it->begin, 1, (size_t)(it->end - it->begin), output.stream);
        FP_TRY(fp_output_close(&output, error));
    }
    return FP_OK;
}

/* ---- Arms ---- */

/* A table's name in gnuplot, which has no hyphens. */
static void write_variable(FILE *stream, const char *table, const char *end) {
    for (const char *at = table; *at; at++) fputc(*at == '-' ? '_' : *at, stream);
    fprintf(stream, "_%s", end);
}

/* An empty curve ends before it begins. */
static void write_rows(FILE *stream, uint64_t tables, const fp_plot_arm *arms, size_t count) {
    fprintf(stream, "# Where they stand in the tables: rows are counted from 0, the header apart.\n");
    for (int table = 0; table < FP_PLOT_TABLES; table++) {
        for (int last = 0; tables >> table & 1 && last < 2; last++) {
            fprintf(stream, "array ");
            write_variable(stream, fp_plot_table_name(table), last ? "last" : "first");
            fprintf(stream, "[arms] = [");
            for (size_t i = 0; i < count; i++) {
                long long row = (long long)(arms[i].first[table] + (last ? arms[i].rows[table] : 0)) - last;
                fprintf(stream, "%s%lld", i ? ", " : "", row);
            }
            fprintf(stream, "]\n");
        }
    }
}

/* The strata of an arm, which are those of every arm: gnuplot, when it reads names from a table, obeys the backslashes
 * and quotation marks in them. */
static fp_status write_strata(FILE *stream, const fp_plot_arms *all, const fp_plot_arm *arm, fp_arena *arena,
                              fp_error *error) {
    size_t count = arm->rows[FP_PLOT_STRATA];
    if (!(all->tables >> FP_PLOT_STRATA & 1)) return FP_OK;
    const char *by = fp_plot_quote_field(all->by, arena);
    if (!by) return fp_no_memory(error);
    fprintf(stream, "by = %s\n", by);
    return fp_plot_write_texts(stream, "stratum", all->strata + arm->first[FP_PLOT_STRATA], count, sizeof *all->strata,
                               arena, error);
}

static fp_status write_arms(FILE *stream, const fp_gnuplot *draw, const fp_plot_arms *all, const fp_plot_arm *arms,
                            size_t count, double confidence, fp_error *error) {
    const char *name = fp_plot_quote_field(arms->corpus, draw->arena);
    if (!name) return fp_no_memory(error);
    fprintf(
        stream,
        "# The arms of a corpus, for the figures beside this file. Labels may be changed. To draw, in this directory:\n"
        "#   gnuplot %s-arms.gp thresholds.gp\n"
        "#   gnuplot -e \"format = 'svg'\" %s-arms.gp thresholds.gp\n",
        draw->stem, draw->stem);
    FP_TRY(fp_gnuplot_head(stream, draw->options, draw->arena, error));
    fprintf(stream, "directory = here.'..'\nstem = '%s'\ncorpus = %s\n", draw->stem, name);
    fprintf(stream, "confidence = %g # of the intervals; 0: not known\narms = %zu\n", confidence, count);
    fprintf(stream, "documents = %d # 1: documents are counted, not pairs\n", all->documents);
    fprintf(stream, "texts = %" PRIu64 ". # of the corpus; 0: not known\n", arms->texts);
    fprintf(stream, "bands = %d # 1: results.tsv has simultaneous bands\n", all->bands);
    fprintf(stream, "times_told = %d # 1: summary.tsv has intervals of the times\n", all->times);
    FP_TRY(fp_plot_write_texts(stream, "label", &arms->label, count, sizeof *arms, draw->arena, error));
    FP_TRY(write_strata(stream, all, arms, draw->arena, error));
    write_rows(stream, all->tables, arms, count);
    return FP_OK;
}

fp_status fp_plot_arms_save(const fp_gnuplot *draw, const fp_plot_arms *all, const fp_plot_arm *arms, size_t count,
                            double confidence, fp_error *error) {
    const char *path = fp_format(draw->arena, "%s/%s", draw->directory, draw->arms);
    fp_output output;
    if (!path) return fp_no_memory(error);
    FP_TRY(fp_output_open(&output, path, error));
    fp_status status = write_arms(output.stream, draw, all, arms, count, confidence, error);
    if (status == FP_OK) return fp_output_close(&output, error);
    fp_output_discard(&output);
    return status;
}
