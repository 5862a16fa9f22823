#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The program under valgrind: it starts, does its work there and not elsewhere, and valgrind finds no error.
set -u
command -v valgrind >/dev/null || { echo "valgrind is not installed"; exit 77; }
fplab=${FPLAB:-build/bin/fplab}
log=$(mktemp)
trap 'rm -f "$log"' EXIT
bad=0
checked() {
    valgrind --error-exitcode=99 --log-file="$log" "$fplab" "$@" >/dev/null || { echo "FAIL: status $?: fplab $*"; cat "$log"; bad=1; }
    grep -q 'ERROR SUMMARY: 0 errors' "$log" || { echo "FAIL: valgrind did not see fplab $*: $(tail -3 "$log")"; bad=1; }
}
checked --version
checked compare --text 我喜欢看电视，不喜欢看电影。 我不喜欢看电视，也不喜欢看电影。
OMP_NUM_THREADS=3 checked eval --corpus tests/data/newswire-zh --arm simhash --arm jaccard --no-plots --replicates 200
exit $bad
