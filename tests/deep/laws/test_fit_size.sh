#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The tests of a law at 5% reject it in 3% to 7% of 2,000 simulations where it holds, both together in at most 6.5%, whatever pairs have in common; and in 80%
# or more where it does not.
exec "${BUILD:-build}/tests/deep/laws/fit_size" 2000
