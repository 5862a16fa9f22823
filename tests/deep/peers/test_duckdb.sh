#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Texts through DuckDB: a Parquet file and a query over files give the texts that Python put in; mistakes of SQL are told in a line; nothing is left
# behind. The library is installed, or fetched by npm into a scratch directory.
. tests/support.sh
cd "$work" || exit 1
export TMPDIR=$work/scratch; mkdir "$TMPDIR"
if ! ldconfig -p | grep -q libduckdb.so; then
    command -v npm >/dev/null || { echo "skipped: neither libduckdb.so nor npm is installed"; exit 77; }
    npm pack @duckdb/node-bindings-linux-x64 >/dev/null 2>&1 && tar -xzf duckdb-*.tgz || { echo "skipped: npm does not fetch DuckDB's library"; exit 77; }
    export LD_LIBRARY_PATH=$work/package
fi
python3 - <<'PYTHON' || exit 1
import ctypes, json, random
random.seed(11)
words = ['甲', '乙', "it's", '"', '\\', '\n', '\t', ',', '👍', ' ']
rows = [('d%d' % i, 'T%d ' % i + ''.join(random.choice(words) for _ in range(random.randrange(30))) + '.') for i in range(5000)]
with open('rows.jsonl', 'w', encoding='utf-8') as out:
    for a, b in rows: out.write(json.dumps({'id': a, 'text': b}, ensure_ascii=False) + '\n')
library = ctypes.CDLL('libduckdb.so')
database, connection = ctypes.c_void_p(), ctypes.c_void_p()
assert library.duckdb_open(None, ctypes.byref(database)) == 0
assert library.duckdb_connect(database, ctypes.byref(connection)) == 0
assert library.duckdb_query(connection, b"COPY (SELECT id AS doc, text AS body FROM read_json('rows.jsonl')) TO 'rows.parquet' (FORMAT parquet)", None) == 0
PYTHON
same() {
    python3 - <<'PYTHON'
import json, sys
read = lambda name: {(e['id'], e['text']) for e in map(json.loads, open(name, encoding='utf-8'))}
sys.exit(read('got/docs.jsonl') != read('rows.jsonl'))
PYTHON
}
"$fplab" import rows.parquet --id doc --text body --out got >told 2>err && same || complain "parquet: $(cat err)"
"$fplab" import --from "duckdb:SELECT doc AS id, body AS text FROM 'rows.parquet' WHERE length(body) > 0;" --out got >told 2>err && same || complain "query: $(cat err)"
refused 1 'DuckDB: ' "$fplab" import --from 'duckdb:SELEC x' --out none
refused 1 'DuckDB: ' "$fplab" import no.parquet --out none
refused 2 'names its own files' "$fplab" import --from 'duckdb:SELECT 1 AS text' rows.parquet --out none
refused 1 'the document has no "text"' "$fplab" import --from 'duckdb:SELECT 1 AS id' --out none

# The recipe of docs/distributed.md: the pairs of `fplab cluster`.
sed -n '/^<!-- recipe: duckdb -->/,/^```$/p' "$tests/../docs/distributed.md" | grep -v '^<!--\|^```\|^--' >recipe.sql
[ -s recipe.sql ] || complain "docs/distributed.md has no recipe of DuckDB"
"$fplab" fingerprint --corpus "$corpora/newswire-zh" --arm simhash --keys 6 >keys.tsv 2>err && "$fplab" fingerprint --corpus "$corpora/newswire-zh" --arm simhash >sketches.tsv 2>err || complain "keys: $(cat err)"
python3 - recipe.sql <<'PYTHON' || complain "the recipe of DuckDB"
import ctypes, sys
library = ctypes.CDLL('libduckdb.so')
library.duckdb_result_error.restype = ctypes.c_char_p
database, connection, result = ctypes.c_void_p(), ctypes.c_void_p(), (ctypes.c_uint64 * 6)()
assert library.duckdb_open(None, ctypes.byref(database)) == 0 and library.duckdb_connect(database, ctypes.byref(connection)) == 0
for sql in open(sys.argv[1]).read().split(';\n'):
    if sql.strip() and library.duckdb_query(connection, sql.encode(), ctypes.byref(result)) != 0:
        sys.exit(library.duckdb_result_error(ctypes.byref(result)).decode())
PYTHON
"$fplab" cluster "$corpora/newswire-zh" -a simhash -d 6 --pairs -f tsv 2>err | tail -n +2 | cut -f 1-3 |
    awk -F'\t' '{ print ($1 < $2 ? $1 FS $2 : $2 FS $1) FS $3 }' | LC_ALL=C sort >wanted
[ -s wanted ] && LC_ALL=C sort near.tsv | cmp -s - wanted || complain "DuckDB's pairs: $(LC_ALL=C sort near.tsv | diff - wanted | head -3)"

# Arrow, by an extension of DuckDB, which is not fetched: without it, what is missing and what to do, in a line; nothing was asked of the network.
printf 'ARROW1' >table.arrow
for name in table.arrow table.arrows table.feather table.ipc; do
    cp table.arrow $name 2>/dev/null
    refused 1 "$name: Arrow is read by DuckDB's extension nanoarrow, which is not installed: INSTALL nanoarrow FROM community in DuckDB, or write the table as Parquet" \
        env HOME="$work/nobody" "$fplab" import $name --out none
done
cat >arrow.py <<'PYTHON'
import ctypes, sys
library = ctypes.CDLL('libduckdb.so')
database, connection = ctypes.c_void_p(), ctypes.c_void_p()
assert library.duckdb_open(None, ctypes.byref(database)) == 0 and library.duckdb_connect(database, ctypes.byref(connection)) == 0
for sql in (b'LOAD nanoarrow', b"COPY (SELECT id AS doc, text AS body FROM read_json('rows.jsonl')) TO 'rows.arrows' (FORMAT ARROWS)"):
    if library.duckdb_query(connection, sql, None) != 0: sys.exit(1)
PYTHON
if python3 arrow.py; then
    "$fplab" import rows.arrows --id doc --text body --out got >told 2>err && same || complain "arrow: $(cat err)"
else echo "skipped: DuckDB's extension nanoarrow is not installed, so that no Arrow file is read"; fi
[ -z "$(ls "$TMPDIR")" ] || complain "left behind: $(ls "$TMPDIR")"
exit $bad
