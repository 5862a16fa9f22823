# SPDX-License-Identifier: GPL-3.0-or-later
#
# style.gp - what the figures share: how tables are read, canvas, font, colours, layout of panels. Loaded by each figure
# after the description of the corpus (CORPUS-arms.gp), which gives
#   directory                           where the tables are
#   stem                                begin of the names of the pictures
#   corpus                              its name, for the title
#   arms, label[1 … arms]               how many there are, and their names
#   results_first[i], results_last[i]   rows of arm i in results.tsv, from 0; likewise summary_, curves_, histograms_
# Before it loads this file a figure may set `across`, the number of panels side by side, and, in pixels, `left_of_plot`,
# `right_of_plot` and `heading_width`. By hand, with gnuplot -e:
#   format                              'png', 'svg', 'pdf' or 'tikz'
#   output                              name of the picture
#   size                                'WIDTHxHEIGHT' or 'WIDTH' in pixels, 96 to an inch
#   lang                                'en', 'zh' or 'both'
#   caption                             what stands over the picture, instead of its title; '': nothing
#   grey                                1: greys, which print in black and white
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

# ---- Canvas and type, in pixels of a sheet that is 1600 wide; type can still be read at half the size ----

width = 1600
text = 22
headline = 28
small = 19
cross = strstrt(size, 'x')
canvas_width = size eq '' ? width : int(real(cross ? size[1:cross - 1] : size))
canvas_height = cross ? int(real(size[cross + 1:*])) : 0 # 0: as high as the figure is
if (canvas_width < 1 || (cross && canvas_height < 1)) {
    print "size is WIDTHxHEIGHT in pixels, such as 1200x900, or WIDTH"
    exit status 1
}
scale = canvas_width / real(width)
# The figure as high as the canvas asks, as far as its panels can be stretched; the rest stays blank.
fit_height = "height = int(sheet_height(down)); \
if (canvas_height) { \
    stretched = plot_height + (canvas_height / scale - height) / down; \
    plot_height = stretched < 0.6 * plot_height ? 0.6 * plot_height : stretched > 3 * plot_height ? 3 * plot_height : stretched; \
    height = int(sheet_height(down)); \
}"
# Points of 1/72 inch for cairo, pixels of 1/96 inch for SVG; the other families are for readers of an SVG who lack the font.
families = font.'&#44; Noto Sans CJK SC&#44; Microsoft YaHei&#44; PingFang SC&#44; sans-serif'
# TeX has a font of its own, of which only the size is said.
face(pixels) = format eq 'tikz' ? sprintf(',%.2f', pixels * scale * 0.75) : format eq 'svg' ? sprintf('%s,%.1f', families, pixels * scale) : sprintf('%s,%.2f', font, pixels * scale * 0.75)
# Its terminal takes numbers alone, no expressions.
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
# Of the canvas; a figure of another shape stands in its middle.
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

# Two quantities in one panel: dark, solid and round against light, dashed and square.
first_colour = palette[1]
second_colour = palette[2]

rulers = "set border 3 linewidth 1.2 linecolor rgb quiet; \
set xtics nomirror out scale 0.5 textcolor rgb ink offset 0, (format eq 'svg' ? 0.4 : 0); \
set ytics nomirror out scale 0.5 textcolor rgb ink; \
set grid xtics ytics back linetype 1 linecolor rgb pale linewidth 1.2 dashtype solid"
eval rulers
unset key

# ---- Layout: labels broken into lines that fit their panel ----

if (!exists("across")) across = arms < 4 ? arms : arms == 4 ? 2 : 3
down = int(ceil(arms / real(across)))
row(i) = (i - 1) / across + 1
panel_width = real(width) / across
if (!exists("left_of_plot")) left_of_plot = 76
if (!exists("right_of_plot")) right_of_plot = 32
if (!exists("heading_width")) heading_width = panel_width - left_of_plot - right_of_plot
# Estimated widths: 0.6 em for Latin, 1 em for all else.
latin = ' !"#$%&''()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\]^_`abcdefghijklmnopqrstuvwxyz{|}~'
ems(s) = sum [k = 1:strlen(s)] (strstrt(latin, s[k:k]) ? 0.58 : 1.0)
# The font in which `s` takes no more than `pixels`.
fitting(s, size, pixels) = face(ems(s) * size > pixels ? pixels / ems(s) : size)
array heading[arms]
array lines_of[arms]
array lines_in[down]
do for [i = 1:down] { lines_in[i] = 1 }
do for [i = 1:arms] {
    heading[i] = ''
    lines_of[i] = 0
    rest = label[i]
    while (strlen(rest) > 0) {
        taken = 0
        cut = 0
        while (taken < strlen(rest) && (taken == 0 || ems(rest[1:taken + 1]) * text <= heading_width)) {
            taken = taken + 1
            if (strstrt(' ,:', rest[taken:taken])) { cut = taken }
        }
        if (cut == 0 || taken == strlen(rest)) { cut = taken }
        heading[i] = heading[i].(lines_of[i] ? "\n" : '').rest[1:cut]
        lines_of[i] = lines_of[i] + 1
        rest = rest[cut + 1:*]
    }
    if (lines_of[i] > lines_in[row(i)]) { lines_in[row(i)] = lines_of[i] }
}

# ---- Panels ----

# The first row begins `header` pixels from the top; a row is as high as its longest heading, `plot_height` and the
# labels of the axis ask.
line = format eq 'svg' ? 33 : 30
below = 100
above(row) = 20 + line * lines_in[row]
sheet_height(n) = header + sum [k = 1:n] (above(k) + plot_height + below)
# Margins, heading and axis label of panel i.
place = "left = (i - 1) % across * panel_width + left_of_plot; right = left - left_of_plot + panel_width - right_of_plot; \
bottom = sheet_height(row(i)) - below; top = bottom - plot_height; \
set lmargin at screen x_at(left); set rmargin at screen x_at(right); \
set tmargin at screen y_at(top); set bmargin at screen y_at(bottom); \
set label 1 heading[i] at screen x_at(left), screen y_at(top - line * lines_of[i]); \
set label 2 axis at screen x_at((left + right) / 2), screen y_at(bottom + 66) center font fitting(axis, text, panel_width)"
