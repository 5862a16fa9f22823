#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Public sets that are no tables of pairs, each on small files of the form in which it comes, written here: what is read, how it is grouped, what is
# published beside it, and the line that tells of each thing that is wrong. Where public sets are at hand, those in raw form, to the same pairs.
. tests/support.sh
sets=$(realpath ../shared/data 2>/dev/null)
cd "$work" || exit 1

# Groups of texts, one a line, sorted: what the corpus says is one.
groups() {
    python3 - "$1" <<'PYTHON'
import collections, json, sys
made = collections.defaultdict(list)
for line in open(sys.argv[1] + '/docs.jsonl', encoding='utf-8'):
    e = json.loads(line); made[e['group']].append(e['text'])
for texts in sorted(sorted(t) for t in made.values()): print(json.dumps(texts, ensure_ascii=False))
PYTHON
}
reads() { # SET DIRECTORY, then the groups it must give on standard input
    "$fplab" import --recipe "$1" "$2" --out "got-$1" -f tsv "${@:3}" >told 2>err || { complain "$1: $(cat err)"; return; }
    "$fplab" corpus check "got-$1" -f tsv >check 2>&1 || complain "$1: $(cat check)"
    groups "got-$1" >got; diff - got >why || complain "$1: $(cat why)"
}

# ---- SIGHAN ----
mkdir -p s/Training s/Test s/SampleSet s/FinalTest
cat >s/Training/SIGHAN15_CSC_A2_Training.sgml <<'SGML'
<ESSAY title="早上">
<TEXT>
<PASSAGE id="A-1">今天的天气很号。</PASSAGE>
<PASSAGE id="A-2">我們一起去工園完。</PASSAGE>
</TEXT>
<MISTAKE id="A-1" location="7">
<WRONG>号</WRONG>
<CORRECTION>好</CORRECTION>
</MISTAKE>
<MISTAKE id="A-2" location="6">
<WRONG>工園</WRONG>
<CORRECTION>公園</CORRECTION>
</MISTAKE>
<MISTAKE id="A-2" location="8">
<WRONG>完</WRONG>
<CORRECTION>玩</CORRECTION>
</MISTAKE>
</ESSAY>
SGML
cat >s/SampleSet/Bakeoff2013_SampleSet_WithError_00001-00350.txt <<'SGML'
<DOC Nid="00001">
<P>他每天都坐巴士上斑。</P>
<TEXT>
<MISTAKE wrong_position=9>
<WRONG>上斑</WRONG>
<CORRECT>上班</CORRECT>
</MISTAKE>
</TEXT>
</DOC>
SGML
printf '(pid=B-1)\t窗外的樹業掉了。\n(pid=B-2)\t這句沒有錯。\n' >s/Test/SIGHAN15_CSC_TestInput.txt
printf 'B-1, 5, 葉\nB-2, 0\n' >s/Test/SIGHAN15_CSC_TestTruth.txt
printf '\xef\xbb\xbf(NID=00001) 今天的天气很号。\n' >s/FinalTest/FinalTest_SubTask2.txt
printf '00001, 7, 好\n' >s/FinalTest/FinalTest_SubTask2_Truth.txt
reads sighan s <<'WANT'
["今天的天气很号。", "今天的天气很好。"]
["他每天都坐巴士上斑。", "他每天都坐巴士上班。"]
["我們一起去公園玩。", "我們一起去工園完。"]
["窗外的樹業掉了。", "窗外的樹葉掉了。"]
WANT
grep -qP '^rows of train15-A2\t2\t835$' told && grep -qP '^rows of test15\t2\t1100$' told && grep -qP '^pairs within groups\t4\tNA$' told &&
    grep -qP '^left out: both texts the same\t1\tNA$' told || complain "sighan: $(cat told)"
refused 1 's/Training/SIGHAN15_CSC_A2_Training.sgml:3: "号" is not at character 2 of A-1' \
    sh -c 'sed "s/location=\"7\"/location=\"2\"/" s/Training/SIGHAN15_CSC_A2_Training.sgml >new && mv new s/Training/SIGHAN15_CSC_A2_Training.sgml && "$0" import --quiet --recipe sighan s --out x' "$fplab"
