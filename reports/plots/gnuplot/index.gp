# SPDX-License-Identifier: GPL-3.0-or-later
#
# index.gp - candidate rate of the index: the probability over the exact similarity as a curve, and for each tenth of
# similarity the share of all labelled pairs that become candidates, with its interval. A ring is the mean probability
# of the same pairs, each at its own similarity; where the curve bends, it is off the curve. Dashed: blocks that return
# every pair within a smaller distance. Arms without an index, or without an exact measure in the run, have no panel. To
# redraw, in the directory of this file:
#   gnuplot CORPUS-arms.gp index.gp
#   gnuplot -e "format = 'svg'" CORPUS-arms.gp index.gp

figure = 'index'
load (exists('here') ? here : '').'words.gp'
left_of_plot = 120
wide_panels = 1

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
array brought[arms]
array strict[arms] # the smallest and the largest distance within which a stricter index returns every pair
array strictest[arms]
other_shown = 0
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
    pairs = 0
    candidates = 0
    stats bins every ::index_first[i]::index_last[i] using (column("pairs") > 0 && column("brought") == column("brought") ? \
        (pairs = pairs + column("pairs"), candidates = candidates + column("pairs") * column("brought")) : 0, 0) nooutput
    brought[shown] = pairs > 0 ? candidates / pairs : NaN
    stats curves every ::index_curve_first[i]::index_curve_first[i] \
        using (look_up[shown] = strcol("index"), measure[shown] = strcol("measure"), 0) nooutput
    strict[shown] = -1
    strictest[shown] = -1
    stats curves every ::index_curve_first[i]::index_curve_last[i] using (strcol("index") eq look_up[shown] ? 0 : ( \
        strictest[shown] = strictest[shown] < 0 ? column("index_reach") : strictest[shown], strict[shown] = column("index_reach"), 0)) nooutput
    if (strict[shown] >= 0) { other_shown = 1 }
}
arms = shown > 0 ? shown : 1
if (shown == 0) { label[1] = say('no arm has an index and an exact measure beside it', '无索引或无精确度量'); measure[1] = ''; look_up[1] = ''; least[1] = 0 }
load (exists('here') ? here : '').'style.gp'

law = say('expected', '理论')
measured = say('measured', '实测').(confidence > 0 ? sprintf(tell(' (%g%% pointwise)', '（%g%% 逐点）', ' (%g%% pointwise 逐点)'), 100 * confidence) : '')
same = say('expected for the same pairs', '同组理论值')
do for [i = 1:shown] {
    note_of[i] = look_up[i].(brought[i] == brought[i] ? tell(sprintf('; %.3g%% of all pairs', 100 * brought[i]), sprintf('；占全部文本对的 %.3g%%', 100 * brought[i]), \
        sprintf('; %.3g%% of all pairs 占全部文本对', 100 * brought[i])) : '')
}
eval lay_headings

title = titled('which pairs become candidates of the index', '哪些文本对成为索引候选')
note = ''
eval lay_head
x = entry(line_look(first_colour, 3, 1), law)
x = entry(bar_look(second_colour).point_look(second_colour, 5, 1.4), measured)
x = entry(point_look(ink, 6, 2.6), same)
if (other_shown) { x = entry(line_look(quiet, 2, 2), say('an index for a smaller h', '阈值更小的索引')) }
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

# A class without pairs is not drawn; one without limits has no bar.
filled(x) = column("pairs") > 0 && column("brought") == column("brought") ? x : NaN
bounded(x) = column("brought_low") == column("brought_low") ? filled(x) : NaN
set yrange [-3:105]
set ytics 0, 20, 100 format '%g%%'
set xtics 0.2 format '%.1f'
do for [i = 1:arms] {
    axis = axis_of(i)
    eval place
    set xrange [least[i] - 0.02:1.02]
    if (shown) { set label 3 say('become candidates', '成为候选') at screen x_at(left - 96), screen y_at((top + bottom) / 2) center rotate }
    if (shown == 0) { plot 0 linecolor rgb '#FFFFFFFF' notitle; continue }
    first = index_first[i]
    last = index_last[i]
    from = index_curve_first[i]
    to = index_curve_last[i]
    # The label of a stricter index is where it returns half of the pairs.
    do for [k = 1:strict[i] < 0 ? 0 : strict[i] > strictest[i] ? 2 : 1] {
        sure = k == 1 ? strictest[i] : strict[i]
        half = 0
        stats curves every ::from::to using (strcol("index") ne look_up[i] && column("index_reach") == sure && column("expected") < 0.5 ? (half = column("similarity")) : 0, 0) nooutput
        # Left of its curve at the end of the panel.
        set label 10 + k sprintf('h ≤ %.0f', sure) at half + (half > 0.8 ? -0.03 : 0.015), 47 left font face(small) textcolor rgb quiet
        if (half > 0.8) { set label 10 + k right }
    }
    # SVG viewers show titles as tooltips.
    plot for [k = 1:2] curves every ::from::to using (column("similarity")):(strcol("index") ne look_up[i] && \
            column("index_reach") == (k == 1 ? strictest[i] : strict[i]) ? 100 * column("expected") : NaN) \
            with lines linecolor rgb quiet linewidth 2 dashtype 2 notitle, \
         curves every ::from::to using (column("similarity")):(strcol("index") eq look_up[i] ? 100 * column("expected") : NaN) \
            with lines linecolor rgb first_colour linewidth 3 dashtype 1 title law noenhanced, \
         bins every ::first::last using (filled(column("similarity"))):(100 * column("expected")) \
            with points linecolor rgb ink linewidth 2 pointtype 6 pointsize ring title same noenhanced, \
         '' every ::first::last using (bounded(column("similarity"))):(100 * column("brought")):(100 * column("brought_low")):(100 * column("brought_high")) \
            with yerrorbars linecolor rgb second_colour linewidth 2.5 pointtype 0 title measured noenhanced, \
         '' every ::first::last using (filled(column("similarity"))):(100 * column("brought")) \
            with points linecolor rgb second_colour pointtype 5 pointsize dot_size title measured noenhanced
    unset label 11
    unset label 12
}
unset multiplot
unset output
