#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Measures time and memory of commands against the number of documents: DIR/NAME.tsv and the picture DIR/NAME.png.

    bench/growth.py [--sizes 1000,2000,5000,10000,20000,50000,100000] [--commands NAME,…] [--corpora DIR] [--fplab PROGRAM] [--out DIR]
                    [--name growth] [--most SECONDS] [--page PAGE.md] [--draw]

Measurements in the table of the same program (by its digest) are not repeated, so that an interrupted run continues. A command that would take
more than --most processor seconds, extrapolated from the measurements, is left out and named. bench/made_corpus.py makes the corpora below
--corpora. Time is processor time of all threads; memory is the maximum resident set size. The exponent is
the slope of the least squares line through the logarithms of all sizes ≥ 10,000 (of all sizes, if there are fewer than three): time grows like
documents^exponent. --page writes the table between the marks of a page. --draw only draws. docs/scale.md is made by

    bench/growth.py --commands 'corpus check,fingerprint,eval' --sizes 1000,10000,100000,1000000 --out docs --name scale --page docs/scale.md"""
import argparse
import csv
import hashlib
import math
import os
import re
import shutil
import subprocess
import sys

from bench import TOP, facts, made_corpus, spent, table

ONE_ARM = ['--corpus', '{corpus}', '--arm', 'simhash', '--format', 'tsv']
COMMANDS = {
    'corpus check': ['corpus', 'check', '{corpus}'],
    'fingerprint': ['fingerprint', *ONE_ARM],
    'eval': ['eval', *ONE_ARM],
    'eval of two bit arms': ['eval', *ONE_ARM, '--arm', 'simhash:bits=128'],
    'eval of five default arms': ['eval', '--corpus', '{corpus}', '--format', 'tsv'],
}
NUMBERS = ['documents', 'processor_seconds', 'peak_mb']
COLUMNS = ['command', *NUMBERS, 'program', 'commit']
FIRST_OF_LINE, LEAST_ON_LINE = 10000, 3

PICTURE = """set terminal pngcairo size 1100,480 font 'sans,11'
set output '{png}'
set logscale xy
set xlabel 'documents'
set grid lc rgb '#dddddd'
set key top left reverse Left
set format x '10^{{%L}}'
set multiplot layout 1,2
set title 'Processor time, all threads together'
set ylabel 'seconds'
plot {processor_seconds}
set title 'Peak memory'
set ylabel 'MB'
plot {peak_mb}
"""


def read(path):
    if not os.path.exists(path):
        return []
    with open(path, encoding='utf-8', newline='') as file:
        return [{**dict.fromkeys(COLUMNS, ''), **row, **{name: float(row[name]) for name in NUMBERS}, 'documents': int(row['documents'])}
                for row in csv.DictReader(file, delimiter='\t')]


def write(rows, path):
    with open(path + '.new', 'w', encoding='utf-8') as file:
        print(*COLUMNS, sep='\t', file=file)
        for row in sorted(rows, key=lambda row: (row['program'], list(COMMANDS).index(row['command']), row['documents'])):
            print(row['command'], row['documents'], f'{row["processor_seconds"]:.3f}', f'{row["peak_mb"]:.1f}', row['program'], row['commit'], sep='\t',
                  file=file)
    os.rename(path + '.new', path)


def line_of(rows, name='processor_seconds'):
    """(exponent, value at one document) of the fitted line; None for fewer than two sizes."""
    points = [row for row in rows if row['documents'] >= FIRST_OF_LINE]
    points = rows if len(points) < LEAST_ON_LINE else points
    if len(points) < 2:
        return None
    x, y = [math.log(row['documents']) for row in points], [math.log(row[name]) for row in points]
    middle_x, middle_y = sum(x) / len(x), sum(y) / len(y)
    slope = sum((a - middle_x) * (b - middle_y) for a, b in zip(x, y)) / sum((a - middle_x) ** 2 for a in x)
    return slope, math.exp(middle_y - slope * middle_x)


def measure_all(options, path, digest, commit):
    rows = read(path)
    for size in sorted(int(size) for size in options.sizes.split(',')):
        for command in options.commands.split(','):
            own = [row for row in rows if row['program'] == digest and row['command'] == command]
            if any(row['documents'] == size for row in own):
                continue
            line = line_of(own)
            if line and line[1] * size ** line[0] > options.most:
                print(f'skipped: {command}, {size:,} documents: about {line[1] * size ** line[0]:,.0f} s', file=sys.stderr)
                continue
            corpus = made_corpus(size, os.path.join(options.corpora, str(size)))
            found = spent([options.fplab] + [word.format(corpus=corpus) for word in COMMANDS[command]])
            if not found:
                sys.exit(f'growth: {command} of {corpus} failed')
            rows.append({'command': command, 'documents': size, 'processor_seconds': found[0], 'peak_mb': found[1], 'program': digest, 'commit': commit})
            print(f'{command}, {size:,} documents: {found[0]:.2f} s, {found[1]:,.0f} MB', file=sys.stderr, flush=True)
            write(rows, path)
    return rows


def table_of(own):
    """A table with a row per size, a column per command, and the exponents."""
    cells = {(command, row['documents']): [f'{row["processor_seconds"]:,.2f}', f'{row["peak_mb"]:,.0f}'] for command, rows in own.items() for row in rows}
    sizes = sorted({size for _, size in cells})
    lines = [[f'{size:,}'] + [cell for command in own for cell in cells.get((command, size), ['', ''])] for size in sizes]
    exponents = [line_of(rows, name) for rows in own.values() for name in NUMBERS[1:]]
    return table(['documents'] + [head for command in own for head in (f'`{command}` s', 'MB')],
                 lines + [['exponent'] + [f'{line[0]:.2f}' if line else '' for line in exponents]])


def draw(own, picture):
    def curves(name):
        return ', '.join(f"$curve{number} using 1:{NUMBERS.index(name) + 1} with linespoints pt 7 lw 2 title '{command}: exponent {line_of(rows, name)[0]:.2f}'"
                         for number, (command, rows) in enumerate(own.items()) if len(rows) > 1)
    data = ''.join(f'$curve{number} << EOD\n' + ''.join(' '.join(str(row[name]) for name in NUMBERS) + '\n' for row in rows) + 'EOD\n'
                   for number, rows in enumerate(own.values()))
    script = data + PICTURE.format(png=picture, **{name: curves(name) for name in NUMBERS[1:]})
    subprocess.run(['gnuplot', '-'], input=script, text=True, check=True)
    print('picture:', picture)


def put_table(page, made):
    with open(page, encoding='utf-8') as file:
        text = file.read()
    with open(page, 'w', encoding='utf-8') as file:
        file.write(re.sub(r'<!-- measured -->.*<!-- end -->', lambda _: f'<!-- measured -->\n\n{made}\n\n<!-- end -->', text, flags=re.DOTALL))


def main():
    parser = argparse.ArgumentParser(description='Time and peak memory of commands against the number of documents.')
    parser.add_argument('--sizes', default='1000,2000,5000,10000,20000,50000,100000')
    parser.add_argument('--commands', default='eval of two bit arms,eval of five default arms', help='of ' + ', '.join(COMMANDS))
    parser.add_argument('--corpora', default=os.path.join(TOP, 'build/bench/corpora'))
    parser.add_argument('--fplab', default=os.path.join(TOP, 'build/bin/fplab'))
    parser.add_argument('--out', default=os.path.join(TOP, 'build/bench'))
    parser.add_argument('--name', default='growth')
    parser.add_argument('--most', type=float, default=3600)
    parser.add_argument('--page')
    parser.add_argument('--draw', action='store_true')
    options = parser.parse_args()
    os.makedirs(options.corpora, exist_ok=True)
    os.makedirs(options.out, exist_ok=True)
    path, what = os.path.join(options.out, options.name + '.tsv'), facts(options.fplab)
    with open(options.fplab, 'rb') as file:
        digest = hashlib.sha256(file.read()).hexdigest()[:12]
    rows = read(path) if options.draw else measure_all(options, path, digest, what['commit'])
    if options.draw and rows and not any(row['program'] == digest for row in rows):
        digest = rows[-1]['program']
    own = {command: sorted((row for row in rows if row['program'] == digest and row['command'] == command), key=lambda row: row['documents'])
           for command in COMMANDS}
    own = {command: found for command, found in own.items() if found}
    if not own:
        sys.exit('growth: nothing was measured')
    print(table_of(own))
    if shutil.which('gnuplot') and any(len(found) > 1 for found in own.values()):
        draw(own, os.path.join(options.out, options.name + '.png'))
    if options.page:
        put_table(options.page, f'Measured on {what["processor"]}, {what["threads"]} threads, with `bench/growth.py`.\n\n{table_of(own)}')


if __name__ == '__main__':
    main()
