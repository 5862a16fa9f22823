/* SPDX-License-Identifier: GPL-3.0-or-later
 * The walk through a sheet: a pair, a key, the next pair. */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "base/map.h"
#include "cli/read_entries.h"
#include "cli/commands/judge.h"
#include "cli/text_pair.h"

typedef struct walk {
    fp_judged_sheet *sheet;
    const char *name; /* of the sheet, as the user gave it */
    const fp_judge_options *options;
    const fp_corpus *corpus; /* NULL: the texts are those of the sheet */
    fp_string *texts;        /* [2·pair_count] of the corpus: first those of the first documents */
    bool keys;               /* standard input is a terminal: single keys */
    bool screen;             /* and standard output too: each pair on a clean screen */
    bool colours;
    bool whole;       /* show the texts of this pair whole */
    size_t at;        /* the pair that is shown */
    const char *note; /* shown under the pair; NULL: nothing */
    size_t line;      /* of standard input, when it is not a terminal */
    fp_arena *scratch;
    fp_error *error;
} walk;

/* ---- Keys ---- */

typedef enum action { DUPLICATE, NOT, UNSURE, BACK, SKIP, WHOLE, HELP, QUIT, UNKNOWN } action;

static const struct {
    char key;
    const char *word;
} ACTIONS[UNKNOWN] = {{'d', "duplicate"}, {'n', "not"},   {'u', "unsure"}, {'b', "back"},
                      {'s', "skip"},      {'w', "whole"}, {'?', "help"},   {'q', "quit"}};

static volatile sig_atomic_t stopped;

static void stop(int signal_number) {
    (void)signal_number;
    stopped = 1;
}

