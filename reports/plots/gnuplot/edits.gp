# SPDX-License-Identifier: GPL-3.0-or-later
#
# edits.gp - mean distances of duplicates by share of edited characters and by length, a panel per arm: a darker cell
# means a larger distance; in it the measured mean, and below the mean expected by the arm's theoretical distribution at
# the exact similarity. Panels of the same scale have the same shades. To redraw, in the directory of this file:
#   gnuplot CORPUS-arms.gp edits.gp
#   gnuplot -e "format = 'svg'" CORPUS-arms.gp edits.gp

figure = 'edits'
left_of_plot = 150
right_of_plot = 24
wide_panels = 1
load (exists('here') ? here : '').'style.gp'
table = directory.'/edits.tsv'
few = 5 # pairs

# ---- Classes of shares and lengths over all arms ----

most_shares = 64
array share_low[most_shares]
array share_high[most_shares]
shares = 0
place_of(low) = sum [s = 1:shares] (share_low[s] == low ? s : 0)
lengths = 0
array rows[arms]
array unit[arms]
array end[arms]
expects = 0
do for [i = 1:arms] {
    unit[i] = ''
    end[i] = 0
    rows[i] = edits_last[i] - edits_first[i] + 1
    if (rows[i] < 1) { continue }
    stats table every ::edits_first[i]::edits_last[i] using (unit[i] = strcol("scale"), \
        lengths = column("lengths") > lengths ? int(column("lengths")) : lengths, \
        end[i] = column("measured") > end[i] ? column("measured") : end[i], expects = expects + (strcol("expected") ne 'NA'), \
        (shares < 1 ? 0 : place_of(column("share_low"))) == 0 && shares < most_shares ? (shares = shares + 1, \
            share_low[shares] = column("share_low"), share_high[shares] = column("share_high"), 0) : 0, 0) nooutput
}
do for [a = 1:shares] { do for [b = a + 1:shares] { if (share_low[b] < share_low[a]) {
    swap = share_low[a]; share_low[a] = share_low[b]; share_low[b] = swap
    swap = share_high[a]; share_high[a] = share_high[b]; share_high[b] = swap
} } }
array length_name[lengths > 0 ? lengths : 1]
do for [b = 1:|length_name|] { length_name[b] = '' }
do for [i = 1:arms] {
    if (rows[i] < 1) { continue }
    stats table every ::edits_first[i]::edits_last[i] using (length_name[int(column("lengths"))] = strcol("length"), 0) nooutput
}
# Lengths with cells, the shortest at the bottom.
array row_of[|length_name|]
held = 0
do for [b = 1:|length_name|] { if (length_name[b] ne '') { held = held + 1; row_of[b] = held } }
eval equal_ends
do for [i = 1:arms] { note_of[i] = rows[i] < 1 ? '' : distance_axis(unit[i]) }
eval lay_headings

# ---- Shades: towards the first colour; numbers stay readable ----

channel(rgb, k) = int('0x'.rgb[2 * k:2 * k + 1])
mixed(rgb, share, k) = int(255 - (255 - channel(rgb, k)) * share)
shade(share) = sprintf('#%02X%02X%02X', mixed(first_colour, share, 1), mixed(first_colour, share, 2), mixed(first_colour, share, 3))
darkest = 0.85
on_shade(share) = grey && share > 0.5 ? '#FFFFFF' : ink

# ---- Head ----

