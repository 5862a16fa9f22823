#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# query=real: distances against a computation in Python from the features alone; what is stored is what it was; look-ups in their order; what does not fit
# together is refused by name.
. tests/support.sh
cd "$work" || exit 1
ln -s "$newswire" newswire-zh && newswire=$work/newswire-zh

# ---- Distances, from the features ----
"$fplab" features --spec features=words,weight=logtf --corpus "$newswire" --format tsv >features.tsv 2>err || complain "features: $(cat err)"
"$fplab" distances "$newswire" -a simhash:query=real >real.tsv 2>err || complain "distances: $(cat err)"
"$fplab" distances "$newswire" -a simhash >bits.tsv
cat >check.py <<'PYTHON'
import csv, math
sums = {}
for row in csv.DictReader(open('features.tsv', encoding='utf-8'), delimiter='\t', quoting=csv.QUOTE_NONE):
    s, word, weight = sums.setdefault(row['id'], [0.0] * 64), int(row['hash'], 16), float(row['weight'])
    for j in range(64): s[j] += weight if word >> j & 1 else -weight
def share(a, b): return sum(abs(x) for x, y in zip(a, b) if (x > 0) != (y > 0)) / sum(map(abs, a))
rows = list(csv.DictReader(open('real.tsv'), delimiter='\t'))
assert len(rows) > 300
for row in rows:
    a, b = sums[row['id_a']], sums[row['id_b']]
    expected = 64 / math.pi * math.acos(1 - share(a, b) - share(b, a))
    assert abs(float(row['distance']) - expected) < 1e-5, (row, expected)
# On the scale of bits: of the same angle on average, and the closer to it.
bits = [float(row['distance']) for row in csv.DictReader(open('bits.tsv'), delimiter='\t')]
real = [float(row['distance']) for row in rows]
assert abs(sum(bits) - sum(real)) / len(bits) < 0.7, (sum(bits) / len(bits), sum(real) / len(bits))
PYTHON
/usr/bin/python3 check.py 2>err || complain "distances: $(tail -n 1 err)"

# ---- Slots: the same for minhash, from the features and the derivation in algorithms/minhash.c, with the root of the expectation instead of a table ----
"$fplab" features --spec features=words --corpus "$newswire" --format tsv >words.tsv 2>err || complain "features: $(cat err)"
cat >slots.py <<'PYTHON'
import csv, itertools, math, sys
sys.path.insert(0, sys.argv[1])
from minhash_family import mix, salt, M
SLOTS, SEED = 64, 3
words = {}
for row in csv.DictReader(open('words.tsv', encoding='utf-8'), delimiter='\t', quoting=csv.QUOTE_NONE): words.setdefault(row['id'], set()).add(int(row['hash'], 16))
def query(features):
    two = [sorted(mix(h ^ salt(SEED), 0) * (mix(i, 1) | 1) & M for h in features)[:2] for i in range(SLOTS)]
    return [[(v ^ v >> 32, -len(features) * math.log1p(-v / 2**64)) for v in slot] for slot in two]
def shares(c, r, e): return c * math.exp(-r * e[0]), c * (1 - c) * math.exp(-r * e[1])
def probability(b, c, r, e, bits, m):
    w = shares(c, r, e)
    return sum(x for x, y in zip(w, bits) if y == m) + (1 - sum(w)) / 2**b
def one(a, stored, b):
    low, cells, total = 2**b - 1, [], 0.0
    for slot, other in zip(a, stored):
        bits, e, step = [v & low for v, _ in slot], [x for _, x in slot], 1e-4
        def gain(m):  # the derivative of the logarithm, as a difference
            at = lambda t: math.log(probability(b, 0.5 + t, 0.5 - t * 2 ** (1 - b), e, bits, m))
            return (at(step) - at(-step)) / 2 / step
        rest = next(m for m in itertools.count() if m not in bits) if b > 1 or bits[0] == bits[1] else None
        cells.append((e, bits, {m: gain(m) for m in {*bits, *([rest] if rest is not None else [])}}, rest))
        total += cells[-1][2].get(other[0][0] & low, cells[-1][2].get(rest))
    def expected(c):
        t = 0.0
        for e, bits, gains, rest in cells:
            p = {m: probability(b, c, 1 - c, e, bits, m) for m in gains if m != rest}
            t += sum(p[m] * gains[m] for m in p) + (gains[rest] * (1 - sum(p.values())) if rest is not None else 0)
        return t
    if total >= expected(1 - 1e-12): return 0
    if total < expected(0): return None
    under, over = 0.0, 1.0
    for _ in range(50):
        c = (under + over) / 2
        under, over = (c, over) if expected(c) < total else (under, c)
    return SLOTS * (1 - 2.0**-b) * (1 - c / (2 - c))
