#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares two builds of fplab: the same commands, and everything that comes out of them, byte for byte.

    tests/deep/figures/same_figures.py BEFORE AFTER [--shared DIR] [--quick] [--jobs N] [--cache DIR] [--only PATTERN]

BEFORE and AFTER are programs. Run are the examples of README.md and docs/, those of every `fplab COMMAND --help`, and a matrix of
every command and option over the shipped sets and the labelled ones in DIR (default: ../shared/data beside the checkout). Each group of
commands runs with both programs in directories of their own; compared are standard output, standard error, exit status and every file
written. What two runs of one program differ in is masked by the rules of figures_masks.py, which are counted and printed. Differences that are
meant stand in same_figures.allowed with their reason, and are counted too. A command that BEFORE refuses because it knows no such command, option
or algorithm, and that AFTER does, is new: counted, and not compared. Exit status 1 when anything else differs."""
import argparse
import collections
import concurrent.futures
import os
import re
import shutil
import signal
import sys
import tempfile

sys.dont_write_bytecode = True
import figures_examples
import figures_masks
import figures_matrix
import figures_run
import figures_sets

HERE = os.path.dirname(os.path.realpath(__file__))
TREE = os.path.dirname(os.path.dirname(os.path.dirname(HERE)))
EXAMPLES = ('.md', '--help')  # ends of the names of cases that are examples, not the matrix
USAGE = 2  # the exit status of a command that the program does not take
# All that a program writes on standard error where it does not know a word.
UNKNOWN_WORD = re.compile(r'fplab: (?:arm "[^\n]*": )?(unknown (?:command|option|algorithm) [^\s;]+)[^\n]*\n')


def word_unknown(step):
    """What the program says that it does not know, in a step that ends with that alone; None in every other."""
    said = UNKNOWN_WORD.fullmatch(step['outputs']['stderr'].get('text', ''))
    return said[1] if said and step['status'] == USAGE else None


def arguments():
    parser = argparse.ArgumentParser(description='Compares what two builds of fplab print and write.')
    parser.add_argument('before')
    parser.add_argument('after')
    parser.add_argument('--shared', default=os.path.join(TREE, '../shared/data'), help='directory of labelled sets')
    parser.add_argument('--quick', action='store_true', help='small sets; every command and option at least once')
    parser.add_argument('--jobs', type=int, default=os.cpu_count())
    parser.add_argument('--cache', help='keep what BEFORE puts out here, by checksums of the program, the texts and the commands')
    parser.add_argument('--warm', action='store_true', help='run BEFORE alone, to fill the cache')
    parser.add_argument('--allowed', default=os.path.join(HERE, 'same_figures.allowed'), help='file of differences that are meant')
    parser.add_argument('--tree', default=TREE, help='checkout whose pages are read (default: this one)')
    parser.add_argument('--only', default='', help='a regular expression: only the cases whose name it finds')
    parser.add_argument('--show', type=int, default=40, help='most differences to print')
    parser.add_argument('--failing', action='store_true', help='print the commands that fail in BEFORE, too')
    parser.add_argument('--list', action='store_true', help='print the commands, run nothing')
    return parser.parse_args()


class Comparison:
    """What was compared, and what came of it."""

    def __init__(self, options):
        self.masks = figures_masks.Masks()
        self.allowed = figures_masks.Allowed(options.allowed if os.path.exists(options.allowed) else None)
        self.differences, self.new, self.failing = [], [], []
        self.steps = self.outputs = self.bytes = 0
        self.seconds = [0.0, 0.0]
        self.slowest = []

    def tell(self, case, command, name, before, after):
        self.differences.append((self.number, case.name, command, name, before, after))

    def content(self, name, entry, step):
        if entry is None:
            return None
        if 'text' not in entry:
            return entry['sha256'].encode()
        return self.masks.apply(name, entry['text'].encode('latin-1'), step['outputs'])

    def output(self, case, old, new, name):
        first, second = old['outputs'].get(name), new['outputs'].get(name)
        for rule, pattern in figures_masks.WHOLE:
            if re.search(pattern, name):
                self.masks.counts[rule] += 1
                first, second = first and {**first, 'sha256': ''}, second and {**second, 'sha256': ''}
        self.outputs += 1
        self.bytes += second['size'] if second else 0
        if first and second and first['sha256'] == second['sha256']:
            return
        before, after = self.content(name, first, old), self.content(name, second, new)
        if before == after:
            return
        before, after = self.allowed.apply(old['command'], name, before or b'', after or b'')
        if before == after and (first is None) == (second is None):
            return
        if first is None or second is None:
            return self.tell(case, old['command'], name, *('written' if side else 'not written' for side in (first, second)))
        rows = before.split(b'\n'), after.split(b'\n')
        at = next((i for i, pair in enumerate(zip(*rows)) if pair[0] != pair[1]), min(map(len, rows)))
        shown = [side[at].decode(errors='replace') if at < len(side) else '(ends)' for side in rows]
        self.tell(case, old['command'], f'{name}, line {at + 1}', *shown)

    def case(self, number, case, old_steps, new_steps):
        self.number = number
        unknown = set()  # files that commands wrote which BEFORE does not know
        for old, new in zip(old_steps, new_steps):
            self.steps += 1
            self.seconds[0] += old['seconds']
            self.seconds[1] += new['seconds']
            self.slowest.append((new['seconds'], old['seconds'], case.name, old['command']))
            said = word_unknown(old)
            if said and new['status'] == 0:
                self.new.append((case.name, old['command'], said))
                unknown |= set(new['outputs']) - {'stdout', 'stderr'}
                continue
            if old['status'] != 0:
                self.failing.append((case.name, old['command'], old['status'], old['outputs']['stderr']['text'].split('\n')[0]))
            if figures_run.TOO_LONG in (old['status'], new['status']):
                self.tell(case, old['command'], 'not compared', old['status'], new['status'])
                continue
            if old['status'] != new['status']:
                self.tell(case, old['command'], 'exit status', old['status'], new['status'])
            if old['gone'] != new['gone']:
                self.tell(case, old['command'], 'files taken away', old['gone'], new['gone'])
            for name in sorted((set(old['outputs']) | set(new['outputs'])) - unknown):
                self.output(case, old, new, name)


def report_differences(options, comparison):
    found = sorted(comparison.differences, key=lambda difference: difference[0])
    for _, name, command, output, before, after in found[:options.show]:
        print(f'DIFFERENT  {name}: {command}\n  {output}\n  before: {str(before)[:400]}\n  after:  {str(after)[:400]}')
    more = len(found) - options.show
    if more > 0:
        print(f'and {more} more (--show {len(found)} prints them)')


def report_left_out(options, comparison, left_out, left_options, runner):
    print('\nNot run, or not as it stands:')
    for name, command, why in left_out:
        print(f'  {name}: {command} ({why})')
    for name, command, said in comparison.new:
        if name.endswith(EXAMPLES):
            print(f'  {name}: {command} (new in AFTER; BEFORE: {said})')
    for name, command, status, line in comparison.failing:
        if name.endswith(EXAMPLES):
            print(f'  {name}: {command} (run, but ends with {status} in BEFORE: {line.encode("latin-1").decode()})')
    for program, why in runner.no_plugin.items():
        print(f'  --plugin with {program}: {why}')
    for option in left_options:
        print(f'  {option}: an option that no command uses')
    if options.failing:
        print('Failing in BEFORE:')
        for name, command, status, line in comparison.failing:
            print(f'  {status}  {name}: {command}\n     {line.encode("latin-1").decode(errors="replace")}')


def report(comparison, runner, cases):
    print('Masked, where outputs are not the same as they stand:')
    for rule, count in sorted(comparison.masks.counts.items()):
        if count:
            print(f'  {count:8}  {rule}')
    print('New in AFTER, by what BEFORE says of them:')
    for said, count in sorted(collections.Counter(said for *_, said in comparison.new).items()):
        print(f'  {count:8}  {said}')
    print('Allowed:')
    for rule in comparison.allowed.rules:
        print(f'  {comparison.allowed.used[rule]:8}  {rule[0]} | {rule[1]} | {rule[2]}: {rule[3]}')
    print('Slowest in AFTER (seconds, BEFORE\'s beside it):')
    for after, before, name, command in sorted(comparison.slowest, reverse=True)[:5]:
        print(f'  {after:7.2f} {before:7.2f}  {command}')
    print(f'{len(cases)} cases ({runner.cached} of BEFORE from the cache), {comparison.steps} commands '
          f'({len(comparison.failing)} of which fail in BEFORE, as most of them are meant to, and {len(comparison.new)} are new in AFTER), '
          f'{comparison.outputs} outputs, {comparison.bytes / 1e6:.0f} MB; seconds: BEFORE {comparison.seconds[0]:.0f}, AFTER {comparison.seconds[1]:.0f}')
    print('The same.' if not comparison.differences else f'{len(comparison.differences)} outputs differ.')


def compare(options, runner, cases):
    """Runs the cases side by side, and compares each as soon as it is done."""
    comparison = Comparison(options)
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        to_run, running = collections.deque(enumerate(cases)), {}
        while to_run or running:
            while to_run and len(running) < options.jobs + 1:
                number, case = to_run.popleft()
                running[pool.submit(runner.both, number, case)] = number, case
            if sys.stderr.isatty():
                print(f'\r{len(cases) - len(to_run) - len(running)} of {len(cases)} cases', end='\r', file=sys.stderr, flush=True)
            done, _ = concurrent.futures.wait(running, return_when=concurrent.futures.FIRST_COMPLETED)
            for future in done:
                comparison.case(*running.pop(future), *future.result())
    return comparison


def main():
    options = arguments()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # what is temporary goes then, too
    options.before, options.after = (os.path.realpath(path) for path in (options.before, options.after))
    for path in (options.before, options.after):
        if not os.access(path, os.X_OK):
            sys.exit(f'{path}: no such program')
    shared = os.path.realpath(options.shared) if os.path.isdir(options.shared) else None
    if not shared:
        print(f'no labelled sets in {options.shared}: only what is shipped is compared')
    root = tempfile.mkdtemp(prefix='same_figures.')
    try:
        kinds = figures_sets.make_sets(root, TREE, shared)
        left_out = []
        cases = figures_examples.pages(options.tree, left_out)
        cases += [] if options.quick else figures_examples.pages_on(cases, kinds)
        cases += figures_examples.help_cases(options.before, options.after, left_out)
        runner = figures_run.Runner(options, root)
        cases += figures_matrix.matrix(options.before, kinds, options.quick, not runner.no_plugin)
        cases = [case for case in cases if re.search(options.only, case.name)]
        if options.list:
            for case in cases:
                print(f'# {case.name}', *case.steps, sep='\n')
            return 0
        comparison = compare(options, runner, cases)
        report_differences(options, comparison)
        report_left_out(options, comparison, left_out, [] if options.only else figures_examples.unused_options(options.before, cases), runner)
        report(comparison, runner, cases)
        return 1 if comparison.differences else 0
    finally:
        shutil.rmtree(root, ignore_errors=True)


if __name__ == '__main__':
    sys.exit(main())
