# SPDX-License-Identifier: GPL-3.0-or-later
"""Arms: the same fingerprints and distances as the program's; scikit-learn's conventions; bad input."""
import pickle
import threading

import numpy as np
import pandas
import pytest
from conftest import SHIPPED, run

import fplab

FIXED = ['simhash', 'simhash:bits=128,features=words', 'minhash', 'minhash:slots=100,b=4', 'pinyin']
VARIED = ['jaccard', 'cosine']


@pytest.mark.parametrize('spec', FIXED)
def test_fingerprints_are_those_of_the_program(spec, texts):
    lines = [text.replace('\n', ' ') for text in texts[:300]]
    printed = run('fingerprint', '--arm', spec, input='\n'.join(lines)).splitlines()[1:]
    arm = fplab.Arm(spec)
    made = arm.sketch(lines)
    assert made.dtype == np.uint8 and made.shape == (300, made.shape[1])
    assert arm.text(made) == [line.split('\t')[1] for line in printed]


@pytest.mark.parametrize('spec', [*FIXED, *VARIED, 'simhash:features=words,weight=tfidf'])
def test_distances_are_those_of_the_program(spec, newswire, texts):
    printed = [line.split('\t') for line in
               run('distances', SHIPPED[0], '--arm', spec).splitlines()[1:]]
    places = {name: place for place, name in enumerate(newswire.ids)}
    arm = fplab.Arm(spec).fit(texts)
    made = arm.sketch(texts)
    a, b = [places[row[0]] for row in printed], [places[row[1]] for row in printed]
    wanted = np.array([float(row[4]) for row in printed])
    assert (arm.pair_distances(made, a, b) == wanted).all()
    matrix = arm.distances(made[:50], made[50:90])
    left, right = np.indices(matrix.shape)
    assert (matrix.ravel() == arm.pair_distances(made, left.ravel(), 50 + right.ravel())).all()


@pytest.mark.parametrize('spec', ['simhash:weight=tfidf', 'minhash', 'jaccard', 'cosine:weight=idf'])
def test_pickles(spec, texts):
    arm = fplab.Arm(spec).fit(texts)
    other = pickle.loads(pickle.dumps(arm))
    made = arm.sketch(texts[:40])
    assert (other.distances(other.sketch(texts[:40])) == arm.distances(made)).all()
    back = pickle.loads(pickle.dumps(made))
    assert (arm.distances(back) == arm.distances(made)).all() and (back.empty == made.empty).all()
    assert repr(other) == repr(arm)


def test_a_pickle_of_another_version_is_refused(texts):
    state = fplab.Arm('simhash').__getstate__()
    with pytest.raises(fplab.VersionProblem, match='fit the arm again'):
        fplab.Arm.__new__(fplab.Arm).__setstate__({**state, 'form': 99, 'version': '9.0'})
    fitted = fplab.Arm('simhash:weight=tfidf').fit(texts)
    with pytest.raises(fplab.ValueProblem):
        fplab.Arm('simhash:weight=tfidf').take_model(fitted.model()[:-3])
    with pytest.raises(fplab.ValueProblem):
        fplab.Arm('simhash:weight=tfidf,bits=32').take_model(fitted.model())


LEARNERS = ['cosine:weight=tfidf', 'cosine:weight=bm25', 'minhash:weight=idf,top=5', 'pinyin:reference=corpus',
            'simhash:center=mean', 'simhash:weight=tfidf,center=mean', 'simhash:center=median']


def in_parts(spec, parts):
    """Fitted by one process a part, which get the arm as a pickle."""
    arm = fplab.Arm(spec)
    for _ in range(2):
        if not arm.fitted:
            tallies = [pickle.loads(pickle.dumps(arm)).tally(part) for part in parts]
            arm.fit_tallies([arm.merge_tallies(tallies[:2]), *tallies[2:]])
    return arm


