# SPDX-License-Identifier: GPL-3.0-or-later
#
# prevalence.gp - precision against the share of duplicates among all pairs, every arm of a corpus at the threshold with its
# best F1, with intervals. Lines stand at the set's own share and at the stated one. To redraw, in the directory of this file:
#   gnuplot CORPUS-arms.gp prevalence.gp
#   gnuplot -e "format = 'svg'" CORPUS-arms.gp prevalence.gp

figure = 'prevalence'
across = 1
left_of_plot = 116
right_of_plot = 140
heading_width = 1160
load (exists('here') ? here : '').'style.gp'
table = directory.'/prevalence.tsv'

# ---- The curve of every arm ----

array threshold[arms]
array here[arms] # precision at the stated prevalence
stated = NaN
do for [i = 1:arms] {
    threshold[i] = 'NA'
    here[i] = 'NA'
    eval sprintf("set print $curve_%d", i)
    print "prevalence\tprecision\tlow\thigh\tmark"
    unset print
    stats table every ::prevalence_first[i]::prevalence_last[i] using (column("best") == 1 ? (threshold[i] = strcol("threshold")) : 0, \
        column("best") == 1 && column("stated") == 1 ? (here[i] = strcol("precision")) : 0, \
        column("stated") == 1 ? (stated = column("prevalence")) : 0, 0) nooutput
    # A mark at every other decade, shifted from arm to arm.
    eval sprintf("set table $curve_%d append", i)
    row_of = -1
    plot table every ::prevalence_first[i]::prevalence_last[i] using (column("prevalence")):(column("precision")):(column("precision_low")): \
        (column("precision_high")):(row_of = row_of + (column("best") == 1), row_of % 6 == (2 * i) % 6) with table if (column("best") == 1)
    unset table
}
stats directory.'/summary.tsv' every ::summary_first[1]::summary_last[1] using (positives = column("positives"), pairs = column("pairs"), 0) nooutput
own = pairs > 0 ? positives / pairs : NaN

# ---- Title, and a legend ----

header = 110
plot_height = 780
below = 110
widest = 0
tallest = 1
do for [i = 1:arms] {
    widest = ems(label[i]) * text > widest ? ems(label[i]) * text : widest
    tallest = lines_of[i] > tallest ? lines_of[i] : tallest
}
fit = int((width - 48) / (widest + 420))
entries_across = fit < 1 ? 1 : fit > 3 ? 3 : fit
entries_across = entries_across > arms ? arms : entries_across
entries_down = (arms - 1) / entries_across + 1
entry_width = (width - 48.0) / entries_across
entry_height = 10 + line * tallest
height = int(header + plot_height + below + entries_down * entry_height + 60)
dot_size = dot(1.7)
bands = arms <= 5 # more would hide one another: bars at the marks
interval = tell((bands ? 'bands: ' : 'bars: ').sure_of('intervals'), (bands ? '色带：' : '误差线：').sure_of('intervals'), \
    (bands ? 'bands 色带: ' : 'bars 误差线: ').sure_of('intervals'))
eval open_canvas
set multiplot

eval open_sheet
title = titled('precision where duplicates are rare', '不同重复比例下的精确率')
set label 1 title at 24, 36 font fitting(title, headline, width - 520)
set label 2 interval at width - 24, 36 right textcolor rgb quiet
set label 3 say('each arm at the threshold h of its best F1; precision at the stated share', '各方案取最佳 F1 的阈值 h；所示为给定比例下的精确率') \
    at 24, header + plot_height + below + 8 textcolor rgb quiet font face(small)
do for [i = 1:arms] {
    x = 24 + (i - 1) / entries_down * entry_width
    y = header + plot_height + below + 44 + ((i - 1) % entries_down + 0.5) * entry_height
    set arrow i from x, y to x + 90, y nohead linecolor rgb colour(i) linewidth 3 dashtype dash(i)
    set label 10 + 3 * i '' at x + 45, y point pointtype point(i) pointsize dot_size linecolor rgb colour(i) linewidth 2
    caption = threshold[i] eq 'NA' ? 'NA' : sprintf('h = %.3g: %s', real(threshold[i]), here[i] eq 'NA' ? 'NA' : sprintf('%.3g', real(here[i])))
    set label 11 + 3 * i caption at x + 106, y textcolor rgb quiet
    set label 12 + 3 * i heading[i] at x + 330, y - line * (lines_of[i] - 1) / 2.0
}
plot 0 linecolor rgb '#FFFFFFFF' notitle
eval close_sheet

