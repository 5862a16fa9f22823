# SPDX-License-Identifier: GPL-3.0-or-later
"""Functions on one or two texts (explain, compare, align), and `program` to run fplab."""
from __future__ import annotations

import html
import json
import os
import shutil
import subprocess
from typing import Any, List, NamedTuple, Optional, Union

import numpy as np

from fplab import _call
from fplab._call import Arena, FileProblem, TextColumn, ValueProblem, check, ffi, lib
from fplab.arm import Arm, sketch_all
from fplab.evaluation import USUAL, Arms, spec_of


class Step(NamedTuple):
    """A step of an explanation: a title, lines of prose, and a table (a DataFrame) or None."""

    title: str
    lines: List[str]
    table: Any


class Explanation:
    """The steps from a text to its fingerprint, or to the distance of two texts: ``steps``."""

    def __init__(self, steps: List[Step]):
        self.steps = steps

    def __str__(self) -> str:
        parts = []
        for number, step in enumerate(self.steps, 1):
            parts += [f'{number}. {step.title}', *(f'   {line}' for line in step.lines)]
            if step.table is not None:
                parts.append(step.table.to_string(index=False))
        return '\n'.join(parts)

    def _repr_html_(self) -> str:
        return ''.join(
            f'<h4>{html.escape(step.title)}</h4>'
            + ''.join(f'<p>{html.escape(line)}</p>' for line in step.lines)
            + ('' if step.table is None else step.table.to_html(index=False))
            for step in self.steps)


def explain(arm: Union[str, Arm], text: str, other: Optional[str] = None) -> Explanation:
    """Explains the steps of an algorithm on a text, or the distance of two texts.

    Raises ValueError if the algorithm has no explanation, NotFittedError if the arm learns and is not
    fitted.
    """
    arm = arm if isinstance(arm, Arm) else Arm(arm)
    arm._need_fit()
    column = TextColumn([text] if other is None else [text, other])
    arena = Arena()
    explanation = lib.fp_explanation_new(arena.pointer)
    base = ffi.from_buffer(column.data)
    strings = ffi.new('fp_string[]', [
        {'data': base + int(column.offsets[i]),
         'length': int(column.offsets[i + 1] - column.offsets[i])} for i in range(len(column))])
    check(lib.fp_arm_explain, arm._arm, strings, len(column), explanation, ffi.NULL)
    return Explanation([Step(_call.text_of(lib.fp_explanation_title(explanation, step)),
                             [_call.text_of(lib.fp_explanation_line(explanation, step, line))
                              for line in range(lib.fp_explanation_lines(explanation, step))],
                             _table(explanation, step))
                        for step in range(lib.fp_explanation_steps(explanation))])


def _table(explanation: Any, step: int) -> Any:
    import pandas
    columns = lib.fp_explanation_columns(explanation, step)
    if not columns:
        return None
    number = ffi.new('bool *')
    made = {}
    for column in range(columns):
        name = _call.text_of(lib.fp_explanation_column(explanation, step, column, number))
        cells = [_call.text_of(lib.fp_explanation_cell(explanation, step, row, column))
                 for row in range(lib.fp_explanation_rows(explanation, step))]
        made[name] = pandas.to_numeric(cells, errors='coerce') if number[0] else cells
    return pandas.DataFrame(made)


def compare(a: str, b: str, arms: Optional[Arms] = None) -> Any:
    """Compares two texts, arm by arm: a DataFrame of arm, distance, scale, similarity, measure.

    Default: the arms of `fplab eval`. Arms that learn must be fitted.
    """
    import pandas
    listed = list(USUAL) if arms is None else [arms] if isinstance(arms, (str, Arm)) else arms
    rows, opened = [], [one if isinstance(one, Arm) else Arm(spec_of(one)) for one in listed]
    for arm, sketches in zip(opened, sketch_all(opened, [a, b])):
        distance = float(arm.distances(sketches)[0, 1])
        rows.append({'arm': arm.name, 'distance': distance, 'scale': arm.scale,
                     'similarity': arm.similarity(distance), 'measure': arm.measure,
                     'empty': bool(sketches.empty.any())})
    return pandas.DataFrame(rows)


