#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# trec_eval's own test data, with the outputs that it publishes: the code's figures and those of tests/eval/measures/retrieval_figures.py.
set -eu
vectors=../shared/vectors/trec_eval
[ -d "$vectors" ] || { echo "$vectors is not here"; exit 77; }
python3 tests/eval/measures/retrieval_figures.py check "$vectors"
exec "${BUILD:-build}/tests/eval/measures/test_retrieval" "$vectors"
