#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# clang-tidy, cppcheck and clang-format find nothing; and a fault that each of them knows is found.
set -u
command -v clang-tidy >/dev/null && command -v cppcheck >/dev/null && command -v clang-format >/dev/null || { echo "clang-tidy, cppcheck or clang-format is not installed"; exit 77; }
. tests/scratch_tree.sh
make --no-print-directory run-lint >"$work/out" 2>&1 || { cat "$work/out"; exit 1; }
tail -n 1 "$work/out"
cat >>base/status.c <<'C'
int fp_fault_for_tidy(const char *text);
int fp_fault_for_tidy(const char *text) {
    if (text) ;
    return text[0];
}
C
cat >>base/bytes.c <<'C'
int fp_fault_for_cppcheck(void);
int fp_fault_for_cppcheck(void) {
    int few[2] = {0};
    return few[3];
}
C
make --no-print-directory run-lint >"$work/out" 2>&1 && { echo "FAIL: faults are not found"; exit 1; }
grep -q 'base/status.c.*bugprone' "$work/out" && grep -q 'base/status.c.*clang-formatted' "$work/out" && grep -q 'base/bytes.c.*cppcheck arrayIndexOutOfBounds' "$work/out" || { echo "FAIL: found: $(cat "$work/out")"; exit 1; }
