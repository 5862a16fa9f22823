#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What cannot be read in one way is refused, with its file, line and byte: corpora, manifests, choices, plug-ins, settings.
. tests/support.sh
example=$(realpath examples/rarest.c)
include=$(realpath include)
cd "$work" || exit 1

# refused STATUS LINE COMMAND…: ends with that status and says that line, and nothing else.
refused() {
    local status=$1 line=$2; shift 2
    "$@" >out 2>err
    local got=$?
    [ $got = "$status" ] && [ "$(cat err)" = "fplab: $line" ] && [ ! -s out ] || complain "$*: status $got instead of $status, \"$(cat err)\" instead of \"fplab: $line\""
}

# ---- docs.jsonl: the document at fault is the second of three. The first takes 26 bytes.
first='{"id":"a","text":"x澳y"}'
last='{"id":"c","text":"z"}'
mkdir -p docs pairs
documents() { printf '%s\n%b\n%s\n' "$first" "$1" "$last" >docs/docs.jsonl; }
document() { # document 'ROW' BYTE 'WORDS': BYTE is counted from the beginning of the row
    documents "$1"
    refused 1 "docs/docs.jsonl:2: $3 (byte $((26 + $2)))" "$fplab" corpus check docs
    "$fplab" corpus check docs --skip-bad >out 2>err && complain "--skip-bad: $1: $(cat err)"
    grep -q '^documents  *2$' out || complain "--skip-bad keeps two documents: $1"
    grep -qxF "fplab: skipped docs/docs.jsonl:2: $3 (byte $((26 + $2)))" err && grep -q ': skipped 1 bad row$' err || complain "--skip-bad does not say $3: $(cat err)"
}
[ "$(printf '%s\n' "$first" | wc -c)" = 26 ] || complain "the first document does not take 26 bytes"
document '{"id":"b","text":"y","text":"z"}' 21 'duplicate key "text"'
document '{"id":"b","text":"y","note":1,"n\\u006fte":1}' 30 'duplicate key "note"'
document '{"id":"b","text":null}' 17 '"text" is null, not a string'
document '{"id":"b","text":7}' 17 '"text" is not a string'
document '{"id":"b","text":"y","group":["g"]}' 29 '"group" is not a string'
document '{"id":"b"}' 0 'the document has no "text"'
document '{"text":"y"}' 0 'the document has no "id"'
document '{"id":"","text":"y"}' 6 'the document has no "id"'
document '{"id":null,"text":"y"}' 6 'the document has no "id"'
document '{"id":7,"text":"y"}' 6 '"id" is not a string'
document '{"id":"a","text":"y"}' 6 'duplicate id a'
document '{"id":"\\u0061","text":"y"}' 6 'duplicate id a'
document '{"id":"b\\n","text":"y"}' 6 'the id holds a line end'
document '{"id":"b\\r","text":"y"}' 6 'the id holds a carriage return'
document '{"id":"b\\t","text":"y"}' 6 'the id holds a tab'
document '{"id":"b\\u0000","text":"y"}' 6 'the id holds a NUL'
document '{"id":"b","text":"y\\ud83d"}' 19 '\ud83d is half of a surrogate pair, not a character'
document '{"id":"b","text":"y\\udc00"}' 19 '\udc00 is half of a surrogate pair, not a character'
document '{"id":"b","text":"y"} {}' 22 'not JSON: something follows the value'
document '{"id":"b","text":"y"},' 21 'not JSON: something follows the value'
document '{"id":"b","text":"y","n":NaN}' 25 'not JSON: NaN is not a JSON number'
document '{"id":"b","text":"y","n":-Infinity}' 25 'not JSON: -Infinity is not a JSON number'
document '{"id":"b","text":"y","n":01}' 26 'not JSON: a comma or } is expected'
document '{"id":"b","text":"y"' 20 'not JSON: the value is cut short'
document '{"id":"b","text":"a\tb"}' 19 'not JSON: the control character U+0009 in a string is not escaped'
document '{"id":"b","text":"a\x00b"}' 19 'not JSON: the control character U+0000 in a string is not escaped'
document '{"id":"b","text":"\xe6\xbe"}' 18 'invalid UTF-8'
document '[1]' 0 'a document is a JSON object'

# The byte counts in what was packed.
documents '{"id":"b","text":null}' && gzip docs/docs.jsonl
refused 1 'docs/docs.jsonl.gz:2: "text" is null, not a string (byte 43)' "$fplab" corpus check docs
rm docs/docs.jsonl.gz

# Of line ends, \r\n is one.
printf '%s\r\n' "$first" '{"id":"b","text":NaN}' >docs/docs.jsonl
refused 1 'docs/docs.jsonl:2: not JSON: NaN is not a JSON number (byte 44)' "$fplab" corpus check docs

# A byte order mark, before a document, a pair and a manifest.
printf '\xef\xbb\xbf%s\n%s\n' "$first" "$last" >docs/docs.jsonl
refused 1 'docs/docs.jsonl:1: not JSON: a byte order mark (EF BB BF) precedes the value (byte 0)' "$fplab" corpus check docs

