#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A table in the place of a corpus: columns found by name, chosen, or refused with those that exist; every mistake that tables of people have; and the
# run of one, which is the run of the corpus that import makes of it, and can be repeated.
. tests/support.sh
cd "$work" || exit 1
export TMPDIR=$work/tmp; mkdir tmp

# pairs FILE WANTED-NOTE [OPTION…]: its labelled pairs, id_a id_b label, between blanks and semicolons, into $got; what was said into the file told.
pairs() {
    local file=$1 note=$2; shift 2
    got=$("$fplab" distances "$file" --arm exact -f tsv "$@" 2>told | sed 1d | cut -f1-3 | tr '\t\n' ' ;')
    grep -qF -- "$note" told || complain "$file $*: $(cat told)"
}
is() { [ "$got" = "$1" ] || complain "wanted $1, got $got: $(cat told)"; }
two='text-1 text-2 1;text-3 text-4 0;'

# ---- Columns by name: a byte order mark, upper case, quotes with line ends and commas ----
printf '\xef\xbb\xbfText_A,TEXT B,Label\r\n甲乙,甲丙,Yes\r\n"多行\r\n文,""本""",丁,NO\r\n' >pairs.csv
pairs pairs.csv 'fplab: pairs.csv: Text_A, TEXT B and Label are columns 1, 2 and 3; 2 pairs of 4 texts'; is "$two"
"$fplab" corpus check pairs.csv -f tsv >check 2>told && grep -qP '^documents\t4$' check || complain "corpus check: $(cat check told)"
for names in text1,text2,score sentence1,sentence2,is_duplicate query,title,target a,b,标签 文本1,文本2,标注; do
    printf '%s\n一,二,1\n三,四,0\n' "$names" >t.csv; pairs t.csv "and ${names##*,} are columns 1, 2 and 3"; is "$two"
done
printf 'n\ttext_b\tlabel\ttext_a\n1\t二\ttrue\t一\n2\t四\tfalse\t三\n' >t.tsv; pairs t.tsv 'text_a, text_b and label are columns 4, 2 and 3'; is "$two"
printf '{"sentence1":"一","sentence2":"二","label":1}\n{"sentence1":"三","sentence2":"四","label":false}\n' >t.jsonl
pairs t.jsonl 'sentence1, sentence2 and label are read; 2 pairs'; is "$two"
pairs - 'standard input: text_a, text_b and label' --from csv --columns text_a,text_b,label <<<$'一,二,1\n三,四,0'; is "$two"
printf '正文,事件,genre\n一,e,x\n二,e,y\n三,f,x\n' >g.csv
pairs g.csv 'g.csv: 正文 and 事件 are columns 1 and 2; 3 texts in 2 groups'; is 'g.csv:2 g.csv:3 1;g.csv:2 g.csv:4 0;g.csv:3 g.csv:4 0;'
"$fplab" eval g.csv --by genre --arm exact >out 2>told && grep -q 'genre' out || complain "--by: $(cat told)"

# ---- Chosen, and what is missing or ambiguous ----
printf 'q,r,y,z\n一,二,dup!,1\n三,四,other,1\n' >n.csv
refused 2 'n.csv: which columns hold the texts? The first row names q, r, y, z; choose with --text-a, --text-b and --label, or --text-field and --group' "$fplab" eval n.csv
refused 2 'n.csv: which column holds the other text? The first row names q, r, y, z; choose with --text-b' "$fplab" eval n.csv --text-a q
refused 2 'n.csv: which column holds the label? The first row names q, r, y, z; choose with --label' "$fplab" eval n.csv --text-a q --text-b r
refused 2 'n.csv: no column is called "x" (--text-a): there are q, r, y, z' "$fplab" eval n.csv --text-a x --text-b r --label y
refused 1 'n.csv:2: the label "dup!" is unknown; a duplicate is one of 1 ' "$fplab" eval n.csv --text-a q --text-b r --label y
pairs n.csv 'q, r and y are columns 1, 2 and 3' --text-a q --text-b r --label y --positive 'dup!'; is "$two"
pairs n.csv 'r and q are columns 2 and 1' --text r --group q; is 'n.csv:2 n.csv:3 0;'
printf 'text_a,text_b,text1,text2,label\n一,二,三,四,1\n' >two.csv
refused 2 'the first text may be column "text_a" or "text1" (there are text_a, text_b, text1, text2, label); choose with --text-a and --text-b' "$fplab" tune two.csv
pairs two.csv 'text1, text2 and label are columns 3, 4 and 5' --text-a text1 --text-b text2; is 'text-1 text-2 1;'
printf 'a,b,label,score\n一,二,1,0\n' >l.csv
refused 2 'label may be column "label" or "score" (there are a, b, label, score); choose with --label' "$fplab" distances l.csv --arm exact
printf 'text_a,text_b\n一,二\n' >u.csv; refused 2 'which column holds the label? The first row names text_a, text_b' "$fplab" eval u.csv

refused 2 '--label is for a table, and ' "$fplab" eval "$newswire" --label x
refused 2 '; fplab judge has no such option: make a corpus with fplab import' "$fplab" judge sample --corpus n.csv --arm exact

