/* SPDX-License-Identifier: GPL-3.0-or-later
 * What an index keeps: a store in a file, and the tables of a collection in it. Checksums would keep everything else
 * away from what is behind them, so that rows of tables are given right ones: somebody may have made them. */
#include <unistd.h>

#include "index/collection/buckets.h"
#include "index/collection/source_search.h"
#include "index/store/redis_store.h"
#include "tests/fuzz/fuzz.h"

/* ---- A store in a file ---- */

static fp_string whole_store;
static fp_arena *kept;

static fp_status add(fp_records *records, size_t i, fp_arena *arena, fp_error *error) {
    fp_record record = {.id = fp_string_of(fp_format(arena, "id-%zu", i)),
                        .fingerprint = fp_string_of("12345678"),
                        .title = fp_string_of("title"),
                        .time = (int64_t)i,
                        .text = fp_string_of("今天下午，临江大桥恢复通车。今天下午，临江大桥恢复通车。")};
    return fp_records_add(records, &record, NULL, 0, error);
}

/* A store of some records, a match, a deletion and facts. */
static void make_store(void) {
    fp_records *records;
    fp_error error;
    kept = fp_arena_new();
    const char *path = fuzz_path("new", kept);
    fp_record_match match = {2, 1, 3, 0.5, 0.25, fp_string_of("0-1=0-1")};
    FUZZ_DEMAND(fp_records_open(path, FP_RECORDS_CREATE, NULL, &records, &error) == FP_OK);
    FUZZ_DEMAND(fp_records_begin(records, &error) == FP_OK);
    for (size_t i = 1; i <= 20; i++) FUZZ_DEMAND(add(records, i, kept, &error) == FP_OK);
    FUZZ_DEMAND(fp_records_set_fact(records, "arm", fp_string_of("simhash"), &error) == FP_OK);
    FUZZ_DEMAND(fp_records_add_match(records, &match, &error) == FP_OK);
    FUZZ_DEMAND(fp_records_delete(records, 3, &error) == FP_OK);
    FUZZ_DEMAND(fp_records_commit(records, &error) == FP_OK);
    fp_records_close(records);
    whole_store = fuzz_content(path, kept);
}

/* Each four bytes of the input are a place and what stands there. The last page is that of a large file. */
static fp_string changed(fp_string whole, fp_string input, size_t unit, fp_arena *arena) {
    char *bytes = fp_arena_raw(arena, whole.length, 1);
    memcpy(bytes, whole.data, whole.length);
    for (; input.length >= 4; input.data += 4, input.length -= 4) {
        const unsigned char *edit = (const unsigned char *)input.data;
        size_t at = edit[0] * unit + ((size_t)edit[1] << 8 | edit[2]) % unit;
        if (at < whole.length) bytes[at] = (char)edit[3];
    }
    return (fp_string){bytes, input.length == 3 ? whole.length / 2 : whole.length};
}

static fp_status visit(void *context, const fp_record *record, fp_error *error) {
    (void)error;
    FUZZ_DEMAND(record->id.length <= FP_RECORD_ID);
    ++*(size_t *)context;
    return FP_OK;
}

static fp_status visit_match(void *context, const fp_record_match *match, fp_error *error) {
    (void)error;
    FUZZ_DEMAND(match->passages.length < FP_RECORD_BYTES);
    ++*(size_t *)context;
    return FP_OK;
}

static void tell(void *context, const char *problem) {
    FUZZ_DEMAND(*problem);
    ++*(uint64_t *)context;
}

static void read_store(const char *path, bool checks, fp_arena *arena) {
    fp_records *records;
    fp_error error;
    fp_string value;
    fp_record record;
    size_t seen = 0;
    uint64_t told = 0, problems, number;
    if (fp_records_open(path, FP_RECORDS_READ, arena, &records, &error) != FP_OK) return;
    if (checks && fp_records_check(records, tell, &told, &problems, &error) == FP_OK) FUZZ_DEMAND(told == problems);
    fp_records_each(records, 0, true, visit, &seen, &error);
    fp_records_each_match(records, 0, visit_match, &seen, &error);
    fp_records_fact(records, "arm", arena, &value, &error);
    fp_records_find(records, fp_string_of("id-5"), &number, &error);
    fp_records_get(records, 5, true, arena, &record, &error);
    fp_records_close(records);
}

void fuzz_store(fp_string input, fp_arena *arena) {
    if (!kept) make_store();
    unsigned choice = fuzz_choice(&input);
    const char *path = fuzz_file("store", changed(whole_store, input, 4096, arena), arena);
    read_store(path, choice & 1, arena);
}

