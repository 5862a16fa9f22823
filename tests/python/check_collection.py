# SPDX-License-Identifier: GPL-3.0-or-later
"""Collections: what the program makes and asks, and the other way round."""
import json
import os

import numpy as np
import pandas
import pytest
from conftest import SHIPPED, run

import fplab


@pytest.mark.parametrize('spec, threshold', [('simhash:features=words', 8), ('minhash:slots=128', 40),
                                             ('simhash:weight=tfidf', 9)])
def test_what_it_finds(tmp_path, newswire, texts, spec, threshold):
    path = tmp_path / 'mine.fp'
    arm = fplab.Arm(spec).fit(texts)
    asked, kept = range(1, len(texts), 4), [i for i in range(len(texts)) if i % 4 != 1]
    names = newswire.ids
    queries, records, ids = [texts[i] for i in asked], [texts[i] for i in kept], [names[i] for i in kept]
    with fplab.Collection.create(path, arm, threshold, recall=1) as made:
        assert made.add(records[:500], ids[:500]) == 500
        assert made.add(records[400:], ids[400:]) == len(ids) - 500
        assert len(made) == len(ids)
        found = made.query(queries)
        every = arm.distances(arm.sketch(queries), arm.sketch(records))
        query, place = np.nonzero(every <= threshold)
        wanted = {(q, ids[p]): every[q, p] for q, p in zip(query, place)}
        assert wanted == {(row.query, row.id): row.distance for row in found.itertuples()}
        assert len(wanted) > 5
        first = made.query(queries, top=1)
        assert first['query'].is_unique and len(first) == found['query'].nunique()
        made.delete(ids[0])
        assert len(made) == len(ids) - 1
        with pytest.raises(ValueError):
            made.delete('nobody')
    # The program reads the file, and finds the same.
    file = tmp_path / 'texts.jsonl'
    file.write_text(''.join(json.dumps({'id': newswire.ids[i], 'text': texts[i]}) + '\n' for i in asked))
    printed = json.loads(run('query', str(path), str(file), '--format', 'json'))
    assert len(printed) == (found['id'] != ids[0]).sum()
    with fplab.Collection(path) as again:
        assert again.threshold == threshold and len(again) == len(ids) - 1
        own = again.arm
        assert (own.distances(own.sketch(texts[:5])) == arm.distances(arm.sketch(texts[:5]))).all()
        with pytest.raises(fplab.Error):
            again.add(['x'], ['x'])


def test_a_collection_of_the_program(tmp_path, newswire, texts):
    path = str(tmp_path / 'theirs.fp')
    file = os.path.join(SHIPPED[0], 'docs.jsonl')
    run('index', 'build', path, file, '--arm', 'simhash', '--threshold', '6')
    with fplab.Collection(path) as theirs:
        assert [id for id, _, _ in theirs] == newswire.ids
        found = theirs.query(texts[:50])
        assert (found[found['distance'] == 0].groupby('query').size() >= 1).all()


def test_records(tmp_path):
    path = tmp_path / 'small.fp'
    days = pandas.to_datetime(['2024-05-01', None, '2024-05-03T12:30Z'], utc=True)
    with fplab.Collection.create(path, 'simhash', 3, keep_texts=True) as made:
        assert made.add(['one text', '', 'another text'], ['a', 'b', 'c'], time=days) == 3
        assert list(made) == [('a', 'one text', days[0]), ('b', None, None), ('c', 'another text', days[2])]
        with pytest.raises(ValueError, match='"a" already exists') as failed:
            made.add(['z', 'one more'], ['z', 'a'])
        assert failed.value.index == 1 and len(made) == 3  # nothing of the transaction stays
        with pytest.raises(ValueError, match='2 ids for 1'):
            made.add(['x'], ['x', 'y'])
        with pytest.raises(ValueError, match='id of text 0 is empty'):
            made.add(['x'], [''])
        with pytest.raises(TypeError, match='is None'):
            made.add(['x', None], ['x', 'y'])
        with pytest.raises(fplab.Error):  # one writer at a time
            fplab.Collection(path, writes=True)
        assert '3 records' in repr(made)
    with pytest.raises(ValueError, match='closed'):
        len(made)
    with pytest.raises(fplab.Error):
        fplab.Collection.create(path, 'simhash', 3)
    with pytest.raises(fplab.Error):
        fplab.Collection(tmp_path / 'nowhere.fp')
    with pytest.raises(fplab.NotFittedError):
        fplab.Collection.create(tmp_path / 'x.fp', 'simhash:weight=tfidf', 3)
    (tmp_path / 'bad.fp').write_text('no collection')
    with pytest.raises(fplab.Error):
        fplab.Collection(tmp_path / 'bad.fp')
