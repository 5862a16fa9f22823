# SPDX-License-Identifier: GPL-3.0-or-later
#
# gain.gp - precision gain against recall gain of every arm of a corpus: gains over predicting every pair, on the
# harmonic scale of F1 (Flach, Kull 2015). The area under the curve is below the name. Faint lines join points of equal
# F1. To redraw, in the directory of this file:
#   gnuplot CORPUS-arms.gp gain.gp
#   gnuplot -e "format = 'svg'" CORPUS-arms.gp gain.gp

figure = 'gain'
across = 1
load (exists('here') ? here : '').'style.gp'

table = directory.'/gain.tsv'
array first_row[arms]
array last_row[arms]
array low[arms]
array score[arms]
sure = 0 # an arm has an interval
do for [i = 1:arms] {
    first_row[i] = gain_first[i]
    last_row[i] = gain_last[i]
    note_of[i] = 'NA'
    low[i] = 'NA'
    score[i] = NaN
    if (gain_last[i] < gain_first[i]) { continue }
    stats table every ::gain_first[i]::gain_first[i] \
        using (note_of[i] = strcol("area") eq 'NA' ? 'NA' : sprintf('%.3f', column("area")), low[i] = strcol("area_low"), \
            score[i] = strcol("area") eq 'NA' ? NaN : column("area"), \
            note_of[i] = note_of[i].(low[i] eq 'NA' ? '' : sprintf(' (%.3f–%.3f)', column("area_low"), column("area_high"))), 0) nooutput
    sure = sure || low[i] ne 'NA'
}
do for [i = 1:arms] { note_of[i] = say('area', '面积').' '.note_of[i] }
stats directory.'/summary.tsv' every ::summary_first[1]::summary_last[1] using (positives = column("positives"), pairs = column("pairs"), 0) nooutput
across_of(r) = column("recall_gain")
up_of(r) = column("precision_gain")
distance_of(r) = NaN
starts = 0
has_marks = 0
drawn_with = 'lines'
axis_across = say('recall gain', '召回率增益')
axis_up = say('precision gain', '精确率增益')

title = titled('precision gain against recall gain', '精确率–召回率增益曲线')
note = positives_of(positives, pairs).(sure && confidence > 0 ? tell(sprintf('; area with %g%% interval', 100 * confidence), \
    sprintf('；曲线下面积带 %g%% 置信区间', 100 * confidence), sprintf('; area 面积, %g%% interval', 100 * confidence)) : '')
behind_look = ''
behind_said = ''
iso_said = say('equal F1', '等 F1 线')
# F1 gain is the mean of both gains: a straight line for each F1.
share = pairs > 0 ? positives / pairs : NaN
f1_gain(f) = (f - share) / ((1 - share) * f)
levels = '0.2 0.3 0.4 0.5 0.6 0.7 0.8 0.9'
# Lines that end at the corner, where all curves end, are left out. A line's number is where it meets the right or the
# left side of the frame.
iso_shown(k) = f1_gain(level(k)) > 0.55 || (f1_gain(level(k)) > 0.05 && f1_gain(level(k)) < 0.45)
iso_end_x(k) = f1_gain(level(k)) > 0.5 ? 1.02 : 0
iso_end_y(k) = f1_gain(level(k)) > 0.5 ? 2 * f1_gain(level(k)) - 1 : 2 * f1_gain(level(k)) + 0.01
behind = "for [k = 1:words(levels)] [0:1] '+' using (iso_shown(k) ? 2 * f1_gain(level(k)) * $1 : NaN):(2 * f1_gain(level(k)) * (1 - $1)) \
    with lines linecolor rgb pale linewidth 1.5 title 'F1 = '.word(levels, k) noenhanced, "
load (exists('here') ? here : '').'ranking.gp'
