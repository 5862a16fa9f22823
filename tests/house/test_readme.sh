#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The examples of README.md, README.zh.md, docs/commands.md and docs/evaluation.md run as they stand, and print what the pages show;
# with LONG=1 those of the reference pages of evaluation.
set -u
fplab=$(realpath "${FPLAB:-build/bin/fplab}")
house=$PWD
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin" && ln -s "$fplab" "$work/bin/fplab"
PATH=$work/bin:$PATH

# runs FILE LINES: the examples of a page, at least so many lines of them, in a directory of their own.
runs() {
    local page=$1 to=$work/$(basename "$1" .md)
    mkdir -p "$to/corpora" && ln -s "$(realpath corpora/data)" "$to/corpora/data"
    awk '/^```sh$/ { inside = 1; next } /^```$/ { inside = 0 } inside' "$page" >"$to/examples.sh"
    [ "$(wc -l <"$to/examples.sh")" -ge "$2" ] || { echo "$page has too few examples"; exit 1; }
    cd "$to" || exit 1
    bash -eu examples.sh >out 2>err || { echo "an example of $page failed:"; cat err; exit 1; }
    [ -s err ] && { echo "the examples of $page wrote to standard error:"; cat err; exit 1; }
    cd "$house" || exit 1
}

if [ -n "${LONG-}" ]; then
    runs docs/evaluation-intervals.md 11
    runs docs/evaluation-analyses.md 40
    runs docs/evaluation-sampling.md 7
    runs docs/evaluation-runs.md 12
    page=$work/evaluation-analyses
    grep -q 'not held out' "$page/not-held-out.txt" || { echo "no note of a choice on the texts that it was tuned on"; exit 1; }
    [ "$(wc -l <"$page/subjects/ranks.tsv")" -ge 4 ] || { echo "four corpora and no ranks"; exit 1; }
    grep -q '^document: ' "$page/out" && grep -q '^adjusted_rand: ' "$page/out" || { echo "the levels are not defined"; exit 1; }
    exit 0
fi

for link in $(grep -oh '](docs/[^)]*)' README.md README.zh.md | tr -d '()]'); do [ -s "$link" ] || { echo "README.md names $link, which is not there"; exit 1; }; done
runs README.md 14
# The Chinese page has the same examples, but for the language of what comes out.
examples() { awk '/^```sh$/ { inside = 1; next } /^```$/ { inside = 0 } inside' "$1" | sed 's/--lang [a-z]*//'; }
cmp -s <(examples README.md) <(examples README.zh.md) || { echo "README.zh.md has other examples than README.md"; exit 1; }
runs docs/commands.md 16
grep -q '^cosine .* 0\.938 ' "$work/commands/out" || { echo "the cosine of the two sentences is not 0.938"; exit 1; }
[ "$(wc -l <"$work/commands/distances.tsv")" = 1711 ] || { echo "distances.tsv is not complete"; exit 1; }

runs docs/evaluation.md 8
grep -qx 'TP 548 FP 157' "$work/evaluation/out" || { echo "evaluation.md counts other pairs"; exit 1; }

# The reader's page stays short, and every link within these pages has its file and its heading, as GitHub names it.
[ "$(wc -w <docs/evaluation.md)" -le 3000 ] || { echo "docs/evaluation.md has more than 3000 words"; exit 1; }
anchors() { sed -n '/^```/,/^```$/!s/^##* //p' "$1" | tr '[:upper:]' '[:lower:]' | sed 's/[^[:alnum:] _-]//g; s/ /-/g'; }
for page in docs/evaluation*.md; do
    for link in $(grep -oE '\]\([a-z.-]*(#[^)]*)?\)' "$page" | sed 's/^](//; s/)$//'); do
        file=docs/${link%%#*}
        [ "$file" = docs/ ] && file=$page
        [ -s "$file" ] || { echo "$page: a link to $link, which is not there"; exit 1; }
        [[ $link != *'#'* ]] || grep -qxF -- "${link#*#}" <(anchors "$file") || { echo "$page: a link to $link, which has no such heading"; exit 1; }
    done
done
