#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What the program takes for a homophone is one by dictionaries that it does not read, and frequent characters come first.
. tests/support.sh
judge=$(realpath tests/text/variants/homophone_judge.py)
cd "$work" || exit 1
command -v python3 >/dev/null || { echo "there is no python3"; exit 77; }
[ -r /usr/share/unicode/Unihan_Readings.txt.bz2 ] || { echo "unicode-data is not installed"; exit 77; }
mkdir part && head -200 "$newswire/docs.jsonl" >part/docs.jsonl
"$fplab" corpus corrupt --corpus part --kind homophone --rate 0.5 --edits --out sounds >table || complain "no copies"
read -r judged share <<<"$(python3 "$judge" sounds)"
[ "$judged" -gt 20000 ] || complain "only $judged substitutions were judged"
awk -v s="$share" 'BEGIN { exit !(s > 0.995) }' || complain "$share of $judged have a reading in common"
echo "Unihan's dictionaries: $share of $judged substitutions share a reading"

# Frequent ones first: of what is put in, nine in ten are among the 2,500 characters most frequent in the texts of jieba's dictionary.
python3 - sounds <<'E2' || complain "rare characters are put in"
import collections, json, sys
count = collections.Counter()
for line in open("/usr/lib/python3/dist-packages/jieba/dict.txt", encoding="utf-8"):
    word, times, _ = line.split(" ")
    for c in word:
        count[c] += int(times)
common = {c for c, _ in count.most_common(2500)}
put = [e[2] for line in open(sys.argv[1] + "/docs.jsonl", encoding="utf-8") for e in json.loads(line).get("edits", [])]
share = sum(c in common for c in put) / len(put)
print("of %d put in, %.4f are common" % (len(put), share))
sys.exit(share < 0.9)
E2

# A character of several readings is read as in its word: 重庆 is chong qing, 重要 zhong yao, 银行 yin hang, 行走 xing zou.
mkdir many
for i in $(seq 300); do
    printf '{"id":"c%d","text":"重庆"}\n{"id":"z%d","text":"重要"}\n{"id":"h%d","text":"银行"}\n{"id":"x%d","text":"行走"}\n' $i $i $i $i
done >many/docs.jsonl
"$fplab" corpus corrupt --corpus many --kind homophone --rate 1 --edits --out read >/dev/null 2>&1 || complain "no copies of words"
python3 - "$judge" <<'E2' || complain "words are read wrongly"
import collections, json, sys
sys.argv = ["judge", "/dev/null"]
place = {"c": 0, "z": 0, "h": 1, "x": 0}
put = collections.defaultdict(set)
for line in open("read/docs.jsonl", encoding="utf-8"):
    row = json.loads(line)
    for at, before, after in row.get("edits", []):
        if at == place[row["id"][0]]:
            put[row["id"][0]].add(after)
print({k: "".join(sorted(v)) for k, v in put.items()})
# 冲虫崇充 are chong and 中种众钟终 zhong; 航杭 hang and 性形型姓 xing: none of them is the other.
ok = put["c"] & set("冲虫崇充") and not put["c"] & set("中种众钟终") and put["z"] & set("中种众") and not put["z"] & set("冲虫崇充")
ok = ok and put["h"] & set("航杭") and not put["h"] & set("性形型姓") and put["x"] & set("性形型姓") and not put["x"] & set("航杭")
sys.exit(not ok)
E2
exit $bad
