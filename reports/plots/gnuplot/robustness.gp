# SPDX-License-Identifier: GPL-3.0-or-later
#
# robustness.gp - F1 and recall at a precision of 0.95 of every arm under every kind of corruption, as two heat maps one
# above the other. A column of narrow cells is an arm, with rates increasing from left to right; cells show their number
# if there is room. Load STEM-cells.gp first: it names arms (scheme), kinds (kind, kind_zh) and rates in the order of
# robustness.tsv. To redraw, in the directory of this file:
#   gnuplot STEM-cells.gp robustness.gp
#   gnuplot -e "format = 'svg'" STEM-cells.gp robustness.gp

figure = 'robustness'
slide_row = kinds * 27 + 200
left_of_plot = 24
right_of_plot = 24
load (exists('here') ? here : '').'style.gp'
table = directory.'/robustness.tsv'

# ---- Places, in pixels ----

shown_kind(k) = lang eq 'en' ? kind[k] : lang eq 'zh' ? kind_zh[k] : kind[k].' '.kind_zh[k]
names = 0
do for [k = 1:kinds] { if (ems(shown_kind(k)) * small > names) { names = ems(shown_kind(k)) * small } }
slots = 0
do for [a = 1:schemes] { if (ems(scheme[a]) * small > slots) { slots = ems(scheme[a]) * small } }
names_most = narrow ? 350 : 420
beside = slide # the second map is beside the first, not below it
map_width = beside ? width / 2.0 : width
map_left = 24 + (names < names_most ? names : names_most) + 16
map_right = map_width - 24
# Names above the last arm are slanted to the right and need room there.
slant_most = narrow ? 240 : 400
leaning = (slots < slant_most ? slots : slant_most) * 0.766 - (map_right - map_left) / real(schemes) / 2
map_right = map_right - (leaning > 0 ? leaning : 0)
gap = 8.0
block = (map_right - map_left) / real(schemes)
cell_wide = (block - gap) / rates
cell_high = 27.0
slant = 0.64 # height per length of a name at 40 degrees
as_percent(s) = sprintf('%g%%', 100 * real(s))
numbers = cell_wide >= 46 # room for them
widest_rate = 0
do for [r = 1:rates] { if (ems(as_percent(rate[r])) * small > widest_rate) { widest_rate = ems(as_percent(rate[r])) * small } }
rates_said = cell_wide > widest_rate + 6 ? 24 : 0 # pixels above the cells
names_high = (slots < slant_most ? slots : slant_most) * slant + 16 + rates_said
map_high = kinds * cell_high
above_map = 44 + names_high # the heading, and the names
left_at(p, a, r) = (beside ? (p - 1) * map_width : 0) + map_left + (a - 1) * block + (r - 1) * cell_wide
top_at(top, k) = top + (k - 1) * cell_high

# ---- Colours: from pale to dark, also in grey ----

mix(from, to, v) = int(from + (to - from) * v + 0.5)
shade(v) = grey ? 65536 * mix(245, 30, v) + 256 * mix(245, 30, v) + mix(245, 30, v) : \
    v < 0.5 ? 65536 * mix(253, 240, 2 * v) + 256 * mix(231, 148, 2 * v) + mix(214, 70, 2 * v) : \
    65536 * mix(240, 0, 2 * v - 1) + 256 * mix(148, 60, 2 * v - 1) + mix(70, 120, 2 * v - 1)

# ---- Picture ----

