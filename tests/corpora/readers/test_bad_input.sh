#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What is wrong with texts that are read, for each form that can meet it: a table of files with the exact line that the user sees. Without --skip-bad
# that line is all, exit status 1, and nothing is written; with it the line is told, counted in the summary, and the good file beside is read.
. tests/support.sh
chmod 755 "$work"
cd "$work" || exit 1
python3 - <<'PYTHON' || exit 1
import gzip, json, os, random, subprocess, zlib
random.seed(3)
def put(name, data):
    os.makedirs(os.path.dirname(name) or '.', exist_ok=True)
    open(name, 'wb').write(data if isinstance(data, bytes) else data.encode())
put('good.jsonl', '{"id":"good","text":"A good one."}\n')
put('cut.jsonl', '{"id":"1","text":"a"}\n{"id":"2","text":"b"\n')
put('comma.jsonl', '{"id":"1","text":"a",}\n')
put('missing.jsonl', '{"id":"1","body":"a"}\n')
put('number.jsonl', '{"id":"1","text":7}\n')
put('array.jsonl', '[1,2]\n')
put('twice.jsonl', '{"id":"1","text":"a","text":"b"}\n')
put('tab.jsonl', '{"id":"a\\tb","text":"x"}\n')
put('end.jsonl', '{"id":"a\\nb","text":"x"}\n')
put('long.jsonl', '{"id":"1","text":"%s"}\n{"id":"2","text":"short"}\n' % ('x' * 3000000))
put('long.txt', 'x' * 3000000 + '\nshort\n')
put('longest.txt', 'x' * 3000000)
put('long.csv', 'id,text\n1,%s\n2,short\n' % ('x' * 3000000))
put('open.csv', 'id,text\n1,"a\n2,b\n')
put('endless.csv', 'id,text\n1,"a\n2,%s\n3,b\n' % '\n'.join('b' * 99 for i in range(22000)))
put('behind.csv', 'id,text\n1,"a" b\n2,c\n')
put('fields.csv', 'id,text\n1\n2,c\n')
put('head.csv', 'id,body\n1,a\n')
put('tab.csv', 'id,text\n"a\tb",x\n2,c\n')
put('end.csv', 'id,text\n"a\nb",x\n2,c\n')
put('open.tsv', 'id\ttext\n1\t"a\n2\tb\n')
put('bytes.txt', b'good\n\xff\xfe bad\n')
put('bytes.csv', b'id,text\n1,\xff\n2,c\n')
put('bytes.jsonl', b'{"id":"1","text":"\xff"}\n')
put('nul.d/a.txt', b'a\0b')
put('mixed.d/a.txt', '汉字'.encode('gb18030'))
put('tab.d/a\tb.txt', 'x')
put('end.d/a\nb.txt', 'x')
put('deep.html', '<div>' * 100001 + 'deep')
put('page.d/deep.html', '<div>' * 100001 + 'deep')
open('wide.html', 'wb').truncate(100000001)
lines = ''.join('{"id":"%d","text":"%030x"}\n' % (i, random.getrandbits(120)) for i in range(20000)).encode()
packed = gzip.compress(lines)
zst = subprocess.run(['zstd', '-q', '-c', '--check'], input=lines, capture_output=True, check=True).stdout
put('cut.jsonl.gz', packed[:-9])
put('none.jsonl.gz', b'this is no gzip file')
put('behind.jsonl.gz', gzip.compress(b'{"id":"1","text":"a"}\n') + b'more')
put('cut.lines', '%d %d\n' % (zlib.decompressobj(31).decompress(packed[:-9]).count(b'\n') + 1,
    subprocess.run(['zstd', '-q', '-d', '-c'], input=zst[:-9], capture_output=True).stdout.count(b'\n') + 1))
put('sum.jsonl.gz', packed[:-8] + bytes([packed[-8] ^ 1]) + packed[-7:])
put('cut.jsonl.zst', zst[:-9])
put('sum.jsonl.zst', zst[:-1] + bytes([zst[-1] ^ 1]))
zeros = bytes(40 << 20)
put('bomb.jsonl.gz', gzip.compress(zeros, 9))
put('bomb.txt.gz', gzip.compress(zeros, 9))
put('bomb.csv.zst', subprocess.run(['zstd', '-q', '-c', '-19'], input=zeros, capture_output=True, check=True).stdout)
put('bomb.d/a.txt.zst', open('bomb.csv.zst', 'rb').read())
put('bomb.html.gz', gzip.compress(zeros, 9))
os.makedirs('loop.d/sub'); os.symlink('..', 'loop.d/sub/back'); put('loop.d/a.txt', 'x')
os.makedirs('gone.d'); os.symlink('nowhere', 'gone.d/a.txt')
PYTHON
mkdir -p warc
printf 'no archive at all\n' >none.warc
printf 'WARC/1.0\r\nWARC-Type: response\r\nContent-Length: 500\r\n\r\nshort' >cut.warc

