/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * coverage_real [OPTION…]: how often the default intervals hold the truth in the worlds of worlds/worlds.c, a row a
 * figure and threshold; columns are named in the first row.
 *
 *   --shared DIR        labelled sets
 *   --cache DIR         where distances are kept
 *   --state FILE        rows are added there, and cells that it holds under the same key are left out
 *   --key NAME          what the rows are of: a method, or a commit
 *   --world NAME, --groups N, --figure NAME, --repetitions N, --threshold N, --threads N
 *   --negatives N       worlds whose pairs are counted, and no others: so many negatives are drawn of each sample
 *   --dump FILE         each repetition of each figure, too
 *   --list              the cells alone
 *   --truth             instead: whether samples have the counts that are expected; status 1 when they have not */
#include <getopt.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "tests/deep/intervals/worlds/population.h"

typedef struct options {
    const char *shared, *cache, *state, *key, *world, *figure, *dump;
    size_t groups, repetitions, thresholds, negatives;
    int threads, list, truth;
} options;

typedef struct job {
    const cell *of;
    size_t slots;
    finding *found; /* [repetitions][slots] */
} job;

static fp_status run_repetition(void *context, size_t index, fp_arena *arena, fp_error *error) {
    job *on = context;
    (void)error;
    repeat(on->of, index + 1, arena, on->found + index * on->slots);
    return FP_OK;
}

/* ---- Rows ---- */

static const char COLUMNS[] =
    "key\tworld\tset\tunits\tshare\tarm\tfigure\tthreshold\tclass\trepetitions\tdefined\t"
    "marked\tcovered\tbelow\tabove\tmean_width\tmedian_width\tspread\tmean\ttruth\trejected\tmarked_covered\n";

typedef struct tally {
    size_t defined, marked, marked_covered, covered, below, above, rejected;
    double width, median, mean, spread, truth;
} tally;

typedef struct reference {
    double truth;
    bool asked;
    double under[SEED_COUNT]; /* of SEEDS at a threshold: the truth of each hash seed; else the first is `truth` */
} reference;

static reference one_truth(double truth, bool asked) { return (reference){truth, asked, {truth}}; }

/* Coverage is of what is not marked, widths are of all. */
static tally add_up(const job *on, size_t number, size_t repetitions, const reference *is) {
    static const double ROUNDING = 1e-9;
    tally sum = {.truth = is->truth};
    double *width = malloc(repetitions * sizeof *width), *value = malloc(repetitions * sizeof *value);
    size_t count = 0;
    if (!width || !value) exit(1);
    for (size_t i = 0; i < repetitions; i++) {
        const finding *one = on->found + i * on->slots + number;
        if (isnan(one->value) || isnan(one->low) || isnan(one->high)) continue;
        double truth = is->under[one->own];
        bool below = one->high<truth - ROUNDING, above = one->low> truth + ROUNDING;
        value[count] = one->value;
        width[count++] = one->high - one->low;
        sum.marked += one->marked;
        sum.marked_covered += one->marked && !below && !above;
        if (one->marked) continue;
        sum.defined++;
        sum.below += below;
        sum.above += above;
        sum.rejected += one->p < 0.05;
    }
    sum.covered = sum.defined - sum.below - sum.above;
    gsl_sort(width, 1, count);
    if (count > 1) {
        sum.width = gsl_stats_mean(width, 1, count);
        sum.median = gsl_stats_median_from_sorted_data(width, 1, count);
        sum.mean = gsl_stats_mean(value, 1, count);
        sum.spread = 2 * 1.959964 * gsl_stats_sd(value, 1, count);
    }
    free(width);
    free(value);
    return sum;
}

static void write_row(FILE *to, const options *with, const cell *of, const char *arm, const char *figure,
                      const char *threshold, const char *class, const tally *sum) {
    fprintf(
        to,
        "%s\t%s\t%s\t%zu\t%.4f\t%s\t%s\t%s\t%s\t%zu\t%zu\t%zu\t%zu\t%zu\t%zu\t%.5f\t%.5f\t%.5f\t%.6f\t%.6f\t%zu\t%zu\n",
        with->key, of->of->name, of->of->set, of->draws, (double)of->draws / (double)of->set->unit_count, arm, figure,
        threshold, class, with->repetitions, sum->defined, sum->marked, sum->covered, sum->below, sum->above,
        sum->width, sum->median, sum->spread, sum->mean, sum->truth, sum->rejected, sum->marked_covered);
}