"$fplab" import --recipe sighan s --out x -f tsv --skip-bad >told 2>err && grep -qP '^bad rows, left out\t1\tNA$' told && grep -q '^fplab: left out: s/Training/SIGHAN15' err || complain "sighan --skip-bad: $(cat told err)"
printf 'B-9, 0\nB-2, 9, 沒\n' >s/Test/SIGHAN15_CSC_TestTruth.txt
"$fplab" import --recipe sighan s --out x --skip-bad >told 2>err
grep -qF 's/Test/SIGHAN15_CSC_TestInput.txt:1: the truth is of B-9, the sentence is B-1' err && grep -qF 'TestInput.txt:2: B-2 has no character 9 to be corrected' err || complain "sighan, truth: $(cat err)"
mkdir s2; cp s/Test/SIGHAN15_CSC_TestInput.txt s2
refused 1 's2: the truth of a test is missing, needed for s2/SIGHAN15_CSC_TestInput.txt' "$fplab" import --quiet --recipe sighan s2 --out x
[ -e x ] && rm -r x

mkdir p; printf '今天的天气很号。\n沒有錯。\n他坐巴士上斑。\n' >p/test13_error.txt; printf '今天的天气很好。\n沒有錯。\n他坐巴士上班。\n' >p/test13_correct.txt
reads sighan-pairs p <<'WANT'
["今天的天气很号。", "今天的天气很好。"]
["他坐巴士上斑。", "他坐巴士上班。"]
WANT
printf '今天的天气很好。\n' >p/test13_correct.txt
refused 1 'p/test13_error.txt:2: no line for it in p/test13_correct.txt' "$fplab" import --quiet --recipe sighan-pairs p --out x

# ---- Clough and Stevenson ----
mkdir c
printf 'File,Task,Category\ng0pA_taska.txt,a,non\ng0pB_taska.txt,a,cut\ng0pC_taska.txt,a,light\norig_taska.txt,a,orig\n' >c/file_information.csv
echo 'A stack gives back last what came first.' >c/orig_taska.txt; echo 'Stacks are piles of plates.' >c/g0pA_taska.txt
echo 'A stack gives back last what came first, they say.' >c/g0pB_taska.txt; printf 'A stack gives back what came \x93last\x94.\n' >c/g0pC_taska.txt
"$fplab" import --recipe clough-stevenson c --out cs -f tsv >told 2>err || complain "clough-stevenson: $(cat err)"
cmp -s cs/pairs.tsv <(printf 'orig_taska\tg0pA_taska\t0\tnon\norig_taska\tg0pB_taska\t1\tcut\norig_taska\tg0pC_taska\t1\tlight\n') || complain "clough-stevenson: $(cat cs/pairs.tsv)"
grep -qF 'what came “last”' cs/docs.jsonl || complain "clough-stevenson: $(cat cs/docs.jsonl)"
grep -qP '^rows of answers\t3\t95$' told && grep -qP '^rows that are positive\t2\t57$' told && grep -qF 'documents: 4 here, 100 published' err || complain "clough-stevenson: $(cat told err)"
rm c/g0pB_taska.txt
refused 1 'c/g0pB_taska.txt: cannot open: No such file or directory' "$fplab" import --quiet --recipe clough-stevenson c --out x
printf 'File,Task,Category\ng0pA_taska.txt,a,none\n' >c/file_information.csv
refused 1 'c/file_information.csv:2: the category "none" is none of non, cut, light, heavy and orig' "$fplab" import --quiet --recipe clough-stevenson c --out x
printf 'File,Task\n' >c/file_information.csv
refused 1 'c/file_information.csv:1: the list of files has no column Category' "$fplab" import --quiet --recipe clough-stevenson c --out x

