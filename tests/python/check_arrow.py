# SPDX-License-Identifier: GPL-3.0-or-later
"""Arrow's C data interface and Parquet: against structs written here by the specification, and DuckDB."""
import ctypes
import gc
import os
import struct
import subprocess
import sys

import numpy as np
import pandas
import pytest
from check_cancel import interrupted
from conftest import ROOT

import fplab
from fplab import arrow

CAPSULE = ctypes.pythonapi.PyCapsule_New
CAPSULE.restype, CAPSULE.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
POINTER = ctypes.pythonapi.PyCapsule_GetPointer
POINTER.restype, POINTER.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
RELEASE = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
CALL = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)
ERROR = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p)
SCHEMA, ARRAY, STREAM = 'PPPqqPPPP', 'qqqqqPPPPP', 'PPPPP'  # by the specification, as struct packs them


class Producer:
    """A stream of batches whose columns are (format, buffers, length, offset, missing): independent of fplab.arrow.

    `released` counts the releases of arrays.
    """

    def __init__(self, names, batches, fail=None, single=False, offset=0):
        self.names, self.batches, self.fail, self.single, self.offset = names, batches, fail, single, offset
        self.keep, self.released, self.made = [], [], 0

    def raw(self, data):
        made = ctypes.create_string_buffer(bytes(data), max(1, len(data)))
        self.keep.append(made)
        return ctypes.addressof(made)

    def pack(self, form, *values):
        return self.raw(struct.pack(form, *values))

    def pointers(self, values):
        return self.pack(f'{len(values)}P', *values) if values else 0

    def schema(self):
        nothing = self.function(RELEASE, lambda at: ctypes.memmove(at + 56, bytes(8), 8))
        children = [(self.raw(form.encode() + b'\0'), self.raw(name.encode() + b'\0'), 0, 2, 0, 0, 0, nothing, 0)
                    for name, (form, *_) in zip(self.names, self.batches[0])]
        if self.single:
            return struct.pack(SCHEMA, *children[0])
        listed = [self.pack(SCHEMA, *child) for child in children]
        return struct.pack(SCHEMA, self.raw(b'+s\0'), 0, 0, 0, len(listed), self.pointers(listed), 0, nothing, 0)

    def array(self, batch):
        def release(at):
            self.released.append(at)
            ctypes.memmove(at + 64, bytes(8), 8)
        gone = self.function(RELEASE, release)
        rows = [(length, missing, offset, len(buffers), 0,
                 self.pointers([0 if one is None else self.raw(one) for one in buffers]), 0, 0, gone, 0)
                for _, buffers, length, offset, missing in batch]
        self.made += 1
        if self.single:
            return struct.pack(ARRAY, *rows[0])
        length = min(row[0] for row in rows) - self.offset if rows else 0
        return struct.pack(ARRAY, length, 0, self.offset, 1, len(rows), self.pointers([0]),
                           self.pointers([self.pack(ARRAY, *row) for row in rows]), 0, gone, 0)

    def function(self, kind, work):
        made = kind(work)
        self.keep.append(made)
        return ctypes.cast(made, ctypes.c_void_p).value

    def __arrow_c_stream__(self, requested_schema=None):
        left = iter(self.batches)

        def give(at, made):
            ctypes.memmove(at, made, len(made))
            return 0

        def following(_stream, at):
            if self.fail and self.made:
                return 5
            batch = next(left, None)
            return give(at, bytes(80) if batch is None else self.array(batch))
        stream = self.pack(STREAM, self.function(CALL, lambda _, at: give(at, self.schema())),
                           self.function(CALL, following),
                           self.function(ERROR, lambda _: self.raw((self.fail or '').encode() + b'\0')),
                           self.function(RELEASE, lambda at: ctypes.memmove(at + 24, bytes(8), 8)), 0)
        return CAPSULE(stream, b'arrow_array_stream', None)


