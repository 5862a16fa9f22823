#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A plug-in whose distance is none is refused wherever distances are asked for, with the two documents, in a line, with status 1: NaN,
# negative, infinite, above the largest, another in the other order, not 0 of a document and itself. A sound one is not.
. tests/support.sh
house=$PWD
cd "$work" || exit 1
broken() { # NAME RETURN: rarest, with that as what its distance returns; the original is distance_of
    sed "s/^static double distance(/static double distance_of(/; s/\.name = \"rarest\"/.name = \"$1\"/" "$house/examples/rarest.c" |
        sed "/^const fp_algorithm fp_plugin/i static double distance(const fp_instance *self, fp_sketch a, fp_sketch b) {\n    double d = distance_of(self, a, b);\n    return $2;\n}\n" >"$1.c"
    ${CC:-gcc} -std=c17 -Wall -Wextra -Werror -shared -fPIC -I"$house/include" -o "$1.so" "$1.c" ${SANITIZE:-} || complain "$1 does not build"
}
same='(a.size == b.size \&\& !memcmp(a.data, b.data, a.size))'
broken sound 'd'
broken nan 'd > 0 ? 0.0 \/ 0.0 : d'
broken minus 'd > 0 ? -1 : d'
broken infinite 'd > 0 ? 1.0 \/ 0.0 : d'
broken above 'd > 0 ? 64.5 : d'
broken lopsided "d > 0 \&\& a.size \&\& b.size \&\& memcmp(a.data, b.data, 8) < 0 ? d \/ 2 : d"
broken apart "$same ? 1 : d"

# A corpus of pairs, and one of groups: every pair of documents.
mkdir groups
python3 - "$newswire" <<'PY' || { echo "python3 is missing"; exit 77; }
import json, sys
lines = [json.loads(line) for line in open(sys.argv[1] + '/docs.jsonl', encoding='utf-8')][:40]
with open('groups/docs.jsonl', 'w', encoding='utf-8') as out:
    for i, line in enumerate(lines):
        print(json.dumps({'id': line['id'], 'text': line['text'], 'group': str(i // 4)}, ensure_ascii=False), file=out)
PY
mkdir pairs && cp "$newswire/docs.jsonl" "$newswire/pairs.tsv" pairs
echo 市图书馆本周六延长开放时间 >one.txt
echo 临江大桥今天下午恢复通车 >two.txt
id='[^ ]* \?[^ ]*' # of a document, or "text A"
declare -A words=([nan]="gives $id and $id the distance nan, and distances go from 0 to 64" [minus]="the distance -1, and" [infinite]="the distance inf, and"
    [above]="the distance 64.5, and" [lopsided]="in the other order" [apart]="gives $id and itself the distance 1, not 0")
# fails NAME COMMAND…
fails() {
    local name=$1; shift
    "$fplab" "$@" --plugin "./$name.so" >out 2>err </dev/null
    local status=$?
    [ $status = 1 ] || complain "$name: status $status: $*: $(cat err)"
    [ "$(wc -l <err)" = 1 ] && grep -q -- "${words[$name]}" err || complain "$name: $*: $(cat err)"
    [ ! -s out ] || complain "$name: printed something: $*"
}
for name in "${!words[@]}"; do
    for corpus in pairs groups; do
        fails "$name" eval --corpus $corpus --arm "$name:weight=tf"
        fails "$name" distances --corpus $corpus --arm "$name:weight=tf"
    done
    fails "$name" judge sample --corpus groups --arm "$name:weight=tf" --out sheet.tsv
    fails "$name" tune --corpus pairs --grid "$name:weight=tf" --yes --replicates 200
    fails "$name" compare --text "$(cat one.txt)" "$(cat two.txt)" --arm "$name:weight=tf"
done
grep -q "$(cut -f1 pairs/pairs.tsv | head -1)" pairs/docs.jsonl || complain "no ids"
# The pair is one of the corpus, by its ids.
"$fplab" eval --corpus pairs --plugin ./nan.so --arm nan:weight=tf 2>err
read -r a b < <(sed -n 's/.* gives \([^ ]*\) and \([^ ]*\) the distance.*/\1 \2/p' err)
grep -qP "^$a\t$b\t" pairs/pairs.tsv || complain "not a pair of the corpus: $a $b"
for command in "eval --corpus pairs" "eval --corpus groups" "distances --corpus pairs" "distances --corpus groups"; do
    # shellcheck disable=SC2086
    "$fplab" $command --plugin ./sound.so --arm sound:weight=tf >out 2>err && [ -s out ] || complain "$command: a sound plug-in is refused: $(cat err)"
done
exit $bad
