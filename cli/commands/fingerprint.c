/* SPDX-License-Identifier: GPL-3.0-or-later
 * fplab fingerprint: one text in, its fingerprint out; a filter for lines, or all documents of a corpus. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "algorithms/arms/pipeline.h"
#include "algorithms/arms/texts.h"
#include "base/reader.h"
#include "cli/choice.h"
#include "cli/read_entries.h"
#include "corpora/corpus.h"
#include "corpora/json_writer.h"
#include "corpora/line_blocks.h"
#include "text/unicode/encoding.h"
#include "text/unicode/utf8.h"

/* Where fingerprints go as soon as they are there. */
typedef struct printing {
    fp_arm *arm;
    bool learned; /* the arm has its model */
    fp_table_format format;
    const fp_corpus *corpus; /* NULL: lines */
    fp_table *table;         /* of a corpus */
    fp_arena *scratch;
    size_t count, empty_count;
    bool headed;                 /* names of columns are written */
    bool full;                   /* standard output is closed or full */
    const fp_key_design *design; /* of --keys; NULL: fingerprints are printed */
    fp_error error;
} printing;

/* ---- Keys: one row for each table, no rows for an empty sketch ---- */

/* Those of a batch, row by row; in `scratch`. */
static fp_status make_keys(printing *to, size_t count, const fp_sketch *sketches, const uint64_t **keys,
                           fp_error *error) {
    const fp_progress alone = {.threads = 1};
    size_t bytes = fp_arm_layout(to->arm)->bytes;
    fp_arena_reset(to->scratch);
    unsigned char *data = FP_NEED(fp_arena_alloc(to->scratch, count, bytes), error);
    uint64_t *made = FP_NEED(fp_arena_raw(to->scratch, count * to->design->tables, sizeof *made), error);
    for (size_t i = 0; i < count; i++)
        if (!sketches[i].empty) memcpy(data + i * bytes, sketches[i].data, bytes);
    *keys = made;
    return fp_column_keys(to->arm, to->design, &(fp_sketches){.count = count, .stride = bytes, .data = data}, made,
                          &alone, error);
}

static void write_key(const printing *to, fp_string id, size_t table, uint64_t key) {
    char digits[17];
    snprintf(digits, sizeof digits, "%016llx", (unsigned long long)key);
    fp_table_string(to->table, id);
    fp_table_count(to->table, table);
    fp_table_text(to->table, digits);
}

static void put_keys(const printing *to, size_t place, const uint64_t *keys) {
    char line[24];
    snprintf(line, sizeof line, "%zu", place + 1);
    fp_string id = to->corpus ? to->corpus->documents[place].id : fp_string_of(line);
    for (size_t t = 0; t < to->design->tables; t++) write_key(to, id, t, keys[t]);
}

/* ---- Fingerprints: a row for a document, a line for a line ---- */

/* An algorithm from outside writes what it likes: one line, one cell. */
static char *one_line(const char *text, fp_arena *arena) {
    char *copy = text ? fp_string_copy(arena, fp_string_of(text)) : NULL;
    for (char *at = copy; at && *at; at++)
        if ((unsigned char)*at < ' ') *at = ' ';
    return copy;
}

static void write_head(printing *to) {
    if (to->format == FP_FORMAT_TSV) printf("id\tfingerprint\n");
    to->headed = true;
}

static void write_line(const printing *to, size_t number, const char *text) {
    if (to->format == FP_FORMAT_TSV) {
        printf("%zu\t%s\n", number, text);
        return;
    }
    fp_json_writer json = fp_json_to(stdout, 0);
    printf("{\"line\": %zu, \"fingerprint\": ", number);
    fp_json_put_text(&json, NULL, text);
    printf("}\n");
}

static void put_fingerprint(const printing *to, size_t place, fp_sketch sketch) {
    fp_arena_reset(to->scratch);
    const char *text = fp_arm_text(to->arm, sketch, to->scratch);
    if (to->corpus) {
        fp_table_string(to->table, to->corpus->documents[place].id);
        fp_table_text(to->table, text);
    } else write_line(to, place + 1, one_line(text, to->scratch));
}

