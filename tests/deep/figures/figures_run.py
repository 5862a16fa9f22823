# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs the commands of same_figures.py with either program, and keeps what BEFORE put out."""
import gzip
import hashlib
import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
import time

import figures_masks
import figures_sets

LIMIT = 400  # seconds that a command may take
TOO_LONG = f'longer than {LIMIT} s'
LAYOUT = 'layout 3'  # of what is kept in the cache
# The sets that a command may name, each with a checksum of its own.
SETS = re.compile(r'\b(?:sets/(?:whole|part|groups|many|packed)/[\w.-]+|sets/\w+|corpora/data|tests/data)')


def snapshot(directory):
    """What identifies each file below: links are not followed, what is linked is not ours."""
    found = {}
    for place, folders, files in os.walk(directory):
        for name in files:
            path = os.path.join(place, name)
            state = os.lstat(path)
            found[os.path.relpath(path, directory)] = (state.st_mtime_ns, state.st_size, state.st_ino)
    return found


def run_step(command, directory, environment, previous):
    """One command: what it printed, how it ended, and each file that it wrote or took away."""
    started = time.monotonic()
    with subprocess.Popen(['bash', '-c', command], cwd=directory, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, start_new_session=True) as process:
        try:
            out, err = process.communicate(timeout=LIMIT)
            status = process.returncode
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            status, out, err = TOO_LONG, b'', b''
    outputs = {'stdout': figures_masks.held(out, False), 'stderr': figures_masks.held(err, False)}
    seconds, now = time.monotonic() - started, snapshot(directory)
    for path in now:
        if previous.get(path) != now[path]:
            with open(os.path.join(directory, path), 'rb') as file:
                outputs[path] = figures_masks.held(file.read(), path.endswith(figures_masks.PICTURES))
    gone = sorted(set(previous) - set(now))
    return {'command': command, 'status': status, 'seconds': seconds, 'gone': gone, 'outputs': outputs}, now


def make_plugin(program, directory):
    """The example plug-in of the program's own checkout, with its own header. Returns why there is none."""
    tree = os.path.dirname(os.path.dirname(os.path.dirname(program)))
    source = next((path for path in (tree + '/examples/rarest.c', tree + '/tests/plugins/rarest.c') if os.path.isfile(path)), None)
    header = tree + '/include'
    if not source or not os.path.isdir(header):
        return f'there is no examples/rarest.c, or no include/, in {tree}'
    os.makedirs(directory)
    done = subprocess.run([os.environ.get('CC', 'gcc'), '-std=c17', '-shared', '-fPIC', '-ffp-contract=off', '-I', header,
                           '-o', directory + '/rarest.so', source], capture_output=True, text=True)
    return done.stderr.split('\n')[0] if done.returncode else None


def run_case(case, program, directory, sets, plugins):
    os.makedirs(directory + '/here')
    os.symlink(plugins, directory + '/here/plugins')
    os.makedirs(directory + '/bin')
    os.symlink(program, directory + '/bin/fplab')
    for name in ('corpora', 'tests'):
        os.symlink(f'{sets}/{name}', f'{directory}/here/{name}')
    os.symlink(sets, f'{directory}/here/sets')
    environment = {**{key: value for key, value in os.environ.items() if not key.startswith(('LC_', 'FPLAB'))},
                   'PATH': f'{directory}/bin:' + os.environ['PATH'], 'LC_ALL': 'C.UTF-8', 'TZ': 'UTC', 'PAGER': 'cat', 'SOURCE_DATE_EPOCH': '1700000000'}
    results, state = [], snapshot(directory + '/here')
    for command in case.steps:
        step, state = run_step(command, directory + '/here', environment, state)
        results.append(step)
    shutil.rmtree(directory)
    return results


def identity(program):
    """The program and what of the project it is linked with."""
    total = hashlib.sha256()
    linked = re.findall(r'=> (\S*libfplab\S*)', subprocess.run(['ldd', program], capture_output=True, text=True).stdout)
    for path in [program] + linked:
        with open(path, 'rb') as file:
            total.update(file.read())
    return total.hexdigest()


class Runner:
    def __init__(self, options, root):
        self.options, self.root, self.digests = options, root, {}
        self.cached, self.no_plugin = 0, {}
        for program, side in ((options.before, 'a'), (options.after, 'b')):
            why = make_plugin(program, f'{root}/plugins-{side}')
            if why:
                self.no_plugin[program] = why
        if options.cache:
            os.makedirs(options.cache, exist_ok=True)
            self.program = identity(options.before)

    def texts(self, case):
        """Checksums of the sets that the commands name."""
        for name in sorted({name.rstrip('/.') for step in case.steps for name in SETS.findall(step)}):
            if name not in self.digests:
                self.digests[name] = figures_sets.digest(os.path.join(self.root, 'sets', re.sub('^sets/', '', name)))
            yield name + ' ' + self.digests[name]

    def run(self, side, program, number, case):
        return run_case(case, program, f'{self.root}/{side}{number:04}', self.root + '/sets', f'{self.root}/plugins-{side}')

    def before(self, number, case):
        if not self.options.cache:
            return self.run('a', self.options.before, number, case)
        key = hashlib.sha256('\0'.join([LAYOUT, self.program, *self.texts(case), *case.steps]).encode()).hexdigest()
        path = os.path.join(self.options.cache, key + '.json.gz')
        if os.path.exists(path):
            self.cached += 1
            with gzip.open(path, 'rt', encoding='utf-8') as file:
                return json.load(file)
        results = self.run('a', self.options.before, number, case)
        if all(step['status'] != TOO_LONG for step in results):
            with tempfile.NamedTemporaryFile(dir=self.options.cache, delete=False) as file:
                file.write(gzip.compress(json.dumps(results).encode(), 1))
            os.replace(file.name, path)
        return results

    def both(self, number, case):
        old = self.before(number, case)
        return old, old if self.options.warm else self.run('b', self.options.after, number, case)
