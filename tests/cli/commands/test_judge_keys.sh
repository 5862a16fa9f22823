#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A walk by single keys on a terminal: what it writes into the sheet is what the same answers write line by line; keys that mean nothing change nothing; a pair
# stays within the screen until w shows it whole; and the terminal is given back as it was, however the walk ends.
. tests/support.sh
cd "$work" || exit 1
command -v python3 >/dev/null || { echo "python3 is missing"; exit 77; }

# Six texts in three groups, two of them longer than a screen.
python3 - <<'PYTHON'
import json
texts = ['今天下午临江大桥恢复通车', '今天临江大桥恢复通车了', '一只狐狸跳过了那条懒狗', '一只小狐狸跳过了懒狗']
texts += [''.join('第%d句话说的是大桥和河流。' % i for i in range(300)) + end for end in ('完', '终')]
with open('docs.jsonl', 'w', encoding='utf-8') as file:
    for i, text in enumerate(texts):
        file.write(json.dumps({'id': 'd%d' % i, 'text': text}, ensure_ascii=False) + '\n')
PYTHON
mkdir corpus && mv docs.jsonl corpus/
"$fplab" judge sample -c corpus -a jaccard:features=chars:1 --distances 0..64 --out sheet.tsv >/dev/null 2>&1 || complain "no sheet"

# keys.py ROWS COLUMNS SIGNAL KEYS… -- COMMAND…: each of KEYS (Python's escapes) is typed when the walk waits for one, then the signal is sent, if it is not 0. Prints
# what was shown, a form feed before each answer, and the status. "lost" where the terminal is not as it was, with its echo and its lines.
cat >keys.py <<'PYTHON'
import fcntl, os, pty, select, signal, struct, sys, termios
rows, columns, number = map(int, sys.argv[1:4])
cut = sys.argv.index('--')
keys = [key.encode().decode('unicode_escape').encode('latin-1') for key in sys.argv[4:cut]]
master, terminal = pty.openpty()
fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack('HHHH', rows, columns, 0, 0))
before = termios.tcgetattr(terminal)
pid = os.fork()
if pid == 0:
    os.setsid()
    fcntl.ioctl(terminal, termios.TIOCSCTTY, 0)
    for stream in range(3): os.dup2(terminal, stream)
    os.execv(sys.argv[cut + 1], sys.argv[cut + 1:])
status = None
def shown(until):
    """What comes until that, or until the walk has ended."""
    global status
    data = b''
    while status is None and not (until and data.endswith(until)):
        if select.select([master], [], [], 0.05)[0]:
            data += os.read(master, 65536)
        elif (ended := os.waitpid(pid, os.WNOHANG))[0]:
            status = os.waitstatus_to_exitcode(ended[1])
            while select.select([master], [], [], 0.05)[0]: data += os.read(master, 65536)
    return data.replace(b'\r\n', b'\n')
signal.alarm(120)
parts = []
for key in keys:
    parts.append(shown(b'? help\r\n'))
    if status is not None: break
    os.write(master, key)
if number and status is None:
    parts.append(shown(b'? help\r\n'))
    os.kill(pid, number)
if status is None: parts.append(shown(None))
sys.stdout.buffer.write(b'\f'.join(parts))
print('\nstatus %s' % status, '' if termios.tcgetattr(terminal) == before else 'lost')
PYTHON
sed -i '/^import ctypes$/d' keys.py
python3 -c 'import pty; pty.openpty()' 2>/dev/null || { echo "there are no pseudo-terminals"; exit 77; }
export TERM=xterm

# by_keys NAME ROWS SIGNAL KEYS…: the sheet after it is NAME.tsv, what was shown NAME.out.
by_keys() {
    local name=$1 rows=$2 number=$3; shift 3
    cp sheet.tsv "$name.tsv"
    python3 keys.py "$rows" 80 "$number" "$@" -- "$fplab" judge "$name.tsv" >"$name.out" || complain "keys.py: $name"
    tail -n 1 "$name.out" | grep -qx 'status 0 ' || complain "$name: $(tail -n 1 "$name.out")"
}
# by_lines NAME ANSWERS
by_lines() {
    cp sheet.tsv "$1.tsv"
    printf '%b' "$2" | "$fplab" judge "$1.tsv" >"$1.out" 2>&1 || complain "by lines: $1"
}
same() { cmp -s "$1.tsv" "$2.tsv" || complain "$1 and $2: $(diff "$1.tsv" "$2.tsv" | head -4 | cut -c1-200)"; }

by_lines lines 'd\nnot\nu\ns\nb\nn\nq\n'
by_keys keys 24 0 d n u s b n q
same keys lines
by_keys capitals 24 0 D N U S B N Q
same capitals lines
# Arrows, characters of several bytes, digits and line ends mean nothing, and say so; Ctrl-Z and Ctrl-D: nothing, and the end.
by_keys stray 24 0 d '\x1b[A' 5 n '\r' u '\xe5\xa4\xa9' '\x1a' s b n '\x04'
same stray lines
[ "$(grep -c '^No such key\.$' stray.out)" = 5 ] || complain "stray keys: $(grep -c 'No such key' stray.out)"
by_keys help 24 0 '?' q
grep -q '^u  unsure: you cannot decide$' help.out || complain "no help"
cmp -s help.tsv sheet.tsv || complain "help changed the sheet"
# Before the first pair there is none.
by_keys first 24 0 b q
grep -q '^This is the first pair\.$' first.out || complain "the first pair"
# Ended by a signal: every answer is there, and so is the terminal.
by_lines two 'd\nn\nq\n'
for number in 1 2 15; do
    by_keys "signal$number" 24 "$number" d n
    same "signal$number" two
    grep -q "2 of [0-9]* pairs are judged, and saved in signal$number.tsv\.$" "signal$number.out" || complain "signal $number: $(tail -n 2 "signal$number.out")"
done

# The pair of the two long texts stays within the screen, whatever its size, and w shows all of it.
long=$(awk -F'\t' '/^#/ { next } $1 ~ /^[0-9]+$/ && /d4/ && /d5/ { print $1 }' sheet.tsv)
for rows in 10 24 60; do
    cp sheet.tsv long.tsv
    python3 keys.py "$rows" 80 0 w q -- "$fplab" judge long.tsv --from "$long" >long.out || complain "keys.py: long"
    python3 - "$rows" <<'PYTHON' || complain "$rows rows: the screen"
import re, sys, unicodedata
short, whole = open('long.out', encoding='utf-8', newline='').read().split('\f')[:2]
def lines(text):
    plain = re.sub('\033\\[[0-9;]*[A-Za-z]', '', text.split('\033[3J')[-1])
    return sum(-(-max(1, sum(2 if unicodedata.east_asian_width(c) in 'WF' else 1 for c in line)) // 80) for line in plain.rstrip('\n').split('\n'))
assert lines(short) <= max(int(sys.argv[1]), 18), (lines(short), 'of', sys.argv[1])
assert lines(whole) > 100 and '第150句话' in whole and '第150句话' not in short, lines(whole)
PYTHON
done
# A terminal without a screen gets no control sequences but colours; nor does a sheet whose end was reached.
cp sheet.tsv dumb.tsv
TERM=dumb python3 keys.py 24 80 0 d q -- "$fplab" judge dumb.tsv >dumb.out
grep -q $'\033\[2J' dumb.out && complain "TERM=dumb: the screen is cleared"
grep -q $'\033\[2J' keys.out || complain "the screen is not cleared"
exit $bad
