# SPDX-License-Identifier: GPL-3.0-or-later
"""The commands that same_figures.py runs beside the examples: every command, option and parameter on every kind of text."""
import json
import re
import shutil
import subprocess

from figures_examples import FILES, Case


def algorithms(program):
    shown = subprocess.run([program, 'algorithms', '--format', 'json'], capture_output=True, check=True).stdout
    return [row['algorithm'] for row in json.loads(shown)]


def parameters(program, algorithm):
    shown = subprocess.run([program, 'algorithms', algorithm, '--format', 'json'], capture_output=True, check=True).stdout
    return json.loads(shown)


OWN = {  # values of parameters that have no list
    'features': ['words', 'words:2', 'chars:1', 'chars:2', 'chars:5', 'sentences', 'initials:3'],
    'stop': ['shipped', 'sets/files/stop.txt'], 'idf': ['builtin', 'words.idf'], 'userdict': ['none', 'sets/files/user.txt'],
    'terms': ['sets/files/weights.tsv'], 'directions': ['x:1;y:-1,coordinates=1']}
# What a value needs beside it.
BESIDE = {'weight=table': ',terms=sets/files/weights.tsv'}


def values_of(parameter):
    """The values to try of a parameter: each word of a list; of a range its ends, when small, and some between."""
    allowed = str(parameter['allowed'])
    span = re.fullmatch(r'(-?[0-9.e+]+) to (-?[0-9.e+]+)', allowed)
    if parameter['parameter'] in OWN:
        return OWN[parameter['parameter']]
    if span:
        low, high = float(span[1]), float(span[2])
        tried = [low, high] + ([0.25, 0.5] if high <= 1 else [2, 3, 7, 16, 33, 128])
        return [f'{value:g}' for value in dict.fromkeys(tried) if low <= value <= high and value <= 1024]
    return [word.strip() for word in allowed.split(',') if word.strip()]


def variants(program, algorithm, of):
    """Arms that each differ from the default in one parameter."""
    for parameter in parameters(program, algorithm):
        if parameter['of'] in of:
            for value in values_of(parameter):
                if value != str(parameter['default']):
                    setting = f'{parameter["parameter"]}={value}'
                    yield f'{algorithm}:{setting}{BESIDE.get(setting, "")}'


WEIGHTED = [f'{a}:features={f},weight={w}' for a in ('simhash', 'cosine') for f in ('words', 'chars:2')
            for w in ('binary', 'tf', 'logtf', 'idf', 'tfidf', 'levels', 'length')]
FITTED = ['simhash:center=mean', 'simhash:center=median,weight=tfidf', 'pinyin:reference=corpus', 'pinyin:reference=corpus,normalise=deviation,levels=8']
# What documents of the sets have beside a text; a set without the field refuses it.
FIELDS = ('kind', 'lang', 'group', 'subject', 'version', 'edition', 'part', 'source')
SHORT = '-a simhash -a minhash -a jaccard'


def options(arms):
    return ' '.join(f"-a '{arm}'" for arm in arms)


def sketches(program, names, place, quick):
    """Every algorithm with each of its parameters, and each stage before it, on one set."""
    for name in names:
        arms = [name] + list(variants(program, name, ('algorithm',)))
        staged = [] if quick and name not in ('simhash', 'jaccard', 'cosine', 'pinyin') else list(variants(program, name, ('features', 'text')))
        steps = [f"fplab {command} -c {place} -a '{arm}'" for arm in arms for command in ('fingerprint', 'distances')]
        steps += [f"fplab distances -c {place} -a '{arm}'" for arm in staged]
        yield Case(f'{name} on {place}', [f'fplab corpus idf {place} --spec features=words --out words.idf'] + steps)
    yield Case(f'weights on {place}', [f"fplab distances -c {place} -a '{arm}'" for arm in WEIGHTED])


def every_form(place):
    """What every corpus is asked, however large."""
    check = f'fplab corpus check {place}'
    yield Case(f'corpus on {place}', [check, check + ' -f tsv', check + ' -f json', f'fplab corpus idf {place}',
                                      f'fplab corpus idf {place} --spec features=chars:2,han=keep --out terms.idf'])
    yield Case(f'fingerprint on {place}', [f"fplab fingerprint -c {place} -a '{arm}'" for arm in ('simhash:weight=tfidf', 'pinyin', 'minhash:slots=8')])
    yield Case(f'eval on {place}', [f'fplab eval -c {place} --out out --no-plots -a simhash -a minhash -a pinyin'])
    yield Case(f'theory and lost on {place}', [f'fplab eval -c {place} -a simhash -a minhash --{kind} --out {kind} --no-plots --threshold 0..32'
                                               for kind in ('theory', 'lost')])
    yield Case(f'by length on {place}', [f'fplab eval -c {place} -a simhash -a minhash --by length --out out --no-plots --replicates 200'])


