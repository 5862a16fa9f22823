/* SPDX-License-Identifier: GPL-3.0-or-later
 * Equivalence and numbers of units as cells. */
#include "reports/tables/equivalence_cells.h"

#include <math.h>

static void add_units(fp_table *table, double units) { fp_table_real(table, isfinite(units) ? units : NAN, 0); }

void fp_table_equivalence(fp_table *table, const fp_equivalence *equivalence) {
    fp_table_real(table, equivalence->interval.low, 3);
    fp_table_real(table, equivalence->interval.high, 3);
    fp_table_real(table, equivalence->margin, 3);
    if (isnan(equivalence->farthest)) fp_table_undefined(table);
    else fp_table_text(table, equivalence->within ? "yes" : "no");
    add_units(table, equivalence->units);
    add_units(table, equivalence->to_differ);
    add_units(table, equivalence->to_equal);
}
