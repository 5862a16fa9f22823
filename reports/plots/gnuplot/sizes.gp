# SPDX-License-Identifier: GPL-3.0-or-later
#
# sizes.gp - the number of clusters of each size, on logarithmic axes. Load STEM-counts.gp first: it defines the numbers
# of clusters and texts. To redraw, in the directory of this file:
#   gnuplot STEM-counts.gp sizes.gp
#   gnuplot -e "format = 'svg'" STEM-counts.gp sizes.gp

figure = 'sizes'
across = 1
left_of_plot = 130
right_of_plot = 60
load (exists('here') ? here : '').'style.gp'
table = directory.'/cluster-sizes.tsv'

plot_height = slide ? 420 : narrow ? 420 : 720
below = 110
title = headed('clusters by size', '簇的大小分布')
note = tell(sprintf('%.0f clusters, %.0f texts', clusters_in_all, texts_in_all), sprintf('%.0f 个簇，%.0f 篇文本', clusters_in_all, texts_in_all), \
    sprintf('%.0f clusters 簇, %.0f texts 文本', clusters_in_all, texts_in_all))
eval lay_head
header = head_height(34)
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
set label 1 say('texts of a cluster', '簇的文本数') at graph 0.5, screen y_at(header + plot_height + 70) center
set label 2 say('clusters', '簇数') at screen x_at(30), graph 0.5 center rotate
right_end = most_texts < 10 ? 10 : most_texts * 1.3
high_end = most_clusters < 10 ? 10 : most_clusters * 1.5
set xrange [1.7:right_end]
set yrange [0.7:high_end]
set logscale xy
# On a short axis, powers of ten alone are too few ticks.
set xtics () format ''
set ytics () format ''
do for [k = 0:15] {
    do for [m in '1 2 5'] {
        v = m * 10.0 ** k
        if (v >= 1.7 && v <= right_end && (m == 1 || right_end < 2000)) { set xtics add (sprintf('%.0f', v) v) }
        if (v <= high_end && (m == 1 || high_end < 2000)) { set ytics add (sprintf('%.0f', v) v) }
    }
}
plot table using (column("texts")):(column("clusters")) with points pointtype 7 pointsize dot(1.6) linecolor rgb first_colour \
    title say('clusters', '簇数') noenhanced
unset multiplot
unset output