def groups_beyond_listing(place):
    """Of groups of more documents than are written out as pairs."""
    yield Case(f'levels on {place}', [f'fplab eval -c {place} -a simhash --level {level} --out {level} --no-plots --replicates 200' for level in ('document', 'cluster')])
    yield Case(f'prevalence on {place}', [f'fplab eval -c {place} {SHORT} --prevalence 0.001 --out out --no-plots', f'fplab eval -c {place} -a simhash --by group',
                                         f'fplab eval -c {place} {SHORT} --interval clopper-pearson'])
    yield Case(f'judge on {place}', judge_steps(place))
    yield Case(f'tune on {place}', [f"fplab tune -c {place} -g 'simhash:bits=32|64' -g pinyin --negatives 20000 --replicates 200 --yes --out tuned --no-plots"])


def all_options(place, names):
    """Every option of the commands that take a corpus."""
    every = options(names)
    yield Case(f'sketches on {place}', [f"fplab fingerprint -c {place} -a '{arm}'" for arm in names + FITTED] +
               [f'fplab fingerprint -c {place} -f {form}' for form in ('json', 'table')] + [f"fplab distances -c {place} -a '{arm}'" for arm in names + FITTED])
    yield Case(f'eval of all on {place}', [
        f'fplab eval -c {place} {every} --out out --no-plots --threshold 0..64 --replicates 200', f'fplab eval -c {place} --out out --no-plots',
        f'fplab eval -c {place} {SHORT} --out out --no-plots --threshold 0..64 -f tsv', f'fplab eval -c {place} {SHORT} -f json'])
    yield Case(f'theory and lost of all on {place}', [
        f'fplab eval -c {place} {every} --theory --out theory --no-plots --threshold 0..32 --replicates 200',
        f'fplab eval -c {place} {every} --lost --out lost --no-plots --threshold 0..32 --replicates 200',
        f'fplab eval -c {place} -a simhash --lost --index pigeonhole:blocks=6,agree=3 --out pigeonhole --no-plots',
        f'fplab eval -c {place} -a minhash --lost --index banding:bands=16,rows=4 --out banding --no-plots'])
    yield Case(f'buckets on {place}', [f'fplab eval -c {place} {SHORT} --by length --buckets 20,50,400,800 --out out --no-plots'])
    yield Case(f'levels on {place}', [
        f'fplab eval -c {place} {SHORT} --level {level} --empty {empty} --out {level} --no-plots --threshold 0..40 --replicates 200'
        for level, empty in (('document', 'na'), ('cluster', 'zero'), ('cluster', 'one'))])
    yield Case(f'prevalence on {place}', [f'fplab eval -c {place} {SHORT} --prevalence 0.001 --out out --no-plots'])
    yield Case(f'judge on {place}', judge_steps(place))
    yield Case(f'fields on {place}', [f'fplab eval -c {place} -a simhash -a jaccard --by {field} --out {field} --no-plots --replicates 200' for field in FIELDS])
    yield Case(f'intervals on {place}', [f'fplab eval -c {place} {SHORT} --interval {method} --seed 7 --replicates 300 --out out --no-plots'
                                         for method in ('clopper-pearson', 'percentile', 'bca')])
    yield Case(f'compare on {place}', [f'fplab eval -c {place} {SHORT} -a pinyin --compare {figure} --out out --no-plots --replicates 300'
                                       for figure in ('roc_area', 'best_f1', 'precision@10', 'recall@10', 'f1@10')])
    yield Case(f'tune on {place}', tune_steps(place))


def judge_steps(place):
    answers = ("awk -F'\\t' -v OFS='\\t' '!/^#/ && $1 != \"pair\" { $6 = NR % 3 == 0 ? \"duplicate\" : NR % 7 == 0 ? \"unsure\" : \"not\" } 1' "
               'sheet.tsv > judged.tsv')
    other = "awk -F'\\t' -v OFS='\\t' '!/^#/ && $1 != \"pair\" { $6 = NR % 4 == 0 ? \"duplicate\" : \"not\" } 1' sheet.tsv > second.tsv"
    return [f'fplab judge sample -c {place} -a simhash --distances 0..30 -m 5 --seed 3 --out sheet.tsv',
            f'fplab judge sample -c {place} -a jaccard --distances 0..60 -m 3 --width 40', answers, other, 'fplab judge estimate judged.tsv',
            'fplab judge estimate judged.tsv -u negative -f tsv', 'fplab judge estimate judged.tsv second.tsv -u positive --confidence 0.9 -f json',
            'fplab judge agreement judged.tsv second.tsv', 'fplab judge agreement judged.tsv second.tsv -f json']


