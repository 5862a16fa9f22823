/* SPDX-License-Identifier: GPL-3.0-or-later
 * Puts one compiled table, a file made at build time, into read-only memory as fp_table_NAME … fp_table_NAME_end. The loader maps
 * it with the program, page by page, when it is first touched.
 * Assembled with -DNAME=… -DFILE="…". */
#define GLUE_(a, b) a##b
#define GLUE(a, b) GLUE_(a, b)
#define SYMBOL GLUE(fp_table_, NAME)
#define SYMBOL_END GLUE(SYMBOL, _end)

#ifdef __wasm__ /* its own words for the same */
#define SECTION .section .rodata.fp_tables, "", @
#define OBJECT @object
#else
#define SECTION .section .rodata.fp_tables, "a", %progbits
#define OBJECT %object
#endif

    SECTION
    .balign 64
    .globl SYMBOL
    .hidden SYMBOL
    .type SYMBOL, OBJECT
SYMBOL:
    .incbin FILE
    .globl SYMBOL_END
    .hidden SYMBOL_END
    .type SYMBOL_END, OBJECT
SYMBOL_END:
    .byte 0
    .size SYMBOL_END, 1
    .size SYMBOL, . - SYMBOL
#ifdef __CET__
#include <cet.h> /* data, with nothing against control-flow protection */
#endif
#ifndef __wasm__
    .section .note.GNU-stack, "", %progbits
#endif
