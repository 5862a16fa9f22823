/* SPDX-License-Identifier: GPL-3.0-or-later
 * fplab query --fingerprints: questions that are fingerprints already. */
#include "cli/commands/index/query_answers.h"
#include "cli/input.h"
#include "index/fingerprint_lines.h"

enum { AT_ONCE = 4096 };

typedef struct gathering {
    fp_cli_answers *to;
    const fp_entries_options *options;
    size_t words;
    fp_arena *arena;          /* of those that wait */
    fp_cli_question *waiting; /* [AT_ONCE] */
    size_t count;
} gathering;

static fp_status answer(void *context, fp_error *error) {
    gathering *from = context;
    size_t count = from->count;
    from->count = 0;
    fp_status status = count ? fp_cli_answer(from->to, from->waiting, count, error) : FP_OK;
    fp_arena_reset(from->arena);
    return status;
}

/* As the lines of texts are called. */
static fp_string name_of(const gathering *from, const fp_fingerprint_line *line) {
    const char *prefix = from->options->prefix, *name;
    if (line->id.length) name = fp_string_copy(from->arena, line->id);
    else if (prefix) name = fp_format(from->arena, "%s%zu", prefix, line->line);
    else name = fp_format(from->arena, "%s:%zu", line->file, line->line);
    return name ? fp_string_of(name) : (fp_string){0};
}

static fp_status take(void *context, const fp_fingerprint_line *line, fp_error *error) {
    gathering *from = context;
    uint64_t *words = fp_arena_raw(from->arena, from->words, sizeof *words);
    if (!words) return fp_no_memory(error);
    for (size_t i = 0; i < from->words; i++) words[i] = line->words[i];
    from->waiting[from->count++] = (fp_cli_question){
        .entry = {.id = name_of(from, line), .time = FP_TIME_NONE},
        .sketch = {words, from->words * sizeof *words},
        .says = true,
    };
    if (!from->waiting[from->count - 1].entry.id.data) return fp_no_memory(error);
    return from->count == AT_ONCE ? answer(from, error) : FP_OK;
}

static bool leave_out(void *context, const fp_error *error) {
    gathering *from = context;
    if (!from->options->skip_bad) return false;
    fprintf(stderr, "fplab: left out: %s:%zu: %s\n", error->file, error->line, error->message);
    from->to->skipped++;
    return true;
}

fp_status fp_cli_answer_fingerprints(fp_cli_answers *to, const fp_entries_options *options, const char *const *inputs,
                                     fp_arena *arena, fp_error *error) {
    static const char *const STREAM[] = {"-", NULL};
    const fp_layout *layout = fp_arm_layout(to->arm);
    gathering from = {.to = to,
                      .options = options,
                      .words = layout->bytes / sizeof(uint64_t),
                      .arena = fp_arena_new(),
                      .waiting = fp_arena_alloc(arena, AT_ONCE, sizeof *from.waiting)};
    const fp_fingerprint_lines how = {
        .bits = (unsigned)layout->bits, .take = take, .pause = answer, .leave_out = leave_out, .context = &from};
    fp_status status = from.arena && from.waiting ? FP_OK : fp_no_memory(error);
    if (!inputs[0]) {
        fp_cli_await("fingerprints, one a line,");
        inputs = STREAM;
    }
    for (; status == FP_OK && *inputs; inputs++) status = fp_fingerprint_lines_read(*inputs, &how, arena, error);
    fp_arena_free(from.arena);
    return status;
}
