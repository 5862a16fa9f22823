# SPDX-License-Identifier: GPL-3.0-or-later
#
# index.gp - what the index brings of pairs of a similarity: the probability over the exact similarity as a curve, and in each
# tenth of similarity the share of all labelled pairs that is brought, with its interval. A ring stands where the probability
# puts the same pairs, each at its own similarity: where the curve bends it is not on the curve. Arms without an index, or
# without an exact measure beside them, have no panel. To redraw, in the directory of this file:
#   gnuplot CORPUS-arms.gp index.gp
#   gnuplot -e "format = 'svg'" CORPUS-arms.gp index.gp

figure = 'index'
load (exists('here') ? here : '').'words.gp'
left_of_plot = 120

# ---- Arms that have rows ----

bins = directory.'/index.tsv'
curves = directory.'/index-curve.tsv'
set encoding utf8
set datafile separator tab
set datafile commentschars ''
set datafile columnheaders
array measure[arms]
array least[arms]
array look_up[arms]
shown = 0
do for [i = 1:arms] {
    if (index_last[i] < index_first[i]) { continue }
    shown = shown + 1
    label[shown] = label[i]
    index_first[shown] = index_first[i]
    index_last[shown] = index_last[i]
    index_curve_first[shown] = index_curve_first[i]
    index_curve_last[shown] = index_curve_last[i]
    stats bins every ::index_first[i]::index_last[i] using (column("low")) nooutput prefix 'L'
    least[shown] = L_min < 0 ? L_min : 0
    stats curves every ::index_curve_first[i]::index_curve_first[i] \
        using (look_up[shown] = strcol("index"), measure[shown] = strcol("measure"), 0) nooutput
}
arms = shown > 0 ? shown : 1
if (shown == 0) { label[1] = say('no arm has an index and an exact measure beside it', '无索引或无精确度量'); measure[1] = ''; look_up[1] = ''; least[1] = 0 }
load (exists('here') ? here : '').'style.gp'

law = say('probability of a look-up', '理论召回概率')
measured = say('measured share', '实测比例').(confidence > 0 ? sprintf(tell(' (%g%% pointwise)', '（%g%% 逐点）', ' (%g%% pointwise 逐点)'), 100 * confidence) : '')
same = say('expected for the same pairs', '同组理论值')
dot_size = dot(1.4)
ring = dot(2.6)

header = 124
plot_height = arms == 1 ? 620 : arms == 2 ? 480 : 330
# The specification of the index stands below an arm's name.
above(row) = 20 + line * (lines_in[row] + (shown > 0))
eval fit_height
eval open_canvas
set multiplot

eval open_sheet
y = 90
title = titled('what the index brings against the exact similarity', '索引召回与真实相似度')
set label 1 title at 24, 36 font fitting(title, headline, width - 48)
set arrow 1 from 24, y to 104, y nohead linecolor rgb first_colour linewidth 3 dashtype 1
set label 2 law at 118, y font fitting(law, text, 440)
set label 3 '' at 600, y point pointtype 5 pointsize dot_size linecolor rgb second_colour
set arrow 2 from 600, y - 22 to 600, y + 22 heads size 7, 90 linecolor rgb second_colour linewidth 2.5
set label 4 measured at 622, y font fitting(measured, text, 450)
set label 5 '' at 1140, y point pointtype 6 pointsize ring linecolor rgb ink linewidth 2
set label 6 same at 1162, y font fitting(same, text, 440)
plot 0 linecolor rgb '#FFFFFFFF' notitle
eval close_sheet

set yrange [-3:105]
set ytics 0, 20, 100 format '%g%%'
set xtics 0.2 format '%.1f'
do for [i = 1:arms] {
    axis = shown ? exact_axis(measure[i]) : ''
    eval place
    # Two lines above the panel: the name, moved up by one, and the index.
    set label 1 heading[i] at screen x_at(left), screen y_at(top - line * (lines_of[i] + (shown > 0)))
    set xrange [least[i] - 0.02:1.02]
    if (shown) { set label 3 say('brought', '召回') at screen x_at(left - 96), screen y_at((top + bottom) / 2) center rotate }
    if (shown) { set label 4 look_up[i] at screen x_at(left), screen y_at(top - line) font fitting(look_up[i], small, heading_width) textcolor rgb quiet }
    if (shown == 0) { plot 0 linecolor rgb '#FFFFFFFF' notitle; continue }
    first = index_first[i]
    last = index_last[i]
    from = index_curve_first[i]
    to = index_curve_last[i]
    # A viewer of the SVG shows the titles as tips.
    plot curves every ::from::to using (column("similarity")):(100 * column("expected")) \
            with lines linecolor rgb first_colour linewidth 3 dashtype 1 title law noenhanced, \
         bins every ::first::last using (column("similarity")):(100 * column("expected")) \
            with points linecolor rgb ink linewidth 2 pointtype 6 pointsize ring title same noenhanced, \
         '' every ::first::last using (column("similarity")):(100 * column("brought")):(100 * column("brought_low")):(100 * column("brought_high")) \
            with yerrorbars linecolor rgb second_colour linewidth 2.5 pointtype 0 title measured noenhanced, \
         '' every ::first::last using (column("similarity")):(100 * column("brought")) \
            with points linecolor rgb second_colour pointtype 5 pointsize dot_size title measured noenhanced
}
unset multiplot
unset output