@pytest.mark.parametrize('spec', LEARNERS)
def test_parts_that_are_merged(spec, texts):
    draw = np.random.default_rng(5)
    wanted = fplab.Arm(spec).fit(texts)
    made = []
    for _ in range(3):
        bounds = [0, *sorted(draw.integers(0, len(texts), 4).tolist()), len(texts)]
        parts = [texts[b:e] for b, e in zip(bounds[:-1], bounds[1:])] + [[]]  # one is empty
        made.append(in_parts(spec, parts).model())
    assert made[0] == made[1] == made[2]
    if 'median' in spec:  # off by at most 2^-13: few bits of few texts
        apart = np.unpackbits(np.asarray(in_parts(spec, parts).sketch(texts)) ^ np.asarray(wanted.sketch(texts)))
        assert 0 < apart.mean() < 0.001
    else:
        assert made[0] == wanted.model()


def test_bad_tallies(texts):
    arm = fplab.Arm('simhash:weight=tfidf,center=mean')
    first = arm.tally(texts)
    for bad, kind, words in (([b'x'], fplab.ValueProblem, 'not a tally'), (first, TypeError, 'one bytes'),
                             ([first[:-1]], fplab.ValueProblem, 'cut off'), ([None], TypeError, r'tallies\[0\]'),
                             ([], fplab.ValueProblem, 'no tally'),
                             ([first[:16] + b'\x09' + first[17:]], fplab.VersionProblem, 'form 9'),
                             ([fplab.Arm('cosine:weight=tfidf').tally(texts)], fplab.ValueProblem, 'another arm')):
        for call in (arm.fit_tallies, arm.merge_tallies):
            with pytest.raises(kind, match=words):
                call(bad)
    with pytest.raises(fplab.ValueProblem, match='oracle'):
        fplab.Arm('oracle').tally(texts)
    with pytest.raises(fplab.ValueProblem, match='learns nothing'):
        fplab.Arm('simhash').tally(texts)
    with pytest.raises(TypeError, match=r'texts\[1\] is None'):
        arm.tally(['a', None])
    assert not arm.fit_tallies([first]).fitted
    with pytest.raises(fplab.NotFittedError):
        arm.sketch(texts)
    with pytest.raises(fplab.ValueProblem, match='round 1'):
        arm.fit_tallies([first])
    assert arm.fit_tallies([arm.tally(texts)]).fitted
    assert arm.tally(texts) == first  # for another fit


def test_float32_and_several_arms(texts):
    arms = [fplab.Arm(spec).fit(texts) for spec in
            ('simhash', 'minhash:features=chars:3', 'jaccard:features=chars:3', 'cosine:weight=tfidf')]
    for arm, made in zip(arms, fplab.sketch_all(arms, texts[:70])):
        alone = arm.sketch(texts[:70])
        wide = arm.distances(alone)
        assert (arm.distances(made) == wide).all() and (made.empty == alone.empty).all()
        narrow = arm.distances(made, dtype=np.float32)
        assert narrow.dtype == np.float32 and (narrow == wide.astype(np.float32)).all()
        a, b = np.triu_indices(70)
        listed = arm.pair_distances(made, a, b, dtype='float32')
        assert listed.dtype == np.float32 and (listed == narrow[a, b]).all()
    for bad in ('float16', int, '>f8'):
        with pytest.raises(TypeError, match='float64 or float32'):
            arms[0].distances(arms[0].sketch(texts[:2]), dtype=bad)
    assert fplab.sketch_all([], texts[:2]) == []
    with pytest.raises(fplab.NotFittedError):
        fplab.sketch_all([arms[0], fplab.Arm('cosine:weight=tfidf')], texts[:2])
    with pytest.raises(UnicodeError, match=r'texts\[1\] has a lone surrogate'):
        fplab.sketch_all(arms[:2], ['a', '\udc80'])


def test_a_model_file_is_a_model(tmp_path, texts):
    (tmp_path / 'texts').write_text('\n'.join(text.replace('\n', ' ') for text in texts))
    run('fingerprint', '--arm', 'simhash:weight=tfidf', '--save-model', str(tmp_path / 'model'),
        str(tmp_path / 'texts'))
    arm = fplab.Arm('simhash:weight=tfidf').take_model((tmp_path / 'model').read_bytes())
    fitted = fplab.Arm('simhash:weight=tfidf').fit([text.replace('\n', ' ') for text in texts])
    assert (arm.sketch(texts) == fitted.sketch(texts)).all()


