# SPDX-License-Identifier: GPL-3.0-or-later
# What the tests that change the project share, which source it where they are started, in the root of the project: a copy of the tree, in which they go on,
# with all that is built already in $build, but for tests and pages; and $work, a directory of their own beside it that goes with them.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/tree"
tar -c --mode=u+w --exclude=./.git --exclude=./demo --exclude=./build . | tar -x -C "$work/tree"
# What is built already need not be built again; the build directory itself stays as it is.
mkdir "$work/tree/build"
tar -c -C "${BUILD:-build}" --exclude=./tests --exclude=./pages --exclude=./sanitize . | tar -x -C "$work/tree/build"
cd "$work/tree"
find build -name '*.d' -exec sed -i "s#\(^\|[ ]\)${BUILD:-build}/#\1build/#g" {} +
build=build
unset FPLAB
