#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The Debian packages: built on a Debian that has never seen the project, looked at by lintian, installed on another one that has no compiler, tried there, and
# removed without a trace.
#
#     tests/deep/machines/test_deb.sh [DIRECTORY of packages that are built already]
set -u
tool=../shared/tools/fresh-debian
[ -x "$tool" ] || { echo "$tool is not here"; exit 77; }
[ "$(id -u)" = 0 ] || { echo "a fresh system needs root"; exit 77; }
.ci/setup fresh >/dev/null 2>&1 || { echo "debootstrap cannot be installed"; exit 77; }
work=$(mktemp -d)
# A place that a fresh system shares with this one: it gets /dev, but not what is mounted below it.
shared=$(mktemp -d -p /dev)
trap 'rm -rf "$work" "$shared"' EXIT
unset CC CXX OPT SANITIZE BUILD FPLAB
bad=0
complain() { echo "FAIL: $*"; bad=1; }
# elsewhere CHECKOUT COMMAND…: the commands on a fresh system.
elsewhere() {
    "$tool" "$@" >"$work/log" 2>&1 && return
    if ! grep -q '^== ' "$work/log"; then echo "packages are out of reach: $(tail -n 1 "$work/log")"; exit 77; fi
    complain "$(tail -n 30 "$work/log")"
}

if [ $# = 1 ]; then cp "$1"/*.deb "$1"/*.dsc "$1"/*.changes "$1"/*.buildinfo "$1"/*.tar.xz "$shared"
else elsewhere . 'make deb' "cp build/deb/*.deb build/deb/*.dsc build/deb/*.changes build/deb/*.buildinfo build/deb/*.tar.xz $shared"
fi
[ -s "$shared"/fplab_*.changes ] || { complain "no packages were built"; exit $bad; }

if command -v lintian >/dev/null; then
    lintian --allow-root -EvIL +pedantic --fail-on error,warning "$shared"/*.changes >"$work/said" 2>&1 || complain "lintian: $(grep '^[EW]:' "$work/said")"
    grep '^[EWI]: ' "$work/said" | sed 's/^/note: /'
else echo "skipped: lintian: it is not installed"
fi
dpkg-deb -f "$shared"/fplab_[0-9]*.deb Recommends | grep -q gnuplot || complain "gnuplot is not recommended"
dpkg-deb -f "$shared"/fplab_[0-9]*.deb Depends | grep -q gnuplot && complain "gnuplot is a dependency"

# The packages and the test that they bring, as a checkout of its own.
mkdir "$work/packages"
cp "$shared"/*.deb debian/tests/smoke "$work/packages"
mkdir -p "$work/packages/corpora/data" && cp -r corpora/data/newswire-zh "$work/packages/corpora/data"
# The first example of the Python package; and what it says of a collection in Redis where hiredis is not.
sed -n '/^```python/,/^```/p' python/README.md | grep -v '^```' >"$work/packages/first.py"
cat >"$work/packages/refused.py" <<'PY'
import fplab
try:
    fplab.Collection('redis://127.0.0.1:1/')
except Exception as error:
    print(error)
fplab.Collection.create('texts.fp', fplab.Arm('simhash'), 8).close()
PY
rm -f "$work"/packages/*-dbgsym_*
(cd "$work/packages" && git init -q . && git add . && git -c user.name=test -c user.email=test@localhost commit -qm packages)
install='DEBIAN_FRONTEND=noninteractive apt-get install -y -qq'
corpus=/usr/share/fplab/corpora/newswire-zh
elsewhere "$work/packages" 'apt-get update -qq' "$install --no-install-recommends ./fplab_*.deb man-db" '! command -v gcc && ! command -v gnuplot' \
    'cd / && fplab --version && man -w fplab-eval' "cd /tmp && fplab eval --corpus $corpus --arm simhash --no-plots --out bare && test -s bare/results.tsv" \
    "cd /tmp && fplab eval --corpus $corpus --arm simhash --out without >said 2>&1; grep -q gnuplot said" \
    "$install --no-install-recommends gnuplot-nox fontconfig fonts-wqy-microhei" "cd /tmp && fplab eval --corpus $corpus --arm simhash --out drawn && test -s drawn/plots/newswire-zh-thresholds.png" \
    "$install --no-install-recommends ./libfplab*.deb ./python3-fplab*.deb gcc libc6-dev pkg-config && sh ./smoke" \
    'DEBIAN_FRONTEND=noninteractive apt-get purge -y -qq fplab python3-fplab libfplab1 libfplab-dev' '! command -v fplab' \
    'left=$(find / -xdev -name "*fplab*" ! -path "/srv/*" ! -path "/tmp/*" ! -path "/proc/*" ! -path "/dev/*"); test -z "$left" || { echo "$left"; exit 1; }'
# The library and the Python package alone.
elsewhere "$work/packages" 'apt-get update -qq' "$install --no-install-recommends ./libfplab1_*.deb ./python3-fplab_*.deb" '! ldconfig -p | grep -E "libhiredis|libxml2|libmd4c"' \
    'python3 first.py && python3 refused.py | grep "apt-get install libhiredis0.14"' "$install libhiredis0.14" 'python3 -c "
import fplab
try: fplab.Collection(\"redis://127.0.0.1:1/\")
except Exception as error: print(error)" | grep "cannot reach Redis"'
exit $bad
