#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# docs/gallery.md is what `make gallery` writes, its commands run as they stand and make pictures, and the pictures that it shows are there, small, and no more
# than a dozen. A larger corpus makes others: then `make gallery` renews them.
. tests/support.sh
page=$PWD/docs/gallery.md
FPLAB=$fplab docs/gallery.sh "$work" >"$work/out" 2>&1 || complain "docs/gallery.sh: $(cat "$work/out")"
[ -s "$work/out" ] && complain "docs/gallery.sh said $(cat "$work/out")"
cmp "$work/gallery.md" "$page" || complain "make gallery writes another page"
mkdir "$work/bin" "$work/examples" && ln -s "$fplab" "$work/bin/fplab" && ln -s "$(dirname "$corpora")" "$work/examples/corpora"
awk '/^```sh$/ { inside = 1; next } /^```$/ { inside = 0 } inside' "$page" >"$work/examples/examples.sh"
pictures=$(grep -o '](gallery/[^)]*)' "$page" | tr -d ']()')
[ "$(wc -l <"$work/examples/examples.sh")" = $((3 + $(wc -w <<<"$pictures"))) ] || complain "a picture without a command, or more"
(cd "$work/examples" && PATH=$work/bin:$PATH bash -eu examples.sh >/dev/null) || complain "a command of the page fails"
[ "$(wc -w <<<"$pictures")" -le 12 ] || complain "more than a dozen pictures"
[ "$(ls docs/gallery | wc -l)" = "$(wc -w <<<"$pictures")" ] || complain "docs/gallery holds what the page does not show"
for picture in $pictures; do
    [ -s "docs/$picture" ] && [ "$(stat -c %s "docs/$picture")" -lt 61440 ] || complain "$picture is not there, or not small"
    cmp -s "$work/$picture" "$work/examples/${picture#gallery/}" || complain "$picture is not what its command draws"
done
"$fplab" plot --figure list | awk 'NR > 1 { print $1 }' | while read -r figure; do grep -qE "^\| \[?$figure(\]|  *\|)" "$page" || echo "$figure"; done >"$work/missing"
[ -s "$work/missing" ] && complain "not on the page: $(cat "$work/missing")"
exit $bad
