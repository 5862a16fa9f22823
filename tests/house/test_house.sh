#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The rules of the house that a machine can check: includes point one way, public symbols bear the prefix, every file states its licence.
set -u
bad=0
complain() { echo "FAIL: $*"; bad=1; }

# The rooms in the order in which includes point: a file includes what stands at or before its own place, and the public
# header. A line is one place; rooms on it may include one another. A room's own files, beside its inner rooms, stand with it.
order='base
text/unicode
text/segmentation
text/features
text/alignment
algorithms/kernels
algorithms/kernels/tally
algorithms/arms algorithms/families algorithms
pairs
index
index/store
index/collection
corpora/corruption
corpora
corpora/readers
corpora/importing
eval/measures
eval/units
eval/statistics
eval/experiment
eval/evaluation eval/analyses
eval/inspection
eval/judging
eval/tuning
reports/tables
reports/analyses
reports/lab reports/lab/wasm
reports/runs
reports/plots
reports/page
cli cli/commands cli/commands/index cli/commands/corpus'
# What no room may include although it stands before: corpora knows texts, not fingerprints.
declare -A never=([corpora]='algorithms pairs index' [corpora/readers]='algorithms pairs index' [corpora/importing]='algorithms pairs index')
declare -A place
while IFS=' ' read -ra rooms; do
    number=$((${number:-0} + 1))
    for room in "${rooms[@]}"; do place[$room]=$number; done
