#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs the examples of a page in order, in the current directory, and compares what each prints with the block of text below it:
planning_page.py PAGE. With --renew the page is written again with what they print."""
import re
import subprocess
import sys

renew = "--renew" in sys.argv
path = sys.argv[-1]
page = open(path, encoding="utf-8").read()
bad = examples = 0


def run(match):
    global bad, examples
    command, told = match.group(1), match.group(2)
    done = subprocess.run(["bash", "-eu", "-o", "pipefail", "-c", command], capture_output=True, text=True)
    examples += 1
    if done.returncode or done.stderr:
        bad += 1
        print(f"FAIL: {command.strip()}: status {done.returncode}: {done.stderr.strip()}")
    elif done.stdout != told and not renew:
        bad += 1
        print(f"FAIL: {command.strip()} prints\n{done.stdout}and the page says\n{told}")
    return f"```sh\n{command}```\n\n```text\n{done.stdout}```\n"


made = re.sub(r"```sh\n(.*?)```\n\n```text\n(.*?)```\n", run, page, flags=re.S)
if page.count("```sh\n") != examples or examples < 1:
    bad += 1
    print(f"FAIL: {examples} examples with their output, of {page.count('```sh')}")
if renew and not bad:
    open(path, "w", encoding="utf-8").write(made)
sys.exit(bad > 0)
