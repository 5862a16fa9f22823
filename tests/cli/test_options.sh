#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Options: a mistake names what was typed, and a name is never guessed from its beginning; --help of every command folds its descriptions to the width
# of the terminal, in one column, and loses no word.
. tests/support.sh
cd "$work" || exit 1
mistaken() { local words=$1; shift; refused 2 "$words" "$fplab" "$@"; }
mistaken 'unknown option --fold; did you mean --folds?' tune --fold
mistaken 'unknown option --fold; did you mean --folds?' tune --fold=3
mistaken 'unknown option --fold; did you mean --folds?' tune --fold 3
mistaken 'unknown option --ye; did you mean --yes?' tune --ye=3
mistaken 'unknown option --s ' tune --s
mistaken 'unknown option -q ' tune -q
mistaken 'unknown option -q ' tune -yq
mistaken '--folds needs a value' tune --folds
mistaken '-k needs a value' tune -k
mistaken '-k needs a value' tune -yk
mistaken '--yes takes no value' tune --yes=3
mistaken '--folds takes a number, not x' tune --folds=x
mistaken '--folds takes a number, not 2147483648' tune -k2147483648
mistaken '--folds is given twice, as 3 and as 4' tune -k3 --folds=4
mistaken '--confidence takes a number, not 0,95' judge estimate sheet.tsv --confidence 0,95
mistaken '--max-size takes a number of bytes such as 500M or 8G, not 1X' tune --max-size 1X
"$fplab" compare --text -a jaccard 甲 乙 -f tsv >apart && "$fplab" compare -ta jaccard --format=tsv -- 甲 乙 >together || complain "options among arguments, and letters together"
cmp -s apart together || complain "letters together read otherwise"

cat >fold.py <<'PYTHON'
import re, subprocess, sys
sys.path.insert(0, sys.argv[2])
import terminal
fplab, bad = sys.argv[1], False
def rows(text):
    """The lines of the tables of options."""
    return [line for line in re.search(r'\n(?:Options|`fplab \S+ PART[^\n]*):?\n(.*?)(\nExamples:|$)', text, re.S)[1].split('\n') if line.startswith(' ')]
def check(what, good):
    global bad
    if not good: print('FAIL:', what); bad = True
def listed(*command):
    """What the help of a command, or of the program, lists: commands, or parts of one."""
    text = subprocess.run([fplab, *command, '--help'], capture_output=True, text=True).stdout
    if not command: return re.findall(r'^  ([a-z]+)  ', text, re.M)
    block = re.search(r'\nParts:\n(.*?)\n\n', text, re.S)
    return [line.split()[0] for line in block[1].split('\n')] if block else []
commands = [[name] for name in listed()]
commands += [[*command, part] for command in commands for part in listed(*command)]
check('parts of corpus', ['corpus', 'check'] in commands and len(commands) > 30)
for command in [[fplab, *command, option] for command in commands for option in ('--help', '--help-all')]:
    piped = subprocess.run(command, capture_output=True, text=True).stdout
    words = ''.join(piped.split())
    label = max((len(re.match(r'  (-\w, |    )--\S+', row)[0]) for row in rows(piped) if re.match(r'  (-\w, |    )--', row)), default=None)
    check(' '.join(command[1:]) + ': no options', label or command[1:] == ['corpus', '--help'])
    if not label: continue
    for columns in (66, 80, 100, 200):
        shown = terminal.run(command, columns)[0].decode()
        name = '%s at %d columns' % (' '.join(command[1:-1]), columns)
        check(name + ': words are lost', ''.join(shown.split()) == words)
        for row in rows(shown):
            check(name + ': too wide: ' + row, len(row) <= min(columns, 100))
            check(name + ': out of the column: ' + row, row[label:label + 2] == '  ' and row[label + 2:label + 3] not in ('', ' '))
        if columns == 80: check(name + ': not what a pipe gets', shown == piped)
    check(command[1] + ': folded too early', max(map(len, rows(piped))) > 65)
sys.exit(bad)
PYTHON
python3 fold.py "$fplab" "$tests"
case $? in 0) ;; 77) echo "skipped: the width of a terminal: there are no pseudo-terminals" ;; *) bad=1 ;; esac
exit $bad
