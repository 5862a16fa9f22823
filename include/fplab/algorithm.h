/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * fplab/algorithm.h - what a fingerprint algorithm is, built in or a plug-in.
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
    FP_FILE     /* as FP_TEXT: a file that is read. Where the default is "" one must be given. */
} fp_type;

/* One row of a parameter table. The table alone drives parsing, bounds, help, the JSON echo and the documentation. */
typedef struct fp_parameter {
    const char *name;
    fp_type type;
    const char *unit;           /* "bits", "slots", … or "" */
    const char *help;           /* one line */
    const char *initial;        /* the default, as a user would write it */
    double minimum, maximum;    /* inclusive; for FP_INTEGER and FP_REAL */
    const char *const *choices; /* for FP_CHOICE: names, ended by NULL */
    size_t offset;              /* offsetof(struct, member) in the parameter struct */
} fp_parameter;

/* ---- Algorithms ---- */

typedef struct fp_algorithm fp_algorithm;

/* An algorithm with its parameters bound and, once learned, its model. Read-only once made. */
typedef struct fp_instance {
    const fp_algorithm *algorithm;
    const void *parameters; /* the algorithm's own struct */
    const void *model;      /* what was learned; NULL where nothing is */
    fp_layout layout;
    bool whole; /* weights are whole numbers, whatever the text (weight=binary, tf, levels, length) */
} fp_instance;

/* What an algorithm reads of a document. */
enum {
    FP_NEEDS_TEXT = 1,     /* fp_document.text */
    FP_NEEDS_FEATURES = 2, /* features.hash and .weight */
    FP_NEEDS_SEQUENCE = 4, /* features.sequence */
    FP_NEEDS_INITIALS = 8, /* fp_document.initials */
    FP_NEEDS_HASH_BITS =
        16, /* bit j of the fingerprint is made of bit j of the term hashes: a term table must be just as wide */
    FP_NEEDS_PAIRS = 32, /* fp_training.pairs: where the truth is groups, all pairs inside them */
    /* What it makes of features, so that they need not be counted. A feature may then come as often as it occurs, each
     * time with weight 1, which is written as features.weight NULL; sketches and models are the same to the last bit,
     * explanations read counted features. */
    FP_ADDS_FEATURES = 64,  /* a feature of weight w is the same as w of it with weight 1: where weight=tf */
    FP_MARKS_FEATURES = 128 /* weights are not read, and a feature is the same as several of it */
};

/* Where the model of an algorithm comes from: fitted to documents (begin, read, add, end: all four or none), or opened
 * from files that the parameters name. In document order, so that the model is the same for any number of threads:
 *
 *     begin, then for each document read and add, then end
 */
typedef struct fp_learning {
    /* Makes the state, in `arena`; it and `training` live until `end`. */
    fp_status (*begin)(const fp_instance *self, const fp_training *training, fp_arena *arena, void **state,
                       fp_error *error);
    /* All that is learned from one document, in `scratch`: numbers, of the algorithm's own form, that are copied to
     * where they are aligned to 16. Thread-safe; it does not see the state. An empty document is legal. */
    fp_status (*read)(const fp_instance *self, const fp_document *document, fp_arena *scratch, fp_sketch *read,
                      fp_error *error);
    /* Adds what was read of the next document to the state, which may grow in `arena`, the state's own. */
    fp_status (*add)(const fp_instance *self, void *state, fp_sketch read, fp_arena *arena, fp_error *error);
    /* The model, in `arena`, which outlives the instance. */
    fp_status (*end)(const fp_instance *self, void *state, fp_arena *arena, const void **model, fp_error *error);
    /* Whether these parameters need a fitted model; where they do not, sketches are made with a NULL model. May be
     * NULL: then one is needed where there is `begin`. */
    bool (*needed)(const void *parameters);
    /* Warn when fitted on fewer non-empty documents than this (fp_arm_caution); the algorithm's comment gives the
     * reason for the number. 0: never. */
    size_t least_documents;
    /* The model as bytes for a file, in `arena`, and from them, in the arena that outlives the instance: the same model
     * to the last bit on every machine, so numbers are little-endian and of stated widths. The bytes may come from
     * anywhere: FP_ERROR_SYNTAX for what write_model does not write. Both are NULL or neither; NULL: models of this
     * algorithm are not saved. */
    fp_status (*write_model)(const fp_instance *self, fp_arena *arena, fp_string *bytes, fp_error *error);
    fp_status (*read_model)(const fp_instance *self, fp_string bytes, fp_arena *arena, const void **model,
                            fp_error *error);
    /* Reads the files that the parameters name (FP_FILE) into the model, in `arena`, when the arm is parsed, after
     * `layout`. Not beside `begin`. Errors name the file. May be NULL. */
    fp_status (*open)(const fp_instance *self, fp_arena *arena, const void **model, fp_error *error);
    /* The state as bytes, in `arena`, and the documents of such bytes added to a state, so that parts are learned apart
     * and merged: the same bytes in any division of the documents. As write_model and read_model say. Both are NULL or
     * neither; NULL: it cannot be divided. */
    fp_status (*write_state)(const fp_instance *self, void *state, fp_arena *arena, fp_string *bytes, fp_error *error);
    fp_status (*add_state)(const fp_instance *self, void *state, fp_string bytes, fp_arena *arena, fp_error *error);
    /* For distances that are known of some pairs alone, and NaN of all others: of how many pairs. Pairs without a
     * distance are counted and refused before anything is measured. May be NULL: all pairs have a distance. */
    size_t (*pairs_known)(const fp_instance *self);
} fp_learning;

