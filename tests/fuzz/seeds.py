# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes small inputs to begin with, a directory a target: seeds.py FPLAB DIRECTORY.

Among them is, for each finding that was mended, an input that showed it. All are written here, but for the runs, which the
program makes."""
import gzip, json, os, shutil, struct, subprocess, sys, tempfile, zlib

fplab, out = os.path.realpath(sys.argv[1]), sys.argv[2]
PART = b'\xff'
ZH = '今天下午，临江大桥恢复通车。市图书馆本周六延长开放时间，“几点开门？”'
TW = '臺灣的圖書館在週六延長開放時間，著名的大橋恢復通車。'
MIXED = '51区3.14公里 9架 ﬁ Ａ１，…“x”\u200b\ufeff한국어 カﾅ e\u0301 👩\u200d👩\u200d👧 \U0001f1e8\U0001f1f3'
TEXTS = [text.encode() for text in (ZH, TW, MIXED, 'The quick brown fox.\r\nThe slow one.\n', 'a', '', '\n\n\t\0\x1b[31m')]

def flate(data):
    return zlib.compress(data, 9)

def zstd(data):
    return b'\x28\xb5\x2f\xfd\0\0' + (len(data) << 3 | 1).to_bytes(3, 'little') + data # RFC 8878: one block as it is

def choices(data, which=range(0, 256, 37)):
    """The same behind each of several first bytes, which targets take for a choice."""
    return [bytes([choice]) + data for choice in which]

seeds = {}
for target in 'utf8', 'escape_html', 'escape_latex', 'escape_markdown', 'formats':
    seeds[target] = TEXTS + [b'\xc0\x80\xed\xa0\x80\xf4\x90\x80\x80', b'=1+1,"a"|b<c>&amp;`*_[x](y)\\$%#~^{}--', '＝1 π≤∞–'.encode(),
                             b'<script>alert(1)</script><!--', b'\\input{x}\n\n\\end{tabular}', '\u202e\u2066\u009b31m'.encode()]
for target in 'normalise', 'segment_jieba', 'segment_icu', 'corruption':
    seeds[target] = [made for text in TEXTS for made in choices(text, (0, 1, 3, 5, 7, 9, 11))]
seeds['corruption'] = [bytes([kind, rate]) + text for text in TEXTS[:4] for kind in range(24) for rate in (3, 10)]
SVG = '<?xml version="1.0"?>\n<svg width="9" height="9" viewBox="0 0 9 9" xmlns="http://www.w3.org/2000/svg">\n<title>x</title><desc>y</desc>\n<g id="a">%s' \
      '<text font-family="z">t &amp; u</text><use xlink:href=\'#a\' id=\'b\'/><path d="M0,0" stroke="url(#a)"/></g></svg>\n'
seeds['picture'] = [(SVG % part).encode() for part in ('', '<SCRIPT>', '<g onload="a()">', '<g OnLoad=\'a()\'/>', '<use href="javascript:a"/>', '<!-- -->', '<g a=b>')]
seeds['picture'] += [b'<?xml version="1.0" <svg onload="a()">', b'<?xml ><svg x="y" '] # an element in the head; a blank at the end
seeds['encoding'] = [bytes([2 * i]) + (ZH + TW).encode(name, 'replace') for i, name in
                     enumerate(['gb18030', 'utf-8', 'utf-8', 'gb18030', 'gbk', 'big5', 'utf-16', 'utf-16le', 'utf-32', 'euc_jp', 'shift_jis',
                                'iso2022_jp', 'hz', 'latin-1', 'iso2022_kr', 'utf-7', 'utf-8', 'big5hkscs'])]
seeds['alignment'] = [bytes([0]) + ZH.encode() + PART + (ZH[5:] + TW).encode(), b'\2abcdefghijklmnopqrstuvwxyz' + PART + b'abcdefghijklnnopqrstuvwxyz']

DOCUMENTS = [{'id': 'a', 'text': ZH, 'group': '1', 'lang': 'zh'}, {'id': 'b', 'text': ZH[3:], 'group': '1'}, {'id': 'c', 'text': TW, 'group': '2'},
             {'id': 'd', 'text': 'x\ty\u0000', 'kind': [1, {'a': None}], 'n': -1.5e3}]
LINES = ''.join(json.dumps(document, ensure_ascii=False) + '\n' for document in DOCUMENTS).encode()
seeds['json'] = LINES.split(b'\n') + [b'[[[[1e308,-0,"\\ud834\\udd1e"]]]]', b'{"a":true,"b":false,"c":null}', b'"\\u0000"', b'[' * 101 + b']' * 101]
seeds['lab'] = [json.dumps(request, ensure_ascii=False).encode() for request in (
    {'op': 'algorithms'}, {'op': 'normalise', 'text': TW}, {'op': 'features', 'arm': 'simhash:features=chars:2', 'text': ZH},
    {'op': 'fingerprint', 'arms': ['simhash', 'minhash:slots=4'], 'texts': [ZH, TW]},
    {'op': 'compare', 'arms': ['jaccard', 'pinyin'], 'a': ZH, 'b': TW, 'longest': 100},
    {'op': 'explain', 'arm': 'simhash:bits=16', 'text': 'ab cd'}, {'op': 'explain', 'arm': 'cosine', 'a': 'ab', 'b': 'ac'},
    {'op': 'explain', 'arm': 'simhash:bits=16', 'features': {'term': ['a'], 'hash': ['00000000000000ff'], 'weight': [1]}},
    {'op': 'corrupt', 'kind': 'homophone', 'rate': 0.5, 'seed': 1, 'copy': 0, 'text': ZH},
    {'op': 'evaluate', 'arms': ['simhash:bits=16'], 'documents': DOCUMENTS[:3], 'thresholds': [1, 3], 'list': 10},
    {'op': 'evaluate', 'arms': ['simhash:bits=16'], 'documents': [{'id': 'alone', 'text': '今天下午', 'group': '2'}], 'thresholds': [1]},
    {'op': 'pairs', 'arm': 0, 'cell': 'tp', 'threshold': 3, 'most': 10})]

seeds['spec'] = [b'simhash:bits=64,features=words,weight=tfidf,name=ours', b'minhash:slots=128,seed=7', b'pinyin:granule=100', b'cosine:idf=x',
                 b'simhash:features=chars:3,stop=none,terms=t', b'blocks=6+5,agree=3+2', b'banding:bands=16,rows=4', b'pigeonhole:blocks=4',
                 b'homophone+digits', b'jaccard:measure=weighted', b'scan', b'scores:file=x', b'winnowing:features=chars:5,window=4']
seeds['parameters'] = [b'whole=8,real=0.5,choice=one', b'whole=-5,real=1e-3,text=a b,file=/x', b'real=nan,whole=99999999999999999999,choice=thre']
number = lambda value: struct.pack('<Q', value)
inside = number(3) + number(2**64 - 1) + number(1) + number(16) + number(1) + number(0) + number(0)
seeds['model'] = choices(inside, range(16)) + choices(number(2**64 - 1) + number(3) + number(0) + number(1) + number(8) + number(5), range(16))
# Tallies (3 + 4 · the arm): sums, a grid, frequencies, letters, of two documents.
tally = lambda numbers, state=True: b''.join(map(number, [0, 2, 0, 1] if state else [0, 0, 1])) + number(8 * len(numbers)) + \
    b''.join(map(number, numbers)) + (b'' if state else number(0))
seeds['model'] += [b'\3' + tally([2, *range(32)]), b'\7' + tally([2, *((bit * 8193 + 4000 + bit) << 40 | 2 for bit in range(16))]),
                   b'\x0b' + tally([2, 5, 1, 7, 2], False), b'\x0f' + tally([*range(20), 190])]
# A weight so small that its square is 0: the distance of a text and itself was no number.
seeds['model'].append(b'\x09' + number(3) + number(2**64 - 1) + number(1) + number(16) + number(1) + number(7 << 40) + number(0))
seeds['lists'] = [b'\0# stop\nthe\n' + ZH.encode(), b'\1# documents\t3\n' + '桥\t2\nbridge\t1\n'.encode(), '\2桥\t0101\t1.5\nbridge\t1100\t2\n'.encode(),
                  '\2桥\t1.5\nbridge\t2\n'.encode(), b'\1' + '3\n桥 1.5\nbridge 2\n'.encode()]

PAIRS = b'a\tb\t1\tkind\na\tc\t0\n'
MANIFEST = json.dumps({'name': 'small', 'language': 'zh-Hans', 'licence': 'CC0', 'counts': {'documents': 4, 'pairs': 2}, 'sha256': {'docs.jsonl': '0' * 64}}).encode()
seeds['corpus'] = choices(LINES, range(4)) + choices(LINES + PART + PAIRS + PART + MANIFEST, range(4)) + choices(LINES + PART + b'a\ta\t1\n', range(4))
packed = [gzip.compress(LINES, mtime=0), zstd(LINES), gzip.compress(LINES, mtime=0) * 2, zstd(b'a') + zstd(b'b'), gzip.compress(b'\0' * 300000, mtime=0), LINES]
seeds['packed'] = [bytes([choice]) + data for data in packed for choice in range(3)]
header = b"{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3)}\n"
NPY = b'\x93NUMPY\1\0' + struct.pack('<H', len(header)) + header + struct.pack('<6f', 1, 2, 3, 4, 5, 6)
seeds['tables'] = [b'\0' b'0\t1\t3\n0\t2\t0.5\n', b'\1' + NPY, b'\2' b'id\tfingerprint\na\t00000000000000ff\n', b'\2' b'00ff00ff00ff00ff\n',
                   b'\6' b'3f00ff00ff00ff00ff\n', b'\3' b'2024-02-29T23:59:60.5+08:00', b'\3' b'2024-01-01', b'\3' b'1704067200', b'\3' b'3d', b'\3' b'90min',
                   b'\3' b'406770406720770', # the year 14859
                   b'\3' b'1e30w'] # more milliseconds than a number holds

SHEET = ('# fplab judge sheet\n# corpus\tsmall\n# sha256\t%s\n# arm\tsimhash\n# scale\tbits of 64\n# documents\t4\n# seed\t1\n# stratum\t3\t2\t2\n'
         'pair\tid_a\tid_b\tdistance\tstratum\tjudgement\ttext_a\ttext_b\n1\ta\tb\t3\t3\t\tx\ty\n2\ta\tc\t3\t3\tnot\t"x ""y"""\tz\n' % ('0' * 64)).encode()
