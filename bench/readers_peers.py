#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""readers_peers.py FILE: megabytes a second of processor time that Python reads the file at: lines, json, csv, or for a directory its pages
by BeautifulSoup (with lxml, else html.parser), by lxml alone, and by readability, which leaves page furniture out as the lab does, where they
are installed. Debian has no package of trafilatura."""
import csv
import json
import os
import sys
import time

path = sys.argv[1]


def tell(name, bytes_, work):
    start = time.process_time()
    characters = work()
    print('  %-20s %8.1f MB/s   %d characters' % (name, bytes_ / 1e6 / (time.process_time() - start), characters), flush=True)


def pages():
    for place, _, names in os.walk(path):
        for name in sorted(names):
            if name.endswith(('.html', '.htm')):
                yield open(os.path.join(place, name), 'rb').read()


if os.path.isdir(path):
    raw, size = [], 0
    for page in pages():
        raw.append(page)
        size += len(page)
        if size > 4e6:
            break
    try:
        import warnings
        warnings.simplefilter("ignore")
        import bs4
        try:
            import lxml  # noqa: F401
            parser = 'lxml'
        except ImportError:
            parser = 'html.parser'
        tell('BeautifulSoup, ' + parser, size, lambda: sum(len(bs4.BeautifulSoup(page, parser).get_text()) for page in raw))
    except ImportError:
        pass
    try:
        import lxml.html
        tell('lxml', size, lambda: sum(len(lxml.html.fromstring(page).text_content()) for page in raw))
    except ImportError:
        pass
    try:
        import logging
        logging.disable(logging.CRITICAL)
        import lxml.html
        import readability
        tell('readability', size, lambda: sum(
            len(lxml.html.fromstring(readability.Document(page.decode('utf-8', 'replace')).summary()).text_content()) for page in raw))
    except ImportError:
        pass
elif path.endswith('.jsonl'):
    tell('json', os.path.getsize(path), lambda: sum(len(json.loads(line)['text']) for line in open(path, encoding='utf-8')))
elif path.endswith('.csv'):
    csv.field_size_limit(1 << 30)
    tell('csv', os.path.getsize(path), lambda: sum(len(row['text']) for row in csv.DictReader(open(path, encoding='utf-8', newline=''))))
else:
    tell('lines', os.path.getsize(path), lambda: sum(len(line) - 1 for line in open(path, encoding='utf-8')))
