/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * fplab/algorithm.h - the interface of a fingerprint algorithm, built in or a plug-in.
 */
#ifndef FPLAB_ALGORITHM_H
#define FPLAB_ALGORITHM_H 1

#include <fplab/explanation.h>
#include <fplab/memory.h>
#include <fplab/sketch.h>
#include <fplab/status.h>
#include <fplab/text.h>

FP_BEGIN

/* ---- Parameters ---- */

typedef enum fp_type {
    FP_INTEGER, /* int64_t */
    FP_REAL,    /* double */
    FP_CHOICE,  /* int64_t, an index into `choices` */
    FP_TEXT,    /* const char *, terminated by NUL, owned by the arm; never NULL */
    FP_FILE     /* as FP_TEXT: the path of a file to read; required where the default is "" */
} fp_type;

/* One row of a parameter table. The table is the only source for parsing, bounds, help, the JSON echo and the
 * documentation. */
typedef struct fp_parameter {
    const char *name;
    fp_type type;
    const char *unit;           /* "bits", "slots", … or "" */
    const char *help;           /* one line */
    const char *initial;        /* default, as a user would write it */
    double minimum, maximum;    /* inclusive; for FP_INTEGER and FP_REAL */
    const char *const *choices; /* for FP_CHOICE: names, terminated by NULL */
    size_t offset;              /* offsetof(struct, member) in the parameter struct */
} fp_parameter;

/* ---- Algorithms ---- */

typedef struct fp_algorithm fp_algorithm;

/* An algorithm with its parameters bound and, after fitting, its model. Read-only once made. */
typedef struct fp_instance {
    const fp_algorithm *algorithm;
    const void *parameters; /* the algorithm's own struct */
    const void *model;      /* the fitted model; NULL before fitting, and for an algorithm that learns nothing */
    fp_layout layout;
    bool whole; /* weights are integers for every text (weight=binary, tf, levels, length) */
} fp_instance;

/* Parts of a document that an algorithm reads. */
enum {
    FP_NEEDS_TEXT = 1,     /* fp_document.text */
    FP_NEEDS_FEATURES = 2, /* features.hash and .weight */
    FP_NEEDS_SEQUENCE = 4, /* features.sequence */
    FP_NEEDS_INITIALS = 8, /* fp_document.initials */
    FP_NEEDS_HASH_BITS =
        16, /* bit j of the fingerprint comes from bit j of the term hashes: a term table must have the same width */
    FP_NEEDS_PAIRS = 32, /* fp_training.pairs: all pairs inside groups when the truth is groups */
    /* How the algorithm uses repeated features, so that they need not be counted. A feature may then appear once per
     * occurrence, each time with weight 1; features.weight is then NULL. Sketches and models are the same to the last
     * bit. Explanations always read counted features. */
    FP_ADDS_FEATURES = 64,  /* a feature of weight w equals w features of weight 1: where weight=tf */
    FP_MARKS_FEATURES = 128 /* weights are not read, and repeating a feature changes nothing */
};

/* Source of an algorithm's model: it is fitted to documents (begin, read, add, end: all four or none), or opened from
 * files that the parameters name. Documents are added in order, so the model is the same for any number of threads:
 *
 *     begin, then for each document read and add, then end */