/* `first` is the place of the first text. Lines are written batch by batch: the next may take long. */
static fp_status take(void *context, size_t arm, size_t first, size_t count, const fp_sketch *sketches,
                      fp_error *error) {
    printing *to = context;
    const uint64_t *keys = NULL;
    (void)arm;
    if (to->design) FP_TRY(make_keys(to, count, sketches, &keys, error));
    if (!to->headed) write_head(to);
    for (size_t i = 0; i < count; i++) {
        if (!to->design) put_fingerprint(to, first + i, sketches[i]);
        else if (!sketches[i].empty) put_keys(to, first + i, keys + i * to->design->tables);
        to->empty_count += sketches[i].empty;
    }
    to->count += count;
    to->full = !to->corpus && fp_cli_flush() != FP_EXIT_SUCCESS;
    return to->full ? fp_fail(error, FP_ERROR_IO, "standard output is closed or full") : FP_OK;
}

/* One text after the other through the arm. An arm that learns sees all of them before the first fingerprint. */
static fp_status print_texts(printing *to, const fp_text_source *source, const fp_progress *progress, fp_arena *arena) {
    fp_pipeline_arm one = {.arm = to->arm};
    fp_pipeline pipeline = {.source = source,
                            .arms = &one,
                            .count = 1,
                            .learns = !to->learned,
                            .kept = to->corpus ? FP_KEPT_TEXTS : 0,
                            .untimed = true,
                            .take = take,
                            .context = to,
                            .progress = progress,
                            .arena = arena};
    to->scratch = fp_cli_arena();
    return fp_pipeline_run(&pipeline, &to->error);
}

/* ---- A corpus ---- */

static int print_corpus(const char *path, fp_arm *arm, bool learned, const fp_key_design *design,
                        fp_table_format format, fp_arena *arena) {
    fp_corpus corpus;
    FP_CLI_TRY(fp_cli_corpus(path, false, arena, &corpus));
    printing to = {
        .arm = arm, .learned = learned, .format = format, .corpus = &corpus, .headed = true, .design = design};
    fp_progress progress = fp_cli_progress();
    fp_text_source source;
    fp_arena *row = fp_cli_arena();
    to.table = fp_table_new(design ? "id|>table|key" : "id|fingerprint", arena);
    fp_status status = fp_corpus_source(&corpus, arena, &source, &to.error);
    if (status == FP_OK) {
        fp_table_stream(to.table, format, stdout, row);
        status = print_texts(&to, &source, isatty(STDOUT_FILENO) ? NULL : &progress, arena);
        fp_text_source_close(&source);
    }
    fp_cli_progress_end();
    if (status == FP_OK) fp_cli_caution(arm, corpus.name, to.empty_count, to.count);
    int result = status == FP_OK ? fp_cli_write(to.table, format) : fp_cli_fail(&to.error);
    fp_arena_free(row);
    fp_arena_free(to.scratch);
    return result;
}

/* ---- Lines of a file, as texts ---- */

typedef struct lines {
    fp_line_blocks *blocks; /* NULL: the lines are in memory */
    const char *name;       /* in messages */
    size_t longest;         /* bytes of a line */
    size_t next;            /* place of the first line of the next batch */
    fp_string *texts;       /* [room] of the batch, or all that are in memory */
    size_t room;
    fp_error failure;      /* of the line behind the batch; code FP_OK: none */
    fp_string_source kept; /* those in memory */
    fp_arena *arena;
} lines;

/* The end of the valid UTF-8 at the beginning of lines that follow each other in memory. */
static const char *valid_end(const fp_line *read, size_t count) {
    const fp_line *last = read + count - 1;
    fp_string all = {read->text.data, (size_t)(last->text.data - read->text.data) + last->text.length};
    return all.data + fp_utf8_check(all);
}

static fp_status check_line(const lines *in, const fp_line *line, const char *valid, fp_error *error) {
    if (line->text.length > in->longest) return fp_line_too_long(in->blocks, line->row, error);
    if (line->text.data + line->text.length <= valid) return FP_OK;
    size_t byte = line->byte + (size_t)(valid - line->text.data);
    const char *mark = byte == 0 ? fp_byte_order_mark(line->text) : NULL;
    if (mark)
        fp_fail(error, FP_ERROR_ENCODING, "invalid UTF-8: the byte-order mark is that of %s; add --encoding", mark);
    else fp_fail(error, FP_ERROR_ENCODING, "invalid UTF-8");
    return fp_at(error, FP_ERROR_ENCODING, in->name, line->row, byte);
}

