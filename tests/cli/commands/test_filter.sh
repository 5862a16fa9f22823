#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# fplab fingerprint as a filter: the same fingerprints by every way in, a result as soon as its line is there, memory that does not grow with
# the input, and no error of reading or writing without a word.
. tests/support.sh
cd "$work" || exit 1

# fails STATUS WORDS COMMAND…: the status, one line that says the words.
fails() {
    local status=$1 words=$2; shift 2
    "$@" >out 2>err
    local got=$?
    [ "$got" = "$status" ] || complain "status $got, not $status: $*"
    [ "$(wc -l <err)" = 1 ] && grep -qF -- "$words" err || complain "no word of \"$words\", or not one line: $*: $(cat err)"
}

python3 - "$newswire" <<'PYTHON'
import gzip, json, random, sys
texts = [json.loads(line)['text'] for line in open(sys.argv[1] + '/docs.jsonl', encoding='utf-8')]
parts = [part.strip() for text in texts for part in text.replace('\n', '').split('。') if part.strip()]
random.seed(3)
lines = [''.join(random.sample(parts, random.randint(1, 4))) for _ in range(1500)] + ['', 'x', '　', '😀']
open('lines', 'w', encoding='utf-8', newline='').write('\n'.join(lines) + '\n')
open('crlf', 'w', encoding='utf-8', newline='').write('\r\n'.join(lines))
open('gb', 'w', encoding='gb18030', newline='').write('\n'.join(lines) + '\n')
open('utf16', 'w', encoding='utf-16', newline='').write('\n'.join(lines) + '\n')
open('bom', 'w', encoding='utf-8-sig', newline='').write('\n'.join(lines) + '\n')
with open('lines', 'rb') as plain:
    data = plain.read()
open("lines.gz", "wb").write(gzip.compress(data[:100000]) + gzip.compress(data[100000:]))
open('packed', 'wb').write(gzip.compress(data)) # known by its magic number
PYTHON

# Every way in. The fingerprints of a learning arm are those of the same texts as a corpus, which goes through other code.
mkdir corpus
python3 -c 'import json
for i, line in enumerate(open("lines", encoding="utf-8", newline="\n")): print(json.dumps({"id": str(i + 1), "text": line[:-1]}))' >corpus/docs.jsonl
for arm in simhash simhash:features=words,weight=tfidf simhash:center=mean pinyin pinyin:reference=corpus; do
    "$fplab" fingerprint --corpus corpus --arm "$arm" >wanted 2>err || complain "$arm, corpus: $(cat err)"
    for way in 'lines' 'crlf' 'lines.gz' 'packed' 'bom' '--encoding gb18030 gb' '--encoding utf-16 utf16' '--encoding auto utf16' '--invalid replace lines' '- <lines' '- <packed' '<<<"$(cat lines)"'; do
        eval "\"$fplab\" fingerprint --arm \"$arm\" $way" >out 2>err || complain "$arm $way: $(cat err)"
        cmp -s wanted out || complain "$arm $way: other fingerprints"
    done
    cat lines | "$fplab" fingerprint --arm "$arm" >out 2>err || complain "$arm, a pipe: $(cat err)"
    cmp -s wanted out || complain "$arm, a pipe: other fingerprints"
    OMP_NUM_THREADS=1 "$fplab" fingerprint --arm "$arm" lines >out
    cmp -s wanted out || complain "$arm, one thread: other fingerprints"
done
[ "$(sed -n 8p lines | "$fplab" fingerprint | sed -n 2p | cut -f2)" = "$("$fplab" fingerprint lines | sed -n 9p | cut -f2)" ] || complain "a line alone"
[ "$("$fplab" fingerprint --text 我是中国人)" = "$(echo 我是中国人 | "$fplab" fingerprint)" ] || complain "--text"
[ "$("$fplab" fingerprint </dev/null)" = $'id\tfingerprint' ] || complain "no lines"

# JSON is an object a line; what does not go together is fails.
"$fplab" fingerprint --format json lines >json
"$fplab" fingerprint lines >tsv
python3 - <<'PYTHON' || complain "JSON lines"
import csv, json
rows = [json.loads(line) for line in open('json', encoding='utf-8')]
assert [(str(r['line']), r['fingerprint']) for r in rows] == [(r['id'], r['fingerprint']) for r in csv.DictReader(open('tsv'), delimiter='\t')]
assert all(type(r['line']) is int and len(r) == 2 for r in rows) and len(rows) == 1504
PYTHON
fails 2 'goes with --corpus' "$fplab" fingerprint --format table lines
fails 2 'not with --corpus' "$fplab" fingerprint --corpus "$newswire" --encoding gbk
fails 2 'not both' "$fplab" fingerprint --corpus "$newswire" lines
fails 2 'the encoding nonsense is unknown' "$fplab" fingerprint --encoding nonsense lines
fails 2 '--invalid takes fail or replace' "$fplab" fingerprint --invalid maybe lines

# A result as soon as its line is there.
coproc filter { "$fplab" fingerprint; }
for text in 今天天气很好 第二行; do
    echo "$text" >&"${filter[1]}"
    [ "$text" = 第二行 ] || { read -r -t 60 line <&"${filter[0]}" && [ "$line" = $'id\tfingerprint' ]; } || complain "no header while the pipe is open"
    read -r -t 60 line <&"${filter[0]}" && [ "${line#*$'\t'}" = "$(echo "$text" | "$fplab" fingerprint | sed -n 2p | cut -f2)" ] ||
        complain "no result while the pipe is open: $line"
done
eval "exec ${filter[1]}>&-"
wait

