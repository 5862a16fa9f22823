/* SPDX-License-Identifier: GPL-3.0-or-later
 * Bands of slots: their choice, their keys, and the pairs that share a key. */
#include "pairs/band_keys.h"

#include <math.h>
#include <stdatomic.h>
#include <stdio.h>

#include "pairs/lsh_tables.h"

/* ---- Slots as numbers ---- */

static fp_status check_slots(const fp_layout *layout, const fp_sketches *sketches, fp_error *error) {
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
    const uint32_t *integers = sketch; /* slots of 32 bits are stored as native integers */
    size_t width = layout->slot_bits;
    for (size_t i = first; i < first + count; i++)
        *values++ = layout->planar ? planar(sketch, i, width) : width == 32 ? integers[i] : packed(sketch, i, width);
}

/* ---- Choice of bands ---- */

bool fp_layout_takes_bands(const fp_layout *layout) {
    return layout->bits == 0 && layout->slots > 0 && layout->slots <= FP_BANDING_SLOTS && layout->slot_bits <= 64;
}

fp_status fp_arm_bands(const fp_arm *arm, double within, double recall, fp_banding *banding, fp_error *error) {
    const fp_layout *layout = fp_arm_layout(arm);
    double similarity = fp_arm_similarity(arm, floor(within));
    fp_lsh_spec spec = {.kind = FP_LSH_BANDING, .similarity = similarity, .recall = recall};
    fp_lsh_form form;
    *banding = floor(within) > 0 ? (fp_banding){(unsigned)layout->slots, 1} : (fp_banding){1, (unsigned)layout->slots};
    if (!*fp_arm_measure(arm) || !(recall < 1 && similarity > 0 && similarity < 1)) return FP_OK;
    FP_TRY(check_slots(layout, NULL, error));
    FP_TRY(fp_lsh_settle(&spec, layout, &form, error));
    *banding = (fp_banding){form.parts, form.rows};
    return FP_OK;
}

double fp_arm_bands_recall(const fp_arm *arm, fp_banding banding, double distance) {
    const fp_layout *layout = fp_arm_layout(arm);
    double differing = floor(distance);
    return differing < banding.bands ? 1 : fp_banding_probability(banding, 1 - differing / (double)layout->slots);
}

static fp_status check_banding(const fp_layout *layout, fp_banding banding, const fp_sketches *sketches,
                               fp_error *error) {
    FP_TRY(check_slots(layout, sketches, error));
    if (banding.bands < 1 || banding.rows < 1)
        return fp_fail(error, FP_ERROR_RANGE, "%u bands of %u slots: at least one band of one slot is needed",
                       banding.bands, banding.rows);
    if ((uint64_t)banding.bands * banding.rows > layout->slots)
        return fp_fail(error, FP_ERROR_RANGE, "%u bands of %u slots need %llu, and the sketch has %zu", banding.bands,
                       banding.rows, (unsigned long long)banding.bands * banding.rows, layout->slots);
    if (banding.bands > FP_BANDS_MOST || banding.rows > FP_BANDING_SLOTS)
        return fp_fail(error, FP_ERROR_RANGE, "%u bands of %u slots: at most %d of %d are kept", banding.bands,
                       banding.rows, FP_BANDS_MOST, FP_BANDING_SLOTS);
    return FP_OK;
}

/* ---- Keys ---- */

/* Bytes are little-endian on every processor, so that the hash is the same. */
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

/* The arguments of make_piece, which calls `make` for each sketch, on several threads. */
typedef struct keys_of {
    void (*make)(const struct keys_of *of, size_t i);
    const fp_layout *layout;
    const fp_sketches *sketches;
    fp_banding banding;
    const uint64_t *masks; /* [tables·words] for bits; NULL: bands */
    const fp_key_bits *bits;
    size_t tables, words;
    uint64_t *keys;
} keys_of;

enum { PIECE = 4096 };

static size_t piece_count(const keys_of *of) { return (of->sketches->count + PIECE - 1) / PIECE; }

static fp_status make_piece(void *context, size_t piece, fp_arena *arena, fp_error *error) {
    const keys_of *of = context;
    size_t count = of->sketches->count, end = (piece + 1) * PIECE < count ? (piece + 1) * PIECE : count;
    (void)arena, (void)error;
    for (size_t i = piece * PIECE; i < end; i++) of->make(of, i);
    return FP_OK;
}

static void make_keys(const keys_of *of, size_t i) {
    uint64_t own[FP_BANDS_MOST];
    fp_band_keys(of->layout, of->banding, fp_sketches_at(of->sketches, i).data, own);
    for (size_t b = 0; b < of->banding.bands; b++) of->keys[b * of->sketches->count + i] = own[b];
}

fp_status fp_band_keys_each(const fp_layout *layout, fp_banding banding, const fp_sketches *sketches, uint64_t *keys,
                            const fp_arenas *arenas, const fp_progress *progress, fp_error *error) {
    keys_of of = {.make = make_keys, .layout = layout, .sketches = sketches, .banding = banding, .keys = keys};
    fp_progress quiet = fp_progress_quiet(progress);
    FP_TRY(check_banding(layout, banding, sketches, error));
    return fp_parallel(piece_count(&of), arenas, true, make_piece, &of, "keys", &quiet, error);
}

