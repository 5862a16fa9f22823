/* SPDX-License-Identifier: GPL-3.0-or-later
 * SuperMinHash. Every feature visits all n slots in its own random order, with the value j + r at its j-th visit (j =
 * 0, 1, …; r uniform from [0, 1)); a slot keeps the smallest value. A feature stops when no slot can be improved any
 * more, so that a large set costs little more than one visit per feature. Two slots agree with probability J. A feature
 * that came early to one slot comes late to the others, so that the slots of small sets are negatively correlated: the
 * variance of the agreeing slots is nJ(1 − J)·α(n, f), f the size of the union, α(n, f) = 1 − Σ_{l=1}^{n−1} l^f·((l +
 * 1)^f + (l − 1)^f − 2·l^f) / ((n − 1)^(f−1)·n^f·(f − 1)), below 1 for f > 1, about ½ for sets smaller than n, and near
 * 1 for sets far larger. The law depends on f, so none is given. The value that is kept is the 64 bits of r, which
 * identify feature and visit. For an empty set every slot has the largest value. */
#include <string.h>

#include "algorithms/families/signature.h"

/* The slots while features visit them, and the order of the current feature. */
typedef struct visits {
    size_t slots;
    uint64_t *least;    /* [slots] r of the smallest value */
    uint32_t *level;    /* [slots] its j; `slots` when there is none */
    uint32_t *at_level; /* [slots] slots of that level; those without a value count as slots − 1 */
    size_t highest;     /* the highest level of a slot */
    uint32_t *order;    /* [slots] a permutation under construction */
    uint32_t *owner;    /* [slots] order[i] is valid if owner[i] is the feature's number; else it counts as i */
} visits;

static fp_status open_visits(visits *v, size_t slots, uint64_t *value, fp_arena *scratch, fp_error *error) {
    *v = (visits){.slots = slots,
                  .least = value,
                  .level = FP_NEED(fp_arena_raw(scratch, slots, sizeof *v->level), error),
                  .at_level = FP_NEED(fp_arena_alloc(scratch, slots, sizeof *v->at_level), error),
                  .highest = slots - 1,
                  .order = FP_NEED(fp_arena_raw(scratch, slots, sizeof *v->order), error),
                  .owner = FP_NEED(fp_arena_alloc(scratch, slots, sizeof *v->owner), error)};
    memset(v->least, 0xff, slots * sizeof *v->least);
    for (size_t i = 0; i < slots; i++) v->level[i] = (uint32_t)slots;
    v->at_level[slots - 1] = (uint32_t)slots;
    return FP_OK;
}

/* The slot of the feature's next visit: a step of Fisher and Yates' shuffle on an order that is initialised only where
 * it is used. */
static size_t next_slot(visits *v, uint32_t number, size_t visit, uint64_t random) {
    size_t other = visit + (size_t)((random >> 32) * (v->slots - visit) >> 32);
    if (v->owner[visit] != number) v->owner[visit] = number, v->order[visit] = (uint32_t)visit;
    if (v->owner[other] != number) v->owner[other] = number, v->order[other] = (uint32_t)other;
    uint32_t slot = v->order[other];
    v->order[other] = v->order[visit];
    v->order[visit] = slot;
    return slot;
}

/* Keeps visit + r in the slot when it is smaller. */
static void offer(visits *v, size_t slot, size_t visit, uint64_t r) {
    size_t before = v->level[slot];
    if (visit > before || (visit == before && r >= v->least[slot])) return;
    v->least[slot] = r;
    v->level[slot] = (uint32_t)visit;
    if (before > v->slots - 1) before = v->slots - 1;
    if (visit == before) return;
    v->at_level[before]--;
    v->at_level[visit]++;
    while (v->at_level[v->highest] == 0) v->highest--;
}

static fp_status visit_all(const fp_signature *signature, const fp_features *features, visits *v, uint64_t *value,
                           fp_arena *scratch, fp_error *error) {
    FP_TRY(open_visits(v, (size_t)signature->slots, value, scratch, error));
    uint64_t salt = fp_signature_salt(signature);
    for (size_t f = 0; f < features->count; f++) {
        uint64_t seed = features->hash[f] ^ salt;
        for (size_t visit = 0; visit <= v->highest; visit++) {
            size_t slot = next_slot(v, (uint32_t)f + 1, visit, fp_mix(seed, 2 * visit + 1));
            offer(v, slot, visit, fp_mix(seed, 2 * visit));
        }
    }
    return FP_OK;
}

static fp_status values(const fp_instance *self, const fp_features *features, fp_arena *scratch, uint64_t *value,
                        fp_error *error) {
    visits v;
    return visit_all(self->parameters, features, &v, value, scratch, error);
}

FP_SIGNATURE_FUNCTIONS(values)

/* ---- Explanations ---- */

static fp_status explain(const fp_instance *self, const fp_document *document, fp_arena *scratch, fp_explanation *to,
                         fp_error *error) {
    const fp_signature *signature = self->parameters;
    const fp_features *features = &document->features;
    uint64_t *value = FP_NEED(fp_arena_raw(scratch, (size_t)signature->slots, sizeof *value), error);
    visits v;
    FP_TRY(visit_all(signature, features, &v, value, scratch, error));
    fp_explain_step(to, "slots");
    fp_explain_line(
        to,
        "Every feature visits the slots in an order of its own; its j-th visit brings the value j − 1 + r, r from 0 to 1. The smallest stays.");
    fp_explain_table(to, ">slot|>value");
    for (size_t i = 0; i < v.slots && features->count; i++) {
        fp_explain_cell(to, "%zu", i + 1);
        fp_explain_cell(to, "%.4f", v.level[i] + fp_hash_fraction(value[i]));
    }
    return fp_signature_explain(self, document, values, scratch, to, error);
}

const fp_algorithm fp_algorithm_superminhash = {
    FP_SIGNATURE_MEMBERS,
    .needs = FP_NEEDS_FEATURES,
    .name = "superminhash",
    .summary = "minhash whose slots are filled in a random order by each feature; less variance for small sets",
    .citation =
        "Ertl, SuperMinHash - a new minwise hashing algorithm for Jaccard similarity estimation, arXiv 1706.05698 "
        "(P[slots agree] = J; variance J(1 − J)·α/n, no law in J alone)",
    .features = "features=chars:3,weight=binary",
    FP_SIGNATURE_PARAMETERS,
    .measure = "Jaccard",
    .counterpart = "jaccard",
};