# ---- NEWS-COPY ----
mkdir n
printf '{"x-1": {"article": "Rain is seen today.", "byline": "By X"}, "x-2": {"article": "Rain is seen to-day.", "byline": ""}, "x-3": {"article": "RAIN IS SEEN"}, "x-4": {"article": "A calf was born."}}' >n/test_inf_data.json
printf '[["x-1", "x-2"], ["x-3", "x-2"]]' >n/full_test_gt.json
reads news-copy n <<'WANT'
["A calf was born."]
["RAIN IS SEEN", "Rain is seen to-day.", "Rain is seen today."]
WANT
grep -qP '^rows of test\t4\t14211$' told && grep -qP '^pairs within groups\t3\tNA$' told || complain "news-copy: $(cat told)"
printf '[["x-1", "x-9"]]' >n/full_test_gt.json
refused 1 'n/full_test_gt.json: pair 1: no article has the id x-9' "$fplab" import --quiet --recipe news-copy n --out x
printf '[["x-1"]]' >n/full_test_gt.json
refused 1 'n/full_test_gt.json: pair 1 is not an array of two ids' "$fplab" import --quiet --recipe news-copy n --out x
printf '{"x-1": {"text": "a"}, "x-2": {"article": "b"}}' >n/test_inf_data.json; printf '[]' >n/full_test_gt.json
refused 1 'n/test_inf_data.json: the article x-1 has no "article", or it is no string' "$fplab" import --quiet --recipe news-copy n --out x
mkdir nt; printf '\tText 1\tText 2\tLabel\n0\tRain today.\t"Rain ""today"""\tsame\n1\tRain.\tSnow.\tdifferent\n' >nt/train_set.csv
"$fplab" import --recipe news-copy-train nt --out ntc >told 2>err && [ "$(cut -f3,4 ntc/pairs.tsv | tr '\n' ' ')" = "1	train 0	train " ] && grep -qF 'Rain \"today\"' ntc/docs.jsonl || complain "news-copy-train: $(cat err ntc/pairs.tsv)"

# ---- CORE ----
mkdir o
cat >o/Ground_Truth_data.jsonl <<'JSON'
{"core_id": "11", "original_title": "On rain", "original_abstract": "It rains.", "cat": "near_exact_dup", "labelled_duplicates": ["12"]}
{"core_id": "12", "original_title": "On Rain", "original_abstract": "It rains.", "cat": "near_exact_dup", "labelled_duplicates": ["11"]}
{"core_id": 13, "original_title": "On snow", "original_abstract": "", "cat": "non_dup", "labelled_duplicates": []}
JSON
reads core o <<'WANT'
["On Rain\nIt rains.", "On rain\nIt rains."]
["On snow"]
WANT
grep -qF '"cat":"non_dup"' got-core/docs.jsonl && grep -qP '^documents\t3\t100000$' told || complain "core: $(cat told got-core/docs.jsonl)"
printf '{"core_id": "14", "labelled_duplicates": "15"}\n{"title": 1}\n{"core_id"\n{"core_id": "16"}\n' >>o/Ground_Truth_data.jsonl
"$fplab" import --recipe core o --out x --skip-bad -f tsv >told 2>err
cmp -s err - <<'WANT' || complain "core, bad: $(cat err)"
fplab: left out: o/Ground_Truth_data.jsonl:4: labelled_duplicates is not an array
fplab: left out: o/Ground_Truth_data.jsonl:5: core_id and labelled_duplicates are ids, strings or numbers
fplab: left out: o/Ground_Truth_data.jsonl:6: not JSON: Expecting ':' delimiter (byte 459)
fplab: left out: o/Ground_Truth_data.jsonl:7: neither original_title nor original_abstract is there
fplab: documents: 3 here, 100000 published (its description: 100K)
What labelled duplicates connect is a group.
WANT
grep -qP '^bad rows, left out\t4\tNA$' told || complain "core: $(cat told)"
rm -rf x

# ---- ScanCode ----
mkdir -p l/src/licensedcode/data/rules l/src/licensedcode/data/licenses; (
    cd l/src/licensedcode/data || exit 1
    printf -- '---\nlicense_expression: alpha\nis_license_text: yes\n---\n\nYou may {{copy this}} freely.\n' >rules/alpha_1.RULE
    printf -- '---\nlicense_expression: alpha OR beta\nis_license_text: yes\n---\nEither of two.\n' >rules/alpha_or_beta.RULE
    printf -- '---\nlicense_expression: alpha\nis_license_notice: yes\n---\nUnder alpha.\n' >rules/alpha_2.RULE
    printf -- '---\nlicense_expression: alpha\nis_license_text: yes\nlanguage: fr\n---\nVous pouvez copier.\n' >rules/alpha_3.RULE
    printf 'You may not copy this.\n' >rules/beta_1.RULE; printf 'license_expression: beta\nis_license_text: yes\n' >rules/beta_1.yml
    printf -- '---\nkey: alpha\nshort_name: Alpha\n---\n\nYou may copy this.\n' >licenses/alpha.LICENSE
    printf 'a picture' >rules/readme.txt
)
reads scancode l <<'WANT'
["You may copy this freely.", "You may copy this."]
["You may not copy this."]
WANT
grep -qP '^rows of rules\t5\tNA$' told && grep -qP '^skipped: of another kind\t3\tNA$' told || complain "scancode: $(cat told)"
rm l/src/licensedcode/data/rules/beta_1.yml
refused 1 'l/src/licensedcode/data/rules/beta_1.RULE: no facts: neither between two lines --- at the start nor in a .yml file beside it' "$fplab" import --quiet --recipe scancode l --out x

