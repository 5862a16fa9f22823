#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# corpora/natural/build_corpora.sh on small packages made here: which pages are one, how much they differ, what is left out; the same bytes each time;
# and what happens where packages are not to be had. apt is a stand-in that hands those packages out; the real ones are fetched by
# tests/deep/corpora/test_natural_corpora.sh.
. tests/support.sh
for program in python3 dpkg-deb; do command -v $program >/dev/null || { echo "$program is not here"; exit 77; }; done
natural=$(realpath corpora/natural)
mapfile -t names < <(head -n 3 "$natural/licence_packages.txt")
PYTHONDONTWRITEBYTECODE=1 python3 tests/corpora/natural/small_packages.py "$newswire" "$work/trees" "${names[@]}" || exit 1
cd "$work" || exit 1

# ---- apt's stand-in ----
mkdir debs programs
for tree in trees/*; do
    package=${tree#trees/}
    mkdir "$tree/DEBIAN"
    printf 'Package: %s\nVersion: 1:2.0-1\nArchitecture: all\nMaintainer: nobody <nobody@example.org>\nDescription: small\n' "${package%-of-*}" >"$tree/DEBIAN/control"
    dpkg-deb --root-owner-group -b "$tree" "debs/${package}_1%3a2.0-1_all.deb" >/dev/null || exit 1
done
# One package of several releases, as a mirror has them.
for release in bullseye bookworm trixie; do mkdir -p "mirror/$release" && mv "debs/manpages-zh-of-${release}_1%3a2.0-1_all.deb" "mirror/$release/manpages-zh_1%3a2.0-1_all.deb"; done
rm -r trees/manpages-zh-of-*
cat >programs/apt-cache <<END
#!/bin/bash
[ "\$1" = show ] || { cd "$work/trees" && printf '%s\n' "\$2"*; exit; }
for name in "\${@:3}"; do [ ! -d "$work/trees/\$name" ] || printf 'Package: %s\nVersion: 1:2.0-1\n\n' "\$name"; done
END
cat >programs/apt-get <<END
#!/bin/bash
[ ! -e "$work/offline" ] || { echo "E: the mirror does not answer" >&2; exit 100; }
[ "\$1" != indextargets ] || { echo http://example.org/security; echo http://example.org/debian; exit; }
for part in "\$@"; do case \$part in Dir::Etc::SourceList=*) list=\${part#*=} ;; esac; done
if [ -n "\$list" ]; then # lists of one release
    read -r _ uri release _ <"\$list"
    [ "\$uri" = http://example.org/debian ] && [ -d "$work/mirror/\$release" ] || { echo "E: no release \$release at \$uri" >&2; exit 100; }
    case "\${*: -1}" in update) exit ;; manpages-zh/\$release) cp "$work/mirror/\$release/"*.deb . ; exit ;; *) exit 100 ;; esac
fi
for name in "\${@:5}"; do cp "$work/debs/\${name}_"* . || exit 100; done
END
chmod +x programs/*
build() { PATH=$work/programs:$PATH "$natural/build_corpora.sh" "$fplab" "$1"; }

# ---- The sets ----
build made >told 2>err || { complain "$(cat told err)"; exit 1; }
grep -qF "licences-en: $(($(wc -l <"$natural/licence_packages.txt") - 3)) of its packages are not in this release" err || complain "$(cat err)"
[ -z "$(ls -d made/work.* 2>/dev/null)" ] || complain "left behind: $(ls made)"
# Of 14 pairs across chapters, the 12 with the four pages of chapter 2 are among the three of a page; the draw decides on the others.
head -n 1 told | grep -qE '^installation-guide-zh: 7 documents, 3 positive and 1[678] negative pairs \(1 changed_5_20, 1 changed_over_20, 1 changed_under_5, 1[234] other_chapter, 4 same_chapter\)$' ||
    complain "$(head -n 1 told)"

# positives SET: the positive pairs, as first, second and kind.
positives() { awk -F '\t' '$3 == 1 { print $1, $2, $4 }' "made/$1/pairs.tsv"; }
cat >expected <<'END'
amd64/ch02s02.html i386/ch02s03.html changed_5_20
amd64/ch02s03.html i386/ch02s02.html changed_under_5
amd64/ch05s01.html arm64/ch05s01.html changed_over_20
END
positives installation-guide-zh | diff expected - || complain "positive pairs of the guide"
grep -qF '"architectures": "amd64 arm64 i386"' made/installation-guide-zh/docs.jsonl && grep -qF '(2 copies left out)' made/installation-guide-zh/MANIFEST.json || complain "copies of one text"
grep -qF '"installation-guide-arm64": "1:2.0-1"' made/installation-guide-zh/MANIFEST.json || complain "$(cat made/installation-guide-zh/MANIFEST.json)"

[ "$(positives libreoffice-help-zh | tr '\n' ';')" = "zh-CN/scalc/01/page0.html zh-TW/scalc/01/page0.html two_scripts;zh-CN/scalc/01/page1.html zh-TW/scalc/01/page1.html two_scripts;zh-CN/swriter/01/page2.html zh-TW/swriter/01/page2.html two_scripts;" ] ||
    complain "positive pairs of the help: $(positives libreoffice-help-zh)"
awk -F '\t' '$1 !~ /^zh-CN/ || $2 !~ /^zh-TW/ || ($3 == 0 && substr($1, 6) == substr($2, 6))' made/libreoffice-help-zh/pairs.tsv | grep . && complain "not a page of each script"
[ "$(awk '$4 == "same_folder"' made/libreoffice-help-zh/pairs.tsv | wc -l)" = 2 ] || complain "$(cat made/libreoffice-help-zh/pairs.tsv)"
grep -q 'English' made/libreoffice-help-zh/docs.jsonl && complain "lines that are not translated"

# A text of two packages is one document; GPL-2.0+ is GPL-2+; the text with two names, the one with a vague name and the pointer are left out.
cat >expected <<END
${names[0]}/gpl-2+	${names[1]}/gpl-2+	1	changed_under_5
${names[0]}/gpl-2+	${names[2]}/gpl-3+	0	other_version
${names[1]}/gpl-2+	${names[2]}/gpl-3+	0	other_version
END
sort expected | diff - <(sort made/licences-en/pairs.tsv) || complain "pairs of licences"
[ "$(wc -l <made/licences-en/docs.jsonl)" = 3 ] && grep -qF "\"packages\": \"${names[0]} ${names[2]}\"" made/licences-en/docs.jsonl || complain "$(cat made/licences-en/docs.jsonl)"
grep -qF 'under two names are left out: 1.' made/licences-en/MANIFEST.json || complain "$(cat made/licences-en/MANIFEST.json)"
# The page that two releases set otherwise is one text; its line of twenty that is another: with the title 40 of 807 characters. What one has alone is a negative.
[ "$(positives manual-pages-zh)" = 'bullseye/man1/one.1 trixie/man1/one.1 changed_under_5' ] || complain "positive pairs of manual pages: $(positives manual-pages-zh)"
grep -qF '"releases": "bullseye bookworm"' made/manual-pages-zh/docs.jsonl && ! grep -qE 'short|english|\\\\f' made/manual-pages-zh/docs.jsonl || complain "$(cat made/manual-pages-zh/docs.jsonl)"
[ "$(awk -F '\t' '$3 == 0' made/manual-pages-zh/pairs.tsv | cut -f 1,2,4 | tr '\t' ' ' | tr '\n' ';')" = 'bookworm/man1/too.1 bullseye/man1/one.1 same_section;bookworm/man1/too.1 trixie/man1/one.1 same_section;' ] ||
    complain "negative pairs of manual pages: $(cat made/manual-pages-zh/pairs.tsv)"
for set in installation-guide-zh libreoffice-help-zh licences-en manual-pages-zh; do
    "$fplab" corpus check "made/$set" -f tsv >check 2>&1 || complain "$set: $(cat check)"
    grep -E '^(near-empty|texts that stand|pairs of the same|negative pairs|pairs with|languages that)' check | grep -vP '\t0$' && complain "$set: doubtful"
done

# ---- Once more, and where nothing can be fetched ----
sha256sum made/*/*.jsonl made/*/*.tsv made/*/*.json >before
build made >told 2>err && sha256sum -c --quiet before || complain "a second run writes others: $(cat err)"
rm -r mirror/bullseye made/packages/manual-pages-zh
build made >told 2>err && grep -qF 'fplab: manual-pages-zh: bullseye is left out: E: no release bullseye at http://example.org/debian' err && grep -q '^manual-pages-zh: 3 documents, 1 positive' told ||
    complain "a release that is gone: $(cat told err)"
rm -r mirror/bookworm made/manual-pages-zh
build made >told 2>err && grep -qF 'fplab: manual-pages-zh: skipped: the mirror has fewer than two releases of manpages-zh' err && [ ! -e made/manual-pages-zh ] || complain "one release: $(cat told err)"
sha256sum made/*/*.jsonl made/*/*.tsv made/*/*.json >before
touch offline
build made >told 2>err && complain "a build without packages"
grep -qF 'E: the mirror does not answer' err && grep -qF 'fplab: installation-guide-zh: its packages could not be fetched' err || complain "$(cat err)"
sha256sum -c --quiet before || complain "the corpora that were there"
rm offline; mv trees gone; mkdir trees
build made >told 2>err && complain "a build of no packages"
grep -qF 'fplab: installation-guide-zh: apt knows none of its packages; apt-get update reads the lists anew' err || complain "$(cat err)"
exit $bad
