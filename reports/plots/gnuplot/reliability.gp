# SPDX-License-Identifier: GPL-3.0-or-later
#
# reliability.gp - whether probabilities hold: the share of duplicates among pairs held out against the mean probability that
# other groups give them, in bins, each with its interval; one panel an arm. Where the probabilities hold, the intervals meet the
# diagonal. To redraw, in the directory of this file:
#   gnuplot CORPUS-arms.gp reliability.gp
#   gnuplot -e "format = 'svg'" CORPUS-arms.gp reliability.gp

figure = 'reliability'
left_of_plot = 110
load (exists('here') ? here : '').'style.gp'

table = directory.'/reliability.tsv'
share = NaN
do for [i = 1:arms] {
    if (reliability_last[i] < reliability_first[i]) { continue }
    stats table every ::reliability_first[i]::reliability_first[i] using (share = column("prevalence"), 0) nooutput
}
observed = say('share observed', '实际比例').(confidence > 0 ? sprintf(tell(' (%g%%)', '（%g%%）', ' (%g%%)'), 100 * confidence) : '')
diagonal = say('as predicted', '与预测一致')
dot_size = dot(1.5)

header = 124
plot_height = arms == 1 ? 720 : arms == 2 ? 560 : 400
above(row) = 20 + line * lines_in[row]
eval fit_height
eval open_canvas
set multiplot

eval open_sheet
y = 90
title = titled('probabilities on pairs held out', '留出文本对上的概率')
set label 1 title at 24, 36 font fitting(title, headline, width - 520)
set label 2 tell(sprintf('share of duplicates: %.3g', share), sprintf('重复比例：%.3g', share), sprintf('share of duplicates 重复比例: %.3g', share)) \
    at width - 24, 36 right textcolor rgb quiet
set label 3 '' at 44, y point pointtype 7 pointsize dot_size linecolor rgb first_colour
set arrow 1 from 44, y - 22 to 44, y + 22 heads size 7, 90 linecolor rgb first_colour linewidth 2.5
set label 4 observed at 66, y font fitting(observed, text, 460)
set arrow 2 from 600, y to 680, y nohead linecolor rgb quiet linewidth 2 dashtype 3
set label 5 diagonal at 694, y font fitting(diagonal, text, 440)
plot 0 linecolor rgb '#FFFFFFFF' notitle
eval close_sheet

set xrange [-0.02:1.02]
set yrange [-0.03:1.03]
set xtics 0.2 format '%.1f'
set ytics 0.2 format '%.1f'
set arrow 1 from 0, 0 to 1, 1 nohead linecolor rgb quiet linewidth 2 dashtype 3 back
do for [i = 1:arms] {
    axis = say('predicted probability', '预测概率')
    eval place
    if (reliability_last[i] < reliability_first[i]) { plot 0 linecolor rgb '#FFFFFFFF' notitle; continue }
    set label 3 say('share observed', '实际比例') at screen x_at(left - 84), screen y_at((top + bottom) / 2) center rotate
    # A viewer of the SVG shows the titles as tips.
    plot table every ::reliability_first[i]::reliability_last[i] \
            using (column("predicted")):(column("observed")):(column("observed_low")):(column("observed_high")) \
            with yerrorbars linecolor rgb first_colour linewidth 2.5 pointtype 0 title observed noenhanced, \
         '' every ::reliability_first[i]::reliability_last[i] using (column("predicted")):(column("observed")) \
            with points linecolor rgb first_colour pointtype 7 pointsize dot_size title observed noenhanced
}
unset multiplot
unset output
