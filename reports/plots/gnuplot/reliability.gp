# SPDX-License-Identifier: GPL-3.0-or-later
#
# reliability.gp - calibration of the probabilities: the share of duplicates among held-out pairs against their mean
# probability, fitted on the other groups, in bins, each with its interval; a panel per arm. Both axes are logarithmic;
# smaller values are drawn at their start. If the probabilities are calibrated, the intervals meet the diagonal. To
# redraw, in the directory of this file:
#   gnuplot CORPUS-arms.gp reliability.gp
#   gnuplot -e "format = 'svg'" CORPUS-arms.gp reliability.gp

figure = 'reliability'
left_of_plot = 110
load (exists('here') ? here : '').'style.gp'

table = directory.'/reliability.tsv'
share = NaN
least = 0.01
least_of(v) = v > 0 && v < least ? (least = v) : 0
do for [i = 1:arms] {
    if (reliability_last[i] < reliability_first[i]) { continue }
    stats table every ::reliability_first[i]::reliability_first[i] using (share = column("prevalence"), 0) nooutput
    stats table every ::reliability_first[i]::reliability_last[i] using (least_of(column("predicted")), least_of(column("observed")), 0) nooutput
}
observed = say('share observed', '实际比例').(confidence > 0 ? sprintf(tell(' (%g%%)', '（%g%%）', ' (%g%%)'), 100 * confidence) : '')
diagonal = say('as predicted', '与预测一致')
title = titled('probabilities on pairs held out', '留出文本对上的概率')
note = tell(sprintf('share of duplicates: %.3g', share), sprintf('重复比例：%.3g', share), sprintf('share of duplicates 重复比例: %.3g', share))
eval lay_head
x = entry(bar_look(first_colour).point_look(first_colour, 7, 1.5), observed)
x = entry(line_look(quiet, 2, 3), diagonal)
header = head_height(44)
plot_height = usual_height + (slide ? 0 : 70)
axis_of(i) = say('predicted probability', '预测概率')
eval fit_below
eval fit_height
eval open_canvas
dot_size = dot(1.5)
set multiplot
eval open_sheet
eval draw_head
plot 0 linecolor rgb '#FFFFFFFF' notitle
eval close_sheet

# Starts at a power of ten.
begin = 10.0 ** (floor(log10(least) + 1e-9) < -9 ? -9 : floor(log10(least) + 1e-9))
shown(v) = v < begin ? begin : v
set xrange [0.8 * begin:1.4]
set yrange [0.8 * begin:1.4]
eval powers('x', begin < 1e-4 ? 2 : 1)
eval powers('y', 1)
set arrow 1 from begin, begin to 1, 1 nohead linecolor rgb quiet linewidth 2 dashtype 3 back
do for [i = 1:arms] {
    axis = axis_of(i)
    eval place
    if (reliability_last[i] < reliability_first[i]) { plot 0 linecolor rgb '#FFFFFFFF' notitle; continue }
    set label 3 say('share observed', '实际比例') at screen x_at(left - 84), screen y_at((top + bottom) / 2) center rotate
    # SVG viewers show titles as tooltips.
    plot table every ::reliability_first[i]::reliability_last[i] \
            using (shown(column("predicted"))):(shown(column("observed"))):(shown(column("observed_low"))):(shown(column("observed_high"))) \
            with yerrorbars linecolor rgb first_colour linewidth 2.5 pointtype 0 title observed noenhanced, \
         '' every ::reliability_first[i]::reliability_last[i] using (shown(column("predicted"))):(shown(column("observed"))) \
            with points linecolor rgb first_colour pointtype 7 pointsize dot_size title observed noenhanced
}
unset multiplot
unset output
