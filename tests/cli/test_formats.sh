#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# --format: every command that has it says what it takes and takes it; other programs read the same rows out of every format; the examples of
# docs/formats.md run.
. tests/support.sh
page=$(realpath docs/formats.md)
cd "$work" || exit 1
mkdir -p corpora bin hostile && ln -s "$corpora" corpora/data && ln -s "$fplab" bin/fplab
names='table, tsv, csv, json, jsonl, markdown or latex'
for command in $("$fplab" --help | sed -n 's/^  \([a-z]\+\)  .*/\1/p'); do
    help=$("$fplab" "$command" --help-all | tr -s ' \n' ' ')
    case $command in
    plot | report | page) continue ;; # formats of pictures, and of pages
    explain) want='table (default) or json' ;;
    corpus)
        for part in check stats corrupt; do
            "$fplab" corpus $part --help-all | tr -s ' \n' ' ' | grep -qF -- "$names" || complain "corpus $part --help does not say: $names"
        done
        continue ;;
    *) want=$names ;;
    esac
    grep -qF -- "$want" <<<"$help" || complain "$command --help does not say: $want"
done
refused 2 "--format takes $names, not xml" "$fplab" measures --format xml

printf '%s\n' '{"id":"=1+1","text":"一 二 三","group":"1"}' '{"id":"a,\"b\"","text":"一 二 四","group":"1"}' '{"id":"007","text":"别的","group":"2"}' \
    '{"id":"@x","text":"五 六","group":"2"}' >hostile/docs.jsonl
python3 - "$fplab" "$newswire" <<'PYTHON' || bad=1
import csv, io, json, os, subprocess, sys
fplab, newswire = sys.argv[1:]
def run(line, form):
    made = subprocess.run([fplab, *line, '--format', form], capture_output=True)
    assert made.returncode == 0, (line, form, made.stderr)
    return made.stdout.decode()
def is_formula(cell):
    try: return float(cell) is None
    except ValueError: return cell[:1] in ('=', '+', '-', '@')
bad = False
def check(good, *what):
    global bad
    if not good: print('FAIL:', *what); bad = True
for line in (['algorithms'], ['measures'], ['compare', '--text', 'a', 'b'], ['align', '--text', '--least', '2', '甲乙丙丁', '乙丙丁戊'], ['features', '--text', '我是中国人'],
             ['fingerprint', '--corpus', 'hostile'], ['distances', '--corpus', 'hostile', '--arm', 'jaccard'],
             ['eval', '--corpus', newswire, '--arm', 'simhash', '--replicates', '200'], ['corpus', 'check', newswire], ['plan', '--bits', '64', '--distance', '3'],
             ['dedup', '--dropped', '-a', 'exact', '-d', '0', 'hostile/docs.jsonl'], ['cluster', '-a', 'jaccard', '-d', '60', 'hostile/docs.jsonl']):
    rows = json.loads(run(line, 'json'))
    if line[0] == 'eval': # one object of all tables; other formats have results.tsv
        subprocess.run([fplab, *line, '--no-plots', '--out', 'run'], check=True, capture_output=True)
        check({*rows} == {name[:-4] for name in os.listdir('run') if name.endswith('.tsv')}, line, 'tables', list(rows))
        for name in rows:
            with open(f'run/{name}.tsv', encoding='utf-8') as file: written = list(csv.DictReader(file, delimiter='\t'))
            check(len(written) == len(rows[name]) and all(list(a) == list(b) for a, b in zip(written, rows[name])), line, name)
            check(all(cell == 'NA' if value is None else cell == value if isinstance(value, str) else abs(float(cell) - value) <= 1e-9 * abs(value) or 'second' in column
                      for a, b in zip(written, rows[name]) for (column, cell), value in zip(a.items(), b.values())), line, name, 'cells')
        rows = rows['results']
    check([json.loads(one) for one in run(line, 'jsonl').splitlines()] == rows, line, 'jsonl is not json')
    text = run(line, 'csv')
    check(text.count('\r\n') == text.count('\n'), line, 'csv: lines do not end with CRLF')
    tsv = list(csv.reader(io.StringIO(run(line, 'tsv')), delimiter='\t'))
    comma = list(csv.reader(io.StringIO(text), strict=True))
    guarded = [[' ' + cell if is_formula(cell) else cell for cell in row] for row in tsv]
    check(comma == guarded, line, 'csv is not tsv', [pair for pair in zip(comma, guarded) if pair[0] != pair[1]][:1])
    check(len(tsv) == len(rows) + 1, line, 'rows')
    if rows: check(list(rows[0]) == tsv[0], line, 'names')
    mark, latex = run(line, 'markdown').splitlines(), run(line, 'latex').splitlines()
    check(len(mark) == len(rows) + 2 and len(latex) == len(rows) + 7, line, 'markdown or latex: rows')
    check(latex[0].startswith('%') and latex[2] == '\\toprule' and latex[-1].startswith('\\end{tabular}'), line, 'latex')
    widths = {row.replace('\\&', '').count(' & ') for row in latex if row.endswith('\\\\')}
    # A figure and its limits are one column, limits alone too, and no name of a column has its underscores.
    limits = sum(name.endswith('_low') and name[:-4] + '_high' in tsv[0] for name in tsv[0])
    whole = sum(name + '_low' in tsv[0] and name + '_high' in tsv[0] for name in tsv[0])
    check(widths == {len(tsv[0]) - 1 - limits - whole} and '_' not in latex[3], line, 'latex: columns', widths)
# All tables, those of every analysis too, without a run that is saved.
whole = ['eval', '--corpus', newswire, '--arm', 'simhash', '--replicates', '200', '--by', 'length', '--theory', '--lost', '--gain', '--costs', '--calibrate', '--prevalence', '0.01', '--retrieval']
subprocess.run([fplab, *whole, '--no-plots', '--out', 'whole'], check=True, capture_output=True)
check({*json.loads(run(whole, 'json'))} == {name[:-4].replace('-', '_') for name in os.listdir('whole') if name.endswith('.tsv')}, whole, 'tables')
sys.exit(bad)
PYTHON

# LaTeX takes it.
if command -v pdflatex >/dev/null && kpsewhich booktabs.sty graphicx.sty >/dev/null; then
    { echo '\documentclass{article}\usepackage{booktabs,graphicx}\begin{document}\noindent'; "$fplab" fingerprint --corpus hostile --format latex; echo '\end{document}'; } >page.tex
    pdflatex -interaction=nonstopmode -halt-on-error page.tex >log 2>&1 || complain "LaTeX stops: $(grep -A3 '^!' log)"
else
    echo "skipped: tables in LaTeX: pdflatex with booktabs is not installed"
fi

awk '/^```sh$/ { inside = 1; next } /^```$/ { inside = 0 } inside' "$page" >examples.sh
[ "$(wc -l <examples.sh)" -ge 5 ] || complain "docs/formats.md has too few examples"
PATH=$work/bin:$PATH bash -eu examples.sh >out 2>err || complain "an example of docs/formats.md failed: $(cat err)"
[ -s err ] && complain "the examples of docs/formats.md wrote to standard error: $(cat err)"
grep -q '^\\bottomrule$' out && grep -q '^|---|' out && grep -q '^{"fact":"documents","value":1157}$' out || complain "docs/formats.md: $(cat out)"
exit $bad
