# SPDX-License-Identifier: GPL-3.0-or-later
"""Evaluations, tunings, near-duplicates: the figures of the program, to the last digit."""
import json
import os
import pickle

import numpy as np
import pandas
import pytest
from conftest import CORPORA, SHIPPED, rows, run, same

import fplab

ARMS = ['simhash', 'minhash', 'cosine:weight=idf']


@pytest.mark.parametrize('path', CORPORA, ids=os.path.basename)
def test_eval(path):
    options = [word for arm in ARMS for word in ('-a', arm)]
    printed = json.loads(run('eval', path, *options, '--prevalence', '0.01', '--gain', '--by', 'length',
                             '--format', 'json'))
    corpus = fplab.read_corpus(path)
    made = fplab.Evaluation.from_corpus(corpus, ARMS, prevalence=0.01, gain=True, by='length')
    assert set(made.tables) == set(printed)
    for name, table in printed.items():
        if table:
            same(made.table(name), table)
    best = next(row for row in printed['answer'] if row['place'] == 1)
    assert made.answer['arm'] == best['arm'] and made.answer['f1'] == best['f1']
    assert f'{best["precision"]:.3f}' in made._repr_html_() and best['arm'] in repr(made)


@pytest.mark.parametrize('path', CORPORA, ids=os.path.basename)
def test_tune(path, tmp_path):
    grid = ['simhash:features=words|chars:3,weight=tf|tfidf', 'minhash']
    options = [word for one in grid for word in ('-g', one)]
    save = tmp_path / 'mine.json'
    run('tune', path, *options, '--yes', '--replicates', '200', '--out', str(tmp_path / 'out'),
        '--save', str(tmp_path / 'choice.json'))
    made = fplab.tune(path, grid, replicates=200, save=save)
    for name in ('leaderboard', 'folds'):
        table = pandas.read_csv(tmp_path / 'out' / f'{name}.tsv', sep='\t', na_values='NA',
                                keep_default_na=False, float_precision='round_trip')
        same(made.table(name), table.astype(object).where(table.notna(), None))
    theirs, mine = json.loads((tmp_path / 'choice.json').read_text()), json.loads(save.read_text())
    assert theirs == mine
    assert made.threshold == theirs['threshold'] and made.arm.full_spec == theirs['arm']
    assert made.advice


@pytest.mark.parametrize('path', CORPORA, ids=os.path.basename)
@pytest.mark.parametrize('arm, threshold', [(None, None), ('simhash:features=words', 6),
                                            ('minhash:features=words,weight=binary', 30),
                                            ('simhash:weight=tfidf', 8)])
def test_near_duplicates(path, arm, threshold):
    corpus = fplab.read_corpus(path)
    texts, ids = corpus.texts, corpus.ids
    file = os.path.join(path, 'docs.jsonl')
    how = [] if arm is None else ['--arm', arm, '--threshold', str(threshold)]
    for keep in ('first', 'longest'):
        made = fplab.dedup(texts, arm, threshold, keep=keep).dropped
        table = pandas.DataFrame({'dropped': [ids[i] for i in made['dropped']],
                                  'kept': [ids[i] for i in made['kept']],
                                  'distance': made['distance'],
                                  'similarity': made['similarity']})
        table['characters'] = [len(texts[i]) for i in made['dropped']]
        table['characters_kept'] = [len(texts[i]) for i in made['kept']]
        same(table, rows('dedup', file, *how, '--keep', keep, '--dropped'))
    made = fplab.cluster(texts, arm, threshold)
    table = made.clusters
    for column in ('cluster', 'weakest_a', 'weakest_b'):
        table[column] = [ids[i] for i in table[column]]
    same(table, rows('cluster', file, *how))
    pairs = fplab.near_pairs(texts, arm, threshold)
    theirs = rows('cluster', file, *how, '--pairs')
    mine = {(ids[a], ids[b]): distance for a, b, distance in
            zip(pairs['a'], pairs['b'], pairs['distance'])}
    assert mine == {(row.a, row.b): row.distance for row in theirs.itertuples()}
    # The rules of both commands, from pairs alone.
    assert (fplab.cluster_edges(len(texts), pairs['a'], pairs['b']) == made.labels).all()
    edges = fplab.keep_edges(len(texts), pairs['a'], pairs['b'], pairs['distance'])
    whole = fplab.dedup(texts, arm, threshold)
    assert (edges.because == whole.because).all() and (edges.distance == whole.distance).all()


def test_a_pickled_arm_finds_the_same(texts):
    arm = pickle.loads(pickle.dumps(fplab.Arm('simhash:weight=tfidf').fit(texts)))
    first = fplab.dedup(texts, 'simhash:weight=tfidf', 8)
    assert (fplab.dedup(texts, arm, 8).because == first.because).all()


