# SPDX-License-Identifier: GPL-3.0-or-later
#
# growth.gp - the time of an evaluation against the number of documents, on logarithmic axes, and the line through the larger sizes. Loaded by
# bench/growth.py after what it has measured: arms, label[], curve[] (files), exponent[], factor[], the ends of both axes, machine, output, here.

figure = 'growth'
across = 1
left_of_plot = 130
right_of_plot = 60
directory = ''
corpus = ''
stem = 'growth'
load here.'style.gp'

plot_height = slide ? 420 : narrow ? 420 : 720
below = 110
title = 'Time of an evaluation against the number of documents'
note = machine
eval lay_head
do for [i = 1:arms] { dummy = entry(line_look(colour(i), 3, 1).point_look(colour(i), point(i), 1.6), sprintf('%s: grows like documents^%.2f', label[i], exponent[i])) }
header = head_height(44)
height = int(header + plot_height + below)
eval open_canvas
set multiplot
eval open_sheet
eval draw_head
plot 0 linecolor rgb '#FFFFFFFF' notitle
eval close_sheet

set lmargin at screen x_at(left_of_plot)
set rmargin at screen x_at(width - right_of_plot)
set tmargin at screen y_at(header)
set bmargin at screen y_at(header + plot_height)
set label 1 'documents' at graph 0.5, screen y_at(header + plot_height + 70) center
set label 2 'seconds of the processor' at screen x_at(30), graph 0.5 center rotate
left_end = least_documents * 0.8
right_end = most_documents * 1.25
low_end = least_seconds * 0.6
high_end = most_seconds * 1.7
set xrange [left_end:right_end]
set yrange [low_end:high_end]
set logscale xy
set xtics () format ''
set ytics () format ''
plain(v) = v >= 1000000 ? sprintf('%.0f,%03.0f,%03.0f', floor(v / 1e6), floor(v / 1e3) - 1e3 * floor(v / 1e6), v - 1e3 * floor(v / 1e3)) : \
    v >= 1000 ? sprintf('%.0f,%03.0f', floor(v / 1e3), v - 1e3 * floor(v / 1e3)) : sprintf('%g', v)
do for [k = -3:7] {
    do for [m in '1 2 5'] {
        v = m * 10.0 ** k
        if (v >= left_end && v <= right_end) { set xtics add (plain(v) v) }
        if (v >= low_end && v <= high_end && (m == 1 || high_end / low_end < 2000)) { set ytics add (plain(v) v) }
    }
}
plot for [i = 1:arms] (exponent[i] == 0 ? NaN : factor[i] * x ** exponent[i]) with lines linecolor rgb tint(colour(i)) linewidth 6 notitle, \
    for [i = 1:arms] curve[i] using (column("documents")):(column("seconds")) with linespoints linecolor rgb colour(i) linewidth 2.5 \
        pointtype point(i) pointsize dot(1.6) notitle
unset multiplot
unset output
