#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A Redis that wants to do harm: between the program and a real one stands a proxy that answers one command by an endless array, nested
# arrays, a bulk of 500 MB, a line without an end, a byte each 0.2 s. Each is refused in a line, in bounded memory and time.
set -u
. tests/support.sh
writer=$(realpath "${BUILD:-build}/tests/index/store/record_writer" 2>/dev/null || realpath "$OLDPWD/${BUILD:-build}/tests/index/store/record_writer")
. tests/index/store/redis.sh
helpers=
trap 'redis_end; rm -rf "$work"; kill $helpers 2>/dev/null' EXIT
cd "$work" || exit 1
redis_start
"$writer" add "redis://127.0.0.1:$port" 1 40 10 >out 2>err || complain "it does not add: $(cat err)"

# The database of an address is the number of the harm, and so the first bytes of a connection choose it.
cat >proxy.py <<'END'
import itertools, re, socket, sys, threading, time
real = int(sys.argv[1])
endless = lambda head, part: itertools.chain([head], itertools.repeat(part))
slow = lambda text: ((time.sleep(0.2), text[i:i + 1])[1] for i in range(len(text)))
nested = lambda: endless(b'*64\r\n' * 3, b'*64\r\n:1\r\n' * 1000)
harms = {
    b'PING': [lambda: slow(b'+' + b'P' * 1000), lambda: endless(b'+', b'P' * 65536)],
    b'GET fplab:state': [lambda: endless(b'*2147483647\r\n', b':1\r\n' * 10000), lambda: endless(b'$500000000\r\n', b'x' * 65536), nested,
                         lambda: endless(b'-ERR ', b'x' * 65536)],
    b'HMGET': [lambda: endless(b'*256\r\n', b'$500000000\r\n' + b'x' * 65536), lambda: endless(b'*2000000000\r\n', b'+\r\n' * 10000), nested],
    b'HGET': [lambda: endless(b'$500000000\r\n', b'x' * 65536)],
    b'HLEN': [nested],
    b'ZRANGEBYLEX': [lambda: endless(b'*2147483646\r\n', b'$1\r\nx\r\n' * 10000)],
    b'LRANGE': [lambda: endless(b'*2147483646\r\n', b'$1\r\nx\r\n' * 10000)],
    b' SCAN': [lambda: [b'*2\r\n:1\r\n*0\r\n'], lambda: [b'*1\r\n$1\r\n0\r\n'], lambda: [b'*2\r\n$1\r\n0\r\n:1\r\n'],
              lambda: endless(b'*2\r\n$1\r\n0\r\n*2147483646\r\n', b'$1\r\nx\r\n' * 10000)],
}
harms = [(command, harm) for command, them in harms.items() for harm in them]
def words(text): return b' ' + b' '.join(re.sub(rb'[*$]\d+\r\n', b'', text).split())
def serve(client):
    server, harm = socket.create_connection(('127.0.0.1', real)), None
    try:
        while True:
            asked = client.recv(1 << 20)
            if not asked: return
            said = words(asked)
            if b'SELECT' in said: harm, asked = int(said.split()[-1]), re.sub(rb'\$\d+\r\n\d+\r\n$', b'$1\r\n0\r\n', asked)
            if harm is not None and harms[harm][0] in said:
                for part in harms[harm][1](): client.sendall(part)
                time.sleep(20)
            server.sendall(asked)
            client.sendall(server.recv(1 << 20))
    except OSError: pass
    finally: client.close(); server.close()
listener = socket.socket(); listener.bind(('127.0.0.1', 0)); listener.listen()
print(listener.getsockname()[1], flush=True)
for command, _ in harms: print(command.decode().split()[0], flush=True)
print('end', flush=True)
while True: threading.Thread(target=serve, args=(listener.accept()[0],), daemon=True).start()
END
python3 proxy.py "$port" >harms 2>proxy.err &
helpers=$!
until grep -q end harms; do sleep 0.05; done
mapfile -t harms < <(sed '$d' harms)
[ "${#harms[@]}" -gt 12 ] || complain "${#harms[@]} answers"

for ((i = 1; i < ${#harms[@]}; i++)); do
    address=redis://127.0.0.1:${harms[0]}/$((i - 1)) begun=$SECONDS
    # 1.5 GiB of address space: an answer of 128 MiB is held twice while it is read.
    (ulimit -v 1572864; exec timeout 60 "$writer" check "$address" 10) >out 2>err
    status=$?
    [ "$status" = 1 ] || [ "$status" = 2 ] || complain "answer $((i - 1)) to ${harms[i]}: status $status, $(cat err)"
    [ $((SECONDS - begun)) -le 20 ] || complain "answer $((i - 1)) to ${harms[i]}: $((SECONDS - begun)) s"
    grep -qE 'more than what was asked for|the server that answers is not Redis|it does not answer|damaged: a key of it is of another type' err ||
        complain "answer $((i - 1)) to ${harms[i]}: $(head -c 500 err)"
    grep -q 'problem: the lists' err && complain "answer $((i - 1)) to ${harms[i]} passes for lists: $(cat err)"
    grep -q 'out of memory' err && complain "answer $((i - 1)) to ${harms[i]}: $(cat err)"
done
kill -0 "$helpers" || complain "the proxy ended: $(cat proxy.err)"
[ "$("$writer" check "redis://127.0.0.1:$port" 10)" = 40 ] || complain "the records are not as they were"
exit $bad
