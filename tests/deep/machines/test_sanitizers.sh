#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The quick tests under the address and undefined-behaviour sanitizers.
set -u
log=$(mktemp)
trap 'rm -f "$log"' EXIT
export SANITIZE="-fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer"
export ASAN_OPTIONS=detect_leaks=1 UBSAN_OPTIONS=print_stacktrace=1
export OPT="-O1 -g" BUILD=${BUILD:-build}/sanitize
make --no-print-directory -j"$(nproc)" tests >"$log" 2>&1 || { tail -30 "$log"; exit 1; }
make --no-print-directory run-check
