# SPDX-License-Identifier: GPL-3.0-or-later
"""What two equal runs may differ in, as named rules, and what is told apart after them: for same_figures.py.

A rule replaces what varies by its name in angle brackets and counts how often. What a file was found to be (a checksum in run.json) is first
compared with the file itself."""
import collections
import hashlib
import json
import re

PICTURES = ('.png', '.svg', '.pdf')
RUN = (  # rule, pattern of a line of run.json, of a choice or of what rerun prints; group 1 stays
    ('commit of the program', rb'("commit": ?)"[^"]*"'), ('commit of the program', rb'(\(commit )[0-9a-z.-]+(?=\))'),
    ('version of the program', rb'("program": ?"fplab",\s*"version": ?)"[^"]*"'), ('version of the program', rb'(by fplab )\S+'),
    ('date', rb'("date": ?)"[^"]*"'), ('date', rb'(Run of )\S+'),
    ('directory', rb'("directory": ?)"[^"]*"'),
    ('processor and its kernel', rb'("(?:processor|hamming_kernel)": ?)"[^"]*"'), ('threads', rb'("threads": ?)\d+'))
TIMES = ('sketch_seconds', 'sketch_seconds_low', 'sketch_seconds_high', 'distance_seconds', 'documents_per_second', 'microseconds_per_document', 'front')
JSON_TIMES = re.compile(rb'("(?:' + '|'.join(TIMES).encode() + rb')": ?)(?:[-+.0-9e]+|null|"[^"]*"|true|false)')
# Files that are compared by name alone.
WHOLE = (('PDF, which holds its date: only that it is there', r'\.pdf$'),
         ('picture of what tune timed: only that it is there', r'-pareto\.(png|svg)$'),
         ('list of what none measured beats, time included: only that it is there', r'-front\.gp$'))
# The table that eval prints, folded or not: its last two columns.
SUMMARY = re.compile(rb'(?m)^(corpus +arm +[^\r\n]*sketch(?: s)? +distance(?: s)?\r?\n(?: +each +s +s\r?\n)?)((?:[^\r\n]+\r?\n)+)')
# The table that tune prints of arms that none measured beats; who stands there depends on time. It ends the output or a corpus.
FRONT = re.compile(rb'(?s)(For each of these arms, no other measured.*?\n)arm [^\n]*microseconds\n(?:[^\n]+\n)+')
ROW_TIMES = re.compile(r' +[0-9.]+(?: \((?:NA|[0-9.]+–[0-9.]+)\))? +[0-9.]+(?=\r?$)'.encode(), re.M)
# The answer's cost.
RATE = re.compile(rb'(?m)^(  cost  [^\r\n]*); [0-9,]+ texts a second')


class Masks:
    def __init__(self):
        self.counts = collections.Counter()

    def replace(self, rule, pattern, new, content):
        content, count = re.subn(pattern, new, content)
        self.counts[rule] += count
        return content

    def columns(self, content, names, rule):
        """A TSV without what its columns of these names hold."""
        lines = content.split(b'\n')
        header = lines[0].split(b'\t')
        places = [i for i, name in enumerate(header) if name.decode(errors='replace') in names]
        if not places or len(header) < 2:
            return content
        for i in range(1, len(lines)):
            cells = lines[i].split(b'\t')
            if len(cells) != len(header):
                continue
            for place in places:
                cells[place] = b'<' + rule.encode() + b'>'
                self.counts[rule] += 1
            lines[i] = b'\t'.join(cells)
        return b'\n'.join(lines)

    def files(self, content, name, outputs):
        """run.json's list of files: size and checksum are those of the file beside it, and then masked."""
        try:
            listed = json.loads(content).get('files', [])
        except (ValueError, AttributeError):
            return content
        place = name[:-len('run.json')]
        for entry in listed:
            held = outputs.get(place + entry['name'])
            if held is None or (held['sha256'], held['size']) != (entry['sha256'], entry['size']):
                return content + f'\nrun.json: size or checksum of {entry["name"]} is not that of the file\n'.encode()
        return self.replace('size and checksum of a written file (found right)', rb'("size": ?)\d+,(\s+"sha256": ?)"[0-9a-f]{64}"', rb'\1<>,\2<>', content)

    def apply(self, name, content, outputs):
        """What is compared of an output: name is stdout, stderr or a file's path; outputs are all files of the step."""
        if name.endswith('run.json'):
            content = self.files(content, name, outputs)
        for rule, pattern in RUN:
            content = self.replace(rule, pattern, rb'\1<' + rule.encode() + rb'>', content)
        content = self.replace('timings in JSON', JSON_TIMES, rb'\1<time>', content)
        content = self.columns(content, TIMES, 'timings in TSV')
        if b'sketch' in content:
            content = SUMMARY.sub(lambda m: m[1] + self.replace('timings of eval on screen', ROW_TIMES, b' <time>', m[2]), content)
        content = self.replace('texts a second of the answer', RATE, rb'\1; <rate>', content)
        content = self.replace('the front of tune on screen', FRONT, rb'\1<front>\n', content)
        return content


class Allowed:
    """Differences that are meant. A line of the file: pattern of the command, pattern of the output (stdout, stderr, a path), what, why; apart by
    tabs, patterns as the shell's. What: `*` for all of it, `column:NAME` for a column of a TSV, else a regular expression of lines
    that are left out on both sides."""

    def __init__(self, path):
        self.rules, self.used = [], collections.Counter()
        if not path:
            return
        with open(path, encoding='utf-8') as file:
            for number, line in enumerate(file, 1):
                if line.strip() and not line.startswith('#'):
                    cells = line.rstrip('\n').split('\t')
                    if len(cells) != 4 or not cells[3]:
                        raise SystemExit(f'{path}:{number}: four cells are wanted: command, output, what, why')
                    self.rules.append(tuple(cells))

    def leave_out(self, what, content):
        if what == '*':
            return b''
        lines = content.split(b'\n')
        if what.startswith('column:'):
            header = lines[0].split(b'\t')
            keep = [i for i, name in enumerate(header) if name.decode(errors='replace') != what[7:]]
            return b'\n'.join(b'\t'.join(cells[i] for i in keep if i < len(cells)) for cells in (line.split(b'\t') for line in lines))
        return b'\n'.join(line for line in lines if not re.search(what, line.decode(errors='replace')))

    def apply(self, command, name, before, after):
        """Both sides without what may differ, and the rules that made a difference."""
        import fnmatch
        for rule in self.rules:
            if fnmatch.fnmatchcase(command, rule[0]) and fnmatch.fnmatchcase(name, rule[1]):
                shorter = self.leave_out(rule[2], before), self.leave_out(rule[2], after)
                if shorter != (before, after):
                    self.used[rule] += 1
                before, after = shorter
                if before == after:
                    break
        return before, after


def held(content, picture):
    """An output as it is kept: pictures as their checksum alone."""
    entry = {'sha256': hashlib.sha256(content).hexdigest(), 'size': len(content)}
    if not picture:
        entry['text'] = content.decode('latin-1')
    return entry