# ---- pairs.tsv
printf '%s\n' "$first" '{"id":"b","text":"y"}' "$last" >pairs/docs.jsonl
pair() { # pair 'ROW' BYTE 'WORDS', behind a row of 6 bytes
    printf 'a\tb\t1\n%b\nb\tc\t0\n' "$1" >pairs/pairs.tsv
    refused 1 "pairs/pairs.tsv:2: $3 (byte $((6 + $2)))" "$fplab" corpus check pairs
    "$fplab" corpus check pairs --skip-bad >out 2>err && complain "--skip-bad: $1"
    grep -q '^labelled pairs  *2$' out && grep -q 'skipped 1 bad row' err || complain "--skip-bad: two pairs of $1: $(cat err)"
}
pair 'a\td\t1' 2 'a pair names the unknown id d'
pair 'd\ta\t1' 0 'a pair names the unknown id d'
pair 'a\tc\x00\t1' 2 'the id holds a NUL'
pair 'a\rb\tc\t1' 0 'the id holds a carriage return'
pair 'a\ta\t1' 2 'a document is paired with itself'
pair 'a\tc\t2' 4 'the label "2" is neither 0 nor 1'
pair 'a\tc' 0 'expected id_a, id_b, label and an optional kind, separated by tabs'
pair 'a\tc\t1\tkind\tmore' 0 'expected id_a, id_b, label and an optional kind, separated by tabs'
pair 'a\tc\t1\t\xff' 6 'invalid UTF-8'
printf '\xef\xbb\xbfa\tb\t1\nb\tc\t0\n' >pairs/pairs.tsv
refused 1 'pairs/pairs.tsv:1: a byte order mark (EF BB BF) precedes the first id (byte 0)' "$fplab" corpus check pairs
rm pairs/pairs.tsv

# ---- MANIFEST.json
manifest() { # manifest 'CONTENT' LINE BYTE 'WORDS'
    printf '%b' "$1" >pairs/MANIFEST.json
    refused 1 "pairs/MANIFEST.json:$2: $4 (byte $3)" "$fplab" corpus check pairs
}
manifest '[]' 1 0 'a manifest is a JSON object'
manifest '\n"manifest"\n' 2 1 'a manifest is a JSON object'
manifest '{\n"name": 7}' 2 10 '"name" is not a string'
manifest '{"counts": 3}' 1 11 '"counts" is not an object'
manifest '{"counts":\n{"documents": "3"}}' 2 25 '"documents" is not a number'
manifest '{"counts": {"documents": -3}}' 1 25 '"documents" is not a count'
manifest '{"counts": {"documents": 2.5}}' 1 25 '"documents" is not a count'
manifest '{"counts": {"documents": 1e999}}' 1 25 '"documents" is out of range: 1e999'
manifest '{"sha256": []}' 1 11 '"sha256" is not an object'
manifest '{"sha256": {"docs.jsonl": 7}}' 1 26 '"docs.jsonl" is not a string'
manifest '{"name": "a",\n"name": "b"}' 2 14 'duplicate key "name"'
manifest '{}\n{}' 2 3 'not JSON: something follows the value'
manifest '\xef\xbb\xbf{}' 1 0 'not JSON: a byte order mark (EF BB BF) precedes the value'
manifest '' 1 0 'not JSON: the value is cut short'
rm pairs/MANIFEST.json

# ---- A choice
printf '%s\n' '{"id":"d","text":"x澳y","group":"g"}' '{"id":"e","text":"y","group":"g"}' '{"id":"f","text":"z","group":"h"}' >docs/docs.jsonl
choice() { # choice 'THRESHOLD AND MORE' BYTE 'WORDS'
    printf '{"arm":"simhash","name":"s","scale":"bits of 64","objective":"F1",\n%b}\n' "$1" >choice.json
    refused 1 "choice.json:2: $3 (byte $2)" "$fplab" eval -c docs --choice choice.json
}
choice '"threshold":1e999' 79 '"threshold" is out of range: 1e999'
choice '"threshold":-1e999' 79 '"threshold" is out of range: -1e999'
choice '"threshold":-1' 79 'the threshold -1 is not a distance'
choice '"threshold":3,"threshold":4' 81 'duplicate key "threshold"'
choice '"threshold":3,"min_precision":1e999' 97 '"min_precision" is out of range: 1e999'
choice '"threshold":3,"corpus":[]' 90 '"corpus" is not an object'
choice '"threshold":3,"corpus":{"name":"c","sha256":{"documents":"d"}},"held_out":7' 141 '"held_out" is not an object'
choice '"threshold":3,"corpus":{"name":"c","sha256":{"documents":"d"}},"held_out":{"recall":{"low":1e400}}' 158 '"low" is out of range: 1e400'

