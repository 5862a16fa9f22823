# SPDX-License-Identifier: GPL-3.0-or-later
"""Tables exchanged with other libraries without a copy (Arrow's C data interface), and Parquet files through DuckDB.

https://arrow.apache.org/docs/format/CDataInterface.html, CStreamInterface.html and
CDataInterface/PyCapsuleInterface.html; https://duckdb.org/docs/stable/clients/c/api.html.
"""
from __future__ import annotations

import ctypes
import os
import sys
from ctypes import CFUNCTYPE, POINTER, c_char_p, c_int, c_int64, c_void_p
from typing import Any, Dict, Iterator, List, Optional, Sequence, Tuple, Union

import numpy as np

from fplab._call import FileProblem, TextColumn, ValueProblem, interruptible, missing
from fplab.sketches import SketchArray


class Schema(ctypes.Structure):
    """struct ArrowSchema."""


class Array(ctypes.Structure):
    """struct ArrowArray."""


class Stream(ctypes.Structure):
    """struct ArrowArrayStream."""


RELEASE = {one: CFUNCTYPE(None, POINTER(one)) for one in (Schema, Array, Stream)}
GET_SCHEMA = CFUNCTYPE(c_int, POINTER(Stream), POINTER(Schema))
GET_NEXT = CFUNCTYPE(c_int, POINTER(Stream), POINTER(Array))
LAST_ERROR = CFUNCTYPE(c_void_p, POINTER(Stream))
Schema._fields_ = [('format', c_char_p), ('name', c_char_p), ('metadata', c_void_p), ('flags', c_int64),
                   ('n_children', c_int64), ('children', POINTER(POINTER(Schema))),
                   ('dictionary', POINTER(Schema)), ('release', RELEASE[Schema]), ('private_data', c_void_p)]
Array._fields_ = [('length', c_int64), ('null_count', c_int64), ('offset', c_int64), ('n_buffers', c_int64),
                  ('n_children', c_int64), ('buffers', POINTER(c_void_p)), ('children', POINTER(POINTER(Array))),
                  ('dictionary', POINTER(Array)), ('release', RELEASE[Array]), ('private_data', c_void_p)]
Stream._fields_ = [('get_schema', GET_SCHEMA), ('get_next', GET_NEXT), ('get_last_error', LAST_ERROR),
                   ('release', RELEASE[Stream]), ('private_data', c_void_p)]
NULLABLE = 2
NUMBERS = {'c': 'i1', 'C': 'u1', 's': 'i2', 'S': 'u2', 'i': 'i4', 'I': 'u4', 'l': 'i8', 'L': 'u8',
           'e': 'f2', 'f': 'f4', 'g': 'f8'}
FORMATS = {dtype: format for format, dtype in NUMBERS.items()}
OFFSETS = {'u': np.int32, 'U': np.int64, 'z': np.int32, 'Z': np.int64}
TEXTS, BYTES = ('u', 'U', 'vu'), ('z', 'Z', 'vz')
Values = Union[TextColumn, SketchArray, np.ndarray, List[Any]]


# ---- Capsules ----

_CAPSULE_POINTER = ctypes.pythonapi.PyCapsule_GetPointer
_CAPSULE_POINTER.restype, _CAPSULE_POINTER.argtypes = c_void_p, [ctypes.py_object, c_char_p]
# A destructor must not count references to the object being freed, hence no py_object.
_DYING_POINTER = ctypes.PYFUNCTYPE(c_void_p, c_void_p, c_char_p)(('PyCapsule_GetPointer', ctypes.pythonapi))
_DESTRUCTOR = ctypes.PYFUNCTYPE(None, c_void_p)
_CAPSULE = ctypes.pythonapi.PyCapsule_New
_CAPSULE.restype, _CAPSULE.argtypes = ctypes.py_object, [c_void_p, c_char_p, _DESTRUCTOR]
NAMES = {Schema: b'arrow_schema', Array: b'arrow_array', Stream: b'arrow_array_stream'}
_alive: Dict[int, Any] = {}  # objects that others use, by the address of their struct or its private_data


