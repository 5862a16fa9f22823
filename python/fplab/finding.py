# SPDX-License-Identifier: GPL-3.0-or-later
"""Near-duplicates in a column of texts, as `fplab dedup` and `fplab cluster` find them."""
from __future__ import annotations

from typing import Any, Iterable, List, Optional, Sequence, Tuple, Union

import numpy as np

from fplab import _call
from fplab._call import Arena, TextColumn, ValueProblem, check, ffi, lib, run
from fplab.arm import Arm, places_of, sketch_all
from fplab.arrow import Table
from fplab.sketches import to_library

KEPT = 2 ** 32 - 1
NEAR = np.dtype({'names': ['a', 'b', 'distance'], 'formats': ['u4', 'u4', 'f8'],
                 'offsets': [0, 4, 8], 'itemsize': ffi.sizeof('fp_neighbours')})
CLUSTER = np.dtype({'names': ['first', 'size', 'distinct', 'a', 'b', 'distance'],
                    'formats': ['u4'] * 5 + ['f8'],
                    'offsets': [ffi.offsetof('fp_cluster', name) for name in
                                ('first', 'size', 'distinct', 'a', 'b', 'distance')],
                    'itemsize': ffi.sizeof('fp_cluster')})
INT64_MIN = -2 ** 63


class _Found:
    """The method (`how`), its `recall` at the threshold, the `arm` and its `threshold`."""

    how: str
    recall: float
    near_pairs: int
    arm: Arm
    threshold: float
    measured: Arm

    def _table(self) -> Any:
        raise NotImplementedError

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        """The results (`dropped`, `clusters`) as an Arrow stream."""
        return Table(self._table()).__arrow_c_stream__(requested_schema)

    def _take(self, search: '_Search', report: Any) -> None:
        self.how = _call.text_of(report.how)
        self.recall = report.recall
        self.near_pairs = report.pairs
        self.arm, self.threshold, self.measured = search.arm, search.within, search.measured


class Dedup(_Found):
    """Which texts to keep.

    ``kept``: bool, shape (texts,). ``because``: int64, for a dropped text the index of the nearest kept
    text, −1 for a kept one. ``distance``: float64, the distance to it, 0 for a kept one.
    """

    def __init__(self, because: np.ndarray, distance: np.ndarray):
        self.kept = because == KEPT
        self.because = np.where(self.kept, -1, because.astype(np.int64))
        self.distance = distance

    def _table(self) -> Any:
        return self.dropped

    @property
    def dropped(self) -> Any:
        """A DataFrame, one row per dropped text: the indices dropped and kept, distance and similarity."""
        import pandas
        rows = np.flatnonzero(~self.kept)
        return pandas.DataFrame({'dropped': rows, 'kept': self.because[rows],
                                 'distance': self.distance[rows],
                                 'similarity': self.measured.similarity(self.distance[rows])})

    def __repr__(self) -> str:
        return (f'<fplab.Dedup: of {len(self.kept)} texts {int(self.kept.sum())} are kept; '
                f'{self.how}>')


class Clusters(_Found):
    """Connected near-duplicates.

    ``labels``: int64, shape (texts,): the index of the first text of the cluster; a single text has
    its own.
    """

    def __init__(self, labels: np.ndarray, rows: np.ndarray):
        self.labels = labels.astype(np.int64)
        self._rows = rows

    def _table(self) -> Any:
        return self.clusters

    @property
    def clusters(self) -> Any:
        """A DataFrame of clusters of two or more texts, the largest first.

        cluster (index of the first text), texts, different (number of distinct sketches), and the weakest
        link: weakest_a, weakest_b, distance, similarity.
        """
        import pandas
        rows = self._rows
        return pandas.DataFrame({
            'cluster': rows['first'].astype(np.int64), 'texts': rows['size'].astype(np.int64),
            'different': rows['distinct'].astype(np.int64),
            'weakest_a': rows['a'].astype(np.int64), 'weakest_b': rows['b'].astype(np.int64),
            'distance': rows['distance'],
            'similarity': self.measured.similarity(rows['distance'])})

    def __repr__(self) -> str:
        return f'<fplab.Clusters: {len(self._rows)} of {len(self.labels)} texts; {self.how}>'


