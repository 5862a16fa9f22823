#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# corpus check on a corpus in which each thing that is doubtful was put by hand, and corpus stats against Python.
. tests/support.sh
command -v python3 >/dev/null || { echo "python3 is not installed"; exit 77; }
cd "$work" || exit 1
mkdir odd
cat >odd/docs.jsonl <<'JSONL'
{"id":"a","text":"今天下午临江大桥恢复通车。","lang":"zh","split":"train"}
{"id":"b","text":"今天下午临江大桥恢复通车。","lang":"zh","split":"test"}
{"id":"c","text":"今天下午臨江大橋恢復通車。","lang":"zh","split":"train"}
{"id":"d","text":"A sentence in English, of more than twenty letters.","lang":"zh"}
{"id":"e","text":"这一篇的语言写错了，它其实是中文，而且不止二十个字，够长。","lang":"en"}
{"id":"f","text":"。。。"}
{"id":"g","text":""}
{"id":"h","text":"另一条完全不同的消息，说的是天气。","group":"weather"}
{"id":"i","text":"说的也是天气，在同一组里的一条。","group":"weather"}
{"id":"j","text":"第三条消息与别的都不一样，只说比赛。"}
{"id":"k","text":"这是一段日文么？不是。没有假名的一段很长的文字在这里。","lang":"ja"}
JSONL
# a=b, b=j, a≠j; h≠i of one group; c≠b of one text; a=b and b≠c of the same two texts; g is empty.
printf 'a\tb\t1\nb\tj\t1\na\tj\t0\nh\ti\t0\nb\tc\t0\ng\te\t0\n' >odd/pairs.tsv
"$fplab" corpus check odd -f tsv >facts 2>warned || complain "what is doubtful is a failure: $(cat warned)"
says() { grep -qxF "$1	$2" facts || complain "$1: $(grep -F "$1" facts)"; }
tells() { grep -qF "odd: $1" warned || complain "no warning \"$1\": $(cat warned)"; }
says 'near-empty texts' 2; tells 'near-empty texts: 2 (f, g)'
says 'identical texts, byte by byte' 1; tells 'identical texts, byte by byte: 1 (a = b)'
says 'identical texts, normalised' 2; tells 'identical texts, normalised: 2 (a = b, a = c)'
says 'identical texts, unconnected' 1; tells 'identical texts, unconnected: 1 (a = c)'
says 'identical texts, in two splits' 1; tells 'identical texts, in two splits: 1 (a = b)'
says 'pairs of the same two texts with both labels' 4; tells 'pairs of the same two texts with both labels: 4 ('
says 'negative pairs of one text' 1; tells 'negative pairs of one text: 1 (b ≠ c)'
says 'negative pairs that positives connect' 2; tells 'negative pairs that positives connect: 2 (a ≠ j, h ≠ i)'
says 'pairs with an empty text' 1; tells 'pairs with an empty text: 1 (g ≠ e)'
says 'languages that do not match the script' 3; tells 'languages that do not match the script: 3 (d, e, k)'
"$fplab" corpus check odd --strict >/dev/null 2>&1; [ $? = 1 ] || complain "--strict"
"$fplab" corpus check "$newswire" --strict >told 2>&1; [ $? = 1 ] && grep -q '^giveaways  *digits' told || complain "newswire --strict: $(tail -3 told)"

# Ten are named, all are counted.
mkdir many && for i in $(seq 25); do echo "{\"id\":\"d$i\",\"text\":\"同样的一句话，说了很多遍。\"}"; done >many/docs.jsonl
"$fplab" corpus check many >told 2>warned || complain "many: $(cat warned)"
grep -q 'many: identical texts, byte by byte: 24 (d1 = d2, .*, d1 = d11, …)$' warned || complain "many: $(cat warned)"

