# SPDX-License-Identifier: GPL-3.0-or-later
#
# style.gp - shared by the figures: reading of tables, canvas, font, colours, layout of panels. Each figure loads it
# after the description of the corpus (CORPUS-arms.gp), which defines
#   directory                           directory of the tables
#   stem                                prefix of the names of the pictures
#   corpus                              name of the corpus, for the title
#   arms, label[1 … arms]               number of arms, and their names
#   results_first[i], results_last[i]   rows of arm i in results.tsv, from 0; likewise summary_, curves_, histograms_
# Before it loads this file a figure may set `across`, the number of panels side by side, and, in pixels,
# `left_of_plot`, `right_of_plot` and `heading_width`. By hand, with gnuplot -e:
#   format                              'png', 'svg', 'pdf' or 'tikz'
#   output                              name of the picture
#   size                                'WIDTHxHEIGHT' or 'WIDTH' in pixels, 96 to an inch; 'NNmm', 'column' (84mm), 'page'
#                                       (174mm), 'slide'
#   lang                                'en', 'zh' or 'both'
#   caption                             replaces the title of the picture; '': no title
#   grey                                1: greys, for black-and-white print
#   font                                name of the font

load (exists('here') ? here : '').'words.gp'
if (!exists("format")) format = 'png'
if (!exists("font")) font = 'WenQuanYi Micro Hei'
if (!exists("size")) size = ''
if (!exists("confidence")) confidence = 0
if (!exists("grey")) grey = 0
if (format ne 'png' && format ne 'svg' && format ne 'pdf' && format ne 'tikz') {
    print "format is png, svg, pdf or tikz"
    exit status 1
}
# ---- Tables ----

set encoding utf8
set datafile separator tab
set datafile commentschars ''
set datafile columnheaders

# ---- Canvas and font size: a sheet 1600 wide, or narrower if text would be smaller than 6.5 points ----

text = 22
headline = 28
small = 19
# 'column' has the width of a journal's column, 'page' of two columns, 'slide' of a 16:9 screen. A PNG in
# millimetres has 300 pixels per inch, a slide 144.
wanted = size eq 'column' ? '84mm' : size eq 'page' ? '174mm' : size eq 'slide' ? '1280x720' : size
cross = strstrt(wanted, 'x')
in_mm = strstrt(wanted, 'mm')
finer = format ne 'png' ? 1 : in_mm ? 300 / 96.0 : size eq 'slide' ? 1.5 : 1
canvas_width = wanted eq '' ? 1600 : in_mm ? int(real(wanted[1:in_mm - 1]) * 96 / 25.4) : int(real(cross ? wanted[1:cross - 1] : wanted))
canvas_height = cross ? int(real(wanted[cross + 1:*])) : 0 # 0: the height of the figure
if (canvas_width < 1 || (cross && canvas_height < 1)) {
    print "size is WIDTHxHEIGHT or WIDTH in pixels, such as 1200x900, or NNmm, column, page or slide"
    exit status 1
}
least_type = 6.5 * 96 / 72 # pixels of the canvas
width = small / least_type * canvas_width
width = width < 600 ? 600.0 : width > 1600 ? 1600.0 : width
# A slide has the number of panels per row that makes text largest; approximate height of a row of panels.
slide = size eq 'slide'
if (!exists("slide_row")) slide_row = 430
slide_across = exists("across") ? across : 1
if (slide) {
    width = exists("across") ? 1200.0 : 1e9
    do for [a = 1:exists("across") ? 0 : arms] {
        needed = (200 + slide_row * ceil(arms / real(a))) * 16 / 9.0
        needed = needed < 350 * a ? 350.0 * a : needed < 1200 ? 1200.0 : needed
        if (needed < width) { width = needed; slide_across = a }
    }
}
canvas_width = int(canvas_width * finer)
canvas_height = int(canvas_height * finer)
scale = canvas_width / width
narrow = width < 1000
# Stretches the panels to the height of the canvas, up to their limit; the rest stays blank.
fit_height = "height = int(sheet_height(down)); \
if (canvas_height) { \
    stretched = plot_height + (canvas_height / scale - height) / down; \
    plot_height = stretched < 0.6 * plot_height ? 0.6 * plot_height : stretched > 3 * plot_height ? 3 * plot_height : stretched; \
    height = int(sheet_height(down)); \
}"
# Points of 1/72 inch for cairo, pixels of 1/96 inch for SVG; the other families are for SVG viewers without the font.
families = font.'&#44; Noto Sans CJK SC&#44; Microsoft YaHei&#44; PingFang SC&#44; sans-serif'
# TeX uses its own font; only the size is set.
face(pixels) = format eq 'tikz' ? sprintf(',%.2f', pixels * scale * 0.75) : format eq 'svg' ? sprintf('%s,%.1f', families, pixels * scale) : sprintf('%s,%.2f', font, pixels * scale * 0.75)
# The tikz terminal accepts only numbers, no expressions.
in_tex(wide, high) = sprintf("set terminal tikz size %.4fin,%.4fin background '#ffffff' font '%s' linewidth %.3f", \
    wide, high, face(text), 1.5 * scale)
