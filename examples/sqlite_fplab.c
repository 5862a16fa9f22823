/* SPDX-License-Identifier: GPL-3.0-or-later
 * Fingerprints in SQL: an extension that SQLite loads.
 *
 *     cc -shared -fPIC sqlite_fplab.c $(pkg-config --cflags --libs fplab) -o sqlite_fplab.so
 *     sqlite3 texts.db
 *     sqlite> .load ./sqlite_fplab
 *     sqlite> alter table notes add column fingerprint blob;
 *     sqlite> update notes set fingerprint = fp_sketch('simhash:features=words', text);
 *     sqlite> select a.id, b.id from notes a join notes b on a.id < b.id
 *        ...>  where fp_hamming(a.fingerprint, b.fingerprint) <= 10;
 *
 * fp_sketch(ARM, TEXT)        the fingerprint, a blob as in a collection (docs/index-format.md); NULL if it is empty
 * fp_hamming(A, B)            bits that differ between two blobs of one length
 * fp_distance(ARM, A, B)      the distance of two blobs of the arm
 * fp_jaccard(A, B [, SPEC])   the Jaccard coefficient of two texts, of features SPEC (features=chars:3)
 *
 * An arm is parsed once per statement. Arms that learn from a corpus are refused: a fitted arm is a model file, which
 * these functions do not take. NULL in, NULL out. */
#include <stdint.h>
#include <string.h>

#include <fplab.h>
#include <sqlite3ext.h>

SQLITE_EXTENSION_INIT1

/* An arm and the arena that it lives in. */
typedef struct prepared {
    fp_arena *arena;
    fp_arm *arm;
} prepared;

static void release(void *opened) {
    prepared *with = opened;
    fp_arena_free(with->arena);
    sqlite3_free(with);
}

static prepared *prepare(sqlite3_context *context, const char *spec) {
    fp_error error;
    prepared *made = sqlite3_malloc(sizeof *made);
    if (!made) return NULL;
    made->arena = fp_arena_new();
    fp_status status = made->arena ? fp_arm_parse(spec, NULL, made->arena, &made->arm, &error) : FP_ERROR_MEMORY;
    if (status == FP_OK && !fp_arm_learns(made->arm)) return made;
    if (status == FP_OK)
        sqlite3_result_error(context, "the arm learns from a corpus: its fingerprints need a model", -1);
    else if (status == FP_ERROR_MEMORY) sqlite3_result_error_nomem(context);
    else sqlite3_result_error(context, error.message, -1);
    release(made);
    return NULL;
}

/* The arm of argument `which`, kept for the other rows of the statement if the argument is the same for all. */
static prepared *arm_of(sqlite3_context *context, int which, const char *spec) {
    prepared *kept = sqlite3_get_auxdata(context, which);
    if (kept) return kept;
    kept = prepare(context, spec);
    if (!kept) return NULL;
    sqlite3_set_auxdata(context, which, kept, release);
    return sqlite3_get_auxdata(context, which); /* NULL if SQLite could not keep it, and released it */
}

static fp_string text_of(sqlite3_value *value) {
    fp_string text = {(const char *)sqlite3_value_text(value), 0};
    text.length = (size_t)sqlite3_value_bytes(value);
    return text;
}

/* The sketch of a text, in the arena. Returns 0 after reporting an error, or if `arena` is NULL. */
static int sketch_text(sqlite3_context *context, const fp_arm *arm, sqlite3_value *value, fp_arena *arena,
                       fp_sketch *sketch) {
    fp_error error;
    if (!arena || fp_arm_sketch(arm, text_of(value), arena, sketch, &error) == FP_OK) return arena != NULL;
    sqlite3_result_error(context, error.message, -1);
    return 0;
}

static int any_null(int count, sqlite3_value **values) {
    for (int i = 0; i < count; i++)
        if (sqlite3_value_type(values[i]) == SQLITE_NULL) return 1;
    return 0;
}

static void sql_sketch(sqlite3_context *context, int count, sqlite3_value **values) {
    fp_sketch sketch;
    if (any_null(count, values)) return;
    prepared *with = arm_of(context, 0, (const char *)sqlite3_value_text(values[0]));
    if (!with) return;
    fp_arena *arena = fp_arena_new();
    if (sketch_text(context, with->arm, values[1], arena, &sketch) && !sketch.empty)
        sqlite3_result_blob64(context, sketch.data, sketch.size, SQLITE_TRANSIENT);
    fp_arena_free(arena);
}

