#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# docs/gallery.md is what `make gallery` writes, which runs its commands as they stand; it shows every figure, and each picture is there and small. A larger
# corpus makes others: then `make gallery` renews them.
. tests/support.sh
page=$PWD/docs/gallery.md
FPLAB=$fplab docs/gallery.sh "$work" >"$work/out" 2>&1 || complain "docs/gallery.sh: $(cat "$work/out")"
[ -s "$work/out" ] && complain "docs/gallery.sh said $(cat "$work/out")"
cmp "$work/gallery.md" "$page" || complain "make gallery writes another page"
# Every command of the page was run by the script as it stands, each once.
pictures=$(grep -o '](gallery/[^)]*)' "$page" | tr -d ']()')
commands=$(awk '/^```sh$/ { inside = 1; next } /^```$/ { inside = 0 } inside' "$page")
[ "$(grep -c '^fplab plot [a-z]* --figure [a-z0-9-]* ' <<<"$commands")" = "$(wc -w <<<"$pictures")" ] || complain "a picture without a command, or more"
for run in $(sed -n 's/^fplab plot \([a-z]*\) .*/\1/p' <<<"$commands" | sort -u); do grep -qE -- "--out $run( |\$)" <<<"$commands" || complain "the page does not say how $run is made"; done
[ "$(ls docs/gallery | wc -l)" = "$(wc -w <<<"$pictures")" ] || complain "docs/gallery holds what the page does not show"
for picture in $pictures; do
    for file in "docs/$picture" "$work/$picture"; do [ -s "$file" ] && [ "$(stat -c %s "$file")" -lt 61440 ] || complain "$file is not there, or not small"; done
done
"$fplab" plot --figure list | awk 'NR > 1 { print $1 }' | while read -r figure; do grep -qx "## $figure" "$page" || echo "$figure"; done >"$work/missing"
[ -s "$work/missing" ] && complain "not on the page: $(cat "$work/missing")"
exit $bad