open_canvas = "if (canvas_height && canvas_height < height * scale) { scale = canvas_height / real(height) }; \
if (!canvas_height) { canvas_height = int(height * scale + 0.5) }; \
if (format eq 'svg') { \
    set terminal svg noenhanced size canvas_width, canvas_height fixed background '#ffffff' font face(text) linewidth scale \
}; \
if (format eq 'png') { \
    set terminal pngcairo noenhanced size canvas_width, canvas_height background '#ffffff' font face(text) linewidth scale \
}; \
if (format eq 'pdf') { \
    set terminal pdfcairo noenhanced size canvas_width / 96.0, canvas_height / 96.0 background '#ffffff' \
        font face(text) fontscale 0.75 linewidth 1.5 * scale \
}; \
if (format eq 'tikz') { \
    eval in_tex(canvas_width / 96.0, canvas_height / 96.0) \
}; \
set output (exists('output') ? output : here.stem.'-'.figure.'.'.format)"
# A sheet over the whole canvas, measured in pixels from the top left corner, for titles and legends.
open_sheet = "set lmargin at screen x_at(0); set rmargin at screen x_at(width); \
set bmargin at screen y_at(height); set tmargin at screen y_at(0); \
unset border; unset tics; unset grid; set xrange [0:width]; set yrange [height:0]"
close_sheet = "unset label; unset arrow; unset object; eval rulers"
# Points of the svg terminal grow with its font, those of pdfcairo are a third larger.
dot(points) = points * (format eq 'svg' ? 0.45 : format eq 'pdf' || format eq 'tikz' ? 0.75 * scale : scale)
# Pixels of the sheet to fractions of the canvas; a figure of another shape is centred.
x_at(pixels) = 0.5 + (pixels - width / 2.0) * scale / canvas_width
y_at(pixels) = 0.5 - (pixels - height / 2.0) * scale / canvas_height # from the top

# ---- Ink: Okabe and Ito's colours without yellow, ordered so that neighbours differ in lightness too ----

array palette[7] = ['#0072B2', '#E69F00', '#000000', '#CC79A7', '#D55E00', '#56B4E9', '#009E73']
if (grey) { array palette[7] = ['#000000', '#8C8C8C', '#505050', '#9C9C9C', '#303030', '#A0A0A0', '#6E6E6E'] }
array mark[6] = [7, 5, 9, 13, 11, 15]
colour(i) = palette[(i - 1) % 7 + 1]
point(i) = mark[(i - 1) % 6 + 1]
dash(i) = (i - 1) % 5 + 1
set dashtype 1 solid
set dashtype 2 (14, 5)
set dashtype 3 (3, 4)
set dashtype 4 (14, 4, 3, 4)
set dashtype 5 (24, 6, 8, 6)
tint(rgb) = '#C8'.rgb[2:7] # the same colour, mostly transparent
ink = '#000000'
quiet = '#606060'
pale = '#D9D9D9'

