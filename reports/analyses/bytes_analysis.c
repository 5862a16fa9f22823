/* SPDX-License-Identifier: GPL-3.0-or-later
 * Average precision against stored bytes: --bytes. Each arm is measured at other sizes and compared with the exact
 * measure that it estimates (the ceiling) and with the bound of eval/analyses/theory.h. */
#include <math.h>
#include <string.h>

#include "eval/analyses/bound.h"
#include "eval/statistics/difference.h"
#include "reports/analyses/analyses.h"

/* Largest gap that counts as near the ceiling; bytes of sketches held at once. */
#define WITHIN 0.01
#define HELD 0x1p30
enum { MOST_SIZES = 32, MOST_BYTES = 65536 };

typedef struct sizes {
    size_t count, bytes[MOST_SIZES]; /* ascending */
} sizes;

/* An arm at one size. */
typedef struct sized {
    fp_arm *arm;
    size_t family; /* number of the arm whose size it is */
    double bytes;
    fp_estimate precision; /* average precision, with the usual definition */
    fp_difference gap;     /* ceiling minus precision; NaN: no ceiling */
    fp_bound bound;
} sized;

/* An arm at all its sizes. */
typedef struct family {
    const fp_parameter *row;     /* proportional to the bytes; NULL: the arm has only its own size */
    const fp_measurement *exact; /* the ceiling; NULL: no arm measures exactly what this arm estimates */
    double ceiling;
    size_t count;
    sized *at;           /* [count] ascending */
    const char *refused; /* a size that the arm cannot have, with the reason; NULL: none */
} family;

typedef struct families {
    const sizes *asked;
    family *of; /* [arms] */
} families;

/* ---- Sizes ---- */

/* The powers of two in A..B, or those of a list. */
static fp_status check(const fp_analysis_values *given, fp_questions *questions, fp_arena *arena, const void **settings,
                       fp_error *error) {
    sizes *to = FP_NEED(fp_arena_alloc(arena, 1, sizeof *to), error);
    const char *text = *given->text;
    int64_t first, last;
    (void)questions;
    *settings = to;
    bool range = fp_read_range(text, &first, &last);
    for (size_t power = 1; range && power <= (size_t)last && to->count < MOST_SIZES; power *= 2)
        if (power >= (size_t)first) to->bytes[to->count++] = power;
    if (range && !to->count)
        return fp_fail(error, FP_ERROR_RANGE, "--bytes %s: no power of two lies in it; --bytes %lld measures that size",
                       text, (long long)(first > 0 ? first : 8));
    if (!range && !fp_read_ascending(text, MOST_SIZES, to->bytes, &to->count)) to->count = 0;
    if (to->count && (!range || first > 0) && to->bytes[to->count - 1] <= MOST_BYTES) return FP_OK;
    return fp_fail(
        error, FP_ERROR_RANGE,
        "--bytes takes A..B with 1 ≤ A ≤ B ≤ %d, of which the powers of two are measured, or ascending sizes such as "
        "8,16,32, not %s",
        MOST_BYTES, text);
}

/* Fills of->at[asked->count + 1] with the arm at every size that it can have; one entry without a size parameter.
 * FP_ERROR_RANGE: it can have none. */
static fp_status list_sizes(const sizes *asked, const fp_arm *arm, fp_arena *arena, family *of, fp_error *error) {
    fp_error why = {0};
    of->row = fp_arm_size_parameter(arm, arena);
    if (!of->row) of->count = 1;
    for (size_t i = 0, late = 0; of->row && i < asked->count; i++) {
        sized *at = of->at + of->count;
        at->bytes = (double)asked->bytes[i];
        if (fp_arm_sized(arm, of->row, at->bytes, arena, &at->arm, &why) == FP_OK) of->count++;
        else if (why.code == FP_ERROR_MEMORY) return fp_no_memory(error);
        else if (!of->refused || (of->count && !late)) {
            of->refused = FP_NEED(fp_format(arena, "%zu bytes: %s", asked->bytes[i], why.message), error);
            late = of->count;
        }
    }
    if (of->count) return FP_OK;
    return fp_fail(error, FP_ERROR_RANGE,
                   "--bytes: %s has none of these sizes (%s); ask for others, such as its own %g, or leave the arm out",
                   fp_arm_name(arm), of->refused, fp_stored_bytes(fp_arm_layout(arm)));
}

static fp_status fits(const void *settings, const fp_arm *arm, fp_error *error) {
    FP_SCRATCH(scratch, arm->arena, error);
    family of = {.at = FP_NEED(fp_arena_alloc(scratch, MOST_SIZES + 1, sizeof *of.at), error)};
    return list_sizes(settings, arm, scratch, &of, error);
}

/* ---- Measuring ---- */

