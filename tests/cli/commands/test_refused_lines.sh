#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A line that is not UTF-8 is found where it is normalised, by any thread: what stands before it is printed, and it is told with file, line and byte, whether
# lines come from a file, packed, through a pipe, from memory, once or twice, and however many batches there are. Places are counted by Python.
. tests/support.sh
command -v python3 >/dev/null || { echo "python3 is not installed"; exit 77; }
cd "$work" || exit 1
python3 - <<'P'
line = lambda i: ('第%d行，天气晴朗。' % i * 40).encode()
places = open('places', 'w')
def put(name, lines, end=b'\n'):
    data = b'\n'.join(lines) + end
    open(name, 'wb').write(data)
    try:
        data.decode()
    except UnicodeDecodeError as bad:
        before = data[:bad.start]
        places.write('%s %d %d\n' % (name, before.count(b'\n') + 1, bad.start))
good = [line(i) for i in range(4000)]
put('good', good)
for name, at in ('first', 0), ('second', 1), ('middle', 1999), ('last', 3999):
    put(name, good[:at] + [good[at][:50] + b'\xff' + good[at][50:]] + good[at + 1:])
put('cut', good + ['好'.encode()[:2]], b'')
put('halves', good[:7] + ['好'.encode()[:2], '好'.encode()[2:]] + good[7:])
put('surrogate', good[:3000] + [b'\xed\xa0\x80'] + good[3000:3500] + [b'\xff'])
# Before a line that is too long, and behind it.
put('early', good[:2000] + [b'x\xc0', b'y' * 3000000])
put('late', good[:2000] + [b'y' * 3000000, b'x\xc0'])
P
"$fplab" fingerprint -a minhash good >all || complain "good: $?"
gzip -k middle
expect() { # NAME LINE MESSAGE COMMAND…: exit status 1, all lines before that one, and the message
    local name=$1 line=$2 message=$3; shift 3
    "$@" >out 2>err
    local status=$?
    [ $status = 1 ] || complain "$name: status $status"
    head -n "$line" "${whole:-all}" | cmp -s - out || complain "$name: $(wc -l <out) lines printed, not $line: $*"
    [ "$(cat err)" = "fplab: $message" ] || complain "$name: $(cat err)"
}
while read -r name line byte; do
    [ "$name" = late ] && continue
    for threads in 1 3; do
        export OMP_NUM_THREADS=$threads
        place="$line: invalid UTF-8 (byte $byte); if it is written in GB18030, add --encoding gb18030; auto guesses"
        expect "$name" "$line" "$name:$place" "$fplab" fingerprint -a minhash "$name"
        expect "$name" "$line" "standard input:$place" bash -c "'$fplab' fingerprint -a minhash <$name"
        expect "$name" "$line" "standard input:$place" bash -c "cat $name | '$fplab' fingerprint -a minhash"
        [ "$name" = middle ] || [ "$name" = cut ] || continue
        # Lines that are read twice: nothing is printed before all are known.
        whole=head; printf 'id\tfingerprint\n' >head
        expect "$name, learning" 1 "$name:$place" "$fplab" fingerprint -a simhash:features=chars:2,weight=tfidf "$name"
        expect "$name, learning from a pipe" 1 "standard input:$place" bash -c "cat $name | '$fplab' fingerprint -a simhash:features=chars:2,weight=tfidf"
        unset whole
    done
done <places
[ "$(wc -l <places)" = 9 ] || complain "not nine damaged files: $(cat places)"
line=$(sed -n 's/^middle \([0-9]*\) .*/\1/p' places) byte=$(sed -n 's/^middle [0-9]* //p' places)
expect "packed" "$line" "middle.gz:$line: invalid UTF-8 (byte $byte); if it is written in GB18030, add --encoding gb18030; auto guesses" "$fplab" fingerprint -a minhash middle.gz
expect "too long" 2001 "late:2001: a line of more than 1048576 bytes; --max-size raises the limit" "$fplab" fingerprint -a minhash --max-size 1M late
# An arm that normalises nothing has its lines checked as well.
whole=head expect "constant" 1 "first:1: invalid UTF-8 (byte 50); if it is written in GB18030, add --encoding gb18030; auto guesses" "$fplab" fingerprint -a constant first
exit $bad
