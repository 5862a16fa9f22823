#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What a process that was ended leaves behind: after a signal nothing, after a kill what the next run removes. A file that grows over its
# limit is a line and status 1, and so is a symbolic link that leads nowhere.
. tests/support.sh
cd "$work" || exit 1
mkdir tools temporary
export TMPDIR=$work/temporary PATH=$work/tools:$PATH
# A gnuplot that never ends is one that a signal meets.
printf '#!/bin/sh\n: >"%s"\nexec sleep 20\n' "$work/begun" >tools/gnuplot
chmod +x tools/gnuplot

"$fplab" eval -c "$newswire" -a simhash -a jaccard --no-plots --replicates 200 --out run >/dev/null 2>err || complain "eval: $(cat err)"
"$fplab" eval -c "$newswire" -a simhash -a jaccard --no-plots --replicates 200 --out twin >/dev/null 2>err || complain "eval: $(cat err)"
before=$(ls -A)
ended() { # SIGNAL COMMAND…: starts it, sends the signal when gnuplot has begun
    local signal=$1; shift
    rm -f begun
    env --default-signal "$@" >/dev/null 2>err & # a job in the background ignores SIGINT
    local process=$!
    while [ ! -e begun ] && kill -0 $process 2>/dev/null; do sleep 0.05; done
    [ -e begun ] || complain "gnuplot was not started: $*: $(cat err)"
    kill -s "$signal" "$process"
    wait "$process" 2>/dev/null
    local got=$?
    [ "$got" = $((128 + $(kill -l "$signal"))) ] || complain "$signal: status $got: $*"
    rm -f begun
}
left() { { ls -A temporary; diff <(echo "$before") <(ls -A) | grep '^[<>]' | grep -v ' err$'; } | tr '\n' ' '; }
for signal in INT TERM HUP; do
    ended $signal "$fplab" eval -c "$newswire" -a simhash --figure f1 --replicates 200 --out made
    [ -z "$(left)" ] || complain "eval, $signal, left: $(left)"
    ended $signal "$fplab" plot run --out pictures
    [ -z "$(left)" ] || complain "plot, $signal, left: $(left)"
    ended $signal "$fplab" report run twin --out page.html
    [ -z "$(left)" ] || complain "report, $signal, left: $(left)"
done
ended KILL "$fplab" eval -c "$newswire" -a simhash --figure f1 --replicates 200 --out made
ended KILL "$fplab" plot run --out pictures
ended KILL "$fplab" report run twin --out page.html
[ "$(ls -A temporary | wc -l)" -ge 1 ] || complain "killed processes left nothing: $(left)"
compgen -G '.made.fplab-*' >/dev/null || complain "a killed run left nothing: $(ls -A)"
PATH=/usr/bin:/bin
# The next runs, of other names.
"$fplab" eval -c "$newswire" -a simhash --no-plots --replicates 200 --out other >/dev/null 2>err || complain "eval: $(cat err)"
"$fplab" report run --format json --out page.json >/dev/null 2>err || complain "report: $(cat err)"
[ -z "$(ls -A temporary)" ] || complain "not swept: $(ls -A temporary)"
compgen -G '.*.fplab-*' && complain "a run was not swept"

# ---- A limit on the size of files ----
head -c 300000 /dev/urandom | base64 -w 60 >lines.txt
(ulimit -f 8; "$fplab" fingerprint -a exact lines.txt >printed 2>err)
status=$?
[ "$status" = 1 ] && [ "$(wc -l <err)" = 1 ] && grep -q 'File too large' err || complain "standard output over its limit: status $status, $(cat err)"
(ulimit -f 8; "$fplab" import lines.txt --out large >/dev/null 2>err)
status=$?
[ "$status" = 1 ] && [ "$(wc -l <err)" = 1 ] && grep -q 'File too large' err || complain "a corpus over its limit: status $status, $(cat err)"
[ ! -e large ] || complain "a corpus is there in part"
(ulimit -f 8; "$fplab" index build large.index -a simhash -d 3 lines.txt >/dev/null 2>err)
status=$?
[ "$status" = 1 ] && [ "$(wc -l <err)" = 1 ] || complain "an index over its limit: status $status, $(cat err)"

# ---- --out of 255 bytes, the longest name of a file: written, and replaced ----
long=$(printf '指%.0s' {1..85})
for _ in 1 2; do
    "$fplab" eval -c "$newswire" -a simhash --no-plots --replicates 200 --out "$long" >/dev/null 2>err || complain "a name of 255 bytes: $(cat err)"
done
[ -e "$long/run.json" ] || complain "a name of 255 bytes: nothing is there"

# ---- --out that is a symbolic link ----
mkdir real && ln -s real link && ln -s nowhere dangling
"$fplab" eval -c "$newswire" -a simhash --no-plots --replicates 200 --out link >/dev/null 2>err || complain "a link to a directory: $(cat err)"
[ -L link ] && [ -e real/run.json ] || complain "a link to a directory is replaced"
refused 1 'dangling: is a symbolic link that leads to no directory; make that one, or remove the link' \
    "$fplab" eval -c "$newswire" -a simhash --no-plots --replicates 200 --out dangling
exit $bad
