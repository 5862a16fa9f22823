#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# dedup --passages: the spans are those that a search of every window finds, in texts of few characters and in news; whole sentences alone go; JSON keeps
# its other members; what is not asked for is refused.
. tests/support.sh
cd "$work" || exit 1
python3 - "$newswire" <<'PY' || exit 77
import json, random, sys
rng = random.Random(20261128)
texts = ["".join(rng.choice("ab。") for _ in range(rng.randint(0, 60))) for _ in range(150)]
texts += ["".join(rng.choice("天地玄黄 。") for _ in range(rng.randint(1, 40))).strip() or "天" for _ in range(150)]
texts += [json.loads(line)["text"] for line in open(sys.argv[1] + "/docs.jsonl", encoding="utf-8")][:60]
with open("texts.jsonl", "w", encoding="utf-8") as to:
    for i, text in enumerate(texts):
        to.write(json.dumps({"first": i, "id": "t%d" % i, "text": text or "无", "last": [i, "\\\"}"]}, ensure_ascii=i % 2 == 0) + "\n")
PY
for window in 1 2 5 9 40; do
    "$fplab" dedup --passages $window --dropped texts.jsonl >spans.tsv 2>note || complain "--passages $window --dropped: $(cat note)"
    "$fplab" dedup --passages $window texts.jsonl >left.jsonl 2>>note || complain "--passages $window: $(cat note)"
    python3 - $window <<'PY' || complain "--passages $window"
import json, re, sys
window = int(sys.argv[1])
rows = [json.loads(line) for line in open("texts.jsonl", encoding="utf-8")]
left = {r["id"]: r for r in map(json.loads, open("left.jsonl", encoding="utf-8"))}
seen, covered = set(), {}
for row in rows:
    text, mark = row["text"], set()
    for at in range(len(text) - window + 1):
        part = text[at:at + window]
        if part in seen: mark.update(range(at, at + window))
        seen.add(part)
    covered[row["id"]] = mark
told = {row["id"]: set() for row in rows}
by_id = {row["id"]: row for row in rows}
for line in list(open("spans.tsv", encoding="utf-8"))[1:]:
    name, begin, end, first, at = line.rstrip("\n").split("\t")
    begin, end, at = int(begin) - 1, int(end), int(at) - 1
    told[name].update(range(begin, end))
    assert by_id[name]["text"][begin:end] == by_id[first]["text"][at:at + end - begin], line
    assert (by_id[first]["first"], at) < (by_id[name]["first"], begin), line
assert told == covered
for row in rows[:300]:
    text, mark = row["text"], covered[row["id"]]
    # Sentences of the drawn texts end with 。 or a line end.
    parts = [m.span() for m in re.finditer(r"[^。\n]*[。\n]+|[^。\n]+$", text)]
    whole = [s for s in parts if text[s[0]:s[1]].strip() and all(i in mark or text[i].isspace() for i in range(*s))]
    if not whole:
        assert left[row["id"]] == row
    elif row["id"] not in left:
        assert sum(len(text[a:b].strip()) for a, b in whole) == len(re.sub(r"\s", "", text)) or len(whole) == len([s for s in parts if text[s[0]:s[1]].strip()]), row
    else:
        kept = left[row["id"]]
        assert {k: v for k, v in kept.items() if k != "text"} == {k: v for k, v in row.items() if k != "text"} and list(kept) == list(row)
        assert len(kept["text"]) < len(text)
PY
done
# By hand; lines of text stay lines.
printf '%s\n' '今天天气很好。版权所有，未经许可不得转载。' '股市上涨。版权所有，未经许可不得转载。' '版权所有，未经许可不得转载。' >lines.txt
[ "$("$fplab" dedup --passages 8 lines.txt 2>note)" = $'今天天气很好。版权所有，未经许可不得转载。\n股市上涨。' ] || complain "lines"
grep -q 'Of 3 texts, 2 lose 2 sentences (51.9% of the characters), and 1 of these has nothing left and is not printed' note || complain "note: $(cat note)"
refuses() { "$fplab" dedup "$@" lines.txt >out 2>err; local status=$?; [ $status = 2 ] && [ ! -s out ] && [ "$(wc -l <err)" = 1 ] || complain "dedup $*: status $status: $(cat err)"; }
refuses --passages 0x; refuses --passages -3; refuses --passages 8 --arm simhash; refuses --passages 8 --out x; refuses --passages 8 --keep longest
: >empty.txt
"$fplab" dedup --passages 8 empty.txt >out 2>err && [ ! -s out ] || complain "an empty file: $(cat err)"
exit $bad
