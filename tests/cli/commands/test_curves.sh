#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# curves.tsv: what a long curve is thinned to is what run.json and the header say, against the whole table; readers find the same.
. tests/support.sh
here=$PWD
cd "$work" || exit 1
# All pairs of 250 texts: of few pairs each moves precision or recall by more than a thinned curve may.
mkdir many && head -n 250 "$corpora/newswire-zh/docs.jsonl" >many/docs.jsonl
run() { "$fplab" eval -c many -a simhash -a cosine -a jaccard -a minhash:slots=512,name=seeds -N 2 --threshold 0..40 --no-plots --quiet "$@"; }

run --whole-curves -o whole >/dev/null || complain "--whole-curves"
run -o thin >/dev/null || complain "eval"
python3 "$here/tests/cli/commands/curves_check.py" whole thin >checked 2>&1 || complain "$(cat checked)"
for table in results summary intervals differences histograms; do
    [ $table = summary ] || cmp whole/$table.tsv thin/$table.tsv || complain "--whole-curves changes $table.tsv"
done

# The page finds the same: the answer, and the rows of the slider at whole distances.
for kind in whole thin; do
    "$fplab" report $kind --format markdown --lang en >$kind.md || complain "report $kind"
    grep -A 4 '^## ' $kind.md | head -8 >$kind.answer
done
cmp whole.answer thin.answer || complain "the page answers otherwise: $(diff whole.answer thin.answer)"

# A run is repeated with the curves that it had.
"$fplab" rerun thin --quiet >out 2>&1 || complain "rerun of thinned curves: $(cat out)"
"$fplab" rerun whole --quiet >out 2>&1 || complain "rerun of whole curves: $(cat out)"
exit $bad
