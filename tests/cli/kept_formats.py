# SPDX-License-Identifier: GPL-3.0-or-later
"""What a reader of an earlier version's files asks for, looked up in this version's (docs/formats.md): columns by their names and in their order, members of
run.json by their names and types.

    kept_formats.py rows KEPT NOW       two tables: the columns of the first are in the second, and hold the same
    kept_formats.py run KEPT NOW        two directories of runs: tables, columns, members
    kept_formats.py figures KEPT NOW    the same: what both have in their tables is the same, timings apart
    kept_formats.py means PROGRAM KEPT  what 0.2.0 wrote of several hash seeds is the mean over runs of one
    kept_formats.py report RUN JSON     a report as JSON: the tables of the run are in it
    kept_formats.py command RUN         the run's command, an argument a line, without --out
"""
import csv
import json
import pathlib
import re
import subprocess
import sys

# What the change log says of runs of 0.2.0: columns that went, and figures that are computed in another way, (column, figure of the row).
GONE = {'differences.tsv': {'units_to_differ', 'units_to_equal'}}
CHANGED = {'intervals.tsv': {('low', 'roc_area'), ('high', 'roc_area')}, 'summary.tsv': {('roc_area_low', None), ('roc_area_high', None)}}
TIMED = re.compile('second|^front$')


def rows(path):
    with open(path, encoding='utf-8', newline='') as stream:
        return list(csv.reader((line for line in stream if not line.startswith('#')), delimiter='\t'))


def missing_columns(kept, now):
    """Of the names kept those that do not come in the names now, in that order."""
    lost, at = [], 0
    for name in kept:
        if name in now[at:]:
            at = now.index(name, at) + 1
        else:
            lost.append(name)
    return lost


def missing_members(kept, now, place=''):
    """The places of members that now lacks, or that are of another type. Of arrays the first items stand for all."""
    numbers = (int, float)
    if isinstance(kept, numbers) and isinstance(now, numbers) and isinstance(kept, bool) == isinstance(now, bool):
        return []
    if type(kept) is not type(now) and kept is not None and now is not None:
        return [place]
    if isinstance(kept, dict) and now is not None:
        # Facts by the name of what they are of: tables and packages come and go.
        if place in ('.tables.packages', '.tables.sha256'):
            return []
        return [at for name in kept for at in (missing_members(kept[name], now[name], f'{place}.{name}') if name in now else [f'{place}.{name}'])]
    if isinstance(kept, list) and kept and now:
        return missing_members(kept[0], now[0], place + '[]')
    return []


def compare_rows(kept, now):
    before, after = rows(kept), rows(now)
    lost = missing_columns(before[0], after[0])
    if lost:
        return [f'{now} lacks the columns {lost}']
    at = [after[0].index(name) for name in before[0]]
    picked = [[row[i] for i in at] for row in after]
    return [] if picked == before else [f'{kept}: {wrong}' for wrong in zip(before, picked) if wrong[0] != wrong[1]] or [f'{kept}: rows']


def compare_runs(kept, now):
    faults = []
    for table in sorted(kept.glob('*.tsv')):
        other = now / table.name
        kept_names = [name for name in rows(table)[0] if name not in GONE.get(table.name, ())]
        lost = missing_columns(kept_names, rows(other)[0]) if other.exists() else ['all']
        faults += [f'{table.name} lacks {lost}'] if lost else []
    told = [json.loads((run / 'run.json').read_text(encoding='utf-8')) for run in (kept, now)]
    return faults + [f'run.json lacks {place}' for place in missing_members(*told)]


def hashed_arms(run):
    """Of each arm that the run measured under several hash seeds its words in the command and its seeds."""
    told = json.loads((run / 'run.json').read_text(encoding='utf-8'))
    words = [word for before, word in zip(told['command'], told['command'][1:]) if before == '--arm']
    return {arm['name']: (word, arm['seeds']) for arm, word in zip(told['arms'], words) if arm.get('seeds')}


# Which row: all that is no figure.
KEYS = ('corpus', 'arm', 'arm_a', 'arm_b', 'scale', 'figure', 'threshold', 'distance', 'low', 'high')


