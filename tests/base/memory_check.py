# SPDX-License-Identifier: GPL-3.0-or-later
"""Fails every allocation of several commands in turn, or every k-th, and looks at what they do.

    memory_check.py FPLAB SHIM CORPUS STEP [COMMAND...]

SHIM is the shared object made of fail_allocation.c. STEP is k, or "calls": then as many allocations fail as are needed that each call in the program that
leads to one meets a failure once, in one command or another. A run is good when it ends with 0 and exactly the right output, or
with 1, one line that names out of memory, the right beginning of the output, and no file that is not right. Each is run
with that allocation alone failing and with all that follow it, too; of "calls" alternately so. Allocations inside other libraries are counted
apart: what they make of it is theirs, but for crashes."""
import concurrent.futures, gzip, json, os, re, shutil, struct, subprocess, sys, tempfile

from run_files import files_of, stable

fplab, shim, corpus = sys.argv[1:4]
step = None if sys.argv[4] == 'calls' else int(sys.argv[4])
wanted = sys.argv[5:]
work = tempfile.mkdtemp()
shim = shutil.copy(shim, work) # LD_PRELOAD cuts a path at its spaces

TEXTS = ('今天下午，临江大桥恢复通车。\n市图书馆本周六延长开放时间。\n\nThe quick brown fox.\n'
         '一行人参观了图书馆，“几点开门？”\n')

def write(name, text):
    with open(os.path.join(work, name), 'w', encoding='utf-8') as file:
        file.write(text)
    return os.path.join(work, name)

# Two documents of each of six subjects, all their pairs and a manifest: all that a corpus has.
def small_corpus():
    path = os.path.join(work, 'small')
    os.mkdir(path)
    subjects = {}
    with open(os.path.join(corpus, 'docs.jsonl'), encoding='utf-8') as file:
        for row in file:
            name = re.search('"id": "([^"]*)"', row).group(1)
            subjects.setdefault(name.rsplit('-', 1)[0], []).append((name, row))
    rows = [(subject, *row) for subject in [name for name in sorted(subjects) if len(subjects[name]) > 1][:6]
            for row in subjects[subject][:2]]
    write('small/docs.jsonl', ''.join(row for _, _, row in rows))
    write('small/pairs.tsv', ''.join('%s\t%s\t%d\tkind\n' % (rows[a][1], rows[b][1], rows[a][0] == rows[b][0])
                                     for a in range(12) for b in range(a + 1, 12)))
    write('small/MANIFEST.json', '{"name": "small", "language": "zh-Hans", "counts": {"documents": 12, "pairs": 66}}\n')
    return path

encoded = os.path.join(work, 'gb18030.txt')
with open(encoded, 'w', encoding='gb18030') as file:
    file.write(TEXTS)
lines, small = write('lines.txt', TEXTS), small_corpus()
# The same, packed: a Zstandard frame of a window, which is allocated when it is met, and one block that is stored as it
# is (RFC 8878, 3.1.1).
content = TEXTS.encode('utf-8')
assert len(content) < 1024
for ending, packed in (('gz', gzip.compress(content)),
                       ('zst', b'\x28\xb5\x2f\xfd\0\0' +
                        (len(content) << 3 | 1).to_bytes(3, 'little') + content)):
    with open(lines + '.' + ending, 'wb') as file:
        file.write(packed)
# Pages: one in another encoding, with what makes a parser grow: deep nesting, long attributes, entities, comments, a script.
# A directory with a file of each form but pages: libxml2 is not asked what it makes of a failed allocation.
tree = os.path.join(work, 'tree')
os.mkdir(tree)
write('tree/a.txt', TEXTS)
write('tree/b.md', '---\ntitle: 标题\n---\n# 一 *二* `三`\n\n' + '- [四](x) &amp; &#20013;\n' * 40 + '\n| a | b |\n|---|---|\n| 1 | 2 |\n\n> ' + TEXTS * 9)
write('tree/c.csv', 'id,text,title\n' + ''.join('%d,"第 ""%d"" 行\n%s",题\n' % (i, i, '字' * i) for i in range(40)))
body = gzip.compress((TEXTS * 9).encode('utf-8'), mtime=0)
answer = b'HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n' + \
         b'%x\r\n%s\r\n0\r\n\r\n' % (len(body), body)
