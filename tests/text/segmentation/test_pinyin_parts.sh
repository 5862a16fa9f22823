#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What the pinyin arm counts beside initials, and its exact counterpart, by an independent computation.
exec /usr/bin/python3 tests/text/segmentation/pinyin_parts_check.py "${FPLAB:-build/bin/fplab}"
