# SPDX-License-Identifier: GPL-3.0-or-later
#
# ranking.gp - what the curves over all thresholds share: precision_recall.gp, roc.gp and gain.gp load it. A panel an arm, with
# the curves of the others behind it, and marks at thresholds. It is given
#   table, first_row[i], last_row[i]    the rows of arm i
#   across_of($0), up_of($0)                the point of a row, by its columns
#   distance_of($0)                       its distance, or NaN: then there are no marks
#   axis_across, axis_up                what stands at the axes
#   drawn_with                          lines or fsteps
#   note_of[i]                          what stands below the name of arm i
# number_right                        whether the numbers of marks stand on the right
# and beside them `title`, `note`, `behind`, what is drawn behind all curves, in `behind_samples` points, with
# `behind_look` and `behind_said`, its legend.

# ---- Curves, thinned to what can be seen: a curve may have a row for every pair ----

seen = arms > 4 ? 0.002 : 0.001 # of an axis
behind_seen = 0.01
most_behind = 24 # arms; more would hide one another
thresholds = '1 2 3 5 10 20 30 40 50 60 70 80 100 120 150 200 300 400 500 700 1000'
marks = words(thresholds)
threshold_at(k) = k > marks ? 1e300 : real(word(thresholds, k))
array mark_x[arms * marks]
array mark_y[arms * marks]
# The mark of a threshold is at the last row that is not beyond it.
settle(d) = next_mark <= marks && threshold_at(next_mark) < d ? \
    (mark_x[marks * (i - 1) + next_mark] = row_x, mark_y[marks * (i - 1) + next_mark] = row_y, next_mark = next_mark + 1, settle(d)) : 0
# Whether to keep a row; a kept row is remembered.
thin(x, y, closeness) = (kept = abs(x - kept_x) >= closeness || abs(y - kept_y) >= closeness, kept_x = kept ? x : kept_x, kept_y = kept ? y : kept_y, 0)
visit(x, y, d) = (d == d ? settle(d) : 0, row_d = d, row_x = x, row_y = y, thin(x, y, seen))
do for [i = 1:arms] {
    do for [k = 1:marks] { mark_x[marks * (i - 1) + k] = NaN }
    do for [block in 'curve behind'] {
        eval sprintf("set print $%s_%d", block, i)
        print "x\ty\tkept"
        unset print
    }
    if (last_row[i] < first_row[i]) { continue }
    row_d = NaN
    row_x = NaN
    row_y = NaN
    kept_x = -1
    kept_y = -1
    next_mark = 1
    eval sprintf("set table $curve_%d append", i)
    if (starts) { plot table every ::first_row[i]::first_row[i] using (start_x($0)):(start_y($0)):(0) with table }
    plot table every ::first_row[i]::last_row[i] using (across_of($0)):(up_of($0)):(visit(across_of($0), up_of($0), distance_of($0))) with table \
        if (kept || $0 == last_row[i] - first_row[i])
    unset table
    row_d = settle(row_d * (1 + 1e-12))
    # Behind other curves fewer points do.
    kept_x = -1
    kept_y = -1
    eval sprintf("last_kept = |$curve_%d| - 2", i)
    eval sprintf("set table $behind_%d append", i)
    plot sprintf('$curve_%d', i) using (column("x")):(column("y")):(thin(column("x"), column("y"), behind_seen)) with table if (kept || $0 == last_kept)
    unset table
}

# ---- Head ----

marked = say('the arm, at thresholds', '本方案（标注阈值）')
others = say('the other arms', '其他方案')
eval lay_headings
eval lay_head
x = entry(line_look(first_colour, 3, 1).(has_marks ? point_look(first_colour, 7, 1.6) : ''), has_marks ? marked : say('the arm', '本方案'))
if (arms > 1 && arms <= most_behind) { x = entry(line_look('#B8B8B8', 2, 1), others) }
if (strlen(behind_said)) { x = entry(behind_look, behind_said) }
if (strlen(iso_said)) { x = entry(line_look(pale, 1.5, 1), iso_said) }
header = head_height(44)
plot_height = usual_height + (slide ? 0 : arms == 1 ? 160 : 70)
axis_of(i) = axis_across
eval fit_below
eval fit_height
eval open_canvas
set multiplot
eval open_sheet
eval draw_head
plot 0 linecolor rgb '#FFFFFFFF' notitle
eval close_sheet

# ---- Panels ----

set xrange [-0.01:1.02]
set yrange [-0.01:1.03]
step = panel_width - left_of_plot - right_of_plot < 280 ? 0.5 : 0.2
set xtics step format '%.1f'
set ytics 0.2 format '%.1f'
unset grid
set samples behind_samples
level(k) = real(word(levels, k))
per_mark_x = 1.03 / (panel_width - left_of_plot - right_of_plot)
do for [i = 1:arms] {
    axis = axis_of(i)
    eval place
    per_mark_y = 1.04 / plot_height
    set label 3 axis_up at screen x_at(left - 66), screen y_at((top + bottom) / 2) center rotate
    do for [k = 1:words(levels)] {
        if (iso_shown(k)) { set label 10 + k sprintf('%g', level(k)) at iso_end_x(k), iso_end_y(k) offset 0.4, 0 textcolor rgb quiet font face(small) }
    }
    # A number is left out where the one before it is too near.
    said_x = -9
    said_y = -9
    do for [k = 1:marks] {
        x = mark_x[marks * (i - 1) + k]
        y = mark_y[marks * (i - 1) + k]
        if (x != x) { continue }
        set label 100 + k '' at x, y point pointtype 7 pointsize dot(1.4) linecolor rgb first_colour front
        on_right = number_right || x < 0.06
        number_x = x + (on_right ? 21 : -21) * per_mark_x
        if (abs(number_x - said_x) < 34 * per_mark_x && abs(y - said_y) < 24 * per_mark_y) { continue }
        if (on_right) { set label 200 + k word(thresholds, k) at x + 9 * per_mark_x, y - 17 * per_mark_y left font face(small) front }
        if (!on_right) { set label 200 + k word(thresholds, k) at x - 9 * per_mark_x, y - 15 * per_mark_y right font face(small) front }
        said_x = number_x
        said_y = y
    }
    drawn = "plot ".behind
    do for [j = 1:arms] {
        if (j != i && arms <= most_behind) { drawn = drawn.sprintf("$behind_%d using (column('x')):(column('y')) with %s linecolor rgb '#B8B8B8' linewidth 1.5 title label[%d] noenhanced, ", j, drawn_with, j) }
    }
    # A viewer of the SVG shows the titles as tips.
    drawn = drawn.sprintf("$curve_%d using (column('x')):(column('y')) with %s linecolor rgb first_colour linewidth 3.5 title label[%d] noenhanced", i, drawn_with, i)
    eval drawn
    unset label
}
unset multiplot
unset output
