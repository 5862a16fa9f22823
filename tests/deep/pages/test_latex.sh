#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# TeX reads what report writes: the document in English, in Chinese and in both, with figures as PDF and as TikZ; names full of what TeX obeys, in arms, corpora, strata and files; the table
# of the arms in another document, by pdfLaTeX as well. No error, no missing character, nothing wider than the page by more than it can be seen; the figures of the run stand in the PDF.
. tests/support.sh
for need in xelatex pdflatex pdftotext pdffonts; do command -v $need >/dev/null || { echo "there is no $need"; exit 77; }; done
kpsewhich ctex.sty FandolSong-Regular.otf gnuplot-lua-tikz.sty | wc -l | grep -qx 3 || { echo "TeX lacks ctex, Fandol or gnuplot-lua-tikz"; exit 77; }
cd "$work" || exit 1

# typeset ENGINE FILE: three times, as longtable wants; FILE.txt is what stands in it.
typeset() {
    local engine=$1 name=${2%.tex}
    for turn in 1 2 3; do
        timeout 300 "$engine" -interaction=nonstopmode -halt-on-error -file-line-error "$name.tex" >said 2>&1 </dev/null || { complain "$engine $name.tex: $(grep -m 3 -A 3 '^!\|:[0-9]*: ' said)"; return; }
    done
    grep -h '^Missing character' "$name.log" | sort -u >missing
    [ -s missing ] && complain "$name: $(head -n 3 missing)"
    grep -h 'stack overflow' said "$name.log" && complain "$name: colours are lost"
    awk '/^Overfull .hbox/ { gsub(/[(p]/, " "); for (i = 1; i <= NF; i++) if ($i == "t" && $(i - 1) > 15) print }' "$name.log" >wide
    [ -s wide ] && complain "$name: $(head -n 2 wide)"
    grep -q 'Column widths have changed' said && complain "$name: three times are not enough"
    pdftotext -layout "$name.pdf" "$name.txt" || complain "$name.pdf"
    echo "$name: $(pdfinfo "$name.pdf" | awk '/^Pages/ { print $2 }') pages"
}
# has NAME WORDS: they stand in it, whatever is between.
has() { tr -d ' \n\f' <"$1.txt" | grep -qF -- "$(tr -d ' ' <<<"$2")" || complain "$1 lacks: $2"; }

"$fplab" eval -c "$newswire" --by kind --lost --theory --costs --calibrate --prevalence 0.001 --replicates 200 --out run >/dev/null 2>err || complain "eval: $(cat err)"
for language in en zh both; do
    "$fplab" report run --format latex --lang $language --out $language.tex >/dev/null 2>err || complain "report --lang $language: $(cat err)"
    typeset xelatex $language.tex
done
"$fplab" report run --format latex >/dev/null 2>err || complain "into the run: $(cat err)"
(cd run && typeset xelatex report.tex && exit $bad) || bad=1
"$fplab" report run --format latex --figures tikz --lang zh --out tikz.tex >/dev/null 2>err || complain "tikz: $(cat err)"
typeset xelatex tikz.tex
has en "The answer"; has zh "结论"; has both "The answer · 结论"; has tikz "精确率"
awk -F'\t' 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } NR > 1 { printf "%.3f (%.3f–%.3f)\n", $at["average_precision"], $at["average_precision_low"], $at["average_precision_high"] }' run/summary.tsv >figures
while read -r figure; do has en "$figure"; has zh "$figure"; done <figures
pdffonts zh.pdf | grep -q Fandol || complain "no Chinese font in zh.pdf"
pdffonts en.pdf | grep -qi 'type 3' && complain "bitmap fonts"

# LuaLaTeX, with what ctex wants there (luatexja).
if command -v lualatex >/dev/null && [ "$(kpsewhich luatexja.sty luaotfload.sty | wc -l)" = 2 ]; then
    for language in en zh; do
        "$fplab" report run --format latex --lang $language --out lua-$language.tex >/dev/null 2>err || complain "report for LuaLaTeX: $(cat err)"
        typeset lualatex lua-$language.tex
    done
    has lua-en "The answer"; has lua-zh "结论"
else
    echo "skipped: LuaLaTeX: lualatex, luatexja or luaotfload is not there"
fi

# The table alone, in documents of others.
for language in en zh; do "$fplab" report run --format latex-table --lang $language --out table-$language.tex >/dev/null || complain "table"; done
printf '%s\n' '\documentclass{article}' '\usepackage{booktabs,graphicx}' '\begin{document}' 'Text.' '\input{table-en}' '\end{document}' >paper.tex
printf '%s\n' '\documentclass{ctexart}' '\usepackage{booktabs,graphicx}' '\begin{document}' '正文。' '\input{table-zh}' '\end{document}' >lunwen.tex
typeset pdflatex paper.tex
typeset xelatex lunwen.tex
has paper "0.930"; has lunwen "方案比较"

# Names.
evil='a#1 $x$ %y& ~z _q^ \r{t} "u" <v>' corpus='c#1%_&$~^{x}'
cp -r "$newswire" "$corpus" && chmod -R u+w "$corpus"
sed -i 's/\blight_reprint\b/k#%_\&$^~{}\\\\x/' "$corpus"/pairs.tsv
"$fplab" eval -c "$corpus" -a "simhash:name=$evil" -a 'cosine:name=\end{document}\input{x}' -a "pinyin:name=拼音—“引号”·指纹" --by kind --replicates 200 --out hostile >/dev/null 2>err || complain "hostile: $(cat err)"
for picture in pdf tikz; do
    "$fplab" report hostile --format latex --figures $picture --lang both --out "names-$picture.tex" >/dev/null 2>err || complain "hostile, $picture: $(cat err)"
    typeset xelatex names-$picture.tex
    has names-$picture 'a#1 $x$ %y& ~z _q^ \r{t} "u" <v>'; has names-$picture '\end{document}\input{x}'; has names-$picture '拼音'
done
exit $bad