seeds['sheet'] = [SHEET, b'\xef\xbb\xbf' + SHEET.replace(b'\n', b'\r\n')]
interval = {'value': 0.5, 'low': 0.25, 'high': 0.75}
seeds['choice_file'] = []

seeds['store'] = [bytes([choice, page, 0, at, value]) for choice in (0, 1) for page in range(8) for at, value in ((16, 0), (18, 255), (10, 2), (12, 7))]
seeds['stored_tables'] = [bytes([arm, table]) + row for arm in range(3) for table in (0, 1, 64, 128)
                          for row in (b'', b'\0' * 7, b'\0' * 96, b'\xff' * 144, bytes(range(48)) * 4, (b'\1' + b'\0' * 7) * 3 + b'\2\0\0\0' * 3)]
seeds['addresses'] = [b'redis://:secretpassword@127.0.0.1:6379/3?name=x&list=5', b'rediss://user:pa%20ss@[::1]:1/', b'redis://h', b'', b'redis']

seeds['redis_answers'] = choices(b'+OK\r\n$3\r\nabc\r\n*2\r\n:1\r\n$-1\r\n', (0, 34, 255)) + choices(b'*2147483647\r\n' + b':1\r\n' * 20, (15, 255)) + \
    choices(b'$500000000\r\n' + b'x' * 200, (15, 255)) + choices(b'*3\r\n*3\r\n*3\r\n$1\r\nx\r\n', (255, 248)) + choices(b'-ERR ' + b'x' * 200, (0, 255)) + [b'\xff*-1\r\n$-7\r\n']
