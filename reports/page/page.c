/* SPDX-License-Identifier: GPL-3.0-or-later
 * The page from its beginning to its end. */
#include "reports/page/page.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "corpora/json.h"
#include "reports/page/page_form.h"

fp_page_text fp_page_words(fp_page *page, fp_page_word word, const fp_page_text *values, size_t count) {
    fp_page_text text = fp_page_say(word, values, count, page->arena);
    if (!text.en || !text.zh) page->lost = true;
    return text;
}

fp_page_text fp_page_plain(const char *text) { return (fp_page_text){text, text}; }

void fp_page_note(fp_page *page, fp_page_text text, bool told) {
    page->whole = false;
    page->lost |= *page->noted || !text.en || !text.zh;
    if (page->lost) return;
    if (page->note_count < FP_PAGE_NOTES) page->notes[page->note_count++] = text;
    if (told && page->options->left_out) page->options->left_out(page->options->context, text.en);
}

/* ---- What run.json says ---- */

static fp_status definitions_of(const fp_recorded *run, fp_arena *arena, const fp_json **definitions, fp_error *error) {
    const char *path = fp_format(arena, "%s/run.json", run->directory);
    fp_string content;
    const fp_json *json;
    if (!path) return fp_no_memory(error);
    FP_TRY(fp_json_read(path, arena, &content, &json, error));
    *definitions = fp_json_member(json, "definitions");
    return FP_OK;
}

static bool counts_documents(const fp_json *definitions) {
    const fp_json *level = fp_json_member(definitions, "level");
    return level && level->type == FP_JSON_STRING && fp_string_equal(level->text, fp_string_of("document"));
}

bool fp_page_counts_documents(const fp_recorded *run, fp_arena *arena) {
    fp_error error = {0};
    const fp_json *definitions = NULL;
    return definitions_of(run, arena, &definitions, &error) == FP_OK && counts_documents(definitions);
}

static fp_status read_definitions(fp_page *page, const fp_recorded *run, fp_error *error) {
    double confidence = 0;
    const fp_json *definitions = NULL;
    FP_TRY(definitions_of(run, page->arena, &definitions, error));
    const fp_json *value = fp_json_member(definitions, "confidence");
    page->documents = counts_documents(definitions);
    if (value) FP_TRY(fp_json_real(value, "confidence", &confidence, error));
    page->confidence = confidence > 0 && confidence < 1 ? fp_format(page->arena, "%g%%", 100 * confidence) : "95%";
    return page->confidence ? FP_OK : fp_no_memory(error);
}

/* Runs are one when they count the same, and are as sure of it. */
static fp_status read_all_definitions(fp_page *page, fp_error *error) {
    FP_TRY(read_definitions(page, page->runs->run, error));
    const char *confidence = page->confidence;
    bool documents = page->documents;
    for (size_t i = 1; i < page->run_count; i++) {
        const fp_recorded *run = page->runs[i].run;
        if (strcmp(run->arguments[0], "eval") != 0) continue;
        FP_TRY(read_definitions(page, run, error));
        if (strcmp(confidence, page->confidence) == 0 && documents == page->documents) continue;
        fp_fail(error, FP_ERROR_SYNTAX, "the run counts %s with %s intervals, that of %s %s with %s",
                page->documents ? "documents" : "pairs", page->confidence, page->runs->run->directory,
                documents ? "documents" : "pairs", confidence);
        return fp_at(error, FP_ERROR_SYNTAX, run->directory, SIZE_MAX, SIZE_MAX);
    }
    return FP_OK;
}

/* The corpora that the run names, as a title. */
static fp_page_text title_of(fp_page *page) {
    fp_page_text all = fp_page_plain("");
    for (size_t i = 0; i < page->run->corpus_count; i++) {
        fp_page_text name = fp_page_data(fp_string_of(page->run->corpora[i].name), page->arena);
        fp_page_text comma = FP_SAY_PLAIN(page, COMMA);
        if (!all.en || !all.zh || !comma.en || !comma.zh || !name.en) break;
        all = (fp_page_text){fp_format(page->arena, "%s%s%s", all.en, i ? comma.en : "", name.en),
                             fp_format(page->arena, "%s%s%s", all.zh, i ? comma.zh : "", name.zh)};
    }
    return FP_SAY(page, TITLE, all);
}