# Two quantities in one panel: dark, solid, round and light, dashed, square.
first_colour = palette[1]
second_colour = palette[2]

rulers = "set border 3 linewidth 1.2 linecolor rgb quiet; \
set xtics nomirror out scale 0.5 textcolor rgb ink offset 0, (format eq 'svg' ? 0.4 : 0); \
set ytics nomirror out scale 0.5 textcolor rgb ink; \
set grid xtics ytics back linetype 1 linecolor rgb pale linewidth 1.2 dashtype solid"
eval rulers
unset key

# ---- Texts broken into lines that fit ----

# Estimated widths: 0.55 em for Latin, 1 em for all other characters.
latin = ' !"#$%&''()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\]^_`abcdefghijklmnopqrstuvwxyz{|}~–µ±·≤×'
ems(s) = sum [k = 1:strlen(s)] (s[k:k] eq "\n" ? 0 : strstrt(latin, s[k:k]) ? 0.55 : 1.0)
# The font in which `s` takes at most `pixels`; at least of size `small`.
fitting(s, size, pixels) = face(ems(s) * size <= pixels ? size : ems(s) * small > pixels ? small : pixels / ems(s))
# How many characters of `s` fit, starting from n that fit; and the break there: after a blank, a comma or a colon, or
# next to a Chinese character.
fill(s, size, pixels, n) = n >= strlen(s) || ems(s[1:n + 1]) * size > pixels ? n : fill(s, size, pixels, n + 1)
splits(s, n) = strstrt(' ,:;', s[n:n]) || (!strstrt(latin, s[n:n]) && s[n:n] ne '（' && !strstrt('，。；：）、', s[n + 1:n + 1]))
split_before(s, n, m) = m < 2 ? n : splits(s, m) ? m : split_before(s, n, m - 1)
split_at(s, n) = n >= strlen(s) ? n : n < 1 ? 1 : split_before(s, n, n)
wrap(s, size, pixels) = strstrt(s, "\n") ? (wrap_line(s[1:strstrt(s, "\n") - 1], size, pixels)."\n".wrap(s[strstrt(s, "\n") + 1:*], size, pixels)) : wrap_line(s, size, pixels)
# No single word in the last line: balances the lengths of lines if that takes no more lines.
# Two languages start on separate lines.
seam(s) = (seam_at = 0, between = lang ne 'both' || strlen(s) < 2 ? 0 : sum [n = 2:strlen(s)] \
    (!seam_at && s[n - 1:n - 1] eq ' ' && !strstrt(latin, s[n:n]) ? (seam_at = n) : 0), seam_at)
wrap_line(s, size, pixels) = ems(s) * size <= pixels ? s : wrap_at(s, seam(s), size, pixels)
wrap_at(s, n, size, pixels) = n ? wrap_one(s[1:n - 2], size, pixels)."\n".wrap_one(s[n:*], size, pixels) : wrap_one(s, size, pixels)
wrap_one(s, size, pixels) = ems(s) * size <= pixels ? s : balanced(s, size, pixels, rows_of(fold(s, size, pixels)), 1.1)
balanced(s, size, pixels, lines, slack) = ems(s) * size / lines * slack >= pixels ? fold(s, size, pixels) : \
    rows_of(fold(s, size, ems(s) * size / lines * slack)) <= lines ? fold(s, size, ems(s) * size / lines * slack) : balanced(s, size, pixels, lines, slack + 0.1)
fold(s, size, pixels) = ems(s) * size <= pixels ? s : fold_at(s, split_at(s, fill(s, size, pixels, 0)), size, pixels)
fold_at(s, split, size, pixels) = split >= strlen(s) ? s : s[1:split]."\n".fold(s[split + (s[split + 1:split + 1] eq ' ' ? 2 : 1):*], size, pixels)
rows_of(s) = s eq '' ? 0 : 1 + (sum [k = 1:strlen(s)] (s[k:k] eq "\n"))
line = format eq 'svg' ? 33 : 30

