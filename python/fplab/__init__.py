# SPDX-License-Identifier: GPL-3.0-or-later
"""A laboratory for text fingerprints: measure and choose fingerprints, find near-duplicates (docs/python.md)."""
from fplab._call import (EncodingProblem, Error, FileProblem, NotFittedError, ValueProblem,
                         VersionProblem, ffi, lib)
from fplab.arm import Arm, KeyDesign, Parameter, algorithms, parameters_of, sketch_all
from fplab.arrow import Table, read_parquet, to_parquet
from fplab.collection import Collection
from fplab.corpus import Corpus, read_corpus
from fplab.display import PrecisionRecallDisplay
from fplab.evaluation import Evaluation, Tuning, tune
from fplab.finding import (Clusters, Dedup, cluster, cluster_edges, dedup, keep_edges, near_pairs)
from fplab.sketches import SketchArray, SketchList
from fplab.text import Alignment, Explanation, Step, align, compare, explain, program

__version__ = ffi.string(lib.fp_version()).decode()

__all__ = ['Alignment', 'Arm', 'Clusters', 'Collection', 'Corpus', 'Dedup', 'EncodingProblem', 'Error',
           'Evaluation', 'Explanation', 'FileProblem', 'KeyDesign', 'NotFittedError', 'Parameter',
           'PrecisionRecallDisplay', 'SketchArray', 'SketchList', 'Step', 'Table', 'Tuning', 'ValueProblem',
           'VersionProblem', 'algorithms', 'align', 'cluster', 'cluster_edges', 'compare', 'dedup',
           'explain', 'keep_edges', 'near_pairs', 'parameters_of', 'program', 'read_corpus', 'read_parquet',
           'sketch_all', 'to_parquet', 'tune']
