#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# corpus giveaways: where the digits decide, digits are named; where nothing does, or what decides is the text itself, nothing is; average precision and
# share of a view are those that Python finds. Boosted trees on form name what was planted, and say where they cannot tell.
. tests/support.sh
command -v python3 >/dev/null || { echo "python3 is not installed"; exit 77; }
cd "$work" || exit 1
# Pairs of texts of random characters. In `digits` two duplicates share their number and little else, and others differ in both; in `nothing` they
# share most characters, and numbers, names and lengths are drawn for each text by itself.
python3 - <<'PYTHON'
import json, os, random
def corpus(name, shared_number, shared_text, written='0123456789'):
    random.seed(name)
    os.makedirs(name)
    words = [chr(0x4e00 + i) for i in range(0, 12000, 7)]
    documents, pairs = [], []
    def text(base, number):
        kept = [c if random.random() < shared_text else random.choice(words) for c in base]
        kept = kept[:random.randint(len(kept) - 30, len(kept))]
        middle = len(kept) // 2
        lines = ''.join(random.choice(words) for _ in range(8)), ''.join(kept[:middle]) + ('%d' % number).translate(str.maketrans('0123456789', written)) + ''.join(kept[middle:])
        return lines[0] + '。' + lines[1] + '。' + ''.join(random.choice(words) for _ in range(8)) + '。'
    for i in range(60):
        base, number = random.choices(words, k=90), random.randint(10000, 99999)
        for copy in 'ab':
            documents.append({'id': f'{i}{copy}', 'text': text(base, number if shared_number else random.randint(10000, 99999))})
        pairs.append((f'{i}a', f'{i}b', 1))
        pairs += [(f'{i}a', f'{k}b', 0) for k in random.sample([k for k in range(60) if k != i], 4)]
    random.shuffle(documents)
    open(f'{name}/docs.jsonl', 'w').write(''.join(json.dumps(d, ensure_ascii=False) + '\n' for d in documents))
    open(f'{name}/pairs.tsv', 'w').write(''.join('\t'.join(map(str, pair)) + '\n' for pair in pairs))
corpus('digits', True, 0.15)
corpus('years', True, 0.15, '〇一二三四五六七八九')
corpus('nothing', False, 0.9)

# Two scripts: `english` is Latin words but for its marks, `brands` is Chinese, and a Latin word in each text decides.
def latin(name, chinese):
    random.seed(name)
    os.makedirs(name)
    han = [chr(0x4e00 + i) for i in range(0, 12000, 7)]
    word = lambda: ''.join(random.choices('abcdefghijklmnopqrstuvwxyz', k=6))
    documents, pairs = [], []
    for i in range(60):
        base, brand = [word() for _ in range(40)], word()
        for copy in 'ab':
            if chinese:
                lines = [''.join(random.choices(han, k=30)) + brand + ''.join(random.choices(han, k=random.randint(20, 50)))]
            else:
                kept = [w if random.random() < 0.8 else word() for w in base[random.randint(0, 5):]]
                lines = [' '.join(kept[k:k + 8]) + random.choice('.!') for k in range(0, len(kept), 8)]
            documents.append({'id': f'{i}{copy}', 'text': '\n'.join(lines)})
        pairs.append((f'{i}a', f'{i}b', 1))
        pairs += [(f'{i}a', f'{k}b', 0) for k in random.sample([k for k in range(60) if k != i], 4)]
    random.shuffle(documents)
    open(f'{name}/docs.jsonl', 'w').write(''.join(json.dumps(d, ensure_ascii=False) + '\n' for d in documents))
    open(f'{name}/pairs.tsv', 'w').write(''.join('\t'.join(map(str, pair)) + '\n' for pair in pairs))
