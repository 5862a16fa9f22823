# SPDX-License-Identifier: GPL-3.0-or-later
"""Dask: the result of one process, whatever dies on the way."""
import os
import signal
import threading
import time

import numpy as np
import pandas
import pytest

import fplab

dataframe = pytest.importorskip('dask.dataframe')
distributed = pytest.importorskip('distributed')
from fplab import dask as spread  # noqa: E402: where Dask is there

RULES = [('simhash:features=words', 6), ('minhash:slots=128', 25)]


def frame_of(ids, texts, parts=5):
    return dataframe.from_pandas(pandas.DataFrame({'id': ids, 'text': texts}), npartitions=parts, sort=False)


def check_dropped(found, ids, texts, spec, threshold):
    """Byte for byte what one process drops."""
    wanted = fplab.dedup(texts, spec, threshold).dropped
    assert len(wanted) > 100
    assert found['dropped'].tolist() == [ids[i] for i in wanted['dropped']]
    assert found['kept'].tolist() == [ids[i] for i in wanted['kept']]
    assert found['distance'].to_numpy().tobytes() == wanted['distance'].to_numpy().tobytes()


@pytest.mark.parametrize('spec, threshold', RULES)
def test_one_process_and_many_parts(tmp_path, newswire, texts, spec, threshold):
    ids = newswire.ids
    whole = frame_of(ids, texts)
    empty = whole.partitions[0].map_partitions(lambda part: part.iloc[:0])
    for frame in (whole, dataframe.concat([empty, whole])):
        place = str(tmp_path / str(frame.npartitions))
        check_dropped(spread.dedup(frame, spec, threshold, checkpoint=place), ids, texts, spec, threshold)
        members = spread.cluster(frame, spec, threshold, checkpoint=place)
        labels = fplab.cluster(texts, spec, threshold).labels
        own, count = np.unique(labels, return_counts=True)
        wanted = {ids[i]: ids[of] for i, of in enumerate(labels) if of in set(own[count > 1])}
        assert dict(zip(members['id'], members['cluster'])) == wanted
        assert not [name for name in os.listdir(place) if not name.endswith(('.npz', '.npy'))]


def test_the_keys_of_a_shuffle():
    arm = fplab.Arm('simhash')
    assert spread.design_for(arm, 3, 1, 1000).text == 'blocks=4'
    assert spread.design_for(arm, 6, 1, 300000).text == 'blocks=8,agree=2'  # 28 tables, 16 bits
    assert spread.design_for(fplab.Arm('minhash:slots=128'), 25, 0.99, 1000).recall >= 0.99


def test_refused(tmp_path, newswire, texts):
    ids = newswire.ids
    place = str(tmp_path / 'a')
    with pytest.raises(ValueError, match='no column "body"; there are: id, text'):
        spread.dedup(frame_of(ids, texts), 'simhash', 3, checkpoint=place, text='body')
    with pytest.raises(ValueError, match=f'the id {ids[0]} stands in two rows'):
        spread.dedup(frame_of(ids[:-1] + ids[:1], texts), 'simhash', 3, checkpoint=place)
    with pytest.raises(ValueError, match=r'partition 4: texts\[\d+\] is None'):
        spread.dedup(frame_of(ids, texts[:-1] + [None]), 'simhash', 3, checkpoint=place)
    with pytest.raises(fplab.NotFittedError):
        spread.dedup(frame_of(ids, texts), 'simhash:weight=tfidf', 3, checkpoint=place)
    with pytest.raises(ValueError, match='neither bits nor slots'):
        spread.dedup(frame_of(ids, texts), 'jaccard', 3, checkpoint=place)


@pytest.fixture(scope='module')
def machines():
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True,
                                  dashboard_address=':0') as cluster:
        with distributed.Client(cluster) as client:
            yield client


def kill_one(client):
    """The process of one worker."""
    os.kill(next(iter(client.run(os.getpid).values())), signal.SIGKILL)


@pytest.mark.parametrize('moment', ['sketching', 'shuffle', 'components'])
def test_a_worker_dies(tmp_path, machines, newswire, texts, moment):
    spec, threshold = RULES[0]
    place, parts = tmp_path / 'sketches', 12
    copies = [f'{text} {copy}' if copy else text for copy in range(3) for text in texts]
    ids = [f'{id}/{copy}' for copy in range(3) for id in newswire.ids]
    frame = frame_of(ids, copies, parts)
    pids = machines.run(os.getpid)
    killed = []

    def watch():
        wanted = 1 if moment == 'sketching' else parts
        while not place.exists() or len(list(place.glob('*.npz'))) < wanted:
            time.sleep(0.005)
        os.kill(next(iter(pids.values())), signal.SIGKILL)
        killed.append(True)

    if moment == 'components':
        work = spread._Work(frame, fplab.Arm(spec), threshold, str(place), 'text', 'id', 0.99)
        distributed.wait(work.edges)
        kill_one(machines)
        rows = work.kept(work.components())
        names = work.ids(np.union1d(rows['place'], rows['because']))
        found = pandas.DataFrame({'dropped': [names[at] for at in rows['place']],
                                  'kept': [names[at] for at in rows['because']],
                                  'distance': rows['distance']})
        killed.append(True)
    else:
        watcher = threading.Thread(target=watch)
        watcher.start()
        found = spread.dedup(frame, spec, threshold, checkpoint=str(place))
        watcher.join()
    assert killed
    check_dropped(found, ids, copies, spec, threshold)
