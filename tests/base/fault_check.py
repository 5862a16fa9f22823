# SPDX-License-Identifier: GPL-3.0-or-later
"""Lets every system call on files of many commands go wrong in turn, or every k-th, and looks at what they do.

    fault_check.py FPLAB FAULT SHIM CORPUS STEP [COMMAND...]

FAULT and SHIM are made of fault.c and fault_shim.c, which say what can go wrong: the call fails, there is no room from it
on, it is interrupted, it does half, the process ends before it. A run is good when it ends with 0 and exactly the right
output and files; or with 1, one clear line, the right beginning of the output, and files that are each as they were or as
they should be. Then the command is run again: it ends as if nothing had been, and leaves no file of the first run. A store
agrees with itself after any of it, and can be written."""
import collections, concurrent.futures, gzip, json, os, re, shutil, subprocess, sys, tempfile

from run_files import files_of, stable

fplab, fault, shim, corpus, step = sys.argv[1], sys.argv[2], sys.argv[3], sys.argv[4], int(sys.argv[5])
wanted = sys.argv[6:]
KINDS = ('error', 'full', 'interrupted', 'short', 'killed')
work = tempfile.mkdtemp()
shim = shutil.copy(shim, work) # LD_PRELOAD cuts a path at its spaces
fplab = shutil.copy(fplab, work) # whoever builds meanwhile is not in the way
ENVIRONMENT = {key: value for key, value in os.environ.items() if not key.startswith(('FPLAB', 'OMP_'))}
ENVIRONMENT.update(OMP_NUM_THREADS='1', LC_ALL='C.UTF-8')

TEXTS = '今天下午，临江大桥恢复通车。\n市图书馆本周六延长开放时间。\n\nThe quick brown fox.\n一行人参观了图书馆，“几点开门？”\n'

def write(name, text):
    path = os.path.join(work, name)
    with open(path, 'wb') as file:
        file.write(text if isinstance(text, bytes) else text.encode('utf-8'))
    return path

# ---- What the commands are given ----

def small_corpus(name, first):
    """Two documents of each of six subjects, all their pairs and a manifest."""
    os.mkdir(os.path.join(work, name))
    subjects = {}
    with open(os.path.join(corpus, 'docs.jsonl'), encoding='utf-8') as file:
        for row in file:
            identity = json.loads(row)['id']
            subjects.setdefault(identity.rsplit('-', 1)[0], []).append((identity, row))
    chosen = [subject for subject in sorted(subjects) if len(subjects[subject]) > 1][first:first + 6]
    rows = [(subject, *row) for subject in chosen for row in subjects[subject][:2]]
    write(name + '/docs.jsonl', ''.join(row for _, _, row in rows))
    write(name + '/pairs.tsv', ''.join('%s\t%s\t%d\tkind\n' % (rows[a][1], rows[b][1], rows[a][0] == rows[b][0])
                                       for a in range(12) for b in range(a + 1, 12)))
    write(name + '/MANIFEST.json', '{"name": "%s", "language": "zh-Hans", "counts": {"documents": 12, "pairs": 66}}\n' % name)
    return os.path.join(work, name)

small, other = small_corpus('small', 0), small_corpus('other', 6)
lines = write('lines.txt', TEXTS)
packed = write('lines.txt.gz', gzip.compress(TEXTS.encode()))
more = write('more.txt', '大桥恢复通车了。\n图书馆延长开放。\n')
table = write('pairs.csv', 'a,b,label\n今天下午通车,今天通车,1\n开放时间,一只狐狸,0\n')
docs = os.path.join(small, 'docs.jsonl')
FAST = ['--no-plots', '--replicates', '200']
EVAL = ['eval', '-c', small, '-a', 'simhash', '-a', 'jaccard', *FAST]
PICTURE = ['--figure', 'precision-recall', '--plot-format', 'svg']
# A page draws the pictures of its run: of one as of many.
DRAWN = ['eval', '-c', small, '-a', 'simhash', '-a', 'minhash', '--replicates', '200', *PICTURE, '--out', 'out']

