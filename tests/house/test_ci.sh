#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# .ci/run: every warning of the compiler fails it; the count of the tests is its last line; a demo that fails on a fresh system fails the run, a system that cannot be made does not and is told.
set -u
house=$PWD
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/project/.ci" "$work/shared/tools"
cp "$house/.ci/run" "$work/project/.ci/run"
cd "$work/project" || exit 1
bad=0
complain() { echo "FAIL: $*"; bad=1; }
stand_in() { printf '#!/bin/sh\n%s\n' "$2" >"$1" && chmod +x "$1"; }
# runs STATUS WORDS: the status, the words somewhere, the count at the end.
runs() {
    .ci/run >"$work/out" 2>&1
    local status=$?
    [ $status = "$1" ] || complain "status $status, not $1: $(cat "$work/out")"
    grep -qF -- "$2" "$work/out" || complain "no \"$2\": $(cat "$work/out")"
    tail -n 1 "$work/out" | grep -qxE '[0-9]+ passed, [0-9]+ failed, [0-9]+ skipped' || complain "the last line: $(tail -n 1 "$work/out")"
}
printf 'check:\n\t@echo "built with $(WERROR)"\n\t@echo "3 passed, 0 failed, 1 skipped"\n' >Makefile
tool=$work/shared/tools/fresh-debian
stand_in .ci/setup 'exit 0'
unset CI
runs 0 'built with -Werror'
make --no-print-directory -C "$house" -n V=1 BUILD="$work/b" WERROR=-Werror "$work/b/base/string.o" 2>/dev/null | grep -q 'gcc.* -Werror\|clang.* -Werror\|cc.* -Werror' || complain "WERROR does not reach the compiler"
export CI=1
runs 0 'not run, ../shared/tools/fresh-debian is missing'
stand_in "$tool" '[ "$*" = "-w build-essential . make demo" ] && echo "== make demo"'
runs 0 'make demo on a fresh Debian: ok'
stand_in "$tool" 'echo "== make demo"; echo "no such header"; echo "fresh-debian: status 2: make demo" >&2; exit 2'
runs 1 'no such header'
runs 1 'make demo on a fresh Debian: failed'
stand_in "$tool" 'echo "E: Failed getting release file" >&2; exit 1'
runs 0 'not run: E: Failed getting release file'
stand_in .ci/setup '[ "$1" != fresh ] || { echo "no package debootstrap"; exit 1; }'
runs 0 'not run: no package debootstrap'
printf 'check:\n\t@echo "2 passed, 1 failed, 1 skipped"; exit 1\n' >Makefile
unset CI
runs 2 '2 passed'
exit $bad
