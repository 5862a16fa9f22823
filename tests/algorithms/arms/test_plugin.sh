#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The example plug-in is built outside the tree against the installed header and runs; broken plug-ins are refused with the reason.
set -u
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
build=${BUILD:-build}
make --no-print-directory BUILD="$build" PREFIX="$work/usr" PAGES= install-files >/dev/null || exit 1
export PKG_CONFIG_PATH=$work/usr/lib/pkgconfig
fplab=$work/usr/bin/fplab
corpus=$(realpath tests/data/newswire-zh)
cp examples/rarest.c "$work"
cd "$work" || exit 1
bad=0
complain() { echo "FAIL: $*"; bad=1; }
compile() { ${CC:-gcc} -std=c17 -Wall -Wextra -Wpedantic -Werror -shared -fPIC -o "$1.so" "$1.c" $(pkg-config --cflags fplab) ${SANITIZE:-}; }

compile rarest || complain "the example does not build"
"$fplab" algorithms --plugin ./rarest.so | grep -q '^rarest ' || complain "the example is not listed"
"$fplab" algorithms --plugin rarest.so rarest | grep -q 'keep' || complain "its parameters are not listed"
"$fplab" compare --plugin ./rarest.so --arm rarest:keep=2,weight=tf --text 苹果香蕉 苹果香蕉 --format tsv | grep -q '	0	features of 64' || complain "equal texts are not at 0"
"$fplab" eval --plugin ./rarest.so --arm rarest --corpus "$corpus" --format tsv >out 2>err || complain "eval: $(cat err)"
awk -F'\t' '$2 == "rarest" && $9 != "NA" { seen = 1 } END { exit !seen }' out || complain "eval has no figures"

refused() {
    local words=$1; shift
    "$@" >out 2>err && complain "accepted: $*"
    [ "$(wc -l <err)" = 1 ] && grep -qF -- "$words" err || complain "no word of \"$words\": $(cat err)"
}
refused 'keep takes 1 to 1000' "$fplab" eval --plugin ./rarest.so --arm rarest:keep=0 --corpus "$corpus"
refused 'missing.so' "$fplab" algorithms --plugin missing.so
echo 'int nothing;' >bare.c && compile bare
refused 'does not export fp_plugin' "$fplab" algorithms --plugin bare.so
variant() { sed "$2" rarest.c >"$1.c" && ! cmp -s rarest.c "$1.c" && compile "$1" || complain "variant $1"; }
variant abi 's/\.abi = FP_ABI_VERSION/.abi = FP_ABI_VERSION + 1/'
refused 'abi.so: built for interface version' "$fplab" algorithms --plugin abi.so
variant ancient 's/\.abi = FP_ABI_VERSION/.abi = FP_ABI_VERSION - 1/'
refused 'ancient.so: built for interface version' "$fplab" algorithms --plugin ancient.so
variant half 's/^const fp_algorithm fp_plugin = {/static double joined(const fp_instance *self, const fp_vector *a, const fp_vector *b, double sum) {\n    (void)self, (void)a, (void)b;\n    return sum;\n}\n\nstatic const fp_acceleration FAST = {.joined = joined};\n\n&\n    .acceleration = \&FAST,/'
refused 'only one of vector and joined' "$fplab" algorithms --plugin half.so
variant bounds 's/"16", 1, 1000/"0", 1, 1000/'
refused 'the default of keep breaks its own bounds' "$fplab" algorithms --plugin bounds.so
variant upside 's/"16", 1, 1000/"16", 1000, 1/'
refused 'a minimum above its maximum' "$fplab" algorithms --plugin upside.so
variant outside 's/offsetof(rarest_parameters, keep)/4096/'
refused 'outside the parameter struct' "$fplab" algorithms --plugin outside.so
variant slotless 's/    \.distance = distance,/    .similarity = NULL,/; s/^static double distance/double distance/'
refused 'rarest lacks distance' "$fplab" algorithms --plugin slotless.so
variant taken 's/\.name = "rarest"/.name = "simhash"/'
refused 'which is the name of a built-in algorithm' "$fplab" algorithms --plugin taken.so

# The adapters, where their packages were there at build time: code that nobody here wrote, behind the same interface.
cd - >/dev/null || exit 1
for adapter in ssdeep tlsh; do
    plugin=$build/plugins/$adapter.so
    [ -f "$plugin" ] || { echo "skipped: $adapter: its library was not there at build time"; continue; }
    "$fplab" eval --plugin "$plugin" --arm $adapter --corpus "$corpus" --format tsv >"$work/out" || complain "$adapter: eval"
    awk -F'\t' 'NR > 1 && $12 + 0 > 0 { seen = 1 } END { exit !seen }' <("$fplab" eval --plugin "$plugin" --arm $adapter --corpus "$corpus" --threshold 1..100 --format tsv) || complain "$adapter finds nothing"
    same=$("$fplab" compare --plugin "$plugin" --arm $adapter --text 我是中国人 我是中国人 --format tsv | awk -F'\t' 'NR == 2 { print $2 }')
    [ "$same" = 0 ] || complain "$adapter: equal texts are at $same"
done
exit $bad
