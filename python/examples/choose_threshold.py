# SPDX-License-Identifier: GPL-3.0-or-later
"""Chooses an arm and a threshold, and finds the duplicate pairs of a DataFrame.

    choose_threshold.py [PAIRS.csv]      columns text_a, text_b, label
"""
import sys

import pandas

import fplab

if len(sys.argv) > 1:
    frame = pandas.read_csv(sys.argv[1])
else:
    corpus = fplab.read_corpus('corpora/data/newswire-zh')
    texts, pairs = corpus.texts, corpus.pairs
    frame = pandas.DataFrame({'text_a': [texts[i] for i in pairs['a']],
                              'text_b': [texts[i] for i in pairs['b']],
                              'label': pairs['label']})

# A small grid, measured on held-out groups of texts.
labelled = fplab.Corpus.from_pairs(frame)
tuned = fplab.tune(labelled, ['simhash:features=words|chars:3', 'minhash'], replicates=200)
print(tuned.advice)

# Apply the rule to the same columns; any other frame works the same way.
arm = tuned.arm
arm.fit(pandas.concat([frame['text_a'], frame['text_b']]).unique())
count = len(frame)
sketches = arm.sketch([*frame['text_a'], *frame['text_b']])
frame['distance'] = arm.pair_distances(sketches, range(count), range(count, 2 * count))
frame['duplicate'] = frame['distance'] <= tuned.threshold
print(frame.groupby('label')['duplicate'].mean())
