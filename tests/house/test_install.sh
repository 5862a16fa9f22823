#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# make install, README.md's example of a program built against the library as README.md says, shared, static and in the checkout, and make uninstall; under names
# with spaces and signs that mean something to a shell or to sed.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
build=${BUILD:-build}
house=$PWD
fail() { echo "FAIL: $*"; exit 1; }
install_to() { make --no-print-directory BUILD="$build" "$@" >"$work/log" 2>&1 || fail "make $*: $(cat "$work/log")"; }

# The example: its C, and its two commands.
awk '/^```c$/ { inside = 1; next } /^```$/ { inside = 0 } inside' README.md >"$work/near.c"
[ "$(wc -l <"$work/near.c")" -ge 15 ] || fail "README.md has no example in C"
mapfile -t commands < <(sed -n 's/^    \(cc near\.c .*\)$/\1/p' README.md)
[ ${#commands[@]} = 2 ] || fail "README.md has ${#commands[@]} commands to compile its example"
# compiled DIRECTORY COMMAND: as it stands, with this build's compiler and sanitizers, and every warning an error.
compiled() {
    (cd "$1" && eval "${CC:-gcc} -Wall -Wextra -Wpedantic -Werror ${SANITIZE:-} ${2#cc }") || fail "does not compile: $2"
}
says() { echo "$1" | grep -q '^[1-9][0-9]* bits of 64$' || fail "the example says: $1"; }

install_to PREFIX="$work/usr" install
export PKG_CONFIG_PATH=$work/usr/lib/pkgconfig
[ "$(pkg-config --modversion fplab)" = "$("$work/usr/bin/fplab" --version | cut -d' ' -f2)" ] || fail "versions"
compiled "$work" "${commands[0]}"
shared=$(LD_LIBRARY_PATH=$work/usr/lib "$work/near")
says "$shared"
rm "$work/near"
# shellcheck disable=SC2046
${CC:-gcc} "$work/near.c" $(pkg-config --cflags fplab) "$work/usr/lib/libfplab.a" $(pkg-config --libs --static fplab | sed 's/-lfplab//') ${SANITIZE:-} -o "$work/static"
[ "$("$work/static")" = "$shared" ] || fail "static and shared differ"

# In the checkout.
mkdir "$work/checkout"
ln -s "$house/include" "$work/checkout/include"
ln -s "$(realpath "$build")" "$work/checkout/build"
cp "$work/near.c" "$work/checkout"
compiled "$work/checkout" "${commands[1]}"
[ "$(cd / && "$work/checkout/near")" = "$shared" ] || fail "the program built in the checkout"

(cd / && "$work/usr/bin/fplab" compare --text 甲 乙 >/dev/null)
install_to PREFIX="$work/usr" uninstall
[ -z "$(find "$work/usr" -type f -o -type l)" ] || fail "left after uninstall: $(find "$work/usr")"

# Places with spaces and more.
to="$work/a b's & , c|d"
mkdir "$to"
install_to DESTDIR="$to" PREFIX="/opt/text lab" install
[ -x "$to/opt/text lab/bin/fplab" ] && [ -s "$to/opt/text lab/lib/pkgconfig/fplab.pc" ] || fail "DESTDIR with spaces: $(find "$to")"
grep -qx 'prefix=/opt/text lab' "$to/opt/text lab/lib/pkgconfig/fplab.pc" || fail "PREFIX with a space: $(grep ^prefix "$to/opt/text lab/lib/pkgconfig/fplab.pc")"
install_to DESTDIR="$to" PREFIX="/opt/text lab" uninstall
[ -z "$(find "$to" -type f -o -type l)" ] || fail "left after uninstall: $(find "$to")"
install_to PREFIX="$to" install
export PKG_CONFIG_PATH=$to/lib/pkgconfig
[ "$(pkg-config --variable=prefix fplab)" = "$to" ] || fail "prefix: $(pkg-config --variable=prefix fplab)"
install_to PREFIX="$to" uninstall
[ -z "$(find "$to" -type f -o -type l)" ] || fail "left after uninstall: $(find "$to")"
