#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What befalls a store in a file: no file, another file, another version, a disk or a limit that is full, little memory to address, a
# writer that is killed. Each is told in a line that names the file, and what was committed is there.
set -u
writer=$(realpath "${BUILD:-build}/tests/index/store/record_writer")
. tests/support.sh
cd "$work" || exit 1

# ---- What is no store ----
refused 1 'nowhere: cannot open: No such file' "$writer" check nowhere 1
: >empty
refused 1 'empty: it is empty, and no store' "$writer" check empty 1
head -c 100000 /dev/urandom >noise
refused 1 'noise: it is no store of records' "$writer" check noise 1
refused 1 'noise: it is no store of records' "$writer" add noise 2 1 1
refused 1 '.: it is no file' "$writer" check . 1
refused 1 'missing/store: cannot make: No such file' "$writer" add missing/store 1 1 1
"$writer" add store 1 5000 100 >out || complain "it does not add"
refused 1 'store: it is there already' "$writer" add store 1 1 1
refused 1 'the id "r5" is there, as record 5' "$writer" add store 5 1 1
[ "$("$writer" check store 100)" = 5000 ] || complain "5,000 records are not there"
[ "$(ls | tr '\n' ' ')" = 'empty err noise out store store-lock ' ] || complain "something is left: $(ls)"

# ---- Another version: the format is the four bytes behind "fplabrec", wherever the state lies in the file. ----
cp store later
perl -0777 -pi -e 's/fplabrec\x01\0\0\0/fplabrec\x07\0\0\0/g' later
refused 1 'later: made by another version of fplab: its format is 7, this one reads 1' "$writer" check later 100
refused 1 'later: made by another version' "$writer" add later 5001 1 1
cp store torn
perl -0777 -pi -e 's/(fplabrec\x01\0\0\0....)./$1\xee/gs' torn
refused 1 'torn: damaged: the checksum of its state' "$writer" check torn 100

# ---- Full: by a limit on the size of files, which is told as a full disk is ----
before=$(stat -c %s store)
(ulimit -f $((before / 1024 + 500)); trap '' XFSZ; exec "$writer" add store 5001 1000000 100) >out 2>err
[ $? = 1 ] || complain "a file that may not grow: status"
grep -q '^store: cannot write' err || complain "a file that may not grow: $(cat err)"
told=$(tail -n 1 out)
[ "${told:-0}" -gt 5000 ] || complain "nothing was added before the limit"
[ "$("$writer" check store 100)" = "$told" ] || complain "not what was told of when the file might not grow"
"$writer" add store $((told + 1)) 100 100 >out || complain "it cannot be added to after that"

# A disk of two megabytes, where one may be mounted.
mkdir disk
if mount -t tmpfs -o size=2m none disk 2>/dev/null; then
    "$writer" add disk/store 1 1000000 100 >out 2>err && complain "a full disk is no error"
    grep -qE '^disk/store: cannot write(: No space left on device| all: the disk.*)$' err || complain "a full disk: $(cat err)"
    told=$(tail -n 1 out)
    [ "$("$writer" check disk/store 100)" = "$told" ] || complain "a full disk: not what was told of"
    umount disk
else echo "skipped: a full disk: no file system can be mounted here"
fi

# ---- Fewer addresses than the map would take: it takes a smaller one, and says when that is full. ----
if [ -n "${SANITIZE:-}" ] || nm -D "$writer" 2>/dev/null | grep -q ' __asan_init'; then echo "skipped: few addresses: a sanitizer takes more"; else
(ulimit -v 300000; exec "$writer" add small 1 20000 100) >out 2>err || complain "with few addresses: $(cat err)"
(ulimit -v 200000; exec "$writer" add small 20001 1000000 1000) >out 2>err && complain "more than there are addresses for"
grep -q 'ulimit -v' err || complain "with fewer addresses: $(cat err)"
"$writer" check small 100 >out || complain "a store whose addresses were used up"
fi

# ---- A reader that may not write ----
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null && chmod 755 "$work" && mkdir shelf && "$writer" add shelf/store 1 100 10 >out; then
    cp "$writer" shelf/writer
    reads() { setpriv --reuid=65534 --regid=65534 --clear-groups shelf/writer check shelf/store 10 2>err; }
    [ "$(reads)" = 100 ] || complain "a reader that may not write: $(cat err)"
    rm shelf/store-lock
    [ "$(reads)" = 100 ] || complain "a reader without a lock file: $(cat err)"
else echo "skipped: a reader that may not write: only root can be another here"
fi

# ---- A writer that is killed ----
: >told
"$writer" add killed 1 1000000 10 >told 2>err &
process=$!
until [ -s told ]; do sleep 0.05; done
refused 1 "killed: process $process is writing to it" "$writer" add killed 1000001 1 1
kill -9 $process; wait $process 2>/dev/null
told=$("$writer" check killed 10) || complain "after a kill"
"$writer" add killed $((told + 1)) 10 10 >out || complain "the place of a killed writer stays taken"
exit $bad
