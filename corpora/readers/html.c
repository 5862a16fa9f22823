/* SPDX-License-Identifier: GPL-3.0-or-later
 * Splits a page into blocks, and selects those of the article. */
#include "corpora/readers/html.h"

#include <libxml/HTMLparser.h>
#include <string.h>
#include <strings.h>

#include "text/unicode/encoding.h"
#include "text/unicode/utf8.h"

/* ---- Text ---- */

/* Scripts without blanks between words. */
static bool is_wide(unsigned code) {
    return (code >= 0x2e80 && code < 0xac00) || (code >= 0xf900 && code < 0xfb00) ||
           (code >= 0xff00 && code < 0xffe0) || (code >= 0x20000 && code < 0x40000);
}

/* Marks used in Chinese and in other texts: dashes, quotation marks, dots. */
static bool is_mark(unsigned code) { return code >= 0x2010 && code <= 0x2027; }

/* Whether a source line end between the two is dropped instead of becoming a blank. */
static bool joins(unsigned a, unsigned b) {
    return (is_wide(a) && (is_wide(b) || is_mark(b))) || (is_mark(a) && is_wide(b));
}

/* HTML white space; also U+00A0, which is displayed like a blank. */
static bool is_space(unsigned code) {
    return code == ' ' || code == '\t' || code == '\n' || code == '\f' || code == '\r' || code == 0xa0;
}

static bool put(fp_html_text *to, fp_arena *arena, const char *bytes, size_t count) {
    bool full = to->room - to->length <= count;
    if (full && fp_arena_room(arena, &to->bytes, &to->room, to->length + count, 1, NULL) != FP_OK) return false;
    memcpy(to->bytes + to->length, bytes, count);
    to->length += count;
    return true;
}

/* Writes the pending white space as a browser shows it. */
static bool put_gap(fp_html_text *to, fp_arena *arena, unsigned next) {
    bool done = true;
    if (to->line_end && to->last) done = put(to, arena, "\n", 1);
    else if (to->gap && to->last && !(to->gap_ends_line && joins(to->last, next))) done = put(to, arena, " ", 1);
    to->gap = to->gap_ends_line = to->line_end = false;
    return done;
}

static bool put_character(fp_html_text *to, fp_arena *arena, const char *bytes, size_t length, unsigned code) {
    if (is_space(code)) {
        to->gap = true;
        to->gap_ends_line |= code == '\n' || code == '\r';
        return true;
    }
    if (!put_gap(to, arena, code) || !put(to, arena, bytes, length)) return false;
    to->last = code;
    return true;
}

/* ---- Blocks ---- */

static bool open_block(fp_html_blocks *blocks, bool around) {
    if (FP_ROOM(blocks->arena, blocks->at, blocks->count, blocks->room, NULL) != FP_OK) return false;
    blocks->at[blocks->count++] = (fp_html_block){.begin = blocks->text.length, .around = around};
    blocks->text.last = 0;
    blocks->text.gap = blocks->text.gap_ends_line = blocks->text.line_end = blocks->in_word = false;
    return blocks->open = true;
}

/* A Chinese or Japanese character counts half a word, a run of others one. */
static double count_words(fp_html_blocks *blocks, unsigned code) {
    bool wide = is_wide(code), begins = !wide && !is_space(code) && !blocks->in_word;
    blocks->in_word = !wide && !is_space(code);
    return wide ? 0.5 : begins ? 1 : 0;
}

bool fp_html_blocks_add(fp_html_blocks *blocks, fp_string piece, bool link, bool around) {
    /* Inline elements outside the article form their own blocks. */
    if (blocks->open && blocks->at[blocks->count - 1].around != around) fp_html_blocks_end(blocks);
    for (size_t at = 0; at < piece.length;) {
        uint32_t code;
        size_t length = fp_utf8_decode(piece.data + at, &code);
        if (!blocks->open && !is_space(code) && !open_block(blocks, around)) return false;
        if (blocks->open) {
            fp_html_block *block = blocks->at + blocks->count - 1;
            double words = count_words(blocks, code);
            if (!put_character(&blocks->text, blocks->arena, piece.data + at, length, code)) return false;
            block->words += words;
            if (link) block->link_words += words;
            block->end = blocks->text.length;
        }
        at += length;
    }
    return true;
}

bool fp_html_blocks_title(fp_html_blocks *blocks, fp_string piece) {
    for (size_t at = 0; at < piece.length;) {
        uint32_t code;
        size_t length = fp_utf8_decode(piece.data + at, &code);
        if (!put_character(&blocks->title, blocks->arena, piece.data + at, length, code)) return false;
        at += length;
    }
    return true;
}

void fp_html_blocks_end(fp_html_blocks *blocks) { blocks->open = false; }

