#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The programs in examples/ build with what is installed and nothing else, without a warning, and print what they are there for; the same with
# every one of their allocations failing in turn: they end in order, with a line that says why, and print no other result.
set -u
. tests/support.sh
build=${BUILD:-build}
make --no-print-directory BUILD="$build" PREFIX="$work/usr" PAGES= install-files >/dev/null || exit 1
export PKG_CONFIG_PATH=$work/usr/lib/pkgconfig LD_LIBRARY_PATH=$work/usr/lib
shim=$(realpath "$build/tests/base/fail_allocation.so")
cp examples/*.c "$work"
cd "$work" || exit 1
compile() { ${CC:-gcc} -std=c99 -Wall -Wextra -Wpedantic -Wconversion -Werror ${SANITIZE:-} "$@" -D_POSIX_C_SOURCE=200809L $(pkg-config --cflags --libs fplab); }
for source in *.c; do
    if grep -q '^int main(' "$source"; then compile "$source" -o "${source%.c}" || complain "$source does not build"
    else compile -shared -fPIC "$source" -o "${source%.c}.so" || complain "$source does not build"; fi
done

# says WANTED COMMAND…: exactly that on standard output, and nothing on standard error.
says() {
    local wanted=$1; shift
    "$@" >out 2>err || complain "status $?: $*: $(cat err)"
    [ "$(cat out)" = "$wanted" ] && [ ! -s err ] || complain "\"$wanted\" was expected: $*: $(cat out err)"
}

a=今天下午，临江大桥恢复通车。 b=临江大桥今天下午恢复通车。
# hello: the program's own answer.
hello=$("$fplab" compare --arm simhash:features=chars:2 --text $a $b --format tsv | awk -F'\t' 'NR == 2 { printf "%s %s: %s %.3f", $2, $3, $5, $6 }')
says "$hello" ./hello
says "0 bits of 64: cosine 1.000" ./hello $a $a
# segmenter: its words, and no others.
says $'美国\t1\n51区\t1\n飞碟\t2' ./segmenter '美国  51区 飞碟 飞碟'
# save_model: the fingerprint of an arm that was fitted to those lines by the program.
python3 - "$newswire/docs.jsonl" >lines.txt <<'PY' || { echo "python3 is missing"; exit 77; }
import json, sys
for line in list(open(sys.argv[1], encoding='utf-8'))[:60]:
    print(json.loads(line)['text'].replace('\n', ' '))
PY
(cat lines.txt; echo "$b") >all.txt
rm -rf corpus && mkdir corpus
learned=$(./save_model lines.txt model "$(head -1 lines.txt)")
[ "$learned" = "$("$fplab" fingerprint --arm simhash:features=words,weight=tfidf lines.txt | awk -F'\t' 'NR == 2 { print $2 }')" ] || complain "save_model: $learned"
[ "$learned" != "$(./save_model all.txt model "$(head -1 lines.txt)")" ] || complain "save_model: other texts teach the same"
# columns: what `fplab dedup` drops of the same texts.
sed -n 's/^ *"\(.*\)\\n"[;]*$/\1/p; s/^static const char TEXTS.*"\(.*\)\\n"$/\1/p' columns.c >texts.txt
dropped=$("$fplab" dedup --arm simhash:features=chars:3 -d 12 --dropped texts.txt 2>/dev/null | awk -F'\t' 'NR > 1 { sub(/.*:/, "", $1); sub(/.*:/, "", $2); print $1 - 1, $2 - 1, $3 }')
[ "$(./columns | sed -n 's/text \(.*\) repeats text \(.*\): \(.*\) bits/\1 \2 \3/p')" = "$dropped" ] && [ -n "$dropped" ] || complain "columns: $(./columns), not $dropped"
# The plug-in: listed, and used.
"$fplab" algorithms --plugin ./rarest.so | grep -q '^rarest ' || complain "rarest is not listed"
# The extension: the program's own fingerprints and distances, in SQL; what is wrong is an error of the statement. Python loads no library
# with sanitizers.
[ -n "${SANITIZE:-}" ] && echo "skipped: the extension of SQLite: Python loads no library with sanitizers" ||
    python3 - "$("$fplab" compare --arm simhash --arm jaccard --text $a $b --format json)" "$(printf '%s\n' "$a" | "$fplab" fingerprint --arm simhash | awk 'NR == 2 { print $2 }')" $a $b <<'PY' || complain "the extension of SQLite"
import json, sqlite3, sys
simhash, jaccard = json.loads(sys.argv[1])
fingerprint, a, b = sys.argv[2:5]
base = sqlite3.connect(':memory:')
base.enable_load_extension(True)
base.load_extension('./sqlite_fplab')
one = lambda sql, *values: base.execute('select ' + sql, values).fetchone()[0]
assert one("fp_sketch('simhash', ?)", a)[::-1].hex() == fingerprint
assert one("fp_hamming(fp_sketch('simhash', ?), fp_sketch('simhash', ?))", a, b) == simhash['distance']
assert one("fp_distance('simhash', fp_sketch('simhash', ?), fp_sketch('simhash', ?))", a, b) == simhash['distance']
assert abs(one('fp_jaccard(?, ?)', a, b) - jaccard['similarity']) < 1e-9
assert one("fp_jaccard(?, ?, 'features=words')", a, a) == 1
assert one("fp_sketch('simhash', '。')") is None and one("fp_hamming(null, x'00')") is None
for wrong in ("fp_sketch('nosuch', 'a')", "fp_sketch('simhash:weight=tfidf', 'a')", "fp_hamming(x'00', x'0000')", "fp_distance('simhash', x'00', x'00')",
              "fp_distance('jaccard', x'00', x'00')"):
    try:
        one(wrong)
    except sqlite3.OperationalError as said:
        assert str(said), wrong
    else:
        raise SystemExit(wrong + ' is not refused')
PY

# ---- Failed allocations: tests/deep/house/test_example_failures.sh asks for them ----

[ -n "${FAILURES-}" ] || exit $bad
if [ -n "${SANITIZE:-}" ]; then
    echo "skipped: failed allocations: a sanitizer has allocations of its own"
    exit $bad
fi
# fails COMMAND…: one allocation fails, then the next, until none does; one with all that follow, too. A failure is told in one line and gives status 1.
fails() {
    LD_PRELOAD=$shim OMP_NUM_THREADS=1 "$@" >whole 2>err || complain "$1 under the shim: $(cat err)"
    LD_PRELOAD=$shim OMP_NUM_THREADS=1 FAIL_TELL=count "$@" >/dev/null 2>&1
    local number=0 most status; most=$(wc -l <count); rm -f count
    [ "$most" -ge 3 ] || complain "$1 allocates only $most times"
    for how in FAIL_AT FAIL_AFTER; do
        for ((number = 1; number <= most; number++)); do
            env LD_PRELOAD="$shim" OMP_NUM_THREADS=1 FAIL_AT=$number $([ $how = FAIL_AT ] || echo FAIL_AFTER=1) "$@" >out 2>err
            status=$?
            if [ $status = 0 ]; then cmp -s out whole || complain "$1 prints another result when allocation $number fails: $(cat out)"
            elif [ $status != 1 ] || [ "$(wc -l <err)" != 1 ] || [ -s out ]; then complain "$1, $how $number: status $status: $(head -c 300 out err)"; fi
        done
    done
}
head -30 lines.txt >few.txt
fails ./hello
fails ./segmenter
fails ./save_model few.txt model "$b"
fails ./columns
exit $bad
