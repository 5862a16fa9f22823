/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * time_text.h - moments and spans of time as people and machines write them.
 */
#ifndef FP_TIME_TEXT_H
#define FP_TIME_TEXT_H

#include "base/base.h"

/* A moment is a number of milliseconds since 1970-01-01T00:00Z, without leap seconds. */
#define FP_TIME_NONE INT64_MIN /* unknown time */

/* Parses "2024-05-01", "2024-05-01 08:30", "2024-05-01T08:30:15.250+08:00", "…Z" (RFC 3339; the time and its parts are
 * optional; UTC without an offset); or a number of at least nine digits: seconds since 1970, or milliseconds from
 * twelve digits on. Years, in UTC, are 1000 to 9999. FP_ERROR_SYNTAX for anything else, and for invalid dates such as
 * 30 February. */
fp_status fp_time_parse(fp_string text, int64_t *time, fp_error *error);

/* Writes "2024-05-01T08:30:15Z", with milliseconds if they are not 0; "" for FP_TIME_NONE. */
enum { FP_TIME_TEXT = 32 };
void fp_time_write(int64_t time, char text[FP_TIME_TEXT]);
/* The day alone: "2024-05-01". */
void fp_time_write_day(int64_t time, char text[FP_TIME_TEXT]);

/* Whether two moments are known, and at most `span` apart. */
static inline bool fp_times_within(int64_t a, int64_t b, int64_t span) {
    if (a == FP_TIME_NONE || b == FP_TIME_NONE) return false;
    return (a < b ? b - a : a - b) <= span;
}

/* Parses "7d", "12h", "30m", "90s", "2w" into milliseconds, above 0. False for anything else, and over 10,000 years. */
bool fp_span_parse(const char *text, int64_t *span);

#endif
