#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Measures time and peak memory against the number of documents: DIR/scale.tsv, the picture DIR/scale.png, the table in DIR/scale.md.

    bench/scale.py [--sizes 1000,10000,100000,1000000] [--commands NAMES] [--corpora CORPORA] [--fplab PROGRAM] [--arm ARM] [--out DIR] [--draw]

A corpus of each size is looked for in CORPORA/SIZE, and made there by bench/made_corpus.py where it is missing. Time is that
of the processor, of all threads together, which other work on the machine changes little; memory is the largest resident set that the system
reports. What scale.tsv holds of other sizes and commands stays in it. --draw measures nothing: table and picture are made of what is there.
Exponents are the slope of the least squares line through the logarithms of the sizes from 10,000 on: time grows like documents^exponent."""
import argparse
import csv
import math
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.realpath(__file__))
COMMANDS = {
    'corpus check': ['corpus', 'check', '{corpus}'],
    'fingerprint': ['fingerprint', '--corpus', '{corpus}', '--arm', '{arm}', '--format', 'tsv'],
    'eval': ['eval', '--corpus', '{corpus}', '--arm', '{arm}', '--format', 'tsv'],
}
FIRST_OF_LINE = 10000  # below, starting the program is most of what is measured


def measure(program, command, corpus, arm):
    """Seconds that passed, seconds of the processor, and the peak in MB."""
    words = [program] + [word.format(corpus=corpus, arm=arm) for word in COMMANDS[command]]
    start = time.monotonic()
    with open(os.devnull, 'wb') as nowhere:
        process = subprocess.Popen(words, stdout=nowhere)
        _, status, usage = os.wait4(process.pid, 0)
    if status:
        sys.exit(f'{" ".join(words)}: status {os.waitstatus_to_exitcode(status)}')
    return time.monotonic() - start, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024 / 1e6


COLUMNS = ['command', 'documents', 'seconds', 'processor_seconds', 'peak_mb']


def measure_all(options, path):
    rows = read(path) if os.path.exists(path) else []
    for size in [int(size) for size in options.sizes.split(',')]:
        corpus = os.path.join(options.corpora, str(size))
        if not os.path.exists(os.path.join(corpus, 'docs.jsonl')):
            subprocess.run([os.path.join(HERE, 'made_corpus.py'), str(size), corpus], check=True)
        for command in options.commands.split(','):
            found = (command, size, *measure(options.fplab, command, corpus, options.arm))
            rows = [row for row in rows if (row['command'], row['documents']) != found[:2]] + [dict(zip(COLUMNS, found))]
            print(*found, sep='\t', flush=True)
            write(rows, path)
    return rows


def write(rows, path):
    order = sorted(rows, key=lambda row: (list(COMMANDS).index(row['command']), row['documents']))
    with open(path, 'w', encoding='utf-8') as file:
        print(*COLUMNS, sep='\t', file=file)
        for row in order:
            print(row['command'], row['documents'], *(f'{row[name]:.3f}' for name in COLUMNS[2:]), sep='\t', file=file)


def read(path):
    with open(path, encoding='utf-8', newline='') as file:
        return [{**row, 'documents': int(row['documents']), **{name: float(row[name]) for name in COLUMNS[2:]}}
                for row in csv.DictReader(file, delimiter='\t')]


def exponent(rows, name):
    points = [(math.log(row['documents']), math.log(row[name])) for row in rows if row['documents'] >= FIRST_OF_LINE]
    if len(points) < 2:
        return math.nan
    x, y = (sum(values) / len(points) for values in zip(*points))
    return sum((a - x) * (b - y) for a, b in points) / sum((a - x) ** 2 for a, _ in points)


def shown_seconds(value):
    return f'{value:.2f}' if value < 10 else f'{value:,.0f}'


def table(rows):
    lines = ['| documents | ' + ' | '.join(f'`{command}` s | MB' for command in COMMANDS) + ' |', '|--:|' + '--:|--:|' * len(COMMANDS)]
    for size in sorted({row['documents'] for row in rows}):
        cells = []
        for command in COMMANDS:
            one = next((row for row in rows if row['command'] == command and row['documents'] == size), None)
            cells += [shown_seconds(one['processor_seconds']), f'{one["peak_mb"]:,.0f}'] if one else ['', '']
        lines.append(f'| {size:,} | ' + ' | '.join(cells) + ' |')
    cells = []
    for command in COMMANDS:
        own = [row for row in rows if row['command'] == command]
        cells += [f'{exponent(own, "processor_seconds"):.2f}', f'{exponent(own, "peak_mb"):.2f}']
    return '\n'.join(lines + ['| exponent | ' + ' | '.join(cells) + ' |'])


PICTURE = """set terminal pngcairo size 1100,480 font 'sans,11'
set output '{png}'
set datafile separator tab
set datafile missing NaN
set logscale xy
set xlabel 'documents'
set grid lc rgb '#dddddd'
set key top left reverse Left
set format x '10^{{%L}}'
set multiplot layout 1,2
set title 'Processor time, all threads together'
set ylabel 'seconds'
plot {time}
set title 'Peak memory'
set ylabel 'MB'
plot {memory}
"""


def draw(rows, path, png):
    def curves(column, name):
        parts = []
        for color, command in zip(('#0072b2', '#009e73', '#d55e00'), COMMANDS):
            own = [row for row in rows if row['command'] == command]
            parts.append(f"'{path}' using (strcol(1) eq '{command}' ? $2 : NaN):{column} with linespoints pt 7 lw 2 lc rgb '{color}' "
                         f"title '{command}: exponent {exponent(own, name):.2f}'")
        return ', '.join(parts)

    script = PICTURE.format(png=png, time=curves(4, 'processor_seconds'), memory=curves(5, 'peak_mb'))
    subprocess.run(['gnuplot', '-'], input=script, text=True, check=True)


def processor():
    with open('/proc/cpuinfo', encoding='utf-8') as file:
        found = re.search(r'^model name\s*:\s*(.*)$', file.read(), re.MULTILINE)
    return f'{found.group(1) if found else platform.machine()}, {len(os.sched_getaffinity(0))} threads'


def put_table(rows, page, made):
    """Between the marks of the page."""
    with open(page, encoding='utf-8') as file:
        text = file.read()
    new = f'<!-- measured -->\n\n{made}\n\n{table(rows)}\n\n<!-- end -->'
    with open(page, 'w', encoding='utf-8') as file:
        file.write(re.sub(r'<!-- measured -->.*<!-- end -->', lambda _: new, text, flags=re.DOTALL))


def main():
    parser = argparse.ArgumentParser(description='Time and peak memory against the number of documents.')
    parser.add_argument('--sizes', default='1000,10000,100000,1000000')
    parser.add_argument('--commands', default=','.join(COMMANDS))
    parser.add_argument('--corpora', default=os.path.join(tempfile.gettempdir(), 'scale'))
    parser.add_argument('--fplab', default=os.path.join(HERE, '../build/bin/fplab'))
    parser.add_argument('--arm', default='simhash')
    parser.add_argument('--out', default=os.path.join(HERE, '../docs'))
    parser.add_argument('--draw', action='store_true')
    options = parser.parse_args()
    path = os.path.join(options.out, 'scale.tsv')
    rows = read(path) if options.draw else measure_all(options, path)
    print(table(rows))
    if shutil.which('gnuplot'):
        draw(rows, path, os.path.join(options.out, 'scale.png'))
    page = os.path.join(options.out, 'scale.md')
    if os.path.exists(page):
        put_table(rows, page, f'Measured on {processor()}, with `bench/scale.py`.')


if __name__ == '__main__':
    main()
