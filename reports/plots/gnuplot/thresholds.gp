# SPDX-License-Identifier: GPL-3.0-or-later
#
# thresholds.gp - precision and recall of every arm of a corpus over the whole scale, a panel per arm (after the figure
# of Manku, Jain and Das Sarma, WWW 2007), with the thresholds 1 to 10 shaded and a line at the best F1. Marks and
# intervals are at the thresholds of results.tsv; for larger distances curves.tsv continues the lines. An undefined
# value (NA) leaves a gap. To redraw, in the directory of this file:
#   gnuplot CORPUS-arms.gp thresholds.gp
#   gnuplot -e "format = 'svg'" CORPUS-arms.gp thresholds.gp

figure = 'thresholds'
load (exists('here') ? here : '').'style.gp'
table = directory.'/results.tsv'

array unit[arms]
array end[arms] # of the axis
array from[arms] # the thresholds of results.tsv
array to[arms]
array best_at[arms]
positives = 0
negatives = 0
intervals = 0 # rows that have one
array last_recall[arms] # at the largest distance
array last_precision[arms]
array last_at[arms]
# Of many rows, keeps those that differ visibly from the previous one.
keep(r, p) = (kept = abs(r - kept_recall) >= 0.005 || abs(p - kept_precision) >= 0.005, kept_recall = kept ? r : kept_recall, \
    kept_precision = kept ? p : kept_precision, p)
do for [i = 1:arms] {
    stats table every ::results_first[i]::results_last[i] using (column("threshold")) nooutput prefix 'H'
    stats table every ::results_first[i]::results_last[i] using (unit[i] = strcol("scale"), \
        positives = column("tp") + column("fn"), negatives = column("fp") + column("tn"), \
        intervals = intervals + (strcol("recall_low") ne 'NA'), 0) nooutput
    from[i] = H_min
    to[i] = H_max
    end[i] = H_max
    last_at[i] = H_max
    stats directory.'/summary.tsv' every ::summary_first[i]::summary_last[i] using ( \
        best_at[i] = strcol("best_threshold") eq 'NA' ? NaN : column("best_threshold"), 0) nooutput
    note_of[i] = best_at[i] == best_at[i] ? best_said(best_at[i]) : ''
    eval sprintf("set print $rest_%d", i)
    print "distance\trecall\tprecision"
    unset print
    if (curves_last[i] < curves_first[i]) { continue }
    stats directory.'/curves.tsv' every ::curves_first[i]::curves_last[i] using (column("distance")) nooutput prefix 'D'
    if (D_max > end[i]) { end[i] = D_max }
    if (D_max <= to[i] && D_min >= from[i] - 1) { continue }
    stats directory.'/curves.tsv' every ::curves_last[i]::curves_last[i] using (last_at[i] = column("distance"), \
        last_recall[i] = column("recall"), last_precision[i] = column("precision"), 0) nooutput
    kept_recall = -1
    kept_precision = -1
    eval sprintf("set table $rest_%d append", i)
    plot directory.'/curves.tsv' every ::curves_first[i]::curves_last[i] using (column("distance")):(column("recall")): \
        (keep(column("recall"), column("precision"))) with table if (kept || $0 == curves_last[i] - curves_first[i])
    unset table
}
# The axis ends at least at the scale of the unit ("bits of 64").
do for [i = 1:arms] {
    if (words(unit[i]) == 3 && real(word(unit[i], 3)) > end[i] && end[i] > 0.5 * real(word(unit[i], 3))) { end[i] = real(word(unit[i], 3)) }
}
do for [i = 1:arms] { end[i] = within_scale(unit[i], end[i]) }
eval equal_ends
eval lay_headings
# A band needs two thresholds; for one, a bar.
single(name) = H_records == 1 ? column(name) : NaN

precision = say('precision', '精确率')
recall = say('recall', '召回率')
interval = sure_of('interval')
band = sure_of_all
precision_interval = of(precision, interval)
recall_interval = of(recall, interval)
# Fainter with the distance from the curve.
faint(rgb) = '#E0'.rgb[2:7]

axis_of(i) = threshold_axis(unit[i])
eval fit_below
if (!exists('bands')) bands = 0
bands = bands && intervals && H_records > 1
banded(name) = bands ? column(name) : NaN
precision_band = bands ? of(precision, band) : ''
recall_band = bands ? of(recall, band) : ''
title = titled('precision and recall at each threshold', '各阈值的精确率与召回率')
note = positives_of(positives, positives + negatives)
eval lay_head
x = entry(line_look(first_colour, 3, 1).point_look(first_colour, 7, 1.1), precision)
x = entry(line_look(second_colour, 3, 2).point_look(second_colour, 5, 1.4), recall)
both_fills(upper, under) = sprintf("set object 900 + 2 * k rectangle from x, y - 14 to x + swatch, y fillcolor rgb '%s' fillstyle solid noborder; \
    set object 901 + 2 * k rectangle from x, y to x + swatch, y + 14 fillcolor rgb '%s' fillstyle solid noborder; ", upper, under)
