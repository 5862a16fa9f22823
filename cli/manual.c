/* SPDX-License-Identifier: GPL-3.0-or-later
 * Pages for man(1), in the language of groff_man(7). */
#include "cli/cli.h"

#include <ctype.h>
#include <string.h>

/* ---- Text ---- */

/* What a sign is written as, so that it prints as it is and can be copied: a plain hyphen would be a typographic one.
 */
static const char *roff_of(char sign) {
    static const char SIGNS[] = "\\-'`^~";
    static const char *const WRITTEN[] = {"\\e", "\\-", "\\(aq", "\\(ga", "\\(ha", "\\(ti"};
    const char *found = sign ? strchr(SIGNS, sign) : NULL;
    return found ? WRITTEN[found - SIGNS] : NULL;
}

static void put(const char *text, size_t length) {
    for (size_t i = 0; i < length; i++) {
        const char *written = roff_of(text[i]);
        if (written) printf("%s", written);
        else putchar(text[i]);
    }
}

/* A line, which is no request although it begins with a point; an apostrophe is never written as it is. */
static void put_line(const char *text, size_t length) {
    if (length && *text == '.') printf("\\&");
    put(text, length);
    putchar('\n');
}

/* Lines without reformatting. */
static void put_lines(const char *text) {
    for (; *text; text += *text == '\n') {
        size_t length = strcspn(text, "\n");
        put_line(text, length);
        text += length;
    }
}

/* Paragraphs; indented lines are not reformatted. */
static void put_prose(const char *text) {
    bool as_is = false, begins = false;
    while (*text) {
        size_t length = strcspn(text, "\n");
        bool set_in = *text == ' ';
        if (set_in != as_is) printf(set_in ? ".PP\n.nf\n" : ".fi\n");
        else if (begins && length) printf(".PP\n");
        if (set_in != as_is && !set_in && length) printf(".PP\n");
        as_is = set_in;
        begins = length == 0;
        if (length) put_line(text, length);
        text += length + (text[length] == '\n');
    }
    if (as_is) printf(".fi\n");
}

/* ---- Parts ---- */

/* The name as a page: FPLAB-EVAL. */
static void put_title(const char *name) {
    printf(".TH FPLAB");
    if (name) printf("\\-");
    for (; name && *name; name++)
        if (*name == ' ') printf("\\-");
        else putchar(toupper((unsigned char)*name));
    printf(" 1 \"\" \"fplab %s\" \"fplab\"\n.nh\n.ad l\n", FP_VERSION);
}

static void put_options(const fp_option *rows) {
    fp_option_walk walk = {.at = {rows}, .depth = 1};
    for (const fp_option *row; (row = fp_option_next(&walk));) {
        printf(".TP\n");
        if (row->letter) printf("\\fB\\-%c\\fR, ", row->letter);
        printf("\\fB\\-\\-");
        put(row->name, strlen(row->name));
        printf("\\fR");
        if (row->argument) {
            printf("=\\fI");
            put(row->argument, strlen(row->argument));
            printf("\\fR");
        }
        putchar('\n');
        put_line(row->help, strlen(row->help));
    }
}

/* The name of its page: fplab-corpus-check. */
static void put_page(const fp_command *command) {
    printf("fplab\\-");
    for (const char *at = command->name; *at; at++)
        if (*at == ' ') printf("\\-");
        else putchar(*at);
}

/* All entries of a list except this one; *count have been written before. */
static void refer_to(const fp_command *const *pages, const fp_command *but, size_t *count) {
    for (; pages && *pages; pages++) {
        if (*pages == but) continue;
        printf("%s.BR ", (*count)++ ? ",\n" : "");
        put_page(*pages);
        printf(" (1)");
    }
}

static void put_end(const fp_command *command) {
    size_t count = command != NULL;
    printf(".SH EXIT STATUS\n0 on success, 1 on failure, 2 for a mistake in the command line.\n.SH SEE ALSO\n");
    if (command) printf(".BR fplab (1)");
    if (command) refer_to(command->parts, NULL, &count);
    refer_to(fp_commands, command, &count);
    putchar('\n');
}

static void put_parts(const fp_command *command) {
    printf(".SH PARTS\n");
    for (size_t i = 0; command->parts[i]; i++) {
        printf(".TP\n.B %s\n", fp_command_word(command->parts[i]));
        put_line(command->parts[i]->summary, strlen(command->parts[i]->summary));
    }
    printf(".PP\n\\fBfplab %s\\fR \\fIPART\\fR \\fB\\-\\-help\\fR explains a part and gives examples.\n",
           command->name);
}

static void write_page(const fp_command *command, const fp_option *own, const fp_option *common) {
    put_title(command->name);
    printf(".SH NAME\n");
    put_page(command);
    printf(" \\- ");
    put(command->summary, strlen(command->summary));
    printf("\n.SH SYNOPSIS\n.B fplab %s\n", command->name);
    put_line(command->arguments, strlen(command->arguments));
    printf(".SH DESCRIPTION\n");
    put_prose(command->details);
    if (command->parts) put_parts(command);
    if (own->kind != FP_OPTION_END) printf(".SH OPTIONS\n");
    put_options(own);
    printf(".SH OPTIONS OF EVERY COMMAND\n");
    put_options(common);
    if (*command->examples) printf(".SH EXAMPLES\n.nf\n");
    put_lines(command->examples);
    if (*command->examples) printf(".fi\n");
    put_end(command);
}

/* ---- The program ---- */

static void write_overview(void) {
    put_title(NULL);
    printf(".SH NAME\nfplab \\- the laboratory for text fingerprints\n.SH SYNOPSIS\n.B fplab\n"
           ".I COMMAND\n[OPTION…]\n.SH COMMANDS\n");
    for (size_t i = 0; fp_commands[i]; i++) {
        printf(".TP\n.B %s\n", fp_commands[i]->name);
        put_line(fp_commands[i]->summary, strlen(fp_commands[i]->summary));
    }
    printf(".PP\n\\fBfplab\\fR \\fICOMMAND\\fR \\fB\\-\\-help\\fR and the page of each command explain it and give "
           "examples.\n");
    put_end(NULL);
}

int fp_cli_man(const fp_command *command) {
    if (command) return fp_cli_describe(command, write_page);
    write_overview();
    return FP_EXIT_SUCCESS;
}