def string(texts, form='u', offset=0):
    """A column; `offset` rows before the first are rubbish."""
    parts = [b'rubbish'] * offset + [b'' if text is None else text.encode() for text in texts]
    ends = np.cumsum([0, *map(len, parts)]).astype('<i4' if form in 'uz' else '<i8')
    known = np.packbits(np.array([True] * offset + [text is not None for text in texts], bool), bitorder='little')
    missing = sum(text is None for text in texts)
    return form, [known.tobytes() if missing else None, ends.tobytes(), b''.join(parts)], len(texts), offset, missing


def view(texts):
    """string_view: up to 12 bytes in the row, longer ones in two buffers."""
    rows, buffers = [], [b'', b'']
    for number, text in enumerate(texts):
        data = (text or '').encode()
        if len(data) <= 12:
            rows.append(struct.pack('<i12s', len(data), data))
        else:
            rows.append(struct.pack('<i4sii', len(data), data[:4], number % 2, len(buffers[number % 2])))
            buffers[number % 2] += data
    known = np.packbits(np.array([text is not None for text in texts], bool), bitorder='little').tobytes()
    sizes = struct.pack('<2q', *map(len, buffers))
    return 'vu', [known, b''.join(rows), *buffers, sizes], len(texts), 0, -1


def number(values, form, offset=0, known=None):
    data = np.concatenate([np.zeros(offset, arrow.NUMBERS[form]), np.asarray(values, arrow.NUMBERS[form])])
    mask = None if known is None else np.packbits([True] * offset + known, bitorder='little').tobytes()
    return form, [mask, data.tobytes()], len(values), offset, 0 if known is None else -1


TEXTS = ['今天下午，临江大桥恢复通车。', '', 'The quick brown fox', 'jumps', 'over the lazy dog, and over the fox 狐狸']


@pytest.mark.parametrize('form', ['u', 'U', 'vu'])
@pytest.mark.parametrize('division', [[5], [2, 0, 3], [1, 1, 3]])
@pytest.mark.parametrize('single', [True, False])
def test_texts(form, division, single):
    bounds = np.cumsum([0, *division])
    batches = [[view(TEXTS[b:e]) if form == 'vu' else string(TEXTS[b:e], form, offset=b)]
               for b, e in zip(bounds[:-1], bounds[1:])]
    arm = fplab.Arm('simhash:features=chars:2')
    wanted = arm.sketch(TEXTS)
    source = Producer(['text'], batches, single=single)
    assert (arm.sketch(source) == wanted).all()
    gc.collect()
    assert source.made == len(division) and len(source.released) >= source.made
    learns = fplab.Arm('cosine:weight=tfidf')
    assert learns.fit(Producer(['text'], batches)).model() == fplab.Arm('cosine:weight=tfidf').fit(TEXTS).model()
    assert (fplab.dedup(Producer(['text'], batches), 'simhash', 3, keep='longest').kept
            == fplab.dedup(TEXTS, 'simhash', 3, keep='longest').kept).all()


@pytest.mark.parametrize('form, copied', [('U', False), ('u', False), ('vu', True)])
def test_nothing_is_copied(form, copied):
    source = Producer(['text'], [[view(TEXTS) if form == 'vu' else string(TEXTS, form)]])
    column = fplab.Table(source)['text']
    of = np.frombuffer(column.data, np.uint8).ctypes.data
    inside = [ctypes.addressof(one) for one in source.keep if isinstance(one, ctypes.Array)]
    assert (of not in inside) == copied
    if form == 'U':
        assert column.offsets.ctypes.data in inside
    # The memory is theirs as long as the column is there, and not longer.
    gc.collect()
    before = len(source.released)
    assert list(column) == TEXTS
    del column
    gc.collect()
    assert len(source.released) == before + 1 == 1 or copied


def test_a_slice_of_a_table():
    source = Producer(['text', 'n'], [[string(TEXTS, 'U', 1), number(range(5), 'i', 2)]], offset=2)
    table = fplab.Table(source)
    assert list(table['text']) == TEXTS[2:] and table['n'].tolist() == [2, 3, 4]