seeds['attributes'] = [bytes([0, count]) + data for count in (0, 1, 9, 255) for data in (b'x', b'"a b"', b"'", b'>', b'<p a=', b'\0/>\xe6\xa1\xa5')] + [b'\xff\xff']
CSV = 'id,text,kind\n1,"第 ""1"" 行\n%s",题\n2,b;c,d\n' % ZH
PAGE = '<!DOCTYPE html><title>通车 &amp; 延时</title><meta charset=utf-8><nav>x</nav><div hidden>无</div><table><tr><td><p>%s<br>&#x4e2d;<script>if (a </b) c</script><pre> a\n b</pre>' % ZH
MARKDOWN = '---\ntitle: 标题\n---\n# 一 *二* `三`\n\n- [四](x) &amp; &#20013;\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n> %s\n\n```\nx\n```\n<b>y</b> https://x.y\n' % ZH

def warc(body, *headers):
    answer = b'HTTP/1.1 200 OK\r\n' + b''.join(header + b'\r\n' for header in headers) + b'\r\n' + body
    return b'WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:1>\r\nWARC-Target-URI: http://x/\r\nWARC-Date: 2024-01-01T00:00:00Z\r\n' \
           b'Content-Type: application/http\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n' % (len(answer), answer)

html, packed_page = PAGE.encode(), gzip.compress(PAGE.encode(), mtime=0)
ARCHIVES = [warc(html, b'Content-Type: text/html'), warc(b'%x\r\n%s\r\n0\r\n\r\n' % (len(packed_page), packed_page), b'Content-Type: text/html; charset="utf-8"',
                                                         b'Content-Encoding: gzip', b'Transfer-Encoding: chunked'),
            warc(html, b'Content-Type: text/html').replace(b'http://x/', b'http://\x13\x89'), # an address that is not UTF-8
            warc(flate(html), b'Content-Type: text/html', b'Content-Encoding: deflate') * 2, warc(html) + b'rubbish\r\n' + warc(html)]
