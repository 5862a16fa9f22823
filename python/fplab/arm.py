# SPDX-License-Identifier: GPL-3.0-or-later
"""Arms: an algorithm with all its settings, as a scikit-learn estimator."""
from __future__ import annotations

from typing import Any, Dict, Iterable, List, NamedTuple, Optional, Sequence, Union

import numpy as np

from fplab import _call
from fplab._call import Arena, NotFittedError, TextColumn, VersionProblem, check, ffi, lib, run
from fplab.sketches import from_library, to_library

SHORT = 64  # up to so many texts, starting a thread costs more than the work
PICKLE = 1  # version of the state of __getstate__


class KeyDesign(NamedTuple):
    """A design of keys: sketches with the same key in a table are candidates.

    ``text`` is the design in the form that ``keys`` takes, ``recall`` the probability that a pair at exactly
    the distance ``within`` is a candidate (1 for bits, where every such pair is one).
    """

    text: str
    tables: int
    within: float
    recall: float


class Parameter(NamedTuple):
    """A parameter of an arm. ``group``: algorithm, features or text."""

    name: str
    group: str
    kind: str
    default: str
    unit: str
    help: str
    minimum: Optional[float]
    maximum: Optional[float]
    choices: Optional[List[str]]


class Arm:
    """An algorithm with its parameters, features and text normalisation.

    Parameters
    ----------
    spec : str
        As on the command line: ``"simhash:bits=64,features=words,weight=tfidf"``.
    threads : int, optional
        Maximum number of threads; default: ``OMP_NUM_THREADS``, else one per processor.
    **parameters
        Parameters that replace those of the spec: ``bits=128``. ``parameters_of`` lists
        them.

    Raises
    ------
    fplab.ValueProblem
        An unknown name (the message suggests the nearest one) or a value out of bounds.

    Compatible with scikit-learn: ``fit``, ``transform``, ``get_params``, ``set_params``, ``clone``,
    pickling. A fitted arm can be used from several threads.
    """

    def __init__(self, spec: str = 'simhash', *, threads: Optional[int] = None, **parameters: Any):
        self.spec = spec
        self.threads = threads
        self.parameters = parameters
        self._open()

    # ---- scikit-learn ----

    def get_params(self, deep: bool = True) -> Dict[str, Any]:
        """The constructor's arguments."""
        return {'spec': self.spec, 'threads': self.threads, **self.parameters}

    def set_params(self, **parameters: Any) -> 'Arm':
        """Changes the constructor's arguments and discards the fit."""
        own = {**self.get_params(), **parameters}
        made = type(self)(**own)
        self.__dict__.update(made.__dict__)
        return self

    def __sklearn_is_fitted__(self) -> bool:
        return self.fitted

    def _more_tags(self) -> dict:
        return {'X_types': ['string'], 'requires_fit': self.learns, 'no_validation': True}

    def fit(self, X: Iterable[str], y: Any = None, *, ids: Optional[Iterable[str]] = None,
            pairs: Optional[Iterable[Sequence[int]]] = None) -> 'Arm':
        """Learns from texts (document frequencies, centres, …), if the arm learns.

        `ids`: for arms that read them (vectors, scores). `pairs`: rows (a, b, label), two indices of
        texts and 0 or 1, for arms that learn from labels. `y` is ignored. Ctrl-C stops within 0.2 s and
        leaves the arm unchanged.
        """
        if not self.learns:
            return self
        made = self._anew()
        texts, named = TextColumn(X), None if ids is None else TextColumn(ids, 'ids')
        rows = [(int(a), int(b), int(label)) for a, b, label in pairs or ()]
        listed = ffi.new('fp_pair[]', rows) if rows else ffi.NULL
        bad = ffi.new('size_t *')
        run(lib.fp_column_fit, made._arm, texts.pointer, named.pointer if named else ffi.NULL,
            listed, len(rows), bad, threads=self.threads, bad=bad)
        made._fitted = True
        self.__dict__.update(made.__dict__)
        return self

    def tally(self, texts: Iterable[str]) -> bytes:
        """The counts of `fit` for these texts: one part of all texts, for fitting on several machines.

        `fit_tallies` takes the tallies of all parts; `merge_tallies` merges several into one. The arm does not change;
        a fitted arm counts for another fit. Raises ValueError for arms whose parts cannot be merged (the oracle), and
        the errors of `fit`.
        """
        column, arena = TextColumn(texts), Arena()
        made, bad = ffi.new('fp_string *'), ffi.new('size_t *')
        run(lib.fp_column_tally, self._arm, column.pointer, arena.pointer, made, bad, threads=self.threads, bad=bad)
        return ffi.buffer(made.data, made.length)[:]

    def merge_tallies(self, tallies: Iterable[bytes]) -> bytes:
        """Merges tallies, in their order, into one."""
        arena, made = Arena(), ffi.new('fp_string *')
        listed, count, alive = strings_of(tallies)
        check(lib.fp_arm_merge_tallies, self._arm, listed, count, arena.pointer, made)
        return ffi.buffer(made.data, made.length)[:]

    def fit_tallies(self, tallies: Iterable[bytes]) -> 'Arm':
        """Learns from the tallies of all parts, instead of `fit`.

        With tallies in the order of the texts, the model equals that of `fit` byte for byte, however the texts are
        divided; but medians (``simhash:center=median``) are off by at most 2^-13 of a range from -1 to 1. Arms with a
        centre that weigh by document frequencies need two rounds: `fitted` is False after the first, and `tally` of
        this arm, or of a pickle of it, counts for the second. Raises ValueError for tallies of another arm or round.
        """
        if not self.learns:
            return self
        made = self._anew() if self._fitted else self
        listed, count, alive = strings_of(tallies)
        again = ffi.new('bool *')
        check(lib.fp_arm_take_tallies, made._arm, listed, count, again)
        made._fitted = not again[0]
        made._first = list(alive) if again[0] else None
        self.__dict__.update(made.__dict__)
        return self

    def transform(self, X: Iterable[str]) -> np.ndarray:
        """The positions (bits or slots) of the fingerprints as numbers, shape (texts, positions).

        Bits are 0 or 1 (uint8), slots uint64. The share of positions that differ is scikit-learn's
        ``metric="hamming"``, so that `NearestNeighbors` can follow in a `Pipeline`. An empty sketch
        has positions like any other. Raises ValueError for arms without bits or slots (sets, vectors): use
        `distances` with ``metric="precomputed"``.
        """
        return self.places(self.sketch(X))

    def fit_transform(self, X: Iterable[str], y: Any = None, **how: Any) -> np.ndarray:
        """`fit`, then `transform`."""
        X = TextColumn(X)
        return self.fit(X, y, **how).transform(X)

    # ---- Fingerprints ----

    def sketch(self, texts: Iterable[str], ids: Optional[Iterable[str]] = None) -> Any:
        """The fingerprints of texts: a `SketchArray`, uint8 of shape (texts, bytes).

        A view into memory of the library, without a copy. A `SketchList` for arms whose fingerprints vary
        in size. Raises TypeError or UnicodeError with the index of a value that is not a text, and
        `NotFittedError`. The result is the same for any number of threads and on any machine.
        """
        return sketch_all([self], texts, ids, self.threads)[0]

    def places(self, sketches: Any) -> np.ndarray:
        """Bits (uint8, 0 or 1) or slots (uint64) of sketches, shape (texts, positions)."""
        pointer, alive = to_library(sketches, self._bytes)
        bits = self._layout.bits
        if bits:
            unpacked = np.unpackbits(alive[0], axis=1, bitorder='little', count=bits)
            return unpacked
        if not self._layout.slots:
            raise _call.ValueProblem(f'{self.name} has neither bits nor slots: use distances, with '
                                     'metric="precomputed"', 'range')
        out = np.empty((len(sketches), self._layout.slots), np.uint64)
        run(lib.fp_column_places, self._arm, pointer, ffi.cast('uint64_t *', out.ctypes.data),
            threads=self.threads)
        return out

    def text(self, sketches: Any) -> List[str]:
        """Fingerprints in the form that `fplab fingerprint` prints."""
        pointer, alive = to_library(sketches, self._bytes)
        arena = Arena()
        return [_call.text_of(lib.fp_arm_text(self._arm, lib_at(pointer, i), arena.pointer))
                for i in range(pointer.count)]

    # ---- Distances ----

    def distances(self, a: Any, b: Any = None, dtype: Any = np.float64) -> np.ndarray:
        """The distances between every sketch of `a` and every sketch of `b` (default: `a`), shape (len(a), len(b)).

        `a` and `b` are sketches; `dtype` is float64 or float32. The unit is `scale`. An empty sketch has the
        largest distance from every sketch.
        """
        kind = number_of(dtype)
        rows, keep_rows = to_library(a, self._bytes)
        columns, keep_columns = (rows, keep_rows) if b is None else to_library(b, self._bytes)
        out = np.empty((rows.count, columns.count), dtype)
        run(lib.fp_column_matrix, self._arm, rows, columns, kind,
            ffi.cast('void *', out.ctypes.data), threads=self.threads,
            direct=out.size < 10000)
        return out

    def pair_distances(self, sketches: Any, a: Any, b: Any, dtype: Any = np.float64) -> np.ndarray:
        """The distances of the pairs (a[i], b[i]), indices into `sketches`; float64 or float32."""
        kind = number_of(dtype)
        pointer, alive = to_library(sketches, self._bytes)
        left, right = places_of(a, 'a'), places_of(b, 'b')
        if left.shape != right.shape:
            raise ValueError(f'a has {left.size} places and b {right.size}')
        out = np.empty(left.size, dtype)
        run(lib.fp_column_distances, self._arm, pointer,
            ffi.cast('uint32_t *', left.ctypes.data), ffi.cast('uint32_t *', right.ctypes.data),
            left.size, kind, ffi.cast('void *', out.ctypes.data), threads=self.threads,
            direct=out.size < 10000)
        return out

    def similarity(self, distance: Any) -> Any:
        """The similarity (`measure`) that corresponds to a distance; NaN if there is none."""
        return _each(lambda d: lib.fp_arm_similarity(self._arm, d), distance)

    def law(self, similarity: float, distance: Any) -> Any:
        """P[distance ≤ h] for two texts of that similarity, by the fingerprint's theoretical distribution."""
        return _each(lambda h: lib.fp_arm_law(self._arm, similarity, h), distance)

    # ---- Keys ----

    def key_design(self, within: float, design: Optional[str] = None, recall: float = 0.99,
                   count: int = 1000000) -> KeyDesign:
        """The key design for pairs up to the distance `within`.

        `design`: ``"blocks=4,agree=2"`` for bits, ``"bands=16,rows=8"`` for slots; None: the choice of
        `fplab dedup` for `count` texts.
        """
        made = ffi.new('fp_key_design *')
        check(lib.fp_key_design_make, self._arm, design.encode() if design else ffi.NULL, within,
              recall, count, made)
        return KeyDesign(_call.text_of(made.text), made.tables, made.within, made.recall)

    def keys(self, sketches: Any, within: float, design: Union[str, KeyDesign, None] = None,
             recall: float = 0.99) -> np.ndarray:
        """uint64 keys of shape (texts, tables): texts with the same key in a column are candidates.

        Leave out empty sketches. docs/distributed.md shows how to join keys in SQL and with `sort`.
        """
        pointer, alive = to_library(sketches, self._bytes)
        if isinstance(design, KeyDesign):
            design = design.text
        made = self.key_design(within, design, recall, max(1, pointer.count))
        form = ffi.new('fp_key_design *', {'tables': made.tables, 'within': within,
                                           'text': made.text.encode()})
        out = np.empty((pointer.count, made.tables), np.uint64)
        run(lib.fp_column_keys, self._arm, form, pointer,
            ffi.cast('uint64_t *', out.ctypes.data), threads=self.threads)
        return out

    # ---- Properties ----

    @property
    def name(self) -> str:
        """The label: name=… of the spec, else the spec as written."""
        return _call.text_of(lib.fp_arm_name(self._arm))

    @property
    def full_spec(self) -> str:
        """The spec with every value written out."""
        return _call.text_of(lib.fp_arm_spec(self._arm))

    @property
    def learns(self) -> bool:
        """Whether the arm learns from texts and must be fitted."""
        return bool(lib.fp_arm_learns(self._arm))

    @property
    def fitted(self) -> bool:
        """Whether the arm can sketch."""
        return self._fitted or not self.learns

    @property
    def scale(self) -> str:
        """The unit of distances, such as "bits of 64"."""
        return _call.text_of(self._layout.scale)

    @property
    def maximum(self) -> float:
        """The largest distance."""
        return self._layout.maximum

    @property
    def measure(self) -> str:
        """The similarity that distances estimate, such as "cosine"; '' if none."""
        return _call.text_of(lib.fp_arm_measure(self._arm))

    @property
    def caution(self) -> Optional[str]:
        """A warning if the arm was fitted on too few texts; else None."""
        return _call.text_of(lib.fp_arm_caution(self._arm)) or None

    def exact(self) -> Optional['Arm']:
        """The arm that computes exactly what this one estimates; None if there is none."""
        arena, made = Arena(), ffi.new('fp_arm **')
        check(lib.fp_arm_counterpart, self._arm, arena.pointer, made)
        if not made[0]:
            return None
        return Arm(_call.text_of(lib.fp_arm_spec(made[0])), threads=self.threads)

    def __repr__(self) -> str:
        more = ''.join(f', {name}={value!r}' for name, value in self.parameters.items())
        if self.threads is not None:
            more += f', threads={self.threads}'
        return f'{type(self).__name__}({self.spec!r}{more})'

    # ---- Pickling and models ----

    def model(self) -> Optional[bytes]:
        """The fitted model, as `fplab fingerprint --save-model` writes it; None if there is none."""
        if not self.learns or not self._fitted:
            return None
        arena, made = Arena(), ffi.new('fp_string *')
        check(lib.fp_arm_model_bytes, self._arm, arena.pointer, made)
        return ffi.buffer(made.data, made.length)[:]

    def take_model(self, model: bytes) -> 'Arm':
        """Loads the bytes of `model`, or of a file of `--save-model`, instead of `fit`."""
        data = ffi.from_buffer(model)
        check(lib.fp_arm_take_model_bytes, self._arm,
              {'data': data, 'length': len(model)})
        self._model_bytes = model
        self._fitted = True
        return self

    def __getstate__(self) -> dict:
        return {'form': PICKLE, 'version': _call.text_of(lib.fp_version()),
                'params': self.get_params(), 'model': self.model(), 'tallies': self._first}

    def __setstate__(self, state: dict) -> None:
        if state.get('form') != PICKLE:
            raise VersionProblem(f'the pickle is of fplab {state.get("version", "?")}, of a form '
                                 'that this version does not read: fit the arm again')
        Arm.__init__(self, **state['params'])
        if state['model'] is not None:
            self.take_model(state['model'])
        if state.get('tallies') is not None:
            self.fit_tallies(state['tallies'])

    # ---- Internals ----

    def _open(self) -> None:
        """Parses the spec into a new arena."""
        if not isinstance(self.spec, str):
            raise TypeError(f'spec is {type(self.spec).__name__}, not str')
        self._arena, made = Arena(), ffi.new('fp_arm **')
        check(lib.fp_arm_parse, with_parameters(self.spec, self.parameters).encode(), ffi.NULL,
              self._arena.pointer, made)
        self._arm, self._fitted = made[0], False
        self._first: Optional[List[bytes]] = None  # tallies of the first round while the second is missing
        self._layout = lib.fp_arm_layout(self._arm)
        self._bytes = self._layout.bytes

    def _anew(self) -> 'Arm':
        """An unfitted copy."""
        made = object.__new__(type(self))
        made.__dict__.update(self.__dict__)
        made._open()
        return made

    def _need_fit(self) -> None:
        if not self.fitted:
            raise NotFittedError(f'{self.name} learns from texts: fit it first')