/* Of documents and clusters: the mean over the repetitions, and what they counted. */
static reference know_level(const job *on, size_t number, size_t repetitions) {
    double sum = 0, successes = 0, errors = 0, count = 0;
    for (size_t i = 0; i < repetitions; i++) {
        const finding *one = on->found + i * on->slots + number;
        successes += one->successes / (double)repetitions;
        errors += one->errors / (double)repetitions;
        if (isnan(one->value)) continue;
        sum += one->value;
        count++;
    }
    return one_truth(sum / count, successes >= FEWEST_ASKED && errors >= FEWEST_ASKED);
}

/* Of the mean over seeds, and at a threshold under each; before there was one truth of them, the mean. */
static reference know_seeds(const cell *of, fp_measure measure, bool asked, fp_arena *scratch) {
    reference found = {.asked = asked};
    for (size_t seed = 0; seed < SEED_COUNT; seed++) {
        found.under[seed] = cell_truth(of, seed, measure, scratch);
        found.truth += found.under[seed] / SEED_COUNT;
    }
#ifdef COVERAGE_OLD
    bool mean = true;
#else
    bool mean = !fp_measure_at_threshold(measure.row);
#endif
    for (size_t seed = 0; seed < SEED_COUNT && mean; seed++) found.under[seed] = found.truth;
    return found;
}

static reference know(const job *on, slot at, fp_measure measure, fp_arena *scratch) {
    const cell *of = on->of;
    if (!measure.row) return one_truth(0, cell_asks(of, at.arm, (fp_measure){.row = &fp_measure_f1}));
    double truth = cell_truth(of, at.arm, measure, scratch);
    bool asked = cell_asks(of, at.arm, measure);
    if (of->of->contest == NONE) return one_truth(truth, asked);
    if (of->of->contest == SEEDS_EQUAL) return one_truth(0, asked);
    if (of->of->contest == SEEDS) return know_seeds(of, measure, asked, scratch);
    return one_truth(truth - cell_truth(of, at.second, measure, scratch), asked && cell_asks(of, at.second, measure));
}

static void write_figure(FILE *to, const options *with, const job *on, size_t number, fp_arena *scratch) {
    const cell *of = on->of;
    slot at = cell_slot(of, number);
    fp_measure measure = of->figures[at.figure];
    measure.threshold = at.threshold;
    char threshold[32] = "-", arm[256];
    bool differs = of->of->contest != NONE && of->of->contest != SEEDS,
         seeds = of->of->contest == SEEDS || of->of->contest == SEEDS_EQUAL;
    if (!measure.row || fp_measure_at_threshold(measure.row))
        snprintf(threshold, sizeof threshold, "%g", of->thresholds[at.arm][at.threshold]);
    const char *const *names = seeds ? of->of->arms : of->set->arms;
    snprintf(arm, sizeof arm, "%s%s%s", names[seeds ? 0 : at.arm], differs ? " - " : "",
             differs ? names[seeds ? 0 : at.second] : "");
    reference is =
        of->of->level == FP_LEVEL_PAIR ? know(on, at, measure, scratch) : know_level(on, number, with->repetitions);
    tally sum = add_up(on, number, with->repetitions, &is);
    write_row(to, with, of, arm, of->names[at.figure], threshold, is.asked ? "asked" : "beyond", &sum);
}

/* Holm's first step over all comparisons: any of them is wrong. */
static void write_family(FILE *to, const options *with, const job *on, size_t figure) {
    tally sum = {.defined = with->repetitions};
    size_t step = on->of->figure_count;
    for (size_t i = 0; i < with->repetitions; i++) {
        double least = 1;
        for (size_t k = figure; k < on->slots; k += step) {
            double p = on->found[i * on->slots + k].p;
            if (p < least) least = p;
        }
        sum.rejected += least * (double)(on->slots / step) < 0.05;
    }
    sum.covered = sum.defined - sum.rejected;
    write_row(to, with, on->of, "all", on->of->names[figure], "-", "family", &sum);
}

