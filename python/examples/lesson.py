# SPDX-License-Identifier: GPL-3.0-or-later
"""A notebook cell for a lesson: similar texts have similar fingerprints, different texts do not."""
import fplab

A = '今天下午，临江大桥恢复通车。'
B = '临江大桥今天下午恢复了通车。'
C = '市图书馆本周六延长开放时间。'

# Step by step, with eight bits: the votes of the words for each bit.
print(fplab.explain('simhash:bits=8,features=words', A))

# The same two texts under every arm.
print(fplab.compare(A, B, ['simhash', 'minhash:features=chars:2', 'jaccard:features=chars:2']))

# The expected distance of 64 bits follows from the angle θ: E = 64·θ/π.
arm = fplab.Arm('simhash:features=chars:2')
distances = arm.distances(arm.sketch([A, B, C]))
print(distances)
print('cosine:', arm.similarity(distances[0]))
assert distances[0, 1] < distances[0, 2]
