# SPDX-License-Identifier: GPL-3.0-or-later
#
# by_source.gp - the largest sources: a bar of the texts of each, divided into new ones, duplicates of texts of the same
# source and duplicates of other sources' texts; the thin bar below shows how often other sources copied its texts. Load
# STEM-largest.gp first: it defines name[i], texts[i], duplicates[i], from_others[i] and taken_up[i] of the sources
# shown, and their number. To redraw, in the directory of this file:
#   gnuplot STEM-largest.gp by_source.gp
#   gnuplot -e "format = 'svg'" STEM-largest.gp by_source.gp

figure = 'by_source'
across = 1
directory = ''
load (exists('here') ? here : '').'style.gp'

# ---- Totals and ranges ----

most = 1.0
texts_sum = 0.0
do for [i = 1:sources] {
    texts_sum = texts_sum + texts[i]
    if (texts[i] > most) { most = texts[i] }
    if (taken_up[i] > most) { most = taken_up[i] }
}
shorten(s) = strlen(s) > 40 ? s[1:39].'…' : s
name_of(i) = name[i] eq '' ? say('without a source', '无来源') : shorten(name[i])

# ---- Places, in pixels ----

bar_left = narrow ? 24.0 : 400.0
bar_right = width - (narrow ? 170 : 250)
bar_height = 34
thin = 9
row_height = narrow ? 94 : 64
x_of(count) = bar_left + count / most * (bar_right - bar_left)
middle(i) = header + (i - 0.5) * row_height + (narrow ? 16 : 0)

# ---- Ink: pale for new texts, dark for copies from others, hatched for repetitions within a source ----

new_colour = grey ? '#D8D8D8' : '#9CC8E4'
own_colour = grey ? '#8C8C8C' : palette[2]
other_colour = grey ? '#303030' : palette[5]
NEW = "fillcolor rgb new_colour fillstyle solid border rgb quiet"
OWN = "fillcolor rgb own_colour fillstyle pattern 4 border rgb quiet"
OTHERS = "fillcolor rgb other_colour fillstyle solid border rgb quiet"
TAKEN = "fillcolor rgb ink fillstyle solid noborder"

# ---- Picture ----

tag = 1
box(x0, y0, x1, y1, fill) = sprintf("set object %d rectangle from %f, %f to %f, %f %s", tag, x0, y0, x1, y1, fill)
title = headed('new texts and duplicates by source', '各来源的新文本与重复文本')
share_text = sprintf('%.0f%%', 100 * texts_sum / texts_in_all)
note = sources < sources_in_all \
    ? tell(sprintf('the %d largest of %d sources, with %s of the texts', sources, sources_in_all, share_text), \
        sprintf('%d 个来源中最大的 %d 个，占文本的 %s', sources_in_all, sources, share_text), \
        sprintf('the %d largest of %d sources 最大来源, %s of the texts', sources, sources_in_all, share_text)) \
    : tell(sprintf('%.0f texts', texts_in_all), sprintf('%.0f 篇文本', texts_in_all), sprintf('%.0f texts 文本', texts_in_all))
array fill[4] = [NEW, OTHERS, OWN, TAKEN]
bordered = sprintf(" border rgb '%s'", quiet)
eval lay_head
x = entry(fill_look(new_colour, 'solid'.bordered), say('new', '新'))
x = entry(fill_look(other_colour, 'solid'.bordered), say('taken from another source', '转自其他来源'))
x = entry(fill_look(own_colour, 'pattern 4'.bordered), say('repeats its own', '重复自身'))
x = entry(sprintf("set object 900 + k rectangle from x, y - 4 to x + swatch, y + 5 fillcolor rgb '%s' fillstyle solid noborder; ", ink), say('taken up by others', '被其他来源转载'))
header = head_height(80)
height = int(header + sources * row_height + 68)
eval open_canvas
eval open_sheet
eval draw_head
aside = say('texts, and the share of duplicates', '文本数与重复占比')
set label 7 aside at width - 24, header - 38 right font face(small) textcolor rgb quiet

# The axis: ticks at 1, 2 or 5 times a power of ten.
unit = 10.0 ** floor(log10(most))
step = most / unit < 2 ? unit / 5 : most / unit < 5 ? unit / 2 : unit
if (step < 1) { step = 1.0 }
axis_y = header + sources * row_height + 4
do for [k = 0:int(most / step)] {
    eval box(x_of(k * step), header - 12, x_of(k * step) + 1.2, axis_y, "fillcolor rgb pale fillstyle solid noborder")
    tag = tag + 1
    set label 100 + k sprintf('%.0f', k * step) at x_of(k * step), axis_y + 22 center
}

do for [i = 1:sources] {
    y = middle(i)
    if (narrow) { set label 10 + 2 * i name_of(i) at bar_left, y - 38 textcolor rgb (name[i] eq '' ? quiet : ink) }
    if (!narrow) { set label 10 + 2 * i name_of(i) at bar_left - 16, y right font fitting(name_of(i), text, bar_left - 40) textcolor rgb (name[i] eq '' ? quiet : ink) }
    # New texts first, then duplicates of others' texts, then duplicates within the source.
    array part[3] = [texts[i] - duplicates[i], from_others[i], duplicates[i] - from_others[i]]
    before = 0.0
    do for [k = 1:3] {
        if (part[k] > 0) {
            eval box(x_of(before), y - bar_height / 2.0 - 4, x_of(before + part[k]), y + bar_height / 2.0 - 4, fill[k])
            tag = tag + 1
        }
        before = before + part[k]
    }
    if (taken_up[i] > 0) {
        eval box(x_of(0), y + bar_height / 2.0 - 1, x_of(taken_up[i]), y + bar_height / 2.0 - 1 + thin, TAKEN)
        tag = tag + 1
    }
    set label 11 + 2 * i sprintf('%.0f, %.0f%%', texts[i], texts[i] > 0 ? 100 * duplicates[i] / texts[i] : 0) at bar_right + 16, y - 4
}
plot 0 linecolor rgb '#FFFFFFFF' notitle
unset output
