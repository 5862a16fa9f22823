/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * population.h - how often intervals hold the truth on texts that people wrote, where the truth is known because
 * whoever asks drew the sample.
 *
 * A *set* is a labelled corpus: units (groups of documents that are duplicates of one another, or single labelled
 * pairs) and the distances of all pairs of its documents. The *population* is endless, and each of its units is one of
 * the set's, each as likely as the world says. A *sample* is G units drawn from it, independently of one another: the
 * set's units with replacement. Two draws of the same unit are two units of the population that happen to look alike;
 * the set has no distance between them, so that the pairs across such two are in no sample, and in no expectation
 * either. Hence nothing has to be corrected for a finite population, whatever share of the set is drawn.
 *
 * The *truth* is made of expected counts at the size of the sample. With p_u the probability of unit u, I_u(b) the
 * pairs inside it at distance b, X_uv(b) those across u and v, and q the share of the pairs across that are listed,
 *
 *     E inside(b) = G·Σ_u p_u·I_u(b)        E across(b) = q·G(G − 1)/2·Σ_{u≠v} p_u·p_v·X_uv(b)
 *
 * exactly. A figure's truth is the figure of these counts: TP and FN grow with G, FP and TN with G(G − 1) where pairs
 * across units are drawn, and with G where a unit is a labelled pair. Average precision, ROC area and best F1 are those
 * of the expected histogram. They are not the expectation of the sample's figure, from which they differ by the bias of
 * a ratio; an interval that does not allow for it falls short here, as it does for its user.
 */
#ifndef POPULATION_H
#define POPULATION_H

#include <gsl/gsl_rng.h>

#include "eval/evaluation/levels.h"
#include "eval/statistics/difference.h"

enum {
    FEWEST_ASKED = 5,
    STEPS = 512,
    BINS = 64 * STEPS + 1,
    MOST_ARMS = 20,
    MOST_FIGURES = 16,
    MOST_THRESHOLDS = 64,
    MOST_LANES = 20
};
#define STATED_PREVALENCE 0.01

/* ---- Sets ---- */

typedef struct set_unit {
    uint32_t start, end;           /* documents */
    uint32_t pair_start, pair_end; /* labelled pairs inside */
} set_unit;

/* Distances are rounded up to multiples of 1/STEPS, in the population as in the samples: whole thresholds call the same
 * pairs. */
typedef struct set {
    size_t unit_count, document_count, pair_count;
    const set_unit *units;
    const fp_pair *pairs; /* [pair_count] inside units, of documents */
    size_t arm_count;
    const char *const *arms;           /* [arm_count] specifications */
    const uint16_t *inside[MOST_ARMS]; /* [pair_count] */
    const uint16_t *across[MOST_ARMS]; /* distance of documents a > b at a(a − 1)/2 + b; NULL: no pairs across */
} set;

/* ---- Worlds ---- */

typedef enum sampling {
    ALL_PAIRS,   /* all pairs of the documents */
    LISTED,      /* pairs inside units, and so many across that a share of `prevalence` is positive */
    COUNTED,     /* all pairs, which are not listed: corpora of many documents */
    SINGLE_PAIRS /* a unit is a labelled pair, positive with probability `prevalence` */
} sampling;

typedef enum matching {
    NONE,  /* intervals of figures */
    KNOWN, /* differences between arms, whose truth is not 0 */
    EQUAL, /* differences between arms that are equal: which arm is which is drawn for each unit anew */
    SEEDS, /* figures of one algorithm under hash seeds that are drawn from SEED_COUNT: averaged, and at a threshold
            * under the first, whose truth is that seed's */
    SEEDS_EQUAL /* the difference of two such averages, each with seeds of its own */
} matching;

typedef struct world {
    const char *name, *set;
    size_t draws[6]; /* units drawn; 0 ends */
    sampling design;
    double prevalence;
    bool grouped; /* the sample says which documents belong together */
    /* What is counted. Figures of documents and clusters are no functions of expected counts of pairs: their truth is
     * the mean over the repetitions. */
    fp_level level;
    matching contest;
    const char *arms[8]; /* NULL ends; of seeds one, without its seed */
} world;

enum { SEED_COUNT = MOST_ARMS };

extern const world WORLDS[];
extern const size_t WORLD_COUNT;

/* ---- One cell: a world at a number of units ---- */

typedef struct class_counts {
    double *positives, *negatives; /* [BINS] expected */
} class_counts;

