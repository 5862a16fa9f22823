# SPDX-License-Identifier: GPL-3.0-or-later
"""`fplab dedup` and `fplab cluster` on Dask: many machines, the same results (docs/distributed.md)."""
from __future__ import annotations

import glob
import os
from typing import Any, Dict, Iterator, List, Optional, Sequence, Union

import dask
import numpy as np

from fplab import stages
from fplab._call import ValueProblem
from fplab.arm import Arm

PIECE = 64 << 20  # bytes of a partition of a file


class Distributed:
    """The results, as files in `directory`, and the `report` of counts and settings."""

    def __init__(self, directory: str, report: Dict[str, Any]):
        self.directory, self.report = directory, report

    def parts(self, name: str) -> List[str]:
        """The files of a table, one per partition, in the order of the texts, without header lines."""
        place = os.path.join(self.directory, self.report['result'])
        return [os.path.join(place, each, name) for each in sorted(os.listdir(place), key=int)]

    def lines(self, name: str) -> Iterator[str]:
        """The lines of a table, the header first."""
        if name == 'clusters':
            with open(os.path.join(self.directory, 'clusters.tsv'), encoding='utf-8') as file:
                yield from file
            return
        yield stages.HEADS[name]
        for part in self.parts(name + '.tsv'):
            with open(part, encoding='utf-8') as file:
                yield from file

    def table(self, name: str) -> Any:
        """A table in memory as a DataFrame: "dropped" of `dedup`; "clusters" or "members" of `cluster`."""
        import io

        import pandas
        text = ('id', 'cluster', 'dropped', 'kept', 'weakest_a', 'weakest_b')
        head = stages.HEADS[name].split()
        return pandas.read_csv(io.StringIO(''.join(self.lines(name))), sep='\t', keep_default_na=False,
                               na_values={each: ['NA'] for each in head if each not in text},
                               dtype={each: str for each in head if each in text})

    @property
    def kept(self) -> np.ndarray:
        """Which texts `dedup` keeps: bool, shape (texts,), in the order of the partitions."""
        return np.concatenate([np.load(part) for part in self.parts('kept.npy')])

    def __repr__(self) -> str:
        of = self.report
        what = f'{of["dropped"]} are dropped' if 'dropped' in of else f'{of["clusters"]} clusters'
        return f'<fplab.dask: of {of["texts"]} texts {what}; {of["tables"]} tables of keys ({of["design"]})>'


def dedup(source: Any, arm: Union[str, Arm, None] = None, threshold: Optional[float] = None, *,
          directory: Union[str, os.PathLike], choice: Optional[str] = None, text: str = 'text',
          id: Optional[str] = None, time: Optional[str] = None, keep: str = 'first',
          verify: Optional[str] = None, recall: float = 0.99, window: Any = None,
          buckets: Optional[int] = None, piece: int = PIECE, tidy: bool = True) -> Distributed:
    """Keeps one of each set of near-duplicate texts, as `fplab dedup` does, byte for byte.

    Parameters
    ----------
    source : paths of .jsonl or .jsonl.gz files (a list, or a pattern), or a Dask DataFrame
        Uncompressed files are split at line ends into partitions of about `piece` bytes.
    arm, threshold, keep, verify, recall, window : as for `fplab.dedup`
        Arms of bits or slots. An arm that learns and is not fitted is first fitted to all texts, as by `fit`.
        `keep` may be "best:FIELD".
    choice : a file saved by `tune`
    directory : visible to all workers; for intermediate files and results
        An interrupted run continues from there; `tidy` removes the intermediate files at the end.
    text, id, time : names of columns; the default id is the file and line, or partition:row
    buckets : the number of tasks of a shuffle; default: the number of partitions

    Runs on the Dask client of this process, else on Dask's threads. Raises the error of a task with the
    partition and the line, `fplab.ValueProblem` for duplicate ids, and Dask's error if workers die
    repeatedly.
    """
    return _run('dedup', source, arm, threshold, directory, piece, tidy, choice=choice, text=text, id=id,
                time=time, keep=keep, verify=verify, recall=recall, window=window, buckets=buckets)


def cluster(source: Any, arm: Union[str, Arm, None] = None, threshold: Optional[float] = None, *,
            directory: Union[str, os.PathLike], choice: Optional[str] = None, text: str = 'text',
            id: Optional[str] = None, time: Optional[str] = None, verify: Optional[str] = None,
            recall: float = 0.99, window: Any = None, buckets: Optional[int] = None, piece: int = PIECE,
            tidy: bool = True) -> Distributed:
    """Groups connected near-duplicates, as `fplab cluster` does; parameters as for `dedup`."""
    return _run('cluster', source, arm, threshold, directory, piece, tidy, choice=choice, text=text, id=id,
                time=time, verify=verify, recall=recall, window=window, buckets=buckets)


def fit(source: Any, arm: Union[str, Arm], *, directory: Union[str, os.PathLike], text: str = 'text',
        piece: int = PIECE, tidy: bool = True) -> Arm:
    """Fits an arm to texts on many machines: `Arm.fit` through `Arm.tally` of each partition.

    The model equals that of one process byte for byte, except medians (`Arm.fit_tallies`); it is kept in `directory` as
    the file `model`. `source`, `directory`, `piece` and `tidy` as for `dedup`. Raises ValueError for arms that learn
    from labels (the oracle), and the error of a task with the partition and the line.
    """
    directory = _run('fit', source, arm, None, directory, piece, tidy, text=text).directory
    made = Arm(arm.full_spec if isinstance(arm, Arm) else arm)
    if made.learns:
        with open(os.path.join(directory, 'model'), 'rb') as model:
            made.take_model(model.read())
    return made


def _run(kind: str, source: Any, arm: Any, threshold: Optional[float], directory: Union[str, os.PathLike],
         piece: int, tidy: bool, **how: Any) -> Distributed:
    directory = os.path.abspath(directory)
    frames: Optional[Sequence[Any]] = None
    if hasattr(source, 'to_delayed'):
        if how['text'] not in source.columns:
            there = ', '.join(map(str, source.columns))
            raise ValueProblem(f'no column {how["text"]!r}: there are {there}', 'unknown')
        if how.get('id') is None and 'id' in source.columns:
            how['id'] = 'id'
        frames, sources = source.to_delayed(), None
        how['state'] = dask.base.tokenize(source)
    else:
        paths = sorted(glob.glob(source)) if isinstance(source, str) else [os.fspath(path) for path in source]
        sources = stages.sources_of(paths, piece)
    stages.prepare(directory, kind, sources, arm, threshold,
                   partitions=None if frames is None else len(frames), **how)
    report = stages.finished_report(directory) or _drive(directory, frames)
    if tidy:
        stages.tidy(directory, report['result'])
    return Distributed(directory, report)


def _drive(directory: str, frames: Optional[Sequence[Any]]) -> Dict[str, Any]:
    """Computes the stages in order. Tasks return only summaries."""
    job, steps, done = stages.job_of(directory), stages.plan(directory), None
    task = dask.delayed(stages.run, pure=False)
    while True:
        try:
            stage, count = steps.send(done)  # type: ignore[arg-type]
        except StopIteration as end:
            return end.value
        done = [job.summary(stage, number) for number in range(count)]
        some = [number for number in range(count) if done[number] is None]
        framed = frames is not None and stage.partition('-')[0] in stages.READING
        made = dask.compute(*(task(directory, stage, number, *([frames[number]] if framed else []))
                              for number in some))
        for number, summary in zip(some, made):
            done[number] = summary
