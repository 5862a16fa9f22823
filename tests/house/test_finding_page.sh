#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The examples of docs/finding.md and docs/corpora.md, which stands in Chinese as well, print what stands below them. When figures change for a reason, a page is renewed by the
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
# The page in Chinese has the same examples, and the same tables.
blocks() { sed -n '/^```/,/^```$/p' "$docs/$1"; }
cmp -s <(blocks corpora.md) <(blocks corpora.zh.md) || complain "corpora.zh.md has another example: $(diff <(blocks corpora.md) <(blocks corpora.zh.md) | head -n 4)"
rows() { sed -n 's/^| \([a-z][a-z:-]*\).*/\1/p' "$docs/$1" | grep -vx 'form\|set'; }
cmp -s <(rows corpora.md) <(rows corpora.zh.md) || complain "corpora.zh.md has other rows: $(diff <(rows corpora.md) <(rows corpora.zh.md) | head -n 4)"
for link in $(grep -oh '](\([a-z.-]*\.md\))' "$docs/corpora.zh.md" | tr -d '()]'); do [ -s "$docs/$link" ] || complain "corpora.zh.md: a link to $link, which is not there"; done
# Every form and every recipe that the program knows is in its table.
for form in $("$fplab" import --from '?' --out x . 2>&1 | sed 's/.*takes //; s/, not.*//; s/,\| or//g'); do grep -q "^| .*\b$form\b" "$docs/corpora.md" || complain "corpora.md has no form $form"; done
for set in $("$fplab" import --recipe '?' . --out x 2>&1 | sed 's/.*takes //; s/, not.*//; s/,\| or//g'); do grep -q "^| .*\b$set\b" "$docs/corpora.md" || complain "corpora.md has no set $set"; done
exit $bad
