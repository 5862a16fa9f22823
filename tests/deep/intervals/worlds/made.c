/* SPDX-License-Identifier: GPL-3.0-or-later
 * Families that are made up: texts of made-up words, each member of a family a copy of its base with words replaced, in
 * some families more than in others. */
#include <gsl/gsl_randist.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "tests/deep/intervals/worlds/population.h"

enum { WORDS = 60, COPIED = 36, VOCABULARY = 4000 };

typedef struct kind {
    const char *name;
    size_t families, most; /* members: 2, or 1 to `most` after Zipf */
    double exponent;       /* of Zipf's law */
    double boilerplate;    /* share of the families that have most of their text from one template */
} kind;

static const kind KINDS[] = {
    {"made_families", 2000, 2, 0, 0},
    {"made_zipf_sizes", 2000, 30, 2, 0},
    {"made_boilerplate", 2000, 2, 0, 0.1},
};

/* Frequent words are frequent after Zipf, too. */
static unsigned draw_word(gsl_rng *random) {
    return (unsigned)(exp(gsl_rng_uniform(random) * log(VOCABULARY + 1.0)) - 1);
}

static void write_word(FILE *to, unsigned word) {
    static const char FIRST[] = "bcdfghjklmnprstvwz", SECOND[] = "aeiou";
    for (word += 90; word; word /= 90) fprintf(to, "%c%c", FIRST[word % 18], SECOND[word / 18 % 5]);
}

static size_t draw_size(const kind *of, gsl_rng *random) {
    double sum = 0, at;
    if (of->exponent == 0) return 2;
    for (size_t size = 1; size <= of->most; size++) sum += pow((double)size, -of->exponent);
    at = gsl_rng_uniform(random) * sum;
    for (size_t size = 1; size < of->most; size++)
        if ((at -= pow((double)size, -of->exponent)) < 0) return size;
    return of->most;
}

static void write_family(const kind *of, size_t family, const unsigned *template, gsl_rng *random, FILE *to) {
    unsigned base[WORDS];
    bool copied = gsl_rng_uniform(random) < of->boilerplate;
    for (size_t i = 0; i < WORDS; i++) base[i] = copied && i < COPIED ? template[i] : draw_word(random);
    double rate = gsl_ran_beta(random, 1, 4);
    size_t size = draw_size(of, random);
    for (size_t member = 0; member < size; member++) {
        fprintf(to, "{\"id\": \"%zu-%zu\", \"group\": \"%zu\", \"text\": \"", family, member, family);
        for (size_t i = 0; i < WORDS; i++) {
            write_word(to, gsl_rng_uniform(random) < rate ? draw_word(random) : base[i]);
            fputs(i + 1 < WORDS ? " " : "\"}\n", to);
        }
    }
}

bool make_corpus(const char *name, const char *directory) {
    const kind *of = NULL;
    for (size_t i = 0; i < sizeof KINDS / sizeof *KINDS; i++)
        if (strcmp(KINDS[i].name, name) == 0) of = KINDS + i;
    if (!of) return false;
    char path[4096];
    unsigned template[WORDS];
    fp_error error = {0};
    fp_output output;
    mkdir(directory, 0777);
    snprintf(path, sizeof path, "%s/docs.jsonl", directory);
    check(fp_output_open(&output, path, &error), &error);
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    for (size_t i = 0; i < WORDS; i++) template[i] = draw_word(random);
    for (size_t family = 0; family < of->families; family++) write_family(of, family, template, random, output.stream);
    gsl_rng_free(random);
    check(fp_output_close(&output, &error), &error);
    return true;
}
