#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The commands of README.md, each the first on a Debian that has never seen the project: with nothing there but make, with gcc and g++, with clang alone, after make install,
# in a directory with a space, from a tree that cannot be written, and by a user who may install nothing; then the other targets of `make help`, each the first
# as well. About an hour.
#
#     tests/deep/machines/test_fresh_debian.sh [PROFILE…]
set -u
tool=../shared/tools/fresh-debian
[ -x "$tool" ] || { echo "$tool is not here"; exit 77; }
[ "$(id -u)" = 0 ] || { echo "a fresh system needs root"; exit 77; }
.ci/setup fresh >/dev/null 2>&1 || { echo "debootstrap cannot be installed"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bad=0
complain() { echo "FAIL: $*"; bad=1; }
unset CC CXX OPT SANITIZE BUILD FPLAB

# elsewhere OPTION… COMMAND…: the commands on a fresh system. A system that could not be made proves nothing.
elsewhere() {
    local options=()
    while :; do
        case $1 in
        -w) options+=("$1" "$2"); shift 2 ;;
        -u) options+=("$1"); shift ;;
        *) break ;;
        esac
    done
    "$tool" "${options[@]}" . "$@" >"$work/log" 2>&1
    local status=$?
    [ $status = 0 ] && return
    if ! grep -q '^== ' "$work/log"; then echo "packages are out of reach: $(tail -n 1 "$work/log")"; exit 77; fi
    grep -E "^FAIL" -A 3 "$work/log" | head -n 60
    tail -n 20 "$work/log"
    return $status
}
counted() { grep -E '^[0-9]+ passed, 0 failed, [0-9]+ skipped$' "$work/log" | sed "s/^/note: $1: /"; }

# README.md's command for the example, after make install.
command="sed -n 's/^    \\(cc examples.*pkg-config.*\\)/\\1/p' README.md | grep . | bash -e"

bare() { elsewhere 'make demo' 'test -s demo/plots/newswire-zh-thresholds.png' 'test -s demo/results.tsv'; }
compilers() { elsewhere -w build-essential 'make demo' 'make demo 2>&1 | grep -c "^adapters:" | grep -qx 0' 'make check' && counted "gcc and g++"; }
check() { elsewhere -w build-essential 'make check' && counted "gcc and g++, check first"; }
clang() { elsewhere -w clang 'make check' '! command -v gcc' && counted "clang alone"; }
installed() {
    local path='export PATH=/usr/local/bin:$PATH'
    elsewhere 'make install' "$path; cd / && fplab --version && fplab compare --text 甲 乙" "$command" './hello | grep "bits of 64"' \
        "$path; cd /tmp && printf '%s\n' 甲 乙 | fplab fingerprint" 'make uninstall' '! test -e /usr/local/bin/fplab'
}
bench() { elsewhere 'make -n bench && .ci/setup bench'; }
space() { elsewhere 'mkdir "/srv/a b" && cp -r . "/srv/a b/text lab"' 'cd "/srv/a b/text lab" && make demo && make check' && counted "a space in the path"; }
read_only() {
    elsewhere -u -w "$(.ci/setup --print check)" 'out=$(mktemp -d) && chmod -R a-w . && ! echo >>README.md && make BUILD="$out/built" DEMO="$out/shown" demo && make BUILD="$out/built" check && test -s "$out/shown/results.tsv"' &&
        counted "a tree that cannot be written"
}
targets() {
    local bad=0
    for target in gallery 'bench-growth SIZES=100,200' 'bench-compare REF=HEAD' 'fuzz SECONDS=1' pages format; do
        elsewhere "make $target" || { echo "make $target"; bad=1; }
    done
    # One mutant alone may live.
    elsewhere 'make mutation N=1 >/tmp/said 2>&1; cat /tmp/said; grep -q "^[01] of 1 mutants killed" /tmp/said' || { echo "make mutation"; bad=1; }
    return $bad
}
visitor() { elsewhere -u 'make demo >/tmp/said 2>&1; test $? != 0' 'cat /tmp/said; grep -q "^apt-get install --no-install-recommends .*libgsl-dev" /tmp/said'; }

for profile in "${@:-}"; do
    case $profile in
    '') for each in bare compilers check clang installed bench space read_only visitor targets; do "$each" || complain "$each"; done ;;
    *) "$profile" || complain "$profile" ;;
    esac
done
exit $bad
