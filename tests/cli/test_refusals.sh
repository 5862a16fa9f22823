#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What the help of a command says that an option takes, nothing else is taken for: a table of mistakes, each with the status and the one line that
# answers it (status 2 for a mistake in the command line, 1 for what is found wrong later), and nothing on standard output. A mistake in the command line is
# told before any file is opened: the answer is the same where no file is there.
. tests/support.sh
cd "$work" || exit 1
mkdir grouped plain paired
printf '{"id":"a","group":"1","text":"今天下午通车"}\n{"id":"b","group":"1","text":"今天通车"}\n{"id":"c","group":"2","text":"一只狐狸"}\n{"id":"d","group":"2","text":"一只小狐狸"}\n' >grouped/docs.jsonl
printf '{"id":"a","text":"今天下午通车"}\n{"id":"b","text":"今天通车"}\n{"id":"c","text":"一只狐狸"}\n' | tee plain/docs.jsonl >paired/docs.jsonl
printf 'a\tb\t1\na\tc\t0\n' >paired/pairs.tsv
printf 'one line\nanother\n' >lines.txt
"$fplab" index build made.fp -a simhash -d 3 lines.txt 2>/dev/null || complain "no collection"
"$fplab" judge sample -c grouped -a simhash --distances 0..64 --per-distance 1 --out sheet.tsv >/dev/null 2>&1 || complain "no sheet"

mkdir nowhere

# answers PLACE STATUS LINE COMMAND: in that directory.
answers() {
    # shellcheck disable=SC2086 # words, none with a space
    said=$(cd "$1" && exec "$fplab" $4 2>&1 >"$work/out" </dev/null)
    got="$? ${said%% (see \`fplab *}"
    [ "$got" = "$2 fplab: $3" ] || complain "fplab $4, in $1: $got; not $2 fplab: $3"
    [ -s out ] && complain "fplab $4: printed something"
}

# STATUS|COMMAND|LINE: behind "fplab: " and before the hint at --help. Status 2=: a mistake that only what was read shows.
while IFS='|' read -r status command line; do
    answers . "${status%=}" "$line" "$command"
    [ "$status" != 2 ] || answers nowhere 2 "$line" "$command"
