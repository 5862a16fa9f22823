#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Mutation testing: one small fault at a time is put into a source file, and the tests that belong to it must see it.

    tests/mutation/mutate.py [--number N] [--seed S] [--least 0.9] [--build DIRECTORY] [FILE…]

A mutant is made of one place of one file: a relational, logical or arithmetic operator changed, a constant one more or less, a condition negated, a
statement left out (mutants.py). It is compiled alone and linked before the library, so that its file of the library is not taken, into the unit
tests of its room, and into the program for the tests of the command line that rooms.py names; what neither sees goes into the unit tests of the
nearest rooms once more, under the address and undefined-behaviour sanitizers, as check-deep runs them. What the compiler makes the same code of is no mutant
(trivial equivalence: Papadakis, Jia, Harman, Le Traon, ICSE 2015); what it refuses or warns of is none either. A mutant is killed by a test that fails,
crashes or takes ten times the processor's seconds. The rest survive, and are printed to be read; those that were read and change nothing that is
promised are in equivalent.tsv, with the reason, and are not counted. Lines that tell of a failed allocation are left to the tests that make allocations
fail (tests/base, tests/deep).

The last line is the count. Ends with 1 where fewer than the least share are killed. Everything is below BUILD/mutation; the sources stay as they are.
"""
import argparse
import collections
import csv
import os
import pathlib
import random
import resource
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from mutants import mutants_of  # noqa: E402
from rooms import FILES, belongs, shell_tests, unit_tests  # noqa: E402

HERE = pathlib.Path(__file__).parent
# As in tests/deep/machines/test_sanitizers.sh.
SANITIZED = ['SANITIZE=-fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer', 'OPT=-O1 -g']


def make_variables(build, names, given):
    """What the Makefile builds with."""
    rules = '\n'.join(f'show-{name}:\n\t@printf "%s\\n" $(call quoted,$({name}))' for name in names)
    values = {}
    for name in names:
        run = subprocess.run(['make', '--no-print-directory', '-s', f'BUILD={build}', *given, '-f', 'Makefile', '-f', '-', f'show-{name}'],
                             input=rules, capture_output=True, text=True, check=True)
        values[name] = shlex.split(run.stdout)
    return values


class Workshop:
    """Compiles mutants and links them into tests."""

    def __init__(self, build, given=()):
        self.build, self.sanitized = pathlib.Path(build), bool(given)
        self.place = self.build / 'mutation'
        self.place.mkdir(parents=True, exist_ok=True)
        # Of this run alone: several may run beside each other.
        self.bench = pathlib.Path(tempfile.mkdtemp(prefix='bench.', dir=self.place))
        self.make = make_variables(build, ['COMPILE', 'CC', 'LINK', 'LIBS', 'REPORTS', 'STATIC', 'PROGRAM_OBJECTS', 'LIBRARY_OBJECTS'], given)
        subprocess.run(['make', '--no-print-directory', '-s', f'BUILD={build}', *given, *self.make['STATIC'], *self.make['REPORTS']], check=True, stdout=subprocess.DEVNULL)
        if shutil.which('ld.lld'): # thousands of links: it takes half as long
            self.make['LINK'].append('-fuse-ld=lld')
        self.compile = [word for word in self.make['COMPILE'] if word not in ('-MMD', '-MP')]
        self.seconds, self.linked, self.linked_files = {}, None, {}
        # Objects of tests are kept from run to run, until a header of the tree changes.
        self.newest_header = max(header.stat().st_mtime for room in ('include', 'base', 'text', 'algorithms', 'pairs', 'index', 'eval', 'corpora', 'reports', 'cli', 'tests')
                                 for header in pathlib.Path(room).rglob('*.h'))

    def compiled(self, source, to, *options):
        return subprocess.run([*self.compile, '-Werror', '-iquote', '.', *options, '-c', '-o', to, source], capture_output=True).returncode == 0

    def test_object(self, test):
        to = self.place / 'tests' / test.replace('/', '_').replace('.c', '.o')
        to.parent.mkdir(exist_ok=True, parents=True)
        if not to.exists() or to.stat().st_mtime < max(self.newest_header, pathlib.Path(test).stat().st_mtime):
            made = self.bench / to.name
            if not self.compiled(test, made, '-O0', '-U_FORTIFY_SOURCE', '-Wno-error'):
                sys.exit(f'{test} does not compile')
            made.replace(to)
        return to

    def linked_test(self, test, mutant, to):
        """The mutant stands before the library, whose member of the same names is then not asked for. The files that were linked."""
        command = [*self.make['CC'], *self.make['LINK'], '-Wl,--strip-debug', '-o', to, self.test_object(test), *([mutant] if mutant else []),
                   *self.make['REPORTS'], *self.make['STATIC'], '-lcmocka', *self.make['LIBS'], '-Wl,--trace']
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout

    def linked_program(self, mutant, source, to):
        own = str(self.build / source)[:-2] + '.o'
        objects = [mutant if name == own and mutant else name for name in self.make['PROGRAM_OBJECTS'] + self.make['LIBRARY_OBJECTS']]
        subprocess.run([*self.make['CC'], *self.make['LINK'], '-pie', '-rdynamic', '-Wl,--strip-debug', '-o', to, *objects, *self.make['LIBS']], check=True, capture_output=True)

    def passes(self, command, seconds, program):
        """Whether the test passes within that many seconds of the processor, and how many it took."""
        def limit():
            os.setsid()
            resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
            if not self.sanitized: # which map terabytes
                resource.setrlimit(resource.RLIMIT_AS, (8 << 30, 8 << 30))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        with tempfile.TemporaryDirectory() as temporary:
            environment = dict(os.environ, FPLAB=str(program), BUILD=str(self.build), TMPDIR=temporary)
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL, env=environment, preexec_fn=limit)
            try:
                status = child.wait(timeout=600)
            except subprocess.TimeoutExpired:
                status = 1
            try:
                os.killpg(child.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            child.wait()
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return status == 0, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    def passes_with(self, test, source, mutant, seconds):
        """Whether a test of the source passes with the mutant in it, or with none, and how many seconds it took."""
        binary, program = (self.bench / 'test').resolve(), (self.bench / 'fplab').resolve()
        if test.endswith('.c'):
            self.linked_test(test, mutant, binary)
            return self.passes([str(binary)], seconds, program)
        if not mutant:
            program = (self.build / 'bin' / 'fplab').resolve()
        elif self.linked != mutant.stat().st_mtime_ns: # once for all tests of the program
            self.linked_program(mutant, source, program)
            self.linked = mutant.stat().st_mtime_ns
        return self.passes(['bash', test], seconds, program)

    def reaches(self, test, source):
        """Whether the test takes that file of the library."""
        if test not in self.linked_files:
            self.linked_files[test] = self.linked_test(test, None, self.bench / 'test')
        return f'({pathlib.Path(source).stem}.o)' in self.linked_files[test]

    def seconds_of(self, test, source):
        """What it takes as it is, when it must pass."""
        if test not in self.seconds:
            good, took = self.passes_with(test, source, None, 600)
            if not good:
                sys.exit(f'{test} fails without a mutant')
            self.seconds[test] = took
        return self.seconds[test]

    def killer(self, source, mutant):
        """The first test that sees the mutant, or None: first those of its name, then the cheapest."""
        units = sorted(unit_tests(source, near=self.sanitized), key=lambda test: (not belongs(test, source), self.seconds.get(test, 1)))
        for test in units + ([] if self.sanitized else shell_tests(source)):
            if test in units and not self.reaches(test, source):
                continue
            if not self.passes_with(test, source, mutant, int(10 + 10 * self.seconds_of(test, source)))[0]:
                return test
        return None


def code_of(path):
    """The code and the data of an object."""
    return subprocess.run(['objdump', '-drsw', '--no-show-raw-insn', path], capture_output=True).stdout.split(b'\n', 3)[-1]


ORIGINALS = {}


def original_code(shop, file, text, options):
    if file not in ORIGINALS:
        source = shop.bench / 'mutant.c'
        source.write_text(text, encoding='utf-8')
        shop.compiled(source, shop.bench / 'original.o', *options)
        ORIGINALS[file] = code_of(shop.bench / 'original.o')
    return ORIGINALS[file]


def known_equivalents():
    with open(HERE / 'equivalent.tsv', encoding='utf-8', newline='') as stream:
        rows = csv.reader((line for line in stream if not line.startswith('#')), delimiter='\t', quoting=csv.QUOTE_NONE)
        return {(row[0], row[1], row[2]): row[3] for row in rows if row}


def options_of(file):
    """What a file of the library is compiled with besides."""
    flags = ['-fno-math-errno'] if file.startswith('algorithms/kernels/') else []
    return ['-g0', '-O2', f'-frandom-seed={file}', '-I', str(pathlib.Path(file).parent), *flags]


def made_mutant(shop, mutant, text, *options):
    """Its object, or None where it is refused."""
    source, to = shop.bench / 'mutant.c', shop.bench / 'mutant.o'
    source.write_text(text[:mutant.begin] + mutant.new + text[mutant.end:], encoding='utf-8')
    return to if shop.compiled(source, to, *options_of(mutant.file), *options) else None


def try_mutant(shop, sanitized, mutant, text):
    """What became of it: refused, same, or the test that killed it, or None."""
    made = made_mutant(shop, mutant, text)
    if not made:
        return 'refused'
    if code_of(made) == original_code(shop, mutant.file, text, options_of(mutant.file)):
        return 'same'
    found = shop.killer(mutant.file, made)
    if found:
        return found
    found = sanitized.killer(mutant.file, made_mutant(sanitized, mutant, text, '-Wno-error'))
    return found and found + ' under the sanitizers'


def sample(files, number, seed):
    """That many mutants, evenly drawn from those of all files, in the order in which they were drawn."""
    every = [mutant for file in files for mutant in mutants_of(file, pathlib.Path(file).read_text(encoding='utf-8')) if 'fp_no_memory' not in mutant.line_text]
    random.Random(seed).shuffle(every)
    return every, number or len(every)


def tell(counts, survivors, place):
    rooms = collections.defaultdict(lambda: [0, 0])
    for (file, killed), count in counts.items():
        rooms[str(pathlib.Path(file).parent)][killed] += count
    for room, (alive, killed) in sorted(rooms.items()):
        print(f'{room}: {killed} of {alive + killed} killed')
    with open(place / 'survivors.tsv', 'w', encoding='utf-8') as stream:
        for mutant in survivors:
            stream.write(f'{mutant.file}\t{mutant.line_text}\t{mutant.change}\n')


def main():
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(130))
    parser = argparse.ArgumentParser(description='Mutation testing.')
    parser.add_argument('--number', type=int, default=300, help='mutants that are tried (0: all)')
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--least', type=float, default=0.9, help='share that must be killed')
    parser.add_argument('--build', default=os.environ.get('BUILD', 'build'))
    parser.add_argument('files', nargs='*')
    options = parser.parse_args()
    files = options.files or FILES()
    shop, sanitized, known = Workshop(options.build), Workshop(pathlib.Path(options.build) / 'sanitize', SANITIZED), known_equivalents()
    every, wanted = sample(files, options.number, options.seed)
    counts, apart, survivors, tried = collections.Counter(), collections.Counter(), [], 0
    for mutant in every:
        if tried == wanted:
            break
        if (mutant.file, mutant.line_text, mutant.change) in known:
            apart['equivalent'] += 1
            continue
        found = try_mutant(shop, sanitized, mutant, pathlib.Path(mutant.file).read_text(encoding='utf-8'))
        if found in ('refused', 'same'):
            apart[found] += 1
            continue
        tried += 1
        counts[mutant.file, found is not None] += 1
        print(f'{tried} {"killed by " + found if found else "SURVIVED"}: {mutant.file}:{mutant.line}: {mutant.change}' + ('' if found else f'\n    {mutant.line_text}'), flush=True)
        if not found:
            survivors.append(mutant)
    tell(counts, survivors, shop.place)
    killed = sum(count for (_, was), count in counts.items() if was)
    share = killed / tried if tried else 1
    print(f'left out: {apart["same"]} whose code is the same, {apart["refused"]} that do not compile, {apart["equivalent"]} read and found to change nothing')
    print(f'{killed} of {tried} mutants killed, {share:.3f}; seed {options.seed}, {len(every)} possible')
    for place in (shop.bench, sanitized.bench):
        shutil.rmtree(place, ignore_errors=True)
    return 0 if share >= options.least else 1


if __name__ == '__main__':
    sys.exit(main())
