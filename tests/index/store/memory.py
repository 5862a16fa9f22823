# SPDX-License-Identifier: GPL-3.0-or-later
"""Fails every allocation of a writer of records in turn, or every STEP-th, alone and with all that follow.

    memory.py WRITER SHIM ADDRESS STEP

NAME in the address is replaced. The writer ends with 0, or with 1 and one line that says that there is no memory; what it
has told of is there, nothing is there in part, and the check finds nothing. What hiredis makes of it is told apart: it
may crash."""
import collections, os, re, subprocess, sys, tempfile

writer, shim, address, step = sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4])
BATCH, COUNT = 10, 30
failures = 0
counted = collections.Counter()
clean = {key: value for key, value in os.environ.items() if not key.startswith('FAIL_')}

def run(*words, **more):
    done = subprocess.run([writer, *words], capture_output=True, env=dict(clean, LC_ALL='C.UTF-8', **more), timeout=120)
    return done.returncode, done.stdout.decode().split(), done.stderr.decode('utf-8', 'replace')

def add(place, **more):
    return run('add', place, '1', str(COUNT), str(BATCH), LD_PRELOAD=shim, **more)

def look(place, told):
    """What is wrong with the store, or ''."""
    status, out, err = run('check', place, str(BATCH))
    if status == 1 and not told and re.search('No such file|no store of that name', err):
        return ''
    if status or int(out[0]) < told:
        return 'check ended with %d: %s' % (status, err)
    return ''

owners = tempfile.mktemp()
add(address.replace('NAME', 'first'), FAIL_TELL=owners)
with open(owners) as file:
    names = [line.split()[1] for line in file]
os.remove(owners)
for number in range(1, len(names) + 1, step):
    for after in (False, True):
        place = address.replace('NAME', 's%d%s' % (number, 'a' if after else ''))
        status, out, err = add(place, FAIL_AT=str(number), **({'FAIL_AFTER': '1'} if after else {}))
        told = int(out[-1]) if out else 0
        said = [line for line in err.splitlines() if not line.startswith('This Redis')]
        wrong = look(place, told)
        if status == 0 and told == COUNT and not wrong:
            verdict = 'right'
        elif status == 1 and len(said) == 1 and re.search('[Oo]ut of memory|Cannot allocate memory', said[0]) and not wrong:
            verdict = 'told'
        elif not wrong and names[number - 1].startswith('libhiredis'):
            verdict = 'crashed' if status < 0 else 'another cause' # theirs, and nothing is there in part
        else:
            verdict = 'wrong'
            failures += 1
            if failures <= 10:
                print('FAIL: allocation %d of %s%s: %d, %s; %s' % (number, names[number - 1], ' and all that follow' * after, status, err.strip()[:300], wrong))
        counted[names[number - 1], verdict] += 1
print('%d allocations; %s' % (len(names), ', '.join('%s: %d %s' % (name, n, verdict) for (name, verdict), n in sorted(counted.items()))))
sys.exit(failures > 0)
