# SPDX-License-Identifier: GPL-3.0-or-later
"""Near-duplicates past one machine, with Dask: the steps of docs/distributed.md, each on its workers.

Nothing but counts and the result comes to the client. Sketches are written to files, each renamed
into place, so that a worker that dies costs its part alone, and a run that is repeated goes on.
"""
from __future__ import annotations

import math
import os
import tempfile
from typing import Any, Dict, List, Optional, Tuple, Union

import numpy as np
import pandas

from fplab._call import ValueProblem
from fplab.arm import Arm
from fplab.finding import cluster_edges, keep_edges
from fplab.sketches import SketchArray

EDGES = {'a': np.int64, 'b': np.int64, 'distance': np.float64}
ROWS = {'key': np.uint64, 'table': np.int64, 'place': np.int64}
AT_ONCE = 1 << 20  # pairs that are measured together


def dedup(frame: Any, arm: Union[str, Arm], threshold: float, *, checkpoint: str,
          text: str = 'text', id: str = 'id', recall: float = 0.99) -> pandas.DataFrame:
    """Which texts `fplab.dedup` drops, of a Dask DataFrame.

    Parameters
    ----------
    frame : dask.dataframe.DataFrame with columns `id` (unique over all partitions) and `text`
    arm, threshold : an arm of bits or slots, fitted where it learns, and the distance
    checkpoint : directory that all workers reach; sketches stay there

    Returns a DataFrame of dropped, kept (ids) and distance, in the order of the texts. Of near texts
    the one that comes first in the frame is kept. Raises ValueError for duplicate ids.
    """
    work = _Work(frame, arm, threshold, checkpoint, text, id, recall)
    rows = work.kept(work.components())
    names = work.ids(np.union1d(rows['place'], rows['because']))
    return pandas.DataFrame({'dropped': [names[place] for place in rows['place']],
                             'kept': [names[place] for place in rows['because']],
                             'distance': rows['distance'].to_numpy()})


def cluster(frame: Any, arm: Union[str, Arm], threshold: float, *, checkpoint: str,
            text: str = 'text', id: str = 'id', recall: float = 0.99) -> pandas.DataFrame:
    """The members of the clusters of two texts and more that `fplab.cluster` finds.

    Parameters as of `dedup`. Returns a DataFrame of id and cluster, the id of its first text.
    """
    work = _Work(frame, arm, threshold, checkpoint, text, id, recall)
    places, labels = work.components().compute()
    names = work.ids(places)
    return pandas.DataFrame({'id': [names[place] for place in places],
                             'cluster': [names[place] for place in labels]})


