#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# make install, the corpora and the pages that it installs, an example built against the library as README.md says, shared, static and in the checkout, and make uninstall; under names
# with spaces and signs that mean something to a shell or to sed.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
build=${BUILD:-build}
house=$PWD
fail() { echo "FAIL: $*"; exit 1; }
# The pages where their module is built, of these sources: building it takes minutes.
pages=
"$build/bin/fplab" page playground --out "$work/playground.html" >/dev/null 2>&1 && pages=yes
install_to() { make --no-print-directory BUILD="$build" PAGES="$pages" "$@" >"$work/log" 2>&1 || fail "make $*: $(cat "$work/log")"; }

# The two commands that compile an example.
mkdir "$work/examples" && cp examples/hello.c "$work/examples"
mapfile -t commands < <(sed -n 's/^    \(cc examples\/hello\.c .*\)$/\1/p' README.md)
[ ${#commands[@]} = 2 ] || fail "README.md has ${#commands[@]} commands to compile its example"
# compiled DIRECTORY COMMAND: as it stands, with this build's compiler and sanitizers, and every warning an error.
compiled() {
    (cd "$1" && eval "${CC:-gcc} -Wall -Wextra -Wpedantic -Werror ${SANITIZE:-} ${2#cc }") || fail "does not compile: $2"
}
says() { echo "$1" | grep -q '^[1-9][0-9]* bits of 64: cosine 0\.[0-9]*$' || fail "the example says: $1"; }

install_to PREFIX="$work/usr" install
export PKG_CONFIG_PATH=$work/usr/lib/pkgconfig
[ "$(pkg-config --modversion fplab)" = "$("$work/usr/bin/fplab" --version | cut -d' ' -f2)" ] || fail "versions"
compiled "$work" "${commands[0]}"
shared=$(LD_LIBRARY_PATH=$work/usr/lib "$work/hello")
says "$shared"
rm "$work/hello"
# shellcheck disable=SC2046
${CC:-gcc} "$work/examples/hello.c" $(pkg-config --cflags fplab) "$work/usr/lib/libfplab.a" $(pkg-config --libs --static fplab | sed 's/-lfplab//') ${SANITIZE:-} -o "$work/static"
[ "$("$work/static")" = "$shared" ] || fail "static and shared differ"

# In the checkout.
mkdir "$work/checkout"
ln -s "$house/include" "$work/checkout/include"
ln -s "$(realpath "$build")" "$work/checkout/build"
ln -s "$house/examples" "$work/checkout/examples"
compiled "$work/checkout" "${commands[1]}"
[ "$(cd / && "$work/checkout/hello")" = "$shared" ] || fail "the program built in the checkout"

(cd / && "$work/usr/bin/fplab" compare --text 甲 乙 >/dev/null)
# The corpora that ship, as they are.
diff -r corpora/data "$work/usr/share/fplab/corpora" || fail "the installed corpora differ"
# The pages as the installed program writes them, with the sums of the release; or a note that says what builds them.
sums=$(realpath "$build")/pages/SHA256SUMS
if [ "$pages" ]; then
    (cd "$work/usr/share/fplab" && sha256sum --check --quiet "$sums") || fail "the sums of the pages"
    for page in classroom playground; do "$work/usr/bin/fplab" page $page | cmp - "$work/usr/share/fplab/$page.html" || fail "another $page.html"; done
else
    grep -q '^note: classroom.html and playground.html are not installed: `make pages`' "$work/log" || fail "nothing is said of the pages: $(cat "$work/log")"
    [ ! -e "$work/usr/share/fplab/classroom.html" ] || fail "a page without its module"
    echo "skipped: the pages: their module is not built"
fi
install_to PREFIX="$work/usr" uninstall
[ -z "$(find "$work/usr" -type f -o -type l)" ] || fail "left after uninstall: $(find "$work/usr")"

# Places with spaces and more.
to="$work/a b's & , c|d"
mkdir "$to"
# Libraries where the system has them by architecture.
install_to DESTDIR="$to" PREFIX="/opt/text lab" LIBDIR=lib/machine install
[ -x "$to/opt/text lab/bin/fplab" ] && [ -s "$to/opt/text lab/lib/machine/pkgconfig/fplab.pc" ] && [ -s "$to/opt/text lab/lib/machine/libfplab.so" ] && [ ! -e "$to/opt/text lab/lib/libfplab.a" ] || fail "DESTDIR with spaces: $(find "$to")"
grep -qx 'prefix=/opt/text lab' "$to/opt/text lab/lib/machine/pkgconfig/fplab.pc" && grep -qxF 'libdir=${prefix}/lib/machine' "$to/opt/text lab/lib/machine/pkgconfig/fplab.pc" ||
    fail "PREFIX with a space: $(grep = "$to/opt/text lab/lib/machine/pkgconfig/fplab.pc")"
install_to DESTDIR="$to" PREFIX="/opt/text lab" LIBDIR=lib/machine uninstall
[ -z "$(find "$to" -type f -o -type l)" ] || fail "left after uninstall: $(find "$to")"
install_to PREFIX="$to" install
export PKG_CONFIG_PATH=$to/lib/pkgconfig
[ "$(pkg-config --variable=prefix fplab)" = "$to" ] || fail "prefix: $(pkg-config --variable=prefix fplab)"
install_to PREFIX="$to" uninstall
[ -z "$(find "$to" -type f -o -type l)" ] || fail "left after uninstall: $(find "$to")"
