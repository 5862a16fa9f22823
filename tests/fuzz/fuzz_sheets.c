/* SPDX-License-Identifier: GPL-3.0-or-later
 * Sheets of judgements, and choices of an arm. */
#include "eval/judging/judging.h"
#include "reports/tables/choice_file.h"
#include "tests/fuzz/fuzz.h"

static void judge_all(fp_judged_sheet *sheet, fp_judgement judgement) {
    for (size_t p = 0; p < sheet->pair_count; p++) sheet->pairs[p].judgement = judgement;
}

/* A sheet that is read can be judged and saved, and is read as it was judged, with all else as it was. */
void fuzz_sheet(fp_string input, fp_arena *arena) {
    const char *path = fuzz_file("sheet.tsv", input, arena);
    fp_judged_sheet sheet, again;
    fp_error error;
    if (fp_judged_read(path, arena, &sheet, &error) != FP_OK) {
        FUZZ_DEMAND(error.message[0]);
        return;
    }
    FUZZ_DEMAND(fp_judged_same(&sheet, &sheet, &error) == FP_OK);
    judge_all(&sheet, FP_JUDGED_DUPLICATE);
    if (fp_judged_save(&sheet, &error) != FP_OK) return;
    FUZZ_DEMAND(fp_judged_read(path, arena, &again, &error) == FP_OK);
    FUZZ_DEMAND(again.pair_count == sheet.pair_count && fp_judged_same(&sheet, &again, &error) == FP_OK);
    for (size_t p = 0; p < again.pair_count; p++) {
        FUZZ_DEMAND(again.pairs[p].judgement == FP_JUDGED_DUPLICATE);
        FUZZ_DEMAND(fp_string_equal(again.pairs[p].text_a, sheet.pairs[p].text_a));
        FUZZ_DEMAND(fp_string_equal(again.pairs[p].text_b, sheet.pairs[p].text_b));
    }
    fp_kappa kappa;
    fp_kappa_of(&sheet, &again, 0.95, &kappa);
}

void fuzz_choice_file(fp_string input, fp_arena *arena) {
    fp_choice choice, again;
    fp_error error;
    if (fp_choice_parse(input, "choice.json", arena, &choice, &error) != FP_OK) {
        FUZZ_DEMAND(error.message[0]);
        return;
    }
    FUZZ_DEMAND(choice.threshold >= 0 && choice.arm && choice.name);
    fp_choice_reached(&choice);
    const char *path = fuzz_path("choice.json", arena);
    if (fp_choice_save(&choice, path, &error) != FP_OK) return;
    FUZZ_DEMAND(fp_choice_read(path, arena, &again, &error) == FP_OK);
    FUZZ_DEMAND(strcmp(choice.arm, again.arm) == 0 && choice.threshold == again.threshold);
}
