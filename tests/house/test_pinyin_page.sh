#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What docs/pinyin.md says of the shipped set is what the program measures; docs/pinyin.py writes it anew.
FPLAB=${FPLAB:-build/bin/fplab} exec /usr/bin/python3 docs/pinyin.py --check
