#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# fplab import: every recipe on small files of the form in which its set comes; labelled pairs with what must be left out, counted; documents with
# groups, languages and other fields; what is wrong, in a line, with nothing written; and, where public sets are at hand, those in raw form, through
# their recipes, to the same pairs.
. tests/support.sh
sets=$(realpath ../shared/data 2>/dev/null)
cd "$work" || exit 1

# ---- Recipes ----
mkdir mrpc quora lcqmc bq afqmc paws pawsx-zh sohu-a sohu-b
printf '\xef\xbb\xbfQuality\t#1 ID\t#2 ID\t#1 String\t#2 String\r\n1\t11\t12\tHe said "no.\tHe said no.\r\n0\t13\t14\tA cat"\tA dog\r\n' >mrpc/msr_paraphrase_train.txt
cp mrpc/msr_paraphrase_train.txt mrpc/msr_paraphrase_test.txt
printf '"id"\t"qid1"\t"qid2"\t"question1"\t"question2"\t"is_duplicate"\n"0"\t"1"\t"2"\t"What ""is"" it?"\t"What\nis it?"\t"1"\n"1"\t"3"\t"4"\t"Why?"\t"How?"\t"0"\n' >quora/quora_duplicate_questions.tsv
printf '喜欢打篮球的男生\t爱打篮球的男生\t1\n我"手机丢了\t我想换手机"\t0\n' >lcqmc/train.txt
printf '什么时候到账\t多久到账\t1\n还款\t借款\t0\n' >bq/train.tsv; gzip -c bq/train.tsv >bq/dev.tsv.gz
printf '{"sentence1": "双十一花呗提额在哪", "sentence2": "里可以提花呗额度", "label": "0"}\n{"sentence1": "花呗怎么还", "sentence2": "怎么还花呗", "label": "1"}\n' >afqmc/train.json
printf 'id\tsentence1\tsentence2\tlabel\n1\tA b "c .\tC b a .\t0\n2\tD e .\tE d .\t1\n' >paws/train.tsv
mkdir -p pawsx-zh/x-final/zh && printf 'id\tsentence1\tsentence2\tlabel\n1\t甲在乙前\t乙在甲前\t0\n2\t他走了\t他离开了\t1\n' >pawsx-zh/x-final/zh/dev_2k.tsv
mkdir sohu-a/短短匹配A类 && printf '{"source": "甲", "target": "乙", "labelA": "1"}\n{"source": "丙", "target": "丁", "labelA": "0"}\n' >sohu-a/短短匹配A类/train.txt
printf '{"source": "甲", "target": "乙", "labelB": "1"}\n{"source": "丙", "target": "丁", "labelB": "0"}\n' >sohu-b/valid.txt
for set in mrpc quora lcqmc bq afqmc paws pawsx-zh sohu-a sohu-b; do
    "$fplab" import --recipe "$set" "$set" --out "got-$set" >told 2>err || { complain "$set: $(cat err)"; continue; }
    "$fplab" corpus check "got-$set" -f tsv >check 2>&1 || complain "$set: $(cat check)"
    [ "$(wc -l <"got-$set/pairs.tsv")" = 2 ] && [ "$(cut -f3 "got-$set/pairs.tsv" | sort | tr -d '\n')" = 01 ] && [ "$(wc -l <"got-$set/docs.jsonl")" = 4 ] ||
        complain "$set: $(cat "got-$set/pairs.tsv" "got-$set/docs.jsonl")"
done
grep -qF '{"id":"11","text":"He said \"no.","lang":"en"}' got-mrpc/docs.jsonl || complain "mrpc: $(cat got-mrpc/docs.jsonl)"
grep -qP '^11\t12\t1\ttrain$' got-mrpc/pairs.tsv || complain "mrpc: $(cat got-mrpc/pairs.tsv)"
grep -qF '"text":"What \"is\" it?"' got-quora/docs.jsonl && grep -qF '"text":"What\nis it?"' got-quora/docs.jsonl || complain "quora: $(cat got-quora/docs.jsonl)"
"$fplab" import --recipe mrpc mrpc --out again -f tsv >told 2>err
grep -qF 'rows of mrpc/msr_paraphrase_train.txt: 2 here, 4076 published (its description: 5,801 in all)' err && grep -qP '^rows of train\t2\t4076$' told && grep -qP '^left out: there before\t2\tNA$' told || complain "mrpc: $(cat err told)"
refused 1 'paws: contains none of the files of mrpc: msr_paraphrase_train.txt, msr_paraphrase_test.txt' "$fplab" import --recipe mrpc paws --out x
for name in $("$fplab" import --recipe '?' . --out x 2>&1 | sed 's/.*takes //; s/, not.*//; s/,\| or//g'); do
    "$fplab" import --help-all | tr -s ' \n' ' ' | grep -qF -- "$name" || complain "--help does not name the recipe $name"
done

