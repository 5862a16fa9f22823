/* SPDX-License-Identifier: GPL-3.0-or-later
 * Puts one compiled table, a file made at build time, into read-only memory as fp_table_NAME … fp_table_NAME_end. The loader maps
 * it with the program, page by page, when it is first touched.
 * Assembled with -DNAME=… -DFILE="…". */
#define GLUE_(a, b) a##b
#define GLUE(a, b) GLUE_(a, b)
#define SYMBOL GLUE(fp_table_, NAME)
#define SYMBOL_END GLUE(SYMBOL, _end)

    .section .rodata.fp_tables, "a", %progbits
    .balign 64
    .globl SYMBOL
    .hidden SYMBOL
    .type SYMBOL, %object
SYMBOL:
    .incbin FILE
    .globl SYMBOL_END
    .hidden SYMBOL_END
    .type SYMBOL_END, %object
SYMBOL_END:
    .byte 0
    .size SYMBOL, . - SYMBOL
#ifdef __CET__
#include <cet.h> /* data, with nothing against control-flow protection */
#endif
    .section .note.GNU-stack, "", %progbits
