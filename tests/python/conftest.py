# SPDX-License-Identifier: GPL-3.0-or-later
"""What the tests share: corpora, and the program, whose figures are those to be met."""
import json
import os
import subprocess

import pandas
import pytest

import fplab

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
# Three sets: those beside the tree where they are there, else those that ship.
BESIDE = [os.path.join(ROOT, os.pardir, 'shared', 'data', name) for name in
          ('en_clough_stevenson', 'zh_prc_law_revisions', 'zh_cross_script_poems')]
SHIPPED = [os.path.join(ROOT, *place) for place in
           (('corpora', 'data', 'newswire-zh'), ('corpora', 'data', 'newswire-en'),
            ('tests', 'data', 'newswire-zh'))]
CORPORA = [pytest.param(there if os.path.exists(there) else ships, marks=[pytest.mark.long] if number else [])
           for number, (there, ships) in enumerate(zip(BESIDE, SHIPPED))]


def run(*arguments, status=0, input=None):
    """What the program prints."""
    done = subprocess.run([os.environ['FPLAB'], *arguments], capture_output=True, text=True,
                          input=input)
    assert done.returncode == status, done.stderr
    return done.stdout


def rows(*arguments):
    """The rows that the program prints as JSON."""
    return pandas.DataFrame(json.loads(run(*arguments, '--format', 'json')))


def same(mine, theirs, leave=()):
    """Two tables are equal but for times, to the last digit."""
    theirs = theirs if isinstance(theirs, pandas.DataFrame) else pandas.DataFrame(theirs)
    assert len(mine) == len(theirs)
    for column in theirs.columns:
        if 'second' in column or column in leave:
            continue
        left, right = mine[column], theirs[column]
        if column == 'similarity':  # the program prints 12 digits
            left = left.map(lambda value: float(f'{value:.12g}'))
        assert ((left == right) | (left.isna() & right.isna())).all(), column


def pytest_configure(config):
    config.addinivalue_line('markers', 'long: run by `make run-slow`, not by `make check`')


@pytest.fixture(scope='session')
def newswire():
    return fplab.read_corpus(SHIPPED[0])


@pytest.fixture(scope='session')
def texts(newswire):
    return newswire.texts
