# SPDX-License-Identifier: GPL-3.0-or-later
"""What a command wrote, without what is not the same twice: for checks that run a command again and again."""
import os, re

# Seconds, and what run.json says of files that hold them.
TIMED = re.compile('second|time|date|"directory"|"size":|"sha256":"')

def without_times(name, content):
    if name == 'pareto.tsv':
        return b'times'
    if name.endswith('.json'):
        return b'\n'.join(line for line in content.split(b'\n') if not TIMED.search(line.decode('utf-8')))
    rows = [row.split('\t') for row in content.decode('utf-8', 'replace').split('\n')]
    kept = [i for i, title in enumerate(rows[0]) if not TIMED.search(title)]
    return '\n'.join('\t'.join(row[i] for i in kept if i < len(row)) for row in rows).encode('utf-8')

def files_of(place):
    """Each file below a directory, by its path from there."""
    files = {}
    for directory, _, names in os.walk(place):
        for name in names:
            path = os.path.join(directory, name)
            with open(path, 'rb') as file:
                files[os.path.relpath(path, place)] = without_times(name, file.read())
    return files

def stable(output):
    """Without seconds and texts a second; which arms are on the front of quality, bytes and time depends on them, too."""
    output = re.sub(rb'(?<=\d\.\d) +\d+\.\d{3} \((?:NA|\d+\.\d{3}\xe2\x80\x93\d+\.\d{3})\) +\d+\.\d{3}$', b'', output, flags=re.M)
    output = re.sub(rb'^(  cost  .*); [\d,]+ texts a second$', rb'\1', output, flags=re.M)
    return output.split(b'For each of these arms, no other')[0]
