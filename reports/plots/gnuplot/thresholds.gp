# SPDX-License-Identifier: GPL-3.0-or-later
#
# thresholds.gp - precision and recall of every arm of a corpus at each threshold, a panel an arm (after the figure of
# Manku, Jain and Das Sarma, WWW 2007). A figure that is not defined (NA) leaves a gap. Where distances go beyond these
# thresholds, a strip under each panel has all distances, with these thresholds shaded and the best F1 as a line. To
# redraw, in the directory of this file:
#   gnuplot CORPUS-arms.gp thresholds.gp
#   gnuplot -e "format = 'svg'" CORPUS-arms.gp thresholds.gp

figure = 'thresholds'
slide_row = 600
load (exists('here') ? here : '').'style.gp'
table = directory.'/results.tsv'

array unit[arms]
positives = 0
negatives = 0
intervals = 0 # rows that have one
do for [i = 1:arms] {
    first = results_first[i]
    last = results_last[i]
    stats table every ::first::last using (column("threshold")) nooutput prefix 'H'
    stats table every ::first::last using (unit[i] = strcol("scale"), \
        positives = column("tp") + column("fn"), negatives = column("fp") + column("tn"), \
        intervals = intervals + (strcol("recall_low") ne 'NA'), 0) nooutput
}
# All distances of an arm, and its best F1.
array end[arms]
array best_f1[arms]
array best_at[arms]
array last_at[arms]
array last_precision[arms]
array last_recall[arms]
# Of many rows those are kept that can be told from the one before.
keep(r, p) = (kept = abs(r - kept_recall) >= 0.005 || abs(p - kept_precision) >= 0.005, kept_recall = kept ? r : kept_recall, \
    kept_precision = kept ? p : kept_precision, p)
strips = 0
do for [i = 1:arms] {
    end[i] = H_max
    best_at[i] = NaN
    if (curves_last[i] >= curves_first[i]) {
        stats directory.'/curves.tsv' every ::curves_first[i]::curves_last[i] using (column("distance")) nooutput prefix 'D'
        stats directory.'/curves.tsv' every ::curves_last[i]::curves_last[i] using (last_at[i] = column("distance"), \
            last_recall[i] = column("recall"), last_precision[i] = column("precision"), 0) nooutput
        eval sprintf("set print $strip_%d", i)
        print "distance\trecall\tprecision"
        unset print
        kept_recall = -1
        kept_precision = -1
        eval sprintf("set table $strip_%d append", i)
        plot directory.'/curves.tsv' every ::curves_first[i]::curves_last[i] using (column("distance")):(column("recall")): \
            (keep(column("recall"), column("precision"))) with table if (kept || $0 == curves_last[i] - curves_first[i])
        unset table
        if (D_max > end[i]) { end[i] = D_max }
        if (D_max > H_max || D_min < H_min) { strips = 1 }
    }
    stats directory.'/summary.tsv' every ::summary_first[i]::summary_last[i] using (best_f1[i] = strcol("best_f1"), \
        best_at[i] = strcol("best_threshold") eq 'NA' ? NaN : column("best_threshold"), 0) nooutput
}
eval equal_ends
# A band needs two thresholds; where there is one, a bar serves.
single(name) = H_records == 1 ? column(name) : NaN
few = H_records <= 16
round = dot(few ? 1.6 : H_records <= 33 ? 1.1 : H_records <= 65 ? 0.7 : 0.3)
square = round * 1.25

precision = say('precision', '精确率')
recall = say('recall', '召回率')
interval = sure_of('interval')
band = sure_of_all
precision_interval = of(precision, interval)
recall_interval = of(recall, interval)
# Farther from the curve, fainter.
faint(rgb) = '#E0'.rgb[2:7]
all_distances = say('all distances', '全部距离')
precision_of_all = of(precision, all_distances)
recall_of_all = of(recall, all_distances)

axis_of(i) = threshold_axis(unit[i])
eval fit_below
strip_height = 84
strip_drop = below + 28
if (strips) { below = below + 100 + strip_height }
if (!exists('bands')) bands = 0
bands = bands && intervals && H_records > 1
banded(name) = bands ? column(name) : NaN
precision_band = bands ? of(precision, band) : ''
recall_band = bands ? of(recall, band) : ''
title = titled('precision and recall at each threshold', '各阈值的精确率与召回率')
note = positives_of(positives, positives + negatives)
eval lay_head
x = entry(line_look(first_colour, 3, 1).point_look(first_colour, 7, few ? 1.6 : 1.1), precision)
x = entry(line_look(second_colour, 3, 2).point_look(second_colour, 5, few ? 2 : 1.4), recall)
both_fills(upper, under) = sprintf("set object 900 + 2 * k rectangle from x, y - 14 to x + swatch, y fillcolor rgb '%s' fillstyle solid noborder; \
    set object 901 + 2 * k rectangle from x, y to x + swatch, y + 14 fillcolor rgb '%s' fillstyle solid noborder; ", upper, under)
