#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Measures every stage of bench/stages/stages.def on one thread: against its limit and its peer, or against another commit.

    bench/bench.py [--against REF] [--stages PROGRAM] [--fplab PROGRAM] [--place DIR] [--rounds N] [--only TEXT] [--documents N]

Without --against: a round runs fplab, the limit (build/bench/stages) and the peer (bench/peers.py) in turn. Times are medians over rounds of
processor time; ratios are medians of the ratios within a round, so that other load on the machine affects all three alike. DIR/bench.json
stores every round.

--against REF: builds that commit in a clone below DIR/compare, which is kept for later runs. A round runs A, B, B, A (A: that commit, B: this
build), so that linear drift of the machine affects both alike. For each stage, and for the program's commands on a synthetic corpus, prints
the ratio A/B of the times: above 1 this build is faster. The value is the median over the rounds; its interval, between two order
statistics, contains the median of all possible rounds with probability ≥ 95% (binomial distribution). It covers variation between rounds,
not between machines. Stages that the commit lacks are left out and named."""
import argparse
import json
import math
import os
import platform
import re
import shutil
import statistics
import subprocess
import sys

HERE = os.path.dirname(os.path.realpath(__file__))
TOP = os.path.dirname(HERE)
COMMANDS = {
    'fplab fingerprint, simhash': ['fingerprint', '--corpus', '{corpus}', '--arm', 'simhash', '--format', 'tsv'],
    'fplab dedup, simhash': ['dedup', '--arm', 'simhash', '--threshold', '3', '{corpus}'],
    # An explicit range, since defaults differ between versions, with the option's name in all versions.
    'fplab eval, bit arms': ['eval', '--corpus', '{corpus}', '--arm', 'simhash', '--arm', 'simhash:bits=128', '--thresholds', '1..64', '--format', 'tsv'],
    'fplab eval, default arms': ['eval', '--corpus', '{corpus}', '--thresholds', '1..64', '--format', 'tsv'],
}
LEAST_ROUNDS = 6  # with fewer, no interval of order statistics covers the median with 95%


class Server:
    """A program that answers each line with a line: bench/stages, bench/peers.py."""

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
        """The seconds of a stage; None if the program does not have it."""
        answer = self.ask(line)
        return None if answer == 'unknown' else float(answer)

    def stages(self):
        found, line = [], self.ask('list')
        while line:
            found.append(dict(zip(('stage', 'unit', 'limit_does', 'peer_asked'), line.split('\t'))))
            line = self.process.stdout.readline().rstrip('\n')
        return found


def output_of(*words):
    try:
        return subprocess.run(words, cwd=TOP, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return 'unknown'


def facts(program):
    """Machine, compiler and commit of a measurement."""
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


def spent(words):
    """Processor seconds and peak memory in MB of a command; None if it fails."""
    process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    return None if status else (usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024 / 1e6)


def made_corpus(documents, place):
    if not os.path.exists(os.path.join(place, 'docs.jsonl')):
        made = place + '.new'
        subprocess.run([os.path.join(HERE, 'made_corpus.py'), str(documents), made], check=True)
        shutil.rmtree(place, ignore_errors=True)
        os.rename(made, place)
    return place


def table(head, rows):
    """A table in Markdown; the first column is text, the others are numbers."""
    wide = [max(len(row[i]) for row in [head] + rows) for i in range(len(head))]

    def line(row):
        return '| ' + ' | '.join(cell.ljust(wide[i]) if i == 0 else cell.rjust(wide[i]) for i, cell in enumerate(row)) + ' |'
    rule = '|' + '|'.join('-' * (w + 2) if i == 0 else '-' * (w + 1) + ':' for i, w in enumerate(wide)) + '|'
    return '\n'.join([line(head), rule] + [line(row) for row in rows])


def write_json(path, value):
    with open(path + '.new', 'w', encoding='utf-8') as file:
        json.dump(value, file, indent=1, ensure_ascii=False)
        file.write('\n')
    os.rename(path + '.new', path)


# ---- Against the limit and the peer ----

def rate(seconds, unit):
    """The speed in readable form: (number, unit)."""
    if seconds is None:
        return '', ''
    if unit == 'byte':
        return f'{1e-6 / seconds:,.3g}' if seconds > 1e-8 else f'{1e-6 / seconds:,.0f}', 'MB/s'
    if unit == 'pair':
        return (f'{1e-9 / seconds:.3g}', 'G pairs/s') if seconds < 1e-9 else (f'{1e-6 / seconds:.3g}', 'M pairs/s')
    return (f'{seconds * 1e6:.3g}', f'µs a {unit.split()[0]}') if seconds >= 1e-6 else (f'{seconds * 1e9:.3g}', f'ns a {unit.split()[0]}')


def ratio(above, below):
    return statistics.median(a / b for a, b in zip(above, below)) if above and below else None


def measure(stage, lab, peers, rounds):
    """The results of one stage, in seconds per unit."""
    name, peer_is = stage['stage'], None
    times = {'lab': [], 'limit': [], 'peer': []}
    for number in range(rounds + 1):
        took = {'lab': lab.seconds('lab ' + name), 'limit': lab.seconds('limit ' + name)}
        if number == 0 or peer_is:
            answer, _, said = peers.ask('peer ' + stage['peer_asked']).partition('\t')
            if answer == 'missing':
                print(f'skipped: the peer of {name}: {said}', file=sys.stderr)
            else:
                took['peer'], peer_is = float(answer), said
        if number:  # the first round opens files and warms caches
            for who, seconds in took.items():
                times[who].append(seconds)
    found = {**stage, 'peer_is': peer_is}
    for who, all_ in times.items():
        found[who] = statistics.median(all_) if all_ else None
        found[who + '_rounds'] = all_
    found['of_limit'] = ratio(times['limit'], times['lab'])
    found['times_peer'] = ratio(times['peer'], times['lab'])
    return found


def row(found):
    (lab, unit), (limit, limit_unit), (peer, peer_unit) = (rate(found[who], found['unit']) for who in ('lab', 'limit', 'peer'))
    return [found['stage'] + (f' ({found["unit"]})' if ' of ' in found['unit'] else ''), unit, lab, limit + (' ' + limit_unit if limit_unit != unit else ''),
            f'{found["of_limit"]:.2f}', found['peer_is'] or '', peer + (' ' + peer_unit if peer and peer_unit != unit else ''),
            f'{found["times_peer"]:.1f}' if found['times_peer'] else '']


def measure_all(options):
    lab, peers = Server([options.stages]), Server(['/usr/bin/python3', options.peers])
    every = []
    for stage in lab.stages():
        if options.only in stage['stage']:
            print(f'… {stage["stage"]}', file=sys.stderr, flush=True)
            every.append(measure(stage, lab, peers, options.rounds))
    what, path = facts(options.fplab), os.path.join(options.place, 'bench.json')
    print(f'{what["processor"]}, one thread, commit {what["commit"]}, {what["compiler"]}, load {what["load"]:.1f}; medians of {options.rounds} rounds\n')
    print(table(['stage', 'unit', 'lab', 'limit', 'of limit', 'peer', 'its figure', 'times peer'], [row(found) for found in every]))
    write_json(path, {'facts': what, 'rounds': options.rounds, 'unit_of_times': 'seconds of the processor', 'stages': every})
    print(f'\nbench: all figures are in {os.path.relpath(path)}')


# ---- Against another commit ----

RULE = r"""
$(BUILD)/bench/stages: $(wildcard bench/stages/*.c) $(STATIC)
	@mkdir -p $(@D)
	@$(filter-out -MMD -MP,$(COMPILE)) $(LINK) -o $@ $(filter bench/%.c,$^) $(STATIC) $(LIBS)
"""


def build(commit, place):
    """Builds the clone's program, and this tree's stages with the clone's rules and library if that has all functions."""
    clone = os.path.join(place, commit[:12])
    quiet = {name: value for name, value in os.environ.items() if name not in ('MAKEFLAGS', 'MFLAGS', 'MAKELEVEL', 'MAKEOVERRIDES')}

    def run(words, **more):
        done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, env=quiet, **more)
        return done.returncode, done.stdout.strip()
    if not os.path.isdir(os.path.join(clone, '.git')):
        os.makedirs(place, exist_ok=True)
        for words in (['git', 'clone', '--quiet', '--no-checkout', '--shared', TOP, clone], ['git', '-C', clone, 'checkout', '--quiet', commit]):
            status, said = run(words)
            if status:
                shutil.rmtree(clone, ignore_errors=True)
                sys.exit(f'bench-compare: {" ".join(words)}: {said}')
    make = ['make', '--no-print-directory', f'-j{len(os.sched_getaffinity(0))}', '-C', clone, 'BUILD=build']
    status, said = run(make + ['all'])
    if status:
        sys.exit(f'bench-compare: {commit[:12]} cannot be built:\n{said[-2000:]}')
    stages = os.path.join(clone, 'bench/stages')
    shutil.rmtree(stages, ignore_errors=True)
    shutil.copytree(os.path.join(HERE, 'stages'), stages)
    status, said = run(make + ['-f', 'Makefile', '-f', '-', 'build/bench/stages'], input=RULE)
    if status:
        print(f'note: the stages do not build with {commit[:12]}; comparing only its commands: {said[-300:]}', file=sys.stderr)
    return os.path.join(clone, 'build/bin/fplab'), None if status else os.path.join(clone, 'build/bench/stages')


def interval(values):
    """Order statistics around the median with P(median outside) ≤ 5%; the full range if there are too few values."""
    ordered, number = sorted(values), len(values)
    outside, skip = 0.0, 0
    while skip < (number - 1) // 2 and outside + math.comb(number, skip) / 2**number <= 0.025:
        outside += math.comb(number, skip) / 2**number
        skip += 1
    low = max(skip - 1, 0)
    return ordered[low], ordered[number - 1 - low]


def compare(name, a, b, rounds):
    """The ratios of the rounds for two functions that return seconds; None if a build lacks the stage."""
    if a(name) is None or b(name) is None:  # opens files and warms caches
        return None
    ratios, times = [], {'a': [], 'b': []}
    for _ in range(rounds):
        first, second, third, fourth = a(name), b(name), b(name), a(name)
        times['a'].append((first + fourth) / 2)
        times['b'].append((second + third) / 2)
        ratios.append(times['a'][-1] / times['b'][-1])
    return {'ratio': statistics.median(ratios), 'interval': interval(ratios), 'ratios': ratios, **times}


def verdict(one):
    low, high = one['interval']
    if len(one['ratios']) < LEAST_ROUNDS:
        return ''
    return 'faster' if low > 1 else 'slower' if high < 1 else ''


def compare_all(options):
    commit = output_of('git', 'rev-parse', '--verify', '--quiet', options.against + '^{commit}')
    if commit == 'unknown':
        sys.exit(f'bench-compare: {options.against} is not a commit of this repository')
    place = os.path.join(options.place, 'compare')
    program, stages = build(commit, place)
    print(f'A: {options.against} ({commit[:12]}); B: this build. A/B above 1: this build is faster. {options.rounds} rounds of A B B A\n')
    corpus = made_corpus(options.documents, os.path.join(place, f'corpus-{options.documents}'))

    def of_stage(path):
        server = Server([path])
        return lambda name: server.seconds('lab ' + name)

    def of_command(path):
        return lambda name: (spent([path] + [word.format(corpus=corpus) for word in COMMANDS[name]]) or [None])[0]
    asked = [(name, of_command(program), of_command(options.fplab)) for name in COMMANDS]
    if stages:
        there, here = of_stage(stages), of_stage(options.stages)
        asked = [(stage['stage'], there, here) for stage in Server([options.stages]).stages()] + asked
    found = {}
    for name, a, b in asked:
        if options.only in name:
            print(f'… {name}', file=sys.stderr, flush=True)
            found[name] = compare(name, a, b, options.rounds)
    compared = {name: one for name, one in found.items() if one}
    print(table(['stage', 'A/B', '95% from', 'to', ''],
                [[name, f'{one["ratio"]:.3f}', f'{one["interval"][0]:.3f}', f'{one["interval"][1]:.3f}', verdict(one)] for name, one in compared.items()]))
    print(f'\nWith equal builds, about {0.05 * len(compared):.1f} of {len(compared)} stages would differ by chance.')
    for name in found.keys() - compared.keys():
        print(f'left out: {name}: one of the two builds lacks it')
    write_json(os.path.join(place, f'{commit[:12]}.json'), {'facts': facts(options.fplab), 'a': commit, 'rounds': options.rounds, 'stages': compared})


def main():
    parser = argparse.ArgumentParser(description='Every stage of the lab beside its limit and its peer, or beside another commit.')
    parser.add_argument('--against', metavar='REF')
    parser.add_argument('--stages', type=os.path.abspath, default=os.path.join(TOP, 'build/bench/stages'))
    parser.add_argument('--peers', type=os.path.abspath, default=os.path.join(HERE, 'peers.py'))
    parser.add_argument('--fplab', type=os.path.abspath, default=os.path.join(TOP, 'build/bin/fplab'))
    parser.add_argument('--place', type=os.path.abspath, default=os.path.join(TOP, 'build/bench'))
    parser.add_argument('--rounds', type=int, default=9)
    parser.add_argument('--only', default='', help='stages whose name holds this text')
    parser.add_argument('--documents', type=int, default=2000, help='of the corpus of the commands')
    options = parser.parse_args()
    (compare_all if options.against else measure_all)(options)


if __name__ == '__main__':
    main()