def tune_steps(place):
    return [f"fplab tune -c {place} -g 'simhash:features=words|chars:2,weight=tf|tfidf' -g pinyin -g minhash:slots=32 --replicates 200 "
            f'--out tuned --no-plots --save choice.json --yes',
            f"fplab tune -c {place} -g 'simhash|jaccard:features=chars:2|chars:3' --beta 0.5 --folds 3 --seed 5 --negatives 500 --replicates 200 -f tsv --yes",
            f"fplab tune -c {place} -g 'simhash|cosine|winnowing' -g 'pinyin:reference=builtin|corpus' --min-precision 0.6 --replicates 200 --save p.json --yes -f json",
            f'fplab eval -c {place} --choice choice.json --out chosen --no-plots', f'fplab eval -c {place} --choice choice.json -f tsv',
            f'fplab eval -c {place} --choice choice.json --lost --level cluster -f json', f'fplab distances -c {place} --choice choice.json -f json',
            f'fplab judge sample -c {place} --choice choice.json -m 3', f'fplab distances -c {place} --choice choice.json',
            f'fplab fingerprint -c {place} --choice choice.json', 'fplab compare --choice choice.json sets/files/one.txt sets/files/two.txt',
            f'fplab features -c {place} --choice choice.json -f tsv | head -n 500', 'fplab fingerprint -a @choice.json sets/files/lines.txt']


def text_cases(names):
    """Commands that read texts: lines, files, arguments, in every encoding and format."""
    pair = '我喜欢看电视，不喜欢看电影。 我不喜欢看电视，也不喜欢看电影。'
    yield Case('fingerprint of lines', [FILES, 'fplab corpus idf sets/part/newswire-zh --out words.idf'] +
               [f"fplab fingerprint -a '{arm}' lines.txt" for arm in names + FITTED + WEIGHTED] +
               ['cat lines.txt | fplab fingerprint', 'cat lines.txt | fplab fingerprint -a simhash:weight=tfidf -f json',
                'fplab fingerprint -f json articles.txt.zst', 'fplab fingerprint articles.txt.gz -a minhash:slots=4', 'fplab fingerprint -t 一 二 三 ""',
                'fplab fingerprint --encoding gb18030 gb18030.txt', 'fplab fingerprint --encoding utf-16 utf16.txt', 'fplab fingerprint utf8bom.txt',
                'fplab fingerprint --encoding big5 big5.txt', 'fplab fingerprint --encoding auto gb18030.txt', 'fplab fingerprint invalid.txt',
                'fplab fingerprint --invalid replace invalid.txt', 'fplab fingerprint empty.txt', 'fplab fingerprint --max-size 100 lines.txt',
                'fplab fingerprint no-such-file.txt', 'fplab fingerprint -a simhash:bits=3 lines.txt', 'fplab fingerprint -a nonsense lines.txt'])
    yield Case('compare of texts', [FILES, f'fplab compare -t {pair}', f'fplab compare -t {pair} -f tsv', f'fplab compare -t {pair} -f json',
                                    'fplab compare one.txt two.txt', 'fplab compare one.txt three.txt -f json', 'fplab compare one.txt one.txt',
                                    'fplab compare empty.txt one.txt', "fplab compare -t '' ''", 'fplab compare -t 😀 🎉 -f tsv',
                                    'fplab compare --encoding auto gb18030.txt utf16.txt', 'fplab compare invalid.txt one.txt --invalid replace',
                                    'fplab compare --max-size 100 one.txt two.txt'] +
               [f"fplab compare one.txt two.txt -f tsv {options([arm])}" for arm in WEIGHTED + ['simhash:bits=128', 'minhash:b=1', 'simhash:center=mean']])
    explain = [FILES]
    for name in names:
        for form in ('table', 'json'):
            explain += [f'fplab explain {name} -f {form} -t 今天下午，临江大桥恢复通车。', f'fplab explain {name} -f {form} --pair -t {pair}']
        explain += [f'fplab explain {name} article.txt -f json', f'fplab explain {name} --pair one.txt two.txt -f json', f"fplab explain {name} -t ''"]
    explain += ['fplab explain simhash --text 美国“51区”雇员 --bits 6 --terms terms.tsv', 'fplab explain simhash:weight=tfidf,idf=builtin,bits=16 two.txt',
                'fplab explain simhash --encoding gb18030 gb18030.txt -f json', 'fplab explain exact --invalid replace invalid.txt', 'fplab explain exact --max-size 9 one.txt']
    yield Case('explain of texts', explain)
    specs = [f'features={f},weight={w}' for f in OWN['features'] for w in ('tf', 'logtf', 'binary')]
    specs += ['weight=tfidf,idf=builtin,top=20', 'stop=shipped', 'stop=stop.txt', 'userdict=user.txt', 'segmenter=icu', 'hmm=off', 'search=on', 'join=none',
              'han=keep', 'hash=md5', 'hash=fnv1a,hashseed=3', 'shortest=2', 'features=chars:2,punctuation=drop', 'weight=levels,idf=builtin', 'weight=length']
    yield Case('features of texts', [FILES] + [f"fplab features --spec '{spec}' -f {form} article.txt" for spec in specs for form in ('tsv', 'json')] +
               ['fplab features article.txt', 'fplab features -t ""', 'fplab features --encoding big5 big5.txt', 'cat lines.txt | fplab features -f tsv',
                'fplab features -c sets/odd -f tsv', 'fplab features -c sets/odd --inverted -f json', 'fplab features -c sets/part/newswire-zh --inverted -f tsv',
                'fplab features -c sets/odd --spec weight=tfidf', 'fplab features invalid.txt', 'fplab features --invalid replace invalid.txt',
                'fplab features --max-size 100 one.txt'])


