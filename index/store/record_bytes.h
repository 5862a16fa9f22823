/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * record_bytes.h - what a store keeps, as bytes: the same in every kind of store and on every machine. Numbers are
 * little-endian; lengths and counts are LEB128 (seven bits a byte, the lowest first).
 *
 * Every value but the state begins with four bytes of checksum: the low half of XXH3-64 over the rest, seeded with what
 * the value belongs to, so that a value in a wrong place is damaged, too. Unpacking gives FP_ERROR_SYNTAX ("damaged")
 * for what the checksum contradicts or what cannot be a value. Packed bytes live in the arena.
 */
#ifndef FP_RECORD_BYTES_H
#define FP_RECORD_BYTES_H

#include "index/store/record_store.h"

/* What a store knows of itself: "fplabrec", the version of the format (4 bytes), a checksum (4), then the members, 8
 * bytes each. */
typedef struct fp_store_state {
    fp_records_count count;
    uint64_t list;  /* the most entries of a key list; 0: any number */
    uint64_t mark;  /* of the last commit, drawn anew for each */
    uint64_t texts; /* records that have one */
} fp_store_state;
enum { FP_STORE_VERSION = 1, FP_STORE_STATE_BYTES = 80 };
void fp_state_pack(const fp_store_state *state, char bytes[FP_STORE_STATE_BYTES]);
/* FP_ERROR_ABI: of another version. */
fp_status fp_state_unpack(fp_string bytes, fp_store_state *state, fp_error *error);

/* A record without its number, cluster and text, and the keys of its lists. What is unpacked lies in `bytes`; cluster
 * and text are empty, `text_kept` says whether there is one. */
fp_status fp_record_pack(const fp_record *record, const uint64_t *keys, size_t key_count, fp_arena *arena,
                         fp_string *bytes, fp_error *error);
typedef struct fp_record_rest {
    bool text_kept;
    fp_string keys; /* 8 bytes each */
} fp_record_rest;
fp_status fp_record_unpack(fp_string bytes, uint64_t number, fp_record *record, fp_record_rest *rest, fp_error *error);

/* Its text, by Zstandard where that makes it shorter. */
fp_status fp_record_text_pack(fp_string text, uint64_t number, fp_arena *arena, fp_string *bytes, fp_error *error);
fp_status fp_record_text_unpack(fp_string bytes, uint64_t number, fp_arena *arena, fp_string *text, fp_error *error);

/* A number below 2^32 that belongs to a key: the number of an id, the cluster of a record, an entry of the deletion
 * log. */
enum { FP_NUMBER_BYTES = 8 };
void fp_number_pack(uint64_t number, fp_string key, char bytes[FP_NUMBER_BYTES]);
fp_status fp_number_unpack(fp_string bytes, fp_string key, uint64_t *number, fp_error *error);

/* A match without its two numbers. */
fp_status fp_match_pack(const fp_record_match *match, fp_arena *arena, fp_string *bytes, fp_error *error);
fp_status fp_match_unpack(fp_string bytes, fp_record_match *match, fp_error *error);

fp_status fp_fact_pack(fp_string name, fp_string value, fp_arena *arena, fp_string *bytes, fp_error *error);
fp_status fp_fact_unpack(fp_string name, fp_string bytes, fp_string *value, fp_error *error);

/* A number as a key: four bytes, the highest first, so that keys stand in the order of their numbers. */
enum { FP_KEY_BYTES = 4 };
void fp_key_put(uint64_t number, char key[FP_KEY_BYTES]);
uint64_t fp_key_get(const char *key);

#endif
