# SPDX-License-Identifier: GPL-3.0-or-later
#
# front.gp - quality against bytes and against time, shared by pareto.gp and quality.gp: every named arm has a mark,
# explained in the list below, and its name beside the mark if there is room; a line joins the Pareto front of each
# panel, the arms that no other one equals at less cost. Input:
#   table, first_of_all, last_of_all    rows of all arms, named or not
#   arm_row[i]                          the row of a named arm
#   quality_of(r), low_of(r), high_of(r), bytes_of(r), time_of(r), time_least_of(r), time_most_of(r)   by the columns of a row
#   bound_of(r)                         bound for independent bits or slots (eval/analyses/theory.h); NaN: unknown
#   is_recommended[i]
# and `title`, `note`, `quality_said`, `times_said`, the kind of the times' ranges, and the label of the quality axis.

cost_of(p) = p == 1 ? bytes_of(0) : time_of(0)
array value[arms]
array value_low[arms]
array value_high[arms]
array cost[2 * arms]
array time_least[arms]
array time_most[arms]
array bound[arms]
times_vary = 0
bounds = 0
do for [i = 1:arms] {
    stats table every ::arm_row[i]::arm_row[i] using (value[i] = quality_of(0), value_low[i] = low_of(0), value_high[i] = high_of(0), \
        cost[i] = bytes_of(0), cost[arms + i] = time_of(0), time_least[i] = time_least_of(0), time_most[i] = time_most_of(0), bound[i] = bound_of(0), 0) nooutput
    bounds = bounds || bound[i] == bound[i]
    if (time_most[i] > cost[arms + i]) { times_vary = 1 }
}

# ---- The front of each panel: repeatedly the cheapest of the better arms ----

array front_steps[2]
array step_cost[400]
array step_quality[400]
do for [p = 1:2] {
    eval sprintf("set print $front_%d", p)
    print "cost\tquality"
    best = 0
    front_steps[p] = 0
    do for [step = 1:200] {
        least = 1e300
        stats table every ::first_of_all::last_of_all using (quality_of(0) > best && cost_of(p) < least ? (least = cost_of(p)) : 0, 0) nooutput
        if (least == 1e300) { break }
        if (front_steps[p]) { print sprintf("%.12g\t%.12g", least, best) }
        stats table every ::first_of_all::last_of_all using (cost_of(p) == least && quality_of(0) > best ? (best = quality_of(0)) : 0, 0) nooutput
        print sprintf("%.12g\t%.12g", least, best)
        front_steps[p] = front_steps[p] + 1
        step_cost[200 * (p - 1) + step] = least
        step_quality[200 * (p - 1) + step] = best
    }
    unset print
}
# ---- Ranges: logarithmic if the values span more than a factor of 8 ----

array least_of[2]
array most_of[2]
least_quality = 1
most_quality = 0
do for [p = 1:2] {
    least_of[p] = 1e300
    most_of[p] = 0
    stats table every ::first_of_all::last_of_all using (cost_of(p) > 0 && cost_of(p) < least_of[p] ? (least_of[p] = cost_of(p)) : 0, \
        cost_of(p) > most_of[p] ? (most_of[p] = cost_of(p)) : 0, quality_of(0) < least_quality ? (least_quality = quality_of(0)) : 0, \
        quality_of(0) > most_quality ? (most_quality = quality_of(0)) : 0, 0) nooutput
    if (most_of[p] <= 0) { least_of[p] = 1; most_of[p] = 2 }
}
do for [i = 1:arms] {
    if (value_low[i] < least_quality) { least_quality = value_low[i] }
    if (value_high[i] > most_quality) { most_quality = value_high[i] }
    if (bound[i] > most_quality) { most_quality = bound[i] }
    if (bound[i] < least_quality) { least_quality = bound[i] }
    if (time_most[i] > most_of[2]) { most_of[2] = time_most[i] }
    if (time_least[i] > 0 && time_least[i] < least_of[2]) { least_of[2] = time_least[i] }
}
wide(p) = most_of[p] > 8 * least_of[p]
# An axis ends at ticks: decades, or 1, 2, 5; a linear one at multiples of the step.
in_decades(p) = most_of[p] > 60 * least_of[p] || narrow
decade(v) = 10.0 ** floor(log10(v) + 1e-9)
below_of(p, v) = decade(v) * (in_decades(p) || v < 1.999 * decade(v) ? 1 : v < 4.999 * decade(v) ? 2 : 5)
above_of(p, v) = decade(v) * (in_decades(p) || v > 5.001 * decade(v) ? 10 : v > 2.001 * decade(v) ? 5 : 2)
step_of(p) = nice(1.05 * most_of[p], narrow ? 4 : 6)
low_edge(p) = wide(p) ? below_of(p, least_of[p] / 1.1) : 0
high_edge(p) = wide(p) ? above_of(p, most_of[p] * 1.1) : step_of(p) * ceil(1.05 * most_of[p] / step_of(p))
at_share(p, c) = wide(p) ? log(c / low_edge(p)) / log(high_edge(p) / low_edge(p)) : c / high_edge(p)

