#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# fplab.dask over 300,000 texts, 2 and 4 workers, one of them killed while it sketches, shuffles, or finds components: the bytes of one process.
# The figures of docs/distributed.md are printed here. DASK_TEXTS: fewer texts.
build=${BUILD:-build}
source tests/support.sh
for module in cffi setuptools numpy pandas dask distributed; do
    /usr/bin/python3 -c "import $module" 2>/dev/null || { echo "python3-$module is missing"; exit 77; }
done
case "${SANITIZE:-}$(cat "$build/flags" 2>/dev/null)" in
*-fsanitize*|*--coverage*) echo "the interpreter loads no library with sanitizers"; exit 77 ;;
esac
make -s BUILD="$build" PYTHON=/usr/bin/python3 "$build/python/built" >"$work/log" 2>&1 || { tail -30 "$work/log"; exit 1; }
export FPLAB=$fplab PYTHONPATH=$PWD/$build/python
[ "${build:0:1}" != / ] || PYTHONPATH=$build/python
/usr/bin/python3 tests/deep/python/dask_kill.py "$work" "${DASK_TEXTS:-300000}" 2>"$work/log" || { grep -v '^{' "$work/log" | tail -20; bad=1; }
exit $bad
