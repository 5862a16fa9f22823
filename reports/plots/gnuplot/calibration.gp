# SPDX-License-Identifier: GPL-3.0-or-later
#
# calibration.gp - the probability that a pair at a distance is a duplicate, falling with the distance, and its interval at the
# distances of the table; one panel an arm. To redraw, in the directory of this file:
#   gnuplot CORPUS-arms.gp calibration.gp
#   gnuplot -e "format = 'svg'" CORPUS-arms.gp calibration.gp

figure = 'calibration'
left_of_plot = 110
load (exists('here') ? here : '').'style.gp'

table = directory.'/calibration.tsv'
share = NaN
array scale_of[arms]
array nearest[arms]
array farthest[arms]
do for [i = 1:arms] {
    scale_of[i] = ''
    if (calibration_last[i] < calibration_first[i]) { continue }
    stats table every ::calibration_first[i]::calibration_first[i] using (share = column("prevalence"), scale_of[i] = strcol("scale"), 0) nooutput
    stats table every ::calibration_first[i]::calibration_last[i] using (column("distance")) nooutput prefix 'D'
    nearest[i] = D_min
    farthest[i] = D_max > D_min ? D_max : D_min + 1
}
probability = say('probability of a duplicate', '重复概率')
interval = sure_of('interval')

header = 124
plot_height = arms == 1 ? 620 : arms == 2 ? 480 : 330
above(row) = 20 + line * lines_in[row]
eval fit_height
eval open_canvas
set multiplot

eval open_sheet
y = 90
title = titled('the probability of a duplicate at a distance', '各距离上的重复概率')
set label 1 title at 24, 36 font fitting(title, headline, width - 520)
set label 2 tell(sprintf('share of duplicates: %.3g', share), sprintf('重复比例：%.3g', share), sprintf('share of duplicates 重复比例: %.3g', share)) \
    at width - 24, 36 right textcolor rgb quiet
set arrow 1 from 24, y to 104, y nohead linecolor rgb first_colour linewidth 3
set label 3 probability at 118, y font fitting(probability, text, 440)
set object 1 rectangle from 600, y - 16 to 680, y + 16 fillstyle solid noborder fillcolor rgb tint(first_colour)
set label 4 interval at 694, y font fitting(interval, text, 440)
plot 0 linecolor rgb '#FFFFFFFF' notitle
eval close_sheet

set yrange [-0.03:1.05]
set ytics 0.2 format '%.1f'
set xtics auto format '%g'
do for [i = 1:arms] {
    axis = distance_axis(scale_of[i])
    eval place
    if (calibration_last[i] < calibration_first[i]) { plot 0 linecolor rgb '#FFFFFFFF' notitle; continue }
    set label 3 say('probability', '概率') at screen x_at(left - 84), screen y_at((top + bottom) / 2) center rotate
    margin = 0.02 * (farthest[i] - nearest[i])
    set xrange [nearest[i] - margin:farthest[i] + margin]
    # A viewer of the SVG shows the titles as tips.
    plot table every ::calibration_first[i]::calibration_last[i] using (column("distance")):(column("probability_low")):(column("probability_high")) \
            with filledcurves linecolor rgb tint(first_colour) title interval noenhanced, \
         '' every ::calibration_first[i]::calibration_last[i] using (column("distance")):(column("probability")) \
            with steps linecolor rgb first_colour linewidth 3 title probability noenhanced
}
unset multiplot
unset output