/* ---- Tables of a collection: rows that somebody may have made, with right checksums ---- */

enum { RECORDS = 12 };

static fp_collection *make_collection(const char *path, const char *spec, fp_string text, fp_arena *arena) {
    fp_collection *made;
    fp_collection_form form = {.threshold = 3, .keeps_texts = true};
    fp_error error;
    fp_sketch sketch;
    FUZZ_DEMAND(fp_arm_parse(spec, NULL, arena, &form.arm, &error) == FP_OK);
    FUZZ_DEMAND(fp_collection_create(path, &form, arena, &made, &error) == FP_OK);
    FUZZ_DEMAND(fp_collection_begin(made, &error) == FP_OK);
    for (size_t i = 0; i < RECORDS; i++) {
        fp_record record = {.id = fp_string_of(fp_format(arena, "id-%zu", i)), .text = text};
        FUZZ_DEMAND(fp_arm_sketch(form.arm, text, arena, &sketch, &error) == FP_OK);
        FUZZ_DEMAND(fp_collection_add(made, &record, sketch, &error) == FP_OK);
    }
    FUZZ_DEMAND(fp_collection_commit(made, &error) == FP_OK);
    FUZZ_DEMAND(fp_collection_merge(made, NULL, &error) == FP_OK);
    return made;
}

static const fp_string TEXT = {"今天下午，临江大桥恢复通车。市民可以步行通过。", 66};

static void ask_collection(const char *path, fp_arena *arena) {
    fp_collection *collection;
    fp_source_search *search;
    fp_error error;
    uint64_t told = 0, problems;
    size_t count;
    const fp_near *found;
    const fp_source *sources;
    fp_sketch sketch;
    if (fp_collection_open(path, false, NULL, arena, &collection, &error) != FP_OK) return;
    FUZZ_DEMAND(fp_arm_sketch(fp_collection_arm(collection), TEXT, arena, &sketch, &error) == FP_OK);
    if (fp_collection_near(collection, sketch, 3, 0, arena, &found, &count, &error) == FP_OK)
        for (size_t i = 0; i < count; i++) FUZZ_DEMAND(found[i].number && found[i].number <= RECORDS);
    fp_collection_near(collection, sketch, 8, 2, arena, &found, &count, &error);
    if (fp_collection_check(collection, tell, &told, &problems, &error) == FP_OK) FUZZ_DEMAND(told == problems);
    if (fp_source_search_open(collection, &search, &error) == FP_OK) {
        fp_sources_of(search, TEXT, &(fp_source_question){3, 0.1}, arena, &sources, &count, &error);
        fp_source_search_close(search);
    }
    fp_collection_close(collection);
}

/* The first byte says which arm, the second which table, and the others are a row of it. */
void fuzz_stored_tables(fp_string input, fp_arena *arena) {
    static const char *const ARMS[] = {"simhash", "minhash:features=chars:2", "winnowing:features=chars:3"};
    fp_error error;
    unsigned arm = fuzz_choice(&input) % 3, choice = fuzz_choice(&input), granules = choice >> 6;
    uint64_t key = (uint64_t)(granules ? FP_BUCKET_GRANULES + granules - 1 : choice) << 50;
    const char *path = fuzz_path("collection", arena);
    unlink(path);
    fp_collection *made = make_collection(path, ARMS[arm], TEXT, arena);
    fp_records *records = fp_collection_records(made);
    FUZZ_DEMAND(fp_records_begin(records, &error) == FP_OK);
    FUZZ_DEMAND(fp_records_remove_pieces(records, key, key, &error) == FP_OK);
    FUZZ_DEMAND(fp_records_put_piece(records, key, input, &error) == FP_OK);
    FUZZ_DEMAND(fp_records_commit(records, &error) == FP_OK);
    fp_collection_close(made);
    ask_collection(path, arena);
}

/* ---- Addresses of stores ---- */

void fuzz_addresses(fp_string input, fp_arena *arena) {
    fp_redis_address address;
    fp_error error;
    if (fp_redis_address_parse(fp_string_copy(arena, input), arena, &address, &error) != FP_OK) {
        FUZZ_DEMAND(error.message[0]);
        return;
    }
    FUZZ_DEMAND(address.host && address.shown && address.port > 0 && address.port < 65536 && address.database >= 0);
    bool told = address.password && strlen(address.password) > 8 && strstr(address.shown, address.password);
    FUZZ_DEMAND(!told || strstr(address.host, address.password) || strstr(address.name, address.password));
}
