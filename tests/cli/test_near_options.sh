#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What the commands that look for near-duplicates are asked beside an arm and a threshold: a model of what the arm has learned, a window of time, texts of which the arm
# reads nothing, which of the near ones is kept, and what leaves a collection again.
. tests/support.sh
cd "$work" || exit 1

# ---- Learned elsewhere: a model knows its arm, and what it learned is used: with the same texts it is as if the arm had learned now ----
python3 - <<'PYTHON'
import random
random.seed(5)
words = '大桥 图书馆 天气 市民 开放 恢复 通车 下午 学校 比赛 冠军 价格 上涨 医院 医生 铁路 车站 工人 工厂 电影'.split()
with open('texts.txt', 'w', encoding='utf-8') as file:
    for i in range(30):
        text = ''.join(random.choices(words, k=12))
        file.write(text + '\n' + text[:-2] + random.choice(words) + '\n')
PYTHON
"$fplab" fingerprint -a simhash:weight=tfidf --save-model learned.model texts.txt >prints.tsv 2>/dev/null || complain "no model"
for command in 'dedup -d 8' 'cluster -d 8 --pairs -f tsv'; do
    # shellcheck disable=SC2086
    for arm in '-a simhash:weight=tfidf' '--model learned.model' '-a simhash:weight=tfidf --model learned.model'; do
        "$fplab" $command $arm texts.txt >"got.${arm//[^a-z]/}" 2>/dev/null || complain "$command $arm"
    done
    cmp -s got.asimhashweighttfidf got.modellearnedmodel && cmp -s got.asimhashweighttfidf got.asimhashweighttfidfmodellearnedmodel || complain "$command: a model is not what was learned"
    [ -s got.modellearnedmodel ] || complain "$command: nothing was found"
done
"$fplab" index build learned.fp --model learned.model -d 8 texts.txt 2>/dev/null || complain "a collection with a model"
"$fplab" query learned.fp --fingerprints prints.tsv -f tsv 2>/dev/null | awk -F'\t' 'NR > 1 && $3 == 0 { zero++ } END { exit zero < 60 }' || complain "a collection does not find the fingerprints of the model"
refused 1 'learned.model: the model of another arm' "$fplab" dedup -a simhash --model learned.model -d 3 texts.txt
refused 1 'nosuch.model: cannot open' "$fplab" dedup --model nosuch.model -d 3 texts.txt
refused 2 'no threshold given' "$fplab" dedup --model learned.model texts.txt

# ---- Windows of time. One text four times: on January 1st and 2nd, a month later, and without a time ----
cat >times.jsonl <<'JSONL'
{"id":"a","time":"2024-01-01","text":"今天下午临江大桥恢复通车"}
{"id":"b","time":"2024-01-02","text":"今天下午临江大桥恢复通车"}
{"id":"c","time":"2024-02-02","text":"今天下午临江大桥恢复通车"}
{"id":"d","text":"今天下午临江大桥恢复通车"}
JSONL
near=(-a simhash -d 3)
# says WORDS COMMAND…: what the columns of the answer hold, without the header, is that.
says() {
    local right=$1; shift
    local got; got=$("$@" 2>err | awk -F'\t' 'NR > 1 { print $1 "-" $2 }' | tr '\n' ' ')
    [ "$got" = "$right" ] || complain "$*: $got, not $right: $(cat err)"
}
says 'a-b a-c a-d b-c b-d c-d ' "$fplab" cluster "${near[@]}" --pairs -f tsv times.jsonl
says 'a-b ' "$fplab" cluster "${near[@]}" --pairs --window 1d -f tsv times.jsonl
says '' "$fplab" cluster "${near[@]}" --pairs --window 23h -f tsv times.jsonl
says 'a-b a-c b-c ' "$fplab" cluster "${near[@]}" --pairs --window 32d -f tsv times.jsonl
says 'a-a b-a ' "$fplab" cluster "${near[@]}" --members --window 7d -f tsv times.jsonl
"$fplab" index build times.fp "${near[@]}" times.jsonl 2>/dev/null
says 'a-a a-b b-a b-b c-c ' "$fplab" query times.fp --window 7d -f tsv times.jsonl
says '1-4 ' "$fplab" cluster -c times.fp -f tsv
"$fplab" index build windowed.fp "${near[@]}" times.jsonl 2>/dev/null
says '1-2 ' "$fplab" cluster -c windowed.fp --window 7d -f tsv
# kept WORDS OPTION…: the ids of what is kept.
kept() {
    local right=$1; shift
    local got; got=$("$fplab" dedup "${near[@]}" "$@" times.jsonl 2>err | grep -o '"id":"[a-z]' | cut -c 7- | tr -d '\n')
    [ "$got" = "$right" ] || complain "dedup $*: $got, not $right"
}
kept a
kept acd --window 7d
kept c --keep newest
grep -q '^fplab: 1 text lacks what --keep newest asks for: it comes last$' err || complain "no word of the text without a time: $(cat err)"

