# SPDX-License-Identifier: GPL-3.0-or-later
#
# lost.gp - where recall is lost: a bar an arm, at the threshold of its best F1 or of the choice that it came with, cut into
# the positive pairs that are found and those that index, sketch or similarity lose. To redraw, in the directory of this file:
#   gnuplot CORPUS-arms.gp lost.gp
#   gnuplot -e "format = 'svg'" CORPUS-arms.gp lost.gp

figure = 'lost'
across = 1
heading_width = 460
load (exists('here') ? here : '').'style.gp'
table = directory.'/lost-best.tsv'

# ---- What the table says ----

# A class that an arm cannot have is NA, and as good as empty here.
part(name) = strcol(name) eq 'NA' ? 0 : column(name)
array found[arms]
array luck[arms]
array by_index[arms]
array by_sketch[arms]
array by_similarity[arms]
array by_measure[arms]
array low[arms]
array high[arms]
array threshold[arms]
array look_up[arms]
do for [i = 1:arms] {
    row = lost_best_first[i]
    low[i] = NaN
    stats table every ::row::row \
        using (positives = column("positives"), found[i] = part("found"), luck[i] = part("found_by_chance"), by_index[i] = part("lost_index"), \
               by_sketch[i] = part("lost_sketch"), by_similarity[i] = part("lost_similarity"), by_measure[i] = part("lost_measure"), \
               low[i] = part("found_low"), high[i] = part("found_high"), \
               threshold[i] = sprintf(tell('h = %.4g (%s)', 'h = %.4g（%s）', 'h = %.4g (%s)'), column("threshold"), unit_of(strcol("scale"))), \
               look_up[i] = strcol("index") eq 'NA' ? '' : sprintf(tell('%s, sure to %s', '%s，保证 ≤ %s', '%s, sure to 保证 ≤ %s'), strcol("index"), strcol("index_reach")), \
               threshold[i] = threshold[i].(look_up[i] eq '' ? '' : sprintf(tell(': %.1f candidates', '：%.1f 个候选', ': %.1f candidates 候选'), column("candidates"))), 0) nooutput
}

# ---- Places, in pixels ----

bar_left = 510.0
bar_right = width - 40
bar_height = 64
gap = 30
header = 212
x_of(share) = bar_left + share * (bar_right - bar_left)
share(count) = positives > 0 ? count / positives : 0
array middle[arms]
bottom = header
do for [i = 1:arms] {
    lines = lines_of[i] + 1 + (strlen(look_up[i]) > 0)
    rows = lines * line > bar_height + 16 ? lines * line : bar_height + 16
    middle[i] = bottom + rows / 2.0
    bottom = bottom + rows + gap
}
height = int(bottom + 84)

# ---- Ink: dark and full for what is found, hatched for what luck or the sketch decides, pale for what no sketch can find ----

found_colour = palette[1]
index_colour = palette[2]
sketch_colour = grey ? '#404040' : '#A63C00'
similarity_colour = '#C8C8C8'
measure_colour = grey ? '#909090' : '#707070'
solid = 3
FOUND = "fillcolor rgb found_colour fillstyle solid border rgb ink"
LUCK = "fillcolor rgb found_colour fillstyle pattern 4 border rgb ink"
INDEX = "fillcolor rgb index_colour fillstyle solid border rgb ink"
SKETCH = "fillcolor rgb sketch_colour fillstyle pattern 1 border rgb ink"
SIMILARITY = "fillcolor rgb similarity_colour fillstyle solid border rgb ink"
MEASURE = "fillcolor rgb measure_colour fillstyle pattern 5 border rgb ink"

# ---- The picture ----

tag = 1
box(x0, y0, x1, y1, fill) = sprintf("set object %d rectangle from %f, %f to %f, %f %s", tag, x0, y0, x1, y1, fill)
# A share is written where it fits; on hatching it stands on a white ground.
fits = 62
figure_of(count) = sprintf('%.0f%%', 100 * share(count))
eval open_canvas
eval open_sheet
set style textbox opaque noborder fillcolor rgb '#ffffff' margins 0.4, 0.2
title = titled('where recall is lost', '召回率损失在何处')
set label 1 title at 24, 36 font fitting(title, headline, width - 48)
note = tell(sprintf('of %.0f positive pairs, each arm at its best threshold', positives), sprintf('%.0f 个正例，各方案取最佳阈值', positives), \
    sprintf('of %.0f positive pairs, each arm at its best threshold 正例, 各方案取最佳阈值', positives))
