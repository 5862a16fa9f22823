/* SPDX-License-Identifier: GPL-3.0-or-later
 * Texts, arms and thresholds of the commands that look for near-duplicates. */
#include "cli/near_texts.h"

#include <math.h>
#include <string.h>

/* ---- The arm ---- */

static int read_threshold(const fp_command *command, fp_cli_near *near) {
    if (!near->threshold) return FP_EXIT_SUCCESS;
    if (near->choice) return fp_cli_usage(command, "either --threshold or --choice, not both");
    if (!fp_parse_real(near->threshold, &near->within) || !(near->within >= 0))
        return fp_cli_usage(command, "--threshold takes a distance from 0 on, not %s", near->threshold);
    return FP_EXIT_SUCCESS;
}

/* A threshold below 1, where distances go up to 64, is a similarity more often than a distance. */
static void hint_similarity(const fp_cli_near *near) {
    const fp_layout *layout = &near->made->instance.layout;
    double within = near->within, low = 0, high = layout->maximum;
    if (!near->threshold || !(within > 0 && within < 1) || layout->maximum < 2 || layout->integral) return;
    if (isnan(fp_arm_similarity(near->made, within))) return;
    for (int i = 0; i < 60; i++) {
        double middle = (low + high) / 2;
        if (fp_arm_similarity(near->made, middle) >= within) low = middle;
        else high = middle;
    }
    fp_cli_note("fplab: --threshold is a distance: %g is a %s of %.3g; for a %s of %g give --threshold %.4g\n", within,
                fp_arm_measure(near->made), fp_arm_similarity(near->made, within), fp_arm_measure(near->made), within,
                low);
}

static int take_arm(const fp_command *command, fp_cli_near *near, const char *spec, fp_arena *arena) {
    double threshold;
    fp_error error = {0};
    FP_CLI_TRY(fp_cli_arm(spec, arena, &near->made, &threshold));
    const fp_layout *layout = &near->made->instance.layout;
    if (near->choice) {
        FP_CLI_TRY(fp_cli_read_choice(near->choice, arena, &near->saved));
        near->chosen = true;
        near->within = near->saved.threshold;
    } else if (!near->threshold) {
        if (isnan(threshold))
            return fp_cli_usage(command,
                                "no threshold given; set one with --threshold H (%s), or a choice of `fplab "
                                "tune --save` with --choice FILE",
                                layout->scale);
        near->within = threshold;
    }
    if (near->chosen && near->within >= layout->maximum) {
        FP_FAIL_AT(&error, FP_ERROR_RANGE, near->choice,
                   "every two texts are within the threshold %g: distances (%s) go up to %g", near->within,
                   layout->scale, layout->maximum);
        return fp_cli_fail(&error);
    }
    if (near->within >= layout->maximum)
        return fp_cli_usage(command, "every two texts are within %g: distances (%s) go up to %g", near->within,
                            layout->scale, layout->maximum);
    hint_similarity(near);
    return near->model && fp_arm_load(near->made, near->model, &error) != FP_OK ? fp_cli_fail(&error) : FP_EXIT_SUCCESS;
}

int fp_cli_near_arm(const fp_command *command, fp_cli_near *near, fp_arena *arena) {
    const char *spec, *fallback = NULL;
    fp_error error = {0};
    near->usual = !near->arm && !near->choice && !near->model && !near->threshold;
    if (near->usual) {
        near->arm = FP_CLI_NEAR_USUAL;
        near->threshold = FP_CLI_NEAR_USUAL_THRESHOLD;
    }
    FP_CLI_TRY(read_threshold(command, near));
    if (near->model && !near->arm && !near->choice && fp_model_spec(near->model, arena, &fallback, &error) != FP_OK)
        return fp_cli_fail(&error);
    FP_CLI_TRY(fp_cli_spec(command, near->arm, near->choice, fallback, arena, &spec));
    FP_CLI_TRY(take_arm(command, near, spec, arena));
    near->learned = near->model || !fp_arm_learns(near->made);
    if (near->usual)
        fp_cli_note("fplab: no --arm is given: " FP_CLI_NEAR_USUAL " at " FP_CLI_NEAR_USUAL_THRESHOLD
                    "; fplab tune chooses one for your texts\n");
    return FP_EXIT_SUCCESS;
}

/* ---- --verify ---- */

