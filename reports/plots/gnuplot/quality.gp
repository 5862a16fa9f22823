# SPDX-License-Identifier: GPL-3.0-or-later
#
# quality.gp - the best F1 of every arm of a corpus against the bytes of a sketch and the microseconds to compute it
# from a text, with the Pareto front of each. To redraw, in the directory of this file:
#   gnuplot CORPUS-arms.gp quality.gp
#   gnuplot -e "format = 'svg'" CORPUS-arms.gp quality.gp

figure = 'quality'
across = 1
left_of_plot = 120
load (exists('here') ? here : '').'style.gp'

table = directory.'/summary.tsv'
first_of_all = summary_first[1]
last_of_all = summary_last[arms]
array arm_row[arms]
array is_recommended[arms]
do for [i = 1:arms] { arm_row[i] = summary_first[i]; is_recommended[i] = 0 }
quality_of(r) = column("best_f1")
low_of(r) = column("best_f1_low")
high_of(r) = column("best_f1_high")
bytes_of(r) = column("bytes_per_document")
time_of(r) = texts > 0 ? 1e6 * column("sketch_seconds") / texts : NaN
if (!exists("has_times")) has_times = 0
time_least_of(r) = has_times && texts > 0 ? 1e6 * column("sketch_seconds_low") / texts : NaN
time_most_of(r) = has_times && texts > 0 ? 1e6 * column("sketch_seconds_high") / texts : NaN
bound_of(r) = exists("has_bounds") && has_bounds ? column("best_f1_bound") : NaN
times_said = ''
recommended_said = ''
quality_said = say('best F1', '最佳 F1')
title = titled('best F1 against size and time', '最佳 F1 与体积、耗时')
note = texts > 0 ? tell(sprintf('%.0f texts', texts), sprintf('%.0f 篇文本', texts), sprintf('%.0f texts 文本', texts)) : ''
load (exists('here') ? here : '').'front.gp'
