/* SPDX-License-Identifier: GPL-3.0-or-later
 * The text of an HTML page, from the events of libxml2's parser: no tree is made, so that depth costs nothing. */
#include "corpora/markup/html_text.h"

#include <errno.h>
#include <libxml/HTMLparser.h>
#include <libxml/parserInternals.h>
#include <string.h>

#include "corpora/markup/html_blocks.h"
#include "text/unicode/encoding.h"

/* ---- Elements ---- */

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

/* Where in the nesting something began; 0: it has not. */
typedef struct page_reader {
    fp_html_blocks *blocks;
    htmlParserCtxtPtr parser;
    size_t depth;
    size_t never, around, link, title, article;
    bool too_deep, no_memory;
    int crowded;    /* the line of an element of too many attributes; 0: there is none */
    fp_string rest; /* that the parser has not asked for yet */
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

/* Nothing is printed. Without memory the parser would turn in circles: it is put at the end of its input, which
 * xmlStopParser would free while it is being changed. */
static void note_error(void *context, xmlErrorPtr error) {
    page_reader *reader = context;
    if (error->code != XML_ERR_NO_MEMORY && errno != ENOMEM) return;
    reader->no_memory = true;
    reader->rest.length = 0;
    htmlParserCtxtPtr parser = reader->parser;
    if (!parser) return;
    parser->disableSAX = 1;
    parser->instate = XML_PARSER_EOF;
    if (parser->input && parser->input->cur) parser->input->cur = parser->input->end;
    /* A list of open elements that could not grow is gone, and its length is not. */
    if (!parser->nameTab) parser->nameNr = parser->nameMax = 0;
}

/* The parser compares each attribute of an element with those before it. Its list of them, of names and values, grows
 * while it reads on: so it is looked at whenever the parser asks for more of the page. */
static int read_on(void *context, char *buffer, int room) {
    page_reader *reader = context;
    const htmlParserCtxtPtr parser = reader->parser;
    if (parser && parser->maxatts > 4 * FP_HTML_ATTRIBUTES && !reader->crowded) {
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

/* The buffer has room for all of the page from the start (twice xmlDefaultBufferSize): one that cannot grow would leave
 * the parser without its input, which it does not look at. */
static bool give_input(htmlParserCtxtPtr parser, page_reader *reader) {
    enum { AHEAD = 16384 }; /* bytes that the parser may ask for behind the end */
    int usual = xmlDefaultBufferSize;
    xmlDefaultBufferSize = (int)(reader->rest.length / 2) + AHEAD;
    xmlParserInputBufferPtr buffer = xmlParserInputBufferCreateIO(read_on, NULL, reader, XML_CHAR_ENCODING_NONE);
    xmlDefaultBufferSize = usual;
    xmlParserInputPtr input = buffer ? xmlNewIOInputStream(parser, buffer, XML_CHAR_ENCODING_NONE) : NULL;
    if (buffer && !input) xmlFreeParserInputBuffer(buffer);
    return input && inputPush(parser, input) >= 0;
}

/* Over the rest, which is UTF-8 whatever it says of itself: nothing is to be converted. */
static htmlParserCtxtPtr new_parser(page_reader *reader) {
    static const htmlSAXHandler EVENTS = {.startElement = start_element,
                                          .endElement = end_element,
                                          .characters = take_text,
                                          .ignorableWhitespace = take_text,
                                          .initialized = XML_SAX2_MAGIC};
    htmlParserCtxtPtr parser = htmlNewParserCtxt();
    if (!parser) return NULL;
    *parser->sax = EVENTS;
    parser->userData = reader;
    htmlCtxtUseOptions(parser, HTML_PARSE_RECOVER | HTML_PARSE_NONET | HTML_PARSE_IGNORE_ENC | HTML_PARSE_NOERROR |
                                   HTML_PARSE_NOWARNING);
    parser->charset = XML_CHAR_ENCODING_UTF8;
    parser->encoding = xmlStrdup((const xmlChar *)"UTF-8");
    if (parser->encoding && give_input(parser, reader)) return parser;
    htmlFreeParserCtxt(parser);
    return NULL;
}

static void run_parser(page_reader *reader) {
    reader->parser = new_parser(reader);
    if (!reader->parser) {
        reader->no_memory = true;
        return;
    }
    htmlParseDocument(reader->parser);
    if (reader->parser->myDoc) xmlFreeDoc(reader->parser->myDoc);
    reader->parser->myDoc = NULL;
    reader->no_memory |= reader->parser->errNo == XML_ERR_NO_MEMORY;
    htmlFreeParserCtxt(reader->parser);
    reader->parser = NULL;
}

/* libxml2 goes on where an allocation fails, and keeps some of these failures to itself: errno, which nothing else here
 * sets, tells of every one. In a thread that is not the first it wants memory of its own, which is asked for before. */
static fp_status parse(page_reader *reader, fp_error *error) {
    int before = errno;
    errno = 0;
    xmlInitThreads();
    if (!xmlIsMainThread() && !xmlGetGlobalState()) return fp_no_memory(error);
    xmlStructuredErrorFunc handler = xmlStructuredError;
    void *context = xmlStructuredErrorContext;
    xmlSetStructuredErrorFunc(reader, note_error);
    xmlInitParser();
    if (errno != ENOMEM) run_parser(reader);
    xmlSetStructuredErrorFunc(context, handler);
    bool failed = reader->no_memory || errno == ENOMEM;
    errno = before;
    if (failed) return fp_no_memory(error);
    if (reader->too_deep)
        return fp_fail(error, FP_ERROR_RANGE, "the page nests elements more than %d deep", FP_HTML_DEEPEST);
    if (!reader->crowded) return FP_OK;
    fp_fail(error, FP_ERROR_RANGE,
            "an element in line %d of the page has more than %d attributes; leave the page out, or add --skip-bad",
            reader->crowded, FP_HTML_ATTRIBUTES);
    return fp_at(error, FP_ERROR_RANGE, NULL, (size_t)reader->crowded, SIZE_MAX);
}

/* In an encoding that was named; *done is false where nobody knows it. */
static fp_status decode_named(fp_string raw, const char *encoding, fp_arena *arena, fp_string *text, bool *done,
                              fp_error *error) {
    fp_error unknown;
    fp_status status = fp_to_utf8(raw, encoding, true, arena, text, NULL, &unknown);
    *done = status == FP_OK;
    return status == FP_ERROR_MEMORY ? fp_no_memory(error) : FP_OK;
}

static fp_status decode(fp_string raw, const char *encoding, fp_arena *arena, fp_string *text, fp_error *error) {
    char declared[64];
    bool done = false, marked = fp_byte_order_mark(raw) != NULL;
    fp_html_declared_encoding(raw, declared);
    if (!marked && encoding) FP_TRY(decode_named(raw, encoding, arena, text, &done, error));
    if (!marked && !done && *declared) FP_TRY(decode_named(raw, declared, arena, text, &done, error));
    if (!done) FP_TRY(decode_named(raw, "auto", arena, text, &done, error));
    return done ? FP_OK : fp_to_utf8(raw, "utf-8", true, arena, text, NULL, error);
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
