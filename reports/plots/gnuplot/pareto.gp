# SPDX-License-Identifier: GPL-3.0-or-later
#
# pareto.gp - quality on held-out groups against bytes and against microseconds per document, for every arm of a tuning. The
# arms of the front, which no other arm equals in all three and beats in one, have colours and intervals; a ring marks the
# arm that is recommended. It is loaded after STEM-front.gp, which gives objective, and for each arm to be named arm_row,
# on_front and is_recommended. To redraw, in the directory of this file:
#   gnuplot STEM-front.gp pareto.gp
#   gnuplot -e "format = 'svg'" STEM-front.gp pareto.gp

figure = 'pareto'
across = 1
left_of_plot = 110
right_of_plot = 32
heading_width = 980
load (exists('here') ? here : '').'style.gp'
table = directory.'/pareto.tsv'
other = '#A0A0A0'

array value[arms]
array bytes[arms]
array time[arms]
do for [i = 1:arms] {
    stats table every ::arm_row[i]::arm_row[i] \
        using (value[i] = strcol("held_out"), bytes[i] = column("bytes_per_document"), time[i] = column("microseconds_per_document"), 0) nooutput
}
stats table using (column("bytes_per_document")) nooutput prefix 'B'
stats table using (column("microseconds_per_document")) nooutput prefix 'T'
stats table using (column("held_out")) nooutput prefix 'Q'

# ---- Title, and a legend of a line an arm ----

header = 128
plot_height = 560
below = 110
entry_height = 12
height = header + plot_height + below + 20
do for [i = 1:arms] { height = height + entry_height + line * lines_of[i] }
height = int(height)
dot_size = dot(2.1)
eval open_canvas
set multiplot

eval open_sheet
name = objective eq 'recall' ? say('recall', '召回率') : objective
title = titled('quality against size and time', '质量与体积、耗时')
set label 1 title at 24, 36 font fitting(title, headline, width - 420)
set label 2 tell(sprintf('%.0f arms', B_records), sprintf('%.0f 个方案', B_records), sprintf('%.0f arms 方案', B_records)) at width - 24, 36 right textcolor rgb quiet
set label 3 tell(name.' on held-out groups', '留出组上的'.name, name.' on held-out groups 留出组').(confidence > 0 ? tell(', ', '，', ', ').sure_of('interval') : '') at 24, 90 textcolor rgb quiet
set label 4 '' at 1070, 90 point pointtype 6 pointsize 1.9 * dot_size linecolor rgb ink linewidth 2
set label 5 say('recommended', '推荐') at 1098, 90
set label 6 '' at 1330, 90 point pointtype 7 pointsize 0.6 * dot_size linecolor rgb other
set label 7 say('not on the front', '非前沿') at 1350, 90 textcolor rgb quiet
y = header + plot_height + below
do for [i = 1:arms] {
    y = y + entry_height / 2.0
    middle = y + line / 2.0
    set label 10 + 3 * i '' at 60, middle point pointtype point(i) pointsize dot_size linecolor rgb colour(i) linewidth 2
    figures = (value[i] eq 'NA' ? 'NA' : sprintf('%.3f', real(value[i]))).sprintf(', %.4g B, %.3g µs', bytes[i], time[i])
    set label 11 + 3 * i figures.(on_front[i] ? '' : ' *') at 96, middle textcolor rgb quiet
    set label 12 + 3 * i heading[i] at 360, middle
    if (is_recommended[i]) { set label 9 '' at 60, middle point pointtype 6 pointsize 1.9 * dot_size linecolor rgb ink linewidth 2 }
    y = y + line * lines_of[i] + entry_height / 2.0
}
plot 0 linecolor rgb '#FFFFFFFF' notitle
eval close_sheet

# ---- Two panels ----

# Logarithmic where the values span more than a factor of 8, with room for the outermost points.
wide(least, most) = most > 8 * least
low_edge(least, most) = wide(least, most) ? least / (most / least) ** 0.06 : 0
high_edge(least, most) = wide(least, most) ? most * (most / least) ** 0.06 : 1.08 * most
array column_of[2] = ['bytes_per_document', 'microseconds_per_document']
array axis_of[2] = [say('bytes per document', '每篇字节数'), say('microseconds per document', '每篇微秒数')]
array least_of[2] = [B_min, T_min]
array most_of[2] = [B_max, T_max]
set ytics format '%g'
set yrange [0 < * : * < 1]
do for [panel = 1:2] {
    left = (panel - 1) * width / 2.0 + left_of_plot
    right = panel * width / 2.0 - right_of_plot
    set lmargin at screen x_at(left)
    set rmargin at screen x_at(right)
    set tmargin at screen y_at(header)
    set bmargin at screen y_at(header + plot_height)
    set label 1 axis_of[panel] at graph 0.5, screen y_at(header + plot_height + 70) center
    if (panel == 1) { set label 2 name at screen x_at(26), graph 0.5 center rotate } else { unset label 2 }
    set xrange [low_edge(least_of[panel], most_of[panel]):high_edge(least_of[panel], most_of[panel])]
    if (wide(least_of[panel], most_of[panel])) {
        set logscale x
        if (most_of[panel] > 300 * least_of[panel]) {
            set xtics (0.01, 0.1, 1, 10, 100, 1000, 1e4, 1e5, 1e6, 1e7, 1e8) format '%g'
        } else {
            set xtics (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 1e4, 2e4, 5e4, 1e5, 1e6) format '%g'
        }
    } else {
        unset logscale x
        set xtics autofreq format '%g'
    }
    # A viewer of the SVG shows the titles as tips.
    plot table using (column(column_of[panel])):(column("held_out")) with points linecolor rgb other pointtype 7 pointsize 0.6 * dot_size \
            title say('not on the front', '非前沿') noenhanced, \
         for [i = 1:arms] table every ::arm_row[i]::arm_row[i] \
            using (column(column_of[panel])):(column("held_out")):(column("held_out_low")):(column("held_out_high")) \
            with yerrorbars linecolor rgb tint(colour(i)) linewidth 3 pointtype 0 title label[i] noenhanced, \
         for [i = 1:arms] table every ::arm_row[i]::arm_row[i] using (column(column_of[panel])):(column("held_out")) \
            with points linecolor rgb colour(i) linewidth 2 pointtype point(i) pointsize dot_size title label[i] noenhanced, \
         for [i = 1:arms] table every ::arm_row[i]::arm_row[i] \
            using (is_recommended[i] ? column(column_of[panel]) : NaN):(column("held_out")) \
            with points linecolor rgb ink linewidth 2 pointtype 6 pointsize 1.9 * dot_size title say('recommended', '推荐') noenhanced
}
unset multiplot
unset output
