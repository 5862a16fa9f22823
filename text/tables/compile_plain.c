/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * compile_plain NORMALISE HAN OUTPUT - from the two compiled tables: the class of every code point up to U+FFFF, and
 * whether Han folding must examine it.
 */
#include "text/tables/compile.h"
#include "text/unicode/han_table.h"
#include "text/unicode/normalise_table.h"
#include "text/unicode/plain.h"

static void read_table(const char *name, void *table, size_t size) {
    FILE *stream = fopen(name, "rb");
    if (!stream || fread(table, 1, size, stream) != size) die(name, 0, "cannot be read");
    fclose(stream);
}

int main(int count, char **argument) {
    static fp_normalise_table normalise;
    static fp_han_table han;
    static uint8_t plain[0x10000];
    if (count != 4) die("compile_plain", 0, "usage: compile_plain NORMALISE HAN OUTPUT");
    read_table(argument[1], &normalise, sizeof normalise);
    read_table(argument[2], &han, sizeof han);
    for (uint32_t code = 0; code < 0x10000; code++) {
        plain[code] = (uint8_t)(normalise.basic[code] | (han.basic[code] == code ? 0 : FP_FOLDS));
        if (code && code < 0x80 && plain[code] & FP_FOLDS) die(argument[2], 0, "folds ASCII");
    }
    write_table(argument[3], plain, sizeof plain);
    return 0;
}
