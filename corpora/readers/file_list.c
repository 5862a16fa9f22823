/* SPDX-License-Identifier: GPL-3.0-or-later
 * The files below a directory, by the tree walk of the C library, which follows links and notices circles. */
#include "corpora/readers/file_list.h"

#include <errno.h>
#include <fnmatch.h>
#include <fts.h>
#include <string.h>

typedef struct listing {
    size_t top; /* bytes of a path before the name */
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
    if (to->count == to->room) {
        size_t room = to->room ? 2 * to->room : 256;
        fp_listed_file *larger = fp_arena_grow(to->arena, to->files, room * sizeof *larger);
        if (!larger) return fp_no_memory(error);
        to->files = larger;
        to->room = room;
    }
    const char *path = fp_string_copy(to->arena, fp_string_of(file->fts_path));
    if (!path) return fp_no_memory(error);
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
    case FTS_DC: /* what it leads to is listed already: with a pattern nothing is missing */
        return to->glob ? FP_OK : add(to, file, "a symbolic link that leads back to a directory it stands in", error);
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
