#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Known answers, verification codes and every promise of the interface, with the processor's features forced down one level after another; at its highest,
# which needs no force, the same tests run by themselves.
set -u
bad=0
has() { local flag; for flag; do grep -qwm1 "$flag" /proc/cpuinfo 2>/dev/null || return 1; done; }
highest=portable
if has avx2 popcnt; then highest=avx2; fi
if has avx2 popcnt avx512f avx512bw avx512dq avx512vl; then highest=avx512; fi
for level in portable avx2 avx512; do
    case $level in
    "$highest") continue ;;
    avx2) has avx2 popcnt ;;
    avx512) has avx2 popcnt avx512f avx512bw avx512dq avx512vl ;;
    esac || { echo "skipped: $level: this processor has no such level"; continue; }
    for test in algorithms/test_vectors algorithms/arms/test_conformance algorithms/arms/test_ask base/test_base eval/experiment/test_all_pairs eval/experiment/test_near_pairs pairs/test_block_pairs algorithms/kernels/test_near algorithms/kernels/tally/test_tally text/unicode/test_plain text/features/test_windows; do
        FPLAB_CPU=$level "${BUILD:-build}/tests/$test" >/dev/null 2>&1 || { echo "FAIL: $test under FPLAB_CPU=$level"; bad=1; }
    done
done
exit $bad
