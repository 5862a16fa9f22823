#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Average precision and curves equal scikit-learn's, on the first edition of newswire-zh and on the shared sets where they are.
/usr/bin/python3 -c 'import sklearn, numpy' 2>/dev/null || { echo "python3-sklearn is not installed"; exit 77; }
corpora=tests/data/newswire-zh
[ -d ../shared/data ] && for set in ../shared/data/*/; do corpora=$corpora,${set%/}; done
exec /usr/bin/python3 tests/deep/peers/sklearn_check.py "${FPLAB:-build/bin/fplab}" "$corpora" jaccard cosine