typedef struct cell {
    const world *of;
    const set *set;
    size_t draws;
    size_t arm_count;      /* that are estimated; seeds make one */
    size_t lane_count;     /* columns of distances of a sample */
    double listed;         /* share of the pairs across that are listed */
    double positive;       /* SINGLE_PAIRS: probability that a unit is positive */
    const uint32_t *order; /* SINGLE_PAIRS: units, the positive ones first */
    size_t positive_count;
    size_t negatives; /* of a COUNTED world: so many are drawn of each sample; 0: all are counted */
    class_counts expected[MOST_ARMS];
    size_t most_thresholds, threshold_count[MOST_ARMS];
    double thresholds[MOST_ARMS][MOST_THRESHOLDS];
    size_t figure_count;
    /* .row NULL: of clusters, in the order of fp_agreement_kind; of a contest McNemar's test */
    fp_measure figures[MOST_FIGURES];
    char names[MOST_FIGURES][40];
} cell;

typedef struct sample {
    size_t count, document_count, room;
    fp_pair *pairs;
    uint32_t *group;              /* [document_count]; NULL: no groups */
    double *distance[MOST_LANES]; /* [lane_count] */
    size_t own;                   /* of SEEDS: the hash seed of the first lane, from 0; else 0 */
} sample;

/* What a repetition found out about one figure. */
typedef struct finding {
    double value, low, high, error, trials, units, p;
    double successes, errors; /* of documents and clusters, in this sample */
    bool marked;
    size_t own; /* of sample */
} finding;

/* Everything stops with a message where it fails. */
void stop(const fp_error *error);
void check(fp_status status, const fp_error *error);

/* The set called `name` as these arms see it: of `shared` (a directory, or NULL), shipped, or made up. Distances are
 * kept in files of directory `cache`. False where the set is not here. */
bool set_open(const char *name, const char *const *arms, sampling design, const char *shared, const char *cache,
              fp_arena *arena, set *to);
/* Writes the made-up corpus of that name into a directory; false where there is none. */
bool make_corpus(const char *name, const char *directory);

/* Expected counts, thresholds and figures. `only`: the name of one figure, or NULL. */
void cell_open(const world *of, const set *from, size_t draws, size_t most_thresholds, const char *only,
               fp_arena *arena, cell *to);
/* The figure of the expected counts of an arm of the set; threshold as in `measure`. */
double cell_truth(const cell *of, size_t arm, fp_measure measure, fp_arena *scratch);
/* Expected counts at the arm's threshold. */
fp_cells cell_expected(const cell *of, size_t arm, size_t threshold);
/* Whether at least five successes and five errors are expected; over the range of distances, as many as they come down
 * to. */
bool cell_asks(const cell *of, size_t arm, fp_measure measure);

/* Results of a repetition: arm by arm, figure by figure, threshold by threshold; contests: couple by couple, figure by
 * figure. */
size_t cell_slots(const cell *of);
typedef struct slot {
    size_t arm, second; /* of a couple: first and second */
    size_t figure, threshold;
} slot;
slot cell_slot(const cell *of, size_t number);

/* A sample of all arms; not of a COUNTED world. Lives in `arena`. */
void draw_sample(const cell *of, gsl_rng *random, fp_arena *arena, sample *to);

/* The largest deviation of the mean counts of so many samples from the expected ones, under the first arm, in standard
 * errors; not of COUNTED worlds, nor of seeds. */
double check_truth(const cell *of, size_t repetitions, fp_arena *arena);

/* The successes (tp) and errors (fp) that a figure at a threshold rests on. */
fp_cells cell_successes(const fp_measure_row *row, fp_cells counts);

/* The estimates of one arm's documents or clusters from `to` on; returns where they end. */
finding *estimate_level(const cell *of, const sample *drawn, size_t arm, uint64_t seed, fp_arena *arena, finding *to);

/* The estimates of one arm of a corpus whose pairs are counted; as above. */
finding *estimate_many(const cell *of, size_t arm, uint64_t seed, gsl_rng *random, fp_arena *arena, finding *to);

/* McNemar's p of two arms at the first of their thresholds. */
double mcnemar_of(const cell *of, const sample *drawn, const fp_resample *resample, const fp_bootstrap *bootstrap,
                  slot at, fp_arena *scratch);

/* Draws and estimates. found[cell_slots] */
void repeat(const cell *of, uint64_t seed, fp_arena *arena, finding *to);

#endif