# Between corpora: one of the three texts of the second is a text of the first, in other characters.
mkdir first second
printf '{"id":"x","text":"简体的一句话，在第一份里。"}\n{"id":"y","text":"只在第一份里的一句话。"}\n' >first/docs.jsonl
printf '{"id":"u","text":"第二份自己的话，没有别人说。"}\n{"id":"v","text":"簡體的一句話，在第一份裡。"}\n{"id":"w","text":"還有一句，也是自己的話。"}\n' >second/docs.jsonl
"$fplab" corpus check first second -f tsv >facts 2>warned || complain "two corpora: $(cat warned)"
grep -qx 'texts of second in first	1' facts && grep -q 'second: texts that are also in first: 1 (x = v)' warned || complain "between: $(cat facts warned)"
"$fplab" corpus check --strict first second >/dev/null 2>&1 && complain "--strict is content with a text in two corpora"

# Bad input: a line each.
mkdir bad && printf 'a\tz\t1\n' >bad/pairs.tsv && cp first/docs.jsonl bad/
refused 1 'bad/pairs.tsv:1:' "$fplab" corpus check bad
for command in stats giveaways idf convert; do refused 1 'absent/docs.jsonl: cannot open' "$fplab" corpus $command absent; done

"$fplab" corpus stats "$newswire" -f tsv >stats || complain "stats"
python3 - "$newswire" <<'PYTHON' || bad=1
import collections, csv, json, sys
place = sys.argv[1]
documents = [json.loads(line) for line in open(place + '/docs.jsonl', encoding='utf-8')]
pairs = [line.rstrip('\n').split('\t') for line in open(place + '/pairs.tsv', encoding='utf-8')]
length = {d['id']: len(d['text']) for d in documents}
told, bad = {(row['of'], row['value']): row for row in csv.DictReader(open('stats', encoding='utf-8'), delimiter='\t')}, False
def expect(of, value, count, share, ids=None):
    global bad
    row = told.pop((of, value), None)
    names = 'least quarter median three_quarters most'.split()
    lengths = sorted(length[i] for i in ids) if ids else []
    want = [str(lengths[min(q * len(lengths) // 4, len(lengths) - 1)]) if ids else 'NA' for q in range(5)]
    if not row or int(row['count']) != count or abs(float(row['share']) - share) > 1e-9 or [row['characters_' + n] for n in names] != want:
        print('FAIL:', of, value, count, share, want, row); bad = True
n, m = len(documents), len(pairs)
expect('documents', '', n, 1, list(length))
for language in {d.get('lang') for d in documents}:
    own = [d['id'] for d in documents if d.get('lang') == language]
    expect('lang', language, len(own), len(own) / n, own)
for kind in {pair[3] for pair in pairs}:
    own = {i for pair in pairs if pair[3] == kind for i in pair[:2]}
    expect('kind', kind, len(own), len(own) / n, own)
    for label, name in ('1', 'positive'), ('0', 'negative'):
        count = sum(pair[2:] == [label, kind] for pair in pairs)
        if count: expect(name, kind, count, count / m)
groups = collections.defaultdict(list)
for d in documents: groups[d['group']].append(d['id'])
for name in sorted(groups, key=lambda g: -len(groups[g]))[:10]: expect('group', name, len(groups[name]), len(groups[name]) / n, groups[name])
for size, count in collections.Counter(map(len, groups.values())).items(): expect('group size', str(size), count, count / len(groups))
if told: print('FAIL: more rows:', told); bad = True
sys.exit(bad)
PYTHON
# Pictures: sixteen cells at most, and columns that line up beside Chinese names.
mkdir wide && printf '{"id":"a","text":"一二三","group":"天气"}\n{"id":"b","text":"一二三四五六七八","group":"x"}\n' >wide/docs.jsonl
"$fplab" corpus stats wide >shown 2>/dev/null
python3 - <<'PYTHON' || bad=1
import re, sys, unicodedata
lines = open('shown', encoding='utf-8').read().split('\n')
width = lambda text: sum(2 if unicodedata.east_asian_width(c) in 'WF' else 1 for c in text)
begin = lines[0].index('picture')
for line in lines[1:]:
    at = re.search('[▀-█▉-▏]', line)
    if at and not begin <= width(line[:at.start()]) < begin + 16: sys.exit('FAIL: out of line: ' + line)
    if line and width(line) > begin + 16: sys.exit('FAIL: too wide: ' + line)
PYTHON
exit $bad