/* All arms at all sizes in one list, followed by the ceilings, one for each arm. */
typedef struct work {
    const fp_analysed *of;
    family *families; /* [arms] */
    sized *list;      /* [count] arm by arm */
    size_t count;     /* without the ceilings */
    fp_seeded_arms seeded;
    const double **distances; /* [seeded.lane_count] */
    fp_bootstrap bootstrap;
    fp_measure precision;
} work;

static const fp_inference_options *how(const work *job) { return &job->of->questions->inference; }

/* Lane of hash seed k of a list entry. */
static size_t lane_of(const work *job, size_t place, size_t k) {
    return k ? job->seeded.further[place].first + k - 1 : place;
}

/* Reuses distances already measured: arms of one size, and the ceilings. */
static void take_measured(work *job) {
    const fp_outcome *outcome = job->of->outcome;
    for (size_t i = 0; i < job->count; i++)
        for (size_t k = 0; !job->families[job->list[i].family].row && k <= job->seeded.further[i].count; k++)
            job->distances[lane_of(job, i, k)] =
                outcome->measurements[fp_seed_lane(outcome->further, job->list[i].family, k)].distances;
    for (size_t arm = 0; arm < outcome->count; arm++) {
        const fp_measurement *exact = job->families[arm].exact;
        job->distances[job->count + arm] = (exact ? exact : outcome->measurements + arm)->distances;
    }
}

/* Measures the remaining lanes, in batches of about HELD bytes of sketches. */
static fp_status measure_lanes(work *job, fp_error *error) {
    FP_SCRATCH(scratch, job->of->arena, error);
    const fp_corpus *corpus = job->of->outcome->corpus;
    size_t lanes = job->seeded.lane_count, at = 0,
           *which = FP_NEED(fp_arena_alloc(job->of->arena, lanes, sizeof *which), error);
    fp_measurement *made = FP_NEED(fp_arena_alloc(job->of->arena, lanes, sizeof *made), error);
    fp_arm **arms = FP_NEED(fp_arena_alloc(job->of->arena, lanes, sizeof *arms), error);
    while (at < lanes) {
        size_t count = 0;
        double held = 0;
        for (; at < lanes && held < HELD; at++) {
            if (job->distances[at]) continue;
            which[count] = at;
            arms[count++] = job->seeded.lanes[at];
            held += (double)job->seeded.lanes[at]->instance.layout.bytes * (double)corpus->document_count;
        }
        fp_arena_reset(scratch);
        if (count) FP_TRY(fp_experiment(corpus, arms, count, job->of->progress, scratch, made, error));
        for (size_t i = 0; i < count; i++) {
            size_t size = corpus->pair_count * sizeof(double);
            job->distances[which[i]] =
                memcpy(FP_NEED(fp_arena_raw(job->of->arena, size, 1), error), made[i].distances, size);
            fp_measurement_free(made + i);
        }
    }
    return FP_OK;
}

/* Average precision, and its gap to the ceiling. */
static fp_status estimate(void *context, size_t index, fp_arena *scratch, fp_error *error) {
    const work *job = context;
    sized *to = job->list + index;
    size_t arm = to->family;
    fp_side own = {index, job->precision}, exact = {job->count + arm, job->precision};
    FP_TRY(fp_bootstrap_estimate(&job->bootstrap, index, job->precision, how(job)->method, how(job)->confidence,
                                 scratch, &to->precision, error));
    if (!job->families[arm].exact) return FP_OK;
    return fp_difference_of(&job->bootstrap, exact, own, how(job)->method, how(job)->confidence, scratch, &to->gap,
                            error);
}

static fp_status infer(work *job, fp_error *error) {
    const fp_outcome *outcome = job->of->outcome;
    fp_arena *arena = job->of->arena;
    const fp_inference_options *options = how(job);
    fp_bootstrap_options drawing = fp_inference_drawing(options, &job->precision, 1);
    drawing.further = job->seeded.further, drawing.threshold_count = 0;
    fp_paired_distances paired = {outcome->corpus->pairs, job->distances, job->seeded.count};
    FP_TRY(fp_bootstrap_run(&outcome->inference->resample, &paired, &drawing, job->of->progress, arena, &job->bootstrap,
                            error));
    FP_TRY(fp_parallel_in(arena, job->count, estimate, job, "sizes", job->of->progress, error));
    for (size_t arm = 0; arm < outcome->count; arm++)
        if (job->families[arm].exact)
            job->families[arm].ceiling =
                fp_bootstrap_value(&job->bootstrap, job->bootstrap.replicates, job->count + arm, job->precision);
    for (size_t i = 0; i < job->count; i++)
        FP_TRY(fp_bound_make(&job->list[i].arm->instance, job->families[job->list[i].family].exact, outcome->corpus,
                             options->seed, job->of->progress, arena, &job->list[i].bound, error));
    return FP_OK;
}

