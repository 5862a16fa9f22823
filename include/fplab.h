/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * fplab.h - the public interface of fplab, the laboratory for text fingerprints.
 *
 * It is all that a fingerprint algorithm (built in or a plug-in) and a program that links libfplab need.
 * The order below is the order of the data: status, memory, text and features, parameters, sketches,
 * algorithms, arms.
 *
 * Thread-safety: every function may be called from several threads at once as long as no two of them
 * use the same arena, error, or arm under construction. Built-in algorithms and fitted arms are read-only and
 * may be shared by any number of threads. The library never prints, exits or aborts.
 */
#ifndef FPLAB_H
#define FPLAB_H 1

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define FP_VERSION "0.1.0"
/* Raised whenever the layout or the meaning of a struct below changes. */
#define FP_ABI_VERSION 5u

/* ---- Status and errors ------------------------------------------------------------------------------- */

typedef enum fp_status {
    FP_OK = 0,
    FP_ERROR_MEMORY,    /* no memory left, or a size overflowed */
    FP_ERROR_IO,        /* a file cannot be opened, read or written */
    FP_ERROR_ENCODING,  /* bytes that are not valid in the stated encoding */
    FP_ERROR_SYNTAX,    /* a row, a number or an arm that cannot be parsed */
    FP_ERROR_UNKNOWN,   /* a name nobody knows: algorithm, parameter, document id */
    FP_ERROR_RANGE,     /* a value outside its bounds */
    FP_ERROR_DUPLICATE, /* a name that must be unique and is not */
    FP_ERROR_EMPTY,     /* nothing to work on */
    FP_ERROR_ABI,       /* a plug-in built against another interface */
    FP_ERROR_TOOL       /* an outside program is missing or failed */
} fp_status;

/* Where and why something failed. `file` is empty where no file is meant; `line` counts from 1, `byte` is an offset
 * from 0 within the file; both are SIZE_MAX where they do not apply. Owned by the caller; never allocated. */
typedef struct fp_error {
    fp_status code;
    size_t line;
    size_t byte;
    char message[512];
    char file[512];
} fp_error;

/* Fills *error (which may be NULL) with a printf-style message and no place, and returns `code`. */
#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
fp_status
fp_fail(fp_error *error, fp_status code, const char *format, ...);

/* Adds a place to *error (which may be NULL). Pass SIZE_MAX for a line or byte that does not apply. Returns
 * error->code. */
fp_status fp_at(fp_error *error, const char *file, size_t line, size_t byte);

/* The lower-case English name of a status: "ok", "io", "encoding", … Static storage. */
const char *fp_status_name(fp_status status);

/* ---- Memory ------------------------------------------------------------------------------------------ */

/* A region of memory that is released all at once. One thread at a time. */
typedef struct fp_arena fp_arena;

/* NULL when there is no memory. */
fp_arena *fp_arena_new(void);
/* `count` × `size` bytes, zeroed, aligned to 64 bytes when the product is 64 or more and to 16 otherwise. NULL when the
 * product overflows or there is no memory. A zero product gives a valid pointer to nothing. */
void *fp_arena_alloc(fp_arena *arena, size_t count, size_t size);
/* The same, not zeroed: for buffers that are filled at once. */
void *fp_arena_raw(fp_arena *arena, size_t count, size_t size);
/* Forgets every allocation and keeps the memory for the next ones. */
void fp_arena_reset(fp_arena *arena);
/* Bytes handed out since the last reset. */
size_t fp_arena_used(const fp_arena *arena);
/* `arena` may be NULL. */
void fp_arena_free(fp_arena *arena);

/* ---- Text and features ------------------------------------------------------------------------------- */

/* Bytes with a length; not terminated by NUL. */
typedef struct fp_string {
    const char *data;
    size_t length;
} fp_string;

/* What a document is made of under one feature specification. Two views of the same terms:
 * the distinct features with their weights, in order of first occurrence, and every occurrence in text order. */