int fp_cli_verify(const fp_command *command, const char *how, double *least) {
    static const char ALIGNMENT[] = "alignment";
    size_t length = sizeof ALIGNMENT - 1;
    *least = 0;
    if (!how) return FP_EXIT_SUCCESS;
    bool known = strncmp(how, ALIGNMENT, length) == 0 && (how[length] == '\0' || how[length] == ':');
    *least = 0.5;
    if (!known || (how[length] && (!fp_parse_real(how + length + 1, least) || !(*least > 0) || *least > 1)))
        return fp_cli_usage(command, "--verify takes alignment, or alignment:SHARE with a share up to 1, not %s", how);
    return FP_EXIT_SUCCESS;
}

int fp_cli_near_verify(const fp_command *command, fp_cli_near *near, fp_arena *arena) {
    fp_error error = {0};
    bool exact = near->verify ? strcmp(near->verify, "exact") == 0 : near->usual;
    if (!exact && (!near->verify || strcmp(near->verify, "none") == 0)) return FP_EXIT_SUCCESS;
    if (!exact && strncmp(near->verify, "alignment", 9) != 0)
        return fp_cli_usage(command,
                            "--verify takes exact, alignment, alignment:SHARE with a share up to 1, or none, not %s",
                            near->verify);
    if (!exact) return fp_cli_verify(command, near->verify, &near->similarity);
    if (near->model) return fp_cli_usage(command, "--verify exact does not go with --model; --verify alignment does");
    if (fp_arm_counterpart(near->made, arena, &near->exact, &error) != FP_OK) return fp_cli_fail(&error);
    near->similarity = fp_arm_similarity(near->made, near->within);
    if (near->exact && near->similarity > 0) return FP_EXIT_SUCCESS;
    return fp_cli_usage(command, "%s has no exact measure to verify by, or is one; add --verify alignment",
                        near->made->name);
}

fp_near_join fp_cli_near_joining(const fp_cli_near *near, const fp_gathered *gathered, double recall, int64_t window,
                                 fp_near_verify *verify) {
    *verify = (fp_near_verify){near->exact, &gathered->exact, near->similarity};
    return (fp_near_join){.arm = near->made,
                          .verify = near->similarity > 0 ? verify : NULL,
                          .sketches = &gathered->sketches,
                          .left_out = gathered->empty,
                          .within = near->within,
                          .recall = recall,
                          .time = gathered->time,
                          .window = window};
}

const fp_arm *fp_cli_near_measured(const fp_cli_near *near) { return near->exact ? near->exact : near->made; }

const char *fp_cli_near_verifies(const fp_cli_near *near) {
    return !(near->similarity > 0) ? "none" : near->exact ? near->exact->spec : "alignment";
}

void fp_cli_note_verified(const fp_cli_near *near, const fp_near_joined *joined) {
    if (!(near->similarity > 0)) return;
    fp_cli_note("Of %llu %s of different fingerprints found, %llu %s verified: ", (unsigned long long)joined->found,
                fp_cli_word(joined->found, "pair", "pairs"), (unsigned long long)joined->pairs,
                fp_cli_word(joined->pairs, "is", "are"));
    if (near->exact) fp_cli_note("exact %s of at least %.3g.\n", fp_arm_measure(near->exact), near->similarity);
    else fp_cli_note("common passages are at least %.3g of both texts.\n", near->similarity);
}

const char *fp_cli_near_text(const fp_arm *arm, double distance, fp_arena *arena) {
    const char *scale = arm->instance.layout.scale, *measure = fp_arm_measure(arm);
    const char *plain = strstr(scale, " of ") ? fp_format(arena, "%.6g %s", distance, scale)
                                              : fp_format(arena, "a distance of %.6g", distance);
    double similarity = fp_arm_similarity(arm, distance);
    return plain && *measure && !isnan(similarity) ? fp_format(arena, "%s (%s %.3g)", plain, measure, similarity)
                                                   : plain;
}

int fp_cli_window(const fp_command *command, const char *text, int64_t *window) {
    if (!text || fp_span_parse(text, window)) return FP_EXIT_SUCCESS;
    return fp_cli_usage(command, "--window takes a span such as 7d, 12h or 30m, not %s", text);
}

