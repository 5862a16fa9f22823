#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The examples of the tutorial, in both languages, and of the pages for who draws and who writes an algorithm print what stands below them, and both
# tutorials run the same commands. When figures change for a reason, a page is renewed by the command that is told here.
. tests/support.sh
docs=$PWD/docs check=$PWD/tests/house/planning_page.py
command -v gnuplot >/dev/null || { echo "skipped: gnuplot is not installed"; exit 77; }
mkdir "$work/bin" && ln -s "$fplab" "$work/bin/fplab"
PATH=$work/bin:$PATH
for name in tutorial pictures algorithm; do
    mkdir -p "$work/$name/corpora" && ln -s "$corpora" "$work/$name/corpora/data"
    (cd "$work/$name" && python3 "$check" "$docs/$name.md") ||
        complain "the page says something else; in a directory with corpora/, and fplab in PATH: python3 tests/house/planning_page.py --renew docs/$name.md"
    for link in $(grep -oh '](\([a-z.-]*\.md\))' "$docs/$name.md" | tr -d '()]'); do [ -s "$docs/$link" ] || complain "$name.md: a link to $link, which is not there"; done
done
blocks() { sed -n '/^```/,/^```$/p' "$docs/$1"; }
cmp -s <(blocks tutorial.md) <(blocks tutorial.zh.md) || complain "the tutorials differ in a command, or in what it prints: $(diff <(blocks tutorial.md) <(blocks tutorial.zh.md) | head -n 4)"
exit $bad