# ---- PAN ----
mkdir -p t/susp t/src t/01-no-plagiarism t/02-no-obfuscation
echo 'Today we saw a whale. All was well.' >t/susp/suspicious-document00001.txt; echo 'A whale was seen.' >t/src/source-document00002.txt; echo 'We saw a whale.' >t/src/source-document00003.txt
echo 'suspicious-document00001.txt source-document00002.txt' >t/01-no-plagiarism/pairs
echo 'suspicious-document00001.txt source-document00003.txt' >t/02-no-obfuscation/pairs
"$fplab" import --recipe pan t --out pan >told 2>err || complain "pan: $(cat err)"
cmp -s pan/pairs.tsv <(printf 'suspicious-document00001\tsource-document00002\t0\tno-plagiarism\nsuspicious-document00001\tsource-document00003\t1\tno-obfuscation\n') || complain "pan: $(cat pan/pairs.tsv)"
grep -qF '03-random-obfuscation/pairs is not in t' err || complain "pan: $(cat err)"
echo 'suspicious-document00001.txt' >t/02-no-obfuscation/pairs
refused 1 't/02-no-obfuscation/pairs:1: a line is not two file names separated by a space' "$fplab" import --quiet --recipe pan t --out x
echo 'suspicious-document00001.txt source-document00009.txt' >t/02-no-obfuscation/pairs
refused 1 't/src/source-document00009.txt: cannot open: No such file or directory' "$fplab" import --quiet --recipe pan t --out x

# ---- Packed files, one that is too large, and no Python ----
mkdir packed; gzip -c <p/test13_error.txt >packed/test13_error.txt.gz; printf '今天的天气很好。\n沒有錯。\n他坐巴士上班。\n' >packed/test13_correct.txt
reads sighan-pairs packed <<'WANT'
["今天的天气很号。", "今天的天气很好。"]
["他坐巴士上斑。", "他坐巴士上班。"]
WANT
refused 1 'packed/test13_error.txt.gz: holds more than 10 bytes; --max-size raises the limit' "$fplab" import --quiet --recipe sighan-pairs packed --max-size 10 --out x
refused 1 'python3 is not installed (Debian package python3)' env PATH=/nowhere "$fplab" import --quiet --recipe sighan-pairs packed --out x

# ---- What is not there, and the list ----
mkdir none
"$fplab" import --recipe list -f tsv >list 2>err && [ "$(cut -f1 list | tail -n +2 | tr '\n' ' ')" = "mrpc quora lcqmc bq afqmc paws pawsx-zh sohu-a sohu-b spotsigs sighan sighan-pairs clough-stevenson news-copy news-copy-train core scancode pan " ] || complain "list: $(cat list err)"
cut -f1,3 list | tail -n +2 | grep -v '^spotsigs' | while IFS=$'\t' read -r name files; do
    refused 1 "none: contains none of the files of $name: $files" "$fplab" import --recipe "$name" none --out x
    [ $bad = 0 ] || exit 1
done || bad=1

# ---- Disk full while a set is written: --skip-bad does not pass over that ----
python3 -c '
import json
for i in range(20000): print(json.dumps({"core_id": str(i), "original_title": "paper %d" % i, "original_abstract": "long enough to fill a small disk " * 3}))' >o/Ground_Truth_data.jsonl
before=$(sha256sum got-core/docs.jsonl)
(ulimit -f 200; trap '' XFSZ; "$fplab" import --quiet --recipe core o --skip-bad --out got-core) >out 2>err
[ $? = 1 ] && [ "$(wc -l <err)" = 1 ] && [ "$before" = "$(sha256sum got-core/docs.jsonl)" ] || complain "a full disk: $(cat err)"

