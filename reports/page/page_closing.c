/* SPDX-License-Identifier: GPL-3.0-or-later
 * The end of the page: what was run, what the terms mean, how to repeat it. */
#include <string.h>

#include "corpora/json.h"
#include "reports/page/page_form.h"

/* A word of a command line as a shell takes it. */
static char *quote(const char *word, fp_arena *arena) {
    static const char SAFE[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./:=,@%+";
    size_t length = strlen(word), used = 0;
    if (length && strspn(word, SAFE) == length) return fp_format(arena, "%s", word);
    char *made = fp_arena_raw(arena, length * 4 + 3, 1);
    if (!made) return NULL;
    made[used++] = '\'';
    for (size_t i = 0; i < length; i++) {
        if (word[i] == '\'') used += (size_t)sprintf(made + used, "'\\''");
        else made[used++] = word[i];
    }
    made[used++] = '\'';
    made[used] = '\0';
    return made;
}

static void write_command(fp_page *page, const fp_recorded *run) {
    char *line = fp_format(page->arena, "fplab");
    for (size_t i = 0; line && i < run->argument_count; i++) {
        const char *word = quote(run->arguments[i], page->arena);
        if (!word) return;
        line = fp_format(page->arena, "%s %s", line, word);
    }
    const char *shown = line ? fp_page_data(fp_string_of(line), page->arena).en : NULL;
    if (shown) page->form->code(page, shown);
}

static void write_arms(fp_page *page) {
    const fp_recorded *run = page->run;
    if (run->arm_count == 0) return;
    page->form->heading(page, "arms", FP_SAY_PLAIN(page, ARMS));
    for (size_t i = 0; i < run->arm_count; i++)
        page->form->term(page, fp_page_data(fp_string_of(run->names[i]), page->arena),
                         fp_page_data(fp_string_of(run->specs[i]), page->arena));
}

static void write_corpora(fp_page *page) {
    const fp_recorded *run = page->run;
    if (run->corpus_count == 0) return;
    page->form->heading(page, "corpora", FP_SAY_PLAIN(page, CORPORA));
    for (size_t i = 0; i < run->corpus_count; i++) {
        const char *text =
            fp_format(page->arena, "%s, sha256 %s", run->corpora[i].path, run->corpora[i].documents_sha256);
        if (text)
            page->form->term(page, fp_page_data(fp_string_of(run->corpora[i].name), page->arena),
                             fp_page_data(fp_string_of(text), page->arena));
    }
}

/* The definitions of run.json that are texts. */
static void write_definitions(fp_page *page) {
    const char *path = fp_format(page->arena, "%s/run.json", page->run->directory);
    fp_string content, text;
    const fp_json *run;
    fp_error error = {0};
    if (!path) return;
    if (fp_json_read(path, page->arena, &content, &run, &error) != FP_OK) {
        page->failed = error; /* it could be read when the page was begun */
        return;
    }
    const fp_json *definitions = fp_json_member(run, "definitions");
    if (!definitions || definitions->type != FP_JSON_OBJECT) return;
    page->form->heading(page, "definitions", FP_SAY_PLAIN(page, DEFINITIONS));
    page->form->paragraph(page, FP_PAGE_PLAIN, FP_SAY_PLAIN(page, DEFINITIONS_TEXT));
    for (const fp_json *at = definitions->first; at; at = at->next) {
        const char *name = fp_string_copy(page->arena, at->name);
        if (!name || at->type != FP_JSON_STRING || at->text.length < 24) continue;
        if (fp_json_string(definitions, name, page->arena, &text, &error) != FP_OK) continue;
        page->form->term(page, fp_page_column(name, page->arena), fp_page_data(text, page->arena));
    }
}

void fp_page_closing(fp_page *page) {
    write_arms(page);
    write_corpora(page);
    write_definitions(page);
    page->form->heading(page, "repeat", FP_SAY_PLAIN(page, REPEAT));
    page->form->paragraph(page, FP_PAGE_PLAIN, FP_SAY_PLAIN(page, REPEAT_TEXT));
    for (size_t i = 0; i < page->run_count; i++) write_command(page, page->runs[i].run);
    page->form->paragraph(page, FP_PAGE_PLAIN, FP_SAY_PLAIN(page, REPEAT_RERUN));
    page->form->code(page, "fplab rerun RUN");
}