def test_windows_and_ranks(texts):
    days = pandas.date_range('2024-01-01', periods=len(texts), freq='12H')
    made = fplab.near_pairs(texts, 'simhash', 8)
    inside = fplab.near_pairs(texts, 'simhash', 8, time=days, window='1d')
    assert inside.equals(made[(made['b'] - made['a']) <= 2].reset_index(drop=True))
    newest = fplab.dedup(texts, 'simhash', 8, keep='newest', time=days)
    assert (newest.dropped['kept'] > newest.dropped['dropped']).any()
    assert (fplab.dedup(texts, 'simhash', 8, keep=np.arange(len(texts))).because == newest.because).all()


def test_frames(newswire, texts):
    pairs = newswire.pairs
    frame = pandas.DataFrame({'text_a': [texts[i] for i in pairs['a']],
                              'text_b': [texts[i] for i in pairs['b']], 'label': pairs['label']})
    frame.to_csv('/dev/null')
    made = fplab.Evaluation.from_frame(frame, ['simhash'], name='pairs')
    import tempfile
    with tempfile.TemporaryDirectory() as place:
        path = os.path.join(place, 'pairs.csv')
        frame.to_csv(path, index=False)
        printed = json.loads(run('eval', path, '-a', 'simhash', '--format', 'json'))
    for name in ('results', 'summary', 'curves', 'intervals'):
        same(made.table(name), printed[name], leave=('corpus',))
    grouped = pandas.DataFrame({'text': texts, 'group': newswire.groups, 'lang': 'zh'})
    grouped['group'] = grouped['group'].where(grouped['group'] >= 0)
    assert fplab.Evaluation.from_frame(grouped, 'simhash').answer['arm'] == 'simhash'
    with pytest.raises(ValueError, match='no column "body"; there are: text, group, lang'):
        fplab.Evaluation.from_frame(grouped, 'simhash', text='body')
    with pytest.raises(ValueError, match='no column "group"; there are: text'):
        fplab.Evaluation.from_frame(grouped[['text']], 'simhash')
    frame.loc[3, 'label'] = 7
    with pytest.raises(ValueError, match='row 3 has the label 7'):
        fplab.Evaluation.from_frame(frame, 'simhash')


