/* SPDX-License-Identifier: GPL-3.0-or-later
 * Maps paths to files, and files to formats. */
#include "corpora/readers/entry_inputs.h"

#include <errno.h>
#include <fnmatch.h>
#include <fts.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/reader.h"
#include "corpora/read.h"

/* "news.txt" for "news.txt.gz"; NULL: no memory. */
static const char *without_packing(const char *name, fp_arena *arena) {
    fp_string text = fp_string_of(name);
    for (const char *const *ending = (const char *const[]){".gz", ".zst", NULL}; *ending; ending++)
        if (text.length > strlen(*ending) && fp_string_ends(text, fp_string_of(*ending)))
            return fp_string_copy(arena, (fp_string){name, text.length - strlen(*ending)});
    return name;
}

fp_status fp_entry_input_open(const fp_entry_inputs *in, fp_entry_input *from, fp_error *error) {
    const fp_entries_options *options = in->options;
    const fp_form *form = from->form;
    bool comma = form->separator == ',' && options->separator;
    from->as.csv = (fp_csv){comma ? options->separator : form->separator, !options->no_quotes};
    const fp_line_options how = {.most = options->most_bytes ? options->most_bytes : FP_MOST_LINE_BYTES,
                                 .bounds_lines = true,
                                 .skips = options->skip_bad,
                                 .cut = form->separator ? fp_csv_cut(from->as.csv) : *form->cut,
                                 .encoding = form->decoded && !from->corpus ? options->encoding : NULL,
                                 .progress = options->progress};
    return fp_line_blocks_open(from->as.path, &how, in->arena, &from->blocks, error);
}

/* Detects the format of an open file whose name does not determine it. A read error of the block is reported in its
 * turn. */
static fp_status recognise(const fp_entry_inputs *to, fp_entry_input *from, fp_error *error) {
    const fp_form *form = from->form;
    const fp_line *lines;
    size_t count;
    fp_error later;
    fp_status status = fp_line_blocks_next(from->blocks, &lines, &count, &later);
    fp_line_blocks_again(from->blocks);
    if (status == FP_ERROR_MEMORY) return fp_no_memory(error);
    if (status != FP_OK) return FP_OK;
    status = fp_form_recognise(to->options, lines, count, to->arena, &form, error);
    if (status != FP_OK) return fp_at(error, status, fp_path_shown(from->as.path), SIZE_MAX, SIZE_MAX);
    from->recognised = form != from->form;
    from->form = form;
    return FP_OK;
}

/* The prefix of generated ids; NULL: no memory. */
static const char *prefix_of(const fp_entry_inputs *to, const fp_entry_input *added) {
    if (to->options->prefix) return to->options->prefix;
    bool standard = strcmp(added->as.path, "-") == 0;
    return !added->form->cut || standard ? "" : fp_format(to->arena, "%s:", added->as.name);
}

/* Takes ownership of the blocks of `added`, except on failure. */
static fp_status add_input(fp_entry_inputs *to, const fp_entry_input *added, fp_error *error) {
    const char *prefix = FP_NEED(prefix_of(to, added), error);
    FP_TRY(FP_ROOM(to->arena, to->list, to->count, to->room, error));
    fp_entry_input *made = to->list + to->count++;
    *made = *added;
    made->as.options = to->options;
    made->as.prefix = prefix;
    return FP_OK;
}

static fp_status open_file(fp_entry_inputs *to, const char *path, const struct stat *facts, fp_error *error) {
    const char *slash = strrchr(path, '/');
    bool standard = strcmp(path, "-") == 0;
    const char *name = FP_NEED(without_packing(slash ? slash + 1 : path, to->arena), error);
    fp_entry_input made = {
        .form = to->options->form, .as = {.path = path, .name = name}, .stream = !S_ISREG(facts->st_mode)};
    if (!made.form) made.form = fp_form_guess(made.as.name, false);
    bool named = made.form;
    if (!named) made.form = fp_form_find("lines");
    if (!made.form->cut && !standard && access(path, R_OK) != 0) return fp_file_error(error, path, "open");
    if (made.form->cut) FP_TRY(fp_entry_input_open(to, &made, error));
    if (standard)
        made.stream = !made.blocks || !fp_line_blocks_can_rewind(made.blocks); /* "< FILE" can be read again */
    fp_status status = named ? FP_OK : recognise(to, &made, error);
    if (status == FP_OK) status = add_input(to, &made, error);
    if (status != FP_OK) fp_line_blocks_close(made.blocks);
    return status;
}

/* ---- The files below a directory, by the tree walk of the C library, which follows links and detects cycles ---- */

static int by_name(const FTSENT **a, const FTSENT **b) { return strcmp((*a)->fts_name, (*b)->fts_name); }

/* A pattern without a slash is matched against the file's own name. `top` is the length of the path before the name
 * relative to the directory. */