done <<'TABLE'
2|burn|unknown command burn; `fplab --help` lists the commands
2|--completion ksh|--completion takes bash, zsh or fish, not ksh
2|algorithms nosuch|unknown algorithm nosuch; `fplab algorithms` lists them
2|measures precision recall|one measure at a time
2|features --spec words lines.txt|--spec words: expected key=value, not "words"; did you mean features=words?
2|features --spec weight=tf,chars:3 lines.txt|--spec weight=tf,chars:3: expected key=value, not "chars:3"; did you mean features=chars:3?
2|features --spec wrds lines.txt|--spec wrds: expected key=value, not "wrds"
2|features --spec wieght=tf lines.txt|--spec has no parameter wieght; did you mean weight?
2|distances -c lines.txt -a simhash:words|arm "simhash:words": expected key=value, not "words"; did you mean features=words?
2|features --spec weight=tg lines.txt|--spec weight=tg: weight=tg is not a choice; did you mean tf? (weight takes binary, tf, logtf, idf, tfidf, damped, bm25, levels, length, table)
2|cluster -a simhash -d 3 --pairs --members lines.txt|--pairs lists pairs, --members and --out clusters: name one
2|cluster --collection x.fp -a simhash lines.txt|--collection has its own arm, threshold and texts
2|dedup -a simhash -d 3 --keep last lines.txt|--keep takes first, longest, newest or best:FIELD, not last
2|dedup -a simhash -d 3 --window 7x lines.txt|--window takes a span such as 7d, 12h or 30m, not 7x
2|dedup -a simhash -d -1 lines.txt|--threshold takes a distance from 0 on, not -1
2|dedup -a simhash -d x lines.txt|--threshold takes a distance from 0 on, not x
2|corpus corrupt -c grouped -k homophone -r 0.1 --copies 0 --out o|--copies takes 1 to 10000, not 0
2|corpus corrupt -c grouped -k homophone -r 0.1 --copies 10001 --out o|--copies takes 1 to 10000, not 10001
2|corpus corrupt -c grouped -k homophone -r 0.1 --negatives -1 --out o|--negatives takes 0 to 100, not -1
2|corpus corrupt -c grouped -k homophone -r 1.5 --out o|--rate takes shares from 0 to 1, separated by commas, not "1.5"
2|corpus corrupt -c grouped -k homophone -r x --out o|--rate takes shares from 0 to 1, separated by commas, not "x"
2|corpus corrupt -c grouped -k homophone,homophone -r 0.1 --out o|the kind homophone is there twice
2|corpus corrupt -c grouped -k homophone+homophone -r 0.1 --out o|duplicate homophone in homophone+homophone
2|corpus corrupt -c grouped -k homophone -r 0.1,0.1 --out o|the rate 0.1 is there twice
2|corpus corrupt -c grouped -k homophone -r 0.1 --hard soft --out o|--hard takes template, facts, or nearest=ARM, not soft
2|corpus giveaways paired --pairs 0|--pairs takes 1 to 1000000, not 0
2|corpus sample grouped --documents 0 --out o|--documents takes 1 or more, not 0
2|corpus sample grouped --groups -2 --out o|--groups takes 1 or more, not -2
2|corpus sample grouped --out o|give one of --documents, --groups and --pairs
2|corpus sample grouped --documents 2 --groups 1 --out o|give one of --documents, --groups and --pairs
2|corpus sample grouped --documents 2|no output directory given; name one with --out
2=|corpus sample plain --pairs 1 --out o|plain has no pairs.tsv to sample pairs from
2|corpus split grouped --parts a --out o|--parts takes NAME:SHARE,…, as in train:0.8,test:0.2, not "a"
2|corpus split grouped --parts a:0.5,b:x --out o|--parts takes NAME:SHARE,…, as in train:0.8,test:0.2, not "b:x"
2=|corpus split plain --by kind --out o|plain has no pairs, and so no kinds
2|robustness -c grouped -k homophone -r x -a simhash|--rate takes shares from 0 to 1, separated by commas, not "x"
2=|eval -c plain -a simhash|plain has no labels, neither pairs.tsv nor groups: label a sample with `fplab judge sample --corpus plain --arm simhash --out sheet.tsv`, or make duplicates with `fplab corpus corrupt plain --out DIR`
2|eval -c grouped -c grouped -a simhash|the corpus grouped is named twice
2|eval -c grouped -a simhash -a simhash|two arms are called "simhash"; name them with name=…
2|eval -c grouped -a simhash --measure precision@3|--measure takes a name without @: precision@3 is shown at all thresholds
2|eval -c grouped -a simhash --measure nosuch|--measure: there is no measure nosuch; fplab measures lists them
2|eval -c grouped -a simhash --measure average_precision|--measure: every evaluation has average_precision; it is in intervals.tsv
2|eval -c grouped -a simhash --compare nosuch@3|--compare: there is no measure nosuch; fplab measures lists them
2|eval -c grouped -a simhash --threshold 5..3|--threshold takes H or A..B with 0 ≤ A ≤ B ≤ 4096, not 5..3
2|eval -c grouped -a simhash --threshold 0..5000|--threshold takes H or A..B with 0 ≤ A ≤ B ≤ 4096, not 0..5000
2|eval -c grouped -a simhash --by length --buckets 100,50|--buckets takes ascending lengths such as 50,100,200, not 100,50
2|eval -c grouped -a simhash --buckets 50,100|--buckets goes with --by length
2|eval -c grouped -a simhash --interval wald|--interval takes mid-p, clopper-pearson, percentile or bca, not wald
2|eval -c grouped -a simhash --prevalence 2|--prevalence takes a number above 0 and below 1, not 2
2|eval -c grouped -a simhash --theory --level document|--theory is about pairs: it does not go with --level document
2|eval -c grouped -a simhash --lost --level document|--lost is about pairs: it does not go with --level document
2|eval -c grouped -a simhash --replicates 0|--replicates takes 200 to 1000000, not 0
2|eval -c grouped -a simhash --replicates 1000001|--replicates takes 200 to 1000000, not 1000001
2|explain simhash --pair lines.txt|--pair takes two texts
2|explain simhash --text a b|explain takes one text, or two with --pair
2|explain simhash --text a -f tsv|--format takes table or json, not tsv
2|features --text a -c grouped|one text, or one corpus, at a time
2|fingerprint -c grouped --text|--text, --encoding and --invalid go with lines, not with --corpus
2|fingerprint -f csv lines.txt|--format csv goes with --corpus; lines are printed as tsv, json or jsonl
2|fingerprint --invalid maybe lines.txt|--invalid takes fail or replace, not maybe
2|import lines.txt --out o --pair a,b --pair-ids x|--pair-ids takes two fields, A,B, not x
2|import lines.txt --out o --pair a,b --keep x|--keep goes with documents, not with pairs
2|import lines.txt --out o --separator x|--separator takes , or ;, not x; for tabs use --from tsv
2|index|no action given; give one of build, add, delete, stats, check or merge
2|index burn x.fp|build, add, delete, stats, check or merge, not burn
2|index add made.fp -a simhash lines.txt|add: made.fp has its own arm and threshold
2|index build x.fp -a simhash -d 3 --shard 9/8 lines.txt|--shard takes NUMBER/COUNT, as in 2/8, not 9/8
2|index build x.fp -a simhash -d 3 --shard x lines.txt|--shard takes NUMBER/COUNT, as in 2/8, not x
2|index delete made.fp|delete: no record given; name ids, a file of them with --ids, or a time with --before
2|query made.fp --text a b|--text goes with one text
2|query made.fp --share 2 --sources lines.txt|--share takes a number from 0 to 1, with --sources, not 2
2|query made.fp --within -1 lines.txt|--threshold takes a distance from 0 on, not -1
2|judge|judge takes: sample, a sheet, estimate SHEET…, or agreement SHEET SHEET…
2|judge sample -c grouped -a simhash --distances 9..3 --out s.tsv|--distances takes A..B with 0 ≤ A ≤ B < 1024, not 9..3
1|judge sample -c grouped -a simhash --distances 0..64 --out sheet.tsv|sheet.tsv already exists and may contain judgements; remove it, or name another file
2|judge sample -c grouped -a simhash --width -1 --out s.tsv|--width takes a number of characters, not -1
2=|judge sheet.tsv --from 999|--from takes the number of a pair, 1 to 6
2|judge estimate sheet.tsv --confidence 2|--confidence takes a share above 0 and below 1, not 2
2|judge estimate sheet.tsv --unsure maybe|--unsure takes leave-out, negative or positive, not maybe
2|judge agreement sheet.tsv|judge agreement takes two sheets or more, of the same sample
2|plan -n 0|an index is planned for 1 to 2^63 fingerprints, not 0
2|plan -n 1000 --recall 0.9|--recall, --weights and --slot-bits go with --slots N
2|plan -n 1000 --bits 0|--bits is at least 1, and --distance not negative
2|plan -n 1000 --bits 64 --distance -1|--bits is at least 1, and --distance not negative
2|plan -n 1000 --bits 64 --similarity x|--similarity without --slots takes a cosine, not x
2|plan --slots 0 --similarity 0.8|--slots takes 1 or more, and --slot-bits 0 or more
2|plan --slots 128|no similarity given; set it with --similarity S
2|plan --slots 128 --similarity x|--similarity takes a number, not x
2|plan --slots 128 --similarity 0.8 --recall 0.9 --weights 1,1|either --recall or --weights, not both
2|plan --slots 128 --similarity 0.8 --recall 2|--recall takes a number above 0 and below 1, not 2
2|plan --slots 128 --similarity 0.8 --recall x|--recall takes a number above 0 and below 1, not x
2|plot out --format svg --out x.pdf|--plot-format svg and --out x.pdf are two formats
2|plot out --out x.svg|x.svg can contain only one figure; choose it with --figure
2|report|no run given; name a directory that --out of eval named
2|report out --format word|--format takes html, markdown, latex, csv, json or latex-table, not word
2|report out --lang de|--lang takes en, zh or both, not de
2|report out --figures png|--figures takes pdf or tikz, not png
2|rerun|no run given; name one run.json, or the directory that --out named
2|rerun a b|no run given; name one run.json, or the directory that --out named
2|tune -c grouped -g simhash --beta 2 --min-precision 0.9|--beta and --min-precision exclude one another
2|tune -c grouped -g simhash --beta x|--beta takes a number, not x
2|tune -c grouped -g simhash --beta 0|--beta: beta 0 is not above 0 and at most 1000
2|tune -c grouped -g simhash --min-precision 2|--min-precision: a precision of 2 is not between 0 and 1, both excluded
2|tune -c grouped -g simhash --min-precision x|--min-precision takes a number above 0 and below 1, not x
2|tune -c grouped -g simhash --equivalence 2|--equivalence takes a number above 0 and below 1, not 2
2|tune -c grouped -g simhash --folds 1|--folds takes 3 to 20, not 1
2|tune -c grouped -g simhash --replicates 0|--replicates takes 200 to 1000000, not 0
2|align lines.txt lines.txt --encoding burn|the encoding burn is unknown; known are auto, utf-8, gb18030, gbk, big5, utf-16 and more (uconv -l)
2|compare lines.txt lines.txt --choice c.json --invalid maybe|--invalid takes fail or replace, not maybe
2|explain simhash lines.txt --encoding burn|the encoding burn is unknown; known are auto, utf-8, gb18030, gbk, big5, utf-16 and more (uconv -l)
2|features lines.txt --choice c.json --encoding burn|the encoding burn is unknown; known are auto, utf-8, gb18030, gbk, big5, utf-16 and more (uconv -l)
2|fingerprint --model m --encoding burn lines.txt|the encoding burn is unknown; known are auto, utf-8, gb18030, gbk, big5, utf-16 and more (uconv -l)
2|cluster -a simhash -d 999 lines.txt|every two texts are within 999: distances (bits of 64) go up to 64
2|cluster -a simhash --model m -d 999 lines.txt|every two texts are within 999: distances (bits of 64) go up to 64
2|cluster --model m -d x lines.txt|--threshold takes a distance from 0 on, not x
2|dedup --choice c.json -d 3 lines.txt|either --threshold or --choice, not both
2|dedup --choice c.json --from word lines.txt|--from takes jsonl, lines, csv, tsv, text, html, markdown or warc, not word
2|dedup -a simhash --model m lines.txt|no threshold given; set one with --threshold H (bits of 64), or a choice of `fplab tune --save` with --choice FILE
2|dedup -a simhash -d 3 lines.txt --out=|--out needs a value
2|corpus corrupt -c grouped -k homophone -r 0.1 --hard nearest=burn --out o|arm "burn": unknown algorithm burn; `fplab algorithms` lists them
2|corpus giveaways paired --arm burn|arm "burn": unknown algorithm burn; `fplab algorithms` lists them
2|eval -c grouped -a simhash --compare-at 3,x|--compare-at takes thresholds such as 10 or 18,44, not 3,x
2|eval -c grouped -a simhash --compare-at 3,4|--compare-at takes one threshold for all arms or one for each: 2 are given for 1 arms
2|eval -c grouped -a simhash --choice=|--choice needs a value
2|import lines.txt --out o --from word|--from takes jsonl, lines, csv, tsv, text, html, markdown or warc, not word
2|import sets --recipe mrpc --out o --keep x|--keep goes with documents, not with pairs
1|import lines.txt --out o --keep source|lines.txt:1: there is no field "source": lines have no names of fields
1|import lines.txt --out o --pair text,other|lines.txt:1: there is no field "other": lines have no names of fields
2|index add made.fp --shard 9/8 lines.txt|--shard takes NUMBER/COUNT, as in 2/8, not 9/8
2|index add made.fp --from word lines.txt|--from takes jsonl, lines, csv, tsv, text, html, markdown or warc, not word
2|index build x.fp -a simhash -d 3 --choice c.json --shard x lines.txt|--shard takes NUMBER/COUNT, as in 2/8, not x
2|index delete made.fp --before yesterday|--before: yesterday is not a time; write 2024-05-01, 2024-05-01T08:30:00+08:00 or seconds since 1970
2|query made.fp --verify burn lines.txt|--verify takes alignment, or alignment:SHARE with a share up to 1, not burn
2=|query made.fp --verify alignment lines.txt|--verify needs the texts: build the collection with --keep-texts
2|query made.fp --audit -1 lines.txt|--audit takes a number of pairs, not -1
2=|query made.fp --audit 5 --audit-sheet s.tsv lines.txt|--audit needs the texts: build the collection with --keep-texts
2|query made.fp --audit-sheet s.tsv lines.txt|--audit-sheet goes with --audit M
2|query made.fp --separator x lines.txt|--separator takes , or ;, not x; for tabs use --from tsv
2|query made.fp --fingerprints --window 7d lines.txt|--fingerprints have no text and no time: --text, --sources, --window, --verify, --audit and --from do not go with them
2|track made.fp --verify alignment:2 lines.txt|--verify takes alignment, or alignment:SHARE with a share up to 1, not alignment:2
2|track made.fp --audit -1 lines.txt|--audit takes a number of pairs, not -1
2|track made.fp --encoding burn lines.txt|the encoding burn is unknown; known are auto, utf-8, gb18030, gbk, big5, utf-16 and more (uconv -l)
2|judge sheet.tsv --from -1|--from takes the number of a pair, from 1 on
2|report out --corpus there|--corpus takes NAME=DIR, with the name of a corpus of the run, not there
2|rerun out --corpus there|--corpus takes NAME=DIR, with the name of a corpus of the run, not there
TABLE

