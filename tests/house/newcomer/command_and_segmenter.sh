# SPDX-License-Identifier: GPL-3.0-or-later
# A command and a segmenter as HACKING.md says: a file and a line each. Help, parsing and the nearest name know them, and the tests that ask something of
# every command and every segmenter pass, or name what is wrong.
asked+=(text/segmentation/test_segment)

add_command_and_segmenter() {
cat >cli/commands/hello.c <<'C'
/* SPDX-License-Identifier: GPL-3.0-or-later
 * fplab hello: greets. */
#include "cli/cli.h"

static int run(const fp_command *command, int argc, const char **argv) {
    fp_table_format format = FP_FORMAT_TABLE;
    fp_option options[] = {FP_CLI_FORMAT_OPTION(format, "how to print", "table"), {0}};
    FP_CLI_BEGIN(command, argc, argv, options, arguments, arena);
    if (!arguments[0] || arguments[1]) return fp_cli_usage(command, "hello takes one name");
    fp_table *table = fp_table_new("greeting|name", arena);
    fp_table_text(table, "hello");
    fp_table_text(table, arguments[0]);
    return fp_cli_write(table, format);
}

const fp_command fp_command_hello = {
    .name = "hello",
    .arguments = "[OPTION…] NAME",
    .summary = "greet",
    .summary_zh = "问好",
    .details = "An example that the tests build.",
    .examples = "  fplab hello world",
    .run = run,
};
C
echo 'COMMAND(hello)' >>cli/commands.def

cat >text/segmentation/blanks.c <<'C'
/* SPDX-License-Identifier: GPL-3.0-or-later
 * Words with a space between them. */
#include "text/segmentation/segment.h"

static fp_status cut(const void *state, fp_string text, fp_arena *scratch, fp_tokens *tokens, fp_error *error) {
    (void)state;
    if (text.length > UINT32_MAX) return fp_fail(error, FP_ERROR_RANGE, "a text over 4 GiB");
    fp_token *token = fp_arena_raw(scratch, text.length, sizeof *token);
    if (!token) return fp_no_memory(error);
    size_t count = 0;
    for (size_t at = 0; at < text.length; at++) {
        if (at == 0 || (text.data[at] == ' ') != (text.data[at - 1] == ' ')) token[count++].begin = (uint32_t)at;
        token[count - 1].end = (uint32_t)at + 1;
    }
    *tokens = (fp_tokens){token, count};
    return FP_OK;
}

const fp_segmenter fp_segmenter_blanks = {.name = "blanks", .summary = "words with a space between them", .cut = cut};
C
echo 'SEGMENTER(blanks)' >>text/segmentation/segmenters.def
}

ask_command_and_segmenter() {
    local segments
    segments=$build/tests/text/segmentation/test_segment
    "$build/bin/fplab" --help | grep -q '^  hello  *greet$'
    [ "$("$build/bin/fplab" hello world --format tsv)" = $'greeting\tname\nhello\tworld' ]
    "$build/bin/fplab" helo 2>&1 | grep -q 'did you mean hello'
    if "$build/bin/fplab" hello world --format tsv >/dev/full 2>err; then echo "a full device passed"; exit 1; fi
    FPLAB=$build/bin/fplab BUILD=$build tests/run tests/cli/test_help.sh >out || { cat out; exit 1; }

    "$build/bin/fplab" algorithms simhash --format tsv | grep -q 'jieba, icu, blanks'
    "$build/bin/fplab" features --spec features=words,segmenter=blanks --text '美国 51区 雇员' --format tsv | cut -f1 | tr '\n' '|' | grep -q '|美国|51区|雇员|'
    "$segments" >out 2>&1 || { cat out; exit 1; }
    # One that leaves the last byte out and whose name is not that of its line must fail for both, by name.
    sed -i 's/(uint32_t)at + 1/(uint32_t)at + (at == 0 || at + 1 < text.length)/; s/"blanks"/"spaces"/' text/segmentation/blanks.c
    make --no-print-directory BUILD="$build" "$segments" >/dev/null
    if "$segments" >out 2>&1; then echo "a wrong segmenter passed"; exit 1; fi
    grep -qF '[  FAILED  ] tokens_cover_the_text' out && grep -v 'the name of' out | grep -q spaces || { cat out; exit 1; }
    grep -qF '[  FAILED  ] names_are_the_choices' out && grep -q 'the name of blanks is spaces' out || { cat out; exit 1; }
}
