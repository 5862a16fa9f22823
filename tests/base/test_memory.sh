#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# An allocation that fails is told as such, and nothing else comes of it: every one of two commands, and a sample of those of others, with arenas that
# allocate each piece by itself. tests/deep/test_memory.sh fails every one of every command.
set -u
build=${BUILD:-build}
if [ -n "${SANITIZE:-}" ] || nm -D "$build/bin/fplab" 2>/dev/null | grep -q ' __asan_init'; then
    echo "a sanitizer has allocations of its own"
    exit 77
fi
command -v python3 >/dev/null || { echo "python3 is missing"; exit 77; }
shim=$(realpath "$build/tests/base/fail_allocation.so")
status=0
for program in bin/fplab tests/base/single_arena; do
    python3 tests/base/memory_check.py "$(realpath "$build/$program")" "$shim" corpora/data/newswire-zh 1 align fingerprint gzip zstd check || status=1
done
python3 tests/base/memory_check.py "$(realpath "$build/tests/base/single_arena")" "$shim" corpora/data/newswire-zh 149 dedup cluster query sources compare eval again rerun tune sample convert html scores vectors signs explain-simhash || status=1
exit $status