class _Search:
    """Sketches and the parameters of a search among them."""

    def __init__(self, texts: Iterable[str], arm: Union[str, Arm, None],
                 threshold: Optional[float], verify: Optional[str], recall: float,
                 rank: Optional[np.ndarray], time: Any, window: Any, threads: Optional[int]):
        texts = TextColumn(texts)
        self.arm, self.within, exact = near_of(arm, threshold, verify, threads)
        self.threads, self.count = threads, len(texts)
        if not self.arm.fitted:
            self.arm = self.arm.fit(texts)
        if exact is not None:
            exact.fit(texts)
        made = sketch_all([self.arm] if exact is None else [self.arm, exact], texts, threads=threads)
        self.sketches, self._alive = to_library(made[0], self.arm._bytes)
        self.form = ffi.new('fp_near_search *', {'size': ffi.sizeof('fp_near_search'),
                                                 'within': self.within, 'recall': recall})
        self.measured = self.arm
        if exact is not None:
            self._exact = to_library(made[1], exact._bytes)
            self.form.exact = self._exact[0]
            self.measured, self.form.exact_arm = exact, exact._arm
            self.form.similarity = self.arm.similarity(self.within)
        self._order(rank, time, window)

    def _order(self, rank: Optional[np.ndarray], time: Any, window: Any) -> None:
        if rank is not None:
            self._rank = places_of(rank, 'rank')
            if self._rank.size != self.count:
                raise ValueProblem(f'{self._rank.size} ranks for {self.count} texts', 'range')
            self.form.rank = ffi.cast('uint32_t *', self._rank.ctypes.data)
        if window is None:
            return
        if time is None:
            raise ValueProblem('window needs the times of the texts: time=…', 'range')
        self._time = milliseconds(time)
        if self._time.size != self.count:
            raise ValueProblem(f'{self._time.size} times for {self.count} texts', 'range')
        self.form.time = ffi.cast('int64_t *', self._time.ctypes.data)
        import pandas
        self.form.window = int(pandas.Timedelta(window).total_seconds() * 1000)


USUAL = _call.text_of(lib.FP_NEAR_ARM)


def near_of(arm: Union[str, Arm, None], threshold: Optional[float], verify: Optional[str],
            threads: Optional[int] = None) -> Tuple[Arm, float, Optional[Arm]]:
    """The arm, the distance and the exact arm that verifies pairs (None: no verification), by the rules of `dedup`."""
    usual = arm is None and threshold is None
    if arm is None and threshold is not None:
        raise ValueProblem('threshold needs an arm: pass both or neither', 'range')
    if arm is not None and threshold is None:
        raise ValueProblem('the threshold is missing: pass a distance; tune finds one', 'range')
    made = USUAL if arm is None else arm
    made = made if isinstance(made, Arm) else Arm(made, threads=threads)
    within = float(lib.FP_NEAR_THRESHOLD if usual else threshold)  # type: ignore[arg-type]
    how = verify or ('exact' if usual else 'none')
    if how not in ('exact', 'none'):
        raise ValueProblem(f"verify takes exact or none, not {how!r}", 'range')
    if how == 'none':
        return made, within, None
    exact = made.exact()
    if exact is None or not made.similarity(within) > 0:
        raise ValueProblem(f'{made.name} has no exact measure to verify with, or is itself exact', 'range')
    return made, within, exact


def milliseconds(time: Any) -> np.ndarray:
    """Times as milliseconds since 1970, UTC; a missing time is INT64_MIN and near no other time."""
    import pandas
    made = pandas.to_datetime(pandas.Series(list(time)), utc=True)
    values = made.astype('int64').to_numpy() // 1000000
    return np.where(made.isna().to_numpy(), INT64_MIN, values)


def dedup(texts: Iterable[str], arm: Union[str, Arm, None] = None,
          threshold: Optional[float] = None, *, keep: Union[str, Sequence[float]] = 'first',
          verify: Optional[str] = None, recall: float = 0.99, time: Any = None, window: Any = None,
          threads: Optional[int] = None) -> Dedup:
    """Keeps one of each set of near-duplicate texts, as `fplab dedup` does.

    Parameters
    ----------
    texts : column of str
    arm, threshold : an Arm or its spec, and the largest distance of near-duplicates
        Default: minhash:slots=128 at 25, verified. An arm that learns and is not fitted is fitted to
        the texts.
    keep : the preferred text: 'first', 'longest' (characters), 'newest' (by `time`), or one number per
        text, the largest preferred, NaN last
    verify : 'exact' (the exact measure must also reach the threshold) or 'none'
    recall : for arms of slots, the minimum probability that a pair at exactly the threshold is found
    time, window : times of the texts, and a span such as '7d': texts farther apart are not compared
    """
    texts = TextColumn(texts)
    rank = _rank(texts, keep, time)
    search = _Search(texts, arm, threshold, verify, recall, rank, time, window, threads)
    because = np.empty(search.count, np.uint32)
    distance = np.empty(search.count, np.float64)
    report = ffi.new('fp_near_report *')
    run(lib.fp_near_keep, search.arm._arm, search.sketches, search.form,
        ffi.cast('uint32_t *', because.ctypes.data), ffi.cast('double *', distance.ctypes.data),
        report, threads=threads)
    made = Dedup(because, distance)
    made._take(search, report)
    return made