class Alignment:
    """The common passages of two texts.

    ``share``: the shares of a and of b in common passages; ``same``: the number of equal characters in them;
    ``characters``: of a and of b (white space and control characters do not count). ``passages`` and ``runs``: tables.
    """

    def __init__(self, texts: tuple, made: Any):
        self.texts = texts
        self.same, self.characters = int(made.same), tuple(made.characters)
        self.share = tuple(made.share)
        self._rows = []
        for i in range(made.count):
            one = made.passages[i]
            runs = [(*one.runs[r].begin, *one.runs[r].end) for r in range(one.run_count)]
            self._rows.append((one.same, *getattr(one, 'from'), *one.to, *one.begin, *one.end, *one.characters, runs))

    @property
    def passages(self) -> Any:
        """A DataFrame, the passage with the most equal characters first: same, and for a and b: from_a, to_a (indices
        into the str), characters_a (compared characters), share_a (of the text), text_a (the passage).
        """
        import pandas
        columns: dict = {'same': [row[0] for row in self._rows]}
        for side, name in enumerate('ab'):
            span = [(row[1 + side], row[3 + side]) for row in self._rows]
            columns['from_' + name], columns['to_' + name] = ([one[end] for one in span] for end in (0, 1))
            columns['characters_' + name] = [row[9 + side] for row in self._rows]
            columns['share_' + name] = [row[0] / self.characters[side] for row in self._rows]
            columns['text_' + name] = [self.texts[side][begin:end] for begin, end in span]
        return pandas.DataFrame(columns)

    @property
    def runs(self) -> Any:
        """A DataFrame of the equal runs: the index of their passage, and from_a, to_a, from_b, to_b in the str. Text
        between two runs of a passage is in one text only.
        """
        import pandas
        place = [_characters_of(text) for text in self.texts]
        rows = [(at, *(int(place[side][one[end + side]]) for side in (0, 1) for end in (0, 2)))
                for at, row in enumerate(self._rows) for one in row[11]]
        return pandas.DataFrame(rows, columns=['passage', 'from_a', 'to_a', 'from_b', 'to_b'])

    def __repr__(self) -> str:
        return (f'<fplab.Alignment: {len(self._rows)} common passages, {self.same} characters: '
                f'{self.share[0]:.1%} of a, {self.share[1]:.1%} of b>')


def _characters_of(text: str) -> Any:
    """The index in the str of each byte of its UTF-8, and of the end."""
    begins = np.frombuffer(text.encode(), np.uint8) & 0xc0 != 0x80
    return np.concatenate([[0], np.cumsum(begins)])


def align(a: str, b: str, least: int = int(lib.FP_ALIGNMENT_LEAST)) -> Alignment:
    """The common passages of two texts, as `fplab align` shows them.

    `least`: minimum length of a passage, in equal Han characters; other characters count half. Single characters of a
    passage may be changed, added or left out; case, width and script make no difference. fplab/alignment.h describes
    the algorithm and cites sources. Raises TypeError and UnicodeError for an invalid text, ValueError for `least` < 2.
    """
    column, arena = TextColumn([a, b], 'texts'), Arena()
    base, made = ffi.from_buffer(column.data), ffi.new('fp_alignment *')
    strings = [{'data': base + int(column.offsets[i]), 'length': int(column.offsets[i + 1] - column.offsets[i])}
               for i in range(2)]
    if least < 1:
        raise ValueProblem(f'least is at least 2 characters, not {least}', 'range')
    check(lib.fp_align, *strings, least, arena.pointer, made)
    return Alignment((a, b), made)


def program(*arguments: Any, input: Optional[str] = None) -> Any:
    """Runs the program `fplab`, for commands that are not in this package: ``program('plan', '--bits', 64)``.

    Runs the program named by the variable FPLAB, else the one on the PATH. Returns its output; with
    ``'--format', 'json'`` among the arguments a DataFrame, or a dict of DataFrames. Raises ValueError with
    its message if it exits with status 2 (usage), FileProblem for any other failure.
    """
    import pandas
    path = os.environ.get('FPLAB') or shutil.which('fplab')
    if not path:
        raise FileProblem('the program fplab is not on the PATH: install it, or set the '
                          'variable FPLAB')
    words = [os.fspath(word) if isinstance(word, os.PathLike) else str(word) for word in arguments]
    done = subprocess.run([path, *words], input=input, capture_output=True, text=True,
                          encoding='utf-8')
    if done.returncode:
        kind = _call.ValueProblem if done.returncode == 2 else FileProblem
        raise kind(done.stderr.strip() or f'fplab exited with status {done.returncode}')
    if 'json' not in words:
        return done.stdout
    read = json.loads(done.stdout)
    if isinstance(read, dict) and all(isinstance(rows, list) for rows in read.values()):
        return {name: pandas.DataFrame(rows) for name, rows in read.items()}
    return pandas.DataFrame(read) if isinstance(read, list) else read