typedef struct fp_features {
    size_t count;             /* distinct features */
    const uint64_t *hash;     /* [count] term hashes */
    const double *weight;     /* [count] weights, > 0 */
    const fp_string *term;    /* [count] what was hashed; NULL unless terms were asked for */
    size_t length;            /* occurrences */
    const uint64_t *sequence; /* [length] term hash of each occurrence, in text order */
} fp_features;

/* What the i-th feature was made of; empty when terms were not asked for. */
static inline fp_string fp_features_term(const fp_features *features, size_t i) {
    fp_string none = {"", 0};
    return features->term ? features->term[i] : none;
}

/* One document as an algorithm sees it. Everything is owned by the caller and constant.
 * Parts that the algorithm did not ask for (fp_algorithm.needs) are empty. */
typedef struct fp_document {
    fp_string id;         /* unique within its corpus */
    fp_string text;       /* normalised text, valid UTF-8 */
    fp_string initials;   /* one lower-case pinyin initial per Han character, in text order; syllables that begin with a
                             vowel give a, e or o */
    fp_features features; /* under the arm's feature specification */
} fp_document;

/* A labelled pair of documents, by position in their corpus. */
typedef struct fp_pair {
    uint32_t a, b;
    uint8_t label; /* 1: near-duplicates, 0: not */
} fp_pair;

/* What is told before learning. Labels are there for supervised methods and for the controls, which ask for them
 * (FP_NEEDS_PAIRS); they count the documents in the order in which they are added. */
typedef struct fp_training {
    size_t pair_count; /* 0 unless asked for */
    const fp_pair *pairs;
} fp_training;

/* ---- Parameters -------------------------------------------------------------------------------------- */

