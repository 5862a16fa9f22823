# SPDX-License-Identifier: GPL-3.0-or-later
"""One text or two, looked at closely: compare, explain, and the program for all else."""
from __future__ import annotations

import html
import json
import os
import shutil
import subprocess
from typing import Any, List, NamedTuple, Optional, Union

from fplab import _call
from fplab._call import Arena, FileProblem, TextColumn, check, ffi, lib
from fplab.arm import Arm
from fplab.evaluation import USUAL, Arms, spec_of


class Step(NamedTuple):
    """A step of an explanation: a title, lines of prose, and a table (a DataFrame) or None."""

    title: str
    lines: List[str]
    table: Any


class Explanation:
    """The steps from a text to its fingerprint, or why two texts differ: ``steps``."""

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
    """Shows the steps of an algorithm on a text, or where the distance of two comes from.

    Raises ValueError where the algorithm does not explain itself, NotFittedError where it learns and
    was not fitted.
    """
    arm = arm if isinstance(arm, Arm) else Arm(arm)
    arm._need_fit()
    column = TextColumn([text] if other is None else [text, other])
    arena = Arena()
    told = lib.fp_explanation_new(arena.pointer)
    base = ffi.from_buffer(column.data)
    strings = ffi.new('fp_string[]', [
        {'data': base + int(column.offsets[i]),
         'length': int(column.offsets[i + 1] - column.offsets[i])} for i in range(len(column))])
    check(lib.fp_arm_explain, arm._arm, strings, len(column), told, ffi.NULL)
    return Explanation([Step(_call.text_of(lib.fp_explanation_title(told, step)),
                             [_call.text_of(lib.fp_explanation_line(told, step, line))
                              for line in range(lib.fp_explanation_lines(told, step))],
                             _table(told, step))
                        for step in range(lib.fp_explanation_steps(told))])


def _table(told: Any, step: int) -> Any:
    import pandas
    columns = lib.fp_explanation_columns(told, step)
    if not columns:
        return None
    number = ffi.new('bool *')
    made = {}
    for column in range(columns):
        name = _call.text_of(lib.fp_explanation_column(told, step, column, number))
        cells = [_call.text_of(lib.fp_explanation_cell(told, step, row, column))
                 for row in range(lib.fp_explanation_rows(told, step))]
        made[name] = pandas.to_numeric(cells, errors='coerce') if number[0] else cells
    return pandas.DataFrame(made)


def compare(a: str, b: str, arms: Optional[Arms] = None) -> Any:
    """Compares two texts, arm by arm: a DataFrame of arm, distance, scale, similarity, measure.

    Default: the arms of `fplab eval`. Arms that learn must be fitted.
    """
    import pandas
    listed = list(USUAL) if arms is None else [arms] if isinstance(arms, (str, Arm)) else arms
    rows = []
    for one in listed:
        arm = one if isinstance(one, Arm) else Arm(spec_of(one))
        sketches = arm.sketch([a, b])
        distance = float(arm.distances(sketches)[0, 1])
        rows.append({'arm': arm.name, 'distance': distance, 'scale': arm.scale,
                     'similarity': arm.similarity(distance), 'measure': arm.measure,
                     'empty': bool(sketches.empty.any())})
    return pandas.DataFrame(rows)


def program(*arguments: Any, input: Optional[str] = None) -> Any:
    """Runs the program `fplab`, for what is not in this package: ``program('plan', '--bits', 64)``.

    The program is that of the variable FPLAB, else the one on the PATH. Gives what it prints; with
    ``'--format', 'json'`` among the arguments a DataFrame, or a dict of them. Raises ValueError
    with its message where it ends with 2 (usage), FileProblem where it fails.
    """
    import pandas
    path = os.environ.get('FPLAB') or shutil.which('fplab')
    if not path:
        raise FileProblem('the program fplab is not on the PATH: install it, or name it with the '
                          'variable FPLAB')
    words = [os.fspath(word) if isinstance(word, os.PathLike) else str(word) for word in arguments]
    done = subprocess.run([path, *words], input=input, capture_output=True, text=True,
                          encoding='utf-8')
    if done.returncode:
        kind = _call.ValueProblem if done.returncode == 2 else FileProblem
        raise kind(done.stderr.strip() or f'fplab ended with {done.returncode}')
    if 'json' not in words:
        return done.stdout
    read = json.loads(done.stdout)
    if isinstance(read, dict) and all(isinstance(rows, list) for rows in read.values()):
        return {name: pandas.DataFrame(rows) for name, rows in read.items()}
    return pandas.DataFrame(read) if isinstance(read, list) else read