latin('english', False)
latin('brands', True)
PYTHON
# What the texts consist of gives nothing away, whatever it is called.
"$fplab" corpus giveaways english -f tsv >english.tsv 2>english.err || complain "english: $(cat english.err)"
[ -z "$(awk -F'\t' '$7 == "yes"' english.tsv)" ] && grep -q '^No label leakage found' english.err || complain "english: $(cat english.tsv)"
awk -F'\t' '$1 == "latin words" && $3 > 0.99 && $8 > 0.9 { found = 1 } END { exit !found }' english.tsv || complain "Latin words of english: $(cat english.tsv)"
"$fplab" corpus giveaways english 2>/dev/null | grep -q '^latin words .* is the text$' || complain "the table does not say that Latin words are the text"
"$fplab" corpus check english -f tsv 2>/dev/null | grep -q '^giveaways	none' || complain "check names the text itself"
"$fplab" corpus giveaways brands -f tsv >brands.tsv 2>brands.err || complain "brands: $(cat brands.err)"
[ "$(awk -F'\t' '$2 == "view" && $7 == "yes" { print $1 }' brands.tsv)" = 'latin words' ] || complain "brands: $(cat brands.tsv)"
"$fplab" corpus giveaways digits -f tsv >digits.tsv 2>digits.err || complain "digits: $(cat digits.err)"
"$fplab" corpus giveaways years -f tsv >years.tsv 2>years.err || complain "years: $(cat years.err)"
[ "$(awk -F'\t' '$2 == "view" && $7 == "yes" { print $1 }' years.tsv)" = digits ] || complain "years: $(cat years.tsv)"
"$fplab" corpus giveaways nothing -f tsv >nothing.tsv 2>nothing.err || complain "nothing: $(cat nothing.err)"
[ "$(awk -F'\t' '$2 == "view" && $7 == "yes" { print $1 }' digits.tsv)" = digits ] || complain "digits: $(cat digits.tsv)"
grep -q '^digits (1\.000), combined (form, digits, names) ([01]\.[09].*) give the set away' digits.err || complain "no sentence: $(cat digits.err)"
[ -z "$(awk -F'\t' '$7 == "yes"' nothing.tsv)" ] || complain "nothing: $(cat nothing.tsv)"
grep -q '^No label leakage found' nothing.err || complain "no sentence: $(cat nothing.err)"
"$fplab" corpus check digits -f tsv 2>/dev/null | grep -q '^giveaways	digits (' || complain "check does not say it"
"$fplab" corpus check nothing -f tsv 2>/dev/null | grep -q '^giveaways	none' || complain "check says more: $("$fplab" corpus check nothing)"
"$fplab" corpus check digits --strict >/dev/null 2>&1 && complain "--strict is content with a giveaway"

# Form alone: what is planted decides, and is named first. `untouched` has nothing of it; so has `unrelated`, where texts share nothing either.
python3 - <<'PYTHON'
import json, os, random
def corpus(name, texts=60, length=90, planted=None, order=False):
    random.seed('planted')
    os.makedirs(name)
    han = [chr(0x4e00 + i) for i in range(0, 12000, 7)]
    documents, pairs = [], []
    for i in range(texts):
        base = random.choices(han, k=length)
        for copy in 'ab':
            kept = [c if random.random() < 0.5 else random.choice(han) for c in base]
            if length > 20: kept[:12], kept[-12:] = random.choices(han, k=12), random.choices(han, k=random.randint(12, 40))
            text = ''.join(c + ('。' if n % 17 == 9 else '') for n, c in enumerate(kept))
            documents.append({'id': f'{i:02}{copy}', 'text': planted(text, i) if planted else text})
        pairs.append((f'{i:02}a', f'{i:02}b', 1))
        pairs += [(f'{i:02}a', f'{k:02}b', 0) for k in random.sample([k for k in range(texts) if k != i], 4)]
    if not order: random.shuffle(documents)
    open(f'{name}/docs.jsonl', 'w').write(''.join(json.dumps(d, ensure_ascii=False) + '\n' for d in documents))
    open(f'{name}/pairs.tsv', 'w').write(''.join('\t'.join(map(str, pair)) + '\n' for pair in pairs))
corpus('untouched')
corpus('order', order=True)
corpus('trailing', planted=lambda text, i: text + ' ' * (i + 1))
corpus('line_ends', planted=lambda text, i: text[:40] + ' ' * (i + 1) + '\n' + text[40:])
corpus('signature', planted=lambda text, i: text[:45] + '(' + chr(0x5000 + i) + chr(0x6000 + i) + ')' + text[45:])
corpus('few', texts=30)
corpus('short', length=18)
PYTHON
for name in untouched order trailing line_ends signature; do
    "$fplab" corpus giveaways $name --arm jaccard:features=chars:2 --replicates 200 --format tsv >$name.tsv 2>$name.err || complain "$name: $(cat $name.err)"
done
form() { awk -F'\t' '$1 == "combined (form)" { print $3, $7 }' "$1.tsv"; }
[ "$(awk -F'\t' '$2 == "combined" && $3 < 0.5 && $7 == "no"' untouched.tsv | wc -l)" = 2 ] || complain "form of untouched texts: $(cat untouched.tsv)"
for planted in order:'place in the file' trailing:'trailing white space' line_ends:'trailing white space' signature:'short lines and brackets'; do
    name=${planted%%:*}
    [ "$(awk -F'\t' '$1 == "combined (form)" && $3 > 0.8' $name.tsv | wc -l)" = 1 ] || complain "form of $name: $(form $name)"
    grep -q "^combined (form) rests on: ${planted#*:} \([5-9][0-9]\|100\)%" $name.err || complain "$name rests on: $(grep 'rests on' $name.err)"
