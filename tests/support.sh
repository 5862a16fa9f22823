# SPDX-License-Identifier: GPL-3.0-or-later
# Shared by the tests of the program, which source it in the root of the project. Defines the program, the shipped
# corpora, a small test corpus (the first edition of newswire-zh: groups of four, known results), the tests' directory,
# a working directory removed at exit, and complain(), which continues after a failure; end with `exit $bad`. Uses bash
# builtins where possible: starting processes takes most of a test's time.
set -u
fplab=${FPLAB:-build/bin/fplab}
[ "${fplab:0:1}" = / ] || fplab=$PWD/$fplab
corpora=$PWD/corpora/data
newswire=$PWD/tests/data/newswire-zh
tests=$PWD/tests
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export FPLAB_PAGER= # no user to quit a pager
bad=0
complain() { cut -c 1-600 <<<"FAIL: $*"; bad=1; }

# refused STATUS WORDS COMMAND…: expects this exit status, one line with WORDS on stderr, and nothing on stdout.
refused() {
    local status=$1 words=$2; shift 2
    "$@" >out 2>err </dev/null
    local got=$?
    [ "$got" = "$status" ] || complain "status $got, not $status: $*"
    local lines=()
    mapfile lines <err
    [ "${#lines[@]}" = 1 ] && [[ ${lines[0]} == *$'\n' ]] || complain "not one line: $*: $(cat err)"
    [[ ${lines[*]} == *"$words"* ]] || complain "\"$words\" is missing: $*: $(cat err)"
    [ -s out ] && complain "printed something: $*"
}
