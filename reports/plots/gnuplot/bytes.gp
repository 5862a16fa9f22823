# SPDX-License-Identifier: GPL-3.0-or-later
#
# bytes.gp - average precision against the stored bytes per document, a panel per arm of a corpus, with its interval and
# the other arms in the background. Dashed: the exact similarity that the arm estimates; dotted: the bound, with each
# distance sampled independently from the arm's theoretical distribution. An arm without a size parameter is one point.
# To redraw, in this directory:
#   gnuplot CORPUS-arms.gp bytes.gp
#   gnuplot -e "format = 'svg'" CORPUS-arms.gp bytes.gp

figure = 'bytes'
left_of_plot = 112
load (exists('here') ? here : '').'style.gp'
table = directory.'/bytes.tsv'
most_behind = 24 # arms in the background; more would hide one another

# ---- Ranges, and the bytes needed to come near the exact similarity ----

least_bytes = 1e300
most_bytes = 0
least = 1
most = 0
bounds = 0
ceilings = 0
array ceiling[arms]
take(v) = v == v ? (least = v < least ? v : least, most = v > most ? v : most, 0) : 0
do for [i = 1:arms] {
    ceiling[i] = NaN
    stats table every ::bytes_first[i]::bytes_last[i] using (b = column("bytes"), least_bytes = b < least_bytes ? b : least_bytes, \
        most_bytes = b > most_bytes ? b : most_bytes, take(column("average_precision")), take(column("bound")), take(column("exact")), \
        ceiling[i] = column("exact"), bounds = bounds || column("bound") == column("bound"), 0) nooutput
    ceilings = ceilings || ceiling[i] == ceiling[i]
    if (bytes_needed_last[i] < bytes_needed_first[i]) { continue }
    stats directory.'/bytes-needed.tsv' every ::bytes_needed_first[i]::bytes_needed_last[i] using (needed = strcol("bytes_needed"), \
        largest = column("largest"), within = column("within"), 0) nooutput
    note_of[i] = needed eq 'NA' ? tell(sprintf('not within %g of the exact similarity at %g bytes', within, largest), \
        sprintf('%g 字节时与精确相似度仍相差 %g 以上', largest, within), sprintf('beyond %g of exact: %g bytes 字节', within, largest)) : \
        tell(sprintf('within %g of the exact similarity from %s bytes on', within, needed), sprintf('%s 字节起与精确相似度相差不到 %g', needed, within), \
        sprintf('within %g of exact: %s bytes 字节', within, needed))
}
eval lay_headings

# ---- Head ----

interval = sure_of('interval')
title = titled('average precision against stored bytes', '平均精确率与存储字节数')
note = ''
eval lay_head
x = entry(line_look(first_colour, 3, 1).point_look(first_colour, 7, 1.5), say('the arm', '本方案'))
x = entry(fill_look(tint(first_colour), 'solid noborder'), interval)
exact_said = say('exact similarity', '精确相似度')
bound_said = say('bound: independent bits or slots', '界：相互独立的位或槽')
if (ceilings) { x = entry(line_look(ink, 2, 2), exact_said) }
if (bounds) { x = entry(line_look(second_colour, 3.5, 3), bound_said) }
if (arms > 1 && arms <= most_behind) { x = entry(line_look('#B8B8B8', 2, 1), say('the other arms', '其他方案')) }
header = head_height(44)
plot_height = usual_height
axis_of(i) = say('stored bytes of a document', '每篇文本存储的字节数')
eval fit_below
eval fit_height
eval open_canvas
set multiplot
eval open_sheet
eval draw_head
plot 0 linecolor rgb '#FFFFFFFF' notitle
eval close_sheet

# ---- Panels ----

low_end = floor(10 * (least - 0.02)) / 10.0
set yrange [low_end < 0 ? 0 : low_end:most > 0.9 ? 1.005 : ceil(10 * most + 0.2) / 10.0]
set ytics autofreq format '%g'
set logscale x 2
set xrange [least_bytes / 1.25:most_bytes * 1.25]
powers_of_two = log(most_bytes / least_bytes) / log(2) + 1
every = int(ceil(powers_of_two / room_for_marks))
set xtics 2 ** every format '%.0f'
do for [i = 1:arms] {
    axis = axis_of(i)
    eval place
    set label 3 say('average precision', '平均精确率') at screen x_at(left - 84), screen y_at((top + bottom) / 2) center rotate
    first = bytes_first[i]
    last = bytes_last[i]
    # SVG viewers show titles as tooltips.
    drawn = "plot -1 linecolor rgb '#FFFFFFFF' notitle, "
    do for [j = 1:arms] {
        if (j != i && arms <= most_behind) { drawn = drawn.sprintf("table every ::%d::%d using (column('bytes')):(column('average_precision')) with linespoints linecolor rgb '#B8B8B8' linewidth 1.5 pointtype 7 pointsize dot(0.6) title label[%d] noenhanced, ", bytes_first[j], bytes_last[j], j) }
    }
    if (last > first) { drawn = drawn."table every ::first::last using (column('bytes')):(column('average_precision_low')):(column('average_precision_high')) with filledcurves linecolor rgb tint(first_colour) title of(label[i], interval) noenhanced, " }
    else { drawn = drawn."table every ::first::last using (column('bytes')):(column('average_precision')):(column('average_precision_low')):(column('average_precision_high')) with yerrorbars linecolor rgb tint(first_colour) linewidth 6 pointtype 0 title of(label[i], interval) noenhanced, " }
    if (ceiling[i] == ceiling[i]) { drawn = drawn."ceiling[i] with lines linecolor rgb ink linewidth 2 dashtype 2 title of(label[i], exact_said) noenhanced, " }
    drawn = drawn."table every ::first::last using (column('bytes')):(column('average_precision')) with linespoints linecolor rgb first_colour linewidth 3.5 pointtype 7 pointsize dot(1.5) title label[i] noenhanced, "
    drawn = drawn."table every ::first::last using (column('bytes')):(column('bound')) with lines linecolor rgb second_colour linewidth 4 dashtype 3 title of(label[i], bound_said) noenhanced"
    eval drawn
    unset label
}
unset multiplot
unset output
