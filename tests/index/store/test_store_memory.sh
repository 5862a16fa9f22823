#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Allocations of a writer of records fail, one in STEP, SQLite's and hiredis's with it: it says so, and nothing is there in part.
set -u
build=${BUILD:-build}
writer=$(realpath "$build/tests/index/store/record_writer")
if [ -n "${SANITIZE:-}" ] || nm -D "$writer" 2>/dev/null | grep -q ' __asan_init'; then
    echo "a sanitizer has allocations of its own"
    exit 77
fi
shim=$(realpath "$build/tests/base/fail_allocation.so")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bad=0
python3 tests/index/store/memory.py "$writer" "$shim" "$work/NAME" "${STEP:-11}" || bad=1
if command -v redis-server >/dev/null; then
    . tests/index/store/redis.sh
    trap 'redis_end; rm -rf "$work"' EXIT
    redis_start
    python3 tests/index/store/memory.py "$writer" "$shim" "redis://127.0.0.1:$port/0?name=NAME" "${STEP:-61}" || bad=1
else echo "skipped: Redis: redis-server is not installed"
fi
exit $bad
