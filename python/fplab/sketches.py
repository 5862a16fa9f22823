# SPDX-License-Identifier: GPL-3.0-or-later
"""Columns of fingerprints: arrays of bytes, or lists if they vary in size."""
from __future__ import annotations

from typing import Any, Iterator, Optional

import numpy as np

from fplab._call import Arena, ffi


class SketchArray(np.ndarray):
    """Fingerprints of one size, shape (texts, bytes), dtype uint8.

    A numpy array with one more attribute: ``empty``, shape (texts,), bool: texts without features. Empty
    sketches are no evidence; they have the largest distance from every sketch. Selected rows keep their
    mark; a plain array (``np.asarray``) has no marks, and its rows count as not empty.
    """

    _empty: Optional[np.ndarray] = None

    def __new__(cls, data: Any, empty: Any = None) -> 'SketchArray':
        made = np.asarray(data).view(cls)
        if made.dtype != np.uint8 or made.ndim != 2:
            raise TypeError(f'sketches are uint8 of shape (texts, bytes), not {made.dtype} of '
                            f'{made.shape}')
        made._empty = None if empty is None else np.asarray(empty, bool)
        if made._empty is not None and made._empty.shape != made.shape[:1]:
            raise ValueError(f'{len(made)} sketches have {made._empty.shape} marks')
        return made

    @property
    def empty(self) -> np.ndarray:
        """Whether the text has no features; shape (texts,), bool."""
        if self._empty is None:
            return np.zeros(len(self), bool)
        return self._empty

    def __getitem__(self, key: Any) -> Any:
        made = super().__getitem__(key)
        if not isinstance(made, SketchArray):
            return made
        if made.ndim != 2 or made.shape[1:] != self.shape[1:]:
            return np.asarray(made)
        rows = key[0] if isinstance(key, tuple) else key
        made._empty = None if self._empty is None else self._empty[rows]
        return made

    def __reduce__(self) -> tuple:
        return SketchArray, (np.array(self), self._empty)


class SketchList:
    """Fingerprints of varying size: sets, sparse vectors. Read-only; len(), [i] (bytes), [slice]."""

    def __init__(self, data: np.ndarray, offset: np.ndarray, size: np.ndarray, empty: np.ndarray):
        self.data, self.offset, self.size, self.empty = data, offset, size, empty

    def __len__(self) -> int:
        return len(self.size)

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, (int, np.integer)):
            begin = int(self.offset[key])
            return self.data[begin:begin + int(self.size[key])].tobytes()
        return SketchList(self.data, self.offset[key], self.size[key], self.empty[key])

    def __iter__(self) -> Iterator[bytes]:
        return (self[i] for i in range(len(self)))

    def __repr__(self) -> str:
        return f'SketchList({len(self)} sketches, {int(self.size.sum())} bytes)'

    def __reduce__(self) -> tuple:
        step = -(-self.size // 8) * 8
        offset = np.concatenate([[0], np.cumsum(step)[:-1]]).astype(np.uint64)
        data = np.zeros(int(step.sum()), np.uint8)
        for at, one in zip(offset, self):
            data[int(at):int(at) + len(one)] = np.frombuffer(one, np.uint8)
        return SketchList, (data, offset, np.array(self.size), np.array(self.empty))


def from_library(arena: Arena, made: Any, bytes_each: int) -> Any:
    """A view of fp_sketches, without a copy."""
    count = made.count
    empty = arena.view(made.empty, count, bool) if made.empty else np.zeros(count, bool)
    if bytes_each:
        data = arena.view(made.data, count * bytes_each, np.uint8)
        return SketchArray(data.reshape(count, bytes_each), empty)
    if count == 0:
        nothing = np.empty(0, np.uint64)
        return SketchList(np.empty(0, np.uint8), nothing, nothing, empty)
    offset = arena.view(made.offset, count + 1, np.uint64)
    data = arena.view(made.data, int(offset[-1]), np.uint8)
    return SketchList(data, offset[:-1], arena.view(made.size, count, np.uint64), empty)


def to_library(sketches: Any, bytes_each: int) -> tuple:
    """The fp_sketches of a column, and the objects that keep it alive."""
    if bytes_each == 0:
        return _list_to_library(sketches)
    if isinstance(sketches, SketchList):
        raise TypeError(f'sketches of this arm have {bytes_each} bytes each; these vary in size')
    array = sketches if isinstance(sketches, np.ndarray) else np.asarray(sketches)
    if array.dtype != np.uint8:
        raise TypeError(f'sketches are uint8, not {array.dtype}: pass the result of sketch()'
                        + ('' if array.dtype.kind == 'O' else ' (array.view("u1") of native order)'))
    if array.ndim != 2 or array.shape[1] != bytes_each:
        raise ValueError(f'sketches of this arm have the shape (texts, {bytes_each}), not '
                         f'{array.shape}')
    empty = getattr(array, 'empty', None)
    plain = np.ascontiguousarray(np.asarray(array))
    if plain.ctypes.data % 8:
        plain = plain.copy()
    mask = None if empty is None else np.ascontiguousarray(empty, bool)
    pointer = ffi.new('fp_sketches *', {
        'count': len(plain), 'stride': bytes_each,
        'data': ffi.cast('unsigned char *', plain.ctypes.data),
        'empty': ffi.NULL if mask is None else ffi.cast('bool *', mask.ctypes.data)})
    return pointer, (plain, mask)


def _list_to_library(sketches: Any) -> tuple:
    if not isinstance(sketches, SketchList):
        raise TypeError('sketches of this arm vary in size: pass the result of sketch(), not '
                        f'{type(sketches).__name__}')
    count, last = len(sketches), 0
    if count:
        last = int(sketches.offset[-1]) + int(sketches.size[-1])
    offset = np.append(sketches.offset, last).astype(np.uint64)
    size = np.ascontiguousarray(sketches.size, np.uint64)
    data, mask = np.ascontiguousarray(sketches.data), np.ascontiguousarray(sketches.empty, bool)
    if data.ctypes.data % 8:
        data = data.copy()
    pointer = ffi.new('fp_sketches *', {
        'count': count, 'data': ffi.cast('unsigned char *', data.ctypes.data),
        'offset': ffi.cast('size_t *', offset.ctypes.data),
        'size': ffi.cast('size_t *', size.ctypes.data),
        'empty': ffi.cast('bool *', mask.ctypes.data)})
    return pointer, (offset, size, data, mask)
