#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""fplab.dask beside `fplab dedup` and `fplab cluster`: the same bytes, whichever worker is killed when.

    dask_kill.py PLACE COUNT                     all of it; prints the figures as TSV
    dask_kill.py PLACE run COUNT KIND WORKERS MOMENT ARM THRESHOLD DIRECTORY    one run
"""
import glob
import hashlib
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import threading
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
MOMENTS = {'sketching': 'sketch', 'shuffle': 'keys', 'components': 'star-1'}
FILES = 24


def texts_of(count):
    """Texts of mixed sentences of the shipped sets; three of ten are copies of another, lightly corrupted."""
    draw = random.Random(1)
    whole = []
    for name in 'newswire-zh', 'newswire-en':
        with open(f'{ROOT}/corpora/data/{name}/docs.jsonl', encoding='utf-8') as file:
            documents = [json.loads(line) for line in file]
        stop = '。' if name.endswith('zh') else '. '
        whole.append([each + stop for row in documents if row['id'].endswith('original') for each in row['text'].split(stop)
                      if len(each) > 8])
    letters = [''.join(sorted(set(''.join(sentences)))) for sentences in whole]
    made = []
    for number in range(count):
        if number > 100 and draw.random() < 0.3:
            language, text = made[draw.randrange(max(0, number - 20000), number)]
            text = list(text)
            for _ in range(int(len(text) * draw.choice([0, 0.003, 0.01, 0.03, 0.1]))):
                text[draw.randrange(len(text))] = draw.choice(letters[language])
            text = ''.join(text)
        else:
            language, text = int(draw.random() < 0.3), ''
            while len(text) < 600:
                text += draw.choice(whole[language])
        made.append((language, text))
    return [text for language, text in made]


def write_texts(place, count):
    made = texts_of(count)
    for part in range(FILES):
        with open(f'{place}/texts-{part:02}.jsonl', 'w', encoding='utf-8') as file:
            for number in range(part * count // FILES, (part + 1) * count // FILES):
                file.write(json.dumps({'id': f't{number}', 'text': made[number]}, ensure_ascii=False) + '\n')


def kill_when(directory, stage, process, killed):
    """Kills the process when a task of the stage is done, and others are not."""
    while not glob.glob(f'{directory}/{stage}/[0-9]*'):
        time.sleep(0.001)
    os.kill(process, signal.SIGKILL)
    killed.append(len(glob.glob(f'{directory}/{stage}/[0-9]*')))


def one_run(place, count, kind, workers, moment, arm, threshold, directory):
    import dask
    from distributed import Client, LocalCluster

    import fplab.dask
    dask.config.set({'distributed.comm.timeouts.connect': '60s', 'distributed.scheduler.worker-ttl': None})
    with LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address=None) as cluster, Client(cluster) as client:
        killed = []
        if moment != 'never':
            process = sorted(client.run(os.getpid).values())[0]
            threading.Thread(target=kill_when, args=(directory, MOMENTS[moment], process, killed), daemon=True).start()
        made = getattr(fplab.dask, kind)(f'{place}/texts-*.jsonl', None if arm == 'usual' else arm,
                                         None if arm == 'usual' else float(threshold), directory=directory, buckets=FILES)
        assert moment == 'never' or killed and killed[0] < FILES, (moment, killed)
    assert made.report['texts'] == count
    sums = [hashlib.sha256(''.join(made.lines(name)).encode()).hexdigest()
            for name in (['dropped'] if kind == 'dedup' else ['clusters', 'members'])]
    print(json.dumps({'sums': sums, 'report': made.report}))


def measured(command):
    """What a command prints, with the processor time of it and all its children in seconds, and elapsed time."""
    begin = time.monotonic()
    child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL if 'FPLAB_QUIET' in os.environ else None)
    out = child.stdout.read()
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    assert child.returncode == 0, (command, child.returncode)
    return out, usage.ru_utime + usage.ru_stime, time.monotonic() - begin


def main(place, count):
    fplab = os.environ['FPLAB']
    os.environ.setdefault('FPLAB_QUIET', '1')
    write_texts(place, count)
    files = sorted(glob.glob(f'{place}/texts-*.jsonl'))
    print('kind\tarm\tworkers\tkilled\tequal\tseconds\tcpu\tcpu_of_one\tratio\tshuffled_per_text\tfetched_per_text\trounds', flush=True)
    bad = 0
    for arm, threshold in (('usual', '0'), ('simhash', '3')):
        given = [] if arm == 'usual' else ['-a', arm, '-d', threshold]
        for kind in 'dedup', 'cluster':
            ways = [['dedup', '--dropped']] if kind == 'dedup' else [['cluster', '-f', 'tsv'], ['cluster', '-f', 'tsv', '--members']]
            wanted = [measured(['taskset', '-c', '0', fplab, *way, *given, *files]) for way in ways]
            sums, alone = [hashlib.sha256(out).hexdigest() for out, _, _ in wanted], wanted[0][1]
            print(f'{kind}\t{arm}\t1 process\t-\t-\t{wanted[0][2]:.1f}\t{alone:.1f}', flush=True)
            for workers in 2, 4:
                for moment in ['never', *MOMENTS]:
                    if kind == 'cluster' and moment != 'components':
                        continue
                    directory = f'{place}/run'
                    out, cpu, seconds = measured([sys.executable, __file__, place, 'run', str(count), kind, str(workers), moment, arm,
                                                  threshold, directory])
                    made = json.loads(out.splitlines()[-1])
                    report, equal = made['report'], made['sums'] == sums
                    bad += not equal
                    each = [sum(report[name].values()) / count for name in ('shuffled', 'fetched')]
                    print(f'{kind}\t{arm}\t{workers}\t{moment}\t{equal}\t{seconds:.1f}\t{cpu:.1f}\t{alone:.1f}\t{cpu / alone:.2f}\t'
                          f'{each[0]:.0f}\t{each[1]:.0f}\t{report["rounds"]}', flush=True)
                    print(json.dumps(report), file=sys.stderr)
                    shutil.rmtree(directory)
    return bad


if __name__ == '__main__':
    if sys.argv[2] == 'run':
        one_run(sys.argv[1], int(sys.argv[3]), sys.argv[4], int(sys.argv[5]), *sys.argv[6:])
    else:
        sys.exit(main(sys.argv[1], int(sys.argv[2])))