int fp_cli_recall(const fp_command *command, const char *text, double *recall) {
    if (!text || (fp_parse_real(text, recall) && *recall > 0 && *recall <= 1)) return FP_EXIT_SUCCESS;
    return fp_cli_usage(command, "--recall takes a number above 0 and up to 1, not %s", text);
}

/* ---- Texts ---- */

fp_status fp_cli_sketch_entries(const fp_cli_near *near, fp_entries *entries, fp_take_sketches take, void *context,
                                const fp_progress *progress, fp_arena *arena, fp_error *error) {
    fp_text_source source = fp_entries_source(entries);
    fp_pipeline_arm arms[] = {{.arm = near->made}, {.arm = near->exact}};
    const fp_pipeline pipeline = {.source = &source,
                                  .arms = arms,
                                  .count = near->exact ? 2 : 1,
                                  .learns = !near->learned,
                                  .untimed = true,
                                  .take = take,
                                  .context = context,
                                  .progress = progress,
                                  .arena = arena};
    if (near->learned || source.rewind) return fp_pipeline_run(&pipeline, error);
    return fp_fail(error, FP_ERROR_IO,
                   "an arm that learns reads its texts twice, which a pipe does not allow: name a file, or what "
                   "was learned with --model");
}

/* ---- What to expect ---- */

static const char *figure(const fp_proportion *value, fp_arena *arena) {
    return fp_interval_text(value->value, value->interval, 2, arena);
}

int fp_cli_near_expect(const fp_cli_near *near, const char *how, double recall, fp_arena *arena) {
    const char *within = fp_cli_near_text(near->made, near->within, arena);
    if (recall >= 1) fp_cli_note("Found by %s: every pair within %s, none missed.\n", how, within);
    else fp_cli_note("Found by %s: recall %.4f at %s, higher for nearer pairs.\n", how, recall, within);
    if (!near->chosen) return FP_EXIT_SUCCESS;
    const char *precision = figure(&near->saved.precision, arena), *found = figure(&near->saved.recall, arena);
    fp_cli_note("%s at %s was chosen on %s: precision %s and recall %s on held-out groups. Other texts may differ: "
                "--audit samples pairs to judge.\n",
                near->saved.name, within, near->saved.corpus, precision, found);
    return FP_EXIT_SUCCESS;
}

void fp_cli_warn_empty(size_t count, const char *who) {
    if (!count) return;
    fprintf(stderr, "%zu %s no features for %s: %s no other text.\n", count,
            fp_cli_word(count, "text has", "texts have"), who, fp_cli_word(count, "it matches", "they match"));
}

/* ---- All texts of some inputs, sketched ---- */

typedef struct gathering {
    fp_entries *entries;
    const char *rank; /* name of the field, or NULL */
    bool keeps_lines, keeps_texts;
    fp_store store, exact; /* `exact` of the arm that verifies, or the texts */
    fp_numbering ids;
    fp_gathered *to; /* its lists grow in `arena` */
    size_t room;
    fp_arena *arena;
} gathering;

static void make_room(gathering *in) {
    fp_gathered *to = in->to;
    in->room = in->room ? 2 * in->room : 4096;
    to->texts = fp_arena_grow(in->arena, to->texts, in->room * sizeof *to->texts);
    to->time = fp_arena_grow(in->arena, to->time, in->room * sizeof *to->time);
    if (in->keeps_lines) to->lines = fp_arena_grow(in->arena, to->lines, in->room * sizeof *to->lines);
}

static fp_string kept(const gathering *in, fp_string text) {
    return (fp_string){fp_string_copy(in->arena, text), text.length};
}

static fp_status read_rank(const gathering *to, const fp_entry *entry, double *rank, fp_error *error) {
    *rank = NAN;
    if (!to->rank || entry->rank.length == 0 || fp_string_real(entry->rank, rank)) return FP_OK;
    return fp_fail(error, FP_ERROR_SYNTAX, "%.*s: \"%s\" is not a number", (int)entry->id.length, entry->id.data,
                   to->rank);
}

