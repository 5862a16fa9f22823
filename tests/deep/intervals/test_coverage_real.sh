#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# How often the default intervals hold the truth on texts that people wrote: the labelled sets of $FPLAB_SETS (../shared/data, where they are), those
# that are shipped, and some that are made up. It takes long, and goes on where it was ended: what is known is in $BUILD/coverage/state.tsv.
#   tests/deep/intervals/test_coverage_real.sh [--against COMMIT | --keep COMMIT] [OPTION…]
# --against measures another commit's library with the same harness; --keep writes docs/coverage.tsv, and the tables of docs/evaluation-coverage.md, from what was
# measured of that commit and of this one. Other options are those of coverage_real (--world NAME, --repetitions N …).
set -eu
against=
[ "${1:-}" != --against ] || { against=$2; shift 2; }
build=${BUILD:-build}
cache=$(realpath -m "${FPLAB_COVERAGE:-$build/coverage}")
sets=$(realpath -m "${FPLAB_SETS:-../shared/data}")
mkdir -p "$cache"
if [ "${1:-}" = --keep ]; then
    tests/deep/intervals/coverage_table.py keep old="$cache/state-$(git rev-parse --short "$2").tsv" new="$cache/state.tsv" >docs/coverage.tsv
    exec tests/deep/intervals/coverage_table.py page docs/coverage.tsv docs/evaluation-coverage.md
fi
[ -d "$sets" ] || echo "skipped: labelled sets: $sets is not here"

# What the rows are of: the commit, and a checksum of the statistics and of the harness.
key_of() {
    (cd "$1" && cat tests/deep/intervals/coverage_real.c tests/deep/intervals/worlds/*.[ch] eval/measures/*.[ch] eval/statistics/*.[ch] eval/evaluation/inference*.[ch] | sha256sum | cut -c 1-8)
}

# build_old TREE: the library with its own Makefile, and the harness of today.
build_old() {
    local packages='gsl libxxhash icu-uc icu-i18n zlib libzstd nettle'
    mkdir -p "$1/tests/deep/intervals" && rm -rf "$1/tests/deep/intervals/worlds" && cp -r tests/deep/intervals/worlds tests/deep/intervals/coverage_real.c "$1/tests/deep/intervals/"
    make -C "$1" BUILD=build build/lib/libfplab.a >&2
    # shellcheck disable=SC2046
    (cd "$1" && ${CC:-gcc} -std=c17 -O3 -ffp-contract=off -pthread -I. -Iinclude -D_GNU_SOURCE -DCOVERAGE_OLD $(pkg-config --cflags $packages) \
        -o build/coverage_real tests/deep/intervals/coverage_real.c tests/deep/intervals/worlds/*.c build/lib/libfplab.a $(pkg-config --libs $packages) -lm)
}

if [ -n "$against" ]; then
    commit=$(git rev-parse --short "$against")
    tree=$cache/tree-$commit
    [ -d "$tree" ] || { mkdir "$tree" && git archive "$commit" | tar -x -C "$tree"; }
    build_old "$tree"
    driver=$tree/build/coverage_real key=$commit-$(key_of "$tree") state=$cache/state-$commit.tsv
else
    driver=$build/tests/deep/intervals/coverage_real key=$(git describe --always --dirty 2>/dev/null || echo unknown)-$(key_of .) state=$cache/state.tsv
fi
[ -n "$against" ] || "$driver" --shared "$sets" --cache "$cache" --truth --repetitions 300
"$driver" --shared "$sets" --cache "$cache" --state "$state" --key "$key" "$@"
[ -z "$against" ] || exit 0
tests/deep/intervals/coverage_table.py check "$state"