def sketch_all(arms: Sequence[Arm], texts: Iterable[str], ids: Optional[Iterable[str]] = None,
               threads: Optional[int] = None) -> List[Any]:
    """The fingerprints of texts by several arms, as of `Arm.sketch`, in one pass.

    Arms with the same normalisation and features share that work.
    """
    for arm in arms:
        arm._need_fit()
    column, named = TextColumn(texts), None if ids is None else TextColumn(ids, 'ids')
    arena, made, bad = Arena(), ffi.new('fp_sketches[]', len(arms) or 1), ffi.new('size_t *')
    listed = ffi.new('fp_arm *[]', [arm._arm for arm in arms] or 1)
    run(lib.fp_column_sketches, listed, len(arms), column.pointer, named.pointer if named else ffi.NULL,
        arena.pointer, made, bad, threads=threads, bad=bad, direct=len(column) <= SHORT)
    return [from_library(arena, made + at, arm._bytes) for at, arm in enumerate(arms)]


def number_of(dtype: Any) -> int:
    """The fp_number of a numpy type."""
    if np.dtype(dtype) not in (np.float64, np.float32) or not np.dtype(dtype).isnative:
        raise TypeError(f'distances are float64 or float32, not {np.dtype(dtype)}')
    return lib.FP_FLOAT64 if np.dtype(dtype) == np.float64 else lib.FP_FLOAT32


