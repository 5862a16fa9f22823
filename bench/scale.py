#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Measures time and peak memory against the number of documents: DIR/scale.tsv, the picture DIR/scale.png, the table in DIR/scale.md.

    bench/scale.py [--sizes 1000,10000,100000,1000000] [--corpora CORPORA] [--fplab PROGRAM] [--arm ARM] [--out DIR] [--draw]

A corpus of each size is looked for in CORPORA/SIZE, and made there by bench/made_corpus.py where it is missing. Each command runs alone; its
memory is the largest resident set that the system reports of it. --draw measures nothing: the picture is drawn of the scale.tsv that is there.
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
import time

HERE = os.path.dirname(os.path.realpath(__file__))
COMMANDS = {
    'corpus check': ['corpus', 'check', '{corpus}'],
    'fingerprint': ['fingerprint', '--corpus', '{corpus}', '--arm', '{arm}', '--format', 'tsv'],
    'eval': ['eval', '--corpus', '{corpus}', '--arm', '{arm}', '--format', 'tsv'],
}
FIRST_OF_LINE = 10000  # below, starting the program is most of what is measured


def measure(program, command, corpus, arm):
    """Seconds, and the peak in MB."""
    words = [program] + [word.format(corpus=corpus, arm=arm) for word in COMMANDS[command]]
    start = time.monotonic()
    with open(os.devnull, 'wb') as nowhere:
        process = subprocess.Popen(words, stdout=nowhere)
        _, status, usage = os.wait4(process.pid, 0)
    if status:
        sys.exit(f'{" ".join(words)}: status {os.waitstatus_to_exitcode(status)}')
    return time.monotonic() - start, usage.ru_maxrss * 1024 / 1e6


def measure_all(options, path):
    rows = []
    for size in [int(size) for size in options.sizes.split(',')]:
        corpus = os.path.join(options.corpora, str(size))
        if not os.path.exists(os.path.join(corpus, 'docs.jsonl')):
            subprocess.run([os.path.join(HERE, 'made_corpus.py'), str(size), corpus], check=True)
        for command in COMMANDS:
            seconds, peak = measure(options.fplab, command, corpus, options.arm)
            rows.append({'command': command, 'documents': size, 'seconds': f'{seconds:.3f}', 'peak_mb': f'{peak:.1f}'})
            print('\t'.join(rows[-1][name] if name != 'documents' else str(size) for name in rows[-1]), flush=True)
            write(rows, path)


def write(rows, path):
    with open(path, 'w', encoding='utf-8', newline='') as file:
        table = csv.DictWriter(file, ['command', 'documents', 'seconds', 'peak_mb'], delimiter='\t', lineterminator='\n')
        table.writeheader()
        table.writerows(rows)


def read(path):
    with open(path, encoding='utf-8', newline='') as file:
        return [{**row, 'documents': int(row['documents']), 'seconds': float(row['seconds']), 'peak_mb': float(row['peak_mb'])}
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
            cells += [shown_seconds(one['seconds']), f'{one["peak_mb"]:,.0f}'] if one else ['', '']
        lines.append(f'| {size:,} | ' + ' | '.join(cells) + ' |')
    cells = []
    for command in COMMANDS:
        own = [row for row in rows if row['command'] == command]
        cells += [f'{exponent(own, "seconds"):.2f}', f'{exponent(own, "peak_mb"):.2f}']
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
set title 'Time'
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

    script = PICTURE.format(png=png, time=curves(3, 'seconds'), memory=curves(4, 'peak_mb'))
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
    parser.add_argument('--corpora', default='/tmp/scale')
    parser.add_argument('--fplab', default=os.path.join(HERE, '../build/bin/fplab'))
    parser.add_argument('--arm', default='simhash')
    parser.add_argument('--out', default=os.path.join(HERE, '../docs'))
    parser.add_argument('--draw', action='store_true')
    options = parser.parse_args()
    path = os.path.join(options.out, 'scale.tsv')
    if not options.draw:
        measure_all(options, path)
    rows = read(path)
    print(table(rows))
    if shutil.which('gnuplot'):
        draw(rows, path, os.path.join(options.out, 'scale.png'))
    page = os.path.join(options.out, 'scale.md')
    if os.path.exists(page) and not options.draw:
        put_table(rows, page, f'Measured on {processor()}, with `bench/scale.py`.')


if __name__ == '__main__':
    main()
