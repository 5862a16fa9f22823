# SPDX-License-Identifier: GPL-3.0-or-later
"""strata_check.py PROGRAM CORPUS: what `fplab eval --by` and `--prevalence` write, computed again."""
import csv, json, math, os, random, shutil, subprocess, sys, tempfile

program, newswire = sys.argv[1:3]
work = tempfile.mkdtemp()
failures = []


def check(good, what):
    if not good and len(failures) < 20:
        failures.append(what)


def run(*arguments):
    if arguments[0] == 'eval':
        arguments = (*arguments, '--hash-seeds', '1')  # strata are of one seed
    done = subprocess.run([program, *arguments], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f'{" ".join(arguments)}: {done.stderr}')
    return done.stdout


def table(*path):
    with open(os.path.join(work, *path), encoding='utf-8') as file:
        return list(csv.DictReader(file, delimiter='\t', quoting=csv.QUOTE_NONE))


def read_pairs(corpus):
    with open(os.path.join(corpus, 'pairs.tsv'), encoding='utf-8') as file:
        return [line.rstrip('\n').split('\t') for line in file]


def read_texts(corpus):
    with open(os.path.join(corpus, 'docs.jsonl'), encoding='utf-8') as file:
        return {row['id']: row['text'] for row in map(json.loads, file)}


def make_corpus(name, pairs, documents=None):
    """A corpus of the documents of newswire, or of those given, and the pairs."""
    path = os.path.join(work, name)
    os.makedirs(path)
    if documents is None:
        shutil.copy(os.path.join(newswire, 'docs.jsonl'), path)
    else:
        with open(os.path.join(path, 'docs.jsonl'), 'w', encoding='utf-8') as file:
            for key, text in documents.items():
                file.write(json.dumps({'id': key, 'text': text}, ensure_ascii=False) + '\n')
    with open(os.path.join(path, 'pairs.tsv'), 'w', encoding='utf-8') as file:
        file.writelines('\t'.join(pair) + '\n' for pair in pairs)
    return path


def distances(corpus, arm):
    """(distance, label) of every pair."""
    rows = csv.DictReader(run('distances', '-c', corpus, '-a', arm).splitlines(), delimiter='\t', quoting=csv.QUOTE_NONE)
    return [(float(row['distance']), int(row['label'])) for row in rows]


def best_threshold(pairs):
    positives = sum(label for _, label in pairs)
    best, largest, tp, called = math.nan, (0, 1), 0, 0
    pairs = sorted(pairs)
    for i, (distance, label) in enumerate(pairs):
        tp += label
        called += 1
        if i + 1 < len(pairs) and pairs[i + 1][0] == distance:
            continue
        if tp * largest[1] > largest[0] * (called + positives):  # F1 = 2tp/(called + positives)
            best, largest = distance, (tp, called + positives)
    return best, 2 * largest[0] / largest[1]


ARMS = ['simhash', 'jaccard']
FLAGS = [flag for arm in ARMS for flag in ('-a', arm)]


# ---- A stratum equals a corpus that holds only its pairs ----

def check_rates(row, corpus, own, threshold):
    """Each rate is one of the stratum's own pairs at its threshold, and none of those that join it; precision needs both labels."""
    rows = list(csv.DictReader(run('distances', '-c', corpus, '-a', row['arm']).splitlines(), delimiter='\t', quoting=csv.QUOTE_NONE))
    own = {tuple(pair[:2]) for pair in own}
    counts = {label: [float(r['distance']) <= threshold for r in rows if (r['id_a'], r['id_b']) in own and int(r['label']) == label] for label in (0, 1)}
    share = lambda label: sum(counts[label]) / len(counts[label]) if counts[label] else None
    called = sum(counts[0]) + sum(counts[1])
    wanted = {'recall': share(1), 'false_positive_rate': share(0), 'precision': sum(counts[1]) / called if counts[0] and counts[1] else None}
    for figure, value in wanted.items():
        cells = [row[figure + end] for end in ('_low', '', '_high')]
        check(cells == ['NA'] * 3 if value is None else abs(float(cells[1]) - value) < 1e-9 and float(cells[0]) <= value <= float(cells[2]),
              f'{row["arm"]} {row["stratum"]} {figure}: {cells}, not {value}')