# ---- A plug-in twice, by one path and by another
cc=${CC:-gcc}
$cc -std=c17 -shared -fPIC -I"$include" -o rarest.so "$example" && cp rarest.so copy.so || complain "the example does not build"
refused 1 './rarest.so: the plug-in is called rarest, like that of rarest.so' "$fplab" algorithms --plugin rarest.so --plugin ./rarest.so
refused 1 'copy.so: the plug-in is called rarest, like that of rarest.so' "$fplab" algorithms --plugin rarest.so --plugin copy.so
"$fplab" algorithms --plugin rarest.so >out 2>err && [ ! -s err ] || complain "one plug-in: $(cat err)"

# ---- FPLAB_CPU
for level in nonsense AVX2 'avx2 ' avx5; do
    FPLAB_CPU=$level refused 2 "FPLAB_CPU=$level is not a level of the processor; it takes portable, avx2 or avx512" "$fplab" compare --text a b
done
for level in portable avx2 avx512 ''; do
    FPLAB_CPU=$level "$fplab" compare --text 甲 乙 >out 2>err && [ ! -s err ] || complain "FPLAB_CPU=$level: $(cat err)"
done

# ---- Files that cannot be read
mkdir -p unread/docs.jsonl
refused 1 'unread/docs.jsonl: cannot read: Is a directory' "$fplab" corpus check unread
rmdir unread/docs.jsonl && printf '%s\n' "$first" >unread/docs.jsonl
for file in pairs.tsv MANIFEST.json; do
    mkdir unread/$file
    refused 1 "unread/$file: cannot read: Is a directory" "$fplab" corpus check unread
    rmdir unread/$file
done
chmod 000 unread/docs.jsonl
if [ "$(id -u)" = 0 ]; then echo "skipped: a file without permission: root may read it"
else refused 1 'unread/docs.jsonl: cannot open: Permission denied' "$fplab" corpus check unread; fi

# ---- Documents changed at random: one is taken exactly where Python's json takes it and the rules above are kept.
cat >mutate.py <<'PYTHON'
import json, random, re, subprocess, sys

fplab, seed = sys.argv[1], 20240607
generator = random.Random(seed)
starts = ['{"id":"%d","text":"a\\u6fb3\\ud83d\\ude00b","n":[1,-0.5e+3,true,null,{}],"o":{"k":""}}',
          ' {"text": "澳\\n\\"\\", "id": "%d", "lang": null} ', '{"id":"%d","text":"","e":[[],{"a":[0]}],"x":1E5}']
pieces = ['"', '\\', '{', '}', '[', ']', ',', ':', 'null', 'true', 'NaN', '0', '1', '-', '.', 'e', '+', ' ', '\t', '\\u',
          '\\ud83d', '\\ude00', '\\u0000', '澳', '"id":', '"k":1,', '\x01', '\r', '\u2028', '"text":null']

def mutate(row):
    for _ in range(generator.choice([0, 0, 1, 1, 1, 2])):
        at = generator.randrange(len(row) + 1)
        until = min(len(row), at + generator.choice([0, 0, 1, 1, 2, 6]))
        row = row[:at] + generator.choice(pieces + ['']) + row[until:]
    return row

def no_constant(name):
    raise ValueError(name)

def members(pairs):
    names = [name for name, _ in pairs]
    if len(set(names)) < len(names):
        raise ValueError('twice')
    return dict(pairs)

# Python reads half a surrogate pair as a character; it cannot write it.
def taken(row, ids):
    try:
        value = json.loads(row, parse_constant=no_constant, object_pairs_hook=members)
        json.dumps(value, ensure_ascii=False).encode('utf-8')
    except ValueError:
        return False
    if not isinstance(value, dict) or not isinstance(value.get('text'), str) or not isinstance(value.get('id'), str):
        return False
    if not value['id'] or re.search('[\t\n\r\0]', value['id']) or value['id'] in ids:
        return False
    if not all(isinstance(value.get(name), (str, type(None))) for name in ('lang', 'group')):
        return False
    ids.add(value['id'])
    return True

rows = [mutate(generator.choice(starts) % number) for number in range(20000)]
rows = [row for row in rows if row.strip('\r')]
with open('docs/docs.jsonl', 'w', encoding='utf-8', newline='') as file:
    file.writelines(row + '\n' for row in rows)
ids = set()
expected = {number for number, row in enumerate(rows, 1) if not taken(row[:-1] if row.endswith('\r') else row, ids)}
run = subprocess.run([fplab, 'corpus', 'check', 'docs', '--skip-bad'], capture_output=True)
said = run.stderr.decode('utf-8', 'replace')
found = {int(number) for number in re.findall(r'docs/docs\.jsonl:(\d+): ', said)}
print('%d of %d rows are refused' % (len(expected), len(rows)))
for number in sorted(expected ^ found)[:5]:
    print('FAIL: row %d is %s: %r' % (number, 'taken' if number in expected else 'refused', rows[number - 1]))
sys.exit(run.returncode != 1 or expected != found or not 5000 < len(expected) < 18000)
PYTHON
python3 mutate.py "$fplab" || complain "documents changed at random"
exit $bad
