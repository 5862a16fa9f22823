#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Texts in every form that the lab reads, compared with what Python's csv, json, gzip and html make of the same files: random tables with quotes,
# line ends and separators in their fields; directories with links that go in circles; web archives with chunked, packed and foreign answers. What
# is wrong is named in a line, and left out and counted with --skip-bad.
. tests/support.sh
cd "$work" || exit 1
cat >make.py <<'PYTHON'
import csv, gzip, io, json, random, zlib
random.seed(20240501)
PIECES = ['甲', '乙丙', ' ', ',', ';', '"', '""', '\n', '\r\n', 'a b', "'", '，', '\t', '= 1', '👍', '\u3000']
def text(serial): return 'T%d ' % serial + ''.join(random.choice(PIECES) for _ in range(random.randrange(12))) + '.'
def table(name, count, **how):
    rows = [(str(i), text(i), random.choice(['', 'x', 'a "b"', 'q,r'])) for i in range(count)]
    with open(name, 'w', newline='', encoding='utf-8') as out:
        w = csv.writer(out, **how); w.writerow(['id', 'text', 'title']); w.writerows(rows)
    with open(name + '.want', 'w', encoding='utf-8') as out:
        for a, b, c in rows: out.write(json.dumps([a, b, c], ensure_ascii=False) + '\n')
table('commas.csv', 20000)
table('all.csv', 300, quoting=csv.QUOTE_ALL, lineterminator='\n')
table('semicolons.csv', 300, delimiter=';')
table('tabs.tsv', 300, delimiter='\t')
table('commas2.csv', 2000)
with gzip.open('commas2.csv.gz', 'wb') as out: out.write(open('commas2.csv', 'rb').read())
open('commas2.csv.gz.want', 'w').write(open('commas2.csv.want').read())

# A web archive, a gzip member a record, as crawlers write them.
def record(kind, uri, block, content_type, serial):
    head = ('WARC/1.0\r\nWARC-Type: %s\r\nWARC-Record-ID: <urn:uuid:%d>\r\nWARC-Target-URI: %s\r\nWARC-Date: 2024-05-%02dT00:00:00Z\r\n'
            'Content-Type: %s\r\nContent-Length: %d\r\n\r\n' % (kind, serial, uri, serial, content_type, len(block)))
    return head.encode() + block + b'\r\n\r\n'
def answer(body, *headers, status='200 OK'):
    return ('HTTP/1.1 %s\r\n%s\r\n' % (status, ''.join(h + '\r\n' for h in headers))).encode() + body
def page(words): return ('<html><head><title>t</title></head><body><p>%s</p></body></html>' % words).encode()
def chunked(body): return b''.join(b'%x;x=1\r\n%s\r\n' % (len(body[i:i + 7]), body[i:i + 7]) for i in range(0, len(body), 7)) + b'0\r\n\r\n'
deflate = zlib.compressobj(9, zlib.DEFLATED, -15)
bare = deflate.compress(page('裸的')) + deflate.flush()
HTTP = 'application/http; msgtype=response'
records = [
    record('warcinfo', '', b'software: x\r\n', 'application/warc-fields', 1),
    record('request', 'http://a/', b'GET / HTTP/1.1\r\n\r\n', 'application/http; msgtype=request', 2),
    record('response', 'http://a/', answer(page('一般的页面'), 'Content-Type: text/html; charset=utf-8'), HTTP, 3),
    record('response', 'http://b/', answer(chunked(page('分块的页面')), 'content-type: text/html', 'Transfer-Encoding: chunked'), HTTP, 4),
    record('response', 'http://c/', answer(gzip.compress(page('压缩的页面')), 'Content-Type: text/html', 'Content-Encoding: gzip'), HTTP, 5),
    record('response', 'http://d/', answer(bare, 'Content-Type: text/html', 'Content-Encoding: deflate'), HTTP, 6),
    record('response', 'http://e/', answer(zlib.compress(page('齐全的')), 'Content-Type: text/html', 'Content-Encoding: deflate'), HTTP, 7),
    record('response', 'http://f/', answer('<html><head><meta charset="utf-8"></head><body>国标的页面'.encode('gb18030'), 'Content-Type: text/html; charset="GBK"'), HTTP, 8),
    record('response', 'http://g/', answer(page('没有找到'), 'Content-Type: text/html', status='404 Not Found'), HTTP, 9),
    record('response', 'http://h/', answer(b'\x89PNG', 'Content-Type: image/png'), HTTP, 10),
    record('response', 'http://i/', answer(page('已经拼好'), 'Content-Type: text/html', 'Transfer-Encoding: chunked'), HTTP, 11),
    record('conversion', 'http://j/', '纯文本\n两行'.encode(), 'text/plain', 12),
    record('response', 'http://k/', answer('纯文本答复'.encode('big5', 'ignore'), 'Content-Type: text/plain; charset=big5'), HTTP, 13),
]
want = {3: '一般的页面', 4: '分块的页面', 5: '压缩的页面', 6: '裸的', 7: '齐全的', 8: '国标的页面', 11: '已经拼好', 12: '纯文本\n两行', 13: '纯文本答复'.encode('big5', 'ignore').decode('big5')}
open('a.warc', 'wb').write(b''.join(records))
with open('a.warc.gz', 'wb') as out:
    for r in records: out.write(gzip.compress(r))