with open(os.path.join(tree, 'd.warc'), 'wb') as file:
    file.write(b'WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:1>\r\nContent-Type: application/http\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n' %
               (len(answer), answer))
# Lines in another encoding.
foreign = os.path.join(work, 'foreign.txt')
with open(foreign, 'w', encoding='gb18030') as file:
    file.write(TEXTS * 3)
# The files that algorithms must be given, for a text that is its own id and the documents of the corpus.
TEXT = '今天下午，天气'
with open(os.path.join(small, 'docs.jsonl'), encoding='utf-8') as file:
    ids = [TEXT] + [json.loads(row)['id'] for row in file]
header = b"{'descr': '<f4', 'fortran_order': False, 'shape': (%d, 3)}\n" % len(ids)
with open(os.path.join(work, 'vectors.npy'), 'wb') as file:
    file.write(b'\x93NUMPY\1\0' + struct.pack('<H', len(header)) + header)
    for i in range(len(ids)):
        file.write(struct.pack('<3f', 1, i, i * i % 7))
FILES = {
    'scores:file': write('scores.tsv', ''.join('%s\t%s\t%d\n' % (ids[a], ids[b], (a + 3 * b) % 65)
                                               for a in range(len(ids)) for b in range(a))),
    'vectors:file': os.path.join(work, 'vectors.npy'),
    'vectors:ids': write('vectors.ids', ''.join(name + '\n' for name in ids)),
}

def arm(name):
    """The algorithm with the files that it must be given; one that is not known above fails."""
    rows = json.loads(subprocess.run([fplab, 'algorithms', name, '-f', 'json'], capture_output=True).stdout)
    given = ['%s=%s' % (row['parameter'], FILES[name + ':' + row['parameter']]) for row in rows
             if row['allowed'] == 'a file, which must be given']
    return name + ':' * bool(given) + ','.join(given)

