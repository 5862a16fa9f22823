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


def many(texts, count):
    """Texts that differ."""
    return [f'{texts[i % len(texts)]} {i} {i * 7919 % 10007}' for i in range(count)]


def interrupted(work, after=0.3):
    """Seconds from the signal to the exception."""
    sent = []

    def send():
        sent.append(time.perf_counter())
        os.kill(os.getpid(), signal.SIGINT)

    before = {thread.ident for thread in threading.enumerate()}
    tasks = len(os.listdir('/proc/self/task'))
    timer = threading.Timer(after, send)
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        work()
        time.sleep(after + 5)  # it was too quick: the signal ends this, and the time says so
    taken = time.perf_counter() - sent[0]
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


def test_fit(large):
    arm = fplab.Arm('simhash:features=words,weight=tfidf')
    assert interrupted(lambda: arm.fit(large), 1) < NOTICED
    assert not arm.fitted
    assert arm.fit(large[:100]).sketch(large[:10]).shape == (10, 8)  # no lock is left


def test_sketch(large):
    arm = fplab.Arm('minhash:features=words')
    assert interrupted(lambda: arm.sketch(large), 1) < NOTICED


def test_distances(large):
    arm = fplab.Arm('jaccard')
    made = arm.sketch(large[:12000])
    assert interrupted(lambda: arm.distances(made)) < NOTICED


def test_eval(grouped):
    for options in ({}, {'retrieval': True}):
        seconds = interrupted(lambda: fplab.Evaluation.from_corpus(
            grouped, ['simhash', 'cosine', 'jaccard'], **options), 1.5)
        assert seconds < NOTICED


def test_tune(newswire):
    assert interrupted(lambda: fplab.tune(newswire, 'simhash:bits=32|64|128,features=words|chars:2|chars:3'),
                       1.5) < NOTICED


def test_near(texts):
    rows = many(texts, 9000)
    arm = fplab.Arm('jaccard')
    assert interrupted(lambda: fplab.near_pairs(rows, arm, 40), 2) < NOTICED


def test_another_thread_is_not_disturbed(texts):
    made = []
    worker = threading.Thread(target=lambda: made.append(fplab.Arm('simhash').sketch(texts)))
    worker.start()
    worker.join()
    assert len(made[0]) == len(texts)
    assert np.asarray(made[0]).any()