/* The same distances faster. Every slot may be NULL, and none changes a result. Thread-safe. */
typedef struct fp_acceleration {
    /* Distances of one sketch to sketches first … first + count − 1, equal to `distance` to the last bit. Sketches
     * of fixed size lie side by side: the stride is layout.bytes. */
    void (*distances)(const fp_instance *self, fp_sketch query, const fp_sketches *many, size_t first, size_t count,
                      double *out);
    /* For sketches whose distance follows from the sum, over the keys that both have, of their joined values, and from
     * each sketch alone: all pairs then go through postings, and pairs without a common key cost nothing. `vector`
     * reads a sketch and says how values are joined, for every sketch of the instance alike. `joined` gives the
     * distance from that sum, added in ascending order of the keys: equal to `distance` to the last bit, or NaN where
     * `distance` itself must be called. It gives one distance for all pairs whose sum is 0 and that are not both empty.
     * Both are NULL or neither. */
    fp_join (*vector)(const fp_instance *self, fp_sketch sketch, fp_vector *vector);
    double (*joined)(const fp_instance *self, const fp_vector *a, const fp_vector *b, double sum);
    /* `joined` of one vector and each of others[which[0 … count)], to the last bit or NaN likewise, from sums that are
     * not 0; the distances take the place of the sums. */
    void (*joined_many)(const fp_instance *self, const fp_vector *one, const fp_vector *others, const uint32_t *which,
                        size_t count, double *sum);
} fp_acceleration;

/* One fingerprint algorithm: constant data and functions without hidden state. An algorithm needs a name, `layout`,
 * `sketch` and `distance`; everything below them may be NULL. */
struct fp_algorithm {
    uint32_t abi; /* FP_ABI_VERSION */
    uint32_t needs;
    const char *name;     /* lower case, [a-z0-9_]+ */
    const char *summary;  /* one line */
    const char *citation; /* author, title, year; with the equation the code implements */
    const char *features; /* default text and feature parameters as in an arm, "features=chars:3,weight=tf", or "" */
    size_t parameters_size;
    const fp_parameter *parameters; /* ended by a row whose name is NULL; NULL when there are none */

    /* Describes sketches and distances; refuses parameters that contradict one another. */
    fp_status (*layout)(const void *parameters, fp_layout *layout, fp_error *error);
    /* Makes the sketch of one document in `scratch`; the caller copies it. Thread-safe. An empty feature set is legal,
     * and so is an empty text, or no initial: the arm marks such a sketch as empty (fp_sketch.empty). */
    fp_status (*sketch)(const fp_instance *self, const fp_document *document, fp_arena *scratch, fp_sketch *sketch,
                        fp_error *error);
    /* Distance of two sketches of this instance: symmetric, 0 ≤ d ≤ layout.maximum, d(x, x) = 0. Thread-safe. */
    double (*distance)(const fp_instance *self, fp_sketch a, fp_sketch b);
    /* Where fp_layout.stored > 0, and only there: the distances of one sketch to the stored sides first … first + count
     * − 1 of others, which begin at data + i·stride; nothing behind layout.stored bytes is read. On the scale of
     * `distance`, from 0, which the own stored side has, to layout.maximum; not symmetric. Infinity for those above
     * `within`, which a scan for the nearest need not know. Such an algorithm has a parameter "query", an FP_CHOICE,
     * whose first choice makes the stored side alone. Thread-safe. */
    void (*query_distances)(const fp_instance *self, fp_sketch query, const fp_sketches *stored, size_t first,
                            size_t count, double within, double *out);
    /* Whether nothing went into the sketch of a document that has what the algorithm reads, for algorithms that sample.
     * NULL: only a sketch without bytes is empty. */
    bool (*is_empty)(const fp_instance *self, fp_sketch sketch);
    /* The fingerprint as people write it (pinyin: twenty digits), in `arena`; NULL when there is no memory. A NULL
     * slot: hexadecimal. */
    const char *(*text)(const fp_instance *self, fp_sketch sketch, fp_arena *arena);
    /* Writes the steps for one document to *explanation. */
    fp_status (*explain)(const fp_instance *self, const fp_document *document, fp_arena *scratch,
                         fp_explanation *explanation, fp_error *error);
    /* Writes where the distance of two documents comes from: the places that differ, and the terms that decide them. */
    fp_status (*explain_pair)(const fp_instance *self, const fp_document *a, const fp_document *b, fp_arena *scratch,
                              fp_explanation *explanation, fp_error *error);
    /* The similarity that the distance estimates: its name ("cosine", "Jaccard") and its value at a distance. Both NULL
     * where there is none. */
    const char *measure;
    double (*similarity)(const fp_instance *self, double distance);
    /* P[distance ≤ h] when the true value of `measure` is `similarity`. */
    double (*law)(const fp_instance *self, double similarity, double h);
    /* The arm, without features, that gives `measure` exactly: "cosine", "jaccard:measure=weighted"; it gets the files
     * (FP_FILE) that this one has, where its algorithm has such parameters. Holds where these parameters learn nothing.
     * NULL where there is none. */
    const char *counterpart;

    const fp_learning *learning;         /* NULL: nothing is learned */
    const fp_acceleration *acceleration; /* NULL: `distance` is all there is */
};

FP_END

#endif
