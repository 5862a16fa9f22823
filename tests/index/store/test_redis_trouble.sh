#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What befalls a store in Redis: nobody there, somebody else there, a password, another database, a server that dies under a writer and
# comes back or does not, memory that is full, a Redis that forgets, a writer that is gone. Each is told in a line without the password,
# and no transaction is there in part.
set -u
. tests/support.sh
writer=$(realpath "${BUILD:-build}/tests/index/store/record_writer" 2>/dev/null || realpath "$OLDPWD/${BUILD:-build}/tests/index/store/record_writer")
[ -x "$writer" ] || { echo "$writer is not built: make tests"; exit 1; }
. tests/index/store/redis.sh
trap 'redis_end; rm -rf "$work"; kill $helpers 2>/dev/null' EXIT
helpers=
cd "$work" || exit 1

# ---- Addresses ----
refused 1 'unexpected text after the host' "$writer" check 'redis://[::1]x' 1
refused 1 'there is no host' "$writer" check 'redis://' 1
refused 1 'the port: a whole number from 0 to 65535, not "seven"' "$writer" check redis://localhost:seven 1
refused 1 'the database: a whole number' "$writer" check redis://localhost/x 1
refused 1 'name: from 1 to 64' "$writer" check 'redis://localhost?name=a%3A*' 1
refused 1 'only name and list' "$writer" check 'redis://localhost?size=7' 1
refused 1 'a password has' "$writer" check redis://secret@localhost 1
refused 1 'two hexadecimal digits' "$writer" check redis://:a%4@localhost 1
# What this build says of TLS depends on hiredis.
"$writer" check rediss://127.0.0.1:1 1 2>err && complain "rediss:// to nobody"
[ "$(wc -l <err)" = 1 ] || complain "rediss: $(cat err)"

# ---- Nobody, or somebody else ----
refused 1 'redis://127.0.0.1:1/0?name=fplab: cannot reach Redis: Connection refused' "$writer" check redis://127.0.0.1:1 1
python3 - >ports <<'END' &
import socket, threading
def serve(answer):
    server = socket.socket(); server.bind(('127.0.0.1', 0)); server.listen(); print(server.getsockname()[1], flush=True)
    def run():
        kept = []
        while True:
            one = server.accept()[0]; kept.append(one)
            if answer: one.sendall(answer)
    threading.Thread(target=run).start()
serve(b'SSH-2.0-OpenSSH_9.2p1\r\n'); serve(b''); serve(b'$-7\r\n' * 9)
END
helpers="$helpers $!"
until [ "$(wc -l <ports)" = 3 ]; do sleep 0.05; done
{ read -r nonsense; read -r silent; read -r odd; } <ports
refused 1 'the server that answers is not Redis' "$writer" check "redis://127.0.0.1:$nonsense" 1
refused 1 "redis://127.0.0.1:$silent/0?name=fplab: it does not answer" timeout 20 "$writer" check "redis://127.0.0.1:$silent" 1
refused 1 'the server that answers is not Redis' "$writer" check "redis://127.0.0.1:$odd" 1

# ---- A password, a database ----
redis_start --requirepass 'p@ss:w' --databases 4 --appendonly yes --appendfsync always
place=127.0.0.1:$port good="redis://:p%40ss%3Aw@127.0.0.1:$port"
refused 1 "redis://$place/0?name=fplab: Redis needs a password" "$writer" check "redis://$place" 1
refused 1 "redis://$place/0?name=fplab: Redis refuses the password" "$writer" check "redis://:secret@$place" 1
grep -q secret err && complain "the password is told"
refused 1 'Redis reports an error: ERR DB index is out of range' "$writer" check "$good/9" 1
refused 1 'it has no store of that name' "$writer" check "$good/1" 1
"$writer" add "$good/1" 1 500 50 >out 2>err || complain "with a password: $(cat err)"
[ -s err ] && complain "a Redis that keeps everything is warned of: $(cat err)"
[ "$("$writer" check "$good/1" 50)" = 500 ] || complain "500 records are not there"
refused 1 'it has no store of that name' "$writer" check "$good/1?name=other" 1
refused 1 'already exists' "$writer" add "$good/1" 1 1 1
refused 1 'the id "r5" is there, as record 5' "$writer" add "$good/1" 5 1 1
redis_stop
rm -rf "$redis_place"/appendonlydir

# ---- It dies under a writer, and comes back: the writer goes on ----
redis_start --appendonly yes --appendfsync always
address=redis://127.0.0.1:$port
: >told
"$writer" add "$address" 1 100000000 20 >told 2>told.err &
process=$!
until [ "$(wc -l <told)" -gt 20 ] || ! kill -0 $process; do sleep 0.05; done
redis_kill
sleep 0.5
redis_start --appendonly yes --appendfsync always
before=$(tail -n 1 told)
for _ in $(seq 100); do [ "$(tail -n 1 told)" -gt "$before" ] && break; sleep 0.1; done
[ "$(tail -n 1 told)" -gt "$before" ] || complain "the writer does not go on: $(cat told.err)"

