#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A writer is killed (SIGKILL) at 200 random moments, of making the store, of a transaction and of its commit: what it has told of is
# there, nothing is there in part, and the check finds nothing. Then Redis itself is killed under a writer that goes on, and must come to
# the same end. KILLS, SERVER_KILLS and SEED change what is done.
set -u
writer=$(realpath "${BUILD:-build}/tests/index/store/record_writer")
. tests/index/store/redis.sh
work=$(mktemp -d)
trap 'redis_end; rm -rf "$work"' EXIT
seed=${SEED:-$(date +%N | sed 's/^0*//')}
RANDOM=$seed
echo "seed $seed"
bad=0
complain() { echo "FAIL: $*"; bad=1; }

# looked ADDRESS BATCH TOLD WHAT: the store holds all that was told of, and agrees with itself. Its records are in $there.
looked() {
    there=$("$writer" check "$1" "$2" 2>"$work/problems") || complain "$4: $(head -n 3 "$work/problems")"
    [ "${there:-0}" -ge "$3" ] || complain "$4: ${there:-no} records, $3 were told of"
}

# kill_after MILLISECONDS COMMAND…: its last line of output is in $last.
kill_after() {
    local wait=$1 process; shift
    "$@" >"$work/out" 2>"$work/err" &
    process=$!
    sleep "$((wait / 1000)).$(printf '%03d' $((wait % 1000)))"
    kill -9 "$process" 2>/dev/null
    wait "$process" 2>/dev/null
    last=$(tail -n 1 "$work/out")
}

# killed_writers KILLS ADDRESS-OF-A-NAME: a new store after every twentieth kill, with batches of 1, 20 or 1,000.
killed_writers() {
    local kills=$1 place=$2 number=0 total=0 unborn=0 ahead=0 told=0 batch address=
    while [ $((number += 1)) -le "$kills" ]; do
        if [ -z "$address" ] || [ $((number % 20)) = 1 ]; then
            address=$(printf '%s' "$place" | sed "s/NAME/s$number/")
            case $((RANDOM % 3)) in 0) batch=1 ;; 1) batch=20 ;; *) batch=1000 ;; esac
            told=0 exists=
        fi
        kill_after $((RANDOM % 200)) "$writer" add "$address" $((told + 1)) 1000000 "$batch"
        if [ -n "$last" ]; then exists=1; total=$((total + last - told)); told=$last; fi
        # Killed while it made the store: there is none, or an empty one.
        if [ -z "$exists" ] && ! "$writer" check "$address" "$batch" >/dev/null 2>"$work/problems"; then
            grep -qE 'No such file|no store of that name' "$work/problems" || complain "kill $number: $(cat "$work/problems")"
            unborn=$((unborn + 1))
            continue
        fi
        looked "$address" "$batch" "$told" "kill $number (batch $batch)"
        [ "$there" -gt "$told" ] && { ahead=$((ahead + 1)); total=$((total + there - told)); }
        told=$there exists=1
        [ "$told" = 0 ] && address= # made, and nothing added: the writer would make it anew
    done
    echo "$kills kills of the writer of $place: $total records added, $unborn before there was a store, $ahead after a commit that had not been told of"
}
killed_writers "${KILLS:-200}" "$work/NAME"

redis_start --appendonly yes --appendfsync always
killed_writers $((${KILLS:-200} / 4)) "redis://127.0.0.1:$port/0?name=NAME"

# The server dies, and is there again; the writer goes on.
address="redis://127.0.0.1:$port/1" batch=20
"$writer" add "$address" 1 100000000 "$batch" >"$work/told" 2>"$work/err" &
process=$!
deaths=0
while [ $((deaths += 1)) -le "${SERVER_KILLS:-20}" ]; do
    sleep "0.$(printf '%03d' $((RANDOM % 700)))"
    redis_kill
    sleep "0.$(printf '%03d' $((RANDOM % 300)))"
    redis_start --appendonly yes --appendfsync always
    sleep 1.5
    kill -0 "$process" 2>/dev/null || { complain "the writer ended at death $deaths of Redis: $(cat "$work/err")"; break; }
done
kill -9 "$process" 2>/dev/null
wait "$process" 2>/dev/null
told=$(tail -n 1 "$work/told")
looked "$address" "$batch" "${told:-0}" "after $((deaths - 1)) deaths of Redis"
echo "$((deaths - 1)) kills of Redis under a writer: $there records, ${told:-0} told of"
exit $bad
