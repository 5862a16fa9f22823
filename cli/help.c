/* SPDX-License-Identifier: GPL-3.0-or-later
 * What --help and --help-all print, in English or Chinese. */
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/options.h"
#include "cli/terminal.h"
#include "reports/tables/table.h"
#include "text/unicode/utf8.h"

/* ---- Languages of the help ---- */

static bool is_chinese(void) {
    static const char *const NAMES[] = {"LC_ALL", "LC_MESSAGES", "LANG"};
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++) {
        const char *value = getenv(NAMES[i]);
        if (value && *value) return strncmp(value, "zh", 2) == 0;
    }
    return false;
}

static const struct translated_text {
    const char *en, *zh;
} TEXTS[] = {
#define TEXT_ZH(en, zh) {en, zh},
#include "cli/help_zh.def"
#undef TEXT_ZH
};

const char *fp_cli_translated(const char *text) {
    for (size_t i = 0; is_chinese() && i < sizeof TEXTS / sizeof *TEXTS; i++)
        if (strcmp(TEXTS[i].en, text) == 0) return TEXTS[i].zh;
    return text;
}

const char *fp_cli_summary(const fp_command *command) {
    return is_chinese() && command->summary_zh ? command->summary_zh : command->summary;
}

/* The first paragraph, of which *length bytes count. */
static const char *first_paragraph(const fp_command *command, int *length) {
    const char *text = is_chinese() && command->introduction_zh ? command->introduction_zh : command->details,
               *end = strstr(text, "\n\n");
    *length = end ? (int)(end - text) : (int)strlen(text);
    return text;
}

/* ---- fplab COMMAND --help ---- */

enum { USUAL = 80, WIDEST = 100, NARROWEST = 20, LABEL = 100, GAP = 2 }; /* columns */

/* "  -c, --corpus=DIR" */
static void write_label(const fp_option *row, char label[LABEL]) {
    char letter[] = "    ";
    if (row->letter) memcpy(letter, (char[]){'-', row->letter, ','}, 3);
    snprintf(label, LABEL, "  %s--%s%s%s", letter, row->name, row->argument ? "=" : "",
             row->argument ? row->argument : "");
}

static size_t label_width(const fp_option *rows, bool brief) {
    fp_option_walk walk = {.at = {rows}, .depth = 1, .brief = brief};
    size_t widest = 0;
    for (const fp_option *row; (row = fp_option_next(&walk));) {
        char label[LABEL];
        write_label(row, label);
        size_t width = fp_utf8_count(fp_string_of(label));
        if (width > widest) widest = width;
    }
    return widest;
}

/* Length in bytes of an unbreakable piece: a word up to a space or a wide character, or one wide character with the
 * punctuation after it. */
static size_t piece_of(const char *text) {
    static const char CLOSING[] = "，；：）。、";
    size_t length = 0;
    bool wide = false;
    while (text[length] && text[length] != ' ') {
        uint32_t code;
        size_t bytes = fp_utf8_decode(text + length, &code);
        char sign[8] = "";
        memcpy(sign, text + length, bytes);
        bool is_wide = fp_view_cells((fp_string){text + length, bytes}) > 1;
        if (length && !(is_wide && strstr(CLOSING, sign)) && (wide || is_wide)) break;
        wide = is_wide;
        length += bytes;
    }
    return length;
}

/* From column `indent` on, words as far as they go. */
static void print_folded(const char *text, size_t indent, size_t width) {
    size_t column = indent;
    bool space = false;
    while (*text) {
        size_t bytes = piece_of(text), cells = fp_view_cells((fp_string){text, bytes});
        if (column > indent && column + space + cells > width) {
            printf("\n%*s", (int)indent, "");
            column = indent;
        }
        bool blank = space && column > indent;
        printf("%s%.*s", blank ? " " : "", (int)bytes, text);
        column += cells + blank;
        text += bytes;
        space = *text == ' ';
        text += strspn(text, " ");
    }
    putchar('\n');
}

static void print_rows(const fp_option *rows, bool brief, size_t indent, size_t width) {
    fp_option_walk walk = {.at = {rows}, .depth = 1, .brief = brief};
    for (const fp_option *row; (row = fp_option_next(&walk));) {
        char label[LABEL];
        write_label(row, label);
        printf("%s%*s", label, (int)(indent - fp_utf8_count(fp_string_of(label))), "");
        print_folded(fp_cli_translated(row->help), indent, width);
    }
}

static void print_parts(const fp_command *command) {
    printf("\nParts:\n");
    for (size_t i = 0; command->parts[i]; i++)
        printf("  %-12s %s\n", fp_command_word(command->parts[i]), command->parts[i]->summary);
    printf("\n`fplab %s PART --help` explains a part and gives examples.\n", command->name);
}

/* The length of the first `most` lines that end with \n, or of all. */
static int lines_of(const char *text, int most) {
    const char *end = text;
    for (int i = 0; i < most && *end; i++) {
        end += strcspn(end, "\n");
        end += *end == '\n';
    }
    return (int)(end - text) - (end > text && end[-1] == '\n');
}

/* Without `common` the help is brief. */
static void widths_of(const fp_option *own, const fp_option *common, size_t *indent, size_t *width) {
    size_t here = label_width(own, !common), there = common ? label_width(common, false) : 0;
    *indent = (here > there ? here : there) + GAP;
    *width = fp_cli_width();
    if (*width == SIZE_MAX) *width = USUAL;
    if (*width > WIDEST) *width = WIDEST;
    if (*width < *indent + NARROWEST) *width = *indent + NARROWEST;
}

enum { EXAMPLES = 3 };

void fp_cli_print_help(const fp_command *command, const fp_option *own, const fp_option *common) {
    (void)common;
    size_t indent, width;
    int length;
    const char *paragraph = first_paragraph(command, &length), *examples = command->examples;
    widths_of(own, NULL, &indent, &width);
    printf("fplab %s: %s\n\n%s fplab %s %s\n\n%.*s\n", command->name, fp_cli_summary(command),
           fp_cli_translated("Usage:"), command->name, command->arguments, length, paragraph);
    if (*examples) printf("\n%s\n%.*s\n", fp_cli_translated("Examples:"), lines_of(examples, EXAMPLES), examples);
    if (command->parts) print_parts(command);
    else printf("\n%s\n", fp_cli_translated("Options:"));
    print_rows(own, true, indent, width);
    printf("\n%s fplab %s --help-all\n", fp_cli_translated("All options and details:"), command->name);
}

void fp_cli_print_all(const fp_command *command, const fp_option *own, const fp_option *common) {
    size_t indent, width;
    widths_of(own, common, &indent, &width);
    printf("fplab %s: %s\n\nUsage: fplab %s %s\n\n%s\n", command->name, command->summary, command->name,
           command->arguments, command->details);
    if (command->parts) print_parts(command);
    else printf("\nOptions:\n");
    print_rows(own, false, indent, width);
    printf("\nOptions of every command:\n");
    print_rows(common, false, indent, width);
    if (*command->examples) printf("\nExamples:\n%s\n", command->examples);
}
