# SPDX-License-Identifier: GPL-3.0-or-later
"""Converts public sets whose files are not tables of texts to JSON lines for `fplab import`.

sets.py SET ROWS SKIP LIMIT DIRECTORY KIND PATH … reads the files of one set (recipes.def; an empty PATH: missing
file) and writes ROWS: documents {"id", "text", "group", …}, or pairs {"text", "other", "label", "kind", "id_a",
"id_b"}. Reports a bad record on standard error as `fplab: FILE:LINE: reason`; with SKIP skips it, else stops. No file
may unpack to more than LIMIT bytes. Prints the counts to standard output: sentence pairs left out because one is
empty, because both are equal, records of another kind, bad records, then the rows of each file."""
import csv, codecs, gzip, json, os, re, subprocess, sys, zlib

NAME, ROWS, SKIP, LIMIT, DIRECTORY = sys.argv[1:6]
KINDS, PATHS = sys.argv[6::2], sys.argv[7::2]
BLANKS = ' \t\n\r'
empty = same = passed = bad = 0
rows = [0] * len(PATHS)
written = set()  # ids of documents
codecs.register_error('c1', lambda error: (chr(error.object[error.start]), error.start + 1))


class Wrong(Exception):
    """A bad record, or with `path` another bad file."""

    def __init__(self, why, byte=None, path=None, row=None):
        self.why, self.byte, self.path, self.row = why, byte, path, row


def report(wrong, prefix=''):
    place = '%s:%s ' % (wrong.path, '' if wrong.row is None else '%d:' % wrong.row)
    line = 'fplab: %s%s%s%s' % (prefix, place, wrong.why, '' if wrong.byte is None else ' (byte %d)' % wrong.byte)
    sys.stderr.buffer.write(line.replace('\n', '\\n').encode('utf-8', 'surrogateescape') + b'\n')
    sys.stderr.buffer.flush()


def leave_out(wrong, file, row=None):
    global bad
    if wrong.path is None: wrong.path, wrong.row = PATHS[file], row if wrong.row is None else wrong.row
    if not SKIP: raise wrong
    bad += 1
    report(wrong, 'left out: ')


# ---- Files ----