static void sql_hamming(sqlite3_context *context, int count, sqlite3_value **values) {
    if (any_null(count, values)) return;
    const unsigned char *a = sqlite3_value_blob(values[0]), *b = sqlite3_value_blob(values[1]);
    int bytes = sqlite3_value_bytes(values[0]), differing = 0;
    if (bytes != sqlite3_value_bytes(values[1])) {
        sqlite3_result_error(context, "fp_hamming takes two fingerprints of one length", -1);
        return;
    }
    for (int i = 0; i < bytes; i++)
        for (unsigned differ = a[i] ^ b[i]; differ; differ &= differ - 1) differing++;
    sqlite3_result_int(context, differing);
}

/* A copy of the blob, aligned as sketches are. */
static int sketch_of_blob(sqlite3_value *value, fp_arena *arena, fp_sketch *sketch) {
    size_t bytes = (size_t)sqlite3_value_bytes(value);
    void *copy = arena ? fp_arena_raw(arena, bytes, 1) : NULL;
    if (!copy) return 0;
    if (bytes) memcpy(copy, sqlite3_value_blob(value), bytes);
    *sketch = (fp_sketch){.data = copy, .size = bytes};
    return 1;
}

static void sql_distance(sqlite3_context *context, int count, sqlite3_value **values) {
    fp_sketch a, b;
    if (any_null(count, values)) return;
    prepared *with = arm_of(context, 0, (const char *)sqlite3_value_text(values[0]));
    if (!with) return;
    size_t bytes = fp_arm_layout(with->arm)->bytes;
    fp_arena *arena = fp_arena_new();
    if (!sketch_of_blob(values[1], arena, &a) || !sketch_of_blob(values[2], arena, &b))
        sqlite3_result_error_nomem(context);
    else if (!bytes) sqlite3_result_error(context, "fp_distance takes arms whose fingerprints have one length", -1);
    else if (a.size != bytes || b.size != bytes)
        sqlite3_result_error(context, "not a fingerprint of this arm: another length", -1);
    else sqlite3_result_double(context, fp_arm_distance(with->arm, a, b));
    fp_arena_free(arena);
}

static void sql_jaccard(sqlite3_context *context, int count, sqlite3_value **values) {
    fp_sketch a, b;
    if (any_null(count, values)) return;
    char *spec =
        sqlite3_mprintf("jaccard:%s", count > 2 ? (const char *)sqlite3_value_text(values[2]) : "features=chars:3");
    prepared *with = spec ? prepare(context, spec) : NULL;
    sqlite3_free(spec);
    if (!with) return;
    if (sketch_text(context, with->arm, values[0], with->arena, &a) &&
        sketch_text(context, with->arm, values[1], with->arena, &b) && !a.empty && !b.empty)
        sqlite3_result_double(context, fp_arm_similarity(with->arm, fp_arm_distance(with->arm, a, b)));
    release(with);
}

int sqlite3_sqlitefplab_init(sqlite3 *database, char **message, const sqlite3_api_routines *api);
int sqlite3_sqlitefplab_init(sqlite3 *database, char **message, const sqlite3_api_routines *api) {
    static const struct {
        const char *name;
        int arguments;
        void (*call)(sqlite3_context *, int, sqlite3_value **);
    } FUNCTIONS[] = {{"fp_sketch", 2, sql_sketch},
                     {"fp_hamming", 2, sql_hamming},
                     {"fp_distance", 3, sql_distance},
                     {"fp_jaccard", 2, sql_jaccard},
                     {"fp_jaccard", 3, sql_jaccard}};
    SQLITE_EXTENSION_INIT2(api)
    (void)message;
    for (size_t i = 0; i < sizeof FUNCTIONS / sizeof *FUNCTIONS; i++) {
        int status = sqlite3_create_function(database, FUNCTIONS[i].name, FUNCTIONS[i].arguments,
                                             SQLITE_UTF8 | SQLITE_DETERMINISTIC, NULL, FUNCTIONS[i].call, NULL, NULL);
        if (status != SQLITE_OK) return status;
    }
    return SQLITE_OK;
}
