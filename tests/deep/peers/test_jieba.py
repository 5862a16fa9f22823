#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares the jieba segmenter with jieba itself (Debian's python3-jieba), token for token.

    test_jieba.py [DRIVER] [--seed N] [--most LINES]

DRIVER is the program made from jieba_cut.c, by default $BUILD/tests/deep/peers/jieba_cut. Four sets of texts are cut by both,
with and without the hidden Markov model, and in search mode: the lines of Debian's Chinese documentation, the same
lines 40 at a time as one text, random texts made to be difficult, and random texts under random user dictionaries.
Lines with a letter or mark that is neither ASCII nor Han are left out, and counted: of those jieba knows no words.
Exit status 1 on any difference, 77 when jieba or the documentation is not installed. The seed is printed.
"""
import argparse
import os
import random
import subprocess
import sys
import tempfile
import time
import unicodedata

sys.dont_write_bytecode = True
import debian_chinese  # noqa: E402

try:
    import jieba
    from jieba import finalseg
except ImportError:
    print("python3-jieba is not installed")
    sys.exit(77)

jieba.setLogLevel(60)

MODES = (("hmm", True, False), ("plain", False, False), ("search", True, True), ("search plain", False, True))
SHOWN = 5


def tokenizer(directory, userdict=None):
    """A fresh jieba; its force-split words are global, so one tokenizer at a time."""
    made = jieba.Tokenizer()
    made.tmp_dir = directory
    made.initialize()
    finalseg.Force_Split_Words.clear()
    if userdict:
        made.load_userdict(userdict)
    return made


def ours(driver, texts, hmm, search, userdict):
    raw = [text.encode("utf-8") for text in texts]
    documents = b"".join(b"%d\n%s" % (len(one), one) for one in raw)
    command = [driver, str(int(hmm)), str(int(search)), userdict or "none"]
    done = subprocess.run(command, input=documents, stdout=subprocess.PIPE, check=True)
    rows = done.stdout.decode("ascii").split("\n")[:-1]
    if len(rows) != len(raw):
        sys.exit(f"{driver}: {len(rows)} answers to {len(raw)} texts")
    for one, row in zip(raw, rows):
        spans = (span.split(":") for span in row.split())
        yield [one[int(begin) : int(end)].decode("utf-8") for begin, end in spans]


def show(where, theirs, mine):
    """The tokens around the first difference."""
    first = next((i for i, (a, b) in enumerate(zip(theirs, mine)) if a != b), min(len(theirs), len(mine)))
    near = slice(max(0, first - 8), first + 8)
    print(f"  {where}\n    jieba {theirs[near]}\n    ours  {mine[near]}")


def compare(driver, name, reference, texts, userdict=None, quiet=False):
    """Number of texts that differ, over all modes."""
    wrong = 0
    for mode, hmm, search in MODES:
        started = time.monotonic()
        cut = reference.cut_for_search if search else reference.cut
        differing = tokens = 0
        for text, mine in zip(texts, ours(driver, texts, hmm, search, userdict)):
            theirs = list(cut(text, HMM=hmm))
            tokens += len(theirs)
            if mine != theirs:
                differing += 1
                if differing <= SHOWN:
                    show(f"{name}, {mode}", theirs, mine)
        if not quiet or differing:
            took = f"{time.monotonic() - started:.0f} s"
            print(f"{name}, {mode}: {len(texts)} texts, {tokens} tokens, {differing} differ ({took})", flush=True)
        wrong += differing
    return wrong


SPACES = [" ", "\t", "\n", "\r", "\r\n", "\x0b", "\x1c", "\x85", "\xa0", "\u2003", "\u2028", "\u3000"]
ODD = list("，。！？“”·∶—…（）￥①Ⅷ〇々〡") + ["\u4dff", "\u9fd6", "\u9fef", "\u3400", "\ufeff", "\x00", "\x7f"]
ODD += ["\U00020000", "\U0002a6d6", "\U0001f600", "\U0001f468\u200d\U0001f469", "\ufffd", "\U0010ffff"]
NAMES = ("3.14", "50%", "1.2.3%", "C++", "c#", "AT&T", "4S店", "T恤", "e-mail", "9.", ".5")
CLASS_ASCII = "abzABZ0159+#&._%-"
OTHER_ASCII = "!\"$'()*,/:;<=>?@[\\]^`{|}~"


def is_known(text):
    """Whether every letter, digit and mark is ASCII or Han."""
    return not any(
        ord(one) >= 0x80
        and unicodedata.category(one)[:2] in ("Lu", "Ll", "Lt", "Lm", "Lo", "Nd", "Mn", "Mc", "Me")
        and not unicodedata.name(one, "").startswith(("CJK ", "IDEOGRAPHIC "))
        for one in text
    )


def random_text(chance, words, common):
    """Pieces that meet at every kind of seam: words, parts of words, rare characters, names, numbers, spaces."""
    pieces = []
    for _ in range(chance.randint(0, 24)):
        kind = chance.random()
        if kind < 0.3:
            pieces.append(chance.choice(words))
        elif kind < 0.4:
            word = chance.choice(words)
            pieces.append(word[: chance.randint(1, len(word))])
        elif kind < 0.5:
            pieces.append("".join(chance.choices(common, k=chance.randint(1, 6))))
        elif kind < 0.6:
            pieces.append("".join(chr(chance.randint(0x4E00, 0x9FD5)) for _ in range(chance.randint(1, 5))))
        elif kind < 0.75:
            pieces.append("".join(chance.choices(CLASS_ASCII, k=chance.randint(1, 7))))
        elif kind < 0.8:
            pieces.append(chance.choice(NAMES))
        elif kind < 0.85:
            pieces.append(chance.choice(OTHER_ASCII))
        elif kind < 0.93:
            pieces.append(chance.choice(ODD))
        else:
            pieces.append(chance.choice(SPACES))
    return "".join(pieces)


def random_row(chance, words, common):
    kind = chance.random()
    if kind < 0.3:
        word = chance.choice(words)
    elif kind < 0.5:
        word = chance.choice(words) + chance.choice(words)
    elif kind < 0.7:
        word = "".join(chance.choices(common, k=chance.randint(1, 4)))
    elif kind < 0.85:
        word = "".join(chance.choices(CLASS_ASCII, k=chance.randint(1, 4))) + chance.choice(words)[:2]
    else:
        word = chance.choice(words)[:2] + chance.choice(ODD[:-6]) + chance.choice(common)
    word = "".join(word.split()).strip("\x00\ufeff") or "词"
    frequency = chance.choice(("", "", " 0", " 0", " 1", " 3", " 100", " 99999", " 0050"))
    ending = chance.choice(("\n", "\n", "\r\n", "  \n", "\n\n"))
    return chance.choice(("", "", "", "\ufeff", " ")) + word + frequency + chance.choice(("", " n", " nz")) + ending


def compare_dictionaries(driver, directory, chance, words, common):
    """Small dictionaries of the words that the texts are made of, so that rows matter."""
    wrong = rows = 0
    path = os.path.join(directory, "user.dict")
    for _ in range(60):
        few = chance.sample(words, 30)
        characters = chance.sample(common, 30)
        made = [random_row(chance, few, characters) for _ in range(chance.randint(1, 40))]
        rows += len(made)
        with open(path, "wb") as file:
            file.write("".join(made).encode("utf-8"))
        reference = tokenizer(directory, path)
        texts = [random_text(chance, few, characters) for _ in range(120)]
        wrong += compare(driver, "user dictionary", reference, texts, path, quiet=True)
    finalseg.Force_Split_Words.clear()
    print(f"user dictionaries: 60 of {rows} rows, 120 texts each in {len(MODES)} modes, {wrong} differ")
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    default = os.path.join(os.environ.get("BUILD", "build"), "tests/deep/peers/jieba_cut")
    parser.add_argument("driver", nargs="?", default=default)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 32))
    parser.add_argument("--most", type=int, default=1 << 60, help="at most so many lines of documentation")
    options = parser.parse_args()
    print(f"jieba {jieba.__version__}, seed {options.seed}")
    if jieba.__version__ != "0.42.1":
        sys.exit("the law is jieba 0.42.1")
    chance = random.Random(options.seed)
    lines = debian_chinese.lines(lambda name, count: print(f"{name}: {count} lines"))
    lines, all_lines = [line for line in lines if is_known(line)], len(lines)
    print(f"left out for letters that are neither ASCII nor Han: {all_lines - len(lines)} of {all_lines} lines")
    if len(lines) < 20000:
        print("too few lines: install manpages-zh fortunes-zh debian-reference-zh-cn libreoffice-help-zh-cn")
        return 77
    if options.most < len(lines):
        lines = chance.sample(lines, options.most)
    with tempfile.TemporaryDirectory() as directory:
        reference = tokenizer(directory)
        words = sorted(word for word, frequency in reference.FREQ.items() if frequency and is_known(word))
        common = sorted(set("".join(lines[:2000])) & set("".join(words)))
        wrong = compare(options.driver, "documentation", reference, lines)
        ends = ("\n", "\r\n", "", "\u3000")
        longer = [chance.choice(ends).join(lines[at : at + 40]) for at in range(0, len(lines), 40)]
        wrong += compare(options.driver, "long texts", reference, longer)
        fuzz = [random_text(chance, words, common) for _ in range(30000)]
        wrong += compare(options.driver, "random texts", reference, fuzz)
        wrong += compare_dictionaries(options.driver, directory, chance, words, common)
    print(f"note: jieba {jieba.__version__}, {len(lines)} lines of documentation: {wrong or 'no'} differences")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
