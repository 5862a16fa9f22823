#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# How often McNemar's test is wrong where arms do not differ: of two arms in worlds that are made up, and of any two among four on texts that people wrote
# ($FPLAB_SETS, or ../shared/data), corrected by Holm's rule. A minute or two on two processors; distances are kept in $BUILD/coverage.
set -eu
drivers=${BUILD:-build}/tests/deep/intervals
sets=$(realpath -m "${FPLAB_SETS:-../shared/data}")
cache=$(realpath -m "${FPLAB_COVERAGE:-${BUILD:-build}/coverage}")
bad=0
"$drivers/mcnemar_errors" || bad=1
if [ ! -d "$sets" ]; then
    echo "skipped: labelled sets: $sets is not here"
    exit $bad
fi
mkdir -p "$cache"
rows=$(mktemp)
trap 'rm -f "$rows"' EXIT
# 5%, and two standard errors of 2,000 repetitions.
for world in poems-equal licences-equal typos-equal word-order-equal; do
    "$drivers/coverage_real" --shared "$sets" --cache "$cache" --world $world --figure mcnemar --repetitions 2000 2>/dev/null >"$rows" || bad=1
    awk -F'\t' -v world=$world 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        $at["class"] == "family" { seen = 1; share = $at["rejected"] / $at["repetitions"]; most = 0.05 + 2 * sqrt(0.05 * 0.95 / $at["repetitions"])
            printf "%s: some of four equal arms told apart in %.4f%s\n", world, share, (share > most ? ", more than 5%" : ""); wrong = share > most }
        END { exit wrong || !seen }' "$rows" || bad=1
done
exit $bad
