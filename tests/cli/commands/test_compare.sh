#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# compare names what each arm compares.
set -u
fplab=${FPLAB:-build/bin/fplab}
bad=0
# features ARM: the cell of that arm.
features() {
    "$fplab" compare --arm "$1" --text 我是中国人 我是中国人啊 --format tsv |
        awk -F'\t' 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "features") at = i } NR == 2 { print $at }'
}
is() { [ "$(features "$1")" = "$2" ] || { echo "FAIL: $1 compares \"$(features "$1")\", not \"$2\""; bad=1; }; }
is simhash "words logtf"
is hyperplane "chars:3 tf"
is exact text
is exact:han=keep "text han=keep"
is pinyin initials
is random ""
is simhash:features=chars:2,weight=binary,top=3,han=keep "chars:2 binary top=3 han=keep"

# 记者问… in two scripts' quotation marks: the second sentence is the same, and so is the first but for its marks.
A='记者问：“什么时候通车？”他没有正面回答这个问题。' B='记者问：「什么时候通车？」他没有正面回答这个问题。'
distance() { "$fplab" compare --arm "$1" --text "$A" "$B" --format tsv | awk -F'\t' 'NR == 2 { print $2 }'; }
[ "$(distance sentences)" = 0 ] || { echo "FAIL: folded sentences are at $(distance sentences)"; bad=1; }
[ "$(distance sentences:han=keep)" = 32 ] || { echo "FAIL: sentences as they stand are at $(distance sentences:han=keep)"; bad=1; }
exit $bad
