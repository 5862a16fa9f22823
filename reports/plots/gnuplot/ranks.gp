# SPDX-License-Identifier: GPL-3.0-or-later
#
# ranks.gp - average ranks of arms over corpora, with bars over arms that do not differ significantly (the
# critical-difference diagram of Demšar, JMLR 7, 2006). The better half is on the left. Load STEM-order.gp first: it
# names the arms in the order of ranks.tsv, best first. To redraw, in this directory:
#   gnuplot STEM-order.gp ranks.gp
#   gnuplot -e "format = 'svg'" STEM-order.gp ranks.gp

figure = 'ranks'
across = 1
load (exists('here') ? here : '').'style.gp'
table = directory.'/ranks.tsv'

array rank[arms]
array value[arms]
do for [i = 1:arms] {
    stats table every ::(i - 1)::(i - 1) \
        using (rank[i] = column("mean_rank"), value[i] = column("average_precision"), corpora = column("corpora"), \
               difference = column("critical_difference"), p_friedman = column("friedman_p"), \
               p = column("iman_davenport_p"), 0) nooutput
}

# ---- Bars: the longest runs of arms whose ranks differ by less than the critical difference ----

array bar_first[arms]
array bar_last[arms]
bars = 0
reached = 1
do for [i = 1:arms] {
    last = i
    do for [j = i:arms] { if (rank[j] - rank[i] < difference) { last = j } }
    if (last > i && last > reached) {
        bars = bars + 1
        bar_first[bars] = i
        bar_last[bars] = last
        reached = last
    }
}

# ---- Places, in pixels ----

axis_left = narrow ? 0.36 * width : 470.0
heading_width = axis_left - 60
eval lay_headings
axis_right = width - axis_left
x_of(r) = axis_left + (r - 1) * (axis_right - axis_left) / (arms - 1)
half = (arms + 1) / 2
title = headed(sprintf('Average precision on %d corpora: mean ranks', corpora), sprintf('在 %d 个语料上的平均名次', corpora))
p_text(p) = p < 0.0001 ? '< 0.0001' : sprintf('= %.4f', p)
note = sprintf(tell('Friedman p %s, Iman–Davenport p %s%s', 'Friedman 检验 p %s，Iman–Davenport 检验 p %s%s', 'Friedman p %s, Iman–Davenport p %s%s'), \
    p_text(p_friedman), p_text(p), p < 0.05 ? '' : tell(': no difference shown', '：未显示差异', ': no difference shown 未显示差异')). \
    "\n".say('rank 1 is best; bars join arms that are not significantly different', '名次 1 最好，横条连接差异不显著的方案')
eval lay_head
if (note_beside) { note_beside = 0; note_y = head_end + 22; head_end = head_end + 2 * line + 8 }
header = head_height(40)
axis_y = header + 106
bar_step = 18
first_row = axis_y + 36 + bar_step * bars
gap = 16
array y_of[arms]
left_end = first_row
do for [i = 1:half] {
    y_of[i] = left_end + line / 2.0
    left_end = left_end + line * (lines_of[i] + 1) + gap
}
right_end = first_row
do for [k = half + 1:arms] {
    i = arms + half + 1 - k
    y_of[i] = right_end + line / 2.0
    right_end = right_end + line * (lines_of[i] + 1) + gap
}
height = int((left_end > right_end ? left_end : right_end) + 16)

# ---- Picture ----

dot_size = dot(1.5)
eval open_canvas
eval open_sheet
eval draw_head

# The critical difference, to the scale of the axis and at most as long as the axis.
shown = difference < arms - 1 ? difference : arms - 1.0
set arrow 1 from x_of(1), axis_y - 80 to x_of(1 + shown), axis_y - 80 nohead linewidth 3 linecolor rgb ink
set arrow 2 from x_of(1), axis_y - 88 to x_of(1), axis_y - 72 nohead linewidth 3 linecolor rgb ink
if (difference <= arms - 1) { set arrow 3 from x_of(1 + shown), axis_y - 88 to x_of(1 + shown), axis_y - 72 nohead linewidth 3 linecolor rgb ink }
reach = difference > arms - 1 ? tell(', longer than the axis', '，超出坐标轴', ', longer than the axis 超出坐标轴') : ''
difference_text = sprintf('%s %.2f%s', say('critical difference', '临界差'), difference, reach)
difference_left = x_of(1) + ems(difference_text) * text < width - 24 ? x_of(1) : width - 24 - ems(difference_text) * text
set label 4 difference_text at (difference_left > 24 ? difference_left : 24), axis_y - 106

set arrow 4 from axis_left, axis_y to axis_right, axis_y nohead linewidth 2 linecolor rgb ink
label_every = int(ceil(34 / ((axis_right - axis_left) / (arms - 1))))
do for [r = 1:arms] {
    set arrow 10 + r from x_of(r), axis_y to x_of(r), axis_y - 12 nohead linewidth 2 linecolor rgb ink
    if ((r - 1) % label_every == 0) { set label 10 + r sprintf('%d', r) at x_of(r), axis_y - 30 center }
}
tag = 10 + arms
do for [i = 1:arms] {
    tag = tag + 3
    side = i <= half ? axis_left - 24 : axis_right + 24
    set arrow tag from x_of(rank[i]), axis_y to x_of(rank[i]), y_of[i] nohead linewidth 1.6 linecolor rgb quiet
    set arrow tag + 1 from x_of(rank[i]), y_of[i] to side, y_of[i] nohead linewidth 1.6 linecolor rgb quiet
    set label tag '' at x_of(rank[i]), axis_y point pointtype 7 pointsize dot_size linecolor rgb ink
    figures = sprintf('%.2f, AP %.3f', rank[i], value[i])
    if (i <= half) {
        set label tag + 1 heading[i] at side - 12, y_of[i] right
        set label tag + 2 figures at side - 12, y_of[i] + line * lines_of[i] right textcolor rgb quiet
    } else {
        set label tag + 1 heading[i] at side + 12, y_of[i]
        set label tag + 2 figures at side + 12, y_of[i] + line * lines_of[i] textcolor rgb quiet
    }
}
do for [b = 1:bars] {
    tag = tag + 3
    y = axis_y + 6 + bar_step * b
    set arrow tag from x_of(rank[bar_first[b]]) - 6, y to x_of(rank[bar_last[b]]) + 6, y nohead linewidth 8 linecolor rgb palette[1]
}
plot 0 linecolor rgb '#FFFFFFFF' notitle
unset output