def plan_case():
    steps = ['fplab plan' + more for more in (
        '', ' -f tsv', ' -f json', ' -b 64 -k 6 -d 5 -n 8e9', ' -b 128 -k 10 -d 9 -n 2^20', ' -k 8 -d 7 -S 0.95', ' -k 8 -d 7 -S 0.95 -f json', ' -k 3 -d 3', ' -b 0')]
    steps += [f'fplab plan -s {slots} -S {s}{more}' for slots in (64, 128) for s in ('0.5', '0.8')
              for more in ('', ' -r 0.95 -f tsv', ' -w 1:4', ' --slot-bits 2', ' -r 0.9 --slot-bits 1 -f json')]
    return Case('plan', steps + ['fplab plan -s 128 -S 0.8 -r 0.95 --out plan --plot-format svg', 'fplab rerun plan', 'fplab rerun plan --max-size 1M',
                                 'fplab plan -s 64 -S 0.6 --out plan --plot-format svg --plot-size 640x480 --lang en --max-size 1M'])


def together(kinds, part):
    """Several corpora at once; pictures; a run again; the same texts packed; bad rows; strange texts."""
    places = [f'-c {part}/{name}' for name in kinds['part']]
    news = 'sets/part/newswire-zh'
    yield Case('several corpora', [f'fplab eval {" ".join(places)} --out out --no-plots', f'fplab eval {" ".join(places[:3])} {SHORT} -f tsv',
                                   f'fplab eval {" ".join(places[:3])} {SHORT} --compare recall@10 -f json --by kind --theory --lost --prevalence 0.01 '
                                   '--out more --plot-format svg --plot-size 800x600 --lang en'])
    yield Case('pictures', [f'fplab eval -c {news} --out out --by kind --prevalence 0.01 --lost --theory --threshold 0..20 --plot-format svg',
                            f'fplab eval -c {news} --out out --by length --level cluster --lang zh --plot-format png', f'fplab eval -c {news} {SHORT} --out small '
                            '--plot-size 600 --plot-format svg,pdf', f'fplab tune -c {news} -g simhash -g pinyin --out tuned --replicates 200',
                            f'fplab tune -c {news} -g simhash -g pinyin --out tuned --replicates 200 --plot-format svg --plot-size 700 --lang zh --max-size 1M', 'fplab rerun small',
                            'fplab rerun out -f tsv', 'fplab rerun tuned -f json', 'fplab rerun no-such-run'])
    yield Case('packed', [f'fplab eval -c sets/packed/{ending} {SHORT} --out {ending} --no-plots' for ending in ('gz', 'zst')] +
               ['fplab corpus check sets/packed/zst', 'fplab fingerprint -c sets/packed/gz', 'fplab eval -c sets/packed/gz --max-size 1000'])
    bad = [f'fplab {command} sets/damaged{skip}' for skip in ('', ' --skip-bad') for command in (
        'corpus check', 'eval -a simhash -a jaccard --out out --no-plots -c', 'distances -a jaccard -c', 'tune --yes -g simhash -g pinyin -c',
        'judge sample -a simhash -d 0..40 -m 2 -c')]
    yield Case('damaged', bad + ['fplab eval -c no-such-corpus', 'fplab eval', 'fplab eval -c sets/files', 'fplab tune -c sets/odd -g simhash --max-size 100', 'fplab corpus check sets/odd --max-size 100',
                                     'fplab judge sample -c sets/odd -a simhash --max-size 100', 'fplab distances -c sets/odd -a simhash --max-size 100', 'fplab algorithms --max-size 1', 'fplab fingerprint -c sets/damaged'])