typedef enum fp_type {
    FP_INTEGER, /* int64_t */
    FP_REAL,    /* double */
    FP_CHOICE,  /* int64_t, an index into `choices` */
    FP_TEXT     /* const char *, terminated by NUL, owned by the arm; never NULL */
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

/* ---- Sketches ---------------------------------------------------------------------------------------- */

/* A fingerprint: `size` bytes, aligned to 8 where the lab stores it. */
typedef struct fp_sketch {
    const void *data;
    size_t size;
} fp_sketch;

/* What the sketches and distances of an arm look like; filled by fp_algorithm.layout. */
typedef struct fp_layout {
    size_t bytes; /* size of every sketch, a multiple of 8 for bit fingerprints; 0 when sketches vary in size */
    size_t bits;  /* > 0: the distance is the Hamming distance of this many bits in 64-bit words, unused bits zero */
    double
        payload; /* bytes of information where packing is tighter than `bytes` (20 bits are 2.5); 0 where it is not */
    double maximum;   /* the largest distance */
    bool integral;    /* distances are whole numbers */
    char scale[32];   /* the unit a distance is read in: "bits of 64", "slots of 64", "levels of 60" */
    char measure[32]; /* what fp_algorithm.similarity gives under these parameters, where it is not
                         fp_algorithm.measure; else empty */
    /* > 0: the distance is the number of slots that differ, of this many in `bytes` bytes. Slot i is the i-th integer
     * of 32 or 64 bits, or, for other widths, bits i·slot_bits … (i + 1)·slot_bits − 1 of the 64-bit words, the lowest
     * first; where `planar`, bit i % 64 of each of the words i/64·slot_bits … i/64·slot_bits + slot_bits − 1. */
    size_t slots;
    size_t slot_bits;
    bool planar;
} fp_layout;

/* Sketches of many documents. Fixed: data + i·stride. Variable: data + offset[i] … offset[i+1], each start aligned to
 * 8, size[i] bytes used. */
typedef struct fp_sketches {
    size_t count;
    size_t stride; /* 0 when variable */
    const unsigned char *data;
    const size_t *offset; /* [count + 1], NULL when fixed */
    const size_t *size;   /* [count], NULL when fixed */
} fp_sketches;

/* The i-th sketch; i < count. */
static inline fp_sketch fp_sketches_at(const fp_sketches *sketches, size_t i) {
    fp_sketch sketch;
    sketch.data = sketches->data + (sketches->stride ? i * sketches->stride : sketches->offset[i]);
    sketch.size = sketches->stride ? sketches->stride : sketches->size[i];
    return sketch;
}

/* How the values of a key that two sparse vectors share are joined: 1, a·b, or min(a, b). */
typedef enum fp_join { FP_JOIN_COUNT, FP_JOIN_PRODUCT, FP_JOIN_MINIMUM } fp_join;

/* A sketch read as a sparse vector; points into the sketch. */
typedef struct fp_vector {
    size_t count;
    size_t step;         /* bytes from one key to the next, and from one value to the next */
    const uint64_t *key; /* ascending, no key twice */
    const double *value; /* > 0; not read by FP_JOIN_COUNT */
    double total; /* what fp_algorithm.joined wants to know of the sketch beside `count`: the sum of its weights, … */
} fp_vector;

/* ---- Algorithms -------------------------------------------------------------------------------------- */

typedef struct fp_algorithm fp_algorithm;
typedef struct fp_explanation fp_explanation;

/* An algorithm with its parameters bound and, once learned, its model. Read-only once made. */
typedef struct fp_instance {
    const fp_algorithm *algorithm;
    const void *parameters; /* the algorithm's own struct */
    const void *model;      /* what was learned; NULL where nothing is */
    fp_layout layout;
} fp_instance;

/* What an algorithm reads of a document. */
enum {
    FP_NEEDS_TEXT = 1,     /* fp_document.text */
    FP_NEEDS_FEATURES = 2, /* features.hash and .weight */
    FP_NEEDS_SEQUENCE = 4, /* features.sequence */
    FP_NEEDS_INITIALS = 8, /* fp_document.initials */
    FP_NEEDS_HASH_BITS =
        16, /* bit j of the fingerprint is made of bit j of the term hashes: a term table must be just as wide */
    FP_NEEDS_PAIRS = 32 /* fp_training.pairs: where the truth is groups, all pairs inside them */
};

/* One fingerprint algorithm: constant data and functions without hidden state. */
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
    /* Learning a model from documents that come one after the other and are not kept. All four slots or none; none
     * where nothing is learned. In document order, so that the model is the same for any number of threads:
     *
     *     learn_begin, then for each document learn_read and learn_add, then learn_end
     *
     * learn_begin makes the state, in `arena`; it and `training` live until learn_end. */
    fp_status (*learn_begin)(const fp_instance *self, const fp_training *training, fp_arena *arena, void **state,
                             fp_error *error);
    /* All that is learned from one document, in `scratch`: numbers, of the algorithm's own form, that are copied to
     * where they are aligned to 16. Thread-safe; it does not see the state. An empty document is legal. */
    fp_status (*learn_read)(const fp_instance *self, const fp_document *document, fp_arena *scratch, fp_sketch *read,
                            fp_error *error);
    /* Adds what was read of the next document to the state, which may grow in `arena`, the state's own. */
    fp_status (*learn_add)(const fp_instance *self, void *state, fp_sketch read, fp_arena *arena, fp_error *error);
    /* The model, in `arena`, which outlives the instance. */
    fp_status (*learn_end)(const fp_instance *self, void *state, fp_arena *arena, const void **model, fp_error *error);
    /* Whether these parameters need a model; where they do not, sketches are made with a NULL model. May be NULL: then
     * one is needed where the algorithm learns. */
    bool (*learns)(const void *parameters);
    /* What is learned from fewer documents than this, of those that say something, is warned of with their number
     * (fp_arm_caution); the algorithm's comment says why so many. 0: none is too few. */
    size_t least_documents;
    /* Makes the sketch of one document in `scratch`; the caller copies it. Thread-safe. An empty feature set is legal,
     * and so is an empty text, or no initial: such a sketch of nothing looks like any other, and it is the arm that
     * knows it (fp_arm_sketch_says). */
    fp_status (*sketch)(const fp_instance *self, const fp_document *document, fp_arena *scratch, fp_sketch *sketch,
                        fp_error *error);
    /* Whether anything went into the sketch of a document that has what the algorithm reads. May be NULL: then it did,
     * unless the sketch has no bytes. */
    bool (*says)(const fp_instance *self, fp_sketch sketch);
    /* Distance of two sketches of this instance: symmetric, 0 ≤ d ≤ layout.maximum, d(x, x) = 0. Thread-safe. */
    double (*distance)(const fp_instance *self, fp_sketch a, fp_sketch b);
    /* Distances of one sketch to sketches first … first + count − 1, equal to `distance` to the last bit. May be NULL.
     */
    void (*distances)(const fp_instance *self, fp_sketch query, const fp_sketches *many, size_t first, size_t count,
                      double *out);
    /* The fingerprint as people write it (pinyin: twenty digits), in `arena`; NULL when there is no memory. The slot
     * may be NULL: then it is written in hexadecimal. */
    const char *(*text)(const fp_instance *self, fp_sketch sketch, fp_arena *arena);
    /* Tells the steps for one document to *explanation. May be NULL. */
    fp_status (*explain)(const fp_instance *self, const fp_document *document, fp_arena *scratch,
                         fp_explanation *explanation, fp_error *error);
    /* Tells where the distance of two documents comes from: the places that differ, and the terms that decide them. May
     * be NULL. */
    fp_status (*explain_pair)(const fp_instance *self, const fp_document *a, const fp_document *b, fp_arena *scratch,
                              fp_explanation *explanation, fp_error *error);
    /* What the distance says of the texts, on the algorithm's own measure: its name ("cosine", "Jaccard") and its value
     * at a distance. Both NULL where there is none. */
    const char *measure;
    double (*similarity)(const fp_instance *self, double distance);
    /* P[distance ≤ h] when the true value of `measure` is `similarity`. May be NULL. */
    double (*law)(const fp_instance *self, double similarity, double h);
    /* The arm, without features, that gives `measure` exactly: "cosine", "jaccard:measure=weighted". Holds where these
     * parameters learn nothing. NULL where there is none. */
    const char *counterpart;
    /* For sketches whose distance follows from the sum, over the keys that both have, of their joined values, and from
     * each sketch alone: all pairs then go through postings, and pairs without a common key cost nothing. `vector`
     * reads a sketch and says how values are joined, for every sketch of the instance alike. `joined` gives the
     * distance from that sum, added in ascending order of the keys: equal to `distance` to the last bit, or NaN where
     * `distance` itself must be asked. It gives one distance for all pairs whose sum is 0 and that are not both empty.
     * Both are NULL or neither; thread-safe. */
    fp_join (*vector)(const fp_instance *self, fp_sketch sketch, fp_vector *vector);
    double (*joined)(const fp_instance *self, const fp_vector *a, const fp_vector *b, double sum);
};

