# SPDX-License-Identifier: GPL-3.0-or-later
"""Calls of the library: errors, cancellation, columns of texts, settings, tables."""
from __future__ import annotations

import re
import threading
from typing import Any, Callable, Iterable, Iterator, Optional, Sequence

import numpy as np

from fplab._fplab import ffi, lib

NOWHERE = 2 ** (8 * ffi.sizeof('size_t')) - 1


class Error(Exception):
    """An error of the library.

    Attributes: ``status`` ("range", "encoding", … as fplab/status.h), ``file``, ``line`` (from 1),
    ``byte`` (from 0) and ``index`` (of the text at fault, from 0); None where one does not
    apply. Subclasses are also ValueError, OSError, UnicodeError or RuntimeError.
    """

    status = 'unknown status'

    def __init__(self, message: str, status: Optional[str] = None, file: Optional[str] = None,
                 line: Optional[int] = None, byte: Optional[int] = None,
                 index: Optional[int] = None):
        super().__init__(message)
        self.status = status or self.status
        self.file, self.line, self.byte, self.index = file, line, byte, index


class ValueProblem(Error, ValueError):
    """An invalid value, name or spec, or empty input."""


class NotFittedError(ValueProblem, AttributeError):
    """The arm learns from texts and is not fitted."""

    status = 'empty'


class EncodingProblem(Error, UnicodeError):
    """A text that is not valid Unicode."""

    status = 'encoding'


class FileProblem(Error, OSError):
    """A file that cannot be read or written."""

    status = 'io'


class VersionProblem(Error, RuntimeError):
    """A model, a pickle or a plug-in of another version."""

    status = 'abi'


KINDS = {lib.FP_ERROR_IO: FileProblem, lib.FP_ERROR_ENCODING: EncodingProblem,
         lib.FP_ERROR_ABI: VersionProblem, lib.FP_ERROR_TOOL: VersionProblem}


def missing(value: Any) -> bool:
    """Whether the value is None, NaN, NaT or NA (whose comparisons have no truth value)."""
    try:
        return value is None or bool(value != value)
    except (TypeError, ValueError):
        return True


def text_of(string: Any) -> str:
    """A C string as str; NULL gives ''."""
    return ffi.string(string).decode('utf-8', 'replace') if string else ''


def string_of(value: Any) -> str:
    """An fp_string as str."""
    return ffi.buffer(value.data, value.length)[:].decode('utf-8') if value.length else ''


def python_names(message: str) -> str:
    """Replaces command-line options by Python keywords: --min-precision becomes min_precision."""
    return re.sub(r'--([a-z][a-z-]*)', lambda found: found[1].replace('-', '_'), message)


def problem(status: int, error: Any, index: Optional[int] = None) -> Exception:
    """The exception for a failed call."""
    if status == lib.FP_ERROR_MEMORY:
        return MemoryError('libfplab: out of memory')
    if status == lib.FP_ERROR_CANCELLED:
        return KeyboardInterrupt()
    file = text_of(error.file) or None
    line = None if error.line in (0, NOWHERE) else error.line
    byte = None if error.byte == NOWHERE else error.byte
    message = python_names(text_of(error.message))
    place = (f'{file}: ' if file and not line else f'{file}:{line}: ' if file else '')
    tail = f' (byte {byte})' if byte is not None else ''
    kind = KINDS.get(status, ValueProblem)
    return kind(place + message + tail, text_of(lib.fp_status_name(status)), file, line, byte,
                index)


def check(function: Callable[..., int], *arguments: Any) -> None:
    """Calls a function whose last argument is an fp_error; raises its error."""
    error = ffi.new('fp_error *')
    status = function(*arguments, error)
    if status:
        raise problem(status, error)


def run(function: Callable[..., int], *arguments: Any, threads: Optional[int] = None,
        bad: Any = None, direct: bool = False) -> None:
    """Calls a function whose last arguments are an fp_progress and an fp_error; raises its error.

    The work runs in another thread, so that the main thread can handle signals; KeyboardInterrupt cancels it and goes
    on when it has ended. `bad` gets the index of the text at fault. `direct`: short work, which runs in this thread.
    """
    cancel, error = ffi.new('int *'), ffi.new('fp_error *')
    progress = ffi.new('fp_progress *', {'threads': threads or 0, 'cancel': cancel})
    status = interruptible(lambda: function(*arguments, progress, error),
                           lambda: cancel.__setitem__(0, 1), direct)
    if status:
        index = bad[0] if bad is not None and bad[0] != NOWHERE else None
        raise problem(status, error, index)


