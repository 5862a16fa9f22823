#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# fplab index add is killed (SIGKILL) at moments of chance, in the middle of texts, transactions and merges of tables, again and again into
# one collection: every id that it printed as acknowledged is there, none twice, and `index check` finds nothing. So is `fplab track`: a row
# that it printed is of a text that is there. KILLS=N (default 40).
. tests/support.sh
cd "$work" || exit 1
seed=${SEED:-$RANDOM}
echo "seed $seed (SEED=$seed repeats the moments, as far as a machine repeats itself)"
RANDOM=$seed
"$fplab" index build c.fp -a simhash:features=chars:2 -d 3 - <<<'开始' 2>err || { complain "build: $(cat err)"; exit 1; }
python3 - <<'PYTHON'
import random
random.seed(5)
with open('texts', 'w', encoding='utf-8') as out:
    for i in range(800000):
        out.write('%d' % i + ''.join(chr(0x4e00 + random.randrange(2000)) for _ in range(12)) + '\n')
PYTHON
next=1
: >acknowledged
for kill in $(seq "${KILLS:-40}"); do
    # Every second one merges now and then, since what a file brings is merged; the others come through a pipe.
    if [ $((kill % 2)) = 0 ]; then tail -n +$next texts | head -n 30000 >part; set -- part; else set -- -; fi
    tail -n +$next texts | "$fplab" index add c.fp --acknowledge --skip-bad --id-prefix "run$kill-" "$@" >told 2>err & writer=$!
    sleep "$(awk -v r=$RANDOM 'BEGIN { printf "%.3f", 0.02 + r / 32768 * 0.4 }')"
    kill -9 $writer 2>/dev/null
    wait $writer 2>/dev/null
    sed '$!b; /^run[0-9]*-[0-9]*$/!d' told >whole # the last line may be in part
    cat whole >>acknowledged
    next=$((next + $(wc -l <whole)))
    if [ $((kill % 10)) = 0 ]; then
        "$fplab" index check c.fp >problems 2>err || complain "after kill $kill: $(head -n 3 problems err)"
    fi
done
[ "$(wc -l <acknowledged)" -gt 5000 ] || complain "only $(wc -l <acknowledged) texts were acknowledged: nothing was tried"
"$fplab" index merge c.fp 2>err || complain "merge: $(cat err)"
"$fplab" index check c.fp >problems 2>err || complain "in the end: $(head -n 3 problems err)"
sort acknowledged | uniq -d | head -n 1 | grep -q . && complain "an id was acknowledged twice"
# Every acknowledged id can be deleted, which none could that is not there.
"$fplab" index delete c.fp --ids acknowledged 2>err || complain "an acknowledged id is not there: $(cat err)"
echo "$(wc -l <acknowledged) texts acknowledged over ${KILLS:-40} kills"

"$fplab" index build t.fp -a simhash:features=chars:2 -d 3 - <<<'开始' 2>err || { complain "build: $(cat err)"; exit 1; }
next=1
: >printed
for kill in $(seq $((${KILLS:-40} / 4))); do
    tail -n +$next texts | "$fplab" track t.fp -f tsv --id-prefix "run$kill-" - >told 2>err & writer=$!
    sleep "$(awk -v r=$RANDOM 'BEGIN { printf "%.3f", 0.05 + r / 32768 * 0.6 }')"
    kill -9 $writer 2>/dev/null
    wait $writer 2>/dev/null
    tail -n +2 told | sed '$d' | cut -f1 >whole # the last line may be in part
    cat whole >>printed
    next=$((next + $(wc -l <whole)))
done
[ "$(wc -l <printed)" -gt 1000 ] || complain "track printed only $(wc -l <printed) rows: nothing was tried"
"$fplab" index check t.fp >problems 2>err || complain "track: $(head -n 3 problems err)"
"$fplab" index delete t.fp --ids printed 2>err || complain "a text of a printed row is not there: $(cat err)"
echo "$(wc -l <printed) rows printed over $((${KILLS:-40} / 4)) kills"
exit $bad
