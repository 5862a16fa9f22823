#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Command lines and what they print, from tests/cli/cases/*.cases. A case is a block of lines:

    # why, where it is not plain
    fplab COMMAND …          as for a shell; $newswire and $corpora are directories; the working directory is empty
    | TEXT                   a line of standard input; none: it is empty
    STATUS WORDS             a refusal: one line on standard error that contains WORDS, nothing on standard output
or
    0                        success: the following lines are standard output, to the last byte
    OUTPUT
    ! NOTE                   and standard error, where a case has such lines
"""
import concurrent.futures
import glob
import os
import shlex
import subprocess
import sys
import tempfile

ROOT = os.getcwd()
PROGRAM = os.path.join(ROOT, os.environ.get("FPLAB", "build/bin/fplab"))
PLACES = {"$newswire": ROOT + "/tests/data/newswire-zh", "$corpora": ROOT + "/corpora/data"}
ENVIRONMENT = {**os.environ, "FPLAB_PAGER": ""}


def cases(path):
    """Yields (line number, command, standard input, expected lines) of each block."""
    block, first = [], 0
    for number, line in enumerate(open(path, encoding="utf-8").read().split("\n") + [""], 1):
        if line.startswith("#") and not block:
            continue
        if line:
            first = first if block else number
            block.append(line)
        elif block:
            given = [one[2:] for one in block[1:] if one.startswith("| ")]
            yield first, block[0], "".join(one + "\n" for one in given), block[1 + len(given):]
            block = []


def difference(command, given, expected):
    """What is wrong with a case; None: nothing."""
    for name, place in PLACES.items():
        command = command.replace(name, place)
    words = shlex.split(command)
    if words[0] != "fplab" or not expected:
        return "a case begins with fplab and has an expected status"
    with tempfile.TemporaryDirectory() as empty:
        done = subprocess.run([PROGRAM, *words[1:]], input=given, capture_output=True, encoding="utf-8", cwd=empty,
                              env=ENVIRONMENT, timeout=120)
        left = os.listdir(empty)
    status, _, message = expected[0].partition(" ")
    if done.returncode != int(status):
        return f"status {done.returncode}: {done.stderr.strip()}"
    if int(status) == 0:
        notes = "".join(line[2:] + "\n" for line in expected[1:] if line.startswith("! "))
        wanted = "".join(line + "\n" for line in expected[1:] if not line.startswith("! "))
        return None if done.stdout == wanted and notes in ("", done.stderr) else f"prints\n{done.stdout}{done.stderr}"
    if done.stdout or left or done.stderr.count("\n") != 1 or not done.stderr.endswith("\n"):
        return f"prints, leaves or says more than one line: {done.stdout}{left}{done.stderr}"
    return None if message in done.stderr else f"says {done.stderr.strip()}"


def main():
    files = sys.argv[1:] or sorted(glob.glob("tests/cli/cases/*.cases"))
    found = [(path, *case) for path in files for case in cases(path)]
    bad = 0
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for (path, line, command, *_), wrong in zip(found, pool.map(lambda case: difference(*case[2:]), found)):
            if wrong:
                bad += 1
                print(f"FAIL: {path}:{line}: {command}: {wrong}")
    if len(found) < 100:
        bad += 1
        print(f"FAIL: only {len(found)} cases were found")
    sys.exit(bad > 0)


main()
