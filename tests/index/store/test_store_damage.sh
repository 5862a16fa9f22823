#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A store in a file that is damaged at random: TRIALS times, from SEED on.
set -u
writer=$(realpath "${BUILD:-build}/tests/index/store/record_writer")
damage=$(realpath tests/index/store/damage.py)
. tests/support.sh
cd "$work" || exit 1
"$writer" add store 1 3000 100 >out || complain "it does not add"
python3 "$damage" "$writer" store "${TRIALS:-140}" "${SEED:-$(date +%N | sed 's/^0*//')}" || bad=1
exit $bad