# Name: the command, and what it finds (a name of FOUND below).
COMMANDS = {
    'fingerprint': (['fingerprint', lines], None),
    'gzip': (['fingerprint', packed], None),
    'model': (['fingerprint', '-a', 'simhash:center=mean', '--save-model', 'model', docs], None),
    'compare': (['compare', lines, more], None),
    'align': (['align', lines, lines], None),
    'explain': (['explain', 'simhash', lines], None),
    'features': (['features', '-c', small], None),
    'distances': (['distances', '-c', small, '-a', 'simhash'], None),
    'eval': ([*EVAL, '--out', 'out'], None),
    'again': ([*EVAL, '--out', 'out'], 'run'),
    'pictures': (['eval', '-c', small, '-a', 'simhash', '--replicates', '200', *PICTURE, '--out', 'out'], None),
    'rerun': (['rerun', 'out'], 'run'),
    'report': (['report', 'out', '--out', 'page.html'], 'drawn'),
    'report-again': (['report', 'out', '--out', 'page.html'], 'page'),
    'plot': (['plot', 'out', '--figure', 'precision-recall', '--format', 'svg'], 'run'),
    'page': (['page', 'playground', '--out', 'page.html'], None),
    'tune': (['tune', '-c', small, '-g', 'simhash:features=words|chars:2', '--save', 'choice.json', '--folds', '3', '--out', 'out', *FAST], None),
    'robustness': (['robustness', '-c', small, '-k', 'homophone', '-r', '0.1', '-a', 'simhash', '--out', 'out', *FAST], None),
    'import': (['import', lines, '--out', 'made'], None),
    'import-pairs': (['import', table, '--pair', 'a,b', '--out', 'made'], None),
    'corpus-check': (['corpus', 'check', small], None),
    'corpus-stats': (['corpus', 'stats', small], None),
    'corpus-giveaways': (['corpus', 'giveaways', small], None),
    'corpus-split': (['corpus', 'split', small, '--parts', 'a:0.5,b:0.5', '--out', 'parts'], None),
    'corpus-sample': (['corpus', 'sample', small, '--documents', '6', '--out', 'made'], None),
    'corpus-merge': (['corpus', 'merge', small, other, '--out', 'made'], None),
    'corpus-convert': (['corpus', 'convert', small, '--out', 'table.tsv'], None),
    'corpus-idf': (['corpus', 'idf', small, '--out', 'idf.tsv'], None),
    'corpus-idf-over': (['corpus', 'idf', small, '--out', 'idf.tsv'], 'file'),
    'corpus-corrupt': (['corpus', 'corrupt', '-c', small, '-k', 'homophone', '-r', '0.3', '--out', 'made'], None),
    'dedup': (['dedup', '-a', 'simhash', '-d', '12', '--out', 'kept', small], None),
    'cluster': (['cluster', '-a', 'jaccard', '-d', '50', lines, docs], None),
    'judge-sample': (['judge', 'sample', '-c', small, '-a', 'jaccard', '--distances', '0..64', '--out', 'sheet.tsv'], None),
    'judge': (['judge', 'sheet.tsv'], 'sheet'),
    'judge-estimate': (['judge', 'estimate', 'sheet.tsv'], 'sheet'),
    'plan': (['plan', '-n', '1000000'], None),
    'index-build': (['index', 'build', 'c.fp', '-a', 'simhash', '-d', '3', lines], None),
    'index-build-bands': (['index', 'build', 'c.fp', '-a', 'minhash', '-d', '20', lines], None),
    'index-add': (['index', 'add', 'c.fp', more], 'store'),
    'index-delete': (['index', 'delete', 'c.fp', 'lines.txt:1'], 'store'),
    'index-merge': (['index', 'merge', 'c.fp'], 'store'),
    'index-stats': (['index', 'stats', 'c.fp'], 'store'),
    'index-check': (['index', 'check', 'c.fp'], 'store'),
    'query': (['query', 'c.fp', more], 'store'),
    'track': (['track', 'c.fp', more, '--out', 'out'], 'store'),
    'track-again': (['track', 'c.fp', lines, '--id-prefix', 'b-'], 'store'),
}
# A page without what could not be read says so, and the command, too, and ends with 1; a run without its pictures does
# not list them.
PARTIAL = {'report': ('page.html',), 'report-again': ('page.html',), 'pictures': ('out/run.json',)}
STORES = {'index-build', 'index-build-bands', 'index-add', 'index-delete', 'index-merge', 'track', 'track-again'}
ANSWERS = b'd\nn\nu\nq\n'
FOUND = {
    'run': [['eval', '-c', small, '-a', 'simhash', '-a', 'minhash', *FAST, '--out', 'out']],
    'drawn': [DRAWN],
    'page': [DRAWN, ['report', 'out', '--out', 'page.html', '--lang', 'zh']],
    'sheet': [['judge', 'sample', '-c', small, '-a', 'jaccard', '--distances', '55..64', '--per-distance', '3', '--out', 'sheet.tsv']],
    'store': [['index', 'build', 'c.fp', '-a', 'simhash', '-d', '3', lines]],
    'file': [['corpus', 'idf', other, '--out', 'idf.tsv']],
}

def clean(command, place, stdin=b''):
    return subprocess.run([fplab, *command], cwd=place, env=ENVIRONMENT, capture_output=True, input=stdin, timeout=120)

