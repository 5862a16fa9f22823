#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# fplab rerun of what makes corpora, and of robustness: the same bytes and figures again; what has changed since, and what cannot be had again, in a line.
. tests/support.sh
cd "$work" || exit 1
cp -r "$newswire" set
again() { # RUN LAST-LINE
    "$fplab" rerun "$1" >out 2>err && [ "$(tail -n 1 out)" = "$2" ] || complain "rerun $1: $(cat out err)"
}

# ---- import ----
printf 'q1,q2,same\n怎么还款,如何还款,1\n怎么还款,怎么借款,0\n' >questions.csv
"$fplab" import questions.csv --pair q1,q2 --label same --out questions >out 2>err || complain "import: $(cat err)"
before=$(sha256sum questions/*)
again questions 'The corpus is the same.'
grep -qP '^docs.jsonl +NA +NA +0  the same$' out && grep -qP '^pairs.tsv +NA +NA +0  the same$' out || complain "import: $(cat out)"
[ "$before" = "$(sha256sum questions/*)" ] || complain "rerun changed the corpus"
"$fplab" rerun questions --out kept >out 2>err && cmp -s kept/docs.jsonl questions/docs.jsonl && cmp -s kept/pairs.tsv questions/pairs.tsv || complain "--out: $(cat err)"
(cd / && "$fplab" rerun "$work/questions" >"$work/out" 2>"$work/err") || complain "from elsewhere: $(cat err)"
echo '借款,还款,0' >>questions.csv
"$fplab" rerun questions >out 2>err && complain "a changed table was not noticed"
tail -n 1 out | grep -q '^The corpus is not the same' && grep -q 'docs.jsonl .* other bytes$' out || complain "a changed table: $(cat out err)"
rm questions.csv
refused 1 'questions.csv: cannot open: No such file or directory' "$fplab" rerun questions
echo 一 | "$fplab" import --out one >out 2>err
refused 1 'the texts came from standard input, so the run cannot be repeated' "$fplab" rerun one
mkdir bq; printf '什么时候到账\t多久到账\t1\n还款\t借款\t0\n' >bq/train.tsv
"$fplab" import --recipe bq bq --out bank >out 2>err && "$fplab" rerun bank --format tsv >out 2>err && grep -qP '^docs.jsonl\tNA\tNA\t0\tthe same$' out || complain "a recipe: $(cat out err)"

# ---- corpus corrupt ----
printf '今天\t今日\n' >same.txt
"$fplab" corpus corrupt -c set -k digits,synonym -r 0.1 --synonyms same.txt --hard facts -o corrupted >out 2>err || complain "corrupt: $(cat err)"
again corrupted 'The corpus is the same.'
echo '明天	翌日' >>same.txt
refused 1 'fplab: same.txt, which was read, has changed since the run' "$fplab" rerun corrupted
"$fplab" corpus corrupt -c set -k digits -r 0.1 -o digits >out 2>err
mv set there
refused 1 'the corpus set is not at set any more' "$fplab" rerun digits
"$fplab" rerun digits --corpus set=there >out 2>err || complain "--corpus: $(cat out err)"
mv there set

# ---- robustness ----
"$fplab" robustness -c set -a simhash -a minhash:slots=32 -k digits,delete -r 0.1 --documents 40 --hash-seeds 1 --replicates 200 --no-plots -o survived >out 2>err || complain "robustness: $(cat err)"
again survived 'The figures are the same, timings apart.'
grep -q '^robustness ' out || grep -q '^robustness.tsv ' out || complain "robustness: $(cat out)"
echo >>survived/robustness.tsv
refused 1 'robustness.tsv' "$fplab" rerun survived

# ---- What cannot be repeated ----
"$fplab" corpus split set --parts a:1,b:1 --out parts >out 2>err
refused 2 'a run of corpus split cannot be repeated; runs of eval, tune, plan, robustness, import and corpus corrupt can' "$fplab" rerun parts/a
exit $bad
