#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares fplab's Han folding with OpenCC's own program and counts where ICU's transliterator differs.

    BUILD=build tests/deep/test_opencc.py

Texts: Debian's fortunes-zh turned into traditional characters, the traditional sets beside the project when they are
there, and random mixtures of OpenCC's phrases and characters. A line that differs from `opencc -c t2s` is an error unless
it is one of the departures that text/han.h states (OpenCC would change its own output again, or the line holds what OpenCC
itself made of a phrase and would change now) and a plain model of that statement gives the same.
"""
import ctypes
import glob
import json
import os
import random
import shutil
import subprocess
import sys

SEED = int(os.environ.get("FPLAB_TEST_SEED", "1"))
OPENCC_DATA = os.environ.get("OPENCC_DATA", "/usr/share/opencc")


class String(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("length", ctypes.c_size_t)]


class Library:
    def __init__(self, path):
        self.library = ctypes.CDLL(path)
        self.library.fp_arena_new.restype = ctypes.c_void_p
        self.library.fp_han_fold.argtypes = [String, ctypes.c_bool, *[ctypes.c_void_p] * 3]
        self.arena = ctypes.c_void_p(self.library.fp_arena_new())

    def fold(self, text):
        raw = text.encode()
        buffer = ctypes.create_string_buffer(raw, len(raw))
        folded = String()
        given = String(ctypes.addressof(buffer), len(raw))
        status = self.library.fp_han_fold(given, False, self.arena, ctypes.byref(folded), None)
        if status:
            sys.exit(f"fp_han_fold failed with status {status}")
        return ctypes.string_at(folded.data, folded.length).decode()


def filtered(command, text):
    return subprocess.run(command, input=text.encode(), stdout=subprocess.PIPE, check=True).stdout.decode()


def opencc(text, config="t2s"):
    return filtered(["opencc", "-c", config], text)


def dictionary(name):
    command = ["opencc_dict", "-i", f"{OPENCC_DATA}/{name}.ocd2", "-o", "/dev/stdout", "-f", "ocd2", "-t", "text"]
    rows = subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout.decode().splitlines()
    return {key: values.split(" ")[0] for key, values in (row.split("\t") for row in rows)}


class Model:
    """The rule that text/han.h states, from the same dictionaries, in the plainest way."""

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


def compare(name, text, library, revived, model):
    """Returns the number of differences that no stated departure explains, or that are not what it says."""
    lines = text.split("\n")
    theirs = opencc(text).split("\n")
    again = opencc("\n".join(theirs)).split("\n")
    ours = library.fold(text).split("\n")
    if not len(lines) == len(theirs) == len(ours):
        print(f"{name}: {len(lines)} lines, OpenCC gives {len(theirs)}, fplab {len(ours)}")
        return 1
    departures = errors = 0
    for line, a, b, c in zip(lines, theirs, ours, again):
        if a == b:
            continue
        if (a != c or any(phrase in line for phrase in revived)) and b == model.fold(line):
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


def main():
    for tool in ("opencc", "opencc_dict"):
        if not shutil.which(tool):
            print(f"skipped: {tool} is missing")
            return 77
    library = Library(os.path.abspath(os.path.join(os.environ.get("BUILD", "build"), "lib/libfplab.so")))
    phrases, characters = dictionary("TSPhrases"), dictionary("TSCharacters")
    outputs = sorted(set(phrases.values()))
    revived = [before for before, after in zip(outputs, opencc("\n".join(outputs)).split("\n")) if before != after]
    print(f"{len(revived)} phrases that OpenCC makes and would change again: {' '.join(revived)}")
    model = Model(phrases, characters)
    errors = compare("dictionaries", "\n".join([*phrases, *characters]) + "\n", library, revived, model)
    for name, text in [*fortunes(), *shared_sets(), mixtures(phrases, characters)]:
        errors += compare(name, text, library, revived, model)
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
