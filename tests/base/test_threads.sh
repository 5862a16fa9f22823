#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Any number of threads that somebody asks for, threads that cannot be had, and a start by the loader or by a tool that stands in for it: the same figures.
. tests/support.sh
cd "$work" || exit 1
evaluate() { "$@" "$fplab" eval --corpus "$newswire" --arm simhash --arm jaccard --no-plots --format tsv; }

evaluate env OMP_NUM_THREADS=1 >one || complain "one thread"
[ "$(wc -l <one)" = 129 ] || complain "one thread: $(wc -l <one) lines"
same() {
    local what=$1; shift
    evaluate "$@" >out 2>err || complain "$what: status $?: $(head -3 err)"
    cmp -s one out || complain "$what: other figures"
}
same "100000 threads" env OMP_NUM_THREADS=100000
same "2147483647 threads" env OMP_NUM_THREADS=2147483647
same "a list of OpenMP's" env OMP_NUM_THREADS=3,2
same "no number" env OMP_NUM_THREADS=many
OMP_NUM_THREADS=100000 "$fplab" eval --corpus "$newswire" --arm simhash --no-plots --out most >out 2>err || complain "--out: $(cat err)"
python3 -c 'import json; n = json.load(open("most/run.json"))["machine"]["threads"]; assert n == 1024, n' || complain "run.json does not name the threads that there were"

# Every thread wants a stack of 8 GB where 4 GB are all there is, so that none can be had. The sanitizers need all the room there is.
limits='ulimit -s 8000000 && ulimit -v 4000000'
case "${SANITIZE:-}" in
*-fsanitize*) echo "skipped: threads that cannot be had: sanitizers need their address space" ;;
*)
    if bash -c "$limits" 2>/dev/null; then same "threads that cannot be had" bash -c "$limits"' && OMP_NUM_THREADS=7 exec "$@"' limited
    else echo "skipped: threads that cannot be had: the size of a stack cannot be set here"; fi
    ;;
esac

# The program starts itself anew by no path, so that whatever stands in for it goes on doing so.
loader=$(readelf -l "$fplab" | sed -n 's/.*program interpreter: \(.*\)\]/\1/p')
same "started by the loader" "$loader"
exit $bad