# ---- Head of a sheet: title, note beside or below it, and legend entries, as many per row as fit ----

# Uses `title` and `note`.
lay_head = "note_beside = ems(title) * headline + ems(note) * text + 100 <= width; \
title_text = wrap(title, headline, width - 48); note_text = wrap(note, text, width - 48); \
head_end = title eq '' ? 14 : 56 + 1.25 * line * (rows_of(title_text) - 1); \
note_y = note_beside ? 36 : head_end + 22; \
if (note_beside && note ne '' && head_end < 56) { head_end = 56 }; \
if (!note_beside) { head_end = head_end + line * rows_of(note_text) + 8 }; \
entries = 0; entry_x = 24; entry_y = head_end + 34; entry_rows = 1"
most_entries = arms + 20
array entry_look[most_entries]
array entry_text[most_entries]
array entry_left[most_entries]
array entry_middle[most_entries]
swatch = narrow ? 64 : 80
# Adds an entry; `look`: commands that draw its sample, starting at x, centred at y.
entry(look, said) = (entries = entries + 1, entry_look[entries] = look, \
    entry_text[entries] = wrap(said, text, width - 64 - swatch), entry_width = swatch + 16 + ems(said) * text, \
    entry_breaks = entry_x > 24 && entry_x + entry_width > width - 24, \
    entry_y = entry_y + (entry_breaks ? line * entry_rows + 10 : 0), entry_x = entry_breaks ? 24 : entry_x, \
    entry_rows = entry_breaks || rows_of(entry_text[entries]) > entry_rows ? rows_of(entry_text[entries]) : entry_rows, \
    entry_left[entries] = entry_x, entry_middle[entries] = entry_y, entry_x = entry_x + entry_width + 40)
# The end of the head.
head_height(gap) = entries ? entry_y + line * (entry_rows - 1) + gap : head_end + gap
draw_head = "set label 901 title_text at 24, 36 font face(headline); \
if (note_beside) { set label 902 note_text at width - 24, note_y right textcolor rgb quiet } \
else { set label 902 note_text at 24, note_y textcolor rgb quiet }; \
do for [k = 1:entries] { \
    x = entry_left[k]; y = entry_middle[k]; eval entry_look[k]; \
    set label 950 + k entry_text[k] at x + swatch + 16, y \
}"
# Looks of entries; several can be concatenated.
line_look(rgb, wide, dashes) = sprintf("set arrow 900 + k from x, y to x + swatch, y nohead linecolor rgb '%s' linewidth %g dashtype %d; ", rgb, wide, dashes)
point_look(rgb, type, points) = sprintf("set label 800 + k '' at x + swatch / 2, y point pointtype %d pointsize dot(%g) linecolor rgb '%s' linewidth 2; ", type, points, rgb)
bar_look(rgb) = sprintf("set arrow 950 + k from x + swatch / 2, y - 15 to x + swatch / 2, y + 15 heads size 7, 90 linecolor rgb '%s' linewidth 2.5; ", rgb)
fill_look(rgb, style) = sprintf("set object 900 + k rectangle from x, y - 14 to x + swatch, y + 14 fillcolor rgb '%s' fillstyle %s; ", rgb, style)

# ---- Panels ----

widest_row = narrow ? (exists("wide_panels") ? 1 : 2) : int(width / (exists("wide_panels") ? 530 : 430))
if (!exists("across")) across = slide ? slide_across : arms <= widest_row ? arms : arms == 4 ? 2 : widest_row
down = int(ceil(arms / real(across)))
row(i) = (i - 1) / across + 1
panel_width = real(width) / across
if (!exists("left_of_plot")) left_of_plot = 76
if (!exists("right_of_plot")) right_of_plot = 32
if (!exists("heading_width")) heading_width = panel_width - left_of_plot - right_of_plot
# Height of a panel, by the number of panels.
usual_height = slide ? 240 : narrow ? (across == 1 ? (down > 2 ? 240 : 360) : down > 2 ? 190 : 240) : arms == 1 ? 620 : arms == 2 ? 480 : 330
# A name, and below it one or more smaller lines.
array heading[arms]
array lines_of[arms]
array note_of[arms]
array lines_in[down]
do for [i = 1:down] { lines_in[i] = 1 }
lay_headings = "do for [i = 1:arms] { \
    heading[i] = wrap(label[i], text, heading_width); \
    lines_of[i] = rows_of(heading[i]) < 1 ? 1 : rows_of(heading[i]); \
    note_of[i] = wrap(note_of[i], small, heading_width + right_of_plot - 12); \
    noted = rows_of(note_of[i]); \
    if (lines_of[i] + noted > lines_in[row(i)]) { lines_in[row(i)] = lines_of[i] + noted } \
}"
do for [i = 1:arms] { note_of[i] = '' }
eval lay_headings

