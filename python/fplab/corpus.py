# SPDX-License-Identifier: GPL-3.0-or-later
"""Corpora: texts, and labels of near-duplicates."""
from __future__ import annotations

import os
from typing import Any, Dict, Iterable, List, Optional, Sequence

import numpy as np

from fplab import _call
from fplab._call import TextColumn, ValueProblem, check, ffi, lib, names_of, run
from fplab.arrow import Table, is_arrow

POSITIVE = _call.text_of(lib.FP_LABEL_POSITIVE).split()
NEGATIVE = _call.text_of(lib.FP_LABEL_NEGATIVE).split()


class Corpus:
    """Documents and ground truth: groups of duplicates, or labelled pairs. Read-only.

    Made by `read_corpus`, `Corpus.from_texts`, `Corpus.from_frame` and `Corpus.from_pairs`. Texts of a
    corpus directory stay on disk.
    """

    def __init__(self, pointer: Any):
        self._corpus = ffi.gc(pointer, lib.fp_corpus_close)

    # ---- Construction ----

    @classmethod
    def from_texts(cls, texts: Iterable[str], *, groups: Optional[Iterable[Any]] = None,
                   pairs: Optional[Iterable[Sequence[int]]] = None,
                   ids: Optional[Iterable[str]] = None,
                   kinds: Optional[Iterable[str]] = None,
                   fields: Optional[Dict[str, Iterable[Any]]] = None,
                   name: str = 'corpus') -> 'Corpus':
        """A corpus of texts in memory; copies them.

        `groups`: one value per text; texts with the same value are duplicates, None and NaN mean no
        group. `pairs`: rows (a, b, label), two indices of texts and 0 or 1; they become the ground truth.
        `kinds`: one word per pair. `fields`: columns by which an evaluation can divide the texts. Raises
        ValueError for inconsistent arguments, UnicodeError for a text that is not valid Unicode.
        """
        alive: List[Any] = [TextColumn(texts)]

        def column(values: Optional[Iterable[Any]], what: str) -> Any:
            if values is None:
                return ffi.NULL
            alive.append(TextColumn(values if isinstance(values, TextColumn) else words_of(values), what))
            return alive[-1].pointer

        rows = pair_rows(pairs)
        field_names, names = names_of(list(fields or ()))
        listed = [column(values, name) for name, values in (fields or {}).items()]
        keep_name = ffi.new('char[]', name.encode())
        form = ffi.new('fp_corpus_columns *', {
            'size': ffi.sizeof('fp_corpus_columns'), 'name': keep_name,
            'texts': alive[0].pointer, 'ids': column(ids, 'ids'),
            'groups': column(groups, 'groups'), 'kinds': column(kinds, 'kinds'),
            'pairs': ffi.cast('fp_pair *', rows.ctypes.data) if len(rows) else ffi.NULL,
            'pair_count': len(rows), 'field_count': len(listed), 'field_names': field_names})
        fields_made = ffi.new('fp_text_column[]', [one[0] for one in listed] or 1)
        form.fields = fields_made
        made = ffi.new('fp_corpus **')
        check(lib.fp_corpus_of_columns, form, ffi.NULL, made)
        return cls(made[0])

    @classmethod
    def from_frame(cls, frame: Any, *, text: str = 'text', group: Optional[str] = None,
                   id: Optional[str] = None, fields: Sequence[str] = (),
                   name: str = 'corpus') -> 'Corpus':
        """A corpus of a table with one text per row: pandas, Arrow, polars, a Hugging Face dataset, a
        dict of columns. `text`, `group`, `id` and `fields` name its columns; without `group` there is
        no ground truth. Raises ValueError, which lists the columns, for one that does not exist.
        """
        frame = as_frame(frame)
        return cls.from_texts(column_of(frame, text),
                              groups=None if group is None else column_of(frame, group),
                              ids=None if id is None else column_of(frame, id),
                              fields={one: column_of(frame, one) for one in fields}, name=name)

    @classmethod
    def from_pairs(cls, frame: Any, *, text_a: str = 'text_a', text_b: str = 'text_b',
                   label: str = 'label', kind: Optional[str] = None,
                   name: str = 'corpus') -> 'Corpus':
        """A corpus of a table with one labelled pair per row.

        Reads the table as `fplab eval pairs.csv` does: equal texts are one document; rows with an empty
        text or two equal texts are left out; repeated pairs count once; labels are 0 or 1, booleans, or
        words such as yes and no. Raises ValueError for an invalid label and for rows that contradict
        each other.
        """
        frame = as_frame(frame)
        left, right = list(column_of(frame, text_a)), list(column_of(frame, text_b))
        labels = [label_of(value, row) for row, value in enumerate(column_of(frame, label))]
        _call.encoded(left, text_a), _call.encoded(right, text_b)
        kinds = [name] * len(left) if kind is None else words_of(column_of(frame, kind))
        places: Dict[str, int] = {}
        seen: Dict[tuple, int] = {}
        rows, kept = [], []
        for row, (a, b, one) in enumerate(zip(left, right, labels)):
            if not a or not b or a == b:
                continue
            at = tuple(places.setdefault(text, len(places)) for text in (a, b))
            key = (min(at), max(at))
            if key in seen:
                if labels[seen[key]] != one:
                    raise ValueProblem(f'row {row} has the other label of the pair in row '
                                       f'{seen[key]}', 'duplicate')
                continue
            seen[key] = row
            rows.append((*at, one))
            kept.append(kinds[row])
        return cls.from_texts(list(places), pairs=rows, kinds=kept, name=name)

    # ---- Contents ----

    @property
    def name(self) -> str:
        """The directory, or the given name."""
        return _call.text_of(lib.fp_corpus_name(self._corpus))

    def __len__(self) -> int:
        return lib.fp_corpus_document_count(self._corpus)

    @property
    def truth(self) -> str:
        """'pairs', 'groups' or 'none'."""
        return ('none', 'pairs', 'groups')[lib.fp_corpus_truth(self._corpus)]

    @property
    def ids(self) -> List[str]:
        """The id of every document."""
        return [_call.string_of(lib.fp_corpus_id(self._corpus, i)) for i in range(len(self))]

    @property
    def texts(self) -> List[str]:
        """The texts, read from disk."""
        made: List[str] = []

        @ffi.callback('fp_status(void *, size_t, fp_string, fp_error *)', error=lib.FP_ERROR_MEMORY)
        def visit(_context: Any, _document: int, text: Any, _error: Any) -> int:
            made.append(_call.string_of(text))
            return lib.FP_OK

        check(lib.fp_corpus_read_texts, self._corpus, visit, ffi.NULL)
        return made

    @property
    def groups(self) -> np.ndarray:
        """The group number of each document, −1 for none; shape (documents,), int64."""
        made = np.array([lib.fp_corpus_group(self._corpus, i) for i in range(len(self))], np.int64)
        made[made == 2 ** 32 - 1] = -1
        return made

    @property
    def pairs(self) -> Any:
        """The labelled pairs: a DataFrame of the document indices a and b, and label."""
        import pandas
        count = ffi.new('size_t *')
        rows = lib.fp_corpus_pairs(self._corpus, count)
        made = np.empty(0, PAIR)
        if count[0]:
            made = np.frombuffer(ffi.buffer(rows, count[0] * PAIR.itemsize), PAIR)
        return pandas.DataFrame({key: made[key].astype(np.int64) for key in ('a', 'b', 'label')})

    def __repr__(self) -> str:
        return f'<fplab.Corpus {self.name}: {len(self)} documents, truth: {self.truth}>'