void fp_html_blocks_line_end(fp_html_blocks *blocks) {
    blocks->text.line_end = true;
    blocks->in_word = false;
}

/* ---- Selecting the article ---- */

static double density(const fp_html_block *block) {
    return block && block->words > 0 ? block->link_words / block->words : 0;
}

static double words_of(const fp_html_block *block) { return block ? block->words : 0; }

/* Algorithm 2 of Kohlschütter, Fankhauser and Nejdl, unchanged. */
bool fp_html_blocks_rule(const fp_html_block *before, const fp_html_block *block, const fp_html_block *after) {
    if (density(block) > 0.333333) return true;
    if (density(before) <= 0.555556) return words_of(block) <= 16 && words_of(after) <= 15 && words_of(before) <= 4;
    return words_of(block) <= 40 && words_of(after) <= 17;
}

typedef enum strictness { BOTH, ELEMENTS, NONE } strictness;

static bool keeps(const fp_html_blocks *blocks, size_t i, strictness by) {
    const fp_html_block *block = blocks->at + i;
    if (by == NONE) return true;
    if (block->around) return false;
    return by == ELEMENTS ||
           !fp_html_blocks_rule(i ? block - 1 : NULL, block, i + 1 < blocks->count ? block + 1 : NULL);
}

static void join(const fp_html_blocks *blocks, strictness by, char *to, size_t *length) {
    *length = 0;
    for (size_t i = 0; i < blocks->count; i++) {
        const fp_html_block *block = blocks->at + i;
        if (!keeps(blocks, i, by)) continue;
        if (*length) to[(*length)++] = '\n';
        memcpy(to + *length, blocks->text.bytes + block->begin, block->end - block->begin);
        *length += block->end - block->begin;
    }
    to[*length] = '\0';
}

bool fp_html_blocks_join(fp_html_blocks *blocks, fp_html_keep keep, fp_html_page *page) {
    if (blocks->title.length) page->title = (fp_string){blocks->title.bytes, blocks->title.length};
    if (blocks->count == 0) return true;
    char *text = fp_arena_raw(blocks->arena, blocks->text.length + blocks->count + 1, 1);
    if (!text) return false;
    page->text.data = text;
    page->text.length = 0;
    for (strictness by = keep == FP_HTML_KEEP_ALL ? NONE : BOTH; by <= NONE && page->text.length == 0; by++)
        join(blocks, by, text, &page->text.length);
    return true;
}

/* ---- The declared encoding of an HTML page ---- */

enum { LOOKED_AT = 1024 };

static bool is_html_space(char byte) { return byte == ' ' || (byte >= '\t' && byte <= '\r'); }

/* The position of `word` in text[from, end), ignoring case; `end` if it is missing. */
static size_t find(const char *text, size_t from, size_t end, const char *word) {
    size_t length = strlen(word);
    for (; from + length <= end; from++)
        if (strncasecmp(text + from, word, length) == 0) return from;
    return end;
}

/* The superset of the named encoding that pages mean (WHATWG, Encoding, 4.2). */
static const char *meant_by(const char *label) {
    static const char *const MEANT[][2] = {{"gb2312", "gb18030"},
                                           {"gb_2312-80", "gb18030"},
                                           {"gbk", "gb18030"},
                                           {"x-gbk", "gb18030"},
                                           {"gb_2312", "gb18030"},
                                           {"iso-8859-1", "windows-1252"},
                                           {"latin1", "windows-1252"},
                                           {"us-ascii", "windows-1252"},
                                           {"ascii", "windows-1252"},
                                           {"shift_jis", "windows-31j"},
                                           {"sjis", "windows-31j"},
                                           {"euc-kr", "windows-949"},
                                           {"ks_c_5601-1987", "windows-949"},
                                           {"utf-16", "utf-8"},
                                           {"utf-16le", "utf-8"},
                                           {"utf-16be", "utf-8"}};
    for (size_t i = 0; i < sizeof MEANT / sizeof *MEANT; i++)
        if (strcasecmp(label, MEANT[i][0]) == 0) return MEANT[i][1];
    return label;
}

/* charset=… within one tag: as in <meta charset> and in content="text/html; charset=…". */
static bool read_charset(const char *text, size_t from, size_t end, char name[64]) {
    for (size_t at = find(text, from, end, "charset"); at < end; at = find(text, at, end, "charset")) {
        at += strlen("charset");
        while (at < end && is_html_space(text[at])) at++;
        if (at == end || text[at] != '=') continue;
        for (at++; at < end && (is_html_space(text[at]) || text[at] == '"' || text[at] == '\'');) at++;
        size_t length = 0;
        char label[64];
        while (at < end && length < sizeof label - 1 && !is_html_space(text[at]) && !strchr("\"';/>", text[at]))
            label[length++] = text[at++];
        label[length] = '\0';
        snprintf(name, 64, "%s", meant_by(label));
        return length > 0;
    }
    return false;
}

