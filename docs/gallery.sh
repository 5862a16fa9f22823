#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Writes docs/gallery.md, its pictures in docs/gallery/ and that of README.md, or with a directory as argument those in DIR; `make gallery` runs it in the
# root of the tree. FPLAB is the program. Every command of the page is one that was run. Pictures of times are not among them: they
# would differ from one machine to the next.
set -euo pipefail
export LC_ALL=C.UTF-8
fplab=$(realpath "${FPLAB:-build/bin/fplab}")
to=$(realpath "${1:-docs}")
corpora=$(realpath corpora)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/bin" "$to/gallery"
ln -s "$fplab" "$work/bin/fplab"
ln -s "$corpora" "$work/corpora"
PATH=$work/bin:$PATH
cd "$work"

# The runs that pictures are drawn of: name and command.
runs=(
    kinds "fplab eval --corpus corpora/data/newswire-zh -a simhash -a minhash -a cosine --by kind --lost --index banding:bands=16,rows=4 --theory --gain --costs --calibrate --prevalence 0.001 --replicates 200 --no-plots --out kinds"
    lengths "fplab eval --corpus corpora/data/newswire-zh -a simhash --by length --replicates 200 --no-plots --out lengths"
    banding "fplab plan --slots 128 --similarity 0.8 --out banding"
)
# The pictures: figure, run, what it shows, the same in Chinese.
pictures=(
    thresholds kinds "Precision and recall at the thresholds 1 to 10 with their intervals, and in the strip below at all distances, with the best F1." "阈值 1 至 10 的精确率与召回率及其区间；下方长条为全部距离与最佳 F1。"
    precision-recall kinds "Precision against recall; the numbers are thresholds, the broken line is chance, and the other arms stand in grey." "精确率与召回率；数字为阈值，虚线为随机水平，灰线为其他方案。"
    roc kinds "Recall against the share of other pairs that are called duplicates." "召回率与误报率。"
    f1 kinds "F1 at every threshold, and where it is largest." "各阈值的 F1 及其最大值。"
    histograms kinds "How far apart duplicates and other pairs are; a gap is a distance that no pair has." "重复与非重复文本对的距离分布；空缺处没有文本对。"
    strata kinds "Which threshold each kind of pair wants, duplicates on the left, others on the right; below, what it reaches there." "各类文本对的最佳阈值（左为重复，右为非重复），下图为该处的效果。"
    edits lengths "Mean distance of duplicates by the share of edited characters and by length; below each mean what the law expects." "按改动比例与字数的平均距离；每格下行为理论期望。"
    prevalence kinds "Precision of each arm where duplicates are rarer than in the set." "重复更为罕见时的精确率。"
    lost kinds "Where recall is lost: by the index, by the fingerprint, or because the texts are too different." "召回率损失在何处：索引、指纹，还是文本差异过大。"
    index kinds "Which share of the pairs of a similarity becomes a candidate of the index, beside what its law expects." "各相似度的文本对成为索引候选的比例，与理论对照。"
    calibration kinds "The probability that a pair at a distance is a duplicate." "某一距离上的文本对为重复的概率。"
    banding banding "The S-curve of bands and rows that was chosen, and of those that come close." "所选分段索引的 S 曲线及相近的选择。"
)

is_pictured() { for ((p = 0; p < ${#pictures[@]}; p += 4)); do [ "${pictures[p]}" != "$1" ] || return 0; done; return 1; }

for ((r = 0; r < ${#runs[@]}; r += 2)); do ${runs[r + 1]} >/dev/null; done
# The picture of README.md.
fplab eval --corpus corpora/data/newswire-zh --figure thresholds --plot-format png --out demo >/dev/null
cp demo/plots/newswire-zh-thresholds.png "$to/newswire-zh-thresholds.png"
{
    echo '<!-- SPDX-License-Identifier: GPL-3.0-or-later -->'
    echo '<!-- Written by docs/gallery.sh: make gallery. -->'
    echo '# Pictures'
    echo
    echo 'What the lab draws, each from the tables of a run. These three runs are drawn here, of the corpus that ships:'
    echo
    echo '```sh'
    for ((r = 0; r < ${#runs[@]}; r += 2)); do echo "${runs[r + 1]}"; done
    echo '```'
    echo
    echo 'Each picture is also drawn in one language (`--lang en`, `--lang zh`), in greys (`--grey`), for a column of a journal'
    echo '(`--size column`) or a screen (`--size slide`), and as SVG, PDF or TikZ; [evaluation.md](evaluation.md) says what the figures mean.'
    for ((p = 0; p < ${#pictures[@]}; p += 4)); do
        figure=${pictures[p]} run=${pictures[p + 1]}
        command="fplab plot $run --figure $figure --size 600 --out $figure.png"
        $command >/dev/null
        cp "$figure.png" "$to/gallery/$figure.png"
        printf '\n## %s\n\n%s\n%s\n\n```sh\n%s\n```\n\n![%s](gallery/%s.png)\n' "$figure" "${pictures[p + 2]}" "${pictures[p + 3]}" "$command" \
            "${pictures[p + 2]%.}" "$figure"
    done
    printf '\n## All figures\n\n`fplab plot RUN` draws those whose tables are in RUN, `--figure NAME` one of them.\n\n| figure | shows |\n|---|---|\n'
    fplab plot --figure list | awk 'NR == 1 { at = index($0, "shows"); next } { print $1 "\t" substr($0, at) }' | while IFS=$'\t' read -r figure shows; do
        if is_pictured "$figure"; then echo "| [$figure](#$figure) | $shows |"; else echo "| $figure | $shows |"; fi
    done
} >"$to/gallery.md"