@pytest.mark.parametrize('form', list(arrow.NUMBERS))
def test_numbers(form):
    table = fplab.Table(Producer(['n'], [[number([1, 2, 3], form, 1)], [number([4], form)]]))
    assert table['n'].dtype == np.dtype(arrow.NUMBERS[form]) and table['n'].tolist() == [1, 2, 3, 4]
    some = fplab.Table(Producer(['n'], [[number([1, 2, 3], form, 1, [True, False, True])]]))['n']
    listed = [None if value != value or value is None else value for value in list(some)]
    assert listed == [1, None, 3]


def test_booleans_and_nothing():
    bits = ('b', [None, np.packbits([0, 1, 0, 1, 1], bitorder='little').tobytes()], 4, 1, 0)
    table = fplab.Table(Producer(['b', 'n'], [[bits, ('n', [], 4, 0, 4)]]))
    assert table['b'].tolist() == [True, False, True, True] and table['n'] == [None] * 4


def test_labels_and_groups():
    names = ['text_a', 'text_b', 'label']
    pairs = Producer(names, [[string(TEXTS[2:4]), string(TEXTS[3:5], 'U'), number([1, 0], 'C')]])
    plain = fplab.Corpus.from_pairs({'text_a': TEXTS[2:4], 'text_b': TEXTS[3:5], 'label': [1, 0]})
    assert fplab.read_corpus(pairs, label='label').pairs.equals(plain.pairs)
    frame = Producer(['body', 'story', 'name'], [[string(TEXTS[2:]), string(['x', None, 'x'], 'U'), string('abc')]])
    corpus = fplab.read_corpus(frame, text='body', group='story', id='name', fields=['story'])
    assert corpus.texts == TEXTS[2:] and corpus.ids == list('abc') and corpus.groups.tolist() == [0, -1, 0]
    whole = fplab.Corpus.from_frame(Producer(['text', 'group'], [[string(TEXTS), number([7, 7, 8, 9, 8], 'L')]]),
                                    group='group')
    assert whole.groups.tolist() == [0, 0, 1, 2, 1]
    scores = [evaluation.table('curves') for evaluation in (
        fplab.Evaluation.from_frame(source, ['simhash'], text='body', group='story', replicates=200) for source in
        (Producer(['body', 'story'], [[string(TEXTS), number([7, 7, 8, 9, 8], 'L')]]),
         {'body': TEXTS, 'story': [7, 7, 8, 9, 8]}))]
    assert scores[0].equals(scores[1])
    with pytest.raises(fplab.ValueProblem, match='no column "text"; there are: body, story, name'):
        fplab.read_corpus(frame)
    with pytest.raises(TypeError, match='text: names of columns go with a table'):
        fplab.read_corpus('corpora', text='body')


@pytest.mark.parametrize('batch, kind, words', [
    ([string(['a', None, 'b'])], TypeError, r'texts\[1\] is None, not str'),
    ([view(['a', 'b', None])], TypeError, r'texts\[2\] is None, not str'),
    ([number([1, 2], 'i')], TypeError, 'a column of int32, not of texts'),
    ([string(['a']), string(['b'])], TypeError, "a table with the columns c0, c1: pass one of them"),
    ([('+l', [None, b'\0' * 8], 1, 0, 0)], TypeError, r"column 'c0' is of Arrow's type '\+l'"),
    ([('u', [None, struct.pack('<2i', 0, 2), b'a\xff'], 1, 0, 0)], fplab.EncodingProblem, 'text 0: .*UTF-8'),
])
def test_what_is_refused(batch, kind, words):
    names = [f'c{i}' for i in range(len(batch))]
    with pytest.raises(kind, match=words):
        fplab.Arm('simhash').sketch(Producer(names, [batch]))


def test_a_stream_that_breaks_off():
    with pytest.raises(fplab.ValueProblem, match='the Arrow stream: the disk is gone'):
        fplab.Table(Producer(['text'], [[string(TEXTS)]] * 2, fail='the disk is gone'))
    table = fplab.Table({'text': TEXTS})
    capsule = table.__arrow_c_stream__()

    class Again:
        def __arrow_c_stream__(self, requested_schema=None):
            return capsule
    assert list(fplab.Table(Again())['text']) == TEXTS
    with pytest.raises(fplab.ValueProblem, match='was read already'):
        fplab.Table(Again())