def prepare():
    os.mkdir(os.path.join(work, 'nothing'))
    for name, commands in FOUND.items():
        place = os.path.join(work, 'found-' + name)
        os.mkdir(place)
        for command in commands:
            done = clean(command, place)
            if done.returncode:
                sys.exit('FAIL: %s: %s' % (command, done.stderr.decode()))

def template(command):
    found = COMMANDS[command][1]
    return os.path.join(work, 'found-' + found if found else 'nothing')

# ---- A run, and what it left ----

# The pages of a collection are not the same twice; what is in them is asked of the program.
def own_files(place):
    return {name: content for name, content in files_of(place).items() if not re.search(r'\.fp(-lock|-wal|-shm|-journal)?$', name)}

def run(command, kind, number, tell=''):
    place = tempfile.mkdtemp(dir=work)
    shutil.copytree(template(command), place, dirs_exist_ok=True)
    done = subprocess.run([fault, shim, kind, str(number), tell, fplab, *COMMANDS[command][0]], cwd=place, env=ENVIRONMENT,
                          capture_output=True, input=ANSWERS, timeout=120)
    return place, done

def told_in(place):
    """What a store says it holds; None where there is none. Raises where it does not agree with itself."""
    if not os.path.exists(os.path.join(place, 'c.fp')):
        return None
    checked = clean(['index', 'check', 'c.fp'], place)
    if b'not a complete collection: ' in checked.stderr: # ended before it was one: it can be built
        return None
    if checked.returncode and b'tables' in checked.stdout + checked.stderr: # made again by the next who writes
        clean(['index', 'merge', 'c.fp'], place)
        checked = clean(['index', 'check', 'c.fp'], place)
    if checked.returncode:
        raise ValueError('the store: ' + (checked.stdout + checked.stderr).decode())
    rows = json.loads(clean(['index', 'stats', 'c.fp', '-f', 'json'], place).stdout)
    return {row['fact']: row['value'] for row in rows if row['fact'] in ('records', 'deleted', 'matches')}

class Command:
    def __init__(self, name):
        self.name = name
        place, self.right = run(name, 'none', 0)
        self.files, self.before = own_files(place), own_files(template(name))
        self.names = set(os.listdir(place))
        if name in STORES:
            after = told_in(place)
            self.stores = [None if not os.path.exists(os.path.join(template(name), 'c.fp')) else self.told_before(), after]
        again = clean(COMMANDS[name][0], place, ANSWERS)
        self.second = again.returncode, own_files(place)
        shutil.rmtree(place)
        if self.right.returncode:
            sys.exit('FAIL: %s does not run: %s' % (name, self.right.stderr.decode()))

    def told_before(self):
        place = tempfile.mkdtemp(dir=work)
        shutil.copytree(template(self.name), place, dirs_exist_ok=True)
        try:
            return told_in(place)
        finally:
            shutil.rmtree(place)

    def calls(self, kind):
        tell = os.path.join(work, 'calls-' + self.name)
        place, _ = run(self.name, kind, 0, tell)
        shutil.rmtree(place)
        with open(tell) as file:
            names = [line.split()[1] for line in file]
        os.remove(tell)
        return names

    def judge(self, kind, place, done):
        """What is wrong, or None; and how it ended."""
        said = [line for line in done.stderr.decode('utf-8', 'replace').splitlines() if line and line not in self.right.stderr.decode('utf-8', 'replace').splitlines()]
        files = own_files(place)
        if kind == 'killed':
            if done.returncode not in (137, -9):
                return 'it was not killed', done.returncode
        elif done.returncode == 0:
            if stable(done.stdout) != stable(self.right.stdout):
                return 'another output with status 0', 0
            left = {name for name in set(files) ^ set(self.files) if not self.passing(name)}
            changed = sorted(name for name in files if name in self.files and files[name] != self.files[name])
            if left or changed:
                return 'other files with status 0: %s' % (sorted(left) + changed)[:4], 0
        elif done.returncode != 1:
            return 'status %d' % done.returncode, done.returncode
        elif said and said[-1].startswith('fplab: the tables are written to ') and len(said) <= 2:
            pass # what came of the failure
        elif len(said) == 2 and (said[-1].endswith(' had been added before, and are there') or said[-1].startswith('fplab: what came before is in ')):
            pass # what stands
        elif not all(line.startswith('fplab: ') for line in said) or not 1 <= len(said) <= (2 if kind == 'full' else 1):
            return 'not one clear line', 1 # where there is no room both standard output and a file can say so
        elif not stable(self.right.stdout).startswith(stable(done.stdout)):
            return 'another output', 1
        aside = self.aside(files) if said and said[-1].endswith('; the new run is in ' + os.path.join(place, 'out.new')) else ()
        for name, content in files.items():
            if name in aside:
                continue
            if done.returncode == 1 and name in PARTIAL.get(self.name, ()) and content.endswith((b'</html>\n', b'}\n')):
                continue
            if content not in (self.files.get(name), self.before.get(name)) and not self.passing(name):
                return 'a file that is not whole: ' + name, done.returncode
        lost = sorted(name for name in self.before if name in self.files and name not in files and not self.moved(place, name))
        if lost:
            return 'lost: %s' % lost[:4], done.returncode
        if aside:
            shutil.rmtree(os.path.join(place, 'out.new'))
        return self.after(place), done.returncode

    def passing(self, name):
        """A file that is no part of what is shown, and that the next run takes away."""
        return any(part.startswith('.') or re.search(r'\.part\d+(-\d+)?$', part) for part in name.split(os.sep))

    def moved(self, place, name):
        """Whether a file of the run before lies, whole, in a directory that the next run settles."""
        return any(self.before[name] == content for other, content in own_files(place).items() if self.passing(other))

    def aside(self, files):
        """The files of out.new, where the command says that the new run is, if that run is whole: nothing takes them away."""
        there = {name: content for name, content in files.items() if name.startswith('out.new' + os.sep)}
        whole = {name.replace('out', 'out.new', 1): content for name, content in self.files.items() if name.startswith('out' + os.sep)}
        return there if there == whole else ()

    def after(self, place):
        """The command once more, with nothing in its way."""
        if self.name in STORES:
            told = told_in(place)
            made = self.stores[0] is None and told and told['records'] == 0 # before the first text
            if told not in self.stores and not made:
                return 'the store holds something else: %s, not %s' % (told, self.stores)
            if told is None:
                return None if clean(COMMANDS[self.name][0], place, ANSWERS).returncode == 0 else 'it cannot be made any more'
            once = clean(['index', 'add', 'c.fp', '--id-prefix', 'late-', more], place)
            if once.returncode:
                return 'nothing can be added any more: ' + once.stderr.decode()
            left = [name for name in os.listdir(place) if name not in self.names | {'c.fp-lock', 'c.fp-wal', 'c.fp-shm', 'c.fp-journal', 'out'} and not self.passing(name)]
            return 'left behind: %s' % left if left else None
        once = clean(COMMANDS[self.name][0], place, ANSWERS)
        files = own_files(place)
        if (once.returncode, files) in ((0, self.files), self.second):
            return None
        names = sorted(name for name in set(files) | set(self.files) if files.get(name) != self.files.get(name))
        return 'the next run: status %d, %s %s' % (once.returncode, names[:4], once.stderr.decode()[-200:])