static bool is_wanted(const char *glob, const FTSENT *file, size_t top) {
    if (!glob) return true;
    return strchr(glob, '/') ? fnmatch(glob, file->fts_path + top, FNM_PATHNAME) == 0
                             : fnmatch(glob, file->fts_name, 0) == 0;
}

/* Adds a file of the walk; `wrong`: why it cannot be read, or NULL. */
static fp_status add_listed(fp_entry_inputs *to, const FTSENT *file, size_t top, const char *wrong, fp_error *error) {
    const char *path = FP_NEED(fp_string_copy(to->arena, fp_string_of(file->fts_path)), error);
    const char *name = path + (top < strlen(path) ? top : 0);
    fp_entry_input made = {.form = to->options->form,
                           .as = {.path = path, .name = FP_NEED(without_packing(name, to->arena), error)},
                           .wrong = wrong,
                           .listed = true};
    if (!made.form) made.form = fp_form_guess(made.as.name, true);
    if (!made.form) made.form = fp_form_find("text");
    return add_input(to, &made, error);
}

static fp_status take(fp_entry_inputs *to, FTS *tree, FTSENT *file, size_t top, fp_error *error) {
    const char *glob = to->options->glob;
    if (file->fts_level > 0 && file->fts_name[0] == '.') {
        fts_set(tree, file, FTS_SKIP);
        return FP_OK;
    }
    switch (file->fts_info) {
    case FTS_F: return is_wanted(glob, file, top) ? add_listed(to, file, top, NULL, error) : FP_OK;
    case FTS_DC: /* its target is already listed: with a pattern nothing is missing */
        if (glob) return FP_OK;
        return add_listed(to, file, top, "a symbolic link that leads back to a directory that contains it", error);
    case FTS_SLNONE:
        return is_wanted(glob, file, top) ? add_listed(to, file, top, "a symbolic link that leads nowhere", error)
                                          : FP_OK;
    case FTS_DNR:
    case FTS_ERR:
    case FTS_NS: {
        const char *why = FP_NEED(fp_string_copy(to->arena, fp_string_of(strerror(file->fts_errno))), error);
        return add_listed(to, file, top, why, error);
    }
    default: return FP_OK;
    }
}

static fp_status add_tree(fp_entry_inputs *to, const char *directory, fp_error *error) {
    char *root = FP_NEED(fp_string_copy(to->arena, fp_string_of(directory)), error), *const roots[] = {root, NULL};
    size_t length = strlen(root);
    while (length > 1 && root[length - 1] == '/') root[--length] = '\0';
    size_t top = root[length - 1] == '/' ? length : length + 1;
    FTS *tree = fts_open(roots, FTS_LOGICAL | FTS_NOCHDIR, by_name);
    if (!tree) return fp_file_error(error, directory, "open");
    fp_status status = FP_OK;
    errno = 0;
    for (FTSENT *file; status == FP_OK && (file = fts_read(tree));) status = take(to, tree, file, top, error);
    if (status == FP_OK && errno != 0) status = fp_file_error(error, directory, "read");
    fts_close(tree);
    return status;
}

static fp_status open_directory(fp_entry_inputs *to, const char *path, fp_error *error) {
    const fp_form *objects = fp_form_find("jsonl");
    const char *documents = FP_NEED(fp_corpus_documents_path(path, to->arena), error);
    bool corpus = !to->options->glob && (!to->options->form || to->options->form == objects);
    if (corpus && access(documents, F_OK) == 0) {
        fp_entry_input made = {.form = objects, .as = {.path = documents, .name = "docs.jsonl"}, .corpus = true};
        FP_TRY(fp_entry_input_open(to, &made, error));
        fp_status status = add_input(to, &made, error);
        if (status != FP_OK) fp_line_blocks_close(made.blocks);
        return status;
    }
    size_t before = to->count;
    FP_TRY(add_tree(to, path, error));
    if (to->count > before) return FP_OK;
    if (to->options->glob) return FP_FAIL_AT(error, FP_ERROR_EMPTY, path, "no file here matches %s", to->options->glob);
    return FP_FAIL_AT(error, FP_ERROR_EMPTY, path,
                      "neither a corpus, which has docs.jsonl, nor a directory with files in it");
}

fp_status fp_entry_inputs_add(fp_entry_inputs *to, const char *path, fp_error *error) {
    struct stat facts = {0};
    bool there = strcmp(path, "-") != 0 && stat(path, &facts) == 0;
    return there && S_ISDIR(facts.st_mode) ? open_directory(to, path, error) : open_file(to, path, &facts, error);
}

void fp_entry_inputs_close(fp_entry_inputs *inputs) {
    for (size_t i = 0; i < inputs->count; i++) fp_line_blocks_close(inputs->list[i].blocks);
    inputs->count = 0;
}
