#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# 95% intervals of judged samples contain the truth in 94 to 97 of 100 draws, over 2,000 draws from each of four corpora.
exec "${BUILD:-build}/tests/deep/judged_coverage" 2000
