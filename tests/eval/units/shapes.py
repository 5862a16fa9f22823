# SPDX-License-Identifier: GPL-3.0-or-later
"""Parts and samples of a corpus against what their rules say, from the files alone: components by a search of their own."""
import collections, json, os, sys

def read(place):
    with open(place + '/docs.jsonl', encoding='utf-8') as file: lines = file.read().splitlines()
    pairs = []
    if os.path.exists(place + '/pairs.tsv'):
        with open(place + '/pairs.tsv', encoding='utf-8') as file: pairs = [tuple(line.rstrip('\n').split('\t')) for line in file]
    return [json.loads(line) for line in lines], lines, pairs

def units(documents, pairs):
    """Breadth first over groups and positive pairs: the id of each document to the smallest id of its component."""
    near = collections.defaultdict(set)
    groups = collections.defaultdict(list)
    for document in documents:
        if document.get('group'): groups[document['group']].append(document['id'])
    for members in groups.values():
        for member in members: near[member].update(members)
    for a, b, label, *_ in pairs:
        if label == '1': near[a].add(b), near[b].add(a)
    found = {}
    for document in documents:
        if document['id'] in found: continue
        seen, queue = {document['id']}, [document['id']]
        while queue:
            for other in near[queue.pop()] - seen: seen.add(other), queue.append(other)
        smallest = min(seen, key=lambda name: name.encode())
        for member in seen: found[member] = smallest
    return found

def expect(good, what):
    if not good: print('FAIL:', what); sys.exit(1)

def check_split(whole, parts):
    documents, lines, pairs = read(whole)
    unit = units(documents, pairs)
    place, written, kept = {}, [], []
    for part in parts:
        own, own_lines, own_pairs = read(part)
        for document in own: place[document['id']] = part
        written += own_lines
        kept += own_pairs
        manifest = json.load(open(part + '/MANIFEST.json'))
        expect(manifest['counts']['documents'] == len(own), part + ': counts')
        expect([line for line in lines if json.loads(line)['id'] in {d['id'] for d in own}] == own_lines, part + ': lines are changed or moved')
    expect(sorted(written) == sorted(lines), 'documents are lost or doubled')
    homes = collections.defaultdict(set)
    for name, smallest in unit.items(): homes[smallest].add(place[name])
    expect(all(len(home) == 1 for home in homes.values()), 'a unit crosses parts')
    expect(sorted(kept) == sorted(pair for pair in pairs if place[pair[0]] == place[pair[1]]), 'pairs')
    expect(all(place[a] == place[b] for a, b, label, *_ in pairs if label == '1'), 'a positive pair crosses parts')
    return {smallest: home.pop() for smallest, home in homes.items()}

def check_sample(whole, sample, what, count):
    documents, lines, pairs = read(whole)
    own, own_lines, own_pairs = read(sample)
    names = {document['id'] for document in own}
    expect([line for line in lines if json.loads(line)['id'] in names] == own_lines, 'lines are changed or moved')
    among = [pair for pair in pairs if pair[0] in names and pair[1] in names]
    if what == 'documents': expect(len(own) == count and own_pairs == among, 'documents')
    if what == 'groups':
        unit = units(documents, pairs)
        chosen = {unit[name] for name in names}
        expect(len(chosen) == count and names == {name for name in unit if unit[name] in chosen} and own_pairs == among, 'groups')
    if what == 'pairs':
        expect(len(own_pairs) == count and set(own_pairs) <= set(pairs), 'pairs')
        expect(names == {name for pair in own_pairs for name in pair[:2]}, 'documents of pairs')
    return names

if __name__ == '__main__':
    if sys.argv[1] == 'split':
        for unit, part in sorted(check_split(sys.argv[2], sys.argv[3:]).items()): print(unit, os.path.basename(part))
    else: print(*sorted(check_sample(sys.argv[2], sys.argv[3], sys.argv[1], int(sys.argv[4]))), sep='\n')