def one(command, kind, number):
    place = None
    try:
        place, done = run(command.name, kind, number)
        wrong, status = command.judge(kind, place, done)
        return wrong, status, done.stderr.decode('utf-8', 'replace')
    except (subprocess.TimeoutExpired, ValueError) as problem:
        return str(problem)[:300], None, ''
    finally:
        if place:
            shutil.rmtree(place, ignore_errors=True)

failures, total = 0, 0
try:
    prepare()
    with concurrent.futures.ThreadPoolExecutor(int(os.environ.get('JOBS', os.cpu_count()))) as pool:
        for name in wanted or COMMANDS:
            if name == 'page' and b'which is not built' in clean(COMMANDS[name][0], os.path.join(work, 'nothing')).stderr:
                print('skipped: page: the lab as WebAssembly is not built (make pages)')
                continue
            command = Command(name)
            jobs = []
            for kind in KINDS:
                names = command.calls(kind)
                # Each number of all residues is met once in STEP such checks: the commands and kinds begin at different ones.
                first = 1 + sum(map(ord, name + kind)) % step
                jobs += [(kind, number, names[number - 1]) for number in range(first, len(names) + 1, step)]
            count = collections.Counter()
            for (kind, number, call), (wrong, status, words) in zip(jobs, pool.map(lambda job: one(command, *job[:2]), jobs)):
                count[kind, 'wrong' if wrong else 'right' if status == 0 else 'told' if status == 1 else 'ended'] += 1
                if not wrong:
                    continue
                failures += 1
                if failures <= 40:
                    print('FAIL: %s, %s, call %d (%s): %s; %s' % (name, kind, number, call, wrong, words.strip()[-300:]), flush=True)
            total += len(jobs)
            print('%s: %d runs; %s' % (name, len(jobs), ', '.join('%s: %d %s' % (key[0], n, key[1]) for key, n in sorted(count.items()))), flush=True)
    print('%d runs, %d not as they must be' % (total, failures))
finally:
    shutil.rmtree(work, ignore_errors=True)
sys.exit(failures > 0)
