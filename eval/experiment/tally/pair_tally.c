/* SPDX-License-Identifier: GPL-3.0-or-later
 * All pairs counted by a kernel. Near pairs are told on the way, within a limit that the counts so far allow. */
#include "eval/experiment/tally/pair_tally.h"

#include <math.h>

/* A group of fewer documents is not worth the kernel. */
enum { LARGE = 64 };

/* Rows of a set. */
typedef struct set_rows {
    const fp_tally_set *set;
    size_t begin, end;
} set_rows;

typedef struct tally_job {
    fp_tally_way *way;
    size_t set_count, rows_count;
    fp_tally_set *sets;
    set_rows *rows;
    uint64_t *tallies; /* two a thread: of all documents, of the groups */
    uint64_t *inside;  /* [distances] pairs within a distance that may be in groups, at the most */
} tally_job;

/* ---- Sets ---- */

/* The documents member[0 … count), or 0 … count where `member` is NULL; without those that say nothing. */
static fp_status make_set(const tally_job *job, const uint32_t *member, size_t count, fp_tally_set *set,
                          fp_error *error) {
    const fp_all_pairs *all = job->way->all;
    *set = (fp_tally_set){.document = fp_arena_raw(all->arena, count, sizeof *set->document), .group = member != NULL};
    if (!set->document) return fp_no_memory(error);
    for (size_t i = 0; i < count; i++) {
        uint32_t document = member ? member[i] : (uint32_t)i;
        if (fp_all_pairs_counts(all, document)) set->document[set->count++] = document;
    }
    set->parted = set->count;
    return job->way->fill(job->way, all->arena, set, error);
}

static size_t group_size(const fp_groups *groups, size_t g) { return groups->begin[g + 1] - groups->begin[g]; }

/* All documents, then every large group. */
static fp_status make_sets(tally_job *job, fp_error *error) {
    const fp_all_pairs *all = job->way->all;
    const fp_groups *groups = all->groups;
    size_t large = 0;
    for (size_t g = 0; g < groups->count; g++) large += group_size(groups, g) >= LARGE;
    job->sets = fp_arena_alloc(all->arena, large + 1, sizeof *job->sets);
    if (!job->sets) return fp_no_memory(error);
    FP_TRY(make_set(job, NULL, all->stage->corpus->document_count, job->sets + job->set_count++, error));
    for (size_t g = 0; g < groups->count; g++) {
        if (group_size(groups, g) < LARGE) continue;
        FP_TRY(make_set(job, groups->member + groups->begin[g], group_size(groups, g), job->sets + job->set_count++,
                        error));
    }
    return FP_OK;
}

static void add_rows(tally_job *job, const fp_tally_set *set, size_t begin, size_t end) {
    size_t rows = job->way->rows;
    for (size_t row = begin; row < end; row += rows)
        job->rows[job->rows_count++] = (set_rows){set, row, end - row < rows ? end : row + rows};
}

static fp_status make_rows(tally_job *job, fp_error *error) {
    size_t most = 0;
    for (size_t s = 0; s < job->set_count; s++) most += job->sets[s].count / job->way->rows + 2;
    job->rows = fp_arena_raw(job->way->all->arena, most, sizeof *job->rows);
    if (!job->rows) return fp_no_memory(error);
    for (size_t s = 0; s < job->set_count; s++) {
        add_rows(job, job->sets + s, 0, job->sets[s].parted);
        add_rows(job, job->sets + s, job->sets[s].parted, job->sets[s].count);
    }
    return FP_OK;
}

/* ---- Near pairs ---- */

static void tell_near(fp_tally_watch *of, const fp_tally_pair *pairs, size_t count) {
    fp_pair_watch *watch = (fp_pair_watch *)(void *)of;
    fp_near_finder *near = watch->all->near;
    const uint32_t *document = watch->set->document;
    for (size_t i = 0; i < count && watch->status == FP_OK; i++) {
        size_t a = watch->row + pairs[i].query, b = watch->other + pairs[i].other;
        if (a >= b) continue; /* rows among themselves are met twice */
        watch->status =
            fp_near_finder_add(near, watch->thread, document[a], document[b], pairs[i].distance, watch->error);
    }
    double limit = watch->status == FP_OK ? fp_near_finder_limit(near, watch->thread) : -1;
    if (limit < (double)of->limit) of->limit = (int64_t)floor(limit);
}

/* Of what this thread has counted, how many pairs of different groups are within a distance at the least: where they
 * are more than may be listed, none beyond it is listed. Returns the largest distance of use. */
static int64_t useful_limit(const tally_job *job, const uint64_t *tally, size_t thread) {
    const fp_tally_way *way = job->way;
    double most = fp_near_finder_limit(way->all->near, thread);
    int64_t limit = most < (double)way->distances ? (int64_t)floor(most) : (int64_t)way->distances - 1;
    uint64_t pairs = 0;
    for (int64_t d = 0; d <= limit; d++) {
        for (size_t at = (size_t)d; at < way->tally; at += way->distances) pairs += tally[at];
        if (pairs > job->inside[d] + way->all->near->most) limit = d - 1;
    }
    fp_near_finder_lower(way->all->near, thread, (double)limit);
    return limit;
}

/* For each distance the pairs within it that are in small groups, which are counted, and all that are in large ones. */
static fp_status count_inside_groups(tally_job *job, fp_error *error) {
    const fp_tally_way *way = job->way;
    uint64_t inside = 0;
    for (size_t s = 1; s < job->set_count; s++) inside += fp_pairs_of(job->sets[s].count);
    job->inside = fp_arena_raw(way->all->arena, way->distances, sizeof *job->inside);
    if (!job->inside) return fp_no_memory(error);
    for (size_t d = 0; d < way->distances; d++) job->inside[d] = inside += job->tallies[way->tally + d];
    return FP_OK;
}

