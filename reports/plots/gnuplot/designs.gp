# SPDX-License-Identifier: GPL-3.0-or-later
#
# designs.gp - the cost of a query against the memory of the tables, for designs of an index; both axes logarithmic. The
# line joins the Pareto front, the designs that no other equals in one and beats in the other; a ring marks the
# recommended design, a dashed line the available memory. Load STEM-rows.gp first: it defines bits, distance,
# fingerprints, most_bytes and for each row of designs.tsv its label, on_front and is_recommended. To redraw, in the
# directory of this file:
#   gnuplot STEM-rows.gp designs.gp
#   gnuplot -e "format = 'svg'" STEM-rows.gp designs.gp

figure = 'designs'
across = 1
left_of_plot = 180
right_of_plot = 60
load (exists('here') ? here : '').'style.gp'
table = directory.'/designs.tsv'
other = '#8C8C8C'

array bytes[arms]
array time[arms]
do for [i = 1:arms] {
    stats table every ::(i - 1)::(i - 1) using (bytes[i] = column("bytes"), time[i] = column("nanoseconds"), 0) nooutput
}
# A design that takes many times the memory of all others, such as copies of every variant, is only in the legend.
array sorted[arms]
do for [i = 1:arms] { sorted[i] = bytes[i] }
do for [a = 1:arms] { do for [b = a + 1:arms] { if (sorted[b] < sorted[a]) { swap = sorted[a]; sorted[a] = sorted[b]; sorted[b] = swap } } }
outside_from = arms > 1 && sorted[arms] > 30 * sorted[arms - 1] ? sorted[arms] : sorted[arms] + 1
most_inside = outside_from > sorted[arms] ? sorted[arms] : sorted[arms - 1]
is_inside(i) = bytes[i] < outside_from
least_time = time[1]
most_time = time[1]
do for [i = 1:arms] {
    if (is_inside(i) && time[i] < least_time) { least_time = time[i] }
    if (is_inside(i) && time[i] > most_time) { most_time = time[i] }
}

# ---- Title, and a legend with two designs per line ----

unit_text(v, step, names) = v < step ? sprintf('%.3g', v).' '.word(names, 1) : v < step ** 2 ? sprintf('%.3g', v / step).' '.word(names, 2) \
    : v < step ** 3 ? sprintf('%.3g', v / step ** 2).' '.word(names, 3) : v < step ** 4 ? sprintf('%.3g', v / step ** 3).' '.word(names, 4) \
    : v < step ** 5 ? sprintf('%.3g', v / step ** 4).' '.word(names, 5) : v < step ** 6 ? sprintf('%.3g', v / step ** 5).' '.word(names, 6) \
    : sprintf('%.1e', v / step ** 6).' '.word(names, 7)
bytes_text(v) = unit_text(v, 1024.0, 'B KiB MiB GiB TiB PiB EiB')
time_text(v) = v < 1e12 ? unit_text(v, 1000.0, 'ns µs ms s s s s') : sprintf('%.2g s', v / 1e9)

# 1,073,741,824
grouped(v) = v < 1000 ? sprintf('%.0f', v) : grouped(floor(v / 1000)).sprintf(',%03.0f', v - 1000 * floor(v / 1000))
count = fingerprints < 1e15 ? grouped(fingerprints) : sprintf('%.4g', fingerprints)
plot_height = slide ? 380 : narrow ? 420 : 720
below = 110
title = headed('cost of a query against memory', '查询代价与内存')
note = tell(sprintf('%s fingerprints of %.0f bits, distance %.0f', count, bits, distance), \
    sprintf('%s 个 %.0f 位指纹，距离 %.0f', count, bits, distance), \
    sprintf('%s fingerprints 指纹, %.0f bits 位, distance 距离 %.0f', count, bits, distance))
eval lay_head
x = entry(point_look(first_colour, 7, 2.1), say('front', '前沿'))
x = entry(point_look(ink, 6, 4), say('recommended', '推荐'))
x = entry(point_look(other, 7, 1.7), say('not on the front', '非前沿'))
if (most_bytes > 0) { x = entry(line_look(second_colour, 3, 2), say('memory', '内存').' '.bytes_text(most_bytes)) }
header = head_height(40)
text_of(i) = label[i].': '.bytes_text(bytes[i]).', '.time_text(time[i]).(is_inside(i) ? '' : ' '.say('(not in the picture)', '（图外）'))
columns = narrow ? 1 : 2
in_column = (arms + columns - 1) / columns
array listed[arms]
array listed_y[arms]
height = 0
do for [i = 1:arms] {
    if ((i - 1) % in_column == 0) { y = header + plot_height + below }
    listed[i] = wrap(text_of(i), text, (width - 48) / columns - 70)
    listed_y[i] = y + line / 2.0
    y = y + 10 + line * rows_of(listed[i])
    height = y > height ? y : height
}
height = int(height + 20)
eval open_canvas
dot_size = dot(2.1)
set multiplot
eval open_sheet
eval draw_head
do for [i = 1:arms] {
    x = 24 + (i - 1) / in_column * (width - 48) / columns
    y = listed_y[i]
    set label 10 + 2 * i sprintf('%d', i) at x + 44, y right textcolor rgb (on_front[i] ? ink : quiet)
    set label 11 + 2 * i listed[i] at x + 60, y textcolor rgb (on_front[i] ? ink : quiet)
}
plot 0 linecolor rgb '#FFFFFFFF' notitle
eval close_sheet

