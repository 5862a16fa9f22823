#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# --encoding for lines, tables and JSON: files in several encodings, larger than a block, give what Python decodes; a sequence that is none is named with
# its line and its byte in the file, as Python's decoder finds it; a directory of several encodings is read by guesses that are counted, and what is in
# none of them is left out.
. tests/support.sh
cd "$work" || exit 1
cat >make.py <<'PYTHON'
import csv, io, json, random, sys
random.seed(7)
HAN = {'gb18030': '的一是不了人我在有他这中大来上国説灣👍', 'big5': '的一是不了人我在有他這中大來上國說灣', 'utf-16': '的一這中𠮷大👍é', 'utf-16-be': '這中𠮷大', 'utf-32': '這𠮷', 'shift_jis': 'あ表ソ予能', 'gb18030-long': '𠮷𡈽的'}
def text(serial, signs): return 'T%d ' % serial + ''.join(random.choice(signs + ' ,"\n') for _ in range(random.randrange(40))) + '.'
for name, signs in HAN.items():
    encoding = name.split('-long')[0]
    texts = [text(i, signs) for i in range(15000 if name == 'gb18030' else 200)]
    table = io.StringIO(newline=''); w = csv.writer(table); w.writerow(['id', 'text']); w.writerows([str(i), t] for i, t in enumerate(texts))
    lines = [t.replace('\n', ' ') for t in texts]
    files = {'csv': table.getvalue(), 'txt': ''.join(l + '\n' for l in lines),
             'jsonl': ''.join(json.dumps({'id': str(i), 'text': t}, ensure_ascii=False) + '\n' for i, t in enumerate(texts))}
    for ending, content in files.items(): open('%s.%s' % (name, ending), 'wb').write(content.encode(encoding))
    json.dump({'csv': texts, 'txt': lines, 'jsonl': texts}, open(name + '.want', 'w'))
# Bytes that are nothing, put between lines and within one; where Python's decoder stops.
for name, bad in (('gb18030', b'\x81'), ('gb18030', b'\xff'), ('big5', b'\x81\x20'), ('shift_jis', b'\x85\x7f')):
    raw = open(name + '.txt', 'rb').read()[:3000].rsplit(b'\n', 1)[0] + b'\n'
    good = raw + b'abc ' + bad + b' def\nmore\n'
    try: good.decode(name); sys.exit('Python takes %r' % bad)
    except UnicodeDecodeError as e: print('%s %d %d' % (name, good[:e.start].count(b'\n') + 1, e.start))
    open('bad_%s_%s.txt' % (name, bad.hex()), 'wb').write(good)
PYTHON
python3 make.py >bad_places || exit 1
same() { # NAME ENDING ENCODING; the texts are on standard input or in the file
    "$fplab" import --encoding "$3" --from "$4" "${5:-$1.$2}" --out got >told 2>err || { complain "$1.$2 as $3: $(cat err)"; return; }
    python3 - "$1" "$2" <<'PYTHON' || complain "$1.$2 as $3: other texts: $(cat why)"
import json, sys
want = json.load(open(sys.argv[1] + '.want'))[sys.argv[2]]
got = [json.loads(line)['text'] for line in open('got/docs.jsonl', encoding='utf-8')]
if got != want: open('why', 'w').write(repr([(g, w) for g, w in zip(got, want) if g != w][:1] or (len(got), len(want)))); sys.exit(1)
PYTHON
}
while read -r name encoding; do
    same "$name" txt "$encoding" lines; same "$name" csv "$encoding" csv; same "$name" jsonl "$encoding" jsonl
done <<'NAMES'
gb18030 gb18030
gb18030-long gb18030
big5 big5
utf-16 utf-16
utf-16-be utf-16be
utf-32 utf-32
shift_jis shift_jis
utf-16 auto
gb18030 auto
big5 auto
NAMES
gzip -c utf-16.csv >packed.csv.gz; same utf-16 csv utf-16 csv packed.csv.gz
same gb18030 jsonl gb18030 jsonl - <gb18030.jsonl
cat utf-16.txt | same utf-16 txt auto lines -
printf '\xef\xbb\xbfid,text\n1,\xe4\xb8\x80\n' >marked.csv # a mark is no text, whoever names the encoding
for encoding in utf-8 auto; do "$fplab" import --encoding $encoding marked.csv --out got >told 2>err && grep -qxF '{"id":"1","text":"一"}' got/docs.jsonl || complain "a mark, $encoding: $(cat err)"; done

# ---- What is in no encoding ----
while read -r name line byte && read -r file <&3; do
    refused 1 "$file:$line: invalid " "$fplab" import --encoding "$name" --from lines "$file" --out x
    grep -qF "(byte $byte)" err || complain "$file: not byte $byte: $(cat err)"
    "$fplab" import --encoding "$name" --from lines "$file" --skip-bad --out x -f tsv >told 2>err && grep -qP '^bad rows, left out\t1$' told && tail -n 1 x/docs.jsonl | grep -q '"more"' || complain "$file: $(cat err told)"
done <bad_places 3< <(printf '%s\n' bad_gb18030_81.txt bad_gb18030_ff.txt bad_big5_8120.txt bad_shift_jis_857f.txt)
{ printf 'id,te'; printf '\x81,'; printf 'xt\n1,a\n'; } >head.csv
refused 1 'head.csv:1: invalid windows-950-2000 (byte 5)' "$fplab" import --encoding big5 head.csv --out y
{ printf '{"id": "1", "text": "'; printf '汉字' | iconv -t gb18030; printf '"}\n{"id": "2", "text": 7}\n'; } >wrong.jsonl
refused 1 'wrong.jsonl:2: ' "$fplab" import --encoding gb18030 wrong.jsonl --out y
grep -q byte err && complain "a byte of a file that was converted: $(cat err)"
refused 2 'the encoding gb18031 is unknown; did you mean gb18030?' "$fplab" import --encoding gb18031 wrong.jsonl --out y

# ---- A directory of several ----
mkdir mixed; han='这是一段足够长的中文文字，用来让人猜出它的编码。今天下雨，明天晴。'
for i in 1 2 3; do printf '%s\n' "$i。$han" >mixed/u$i.txt; done
for i in 1 2; do printf '%s\n' "$i。$han" | iconv -t gb18030 >mixed/g$i.txt; done
printf '{"id":"j","text":"%s"}\n' "$han" | iconv -t utf-16 >mixed/j.jsonl
printf '\0\1\2' >mixed/z.txt
refused 1 'mixed/g1.txt:1: invalid UTF-8 (byte 1)' "$fplab" import mixed --out y
[ -e y ] && complain "a refused import wrote something"
"$fplab" import mixed --encoding auto --skip-bad --out y -f tsv >told 2>err || complain "mixed: $(cat err)"
[ "$(grep -c "$han" y/docs.jsonl)" = 6 ] && grep -qP '^bad rows, left out\t1$' told || complain "mixed: $(cat told y/docs.jsonl)"
sort err | cmp -s - <(printf '%s\n' 'fplab: 1 file read as UTF-16LE' 'fplab: 2 files read as GB18030' 'fplab: 3 files read as UTF-8' 'fplab: left out: mixed/z.txt: a NUL byte; this is not a text (byte 0)') || complain "mixed: $(cat err)"
exit $bad
