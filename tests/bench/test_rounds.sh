#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What bench/bench.py makes of the answers that it gets: with stand-ins whose figures are known.
set -u
command -v python3 >/dev/null || { echo "python3 is not installed"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Interleaving, ratios and intervals, against what they are by hand and by the binomial law.
PYTHONPATH=bench PYTHONDONTWRITEBYTECODE=1 python3 - <<'EOF' || exit 1
import math
import bench
import growth

def recorded(name, asked, factor):
    def seconds(stage):
        asked.append(name)
        return factor * (1 + 0.1 * len(asked))  # everything slows down steadily
    return seconds

asked = []
found = bench.compare('stage', recorded('A', asked, 3.0), recorded('B', asked, 2.0), 7)
assert ''.join(asked) == 'AB' + 'ABBA' * 7, asked
assert all(abs(ratio - 1.5) < 1e-12 for ratio in found['ratios'])  # A B B A is blind to what is linear

for number in range(1, 40):
    low, high = bench.interval(list(range(number))[::-1])
    assert low + high == number - 1
    outside = lambda below: 2 * sum(math.comb(number, k) for k in range(below + 1)) / 2**number  # the median beyond both ends
    assert low == 0 or outside(low) <= 0.05
    assert outside(low + 1) > 0.05 or low + 1 > high - 1, number  # the narrowest of them
assert bench.interval([1.0]) == (1.0, 1.0)

assert bench.compare('stage', lambda stage: None, recorded('B', [], 1.0), 3) is None

# A power law is found again, from 10,000 on where there are three such sizes.
rows = [{'documents': n, 'processor_seconds': 3e-5 * n**1.25} for n in (1000, 5000, 10000, 20000, 100000)]
slope, factor = growth.line_of([{**rows[0], 'processor_seconds': 99.0}] + rows[1:])
assert abs(slope - 1.25) < 1e-9 and abs(factor / 3e-5 - 1) < 1e-6
assert abs(growth.line_of(rows[:2])[0] - 1.25) < 1e-9 and growth.line_of(rows[:1]) is None
EOF

# The table and the JSON of one run: the lab takes 2 µs a unit, its limit 1 µs, the peer 10 µs; another stage has no peer.
cat >"$work/stages" <<'EOF'
#!/bin/sh
while read -r line; do
    case $line in
    list) printf 'one\tquery\tnothing\tother 1\ntwo\tbyte\tless\tlacking\n\n' ;;
    "lab one") echo 2e-6 ;;
    "limit one") echo 1e-6 ;;
    "lab two") echo 4e-9 ;;
    "limit two") echo 2e-9 ;;
    *) echo unknown ;;
    esac
done
EOF
cat >"$work/peers" <<'EOF'
import sys
for line in sys.stdin:
    print('1e-5\tthe other' if line == 'peer other 1\n' else 'missing\tit', flush=True)
EOF
chmod +x "$work/stages"
PYTHONDONTWRITEBYTECODE=1 python3 bench/bench.py --stages "$work/stages" --peers "$work/peers" --rounds 3 --place "$work" >"$work/table" 2>/dev/null ||
    { echo "FAIL: bench/bench.py"; exit 1; }
tr -s ' ' <"$work/table" | grep -qF '| one | µs a query | 2 | 1 | 0.50 | the other | 10 | 5.0 |' || { echo "FAIL: the table"; cat "$work/table"; exit 1; }
tr -s ' ' <"$work/table" | grep -qF '| two | MB/s | 250 | 500 | 0.50 | | | |' || { echo "FAIL: the stage without a peer"; cat "$work/table"; exit 1; }
python3 - "$work/bench.json" <<'EOF' || exit 1
import json
import sys
with open(sys.argv[1], encoding='utf-8') as file:
    found = json.load(file)
assert {'processor', 'compiler', 'commit'} <= set(found['facts'])
one, two = found['stages']
assert one['lab_rounds'] == [2e-6] * 3 and one['of_limit'] == 0.5 and abs(one['times_peer'] - 5) < 1e-12
assert two['of_limit'] == 0.5 and two['peer'] is None and two['times_peer'] is None
EOF