if (intervals) { x = entry(both_fills(tint(first_colour), tint(second_colour)), interval) }
whole = tell(band.': the whole curve lies in it', band.'：整条曲线同时落入其中', band.' (the whole curve 整条曲线)')
if (bands) { x = entry(both_fills(faint(first_colour), faint(second_colour)), whole) }
low_ten = '#EFEFEF'
shaded = 0
do for [i = 1:arms] { if (end[i] > 12) { shaded = 1 } }
if (shaded) { x = entry(sprintf("set object 900 + 2 * k rectangle from x, y - 14 to x + swatch, y + 14 fillcolor rgb '%s' fillstyle solid noborder; ", low_ten), say('thresholds 1 to 10', '阈值 1 至 10')) }
x = entry(line_look(ink, 2, 3), say('the best F1', '最佳 F1'))
header = head_height(44)
plot_height = usual_height
eval fit_height
eval open_canvas
set multiplot
eval open_sheet
eval draw_head
plot 0 linecolor rgb '#FFFFFFFF' notitle
eval close_sheet

# ---- Panels ----

before(name) = column("distance") <= from[i] ? column(name) : NaN
after(name) = column("distance") >= to[i] ? column(name) : NaN
set yrange [-0.02:1.04]
set ytics autofreq 0.2 format '%.1f'
do for [i = 1:arms] {
    first = results_first[i]
    last = results_last[i]
    axis = axis_of(i)
    set xrange [0:end[i] > 1 ? 1.01 * end[i] : 1.5]
    step = marks_of(end[i])
    set xtics step
    eval place
    apart = (right - left) / (end[i] > 1 ? end[i] : 1.0) # pixels from a threshold to the next
    round = dot(apart > 25 ? 1.6 : apart > 12 ? 1.1 : apart > 6 ? 0.7 : 0.4)
    square = round * 1.25
    if (end[i] > 12) { set object 1 rectangle from 0.5, graph 0 to 10.5, graph 1 behind fillcolor rgb low_ten fillstyle solid noborder }
    if (best_at[i] == best_at[i]) { set arrow 1 from best_at[i], graph 0 to best_at[i], graph 1 nohead linecolor rgb ink linewidth 2 dashtype 3 }
    if (last_at[i] > to[i] && last_at[i] < end[i]) {
        set arrow 2 from last_at[i], last_recall[i] to end[i], last_recall[i] nohead linecolor rgb second_colour linewidth 3 dashtype 2
        set arrow 3 from last_at[i], last_precision[i] to end[i], last_precision[i] nohead linecolor rgb first_colour linewidth 3
    }
    # The invisible constant keeps the axes of a panel without data.
    # SVG viewers show titles as tooltips.
    plot 0 linecolor rgb '#FFFFFFFF' notitle, \
         table every ::first::last using (column("threshold")):(banded("precision_band_low")):(banded("precision_band_high")) \
            with filledcurves linecolor rgb faint(first_colour) title precision_band noenhanced, \
         '' every ::first::last using (column("threshold")):(banded("recall_band_low")):(banded("recall_band_high")) \
            with filledcurves linecolor rgb faint(second_colour) title recall_band noenhanced, \
         '' every ::first::last using (column("threshold")):(column("precision_low")):(column("precision_high")) \
            with filledcurves linecolor rgb tint(first_colour) title precision_interval noenhanced, \
         '' every ::first::last using (column("threshold")):(column("recall_low")):(column("recall_high")) \
            with filledcurves linecolor rgb tint(second_colour) title recall_interval noenhanced, \
         '' every ::first::last \
            using (single("threshold")):(column("precision")):(column("precision_low")):(column("precision_high")) \
            with yerrorbars linecolor rgb first_colour linewidth 2 pointtype 0 title precision_interval noenhanced, \
         '' every ::first::last \
            using (single("threshold")):(column("recall")):(column("recall_low")):(column("recall_high")) \
            with yerrorbars linecolor rgb second_colour linewidth 2 pointtype 0 title recall_interval noenhanced, \
         for [side = 0:1] sprintf('$rest_%d', i) using (column("distance")):(side ? after("recall") : before("recall")) \
            with steps linecolor rgb second_colour linewidth 3 dashtype 2 notitle, \
         for [side = 0:1] sprintf('$rest_%d', i) using (column("distance")):(side ? after("precision") : before("precision")) \
            with steps linecolor rgb first_colour linewidth 3 notitle, \
         table every ::first::last using (column("threshold")):(column("recall")) \
            with linespoints linecolor rgb second_colour linewidth 3 dashtype 2 pointtype 5 pointsize square \
            title recall noenhanced, \
         '' every ::first::last using (column("threshold")):(column("precision")) \
            with linespoints linecolor rgb first_colour linewidth 3 dashtype 1 pointtype 7 pointsize round \
            title precision noenhanced
    unset object
    unset arrow
}
unset multiplot
unset output
