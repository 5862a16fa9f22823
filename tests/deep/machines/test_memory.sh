#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Every allocation of every command of tests/base/memory_check.py fails in turn, alone and with all that follow it: of the program as it is, and with arenas that
# allocate each piece by itself. STEP=k takes every k-th, STEP=calls one for each call that leads to one.
set -u
build=${BUILD:-build}
[ -z "${SANITIZE:-}" ] || { echo "a sanitizer has allocations of its own"; exit 77; }
shim=$(realpath "$build/tests/base/fail_allocation.so")
status=0
for program in bin/fplab tests/base/single_arena; do
    python3 tests/base/memory_check.py "$(realpath "$build/$program")" "$shim" tests/data/newswire-zh "${STEP:-1}" || status=1
done
exit $status
