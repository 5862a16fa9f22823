# SPDX-License-Identifier: GPL-3.0-or-later
"""What bench/run.py and bench/compare.py share: programs that answer with seconds, the facts of a run, and numbers for a person."""
import os
import platform
import re
import subprocess

HERE = os.path.dirname(os.path.realpath(__file__))
TOP = os.path.dirname(HERE)


class Server:
    """A program that answers a line with a line (bench/stages/stages.c, bench/stage_peers.py)."""

    def __init__(self, words, cwd=TOP):
        self.words = words
        self.process = subprocess.Popen(words, cwd=cwd, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, line):
        self.process.stdin.write(line + '\n')
        self.process.stdin.flush()
        answer = self.process.stdout.readline()
        if not answer:
            raise RuntimeError(f'{self.words[0]} ended at "{line}"')
        return answer.rstrip('\n')

    def seconds(self, line):
        """None where the program does not know the stage, or lacks what it needs."""
        answer = self.ask(line).split('\t')[0]
        return None if answer in ('unknown', 'missing') else float(answer)

    def stages(self):
        found, line = [], self.ask('list')
        while line:
            name, unit, limited, does = line.split('\t')
            found.append({'stage': name, 'unit': unit, 'has_limit': limited == '1', 'limit_does': does})
            line = self.process.stdout.readline().rstrip('\n')
        return found

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def output_of(*words, cwd=TOP):
    try:
        return subprocess.run(words, cwd=cwd, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return 'unknown'


def facts(program):
    """Machine, compiler, commit: what a figure holds for."""
    with open('/proc/cpuinfo', encoding='utf-8') as file:
        model = re.search(r'^model name\s*:\s*(.*)$', file.read(), re.MULTILINE)
    return {
        'processor': model.group(1) if model else platform.machine(),
        'threads': len(os.sched_getaffinity(0)),
        'system': f'{platform.system()} {platform.release()} {platform.machine()}',
        'compiler': output_of(os.environ.get('CC', 'gcc'), '--version').split('\n')[0],
        'commit': output_of('git', 'describe', '--always', '--dirty', '--abbrev=12', '--match', 'v[0-9]*'),
        'program': output_of(program, '--version').split('\n')[0],
        'level': os.environ.get('FPLAB_CPU', 'the highest'),
        'load': os.getloadavg()[0],
    }


def rate(seconds, unit):
    """How fast, as a person reads it: (number, unit)."""
    if seconds is None:
        return '', ''
    if unit == 'byte':
        return f'{1e-6 / seconds:,.3g}' if seconds > 1e-8 else f'{1e-6 / seconds:,.0f}', 'MB/s'
    if unit == 'pair':
        return (f'{1e-9 / seconds:.3g}', 'G pairs/s') if seconds < 1e-9 else (f'{1e-6 / seconds:.3g}', 'M pairs/s')
    return (f'{seconds * 1e6:.3g}', f'µs a {unit.split()[0]}') if seconds >= 1e-6 else (f'{seconds * 1e9:.3g}', f'ns a {unit.split()[0]}')


def table(head, rows):
    """A table in Markdown; the first column is text, the others are numbers."""
    cells = [head] + rows
    wide = [max(len(row[i]) for row in cells) for i in range(len(head))]

    def line(row):
        return '| ' + ' | '.join(cell.ljust(wide[i]) if i == 0 else cell.rjust(wide[i]) for i, cell in enumerate(row)) + ' |'
    rule = '|' + '|'.join('-' * (w + 2) if i == 0 else '-' * (w + 1) + ':' for i, w in enumerate(wide)) + '|'
    return '\n'.join([line(head), rule] + [line(row) for row in rows])
