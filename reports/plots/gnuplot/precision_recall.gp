# SPDX-License-Identifier: GPL-3.0-or-later
#
# precision_recall.gp - precision against recall of every arm of a corpus, with a mark at the best F1. The steps enclose
# the average precision (AP) of summary.tsv: the precision at a distance applies to the recall that this distance adds.
# Dashed: chance, the share of positives. Faint lines join points of equal F1. To redraw, in the directory of this file:
#   gnuplot CORPUS-arms.gp precision_recall.gp
#   gnuplot -e "format = 'svg'" CORPUS-arms.gp precision_recall.gp

figure = 'precision_recall'
across = 1
load (exists('here') ? here : '').'style.gp'

table = directory.'/curves.tsv'
array first_row[arms]
array last_row[arms]
array average[arms]
array score[arms]
array low[arms]
array high[arms]
sure = 0 # an arm has an interval
do for [i = 1:arms] {
    first_row[i] = curves_first[i]
    last_row[i] = curves_last[i]
    stats directory.'/summary.tsv' every ::summary_first[i]::summary_last[i] \
        using (average[i] = strcol("average_precision"), low[i] = strcol("average_precision_low"), \
               high[i] = strcol("average_precision_high"), positives = column("positives"), pairs = column("pairs"), 0) nooutput
    note_of[i] = average[i] eq 'NA' ? 'AP NA' : sprintf('AP %.3f', real(average[i])).(low[i] eq 'NA' ? '' : sprintf(' (%.3f–%.3f)', real(low[i]), real(high[i])))
    score[i] = average[i] eq 'NA' ? NaN : real(average[i])
    sure = sure || low[i] ne 'NA'
}
across_of(r) = column("recall")
up_of(r) = column("precision")
distance_of(r) = column("distance")
# Starts at recall 0 with the precision of the first distance.
starts = 1
start_x(r) = 0
start_y(r) = column("precision")
has_marks = 1
drawn_with = 'fsteps'
axis_across = say('recall', '召回率')
axis_up = say('precision', '精确率')

title = titled('precision against recall', '精确率–召回率曲线')
note = positives_of(positives, pairs).(sure && confidence > 0 ? tell(sprintf('; AP with %g%% interval', 100 * confidence), \
    sprintf('；AP 带 %g%% 置信区间', 100 * confidence), sprintf('; AP with %g%% interval 置信区间', 100 * confidence)) : '')
chance = pairs > 0 ? positives / pairs : NaN
chance_said = say('chance', '随机')
behind_look = line_look(quiet, 2, 2)
behind_said = chance_said.sprintf(' (%.3g)', chance)
levels = '0.2 0.4 0.6 0.8 0.9'
iso_said = say('equal F1', '等 F1 线')
# F1 = f where (2 precision - f)(2 recall - f) = f²; s runs from precision 1 to recall 1 as its sign changes.
iso_recall(f, s) = f / 2 * (1 + exp(s))
reach(f) = log(2 / f - 1)
iso_shown(k) = 1
iso_end_x(k) = 1.02
iso_end_y(k) = level(k) / (2 - level(k))
behind = "for [k = 1:words(levels)] [-1:1] '+' using (iso_recall(level(k), $1 * reach(level(k)))):(iso_recall(level(k), -$1 * reach(level(k)))) \
        with lines linecolor rgb pale linewidth 1.5 title 'F1 = '.word(levels, k) noenhanced, \
    [0:1] '+' using 1:(chance) with lines linecolor rgb quiet linewidth 2 dashtype 2 title chance_said noenhanced, "
load (exists('here') ? here : '').'ranking.gp'
