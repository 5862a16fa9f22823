# SPDX-License-Identifier: GPL-3.0-or-later
#
# histograms.gp - how the distances of positive and of negative pairs are distributed, a panel an arm, each class as
# shares of itself. The axis of shares is logarithmic: the few negatives at small distances, which decide the precision,
# would not show on a linear one. To redraw, in the directory of this file:
#   gnuplot CORPUS-arms.gp histograms.gp
#   gnuplot -e "format = 'svg'" CORPUS-arms.gp histograms.gp

figure = 'histograms'
left_of_plot = 108
load (exists('here') ? here : '').'style.gp'
table = directory.'/histograms.tsv'

# Stairs of shares in per cent: two corners a bin, each with its left and right edge. An empty bin falls below the axis.
share(name, total) = total > 0 && column(name) > 0 ? 100.0 * column(name) / total : 1e-9
corner(x) = sprintf("%.9g\t%.9g\t%.9g\n", column(x), share("positives", P_sum), share("negatives", N_sum))
least = 1
array end[arms]
array unit[arms]
do for [i = 1:arms] {
    first = histograms_first[i]
    last = histograms_last[i]
    stats table every ::first::last using (column("positives")) nooutput prefix 'P'
    stats table every ::first::last using (column("negatives")) nooutput prefix 'N'
    largest = P_sum > N_sum ? P_sum : N_sum
    least = largest > 0 && 1 / largest < least ? 1 / largest : least
    stairs = ''
    stats table every ::first::last \
        using (stairs = stairs.corner("low").corner("high"), end[i] = column("high"), unit[i] = strcol("scale"), 0) nooutput
    eval sprintf("set print $stairs_%d", i)
    print "distance\tpositives\tnegatives"
    print stairs[1:strlen(stairs) - 1]
    unset print
}
# From half a pair of the larger class, but no lower than one in a million.
floor_share = 100 * (least / 2 < 1e-6 ? 1e-6 : least / 2)

positive = say('positive', '正例')
negative = say('negative', '负例')

header = 124
plot_height = arms == 1 ? 620 : arms == 2 ? 480 : 330
eval fit_height
eval open_canvas
set multiplot

eval open_sheet
y = 90
title = titled('distances of positive and negative '.counted_en, '正例与负例'.(documents ? '文档' : '').'的距离分布')
set label 1 title at 24, 36 font fitting(title, headline, width - 48)
set label 2 tell('share of its class (log)', '占各类的比例（对数）', 'share of its class 占各类的比例 (log)') at width - 24, y right textcolor rgb quiet
set object 1 rectangle from 24, y - 14 to 104, y + 14 fillcolor rgb tint(first_colour) fillstyle solid noborder
set arrow 1 from 24, y - 14 to 104, y - 14 nohead linecolor rgb first_colour linewidth 3 dashtype 1
set label 3 sprintf(tell('%s (%.0f)', '%s（%.0f）', '%s (%.0f)'), positive, P_sum) at 120, y
set object 2 rectangle from 400, y - 14 to 480, y + 14 fillcolor rgb tint(second_colour) fillstyle solid noborder
set arrow 2 from 400, y - 14 to 480, y - 14 nohead linecolor rgb second_colour linewidth 3 dashtype 2
set label 4 sprintf(tell('%s (%.0f)', '%s（%.0f）', '%s (%.0f)'), negative, N_sum) at 496, y
plot 0 linecolor rgb '#FFFFFFFF' notitle
eval close_sheet

set yrange [floor_share:150]
set logscale y
set ytics 10
set format y '%g%%'
do for [i = 1:arms] {
    axis = distance_axis(unit[i])
    eval place
    set xrange [0:end[i]]
    stairs = sprintf('$stairs_%d', i)
    # A viewer of the SVG shows the titles as tips.
    plot stairs using (column("distance")):(column("negatives")) with filledcurves y1=floor_share \
            linecolor rgb tint(second_colour) title negative noenhanced, \
         stairs using (column("distance")):(column("positives")) with filledcurves y1=floor_share \
            linecolor rgb tint(first_colour) title positive noenhanced, \
         stairs using (column("distance")):(column("negatives")) with lines \
            linecolor rgb second_colour linewidth 3 dashtype 2 title negative noenhanced, \
         stairs using (column("distance")):(column("positives")) with lines \
            linecolor rgb first_colour linewidth 3 dashtype 1 title positive noenhanced
}
unset multiplot
unset output
