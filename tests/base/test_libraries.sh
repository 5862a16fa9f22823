#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# libfplab.so where SQLite and hiredis are hidden from it: arms, sketches and an evaluation as with them, the program's figures, and a collection that is refused
# with one line, which names the package of Debian; where they are there, the collection is made. The library links neither, nor libxml2.
source tests/support.sh
build=$(realpath "${BUILD:-build}")
needed=$(readelf -d "$build/lib/libfplab.so" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p')
grep -q libgsl <<<"$needed" || complain "what the library links cannot be read: $needed"
case "${SANITIZE:-}$(cat "$build/flags")" in
*-fsanitize*|*-fprofile*|*--coverage*) ;;
*) linked=$(grep -E 'sqlite3|hiredis|xml2|md4c|lzma' <<<"$needed") && complain "the library links $linked" ;;
esac
# Debian's packages have these files; elsewhere the names are others.
for pair in libsqlite3.so.0:libsqlite3-0 libhiredis.so.0.14:libhiredis0.14; do
    if command -v dpkg-query >/dev/null && dpkg-query -W "${pair#*:}" >/dev/null 2>&1; then
        dpkg-query -L "${pair#*:}" | grep -q "/${pair%:*}" || complain "${pair#*:} does not have ${pair%:*}"
    fi
done

cat >"$work/lone.c" <<'C'
#include <dlfcn.h>
#include <fplab.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* In the place of the C library's: what HIDDEN names is not on this system. It asks for the real one by its file. */
void *dlopen(const char *file, int flags) {
    static void *(*real)(const char *, int);
    const char *hidden = getenv("HIDDEN");
    if (hidden && file && strstr(file, hidden)) return NULL;
    if (!real) *(void **)&real = dlsym(RTLD_NEXT, "dlopen");
    return real(file, flags);
}

static int failed(const char *what, const fp_error *error) { return printf("%s: %s: %s\n", what, error->file, error->message), 1; }

int main(int argc, char **argv) {
    static const char *const arms[] = {"simhash", "jaccard"};
    static const fp_setting settings[] = {{"replicates", "200"}, {"hash-seeds", "1"}};
    fp_error error = {0};
    fp_arena *arena = fp_arena_new();
    fp_corpus *corpus = NULL;
    fp_tables *tables = NULL;
    fp_arm *arm = NULL;
    fp_text_index *index = NULL;
    fp_text_index_form form = {sizeof form, 8, 0, 0};
    if (argc < 3 || !arena) return 2;
    if (fp_corpus_open(argv[1], NULL, &corpus, &error)) return failed("corpus", &error);
    if (fp_evaluate((const fp_corpus *const *)&corpus, 1, arms, 2, NULL, settings, 2, &tables, NULL, &error)) return failed("eval", &error);
    size_t summary = fp_tables_find(tables, "summary"), column = 0;
    while (strcmp(fp_tables_column(tables, summary, column), "average_precision")) column++;
    for (size_t row = 0; row < fp_tables_rows(tables, summary); row++)
        printf("%s %.6f\n", fp_tables_text(tables, summary, 1, row), fp_tables_numbers(tables, summary, column)[row]);
    fp_tables_free(tables);
    fp_corpus_close(corpus);
    if (fp_arm_parse("simhash", NULL, arena, &arm, &error)) return failed("arm", &error);
    for (int i = 2; i < argc; i++) {
        if (fp_text_index_create(argv[i], arm, &form, &index, &error)) failed("collection", &error);
        else printf("collection: made\n");
        fp_text_index_close(index);
        index = NULL;
    }
    fp_arena_free(arena);
    return 0;
}
C
${CC:-gcc} -std=c17 -D_GNU_SOURCE -Iinclude ${SANITIZE:-} "$work/lone.c" -rdynamic "$build/lib/libfplab.so" -Wl,-rpath,"$build/lib" -ldl -o "$work/lone" || { complain "does not compile"; exit 1; }
sqlite=$(sed -n 's/.* "\(libsqlite3.*\)"/\1/p' "$build/lib/loaded.h") hiredis=$(sed -n 's/.* "\(libhiredis.*\)"/\1/p' "$build/lib/loaded.h")
cd "$work" || exit 1
"$fplab" eval --corpus "$newswire" --arm simhash --arm jaccard --replicates 200 --hash-seeds 1 --no-plots --quiet --out run >/dev/null
wanted=$(awk -F'\t' 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } { printf "%s %.6f\n", $at["arm"], $at["average_precision"] }' run/summary.tsv)
[ "$(wc -l <<<"$wanted")" = 2 ] || complain "the program says: $wanted"

for hidden in sqlite3 hiredis none; do
    HIDDEN=$hidden ./lone "$newswire" "$hidden.fp" redis://:secret@127.0.0.1:1/ >said 2>err || complain "$hidden: status $?: $(cat said err)"
    [ ! -s err ] && ! grep -q secret said || complain "$hidden: $(cat said err)"
    [ "$(head -n 2 said)" = "$wanted" ] || complain "$hidden: other figures: $(cat said); the program: $wanted"
    mapfile -t lines < <(tail -n +3 said)
    [ "${#lines[@]}" = 2 ] || { complain "$hidden: $(cat said)"; continue; }
    file="collection: made" redis="cannot reach Redis"
    [ $hidden != sqlite3 ] || file="collection: : a collection in a file needs the library $sqlite, which cannot be loaded; install it (Debian 12: apt-get install libsqlite3-0)"
    [ $hidden != hiredis ] || redis="a collection in Redis needs the library $hiredis, which cannot be loaded; install it (Debian 12: apt-get install libhiredis0.14)"
    [ "${lines[0]}" = "$file" ] || complain "$hidden: ${lines[0]}"
    [[ ${lines[1]} == *"$redis"* ]] || complain "$hidden: ${lines[1]}"
done
[ ! -e sqlite3.fp ] || complain "a collection that was refused left a file"
exit $bad
