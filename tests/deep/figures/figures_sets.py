# SPDX-License-Identifier: GPL-3.0-or-later
"""The texts that same_figures.py runs its commands on, made anew for every comparison, the same each time.

    whole/NAME    a shipped or labelled set as it is (a link); of more than DOCUMENTS documents, every k-th pair of pairs.tsv and the
                  documents that they name, in the order of docs.jsonl, k being the least power of two that leaves so many at most
    part/NAME     the same, such that at most PAIRS pairs and BYTES of documents are left
    groups/NAME   of a set whose documents have groups: every k-th document of the groups taken, no pairs.tsv, with the same bounds
    many/NAME     the same of more documents than are written out as pairs (707)
    packed/…, damaged/…, odd/…, files/…   newswire-zh packed; bad rows; strange texts; files for commands that read files"""
import gzip
import hashlib
import json
import math
import os
import shutil
import subprocess

DOCUMENTS, PAIRS, BYTES, GROUPED, MANY = 8000, 400, 400_000, 100, 1500


def read_set(path):
    with open(os.path.join(path, 'docs.jsonl'), encoding='utf-8') as file:
        documents = [(json.loads(line), line) for line in file]
    with open(os.path.join(path, 'pairs.tsv'), encoding='utf-8') as file:
        return documents, file.readlines()


def write(path, lines):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, 'w', encoding='utf-8', newline='') as file:
        file.writelines(lines)


def write_set(path, documents, pairs):
    write(path + '/docs.jsonl', documents)
    write(path + '/pairs.tsv', pairs)


def cut(documents, pairs, most_documents, most_pairs, most_bytes):
    """Documents and pairs of a set within the bounds: see above."""
    step = 1
    while True:
        kept = pairs[::step]
        named = {cell for row in kept for cell in row.split('\t')[:2]}
        lines = [line for row, line in documents if row['id'] in named]
        if len(lines) <= most_documents and len(kept) <= most_pairs and sum(len(line.encode()) for line in lines) <= most_bytes:
            return lines, kept
        step *= 2


def cut_groups(documents, most, most_bytes):
    """Whole groups: every k-th, as many as the bounds leave."""
    groups = {}
    for row, line in documents:
        if 'group' in row:
            groups.setdefault(row['group'], []).append(line)
    names, step = list(groups), 1
    while True:
        kept = set(names[::step])
        lines = [line for row, line in documents if row.get('group') in kept]
        if len(lines) <= most and sum(len(line.encode()) for line in lines) <= most_bytes:
            return lines
        step *= 2


ODD = ['', ' ', '\n\n', '。', 'a', '桥', '12345 67890', 'The quick brown fox jumps over the lazy dog.', '😀😀😀 🎉', '…',
       '今天下午，临江大桥恢复通车。', '今天下午，臨江大橋恢復通車。', '临江大桥今天下午恢复通车。', 'Ａ１，！　ｶﾞ', '今天下午，临江大桥恢复通车。' * 400,
       'ǅ ﬁ Å ß İ', '第51区雇员称内部有9架飞碟', '美国“51区”雇员称内部有9架飞碟', '한국어와 日本語のテキスト', '"\t引号\t"', '-0 1e5 0x1F', '市图书馆本周六延长开放时间。',
       '我喜欢看电视，不喜欢看电影。', '我不喜欢看电视，也不喜欢看电影。']


def make_odd(path):
    """Texts at the edges, all pairs of them labelled: by hand where two say the same, else 0."""
    write(path + '/docs.jsonl', [json.dumps({'id': f'o{i}', 'text': text, 'lang': 'zh-Hans' if i % 3 else 'en'}, ensure_ascii=False) + '\n'
                                 for i, text in enumerate(ODD)])
    same = {(10, 11), (10, 12), (10, 14), (11, 12), (16, 17), (22, 23)}
    write(path + '/pairs.tsv', [f'o{a}\to{b}\t{int((a, b) in same)}\t{"near" if (a + b) % 2 else "far"}\n'
                                for a in range(len(ODD)) for b in range(a + 1, len(ODD))])


def make_damaged(path, documents, pairs):
    """Bad rows of every sort between good ones."""
    lines = [line for _, line in documents[:60]]
    names = {row['id'] for row, _ in documents[:60]}
    bad = ['{"id": "x1", "text": "no end\n', '{"id": "x2"}\n', '{"id": "x3", "text": 5}\n', '\n', lines[3], '[1]\n',
           '{"id": "x4", "text": "a", "text": "b"}\n', '{"id": "x5", "text": "\\ud800"}\n', '{"id": "a\\tb", "text": "c"}\n']
    for i, row in enumerate(bad):
        lines.insert(5 * (i + 1), row)
    write(path + '/docs.jsonl', lines)
    good = [row for row in pairs if set(row.split('\t')[:2]) <= names]
    write(path + '/pairs.tsv', good[:3] + ['a\n', 'a\tb\t1\n', good[4].replace('\t1\t', '\t7\t').replace('\t0\t', '\t7\t'), good[2]] + good[3:])


