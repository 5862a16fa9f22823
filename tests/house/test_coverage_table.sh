#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The tables of coverage in docs/evaluation-coverage.md are those of docs/coverage.tsv, of 2,000 repetitions a row.
set -eu
command -v python3 >/dev/null || { echo "python3 is not installed"; exit 77; }
[ -f docs/coverage.tsv ] || { echo "docs/coverage.tsv is not here: tests/deep/intervals/test_coverage_real.sh --keep writes it"; exit 77; }
tests/deep/intervals/coverage_table.py same docs/coverage.tsv docs/evaluation-coverage.md || { echo "FAIL: tests/deep/intervals/coverage_table.py page docs/coverage.tsv docs/evaluation-coverage.md makes others"; exit 1; }
awk -F'\t' 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } $at["repetitions"] != 2000 { print "FAIL: " $at["method"] ", " $at["world"] ", " $at["units"] " units: " $at["repetitions"] " repetitions"; wrong = 1 }
    END { exit wrong || NR < 2 }' docs/coverage.tsv || exit 1
