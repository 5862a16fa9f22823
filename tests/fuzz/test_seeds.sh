#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The inputs that the fuzzer begins with, and those that once showed an error, keep the laws of every target.
set -u
command -v python3 >/dev/null || { echo "python3 is missing"; exit 77; }
. tests/support.sh
replay=$(realpath "${BUILD:-build}/tests/fuzz/replay")
python3 tests/fuzz/seeds.py "$fplab" "$work/seeds" 2>"$work/err" || { cat "$work/err"; complain "the seeds could not be made"; exit 1; }
for target in $("$replay" --list); do
    [ -d "$work/seeds/$target" ] || { complain "$target has no seeds"; continue; }
    "$replay" "$work/seeds/$target" >"$work/out" 2>&1 || complain "$target: $(tail -n 3 "$work/out")"
    grep -qE '^[1-9][0-9]* inputs$' "$work/out" || complain "$target: no input was run"
done
exit $bad
