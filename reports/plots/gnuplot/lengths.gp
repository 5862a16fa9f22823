# SPDX-License-Identifier: GPL-3.0-or-later
#
# lengths.gp - the best threshold by length, a panel per arm: above, the threshold with the largest F1 of each bucket
# of length, with its interval; below, precision, recall and F1 there. Hollow marks: fewer than 30 pairs. strata.gp
# shows other divisions of the pairs in the same way. To redraw, in the directory of this file:
#   gnuplot CORPUS-arms.gp lengths.gp
#   gnuplot -e "format = 'svg'" CORPUS-arms.gp lengths.gp

if (!exists("figure")) figure = 'lengths'
slide_row = 640
load (exists('here') ? here : '').'style.gp'
table = directory.'/strata.tsv'
few = 30 # pairs

# ---- Strata: the same for every arm ----

buckets = strata_last[1] - strata_first[1] + 1
array unit[arms]
array end[arms]
widest = 0
do for [b = 1:buckets] { widest = ems(stratum[b]) > widest ? ems(stratum[b]) : widest }
lowest = 1
has_precision = 0
most(a, b) = b > a ? b : a
least(a, b) = a != a || b < a ? b : a # the other if one is undefined
do for [i = 1:arms] {
    end[i] = 0
    stats table every ::strata_first[i]::strata_last[i] using (unit[i] = strcol("scale"), \
        has_precision = has_precision || column("precision") == column("precision"), end[i] = most(end[i], most(column("best_threshold"), column("best_threshold_high"))), \
        lowest = least(lowest, least(least(column("precision"), column("precision_low")), \
            least(least(column("recall"), column("recall_low")), least(column("best_f1"), column("best_f1_low"))))), 0) nooutput
}
eval equal_ends
do for [i = 1:arms] { note_of[i] = tell('h ('.unit[i].')', 'h（'.unit_of(unit[i]).'）', 'h ('.unit[i].')') }
eval lay_headings
# Order: buckets with only duplicates, with both classes, with only negatives; a line separates them.
array class_of[buckets]
array spot[buckets]
stats table every ::strata_first[1]::strata_last[1] using (class_of[int(column(0)) + 1] = \
    column("negatives") == 0 && column("positives") > 0 ? 1 : column("positives") == 0 && column("negatives") > 0 ? 3 : 2, 0) nooutput
array class_begin[3]
array class_end[3]
spots = 0
apart = 0
do for [c = 1:3] {
    held = sum [b = 1:buckets] (by eq 'length' ? c == 2 : class_of[b] == c)
    if (held && spots) { spots = spots + 0.6 }
    class_begin[c] = spots
    do for [b = 1:buckets] { if (by eq 'length' ? c == 2 : class_of[b] == c) { spot[b] = spots; spots = spots + 1 } }
    class_end[c] = spots - 1
    if (c != 2 && spots > class_begin[c]) { apart = 1 }
}
array class_said[3] = [tell('duplicates', '重复', 'duplicates 重复'), tell('both', '兼有', 'both 兼有'), tell('others', '非重复', 'others 非重复')]
# If all values are high, the lower panel shows only the upper range.
bottom_of_figures = lowest >= 0.82 ? 0.8 : lowest >= 0.53 ? 0.5 : 0
measured = by eq 'length'
what = measured ? say('length of the shorter text, characters', '较短文本的字数') : by
slanted = widest * small > 0.92 * (panel_width - left_of_plot - right_of_plot) / buckets
longest = 8.5 # longer names are cut
upright = slanted && 0.7 * (panel_width - left_of_plot - right_of_plot) / buckets < small * 1.05 # names at 45 degrees would touch
tick_height = slanted ? (widest < longest ? widest : longest) * small * (upright ? 1 : 0.72) - 20 : 0
head(s) = ems(s) <= longest - 1 ? s : head(s[1:strlen(s) - 1])
name(s) = ems(s) <= longest ? s : head(s[1:40]).'…'