json.dump(want, open('warc.want', 'w'))
open('cut.warc', 'wb').write(b''.join(records)[:-40])
open('none.warc', 'wb').write(b'no archive\n' + records[2])
open('br.warc', 'wb').write(record('response', 'http://a/', answer(b'x', 'Content-Type: text/html', 'Content-Encoding: br'), HTTP, 1) + records[2])
PYTHON
python3 make.py || exit 1

# ---- Tables ----
compare() { # FILE OPTION…
    "$fplab" dedup -a exact -d 0 "$@" >got 2>err || complain "$*: $(cat err)"
    python3 - "$1.want" <<'PYTHON' || complain "$*: other texts: $(head -n 2 why)"
import json, sys
got = [json.loads(line) for line in open('got', encoding='utf-8')]
want = [json.loads(line) for line in open(sys.argv[1], encoding='utf-8')]
for g, w in zip(got, want):
    if [g['id'], g['text'], g.get('title', '')] != w: open('why', 'w').write('%r\n%r\n' % (g, w)); sys.exit(1)
if len(got) != len(want): open('why', 'w').write('%d rows, not %d\n' % (len(got), len(want))); sys.exit(1)
PYTHON
}
for threads in 1 3; do OMP_NUM_THREADS=$threads compare commas.csv; done
compare commas2.csv.gz
compare all.csv
compare semicolons.csv --separator ';'
compare tabs.tsv
cp commas2.csv table; cp commas2.csv.want table.want
compare table --from csv
printf 'x\ty\n"一\t"1\n二"\t2\n' >raw.tsv
"$fplab" dedup -a exact -d 0 --columns id,text --no-quotes --from tsv raw.tsv >got 2>err || complain "no quotes: $(cat err)"
cmp -s got - <<'WANT' || complain "no quotes: $(cat got)"
{"id":"x","text":"y"}
{"id":"\"一","text":"\"1"}
{"id":"二\"","text":"2"}
WANT
printf '编号,正文,时间\n7,文章,2024-05-01\n' >fields.csv
"$fplab" dedup -a exact -d 0 --id 编号 --text 正文 --time 时间 fields.csv >got 2>err || complain "fields: $(cat err)"
grep -qF '{"编号":"7","正文":"文章","时间":"2024-05-01"}' got || complain "fields: $(cat got)"
printf '{"n":7,"body":"文章"}\n{"n":"八","body":"另一篇"}\n' >fields.jsonl
"$fplab" dedup -a exact -d 0 --id n --text body fields.jsonl >got 2>err && cmp -s got fields.jsonl || complain "members: $(cat err got)"

printf 'id,text\n1,"open\n2,b\n' >open.csv
refused 1 'open.csv:2: a quote that is not closed (byte 10)' "$fplab" dedup -a exact -d 0 open.csv
printf 'id,text\n1,"a" b\n2,c\n3\n4,e\n' >rows.csv
refused 1 'rows.csv:2: characters after a closing quote (byte 13)' "$fplab" dedup -a exact -d 0 rows.csv
"$fplab" dedup -a exact -d 0 --skip-bad rows.csv >got 2>err || complain "skip-bad: $(cat err)"
[ "$(wc -l <got)" = 2 ] && grep -q '^2 bad lines were left out' err && grep -qF 'left out: rows.csv:4: a row of 1 field, where there are 2 columns' err || complain "skip-bad: $(cat err)"
refused 1 'no column is called "body" (--text names another): there are id, text' "$fplab" dedup -a exact -d 0 --text body rows.csv
printf 'text,text\na,b\n' >twice.csv
refused 1 'two columns are called "text"' "$fplab" dedup -a exact -d 0 twice.csv
refused 2 '--separator takes' "$fplab" dedup -a exact -d 0 --separator '|' rows.csv
{ printf 'id,text\n1,"'; head -c 3000000 /dev/zero | tr '\0' x; printf '\n'; } >endless.csv
refused 1 'endless.csv:2: a line of more than 1048576 bytes' "$fplab" dedup -a exact -d 0 --max-size 1M endless.csv
seq 1 20000 >long.txt # a file may be as long as it likes where its lines are short
"$fplab" dedup -a exact -d 0 --max-size 9 long.txt 2>err | tail -n 1 | grep -qx 20000 || complain "a long file of short lines: $(cat err)"
head -c 200 commas2.csv.gz >short.csv.gz
refused 1 'short.csv.gz: ' "$fplab" dedup -a exact -d 0 short.csv.gz