/* ---- A piece of work ---- */

/* Pairs among the rows: all with all count each pair twice, and each row with itself once. */
static fp_status count_inside(const tally_job *job, set_rows rows, fp_pair_watch *watch, fp_arena *arena,
                              uint64_t *tally, fp_error *error) {
    const fp_tally_way *way = job->way;
    uint64_t *twice = fp_arena_alloc(arena, way->tally, sizeof *twice);
    if (!twice) return fp_no_memory(error);
    FP_TRY(way->count(way, rows.set, rows.begin, rows.end, rows.begin, rows.end, watch, arena, twice, error));
    for (size_t d = 0; d < way->distances; d++)
        for (size_t at = d + way->distances; at < way->tally; at += way->distances) twice[d] += twice[at];
    for (size_t row = rows.begin; row < rows.end; row++) twice[way->own(way, rows.set, row)]--;
    for (size_t d = 0; d < way->distances; d++) tally[d] += twice[d] / 2;
    return FP_OK;
}

/* Rows against themselves and all that comes after them in their set. */
static fp_status count_pairs(const tally_job *job, set_rows rows, fp_pair_watch *watch, fp_arena *arena,
                             uint64_t *tally, fp_error *error) {
    const fp_tally_way *way = job->way;
    FP_TRY(way->count(way, rows.set, rows.begin, rows.end, rows.end, rows.set->count, watch, arena, tally, error));
    FP_TRY(count_inside(job, rows, watch, arena, tally, error));
    return watch ? watch->status : FP_OK;
}

/* Whether a thread has counted too few pairs for them to say which are of no use. */
static bool knows_little(const tally_job *job, const uint64_t *tally) {
    const fp_tally_way *way = job->way;
    uint64_t pairs = 0;
    for (size_t at = 0; at < way->tally; at++) pairs += tally[at];
    return pairs <= job->inside[way->distances - 1] + way->all->near->most;
}

/* With near pairs. As long as a thread knows little it counts its rows first, and looks for near pairs afterwards. */
static fp_status count_and_find(const tally_job *job, set_rows rows, size_t thread, fp_arena *arena, uint64_t *tally,
                                fp_error *error) {
    const fp_tally_way *way = job->way;
    fp_pair_watch watch = {
        .watch = {.tell = tell_near}, .all = way->all, .set = rows.set, .thread = thread, .error = error};
    uint64_t *spare = NULL;
    if (knows_little(job, tally)) {
        FP_TRY(count_pairs(job, rows, NULL, arena, tally, error));
        if (!(spare = fp_arena_alloc(arena, way->tally, sizeof *spare))) return fp_no_memory(error);
    }
    watch.watch.limit = useful_limit(job, tally, thread);
    if (watch.watch.limit < 0 && spare) return FP_OK;
    return count_pairs(job, rows, &watch, arena, spare ? spare : tally, error);
}

static fp_status count_rows(void *context, size_t index, fp_arena *arena, fp_error *error) {
    const tally_job *job = context;
    const fp_all_pairs *all = job->way->all;
    set_rows rows = job->rows[index];
    size_t thread = fp_thread_of(all->arenas, arena);
    uint64_t *tally = job->tallies + (2 * thread + rows.set->group) * job->way->tally;
    if (!rows.set->group && fp_near_finder_limit(all->near, thread) >= 0)
        return count_and_find(job, rows, thread, arena, tally, error);
    return count_pairs(job, rows, NULL, arena, tally, error);
}

/* ---- All ---- */

/* Pairs in a group that is not large, one by one. */
static void count_small_group(const tally_job *job, size_t g, uint64_t *tally) {
    const fp_all_pairs *all = job->way->all;
    const uint32_t *member = all->groups->member + all->groups->begin[g];
    for (size_t i = 0; i < group_size(all->groups, g); i++)
        for (size_t j = i + 1; j < group_size(all->groups, g); j++)
            if (!fp_measurement_silent(all->measurement, member[i], member[j]))
                tally[job->way->distance(job->way, member[i], member[j])]++;
}

static fp_status add_tallies(const tally_job *job, fp_error *error) {
    const fp_tally_way *way = job->way;
    for (size_t d = 0; d < way->distances; d++) {
        uint64_t sum[2] = {0};
        for (size_t t = 0; t < 2 * way->all->arenas->count; t++)
            for (size_t at = d; at < way->tally; at += way->distances) sum[t % 2] += job->tallies[t * way->tally + at];
        FP_TRY(fp_histogram_add_many(&way->all->measurement->histogram, (double)d, sum[1], sum[0] - sum[1], error));
    }
    return FP_OK;
}

fp_status fp_pair_tally(fp_tally_way *way, fp_error *error) {
    const fp_all_pairs *all = way->all;
    tally_job job = {.way = way};
    job.tallies = fp_arena_alloc(all->arena, 2 * all->arenas->count * way->tally, sizeof *job.tallies);
    if (!job.tallies) return fp_no_memory(error);
    FP_TRY(make_sets(&job, error));
    FP_TRY(make_rows(&job, error));
    for (size_t g = 0; g < all->groups->count; g++)
        if (group_size(all->groups, g) < LARGE) count_small_group(&job, g, job.tallies + way->tally);
    FP_TRY(count_inside_groups(&job, error));
    FP_TRY(fp_parallel(job.rows_count, all->arenas, true, count_rows, &job, "distances", all->stage->progress, error));
    return add_tallies(&job, error);
}