best = say('threshold with the best F1', '最佳阈值')
precision = say('precision there', '精确率')
recall = say('recall there', '召回率')
f1 = 'F1'
# The F1 of pairs of only one class uses all pairs of the other class.
f1_said = apart ? tell('F1, with all pairs of the other class', 'F1（与另一类的全部文本对合计）', 'F1, with all of the other class 与另一类合计') : f1
interval = sure_of('intervals')
few_said = say('few '.counted_en, documents ? '篇数少' : '对数少')
third_colour = palette[3]

upper = slide ? 180 : narrow ? (down > 2 ? 130 : 200) : arms == 1 ? 420 : arms == 2 ? 320 : 240
lower = slide ? 140 : narrow ? (down > 2 ? 110 : 160) : arms == 1 ? 300 : arms == 2 ? 240 : 190
gap = apart ? 54 : 26
plot_height = upper + gap + lower
axis_of(i) = what
eval fit_below
below = below + tick_height

title = measured ? titled('threshold by length', '各长度的最佳阈值') : titled('threshold by '.by, '各部分的最佳阈值'.(lang eq 'zh' ? '（'.by.'）' : ''))
unit_zh = documents ? '篇' : '对'
note = tell(sprintf('%s; hollow: < %d %s', interval, few, counted_en), sprintf('%s；空心：不足 %d %s', interval, few, unit_zh), \
    sprintf('%s; hollow 空心: < %d %s %s', interval, few, counted_en, unit_zh))
eval lay_head
x = entry(point_look(third_colour, 7, 1.6), best)
if (has_precision) { x = entry(point_look(first_colour, 7, 1.6), precision) }
x = entry(point_look(second_colour, 5, 1.5), recall)
x = entry(point_look(third_colour, 13, 2), f1_said)
header = head_height(44)
height = int(sheet_height(down))
eval open_canvas
tick_face = face(small)
round = dot(1.6)
square = round * 0.95
diamond = round * 1.25
set multiplot
eval open_sheet
eval draw_head
plot 0 linecolor rgb '#FFFFFFFF' notitle
eval close_sheet

# ---- Panels ----

