#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Every system call on files of every command of tests/base/fault_check.py goes wrong in turn: it fails, there is no room from it on, it is
# interrupted, it does half, and the process ends before it. STEP=k takes every k-th.
set -u
build=${BUILD:-build}
[ -z "${SANITIZE:-}" ] || { echo "a sanitizer has system calls of its own"; exit 77; }
fault=$(realpath "$build/tests/base/fault")
"$fault" "$(realpath "$build/tests/base/fault_shim.so")" none 0 '' /bin/true >/dev/null 2>&1 || { echo "processes may not be traced here"; exit 77; }
exec python3 tests/base/fault_check.py "$(realpath "$build/bin/fplab")" "$fault" "$(realpath "$build/tests/base/fault_shim.so")" \
    tests/data/newswire-zh "${STEP:-1}"