/* Signals end the wait for a key, so that the terminal is given back as it was. */
static void catch_signals(void) {
    static const int SIGNALS[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction handler = {.sa_handler = stop};
    sigemptyset(&handler.sa_mask);
    for (size_t i = 0; i < sizeof SIGNALS / sizeof *SIGNALS; i++) sigaction(SIGNALS[i], &handler, NULL);
}

/* Single keys without echo; Ctrl-Z is disabled, because it would leave the terminal in this state. */
static bool take_terminal(struct termios *before) {
    if (tcgetattr(STDIN_FILENO, before) != 0) return false;
    struct termios raw = *before;
    raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
    raw.c_cc[VMIN] = 1;
    raw.c_cc[VTIME] = 0;
    raw.c_cc[VSUSP] = _POSIX_VDISABLE;
    return tcsetattr(STDIN_FILENO, TCSADRAIN, &raw) == 0;
}

/* An arrow or a multi-byte character arrives as several keys: all of them are ignored. */
static bool drop_rest(void) {
    struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
    bool any = false;
    char byte;
    while (poll(&input, 1, 10) > 0 && read(STDIN_FILENO, &byte, 1) == 1) any = true;
    return any;
}

static action read_key(void) {
    unsigned char key;
    if (stopped || read(STDIN_FILENO, &key, 1) != 1 || key == 4) return QUIT;
    if (key == 27 || key >= 0x80) {
        drop_rest();
        return UNKNOWN;
    }
    for (size_t i = 0; i < UNKNOWN; i++)
        if (ACTIONS[i].key == (key >= 'A' && key <= 'Z' ? key + 32 : key)) return (action)i;
    return UNKNOWN;
}

/* One answer a line: the key or the word; the end of the input is quit. Anything else is an error: the answers that
 * follow would be given to the wrong pairs. */
static fp_status read_answer(walk *on, action *answer) {
    char line[256];
    *answer = QUIT;
    if (stopped || !fgets(line, sizeof line, stdin)) return FP_OK;
    on->line++;
    char *begin = line + strspn(line, " \t");
    begin[strcspn(begin, " \t\r\n")] = '\0';
    for (*answer = 0; *answer < UNKNOWN; ++*answer) {
        const char key[2] = {ACTIONS[*answer].key, '\0'};
        if (strcasecmp(begin, key) == 0 || strcasecmp(begin, ACTIONS[*answer].word) == 0) return FP_OK;
    }
    fp_fail(on->error, FP_ERROR_SYNTAX, "\"%s\" is not an answer; pair %zu is still to be judged", begin, on->at + 1);
    return fp_at(on->error, FP_ERROR_SYNTAX, "standard input", on->line, SIZE_MAX);
}

/* ---- What is shown ---- */

static const char HELP_TEXT[] = "d  duplicate: of the two you would keep one\n"
                                "n  not a duplicate\n"
                                "u  unsure: you cannot decide\n"
                                "b  back to the pair before, to look again or to answer anew\n"
                                "s  skip: leave this pair as it is\n"
                                "w  show the whole texts\n"
                                "q  quit: every answer is saved, and the next walk goes on from here\n\n";

static size_t judged(const fp_judged_sheet *sheet) {
    size_t count = 0;
    for (size_t i = 0; i < sheet->pair_count; i++) count += sheet->pairs[i].judgement != FP_JUDGED_OPEN;
    return count;
}

/* On a screen each text gets half of what is left beside the other lines. */
static fp_cli_pair_view make_view(const walk *on) {
    enum { OTHER_ROWS = 10, LEAST_ROWS = 4, LONG = 400 };
    fp_cli_pair_view view = {.colours = on->colours,
                             .whole = LONG,
                             .context = (size_t)on->options->context,
                             .columns = SIZE_MAX,
                             .rows = SIZE_MAX,
                             .more = "w shows the whole texts"};
    struct winsize size = {0};
    if (on->screen && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1 && size.ws_row > 1) {
        view.columns = size.ws_col;
        view.rows = size.ws_row > OTHER_ROWS + 2 * LEAST_ROWS ? (size_t)(size.ws_row - OTHER_ROWS) / 2 : LEAST_ROWS;
    }
    if (on->whole) view.rows = SIZE_MAX;
    if (on->whole || view.context == 0) view.whole = SIZE_MAX;
    return view;
}

static fp_status show_pair(const walk *on) {
    const fp_judged_pair *pair = on->sheet->pairs + on->at;
    fp_string a = on->corpus ? on->texts[on->at] : pair->text_a;
    fp_string b = on->corpus ? on->texts[on->sheet->pair_count + on->at] : pair->text_b;
    if (on->screen) fputs("\033[H\033[2J\033[3J", stdout);
    printf("Pair %zu of %zu, %zu judged\n\n", on->at + 1, on->sheet->pair_count, judged(on->sheet));
    fp_cli_pair_view view = make_view(on);
    fp_arena_reset(on->scratch);
    FP_TRY(fp_cli_pair_write(stdout, &view, a, b, on->scratch, on->error));
    if (pair->judgement != FP_JUDGED_OPEN) printf("Judged before: %s.\n", fp_judgement_name(pair->judgement));
    return FP_OK;
}

/* Without a screen a note is printed without the pair, which is already above. */
static fp_status ask(const walk *on) {
    if (on->screen || !on->note) FP_TRY(show_pair(on));
    if (on->note) fputs(on->note, stdout);
    printf("d duplicate   n not   u unsure   b back   s skip   w whole   q quit   ? help%s", on->keys ? "\n" : "\n> ");
    fflush(stdout);
    return FP_OK;
}

/* ---- Moving ---- */

/* The first unjudged pair from `from` on; pair_count when all are judged. */
static size_t next_open(const fp_judged_sheet *sheet, size_t from) {
    while (from < sheet->pair_count && sheet->pairs[from].judgement != FP_JUDGED_OPEN) from++;
    return from;
}

static fp_status answer(walk *on, fp_judgement judgement) {
    on->sheet->pairs[on->at].judgement = judgement;
    FP_TRY(fp_judged_save(on->sheet, on->error));
    on->at = next_open(on->sheet, on->at + 1);
    return FP_OK;
}

/* Handles one key; *done when the walk is finished. */
static fp_status step(walk *on, bool *done) {
    FP_TRY(ask(on));
    action chosen;
    if (on->keys) chosen = read_key();
    else FP_TRY(read_answer(on, &chosen));
    if (!on->keys) printf("\n");
    on->note = NULL;
    on->whole = chosen == WHOLE;
    switch (chosen) {
    case DUPLICATE:
    case NOT:
    case UNSURE: FP_TRY(answer(on, (fp_judgement)chosen)); break;
    case BACK:
        if (on->at > 0) on->at--;
        else on->note = "This is the first pair.\n";
        break;
    case SKIP: on->at = next_open(on->sheet, on->at + 1); break;
    case WHOLE: break;
    case HELP: on->note = HELP_TEXT; break;
    case QUIT: *done = true; break;
    case UNKNOWN: on->note = "No such key.\n"; break;
    }
    *done |= on->at == on->sheet->pair_count;
    return FP_OK;
}

static fp_status walk_through(walk *on) {
    bool done = on->at == on->sheet->pair_count;
    while (!done) FP_TRY(step(on, &done));
    return FP_OK;
}

static void print_end(const walk *on) {
    size_t count = judged(on->sheet), all = on->sheet->pair_count;
    if (count < all) fp_cli_print("%zu of %zu pairs are judged, and saved in %s.\n", count, all, on->name);
    else
        fp_cli_print(
            "All %zu pairs are judged. `fplab judge estimate %s` makes the estimates; --from N walks again from pair N.\n",
            all, on->name);
}

/* ---- Beginning ---- */

static fp_status find_documents(walk *on, fp_arena *arena) {
    const fp_corpus *corpus = on->corpus;
    const fp_judged_sheet *sheet = on->sheet;
    fp_map ids;
    FP_TRY(fp_map_open(&ids, corpus->document_count, arena, on->error));
    for (size_t i = 0; i < corpus->document_count; i++)
        fp_map_put(&ids, fp_xxh3(corpus->documents[i].id.data, corpus->documents[i].id.length, 0), (uint32_t)i);
    uint32_t *found = fp_arena_raw(arena, sheet->pair_count, 2 * sizeof *found);
    for (size_t i = 0; i < 2 * sheet->pair_count; i++) {
        const fp_judged_pair *pair = sheet->pairs + i % sheet->pair_count;
        fp_string id = i < sheet->pair_count ? pair->id_a : pair->id_b;
        found[i] = fp_map_get(&ids, fp_xxh3(id.data, id.length, 0));
        if (found[i] != FP_MAP_NONE) continue;
        fp_fail(on->error, FP_ERROR_UNKNOWN, "pair %zu names %.*s, which is not in %s", i % sheet->pair_count + 1,
                (int)id.length, id.data, corpus->path);
        return fp_at(on->error, FP_ERROR_UNKNOWN, sheet->path, SIZE_MAX, SIZE_MAX);
    }
    on->texts = fp_arena_raw(arena, sheet->pair_count, 2 * sizeof *on->texts);
    return fp_corpus_fetch(corpus, found, 2 * sheet->pair_count, arena, on->texts, on->error);
}

static fp_status prepare(walk *on, fp_arena *arena) {
    on->scratch = fp_cli_arena();
    if (on->corpus) {
        FP_TRY(fp_judged_belongs(on->sheet, on->corpus, on->error));
        FP_TRY(find_documents(on, arena));
    }
    const char *term = getenv("TERM");
    bool able = isatty(STDOUT_FILENO) && term && strcmp(term, "dumb") != 0;
    on->keys = isatty(STDIN_FILENO);
    on->screen = on->keys && able;
    on->colours = fp_cli_colours();
    on->at = on->options->from ? (size_t)on->options->from - 1 : next_open(on->sheet, 0);
    return FP_OK;
}

static int run_walk(walk *on, fp_arena *arena) {
    struct termios before;
    fp_status status = prepare(on, arena);
    if (status == FP_OK) {
        bool taken = on->keys && take_terminal(&before);
        if (taken) catch_signals();
        status = walk_through(on);
        if (taken) tcsetattr(STDIN_FILENO, TCSADRAIN, &before);
    }
    fp_arena_free(on->scratch);
    if (status != FP_OK) return fp_cli_fail(on->error);
    print_end(on);
    return FP_EXIT_SUCCESS;
}

/* A sheet that is read through a filter or a pipe cannot be put back. */
static bool can_be_saved(const char *path) {
    size_t length = strlen(path);
    return strcmp(path, "-") != 0 && !(length > 3 && strcmp(path + length - 3, ".gz") == 0) &&
           !(length > 4 && strcmp(path + length - 4, ".zst") == 0);
}

int fp_judge_walk(const fp_command *command, const fp_judge_options *options, const char *path, fp_arena *arena) {
    fp_error error = {0};
    fp_judged_sheet sheet;
    fp_corpus corpus;
    walk on = {.sheet = &sheet, .name = path, .options = options, .error = &error};
    if (!can_be_saved(path))
        return fp_cli_usage(command, "answers are saved into the sheet, which %s does not allow", path);
    if (options->context < 0) return fp_cli_usage(command, "--context takes a number of characters");
    if (options->from < 0) return fp_cli_usage(command, "--from takes the number of a pair, from 1 on");
    if (fp_judged_read(path, arena, &sheet, &error) != FP_OK) return fp_cli_fail(&error);
    if ((size_t)options->from > sheet.pair_count)
        return fp_cli_usage(command, "--from takes the number of a pair, 1 to %zu", sheet.pair_count);
    if (!options->corpus && !sheet.texts)
        return fp_cli_usage(command, "the sheet has no texts; name the corpus with --corpus DIR");
    if (options->corpus) {
        FP_CLI_TRY(fp_cli_corpus(options->corpus, options->skip_bad, arena, &corpus));
        on.corpus = &corpus;
    }
    char *real = realpath(path, NULL); /* what a link points to is replaced, not the link */
    if (real) sheet.path = fp_string_copy(arena, fp_string_of(real));
    free(real);
    return run_walk(&on, arena);
}
