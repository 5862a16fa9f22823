#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Files that earlier versions wrote (tests/data/formats, one directory a version) are read by this one, and mean the same: a run, a model, a choice, document
# frequencies, a judged sheet, indexes with their tables. And what this version writes has all that a reader of those files asks for.
. tests/support.sh
formats=$(realpath tests/data/formats)
columns=$(realpath tests/cli/kept_formats.py)
cd "$work"
# says WHAT COMMAND…: it succeeds; its output is in $work/out.
says() { local what=$1; shift; "$@" >"$work/out" 2>"$work/err" </dev/null || complain "$version: $what: $(head -n 3 "$work/err")"; }
# same KEPT: what was printed has the columns of the kept table, and in them the same.
same() { python3 "$columns" rows "$1" "$work/out" || complain "$version: $1 is not what this version prints"; }

kept=0
for version in "$formats"/*/; do
    version=$(basename "$version")
    kept=$((kept + 1))
    cp -r --no-preserve=mode "$formats/$version" "$work/$version" && cd "$work/$version" || exit 1
    arm=$(sed -n 's/.*"arm":"\(.*\)",/\1/p' choice.json)

    # A run: repeated, on a page, and beside the run of this version.
    "$fplab" rerun run --corpus corpus=corpus --out repeated >"$work/out" 2>"$work/err"
    # In 0.2.0 figures at a threshold were means over hash seeds.
    if [ "$version" = 0.2.0 ]; then python3 "$columns" means "$fplab" run || complain "$version: the figures of the run are no means over hash seeds"
    else grep -q '^results.tsv .* the same$' "$work/out" || complain "$version: the figures of the run are others: $(cat "$work/out" "$work/err")"; fi
    python3 "$columns" figures run repeated || complain "$version: figures of the run are others, of which the change log has no word"
    says "report" "$fplab" report run --format json --out page.json
    python3 "$columns" report run page.json || complain "$version: a page of the run lacks tables"
    mapfile -t command < <(python3 "$columns" command run)
    says "eval" "$fplab" "${command[@]}" --out again
    python3 "$columns" run run again || complain "$version: a run of this version lacks what readers ask for"

    # What was learned, chosen, counted and judged.
    says "a model" "$fplab" fingerprint --model learned.model --corpus corpus
    same fingerprints.tsv
    says "a choice" "$fplab" fingerprint --choice choice.json --corpus corpus
    cp "$work/out" chosen.tsv
    says "the arm of the choice" "$fplab" fingerprint --arm "$arm" --corpus corpus
    same chosen.tsv
    says "a choice, evaluated" "$fplab" eval --corpus corpus --choice choice.json
    says "document frequencies" "$fplab" fingerprint --arm simhash:features=chars:2,weight=tfidf,idf=terms.idf --corpus corpus
    same fingerprints.tsv
    says "a sheet" "$fplab" judge estimate sheet.tsv --format tsv
    same estimate.tsv

    # Indexes, as they lie on a disk: those of 0.2 are of LMDB, and refused with the next step.
    gunzip ./*.gz
    if ! cmp -s -n 15 bits.fp <(echo 'SQLite format 3'); then
        for name in bits slots granules; do
            refused 1 "$name.fp: made by fplab 0.2 or earlier (LMDB), which this version does not read; rebuild it" "$fplab" index check "$name.fp"
        done
        refused 1 'made by fplab 0.2 or earlier (LMDB)' "$fplab" query bits.fp --quiet --from jsonl corpus/docs.jsonl
        refused 1 'made by fplab 0.2 or earlier (LMDB)' "$fplab" index add bits.fp --from lines <(echo 一条以后才来的新闻)
        continue
    fi
    for name in bits slots granules; do says "index $name" "$fplab" index check "$name.fp"; done
    for name in bits slots; do
        says "query $name" "$fplab" query "$name.fp" --quiet --format tsv --from jsonl corpus/docs.jsonl
        same "query-$name.tsv"
    done
    says "query granules" "$fplab" query granules.fp --quiet --format tsv --sources --from jsonl corpus/docs.jsonl
    same query-granules.tsv
    says "adding" "$fplab" index add bits.fp --from lines <(echo 一条以后才来的新闻)
    says "merging" "$fplab" index merge bits.fp
    says "stats" "$fplab" index stats bits.fp --format tsv
    grep -q '	17	\|^17	\|	17$' "$work/out" || complain "$version: the collection has not one text more: $(cat "$work/out")"
done
[ $kept -ge 1 ] || complain "no version is kept"
current=$("$fplab" --version | cut -d' ' -f2)
[ -d "$formats/${current%.*}.0" ] || complain "nothing is kept of version ${current%.*}.0: tests/data/formats/keep.sh"
exit $bad
