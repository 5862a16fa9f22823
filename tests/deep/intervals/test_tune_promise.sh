#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# How often tune --min-precision promises what does not hold: in worlds that are made up, and in samples and halves of labelled sets ($FPLAB_SETS, or
# ../shared/data). Prints the tables of docs/tune-promise.md; fails where more than 5% of the promises on labelled pairs are broken. A quarter of an hour;
# $PROMISE_RUNS samples of a cell (500).
set -eu
driver=${BUILD:-build}/tests/deep/intervals/promise_worlds
sets=$(realpath -m "${FPLAB_SETS:-../shared/data}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
[ -d "$sets" ] || echo "skipped: labelled sets: $sets is not here"
"$driver" --sets "$sets" --runs "${PROMISE_RUNS:-500}" >"$work/worlds.tsv"
"$driver" --sets "$sets" --runs 100 --halves >"$work/halves.tsv"
tests/deep/intervals/promise_table.py "$work/worlds.tsv" "$work/halves.tsv"