# The first row begins `header` pixels from the top; the height of a row is that of its longest heading, `plot_height`
# and the axis labels.
below = 100
above(row) = 20 + line * lines_in[row]
sheet_height(n) = header + sum [k = 1:n] (above(k) + plot_height + below)
# The same, with room for the longest of the axis labels axis_of(i).
axis_lines(s) = wrap(s, text, panel_width - abs(left_of_plot - right_of_plot) - 12)
fit_below = "do for [i = 1:arms] { needed = 100 + line * (rows_of(axis_lines(axis_of(i))) - 1); if (needed > below) { below = needed } }"
# Margins, heading and axis label of panel i.
place = "left = (i - 1) % across * panel_width + left_of_plot; right = left - left_of_plot + panel_width - right_of_plot; \
bottom = sheet_height(row(i)) - below; top = bottom - plot_height; \
set lmargin at screen x_at(left); set rmargin at screen x_at(right); \
set tmargin at screen y_at(top); set bmargin at screen y_at(bottom); \
noted = rows_of(note_of[i]); \
set label 1 heading[i] at screen x_at(left), screen y_at(top - line * (lines_of[i] + noted)); \
if (noted) { set label 901 note_of[i] at screen x_at(left), screen y_at(top - line * noted) font face(small) textcolor rgb quiet } \
else { unset label 901 }; \
axis_text = axis_lines(axis); \
set label 2 axis_text at screen x_at((left + right) / 2), screen y_at(bottom + 66) center"
# Ticks of an axis over `span`: 1, 2 or 5 times a power of ten, as many as a panel has room for.
nice(span, most) = (rough = span / (most < 2 ? 2.0 : 1.0 * most), power = 10.0 ** floor(log10(rough)), \
    rough <= power ? power : rough <= 2 * power ? 2 * power : rough <= 5 * power ? 5 * power : 10 * power)
room_for_marks = (panel_width - left_of_plot - right_of_plot) / 62
marks_of(span) = nice(span, room_for_marks > 11 ? 11 : room_for_marks)
# Three digits, without an exponent.
plain(v) = v >= 100 ? sprintf('%.0f', v) : sprintf('%.3g', v)
# Ticks of a logarithmic axis, x or y, that ends at 1: each power of ten, or every second.
array superscript[9] = ['⁻¹', '⁻²', '⁻³', '⁻⁴', '⁻⁵', '⁻⁶', '⁻⁷', '⁻⁸', '⁻⁹']
powers(axis, every) = sprintf("set logscale %s; set %stics (1) format ''; do for [k = %d:9:%d] { set %stics add ('10'.superscript[k] 10.0 ** -k) }; \
    set %stics add ('1' 1)", axis, axis, every, every, axis, axis)
# Thresholds of a run go up to the largest scale of all arms; an axis ends at its own scale ("bits of 64").
within_scale(unit, v) = words(unit) == 3 && real(word(unit, 3)) > 0 && real(word(unit, 3)) < v ? real(word(unit, 3)) : v
# Panels with the same unit have the same axis: sets end[i] to the largest among equal unit[].
equal_ends = "do for [i = 1:arms] { do for [j = 1:arms] { if (unit[i] eq unit[j] && end[j] > end[i]) { end[i] = end[j] } } }"