# (Where a checksum of Zstandard is wrong, its library keeps the last piece to itself.)
# bad_input FILES BAD DOCUMENTS LINE: `BAD` rows or files are left out and `DOCUMENTS` are read, the good one among them; options stand before the files.
number=0
bad_input() {
    local files=$1 left=$2 read=$3 line=$4
    number=$((number + 1))
    # shellcheck disable=SC2086
    "$fplab" import $files good.jsonl --quiet --out never >out 2>err </dev/null
    local status=$?
    [ $status = 1 ] && [ ! -s out ] && [ "$(cat err)" = "fplab: $line" ] || complain "$files: status $status: $(cat err)"
    [ -e never ] && { complain "$files: something was written"; rm -r never; }
    # shellcheck disable=SC2086
    "$fplab" import $files good.jsonl --skip-bad --out got -f tsv >out 2>err </dev/null || { complain "$files --skip-bad: $(cat err)"; return; }
    grep -qxF "fplab: left out: $line" err || complain "$files --skip-bad does not say so: $(cat err)"
    [ "$(grep -c '^fplab: left out' err)" = "$left" ] && grep -qxF "bad rows, left out	$left" out && grep -qx "documents	$read" out || complain "$files --skip-bad: $(cat out err)"
    grep -q '"good"' got/docs.jsonl || complain "$files --skip-bad: the good one is gone"
    [ -n "$(find . -name '*.part*')" ] && complain "$files: an unfinished file was left"
}
read -r cut_gz cut_zst <cut.lines # documents before the damage, as Python and zstd unpack it, and the good one
limit='a line of more than 1048576 bytes; --max-size raises the limit'
size='holds more than 1048576 bytes; --max-size raises the limit'
bad_input cut.jsonl 1 2 'cut.jsonl:2: not JSON: the value is cut short (byte 42)'
bad_input comma.jsonl 1 1 'comma.jsonl:1: not JSON: a key in quotation marks is expected (byte 21)'
bad_input missing.jsonl 1 1 'missing.jsonl:1: the document has no "text", but id, body; --text-field names the text (byte 0)'
bad_input number.jsonl 1 1 'number.jsonl:1: "text" is not a string (byte 17)'
bad_input array.jsonl 1 1 'array.jsonl:1: a document is a JSON object (byte 0)'
bad_input twice.jsonl 1 1 'twice.jsonl:1: duplicate key "text" (byte 21)'
bad_input tab.jsonl 1 1 'tab.jsonl:1: the id holds a tab (byte 6)'
bad_input end.jsonl 1 1 'end.jsonl:1: the id holds a line end (byte 6)'
bad_input '--max-size 1M long.jsonl' 1 2 "long.jsonl:1: $limit"
bad_input '--max-size 1M --from jsonl long.jsonl' 1 2 "long.jsonl:1: $limit"
bad_input '--max-size 1M long.txt' 1 2 "long.txt:1: $limit"
bad_input '--max-size 1M longest.txt' 1 1 "longest.txt:1: $limit"
bad_input '--max-size 1M long.csv' 1 2 "long.csv:2: $limit"
bad_input open.csv 1 2 'open.csv:2: a quote that is not closed (byte 10)'
bad_input behind.csv 1 2 'behind.csv:2: characters after a closing quote (byte 13)'
bad_input fields.csv 1 2 'fields.csv:2: a row of 1 field, where there are 2 columns'
bad_input head.csv 1 1 'head.csv:1: no column is called "text" (--text names another): there are id, body'
bad_input tab.csv 1 2 'tab.csv:2: the id holds a tab'
bad_input end.csv 1 2 'end.csv:2: the id holds a line end'
bad_input open.tsv 1 2 'open.tsv:2: a quote that is not closed (byte 10)'
bad_input bytes.txt 1 2 'bytes.txt:2: invalid UTF-8 (byte 5); if it is written in GB18030, add --encoding gb18030; auto guesses'
bad_input bytes.csv 1 2 'bytes.csv:2: invalid UTF-8 (byte 10); if it is written in GB18030, add --encoding gb18030; auto guesses'
bad_input bytes.jsonl 1 1 'bytes.jsonl:1: invalid UTF-8 (byte 18); if it is written in GB18030, add --encoding gb18030; auto guesses'
bad_input nul.d 1 1 'nul.d/a.txt: a NUL byte; this is not a text (byte 1)'
bad_input mixed.d 1 1 'mixed.d/a.txt:1: invalid UTF-8 (byte 0); if it is written in GB18030, add --encoding gb18030; auto guesses'
bad_input tab.d 1 1 'tab.d/a\tb.txt: the id holds a tab'
bad_input end.d 1 1 'end.d/a\nb.txt: the id holds a line end'
bad_input loop.d 1 2 'loop.d/sub/back: a symbolic link that leads back to a directory that contains it'
bad_input gone.d 1 1 'gone.d/a.txt: a symbolic link that leads nowhere'
bad_input deep.html 1 1 'deep.html: the page nests elements more than 100000 deep'
bad_input page.d 1 1 'page.d/deep.html: the page nests elements more than 100000 deep'
bad_input wide.html 1 1 'wide.html: holds more than 100000000 bytes; --max-size raises the limit'
bad_input cut.jsonl.gz 1 $cut_gz 'cut.jsonl.gz: not a valid gzip file: it is cut short'
bad_input none.jsonl.gz 1 1 'none.jsonl.gz: not a valid gzip file: incorrect header check'
bad_input behind.jsonl.gz 1 2 'behind.jsonl.gz: not a valid gzip file: there are bytes behind its end'
bad_input sum.jsonl.gz 1 20001 'sum.jsonl.gz: not a valid gzip file: incorrect data check'
bad_input cut.jsonl.zst 1 $cut_zst 'cut.jsonl.zst: not a valid Zstandard file: it is cut short'
bad_input sum.jsonl.zst 1 '[0-9]*' "sum.jsonl.zst: not a valid Zstandard file: Restored data doesn't match checksum"
bad_input '--max-size 1M bomb.jsonl.gz' 1 1 "bomb.jsonl.gz:1: $limit"
bad_input '--max-size 1M bomb.txt.gz' 1 1 "bomb.txt.gz:1: $limit"
bad_input '--max-size 1M bomb.csv.zst' 1 1 "bomb.csv.zst:1: $limit"
bad_input '--max-size 1M bomb.d' 1 1 "bomb.d/a.txt.zst: $size"
bad_input '--max-size 1M bomb.html.gz' 1 1 "bomb.html.gz: $size"
bad_input none.warc 1 1 'none.warc:1: no record of a web archive: it does not begin with WARC/ and a header'
bad_input cut.warc 1 1 'cut.warc:1: the record is cut short: its block has 500 bytes'
"$fplab" import --help-all | tr -s ' \n' ' ' | grep -qF 'unpacked (default: 4G), and longest line (default: 256M)' || complain "--help does not say the limits"
# A quote that nothing closes: of a large file a line is lost, not the rest.
"$fplab" import --max-size 1M endless.csv --columns id,text --skip-bad --out got -f tsv >out 2>err
grep -qxF "fplab: left out: endless.csv:2: $limit" err && grep -qF '"text":"b"' got/docs.jsonl || complain "an open quote in a large file: $(head -c 300 err) $(cat out)"

