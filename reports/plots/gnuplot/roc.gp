# SPDX-License-Identifier: GPL-3.0-or-later
#
# roc.gp - recall against the false positive rate, for every arm of a corpus, with a mark at the best F1
# (Fawcett, Pattern Recognition Letters 27, 2006). Dashed: chance, the diagonal. Pairs at one distance are one
# straight segment of the curve. To redraw, in the directory of this file:
#   gnuplot CORPUS-arms.gp roc.gp
#   gnuplot -e "format = 'svg'" CORPUS-arms.gp roc.gp

figure = 'roc'
across = 1
load (exists('here') ? here : '').'style.gp'

table = directory.'/curves.tsv'
array first_row[arms]
array last_row[arms]
array area[arms]
array score[arms]
array low[arms]
array high[arms]
sure = 0 # an arm has an interval
do for [i = 1:arms] {
    first_row[i] = curves_first[i]
    last_row[i] = curves_last[i]
    stats directory.'/summary.tsv' every ::summary_first[i]::summary_last[i] \
        using (area[i] = strcol("roc_area"), low[i] = strcol("roc_area_low"), high[i] = strcol("roc_area_high"), \
               positives = column("positives"), pairs = column("pairs"), 0) nooutput
    note_of[i] = area[i] eq 'NA' ? 'AUC NA' : sprintf('AUC %.3f', real(area[i])).(low[i] eq 'NA' ? '' : sprintf(' (%.3f–%.3f)', real(low[i]), real(high[i])))
    score[i] = area[i] eq 'NA' ? NaN : real(area[i])
    sure = sure || low[i] ne 'NA'
}
# FP = TP (1/precision − 1): without true positives, the table does not determine FP, and the row is left out.
negatives = pairs - positives
across_of(r) = column("precision") > 0 && negatives > 0 ? column("recall") * positives * (1 / column("precision") - 1) / negatives : NaN
up_of(r) = column("precision") > 0 ? column("recall") : NaN
distance_of(r) = column("distance")
starts = 1
start_x(r) = 0
start_y(r) = 0
has_marks = 1
drawn_with = 'lines'
axis_across = say('false positive rate', '误报率')
axis_up = say('recall', '召回率')

title = titled('recall against false positives (ROC)', '召回率与误报率（ROC 曲线）')
note = positives_of(positives, pairs).(sure && confidence > 0 ? tell(sprintf('; AUC with %g%% interval', 100 * confidence), \
    sprintf('；AUC 带 %g%% 置信区间', 100 * confidence), sprintf('; AUC with %g%% interval 置信区间', 100 * confidence)) : '')
behind_look = line_look(quiet, 2, 2)
behind_said = say('chance', '随机')
levels = ''
iso_said = ''
iso_shown(k) = 0
iso_end_x(k) = 0
iso_end_y(k) = 0
behind = "1 / 0 linecolor rgb pale notitle, [0:1] '+' using 1:1 with lines linecolor rgb quiet linewidth 2 dashtype 2 title behind_said noenhanced, "
load (exists('here') ? here : '').'ranking.gp'
