#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What is wrong in a file is told by one line that names the file, and the line and the byte where there are such: corpora and their manifests, public sets
# as they come, records of web archives, distances of other programs.
. tests/support.sh
cd "$work" || exit 1
wrong() { # LINE COMMAND…: status 1, and that as the last line, behind "fplab: "
    local line=$1 said got; shift
    said=$("$fplab" "$@" 2>&1 >out </dev/null)
    got=$?
    [ "$got ${said##*$'\n'}" = "1 fplab: $line" ] || complain "$*: status $got: $said; not: $line"
}

# ---- Corpora and manifests ----
mkdir paired latin none no-pairs
printf '{"id":"a","text":"今天下午通车"}\n{"id":"b","text":"今天通车"}\n{"id":"c","text":"一只狐狸"}\n' | tee paired/docs.jsonl >no-pairs/docs.jsonl
printf 'a\tb\t1\na\tc\t0\n' >paired/pairs.tsv; : >none/docs.jsonl; : >no-pairs/pairs.tsv
printf '{"id":"a","group":"1","text":"one fox"}\n{"id":"b","group":"1","text":"one fox more"}\n' >latin/docs.jsonl
wrong 'none/docs.jsonl: the corpus has no documents' corpus check none
wrong 'no-pairs/pairs.tsv: the file has no pairs' corpus check no-pairs
while IFS='|' read -r manifest line; do
    echo "$manifest" >paired/MANIFEST.json
    wrong "paired/MANIFEST.json$line" corpus check paired
done <<'TABLE'
[]|:1: a manifest is a JSON object (byte 0)
{"counts": []}|:1: "counts" is not an object (byte 11)
{"counts": {"documents": "x"}}|:1: "documents" is not a number (byte 25)
{"counts": {"documents": -1}}|:1: "documents" is not a count (byte 25)
{"counts": {"documents": 4}}|: the manifest states 4 documents, the corpus has 3
{"counts": {"positives": 2}}|: the manifest states 2 positives, the corpus has 1
{"sha256": {"docs.jsonl": "00"}}|: the sha256 of docs.jsonl is not the manifest's
{"sha256": {"pairs.tsv": "00"}}|: the sha256 of pairs.tsv is not the manifest's
TABLE
rm paired/MANIFEST.json
wrong 'latin: homophone changes Han characters, and the corpus has none' corpus corrupt -c latin -k homophone -r 0.5 --out made
wrong 'latin: splice takes from documents of another group, and the corpus has no other' corpus corrupt -c latin -k splice -r 0.5 --out made
printf 'big large\n\xff\n' >synonyms.txt
wrong 'synonyms.txt: the list of synonyms is not valid UTF-8 (byte 10)' corpus corrupt -c latin -k synonym -r 0.5 --synonyms synonyms.txt --out made

# ---- Public sets ----
mkdir -p sgml test scan/src/licensedcode/data/rules answers
essay() { # PASSAGES MISTAKES: the passages begin in line 3
    printf '<ESSAY title="t">\n<TEXT>\n%b</TEXT>\n%b</ESSAY>\n' "$1" "${2:-}" >sgml/B1_training.sgml
}
passages='<PASSAGE id="A-1">今天。</PASSAGE>\n<PASSAGE id="A-2">明天。</PASSAGE>\n'
essay "$passages<PASSAGE>后天。</PASSAGE>\n"
wrong 'sgml/B1_training.sgml:5: a passage without an id' import --quiet --recipe sighan sgml --out made
essay "$passages" '<MISTAKE id="A-9" location="1">\n<WRONG>今</WRONG>\n<CORRECTION>明</CORRECTION>\n</MISTAKE>\n'
wrong 'sgml/B1_training.sgml:8: a mistake in "A-9", which does not exist' import --quiet --recipe sighan sgml --out made
essay "$passages" '<MISTAKE id="A-2" location="1">\n<WRONG>明</WRONG>\n<CORRECTION>后后</CORRECTION>\n</MISTAKE>\n'
wrong 'sgml/B1_training.sgml:4: a mistake in A-2 and its correction differ in length' import --quiet --recipe sighan sgml --out made
essay "$(printf '<PASSAGE id="A-%d">今天。</PASSAGE>\\n' $(seq 1001))"
wrong 'sgml/B1_training.sgml:1003: more than 1000 passages in one essay' import --quiet --recipe sighan sgml --out made
printf 'B-1\t今天。\n' >test/SIGHAN15_CSC_TestInput.txt; printf 'B-1, 0\n' >test/SIGHAN15_CSC_TestTruth.txt
wrong 'test/SIGHAN15_CSC_TestInput.txt:1: the line does not begin with (pid=…) or (NID=…)' import --quiet --recipe sighan test --out made
printf -- '---\nlicense_expression: alpha\n' >scan/src/licensedcode/data/rules/a_1.RULE
wrong 'scan/src/licensedcode/data/rules/a_1.RULE: the facts at the start do not end with a line ---' import --quiet --recipe scancode scan --out made
printf 'File,Task,Category\ng0pA_taska.txt,a\n' >answers/file_information.csv
wrong 'answers/file_information.csv:2: the row has no Category' import --quiet --recipe clough-stevenson answers --out made

# ---- Web archives ----
record() { # ANSWER: as one record
    printf 'WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:1>\r\nContent-Type: application/http\r\nContent-Length: %d\r\n\r\n%b\r\n\r\n' \
        "$(printf '%b' "$1" | wc -c)" "$1" >web.warc
}
head='HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n'
printf 'WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:1>\r\n\r\nx\r\n\r\n' >web.warc
wrong 'web.warc:1: the record has no Content-Length' dedup -a exact -d 0 web.warc
record 'no answer'
wrong 'web.warc:1: the block is no HTTP answer' dedup -a exact -d 0 web.warc
record "${head}Content-Encoding: br\r\n\r\nabc"
wrong 'web.warc:1: the content encoding "br": gzip and deflate are read' dedup -a exact -d 0 web.warc
record "${head}Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\nzz\r\n"
wrong "web.warc:1: the answer's chunks are broken" dedup -a exact -d 0 web.warc
record "${head}Transfer-Encoding: chunked\r\n\r\nff\r\nabc\r\n"
wrong 'web.warc:1: a chunk of the answer is cut short' dedup -a exact -d 0 web.warc

# ---- Distances of other programs ----
while IFS='|' read -r rows line; do
    printf '%b' "$rows" >scores.tsv
    wrong "$line" distances -c paired -a scores:file=scores.tsv
done <<'TABLE'
|scores.tsv: the file has no distances
a\tb\t3\n|scores:file=scores.tsv: 1 of 2 pairs have no distance; the first is a c
a\tb\tx\n|scores.tsv:1: the distance "x" is not a finite number (byte 4)
a\tb\n|scores.tsv:1: expected id_a, id_b and distance, separated by tabs (byte 0)
a\tb\t1\t2\n|scores.tsv:1: expected id_a, id_b and distance, separated by tabs (byte 0)
\xef\xbb\xbfa\tb\t1\n|scores.tsv:1: a byte order mark (EF BB BF) precedes the first id (byte 0)
a\tb\t1\nb\ta\t1\n|scores.tsv:2: the pair has a distance in line 1 (byte 8)
TABLE
exit $bad
