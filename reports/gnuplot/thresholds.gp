# SPDX-License-Identifier: GPL-3.0-or-later
#
# thresholds.gp - precision and recall of every arm of a corpus at each threshold, a panel an arm (after the figure of
# Manku, Jain and Das Sarma, WWW 2007). A figure that is not defined (NA) leaves a gap. To redraw, in the directory of
# this file:
#   gnuplot CORPUS-arms.gp thresholds.gp
#   gnuplot -e "format = 'svg'" CORPUS-arms.gp thresholds.gp

figure = 'thresholds'
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
# A band needs two thresholds; where there is one, a bar serves.
single(name) = H_records == 1 ? column(name) : NaN
few = H_records <= 16
round = dot(few ? 1.6 : H_records <= 33 ? 1.1 : H_records <= 65 ? 0.7 : 0.3)
square = round * 1.25

precision = say('precision', '准确率')
recall = say('recall', '召回率')
interval = sure_of('interval')
precision_interval = of(precision, interval)
recall_interval = of(recall, interval)

header = 124
plot_height = arms == 1 ? 620 : arms == 2 ? 480 : 330
eval fit_height
eval open_canvas
set multiplot

# ---- Title and legend, on a sheet measured in pixels ----

eval open_sheet
y = 90
title = titled('precision and recall at each threshold', '各阈值的准确率与召回率')
set label 1 title at 24, 36 font fitting(title, headline, width - 48)
count = positives_of(positives, positives + negatives)
set label 2 count at width - 24, y right textcolor rgb quiet
set arrow 1 from 24, y to 104, y nohead linecolor rgb first_colour linewidth 3 dashtype 1
set label 3 precision at 120, y
set label 4 '' at 64, y point pointtype 7 pointsize round linecolor rgb first_colour
set arrow 2 from 350, y to 430, y nohead linecolor rgb second_colour linewidth 3 dashtype 2
set label 5 recall at 446, y
set label 6 '' at 390, y point pointtype 5 pointsize square linecolor rgb second_colour
if (intervals) {
    set object 1 rectangle from 640, y - 14 to 720, y fillcolor rgb tint(first_colour) fillstyle solid noborder
    set object 2 rectangle from 640, y to 720, y + 14 fillcolor rgb tint(second_colour) fillstyle solid noborder
    set label 7 interval at 736, y
}
plot 0 linecolor rgb '#FFFFFFFF' notitle
eval close_sheet

# ---- Panels ----

set yrange [-0.02:1.04]
set ytics 0.2 format '%.1f'
set xrange [H_min - 0.5:H_max + 0.5]
if (few) { set xtics 1 }
do for [i = 1:arms] {
    first = results_first[i]
    last = results_last[i]
    axis = threshold_axis(unit[i])
    eval place
    # The constant, which cannot be seen, keeps the axes of a panel without any figure.
    # A viewer of the SVG shows the titles as tips.
    plot 0 linecolor rgb '#FFFFFFFF' notitle, \
         table every ::first::last using (column("threshold")):(column("precision_low")):(column("precision_high")) \
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
}
unset multiplot
unset output
