#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What a command prints is all there, or the exit status says that it is not: every command, with standard output on a full device, on a full
# file system, closed, and in a pipe whose reader has gone.
set -u
fplab=$(realpath "${FPLAB:-build/bin/fplab}")
newswire=$(realpath tests/data/newswire-zh)
digest=$(sed -n 's/^#define FP_BUILD_LAB "\(.*\)"/\1/p' "${BUILD:-build}/facts.h")
work=$(mktemp -d)
full=$work/full
trap 'mountpoint -q "$full" && umount "$full"; rm -rf "$work"' EXIT
cd "$work" || exit 1
bad=0
complain() { echo "FAIL: $*"; bad=1; }
# A few of its documents, since each command runs four times; their path holds no space, at which commands below are cut.
"$fplab" corpus sample "$newswire" --groups 24 --out newswire-zh >/dev/null 2>&1 || complain "no corpus"
ln -s "$newswire" whole && newswire=$work/newswire-zh
# With a stand-in for a page, which `make pages` builds; nobody opens it here.
mkdir bin share share/fplab && cp "$fplab" bin/fplab && fplab=$work/bin/fplab
(printf '<!DOCTYPE html>\n<html lang="en" data-opens="">\n<head>\n<meta charset="utf-8">\n<meta name="lab" content="%s">\n' "$digest"; head -c 1000000 /dev/urandom | base64; echo '</html>') >share/fplab/classroom.html
[ -c /dev/full ] || { echo "there is no /dev/full"; exit 77; }

for i in $(seq 3000); do echo "第${i}行：临江大桥今天下午恢复通车，市民可以步行通过。"; done >lines
"$fplab" judge sample --corpus "$newswire" --arm simhash --distances 0..24 --per-distance 5 --out sheet.tsv >/dev/null 2>&1 || complain "no sheet"
awk -F'\t' -v OFS='\t' 'seen && /^[^#]/ { for (i = 1; i <= NF; i++) if (i == column) $i = "not" } !seen && /judgement/ { seen = 1; for (i = 1; i <= NF; i++) if ($i == "judgement") column = i } { print }' \
    sheet.tsv >judged.tsv

"$fplab" eval --corpus "$newswire" --arm simhash --replicates 200 --figure thresholds --plot-format svg --out ran >/dev/null || complain "no run"

"$fplab" index build news.fp --arm simhash --threshold 10 "$newswire" 2>/dev/null || complain "no collection"

# One run of each command, and more where a command prints in several ways. A command that is not listed here fails the test.
cat >runs <<RUNS
algorithms
algorithms simhash --format json
compare --text 我是中国人 我们是中国人
align lines lines
align --text 我是中国人 我们是中国人 --format json
explain simhash --text 我是中国人
explain simhash --text 我是中国人 --format json
features --text 我是中国人 --format tsv
measures
measures f_beta
fingerprint lines
fingerprint --corpus $newswire
fingerprint --arm simhash:weight=tfidf lines
distances --corpus $newswire --arm jaccard
distances --corpus $newswire --arm jaccard --format json
eval --corpus $newswire --arm simhash --arm jaccard --replicates 200
eval --corpus $newswire --arm simhash --replicates 200 --lost
eval --corpus $newswire --arm simhash --replicates 200 --theory
eval --corpus $newswire --arm simhash --replicates 200 --costs --calibrate
eval --corpus $newswire --arm simhash --replicates 200 --by kind --format table
eval --corpus $newswire --arm simhash --replicates 200 --format tsv
tune --corpus $newswire --grid simhash --replicates 200
judge sample --corpus $newswire --arm simhash --distances 0..24
judge estimate judged.tsv
judge agreement judged.tsv sheet.tsv
index stats news.fp
query news.fp $newswire
query news.fp --text 我是中国人 --top 20 --format table
dedup --arm simhash --threshold 3 lines
dedup --arm simhash --threshold 10 --dropped $newswire
cluster --arm simhash --threshold 10 $newswire
cluster --arm simhash --threshold 10 --members --format json $newswire
cluster --collection news.fp
track news.fp --skip-bad $newswire
corpus check $newswire
import lines --out imported
corpus idf $newswire
corpus stats $newswire
corpus giveaways $newswire --replicates 200 --arm jaccard
corpus split whole --out parts
corpus sample $newswire --groups 5 --out sampled
corpus merge sampled parts/train --out merged
corpus convert $newswire
corpus corrupt --kind list
robustness --corpus $newswire --quick --kind digits --arm exact --replicates 200
plan --bits 64 --distance 3
rerun ran
plot ran --figure histograms --format svg --size 400x300
plot --figure list
report ran --out page.html
page classroom
RUNS
commands=$("$fplab" --help | sed -n 's/^  \([a-z]\+\)  .*/\1/p')
[ "$(wc -w <<<"$commands")" -ge 11 ] || complain "the commands are not listed: $commands"
for command in $commands; do
    grep -q "^$command\b" runs || complain "no run of $command: give it a line among the runs above, in $0"
    echo "$command --help" >>runs
