#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Near-duplicates by keys, a join of another program, and pairs that are verified: what `fplab dedup` and `fplab cluster` find. The recipes of
# docs/distributed.md are those that run here.
source tests/support.sh
cd "$work" || exit 1
export LC_ALL=C

# The recipe of the page, whose lines are run as they stand there, over a corpus, an arm and a threshold.
recipe=$(sed -n '/^<!-- recipe: sort -->/,/^```$/p' "$tests/../docs/distributed.md" | grep -v '^<!--\|^```')
[ -n "$recipe" ] || complain "docs/distributed.md has no recipe"
try() {
    local corpus=$1 arm=$2 within=$3 keys=$4
    PATH=${fplab%/*}:$PATH CORPUS=$corpus ARM=$arm H=$within KEYS=$keys bash -euo pipefail -c "$recipe" >log 2>&1 || complain "the recipe: $(tail -3 log)"
    "$fplab" cluster "$corpus" -a "$arm" -d "$within" --members -f tsv 2>/dev/null | tail -n +2 | cut -f 1,3 | sort >wanted
    tail -n +2 members.tsv | cut -f 1,3 | sort | cmp -s - wanted || complain "$corpus $arm $within $keys: other members"
    "$fplab" cluster "$corpus" -a "$arm" -d "$within" --pairs -f tsv 2>/dev/null | tail -n +2 | cut -f 1-3 |
        awk -F'\t' '{ print ($1 < $2 ? $1 FS $2 : $2 FS $1) FS $3 }' | sort >wanted
    [ -s wanted ] || complain "$corpus $arm $within: no pairs"
    cut -f 1-3 near.tsv | sort | cmp -s - wanted || complain "$corpus $arm $within $keys: other pairs: $(cut -f 1-3 near.tsv | sort | diff - wanted | head -3)"
}
try "$corpora/newswire-zh" simhash:features=words 6 6
try "$corpora/newswire-zh" simhash:features=words 3 blocks=6,agree=3
try "$corpora/newswire-en" simhash:bits=128 8 blocks=9
# Bands miss pairs: as many bands as slots differ, and one more, miss none.
try "$newswire" minhash:slots=64 20 bands=21,rows=3

# Keys are those of the library, which a plain computation makes again: simhash of 64 bits in four blocks of 16.
printf 'hello world\n\nanother line of text\n' >lines
"$fplab" fingerprint lines 2>/dev/null | tail -n +2 | python3 -c '
import sys
for row in sys.stdin:
    number, digits = row.split()
    if number != "2":
        for table in range(4):
            print(number, table, "%016x" % (int(digits, 16) >> 16 * table & 0xffff), sep="\t")' >wanted
"$fplab" fingerprint --keys blocks=4 lines 2>/dev/null | tail -n +2 | cmp -s - wanted || complain "keys of blocks: $("$fplab" fingerprint --keys blocks=4 lines 2>&1 | head -3)"
[ "$("$fplab" fingerprint --keys blocks=4 -f jsonl lines 2>/dev/null | head -1)" = "{\"id\":\"1\",\"table\":0,\"key\":\"$(head -1 wanted | cut -f 3)\"}" ] ||
    complain "keys as JSON: $("$fplab" fingerprint --keys blocks=4 -f jsonl lines | head -1)"

# Edges of any program: two columns do, a chain is one cluster, the first id names it.
printf 'c\tb\nb\ta\nx\tx\ny\tz\t2.5\n' >edges
printf 'id\tcluster\ttexts\nc\tc\t3\nb\tc\t3\na\tc\t3\ny\ty\t2\nz\ty\t2\n' >wanted
"$fplab" cluster --edges edges --members -f tsv 2>/dev/null | cmp -s - wanted || complain "clusters of edges: $("$fplab" cluster --edges edges --members -f tsv 2>&1)"
"$fplab" cluster --edges - --members -f tsv <edges 2>/dev/null | cmp -s - wanted || complain "edges of a pipe"
[ "$("$fplab" cluster --edges edges -f tsv 2>/dev/null | cut -f 1,2,6 | tail -n +2)" = $'c\t3\tNA\ny\t2\t2.5' ] || complain "the weakest link of edges"

echo 'a b' >bad
refused 1 'bad:1: expected id_a and id_b, separated by a tab (byte 0)' "$fplab" cluster --edges bad
printf 'p\tq\tx\n' >bad
refused 1 'bad:1: the distance "x" is not a finite number (byte 4)' "$fplab" cluster --edges bad
printf 'p\tq\t-1\n' >bad
refused 1 'the distance -1 is below 0' "$fplab" cluster --edges bad
refused 1 'nowhere' "$fplab" cluster --edges nowhere
refused 2 '--edges takes pairs that were found already' "$fplab" cluster --edges bad --arm simhash
printf 'nobody\tnothing\n' >bad
refused 1 'bad:1: newswire-zh has no document nobody' "$fplab" distances "$corpora/newswire-zh" -a simhash --pairs bad -f json
refused 2 'is not a design of blocks' "$fplab" fingerprint --keys bands=2,rows=2 lines
refused 2 'neither bits nor slots' "$fplab" fingerprint --arm jaccard --keys 3 lines
refused 2 'slots need' "$fplab" fingerprint --arm minhash --keys bands=9,rows=9 lines
exit $bad