COMMANDS = {
    'scores': ['distances', '-c', small, '-a', arm('scores')],
    'vectors': ['distances', '-c', small, '-a', arm('vectors')],
    'signs': ['distances', '-c', small, '-a', arm('vectors') + ',sketch=hyperplane'],
    'fingerprint': ['fingerprint', lines],
    'gzip': ['fingerprint', lines + '.gz'],
    'zstd': ['fingerprint', lines + '.zst'],
    'check': ['corpus', 'check', small],
    'decode': ['dedup', '-a', 'exact', '-d', '0', '--encoding', 'gb18030', foreign],
    'forms': ['dedup', '-a', 'exact', '-d', '0', tree],
    'compare': ['compare', '--text', '今天下午，临江大桥恢复通车。', '临江大桥今天下午恢复通车。'],
    'align': ['align', '--text', '今天下午，临江大桥恢复通车，行人也可以通过。' * 3, '临江大桥今天下午恢复通车，行人也可通过。' * 3],
    'eval': ['eval', '-c', small, '-a', 'simhash', '-a', 'jaccard', '--out', 'out', '--no-plots', '--replicates', '200'],
    'decision': ['eval', '-c', small, '-a', 'simhash', '-a', 'cosine', '--gain', '--costs', '--calibrate', '--replicates', '200', '--no-plots', '--out', 'decision'],
    'lost': ['eval', '-c', small, '-a', 'simhash', '-a', 'minhash', '--lost', '--theory', '--by', 'kind',
             '--replicates', '200'],
    'tune': ['tune', '-c', small, '-g', 'simhash:features=words|chars:2', '--out', 'out', '--no-plots', '--save',
             'choice.json', '--replicates', '200', '--folds', '3'],
    'sample': ['judge', 'sample', '-c', small, '-a', 'jaccard', '--distances', '0..64', '--out', 'sheet.tsv'],
    'dedup': ['dedup', '-a', 'simhash', '-d', '12', '--keep', 'longest', '--out', 'deduped', small],
    'pairs': ['cluster', '-a', 'minhash', '-d', '50', '--pairs', '-f', 'tsv', small],
    'cluster': ['cluster', '-a', 'jaccard', '-d', '50', '-f', 'tsv', lines, os.path.join(small, 'docs.jsonl')],
    'query': ['query', os.path.join(work, 'prints'), '--top', '2', small],
    'sources': ['query', os.path.join(work, 'granules'), '--sources', small],
    'containment': ['query', os.path.join(work, 'signatures'), '--containment', '0.8:partitions=3', small],
    'stats': ['index', 'stats', os.path.join(work, 'prints')],
    'corrupt': ['corpus', 'corrupt', '-c', small, '-k', 'homophone+splice', '-r', '0.3', '--hard', 'template', '--hard', 'facts', '--hard', 'nearest=jaccard', '--edits', '--out', 'corrupted'],
    'robustness': ['robustness', '-c', small, '-k', 'homophone,splice', '-r', '0.1', '-a', 'simhash', '-a', 'jaccard', '--near', 'minhash', '--replicates', '200', '--no-plots', '--out', 'survived'],
    'features': ['features', '-c', small],
    'corpus-stats': ['corpus', 'stats', small],
    'giveaways': ['corpus', 'giveaways', small],
    'split': ['corpus', 'split', small, '--parts', 'a:0.5,b:0.5', '--out', 'parts'],
    'corpus-sample': ['corpus', 'sample', small, '--documents', '6', '--out', 'made'],
    'merge': ['corpus', 'merge', small, small, '--out', 'made'],
    'table': ['corpus', 'convert', small, '--out', 'table.csv'],
    'idf': ['corpus', 'idf', small, '--out', 'idf.tsv'],
    'lines': ['import', '--quiet', lines, '--out', 'made'],
    'rows': ['import', '--quiet', write('pairs.csv', 'a,b,label\n今天下午通车,今天通车,1\n开放时间,一只狐狸,0\n'), '--pair', 'a,b', '--out', 'made'],
    'completion': ['--completion', 'bash'],
    'complete': ['--complete', 'eval', '--arm', ''],
    'plan': ['plan', '-n', '1000000', '--bits', '64', '--distance', '3'],
    'plan-bands': ['plan', '--slots', '128', '--similarity', '0.8'],
    'level-document': ['eval', '-c', small, '-a', 'simhash', '--level', 'document', '--replicates', '200'],
    'level-cluster': ['eval', '-c', small, '-a', 'simhash', '--level', 'cluster', '--replicates', '200', '--no-plots', '--out', 'levels'],
    'retrieval': ['eval', '-c', small, '-a', 'simhash', '--retrieval', '--prevalence', '0.01', '--measure', 'matthews_correlation', '--compare', 'recall@10', '-a', 'minhash', '--replicates', '200'],
    'lengths': ['eval', '-c', small, '-a', 'simhash', '--by', 'length', '--replicates', '200', '--no-plots', '--out', 'lengths'],
    'reached': ['eval', '-c', small, '-a', 'simhash', '--lost', '--index', 'pigeonhole:blocks=6,agree=3', '--replicates', '200'],
    'latex': ['report', os.path.join(work, 'before', 'out'), '--format', 'latex-table', '--out', 'table.tex'],
    'markdown': ['report', os.path.join(work, 'one', 'one'), '--format', 'markdown', '--out', 'page.md'],
    'measures': ['measures', 'recall'],
    'index-stats-check': ['index', 'check', os.path.join(work, 'prints')],
    'convert': ['compare', '--encoding', 'gb18030', encoded, encoded, '-a', 'simhash', '-f', 'tsv'],
}
# What more the commands are given: texts that come later, a sheet's answers, two parts of a corpus whose truth is its groups, a run of each kind.
more = write('more.txt', '大桥恢复通车了。\n图书馆延长开放。\n')
grouped = os.path.join(work, 'grouped')
os.mkdir(grouped)
write('grouped/docs.jsonl', ''.join(json.dumps({'id': 'g%d' % i, 'group': str(i // 2), 'lang': 'zh', 'time': '2024-01-%02d' % (i + 1), 'score': i,
                                                'text': '今天下午第%d座大桥恢复通车，行人也可以通过。' % (i // 2) + '好' * i}, ensure_ascii=False) + '\n' for i in range(16)))
RICH = os.path.join(work, 'rich', 'decision') # with tables of all that an evaluation can tell
COMMANDS.update({
    'algorithms': ['algorithms'],
    'algorithm': ['algorithms', 'simhash', '-f', 'json'],
    'help': ['eval', '--help'],
    'man': ['--man', 'eval'],
    'features-inverted': ['features', '-c', small, '--inverted', '-f', 'tsv'],
    'features-text': ['features', '--text', TEXT, '--spec', 'features=words,weight=tfidf,idf=builtin,stop=shipped,top=3'],
    'fingerprint-corpus': ['fingerprint', '-c', small, '-a', 'minhash', '-f', 'json'],
    'fingerprint-learns': ['fingerprint', '-a', 'simhash:weight=tfidf', '--save-model', 'model', lines],
    'fingerprint-model': ['fingerprint', '--model', 'model', lines],
    'groups': ['eval', '-c', grouped, '-a', 'simhash', '-a', 'jaccard', '--by', 'lang', '--replicates', '200', '--hash-seeds', '2', '--interval', 'bca'],
    'drawn': ['eval', '-c', grouped, '-a', 'simhash', '--negatives', '9', '--replicates', '200', '--no-plots', '--out', 'drawn'],
    'corpora': ['eval', '-c', small, '-c', grouped, '-a', 'simhash', '-a', 'minhash', '--replicates', '200', '--no-plots', '--out', 'two'],
    'limited': ['tune', '-c', grouped, '-g', 'simhash', '-g', 'jaccard', '--min-precision', '0.3', '--replicates', '200', '--folds', '3'],
    'tuned-groups': ['tune', '-c', grouped, '-g', 'simhash', '--beta', '2', '--negatives', '20', '--replicates', '200', '--folds', '3'],
    'seeds': ['eval', '-c', grouped, '-a', 'simhash', '-a', 'minhash', '--compare-at', '5,30', '--replicates', '200', '--gain', '--whole-curves', '--no-plots', '--out', 'seeds'],
    'estimate': ['judge', 'estimate', 'sheet.tsv'],
    'agreement': ['judge', 'agreement', 'sheet.tsv', 'other.tsv'],
    'walk': ['judge', 'sheet.tsv'],
    'build': ['index', 'build', 'c.fp', '-a', 'simhash', '-d', '3', lines],
    'build-bands': ['index', 'build', 'c.fp', '-a', 'minhash', '-d', '20', '--keep-texts', small],
    'add': ['index', 'add', 'c.fp', more],
    'delete': ['index', 'delete', 'c.fp', 'lines.txt:1'],
    'index-merge': ['index', 'merge', 'c.fp'],
    'collection': ['cluster', '--collection', 'c.fp'],
    'query-text': ['query', 'c.fp', '--text', TEXT, '-f', 'json'],
    'query-prints': ['query', 'c.fp', '--fingerprints', os.path.join(work, 'prints.tsv')],
    'track': ['track', 'c.fp', more, '--out', 'out', '--plot-format', 'svg'],
    'audited': ['dedup', '-a', 'simhash', '-d', '12', '--keep', 'best:score', '--audit', '5', '--audit-sheet', 'audit.tsv', os.path.join(grouped, 'docs.jsonl')],
    'windowed': ['cluster', '-a', 'jaccard', '-d', '60', '--window', '2d', '--plot-format', 'svg', '--out', 'clusters', os.path.join(grouped, 'docs.jsonl')],
    'members': ['cluster', '-a', 'simhash', '-d', '12', '--members', small],
    'split-by': ['corpus', 'split', grouped, '--by', 'lang', '--out', 'parts'],
    'sample-pairs': ['corpus', 'sample', small, '--pairs', '6', '--out', 'made'],
    'sample-groups': ['corpus', 'sample', grouped, '--groups', '2', '--out', 'made'],
    'merge-clash': ['corpus', 'merge', small, grouped, '--prefix', '--name', 'both', '--out', 'made'],
    'documents': ['corpus', 'convert', small, '--to', 'documents', '--format', 'jsonl'],
    'kinds': ['corpus', 'corrupt', '--kind', 'list'],
    'plan-design': ['plan', '-n', '1e6', '--blocks', '6,agree=3', '--similarity', '0.95'],
    'plan-sample': ['plan', '-n', '1e6', '--sample', os.path.join(work, 'prints.tsv'), '--memory', '16G'],
    'report-markdown': ['report', RICH, '--format', 'markdown', '--out', 'page.md'],
    'report-both': ['report', os.path.join(work, 'two', 'two'), os.path.join(work, 'one', 'one'), '--format', 'markdown', '--out', 'page.md'],
    'report-csv': ['report', RICH, '--format', 'csv', '--out', 'page.csv'],
    'report-json': ['report', RICH, '--format', 'json', '--out', 'page.json'],
})
# What some of them find where they are started: FOUND names what was made there before.
COLLECTION = [['index', 'build', 'c.fp', '-a', 'simhash', '-d', '3', lines]]
SHEET = [['judge', 'sample', '-c', small, '-a', 'jaccard', '--distances', '55..64', '--per-distance', '3', '--out', 'sheet.tsv']]
FOUND = {name: 'collection' for name in ('add', 'delete', 'index-merge', 'collection', 'query-text', 'query-prints', 'track')}
FOUND.update({name: 'sheet' for name in ('walk', 'estimate', 'agreement')}, **{'fingerprint-model': 'model', 'again': 'before'})
PICTURE = ['--plot-format', 'svg', '--figure', 'precision-recall']
DRAWN_ONE = ['eval', '-c', small, '-a', 'minhash:slots=32', '--replicates', '200', *PICTURE, '--out', 'one'] # an arm of the same name as another's
MADE = {'collection': COLLECTION, 'sheet': SHEET, 'model': [COMMANDS['fingerprint-learns']], 'one': [DRAWN_ONE], 'two': [[*COMMANDS['corpora'], *PICTURE]], 'rich': [[*COMMANDS['decision'], *PICTURE, '--lost', '--theory', '--retrieval', '--by', 'kind']]}
for commands in MADE.values(): # with one picture, which a report then need not draw
    commands[:] = [[word for word in command if word != '--no-plots' or '--figure' not in command] for command in commands]
ANSWERS = b'd\nn\nu\nq\n'
# Over an untouched run of other arms; and that run repeated.
BEFORE = ['eval', '-c', small, '-a', 'minhash', '--out', 'out', '--no-plots', '--replicates', '200']
COMMANDS['again'] = COMMANDS['eval']
COMMANDS['rerun'] = ['rerun', os.path.join(work, 'before', 'out')]
# A page with a picture, and with its pairs.
DRAWN = ['eval', '-c', small, '-a', 'simhash', '-a', 'jaccard', '--out', 'drawn', '--plot-format', 'svg', '--figure', 'precision-recall', '--replicates', '200']
COMMANDS['report'] = ['report', os.path.join(work, 'drawn'), '--out', 'page.html']
# Every algorithm explains itself: explain-NAME.
for algorithm in json.loads(subprocess.run([fplab, 'algorithms', '--format', 'json'], capture_output=True).stdout):
    name = algorithm['algorithm']
    COMMANDS['explain-' + name] = ['explain', arm(name), '--text', TEXT, '--format', 'json']
COMMANDS['explain-pinyin-finals'] = ['explain', 'pinyin:count=finals,levels=exact', '--text', TEXT, '--format', 'json']
for name in ('exact', 'simhash', 'minhash', 'jaccard', 'cosine', 'pinyin', 'winnowing'):
    COMMANDS['explain-pair-' + name] = ['explain', name, '--pair', '--text', TEXT, '今天，天气好']
if wanted == ['explain']:
    wanted = [name for name in COMMANDS if name.startswith('explain-')]
def environment(**more):
    clean = {key: value for key, value in os.environ.items() if not key.startswith(('FAIL_', 'OMP_NUM_THREADS', 'FPLAB'))}
    return dict(clean, OMP_NUM_THREADS='1', LD_PRELOAD=shim, LC_ALL='C.UTF-8', **more)

# What a command finds.
def prepare():
    os.mkdir(os.path.join(work, 'before'))
    subprocess.run([fplab] + BEFORE, cwd=os.path.join(work, 'before'), env=environment(), check=True,
                   stdout=subprocess.DEVNULL)
    if not wanted or 'report' in wanted:
        subprocess.run([fplab] + DRAWN, cwd=work, check=True, stdout=subprocess.DEVNULL)
    for name, built in ('prints', ['-a', 'simhash', '-d', '12']), ('granules', ['-a', 'winnowing', '-d', '40', '--keep-texts']), ('signatures', ['-a', 'minhash', '-d', '12', '--keep-texts']):
        subprocess.run([fplab, 'index', 'build', os.path.join(work, name)] + built + [small], check=True,
                       stderr=subprocess.DEVNULL)
    asked = ' '.join(word for name in wanted or COMMANDS for word in COMMANDS[name])
    found = {FOUND.get(name) for name in wanted or COMMANDS}
    needed = [name for name in MADE if name in found or os.path.join(work, name, '') in asked]
    for name in needed:
        os.mkdir(os.path.join(work, name))
        for command in MADE[name]:
            subprocess.run([fplab] + command, cwd=os.path.join(work, name), env=environment(), check=True, capture_output=True)
    if 'prints.tsv' in asked:
        with open(os.path.join(work, 'prints.tsv'), 'wb') as file:
            subprocess.run([fplab, 'fingerprint', '-a', 'simhash', more], check=True, stdout=file)
    if 'sheet' in needed:
        shutil.copy(os.path.join(work, 'sheet', 'sheet.tsv'), os.path.join(work, 'sheet', 'other.tsv'))
        for sheet, answer in ('sheet.tsv', b'd\nn\nd\n'), ('other.tsv', b'd\nn\nn\n'):
            subprocess.run([fplab, 'judge', sheet], cwd=os.path.join(work, 'sheet'), check=True, input=answer, capture_output=True)
    return {name: files_at(os.path.join(work, name)) for name in ('before', *needed)}

def told_of(store):
    """What a collection says it holds; nothing where there is none yet, or none with a text."""
    checked = subprocess.run([fplab, 'index', 'check', store], capture_output=True, check=False)
    if b'not a complete collection: ' in checked.stderr:
        return None
    if checked.returncode:
        return checked.stdout + checked.stderr
    rows = json.loads(subprocess.run([fplab, 'index', 'stats', store, '-f', 'json'], capture_output=True, check=True).stdout)
    told = [(row['fact'], row['value']) for row in rows if row['fact'] in ('records', 'deleted', 'matches')]
    return str(told).encode() if dict(told)['records'] else None

def files_at(place):
    """The files, and of a collection what it says of itself."""
    files = {name: content for name, content in files_of(place).items() if not re.search(r'\.fp(-lock|-wal|-shm|-journal)?$', name)}
    store = os.path.join(place, 'c.fp')
    told = told_of(store) if os.path.exists(store) else None
    return {**files, 'c.fp': told} if told else files

def run(command, **more):
    """Status, output, messages and the files that are there then."""
    place = tempfile.mkdtemp(dir=work)
    try:
        if command in FOUND:
            shutil.copytree(os.path.join(work, FOUND[command]), place, dirs_exist_ok=True)
        done = subprocess.run([fplab] + COMMANDS[command], cwd=place, env=environment(**more), capture_output=True,
                              input=ANSWERS, timeout=60)
        return done.returncode, done.stdout, done.stderr.decode('utf-8', 'replace'), files_at(place)
    finally:
        shutil.rmtree(place)

def judge(command, right, got, after):
    status, output, messages, files = got
    if status == 0:
        # What is left of the run before, beside the one that took its place, the next sweeps, too.
        placed = {name: content for name, content in files.items() if command != 'again' or not name.startswith('.')}
        if stable(output) != stable(right[1]) or placed != right[3]:
            return 'another output with status 0'
        return 'right' if messages == right[2] else 'other messages'
    if status < 0:
        return 'a signal'
    if status != 1:
        return 'status %d' % status
    usual = right[2].splitlines()
    said = [line for line in messages.splitlines() if line and line not in usual]
    # The writer of counts, of a build that counts what is reached, has its own word.
    said = [line for line in said if not line.startswith('LLVM Profile Error')]
    # What a collection holds by then stays there.
    if len(said) == 2 and (said[-1].endswith(' had been added before, and are there') or said[-1].startswith('fplab: what came before is in ')):
        said.pop()
    # Tables stand without their pictures, which run.json does not name then.
    plain = bool(said) and re.match('fplab: the tables are written to .*; the plots? (is|are) missing', said[-1]) is not None
    said = said[:-1] if plain else said
    # Without any memory each of two steps that need some may say it.
    named = [re.fullmatch('fplab: .*([Oo]ut of memory|Cannot allocate memory).*', line) for line in said]
    if not (named or plain) or not all(named) or len(named) > (2 if after else 1):
        return 'another cause'
    if not stable(right[1]).startswith(stable(output)):
        return 'another output'
    # Without any memory what was written beside its place stays there, and the next run sweeps it.
    found = FILES_FOUND[FOUND[command]] if command in FOUND else {}
    if any(content not in (right[3].get(name), found.get(name)) and not (plain and name.endswith('run.json')) and not (after and any(part.startswith('.') for part in name.split(os.sep)))
           for name, content in files.items()):
        return 'a file that is not whole'
    return 'told'

def owners(command):
    tell = os.path.join(work, 'owners')
    right = run(command, FAIL_TELL=tell)
    with open(tell) as file:
        rows = [line.split() for line in file]
    os.remove(tell)
    return right, [row[1] for row in rows], [row[2:] for row in rows]

met = set()

def numbers(command, count, calls):
    """Which allocations fail."""
    if step:
        # Each number of all residues is met once in STEP such checks: the commands begin at different ones.
        yield from range(1 + sum(map(ord, command)) % step, count + 1, step)
        return
    for number in range(1, count + 1):
        if not met.issuperset(calls[number - 1]):
            met.update(calls[number - 1])
            yield number

def one(command, right, number, after):
    more = {'FAIL_AT': str(number)}
    if after:
        more['FAIL_AFTER'] = '1'
    try:
        got = run(command, **more)
    except subprocess.TimeoutExpired:
        return 'no end', (-1, b'', '', {})
    return judge(command, right, got, after), got

GOOD = ('right', 'told')
# glibc does without a locale and says nothing; libxml2 turns in circles at one place, and tells nobody (docs/libraries.md).
THEIRS = {('setlocale', 'another output with status 0'), ('libxml2.so.2', 'no end')}
failures, total = 0, 0
own = os.path.basename(os.path.realpath(fplab))
try:
    FILES_FOUND = prepare()
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for command in wanted or COMMANDS:
            right, names, calls = owners(command)
            if 'does not explain itself' in right[2]:
                continue
            # Which arms tune puts on its front depends on the times that it measured, and so does what it allocates for that table: where another
            # process was in the way they are measured again.
            for _ in range(4):
                whole, first = len(names), names
                names = os.path.commonprefix([first, owners(command)[1], owners(command)[1]])
                if len(names) >= 0.9 * whole:
                    break
                right, names, calls = owners(command)
            else:
                names = []
            if right[0] != 0 or not names:
                failures += 1
                print('FAIL: %s does not run, or not twice alike, or allocates nothing: %s' % (command, right[2]))
                continue
            failing = list(numbers(command, len(names), calls))
            jobs = [(number, after) for i, number in enumerate(failing) for after in (False, True) if step or after == (i % 2 == 1)]
            results = list(pool.map(lambda job: one(command, right, *job), jobs))
            count = {}
            for (number, after), (verdict, got) in zip(jobs, results):
                name = names[number - 1]
                count[name, verdict] = count.get((name, verdict), 0) + 1
                if verdict in GOOD or (name, verdict) in THEIRS:
                    continue
                failures += 1
                if failures <= 20:
                    print('FAIL: %s, allocation %d of %s%s: %s (%d): %s' % (command, number, name,
                          ' and all that follow' if after else '', verdict, got[0], got[2].strip()[:300]))
            total += len(jobs)
            print('%s: %d allocations, %d runs with failures; %s' % (command, len(names), len(jobs), ', '.join(
                '%s: %d %s' % (name, n, verdict) for (name, verdict), n in sorted(count.items()))))
    print('%d runs, %d not as they must be' % (total, failures))
finally:
    shutil.rmtree(work)
sys.exit(failures > 0)
