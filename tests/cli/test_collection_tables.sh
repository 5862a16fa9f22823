#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The tables of a collection as its commands show them: of which kind they are, how sure they find, and what is told when a file beside the
# store is damaged.
. tests/support.sh
cd "$work" || exit 1
ln -s "$newswire" newswire-zh && newswire=$work/newswire-zh
docs=$newswire/docs.jsonl
head -n 60 "$docs" >first.jsonl; tail -n +61 "$docs" >second.jsonl
flip() { # FILE OFFSET: negative ones from the end
    python3 - "$1" "$2" <<'PYTHON'
import sys
data = bytearray(open(sys.argv[1], 'rb').read()); data[int(sys.argv[2])] ^= 1
open(sys.argv[1], 'wb').write(data)
PYTHON
}

# ---- Signatures: bands, and what they find ----
sure='Found by the index: a pair right at 26 slots of 64 (Jaccard 0.594) with probability 0.9909'
"$fplab" index build sets.fp -a minhash -d 26 first.jsonl 2>err || complain "build: $(cat err)"
grep -qF "$sure" err || complain "build tells no recall: $(cat err)"
"$fplab" index stats sets.fp -f tsv >stats 2>err
# 20 bands of 3 slots: 1 − (1 − (38/64)^3)^20, by the S-curve.
grep -qP '^tables\tbands=20,rows=3\t' stats && grep -qP '^recall\t0\.9908795' stats && grep -qP '^in_tables\t60\t' stats || complain "stats: $(cat stats)"
"$fplab" track sets.fp second.jsonl >tracked 2>err || complain "track: $(cat err)"
grep -qF "$sure" err || complain "track tells no recall: $(cat err)"
"$fplab" query sets.fp "$newswire" >found 2>err || complain "query: $(cat err)"
grep -qF "$sure" err || complain "query tells no recall: $(cat err)"
"$fplab" query sets.fp --within 30 "$newswire" 2>&1 >/dev/null | grep -q 'every pair within 30 slots of 64 (.*), none missed' || complain "query beyond the threshold"
"$fplab" cluster -c sets.fp 2>&1 >/dev/null | grep -qF "$sure" || complain "cluster tells no recall"
"$fplab" index merge sets.fp 2>err || complain "merge: $(cat err)"
grep -q '168 fingerprints are in the tables of sets.fp (bands=20,rows=3)' err || complain "merge: $(cat err)"
"$fplab" index check sets.fp >out 2>err || complain "check: $(cat out err)"

# Without tables all are looked at: a superset, and the same where bands find all.
"$fplab" index build all.fp -a minhash -d 26 --recall 1 "$newswire" 2>err || complain "--recall 1: $(cat err)"
grep -q 'every pair within 26 slots of 64 (Jaccard 0.594), none missed' err || complain "--recall 1: $(cat err)"
"$fplab" index stats all.fp -f tsv | grep -qP '^tables\tnone\t' || complain "--recall 1: tables"
[ ! -e all.fp.tables ] || complain "--recall 1: a file of tables"
"$fplab" query all.fp "$newswire" 2>/dev/null | cut -f1-3 | sort >every
"$fplab" query sets.fp "$newswire" 2>/dev/null | cut -f1-3 | sort >some
[ -z "$(comm -13 every some)" ] || complain "bands find what is not near: $(comm -13 every some | head -n 2)"
[ "$(wc -l <some)" -ge $(($(wc -l <every) * 97 / 100)) ] || complain "bands find $(wc -l <some) of $(wc -l <every)"
"$fplab" query sets.fp --within 40 "$newswire" 2>/dev/null | cut -f1-3 | sort | cmp -s - <("$fplab" query all.fp --within 40 "$newswire" 2>/dev/null | cut -f1-3 | sort) || complain "beyond the threshold others are found"
"$fplab" query sets.fp --top 5 second.jsonl 2>/dev/null | cut -f1,3 | awk 'NR > 1' | sort | cmp -s - <("$fplab" query all.fp --top 5 second.jsonl 2>/dev/null | cut -f1,3 | awk 'NR > 1' | sort) || complain "--top finds others"
for wrong in 0 1.5 x nan; do refused 2 '--recall takes a number' "$fplab" index build x.fp -a minhash -d 26 --recall $wrong "$newswire"; done

# Bit fingerprints: blocks, whatever the recall.
"$fplab" index build bits.fp -a simhash -d 3 --recall 0.5 "$newswire" 2>err || complain "bits: $(cat err)"
grep -q 'none missed' err || complain "bits: $(cat err)"
"$fplab" index stats bits.fp -f tsv | grep -qP '^recall\t1\t' || complain "bits: recall"

# Tables of another kind are not used.
cp bits.fp.tables sets.fp.tables
"$fplab" query sets.fp "$newswire" 2>err | cut -f1-3 | sort | cmp -s - every || complain "with tables of another kind: $(head -n 1 err)"
grep -q 'index merge' err || complain "tables of another kind: nothing is said"
"$fplab" index check sets.fp >out 2>/dev/null && complain "tables of another kind pass the check"
"$fplab" index merge sets.fp 2>err && "$fplab" index check sets.fp >out 2>&1 || complain "merge does not mend: $(cat err out)"
for at in 200 -4000 -300; do
    cp sets.fp.tables kept; flip sets.fp.tables $at
    "$fplab" index check sets.fp >out 2>err && complain "tables damaged at $at pass the check"
    [ -s out ] || complain "tables damaged at $at: nothing is told"
    cp kept sets.fp.tables
done
# A damaged page changes no answer: a look-up that comes to it is refused.
cp sets.fp.tables kept
python3 - <<'PYTHON'
data = bytearray(open('sets.fp.tables', 'rb').read())
for at in range(2000, len(data) - 8000, 1000): data[at:at + 20] = bytes(20)
open('sets.fp.tables', 'wb').write(data)
PYTHON
refused 1 'are damaged; `fplab index merge` makes the file again' "$fplab" query sets.fp "$newswire"
"$fplab" index check sets.fp >out 2>err && complain "overwritten tables pass the check"
grep -v "problems\? in\|index merge" out && complain "not every line of the check has the next step"
"$fplab" index merge sets.fp 2>err || complain "merge: $(cat err)"
cmp -s kept sets.fp.tables || complain "merge makes other tables"
"$fplab" query sets.fp "$newswire" 2>err | cut -f1-3 | sort | cmp -s - every || complain "after a merge: $(head -n 1 err)"

# ---- The index of granules ----
"$fplab" index build granules.fp -a winnowing -d 32 --keep-texts "$newswire" 2>err || complain "granules: $(cat err)"
"$fplab" index check granules.fp >out 2>err || complain "granules: check: $(cat out err)"
cp granules.fp.votes kept
flip granules.fp.votes 100
"$fplab" index check granules.fp >out 2>err && complain "damaged votes pass the check"
grep -q 'granules.fp.votes: bytes .* of the section .* are damaged' out || complain "damaged votes: $(cat out err)"
head -c 500 kept >granules.fp.votes
"$fplab" index check granules.fp >out 2>err && complain "votes that are cut off pass the check"
grep -q 'the index of granules is not used' out || complain "votes that are cut off: $(cat out err)"
rm granules.fp.votes
"$fplab" index check granules.fp >out 2>err && complain "votes that are gone pass the check"
"$fplab" index merge granules.fp 2>err && "$fplab" index check granules.fp >out 2>&1 || complain "merge does not mend the votes: $(cat err out)"
cmp -s granules.fp.votes kept || complain "merge makes other votes"
exit $bad