def strings_of(values: Iterable[bytes]) -> tuple:
    """An array of fp_string, their number, and the objects that keep it alive."""
    if isinstance(values, (bytes, str)):
        raise TypeError(f'tallies is one {type(values).__name__}: put it in a list')
    listed = list(values)
    for at, value in enumerate(listed):
        if not isinstance(value, bytes):
            raise TypeError(f'tallies[{at}] is {type(value).__name__}, not bytes')
    made = ffi.new('fp_string[]', [{'data': ffi.from_buffer(value), 'length': len(value)}
                                   for value in listed] or 1)
    return made, len(listed), listed


def with_parameters(spec: str, parameters: Dict[str, Any]) -> str:
    """The spec with these parameters replaced or added."""
    algorithm, _, rest = spec.partition(':')
    own = [one for one in rest.split(',') if one and one.split('=')[0] not in parameters]
    own += [f'{name}={str(value).lower() if isinstance(value, bool) else value}'
            for name, value in parameters.items()]
    return algorithm + (':' + ','.join(own) if own else '')


def places_of(values: Any, name: str) -> np.ndarray:
    """Indices, integers from 0, as uint32."""
    array = np.asarray(values)
    if array.ndim != 1 or (array.size and array.dtype.kind not in 'iu'):
        raise TypeError(f'{name} is a column of whole numbers, not {array.dtype} of {array.shape}')
    if array.size and (array.min() < 0 or array.max() >= 2 ** 32 - 1):
        raise ValueError(f'{name} has an index out of range: {array.min()} to {array.max()}')
    return np.ascontiguousarray(array, np.uint32)


