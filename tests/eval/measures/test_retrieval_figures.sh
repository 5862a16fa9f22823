#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The figures that test_retrieval compares with are those of the definitions, computed anew.
exec python3 tests/eval/measures/retrieval_figures.py check tests/data/retrieval
