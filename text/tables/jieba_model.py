#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Prints jieba's hidden Markov model as rows of table, state, key and log probability, tab-separated.

    jieba_model.py DIRECTORY

DIRECTORY is where the Debian package python3-jieba installs the model, as Python files. The tables are start (without keys), trans (the key
is the next state) and emit (the key is a character)."""
import runpy
import sys

for table in 'start', 'trans', 'emit':
    file = f'{sys.argv[1]}/finalseg/prob_{table}.py'
    try:
        model = runpy.run_path(file)['P']
    except FileNotFoundError:
        sys.exit(f'{file}: cannot be read: install the Debian package python3-jieba')
    for state, row in model.items():
        for key, number in row.items() if isinstance(row, dict) else [('', row)]:
            print(table, state, key, repr(number), sep='\t')
