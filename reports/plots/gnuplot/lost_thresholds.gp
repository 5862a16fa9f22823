# SPDX-License-Identifier: GPL-3.0-or-later
#
# lost_thresholds.gp - where recall is lost at each threshold: a panel per arm, with the classes of lost.gp as stacked
# layers. To redraw, in the directory of this file:
#   gnuplot CORPUS-arms.gp lost_thresholds.gp
#   gnuplot -e "format = 'svg'" CORPUS-arms.gp lost_thresholds.gp

figure = 'lost_thresholds'
left_of_plot = 96
load (exists('here') ? here : '').'style.gp'
load (exists('here') ? here : '').'losses.gp'
table = directory.'/lost.tsv'

array unit[arms]
do for [i = 1:arms] {
    stats table every ::lost_first[i]::lost_last[i] using (column("threshold")) nooutput prefix 'H'
    stats table every ::lost_first[i]::lost_last[i] using (unit[i] = strcol("scale"), \
        note_of[i] = strcol("index") eq 'NA' ? '' : wrap(look_up(strcol("index"), strcol("index_reach")), small, heading_width), \
        positives = column("positives"), 0) nooutput
}
few = H_records <= 16
# Many boxes are drawn without lines between them, so that no gap is visible.
edge(k) = few ? 'border rgb ink' : loss_fill[k] eq 'solid' ? sprintf("border rgb '%s'", loss_ink[k]) : 'noborder'

# The top of a layer, in per cent: the sum of the classes up to it.
count(k) = k == 1 ? part("found") - part("found_by_chance") : k == 2 ? part("found_by_chance") : k == 3 ? part("lost_index") : \
           k == 4 ? part("lost_sketch") : k == 5 ? part("lost_similarity") : part("lost_measure")
reach(k) = positives > 0 ? 100.0 * (sum [j = 1:k] count(j)) / positives : 0
under(k) = k == 1 ? 0 : reach(k - 1)
# An empty layer is left out.
where(k) = count(k) > 0 ? column("threshold") : NaN

array used[losses]
do for [k = 1:losses] { used[k] = 0 }
do for [i = 1:arms] {
    do for [k = 1:losses] { stats table every ::lost_first[i]::lost_last[i] using (used[k] = used[k] + count(k), 0) nooutput }
}
eval lay_headings
title = titled('where recall is lost at each threshold', '各阈值下召回率损失在何处')
note = tell(sprintf('of %.0f positive pairs', positives), sprintf('%.0f 个正例', positives), sprintf('of %.0f positive pairs 正例', positives))
eval lay_head
do for [k = 1:losses] { if (used[k] > 0) { x = entry(fill_look(loss_ink[k], loss_fill[k].' border rgb ink'), loss_said[k]) } }
header = head_height(44)
plot_height = usual_height
axis_of(i) = threshold_axis(unit[i])
eval fit_below
eval fit_height
eval open_canvas
set multiplot
eval open_sheet
eval draw_head
plot 0 linecolor rgb '#FFFFFFFF' notitle
eval close_sheet

set yrange [0:100]
set ytics 20 format '%g%%'
if (few) { set xtics 1 }
do for [i = 1:arms] {
    first = lost_first[i]
    last = lost_last[i]
    axis = axis_of(i)
    eval place
    set xrange [H_min - 0.5:within_scale(unit[i], H_max) + 0.5]
    # SVG viewers show titles as tooltips.
    layers = "plot 0 linecolor rgb '#FFFFFFFF' notitle"
    do for [k = 1:6] {
        layers = layers.sprintf(", table every ::first::last using (where(%d)):(under(%d)):(column('threshold') - 0.5):(column('threshold') + 0.5):(under(%d)):(reach(%d)) \
            with boxxyerror linecolor rgb '%s' fillstyle %s %s title loss_said[%d] noenhanced", k, k, k, k, loss_ink[k], loss_fill[k], edge(k), k)
    }
    eval layers
}
unset multiplot
unset output
