#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A page of two columns, of 84 and 174 mm, takes figures and tables as they come: every figure of --size column in a column and of --size page over both, each with its caption, the table
# of the arms and tables of --format latex. TeX finds nothing wider than its place and no figure higher than the page.
. tests/support.sh
for need in pdflatex pdftotext pdffonts; do command -v $need >/dev/null || { echo "there is no $need"; exit 77; }; done
cd "$work" || exit 1
"$fplab" eval -c "$newswire" -a simhash -a minhash -a cosine --by kind --lost --theory --costs --calibrate --gain --prevalence 0.001 --replicates 200 --no-plots --out run >/dev/null 2>err || complain "eval: $(cat err)"
for size in column page; do "$fplab" plot run --size $size --format pdf --lang en --out $size >/dev/null 2>err || complain "plot: $(cat err)"; done
for size in column page; do "$fplab" report run --format latex-table --size $size --lang en --out arms-$size.tex >/dev/null || complain "latex-table"; done
"$fplab" eval -c "$newswire" -c "$corpora/newswire-en" -a 'minhash:slots=128,features=chars:3,seed=4' -a 'simhash:features=words,weight=tfidf,center=median' --compare recall@10 --replicates 200 --no-plots --out long >/dev/null 2>err || complain "eval: $(cat err)"
"$fplab" report long --format latex-table --lang en --out arms-long.tex >/dev/null || complain "long names"
"$fplab" eval -c "$newswire" -a simhash -a 'minhash:slots=128,features=chars:3' --threshold 18..24 --replicates 200 --no-plots --format latex >results.tex 2>err || complain "eval: $(cat err)"
"$fplab" algorithms --format latex >algorithms.tex || complain "algorithms"
caption='Precision and recall of near-duplicate detection, with 95\% intervals; the share of duplicates in the set is 0.44.'
{
    printf '%s\n' '\documentclass[twocolumn]{article}' '\usepackage[a4paper,textwidth=174mm,textheight=250mm]{geometry}' '\usepackage{booktabs,graphicx}' '\setlength{\columnsep}{6mm}' \
        '\begin{document}' 'Text of a paper.' '\input{arms-column}' '\input{arms-page}' '\input{arms-long}'
    for table in results algorithms; do echo "\\begin{table*}\\centering\\caption{$caption}\\input{$table}\\end{table*}"; done
    echo "\\begin{table}\\centering\\caption{$caption}\\input{results}\\end{table}"
    for file in column/*.pdf; do echo "\\begin{figure}\\includegraphics{$file}\\caption{$caption}\\end{figure}\\clearpage"; done
    for file in page/*.pdf; do echo "\\begin{figure*}\\includegraphics{$file}\\caption{$caption}\\end{figure*}\\clearpage"; done
    echo '\end{document}'
} >paper.tex
for turn in 1 2; do
    timeout 300 pdflatex -interaction=nonstopmode -halt-on-error -file-line-error paper.tex >said 2>&1 </dev/null || complain "pdflatex: $(grep -m 3 -A 3 '^!\|:[0-9]*: ' said)"
done
grep -q '^Overfull .hbox' paper.log && complain "too wide: $(grep -A 2 '^Overfull .hbox' paper.log | head -n 9)"
grep -q 'Float too large' paper.log && complain "too high: $(grep 'Float too large' paper.log)"
figures=$(ls column page | grep -c pdf)
[ "$figures" -ge 30 ] || complain "$figures figures"
pdftotext -layout paper.pdf paper.txt
grep -q 'Average precision' paper.txt && grep -q 'beats significantly' paper.txt && grep -q 'Precision band' paper.txt || complain "headings: $(head -n 20 paper.txt)"
[ "$(grep -c 'Figure [0-9]*:' paper.txt)" = "$figures" ] || complain "captions: $(grep -c 'Figure [0-9]*:' paper.txt)"
pdffonts paper.pdf | grep -qi 'type 3' && complain "bitmap fonts"
exit $bad
