#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The tests that use threads, and commands with four, under the thread sanitizer. Threads are POSIX's own (base/parallel.c, base/parallel.c): there is no
# other runtime that it would have to understand.
set -u
log=$(mktemp -d)
trap 'rm -rf "$log"' EXIT
export SANITIZE="-fsanitize=thread -fno-omit-frame-pointer" OPT="-O1 -g" BUILD=${BUILD:-build}/thread
tests=$(grep -lE 'threads|pthread' $(git ls-files 'tests/*.c' ':!tests/deep' ':!tests/fuzz' 2>/dev/null | grep '/test_') | sed "s#^tests/\(.*\)\.c\$#$BUILD/tests/\1#")
[ "$(wc -w <<<"$tests")" -gt 15 ] || { echo "FAIL: the tests with threads were not found: $tests"; exit 1; }
# shellcheck disable=SC2086
make --no-print-directory -j"$(nproc)" "$BUILD/bin/fplab" $tests >"$log/build" 2>&1 || { tail -30 "$log/build"; exit 1; }
export TSAN_OPTIONS="exitcode=66 history_size=4" OMP_NUM_THREADS=4 FPLAB_PAGER=
bad=0 runs=0
checked() {
    "$@" >"$log/out" 2>"$log/err" </dev/null
    local status=$?
    runs=$((runs + 1))
    if [ $status != 0 ] || grep -q 'WARNING: ThreadSanitizer' "$log/err" "$log/out"; then
        bad=1
        echo "FAIL: status $status: $*"
        grep -h -m 1 -A 30 'WARNING: ThreadSanitizer' "$log/err" "$log/out" || tail -n 20 "$log/err"
    fi
}
for test in $tests; do checked "$test"; done
fplab=$(realpath "$BUILD/bin/fplab") corpus=$(realpath tests/data/newswire-zh)
cd "$log" || exit 1
checked "$fplab" eval -c "$corpus" -a simhash -a minhash -a jaccard -a cosine -a pinyin --replicates 200 --no-plots --lost --theory --out run
checked "$fplab" dedup -a simhash -d 3 --out kept "$corpus"
checked "$fplab" cluster -a jaccard -d 40 "$corpus"
checked "$fplab" index build c.fp -a simhash -d 3 "$corpus"
checked "$fplab" query c.fp "$corpus"
checked "$fplab" robustness -c "$corpus" -k homophone -r 0.1 -a simhash --replicates 200 --no-plots --out survived
echo "$runs runs under the thread sanitizer"
exit $bad
