/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * promise_worlds [OPTION…]: how often `tune --min-precision` promises what does not hold, in worlds whose truth is
 * known.
 *
 *   --sets DIR      labelled sets
 *   --runs N        samples of a cell (default 500)
 *   --world NAME    that one alone
 *   --halves        instead: what is recommended on one half of the units of a labelled set, and how it does on the
 * other
 *
 * A world is a set of units, the labelled pairs inside and across them, and the distances of some arms. A sample is G
 * units drawn with replacement, two draws of a unit being two units without a pair between them. So a pair inside a
 * unit is expected G/U times, one across two of them G(G − 1)/U² times: precision and recall of these expectations are
 * the truth. A recommendation is broken where its true precision is below the one asked for.
 *
 * A row a world, G, number of arms, precision and method: samples in which something is recommended, in which it is
 * broken, and the recall of what is recommended and holds, 0 where nothing is, over that of the best threshold that
 * holds. */
#include <getopt.h>
#include <gsl/gsl_cdf.h>
#include <string.h>

#include "eval/experiment/experiment.h"
#include "eval/tuning/objective.h"
#include "eval/tuning/promise.h"
#include "eval/units/sampling_units.h"
#include "tests/deep/intervals/promise_made.h"

enum { PRECISIONS = 3 };
static const double PRECISION[PRECISIONS] = {0.8, 0.9, 0.95};
static const char *const ARMS[MOST_ARMS] = {"minhash:features=chars:2", "simhash:features=words",
                                            "simhash:features=chars:2", "cosine:features=chars:2"};

/* ---- Real sets ---- */

typedef struct reading {
    fp_corpus corpus;
    fp_components units;
    fp_measurement measurements[MOST_ARMS];
    fp_threshold_grid grids[MOST_ARMS];
} reading;

static void add_pair(world *to, const reading *from, fp_pair pair) {
    to->positives += pair.label;
    for (size_t i = 0; i < to->arm_count; i++) {
        double distance = fp_measurement_distance(from->measurements + i, pair.a, pair.b);
        if (distance >= fp_arm_layout(from->measurements[i].arm)->maximum) continue;
        add_call(to->arms + i, (call){from->units.of[pair.a], from->units.of[pair.b],
                                      fp_threshold_grid_find(from->grids + i, distance), pair.label});
    }
}

static bool open_set(const char *path, bool all, fp_arena *arena, world *to) {
    fp_error error = {0};
    reading from;
    if (fp_corpus_read(path, &(fp_corpus_opening){0}, arena, &from.corpus, &error) != FP_OK) return false;
    if (all && from.corpus.group_count == 0) return false;
    const fp_labelled_documents documents = {from.corpus.document_count, from.corpus.group,
                                             all ? 0 : from.corpus.pair_count, from.corpus.pairs};
    check(fp_components_make(&documents, arena, arena, &from.units, &error), &error);
    fp_arm *arms[MOST_ARMS];
    for (size_t i = 0; i < MOST_ARMS; i++) check(fp_arm_parse(ARMS[i], NULL, arena, arms + i, &error), &error);
    check(fp_experiment_sketches(&from.corpus, arms, MOST_ARMS, NULL, arena, from.measurements, &error), &error);
    for (size_t i = 0; i < MOST_ARMS; i++) from.grids[i] = fp_threshold_grid_of(fp_arm_layout(arms[i]));
    to->unit_count = from.units.count;
    to->arm_count = MOST_ARMS;
    to->design = all ? "all pairs" : "pairs";
    if (all) {
        for (uint32_t a = 0; a < from.corpus.document_count; a++)
            for (uint32_t b = 0; b < a; b++) add_pair(to, &from, (fp_pair){a, b, from.units.of[a] == from.units.of[b]});
    } else {
        for (size_t i = 0; i < from.corpus.pair_count; i++) add_pair(to, &from, from.corpus.pairs[i]);
    }
    for (size_t i = 0; i < MOST_ARMS; i++) fp_measurement_free(from.measurements + i);
    return true;
}

/* ---- Methods ---- */

typedef enum method { POINT, PLAIN, BARE, PROMISE, METHODS } method;
static const char *const METHOD[METHODS] = {"point estimate", "Clopper-Pearson of pairs", "without clumps", "promise"};

typedef struct path {
    size_t count;
    uint16_t *step;
    fp_evidence *at[METHODS];
} path;

static void note(const fp_evidence_sums *sums, double level, uint16_t step, path *to) {
    fp_evidence now = fp_evidence_now(sums, level);
    for (size_t m = 0; m < METHODS; m++) to->at[m][to->count] = now;
    to->at[PLAIN][to->count].trials = to->at[PLAIN][to->count].most = now.right + now.wrong;
    to->step[to->count++] = step;
}