static void write_dump(const options *with, const job *on) {
    FILE *to = fopen(with->dump, "a");
    if (!to) exit(1);
    for (size_t k = 0; k < on->slots; k++) {
        slot at = cell_slot(on->of, k);
        for (size_t i = 0; i < with->repetitions; i++) {
            const finding *one = on->found + i * on->slots + k;
            fprintf(to, "%s\t%zu\t%s\t%s\t%g\t%zu\t%.8g\t%.8g\t%.8g\t%.8g\t%.8g\t%.8g\t%.8g\n", on->of->of->name,
                    on->of->draws, on->of->set->arms[at.arm], on->of->names[at.figure],
                    on->of->thresholds[at.arm][at.threshold], i, one->value, one->low, one->high, one->error,
                    one->trials, one->units, one->p);
        }
    }
    fclose(to);
}

/* ---- Cells ---- */

static bool is_known(const options *with, const world *of, size_t draws) {
    FILE *from = with->state ? fopen(with->state, "r") : NULL;
    char line[4096], wanted[512];
    snprintf(wanted, sizeof wanted, "%s\t%s\t%s\t%zu\t", with->key, of->name, of->set, draws);
    bool known = false;
    while (from && !known && fgets(line, sizeof line, from)) known = strncmp(line, wanted, strlen(wanted)) == 0;
    if (from) fclose(from);
    return known;
}

/* The rows of a cell are written at once, when all are there. */
static void write_cell(const options *with, const job *on) {
    char *text;
    size_t length;
    FILE *rows = open_memstream(&text, &length), *to = with->state ? fopen(with->state, "a") : stdout;
    fp_arena *scratch = fp_arena_new();
    if (!rows || !to || !scratch) exit(1);
    for (size_t k = 0; k < on->slots; k++) {
        fp_arena_reset(scratch);
        write_figure(rows, with, on, k, scratch);
    }
    for (size_t figure = 0; on->of->of->contest == EQUAL && figure < on->of->figure_count; figure++)
        write_family(rows, with, on, figure);
    fclose(rows);
    if (with->state && ftell(to) == 0) fputs(COLUMNS, to);
    fwrite(text, 1, length, to);
    if (with->state) fclose(to);
    free(text);
    fp_arena_free(scratch);
}

/* Five standard errors of some hundred counts are seen in one of ten thousand runs. */
static bool truth_holds(const options *with, const world *of, const set *from, size_t draws) {
    enum { MOST_ERRORS = 5 };
    if (of->design == COUNTED || of->contest == SEEDS || of->contest == SEEDS_EQUAL) return true;
    fp_arena *arena = fp_arena_new();
    cell made;
    cell_open(of, from, draws, with->thresholds, with->figure, arena, &made);
    double largest = check_truth(&made, with->repetitions, arena);
    printf("%s, %zu units: counts are within %.1f standard errors\n", of->name, draws, largest);
    fp_arena_free(arena);
    return largest <= MOST_ERRORS;
}

static void run_cell(const options *with, const world *of, const set *from, size_t draws) {
    fp_arena *arena = fp_arena_new();
    fp_error error = {0};
    fp_arenas arenas;
    cell made;
    cell_open(of, from, draws, with->thresholds, with->figure, arena, &made);
    made.negatives = with->negatives;
    job on = {.of = &made, .slots = cell_slots(&made)};
    on.found = fp_arena_alloc(arena, with->repetitions * on.slots + 1, sizeof *on.found);
    if (!on.found) exit(1);
    double start = fp_seconds();
    check(fp_arenas_open(&arenas, &(fp_progress){.threads = with->threads}, arena, &error), &error);
    check(fp_parallel(with->repetitions, &arenas, true, run_repetition, &on, "", NULL, &error), &error);
    fp_arenas_free(&arenas);
    double seconds = fp_seconds() - start;
    fprintf(stderr, "%s, %zu units: %zu figures, %.1f ms a repetition, %.0f s\n", of->name, draws, on.slots,
            1000 * seconds / (double)with->repetitions, seconds);
    write_cell(with, &on);
    if (with->dump) write_dump(with, &on);
    fp_arena_free(arena);
}

