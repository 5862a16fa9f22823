#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# --empty: what precision is worth when nothing is called, the same in every table that fplab eval writes; F1 is 0 there whatever the rule.
. tests/support.sh
cd "$work" || exit 1
python3 - <<'PYTHON' || complain "a corpus of groups"
import json, os, random
random.seed(3)
os.mkdir('groups')
with open('groups/docs.jsonl', 'w', encoding='utf-8') as docs:
    for i in range(720): # two of a group share two thirds of their words
        random.seed(i // 2)
        words = [str(random.randrange(10**6)) for _ in range(60)]
        random.seed(1000 + i)
        for at in random.sample(range(60), 20): words[at] = str(random.randrange(10**6))
        docs.write(json.dumps({'id': 'd%d' % i, 'text': ' '.join(words), 'group': 'g%d' % (i // 2)}) + '\n')
PYTHON
"$fplab" tune -c "$newswire" --grid minhash --save choice.json >/dev/null 2>&1 || complain "tune --save"
sed -i -E 's/"threshold": *[0-9.]+/"threshold": 0/' choice.json
arms=(-a simhash -a minhash:name=near -a random)
for rule in na zero one; do
    shared=(--empty $rule --threshold 0..3 --no-plots --prevalence 0.01 --measure none_precision --measure f_beta:2)
    "$fplab" eval -c "$newswire" "${arms[@]}" --choice choice.json "${shared[@]}" --hash-seeds 1 --by kind --theory --lost --retrieval --compare precision@0 --out pair-$rule >/dev/null 2>err || complain "pairs: $(cat err)"
    "$fplab" eval -c "$newswire" "${arms[@]}" "${shared[@]}" --level document --by length --out document-$rule >/dev/null 2>err || complain "documents: $(cat err)"
    "$fplab" eval -c "$newswire" "${arms[@]}" "${shared[@]}" --level cluster --out cluster-$rule >/dev/null 2>err || complain "clusters: $(cat err)"
    "$fplab" eval -c groups "${arms[@]}" "${shared[@]}" --by length --out groups-$rule >/dev/null 2>err || complain "groups: $(cat err)"
    python3 - $rule <<'PYTHON' || complain "--empty $rule"
import csv, glob, os, sys
rule = sys.argv[1]
worth = {'na': 'NA', 'zero': '0', 'one': '1'}[rule]
PRECISION = {'precision', 'cluster_pair_precision', 'precision_at_prevalence', 'precision_at_prevalence:0.01'}
NOT_OF_CALLS = {'average_precision', 'bcubed_precision', 'none_precision', 'precision_expected', 'r_precision', 'mean_average_precision', 'precision_recall_gain_area', 'held_out_precision'}
F = {'f1', 'cluster_pair_f1', 'f_beta:2'}
seen, wrong = {}, []
def rows(path):
    with open(path, encoding='utf-8') as file:
        reader = csv.reader(file, delimiter='\t')
        names = next(reader)
        for line in reader: yield names, line
for run in 'pair', 'document', 'cluster', 'groups':
    called = {}
    for names, line in rows(f'{run}-{rule}/results.tsv'):
        row = dict(zip(names, line))
        called[row['arm'], float(row['threshold'])] = float(row['tp']) + float(row['fp'])
    assert 0 in called.values() and any(called.values()), run
    for path in sorted(glob.glob(f'{run}-{rule}/*.tsv')):
        table = os.path.basename(path)
        if table == 'sources.tsv': continue # where errors come from
        for names, line in rows(path):
            row = dict(zip(names, line))
            if not row.get('threshold') or row['threshold'] == 'NA': continue
            h = float(row['threshold'])
            if 'tp' in row and 'fp' in row: count = float(row['tp']) + float(row['fp'])
            elif table == 'choices.tsv': count = float(row.get('tp', 0)) + float(row.get('fp', 0))
            else: count = called.get((row.get('arm'), h))
            if count is None: continue
            figures = [(row['figure'], names.index('value'))] if 'figure' in row and 'value' in names else [(name, at) for at, name in enumerate(names)]
            for name, at in figures:
                if 'precision' in name and not name.endswith(('_low', '_high')): assert name in PRECISION | NOT_OF_CALLS, (table, name)
                if count: continue
                value = line[at]
                if name in PRECISION:
                    seen.setdefault(table, 0)
                    seen[table] += 1
                    if value != worth or line[at + 1] != 'NA' or line[at + 2] != 'NA': wrong.append((run, table, row.get('arm'), h, name, line[at:at + 3]))
                elif name in F and value not in ('0', 'NA' if row.get('fn') == '0' else '0'): wrong.append((run, table, row.get('arm'), h, name, value))
    if run == 'pair':
        for names, line in rows(f'{run}-{rule}/differences.tsv'):
            row = dict(zip(names, line))
            both = [called[row[arm], 0.0] for arm in ('arm_a', 'arm_b')]
            if both == [0, 0] and row['difference'] != ('NA' if rule == 'na' else '0'): wrong.append((run, 'differences.tsv', row['arm_a'], row['arm_b'], row['difference']))
            if both[0] == both[1] == 0: seen['differences.tsv'] = 1
for table in 'results.tsv', 'intervals.tsv', 'differences.tsv', 'choices.tsv', 'strata-thresholds.tsv', 'prevalence.tsv', 'theory.tsv', 'clusters.tsv':
    assert seen.get(table), (table, 'has no row in which nothing is called', seen)
for one in wrong[:12]: print(*one)
sys.exit(1 if wrong else 0)
PYTHON
done
exit $bad
