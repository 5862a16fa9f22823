# SPDX-License-Identifier: GPL-3.0-or-later
# Average precision, ROC area and the points of the precision-recall curve, computed by scikit-learn from the output of `fplab distances`, against
# summary.tsv and curves.tsv of `fplab eval`.
import csv, subprocess, sys, tempfile, os
import numpy
from sklearn.metrics import average_precision_score, precision_recall_curve, roc_auc_score

fplab, corpora, arms = sys.argv[1], sys.argv[2].split(","), sys.argv[3:]
worst, sets = 0.0, set()
for corpus in corpora:
    with tempfile.TemporaryDirectory() as out:
        command = [fplab, "eval", "--corpus", corpus, "--no-plots", "--format", "tsv", "--out", out]
        for arm in arms: command += ["--arm", arm]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        read = lambda name: list(csv.DictReader(open(os.path.join(out, name), encoding="utf-8"), delimiter="\t", quoting=csv.QUOTE_NONE))
        summary, curves = read("summary.tsv"), read("curves.tsv")
        for arm in arms:
            text = subprocess.run([fplab, "distances", "--corpus", corpus, "--arm", arm], check=True, capture_output=True, text=True).stdout
            rows = [line.split("\t") for line in text.splitlines()[1:]]
            label = numpy.array([int(r[2]) for r in rows]); distance = numpy.array([float(r[4]) for r in rows])
            row = next(r for r in summary if r["arm"] == arm)
            ours, area = float(row["average_precision"]), float(row["roc_area"])
            difference = max(abs(ours - average_precision_score(label, -distance)), abs(area - roc_auc_score(label, -distance)))
            precision, recall, thresholds = precision_recall_curve(label, -distance)
            points = [(float(r["distance"]), float(r["precision"]), float(r["recall"])) for r in curves if r["arm"] == arm]
            theirs = {-t: (p, r) for p, r, t in zip(precision, recall, thresholds)}
            for d, p, r in points:
                difference = max(difference, abs(theirs[d][0] - p), abs(theirs[d][1] - r))
            print(f"{os.path.basename(corpus)} {arm}: average precision {ours:.6f}, ROC area {area:.6f}, largest difference {difference:.2e}")
            worst = max(worst, difference)
            sets.add(corpus)
assert worst < 1e-9, worst
print(f"note: scikit-learn agrees to {worst:.1e} on {len(sets)} sets")