# ---- Texts of which the arm reads nothing are near nothing, each other no more than the rest, and are counted ----
printf '%s\n' 'no Han' '……' '今天下午通车了' '今天下午通车了' 'none, too' >silent.txt
"$fplab" cluster -a pinyin -d 3 -f tsv silent.txt >out 2>err
[ "$(cut -f 1,2 out | tail -n +2)" = "silent.txt:3	2" ] && grep -q '^3 texts have no features for pinyin: they match no other text\.$' err || complain "silent texts: $(cat out err)"
"$fplab" index build silent.fp -a pinyin -d 3 silent.txt 2>err
grep -q '^3 texts have no features for the arm: they match no other text\.$' err || complain "silent texts that are added: $(cat err)"
"$fplab" track silent.fp --id-prefix again- -f tsv silent.txt >out 2>err
[ "$(cut -f 2 out | tr '\n' ' ')" = 'verdict empty empty duplicate duplicate empty ' ] && grep -q '^3 texts have no features for the arm' err || complain "silent texts that are tracked: $(cat out err)"

# ---- An id that is there: the same text is skipped, another refused, left out, skipped or replaced; ids leave by a file ----
sed '2s/"text": *"/&又/' times.jsonl >changed.jsonl
cmp -s times.jsonl changed.jsonl && complain "no text was changed"
for texts in '' --keep-texts; do
    "$fplab" index build again.fp $texts "${near[@]}" times.jsonl 2>err || complain "build: $(cat err)"
    for command in 'index add again.fp' 'track again.fp'; do
        # shellcheck disable=SC2086
        {
            "$fplab" $command times.jsonl >out 2>err && grep -q '^4 texts were in again.fp already\.$' err || complain "$command $texts again: $(cat err)"
            [ "$(wc -l <out)" -le 1 ] || complain "$command $texts again: rows of texts that are there"
            "$fplab" $command changed.jsonl >out 2>err && complain "$command $texts: another text of the same id is taken"
            grep -q 'already exists, with another text; add --on-existing replace, or --on-existing skip$' err || complain "$command $texts: $(cat err)"
            "$fplab" $command --skip-bad changed.jsonl >out 2>err
            grep -q '^fplab: left out: the id ".*" already exists, with another text$' err && grep -q '^1 bad line was left out\.$' err || complain "$command $texts --skip-bad: $(cat err)"
            "$fplab" $command --on-existing skip changed.jsonl >out 2>err && grep -q '^4 texts were in again.fp already\.$' err || complain "$command $texts skip: $(cat err)"
            "$fplab" $command --on-existing fail times.jsonl >out 2>err && complain "$command $texts fail: nothing is refused"
            "$fplab" $command --on-existing replace changed.jsonl >out 2>err && grep -q '^1 text of the same id was replaced\.$' err || complain "$command $texts replace: $(cat err)"
            "$fplab" $command changed.jsonl >out 2>err && grep -q '^4 texts were in again.fp already\.$' err || complain "$command $texts, replaced: $(cat err)"
            "$fplab" $command --on-existing replace times.jsonl >out 2>err || complain "$command $texts, back: $(cat err)"
        }
    done
    "$fplab" index check again.fp >out 2>&1 || complain "check: $(cat out)"
    "$fplab" index stats again.fp -f tsv | grep -qP '^records\t4\t' || complain "after all: $("$fplab" index stats again.fp -f tsv)"
    rm again.fp*
