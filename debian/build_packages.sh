#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# debian/build_packages.sh DIRECTORY: writes the packages of the sources as they are into the directory, and says which. They are built in a copy, so that the tree
# and what is built there stay as they are. DEB_BUILD_OPTIONS=nocheck leaves the tests out; FPLAB_COMMIT is what the program says it was built from.
set -eu
mkdir -p "$1"
to=$(cd "$1" && pwd)
version=$(sed -n 's/^#define FP_VERSION "\(.*\)"/\1/p' include/fplab/version.h)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/fplab-$version"
if [ "$(git rev-parse --show-toplevel 2>/dev/null)" = "$(pwd -P)" ]; then
    git ls-files -z --cached --others --exclude-standard | tar --null --ignore-failed-read -T - -cf "$work/sources.tar"
else
    tar --exclude=./.git --exclude=./build --exclude=./demo -cf "$work/sources.tar" .
fi
tar -xf "$work/sources.tar" -C "$work/fplab-$version"
rm "$work/sources.tar"
(cd "$work/fplab-$version" && dpkg-buildpackage -us -uc >"$to/log" 2>&1) || { tail -n 40 "$to/log" >&2; exit 1; }
rm -rf "$work/fplab-$version"
mv "$work"/* "$to"
ls "$to"/*"_$version"*
