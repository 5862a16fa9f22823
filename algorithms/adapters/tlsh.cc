/* SPDX-License-Identifier: GPL-3.0-or-later
 * TLSH as a plug-in: Trend Micro's locality sensitive hash, by the TLSH library, over the bytes of the normalised text.
 * TLSH has no hash for texts under 256 bytes or with too little variety; such a text is near nothing but its equal.
 * Distances above 1000 are cut. */
#include <cstdio>
#include <cstring>

#include <tlsh.h>

#include <fplab.h>

enum { BYTES = (TLSH_STRING_BUFFER_LEN + 7) / 8 * 8, MOST = 1000 };

static fp_status layout(const void *, fp_layout *out, fp_error *) {
    *out = fp_layout();
    out->bytes = BYTES;
    out->maximum = MOST;
    out->integral = true;
    std::snprintf(out->scale, sizeof out->scale, "TLSH of %d", static_cast<int>(MOST));
    return FP_OK;
}

/* A text without a hash is known by its own FNV-1a; the mark keeps it apart from hashes. */
static void name_without_hash(fp_string text, char *to) {
    unsigned long long hash = 0xcbf29ce484222325u;
    for (size_t i = 0; i < text.length; i++) hash = (hash ^ static_cast<unsigned char>(text.data[i])) * 0x100000001b3u;
    std::snprintf(to, BYTES, "-%016llx", hash);
}

static fp_status sketch(const fp_instance *, const fp_document *document, fp_arena *scratch, fp_sketch *out,
                        fp_error *error) {
    char *hash = static_cast<char *>(fp_arena_alloc(scratch, BYTES, 1));
    if (!hash) return fp_fail(error, FP_ERROR_MEMORY, "out of memory");
    if (document->text.length > UINT32_MAX) return fp_fail(error, FP_ERROR_RANGE, "TLSH takes texts below 4 GiB");
    Tlsh made;
    made.final(reinterpret_cast<const unsigned char *>(document->text.data),
               static_cast<unsigned>(document->text.length));
    made.getHash(hash, TLSH_STRING_BUFFER_LEN);
    if (!*hash) name_without_hash(document->text, hash);
    out->data = hash;
    out->size = BYTES;
    return FP_OK;
}

static double distance(const fp_instance *, fp_sketch a, fp_sketch b) {
    const char *left = static_cast<const char *>(a.data), *right = static_cast<const char *>(b.data);
    if (std::strcmp(left, right) == 0) return 0;
    Tlsh one, other;
    if (*left == '-' || *right == '-' || one.fromTlshStr(left) != 0 || other.fromTlshStr(right) != 0) return MOST;
    int difference = one.totalDiff(&other);
    return difference > MOST ? MOST : difference;
}

static const char *text(const fp_instance *, fp_sketch sketch, fp_arena *arena) {
    char *copy = static_cast<char *>(fp_arena_alloc(arena, sketch.size + 1, 1));
    if (copy) std::strcpy(copy, static_cast<const char *>(sketch.data));
    return copy;
}

static fp_algorithm describe() {
    fp_algorithm made = fp_algorithm();
    made.abi = FP_ABI_VERSION;
    made.needs = FP_NEEDS_TEXT;
    made.name = "tlsh";
    made.summary = "Trend Micro's locality sensitive hash, by the TLSH library";
    made.citation = "Oliver, Cheng, Chen, TLSH: a locality sensitive hash, CTC 2013";
    made.features = "";
    made.layout = layout;
    made.sketch = sketch;
    made.distance = distance;
    made.text = text;
    return made;
}

extern "C" {
__attribute__((visibility("default"))) extern const fp_algorithm fp_plugin;
const fp_algorithm fp_plugin = describe();
}
