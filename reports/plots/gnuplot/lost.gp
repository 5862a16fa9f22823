# SPDX-License-Identifier: GPL-3.0-or-later
#
# lost.gp - where recall is lost: a bar per arm, at the threshold of its best F1 or of its saved choice, divided into
# the positive pairs found and those lost by index, sketch or similarity. A slice too thin for its number has the number
# above. To redraw, in the directory of this file:
#   gnuplot CORPUS-arms.gp lost.gp
#   gnuplot -e "format = 'svg'" CORPUS-arms.gp lost.gp

figure = 'lost'
across = 1
load (exists('here') ? here : '').'style.gp'
load (exists('here') ? here : '').'losses.gp'
table = directory.'/lost-best.tsv'

# ---- Values of the table ----

array found[arms]
array luck[arms]
array by_index[arms]
array by_sketch[arms]
array by_similarity[arms]
array by_measure[arms]
array low[arms]
array high[arms]
array used[losses]
do for [k = 1:losses] { used[k] = 0 }
do for [i = 1:arms] {
    row = lost_best_first[i]
    low[i] = NaN
    stats table every ::row::row \
        using (positives = column("positives"), found[i] = part("found"), luck[i] = part("found_by_chance"), by_index[i] = part("lost_index"), \
               by_sketch[i] = part("lost_sketch"), by_similarity[i] = part("lost_similarity"), by_measure[i] = part("lost_measure"), \
               low[i] = part("found_low"), high[i] = part("found_high"), \
               note_of[i] = sprintf(tell('h = %.4g (%s)', 'h = %.4g（%s）', 'h = %.4g (%s)'), column("threshold"), unit_of(strcol("scale"))), \
               note_of[i] = note_of[i].(strcol("index") eq 'NA' ? '' : "\n".look_up(strcol("index"), strcol("index_reach"))."\n".sprintf(tell('candidates of a query: %.1f', '每次查询 %.1f 个候选', \
                    'candidates of a query 候选: %.1f'), column("candidates"))), 0) nooutput
}
count(k, i) = k == 1 ? found[i] - luck[i] : k == 2 ? luck[i] : k == 3 ? by_index[i] : k == 4 ? by_sketch[i] : k == 5 ? by_similarity[i] : by_measure[i]
do for [i = 1:arms] { do for [k = 1:losses] { used[k] = used[k] + count(k, i) } }

# ---- Head: only classes that occur ----

title = titled('where recall is lost', '召回率损失在何处')
note = tell(sprintf('of %.0f positive pairs, each arm at its best threshold', positives), sprintf('%.0f 个正例，各方案取最佳阈值', positives), \
    sprintf('of %.0f positive pairs, each arm at its best threshold 正例, 各方案取最佳阈值', positives))
eval lay_head
do for [k = 1:losses] { if (used[k] > 0) { x = entry(fill_look(loss_ink[k], loss_fill[k].' border rgb ink'), loss_said[k]) } }
sure = tell(surely('interval', '').' of all found', '全部找到者的 '.surely('', '置信区间'), \
    (confidence > 0 ? sprintf('%g%% ', 100 * confidence) : '').'interval of all found 全部找到者')
x = entry(sprintf("set arrow 900 + k from x, y to x + swatch, y heads size screen 0.005, 90 linewidth 3 linecolor rgb '%s'; ", ink), sure)

# ---- Places, in pixels: the name beside its bar, or above it if there is no room ----

bar_left = narrow ? 24.0 : 510.0
bar_right = width - 40
bar_height = slide ? 30 : narrow ? 46 : 56
outside = 26 # above a bar, for numbers of thin slices
gap = slide ? 4 : 22
# A slide has little height: only the threshold.
if (slide) { do for [i = 1:arms] { if (strstrt(note_of[i], "\n")) { note_of[i] = note_of[i][1:strstrt(note_of[i], "\n") - 1] } } }
header = head_height(34)
heading_width = narrow ? width - 48 : bar_left - 50
eval lay_headings
x_of(share) = bar_left + share * (bar_right - bar_left)
share(count) = positives > 0 ? count / positives : 0
array middle[arms]
array centre[losses]
array thin[losses]
array named_at[arms]
bottom = header
do for [i = 1:arms] {
    beside = line * lines_of[i] + 0.9 * line * rows_of(note_of[i])
    named_at[i] = bottom + line / 2.0
    if (narrow) {
        middle[i] = bottom + beside + outside + bar_height / 2.0
        bottom = middle[i] + bar_height / 2.0 + 18 + gap
    } else {
        rows = beside > outside + bar_height + 18 ? beside : outside + bar_height + 18
        middle[i] = bottom + outside + bar_height / 2.0
        bottom = bottom + rows + gap
    }
}
height = int(bottom + 56)