def compare(strata, thresholds, arm, stratum, name):
    alone = {(row['figure'], row['threshold']): row for row in table(name, 'intervals.tsv') if row['arm'] == arm}
    counts = {row['threshold']: row for row in table(name, 'results.tsv') if row['arm'] == arm}
    whole = next(row for row in strata if row['arm'] == arm and row['stratum'] == stratum)
    for figure in ('average_precision', 'best_f1'):
        for column, other in ((figure, 'value'), (figure + '_low', 'low'), (figure + '_high', 'high')):
            check(whole[column] == alone[figure, 'NA'][other], f'{name} {arm} {stratum} {column}: {whole[column]}, alone {alone[figure, "NA"]}')
    for row in thresholds:
        if row['arm'] != arm or row['stratum'] != stratum:
            continue
        h = row['threshold']
        check([row[c] for c in ('tp', 'fp', 'fn', 'tn')] == [counts[h][c] for c in ('tp', 'fp', 'fn', 'tn')], f'{name} {arm} {stratum} {h}: counts')
        for figure in ('precision', 'recall', 'f1'):
            for column, other in ((figure, 'value'), (figure + '_low', 'low'), (figure + '_high', 'high')):
                check(row[column] == alone[figure, h][other], f'{name} {arm} {stratum} {h} {column}: {row[column]}, alone {alone[figure, h][other]}')


def strata_are_corpora():
    texts, pairs = read_texts(newswire), read_pairs(newswire)
    for method in ('mid-p', 'percentile'):
        options = ['--interval', method, '--replicates', '200', '--no-plots', *FLAGS]
        for by, given in (('length', ['--buckets', '300,500']), ('kind', [])):
            run('eval', '-c', newswire, '--by', by, *given, '--out', os.path.join(work, f'{by}-{method}'), *options)
            strata, thresholds = table(f'{by}-{method}', 'strata.tsv'), table(f'{by}-{method}', 'strata-thresholds.tsv')
            names = ['0-299', '300-499', '500+'] if by == 'length' else ['reworded', 'same_subject']
            for name in names:
                if by == 'length':
                    low, _, high = name.rstrip('+').partition('-')
                    part = [p for p in pairs if int(low) <= min(len(texts[p[0]]), len(texts[p[1]])) <= int(high or 10 ** 9)]
                else:  # a stratum of one label is joined by all pairs of the other
                    label = next(p[2] for p in pairs if p[3] == name)
                    part = [p for p in pairs if p[3] == name or p[2] != label]
                own = [p for p in part if by == 'length' or p[3] == name]
                corpus = make_corpus(f'{method}-{name}', part)
                out = f'out-{method}-{name}'
                run('eval', '-c', corpus, '--out', os.path.join(work, out), *options)
                for arm in ARMS:
                    compare(strata, thresholds, arm, name, out)
                    row = next(row for row in strata if row['arm'] == arm and row['stratum'] == name)
                    threshold, f1 = best_threshold(distances(corpus, arm))
                    check(abs(float(row['best_threshold']) - threshold) < 1e-9 and abs(float(row['best_f1']) - f1) < 1e-9,
                          f'{name} {arm}: best at {row["best_threshold"]}, not {threshold}')
                    check(int(row['positives']) + int(row['negatives']) == int(row['pairs']), f'{name} {arm}: own pairs')
                    check_rates(row, corpus, own, threshold)
                    check(int(row['pairs']) + int(row['joined']) == len(part), f'{name} {arm}: pairs')


# ---- Groups as truth: the same as all pairs listed; of many documents, counted without being listed ----

def write_groups(name, rows):
    """Two corpora of the same documents: their groups alone, and all pairs that they mean."""
    counted, listed = os.path.join(work, name), os.path.join(work, name + '-listed')
    for path in (counted, listed):
        os.makedirs(path)
        with open(os.path.join(path, 'docs.jsonl'), 'w', encoding='utf-8') as file:
            file.writelines(json.dumps(row, ensure_ascii=False) + '\n' for row in rows)
    with open(os.path.join(listed, 'pairs.tsv'), 'w', encoding='utf-8') as file:
        for i, a in enumerate(rows):
            for b in rows[i + 1:]:
                file.write(f'{a["id"]}\t{b["id"]}\t{int("group" in a and a.get("group") == b.get("group"))}\n')
    return counted, listed


MEASURES = ['--measure', 'f_beta:2', '--measure', 'matthews_correlation', '--measure', 'precision_recall_gain_area']


