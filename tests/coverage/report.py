#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the tests reached, from the counts of a build with --coverage: a row a room, the total, and in BUILD/unreached.tsv every line and every branch that
no test took. Ends with 1 where lines or branches are below what is asked.

    tests/coverage/report.py BUILD [--lines 0.97] [--branches 0.88]

Lines and branches are gcov's, of a build without optimisation where nothing is inlined. A branch is one way out of a condition; those of C++ exceptions do not
come. What is compiled into several objects (headers), or for several levels of the processor, counts once. Conditions that ask for memory are branches like others:
tests of failed allocations take them, and those of failed system calls the ones behind these.
"""
import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys

ROOMS = ('base', 'text', 'algorithms', 'index', 'corpora', 'eval', 'reports', 'cli')
# Programs of the build, plug-ins, and what runs in a browser.
APART = ('text/tables/', 'algorithms/adapters/', 'reports/lab/wasm/')


def counts_of(notes):
    """What gcov says of one object: the files that it was compiled from."""
    run = subprocess.run(['gcov', '--json-format', '--stdout', '--branch-probabilities', str(notes)], capture_output=True, check=False)
    return [json.loads(line)['files'] for line in run.stdout.splitlines() if line.startswith(b'{')]


def gather(build):
    """For each file, the counts of its lines and of the branches of each line."""
    notes = [path for room in ROOMS for path in sorted((build / room).rglob('*.gcno'))]
    lines = collections.defaultdict(collections.Counter)
    branches = collections.defaultdict(dict)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for found in pool.map(counts_of, notes):
            for file in (file for files in found for file in files):
                name = os.path.normpath(file['file'])
                if name.split('/')[0] not in ROOMS or name.startswith(APART):
                    continue
                for line in file['lines']:
                    lines[name][line['line_number']] += line['count']
                    counts = [branch['count'] for branch in line['branches']]
                    kept = branches[name].setdefault((line['line_number'], len(counts)), [0] * len(counts))
                    branches[name][line['line_number'], len(counts)] = [a + b for a, b in zip(kept, counts)]
    return lines, branches


def share(reached, all_):
    return reached / all_ if all_ else 1


def main():
    parser = argparse.ArgumentParser(description='Coverage by the tests.')
    parser.add_argument('build', type=pathlib.Path)
    parser.add_argument('--lines', type=float, default=0.97)
    parser.add_argument('--branches', type=float, default=0.88)
    options = parser.parse_args()
    lines, branches = gather(options.build)
    if len(lines) < 400:
        sys.exit(f'counts of only {len(lines)} files in {options.build}')
    rooms = collections.defaultdict(lambda: [0, 0, 0, 0])
    with open(options.build / 'unreached.tsv', 'w', encoding='utf-8') as stream:
        stream.write('file\tline\twhat\ttext\n')
        for name in sorted(lines):
            text = pathlib.Path(name).read_text(encoding='utf-8').split('\n')
            ways = [way for counts in branches[name].values() for way in counts]
            row = [sum(count > 0 for count in lines[name].values()), len(lines[name]), sum(way > 0 for way in ways), len(ways)]
            for total in (rooms[name.split('/')[0]], rooms['all']):
                total[:] = [a + b for a, b in zip(total, row)]
            for number, count in sorted(lines[name].items()):
                missed = sum(way == 0 for (line, _), counts in branches[name].items() if line == number for way in counts)
                if count == 0 or missed:
                    stream.write(f'{name}\t{number}\t{"line" if count == 0 else f"{missed} branches"}\t{text[number - 1].strip()}\n')
    print('room\tlines\tof\tshare\tbranches\tof\tshare')
    for room in (*ROOMS, 'all'):
        reached, all_lines, taken, all_ways = rooms[room]
        print(f'{room}\t{reached}\t{all_lines}\t{share(reached, all_lines):.4f}\t{taken}\t{all_ways}\t{share(taken, all_ways):.4f}')
    reached, all_lines, taken, all_ways = rooms['all']
    return 0 if share(reached, all_lines) >= options.lines and share(taken, all_ways) >= options.branches else 1


if __name__ == '__main__':
    sys.exit(main())
