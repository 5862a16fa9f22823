#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The known answers of the minhash family are those of the definitions in tests/algorithms/minhash_family.py, computed anew.
command -v python3 >/dev/null || { echo "python3 is not installed"; exit 77; }
exec python3 tests/algorithms/minhash_family.py
