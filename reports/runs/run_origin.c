/* SPDX-License-Identifier: GPL-3.0-or-later
 * What run.json says of the program and the machine. */
#include "reports/runs/run_origin.h"

#include <fcntl.h>
#include <gsl/gsl_version.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unicode/uvernum.h>
#include <unistd.h>
#include <xxhash.h>

#include "algorithms/kernels/hamming.h"
#include "base/parallel.h"
#include "reports/runs/build.h"
#include "text/unicode/utf8.h"

/* Every byte that is not printing ASCII, and the percent sign, as % and two hexadecimal digits (RFC 3986). */
void fp_run_put_bytes(fp_json_writer *json, const char *name, const char *bytes, fp_arena *arena) {
    fp_string text = fp_string_of(bytes);
    if (fp_utf8_check(text) == text.length) {
        fp_json_put_text(json, name, bytes);
        return;
    }
    char *written = fp_arena_raw(arena, text.length * 3 + 1, 1);
    size_t used = 0;
    for (size_t i = 0; written && i < text.length; i++) {
        unsigned char byte = (unsigned char)bytes[i];
        bool plain = byte > ' ' && byte < 0x7f && byte != '%';
        used += (size_t)sprintf(written + used, plain ? "%c" : "%%%02X", byte);
    }
    fp_json_begin_object(json, name);
    fp_json_put_text(json, "percent", written);
    fp_json_end_object(json);
}

/* "model name" of /proc/cpuinfo, which stands near its beginning; the machine's kind where there is none. Without
 * allocations: what the processor is called must not depend on them. */
static void read_processor(const char *kind, char *name, size_t room) {
    char text[4096];
    int file = open("/proc/cpuinfo", O_RDONLY | O_CLOEXEC);
    ssize_t length = file < 0 ? 0 : read(file, text, sizeof text - 1);
    if (file >= 0) close(file);
    text[length > 0 ? length : 0] = '\0';
    const char *line = strstr(text, "model name"), *colon = line ? strchr(line, ':') : NULL;
    const char *value = colon ? colon + 1 + strspn(colon + 1, " ") : kind;
    snprintf(name, room, "%.*s", (int)strcspn(value, "\n"), value);
}

static void put_processor(fp_json_writer *json) {
    struct utsname facts;
    uname(&facts);
    char name[512];
    read_processor(facts.machine, name, sizeof name);
    fp_json_put_text(json, "processor", name);
    fp_json_put_text(json, "architecture", facts.machine);
    fp_json_put_text(json, "system", facts.sysname);
}

void fp_run_put_machine(fp_json_writer *json) {
    fp_json_begin_object(json, "machine");
    put_processor(json);
    fp_json_put_count(json, "threads", (uint64_t)fp_threads(NULL));
    fp_json_put_text(json, "hamming_kernel", fp_hamming_chosen()->name);
    fp_json_end_object(json);
    fp_json_begin_object(json, "libraries");
    fp_json_put_text(json, "gsl", gsl_version);
    fp_json_put_text(json, "icu", U_ICU_VERSION);
    char version[32];
    unsigned number = XXH_versionNumber();
    snprintf(version, sizeof version, "%u.%u.%u", number / 10000, number / 100 % 100, number % 100);
    fp_json_put_text(json, "xxhash", version);
    fp_json_end_object(json);
}

/* Coordinated Universal Time, ISO 8601; that of SOURCE_DATE_EPOCH where it is set (reproducible-builds.org). */
static void put_date(fp_json_writer *json) {
    const char *epoch = getenv("SOURCE_DATE_EPOCH");
    int64_t seconds;
    time_t now = epoch && fp_parse_integer(epoch, &seconds) && seconds >= 0 ? (time_t)seconds : time(NULL);
    struct tm parts;
    char date[40] = "";
    if (gmtime_r(&now, &parts)) strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", &parts);
    fp_json_put_text(json, "date", date);
}

static void put_built(fp_json_writer *json, const char *name, const fp_build_fact *facts) {
    fp_json_begin_object(json, name);
    for (; facts->name; facts++) fp_json_put_text(json, facts->name, facts->value);
    fp_json_end_object(json);
}

void fp_run_put_origin(fp_json_writer *json, fp_arena *arena) {
    fp_json_put_text(json, "version", FP_VERSION);
    fp_json_put_text(json, "commit", fp_build_commit);
    put_date(json);
    char here[4096];
    fp_run_put_bytes(json, "directory", getcwd(here, sizeof here) ? here : "", arena);
    fp_json_begin_object(json, "tables");
    put_built(json, "packages", fp_build_packages);
    put_built(json, "sha256", fp_build_tables);
    fp_json_end_object(json);
}