def make_files(path, documents):
    """Files that the commands read, under the names that their examples use."""
    texts = [row['text'] for row, _ in documents]
    lines = [text.replace('\n', ' ') + '\n' for text in texts[:40]] + [text.replace('\n', ' ') + '\n' for text in ODD]
    write(path + '/lines.txt', lines)
    write(path + '/titles.txt', [row.get('title', row['text'][:20]).replace('\n', ' ') + '\n' for row, _ in documents[:60]])
    for name, text in (('article.txt', texts[0]), ('one.txt', texts[0]), ('two.txt', texts[1]), ('three.txt', texts[2]), ('empty.txt', '')):
        write(f'{path}/{name}', [text])
    for name, encoding in (('gb18030.txt', 'gb18030'), ('utf16.txt', 'utf-16'), ('utf8bom.txt', 'utf-8-sig')):
        with open(f'{path}/{name}', 'wb') as file:
            file.write(''.join(lines[:40]).encode(encoding))
    with open(path + '/big5.txt', 'wb') as file:
        file.write('今天下午，臨江大橋恢復通車。\n市圖書館本週六延長開放時間。\n'.encode('big5'))
    with open(path + '/invalid.txt', 'wb') as file:
        file.write('好的一行。\n'.encode() + b'\xff\xfe bad \xe4\xb8\n' + '又一行。\n'.encode())
    with open(path + '/lines.txt', 'rb') as file:
        pack(path + '/articles.txt', file.read())
    write(path + '/stop.txt', ['的\n', '了\n', '在\n', '是\n'])
    write(path + '/user.txt', ['临江大桥 1000 ns\n', '恢复通车 500 n\n'])
    write(path + '/terms.tsv', ['美国\t100101\t4\n', '51区\t101011\t5\n'])
    write(path + '/weights.tsv', ['美国\t2.5\n', '今天\t1\n', '公司\t3\n', '大桥\t4\n', '的\t0.25\n'])

def make_easy(path, documents):
    """Every document beside itself without its last sentence: such that a precision of 0.95 is reached."""
    rows, pairs, number = [], [], len(documents)
    for i, (row, _) in enumerate(documents):
        short = row['text'].rstrip('。')
        short = short[:short.rfind('。') + 1] or short
        rows += [{'id': f'e{i}a', 'text': row['text'], 'lang': 'zh-Hans'}, {'id': f'e{i}b', 'text': short, 'lang': 'zh-Hans'}]
        pairs += [f'e{i}a\te{i}b\t1\tshortened\n'] + [f'e{i}a\te{(i + by) % number}b\t0\tother\n' for by in (29, 58)]
    write(path + '/docs.jsonl', [json.dumps(row, ensure_ascii=False) + '\n' for row in rows])
    write(path + '/pairs.tsv', pairs)


def pack(path, content):
    with open(path + '.gz', 'wb') as file:
        file.write(gzip.compress(content, mtime=0))
    subprocess.run(['zstd', '-q', '-f', '-o', path + '.zst'], input=content, check=True)


def digest(directory):
    """One checksum over names and contents of all files below, links followed."""
    total = hashlib.sha256(b'' if os.path.isdir(directory) else b'none')
    for place, folders, files in os.walk(directory, followlinks=True):
        folders.sort()
        for name in sorted(files):
            path = os.path.join(place, name)
            total.update(os.path.relpath(path, directory).encode() + b'\0')
            with open(path, 'rb') as file:
                total.update(hashlib.sha256(file.read()).digest())
    return total.hexdigest()


def make_sets(root, tree, shared):
    """All sets below root/sets, from the checkout `tree` and the labelled sets in `shared` (None: none). Returns {kind: [name]}."""
    sets = os.path.join(root, 'sets')
    found = {os.path.basename(path): path for top in [os.path.join(tree, 'corpora/data')] + ([shared] if shared else [])
             for path in sorted(os.path.join(top, name) for name in os.listdir(top)) if os.path.isfile(path + '/pairs.tsv')}
    kinds = {'whole': [], 'part': [], 'groups': [], 'many': []}
    for name, path in found.items():
        os.makedirs(f'{sets}/whole', exist_ok=True)
        documents, pairs = read_set(path)
        if len(documents) <= DOCUMENTS:
            os.symlink(os.path.realpath(path), f'{sets}/whole/{name}')
        else:
            write_set(f'{sets}/whole/{name}', *cut(documents, pairs, DOCUMENTS, len(pairs), math.inf))
        write_set(f'{sets}/part/{name}', *cut(documents, pairs, DOCUMENTS, PAIRS, BYTES))
        kinds['whole'].append(name)
        kinds['part'].append(name)
        grouped = [line for row, line in documents if 'group' in row]
        if grouped:
            write(f'{sets}/groups/{name}/docs.jsonl', cut_groups(documents, GROUPED, BYTES))
            kinds['groups'].append(name)
            many = cut_groups(documents, MANY, 4 * BYTES)
            if len(many) > 707:
                write(f'{sets}/many/{name}/docs.jsonl', many)
                kinds['many'].append(name)
    documents, pairs = read_set(found['newswire-zh'])
    content = ''.join(line for _, line in documents).encode()
    for ending in ('gz', 'zst'):
        os.makedirs(f'{sets}/packed/{ending}')
        pack(f'{sets}/packed/{ending}/docs.jsonl', content)
        os.unlink(f'{sets}/packed/{ending}/docs.jsonl.' + {'gz': 'zst', 'zst': 'gz'}[ending])
        write(f'{sets}/packed/{ending}/pairs.tsv', pairs)
    make_damaged(sets + '/damaged', documents, pairs)
    make_odd(sets + '/odd')
    make_files(sets + '/files', documents)
    make_easy(sets + '/files/my-texts', documents)
    shutil.copytree(f'{sets}/part/newswire-zh', f'{sets}/files/other-texts')
    terms = sorted(os.path.join(place, name) for place, _, files in os.walk(os.path.join(tree, 'tests')) for name in files
                   if name == 'terms_six_bits.tsv')
    os.makedirs(f'{sets}/tests/data')
    shutil.copy(terms[0], f'{sets}/tests/data')
    os.makedirs(f'{sets}/corpora')
    os.symlink(os.path.realpath(os.path.join(tree, 'corpora/data')), f'{sets}/corpora/data')
    return kinds
