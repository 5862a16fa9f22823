# SPDX-License-Identifier: GPL-3.0-or-later
#
# ranking.gp - curves over all thresholds; loaded by precision_recall.gp, roc.gp and gain.gp. One panel has the curves
# of all arms, distinguished by colour, dashes and marks; a list names them, the best first. Input:
#   table, first_row[i], last_row[i]    the rows of arm i
#   across_of($0), up_of($0)                the point of a row, by its columns
#   distance_of($0)                       its distance; NaN: no marks
#   score[i]                            order of the list, NaN last
#   axis_across, axis_up                labels of the axes
#   drawn_with                          lines or fsteps, where the height of a point applies from the previous point
#   note_of[i]                          text below the name of arm i
# and `title`, `note`, `behind` (commands that draw the background), with
# `behind_look` and `behind_said`, its legend.

# ---- Curves, thinned to visible differences (a curve may have a row for every pair); a mark at the best F1 ----

seen = arms > 4 ? 0.002 : 0.001 # smallest visible difference, as a share of an axis
array mark_x[arms]
array mark_y[arms]
array best_at[arms]
# Whether to keep a row; stores the kept row.
thin(x, y) = (kept = abs(x - kept_x) >= seen || abs(y - kept_y) >= seen, kept_x = kept ? x : kept_x, kept_y = kept ? y : kept_y, 0)
# The mark is at the last row within the threshold.
visit(x, y, d) = (d <= best_at[i] * (1 + 1e-12) ? (mark_x[i] = x, mark_y[i] = y) : 0, thin(x, y))
do for [i = 1:arms] {
    mark_x[i] = NaN
    mark_y[i] = NaN
    stats directory.'/summary.tsv' every ::summary_first[i]::summary_last[i] using ( \
        best_at[i] = strcol("best_threshold") eq 'NA' ? NaN : column("best_threshold"), 0) nooutput
    if (has_marks && best_at[i] == best_at[i]) { note_of[i] = note_of[i]."\n".best_said(best_at[i]) }
    eval sprintf("set print $curve_%d", i)
    print "x\ty\tkept"
    unset print
    if (last_row[i] < first_row[i]) { continue }
    kept_x = -1
    kept_y = -1
    eval sprintf("set table $curve_%d append", i)
    if (starts) { plot table every ::first_row[i]::first_row[i] using (start_x($0)):(start_y($0)):(0) with table }
    plot table every ::first_row[i]::last_row[i] using (across_of($0)):(up_of($0)):(visit(across_of($0), up_of($0), distance_of($0))) with table \
        if (kept || $0 == last_row[i] - first_row[i])
    unset table
    # Steps as an explicit line: gnuplot's steps restart the dashes at each.
    if (drawn_with eq 'lines') { continue }
    eval sprintf("rows = |$curve_%d|", i)
    eval sprintf("array from[rows]; do for [n = 2:rows] { from[n] = $curve_%d[n] }; undefine $curve_%d; set print $curve_%d", i, i, i)
    print "x\ty"
    do for [n = 2:rows] {
        if (n > 2) { print word(from[n - 1], 1)."\t".word(from[n], 2) }
        print word(from[n], 1)."\t".word(from[n], 2)
    }
    unset print
}

# ---- Head, and places in pixels: the list beside the panel, or below it if there is no room ----

