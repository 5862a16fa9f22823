# SPDX-License-Identifier: GPL-3.0-or-later
"""The commands that same_figures.py takes from the pages and from every --help."""
import collections
import os
import re
import subprocess

# name; commands of the shell, run one after another in a directory of their own, which holds corpora/, tests/ and sets/.
Case = collections.namedtuple('Case', 'name steps')

FILES = 'cp -r sets/files/. .'
# What stands in an example for a place that is the reader's own.
INSTEAD = {'/data/newswire-zh': 'corpora/data/newswire-zh'}


def whole_commands(lines):
    """Lines of the shell as commands: a loop, a here-document and a line that goes on are one. bash says where a command ends."""
    commands, pending = [], ''
    for line in lines:
        pending += line + '\n'
        if pending.isspace():
            pending = ''
            continue
        if pending.endswith('\\\n'):
            continue
        parsed = subprocess.run(['bash', '-n'], input=pending, text=True, capture_output=True)
        if parsed.returncode == 0 and not parsed.stderr:
            commands.append(pending.strip('\n'))
            pending = ''
    return commands + ([pending] if pending else [])


def page(path, name, left_out):
    """The case of a page: its sh blocks. What else stands in code and names fplab is put into left_out with the reason."""
    with open(path, encoding='utf-8') as file:
        lines = file.read().split('\n')
    block, kept, kind = None, [], ''
    for line in lines:
        if line.startswith('```'):
            if block is None:
                block, kind = [], line[3:]
            else:
                if kind == 'sh':
                    kept += block
                elif any('fplab' in row for row in block):
                    left_out.append((name, f'a block of {kind or "no language"}: ' + block[0], 'not the shell\'s: built by make check'))
                block = None
        elif block is not None:
            block.append(line)
        else:
            if line.startswith('    ') and re.match(r'(fplab|make|export|cc|gnuplot) ', line.strip()):
                left_out.append((name, line.strip(), 'about building and installing, not a figure'))
            for inline in re.findall(r'`(fplab [^`]*)`', line):
                left_out.append((name, inline, 'named in a sentence, not an example'))
    steps = [FILES.replace('/.', '/titles.txt')] + whole_commands(kept)
    return Case(name, steps)


def examples(program, command):
    """The examples of `fplab COMMAND --help`: the paragraph under that word."""
    shown = subprocess.run([program, command, '--help'], capture_output=True, text=True, check=True).stdout
    shown = shown.partition('Examples:\n')[2].partition('\n\n')[0]
    return [line.strip() for line in shown.split('\n') if line.startswith('  ')]


def commands_of(program):
    shown = subprocess.run([program, '--help'], capture_output=True, text=True).stdout
    found = re.findall(r'(?m)^  ([a-z]+)  +\S', shown)
    if not found:
        raise SystemExit(f'{program} --help lists no commands')
    return found


def help_cases(before, after, left_out):
    """A case a command; examples that AFTER alone has are left out, since there is nothing to compare them with."""
    cases = []
    for command in commands_of(before):
        steps = [FILES] + (['fplab eval --corpus corpora/data/newswire-zh --out demo'] if command == 'rerun' else [])
        old = examples(before, command)
        for example in old:
            for place, own in INSTEAD.items():
                if '=' + place in example:
                    left_out.append((command + ' --help', example, f'run with {own} in the place of {place}'))
                    example = example.replace('=' + place, '=' + own)
            if '--encoding gb18030' in example:
                steps.append('cp gb18030.txt article.txt')
            steps.append(('yes d | ' if re.match(r'fplab judge \S+\.tsv', example) else '') + example)
        cases.append(Case(command + ' --help', steps))
        try:
            left_out += [(command + ' --help', example, 'new in AFTER') for example in examples(after, command) if example not in old]
        except subprocess.CalledProcessError:
            pass
    for command in sorted(set(commands_of(after)) - set(commands_of(before))):
        left_out += [(command + ' --help', example, 'a command that is new in AFTER') for example in examples(after, command)]
    return cases


def pages(tree, left_out):
    names = ['README.md'] + sorted('docs/' + name for name in os.listdir(os.path.join(tree, 'docs')) if name.endswith('.md'))
    return [page(os.path.join(tree, name), name, left_out) for name in names]


def pages_on(cases, kinds):
    """The commands of the pages with every other set in the place of the shipped one."""
    for case in cases:
        if any('newswire-zh' in step for step in case.steps):
            for name in kinds['whole']:
                if name != 'newswire-zh':
                    yield Case(f'{case.name} on {name}', [step.replace('corpora/data/newswire-zh', 'sets/whole/' + name).replace('newswire-zh', name)
                                                          for step in case.steps])


def unused_options(program, cases):
    """The options of the --help of each command that no step of a case uses, short or long."""
    ran = [part for case in cases for step in case.steps for part in re.split(r' \| |\n', step)]
    for command in commands_of(program):
        mine = [part for part in ran if re.search(rf'fplab {command}\b', part)]
        shown = subprocess.run([program, command, '--help-all'], capture_output=True, text=True)
        if shown.returncode != 0:
            shown = subprocess.run([program, command, '--help'], capture_output=True, text=True, check=True)
        for short, name in re.findall(r'(?m)^  (?:-([a-zA-Z]), |    )--([a-z-]+)', shown.stdout):
            if name != 'help' and not any(re.search(rf' --{name}\b' + (rf'| -{short} ' if short else ''), part) for part in mine):
                yield f'fplab {command} --{name}'