def design_for(arm: Arm, within: float, recall: float, count: int) -> Any:
    """The keys of a shuffle: of bits the fewest tables whose groups have about eight texts by chance.

    One process compares large groups faster than it makes tables; here every candidate costs more.
    """
    bits, apart = arm._layout.bits, int(within)
    for agree in range(1, 9):
        blocks = apart + agree
        if not bits or blocks > bits or math.comb(blocks, agree) > 4096:
            break
        if 2.0 ** (bits * agree // blocks) >= count / 8:
            return arm.key_design(within, f'blocks={blocks},agree={agree}', recall)
    return arm.key_design(within, None, recall, max(1, count))


class _Work:
    """Partitions on their way: sketches, keys, a shuffle, distances, components."""

    def __init__(self, frame: Any, arm: Union[str, Arm], threshold: float, checkpoint: str,
                 text: str, id: str, recall: float):
        import dask
        import dask.dataframe
        arm = arm if isinstance(arm, Arm) else Arm(arm)
        arm._need_fit()
        for name in (text, id):
            if name not in frame.columns:
                raise ValueProblem(f'there is no column "{name}"; there are: '
                                   + ', '.join(map(str, frame.columns)), 'unknown')
        arm.key_design(threshold, None, recall)  # what has no keys is refused at once
        os.makedirs(checkpoint, exist_ok=True)
        arm_of = dask.delayed(arm)
        files = [os.path.join(checkpoint, f'{part}.npz') for part in range(frame.npartitions)]
        made = [dask.delayed(_sketch)(number, part, arm_of, text, id, file)
                for number, (part, file) in enumerate(zip(frame.to_delayed(), files))]
        counts = dask.compute(*made)
        self._check_ids(files)
        self.files = files
        self.begin = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
        design = design_for(arm, threshold, recall, int(self.begin[-1]))
        rows = dask.dataframe.from_delayed(
            [dask.delayed(_keys)(file, int(first), arm_of, design)
             for file, first in zip(files, self.begin)], meta=ROWS, verify_meta=False)
        self.edges = rows.shuffle('key').map_partitions(
            _verify, arm, threshold, design, files, self.begin, meta=EDGES).persist()

    def _check_ids(self, files: List[str]) -> None:
        """No id stands in two partitions: equal ones meet in a shuffle."""
        import dask
        import dask.dataframe
        meta = {'id': object}
        ids = dask.dataframe.from_delayed([dask.delayed(_all_ids)(file) for file in files],
                                          meta=meta, verify_meta=False)
        twice = ids.shuffle('id').map_partitions(_repeated, meta=meta).compute()
        if len(twice):
            raise ValueProblem(f'the id {min(twice["id"])} stands in two rows, one of '
                               f'{len(twice)} that do', 'duplicate')

    def components(self) -> Any:
        """Places with an edge, and the smallest place that each is connected with (delayed).

        Forests of two parts at a time become one: ⌈log2 parts⌉ rounds, on the workers.
        """
        import dask
        forests = [dask.delayed(_forest)(part) for part in self.edges.to_delayed()]
        while len(forests) > 1:
            forests = [dask.delayed(_forest)(*forests[i:i + 2]) for i in range(0, len(forests), 2)]
        return dask.delayed(_labels)(forests[0])

    def kept(self, labels: Any) -> pandas.DataFrame:
        """Dropped places, and for whom: each component by itself."""
        meta = {'label': np.int64, **EDGES}
        labelled = self.edges.map_partitions(_label, labels, meta=meta)
        found = labelled.shuffle('label').map_partitions(
            _keep, meta={'place': np.int64, 'because': np.int64, 'distance': np.float64})
        return found.compute().sort_values('place', ignore_index=True)

    def ids(self, places: np.ndarray) -> Dict[int, str]:
        """The ids of places, which ascend."""
        import dask
        parts = np.searchsorted(self.begin, places, side='right') - 1
        found = dask.compute(*(dask.delayed(_ids)(self.files[part],
                                                  places[parts == part] - self.begin[part])
                               for part in np.unique(parts)))
        return dict(zip(places.tolist(), (name for names in found for name in names)))


def _sketch(number: int, part: pandas.DataFrame, arm: Arm, text: str, id: str, file: str) -> int:
    """Writes the sketches of a partition, unless they are there for the same texts."""
    ids = part[id].astype(str).to_numpy(dtype=object)
    state = str(pandas.util.hash_pandas_object(part[[id, text]], index=False).sum()) + arm.full_spec
    if os.path.exists(file):
        with np.load(file, allow_pickle=True) as there:
            if str(there['state']) == state:
                return len(there['ids'])
    try:
        made = arm.sketch(part[text].tolist())
    except (TypeError, UnicodeError) as reason:
        raise ValueProblem(f'partition {number}: {reason}', 'encoding') from None
    _write(file[:-3] + 'npy', lambda to: np.save(to, np.asarray(made)))
    _write(file, lambda to: np.savez(to, ids=ids, empty=made.empty, state=state))
    return len(ids)


def _write(file: str, save: Any) -> None:
    """A file that appears whole."""
    place, name = tempfile.mkstemp(dir=os.path.dirname(file), suffix='.part')
    with os.fdopen(place, 'wb') as to:
        save(to)
    os.replace(name, file)


def _all_ids(file: str) -> pandas.DataFrame:
    with np.load(file, allow_pickle=True) as there:
        return pandas.DataFrame({'id': there['ids']}, dtype=object)


def _repeated(ids: pandas.DataFrame) -> pandas.DataFrame:
    return ids[ids['id'].duplicated()]


def _keys(file: str, first: int, arm: Arm, design: Any) -> pandas.DataFrame:
    """A row a text and table, but of texts of which nothing is read."""
    with np.load(file, allow_pickle=True) as there:
        kept = np.flatnonzero(~there['empty'])
    keys = arm.keys(_load(file)[kept], design.within, design)
    return pandas.DataFrame({'key': keys.T.ravel(),
                             'table': np.repeat(np.arange(design.tables), len(kept)),
                             'place': np.tile(kept + first, design.tables)})


def _load(file: str) -> np.ndarray:
    return np.load(file[:-3] + 'npy', mmap_mode='r')


def _gather(places: np.ndarray, files: List[str], begin: np.ndarray) -> SketchArray:
    """The sketches of places, which ascend: of each file the rows that are wanted."""
    parts = np.searchsorted(begin, places, side='right') - 1
    return SketchArray(np.concatenate([_load(files[part])[places[parts == part] - begin[part]]
                                       for part in np.unique(parts)]))


def _verify(rows: pandas.DataFrame, arm: Arm, threshold: float, design: Any, files: List[str],
            begin: np.ndarray) -> pandas.DataFrame:
    """Pairs within the threshold, each in the first table that brings it."""
    table, key, place = (rows[name].to_numpy() for name in ('table', 'key', 'place'))
    order = np.lexsort((place, key, table))
    table, key, place = table[order], key[order], place[order]
    new = np.ones(len(key), bool)
    new[1:] = (table[1:] != table[:-1]) | (key[1:] != key[:-1])
    starts = np.flatnonzero(new)
    sizes = np.diff(np.append(starts, len(key)))
    edges = [pandas.DataFrame({name: np.empty(0, kind) for name, kind in EDGES.items()})]
    shared = np.repeat(sizes > 1, sizes)
    if shared.any():
        places = np.unique(place[shared])
        sketches = _gather(places, files, begin)
        keys = arm.keys(sketches, threshold, design)
        where = np.searchsorted(places, place)
        for a, b in _pairs(starts, sizes):
            left, right = where[a], where[b]
            first = (keys[left] == keys[right]).argmax(1) == table[a]
            left, right = left[first], right[first]
            distance = arm.pair_distances(sketches, left, right)
            near = distance <= threshold
            edges.append(pandas.DataFrame({'a': places[left[near]], 'b': places[right[near]],
                                           'distance': distance[near]}))
    return pandas.concat(edges, ignore_index=True)


def _pairs(starts: np.ndarray, sizes: np.ndarray) -> Any:
    """All pairs of rows within groups, so many at once: groups of one size together."""
    for size in np.unique(sizes[sizes > 1]).tolist():
        groups = starts[sizes == size]
        if size * size > AT_ONCE:
            for start in groups:
                for row in range(size - 1):
                    yield np.full(size - row - 1, start + row), start + np.arange(row + 1, size)
            continue
        a, b = np.triu_indices(size, 1)
        some = max(1, AT_ONCE // len(a))
        for at in range(0, len(groups), some):
            yield ((groups[at:at + some, None] + a).ravel(),
                   (groups[at:at + some, None] + b).ravel())


def _forest(*parts: pandas.DataFrame) -> pandas.DataFrame:
    """A star a component: each place with the smallest that it is connected with."""
    a = np.concatenate([part['a'].to_numpy() for part in parts])
    b = np.concatenate([part['b'].to_numpy() for part in parts])
    places, compact = np.unique(np.concatenate([a, b]), return_inverse=True)
    labels = cluster_edges(len(places), compact[:len(a)], compact[len(a):])
    return pandas.DataFrame({'a': places[labels], 'b': places})


def _labels(forest: pandas.DataFrame) -> Tuple[np.ndarray, np.ndarray]:
    return forest['b'].to_numpy(), forest['a'].to_numpy()


def _label(edges: pandas.DataFrame, labels: Tuple[np.ndarray, np.ndarray]) -> pandas.DataFrame:
    places, of = labels
    made = edges.copy()
    made.insert(0, 'label', of[np.searchsorted(places, edges['a'].to_numpy())])
    return made


def _keep(edges: pandas.DataFrame) -> pandas.DataFrame:
    places, compact = np.unique(np.concatenate([edges['a'], edges['b']]), return_inverse=True)
    count = len(edges)
    kept = keep_edges(len(places), compact[:count], compact[count:], edges['distance'])
    dropped = np.flatnonzero(~kept.kept)
    return pandas.DataFrame({'place': places[dropped].astype(np.int64),
                             'because': places[kept.because[dropped]].astype(np.int64),
                             'distance': kept.distance[dropped]})


def _ids(file: str, places: np.ndarray) -> Optional[List[str]]:
    with np.load(file, allow_pickle=True) as there:
        return list(there['ids'][places])
