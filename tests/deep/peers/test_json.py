#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares the reader and the writer of JSON with Python's on random texts, half of them damaged.

    test_json.py [--seed N] [--texts N]

A text is refused by both or by neither, and what the program made of json_echo.c writes is read by Python as the same
value: strings character for character, numbers as the same double. Python's reader takes more than RFC 8259 and the lab
do; what is more is taken out here: NaN and Infinity, duplicate keys, half surrogate pairs, 100 levels."""
import argparse
import json
import math
import os
import random
import subprocess
import sys

parser = argparse.ArgumentParser()
parser.add_argument('--seed', type=int, default=1)
parser.add_argument('--texts', type=int, default=60000)
options = parser.parse_args()
rng = random.Random(options.seed)
echo = os.path.join(os.environ.get('BUILD', 'build'), 'tests/deep/peers/json_echo')
SIGNS = ['a', 'Z', ' ', '"', '\\', '/', '\n', '\t', '\r', '\b', '\f', '\x01', '\x1f', '\x7f', '\x80', '\u07ff', '\u0800',
         '桥', '\ue000', '\ufeff', '\ufffd', '\uffff', '\U00010000', '\U0001f600', '\U0010ffff', '{', ']', ',', ':']

def text():
    return ''.join(rng.choice(SIGNS) for _ in range(rng.randrange(8)))

def number():
    kind = rng.randrange(6)
    if kind == 0:
        return rng.randrange(-20, 20)
    if kind == 1:
        return rng.randrange(-2**70, 2**70)
    if kind == 2:
        return rng.uniform(-1, 1)
    if kind == 3:
        return rng.choice([0.1, -0.0, 5e-324, 2.2250738585072014e-308, 1.7976931348623157e308, 1e21, 1e-7, 2**53 + 1])
    return math.ldexp(rng.uniform(-1, 1), rng.randrange(-1074, 1024))

def value(depth):
    kind = rng.randrange(8 if depth else 5)
    if kind < 2:
        return text()
    if kind < 4:
        return number()
    if kind == 4:
        return rng.choice([None, True, False])
    if kind < 6:
        return [value(depth - 1) for _ in range(rng.randrange(5))]
    return {text(): value(depth - 1) for _ in range(rng.randrange(5))}

def written():
    """As Python writes it: with or without escapes, spaces and lines."""
    return json.dumps(value(4), ensure_ascii=rng.random() < 0.5, indent=rng.choice([None, 1]),
                      separators=rng.choice([None, (',', ':'), (' ,', ' : ')]))

PIECES = list('{}[]",:\\/ \n\t\r0123456789.eE+-u') + ['null', 'true', 'NaN', 'Infinity', '\\u0041', '\\ud800', '\\ud83d\\ude00',
          '\\udc00', '"a":', '1e400', '1e-400', '01', '1.', '.5', '\x0b', '\xa0', '\ufeff', '[' * 60, '[' * 101 + ']' * 101, '"']

def damaged(whole):
    for _ in range(rng.randrange(1, 4)):
        at, gone = rng.randrange(len(whole) + 1), rng.choice([0, 0, 1, 2])
        whole = whole[:at] + rng.choice(PIECES + ['']) + whole[at + gone:]
    return whole

def unique(pairs):
    if len({name for name, _ in pairs}) < len(pairs):
        raise ValueError('a key stands twice')
    return dict(pairs)

def refuse(word):
    raise ValueError(word)

def check(made, depth=0):
    """Characters are whole, no more than 100 levels."""
    if isinstance(made, str):
        made.encode('utf-8')
    elif isinstance(made, (list, dict)):
        if depth == 100:
            raise ValueError('deep')
        for item in made if isinstance(made, list) else made.values():
            check(item, depth + 1)
        for name in made if isinstance(made, dict) else ():
            check(name)

def expected(whole):
    try:
        made = json.loads(whole, object_pairs_hook=unique, parse_constant=refuse)
        check(made)
        return True, made
    except (ValueError, RecursionError):
        return False, None

def has_nul(made):
    if isinstance(made, dict):
        return any('\0' in name or has_nul(item) for name, item in made.items())
    return isinstance(made, list) and any(map(has_nul, made))

def same(ours, theirs):
    if isinstance(theirs, bool) or theirs is None or isinstance(theirs, str):
        return ours is theirs or isinstance(theirs, str) and isinstance(ours, str) and ours == theirs
    if isinstance(theirs, (int, float)):
        try:
            double = float(theirs)
        except OverflowError:
            double = math.inf
        if math.isinf(double):
            return ours == 'range'
        return isinstance(ours, (int, float)) and not isinstance(ours, bool) and float(ours) == double
    if isinstance(theirs, list):
        return isinstance(ours, list) and len(ours) == len(theirs) and all(map(same, ours, theirs))
    return isinstance(ours, dict) and list(ours) == list(theirs) and all(same(ours[name], theirs[name]) for name in theirs)

texts = []
while len(texts) < options.texts:
    whole = written()
    texts.append(damaged(whole) if rng.random() < 0.5 else whole)
    if has_nul(expected(texts[-1])[1]):
        texts.pop()
done = subprocess.run([echo], input=b''.join(one.encode('utf-8') + b'\0' for one in texts), stdout=subprocess.PIPE, check=True)
answers = done.stdout.split(b'\0')[:-1]
bad, refused = 0, 0
for whole, answer in zip(texts, answers):
    taken, theirs = expected(whole)
    refused += not taken
    good = answer.startswith(b'=') == taken and (not taken or same(json.loads(answer[1:].decode('utf-8')), theirs))
    good = good and (taken or 0 <= int(answer[1:]) <= len(whole.encode('utf-8')))
    if not good:
        bad += 1
        if bad <= 10:
            print('FAIL: %r: %r' % (whole[:300], answer[:300]))
if len(answers) != len(texts):
    print('FAIL: %d answers to %d texts' % (len(answers), len(texts)))
    bad += 1
print('seed %d: %d texts, %d refused by Python, %d answered otherwise' % (options.seed, len(texts), refused, bad))
sys.exit(bad > 0 or not options.texts // 10 < refused < options.texts * 9 // 10)