PAIR = np.dtype({'names': ['a', 'b', 'label'], 'formats': ['u4', 'u4', 'u1'],
                 'offsets': [0, 4, 8], 'itemsize': ffi.sizeof('fp_pair')})


def read_corpus(path: Any, *, skip_bad: bool = False, fields: Sequence[str] = (), **columns: Any) -> Corpus:
    """Reads a corpus directory (docs.jsonl, pairs.tsv), as `fplab eval DIRECTORY` does, or a table.

    `skip_bad` skips bad rows and warns with their number. `fields`: fields of the documents by which
    evaluations can divide them, such as "lang". Raises FileProblem, UnicodeError and ValueError with
    file, line and byte.

    A table (pandas, an Arrow stream, a Hugging Face dataset, a dict of columns) is passed with
    `columns` (``text="body"``) to `Corpus.from_pairs` if they have a label, else to `Corpus.from_frame`.
    """
    if not isinstance(path, (str, os.PathLike)):
        if 'label' in columns:
            return Corpus.from_pairs(path, **columns)
        return Corpus.from_frame(path, fields=fields, **columns)
    if columns:
        raise TypeError(f'{", ".join(columns)}: names of columns go with a table, not with a path')
    names, alive = names_of([*fields])
    listed = ffi.new('char *[]', [*alive, ffi.NULL]) if alive else ffi.NULL
    made = ffi.new('fp_corpus **')
    opening = ffi.new('fp_corpus_opening *', {'size': ffi.sizeof('fp_corpus_opening'),
                                              'skip_bad': skip_bad, 'fields': listed})

    def open_with(progress: Any, error: Any) -> int:
        opening.progress = progress
        return lib.fp_corpus_open(os.fsencode(path), opening, made, error)

    run(open_with)
    corpus = Corpus(made[0])
    skipped = lib.fp_corpus_skipped(made[0])
    if skipped:
        import warnings
        warnings.warn(f'{path}: {skipped} bad rows were left out', stacklevel=2)
    return corpus


