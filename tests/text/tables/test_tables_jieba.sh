#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The programs that compile jieba's data: the same bytes twice, and errors that name file, line and package.
set -u
compiler=${BUILD:-build}/tables/compile_jieba
export ASAN_OPTIONS=detect_leaks=0 # its memory ends with it
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bad=0

# A dictionary of three words with its model and weights.
mkdir -p "$work/good/analyse" "$work/good/finalseg"
printf '中国 10 ns\n人民 7 n\n中 3 n\n' >"$work/good/dict.txt"
printf '中国 3.5\n民主 7.25\n' >"$work/good/analyse/idf.txt"
printf "P={'B': -0.25,\n 'E': -3.14e+100,\n 'M': -3.14e+100,\n 'S': -1.5}\n" >"$work/good/finalseg/prob_start.py"
printf "P={'B': {'E': -0.5, 'M': -0.9},\n 'E': {'B': -0.6, 'S': -0.8}}\n" >"$work/good/finalseg/prob_trans.py"
printf "P={'B': {'\\\\u4e2d': -3.5},\n 'S': {'国': -4.5}}\n" >"$work/good/finalseg/prob_emit.py"

compile() { # directory, output
    /usr/bin/python3 -X utf8 text/tables/jieba_model.py "$1" >"$1/model" && "$compiler" "$1" "$1/model" "$2"
}
fails() { # what, wanted words of stderr: one line, unless Python names the place in a file of its own
    what=$1; shift
    compile "$work/bad" "$work/bad.bin" 2>"$work/said" && { echo "FAIL: $what is accepted"; bad=1; }
    [ "$(wc -l <"$work/said")" -eq 1 ] || grep -q '^SyntaxError' "$work/said" ||
        { echo "FAIL: $what: not one line"; cat "$work/said"; bad=1; }
    for word in "$@"; do
        grep -qF -- "$word" "$work/said" || { echo "FAIL: $what: no \"$word\" in: $(cat "$work/said")"; bad=1; }
    done
    [ ! -e "$work/bad.bin" ] || { echo "FAIL: $what leaves a table behind"; bad=1; }
}
spoil() { rm -rf "$work/bad"; cp -r "$work/good" "$work/bad"; }

compile "$work/good" "$work/one.bin" || { echo "FAIL: the good data"; bad=1; }
compile "$work/good" "$work/two.bin" || { echo "FAIL: the good data again"; bad=1; }
cmp "$work/one.bin" "$work/two.bin" || { echo "FAIL: not the same bytes twice"; bad=1; }

spoil; printf '中国 10 ns\n人民\n' >"$work/bad/dict.txt"
fails "a row without a frequency" "dict.txt:2" number
spoil; printf '中国 10 ns\n人民 ten n\n' >"$work/bad/dict.txt"
fails "a frequency of letters" "dict.txt:2" frequency
spoil; printf '中国 10 ns\n\n人民 7 n\n' >"$work/bad/dict.txt"
fails "an empty row" "dict.txt:2" word
spoil; printf '\344\270 10 ns\n' >"$work/bad/dict.txt"
fails "broken UTF-8" "dict.txt:1" UTF-8
spoil; : >"$work/bad/dict.txt"
fails "an empty dictionary" dict.txt empty
spoil; printf '中国 3.5\n民主 x\n' >"$work/bad/analyse/idf.txt"
fails "a weight of letters" "idf.txt:2" weight
spoil; printf "P={'B': -0.25,\n 'Q': 1}\n" >"$work/bad/finalseg/prob_start.py"
fails "a strange state" "model:2" state
spoil; printf "P={'B': {'E': -0.5,\n 'Q': -1}}\n" >"$work/bad/finalseg/prob_trans.py"
fails "a strange next state" "model:6" state
spoil; printf "P={'B': {'E': -0.5,\n 'M': '-x'}}\n" >"$work/bad/finalseg/prob_trans.py"
fails "a number of letters" "model:6" "not a number"
spoil; printf "P={'B': {'E': -0.5,\n 'M': }}\n" >"$work/bad/finalseg/prob_trans.py"
fails "a missing number" prob_trans.py "line 2"
spoil; printf "P={'B': {'\\\\u4eXd': -3.5}}\n" >"$work/bad/finalseg/prob_emit.py"
fails "a broken escape" prob_emit.py "line 1"
spoil; printf "P={'B': {'\\\\u4e2d': -3.5,\n" >"$work/bad/finalseg/prob_emit.py"
fails "a file cut short" prob_emit.py "line 1"
spoil; rm "$work/bad/finalseg/prob_emit.py"
fails "a missing file" prob_emit.py python3-jieba
exit $bad