def compare_groups(name, rows, buckets, columns, arms=('simhash', 'jaccard', 'pinyin', 'winnowing')):
    """columns: what must be equal in each table; None for all but the name of the corpus."""
    arms = [flag for arm in arms for flag in ('-a', arm)]
    for path in write_groups(name, rows):
        run('eval', '-c', path, '--by', 'length', '--buckets', buckets, '--replicates', '200', *MEASURES, '--no-plots', '--out', path + '-out', *arms)
    for file, names in columns.items():
        a, b = ([[value for column, value in row.items() if (column in names if names else column != 'corpus')] for row in table(path, file)]
                for path in (name + '-out', name + '-listed-out'))
        check(a == b and a, f'{name}, {file}: {[x for x in zip(a, b) if x[0] != x[1]][:3]}')


def groups_are_all_pairs():
    with open(os.path.join(newswire, 'docs.jsonl'), encoding='utf-8') as file:
        rows = [json.loads(line) for line in file]
    compare_groups('few', rows, '250,300,500,100000', {'strata.tsv': None, 'strata-thresholds.tsv': None, 'edits.tsv': None})
    check(len(table('few-out', 'strata.tsv')) == 4 * 4, 'groups: an empty stratum is left out')
    # A fifth of a document each: 720 of them, more than are listed.
    parts = [dict(row, id=f'{row["id"]}-{k}', text=row['text'][len(row['text']) * k // 5:len(row['text']) * (k + 1) // 5],
                  **({'group': f'{row["group"]}-{k}'} if 'group' in row else {})) for row in rows[:144] for k in range(5)]
    compare_groups('many', parts, '60,80,120', {
        'strata.tsv': ('arm', 'stratum', 'pairs', 'positives', 'negatives', 'average_precision', 'best_f1', 'best_threshold', 'precision', 'recall', 'false_positive_rate',
                       'f_beta:2', 'matthews_correlation', 'precision_recall_gain_area'),
        'strata-thresholds.tsv': ('arm', 'stratum', 'threshold', 'tp', 'fp', 'fn', 'tn', 'precision', 'recall', 'f1', 'f_beta:2', 'matthews_correlation'),
        'results.tsv': ('arm', 'threshold', 'tp', 'fp', 'fn', 'tn', 'precision', 'recall', 'f1')}, ('simhash', 'jaccard'))
    check(table('many-out', 'edits.tsv') == [], 'counted groups: edits')


# ---- The interval of a best threshold, by a bootstrap of our own ----

def bootstrap_agrees():
    seen, apart = set(), []
    for pair in sorted(read_pairs(newswire), key=lambda p: (p[3] not in ('light_reprint', 'updated', 'hard_template'), p)):
        if pair[0] in seen or pair[1] in seen:
            continue
        seen.update(pair[:2])
        apart.append(pair)
    documents = {key: text for key, text in read_texts(newswire).items() if key in seen}
    corpus = make_corpus('apart', apart, documents)
    run('eval', '-c', corpus, '--by', 'length', '--buckets', '100000', '--replicates', '4000', '--no-plots', '--out', os.path.join(work, 'apart-out'), *FLAGS)
    draw = random.Random(11)
    for row in table('apart-out', 'strata.tsv'):
        pairs = distances(corpus, row['arm'])
        own = [best_threshold(draw.choices(pairs, k=len(pairs)))[0] for _ in range(4000)]
        low, high = float(row['best_threshold_low']) + 1e-9, float(row['best_threshold_high']) - 1e-9
        below, below_or_at = sum(b < low - 2e-9 for b in own) / 4000, sum(b <= low for b in own) / 4000
        above, above_or_at = sum(b > high + 2e-9 for b in own) / 4000, sum(b >= high for b in own) / 4000
        error = 5 * math.sqrt(2 * 0.025 * 0.975 / 4000)  # five standard errors of a difference of two shares
        check(below <= 0.025 + error and below_or_at >= 0.025 - error, f'{row["arm"]}: {below}…{below_or_at} of the replicates below {low}')
        check(above <= 0.025 + error and above_or_at >= 0.025 - error, f'{row["arm"]}: {above}…{above_or_at} of the replicates above {high}')


# ---- Edits ----

def edits_by_hand():
    """Five duplicates that differ by known letters: shares 0, 1/40, 3/40, 4/100 and 50/100."""
    forty, hundred = 'abcdefghij' * 4, 'klmnopqrst' * 10
    documents = {'a': forty, 'b': forty, 'c': 'X'.lower() + forty[1:], 'd': forty + 'uvw', 'e': hundred, 'f': 'wxyz' + hundred[4:],
                 'g': hundred[:50], 'h': 'nothing of it'}
    pairs = [('a', 'b', '1'), ('a', 'c', '1'), ('b', 'd', '1'), ('e', 'f', '1'), ('e', 'g', '1'), ('a', 'h', '0'), ('e', 'h', '0')]
    corpus = make_corpus('edits', pairs, documents)
    run('eval', '-c', corpus, '--by', 'length', '--buckets', '45,60', '-a', 'simhash', '-a', 'pinyin', '--no-plots', '--out', os.path.join(work, 'edits-out'))
    wanted = {('0-44', '0'): [0], ('0-44', '0.02'): [1 / 40], ('0-44', '0.05'): [3 / 43], ('60+', '0.02'): [4 / 100], ('45-59', '0.4'): [50 / 100]}
    places = {('0-44', '0'): [0], ('0-44', '0.02'): [1], ('0-44', '0.05'): [2], ('60+', '0.02'): [3], ('45-59', '0.4'): [4]}
    for arm in ('simhash', 'pinyin'):
        measured = [distance for distance, _ in distances(corpus, arm)]
        rows = [row for row in table('edits-out', 'edits.tsv') if row['arm'] == arm]
        check(sorted((row['length'], row['share_low']) for row in rows) == sorted(wanted), f'{arm}: cells {[(row["length"], row["share_low"]) for row in rows]}')
        for row in rows:
            shares, at = wanted[row['length'], row['share_low']], places[row['length'], row['share_low']]
            check(abs(float(row['mean_share']) - sum(shares) / len(shares)) < 1e-9, f'{arm} {row}')
            check(abs(float(row['measured']) - sum(measured[i] for i in at) / len(at)) < 1e-9, f'{arm} {row}')
            check((row['expected'] == 'NA') == (arm == 'pinyin') and row['measured_low'] == 'NA' and row['bounded'] == '0', f'{arm} {row}')
    same = next(row for row in table('edits-out', 'edits.tsv') if row['arm'] == 'simhash' and row['share_low'] == '0')
    check(float(same['expected']) < 1e-6 and float(same['measured']) == 0, f'equal texts: {same}')


# ---- Prevalence ----

def prevalence_is_bayes():
    run('eval', '-c', newswire, '--prevalence', '0.0004', '--no-plots', '--out', os.path.join(work, 'prevalence'), *FLAGS)
    summary = {row['arm']: row for row in table('prevalence', 'summary.tsv')}
    rows = table('prevalence', 'prevalence.tsv')
    for arm in ARMS:
        pairs = distances(newswire, arm)
        own = [row for row in rows if row['arm'] == arm]
        check({row['threshold'] for row in own if row['best'] == '1'} == {f'{best_threshold(pairs)[0]:.15g}'} or
              abs(float(next(row['threshold'] for row in own if row['best'] == '1')) - float(summary[arm]['best_threshold'])) < 1e-9, f'{arm}: best')
        check({row['prevalence'] for row in own if row['stated'] == '1'} == {'0.0004'}, f'{arm}: stated')
        thresholds = {round(float(row['threshold']), 6) for row in own}
        wanted = {*map(float, range(1, 65)), round(float(summary[arm]['best_threshold']), 6)}
        check(thresholds == wanted and len(own) == len(wanted) * 36, f'{arm}: {len(own)} rows')
        for row in own:
            h, pi = float(row['threshold']), float(row['prevalence'])
            tpr = sum(label and d <= h for d, label in pairs) / sum(label for _, label in pairs)
            fpr = sum(not label and d <= h for d, label in pairs) / sum(not label for _, label in pairs)
            if tpr == fpr == 0:
                check(row['precision'] == 'NA' and row['precision_low'] == 'NA', f'{arm} {row}')
                continue
            value, low, high = (float(row[c]) for c in ('precision', 'precision_low', 'precision_high'))
            check(abs(value - tpr * pi / (tpr * pi + fpr * (1 - pi))) < 1e-9, f'{arm} {row}')
            check(0 <= low <= value <= high <= 1 and high - low > 0, f'{arm}: no room in the interval of {row}')


strata_are_corpora()
groups_are_all_pairs()
bootstrap_agrees()
edits_by_hand()
prevalence_is_bayes()
shutil.rmtree(work)
print('\n'.join(failures))
sys.exit(1 if failures else 0)
