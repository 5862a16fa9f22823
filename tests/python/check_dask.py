# SPDX-License-Identifier: GPL-3.0-or-later
"""fplab.dask: the bytes of `fplab dedup` and `fplab cluster`, whatever happens on the way."""
import glob
import gzip
import itertools
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pandas
import pytest
from conftest import ROOT, SHIPPED, run

import fplab
from fplab import stages

pytest.importorskip('dask')
near = pytest.importorskip('fplab.dask')
PARTS = 3


@pytest.fixture(scope='module')
def files(tmp_path_factory):
    """Files of lines: with times, numbers, a missing id, an id with quotation marks, empty texts."""
    place = tmp_path_factory.mktemp('texts')
    with open(os.path.join(SHIPPED[0], 'docs.jsonl'), encoding='utf-8') as file:
        rows = [json.loads(line) for line in itertools.islice(file, 400)]
    rows.append({'id': '"q"', 'text': rows[0]['text']})
    rows.append({'text': rows[1]['text'] + '。'})
    rows += [{'id': 'none', 'text': ''}, {'id': 'nothing', 'text': ' '},
             {'id': 'same', 'text': rows[0]['text']}]
    made = []
    for part in range(PARTS):
        path = place / f'part-{part}.jsonl'
        with open(path, 'w', encoding='utf-8') as file:
            for number, row in enumerate(rows[part::PARTS]):
                if number % 7:
                    row = {**row, 'time': f'2024-03-{1 + number * 5 % 28:02}', 'score': number * 31 % 17}
                file.write(json.dumps(row, ensure_ascii=False) + '\n')
        made.append(str(path))
    return made


def lines_of(made, *names):
    return [''.join(made.lines(name)) for name in names]


ARMS = [(None, None, []), ('simhash', 6, []), ('simhash:bits=128', 20, ['--verify', 'exact']),
        ('minhash:features=chars:2', 29, []), ('pinyin', 3, [])]


@pytest.mark.parametrize('arm, threshold, more', ARMS)
def test_the_bytes_of_the_program(arm, threshold, more, files, tmp_path):
    given = ([] if arm is None else ['--arm', arm, '--threshold', str(threshold)]) + more
    how = {'verify': 'exact'} if more else {}
    made = near.dedup(files, arm, threshold, directory=tmp_path / 'a', piece=40000, buckets=4, **how)
    assert made.report['texts'] == 405 and made.report['empty'] >= 2
    assert len(made.parts('dropped.tsv')) > PARTS  # files are cut
    assert lines_of(made, 'dropped') == [run('dedup', '--dropped', *given, *files)]
    kept = [line for part in made.parts('kept.txt') for line in open(part)]
    assert len(kept) == made.kept.sum() == 405 - made.report['dropped']
    made = near.cluster(files, arm, threshold, directory=tmp_path / 'b', buckets=2, **how)
    assert lines_of(made, 'clusters', 'members') == [run('cluster', '-f', 'tsv', *given, *files),
                                                 run('cluster', '-f', 'tsv', '--members', *given, *files)]
    assert made.table('clusters')['texts'].sum() == len(made.table("members")) > 20
    assert sorted(os.listdir(tmp_path / 'b')) == ['clusters.tsv', 'design.json', 'job.json', 'report.json',
                                                  made.report['result']]


@pytest.mark.parametrize('keep', ['longest', 'newest', 'best:score'])
@pytest.mark.parametrize('window', [None, '7d'])
def test_preference_and_window(keep, window, files, tmp_path):
    given = ['-a', 'simhash', '-d', '10', *(['--window', window] if window else []), *files]
    made = near.dedup(files, 'simhash', 10, directory=tmp_path / 'a', keep=keep, window=window, time='time')
    assert lines_of(made, 'dropped') == [run('dedup', '--dropped', '--keep', keep, *given)]
    if keep == 'newest':
        made = near.cluster(files, 'simhash', 10, directory=tmp_path / 'b', window=window, time='time')
        assert lines_of(made, 'members') == [run('cluster', '-f', 'tsv', '--members', *given)]


