#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# --help of every command: prose of at most 100 columns, so that no terminal of that width breaks it in the middle of a word; examples may be longer.
set -u
fplab=$(realpath "${FPLAB:-build/bin/fplab}")
export LC_ALL=C.UTF-8
bad=0
complain() { echo "FAIL: $*"; bad=1; }
commands=$("$fplab" --help | sed -n 's/^  \([a-z]\+\)  .*/\1/p')
[ "$(wc -w <<<"$commands")" -ge 11 ] || complain "the commands are not listed: $commands"
for command in $commands; do
    while IFS= read -r line; do
        [ "$line" = Examples: ] && break
        [ ${#line} -le 100 ] || complain "$command --help: ${#line} columns: $line"
    done < <("$fplab" "$command" --help)
    "$fplab" "$command" --help | sed -n '/^Options of every command:$/,/^$/p' | grep -qe '--help .*show this help' || complain "$command --help does not name --help"
done
exit $bad
