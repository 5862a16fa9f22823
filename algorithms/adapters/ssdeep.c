/* SPDX-License-Identifier: GPL-3.0-or-later
 * ssdeep as a plug-in: context-triggered piecewise hashing by libfuzzy, over the bytes of the normalised text. The
 * distance is 100 minus libfuzzy's score; equal hashes have distance 0, also for short texts, to which libfuzzy itself
 * gives no score. */
#include <fuzzy.h>
#include <string.h>

#include <fplab.h>

enum { BYTES = (FUZZY_MAX_RESULT + 7) / 8 * 8 };

static fp_status layout(const void *parameters, fp_layout *out, fp_error *error) {
    (void)parameters;
    (void)error;
    *out = (fp_layout){.bytes = BYTES, .maximum = 100, .integral = true, .scale = "ssdeep of 100"};
    return FP_OK;
}

static fp_status sketch(const fp_instance *self, const fp_document *document, fp_arena *scratch, fp_sketch *out,
                        fp_error *error) {
    (void)self;
    char *hash = fp_arena_alloc(scratch, BYTES, 1);
    if (!hash) return fp_fail(error, FP_ERROR_MEMORY, "out of memory");
    if (document->text.length > UINT32_MAX) return fp_fail(error, FP_ERROR_RANGE, "ssdeep takes texts below 4 GiB");
    if (fuzzy_hash_buf((const unsigned char *)document->text.data, (uint32_t)document->text.length, hash) != 0)
        return fp_fail(error, FP_ERROR_TOOL, "libfuzzy cannot hash the text");
    *out = (fp_sketch){.data = hash, .size = BYTES};
    return FP_OK;
}

static double distance(const fp_instance *self, fp_sketch a, fp_sketch b) {
    (void)self;
    if (strcmp(a.data, b.data) == 0) return 0;
    int score = fuzzy_compare(a.data, b.data);
    return score < 0 ? 100 : 100 - score;
}

static const char *text(const fp_instance *self, fp_sketch sketch, fp_arena *arena) {
    (void)self;
    char *copy = fp_arena_alloc(arena, sketch.size + 1, 1);
    if (copy) strcpy(copy, sketch.data);
    return copy;
}

const fp_algorithm fp_plugin = {
    .abi = FP_ABI_VERSION,
    .needs = FP_NEEDS_TEXT,
    .name = "ssdeep",
    .summary = "context-triggered piecewise hashing, by libfuzzy",
    .citation =
        "Kornblum, Identifying almost identical files using context triggered piecewise hashing, Digital Investigation 3S, 2006",
    .features = "",
    .layout = layout,
    .sketch = sketch,
    .distance = distance,
    .text = text,
};
