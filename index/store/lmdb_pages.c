/* SPDX-License-Identifier: GPL-3.0-or-later
 * Pages of LMDB, each looked at before it is followed. */
#include "index/store/lmdb_pages.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "base/order.h"

enum {
    HEAD = 16,  /* of a page */
    NODE = 8,   /* before its key */
    BRANCH = 1, /* what a page is */
    LEAF = 2,
    OVERFLOW = 4,
    META = 8,
    BIG = 1,       /* what a node is: its value lies in pages of its own */
    TABLE = 2,     /* it is a tree */
    TREE = 48,     /* bytes of a tree's description */
    ORDERS = 0x7e, /* of a tree's flags, those that say how keys are compared, and of several values of a key */
    NUMBERS = 8,   /* the only one of them that there is: of the list of free pages */
    LEAST_PAGE = 512,
    MOST_PAGE = 32768
};
static const uint32_t MAGIC = 0xBEEFC0DE, VERSION = 1;

/* ---- Numbers, as this machine writes them ---- */

#define READER(name, type)                        \
    static type name(const unsigned char *from) { \
        type value;                               \
        memcpy(&value, from, sizeof value);       \
        return value;                             \
    }
READER(u16, uint16_t)
READER(u32, uint32_t)
READER(u64, uint64_t)

/* The four bytes that begin a node are two halves, the lower one first on machines that write it first. */
static uint32_t halves(const unsigned char *node) {
    uint16_t first = u16(node), second = u16(node + 2);
    return __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? first | (uint32_t)second << 16 : second | (uint32_t)first << 16;
}

static void damaged(const fp_lmdb_pages *pages, const fp_lmdb_tree *tree, uint64_t number, const char *what) {
    if (pages->tell)
        fp_store_problem(pages->tell, "page %" PRIu64 " of its %s is damaged: %s", number, tree->name, what);
}

/* ---- The head ---- */

static fp_lmdb_tree tree_of(const unsigned char *bytes, const char *name) {
    return (fp_lmdb_tree){.name = name,
                          .flags = u16(bytes + 4) & ORDERS,
                          .depth = u16(bytes + 6),
                          .entries = u64(bytes + 32),
                          .root = u64(bytes + 40)};
}

/* One of the first two pages, where it is of a commit. */
static bool read_meta(const fp_lmdb_pages *file, size_t page, unsigned which, fp_lmdb_pages *found) {
    if (file->length < page * which + HEAD + 2 * TREE + 40) return false;
    const unsigned char *at = file->bytes + page * which;
    if (!(u16(at + 10) & META) || u32(at + HEAD) != MAGIC || u32(at + HEAD + 4) != VERSION) return false;
    const unsigned char *trees = at + HEAD + 8 + 2 * sizeof(size_t);
    *found = *file;
    found->page = u32(trees);
    found->free = tree_of(trees, "list of free pages");
    found->free.numbers = true;
    found->names = tree_of(trees + TREE, "list of tables");
    found->names.tables = true;
    found->last = u64(trees + 2 * TREE);
    found->commit = u64(trees + 2 * TREE + 8);
    return found->page >= LEAST_PAGE && found->page <= MOST_PAGE && !(found->page & (found->page - 1));
}

/* The later of the two that are whole, or that of `commit`. The second stands where the first says how long a page is;
 * where the first is damaged, at the usual places. */
static bool choose_meta(fp_lmdb_pages *pages, uint64_t commit) {
    fp_lmdb_pages meta, best = {0};
    bool found = false;
    size_t page = 0;
    if (read_meta(pages, 0, 0, &meta)) page = meta.page;
    for (unsigned which = 0; which < 2; which++)
        for (size_t size = page ? page : LEAST_PAGE; size <= (page ? page : MOST_PAGE); size *= 2)
            if (read_meta(pages, size, which, &meta) && meta.page == size && (!commit || meta.commit == commit) &&
                (!found || meta.commit > best.commit)) {
                best = meta;
                found = true;
            }
    if (found) *pages = best;
    return found;
}

bool fp_lmdb_pages_heads(const fp_lmdb_pages *pages) {
    fp_lmdb_pages meta;
    for (unsigned which = 0; which < 2; which++)
        if (!read_meta(pages, pages->page, which, &meta) || meta.page != pages->page) return false;
    return true;
}