/* ---- Telling the steps ------------------------------------------------------------------------------- */

/* An explanation is a list of steps; a step is a title, lines of prose, and at most one table of text cells. The lab
 * renders it for a terminal or as JSON. Texts are copied. A failed allocation is remembered and reported by whoever
 * made it. */
void fp_explain_step(fp_explanation *explanation, const char *title);
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
void fp_explain_line(fp_explanation *explanation, const char *format, ...);
/* Starts the table of the current step; `columns` names, separated by '|'. One that begins with '>', which is not part
 * of the name, holds numbers: they are numbers in JSON too, and NA is null. */
void fp_explain_table(fp_explanation *explanation, const char *columns);
/* The next cell of the table, row by row. */
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
void fp_explain_cell(fp_explanation *explanation, const char *format, ...);

/* ---- Arms: an algorithm with all its choices ---------------------------------------------------------- */

/* An arm is what an experiment compares: algorithm, parameters, features and text treatment, written
 * "simhash:bits=64,features=words,weight=tfidf,name=ours". Opaque; made in an arena and released with it. */
typedef struct fp_arm fp_arm;

/* The registered algorithms, by position; NULL past the end. */
const fp_algorithm *fp_algorithm_at(size_t index);
/* By name; NULL and *error (with the nearest name) when there is none. */
const fp_algorithm *fp_algorithm_find(const char *name, fp_error *error);