typedef struct fp_learning {
    /* Creates the state in `arena`. The state and `training` live until `end`. */
    fp_status (*begin)(const fp_instance *self, const fp_training *training, fp_arena *arena, void **state,
                       fp_error *error);
    /* Writes to `scratch` everything that is learned from one document: numbers in the algorithm's own format. The
     * caller copies them to storage aligned to 16. Thread-safe; it does not see the state. An empty document is
     * legal. */
    fp_status (*read)(const fp_instance *self, const fp_document *document, fp_arena *scratch, fp_sketch *read,
                      fp_error *error);
    /* Adds what `read` returned for the next document to the state. The state may grow in `arena`, which belongs to
     * it. */
    fp_status (*add)(const fp_instance *self, void *state, fp_sketch read, fp_arena *arena, fp_error *error);
    /* Creates the model in `arena`, which outlives the instance. */
    fp_status (*end)(const fp_instance *self, void *state, fp_arena *arena, const void **model, fp_error *error);
    /* Whether these parameters need a fitted model; if not, sketches are made with a NULL model. May be NULL: a model
     * is then needed if `begin` exists. */
    bool (*needed)(const void *parameters);
    /* Warn when fitted on fewer non-empty documents than this (fp_arm_caution); the algorithm's comment gives the
     * reason for the number. 0: never. */
    size_t least_documents;
    /* Serialises the model to bytes for a file, in `arena`, and restores it in the arena that outlives the instance.
     * The model is the same to the last bit on every machine, so numbers are little-endian and of stated widths. The
     * bytes may come from an untrusted source: FP_ERROR_SYNTAX for bytes that write_model does not write. Both are NULL
     * or neither; NULL: models of this algorithm cannot be saved. */
    fp_status (*write_model)(const fp_instance *self, fp_arena *arena, fp_string *bytes, fp_error *error);
    fp_status (*read_model)(const fp_instance *self, fp_string bytes, fp_arena *arena, const void **model,
                            fp_error *error);
    /* Reads the files that the parameters name (FP_FILE) into the model, in `arena`, when the arm is parsed, after
     * `layout`. Cannot be combined with `begin`. Errors name the file. May be NULL. */
    fp_status (*open)(const fp_instance *self, fp_arena *arena, const void **model, fp_error *error);
    /* Serialises the state to bytes in `arena`, and adds the documents of such bytes to a state, so that parts can be
     * learned separately and merged. Any division of the documents gives the same bytes. Rules as for write_model and
     * read_model. Both are NULL or neither; NULL: learning cannot be divided. */
    fp_status (*write_state)(const fp_instance *self, void *state, fp_arena *arena, fp_string *bytes, fp_error *error);
    fp_status (*add_state)(const fp_instance *self, void *state, fp_string bytes, fp_arena *arena, fp_error *error);
    /* For distances that exist for some pairs only and are NaN for all others: the number of pairs that have one.
     * Pairs without a distance are counted and refused before anything is measured. May be NULL: all pairs have a
     * distance. */
    size_t (*pairs_known)(const fp_instance *self);
} fp_learning;

/* Faster ways to compute the same distances. Every slot may be NULL, and none changes a result. Thread-safe. */
typedef struct fp_acceleration {
    /* Distances of one sketch to sketches first … first + count − 1, equal to `distance` to the last bit. Sketches of
     * fixed size are contiguous: the stride is layout.bytes. */
    void (*distances)(const fp_instance *self, fp_sketch query, const fp_sketches *many, size_t first, size_t count,
                      double *out);
    /* For sketches whose distance follows from each sketch alone and from the sum of the joined values over their
     * common keys. All pairs then go through posting lists, and pairs without a common key cost nothing. `vector` reads
     * a sketch and returns how values are joined, the same for every sketch of the instance. `joined` computes the
     * distance from that sum, added in ascending order of the keys: equal to `distance` to the last bit, or NaN if the
     * caller must call `distance` itself. It gives one distance for all pairs whose sum is 0 and that are not both
     * empty. Both are NULL or neither. */
    fp_join (*vector)(const fp_instance *self, fp_sketch sketch, fp_vector *vector);
    double (*joined)(const fp_instance *self, const fp_vector *a, const fp_vector *b, double sum);
    /* `joined` of one vector and each of others[which[0 … count)], also equal to the last bit or NaN. The sums are not
     * 0; the distances overwrite them. */
    void (*joined_many)(const fp_instance *self, const fp_vector *one, const fp_vector *others, const uint32_t *which,
                        size_t count, double *sum);
} fp_acceleration;

