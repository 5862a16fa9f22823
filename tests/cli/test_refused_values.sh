#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Values that an option does not take, options that do not go together, and arguments too many: a table of mistakes, each with the status and the one line that answers it
# (status 2 for a mistake in the command line, 1 for what is found wrong later), and nothing on standard output. Numbers of 45 digits are longer than any that is read.
. tests/support.sh
cd "$work" || exit 1
mkdir grouped other
printf '{"id":"a","group":"1","text":"今天下午通车","time":"2024-01-01"}\n{"id":"b","group":"1","text":"今天通车","time":"2024-01-02"}\n{"id":"c","group":"2","text":"一只狐狸"}\n{"id":"d","group":"2","text":"一只小狐狸"}\n' >grouped/docs.jsonl
cp -r grouped paired && cp -r grouped other/
printf 'a\tb\t1\na\tc\t0\n' >paired/pairs.tsv
printf 'one line\nanother\n' >lines.txt
"$fplab" index build made.fp -a simhash -d 3 lines.txt 2>/dev/null || complain "no collection"
"$fplab" judge sample -c grouped -a simhash --distances 0..64 --per-distance 1 --out sheet.tsv >/dev/null 2>&1 || complain "no sheet"

# STATUS|COMMAND|LINE: behind "fplab: " and before the hint at --help.
while IFS='|' read -r status command line; do
    # shellcheck disable=SC2086 # words, none with a space
    said=$("$fplab" $command 2>&1 >out </dev/null)
    got="$? ${said%% (see \`fplab *}"
    [ "$got" = "$status fplab: $line" ] || complain "fplab $command: $got; not $status fplab: $line"
    [ -s out ] && complain "fplab $command: printed something"