# A line of 50 MB is read.
python3 -c 'print("{\"id\":\"1\",\"text\":\"" + "x" * 52000000 + "\"}")' >large.jsonl
"$fplab" import large.jsonl --out got -f tsv >out 2>err && grep -qxF 'documents	1' out || complain "a line of 50 MB: $(cat err)"
rm large.jsonl

# What may not be read: by somebody who is not root.
mkdir -p closed.d/sub; echo x >closed.d/a.txt; chmod 0 closed.d/sub closed.d/a.txt; cp good.jsonl closed.d/good.jsonl
as_other() { if [ "$(id -u)" = 0 ]; then setpriv --reuid 65534 --regid 65534 --clear-groups -- "$@"; else "$@"; fi; }
mkdir public; chmod 777 public
if as_other "$fplab" --version >/dev/null 2>&1 && ! as_other cat closed.d/a.txt >/dev/null 2>&1; then
    as_other "$fplab" import closed.d --quiet --out public/x >out 2>err
    [ $? = 1 ] && [ "$(cat err)" = 'fplab: closed.d/a.txt: cannot open: Permission denied' ] || complain "a closed file: $(cat err)"
    as_other "$fplab" import closed.d --skip-bad --out public/x -f tsv >out 2>err && grep -qxF 'bad rows, left out	2' out || complain "a closed file, --skip-bad: $(cat out err)"
    sort err | cmp -s - <(printf 'fplab: left out: closed.d/%s\n' 'a.txt: cannot open: Permission denied' 'sub: Permission denied') || complain "a closed file, --skip-bad: $(cat err)"
else
    echo "skipped: files that may not be read: root reads all, and setpriv does not make another user of it"
fi
chmod 700 closed.d/sub

# Disk full: what was there stays, and is said to.
seq 1 20000 >many.txt
"$fplab" import good.jsonl --out kept >out 2>err
before=$(sha256sum kept/* | sha256sum)
(ulimit -f 200; trap '' XFSZ; "$fplab" import many.txt --out kept) >out 2>err
[ $? = 1 ] && [ "$(cat err)" = 'fplab: kept/docs.jsonl: cannot write: File too large; what was in kept stays' ] && [ "$before" = "$(sha256sum kept/* | sha256sum)" ] || complain "a full disk: $(cat err)"
exit $bad
