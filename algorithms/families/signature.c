/* SPDX-License-Identifier: GPL-3.0-or-later
 * Signatures: packed, compared. */
#include "algorithms/families/signature.h"

#include <math.h>
#include <string.h>

#include "algorithms/kernels/slots.h"
#include "algorithms/families/law.h"

const char *const fp_signature_widths[] = {"32", "64", NULL};

const fp_parameter fp_signature_parameters[] = {FP_SIGNATURE_ROWS(fp_signature), {0}};

static fp_slots_form form_of(const fp_signature *signature) {
    size_t slots = (size_t)signature->slots, planes = (size_t)signature->b;
    bool wide = signature->width == 1;
    size_t bytes = planes ? (slots + 63) / 64 * planes * 8 : (slots * (wide ? 8 : 4) + 7) / 8 * 8;
    return (fp_slots_form){slots, planes, wide, bytes};
}

/* One plane is a bit fingerprint. */
fp_status fp_signature_layout(const void *opaque, fp_layout *out, fp_error *error) {
    (void)error;
    const fp_signature *signature = opaque;
    fp_slots_form form = form_of(signature);
    double bits = form.planes ? (double)form.planes : form.wide ? 64 : 32;
    *out = (fp_layout){.bytes = form.bytes,
                       .bits = form.planes == 1 ? form.slots : 0,
                       .payload = (double)form.slots * bits / 8,
                       .maximum = (double)form.slots,
                       .integral = true,
                       .slots = form.slots,
                       .slot_bits = (size_t)bits,
                       .planar = form.planes > 0};
    snprintf(out->scale, sizeof out->scale, "slots of %zu", form.slots);
    return FP_OK;
}

static void pack_planes(const uint64_t *value, const fp_slots_form *form, uint64_t *planes) {
    for (size_t i = 0; i < form->slots; i++)
        for (size_t p = 0; p < form->planes; p++) planes[i / 64 * form->planes + p] |= (value[i] >> p & 1) << i % 64;
}

fp_status fp_signature_sketch(const fp_instance *self, const fp_document *document, fp_signature_values values,
                              fp_arena *scratch, fp_sketch *out, fp_error *error) {
    fp_slots_form form = form_of(self->parameters);
    uint64_t *value = fp_arena_raw(scratch, form.slots, sizeof *value);
    void *packed = fp_arena_alloc(scratch, form.bytes, 1);
    if (!value || !packed) return fp_no_memory(error);
    FP_TRY(values(self, &document->features, scratch, value, error));
    uint32_t *narrow = packed;
    if (form.planes) pack_planes(value, &form, packed);
    else if (form.wide) memcpy(packed, value, form.bytes);
    else
        for (size_t i = 0; i < form.slots; i++) narrow[i] = (uint32_t)value[i];
    *out = (fp_sketch){packed, form.bytes};
    return FP_OK;
}

/* A table remembers the last hash at each of its places, so that of the repeats of a feature most are seen, and no two
 * features are taken for one. places: a power of 2, 2 or more. */
static size_t drop_repeats(const uint64_t *hash, size_t count, uint64_t *table, size_t places, uint64_t *kept) {
    size_t some = 0;
    memset(table, 0, places * sizeof *table);
    table[0] = 1; /* no hash of this place, as 0 is none of the others */
    for (size_t i = 0; i < count; i++) {
        uint64_t *last = table + (hash[i] & (places - 1));
        kept[some] = hash[i];
        some += *last != hash[i];
        *last = hash[i];
    }
    return some;
}

uint64_t *fp_signature_salted(const fp_signature *signature, const fp_features *features, fp_arena *scratch,
                              size_t *count) {
    enum { MOST_PLACES = 4096 }; /* 32 KiB: the nearest cache */
    uint64_t salt = fp_signature_salt(signature), *salted = fp_arena_raw(scratch, features->count, sizeof *salted);
    if (!salted) return NULL;
    *count = features->count;
    if (!features->weight) {
        size_t places = 2;
        while (places < MOST_PLACES && places < 2 * features->count) places *= 2;
        uint64_t *table = fp_arena_raw(scratch, places, sizeof *table);
        if (!table) return NULL;
        *count = drop_repeats(features->hash, features->count, table, places, salted);
        for (size_t f = 0; f < *count; f++) salted[f] ^= salt;
        return salted;
    }
    for (size_t f = 0; f < features->count; f++) salted[f] = features->hash[f] ^ salt;
    return salted;
}

double fp_signature_distance(const fp_instance *self, fp_sketch a, fp_sketch b) {
    fp_slots_form form = form_of(self->parameters);
    uint32_t differing;
    fp_slots(&form, a.data, b.data, 1, &differing);
    return differing;
}

void fp_signature_distances(const fp_instance *self, fp_sketch query, const fp_sketches *many, size_t first,
                            size_t count, double *out) {
    enum { BATCH = 512 };
    uint32_t differing[BATCH];
    fp_slots_form form = form_of(self->parameters);
    const unsigned char *data = many->data + first * many->stride;
    for (size_t done = 0; done < count;) {
        size_t some = count - done < BATCH ? count - done : BATCH;
        fp_slots(&form, query.data, data + done * many->stride, some, differing);
        for (size_t i = 0; i < some; i++) out[done + i] = differing[i];
        done += some;
    }
}

/* P[slots of sets that share nothing differ]: 1 − 2⁻ᵇ. With 32 bits or more accidents are left out of account. */
static double differing_by_chance(const fp_signature *signature) {
    return signature->b ? 1 - ldexp(1, (int)-signature->b) : 1;
}

double fp_signature_similarity(const fp_instance *self, double distance) {
    return 1 - distance / self->layout.maximum / differing_by_chance(self->parameters);
}

double fp_signature_law(const fp_instance *self, double similarity, double h) {
    return fp_law_binomial(h, (1 - similarity) * differing_by_chance(self->parameters), (unsigned)self->layout.maximum);
}
