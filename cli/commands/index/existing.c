/* SPDX-License-Identifier: GPL-3.0-or-later
 * --on-existing: texts whose id a collection has already, as when the file of a day is added again. */
#include <string.h>

#include "cli/commands/index/index.h"

static bool is_word(const fp_cli_existing *existing, const char *word) {
    return existing->word && strcmp(existing->word, word) == 0;
}

int fp_cli_existing_check(const fp_command *command, const fp_cli_existing *existing) {
    if (!existing->word || is_word(existing, "skip") || is_word(existing, "replace") || is_word(existing, "fail"))
        return -1;
    return fp_cli_usage(command, "--on-existing takes skip, replace or fail, not %s", existing->word);
}

static fp_status refuse(fp_cli_existing *existing, const fp_record *record, bool same, bool skip_bad, fp_error *error) {
    const char *what = same ? "" : ", with another text";
    int shown = (int)(record->id.length < 200 ? record->id.length : 200);
    if (!skip_bad)
        return fp_fail(error, FP_ERROR_DUPLICATE,
                       "the id \"%.*s\" is there already%s; add --on-existing replace, or --on-existing skip", shown,
                       record->id.data, what);
    fprintf(stderr, "fplab: left out: the id \"%.*s\" is there already%s\n", shown, record->id.data, what);
    existing->left_out++;
    return FP_OK;
}

fp_status fp_cli_existing_meet(fp_cli_existing *existing, fp_collection *collection, const fp_record *record,
                               fp_sketch sketch, bool skip_bad, bool *adds, fp_error *error) {
    fp_existing there;
    FP_TRY(fp_collection_existing(collection, record, sketch, &there, error));
    bool same = there == FP_EXISTING_SAME;
    *adds = there == FP_EXISTING_NONE || (is_word(existing, "replace") && !same);
    if (there == FP_EXISTING_NONE) return FP_OK;
    if (*adds) {
        existing->replaced++;
        return fp_collection_delete(collection, record->id, error);
    }
    if (is_word(existing, "fail") || (!same && !existing->word)) return refuse(existing, record, same, skip_bad, error);
    existing->skipped++;
    return FP_OK;
}

void fp_cli_existing_note(const fp_cli_existing *existing, const char *address) {
    if (existing->skipped)
        fp_cli_note("%zu %s in %s already.\n", existing->skipped,
                    fp_cli_word(existing->skipped, "text was", "texts were"), address);
    if (existing->replaced)
        fp_cli_note("%zu %s replaced.\n", existing->replaced,
                    fp_cli_word(existing->replaced, "text of the same id was", "texts of the same ids were"));
}
