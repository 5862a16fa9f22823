# SPDX-License-Identifier: GPL-3.0-or-later
#
# prevalence.gp - precision against the share of duplicates among all pairs, a panel per arm of a corpus at the
# threshold of its best F1, with its interval and the other arms in the background; both axes are logarithmic. Lines
# mark the share of the corpus and the given share. To redraw, in the directory of this file:
#   gnuplot CORPUS-arms.gp prevalence.gp
#   gnuplot -e "format = 'svg'" CORPUS-arms.gp prevalence.gp

figure = 'prevalence'
left_of_plot = 112
load (exists('here') ? here : '').'style.gp'
table = directory.'/prevalence.tsv'
most_behind = 24 # arms in the background; more would hide one another

# ---- The curve of every arm ----

stated = NaN
least = 0.1
do for [i = 1:arms] {
    threshold = 'NA'
    there = 'NA' # precision at the given share
    eval sprintf("set print $curve_%d", i)
    print "prevalence\tprecision\tlow\thigh"
    unset print
    stats table every ::prevalence_first[i]::prevalence_last[i] using (column("best") == 1 ? (threshold = strcol("threshold")) : 0, \
        column("best") == 1 && column("stated") == 1 ? (there = strcol("precision")) : 0, \
        column("stated") == 1 ? (stated = column("prevalence")) : 0, 0) nooutput
    eval sprintf("set table $curve_%d append", i)
    plot table every ::prevalence_first[i]::prevalence_last[i] using (column("prevalence")):(column("precision")):(column("precision_low")): \
        (column("precision_high")) with table if (column("best") == 1)
    unset table
    stats sprintf('$curve_%d', i) using (column("precision") > 0 && column("precision") < least ? (least = column("precision")) : 0, 0) nooutput
    note_of[i] = threshold eq 'NA' ? 'NA' : sprintf('h = %.4g', real(threshold)).(there eq 'NA' ? '' : \
        sprintf(tell(': precision %.3g', '：精确率 %.3g', ': precision 精确率 %.3g'), real(there)))
}
stats directory.'/summary.tsv' every ::summary_first[1]::summary_last[1] using (positives = column("positives"), pairs = column("pairs"), 0) nooutput
own = pairs > 0 ? positives / pairs : NaN
low_end = stated == stated && stated < 1e-6 ? stated : 1e-6
high_end = stated == stated && stated > 0.5 ? stated : 0.5
own_shown = own == own && own > low_end && own < high_end
eval lay_headings

# ---- Head ----

interval = sure_of('interval')
title = titled('precision where duplicates are rare', '不同重复比例下的精确率')
and_there = stated == stated ? tell(sprintf(', and its precision at %g', stated), sprintf('，及给定比例 %g 下的精确率', stated), sprintf(', and its precision at %g', stated)) : ''
note = tell('each arm at the threshold h of its best F1'.and_there, '各方案取最佳 F1 的阈值 h'.and_there, 'each arm at the threshold h of its best F1'.and_there.' 各方案取最佳 F1 的阈值')
eval lay_head
x = entry(line_look(first_colour, 3, 1), say('the arm', '本方案'))
x = entry(fill_look(tint(first_colour), 'solid noborder'), interval)
if (arms > 1 && arms <= most_behind) { x = entry(line_look('#B8B8B8', 2, 1), say('the other arms', '其他方案')) }
if (stated == stated) { x = entry(line_look(ink, 2, 1), tell(sprintf('stated: %g', stated), sprintf('给定：%g', stated), sprintf('stated 给定: %g', stated))) }
if (own_shown) { x = entry(line_look(quiet, 2, 3), tell(sprintf('the set: %.3g', own), sprintf('本集：%.3g', own), sprintf('the set 本集: %.3g', own))) }
header = head_height(44)
plot_height = usual_height
axis_of(i) = say('share of duplicates among all '.counted_en, documents ? '重复文档所占比例' : '重复对所占比例')
eval fit_below
eval fit_height
eval open_canvas
set multiplot
eval open_sheet
eval draw_head
plot 0 linecolor rgb '#FFFFFFFF' notitle
eval close_sheet

# ---- Panels ----

begin = least > 1e-9 ? 10.0 ** floor(log10(least) + 1e-9) : 1e-9
shown(v) = v < begin ? begin : v
set xrange [low_end:high_end]
set yrange [begin:1.3]
every_power = panel_width - left_of_plot - right_of_plot < 300 ? 2 : 1
eval powers('x', every_power)
eval powers('y', 1)
do for [i = 1:arms] {
    axis = axis_of(i)
    eval place
    set label 3 say('precision', '精确率') at screen x_at(left - 88), screen y_at((top + bottom) / 2) center rotate
    if (own_shown) { set arrow 1 from own, graph 0 to own, graph 1 nohead linecolor rgb quiet linewidth 2 dashtype 3 back }
    if (stated == stated) { set arrow 2 from stated, graph 0 to stated, graph 1 nohead linecolor rgb ink linewidth 2 back }
    # SVG viewers show titles as tooltips.
    drawn = "plot begin / 10 linecolor rgb '#FFFFFFFF' notitle, "
    do for [j = 1:arms] {
        if (j != i && arms <= most_behind) { drawn = drawn.sprintf("$curve_%d using (column('prevalence')):(column('precision')) with lines linecolor rgb '#B8B8B8' linewidth 1.5 title label[%d] noenhanced, ", j, j) }
    }
    drawn = drawn.sprintf("$curve_%d using (column('prevalence')):(shown(column('low'))):(shown(column('high'))) with filledcurves linecolor rgb tint(first_colour) title of(label[%d], interval) noenhanced, ", i, i)
    drawn = drawn.sprintf("$curve_%d using (column('prevalence')):(column('precision')) with lines linecolor rgb first_colour linewidth 3.5 title label[%d] noenhanced", i, i)
    eval drawn
    unset label
}
unset multiplot
unset output