fp_status fp_lmdb_pages_open(int file, uint64_t commit, fp_lmdb_pages *pages, fp_error *error) {
    struct stat status;
    *pages = (fp_lmdb_pages){0};
    if (sizeof(size_t) != 8)
        return fp_fail(error, FP_ERROR_ABI, "its pages can be looked at where addresses have 64 bits");
    if (fstat(file, &status)) return fp_fail(error, FP_ERROR_IO, "cannot read: %s", strerror(errno));
    void *map = status.st_size ? mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_SHARED, file, 0) : MAP_FAILED;
    if (map == MAP_FAILED) return fp_fail(error, FP_ERROR_IO, "cannot read: %s", strerror(errno));
    *pages = (fp_lmdb_pages){.bytes = map, .length = (size_t)status.st_size};
    if (choose_meta(pages, commit)) return FP_OK;
    fp_lmdb_pages_close(pages);
    return commit ? fp_fail(error, FP_ERROR_IO, "it has changed meanwhile")
                  : fp_fail(error, FP_ERROR_SYNTAX, "it is no store of records, or its head is damaged");
}

void fp_lmdb_pages_close(fp_lmdb_pages *pages) {
    union {
        const unsigned char *in;
        void *out;
    } bytes = {pages->bytes};
    if (pages->bytes) munmap(bytes.out, pages->length);
    pages->bytes = NULL;
}

/* ---- Pages ---- */

static const unsigned char *page_at(const fp_lmdb_pages *pages, uint64_t number) {
    return number <= pages->last && number < pages->length / pages->page ? pages->bytes + number * pages->page : NULL;
}

static unsigned count_of(const unsigned char *page) { return (unsigned)(u16(page + 12) - HEAD) / 2; }
static const unsigned char *node_at(const unsigned char *page, unsigned i) { return page + u16(page + HEAD + 2 * i); }
static fp_string key_of(const unsigned char *node) { return (fp_string){(const char *)node + NODE, u16(node + 6)}; }
static uint64_t child_of(const unsigned char *node) { return halves(node) | (uint64_t)u16(node + 4) << 32; }

static int compare(const fp_lmdb_tree *tree, fp_string a, fp_string b) {
    if (!tree->numbers || a.length != 8 || b.length != 8) return fp_string_compare(a, b);
    return FP_ORDER(u64((const unsigned char *)a.data), u64((const unsigned char *)b.data));
}

/* Whether the node lies within the page: its key, and its value or the number of the page that has it. */
static bool node_fits(const fp_lmdb_pages *pages, const unsigned char *page, unsigned i) {
    size_t at = u16(page + HEAD + 2 * i), upper = u16(page + 14);
    if (at < upper || at + NODE > pages->page) return false;
    const unsigned char *node = page + at;
    size_t value = u16(page + 10) & BRANCH ? 0 : u16(node + 4) & BIG ? 8 : halves(node);
    return at + NODE + u16(node + 6) + value <= pages->page;
}

/* LMDB looks for the values of a node in another tree where it bears a flag for that. */
static bool kind_fits(const fp_lmdb_tree *tree, const unsigned char *node) {
    return (u16(node + 4) & ~BIG) == (tree->tables ? TABLE : 0);
}

/* What is wrong with a page of a tree whose keys lie from `from` to below `below`, or NULL. */
static const char *wrong_page(const fp_lmdb_pages *pages, const fp_lmdb_tree *tree, uint64_t number, bool leaf,
                              fp_string from, fp_string below) {
    const unsigned char *page = page_at(pages, number);
    if (!page) return "it lies behind the end of the file";
    unsigned lower = u16(page + 12), upper = u16(page + 14), first = leaf ? 0 : 1;
    if (u64(page) != number || u16(page + 10) != (leaf ? LEAF : BRANCH)) return "it is another page";
    if (lower < HEAD + 2 || lower % 2 || lower > upper || upper > pages->page) return "its list of nodes is wrong";
    fp_string before = from;
    for (unsigned i = 0; i < count_of(page); i++) {
        if (!node_fits(pages, page, i)) return "a node runs over its end";
        if (leaf && !kind_fits(tree, node_at(page, i))) return "a node is of another kind";
        if (i < first) continue; /* the first key of a branch is not used */
        fp_string key = key_of(node_at(page, i));
        int order = before.data ? compare(tree, before, key) : -1;
        if (order > 0 || (!order && i > first)) return "its keys are not in order";
        before = key;
    }
    return below.data && before.data && compare(tree, before, below) >= 0 ? "its keys are not in order" : NULL;
}

/* ---- Cursors ---- */

