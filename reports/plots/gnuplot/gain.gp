# SPDX-License-Identifier: GPL-3.0-or-later
#
# gain.gp - precision gain against recall gain of every arm of a corpus on one sheet: gains over calling everything, on the
# harmonic scale of F1 (Flach, Kull 2015). The area between curve and axes stands in the legend. Faint lines join points of
# equal F1. To redraw, in the directory of this file:
#   gnuplot CORPUS-arms.gp gain.gp
#   gnuplot -e "format = 'svg'" CORPUS-arms.gp gain.gp

figure = 'gain'
across = 1
left_of_plot = 116
right_of_plot = 130
heading_width = 1240
load (exists('here') ? here : '').'style.gp'

# ---- Curves, thinned to what can be seen: a curve may have a row for every pair ----

seen = 0.001 # of an axis
# Whether to keep a row; a kept row is remembered. A mark is set each time the recall passes a multiple of 1/8, shifted
# from arm to arm.
visit(r, p) = (eighths = floor(8 * r + (i - 1.0) / arms), marked = eighths > eighths_before, eighths_before = eighths, \
    kept = marked || abs(r - kept_recall) >= seen || abs(p - kept_precision) >= seen, \
    kept_recall = kept ? r : kept_recall, kept_precision = kept ? p : kept_precision, marked)
table = directory.'/gain.tsv'
do for [i = 1:arms] {
    eval sprintf("set print $curve_%d", i)
    print "recall\tprecision\tmark"
    unset print
    if (gain_last[i] < gain_first[i]) { continue }
    eval sprintf("set table $curve_%d append", i)
    kept_recall = -1
    kept_precision = -1
    eighths_before = -1
    plot table every ::gain_first[i]::gain_last[i] \
        using (column("recall_gain")):(column("precision_gain")):(visit(column("recall_gain"), column("precision_gain"))) with table \
        if (kept || $0 == gain_last[i] - gain_first[i])
    unset table
}
array area[arms]
array area_low[arms]
array area_high[arms]
do for [i = 1:arms] {
    area[i] = 'NA'
    area_low[i] = 'NA'
    area_high[i] = 'NA'
    if (gain_last[i] < gain_first[i]) { continue }
    stats table every ::gain_first[i]::gain_first[i] \
        using (area[i] = strcol("area"), area_low[i] = strcol("area_low"), area_high[i] = strcol("area_high"), 0) nooutput
}
stats directory.'/summary.tsv' every ::summary_first[1]::summary_last[1] using (positives = column("positives"), pairs = column("pairs"), 0) nooutput

# ---- Title, and a legend of as many columns as the labels allow ----

header = 84
plot_height = 800
below = 110
widest = 0
tallest = 1
do for [i = 1:arms] {
    widest = ems(label[i]) * text > widest ? ems(label[i]) * text : widest
    tallest = lines_of[i] > tallest ? lines_of[i] : tallest
}
sure = 0 # an arm has an interval
do for [i = 1:arms] { sure = sure || area_low[i] ne 'NA' }
caption_width = sure ? 250 : 80
fit = int((width - 48) / (widest + caption_width + 142))
entries_across = fit < 1 ? 1 : fit > 4 ? 4 : fit
entries_across = entries_across > arms ? arms : entries_across
entries_down = (arms - 1) / entries_across + 1
entry_width = (width - 48.0) / entries_across
entry_height = 10 + line * tallest
height = int(header + plot_height + below + entries_down * entry_height + 20)
dot_size = dot(1.9)
eval open_canvas
set multiplot

eval open_sheet
title = titled('precision gain against recall gain', '精确率–召回率增益曲线')
set label 1 title at 24, 36 font fitting(title, headline, width - (sure ? 760 : 560))
count = positives_of(positives, pairs)
if (sure && confidence > 0) { count = count.tell(sprintf('; area with %g%% interval', 100 * confidence), sprintf('；曲线下面积带 %g%% 置信区间', 100 * confidence), \
    sprintf('; area 面积, %g%% interval', 100 * confidence)) }
set label 2 count at width - 24, 36 right textcolor rgb quiet
do for [i = 1:arms] {
    x = 24 + (i - 1) / entries_down * entry_width
    y = header + plot_height + below + ((i - 1) % entries_down + 0.5) * entry_height
    set arrow i from x, y to x + 90, y nohead linecolor rgb colour(i) linewidth 3 dashtype dash(i)
    set label 10 + 3 * i '' at x + 45, y point pointtype point(i) pointsize dot_size linecolor rgb colour(i) linewidth 2
    caption = area[i] eq 'NA' ? 'NA' : sprintf('%.3f', real(area[i]))
    if (area_low[i] ne 'NA') {
        caption = caption.sprintf(' (%.3f–%.3f)', real(area_low[i]), real(area_high[i]))
    }
    set label 11 + 3 * i caption at x + 106, y textcolor rgb quiet
    set label 12 + 3 * i heading[i] at x + 106 + caption_width, y - line * (lines_of[i] - 1) / 2.0
}
plot 0 linecolor rgb '#FFFFFFFF' notitle
eval close_sheet

# ---- The sheet ----

set lmargin at screen x_at(left_of_plot)
set rmargin at screen x_at(width - right_of_plot)
set tmargin at screen y_at(header)
set bmargin at screen y_at(header + plot_height)
set label 1 say('recall gain', '召回率增益') at graph 0.5, screen y_at(header + plot_height + 70) center
set label 2 say('precision gain', '精确率增益') at screen x_at(30), graph 0.5 center rotate
# F1 gain is the mean of both gains: a straight line for each F1.
share = pairs > 0 ? positives / pairs : NaN
f1_gain(f) = (f - share) / ((1 - share) * f)
level(k) = real(word(iso, k))
iso = '0.2 0.4 0.6 0.8 0.9'
shows(k) = f1_gain(level(k)) > 0.03
do for [k = 1:words(iso)] {
    if (!shows(k)) { continue }
    g = f1_gain(level(k))
    set label 2 + k sprintf('F1 = %g', level(k)) at (g > 0.5 ? 1.02 : 2 * g), (g > 0.5 ? 2 * g - 1 : 0.02) offset 0.5, 0 textcolor rgb quiet font face(small)
}
set xrange [0:1.015]
set yrange [0:1.03]
set xtics 0.1 format '%.1f'
set ytics 0.1 format '%.1f'
unset grid
set samples 200
# A viewer of the SVG shows the titles as tips.
plot for [k = 1:words(iso)] [0:1] \
     '+' using (shows(k) ? 2 * f1_gain(level(k)) * $1 : NaN):(2 * f1_gain(level(k)) * (1 - $1)) \
        with lines linecolor rgb pale linewidth 1.5 dashtype solid title 'F1 = '.word(iso, k) noenhanced, \
     for [i = 1:arms] sprintf('$curve_%d', i) using (column("recall")):(column("precision")) \
        with lines linecolor rgb colour(i) linewidth 3 dashtype dash(i) title label[i] noenhanced, \
     for [i = 1:arms] sprintf('$curve_%d', i) using (column("mark") == 1 ? column("recall") : NaN):(column("precision")) \
        with points linecolor rgb colour(i) linewidth 2 pointtype point(i) pointsize dot_size title label[i] noenhanced
unset multiplot
unset output