/* Reports a bad line after all lines before it have been returned. */
static fp_status next_lines(void *context, fp_text_batch *batch, fp_error *error) {
    lines *in = context;
    const fp_line *read;
    size_t count = 0, good = 0;
    fp_status status = in->failure.code == FP_OK ? fp_line_blocks_next(in->blocks, &read, &count, error) : FP_OK;
    if (status != FP_OK)
        return status == FP_ERROR_MEMORY ? status : fp_at(error, status, in->name, in->next + 1, SIZE_MAX);
    if (count > in->room) in->texts = fp_arena_grow(in->arena, in->texts, (in->room = 2 * count) * sizeof *in->texts);
    const char *valid = count ? valid_end(read, count) : NULL;
    for (; good < count && check_line(in, read + good, valid, &in->failure) == FP_OK; good++)
        in->texts[good] = read[good].text;
    if (!good && in->failure.code != FP_OK) return *error = in->failure, in->failure.code;
    *batch = (fp_text_batch){.first = in->next, .count = good, .text = in->texts};
    in->next += good;
    return FP_OK;
}

static fp_status first_line(void *context, fp_error *error) {
    lines *in = context;
    in->next = 0;
    in->failure.code = FP_OK;
    return fp_line_blocks_rewind(in->blocks, error);
}

static void keep_line(lines *in, fp_string line) {
    (void)FP_ROOM(in->arena, in->texts, in->kept.count, in->room, NULL);
    in->texts[in->kept.count++] = line;
}

/* Keeps the lines of an input that can be read only once. */
static fp_status keep_lines(lines *in, fp_error *error) {
    fp_text_batch batch = {.count = 1};
    lines from = *in;
    size_t bytes = 0;
    while (batch.count) {
        FP_TRY(next_lines(&from, &batch, error));
        for (size_t i = 0; i < batch.count; i++) bytes += batch.text[i].length + 1;
        if (bytes > in->longest)
            return fp_fail(error, FP_ERROR_RANGE,
                           "%s holds more than %zu bytes, which an arm that learns must keep: read a file, or "
                           "raise the limit by --max-size",
                           in->name, in->longest);
        for (size_t i = 0; i < batch.count; i++)
            keep_line(in, (fp_string){fp_string_copy(in->arena, batch.text[i]), batch.text[i].length});
    }
    return FP_OK;
}

/* Lines come straight from the file, unless its bytes must be changed first, or an arm that learns must read a pipe
 * twice: then the text is kept in memory, but nothing made from it. Returns the exit status. */
static int open_lines(const fp_cli_input *input, const char *argument, printing *to, lines *in,
                      fp_text_source *source) {
    bool utf8 = !input->encoding || strcasecmp(input->encoding, "utf-8") == 0;
    const fp_line_options how = {.most = in->longest, .bounds_lines = true, .empty = true};
    if (!utf8 || input->literal || (input->invalid && strcmp(input->invalid, "fail") != 0)) {
        fp_string content, line;
        FP_CLI_TRY(fp_cli_text(input, argument, in->arena, &content));
        while (fp_next_line(&content, &line)) keep_line(in, line);
    } else {
        if (strcmp(argument, "-") == 0) fp_cli_await("texts, one a line,");
        if (fp_line_blocks_open(argument, &how, in->arena, &in->blocks, &to->error) != FP_OK)
            return fp_cli_fail(&to->error);
        bool again = fp_line_blocks_can_rewind(in->blocks);
        *source = (fp_text_source){in, SIZE_MAX, in->name, again, next_lines, again ? first_line : NULL, NULL};
        if (to->learned || !fp_arm_learns(to->arm) || again) return FP_EXIT_SUCCESS;
        if (keep_lines(in, &to->error) != FP_OK) {
            if (!to->headed) write_head(to);
            return fp_cli_fail(&to->error);
        }
    }
    in->kept.texts = in->texts;
    *source = fp_source_of_strings(&in->kept);
    source->name = in->name;
    return FP_EXIT_SUCCESS;
}