/* Loads the shared object FILE, which exports `const fp_algorithm fp_plugin` built against this header. It stays loaded
 * for the life of the process. Errors: FP_ERROR_IO (cannot be loaded), FP_ERROR_ABI (no fp_plugin, another
 * FP_ABI_VERSION, a slot that must be there is NULL), FP_ERROR_RANGE (a parameter whose default breaks its own bounds,
 * or a name that is not [a-z0-9_]+), FP_ERROR_DUPLICATE (the name of a built-in algorithm). The file is named. */
fp_status fp_plugin_load(const char *file, const fp_algorithm **algorithm, fp_error *error);

/* Parses `spec` into *arm, allocated in `arena`. Errors: FP_ERROR_UNKNOWN with the nearest name, FP_ERROR_RANGE with
 * the bounds, FP_ERROR_SYNTAX, FP_ERROR_DUPLICATE for a key that is set twice; of a file that it names (stop words,
 * IDF, terms) what is wrong with it, the file named. An arm that learns (fp_arm_learns) must be fitted before it
 * sketches. */
fp_status fp_arm_parse(const char *spec, fp_arena *arena, fp_arm **arm, fp_error *error);
/* The same, with further algorithms besides the registered ones: `plugins` ends with NULL. */
fp_status fp_arm_parse_with(const char *spec, const fp_algorithm *const *plugins, fp_arena *arena, fp_arm **arm,
                            fp_error *error);
/* True when the arm learns from a corpus: a fitted algorithm, or weights that use a corpus's document frequencies. */
bool fp_arm_learns(const fp_arm *arm);
/* Learns from `count` texts (UTF-8, not normalised). Where they are fewer than the stated least, fp_arm_caution
 * says so. FP_ERROR_EMPTY when a centre has nothing to learn from, FP_ERROR_ENCODING. Takes what OMP_NUM_THREADS allows
 * of threads, which end with the call. */
fp_status fp_arm_fit(fp_arm *arm, const fp_string *texts, size_t count, fp_error *error);
/* What the user must know of an arm that learned from too little, in one line that names the number of documents: of
 * document frequencies (fewer than 20; those of a file count, and are told before any fit), or of what the algorithm
 * fits (fewer than its least_documents). NULL when there is nothing to say. Of several fits the least is told. Lives as
 * long as the arm. */
const char *fp_arm_caution(const fp_arm *arm);
/* The sketch of one text, in `out`, which the caller owns and which keeps *sketch alive until its reset. */
fp_status fp_arm_sketch(const fp_arm *arm, fp_string text, fp_arena *out, fp_sketch *sketch, fp_error *error);
/* The same; *says is false where the sketch is of nothing: the text has none of what the arm reads (no feature, no Han
 * character, no character), or nothing of it was sampled. Such a sketch is no evidence. The lab takes its document to
 * be at the largest distance from every other, another sketch of nothing included, and counts it; fp_arm_distance,
 * which sees two sketches only, does not know, and gives two of them the distance 0. */
fp_status fp_arm_sketch_says(const fp_arm *arm, fp_string text, fp_arena *out, fp_sketch *sketch, bool *says,
                             fp_error *error);
/* The distance of two of the arm's sketches, on the scale of fp_arm_layout. */
double fp_arm_distance(const fp_arm *arm, fp_sketch a, fp_sketch b);
/* Sizes and scale. Lives as long as the arm. */
const fp_layout *fp_arm_layout(const fp_arm *arm);
/* The sketch as text: as the algorithm writes it, else in hexadecimal (bits: the highest first). NULL when there is no
 * memory. */
const char *fp_arm_text(const fp_arm *arm, fp_sketch sketch, fp_arena *arena);
/* Label (the name=… of the spec, else the spec as written) and the full canonical spec with every value. */
const char *fp_arm_name(const fp_arm *arm);
const char *fp_arm_spec(const fp_arm *arm);

#ifdef __cplusplus
}
#endif

#endif
