#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The source archive of `make dist`: the same bytes from another clone, in another zone, with another umask; all files of the commit and no others, in order, of
# one time and one owner; and it knows its commit without git. tests/deep/house/test_dist_build.sh builds it.
source tests/support.sh
[ "$(git rev-parse --show-toplevel 2>/dev/null)" = "$(pwd -P)" ] || { echo "not a repository of its own"; exit 77; }
version=$(sed -n 's/^#define FP_VERSION "\(.*\)"/\1/p' include/fplab/version.h)
git clone -q --no-hardlinks . "$work/clone" || exit 1
committed=$(sed -n 's/^#define FP_VERSION "\(.*\)"/\1/p' "$work/clone/include/fplab/version.h")
made=$work/b/dist/fplab-$version.tar.gz
make -s BUILD="$work/b" "$made" >/dev/null || complain "no archive"
(cd "$work/clone" && umask 077 && TZ=Asia/Tokyo make -s BUILD=b "b/dist/fplab-$committed.tar.gz") >/dev/null || complain "no archive of a clone"
# Changes that are not committed are in neither; a version that is not names the archive.
[ "$version" != "$committed" ] || cmp "$made" "$work/clone/b/dist/fplab-$version.tar.gz" || complain "another clone writes another archive"

python3 - "$made" "fplab-$version/" <<'PY' || bad=1
import subprocess, sys, tarfile
with tarfile.open(sys.argv[1]) as archive:
    members = archive.getmembers()
files = [member.name for member in members if not member.isdir()]
wanted = subprocess.run(['git', 'ls-tree', '-r', '-z', '--name-only', 'HEAD'], check=True, capture_output=True, text=True).stdout
if sorted(files) != sorted(sys.argv[2] + name for name in wanted.split('\0') if name):
    sys.exit('FAIL: the archive does not have the files of the commit')
if len({member.mtime for member in members}) != 1 or {(member.uid, member.uname) for member in members} != {(0, 'root')}:
    sys.exit('FAIL: times or owners differ')
if any(member.mode & 0o022 for member in members if not member.issym()):
    sys.exit('FAIL: others may write')
PY
tar -xzf "$made" -C "$work"
commit=$(cd "$work/fplab-$version" && env -u FPLAB_COMMIT sh reports/runs/build_facts.sh . '' none "$0" | sed -n 's/^#define FP_BUILD_COMMIT "\(.*\)"/\1/p')
[ "$commit" = "$(git rev-parse HEAD | cut -c 1-12)" ] || complain "the archive says that it is of $commit"

# What is not committed is refused: the archive would lack it.
echo >>"$work/clone/README.md"
(cd "$work/clone" && make -s dist) >"$work/out" 2>"$work/err" && complain "changes are passed over"
grep -q '^fplab: uncommitted changes would not be in the source archive: commit' "$work/err" || complain "changes: $(cat "$work/err")"
exit $bad
