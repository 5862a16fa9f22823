#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# How often the default intervals hold the truth on texts that people wrote: the labelled sets of $FPLAB_SETS (../shared/data, where they are), those
# that are shipped, and some that are made up. It takes long, and goes on where it was ended: what is known is in $BUILD/coverage/state.tsv.
#   tests/deep/test_coverage_real.sh [--against COMMIT] [OPTION…]
# --against measures another commit's library with the same harness. Other options are those of coverage_real (--world NAME, --repetitions N …).
set -eu
against=
[ "${1:-}" != --against ] || { against=$2; shift 2; }
build=${BUILD:-build}
cache=$(realpath -m "${FPLAB_COVERAGE:-$build/coverage}")
sets=$(realpath -m "${FPLAB_SETS:-../shared/data}")
mkdir -p "$cache"
[ -d "$sets" ] || echo "skipped: labelled sets: $sets is not here"

# What the figures are made by: the same key stands for the same statistics and the same harness.
key_of() {
    (cd "$1" && cat tests/deep/coverage_real.c tests/deep/worlds/*.[ch] eval/measures/*.[ch] eval/statistics/*.[ch] eval/outcome/inference*.[ch] | sha256sum | cut -c 1-12)
}

if [ -n "$against" ]; then
    commit=$(git rev-parse --short "$against")
    tree=$cache/tree-$commit
    [ -d "$tree" ] || git worktree add --detach "$tree" "$commit" >&2
    rm -rf "$tree/tests/deep/worlds"
    cp -r tests/deep/worlds tests/deep/coverage_real.c Makefile "$tree/tests/deep/" && mv "$tree/tests/deep/Makefile" "$tree/Makefile"
    make -C "$tree" BUILD=build COVERAGE_FLAGS=-DCOVERAGE_OLD build/tests/deep/coverage_real >&2
    driver=$tree/build/tests/deep/coverage_real key=$commit-$(key_of "$tree") state=$cache/state-$commit.tsv
else
    driver=$build/tests/deep/coverage_real key=$(git describe --always --dirty 2>/dev/null || echo unknown)-$(key_of .) state=$cache/state.tsv
fi
"$driver" --shared "$sets" --cache "$cache" --state "$state" --key "$key" "$@"
[ -z "$against" ] || exit 0
grep -e "^key	" -e "^$key	" "$state" >"$state.now"
tests/deep/coverage_table.py check "$state.now"
