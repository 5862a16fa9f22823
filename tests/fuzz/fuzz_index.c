/* SPDX-License-Identifier: GPL-3.0-or-later
 * What an index keeps: a store in a file, files of sections. Checksums would keep everything else away
 * from what is behind them, so that the input is given right ones: somebody may have made them. */
#include <sys/stat.h>

#include "pairs/tables/band_tables.h"
#include "pairs/tables/block_tables.h"
#include "pairs/tables/section_file.h"
#include "index/store/redis_store.h"
#include "tests/fuzz/fuzz.h"

/* ---- A store in a file ---- */

static fp_string whole_store;
static fp_arena *kept;

static fp_status add(fp_records *records, size_t i, fp_arena *arena, fp_error *error) {
    fp_record record = {.id = fp_string_of(fp_format(arena, "id-%zu", i)),
                        .fingerprint = fp_string_of("12345678"),
                        .says = true,
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

/* ---- Files of sections ---- */

/* Right checksums, as far as the directory lies in the file. */
static void seal(char *bytes, size_t length) {
    fp_section_header *header = (void *)bytes;
    if (length < sizeof *header || header->directory % 8 || header->directory > length ||
        length - header->directory < sizeof(fp_section_directory))
        return;
    const fp_section_directory *directory = (void *)(bytes + header->directory);
    size_t left = length - header->directory - sizeof *directory;
    if (directory->section_count > left / sizeof(fp_section_row)) return;
    const fp_section_row *rows = (const void *)(directory + 1);
    uint64_t *sums = (void *)(bytes + header->directory + sizeof *directory + directory->section_count * sizeof *rows);
    left = (left - directory->section_count * sizeof *rows) / sizeof *sums;
    for (size_t s = 0; s < directory->section_count; s++) {
        if (rows[s].offset > length || rows[s].bytes > length - rows[s].offset) return;
        for (size_t at = 0; at < rows[s].bytes && left; at += FP_SECTION_PAGE, left--) {
            size_t most = rows[s].bytes - at;
            *sums++ = fp_xxh3(bytes + rows[s].offset + at, most < FP_SECTION_PAGE ? most : FP_SECTION_PAGE, 0);
        }
    }
    size_t covered = offsetof(fp_section_header, checksum), tail = length - header->directory;
    char *both = malloc(covered + tail);
    memcpy(both, bytes, covered);
    memcpy(both + covered, bytes + header->directory, tail);
    header->checksum = fp_xxh3(both, covered + tail, 0);
    free(both);
}

/* Changes the file as the input says, seals it where the first byte says so, and writes it. */
static const char *changed_sections(fp_string whole, fp_string input, fp_arena *arena) {
    unsigned choice = fuzz_choice(&input);
    fp_string made = changed(whole, input, 256, arena);
    char *bytes = fp_arena_raw(arena, made.length, 1);
    memcpy(bytes, made.data, made.length);
    if (choice & 1) seal(bytes, made.length);
    return fuzz_file("sections", (fp_string){bytes, made.length}, arena);
}

static void tell_line(void *context, const char *line) { tell(context, line); }

static fp_string make_blocks(void) {
    enum { COUNT = 12 };
    static uint64_t fingerprints[COUNT];
    fp_block_design design;
    fp_error error;
    fp_arena *arena = kept = kept ? kept : fp_arena_new();
    fp_block_source source = {fingerprints, NULL, COUNT};
    const char *path = fuzz_path("new", arena);
    for (size_t i = 0; i < COUNT; i++) fingerprints[i] = fp_mix(i / 2, 1);
    FUZZ_DEMAND(fp_block_design_parse("blocks=4", 64, 3, &design, &error) == FP_OK);
    FUZZ_DEMAND(fp_block_tables_write(&design, &source, path, NULL, NULL, &error) == FP_OK);
    return fuzz_content(path, arena);
}

void fuzz_blocks(fp_string input, fp_arena *arena) {
    static fp_string whole;
    if (!whole.data) whole = make_blocks();
    const char *path = changed_sections(whole, input, arena);
    fp_block_tables *tables;
    fp_error error;
    const fp_found *found;
    size_t count;
    uint64_t told = 0, problems, queries[] = {0, fp_mix(0, 1), fp_mix(3, 1) ^ 5};
    fp_progress progress = {.threads = 1};
    if (fp_block_tables_open(path, arena, &tables, &error) != FP_OK) return;
    for (size_t q = 0; q < sizeof queries / sizeof *queries; q++)
        fp_block_tables_near(tables, queries + q, 3, arena, &found, &count, NULL, &error);
    if (fp_block_tables_verify(tables, tell_line, &told, &problems, &progress, &error) == FP_OK)
        FUZZ_DEMAND(told == problems);
    uint32_t number;
    for (size_t i = 0; i < fp_block_tables_count(tables) && i < 64; i++)
        if (fp_block_tables_touch(tables, i, 1, &error) == FP_OK) fp_block_tables_entry(tables, i, &number);
    fp_block_tables_close(tables);
}

enum { SLOTS = 8, DOCUMENTS = 12 };
static const fp_layout LAYOUT = {.slots = SLOTS, .slot_bits = 32, .bytes = SLOTS * 4, .maximum = SLOTS};

static fp_string make_bands(void) {
    static uint32_t slots[DOCUMENTS][SLOTS];
    fp_error error;
    fp_band_tables *tables;
    fp_arena *arena = kept = kept ? kept : fp_arena_new();
    fp_progress progress = {.threads = 1};
    fp_sketches sketches = {.count = DOCUMENTS, .stride = sizeof *slots, .data = (const void *)slots};
    const char *path = fuzz_path("new", arena);
    for (size_t i = 0; i < DOCUMENTS; i++)
        for (size_t s = 0; s < SLOTS; s++) slots[i][s] = (uint32_t)fp_mix(i / 3, s);
    FUZZ_DEMAND(fp_band_tables_build(&LAYOUT, (fp_banding){4, 2}, &sketches, NULL, &progress, NULL, &tables, &error) ==
                FP_OK);
    FUZZ_DEMAND(fp_band_tables_write(tables, path, NULL, &error) == FP_OK);
    fp_band_tables_close(tables);
    return fuzz_content(path, arena);
}

void fuzz_bands(fp_string input, fp_arena *arena) {
    static fp_string whole;
    static uint32_t slots[SLOTS];
    if (!whole.data) whole = make_bands();
    const char *path = changed_sections(whole, input, arena);
    fp_band_tables *tables;
    fp_error error;
    const uint32_t *found;
    size_t count;
    if (fp_band_tables_open(path, arena, &tables, &error) != FP_OK) return;
    for (size_t s = 0; s < SLOTS; s++) slots[s] = (uint32_t)fp_mix(1, s);
    fp_sketch query = {.data = (const void *)slots, .size = sizeof slots};
    if (fp_band_candidates(tables, &LAYOUT, query, arena, &found, &count, NULL, &error) == FP_OK)
        for (size_t i = 0; i < count; i++) FUZZ_DEMAND(found[i] < fp_band_tables_form(tables).end);
    fp_band_tables_hold(tables, &LAYOUT, query, 3);
    fp_band_tables_close(tables);
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
