# SPDX-License-Identifier: GPL-3.0-or-later
#
# theory.gp - precision and recall at each threshold: lines: expected for these pairs by each arm's theoretical
# distribution; marks: measured, with intervals. Arms without one have no panel. To redraw, in this directory:
#   gnuplot CORPUS-arms.gp theory.gp
#   gnuplot -e "format = 'svg'" CORPUS-arms.gp theory.gp

figure = 'theory'
load (exists('here') ? here : '').'words.gp'

# ---- Arms that have rows ----

shown = 0
do for [i = 1:arms] {
    if (theory_last[i] < theory_first[i]) { continue }
    shown = shown + 1
    label[shown] = label[i]
    theory_first[shown] = theory_first[i]
    theory_last[shown] = theory_last[i]
}
arms = shown > 0 ? shown : 1
if (shown == 0) { label[1] = say('no arm has a law beside an exact measure', '无理论分布') }
load (exists('here') ? here : '').'style.gp'
table = directory.'/theory.tsv'

array unit[arms]
intervals = 0 # rows that have one
do for [i = 1:shown] {
    stats table every ::theory_first[i]::theory_last[i] using (column("threshold")) nooutput prefix 'H'
    stats table every ::theory_first[i]::theory_last[i] \
        using (unit[i] = strcol("scale"), intervals = intervals + (strcol("recall_low") ne 'NA'), 0) nooutput
}
if (shown == 0) { H_records = 2; H_min = 0; H_max = 1; unit[1] = '' }
few = H_records <= 16
# Bars if there is room, else bands.
bars = few || (arms == 1 && H_records <= 33)
apart = bars ? 0.08 : 0
inside(name) = bars ? column(name) : NaN
between(name) = bars ? NaN : column(name)

precision = say('precision', '精确率')
recall = say('recall', '召回率')
measured = say('measured', '实测')
expected = say('expected by the law', '理论')
interval = sure_of('interval')

title = titled('precision and recall, measured and expected', '精确率与召回率：实测与理论')
note = intervals ? measured.tell(', ', '，', ', ').interval : ''
eval lay_head
x = entry((intervals && bars ? bar_look(first_colour) : '').point_look(first_colour, 7, 1.6), precision)
x = entry((intervals && bars ? bar_look(second_colour) : '').point_look(second_colour, 5, 2), recall)
x = entry(sprintf("set arrow 700 from x, y to x + swatch * 0.45, y nohead linecolor rgb '%s' linewidth 3 dashtype 1; set arrow 701 from x + swatch * 0.55, y to x + swatch, y nohead linecolor rgb '%s' linewidth 3 dashtype 2; ", first_colour, second_colour), expected)
header = head_height(44)
plot_height = usual_height
axis_of(i) = shown ? threshold_axis(unit[i]) : ''
eval fit_below
eval fit_height
eval open_canvas
round = dot(few ? 1.6 : H_records <= 33 ? 1.1 : H_records <= 65 ? 0.7 : 0.3)
square = round * 1.25
set multiplot
eval open_sheet
eval draw_head
plot 0 linecolor rgb '#FFFFFFFF' notitle
eval close_sheet

# ---- Panels ----

set yrange [-0.02:1.04]
set ytics 0.2 format '%.1f'
if (few) { set xtics 1 }
do for [i = 1:arms] {
    axis = axis_of(i)
    eval place
    set xrange [H_min - 0.5:within_scale(unit[i], H_max) + 0.5]
    if (shown == 0) { plot 0 linecolor rgb '#FFFFFFFF' notitle; continue }
    first = theory_first[i]
    last = theory_last[i]
    # The invisible constant keeps the axes of a panel without data.
    # SVG viewers show titles as tooltips.
    plot 0 linecolor rgb '#FFFFFFFF' notitle, \
         table every ::first::last using (column("threshold")):(between("recall_low")):(between("recall_high")) \
            with filledcurves linecolor rgb tint(second_colour) title of(recall, interval) noenhanced, \
         '' every ::first::last using (column("threshold")):(between("precision_low")):(between("precision_high")) \
            with filledcurves linecolor rgb tint(first_colour) title of(precision, interval) noenhanced, \
         '' every ::first::last using (column("threshold")):(column("recall_expected")) \
            with lines linecolor rgb second_colour linewidth 3 dashtype 2 title of(recall, expected) noenhanced, \
         '' every ::first::last using (column("threshold")):(column("precision_expected")) \
            with lines linecolor rgb first_colour linewidth 3 dashtype 1 title of(precision, expected) noenhanced, \
         '' every ::first::last using (column("threshold") + apart):(inside("recall")):(column("recall_low")):(column("recall_high")) \
            with yerrorbars linecolor rgb second_colour linewidth 2 pointtype 0 title of(recall, interval) noenhanced, \
         '' every ::first::last \
            using (column("threshold") - apart):(inside("precision")):(column("precision_low")):(column("precision_high")) \
            with yerrorbars linecolor rgb first_colour linewidth 2 pointtype 0 title of(precision, interval) noenhanced, \
         '' every ::first::last using (column("threshold") + apart):(column("recall")) \
            with points linecolor rgb second_colour pointtype 5 pointsize square title of(recall, measured) noenhanced, \
         '' every ::first::last using (column("threshold") - apart):(column("precision")) \
            with points linecolor rgb first_colour pointtype 7 pointsize round title of(precision, measured) noenhanced
}
unset multiplot
unset output
