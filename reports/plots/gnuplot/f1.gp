# SPDX-License-Identifier: GPL-3.0-or-later
#
# f1.gp - F1 at every distance, a panel per arm of a corpus: marks at the thresholds 1 to 10, a line at the largest F1;
# dashed: the F1 of predicting every pair. Panels of the same scale have the same axis. To redraw, in this directory:
#   gnuplot CORPUS-arms.gp f1.gp
#   gnuplot -e "format = 'svg'" CORPUS-arms.gp f1.gp

figure = 'f1'
left_of_plot = 92
load (exists('here') ? here : '').'style.gp'

table = directory.'/curves.tsv'
marked = 10 # thresholds from 1 on
array unit[arms]
array end[arms]
array best[arms]
array best_at[arms]
array mark_y[arms * marked]
f1_of(r) = column("precision") + column("recall") > 0 ? 2 * column("precision") * column("recall") / (column("precision") + column("recall")) : 0
# The F1 of a threshold is that of the last distance within it.
settle(d) = next <= marked && next < d ? (mark_y[marked * (i - 1) + next] = last_f1, next = next + 1, settle(d)) : 0
# A curve may have a row for every pair: rows that look the same as the previous one are left out.
visit(d, f) = (settle(d), last_f1 = f, end[i] = d > end[i] ? d : end[i], kept = abs(f - kept_f1) >= 0.002 || d - kept_at >= 0.1, \
    kept_f1 = kept ? f : kept_f1, kept_at = kept ? d : kept_at, f)
do for [i = 1:arms] {
    end[i] = 1
    stats directory.'/summary.tsv' every ::summary_first[i]::summary_last[i] using (unit[i] = strcol("scale"), best[i] = strcol("best_f1"), \
        best_at[i] = strcol("best_threshold") eq 'NA' ? NaN : column("best_threshold"), positives = column("positives"), pairs = column("pairs"), 0) nooutput
    do for [k = 1:marked] { mark_y[marked * (i - 1) + k] = NaN }
    if (curves_last[i] < curves_first[i]) { continue }
    next = 1
    last_f1 = NaN
    kept_f1 = -1
    kept_at = -1
    eval sprintf("set print $curve_%d", i)
    print "distance\tf1"
    unset print
    eval sprintf("set table $curve_%d append", i)
    plot table every ::curves_first[i]::curves_last[i] using (column("distance")):(visit(column("distance"), f1_of(0))) with table \
        if (kept || $0 == curves_last[i] - curves_first[i])
    unset table
    x = settle(end[i] + 1)
    note_of[i] = best[i] eq 'NA' ? '' : best_said(best_at[i])
}
eval equal_ends
eval lay_headings

title = titled('F1 against the threshold', '各阈值的 F1')
note = positives_of(positives, pairs)
everything = say('calling everything', '全部判重')
eval lay_head
x = entry(line_look(first_colour, 3, 1), 'F1')
x = entry(point_look(first_colour, 7, 1.6), say('at thresholds 1 to 10', '阈值 1 至 10'))
x = entry(line_look(ink, 2, 3), say('the best F1', '最佳 F1'))
x = entry(line_look(quiet, 2, 2), everything)
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

share = pairs > 0 ? positives / pairs : 0
of_everything = 2 * share / (1 + share)
set samples 2
set yrange [-0.02:1.04]
set ytics 0.2 format '%.1f'
set xtics autofreq format '%g'
do for [i = 1:arms] {
    axis = axis_of(i)
    eval place
    set xrange [0:end[i]]
    step = marks_of(end[i])
    set xtics step
    if (best_at[i] == best_at[i]) { set arrow 1 from best_at[i], graph 0 to best_at[i], first real(best[i]) nohead linecolor rgb ink linewidth 2 dashtype 3 }
    do for [k = 1:marked] {
        if (k > end[i] || mark_y[marked * (i - 1) + k] != mark_y[marked * (i - 1) + k]) { continue }
        set label 100 + k '' at k, mark_y[marked * (i - 1) + k] point pointtype 7 pointsize dot(1.2) linecolor rgb first_colour front
    }
    # SVG viewers show titles as tooltips.
    if (curves_last[i] < curves_first[i]) { plot 0 linecolor rgb '#FFFFFFFF' notitle }
    if (curves_last[i] >= curves_first[i]) {
        plot [0:end[i]] of_everything with lines linecolor rgb quiet linewidth 2 dashtype 2 title everything noenhanced, \
             sprintf('$curve_%d', i) using (column("distance")):(column("f1")) with steps linecolor rgb first_colour linewidth 3 title 'F1' noenhanced
    }
    unset label
    unset arrow
}
unset multiplot
unset output