/* One fingerprint algorithm: constant data and functions without hidden state. An algorithm needs a name, `layout`,
 * `sketch` and `distance`; all later members may be NULL. */
struct fp_algorithm {
    uint32_t abi; /* FP_ABI_VERSION */
    uint32_t needs;
    const char *name;     /* lower case, [a-z0-9_]+ */
    const char *summary;  /* one line */
    const char *citation; /* author, title, year, and the equation that the code implements */
    const char *features; /* default text and feature parameters as in an arm, "features=chars:3,weight=tf", or "" */
    size_t parameters_size;
    const fp_parameter *parameters; /* terminated by a row whose name is NULL; NULL if there are no parameters */

    /* Describes sketches and distances; refuses parameters that contradict one another. */
    fp_status (*layout)(const void *parameters, fp_layout *layout, fp_error *error);
    /* Makes the sketch of one document in `scratch`; the caller copies it. Thread-safe. An empty feature set, an empty
     * text and empty initials are legal: the arm marks such a sketch as empty (fp_sketch.empty). */
    fp_status (*sketch)(const fp_instance *self, const fp_document *document, fp_arena *scratch, fp_sketch *sketch,
                        fp_error *error);
    /* Distance of two sketches of this instance: symmetric, 0 ≤ d ≤ layout.maximum, d(x, x) = 0. Thread-safe. */
    double (*distance)(const fp_instance *self, fp_sketch a, fp_sketch b);
    /* Called if fp_layout.stored > 0, and then required: the distances of one sketch to the stored sides first … first
     * + count − 1 of others, which begin at data + i·stride; only the first layout.stored bytes of each are read. The
     * scale is that of `distance`, from 0 (the sketch's own stored side) to layout.maximum; not symmetric. Distances
     * above `within` are infinity, since a nearest-neighbour scan does not need them. Such an algorithm has a parameter
     * "query", an FP_CHOICE, whose first choice makes the stored side only. Thread-safe. */
    void (*query_distances)(const fp_instance *self, fp_sketch query, const fp_sketches *stored, size_t first,
                            size_t count, double within, double *out);
    /* For algorithms that sample: whether the sketch is empty although the document has the parts that the algorithm
     * reads. NULL: only a sketch without bytes is empty. */
    bool (*is_empty)(const fp_instance *self, fp_sketch sketch);
    /* The fingerprint as people write it (pinyin: twenty digits), in `arena`; NULL when out of memory. If the slot
     * is NULL, hexadecimal is used. */
    const char *(*text)(const fp_instance *self, fp_sketch sketch, fp_arena *arena);
    /* Writes the steps for one document to *explanation. */
    fp_status (*explain)(const fp_instance *self, const fp_document *document, fp_arena *scratch,
                         fp_explanation *explanation, fp_error *error);
    /* Writes how the distance of two documents arises: the places that differ, and the terms that decide them. */
    fp_status (*explain_pair)(const fp_instance *self, const fp_document *a, const fp_document *b, fp_arena *scratch,
                              fp_explanation *explanation, fp_error *error);
    /* The similarity that the distance estimates: its name ("cosine", "Jaccard") and its value at a distance. Both are
     * NULL if the algorithm estimates none. */
    const char *measure;
    double (*similarity)(const fp_instance *self, double distance);
    /* P[distance ≤ h] when the true value of `measure` is `similarity`. */
    double (*law)(const fp_instance *self, double similarity, double h);
    /* The arm, without features, that computes `measure` exactly: "cosine", "jaccard:measure=weighted". It gets the
     * files (FP_FILE) of this algorithm if its own algorithm has such parameters. Valid where these parameters learn
     * nothing. NULL: there is no such arm. */
    const char *counterpart;

    const fp_learning *learning;         /* NULL: the algorithm learns nothing */
    const fp_acceleration *acceleration; /* NULL: only `distance` is used */
};

FP_END

#endif
