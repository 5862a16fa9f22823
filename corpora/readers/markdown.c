/* SPDX-License-Identifier: GPL-3.0-or-later
 * The text of Markdown, from the events of the MD4C parser. */

#include <libxml/HTMLparser.h>
#include <libxml/parserInternals.h>
#include <md4c.h>
#include <stdlib.h>
#include <string.h>

#include "corpora/readers/html.h"

typedef struct reader {
    fp_html_blocks *blocks;
    bool heading, titled; /* inside the first heading, which is the title; a heading was seen */
    bool no_memory;
} reader;

static int stop(reader *in) {
    in->no_memory = true;
    return -1;
}

/* ---- Blocks ---- */

static int enter_block(MD_BLOCKTYPE type, void *detail, void *context) {
    reader *in = context;
    (void)detail;
    fp_html_blocks_end(in->blocks);
    if (type == MD_BLOCK_H && !in->titled) in->heading = in->titled = true;
    return 0;
}

static int leave_block(MD_BLOCKTYPE type, void *detail, void *context) {
    reader *in = context;
    (void)detail;
    fp_html_blocks_end(in->blocks);
    if (type == MD_BLOCK_H) in->heading = false;
    return 0;
}

static int pass_span(MD_SPANTYPE type, void *detail, void *context) {
    (void)type, (void)detail, (void)context;
    return 0;
}

/* ---- Text ---- */

static int add(reader *in, fp_string piece) {
    if (in->heading && !fp_html_blocks_title(in->blocks, piece)) return stop(in);
    return fp_html_blocks_add(in->blocks, piece, false, false) ? 0 : stop(in);
}

/* "&amp;", "&#20013;", "&#x4e2d;"; an unknown entity stays as written. */
static int add_entity(reader *in, fp_string entity) {
    char name[32], bytes[8];
    unsigned value = 0;
    if (entity.length < 3 || entity.length >= sizeof name) return add(in, entity);
    memcpy(name, entity.data + 1, entity.length - 2);
    name[entity.length - 2] = '\0';
    if (name[0] == '#') {
        bool hexadecimal = name[1] == 'x' || name[1] == 'X';
        value = (unsigned)strtoul(name + 1 + hexadecimal, NULL, hexadecimal ? 16 : 10);
    } else {
        const htmlEntityDesc *known = htmlEntityLookup((const xmlChar *)name);
        value = known ? known->value : 0;
        if (!known) return add(in, entity);
    }
    if (value == 0 || value > 0x10ffff || (value >= 0xd800 && value < 0xe000)) value = 0xfffd;
    int length = xmlCopyCharMultiByte((xmlChar *)bytes, (int)value);
    return add(in, (fp_string){bytes, (size_t)length});
}

static int add_code(reader *in, fp_string code) {
    fp_string rest = code, line;
    while (fp_next_line(&rest, &line)) {
        if (add(in, line) != 0) return -1;
        if (rest.length || code.data[code.length - 1] == '\n') fp_html_blocks_line_end(in->blocks);
    }
    return 0;
}

static int take_text(MD_TEXTTYPE type, const MD_CHAR *text, MD_SIZE size, void *context) {
    reader *in = context;
    fp_string piece = {text, size};
    switch (type) {
    case MD_TEXT_NORMAL:
    case MD_TEXT_LATEXMATH: return add(in, piece);
    case MD_TEXT_CODE: return add_code(in, piece);
    case MD_TEXT_ENTITY: return add_entity(in, piece);
    case MD_TEXT_NULLCHAR: return add(in, (fp_string){"\xef\xbf\xbd", 3});
    case MD_TEXT_SOFTBR: return add(in, (fp_string){"\n", 1});
    case MD_TEXT_BR: fp_html_blocks_line_end(in->blocks); return 0;
    case MD_TEXT_HTML: return 0;
    }
    return 0;
}

/* ---- Front matter ---- */

/* The value of a "title:" line, without quotes. */
static bool take_title(fp_string line, fp_string *title) {
    static const char NAME[] = "title:";
    size_t name = sizeof NAME - 1;
    if (line.length <= name || memcmp(line.data, NAME, name) != 0) return false;
    const char *at = line.data + name, *end = line.data + line.length;
    while (at < end && *at == ' ') at++;
    while (end > at && (end[-1] == ' ' || end[-1] == '\r')) end--;
    if (end - at >= 2 && (*at == '"' || *at == '\'') && end[-1] == *at) at++, end--;
    *title = (fp_string){at, (size_t)(end - at)};
    return true;
}

/* The text after the front matter; all of `raw` if there is none. */
static fp_string skip_front_matter(fp_string raw, fp_string *title) {
    fp_string rest = raw, line;
    if (!fp_next_line(&rest, &line) || !fp_string_equal(line, fp_string_of("---"))) return raw;
    fp_string found = {"", 0};
    while (fp_next_line(&rest, &line)) {
        if (fp_string_equal(line, fp_string_of("---")) || fp_string_equal(line, fp_string_of("..."))) {
            *title = found;
            return rest;
        }
        take_title(line, &found);
    }
    return raw;
}

fp_status fp_markdown_read(fp_string raw, fp_arena *arena, fp_html_page *made, fp_error *error) {
    fp_html_blocks blocks = {.arena = arena};
    reader in = {.blocks = &blocks};
    fp_string title = {"", 0};
    fp_string body = skip_front_matter(raw, &title);
    if (body.length > INT32_MAX) return fp_fail(error, FP_ERROR_RANGE, "more than %d bytes of Markdown", INT32_MAX);
    const MD_PARSER parser = {.flags = MD_DIALECT_GITHUB,
                              .enter_block = enter_block,
                              .leave_block = leave_block,
                              .enter_span = pass_span,
                              .leave_span = pass_span,
                              .text = take_text};
    /* MD4C fails only for lack of memory, in the parser or in the callbacks. */
    if (md_parse(body.data, (MD_SIZE)body.length, &parser, &in) != 0) return fp_no_memory(error);
    *made = (fp_html_page){{"", 0}, {"", 0}};
    if (!fp_html_blocks_join(&blocks, FP_HTML_KEEP_ALL, made)) return fp_no_memory(error);
    if (title.length) made->title = title;
    return FP_OK;
}
