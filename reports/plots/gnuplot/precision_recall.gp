# SPDX-License-Identifier: GPL-3.0-or-later
#
# precision_recall.gp - precision against recall of every arm of a corpus on one sheet. The steps enclose the average
# precision (AP) of summary.tsv: the precision at a distance holds for the recall that this distance adds. Faint lines
# join points of equal F1. To redraw, in the directory of this file:
#   gnuplot CORPUS-arms.gp precision_recall.gp
#   gnuplot -e "format = 'svg'" CORPUS-arms.gp precision_recall.gp

figure = 'precision_recall'
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
table = directory.'/curves.tsv'
do for [i = 1:arms] {
    eval sprintf("set print $curve_%d", i)
    print "recall\tprecision\tmark"
    unset print
    if (curves_last[i] < curves_first[i]) { continue }
    # From recall 0 at the precision of the first distance.
    eval sprintf("set table $curve_%d append", i)
    plot table every ::curves_first[i]::curves_first[i] using (0):(column("precision")):(0) with table
    kept_recall = -1
    kept_precision = -1
    eighths_before = -1
    plot table every ::curves_first[i]::curves_last[i] \
        using (column("recall")):(column("precision")):(visit(column("recall"), column("precision"))) with table \
        if (kept || $0 == curves_last[i] - curves_first[i])
    unset table
}
array average[arms]
array average_low[arms]
array average_high[arms]
do for [i = 1:arms] {
    stats directory.'/summary.tsv' every ::summary_first[i]::summary_last[i] \
        using (average[i] = strcol("average_precision"), average_low[i] = strcol("average_precision_low"), \
               average_high[i] = strcol("average_precision_high"), positives = column("positives"), pairs = column("pairs"), 0) \
        nooutput
}

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
do for [i = 1:arms] { sure = sure || average_low[i] ne 'NA' }
caption_width = sure ? 290 : 108
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
title = titled('precision against recall', '精确率–召回率曲线')
set label 1 title at 24, 36 font fitting(title, headline, width - (sure ? 840 : 560))
count = positives_of(positives, pairs)
if (sure && confidence > 0) { count = count.tell(sprintf('; AP with %g%% interval', 100 * confidence), sprintf('；AP 带 %g%% 置信区间', 100 * confidence), \
    sprintf('; AP with %g%% interval 置信区间', 100 * confidence)) }
set label 2 count at width - 24, 36 right textcolor rgb quiet
do for [i = 1:arms] {
    x = 24 + (i - 1) / entries_down * entry_width
    y = header + plot_height + below + ((i - 1) % entries_down + 0.5) * entry_height
    set arrow i from x, y to x + 90, y nohead linecolor rgb colour(i) linewidth 3 dashtype dash(i)
    set label 10 + 3 * i '' at x + 45, y point pointtype point(i) pointsize dot_size linecolor rgb colour(i) linewidth 2
    caption = average[i] eq 'NA' ? 'AP NA' : sprintf('AP %.3f', real(average[i]))
    if (average_low[i] ne 'NA') {
        caption = caption.sprintf(' (%.3f–%.3f)', real(average_low[i]), real(average_high[i]))
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
set label 1 say('recall', '召回率') at graph 0.5, screen y_at(header + plot_height + 70) center
set label 2 say('precision', '精确率') at screen x_at(30), graph 0.5 center rotate
level(k) = real(word(iso, k))
iso = '0.2 0.4 0.6 0.8 0.9'
do for [k = 1:words(iso)] {
    set label 2 + k sprintf('F1 = %g', level(k)) at 1.02, level(k) / (2 - level(k)) offset 0.5, 0 textcolor rgb quiet \
        font face(small)
}
set xrange [0:1.015]
set yrange [0:1.03]
set xtics 0.1 format '%.1f'
set ytics 0.1 format '%.1f'
unset grid
set samples 200
# F1 = f where (2 precision - f)(2 recall - f) = f²; s runs from precision 1 to recall 1 as its sign changes.
iso_recall(f, s) = f / 2 * (1 + exp(s))
reach(f) = log(2 / f - 1)
# A viewer of the SVG shows the titles as tips.
plot for [k = 1:words(iso)] [-1:1] \
     '+' using (iso_recall(level(k), $1 * reach(level(k)))):(iso_recall(level(k), -$1 * reach(level(k)))) \
        with lines linecolor rgb pale linewidth 1.5 dashtype solid title 'F1 = '.word(iso, k) noenhanced, \
     for [i = 1:arms] sprintf('$curve_%d', i) using (column("recall")):(column("precision")) \
        with fsteps linecolor rgb colour(i) linewidth 3 dashtype dash(i) title label[i] noenhanced, \
     for [i = 1:arms] sprintf('$curve_%d', i) using (column("mark") == 1 ? column("recall") : NaN):(column("precision")) \
        with points linecolor rgb colour(i) linewidth 2 pointtype point(i) pointsize dot_size title label[i] noenhanced
unset multiplot
unset output
