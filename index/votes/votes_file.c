/* SPDX-License-Identifier: GPL-3.0-or-later
 * An index with votes in a file of sections: each array of fp_votes is one. */
#include "index/section_file.h"
#include "index/votes/votes.h"

typedef struct array {
    const char *name;
    size_t size; /* of a member */
    size_t count;
    const void *data;
} array;

enum { ARRAYS = 6 };

static void list_arrays(const fp_votes *of, array out[ARRAYS]) {
    const array all[ARRAYS] = {{"directory", 4, FP_VOTES_DIRECTORY + 1, of->directory},
                               {"keys", 8, of->key_count, of->key},
                               {"first", 4, of->key_count + 1, of->first},
                               {"documents", 4, of->posting_count, of->document},
                               {"places", 4, of->posting_count, of->place},
                               {"granules", 4, of->document_count, of->granules}};
    memcpy(out, all, sizeof all);
}

fp_status fp_votes_save(const fp_votes *votes, const char *path, fp_error *error) {
    fp_section_writer *writer;
    array all[ARRAYS];
    list_arrays(votes, all);
    FP_TRY(fp_section_writer_open(path, FP_VOTES_KIND, FP_VOTES_VERSION, NULL, &writer, error));
    fp_status status = FP_OK;
    for (size_t i = 0; i < ARRAYS && status == FP_OK; i++) {
        status = fp_section_begin(writer, all[i].name, error);
        if (status == FP_OK) status = fp_section_add(writer, all[i].data, all[i].size * all[i].count, error);
    }
    if (status == FP_OK) return fp_section_writer_close(writer, error);
    fp_section_writer_discard(writer);
    return status;
}

static fp_status read_array(const fp_section_file *file, array *of, fp_error *error) {
    fp_section section;
    if (!fp_section_find(file, of->name, &section)) return fp_section_damaged(file, of->name, "it is not there", error);
    if (section.bytes % of->size) return fp_section_damaged(file, of->name, "it ends within a number", error);
    of->data = section.data;
    of->count = section.bytes / of->size;
    return FP_OK;
}

/* Lengths fit together, and the ends of what leads into other arrays lie inside of them. */
static fp_status check_lengths(const fp_section_file *file, const array all[ARRAYS], fp_error *error) {
    const uint32_t *directory = all[0].data, *first = all[2].data;
    size_t keys = all[1].count, postings = all[3].count;
    if (all[0].count != FP_VOTES_DIRECTORY + 1)
        return fp_section_damaged(file, all[0].name, "it has another length", error);
    if (directory[FP_VOTES_DIRECTORY] != keys)
        return fp_section_damaged(file, all[0].name, "it does not end with the keys", error);
    if (all[2].count != keys + 1 || first[keys] != postings)
        return fp_section_damaged(file, all[2].name, "it does not end with the postings", error);
    if (all[4].count != postings) return fp_section_damaged(file, all[4].name, "it has another length", error);
    return FP_OK;
}

fp_status fp_votes_open(const char *path, const fp_arena *like, fp_section_file **file, fp_votes *out,
                        fp_error *error) {
    array all[ARRAYS];
    *out = (fp_votes){0};
    list_arrays(out, all);
    FP_TRY(fp_section_file_open(path, FP_VOTES_KIND, FP_VOTES_VERSION, like, file, error));
    fp_status status = FP_OK;
    for (size_t i = 0; i < ARRAYS && status == FP_OK; i++) status = read_array(*file, all + i, error);
    if (status == FP_OK) status = check_lengths(*file, all, error);
    if (status != FP_OK) {
        fp_section_file_close(*file);
        *file = NULL;
        return status;
    }
    *out = (fp_votes){all[5].count, all[1].count, all[3].count, all[1].data, all[2].data,
                      all[3].data,  all[4].data,  all[5].data,  all[0].data};
    return FP_OK;
}
