#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the tests reached, from the counts of a build that counts (clang's -fprofile-instr-generate -fcoverage-mapping): a row a room, the total, and in
BUILD/unreached.tsv every line, and every way out of a condition, that no test took. Ends with 1 where lines or branches are below what is asked.

    tests/coverage/report.py BUILD [--lines 0.97] [--branches 0.88]

Counted is the source as it is written, before anything is optimised, inlined or folded. A line is one that holds code, not a brace or a comment alone, and is
reached when any of it ran. A branch is one way out of a condition: true and false of each operand of &&, || and ?: and of each condition of if, while, do and for;
one for each case of a switch. A condition that the compiler knows (the 0 of `do … while (0)`) has no ways out. A macro's conditions count where it is used. What is
compiled into several objects (headers), or for several levels of the processor, counts once. Conditions that ask for memory are branches like others: tests of
failed allocations take them, and those of failed system calls the ones behind these.
"""
import argparse
import collections
import json
import os
import pathlib
import re
import subprocess
import sys

ROOMS = ('base', 'text', 'algorithms', 'pairs', 'index', 'corpora', 'eval', 'reports', 'cli')
# Kinds of llvm's regions: a macro's use is one.
EXPANSION = 1
CONSTANT = re.compile(r'[0-9]+|true|false')


def llvm(tool):
    """The tool of the compiler's own version, or the one that has no number."""
    version = subprocess.run(['clang', '-dumpversion'], capture_output=True, text=True, check=True).stdout.split('.', maxsplit=1)[0]
    return next((name for name in (f'{tool}-{version}', tool) if subprocess.run(['which', name], capture_output=True, check=False).returncode == 0), tool)


def counts_of(build):
    """What llvm-cov says: files with their segments, functions with their branches."""
    raw = sorted(map(str, (build / 'counts').glob('*.profraw')))
    if not raw:
        sys.exit(f'no counts in {build}/counts')
    merged = build / 'counts.profdata'
    (build / 'counts.list').write_text('\n'.join(raw) + '\n', encoding='utf-8')
    subprocess.run([llvm('llvm-profdata'), 'merge', '-sparse', '-f', build / 'counts.list', '-o', merged], check=True)
    run = subprocess.run([llvm('llvm-cov'), 'export', '-skip-expansions', f'-instr-profile={merged}', build / 'bin' / 'fplab'], stdout=subprocess.PIPE, check=True)
    return json.loads(run.stdout)['data'][0]


class Sources:
    """The files of the rooms, by the names of the compiler."""

    def __init__(self):
        self.root, self.names, self.texts = os.getcwd(), {}, {}

    def name(self, path):
        """From the root of the project; None where the file is in no room."""
        if path not in self.names:
            name = os.path.relpath(path, self.root)
            self.names[path] = name if name.split('/')[0] in ROOMS and os.path.exists(name) else None
        return self.names[path]

    def lines(self, name):
        if name not in self.texts:
            self.texts[name] = pathlib.Path(name).read_text(encoding='utf-8').split('\n')
        return self.texts[name]

    def code(self, name):
        """The numbers of the lines that hold more than braces and comments."""
        text = '\n'.join(self.lines(name))
        bare = re.sub(r'"(?:[^"\\\n]|\\.)*"|/\*.*?\*/|//[^\n]*', lambda found: found[0] if found[0][0] == '"' else re.sub(r'[^\n]', ' ', found[0]), text, flags=re.S)
        return {number for number, line in enumerate(bare.split('\n'), 1) if re.search(r'[^\s{}();,]', line)}

    def part(self, path, region):
        """What is written in a region of one line or more; columns are bytes."""
        name = os.path.relpath(path, self.root)
        if name.startswith('..'):
            return ''
        rows = [line.encode() for line in self.lines(name)[region[0] - 1:region[2]]]
        if len(rows) == 1:
            return rows[0][region[1] - 1:region[3] - 1].decode('utf-8', 'replace')
        return b' '.join([rows[0][region[1] - 1:], *[row.strip() for row in rows[1:-1]], rows[-1][:region[3] - 1].strip()]).decode('utf-8', 'replace')