void fp_html_declared_encoding(fp_string raw, char name[64]) {
    size_t end = raw.length < LOOKED_AT ? raw.length : LOOKED_AT;
    *name = '\0';
    for (size_t at = 0; at < end;) {
        size_t comment = find(raw.data, at, end, "<!--"), meta = find(raw.data, at, end, "<meta");
        if (comment < meta) {
            at = find(raw.data, comment, end, "-->");
            continue;
        }
        if (meta == end) return;
        size_t tag = find(raw.data, meta, end, ">");
        if (read_charset(raw.data, meta, tag, name)) return;
        at = meta + 1;
    }
}

/* ---- Parsing with libxml2's SAX events: no tree is built, so depth costs no memory ---- */

static bool is_one_of(const char *name, const char *const *names) {
    for (; *names; names++)
        if (strcmp(name, *names) == 0) return true;
    return false;
}

static const char *const NEVER[] = {"script",   "style",  "noscript", "template", "iframe", "object",
                                    "noframes", "applet", "svg",      "math",     NULL};
static const char *const AROUND[] = {"nav", "aside", "footer", "form", "button", "select", "textarea", NULL};
static const char *const BLOCKS[] = {
    "address", "article", "aside", "blockquote", "body",     "caption",    "center", "dd",     "details", "dialog",
    "dir",     "div",     "dl",    "dt",         "fieldset", "figcaption", "figure", "footer", "form",    "h1",
    "h2",      "h3",      "h4",    "h5",         "h6",       "header",     "hgroup", "hr",     "html",    "legend",
    "li",      "main",    "menu",  "nav",        "ol",       "p",          "pre",    "search", "section", "summary",
    "table",   "tbody",   "td",    "tfoot",      "th",       "thead",      "tr",     "ul",     NULL};

/* The depth at which each region began; 0: outside. */
typedef struct page_reader {
    fp_html_blocks *blocks;
    htmlParserCtxtPtr parser;
    size_t depth;
    size_t never, around, link, title, article;
    bool too_deep, no_memory;
    int crowded;    /* line of an element with too many attributes; 0: none */
    fp_string rest; /* input that the parser has not yet read */
} page_reader;

static bool is_hidden(const xmlChar **attributes) {
    for (; attributes && *attributes; attributes += 2)
        if (strcmp((const char *)*attributes, "hidden") == 0) return true;
    return false;
}

static bool is_crowded(const xmlChar **attributes) {
    size_t count = 0;
    while (attributes && count <= FP_HTML_ATTRIBUTES && attributes[2 * count]) count++;
    return count > FP_HTML_ATTRIBUTES;
}

static void since(size_t *mark, const page_reader *reader, bool begins) {
    if (begins && !*mark) *mark = reader->depth;
}

static void start_element(void *context, const xmlChar *xml_name, const xmlChar **attributes) {
    page_reader *reader = context;
    const char *name = (const char *)xml_name;
    if (reader->crowded) return;
    if (is_crowded(attributes)) reader->crowded = reader->parser->input->line;
    else if (++reader->depth > FP_HTML_DEEPEST) reader->too_deep = true;
    if (reader->crowded || reader->too_deep) {
        xmlStopParser(reader->parser);
        return;
    }
    bool header = strcmp(name, "header") == 0 && !reader->article;
    since(&reader->article, reader, strcmp(name, "article") == 0 || strcmp(name, "main") == 0);
    since(&reader->never, reader, is_one_of(name, NEVER) || is_hidden(attributes));
    since(&reader->title, reader, strcmp(name, "title") == 0);
    if (is_one_of(name, BLOCKS)) fp_html_blocks_end(reader->blocks);
    else if (strcmp(name, "br") == 0) fp_html_blocks_line_end(reader->blocks);
    since(&reader->around, reader, header || is_one_of(name, AROUND));
    since(&reader->link, reader, strcmp(name, "a") == 0);
}

static void end_mark(size_t *mark, size_t depth) {
    if (*mark == depth) *mark = 0;
}

static void end_element(void *context, const xmlChar *xml_name) {
    page_reader *reader = context;
    if (reader->depth == 0) return;
    if (is_one_of((const char *)xml_name, BLOCKS)) fp_html_blocks_end(reader->blocks);
    size_t *const marks[] = {&reader->never, &reader->around, &reader->link, &reader->title, &reader->article};
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) end_mark(marks[i], reader->depth);
    reader->depth--;
}

