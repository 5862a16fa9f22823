/* SPDX-License-Identifier: GPL-3.0-or-later
 * Places of fingerprints as lines of marks. */
#include "cli/terminal/places.h"

#include "reports/tables/table_view.h"

/* As many as 80 cells hold beside the longest name of an algorithm. */
enum { NAME_CELLS = 15, IN_A_LINE = 64 };

void fp_cli_places_ruler(FILE *stream) {
    fprintf(stream, "%*s", NAME_CELLS + 2, "1");
    for (int ten = 10; ten <= IN_A_LINE; ten += 10) fprintf(stream, "%*d", ten == 10 ? 9 : 10, ten);
    fputc('\n', stream);
}

void fp_cli_places_put(FILE *stream, const char *name, const bool *differs, size_t count) {
    for (size_t i = 0; i < count; i += IN_A_LINE) {
        const char *shown = i ? "" : name;
        size_t cells = fp_view_cells(fp_string_of(shown));
        bool apart = cells > NAME_CELLS;
        fprintf(stream, "%s%s%*s", shown, apart ? "\n" : "", (int)(NAME_CELLS + 1 - (apart ? 0 : cells)), "");
        for (size_t p = i; p < count && p < i + IN_A_LINE; p++) fputc(differs[p] ? 'x' : '.', stream);
        fputc('\n', stream);
    }
}
