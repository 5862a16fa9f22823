# SPDX-License-Identifier: GPL-3.0-or-later
#
# theory_distance.gp - distance against the exact similarity of the pairs: the expected mean, with a band of one
# standard deviation on either side, and the measured mean of the pairs in each tenth of similarity, with the root mean
# square deviation from the expected mean. A ring is the expected mean of the same pairs: near a similarity of 1 the
# curve bends so much that the ring is off the curve. Arms without a theoretical distribution have no panel. To redraw,
# in the directory of this file:
#   gnuplot CORPUS-arms.gp theory_distance.gp
#   gnuplot -e "format = 'svg'" CORPUS-arms.gp theory_distance.gp

figure = 'theory_distance'
load (exists('here') ? here : '').'words.gp'
left_of_plot = 104

# ---- Arms that have rows ----

shown = 0
do for [i = 1:arms] {
    if (theory_bins_last[i] < theory_bins_first[i]) { continue }
    shown = shown + 1
    label[shown] = label[i]
    theory_bins_first[shown] = theory_bins_first[i]
    theory_bins_last[shown] = theory_bins_last[i]
    theory_law_first[shown] = theory_law_first[i]
    theory_law_last[shown] = theory_law_last[i]
}
arms = shown > 0 ? shown : 1
if (shown == 0) { label[1] = say('no arm has a law beside an exact measure', '无理论分布') }
load (exists('here') ? here : '').'style.gp'
bins = directory.'/theory-bins.tsv'
law = directory.'/theory-law.tsv'

array unit[arms]
array measure[arms]
array least[arms]
array most[arms]
array highest[arms]
do for [i = 1:shown] {
    first = theory_bins_first[i]
    last = theory_bins_last[i]
    stats bins every ::first::last using (column("low")) nooutput prefix 'L'
    stats bins every ::first::last using (column("high")) nooutput prefix 'H'
    stats bins every ::first::last using (column("mean") + sqrt(column("variance"))) nooutput prefix 'M'
    stats law every ::theory_law_first[i]::theory_law_last[i] using (column("mean") + column("deviation")) nooutput prefix 'T'
    stats bins every ::first::last using (unit[i] = strcol("scale"), measure[i] = strcol("measure"), 0) nooutput
    least[i] = L_min
    most[i] = H_max
    highest[i] = M_max > T_max ? M_max : T_max
}
if (shown == 0) { unit[1] = ''; measure[1] = ''; least[1] = 0; most[1] = 1; highest[1] = 1 }

law_mean = say('mean by the law', '理论均值')
law_band = say('law: mean ± deviation', '理论均值 ± 标准差')
mean = say('measured mean ± spread', '实测均值 ± 离散度')
same = say('expected for the same pairs', '同组理论值')
array end[arms]
do for [i = 1:arms] { end[i] = highest[i] }
eval equal_ends

title = titled('distance against the exact similarity', '距离与真实相似度')
note = ''
eval lay_head
x = entry(fill_look(tint(first_colour), 'solid noborder').line_look(first_colour, 3, 1), law_band)
x = entry(bar_look(second_colour).point_look(second_colour, 5, 1.4), mean)
x = entry(point_look(ink, 6, 2.6), same)
header = head_height(44)
plot_height = usual_height
axis_of(i) = shown ? exact_axis(measure[i]) : ''
eval fit_below
eval fit_height
eval open_canvas
dot_size = dot(1.4)
ring = dot(2.6)
set multiplot
eval open_sheet
eval draw_head
plot 0 linecolor rgb '#FFFFFFFF' notitle
eval close_sheet

set ytics autofreq format '%g'
do for [i = 1:arms] {
    axis = axis_of(i)
    eval place
    set xrange [least[i] - 0.02:most[i] + 0.02]
    step = marks_of(most[i] - least[i])
    set xtics step format '%g'
    set yrange [-0.03 * end[i]:1.08 * end[i]]
    if (shown) { set label 3 distance_axis(unit[i]) at screen x_at(left - 80), screen y_at((top + bottom) / 2) center rotate }
    if (shown == 0) { plot 0 linecolor rgb '#FFFFFFFF' notitle; continue }
    first = theory_bins_first[i]
    last = theory_bins_last[i]
    from = theory_law_first[i]
    to = theory_law_last[i]
    # SVG viewers show titles as tooltips.
    plot 0 linecolor rgb '#FFFFFFFF' notitle, \
         law every ::from::to using (column("similarity")):(column("mean") - column("deviation")):(column("mean") + column("deviation")) \
            with filledcurves linecolor rgb tint(first_colour) title law_band noenhanced, \
         '' every ::from::to using (column("similarity")):(column("mean")) \
            with lines linecolor rgb first_colour linewidth 3 dashtype 1 title law_mean noenhanced, \
         bins every ::first::last using (column("similarity")):(column("mean_expected")) \
            with points linecolor rgb ink linewidth 2 pointtype 6 pointsize ring title same noenhanced, \
         '' every ::first::last using (column("similarity")):(column("mean")):(sqrt(column("variance"))) \
            with yerrorbars linecolor rgb second_colour linewidth 2.5 pointtype 0 title mean noenhanced, \
         '' every ::first::last using (column("similarity")):(column("mean")) \
            with points linecolor rgb second_colour pointtype 5 pointsize dot_size title mean noenhanced
}
unset multiplot
unset output