/* Of seeds: the arm under each. */
static const char *const *arms_of(const world *of, fp_arena *arena) {
    const char **arms = fp_arena_alloc(arena, SEED_COUNT + 1, sizeof *arms);
    if (of->contest != SEEDS && of->contest != SEEDS_EQUAL) return of->arms;
    for (size_t seed = 0; seed < SEED_COUNT; seed++) arms[seed] = fp_format(arena, "%s%zu", of->arms[0], seed + 1);
    return arms;
}

static bool run_world(const options *with, const world *of) {
    fp_arena *arena = fp_arena_new();
    set from;
    bool open = false, good = true;
    for (size_t i = 0; of->draws[i]; i++) {
        if ((with->groups && with->groups != of->draws[i]) || is_known(with, of, of->draws[i])) continue;
        if (with->list) {
            printf("%s\t%zu\n", of->name, of->draws[i]);
            continue;
        }
        if (!open && !set_open(of->set, arms_of(of, arena), of->design, with->shared, with->cache, arena, &from)) {
            printf("skipped: %s: the set %s is not here\n", of->name, of->set);
            break;
        }
        open = true;
        if (with->truth) good &= truth_holds(with, of, &from, of->draws[i]);
        else run_cell(with, of, &from, of->draws[i]);
    }
    fp_arena_free(arena);
    return good;
}

static size_t number(const char *text) {
    char *end;
    size_t value = strtoul(text, &end, 10);
    if (*end || value == 0) stop(&(fp_error){.message = "a number is asked for"});
    return value;
}

static options parse(int argc, char **argv) {
    options with = {.cache = "build/coverage", .key = "now", .repetitions = 2000, .thresholds = 8, .threads = 2};
    static const struct option KNOWN_OPTIONS[] = {
        {"shared", 1, NULL, 's'},     {"cache", 1, NULL, 'c'},       {"state", 1, NULL, 'o'},
        {"key", 1, NULL, 'k'},        {"world", 1, NULL, 'w'},       {"groups", 1, NULL, 'g'},
        {"figure", 1, NULL, 'f'},     {"repetitions", 1, NULL, 'r'}, {"dump", 1, NULL, 'd'},
        {"thresholds", 1, NULL, 't'}, {"threads", 1, NULL, 'j'},     {"list", 0, NULL, 'l'},
        {"truth", 0, NULL, 'u'},      {"negatives", 1, NULL, 'n'},   {0}};
    for (int c; (c = getopt_long(argc, argv, "", KNOWN_OPTIONS, NULL)) != -1;) {
        switch (c) {
        case 's': with.shared = optarg; break;
        case 'c': with.cache = optarg; break;
        case 'o': with.state = optarg; break;
        case 'k': with.key = optarg; break;
        case 'w': with.world = optarg; break;
        case 'f': with.figure = optarg; break;
        case 'd': with.dump = optarg; break;
        case 'g': with.groups = number(optarg); break;
        case 'r': with.repetitions = number(optarg); break;
        case 't': with.thresholds = number(optarg); break;
        case 'j': with.threads = (int)number(optarg); break;
        case 'l': with.list = 1; break;
        case 'u': with.truth = 1; break;
        case 'n': with.negatives = number(optarg); break;
        default: exit(2);
        }
    }
    if (with.thresholds > MOST_THRESHOLDS) with.thresholds = MOST_THRESHOLDS;
    return with;
}

int main(int argc, char **argv) {
    setvbuf(stdout, NULL, _IOLBF, 0);
    options with = parse(argc, argv);
    mkdir(with.cache, 0777);
    if (!with.state && !with.list && !with.truth) fputs(COLUMNS, stdout);
    bool good = true;
    for (size_t i = 0; i < WORLD_COUNT; i++)
        if ((!with.world || strcmp(with.world, WORLDS[i].name) == 0) &&
            (!with.negatives || WORLDS[i].design == COUNTED))
            good &= run_world(&with, WORLDS + i);
    return !good;
}
