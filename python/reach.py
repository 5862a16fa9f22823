# SPDX-License-Identifier: GPL-3.0-or-later
"""Which commands of the program the package covers: the table of docs/python.md, from `fplab --help`.

    reach.py FPLAB
"""
import re
import subprocess
import sys

# The objects of the package that replace a command. Commands without one are run by `program`; NOT_IN_PACKAGE says why.
IN_PACKAGE = {
    'compare': 'compare',
    'explain': 'explain',
    'align': 'align',
    'fingerprint': 'Arm.sketch, Arm.text, Arm.keys, Arm.model, Arm.tally',
    'algorithms': 'algorithms, parameters_of',
    'eval': 'Evaluation',
    'tune': 'tune',
    'distances': 'Arm.distances, Arm.pair_distances, sketch_all',
    'dedup': 'dedup, keep_edges',
    'cluster': 'cluster, near_pairs, cluster_edges',
    'index': 'Collection.create, Collection.add, Collection.delete',
    'query': 'Collection.query',
    'import': 'Corpus.from_frame, Corpus.from_pairs, Corpus.from_texts, read_parquet',
}
NOT_IN_PACKAGE = {
    'features': 'its tables are for the terminal; explain shows the features of a text',
    'measures': 'a list: program("measures", "--format", "json")',
    'robustness': 'writes a run with pictures',
    'judge': 'asks a person in the terminal',
    'track': 'Collection.query and .add in turn; the program does it in one pass',
    'plan': 'Arm.key_design chooses the keys of a join; costs are computed by the program',
    'corpus': 'pandas divides, joins and samples tables; corruption is done by the program',
    'report': 'works on the directory of a run',
    'plot': 'PrecisionRecallDisplay draws; gnuplot pictures are of the directory of a run',
    'rerun': 'works on the directory of a run',
    'page': 'writes a page for a browser',
}


def commands(fplab):
    """The commands listed by `fplab --help`."""
    shown = subprocess.run([fplab, '--help'], check=True, capture_output=True, text=True).stdout
    return re.findall(r'^  ([a-z]+) {2,}\S', shown, flags=re.M)


def table(fplab):
    """The table in Markdown."""
    rows = ['| command | in the package | not, because |', '|---|---|---|']
    for name in commands(fplab):
        objects = IN_PACKAGE.get(name, '')
        linked = ', '.join(f'`{one}`' for one in objects.split(', ') if one)
        rows.append(f'| `{name}` | {linked or "`program`"} | {"" if linked else NOT_IN_PACKAGE[name]} |')
    return '\n'.join(rows)


if __name__ == '__main__':
    print(table(sys.argv[1]))