static int print_lines(const fp_cli_input *input, const char *argument, fp_arm *arm, bool learned,
                       const fp_key_design *design, fp_table_format format, fp_arena *arena) {
    printing to = {.arm = arm, .learned = learned, .format = format, .design = design, .headed = design};
    lines in = {.name = fp_path_shown(argument), .longest = fp_cli_most_bytes(), .arena = arena};
    fp_text_source source;
    fp_arena *row = fp_cli_arena();
    if (design) fp_table_stream(to.table = fp_table_new(">id|>table|key", arena), format, stdout, row);
    int status = open_lines(input, argument, &to, &in, &source);
    if (status == FP_EXIT_SUCCESS) {
        fp_status done = print_texts(&to, &source, NULL, arena);
        if (!to.headed) write_head(&to);
        if (design && done == FP_OK && fp_cli_write(to.table, format) != FP_EXIT_SUCCESS) to.full = true;
        if (done == FP_OK && to.count) fp_cli_caution(arm, NULL, to.empty_count, to.count);
        else if (done == FP_OK) fp_cli_note("There are no texts.\n");
        status = to.full ? FP_EXIT_FAILURE : done != FP_OK ? fp_cli_fail(&to.error) : FP_EXIT_SUCCESS;
    }
    fp_line_blocks_close(in.blocks);
    fp_arena_free(to.scratch);
    fp_arena_free(row);
    return status;
}

/* ---- Command ---- */

typedef struct fingerprint_options {
    const char *corpus, *arm, *choice, *model, *save, *keys;
    fp_table_format format;
    fp_cli_input input;
} fingerprint_options;

/* What does not go together is refused. Returns the exit status. */
static int check_options(const fp_command *command, const fingerprint_options *chosen, const char **arguments,
                         fp_arena *arena) {
    const fp_cli_input *input = &chosen->input;
    if (arguments[0] && arguments[1]) return fp_cli_usage(command, "one file at a time");
    if (arguments[0] && chosen->corpus) return fp_cli_usage(command, "either a file or --corpus, not both");
    if (chosen->corpus && (input->encoding || input->invalid || input->literal))
        return fp_cli_usage(command, "--text, --encoding and --invalid go with lines, not with --corpus");
    if (input->literal && !arguments[0]) return fp_cli_usage(command, "--text goes with a text");
    if (chosen->model && chosen->save) return fp_cli_usage(command, "either --model or --save-model, not both");
    fp_table_format format = chosen->format;
    if (!chosen->corpus && format != FP_FORMAT_TSV && format != FP_FORMAT_JSON && format != FP_FORMAT_JSONL)
        return fp_cli_usage(command, "--format %s goes with --corpus; lines are printed as tsv, json or jsonl",
                            fp_table_writers[format].name);
    return fp_cli_input_check(command, input, arena);
}

/* The arm; without --arm and --choice that of the model, where there is one. Returns the exit status. */
static int open_arm(const fp_command *command, const fingerprint_options *chosen, fp_arena *arena, fp_arm **arm) {
    const char *fallback = "simhash", *spec;
    fp_error error = {0};
    if (chosen->model && !chosen->arm && !chosen->choice &&
        fp_model_spec(chosen->model, arena, &fallback, &error) != FP_OK)
        return fp_cli_fail(&error);
    FP_CLI_TRY(fp_cli_spec(command, chosen->arm, chosen->choice, fallback, arena, &spec));
    FP_CLI_TRY(fp_cli_arm(spec, arena, arm, NULL));
    if (chosen->save && !fp_arm_learns(*arm))
        return fp_cli_usage(command, "--save-model goes with an arm that learns, as with weight=tfidf");
    return !chosen->model || fp_arm_load(*arm, chosen->model, &error) == FP_OK ? FP_EXIT_SUCCESS : fp_cli_fail(&error);
}

/* --keys: a design, or a distance that one is chosen for. Returns the exit status. */
static int read_keys(const fp_command *command, const fingerprint_options *chosen, const fp_arm *arm,
                     fp_key_design *design) {
    enum { MANY = 1000000 }; /* texts */
    double within;
    fp_error error = {0};
    if (!chosen->keys) return FP_EXIT_SUCCESS;
    bool distance = fp_parse_real(chosen->keys, &within);
    if (fp_key_design_make(arm, distance ? NULL : chosen->keys, distance ? within : 0, 0.99, MANY, design, &error) !=
        FP_OK)
        return fp_cli_usage(command, "--keys: %s", error.message);
    if (distance)
        fp_cli_note("fplab: --keys %s is %s: a pair right at that distance shares a key with probability %.4f\n",
                    chosen->keys, design->text, design->recall);
    return FP_EXIT_SUCCESS;
}

/* What was learned on the way. */
static int save_model(const fp_arm *arm, const char *path) {
    fp_error error = {0};
    return fp_arm_save(arm, path, &error) == FP_OK ? FP_EXIT_SUCCESS : fp_cli_fail(&error);
}

