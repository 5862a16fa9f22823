/* SPDX-License-Identifier: GPL-3.0-or-later
 * What the units are, in words. */
#include "eval/units/resample.h"

/* What connects documents. Those of a view by document (levels.h) have as groups what duplicates connect, too. */
static const char *connector(const fp_resample *resample) {
    const fp_sampling_units *of = &resample->nodes;
    if (resample->alone) return "Groups or duplicates";
    if (of->kind == FP_SAMPLING_GROUP) return "Groups";
    return of->grouped ? "Groups and duplicates" : "Duplicates";
}

/* "Duplicates connect 200 of the 240 documents, into 57 units; the other 40 are units of their own, 97 in all." */
static const char *describe_nodes(const fp_resample *resample, fp_arena *arena) {
    const fp_sampling_units *of = &resample->nodes;
    if (of->several == 0) return fp_format(arena, "The %zu documents are the units.", of->documents);
    const char *plural = of->several == 1 ? "" : "s";
    size_t others = of->documents - of->connected;
    if (others == 0)
        return fp_format(arena, "%s connect all %zu documents, into %zu unit%s.", connector(resample), of->documents,
                         of->several, plural);
    return fp_format(arena,
                     "%s connect %zu of the %zu documents, into %zu unit%s; each of the others is a unit of its "
                     "own, %zu in all.",
                     connector(resample), of->connected, of->documents, of->several, plural, of->several + others);
}

/* Why they are not what they should be; "" where they are. */
static const char *describe_refused(const fp_resample *resample, fp_arena *arena) {
    const fp_sampling_units *of = &resample->nodes;
    bool nodes = resample->unit == of->kind;
    if (of->refused == 0 || (!nodes && of->refused < of->documents)) return "";
    return fp_format(
        arena,
        " But groups or duplicates connect %zu of the %zu documents into one unit, and of one nothing can be "
        "learned: it is taken apart, and the intervals may be too narrow.",
        of->refused, of->documents);
}

/* What keeps pairs from being independent. */
static const char *describe_shared(const fp_resample *resample, fp_arena *arena) {
    if (resample->alone) return fp_format(arena, "The %zu documents are not independent.", resample->pair_count);
    if (resample->shared_documents == 0)
        return fp_format(arena, "The %zu pairs share no document, but groups or duplicates connect them.",
                         resample->pair_count);
    return fp_format(arena,
                     "The %zu pairs are not independent: %zu of their %zu documents are in several pairs, one of "
                     "them in %zu.",
                     resample->pair_count, resample->shared_documents, resample->document_count, resample->busiest);
}

static const char *describe_independent(const fp_resample *resample, fp_arena *arena) {
    if (resample->alone)
        return fp_format(arena, "No two of the %zu documents are connected by groups or duplicates: each is a unit.",
                         resample->pair_count);
    return fp_format(arena, "No two of the %zu pairs share %s: they are independent, and each is a unit.",
                     resample->pair_count, resample->nodes.grouped ? "documents or groups" : "documents");
}

static const char *describe_units(const fp_resample *resample, fp_arena *arena) {
    if (resample->unit == FP_SAMPLING_PAIR)
        return "Each is a unit as if they were independent, and the intervals are too narrow.";
    if (resample->unit == FP_SAMPLING_PART && !resample->alone)
        return fp_format(arena, "They fall into %zu connected parts, which are the units.", resample->unit_count);
    const char *nodes = describe_nodes(resample, arena);
    if (!nodes) return NULL;
    return fp_format(arena, "%s%s", nodes,
                     resample->crossing ? " Pairs across two units are allowed for by the dyadic-robust variance."
                                        : "");
}

const char *fp_resample_describe(const fp_resample *resample, fp_arena *arena) {
    const char *refused = describe_refused(resample, arena);
    if (!refused) return NULL;
    if (resample->part_count == resample->pair_count && resample->unit == FP_SAMPLING_PAIR) {
        const char *independent = describe_independent(resample, arena);
        return independent ? fp_format(arena, "%s%s", independent, refused) : NULL;
    }
    const char *shared = describe_shared(resample, arena), *units = describe_units(resample, arena);
    return shared && units ? fp_format(arena, "%s %s%s", shared, units, refused) : NULL;
}
