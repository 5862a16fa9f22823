# SPDX-License-Identifier: GPL-3.0-or-later
# A Redis of one's own for a test, on a free loopback port, in a directory of its own, gone at the end. Source it in the root of the project:
#
#     redis_start [OPTION…]   starts it, or starts it again on the same port and the same data; $port
#     redis_stop              ends it as it likes to be ended; redis_kill ends it at once
#
# It skips the test where redis-server is not installed.
command -v redis-server >/dev/null || { echo "skipped: redis-server is not installed"; exit 77; }
redis_place=$(mktemp -d)
redis_process= redis_ran= port=
redis_kill() {
    [ -z "$redis_process" ] && return
    kill -9 "$redis_process" 2>/dev/null
    wait "$redis_process" 2>/dev/null
    redis_process=
}
redis_stop() {
    kill "$redis_process" 2>/dev/null
    wait "$redis_process" 2>/dev/null
    redis_process=
}
redis_end() { redis_kill; rm -rf "$redis_place"; }
trap redis_end EXIT

# redis_say WORDS…: one command, whose answer is a line; without redis-cli, which is of another package.
redis_say() {
    local line
    exec 9<>"/dev/tcp/127.0.0.1/$port" || return 1
    printf '%s\r\n' "$*" >&9
    IFS= read -r -t 5 line <&9
    exec 9>&-
    printf '%s\n' "${line%$'\r'}"
}

# A port may be taken between looking and starting: then another is tried.
redis_start() {
    local tried=0
    while [ $((tried += 1)) -le 5 ]; do
        [ -n "$port" ] || port=$((20000 + RANDOM % 12000))
        redis-server --bind 127.0.0.1 --port "$port" --dir "$redis_place" --daemonize no --save '' "$@" >"$redis_place/log" 2>&1 &
        redis_process=$!
        for _ in $(seq 200); do
            case $(redis_say PING 2>/dev/null) in +PONG | -NOAUTH*) redis_ran=1; return ;; esac
            kill -0 "$redis_process" 2>/dev/null || break
            sleep 0.05
        done
        redis_kill
        [ -n "$redis_ran" ] || port=
    done
    echo "redis-server does not start: $(tail -n 3 "$redis_place/log")"
    exit 1
}
