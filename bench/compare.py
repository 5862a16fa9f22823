#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Two builds side by side: that of another commit, and this one.

    bench/compare.py REF [--stages PROGRAM] [--fplab PROGRAM] [--place DIR] [--rounds N] [--only TEXT] [--documents N]

REF is built in a clone of its own below DIR, which stays for the next time. A round asks A, B, B, A (A: that commit, B: this build), so that what
grows or falls steadily on the machine meets both alike. Of each stage (bench/stages, and the program's own commands on a made corpus) the ratio A/B
of the times of the processor is told: above 1 this build is faster. The figure is the median over the rounds; its interval is that between two order
statistics which holds the median of all possible rounds with a probability of 95% or more (by the binomial law). It says what chance among rounds
may do, not what another machine would. A stage that the commit lacks is left out and named."""
import argparse
import json
import math
import os
import shutil
import statistics
import subprocess
import sys

from rounds import HERE, TOP, Server, facts, output_of, table

COMMANDS = {
    'fplab fingerprint, simhash': ['fingerprint', '--corpus', '{corpus}', '--arm', 'simhash', '--format', 'tsv'],
    'fplab eval, bit arms': ['eval', '--corpus', '{corpus}', '--arm', 'simhash', '--arm', 'simhash:bits=128', '--format', 'tsv'],
    'fplab eval, default arms': ['eval', '--corpus', '{corpus}', '--format', 'tsv'],
}


def run(words, **more):
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, **more)
    return done.returncode, done.stdout


def build(commit, place):
    """The clone with the program, and with its stages where these can be built there."""
    clone = os.path.join(place, commit[:12])
    if not os.path.isdir(os.path.join(clone, '.git')):
        os.makedirs(place, exist_ok=True)
        for words in (['git', 'clone', '--quiet', '--no-checkout', '--shared', TOP, clone], ['git', '-C', clone, 'checkout', '--quiet', commit]):
            status, said = run(words)
            if status:
                shutil.rmtree(clone, ignore_errors=True)
                sys.exit(f'bench-compare: {" ".join(words)}: {said.strip()}')
    quiet = {name: value for name, value in os.environ.items() if name not in ('MAKEFLAGS', 'MFLAGS', 'MAKELEVEL', 'MAKEOVERRIDES')}
    make = ['make', '--no-print-directory', f'-j{len(os.sched_getaffinity(0))}', '-C', clone, 'BUILD=build']
    status, said = run(make + ['all'], env=quiet)
    if status:
        sys.exit(f'bench-compare: {commit[:12]} cannot be built:\n{said[-2000:]}')
    stages = os.path.join(clone, 'build/bench/stages')
    if os.path.isdir(os.path.join(clone, 'bench/stages')):
        status, said = run(make + ['build/bench/stages'], env=quiet)
    else:  # older than they are: those of this tree, as far as the older library has what they call
        status, said = build_stages_there(clone, make, quiet)
    if status:
        print(f'note: the stages cannot be built of {commit[:12]}: its commands alone are compared: {said.strip()[-300:]}', file=sys.stderr)
    return os.path.join(clone, 'build/bin/fplab'), None if status else stages


RULE = r"""
$(BUILD)/bench/stages: $(wildcard bench/stages/*.c) $(STATIC)
	@mkdir -p $(@D)
	@$(filter-out -MMD -MP,$(COMPILE)) $(LINK) -o $@ $(filter bench/%.c,$^) $(STATIC) $(LIBS)
"""


def build_stages_there(clone, make, environment):
    """This tree's stages with the rules and the library of that one."""
    place = os.path.join(clone, 'bench/stages')
    shutil.copytree(os.path.join(HERE, 'stages'), place)
    status, said = run(make + ['-f', 'Makefile', '-f', '-', 'build/bench/stages'], env=environment, input=RULE)
    shutil.rmtree(place)
    return status, said


class Commands:
    """The program's commands, asked as a server is."""

    def __init__(self, program, corpus):
        self.program, self.corpus = program, corpus

    def seconds(self, name):
        words = [self.program] + [word.format(corpus=self.corpus) for word in COMMANDS[name]]
        process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        return None if status else usage.ru_utime + usage.ru_stime


def interval(values):
    """Order statistics around the median: P(median outside) ≤ 5%, or all values where they are too few."""
    ordered, number = sorted(values), len(values)
    outside, skip = 0.0, 0
    while skip < (number - 1) // 2 and outside + math.comb(number, skip) / 2**number <= 0.025:
        outside += math.comb(number, skip) / 2**number
        skip += 1
    low = max(skip - 1, 0)
    return ordered[low], ordered[number - 1 - low]


def compare(name, a, b, rounds):
    """The ratios of the rounds, or None where a build lacks the stage."""
    if a.seconds(name) is None or b.seconds(name) is None:  # opens and warms
        return None
    ratios, times = [], {'a': [], 'b': []}
    for _ in range(rounds):
        first, second, third, fourth = a.seconds(name), b.seconds(name), b.seconds(name), a.seconds(name)
        times['a'].append((first + fourth) / 2)
        times['b'].append((second + third) / 2)
        ratios.append(times['a'][-1] / times['b'][-1])
    return {'ratio': statistics.median(ratios), 'interval': interval(ratios), 'ratios': ratios, **times}


LEAST_ROUNDS = 6  # of fewer no interval of order statistics holds the median with 95%


def verdict(one):
    low, high = one['interval']
    if len(one['ratios']) < LEAST_ROUNDS:
        return ''
    return 'faster' if low > 1 else 'slower' if high < 1 else ''


class Lab:
    """The stages of a build, asked as they are named."""

    def __init__(self, program):
        self.server = Server([program])

    def seconds(self, name):
        return self.server.seconds('lab ' + name)


def corpus_of(documents, place):
    corpus = os.path.join(place, f'corpus-{documents}')
    if not os.path.exists(os.path.join(corpus, 'docs.jsonl')):
        subprocess.run([os.path.join(HERE, 'made_corpus.py'), str(documents), corpus], check=True)
    return corpus


def main():
    parser = argparse.ArgumentParser(description='The build of another commit and this one, side by side.')
    parser.add_argument('ref')
    parser.add_argument('--stages', default=os.path.join(TOP, 'build/bench/stages'))
    parser.add_argument('--fplab', default=os.path.join(TOP, 'build/bin/fplab'))
    parser.add_argument('--place', default=os.path.join(TOP, 'build/bench/compare'))
    parser.add_argument('--rounds', type=int, default=9)
    parser.add_argument('--only', default='', help='stages whose name holds this text')
    parser.add_argument('--documents', type=int, default=2000, help='of the corpus of the commands')
    options = parser.parse_args()
    commit = output_of('git', 'rev-parse', '--verify', '--quiet', options.ref + '^{commit}')
    if commit == 'unknown':
        sys.exit(f'bench-compare: {options.ref} is no commit of this repository')
    place = os.path.abspath(options.place)
    program, stages = build(commit, place)
    print(f'A: {options.ref} ({commit[:12]}); B: this build. A/B above 1: this build is faster. {options.rounds} rounds of A B B A\n')
    found, missing = {}, []

    def each(names, a, b):
        for name in names:
            if options.only not in name:
                continue
            print(f'… {name}', file=sys.stderr, flush=True)
            one = compare(name, a, b, options.rounds)
            if one:
                found[name] = one
            else:
                missing.append(name)
    if stages:
        here = Lab(os.path.abspath(options.stages))
        each([stage['stage'] for stage in here.server.stages()], Lab(stages), here)
    corpus = corpus_of(options.documents, place)
    each(COMMANDS, Commands(program, corpus), Commands(os.path.abspath(options.fplab), corpus))
    print(table(['stage', 'A/B', '95% from', 'to', ''],
                [[name, f'{one["ratio"]:.3f}', f'{one["interval"][0]:.3f}', f'{one["interval"][1]:.3f}',
                  verdict(one)] for name, one in found.items()]))
    print(f'\nOf {len(found)} stages of equal builds about {0.05 * len(found):.1f} are told apart by chance.')
    for name in missing:
        print(f'left out: {name}: one of the two builds lacks it')
    with open(os.path.join(place, f'{commit[:12]}.json'), 'w', encoding='utf-8') as file:
        json.dump({'facts': facts(os.path.abspath(options.fplab)), 'a': commit, 'rounds': options.rounds, 'stages': found}, file, indent=1)
        file.write('\n')


if __name__ == '__main__':
    main()
