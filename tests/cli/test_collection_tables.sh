#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The tables of a collection as its commands show them: of which kind they are, how sure they find, and what is told when rows of them are
# damaged.
. tests/support.sh
cd "$work" || exit 1
ln -s "$newswire" newswire-zh && newswire=$work/newswire-zh
docs=$newswire/docs.jsonl
head -n 60 "$docs" >first.jsonl; tail -n +61 "$docs" >second.jsonl
sql() { # FILE STATEMENT
    python3 -c 'import sqlite3, sys
db = sqlite3.connect(sys.argv[1])
for row in db.execute(sys.argv[2]): print(*row)
db.commit()' "$@"
}

# ---- Signatures: bands, and what they find ----
sure='Found by the index: recall 0.9909 at 26 slots of 64 (Jaccard 0.594)'
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
[ "$(sql all.fp 'SELECT count(*) FROM tables')" = 0 ] || complain "--recall 1: rows of tables"
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

# A damaged row changes no answer: a look-up that comes to it is refused.
cp sets.fp kept
sql sets.fp "UPDATE tables SET entries = x'00' || substr(entries, 2)"
refused 1 'of its tables is damaged: its checksum differs; `fplab index merge` makes the tables again' "$fplab" query sets.fp "$newswire"
"$fplab" index check sets.fp >out 2>err && complain "overwritten tables pass the check"
grep -v "problems\? in\|index merge" out && complain "not every line of the check has the next step"
"$fplab" index merge sets.fp 2>err || complain "merge: $(cat err)"
[ "$(sql sets.fp 'SELECT * FROM tables' | md5sum)" = "$(sql kept 'SELECT * FROM tables' | md5sum)" ] || complain "merge makes other tables"
"$fplab" query sets.fp "$newswire" 2>err | cut -f1-3 | sort | cmp -s - every || complain "after a merge: $(head -n 1 err)"
# A row that is gone is noticed by a look-up that comes to it, and by the check.
sql sets.fp 'DELETE FROM tables WHERE key >> 50 = 7'
"$fplab" index check sets.fp >out 2>err && complain "a table that is gone passes the check"
grep -q 'row [0-9]* of its tables is missing; `fplab index merge`' out || complain "a table that is gone: $(cat out)"
refused 1 'is missing; `fplab index merge` makes the tables again' "$fplab" query sets.fp "$newswire"
"$fplab" index merge sets.fp 2>err || complain "merge: $(cat err)"
"$fplab" index check sets.fp >out 2>&1 || complain "after a merge: $(cat out)"
# What the store says of its tables must be of its arm.
sql sets.fp "UPDATE facts SET value = 'blocks=4 61 0 60 720' WHERE name = 'tables'"
refused 1 'sets.fp: damaged: the checksum of its "tables" differs' "$fplab" query sets.fp "$newswire"

# ---- The index of granules ----
"$fplab" index build granules.fp -a winnowing -d 32 --keep-texts "$newswire" 2>err || complain "granules: $(cat err)"
"$fplab" index check granules.fp >out 2>err || complain "granules: check: $(cat out err)"
cp granules.fp kept
rows="SELECT * FROM tables WHERE key >> 50 >= 4096"
for damage in "UPDATE tables SET entries = x'00' || substr(entries, 2)" 'DELETE FROM tables'; do
    cp kept granules.fp
    sql granules.fp "$damage WHERE key >> 50 >= 4096"
    "$fplab" index check granules.fp >out 2>err && complain "$damage: passes the check"
    grep -q 'index merge' out || complain "$damage: $(cat out err)"
    refused 1 'index merge' "$fplab" query granules.fp --sources "$newswire"
done
"$fplab" index merge granules.fp 2>err && "$fplab" index check granules.fp >out 2>&1 || complain "merge does not mend the index of granules: $(cat err out)"
[ "$(sql granules.fp "$rows" | md5sum)" = "$(sql kept "$rows" | md5sum)" ] || complain "merge makes another index of granules"
exit $bad
