# SPDX-License-Identifier: GPL-3.0-or-later
#
# cost.gp - cost curves: the expected cost, as a share of the maximum, against the probability cost function PC(+),
# every arm of a corpus at its best threshold for each value (the lower envelope of its thresholds; Drummond, Holte
# 2006). Dotted: predicting no pair and predicting every pair. Above the frame: the cost of a false negative, in false
# positives, at the share of duplicates of costs.tsv. To redraw, in the directory of this file:
#   gnuplot CORPUS-arms.gp cost.gp
#   gnuplot -e "format = 'svg'" CORPUS-arms.gp cost.gp

figure = 'cost'
across = 1
left_of_plot = 130
right_of_plot = 60
load (exists('here') ? here : '').'style.gp'

# ---- The envelope of every arm: both ends of each piece ----

table = directory.'/cost-curve.tsv'
highest = 0
do for [i = 1:arms] {
    eval sprintf("set print $curve_%d", i)
    print "pc\tcost\tmark"
    unset print
    if (cost_curve_last[i] < cost_curve_first[i]) { continue }
    eval sprintf("set table $curve_%d append", i)
    plot table every ::cost_curve_first[i]::cost_curve_last[i] \
        using (column("pc_from")):(column("cost_from")):(column("pc_to") - column("pc_from") > 0.015) with table
    plot table every ::cost_curve_last[i]::cost_curve_last[i] using (column("pc_to")):(column("cost_to")):(0) with table
    unset table
    stats table every ::cost_curve_first[i]::cost_curve_last[i] using (column("cost_from")) nooutput prefix 'C'
    highest = C_max > highest ? C_max : highest
}
# The share of duplicates of the ratios, and the shares at three named points of the axis, with their thresholds.
share = NaN
stats directory.'/costs.tsv' every ::costs_first[1]::costs_last[1] using (share = column("prevalence"), 0) nooutput
probability(r) = share * r / (share * r + 1 - share)
named_ratios = '1/1000 1/500 1/200 1/100 1/50 1/20 1/10 1/5 1/2 1 2 5 10 20 50 100 200 500 1000 2000 5000 10000 20000 50000 100000'
bar_in(name) = strstrt(name, '/')
value_of(name) = bar_in(name) ? 1 / real(name[bar_in(name) + 1:*]) : real(name)
array stated[3]
do for [m = 1:3] {
    stated[m] = 1
    do for [k = 1:words(named_ratios)] {
        if (abs(probability(value_of(word(named_ratios, k))) - (m - 0.5) / 3) < abs(probability(value_of(word(named_ratios, stated[m]))) - (m - 0.5) / 3)) { stated[m] = k }
    }
}
ratios = word(named_ratios, stated[1]).', '.word(named_ratios, stated[2]).', '.word(named_ratios, stated[3])
array wanted[arms * 3]
do for [i = 1:arms] {
    do for [m = 1:3] {
        wanted[3 * i + m - 3] = 'NA'
        if (cost_curve_last[i] < cost_curve_first[i]) { continue }
        place_of = probability(value_of(word(named_ratios, stated[m])))
        stats table every ::cost_curve_first[i]::cost_curve_last[i] \
            using (column("pc_from") <= place_of && column("pc_to") >= place_of ? (wanted[3 * i + m - 3] = strcol("threshold")) : 0, 0) nooutput
    }
}
shown(h) = h eq 'NA' ? 'NA' : real(h) < 0 ? tell('none', '无', 'none 无') : sprintf('%.4g', real(h))

# ---- Title and legend ----

plot_height = slide ? 380 : narrow ? 420 : 700
below = 110
title = titled('what the best threshold costs', '最佳阈值的期望代价')
note = tell(sprintf('share of duplicates: %.3g', share), sprintf('重复比例：%.3g', share), sprintf('share of duplicates 重复比例: %.3g', share)). \
    tell('; h: where a missed duplicate costs '.ratios.' wrong calls', '；h：漏判代价为误判的 '.ratios.' 倍时的阈值', '; h: a missed duplicate costs 漏判代价 '.ratios)
eval lay_head
do for [i = 1:arms] {
    x = entry(line_look(colour(i), 3, dash(i)).point_look(colour(i), point(i), 1.7), label[i].sprintf(': h = %s, %s, %s', shown(wanted[3 * i - 2]), shown(wanted[3 * i - 1]), shown(wanted[3 * i])))
}
header = head_height(100)
height = int(header + plot_height + below)
eval open_canvas
dot_size = dot(1.7)
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
set label 1 say('probability cost PC(+)', '概率代价 PC(+)') at graph 0.5, screen y_at(header + plot_height + 74) center
set label 2 say('normalised expected cost', '归一化期望代价') at screen x_at(30), graph 0.5 center rotate
set label 3 say('a missed duplicate costs, in wrong calls', '漏判代价（以误判计）') at screen x_at(24), screen y_at(header - 46) textcolor rgb quiet font face(small)
set xrange [0:1]
top = highest > 0 ? (highest > 0.42 ? 0.5 : highest * 1.2) : 0.5
set yrange [-0.012 * top:top]
step = narrow ? 0.2 : 0.1
set xtics step format '%.1f'
set ytics format '%.2f'
# Ratios with enough room beside the previous one.
before = 0
do for [k = 1:words(named_ratios)] {
    name = word(named_ratios, k)
    at = probability(value_of(name))
    if ((at - before) * (width - left_of_plot - right_of_plot) > 22 + 12 * strlen(name) && at < 0.99) {
        set arrow k from at, graph 0 to at, graph 1 nohead linecolor rgb pale linewidth 1.5 dashtype 3 back
        set label 10 + k name at at, screen y_at(header - 16) center font face(small) textcolor rgb quiet
        before = at
    }
}
nothing = say('calling nothing', '全不判重')
everything = say('calling everything', '全部判重')
set samples 200
# SVG viewers show titles as tooltips.
plot [0:1] x with lines linecolor rgb quiet linewidth 2 dashtype 3 title nothing noenhanced, \
     1 - x with lines linecolor rgb quiet linewidth 2 dashtype 3 title everything noenhanced, \
     for [i = 1:arms] sprintf('$curve_%d', i) using (column("pc")):(column("cost")) \
        with lines linecolor rgb colour(i) linewidth 3 dashtype dash(i) title label[i] noenhanced, \
     for [i = 1:arms] sprintf('$curve_%d', i) using (column("mark") == 1 ? column("pc") : NaN):(column("cost")) \
        with points linecolor rgb colour(i) linewidth 2 pointtype point(i) pointsize dot_size title label[i] noenhanced
unset multiplot
unset output
