#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# --verify: of the pairs that a signature finds, those remain whose exact measure agrees, as a brute force of two exact joins says; and what is kept is
# what the greedy rule keeps of those pairs. Texts: 400 different notices of two templates, made here, some with a light edit beside them and some twice,
# and 200 of a long one, a little less alike than the threshold.
. tests/support.sh
cd "$work" || exit 1
python3 - >notices.jsonl <<'E'
import json, random
r = random.Random(7)
names = "王李张刘陈杨黄赵周吴徐孙马朱胡林郭何高罗"
places = "城东 城西 开发区 老街 新城 河北 江南 北门 湖滨 高新".split()
reasons = "管道检修 线路改造 水质检测 设备更换 道路施工 泵站维护 阀门更换 清洗水箱".split()
def notice(i):
    who = r.choice(names) + r.choice(names) + r.choice(names); n = r.randrange(10**6)
    if i % 2:
        return (f"通知第{n}号：因{r.choice(reasons)}，{r.choice(places)}片区将于{r.randrange(1, 13)}月{r.randrange(1, 29)}日{r.randrange(24)}时起停水，"
                f"请居民提前储水，如有疑问请联系{who}，电话{r.randrange(10**7, 10**8)}，给您带来不便敬请谅解。")
    return (f"{who}同志：您申请的第{n}号事项已经受理，请携带身份证原件于{r.randrange(1, 13)}月{r.randrange(1, 29)}日前到{r.choice(places)}服务中心"
            f"{r.randrange(1, 40)}号窗口办理，逾期视为放弃，咨询电话{r.randrange(10**7, 10**8)}。")
texts = []
for i in range(400):
    text = notice(i); texts.append(text)
    at = r.randrange(len(text))
    if i % 5 == 0: texts.append(text[:at] + "某" + text[at + 1:])
    if i % 8 == 0: texts.append(text)
long = "各位业主：接供水公司通知，因主干管道改造，本小区将按下列安排停水。请提前储水，关好水龙头，防止来水后溢出；高层住户来水时间会稍有延迟。施工期间请绕行北门。本次安排："
texts += [long + "".join("一二三四五六七八九十甲乙丙丁戊己庚辛壬癸"[int(20 * r.random())] for _ in range(16)) for i in range(200)]
for i, text in enumerate(texts): print(json.dumps({"id": f"n{i}", "text": text, "characters": len(text)}, ensure_ascii=False))
E
# pairs ARM H [OPTION…]: pairs within the distance, a and b alone.
pairs() { "$fplab" cluster -a "$1" -d "$2" --pairs -f tsv "${@:3}" notices.jsonl 2>told | sed 1d | cut -f1,2 | sort; }
for arm in minhash:slots=64,features=chars:2/12/jaccard:features=chars:2/12 simhash:features=chars:2,weight=tfidf/9/cosine:features=chars:2,weight=tfidf/9; do
    IFS=/ read -r sketch h exact within <<<"$arm"
    pairs "$sketch" "$h" >found; pairs "$exact" "$within" >exactly; comm -12 found exactly >both
    pairs "$sketch" "$h" --verify exact >verified
    cmp -s verified both || complain "$sketch: $(diff verified both | head -n 3)"
    [ "$(wc -l <both)" -lt "$(wc -l <found)" ] || complain "$sketch: nothing was left to verify"
    grep -qE "^Of $(wc -l <found) pairs of different fingerprints found, $(wc -l <both) are verified: exact (Jaccard|cosine) of at least 0" told || complain "$sketch: $(cat told)"
    # What is kept: texts in their order, each but for those beside a kept one.
    for keep in first longest; do
        "$fplab" dedup -a "$sketch" -d "$h" --verify exact --keep $keep notices.jsonl 2>told | sed 's/^{"id": "\([^"]*\).*/\1/' | sort >kept
        python3 - both $keep >wanted <<'E'
import json, sys
near = {}
for line in open(sys.argv[1]):
    a, b = line.split(); near.setdefault(a, set()).add(b); near.setdefault(b, set()).add(a)
texts = [json.loads(line) for line in open("notices.jsonl")]
if sys.argv[2] == "longest": texts.sort(key=lambda text: -text["characters"])
kept = set()
for text in texts:
    if not near.get(text["id"], set()) & kept: kept.add(text["id"])
