# SPDX-License-Identifier: GPL-3.0-or-later
"""docs/python.md: its code runs, its table is that of the program; the examples run."""
import importlib.util
import os
import re
import subprocess
import sys

import pytest
from conftest import ROOT

import fplab


def page(name):
    with open(os.path.join(ROOT, 'docs', name), encoding='utf-8') as file:
        return file.read()


def test_the_code_of_the_page_runs(monkeypatch):
    pytest.importorskip('sklearn')
    pytest.importorskip('matplotlib').use('Agg')
    monkeypatch.chdir(ROOT)
    blocks = re.findall(r'^```python\n(.*?)^```$', page('python.md'), flags=re.M | re.S)
    assert len(blocks) > 5
    names = {}
    for block in blocks:
        exec(compile(block, 'docs/python.md', 'exec'), names)
    assert names['found'].kept.sum() > 0 and names['sketches'].shape == (4, 16)
    # The join of the other page finds what one process finds.
    block, = re.findall(r'^```python\n(.*?)^```$', page('distributed.md'), flags=re.M | re.S)
    names['texts'] = names['corpus'].texts
    exec(compile(block, 'docs/distributed.md', 'exec'), names)
    assert (names['labels'] == fplab.cluster(names['texts'], 'minhash:slots=128', 25).labels).all()


def test_the_table_is_that_of_the_program():
    spec = importlib.util.spec_from_file_location('reach', os.path.join(ROOT, 'python', 'reach.py'))
    reach = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(reach)
    assert reach.table(os.environ['FPLAB']) in page('python.md')
    assert len(reach.commands(os.environ['FPLAB'])) >= 20
    for objects in reach.IN_PACKAGE.values():
        for name in objects.split(', '):
            found = fplab
            for part in name.split('.'):
                found = getattr(found, part)
            assert found.__doc__, name


def test_the_page_is_short():
    assert page('python.md').partition('<!-- made by')[0].count('\n') <= 150


@pytest.mark.parametrize('name', ['choose_threshold', 'figure', 'lesson'])
def test_examples(name, tmp_path):
    if name == 'figure':
        pytest.importorskip('matplotlib')
    arguments = [str(tmp_path / 'figure.pdf')] if name == 'figure' else []
    example = os.path.join(ROOT, 'python', 'examples', name + '.py')
    done = subprocess.run([sys.executable, example, *arguments], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout
    if name == 'figure':
        assert (tmp_path / 'figure.pdf').read_bytes().startswith(b'%PDF')


def test_everything_is_documented():
    for name in fplab.__all__:
        assert getattr(fplab, name).__doc__, name