def unpacked(stream, path):
    """The unpacked content, at most one byte more than the limit of a file."""
    begin, most = stream.peek(4)[:4], int(LIMIT) + 1
    if begin[:2] == b'\x1f\x8b': return gzip.GzipFile(fileobj=stream).read(most)
    if begin != b'\x28\xb5\x2f\xfd': return stream.read(most)
    with subprocess.Popen(['zstd', '-dcq'], stdin=stream, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as zstd:
        content = zstd.stdout.read(most)
    if zstd.returncode and len(content) < most: raise Wrong('not a valid Zstandard file', path=path)
    return content


def content(path):
    try:
        with open(path, 'rb') as stream: raw = unpacked(stream, path)
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise Wrong('not a valid gzip file: %s' % error, path=path)
    except OSError as error:
        if error.filename == 'zstd': raise Wrong('zstd, which unpacks it, is not installed (Debian package zstd)', path=path)
        raise Wrong('cannot %s: %s' % ('read' if isinstance(error, IsADirectoryError) else 'open', error.strerror), path=path)
    if len(raw) > int(LIMIT): raise Wrong('holds more than %s bytes; --max-size raises the limit' % LIMIT, path=path)
    return raw


def utf8(raw, path=None):
    try: return raw.decode('utf-8')
    except UnicodeDecodeError as error: raise Wrong('invalid UTF-8', error.start, path)


def lines(raw):
    """Lines as bytes, without line ends."""
    each = raw.split(b'\n')
    if not each[-1]: each.pop()
    return [line[:-1] if line.endswith(b'\r') else line for line in each]


def skip_mark(raw): return raw[3:] if raw.startswith(b'\xef\xbb\xbf') else raw


def beside(file, what):
    """The number of the file that belongs to this one. Raises Wrong if it is missing."""
    if not PATHS[file + 1]: raise Wrong('%s is missing, needed for %s' % (what, PATHS[file]), path=DIRECTORY)
    return PATHS[file + 1]


def without_ending(name): return name.rpartition('.')[0] if '.' in name else name


# ---- Rows ----


def put(**fields):
    for name in ('id', 'id_a', 'id_b', 'kind'):
        for sign, called in (('\t', 'a tab'), ('\n', 'a line end'), ('\r', 'a carriage return'), ('\0', 'a NUL')):
            if sign in fields.get(name, ''): raise Wrong('the id holds ' + called)
    try: line = json.dumps(fields, ensure_ascii=False).encode('utf-8')
    except UnicodeEncodeError: raise Wrong('not UTF-8: half of a surrogate pair')
    out.write(line + b'\n')


def put_document(file, row, **fields):
    try:
        if fields['id'] in written: raise Wrong('duplicate id %s' % fields['id'])
        put(**fields)
        written.add(fields['id'])
    except Wrong as wrong: leave_out(wrong, file, row)


class Groups:
    """Connected components (union-find); the first member represents its group."""

    def __init__(self): self.number, self.parent = {}, []

    def add(self, name):
        if name not in self.number:
            self.number[name] = len(self.parent)
            self.parent.append(len(self.parent))
        return self.number[name]

    def find(self, at):
        while self.parent[at] != at: self.parent[at] = at = self.parent[self.parent[at]]
        return at

    def join(self, a, b):
        a, b = self.find(a), self.find(b)
        self.parent[max(a, b)] = min(a, b)


# ---- Sentences and their corrections ----


class Sentences:
    """A sentence and its correction are a group. Equal texts are one document; groups that share one are merged."""

    def __init__(self): self.groups, self.at = Groups(), []

    def add(self, name, wrong, right, file, row):
        global empty, same
        rows[file] += 1
        if not wrong or not right: empty += 1
        elif wrong == right: same += 1
        else:
            self.groups.join(self.keep(wrong, name, file, row), self.keep(right, name + '-corrected', file, row))

    def keep(self, text, name, file, row):
        number = self.groups.add(text)
        if number == len(self.at): self.at.append((name, text, file, row))
        return number

    def put(self):
        for number, (name, text, file, row) in enumerate(self.at):
            put_document(file, row, id=name, text=text, group=self.at[self.groups.find(number)][0])


def sighan_pairs():
    """Lines of *_error.txt and *_correct.txt, as github.com/liwenju0/sighan_raw (data_process.py) writes them."""
    sentences = Sentences()
    for file in range(0, len(PATHS), 2):
        if not PATHS[file]: continue
        other = beside(file, 'a file of corrections')
        wrong, right = lines(content(PATHS[file])), lines(content(other))
        for row, line in enumerate(wrong, 1):
            try:
                if row > len(right): raise Wrong('no line for it in ' + other)
                sentences.add('%s-%d' % (KINDS[file], row), utf8(line), utf8(right[row - 1]), file, row)
            except Wrong as why:
                leave_out(why, file, row)
                if row > len(right): break
    sentences.put()


# The SIGHAN bake-offs of spelling: essays in SGML with their mistakes, and tests in two files, of the releases
# sighan7csc 1.0, clp14csc 1.1 and sighan8csc 1.0. The format is the one on which two readers of these files agree:
# github.com/liwenju0/sighan_raw (data_process.py), and bbcm's csc.py, github.com/gitabtion/BertBasedCorrectionModels.
#
# 2014, 2015: <ESSAY …><TEXT><PASSAGE id="I">…</PASSAGE>…</TEXT><MISTAKE id="I" location="8"><WRONG>無</WRONG>
# <CORRECTION>膚</CORRECTION></MISTAKE>…</ESSAY>; 2013: <DOC Nid="I"><P>…</P><TEXT><MISTAKE wrong_position=8><WRONG>…
# </WRONG><CORRECT>…</CORRECT></MISTAKE></TEXT></DOC>. Places count characters from 1; WRONG is one character or the
# word that holds it. Tests: a line "(pid=I) …" or "(NID=I) …", and in the other file "I, 8, 膚, …", or "I, 0".
ESSAYS, TESTS, MOST_PASSAGES = 5, 3, 1000  # in the order of recipes.def


class Passage:
    def __init__(self, name, text, row): self.name, self.text, self.row, self.right = name, text, row, list(text)

    def correct(self, place, wrong, right):
        if not place or not wrong or len(wrong) != len(right):
            raise Wrong('a mistake in %s and its correction differ in length' % self.name, row=self.row)
        begins = [place - 1 - back for back in range(min(len(wrong), place))]
        begin = next((at for at in begins if self.text[at:at + len(wrong)] == wrong), None)
        if begin is None:
            raise Wrong('"%s" is not at character %d of %s' % (wrong, place, self.name), row=self.row)
        for at, sign in enumerate(right, begin):
            if sign != self.text[at]: self.right[at] = sign

    def put(self, sentences, file):
        sentences.add('%s-%s' % (KINDS[file], self.name), self.text, ''.join(self.right), file, self.row)


def number_of(digits):
    digits = digits.strip(BLANKS)
    return int(digits) if re.fullmatch('[0-9]{1,7}', digits) else 0


class Essay:
    def __init__(self): self.passages, self.name, self.of, self.place, self.wrong = [], '', '', 0, ''

    def take(self, tag, attribute, behind, row):
        if tag == 'doc': self.name = attribute('Nid')
        elif tag in ('passage', 'p'):
            if len(self.passages) == MOST_PASSAGES: raise Wrong('more than %d passages in one essay' % MOST_PASSAGES, row=row)
            name = attribute('id') or self.name
            if not name: raise Wrong('a passage without an id', row=row)
            self.passages.append(Passage(name, behind, row))
        elif tag == 'mistake':
            self.of, self.place = attribute('id'), number_of(attribute('location') or attribute('wrong_position'))
        elif tag == 'wrong': self.wrong = behind
        elif tag in ('correction', 'correct'):
            of = next((each for each in self.passages if not self.of or each.name == self.of), None)
            if not of: raise Wrong('a mistake in "%s", which does not exist' % self.of, row=row)
            of.correct(self.place, self.wrong, behind)


def tags(text):
    """Yields for each tag its name, attributes, text up to the next tag, and line number."""
    row, at = 1, 0
    for found in re.finditer('<([^>]*)>([^<]*)', text):
        row, at = row + text.count('\n', at, found.start()), found.start()
        inside = found[1]

        def attribute(name):
            value = re.search('[ \t\n\r]%s=(?:"([^"]*)"|([^" \t\n\r][^ \t\n\r]*)?)' % name, inside, re.I)
            return value and (value[1] or value[2]) or ''

        yield re.match('[^ \t\n\r]*', inside)[0].lower(), attribute, found[2].strip(BLANKS), row


def read_essays(sentences, file):
    essay, failed = Essay(), None
    for tag, attribute, behind, row in tags(utf8(content(PATHS[file]), PATHS[file])):
        try:
            if tag not in ('/essay', '/doc'):
                if not failed: essay.take(tag, attribute, behind, row)
                continue
            if failed: leave_out(failed, file)
            else:
                for passage in essay.passages: passage.put(sentences, file)
            essay, failed = Essay(), None
        except Wrong as wrong:
            if wrong is failed: raise
            failed = wrong


def read_test(sentences, file):
    truths = lines(content(beside(file, 'the truth of a test')))
    for row, line in enumerate(lines(content(PATHS[file])), 1):
        try:
            found = re.match(r'\([^=)]*=([^)]*)\)(.*)', utf8(skip_mark(line)), re.S)
            if not found: raise Wrong('the line does not begin with (pid=…) or (NID=…)')
            passage = Passage(found[1], found[2].strip(BLANKS), row)
            fields = utf8(skip_mark(truths[row - 1])).split(',') if row <= len(truths) else ['']
            if fields[0].strip(BLANKS) != passage.name:
                raise Wrong('the truth is of %s, the sentence is %s' % (fields[0], passage.name))
            fields = [field.strip(BLANKS) for field in fields[1:]]
            if fields and number_of(fields[-1]) == 0 and len(fields) % 2: fields.pop()
            for at in range(0, len(fields), 2):
                place = number_of(fields[at])
                if not 0 < place <= len(passage.text) or at + 1 == len(fields):
                    raise Wrong('%s has no character %s to be corrected' % (passage.name, fields[at]))
                passage.correct(place, passage.text[place - 1], fields[at + 1])
            passage.put(sentences, file)
        except Wrong as wrong: leave_out(wrong, file, row)


def sighan():
    sentences = Sentences()
    for file in range(ESSAYS):
        if PATHS[file]: read_essays(sentences, file)
    for file in range(ESSAYS, ESSAYS + 2 * TESTS, 2):
        if PATHS[file]: read_test(sentences, file)
    sentences.put()


# ---- Pairs of text files ----


def put_pair(file, names, texts, label, kind):
    rows[file] += 1
    put(text=texts[0], other=texts[1], label=str(int(label)), kind=kind, id_a=without_ending(names[0]),
        id_b=without_ending(names[1]))


def answer(name):
    """Reads an answer's file beside the list; as Windows-1252 if it is not UTF-8."""
    raw = content(os.path.join(os.path.dirname(PATHS[0]), name))
    try: return raw.decode('utf-8')
    except UnicodeDecodeError: return raw.decode('cp1252', 'c1')


def fields_of(line):
    try: return [field.strip(' ') for field in next(csv.reader([line], strict=True), [])]
    except csv.Error as error: raise Wrong('not a row of a table: %s' % error)


def clough_stevenson():
    """The corpus of plagiarised short answers (ir.shef.ac.uk/cloughie/resources/plagiarism_corpus.html): a text a file,
    g0pA_taska.txt, …, the originals orig_taska.txt, …, and the list of files of corpus-final09.xls as CSV with the
    columns File, Task and Category (non, cut, light, heavy, orig), such as the file_information.csv of redistributors."""
    listed, columns = lines(content(PATHS[0])), ('File', 'Task', 'Category')
    head = fields_of(skip_mark(listed[0] if listed else b'').decode('utf-8', 'replace'))
    for name in columns:
        if name not in head: raise Wrong('the list of files has no column ' + name, path=PATHS[0], row=1)
    for row, line in enumerate(listed[1:], 2):
        try:
            if not line: continue
            fields, values = fields_of(utf8(line)), []
            for name in columns:
                if head.index(name) >= len(fields): raise Wrong('the row has no ' + name)
                values.append(fields[head.index(name)])
            name, task, kind = values
            if kind == 'orig': continue
            if kind not in ('cut', 'light', 'heavy', 'non'):
                raise Wrong('the category "%s" is none of non, cut, light, heavy and orig' % kind)
            names = ('orig_task%s.txt' % task, name)
            put_pair(0, names, [answer(each) for each in names], kind != 'non', kind)
        except Wrong as wrong: leave_out(wrong, 0, row)


def pan():
    """PAN's corpora of text alignment (zenodo.org/records/3715980): directories susp and src hold texts, and
    01-no-plagiarism/pairs, 02-no-obfuscation/pairs, … name two of them a line, "suspicious-document00001.txt
    source-document00294.txt". A pair is positive if a passage was reused."""

    def text(where, name):
        path = '%s/%s/%s' % (DIRECTORY, where, name)
        return utf8(skip_mark(content(path)), path)

    for file, path in enumerate(PATHS):
        for row, line in enumerate(lines(content(path)) if path else [], 1):
            try:
                if not line: continue
                names = os.fsdecode(line).split(' ')
                if len(names) != 2: raise Wrong('a line is not two file names separated by a space')
                put_pair(file, names, [text('susp', names[0]), text('src', names[1])], file > 0, KINDS[file])
            except Wrong as wrong: leave_out(wrong, file, row)


# ---- Sets in JSON ----


class Number(str):
    """A number as written in the file."""


def no_constant(name): raise ValueError(name + ' is not a JSON value')


def members(pairs):
    made = dict(pairs)
    if len(made) < len(pairs): raise ValueError('duplicate member in an object')
    return made


def parse(text):
    try:
        return json.loads(text, parse_int=Number, parse_float=Number, parse_constant=no_constant, object_pairs_hook=members)
    except json.JSONDecodeError as error: raise Wrong('not JSON: ' + error.msg, len(text[:error.pos].encode('utf-8')))
    except (ValueError, RecursionError) as error: raise Wrong('not JSON: %s' % error)


def read_json(path):
    text = utf8(skip_mark(content(path)), path)
    try: return parse(text)
    except Wrong as wrong:
        wrong.path = path
        wrong.row = None if wrong.byte is None else text.encode('utf-8')[:wrong.byte].count(b'\n') + 1
        raise


def news_copy():
    """NEWS-COPY: a file of articles, an object whose members are ids and whose values are objects with "article", and a
    file of pairs that are copies, an array of arrays of two ids; as rule_based/rule_based_utils.py and utils.py of
    github.com/dell-research-harvard/NEWS-COPY read them. Copies are transitive: a connected component is a group."""
    for file in range(0, len(PATHS), 2):
        if not PATHS[file]: continue
        other = beside(file, 'the file of copies')
        articles, pairs, groups = read_json(PATHS[file]), read_json(other), Groups()
        if not isinstance(articles, dict): raise Wrong('the articles are not an object', path=PATHS[file])
        if not isinstance(pairs, list): raise Wrong('the copies are not an array of pairs', path=other)
        names = list(articles)
        for name in names: groups.add(name)
        for number, pair in enumerate(pairs, 1):
            if not isinstance(pair, list) or [type(each) for each in pair] != [str, str]:
                raise Wrong('pair %d is not an array of two ids' % number, path=other)
            for name in pair:
                if name not in articles: raise Wrong('pair %d: no article has the id %s' % (number, name), path=other)
            groups.join(groups.number[pair[0]], groups.number[pair[1]])
        for number, name in enumerate(names):
            rows[file] += 1
            text = articles[name].get('article') if isinstance(articles[name], dict) else None
            if type(text) is str: put_document(file, number + 1, id=name, text=text, group=names[groups.find(number)])
            else: leave_out(Wrong('the article %s has no "article", or it is no string' % name), file)


def core():
    """The CORE deduplication set of 2020: a JSON object a line with core_id, original_title, original_abstract, cat
    (exact_dup, near_exact_dup, non_dup) and labelled_duplicates, an array of ids. The names are those of the copy
    huggingface.co/datasets/pinecone/core-2020-05-10-deduplication and of programs that read Ground_Truth_data.jsonl. The
    text is the title and, on the next line, the abstract; documents connected by labelled duplicates are a group."""

    def text(paper, name): return paper.get(name) if type(paper.get(name)) is str else ''

    begin, groups, papers = 0, Groups(), []
    for row, line in enumerate(content(PATHS[0]).split(b'\n'), 1):
        try:
            if not line: continue
            paper = parse(utf8(line))
            labelled = paper.get('labelled_duplicates') if isinstance(paper, dict) else None
            if labelled is not None and not isinstance(labelled, list): raise Wrong('labelled_duplicates is not an array')
            for name in [paper.get('core_id') if isinstance(paper, dict) else None] + (labelled or []):
                if not isinstance(name, str) or not name:
                    raise Wrong('core_id and labelled_duplicates are ids, strings or numbers')
            own = groups.add(paper['core_id'])
            for name in labelled or []: groups.join(own, groups.add(name))
            papers.append((row, own, paper))
        except Wrong as wrong:
            if wrong.byte is not None: wrong.byte += begin
            leave_out(wrong, 0, row)
        finally: begin += len(line) + 1
    for row, own, paper in papers:
        both = [part for part in (text(paper, 'original_title'), text(paper, 'original_abstract')) if part]
        if not both:
            leave_out(Wrong('neither original_title nor original_abstract is there'), 0, row)
            continue
        rows[0] += 1
        put_document(0, row, id=str(paper['core_id']), text='\n'.join(both), group='%d' % (groups.find(own) + 1),
                     cat=text(paper, 'cat'))


# ---- Licences ----


def walk(directory, ending, above=()):
    """Files below a directory in the order of their names, following links, each with the reason if unreadable."""
    try: names = sorted(os.listdir(directory))
    except OSError as error:
        yield directory, error.strerror
        return
    above += (os.path.realpath(directory),)
    for name in names:
        path = os.path.join(directory, name)
        if name.startswith('.'): continue
        if os.path.isdir(path):
            if os.path.realpath(path) not in above: yield from walk(path, ending, above)
        elif name.endswith(ending):
            yield path, None if os.path.exists(path) else 'a symbolic link that leads nowhere'


def split_facts(path, text):
    """The facts at the start of a text or in the .yml file beside it, and the text."""
    each = text.split('\n')
    marks = [at for at, line in enumerate(each) if line in ('---', '---\r')]
    if marks[:1] == [0]:
        if len(marks) == 1: raise Wrong('the facts at the start do not end with a line ---')
        return each[1:marks[1]], '\n'.join(each[marks[1] + 1:])
    beside_it = os.path.splitext(path)[0] + '.yml'
    if not os.path.exists(beside_it):
        raise Wrong('no facts: neither between two lines --- at the start nor in a .yml file beside it')
    return content(beside_it).decode('utf-8', 'replace').split('\n'), text


def take_licence(file, path, name):
    global passed
    facts, text = split_facts(path, utf8(content(path)))
    known = {}
    for line in facts:  # a YAML subset; other lines are not needed
        key, colon, value = line.rstrip('\r').partition(':')
        if colon: known[key] = value.strip(' \t\'"')
    key = known.get('key' if file else 'license_expression', '')
    is_text = file or known.get('is_license_text') in ('yes', 'true')
    # {{ and }} mark phrases that a scanner requires; they are not part of the text.
    text = text.replace('{{', '').replace('}}', '').strip(BLANKS)
    rows[file] += 1
    if not is_text or (known.get('language') or 'en') != 'en' or not key or ' ' in key or not text: passed += 1
    else: put_document(file, None, id=name, text=text, group=key)


def scancode():
    """Licence texts of ScanCode (src/licensedcode/data): rules/NAME.RULE and licenses/KEY.LICENSE, with facts
    between two lines "---" at the start, or in NAME.yml and KEY.yml beside (before release 32). Reads the rules with
    is_license_text whose license_expression is a single key: texts of one key are a group. Skips texts in languages
    other than English and texts that are not licences."""
    for file, ending in enumerate(('.RULE', '.LICENSE')):
        root = PATHS[file].rstrip('/')
        for path, why in walk(root, ending) if root else []:
            try:
                if why: raise Wrong(why)
                take_licence(file, path, path[len(root) + 1:])
            except Wrong as wrong:
                if wrong.path is None: wrong.path = path
                leave_out(wrong, file)


SETS = {'sighan': sighan, 'sighan-pairs': sighan_pairs, 'clough-stevenson': clough_stevenson, 'news-copy': news_copy,
        'core': core, 'scancode': scancode, 'pan': pan}
try:
    with open(ROWS, 'wb') as out: SETS[NAME]()
    print(empty, same, passed, bad, *rows)
except Wrong as wrong:
    report(wrong)
    sys.exit(1)
except OSError as error:
    report(Wrong('cannot write: %s' % error.strerror, path=ROWS))
    sys.exit(1)
except KeyboardInterrupt: sys.exit(130)
