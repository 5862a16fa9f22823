#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The programs that compile the tables of normalisation, Han folding and pinyin: the same bytes twice, and errors that name
# file, line, reason and package.
set -u
tables=${BUILD:-build}/tables
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bad=0
complain() { echo "FAIL: $*"; bad=1; }

# Small good sources.
printf '變徵\t变徵\n餅乾\t饼干\n' >"$work/phrases"
printf '變\t变\n徵\t征\n餅\t饼\n乾\t干 乾\n' >"$work/characters"
printf '「\t“\n' >"$work/marks"
printf '顯著\t顯著\n' >"$work/taiwan_phrases"
printf '著\t着\n衞\t衛\n擡\t抬\n' >"$work/taiwan"
printf '口吃\t口吃\n' >"$work/hong_kong_phrases"
printf '衞\t衛\n' >"$work/hong_kong"
printf 'U+%s\tkMandarin\t%s\n' 4E2D zhōng 56FD guó 884C xíng 94F6 yín >"$work/unihan"
printf 'name: small\n...\n\n中\tzhong\t500\n行\txing\t900\n行\thang\t300\n银行\tyin hang\t70\n' >"$work/rime"
printf '# ours\n中国\tzg\n国中\tguo zhong\n嗯\ten\n' >"$work/ours"
printf '# surnames\n行\thang\n+先生\txs\n姓+\tx\n' >"$work/surnames"
cp text/data/pinyin_syllables.txt "$work/syllables"
printf '中国 10 ns\n银行 20 n\n看着 9 v\n著 4 v\n' >"$work/words"

printf '# equivalents\n\n2EC4       ; 897F  # WEST\n2EBE..2EC0 ; 8279 # GRASS\n31D0 ; 4E00 # not a radical\n' >"$work/equivalents"

compile() { # program, output
    case $1 in
    normalise) "$tables/compile_normalise" "$2" "$work/equivalents" "$tables/han.bin" ;;
    han) "$tables/compile_han" "$2" "$work/marks" "$work/phrases" "$work/characters" "$work/taiwan_phrases" "$work/taiwan" "$work/hong_kong_phrases" \
        "$work/hong_kong" "$work/words" ;;
    pinyin) "$tables/compile_pinyin" "$2" "$work/unihan" "$work/rime" "$work/ours" "$work/surnames" "$work/words" "$work/syllables" ;;
    esac
}
for program in normalise han pinyin; do
    compile $program "$work/one" && compile $program "$work/two" || complain "$program: the good data"
    cmp "$work/one" "$work/two" || complain "$program: not the same bytes twice"
done
cmp "$tables/normalise.bin" "$work/one" >/dev/null && complain "cmp cannot tell tables apart"

fails() { # what, program, wanted words of the one line on stderr
    what=$1 program=$2; shift 2
    rm -f "$work/none"
    compile "$program" "$work/none" 2>"$work/said" && complain "$what is accepted"
    [ "$(wc -l <"$work/said")" -eq 1 ] || { complain "$what: not one line"; cat "$work/said"; }
    for word in "$@"; do
        grep -qF -- "$word" "$work/said" || complain "$what: no \"$word\" in: $(cat "$work/said")"
    done
    [ ! -e "$work/none" ] || complain "$what leaves a table behind"
}
spoiled() { # file, its new content, then as fails
    mv "$work/$1" "$work/kept"; printf "$2" >"$work/$1"; name=$1; shift 2
    fails "$@"
    mv "$work/kept" "$work/$name"
}
missing() { # file, then as fails
    mv "$work/$1" "$work/kept"; name=$1; shift
    fails "$@"
    mv "$work/kept" "$work/$name"
}

spoiled equivalents '2EC4 897F\n' "a radical without a semicolon" normalise "equivalents:1" semicolon
spoiled equivalents '# one\n2EC0..2EBE ; 8279\n' "a range that goes backwards" normalise "equivalents:2" range
spoiled equivalents '2EC4 ; FF21\n' "an ideograph that is not normal" normalise "equivalents:1" normal
missing equivalents "a missing list" normalise equivalents unicode-data