def test_a_fitted_arm_and_a_choice(files, tmp_path, texts):
    arm = fplab.Arm('simhash:features=words,weight=tfidf').fit(texts)
    made = near.dedup(files, arm, 8, directory=tmp_path / 'a')
    whole = [json.loads(line)['text'] for path in files for line in open(path, encoding='utf-8')]
    assert (made.kept == fplab.dedup(whole, arm, 8).kept).all()
    choice = tmp_path / 'choice.json'
    choice.write_text(json.dumps({'arm': 'simhash', 'threshold': 6}))
    made = near.dedup(files, choice=str(choice), directory=tmp_path / 'b')
    assert (made.kept == fplab.dedup(whole, 'simhash', 6).kept).all()


LEARNERS = ['cosine:weight=tfidf', 'simhash:center=mean', 'simhash:weight=tfidf,center=mean',
            'simhash:weight=tfidf,center=median', 'pinyin:reference=corpus', 'minhash']


@pytest.mark.parametrize('spec', LEARNERS)
def test_fit(spec, files, tmp_path):
    """The model of one process, byte for byte; of medians within what is stated, in any division the same."""
    (tmp_path / 'empty.jsonl').write_text('')
    whole = [json.loads(line)['text'] for path in files for line in open(path, encoding='utf-8')]
    made = near.fit([files[0], tmp_path / 'empty.jsonl', *files[1:]], spec, directory=tmp_path / 'a', piece=20000)
    fitted = fplab.Arm(spec).fit(whole)
    if 'median' in spec:
        other = near.fit(files, spec, directory=tmp_path / 'b')
        assert made.model() == other.model()
        apart = np.unpackbits(np.asarray(made.sketch(whole)) ^ np.asarray(fitted.sketch(whole)), axis=1)
        assert apart.sum(1).max() <= 2 and apart.mean() < 0.002
    else:
        assert made.model() == fitted.model()
    again = near.fit(files, made, directory=tmp_path / 'c')  # anew
    assert again.model() == made.model() and (again.distances(again.sketch(whole[:20]))
                                              == made.distances(made.sketch(whole[:20]))).all()
    assert os.path.exists(tmp_path / 'a' / 'model') == made.learns
    assert sorted(os.listdir(tmp_path / 'a'))[:2] == ['job.json', 'model' if made.learns else 'report.json']


@pytest.mark.parametrize('arm, threshold, verify', [
    ('simhash:features=words,weight=tfidf', 8, 'none'), ('simhash:features=words,weight=tfidf', 10, 'exact'),
    ('minhash:weight=idf,top=30', 60, 'none'), ('simhash:weight=tfidf,center=mean', 6, 'none')])
def test_arms_that_learn_are_fitted_on_the_way(arm, threshold, verify, files, tmp_path):
    """The bytes of the program, which fits to all texts, too."""
    given = ['--arm', arm, '--threshold', str(threshold), '--verify', verify, *files]
    made = near.dedup(files, arm, threshold, verify=verify, directory=tmp_path / 'a', piece=30000)
    assert lines_of(made, 'dropped') == [run('dedup', '--dropped', *given)]
    assert made.report['dropped'] > 5


@pytest.mark.long
def test_a_fit_with_a_killed_worker(files, tmp_path):
    distributed = pytest.importorskip('distributed')
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=':0') as cluster, \
            distributed.Client(cluster) as client:
        process = min(client.run(os.getpid).values())

        def kill():
            while not glob.glob(str(tmp_path / 'a' / 'tally-1' / '[0-9]*')):
                time.sleep(0.001)
            os.kill(process, signal.SIGKILL)

        killer = threading.Thread(target=kill)
        killer.start()
        made = near.fit(files, 'simhash:weight=tfidf,center=mean', directory=tmp_path / 'a', piece=10000)
        killer.join()
    whole = [json.loads(line)['text'] for path in files for line in open(path, encoding='utf-8')]
    assert made.model() == fplab.Arm('simhash:weight=tfidf,center=mean').fit(whole).model()