/* ---- Samples ---- */

typedef struct sample {
    uint32_t *start; /* [units + 1] copies of each unit */
    path paths[MOST_ARMS];
    fp_arena *arena;
} sample;

static void open_sample(const world *of, sample *to) {
    *to = (sample){.start = room(of->unit_count + 1, sizeof *to->start), .arena = fp_arena_new()};
    for (size_t i = 0; i < of->arm_count; i++) {
        to->paths[i].step = room(of->arms[i].count, sizeof(uint16_t));
        for (size_t m = 0; m < METHODS; m++) to->paths[i].at[m] = room(of->arms[i].count, sizeof(fp_evidence));
    }
}

static void close_sample(const world *of, sample *to) {
    for (size_t i = 0; i < of->arm_count; i++) {
        free(to->paths[i].step);
        for (size_t m = 0; m < METHODS; m++) free(to->paths[i].at[m]);
    }
    free(to->start);
    fp_arena_free(to->arena);
}

static void draw(const world *of, size_t draws, gsl_rng *random, sample *to) {
    memset(to->start, 0, (of->unit_count + 1) * sizeof *to->start);
    for (size_t i = 0; i < draws; i++) to->start[1 + gsl_rng_uniform_int(random, of->unit_count)]++;
    for (size_t u = 0; u < of->unit_count; u++) to->start[u + 1] += to->start[u];
}

static void add_copies(const sample *of, const call *one, fp_evidence_sums *sums) {
    for (uint32_t a = of->start[one->first]; a < of->start[one->first + 1]; a++) {
        bool inside = one->first == one->second;
        uint32_t b = inside ? a : of->start[one->second], end = inside ? a + 1 : of->start[one->second + 1];
        for (; b < end; b++) fp_evidence_add(sums, a, b, one->right);
    }
}

static void find_path(const world *of, size_t arm, size_t draws, double level, sample *to) {
    const calls *from = of->arms + arm;
    path *made = to->paths + arm;
    fp_error error = {0};
    fp_evidence_sums sums;
    fp_arena_reset(to->arena);
    check(fp_evidence_open(draws, 1, to->arena, &sums, &error), &error);
    made->count = 0;
    double before = 0;
    for (size_t i = 0; i < from->count; i++) {
        add_copies(to, from->at + i, &sums);
        bool ends = i + 1 == from->count || from->at[i + 1].step != from->at[i].step;
        double called = sums.now.right + sums.now.wrong;
        if (!ends || called == before) continue;
        before = called;
        note(&sums, level, from->at[i].step, made);
    }
    fp_evidence_bound(made->at[PROMISE], made->count);
}

/* The place of the point estimate's best, or that of the method's sequence. */
static size_t place_of(const path *on, method by, double precision, double level) {
    if (by != POINT) return fp_evidence_reach(&(fp_evidence_path){on->count, on->at[by]}, precision, level);
    size_t found = SIZE_MAX;
    for (size_t i = 0; i < on->count; i++) {
        const fp_evidence *at = on->at[POINT] + i;
        if (at->right >= precision * (at->right + at->wrong) && at->right > 0 &&
            (found == SIZE_MAX || at->right > on->at[POINT][found].right))
            found = i;
    }
    return found;
}

/* The arm and the step of most recall. */
static bool best_of(const sample *of, size_t arms, method by, double precision, double level, size_t *arm,
                    size_t *step) {
    double right = -1;
    for (size_t i = 0; i < arms; i++) {
        size_t found = place_of(of->paths + i, by, precision, level);
        if (found == SIZE_MAX || of->paths[i].at[by][found].right <= right) continue;
        right = of->paths[i].at[by][found].right;
        *arm = i;
        *step = of->paths[i].step[found];
    }
    return right >= 0;
}

/* ---- Truth ---- */

typedef struct truth {
    double *precision, *recall; /* [FP_THRESHOLD_GRID_MOST] by step; NaN where nothing is called */
} truth;

static truth find_truth(const world *of, size_t arm, double draws) {
    truth is = {room(FP_THRESHOLD_GRID_MOST, sizeof(double)), room(FP_THRESHOLD_GRID_MOST, sizeof(double))};
    double right = 0, wrong = 0, positives = of->positives * draws / (double)of->unit_count;
    size_t i = 0;
    for (size_t step = 0; step < FP_THRESHOLD_GRID_MOST; step++) {
        for (; i < of->arms[arm].count && of->arms[arm].at[i].step == step; i++) {
            const call *one = of->arms[arm].at + i;
            *(one->right ? &right : &wrong) += expected(of, one, draws);
        }
        is.precision[step] = right + wrong > 0 ? right / (right + wrong) : NAN;
        is.recall[step] = right / positives;
    }
    return is;
}

