# SPDX-License-Identifier: GPL-3.0-or-later
"""A laboratory for text fingerprints: measure, choose, find near-duplicates (docs/python.md)."""
from fplab._call import (EncodingProblem, Error, FileProblem, NotFittedError, ValueProblem,
                         VersionProblem, ffi, lib)
from fplab.arm import Arm, KeyDesign, Parameter, algorithms, parameters_of
from fplab.collection import Collection
from fplab.corpus import Corpus, read_corpus
from fplab.display import PrecisionRecallDisplay
from fplab.evaluation import Evaluation, Tuning, tune
from fplab.finding import (Clusters, Dedup, cluster, cluster_edges, dedup, keep_edges, near_pairs)
from fplab.sketches import SketchArray, SketchList
from fplab.text import Explanation, Step, compare, explain, program

__version__ = ffi.string(lib.fp_version()).decode()

__all__ = ['Arm', 'Clusters', 'Collection', 'Corpus', 'Dedup', 'EncodingProblem', 'Error', 'Evaluation',
           'Explanation', 'FileProblem', 'KeyDesign', 'NotFittedError', 'Parameter',
           'PrecisionRecallDisplay', 'SketchArray', 'SketchList', 'Step', 'Tuning', 'ValueProblem',
           'VersionProblem', 'algorithms', 'cluster', 'cluster_edges', 'compare', 'dedup',
           'explain', 'keep_edges', 'near_pairs', 'parameters_of', 'program', 'read_corpus',
           'tune']
