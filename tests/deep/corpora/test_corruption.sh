#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Corruption keeps its word on texts that nobody here wrote: for every kind and corpus the measured rate lies within the binomial bounds of
# the one asked for; homophones are such by Rime's luna_pinyin, conversions are opencc's. Corpora are looked for in $CORPORA, by default
# ../shared/data.
. tests/support.sh
corpora=${CORPORA:-../shared/data}
[ -d "$corpora" ] || { echo "there is no $corpora"; exit 77; }
corpora=$(realpath "$corpora")
judge=$(realpath tests/text/variants/homophone_judge.py)
conversion=$(realpath tests/text/variants/test_conversion.sh)
luna=/usr/share/rime-data/luna_pinyin.dict.yaml
for name in zhTW_sighan_typos zh_prc_law_revisions zhTW_quantangshi_two_editions zh_pawsx en_clough_stevenson; do
    corpus=$corpora/$name
    [ -d "$corpus" ] || { echo "skipped: $name: it is not there"; continue; }
    mkdir -p "$work/$name"
    zcat -f "$corpus"/docs.jsonl* 2>/dev/null | head -400 >"$work/$name/docs.jsonl"
    kinds=all
    case $name in en_*) kinds=substitute,insert,delete,transpose,digits,words,clauses,sentences,sentence_delete,sentence_insert,synonym,width,punctuation,noise,boilerplate,truncate,splice ;; esac
    "$fplab" corpus corrupt --quiet -c "$work/$name" -k "$kinds" -r 0.01,0.1,0.5 --negatives 0 --out "$work/made" --format tsv >"$work/table" 2>"$work/err" ||
        { complain "$name: $(cat "$work/err")"; continue; }
    python3 - "$work/table" "$name" <<'E2' || complain "$name: a rate is not kept"
import csv, math, sys
def tail(n, k, p, up):
    """P[X >= k] or P[X <= k] of a binomial, summed from k on until nothing is added."""
    term = math.exp(math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1) + k * math.log(p) + (n - k) * math.log(1 - p))
    total = 0.0
    while term > total * 1e-15 and 0 <= k <= n:
        total += term
        term *= (n - k) / (k + 1) * p / (1 - p) if up else k / (n - k + 1) * (1 - p) / p
        k += 1 if up else -1
    return total
bad = rows = 0
for row in csv.DictReader(open(sys.argv[1], encoding="utf-8"), delimiter="\t"):
    n, k, p = int(row["sites"]), int(row["changes"]), float(row["rate"])
    if not n:
        continue
    rows += 1
    amounts = row["kind"] in ("truncate", "splice", "boilerplate")
    # Amounts are rounded text by text: half a character of each of at most 400.
    if abs(k - p * n) > 200 if amounts else min(tail(n, k, p, True), tail(n, k, p, False)) < 1e-5:
        bad += 1
        print("%s %s at %g: %d of %d" % (sys.argv[2], row["kind"], p, k, n))
print(sys.argv[2], rows, "rates")
sys.exit(bad > 0 or rows < 30)
E2
    case $name in zh*)
        if [ -r "$luna" ]; then
            "$fplab" corpus corrupt --quiet -c "$work/$name" -k homophone -r 0.5 --negatives 0 --edits --out "$work/sounds" >/dev/null || complain "no homophones"
            read -r judged share <<<"$(python3 "$judge" "$work/sounds" "$luna")"
            echo "$name: luna_pinyin knows $judged substitutions, $share of them share a reading"
            awk -v s="$share" -v n="$judged" 'BEGIN { exit !(s > 0.99 && n > 1000) }' || complain "$name: homophones are none"
        else
            echo "skipped: homophones of $name: rime-data-luna-pinyin is not installed"
        fi
        converted="${converted-} $work/$name" ;;
    esac
done

# Look-alikes, by their picture.
font=$(fc-match -f '%{file}' 'WenQuanYi Micro Hei')
if /usr/bin/python3 -c 'import PIL' 2>/dev/null && [ -r "$font" ]; then
    "$fplab" corpus corrupt --quiet -c "$newswire" -k lookalike -r 0.5 --negatives 0 --edits --out "$work/shapes" >/dev/null || complain "no look-alikes"
    read -r pairs ours others share <<<"$(/usr/bin/python3 tests/deep/corpora/lookalike_judge.py "$work/shapes" "$font")"
    echo "look-alikes: $pairs pairs, mean correlation $ours, of pairs drawn evenly $others; $share are more alike than nine in ten of these"
    awk -v p="$pairs" -v s="$share" 'BEGIN { exit !(p > 500 && s > 0.7) }' || complain "look-alikes do not look alike"
else
    echo "skipped: look-alikes: python3-pil is not installed"
fi
FPLAB=$fplab CONVERSION_CORPORA=${converted-} "$conversion" || complain "conversions are not opencc's"
exit $bad
