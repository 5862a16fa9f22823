/* SPDX-License-Identifier: GPL-3.0-or-later
 * Putting judgements into a sheet that others may be judging too. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "eval/judging/judging.h"

/* ---- The lock ---- */

static fp_status cannot_lock(const char *path, fp_error *error) {
    fp_fail(error, FP_ERROR_IO, "cannot lock: %s", strerror(errno));
    return fp_at(error, FP_ERROR_IO, path, SIZE_MAX, SIZE_MAX);
}

/* Whether the open file is still the one of that name: who had the lock before has put a new file in its place. */
static bool is_there(int file, const char *path) {
    struct stat mine, there;
    return fstat(file, &mine) == 0 && stat(path, &there) == 0 && mine.st_ino == there.st_ino &&
           mine.st_dev == there.st_dev;
}

/* Waits for the lock on the file of that name. The lock ends with its process, too, so that none is left behind. */
static fp_status lock(const char *path, int *locked, fp_error *error) {
    for (;;) {
        int file = open(path, O_RDONLY | O_CLOEXEC);
        if (file < 0) return cannot_lock(path, error);
        int done;
        do done = flock(file, LOCK_EX);
        while (done != 0 && errno == EINTR);
        if (done != 0) {
            fp_status status = cannot_lock(path, error);
            close(file);
            return status;
        }
        *locked = file;
        if (is_there(file, path)) return FP_OK;
        close(file);
    }
}

/* ---- Judgements ---- */

static void merge(fp_judged_sheet *sheet, fp_judged_sheet *now) {
    for (size_t i = 0; i < sheet->pair_count; i++) {
        fp_judged_pair *mine = sheet->pairs + i, *theirs = now->pairs + i;
        if (mine->judgement == mine->saved) mine->judgement = theirs->judgement;
        theirs->judgement = mine->judgement;
    }
}

/* The file as it was read, the judgements replaced. */
static fp_status write_sheet(const fp_judged_sheet *sheet, fp_error *error) {
    fp_output output;
    FP_TRY(fp_output_open(&output, sheet->path, error));
    const char *from = sheet->content.data, *end = from + sheet->content.length;
    for (size_t i = 0; i < sheet->pair_count; i++) {
        const fp_judged_pair *pair = sheet->pairs + sheet->rows[i];
        if (pair->judgement == pair->saved) continue;
        fwrite(from, 1, (size_t)(pair->cell.data - from), output.stream);
        fputs(fp_judgement_name(pair->judgement), output.stream);
        from = pair->cell.data + pair->cell.length;
    }
    fwrite(from, 1, (size_t)(end - from), output.stream);
    return fp_output_close(&output, error);
}

static fp_status save_locked(fp_judged_sheet *sheet, fp_arena *scratch, fp_error *error) {
    fp_judged_sheet now;
    FP_TRY(fp_judged_read(sheet->path, scratch, &now, error));
    FP_TRY(fp_judged_same(&now, sheet, error));
    merge(sheet, &now);
    FP_TRY(write_sheet(&now, error));
    for (size_t i = 0; i < sheet->pair_count; i++) sheet->pairs[i].saved = sheet->pairs[i].judgement;
    return FP_OK;
}

fp_status fp_judged_save(fp_judged_sheet *sheet, fp_error *error) {
    int locked = -1;
    FP_TRY(lock(sheet->path, &locked, error));
    fp_arena *scratch = fp_arena_new();
    fp_status status = scratch ? save_locked(sheet, scratch, error) : fp_no_memory(error);
    fp_arena_free(scratch);
    close(locked);
    return status;
}
