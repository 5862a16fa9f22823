#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Two people judge one sheet at the same time, from different places: every answer of both is in it afterwards, and nothing else has changed.
. tests/support.sh
corpus=$newswire
cd "$work" || exit 1
"$fplab" judge sample -c "$corpus" -a simhash -d 20..29 -m 12 --out sheet.tsv >/dev/null 2>err || complain "sample: $(cat err)"
pairs=$(grep -c '^[0-9]' sheet.tsv)
half=$((pairs / 2))
[ "$half" -ge 40 ] || complain "only $pairs pairs"
cp sheet.tsv before.tsv
answers() { for ((i = 0; i < $2; i++)); do echo "$1"; done; echo q; }
answers d "$half" | "$fplab" judge sheet.tsv >first.out 2>first.err &
first=$!
answers n "$((pairs - half))" | "$fplab" judge sheet.tsv --from "$((half + 1))" >second.out 2>second.err &
second=$!
wait $first || complain "the first walk: $(cat first.err)"
wait $second || complain "the second walk: $(cat second.err)"
judged() { awk -F'\t' '/^[0-9]/ { print $6 }' sheet.tsv | sort | uniq -c | awk '{ print $2 "=" $1 }' | paste -sd' '; }
[ "$(judged)" = "duplicate=$half not=$((pairs - half))" ] || complain "of $pairs answers there are: $(judged)"
sed 's/\tduplicate\t/\t\t/; s/\tnot\t/\t\t/' sheet.tsv | cmp -s - before.tsv || complain "something else has changed"
[ "$(ls -A | grep -v '^\(sheet\|before\)\.tsv$' | grep -vc '\.\(out\|err\)$\|^err$')" = 0 ] || complain "left behind: $(ls -A)"
exit $bad
