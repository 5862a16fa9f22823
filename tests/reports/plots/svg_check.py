# SPDX-License-Identifier: GPL-3.0-or-later
# svg_check.py WIDTH LEAST GREY FILE… : every picture is WIDTH pixels wide (0: any), no type in it is under LEAST points (96
# pixels to an inch), no text leaves it by what its letters take on average, and with GREY 1 every colour has red = green = blue.
import re
import sys
import unicodedata

width, least, grey = int(sys.argv[1]), float(sys.argv[2]), sys.argv[3] == '1'
TEXT = re.compile(r'<g transform="translate\(([-\d.]+),([-\d.]+)\)(?: rotate\(([-\d.]+)\))?"[^>]*?font-size="([\d.]+)"[^>]*?text-anchor="(\w+)"[^>]*>\s*<text>(.*?)</text>', re.S)


def wide(letter):
    return 1.0 if unicodedata.east_asian_width(letter) in 'WF' else 0.5


def ends(match):
    """Where a text begins and ends, across or, where it stands upright, up."""
    x, y, turn, size, anchor, said = match.groups()
    said = re.sub(r'&#?\w+;', '.', said)
    length = sum(wide(letter) for letter in said) * float(size)
    back = {'start': 0, 'middle': length / 2, 'end': length}[anchor]
    at, sign = (float(x), 1) if not turn or float(turn) == 0 else (float(y), -1)
    low, high = (at - back, at - back + length) if sign == 1 else (at - length + back, at + back)
    return low, high, bool(turn) and abs(float(turn)) == 45


bad = 0


def complain(name, what):
    global bad
    bad += 1
    print('FAIL: %s: %s' % (name, what))


for name in sys.argv[4:]:
    svg = open(name, encoding='utf-8').read()
    across, high = map(float, re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', svg).groups())
    if width and across != width:
        complain(name, '%g pixels wide' % across)
    found = list(TEXT.finditer(svg))
    if len(found) < 5 or len(found) < svg.count('<text>') * 0.9:
        complain(name, '%d of %d texts were understood' % (len(found), svg.count('<text>')))
    smallest = min(float(match[4]) * 0.75 for match in found)
    if smallest < least:
        complain(name, 'type of %.2f points' % smallest)
    for match in found:
        begin, end, slanted = ends(match)
        limit = across if not match[3] or float(match[3]) == 0 else high
        if not slanted and (begin < -1 or end > limit + 1):
            complain(name, '"%s" stands from %.0f to %.0f of %.0f' % (match[6], begin, end, limit))
    if grey:
        for colour in set(re.findall(r'rgb\( *(\d+), *(\d+), *(\d+)\)', svg)):
            if len(set(colour)) != 1:
                complain(name, 'rgb(%s) is no grey' % ','.join(colour))
sys.exit(bad > 0)