/* Fills the list and its lanes. Ceilings have no hash seeds. */
static fp_status open_list(work *job, fp_error *error) {
    const fp_outcome *outcome = job->of->outcome;
    fp_arena *arena = job->of->arena;
    fp_hash_seeds seeds = how(job)->hash_seeds;
    size_t most = outcome->count * (MOST_SIZES + 2);
    fp_arm **arms = FP_NEED(fp_arena_alloc(arena, most, sizeof *arms), error);
    job->list = FP_NEED(fp_arena_alloc(arena, most, sizeof *job->list), error);
    seeds.count = outcome->hash_seeds;
    for (size_t arm = 0; arm < outcome->count; arm++) {
        family *of = job->families + arm;
        const fp_measurement *measurement = outcome->measurements + arm;
        of->at = job->list + job->count;
        FP_TRY(list_sizes(job->of->settings, measurement->arm, arena, of, error));
        of->exact = outcome->counterparts->of_arm[arm];
        of->ceiling = NAN;
        if (!of->row) of->at[0] = (sized){.arm = measurement->arm, .bytes = measurement->bytes_per_document};
        for (size_t i = 0; i < of->count; i++) {
            of->at[i].gap = (fp_difference){.value = NAN, .interval = {NAN, NAN}};
            of->at[i].family = arm;
            arms[job->count++] = of->at[i].arm;
        }
    }
    FP_TRY(fp_seeded_arms_make(arms, job->count + outcome->count, &seeds, arena, &job->seeded, error));
    job->distances = FP_NEED(fp_arena_alloc(arena, job->seeded.lane_count, sizeof *job->distances), error);
    return FP_OK;
}

static fp_status run(const fp_analysed *of, const void **found, fp_error *error) {
    work job = {.of = of,
                .families = FP_NEED(fp_arena_alloc(of->arena, of->outcome->count, sizeof *job.families), error),
                .precision = {.row = &fp_measure_average_precision}};
    families *out = FP_NEED(fp_arena_alloc(of->arena, 1, sizeof *out), error);
    *found = out;
    *out = (families){of->settings, job.families};
    FP_TRY(open_list(&job, error));
    take_measured(&job);
    FP_TRY(measure_lanes(&job, error));
    return infer(&job, error);
}

/* ---- Tables ---- */

static const family *family_of(const fp_found_arm *of) { return ((const families *)of->found)->of + of->arm; }

static void add_sizes(fp_table *table, const fp_found_arm *of) {
    const family *from = family_of(of);
    for (size_t i = 0; i < from->count; i++) {
        const sized *at = from->at + i;
        const char *value = from->row ? fp_parameter_text(from->row, at->arm->parameters, of->arena) : "";
        fp_results_add_names(table, of->outcome, of->arm, false);
        FP_TABLE_PUT(table, at->bytes);
        fp_table_text(table, from->row ? fp_format(of->arena, "%s=%s", from->row->name, value) : "NA");
        FP_TABLE_FIGURE(table, at->precision);
        FP_TABLE_PUT(table, from->ceiling);
        FP_TABLE_FIGURE(table, at->gap);
        FP_TABLE_PUT(table, at->bound.average_precision, at->bound.error);
    }
}

static const char SIZES[] =
    "corpus|arm|>bytes;esd|parameters;s|>average_precision;lsdD%|>exact;sd%|>gap;ls%|>bound;sd%|>bound_error";

/* The smallest size from which on all sizes are within 0.01 of the ceiling, judged by the estimate, by the upper limit
 * of the gap, or by the bound. NaN: not even the largest. */
typedef enum nearness { ESTIMATED, SURE, BOUND } nearness;
static double needed(const family *of, nearness by) {
    double bytes = NAN;
    for (size_t i = of->count; i-- > 0; bytes = of->at[i].bytes) {
        const sized *at = of->at + i;
        double gap = by == ESTIMATED ? at->gap.value
                     : by == SURE    ? at->gap.interval.high
                                     : of->ceiling - at->bound.average_precision;
        if (!(gap <= WITHIN)) break;
    }
    return bytes;
}

static void add_needed(fp_table *table, const fp_found_arm *of) {
    const family *from = family_of(of);
    if (!from->exact) return;
    fp_results_add_names(table, of->outcome, of->arm, false);
    fp_table_text(table, fp_arm_spec(from->exact->arm));
    FP_TABLE_PUT(table, from->ceiling, WITHIN, needed(from, ESTIMATED), needed(from, SURE), needed(from, BOUND),
                 from->at[0].bytes, from->at[from->count - 1].bytes);
}

static const char NEEDED[] =
    "corpus|arm|counterpart|>exact;s%|>within;sd2|>bytes_needed;esd|>bytes_sure;es|>bound_bytes;es|"
    ">smallest;e|>largest;esd";

/* ---- Terminal output ---- */

