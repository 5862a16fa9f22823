# SPDX-License-Identifier: GPL-3.0-or-later
#
# robustness.gp - F1 and recall at a precision of 0.95 of every arm under every kind of corruption, as two heat maps one above the
# other. A column of narrow cells is an arm, the rates rising from left to right. It is loaded after STEM-cells.gp, which names arms
# (scheme), kinds (kind, kind_zh) and rates in the order of robustness.tsv. To redraw, in the directory of this file:
#   gnuplot STEM-cells.gp robustness.gp
#   gnuplot -e "format = 'svg'" STEM-cells.gp robustness.gp

figure = 'robustness'
across = 1
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
map_left = 24 + (names < 420 ? names : 420) + 16
map_right = width - 24
gap = 8.0
block = (map_right - map_left) / real(schemes)
cell_wide = (block - gap) / rates
cell_high = 27.0
slant = 0.64 # of a name that stands at 40 degrees
names_high = (slots < 400 ? slots : 400) * slant + 16
map_high = kinds * cell_high
header = 150
above_map = 44 + names_high # the heading, and the names
first_top = header + above_map
second_top = first_top + map_high + 50 + above_map
height = int(second_top + map_high + 40)
left_at(a, r) = map_left + (a - 1) * block + (r - 1) * cell_wide
top_at(top, k) = top + (k - 1) * cell_high

# ---- Colours: from pale to dark, also without colour ----

mix(from, to, v) = int(from + (to - from) * v + 0.5)
shade(v) = grey ? 65536 * mix(245, 30, v) + 256 * mix(245, 30, v) + mix(245, 30, v) : \
    v < 0.5 ? 65536 * mix(253, 240, 2 * v) + 256 * mix(231, 148, 2 * v) + mix(214, 70, 2 * v) : \
    65536 * mix(240, 0, 2 * v - 1) + 256 * mix(148, 60, 2 * v - 1) + mix(70, 120, 2 * v - 1)

# ---- The picture ----

eval open_canvas
eval open_sheet
title = headed('what survives which corruption', '各种改动之下指纹还认得出多少')
set label 1 title at 24, 36 font fitting(title, headline, width - 48)
set label 2 tell('rates from left to right: ', '每列由左至右的改动率：', 'rates from left to right 改动率由左至右: ').rate[1].(rates > 1 ? ' … '.rate[rates] : '') \
    at 24, 84 textcolor rgb quiet
set label 3 surely('interval wider than 0.2', '区间宽于 0.2').tell(': dot', '：圆点', ': dot 圆点') at 24, 116 textcolor rgb quiet

# The scale of shades.
tag = 10
do for [i = 0:20] {
    tag = tag + 1
    set object tag rectangle from width - 24 - (21 - i) * 18, 66 to width - 24 - (20 - i) * 18, 94 fillcolor rgb shade(i / 20.0) fillstyle solid noborder
}
set label 4 '0' at width - 24 - 21 * 18, 114 center font face(small)
set label 5 '0.5' at width - 24 - 10.5 * 18, 114 center font face(small)
set label 6 '1' at width - 24, 114 right font face(small)

tag = 10
do for [panel = 1:2] {
    top = panel == 1 ? first_top : second_top
    tag = tag + 1
    of_panel = panel == 1 ? tell('F1 at the tuned threshold', '调定阈值下的 F1', 'F1 at the tuned threshold 调定阈值下') : \
        say('recall at precision 0.95', '精确率 0.95 时的召回率')
    set label tag of_panel at 24, top - above_map + 22
    do for [k = 1:kinds] {
        tag = tag + 1
        set label tag shown_kind(k) at map_left - 12, top_at(top, k + 0.5) right font face(ems(shown_kind(k)) * small > 420 ? 420 / ems(shown_kind(k)) : small)
    }
    do for [a = 1:schemes] {
        tag = tag + 1
        set label tag scheme[a] at left_at(a, 1) + cell_wide * rates / 2 - 6, top - 12 rotate by 40 font face(ems(scheme[a]) * small > 400 ? 400 / ems(scheme[a]) : small)
    }
}

# Row 0 is the first after the header: arm by arm, kind by kind, rate by rate.
arm_of(row) = int(row) / (kinds * rates) + 1
kind_of(row) = int(row) / rates % kinds + 1
rate_of(row) = int(row) % rates + 1
x_low(row) = left_at(arm_of(row), rate_of(row))
y_low(top, row) = top_at(top, kind_of(row))
set style fill solid 1 noborder
plot table using (x_low($0) + cell_wide / 2):(y_low(first_top, $0) + cell_high / 2): \
        (x_low($0)):(x_low($0) + cell_wide):(y_low(first_top, $0) + 1):(y_low(first_top, $0) + cell_high - 1):(shade(column("f1"))) \
        with boxxyerror linecolor rgb variable notitle, \
    table using (x_low($0) + cell_wide / 2):(y_low(second_top, $0) + cell_high / 2): \
        (x_low($0)):(x_low($0) + cell_wide):(y_low(second_top, $0) + 1):(y_low(second_top, $0) + cell_high - 1): \
        (shade(column("recall_at_precision"))) with boxxyerror linecolor rgb variable notitle, \
    table using (column("f1_high") - column("f1_low") > 0.2 ? x_low($0) + cell_wide / 2 : NaN): \
        (y_low(first_top, $0) + cell_high / 2) with points pointtype 7 pointsize dot(0.5) linecolor rgb ink notitle, \
    table using (column("recall_at_precision_high") - column("recall_at_precision_low") > 0.2 ? x_low($0) + cell_wide / 2 : NaN): \
        (y_low(second_top, $0) + cell_high / 2) with points pointtype 7 pointsize dot(0.5) linecolor rgb ink notitle
unset output