/* ---- Cells ---- */

typedef struct tally {
    size_t broken, recommended;
    double recall;
} tally;

typedef struct cell {
    const world *of;
    size_t draws, arms;
    truth truths[MOST_ARMS];
    tally tallies[PRECISIONS][METHODS];
} cell;

static void count(cell *of, const sample *drawn, size_t p, method by, double level) {
    size_t arm = 0, step = 0;
    if (!best_of(drawn, of->arms, by, PRECISION[p], level, &arm, &step)) return;
    bool broken = of->truths[arm].precision[step] < PRECISION[p] - 1e-12;
    of->tallies[p][by].recommended++;
    of->tallies[p][by].broken += broken;
    of->tallies[p][by].recall += broken ? 0 : of->truths[arm].recall[step];
}

static double best_recall(const cell *of, double precision) {
    double best = 0;
    for (size_t i = 0; i < of->arms; i++)
        for (size_t s = 0; s < FP_THRESHOLD_GRID_MOST; s++)
            if (of->truths[i].precision[s] >= precision) best = fmax(best, of->truths[i].recall[s]);
    return best;
}

static void run_cell(const world *of, size_t draws, size_t arms, size_t runs) {
    cell made = {.of = of, .draws = draws, .arms = arms};
    sample drawn;
    open_sample(of, &drawn);
    double level = 0.05 / (double)arms;
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    gsl_rng_set(random, 7919 * draws + arms);
    for (size_t i = 0; i < arms; i++) made.truths[i] = find_truth(of, i, (double)draws);
    for (size_t run = 0; run < runs; run++) {
        draw(of, draws, random, &drawn);
        for (size_t i = 0; i < arms; i++) find_path(of, i, draws, level, &drawn);
        for (size_t p = 0; p < PRECISIONS; p++)
            for (size_t m = 0; m < METHODS; m++) count(&made, &drawn, p, m, level);
    }
    for (size_t p = 0; p < PRECISIONS; p++)
        for (size_t m = 0; m < METHODS; m++) {
            const tally *is = made.tallies[p] + m;
            double best = best_recall(&made, PRECISION[p]);
            printf("%s\t%s\t%zu\t%zu\t%g\t%s\t%zu\t%zu\t%zu\t%.4f\n", of->name, of->design, draws, arms, PRECISION[p],
                   METHOD[m], runs, is->recommended, is->broken, best > 0 ? is->recall / best / (double)runs : NAN);
        }
    fflush(stdout);
    for (size_t i = 0; i < arms; i++) {
        free(made.truths[i].precision);
        free(made.truths[i].recall);
    }
    close_sample(of, &drawn);
    gsl_rng_free(random);
}

/* ---- Halves ---- */

/* What came of the recommendations of one half on the other: of those that were refused, how many a limit of 95% of the
 * other half confirms; of the recommended ones, how many have a precision below there, and how many an upper limit. */
typedef struct halves_tally {
    size_t refused, needless, recommended, below, broken;
} halves_tally;

static void split_units(const world *of, gsl_rng *random, sample *one, sample *other) {
    one->start[0] = other->start[0] = 0;
    for (size_t u = 0; u < of->unit_count; u++) {
        uint32_t first = gsl_rng_uniform(random) < 0.5;
        one->start[u + 1] = one->start[u] + first;
        other->start[u + 1] = other->start[u] + !first;
    }
}

/* What an arm calls at a step; false: nothing. */
static bool evidence_at(const path *of, size_t step, fp_evidence *is) {
    size_t i = 0;
    while (i < of->count && of->step[i] <= step) i++;
    if (i > 0) *is = of->at[PROMISE][i - 1];
    return i > 0;
}

static void judge(const sample *one, const sample *other, size_t arms, double precision, halves_tally *to) {
    size_t arm = 0, step = 0;
    fp_evidence is;
    bool found = best_of(one, arms, PROMISE, precision, 0.05 / (double)arms, &arm, &step);
    ++*(found ? &to->recommended : &to->refused);
    if (!found && !best_of(one, arms, POINT, precision, 0.05, &arm, &step)) return;
    if (!evidence_at(other->paths + arm, step, &is)) return;
    double p = is.right / (is.right + is.wrong);
    if (!found) to->needless += fp_evidence_shows(&is, precision, 0.025);
    if (!found || p >= precision) return;
    to->below++;
    to->broken += gsl_cdf_beta_Q(precision, is.trials * p + 1, is.trials * (1 - p)) <= 0.025;
}

