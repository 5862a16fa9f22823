# SPDX-License-Identifier: GPL-3.0-or-later
#
# by_day.gp - texts by day, or by week, month … if there are many days: duplicates below, new ones above; and in a
# second panel the share of duplicates, with a gap for spans without texts. Load STEM-spans.gp first: it defines the
# unit, the number of spans, and name[i], texts[i] and duplicates[i] of each. To redraw, in the directory of this file:
#   gnuplot STEM-spans.gp by_day.gp
#   gnuplot -e "format = 'svg'" STEM-spans.gp by_day.gp

figure = 'by_day'
across = 1
left_of_plot = 130
right_of_plot = 40
directory = ''
load (exists('here') ? here : '').'style.gp'

plot_height = slide ? 260 : narrow ? 300 : 470
between = 40
share_height = slide ? 120 : narrow ? 170 : 230
below = 76

# ---- Totals and ranges ----

texts_sum = 0.0
duplicates_sum = 0.0
most = 1.0
do for [i = 1:spans] {
    texts_sum = texts_sum + texts[i]
    duplicates_sum = duplicates_sum + duplicates[i]
    if (texts[i] > most) { most = texts[i] }
}
share(i) = texts[i] > 0 ? 100 * duplicates[i] / texts[i] : NaN
unit_zh = unit eq 'day' ? '日' : unit eq 'week' ? '周' : unit eq 'month' ? '月' : unit eq 'year' ? '年' : unit eq 'decade' ? '十年' : '世纪'
span_text = spans > 1 ? name[1].' – '.name[spans] : name[1]

new_colour = grey ? '#D0D0D0' : '#9CC8E4'
repeated_colour = grey ? '#404040' : palette[5]
NEW = "fillcolor rgb new_colour fillstyle solid border rgb quiet"
REPEATED = "fillcolor rgb repeated_colour fillstyle solid border rgb quiet"

# ---- Title and legend ----

title = headed('new texts and duplicates by '.unit, '新文本与重复文本（按'.unit_zh.'）')
note = tell(sprintf('%.0f texts, %.0f duplicates (%.1f%%)', texts_sum, duplicates_sum, 100 * duplicates_sum / texts_sum), \
    sprintf('%.0f 篇文本，%.0f 篇重复（%.1f%%）', texts_sum, duplicates_sum, 100 * duplicates_sum / texts_sum), \
    sprintf('%.0f texts 文本, %.0f duplicates 重复 (%.1f%%)', texts_sum, duplicates_sum, 100 * duplicates_sum / texts_sum))
note = note."\n".span_text.(timeless > 0 ? tell(sprintf('; %.0f texts without a time', timeless), sprintf('；%.0f 篇无时间', timeless), \
    sprintf('; %.0f without a time 无时间', timeless)) : '')
eval lay_head
if (note_beside) { head_end = head_end + line }
x = entry(fill_look(new_colour, sprintf("solid border rgb '%s'", quiet)), say('new', '新'))
x = entry(fill_look(repeated_colour, sprintf("solid border rgb '%s'", quiet)), say('duplicate of an earlier text', '重复'))
header = head_height(40)
height = int(header + plot_height + between + share_height + below)
eval open_canvas
dot_size = dot(spans > 60 ? 0.9 : 1.4)
set multiplot
eval open_sheet
eval draw_head
plot 0 linecolor rgb '#FFFFFFFF' notitle
eval close_sheet

# ---- Counts ----

set lmargin at screen x_at(left_of_plot)
set rmargin at screen x_at(width - right_of_plot)
middle = (spans + 1) / 2.0
reach = spans < 8 ? 4.5 : spans / 2.0 + 0.5
set xrange [middle - reach:middle + reach]
tics_every = int(ceil(spans * 150 / (width - left_of_plot - right_of_plot)))
set xtics () format ''
do for [i = 1:spans:tics_every] { set xtics add ('' i) }
set tmargin at screen y_at(header)
set bmargin at screen y_at(header + plot_height)
set yrange [0:most * 1.05]
# No ticks at fractions of a text.
if (most < 5) { set ytics 1 }
set format y '%.0f'
set label 1 say('texts', '文本数') at screen x_at(30), graph 0.5 center rotate
# SVG viewers show titles as tooltips.
plot for [i = 1:spans] '+' using (i):(duplicates[i] / 2):(i - 0.4):(i + 0.4):(0):(duplicates[i]) every ::::0 with boxxyerror @REPEATED \
        title sprintf('%s: %.0f', name[i], duplicates[i]) noenhanced, \
     for [i = 1:spans] '+' using (i):(texts[i]):(i - 0.4):(i + 0.4):(duplicates[i]):(texts[i]) every ::::0 with boxxyerror @NEW \
        title sprintf('%s: %.0f', name[i], texts[i]) noenhanced

# ---- Shares ----

do for [i = 1:spans:tics_every] { set xtics add (name[i] i) }
set tmargin at screen y_at(header + plot_height + between)
set bmargin at screen y_at(header + plot_height + between + share_height)
set yrange [0:105]
set ytics 25
set format y '%.0f%%'
set label 1 say('duplicates', '重复占比') at screen x_at(30), graph 0.5 center rotate
do for [i = 1:spans - 1] {
    if (texts[i] > 0 && texts[i + 1] > 0) {
        set arrow i from i, share(i) to i + 1, share(i + 1) nohead linecolor rgb repeated_colour linewidth 3
    }
}
plot for [i = 1:spans] '+' using (i):(share(i)) every ::::0 with points pointtype 7 pointsize dot_size linecolor rgb repeated_colour \
        title sprintf('%s: %.1f%%', name[i], share(i)) noenhanced
unset multiplot
unset output