def test_a_partition_that_fails_to_be_counted(files, tmp_path):
    (tmp_path / 'bad.jsonl').write_text('{"id":"x","text":null}\n')
    with pytest.raises(fplab.ValueProblem, match=r"partition 1 \(.*bad.jsonl\): line 1: no text 'text'"):
        near.fit([files[0], tmp_path / 'bad.jsonl'], 'simhash:weight=tfidf', directory=tmp_path / 'a')
    assert not os.path.exists(tmp_path / 'a' / 'tally-1' / '00001')


def test_frames(texts, tmp_path):
    frames = pytest.importorskip('dask.dataframe')
    frame = pandas.DataFrame({'body': texts[:300]})
    parts = [frame[:90], frame[90:90], frame[90:200], frame[200:]]  # one is empty
    whole = frames.concat([frames.from_pandas(part, npartitions=1, sort=False) for part in parts],
                          interleave_partitions=False)
    made = near.dedup(whole, directory=tmp_path / 'a', text='body')
    wanted = fplab.dedup(texts[:300])
    assert (made.kept == wanted.kept).all()
    begin = [0, 90, 90, 200]
    place = {f'{part}:{row}': begin[part] + row for part in range(4) for row in range(len(parts[part]))}
    dropped = made.table('dropped')
    assert list(dropped['dropped'].map(place)) == list(wanted.dropped['dropped'])
    assert list(dropped['kept'].map(place)) == list(wanted.dropped['kept'])
    with pytest.raises(fplab.ValueProblem, match="no column 'text': there are body"):
        near.dedup(whole, directory=tmp_path / 'b')
    bad = frames.from_pandas(pandas.DataFrame({'text': ['a b c', None]}), npartitions=1)
    with pytest.raises(TypeError, match=r'partition 0: texts\[1\] is None, not str'):
        near.dedup(bad, directory=tmp_path / 'c')


def test_packed_files_and_no_texts(files, tmp_path):
    with open(files[0], 'rb') as plain, gzip.open(tmp_path / 'part.jsonl.gz', 'wb') as packed:
        packed.write(plain.read())
    made = near.dedup(str(tmp_path / 'part.*'), directory=tmp_path / 'a')
    assert lines_of(made, 'dropped') == [run('dedup', '--dropped', str(tmp_path / 'part.jsonl.gz'))]
    (tmp_path / 'empty.jsonl').write_text('')
    for work, names in ((near.dedup, ['dropped']), (near.cluster, ['clusters', 'members'])):
        made = work([tmp_path / 'empty.jsonl'], directory=tmp_path / names[0])
        assert lines_of(made, *names) == [stages.HEADS[name] for name in names]


BAD = [('{"id":"x","text":"abc"}\n{"id":\n', r'partition 1 \(.*bad.jsonl\): line 2: Expecting value'),
       ('{"id":"x","body":"abc"}\n', "line 1: no text 'text' in the object: there are id, body"),
       ('{"id":"x","text":null}\n', "line 1: no text 'text'"),
       ('[1]\n', 'line 1: not a JSON object'),
       ('{"id":"x","text":"a \\ud800 b"}\n', r'partition 1 .*texts\[0\] has a lone surrogate'),
       ('{"id":"\\ud800","text":"abc"}\n', r'partition 1 .*ids\[0\] has a lone surrogate'),
       ('{"id":"same","text":"abc"}\n', 'duplicate id same: partition 0, row 134, and partition 1, row 0')]


@pytest.mark.parametrize('line, words', BAD)
def test_bad_lines(line, words, files, tmp_path):
    (tmp_path / 'bad.jsonl').write_text(line)
    with pytest.raises((fplab.ValueProblem, fplab.EncodingProblem), match=words):
        near.dedup([files[2 if 'same' in line else 0], tmp_path / 'bad.jsonl'], directory=tmp_path / 'a')
    assert 'same' in line or not os.path.exists(tmp_path / 'a' / 'sketch' / '00001')