def test_an_array():
    class One:
        def __arrow_c_array__(self, requested_schema=None):
            source = Producer(['text'], [[string(TEXTS, 'U')]])
            self.source, schema = source, source.raw(source.schema())
            array = source.raw(source.array(source.batches[0]))
            return CAPSULE(schema, b'arrow_schema', None), CAPSULE(array, b'arrow_array', None)
    one = One()
    table = fplab.Table(one)
    assert list(table['text']) == TEXTS and not one.source.released
    del table
    gc.collect()
    assert one.source.released


# ---- Out ----

def read_out(table):
    """The stream of a table by the specification alone: format, name, and values of each column."""
    capsule = table.__arrow_c_stream__()
    stream = POINTER(capsule, b'arrow_array_stream')
    calls = struct.unpack(STREAM, ctypes.string_at(stream, 40))
    schema, array = ctypes.create_string_buffer(72), ctypes.create_string_buffer(80)
    assert CALL(calls[0])(stream, ctypes.addressof(schema)) == 0
    form, _, _, _, count, children, _, release, _ = struct.unpack(SCHEMA, schema.raw)
    assert ctypes.string_at(form) == b'+s'
    columns = []
    for at in struct.unpack(f'{count}P', ctypes.string_at(children, 8 * count)):
        own = struct.unpack(SCHEMA, ctypes.string_at(at, 72))
        columns.append((ctypes.string_at(own[0]).decode(), ctypes.string_at(own[1]).decode()))
    RELEASE(release)(ctypes.addressof(schema))
    assert struct.unpack(SCHEMA, schema.raw)[7] == 0
    assert CALL(calls[1])(stream, ctypes.addressof(array)) == 0
    length, missing, offset, buffers, count, _, children, _, release, _ = struct.unpack(ARRAY, array.raw)
    assert (missing, offset, buffers, count) == (0, 0, 1, len(columns))
    made = {}
    for at, (form, name) in zip(struct.unpack(f'{count}P', ctypes.string_at(children, 8 * count)), columns):
        rows, none, offset, number, *_ = own = struct.unpack(ARRAY, ctypes.string_at(at, 80))
        places = struct.unpack(f'{number}P', ctypes.string_at(own[5], 8 * number))
        assert rows == length and offset == 0
        known = [True] * rows if not places[0] else np.unpackbits(
            np.frombuffer(ctypes.string_at(places[0], (rows + 7) // 8), np.uint8), bitorder='little')[:rows]
        if form == 'U':
            ends = struct.unpack(f'{rows + 1}q', ctypes.string_at(places[1], 8 * rows + 8))
            values = [ctypes.string_at(places[2] + b, e - b).decode() for b, e in zip(ends, ends[1:])]
        elif form == 'b':
            values = np.unpackbits(np.frombuffer(ctypes.string_at(places[1], (rows + 7) // 8), np.uint8),
                                   bitorder='little')[:rows].astype(bool).tolist()
        elif form.startswith('w:'):
            width = int(form[2:])
            values = [ctypes.string_at(places[1] + width * row, width) for row in range(rows)]
        else:
            size = np.dtype(arrow.NUMBERS[form]).itemsize
            values = np.frombuffer(ctypes.string_at(places[1], rows * size), arrow.NUMBERS[form]).tolist()
        made[name] = form, [value if there else None for value, there in zip(values, known)]
        assert none == sum(value is None for value in made[name][1])
    RELEASE(release)(ctypes.addressof(array))
    assert struct.unpack(ARRAY, array.raw)[8] == 0
    assert CALL(calls[1])(stream, ctypes.addressof(array)) == 0 and array.raw[64:72] == bytes(8)
    return made


def test_tables_go_out(texts):
    arm = fplab.Arm('simhash')
    sketches = arm.sketch(texts[:3])
    before = len(arrow._alive)
    made = read_out(fplab.Table({'text': texts[:3], 'some': ['a', None, ''], 'n': np.arange(3, dtype='>i2'),
                                 'x': [0.5, float('nan'), 2], 'ok': [True, False, True], 'maybe': [None, 3, 4],
                                 'sketch': sketches, 'none': [None] * 3}))
    assert made == {'text': ('U', texts[:3]), 'some': ('U', ['a', None, '']), 'n': ('s', [0, 1, 2]),
                    'x': ('g', [0.5, None, 2]), 'ok': ('b', [True, False, True]), 'maybe': ('l', [None, 3, 4]),
                    'sketch': ('w:8', [bytes(one) for one in sketches]), 'none': ('U', [None] * 3)}
    gc.collect()
    assert len(arrow._alive) == before  # all was released
    assert read_out(fplab.Table({'a': []}))['a'][1] == []
    nullable = pandas.DataFrame({'n': pandas.array([1, None], 'Int64'), 't': pandas.array(['x', None], 'string')})
    assert read_out(fplab.Table(nullable)) == {'n': ('l', [1, None]), 't': ('U', ['x', None])}


def test_every_table_goes_out(newswire, texts):
    evaluation = fplab.Evaluation.from_corpus(newswire, ['simhash'], replicates=200)
    kept, groups = fplab.dedup(texts), fplab.cluster(texts)
    frames = {**evaluation.tables, 'dropped': kept.dropped, 'pairs': newswire.pairs, 'clusters': groups.clusters}
    for name, frame in frames.items():
        made = read_out({'dropped': kept, 'clusters': groups}.get(name) or
                        (evaluation.arrow(name) if name in evaluation.tables else fplab.Table(frame)))
        assert list(made) == list(frame.columns), name
        for column in frame.columns:
            plain = [None if value is None or value != value else value for value in frame[column].tolist()]
            assert made[column][1] == plain, (name, column)


@pytest.mark.parametrize('columns, kind, words', [
    ({'a': [1, 2], 'b': [1]}, fplab.ValueProblem, 'columns of unlike length: a 2, b 1'),
    ({'a': [1, 'x']}, TypeError, "column 'a' has values of int, str"),
    ({'a': [b'x']}, TypeError, "column 'a' has values of bytes"),
    ({'a': np.zeros((2, 2))}, TypeError, "column 'a' has values of ndarray"),
    ({'a': np.zeros(2, complex)}, TypeError, "column 'a' has values of complex"),
    ({'a': ['x\ud800']}, fplab.EncodingProblem, r'a\[0\] has a lone surrogate'),
    ({'a': pandas.to_datetime(['2024-01-01'])}, TypeError, "column 'a' is of datetime64"),
    ({'a': 'text'}, TypeError, "column 'a' is str"),
    (5, TypeError, 'a table is a DataFrame, .*this is int'),
])
def test_tables_that_are_none(columns, kind, words):
    with pytest.raises(kind, match=words):
        fplab.Table(columns)


# ---- Parquet ----

@pytest.fixture(scope='module')
def duckdb(tmp_path_factory):
    """DuckDB's library: installed, or of npm, in a directory that the loader is told in another process."""
    try:
        ctypes.CDLL('libduckdb.so')
        return
    except OSError:
        pass
    place = tmp_path_factory.mktemp('npm')
    done = subprocess.run('npm pack @duckdb/node-bindings-linux-x64 && tar -xzf duckdb-*.tgz', shell=True, cwd=place,
                          capture_output=True, timeout=300)
    if done.returncode:
        pytest.skip('neither libduckdb.so is installed nor does npm fetch it')
    ctypes.CDLL(str(place / 'package' / 'libduckdb.so'), ctypes.RTLD_GLOBAL)  # then its name finds it


def test_parquet(duckdb, tmp_path, texts, newswire):
    arm = fplab.Arm('minhash:slots=16')
    sketches = arm.sketch(texts)
    odd = ["it's", '"', '\n', '', '👍', None] + texts[6:]
    frame = {'id': newswire.ids, 'text': texts, 'odd': odd, 'n': np.arange(len(texts)), 'sketch': sketches,
             'x': np.where(np.arange(len(texts)) % 3, np.arange(len(texts)) / 7, np.nan), 'empty': sketches.empty}
    path = tmp_path / "it's.parquet"
    fplab.to_parquet(frame, path)
    assert os.listdir(tmp_path) == [path.name]
    made = fplab.read_parquet(path)
    assert made.column_names == list(frame) and len(made) == len(texts)
    assert list(made['text']) == texts and list(made['odd']) == odd and list(made['id']) == newswire.ids
    assert (made['n'] == frame['n']).all() and np.array_equal(made['x'], frame['x'], equal_nan=True)
    assert (arm.distances(fplab.SketchArray(made['sketch'], made['empty'])) == arm.distances(sketches)).all()
    assert (arm.sketch(made['text']) == sketches).all()  # of several batches
    some = fplab.read_parquet([path, path], columns=['n', 'text'])
    assert some.column_names == ['n', 'text'] and len(some) == 2 * len(texts)
    corpus = fplab.read_corpus(some, group='n')
    assert len(corpus) == 2 * len(texts)
    fplab.to_parquet(pandas.DataFrame({'a': [1, 2]}), path)
    assert fplab.read_parquet(path).to_pandas().equals(pandas.DataFrame({'a': [1, 2]}))
    with pytest.raises(fplab.FileProblem, match='DuckDB: .*nothing'):
        fplab.read_parquet(path, columns=['nothing'])
    with pytest.raises(fplab.FileProblem, match='DuckDB: '):
        fplab.read_parquet(tmp_path / 'none.parquet')
    with pytest.raises(fplab.FileProblem, match='DuckDB: '):
        fplab.to_parquet({'a': [1]}, tmp_path / 'nowhere' / 'a.parquet')
    assert os.listdir(tmp_path) == [path.name]


def test_a_query_is_interrupted(duckdb):
    with arrow._Duck() as duck:
        assert interrupted(lambda: duck.query('SELECT count(*) FROM range(1000000) a, range(1000000) b')) < 1
        assert duck.query('SELECT 1 AS a')['a'].tolist() == [1]


def test_parquet_is_read_by_fplab_itself(duckdb, tmp_path, texts, newswire):
    """The program's own reader of Parquet, in C, reads what was written."""
    library = next((line.split()[-1] for line in open('/proc/self/maps') if 'libduckdb.so' in line), None)
    fplab.to_parquet({'doc': newswire.ids, 'body': texts}, tmp_path / 'a.parquet')
    done = subprocess.run([os.environ['FPLAB'], 'import', str(tmp_path / 'a.parquet'), '--id', 'doc', '--text', 'body',
                           '--out', str(tmp_path / 'got')], capture_output=True, text=True,
                          env={**os.environ, 'LD_LIBRARY_PATH': os.path.dirname(library)})
    assert done.returncode == 0, done.stderr
    got = fplab.read_corpus(tmp_path / 'got')
    assert dict(zip(got.ids, got.texts)) == dict(zip(newswire.ids, texts))


def test_the_end_of_the_interpreter():
    """What is alive then is not released twice, nor by code that is gone."""
    code = "import fplab, sys\ntable = fplab.Table({'text': ['a', 'b'], 'n': [1, 2]})\n" \
           "class One:\n    def __arrow_c_stream__(self, schema=None): return table.__arrow_c_stream__()\n" \
           "kept = fplab.Table(One()); capsule = table.__arrow_c_stream__(); kept.own = kept\n" \
           "sys.modules['kept'] = kept; sys.modules['capsule'] = capsule\n"
    done = subprocess.run([sys.executable, '-c', code], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, '')


def test_without_duckdb():
    """In one line: what is missing and what to do."""
    code = "import fplab, ctypes\ndef none(name, *more): raise OSError(name)\nctypes.CDLL = none\n" \
           "try: fplab.read_parquet('a.parquet')\nexcept fplab.FileProblem as reason: print(reason)\n"
    done = subprocess.run([sys.executable, '-c', code], capture_output=True, text=True, cwd=ROOT, check=True)
    assert done.stdout.count('\n') == 1 and 'libduckdb.so' in done.stdout and 'npm pack' in done.stdout
