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

/* "news.txt" for "news.txt.gz". */
static const char *without_packing(const char *name, fp_arena *arena) {
    size_t length = strlen(name);
    if (length > 3 && strcmp(name + length - 3, ".gz") == 0) length -= 3;
    else if (length > 4 && strcmp(name + length - 4, ".zst") == 0) length -= 4;
    return fp_string_copy(arena, (fp_string){name, length});
}

fp_status fp_entry_input_open(const fp_entry_inputs *in, fp_entry_input *from, fp_error *error) {
    size_t most = in->options->most_bytes ? in->options->most_bytes : FP_MOST_LINE_BYTES;
    FP_TRY(fp_line_blocks_open(from->as.path, in->arena, most, false, in->options->progress, &from->blocks, error));
    fp_line_blocks_bound_lines(from->blocks, in->options->skip_bad);
    fp_line_blocks_cut(from->blocks, from->form->cut(in->options));
    if (from->form->decoded && in->options->encoding && !from->corpus)
        fp_line_blocks_decode(from->blocks, in->options->encoding);
    return FP_OK;
}

fp_status fp_entry_input_next(fp_entry_input *from, const fp_line **lines, size_t *count, fp_error *error) {
    if (!from->first_read) return fp_line_blocks_next(from->blocks, lines, count, error);
    from->first_read = false;
    *lines = from->first_lines;
    *count = from->first_count;
    if (from->first_failure.code != FP_OK && error) *error = from->first_failure;
    return from->first_failure.code;
}

fp_status fp_entry_input_first(fp_entry_input *from, fp_error *error) {
    fp_error why = {.line = SIZE_MAX, .byte = SIZE_MAX};
    if (from->first_read) return FP_OK;
    fp_status status = fp_line_blocks_next(from->blocks, &from->first_lines, &from->first_count, &why);
    from->first_read = true;
    if (status == FP_OK) return FP_OK;
    from->first_failure = why;
    from->first_failure.code = status;
    return status == FP_ERROR_MEMORY ? fp_no_memory(error) : FP_OK;
}

/* Detects the format of an open file whose name does not determine it. A read error of the block is reported in its
 * turn. */