# ---- A second writer; then the first is killed, and its place is free at once ----
refused 1 "process $process on " "$writer" add "$address" 100000001 1 1
kill -9 $process; wait $process 2>/dev/null
there=$("$writer" check "$address" 20) || complain "after a kill of each"
[ "$there" -ge "$(tail -n 1 told)" ] || complain "not all that was told of"
"$writer" add "$address" $((there + 1)) 20 20 >out || complain "the place of a killed writer stays taken"
# One of another machine is waited for, since nobody can see whether it lives.
redis_say SET fplab:writer '"process 1 on elsewhere 1"' PX 60000 >answer
refused 1 'process 1 on elsewhere is writing to it, or was less than 60 seconds ago' "$writer" add "$address" $((there + 21)) 20 20
redis_say DEL fplab:writer >answer

# ---- It dies and does not come back: an error after bounded retries, and later nothing is there in part ----
: >told
"$writer" add "$address" $((there + 21)) 100000000 20 >told 2>told.err &
process=$!
until [ "$(wc -l <told)" -gt 5 ]; do sleep 0.05; done
redis_kill
wait $process
[ $? = 1 ] || complain "without Redis: no error"
grep -q "^redis://127.0.0.1:$port/0?name=fplab: cannot reach Redis: Connection refused" told.err || complain "without Redis: $(cat told.err)"
[ "$(wc -l <told.err)" = 1 ] || complain "without Redis, not one line: $(cat told.err)"
redis_start --appendonly yes --appendfsync always
there=$("$writer" check "$address" 20 2>err) || complain "after it did not come back: $(cat err)"
[ "$there" -ge "$(tail -n 1 told)" ] || complain "after it did not come back: not all that was told of"

# ---- It comes back without what it had acknowledged ----
redis_say DEL fplab:writer >answer
: >told
"$writer" add "$address" $((there + 1)) 100000000 20 >told 2>told.err &
process=$!
until [ "$(wc -l <told)" -gt 5 ]; do sleep 0.05; done
redis_kill
rm -rf "$redis_place"/appendonlydir
redis_start
wait $process
[ $? = 1 ] || complain "a Redis that lost everything: no error"
grep -qE 'the store no longer exists|another process wrote to it' told.err || complain "a Redis that lost everything: $(cat told.err)"

# ---- Full ----
redis_stop
redis_start --maxmemory 4mb
"$writer" add "$address" 1 1000000 100 >out 2>err && complain "a full Redis is no error"
grep -q "^redis://127.0.0.1:$port/0?name=fplab: Redis is full (maxmemory)$" err || complain "a full Redis: $(cat err)"
grep -q '^This Redis keeps no log' err || complain "no word of a Redis without a log: $(cat err)"
told=$(tail -n 1 out)
[ "${told:-0}" -gt 100 ] || complain "nothing was added before it was full"
[ "$("$writer" check "$address" 100)" = "$told" ] || complain "a full Redis: not what was told of"

# ---- A Redis that forgets ----
redis_stop
redis_start --maxmemory 4mb --maxmemory-policy allkeys-lru
refused 1 'forgets keys when it is full (maxmemory-policy allkeys-lru)' "$writer" add "$address" 1 1 1

# ---- Damage: fields of records, an entry of a list, a key of another type ----
redis_stop
redis_start
"$writer" add "$address" 1 100 10 >out 2>err || complain "it does not add: $(cat err)"
redis_say HSET fplab:r:7 characters many >answer
redis_say HSET fplab:r:8 fingerprint changed- >answer
redis_say DEL fplab:r:9 >answer
redis_say HSET fplab:ids r11 12 >answer
redis_say LPUSH fplab:k:0000000000000001 abcdefghijkl >answer
"$writer" check "$address" 10 >out 2>err; [ $? = 2 ] || complain "damage is no error"
for words in 'record 7 is damaged: a field of it is missing, or of another type' 'record 8 is damaged: its checksum differs' 'record 9 is missing' 'record 11: its id "r11" does not lead to it' \
    'the list of key [0-9a-f]* has an entry that no record 8 has' 'the list of key 0000000000000001 has an entry that no record' \
    'it holds 100 ids and 99 records' 'it has 99 records, and its count is 100'; do
    grep -q "problem: .*$words" err || complain "damage: no word of \"$words\": $(cat err)"
done
redis_say SET fplab:state '"fplab 7 1 1"' >answer
refused 1 'made by another version of fplab: its format is 7, this one reads 2' "$writer" check "$address" 10
redis_say SET fplab:state fplabrec1 >answer
refused 1 'made by fplab 0.2 or earlier, whose records this version does not read; rebuild it' "$writer" check "$address" 10
redis_say SET fplab:state x >answer
refused 1 'not a collection of fplab, or its state is damaged' "$writer" check "$address" 10
redis_say DEL fplab:state >answer
redis_say LPUSH fplab:state x >answer
refused 1 'Redis reports an error: WRONGTYPE' "$writer" check "$address" 10
exit $bad