/* The value of a node of a leaf; false: it lies in pages that are damaged. */
static bool value_of(const fp_lmdb_pages *pages, const fp_lmdb_tree *tree, const unsigned char *node,
                     fp_string *value) {
    const unsigned char *place = node + NODE + u16(node + 6);
    size_t length = halves(node);
    *value = (fp_string){(const char *)place, length};
    if (!(u16(node + 4) & BIG)) return true;
    uint64_t number = u64(place);
    const unsigned char *page = page_at(pages, number);
    uint64_t count = page ? u32(page + 12) : 0;
    if (!page || u64(page) != number || u16(page + 10) != OVERFLOW || !count || count > pages->last + 1 - number ||
        count > pages->length / pages->page - number || length > count * pages->page - HEAD) {
        damaged(pages, tree, number, "it is no page of a long value");
        return false;
    }
    *value = (fp_string){(const char *)page + HEAD, length};
    for (uint64_t i = 0; pages->used && i < count; i++) pages->used[number + i] = 1;
    return true;
}

/* Down to a page, which becomes the deepest one; false: it is damaged. */
static bool descend(fp_lmdb_cursor *cursor, uint64_t number, fp_string from, fp_string below) {
    bool leaf = cursor->depth + 1 == cursor->tree.depth;
    const char *wrong = wrong_page(cursor->pages, &cursor->tree, number, leaf, from, below);
    if (wrong) {
        damaged(cursor->pages, &cursor->tree, number, wrong);
        return false;
    }
    if (cursor->pages->used) cursor->pages->used[number] = 1;
    const unsigned char *page = page_at(cursor->pages, number);
    cursor->level[cursor->depth].page = page;
    cursor->level[cursor->depth].at = 0;
    cursor->level[cursor->depth].count = count_of(page);
    cursor->level[cursor->depth].from = from;
    cursor->level[cursor->depth++].below = below;
    return true;
}

/* The child of a branch that the cursor stands at, and its bounds: an own key of this level, or what bounds this page.
 */
static bool descend_here(fp_lmdb_cursor *cursor) {
    unsigned depth = cursor->depth - 1, at = cursor->level[depth].at;
    const unsigned char *page = cursor->level[depth].page;
    fp_string from = at ? key_of(node_at(page, at)) : cursor->level[depth].from;
    fp_string below = at + 1 < cursor->level[depth].count ? key_of(node_at(page, at + 1)) : cursor->level[depth].below;
    return descend(cursor, child_of(node_at(page, at)), from, below);
}

/* From where it stands to the next entry that can be read: over the ends of pages, and over what is damaged. */
static bool settle(fp_lmdb_cursor *cursor) {
    while (cursor->depth) {
        unsigned depth = cursor->depth - 1;
        if (cursor->level[depth].at >= cursor->level[depth].count) {
            cursor->depth--;
            if (depth) cursor->level[depth - 1].at++;
            continue;
        }
        if (cursor->depth < cursor->tree.depth) {
            if (!descend_here(cursor)) cursor->level[depth].at++;
            continue;
        }
        const unsigned char *node = node_at(cursor->level[depth].page, cursor->level[depth].at);
        cursor->key = key_of(node);
        if (value_of(cursor->pages, &cursor->tree, node, &cursor->value)) return true;
        cursor->level[depth].at++;
    }
    return false;
}

/* In a page: the first node of a leaf whose key is not less, or the last of a branch whose key is not more. */
static unsigned place_of(const fp_lmdb_tree *tree, const unsigned char *page, unsigned count, bool leaf,
                         fp_string key) {
    unsigned low = leaf ? 0 : 1, high = count;
    while (low < high) {
        unsigned middle = (low + high) / 2;
        if (compare(tree, key_of(node_at(page, middle)), key) < (leaf ? 0 : 1)) low = middle + 1;
        else high = middle;
    }
    return leaf ? low : low - 1;
}

bool fp_lmdb_cursor_seek(fp_lmdb_cursor *cursor, const fp_lmdb_pages *pages, const fp_lmdb_tree *tree, fp_string from) {
    *cursor = (fp_lmdb_cursor){.pages = pages, .tree = *tree};
    if (tree->root == FP_LMDB_NO_PAGE) return false;
    if (!tree->depth || tree->depth > FP_LMDB_DEPTH) {
        damaged(pages, tree, tree->root, "its tree is deeper than any");
        return false;
    }
    bool good = descend(cursor, tree->root, (fp_string){0}, (fp_string){0});
    while (good) {
        unsigned depth = cursor->depth - 1;
        bool leaf = cursor->depth == tree->depth;
        cursor->level[depth].at = place_of(tree, cursor->level[depth].page, cursor->level[depth].count, leaf, from);
        if (leaf) break;
        good = descend_here(cursor);
        if (!good) cursor->level[depth].at++;
    }
    return settle(cursor);
}