def lines_of(segments):
    """The count of each line of a file, as llvm-cov has it (LineCoverageStats): the most of what begins on it and what goes on from the line before."""
    counts, starts = {}, collections.defaultdict(list)
    for segment in segments:
        starts[segment[0]].append(segment)
    wrapped = None
    for line in range(segments[0][0], segments[-1][0] + 1) if segments else ():
        here = starts.get(line, [])
        entries = [segment[2] for segment in here if segment[3] and segment[4] and not segment[5]]
        skipped = here and not here[0][3] and here[0][4]
        if not skipped and (entries or (wrapped and wrapped[3])):
            counts[line] = max(entries + [wrapped[2] if wrapped else 0])
        wrapped = here[-1] if here else wrapped
    return counts


def branches_of(functions, sources):
    """{file: {(line, place in the line, in macros …, condition, way): count}}: what is compiled several times is added."""
    ways = collections.defaultdict(collections.Counter)
    for function in functions:
        used_in = {region[6]: region for region in function['regions'] if region[7] == EXPANSION}
        for branch in function['branches']:
            text = ' '.join(sources.part(function['filenames'][branch[6]], branch).split())
            if CONSTANT.fullmatch(text):
                continue
            file, place = branch[6], [tuple(branch[:2])]
            while file in used_in:
                place.insert(0, tuple(used_in[file][:2]))
                file = used_in[file][5]
            name = sources.name(function['filenames'][file])
            if not name:
                continue
            ways[name][place[0][0], tuple(place), text, True] += branch[4]
            if not re.match(r'(case|default)\b', text):
                ways[name][place[0][0], tuple(place), text, False] += branch[5]
    return ways


def share(reached, all_):
    return reached / all_ if all_ else 1


def main():
    parser = argparse.ArgumentParser(description='Coverage by the tests.')
    parser.add_argument('build', type=pathlib.Path)
    parser.add_argument('--lines', type=float, default=0.97)
    parser.add_argument('--branches', type=float, default=0.88)
    options = parser.parse_args()
    counted, sources = counts_of(options.build), Sources()
    files = {sources.name(file['filename']): file for file in counted['files'] if sources.name(file['filename'])}
    if len(files) < 400:
        sys.exit(f'counts of only {len(files)} files in {options.build}')
    ways = branches_of(counted['functions'], sources)
    rooms = collections.defaultdict(lambda: [0, 0, 0, 0])
    with open(options.build / 'unreached.tsv', 'w', encoding='utf-8') as stream:
        stream.write('file\tline\twhat\ttext\n')
        for name in sorted(files):
            code = sources.code(name)
            lines = {line: count for line, count in lines_of(files[name]['segments']).items() if line in code}
            row = [sum(count > 0 for count in lines.values()), len(lines), sum(count > 0 for count in ways[name].values()), len(ways[name])]
            for total in (rooms[name.split('/')[0]], rooms['all']):
                total[:] = [a + b for a, b in zip(total, row)]
            missed = [(line, 'line', sources.lines(name)[line - 1].strip()) for line, count in lines.items() if count == 0]
            missed += [(line, f'{text} is {"true" if way else "false"}' if not text.startswith(('case ', 'default')) else text,
                        sources.lines(name)[line - 1].strip()) for (line, _, text, way), count in ways[name].items() if count == 0]
            for line, what, text in sorted(missed):
                stream.write(f'{name}\t{line}\t{what}\t{text}\n')
    print('room\tlines\tof\tshare\tbranches\tof\tshare')
    for room in (*ROOMS, 'all'):
        reached, all_lines, taken, all_ways = rooms[room]
        print(f'{room}\t{reached}\t{all_lines}\t{share(reached, all_lines):.4f}\t{taken}\t{all_ways}\t{share(taken, all_ways):.4f}')
    reached, all_lines, taken, all_ways = rooms['all']
    return 0 if share(reached, all_lines) >= options.lines and share(taken, all_ways) >= options.branches else 1


if __name__ == '__main__':
    sys.exit(main())