title = titled('distance of duplicates, by share of edited characters and length', '重复对的距离：按改动比例与字数')
note = tell(sprintf('mean; in brackets: < %d pairs', few), sprintf('均值；括号内不足 %d 对', few), sprintf('mean 均值; in brackets 括号内: < %d pairs 对', few))
eval lay_head
shades_look = ''
do for [s = 0:3] {
    shades_look = shades_look.sprintf("set object %d rectangle from x + swatch * %g, y - 14 to x + swatch * %g, y + 14 fillcolor rgb '%s' fillstyle solid noborder; ", 960 + s, s / 4.0, (s + 1) / 4.0, shade(darkest * (s + 0.5) / 4))
}
x = entry(shades_look, say('near to far', '由近到远'))
if (expects) { x = entry('', say('below: expected by the law', '下行：理论期望')) }
blanks = 0
do for [i = 1:arms] { if (rows[i] > 0 && rows[i] < shares * held) { blanks = 1 } }
if (blanks) { x = entry('', say('blank: no pairs', '空白：无文本对')) }
header = head_height(44)
cell = (panel_width - left_of_plot - right_of_plot) / (shares > 0 ? shares : 1)
plot_height = (held > 0 ? held : 3) * (expects ? (narrow ? 52 : 62) : narrow ? 38 : 46)
axis_of(i) = tell('share of edited characters, %', '改动字符比例（%）', 'share of edited characters 改动字符比例, %')
eval fit_below
eval fit_height
eval open_canvas
set multiplot
eval open_sheet
eval draw_head
plot 0 linecolor rgb '#FFFFFFFF' notitle
eval close_sheet

# ---- Panels ----

percent(v) = sprintf('%g', 100 * v)
range_of(s) = percent(share_low[s]).'–'.percent(share_high[s])
unset grid
tick_face = face(small)
set xtics () scale 0 font tick_face
set ytics () scale 0
set xrange [0:shares > 0 ? shares : 1]
set yrange [0:held > 0 ? held : 1]
do for [s = 1:shares] { set xtics add (range_of(s) s - 0.5) }
do for [b = 1:lengths] { if (length_name[b] ne '') { set ytics add (length_name[b] row_of[b] - 0.5) } }
# The cells of an arm, one per row of the table.
array cell_x[4096]
array cell_y[4096]
array cell_value[4096]
array cell_expected[4096]
array cell_pairs[4096]
draws = 0
put(length, low, value, expected, pairs) = (draws = draws + 1, cell_x[draws] = place_of(low) - 1, cell_y[draws] = row_of[int(length)] - 1, \
    cell_value[draws] = value, cell_expected[draws] = expected, cell_pairs[draws] = pairs, 0)
lengths_said = tell('shorter text, characters', '较短文本字数', 'characters 较短文本字数')
do for [i = 1:arms] {
    axis = axis_of(i)
    eval place
    if (rows[i] < 1) {
        set label 3 say('no labelled duplicates', '无标注的重复对') at graph 0.5, graph 0.5 center
        plot 0 linecolor rgb '#FFFFFFFF' notitle
        unset label
        continue
    }
    set label 3 lengths_said at screen x_at(left - 128), screen y_at((top + bottom) / 2) center rotate
    draws = 0
    stats table every ::edits_first[i]::edits_last[i] using (put(column("lengths"), column("share_low"), column("measured"), \
        strcol("expected") eq 'NA' ? NaN : column("expected"), column("pairs")), 0) nooutput
    do for [d = 1:draws] {
        share = end[i] > 0 && cell_value[d] == cell_value[d] ? darkest * cell_value[d] / end[i] : 0
        set object 1000 + d rectangle from cell_x[d], cell_y[d] to cell_x[d] + 1, cell_y[d] + 1 behind fillcolor rgb shade(share) fillstyle solid border rgb '#FFFFFF' linewidth 2
        has_law = cell_expected[d] == cell_expected[d]
        figure_text = cell_value[d] == cell_value[d] ? sprintf('%.3g', cell_value[d]) : 'NA'
        figure_text = cell_pairs[d] < few ? '('.figure_text.')' : figure_text
        set label 1000 + 2 * d figure_text at cell_x[d] + 0.5, cell_y[d] + (has_law ? 0.68 : 0.5) center textcolor rgb on_shade(share) front
        if (has_law) { set label 1001 + 2 * d sprintf('%.3g', cell_expected[d]) at cell_x[d] + 0.5, cell_y[d] + 0.28 center font face(small) textcolor rgb on_shade(share) front }
    }
    plot 0 linecolor rgb '#FFFFFFFF' notitle
    unset label
    unset object
}
unset multiplot
unset output