# ---- Head, and below a list of the arms: number, values, name ----

stacked = narrow # one panel below the other
interval = sure_of('interval')
eval lay_head
front_said = say('the front: no other is as good for less', '前沿：更省者皆不及')
x = entry(line_look(quiet, 3, 1), front_said)
if (last_of_all - first_of_all + 1 > arms) { x = entry(point_look('#A0A0A0', 7, 1.3), say('not on it', '非前沿')) }
if (recommended_said ne '') { x = entry(point_look(ink, 6, 3.6), recommended_said) }
bound_said = say('bound: independent bits or slots', '界：相互独立的位或槽')
if (bounds) { x = entry(point_look(quiet, 4, 2.6), bound_said) }
if (confidence > 0) { x = entry(bar_look(quiet), interval.(times_vary ? times_said : '')) }
header = head_height(60)
plot_height = slide ? 330 : narrow ? 320 : 560
below = 110
entry_height = 10
figures_of(i) = (value[i] == value[i] ? sprintf('%.3f', value[i]) : 'NA').', '.plain(cost[i]).' B, '.(cost[arms + i] == cost[arms + i] ? plain(cost[arms + i]).' µs' : 'NA')
list_top = header + (stacked ? 2 : 1) * (plot_height + below) - 10
name_left = narrow ? 70 : 370
array full_name[arms]
widest = 0
do for [i = 1:arms] {
    full_name[i] = label[i].(is_recommended[i] ? ' ('.recommended_said.')' : '')
    widest = ems(full_name[i]) * text > widest ? ems(full_name[i]) * text : widest
}
do for [i = 1:narrow ? arms : 0] { widest = ems(figures_of(i)) * text > widest ? ems(figures_of(i)) * text : widest }
in_two = arms > (narrow ? 1 : 4) && widest < width / 2 - name_left - 10 # columns
do for [i = 1:arms] { full_name[i] = wrap(full_name[i], text, (in_two ? width / 2 : width) - name_left - (in_two ? 8 : 24)) }
array list_y[arms]
y = list_top
longest_list = y
do for [i = 1:arms] {
    if (in_two && i == (arms + 1) / 2 + 1) { y = list_top }
    y = y + entry_height
    list_y[i] = y
    y = y + line * (rows_of(full_name[i]) + narrow)
    longest_list = y > longest_list ? y : longest_list
}
height = int(longest_list + 24)
eval open_canvas
set multiplot
eval open_sheet
eval draw_head
do for [i = 1:arms] {
    x = in_two && i > (arms + 1) / 2 ? width / 2.0 : 0
    y = list_y[i] + line / 2.0
    set label 3 * i - 2 '' at x + (narrow ? 40 : 46), y point pointtype point(i) pointsize dot(2) linecolor rgb colour(i) linewidth 2
    set label 3 * i - 1 figures_of(i) at x + (narrow ? name_left : 80), y + (narrow ? line * rows_of(full_name[i]) : 0) textcolor rgb quiet
    set label 3 * i full_name[i] at x + name_left, y
}
plot 0 linecolor rgb '#FFFFFFFF' notitle
eval close_sheet

# ---- Two panels ----

array axis_of[2] = [say('bytes per document', '每篇字节数'), say('microseconds per document', '每篇微秒数')]
margin = 0.06 * (most_quality - least_quality) + 0.005
set yrange [least_quality - margin:most_quality + 2 * margin]
quality_step = nice(most_quality - least_quality + 3 * margin, 9)
set ytics quality_step format (quality_step < 0.0099 ? '%.3f' : '%.2f')
placed(i) = value[i] == value[i] && cost[arms * (p - 1) + i] > 0
x_at_cost(c) = left + at_share(p, c) * (right - left)
x_of(i) = x_at_cost(cost[arms * (p - 1) + i])
y_at_quality(q) = top + plot_height * (most_quality + 2 * margin - q) / (most_quality - least_quality + 3 * margin)
y_of(i) = y_at_quality(value[i])
# What names must not cover, in pixels: other names, marks and the line of the front; if possible, also the bars.
array name_x0[arms]
array name_x1[arms]
array name_y0[arms]
overlap(a0, a1, b0, b1) = a0 < b1 && a1 > b0
hits_name(x0, x1, y0) = sum [n = 1:arms] (name_x1[n] > 0 && overlap(x0, x1, name_x0[n], name_x1[n]) && overlap(y0, y0 + 24, name_y0[n], name_y0[n] + 24))
hits_mark(x0, x1, y0) = sum [n = 1:arms] (placed(n) && overlap(x0, x1, x_of(n) - 8, x_of(n) + 8) && overlap(y0, y0 + 24, y_of(n) - 8, y_of(n) + 8))
hits_front(x0, x1, y0) = front_steps[p] < 1 ? 0 : sum [n = 1:front_steps[p]] ( \
    (n > 1 && overlap(x0, x1, step_x(n) - 2, step_x(n) + 2) && overlap(y0, y0 + 24, step_y(n), step_y(n - 1))) || \
    (n < front_steps[p] && overlap(x0, x1, step_x(n), step_x(n + 1)) && overlap(y0, y0 + 24, step_y(n) - 2, step_y(n) + 2)))