done <<'TABLE'
2|explain simhash --bits|--bits needs a value
2|explain simhash --text a --features|--features needs a value
2|explain simhash --nosuch 3 --text a|unknown option --nosuch
2|explain simhash --text a -f nosuch|--format takes table or json, not nosuch
2|explain|no algorithm given; name it first: fplab explain simhash …
2|explain nosuch --text a|arm "nosuch": unknown algorithm nosuch; `fplab algorithms` lists them
1|dedup -a simhash -d 3 --keep newest lines.txt|no text has a "time"
1|dedup -a simhash -d 3 --keep best:score grouped/docs.jsonl|no text has a "score"
1|dedup -a simhash -d 3 --keep newest --time when grouped/docs.jsonl|no text has a "when"
2|dedup -a simhash -d 3 --audit -1 lines.txt|--audit takes a number of pairs, not -1
2|dedup -a simhash -d 3 --audit-sheet s.tsv lines.txt|--audit-sheet goes with --audit M
2|dedup -a simhash lines.txt|no threshold given; set one with --threshold H (bits of 64), or a choice of `fplab tune --save` with --choice FILE
2|dedup -d 3 lines.txt|no arm given; name it with --arm SPEC, or --choice FILE
2|cluster -c made.fp -d 3|--collection has its own arm, threshold and texts
2|cluster -c made.fp --choice x|--collection has its own arm, threshold and texts
2|cluster -c made.fp --model x|--collection has its own arm, threshold and texts
2|cluster -c made.fp --members|--collection has its own arm, threshold and texts
2|cluster -c made.fp --pairs|--collection has its own arm, threshold and texts
2|cluster -c made.fp --out o|--collection has its own arm, threshold and texts
2|cluster -c made.fp --audit 3|no sheet given; name one with --audit-sheet SHEET.tsv, or a directory with --out
2|cluster -c made.fp --audit 3 --audit-sheet s.tsv|--collection has its own arm, threshold and texts
2|cluster -c made.fp lines.txt|--collection has its own arm, threshold and texts
2|index build x.fp -d 3 lines.txt|no arm given; name it with --arm SPEC, or --choice FILE
2|index add made.fp --choice x lines.txt|add: made.fp has its own arm and threshold
2|index add made.fp --model x lines.txt|add: made.fp has its own arm and threshold
2|index add made.fp -d 3 lines.txt|add: made.fp has its own arm and threshold
2|index delete made.fp -a simhash lines.txt:1|--arm does not go with delete
2|index stats made.fp --keep-texts|--keep-texts does not go with stats
2|index check made.fp --format tsv|--format does not go with check
2|index merge made.fp --skip-bad made.fp|--skip-bad does not go with merge
2|index build x.fp -a simhash -d 3 --before 2024-05-01 lines.txt|--before does not go with build
2|index add made.fp --ids lines.txt lines.txt|--ids does not go with add
2|index stats made.fp more|stats: unexpected argument more
2|index check made.fp more|check: unexpected argument more
2|index build s0.fp -a simhash -d 3 --shard 0/2 lines.txt|--shard takes NUMBER/COUNT, as in 2/8, not 0/2
2|index build s0.fp -a simhash -d 3 --shard 1/0 lines.txt|--shard takes NUMBER/COUNT, as in 2/8, not 1/0
2|index build s0.fp -a simhash -d 3 --shard 1/99999999 lines.txt|--shard takes NUMBER/COUNT, as in 2/8, not 1/99999999
2|index build s0.fp -a simhash -d 3 --shard 1/2x lines.txt|--shard takes NUMBER/COUNT, as in 2/8, not 1/2x
2|index build s0.fp -a simhash -d 64 lines.txt|every two texts are within 64: distances (bits of 64) go up to 64
2|index build s0.fp -a simhash -d -1 lines.txt|--threshold takes a distance from 0 on, not -1
2|query made.fp --sources --window 2d lines.txt|--threshold, --window, --verify and --audit are of whole texts, --sources of their parts
2|query made.fp --sources --within 2 lines.txt|--threshold, --window, --verify and --audit are of whole texts, --sources of their parts
2|query made.fp --sources --verify alignment lines.txt|--threshold, --window, --verify and --audit are of whole texts, --sources of their parts
2|query made.fp --sources --audit 2 --audit-sheet s.tsv lines.txt|--threshold, --window, --verify and --audit are of whole texts, --sources of their parts
1|query made.fp --sources lines.txt|simhash has no granules with places; winnowing, jaccard, sentences and pinyin:granule=… have
2|query made.fp --fingerprints --sources lines.txt|--fingerprints have no text and no time: --text, --sources, --window, --verify, --audit and --from do not go with them
2|query made.fp --fingerprints --verify alignment lines.txt|--fingerprints have no text and no time: --text, --sources, --window, --verify, --audit and --from do not go with them
2|query made.fp --fingerprints --from jsonl lines.txt|--fingerprints have no text and no time: --text, --sources, --window, --verify, --audit and --from do not go with them
2|query made.fp --fingerprints --audit 3 --audit-sheet s.tsv lines.txt|--fingerprints have no text and no time: --text, --sources, --window, --verify, --audit and --from do not go with them
2|query made.fp --top -1 lines.txt|--top takes a number from 1 on, not -1
2|query made.fp --within x lines.txt|--threshold takes a distance from 0 on, not x
2|query made.fp --share x --sources lines.txt|--share takes a number from 0 to 1, with --sources, not x
2|query made.fp --share -0.5 --sources lines.txt|--share takes a number from 0 to 1, with --sources, not -0.5
2|query made.fp --verify alignment:0 lines.txt|--verify takes alignment, or alignment:SHARE with a share up to 1, not alignment:0
2|query made.fp --verify alignment:2 lines.txt|--verify takes alignment, or alignment:SHARE with a share up to 1, not alignment:2
2|query made.fp --verify alignment:x lines.txt|--verify takes alignment, or alignment:SHARE with a share up to 1, not alignment:x
2|query made.fp --verify alignmentx lines.txt|--verify takes alignment, or alignment:SHARE with a share up to 1, not alignmentx
2|judge sheet.tsv x|one sheet at a time; for estimates use judge estimate
2|judge sheet.tsv.gz|answers are saved into the sheet, which sheet.tsv.gz does not allow
2|judge sheet.tsv.zst|answers are saved into the sheet, which sheet.tsv.zst does not allow
2|judge sheet.tsv --context -1|--context takes a number of characters
2|judge sheet.tsv --from -1|--from takes the number of a pair, from 1 on
2|judge sample -c grouped -a simhash --distances 9 --out s.tsv|--distances takes A..B with 0 ≤ A ≤ B < 1024, not 9
2|judge sample -c grouped -a simhash --distances x..3 --out s.tsv|--distances takes A..B with 0 ≤ A ≤ B < 1024, not x..3
2|judge sample -c grouped -a simhash --distances 0..x --out s.tsv|--distances takes A..B with 0 ≤ A ≤ B < 1024, not 0..x
2|judge sample -c grouped -a simhash --distances 0..1024 --out s.tsv|--distances takes A..B with 0 ≤ A ≤ B < 1024, not 0..1024
2|judge sample -c grouped -a simhash --distances -1..3 --out s.tsv|--distances takes A..B with 0 ≤ A ≤ B < 1024, not -1..3
2|judge sample -c grouped -a simhash --distances 0..123456789012345678901234567890123456789012345 --out s.tsv|--distances takes A..B with 0 ≤ A ≤ B < 1024, not 0..123456789012345678901234567890123456789012345
2|judge sample -c grouped -a simhash --distances 123456789012345678901234567890123456789012345..1 --out s.tsv|--distances takes A..B with 0 ≤ A ≤ B < 1024, not 123456789012345678901234567890123456789012345..1
2|judge sample -c grouped -a simhash --per-distance 99999999 --out s.tsv|--per-distance takes 1 to 1000000 pairs, not 99999999
2|judge estimate sheet.tsv --confidence 0|--confidence takes a share above 0 and below 1, not 0
2|align --text a|align takes two texts
2|align --text a b c|align takes two texts
2|align --text a b --least 99999999|--least takes 2 to 1000000, not 99999999
2|align --text a b --least 0|--least takes 2 to 1000000, not 0
2|compare --text a b c|compare takes two texts
2|algorithms simhash minhash|one algorithm at a time
2|features a b|one text, or one corpus, at a time
2|fingerprint a b|one file at a time
2|fingerprint -c grouped --invalid fail|--text, --encoding and --invalid go with lines, not with --corpus
2|distances -c grouped -a simhash x|give one corpus; remove x
2|distances -c grouped|no arm given; name it with --arm SPEC, or --choice FILE
1|eval -c grouped -a simhash x|x/docs.jsonl: cannot open: No such file or directory; name a corpus directory, or a table (CSV, TSV, JSON lines)
2|eval -c grouped -a simhash --threshold 4097|--threshold takes H or A..B with 0 ≤ A ≤ B ≤ 4096, not 4097
2|eval -c grouped -a simhash --threshold 1.5|--threshold takes H or A..B with 0 ≤ A ≤ B ≤ 4096, not 1.5
2|eval -c grouped -a simhash --threshold x..3|--threshold takes H or A..B with 0 ≤ A ≤ B ≤ 4096, not x..3
2|eval -c grouped -a simhash --threshold 123456789012345678901234567890123456789012345..3|--threshold takes H or A..B with 0 ≤ A ≤ B ≤ 4096, not 123456789012345678901234567890123456789012345..3
2|eval -c grouped -a simhash --threshold 3..123456789012345678901234567890123456789012345|--threshold takes H or A..B with 0 ≤ A ≤ B ≤ 4096, not 3..123456789012345678901234567890123456789012345
2|eval -c grouped -a simhash --by length --buckets x|--buckets takes ascending lengths such as 50,100,200, not x
2|eval -c grouped -a simhash --by length --buckets 0|--buckets takes ascending lengths such as 50,100,200, not 0
2|eval -c grouped -a simhash --by length --buckets 123456789012345678901234567890123456789012345|--buckets takes ascending lengths such as 50,100,200, not 123456789012345678901234567890123456789012345
2|eval -c grouped -a simhash --by lang --buckets 5|--buckets goes with --by length
2|eval -c grouped -a simhash --empty maybe|--empty takes na, zero or one, not maybe
2|eval -c grouped -a simhash --costs --ratio 0|--ratio takes what a missed duplicate costs, such as 30 or 1/3, not 0
2|eval -c grouped -a simhash --costs --ratio 1/0|--ratio takes what a missed duplicate costs, such as 30 or 1/3, not 1/0
2|eval -c grouped -a simhash --costs --ratio 123456789012345678901234567890123456789012345/3|--ratio takes what a missed duplicate costs, such as 30 or 1/3, not 123456789012345678901234567890123456789012345/3
2|eval -c grouped -a simhash --compare-at x|--compare-at takes thresholds such as 10 or 18,44, not x
2|eval -c grouped -a simhash --compare-at 123456789012345678901234567890123456789012345|--compare-at takes thresholds such as 10 or 18,44, not 123456789012345678901234567890123456789012345
2|eval -c grouped -c other/grouped -a simhash|two corpora are called grouped; rename one directory
2|eval --max-size x|--max-size takes a number of bytes such as 500M or 8G, not x
2|eval -c grouped -a simhash --replicates 1.5|--replicates takes a number, not 1.5
1|robustness -c grouped -k homophone -a simhash x|x/docs.jsonl: cannot open: No such file or directory; name a corpus directory, or a table (CSV, TSV, JSON lines)
2|tune -c grouped -g simhash --folds 99|--folds takes 3 to 20, not 99
2|tune -c grouped -g simhash --equivalence 0|--equivalence takes a number above 0 and below 1, not 0
2|tune -c grouped -g nosuch|grid "nosuch": unknown algorithm nosuch; `fplab algorithms` lists them
2|corpus|corpus takes check, stats, giveaways, split, sample, merge, convert, idf or corrupt
2|corpus burn|corpus takes check, stats, giveaways, split, sample, merge, convert, idf or corrupt, not burn
2|corpus idf grouped x|corpus idf takes one directory
2|corpus corrupt -c grouped -k homophone -r 0.1 --out o x|unexpected argument x; the corpus is named with --corpus
2|corpus corrupt -c grouped -k homophone -r 0.1 --negatives 101 --out o|--negatives takes 0 to 100, not 101
2|corpus giveaways paired --pairs 1000001|--pairs takes 1 to 1000000, not 1000001
2|corpus convert grouped -f nosuch|--format takes tsv, csv or jsonl, not nosuch
2|plan x|unexpected argument x
2|plan --slots 128 -n 5 --similarity 0.8|--docs, --blocks, --memory and --sample are about fingerprints of bits, not slots
2|plan --slots 128 --blocks 4 --similarity 0.8|--docs, --blocks, --memory and --sample are about fingerprints of bits, not slots
2|plan --slots 128 --sample x --similarity 0.8|--docs, --blocks, --memory and --sample are about fingerprints of bits, not slots
2|plan --slot-bits 3|--recall, --weights and --slot-bits go with --slots N
2|plan --weights 1:1|--recall, --weights and --slot-bits go with --slots N
2|plan --slots 128 --similarity 0.8 --slot-bits -1|--slots takes 1 or more, and --slot-bits 0 or more
2|plan --slots 128 --similarity 0.8 --slot-bits 65|bits of a slot takes 0 to 64, not 65
2|plan --slots 128 --similarity 0.8 --recall 0|--recall takes a number above 0 and below 1, not 0
2|plan --slots 128 --similarity 0.8 --weights 1|--weights takes A:B, the weight of false positives and of false negatives, not 1
2|plan --slots 128 --similarity 0.8 --weights 123456789012345678901234567890123456789012345:1|--weights takes A:B, the weight of false positives and of false negatives, not 123456789012345678901234567890123456789012345:1
2|plan -n x^3|--docs takes a count, not x^3
2|plan -n 2^x|--docs takes a count, not 2^x
2|plan -n 123456789012345678901234567890123456789012345^2|--docs takes a count, not 123456789012345678901234567890123456789012345^2
2|plan -n 1e30|an index is planned for 1 to 2^63 fingerprints, not 1e+30
2|plan -n 1000 --memory 99999999999999T|--memory takes a number of bytes such as 500M or 16G, not 99999999999999T
2|plan -n 1000 --memory x|--memory takes a number of bytes such as 500M or 16G, not x
2|plan -n 1000 --memory 123456789012345678901234567890123456789012345G|--memory takes a number of bytes such as 500M or 16G, not 123456789012345678901234567890123456789012345G
2|plan -n 1000 --blocks 4+4+4+4+4|--blocks takes a number of blocks, as in 4, 6,agree=3 or 4+4, not 4+4+4+4+4
2|plan -n 1000 --blocks 4,agre=2|--blocks takes a number of blocks, as in 4, 6,agree=3 or 4+4, not 4,agre=2
2|plan -n 1000 --blocks 4,agree=0|a key is of at least one block, not agree=0
2|plan -n 1000 --blocks ,|--blocks takes a number of blocks, as in 4, 6,agree=3 or 4+4, not ,
2|import grouped/docs.jsonl --out o --pair a|--pair takes two fields, A,B, not a
2|import grouped/docs.jsonl --out o --pair ,b|--pair takes two fields, A,B, not ,b
2|import grouped/docs.jsonl --out o --pair a,b,c|--pair takes two fields, A,B, not a,b,c
2|import lines.txt --out o --kind x|--label, --kind, --positive and --pair-ids go with --pair A,B
2|import lines.txt --out o --pair-ids a,b|--label, --kind, --positive and --pair-ids go with --pair A,B
2|import lines.txt --out o --positive 1|--label, --kind, --positive and --pair-ids go with --pair A,B
2|import lines.txt --out o --recipe mrpc --pair a,b|--recipe sets its form and fields itself
2|import lines.txt lines.txt --out o --recipe mrpc|--recipe takes one directory, that of the set
2|measures nosuch|there is no measure nosuch; fplab measures lists them
2|page nosuch|there is no page nosuch; the pages are classroom and playground
2|page classroom --lang de|--lang takes en or zh, not de
2|page|no page given; name one: classroom, playground
2|--man nosuch|unknown command nosuch; `fplab --help` lists the commands
1|rerun nosuch|nosuch/run.json: cannot open: No such file or directory; --out DIR of eval or tune writes a run
1|report nosuch|nosuch/run.json: cannot open: No such file or directory; --out DIR of eval or tune writes a run
1|plot nowhere|nowhere/run.json: cannot open: No such file or directory; --out DIR of eval or tune writes a run
2|plot --figure nosuch x|--figure: there is no figure nosuch; there are: thresholds, precision-recall, roc, f1, quality, histograms, lengths, strata, edits, prevalence, theory, theory-distance, lost, lost-thresholds, index, gain, cost, calibration, reliability, bytes, ranks, pareto, banding, designs, by-day, by-source, sizes, robustness
TABLE

