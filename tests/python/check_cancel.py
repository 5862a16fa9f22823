# SPDX-License-Identifier: GPL-3.0-or-later
"""Ctrl-C: noticed within 0.2 s, and nothing is left behind."""
import os
import signal
import threading
import time

import numpy as np
import pytest

import fplab

NOTICED = 0.2  # seconds
# What is started in the background of a script ignores Ctrl-C.
signal.signal(signal.SIGINT, signal.default_int_handler)


def many(texts, count):
    """Texts that differ."""
    return [f'{texts[i % len(texts)]} {i} {i * 7919 % 10007}' for i in range(count)]


def interrupted(work, after=0.3):
    """Seconds from the signal to the exception; those of one processor where they are fewer, as on a
    machine that does other things as well. On a quick machine work may end before the signal: then
    the signal comes earlier.
    """
    for _ in range(6):
        taken = once_interrupted(work, after)
        if taken is not None:
            return taken
        after /= 2
    pytest.fail('the work had ended before the signal came')


def once_interrupted(work, after):
    """The same once; None where the work had ended."""
    sent = []

    def send():
        sent.extend((time.perf_counter(), time.process_time()))
        os.kill(os.getpid(), signal.SIGINT)

    before = {thread.ident for thread in threading.enumerate()}
    tasks = len(os.listdir('/proc/self/task'))
    timer = threading.Timer(after, send)
    timer.start()
    try:
        work()
        timer.cancel()
        timer.join()
        return None
    except KeyboardInterrupt:
        taken = min(time.perf_counter() - sent[0], (time.process_time() - sent[1]) / os.cpu_count())
    finally:
        timer.cancel()
        timer.join()
    assert {thread.ident for thread in threading.enumerate()} <= before
    until = time.perf_counter() + 1  # the system takes a moment to bury a thread
    while len(os.listdir('/proc/self/task')) > tasks and time.perf_counter() < until:
        time.sleep(0.01)
    assert len(os.listdir('/proc/self/task')) <= tasks
    return taken


@pytest.fixture(scope='module')
def large(texts):
    return many(texts, 60000)


@pytest.fixture(scope='module')
def grouped(texts):
    rows = many(texts, 6000)
    return fplab.Corpus.from_texts(rows, groups=[i // 3 for i in range(len(rows))])


@pytest.mark.long
def test_fit(large):
    arms = []

    def work():
        arms.append(fplab.Arm('simhash:features=words,weight=tfidf'))
        arms[-1].fit(large)

    assert interrupted(work, 1) < NOTICED
    arm = arms[-1]
    assert not arm.fitted
    assert arm.fit(large[:100]).sketch(large[:10]).shape == (10, 8)  # no lock is left


@pytest.mark.long
def test_tally(large):
    arm = fplab.Arm('simhash:features=words,weight=tfidf')
    assert interrupted(lambda: arm.tally(large), 1) < NOTICED
    assert arm.fit_tallies([arm.tally(large[:100])]).fitted


@pytest.mark.long
def test_several_arms(large):
    arms = [fplab.Arm('minhash:features=words'), fplab.Arm('jaccard:features=words')]
    assert interrupted(lambda: fplab.sketch_all(arms, large), 1) < NOTICED


def test_a_collection_is_not_locked(large, tmp_path):
    with fplab.Collection.create(tmp_path / 'a.fp', 'simhash:features=chars:3', 3) as made:
        assert interrupted(lambda: made.add(large, map(str, range(len(large)))), 1) < NOTICED
        there = len(made)
        made.add(large[:10], [f'new {i}' for i in range(10)])
        assert len(made) == there + 10
    with fplab.Collection(tmp_path / 'a.fp', writes=True) as again:
        assert len(again) == there + 10


def test_sketch(large):
    arm = fplab.Arm('minhash:features=words')
    assert interrupted(lambda: arm.sketch(large), 1) < NOTICED


def test_distances(large):
    arm = fplab.Arm('jaccard')
    made = arm.sketch(large[:12000])
    assert interrupted(lambda: arm.distances(made)) < NOTICED


@pytest.mark.parametrize('after', [0.5, pytest.param(2, marks=pytest.mark.long)])
def test_eval_of_groups(grouped, after):
    arms = ['simhash', 'cosine', 'jaccard', 'minhash:slots=256']
    assert interrupted(lambda: fplab.Evaluation.from_corpus(grouped, arms), after) < NOTICED


@pytest.mark.parametrize('after', [0.3, pytest.param(1.5, marks=pytest.mark.long)])
def test_eval_of_pairs(newswire, after):
    arms = ['simhash', 'minhash', 'cosine:weight=idf', 'jaccard']
    options = {'by': 'length', 'replicates': 50000, 'interval': 'bca', 'retrieval': True, 'lost': True,
               'calibrate': True, 'costs': True, 'theory': True}
    assert interrupted(lambda: fplab.Evaluation.from_corpus(newswire, arms, **options), after) < NOTICED


@pytest.mark.long
@pytest.mark.parametrize('after', [0.5, 2])
def test_tune(newswire, after):
    grid = 'simhash:bits=32|64|128,features=words|chars:2|chars:3|chars:4,weight=tf|tfidf'
    assert interrupted(lambda: fplab.tune(newswire, grid, replicates=200000), after) < NOTICED


@pytest.mark.parametrize('spec, threshold, count', [
    pytest.param('jaccard', 60, 12000, marks=pytest.mark.long),
    pytest.param('simhash:bits=128', 46, 24000, marks=pytest.mark.long),
    pytest.param('minhash', 60, 12000, marks=pytest.mark.long), ('pinyin', 15, 12000)])
def test_near(texts, spec, threshold, count):
    rows = many(texts, count)
    arm = fplab.Arm(spec)
    start = time.perf_counter()
    arm.sketch(rows)
    after = 1.2 * (time.perf_counter() - start) + 0.2
    assert interrupted(lambda: fplab.near_pairs(rows, arm, threshold), after) < NOTICED


def test_another_thread_is_not_disturbed(texts):
    made = []
    worker = threading.Thread(target=lambda: made.append(fplab.Arm('simhash').sketch(texts)))
    worker.start()
    worker.join()
    assert len(made[0]) == len(texts)
    assert np.asarray(made[0]).any()