def is_arrow(values: Any) -> bool:
    """Whether the object offers Arrow's capsules. False for pandas frames, which are read directly."""
    return not hasattr(values, 'iloc') and not isinstance(values, (type, dict)) and (
        hasattr(values, '__arrow_c_stream__') or hasattr(values, '__arrow_c_array__'))


def _from_capsule(capsule: Any, kind: Any) -> Any:
    return kind.from_address(_CAPSULE_POINTER(capsule, NAMES[kind]))


def _ended(kind: Any) -> Any:
    def destroy(capsule: int, ends: Any = sys.is_finalizing) -> None:
        if ends():
            return
        own = _DYING_POINTER(capsule, NAMES[kind])
        struct = kind.from_address(own)
        if struct.release:  # no consumer moved it
            struct.release(ctypes.byref(struct))
        del _alive[own]
    return _DESTRUCTOR(destroy)


_DESTRUCTORS = {kind: _ended(kind) for kind in NAMES}


def _to_capsule(struct: Any) -> Any:
    kind, own = type(struct), ctypes.addressof(struct)
    _alive[own] = struct
    return _CAPSULE(own, NAMES[kind], _DESTRUCTORS[kind])


class _Held:
    """An array moved from its producer; released with this object."""

    def __init__(self) -> None:
        self.array = Array()

    def __del__(self, ends: Any = sys.is_finalizing) -> None:
        if self.array.release and not ends():
            self.array.release(ctypes.byref(self.array))


# ---- Reading ----

def _copied(schema: Any) -> Tuple[str, str, list, bool]:
    """Format, name, children, and whether it is dictionary-encoded."""
    children = [_copied(schema.children[i].contents) for i in range(schema.n_children)]
    return ((schema.format or b'').decode(), (schema.name or b'').decode('utf-8', 'replace'), children,
            bool(schema.dictionary))


def _read(source: Any) -> Tuple[Tuple[str, str, list, bool], List[_Held]]:
    """The schema and the arrays of a stream, or of one array."""
    if not hasattr(source, '__arrow_c_stream__'):
        schema_capsule, array_capsule = source.__arrow_c_array__()
        held, given = _Held(), _from_capsule(array_capsule, Array)
        ctypes.memmove(ctypes.byref(held.array), ctypes.byref(given), ctypes.sizeof(Array))
        given.release = RELEASE[Array]()  # moved
        return _copied(_from_capsule(schema_capsule, Schema)), [held]
    capsule = source.__arrow_c_stream__()
    stream = _from_capsule(capsule, Stream)
    if not stream.release:
        raise ValueProblem('the Arrow stream was read already', 'empty')
    return _drain(stream)


def _drain(stream: Any) -> Tuple[Tuple[str, str, list, bool], List[_Held]]:
    own = ctypes.byref(stream)

    def call(function: Any, to: Any) -> None:
        status = function(own, ctypes.byref(to))
        if status:
            reason = stream.get_last_error(own)
            raise ValueProblem('the Arrow stream: ' + (ctypes.string_at(reason).decode('utf-8', 'replace')
                                                       if reason else os.strerror(status)), 'io')
    try:
        schema, arrays = Schema(), []
        call(stream.get_schema, schema)
        form = _copied(schema)
        schema.release(ctypes.byref(schema))
        while True:
            held = _Held()
            call(stream.get_next, held.array)
            if not held.array.release:
                return form, arrays
            arrays.append(held)
    finally:
        stream.release(own)


