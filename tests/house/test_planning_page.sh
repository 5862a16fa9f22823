#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The examples of docs/index-planning.md print what stands below them. When the planner's figures change for a reason, the page is renewed by
# the command that is told here.
. tests/support.sh
page=$PWD/docs/index-planning.md check=$PWD/tests/house/planning_page.py
mkdir "$work/bin" && ln -s "$fplab" "$work/bin/fplab"
PATH=$work/bin:$PATH
mkdir "$work/corpora" && ln -s "$corpora" "$work/corpora/data"
cd "$work" || exit 1
python3 "$check" "$page" || { complain "the page says something else; in a directory with corpora/, and fplab in PATH: python3 tests/house/planning_page.py --renew docs/index-planning.md"; }
for link in $(grep -oh '](\([a-z-]*\.md\))' "$page" | tr -d '()]'); do [ -s "${page%/*}/$link" ] || complain "a link to $link, which is not there"; done
exit $bad