set label 2 note at 24, 84 font fitting(note, text, width - 48) textcolor rgb quiet
set label 3 tell('sure to: the index brings every pair within that distance; candidates of a query: mean, itself apart', \
    '保证：该距离以内的文本对，索引必能查到；候选数：每次查询的平均，不计自身', \
    'sure to: the index brings every pair within that distance 保证查到的距离; candidates of a query: mean 每次查询的平均候选数') at 24, height - 24 font face(small) textcolor rgb quiet

# Legend: three across.
array legend[6] = [say('found', '找到'), say('found by chance', '偶然找到'), say('lost by the index', '索引漏检'), \
    say('lost by the sketch', '指纹误差'), say('lost by the similarity', '相似度不足'), say('lost by the measure', '度量不足')]
array fill[6] = [FOUND, LUCK, INDEX, SKETCH, SIMILARITY, MEASURE]
array column_at[4] = [24, 400, 866, 1264]
do for [k = 1:6] {
    x = column_at[(k - 1) % 3 + 1]
    y = 130 + (k - 1) / 3 * 40
    eval box(x, y - 13, x + 60, y + 13, fill[k])
    tag = tag + 1
    set label 10 + k legend[k] at x + 74, y
}
set arrow 1 from column_at[4], 170 to column_at[4] + 60, 170 heads size screen 0.005, 90 linewidth 3 linecolor rgb ink
sure = tell(surely('interval', '').' of all found', '全部找到者的'.surely('', '置信区间'), \
    (confidence > 0 ? sprintf('%g%% ', 100 * confidence) : '').'interval of all found')
set label 17 sure at column_at[4] + 74, 170 font fitting(sure, small, width - column_at[4] - 98)

# The axis.
axis_y = bottom + 4
do for [k = 0:5] {
    eval box(x_of(k / 5.0), header - 8, x_of(k / 5.0) + 1.2, axis_y, "fillcolor rgb pale fillstyle solid noborder")
    tag = tag + 1
    set label 20 + k sprintf('%d%%', 20 * k) at x_of(k / 5.0), axis_y + 20 center
}

count(k, i) = k == 1 ? found[i] - luck[i] : k == 2 ? luck[i] : k == 3 ? by_index[i] : k == 4 ? by_sketch[i] : k == 5 ? by_similarity[i] : by_measure[i]
mark = 30
do for [i = 1:arms] {
    lines = lines_of[i] + 1 + (strlen(look_up[i]) > 0)
    y = middle[i] - (lines - 1) * line / 2.0
    set label mark heading[i] at 24, y
    set label mark + 1 threshold[i] at 24, y + line * lines_of[i] font fitting(threshold[i], small, heading_width) textcolor rgb quiet
    set label mark + 2 look_up[i] at 24, y + line * (lines_of[i] + 1) font fitting(look_up[i], small, heading_width) textcolor rgb quiet
    mark = mark + 3
    before = 0
    do for [k = 1:6] {
        x0 = x_of(share(before))
        before = before + count(k, i)
        x1 = x_of(share(before))
        if (x1 <= x0) { continue }
        eval box(x0, middle[i] - bar_height / 2, x1, middle[i] + bar_height / 2, fill[k])
        tag = tag + 1
        if (x1 - x0 < fits) { continue }
        hatched = k == 2 || k == 4 || k == 6
        set label mark figure_of(count(k, i)) at (x0 + x1) / 2, middle[i] center front textcolor rgb (k == 1 ? '#FFFFFF' : ink)
        if (hatched) { set label mark boxed }
        mark = mark + 1
    }
    if (positives == 0) { set label mark say('no positive pairs', '无正例') at bar_left + 16, middle[i] textcolor rgb quiet; mark = mark + 1 }
    if (low[i] == low[i] && positives > 0) {
        set arrow 100 + i from x_of(low[i]), middle[i] + bar_height / 2 + 9 to x_of(high[i]), middle[i] + bar_height / 2 + 9 \
            heads size screen 0.004, 90 linewidth 3 linecolor rgb ink
    }
}
plot 0 linecolor rgb '#FFFFFFFF' notitle
unset output
