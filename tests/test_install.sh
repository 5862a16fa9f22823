#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# make install, a program built against the installed library through pkg-config, shared and static, and make uninstall.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
build=${BUILD:-build}
make --no-print-directory BUILD="$build" PREFIX="$work/usr" install >/dev/null
export PKG_CONFIG_PATH=$work/usr/lib/pkgconfig
cat >"$work/near.c" <<'C'
#include <fplab.h>
#include <stdio.h>
#include <string.h>

int main(void) {
    fp_error error = {0};
    fp_arena *arena = fp_arena_new();
    fp_arm *arm;
    fp_sketch sketch[2];
    fp_string text[2] = {{"今天天气很好", strlen("今天天气很好")}, {"今天天气真好", strlen("今天天气真好")}};
    if (fp_arm_parse("simhash:features=chars:2", arena, &arm, &error) != FP_OK) return printf("%s\n", error.message), 1;
    for (int i = 0; i < 2; i++)
        if (fp_arm_sketch(arm, text[i], arena, &sketch[i], &error) != FP_OK) return printf("%s\n", error.message), 1;
    printf("%g %s\n", fp_arm_distance(arm, sketch[0], sketch[1]), fp_arm_layout(arm)->scale);
    fp_arena_free(arena);
    return 0;
}
C
[ "$(pkg-config --modversion fplab)" = "$("$work/usr/bin/fplab" --version | cut -d' ' -f2)" ]
${CC:-gcc} -Wall -Wextra -Wpedantic "$work/near.c" $(pkg-config --cflags --libs fplab) ${SANITIZE:-} -o "$work/shared"
shared=$(LD_LIBRARY_PATH=$work/usr/lib "$work/shared")
${CC:-gcc} "$work/near.c" $(pkg-config --cflags fplab) "$work/usr/lib/libfplab.a" $(pkg-config --libs --static fplab | sed 's/-lfplab//') ${SANITIZE:-} -o "$work/static"
[ "$("$work/static")" = "$shared" ]
echo "$shared" | grep -q '^[1-9][0-9]* bits of 64$'
(cd / && "$work/usr/bin/fplab" compare --text 甲 乙 >/dev/null)
make --no-print-directory BUILD="$build" PREFIX="$work/usr" uninstall >/dev/null
[ -z "$(find "$work/usr" -type f -o -type l)" ]