/* ---- All pairs: the keys of a band are fingerprints of 64 bits at distance 0 ---- */

typedef struct joining {
    size_t band, count; /* the current band; number of sketches */
    uint64_t *keys;     /* [bands·count] */
    fp_take_found_pairs take;
    void *context;
    atomic_uint_fast64_t found_pairs;
} joining;

static bool agree_before(const joining *it, uint32_t a, uint32_t b) {
    for (size_t band = 0; band < it->band; band++)
        if (it->keys[band * it->count + a] == it->keys[band * it->count + b]) return true;
    return false;
}

static fp_status take_fresh(void *context, const fp_found_pair *pairs, size_t count, fp_error *error) {
    joining *it = context;
    enum { EACH = 1024 };
    fp_found_pair fresh[EACH];
    size_t found = 0;
    for (size_t i = 0; i < count; i++) {
        if (!agree_before(it, pairs[i].a, pairs[i].b)) fresh[found++] = pairs[i];
        if (!found || (found < EACH && i + 1 < count)) continue;
        atomic_fetch_add_explicit(&it->found_pairs, found, memory_order_relaxed);
        FP_TRY(it->take(it->context, fresh, found, error));
        found = 0;
    }
    return FP_OK;
}

fp_status fp_band_pairs(const fp_layout *layout, fp_banding banding, const fp_sketches *sketches,
                        fp_take_found_pairs take, void *context, const fp_arenas *arenas, const fp_progress *progress,
                        uint64_t *candidates, fp_error *error) {
    static const fp_block_design SAME = {.bits = 64, .level_count = 1, .level = {{1, 1}}};
    const fp_progress quiet = fp_progress_quiet(progress);
    joining it = {.count = sketches->count, .take = take, .context = context};
    FP_TRY(check_banding(layout, banding, sketches, error));
    FP_SCRATCH(scratch, arenas->each[0], error);
    it.keys = FP_NEED(fp_arena_raw(scratch, sketches->count * banding.bands, sizeof *it.keys), error);
    FP_TRY(fp_band_keys_each(layout, banding, sketches, it.keys, arenas, progress, error));
    for (; it.band < banding.bands; it.band++) {
        const fp_block_source source = {it.keys + it.band * it.count, NULL, it.count};
        FP_TRY(fp_block_pairs(&SAME, &source, take_fresh, &it, arenas, &quiet, error));
        if (progress && progress->report) progress->report(progress->context, "pairs", it.band + 1, banding.bands);
    }
    if (candidates) *candidates = it.found_pairs;
    return FP_OK;
}

/* ---- Keys of designs, for joins elsewhere (fplab/columns.h) ---- */

/* "bands=16,rows=8" */
static fp_status parse_bands(const char *text, fp_banding *banding, fp_error *error) {
    unsigned long bands, rows;
    int end = 0;
    if (sscanf(text, "bands=%5lu,rows=%5lu%n", &bands, &rows, &end) != 2 || text[end])
        return fp_fail(error, FP_ERROR_SYNTAX, "a design of slots is written bands=N,rows=N, not %s", text);
    *banding = (fp_banding){(unsigned)bands, (unsigned)rows};
    return FP_OK;
}

static fp_status make_bands(const fp_arm *arm, const char *text, double recall, fp_key_design *design,
                            fp_error *error) {
    const fp_layout *layout = fp_arm_layout(arm);
    const fp_sketches none = {.count = 0, .stride = layout->bytes};
    fp_banding banding;
    if (text) FP_TRY(parse_bands(text, &banding, error));
    else FP_TRY(fp_arm_bands(arm, design->within, recall, &banding, error));
    FP_TRY(check_banding(layout, banding, &none, error));
    design->tables = banding.bands;
    design->recall = fp_arm_bands_recall(arm, banding, design->within);
    snprintf(design->text, sizeof design->text, "bands=%u,rows=%u", banding.bands, banding.rows);
    return FP_OK;
}

static fp_status make_blocks(const fp_arm *arm, const char *text, size_t count, fp_key_design *design,
                             fp_error *error) {
    unsigned bits = (unsigned)fp_arm_layout(arm)->bits, within = (unsigned)design->within;
    fp_block_design blocks;
    if (text) FP_TRY(fp_block_design_parse(text, bits, within, &blocks, error));
    else FP_TRY(fp_block_design_choose(bits, within, count ? (double)count : 1, 0, &blocks, error));
    if (blocks.level_count == 0 && text)
        return fp_fail(error, FP_ERROR_RANGE, "the design %s has no keys: every pair would be compared", text);
    if (blocks.level_count == 0) { /* with few sketches or a large distance a linear scan is faster */
        blocks = (fp_block_design){.bits = bits, .distance = within, .level_count = 1, .level = {{within + 1, 1}}};
        FP_TRY(fp_block_design_check(&blocks, error));
    }
    FP_SCRATCH(scratch, arm->arena, error);
    snprintf(design->text, sizeof design->text, "%s", FP_NEED(fp_block_design_text(&blocks, scratch), error));
    design->tables = fp_block_design_tables(&blocks);
    design->recall = 1;
    return FP_OK;
}