def test_refusals(files, tmp_path):
    with pytest.raises(fplab.ValueProblem, match='what oracle learns cannot be merged from parts'):
        near.fit(files, 'oracle', directory=tmp_path / 'a')
    with pytest.raises(fplab.ValueProblem, match='neither bits nor slots'):
        near.dedup(files, 'jaccard', 0.5, directory=tmp_path / 'a')
    with pytest.raises(fplab.ValueProblem, match='need the times of the texts'):
        near.dedup(files, directory=tmp_path / 'a', window='7d')
    with pytest.raises(fplab.ValueProblem, match="keep takes .*, not 'last'"):
        near.dedup(files, directory=tmp_path / 'a', keep='last')
    with pytest.raises(fplab.ValueProblem, match='no files'):
        near.dedup(str(tmp_path / '*.nothing'), directory=tmp_path / 'a')
    with pytest.raises(fplab.ValueProblem, match='no text has what keep='):
        near.dedup(files, directory=tmp_path / 'a', keep='best:stars')
    near.dedup(files, 'simhash', 3, directory=tmp_path / 'b')
    with pytest.raises(fplab.ValueProblem, match='another run, whose within differ'):
        near.dedup(files, 'simhash', 4, directory=tmp_path / 'b')
    (tmp_path / 'c').mkdir()
    (tmp_path / 'c' / 'mine').write_text('')
    with pytest.raises(fplab.ValueProblem, match='is not empty'):
        near.dedup(files, directory=tmp_path / 'c')


def test_a_broken_run_goes_on(files, tmp_path, monkeypatch):
    whole = stages.Job.pairs

    def breaks(job, own, number):
        if number == 1:
            raise RuntimeError('the disk is full')
        return whole(job, own, number)

    monkeypatch.setattr(stages.Job, 'pairs', breaks)
    with pytest.raises(RuntimeError, match='the disk is full'):
        near.dedup(files, directory=tmp_path / 'a')
    before = {path: os.stat(path).st_mtime_ns
              for path in glob.glob(str(tmp_path / 'a' / '*' / '[0-9]*' / '*'))}
    assert any('/sketch/' in path for path in before)
    monkeypatch.setattr(stages.Job, 'pairs', whole)
    made = near.dedup(files, directory=tmp_path / 'a', tidy=False)
    assert lines_of(made, 'dropped') == [run('dedup', '--dropped', *files)]
    assert all(os.stat(path).st_mtime_ns == moment for path, moment in before.items())
    # A file that was cut off is noticed.
    os.remove(tmp_path / 'a' / 'report.json')
    shutil.rmtree(tmp_path / 'a' / 'pairs')
    os.truncate(tmp_path / 'a' / 'keys' / '00000' / 'keys.rows', 5000)
    with pytest.raises(fplab.FileProblem, match='keys.rows ends before byte'):
        near.dedup(files, directory=tmp_path / 'a')


def test_a_worker_is_killed(files, tmp_path):
    distributed = pytest.importorskip('distributed')
    wanted = run('cluster', '-f', 'tsv', *files)
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=':0') as cluster, \
            distributed.Client(cluster) as client:
        process, place = min(client.run(os.getpid).values()), str(tmp_path / 'a' / 'sketch' / '[0-9]*')

        def kill():
            while not glob.glob(place):
                time.sleep(0.001)
            os.kill(process, signal.SIGKILL)

        killer = threading.Thread(target=kill)
        killer.start()
        made = near.cluster(files, directory=tmp_path / 'a', piece=10000)
        killer.join()
        assert lines_of(made, 'clusters') == [wanted]
        (tmp_path / 'bad.jsonl').write_text('{"id":"x","text":"a \\ud800 b"}\n')
        with pytest.raises(fplab.EncodingProblem, match='partition 3 .* has a lone surrogate'):
            near.dedup([*files, tmp_path / 'bad.jsonl'], directory=tmp_path / 'b')