done
printf '%s\n' --help --version help >>runs

mkfifo unread # writers of it alone: whatever they write, nobody reads
# told STATUS WORDS WHAT: the status, and one line with the words.
told() {
    [ "$status" = "$1" ] || complain "status $status, not $1: $3"
    [ "$(grep -c 'standard output' err)" = 1 ] && grep -qE "^fplab: standard output: cannot write(: $2)?$" err || complain "$3: $(cat err)"
}
while read -r run; do
    # shellcheck disable=SC2086
    "$fplab" $run >out 2>err </dev/null
    status=$?
    [ $status = 0 ] || { complain "status $status: $run: $(cat err)"; continue; }
    # shellcheck disable=SC2086
    "$fplab" $run >/dev/full 2>err </dev/null
    status=$?
    told 1 'No space left on device' "$run > /dev/full"
    # shellcheck disable=SC2086
    "$fplab" $run >&- 2>err </dev/null
    status=$?
    told 1 'Bad file descriptor' "$run >&-"
    # shellcheck disable=SC2086
    (trap '' PIPE; exec 8<>unread 9>unread 8<&-; exec "$fplab" $run 2>err </dev/null >&9)
    status=$?
    [ $status = 1 ] && ! grep -q 'standard output' err || complain "a pipe that nobody reads, SIGPIPE ignored: $run: status $status, $(cat err)"
done <runs

# A run that is complete is put in its place, whatever becomes of what is printed; a picture of it stands for all.
while read -r run; do
    for way in full closed unread left; do
        rm -rf placed
        # shellcheck disable=SC2086
        case $way in
        full) "$fplab" $run --out placed >/dev/full 2>err ;;
        closed) "$fplab" $run --out placed >&- 2>err ;;
        unread) (trap '' PIPE; exec 8<>unread 9>unread 8<&-; exec "$fplab" $run --out placed 2>err >&9) ;;
        left) (exec 8<>unread 9>unread 8<&-; exec "$fplab" $run --out placed 2>err >&9) ;;
        esac
        [ $? = 1 ] || complain "$run --out placed, standard output $way: the status is not 1: $(cat err)"
        "$fplab" rerun placed >out 2>&1 && [ -s "$(ls placed/plots/*.png | head -n 1)" ] || complain "$run --out placed, standard output $way: $(ls placed; cat err out)"
    done
done <<RUNS
eval --corpus $newswire --arm simhash --replicates 200 --by kind --lost --prevalence 0.01 --plot-size 400x300 --plot-format png --figure lost
tune --corpus $newswire --grid simhash --folds 3 --replicates 200 --plot-size 400x300 --plot-format png --figure pareto
plan --slots 64 --similarity 0.8 --plot-size 400x300 --plot-format png
plan --docs 1e6 --plot-size 400x300 --plot-format png
RUNS

# The first line is wanted: nobody shouts.
"$fplab" fingerprint lines 2>err | head -n 1 >out
[ "$(cat out)" = $'id\tfingerprint' ] && [ ! -s err ] || complain "fingerprint | head -n 1: $(cat out err)"

# A file of the run does not take the place of a standard output that was closed.
"$fplab" judge sample --corpus "$newswire" --arm simhash --distances 0..24 --per-distance 5 --out again.tsv >&- 2>err
[ $? = 1 ] && cmp -s sheet.tsv again.tsv || complain "standard output closed: another sheet, or status 0: $(cat err)"
"$fplab" fingerprint lines <&- >out 2>err || complain "standard input closed and not needed: $(cat err)"
"$fplab" fingerprint <&- >out 2>err
[ $? = 1 ] && grep -q 'cannot read: Bad file descriptor' err || complain "standard input closed and needed: $(cat err)"

# A file system that fills up in the middle.
mkdir -p "$full"
if mount -t tmpfs -o size=64k tmpfs "$full" 2>/dev/null; then
    for run in "fingerprint lines" "distances --corpus $newswire --arm jaccard" "corpus idf $newswire"; do
        # shellcheck disable=SC2086
        "$fplab" $run >out 2>err
        head -c $((65536 - $(wc -c <out) / 2)) /dev/zero >"$full/ballast"
        # shellcheck disable=SC2086
        "$fplab" $run >"$full/out" 2>err
        status=$?
        told 1 'No space left on device' "$run on a full file system"
        rm -f "$full"/*
    done
else
    echo "note: no full file system: mounting one needs root"
fi
exit $bad
