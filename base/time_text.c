/* SPDX-License-Identifier: GPL-3.0-or-later
 * Moments and spans of time. */
#include "base/time_text.h"

#include <math.h>
#include <string.h>
#include <time.h>

enum { SECOND = 1000, MINUTE = 60 * SECOND, HOUR = 60 * MINUTE, DAY = 24 * HOUR };

/* The unread rest of a text. */
typedef struct reading {
    const char *at, *end;
} reading;

static bool take(reading *in, char sign) {
    if (in->at == in->end || *in->at != sign) return false;
    in->at++;
    return true;
}

static bool take_digits(reading *in, int count, int *value) {
    if (in->end - in->at < count) return false;
    *value = 0;
    for (int i = 0; i < count; i++, in->at++) {
        if (*in->at < '0' || *in->at > '9') return false;
        *value = *value * 10 + (*in->at - '0');
    }
    return true;
}

/* ".250": milliseconds; further digits are dropped. */
static bool take_fraction(reading *in, int *milliseconds) {
    int scale = 100;
    *milliseconds = 0;
    if (!take(in, '.')) return true;
    const char *begin = in->at;
    for (; in->at < in->end && *in->at >= '0' && *in->at <= '9'; in->at++, scale /= 10)
        *milliseconds += (*in->at - '0') * scale;
    return in->at > begin;
}

/* "Z", "+08:00", "+0800", "+08", or nothing. */
static bool take_offset(reading *in, int64_t *offset) {
    int hours, minutes = 0;
    *offset = 0;
    if (in->at == in->end || take(in, 'Z') || take(in, 'z')) return true;
    int sign = take(in, '+') ? 1 : take(in, '-') ? -1 : 0;
    if (!sign || !take_digits(in, 2, &hours)) return false;
    if (in->at < in->end) {
        take(in, ':');
        if (!take_digits(in, 2, &minutes)) return false;
    }
    *offset = sign * ((int64_t)hours * HOUR + (int64_t)minutes * MINUTE);
    return hours < 24 && minutes < 60;
}

static bool take_clock(reading *in, struct tm *parts, int *milliseconds, int64_t *offset) {
    *milliseconds = 0;
    *offset = 0;
    if (in->at == in->end) return true;
    if (!take(in, 'T') && !take(in, 't') && !take(in, ' ')) return false;
    if (!take_digits(in, 2, &parts->tm_hour) || !take(in, ':') || !take_digits(in, 2, &parts->tm_min)) return false;
    if (take(in, ':') && (!take_digits(in, 2, &parts->tm_sec) || !take_fraction(in, milliseconds))) return false;
    return parts->tm_hour < 24 && parts->tm_min < 60 && parts->tm_sec < 60 && take_offset(in, offset);
}

static bool read_date(fp_string text, int64_t *time) {
    reading in = {text.data, text.data + text.length};
    struct tm parts = {0};
    int year, month, day, milliseconds;
    int64_t offset;
    if (!take_digits(&in, 4, &year) || !take(&in, '-') || !take_digits(&in, 2, &month) || !take(&in, '-') ||
        !take_digits(&in, 2, &day) || year < 1000)
        return false;
    parts.tm_year = year - 1900;
    parts.tm_mon = month - 1;
    parts.tm_mday = day;
    if (!take_clock(&in, &parts, &milliseconds, &offset) || in.at < in.end) return false;
    time_t seconds = timegm(&parts); /* normalises an invalid day into the next month */
    if (parts.tm_mon != month - 1 || parts.tm_mday != day) return false;
    *time = (int64_t)seconds * SECOND + milliseconds - offset;
    return true;
}

static bool read_number(fp_string text, int64_t *time) {
    enum { FEWEST = 9, MILLISECONDS = 12, MOST = 15 };
    uint64_t value;
    if (text.length < FEWEST || text.length > MOST || !fp_string_count(text, &value)) return false;
    *time = (int64_t)value * (text.length < MILLISECONDS ? SECOND : 1);
    return true;
}

/* Years 1000 to 9999, which have four digits. */
static bool can_be_written(int64_t time) {
    return time >= INT64_C(-30610224000000) && time <= INT64_C(253402300799999);
}

fp_status fp_time_parse(fp_string text, int64_t *time, fp_error *error) {
    if ((read_number(text, time) || read_date(text, time)) && can_be_written(*time)) return FP_OK;
    return fp_fail(error, FP_ERROR_SYNTAX,
                   "%.*s is not a time; write 2024-05-01, 2024-05-01T08:30:00+08:00 or seconds since 1970",
                   (int)(text.length < 60 ? text.length : 60), text.data);
}

static bool split(int64_t time, struct tm *parts, int *milliseconds) {
    if (time == FP_TIME_NONE) return false;
    int64_t rest = time % SECOND;
    if (rest < 0) rest += SECOND;
    time_t seconds = (time_t)((time - rest) / SECOND);
    *milliseconds = (int)rest;
    return gmtime_r(&seconds, parts);
}

void fp_time_write(int64_t time, char text[FP_TIME_TEXT]) {
    struct tm parts;
    int milliseconds;
    text[0] = '\0';
    if (!split(time, &parts, &milliseconds)) return;
    size_t length = strftime(text, FP_TIME_TEXT, "%Y-%m-%dT%H:%M:%S", &parts);
    if (milliseconds) length += (size_t)snprintf(text + length, FP_TIME_TEXT - length, ".%03d", milliseconds);
    snprintf(text + length, FP_TIME_TEXT - length, "Z");
}

void fp_time_write_day(int64_t time, char text[FP_TIME_TEXT]) {
    struct tm parts;
    int milliseconds;
    text[0] = '\0';
    if (split(time, &parts, &milliseconds)) strftime(text, FP_TIME_TEXT, "%Y-%m-%d", &parts);
}

bool fp_span_parse(const char *text, int64_t *span) {
    static const struct {
        char letter;
        int64_t length;
    } UNITS[] = {{'s', SECOND}, {'m', MINUTE}, {'h', HOUR}, {'d', DAY}, {'w', 7 * (int64_t)DAY}};
    size_t length = strlen(text);
    double value;
    if (length < 2 || !fp_string_real((fp_string){text, length - 1}, &value) || !(value > 0)) return false;
    for (size_t i = 0; i < sizeof UNITS / sizeof *UNITS; i++) {
        if (text[length - 1] != UNITS[i].letter) continue;
        double spanned = round(value * (double)UNITS[i].length);
        if (!(spanned >= 1 && spanned <= 10000.0 * 366 * DAY)) return false;
        *span = (int64_t)spanned;
        return true;
    }
    return false;
}
