#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# An allocation that fails is told as such, and nothing else comes of it: a sample of those of each command, with arenas that allocate each piece
# by itself. tests/deep/machines/test_memory.sh fails every one of every command.
set -u
build=${BUILD:-build}
if [ -n "${SANITIZE:-}" ] || nm -D "$build/bin/fplab" 2>/dev/null | grep -q ' __asan_init'; then
    echo "a sanitizer has allocations of its own"
    exit 77
fi
command -v python3 >/dev/null || { echo "python3 is missing"; exit 77; }
shim=$(realpath "$build/tests/base/fail_allocation.so")
status=0
# The program as it is has few allocations, of which some are met here; with arenas that allocate each piece by itself it has many: the more a command
# has and the longer it takes, the smaller the part; of some, one below each call that leads to one (all of them: tests/deep/machines/test_memory.sh).
python3 tests/base/memory_check.py "$(realpath "$build/bin/fplab")" "$shim" tests/data/newswire-zh 59 align fingerprint gzip zstd check decode || status=1
python3 tests/base/memory_check.py "$(realpath "$build/tests/base/single_arena")" "$shim" tests/data/newswire-zh 79 fingerprint align gzip zstd decode rows || status=1
python3 tests/base/memory_check.py "$(realpath "$build/tests/base/single_arena")" "$shim" tests/data/newswire-zh calls convert plan split completion agreement || status=1
python3 tests/base/memory_check.py "$(realpath "$build/tests/base/single_arena")" "$shim" tests/data/newswire-zh 997 dedup cluster query sources containment compare sample forms scores vectors signs explain-simhash || status=1
python3 tests/base/memory_check.py "$(realpath "$build/tests/base/single_arena")" "$shim" tests/data/newswire-zh 4001 check corrupt robustness eval again rerun report tune || status=1
exit $status
