#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What the build finds, and what it makes anew: adapters only where header and library are there, whatever else the compiler has; everything again under other
# flags, another compiler or other data, and nothing again under the same.
set -u
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bad=0
complain() { echo "FAIL: $*"; bad=1; }
real=${CC:-gcc}
export LC_ALL=C

# A compiler that reads C and C++ alike and sees this system's headers but those of the adapters.
mkdir -p "$work/include" "$work/lib"
places=$($real -E -v -x c /dev/null 2>&1 >/dev/null | sed -n '/^#include <\.\.\.> search/,/^End of search/s/^ //p' | grep -vxF "" | sed 's/ (.*//')
i=0
flags="-nostdinc"
while read -r place; do
    [ -d "$place" ] || continue
    i=$((i + 1))
    mkdir "$work/include/$i"
    find "$place" -mindepth 1 -maxdepth 1 ! -name 'fuzzy.h' ! -name 'tlsh*' -exec ln -s -t "$work/include/$i" {} +
    flags="$flags -isystem '$work/include/$i'"
done <<<"$places"
cat >"$work/cc" <<SH
#!/bin/bash
arguments=()
for argument; do [ "\$argument" = c++ ] && argument=c; arguments+=("\$argument"); done
exec $real $flags "\${arguments[@]}"
SH
chmod +x "$work/cc"

# says WANTED MAKE-ARGUMENT…: what the build says of the adapters, once and not again.
says() {
    local wanted=$1; shift
    make --no-print-directory BUILD="$work/b" CC="$work/cc" CXX="$work/cc" "$@" "$work/b/adapters" >"$work/out" 2>&1 || complain "make adapters: $(cat "$work/out")"
    [ "$(cat "$work/out")" = "$wanted" ] || complain "\"$wanted\" was expected: $(cat "$work/out")"
    make --no-print-directory BUILD="$work/b" CC="$work/cc" CXX="$work/cc" "$@" "$work/b/adapters" >"$work/out" 2>&1
    [ ! -s "$work/out" ] || complain "said twice: $(cat "$work/out")"
}
mkdir "$work/headers"
neither="adapters: ssdeep no (libfuzzy-dev), tlsh no (libtlsh-dev)"
says "$neither"
rm -r "$work/b"
# A header without a library that links is not enough; the names are taken by empty archives, so that no installed library stands in.
printf 'void fuzzy_there(void);\n' >"$work/headers/fuzzy.h"
printf 'not a library\n' >"$work/lib/libfuzzy.so"
says "$neither" CPPFLAGS=-I"$work/headers" LDFLAGS=-L"$work/lib"
rm "$work/lib/libfuzzy.so"
ar rc "$work/lib/libfuzzy.a" 2>/dev/null
says "adapters: ssdeep yes, tlsh no (libtlsh-dev)" CPPFLAGS=-I"$work/headers" LDFLAGS=-L"$work/lib"
rm -r "$work/b"

# ---- What is made again ----

made=(base/string.o tables/stopwords.o tables/compile_normalise reports/plots/gnuplot/style.o)
# builds ARGUMENT…: prints the files that were made.
builds() {
    touch "$work/then"
    sleep 0.05 # more than a step of the file system's clock
    make --no-print-directory BUILD="$work/b" "$@" "${made[@]/#/$work/b/}" >"$work/out" 2>&1 || complain "make $*: $(cat "$work/out")"
    (cd "$work/b" && for file in "${made[@]}"; do [ "$file" -nt "$work/then" ] && printf '%s ' "$file"; done)
}
everything="${made[*]} "
mkdir -p "$work/b"
[ "$(builds)" = "$everything" ] || complain "the first build: $(cat "$work/out")"
[ -z "$(builds)" ] || complain "made again without a reason: $(cat "$work/out")"
[ "$(builds OPT=-O0)" = "$everything" ] || complain "not all is made again under OPT=-O0: $(cat "$work/out")"
! grep -i warning "$work/out" || complain "warnings under OPT=-O0"
[ -z "$(builds OPT=-O0)" ] || complain "made again under the same OPT: $(cat "$work/out")"
[ "$(builds OPT=-O0 CC="$work/cc")" = "$everything" ] || complain "not all is made again by another compiler"
[ "$(builds OPT=-O0 CC="$work/cc" CFLAGS="-DNAME='a b'")" = "$everything" ] || complain "not all is made again under other CFLAGS"
[ -z "$(builds OPT=-O0 CC="$work/cc" CFLAGS="-DNAME='a b'")" ] || complain "made again under the same CFLAGS"
[ "$(builds OPT=-O0 JIEBA="$work/nowhere")" = "$everything" ] || complain "not all is made again from other data"

# Makes side by side, as the tests call them, do not take each other's files.
build=${BUILD:-build}
for one in 1 2 3 4 5 6; do
    make --no-print-directory BUILD="$build" "$build/pages/digest" "$build/facts.h" >"$work/side.$one" 2>&1 || touch "$work/failed" &
done
wait
[ ! -e "$work/failed" ] || complain "makes side by side: $(cat "$work"/side.*)"

# A build directory with a space is refused in a line, since make cannot name it.
make --no-print-directory BUILD="$work/a b" help >"$work/out" 2>&1 && complain "a build directory with a space is accepted"
grep -q 'BUILD may hold no space' "$work/out" || complain "a build directory with a space: $(cat "$work/out")"

# Every target of the Makefile that help names is there, and every one of README.md is named.
make --no-print-directory help >"$work/help"
# What they call make for is asked for once, in one make more: each has a compiler to try.
# shellcheck disable=SC2046
make --no-print-directory MAKE=: -k -n $(awk '$1 == "make" { print $2 }' "$work/help") >"$work/would" 2>"$work/err" || complain "make: $(cat "$work/err")"
called=$(sed -nE 's/^: --no-print-directory (.*)/\1/p' "$work/would" | sed 's/ [>|].*//' | tr ' ' '\n' | grep -E '^(run-)?[a-z]+(-[a-z]+)*$' | sort -u)
grep -qx run-check <<<"$called" || complain "make check does not call run-check: $called"
# shellcheck disable=SC2086
make --no-print-directory MAKE=: -k -n $called >/dev/null 2>"$work/err" || complain "make: $(cat "$work/err")"
notes=$(find . -maxdepth 1 -name '*.gcno')
[ -z "$notes" ] || complain "make -n leaves $notes"
for target in $(grep -oE "(^    |\`)make [a-z][a-z-]*" README.md | awk "{ print \$2 }" | sort -u); do
    grep -qE "^ *make $target " "$work/help" || complain "README.md names make $target, which make help does not"
done
exit $bad