# Every command and part, and each of its options that takes something else than a name of one's own, as the help calls it: what is no such thing is refused,
# and it or the option named, where no file is that could be opened. What stands before the options, of each; where options belong to one kind of work, one line
# refuses them at least.
cat >before <<'BEFORE'
algorithms
compare a b
align a b
explain simhash a
features a
fingerprint a
distances -c a -a simhash
eval -c a -a simhash
measures
tune -c a -g simhash
robustness -c a -a simhash -k digits
judge sample -c a -a simhash
judge estimate a
judge a
index build a
index add a
index delete a
index stats a
query a
dedup a
cluster a
track a
import a --out o
corpus check a
corpus idf a
corpus stats a
corpus giveaways a
corpus split a --out o
corpus sample a --groups 1 --out o
corpus merge a b --out o
corpus convert a
corpus corrupt -c a -k digits -r 0.1 --out o
plan
plot a
report a
page classroom
rerun a
BEFORE
for command in $("$fplab" --help | sed -n 's/^  \([a-z]\+\)  .*/\1/p'); do
    grep -q "^$command\b" before || complain "no words of $command: give it a line above"
done
for part in $("$fplab" corpus --help | sed -n 's/^  \([a-z]\+\)  .*/\1/p'); do
    grep -q "^corpus $part\b" before || complain "no words of corpus $part: give it a line above"
done
own=' CORPUS COLUMN DIR FILE DIR|FILE FILE.so SHEET.tsv COLLECTION FIELD FIELD,… NAME NAME,… TEXT PATTERN WORDS A,B '
# refused_by NAME OPTION: by a line that begins with the name.
refused_by() {
    while read -r words; do
        # shellcheck disable=SC2086
        said=$(cd nowhere && exec "$fplab" $words "--$2=burn!" 2>&1 </dev/null)
        [ $? = 2 ] && [[ $said =~ --$2[^a-z-] || $said == *burn!* ]] && return
    done <lines_of
    complain "$1 --$2=burn!: $said"
}
sed -E 's/^((corpus )?[a-z]+).*/\1/' before | sort -u >names
while read -r name; do
    grep "^$name\b" before >lines_of
    # shellcheck disable=SC2086
    "$fplab" $name --help | sed -nE 's/^ +(-., )?--([a-z-]+)=([^ ]*).*/\2 \3/p' >options
    while read -r option value; do
        [[ $own == *" $value "* && $option != encoding ]] || refused_by "$name" "$option"
    done <options
done <names
exit $bad
