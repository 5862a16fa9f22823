#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A newcomer adds an algorithm, an analysis, a measure, a command and a segmenter as the documents say, and touches nothing else: they are listed, run, and are asked what the
# tests ask of every one of their kind; one that is wrong fails. Each file of newcomer/ adds something and asks for it; all is built once, with `asked`, the unit
# tests that they name.
set -eu
. tests/scratch_tree.sh

asked=()
for part in tests/house/newcomer/*.sh; do
    . "$part"
done
add_algorithm
add_analysis
add_measure
add_command_and_segmenter
make --no-print-directory BUILD="$build" all "${asked[@]/#/$build/tests/}" >/dev/null
ask_algorithm
ask_analysis
ask_measure
ask_command_and_segmenter
