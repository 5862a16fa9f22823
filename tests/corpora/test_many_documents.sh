#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A corpus of many documents needs memory for their ids, groups and lengths, not for their texts; and a docs.jsonl may come out of a pipe.
. tests/support.sh
command -v python3 >/dev/null || { echo "python3 is missing"; exit 77; }
cd "$work" || exit 1

# ---- A pipe in the place of docs.jsonl gives the same as the file.
mkdir -p piped && mkfifo piped/docs.jsonl
run_piped() { cat "$newswire/docs.jsonl" >piped/docs.jsonl & "$fplab" "$@"; local status=$?; wait; return $status; }
cp "$newswire/pairs.tsv" piped/
run_piped eval --corpus piped --arm cosine:features=words,weight=tfidf --by lang --replicates 200 --format tsv >out 2>err || complain "eval of a pipe: $(cat err)"
"$fplab" eval --corpus "$newswire" --arm cosine:features=words,weight=tfidf --by lang --replicates 200 --format tsv | sed 's/^newswire-zh/piped/' >expected
[ -s out ] && cmp -s out expected || complain "eval of a pipe prints something else"
run_piped features --corpus piped --format tsv >out || complain "features of a pipe"
"$fplab" features --corpus "$newswire" --format tsv | cmp -s - out || complain "features of a pipe prints something else"

# ---- Memory. A sanitizer has its own.
if [ -n "${SANITIZE:-}" ] || nm -D "$fplab" 2>/dev/null | grep -q ' __asan_init\| __tsan_init'; then
    echo "part left out: a sanitizer needs memory of its own"
    exit $bad
fi
cat >measure.py <<'PYTHON'
import os, random, subprocess, sys
# measure.py PROGRAM WORD…: the largest resident set, in bytes; `{}` stands for a corpus.
def corpus(count):
    os.makedirs(str(count), exist_ok=True)
    with open(f'{count}/docs.jsonl', 'w') as file:
        for i in range(count):
            words = random.Random(i // 2).randbytes(150).hex() # in groups of two; others are far apart
            file.write(f'{{"id":"doc{i}","group":"g{i // 2}","text":"{words}{i % 2}"}}\n')
def peak(words, count):
    process = subprocess.Popen([word.replace('{}', str(count)) for word in words], stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if status: sys.exit(f'status {status}')
    return usage.ru_maxrss * 1024
few, many = int(sys.argv[1]), int(sys.argv[2])
for count in few, many:
    if not os.path.exists(f'{count}/docs.jsonl'): corpus(count)
# A document more, in bytes.
print(int((peak(sys.argv[3:], many) - peak(sys.argv[3:], few)) / (many - few)))
PYTHON
# A document of the larger corpus is 300 bytes of text. Arrays double as they grow: hence more than is kept.
each() { # each FEW MANY MOST COMMAND…: a document more takes so many bytes at most
    local few=$1 many=$2 most=$3 bytes; shift 3
    bytes=$(MALLOC_ARENA_MAX=1 python3 measure.py "$few" "$many" "$fplab" "$@") && [ "$bytes" -le "$most" ] || complain "$*: $bytes bytes a document, not $most"
    echo "$1 $2: $bytes bytes a document"
}
each 5000 105000 250 corpus check {}
each 5000 55000 250 fingerprint --corpus {} --arm simhash:features=chars:3 --format tsv
each 5000 25000 400 eval --corpus {} --arm simhash:features=chars:3 --threshold 1..10 --format tsv
each 5000 25000 400 eval --corpus {} --arm simhash:features=chars:3 --threshold 1..10 --by length --format tsv
# Each further threshold takes a few bytes a document (docs/scale.md); by default there are 64.
each 5000 25000 900 eval --corpus {} --arm simhash:features=chars:3 --format tsv
exit $bad
