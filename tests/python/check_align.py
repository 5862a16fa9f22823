# SPDX-License-Identifier: GPL-3.0-or-later
"""fplab.align: the passages and places that `fplab align` shows."""
import json
import unicodedata

import pytest
from conftest import run

import fplab

PAIRS = [('早报讯：临江大桥今天下午恢复通车，市民可以步行通过。', '臨江大橋今天下午已恢復通車，市民可以步行通過！', 12),
         ('one two three four five six seven eight', 'zero one two three 3 four five six seven nine', 4),
         ('nothing in common', '没有共同之处', 12), ('', '', 12), ('same text, twice over\n', 'SAME TEXT,  twice over', 5)]


def folded(text):
    """By Python's own tables, and quotation marks: these texts are of one script."""
    text = text.translate(str.maketrans('「」『』', '“”‘’'))
    return ''.join(unicodedata.normalize('NFKC', text).casefold().split())


def programs(a, b, least):
    return json.loads(run('align', '--text', a, b, '--least', str(least), '--format', 'json'))


@pytest.mark.parametrize('a, b, least', PAIRS)
def test_passages_are_those_of_the_program(a, b, least):
    total, *rows = programs(a, b, least)
    made = fplab.align(a, b, least)
    assert made.same == total['same'] and list(made.characters) == [total['A_characters'], total['B_characters']]
    assert [f'{share:.3f}' for share in made.share] == [f'{total[side + "_share"]:.3f}' for side in 'AB']
    passages = made.passages
    assert len(passages) == len(rows)
    for row, (_, mine) in zip(rows, passages.iterrows()):
        for side, name in (('A', 'a'), ('B', 'b')):
            text = a if name == 'a' else b
            assert (mine['from_' + name], mine['to_' + name]) == (row[side + '_from'], row[side + '_to'])
            assert mine['characters_' + name] == row[side + '_characters'] and mine['same'] == row['same']
            assert abs(mine['share_' + name] - row[side + '_share']) < 1e-12
            data = text.encode()[row[side + '_first_byte']:row[side + '_end_byte']].decode()
            assert mine['text_' + name] == data


def test_newswire(newswire, texts):
    found = 0
    for place in newswire.pairs.query('label == 1').head(40).itertuples():
        a, b = texts[place.a], texts[place.b]
        total, *rows = programs(a, b, 12)
        made = fplab.align(a, b)
        assert (made.same, len(made.passages)) == (total['same'], len(rows))
        runs = made.runs
        for _, one in runs.iterrows():  # each has the same characters, folded, but for white space
            left, right = a[one['from_a']:one['to_a']], b[one['from_b']:one['to_b']]
            assert left and folded(left) == folded(right)
        found += len(runs)
    assert found > 40


@pytest.mark.parametrize('a, b, least, kind, words', [
    ('a', None, 12, TypeError, r'texts\[1\] is None'), (b'a', 'b', 12, TypeError, r'texts\[0\] is bytes'),
    ('a', '\ud800', 12, UnicodeError, r'texts\[1\] has a lone surrogate'),
    ('a', 'b', 1, ValueError, '2'), ('a', 'b', 0, ValueError, '2'), ('a', 'b', -1, ValueError, '2'),
    ('a', 'b', 10 ** 7, ValueError, '1000000')])
def test_refusals(a, b, least, kind, words):
    with pytest.raises(kind, match=words):
        fplab.align(a, b, least)
