# SPDX-License-Identifier: GPL-3.0-or-later
"""Damages copies of a store in a file at random, and looks at what becomes of them.

    damage.py WRITER STORE TRIALS SEED

No damage ends a process, or makes it go on without an end; no record comes back as another than was written; where the
check finds nothing, all that was written is there. Of damage to a known place the right records are named lost."""
import collections, os, random, re, subprocess, sys

writer, store, trials, seed = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
random.seed(seed)
print('seed', seed)
with open(store, 'rb') as file:
    whole = file.read()
PAGE = 4096
failures = 0

def run(*words):
    try:
        done = subprocess.run([writer, *words], capture_output=True, timeout=60)
        return done.returncode, done.stdout.decode(), done.stderr.decode('utf-8', 'replace')
    except subprocess.TimeoutExpired:
        return 'no end', '', ''

def fail(*what):
    global failures
    failures += 1
    print('FAIL:', *what)

def bit(data):
    data[random.randrange(len(data))] ^= 1 << random.randrange(8)

def head(data):
    data[random.randrange(len(data) // PAGE) * PAGE + random.randrange(64)] = random.randrange(256)

def number(data):
    at = random.randrange(len(data) // 8) * 8
    data[at:at + 8] = random.choice([0, 1, 2, 2**16 - 1, 2**32 - 1, 2**63, 2**64 - 1]).to_bytes(8, 'little')

def zeros(data):
    at = random.randrange(len(data) // PAGE) * PAGE
    data[at:at + PAGE] = bytes(PAGE)

def noise(data):
    at = random.randrange(len(data) // PAGE) * PAGE
    data[at:at + PAGE] = random.randbytes(PAGE)

def exchange(data):
    a, b = (random.randrange(len(data) // PAGE) * PAGE for _ in range(2))
    data[a:a + PAGE], data[b:b + PAGE] = data[b:b + PAGE], data[a:a + PAGE]

def cut(data):
    del data[random.randrange(len(data)):]

def write(data):
    with open('damaged', 'wb') as file:
        file.write(data)

KINDS = (bit, head, number, zeros, noise, exchange, cut)
counted = collections.Counter()
for trial in range(trials):
    kind = KINDS[trial % len(KINDS)]
    data = bytearray(whole)
    kind(data)
    write(data)
    status, out, err = run('check', 'damaged', '100')
    counted[kind.__name__, status] += 1
    if status not in (0, 1, 2):
        fail(kind.__name__, trial, 'check ended with', status, err[:300])
    if status and not err:
        fail(kind.__name__, trial, 'check says nothing')
    # A writer that is let in finds no page that can end it.
    status, out, err = run('add', 'damaged', '3001', '100', '10')
    if status not in (0, 1):
        fail(kind.__name__, trial, 'add ended with', status, err[:300])
for (kind, status), count in sorted(counted.items()):
    print('%s: %d ended with %d' % (kind, count, status))

# A byte of the title of record 1234: that record alone.
at = whole.rfind(b'%060d' % 1234)
data = bytearray(whole)
data[at] ^= 1
write(data)
status, out, err = run('check', 'damaged', '100')
if (status, out, err) != (2, '2999 left\n', 'problem: record 1234 is damaged: its checksum differs\n'):
    fail('a title:', status, out, err)

# The page that it is in: those records alone.
data[at // PAGE * PAGE:at // PAGE * PAGE + PAGE] = bytes(PAGE)
write(data)
status, out, err = run('check', 'damaged', '100')
left = re.fullmatch(r'([0-9]+) left\n', out)
missing = re.search('records ([0-9]+) to ([0-9]+) are missing', err)
lost = int(missing[2]) - int(missing[1]) + 1 if missing else 0
if status != 2 or not left or int(left[1]) != 3000 - lost or not int(missing[1]) <= 1234 <= int(missing[2]) or lost > 40:
    fail('a page:', status, out, err)
for words in ('damaged: Page %d: ' % (at // PAGE + 1), 'it has %d records, and its count is 3000' % (3000 - lost)):
    if 'problem: ' + words not in err:
        fail('a page: no word of', words, err)
os.remove('damaged')
sys.exit(failures > 0)
