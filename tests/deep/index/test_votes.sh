#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Texts glued from a fifth of one document and pieces of others find it first in 95% of 1,000 trials or more (docs/votes.md): among 20,000
# documents of bench/made_corpus.py, 20,000 made of pieces of Debian's Chinese text, and that text itself. With the word `million`, among
# 1,000,000 made ones: 6 GB and some minutes.
set -eu
glued=$(realpath "${BUILD:-build}/tests/deep/index/votes_glued")
here=$(dirname "$(realpath "$0")")
work=$(mktemp -d "${TMPDIR:-/tmp}/fplab-votes-XXXXXX")
trap 'rm -rf "$work"' EXIT
bad=0

tests/deep/peers/debian_chinese.py >"$work/lines.txt" 2>"$work/sources"
[ "$(wc -c <"$work/lines.txt")" -gt 4000000 ] || { echo "skipped: too little of Debian's Chinese text is installed:"; cat "$work/sources"; exit 77; }

if [ "${1:-}" = million ]; then
    for arm in pinyin:granule=16 winnowing:features=chars:5,window=8; do "$glued" "$arm" 1000 "$work/lines.txt" 1000000 600 || bad=1; done
    exit $bad
fi
bench/made_corpus.py 20000 "$work/made" --grouped 0
for arm in pinyin:granule=16,overlap=0.9 winnowing:features=chars:5 jaccard:features=chars:5; do
    "$glued" "$arm" 1000 "$work/made" || bad=1
    "$glued" "$arm" 1000 "$work/lines.txt" 20000 600 || bad=1
done

# The text as it stands: lines one after the other, 400 characters a document. The traditional pages are the simplified ones again.
python3 - tests/deep/peers "$work" <<'PYTHON'
import json, sys
sys.path.insert(0, sys.argv[1])
import debian_chinese
with open(sys.argv[2] + '/docs.jsonl', 'w', encoding='utf-8') as out:
    count = 0
    for name, lines in debian_chinese.by_source():
        text = ''
        for line in lines if 'traditional' not in name else []:
            text += line + '\n'
            if len(text) >= 400:
                out.write(json.dumps({'id': str(count), 'text': text}, ensure_ascii=False) + '\n')
                count, text = count + 1, ''
PYTHON
for arm in winnowing:features=chars:5 jaccard:features=chars:5; do "$glued" "$arm" 1000 "$work" || bad=1; done
exit $bad