for b in (1, 4):
    rows, checked = list(csv.DictReader(open('slots%d.tsv' % b), delimiter='\t')), 0
    for row in rows[::20]:
        a, z = query(words[row['id_a']]), query(words[row['id_b']])
        there, back = one(a, z, b), one(z, a, b)
        if there is None or back is None: continue
        assert abs(float(row['distance']) - (there + back) / 2) < 0.06, (b, row, there, back)
        checked += 1
    assert checked > 20, (b, checked)
PYTHON
for b in 1 4; do "$fplab" distances "$newswire" -a minhash:query=real,features=words,b=$b,seed=3 >slots$b.tsv 2>err || complain "distances: $(cat err)"; done
/usr/bin/python3 slots.py "$OLDPWD/tests/algorithms" 2>err || complain "slots: $(tail -n 1 err)"

# ---- What is stored ----
for arm in simhash simhash:bits=20 hyperplane bitsample:bits=128 minhash minhash:b=1 minhash:b=3,slots=70; do
    case $arm in *:*) real=$arm,query=real ;; *) real=$arm:query=real ;; esac
    cmp -s <("$fplab" fingerprint -a "$arm" --corpus "$newswire") <("$fplab" fingerprint -a "$real" --corpus "$newswire") || complain "$real: other fingerprints"
done
"$fplab" index build bits.fp -a simhash -d 10 "$newswire" 2>err || complain "build: $(cat err)"
"$fplab" index build real.fp -a simhash:query=real -d 10 "$newswire" 2>err || complain "build: $(cat err)"
[ "$(wc -c <bits.fp)" = "$(wc -c <real.fp)" ] || complain "a collection of query=real has another size"
"$fplab" eval --corpus "$newswire" -a simhash:query=real 2>/dev/null | grep -q '8 bytes a text, and 256 more of a query' || complain "eval does not tell the bytes of both sides"

# ---- Look-ups ----
"$fplab" query bits.fp "$newswire" --real >by_option 2>err || complain "--real: $(cat err)"
"$fplab" query real.fp "$newswire" >by_arm 2>err || complain "query: $(cat err)"
cmp -s by_option by_arm || complain "--real and query=real differ"
"$fplab" query bits.fp "$newswire" 2>/dev/null | cut -f1-3 | sort >plain
cut -f1-3 by_arm | sort | cmp -s - plain || complain "query=real finds others than the fingerprints"
"$fplab" query real.fp "$newswire" --top 2 >top 2>err || complain "--top: $(cat err)"
cat >order.py <<'PYTHON'
import csv, math
exec(open('check.py').read().split('rows = ')[0])
def read(name): return list(csv.DictReader(open(name, encoding='utf-8'), delimiter='\t', quoting=csv.QUOTE_NONE))
def one(a, b): return 64 / math.pi * math.acos(1 - 2 * share(sums[a], sums[b]))
for name in 'by_arm', 'top':
    found = {}
    for row in read(name):
        found.setdefault(row['text'], []).append(row)
        assert abs(float(row['real']) - one(row['text'], row['found'])) < 1e-5, row
        assert abs(float(row['similarity']) - math.cos(math.pi * float(row['real']) / 64)) < 1e-6, row
    for text, rows in found.items():
        real = [float(row['real']) for row in rows]
        assert real == sorted(real) and real[0] == 0, (text, real)
        if name == 'by_arm': continue
        # The two nearest of the hundred nearest by bits: all that is as near as the second, and nearer by bits than the hundredth, is told.
        bits = sorted(sum((x > 0) != (y > 0) for x, y in zip(sums[text], s)) for s in sums.values())
        nearest = sorted(one(text, o) for o in sums if sum((x > 0) != (y > 0) for x, y in zip(sums[text], sums[o])) < bits[99])
        assert len(rows) == 2 and abs(real[1] - nearest[1]) < 1e-5, (text, real, nearest[:3])
