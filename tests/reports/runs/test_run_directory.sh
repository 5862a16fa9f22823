#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# --out: a run appears whole or not at all; it replaces an earlier run, and refuses a directory with other files or changed ones. tests/deep/intervals/test_run_moments.sh has many more moments.
set -u
fplab=$(realpath "${FPLAB:-build/bin/fplab}")
corpus=$(realpath tests/data/newswire-zh)
moments=$(realpath tests/reports/runs/run_moments.py)
work=$(mktemp -d)
trap 'umount "$work/disk" 2>/dev/null; rm -rf "$work"' EXIT
bad=0
complain() { echo "FAIL: $*"; bad=1; }
cd "$work" || exit 1

for mode in exchange move; do
    mkdir $mode
    /usr/bin/python3 "$moments" "$fplab" "$corpus" $mode 5 $mode >said 2>&1 || complain "$mode: $(cat said)"
    echo "note: $mode: $(tail -n 1 said)"
done

# The files of another run go.
cp -r "$corpus" other && chmod -R u+w other
"$fplab" eval --replicates 200 -c "$corpus" -a simhash --plot-format svg --figure thresholds --figure f1 --out run >/dev/null || complain "--out"
again() { "$fplab" eval --replicates 200 -c other -a simhash -a minhash --plot-format svg --figure thresholds --figure f1 --out run/ "$@" >/dev/null 2>err; }
again && [ ! -s err ] || complain "--out again: $(cat err)"
ls run/plots | grep -q newswire && complain "another corpus's files: $(ls run/plots)"
[ -s run/plots/other-thresholds.svg ] || complain "no picture"

# The same run once more changes nothing but what tells its times, and has nothing to say.
find run -type f ! -name run.json ! -name summary.tsv ! -name answer.tsv ! -name '*-quality.*' -exec md5sum {} + | sort >before
again && [ ! -s err ] || complain "the same run says $(cat err)"
find run -type f ! -name run.json ! -name summary.tsv ! -name answer.tsv ! -name '*-quality.*' -exec md5sum {} + | sort | diff before - || complain "the same run wrote other files"

# Changed files and those of others are named before anything is measured, and stay. --force removes them, but no directory. A file that was
# deleted is no reason to refuse.
rm run/plots/other-f1.svg
for change in 'echo >>run/plots/thresholds.gp' 'echo mine >run/notes.txt' 'ln -s "$work/precious" run/plots/link' 'echo >>run/results.tsv' 'echo >run/.hidden'; do
    echo precious >precious; eval "$change"; cp -r run was
    again && complain "$change: not refused"
    grep -qx "fplab: run/: has files that a run did not write, or that were changed since: .*; name another directory, or add --force to remove them" err || complain "$change: $(cat err)"
    diff -r was run && [ -z "$(find . -maxdepth 1 -name '.*fplab*')" ] || complain "$change: refused, and something changed"
    rm -rf was
done
grep -q 'since: .hidden, notes.txt, plots/link and 2 more;' err || complain "names: $(cat err)"
mkdir run/sub && again --force && complain "a directory was removed"
grep -q 'run/: has a directory that a run did not make: sub; remove it, or name another directory' err && [ -e run/notes.txt ] && rmdir run/sub || complain "a directory: $(cat err)"
again --force && [ ! -s err ] && [ "$(cat precious)" = precious ] && find run -type f ! -name run.json ! -name summary.tsv ! -name answer.tsv ! -name '*-quality.*' -exec md5sum {} + | sort | diff before - || complain "--force: $(cat err)"

# A run.json that is not ours.
mkdir foreign && echo mine >foreign/results.tsv && echo '{"program": "other"}' >foreign/run.json && cp -r foreign kept
"$fplab" eval --replicates 200 -c "$corpus" -a simhash --no-plots --out foreign >/dev/null 2>err && complain "--out foreign"
grep -q 'since: results.tsv, run.json;' err && diff -r foreign kept || complain "foreign: $(cat err)"
"$fplab" eval --replicates 200 -c "$corpus" -a simhash --no-plots --out foreign --force >/dev/null && grep -q fplab foreign/run.json && rm -rf kept || complain "foreign, --force"

# A file that comes while the run goes on: nothing of it is lost, and neither is the run.
mkfifo slow; exec 7<>slow
"$fplab" eval --replicates 200 -c "$corpus" -a simhash:features=words,stop=slow --no-plots --out run >/dev/null 2>err 7>&- & child=$!
# What is written into a pipe before its reader has opened it is lost with the last writer.
for _ in $(seq 400); do ls -d .run.fplab-* >/dev/null 2>&1 && ls -l /proc/$child/fd 2>/dev/null | grep -q '/slow$' && break; sleep 0.05; done
echo late >run/late.txt; echo 的 >&7; exec 7>&-
wait $child; status=$?
[ $status = 1 ] && [ -s run.new/run.json ] && [ "$(cat run/late.txt)" = late ] && grep -q 'late.txt;.*; the new run is in .*/run.new$' err || complain "late: status $status: $(cat err; ls -a)"
rm -rf run.new

# In the directory itself, and through a link to it.
mkdir here && (cd here && "$fplab" eval --replicates 200 -c "$corpus" -a simhash --no-plots --out . >/dev/null && [ -s run.json ] && [ -s results.tsv ]) || complain "--out ."
ln -s here there && "$fplab" eval --replicates 200 -c "$corpus" -a minhash --no-plots --out there >/dev/null && [ -L there ] && grep -q minhash here/results.tsv || complain "--out LINK"

