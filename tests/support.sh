# SPDX-License-Identifier: GPL-3.0-or-later
# What the tests of the program share, which source it where they are started, in the root of the project: the program, the corpora
# that ship, a small one for tests alone (the first edition of newswire-zh: groups of four, figures that are known), the place of the
# tests, a directory of their own that goes with them, and a way to go on after a failure, to `exit $bad`. Most of a test's time goes into starting
# processes: what bash can do by itself it does here.
set -u
fplab=${FPLAB:-build/bin/fplab}
[ "${fplab:0:1}" = / ] || fplab=$PWD/$fplab
corpora=$PWD/corpora/data
newswire=$PWD/tests/data/newswire-zh
tests=$PWD/tests
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export FPLAB_PAGER= # nobody is there to leave one
bad=0
complain() { cut -c 1-600 <<<"FAIL: $*"; bad=1; }

# refused STATUS WORDS COMMAND…: that exit status, one line on standard error that holds the words, nothing on standard output.
refused() {
    local status=$1 words=$2; shift 2
    "$@" >out 2>err </dev/null
    local got=$?
    [ "$got" = "$status" ] || complain "status $got, not $status: $*"
    local lines=()
    mapfile lines <err
    [ "${#lines[@]}" = 1 ] && [[ ${lines[0]} == *$'\n' ]] || complain "not one line: $*: $(cat err)"
    [[ ${lines[*]} == *"$words"* ]] || complain "no word of \"$words\": $*: $(cat err)"
    [ -s out ] && complain "printed something: $*"
}