# ---- The same records in every form, by every way, are the same texts ----
python3 - <<'PYTHON'
import csv, gzip, json
rows = [(str(i), '第%d版：今天下午，临江大桥恢复通车。' % (i // 3), 'a "b", c' if i % 2 else '') for i in range(3000)]
objects = ''.join(json.dumps({'id': i, 'title': t, 'text': x}, ensure_ascii=False) + '\n' for i, x, t in rows)
open('same.jsonl', 'w').write(objects); open('same', 'w').write(objects); open('same.txt', 'w').write('\n' + objects)
for name, separator in ('same.csv', ','), ('same.tsv', '\t'), ('same_semicolons', ';'):
    with open(name, 'w', newline='') as out: csv.writer(out, delimiter=separator).writerows([('id', 'text', 'title'), *rows])
for name in 'same', 'same.csv': gzip.open(name + '_packed', 'wb').write(open(name, 'rb').read())
PYTHON
zstd -q same.jsonl -o same_zst 2>/dev/null || cp same.jsonl same_zst
mkfifo pipe
ids() { "$fplab" dedup -a exact -d 0 "$@" 2>err | python3 -c 'import json, sys
for line in sys.stdin: print(json.loads(line)["id"])' >ids && cmp -s ids ids.want || complain "dedup $*: $(wc -l <ids) texts and not $(wc -l <ids.want): $(cat err)"; }
seq 0 3 2999 >ids.want
noted() { grep -q "^fplab: $1: read as jsonl, by its first lines; --from lines takes each line as a text\$" err || complain "not said of $1: $(cat err)"; }
ids same.jsonl; grep -q 'read as' err && complain "said of a name that says it: $(cat err)"
for file in same same.txt same_packed same_zst; do ids $file; noted $file; ids - <$file; noted 'standard input'; done
cat same.jsonl | ids; cat same_packed | ids -
{ head -c 1000 same; sleep 0.2; tail -c +1001 same; } | ids; noted 'standard input'
cat same >pipe & ids pipe; noted pipe
ids same.csv; ids same.tsv; ids --from csv --separator ';' same_semicolons; ids --from csv - <same.csv; ids --from csv same.csv_packed
cp same.csv table_csv; cp same.tsv table_tsv
for each in 'same.csv_packed:csv' 'table_csv:csv' 'table_tsv:tsv' "same_semicolons:csv --separator ';'"; do
    refused 2 "${each%%:*}: looks like a table whose first row names its columns; add --from ${each#*:}, or --from lines" "$fplab" dedup -a exact -d 0 "${each%%:*}"
    refused 2 'standard input: looks like a table' sh -c '"$0" dedup -a exact -d 0 <"$1"' "$fplab" "${each%%:*}"
done
"$fplab" dedup -a exact -d 0 --from lines same 2>err | cmp -s - same || complain "--from lines takes no line as it is: $(cat err)"
"$fplab" dedup -a exact -d 0 --from lines table_csv 2>err | cmp -s - <(tr -d '\r' <table_csv) || complain "--from lines takes no row as it is: $(cat err)"
printf '{"n":"1","body":"x"}\n' >others
refused 2 'others: looks like JSON lines, but has no "text", only n, body; add --from jsonl' "$fplab" dedup -a exact -d 0 others
"$fplab" dedup -a exact -d 0 --text body --id n others 2>err | cmp -s - others || complain "--text body: $(cat err)"
# Lines that only look like it at first sight stay lines.
for line in '{{模板}}，正文' '{a, b}' '今天,天气,很好' 'Hello, world' 'a,b,c' '[1]' '{"text": "open'; do
    [ "$(printf '%s\n' "$line" | "$fplab" dedup -a exact -d 0 2>err)" = "$line" ] || complain "no line any more: $line: $(cat err)"
done

# ---- Directories ----
mkdir -p tree/sub/.git tree/b empty
printf '第一篇。\n有两行。\n' >tree/1.txt; echo 看不见 >tree/.hidden; echo 看不见 >tree/sub/.git/config.txt
printf '<title>页</title><body><nav><a href=/>首页</a></nav><p>正文在这里，是很长很长的一段话，足够长的正文不会被当成菜单。</p>' >tree/sub/p.html
printf -- '---\ntitle: "标题"\n---\n# 大标题 *强调*\n\n第一段有[链接](http://x.y)和`代码`，\n第二行 &amp; &#20013;。\n\n- 一\n- 二\n\n```c\nint x;\n\nint y;\n```\n\n<div>raw</div>\n\n![图片](a.png) <b>粗</b>\n' >tree/b/m.md
echo '{"id":"j","text":"JSON 文本"}' | gzip >tree/d.jsonl.gz
"$fplab" dedup -a exact -d 0 tree >got 2>err || complain "directory: $(cat err)"
cmp -s got - <<'WANT' || complain "directory: $(diff got - <<<'')"
{"id":"1.txt","text":"第一篇。\n有两行。\n"}
{"id":"b/m.md","title":"标题","text":"大标题 强调\n第一段有链接和代码，第二行 & 中。\n一\n二\nint x;\nint y;\n图片 粗"}
{"id":"j","text":"JSON 文本"}
{"id":"sub/p.html","title":"页","text":"正文在这里，是很长很长的一段话，足够长的正文不会被当成菜单。"}
WANT
"$fplab" dedup -a exact -d 0 --glob '*.md' tree 2>err | grep -c '"id"' | grep -qx 1 || complain "--glob: $(cat err)"
"$fplab" dedup -a exact -d 0 --glob 'sub/*' tree 2>err | grep -c '"id"' | grep -qx 1 || complain "--glob with a path: $(cat err)"
refused 1 'tree: no file here matches *.pdf' "$fplab" dedup -a exact -d 0 --glob '*.pdf' tree
refused 1 'empty: neither a corpus' "$fplab" dedup -a exact -d 0 empty
ln -s .. tree/b/loop; ln -s nowhere tree/broken; printf '\0\1\2' >tree/z.bin; printf '\271\372\261\352\n' >tree/gb.txt; printf '{"text":\n' >tree/bad.jsonl
head -c 30 tree/d.jsonl.gz >tree/cut.jsonl.gz
"$fplab" dedup -a exact -d 0 --skip-bad tree >bad_got 2>err || complain "bad files: $(cat err)"
cmp -s got bad_got || complain "bad files change the good ones: $(diff got bad_got)"
grep -q '^6 bad lines were left out' err || complain "bad files: $(cat err)"
for words in 'tree/b/loop: a symbolic link that leads back' 'tree/broken: a symbolic link that leads nowhere' 'tree/z.bin: a NUL' \
    'tree/gb.txt:1: invalid UTF-8' 'tree/bad.jsonl:1: ' 'tree/cut.jsonl.gz: '; do grep -qF "left out: $words" err || complain "not said: $words"; done
"$fplab" dedup -a exact -d 0 --glob gb.txt --encoding gb18030 tree 2>err | grep -qF '"text":"国标' || complain "--encoding: $(cat err)"
if [ "$(id -u)" != 0 ]; then
    chmod 0 tree/1.txt
    refused 1 'tree/1.txt: ' "$fplab" dedup -a exact -d 0 --glob 1.txt tree
fi

# ---- DuckDB, where its library is not (tests/deep/peers/test_duckdb.sh has it) ----
if ldconfig -p | grep -q libduckdb.so; then echo "skipped: DuckDB's library is installed, so that its absence is not told"
else refused 1 "DuckDB's library, libduckdb.so, is not where the system looks" env LD_LIBRARY_PATH= "$fplab" dedup -a exact -d 0 --from 'duckdb:SELECT 1 AS text'
    refused 1 "x.feather: DuckDB's library, libduckdb.so, is not where the system looks" env LD_LIBRARY_PATH= "$fplab" dedup -a exact -d 0 x.feather; fi

# ---- Web archives ----
for archive in a.warc a.warc.gz; do
    "$fplab" dedup -a exact -d 0 "$archive" >got 2>err || complain "$archive: $(cat err)"
    python3 - <<'PYTHON' || complain "$archive: $(cat got)"
import json, sys
want = json.load(open('warc.want'))
got = {}
for line in open('got', encoding='utf-8'):
    entry = json.loads(line)
    serial = entry['id'].rsplit(':', 1)[1]
    assert entry['time'] == '2024-05-%02dT00:00:00Z' % int(serial) and entry['url'].startswith('http://'), entry
    got[serial] = entry['text']
assert got == want, (got, want)
PYTHON
done
refused 1 'cut.warc:13: the record is cut short' "$fplab" dedup -a exact -d 0 cut.warc
refused 1 'none.warc:1: no record of a web archive' "$fplab" dedup -a exact -d 0 none.warc
refused 1 'the content encoding "br": gzip and deflate are read' "$fplab" dedup -a exact -d 0 br.warc
"$fplab" dedup -a exact -d 0 --skip-bad none.warc 2>err | grep -qF 一般的页面 || complain "none.warc: $(cat err)"
exit $bad
