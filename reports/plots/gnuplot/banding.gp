# SPDX-License-Identifier: GPL-3.0-or-later
#
# banding.gp - the probability that a pair becomes a candidate, against its similarity: the S-curve of bands and rows
# (Leskovec, Rajaraman, Ullman, Mining of Massive Datasets, section 3.4) for the chosen design and close alternatives.
# Shaded: below the target the share of pairs that become candidates, above it the share that is lost, if all
# similarities were equally frequent. Load STEM-choice.gp first: it defines target, recall, chance, slots, bands[1 …]
# and rows[1 …], the chosen design first. To redraw, in the directory of this file:
#   gnuplot STEM-choice.gp banding.gp
#   gnuplot -e "format = 'svg'" STEM-choice.gp banding.gp

figure = 'banding'
across = 1
left_of_plot = 116
right_of_plot = 60
load (exists('here') ? here : '').'style.gp'

curves = |bands|
most_entries = curves + 20
array entry_look[most_entries]
array entry_text[most_entries]
array entry_left[most_entries]
array entry_middle[most_entries]
P(k, s) = 1 - (1 - (s + (1 - s) * chance) ** rows[k]) ** bands[k]

plot_height = slide ? 420 : narrow ? 420 : 720
below = 110
title = headed(sprintf('S-curve of %.0f bands of %.0f rows', bands[1], rows[1]), sprintf('分段索引：%.0f 段 × %.0f 行', bands[1], rows[1]))
note = tell(sprintf('at most %.0f slots', slots), sprintf('至多 %.0f 槽', slots), sprintf('at most %.0f slots 槽数上限', slots))
eval lay_head
do for [k = 1:curves] {
    x = entry(line_look(colour(k), k == 1 ? 5 : 2.5, dash(k)), sprintf('%.0f × %.0f: P(%g) = %.4f', bands[k], rows[k], target, P(k, target)).(k == 1 ? '  '.say('chosen', '选定') : ''))
}
x = entry(fill_look(tint(second_colour), 'solid noborder'), say('candidates below the target', '误报'))
x = entry(fill_look(tint(palette[4]), sprintf("pattern 4 border rgb '%s'", palette[4])), say('lost above the target', '漏报'))
header = head_height(40)
height = int(header + plot_height + below)
eval open_canvas
set multiplot
eval open_sheet
eval draw_head
plot 0 linecolor rgb '#FFFFFFFF' notitle
eval close_sheet

# ---- Sheet ----

set lmargin at screen x_at(left_of_plot)
set rmargin at screen x_at(width - right_of_plot)
set tmargin at screen y_at(header)
set bmargin at screen y_at(header + plot_height)
set label 1 say('similarity', '相似度') at graph 0.5, screen y_at(header + plot_height + 70) center
set label 2 say('P[candidate]', '成为候选的概率') at screen x_at(30), graph 0.5 center rotate
set xrange [0:1]
set yrange [0:1.03]
step = narrow ? 0.2 : 0.1
set xtics step format '%.1f'
set ytics 0.1 format '%.1f'
set samples 801
set arrow 1 from target, 0 to target, 1.03 nohead linecolor rgb quiet linewidth 2 dashtype 2
if (target < 0.85) { set label 3 sprintf('%s %g', say('target', '目标'), target) at target, graph 0.04 offset 0.8, 0 textcolor rgb quiet font face(small) }
if (target >= 0.85) { set label 3 sprintf('%s %g', say('target', '目标'), target) at target, graph 0.04 right offset -0.8, 0 textcolor rgb quiet font face(small) }
if (recall > 0) { set arrow 2 from 0, recall to 1, recall nohead linecolor rgb quiet linewidth 2 dashtype 3 }
if (recall > 0) { set label 4 sprintf('%s %g', say('recall', '召回率'), recall) at graph 0.01, first recall offset 0, 0.7 textcolor rgb quiet font face(small) }
# SVG viewers show titles as tooltips.
plot [0:1] \
     '+' using 1:($1 <= target ? P(1, $1) : NaN) with filledcurves y1=0 fillcolor rgb tint(second_colour) \
        title say('candidates below the target', '误报') noenhanced, \
     '+' using 1:($1 >= target ? P(1, $1) : NaN):(1) with filledcurves fillcolor rgb palette[4] fillstyle pattern 4 noborder \
        title say('lost above the target', '漏报') noenhanced, \
     for [k = curves:1:-1] '+' using 1:(P(k, $1)) with lines linecolor rgb colour(k) linewidth (k == 1 ? 5 : 2.5) dashtype dash(k) \
        title sprintf('%.0f × %.0f', bands[k], rows[k]) noenhanced, \
     '+' using (target):(P(1, target)) every ::::0 with points linecolor rgb colour(1) pointtype 7 pointsize dot(2.4) title say('chosen', '选定') noenhanced
unset multiplot
unset output
