#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# docs/corruption.md has the table of kinds as the program prints it, and every kind of docs/robustness.md is one.
. tests/support.sh
"$fplab" corpus corrupt --kind list --format markdown >"$work/kinds" || complain "no list"
[ "$(wc -l <"$work/kinds")" -gt 20 ] || complain "a short list"
while IFS= read -r row; do
    grep -qxF -- "$row" docs/corruption.md || complain "docs/corruption.md lacks this row: $row"
done <"$work/kinds"
exit $bad
