#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A pair has one row: rows that repeat or contradict one another are refused with both lines, or left out with --skip-bad.
. tests/support.sh
cd "$work" || exit 1
for name in clean repeated contradicted; do mkdir $name && cp "$newswire/docs.jsonl" "$newswire/pairs.tsv" $name && chmod u+w $name/* || complain "a copy of the corpus"; done
rows=$(wc -l <clean/pairs.tsv)
summary() { "$fplab" eval -c "$1" --skip-bad -a simhash -a cosine --no-plots --out "$1.out" >/dev/null 2>"$1.err"; cut -f 2-9 "$1.out/summary.tsv" 2>&1; }

# Row 4 again at the end, and row 7 with its ids turned and another kind.
sed -n 4p clean/pairs.tsv >>repeated/pairs.tsv
awk -F'\t' -v OFS='\t' 'NR == 7 { print $2, $1, $3, "again" }' clean/pairs.tsv >>repeated/pairs.tsv
a=$(sed -n 4p clean/pairs.tsv | cut -f 1) b=$(sed -n 4p clean/pairs.tsv | cut -f 2)
byte=$(wc -c <clean/pairs.tsv)
for command in "corpus check repeated" "eval -c repeated" "tune -c repeated" "distances -c repeated -a simhash"; do
    # shellcheck disable=SC2086
    refused 1 "repeated/pairs.tsv:$((rows + 1)): duplicate pair $a, $b; it is also in line 4 (byte $byte)" "$fplab" $command
done
[ "$(summary repeated)" = "$(summary clean)" ] || complain "figures with rows repeated: $(summary repeated)"
grep -q 'skipped 2 bad rows' repeated.err || complain "not counted: $(cat repeated.err)"
grep -q "skipped repeated/pairs.tsv:$((rows + 2)): duplicate pair .*; it is also in line 7" repeated.err || complain "turned: $(cat repeated.err)"

# Row 4 with the other label, its ids turned; then with its own again. None of the three is believed.
label=$(sed -n 4p clean/pairs.tsv | cut -f 3)
printf '%s\t%s\t%s\n%s\t%s\t%s\n' "$b" "$a" $((1 - label)) "$a" "$b" "$label" >>contradicted/pairs.tsv
for command in "corpus check contradicted" "eval -c contradicted"; do
    # shellcheck disable=SC2086
    refused 1 "contradicted/pairs.tsv:$((rows + 1)): the label of $b, $a is $((1 - label)), and in line 4 $label" "$fplab" $command
done
sed -i 4d clean/pairs.tsv
[ "$(summary contradicted)" = "$(summary clean)" ] || complain "figures with rows that contradict: $(summary contradicted)"
grep -q 'skipped 3 bad rows' contradicted.err || complain "not counted: $(cat contradicted.err)"
grep -q "skipped contradicted/pairs.tsv:4: the label of $a, $b is $label, and in line $((rows + 1)) $((1 - label))" contradicted.err ||
    complain "the first of them: $(cat contradicted.err)"
"$fplab" corpus check --skip-bad --format tsv contradicted >facts 2>/dev/null && complain "corpus check is content with rows that contradict"
grep -q "^labelled pairs	$((rows - 1))$" facts || complain "corpus check counts: $(cat facts)"
exit $bad
