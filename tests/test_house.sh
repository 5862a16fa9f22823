#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The rules of the house that a machine can check: includes point one way, public symbols bear the prefix, every file states its licence.
set -u
bad=0
complain() { echo "FAIL: $*"; bad=1; }

# A room may include what stands before it in this list, itself, and the public header. corpora uses text; eval uses corpora.
declare -A allowed=(
    [base]="base" [text]="base text" [algorithms]="base text algorithms" [index]="base text algorithms index"
    [corpora]="base text corpora" [eval]="base text algorithms index corpora eval"
    [reports]="base text algorithms index corpora eval reports" [cli]="base text algorithms index corpora eval reports cli")
for room in "${!allowed[@]}"; do
    [ -d "$room" ] || continue
    while IFS=: read -r file line; do
        target=${line#*\"}; target=${target%%/*}
        case " ${allowed[$room]} " in *" $target "*) ;; *) complain "$file includes $target/ against the order" ;; esac
    done < <(grep -rhoHE '^#include "(base|text|algorithms|index|corpora|eval|reports|cli)/' "$room" --include='*.c' --include='*.h')
done

# Nothing in the library prints, exits or aborts.
forbidden=$(grep -nE '\b(printf|puts|perror|exit|abort|fprintf\(stderr)\s*\(' base/*.c text/*.c algorithms/*.c algorithms/*/*.c corpora/*.c eval/*.c index/*.c 2>/dev/null | grep -vE '\b(sn|vsn|f)printf')
[ -z "$forbidden" ] || complain "the library prints or exits: $forbidden"

# Exported symbols.
library=${BUILD:-build}/lib/libfplab.so
strange=$(nm -D --defined-only "$library" | awk '{print $3}' | grep -vE '^(fp_|\.gomp_|_init$|_fini$|__asan|__odr_asan|__ubsan|__sanitizer|___asan|__lsan)')
[ -z "$strange" ] || complain "exported without the prefix fp_:" $strange

# Every source file states its licence, and no file says to-do.
# Without git, as in an unpacked archive, all files that were not built.
files=$( (git ls-files 2>/dev/null | grep . || find . -type f ! -path './.git/*' ! -path "./${BUILD:-build}/*" ! -path './build/*' ! -path './demo/*' | sed 's|^\./||') | grep -E '\.(c|h|S|mk|sh|py|gp|def|in)$|^Makefile$|^\.ci/|^tests/run$|README\.md$')
[ "$(echo "$files" | wc -l)" -gt 200 ] || complain "only $(echo "$files" | wc -l) files were found"
for file in $files; do
    [ -f "$file" ] || continue
    head -5 "$file" | grep -q 'SPDX-License-Identifier: GPL-3.0-or-later' || complain "$file has no SPDX line in its first five"
done
exit $bad
