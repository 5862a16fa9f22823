# SPDX-License-Identifier: GPL-3.0-or-later
"""Near-duplicates on several machines: stages of tasks over files, for any engine (docs/distributed.md).

A task reads files of earlier stages and writes a directory, which gets its name when it is complete: a
finished task is never repeated, and a task may run twice. `fplab.dask` runs the tasks on Dask;
`python3 -m fplab.stages DIRECTORY I N` runs the share of process I of N (I from 0).
"""
from __future__ import annotations

import contextlib
import functools
import gzip
import hashlib
import json
import math
import os
import shutil
import sys
import tempfile
import threading
import time
from typing import Any, Dict, Generator, Iterator, List, Optional, Tuple

import numpy as np

from fplab._call import FileProblem, TextColumn, ValueProblem, encoded
from fplab.arm import Arm, sketch_all
from fplab.finding import INT64_MIN, cluster_edges, keep_edges, milliseconds, near_of
from fplab.sketches import SketchList

# Shuffled rows. A place is partition · 2^32 + row, so that places are in the order of the texts.
LINK = np.dtype([('a', '<u8'), ('b', '<u8')])  # texts with equal fingerprints: b, and its representative a
NAME = np.dtype([('high', '<u8'), ('low', '<u8'), ('place', '<u8'), ('merit', '<f8')])
KEY = np.dtype([('key', '<u8'), ('place', '<u8')])  # the lowest 16 bits of `key` are the table
EDGE = np.dtype([('a', '<u8'), ('b', '<u8'), ('distance', '<f8')])
OWNED = np.dtype([('label', '<u8'), ('a', '<u8'), ('b', '<u8'), ('distance', '<f8')])
DROPPED = np.dtype([('place', '<u8'), ('kept', '<u8'), ('distance', '<f8')])
MEMBER = np.dtype([('place', '<u8'), ('cluster', '<u8'), ('texts', '<u8')])
CLUSTER = np.dtype([('first', '<u8'), ('texts', '<u8'), ('different', '<u8'), ('a', '<u8'), ('b', '<u8'),
                    ('distance', '<f8')])
ROW = np.uint64(2 ** 32 - 1)
PIECE = 2 ** 18  # pairs compared at a time
LARGE = 32  # a group with more texts is compared as a matrix
LEARNING, READING = ('tally', 'merge', 'learn'), ('tally', 'sketch')  # stages
MODELS = {'arm': 'model', 'exact': 'exact-model'}  # files
ROUNDING = 1e-12  # tolerance of a verified similarity, as in one process


def mixed(x: Any) -> np.ndarray:
    """Mixes 64 bits (the finaliser of SplitMix64: Steele, Lea, Flood, OOPSLA 2014)."""
    x = np.asarray(x, np.uint64)
    x = (x ^ x >> np.uint64(30)) * np.uint64(0xbf58476d1ce4e5b9)
    x = (x ^ x >> np.uint64(27)) * np.uint64(0x94d049bb133111eb)
    return x ^ x >> np.uint64(31)


def rows_of(dtype: np.dtype, *columns: Any) -> np.ndarray:
    """A table of columns."""
    made = np.empty(len(columns[0]), dtype)
    for name, column in zip(dtype.names or (), columns):
        made[name] = column
    return made


def bytes_at(file: Any, at: int, size: int) -> bytes:
    """Reads `size` bytes at `at`. Raises FileProblem if the file is truncated."""
    made = os.pread(file.fileno(), size, at)
    if len(made) != size:
        raise FileProblem(f'{file.name} ends before byte {at + size}: remove its directory, and call again',
                          'io')
    return made


def starts_of(sorted_keys: np.ndarray) -> np.ndarray:
    """The start of each run of equal keys, and the end of the last."""
    return np.flatnonzero(np.concatenate([[True], sorted_keys[1:] != sorted_keys[:-1], [True]])
                          if len(sorted_keys) else [True])


