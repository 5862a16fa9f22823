#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# fplab fingerprint --save-model and --model: the fingerprints of an arm that was fitted in place, at once in a pipe; and a file that is
# not the arm's model is refused with one line.
. tests/support.sh
cd "$work" || exit 1

# fails STATUS WORDS COMMAND…: the status, one line that says the words, nothing printed.
fails() {
    local status=$1 words=$2; shift 2
    "$@" >out 2>err </dev/null
    local got=$?
    [ "$got" = "$status" ] || complain "status $got, not $status: $*"
    [ ! -s out ] || complain "printed: $*"
    grep -qF -- "$words" err && [ "$(grep -c . err)" -le 2 ] || complain "no word of \"$words\": $*: $(cat err)"
}

python3 -c 'import json, sys
for line in open(sys.argv[1] + "/docs.jsonl", encoding="utf-8"): print(json.loads(line)["text"].replace("\n", ""))' "$newswire" >lines
spec=simhash:features=words,weight=tfidf

# In place, from a corpus and from lines.
for arm in "$spec" simhash:center=mean pinyin:reference=corpus; do
    "$fplab" fingerprint --arm "$arm" lines >wanted 2>err || complain "$arm: $(cat err)"
    "$fplab" fingerprint --arm "$arm" --save-model model lines >got || complain "$arm: not saved"
    cmp -s got wanted || complain "$arm: other fingerprints where a model is saved"
    "$fplab" fingerprint --arm "$arm" --model model lines >got || complain "$arm: not loaded"
    cmp -s got wanted || complain "$arm: other fingerprints with the model"
    "$fplab" fingerprint --model model <lines >got || complain "$arm: the model does not name its arm"
    cmp -s got wanted || complain "$arm: other fingerprints with the arm of the model"
done
"$fplab" fingerprint --corpus "$newswire" --arm "$spec" --save-model corpus.model >wanted || complain "corpus: not saved"
"$fplab" fingerprint --corpus "$newswire" --model corpus.model >got || complain "corpus: not loaded"
cmp -s got wanted || complain "corpus: other fingerprints with the model"
# One line alone teaches other frequencies than the corpus does.
head -1 lines | "$fplab" fingerprint --arm "$spec" 2>/dev/null >alone
head -1 lines | "$fplab" fingerprint --model corpus.model >with
cmp -s alone with && complain "the model makes no difference"

# A result as soon as its line is there: the pipe stays open.
mkfifo pipe answer
"$fplab" fingerprint --model corpus.model <pipe >answer &
exec 7>pipe 8<answer
head -1 lines >&7
read -r -t 60 head <&8 && read -r -t 60 row <&8 || complain "no fingerprint while the pipe is open"
[ "$row" = "$(tail -1 with)" ] || complain "the first line of a pipe: $row"
exec 7>&-
wait $! || complain "the pipe's status"
exec 8<&-

# What is no model of this arm.
fails 1 "the model of another arm" "$fplab" fingerprint --arm simhash:features=chars:2,weight=tfidf --model corpus.model lines
fails 1 "the model of another arm" "$fplab" fingerprint --arm pinyin --model corpus.model lines
fails 1 "not a model" "$fplab" fingerprint --model lines lines
fails 1 "none: cannot open" "$fplab" fingerprint --model none lines
head -c 1000 corpus.model >cut
fails 1 "cut: the model is cut off" "$fplab" fingerprint --arm "$spec" --model cut lines
python3 - <<'PYTHON'
data = bytearray(open('corpus.model', 'rb').read())
data[len(data) // 2] ^= 1
open('flipped', 'wb').write(data)
data[len(data) // 2] ^= 1
data[16] += 1 # the form of the file stands behind a mark of 16 bytes
open('later', 'wb').write(data)
PYTHON
fails 1 "flipped: the model is damaged" "$fplab" fingerprint --arm "$spec" --model flipped lines
fails 1 "later: the model is of form" "$fplab" fingerprint --arm "$spec" --model later lines
fails 2 "--save-model goes with an arm that learns" "$fplab" fingerprint --arm simhash --save-model model lines
fails 2 "either --model or --save-model" "$fplab" fingerprint --model corpus.model --save-model model lines

# No room: neither for the model, nor for the fingerprints, and then no model appears.
if [ -c /dev/full ]; then
    "$fplab" fingerprint --arm "$spec" --save-model /dev/full lines >out 2>err
    [ $? = 1 ] && grep -qF "/dev/full: cannot write" err || complain "--save-model /dev/full: $(cat err)"
    "$fplab" fingerprint --arm "$spec" --save-model unseen lines >/dev/full 2>err
    [ $? = 1 ] && [ ! -e unseen ] || complain "a model beside fingerprints that were lost"
else
    echo "skipped: no /dev/full"
fi
exit $bad
