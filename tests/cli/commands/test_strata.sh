#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The tables of strata, edits and prevalence, against corpora of one stratum each and against plain Python.
command -v python3 >/dev/null || { echo "python3 is not installed"; exit 77; }
exec python3 tests/cli/commands/strata_check.py "$(realpath "${FPLAB:-build/bin/fplab}")" "$(realpath tests/data/newswire-zh)"