title = headed('what survives which corruption', '各种改动之下指纹还认得出多少')
percents = as_percent(rate[1])
do for [r = 2:rates] { percents = percents.', '.as_percent(rate[r]) }
note = tell('share of places changed: ', '改动比例：', 'share of places changed 改动比例: ').percents
eval lay_head
scale_look = ''
do for [i = 0:9] {
    scale_look = scale_look.sprintf("set object %d rectangle from x + swatch * %g, y - 14 to x + swatch * %g, y + 14 fillcolor rgb %d fillstyle solid noborder; ", 10 + i, i / 10.0, (i + 1) / 10.0, shade((i + 0.5) / 10))
}
do for [i = 0:2] {
    scale_look = scale_look.sprintf("set label %d '%g' at x + swatch * %g, y + 28 center font face(small) textcolor rgb quiet; ", 930 + i, i / 2.0, i / 2.0)
}
x = entry(scale_look, say('F1, recall', 'F1、召回率')."\n ") # the numbers below need a second line
x = entry(point_look(ink, 7, 0.8), surely('interval wider than 0.2', '区间宽于 0.2'))
header = head_height(30)
first_top = header + above_map
second_top = beside ? first_top : first_top + map_high + 50 + above_map
height = int(second_top + map_high + 40)
eval open_canvas
eval open_sheet
eval draw_head

tag = 10
do for [panel = 1:2] {
    top = panel == 1 ? first_top : second_top
    tag = tag + 1
    of_panel = panel == 1 ? tell('F1 at the tuned threshold', '调定阈值下的 F1', 'F1 at the tuned threshold 调定阈值下') : \
        say('recall at precision 0.95', '精确率 0.95 时的召回率')
    shift = beside ? (panel - 1) * map_width : 0
    set label tag of_panel at shift + 24, top - above_map + 22
    do for [k = 1:kinds] {
        tag = tag + 1
        set label tag shown_kind(k) at shift + map_left - 12, top_at(top, k + 0.5) right font fitting(shown_kind(k), small, names_most)
    }
    do for [a = 1:schemes] {
        tag = tag + 1
        set label tag scheme[a] at left_at(panel, a, 1) + cell_wide * rates / 2 - 6, top - 12 - rates_said rotate by 40 font fitting(scheme[a], small, slant_most)
        do for [r = 1:rates_said ? rates : 0] {
            tag = tag + 1
            set label tag as_percent(rate[r]) at left_at(panel, a, r) + cell_wide / 2, top - 13 center font face(small) textcolor rgb quiet
        }
    }
}

# Row 0 is the first after the header; rows are sorted by arm, kind, rate.
arm_of(row) = int(row) / (kinds * rates) + 1
kind_of(row) = int(row) / rates % kinds + 1
rate_of(row) = int(row) % rates + 1
x_low(p, row) = left_at(p, arm_of(row), rate_of(row))
y_low(top, row) = top_at(top, kind_of(row))
on_cell(v) = v > 0.6 ? 0xFFFFFF : 0
measure(p) = p == 1 ? 'f1' : 'recall_at_precision'
set style fill solid 1 noborder
plot table using (x_low(1, $0) + cell_wide / 2):(y_low(first_top, $0) + cell_high / 2): \
        (x_low(1, $0)):(x_low(1, $0) + cell_wide):(y_low(first_top, $0) + 1):(y_low(first_top, $0) + cell_high - 1):(shade(column("f1"))) \
        with boxxyerror linecolor rgb variable notitle, \
    table using (x_low(2, $0) + cell_wide / 2):(y_low(second_top, $0) + cell_high / 2): \
        (x_low(2, $0)):(x_low(2, $0) + cell_wide):(y_low(second_top, $0) + 1):(y_low(second_top, $0) + cell_high - 1): \
        (shade(column("recall_at_precision"))) with boxxyerror linecolor rgb variable notitle, \
    for [p = 1:2] table using (column(measure(p).'_high') - column(measure(p).'_low') > 0.2 ? x_low(p, $0) + (numbers ? cell_wide - 9 : cell_wide / 2) : NaN): \
        (y_low(p == 1 ? first_top : second_top, $0) + (numbers ? 8 : cell_high / 2)):(on_cell(column(measure(p)))) \
        with points pointtype 7 pointsize dot(0.5) linecolor rgb variable notitle, \
    for [p = 1:2] table using (numbers ? x_low(p, $0) + cell_wide / 2 : NaN):(y_low(p == 1 ? first_top : second_top, $0) + cell_high / 2): \
        (column(measure(p)) == column(measure(p)) ? sprintf('%.2f', column(measure(p))) : ''):(on_cell(column(measure(p)))) \
        with labels font face(small) textcolor rgb variable notitle
unset output