fp_status fp_key_design_make(const fp_arm *arm, const char *text, double within, double recall, size_t count,
                             fp_key_design *design, fp_error *error) {
    const fp_layout *layout = fp_arm_layout(arm);
    *design = (fp_key_design){.within = within};
    if (!(within >= 0) || within >= layout->maximum)
        return fp_fail(error, FP_ERROR_RANGE,
                       "a threshold of %g; it must be at least 0 and less than %g, where every pair matches", within,
                       layout->maximum);
    if (!(recall > 0 && recall <= 1))
        return fp_fail(error, FP_ERROR_RANGE, "recall must be above 0 and at most 1, not %g", recall);
    if (layout->bits) return make_blocks(arm, text, count, design, error);
    if (fp_layout_takes_bands(layout)) return make_bands(arm, text, recall, design, error);
    return fp_fail(error, FP_ERROR_RANGE, "%s has neither bits nor slots, so it has no keys for near pairs",
                   fp_arm_name(arm));
}

static void make_places(const keys_of *of, size_t i) {
    const uint64_t *sketch = fp_sketches_at(of->sketches, i).data;
    uint64_t *row = of->keys + i * of->tables;
    if (!of->layout->bits) fp_slot_values(of->layout, sketch, 0, of->tables, row);
    for (size_t p = 0; of->layout->bits && p < of->tables; p++) row[p] = sketch[p / 64] >> p % 64 & 1;
}

static uint64_t block_key(const keys_of *of, size_t table, const uint64_t *sketch) {
    uint64_t masked[FP_BLOCK_WORDS];
    if (of->bits[table].bits <= 64) return fp_key_bits_of(of->bits + table, sketch);
    for (size_t w = 0; w < of->words; w++) {
        masked[w] = sketch[w] & of->masks[table * of->words + w];
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
        masked[w] = __builtin_bswap64(masked[w]);
#endif
    }
    return fp_xxh3(masked, of->words * sizeof *masked, table);
}

static void make_row(const keys_of *of, size_t i) {
    const void *sketch = fp_sketches_at(of->sketches, i).data;
    uint64_t *row = of->keys + i * of->tables;
    if (!of->masks) fp_band_keys(of->layout, of->banding, sketch, row);
    for (size_t t = 0; of->masks && t < of->tables; t++) row[t] = block_key(of, t, sketch);
}

static fp_status open_blocks(keys_of *of, const fp_key_design *design, fp_arena *arena, fp_error *error) {
    unsigned bits = (unsigned)of->layout->bits;
    fp_block_design blocks;
    uint64_t *masks;
    FP_TRY(fp_block_design_parse(design->text, bits, (unsigned)design->within, &blocks, error));
    FP_TRY(fp_block_design_masks(&blocks, arena, &masks, error));
    of->words = fp_block_words(bits);
    of->tables = fp_block_design_tables(&blocks);
    of->masks = masks;
    fp_key_bits *cut = FP_NEED(fp_arena_alloc(arena, of->tables, sizeof *cut), error);
    for (size_t t = 0; t < of->tables; t++)
        FP_TRY(fp_key_bits_cut(masks + t * of->words, of->words, arena, cut + t, error));
    of->bits = cut;
    return FP_OK;
}

fp_status fp_column_places(const fp_arm *arm, const fp_sketches *sketches, uint64_t *out, const fp_progress *progress,
                           fp_error *error) {
    const fp_layout *layout = fp_arm_layout(arm);
    keys_of of = {.make = make_places,
                  .layout = layout,
                  .sketches = sketches,
                  .tables = layout->bits ? layout->bits : layout->slots,
                  .keys = out};
    FP_TRY(fp_sketches_check(arm, sketches, false, error));
    if (!layout->bits) FP_TRY(check_slots(layout, NULL, error));
    FP_SCRATCH(arena, arm->arena, error);
    return fp_parallel_in(arena, piece_count(&of), make_piece, &of, "keys", progress, error);
}

fp_status fp_column_keys(const fp_arm *arm, const fp_key_design *design, const fp_sketches *sketches, uint64_t *keys,
                         const fp_progress *progress, fp_error *error) {
    keys_of of = {.make = make_row, .layout = fp_arm_layout(arm), .sketches = sketches, .keys = keys};
    FP_TRY(fp_sketches_check(arm, sketches, true, error));
    FP_SCRATCH(arena, arm->arena, error);
    if (of.layout->bits) FP_TRY(open_blocks(&of, design, arena, error));
    else {
        FP_TRY(parse_bands(design->text, &of.banding, error));
        FP_TRY(check_banding(of.layout, of.banding, sketches, error));
        of.tables = of.banding.bands;
    }
    if (of.tables != design->tables)
        return fp_fail(error, FP_ERROR_RANGE, "%s has %zu tables, not %zu", design->text, of.tables, design->tables);
    return fp_parallel_in(arena, piece_count(&of), make_piece, &of, "keys", progress, error);
}