# ---- Public sets, raw, to the same groups or pairs ----
raw() { # SET RECIPE
    [ -d "$sets/$1" ] || { echo "skipped: ../shared/data/$1 is not there"; return; }
    python3 - "$sets/$1" "$1" "$2" <<'PYTHON' || { complain "$1: cannot be made raw"; return; }
import itertools, json, os, sys
source, out, recipe = sys.argv[1:]
docs = {e['id']: e for e in map(json.loads, open(source + '/docs.jsonl', encoding='utf-8'))}
pairs = [line.rstrip('\n').split('\t') for line in open(source + '/pairs.tsv', encoding='utf-8')]
os.makedirs(out)
def write(name, text):
    os.makedirs(os.path.dirname(os.path.join(out, name)) or out, exist_ok=True)
    open(os.path.join(out, name), 'w', encoding='utf-8', newline='').write(text)
if recipe == 'clough-stevenson':
    rows = []
    for a, b, label, kind in pairs:
        if kind in ('cut', 'light', 'heavy', 'non'): rows.append('%s.txt,%s,%s' % (b, docs[b]['task'], kind))
    for name, e in docs.items(): write(name + '.txt', e['text'])
    write('file_information.csv', 'File,Task,Category\n' + '\n'.join(rows) + '\n')
    wanted = [p for p in pairs if p[3] in ('cut', 'light', 'heavy', 'non')]
elif recipe == 'sighan-pairs':
    parts = {}
    for a, b, label, kind in pairs:
        if label == '1': parts.setdefault(docs[a]['part'], []).append((docs[a]['text'], docs[b]['text']))
    for part, both in parts.items():
        for at, name in enumerate(('error', 'correct')): write('%s_%s.txt' % (part, name), ''.join(t[at] + '\n' for t in both))
    # A sentence of two pairs connects all of them.
    root = {}
    def find(t):
        while root.setdefault(t, t) != t: t = root[t]
        return t
    for a, b in (both for part in parts.values() for both in part): root[find(a)] = find(b)
    groups = {}
    for t in root: groups.setdefault(find(t), []).append(t)
    wanted = None
    json.dump(sorted([sorted(p), 1] for texts in groups.values() for p in itertools.combinations(texts, 2)), open(out + '.want', 'w'))
else:
    for serial, e in docs.items(): write('rules/%s.RULE' % serial, '---\nlicense_expression: %s\nis_license_text: yes\n---\n\n%s\n' % (e['group'], e['text']))
    wanted = [p for p in pairs if p[2] == '1']
if wanted: json.dump(sorted([sorted([docs[a]['text'], docs[b]['text']]), int(label)] for a, b, label, kind in wanted), open(out + '.want', 'w'))
PYTHON
    "$fplab" import --recipe "$2" "$1" --out "raw-$1" -f tsv >told 2>err || complain "$1: $(cat err)"
    python3 - "raw-$1" "$1.want" <<'PYTHON' || complain "$1: other pairs: $(cat why)"
import collections, itertools, json, os, sys
docs = [json.loads(line) for line in open(sys.argv[1] + '/docs.jsonl', encoding='utf-8')]
text = {e['id']: e['text'] for e in docs}
want = json.load(open(sys.argv[2]))
if os.path.exists(sys.argv[1] + '/pairs.tsv'):
    got = [[sorted([text[a], text[b]]), int(label)] for a, b, label, kind in (l.rstrip('\n').split('\t') for l in open(sys.argv[1] + '/pairs.tsv', encoding='utf-8'))]
else:
    groups = collections.defaultdict(list)
    for e in docs: groups[e['group']].append(e['text'])
    got = [[sorted(p), 1] for texts in groups.values() for p in itertools.combinations(texts, 2)]
lost = [w for w in want if w not in got] if sorted(got) != want else []
if sorted(got) != want: open('why', 'w').write('%d pairs, not %d; %d lost: %r' % (len(got), len(want), len(lost), lost[:2])); sys.exit(1)
PYTHON
}
raw en_clough_stevenson clough-stevenson
if [ -d raw-en_clough_stevenson ]; then
    grep -qP '^rows of answers\t95\t95$' told && grep -qP '^rows that are positive\t57\t57$' told && grep -qP '^documents\t100\t100$' told || complain "its counts: $(cat told err)"
fi
raw zhTW_sighan_typos sighan-pairs
raw en_scancode_licenses scancode
exit $bad
