#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Builds labelled corpora from Debian packages: build_corpora.sh FPLAB DIRECTORY. Downloads packages with apt-get into
# DIRECTORY/packages and unpacks them; installs nothing, needs no root. docs/natural-corpora.md describes the corpora.
set -eu

fplab=$(realpath "$1")
mkdir -p "$2"
out=$(realpath "$2")
here=$(dirname "$(realpath "$0")")
tab=$(printf '\t')
work=$(mktemp -d "$out/work.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

say() { echo "fplab: $*" >&2; }

# known: keeps the packages that apt knows and adds their candidate version; one per line, tab-separated.
known() {
    xargs apt-cache show --no-all-versions 2>/dev/null |
        awk '/^Package: /{name = $2} /^Version: /{if (!seen[name]++) print name "\t" $2}' | LC_ALL=C sort
}

# fetch SET: downloads the packages on standard input to DIRECTORY/packages/SET/*.deb, unless already up to date.
fetch() {
    mkdir -p "$out/packages/$1"
    known >"$work/$1.packages"
    [ -s "$work/$1.packages" ] || { say "$1: apt knows none of its packages; apt-get update reads the lists anew"; exit 1; }
    # Sandbox user: the current one, since apt's own user may not write here.
    (cd "$out/packages/$1" && cut -f 1 "$work/$1.packages" | xargs apt-get download -qq -o APT::Sandbox::User="$(id -un)" >"$work/log" 2>&1) ||
        { tail -n 3 "$work/log" >&2; say "$1: its packages could not be fetched"; exit 1; }
}

# unpack SET PLACE: extracts files below PLACE of the set's packages to $work/SET/PACKAGE/…
unpack() {
    while IFS="$tab" read -r package version; do
        deb=$(ls "$out/packages/$1/${package}_$(printf %s "$version" | sed 's/:/%3a/')"_*.deb)
        mkdir -p "$work/$1/$package"
        dpkg-deb --fsys-tarfile "$deb" >"$work/tar"
        tar -C "$work/$1/$package" -xf "$work/tar" --wildcards "$2" 2>/dev/null || say "$1: $package holds no $2"
    done <"$work/$1.packages"
    rm -f "$work/tar"
}

# gather SET LABELS: imports the pages in $work/pages with fplab and labels them with script LABELS, as DIRECTORY/SET.
gather() {
    "$fplab" import "$work/pages" --glob '*.html' --language zh --out "$work/read" --quiet >/dev/null
    PYTHONDONTWRITEBYTECODE=1 python3 "$here/$2" "$work/read" "$work/$1.packages" "$out/$1"
    rm -rf "$work/pages" "$work/read"
}

installation_guide() {
    set=installation-guide-zh
    apt-cache pkgnames installation-guide- | sort | fetch $set
    unpack $set '*/zh_CN/*.html'
    mkdir "$work/pages"
    for place in "$work/$set"/*/usr/share/doc/*/zh_CN; do
        package=$(basename "$(dirname "$place")")
        mv "$place" "$work/pages/${package#installation-guide-}"
    done
    gather $set installation_guide.py
}

libreoffice_help() {
    set=libreoffice-help-zh
    printf '%s\n' libreoffice-help-zh-cn libreoffice-help-zh-tw | fetch $set
    unpack $set '*/help/zh-*/text/*'
    mkdir "$work/pages"
    for language in CN TW; do mv "$work/$set"/*/usr/share/libreoffice/help/zh-$language/text "$work/pages/zh-$language"; done
    gather $set libreoffice_help.py
}

licences() {
    set=licences-en
    fetch $set <"$here/licence_packages.txt"
    missing=$(($(wc -l <"$here/licence_packages.txt") - $(wc -l <"$work/$set.packages")))
    [ "$missing" = 0 ] || say "$set: $missing of its packages are not in this release and are left out"
    unpack $set './usr/share/doc/*/copyright'
    PYTHONDONTWRITEBYTECODE=1 python3 "$here/licences.py" "$work/$set" "$work/$set.packages" "$out/$set"
}

# of_release RELEASE: apt-get with separate lists for one release of the system's mirror, kept for later runs.
of_release() {
    printf 'deb %s %s main\n' "$mirror" "$1" >"$work/sources.list"
    shift
    apt-get -qq -o APT::Sandbox::User="$(id -un)" -o APT::Get::List-Cleanup=false -o Acquire::Languages=none -o Dir::Etc::SourceList="$work/sources.list" \
        -o Dir::Etc::SourceParts=/dev/null -o Dir::State::Lists="$place/lists" -o Dir::Cache="$place/cache" "$@" >"$work/log" 2>&1
}

# One package of three releases. The set is skipped if the mirror has fewer than two of them.
manual_pages() {
    set=manual-pages-zh
    place=$out/packages/$set
    mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | grep -m 1 '/debian/*$' || true)
    mkdir -p "$place/lists/partial" "$place/cache/archives/partial" "$work/$set"
    : >"$work/$set.packages"
    for release in bullseye bookworm trixie; do
        mkdir -p "$place/$release"
        if ! of_release $release update || ! (cd "$place/$release" && of_release $release download "manpages-zh/$release"); then
            say "$set: $release is left out: $(tail -n 1 "$work/log")"
            continue
        fi
        deb=$(ls -t "$place/$release"/manpages-zh_*.deb | head -n 1)
        printf 'manpages-zh/%s\t%s\n' $release "$(dpkg-deb -f "$deb" Version)" >>"$work/$set.packages"
        mkdir "$work/$set/$release"
        dpkg-deb --fsys-tarfile "$deb" >"$work/tar"
        tar -C "$work/$set/$release" -xf "$work/tar" --wildcards './usr/share/man/zh_TW/*'
    done
    rm -f "$work/tar"
    if [ "$(wc -l <"$work/$set.packages")" -lt 2 ]; then
        say "$set: skipped: the mirror has fewer than two releases of manpages-zh"
        return
    fi
    PYTHONDONTWRITEBYTECODE=1 python3 "$here/manual_pages.py" "$work/$set" "$work/$set.packages" "$out/$set"
    made="$made $set"
}

# From the sets built above and a shipped one.
newswire_crawl() {
    set=newswire-crawl
    sort "$work/installation-guide-zh.packages" "$work/libreoffice-help-zh.packages" >"$work/$set.packages"
    PYTHONDONTWRITEBYTECODE=1 python3 "$here/newswire_crawl.py" "$here/../data/newswire-zh" "$here/../../text/data/boilerplate.txt" "$work/$set.packages" "$out/$set" \
        "$out/installation-guide-zh" "$out/libreoffice-help-zh"
    made="$made $set"
}

made='installation-guide-zh libreoffice-help-zh licences-en'
installation_guide
libreoffice_help
licences
manual_pages
newswire_crawl
for set in $made; do "$fplab" corpus check --quiet "$out/$set" >"$work/check" || { cat "$work/check"; exit 1; }; done
