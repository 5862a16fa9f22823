# SPDX-License-Identifier: GPL-3.0-or-later
#
# words.gp - the language of the pictures, and the terms that several figures share. By hand, with gnuplot -e:
#   lang                                'en', 'zh' or 'both'
#   caption                             replaces the title of the picture; '': no title

if (!exists("arms")) {
    print "what to draw is missing: run the script that has the name of the picture, as in gnuplot CORPUS-thresholds.gp"
    exit status 1
}
if (!exists("here")) here = ''
if (!exists("lang")) lang = 'both'
if (!exists("confidence")) confidence = 0
if (!exists("documents")) documents = 0
if (lang ne 'en' && lang ne 'zh' && lang ne 'both') {
    print "lang is en, zh or both"
    exit status 1
}

# The text in the requested language; for both languages concatenated, or combined by `both`.
say(en, zh) = lang eq 'en' ? en : lang eq 'zh' ? zh : en.' '.zh
tell(en, zh, both) = lang eq 'en' ? en : lang eq 'zh' ? zh : both
# A title, and one that begins with the name of the corpus; `caption` replaces both.
headed(en, zh) = exists("caption") ? caption : say(en, zh)
titled(en, zh) = exists("caption") ? caption : corpus.(lang eq 'zh' ? '：' : ': ').say(en, zh)
# A term with a description: "precision: 95% interval".
of(what, part) = what.(lang eq 'zh' ? '：' : ': ').part
# An interval is pointwise: it covers a single value. A simultaneous band covers all values of a picture at once.
surely(en, zh) = confidence > 0 ? tell(sprintf('%g%% %s', 100 * confidence, en), sprintf('%g%% %s', 100 * confidence, zh), \
    sprintf('%g%% %s %s', 100 * confidence, en, zh)) : say(en, zh)
sure_of(what) = surely('pointwise '.what, '逐点置信区间')
sure_of_all = surely('simultaneous band', '同时置信带')
# Translates "bits of 64", "slots of 64", "levels of 60" of the tables; other scales are unchanged.
counter(name) = name eq 'bits' ? '位' : name eq 'slots' ? '槽' : name eq 'levels' ? '级' : ''
unit_of(scale) = lang eq 'zh' && words(scale) == 3 && word(scale, 2) eq 'of' && counter(word(scale, 1)) ne '' \
    ? word(scale, 3).' '.counter(word(scale, 1)) : scale
with_unit(en, zh, scale) = tell(en.' ('.scale.')', zh.'（'.unit_of(scale).'）', en.' '.zh.' ('.scale.')')
threshold_axis(scale) = tell('threshold h ('.scale.')', '阈值 h（'.unit_of(scale).'）', 'threshold h 阈值 ('.scale.')')
distance_axis(scale) = with_unit('distance', '距离', scale)
exact_axis(measure) = tell('exact '.measure, '真实相似度（'.measure.'）', 'exact '.measure.' 真实相似度')
best_said(h) = sprintf(tell('best F1 at h = %.4g', '最佳 F1：h = %.4g', 'best F1 最佳: h = %.4g'), h)
# The counted units: pairs of texts, or documents.
counted_en = documents ? 'documents' : 'pairs'
counted_zh = documents ? '文档' : '文本对'
positives_of(positives, all) = tell(sprintf('%.0f positive of %.0f %s', positives, all, counted_en), \
    documents ? sprintf('%.0f 篇文档中 %.0f 个正例', all, positives) : sprintf('%.0f 对中 %.0f 个正例', all, positives), \
    sprintf('%.0f positive of %.0f %s 正例/%s', positives, all, counted_en, counted_zh))
