#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Measures every stage of the lab beside its limit and its best peer, in one run: a table, and all figures in JSON.

    bench/run.py [--stages PROGRAM] [--peers SCRIPT] [--fplab PROGRAM] [--out FILE] [--rounds N] [--only TEXT]

A round asks the lab, its bare loop (bench/stages) and the peer (bench/stage_peers.py) one after the other; figures are medians of the rounds'
times of the processor, and ratios medians of the ratios within a round, so that what else runs on the machine meets all three alike. A share of
the limit over 1 says that the bare loop is not the fastest there is."""
import argparse
import json
import os
import statistics
import sys

from rounds import HERE, TOP, Server, facts, rate, table


def measure(stage, lab, peers, rounds):
    """The figures of one stage, seconds for one unit."""
    name = stage['stage']
    times = {'lab': [], 'limit': [], 'peer': []}
    peer_name = None
    for number in range(rounds + 1):
        took = {'lab': lab.seconds('lab ' + name), 'limit': lab.seconds('limit ' + name) if stage['has_limit'] else None}
        answer = peers.ask('peer ' + name).split('\t') if number == 0 or peer_name else ['unknown']
        if answer[0] == 'missing':
            print(f'skipped: the peer of {name}: {answer[1]}', file=sys.stderr)
        took['peer'] = None if answer[0] in ('unknown', 'missing') else float(answer[0])
        peer_name = answer[1] if took['peer'] else None
        if number:  # the first round opens and warms
            for who, seconds in took.items():
                times[who].append(seconds)
    found = {'stage': name, 'unit': stage['unit'], 'limit_does': stage['limit_does'], 'peer_is': peer_name}
    for who, all_ in times.items():
        found[who] = statistics.median(all_) if None not in all_ else None
        found[who + '_rounds'] = all_ if None not in all_ else []
    found['of_limit'] = ratio(found['limit_rounds'], found['lab_rounds'])
    found['times_peer'] = ratio(found['peer_rounds'], found['lab_rounds'])
    return found


def ratio(above, below):
    return statistics.median(a / b for a, b in zip(above, below)) if above and below else None


def row(found):
    lab, unit = rate(found['lab'], found['unit'])
    limit, limit_unit = rate(found['limit'], found['unit'])
    peer, peer_unit = rate(found['peer'], found['unit'])
    return [found['stage'] + (f' ({found["unit"]})' if ' of ' in found['unit'] else ''), unit, lab, limit + (' ' + limit_unit if limit and limit_unit != unit else ''),
            f'{found["of_limit"]:.2f}' if found['of_limit'] else '', found['peer_is'] or '',
            peer + (' ' + peer_unit if peer and peer_unit != unit else ''), f'{found["times_peer"]:.1f}' if found['times_peer'] else '']


def main():
    parser = argparse.ArgumentParser(description='Every stage of the lab beside its limit and its peer.')
    parser.add_argument('--stages', default=os.path.join(TOP, 'build/bench/stages'))
    parser.add_argument('--peers', default=os.path.join(HERE, 'stage_peers.py'))
    parser.add_argument('--fplab', default=os.path.join(TOP, 'build/bin/fplab'))
    parser.add_argument('--out', default=os.path.join(TOP, 'build/bench/bench.json'))
    parser.add_argument('--rounds', type=int, default=7)
    parser.add_argument('--only', default='', help='stages whose name holds this text')
    options = parser.parse_args()
    lab = Server([os.path.abspath(options.stages)])
    peers = Server(['/usr/bin/python3', os.path.abspath(options.peers)])
    every = []
    for stage in lab.stages():
        if options.only in stage['stage']:
            print(f'… {stage["stage"]}', file=sys.stderr, flush=True)
            every.append(measure(stage, lab, peers, options.rounds))
    lab.close()
    peers.close()
    what = facts(os.path.abspath(options.fplab))
    print(f'{what["processor"]}, one thread, commit {what["commit"]}, {what["compiler"]}, load {what["load"]:.1f}; medians of {options.rounds} rounds\n')
    print(table(['stage', 'unit', 'lab', 'limit', 'of limit', 'peer', 'its figure', 'times peer'], [row(found) for found in every]))
    with open(options.out + '.new', 'w', encoding='utf-8') as file:
        json.dump({'facts': what, 'rounds': options.rounds, 'unit_of_times': 'seconds of the processor', 'stages': every}, file, indent=1,
                  ensure_ascii=False)
        file.write('\n')
    os.rename(options.out + '.new', options.out)


if __name__ == '__main__':
    main()