def interruptible(call: Callable[[], Any], stop: Callable[[], None], direct: bool = False) -> Any:
    """Returns call(). On a signal, calls `stop`, waits for the end of `call`, then raises the signal's exception."""
    result: list = []

    def work() -> None:
        try:
            result.append(call())
        except BaseException as failure:  # raised again by the waiting thread
            result.append(failure)
        finally:
            done.set()

    done = threading.Event()
    if direct or threading.current_thread() is not threading.main_thread():
        work()
    else:
        worker = threading.Thread(target=work, name='fplab')
        try:
            worker.start()
            while not done.wait(0.05):  # a signal between two waits is handled at the next
                pass
        except BaseException:
            stop()
            if worker.ident is not None:
                _wait(done)
                worker.join()
            raise
        worker.join()
    if isinstance(result[0], BaseException):
        raise result[0]
    return result[0]


def _wait(done: threading.Event) -> None:
    while not done.is_set():
        try:
            done.wait()
        except KeyboardInterrupt:  # already cancelled
            pass


class Arena:
    """An arena of the library, freed with this object."""

    def __init__(self) -> None:
        self.pointer = ffi.gc(lib.fp_arena_new(), lib.fp_arena_free)
        if not self.pointer:
            raise MemoryError('libfplab: out of memory')

    def view(self, address: Any, count: int, dtype: Any) -> np.ndarray:
        """A read-only array over memory of this arena, without a copy. It keeps the arena alive."""
        dtype = np.dtype(dtype)
        if count == 0:
            return np.empty(0, dtype)
        return np.asarray(_Window(self, address, count * dtype.itemsize)).view(dtype)


class _Window:
    """Memory of an arena with numpy's array interface."""

    def __init__(self, arena: Arena, address: Any, size: int):
        self.arena = arena
        self.__array_interface__ = {'version': 3, 'shape': (size,), 'typestr': '|u1',
                                    'data': (int(ffi.cast('uintptr_t', address)), True)}


class TextColumn:
    """Texts in the form of fp_text_column: concatenated UTF-8 and 64-bit offsets. A sequence of str.

    Made from a TextColumn (shares its memory), Arrow strings (`fplab.Table`), or any sequence of str.
    """

    def __init__(self, texts: Iterable[str], what: str = 'texts'):
        from fplab import arrow
        if not isinstance(texts, TextColumn) and arrow.is_arrow(texts):
            texts = arrow.texts_of(texts, what)
        if isinstance(texts, TextColumn):
            self.__dict__.update(texts.__dict__)
            return
        parts = encoded(texts, what)
        offsets = np.zeros(len(parts) + 1, np.int64)
        np.cumsum(np.fromiter(map(len, parts), np.int64, len(parts)), out=offsets[1:])
        self._take(b''.join(parts), offsets, None)

    @classmethod
    def of_buffers(cls, data: Any, offsets: np.ndarray, alive: Any) -> 'TextColumn':
        """Text i is data[offsets[i]:offsets[i + 1]]; `alive` owns the memory."""
        made = cls.__new__(cls)
        made._take(data, offsets, alive)
        return made

    def _take(self, data: Any, offsets: np.ndarray, alive: Any) -> None:
        self.data, self.offsets, self._alive, self.count = data, offsets, alive, len(offsets) - 1
        self.pointer = ffi.new('fp_text_column *', {
            'count': self.count, 'data': ffi.from_buffer(data),
            'offset': ffi.cast('int64_t *', offsets.ctypes.data)})

    def __len__(self) -> int:
        return self.count

    def __getitem__(self, row: int) -> str:
        row = range(self.count)[row]
        return bytes(self.data[self.offsets[row]:self.offsets[row + 1]]).decode()

    def __iter__(self) -> Iterator[str]:
        return (self[row] for row in range(self.count))

    def characters(self) -> np.ndarray:
        """The number of code points of each text."""
        begins = np.frombuffer(self.data, np.uint8) & 0xc0 != 0x80
        return np.diff(np.concatenate([[0], np.cumsum(begins)])[self.offsets])


