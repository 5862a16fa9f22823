#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The examples of README.md run as they stand, and print what it says.
set -u
fplab=$(realpath "${FPLAB:-build/bin/fplab}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin" && ln -s "$fplab" "$work/bin/fplab"
mkdir "$work/corpora" && ln -s "$(realpath corpora/data)" "$work/corpora/data"
awk '/^```sh$/ { inside = 1; next } /^```$/ { inside = 0 } inside' README.md >"$work/examples.sh"
[ "$(wc -l <"$work/examples.sh")" -ge 15 ] || { echo "README.md has too few examples"; exit 1; }
for image in $(grep -o '](docs/[^)]*)' README.md | tr -d '()]'); do [ -s "$image" ] || { echo "README.md shows $image, which is not there"; exit 1; }; done
cd "$work" || exit 1
PATH=$work/bin:$PATH bash -eu examples.sh >out 2>err || { echo "an example failed:"; cat err; exit 1; }
[ -s err ] && { echo "the examples wrote to standard error:"; cat err; exit 1; }
grep -q '^cosine .*0\.938$' out || { echo "the cosine of the two sentences is not 0.938"; exit 1; }
[ "$(wc -l <distances.tsv)" = 919 ] || { echo "distances.tsv is not complete"; exit 1; }