bool fp_lmdb_cursor_next(fp_lmdb_cursor *cursor) {
    if (!cursor->depth) return false;
    cursor->level[cursor->depth - 1].at++;
    return settle(cursor);
}

/* ---- Tables, and all pages ---- */

bool fp_lmdb_pages_table(const fp_lmdb_pages *pages, const char *name, fp_lmdb_tree *tree) {
    fp_lmdb_cursor cursor;
    fp_lmdb_pages silent = *pages;
    silent.tell = NULL;
    if (!fp_lmdb_cursor_seek(&cursor, &silent, &pages->names, fp_string_of(name)) ||
        !fp_string_equal(cursor.key, fp_string_of(name)) || cursor.value.length != TREE)
        return false;
    *tree = tree_of((const unsigned char *)cursor.value.data, name);
    return true;
}

static void walk_tree(const fp_lmdb_pages *pages, const fp_lmdb_tree *tree) {
    fp_lmdb_cursor cursor;
    uint64_t entries = 0, before = pages->tell->problems;
    if (tree->flags != (tree->numbers ? NUMBERS : 0))
        fp_store_problem(pages->tell, "its %s is damaged: its keys have another order", tree->name);
    for (bool there = fp_lmdb_cursor_seek(&cursor, pages, tree, (fp_string){0}); there;
         there = fp_lmdb_cursor_next(&cursor))
        entries++;
    if (entries != tree->entries && pages->tell->problems == before)
        fp_store_problem(pages->tell, "its %s has %" PRIu64 " entries, and says %" PRIu64, tree->name, entries,
                         tree->entries);
}

/* Lists of pages that a commit has freed: how many, then their numbers. A page that is in use would be written over. */
static void walk_free(fp_lmdb_pages *pages) {
    fp_lmdb_cursor cursor;
    uint64_t both = 0, wrong = 0;
    for (bool there = fp_lmdb_cursor_seek(&cursor, pages, &pages->free, (fp_string){0}); there;
         there = fp_lmdb_cursor_next(&cursor)) {
        const unsigned char *list = (const unsigned char *)cursor.value.data;
        uint64_t count = cursor.value.length >= 8 ? u64(list) : 0;
        if (cursor.value.length < 8 || count > cursor.value.length / 8 - 1) wrong++, count = 0;
        for (uint64_t i = 1; i <= count; i++) {
            uint64_t number = u64(list + 8 * i);
            if (number > pages->last || number < 2) wrong++;
            else if (page_at(pages, number)) both += pages->used[number];
        }
    }
    if (wrong) fp_store_problem(pages->tell, "its list of free pages is damaged");
    if (both) fp_store_problem(pages->tell, "%" PRIu64 " pages are in use and free at once", both);
}

fp_status fp_lmdb_pages_walk(fp_lmdb_pages *pages, const fp_arena *like, fp_error *error) {
    fp_lmdb_cursor cursor;
    fp_lmdb_tree tree;
    uint64_t count = pages->length / pages->page;
    pages->used = fp_memory_take(like, (size_t)count + 1, 1);
    if (!pages->used) return fp_no_memory(error);
    if (!fp_lmdb_pages_heads(pages)) fp_store_problem(pages->tell, "one of its two heads is damaged");
    walk_tree(pages, &pages->names);
    for (bool there = fp_lmdb_cursor_seek(&cursor, pages, &pages->names, (fp_string){0}); there;
         there = fp_lmdb_cursor_next(&cursor)) {
        char name[64];
        snprintf(name, sizeof name, "table \"%.*s\"", (int)(cursor.key.length < 40 ? cursor.key.length : 40),
                 cursor.key.data);
        if (cursor.value.length != TREE) {
            fp_store_problem(pages->tell, "its %s is damaged: it is described by %zu bytes", name, cursor.value.length);
            continue;
        }
        tree = tree_of((const unsigned char *)cursor.value.data, name);
        walk_tree(pages, &tree);
    }
    walk_free(pages);
    fp_memory_release(like, pages->used);
    pages->used = NULL;
    return FP_OK;
}
