# SPDX-License-Identifier: GPL-3.0-or-later
"""Collections on disk, as written by `fplab index` and searched by `fplab query`."""
from __future__ import annotations

import os
from typing import Any, Iterable, Iterator, List, Optional, Tuple, Union

import numpy as np

from fplab import _call
from fplab._call import Arena, TextColumn, ValueProblem, check, ffi, lib, run
from fplab.arm import Arm
from fplab.finding import INT64_MIN, milliseconds

MATCH = np.dtype({'names': ['query', 'distance', 'data', 'length'],
                  'formats': ['u8', 'f8', 'u8', 'u8'],
                  'offsets': [ffi.offsetof('fp_text_match', name) for name in
                              ('query', 'distance')]
                  + [ffi.offsetof('fp_text_match', 'id') + ffi.offsetof('fp_string', part)
                     for part in ('data', 'length')],
                  'itemsize': ffi.sizeof('fp_text_match')})


class Collection:
    """Fingerprints on disk (or in Redis) with an index: fast look-ups up to a threshold.

    `Collection.create` makes one; ``Collection(path)`` opens one for look-ups, with ``writes=True`` to
    add and delete. A context manager. One writer at a time over all processes; one thread at a time per
    object. The program reads and writes the same files.
    """

    def __init__(self, path: Union[str, os.PathLike], *, writes: bool = False,
                 threads: Optional[int] = None):
        made = ffi.new('fp_text_index **')
        check(lib.fp_text_index_open, os.fsencode(path), writes, made)
        self._take(made[0], threads)

    @classmethod
    def create(cls, path: Union[str, os.PathLike], arm: Union[str, Arm], threshold: float, *,
               recall: float = 0.99, keep_texts: bool = False,
               threads: Optional[int] = None) -> 'Collection':
        """Makes a collection for an arm (fitted, if it learns) and opens it for writing.

        Raises ValueError if `path` exists, or if all pairs are within the threshold.
        """
        arm = arm if isinstance(arm, Arm) else Arm(arm)
        arm._need_fit()
        form = ffi.new('fp_text_index_form *', {
            'size': ffi.sizeof('fp_text_index_form'), 'threshold': threshold, 'recall': recall,
            'keeps_texts': keep_texts})
        made = ffi.new('fp_text_index **')
        check(lib.fp_text_index_create, os.fsencode(path), arm._arm, form, made)
        self = cls.__new__(cls)
        self._take(made[0], threads)
        return self

    def _take(self, pointer: Any, threads: Optional[int]) -> None:
        self._pointer = ffi.gc(pointer, lib.fp_text_index_close)
        self._threads = threads

    @property
    def _index(self) -> Any:
        if self._pointer is None:
            raise ValueProblem('the collection is closed', 'range')
        return self._pointer

    def close(self) -> None:
        """Closes the collection; added texts are kept."""
        if self._pointer is not None:
            ffi.release(self._pointer)
            self._pointer = None

    def __enter__(self) -> 'Collection':
        return self

    def __exit__(self, *reason: Any) -> None:
        self.close()

    # ---- Writing ----

    def add(self, texts: Iterable[str], ids: Iterable[str], time: Any = None) -> int:
        """Adds texts under ids; returns how many were new.

        A text that is already stored under its id is skipped. Texts are committed some thousands at a time;
        Ctrl-C keeps those committed. Raises ValueError, with `index`, for an id that is stored with another
        text.
        """
        column, named = TextColumn(texts), TextColumn(ids, 'ids')
        if len(named) != len(column):
            raise ValueProblem(f'{len(named)} ids for {len(column)} texts', 'range')
        times = None if time is None else np.ascontiguousarray(milliseconds(time), np.int64)
        if times is not None and times.size != len(column):
            raise ValueProblem(f'{times.size} times for {len(column)} texts', 'range')
        added, bad = ffi.new('uint64_t *'), ffi.new('size_t *', _call.NOWHERE)
        pointer = ffi.NULL if times is None else ffi.cast('int64_t *', times.ctypes.data)
        run(lib.fp_text_index_add, self._index, column.pointer, named.pointer, pointer, added, bad,
            threads=self._threads, bad=bad)
        return int(added[0])

    def delete(self, id: str) -> None:
        """Deletes a record. Raises ValueError if the id does not exist."""
        data = id.encode()
        check(lib.fp_text_index_delete, self._index,
              {'data': ffi.from_buffer(data), 'length': len(data)})

    # ---- Looking up ----

    def query(self, texts: Iterable[str], within: Optional[float] = None,
              top: Optional[int] = None) -> Any:
        """The records near each text: a DataFrame of query (index of the text), id, distance,
        similarity; the nearest first.

        `within`: the largest distance (default: the threshold; beyond it the collection is scanned
        linearly). `top`: at most so many records per text.
        """
        import pandas
        column, arena = TextColumn(texts), Arena()
        found, count = ffi.new('fp_text_match **'), ffi.new('size_t *')
        bad = ffi.new('size_t *', _call.NOWHERE)
        run(lib.fp_text_index_search, self._index, column.pointer,
            self.threshold if within is None else within, top or 0, arena.pointer, found, count,
            bad, threads=self._threads, bad=bad)
        rows = arena.view(found[0], count[0], MATCH)
        ids = [_call.string_of(found[0][i].id) for i in range(count[0])]
        return pandas.DataFrame({'query': rows['query'].astype(np.int64), 'id': ids,
                                 'distance': rows['distance'].copy(),
                                 'similarity': self.arm.similarity(rows['distance'])})

    def __len__(self) -> int:
        count = ffi.new('uint64_t *')
        check(lib.fp_text_index_count, self._index, count)
        return int(count[0])

    def __iter__(self) -> Iterator[Tuple[str, Optional[str], Any]]:
        """(id, text, time) of every record, the oldest first; None for a field that is not stored."""
        import pandas
        made: List[Tuple[str, Optional[str], Any]] = []

        @ffi.callback('fp_status(void *, fp_string, int64_t, fp_string, fp_error *)',
                      error=lib.FP_ERROR_MEMORY)
        def visit(_context: Any, id: Any, time: int, text: Any, _error: Any) -> int:
            when = None if time == INT64_MIN else pandas.Timestamp(time, unit='ms', tz='UTC')
            made.append((_call.string_of(id), _call.string_of(text) or None, when))
            return lib.FP_OK

        check(lib.fp_text_index_each, self._index, visit, ffi.NULL)
        return iter(made)

    @property
    def arm(self) -> Arm:
        """The collection's arm, fitted."""
        pointer = lib.fp_text_index_arm(self._index)
        arm = Arm(_call.text_of(lib.fp_arm_spec(pointer)), threads=self._threads)
        if arm.learns:
            arena, model = Arena(), ffi.new('fp_string *')
            check(lib.fp_arm_model_bytes, pointer, arena.pointer, model)
            arm.take_model(ffi.buffer(model.data, model.length)[:])
        return arm

    @property
    def threshold(self) -> float:
        """The largest distance with fast look-ups."""
        return lib.fp_text_index_threshold(self._index)

    def __repr__(self) -> str:
        if self._pointer is None:
            return '<fplab.Collection: closed>'
        return f'<fplab.Collection: {len(self)} records within {self.threshold:g}>'
