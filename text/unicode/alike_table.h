/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * alike_table.h - the layout of the table of characters that sound or look alike, which text/tables/compile_alike.c
 * writes and alike.c reads.
 */
#ifndef FP_ALIKE_TABLE_H
#define FP_ALIKE_TABLE_H

#include <stdint.h>

enum { FP_ALIKE_CHARACTERS = 12288, FP_ALIKE_READINGS = 20480, FP_ALIKE_SYLLABLES = 512, FP_ALIKE_LOOKS = 40960 };

typedef struct fp_alike_character {
    uint32_t code;
    uint32_t frequency; /* occurrences of the simplified form in the words of jieba's dictionary */
    uint16_t reading;   /* index of its readings, the heaviest first */
    uint16_t look;      /* index of the characters that look like it */
    uint8_t reading_count, look_count;
    uint8_t script; /* fp_script: where it is in use */
} fp_alike_character;

typedef struct fp_alike_reading {
    uint32_t weight; /* how often it is typed */
    uint16_t syllable;
} fp_alike_reading;

/* A character, by its index in the table. */
typedef struct fp_alike_member {
    uint32_t weight;
    uint16_t character;
} fp_alike_member;

typedef struct fp_alike_syllable {
    char letters[8]; /* "zhuang" */
    uint16_t first;  /* index of its members, the heaviest first */
    uint16_t count;
} fp_alike_syllable;

typedef struct fp_alike_table {
    uint32_t count;                                    /* characters */
    fp_alike_character character[FP_ALIKE_CHARACTERS]; /* ascending by code */
    fp_alike_reading reading[FP_ALIKE_READINGS];
    fp_alike_member member[FP_ALIKE_READINGS];
    fp_alike_syllable syllable[FP_ALIKE_SYLLABLES];
    fp_alike_member look[FP_ALIKE_LOOKS]; /* weighed by their frequency */
    /* For each fp_script, from 1 on: total frequency of its characters before each index, and of all at the end. */
    uint32_t before[2][FP_ALIKE_CHARACTERS + 1];
} fp_alike_table;

#endif
