# SPDX-License-Identifier: GPL-3.0-or-later
#
# calibration.gp - the probability that a pair at a distance is a duplicate, decreasing with the distance, and its
# interval; a panel per arm. Limits that increase (bootstrap limits may) are widened until they decrease. To redraw, in
# this directory:
#   gnuplot CORPUS-arms.gp calibration.gp
#   gnuplot -e "format = 'svg'" CORPUS-arms.gp calibration.gp

figure = 'calibration'
left_of_plot = 110
load (exists('here') ? here : '').'style.gp'

table = directory.'/calibration.tsv'
share = NaN
array scale_of[arms]
array farthest[arms]
do for [i = 1:arms] {
    scale_of[i] = ''
    if (calibration_last[i] < calibration_first[i]) { continue }
    stats table every ::calibration_first[i]::calibration_first[i] using (share = column("prevalence"), scale_of[i] = strcol("scale"), 0) nooutput
    stats table every ::calibration_first[i]::calibration_last[i] using (column("distance")) nooutput prefix 'D'
    farthest[i] = D_max > 0 ? D_max : 1
    rows = calibration_last[i] - calibration_first[i] + 1
    array at[rows]
    array low[rows]
    array high[rows]
    stats table every ::calibration_first[i]::calibration_last[i] using (at[int($0) + 1] = column("distance"), \
        low[int($0) + 1] = column("probability_low"), high[int($0) + 1] = column("probability_high"), 0) nooutput
    do for [k = rows - 1:1:-1] { if (high[k + 1] > high[k]) { high[k] = high[k + 1] } }
    do for [k = 2:rows] { if (low[k - 1] < low[k]) { low[k] = low[k - 1] } }
    eval sprintf("set print $band_%d", i)
    print "distance\tlow\thigh"
    do for [k = 1:rows] {
        print sprintf("%.12g\t%.12g\t%.12g", at[k], low[k], high[k])
        if (k < rows) { print sprintf("%.12g\t%.12g\t%.12g", at[k + 1], low[k], high[k]) }
    }
    unset print
}
probability = say('probability of a duplicate', '重复概率')
interval = surely('pointwise interval, made monotone', '逐点置信区间（取单调包络）')

array end[arms]
array unit[arms]
do for [i = 1:arms] { unit[i] = scale_of[i]; end[i] = scale_of[i] eq '' ? 1 : within_scale(unit[i], farthest[i]) }
eval equal_ends

title = titled('the probability of a duplicate at a distance', '各距离上的重复概率')
note = tell(sprintf('share of duplicates: %.3g', share), sprintf('重复比例：%.3g', share), sprintf('share of duplicates 重复比例: %.3g', share))
eval lay_head
x = entry(line_look(first_colour, 3, 1), probability)
x = entry(fill_look(tint(first_colour), 'solid noborder'), interval)
header = head_height(44)
plot_height = usual_height
axis_of(i) = distance_axis(scale_of[i])
eval fit_below
eval fit_height
eval open_canvas
set multiplot
eval open_sheet
eval draw_head
plot 0 linecolor rgb '#FFFFFFFF' notitle
eval close_sheet

set yrange [-0.03:1.05]
set ytics 0.2 format '%.1f'
set xtics auto format '%g'
do for [i = 1:arms] {
    axis = axis_of(i)
    eval place
    if (calibration_last[i] < calibration_first[i]) { plot 0 linecolor rgb '#FFFFFFFF' notitle; continue }
    set label 3 say('probability', '概率') at screen x_at(left - 84), screen y_at((top + bottom) / 2) center rotate
    set xrange [-0.02 * end[i]:1.02 * end[i]]
    step = marks_of(end[i])
    set xtics step
    # SVG viewers show titles as tooltips.
    plot sprintf('$band_%d', i) using (column("distance")):(column("low")):(column("high")) \
            with filledcurves linecolor rgb tint(first_colour) title interval noenhanced, \
         table every ::calibration_first[i]::calibration_last[i] using (column("distance")):(column("probability")) \
            with steps linecolor rgb first_colour linewidth 3 title probability noenhanced
}
unset multiplot
unset output
