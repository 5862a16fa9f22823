#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A system call that goes wrong is reported, and what was there before stays whole: a sample of the calls of each command.
# tests/deep/machines/test_faults.sh lets every one of every command go wrong.
set -u
build=${BUILD:-build}
if [ -n "${SANITIZE:-}" ] || nm -D "$build/bin/fplab" 2>/dev/null | grep -q ' __asan_init'; then
    echo "a sanitizer has system calls of its own"
    exit 77
fi
command -v python3 >/dev/null || { echo "python3 is missing"; exit 77; }
fault=$(realpath "$build/tests/base/fault") shim=$(realpath "$build/tests/base/fault_shim.so") fplab=$(realpath "$build/bin/fplab")
"$fault" "$shim" none 0 '' /bin/true >/dev/null 2>&1
case $? in
0) ;;
77) echo "faults of system calls are made on Linux on x86-64 alone"; exit 77 ;;
*) echo "processes may not be traced here"; exit 77 ;;
esac
status=0
python3 tests/base/fault_check.py "$fplab" "$fault" "$shim" tests/data/newswire-zh 5 fingerprint gzip explain || status=1
python3 tests/base/fault_check.py "$fplab" "$fault" "$shim" tests/data/newswire-zh 211 again corpus-idf-over import judge report index-build index-add track || status=1
exit $status
