#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What explain prints is read at 80 columns, has colours on a terminal only, and says when there is nothing to compare;
# commands that wait for a text on a terminal say so, once, and on standard error.
. tests/support.sh
cd "$work" || exit 1
# Without the spaces that its path may hold, since a shell reads it again.
ln -s "$fplab" fplab && fplab=$work/fplab
text='美国“51区”雇员称内部有9架飞碟，曾看见灰色外星人 and a few English words beside it, twice, in one line'

# Wide characters take two columns of a terminal.
widest() {
    python3 -c 'import sys, unicodedata
print(max(sum(1 + (unicodedata.east_asian_width(c) in "WF") for c in line.rstrip("\n")) for line in open(sys.argv[1], encoding="utf-8")))' "$1"
}
for arm in simhash simhash:bits=128,weight=tf hyperplane bitsample exact pinyin; do
    "$fplab" explain "$arm" --text 美国51区雇员看见灰色外星人 >out || complain "explain $arm"
    [ "$(widest out)" -le 80 ] || complain "explain $arm is $(widest out) columns wide"
    "$fplab" explain "$arm" --pair --text 美国51区雇员看见灰色外星人 美国51区雇员看见绿色外星人 >out || complain "explain $arm --pair"
    "$fplab" explain "$arm" --text "$text" --format json >out.json || complain "explain $arm as JSON"
done

# Folded, the bits and numbers are those of JSON, in order.
"$fplab" explain simhash:weight=tf --text "$text" >out
"$fplab" explain simhash:weight=tf --text "$text" --format json >out.json
step() { awk -v title="$1" 'index($0, title) == 1 { here = 1; next } /^$/ { here = 0 } here' out; }
whole=$(sed -n 's/.*"sums": *"\([^"]*\)".*/\1/p' out.json | head -n 1)
folded=$(step '4. merge' | sed 1,1d | sed 's/^[0-9]*–[0-9]* *//' | tr -s ' \n' ' ' | sed 's/^ //; s/ $//')
[ "$whole" = "$folded" ] && [ "$(wc -w <<<"$whole")" = 64 ] || complain "sums: $whole; folded $folded"
[ "$(step '4. merge' | sed 1,1d | sed 's/^[0-9]*–[0-9]* *//' | wc -l)" = 8 ] || complain "sums are not folded into bytes"
print=$(sed -n 's/.*"fingerprint": *"\([01]*\)".*/\1/p' out.json)
[ "$(step '5. reduce' | tail -n 1 | tr -d ' ')" = "$print" ] && [ ${#print} = 64 ] || complain "fingerprint $print"
[ "$(step '5. reduce' | tail -n 1)" = "$(sed 's/......../& /g; s/ $//' <<<"$print")" ] || complain "not eight groups of eight"

# Nothing to compare.
for text in '' '，。'; do
    "$fplab" explain simhash --text "$text" >out || complain "explain simhash of '$text'"
    [ "$(wc -l <out)" -le 3 ] && grep -q 'no feature (words logtf)' out || complain "explain simhash of '$text': $(cat out)"
done
"$fplab" explain pinyin --text "no Han at all" | grep -q 'no Han character with a reading' || complain "pinyin of English"
"$fplab" explain exact --text '' | grep -q 'The text is empty' || complain "exact of nothing"
"$fplab" explain simhash --pair --text 甲乙 '' | grep -q 'nothing to compare' || complain "a pair of which one is empty"

# A terminal that `script` makes.
command -v script >/dev/null || { echo "note: no program script: what a terminal sees was not tried"; exit $bad; }
on_terminal() { TERM=xterm script -qec "$1" /dev/null </dev/null; }
escape=$(printf '\033')
on_terminal "$fplab explain simhash --text 甲乙丙" | grep -q "$escape\[31m-" || complain "no red for votes against"
on_terminal "$fplab explain simhash --text 甲乙丙" | grep -q "$escape\[32m" || complain "no green for votes for"
on_terminal "NO_COLOR=1 $fplab explain simhash --text 甲乙丙" | grep -q "$escape\[3" && complain "colours with NO_COLOR"
"$fplab" explain simhash --text 甲乙丙 | grep -q "$escape" && complain "colours in a pipe"
for command in "explain simhash" features "compare - /dev/null" fingerprint; do
    { sleep 0.3; printf '甲乙丙\n\004'; } | TERM=xterm timeout 20 script -qec "$fplab $command >out 2>err" /dev/null >/dev/null
    [ "$(grep -c 'from the terminal; end with Ctrl-D' err)" = 1 ] || complain "$command does not say what it waits for: $(cat err)"
    echo 甲乙丙 | "$fplab" $command >out 2>err
    grep -q 'from the terminal' err && complain "$command speaks of a terminal to a pipe"
done
exit $bad
