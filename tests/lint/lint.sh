#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# tests/lint/lint.sh COMPILER-OPTION…: clang-tidy (.clang-tidy) and cppcheck (cppcheck.txt) over the sources of the library and the program; prints what they find,
# and what is not set as clang-format would (.clang-format; `make format`), and fails where that is anything. What is compiled for other systems (reports/lab/wasm)
# or needs other libraries (algorithms/adapters) is not read by the first two.
set -u
mapfile -t sources < <(find base text algorithms pairs index corpora eval reports cli -name '*.c' ! -path 'reports/lab/wasm/*' ! -path 'algorithms/adapters/*' | sort)
[ "${#sources[@]}" -gt 300 ] || { echo "only ${#sources[@]} sources were found" >&2; exit 1; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
jobs=$(nproc 2>/dev/null || echo 1)
export LINT_OPTIONS="$*"
# shellcheck disable=SC2016,SC2086
printf '%s\n' "${sources[@]}" | xargs -n 40 -P "$jobs" bash -c 'clang-tidy --quiet "$@" -- $LINT_OPTIONS >"$0/tidy.$$" 2>"$0/tidy.$$.said" || touch "$0/failed.$$"' "$work"
cat "$work"/tidy.* | grep -vE '^[0-9]+ warnings? (generated|treated as)|^Suppressed|^Use -header-filter' >"$work/found"
if compgen -G "$work/failed.*" >/dev/null && [ ! -s "$work/found" ]; then cat "$work"/tidy.*.said >"$work/found"; echo "clang-tidy failed" >>"$work/found"; fi
# One file after another, since what it says of a file hangs on those beside it; conditions of the preprocessor as the build has them.
cppcheck --enable=warning,performance,portability --quiet -j "$jobs" --std=c11 -I. -Iinclude -D_GNU_SOURCE -D__x86_64__ --inline-suppr --suppress=missingIncludeSystem \
    --suppressions-list=<(grep -v '^#' tests/lint/cppcheck.txt) --template='{file}:{line}: {severity}: {message} [cppcheck {id}]' "${sources[@]}" >>"$work/found" 2>&1 || echo "cppcheck failed" >>"$work/found"
find base text algorithms pairs index corpora eval reports cli include tests bench examples -name '*.[ch]' -print0 |
    xargs -0 -P "$jobs" -n 100 clang-format --dry-run -Werror 2>"$work/format" || { grep 'error:' "$work/format"; echo "clang-format failed"; } >>"$work/found"
[ ! -s "$work/found" ] || { cat "$work/found"; exit 1; }
echo "${#sources[@]} sources: no finding of $(clang-tidy --version | sed -n 's/.*LLVM version/clang-tidy/p'), $(cppcheck --version)"
