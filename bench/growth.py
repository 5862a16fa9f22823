#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Measures how the time of an evaluation grows with the number of documents: DIR/growth.tsv and the picture DIR/growth.png.

    bench/growth.py [--sizes 1000,2000,5000,10000,20000,50000,100000] [--arms bits,default] [--corpora DIR] [--fplab PROGRAM] [--out DIR]
                    [--most SECONDS] [--draw]

What growth.tsv holds of the same program (by its digest) is not measured again, so that a run that was stopped goes on where it was. A command
that would take longer than --most seconds of the processor by the line through what was measured is left out, and named. Corpora are made by
bench/made_corpus.py below --corpora. Time is that of the processor, of all threads together. The exponent is the slope of the least squares line
through the logarithms of all sizes from 10,000 on (of all, where there are fewer than three): time grows like documents^exponent. --draw measures
nothing. The picture is drawn by bench/growth.gp, in the style of the program's own."""
import argparse
import csv
import hashlib
import math
import os
import shutil
import subprocess
import sys
import tempfile

from rounds import HERE, TOP, facts, table

ARMS = {
    'bits': ('two bit arms', ['--arm', 'simhash', '--arm', 'simhash:bits=128']),
    'default': ('five default arms', []),
}
COLUMNS = ['arms', 'documents', 'seconds', 'peak_mb', 'program', 'commit']
FIRST_OF_LINE, LEAST_ON_LINE = 10000, 3


def read(path):
    if not os.path.exists(path):
        return []
    with open(path, encoding='utf-8', newline='') as file:
        return [{**row, 'documents': int(row['documents']), 'seconds': float(row['seconds']), 'peak_mb': float(row['peak_mb'])}
                for row in csv.DictReader(file, delimiter='\t')]


def write(rows, path):
    with open(path + '.new', 'w', encoding='utf-8') as file:
        print(*COLUMNS, sep='\t', file=file)
        for row in sorted(rows, key=lambda row: (row['program'], list(ARMS).index(row['arms']), row['documents'])):
            print(row['arms'], row['documents'], f'{row["seconds"]:.3f}', f'{row["peak_mb"]:.1f}', row['program'], row['commit'], sep='\t', file=file)
    os.rename(path + '.new', path)


def line_of(rows):
    """(exponent, seconds at one document) of the line, or None for fewer than two sizes."""
    points = [row for row in rows if row['documents'] >= FIRST_OF_LINE]
    points = rows if len(points) < LEAST_ON_LINE else points
    if len(points) < 2:
        return None
    x, y = [math.log(row['documents']) for row in points], [math.log(row['seconds']) for row in points]
    middle_x, middle_y = sum(x) / len(x), sum(y) / len(y)
    slope = sum((a - middle_x) * (b - middle_y) for a, b in zip(x, y)) / sum((a - middle_x) ** 2 for a in x)
    return slope, math.exp(middle_y - slope * middle_x)


def corpus_of(documents, place):
    corpus = os.path.join(place, str(documents))
    if not os.path.exists(os.path.join(corpus, 'docs.jsonl')):
        made = corpus + '.new'
        subprocess.run([os.path.join(HERE, 'made_corpus.py'), str(documents), made], check=True)
        os.rename(made, corpus)
    return corpus