def cluster(texts: Iterable[str], arm: Union[str, Arm, None] = None,
            threshold: Optional[float] = None, *, verify: Optional[str] = None,
            recall: float = 0.99, time: Any = None, window: Any = None,
            threads: Optional[int] = None) -> Clusters:
    """Groups connected near-duplicates (single linkage), as `fplab cluster` does.

    Parameters as for `dedup`.
    """
    search = _Search(texts, arm, threshold, verify, recall, None, time, window, threads)
    labels = np.empty(search.count, np.uint32)
    arena, list_of, count = Arena(), ffi.new('fp_cluster **'), ffi.new('size_t *')
    report = ffi.new('fp_near_report *')
    run(lib.fp_near_clusters, search.arm._arm, search.sketches, search.form,
        ffi.cast('uint32_t *', labels.ctypes.data), arena.pointer, list_of, count, report,
        threads=threads)
    made = Clusters(labels, arena.view(list_of[0], count[0], CLUSTER))
    made._take(search, report)
    return made


def near_pairs(texts: Iterable[str], arm: Union[str, Arm, None] = None,
               threshold: Optional[float] = None, *, verify: Optional[str] = None,
               recall: float = 0.99, time: Any = None, window: Any = None,
               threads: Optional[int] = None) -> Any:
    """All near-duplicate pairs: a DataFrame of the indices a < b, distance and similarity.

    As `fplab cluster --pairs`; parameters as for `dedup`.
    """
    import pandas
    search = _Search(texts, arm, threshold, verify, recall, None, time, window, threads)
    arena, list_of, count = Arena(), ffi.new('fp_neighbours **'), ffi.new('size_t *')
    report = ffi.new('fp_near_report *')
    run(lib.fp_near_edges, search.arm._arm, search.sketches, search.form, arena.pointer, list_of,
        count, report, threads=threads)
    rows = arena.view(list_of[0], count[0], NEAR)
    return pandas.DataFrame({'a': rows['a'].astype(np.int64), 'b': rows['b'].astype(np.int64),
                             'distance': rows['distance'].copy(),
                             'similarity': search.measured.similarity(rows['distance'])})


def _rank(texts: Any, keep: Any, time: Any) -> Optional[np.ndarray]:
    """The rank of each text in the order of preference; None for the order of the texts."""
    if isinstance(keep, str) and keep == 'first':
        return None
    if isinstance(keep, str) and keep == 'longest':
        merit = texts.characters().astype(np.float64)
    elif isinstance(keep, str) and keep == 'newest':
        if time is None:
            raise ValueProblem("keep='newest' needs the times of the texts: time=…", 'range')
        merit = milliseconds(time).astype(np.float64)
    elif isinstance(keep, str):
        raise ValueProblem(f'keep takes first, longest, newest or one number per text, not {keep!r}',
                           'range')
    else:
        merit = np.asarray(keep, np.float64)
    if merit.shape != (len(texts),):
        raise ValueProblem(f'{merit.size} numbers to keep by for {len(texts)} texts', 'range')
    order = np.argsort(-np.where(np.isnan(merit), -np.inf, merit), kind='stable')
    rank = np.empty(len(order), np.uint32)
    rank[order] = np.arange(len(order), dtype=np.uint32)
    return rank


def cluster_edges(count: int, a: Any, b: Any) -> np.ndarray:
    """The smallest node that each of 0 … count − 1 is connected with by edges (a[k], b[k]); int64.

    Clusters, as `cluster` does, pairs found by another engine.
    """
    left, right = _edges(a, b)
    of = np.empty(count, np.uint32)
    check(lib.fp_cluster_edges, count, *_pointers(left, right), left.size,
          ffi.cast('uint32_t *', of.ctypes.data))
    return of.astype(np.int64)


def keep_edges(count: int, a: Any, b: Any, distance: Any, rank: Any = None) -> Dedup:
    """Which of 0 … count − 1 to keep, by the rule of `dedup`, given near pairs found by another engine.

    `rank`: a permutation, the order of preference. The result has `kept`, `because` and `distance`.
    """
    left, right = _edges(a, b)
    weights = np.ascontiguousarray(distance, np.float64)
    if weights.shape != left.shape:
        raise ValueProblem(f'{weights.size} distances for {left.size} edges', 'range')
    order = None if rank is None else places_of(rank, 'rank')
    if order is not None and order.size != count:
        raise ValueProblem(f'{order.size} ranks for {count} places', 'range')
    because, apart = np.empty(count, np.uint32), np.empty(count, np.float64)
    check(lib.fp_keep_edges, count, *_pointers(left, right),
          ffi.cast('double *', weights.ctypes.data), left.size,
          ffi.NULL if order is None else ffi.cast('uint32_t *', order.ctypes.data),
          ffi.cast('uint32_t *', because.ctypes.data), ffi.cast('double *', apart.ctypes.data))
    made = Dedup(because, apart)
    made.how = 'edges'
    return made


def _edges(a: Any, b: Any) -> List[np.ndarray]:
    left, right = places_of(a, 'a'), places_of(b, 'b')
    if left.shape != right.shape:
        raise ValueProblem(f'a has {left.size} places and b {right.size}', 'range')
    return [left, right]


def _pointers(*arrays: np.ndarray) -> List[Any]:
    return [ffi.cast('uint32_t *', array.ctypes.data) for array in arrays]