# What stands before a fault is printed, the fault is told with file and line.
truncated() {
    "$fplab" fingerprint "$1" >out 2>err
    local status=$? got
    got=$(wc -l <out)
    [ $status = 1 ] || complain "$1: status $status"
    head -n "$got" tsv | cmp -s - out || complain "$1: what is printed is not the begin"
    grep -q "^fplab: $1:$got: not a valid .* file: it is cut short" err || complain "$1, $got lines: $(cat err)"
}
size=$(stat -c %s lines.gz)
for left in 15 1000 $((size / 2)) $((size - 1)); do head -c "$left" lines.gz >cut.gz; truncated cut.gz; done
(sed -n 1,20p lines; printf 'a\xffb\n'; sed -n 21,40p lines) >broken
fails 1 'broken:21: invalid UTF-8 (byte' "$fplab" fingerprint broken
head -n 21 tsv | cmp -s - out || complain "what stands before a broken line is not printed"
fails 1 'the byte-order mark is that of UTF-16LE; add --encoding' "$fplab" fingerprint utf16
fails 1 'the byte-order mark is that of UTF-16LE; add --encoding' "$fplab" features utf16
mkdir directory
fails 1 'directory: cannot read: Is a directory' "$fplab" fingerprint directory
[ -s out ] && complain "a header for a directory"
fails 1 'standard input: cannot read: Is a directory' bash -c "'$fplab' fingerprint <directory"
fails 1 'missing: cannot open: No such file' "$fplab" fingerprint missing

# Limits: --max-size in every command that reads what may be packed. 64 MB of zeros make 64 KB of gzip.
mkdir bomb
python3 -c 'import gzip; open("bomb/docs.jsonl.gz", "wb").write(gzip.compress(bytes(1 << 26)))'
cp bomb/docs.jsonl.gz bomb.gz
for run in 'eval --corpus bomb' 'tune --corpus bomb' 'corpus check bomb' 'corpus idf bomb' 'distances --corpus bomb --arm simhash' 'fingerprint --corpus bomb' \
    'features --corpus bomb' 'judge sample --corpus bomb --arm simhash' 'features bomb.gz' 'compare bomb.gz bomb.gz' 'explain simhash bomb.gz' \
    'fingerprint --encoding gbk bomb.gz'; do
    # shellcheck disable=SC2086
    fails 1 'holds more than 1048576 bytes; --max-size raises the limit' "$fplab" $run --max-size 1M
done
fails 1 'bomb.gz:1: a line of more than 1048576 bytes' "$fplab" fingerprint bomb.gz --max-size 1M
fails 1 'lines:1: a line of more than 9 bytes' "$fplab" fingerprint lines --max-size 9
"$fplab" fingerprint lines --max-size 2K | cmp -s - tsv || complain "--max-size is no limit of a file of lines"
fails 2 '--max-size takes' "$fplab" features --text x --max-size 5X
"$fplab" eval --help-all | grep -q 'max-size=SIZE .*' && "$fplab" eval --help-all | tr -s ' \n' ' ' | grep -q 'unpacked (default: 4G)' || complain "the limit is not stated"

# Memory: six times the lines, not more than a few megabytes more.
python3 - "$fplab" <<'PYTHON' || complain "memory grows with the input"
import os, sys
data = open('lines', 'rb').read()
def peak(arm, copies, pipe):
    with open('many', 'wb') as out:
        for _ in range(copies): out.write(data)
    pid = os.fork()
    if pid == 0:
        os.dup2(os.open('/dev/null', os.O_WRONLY), 1)
        if pipe: os.execl('/bin/sh', 'sh', '-c', 'cat many | "$0" fingerprint -a "$1"; exit $?', sys.argv[1], arm)
        os.execl(sys.argv[1], sys.argv[1], 'fingerprint', '-a', arm, 'many')
    _, status, used = os.wait4(pid, 0)
    assert status == 0
    return used.ru_maxrss / 1024
for arm, pipe, most in (('simhash', False, 16), ('pinyin', False, 16), ('simhash:features=words,weight=tfidf', False, 16), ('pinyin', True, 16)):
    small, large = peak(arm, 4, pipe), peak(arm, 24, pipe)
    print(f'{arm}: {small:.0f} and {large:.0f} MB')
    assert large < small + most, (arm, pipe, small, large)
PYTHON

# Every read, and every write, fails once. A program that is traced cannot be searched for leaks.
export ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0
if strace -o /dev/null -e inject=read:error=EIO:when=1 -P nothing true 2>/dev/null; then
    for arm in simhash simhash:features=words,weight=tfidf; do
        for when in 1 2 3 4; do
            strace -f -o trace -P "$work/lines" -e trace=read -e inject=read:error=EIO:when=$when "$fplab" fingerprint --arm $arm lines >out 2>err
            status=$?
            grep -q INJECTED trace || break
            [ $status = 1 ] && grep -q '^fplab: lines:.*cannot read: Input/output error$' err && [ "$(wc -l <err)" = 1 ] ||
                complain "$arm, read $when fails: status $status, $(cat err)"
            "$fplab" fingerprint --arm $arm lines | head -n "$(wc -l <out)" | cmp -s - out || complain "$arm, read $when fails: what is printed is not the begin"
        done
        [ $when -ge 2 ] || complain "no read failed"
        for when in 1 2 3; do
            strace -f -o trace -P "$work/out" -e trace=write -e inject=write:error=ENOSPC:when=$when "$fplab" fingerprint --arm $arm lines >out 2>err
            status=$?
            grep -q INJECTED trace || break
            [ $status = 1 ] && grep -q '^fplab: standard output: cannot write' err && [ "$(wc -l <err)" = 1 ] ||
                complain "$arm, write $when fails: status $status, $(cat err)"
        done
        [ $when -ge 2 ] || complain "no write failed"
    done
else
    echo "skipped: calls that fail on purpose: strace is not there, or may not trace"
fi
exit $bad