def keyed(table, path, hashed, key_names):
    """The rows by what they are of; without those at a threshold of arms with a hash seed, which are means over seeds in 0.2.0, and of one seed since."""
    titles, *all_rows = rows(path)
    found = {}
    for row in all_rows:
        cells = dict(zip(titles, row))
        at_threshold = table in OF_ONE_SEED or cells.get('figure', 'average_precision') not in OVER_RANGE
        if cells.get('arm') in hashed and at_threshold:
            continue
        found[tuple(cells[name] for name in key_names)] = cells
    return found


OVER_RANGE = {'average_precision', 'roc_area', 'best_f1'}
OF_ONE_SEED = {'results.tsv', 'curves.tsv', 'histograms.tsv'}


def compare_figures(kept, now):
    faults, hashed = [], hashed_arms(kept)
    for table in sorted(path.name for path in kept.glob('*.tsv')):
        before, after = rows(kept / table)[0], rows(now / table)[0]
        of_bins = KEYS if table == 'histograms.tsv' else KEYS[:-2]
        key_names = [name for name in of_bins if name in before]
        old, new = (keyed(table, place / table, hashed, key_names) for place in (kept, now))
        if not old or set(old) != set(new):
            faults.append(f'{table}: rows {sorted(set(old) ^ set(new))[:3]}')
        shared = [name for name in before if name in after and not TIMED.search(name)]
        for key in set(old) & set(new):
            was, is_now = old[key], new[key]
            faults += [f'{table}, {key}, {name}: {was[name]}, now {is_now[name]}' for name in shared
                       if was[name] != is_now[name] and (name, was.get('figure')) not in CHANGED.get(table, ())
                       and not (name == 'best_threshold' and was['arm'] in hashed)]
    return faults


def compare_means(program, kept):
    """What 0.2.0 wrote of arms with a hash seed at a threshold is the mean of what this version writes under each of these seeds."""
    faults, told = [], json.loads((kept / 'run.json').read_text(encoding='utf-8'))
    words = told['command'][:]
    at = words.index('--out')
    del words[at:at + 2]
    for name, (arm, seeds) in hashed_arms(kept).items():
        tables = {'results.tsv': [], 'histograms.tsv': [], 'summary.tsv': []}
        for seed in seeds:
            own = [f'{arm},seed={seed}' if word == arm else word for word in words]
            subprocess.run([program, *own, '--out', 'seed'], check=True, capture_output=True)
            for table in tables:
                titles, *all_rows = rows(pathlib.Path('seed') / table)
                tables[table].append([row for row in (dict(zip(titles, row)) for row in all_rows) if row['arm'].startswith(f'{arm},seed=')])
        for table, columns in (('results.tsv', ('tp', 'fp', 'fn', 'tn', 'precision', 'recall', 'f1')), ('histograms.tsv', ('positives', 'negatives')), ('summary.tsv', ('best_threshold',))):
            titles, *all_rows = rows(kept / table)
            for i, row in enumerate(row for row in (dict(zip(titles, row)) for row in all_rows) if row['arm'] == name):
                for column in columns:
                    values = [float(own[i][column]) for own in tables[table] if own[i][column] != 'NA']
                    mean = sum(values) / len(values) if values else None
                    if (row[column] == 'NA') != (mean is None) or (values and abs(mean - float(row[column])) > 1e-9):
                        faults.append(f'{table}, {name}, row {i + 1}, {column}: {row[column]}, the mean is {mean}')
    return faults


def compare_report(run, report):
    tables = json.loads(report.read_text(encoding='utf-8'))['tables']
    return [f'no {table.stem}' for table in run.glob('*.tsv') if table.stem not in tables and table.stem != 'sources']


def command(run):
    words = json.loads((run / 'run.json').read_text(encoding='utf-8'))['command']
    at = words.index('--out')
    print('\n'.join(words[:at] + words[at + 2:]))
    return []


what, paths = sys.argv[1], [pathlib.Path(path) for path in sys.argv[2:]]
faults = {'rows': compare_rows, 'run': compare_runs, 'figures': compare_figures, 'means': compare_means, 'report': compare_report, 'command': command}[what](*paths)
for fault in faults[:10]:
    print(fault)
sys.exit(bool(faults))
