# SPDX-License-Identifier: GPL-3.0-or-later
#
# pareto.gp - quality on held-out groups against bytes and against microseconds per document, for every arm of a tuning,
# with the Pareto front of each; times with the range of the measurements. Names are of arms that no other one equals in
# all three and beats in one. Load STEM-front.gp first: it defines objective, and arm_row and is_recommended of each arm
# to be named. To redraw, in the directory of this file:
#   gnuplot STEM-front.gp pareto.gp
#   gnuplot -e "format = 'svg'" STEM-front.gp pareto.gp

figure = 'pareto'
across = 1
left_of_plot = 120
load (exists('here') ? here : '').'style.gp'

table = directory.'/pareto.tsv'
stats table using (column("bytes_per_document")) nooutput prefix 'B'
first_of_all = 0
last_of_all = int(B_records) - 1
quality_of(r) = column("held_out")
low_of(r) = column("held_out_low")
high_of(r) = column("held_out_high")
bytes_of(r) = column("bytes_per_document")
time_of(r) = column("microseconds_per_document")
bound_of(r) = NaN # unknown for held-out results
if (!exists("has_times")) has_times = 0
time_least_of(r) = has_times ? column("microseconds_per_document") : NaN
times_said = say('; of times: all measurements', '；耗时为各次测量的范围')
time_most_of(r) = has_times ? column("microseconds_most") : NaN
recommended_said = say('recommended', '推荐')
quality_said = objective eq 'recall' ? say('recall', '召回率') : objective
title = titled('quality against size and time', '质量与体积、耗时')
note = tell(quality_said.' on held-out groups', '留出组上的'.quality_said, quality_said.' on held-out groups 留出组').tell(sprintf('; %.0f arms', B_records), \
    sprintf('；%.0f 个方案', B_records), sprintf('; %.0f arms 方案', B_records))
load (exists('here') ? here : '').'front.gp'