static int run(const fp_command *command, int argc, const char **argv) {
    fingerprint_options chosen = {.format = FP_FORMAT_TSV};
    fp_option options[] = {
        {"arm", 'a', FP_TAKES_TEXT(&chosen.arm), "algorithm:key=value,…, or @FILE (default: simhash)", "SPEC"},
        {"choice", 0, FP_TAKES_TEXT(&chosen.choice), "instead: the arm that `fplab tune --save` wrote", "FILE"},
        {"model", 0, FP_TAKES_TEXT(&chosen.model), "the model from --save-model; without --arm, also its arm", "FILE"},
        {"save-model", 0, FP_TAKES_TEXT(&chosen.save), "also write the learned model to a file", "FILE"},
        {"corpus", 'c', FP_TAKES_TEXT(&chosen.corpus), "fingerprint the documents of a corpus", "DIR"},
        {"keys", 0, FP_TAKES_TEXT(&chosen.keys),
         "instead of fingerprints, the keys of a design: blocks=4, bands=16,rows=8, or a distance to choose one for",
         "DESIGN"},
        FP_CLI_INPUT_OPTIONS(chosen.input),
        {"format", 'f', FP_TAKES_CHOICE(&chosen.format, FP_FORMAT_WORDS),
         "how to print: tsv (default), json or jsonl, both an object a line; with --corpus " FP_FORMAT_NAMES, "FORMAT"},
        FP_CLI_PLUGIN_OPTIONS,
        {0}};
    FP_CLI_BEGIN(command, argc, argv, options, arguments, arena);
    fp_arm *arm = NULL;
    fp_key_design design;
    const fp_key_design *keys = chosen.keys ? &design : NULL;
    FP_CLI_TRY(check_options(command, &chosen, arguments, arena));
    FP_CLI_TRY(open_arm(command, &chosen, arena, &arm));
    FP_CLI_TRY(read_keys(command, &chosen, arm, &design));
    int status = chosen.corpus ? print_corpus(chosen.corpus, arm, chosen.model, keys, chosen.format, arena)
                               : print_lines(&chosen.input, arguments[0] ? arguments[0] : "-", arm, chosen.model, keys,
                                             chosen.format, arena);
    if (status == FP_EXIT_SUCCESS && chosen.save) status = save_model(arm, chosen.save);
    return status;
}

const fp_command fp_command_fingerprint = {
    .name = "fingerprint",
    .arguments = "[OPTION…] [FILE]",
    .summary = "print fingerprints: one text a line in, one fingerprint a line out",
    .summary_zh = "计算指纹：每行一篇文本，每行输出一个指纹",
    .details = "A filter: every line of FILE, or of standard input, is a text. Prints its number and its\n"
               "fingerprint, tab-separated with a header, or as one JSON object a line. gzip and Zstandard are\n"
               "unpacked. Bit fingerprints are hexadecimal with the highest bit first; pinyin prints its twenty\n"
               "digits; others print their bytes in hexadecimal. Fingerprints are printed as soon as their lines are\n"
               "read, and memory does not grow with the input; --max-size limits the bytes of a line. An arm that\n"
               "learns (IDF weights) reads a file twice; it keeps the text of a pipe, or of a file in another\n"
               "encoding than UTF-8, in memory. --save-model writes what it learned; with --model nothing is read\n"
               "twice, and the model of another arm is refused. With --corpus the documents of a corpus are\n"
               "fingerprinted and named by id.\n"
               "\n"
               "--keys prints id, table and key (16 hexadecimal digits): texts that share the key of a table are\n"
               "candidates, for a join elsewhere (docs/distributed.md). Texts without features have no key.",
    .examples = "  echo 我是中国人 | fplab fingerprint\n"
                "  fplab fingerprint --arm pinyin:levels=10 titles.txt\n"
                "  fplab fingerprint --format json articles.txt.zst | head -n 3\n"
                "  fplab fingerprint --corpus corpora/data/newswire-zh --arm simhash:features=words,weight=tfidf\n"
                "  fplab fingerprint --corpus my-texts --arm minhash:slots=128 --keys bands=16,rows=8\n"
                "  fplab fingerprint --arm simhash:weight=tfidf --save-model news.model articles.txt\n"
                "  tail -f titles.txt | fplab fingerprint --model news.model",
    .run = run,
};