static void take_text(void *context, const xmlChar *text, int length) {
    page_reader *reader = context;
    if (reader->never || length <= 0) return;
    fp_string piece = {(const char *)text, (size_t)length};
    bool taken = reader->title ? fp_html_blocks_title(reader->blocks, piece)
                               : fp_html_blocks_add(reader->blocks, piece, reader->link, reader->around);
    if (taken) return;
    reader->no_memory = true;
    xmlStopParser(reader->parser);
}

/* The parser compares each attribute of an element with all earlier ones, so their number must be limited. Its list of
 * names and values grows while it reads: it is checked whenever the parser reads more of the page. */
static int read_on(void *context, char *buffer, int room) {
    page_reader *reader = context;
    const htmlParserCtxtPtr parser = reader->parser;
    if (parser->maxatts > 4 * FP_HTML_ATTRIBUTES && !reader->crowded) {
        reader->crowded = parser->input->line;
        parser->disableSAX = 1;
    }
    if (reader->crowded) return 0;
    size_t length = reader->rest.length < (size_t)room ? reader->rest.length : (size_t)room;
    memcpy(buffer, reader->rest.data, length);
    reader->rest.data += length;
    reader->rest.length -= length;
    return (int)length;
}

/* Parses the rest, which is UTF-8 even if the page declares another encoding. Prints nothing, and builds no tree. */
static fp_status parse(page_reader *reader, fp_error *error) {
    static const htmlSAXHandler EVENTS = {.startElement = start_element,
                                          .endElement = end_element,
                                          .characters = take_text,
                                          .ignorableWhitespace = take_text,
                                          .initialized = XML_SAX2_MAGIC};
    enum { OPTIONS = HTML_PARSE_RECOVER | HTML_PARSE_NONET | HTML_PARSE_IGNORE_ENC | HTML_PARSE_NOERROR };
    xmlInitParser();
    htmlParserCtxtPtr parser = reader->parser = htmlNewParserCtxt();
    if (!parser) return fp_no_memory(error);
    *parser->sax = EVENTS;
    parser->userData = reader;
    xmlFreeDoc(htmlCtxtReadIO(parser, read_on, NULL, reader, NULL, "UTF-8", OPTIONS | HTML_PARSE_NOWARNING));
    bool failed = reader->no_memory || parser->errNo == XML_ERR_NO_MEMORY;
    htmlFreeParserCtxt(parser);
    if (failed) return fp_no_memory(error);
    if (reader->too_deep)
        return fp_fail(error, FP_ERROR_RANGE, "the page nests elements more than %d deep", FP_HTML_DEEPEST);
    if (!reader->crowded) return FP_OK;
    fp_fail(error, FP_ERROR_RANGE,
            "an element in line %d of the page has more than %d attributes; leave the page out, or add --skip-bad",
            reader->crowded, FP_HTML_ATTRIBUTES);
    return fp_at(error, FP_ERROR_RANGE, NULL, (size_t)reader->crowded, SIZE_MAX);
}

/* Decodes by the encoding that came with the page, the declared one or ICU's guess, whichever is known first. */
static fp_status decode(fp_string raw, const char *encoding, fp_arena *arena, fp_string *text, fp_error *error) {
    char declared[64];
    bool marked = fp_byte_order_mark(raw) != NULL;
    fp_html_declared_encoding(raw, declared);
    const char *const names[] = {marked ? NULL : encoding, marked || !*declared ? NULL : declared, "auto"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        fp_status status = names[i] ? fp_to_utf8(raw, names[i], true, arena, text, NULL, NULL) : FP_ERROR_UNKNOWN;
        if (status == FP_OK) return FP_OK;
        if (status == FP_ERROR_MEMORY) return fp_no_memory(error);
    }
    return fp_to_utf8(raw, "utf-8", true, arena, text, NULL, error);
}

fp_status fp_html_read(fp_string raw, const char *encoding, fp_html_keep keep, fp_arena *arena, fp_html_page *page,
                       fp_error *error) {
    fp_string text;
    *page = (fp_html_page){{"", 0}, {"", 0}};
    if (raw.length > FP_HTML_MOST_BYTES)
        return fp_fail(error, FP_ERROR_RANGE, "the page has more than %d bytes", FP_HTML_MOST_BYTES);
    if (raw.length == 0) return FP_OK;
    FP_TRY(decode(raw, encoding, arena, &text, error));
    text = fp_string_skip_mark(text);
    if (text.length > INT32_MAX) return fp_fail(error, FP_ERROR_RANGE, "the page has more than %d bytes", INT32_MAX);
    fp_html_blocks blocks = {.arena = arena};
    page_reader reader = {.blocks = &blocks, .rest = text};
    FP_TRY(parse(&reader, error));
    return fp_html_blocks_join(&blocks, keep, page) ? FP_OK : fp_no_memory(error);
}
