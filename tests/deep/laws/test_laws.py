#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
# On real pairs of texts: every sketch that estimates an exact similarity, against its law. For each pair the exact algorithm gives the probability p that a place of the sketch
# differs; over S seeds the sketch's distance must have mean n·p and variance n·p·(1 − p)·f, where f is the law's own variance factor. Seeds are
# independent, pairs are not, so the error of a seed is averaged over the pairs first and the spread between seeds gives its standard error.
import math, os, subprocess, sys
from concurrent.futures import ThreadPoolExecutor
try:
    import numpy
except ImportError:
    print("python3-numpy is not installed"); sys.exit(77)

fplab = os.environ.get("FPLAB", "build/bin/fplab")
corpora = ["tests/data/newswire-zh"] + [d for d in ("../shared/data/en_clough_stevenson", "../shared/data/zh_cross_script_poems",
                                                      "../shared/data/zh_prc_law_revisions") if os.path.isdir(d)]
SEEDS = 16
WORDS, GRAMS = "features=words,weight=tf", "features=chars:3,weight=binary"

# sketch with {seed}, exact arm, places n, exact distance (of 64) -> p, variance factor bounds, tolerance of the mean beyond chance
angle = jaccard = lambda d: d / 64
ROWS = [
    (f"simhash:{WORDS},hashseed={{seed}}", f"cosine:{WORDS}", 64, angle, (0.85, 1.15), 0.012),
    (f"hyperplane:bits=64,{WORDS},seed={{seed}}", f"cosine:{WORDS}", 64, angle, (0.85, 1.15), 0.0),
    (f"bitsample:bits=64,{WORDS},hashseed={{seed}}", f"cosine:{WORDS}", 64, angle, (0.85, 1.15), 0.012),
    (f"minhash:slots=64,{GRAMS},seed={{seed}}", f"jaccard:{GRAMS}", 64, jaccard, (0.85, 1.15), 0.0),
    (f"minhash:slots=64,b=1,{GRAMS},seed={{seed}}", f"jaccard:{GRAMS}", 64, lambda d: jaccard(d) / 2, (0.85, 1.15), 0.0),
    (f"oneperm:slots=64,{GRAMS},seed={{seed}}", f"jaccard:{GRAMS}", 64, jaccard, (0.6, 1.15), 0.0),
    (f"cminhash:slots=64,{GRAMS},seed={{seed}}", f"jaccard:{GRAMS}", 64, jaccard, (0.6, 1.15), 0.0),
    # Ertl's factor for 64 slots grows with the union of the sets, from 0.45 for 5 features over 0.51 for 40 to 0.97 for 2,000.
    (f"superminhash:slots=64,{GRAMS},seed={{seed}}", f"jaccard:{GRAMS}", 64, jaccard, (0.85 * 0.449, 1.15), 0.0),
    (f"probminhash:slots=64,{WORDS},seed={{seed}}", f"jaccard:measure=probability,{WORDS}", 64, jaccard, (0.85, 1.15), 0.0),
    (f"weightedminhash:slots=64,{WORDS},seed={{seed}}", f"jaccard:measure=weighted,{WORDS}", 64, jaccard, (0.85, 1.15), 0.0),
]

def distances(corpus, arm):
    run = subprocess.run([fplab, "distances", "--corpus", corpus, "--arm", arm], capture_output=True, text=True,
                         env=dict(os.environ, OMP_NUM_THREADS="1"))
    if run.returncode: raise SystemExit(f"{arm}: {run.stderr}")
    return numpy.array([float(line.rsplit("\t", 1)[1]) for line in run.stdout.splitlines()[1:]])

bad = 0
pool = ThreadPoolExecutor(2)
print(f"{'corpus':24} {'sketch':48} {'mean error':>10} {'± s.e.':>8} {'variance/law':>12}")
for corpus in corpora:
    for template, exact, places, share, (low, high), tolerance in ROWS:
        p = share(distances(corpus, exact))
        inner = (p > 0.02) & (p < 0.98)          # where the law has a variance to speak of
        runs = numpy.array(list(pool.map(lambda seed: distances(corpus, template.format(seed=seed)), range(1, SEEDS + 1)))) / places
        errors = (runs - p).mean(axis=1)
        mean, standard = errors.mean(), errors.std(ddof=1) / math.sqrt(SEEDS)
        ratio = (runs.var(axis=0, ddof=1)[inner].sum() / (p * (1 - p) / places)[inner].sum())
        fine = abs(mean) <= 4.5 * standard + tolerance and low <= ratio <= high
        bad += not fine
        print(f"{os.path.basename(corpus):24} {template.split(',')[0][:48]:48} {mean:10.5f} {standard:8.5f} {ratio:12.3f}{'' if fine else '  VIOLATION'}")
sys.exit(1 if bad else 0)
