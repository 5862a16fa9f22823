# SPDX-License-Identifier: GPL-3.0-or-later
"""Evaluations and tunings: the tables of `fplab eval` and `fplab tune` as DataFrames."""
from __future__ import annotations

import html
import math
import os
import tempfile
from typing import Any, Dict, Iterable, List, Optional, Sequence, Union

import numpy as np

from fplab import _call
from fplab._call import ValueProblem, ffi, lib, names_of, run, settings_of
from fplab.arm import Arm
from fplab.arrow import Table
from fplab.corpus import Corpus, as_corpus, words_of

USUAL = ('simhash', 'minhash', 'jaccard', 'cosine', 'pinyin')
# Columns in units of distance.
DISTANCES = ('threshold', 'distance', 'best_threshold', 'best_threshold_low',
             'best_threshold_high', 'low', 'high')

Arms = Union[str, Arm, Sequence[Union[str, Arm]]]


def specs_of(arms: Optional[Arms], usual: Sequence[str] = ()) -> List[str]:
    """Arms as specs."""
    if arms is None:
        return list(usual)
    if isinstance(arms, (str, Arm)):
        arms = [arms]
    return [spec_of(arm) for arm in arms]


def spec_of(arm: Union[str, Arm]) -> str:
    """An arm as its spec."""
    if isinstance(arm, str):
        return arm
    if isinstance(arm, Arm):
        from fplab.arm import with_parameters
        return with_parameters(arm.spec, arm.parameters)
    raise TypeError(f'an arm is an Arm or its spec, not {type(arm).__name__}')


class Tables:
    """Tables by name, and notes."""

    def __init__(self, tables: Dict[str, Any], notes: List[str]):
        self.tables = tables
        self.notes = notes

    def table(self, name: str) -> Any:
        """The table NAME.tsv of `--out` as a DataFrame; missing numbers are NaN, other missing cells None.

        docs/evaluation.md describes the tables. Raises ValueError, which lists the tables, for an unknown name.
        """
        if name not in self.tables:
            raise ValueProblem(f'there is no table "{name}"; there are: '
                               + ', '.join(self.tables), 'unknown')
        return self.tables[name]

    def arrow(self, name: str) -> Table:
        """The table as a `Table`, which offers Arrow's capsules: ``polars.DataFrame(evaluation.arrow("curves"))``."""
        return Table(self.table(name))


