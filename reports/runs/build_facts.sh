#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# build_facts.sh TABLE_DIRECTORY "TABLE…" "PACKAGE…" DIGEST_FILE: what the program is built from, as C. The commit is what FPLAB_COMMIT says;
# without it that of the repository whose sources these are, or of the archive, into which `git archive` writes it.
set -eu
archived='$Format:%H$'
commit=${FPLAB_COMMIT:-unknown}
if [ "$commit" = unknown ] && top=$(git -c safe.directory='*' rev-parse --show-toplevel 2>/dev/null) && [ "$top" = "$(pwd -P)" ]; then
    commit=$(git -c safe.directory='*' describe --always --dirty --abbrev=12 --match 'v[0-9]*' 2>/dev/null || echo unknown)
elif [ "$commit" = unknown ]; then
    case $archived in *Format*) ;; *) commit=$(printf '%.12s' "$archived") ;; esac
fi
echo "#define FP_BUILD_COMMIT \"$commit\""
echo "#define FP_BUILD_PACKAGES \\"
# shellcheck disable=SC2086 # one question for all of them
versions=$(dpkg-query -W -f '${Package} ${Version}\n' $3 2>/dev/null || true)
for package in $3; do
    while read -r name version; do
        [ "$name" != "$package" ] || [ -z "$version" ] || echo "    {\"$package\", \"$version\"}, \\"
    done <<VERSIONS
$versions
VERSIONS
done
echo "    {0, 0}"
echo "#define FP_BUILD_TABLES \\"
for table in $2; do
    echo "    {\"$table\", \"$(cat "$1/$table.sum")\"}, \\"
done
echo "    {0, 0}"
echo "#define FP_BUILD_LAB \"$(cat "$4")\""
