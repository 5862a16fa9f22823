#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Every algorithm that explains itself does, as a table and as JSON, for any text and for two; one that does not says so in a line.
. tests/support.sh
cd "$work" || exit 1
two=(我喜欢看电视 我不喜欢看电视)
explained=0
for algorithm in $("$fplab" algorithms --format tsv | awk -F'\t' 'NR > 1 && $2 !~ /^control/ { print $1 }'); do
    if ! "$fplab" explain "$algorithm" --text 甲 >out 2>err; then
        [ "$(cat err)" = "fplab: $algorithm does not explain itself" ] && [ ! -s out ] || complain "explain $algorithm: $(cat err)"
        "$fplab" explain "$algorithm" --pair --text "${two[@]}" >out 2>err && complain "explain $algorithm --pair explains what explain does not"
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
