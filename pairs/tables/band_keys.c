/* SPDX-License-Identifier: GPL-3.0-or-later
 * Keys of bands, and documents sorted by them. */
#include "pairs/tables/band_keys.h"

#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "pairs/tables/band_tables.h"
#include "pairs/lsh_tables.h"

fp_status fp_band_choose(const fp_layout *layout, double similarity, double recall, fp_banding *banding,
                         fp_error *error) {
    fp_lsh_spec spec = {.kind = FP_LSH_BANDING, .similarity = similarity, .recall = recall};
    fp_lsh_form form;
    FP_TRY(fp_slots_check(layout, NULL, error));
    if (!(similarity > 0 && similarity < 1 && recall > 0 && recall < 1))
        return fp_fail(error, FP_ERROR_RANGE, "similarity and recall lie between 0 and 1, not %g and %g", similarity,
                       recall);
    FP_TRY(fp_lsh_settle(&spec, layout, &form, error));
    *banding = (fp_banding){form.parts, form.rows};
    return FP_OK;
}

fp_status fp_band_check(const fp_layout *layout, fp_banding banding, const fp_sketches *sketches, fp_error *error) {
    FP_TRY(fp_slots_check(layout, sketches, error));
    if (banding.bands < 1 || banding.rows < 1)
        return fp_fail(error, FP_ERROR_RANGE, "%u bands of %u slots: it takes at least one of one", banding.bands,
                       banding.rows);
    if ((uint64_t)banding.bands * banding.rows > layout->slots)
        return fp_fail(error, FP_ERROR_RANGE, "%u bands of %u slots need %llu, and the sketch has %zu", banding.bands,
                       banding.rows, (unsigned long long)banding.bands * banding.rows, layout->slots);
    if (banding.bands > FP_BANDS_MOST || banding.rows > FP_BANDING_SLOTS)
        return fp_fail(error, FP_ERROR_RANGE, "%u bands of %u slots: at most %d of %d are kept", banding.bands,
                       banding.rows, FP_BANDS_MOST, FP_BANDING_SLOTS);
    return FP_OK;
}

/* XXH3 is told the same bytes by every processor. */
void fp_band_keys(const fp_layout *layout, fp_banding banding, const void *sketch, uint64_t *keys) {
    uint64_t values[FP_BANDING_SLOTS];
    for (unsigned b = 0; b < banding.bands; b++) {
        fp_slot_values(layout, sketch, (size_t)b * banding.rows, banding.rows, values);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
        for (unsigned i = 0; i < banding.rows; i++) values[i] = __builtin_bswap64(values[i]);
#endif
        keys[b] = fp_xxh3(values, banding.rows * sizeof *values, b);
    }
}

typedef struct keying {
    const fp_layout *layout;
    fp_banding banding;
    const fp_sketches *sketches;
    uint64_t *keys;
} keying;

enum { PIECE = 4096 };

static fp_status make_keys(void *context, size_t piece, fp_arena *arena, fp_error *error) {
    const keying *it = context;
    size_t end = (piece + 1) * PIECE < it->sketches->count ? (piece + 1) * PIECE : it->sketches->count;
    (void)arena, (void)error;
    for (size_t i = piece * PIECE; i < end; i++)
        fp_band_keys(it->layout, it->banding, fp_sketches_at(it->sketches, i).data, it->keys + i * it->banding.bands);
    return FP_OK;
}

fp_status fp_band_keys_each(const fp_layout *layout, fp_banding banding, const fp_sketches *sketches, uint64_t *keys,
                            const fp_arenas *arenas, const fp_progress *progress, fp_error *error) {
    keying it = {layout, banding, sketches, keys};
    fp_progress silent = fp_progress_silent(progress);
    return fp_parallel((sketches->count + PIECE - 1) / PIECE, arenas, true, make_keys, &it, "keys", &silent, error);
}

/* ---- Sorting ---- */

unsigned fp_band_prefix(size_t count) {
    unsigned bits = 0;
    while (bits < 30 && (size_t)4 << (bits + 1) <= count) bits++;
    return bits;
}

static int by_key(const void *left, const void *right) {
    const fp_band_entry *a = left, *b = right;
    return a->key != b->key ? FP_ORDER(a->key, b->key) : FP_ORDER(a->document, b->document);
}

/* Keys are spread evenly, so that groups are small, but where many documents have one key; these are in order already.
 */
static void sort_group(fp_band_entry *entries, size_t count) {
    size_t at = 1;
    while (at < count && by_key(entries + at - 1, entries + at) <= 0) at++;
    if (at < count) qsort(entries, count, sizeof *entries, by_key);
}

void fp_band_sort(const uint64_t *keys, size_t stride, size_t count, unsigned prefix, fp_band_entry *entries,
                  uint32_t *directory) {
    size_t groups = (size_t)1 << prefix;
    memset(directory, 0, (groups + 1) * sizeof *directory);
    for (size_t i = 0; i < count; i++) directory[prefix ? keys[i * stride] >> (64 - prefix) : 0]++;
    uint32_t before = 0;
    for (size_t g = 0; g <= groups; g++) {
        uint32_t here = directory[g];
        directory[g] = before;
        before += here;
    }
    for (size_t i = 0; i < count; i++) {
        uint64_t key = keys[i * stride];
        entries[directory[prefix ? key >> (64 - prefix) : 0]++] = (fp_band_entry){key, (uint32_t)i};
    }
    memmove(directory + 1, directory, groups * sizeof *directory); /* each group had moved on to where it ends */
    directory[0] = 0;
    for (size_t g = 0; g < groups; g++) sort_group(entries + directory[g], directory[g + 1] - directory[g]);
}

/* ---- Slots as numbers ---- */

fp_status fp_slots_check(const fp_layout *layout, const fp_sketches *sketches, fp_error *error) {
    if (layout->slots == 0 || layout->slot_bits < 1 || layout->slot_bits > 64)
        return fp_fail(error, FP_ERROR_RANGE, "bands need sketches of slots, as MinHash has them");
    if (!sketches) return FP_OK;
    if (sketches->count && sketches->stride != layout->bytes)
        return fp_fail(error, FP_ERROR_RANGE, "sketches of %zu bytes do not fit a layout of %zu", sketches->stride,
                       layout->bytes);
    if (sketches->count >= UINT32_MAX)
        return fp_fail(error, FP_ERROR_RANGE, "%zu documents are too many for one index", sketches->count);
    return FP_OK;
}

static uint64_t packed(const uint64_t *words, size_t i, size_t width) {
    size_t word = i * width / 64, shift = i * width % 64;
    uint64_t value = words[word] >> shift;
    if (shift + width > 64) value |= words[word + 1] << (64 - shift);
    return width == 64 ? value : value & ((UINT64_C(1) << width) - 1);
}

static uint64_t planar(const uint64_t *words, size_t i, size_t width) {
    uint64_t value = 0;
    for (size_t p = 0; p < width; p++) value |= (words[i / 64 * width + p] >> i % 64 & 1) << p;
    return value;
}

void fp_slot_values(const fp_layout *layout, const void *sketch, size_t first, size_t count, uint64_t *values) {
    const uint32_t *integers = sketch; /* of 32 bits: integers of their own, whatever the order of their bytes */
    size_t width = layout->slot_bits;
    for (size_t i = first; i < first + count; i++)
        *values++ = layout->planar ? planar(sketch, i, width) : width == 32 ? integers[i] : packed(sketch, i, width);
}