eval lay_head
if (has_marks) { x = entry(point_look(quiet, 7, 1.6), say('the best F1', '最佳 F1')) }
if (strlen(behind_said)) { x = entry(behind_look, behind_said) }
if (strlen(iso_said)) { x = entry(line_look(pale, 2, 1), iso_said) }
header = head_height(44)
below = 100
left = 110.0
beside = !narrow && (slide || arms <= 9)
right = beside ? width * (slide ? 0.55 : 0.6) : width - 76
plot_height = slide ? 400 : narrow ? 480 : right - left > 760 ? 760 : right - left
list_left = beside ? right + 100 : 24
# On a slide or in a column, a long list has only names.
if (arms > (slide ? 5 : narrow ? 10 : arms)) { do for [i = 1:arms] { note_of[i] = '' } }
array rank[arms]
do for [i = 1:arms] { rank[i] = i }
comes_before(a, b) = score[a] > score[b] || (score[b] != score[b] && score[a] == score[a])
do for [a = 1:arms - 1] { do for [b = arms:a + 1:-1] { if (comes_before(rank[b], rank[b - 1])) { swap = rank[b]; rank[b] = rank[b - 1]; rank[b - 1] = swap } } }
# A list below has as many columns as fit.
widest = 0
do for [i = 1:arms] {
    do for [said in '0 1'] {
        long = ems(int(said) ? label[i] : note_of[i][1:strstrt(note_of[i]."\n", "\n") - 1]) * (int(said) ? text : small)
        widest = long > widest ? long : widest
    }
}
columns = beside ? 1 : int((width - 24) / (widest + swatch + 16))
columns = columns < 1 ? 1 : columns > arms ? arms : columns
in_column = int(ceil(arms / real(columns)))
column_wide = beside ? width - list_left - 24 : (width - 24) / columns
list_wide = column_wide - swatch - 16
array list_x[arms]
array list_y[arms]
bottom = header + plot_height
list_top = beside ? header - 12 : bottom + below
y = list_top
list_end = y
do for [k = 1:arms] {
    i = rank[k]
    heading[i] = wrap(label[i], text, list_wide)
    note_of[i] = wrap(note_of[i], small, list_wide)
    if ((k - 1) % in_column == 0) { y = list_top }
    list_x[i] = list_left + (k - 1) / in_column * column_wide
    list_y[i] = y + line / 2.0
    y = y + line * rows_of(heading[i]) + 0.87 * line * rows_of(note_of[i]) + (rows_of(note_of[i]) ? 12 : 0)
    list_end = y > list_end ? y : list_end
}
if (canvas_height) {
    stretched = canvas_height / scale - (beside ? below : list_end - bottom) - header
    shift = stretched < 0.6 * plot_height || (!beside && stretched > 2 * plot_height) ? 0 : stretched - plot_height
    plot_height = plot_height + shift
    bottom = bottom + shift
    if (!beside) { do for [i = 1:arms] { list_y[i] = list_y[i] + shift }; list_end = list_end + shift }
}
height = int(list_end > bottom + below ? list_end + 12 : bottom + below)
eval open_canvas
set multiplot
eval open_sheet
eval draw_head
do for [i = 1:arms] {
    x = list_x[i]
    y = list_y[i]
    k = 200 + i # tags of the legend entries
    eval line_look(colour(i), 3.5, dash(i))
    if (has_marks) { eval point_look(colour(i), point(i), 1.8) }
    set label 2000 + 2 * i heading[i] at x + swatch + 16, y
    set label 2001 + 2 * i note_of[i] at x + swatch + 16, y + line * rows_of(heading[i]) font face(small) textcolor rgb quiet
}
plot 0 linecolor rgb '#FFFFFFFF' notitle
eval close_sheet

# ---- Panel ----

set lmargin at screen x_at(left)
set rmargin at screen x_at(right)
set tmargin at screen y_at(header)
set bmargin at screen y_at(bottom)
set xrange [-0.01:1.02]
set yrange [-0.01:1.03]
set xtics 0.2 format '%.1f'
set ytics 0.2 format '%.1f'
unset grid
set samples 100
level(k) = real(word(levels, k))
set label 1 axis_across at graph 0.5, screen y_at(bottom + 66) center
set label 2 axis_up at screen x_at(left - 80), screen y_at((header + bottom) / 2) center rotate
do for [k = 1:words(levels)] {
    if (iso_shown(k)) { set label 10 + k sprintf('%g', level(k)) at iso_end_x(k), iso_end_y(k) offset 0.4, 0 textcolor rgb quiet font face(small) }
}
# SVG viewers show titles as tooltips.
drawn = "plot ".behind
do for [i = 1:arms] {
    drawn = drawn.sprintf("$curve_%d using (column('x')):(column('y')) with lines linecolor rgb colour(%d) dashtype dash(%d) linewidth 3.5 title label[%d] noenhanced, ", i, i, i, i)
}
drawn = drawn."for [i = 1:arms] '+' using (mark_x[i]):(mark_y[i]) every ::::0 with points linecolor rgb colour(i) linewidth 2 pointtype point(i) pointsize dot(1.8) title label[i] noenhanced"
eval drawn
unset multiplot
unset output
