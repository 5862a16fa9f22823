/* SPDX-License-Identifier: GPL-3.0-or-later
 * A page in one file. */
#include "reports/frame/frame.h"

#include <nettle/base64.h>
#include <nettle/sha2.h>
#include <string.h>

/* ---- Base64 (RFC 4648) ---- */

enum { PIECE = 3 * 1024 }; /* whole groups of three bytes, so that pieces join without padding between them */

static void put_base64(FILE *to, fp_string bytes) {
    char encoded[BASE64_ENCODE_RAW_LENGTH(PIECE)];
    for (size_t at = 0; at < bytes.length; at += PIECE) {
        size_t length = bytes.length - at < PIECE ? bytes.length - at : PIECE;
        base64_encode_raw(encoded, length, (const uint8_t *)bytes.data + at);
        fwrite(encoded, 1, BASE64_ENCODE_RAW_LENGTH(length), to);
    }
}

/* ---- The policy ---- */

/* The source expression of parts that stand in one element (CSP 3, 2.3.1). */
static void put_hash(FILE *to, const fp_string *parts) {
    struct sha256_ctx context;
    uint8_t digest[SHA256_DIGEST_SIZE];
    sha256_init(&context);
    for (; parts->data; parts++) sha256_update(&context, parts->length, (const uint8_t *)parts->data);
    sha256_digest(&context, sizeof digest, digest);
    fputs("'sha256-", to);
    put_base64(to, (fp_string){(const char *)digest, sizeof digest});
    fputc('\'', to);
}

/* 'wasm-unsafe-eval' lets WebAssembly be compiled, and no script; blob: is the worker that runs it. */
static void put_policy(FILE *to, const fp_frame *frame) {
    fputs("<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src data:; style-src ", to);
    put_hash(to, frame->styles);
    fputs("; script-src ", to);
    put_hash(to, frame->scripts);
    fputs(" 'wasm-unsafe-eval'; worker-src blob:; base-uri 'none'; form-action 'none'\">\n", to);
}

/* ---- The page ---- */

static void put_parts(FILE *to, const char *element, const fp_string *parts) {
    fprintf(to, "<%s>", element);
    for (; parts->data; parts++) fwrite(parts->data, 1, parts->length, to);
    fprintf(to, "</%s>\n", element);
}

static void put_text(FILE *to, const char *text) {
    for (; *text; text++) {
        if (*text == '<') fputs("&lt;", to);
        else if (*text == '&') fputs("&amp;", to);
        else fputc(*text, to);
    }
}

void fp_frame_write(FILE *to, const fp_frame *frame) {
    static const char *const OPENS[] = {"", "en", "zh"};
    bool chinese = frame->language == FP_FRAME_ZH;
    fprintf(to, "<!DOCTYPE html>\n<html lang=\"%s\" data-opens=\"%s\">\n<head>\n<meta charset=\"utf-8\">\n",
            chinese ? "zh-CN" : "en", OPENS[frame->language]);
    put_policy(to, frame);
    fputs("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
          "<meta name=\"color-scheme\" content=\"light dark\">\n<link rel=\"icon\" href=\"data:,\">\n<title>",
          to);
    put_text(to, chinese ? frame->title_zh : frame->title_en);
    fputs("</title>\n", to);
    put_parts(to, "style", frame->styles);
    fputs(
        "</head>\n<body>\n<noscript><p>This page needs JavaScript.</p><p lang=\"zh-CN\">本页需要 JavaScript。</p></noscript>\n"
        "<main id=\"page\"></main>\n",
        to);
    for (const fp_frame_data *data = frame->data; data->id; data++) {
        fprintf(to, "<script type=\"application/octet-stream\" id=\"%s\">", data->id);
        put_base64(to, data->bytes);
        fputs("</script>\n", to);
    }
    put_parts(to, "script", frame->scripts);
    fputs("</body>\n</html>\n", to);
}