step_x(n) = x_at_cost(step_cost[200 * (p - 1) + n])
step_y(n) = y_at_quality(step_quality[200 * (p - 1) + n])
hits_bar(x0, x1, y0) = sum [n = 1:arms] (placed(n) && value_low[n] == value_low[n] && overlap(x0, x1, x_of(n) - 4, x_of(n) + 4) && \
    overlap(y0, y0 + 24, y_at_quality(value_high[n]), y_at_quality(value_low[n])))
most_named = 26
short(s) = strlen(s) > most_named ? s[1:most_named - 1].'…' : s
do for [p = 1:2] {
    left = (stacked ? 0 : (p - 1) * width / 2.0) + left_of_plot
    right = (stacked ? width : p * width / 2.0) - right_of_plot
    top = header + (stacked ? (p - 1) * (plot_height + below) : 0)
    set lmargin at screen x_at(left)
    set rmargin at screen x_at(right)
    set tmargin at screen y_at(top)
    set bmargin at screen y_at(top + plot_height)
    set label 1 axis_of[p] at graph 0.5, screen y_at(top + plot_height + 70) center
    set label 2 quality_said at screen x_at(left - 84), graph 0.5 center rotate
    unset logscale x
    set xrange [low_edge(p):high_edge(p)]
    if (wide(p)) {
        set logscale x
        if (in_decades(p)) {
            set xtics (0.01, 0.1, 1, 10, 100, 1000, 1e4, 1e5, 1e6, 1e7, 1e8) format '%g'
        } else {
            set xtics (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 1e4, 2e4, 5e4, 1e5, 1e6) format '%g'
        }
    } else {
        set xtics step_of(p) format '%g'
    }
    do for [i = 1:arms] { name_x1[i] = 0 }
    do for [pass = 1:2] { do for [i = 1:arms] {
        if (!placed(i) || name_x1[i] > 0) { continue }
        wide_of = ems(short(label[i])) * small * 0.95
        do for [try = 1:8] {
            to_left = try == 2 || try == 4 || try == 6 || try == 8
            x0 = to_left ? x_of(i) - 12 - wide_of : x_of(i) + 12
            y0 = y_of(i) + (try < 3 ? -32 : try < 5 ? 8 : try < 7 ? -12 : -50)
            if (name_x1[i] > 0 || x0 < left + 4 || x0 + wide_of > right + 20 || y0 < top || y0 + 24 > top + plot_height) { continue }
            if (hits_name(x0, x0 + wide_of, y0) || hits_mark(x0, x0 + wide_of, y0) || hits_front(x0, x0 + wide_of, y0)) { continue }
            if (pass == 1 && hits_bar(x0, x0 + wide_of, y0)) { continue }
            name_x0[i] = x0
            name_x1[i] = x0 + wide_of
            name_y0[i] = y0
            set label 100 + i short(label[i]) at screen x_at(x0), screen y_at(y0 + 12) left font face(small) front
        }
    } }
    # SVG viewers show titles as tooltips.
    plot table every ::first_of_all::last_of_all using (cost_of(p)):(quality_of(0)) with points linecolor rgb '#A0A0A0' pointtype 7 pointsize dot(1.3) \
            title say('not on it', '非前沿') noenhanced, \
         for [i = 1:arms] table every ::arm_row[i]::arm_row[i] using (low_of(0) == low_of(0) ? cost_of(p) : NaN):(quality_of(0)):(low_of(0)):(high_of(0)) \
            with yerrorbars linecolor rgb tint(colour(i)) linewidth 3 pointtype 0 title label[i] noenhanced, \
         for [i = 1:arms] table every ::arm_row[i]::arm_row[i] using (p == 2 && times_vary ? cost_of(p) : NaN):(quality_of(0)):(time_least_of(0) > 0 ? time_least_of(0) : low_edge(p)):(time_most_of(0)) \
            with xerrorbars linecolor rgb tint(colour(i)) linewidth 3 pointtype 0 title label[i] noenhanced, \
         sprintf('$front_%d', p) using (column("cost")):(column("quality")) with lines linecolor rgb quiet linewidth 3 title front_said noenhanced, \
         for [i = 1:arms] table every ::arm_row[i]::arm_row[i] using (cost_of(p)):(quality_of(0)) with points pointtype point(i) \
            linecolor rgb colour(i) pointsize dot(2) title label[i] noenhanced, \
         for [i = 1:arms] table every ::arm_row[i]::arm_row[i] using (p == 1 ? cost_of(p) : NaN):(bound_of(0)) with points pointtype 4 \
            linecolor rgb colour(i) linewidth 2 pointsize dot(2.6) title bound_said noenhanced, \
         for [i = 1:arms] table every ::arm_row[i]::arm_row[i] using (is_recommended[i] ? cost_of(p) : NaN):(quality_of(0)) \
            with points linecolor rgb ink linewidth 2 pointtype 6 pointsize dot(3.6) title recommended_said noenhanced
    unset label
}
unset multiplot
unset output
