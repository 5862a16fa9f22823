/* SPDX-License-Identifier: GPL-3.0-or-later
 * Signatures, told. Which feature gave a slot its value is found from the signatures of the features alone: in every
 * algorithm of the family a feature that wins a slot has the same value there when it is the only one. */
#include "algorithms/families/signature.h"

/* A document's values, and those of each of its features alone. */
typedef struct told_values {
    const fp_features *features;
    size_t slots;
    const uint64_t *value; /* [slots] */
    const uint64_t *alone; /* [features->count][slots] */
} told_values;

static fp_status compute(const fp_instance *self, const fp_features *features, fp_signature_values values,
                         fp_arena *scratch, told_values *told, fp_error *error) {
    const fp_signature *signature = self->parameters;
    size_t slots = (size_t)signature->slots;
    uint64_t *value = fp_arena_raw(scratch, slots, sizeof *value);
    uint64_t *alone = fp_arena_raw(scratch, features->count, slots * sizeof *alone);
    if (!value || !alone) return fp_no_memory(error);
    FP_TRY(values(self, features, scratch, value, error));
    for (size_t f = 0; f < features->count; f++) {
        fp_features one = {1, features->hash + f, features->weight + f, NULL, 1, features->hash + f};
        FP_TRY(values(self, &one, scratch, alone + f * slots, error));
    }
    *told = (told_values){features, slots, value, alone};
    return FP_OK;
}

/* The feature that slot i took; SIZE_MAX when there are none. */
static size_t winner(const told_values *told, size_t i) {
    for (size_t f = 0; f < told->features->count; f++)
        if (told->alone[f * told->slots + i] == told->value[i]) return f;
    return SIZE_MAX;
}

static void tell_term(const told_values *told, size_t f, fp_explanation *to) {
    fp_string term = f == SIZE_MAX ? fp_string_of("(none)") : fp_features_term(told->features, f);
    fp_explain_cell(to, "%.*s", (int)term.length, term.data);
}

/* The bits that the sketch keeps of a value. */
static uint64_t kept(const fp_signature *signature, uint64_t value) {
    if (signature->b) return value & ((UINT64_C(1) << signature->b) - 1);
    return signature->width == 1 ? value : value & UINT32_MAX;
}

static int digits_of(const fp_signature *signature) {
    return signature->b ? (int)(signature->b + 3) / 4 : signature->width == 1 ? 16 : 8;
}

fp_status fp_signature_tell_matrix(const fp_instance *self, const fp_document *document, fp_signature_values values,
                                   fp_arena *scratch, fp_explanation *to, fp_error *error) {
    told_values told;
    FP_TRY(compute(self, &document->features, values, scratch, &told, error));
    size_t shown = told.slots < FP_TOLD_SLOTS ? told.slots : FP_TOLD_SLOTS;
    char columns[16 * (FP_TOLD_SLOTS + 1)] = "term";
    for (size_t i = 0, at = 4; i < shown; i++)
        at += (size_t)snprintf(columns + at, sizeof columns - at, "|h%zu", i + 1);
    fp_explain_step(to, "signature matrix");
    fp_explain_line(
        to,
        "Each hash function gives each feature a number from 0 to 1; the smallest of a column, marked *, is the slot. Shown are %zu of %zu.",
        shown, told.slots);
    fp_explain_table(to, columns);
    for (size_t f = 0; f < told.features->count; f++) {
        tell_term(&told, f, to);
        for (size_t i = 0; i < shown; i++) {
            uint64_t value = told.alone[f * told.slots + i];
            fp_explain_cell(to, "%.4f%s", fp_hash_fraction(value), value == told.value[i] ? "*" : "");
        }
    }
    return FP_OK;
}

fp_status fp_signature_tell(const fp_instance *self, const fp_document *document, fp_signature_values values,
                            fp_arena *scratch, fp_explanation *to, fp_error *error) {
    const fp_signature *signature = self->parameters;
    told_values told;
    FP_TRY(compute(self, &document->features, values, scratch, &told, error));
    fp_explain_step(to, "signature");
    if (signature->b) fp_explain_line(to, "Of every slot the lowest %d bits are kept.", (int)signature->b);
    fp_explain_table(to, ">slot|term|kept");
    for (size_t i = 0; i < told.slots; i++) {
        fp_explain_cell(to, "%zu", i + 1);
        tell_term(&told, winner(&told, i), to);
        fp_explain_cell(to, "%0*llx", digits_of(signature), (unsigned long long)kept(signature, told.value[i]));
    }
    return FP_OK;
}

fp_status fp_signature_tell_pair(const fp_instance *self, const fp_document *a, const fp_document *b,
                                 fp_signature_values values, fp_arena *scratch, fp_explanation *to, fp_error *error) {
    const fp_signature *signature = self->parameters;
    told_values left, right;
    FP_TRY(compute(self, &a->features, values, scratch, &left, error));
    FP_TRY(compute(self, &b->features, values, scratch, &right, error));
    fp_explain_step(to, "slots side by side");
    fp_explain_table(to, ">slot|A|B|agree");
    size_t agreeing = 0;
    for (size_t i = 0; i < left.slots; i++) {
        bool agree = kept(signature, left.value[i]) == kept(signature, right.value[i]);
        bool same = left.value[i] == right.value[i];
        agreeing += agree;
        fp_explain_cell(to, "%zu", i + 1);
        tell_term(&left, winner(&left, i), to);
        tell_term(&right, winner(&right, i), to);
        fp_explain_cell(to, "%s", same ? "yes" : agree ? "by chance" : "");
    }
    fp_explain_line(to, "%zu of %zu slots agree.", agreeing, left.slots);
    return FP_OK;
}
