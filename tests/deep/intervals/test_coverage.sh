#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Coverage of every interval, on worlds with known truth: about seven minutes on two processors.
set -eu
drivers=${BUILD:-build}/tests/deep/intervals
bad=0
for driver in coverage_binomial coverage_corpora coverage_levels coverage coverage_bands coverage_strata coverage_measures; do
    [ -x "$drivers/$driver" ] || { echo "$driver was not built"; exit 1; }
    "$drivers/$driver" || bad=1
done
exit $bad
