#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The Python package: built against this library, then its tests (pytest), its examples and its pages; with LONG=1 the tests marked as long, and no others.
build=$(realpath "${BUILD:-build}")
source tests/support.sh
export FPLAB=$fplab
python=/usr/bin/python3
for module in cffi setuptools numpy pandas pytest; do
    $python -c "import $module" 2>/dev/null || { echo "python3-$module is missing"; exit 77; }
done
case "${SANITIZE:-}$(cat "$build/flags" 2>/dev/null)" in
*-fsanitize*|*--coverage*) echo "the interpreter loads no library with sanitizers"; exit 77 ;;
esac
make -s BUILD="${BUILD:-build}" PYTHON=$python "${BUILD:-build}/python/built" >"$work/log" 2>&1 || { tail -30 "$work/log"; exit 1; }
for module in matplotlib sklearn dask distributed; do
    $python -c "import $module" 2>/dev/null || echo "skipped: $module: python3-$module is missing"
done
chosen='not long'
[ -n "${LONG-}" ] && chosen=long
export PYTHONPATH=$build/python PYTHONDONTWRITEBYTECODE=1 MPLBACKEND=Agg
$python -m pytest -q -p no:cacheprovider -o python_files='check_*.py' -m "$chosen" tests/python >"$work/log" 2>&1 || { tail -60 "$work/log"; bad=1; }
[ "$chosen" = long ] && exit $bad

# As its users install it, without a network: in a copy, since pip leaves files in the tree.
if $python -c 'import pip, wheel' 2>/dev/null; then
    cp -r python include "$work"
    FPLAB_BUILD=$build $python -m pip install -q --no-index --no-build-isolation --no-deps --disable-pip-version-check --target "$work/site" "$work/python" >"$work/log" 2>&1 ||
        { complain "pip: $(tail -5 "$work/log")"; }
    (cd / && PYTHONPATH=$work/site $python -c "
import fplab
print(fplab.__file__, fplab.Arm('simhash').sketch(['one text']).shape)") | grep -q "^$work/site/fplab/__init__.py (1, 8)$" || complain "the installed package does not work"
else echo "skipped: pip: python3-pip or python3-wheel is missing"
fi
exit $bad
