# SPDX-License-Identifier: GPL-3.0-or-later
"""What a reader of an earlier version's files asks for, looked up in this version's (docs/formats.md): columns by their names and in their order, members of
run.json by their names and types.

    kept_formats.py rows KEPT NOW       two tables: the columns of the first are in the second, and hold the same
    kept_formats.py run KEPT NOW        two directories of runs: tables, columns, members
    kept_formats.py figures KEPT NOW    the same: what both have in their tables is the same, timings apart
    kept_formats.py report RUN JSON     a report as JSON: the tables of the run are in it
    kept_formats.py command RUN         the run's command, an argument a line, without --out
"""
import csv
import json
import pathlib
import re
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


def compare_figures(kept, now):
    faults = []
    for table in sorted(kept.glob('*.tsv')):
        (before, *old), (after, *new) = rows(table), rows(now / table.name)
        shared = [(i, after.index(name), name) for i, name in enumerate(before) if name in after and not TIMED.search(name)]
        if len(old) != len(new):
            faults.append(f'{table.name}: {len(old)} rows, now {len(new)}')
        for number, (was, is_now) in enumerate(zip(old, new), 1):
            figure = was[before.index('figure')] if 'figure' in before else None
            faults += [f'{table.name}, row {number}, {name}: {was[i]}, now {is_now[j]}' for i, j, name in shared
                       if was[i] != is_now[j] and (name, figure) not in CHANGED.get(table.name, ())]
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
faults = {'rows': compare_rows, 'run': compare_runs, 'figures': compare_figures, 'report': compare_report, 'command': command}[what](*paths)
for fault in faults[:10]:
    print(fault)
sys.exit(bool(faults))
