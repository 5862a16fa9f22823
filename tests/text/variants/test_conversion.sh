#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Simplified to traditional and back at rate 1 is what the program opencc makes of the same text.
. tests/support.sh
command -v opencc >/dev/null || { echo "opencc is not installed"; exit 77; }
command -v python3 >/dev/null || { echo "there is no python3"; exit 77; }
mkdir "$work/other"
# Words that Taiwan has of its own, phrases of several characters, characters beyond the basic plane, no Chinese at all, nothing.
cat >"$work/other/docs.jsonl" <<'E2'
{"id": "words", "text": "这个软件的默认字体在打印机上显示为乱码，请用鼠标点击网络服务器的信息栏；老挝和新西兰的出租车、公交车与地铁。"}
{"id": "phrases", "text": "皇后在后面等候，头发发黄；干杯之后把饼干放在台上的台湾里面，游子云游四海，老板的面子，理发师里外发财。"}
{"id": "traditional", "text": "這個軟體的預設字型在印表機上顯示為亂碼，請用滑鼠點選網路伺服器的資訊欄；計程車與捷運，裏面，羣衆，衞生，著作，看著。"}
{"id": "planes", "text": "𠮷野家𫝊𪚥 café ﷽ 👨‍👩‍👧 “引号”「引號」\n第二行"}
{"id": "none", "text": "no Chinese at all"}
{"id": "nothing", "text": ""}
E2
mkdir "$work/part" && head -200 "$newswire/docs.jsonl" >"$work/part/docs.jsonl"
cd "$work" || exit 1
for corpus in part other ${CONVERSION_CORPORA-}; do
    for pair in traditional:s2t taiwan:s2twp hongkong:s2hk simplified:tw2sp; do
        kind=${pair%:*} config=${pair#*:}
        rm -rf made
        "$fplab" corpus corrupt --corpus "$corpus" --kind "$kind" --rate 1 --negatives 0 --out made >/dev/null 2>err || { complain "$kind: $(cat err)"; continue; }
        python3 - "$config" <<'E2' || complain "$corpus: $kind is not opencc's $config"
import json, subprocess, sys
mark = "\n\x01\n"
rows = [json.loads(line) for line in open("made/docs.jsonl", encoding="utf-8")]
texts = {row["id"]: row["text"] for row in rows}
copies = [row for row in rows if "of" in row]
given = mark.join(texts[row["of"]] for row in copies)
made = subprocess.run(["opencc", "-c", sys.argv[1]], input=given.encode(), capture_output=True, check=True).stdout.decode()
wrong = [(row["of"], row["text"], other) for row, other in zip(copies, made.split(mark)) if row["text"] != other]
print(sys.argv[1], len(copies), "texts,", len(wrong), "differ")
for name, ours, theirs in wrong[:3]:
    at = next((i for i, (a, b) in enumerate(zip(ours, theirs)) if a != b), min(len(ours), len(theirs)))
    print(name, ours[max(0, at - 8):at + 8], theirs[max(0, at - 8):at + 8])
sys.exit(bool(wrong) or not copies)
E2
    done
done
exit $bad
