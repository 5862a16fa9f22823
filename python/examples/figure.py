# SPDX-License-Identifier: GPL-3.0-or-later
"""A figure for a paper: precision over recall of three arms, with 95% intervals, as PDF.

    figure.py [FIGURE.pdf]
"""
import sys

import matplotlib

import fplab

matplotlib.use('Agg')
matplotlib.rcParams.update({'font.size': 8, 'figure.figsize': (3.3, 2.5), 'pdf.fonttype': 42})

evaluation = fplab.Evaluation.from_corpus(
    'corpora/data/newswire-zh',
    ['simhash:features=words,name=SimHash', 'minhash:name=MinHash', 'jaccard:name=Jaccard'])
display = fplab.PrecisionRecallDisplay.from_evaluation(evaluation, linewidth=1)
display.ax_.legend(loc='lower left', fontsize=6)
display.figure_.savefig(sys.argv[1] if len(sys.argv) > 1 else 'figure.pdf', bbox_inches='tight')

# Numbers for the caption: means over hash seeds, and whether the arms differ.
print(evaluation.table('summary')[['arm', 'average_precision', 'average_precision_low',
                                   'average_precision_high']].to_string(index=False))
print(evaluation.table('differences')[['arm_a', 'arm_b', 'difference', 'p_holm',
                                       'verdict']].to_string(index=False))