def lib_at(sketches: Any, i: int) -> Any:
    """fp_sketches_at, an inline function of the header, in Python."""
    if sketches.stride:
        data, size = sketches.data + i * sketches.stride, sketches.stride
    else:
        data, size = sketches.data + sketches.offset[i], sketches.size[i]
    empty = bool(sketches.empty) and sketches.empty[i]
    return ffi.new('fp_sketch *', {'data': data, 'size': size, 'empty': empty})[0]


def _each(function: Any, values: Any) -> Any:
    array = np.asarray(values, np.float64)
    once, place = np.unique(array, return_inverse=True)
    made = np.array([function(float(value)) for value in once], np.float64)[place]
    return float(made[0]) if array.ndim == 0 else made.reshape(array.shape)


def algorithms() -> Any:
    """The algorithms: a DataFrame of name, summary, features (their defaults), measure, citation."""
    import pandas
    rows = []
    while True:
        one = lib.fp_algorithm_at(len(rows))
        if not one:
            return pandas.DataFrame(rows)
        rows.append({key: _call.text_of(getattr(one, key))
                     for key in ('name', 'summary', 'features', 'measure', 'citation')})


def parameters_of(algorithm: str) -> List[Parameter]:
    """All parameters of the algorithm's arms, including those of features and text."""
    error = ffi.new('fp_error *')
    one = lib.fp_algorithm_find(algorithm.encode(), error)
    if not one:
        raise _call.problem(error.code, error)
    made = []
    kinds = {lib.FP_INTEGER: 'integer', lib.FP_REAL: 'real', lib.FP_CHOICE: 'choice',
             lib.FP_TEXT: 'text', lib.FP_FILE: 'file'}
    for number, group in enumerate(('algorithm', 'features', 'text')):
        row = lib.fp_parameters_of(one, number)
        while row.name:
            made.append(_parameter(row, group, kinds[row.type]))
            row += 1
    own = dict(each.split('=', 1) for each in _call.text_of(one.features).split(',') if each)
    return [each._replace(default=own.get(each.name, each.default)) if each.group != 'algorithm'
            else each for each in made]


def _parameter(row: Any, group: str, kind: str) -> Parameter:
    choices: Optional[List[str]] = None
    if row.choices:
        choices = []
        while row.choices[len(choices)]:
            choices.append(_call.text_of(row.choices[len(choices)]))
    bounded = kind in ('integer', 'real')
    return Parameter(_call.text_of(row.name), group, kind, _call.text_of(row.initial),
                     _call.text_of(row.unit), _call.text_of(row.help),
                     row.minimum if bounded else None, row.maximum if bounded else None, choices)