done
# A later text with the same number of characters and the same fingerprint is another one only where texts are kept.
printf '{"id":"x","text":"今天,下午通车了"}\n' >one.jsonl
printf '{"id":"x","text":"今天;下午通车了"}\n' >other.jsonl
"$fplab" index build plain.fp "${near[@]}" one.jsonl 2>err && "$fplab" index add plain.fp other.jsonl 2>err || complain "a mark is another text without texts: $(cat err)"
"$fplab" index build kept.fp --keep-texts "${near[@]}" one.jsonl 2>err
refused 1 'with another text' "$fplab" index add kept.fp other.jsonl

# ---- No texts are an empty result ----
: >empty.txt
for command in "dedup ${near[*]}" "cluster ${near[*]}" "cluster --pairs ${near[*]}" "cluster --members ${near[*]}" fingerprint 'fingerprint -a simhash:weight=tfidf' 'track times.fp' 'index add times.fp'; do
    for input in empty.txt -; do
        # shellcheck disable=SC2086
        "$fplab" $command $input >out 2>err </dev/null || complain "$command $input: status $?"
        [ "$(wc -l <err)" = 1 ] || complain "$command $input: not one note: $(cat err)"
        [ "$(wc -l <out)" -le 1 ] || complain "$command $input: rows: $(cat out)"
    done
done
for command in "dedup ${near[*]}" "cluster ${near[*]}" 'track times.fp'; do
    # shellcheck disable=SC2086
    "$fplab" $command --out nothing empty.txt >out 2>err && [ -e nothing/run.json ] || complain "$command --out of nothing: $(cat err)"
    rm -rf nothing
done

printf 'b\n\nnosuch\nd\n' >ids
refused 1 'there is no nosuch' "$fplab" index delete times.fp --ids ids
"$fplab" index delete times.fp --skip-bad --ids ids 2>err
grep -q '^2 texts were deleted from times.fp\.$' err && grep -q '^fplab: there is no nosuch$' err || complain "deleted by a file: $(cat err)"
says 'a-a a-c b-a b-c c-a c-c d-a d-c ' "$fplab" query times.fp -f tsv times.jsonl

# ---- A threshold of −0 is 0 ----

"$fplab" dedup -a minhash -d -0 "$newswire" >out 2>err
grep -q 'within 0 slots of 64' err || complain "a threshold of -0: $(cat err)"

# ---- An audit of nothing writes no sheet; lines and objects do not go into one file ----
printf 'one line\nanother\n' >lines.txt
"$fplab" dedup "${near[@]}" --audit 3 --audit-sheet sheet.tsv lines.txt >/dev/null 2>err
grep -q '^No pairs to judge were found; no sheet was written\.$' err && [ ! -e sheet.tsv ] || complain "an audit of nothing: $(cat err)"
# Refused before the work: nothing is printed that looks like a result.
printf 'a\na\n' | "$fplab" dedup "${near[@]}" --audit 3 --audit-sheet sheet.tsv - >out 2>err
[ $? = 1 ] && [ ! -s out ] && grep -qx 'fplab: an audit reads its texts again, which a pipe does not allow' err && [ ! -e sheet.tsv ] || complain "an audit of a pipe: $(cat err)"
refused 1 'lines of text and JSON cannot be mixed in one output' "$fplab" dedup "${near[@]}" --out mixed lines.txt times.jsonl
[ ! -e mixed ] || complain "a file of lines and objects"
# More fingerprints than are asked at once.
python3 -c 'for i in range(5000): print("%016x" % (i * 0x9E3779B97F4A7C15 % 2**64))' >many.hex
"$fplab" query times.fp --fingerprints many.hex >out 2>err && grep -q '^Of 5000 ' err || complain "5000 fingerprints: $(head -2 err)"
exit $bad
