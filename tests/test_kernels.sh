#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Known answers, verification codes and every promise of the interface, with the processor's features forced down one level after another.
for level in portable avx2 avx512; do
    for test in test_vectors test_conformance test_base test_all_pairs; do
        FPLAB_CPU=$level "${BUILD:-build}/tests/$test" >/dev/null 2>&1 || { echo "FAIL: $test under FPLAB_CPU=$level"; exit 1; }
    done
done
