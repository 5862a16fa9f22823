#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The library exports what the public headers declare, all of it and nothing else, and so does the program, where plug-ins look. The
# headers compile alone, as old C and as C++, without a warning; the file that the loader looks for is there.
set -u
build=${BUILD:-build}
program=${FPLAB:-$build/bin/fplab} library=$build/lib/libfplab.so
export LC_ALL=C
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bad=0
complain() { echo "FAIL: $*"; bad=1; }

# Each header by itself, as a program's author would have it: nothing may lean on another, on C17 or on GNU.
cxx=${CXX:-g++}
command -v "${cxx%% *}" >/dev/null || { cxx=; echo "skipped: headers in C++: there is no compiler of it"; }
for header in include/fplab.h include/fplab/*.h; do
    name=${header#include/}
    for how in "-std=c99 -xc" "-std=c11 -xc" "-std=c++11 -xc++"; do
        compiler=${CC:-gcc}
        [ "${how%c++}" = "$how" ] || compiler=$cxx
        [ -n "$compiler" ] || continue
        # shellcheck disable=SC2086
        printf '#include <%s>\nint main(void) { return 0; }\n' "$name" |
            $compiler $how -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror -Iinclude -fsyntax-only - 2>"$work/err" || complain "$name alone, $how: $(head -5 "$work/err")"
    done
    [ "$name" = fplab.h ] || grep -qF "#include <$name>" include/fplab.h || complain "fplab.h does not include $name"
done

# What they declare, as gcc reads them: of every function the header and the prototype. The one object that is declared is the
# plug-in's, not the library's.
command -v gcc >/dev/null || { echo "gcc, which tells what headers declare, is missing"; exit 77; }
echo '#include <fplab.h>' | gcc -std=c17 -Iinclude -aux-info "$work/prototypes" -fsyntax-only -xc - || complain "gcc -aux-info"
grep -E '^/\* include/fplab' "$work/prototypes" | grep -v ' static ' | sed -E 's/ \(.*//; s/.*[ *]//' | sort -u >"$work/declared"
[ "$(wc -l <"$work/declared")" -ge 30 ] || complain "only $(wc -l <"$work/declared") functions are declared"
objects=$(grep -hoE '^extern [^(]*;' include/fplab.h include/fplab/*.h)
[ "$(grep -c . <<<"$objects")" = 1 ] && grep -q 'fp_plugin;' <<<"$objects" || complain "objects are declared: $objects"

# The sanitizers and coverage have symbols of their own.
exported() { nm -D --defined-only "$1" | awk '{print $3}' | grep -vE '^(_init|_fini|__asan|__odr_asan|__ubsan|__sanitizer|___asan|__lsan|__tsan|__gcov|__llvm)' | sort -u; }
exported "$library" >"$work/exported"
[ -z "$(comm -23 "$work/exported" "$work/declared")" ] || complain "exported and not declared:" $(comm -23 "$work/exported" "$work/declared")
[ -z "$(comm -13 "$work/exported" "$work/declared")" ] || complain "declared and not exported:" $(comm -13 "$work/exported" "$work/declared")
# The program also holds what the linker and the C library put there.
exported "$program" | grep '^fp_' >"$work/program"
cmp -s "$work/program" "$work/declared" || complain "the program exports, for plug-ins:" $(comm -3 "$work/program" "$work/declared")

# The soname is the file.
soname=$(readelf -d "$library" | sed -n 's/.*(SONAME).*\[\(.*\)\]/\1/p')
[ -f "$build/lib/$soname" ] && [ ! -L "$build/lib/$soname" ] && [ "$(readlink "$library")" = "$soname" ] || complain "libfplab.so is not a link to $soname"
exit $bad
