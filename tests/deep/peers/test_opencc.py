#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares fplab's Han folding with OpenCC's own program and counts where ICU's transliterator differs.

    BUILD=build tests/deep/peers/test_opencc.py

Texts: Debian's fortunes-zh turned into traditional characters, the traditional sets beside the project when they are
there, and random mixtures of OpenCC's phrases and characters. A line that differs from `opencc -c t2s` is an error unless
it is one of the departures that text/unicode/han.h states (OpenCC would change its own output again, the line holds what OpenCC
itself made of a phrase and would change now, it holds what Taiwan or Hong Kong write otherwise, or 「」 『』) and a plain model
of that statement gives the same.

Then Debian's simplified documentation, line by line: put into traditional characters by OpenCC (s2t, s2tw, s2hk) and
folded, at least as many lines must give what the folded original gives as OpenCC's own way back (t2s, tw2s, hk2s) restores.
"""
import collections
import glob
import itertools
import json
import os
import random
import shutil
import subprocess
import sys

import debian_chinese

SEED = int(os.environ.get("FPLAB_TEST_SEED", "1"))
JIEBA = os.environ.get("JIEBA", "/usr/lib/python3/dist-packages/jieba")
OPENCC_DATA = os.environ.get("OPENCC_DATA", "/usr/share/opencc")


def filtered(command, text):
    return subprocess.run(command, input=text.encode(), stdout=subprocess.PIPE, check=True).stdout.decode()


def fold(text):
    """By the program made from han_fold.c."""
    return filtered([os.path.join(os.environ.get("BUILD", "build"), "tests/deep/peers/han_fold")], text)


def opencc(text, config="t2s"):
    return filtered(["opencc", "-c", config], text)


def dictionary(name):
    command = ["opencc_dict", "-i", f"{OPENCC_DATA}/{name}.ocd2", "-o", "/dev/stdout", "-f", "ocd2", "-t", "text"]
    rows = subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout.decode().splitlines()
    return {key: values.split(" ")[0] for key, values in (row.split("\t") for row in rows)}


class Model:
    """The rule that text/unicode/han.h states, from the same dictionaries, in the plainest way."""

    def __init__(self, phrases, characters):
        self.phrases, self.characters = dict(phrases), dict(characters)
        for key, value in self.characters.items():
            while self.characters.get(value, value) != value:
                value = self.characters[value]
            self.characters[key] = value
        self.longest = max(map(len, self.phrases))
        while unstable := [v for v in self.phrases.values() if self.once(v) != v]:
            self.phrases.update((v, v) for v in unstable)

    def once(self, line):
        out, at = [], 0
        while at < len(line):
            for size in range(self.longest, 0, -1):
                part = line[at:at + size]
                if part in self.phrases or size == 1:
                    out.append(self.phrases.get(part) or self.characters.get(part, part))
                    at += len(part)
                    break
        return "".join(out)

    def fold(self, line):
        while (folded := self.once(line)) != line:
            line = folded
        return line


def in_gb2312(character):
    try:
        character.encode("gb2312")
    except UnicodeEncodeError:
        return False
    return True


def jieba_words():
    with open(f"{JIEBA}/dict.txt", encoding="utf-8") as file:
        rows = (row.split(" ") for row in file)
        return {word: int(frequency) for word, frequency, *_ in rows}


class Variants(Model):
    """The model with what Taiwan and Hong Kong write otherwise, and the quotation marks of traditional text."""

    def __init__(self, phrases, characters):
        super().__init__(phrases, characters)
        self.simplified = dict(self.characters)
        self.written = collections.defaultdict(set)
        for character in self.simplified:
            self.written[self.plain(character)].add(character)
        merged, both = {}, []
        for place in ("TW", "HK"):
            for variant, form in dictionary(f"{place}VariantsRev").items():
                one, other = self.plain(variant), self.plain(form)
                if one == other:
                    continue
                if in_gb2312(one) and in_gb2312(other):
                    both.append((one, other))
                else:
                    merged.update([(other, one)] if in_gb2312(one) else [(one, other)])
        words, added = jieba_words(), {}
        for variant, form in both:
            merged.update(self.words_of(variant, form, words, added))
        self.simplified.update(zip("「」『』", "“”‘’"))
        for character in [*self.simplified, *merged]:
            plain = self.plain(character)
            self.characters[character] = merged.get(plain, plain)
        for spelled, simplified in added.items():
            self.phrases.setdefault(spelled, simplified)
        while unstable := [v for v in self.phrases.values() if self.once(v) != v]:
            self.phrases.update((v, v) for v in unstable)

    def plain(self, character):
        return self.simplified.get(character, character)

    def words_of(self, variant, form, words, added):
        """What both simplified characters become by themselves; the words that keep theirs go to `added`."""
        heard = collections.Counter()
        for word, frequency in words.items():
            heard.update({c: frequency * word.count(c) for c in (variant, form) if c in word})
        common, rare = (form, variant) if heard[form] > heard[variant] else (variant, form)
        kept = []
        for word, frequency in words.items():
            if frequency <= 3 or len(word) < 2:
                continue
            if rare in word:
                kept += [word] if frequency > words.get(word.replace(rare, common), 0) else []
            elif common == form and len(word) > 2 and word.endswith(common):
                kept += [word] if frequency > words.get(word.replace(common, rare), 0) else []
        for place in ("TW", "HK"):
            values = dictionary(f"{place}VariantsRevPhrases").values()
            folded = ("".join(map(self.plain, value)) for value in values)
            kept += [word for word in folded if rare in word]
        for word in kept:
            spellings = ({c} | self.written[c] for c in word.replace(form, variant))
            added.update(("".join(spelled), word) for spelled in itertools.product(*spellings))
        return {rare: common} if common == form else {}


def fortunes():
    for path in sorted(glob.glob("/usr/share/games/fortunes/*.u8")):
        with open(path, encoding="utf-8", errors="ignore") as file:
            text = file.read().replace("\x1b", "")
        yield os.path.basename(path) + ", s2t", opencc(text, "s2t")
        yield os.path.basename(path) + ", s2twp", opencc(text, "s2twp")


def shared_sets():
    for name in ("zhTW_quantangshi_two_editions", "zh_cross_script_poems", "zhTW_sighan_typos"):
        path = f"../shared/data/{name}/docs.jsonl"
        if not os.path.exists(path):
            print(f"{name}: skipped, not here")
            continue
        with open(path, encoding="utf-8") as file:
            yield name, "\n".join(json.loads(row)["text"].replace("\n", " ") for row in file) + "\n"


def mixtures(phrases, characters):
    print(f"note: seed {SEED} (FPLAB_TEST_SEED)")
    chance = random.Random(SEED)
    parts = sorted(set(phrases) | set(phrases.values()))
    letters = sorted(set("".join(parts)) | set(characters) | set(characters.values()))
    in_phrases = sorted(set("".join(parts)))
    lines = []
    for _ in range(200000):
        pools = chance.choices((parts, letters, in_phrases), (3, 2, 3), k=chance.randint(1, 8))
        lines.append("".join(chance.choice(pool) for pool in pools))
    return "mixtures", "\n".join(lines) + "\n"


def compare(name, text, revived, model, variants):
    """Returns the number of differences that no stated departure explains, or that are not what it says."""
    lines = text.split("\n")
    theirs = opencc(text).split("\n")
    again = opencc("\n".join(theirs)).split("\n")
    ours = fold(text).split("\n")
    if not len(lines) == len(theirs) == len(ours):
        print(f"{name}: {len(lines)} lines, OpenCC gives {len(theirs)}, fplab {len(ours)}")
        return 1
    departures = errors = 0
    for line, a, b, c in zip(lines, theirs, ours, again):
        if a == b:
            continue
        folded = variants.fold(line)
        stated = a != c or any(phrase in line for phrase in revived) or folded != model.fold(line)
        if stated and b == folded:
            departures += 1
            continue
        errors += 1
        if errors <= 10:
            print(f"{name}: '{line}': OpenCC '{a}', fplab '{b}'")
    note = ""
    if shutil.which("uconv"):
        icu = filtered(["uconv", "-x", "Traditional-Simplified"], text)
        mine = "\n".join(ours)
        if len(icu) == len(mine):
            note = f"; ICU differs in {sum(x != y for x, y in zip(icu, mine))} of {len(mine)} characters"
    print(f"note: {name}: {len(lines)} lines, {errors} unexplained differences, {departures} stated departures{note}")
    return errors


def differing(one, other):
    return sum(a != b for a, b in zip(one, other))


def there_and_back():
    """Returns the number of ways on which OpenCC restores more lines than fold alike."""
    errors = 0
    for name, lines in debian_chinese.by_source():
        if "traditional" in name or not lines:
            continue
        originals = fold("\n".join(lines)).split("\n")
        for there, back in (("s2t", "t2s"), ("s2tw", "tw2s"), ("s2hk", "hk2s")):
            traditional = opencc("\n".join(lines), there)
            ours = differing(originals, fold(traditional).split("\n"))
            theirs = differing(lines, opencc(traditional, back).split("\n"))
            print(f"note: {name}, {there}: of {len(lines)} lines {ours} fold to something else; {back} leaves {theirs}")
            errors += ours > theirs
    return errors


def main():
    for tool in ("opencc", "opencc_dict"):
        if not shutil.which(tool):
            print(f"skipped: {tool} is missing")
            return 77
    phrases, characters = dictionary("TSPhrases"), dictionary("TSCharacters")
    outputs = sorted(set(phrases.values()))
    revived = [before for before, after in zip(outputs, opencc("\n".join(outputs)).split("\n")) if before != after]
    print(f"{len(revived)} phrases that OpenCC makes and would change again: {' '.join(revived)}")
    model, variants = Model(phrases, characters), Variants(phrases, characters)
    places = [n for place in ("TW", "HK") for n in (f"{place}VariantsRev", f"{place}VariantsRevPhrases")]
    taken = {**phrases, **characters, **{k: v for name in places for k, v in dictionary(name).items()}}
    lines = [*taken, *sorted(set(taken.values()) | set(variants.phrases))]
    errors = compare("dictionaries", "\n".join(lines) + "\n", revived, model, variants)
    for name, text in [*fortunes(), *shared_sets(), mixtures(variants.phrases, {**characters, **variants.characters})]:
        errors += compare(name, text, revived, model, variants)
    errors += there_and_back()
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
