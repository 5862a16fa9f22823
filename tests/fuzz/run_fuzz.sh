#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# run_fuzz.sh BUILD SECONDS [TARGET…]: runs the targets of the fuzzer so many seconds each, from the seeds of seeds.py and from what earlier runs kept
# in BUILD/corpus, and says executions, edges that were reached, and findings. A finding is in BUILD/found, and is run again by
# BUILD/tests/fuzz/fuzz --target=TARGET FILE.
set -u
build=$1 seconds=$2; shift 2
fuzz=$build/tests/fuzz/fuzz
[ $# -gt 0 ] || mapfile -t all < <("$fuzz" --list)
[ $# -gt 0 ] && all=("$@")
mkdir -p "$build/corpus" "$build/found" "$build/logs"
python3 tests/fuzz/seeds.py "${FPLAB:-build/bin/fplab}" "$build/seeds" || exit 1
export ASAN_OPTIONS=detect_leaks=1:allocator_may_return_null=1 UBSAN_OPTIONS=print_stacktrace=1
total=0 findings=0
printf '%-18s %12s %8s %8s %s\n' target executions edges inputs findings
for target in "${all[@]}"; do
    log=$build/logs/$target
    mkdir -p "$build/corpus/$target"
    "$fuzz" --target="$target" -max_total_time="$seconds" -max_len="${LENGTH:-2048}" -timeout=20 -rss_limit_mb=3000 -print_final_stats=1 -reload=0 \
        -artifact_prefix="$build/found/$target-" "$build/corpus/$target" "$build/seeds/$target" >"$log" 2>&1
    status=$?
    executed=$(sed -n "s/^stat::number_of_executed_units: *//p" "$log" | tail -n 1)
    last=$(grep -E '^#[0-9].* cov: ' "$log" | tail -n 1)
    edges=$(sed -n 's/.* cov: \([0-9]*\).*/\1/p' <<<"$last") inputs=$(sed -n 's/.* corp: \([0-9]*\).*/\1/p' <<<"$last")
    # A process that ended in a finding says how far it came in its last line of progress alone.
    [ -n "$executed" ] || executed=$(sed -n 's/^#\([0-9]*\).*/\1/p' <<<"$last")
    [ "$status" = 0 ] || findings=$((findings + 1))
    total=$((total + ${executed:-0}))
    printf '%-18s %12s %8s %8s %s\n' "$target" "${executed:-0}" "${edges:-?}" "${inputs:-?}" "$([ "$status" = 0 ] || grep -m 1 -E 'ERROR|law does not hold|runtime error' "$log")"
done
echo "$total executions of ${#all[@]} targets, $findings of them with a finding"
[ "$findings" = 0 ]
