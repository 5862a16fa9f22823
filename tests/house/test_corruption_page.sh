#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# docs/corruption.md has the table of kinds as the program prints it, every kind of docs/robustness.md is one, and its table of rates is what newswire-zh gives,
# within binomial bounds that are summed in Python. UPDATE=1 tests/house/test_corruption_page.sh renews that table.
. tests/support.sh
"$fplab" corpus corrupt --kind list --format markdown >"$work/kinds" || complain "no list"
[ "$(wc -l <"$work/kinds")" -gt 20 ] || complain "a short list"
while IFS= read -r row; do
    grep -qxF -- "$row" docs/corruption.md || complain "docs/corruption.md lacks this row: $row"
done <"$work/kinds"

if command -v python3 >/dev/null; then
    "$fplab" corpus corrupt --quiet --corpus "$corpora/newswire-zh" --kind all --rate 0.1 --negatives 0 --out "$work/made" --format tsv >"$work/done" 2>"$work/err" || complain "corpus corrupt: $(cat "$work/err")"
    PYTHONDONTWRITEBYTECODE=1 python3 tests/house/corruption_rates.py "$(wc -l <"$corpora/newswire-zh/docs.jsonl")" <"$work/done" >"$work/rates" || complain "a rate is not kept: $(cat "$work/rates")"
    [ "$(wc -l <"$work/rates")" = "$(wc -l <"$work/kinds")" ] || complain "a kind is missing: $(cat "$work/rates")"
    if [ -n "${UPDATE-}" ]; then
        awk 'FNR == NR { table = table $0 "\n"; next } /^<!-- rates: begin/ { print; printf "\n%s\n", table; skip = 1 } /^<!-- rates: end/ { skip = 0 } !skip' "$work/rates" docs/corruption.md >"$work/page" &&
            cat "$work/page" >docs/corruption.md
    fi
    sed -n '/^<!-- rates: begin/,/^<!-- rates: end/p' docs/corruption.md | grep '^|' | cmp -s - "$work/rates" || complain "the table of rates is another: UPDATE=1 tests/house/test_corruption_page.sh writes it anew"
else
    echo "skipped: the table of rates: python3 is missing"
fi
exit $bad
