#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# make_page.sh TITLE STYLE SCRIPT MODULE DIGEST [TEXTS] - writes a page that runs the lab: one HTML file with its style, its script and, in
# Base64, the module and texts. It loads nothing from outside, and its policy (CSP 3) enforces this: it names the style and the script by
# their SHA-256; 'wasm-unsafe-eval' allows compiling WebAssembly, but no script; blob: allows the worker that runs it. The script fills
# <main id="page">. `fplab page` reads the first lines: the language, and DIGEST, a file with the digest of the lab's sources.
set -e
sum() { sha256sum <"$1" | cut -d' ' -f1 | tr a-f A-F | basenc --base16 -d | base64; }
element() { printf '<%s>' "$1"; cat "$2"; printf '</%s>\n' "$1"; }
data() { printf '<script type="application/octet-stream" id="%s">' "$1"; base64 -w0 "$2"; printf '</script>\n'; }

digest=$(cat "$5") style=$(sum "$2") script=$(sum "$3")
[ -n "$digest" ] && [ ${#style} = 44 ] && [ ${#script} = 44 ] || { echo "fplab: no digests of the page; it needs sha256sum, basenc and base64" >&2; exit 1; }
cat <<HEAD
<!DOCTYPE html>
<html lang="en" data-opens="">
<head>
<meta charset="utf-8">
<meta name="lab" content="$digest">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'sha256-$style'; script-src 'sha256-$script' 'wasm-unsafe-eval'; worker-src blob:; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<title>$1</title>
HEAD
element style "$2"
cat <<BODY
</head>
<body>
<noscript><p>This page needs JavaScript.</p><p lang="zh-CN">本页需要 JavaScript。</p></noscript>
<main id="page"></main>
BODY
data lab "$4"
[ -z "$6" ] || data corpus "$6"
element script "$3"
printf '</body>\n</html>\n'
