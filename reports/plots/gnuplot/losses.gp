# SPDX-License-Identifier: GPL-3.0-or-later
#
# losses.gp - names and inks of the ways in which a positive pair is found or lost; loaded by lost.gp and
# lost_thresholds.gp. Dark and solid: found; hatched: decided by chance or by the sketch; pale: no sketch could find it.

losses = 6
array loss_said[losses] = [say('found', '找到'), \
    say('found by luck: the texts differ more', '侥幸找到：实际相差更大'), \
    say('missed by the index: never compared', '索引漏掉：未作比较'), \
    say('missed by the fingerprint: the texts are near enough', '指纹误差：文本其实够近'), \
    say('too different, even measured exactly', '差异过大：精确度量也如此'), \
    say('too different for the fingerprint; nothing exact beside it', '指纹相差过大，无精确度量对照')]
array loss_ink[losses] = [palette[1], palette[1], palette[2], grey ? '#404040' : '#A63C00', '#C8C8C8', grey ? '#909090' : '#707070']
array loss_fill[losses] = ['solid', 'pattern 4', 'solid', 'pattern 1', 'solid', 'pattern 5']
# A class that an arm cannot have is NA and counts as empty.
part(name) = strcol(name) eq 'NA' ? 0 : column(name)
# An index, and the distance up to which it finds every pair.
look_up(name, far) = sprintf(tell('%s: all within %s', '%s：%s 以内不漏', '%s: all within 不漏 %s'), name, far)
