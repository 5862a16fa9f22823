#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The lab for 64-bit Arm, built with Debian's cross compiler and run by qemu: every unit test but those of what qemu is not, with NEON and without; and
# fingerprints and figures of a corpus, which are those of this machine to the byte. Debian's libraries of arm64 are unpacked below the build directory, and
# this system's packages stay as they are.
set -u
build=${BUILD:-build}/aarch64
fplab=${FPLAB:-build/bin/fplab}
root=$PWD/$build/root
for tool in aarch64-linux-gnu-gcc aarch64-linux-gnu-ar qemu-aarch64-static apt-get dpkg-deb; do
    command -v "$tool" >/dev/null || { echo "$tool is not installed"; exit 77; }
done
[ "$(uname -m)" = x86_64 ] || { echo "this is no x86_64"; exit 77; }
log=$(mktemp -d)
trap 'rm -rf "$log"' EXIT

# An apt of its own for arm64, which knows no installed package, so that all that is needed comes, with what that needs.
fetch() {
    local keys=/usr/share/keyrings/debian-archive-keyring.gpg apt=$PWD/$build/apt mirror release
    release=$(. /etc/os-release && echo "${VERSION_CODENAME:-}")
    mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | grep -m 1 '/debian/*$')
    [ -n "$release" ] && [ -n "$mirror" ] && [ -r "$keys" ] || { echo "no Debian"; return 1; }
    mkdir -p "$apt/lists/partial" "$apt/archives/partial" "$root" || return 1
    : >"$apt/status"
    echo "deb [signed-by=$keys] $mirror $release main" >"$apt/sources.list"
    local own=(-o APT::Architecture=arm64 -o APT::Architectures::=arm64 -o Dir::State="$apt" -o Dir::State::lists="$apt/lists" -o Dir::State::status="$apt/status"
        -o Dir::Cache="$apt" -o Dir::Cache::archives="$apt/archives" -o Dir::Etc::sourcelist="$apt/sources.list" -o Dir::Etc::sourceparts=/dev/null
        -o Debug::NoLocking=1 -o Acquire::Languages=none)
    apt-get "${own[@]}" update &&
        apt-get "${own[@]}" install -y --no-install-recommends --download-only libc6-dev libgcc-12-dev libgsl-dev libxxhash-dev libicu-dev zlib1g-dev libzstd-dev \
            nettle-dev libsqlite3-dev libhiredis-dev libxml2-dev libmd4c-dev libcmocka-dev || return 1
    for package in "$apt"/archives/*.deb; do dpkg-deb -x "$package" "$root" || return 1; done
    touch "$root/complete"
}
if [ ! -e "$root/complete" ] && ! fetch >"$log/fetch" 2>&1; then
    tail -n 5 "$log/fetch"
    echo "Debian's packages of arm64 cannot be fetched"
    exit 77
fi

export PKG_CONFIG_SYSROOT_DIR=$root PKG_CONFIG_LIBDIR=$root/usr/lib/aarch64-linux-gnu/pkgconfig:$root/usr/share/pkgconfig
units=$(find tests -path tests/deep -prune -o -path tests/fuzz -prune -o -name 'test_*.c' -print | sed 's|^tests/\(.*\)\.c$|\1|' | sort)
make --no-print-directory -j"$(nproc)" BUILD="$build" CC="aarch64-linux-gnu-gcc --sysroot=$root" CXX=false AR=aarch64-linux-gnu-ar CC_FOR_BUILD="${CC:-gcc}" \
    SANITIZE= all $(sed "s|^|$build/tests/|" <<<"$units") "$build/tests/index/store/record_writer" >"$log/build" 2>&1 || { tail -n 30 "$log/build"; exit 1; }
! grep -i 'warning:' "$log/build" || exit 1
unset PKG_CONFIG_SYSROOT_DIR PKG_CONFIG_LIBDIR
arm() { qemu-aarch64-static -L "$root" "$@"; }

# unit LEVEL TEST: what takes the emulator ten minutes and more is no finding.
bad=0
unit() {
    BUILD=$build FPLAB_CPU=$1 timeout 600 qemu-aarch64-static -L "$root" "$build/tests/$2" >"$log/unit" 2>&1 </dev/null
    case $? in
    0) ;;
    124) echo "skipped: $2: it takes the emulator more than ten minutes" ;;
    *) echo "FAIL: $2 ${1:+under FPLAB_CPU=$1}"; grep -E 'ERROR|FAILED' "$log/unit" | head -5; bad=1 ;;
    esac
}
for test in $units; do
    [ "$test" = algorithms/pipeline/test_pipeline ] || unit '' "$test"
done
echo "skipped: algorithms/pipeline/test_pipeline: its memory would be that of the emulator"
for test in algorithms/test_vectors algorithms/arms/test_conformance algorithms/kernels/test_near algorithms/kernels/tally/test_tally; do unit portable "$test"; done

same() {
    local here="$log/here" there="$log/there"
    "$fplab" "$@" >"$here" 2>/dev/null && arm "$build/bin/fplab" "$@" >"$there" 2>/dev/null && cmp -s "$here" "$there" || { echo "FAIL: other bytes: fplab $*"; bad=1; }
}
for arm in simhash simhash:bits=128,features=words,weight=tfidf minhash minhash:slots=128,b=8 oneperm weightedminhash weightedminhash:weight=logtf hyperplane \
    superminhash cminhash pinyin winnowing jaccard cosine; do
    same fingerprint --corpus tests/data/newswire-zh --arm "$arm" --format tsv
done
same eval --corpus tests/data/newswire-zh --format tsv
"$fplab" eval --corpus tests/data/newswire-zh --out "$log/out-here" >/dev/null 2>&1 || bad=1
arm "$build/bin/fplab" eval --corpus tests/data/newswire-zh --out "$log/out-there" >/dev/null 2>&1 || bad=1
cmp "$log/out-here/results.tsv" "$log/out-there/results.tsv" || bad=1
# The program tells which levels there are.
FPLAB_CPU=avx2 arm "$build/bin/fplab" compare --text a b 2>&1 | grep -qF 'it takes portable or neon' || { echo "FAIL: the names of the levels"; bad=1; }
exit $bad