static const char *bytes_text(const family *of, nearness by, fp_arena *arena) {
    double bytes = needed(of, by);
    if (!of->exact) return "NA";
    if (isnan(bytes)) return of->row ? fp_format(arena, "> %g", of->at[of->count - 1].bytes) : "NA";
    return fp_format(arena, "%g", bytes);
}

/* NULL: the arm lacks this size. */
static const sized *find(const family *of, size_t bytes) {
    for (size_t i = 0; of->row && i < of->count; i++)
        if (of->at[i].bytes == (double)bytes) return of->at + i;
    return NULL;
}

/* One row for each arm, followed by a row of its bound. Columns: sizes that some arm has. */
static fp_table *summarise(const fp_outcome *outcome, const families *all, fp_arena *arena) {
    const char *columns = fp_format(arena, "average precision|>exact|>bytes within %g", WITHIN);
    size_t shown[MOST_SIZES], count = 0;
    for (size_t i = 0; i < all->asked->count; i++) {
        bool any = false;
        for (size_t arm = 0; arm < outcome->count && !any; arm++) any = find(all->of + arm, all->asked->bytes[i]);
        if (!any) continue;
        shown[count++] = all->asked->bytes[i];
        columns = fp_format(arena, "%s|>%zu", columns, all->asked->bytes[i]);
    }
    fp_table *table = fp_table_new(columns, arena);
    for (size_t row = 0; row < 2 * outcome->count; row++) {
        const family *of = all->of + row / 2;
        bool bound = row % 2;
        if (!of->row || (bound && isnan(of->at[0].bound.average_precision))) continue;
        fp_table_text(table, bound ? "  bound" : fp_results_name(outcome, row / 2));
        fp_table_real(table, bound ? NAN : of->ceiling, 3);
        fp_table_text(table, bytes_text(of, bound ? BOUND : ESTIMATED, arena));
        for (size_t i = 0; i < count; i++) {
            const sized *at = find(of, shown[i]);
            if (at) fp_table_real(table, bound ? at->bound.average_precision : at->precision.value, 3);
            else fp_table_text(table, "");
        }
    }
    return table;
}

/* Arms with one size, and arms that lack some sizes. */
static void print_limits(fp_brief *to, const char *name, const family *of) {
    if (!of->row)
        to->print(fp_format(to->arena, "%s: no parameter scales its bytes; %.0f bytes, average precision %.3f\n", name,
                            of->at->bytes, of->at->precision.value));
    if (of->refused) to->print(fp_format(to->arena, "%s: no %s\n", name, of->refused));
}

static const char LEGEND[] =
    "exact: of the similarity that the arm estimates, the ceiling. bytes within 0.01: from so many stored bytes on. bound: every distance\n"
    "sampled independently from the law at the exact similarity of its pair; NA: the similarity or the law is not known (docs/eight-bytes.md).\n";

static void brief(fp_brief *to) {
    for (size_t i = 0; i < to->results->count; i++) {
        const fp_outcome *outcome = to->results->outcomes + i;
        to->print(
            fp_format(to->arena, "\n%s: average precision by stored bytes of a document\n", outcome->corpus->name));
        to->show(summarise(outcome, to->found[i], to->arena));
        for (size_t arm = 0; arm < outcome->count; arm++)
            print_limits(to, fp_results_name(outcome, arm), ((const families *)to->found[i])->of + arm);
    }
    to->print(LEGEND);
}

const fp_analysis fp_analysis_bytes = {
    .name = "bytes",
    .example = "--bytes 4..1024",
    .title = {"Stored bytes", "存储字节数"},
    .text =
        {"Each arm with other numbers of stored bytes, beside the exact similarity that it estimates (the ceiling) and what independent "
         "bits or slots could do (the bound).",
         "各方案在不同存储字节数下的表现，对照其所估计的精确相似度（上限）和相互独立的位或槽所能达到的水平（界）。"},
    .options =
        {{.name = "bytes",
          .takes = FP_TAKES_ONE,
          .help =
              "also each arm with 4, 8, 16 … stored bytes, or those of a list, beside exact similarity and the bound",
          .argument = "A..B|N,N,…"}},
    .needs = FP_NEEDS_LIST | FP_NEEDS_ALL_PAIRS | FP_NEEDS_EXACT | FP_NEEDS_PAIR_LEVEL,
    .check = check,
    .fits = fits,
    .run = run,
    .brief = brief,
    .tables = {{.name = "bytes", .columns = SIZES, .rows = add_sizes, .every_arm = true},
               {.name = "bytes-needed",
                .columns = NEEDED,
                .rows = add_needed,
                .title = {"Bytes to come within 0.01 of the exact similarity", "与精确相似度相差 0.01 以内所需字节"}}},
    .figures = {{"bytes", "bytes, bytes-needed",
                 "average precision against stored bytes, with ceiling and bound (eval --bytes)"}}};
