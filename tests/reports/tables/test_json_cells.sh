#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# --format json, every command that prints a table: numbers are numbers, what is not defined is null, and text that looks like a number stays
# text where it is a name.
. tests/support.sh
cd "$work" || exit 1
# Without the spaces that its path may hold, since commands below are cut at theirs.
ln -s "$newswire" newswire-zh && newswire=$work/newswire-zh
mkdir digits
printf '{"id":"007","text":"1984 是 一本 书","group":"1"}\n{"id":"1e3","text":"1984 是 一 本 书","group":"1"}\n{"id":"NA","text":"别的","group":"2"}\n' >digits/docs.jsonl
"$fplab" judge sample --corpus "$newswire" --arm simhash --distances 0..24 --per-distance 2 --out sheet.tsv >/dev/null 2>&1
python3 - "$fplab" "$newswire" <<'PYTHON'
import json, subprocess, sys
fplab, newswire = sys.argv[1:]
def run(line):
    made = subprocess.run([fplab, *line.split(), '--format', 'json'], capture_output=True, text=True)
    assert made.returncode == 0, (line, made.stderr)
    made = json.loads(made.stdout)
    # eval: all tables, under their names
    return made if isinstance(made, list) else [row for rows in made.values() for row in rows]
# Columns that name something: a document, a term, a hash, a fingerprint.
names = {'fingerprint', 'feature', 'hash', 'documents', 'id', 'id_a', 'id_b', 'parameter', 'default', 'stratum', 'group'}
bad = False
for line in ('algorithms', 'algorithms simhash', 'compare --text a b', 'features --text 1984', f'fingerprint --corpus {newswire}',
             'distances --corpus digits --arm jaccard', f'eval --corpus {newswire} --arm simhash --replicates 200', f'tune --corpus {newswire} --grid simhash --replicates 200',
             'judge estimate sheet.tsv', 'judge agreement sheet.tsv sheet.tsv', f'corpus check {newswire}', 'plan --bits 64 --distance 3',
             'plan --slots 128 --similarity 0.8 --recall 0.95'):
    for row in run(line):
        for column, cell in row.items():
            if not isinstance(cell, str): continue
            try: float(cell)
            except ValueError:
                if cell == 'NA' and column not in names: print('FAIL:', line, column, 'is "NA", not null'); bad = True
                continue
            if column not in names: print('FAIL:', line, column, repr(cell), 'is no number'); bad = True
rows = run('distances --corpus digits --arm simhash')
assert {row['id_a'] for row in rows} | {row['id_b'] for row in rows} == {'007', '1e3', 'NA'}, rows
assert all(type(row['distance']) in (int, float) and row['label'] in (0, 1) for row in rows), rows
assert any(row['feature'] == '1984' and type(row['weight']) in (int, float) for row in run('features --text 1984'))
facts = {row['fact']: row['value'] for row in run(f'corpus check {newswire}')}
assert facts['documents'] == 168 and facts['labelled pairs'] == 918 and isinstance(facts['truth'], str), facts
defaults = {row['parameter']: row['default'] for row in run('algorithms simhash')}
assert defaults['bits'] == 64 and defaults['tie'] == 'zero', defaults
assert any('precision' in row and row['precision'] is None for row in run(f'eval --corpus {newswire} --arm jaccard --replicates 200'))
weights = [row for step in run('explain simhash --bits 6 --text 我是中国人') for row in step['rows'] if 'weight' in row]
assert weights and all(type(row['weight']) in (int, float) for row in weights), weights
assert all(len(row['hash']) == 6 and set(row['hash']) <= set('01') for row in weights if 'hash' in row), weights
levels = [row for step in run('explain pinyin --text 我是中国人') for row in step['rows'] if 'level' in row]
assert len(levels) == 20 and all(type(row[c]) in (int, float) for row in levels for c in ('count', 'frequency', 'deviation', 'level')), levels
sys.exit(bad)
PYTHON
exit $?