done <<<"$order"
sources=$(find base text algorithms pairs index corpora eval reports cli -name '*.c' -o -name '*.h' | sort)
while IFS=: read -r file target; do
    from=${file%/*} to=${target%/*}
    case $from in text/tables|algorithms/adapters) continue ;; esac # programs and plug-ins of their own
    [ -n "${place[$from]:-}" ] || { complain "$file stands in no room that is known"; continue; }
    [ -n "${place[$to]:-}" ] || { complain "$file includes $target, which stands in no room"; continue; }
    [ "${place[$to]}" -le "${place[$from]}" ] || complain "$file includes $target against the order"
    for other in ${never[${from%%/*}]:-}; do [ "${to%%/*}" != "$other" ] || complain "$file includes $target"; done
done < <(grep -oHE '^#include "[a-z]+/[^"]+\.h"' $sources | sed 's/#include "//; s/"$//')

# Reports write what they are given: they include no experiment, no maker of replicates, no builder of an index, and call
# none by way of another header. The lab of a page is asked, as commands are, and calls; an analysis is one file, which
# computes and says what is to be written.
makers='"(eval/experiment/|eval/evaluation/(evaluation|findings)\.h|eval/statistics/(bootstrap|difference|clusters)|eval/units/resample|pairs/(lsh_tables|postings)\.h|index/index_plan\.h|base/parallel\.h)'
computing=$(grep -nE "^#include $makers" $(grep '^reports/' <<<"$sources" | grep -vE '^reports/(lab|analyses)/') | grep -v '^reports/runs/run\.c:.*base/parallel\.h')
[ -z "$computing" ] || complain "reports include what computes: $computing"
objects=$(grep '^reports/.*\.c$' <<<"$sources" | grep -vE '^reports/(lab|analyses)/' | sed "s|^|${BUILD:-build}/|; s|c$|o|") # those of files that went are no matter
called=$(nm -u $objects | awk '/ U fp_/ {print $2}' | sort -u |
    grep -E '^fp_(experiment|bootstrap|resample_make|lsh_|parallel|arenas_|arm_fit|arm_sketch|inference_(make|count)|findings_|outcome_|agreements_run|ranks_make|rank_pairs_make|prevalence_points|theory_moments|index_curve_at)|_outcome_make$|^fp_(theory|recall_loss|index_curve|edit_cells|strata|counterparts)_(make|fill|measure)')
[ -z "$called" ] || complain "reports compute:" $called

# A folder that passes 40 files wants inner rooms.
for room in $(dirname $sources | sort -u); do
    held=("$room"/*)
    [ "${#held[@]}" -le 40 ] || complain "$room holds ${#held[@]} files"
done

# A file name stands once, but where a command or an algorithm is called so: their files bear the names that users type.
twice=$(grep -vE '^(cli/commands|algorithms/[a-z]+\.c$|algorithms/adapters)' <<<"$sources" | sed -E 's|(.*)/([^/]+)\.[ch]$|\2 \1|' | sort -u | cut -d' ' -f1 | uniq -d)
[ -z "$twice" ] || complain "file names that stand in two rooms:" $twice

# A name that is not private to a file means one thing: no type is defined in two places, none is called otherwise than its
# tag, and none is a function, too.
names=$(sed -nE 's/^(typedef )?(struct|enum|union) (fp_[a-z0-9_]+) \{.*/\3/p' $sources $(find include -name '*.h') | sort)
[ "$(wc -l <<<"$names")" -gt 100 ] || complain "only $(wc -l <<<"$names") types were found"
double=$(uniq -d <<<"$names")
[ -z "$double" ] || complain "types that are defined twice:" $double
alias=$(awk '/^typedef (struct|enum|union) fp_[a-z0-9_]+ \{/ { tag = $3 } /^} fp_[a-z0-9_]+;/ { name = $2; sub(";", "", name); if (tag != "" && tag != name) print name; tag = "" } /^}/ { tag = "" }' \
    $sources $(find include -name '*.h'))
[ -z "$alias" ] || complain "types whose tag is another name:" $alias
headers=$(grep '\.h$' <<<"$sources"; find include -name '*.h')
both=$(comm -12 <(sed -nE 's/^#define (FP_[A-Z0-9_]+).*/\1/p' $headers | sort -u) \
    <(sed -nE 's/^ +(FP_[A-Z0-9_]+)( = [^,]*)?(,.*|  *\/\*.*)?$/\1/p' $headers | sort -u))
[ -z "$both" ] || complain "macros that are enumerators, too:" $both
called=$(grep -ohE '\bfp_[a-z0-9_]+\(' $sources $(find include -name '*.h') | tr -d '(' | sort -u)
both=$(comm -12 <(sort -u <<<"$names") <(echo "$called"))
[ -z "$both" ] || complain "names of types that are called as functions:" $both

# Nothing in the library prints, exits or aborts.
forbidden=$(grep -nE '\b(printf|puts|perror|exit|abort|fprintf\(stderr)\s*\(' $(grep -vE '^(reports|cli|text/tables)/' <<<"$sources") | grep -vE '\b(sn|vsn|f)printf')
[ -z "$forbidden" ] || complain "the library prints or exits: $forbidden"

# Exported symbols.
library=${BUILD:-build}/lib/libfplab.so
strange=$(nm -D --defined-only "$library" | awk '{print $3}' | grep -vE '^(fp_|_init$|_fini$|__asan|__odr_asan|__ubsan|__sanitizer|___asan|__lsan)')
[ -z "$strange" ] || complain "exported without the prefix fp_:" $strange

# Every source file states its licence, and no file says to-do.
# Without git, as in an unpacked archive, all files that were not built.
files=$( (git ls-files 2>/dev/null | grep . || find . -type f ! -path './.git/*' ! -path "./${BUILD:-build}/*" ! -path './build/*' ! -path './demo/*' | sed 's|^\./||') | grep -E '\.(c|h|S|mk|sh|py|gp|def|in)$|^Makefile$|^\.ci/|^tests/run$|README\.md$')
[ "$(echo "$files" | wc -l)" -gt 200 ] || complain "only $(echo "$files" | wc -l) files were found"
here=$(for file in $files; do [ ! -f "$file" ] || echo "$file"; done)
bare=$(comm -23 <(sort -u <<<"$here") <(awk 'FNR == 1 { seen = 0 } FNR <= 5 && !seen && /SPDX-License-Identifier: GPL-3.0-or-later/ { seen = 1; print FILENAME }' $here | sort -u))
[ -z "$bare" ] || complain "no SPDX line in the first five:" $bare

# What tests/run starts first, and what make check leaves to make check-deep, are tests.
for list in tests/longest tests/slow; do
    for test in $(grep -v '^#' $list); do
        named=("tests/$test".*)
        [ -e "${named[0]}" ] || complain "$list names $test, which is not there"
    done
done
exit $bad