class Job:
    """The parameters (job.json in the directory) and the tasks."""

    def __init__(self, directory: str):
        self.directory = directory
        with open(os.path.join(directory, 'job.json'), encoding='utf-8') as file:
            asked = json.load(file)
        self.asked = asked
        self.arm = Arm(asked['arm'], threads=1)
        self.exact = Arm(asked['exact'], threads=1) if asked['exact'] else None
        self.lock = threading.Lock()
        self.measured = self.exact or self.arm
        self.within, self.window, self.keep = asked['within'], asked['window'], asked['keep']
        self.partitions, self.buckets = asked['partitions'], asked['buckets']
        self.groups = math.isqrt(max(0, self.partitions - 1)) + 1  # of partitions; their tallies are merged first
        self.fetched = 0
        self.head = functools.lru_cache(2 ** 16)(self.read_head)

    # ---- Files ----

    def path(self, stage: str, number: int, name: str = '') -> str:
        return os.path.join(self.directory, stage, f'{number:05d}', name)

    def summary(self, stage: str, number: int) -> Optional[Dict[str, Any]]:
        """The summary of a finished task; None if it is not finished."""
        try:
            with open(self.path(stage, number, 'done.json'), encoding='utf-8') as file:
                return json.load(file)
        except FileNotFoundError:
            return None

    def run(self, stage: str, number: int, frame: Any = None) -> Dict[str, Any]:
        """Runs a task, unless it is finished; returns its summary."""
        done = self.summary(stage, number)
        if done is not None:
            return done
        os.makedirs(os.path.join(self.directory, stage), exist_ok=True)
        own = tempfile.mkdtemp(prefix='.', dir=os.path.join(self.directory, stage))
        # From the main thread, the work runs in another thread (fplab._call.interruptible).
        clock = time.process_time if threading.current_thread() is threading.main_thread() else time.thread_time
        begin, self.fetched = clock(), 0
        name, _, step = stage.partition('-')
        work = getattr(self, name)
        if name not in LEARNING:
            self.take_models()
        try:
            done = work(own, number, *([int(step)] if step else []), *([frame] if name in READING else []))
            done.update(cpu=clock() - begin, fetched=self.fetched, shuffled=sum(
                each.stat().st_size for each in os.scandir(own) if each.name.endswith('.rows')))
            with open(os.path.join(own, 'done.json'), 'w', encoding='utf-8') as file:
                json.dump(done, file)
            try:
                os.rename(own, self.path(stage, number))
            except OSError:  # another process finished the same task
                done = self.summary(stage, number)
                if done is None:
                    raise
        finally:
            shutil.rmtree(own, ignore_errors=True)
        return done

    def spread(self, own: str, name: str, rows: np.ndarray, to: np.ndarray, count: int) -> None:
        """Writes rows for tasks 0 … count − 1: the start of each task's rows, then the rows."""
        to = to.astype(np.uint16 if count < 2 ** 16 else np.int64)  # numpy sorts 16 bits by radix
        order = np.argsort(to, kind='stable')
        with open(os.path.join(own, name + '.rows'), 'wb') as file:
            file.write(np.searchsorted(to[order], np.arange(count + 1)).astype('<i8').tobytes())
            file.write(rows[order].tobytes())

    def gather(self, stage: str, name: str, number: int, dtype: np.dtype) -> np.ndarray:
        """The rows that all tasks of a stage wrote for this one, in the order of the tasks."""
        by_bucket = name not in ('same', 'dropped', 'members')  # these are spread by partition of the text
        sources, targets = self.partitions, self.partitions
        if by_bucket:
            targets = self.buckets
        if stage not in ('sketch', 'keys'):
            sources = self.buckets
        made = []
        for source in range(sources):
            with open(self.path(stage, source, name + '.rows'), 'rb') as file:
                begin, end = (int(each) for each in np.frombuffer(bytes_at(file, 8 * number, 16), '<i8'))
                made.append(bytes_at(file, 8 * (targets + 1) + begin * dtype.itemsize,
                                     (end - begin) * dtype.itemsize))
        return np.frombuffer(b''.join(made), dtype)

    def bucket(self, places: np.ndarray) -> np.ndarray:
        return mixed(places) % np.uint64(self.buckets)

    def column(self, partition: int, name: str) -> np.ndarray:
        """A column of the texts of a partition."""
        return np.load(self.path('sketch', partition, name + '.npy'))

    def read_head(self, partition: int, name: str) -> Tuple[int, np.dtype, Tuple[int, ...]]:
        """The offset of a column's values in its file, their type and shape."""
        values = np.load(self.path('sketch', partition, name + '.npy'), mmap_mode='r')
        return values.offset, values.dtype, values.shape

    def taken(self, partition: int, name: str, rows: np.ndarray) -> Any:
        """A column at some rows of a partition: reads single rows, or the whole column if they are many."""
        at, dtype, shape = self.head(partition, name)
        size = dtype.itemsize * int(np.prod(shape[1:]))
        begin, end = rows * size, rows * size + size
        if varied := name == 'id' or name == 'exact' and not self.exact._bytes:  # type: ignore[union-attr]
            offset = self.column(partition, name + '-offset').astype(np.int64)
            begin, end = offset[rows], offset[rows + 1]
        with open(self.path('sketch', partition, name + '.npy'), 'rb') as file:
            if 8 * (end - begin).sum() > size * shape[0]:
                data = file.read()
                parts = [data[at + b:at + e] for b, e in zip(begin.tolist(), end.tolist())]
            else:
                parts = [bytes_at(file, at + b, e - b) for b, e in zip(begin.tolist(), end.tolist())]
        if name == 'id':
            return [part.decode() for part in parts]
        values = np.frombuffer(b''.join(parts), dtype)
        self.fetched += values.nbytes
        if varied:
            return values, end - begin, self.column(partition, 'exact-size')[rows]
        return values.reshape(-1, *shape[1:])

    def fetch(self, name: str, places: np.ndarray) -> Any:
        """A column at ascending places."""
        parts = places >> np.uint64(32)
        bounds = starts_of(parts)
        made = [self.taken(int(parts[begin]), name, (places[begin:end] & ROW).astype(np.int64))
                for begin, end in zip(bounds[:-1], bounds[1:])]
        if name == 'id':
            return [each for part in made for each in part]
        if made and isinstance(made[0], tuple):
            return joined(made)
        return np.concatenate(made) if made else np.empty((0, self.arm._bytes), np.uint8)

    # ---- tally, merge, learn: fitting arms, in rounds ----

    def take_models(self) -> None:
        """Loads the models of the arms."""
        with self.lock:
            for name, arm in ('arm', self.arm), ('exact', self.exact):
                if arm is not None and not arm.fitted:
                    with open(os.path.join(self.directory, MODELS[name]), 'rb') as model:
                        arm.take_model(model.read())

    def learners(self, step: int) -> Dict[str, Arm]:
        """The arms that learn in this round, in their state after the round before."""
        made = {}
        for name in self.asked['fits']:
            arm = Arm(self.asked[name], threads=1)
            if step > 1:
                if not os.path.exists(self.path(f'learn-{step - 1}', 0, name + '.tally')):
                    continue
                with open(self.path(f'learn-{step - 1}', 0, name + '.tally'), 'rb') as file:
                    arm.fit_tallies([file.read()])
            made[name] = arm
        return made

    def tallies(self, stage: str, numbers: range, name: str) -> Iterator[bytes]:
        for number in numbers:
            with open(self.path(stage, number, name + '.tally'), 'rb') as file:
                yield file.read()

    def tally(self, own: str, number: int, step: int, frame: Any) -> Dict[str, Any]:
        with self.at_partition(number):
            texts = TextColumn(self.read(number, frame)['text'])
            for name, arm in self.learners(step).items():
                write(os.path.join(own, name + '.tally'), arm.tally(texts))
        return {'texts': len(texts)}

    def merge(self, own: str, number: int, step: int) -> Dict[str, Any]:
        begin, end = (each * self.partitions // self.groups for each in (number, number + 1))
        for name, arm in self.learners(step).items():
            merged = arm.merge_tallies(self.tallies(f'tally-{step}', range(begin, end), name))
            write(os.path.join(own, name + '.tally'), merged)
        return {}

    def learn(self, own: str, number: int, step: int) -> Dict[str, Any]:
        again = 0
        for name, arm in self.learners(step).items():
            merged = arm.merge_tallies(self.tallies(f'merge-{step}', range(self.groups), name))
            arm.fit_tallies([merged])
            again += not arm.fitted
            write(os.path.join(own, name + ('.model' if arm.fitted else '.tally')), arm.model() or merged)
        return {'again': again}

    # ---- sketch: texts to columns, and rows by digest of the id and of the fingerprint ----

    @contextlib.contextmanager
    def at_partition(self, number: int) -> Iterator[None]:
        """Adds the partition and its path to an exception."""
        try:
            yield
        except Exception as failure:
            path = f' ({self.asked["sources"][number]["path"]})' if self.asked['sources'] else ''
            reason = failure.args[0] if failure.args else failure
            failure.args = (f'partition {number}{path}: {reason}', *failure.args[1:])
            raise

    def read(self, number: int, frame: Any) -> Dict[str, Any]:
        if self.asked['sources']:
            return read_lines(self.asked, self.asked['sources'][number])
        return read_frame(self.asked, frame, number)

    def sketch(self, own: str, number: int, frame: Any) -> Dict[str, Any]:
        with self.at_partition(number):
            read = self.read(number, frame)
            made = sketch_all([self.arm, self.exact] if self.exact else [self.arm], read['text'], threads=1)
            sketches, exact = made[0], made[1] if self.exact else None
            ids = encoded(read['id'], 'ids')
        columns = {'sketch': np.asarray(sketches), 'empty': sketches.empty,
                   'id': np.frombuffer(b''.join(ids), np.uint8), 'time': read['time'], 'merit': read['merit'],
                   'id-offset': np.cumsum([0, *map(len, ids)]).astype(np.uint64),
                   'characters': np.array([len(each) for each in read['text']], np.uint32)}
        if isinstance(exact, SketchList):
            last = exact.offset[-1] + (exact.size[-1] + np.uint64(7) & ~np.uint64(7)) if len(exact) else 0
            data = np.zeros(int(last), np.uint8)
            data[:len(exact.data[:int(last)])] = exact.data[:int(last)]
            columns.update({'exact': data, 'exact-size': exact.size,
                            'exact-offset': np.append(exact.offset, np.uint64(last)).astype(np.uint64)})
        elif exact is not None:
            columns['exact'] = np.asarray(exact)
        for name, column in columns.items():
            np.save(os.path.join(own, name + '.npy'), column)
        places = np.uint64(number << 32) + np.arange(len(ids), dtype=np.uint64)
        self.name(own, 'ids', ids, places, columns['merit'])
        some = np.flatnonzero(~sketches.empty) if not self.window else []
        compared = exact if isinstance(exact, SketchList) else columns['exact' if self.exact else 'sketch']
        self.name(own, 'classes', [compared[i] for i in some], places[some], columns['merit'][some])
        return {'texts': len(ids), 'empty': int(sketches.empty.sum()),
                'ranked': int(np.sum(~np.isnan(columns['merit'])))}

    def name(self, own: str, name: str, values: List[Any], places: np.ndarray, merit: np.ndarray) -> None:
        """Spreads rows by a 128-bit BLAKE2b digest of the values."""
        digests = b''.join(hashlib.blake2b(value, digest_size=16).digest() for value in values)
        words = np.frombuffer(digests, '<u8').reshape(-1, 2)
        self.spread(own, name, rows_of(NAME, words[:, 0], words[:, 1], places, merit),
                    words[:, 0] % np.uint64(self.buckets), self.buckets)

    # ---- same: rejects duplicate ids; picks the preferred text of equal fingerprints as representative ----

    def same(self, own: str, number: int) -> Dict[str, Any]:
        ids = self.gather('sketch', 'ids', number, NAME)
        ids = ids[np.lexsort((ids['place'], ids['low'], ids['high']))]
        twice = np.flatnonzero((ids['high'][1:] == ids['high'][:-1]) & (ids['low'][1:] == ids['low'][:-1]))
        if len(twice):
            places = ids['place'][twice[0]:twice[0] + 2]
            a, b = (f'partition {place >> np.uint64(32)}, row {place & ROW}' for place in places)
            raise ValueProblem(f'duplicate id {self.fetch("id", places)[0]}: {a}, and {b}', 'duplicate')
        rows = self.gather('sketch', 'classes', number, NAME)
        rows = rows[np.lexsort((rows['place'], -known(rows['merit']), rows['low'], rows['high']))]
        fresh = np.ones(len(rows), bool)
        fresh[1:] = (rows['high'][1:] != rows['high'][:-1]) | (rows['low'][1:] != rows['low'][:-1])
        lead = rows['place'][fresh][np.cumsum(fresh) - 1] if len(rows) else rows['place']
        links = rows_of(LINK, lead[~fresh], rows['place'][~fresh])
        self.spread(own, 'same', links, links['b'] >> np.uint64(32), self.partitions)
        self.spread(own, 'leads', links, self.bucket(links['a']), self.buckets)
        return {'same': len(links)}

    # ---- keys: a row for every table of every representative ----

    def keys(self, own: str, number: int) -> Dict[str, Any]:
        alone = ~self.column(number, 'empty')
        links = self.gather('same', 'same', number, LINK)
        alone[(links['b'] & ROW).astype(np.int64)] = False
        rows = np.flatnonzero(alone)
        keys = self.keys_of(self.column(number, 'sketch')[rows])
        table = np.broadcast_to(np.arange(keys.shape[1], dtype=np.uint64), keys.shape)
        key = mixed(keys + mixed(table)) & ~np.uint64(0xffff) | table
        place = np.broadcast_to((np.uint64(number << 32) + rows.astype(np.uint64))[:, None], keys.shape)
        made = rows_of(KEY, key.T.ravel(), place.T.ravel())
        self.spread(own, 'keys', made, mixed(made['key']) % np.uint64(self.buckets), self.buckets)
        return {'rows': len(made)}

    @functools.cached_property
    def design(self) -> str:
        with open(os.path.join(self.directory, 'design.json'), encoding='utf-8') as file:
            return json.load(file)['text']

    def keys_of(self, sketches: np.ndarray) -> np.ndarray:
        return self.arm.keys(sketches, self.within, self.design, self.asked['recall'])

    # ---- pairs: texts that share a key, within the distance, verified; each pair once ----

    def pairs(self, own: str, number: int) -> Dict[str, Any]:
        rows = self.gather('keys', 'keys', number, KEY)
        rows = rows[np.argsort(rows['key'], kind='stable')]
        bounds = starts_of(rows['key'])
        sizes = np.diff(bounds)
        rows, sizes = rows[np.repeat(sizes > 1, sizes)], sizes[sizes > 1]
        places, at = np.unique(rows['place'], return_inverse=True)
        sketches = self.fetch('sketch', places)
        keys = self.keys_of(sketches) if len(places) else np.empty((0, 1), np.uint64)
        found: List[np.ndarray] = []
        for left, right, distance in self.near(sketches, at, sizes):
            a, b, table = at[left], at[right], rows['key'][left] & np.uint64(0xffff)
            # A pair belongs to the first table in which both have the same key.
            agree = keys[a] == keys[b]
            mine = agree.any(axis=1) & (agree.argmax(axis=1) == table)
            found.append(rows_of(EDGE, a[mine], b[mine], distance[mine]))
        edges = np.concatenate(found) if found else np.empty(0, EDGE)
        if self.window:
            moment = self.fetch('time', places).astype(np.int64)
            a, b = moment[edges['a'].astype(int)], moment[edges['b'].astype(int)]
            edges = edges[(a != INT64_MIN) & (b != INT64_MIN) & (np.abs(a - b) <= self.window)]
        count = len(edges)
        edges = self.verified(places, edges)
        of = cluster_edges(len(places), edges['a'], edges['b'])
        inner = np.flatnonzero(of != np.arange(len(of)))
        links = rows_of(LINK, places[inner], places[of[inner]])
        edges['a'], edges['b'] = places[edges['a'].astype(int)], places[edges['b'].astype(int)]
        self.spread(own, 'edges', edges, self.bucket(edges['a']), self.buckets)
        self.spread(own, 'links', links, self.bucket(links['a']), self.buckets)
        return {'candidates': int((sizes * (sizes - 1) // 2).sum()), 'found': count, 'near': len(edges),
                'largest': int(sizes.max()) if len(sizes) else 1}

    def near(self, sketches: np.ndarray, at: np.ndarray,
             sizes: np.ndarray) -> Iterator[Tuple[np.ndarray, np.ndarray, np.ndarray]]:
        """Rows a < b of one group within the distance, and their distances; sketches[at[a]] is the sketch of row a.

        Compares small groups pair by pair, many groups at a time; large ones as matrices, with the
        library's kernels.
        """
        small = sizes <= LARGE
        inside = np.flatnonzero(np.repeat(small, sizes))
        for left, right in pairs_of_groups(sizes[small]):
            distance = self.arm.pair_distances(sketches, at[inside[left]], at[inside[right]])
            near = distance <= self.within
            yield inside[left[near]], inside[right[near]], distance[near]
        for end, size in zip(np.cumsum(sizes)[~small], sizes[~small]):
            group = sketches[at[end - size:end]]
            for row in range(0, size, max(1, PIECE // size)):
                distance = self.arm.distances(group[row:row + max(1, PIECE // size)], group[row:])
                a, b = np.nonzero(np.triu(distance <= self.within, 1))
                yield end - size + row + a, end - size + row + b, distance[a, b]

    def verified(self, places: np.ndarray, edges: np.ndarray) -> np.ndarray:
        """The edges that the exact measure confirms, with its distances."""
        if self.exact is None or not len(edges):
            return edges
        nodes, ends = np.unique(np.concatenate([edges['a'], edges['b']]).astype(int), return_inverse=True)
        distance = self.exact.pair_distances(self.fetch('exact', places[nodes]), *np.split(ends, 2))
        some, at = np.unique(distance, return_inverse=True)
        reached = self.exact.similarity(some) >= self.asked['similarity'] - ROUNDING
        edges['distance'] = distance
        return edges[reached[at]]

    # ---- star: connected components by alternating small-star and large-star (Kiveris, Lattanzi, Mirrokni,
    # Rastogi, Vassilvitskii, SoCC 2014). Rows are (node, neighbour), in the bucket of the node. ----

    def star(self, own: str, number: int, step: int) -> Dict[str, Any]:
        rows = np.unique(self.gather(f'star-{step - 1}' if step else 'pairs', 'links', number, LINK))
        bounds = starts_of(rows['a'])
        node = rows['a'][bounds[:-1]]
        least = rows['b'][bounds[:-1]]  # neighbours ascend
        large = step % 2 == 1
        least = np.minimum(least, node) if large else least
        center = np.repeat(least, np.diff(bounds))
        if large:  # larger neighbours are linked to the smallest of the neighbourhood; smaller ones by their own rows
            moved = rows['b'] > rows['a']
            links = rows_of(LINK, rows['b'][moved], center[moved])
            changed = int(np.sum(rows['a'][moved] != center[moved]))
        else:  # the node and all neighbours are linked to the smallest
            moved = rows['b'] != center
            links = np.concatenate([rows_of(LINK, rows['b'][moved], center[moved]),
                                    rows_of(LINK, node, least)])
            changed = int(np.sum(moved))
            links = np.concatenate([links, rows_of(LINK, links['b'], links['a'])])  # for large-star
        self.spread(own, 'links', links, self.bucket(links['a']), self.buckets)
        return {'changed': changed}

    # ---- group: moves pairs to the bucket of their component ----

    def group(self, own: str, number: int, last: int) -> Dict[str, Any]:
        links = self.gather(f'star-{last}', 'links', number, LINK)
        links = np.unique(links)

        def label(nodes: np.ndarray) -> np.ndarray:
            at = np.minimum(np.searchsorted(links['a'], nodes), max(len(links) - 1, 0))
            return np.where(links['a'][at] == nodes, links['b'][at], nodes) if len(links) else nodes

        for stage, name, dtype in (('pairs', 'edges', EDGE), ('same', 'leads', LINK)):
            rows = self.gather(stage, name, number, dtype)
            labels = label(rows['a'])
            distance = rows['distance'] if dtype is EDGE else np.zeros(len(rows))
            made = rows_of(OWNED, labels, rows['a'], rows['b'], distance)
            self.spread(own, name, made, self.bucket(labels), self.buckets)
        return {}

    # ---- decide: for each component, which texts to keep, or its members and its weakest link ----

    def decide(self, own: str, number: int, last: int) -> Dict[str, Any]:
        edges = self.gather(f'group-{last}', 'edges', number, OWNED)
        same = self.gather(f'group-{last}', 'leads', number, OWNED)
        return (self.kept if self.asked['kind'] == 'dedup' else self.clusters)(own, edges, same)

    def kept(self, own: str, edges: np.ndarray, same: np.ndarray) -> Dict[str, Any]:
        nodes, ends = np.unique(np.concatenate([edges['a'], edges['b'], same['a']]), return_inverse=True)
        a, b, lead = np.split(ends, [len(edges), 2 * len(edges)])
        ranked = self.keep != 'first' and len(nodes)
        merit = known(self.fetch('merit', nodes)) if ranked else np.zeros(len(nodes))
        rank = np.empty(len(nodes), np.uint32)
        rank[np.lexsort((nodes, -merit))] = np.arange(len(nodes))
        made = keep_edges(len(nodes), a, b, edges['distance'], rank)
        gone = np.flatnonzero(~made.kept)
        # Equal texts are dropped for their representative, or for the text for which it is dropped.
        of = np.where(made.kept[lead], lead, made.because[lead])
        rows = np.concatenate([
            rows_of(DROPPED, nodes[gone], nodes[made.because[gone]], made.distance[gone]),
            rows_of(DROPPED, same['b'], nodes[of], made.distance[lead])])
        self.spread(own, 'dropped', rows, rows['place'] >> np.uint64(32), self.partitions)
        return {'dropped': len(rows)}

    def clusters(self, own: str, edges: np.ndarray, same: np.ndarray) -> Dict[str, Any]:
        # For Kruskal's algorithm: equal texts in their order, then near pairs by distance and place.
        order = np.lexsort((edges['b'], edges['a'], edges['distance']))
        links = np.concatenate([same[np.argsort(same['b'])], edges[order]])
        nodes, ends = np.unique(np.concatenate([links['a'], links['b']]), return_inverse=True)
        a, b = np.split(ends, 2)
        of = cluster_edges(len(nodes), a, b)
        first, at, sizes = np.unique(of, return_inverse=True, return_counts=True)
        last = weakest(len(nodes), a, b)[first]
        copies = np.bincount(at[b[:len(same)]], minlength=len(first))
        rows = rows_of(CLUSTER, nodes[first], sizes, sizes - copies, links['a'][last], links['b'][last],
                       links['distance'][last])
        np.save(os.path.join(own, 'clusters.npy'), rows)
        members = rows_of(MEMBER, nodes, nodes[of], sizes[at])
        self.spread(own, 'members', members, members['place'] >> np.uint64(32), self.partitions)
        return {'clusters': len(rows), 'members': len(members)}

    # ---- result: tables of ids, in the order of the texts ----

    def result(self, own: str, number: int, last: int) -> Dict[str, Any]:
        dedup = self.asked['kind'] == 'dedup'
        name, dtype = ('dropped', DROPPED) if dedup else ('members', MEMBER)
        rows = self.gather(f'decide-{last}', name, number, dtype)
        rows = rows[np.argsort(rows['place'])]
        ids, places = self.fetch('id', rows['place']), rows[dtype.names[1]]
        others, at = np.unique(places, return_inverse=True)
        names = self.fetch('id', others)
        with open(os.path.join(own, name + '.tsv'), 'w', encoding='utf-8') as file:
            if dedup:
                lengths = [self.fetch('characters', each) for each in (rows['place'], others)]
                for i, row in enumerate(rows):
                    file.write(line(ids[i], names[at[i]], exact_text(row['distance']),
                                    self.similarity(row['distance']), lengths[0][i], lengths[1][at[i]]))
            else:
                for i, row in enumerate(rows):
                    file.write(line(ids[i], names[at[i]], row['texts']))
        if dedup:
            kept = np.ones(len(self.column(number, 'empty')), bool)
            kept[(rows['place'] & ROW).astype(np.int64)] = False
            np.save(os.path.join(own, 'kept.npy'), kept)
            with open(os.path.join(own, 'kept.txt'), 'w', encoding='utf-8') as file:
                file.writelines(line(each) for each in self.taken(number, 'id', np.flatnonzero(kept)))
        return {}

    def similarity(self, distance: float) -> str:
        value = self.measured.similarity(float(distance))
        return 'NA' if value != value else f'{value:.12g}'

    def cluster_lines(self, last: int) -> List[str]:
        """The table of clusters, the largest first, then by first text."""
        rows = np.concatenate([np.load(self.path(f'decide-{last}', bucket, 'clusters.npy'))
                               for bucket in range(self.buckets)])
        rows = rows[np.lexsort((rows['first'], -rows['texts'].astype(np.int64)))]
        places = np.unique(np.concatenate([rows['first'], rows['a'], rows['b']]))
        ids = dict(zip(places.tolist(), self.fetch('id', places)))
        return [line(ids[int(row['first'])], row['texts'], row['different'], ids[int(row['a'])],
                     ids[int(row['b'])], exact_text(row['distance']), self.similarity(row['distance']))
                for row in rows]


HEADS = {'dropped': 'dropped\tkept\tdistance\tsimilarity\tcharacters\tcharacters_kept\n',
         'members': 'id\tcluster\ttexts\n',
         'clusters': 'cluster\ttexts\tdifferent\tweakest_a\tweakest_b\tdistance\tsimilarity\n'}


def line(*fields: Any) -> str:
    """A row as `fplab` writes TSV."""
    return '\t'.join('"' + text.replace('"', '""') + '"' if text[:1] == '"' else text
                     for text in map(str, fields)) + '\n'


def exact_text(value: float) -> str:
    text = f'{value:.15g}'
    return text if float(text) == value else f'{value:.17g}'


def known(merit: np.ndarray) -> np.ndarray:
    """Replaces unknown merits (NaN) by −∞, so that they come last."""
    return np.where(np.isnan(merit), -np.inf, merit)


def joined(parts: List[Tuple[np.ndarray, np.ndarray, np.ndarray]]) -> SketchList:
    """Concatenates sketches of varying size of several partitions."""
    data, step, size = (np.concatenate(each) for each in zip(*parts))
    offset = (np.cumsum(step) - step).astype(np.uint64)
    return SketchList(data, offset, size, np.zeros(len(size), bool))


def pairs_of_groups(sizes: np.ndarray) -> Generator[Tuple[np.ndarray, np.ndarray], None, None]:
    """All pairs a < b of rows within consecutive groups, about PIECE pairs at a time."""
    end = np.repeat(np.cumsum(sizes), sizes)
    behind = end - np.arange(len(end)) - 1  # number of later rows in the row's group
    before, row = np.cumsum(behind), 0
    while row < len(end):
        start = before[row] - behind[row]
        stop = max(int(np.searchsorted(before, start + PIECE, side='right')), row + 1)
        some = behind[row:stop]
        left = np.repeat(np.arange(row, stop), some)
        yield left, left + 1 + np.arange(len(left)) - np.repeat(np.cumsum(some) - some, some)
        row = stop


def weakest(count: int, a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """For each component, named by its smallest node, the last edge that Kruskal's algorithm takes.

    Edges must be in Kruskal's order. The tree is found by Borůvka's algorithm, which in every round takes
    the first edge of each component.
    """
    of, last, alive = np.arange(count), np.zeros(count, np.int64), np.arange(len(a))
    tree: List[np.ndarray] = []
    while len(alive):
        alive = alive[of[a[alive]] != of[b[alive]]]
        ends = np.column_stack([of[a[alive]], of[b[alive]]]).ravel()
        tree.append(np.unique(alive[np.unique(ends, return_index=True)[1] // 2]))
        taken = np.concatenate(tree)
        of = cluster_edges(count, a[taken], b[taken])
    taken = np.sort(np.concatenate(tree)) if tree else alive
    last[of[a[taken]]] = taken  # of repeated indices the last assignment wins
    return last


# ---- Texts ----

def read_frame(asked: Dict[str, Any], frame: Any, number: int) -> Dict[str, Any]:
    """The columns of a DataFrame."""
    names = [asked['text']] + [asked[each] for each in ('id', 'time', 'best') if asked[each]]
    for name in names:
        if name not in frame.columns:
            there = ', '.join(map(str, frame.columns))
            raise ValueProblem(f'no column {name!r}: there are {there}', 'unknown')
    ids = frame[asked['id']].astype(str) if asked['id'] else [f'{number}:{row}' for row in range(len(frame))]
    times, best = (list(frame[asked[each]]) if asked[each] else None for each in ('time', 'best'))
    return finished(asked, list(ids), list(frame[asked['text']]), times, best)


def read_lines(asked: Dict[str, Any], source: Dict[str, Any]) -> Dict[str, Any]:
    """JSON lines of a file or a part of it."""
    path, begin, end = source['path'], source['begin'], source['end']
    opened = gzip.open if path.endswith('.gz') else open
    texts, ids, times, best, number = [], [], [], [], None
    with opened(path, 'rb') as file:
        def place() -> int:  # number of the current line, from 1
            with opened(path, 'rb') as again:
                return again.read(begin).count(b'\n') + number + 1
        file.seek(begin)
        data = file.read() if end is None else file.read(end - begin)
        for number, text in enumerate(data.split(b'\n')):
            if not text.strip():
                continue
            try:
                row = json.loads(text)
                if not isinstance(row, dict):
                    raise ValueError('not a JSON object')
            except ValueError as reason:
                raise ValueProblem(f'line {place()}: {reason}', 'syntax') from None
            if not isinstance(row.get(asked['text']), str):
                there = ', '.join(row)
                raise ValueProblem(f'line {place()}: no text {asked["text"]!r} in the object: there are '
                                   + there, 'unknown')
            texts.append(row[asked['text']])
            named = row.get(asked['id'] or 'id')
            ids.append(f'{os.path.basename(path)}:{place()}' if named is None else str(named))
            times.append(row.get(asked['time']))
            best.append(row.get(asked['best']))
    return finished(asked, ids, texts, times, best)


def finished(asked: Dict[str, Any], ids: List[str], texts: List[str], times: Optional[List[Any]],
             best: Optional[List[Any]]) -> Dict[str, Any]:
    moment = np.full(len(texts), INT64_MIN) if times is None or not asked['time'] else milliseconds(times)
    merit = np.zeros(len(texts))
    if asked['keep'] == 'longest':
        merit = np.array([len(text) if isinstance(text, str) else 0 for text in texts], np.float64)
    elif asked['keep'] == 'newest':
        merit = np.where(moment == INT64_MIN, np.nan, moment)
    elif asked['best']:
        import pandas
        values = pandas.Series(best or [], dtype=object)
        merit = pandas.to_numeric(values, errors='coerce').to_numpy(np.float64)
    return {'id': ids, 'text': texts, 'time': moment, 'merit': merit}


def sources_of(paths: List[str], piece: int) -> List[Dict[str, Any]]:
    """Files of JSON lines; uncompressed ones are split at line ends into parts of about `piece` bytes."""
    made: List[Dict[str, Any]] = []
    for path in map(os.path.abspath, paths):
        size, begin = os.stat(path).st_size, 0
        state = {'path': path, 'bytes': size, 'changed': os.stat(path).st_mtime_ns}
        with open(path, 'rb') as file:
            while not path.endswith('.gz') and size - begin > piece:
                file.seek(begin + piece)
                file.readline()
                made.append({**state, 'begin': begin, 'end': min(file.tell(), size)})
                begin = made[-1]['end']
        if begin < size or not size:
            made.append({**state, 'begin': begin, 'end': None})
    return made


# ---- The order of the stages ----

@functools.lru_cache(maxsize=4)
def _job(directory: str, changed: int) -> Job:
    return Job(directory)


def job_of(directory: str) -> Job:
    """The job of a directory, opened once per process."""
    directory = os.path.abspath(directory)
    return _job(directory, os.stat(os.path.join(directory, 'job.json')).st_mtime_ns)


def run(directory: str, stage: str, number: int, frame: Any = None) -> Dict[str, Any]:
    """Runs a task, unless it is finished; returns its summary."""
    return job_of(directory).run(stage, number, frame)


def write(path: str, text: Any) -> None:
    """Writes a small file atomically."""
    own = f'{path}.{os.getpid()}.{time.monotonic_ns()}'
    with open(own, 'wb') as file:
        file.write(text if isinstance(text, bytes) else text.encode())
    os.replace(own, path)


def plan(directory: str) -> Generator[Tuple[str, int], List[Dict[str, Any]], Dict[str, Any]]:
    """Yields the stages as (name, number of tasks), receives each stage's summaries, returns the report."""
    job = job_of(directory)
    stages: Dict[str, List[Dict[str, Any]]] = {}

    def total(stage: str, name: str) -> int:
        return sum(each[name] for each in stages[stage])

    again = len(job.asked['fits'])
    while again:  # rounds: first frequencies, then centres weighted by them
        step = sum(name.startswith('learn') for name in stages) + 1
        for stage, count in ('tally', job.partitions), ('merge', job.groups), ('learn', 1):
            stages[f'{stage}-{step}'] = yield f'{stage}-{step}', count
        again = total(f'learn-{step}', 'again')
        for name in job.asked['fits']:
            if os.path.exists(job.path(f'learn-{step}', 0, name + '.model')):
                with open(job.path(f'learn-{step}', 0, name + '.model'), 'rb') as model:
                    write(os.path.join(job.directory, MODELS[name]), model.read())
    if job.asked['kind'] == 'fit':
        report = {'texts': total('tally-1', 'texts') if stages else 0, 'result': ''}
        write(os.path.join(job.directory, 'report.json'), json.dumps(report, indent=1))
        return report
    stages['sketch'] = yield 'sketch', job.partitions
    texts = total('sketch', 'texts')
    if job.keep not in ('first', 'longest') and texts and not total('sketch', 'ranked'):
        raise ValueProblem(f'no text has what keep={job.keep!r} asks for', 'empty')
    design = job.arm.key_design(job.within, None, job.asked['recall'], max(1, texts))
    write(os.path.join(job.directory, 'design.json'), json.dumps(design._asdict()))
    stages['same'] = yield 'same', job.buckets
    stages['keys'] = yield 'keys', job.partitions
    stages['pairs'] = yield 'pairs', job.buckets
    step, left = 0, 1
    while left:  # ends with stars; every leaf then has its row
        left = 0
        for _ in 'small', 'large':
            stages[f'star-{step}'] = yield f'star-{step}', job.buckets
            left += total(f'star-{step}', 'changed')
            step += 1
    for stage in f'group-{step - 1}', f'decide-{step - 1}':
        stages[stage] = yield stage, job.buckets
    stages['result'] = yield f'result-{step - 1}', job.partitions
    report = {'texts': texts, 'empty': total('sketch', 'empty'), 'same': total('same', 'same'),
              **{name: total('pairs', name) for name in ('candidates', 'found', 'near')},
              'largest': max(each['largest'] for each in stages['pairs']), 'rounds': step // 2,
              'design': design.text, 'tables': design.tables, 'recall': design.recall,
              'result': f'result-{step - 1}',
              **{name: total(f'decide-{step - 1}', name) for name in stages[f'decide-{step - 1}'][0]
                 if name in ('dropped', 'clusters', 'members')}}
    for name in 'shuffled', 'fetched', 'cpu':
        report[name] = {stage: round(total(stage, name), 3) for stage in stages}
    if job.asked['kind'] == 'cluster':
        write(os.path.join(job.directory, 'clusters.tsv'),
              HEADS['clusters'] + ''.join(job.cluster_lines(step - 1)))
    write(os.path.join(job.directory, 'report.json'), json.dumps(report, indent=1))
    return report


def finished_report(directory: str) -> Optional[Dict[str, Any]]:
    """The report of a finished job, else None."""
    try:
        with open(os.path.join(directory, 'report.json'), encoding='utf-8') as file:
            return json.load(file)
    except FileNotFoundError:
        return None


def work(directory: str, number: int, of: int, patience: float = 60) -> Dict[str, Any]:
    """Runs share `number` of 0 … of − 1 of every stage, and waits for the other shares.

    If no task of a stage finishes for `patience` seconds, runs a missing task itself, and from then on
    waits for only one second.
    """
    job, steps, done = job_of(directory), plan(directory), None
    while True:
        try:
            stage, count = steps.send(done)  # type: ignore[arg-type]
        except StopIteration as end:
            return end.value
        for task in range(number, count, of):
            job.run(stage, task)
        done, since = [None] * count, time.monotonic()
        while None in done:
            missing = [task for task in range(count) if done[task] is None]
            for task in missing:
                done[task] = job.summary(stage, task)
            if any(done[task] for task in missing):
                since = time.monotonic()
            elif time.monotonic() - since > patience:
                done[missing[0]], patience = job.run(stage, missing[0]), min(patience, 1)
            else:
                time.sleep(0.05)


def prepare(directory: str, kind: str, sources: Optional[List[Dict[str, Any]]], arm: Any = None,
            threshold: Optional[float] = None, *, choice: Optional[str] = None, text: str = 'text',
            id: Optional[str] = None, time: Optional[str] = None, keep: str = 'first',
            verify: Optional[str] = None, recall: float = 0.99, window: Any = None,
            buckets: Optional[int] = None, partitions: Optional[int] = None, state: str = '') -> None:
    """Writes the parameters to job.json in a directory, or checks that an existing one is equal.

    `kind`: dedup, cluster or fit. `sources`: result of `sources_of`, one per partition; None: `partitions`
    frames. Other parameters as for `fplab.dask.dedup`.
    """
    import pandas
    if choice is not None:
        if arm is not None or threshold is not None:
            raise ValueProblem('pass either choice, or arm and threshold', 'range')
        with open(choice, encoding='utf-8') as file:
            chosen = json.load(file)
        arm, threshold = chosen['arm'], chosen['threshold']
    within, exact = 0.0, None
    if kind == 'fit':
        made = arm if isinstance(arm, Arm) else Arm(arm)
        made = Arm(made.full_spec)  # unfitted
    else:
        made, within, exact = near_of(arm, threshold, verify)
    fits = [name for name, one in (('arm', made), ('exact', exact)) if one is not None and not one.fitted]
    for one in made, exact:
        if one is not None and not one.fitted:
            one.tally([])  # raises if tallies cannot be merged
    if sources is not None and not sources:
        raise ValueProblem('no files', 'empty')
    partitions = len(sources) if sources is not None else partitions or 0
    best = keep[5:] if keep.startswith('best:') else None
    if not best and keep not in ('first', 'longest', 'newest'):
        raise ValueProblem(f'keep takes first, longest, newest or best:FIELD, not {keep!r}', 'range')
    if (window is not None or keep == 'newest') and not time:
        raise ValueProblem("window and keep='newest' need the times of the texts: time=FIELD", 'range')
    if kind != 'fit':
        made.key_design(within, None, recall, 1)  # raises if the arm has no keys
    asked = {'kind': kind, 'arm': made.full_spec, 'model': hashlib.sha256(made.model() or b'').hexdigest(),
             'exact': exact and exact.full_spec, 'fits': fits, 'within': within,
             'similarity': exact and made.similarity(within), 'recall': recall, 'keep': keep,
             'window': int(pandas.Timedelta(window or 0).total_seconds() * 1000), 'text': text, 'id': id,
             'time': time, 'best': best, 'sources': sources, 'partitions': partitions,
             'buckets': buckets or max(1, min(partitions, 4096)), 'state': state}
    os.makedirs(directory, exist_ok=True)
    place = os.path.join(directory, 'job.json')
    if os.path.exists(place):
        with open(place, encoding='utf-8') as file:
            before = json.load(file)
        other = [name for name in asked if before.get(name) != asked[name]]
        if other:
            raise ValueProblem(f'{directory} has files of another run, whose {" and ".join(other)} differ: '
                               'name another directory, or remove it', 'duplicate')
        return
    if os.listdir(directory):
        raise ValueProblem(f'{directory} is not empty: name a new directory', 'duplicate')
    if made.model() is not None:
        write(os.path.join(directory, 'model'), made.model())
    write(place, json.dumps(asked, indent=1))


def tidy(directory: str, result: str) -> None:
    """Removes intermediate files."""
    for each in os.scandir(directory):
        if each.is_dir() and each.name != result:
            shutil.rmtree(each.path, ignore_errors=True)


if __name__ == '__main__':
    print(json.dumps(work(sys.argv[1], int(sys.argv[2]), int(sys.argv[3])), indent=1))