def test_empty_sketches_are_far_from_everything():
    arm = fplab.Arm('simhash')
    made = arm.sketch(['', '', 'hello there'])
    assert made.empty.tolist() == [True, True, False]
    assert (arm.distances(made)[:2] == arm.maximum).all()
    assert made[[1, 2]].empty.tolist() == [True, False] and made[::2].empty.tolist() == [True, False]
    assert arm.sketch([]).shape == (0, 8)


def test_keys_find_every_pair_of_bits(texts):
    arm, within = fplab.Arm('simhash:features=words'), 9
    made = arm.sketch(texts)
    keys = arm.keys(made, within)
    shared = (keys[:, None, :] == keys[None, :, :]).any(2)
    near = arm.distances(made) <= within
    assert (shared | ~near).all() and not shared.all()
    assert arm.key_design(3, 'blocks=6,agree=3') == ('blocks=6,agree=3', 20, 3.0, 1.0)


def test_keys_of_slots_are_the_bands(texts):
    arm = fplab.Arm('minhash:slots=128')
    made = arm.sketch(texts)
    keys = arm.keys(made, 25, 'bands=16,rows=8')
    bands = arm.places(made).reshape(len(texts), 16, 8)
    wanted = (bands[:, None] == bands[None]).all(3)
    assert ((keys[:, None, :] == keys[None, :, :]) == wanted).all()
    # 1 − (1 − s^8)^16, s = 103/128
    assert abs(arm.key_design(25, 'bands=16,rows=8').recall - (1 - (1 - (103 / 128) ** 8) ** 16)) < 1e-12


def test_scikit_learn(texts):
    base = pytest.importorskip('sklearn.base')
    from sklearn.neighbors import NearestNeighbors
    from sklearn.pipeline import make_pipeline
    arm = fplab.Arm('simhash', bits=128, features='words')
    copy = base.clone(arm)
    assert copy.get_params() == arm.get_params() and copy is not arm
    assert arm.set_params(bits=64).maximum == 64 and copy.maximum == 128
    for one in (fplab.Arm('simhash'), fplab.Arm('minhash')):
        places = one.transform(texts[:60])
        apart = one.distances(one.sketch(texts[:60]))
        near = make_pipeline(one, NearestNeighbors(n_neighbors=3, metric='hamming', algorithm='brute'))
        near.fit(texts[:60])
        found, which = near[-1].kneighbors(places)
        assert np.allclose(found * places.shape[1], np.sort(apart, 1)[:, :3])
    exact = fplab.Arm('jaccard')
    apart = exact.distances(exact.sketch(texts[:60]))
    NearestNeighbors(metric='precomputed').fit(apart).kneighbors(apart)
    with pytest.raises(ValueError, match='precomputed'):
        exact.transform(texts[:3])


def test_unfitted(texts):
    arm = fplab.Arm('simhash:weight=tfidf')
    for call in (arm.sketch, arm.transform):
        with pytest.raises(fplab.NotFittedError, match='fit it first'):
            call(texts)
    assert arm.model() is None and not arm.fitted