for form, inputs in {'jsonl': [LINES], 'lines': [LINES, ZH.encode()], 'csv': [CSV.encode(), CSV.replace(',', ';').encode()], 'tsv': [CSV.replace(',', '\t').encode()],
                     'text': TEXTS + [ZH.encode('gb18030'), ZH.encode('utf-16')], 'html': [html, PAGE.replace('utf-8', 'gbk').encode('gbk', 'replace'), html * 3],
                     'markdown': [MARKDOWN.encode()], 'warc': ARCHIVES}.items():
    seeds.setdefault('recognition', []).extend(choices(inputs[0], (0, 1, 4)))
    seeds['reader_' + form] = [seed for data in inputs for seed in choices(data, (0, 1, 2, 8, 16, 27, 64, 129))]

# ---- A run, a choice and a sheet of the program ----

def run_of_the_program():
    work = tempfile.mkdtemp()
    corpus = os.path.join(work, 'small')
    os.mkdir(corpus)
    with open(os.path.join(corpus, 'docs.jsonl'), 'w', encoding='utf-8') as file:
        for i in range(12):
            text = (ZH if i % 2 else TW)[i % 5:] + MIXED[:i]
            file.write(json.dumps({'id': 'd%d' % i, 'text': text, 'group': str(i // 2)}, ensure_ascii=False) + '\n')
    with open(os.path.join(corpus, 'pairs.tsv'), 'w') as file:
        file.write(''.join('d%d\td%d\t%d\n' % (a, b, a // 2 == b // 2) for a in range(12) for b in range(a + 1, 12)))
    def run(*words):
        subprocess.run([fplab, *words], cwd=work, check=True, stdout=subprocess.DEVNULL)
    def content(name):
        with open(os.path.join(work, name), 'rb') as file:
            return file.read()
    arms = ['-a', 'simhash:bits=16,name=a<b>&c', '-a', 'jaccard']
    run('eval', '-c', corpus, *arms, '--out', 'run', '--no-plots', '--replicates', '200', '--threshold', '1..5', '--costs')
    run('tune', '-c', corpus, '-g', 'simhash:bits=16', '-g', 'jaccard', '--save', 'choice.json', '--no-plots', '--replicates', '200', '--folds', '3', '--out', 'tuned')
    run('judge', 'sample', '-c', corpus, '-a', 'simhash', '--distances', '6..9', '--out', 'sheet.tsv')
    tables = ['results.tsv', 'summary.tsv', 'differences.tsv']
    whole = PART.join([content('run/run.json')] + [content('run/' + name) for name in tables])
    seeds['run'] = choices(whole, range(6)) + choices(PART.join([content('run/run.json'), content('run/results.tsv')]), range(6)) + choices(content('tuned/run.json'), range(2))
    seeds['run_table'] = [content('run/' + name) for name in tables] + [b'a\tb\n1\t"x ""y"""\n']
    seeds['choice_file'].append(content('choice.json'))
    seeds['sheet'].append(content('sheet.tsv'))
    shutil.rmtree(work)

run_of_the_program()
for target, inputs in seeds.items():
    os.makedirs(os.path.join(out, target), exist_ok=True)
    for i, data in enumerate(inputs):
        with open(os.path.join(out, target, '%03d' % i), 'wb') as file:
            file.write(data)
