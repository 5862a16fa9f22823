#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# eval --out ended at 150 random moments in each way of putting a run in place, and at every call of the system that names a file.
set -u
fplab=$(realpath "${FPLAB:-build/bin/fplab}")
corpus=$(realpath tests/data/newswire-zh)
moments=$(realpath tests/reports/runs/run_moments.py)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bad=0
cd "$work" || exit 1
for mode in exchange move; do
    mkdir $mode
    /usr/bin/python3 "$moments" "$fplab" "$corpus" $mode 150 $mode || bad=1
done
if command -v strace >/dev/null 2>&1; then
    for mode in calls calls-move; do
        mkdir $mode
        /usr/bin/python3 "$moments" "$fplab" "$corpus" $mode 0 $mode || bad=1
    done
else
    echo "note: strace is not installed: not ended at every call"
fi
exit $bad
