#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The program and the library are hardened as far as the compiler knows how: read from the files, not from the flags.
set -u
build=${BUILD:-build}
program=${FPLAB:-$build/bin/fplab} library=$build/lib/libfplab.so archive=$build/lib/libfplab.a
export LC_ALL=C
bad=0
complain() { echo "FAIL: $*"; bad=1; }
skipped() { echo "skipped: $*"; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# has PATTERN WHAT readelf-OPTION FILE
has() { readelf -W "$3" "$4" 2>/dev/null | grep -qE -- "$1" || complain "$4: no $2"; }
for file in "$program" "$library"; do
    has 'GNU_RELRO' 'read-only relocations' -l "$file"
    has '\(FLAGS(_1)?\).*NOW' 'binding at start, so relocations are not all read-only' -d "$file"
    has 'GNU_STACK.* RW ' 'stack that cannot be executed' -l "$file"
    ! readelf -W -d "$file" | grep -q TEXTREL || complain "$file: relocations in its text"
    ! readelf -W -l "$file" | grep -qE 'LOAD.* RWE ' || complain "$file: a segment to write and execute"
    has '__stack_chk_fail' 'stack protector' --dyn-syms "$file"
done
has 'Type: +DYN' 'position independence' -h "$program"
has '\(FLAGS_1\).*PIE' 'position-independent executable' -d "$program"

case "${OPT:-} ${SANITIZE:-}" in
*-O0* | *-fsanitize*) skipped "checked functions of the C library: not in a build with -O0 or sanitizers" ;;
*) for file in "$program" "$library"; do has '__(snprintf|memmove|memcpy)_chk' 'checked functions of the C library (FORTIFY)' --dyn-syms "$file"; done ;;
esac

# Control flow: every object that goes in, the tables too; the mark of the whole needs start files that bear it as well.
if [ "$(uname -m)" = x86_64 ]; then
    members=$(ar t "$archive" | wc -l)
    marked=$(readelf -n "$archive" 2>/dev/null | grep -c 'x86 feature: .*IBT, SHSTK')
    [ "$marked" = "$members" ] || complain "$archive: $marked of $members objects are ready for control-flow protection"
else
    skipped "control-flow protection: for x86-64"
fi

# Large frames touch every page: gcc writes its flags into the debugging data.
if readelf -W --debug-dump=info "$build/base/status.o" 2>/dev/null | grep -q 'DW_AT_producer.*GNU C'; then
    readelf -W --debug-dump=info "$build/base/status.o" | grep -q 'DW_AT_producer.*-fstack-clash-protection' || complain "no protection against stack clashes"
else
    skipped "stack clashes: this compiler does not record its flags"
fi

# The test can fail: a program without any of it.
printf 'int main(void) { return 0; }\n' >"$work/bare.c"
${CC:-gcc} -fno-stack-protector -no-pie -Wl,-z,norelro -Wl,-z,execstack "$work/bare.c" -o "$work/bare" 2>/dev/null || { echo "FAIL: the bare program does not build"; exit 1; }
for sign in GNU_RELRO:-l __stack_chk_fail:--dyn-syms 'GNU_STACK.* RW ':-l 'FLAGS_1.*PIE':-d; do
    if (bad=0; has "${sign%:*}" sign "${sign##*:}" "$work/bare"; exit $bad) >/dev/null; then complain "a bare program has ${sign%:*}"; fi
done
exit $bad