class _Piece:
    """A column of one array: `length` rows of its buffers, from row `offset`."""

    def __init__(self, held: _Held, array: Any, offset: int, length: int):
        self.held, self.array, self.offset, self.length = held, array, offset + array.offset, length

    def buffer(self, number: int, count: int, dtype: Any) -> np.ndarray:
        """A view of a buffer from its start; no copy."""
        size = count * np.dtype(dtype).itemsize
        address = self.array.buffers[number] if number < self.array.n_buffers else None
        if not address or not size:
            return np.zeros(count, dtype)
        made = np.frombuffer((ctypes.c_ubyte * size).from_address(address), dtype)
        made.flags.writeable = False
        return made

    def known(self) -> Optional[np.ndarray]:
        """Which rows have a value; None if all have."""
        if self.array.null_count == 0 or not self.array.n_buffers or not self.array.buffers[0]:
            return None
        end = self.offset + self.length
        bits = np.unpackbits(self.buffer(0, (end + 7) // 8, np.uint8), bitorder='little')
        made = bits[self.offset:end].astype(bool)
        return None if made.all() else made

    def rows(self, number: int, dtype: Any, more: int = 0) -> np.ndarray:
        """The rows of a buffer, and `more` after them."""
        return self.buffer(number, self.offset + self.length + more, dtype)[self.offset:]

    def texts(self, form: str) -> Tuple[np.ndarray, np.ndarray]:
        """64-bit offsets, and the bytes. Neither is copied for large_string."""
        if form in ('vu', 'vz'):
            return self.views()
        if not self.length:
            return np.zeros(1, np.int64), np.empty(0, np.uint8)
        offsets = self.rows(1, OFFSETS[form], 1)
        return offsets.astype(np.int64, copy=False), self.buffer(2, int(offsets[-1]), np.uint8)

    def views(self) -> Tuple[np.ndarray, np.ndarray]:
        """The same for string_view: copied."""
        views = self.rows(1, np.dtype([('size', '<i4'), ('own', 'V12')]))
        outside = np.frombuffer(views['own'].tobytes(), np.dtype([('begin', 'V4'), ('which', '<i4'), ('at', '<i4')]))
        count = self.array.n_buffers - 3
        sizes = self.buffer(self.array.n_buffers - 1, count, np.int64)
        buffers = [self.buffer(2 + i, int(sizes[i]), np.uint8).tobytes() for i in range(count)]
        parts = [own[:size] if size <= 12 else buffers[which][at:at + size] for size, own, which, at in
                 zip(views['size'].tolist(), (one.tobytes() for one in views['own']),
                     outside['which'].tolist(), outside['at'].tolist())]
        known = self.known()
        if known is not None:
            parts = [part if there else b'' for part, there in zip(parts, known)]
        offsets = np.cumsum([0, *map(len, parts)]).astype(np.int64)
        return offsets, np.frombuffer(b''.join(parts), np.uint8)


def _known(pieces: Sequence[_Piece]) -> Optional[np.ndarray]:
    masks = [piece.known() for piece in pieces]
    if all(mask is None for mask in masks):
        return None
    return np.concatenate([np.ones(piece.length, bool) if mask is None else mask
                           for piece, mask in zip(pieces, masks)])


def _text_column(form: str, pieces: Sequence[_Piece]) -> TextColumn:
    parts = [piece.texts(form) for piece in pieces]
    if len(parts) == 1:
        offsets, data = parts[0]
    else:
        offsets, base, datas = [np.zeros(1, np.int64)], 0, []
        for own, data in parts:
            offsets.append(own[1:] - own[0] + base)
            datas.append(data[int(own[0]):int(own[-1])])
            base += len(datas[-1])
        offsets = np.concatenate(offsets)
        data = np.concatenate(datas) if datas else np.empty(0, np.uint8)
    return TextColumn.of_buffers(data, offsets, [piece.held for piece in pieces])


def _values(form: Tuple[str, str, list, bool], pieces: List[_Piece], what: str) -> Values:
    kind, known = form[0], _known(pieces)
    unknown = None if known is None else np.flatnonzero(~known)
    if form[3]:
        raise TypeError(f'{what} is dictionary-encoded: cast it to its values')
    if kind in TEXTS:
        made = _text_column(kind, pieces)
        if unknown is None:
            return made
        listed: List[Any] = list(made)
        for row in unknown:
            listed[row] = None
        return listed
    if kind in BYTES:
        return _sketches(_text_column(kind, pieces), unknown)
    if kind == 'n':
        return [None] * sum(piece.length for piece in pieces)
    if kind == 'b':
        parts = [np.unpackbits(piece.buffer(1, (piece.offset + piece.length + 7) // 8, np.uint8), bitorder='little')
                 [piece.offset:piece.offset + piece.length].astype(bool) for piece in pieces]
    elif kind in NUMBERS:
        parts = [piece.rows(1, NUMBERS[kind]) for piece in pieces]
    elif kind.startswith('w:') and unknown is None:
        width = int(kind[2:])
        return SketchArray(_joined([piece.buffer(1, (piece.offset + piece.length) * width, np.uint8)
                                    [piece.offset * width:].reshape(-1, width) for piece in pieces], 'u1', (0, width)))
    else:
        raise TypeError(f'{what} is of Arrow\'s type {kind!r}: texts are string, large_string or string_view, '
                        'numbers integers, floats or booleans')
    numbers = _joined(parts, 'bool' if kind == 'b' else NUMBERS[kind])
    if unknown is None:
        return _Keeper.of(numbers, pieces)
    if numbers.dtype.kind == 'f':
        numbers = numbers.copy()
        numbers[unknown] = np.nan
        return numbers
    listed = numbers.tolist()
    for row in unknown:
        listed[row] = None
    return listed


def _sketches(column: TextColumn, unknown: Optional[np.ndarray]) -> Values:
    """Binary values: an array if all have one length, else a list."""
    data, offsets = np.frombuffer(column.data, np.uint8), column.offsets
    sizes = set(np.diff(offsets).tolist())
    if unknown is None and len(sizes) == 1 and sizes != {0}:
        return SketchArray(data[offsets[0]:offsets[-1]].reshape(-1, sizes.pop()))
    made: List[Any] = [data[begin:end].tobytes() for begin, end in zip(offsets[:-1], offsets[1:])]
    for row in unknown if unknown is not None else ():
        made[row] = None
    return made


def _joined(parts: List[np.ndarray], dtype: str, shape: Any = 0) -> np.ndarray:
    return parts[0] if len(parts) == 1 else np.concatenate(parts) if parts else np.empty(shape, dtype)


class _Keeper(np.ndarray):
    """An array over memory of another object, which it keeps alive."""

    held: Any = None

    @classmethod
    def of(cls, values: np.ndarray, pieces: Any) -> np.ndarray:
        if len(pieces) != 1:
            return values  # a copy
        made = values.view(cls)
        made.held = pieces[0].held
        return made

    def __array_finalize__(self, other: Any) -> None:
        self.held = getattr(other, 'held', None)


def texts_of(source: Any, what: str) -> TextColumn:
    """The texts of a stream of strings, or of the only column of a table."""
    form, arrays = _read(source)
    if form[0] == '+s':
        table = Table._of(form, arrays)
        if len(table.column_names) != 1:
            raise TypeError(f'{what} is a table with the columns {", ".join(table.column_names)}: pass one of them, '
                            "fplab.Table(…)['NAME']")
        values = table[table.column_names[0]]
    else:
        values = _values(form, [_Piece(held, held.array, 0, held.array.length) for held in arrays], what)
    if isinstance(values, TextColumn):
        return values
    if isinstance(values, list):
        return TextColumn(values, what)  # raises with the index of the first missing value
    raise TypeError(f'{what} is a column of {values.dtype}, not of texts')


# ---- Tables ----

class Table:
    """Columns by name. Columns of the same format are exchanged with other libraries without a copy.

    Parameters
    ----------
    source : anything with ``__arrow_c_stream__`` or ``__arrow_c_array__`` (pyarrow, polars, DuckDB, pandas 2.2 and
        later), a pandas DataFrame, or a dict of columns
        Columns are texts (string, large_string, string_view), numbers (integers, floats, booleans) and sketches
        (binary of one size; ``sketches.empty`` is a separate column). A stream can be read once.

    ``table['name']`` is a column: a sequence of str that `Arm.sketch`, `fit` and `dedup` accept directly, a numpy
    array, a `SketchArray`, or a list with None for missing values. The table offers ``__arrow_c_stream__`` itself: pass
    it to ``pyarrow.table``, ``polars.DataFrame``, or `to_parquet`. NaN is exported as missing. Raises TypeError, with
    the column's name, for an unsupported type, and ValueError for columns of different lengths.
    """

    def __init__(self, source: Any):
        self.columns: Dict[str, Values] = {}
        if isinstance(source, Table):
            self.columns = dict(source.columns)
        elif is_arrow(source):
            self.columns = Table._of(*_read(source)).columns
        elif isinstance(source, dict) or hasattr(source, 'iloc'):
            self.columns = {str(name): _own(source[name], str(name)) for name in source}
        else:
            raise TypeError(f'a table is a DataFrame, a dict of columns, or offers Arrow\'s capsules; this is '
                            f'{type(source).__name__}')
        sizes = {len(column) for column in self.columns.values()}
        if len(sizes) > 1:
            raise ValueProblem('columns of unlike length: ' + ', '.join(
                f'{name} {len(column)}' for name, column in self.columns.items()), 'range')

    @classmethod
    def _of(cls, form: Tuple[str, str, list, bool], arrays: List[_Held]) -> 'Table':
        if form[0] != '+s':
            raise TypeError('the Arrow stream is one column, not a table')
        for held in arrays:
            rows = _Piece(held, held.array, 0, held.array.length)
            if held.array.n_children != len(form[2]) or rows.known() is not None:
                raise TypeError('the Arrow stream has rows that are missing as a whole')
        made = cls({})
        for number, child in enumerate(form[2]):
            pieces = [_Piece(held, held.array.children[number].contents, held.array.offset, held.array.length)
                      for held in arrays]
            made.columns[child[1]] = _values(child, pieces, f'column {child[1]!r}')
        return made

    @property
    def column_names(self) -> List[str]:
        """The names of the columns, in order."""
        return list(self.columns)

    def __getitem__(self, name: str) -> Values:
        if name not in self.columns:
            raise ValueProblem(f'there is no column "{name}"; there are: ' + ', '.join(self.columns), 'unknown')
        return self.columns[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.columns)

    def __len__(self) -> int:
        return len(next(iter(self.columns.values()))) if self.columns else 0

    def to_pandas(self) -> Any:
        """A DataFrame; copies the columns."""
        import pandas
        return pandas.DataFrame({name: np.array(column) if isinstance(column, np.ndarray) and column.ndim == 1
                                 else [bytes(one) for one in column] if isinstance(column, SketchArray)
                                 else list(column) for name, column in self.columns.items()})

    def __arrow_c_schema__(self) -> Any:
        """A capsule of the schema."""
        return _to_capsule(_schema_of(self.columns))

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        """A capsule of a stream of one batch over the memory of the columns. Ignores `requested_schema`."""
        return _to_capsule(_stream_of(self))

    def __repr__(self) -> str:
        return f'<fplab.Table: {len(self)} rows; {", ".join(self.columns)}>'


def _own(values: Any, name: str) -> Values:
    """Converts a column of a frame or a dict to a type that can be exported."""
    if isinstance(values, (TextColumn, SketchArray)):
        return values
    if isinstance(values, (str, bytes)) or not hasattr(values, '__len__'):
        raise TypeError(f'column {name!r} is {type(values).__name__}, not a sequence of values')
    if is_arrow(values):
        form, arrays = _read(values)
        return _values(form, [_Piece(held, held.array, 0, held.array.length) for held in arrays], f'column {name!r}')
    array = np.asarray(values)
    if array.ndim == 1 and array.dtype.kind in 'biuf' and array.dtype.itemsize <= 8:
        return array
    if array.dtype.kind in 'Mm':
        raise TypeError(f'column {name!r} is of {array.dtype}: pass times as text, or as numbers')
    listed = [None if missing(value) else value.item() if isinstance(value, np.generic) else value for value in (
        values.tolist() if hasattr(values, 'tolist') else values)] if array.ndim == 1 else [array]
    kinds = {type(value) for value in listed if value is not None}
    if not kinds <= {bool, int, float} and not all(issubclass(kind, str) for kind in kinds):
        raise TypeError(f'column {name!r} has values of {", ".join(sorted(kind.__name__ for kind in kinds))}: texts '
                        'and numbers go into a table, each in columns of their own')
    if all(issubclass(kind, str) for kind in kinds) and None not in listed:
        return TextColumn(listed, name)
    return listed


# ---- Writing ----

def _out(name: str, values: Values) -> Tuple[str, int, List[Any]]:
    """Format, number of missing values, and buffers of a column."""
    known = None
    if isinstance(values, list):
        known = np.array([value is not None for value in values], bool)
        if any(isinstance(value, str) for value in values) or not known.any():
            values = TextColumn([value or '' for value in values], name)
        else:
            kinds = {type(value) for value in values if value is not None}
            values = np.array([value or 0 for value in values], bool if kinds == {bool} else None)
    elif isinstance(values, np.ndarray) and values.dtype.kind == 'f':
        known = ~np.isnan(values)
    none = 0 if known is None else int((~known).sum())
    mask = np.packbits(known, bitorder='little') if none else None
    if isinstance(values, TextColumn):
        return 'U', none, [mask, np.ascontiguousarray(values.offsets), np.frombuffer(values.data, np.uint8)]
    if isinstance(values, SketchArray):
        return f'w:{values.shape[1]}', 0, [None, np.ascontiguousarray(np.asarray(values))]
    array = np.ascontiguousarray(values, values.dtype.newbyteorder('='))
    if array.dtype == bool:
        return 'b', none, [mask, np.packbits(array, bitorder='little')]
    return FORMATS[array.dtype.str[1:]], none, [mask, array]


def _owned(struct: Any, alive: Any) -> Any:
    """Sets a release callback that frees the children and the objects kept alive."""
    struct.private_data = id(alive)
    struct.release = _RELEASES[type(struct)]
    _alive[id(alive)] = alive
    return struct


def _released(kind: Any) -> Any:
    def release(pointer: Any, ends: Any = sys.is_finalizing) -> None:
        if ends():
            return
        struct = pointer.contents
        for i in range(getattr(struct, 'n_children', 0)):
            child = struct.children[i]
            if child and child.contents.release:
                child.contents.release(child)
        _alive.pop(struct.private_data, None)
        struct.release = RELEASE[kind]()
    return RELEASE[kind](release)


_RELEASES = {kind: _released(kind) for kind in NAMES}
for _one in (*_RELEASES.values(), *_DESTRUCTORS.values()):  # others may call them after this module is unloaded
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(_one))


def _pointers(kind: Any, children: List[Any]) -> Any:
    return (POINTER(kind) * max(1, len(children)))(*map(ctypes.pointer, children))


def _schema_of(columns: Dict[str, Values]) -> Schema:
    children = []
    for name, values in columns.items():
        form, text = _out(name, values)[0].encode(), name.encode()
        children.append(_owned(Schema(form, text, None, NULLABLE), [form, text]))
    listed = _pointers(Schema, children)
    return _owned(Schema(b'+s', b'', None, 0, len(children), listed), [children, listed])


def _array_of(columns: Dict[str, Values], length: int) -> Array:
    children = []
    for name, values in columns.items():
        _, unknown, buffers = _out(name, values)
        listed = (c_void_p * len(buffers))(*(None if one is None else one.ctypes.data for one in buffers))
        children.append(_owned(Array(length, unknown, 0, len(buffers), 0, listed), [values, buffers, listed]))
    pointers, none = _pointers(Array, children), (c_void_p * 1)(None)
    return _owned(Array(length, 0, 0, 1, len(children), none, pointers), [children, pointers, none])


def _stream_of(table: Table) -> Stream:
    columns, left, length = dict(table.columns), [True], len(table)

    def give(made: Any, to: Any) -> int:
        ctypes.memmove(to, ctypes.byref(made), ctypes.sizeof(made))
        return 0

    def get_schema(_stream: Any, to: Any) -> int:
        return give(_schema_of(columns), to)

    def get_next(_stream: Any, to: Any) -> int:
        made = _array_of(columns, length) if left.pop() and columns else Array()
        left.append(False)
        return give(made, to)

    calls = [GET_SCHEMA(get_schema), GET_NEXT(get_next), LAST_ERROR(lambda _stream: None)]
    return _owned(Stream(*calls), calls)


# ---- Parquet ----

class _Duck:
    """DuckDB with an in-memory database."""

    def __init__(self) -> None:
        try:
            self.library = library = ctypes.CDLL('libduckdb.so')
        except OSError:
            raise FileProblem(
                "DuckDB's library, libduckdb.so, is not where the system looks for libraries (LD_LIBRARY_PATH adds "
                'directories): it reads and writes Parquet; get it from duckdb.org, or by npm pack '
                '@duckdb/node-bindings-linux-x64', 'io') from None
        for name in 'duckdb_query_arrow_error', 'duckdb_result_error':
            getattr(library, name).restype = c_char_p
        for name in 'duckdb_query_arrow_error', 'duckdb_query_arrow_schema', 'duckdb_query_arrow_array':
            getattr(library, name).argtypes = [c_void_p] + ([] if name.endswith('error') else [c_void_p])
        self.database, self.connection = c_void_p(), c_void_p()
        if library.duckdb_open(None, ctypes.byref(self.database)) or \
                library.duckdb_connect(self.database, ctypes.byref(self.connection)):
            raise MemoryError('DuckDB does not open a database in memory')

    def __enter__(self) -> '_Duck':
        return self

    def __exit__(self, *reason: Any) -> None:
        self.library.duckdb_disconnect(ctypes.byref(self.connection))
        self.library.duckdb_close(ctypes.byref(self.database))

    def query(self, sql: str) -> Table:
        """The result of a query."""
        library, result = self.library, c_void_p()
        try:
            if interruptible(lambda: library.duckdb_query_arrow(self.connection, sql.encode(), ctypes.byref(result)),
                             lambda: library.duckdb_interrupt(self.connection)):
                reason = (library.duckdb_query_arrow_error(result) or b'?').decode('utf-8', 'replace')
                raise FileProblem('DuckDB: ' + ' '.join(reason.split()), 'io')
            schema, arrays = Schema(), []
            library.duckdb_query_arrow_schema(result, ctypes.byref(c_void_p(ctypes.addressof(schema))))
            form = _copied(schema)
            if schema.release:
                schema.release(ctypes.byref(schema))
            while True:
                held = _Held()
                library.duckdb_query_arrow_array(result, ctypes.byref(c_void_p(ctypes.addressof(held.array))))
                if not held.array.release or not held.array.length:
                    return Table._of(form, arrays)
                arrays.append(held)
        finally:
            library.duckdb_destroy_arrow(ctypes.byref(result))


def read_parquet(path: Union[str, os.PathLike, Sequence[Union[str, os.PathLike]]],
                 columns: Optional[Sequence[str]] = None) -> Table:
    """Reads columns of Parquet files (a path, a pattern, or a list of them) as a `Table`, through DuckDB.

    `columns`: the names of the columns to read; default: all. Raises FileProblem if the file cannot be read, a column
    does not exist, or DuckDB's library, libduckdb.so, is missing (the message says where to get it).
    """
    paths = [path] if isinstance(path, (str, os.PathLike)) else path
    listed = ', '.join(_quoted(os.fspath(one)) for one in paths)
    some = '*' if columns is None else ', '.join('"' + name.replace('"', '""') + '"' for name in columns)
    with _Duck() as duck:
        duck.query('SET arrow_large_buffer_size = true')
        return duck.query(f'SELECT {some} FROM read_parquet([{listed}])')


def to_parquet(table: Any, path: Union[str, os.PathLike]) -> None:
    """Writes a table (a `Table`, or anything that `Table` accepts) to a Parquet file, through DuckDB.

    Sketches become binary (BLOB), texts strings, NaN missing. The file gets its name only when it is complete. Errors
    as for `read_parquet`.
    """
    stream, path = _stream_of(Table(table)), os.fspath(path)
    own = f'{path}.{os.getpid()}'
    try:
        with _Duck() as duck:
            if duck.library.duckdb_arrow_scan(duck.connection, b'given', ctypes.byref(stream)):
                raise FileProblem('DuckDB does not read the table', 'io')
            duck.query(f'COPY given TO {_quoted(own)} (FORMAT parquet)')
        os.replace(own, path)
    finally:
        if stream.release:
            stream.release(ctypes.byref(stream))
        if os.path.exists(own):
            os.unlink(own)


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
