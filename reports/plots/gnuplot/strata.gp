# SPDX-License-Identifier: GPL-3.0-or-later
#
# strata.gp - the best threshold for each stratum of pairs (kind, language, any field of the documents): lengths.gp with
# the names of the strata on the axis. To redraw, in the directory of this file:
#   gnuplot CORPUS-arms.gp strata.gp
#   gnuplot -e "format = 'svg'" CORPUS-arms.gp strata.gp

figure = 'strata'
load (exists('here') ? here : '').'lengths.gp'
