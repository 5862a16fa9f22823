#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# `make gallery` writes docs/gallery.md, its pictures in docs/gallery/ and that of README.md; an argument replaces docs.
# FPLAB is the program. Every command on the page was run. Pictures of times differ between machines.
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

# The runs for the pictures: name and command.
runs=(
    kinds "fplab eval --corpus corpora/data/newswire-zh -a simhash -a minhash -a cosine --by kind --lost --index banding:bands=16,rows=4 --theory --gain --costs --calibrate --prevalence 0.001 --replicates 200 --no-plots --out kinds"
    lengths "fplab eval --corpus corpora/data/newswire-zh -a simhash --by length --replicates 200 --no-plots --out lengths"
    both "fplab eval --corpus corpora/data/newswire-zh --corpus corpora/data/newswire-en -a simhash -a minhash -a jaccard -a cosine --replicates 200 --no-plots --out both"
    sized "fplab eval --corpus corpora/data/newswire-zh -a hyperplane:features=words,weight=logtf -a minhash:features=words,slots=64,b=1 -a pinyin --bytes 4..128 --replicates 200 --no-plots --out sized"
    tuned "fplab tune --corpus corpora/data/newswire-zh --grid 'simhash:features=words|chars:2,bits=32|64' --grid 'minhash:slots=16|64' --folds 3 --replicates 200 --no-plots --out tuned"
    robust "fplab robustness --corpus corpora/data/newswire-zh --quick --kind substitute,insert,delete,homophone,words,synonym,traditional,truncate -a simhash -a minhash -a pinyin --replicates 200 --no-plots --out robust"
    designs "fplab plan --docs 8e9 --bits 64 --distance 3 --memory 512G --out designs"
    dated "awk '{ sub(\"{\", sprintf(\"{\\\"time\\\": \\\"2026-03-%02d\\\", \\\"source\\\": \\\"%s\\\", \", NR % 28 + 1, NR % 3 ? \"morning paper\" : \"evening paper\")) } 1' corpora/data/newswire-zh/docs.jsonl > dated.jsonl"
    news "head -n 1 dated.jsonl | fplab index build news.fp --arm simhash --threshold 10 -"
    month "tail -n +2 dated.jsonl | fplab track news.fp --out month"
    clusters "fplab cluster --arm simhash --threshold 10 corpora/data/newswire-zh --out clusters"
    banding "fplab plan --slots 128 --similarity 0.8 --out banding"
)
# The pictures: figure, run, description, description in Chinese.
pictures=(
    thresholds kinds "Precision and recall over the whole scale of thresholds, with their intervals; 1 to 10 are shaded, a line is at the best F1." "全部阈值的精确率与召回率及其区间；灰底为阈值 1 至 10，竖线为最佳 F1。"
    precision-recall kinds "Precision against recall of all arms, with a mark at the best F1; the best average precision is first in the list." "各方案的精确率–召回率曲线，标记为最佳 F1；列表按平均精确率排序。"
    roc kinds "Recall against the false positive rate of all arms." "各方案的召回率与误报率。"
    f1 kinds "F1 at every threshold, and where it is largest." "各阈值的 F1 及其最大值。"
    quality kinds "Best F1 against the bytes of a fingerprint and its time, with the intervals of both, the Pareto front, and the bound of independent bits or slots." "最佳 F1 与指纹字节数、耗时（均带区间），同等代价下无可超越的方案，以及相互独立的位或槽的界。"
    bytes sized "Average precision of each arm against its stored bytes, beside the exact similarity and the bound of independent bits or slots." "各方案的平均精确率随存储字节数的变化，对照精确相似度和相互独立的位或槽的界。"
    histograms kinds "Distances of duplicates and of non-duplicate pairs; a gap is a distance without pairs." "重复与非重复文本对的距离分布；空缺处没有文本对。"
    lengths lengths "Best threshold for each length of text, and the results there." "各长度文本的最佳阈值及其效果。"
    strata kinds "Best threshold for each kind of pair, duplicates on the left, others on the right; below, the results there." "各类文本对的最佳阈值（左为重复，右为非重复），下图为该处的效果。"
    edits lengths "Mean distance of duplicates by the share of edited characters and by length; below each mean the theoretical value." "按改动比例与字数的平均距离；每格下行为理论期望。"
    prevalence kinds "Precision of each arm where duplicates are rarer than in the set." "重复更为罕见时的精确率。"
    theory kinds "Precision and recall at each threshold, measured and by theory." "各阈值的精确率与召回率，与距离理论分布的期望对照。"
    theory-distance kinds "Distance against the exact similarity: the measured mean beside theory and its spread." "距离与精确相似度：实测均值与理论及其离散。"
    lost kinds "Where recall is lost: by the index, by the fingerprint, or because the texts are too different." "召回率损失在何处：索引、指纹，还是文本差异过大。"
    lost-thresholds kinds "The same at every threshold." "同上，逐个阈值。"
    index kinds "Candidate rate of the index by similarity, measured and by theory." "各相似度的文本对成为索引候选的比例，与理论对照。"
    gain kinds "Precision gain against recall gain: a curve that the share of duplicates does not distort." "精确率增益与召回率增益：不受重复比例影响的曲线。"
    cost kinds "Cost of the best threshold, by the cost of a missed duplicate in wrong calls." "最佳阈值的代价，随漏判与误判的代价比而变。"
    calibration kinds "The probability that a pair at a distance is a duplicate." "某一距离上的文本对为重复的概率。"
    reliability kinds "Whether those probabilities are right on held-out pairs." "这些概率在留出文本对上是否成立。"
    ranks both "Mean ranks of the arms over two corpora, and which differences are not significant." "各方案在两个语料上的平均名次，以及哪些差别可由偶然解释。"
    pareto tuned "Quality of every arm of a tuning on held-out groups, against bytes and time." "调优中各方案在留出组上的质量与字节数、耗时。"
    banding banding "The S-curve of the chosen bands and rows, and of close alternatives." "所选分段索引的 S 曲线及相近的选择。"
    designs designs "Index designs for eight billion texts: memory against fingerprints compared in a query." "八十亿文本的索引方案：内存与每次查询所看的指纹数。"
    by-day month "New texts and duplicates by day." "每日的新文本与重复。"
    by-source month "New texts and duplicates of the sources with the most texts." "按来源统计。"
    sizes clusters "Number of clusters of each size." "各大小的簇有多少。"
    robustness robust "F1 and recall of each arm under each kind of corruption, by its rate." "各方案在各类改动下的 F1 与召回率，随改动比例而变。"
)