# Marks are full or hollow.
full(value) = column("pairs") >= few ? value : NaN
hollow(value) = column("pairs") < few ? value : NaN
at(shift) = spot[int(column(0)) + 1] + shift
# Without limits, a bar would reach the axis.
with_limits(name, x) = column(name.'_low') == column(name.'_low') ? x : NaN
set xrange [-0.6:spots - 0.4]
do for [i = 1:arms] {
    first = strata_first[i]
    last = strata_last[i]
    axis = what
    eval place
    set label 2 axis_text at screen x_at((left + right) / 2), screen y_at(bottom + tick_height + 66) center
    do for [c = 1:3] {
        if (!apart || class_end[c] < class_begin[c]) { continue }
        middle_of = left + (right - left) * ((class_begin[c] + class_end[c]) / 2.0 + 0.6) / (spots + 0.2)
        set label 20 + c class_said[c] at screen x_at(middle_of), screen y_at(top + upper + gap / 2.0) center font face(small) textcolor rgb quiet
        if (c > 1 && class_begin[c] > 0) { set arrow 20 + c from class_begin[c] - 0.8, graph 0 to class_begin[c] - 0.8, graph 1 nohead linecolor rgb quiet linewidth 1.5 }
    }
    middle = top + upper

    set bmargin at screen y_at(middle)
    set xtics () format ''
    do for [b = 1:buckets] { set xtics add ('' spot[b]) }
    step = nice(end[i] > 0 ? 1.08 * end[i] : 1, upper / 36.0)
    set ytics step format '%g'
    set yrange [0:end[i] > 0 ? 1.08 * end[i] : 1]
    plot 0 linecolor rgb '#FFFFFFFF' notitle, \
         table every ::first::last using (with_limits("best_threshold", at(0))):(column("best_threshold")):(column("best_threshold_low")):(column("best_threshold_high")) \
            with yerrorbars linecolor rgb third_colour linewidth 2 pointtype 0 title of(best, interval) noenhanced, \
         '' every ::first::last using (measured ? at(0) : NaN):(column("best_threshold")) \
            with lines linecolor rgb quiet linewidth 1.5 dashtype 3 notitle, \
         '' every ::first::last using (at(0)):(full(column("best_threshold"))) \
            with points linecolor rgb third_colour pointtype 7 pointsize round title best noenhanced, \
         '' every ::first::last using (at(0)):(hollow(column("best_threshold"))) \
            with points linecolor rgb '#FFFFFF' pointtype 7 pointsize round notitle, \
         '' every ::first::last using (at(0)):(hollow(column("best_threshold"))) \
            with points linecolor rgb third_colour linewidth 2 pointtype 6 pointsize round title of(best, few_said) noenhanced
    unset label

    set tmargin at screen y_at(middle + gap)
    set bmargin at screen y_at(bottom)
    set yrange [bottom_of_figures - 0.03 * (1 - bottom_of_figures):1 + 0.05 * (1 - bottom_of_figures)]
    set ytics bottom_of_figures < 0.5 ? 0.25 : bottom_of_figures < 0.8 ? 0.1 : 0.05 format '%.2f'
    if (slanted) { set xtics rotate by (upright ? 90 : 45) right font tick_face format '%s' } else { set xtics norotate font tick_face format '%s' }
    plot 0 linecolor rgb '#FFFFFFFF' notitle, \
         table every ::first::last using (at(0)):(NaN):xtic(name(stratum[int(column(0)) + 1])) linecolor rgb ink notitle, \
         '' every ::first::last using (with_limits("precision", at(-0.2))):(column("precision")):(column("precision_low")):(column("precision_high")) \
            with yerrorbars linecolor rgb first_colour linewidth 2 pointtype 0 title of(precision, interval) noenhanced, \
         '' every ::first::last using (with_limits("recall", at(0))):(column("recall")):(column("recall_low")):(column("recall_high")) \
            with yerrorbars linecolor rgb second_colour linewidth 2 pointtype 0 title of(recall, interval) noenhanced, \
         '' every ::first::last using (with_limits("best_f1", at(0.2))):(column("best_f1")):(column("best_f1_low")):(column("best_f1_high")) \
            with yerrorbars linecolor rgb third_colour linewidth 2 pointtype 0 title of(f1, interval) noenhanced, \
         '' every ::first::last using (at(-0.2)):(full(column("precision"))) \
            with points linecolor rgb first_colour pointtype 7 pointsize round title precision noenhanced, \
         '' every ::first::last using (at(0)):(full(column("recall"))) \
            with points linecolor rgb second_colour pointtype 5 pointsize square title recall noenhanced, \
         '' every ::first::last using (at(0.2)):(full(column("best_f1"))) \
            with points linecolor rgb third_colour pointtype 13 pointsize diamond title f1 noenhanced, \
         '' every ::first::last using (at(-0.2)):(hollow(column("precision"))) \
            with points linecolor rgb '#FFFFFF' pointtype 7 pointsize round notitle, \
         '' every ::first::last using (at(0)):(hollow(column("recall"))) \
            with points linecolor rgb '#FFFFFF' pointtype 5 pointsize square notitle, \
         '' every ::first::last using (at(0.2)):(hollow(column("best_f1"))) \
            with points linecolor rgb '#FFFFFF' pointtype 13 pointsize diamond notitle, \
         '' every ::first::last using (at(-0.2)):(hollow(column("precision"))) \
            with points linecolor rgb first_colour linewidth 2 pointtype 6 pointsize round title of(precision, few_said) noenhanced, \
         '' every ::first::last using (at(0)):(hollow(column("recall"))) \
            with points linecolor rgb second_colour linewidth 2 pointtype 4 pointsize square title of(recall, few_said) noenhanced, \
         '' every ::first::last using (at(0.2)):(hollow(column("best_f1"))) \
            with points linecolor rgb third_colour linewidth 2 pointtype 12 pointsize diamond title of(f1, few_said) noenhanced
    unset xtics
    unset arrow
    eval rulers
}
unset multiplot
unset output