spoiled phrases '變徵\t变徵\n餅乾\n' "a phrase without a second column" han "phrases:2" TAB
spoiled phrases '變徵\t变\n' "a phrase that changes its length" han "phrases:1" length
spoiled phrases '' "an empty list" han phrases empty
spoiled characters '變\t变\n餅乾\t饼\n' "a character of two" han "characters:2" "one character"
spoiled characters '變\t\343\n' "broken UTF-8" han "characters:1"
spoiled characters '變\t变\n变\t變\n餅\t饼\n' "characters in a circle" han characters circle
spoiled characters '變\tＡ\n' "a result that is not normal" han characters normal
spoiled marks '「 “\n' "a mark without TAB" han "marks:1" TAB
spoiled taiwan '著着\n' "a variant without a second column" han "taiwan:1" TAB
spoiled taiwan '著作\t着\n' "a variant of two characters" han "taiwan:1" "one character"
spoiled words '看着 9 v\n银行\n' "a word without a frequency" han "words:2" frequency
missing hong_kong "missing variants" han hong_kong libopencc-data
missing words "missing words" han words python3-jieba
missing phrases "a missing dictionary" han phrases libopencc-data

spoiled unihan 'U+4E2D\tkMandarin\tzhōng\nU+884C\tkMandarin\tüe\n' \
    "a syllable with a strange initial" pinyin "unihan:2" reading
spoiled rime 'name: small\n中\tzhong\t5\n' "a dictionary without a body" pinyin rime "'...'"
spoiled rime '...\n中\tzhong\t5\n银行\tyin\t7\n' "a syllable too few" pinyin "rime:3" syllable
spoiled ours '# ours\n中国 zg\n' "a row without TAB" pinyin "ours:2" TAB
spoiled ours '中国\tz\n' "an initial too few" pinyin "ours:1" "2 characters and 1 initials"
spoiled ours '中国\tzh guo ren\n' "a syllable too many" pinyin "ours:1" "3 initials"
spoiled ours '中国\tvg\n' "an initial that no syllable has" pinyin "ours:1" neither
spoiled ours '\n\n中国\tZg\n' "an upper-case initial" pinyin "ours:3" neither
spoiled ours '中国人民中国人民中\tzgrmzgrmz\n' "a phrase too long" pinyin "ours:1" "more than 8"
spoiled ours '中国\tzg\n中国\tzk\n' "two readings of one word" pinyin "ours:2" "line 1"
spoiled ours '\344\270\tzg\n' "broken UTF-8" pinyin "ours:1" UTF-8
spoiled ours '中国\tzg\tacros\n' "an unknown mark" pinyin "ours:1" across
spoiled surnames '行行\thang\n' "a surname of two characters" pinyin "surnames:1" "one character"
spoiled surnames '行 hang\n' "a surname without TAB" pinyin "surnames:1" TAB
spoiled surnames '行\thang\ttitle\n' "an unknown mark" pinyin "surnames:1" titled
spoiled surnames '+先生\tx\n' "a title with an initial too few" pinyin "surnames:1" "as many initials"
missing surnames "a missing list" pinyin surnames
spoiled words '中国 10 ns\n银行\n' "a word without a frequency" pinyin "words:2" frequency
spoiled syllables 'a\ta\nai\n' "a syllable without its final" pinyin "syllables:2" TAB
spoiled syllables 'a\ta\nai\tai\n' "syllables too few" pinyin syllables "fewer than 405 syllables and 36 finals"
missing syllables "a missing list" pinyin syllables
missing unihan "missing readings" pinyin unihan unicode-data
missing rime "a missing dictionary" pinyin rime rime-data-pinyin-simp
missing ours "a missing list" pinyin ours
missing words "missing words" pinyin words python3-jieba

# What make asks for before the programs run.
says() { # package, target, variable
    make -s BUILD="$work/build" "$3" "$work/build/tables/$2" >"$work/said" 2>&1 && complain "make does without $1"
    grep -qF "install the Debian package $1" "$work/said" || complain "make does not name $1: $(cat "$work/said")"
}
says libopencc-data opencc/TSPhrases.txt OPENCC_DATA=/nowhere
says unicode-data readings.txt UNIHAN_READINGS=/nowhere
exit $bad