assert any(rows != sorted(rows, key=lambda r: float(r['distance'])) for rows in [read('by_arm')])
PYTHON
/usr/bin/python3 order.py 2>err || complain "order: $(tail -n 1 err)"
"$fplab" index build slots.fp -a minhash:b=8 -d 40 "$newswire" 2>err || complain "build: $(cat err)"
"$fplab" query slots.fp "$newswire" --top 2 --real >slots 2>err || complain "--real of slots: $(cat err)"
python3 - <<'PYTHON' || complain "--real of slots: order"
import csv
rows = list(csv.DictReader(open('slots', encoding='utf-8'), delimiter='\t', quoting=csv.QUOTE_NONE))
own = [r for r in rows if r['text'] == r['found']]
assert own and all(float(r['real']) == 0 for r in own)
assert all(abs(float(r['similarity']) - (1 - float(r['real']) / 64 / (1 - 2**-8))) < 6e-5 for r in rows)
assert all(float(x['real']) <= float(y['real']) for x, y in zip(rows, rows[1:]) if x['text'] == y['text'])
PYTHON
"$fplab" query slots.fp --real --text ' ' >none 2>err || complain "an empty query of slots: $(cat err)"
[ "$(wc -l <none)" = 1 ] && grep -q '1 text has no features for the arm' err || complain "an empty query of slots: $(cat none err)"
"$fplab" query real.fp --text '。，！' >none 2>err || complain "an empty query: $(cat err)"
[ "$(wc -l <none)" = 1 ] && grep -q '1 text has no features for the arm' err || complain "an empty query: $(cat none err)"
"$fplab" fingerprint -a simhash --corpus "$newswire" | "$fplab" query real.fp --fingerprints 2>/dev/null | head -n 1 | grep -q real && complain "fingerprints have no real sums"
"$fplab" index delete real.fp transport-01-original 2>/dev/null && "$fplab" index add real.fp "$newswire" 2>err || complain "add: $(cat err)"
"$fplab" index check real.fp 2>err || complain "check: $(cat err)"

# ---- Refused, by name ----
refuses() { local says=$1; shift; "$fplab" "$@" >out 2>&1 && complain "$*: taken"; grep -q -- "$says" out || complain "$*: $(cat out)"; }
refused 2 'cosine has no parameter query' "$fplab" distances "$newswire" -a cosine:query=real
refused 2 'query takes bits, real' "$fplab" distances "$newswire" -a simhash:query=full
refused 2 'bits=64 is more than of=63' "$fplab" distances "$newswire" -a bitsample:of=63,query=real
refused 2 'bits' "$fplab" distances "$newswire" -a simhash:bits=129,query=real
refused 2 'oneperm has no parameter query' "$fplab" distances "$newswire" -a oneperm:query=real
refused 2 'query is set twice' "$fplab" distances "$newswire" -a simhash:query=real,query=bits
refused 2 '--real compares whole texts' "$fplab" query bits.fp --real --fingerprints x
"$fplab" index build sets.fp -a jaccard -d 10 "$newswire" 2>/dev/null
refused 2 '--real: jaccard has no parameter query' "$fplab" query sets.fp --real --text 我
"$fplab" index build other.fp -a simhash:query=real,bits=128 -d 10 "$newswire" 2>/dev/null
refuses 'differ in their arm' index merge real.fp other.fp
refuses 'differ in their arm' index merge slots.fp real.fp
"$fplab" index build bins.fp -a oneperm -d 10 "$newswire" 2>/dev/null
refused 2 '--real: oneperm has no parameter query' "$fplab" query bins.fp --real --text 我
"$fplab" eval --corpus "$newswire" -a minhash:query=real,b=1 2>/dev/null | grep -q '8 bytes a text, and 784 more of a query' || complain "eval does not tell the bytes of both sides of slots"
refuses 'fitted to a corpus of 64 documents or more' compare --text 我们 你们 -a simhash:query=real,center=mean
exit "$bad"
