#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Dense vectors as an arm: angles as plain Python has them, bits that differ as the law says, figures as of the same distances in a file
# of scores; and what is wrong with a file is said in a line. The .npy files are written byte by byte.
. tests/support.sh
cd "$work" || exit 1
cat >make.py <<'P'
import json, math, os, random, struct, sys

def npy(path, rows, descr="'<f4'", order="False", shape=None, version=(1, 0), form="<%df", tail=b""):
    shape = shape or "(%d, %d)" % (len(rows), len(rows[0]))
    header = ("{'descr': %s, 'fortran_order': %s, 'shape': %s, }\n" % (descr, order, shape)).encode()
    length = struct.pack("<H" if version[0] == 1 else "<I", len(header))
    numbers = b"".join(struct.pack(form % len(row), *row) for row in rows)
    open(path, "wb").write(b"\x93NUMPY" + bytes(version) + length + header + numbers + tail)

random.seed(7)
DIMENSIONS, GROUPS = 37, 30
centres = [[random.gauss(0, 1) for _ in range(DIMENSIONS)] for _ in range(GROUPS)]
rows = [[x + random.gauss(0, 0.5) for x in centre] for centre in centres for _ in range(2)]
rows = [list(struct.unpack("<%df" % DIMENSIONS, struct.pack("<%df" % DIMENSIONS, *row))) for row in rows]
rows[3] = [2 * x for x in rows[2]] # the same direction
names = ["文%d" % i for i in range(len(rows))]
os.mkdir("sets")
with open("sets/docs.jsonl", "w", encoding="utf-8") as to:
    for i, name in enumerate(names): to.write(json.dumps({"id": name, "text": "t%d" % i, "group": "g%d" % (i // 2)}) + "\n")
order = list(range(len(rows)))
random.shuffle(order)
npy("v.npy", [rows[i] for i in order])
open("v.ids", "w", encoding="utf-8").write("".join(names[i] + "\n" for i in order))

# The definition, in exact sums.
def angle(a, b):
    left, right = math.sqrt(math.fsum(x * x for x in a)), math.sqrt(math.fsum(x * x for x in b))
    u, v = [x / left for x in a], [x / right for x in b]
    return 2 * math.atan2(math.sqrt(math.fsum((x - y) ** 2 for x, y in zip(u, v))), math.sqrt(math.fsum((x + y) ** 2 for x, y in zip(u, v))))
with open("angles.tsv", "w", encoding="utf-8") as to:
    for i in range(len(rows)):
        for j in range(i): to.write("%s\t%s\t%r\n" % (names[i], names[j], round(64 * angle(rows[i], rows[j]) / math.pi * 2**32) / 2**32))

small = [(1, 2), (3, 4), (5, 6)]
open("3.ids", "w").write("a\nb\nc\n")
npy("good.npy", small)
npy("version2.npy", small, version=(2, 0))
npy("version3.npy", small, version=(3, 0))
npy("double.npy", small, descr="'<f8'", form="<%dd")
npy("big.npy", small, descr="'>f4'", form=">%df")
npy("half.npy", small, descr="'<f2'", form="<%de")
npy("fields.npy", small, descr="[('x', '<f4'), ('y', '<f4')]", shape="(3,)")
npy("fortran.npy", small, order="True")
npy("one.npy", small, shape="(6,)")
npy("three.npy", small, shape="(3, 2, 1)")
npy("none.npy", small, shape="(0, 2)")
npy("short.npy", small, shape="(4, 2)")
npy("long.npy", small, tail=b"\0")
npy("lies.npy", small, shape="(1000000, 1000)")
npy("large.npy", small, shape="(4294967295, 2)")
npy("huge.npy", small, shape="(99999999999999999999, 2)")
npy("nan.npy", [(1, 2), (3, math.nan), (5, 6)])
npy("infinite.npy", [(1, 2), (3, 4), (-math.inf, 6)])
npy("zero.npy", [(1, 2), (0, 0), (5, 6)])
npy("version4.npy", small, version=(4, 0))
open("magic.npy", "wb").write(b"\x93NUMPZ" + open("good.npy", "rb").read()[6:])
open("cut.npy", "wb").write(open("good.npy", "rb").read()[:40])
open("header.npy", "wb").write(open("good.npy", "rb").read().replace(b"'shape'", b"'shade'"))
open("empty.npy", "wb").close()
os.mkdir("three")
with open("three/docs.jsonl", "w") as to:
    for i, name in enumerate("abc"): to.write('{"id": "%s", "text": "t", "group": "%d"}\n' % (name, i // 2))
P
python3 make.py || exit 1

# The angles, and what is made of them.
"$fplab" distances -c sets -a vectors:file=v.npy,ids=v.ids --format tsv >own.tsv || complain 'distances'
python3 - <<'P' || complain "angles are not as Python has them"
angles = {}
for line in open("angles.tsv", encoding="utf-8"):
    a, b, d = line.rstrip("\n").split("\t")
    angles[frozenset((a, b))] = float(d)
rows = [line.rstrip("\n").split("\t") for line in open("own.tsv", encoding="utf-8")][1:]
assert len(rows) == len(angles) == 60 * 59 // 2
for a, b, label, kind, d in rows: assert abs(float(d) - angles[frozenset((a, b))]) < 2**-31, (a, b, d)
P
"$fplab" eval -c sets -a vectors:file=v.npy,ids=v.ids,name=x -a vectors:file=v.npy,ids=v.ids,sketch=hyperplane,bits=256,name=h --theory -o run >out 2>err || complain "eval --theory: $(cat err)"
"$fplab" eval -c sets -a vectors:file=v.npy,ids=v.ids,name=x --format tsv | cut -f 4- >a.tsv
"$fplab" eval -c sets -a scores:file=angles.tsv,name=x --format tsv | cut -f 4- >b.tsv
[ -s a.tsv ] && cmp -s a.tsv b.tsv || complain "figures are not those of the angles"
python3 -c 'import json
inputs = [row["path"] for row in json.load(open("run/run.json"))["inputs"]]
assert inputs == ["v.npy", "v.ids"], inputs' || complain 'run.json does not know the files'
for level in portable avx2 avx512; do
    for sketch in cosine hyperplane simhash; do
        FPLAB_CPU=$level "$fplab" distances -c sets -a vectors:file=v.npy,ids=v.ids,sketch=$sketch >$sketch.$level || complain "$level $sketch"
        cmp -s $sketch.$level $sketch.portable || complain "$level gives other distances of $sketch"
    done
done

# Of 1024 bits a pair differs in a binomial number with P = θ/π. All bits meet the same directions, so the mean over pairs is no
# surer than that of a few independent ones: each pair within five standard deviations. Signs of ±1 are about so.
for sketch in hyperplane:5 simhash:7; do
    "$fplab" distances -c sets -a vectors:file=v.npy,ids=v.ids,sketch=${sketch%:*},bits=1024 >bits.tsv || complain "$sketch"
    python3 - "${sketch#*:}" <<'P' || complain "$sketch: not as the law says"
import math, sys
both = [[line.rstrip("\n").split("\t") for line in open(name, encoding="utf-8")][1:] for name in ("own.tsv", "bits.tsv")]
off = 0
for exact, bits in zip(*both):
    assert exact[:2] == bits[:2]
    p = float(exact[4]) / 64
    off = max(off, abs(float(bits[4]) - 1024 * p) / math.sqrt(1024 * p * (1 - p) + 1e-9))
assert 1 < off < float(sys.argv[1]), off
P
done

# Packed files, the other versions, a vector of zeros.
gzip -k good.npy 3.ids
for file in good.npy version2.npy version3.npy good.npy.gz; do
    "$fplab" distances -c three -a vectors:file=$file,ids=3.ids >out.$file 2>err || complain "$file: $(cat err)"
    cmp -s out.$file out.good.npy || complain "$file differs"
done
"$fplab" distances -c three -a vectors:file=good.npy,ids=3.ids.gz >out 2>err && cmp -s out out.good.npy || complain "packed ids: $(cat err)"
for sketch in cosine hyperplane; do
    "$fplab" distances -c three -a vectors:file=zero.npy,ids=3.ids,sketch=$sketch,name=x >out 2>err || complain "zeros: $(cat err)"
    [ "$(cat err)" = 'fplab: three: arm x: 1 of 3 texts has a vector of zeros: its sketch is empty, and counts as farthest from all others' ] || complain "zeros: $(cat err)"
    [ "$(awk -F'\t' '/^a\tb|^b\tc/ { print $5 }' out | tr '\n' ' ')" = '64 64 ' ] || complain "zeros: $(cat out)"
done

bad_files() { refused "$1" "$2" "$fplab" eval -c three -a "vectors:file=$3,ids=$4"; }
bad_file() { bad_files 1 "$1.npy: $2" "$1.npy" 3.ids; }
bad_file double "the dtype is '<f8'; vectors are '<f4' (float32, little-endian)"
bad_file big "the dtype is '>f4'"
bad_file half "the dtype is '<f2'"
bad_file fields 'has no header of a plain .npy array'
bad_file header 'has no header of a plain .npy array'
bad_file fortran 'fortran_order is True'
bad_file one 'the array has 1 dimension; it must have 2, a vector in each row'
bad_file three 'the array has 3 dimensions'
bad_file none 'the array has 0 rows of 2 columns'
bad_file short 'ends before its array does'
bad_file lies 'ends before its array does'
bad_file large 'holds more than'
bad_file huge 'has no header of a plain .npy array'
bad_file cut 'ends before its array does'
bad_file empty 'ends before its array does'
bad_file long 'has bytes after its array'
bad_file nan 'row 2, column 2 is NaN'
bad_file infinite 'row 3, column 1 is infinite'
bad_file magic 'is not a .npy file'
bad_file version4 'is of version 4.0 of the .npy format'
gzip -k lies.npy
bad_files 1 'lies.npy.gz: ends before its array does' lies.npy.gz 3.ids
bad_files 1 'nowhere.npy: cannot open' nowhere.npy 3.ids
bad_files 1 'nowhere.ids: cannot open' good.npy nowhere.ids
printf 'a\nb\n' >2.ids; bad_files 1 '2.ids: holds 2 ids, but good.npy has 3 vectors' good.npy 2.ids
printf 'a\nb\nc\nd\n' >4.ids; bad_files 1 '4.ids: holds 4 ids, but good.npy has 3 vectors' good.npy 4.ids
printf 'a\nb\na\n' >twice.ids; bad_files 1 'twice.ids:3: ' good.npy twice.ids; grep -q 'duplicate id a, also on line 1' err || complain "$(cat err)"
printf 'a\n\xff\nc\n' >bytes.ids; bad_files 1 'bytes.ids:2: ' good.npy bytes.ids
printf 'a\nb\nd\n' >other.ids; bad_files 1 'document c: it has no vector: other.ids does not hold the id c' good.npy other.ids
exit $bad
