#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Verdicts between simhash and minhash over twenty disjoint blocks of hash seeds.
exec python3 tests/deep/laws/hash_seeds.py "${FPLAB:-build/bin/fplab}" tests/data/newswire-zh
