# SPDX-License-Identifier: GPL-3.0-or-later
"""lookalike_judge.py CORPUS FONT - judges the look-alikes of a corrupted corpus (with --edits) by their picture: both characters are drawn
with FONT, and compared as blurred grey images of 32 by 32 pixels, by their correlation. Prints the number of distinct pairs, the mean
correlation of the pairs, that of as many pairs of characters drawn evenly from the same ones, and the share of the pairs that are more alike
than nine in ten of those."""
import json
import random
import sys

from PIL import Image, ImageDraw, ImageFilter, ImageFont

pairs = set()
for line in open(sys.argv[1] + "/docs.jsonl", encoding="utf-8"):
    pairs |= {(e[1], e[2]) for e in json.loads(line).get("edits", [])}
pairs = sorted(pairs)
font = ImageFont.truetype(sys.argv[2], 44)
drawn = {}
SIDE = 32


def picture(character):
    if character not in drawn:
        image = Image.new("L", (48, 48))
        ImageDraw.Draw(image).text((24, 24), character, fill=255, font=font, anchor="mm")
        flat = list(image.filter(ImageFilter.GaussianBlur(1.5)).resize((SIDE, SIDE)).getdata())
        mean = sum(flat) / len(flat)
        spread = (sum((x - mean) ** 2 for x in flat) / len(flat)) ** 0.5
        drawn[character] = [(x - mean) / spread for x in flat]
    return drawn[character]


def alike(a, b):
    return sum(x * y for x, y in zip(picture(a), picture(b))) / SIDE**2


ours = [alike(a, b) for a, b in pairs]
every = sorted({c for pair in pairs for c in pair})
draw = random.Random(1)
others = sorted(alike(*draw.sample(every, 2)) for _ in pairs)
bound = others[len(others) * 9 // 10]
print(len(pairs), round(sum(ours) / len(ours), 3), round(sum(others) / len(others), 3), round(sum(x > bound for x in ours) / len(ours), 3))