# ---- Sheet ----

set lmargin at screen x_at(left_of_plot)
set rmargin at screen x_at(width - right_of_plot)
set tmargin at screen y_at(header)
set bmargin at screen y_at(header + plot_height)
set label 1 say('memory of all tables', '全部表的内存') at graph 0.5, screen y_at(header + plot_height + 70) center
set label 2 say('expected time of a query', '每次查询的预期时间') at screen x_at(30), graph 0.5 center rotate

# Both axes are logarithmic, with ticks at powers of a unit.
right_most = most_bytes > most_inside && most_bytes < 30 * most_inside ? most_bytes : most_inside
left_end = sorted[1] / (right_most / sorted[1]) ** 0.06 / 1.1
right_end = right_most * (right_most / sorted[1]) ** 0.06 * 1.1
low_end = least_time / (most_time / least_time) ** 0.12 / 1.1
high_end = most_time * (most_time / least_time) ** 0.06 * 1.1
set xrange [left_end:right_end]
set yrange [low_end:high_end]
set logscale xy
set xtics () format ''
set ytics () format ''
step_x = right_end / left_end > 4096 ? (right_end / left_end > 2.0 ** 30 ? 1024.0 : 8.0) : 2.0
do for [k = 0:70] {
    v = step_x ** k
    if (v >= left_end && v <= right_end) { set xtics add (bytes_text(v) v) }
}
step_y = high_end / low_end > 1e12 ? 1000.0 : 10.0
do for [k = 0:36] {
    v = step_y ** k
    if (v >= low_end && v <= high_end) { set ytics add (time_text(v) v) }
}
if (most_bytes > 0 && most_bytes <= right_end && most_bytes >= left_end) {
    set arrow 1 from most_bytes, graph 0 to most_bytes, graph 1 nohead back linecolor rgb second_colour linewidth 3 dashtype 2
}

# The front by memory: each step goes right to the next design, then down to its time. The space below is empty and has
# the names.
array order[arms]
steps = 0
do for [i = 1:arms] { if (on_front[i] && is_inside(i)) { steps = steps + 1; order[steps] = i } }
do for [a = 1:steps] { do for [b = a + 1:steps] { if (bytes[order[b]] < bytes[order[a]]) { swap = order[a]; order[a] = order[b]; order[b] = swap } } }
do for [a = 1:steps - 1] {
    i = order[a]
    j = order[a + 1]
    set arrow 10 + 2 * a from bytes[i], time[i] to bytes[j], time[i] nohead back linecolor rgb tint(first_colour) linewidth 4
    set arrow 11 + 2 * a from bytes[j], time[i] to bytes[j], time[j] nohead back linecolor rgb tint(first_colour) linewidth 4
}
is_left(i) = log(bytes[i] / left_end) < 0.3 * log(right_end / left_end)
do for [a = 1:steps] {
    i = order[a]
    if (is_left(i)) { set label 100 + i sprintf('%d ', i).label[i] at bytes[i], time[i] left offset 1.3, 0.9 }
    if (!is_left(i)) { set label 100 + i sprintf('%d ', i).label[i] at bytes[i], time[i] right offset -1.4, -0.9 }
}
do for [i = 1:arms] {
    if (!on_front[i] && is_inside(i)) { set label 100 + i sprintf('%d', i) at bytes[i], time[i] left offset 0.9, 0.6 textcolor rgb quiet font face(small) }
}
# SVG viewers show titles as tooltips.
plot for [i = 1:arms] '+' using (is_inside(i) ? bytes[i] : NaN):(time[i]) every ::::0 with points pointtype 7 \
        linecolor rgb (on_front[i] ? first_colour : other) pointsize (on_front[i] ? dot_size : 0.8 * dot_size) title label[i] noenhanced, \
     for [i = 1:arms] '+' using (is_recommended[i] ? bytes[i] : NaN):(time[i]) every ::::0 with points linecolor rgb ink linewidth 2 \
        pointtype 6 pointsize 1.9 * dot_size title say('recommended', '推荐') noenhanced
unset multiplot
unset output
