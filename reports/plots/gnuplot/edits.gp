# SPDX-License-Identifier: GPL-3.0-or-later
#
# edits.gp - distances of duplicates against the share of their characters that was edited, a line a bucket of length and a
# panel an arm: measured with its interval, and dashed what the arm's law expects at the exact similarity. To redraw, in
# the directory of this file:
#   gnuplot CORPUS-arms.gp edits.gp
#   gnuplot -e "format = 'svg'" CORPUS-arms.gp edits.gp

figure = 'edits'
right_of_plot = 46
load (exists('here') ? here : '').'style.gp'
table = directory.'/edits.tsv'

# ---- The rows of every arm and bucket, and the names of the buckets ----

most = 0
array unit[arms]
array rows[arms]
do for [i = 1:arms] {
    unit[i] = ''
    rows[i] = edits_last[i] - edits_first[i] + 1
    if (rows[i] < 1) { continue }
    stats table every ::edits_first[i]::edits_last[i] using (unit[i] = strcol("scale"), column("lengths")) nooutput prefix 'B'
    most = B_max > most ? int(B_max) : most
}
array bucket[most > 0 ? most : 1]
do for [b = 1:|bucket|] { bucket[b] = '' }
expects = 0
do for [i = 1:arms] {
    if (rows[i] < 1) { continue }
    stats table every ::edits_first[i]::edits_last[i] using (bucket[int(column("lengths"))] = strcol("length"), \
        expects = expects + (strcol("expected") ne 'NA'), 0) nooutput
    do for [b = 1:most] {
        eval sprintf("set print $cell_%d_%d", i, b)
        print "share\tmeasured\tlow\thigh\texpected\tpairs"
        unset print
        eval sprintf("set table $cell_%d_%d append", i, b)
        plot table every ::edits_first[i]::edits_last[i] using (column("mean_share")):(column("measured")):(column("measured_low")): \
            (column("measured_high")):(column("expected")):(column("pairs")) with table if (column("lengths") == b)
        unset table
    }
}

# ---- Title and legend ----

interval = sure_of('interval')
expected = say('expected by the law', '理论期望')
measured = say('measured', '实测')
few_said = say('few pairs', '对数少')
entries = 0
do for [b = 1:most] { entries = entries + (bucket[b] ne '') }
entry_width = 0
do for [b = 1:most] { entry_width = ems(bucket[b]) * text > entry_width ? ems(bucket[b]) * text : entry_width }
entry_width = entry_width + 92
lengths = tell('shorter text, characters:', '较短文本字数：', 'shorter text, characters 较短文本字数:')
entries_from = 24 + ems(lengths) * text * (lang eq 'zh' ? 1.08 : 0.92)
entries_across = int((width - 24 - entries_from) / entry_width)
entries_across = entries_across < 1 ? 1 : entries_across
entries_down = entries > 0 ? (entries - 1) / entries_across + 1 : 1
header = 136 + entries_down * 38
plot_height = arms == 1 ? 640 : arms == 2 ? 500 : 350
eval fit_height
dot_size = dot(1.7)
few = 5 # pairs
eval open_canvas
set multiplot

eval open_sheet
title = titled('distance of duplicates, by share of edited characters and length', '重复对的距离：按改动比例与字数')
set label 1 title at 24, 36 font fitting(title, headline, width - 48)
sure = tell(measured.' ('.interval.')', measured.'（'.interval.'）', measured.' ('.interval.')')
set label 2 sure at 120, 86 font fitting(sure, text, 600)
set arrow 1 from 24, 86 to 104, 86 nohead linecolor rgb quiet linewidth 3
set arrow 2 from 64, 74 to 64, 98 heads size screen 0.004, 90 linecolor rgb quiet linewidth 2
if (expects) {
    set label 3 expected at 836, 86
    set arrow 3 from 740, 86 to 820, 86 nohead linecolor rgb quiet linewidth 2 dashtype (7, 5)
}
set label 4 lengths at 24, 128
set label 5 tell(sprintf('hollow: < %d pairs', few), sprintf('空心：不足 %d 对', few), sprintf('hollow 空心: < %d pairs 对', few)) at width - 24, 86 right textcolor rgb quiet
n = 0
do for [b = 1:most] {
    if (bucket[b] eq '') { continue }
    x = entries_from + (n % entries_across) * entry_width
    y = 128 + (n / entries_across) * 38
    set arrow 10 + b from x, y to x + 60, y nohead linecolor rgb colour(b) linewidth 3
    set label 100 + 2 * b '' at x + 30, y point pointtype point(b) pointsize dot_size linecolor rgb colour(b) linewidth 2
    set label 101 + 2 * b bucket[b] at x + 72, y
    n = n + 1
}
plot 0 linecolor rgb '#FFFFFFFF' notitle
eval close_sheet

# ---- Panels ----

spread(x) = column("low") == column("low") ? x : NaN # a bar without limits would reach to the axis
tick_face = face(small)
set xtics autofreq font tick_face format '%g%%'
set ytics autofreq format '%g'
set offsets 0, graph 0.03, graph 0.08, 0
full(value) = column("pairs") >= few ? value : NaN
hollow(value) = column("pairs") < few ? value : NaN
set xrange [0:*]
set yrange [0:*]
do for [i = 1:arms] {
    axis = say('share of edited characters', '改动字符比例')
    eval place
    set label 3 distance_axis(unit[i]) at graph 0.015, graph 0.95 font face(small) textcolor rgb quiet
    if (rows[i] < 1) {
        set label 3 say('no labelled duplicates', '无标注的重复对') at graph 0.5, graph 0.5 center
        plot [0:100] [0:1] 0 linecolor rgb '#FFFFFFFF' notitle
        continue
    }
    # A viewer of the SVG shows the titles as tips.
    plot 0 linecolor rgb '#FFFFFFFF' notitle, \
         for [b = 1:most] sprintf('$cell_%d_%d', i, b) using (100 * column("share")):(column("expected")) \
            with lines linecolor rgb colour(b) linewidth 2 dashtype (7, 5) title of(bucket[b], expected) noenhanced, \
         for [b = 1:most] sprintf('$cell_%d_%d', i, b) using (spread(100 * column("share"))):(column("measured")):(column("low")):(column("high")) \
            with yerrorbars linecolor rgb colour(b) linewidth 2 pointtype 0 title of(bucket[b], interval) noenhanced, \
         for [b = 1:most] sprintf('$cell_%d_%d', i, b) using (100 * column("share")):(column("measured")) \
            with lines linecolor rgb colour(b) linewidth 3 title of(bucket[b], measured) noenhanced, \
         for [b = 1:most] sprintf('$cell_%d_%d', i, b) using (100 * column("share")):(full(column("measured"))) \
            with points linecolor rgb colour(b) linewidth 2 pointtype point(b) pointsize dot_size title of(bucket[b], measured) noenhanced, \
         for [b = 1:most] sprintf('$cell_%d_%d', i, b) using (100 * column("share")):(hollow(column("measured"))) \
            with points linecolor rgb '#FFFFFF' pointtype point(b) pointsize dot_size notitle, \
         for [b = 1:most] sprintf('$cell_%d_%d', i, b) using (100 * column("share")):(hollow(column("measured"))) \
            with points linecolor rgb colour(b) linewidth 2 pointtype point(b) - 1 pointsize dot_size title of(bucket[b], few_said) noenhanced
}
unset multiplot
unset output
