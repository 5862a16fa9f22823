#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# tests/run counts what passes, fails and is skipped, whole tests and parts of them, in the order of the names, however many run at once.
set -u
house=$PWD
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
bad=0
complain() { echo "FAIL: $*"; bad=1; }
make_test() { printf '#!/bin/sh\n%s\n' "$2" >"$1" && chmod +x "$1"; }
mkdir "a place"
make_test "a place/slow" 'sleep 1; echo "note: told"; echo "not told"'
make_test b 'echo "skipped: a part: no reason"; echo "skipped: another: none"'
make_test c 'printf "[  SKIPPED ] 3 test(s), listed below:\n[  SKIPPED ] one\n"; echo "skipped: one: why"'
make_test d 'echo "nothing is here"; exit 77'
make_test e 'exit 0'
JOBS=4 "$house/tests/run" "./a place/slow" ./b ./c ./d ./e >out 2>&1 || complain "a run without failures fails"
sed 's/ ([0-9]* s)$//' out >told
cat >expected <<'TEXT'
ok    ./a place/slow
note: told
ok    ./b
skipped: a part: no reason
skipped: another: none
ok    ./c
skipped: one: why
skip  ./d: nothing is here
ok    ./e
4 passed, 0 failed, 6 skipped
TEXT
cmp -s told expected || complain "$(diff expected told)"
# The longest of the list is started first, wherever it is named, and told where it is named.
longest=$(sed -n '/^#/!{p;q}' "$house/tests/longest")
mkdir -p "tests/$(dirname "$longest")"
make_test "tests/$longest.sh" 'echo longest >>order'
make_test h 'echo h >>order'
JOBS=1 "$house/tests/run" ./h "./tests/$longest.sh" >out 2>&1 || complain "the longest first: $(cat out)"
[ "$(tr '\n' ' ' <order)" = 'longest h ' ] && grep -q '/h ' <(head -1 out) || complain "the longest first: $(cat order out)"
make_test f 'echo "what went wrong"; exit 3'
make_test g 'kill -9 $$'
for jobs in 1 3; do
    JOBS=$jobs "$house/tests/run" ./e ./f ./missing ./g >out 2>&1 && complain "a run with failures passes"
    grep -qx 'what went wrong' out && grep -qx 'FAIL  ./f (status 3)' out && grep -qx 'FAIL  ./g (status 137)' out && [ "$(tail -1 out)" = "1 passed, 3 failed, 0 skipped" ] ||
        complain "$jobs at once: $(cat out)"
done
exit $bad
