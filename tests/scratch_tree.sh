# SPDX-License-Identifier: GPL-3.0-or-later
# What the tests that change the project share, which source it where they are started, in the root of the project: a copy of the tree, in which they go on,
# with the objects and tables that are built already in $build; and $work, a directory of their own beside it that goes with them.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/tree"
tar -c --mode=u+w --exclude=./.git --exclude=./demo --exclude=./build . | tar -x -C "$work/tree"
# What is built already need not be built again, but for what is linked of it; the build directory itself stays as it is.
mkdir "$work/tree/build"
(cd "${BUILD:-build}" && tar -c base text algorithms pairs index corpora eval reports cli tables flags adapters $(ls -d plugins 2>/dev/null)) | tar -x -C "$work/tree/build"
cd "$work/tree"
[ "${BUILD:-build}" = build ] || find build -name '*.d' -exec sed -i "s#\(^\|[ ]\)${BUILD:-build}/#\1build/#g" {} +
build=build
unset FPLAB