static fp_status take_entry(gathering *to, const fp_entry *entry, fp_error *error) {
    uint32_t number;
    bool fresh;
    fp_gathered *all = to->to;
    if (all->count == to->room) make_room(to);
    fp_gathered_text *text = all->texts + all->count;
    FP_TRY(fp_numbering_of(&to->ids, entry->id, &number, &fresh, error));
    if (!fresh)
        return fp_at(error,
                     fp_fail(error, FP_ERROR_DUPLICATE, "duplicate id %.*s", (int)entry->id.length, entry->id.data),
                     fp_entries_path(to->entries, entry->input), entry->row, SIZE_MAX);
    *text = (fp_gathered_text){.id = kept(to, entry->id), .characters = (uint32_t)entry->characters};
    if (all->lines) all->lines[all->count] = kept(to, entry->line);
    all->time[all->count++] = entry->time;
    return read_rank(to, entry, &text->rank, error);
}

static fp_status take(void *context, size_t arm, size_t first, size_t count, const fp_sketch *sketches,
                      fp_error *error) {
    gathering *to = context;
    if (arm) return fp_store_add(&to->exact, count, sketches, error);
    for (size_t i = 0; i < count; i++) {
        const fp_entry *entry = fp_entries_at(to->entries, first + i);
        const fp_sketch text = {.data = (const unsigned char *)entry->text.data, .size = entry->text.length};
        FP_TRY(take_entry(to, entry, error));
        if (to->keeps_texts) FP_TRY(fp_store_add(&to->exact, 1, &text, error));
    }
    return fp_store_add(&to->store, count, sketches, error);
}

static fp_status run(gathering *to, fp_cli_near *near, fp_error *error) {
    fp_gathered *out = to->to;
    fp_progress progress = fp_cli_progress();
    static const fp_layout TEXTS = {.bytes = 0};
    const fp_layout *exact = near->exact ? &near->exact->instance.layout : &TEXTS;
    FP_TRY(fp_store_open(&to->store, &near->made->instance.layout, SIZE_MAX, to->arena, error));
    if (near->similarity > 0) FP_TRY(fp_store_open(&to->exact, exact, SIZE_MAX, to->arena, error));
    FP_TRY(fp_cli_sketch_entries(near, to->entries, take, to, &progress, to->arena, error));
    FP_TRY(fp_store_close(&to->store, &out->sketches, error));
    if (near->similarity > 0) FP_TRY(fp_store_close(&to->exact, &out->exact, error));
    out->empty = to->store.empty;
    out->empty_count = to->store.empty_count;
    out->skipped = fp_entries_skipped(to->entries);
    return FP_OK;
}

int fp_cli_gather(fp_cli_near *near, fp_entries *entries, fp_arena *arena, fp_gathered *gathered) {
    fp_text_source source = fp_entries_source(entries);
    gathering to = {.entries = entries,
                    .rank = near->texts.options.name[FP_ENTRY_RANK],
                    .keeps_lines = !source.rewind,
                    .keeps_texts = near->similarity > 0 && !near->exact,
                    .to = gathered,
                    .arena = arena};
    fp_error error = {.line = SIZE_MAX, .byte = SIZE_MAX};
    *gathered = (fp_gathered){0};
    fp_status status = run(&to, near, &error);
    fp_cli_progress_end();
    fp_numbering_free(&to.ids);
    if (status != FP_OK) return fp_cli_fail(&error);
    if (gathered->count) fp_cli_caution(near->made, NULL, gathered->empty_count, gathered->count);
    return FP_EXIT_SUCCESS;
}

fp_status fp_cli_gathered_lines(const fp_gathered *gathered, fp_entries *entries, fp_visit_line visit, void *context,
                                fp_error *error) {
    fp_text_source source = fp_entries_source(entries);
    fp_text_batch batch = {.count = 1};
    if (!gathered->count) return FP_OK;
    if (gathered->lines) {
        for (size_t i = 0; i < gathered->count; i++) FP_TRY(visit(context, i, gathered->lines[i], error));
        return FP_OK;
    }
    FP_TRY(source.rewind(source.context, error));
    for (size_t position = 0; batch.count; position += batch.count) {
        FP_TRY(source.next(source.context, &batch, error));
        for (size_t i = 0; i < batch.count; i++) {
            const fp_entry *entry = fp_entries_at(entries, batch.first + i);
            if (position + i >= gathered->count || !fp_string_equal(entry->id, gathered->texts[position + i].id))
                return fp_fail(error, FP_ERROR_IO, "the texts have changed since they were read");
            FP_TRY(visit(context, position + i, entry->line, error));
        }
    }
    return FP_OK;
}