/* ---- Writing ---- */

static void write_notes(fp_page *page, size_t count) {
    if (count == 0) return;
    page->form->heading(page, "notes", FP_SAY_PLAIN(page, NOTES));
    for (size_t i = 0; i < count; i++) page->form->paragraph(page, FP_PAGE_WARNING, page->notes[i]);
}

/* What is found to be missing while the page is written stands at its end. */
static void write_all(fp_page *page) {
    const fp_page_form *form = page->form;
    if (page->options->format == FP_PAGE_LATEX_TABLE) {
        fp_page_compared(page);
        return;
    }
    fp_page_text version = fp_page_data(fp_string_of(page->run->version), page->arena),
                 date = fp_page_data(fp_string_of(page->run->date), page->arena);
    form->begin(page, title_of(page));
    form->paragraph(page, FP_PAGE_PLAIN, FP_SAY(page, MADE, version, date));
    if (fp_page_evaluations(page) > 1) fp_page_comparison(page);
    fp_page_answer(page);
    if (form->live) form->live(page);
    fp_page_section_summary(page);
    if (page->options->format != FP_PAGE_HTML) fp_page_compared(page);
    if (form->quality) form->quality(page);
    fp_page_thresholds(page);
    fp_page_figures(page);
    fp_page_sections(page);
    fp_page_closing(page);
    write_notes(page, page->note_count);
    form->end(page);
}

/* Every table that a part of the page reads is read before, so that what cannot be read is told at once. */
static fp_status prepare(fp_page *page, fp_error *error) {
    FP_TRY(read_all_definitions(page, error));
    FP_TRY(fp_page_join_runs(page, error));
    FP_TRY(fp_page_check(page, error));
    if (fp_page_find_arms(page)) return fp_page_check_pairs(page, error);
    if (page->lost) return fp_no_memory(error);
    fp_fail(error, FP_ERROR_EMPTY, "no summary.tsv and no results.tsv that can be read: there is nothing to report");
    return fp_at(error, FP_ERROR_EMPTY, page->runs->run->directory, SIZE_MAX, SIZE_MAX);
}

/* ---- Memory ---- */

/* The parts of a page pass over what they have no memory for; that there was none is noted here, and nothing is written
 * then. The context is the bool that is set. */
static void *allocate(void *context, size_t size) {
    void *place = malloc(size);
    if (!place) *(bool *)context = true;
    return place;
}

static void *resize(void *context, void *place, size_t size) {
    void *made = realloc(place, size);
    if (!made) *(bool *)context = true;
    return made;
}

static void release(void *context, void *place) {
    (void)context;
    free(place);
}

static fp_status write_page(fp_page *page, const char *path, fp_error *error) {
    fp_output output;
    FP_TRY(prepare(page, error));
    FP_TRY(fp_output_open(&output, path, error));
    page->stream = output.stream;
    if (page->form) write_all(page);
    else fp_page_tables(page);
    bool lost = page->lost || *page->noted;
    if (!lost && page->failed.code == FP_OK) return fp_output_close(&output, error);
    fp_output_discard(&output);
    if (lost) return fp_no_memory(error);
    *error = page->failed;
    return error->code;
}

fp_status fp_page_write(const fp_page_run *runs, size_t count, const fp_page_options *options, const char *path,
                        bool *whole, fp_error *error) {
    static const fp_page_form *const FORMS[FP_PAGE_FORMATS] = {&fp_page_html, &fp_page_markdown, &fp_page_latex, NULL,
                                                               NULL,          &fp_page_latex};
    bool lost = false;
    const fp_allocator noting = {sizeof noting, &lost, allocate, resize, release};
    fp_arena *arena;
    *whole = false;
    FP_TRY(fp_arena_new_with(&noting, &arena, error));
    fp_page *page = fp_arena_alloc(arena, 1, sizeof *page);
    fp_status status = fp_no_memory(error);
    if (page) {
        *page = (fp_page){.form = FORMS[options->format],
                          .runs = runs,
                          .run_count = count,
                          .options = options,
                          .languages = options->languages ? options->languages : FP_PAGE_BOTH,
                          .whole = true,
                          .noted = &lost,
                          .arena = arena};
        status = write_page(page, path, error);
        *whole = page->whole;
    }
    fp_arena_free(arena);
    return status;
}
