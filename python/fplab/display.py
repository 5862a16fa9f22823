# SPDX-License-Identifier: GPL-3.0-or-later
"""Precision–recall plots with interval bands, in the style of scikit-learn's displays (needs matplotlib)."""
from __future__ import annotations

from typing import Any, Dict, List, Optional, Sequence

import numpy as np

from fplab.arm import Arm
from fplab.corpus import Corpus, as_corpus
from fplab.evaluation import Arms, Evaluation


class PrecisionRecallDisplay:
    """Precision over recall of one or several arms, with pointwise intervals of precision.

    Made by `from_evaluation`, `from_estimator` and `from_scores`. After `plot`, ``ax_`` has the axes,
    ``figure_`` the figure, and ``lines_`` and ``bands_`` the artists by arm.

    Attributes
    ----------
    curves : dict of DataFrame by arm
        distance, precision, recall: one row per distinct distance.
    bands : dict of DataFrame by arm
        threshold, recall, precision, precision_low, precision_high: thresholds with an interval.
    average_precision : dict of (value, low, high) by arm
    """

    def __init__(self, evaluation: Evaluation, arms: Optional[Sequence[str]] = None,
                 corpus: Optional[str] = None):
        self.arms: List[str] = list(arms or evaluation.arms)
        self.curves = {arm: evaluation.curve(arm, corpus) for arm in self.arms}
        self.bands = {arm: _band(evaluation.thresholds(arm, corpus)) for arm in self.arms}
        summary = evaluation.table('summary')
        if corpus is not None:
            summary = summary[summary['corpus'] == corpus]
        self.average_precision: Dict[str, tuple] = {
            row['arm']: (row['average_precision'], row['average_precision_low'],
                         row['average_precision_high'])
            for _, row in summary.drop_duplicates('arm').iterrows()}
        first = summary.iloc[0]
        self.prevalence = first['positives'] / first['pairs']

    @classmethod
    def from_evaluation(cls, evaluation: Evaluation, arms: Optional[Sequence[str]] = None, *,
                        ax: Any = None, corpus: Optional[str] = None,
                        **how: Any) -> 'PrecisionRecallDisplay':
        """Draws arms (default: all) of an evaluation; `how`: arguments of `plot`."""
        return cls(evaluation, arms, corpus).plot(ax=ax, **how)

    @classmethod
    def from_estimator(cls, estimator: Arms, X: Any, y: Any = None, *, ax: Any = None,
                       options: Optional[dict] = None, **how: Any) -> 'PrecisionRecallDisplay':
        """Evaluates an arm (or several) and draws it.

        `X`: a corpus or its path; or texts, with the group of each in `y`. `options`: keywords of
        `Evaluation.from_corpus`.
        """
        if y is not None and not isinstance(X, Corpus):
            corpus = Corpus.from_texts(X, groups=y)
        else:
            corpus = as_corpus(X)
        arms = [estimator] if isinstance(estimator, (str, Arm)) else estimator
        return cls(Evaluation.from_corpus(corpus, arms, **(options or {}))).plot(ax=ax, **how)

    @classmethod
    def from_scores(cls, y_true: Any, distances: Any, *, groups: Any = None, name: str = 'scores',
                    ax: Any = None, options: Optional[dict] = None,
                    **how: Any) -> 'PrecisionRecallDisplay':
        """Draws distances computed elsewhere; arguments as for `Evaluation.from_scores`."""
        made = Evaluation.from_scores(y_true, distances, groups=groups, name=name,
                                      **(options or {}))
        return cls(made).plot(ax=ax, **how)

    def plot(self, ax: Any = None, *, bands: bool = True, chance: bool = True,
             **line: Any) -> 'PrecisionRecallDisplay':
        """Draws into `ax`, or into a new figure.

        `bands`: whether to draw the intervals of precision; `chance`: whether to draw, dotted, the
        precision when every pair is predicted positive; `line`: keywords of `Axes.plot`.
        """
        if ax is None:
            from matplotlib import pyplot
            _, ax = pyplot.subplots()
        self.lines_: Dict[str, Any] = {}
        self.bands_: Dict[str, Any] = {}
        for arm in self.arms:
            value, low, high = self.average_precision[arm]
            curve = self.curves[arm].dropna()
            label = f'{arm} (AP {value:.3f}, {low:.3f}–{high:.3f})'
            self.lines_[arm], = ax.plot(curve['recall'], curve['precision'],
                                        **{'drawstyle': 'steps-pre', 'label': label, **line})
            band = self.bands[arm]
            if bands and len(band):
                self.bands_[arm] = ax.fill_between(
                    band['recall'], band['precision_low'], band['precision_high'], step='pre',
                    alpha=0.2, linewidth=0, color=self.lines_[arm].get_color())
        if chance:
            ax.axhline(self.prevalence, linestyle=':', color='0.5', linewidth=1)
        ax.set(xlabel='recall', ylabel='precision', xlim=(0, 1), ylim=(0, 1.02))
        ax.legend(loc='lower left')
        self.ax_, self.figure_ = ax, ax.figure
        return self


def _band(thresholds: Any) -> Any:
    columns = ['threshold', 'recall', 'precision', 'precision_low', 'precision_high']
    rows = thresholds[columns].replace([np.inf, -np.inf], np.nan).dropna()
    return rows.sort_values('recall', kind='stable').reset_index(drop=True)