@pytest.mark.parametrize('bad, kind, words', [
    (['a', None], TypeError, r'texts\[1\] is None'),
    (['a', 3], TypeError, r'texts\[1\] is int'),
    (['a', float('nan')], TypeError, r'texts\[1\] is nan'),
    (['a', b'b'], TypeError, r'texts\[1\] is bytes, not str: decode'),
    ('abc', TypeError, 'put it in a list'),
    (np.array([['a'], ['b']]), TypeError, '2 dimensions'),
    (np.array([b'a', b'b']), TypeError, r'texts\[0\] is bytes_?, not str'),
    (np.array([1.5, 2]), TypeError, r'texts\[0\] is float64|texts\[0\] is (np.float64\()?1.5'),
    (pandas.Series(['a', pandas.NA], dtype='string'), TypeError, r'texts\[1\] is NAType'),
    (pandas.DataFrame({'a': ['b']})[['a']], TypeError, '2 dimensions'),
    (5, TypeError, 'int'),
    (['a', 'b', 'x\ud800'], UnicodeError, r'texts\[2\] has a lone surrogate at character 1'),
])
def test_bad_texts(bad, kind, words):
    for spec in ('simhash', 'simhash:weight=tfidf'):
        arm = fplab.Arm(spec)
        with pytest.raises(kind, match=words):
            arm.fit(bad) if arm.learns else arm.sketch(bad)


def test_bad_sketches(texts):
    arm = fplab.Arm('simhash')
    made = np.asarray(arm.sketch(texts[:6]))
    right = arm.distances(made)
    records = np.zeros(6, np.dtype([('id', 'u4'), ('sketch', 'u1', 8), ('rest', 'u2')]))
    records['sketch'] = made
    for same in (records['sketch'], np.asfortranarray(made), np.repeat(made, 2, 0)[::2],
                 made[::-1][::-1]):
        assert (arm.distances(same) == right).all()
    for bad in (made.astype('i1'), made.view('>u8'), made.astype(float), made.tolist(), None):
        with pytest.raises(TypeError):
            arm.distances(bad)
    for bad in (made[:, :4], made.ravel(), made[None]):
        with pytest.raises(ValueError):
            arm.distances(bad)
    with pytest.raises(ValueError, match='not there|there are'):
        arm.pair_distances(made, [0], [6])
    with pytest.raises(ValueError):
        arm.pair_distances(made, [0], [-1])
    with pytest.raises(TypeError):
        arm.pair_distances(made, [0.5], [1])
    places = np.arange(12, dtype='>u4')[::2]  # of another byte order, strided
    assert (arm.pair_distances(made, places // 2, places[::-1] // 2) == right[np.arange(6), np.arange(6)[::-1]]).all()
    kept = fplab.keep_edges(6, places[:1] // 2, places[1:2] // 2, np.array([1, 2], '>f4')[::2])
    assert kept.kept.tolist() == [True, False] + [True] * 4 and kept.distance[1] == 1
    exact = fplab.Arm('jaccard')
    with pytest.raises(TypeError, match='vary in size'):
        exact.distances(made)
    with pytest.raises(TypeError):
        arm.distances(exact.sketch(texts[:3]))


def test_bad_specs():
    for spec, words in (('simhash:bitz=3', 'did you mean bits'), ('simhsh', 'simhash'),
                        ('simhash:bits=3', '4'), ('simhash:idf=/nowhere', 'nowhere')):
        with pytest.raises(fplab.Error, match=words):
            fplab.Arm(spec)
    with pytest.raises(TypeError):
        fplab.Arm(3)
    for design, words in (('bands=3,rows=3', 'blocks'), ('blocks=2', 'distance'), ('scan', 'no keys')):
        with pytest.raises(ValueError, match=words):
            fplab.Arm('simhash').key_design(3, design)


def test_parameters_are_those_of_the_spec():
    names = {one.name for one in fplab.parameters_of('simhash')}
    full = fplab.Arm('simhash').full_spec
    written = dict(one.split('=', 1) for one in full.partition(':')[2].split(','))
    assert set(written) == names - {'name', 'query'}  # query is written where it is not the default
    assert all(written[one.name] == one.default for one in fplab.parameters_of('simhash')
               if one.kind != 'real' and one.name in written)
    assert 'simhash' in set(fplab.algorithms()['name'])


def test_threads_share_an_arm(texts):
    arm = fplab.Arm('simhash:features=words')
    wanted, made = arm.sketch(texts), [None] * 4

    def work(at):
        made[at] = arm.sketch(texts)

    workers = [threading.Thread(target=work, args=(at,)) for at in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert all((one == wanted).all() for one in made)