def walk_case():
    walk = 'fplab judge sheet.tsv'
    return Case('judge walk', [
        'fplab judge sample -c sets/part/newswire-zh -a simhash --distances 0..24 -m 4 --out sheet.tsv', 'cp sheet.tsv second.tsv',
        f"printf 'd\\nn\\nu\\nb\\ns\\nq\\n' | {walk}", f"printf '?\\nw\\nd\\nd\\nx\\n' | {walk} -c sets/part/newswire-zh",
        f'yes n | {walk} --context 0', "printf 'd\\nq\\n' | fplab judge second.tsv --from 3 --context 10", 'fplab judge estimate sheet.tsv',
        'fplab judge agreement sheet.tsv second.tsv -f tsv'])


def plugin_case():
    arm = '--plugin plugins/rarest.so -a rarest'
    news = 'sets/part/newswire-zh'
    return Case('plug-in', [FILES, 'fplab algorithms --plugin plugins/rarest.so -f tsv', 'fplab algorithms --plugin plugins/rarest.so rarest',
                            f'fplab fingerprint {arm}:keep=5 lines.txt', f'fplab fingerprint {arm} -c {news}', f'fplab distances {arm} -c {news}',
                            f'fplab eval {arm} -a simhash -c {news} --out out --no-plots', 'fplab compare --plugin plugins/rarest.so one.txt two.txt',
                            f"fplab tune -c {news} --plugin plugins/rarest.so -g 'rarest:keep=5|9' -g simhash --yes --replicates 200",
                            f'fplab judge sample {arm} -c {news} -d 0..40 -m 2', f'fplab eval {arm}:keep=0 -c {news}',
                            'fplab explain rarest --plugin plugins/rarest.so --pair one.txt two.txt -f json', 'fplab algorithms --plugin lines.txt'])


def terminal_case():
    """What is told a terminal of 60 columns, where tables are folded."""
    commands = ['fplab algorithms simhash', 'fplab eval -c sets/part/newswire-zh -a simhash -a minhash', 'fplab plan', 'fplab corpus check sets/odd',
                'fplab compare -t 今天下午，临江大桥恢复通车。 临江大桥今天下午恢复通车。', 'fplab explain simhash --bits 8 -t 今天下午，临江大桥恢复通车。',
                'fplab eval -c sets/part/newswire-zh -a simhash --by kind --theory']
    return Case('terminal', [f"script -qec 'stty cols 60 rows 40; {command}' /dev/null" for command in commands])


def matrix(program, kinds, quick, plugin):
    names = algorithms(program)
    yield Case('algorithms', [f'fplab algorithms {name} -f {form}' for name in [''] + names + ['nonsense'] for form in ('table', 'tsv', 'json')])
    yield from sketches(program, names, 'sets/part/newswire-zh', quick)
    if not quick:
        yield from sketches(program, names, 'sets/odd', False)
    yield from text_cases(names)
    yield plan_case()
    yield walk_case()
    if plugin:
        yield plugin_case()
    if shutil.which('script'):
        yield terminal_case()
    yield from together(kinds, 'sets/part')
    yield from every_form('sets/odd')
    yield from all_options('sets/odd', names)
    for kind in ('part', 'groups', 'many') if quick else ('part', 'groups', 'many', 'whole'):
        for name in kinds[kind]:
            if kind == 'part' or not quick or name == 'newswire-zh':
                yield from every_form(f'sets/{kind}/{name}')
            if kind in ('part', 'groups') and (not quick or name == 'newswire-zh'):
                yield from all_options(f'sets/{kind}/{name}', names)
            if kind == 'many':
                yield from groups_beyond_listing(f'sets/{kind}/{name}')
