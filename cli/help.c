/* SPDX-License-Identifier: GPL-3.0-or-later
 * fplab COMMAND --help. */
#include <string.h>

#include "cli/cli.h"
#include "cli/terminal/pager.h"
#include "text/unicode/utf8.h"

enum { USUAL = 80, WIDEST = 100, NARROWEST = 20, LABEL = 100, GAP = 2 }; /* columns */

/* "  -c, --corpus=DIR" */
static void write_label(const fp_option *row, char label[LABEL]) {
    char letter[] = "    ";
    if (row->letter) memcpy(letter, (char[]){'-', row->letter, ','}, 3);
    snprintf(label, LABEL, "  %s--%s%s%s", letter, row->name, row->argument ? "=" : "",
             row->argument ? row->argument : "");
}

static size_t label_width(const fp_option *rows) {
    size_t widest = 0;
    for (const fp_option *row = rows; row->kind != FP_OPTION_END; row++) {
        char label[LABEL];
        if (row->kind != FP_OPTION_ROWS) write_label(row, label);
        size_t width = row->kind == FP_OPTION_ROWS ? label_width(row->place.rows) : fp_utf8_count(fp_string_of(label));
        if (width > widest) widest = width;
    }
    return widest;
}

/* From column `indent` on, words as far as they go. */
static void print_folded(const char *text, size_t indent, size_t width) {
    size_t column = indent;
    while (*text) {
        size_t bytes = strcspn(text, " "), cells = fp_utf8_count((fp_string){text, bytes});
        if (column > indent && column + 1 + cells > width) {
            printf("\n%*s", (int)indent, "");
            column = indent;
        }
        bool first = column == indent;
        printf("%s%.*s", first ? "" : " ", (int)bytes, text);
        column += cells + !first;
        text += bytes + strspn(text + bytes, " ");
    }
    putchar('\n');
}

static void print_rows(const fp_option *rows, size_t indent, size_t width) {
    for (const fp_option *row = rows; row->kind != FP_OPTION_END; row++) {
        char label[LABEL];
        if (row->kind == FP_OPTION_ROWS) {
            print_rows(row->place.rows, indent, width);
            continue;
        }
        write_label(row, label);
        printf("%s%*s", label, (int)(indent - fp_utf8_count(fp_string_of(label))), "");
        print_folded(row->help, indent, width);
    }
}

static void print_parts(const fp_command *command) {
    printf("\nParts:\n");
    for (size_t i = 0; command->parts[i]; i++)
        printf("  %-12s %s\n", fp_command_word(command->parts[i]), command->parts[i]->summary);
    printf("\n`fplab %s PART --help` explains a part and gives examples.\n", command->name);
}

void fp_cli_print_help(const fp_command *command, const fp_option *own, const fp_option *common) {
    size_t here = label_width(own), there = label_width(common), indent = (here > there ? here : there) + GAP;
    size_t width = fp_cli_width();
    if (width == SIZE_MAX) width = USUAL;
    if (width > WIDEST) width = WIDEST;
    if (width < indent + NARROWEST) width = indent + NARROWEST;
    printf("fplab %s: %s\n\n%s\n\nUsage: fplab %s %s\n", command->name, command->summary, command->details,
           command->name, command->arguments);
    if (command->parts) print_parts(command);
    else printf("\nOptions:\n");
    print_rows(own, indent, width);
    printf("\nOptions of every command:\n");
    print_rows(common, indent, width);
    if (*command->examples) printf("\nExamples:\n%s\n", command->examples);
}