# ---- Picture ----

tag = 1
box(x0, y0, x1, y1, fill) = sprintf("set object %d rectangle from %f, %f to %f, %f %s", tag, x0, y0, x1, y1, fill)
figure_of(count) = share(count) < 0.095 && share(count) > 0 ? sprintf('%.1f%%', 100 * share(count)) : sprintf('%.0f%%', 100 * share(count))
eval open_canvas
eval open_sheet
set style textbox opaque noborder fillcolor rgb '#ffffff' margins 0.4, 0.2
eval draw_head

# The axis.
axis_y = bottom + 4
do for [k = 0:5] {
    eval box(x_of(k / 5.0), header - 8, x_of(k / 5.0) + 1.2, axis_y, "fillcolor rgb pale fillstyle solid noborder")
    tag = tag + 1
    set label 20 + k sprintf('%d%%', 20 * k) at x_of(k / 5.0), axis_y + 20 center
}

mark = 30
do for [i = 1:arms] {
    set label mark heading[i] at 24, named_at[i]
    set label mark + 1 note_of[i] at 24, named_at[i] + line * lines_of[i] font face(small) textcolor rgb quiet
    mark = mark + 2
    # Numbers of thin slices are above the bar, moved right past the previous number, and back left if the picture ends.
    before = 0
    said_to = 0
    do for [k = 1:losses] {
        room = ems(figure_of(count(k, i))) * small + 10
        centre[k] = x_of(share(before + count(k, i) / 2.0))
        thin[k] = count(k, i) > 0 && (x_of(share(count(k, i))) - bar_left) < ems(figure_of(count(k, i))) * text + 20
        centre[k] = thin[k] && centre[k] - room / 2 < said_to ? said_to + room / 2 : centre[k]
        said_to = thin[k] ? centre[k] + room / 2 : said_to
        before = before + count(k, i)
    }
    said_from = width - 16
    do for [k = losses:1:-1] {
        room = ems(figure_of(count(k, i))) * small + 10
        centre[k] = thin[k] && centre[k] + room / 2 > said_from ? said_from - room / 2 : centre[k]
        said_from = thin[k] ? centre[k] - room / 2 : said_from
    }
    before = 0
    do for [k = 1:losses] {
        x0 = x_of(share(before))
        before = before + count(k, i)
        x1 = x_of(share(before))
        if (x1 <= x0) { continue }
        eval box(x0, middle[i] - bar_height / 2, x1, middle[i] + bar_height / 2, sprintf("fillcolor rgb '%s' fillstyle %s border rgb ink", loss_ink[k], loss_fill[k]))
        tag = tag + 1
        said = figure_of(count(k, i))
        if (!thin[k]) {
            set label mark said at (x0 + x1) / 2, middle[i] center front textcolor rgb (k == 1 ? '#FFFFFF' : ink)
            if (loss_fill[k][1:7] eq 'pattern') { set label mark boxed }
        } else {
            set label mark said at centre[k], middle[i] - bar_height / 2 - 16 center font face(small)
            set arrow mark from (x0 + x1) / 2, middle[i] - bar_height / 2 to centre[k], middle[i] - bar_height / 2 - 7 nohead linewidth 1.2 linecolor rgb quiet
        }
        mark = mark + 1
    }
    if (positives == 0) { set label mark say('no positive pairs', '无正例') at bar_left + 16, middle[i] textcolor rgb quiet; mark = mark + 1 }
    if (low[i] == low[i] && positives > 0) {
        set arrow mark from x_of(low[i]), middle[i] + bar_height / 2 + 9 to x_of(high[i]), middle[i] + bar_height / 2 + 9 \
            heads size screen 0.004, 90 linewidth 3 linecolor rgb ink
        mark = mark + 1
    }
}
plot 0 linecolor rgb '#FFFFFFFF' notitle
unset output
