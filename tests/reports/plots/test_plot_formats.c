/* SPDX-License-Identifier: GPL-3.0-or-later
 * Formats, sizes and languages of pictures; a picture that is not whole is none. */
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>

#include "reports/page/page_form.h"
#include "reports/plots/plot_parts.h"
#include "reports/runs/recorded.h"
#include "tests/reports/plots/plot_support.h"

enum { EVERY = (1u << FP_PICTURES) - 1 };

static void draw(const place *it, const fp_plot_options *options) {
    ASSERT_GOOD(fp_plot_draw(it->directory, USUAL, options, &test_error));
}

/* It is whole, no format is taken for another, and without its last bytes it is not whole. */
static void assert_whole(const place *it, const char *name, int format) {
    fp_string content = fp_string_trim(content_of(it, name), "\n");
    for (int other = 0; other < FP_PICTURES; other++)
        assert_int_equal(fp_picture_is_whole(content, other), other == format);
    for (size_t cut = 1; cut < 2000; cut += 7)
        assert_false(fp_picture_is_whole((fp_string){content.data, content.length - cut}, format));
}

static void every_format_is_drawn(void **state) {
    place *it = *state;
    add_arm(it, "c", "only", "bits of 64", NO_GAPS);
    draw(it, &(fp_plot_options){.formats = EVERY});
    for (size_t f = 0; f < USUAL_COUNT; f++)
        for (int format = 0; format < FP_PICTURES; format++)
            assert_whole(it, picture(it, "c", USUAL[f], fp_picture_names[format]), format);
}

static void only_what_was_asked_for_is_drawn(void **state) {
    place *it = *state;
    add_arm(it, "c", "only", "bits of 64", NO_GAPS);
    draw(it, &(fp_plot_options){.formats = 1u << FP_PICTURE_PDF});
    assert_true(is_there(it, "plots/c-thresholds.pdf"));
    assert_false(is_there(it, "plots/c-thresholds.png") || is_there(it, "plots/c-thresholds.svg"));
}

/* No beginning of a picture, however long, passes for one in a page. */
static void a_cut_is_seen_wherever_it_is(void **state) {
    place *it = *state;
    add_arm(it, "c", "only", "bits of 64", NO_GAPS);
    ASSERT_GOOD(fp_plot_draw(it->directory, ONLY("histograms"), &AS_SVG, &test_error));
    fp_string whole = drawing_of(it, "c", "histograms");
    size_t end = whole.length;
    while (strchr(" \n", whole.data[end - 1])) end--;
    assert_true(fp_page_svg_is_harmless(whole));
    for (size_t cut = 0; cut < end; cut += cut < 64 || cut + 64 >= end ? 1 : 97)
        if (fp_page_svg_is_harmless((fp_string){whole.data, cut}))
            fail_msg("%zu of %zu bytes are taken for all", cut, end);
}

static void remember(void *context, const char *name) {
    char *names = context;
    strcat(strcat(names, name), ";");
}

/* One that gnuplot does not draw and one at which it fails are named; the others are there. */
static void a_picture_that_is_not_whole_is_named(void **state) {
    place *it = *state;
    add_arm(it, "c", "only", "bits of 64", NO_GAPS);
    mkdir(in_place(it, "bin"), 0700);
    FILE *stream = fopen(in_place(it, "bin/gnuplot"), "w");
    assert_non_null(stream);
    fprintf(stream,
            "#!/bin/sh\nPATH=%s\ncase $3$5 in\n*png*thresholds*) exit ;;\n"
            "*svg*histograms*) gnuplot \"$@\" | head -c 2000; exit 0 ;;\nesac\nexec gnuplot \"$@\"\n",
            it->path);
    fclose(stream);
    assert_int_equal(chmod(in_place(it, "bin/gnuplot"), 0700), 0);
    setenv("PATH", fp_format(it->arena, "%s:%s", in_place(it, "bin"), it->path), 1);
    char names[256] = "";
    fp_plot_options options = {.missing = remember, .context = names};
    assert_int_equal(fp_plot_draw(it->directory, USUAL, &options, &test_error), FP_ERROR_TOOL);
    assert_string_equal(names, "plots/c-thresholds.png;plots/c-histograms.svg;");
    assert_non_null(strstr(test_error.message, "did not write"));
    assert_whole(it, "plots/c-thresholds.svg", FP_PICTURE_SVG);
    assert_whole(it, "plots/c-histograms.png", FP_PICTURE_PNG);
    assert_false(is_there(it, "plots/c-thresholds.png") || is_there(it, "plots/c-histograms.svg"));
}

