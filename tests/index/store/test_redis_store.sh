#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A store in Redis keeps the same promises as one in a file: the same tests, on a server of their own.
set -u
. tests/index/store/redis.sh
redis_start
bad=0
for promises in store lists transactions; do
    STORE="redis://127.0.0.1:$port/3" "${BUILD:-build}/tests/index/store/test_record_$promises" || bad=1
done
exit $bad