# ---- Another separator, encoding or kind of file ----
printf 'text_a;text_b;label\n一;二;是\n三;四;否\n' >s.csv
refused 2 "s.csv: there is one column, \"text_a;text_b;label\"; if it should be several, add --separator ';'" "$fplab" eval s.csv
pairs s.csv 'text_a, text_b and label' --separator ';'; is "$two"
tr ';' '\t' <s.csv >tabs.csv; refused 2 'add --from tsv' "$fplab" eval tabs.csv
pairs tabs.csv 'text_a, text_b and label' --from tsv; is "$two"
printf 'text_a,text_b,label\n一二三,二三四,重复\n甲,乙,不重复\n' | iconv -t gb18030 >gb.csv
refused 1 'gb.csv:2: invalid UTF-8 (byte 22); if it is written in GB18030, add --encoding gb18030' "$fplab" eval gb.csv
refused 1 'if it is written in GB18030, add --encoding gb18030' "$fplab" import gb.csv --out x --quiet
pairs gb.csv '2 pairs of 4 texts' --encoding gb18030; is "$two"
printf 'text_a,text_b,label\na,\xff,1\n' >bad.csv; refused 1 'bad.csv:2: invalid UTF-8 (byte 22); if it is written in GB18030, add --encoding gb18030' "$fplab" eval bad.csv
printf 'PK\003\004' >book.xlsx; refused 1 'book.xlsx: the file is an Excel workbook or another zip archive; save the sheet as CSV UTF-8' "$fplab" eval book.xlsx
printf '\320\317\021\340' >book.xls; refused 1 'save the sheet as CSV UTF-8' "$fplab" eval --corpus book.xls
refused 2 'docs.jsonl is one file of a corpus; name its directory, ' "$fplab" eval "$newswire/docs.jsonl"
refused 1 'gone.csv: cannot open' "$fplab" eval gone.csv
: >empty.csv; refused 1 'empty.csv: there is no first row that names columns' "$fplab" eval empty.csv
echo text_a,text_b,label >head.csv; refused 1 'head.csv: there are no rows of texts' "$fplab" eval head.csv

# ---- Rows ----
printf 'text_a,text_b,label\n一,二,1\n三,四,\n五,六,0\n' >m.csv
refused 1 'm.csv:3: the row has no label; --skip-bad skips it' "$fplab" eval m.csv
pairs m.csv 'm.csv: skipped 1 bad row' --skip-bad; is "$two"
printf 'text_a,text_b,label\n一,,1\n一,二,1\n二,一,1\n三,三,1\n三,四,0\n' >r.csv
pairs r.csv 'r.csv: left out of the rows: 1 with an empty text, 1 with the same text twice, 1 repeated'; is "$two"
printf 'text_a,text_b,label\n一,二,1\n三,四,0\n二,一,0\n' >c.csv
refused 1 'c.csv:4: the same two texts have the label 0 here and 1 in line 2; --skip-bad skips all such rows' "$fplab" eval c.csv
refused 1 'c.csv:4: the same two texts have the label 0 here and 1 in line 2' "$fplab" import c.csv --out x --quiet
pairs c.csv 'left out: c.csv:2: the same two texts have the label 1 here and 0 in line 4' --skip-bad; is 'text-3 text-4 0;'
grep -qF 'c.csv: skipped 2 bad rows' told || complain "contradictions: $(cat told)"
printf 'text_a,text_b,label\n一,二,1\n' >one.csv
"$fplab" eval one.csv --arm exact >out 2>told && grep -q 'there are no negatives' told && grep -q '1 pair of 2 texts' told || complain "one row: $(cat told)"
refused 1 'one.csv: there are no negatives' "$fplab" tune one.csv --quiet

# ---- The same as import and eval; several corpora; as arguments ----
"$fplab" import pairs.csv --out made >out 2>told && grep -qF 'Text_A, TEXT B and Label are columns 1, 2 and 3' told || complain "import: $(cat told)"
"$fplab" import g.csv --keep genre --out grouped >out 2>told && grep -qF '"text":"一","group":"e","genre":"x"' grouped/docs.jsonl || complain "import of groups: $(cat told)"
"$fplab" distances made --arm jaccard:features=chars:1 2>told | cut -f1-3,5 >a; "$fplab" distances pairs.csv --arm jaccard:features=chars:1 --quiet 2>told | cut -f1-3,5 >b
cmp -s a b && [ ! -s told ] || complain "import and table differ: $(cat told)"
refused 2 'give one corpus' "$fplab" tune pairs.csv made
refused 2 'no corpus given; name a directory, or a table of labelled pairs' "$fplab" eval
"$fplab" eval pairs.csv made --corpus g.csv --arm exact --out three --no-plots >out 2>told || complain "three corpora: $(cat told)"
[ "$(grep -c '"path":' three/run.json)" = 3 ] || complain "run.json: $(cat three/run.json)"

# ---- A run is repeated with its columns, its checksum is that of the table, and a table that has changed is refused ----
"$fplab" eval n.csv --text-a=q --text-b r --label y --positive 'dup!' --arm exact --out run --no-plots --report >out 2>told || complain "run: $(cat told)"
grep -qF "\"table\":\"$(sha256sum <n.csv | cut -d' ' -f1)\"" run/run.json || complain "checksum: $(cat run/run.json)"
"$fplab" rerun run >out 2>told && grep -q 'The figures are the same' out && [ ! -s told ] || complain "rerun: $(cat out told)"
"$fplab" report run --out page.html >out 2>told && grep -q 三 page.html || complain "report: $(cat told)"
mv n.csv moved.csv
refused 1 '--corpus n=' "$fplab" rerun run
"$fplab" rerun run --corpus n=moved.csv >out 2>told || complain "moved: $(cat out told)"
sed -i s/三/五/ moved.csv; refused 1 'has changed since the run: its documents are not as in run.json' "$fplab" rerun run --corpus n=moved.csv
[ -z "$(ls tmp)" ] || complain "left behind: $(ls tmp)"

# A class alone has no answer, and the card says which.
printf "text_a,text_b,label\n一,二,0\n三,四,0\n" >others.csv
"$fplab" eval others.csv --arm exact 2>/dev/null | grep -q "none: no pair is a duplicate; a choice needs duplicates" || complain "only others: $("$fplab" eval others.csv --arm exact 2>&1 | head -n 4)"
exit $bad
