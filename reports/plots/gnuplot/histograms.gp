# SPDX-License-Identifier: GPL-3.0-or-later
#
# histograms.gp - distributions of the distances of positive and negative pairs, a panel per arm; shares within each
# class. The axis of shares is logarithmic: the few negatives at small distances, which determine the precision,
# would be invisible on a linear one. To redraw, in the directory of this file:
#   gnuplot CORPUS-arms.gp histograms.gp
#   gnuplot -e "format = 'svg'" CORPUS-arms.gp histograms.gp

figure = 'histograms'
left_of_plot = 108
load (exists('here') ? here : '').'style.gp'
table = directory.'/histograms.tsv'

# Steps of shares in per cent: two corners per bin; a blank line at an empty bin, so that no line is drawn to it.
share(name, total) = (shared = 100.0 * column(name) / total, least = shared < least ? shared : least, shared)
step(name, total) = column(name) > 0 ? sprintf("%.9g\t%.9g\n%.9g\t%.9g\n", column("low"), share(name, total), column("high"), share(name, total)) : "\n"
dot_at(name, total) = column(name) > 0 ? sprintf("%.9g\t%.9g\n", (column("low") + column("high")) / 2, share(name, total)) : ''
least = 100
array end[arms]
array unit[arms]
do for [i = 1:arms] {
    first = histograms_first[i]
    last = histograms_last[i]
    stats table every ::first::last using (column("positives")) nooutput prefix 'P'
    stats table every ::first::last using (column("negatives")) nooutput prefix 'N'
    array drawn[4] = ['', '', '', '']
    stats table every ::first::last using (end[i] = column("high"), unit[i] = strcol("scale"), \
        drawn[1] = drawn[1].step("positives", P_sum), drawn[2] = drawn[2].step("negatives", N_sum), \
        drawn[3] = drawn[3].dot_at("positives", P_sum), drawn[4] = drawn[4].dot_at("negatives", N_sum), 0) nooutput
    do for [k = 1:4] {
        eval sprintf("set print $drawn_%d_%d", i, k)
        print "distance\tshare"
        print drawn[k]
        unset print
    }
}
eval equal_ends
# Below the smallest share, but at least one in a million.
floor_share = least / 1.6 < 1e-4 ? 1e-4 : least / 1.6

positive = say('positive', '正例')
negative = say('negative', '负例')

title = titled('distances of positive and negative '.counted_en, '正例与负例'.(documents ? '文档' : '').'的距离分布')
note = tell('share of its class (log); no pairs: a gap', '占各类的比例（对数）；无文本对处留空', 'share of its class 占各类的比例 (log)')
if (documents) { note = tell('share of its class (log); none: a gap', '占各类的比例（对数）；无文档处留空', 'share of its class 占各类的比例 (log)') }
eval lay_head
x = entry(line_look(first_colour, 3, 1).point_look(first_colour, 7, 0.9), sprintf(tell('%s (%.0f)', '%s（%.0f）', '%s (%.0f)'), positive, P_sum))
x = entry(line_look(second_colour, 2, 1).point_look(second_colour, 4, 1.1), sprintf(tell('%s (%.0f)', '%s（%.0f）', '%s (%.0f)'), negative, N_sum))
header = head_height(44)
plot_height = usual_height
axis_of(i) = distance_axis(unit[i])
eval fit_below
eval fit_height
eval open_canvas
set multiplot
eval open_sheet
eval draw_head
plot 0 linecolor rgb '#FFFFFFFF' notitle
eval close_sheet

set yrange [floor_share:150]
set logscale y
set ytics 10
set format y '%g%%'
do for [i = 1:arms] {
    axis = axis_of(i)
    eval place
    set xrange [0:end[i]]
    step = marks_of(end[i])
    set xtics step
    # SVG viewers show titles as tooltips.
    plot floor_share linecolor rgb '#FFFFFFFF' notitle, \
         for [k = 2:1:-1] sprintf('$drawn_%d_%d', i, k) using 1:2 with lines linecolor rgb (k == 1 ? first_colour : second_colour) \
            linewidth (k == 1 ? 3 : 2) title (k == 1 ? positive : negative) noenhanced, \
         for [k = 4:3:-1] sprintf('$drawn_%d_%d', i, k) using 1:2 with points linecolor rgb (k == 3 ? first_colour : second_colour) \
            pointtype (k == 3 ? 7 : 4) pointsize (k == 3 ? dot(0.7) : dot(0.9)) title (k == 3 ? positive : negative) noenhanced
}
unset multiplot
unset output
