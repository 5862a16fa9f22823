#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Ends `fplab eval --out` at random moments, over a run of another corpus, and looks at what is left.

run_moments.py FPLAB CORPUS DIRECTORY MOMENTS [MODE]   MODE: exchange (default), move (the program runs in the directory,
                                                       which forbids to exchange it); calls, calls-move: instead at
                                                       every call of the system that changes a directory or carries a
                                                       file to the disk

The law: whenever the program is ended, the directory holds the old run whole or the new one whole; where files are moved one
by one it may hold neither, but then run.json does not fit them. Prints how often each was seen; exit status 1 when the law
does not hold."""
import hashlib
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time

program, corpus, directory, moments = sys.argv[1:4] + [int(sys.argv[4])]
mode = sys.argv[5] if len(sys.argv) > 5 else "exchange"
out = os.path.join(os.path.realpath(directory), "out")
here = out if mode.endswith("move") else None
draws = random.Random(20240229)


def command(which):
    # Two runs that write other files: other corpora, other tables, other figures.
    extra = (["-a", "simhash", "--by", "length", "--figure", "lengths"] if which == "a" else ["-a", "minhash", "-a", "simhash", "--figure", "roc"]) + [
        "--figure", "thresholds"]
    return [program, "eval", "-c", os.path.join(os.path.realpath(directory), which), "--out", out, "--plot-format", "svg"] + extra


def digest(path):
    with open(path, "rb") as stream:
        content = stream.read()
    return len(content), hashlib.sha256(content).hexdigest()


def files(top):
    found = {}
    for folder, _, names in os.walk(top):
        for name in names:
            found[os.path.relpath(os.path.join(folder, name), top)] = os.path.join(folder, name)
    return found


def state():
    """"a" or "b" for that run, whole; "mixture" when run.json says that it is none."""
    there = files(out)
    try:
        run = json.load(open(os.path.join(out, "run.json")))
    except (OSError, ValueError):
        return "mixture"
    named = {entry["name"]: (entry["size"], entry["sha256"]) for entry in run["files"]}
    for name, sum_ in named.items():
        if name not in there or digest(there[name]) != sum_:
            return "mixture"
    rest = {name for name in there if not name.startswith(".fplab-")} - set(named) - {"run.json"}
    if rest:
        sys.exit("a whole run, and files of another: %s" % sorted(rest))
    return os.path.basename(run["corpora"][0]["path"])


def leftovers():
    return [name for name in os.listdir(directory) + os.listdir(out) if ".fplab-" in name] + [
        name for name in files(out) if ".part" in name]


for which in "ab":
    shutil.copytree(corpus, os.path.join(directory, which))
begin = time.monotonic()
subprocess.run(command("a"), check=True, stdout=subprocess.DEVNULL)
duration = time.monotonic() - begin
seen = {"old": 0, "new": 0, "mixture": 0}


def recover(where, before):
    """A run that fails writes nothing, but completes a move that the one before it began."""
    failed = [program, "eval", "-c", os.path.join(out, "nowhere"), "--out", out]
    if subprocess.run(failed, cwd=here, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode != 1:
        sys.exit("%s: no corpus, and no failure" % where)
    after = state()
    if after == "mixture" or (after != before and not mode.endswith("move")):
        sys.exit("%s: %s before, %s after the next run has looked at it" % (where, before, after))
    return after


current = "a"


def end_at_call(which, name, number):
    """Whether the program was ended there: there is such a call."""
    trace = ["strace", "-qq", "-o", "/dev/null", "-e", "trace=" + name, "-e", "inject=%s:signal=KILL:when=%d" % (name, number)]
    return subprocess.run(trace + command(which) + ["--no-plots"], cwd=here, stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL).returncode != 0


CALLS = ["mkdir", "fsync", "rename", "linkat", "renameat2", "unlink", "unlinkat", "rmdir"]
for name in CALLS if mode.startswith("calls") else []:
    number = 1
    while end_at_call("b" if current == "a" else "a", name, number):
        found = state()
        if found == "mixture" and mode != "calls-move":
            sys.exit("%s %d: neither run is whole" % (name, number))
        seen["mixture" if found == "mixture" else "old" if found == current else "new"] += 1
        current = recover("%s %d" % (name, number), found)
        number += 1
        moments += 1
    current = "b" if current == "a" else "a"
for moment in range(0 if mode.startswith("calls") else moments):
    following = "b" if current == "a" else "a"
    child = subprocess.Popen(command(following), cwd=here, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    # Half of them at the end, where the files are put in place.
    time.sleep(duration * (draws.uniform(0.8, 1.2) if moment % 2 else draws.uniform(0, 1)))
    child.send_signal(signal.SIGKILL)
    child.wait()
    found = state()
    if found == "mixture":
        if mode != "move":
            sys.exit("moment %d: neither run is whole" % moment)
        if subprocess.run([program, "rerun", out], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode != 1:
            sys.exit("moment %d: a mixture is read" % moment)
        seen["mixture"] += 1
    else:
        seen["old" if found == current else "new"] += 1
    current = recover("moment %d" % moment, found)
    time.sleep(0.02)  # gnuplot's last writes
subprocess.run(command("a"), check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
if state() != "a" or leftovers():
    sys.exit("the last run is not whole, or leaves something: %s" % leftovers())
print("%d moments, %.2f s a run: old %d, new %d, mixture %d" % (moments, duration, seen["old"], seen["new"], seen["mixture"]))