/* A file system that takes no more than the start of a picture: files of at most 20,000 bytes. */
static void a_picture_without_room_is_named(void **state) {
    place *it = *state;
    struct rlimit kept, small;
    char names[256] = "";
    fp_plot_options options = {.formats = 1u << FP_PICTURE_PNG, .missing = remember, .context = names};
    add_arm(it, "c", "only", "bits of 64", NO_GAPS);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &kept), 0);
    small = (struct rlimit){20000, kept.rlim_max};
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    fp_status status = fp_plot_draw(it->directory, ONLY("thresholds"), &options, &test_error);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &kept), 0);
    assert_int_equal(status, FP_ERROR_IO);
    assert_string_equal(names, "plots/c-thresholds.png;");
    assert_false(is_there(it, "plots/c-thresholds.png"));
}

/* ---- Size ---- */

static unsigned big_endian(const char *at) {
    const unsigned char *byte = (const unsigned char *)at;
    return (unsigned)byte[0] << 24 | (unsigned)byte[1] << 16 | (unsigned)byte[2] << 8 | byte[3];
}

static void a_picture_is_as_large_as_was_asked(void **state) {
    place *it = *state;
    static const char *const SIZES[] = {"1200x900", "640x1000", "801"};
    static const unsigned WIDTH[] = {1200, 640, 801}, HEIGHT[] = {900, 1000, 0};
    add_arm(it, "c", "one", "bits of 64", NO_GAPS);
    add_arm(it, "c", "two", "bits of 64", NO_GAPS);
    for (size_t i = 0; i < 3; i++) {
        draw(it, &(fp_plot_options){.formats = 1u << FP_PICTURE_PNG | 1u << FP_PICTURE_SVG, .size = SIZES[i]});
        for (size_t f = 0; f < USUAL_COUNT; f++) {
            const char *png = content_of(it, picture(it, "c", USUAL[f], "png")).data;
            assert_int_equal(big_endian(png + 16), WIDTH[i]);
            if (HEIGHT[i]) assert_int_equal(big_endian(png + 20), HEIGHT[i]);
            const char *box = strstr(drawing_of(it, "c", USUAL[f]).data, "viewBox=\"0 0 ");
            unsigned width, height;
            assert_true(box && sscanf(box, "viewBox=\"0 0 %u %u\"", &width, &height) == 2);
            assert_int_equal(width, WIDTH[i]);
            if (HEIGHT[i]) assert_int_equal(height, HEIGHT[i]);
        }
    }
}

/* ---- Language ---- */

static bool has_han(fp_string svg) {
    for (const char *text = svg.data; (text = strstr(text, "<text>")); text++)
        for (const char *at = text; *at != '\n' && strncmp(at, "</text>", 7) != 0; at++)
            if ((unsigned char)*at >= 0xe4 && (unsigned char)*at <= 0xe9) return true;
    return false;
}

static void a_language_stands_alone(void **state) {
    place *it = *state;
    static const char *const ENGLISH[] = {"precision", "recall", "interval", "distance", "positive", "threshold"};
    add_arm(it, "c", "only", "bits of 64", NO_GAPS);
    draw(it, &(fp_plot_options){.formats = AS_SVG.formats, .language = "zh"});
    for (size_t f = 0; f < USUAL_COUNT; f++) {
        fp_string svg = drawing_of(it, "c", USUAL[f]);
        assert_true(has_han(svg));
        for (size_t i = 0; i < sizeof ENGLISH / sizeof *ENGLISH; i++) assert_null(strstr(svg.data, ENGLISH[i]));
    }
    assert_non_null(strstr(drawing_of(it, "c", "thresholds").data, "<text>阈值 h（64 位）</text>"));
    draw(it, &(fp_plot_options){.formats = AS_SVG.formats, .language = "en"});
    for (size_t f = 0; f < USUAL_COUNT; f++) assert_false(has_han(drawing_of(it, "c", USUAL[f])));
    assert_non_null(strstr(drawing_of(it, "c", "thresholds").data, "<text>threshold h (bits of 64)</text>"));
}

/* ---- By hand ---- */

static int run_by_hand(const place *it, const char *directory, const char *settings, const char *script) {
    const char *const arguments[] = {"gnuplot", "-e", settings, script, NULL};
    fp_tool tool = {.arguments = arguments, .directory = directory, .package = "gnuplot-nox"};
    ASSERT_GOOD(fp_tool_run(&tool, it->arena, &test_error));
    return tool.status;
}