# What a process that is gone has left of a table.
sh -c 'echo $$' >process
echo half >"here/results.tsv.part$(cat process)" && mkdir ".here.fplab-$(cat process)-0" && echo half >".here.fplab-$(cat process)-0/results.tsv"
"$fplab" eval --replicates 200 -c "$corpus" -a simhash --no-plots --out here >/dev/null || complain "stale files"
[ ! -e "here/results.tsv.part$(cat process)" ] && [ ! -e ".here.fplab-$(cat process)-0" ] || complain "stale files: $(ls -a . here)"

# A name as long as the file system takes, and what a process that is gone has left beside it.
for long in "$(printf 'n%.0s' $(seq 255))" "$(printf '长%.0s' $(seq 85))"; do
    "$fplab" eval --replicates 200 -c "$corpus" -a simhash --no-plots --out "$long" >/dev/null 2>err && [ -s "$long/run.json" ] && "$fplab" eval --replicates 200 -c "$corpus" -a minhash --no-plots --out "$long" >/dev/null 2>err && grep -q minhash "$long/results.tsv" || complain "a name of 255 bytes: $(cat err)"
    [ -z "$(find . -maxdepth 1 -name '.*fplab*')" ] || complain "a name of 255 bytes left $(ls -A)"
done

# tune and plan.
"$fplab" plan --slots 64 --similarity 0.8 --out planned >/dev/null && grep -q '"banding.tsv"' planned/run.json && [ -s planned/plots/plan-banding.png ] || complain "plan --out"
"$fplab" plan --slots 32 --similarity 0.8 --out planned --plot-format pdf >/dev/null 2>err && [ -s planned/plots/plan-banding.pdf ] && [ ! -e planned/plots/plan-banding.png ] || complain "plan --out again: $(cat err)"
"$fplab" tune -c "$corpus" -g 'simhash|minhash' --folds 3 --replicates 200 --out tuned --save tuned/choice.json --plot-format pdf --lang en >/dev/null 2>err || complain "tune: $(cat err)"
[ -s tuned/choice.json ] && [ -s tuned/plots/newswire-zh-pareto.pdf ] && grep -q '"choice.json"' tuned/run.json || complain "tune --out: $(ls -R tuned)"
for option in --plot-format=gif --plot-size=12 --lang=fr; do
    "$fplab" eval --replicates 200 -c "$corpus" "$option" --out nowhere >/dev/null 2>err
    [ $? = 2 ] && grep -q -e "${option%=*}: expected .*, not ${option#*=}" err && [ ! -e nowhere ] || complain "$option: $(cat err)"
done

# No file of a failed run is left.
printf '{"id": "1", "text": "one"}\n' >bare.jsonl && mkdir bare && mv bare.jsonl bare/docs.jsonl
"$fplab" eval --replicates 200 -c bare --out failed >/dev/null 2>&1 && complain "an unlabelled corpus"
[ ! -e failed ] && [ -z "$(find . -maxdepth 1 -name '.*fplab*')" ] || complain "a failed run left $(ls -a)"

# A disk of every size, from one that is full at once: the old run, or the new one, is whole, and one line says what happened.
mkdir disk
if mount -t tmpfs -o size=1m tmpfs disk 2>/dev/null; then
    "$fplab" eval --replicates 200 -c "$corpus" -a simhash --out disk/run --plot-format svg >/dev/null || complain "a disk with room"
    cp -r disk/run kept
    for room in 0 4 40 96 160 280; do
        free=$(df --output=avail -k disk | tail -n 1)
        head -c $(((free - room) * 1024)) /dev/zero >disk/ballast
        "$fplab" eval --replicates 200 -c other -a simhash --by length --out disk/run --plot-format svg >/dev/null 2>err
        status=$?
        rm -f disk/ballast
        [ -z "$(find disk -name '*.part*' -o -name '.*fplab*')" ] || complain "room $room: left $(ls -aR disk)"
        if diff -r kept disk/run >/dev/null; then
            [ $status = 1 ] && [ "$(wc -l <err)" = 1 ] && grep -q '^fplab: disk/run.*No space left on device' err || complain "room $room: status $status: $(cat err)"
            continue
        fi
        [ $status = 0 ] || { [ $status = 1 ] && grep -q 'the tables are written to disk/run; the plots\? \(is\|are\) missing' err; } || complain "room $room: status $status: $(cat err)"
        for name in $(sed -n 's/^.*missing: //p' err | tr ',' ' '); do [ ! -e "disk/run/$name" ] || complain "room $room: $name is there"; done
        for svg in disk/run/plots/*.svg; do [ ! -e "$svg" ] || tail -c 20 "$svg" | grep -q '</svg>' || complain "room $room: $svg is cut"; done
        rm -rf disk/run && cp -r kept disk/run
    done
    umount disk
    # Where the tables have room, no picture takes it from them.
    for room in 120 180; do
        mount -t tmpfs -o size=${room}k tmpfs disk
        "$fplab" eval -c "$corpus" -a simhash --replicates 200 --out disk/run >/dev/null 2>err
        [ $? = 1 ] && grep -q 'the tables are written to disk/run; the plots\? \(is\|are\) missing\(: \| (run\.json \)' err || complain "a disk of ${room} KiB: $(cat err)"
        "$fplab" rerun disk/run >out 2>&1 || complain "a disk of ${room} KiB: $(cat out)"
        umount disk
    done
else
    echo "note: no right to mount a small disk: not tried on a full one"
fi
exit $bad
