/* SPDX-License-Identifier: GPL-3.0-or-later
 * Finds gnuplot and its font, and draws each picture in its own process. */
#include "reports/plots/plot_parts.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "reports/plots/picture.h"

/* ---- Required programs ---- */

static const char GNUPLOT_PACKAGE[] = "gnuplot-nox";

/* 5.4 is the first version with column headers by name and filters (`with table if`). */
static fp_status check_gnuplot(fp_arena *arena, fp_error *error) {
    const char *const arguments[] = {"gnuplot", "--version", NULL};
    fp_tool tool = {.arguments = arguments, .package = GNUPLOT_PACKAGE};
    FP_TRY(fp_tool_run(&tool, arena, error));
    int major, minor;
    if (tool.status != 0 || sscanf(tool.output.data, "gnuplot %d.%d", &major, &minor) != 2)
        return fp_fail(error, FP_ERROR_TOOL, "gnuplot --version prints no version (Debian package %s)",
                       GNUPLOT_PACKAGE);
    if (major > 5 || (major == 5 && minor >= 4)) return FP_OK;
    return fp_fail(error, FP_ERROR_TOOL, "gnuplot %d.%d is too old: 5.4 or later is needed", major, minor);
}

/* Whether the name is safe in fontconfig patterns, gnuplot and SVG attributes: letters, digits and a few signs. */
static bool plain_font(const char *font) {
    if (!*font) return false;
    for (const char *at = font; *at; at++) {
        unsigned char byte = (unsigned char)*at;
        bool letter = (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || (byte >= '0' && byte <= '9') ||
                      byte >= 0x80;
        if (!letter && !strchr(" _.+", *at)) return false;
    }
    return true;
}

static const char *font_name(void) {
    const char *font = getenv("FPLAB_FONT");
    return font ? font : "WenQuanYi Micro Hei";
}

/* Unlike fc-match, fc-list names a font only if it has the family and the script, never a substitute. */
static fp_status check_font(const char *font, fp_arena *arena, fp_error *error) {
    if (!plain_font(font)) return fp_fail(error, FP_ERROR_RANGE, "FPLAB_FONT=%s is not the name of a font", font);
    const char *pattern = fp_format(arena, "%s:lang=zh-cn", font);
    const char *const arguments[] = {"fc-list", pattern, "family", NULL};
    fp_tool tool = {.arguments = arguments, .package = "fontconfig"};
    FP_TRY(fp_tool_run(&tool, arena, error));
    if (tool.status == 0 && tool.output.length) return FP_OK;
    return fp_fail(error, FP_ERROR_TOOL,
                   "no font called %s with Chinese characters is installed (Debian package fonts-wqy-microhei, or name "
                   "a font in FPLAB_FONT)",
                   font);
}

fp_status fp_gnuplot_check(fp_arena *arena, fp_error *error) {
    FP_TRY(check_gnuplot(arena, error));
    return check_font(font_name(), arena, error);
}

/* ---- Scripts ---- */

/* The directory of the script. */
#define HERE                                \
    "here = exists(\"ARG0\") ? ARG0 : ''\n" \
    "while (strlen(here) && here[strlen(here):strlen(here)] ne '/') { here = here[1:strlen(here) - 1] }\n"

static void put_head(FILE *stream, const fp_plot_options *options, fp_arena *arena) {
    const char *font = getenv("FPLAB_FONT");
    const char *quoted = font ? fp_plot_quote(fp_string_of(font), arena) : "";
    char *size = options->size ? fp_format(arena, "%s", options->size) : NULL;
    const char *caption = options->title ? fp_plot_quote_field(fp_string_of(options->title), arena) : NULL;
    fprintf(
        stream,
        "# With gnuplot -e: format ('png', 'svg', 'pdf', 'tikz'), size ('1200x900', '1200', '84mm', 'column', 'page', 'slide'), lang ('en', 'zh', "
        "'both'), caption, grey (0, 1), font, output.\n" HERE);
    if (size) fp_plot_size(options->size, size), fprintf(stream, "if (!exists(\"size\")) size = '%s'\n", size);
    if (options->language) fprintf(stream, "if (!exists(\"lang\")) lang = '%s'\n", options->language);
    if (caption) fprintf(stream, "if (!exists(\"caption\")) caption = %s\n", caption);
    if (options->grey) fprintf(stream, "if (!exists(\"grey\")) grey = 1\n");
    if (font) fprintf(stream, "if (!exists(\"font\")) font = %s\n", quoted);
}

/* STEM-FIGURE.gp draws STEM-FIGURE.png from any working directory. */
static fp_status save_script(const fp_gnuplot *draw, const char *figure, fp_error *error) {
    const char *path = fp_format(draw->arena, "%s/%s-%s.gp", draw->directory, draw->stem, figure);
    fp_output output;
    FP_TRY(fp_output_open(&output, path, error));
    fprintf(output.stream,
            "# Draws the picture that has the name of this file:\n"
            "#   gnuplot %s-%s.gp\n"
            "#   gnuplot -e \"format = 'pdf'; size = '1200x900'; lang = 'zh'\" %s-%s.gp\n" HERE
            "load here.'%s'\nload here.'%s.gp'\n",
            draw->stem, figure, draw->stem, figure, draw->arms, figure);
    return fp_output_close(&output, error);
}

/* ---- Drawing ---- */

/* The line with the error; gnuplot prints the command before it. */
static const char *complaint(char *output) {
    const char *first = NULL;
    char *rest;
    for (char *line = strtok_r(output, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
        while (*line == ' ' || *line == '\t') line++;
        if (strstr(line, "\" line ") && !strstr(line, "warning:")) return line;
        if (!first && *line && *line != '^') first = line;
    }
    return first ? first : "it gave no reason";
}

/* Draws into memory, because gnuplot exits with 0 when a disk is full. A pipe would not do: for TeX gnuplot goes back
 * to the beginning. */
static fp_status run_gnuplot(const fp_gnuplot *draw, const char *figure, const char *format, fp_arena *arena,
                             fp_string *picture, fp_error *error) {
    const char *font = fp_plot_quote(fp_string_of(font_name()), arena);
    const char *settings = fp_format(arena, "format = '%s'; output = '/dev/stdout'; font = %s", format, font);
    const char *script = fp_format(arena, "%s.gp", figure);
    /* -d: ignores the user's start-up file */
    const char *const arguments[] = {"gnuplot", "-d", "-e", settings, draw->arms, script, NULL};
    fp_tool tool = {.arguments = arguments, .directory = draw->directory, .package = GNUPLOT_PACKAGE};
    FP_TRY(fp_tool_run(&tool, arena, error));
    *picture = tool.output;
    if (tool.status == 0 && !strstr(tool.errors.data, "rror")) return FP_OK;
    if (strstr(tool.errors.data, "unknown or ambiguous terminal type"))
        return fp_fail(error, FP_ERROR_TOOL,
                       "this gnuplot cannot draw %s: it was built without that terminal (Debian "
                       "package %s has it)",
                       format, GNUPLOT_PACKAGE);
    return fp_fail(error, FP_ERROR_TOOL, "gnuplot cannot draw %s-%s.%s: %s", draw->stem, figure, format,
                   complaint(fp_string_copy(arena, tool.errors)));
}

/* Writes another time in place of that of Cairo. It has the same length, so no offset changes. */
static void write_pdf(fp_string content, FILE *stream) {
    static const char DATE[] = "/CreationDate (D:", NONE[] = "19700101000000";
    const char *found = memmem(content.data, content.length, DATE, sizeof DATE - 1);
    size_t at = found ? (size_t)(found - content.data) + sizeof DATE - 1 : content.length, end = at + sizeof NONE - 1;
    fwrite(content.data, 1, at, stream);
    if (end > content.length) return;
    fputs(NONE, stream);
    fwrite(content.data + end, 1, content.length - end, stream);
}

static fp_status draw_picture(const fp_gnuplot *draw, const char *figure, int format, const char *to, fp_error *error) {
    FP_SCRATCH(arena, draw->arena, error);
    fp_string picture;
    fp_output output;
    FP_TRY(run_gnuplot(draw, figure, fp_picture_names[format], arena, &picture, error));
    if (!fp_picture_is_whole(picture, format))
        return fp_fail(error, FP_ERROR_TOOL, "gnuplot did not write %s as a whole", to);
    FP_TRY(fp_output_open(&output, to, error));
    if (format == FP_PICTURE_TIKZ) fp_tikz_write(picture, output.stream);
    else if (format == FP_PICTURE_PDF) write_pdf(picture, output.stream);
    else fwrite(picture.data, 1, picture.length, output.stream);
    return fp_output_close(&output, error);
}

static void draw_reported(const fp_gnuplot *draw, const char *figure, int format, fp_error *error) {
    const fp_plot_options *options = draw->options;
    const char *name = fp_format(draw->arena, "plots/%s-%s.%s", draw->stem, figure, fp_picture_names[format]),
               *to = fp_format(draw->arena, "%s/%s", draw->directory, strchr(name, '/') + 1);
    fp_status status = draw_picture(draw, figure, format, to, error);
    void (*report)(void *context, const char *name) = status == FP_OK ? options->drawn : options->missing;
    if (report) report(options->context, name);
}

void fp_gnuplot_keep(fp_gnuplot *draw, const fp_error *error) {
    if (draw->first.code == FP_OK) draw->first = *error;
}

void fp_gnuplot_draw(fp_gnuplot *draw, const char *figure) {
    enum { USUAL = 1u << FP_PICTURE_PNG | 1u << FP_PICTURE_SVG };
    unsigned formats = draw->options->formats ? draw->options->formats : USUAL;
    fp_error error = {0};
    fp_status status = save_script(draw, figure, &error);
    fp_gnuplot_keep(draw, &error);
    for (int format = 0; format < FP_PICTURES && status == FP_OK; format++) {
        if (!(formats >> format & 1)) continue;
        draw_reported(draw, figure, format, &error);
        fp_gnuplot_keep(draw, &error);
    }
}

fp_status fp_gnuplot_describe(const fp_gnuplot *draw, const char *title, const char *figure, const char *data,
                              fp_error *error) {
    const char *path = fp_format(draw->arena, "%s/%s", draw->directory, draw->arms);
    fp_output output;
    FP_TRY(fp_output_open(&output, path, error));
    fprintf(output.stream,
            "# %s To draw, in this directory:\n"
            "#   gnuplot %s %s.gp\n"
            "#   gnuplot -e \"format = 'svg'\" %s %s.gp\n",
            title, draw->arms, figure, draw->arms, figure);
    put_head(output.stream, draw->options, draw->arena);
    fputs(data, output.stream);
    return fp_output_close(&output, error);
}

/* ---- Programs, run without a shell: posix_spawn is safe with threads and reports missing programs ---- */

/* The environment with a fixed locale, so that messages and numbers do not vary. Release with free. */
static char **make_environment(char *locale) {
    size_t count = 0;
    while (environ[count]) count++;
    char **made = calloc(count + 2, sizeof *made);
    if (!made) return NULL;
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        if (strncmp(environ[i], "LC_ALL=", 7) != 0) made[kept++] = environ[i];
    made[kept] = locale;
    return made;
}

/* Redirects standard input to nothing, and the outputs to these files in memory. Returns an errno. */
static int direct(posix_spawn_file_actions_t *actions, const fp_tool *tool, int output, int errors) {
    int failed = posix_spawn_file_actions_addopen(actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    if (!failed) failed = posix_spawn_file_actions_adddup2(actions, output, STDOUT_FILENO);
    if (!failed && !tool->shows) failed = posix_spawn_file_actions_adddup2(actions, errors, STDERR_FILENO);
    if (!failed && tool->directory) failed = posix_spawn_file_actions_addchdir_np(actions, tool->directory);
    return failed;
}

static int start(const fp_tool *tool, int output, int errors, pid_t *child) {
    char locale[] = "LC_ALL=C.UTF-8";
    char **environment = make_environment(locale);
    /* As exec declares them; it does not change the texts (POSIX, exec, Rationale). */
    char *const *arguments = (char *const *)(uintptr_t)tool->arguments;
    posix_spawn_file_actions_t actions;
    int failed = environment ? posix_spawn_file_actions_init(&actions) : ENOMEM;
    if (!failed) {
        failed = direct(&actions, tool, output, errors);
        if (!failed) failed = posix_spawnp(child, arguments[0], &actions, NULL, arguments, environment);
        posix_spawn_file_actions_destroy(&actions);
    }
    free(environment);
    return failed;
}

static fp_status not_started(const fp_tool *tool, int failed, fp_error *error) {
    const char *name = tool->arguments[0];
    if (failed == ENOMEM) return fp_no_memory(error);
    if (failed == ENOENT)
        return fp_fail(error, FP_ERROR_TOOL, "%s is not installed (Debian package %s)", name, tool->package);
    return fp_fail(error, FP_ERROR_TOOL, "cannot run %s: %s (Debian package %s)", name, strerror(failed),
                   tool->package);
}

/* The content of a file in memory, which is cut at a limit of the size of files. */
static fp_status read_back(int file, fp_arena *arena, fp_string *content, fp_error *error) {
    struct rlimit limit;
    off_t end = lseek(file, 0, SEEK_END);
    size_t length = end < 0 ? 0 : (size_t)end;
    char *data = FP_NEED(fp_arena_alloc(arena, length + 1, 1), error);
    *content = (fp_string){data, length};
    if (getrlimit(RLIMIT_FSIZE, &limit) == 0 && length >= limit.rlim_cur) errno = EFBIG;
    else if (pread(file, data, length, 0) == end) return FP_OK;
    return fp_fail(error, FP_ERROR_IO, "cannot read the output of a program: %s", strerror(errno));
}

static fp_status run(fp_tool *tool, int output, int errors, fp_arena *arena, fp_error *error) {
    pid_t child;
    int failed = start(tool, output, errors, &child), code;
    if (failed) return not_started(tool, failed, error);
    if (TEMP_FAILURE_RETRY(waitpid(child, &code, 0)) < 0)
        return fp_fail(error, FP_ERROR_TOOL, "cannot wait for %s: %s", tool->arguments[0], strerror(errno));
    tool->status = WIFEXITED(code) ? WEXITSTATUS(code) : 128 + WTERMSIG(code);
    FP_TRY(read_back(output, arena, &tool->output, error));
    return read_back(errors, arena, &tool->errors, error);
}

fp_status fp_tool_run(fp_tool *tool, fp_arena *arena, fp_error *error) {
    int output = memfd_create("output", MFD_CLOEXEC), errors = memfd_create("errors", MFD_CLOEXEC);
    fp_status status = output < 0 || errors < 0
                           ? fp_fail(error, FP_ERROR_IO, "cannot run %s: %s", tool->arguments[0], strerror(errno))
                           : run(tool, output, errors, arena, error);
    if (output >= 0) close(output);
    if (errors >= 0) close(errors);
    return status;
}
