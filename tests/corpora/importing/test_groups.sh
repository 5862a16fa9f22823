#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The recipe of a set of groups: pages in directories, one a story, whatever they are called; the set's own count beside what was read.
. tests/support.sh
cd "$work" || exit 1
mkdir -p gold/storm gold/vote
page() { printf '<html><head><title>%s</title></head><body><p>%s</p></body></html>\n' "$1" "$2" >"$3"; }
page Storm 'The storm reached the coast in the evening, and the harbour was closed for two days.' gold/storm/first.html
page 'A storm' 'The storm reached the coast in the evening, said the office, and the harbour was closed.' gold/storm/www.example.org_news
page Vote 'The council voted for the new bridge by seven to four, after a debate of three hours.' gold/vote/1
"$fplab" import --recipe spotsigs gold --out got -f tsv >told 2>err || complain "$(cat err)"
grep -qF 'documents: 3 here, 2160 published (not looked up)' err && grep -qP '^rows of all\t3\tNA$' told && grep -qP '^documents\t3\t2160$' told || complain "$(cat err told)"
[ "$(sed -E 's/.*"id":"([^"]*)".*"group":"([^"]*)","lang":"en".*/\1 \2/' got/docs.jsonl | tr '\n' ';')" = "storm/first.html storm;storm/www.example.org_news storm;vote/1 vote;" ] ||
    complain "$(cat got/docs.jsonl)"
grep -q '<p>' got/docs.jsonl && complain "markup is left"
"$fplab" corpus check got -f tsv >check 2>&1 && grep -qP '^groups\t2$' check || complain "$(cat check)"
mkdir none
refused 1 'none' "$fplab" import --recipe spotsigs none --out x
refused 1 'nowhere' "$fplab" import --recipe spotsigs nowhere --out x
exit $bad
