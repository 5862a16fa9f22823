/* SPDX-License-Identifier: GPL-3.0-or-later
 * Versions, status names and error records. */
#include <stdarg.h>
#include <stdio.h>

#include "fplab.h"

fp_status fp_fail(fp_error *error, fp_status code, const char *format, ...) {
    if (!error) return code;
    error->code = code;
    error->line = SIZE_MAX;
    error->byte = SIZE_MAX;
    error->file[0] = '\0';
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->message, sizeof error->message, format, arguments);
    va_end(arguments);
    return code;
}

fp_status fp_at(fp_error *error, fp_status code, const char *file, size_t line, size_t byte) {
    if (!error) return code;
    snprintf(error->file, sizeof error->file, "%s", file ? file : "");
    error->line = line;
    error->byte = byte;
    return code;
}

const char *fp_status_name(fp_status status) {
    switch (status) {
    case FP_OK: return "ok";
    case FP_ERROR_MEMORY: return "memory";
    case FP_ERROR_IO: return "io";
    case FP_ERROR_ENCODING: return "encoding";
    case FP_ERROR_SYNTAX: return "syntax";
    case FP_ERROR_UNKNOWN: return "unknown";
    case FP_ERROR_RANGE: return "range";
    case FP_ERROR_DUPLICATE: return "duplicate";
    case FP_ERROR_EMPTY: return "empty";
    case FP_ERROR_ABI: return "abi";
    case FP_ERROR_TOOL: return "tool";
    case FP_ERROR_CANCELLED: return "cancelled";
    }
    return "unknown status";
}

const char *fp_version(void) { return FP_VERSION; }

uint32_t fp_abi_version(void) { return FP_ABI_VERSION; }
