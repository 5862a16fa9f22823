#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# clang builds everything without a warning and gives the same results as gcc, to the byte.
set -u
build=${BUILD:-build}/clang
command -v clang >/dev/null || { echo "clang is not installed"; exit 77; }
log=$(mktemp -d)
trap 'rm -rf "$log"' EXIT
make --no-print-directory -j"$(nproc)" CC=clang BUILD="$build" "$build/bin/fplab" >"$log/log" 2>&1 || { tail -30 "$log/log"; exit 1; }
grep -i warning "$log/log" && exit 1
arms=(--arm simhash:features=words,weight=tfidf,center=mean --arm minhash --arm cosine:weight=tfidf --arm pinyin:granule=100 --arm jaccard)
i=0
for fplab in "${FPLAB:-build/bin/fplab}" "$build/bin/fplab"; do
    for cpu in "" portable; do
        i=$((i + 1))
        FPLAB_CPU=$cpu "$fplab" eval --corpus tests/data/newswire-zh "${arms[@]}" --threshold 0..64 --format tsv >"$log/results.$i" || exit 1
    done
done
for other in 2 3 4; do cmp "$log/results.1" "$log/results.$other" || exit 1; done