def test_scores(newswire, texts):
    pairs = newswire.pairs
    arm = fplab.Arm('simhash')
    distances = arm.pair_distances(arm.sketch(texts), pairs['a'], pairs['b'])
    own = fplab.Evaluation.from_scores(pairs['label'], distances)
    other = fplab.Evaluation.from_corpus(newswire, 'simhash', hash_seeds=1)
    # The same counts; a threshold of one is one of the other.
    mine, theirs = own.curve(), other.curve()
    assert np.allclose(mine, theirs)
    assert own.answer['threshold'] == other.answer['threshold']
    assert own.answer['f1'] == other.answer['f1']
    # scikit-learn, an independent implementation.
    metrics = pytest.importorskip('sklearn.metrics')
    precision, recall, at = metrics.precision_recall_curve(pairs['label'], -distances)
    ours = mine.set_index('distance').loc[-at]
    assert np.allclose(ours['recall'], recall[:-1]) and np.allclose(ours['precision'], precision[:-1])
    unit = distances / 64
    scaled = fplab.Evaluation.from_scores(pairs['label'], unit)
    assert scaled.answer['threshold'] == own.answer['threshold'] / 64
    assert scaled.answer['f1'] == own.answer['f1']
    assert scaled.table('histograms')['high'].max() <= 1 + 1 / 64
    # Pairs that depend on one another are worth less.
    tied = fplab.Evaluation.from_scores(pairs['label'], unit, groups=np.arange(len(unit)) // 40)
    width = [row['precision_high'] - row['precision_low'] for row in (scaled.answer, tied.answer)]
    assert width[1] != width[0]
    for labels, values, words in (([0, 2], [1, 1], 'neither 0 nor 1'), ([0, 1], [1], 'shape'),
                                  ([0, 1], [1, np.nan], r'\[1\] is nan'), ([0, 1], [-1, 0], r'\[0\] is -1')):
        with pytest.raises(ValueError, match=words):
            fplab.Evaluation.from_scores(labels, values)


def test_several_corpora(newswire):
    made = fplab.Evaluation.from_corpus([newswire, SHIPPED[1]], ['simhash', 'minhash'])
    printed = json.loads(run('eval', *SHIPPED[:2], '-a', 'simhash', '-a', 'minhash', '--format', 'json'))
    same(made.table('results'), printed['results'])
    assert set(made.tables) == set(printed) and len(made.answer) == 2


def test_refused(newswire):
    for options, words in (({'levle': 'pair'}, 'levle is no setting'), ({'level': 'word'}, 'level takes'),
                           ({'replicates': 3}, 'replicates takes 200'), ({'prevalence': 2}, 'prevalence'),
                           ({'detect': 'x'}, 'detect takes'), ({'seed': -1}, 'seed takes')):
        with pytest.raises(ValueError, match=words):
            fplab.Evaluation.from_corpus(newswire, 'simhash', **options)
    with pytest.raises(ValueError, match='two arms are called'):
        fplab.Evaluation.from_corpus(newswire, ['simhash', 'simhash'])
    with pytest.raises(ValueError, match='no table "x"; there are: answer'):
        fplab.Evaluation.from_corpus(newswire, 'simhash').table('x')
    with pytest.raises(ValueError, match='no labels'):
        fplab.Evaluation.from_corpus(fplab.Corpus.from_texts(['a', 'b']), 'simhash')
    with pytest.raises(OSError, match='nowhere'):
        fplab.read_corpus('nowhere')
    with pytest.raises(TypeError, match='Corpus.from_frame'):
        fplab.tune(pandas.DataFrame())
    with pytest.raises(ValueError, match='empty'):
        fplab.Corpus.from_texts(['a', 'b'], ids=['x', ''])
    with pytest.raises(ValueError, match='the id x of text 1 is that of text 0'):
        fplab.Corpus.from_texts(['a', 'b'], ids=['x', 'x'])
    with pytest.raises(ValueError, match='document that does not exist'):
        fplab.Corpus.from_texts(['a', 'b'], pairs=[(0, 2, 1)])
    for bad in ({'threshold': 3}, {'arm': 'simhash'}, {'arm': 'simhash', 'threshold': 64},
                {'keep': 'best'}, {'verify': 'maybe'}, {'keep': [1.0]}, {'window': '7d'}):
        with pytest.raises(ValueError):
            fplab.dedup(['a', 'b'], **bad)


def test_corpora_of_columns(newswire):
    made = fplab.Corpus.from_texts(['今天', 'b', 'c'], groups=['x', None, 'x'],
                                   fields={'lang': ['zh', 'en', None]})
    assert made.texts == ['今天', 'b', 'c'] and made.groups.tolist() == [0, -1, 0] and made.truth == 'groups'
    assert made.ids == ['0', '1', '2'] and len(made) == 3
    whole = fplab.Corpus.from_texts(newswire.texts, ids=newswire.ids, pairs=newswire.pairs.to_numpy())
    assert whole.pairs.equals(newswire.pairs)

    class Dataset(dict):  # as Hugging Face's: columns by name
        column_names = property(list)

    assert len(fplab.Corpus.from_frame(Dataset(text=['a', 'b'], group=[1, 1]), group='group')) == 2


def test_text_by_text(texts):
    a, b = '今天下午，临江大桥恢复通车。', '临江大桥今天下午恢复了通车。'
    table = fplab.compare(a, b, ['simhash', 'minhash'])
    printed = rows('compare', '--text', a, b, '-a', 'simhash', '-a', 'minhash')
    assert table['distance'].tolist() == printed['distance'].tolist()
    steps = fplab.explain('simhash:bits=8', a).steps
    assert steps and any(step.table is not None for step in steps)
    assert '<h4>' in fplab.explain('simhash:bits=8', a, b)._repr_html_()
    with pytest.raises(fplab.NotFittedError):
        fplab.explain('simhash:weight=tfidf', a)
    measures = fplab.program('measures', '--format', 'json')
    assert 'precision@H' in set(measures['measure'])
    with pytest.raises(ValueError, match='help'):
        fplab.program('eval', '--nonsense')


def test_display(newswire):
    pytest.importorskip('matplotlib').use('Agg')
    shown = fplab.PrecisionRecallDisplay.from_estimator(['simhash', 'minhash'], newswire)
    assert set(shown.lines_) == set(shown.bands_) == {'simhash', 'minhash'}
    assert shown.figure_ is shown.ax_.figure
    x, y = shown.lines_['simhash'].get_data()
    curve = fplab.Evaluation.from_corpus(newswire, 'simhash').curve()
    assert np.allclose(x, curve['recall']) and np.allclose(y, curve['precision'])
    band = shown.bands['simhash']
    assert (band['precision_low'] <= band['precision']).all()
    assert (band['precision'] <= band['precision_high']).all()
    from matplotlib import pyplot
    _, ax = pyplot.subplots()
    again = fplab.PrecisionRecallDisplay.from_scores([0, 1] * 50, np.arange(100) % 7, ax=ax, bands=False)
    assert again.ax_ is ax and not again.bands_