static fp_status recognise(const fp_entry_inputs *to, fp_entry_input *from, fp_error *error) {
    FP_TRY(fp_entry_input_first(from, error));
    if (from->first_failure.code != FP_OK) return FP_OK;
    const fp_form *form = from->form;
    fp_status status = fp_form_recognise(to->options, from->first_lines, from->first_count, to->arena, &form, error);
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
    fp_entry_input made = {.form = to->options->form,
                           .as = {.path = path, .name = without_packing(slash ? slash + 1 : path, to->arena)}};
    if (!made.as.name) return fp_no_memory(error);
    made.stream = !S_ISREG(facts->st_mode);
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

static fp_status add_listed(fp_entry_inputs *to, const fp_listed_file *file, fp_error *error) {
    fp_entry_input made = {.form = to->options->form,
                           .as = {.path = file->path, .name = without_packing(file->name, to->arena)},
                           .wrong = file->wrong,
                           .listed = true};
    if (!made.as.name) return fp_no_memory(error);
    if (!made.form) made.form = fp_form_guess(made.as.name, true);
    if (!made.form) made.form = fp_form_find("text");
    return add_input(to, &made, error);
}

static fp_status open_directory(fp_entry_inputs *to, const char *path, fp_error *error) {
    const fp_form *objects = fp_form_find("jsonl");
    const char *documents = FP_NEED(fp_corpus_documents_path(path, to->arena), error);
    struct stat facts;
    bool corpus =
        !to->options->glob && (!to->options->form || to->options->form == objects) && stat(documents, &facts) == 0;
    if (corpus) {
        fp_entry_input made = {.form = objects, .as = {.path = documents, .name = "docs.jsonl"}, .corpus = true};
        FP_TRY(fp_entry_input_open(to, &made, error));
        fp_status status = add_input(to, &made, error);
        if (status != FP_OK) fp_line_blocks_close(made.blocks);
        return status;
    }
    fp_listed_file *files;
    size_t count;
    FP_TRY(fp_list_files(path, to->options->glob, to->arena, &files, &count, error));
    for (size_t i = 0; i < count; i++) FP_TRY(add_listed(to, files + i, error));
    if (count) return FP_OK;
    if (to->options->glob) fp_fail(error, FP_ERROR_EMPTY, "no file here matches %s", to->options->glob);
    else fp_fail(error, FP_ERROR_EMPTY, "neither a corpus, which has docs.jsonl, nor a directory with files in it");
    return fp_at(error, FP_ERROR_EMPTY, path, SIZE_MAX, SIZE_MAX);
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

/* ---- The files below a directory, by the tree walk of the C library, which follows links and detects cycles ---- */

typedef struct listing {
    size_t top; /* length of the path before `name` */
    const char *glob;
    fp_arena *arena;
    fp_listed_file *files;
    size_t count, room;
} listing;

static int by_name(const FTSENT **a, const FTSENT **b) { return strcmp((*a)->fts_name, (*b)->fts_name); }

static bool is_wanted(const listing *to, const FTSENT *file) {
    if (!to->glob) return true;
    return strchr(to->glob, '/') ? fnmatch(to->glob, file->fts_path + to->top, FNM_PATHNAME) == 0
                                 : fnmatch(to->glob, file->fts_name, 0) == 0;
}

static fp_status add(listing *to, const FTSENT *file, const char *wrong, fp_error *error) {
    FP_TRY(FP_ROOM(to->arena, to->files, to->count, to->room, error));
    const char *path = FP_NEED(fp_string_copy(to->arena, fp_string_of(file->fts_path)), error);
    size_t length = strlen(path);
    to->files[to->count++] = (fp_listed_file){path, path + (to->top < length ? to->top : 0), wrong};
    return FP_OK;
}

static fp_status take(listing *to, FTS *tree, FTSENT *file, fp_error *error) {
    if (file->fts_level > 0 && file->fts_name[0] == '.') {
        fts_set(tree, file, FTS_SKIP);
        return FP_OK;
    }
    switch (file->fts_info) {
    case FTS_F: return is_wanted(to, file) ? add(to, file, NULL, error) : FP_OK;
    case FTS_DC: /* its target is already listed: with a pattern nothing is missing */
        return to->glob ? FP_OK
                        : add(to, file, "a symbolic link that leads back to a directory that contains it", error);
    case FTS_SLNONE: return is_wanted(to, file) ? add(to, file, "a symbolic link that leads nowhere", error) : FP_OK;
    case FTS_DNR:
    case FTS_ERR:
    case FTS_NS: {
        const char *why = fp_format(to->arena, "%s", strerror(file->fts_errno));
        return why ? add(to, file, why, error) : fp_no_memory(error);
    }
    default: return FP_OK;
    }
}

fp_status fp_list_files(const char *directory, const char *glob, fp_arena *arena, fp_listed_file **files, size_t *count,
                        fp_error *error) {
    char *const roots[] = {fp_string_copy(arena, fp_string_of(directory)), NULL};
    listing to = {.glob = glob, .arena = arena};
    if (!roots[0]) return fp_no_memory(error);
    size_t length = strlen(roots[0]);
    while (length > 1 && roots[0][length - 1] == '/') roots[0][--length] = '\0';
    to.top = roots[0][length - 1] == '/' ? length : length + 1;
    FTS *tree = fts_open(roots, FTS_LOGICAL | FTS_NOCHDIR, by_name);
    if (!tree) return fp_file_error(error, directory, "open");
    fp_status status = FP_OK;
    FTSENT *file;
    errno = 0;
    while (status == FP_OK && (file = fts_read(tree))) status = take(&to, tree, file, error);
    if (status == FP_OK && errno != 0) status = fp_file_error(error, directory, "read");
    fts_close(tree);
    *files = to.files;
    *count = to.count;
    return status;
}
