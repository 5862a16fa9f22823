#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# corpus split and corpus sample: no unit crosses parts, nothing is lost, and neither the order of the corpus nor, without strata, what else it
# holds decides where a unit goes. The units are those that Python finds.
. tests/support.sh
command -v python3 >/dev/null || { echo "python3 is not installed"; exit 77; }
tool=$(realpath tests/eval/units/shapes.py)
cd "$work" || exit 1
cp -r "$newswire" whole

split() { "$fplab" corpus split "$@" --quiet >told 2>&1 || complain "split $*: $(cat told)"; }
for by in '' '--by kind' '--by lang' '--by length'; do
    # shellcheck disable=SC2086
    split whole --out parts $by
    python3 "$tool" split whole parts/train parts/dev parts/test >placed || complain "split $by: $(cat placed)"
    # shellcheck disable=SC2086
    split whole --out again $by
    for part in train dev test; do diff -r -x run.json parts/$part again/$part >/dev/null || complain "split $by: other bytes for the same seed: $part"; done
    # The same corpus in another order.
    mkdir -p turned && tac whole/docs.jsonl >turned/docs.jsonl && tac whole/pairs.tsv >turned/pairs.tsv
    # shellcheck disable=SC2086
    split turned --out parts-turned $by
    python3 "$tool" split turned parts-turned/train parts-turned/dev parts-turned/test | cmp -s - placed || complain "split $by: the order matters"
done
split whole --out parts --seed 2 && python3 "$tool" split whole parts/train parts/dev parts/test >other
split whole --out parts && python3 "$tool" split whole parts/train parts/dev parts/test >placed
cmp -s placed other && complain "another seed, the same parts"

# Without strata what is added moves nothing.
mkdir more && { echo '{"id":"0-first","text":"一个新的文本"}'; cat whole/docs.jsonl; echo '{"id":"zz-last","text":"另一个新的文本"}'; } >more/docs.jsonl && cp whole/pairs.tsv more/
split more --out parts-more
python3 "$tool" split more parts-more/train parts-more/dev parts-more/test | grep -v '^0-first \|^zz-last ' | cmp -s - placed || complain "what was added moved others"

# With strata each part has its share of each: of 300 documents of two languages, by themselves, to the document.
python3 -c "
import json
for i in range(300): print(json.dumps({'id': f'd{i}', 'text': 'text %d' % i, 'lang': 'en' if i % 3 else 'de'}))" >made.jsonl
mkdir made && mv made.jsonl made/docs.jsonl
split made --parts a:1,b:1,c:2 --by lang --out dealt
for row in 'a 50 25' 'b 50 25' 'c 100 50'; do
    read -r part english german <<<"$row"
    [ "$(grep -c '"en"' dealt/"$part"/docs.jsonl) $(grep -c '"de"' dealt/"$part"/docs.jsonl)" = "$english $german" ] || complain "shares: $part: $(grep -c '"en"' dealt/"$part"/docs.jsonl)"
done
# Without, a part is binomial: 300 at 0.5 lie within five standard deviations, 43, of 150.
split made --parts a:1,b:1 --out halves
count=$(wc -l <halves/a/docs.jsonl)
[ "$count" -gt 107 ] && [ "$count" -lt 193 ] || complain "halves: $count of 300"

for run in 'documents 40' 'groups 12' 'pairs 50'; do
    read -r what count <<<"$run"
    "$fplab" corpus sample whole "--$what" "$count" --out sample --quiet >told || complain "sample $run"
    python3 "$tool" "$what" whole sample "$count" >names || complain "sample $run: $(cat names)"
    "$fplab" corpus sample turned "--$what" "$count" --out sample-turned --quiet >told || complain "sample of the turned: $run"
    python3 "$tool" "$what" turned sample-turned "$count" | cmp -s - names || complain "sample $run: the order matters"
    "$fplab" corpus sample whole "--$what" $((count * 2)) --out larger --quiet >told || complain "larger sample $run"
    [ -z "$(comm -23 names <(python3 "$tool" "$what" whole larger $((count * 2))))" ] || complain "sample $run: the smaller is not within the larger"
done
"$fplab" corpus sample whole --documents 1000000 --out all --quiet >told && cmp -s all/docs.jsonl whole/docs.jsonl || complain "a sample of more than all"

# All or nothing, and mistakes.
refused 2 'no document has a member "colour"' "$fplab" corpus split whole --by colour --out no
refused 2 'has no pairs' "$fplab" corpus split made --by kind --out no
refused 1 'gets no document' "$fplab" corpus split whole --parts a:1,b:1e-9 --out no
refused 2 'no pairs.tsv' "$fplab" corpus sample made --pairs 2 --out no
refused 1 'docs.jsonl' "$fplab" corpus split absent --out no
[ -e no ] && complain "something was written"
printf '{"id":"a","text":"x"\n' >made/docs.jsonl
refused 1 'made/docs.jsonl:1: not JSON' "$fplab" corpus split made --out parts
[ -e parts/train/docs.jsonl ] || complain "the old parts are gone"

# A full disk: what was there stays, the message says so, nothing else appears.
mkdir full
if mount -t tmpfs -o size=200k none full 2>/dev/null; then
    trap 'umount "$work/full"; rm -rf "$work"' EXIT
    "$fplab" corpus sample whole --documents 10 --out full/sample --quiet >/dev/null || complain "a small sample"
    cp full/sample/docs.jsonl before
    for run in 'sample whole --documents 160 --out full/sample' 'split whole --out full/parts' 'merge whole made2 --out full/merged' 'convert whole --out full/table.tsv'; do
        mkdir -p made2 && echo '{"id":"alone","text":"一"}' >made2/docs.jsonl
        # shellcheck disable=SC2086
        refused 1 'cannot write: No space left on device' "$fplab" corpus $run --quiet
        grep -q '^fplab: full/' err || complain "no name of a file: $run: $(cat err)"
    done
    cmp -s before full/sample/docs.jsonl && [ "$(ls -A full)" = sample ] || complain "after the disk was full: $(ls -A full)"
else echo "skipped: a full disk: there is no file system to mount"; fi
exit $bad
