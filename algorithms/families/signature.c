/* SPDX-License-Identifier: GPL-3.0-or-later
 * Signatures: packed, compared. */
#include "algorithms/families/signature.h"

#include <math.h>
#include <string.h>

#include "algorithms/families/law.h"
#include "algorithms/families/sets.h"

const char *const fp_signature_widths[] = {"32", "64", NULL};

const fp_parameter fp_signature_parameters[] = {FP_SIGNATURE_ROWS, {0}};

fp_slots_form fp_signature_form(const fp_signature *signature) {
    size_t slots = (size_t)signature->slots, planes = (size_t)signature->b;
    bool wide = signature->width == 1;
    size_t bytes = planes ? (slots + 63) / 64 * planes * 8 : (slots * (wide ? 8 : 4) + 7) / 8 * 8;
    return (fp_slots_form){slots, planes, wide, bytes};
}

/* One plane is a bit fingerprint. */
fp_status fp_signature_layout(const void *opaque, fp_layout *out, fp_error *error) {
    (void)error;
    const fp_signature *signature = opaque;
    fp_slots_form form = fp_signature_form(signature);
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

void fp_signature_pack(const fp_slots_form *form, const uint64_t *value, void *packed) {
    uint64_t *planes = packed;
    uint32_t *narrow = packed;
    if (!form->planes && form->wide) memcpy(packed, value, form->bytes);
    for (size_t i = 0; i < form->slots && !form->planes && !form->wide; i++) narrow[i] = (uint32_t)value[i];
    for (size_t i = 0; i < form->slots; i++)
        for (size_t p = 0; p < form->planes; p++) planes[i / 64 * form->planes + p] |= (value[i] >> p & 1) << i % 64;
}

fp_status fp_signature_sketch(const fp_instance *self, const fp_document *document, fp_signature_values values,
                              fp_arena *scratch, fp_sketch *out, fp_error *error) {
    fp_slots_form form = fp_signature_form(self->parameters);
    uint64_t *value = FP_NEED(fp_arena_raw(scratch, form.slots, sizeof *value), error);
    void *packed = FP_NEED(fp_arena_alloc(scratch, form.bytes, 1), error);
    FP_TRY(values(self, &document->features, scratch, value, error));
    fp_signature_pack(&form, value, packed);
    *out = (fp_sketch){.data = packed, .size = form.bytes};
    return FP_OK;
}

/* The table keeps the last hash at each of its places: it drops most repeats of a feature, and never merges two
 * features. places: a power of 2, 2 or more. */
static size_t drop_repeats(const uint64_t *hash, size_t count, uint64_t *table, size_t places, uint64_t *kept) {
    size_t some = 0;
    memset(table, 0, places * sizeof *table);
    table[0] = 1; /* not a hash of this place; 0 is not a hash of any other */
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
    enum { MOST_PLACES = 4096 }; /* 32 KiB: the first-level cache */
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
    fp_slots_form form = fp_signature_form(self->parameters);
    uint32_t differing;
    fp_slots(&form, a.data, b.data, 1, &differing);
    return differing;
}

static void distances(const fp_instance *self, fp_sketch query, const fp_sketches *many, size_t first, size_t count,
                      double *out) {
    enum { BATCH = 512 };
    uint32_t differing[BATCH];
    fp_slots_form form = fp_signature_form(self->parameters);
    const unsigned char *data = many->data + first * many->stride;
    for (size_t done = 0; done < count;) {
        size_t some = count - done < BATCH ? count - done : BATCH;
        fp_slots(&form, query.data, data + done * many->stride, some, differing);
        for (size_t i = 0; i < some; i++) out[done + i] = differing[i];
        done += some;
    }
}

const fp_acceleration fp_signature_acceleration = {.distances = distances};

double fp_signature_chance(const fp_signature *signature) {
    return signature->b ? 1 - ldexp(1, (int)-signature->b) : 1;
}

double fp_signature_similarity(const fp_instance *self, double distance) {
    return 1 - distance / self->layout.maximum / fp_signature_chance(self->parameters);
}

double fp_signature_law(const fp_instance *self, double similarity, double h) {
    return fp_law_binomial(h, (1 - similarity) * fp_signature_chance(self->parameters), (unsigned)self->layout.maximum);
}

/* ----
 * Explanations of signatures. The feature that gave a slot its value is found from the signatures of single features:
 * in every algorithm of the family a feature that wins a slot has the same value there when it is the only one.
 */

/* A document's values, and those of each of its features alone. */
typedef struct explained_values {
    const fp_features *features;
    size_t slots;
    const uint64_t *value; /* [slots] */
    const uint64_t *alone; /* [features->count][slots] */
} explained_values;

static fp_status compute(const fp_instance *self, const fp_features *features, fp_signature_values values,
                         fp_arena *scratch, explained_values *of, fp_error *error) {
    const fp_signature *signature = self->parameters;
    size_t slots = (size_t)signature->slots;
    uint64_t *value = FP_NEED(fp_arena_raw(scratch, slots, sizeof *value), error);
    uint64_t *alone = FP_NEED(fp_arena_raw(scratch, features->count, slots * sizeof *alone), error);
    FP_TRY(values(self, features, scratch, value, error));
    for (size_t f = 0; f < features->count; f++) {
        fp_features one = {1, features->hash + f, features->weight + f, NULL, 1, features->hash + f};
        FP_TRY(values(self, &one, scratch, alone + f * slots, error));
    }
    *of = (explained_values){features, slots, value, alone};
    return FP_OK;
}

/* The feature that gave slot i its value; SIZE_MAX if there is none. */
static size_t winner(const explained_values *of, size_t i) {
    for (size_t f = 0; f < of->features->count; f++)
        if (of->alone[f * of->slots + i] == of->value[i]) return f;
    return SIZE_MAX;
}

static void explain_term(const explained_values *of, size_t f, fp_explanation *to) {
    if (f == SIZE_MAX) fp_explain_cell(to, "(none)");
    else fp_explain_term(to, of->features, f);
}

uint64_t fp_signature_kept(const fp_signature *signature, uint64_t value) {
    if (signature->b) return value & ((UINT64_C(1) << signature->b) - 1);
    return signature->width == 1 ? value : value & UINT32_MAX;
}

static int digits_of(const fp_signature *signature) {
    return signature->b ? (int)(signature->b + 3) / 4 : signature->width == 1 ? 16 : 8;
}

fp_status fp_signature_explain_matrix(const fp_instance *self, const fp_document *document, fp_signature_values values,
                                      fp_arena *scratch, fp_explanation *to, fp_error *error) {
    explained_values of;
    FP_TRY(compute(self, &document->features, values, scratch, &of, error));
    size_t shown = of.slots < FP_EXPLAINED_SLOTS ? of.slots : FP_EXPLAINED_SLOTS;
    char columns[16 * (FP_EXPLAINED_SLOTS + 1)] = "term";
    for (size_t i = 0, at = 4; i < shown; i++)
        at += (size_t)snprintf(columns + at, sizeof columns - at, "|h%zu", i + 1);
    fp_explain_step(to, "signature matrix");
    fp_explain_line(
        to,
        "Each hash function gives each feature a number from 0 to 1; the smallest of a column, marked *, is the slot. Shown are %zu of %zu.",
        shown, of.slots);
    fp_explain_table(to, columns);
    for (size_t f = 0; f < of.features->count; f++) {
        explain_term(&of, f, to);
        for (size_t i = 0; i < shown; i++) {
            uint64_t value = of.alone[f * of.slots + i];
            fp_explain_cell(to, "%.4f%s", fp_hash_fraction(value), value == of.value[i] ? "*" : "");
        }
    }
    return FP_OK;
}

void fp_signature_explain_weights(const fp_document *document, fp_explanation *to) {
    const fp_features *features = &document->features;
    double total = 0;
    for (size_t f = 0; f < features->count; f++) total += features->weight[f];
    fp_explain_step(to, "weights");
    fp_explain_line(to, "Every slot takes one feature, with a chance that is its share of the weight.");
    fp_explain_table(to, "term|>weight|>share");
    for (size_t f = 0; f < features->count; f++) {
        fp_explain_term(to, features, f);
        fp_explain_cell(to, "%.6g", features->weight[f]);
        fp_explain_cell(to, "%.4f", features->weight[f] / total);
    }
}

fp_status fp_signature_explain(const fp_instance *self, const fp_document *document, fp_signature_values values,
                               fp_arena *scratch, fp_explanation *to, fp_error *error) {
    const fp_signature *signature = self->parameters;
    explained_values of;
    FP_TRY(compute(self, &document->features, values, scratch, &of, error));
    fp_explain_step(to, "signature");
    if (signature->b) fp_explain_line(to, "Of every slot the lowest %d bits are kept.", (int)signature->b);
    fp_explain_table(to, ">slot|term|kept");
    for (size_t i = 0; i < of.slots; i++) {
        fp_explain_cell(to, "%zu", i + 1);
        explain_term(&of, winner(&of, i), to);
        fp_explain_cell(to, "%0*llx", digits_of(signature),
                        (unsigned long long)fp_signature_kept(signature, of.value[i]));
    }
    return FP_OK;
}

fp_status fp_signature_explain_pair(const fp_instance *self, const fp_document *a, const fp_document *b,
                                    fp_signature_values values, fp_arena *scratch, fp_explanation *to,
                                    fp_error *error) {
    const fp_signature *signature = self->parameters;
    explained_values left, right;
    FP_TRY(compute(self, &a->features, values, scratch, &left, error));
    FP_TRY(compute(self, &b->features, values, scratch, &right, error));
    fp_explain_step(to, "slots side by side");
    fp_explain_table(to, ">slot|A|B|agree");
    size_t agreeing = 0;
    for (size_t i = 0; i < left.slots; i++) {
        bool agree = fp_signature_kept(signature, left.value[i]) == fp_signature_kept(signature, right.value[i]);
        bool same = left.value[i] == right.value[i];
        agreeing += agree;
        fp_explain_cell(to, "%zu", i + 1);
        explain_term(&left, winner(&left, i), to);
        explain_term(&right, winner(&right, i), to);
        fp_explain_cell(to, "%s", same ? "yes" : agree ? "by chance" : "");
    }
    fp_explain_line(to, "%zu of %zu slots agree.", agreeing, left.slots);
    return FP_OK;
}
