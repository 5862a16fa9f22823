#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The examples of docs/finding.md and docs/corpora.md, and of their Chinese pages, print what stands below them. When figures change for a reason, a page is renewed by the
# command that is told here.
. tests/support.sh
docs=$PWD/docs check=$PWD/tests/house/planning_page.py
mkdir "$work/bin" && ln -s "$fplab" "$work/bin/fplab"
PATH=$work/bin:$PATH
mkdir "$work/corpora" && ln -s "$corpora" "$work/corpora/data"
cd "$work" || exit 1
for name in finding corpora; do
    page=$docs/$name.md
    python3 "$check" "$page" || complain "the page says something else; in a directory with corpora/, and fplab in PATH: python3 tests/house/planning_page.py --renew docs/$name.md"
    for link in $(grep -oh '](\([a-z-]*\.md\))' "$page" | tr -d '()]'); do [ -s "$docs/$link" ] || complain "$name.md: a link to $link, which is not there"; done
done
# finding.zh.md has examples of its own, and runs in a directory of its own.
mkdir -p zh/corpora && ln -s "$corpora" zh/corpora/data && cd zh || exit 1
python3 "$check" "$docs/finding.zh.md" || complain "the page says something else; in an empty directory with corpora/, and fplab in PATH: python3 tests/house/planning_page.py --renew docs/finding.zh.md"
cd ..
# corpora.zh.md has the same examples as corpora.md, and the same tables.
blocks() { sed -n '/^```/,/^```$/p' "$docs/$1"; }
cmp -s <(blocks corpora.md) <(blocks corpora.zh.md) || complain "corpora.zh.md has another example: $(diff <(blocks corpora.md) <(blocks corpora.zh.md) | head -n 4)"
rows() { sed -n 's/^| \([a-z][a-z:-]*\).*/\1/p' "$docs/$1" | grep -vx 'form\|set'; }
cmp -s <(rows corpora.md) <(rows corpora.zh.md) || complain "corpora.zh.md has other rows: $(diff <(rows corpora.md) <(rows corpora.zh.md) | head -n 4)"
for name in corpora finding; do
    for link in $(grep -oh '](\([a-z.-]*\.md\))' "$docs/$name.zh.md" | tr -d '()]'); do [ -s "$docs/$link" ] || complain "$name.zh.md: a link to $link, which is not there"; done
done
# Every form and every recipe that the program knows is in its table.
for form in $("$fplab" import --from '?' --out x . 2>&1 | sed 's/.*takes //; s/, not.*//; s/,\| or//g'); do grep -q "^| .*\b$form\b" "$docs/corpora.md" || complain "corpora.md has no form $form"; done
for set in $("$fplab" import --recipe '?' . --out x 2>&1 | sed 's/.*takes //; s/, not.*//; s/,\| or//g'); do grep -q "^| .*\b$set\b" "$docs/corpora.md" || complain "corpora.md has no set $set"; done
exit $bad