# A format that there is not is refused by every command that has formats, before anything is read or written.
while read -r command; do
    # shellcheck disable=SC2086
    refused 2 '--format takes table, tsv, csv, json, jsonl, markdown or latex, not nosuch' "$fplab" $command -f nosuch
done <<'TABLE'
algorithms
align --text a b
compare --text a b
features --text a
fingerprint lines.txt
distances -c grouped -a simhash
eval -c grouped -a simhash
measures
tune -c grouped -g simhash
robustness -c grouped -k homophone -a simhash
judge sample -c grouped -a simhash --out s.tsv
judge estimate sheet.tsv
judge agreement sheet.tsv sheet.tsv
index stats made.fp
query made.fp --text a
dedup -a simhash -d 3 --dropped lines.txt
cluster -a simhash -d 3 lines.txt
track made.fp lines.txt
import lines.txt --out o
corpus check grouped
corpus stats grouped
corpus giveaways paired
corpus split grouped --out o
corpus sample grouped --documents 2 --out o
corpus merge grouped paired --out o
corpus corrupt -c grouped -k homophone -r 0.1 --out o
plan
plan --slots 128 --similarity 0.8
rerun o
TABLE
[ ! -e o ] && [ ! -e s.tsv ] || complain "something was written"
# Without a command there is the overview, and it is a mistake.
"$fplab" >out 2>err </dev/null; [ $? = 2 ] && [ ! -s out ] && cmp -s err <("$fplab" --help) || complain "no command: $(head -3 err)"
# Fields, parts, plug-ins and lists are limited.
refused 2 '--keep takes at most 64 fields' "$fplab" import lines.txt --out o --keep "$(seq -s, 1 65)"
exit $bad
