/* SPDX-License-Identifier: GPL-3.0-or-later
 * The registry of corruptions, and parsing of their names. */
#include "corpora/corruption/rewrite.h"

#include <string.h>

#define FREQUENCIES                                                                                                \
    "how often characters occur in the corpus itself; where it has no other one, the word frequencies of jieba's " \
    "dictionary (python3-jieba)"

static const fp_corruption_kind kinds[] = {
#define CORRUPTION(name, ...) {#name, __VA_ARGS__, fp_corrupt_##name},
#include "corpora/corruption/corruptions.def"
#undef CORRUPTION
};
enum { KINDS = sizeof kinds / sizeof *kinds };

const fp_corruption_kind *fp_corruption_at(size_t index) { return index < KINDS ? kinds + index : NULL; }

static fp_status unknown(fp_string name, fp_error *error) {
    char text[64], list[600] = "";
    const char *names[KINDS + 1] = {0};
    for (size_t i = 0, used = 0; i < KINDS; i++) {
        names[i] = kinds[i].name;
        int length = snprintf(list + used, sizeof list - used, "%s%s", i ? ", " : "", names[i]);
        used += length > 0 && (size_t)length < sizeof list - used ? (size_t)length : 0;
    }
    snprintf(text, sizeof text, "%.*s", (int)(name.length < 60 ? name.length : 60), name.data);
    const char *nearest = fp_nearest(text, names);
    if (nearest)
        return fp_fail(error, FP_ERROR_UNKNOWN, "unknown kind of corruption \"%s\"; did you mean %s?", text, nearest);
    return fp_fail(error, FP_ERROR_UNKNOWN, "unknown kind of corruption \"%s\"; there are: %s", text, list);
}

fp_status fp_corruption_parse(fp_string text, fp_corruption *made, fp_error *error) {
    *made = (fp_corruption){0};
    for (fp_string rest = text, name; fp_next_field(&rest, '+', &name);) {
        size_t k = 0;
        while (k < KINDS && !fp_string_equal(name, fp_string_of(kinds[k].name))) k++;
        if (k == KINDS) return unknown(name, error);
        for (size_t i = 0; i < made->count; i++)
            if (made->kinds[i] == kinds + k)
                return fp_fail(error, FP_ERROR_DUPLICATE, "duplicate %s in %.*s", kinds[k].name,
                               (int)(text.length < 200 ? text.length : 200), text.data);
        if (made->count == FP_CORRUPTION_STEPS)
            return fp_fail(error, FP_ERROR_RANGE, "a mixture of more than %d kinds", FP_CORRUPTION_STEPS);
        made->kinds[made->count++] = kinds + k;
        made->needs |= kinds[k].needs;
    }
    return FP_OK;
}
