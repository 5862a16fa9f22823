#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Every target of the fuzzer for some seconds (SECONDS_EACH, 20), under the address and undefined-behaviour sanitizers, with arenas that poison what
# nobody has asked for. `make fuzz SECONDS=3600` goes on for longer.
set -u
command -v clang >/dev/null || { echo "clang is not installed"; exit 77; }
log=$(mktemp)
trap 'rm -f "$log"' EXIT
make --no-print-directory run-fuzz BUILD="${BUILD:-build}" SECONDS="${SECONDS_EACH:-20}" CC="${CC:-gcc}" CXX="${CXX:-g++}" OPT="${OPT:--O3 -g}" >"$log" 2>&1
status=$?
tail -n 45 "$log"
exit $status