def encoded(texts: Iterable[str], what: str = 'texts') -> list:
    """Every text as UTF-8. Raises TypeError or EncodingProblem with the index of a value that is not a text."""
    if isinstance(texts, (str, bytes)):
        raise TypeError(f'{what} is one {type(texts).__name__}, not a sequence of str: put it in '
                        'a list')
    if not hasattr(texts, '__len__'):
        texts = list(texts)
    if getattr(texts, 'ndim', 1) != 1:
        raise TypeError(f'{what} has {texts.ndim} dimensions, not one: pass a column')
    try:
        return list(map(str.encode, texts))
    except (TypeError, UnicodeEncodeError):
        for index, text in enumerate(texts):
            _refuse(what, index, text)
        raise


def _refuse(what: str, index: int, text: Any) -> None:
    if isinstance(text, bytes):
        raise TypeError(f'{what}[{index}] is bytes, not str: decode it first')
    if not isinstance(text, str):
        name = f'{text!r}' if text is None or isinstance(text, float) else type(text).__name__
        raise TypeError(f'{what}[{index}] is {name}, not str')
    try:
        text.encode()
    except UnicodeEncodeError as reason:
        raise EncodingProblem(f'{what}[{index}] has a lone surrogate at character {reason.start}: '
                              "it is not valid text; read it with errors='replace'",
                              index=index) from None


def names_of(values: Optional[Sequence[str]]) -> tuple:
    """An array of C strings, and the objects that keep it alive."""
    alive = [ffi.new('char[]', value.encode()) for value in values or ()]
    return ffi.new('char *[]', alive) if alive else ffi.NULL, alive


def settings_of(options: dict) -> tuple:
    """Keywords such as by='kind', retrieval=True, measure=['f_beta:2'] as an array of fp_setting."""
    alive, rows = [], []
    for name, value in options.items():
        if value is None or value is False:
            continue
        flag = ffi.new('char[]', name.rstrip('_').replace('_', '-').encode())
        values = value if isinstance(value, (list, tuple)) else [value]
        if name in LISTED and isinstance(value, (list, tuple)):
            values = [','.join(str(each) for each in value)]
        for each in values:
            text = ffi.NULL if each is True else ffi.new('char[]', str(each).encode())
            alive += [flag, text]
            rows.append({'name': flag, 'value': text})
    return ffi.new('fp_setting[]', rows) if rows else ffi.NULL, len(rows), alive


# Options whose value is a comma-separated list.
LISTED = ('buckets', 'compare_at')


def frames_of(pointer: Any) -> dict:
    """The tables of fp_tables as DataFrames, by name."""
    import pandas
    made = {}
    for table in range(lib.fp_tables_count(pointer)):
        rows = lib.fp_tables_rows(pointer, table)
        columns = {}
        for column in range(lib.fp_tables_columns(pointer, table)):
            name = text_of(lib.fp_tables_column(pointer, table, column))
            columns[name] = _column(pointer, table, column, rows)
        made[text_of(lib.fp_tables_name(pointer, table))] = pandas.DataFrame(columns)
    return made


def _column(pointer: Any, table: int, column: int, rows: int) -> Any:
    numbers = lib.fp_tables_numbers(pointer, table, column)
    if numbers:
        values = np.frombuffer(ffi.buffer(numbers, 8 * rows), np.float64).copy()
        whole = rows and np.all(np.isfinite(values)) and np.all(values == np.floor(values))
        return values.astype(np.int64) if whole and np.all(abs(values) < 2 ** 53) else values
    texts = [text_of(lib.fp_tables_text(pointer, table, column, row)) for row in range(rows)]
    return [None if text == 'NA' else text for text in texts]


def notes_of(pointer: Any) -> list:
    """The notes of fp_tables, one line each."""
    notes = []
    while True:
        note = lib.fp_tables_note(pointer, len(notes))
        if not note:
            return notes
        notes.append(python_names(text_of(note)))