def measure(program, arms, corpus):
    process = subprocess.Popen([program, 'eval', '--corpus', corpus, *ARMS[arms][1], '--format', 'tsv'], stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        sys.exit(f'growth: eval of {corpus}: status {os.waitstatus_to_exitcode(status)}')
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024 / 1e6


def measure_all(options, path, digest, commit):
    rows = read(path)
    for size in sorted(int(size) for size in options.sizes.split(',')):
        for arms in options.arms.split(','):
            own = [row for row in rows if row['program'] == digest and row['arms'] == arms]
            if any(row['documents'] == size for row in own):
                continue
            line = line_of(own)
            if line and line[1] * size ** line[0] > options.most:
                print(f'skipped: {ARMS[arms][0]}, {size:,} documents: about {line[1] * size ** line[0]:,.0f} s', file=sys.stderr)
                continue
            seconds, peak = measure(options.fplab, arms, corpus_of(size, options.corpora))
            rows.append({'arms': arms, 'documents': size, 'seconds': seconds, 'peak_mb': peak, 'program': digest, 'commit': commit})
            print(f'{ARMS[arms][0]}, {size:,} documents: {seconds:.2f} s, {peak:,.0f} MB', file=sys.stderr, flush=True)
            write(rows, path)
    return rows


def draw(rows, what, options):
    """The description that the script loads, then the script."""
    picture = os.path.join(options.out, 'growth.png')
    with tempfile.TemporaryDirectory() as place:
        lines = ["arms = %d" % len(rows), "array label[arms]", "array curve[arms]", "array exponent[arms]", "array factor[arms]"]
        for number, (arms, own) in enumerate(rows.items(), 1):
            file = os.path.join(place, arms + '.tsv')
            with open(file, 'w', encoding='utf-8') as out:
                print('documents\tseconds', *(f'{row["documents"]}\t{row["seconds"]}' for row in own), sep='\n', file=out)
            slope, factor = line_of(own) or (0, 0)
            lines += [f"label[{number}] = '{ARMS[arms][0]}'", f"curve[{number}] = '{file}'", f'exponent[{number}] = {slope:.4f}',
                      f'factor[{number}] = {factor:.6g}']
        every = [row for own in rows.values() for row in own]
        lines += [f"least_documents = {min(row['documents'] for row in every)}.", f"most_documents = {max(row['documents'] for row in every)}.",
                  f"least_seconds = {min(row['seconds'] for row in every)}", f"most_seconds = {max(row['seconds'] for row in every)}",
                  f"machine = '{what}'", f"output = '{picture}'", f"here = '{os.path.join(TOP, 'reports/plots/gnuplot/')}'"]
        description = os.path.join(place, 'growth-facts.gp')
        with open(description, 'w', encoding='utf-8') as out:
            print(*lines, sep='\n', file=out)
        subprocess.run(['gnuplot', description, os.path.join(HERE, 'growth.gp')], check=True)
    return picture


def main():
    parser = argparse.ArgumentParser(description='The time of an evaluation against the number of documents.')
    parser.add_argument('--sizes', default='1000,2000,5000,10000,20000,50000,100000')
    parser.add_argument('--arms', default=','.join(ARMS))
    parser.add_argument('--corpora', default=os.path.join(TOP, 'build/bench/corpora'))
    parser.add_argument('--fplab', default=os.path.join(TOP, 'build/bin/fplab'))
    parser.add_argument('--out', default=os.path.join(TOP, 'build/bench'))
    parser.add_argument('--most', type=float, default=3600)
    parser.add_argument('--draw', action='store_true')
    options = parser.parse_args()
    os.makedirs(options.corpora, exist_ok=True)
    os.makedirs(options.out, exist_ok=True)
    path, what = os.path.join(options.out, 'growth.tsv'), facts(options.fplab)
    with open(options.fplab, 'rb') as file:
        digest = hashlib.sha256(file.read()).hexdigest()[:12]
    rows = read(path) if options.draw else measure_all(options, path, digest, what['commit'])
    if options.draw and not any(row['program'] == digest for row in rows) and rows:
        digest = rows[-1]['program']
    own = {arms: sorted((row for row in rows if row['program'] == digest and row['arms'] == arms), key=lambda row: row['documents']) for arms in ARMS}
    own = {arms: found for arms, found in own.items() if found}
    if not own:
        sys.exit('growth: nothing was measured')
    print(table(['arms', 'documents', 'seconds', 'MB'],
                [[ARMS[arms][0], f'{row["documents"]:,}', f'{row["seconds"]:.2f}', f'{row["peak_mb"]:,.0f}'] for arms, found in own.items() for row in found]))
    for arms, found in own.items():
        line = line_of(found)
        if line:
            print(f'{ARMS[arms][0]}: seconds grow like documents^{line[0]:.2f}')
    if shutil.which('gnuplot'):
        print('picture:', draw(own, f'{what["processor"]}, {what["threads"]} threads', options))


if __name__ == '__main__':
    main()