done
OMP_NUM_THREADS=1 "$fplab" corpus giveaways order --arm jaccard:features=chars:2 --replicates 200 --format tsv >again.tsv 2>/dev/null
cmp -s order.tsv again.tsv || complain "one thread has other figures"
# Where it cannot tell.
"$fplab" corpus giveaways few --arm jaccard --format tsv >few.tsv 2>few.err || complain "few: $(cat few.err)"
grep -q '^Form cannot be judged here: 30 units of connected texts; it takes 50' few.err && ! grep -q combined few.tsv || complain "30 units: $(cat few.err few.tsv)"
"$fplab" corpus giveaways short --arm jaccard >short.out 2>short.err || complain "short: $(cat short.err)"
grep -q '^combined (form) .* is the text$' short.out && grep -q '^combined (form): texts are so short' short.err || complain "short: $(cat short.out short.err)"

# Python's own Jaccard and average precision: steps at each distinct distance, precision there times the recall that is gained.
"$fplab" corpus giveaways "$newswire" -a jaccard -f tsv >newswire.tsv 2>/dev/null || complain "newswire"
for corpus in digits years nothing newswire; do
    place=$corpus; [ $corpus = newswire ] && place=$newswire
    python3 - "$place" $corpus.tsv <<'PYTHON' || bad=1
import collections, json, re, sys, unicodedata
place, table = sys.argv[1:]
texts = {}
for line in open(place + '/docs.jsonl', encoding='utf-8'):
    row = json.loads(line)
    # Traditional quotation marks are taken for those of GB/T 15834.
    texts[row['id']] = unicodedata.normalize('NFKC', row['text']).translate(str.maketrans('「」『』', '“”‘’'))
pairs = [line.rstrip('\n').split('\t')[:3] for line in open(place + '/pairs.tsv', encoding='utf-8')]
views = {'digits': lambda text: collections.Counter(re.findall(r'\d+|[〇零一二三四五六七八九]{2,}', text)),
         'latin words': lambda text: collections.Counter(re.findall(r'[A-Za-zÀ-ɏ]+', text.casefold())),
         'punctuation': lambda text: collections.Counter(c for c in text if unicodedata.category(c).startswith('P')),
         'length': lambda text: collections.Counter({0: len(text)})}
def distance(a, b):
    return 1 - sum((a & b).values()) / sum((a | b).values()) if a and b else 1
def average_precision(view):
    seen = {name: view(text) for name, text in texts.items()}
    at = collections.defaultdict(lambda: [0, 0])
    for a, b, label in pairs: at[round(distance(seen[a], seen[b]), 12)][int(label)] += 1
    positives, tp, fp, sum_ = sum(label == '1' for *_, label in pairs), 0, 0, 0
    for key in sorted(at):
        tp += at[key][1]; fp += at[key][0]
        sum_ += at[key][1] / positives * tp / (tp + fp)
    return sum_
told = {row.split('\t')[0]: row.split('\t') for row in open(table, encoding='utf-8')}
bad = False
for name, view in views.items():
    own = average_precision(view)
    if abs(own - float(told[name][2])) > 1e-9: print('FAIL:', place, name, own, told[name]); bad = True
    own = sum(0 if name == 'length' else sum(len(k) * n for k, n in view(text).items()) for text in texts.values()) / sum(len(''.join(text.split())) for text in texts.values())
    if abs(own - float(told[name][7])) > 1e-9: print('FAIL:', place, name, 'share', own, told[name]); bad = True
    if sum(bool(view(text)) for text in texts.values()) != int(told[name][5]): print('FAIL:', place, name, 'documents', told[name]); bad = True
sys.exit(bad)
PYTHON
done
# Names: whom the corpus introduces as a reporter stands in the text by name.
awk -F'\t' '$1 == "names" && $6 < 100 { exit 1 }' newswire.tsv || complain "names in few documents: $(grep ^names newswire.tsv)"
# Groups as the truth.
python3 -c "
import json
for line in open('$newswire/docs.jsonl', encoding='utf-8'): print(line, end='')" >docs.jsonl && mkdir groups && mv docs.jsonl groups/
"$fplab" corpus giveaways groups -a jaccard >told 2>&1 && grep -q '^digits.*yes' told || complain "groups: $(cat told)"

grep -v '	0$' digits/pairs.tsv >positive && mkdir positives && cp digits/docs.jsonl positives/ && mv positive positives/pairs.tsv
refused 1 'has no negative pairs' "$fplab" corpus giveaways positives
rm positives/pairs.tsv
refused 2 'no labels' "$fplab" corpus giveaways positives
exit $bad
