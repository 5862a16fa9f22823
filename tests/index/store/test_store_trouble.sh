#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What befalls a store in a file: no file, another file, another version, a lock, a disk or a limit that is full, a writer that is
# killed. Each is told in a line that names the file, and what was committed is there.
set -u
writer=$(realpath "${BUILD:-build}/tests/index/store/record_writer")
[ -x "$writer" ] || { echo "$writer is not built: make tests"; exit 1; }
. tests/support.sh
cd "$work" || exit 1

# ---- What is no store ----
refused 1 'nowhere: cannot open: No such file' "$writer" check nowhere 1
: >empty
refused 1 'empty: it is empty, not a collection of fplab' "$writer" check empty 1
head -c 100000 /dev/urandom >noise
refused 1 'noise: not a collection of fplab' "$writer" check noise 1
refused 1 'noise: not a collection of fplab' "$writer" add noise 2 1 1
refused 1 '.: it is no file, not a collection of fplab' "$writer" check . 1
refused 1 'missing/store: cannot make: No such file' "$writer" add missing/store 1 1 1
"$writer" add store 1 5000 100 >out || complain "it does not add"
refused 1 'store: already exists' "$writer" add store 1 1 1
refused 1 'the id "r5" is there, as record 5' "$writer" add store 5 1 1
[ "$("$writer" check store 100)" = 5000 ] || complain "5,000 records are not there"
[ "$(ls | tr '\n' ' ')" = 'empty err noise out store ' ] || complain "something is left: $(ls)"

# ---- Another version, another program, LMDB's, a table that is missing ----
# head FILE AT BYTES: changes the head of a SQLite file: application_id is at 68, user_version at 60, both with the highest byte first.
head() { printf "$3" | dd of="$1" bs=1 seek="$2" conv=notrunc status=none; }
cp store later && head later 60 '\0\0\0\7'
refused 1 'later: made by another version of fplab: its format is 7, this one reads 2' "$writer" check later 100
refused 1 'later: made by another version' "$writer" add later 5001 1 1
cp store other && head other 68 '\0\0\0\0'
refused 1 'other: an SQLite file of another program, not a collection of fplab' "$writer" check other 100
cp store torn && head torn 0 'X'
refused 1 'torn: not a collection of fplab (`fplab index build` makes one), or its head is damaged' "$writer" check torn 100
head -c 8192 /dev/zero >lmdb && head lmdb 16 '\xde\xc0\xef\xbe\1\0\0\0'
refused 1 'lmdb: made by fplab 0.2 or earlier (LMDB), which this version does not read; rebuild it from its texts by "fplab index build"' "$writer" check lmdb 1
refused 1 'lmdb: made by fplab 0.2 or earlier (LMDB)' "$writer" add lmdb 2 1 1

# ask FILE SQL…: what another program does with the file.
ask() { python3 -c 'import sqlite3, sys
db = sqlite3.connect(sys.argv[1], isolation_level=None)
for sql in sys.argv[2:]:
    for row in db.execute(sql): print(*row, sep="|")' "$@"; }
cp store tables && ask tables 'DROP TABLE state'
refused 1 'tables: damaged: no such table: state' "$writer" check tables 100
[ "$(ask store 'SELECT count(*), max(number), sum(empty) FROM records' "SELECT value FROM facts WHERE name = 'last'" 'SELECT records, next FROM state')" = "5000|5000|0
5000
5000|5001" ] || complain "what sqlite3 says of it: $(ask store 'SELECT * FROM state')"

# ---- Locked by another program ----
python3 -c 'import sqlite3, sys
db = sqlite3.connect("store", isolation_level=None); db.execute("BEGIN IMMEDIATE"); print("locked", flush=True); sys.stdin.read()' < <(sleep 30) >locked &
process=$!
until [ -s locked ]; do sleep 0.05; done
[ "$("$writer" check store 100)" = 5000 ] || complain "a reader of a store that is locked"
refused 1 'store: locked by another process, which may be sqlite3; end its transaction and try again' "$writer" add store 5001 1 1
kill $process; wait $process 2>/dev/null

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
    grep -q '^disk/store: cannot write: the disk, or a limit on the size of files, is full' err || complain "a full disk: $(cat err)"
    told=$(tail -n 1 out)
    [ "$("$writer" check disk/store 100)" = "$told" ] || complain "a full disk: not what was told of"
    umount disk
    # A file system that is read-only, with a file that is whole, and with one whose last commits are still in its log.
    mount -t tmpfs none disk
    cp store disk/store
    "$writer" add disk/killed 1 1000000 10 >told 2>err &
    process=$!
    until [ -s told ]; do sleep 0.05; done
    kill -9 $process; wait $process 2>/dev/null
    mount -o remount,ro disk
    [ "$("$writer" check disk/store 100)" = "$("$writer" check store 100)" ] || complain "a file system that is read-only"
    refused 1 'disk/store: cannot open: Read-only file system' "$writer" add disk/store 100000 1 1
    rm -f err; "$writer" check disk/killed 10 >out 2>err || grep -q 'its last commits are in disk/killed-wal, and its directory is read-only; copy both files' err ||
        complain "a log on a file system that is read-only: $(cat err)"
    umount disk
else echo "skipped: a full disk: no file system can be mounted here"
fi

# ---- A reader that may not write ----
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null && chmod 755 "$work" && mkdir shelf && "$writer" add shelf/store 1 100 10 >out; then
    cp "$writer" shelf/writer
    reads() { setpriv --reuid=65534 --regid=65534 --clear-groups shelf/writer check shelf/store 10 2>err; }
    [ "$(reads)" = 100 ] || complain "a reader that may not write: $(cat err)"
    chmod 777 shelf
    [ "$(reads)" = 100 ] || complain "a reader of a file that it may not write: $(cat err)"
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
# What it left beside a file that is taken away is no part of a new one.
: >told
"$writer" add gone 1 1000000 10 >told 2>err &
process=$!
until [ -s told ]; do sleep 0.05; done
kill -9 $process; wait $process 2>/dev/null
[ -s gone-wal ] && rm gone || complain "a killed writer leaves no log"
"$writer" add gone 1 20 10 >out 2>err || complain "a new store beside an old log: $(cat err)"
[ "$("$writer" check gone 10 2>&1)" = 20 ] || complain "a new store beside an old log: $("$writer" check gone 10 2>&1 | head -n 3)"
exit $bad
