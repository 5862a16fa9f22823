#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Every file of the tree that a page names is there, and every file that a test, a program or a comment names in tests/deep. NAME stands for a name.
set -u
git rev-parse --is-inside-work-tree >/dev/null 2>&1 || { echo "the sources are no repository"; exit 77; }
bad=0 seen=0
rooms='tests|docs|bench|corpora|algorithms|pairs|eval|reports|text|index|base|cli|examples|include|debian'
while IFS=: read -r page _ path; do
    seen=$((seen + 1))
    case $path in *NAME*) continue ;; esac
    [ -e "$path" ] || [ -e "$(dirname "$page")/$path" ] || { echo "FAIL: $page names $path"; bad=1; }
done < <(git grep -noP "(?<![\\w/.-])(\.\./)*($rooms)/[A-Za-z0-9_./-]+\.(c|h|sh|py|js|md|def|tsv|txt|json|png)\\b" -- '*.md'
    git grep -noP "(?<![\\w/.-])tests/deep/[A-Za-z0-9_./-]+\.(c|h|sh|py|js)\\b")
[ "$seen" -gt 200 ] || { echo "FAIL: only $seen names were found"; bad=1; }
exit $bad
