#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The tables of coverage in docs/evaluation.md are those of docs/coverage.tsv.
set -eu
command -v python3 >/dev/null || { echo "python3 is not installed"; exit 77; }
[ -f docs/coverage.tsv ] || { echo "docs/coverage.tsv is not here: tests/deep/test_coverage_real.sh --keep writes it"; exit 77; }
tests/deep/coverage_table.py same docs/coverage.tsv docs/evaluation.md || { echo "FAIL: tests/deep/coverage_table.py page docs/coverage.tsv docs/evaluation.md makes others"; exit 1; }