# ---- The sheet ----

set lmargin at screen x_at(left_of_plot)
set rmargin at screen x_at(width - right_of_plot)
set tmargin at screen y_at(header)
set bmargin at screen y_at(header + plot_height)
set label 1 say('share of duplicates among all '.counted_en, documents ? '重复文档所占比例' : '重复对所占比例') at graph 0.5, screen y_at(header + plot_height + 74) center
set label 2 say('precision', '精确率') at screen x_at(30), graph 0.5 center rotate
low_end = stated == stated && stated < 1e-6 ? stated : 1e-6
high_end = stated == stated && stated > 0.5 ? stated : 0.5
set logscale x
set xrange [low_end:high_end]
set yrange [-0.01:1.03]
set xtics ('0.000000001' 1e-9, '0.00000001' 1e-8, '0.0000001' 1e-7, '0.000001' 1e-6, '0.00001' 1e-5, '0.0001' 1e-4, '0.001' 1e-3, \
    '0.01' 0.01, '0.1' 0.1, '0.5' 0.5)
set mxtics 10
set ytics 0.1 format '%.1f'
if (own == own && own > low_end && own < high_end) {
    set arrow 1 from own, graph 0 to own, graph 1 nohead linecolor rgb quiet linewidth 2 dashtype 3 back
}
if (stated == stated) {
    set arrow 2 from stated, graph 0 to stated, graph 1 nohead linecolor rgb quiet linewidth 2 back
}
# Above the frame, side by side where they are near to each other.
own_text = own == own && own > low_end && own < high_end ? tell(sprintf('the set: %.3g', own), sprintf('本集：%.3g', own), sprintf('the set 本集: %.3g', own)) : ''
stated_text = stated == stated ? tell(sprintf('stated: %g', stated), sprintf('给定：%g', stated), sprintf('stated 给定: %g', stated)) : ''
near = own_text ne '' && stated_text ne '' && abs(log10(own / stated)) < 1
top_of_frame = y_at(header - 16)
if (!near) {
    set label 3 own_text at own, screen top_of_frame center font face(small) textcolor rgb quiet
    set label 4 stated_text at stated, screen top_of_frame center font face(small)
}
if (near && own < stated) {
    set label 3 own_text at own, screen top_of_frame right font face(small) textcolor rgb quiet
    set label 4 stated_text at stated, screen top_of_frame left font face(small)
}
if (near && own >= stated) {
    set label 3 own_text at own, screen top_of_frame left font face(small) textcolor rgb quiet
    set label 4 stated_text at stated, screen top_of_frame right font face(small)
}
# A viewer of the SVG shows the titles as tips.
plot for [i = 1:arms] sprintf('$curve_%d', i) using (column("prevalence")):(column("low")):(column("high")) \
        with filledcurves linecolor rgb (bands ? '#DC' : '#FF').colour(i)[2:7] title of(label[i], interval) noenhanced, \
     for [i = 1:arms] sprintf('$curve_%d', i) using (!bands && column("mark") == 1 ? column("prevalence") : NaN): \
        (column("precision")):(column("low")):(column("high")) \
        with yerrorbars linecolor rgb colour(i) linewidth 2 pointtype 0 title of(label[i], interval) noenhanced, \
     for [i = 1:arms] sprintf('$curve_%d', i) using (column("prevalence")):(column("precision")) \
        with lines linecolor rgb colour(i) linewidth 3 dashtype dash(i) title label[i] noenhanced, \
     for [i = 1:arms] sprintf('$curve_%d', i) using (column("mark") == 1 ? column("prevalence") : NaN):(column("precision")) \
        with points linecolor rgb colour(i) linewidth 2 pointtype point(i) pointsize dot_size title label[i] noenhanced
unset multiplot
unset output
