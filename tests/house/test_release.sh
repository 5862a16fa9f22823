#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# One version: the header has it, and the program, the change log, the citation and the Debian package say the same. The citation has the members that the
# Citation File Format 1.2.0 asks for, and no others than it knows.
set -u
bad=0
complain() { echo "FAIL: $*"; bad=1; }
version=$(sed -n 's/^#define FP_VERSION "\(.*\)"/\1/p' include/fplab/version.h)
[[ $version =~ ^[0-9]+\.[0-9]+\.[0-9]+$ ]] || complain "the version is $version"
[ "$("${FPLAB:-build/bin/fplab}" --version | cut -d' ' -f2)" = "$version" ] || complain "the program says $("${FPLAB:-build/bin/fplab}" --version)"

# The change log: the newest first, each version once, with the day and under the headings of Keep a Changelog.
released=$(sed -n 's/^## \([0-9.]*\) - .*/\1/p' CHANGELOG.md)
[ "$(head -n 1 <<<"$released")" = "$version" ] || complain "CHANGELOG.md begins with $(head -n 1 <<<"$released")"
[ "$(sort -rV <<<"$released")" = "$released" ] && [ -z "$(sort <<<"$released" | uniq -d)" ] || complain "CHANGELOG.md: versions: $released"
while IFS= read -r line; do
    [[ $line =~ ^##\ (Unreleased|[0-9]+\.[0-9]+\.[0-9]+\ -\ [0-9]{4}-[0-9]{2}-[0-9]{2})$ ]] || complain "CHANGELOG.md: $line"
done < <(grep '^## ' CHANGELOG.md)
others=$(sed -n 's/^### //p' CHANGELOG.md | grep -vxE 'Added|Changed|Deprecated|Removed|Fixed|Security|Values|Renamed|Files of [0-9.]+')
[ -z "$others" ] || complain "CHANGELOG.md: headings that it does not name:" $others
day=$(sed -n "s/^## $version - //p" CHANGELOG.md)

# The citation: plain lines of YAML, one member each.
member() { sed -n "s/^$1: *\(.*\)/\1/p" CITATION.cff; }
for name in cff-version message title authors; do grep -q "^$name:" CITATION.cff || complain "CITATION.cff lacks $name"; done
known='cff-version|message|title|authors|abstract|keywords|version|date-released|license|type|url|repository-code|commit|doi|identifiers|contact|references|preferred-citation|repository|repository-artifact|license-url'
strange=$(sed -n 's/^\([a-z-]*\):.*/\1/p' CITATION.cff | grep -vxE "$known")
[ -z "$strange" ] || complain "CITATION.cff has members that the format does not know:" $strange
twice=$(sed -n 's/^\([a-z-]*\):.*/\1/p' CITATION.cff | sort | uniq -d)
[ -z "$twice" ] || complain "CITATION.cff has these twice:" $twice
[ "$(member cff-version)" = 1.2.0 ] || complain "CITATION.cff is of $(member cff-version)"
[ "$(member version)" = "$version" ] || complain "CITATION.cff is of version $(member version)"
[ "$(member date-released)" = "$day" ] || complain "CITATION.cff says $(member date-released), CHANGELOG.md $day"
[ "$(member license)" = GPL-3.0-or-later ] && [ "$(member type)" = software ] || complain "CITATION.cff: licence or type"
grep -A 1 '^authors:' CITATION.cff | grep -qx '  - name: The fplab authors' || complain "CITATION.cff: authors"

# The package is of the same version and day.
[ "$(sed -n '1s/^fplab (\(.*\)) .*/\1/p' debian/changelog)" = "$version" ] || complain "debian/changelog: $(head -n 1 debian/changelog)"
stated=$(sed -n 's/^ -- .*>  //p' debian/changelog | head -n 1)
[ "$(date -u -d "$stated" +%F)" = "$day" ] || complain "debian/changelog says $stated, CHANGELOG.md $day"
exit $bad
