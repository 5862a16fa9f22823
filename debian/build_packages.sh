#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# debian/build_packages.sh DIRECTORY: builds packages of the working tree into the directory and lists them. Builds in a
# copy, so that the tree and its build stay unchanged. DEB_BUILD_OPTIONS=nocheck skips the tests; FPLAB_COMMIT is the
# commit that the program reports.
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