class Evaluation(Tables):
    """Arms measured on labelled texts, with intervals: the results of `fplab eval`.

    Made by `from_corpus`, `from_frame` and `from_scores`. `tables` has every table by name, `notes` the
    warnings and remarks (an arm fitted on too few texts, texts without features).

    Keywords are the options of `fplab eval` that select what is computed: ``by="kind"``,
    ``level="cluster"``, ``retrieval=True``, ``prevalence=0.001``, ``measure=["f_beta:2"]``,
    ``replicates``, ``seed``, ``thresholds="0..16"``, … (`fplab eval --help`). Ctrl-C stops the work within
    0.2 s. Results are the same for any number of threads, and equal those of the command line.
    """

    @classmethod
    def from_corpus(cls, corpus: Any, arms: Optional[Arms] = None, *,
                    threads: Optional[int] = None, **options: Any) -> 'Evaluation':
        """Evaluates arms (default: those of `fplab eval`) on a corpus, the path of one, or a list of these.

        Arms that learn are fitted to each corpus. Raises ValueError for an unknown option or an invalid
        value, for a corpus without labels, for two arms of one name.
        """
        sources = corpus if isinstance(corpus, (list, tuple)) else [corpus]
        by = options.get('by')
        fields = [by] if by and by not in ('kind', 'length') else []
        corpora = [as_corpus(one, fields) for one in sources]
        listed = ffi.new('fp_corpus *[]', [one._corpus for one in corpora])
        specs, alive = names_of(specs_of(arms, USUAL))
        settings, count, keep = settings_of(options)
        made = ffi.new('fp_tables **')
        run(lib.fp_evaluate, listed, len(corpora), specs, len(alive), ffi.NULL, settings, count,
            made, threads=threads)
        pointer = ffi.gc(made[0], lib.fp_tables_free)
        tables = {name.replace('-', '_'): frame
                  for name, frame in _call.frames_of(pointer).items()}
        return cls(tables, _call.notes_of(pointer))

    @classmethod
    def from_frame(cls, frame: Any, arms: Optional[Arms] = None, *, text: str = 'text',
                   group: Optional[str] = None, text_a: Optional[str] = None,
                   text_b: Optional[str] = None, label: Optional[str] = None,
                   kind: Optional[str] = None, id: Optional[str] = None, name: str = 'frame',
                   threads: Optional[int] = None, **options: Any) -> 'Evaluation':
        """Evaluates arms on a table of grouped texts or of labelled pairs.

        Name either `text` and `group`, or `text_a`, `text_b` and `label` (default: the pairs if the table
        has columns of all three names). Raises ValueError, which lists the columns, for one that does not
        exist.
        """
        from fplab.corpus import as_frame, columns_of
        frame = as_frame(frame)
        names = columns_of(frame)
        pairs = text_a or text_b or label
        if not pairs and group is None:
            pairs = all(one in names for one in ('text_a', 'text_b', 'label'))
            group = None if pairs else 'group'
        if pairs:
            corpus = Corpus.from_pairs(frame, text_a=text_a or 'text_a', text_b=text_b or 'text_b',
                                       label=label or 'label', kind=kind, name=name)
        else:
            by = options.get('by')
            fields = [by] if by and by not in ('kind', 'length') else []
            corpus = Corpus.from_frame(frame, text=text, group=group, id=id, fields=fields,
                                       name=name)
        return cls.from_corpus(corpus, arms, threads=threads, **options)

    @classmethod
    def from_scores(cls, y_true: Any, distances: Any, *, groups: Optional[Any] = None,
                    name: str = 'scores', threads: Optional[int] = None,
                    **options: Any) -> 'Evaluation':
        """Evaluates distances computed elsewhere.

        Parameters
        ----------
        y_true : array of 0 and 1 (or bool), shape (pairs,)
        distances : array of floats from 0 on, shape (pairs,), or a dict of several by name
            Smaller means nearer. For similarities s in [0, 1] pass 1 − s.
        groups : array, shape (pairs,), optional
            Pairs with the same value are dependent (pairs of one document or one query): the bootstrap and
            the intervals treat them as one cluster. Default: all pairs are independent.

        Intervals are computed at 128 to 256 equally spaced thresholds from 0 to the largest distance.
        """
        labels = _labels(y_true)
        named = distances if isinstance(distances, dict) else {name: distances}
        columns = {key: _scores(values, len(labels), key) for key, values in named.items()}
        largest = max((float(values.max()) for values in columns.values() if len(values)),
                      default=0)
        # A power of two, so that nothing is rounded. Thresholds are the integers up to 256.
        scale = 2.0 ** (8 - math.ceil(math.log2(largest))) if largest > 0 else 1.0
        texts = [f'{side}{row}' for row in range(len(labels)) for side in 'ab']
        own = None if groups is None else np.repeat(np.asarray(words_of(groups), object), 2)
        if own is not None and len(own) != len(texts):
            raise ValueProblem(f'{len(own) // 2} groups for {len(labels)} pairs', 'range')
        rows = [(2 * row, 2 * row + 1, int(one)) for row, one in enumerate(labels)]
        corpus = Corpus.from_texts(texts, ids=texts, groups=own, pairs=rows, name=name)
        with tempfile.TemporaryDirectory() as place:
            specs = [_write_scores(os.path.join(place, f'{at}.tsv'), values * scale, key)
                     for at, (key, values) in enumerate(columns.items())]
            made = cls.from_corpus(corpus, specs, threads=threads, **options)
        for table in made.tables.values():
            _rescale(table, scale)
        return made

    # ---- Results ----

    @property
    def arms(self) -> List[str]:
        """The arms by name, the best first."""
        rows = self.table('answer').sort_values('place', kind='stable')
        return list(dict.fromkeys(rows['arm']))

    @property
    def answer(self) -> Any:
        """The best arm and its threshold: a Series with precision, recall and their intervals.

        Best by average precision, at the threshold of the best F1. That threshold is chosen on the
        evaluated texts, hence optimistic: `tune` uses held-out texts. For several corpora a DataFrame.
        """
        best = self.table('answer').query('place == 1').reset_index(drop=True)
        return best.iloc[0] if len(best) == 1 else best

    def curve(self, arm: Optional[str] = None, corpus: Optional[str] = None) -> Any:
        """Precision and recall by distance: a DataFrame of distance, precision and recall."""
        table = self._of('curves', arm, corpus)
        return table[['distance', 'precision', 'recall']].reset_index(drop=True)

    def thresholds(self, arm: Optional[str] = None, corpus: Optional[str] = None) -> Any:
        """Counts, precision, recall and F1 with intervals, one row per threshold."""
        return self._of('results', arm, corpus).reset_index(drop=True)

    def _of(self, name: str, arm: Optional[str], corpus: Optional[str]) -> Any:
        table = self.table(name)
        arm = self.arms[0] if arm is None else arm
        if arm not in self.arms:
            raise ValueProblem(f'there is no arm "{arm}"; there are: ' + ', '.join(self.arms),
                               'unknown')
        corpora = list(dict.fromkeys(table['corpus']))
        corpus = corpora[0] if corpus is None else corpus
        return table[(table['arm'] == arm) & (table['corpus'] == corpus)]

    def __repr__(self) -> str:
        return '\n'.join(_sentence(row) for _, row in
                         self.table('answer').query('place == 1').iterrows())

    def _repr_html_(self) -> str:
        cards = []
        for _, row in self.table('answer').query('place == 1').iterrows():
            figures = ''.join(
                f'<tr><td>{title}</td><td><b>{row[key]:.3f}</b></td>'
                f'<td>{row[key + "_low"]:.3f} – {row[key + "_high"]:.3f}</td></tr>'
                for key, title in (('precision', 'precision'), ('recall', 'recall'), ('f1', 'F1')))
            cards.append(
                '<div style="border:1px solid #999;border-radius:4px;padding:.6em 1em;'
                f'display:inline-block"><b>{html.escape(str(row["arm"]))}</b> '
                f'at ≤ {row["threshold"]:g} ({html.escape(str(row["scale"]))}) on '
                f'{html.escape(str(row["corpus"]))}<table>{figures}</table>'
                '<small>95% intervals; the threshold is chosen where it is measured</small></div>')
        return ''.join(cards)