def as_corpus(source: Any, fields: Sequence[str] = ()) -> Corpus:
    """Returns a corpus unchanged, or reads the one at a path."""
    if isinstance(source, Corpus):
        return source
    if isinstance(source, (str, os.PathLike)):
        return read_corpus(source, fields=fields)
    raise TypeError(f'a corpus is a Corpus or the path of one, not {type(source).__name__}: make '
                    'one with Corpus.from_frame')


def as_frame(frame: Any) -> Any:
    """Returns a table unchanged; an Arrow stream, which can be read once, becomes a `Table`."""
    return Table(frame) if is_arrow(frame) else frame


def columns_of(frame: Any) -> List[str]:
    """The names of the columns of a table."""
    if hasattr(frame, 'column_names'):
        return list(frame.column_names)
    if hasattr(frame, 'columns'):
        return [str(name) for name in frame.columns]
    return list(frame)


def column_of(frame: Any, name: str) -> Any:
    """One column of a table, by its name."""
    if name not in columns_of(frame):
        raise ValueProblem(f'there is no column "{name}"; there are: '
                           + ', '.join(columns_of(frame)), 'unknown')
    values = frame[name]
    return values.to_pylist() if hasattr(values, 'to_pylist') else values


def words_of(values: Iterable[Any]) -> List[str]:
    """Values as str; missing ones become ''."""
    made = []
    for value in values:
        if isinstance(value, (str, bytes)):
            made.append(value)
        else:
            made.append('' if _call.missing(value) else str(value))
    return made


def label_of(value: Any, row: int) -> int:
    """A label as 0 or 1."""
    word = str(value).strip().lower()
    if word in POSITIVE:
        return 1
    if word in NEGATIVE:
        return 0
    raise ValueProblem(f'row {row} has the label {value!r}: a label is 0 or 1, yes or no', 'syntax')


def pair_rows(pairs: Optional[Iterable[Sequence[int]]]) -> np.ndarray:
    """Rows (a, b, label) as fp_pair."""
    rows = [tuple(int(value) for value in row) for row in pairs] if pairs is not None else []
    for at, row in enumerate(rows):
        if len(row) != 3 or min(row) < 0 or max(row[:2]) >= 2 ** 32 - 1 or row[2] > 255:
            raise ValueProblem(f'pair {at} is {row}: a pair is two indices and a label, 0 or 1',
                               'range')
    return np.array(rows, PAIR)