@pytest.mark.long
def test_processes_that_share_the_tasks(files, tmp_path):
    """The recipe of docs/distributed.md for arrays of jobs: the third of three processes never comes."""
    sources = stages.sources_of(files, 20000)
    stages.prepare(str(tmp_path / 'a'), 'dedup', sources)
    work = 'import sys; from fplab import stages; stages.work(sys.argv[1], int(sys.argv[2]), 3, patience=0.1)'
    some = [subprocess.Popen([sys.executable, '-c', work, str(tmp_path / 'a'), str(number)])
            for number in range(2)]
    assert [each.wait() for each in some] == [0, 0]
    made = near.Distributed(str(tmp_path / 'a'), stages.finished_report(str(tmp_path / 'a')))
    assert lines_of(made, 'dropped') == [run('dedup', '--dropped', *files)]


@pytest.mark.long
def test_processes_that_share_a_fit(files, tmp_path):
    stages.prepare(str(tmp_path / 'a'), 'dedup', stages.sources_of(files, 20000), 'simhash:weight=tfidf,center=mean', 6)
    work = 'import sys; from fplab import stages; stages.work(sys.argv[1], int(sys.argv[2]), 2)'
    some = [subprocess.Popen([sys.executable, '-c', work, str(tmp_path / 'a'), str(number)]) for number in range(2)]
    assert [each.wait() for each in some] == [0, 0]
    made = near.Distributed(str(tmp_path / 'a'), stages.finished_report(str(tmp_path / 'a')))
    arm = 'simhash:weight=tfidf,center=mean'
    assert lines_of(made, 'dropped') == [run('dedup', '--dropped', '-a', arm, '-d', '6', *files)]


@pytest.mark.long
def test_an_interrupted_call_goes_on(files, tmp_path):
    """Ctrl-C between tasks: no lock is left, and the next call ends it."""
    def interrupt():
        while not glob.glob(str(tmp_path / 'a' / 'sketch' / '[0-9]*')):
            time.sleep(0.001)
        os.kill(os.getpid(), signal.SIGINT)

    signal.signal(signal.SIGINT, signal.default_int_handler)
    other = threading.Thread(target=interrupt)
    other.start()
    with pytest.raises(KeyboardInterrupt):
        near.dedup(files, directory=tmp_path / 'a', piece=4000)
    other.join()
    made = near.dedup(files, directory=tmp_path / 'a', piece=4000)
    assert lines_of(made, 'dropped') == [run('dedup', '--dropped', *files)]


def recipe(name):
    """The lines of a recipe of docs/distributed.md."""
    with open(os.path.join(ROOT, 'docs', 'distributed.md'), encoding='utf-8') as file:
        block, = re.findall(rf'^<!-- recipe: {name} -->\n```\w+\n(.*?)^```$', file.read(), flags=re.M | re.S)
    return block


# What Slurm does with the recipe.
SBATCH = """sbatch() {
    [ "$1" = --wait ] && [ "$3" = --wrap ] || exit 9
    last=${2#--array=0-} tasks=
    for task in $(seq 0 "$last"); do
        SLURM_ARRAY_TASK_ID=$task SLURM_ARRAY_TASK_COUNT=$((last + 1)) sh -c "$4" >/dev/null &
        tasks="$tasks $!"
    done
    for task in $tasks; do wait "$task" || exit 8; done
}
"""


