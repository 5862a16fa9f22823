#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The Python package: built against this library, then its tests (pytest), its examples and its pages.
build=${BUILD:-build}
source tests/support.sh
export FPLAB=$fplab
python=/usr/bin/python3
for module in cffi setuptools numpy pandas pytest; do
    $python -c "import $module" 2>/dev/null || { echo "python3-$module is missing"; exit 77; }
done
case "${SANITIZE:-}$(cat "$build/flags" 2>/dev/null)" in
*-fsanitize*|*--coverage*) echo "the interpreter loads no library with sanitizers"; exit 77 ;;
esac
make -s BUILD="$build" PYTHON=$python "$build/python/built" >"$work/log" 2>&1 || { tail -30 "$work/log"; exit 1; }
for module in matplotlib sklearn dask distributed; do
    $python -c "import $module" 2>/dev/null || echo "skipped: $module: python3-$module is missing"
done
export PYTHONPATH=$PWD/$build/python PYTHONDONTWRITEBYTECODE=1 MPLBACKEND=Agg
[ "${build:0:1}" != / ] || export PYTHONPATH=$build/python
$python -m pytest -q -p no:cacheprovider -o python_files='check_*.py' tests/python >"$work/log" 2>&1 || { tail -60 "$work/log"; bad=1; }
exit $bad
