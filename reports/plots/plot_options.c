/* SPDX-License-Identifier: GPL-3.0-or-later
 * What a person writes of how pictures are to be. */
#include "reports/plots/plot.h"

#include <string.h>

void fp_plot_size(const char *text, char *plain) {
    static const char TIMES[] = "×";
    const char *sign = strstr(text, TIMES);
    sprintf(plain, "%.*s%s%s", (int)(sign ? (size_t)(sign - text) : strlen(text)), text, sign ? "x" : "",
            sign ? sign + strlen(TIMES) : "");
}

static fp_status read_formats(const char *text, unsigned *formats, fp_error *error) {
    fp_string rest = fp_string_of(text), item;
    while (fp_next_field(&rest, ',', &item)) {
        int format = 0;
        while (format < FP_PICTURES && !fp_string_equal(item, fp_string_of(fp_picture_names[format]))) format++;
        if (format == FP_PICTURES)
            return fp_fail(error, FP_ERROR_SYNTAX, "a list of png, svg, pdf and tikz is meant, not %s", text);
        *formats |= 1u << format;
    }
    return FP_OK;
}

/* "84mm". */
static bool is_millimetres(const char *text) {
    enum { LEAST = 50, MOST = 2000, DIGITS = 5 };
    size_t length = strlen(text);
    char number[DIGITS];
    int64_t value = 0;
    if (length < 4 || length - 2 >= sizeof number || strcmp(text + length - 2, "mm") != 0) return false;
    snprintf(number, sizeof number, "%.*s", (int)(length - 2), text);
    return *number >= '1' && *number <= '9' && fp_parse_integer(number, &value) && value >= LEAST && value <= MOST;
}

/* "1200x900", "1200×900", "1200", or what has a name or a measure. */
static fp_status read_size(const char *text, fp_error *error) {
    enum { LEAST = 200, MOST = 20000, DIGITS = 6 };
    if (strcmp(text, "column") == 0 || strcmp(text, "slide") == 0 || is_millimetres(text)) return FP_OK;
    char plain[3 * DIGITS] = "";
    if (strlen(text) < sizeof plain) fp_plot_size(text, plain);
    fp_string rest = fp_string_of(plain), item;
    int count = 0;
    while (fp_next_field(&rest, 'x', &item)) {
        char number[DIGITS];
        int64_t pixels = 0;
        if (++count <= 2 && item.length && item.length < sizeof number && *item.data >= '1' && *item.data <= '9') {
            snprintf(number, sizeof number, "%.*s", (int)item.length, item.data);
            if (!fp_parse_integer(number, &pixels)) pixels = 0;
        }
        if (pixels < LEAST || pixels > MOST)
            return fp_fail(
                error, FP_ERROR_RANGE,
                "WIDTHxHEIGHT or WIDTH from %d to %d pixels, 50mm to 2000mm, column or slide is meant, not %s", LEAST,
                MOST, text);
    }
    return FP_OK;
}

fp_status fp_plot_options_read(const char *formats, const char *size, const char *language, fp_plot_options *options,
                               fp_error *error) {
    static const char *const LANGUAGES[] = {"en", "zh", "both", NULL};
    size_t i = 0;
    *options = (fp_plot_options){.size = size, .language = language};
    if (formats) FP_TRY(read_formats(formats, &options->formats, error));
    if (size) FP_TRY(read_size(size, error));
    while (language && LANGUAGES[i] && strcmp(LANGUAGES[i], language) != 0) i++;
    if (LANGUAGES[i]) return FP_OK;
    return fp_fail(error, FP_ERROR_SYNTAX, "en, zh or both is meant, not %s", language);
}
