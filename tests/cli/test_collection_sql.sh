#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A collection is asked in SQL: it has the tables and columns that docs/index-format.md lists, its queries run, and what they say is what
# the program says.
. tests/support.sh
page=$(realpath docs/index-format.md)
cd "$work" || exit 1
python3 - <<'END' >rows.jsonl
import json
for i in range(40):
    text = '第%d条：市政府今天宣布新的地铁线路将于明年春天开通运营，沿线设站二十三座。' % (i // 2 * 7919)
    print(json.dumps({'id': 'd%d' % i, 'text': text + '记者报道' * (i % 2), 'title': '题%d' % i, 'source': '报%d' % (i % 3), 'time': '2024-05-01T00:00:%02dZ' % i}))
END
"$fplab" index build c.fp -a simhash:features=chars:2 -d 8 --keep-texts rows.jsonl 2>err || complain "build: $(cat err)"
"$fplab" index delete c.fp d5 2>err || complain "delete: $(cat err)"
sed 's/"id": "d/"id": "e/' rows.jsonl >later.jsonl
"$fplab" track c.fp later.jsonl >tracked 2>err || complain "track: $(cat err)"
"$fplab" index stats c.fp --format json >stats 2>err || complain "stats: $(cat err)"
python3 - "$page" <<'END' || complain "in SQL"
import json, re, sqlite3, sys
page = open(sys.argv[1]).read().split('## Collections')[1].split('## Redis')[0]
db = sqlite3.connect('file:c.fp?mode=ro', uri=True)
ask = lambda sql: db.execute(sql).fetchall()
assert ask('PRAGMA application_id') == [(0x66706c62,)] and ask('PRAGMA user_version') == [(2,)], 'the head'
listed, table = {}, None
for line in page.split('Ids, titles')[0].splitlines():
    cells = [cell.strip() for cell in line.split('|')]
    if len(cells) < 4 or not cells[2].startswith('`'): continue
    table = cells[1].strip('`') or table
    listed.setdefault(table, []).extend(re.findall(r'`(\w+)`', cells[2]))
held = {name: [row[1] for row in ask('PRAGMA table_info(%s)' % name)] for name, in ask("SELECT name FROM sqlite_master WHERE type = 'table'")}
assert held == listed, (held, listed)
queries = re.findall(r'```sql\n(.*?)```', page, re.S)[0].split(';')[:-1]
assert len(queries) == 2
clusters, sources = (ask(query) for query in queries)
assert clusters and clusters[0][1] >= 2, clusters
assert sum(row[2] for row in sources) <= ask('SELECT count(*) FROM matches')[0][0] and sources, sources
assert ask('SELECT count(*) FROM records') == [(79,)] and ask('SELECT number FROM deleted') == [(6,)]
assert ask('SELECT records, texts, deleted, next FROM state') == [(79, 79, 1, 81)], ask('SELECT * FROM state')
assert ask("SELECT text FROM texts JOIN records USING(number) WHERE id = 'd7'")[0][0].endswith('记者报道')
assert ask("SELECT value FROM facts WHERE name = 'threshold'") == [('8',)]
END
exit $bad