@pytest.mark.long
def test_recipes(files, tmp_path):
    for number, path in enumerate(files):
        shutil.copy(path, tmp_path / f'news-{number}.jsonl')
    news = [str(tmp_path / f'news-{number}.jsonl') for number in range(PARTS)]
    slurm = SBATCH + recipe('slurm').replace('0-3', '0-1').replace('python3', sys.executable)
    done = subprocess.run(['bash', '-euc', slurm], cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    wanted = run('dedup', '--dropped', '-a', 'simhash', '-d', '6', *news)
    assert stages.HEADS['dropped'] + (tmp_path / 'dropped.tsv').read_text() == wanted
    shutil.rmtree(tmp_path / 'run')
    pytest.importorskip('distributed')
    here = "processes=False, dashboard_address=':0', n_workers=1"
    (tmp_path / 'recipe.py').write_text(recipe('dask').replace('n_workers=2', here))
    done = subprocess.run([sys.executable, 'recipe.py'], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / 'dropped.tsv').read_text() == run('dedup', '--dropped', *news)


def plain_components(count, edges):
    of = list(range(count))
    for a, b in edges:
        a, b = of[a], of[b]
        of = [min(a, b) if each in (a, b) else each for each in of]
    return of


@pytest.mark.parametrize('shape', ['path', 'cycle', 'star', 'random', 'two', 'none'])
def test_components(shape, tmp_path):
    draw, count = np.random.default_rng(7), 300
    names = draw.permutation(count)
    edges = {'path': [(i, i + 1) for i in range(count - 1)],
             'cycle': [(i, (i + 1) % count) for i in range(count)],
             'star': [(0, i) for i in range(1, count)],
             'random': draw.integers(0, count, (count // 2, 2)).tolist(), 'two': [(1, 2)], 'none': []}[shape]
    edges = [(int(names[a]), int(names[b])) for a, b in edges if a != b]
    (tmp_path / 'empty.jsonl').write_text('')
    sources = stages.sources_of([tmp_path / 'empty.jsonl'], 1)
    stages.prepare(str(tmp_path / 'a'), 'cluster', sources, buckets=3)
    job = stages.Job(str(tmp_path / 'a'))
    ends = np.array([(max(e), min(e)) for e in edges], np.uint64).reshape(-1, 2)
    rows = stages.rows_of(stages.LINK, *ends.T)
    for number in range(3):
        os.makedirs(job.path('pairs', number))
        job.spread(job.path('pairs', number), 'links', rows[number::3], job.bucket(rows['a'][number::3]), 3)
    step, changed = 0, 1
    while changed:
        changed = sum(job.run(f'star-{each}', number)['changed']
                      for each in (step, step + 1) for number in range(3))
        step += 2
    made = np.arange(count)
    for number in range(3):
        links = job.gather(f'star-{step - 1}', 'links', number, stages.LINK)
        made[links['a'].astype(int)] = links['b']
    assert made.tolist() == plain_components(count, edges)
    assert step // 2 <= 2 + 2 * np.log2(count)
    a, b = np.array(edges, np.int64).reshape(-1, 2).T
    last = stages.weakest(count, a, b)
    for label in set(made.tolist()):
        inside = [k for k, edge in enumerate(edges) if made[edge[0]] == label]
        # The shortest prefix of the edges that connects the component ends with it.
        if inside:
            k = int(last[label])
            whole, less = plain_components(count, edges[:k + 1]), plain_components(count, edges[:k])
            assert {whole[i] for i in range(count) if made[i] == label} == {label}
            assert len({less[i] for i in range(count) if made[i] == label}) == 2


@pytest.mark.parametrize('large, piece', [(2, 10), (2, 10 ** 5), (8, 7), (10 ** 4, 100)])
def test_large_groups(large, piece, files, tmp_path, monkeypatch):
    """The division into small and large groups, and into pieces, changes nothing."""
    monkeypatch.setattr(stages, 'LARGE', large)
    monkeypatch.setattr(stages, 'PIECE', piece)
    made = near.dedup(files[:1], 'simhash', 12, directory=tmp_path / 'a')
    assert made.report['largest'] > 8
    assert lines_of(made, 'dropped') == [run('dedup', '--dropped', '-a', 'simhash', '-d', '12', files[0])]


def test_pairs_of_groups(monkeypatch):
    sizes = np.array([2, 5, 3, 40, 2])
    wanted, begin = [], 0
    for size in sizes:
        wanted += itertools.combinations(range(begin, begin + size), 2)
        begin += size
    for piece in 1, 7, 100, 10 ** 6:
        monkeypatch.setattr(stages, 'PIECE', piece)
        made = [pair for a, b in stages.pairs_of_groups(sizes) for pair in zip(a.tolist(), b.tolist())]
        assert made == wanted
    assert list(stages.pairs_of_groups(np.array([], int))) == []