for ((r = 0; r < ${#runs[@]}; r += 2)); do eval "${runs[r + 1]}" >/dev/null 2>told || { cat told >&2; exit 1; }; done
# The picture of README.md, if the corpora of `make corpora` are built.
crawl=${NATURAL:-$corpora/../build/corpora/natural}/newswire-crawl
if [ -d "$crawl" ]; then
    fplab eval --corpus "$crawl" --threshold 0..20 --figure thresholds --plot-format png --out crawl >/dev/null 2>told || { cat told >&2; exit 1; }
    cp crawl/plots/newswire-crawl-thresholds.png "$to/newswire-crawl-thresholds.png"
fi
{
    echo '<!-- SPDX-License-Identifier: GPL-3.0-or-later -->'
    echo '<!-- Written by docs/gallery.sh: make gallery. -->'
    echo '# Pictures'
    echo
    echo 'All pictures that fplab draws, each from the tables of a run. `fplab plot RUN` draws those whose tables are in RUN, `--figure NAME`'
    echo 'one of them; `fplab plot --figure list` lists all. The runs below use the shipped corpora:'
    echo
    echo '```sh'
    for ((r = 0; r < ${#runs[@]}; r += 2)); do echo "${runs[r + 1]}"; done
    echo '```'
    echo
    echo 'Each picture is also drawn in one language (`--lang en`, `--lang zh`), in greys (`--grey`), for a column of a journal'
    echo '(`--size column`), both (`--size page`) or a screen (`--size slide`), and as SVG, PDF or TikZ; [evaluation.md](evaluation.md) defines the figures.'
    for ((p = 0; p < ${#pictures[@]}; p += 4)); do
        figure=${pictures[p]} run=${pictures[p + 1]}
        command="fplab plot $run --figure $figure --size 600 --out $figure.png"
        $command >/dev/null
        cp "$figure.png" "$to/gallery/$figure.png"
        printf '\n## %s\n\n%s\n%s\n\n```sh\n%s\n```\n\n![%s](gallery/%s.png)\n' "$figure" "${pictures[p + 2]}" "${pictures[p + 3]}" "$command" \
            "${pictures[p + 2]%.}" "$figure"
    done
} >"$to/gallery.md"