/* A picture's script draws it from any directory, in the language and size of the run unless told otherwise. */
static void a_script_has_the_name_of_its_picture(void **state) {
    place *it = *state;
    add_arm(it, "c", "only", "bits of 64", NO_GAPS);
    draw(it, &(fp_plot_options){.formats = AS_SVG.formats, .language = "zh", .size = "700"});
    fp_string before = drawing_of(it, "c", "thresholds");
    const char *const scripts[] = {"plots/c-thresholds.gp", "c-thresholds.gp", in_place(it, "plots/c-thresholds.gp")};
    const char *const places[] = {it->directory, in_place(it, "plots"), "/"};
    for (size_t i = 0; i < 3; i++) {
        unlink(in_place(it, "plots/c-thresholds.svg"));
        assert_int_equal(run_by_hand(it, places[i], "format = 'svg'", scripts[i]), 0);
        assert_true(fp_string_equal(before, drawing_of(it, "c", "thresholds")));
        assert_int_equal(run_by_hand(it, places[i], "format='pdf'", scripts[i]), 0);
        assert_whole(it, "plots/c-thresholds.pdf", FP_PICTURE_PDF);
        unlink(in_place(it, "plots/c-thresholds.pdf"));
    }
    assert_int_equal(run_by_hand(it, it->directory, "lang='en'; size='400x300'; format='svg'", scripts[0]), 0);
    assert_non_null(strstr(drawing_of(it, "c", "thresholds").data, "viewBox=\"0 0 400 300\""));
    assert_false(has_han(drawing_of(it, "c", "thresholds")));
    assert_int_equal(run_by_hand(it, it->directory, "format='gif'", scripts[0]), 1);
    assert_int_equal(run_by_hand(it, it->directory, "lang='fr'", scripts[0]), 1);
    assert_int_equal(run_by_hand(it, it->directory, "size='x9'", scripts[0]), 1);
    assert_int_equal(run_by_hand(it, it->directory, "format='pdf'", "plots/thresholds.gp"), 1); /* of which corpus? */
}

/* ---- Mixtures ---- */

static void tables_of_two_runs_are_refused(void **state) {
    place *it = *state;
    fp_recorded run;
    char sum[65];
    add_arm(it, "c", "only", "bits of 64", NO_GAPS);
    fp_sha256_hex(content_of(it, "results.tsv"), sum);
    append(it, "run.json", "",
           "{\"program\": \"fplab\", \"directory\": \"/\", \"command\": [\"eval\"], \"files\": [{\"name\": "
           "\"results.tsv\", \"size\": %zu, \"sha256\": \"%s\"}]}\n",
           content_of(it, "results.tsv").length, sum);
    ASSERT_GOOD(fp_recorded_read(it->directory, it->arena, &run, &test_error));
    draw(it, &AS_SVG);
    add_arm(it, "d", "only", "bits of 64", NO_GAPS);
    assert_int_equal(fp_recorded_read(it->directory, it->arena, &run, &test_error), FP_ERROR_IO);
    assert_non_null(strstr(test_error.message, "results.tsv is not the one that run.json names"));
}

/* ---- Options ---- */

static void options_are_read(void **state) {
    (void)state;
    fp_plot_options options;
    ASSERT_GOOD(fp_plot_options_read("pdf,png", "1200x900", "zh", &options, &test_error));
    assert_int_equal(options.formats, 1u << FP_PICTURE_PDF | 1u << FP_PICTURE_PNG);
    ASSERT_GOOD(fp_plot_options_read(NULL, NULL, NULL, &options, &test_error));
    static const char *const formats[] = {"", "gif", "png,", "png svg", "PNG"}, *const sizes[] = {
                                                                                    "",      "x",    "12",
                                                                                    "1200x", "x900", "1200x900x1",
                                                                                    "-300",  "1e3",  "99999"};
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        assert_int_equal(fp_plot_options_read(formats[i], NULL, NULL, &options, &test_error), FP_ERROR_SYNTAX);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        assert_int_equal(fp_plot_options_read(NULL, sizes[i], NULL, &options, &test_error), FP_ERROR_RANGE);
    assert_int_equal(fp_plot_options_read(NULL, NULL, "fr", &options, &test_error), FP_ERROR_SYNTAX);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        PLACED(every_format_is_drawn),           PLACED(only_what_was_asked_for_is_drawn),
        PLACED(a_cut_is_seen_wherever_it_is),    PLACED(a_picture_that_is_not_whole_is_named),
        PLACED(a_picture_without_room_is_named), PLACED(a_picture_is_as_large_as_was_asked),
        PLACED(a_language_stands_alone),         PLACED(a_script_has_the_name_of_its_picture),
        PLACED(tables_of_two_runs_are_refused),  cmocka_unit_test(options_are_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