# ---- Pairs ----
printf 'a,b,same,why\n一,二,yes,k1\n二,一,yes,k1\n一,二,no,k2\n,二,yes,k1\n三,三,yes,k1\n三,四,no,k2\n五,六,maybe,k2\n' >pairs.csv
refused 1 'pairs.csv:4: the same two texts have the label 0 here and 1 in line 2' "$fplab" import pairs.csv --pair a,b --label same --out p
[ -e p ] && complain "a refused import wrote something"
"$fplab" import pairs.csv --pair a,b --label same --kind why --skip-bad --out p >told 2>err || complain "pairs: $(cat err)"
cmp -s p/pairs.tsv <(printf 'text-3\ttext-4\t0\tk2\n') || complain "pairs: $(cat p/pairs.tsv)"
"$fplab" import pairs.csv --pair a,b --label same --kind why --skip-bad --out p -f tsv >told 2>err || complain "pairs: $(cat err)"
cmp -s told - <<'WANT' || complain "pairs: $(cat told)"
fact	count
rows	7
bad rows, left out	3
documents	4
pairs	1
positive	0
left out: an empty text	1
left out: both texts the same	1
left out: there before	1
left out: there before, with the other label	1
WANT
grep -v '一,二,no' pairs.csv >plain.csv; refused 1 'plain.csv:7: the label "maybe" is unknown; a duplicate is one of 1 ' "$fplab" import plain.csv --pair a,b --label same --out x
"$fplab" import plain.csv --pair a,b --label same --positive 'yes maybe' --out p >told 2>err && [ "$(wc -l <p/pairs.tsv)" = 3 ] || complain "--positive: $(cat err p/pairs.tsv)"
"$fplab" eval --corpus p -a simhash:features=chars:1 --quiet >table 2>err || complain "eval of what was imported: $(cat err)"
refused 1 'no column is called "c"' "$fplab" import pairs.csv --pair a,c --label same --out x

# ---- Documents ----
mkdir -p tree/a tree/b; echo 一 >tree/a/1.txt; echo 二 >tree/a/2.txt; echo 三 >tree/b/1.txt
"$fplab" import tree --group-by-directory --language zh-Hans --name 树 --licence 自由 --origin 手写 --out t >told 2>err || complain "tree: $(cat err)"
cmp -s t/docs.jsonl - <<'WANT' || complain "tree: $(cat t/docs.jsonl)"
{"id":"a/1.txt","text":"一\n","group":"a","lang":"zh-Hans"}
{"id":"a/2.txt","text":"二\n","group":"a","lang":"zh-Hans"}
{"id":"b/1.txt","text":"三\n","group":"b","lang":"zh-Hans"}
WANT
python3 -c '
import json; m = json.load(open("t/MANIFEST.json"))
assert (m["name"], m["licence"], m["source"], m["counts"]["documents"], m["counts"]["groups"]) == ("树", "自由", "手写", 3, 2), m' 2>why || complain "manifest: $(tail -n 1 why)"
printf 'id,text,section,page\n1,一,体育,3\n1,二,财经,4\n' >twice.csv
refused 1 'twice.csv:3: duplicate id 1' "$fplab" import twice.csv --out x
"$fplab" import twice.csv --keep section,page --skip-bad --out k >told 2>err && grep -qxF '{"id":"1","text":"一","section":"体育","page":"3"}' k/docs.jsonl || complain "--keep: $(cat err)"
printf 'id,text\n' >empty.csv
refused 1 'there are no rows of texts' "$fplab" import empty.csv --out x
[ -e x ] && complain "a refused import wrote something"

# A disk that is full: what was there stays.
python3 -c '
for i in range(20000): print("这是第 %d 行，足够长，写满一个不大的磁盘。" % i)' >many.txt
before=$(sha256sum k/docs.jsonl)
(ulimit -f 200; trap '' XFSZ; "$fplab" import many.txt --out k) >out 2>err
[ $? = 1 ] && [ "$(wc -l <err)" = 1 ] && [ "$before" = "$(sha256sum k/docs.jsonl)" ] || complain "a full disk: $(cat err)"

# ---- Public sets, raw, to the same pairs ----
same_pairs() { # SET RECIPE COLUMNS
    [ -d "$sets/$1" ] || { echo "skipped: ../shared/data/$1 is not there"; return; }
    python3 - "$sets/$1" "$1" "$2" <<'PYTHON' || { complain "$1: cannot be made raw"; return; }
import json, os, sys
source, out, recipe = sys.argv[1:]
text = {e['id']: e['text'] for e in map(json.loads, open(source + '/docs.jsonl', encoding='utf-8'))}
os.makedirs(out)
files = {}
with open(out + '.want', 'w', encoding='utf-8') as want:
    for line in open(source + '/pairs.tsv', encoding='utf-8'):
        a, b, label, kind = line.rstrip('\n').split('\t')
        if recipe == 'pawsx-zh':
            if kind not in files:
                files[kind] = open('%s/%s.tsv' % (out, kind), 'w', encoding='utf-8'); files[kind].write('id\tsentence1\tsentence2\tlabel\n')
            files[kind].write('0\t%s\t%s\t%s\n' % (text[a], text[b], label))
        else:
            if kind not in files: files[kind] = open('%s/%s.txt' % (out, kind), 'w', encoding='utf-8')
            files[kind].write(json.dumps({'source': text[a], 'target': text[b], 'labelB': label}, ensure_ascii=False) + '\n')
        want.write(json.dumps([text[a], text[b], label, kind]) + '\n')
PYTHON
    "$fplab" import --recipe "$2" "$1" --out "got-$1" >told 2>err || complain "$1: $(cat err)"
    python3 - "got-$1" "$1.want" <<'PYTHON' || complain "$1: other pairs: $(cat why)"
import json, sys
text = {e['id']: e['text'] for e in map(json.loads, open(sys.argv[1] + '/docs.jsonl', encoding='utf-8'))}
got = sorted([text[a], text[b], label, kind] for a, b, label, kind in (line.rstrip('\n').split('\t') for line in open(sys.argv[1] + '/pairs.tsv', encoding='utf-8')))
want = sorted(map(json.loads, open(sys.argv[2], encoding='utf-8')))
if got != want: open('why', 'w').write('%d pairs, not %d' % (len(got), len(want))); sys.exit(1)
PYTHON
}
same_pairs zh_pawsx pawsx-zh
same_pairs zh_sohu_event sohu-b
exit $bad