if (intervals) { x = entry(both_fills(tint(first_colour), tint(second_colour)), interval) }
whole = tell(band.': the whole curve lies in it', band.'：整条曲线同时落入其中', band.' (the whole curve 整条曲线)')
if (bands) { x = entry(both_fills(faint(first_colour), faint(second_colour)), whole) }
if (strips) {
    said = tell(sprintf('strips: all distances; shaded: %g–%g, as above; line: the best F1', H_min, H_max), \
        sprintf('下方长条为全部距离：灰底为上图范围 %g–%g，竖线为最佳 F1', H_min, H_max), \
        sprintf('strips: all distances; shaded: %g–%g, as above; line: the best F1 下方长条为全部距离，灰底为上图范围，竖线为最佳 F1', H_min, H_max))
    x = entry('', said)
}
header = head_height(44)
plot_height = usual_height
eval fit_height
eval open_canvas
set multiplot

# ---- Title and legend, on a sheet measured in pixels ----

eval open_sheet
eval draw_head
plot 0 linecolor rgb '#FFFFFFFF' notitle
eval close_sheet

# ---- Panels ----

# The strip of panel i, whose margins are those of the panel above it.
draw_strip = "set tmargin at screen y_at(bottom + strip_drop); set bmargin at screen y_at(bottom + strip_drop + strip_height); \
unset label; unset arrow; unset object; unset grid; \
set xrange [0:end[i]]; set yrange [-0.04:1.06]; step = marks_of(end[i]); set xtics step; set ytics (0, 1) format '%.0f'; \
set object 1 rectangle from H_min - 0.5, graph 0 to H_max + 0.5, graph 1 behind fillcolor rgb pale fillstyle solid noborder; \
if (best_at[i] == best_at[i]) { \
    said = tell(sprintf('best F1 %.2f at h = %.4g', real(best_f1[i]), best_at[i]), sprintf('最佳 F1 %.2f，h = %.4g', real(best_f1[i]), best_at[i]), \
        sprintf('best F1 最佳 %.2f at h = %.4g', real(best_f1[i]), best_at[i])); \
    said = ems(said) * small > right - left ? sprintf('F1 %.2f, h = %.4g', real(best_f1[i]), best_at[i]) : said; \
    half = ems(said) * small / 2; \
    spot = left + (right - left) * best_at[i] / end[i]; \
    spot = spot - half < left ? left + half : spot + half > right ? right - half : spot; \
    set arrow 1 from best_at[i], graph 0 to best_at[i], graph 1.1 nohead linecolor rgb ink linewidth 2 dashtype 1 front; \
    set label 3 said at screen x_at(spot), screen y_at(bottom + strip_drop - 20) center font fitting(said, small, right - left); \
}; \
set arrow 2 from last_at[i], last_recall[i] to end[i], last_recall[i] nohead linecolor rgb second_colour linewidth 2.5 dashtype 2; \
set arrow 3 from last_at[i], last_precision[i] to end[i], last_precision[i] nohead linecolor rgb first_colour linewidth 2.5 dashtype 1; \
plot 0 linecolor rgb '#FFFFFFFF' notitle, \
    sprintf('$strip_%d', i) using (column('distance')):(column('recall')) \
        with steps linecolor rgb second_colour linewidth 2.5 dashtype 2 title recall_of_all noenhanced, \
    '' using (column('distance')):(column('precision')) \
        with steps linecolor rgb first_colour linewidth 2.5 dashtype 1 title precision_of_all noenhanced; \
unset label; unset arrow; unset object; eval rulers"

do for [i = 1:arms] {
    first = results_first[i]
    last = results_last[i]
    axis = axis_of(i)
    set yrange [-0.02:1.04]
    set ytics autofreq 0.2 format '%.1f'
    set xrange [H_min - 0.5:H_max + 0.5]
    if (few) { set xtics autofreq 1 }
    eval place
    # The constant, which cannot be seen, keeps the axes of a panel without any figure.
    # A viewer of the SVG shows the titles as tips.
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
         '' every ::first::last using (column("threshold")):(column("recall")) \
            with linespoints linecolor rgb second_colour linewidth 3 dashtype 2 pointtype 5 pointsize square \
            title recall noenhanced, \
         '' every ::first::last using (column("threshold")):(column("precision")) \
            with linespoints linecolor rgb first_colour linewidth 3 dashtype 1 pointtype 7 pointsize round \
            title precision noenhanced
    if (strips && curves_last[i] >= curves_first[i]) { eval draw_strip }
}
unset multiplot
unset output