print("\n".join(sorted(kept)))
E
        LC_ALL=C sort wanted | cmp -s - <(LC_ALL=C sort kept) || complain "$sketch, $keep: $(wc -l <kept) are kept, not $(wc -l <wanted)"
    done
    # The same from a pipe, with the exact distance; clusters are what the pairs connect.
    "$fplab" dedup -a "$sketch" -d "$h" --verify exact --dropped notices.jsonl 2>told >rows
    [[ $sketch = *tfidf* ]] || "$fplab" dedup -a "$sketch" -d "$h" --verify exact --dropped <notices.jsonl 2>told | cmp -s - rows || complain "$sketch: another answer from a pipe"
    awk -F'\t' -v h="$h" 'NR > 1 && $3 > h' rows | grep -q . && complain "$sketch: a distance beyond the threshold: $(cat rows)"
    "$fplab" cluster -a "$sketch" -d "$h" --verify exact -f tsv notices.jsonl 2>told | sed 1d | cut -f2 | sort -rn >sizes
    python3 - >wanted <<'E'
up = {}
def root(x):
    while up.setdefault(x, x) != x: x = up[x]
    return x
for line in open("both"):
    a, b = line.split(); up[root(a)] = root(b)
sizes = {}
for x in list(up): sizes[root(x)] = sizes.get(root(x), 0) + 1
print("\n".join(map(str, sorted(sizes.values(), reverse=True))))
E
    cmp -s sizes wanted || complain "$sketch: clusters of $(head -n 5 sizes | tr '\n' ' ')"
done

# ---- The default: without an arm, with one; what run.json says ----
"$fplab" dedup notices.jsonl >default 2>told; grep -q 'no --arm is given: minhash:slots=128 at 25' told || complain "default: $(cat told)"
"$fplab" dedup -a minhash:slots=128 -d 25 --verify exact notices.jsonl 2>told | cmp -s - default || complain 'the default is another arm'
"$fplab" dedup --out made notices.jsonl >told 2>&1; grep -q '"verify":"jaccard:.*features=chars:3' made/run.json || complain "run.json: $(cat made/run.json)"
"$fplab" index build default.fp notices.jsonl >told 2>&1 && "$fplab" index stats default.fp -f tsv | grep -q '^threshold	25 slots of 128' || complain "index build: $(cat told)"

# ---- Alignment: the same shingles in another order are no common passage; window and silent texts ----
python3 - >moved.jsonl <<'E'
import json
parts = [chr(0x4e00 + 40 * i) + "".join(chr(0x4e00 + 40 * i + k) for k in range(9)) for i in range(40)]
for name, order in (("a", parts), ("b", parts[::-1]), ("c", parts[:38] + ["完全不同的结尾"])): print(json.dumps({"id": name, "text": "".join(order)}))
print(json.dumps({"id": "d", "text": ""})); print(json.dumps({"id": "e", "text": ""}))
E
near() { "$fplab" cluster -a minhash:slots=128 -d 60 --pairs -f tsv "$@" moved.jsonl 2>told | sed 1d | cut -f1,2 | sort | tr '\t\n' '- '; }
[ "$(near)" = 'a-b a-c b-c ' ] && [ "$(near --verify alignment)" = 'a-c ' ] || complain "alignment: $(near) $(near --verify alignment)"
[ -z "$(near --verify alignment:0.999)" ] || complain "alignment:0.999: $(near --verify alignment:0.999)"
[ "$("$fplab" dedup -a minhash -d 30 --verify alignment moved.jsonl 2>told | wc -l)" = 4 ] || complain "dedup --verify alignment: $(cat told)"

# ---- Refused, with the next step ----
refused 2 'jaccard has no exact measure to verify by, or is one; add --verify alignment' "$fplab" dedup -a jaccard -d 5 --verify exact notices.jsonl
refused 2 'nilsimsa has no exact measure' "$fplab" cluster -a nilsimsa -d 5 --verify exact notices.jsonl
refused 2 '--verify takes exact, alignment, alignment:SHARE with a share up to 1, or none, not x' "$fplab" dedup -a minhash -d 5 --verify x notices.jsonl
refused 2 'a collection does not keep' "$fplab" cluster --collection default.fp --verify exact
refused 2 'no arm given; name it with --arm SPEC' "$fplab" dedup -d 5 notices.jsonl
exit $bad