class Tuning(Tables):
    """Which arm and threshold to use, measured on held-out texts: the results of `fplab tune`.

    `advice` states the recommendation in words; `leaderboard`, `pareto` and `folds` are tables.
    """

    @property
    def leaderboard(self) -> Any:
        """Every arm, the best first, with held-out results and the difference from the first."""
        return self.table('leaderboard')

    @property
    def pareto(self) -> Any:
        """Quality, bytes per document and microseconds per document."""
        return self.table('pareto')

    @property
    def folds(self) -> Any:
        """The choice made without each fold."""
        return self.table('folds')

    @property
    def advice(self) -> str:
        """The recommendation in one or two sentences, and how to interpret it."""
        return '\n'.join(self.notes)

    @property
    def spec(self) -> str:
        """The spec of the recommended arm."""
        return str(self.leaderboard['spec'][0])

    @property
    def arm(self) -> Arm:
        """The recommended arm; if it learns, fit it to your texts."""
        return Arm(self.spec)

    @property
    def threshold(self) -> float:
        """The largest distance of near-duplicates; NaN if no arm is recommended."""
        return float(self.leaderboard['threshold'][0])

    def __repr__(self) -> str:
        return self.advice


def tune(corpus: Any, grid: Optional[Arms] = None, *, threads: Optional[int] = None,
         **options: Any) -> Tuning:
    """Evaluates every arm of a grid at every threshold on held-out groups (nested cross-validation).

    `grid`: arms with alternatives, ``"simhash:bits=64|128,features=words|chars:3"``; None: a small
    default grid. Keywords are the options of `fplab tune`: ``min_precision``, ``beta``, ``folds``,
    ``seed``, ``replicates``, ``negatives``, ``equivalence``; ``save=PATH`` writes the choice for the
    program's ``--choice``. A large grid takes long and starts without confirmation; Ctrl-C stops it.
    """
    opened = as_corpus(corpus)
    specs, alive = names_of(specs_of(grid))
    if options.get('save') is not None:
        options['save'] = os.fspath(options['save'])
    settings, count, keep = settings_of(options)
    made = ffi.new('fp_tables **')
    run(lib.fp_tune_grid, opened._corpus, specs, len(alive), ffi.NULL, settings, count, made,
        threads=threads)
    pointer = ffi.gc(made[0], lib.fp_tables_free)
    return Tuning(_call.frames_of(pointer), _call.notes_of(pointer))


# ---- Scores ----

def _labels(y_true: Any) -> np.ndarray:
    labels = np.asarray(y_true)
    if labels.ndim != 1 or not len(labels) or labels.dtype.kind not in 'biuf':
        raise TypeError(f'y_true is a column of 0 and 1, not {labels.dtype} of {labels.shape}')
    if not np.isin(labels, (0, 1)).all():
        raise ValueProblem('y_true has a label that is neither 0 nor 1', 'range')
    return labels.astype(np.int64)


def _scores(values: Any, count: int, name: str) -> np.ndarray:
    array = np.asarray(values, np.float64)
    if array.shape != (count,):
        raise ValueProblem(f'{name} has the shape {array.shape}, and there are {count} labels',
                           'range')
    bad = np.flatnonzero(~(np.isfinite(array) & (array >= 0)))
    if len(bad):
        raise ValueProblem(f'{name}[{bad[0]}] is {array[bad[0]]}: a distance is finite and 0 or '
                           'more', 'range')
    return array


def _write_scores(path: str, distances: Iterable[float], name: str) -> str:
    with open(path, 'w', encoding='utf-8') as file:
        file.writelines(f'a{row}\tb{row}\t{value!r}\n' for row, value in
                        enumerate(np.asarray(distances).tolist()))
    return f'scores:file={path},maximum=256,name={name}'


def _rescale(table: Any, scale: float) -> None:
    low = 'positives' in table.columns  # if so, low and high are ends of bars; elsewhere of intervals
    for column in table.columns:
        if column in DISTANCES and (column not in ('low', 'high') or low) and scale != 1:
            table[column] = table[column] / scale
    if 'scale' in table.columns:
        table['scale'] = 'distance'


def _sentence(row: Any) -> str:
    return (f'{row["corpus"]}: {row["arm"]} at ≤ {row["threshold"]:g} ({row["scale"]}): precision '
            f'{row["precision"]:.3f} ({row["precision_low"]:.3f}–{row["precision_high"]:.3f}), '
            f'recall {row["recall"]:.3f} ({row["recall_low"]:.3f}–{row["recall_high"]:.3f})')
