# SPDX-License-Identifier: GPL-3.0-or-later
#
# lost_thresholds.gp - where recall is lost at each threshold: a panel an arm, the classes of lost.gp as layers of a stack.
# To redraw, in the directory of this file:
#   gnuplot CORPUS-arms.gp lost_thresholds.gp
#   gnuplot -e "format = 'svg'" CORPUS-arms.gp lost_thresholds.gp

figure = 'lost_thresholds'
left_of_plot = 96
load (exists('here') ? here : '').'style.gp'
table = directory.'/lost.tsv'

array unit[arms]
array sure[arms]
do for [i = 1:arms] {
    stats table every ::lost_first[i]::lost_last[i] using (column("threshold")) nooutput prefix 'H'
    stats table every ::lost_first[i]::lost_last[i] using (unit[i] = strcol("scale"), \
        sure[i] = strcol("index") eq 'NA' ? '' : sprintf(tell('%s, sure to %s', '%s，保证 ≤ %s', '%s, sure to 保证 ≤ %s'), strcol("index"), strcol("index_reach")), \
        positives = column("positives"), 0) nooutput
}
few = H_records <= 16
# Many boxes are drawn without lines between them, and no gap shows.
edge(k) = few ? 'border rgb ink' : look[k] eq 'solid' ? sprintf("border rgb '%s'", ink_of[k]) : 'noborder'

# The top of a layer, in per cent: all classes up to it. A class that an arm cannot have is NA, and as good as empty here.
part(name) = strcol(name) eq 'NA' ? 0 : column(name)
array top[7]
count(k) = k == 1 ? part("found") - part("found_by_chance") : k == 2 ? part("found_by_chance") : k == 3 ? part("lost_index") : \
           k == 4 ? part("lost_sketch") : k == 5 ? part("lost_similarity") : part("lost_measure")
reach(k) = positives > 0 ? 100.0 * (sum [j = 1:k] count(j)) / positives : 0
under(k) = k == 1 ? 0 : reach(k - 1)
# An empty layer is left out.
where(k) = count(k) > 0 ? column("threshold") : NaN

found_colour = palette[1]
index_colour = palette[2]
sketch_colour = grey ? '#404040' : '#A63C00'
similarity_colour = '#C8C8C8'
measure_colour = grey ? '#909090' : '#707070'
array ink_of[6] = [found_colour, found_colour, index_colour, sketch_colour, similarity_colour, measure_colour]
array look[6] = ['solid', 'pattern 4', 'solid', 'pattern 1', 'solid', 'pattern 5']
array legend[6] = [say('found', '找到'), say('found by chance', '偶然找到'), say('lost by the index', '索引漏检'), \
    say('lost by the sketch', '指纹误差'), say('lost by the similarity', '相似度不足'), say('lost by the measure', '度量不足')]

# The index under the label of the axis.
below = below + 34
header = 178
plot_height = arms == 1 ? 620 : arms == 2 ? 480 : 330
eval fit_height
eval open_canvas
set multiplot

eval open_sheet
title = titled('where recall is lost at each threshold', '各阈值下召回率损失在何处')
set label 1 title at 24, 36 font fitting(title, headline, width - 48)
set label 2 tell(sprintf('of %.0f positive pairs', positives), sprintf('%.0f 个正例', positives), sprintf('of %.0f positive pairs 正例', positives)) at width - 24, 36 right textcolor rgb quiet
do for [k = 1:6] {
    x = 24 + (k - 1) % 3 * 460
    y = 90 + (k - 1) / 3 * 42
    eval sprintf("set object %d rectangle from x, y - 13 to x + 60, y + 13 fillcolor rgb '%s' fillstyle %s border rgb ink", k, ink_of[k], look[k])
    set label 10 + k legend[k] at x + 74, y
}
plot 0 linecolor rgb '#FFFFFFFF' notitle
eval close_sheet

set yrange [0:100]
set ytics 20 format '%g%%'
set xrange [H_min - 0.5:H_max + 0.5]
if (few) { set xtics 1 }
do for [i = 1:arms] {
    first = lost_first[i]
    last = lost_last[i]
    axis = threshold_axis(unit[i])
    eval place
    set label 3 sure[i] at screen x_at((left + right) / 2), screen y_at(bottom + 98) center font fitting(sure[i], small, panel_width - 20) textcolor rgb quiet
    # A viewer of the SVG shows the titles as tips.
    layers = "plot 0 linecolor rgb '#FFFFFFFF' notitle"
    do for [k = 1:6] {
        layers = layers.sprintf(", table every ::first::last using (where(%d)):(under(%d)):(column('threshold') - 0.5):(column('threshold') + 0.5):(under(%d)):(reach(%d)) \
            with boxxyerror linecolor rgb '%s' fillstyle %s %s title legend[%d] noenhanced", k, k, k, k, ink_of[k], look[k], edge(k), k)
    }
    eval layers
}
unset multiplot
unset output
