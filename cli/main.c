/* SPDX-License-Identifier: GPL-3.0-or-later
 * fplab: finds the command and runs it. */
#include <errno.h>
#include <gsl/gsl_errno.h>
#include <langinfo.h>
#include <locale.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <wchar.h>

#include "base/cpu.h"
#include "base/output.h"
#include "cli/cli.h"
#include "cli/read_entries.h"
#include "reports/runs/build.h"

#define GROUP(title)
#define COMMAND(name) extern const fp_command fp_command_##name;
#include "cli/commands.def"
#undef COMMAND

const fp_command *const fp_commands[] = {
#define COMMAND(name) &fp_command_##name,
#include "cli/commands.def"
#undef COMMAND
    NULL,
};
#undef GROUP

/* As `fplab --help` shows them: titles, and commands below each. */
static const struct overview_row {
    const char *title;
    const fp_command *command;
} OVERVIEW[] = {
#define GROUP(title) {title, NULL},
#define COMMAND(name) {NULL, &fp_command_##name},
#include "cli/commands.def"
#undef COMMAND
#undef GROUP
};

static void print_overview(FILE *stream) {
    fprintf(stream, "fplab %s, %s\n\n%s fplab COMMAND [OPTION…]\n", FP_VERSION,
            fp_cli_translated("the laboratory for text fingerprints"), fp_cli_translated("Usage:"));
    for (size_t i = 0; i < sizeof OVERVIEW / sizeof *OVERVIEW; i++) {
        const struct overview_row *row = OVERVIEW + i;
        if (row->title) fprintf(stream, "\n%s\n", fp_cli_translated(row->title));
        else fprintf(stream, "  %-12s %s\n", row->command->name, fp_cli_summary(row->command));
    }
    fprintf(stream, "\n%s\n", fp_cli_translated("`fplab help COMMAND` explains a command and gives examples."));
}

static int unknown_command(const char *name) {
    const char *names[64] = {0};
    for (size_t i = 0; fp_commands[i]; i++) names[i] = fp_commands[i]->name;
    const char *nearest = fp_nearest(name, names);
    if (nearest) fprintf(stderr, "fplab: unknown command %s; did you mean %s?\n", name, nearest);
    else fprintf(stderr, "fplab: unknown command %s; `fplab --help` lists the commands\n", name);
    return FP_EXIT_USAGE;
}

/* What the program writes is UTF-8, and laid out as UTF-8, in every locale. Numbers always have a point. The C library
 * goes on without a locale, or without what reads its characters, when out of memory for it: tables would be laid
 * out as bytes. False then. */
static bool set_locale(void) {
    wchar_t character;
    errno = 0;
    const char *codeset = setlocale(LC_CTYPE, "") ? nl_langinfo(CODESET) : "";
    if (strcmp(codeset, "UTF-8") != 0) {
        if (*codeset && strcmp(codeset, "ANSI_X3.4-1968") != 0 && isatty(STDOUT_FILENO))
            fprintf(stderr, "fplab: the locale's characters are %s; what follows is UTF-8\n", codeset);
        bool absent = !setlocale(LC_CTYPE, "C.UTF-8") && errno != ENOMEM;
        if (absent) return true;
    }
    return mbrtowc(&character, "澜", 3, &(mbstate_t){0}) == 3;
}

/* The library treats an unknown name as not given. */
static bool knows_processor(void) {
    const char *name = getenv("FPLAB_CPU");
    if (!name || !*name || fp_cpu_known(name)) return true;
    fprintf(stderr, "fplab: FPLAB_CPU=%s is not a level of the processor; it takes", name);
    for (fp_cpu level = FP_CPU_PORTABLE; level < FP_CPU_NAMED; level++) {
        const char *before = level + 1 == FP_CPU_NAMED ? " or" : level ? "," : "";
        fprintf(stderr, "%s %s", before, fp_cpu_name(level));
    }
    fprintf(stderr, "\n");
    return false;
}

static const fp_command *command_named(const char *name) {
    for (size_t i = 0; fp_commands[i]; i++)
        if (strcmp(fp_commands[i]->name, name) == 0) return fp_commands[i];
    return NULL;
}

/* `fplab --man [COMMAND]`, or "COMMAND PART", writes a page of the manual, as `make man` does. */
static int write_manual(const char *name) {
    const fp_command *command = name ? fp_command_find(name) : NULL;
    if (name && !command) return unknown_command(name);
    return fp_cli_man(command);
}

/* `fplab help COMMAND`, `fplab help COMMAND PART`. */
static int explain_command(int count, const char **words) {
    char name[64];
    snprintf(name, sizeof name, "%s%s%s", words[0], count > 1 ? " " : "", count > 1 ? words[1] : "");
    const fp_command *command = fp_command_find(name);
    return command ? fp_cli_describe(command, fp_cli_print_help) : unknown_command(name);
}

static int run(int argc, const char **argv) {
    const char *name = argc > 1 ? argv[1] : NULL;
    if (!name) {
        print_overview(stderr);
        return FP_EXIT_USAGE;
    }
    bool help = strcmp(name, "help") == 0;
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0 || (help && argc < 3)) {
        print_overview(stdout);
        return FP_EXIT_SUCCESS;
    }
    if (help) return explain_command(argc - 2, argv + 2);
    if (strcmp(name, "--version") == 0 || strcmp(name, "-V") == 0) {
        printf("fplab %s (commit %s)\n", FP_VERSION, fp_build_commit);
        return FP_EXIT_SUCCESS;
    }
    if (strcmp(name, "--man") == 0) return write_manual(argv[2]);
    if (strcmp(name, "--completion") == 0) return fp_cli_completion(argv[2]);
    if (strcmp(name, "--complete") == 0) return fp_cli_complete((size_t)argc - 2, argv + 2);
    if (!knows_processor()) return FP_EXIT_USAGE;
    const fp_command *command = command_named(name);
    return command ? command->run(command, argc - 1, argv + 1) : unknown_command(name);
}

static void end(int number) {
    fp_temporaries_remove();
    signal(number, SIG_DFL);
    raise(number);
}

/* Not what the caller has had ignored (nohup, a job in the background). A file that grows over its limit is a write
 * that fails. */
static void catch_signals(void) {
    static const int ENDING[] = {SIGHUP, SIGINT, SIGQUIT, SIGPIPE, SIGTERM};
    for (size_t i = 0; i < sizeof ENDING / sizeof *ENDING; i++)
        if (signal(ENDING[i], end) == SIG_IGN) signal(ENDING[i], SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
}

int main(int argc, char **argv) {
    catch_signals();
    gsl_set_error_handler_off(); /* a law that GSL cannot invert is NaN, shown as NA; its own handler aborts */
    if (!fp_cli_streams_open() || !set_locale()) return fp_cli_no_memory();
    const char **words = calloc((size_t)argc + 1, sizeof *words);
    if (!words) return fp_cli_no_memory();
    for (int i = 0; i < argc; i++) words[i] = argv[i];
    int status = fp_cli_finish(run(argc, words));
    fp_cli_tables_end();
    fp_cli_detail_end();
    free(words);
    return status;
}
