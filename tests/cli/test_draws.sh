#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# --seed and --replicates take the same in every command that has them.
. tests/support.sh
cd "$work" || exit 1
drawing=("robustness -c $newswire -a exact -k digits --quick" "eval -c $newswire -a simhash" "tune -c $newswire -g simhash" "judge sample -c $newswire -a simhash --distances 0..20 --per-distance 2 --out sheet.tsv")
for command in "${drawing[@]}"; do
    # shellcheck disable=SC2086
    for seed in -1 -9223372036854775808; do refused 2 "--seed takes a whole number from 0 on, not $seed" "$fplab" $command --seed $seed; done
    # shellcheck disable=SC2086
    for seed in 1.5 x 9223372036854775808; do refused 2 "--seed takes a number, not $seed" "$fplab" $command --seed $seed; done
    for seed in 0 2147483648 9223372036854775807; do
        # shellcheck disable=SC2086
        rm -f sheet.tsv; "$fplab" $command --seed $seed >out 2>err || complain "$command --seed $seed: $(cat err)"
    done
done
for command in "${drawing[@]:0:3}"; do
    # shellcheck disable=SC2086
    for count in -1 0 1 199 1000001; do refused 2 "--replicates takes 200 to 1000000, not $count" "$fplab" $command --replicates $count; done
    # shellcheck disable=SC2086
    "$fplab" $command --replicates 200 >out 2>err || complain "$command --replicates 200: $(cat err)"
done
# Every command that has a seed is one of these.
for command in $("$fplab" --help | sed -nE 's/^  ([a-z]+) .*/\1/p'); do
    "$fplab" $command --help-all 2>/dev/null | grep -qE '^ +(-., )?--seed[ =]' || continue
    [[ " robustness eval tune judge " == *" $command "* ]] || complain "$command has --seed, and is not tried here"
done
exit $bad
