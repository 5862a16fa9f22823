/* SPDX-License-Identifier: GPL-3.0-or-later
 * The encoding that an HTML page says it is in. */
#include <string.h>
#include <strings.h>

#include "corpora/markup/html_text.h"

enum { LOOKED_AT = 1024 };

static bool is_space(char byte) { return byte == ' ' || (byte >= '\t' && byte <= '\r'); }

/* Where `word` stands in text[from, end), in any case; `end` where it does not. */
static size_t find(const char *text, size_t from, size_t end, const char *word) {
    size_t length = strlen(word);
    for (; from + length <= end; from++)
        if (strncasecmp(text + from, word, length) == 0) return from;
    return end;
}

/* What pages call by a name of which they mean a superset (WHATWG, Encoding, 4.2). */
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

/* charset=… within one tag: both <meta charset> and content="text/html; charset=…" have it. */
static bool read_charset(const char *text, size_t from, size_t end, char name[64]) {
    for (size_t at = find(text, from, end, "charset"); at < end; at = find(text, at, end, "charset")) {
        at += strlen("charset");
        while (at < end && is_space(text[at])) at++;
        if (at == end || text[at] != '=') continue;
        for (at++; at < end && (is_space(text[at]) || text[at] == '"' || text[at] == '\'');) at++;
        size_t length = 0;
        char label[64];
        while (at < end && length < sizeof label - 1 && !is_space(text[at]) && !strchr("\"';/>", text[at]))
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
