#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Every algorithm that explains itself does, as a table and as JSON, for any text and for two; one that does not says so in a line.
. tests/support.sh
cd "$work" || exit 1
two=(我喜欢看电视 我不喜欢看电视)
explained=0
arm_file() { # ALGORITHM PARAMETER: ALGORITHM.PARAMETER for the document 甲, where an algorithm must be given a file
    case $1:$2 in
    scores:file) printf '甲\t乙\t1\n' ;;
    vectors:file) python3 -c 'import struct, sys
header = b"{\"descr\": \"<f4\", \"fortran_order\": False, \"shape\": (1, 2)}\n"
sys.stdout.buffer.write(b"\x93NUMPY\1\0" + struct.pack("<H", len(header)) + header + struct.pack("<2f", 1, 2))' ;;
    vectors:ids) echo 甲 ;;
    *) return 1 ;;
    esac >"$1.$2"
}
for algorithm in $("$fplab" algorithms --format tsv | awk -F'\t' 'NR > 1 && $2 !~ /^control/ { print $1 }'); do
    arm=$algorithm
    for file in $("$fplab" algorithms "$algorithm" --format tsv | awk -F'\t' '$4 == "a file, which must be given" { print $2 }'); do
        arm_file "$algorithm" "$file" || { complain "no file is made here for $algorithm:$file="; continue 2; }
        [ "$arm" = "$algorithm" ] && arm=$arm: || arm=$arm,
        arm=$arm$file=$algorithm.$file
    done
    if ! "$fplab" explain "$arm" --text 甲 >out 2>err; then
        [ "$(cat err)" = "fplab: $algorithm does not explain itself" ] && [ ! -s out ] || complain "explain $algorithm: $(cat err)"
        "$fplab" explain "$arm" --pair --text "${two[@]}" >out 2>err && complain "explain $algorithm --pair explains what explain does not"
        continue
    fi
    explained=$((explained + 1))
    for text in '' 甲 我喜欢看电视，不喜欢看电影。; do
        "$fplab" explain "$algorithm" --text "$text" >out 2>err && [ -s out ] || complain "explain $algorithm \"$text\": $(cat err)"
        "$fplab" explain "$algorithm" --text "$text" --format json >"$algorithm-${#text}.json" || complain "explain $algorithm \"$text\" as JSON"
    done
    "$fplab" explain "$algorithm" --pair --text "${two[@]}" >out 2>err && grep -q '^distance' out || complain "explain $algorithm --pair: $(cat err)"
done
python3 -c 'import glob, json
for name in glob.glob("*.json"): assert json.load(open(name, encoding="utf-8")), name' || complain "not JSON"
[ $explained -ge 15 ] || complain "only $explained algorithms explain themselves"
exit $bad
