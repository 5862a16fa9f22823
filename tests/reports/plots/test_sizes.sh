#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# In a column of 84 mm, over two of them and on a slide every figure is as wide as was asked, its type can be read, nothing leaves it, a grey one is grey,
# and it is the same every time; a size that is none is refused.
. tests/support.sh
check=$PWD/tests/reports/plots/svg_check.py
cd "$work" || exit 1
arms="-a simhash -a simhash:features=words,weight=tfidf,shortest=2 -a minhash -a cosine -a pinyin"
evaluate() { "$fplab" eval -c "$newswire" $arms --replicates 200 -N 2 --no-plots "$@" >/dev/null 2>err || complain "eval $*: $(cat err)"; }
evaluate --by kind --lost --theory --gain --costs --calibrate --prevalence 0.001 --out kinds
evaluate --by length --out lengths
"$fplab" tune -c "$newswire" -g 'simhash|minhash:features=chars:2|words' --folds 3 --replicates 200 --no-plots --out tuned >/dev/null 2>err || complain "tune: $(cat err)"
"$fplab" plan --slots 64 --similarity 0.7 --plot-format svg --out banding >/dev/null 2>err || complain "plan: $(cat err)"
"$fplab" plan --docs 1e9 --plot-format svg --out designs >/dev/null 2>err || complain "plan: $(cat err)"
for run in kinds lengths tuned banding designs; do
    for drawing in "column both 317 --grey" "page en 657" "slide zh 1280"; do
        read -r size lang width grey <<<"$drawing"
        # A column is the tighter one: of a slide two runs stand for all.
        [[ $size == column || $run == kinds || $run == designs ]] || continue
        "$fplab" plot $run --size $size --lang $lang $grey --format svg --out $run-$size >/dev/null 2>err || complain "plot $run $size: $(cat err)"
        [ -s err ] && complain "plot $run $size said $(cat err)"
        /usr/bin/python3 "$check" $width 6.5 "$([ -n "$grey" ] && echo 1 || echo 0)" $run-$size/*.svg || complain "$run, $size"
    done
done
[ "$(ls kinds-column lengths-column | grep -c svg)" -ge 21 ] || complain "figures are missing: $(ls kinds-column)"
"$fplab" plot kinds --size 84mm --lang both --grey --format svg --figure f1 --figure strata --out again >/dev/null || complain "84mm"
for file in again/*.svg; do cmp "$file" "kinds-column/${file#again/}" || complain "84mm is not column, or pictures differ from one time to the next"; done

# In a PNG a column has 300 pixels to an inch, 84/25.4·300 = 992, and a slide 1920 by 1080.
"$fplab" plot kinds --figure f1 --size column --out f1.png >/dev/null && "$fplab" plot kinds --figure f1 --size slide --out slide.png >/dev/null || complain "PNG"
/usr/bin/python3 - <<'P' || complain "PNG: pixels"
import struct
size = lambda name: struct.unpack('>II', open(name, 'rb').read()[16:24])
assert 988 <= size('f1.png')[0] <= 992, size('f1.png')
assert size('slide.png') == (1920, 1080), size('slide.png')
P
for size in 84 columns 5mm 84.5mm 90000mm mm; do refused 2 '--plot-size: expected WIDTHxHEIGHT' "$fplab" plot kinds --size $size; done
exit $bad