static void run_halves(const world *of, size_t runs) {
    halves_tally tallies[PRECISIONS] = {0};
    sample one, other;
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    open_sample(of, &one);
    open_sample(of, &other);
    for (size_t run = 0; run < runs; run++) {
        split_units(of, random, &one, &other);
        for (size_t i = 0; i < of->arm_count; i++) {
            find_path(of, i, one.start[of->unit_count], 0.05 / (double)of->arm_count, &one);
            find_path(of, i, other.start[of->unit_count], 0.025, &other);
        }
        for (size_t p = 0; p < PRECISIONS; p++) judge(&one, &other, of->arm_count, PRECISION[p], tallies + p);
    }
    for (size_t p = 0; p < PRECISIONS; p++)
        printf("%s\t%s\t%zu\t%zu\t%g\t%zu\t%zu\t%zu\t%zu\t%zu\t%zu\n", of->name, of->design, of->unit_count / 2,
               of->arm_count, PRECISION[p], runs, tallies[p].refused, tallies[p].needless, tallies[p].recommended,
               tallies[p].below, tallies[p].broken);
    fflush(stdout);
    close_sample(of, &one);
    close_sample(of, &other);
    gsl_rng_free(random);
}

/* ---- All ---- */

typedef struct options {
    const char *sets, *world;
    size_t runs;
    bool halves;
} options;

static void run_world(const options *with, world *of) {
    static const size_t DRAWS[] = {40, 100, 300, 1000};
    if (!of->design) of->design = "pairs";
    for (size_t i = 0; i < of->arm_count; i++) close_arm(of, of->arms + i);
    if (with->halves) run_halves(of, with->runs);
    for (size_t d = 0; !with->halves && d <= sizeof DRAWS / sizeof *DRAWS; d++) {
        bool last = d == sizeof DRAWS / sizeof *DRAWS;
        size_t draws = last ? of->unit_count : DRAWS[d];
        if (last ? draws > 2000 : draws >= of->unit_count) continue;
        run_cell(of, draws, 1, with->runs);
        run_cell(of, draws, of->arm_count, with->runs);
    }
    for (size_t i = 0; i < of->arm_count; i++) free(of->arms[i].at);
}

static const struct {
    const char *name, *path;
    bool all; /* its pairs are those of groups, too */
} SETS[] = {
    {"newswire-zh", "corpora/data/newswire-zh", true},
    {"newswire-en", "corpora/data/newswire-en", true},
    {"en_clough_stevenson", NULL, false},
    {"zh_prc_law_revisions", NULL, true},
    {"zh_cross_script_poems", NULL, true},
    {"en_scancode_licenses", NULL, true},
    {"zhTW_quantangshi_two_editions", NULL, true},
    {"zhTW_sighan_typos", NULL, true},
    {"zh_pawsx", NULL, false},
    {"zh_sohu_event", NULL, false},
};

static void run_sets(const options *with) {
    for (size_t i = 0; i < sizeof SETS / sizeof *SETS; i++) {
        if (with->world && strcmp(with->world, SETS[i].name) != 0) continue;
        for (int all = 0; all <= SETS[i].all; all++) {
            fp_arena *arena = fp_arena_new();
            world made = {.name = SETS[i].name};
            const char *from = SETS[i].path ? SETS[i].path : fp_format(arena, "%s/%s", with->sets, SETS[i].name);
            if (open_set(from, all, arena, &made)) run_world(with, &made);
            else fprintf(stderr, "skipped: %s is not here, or has no groups\n", from);
            fp_arena_free(arena);
        }
    }
}

static void run_made(const options *with) {
    for (size_t i = 0; i < sizeof MADE / sizeof *MADE; i++) {
        if (with->world && strcmp(with->world, MADE[i].name) != 0) continue;
        world made = {.name = MADE[i].name, .arm_count = MOST_ARMS};
        gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
        gsl_rng_set(random, i + 1);
        MADE[i].make(&made, random);
        run_world(with, &made);
        gsl_rng_free(random);
    }
}

int main(int argc, char **argv) {
    options with = {.sets = "../shared/data", .runs = 500};
    static const struct option KNOWN[] = {
        {"sets", 1, NULL, 's'}, {"runs", 1, NULL, 'r'}, {"world", 1, NULL, 'w'}, {"halves", 0, NULL, 'h'}, {0}};
    for (int c; (c = getopt_long(argc, argv, "", KNOWN, NULL)) != -1;) {
        if (c == 's') with.sets = optarg;
        else if (c == 'w') with.world = optarg;
        else if (c == 'h') with.halves = true;
        else if (c == 'r' && atoi(optarg) > 0) with.runs = (size_t)atoi(optarg);
        else return 2;
    }
    printf("world\tdesign\tunits\tarms\tprecision\t%s\n", with.halves
                                                              ? "runs\trefused\tneedless\trecommended\tbelow\tbroken"
                                                              : "method\truns\trecommended\tbroken\trecall");
    if (!with.halves) run_made(&with);
    run_sets(&with);
    return 0;
}
