#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes a corpus of any size from the sentences of newswire-zh, to measure time and memory against the number of documents.

    bench/made_corpus.py DOCUMENTS DIR [--seed N] [--length N] [--grouped SHARE]

Writes DIR/docs.jsonl with documents of about --length characters (600): sampled sentences, with new random numbers and some replaced characters.
A share of the documents (0.3) is in groups of two to four: a document, and copies of it with sentences dropped, moved and replaced and up to
5% of the characters replaced. Copies follow up to some hundred documents later. Every other document is a group by itself. The same seed gives
the same bytes; a smaller corpus is a prefix of a larger one, except groups cut by its end."""
import argparse
import json
import os
import random
import re

HERE = os.path.dirname(os.path.realpath(__file__))
SHORTEST = 6  # characters of a sampled sentence
APART = 200  # documents between copies, on average


def read_sentences():
    path = os.path.join(HERE, '../tests/data/newswire-zh/docs.jsonl')
    with open(path, encoding='utf-8') as file:
        texts = [json.loads(line)['text'] for line in file]
    found = dict.fromkeys(sentence for text in texts for sentence in re.findall(r'[^。！？\n]+[。！？]', text))
    return [sentence for sentence in found if len(sentence) >= SHORTEST]


class Maker:
    def __init__(self, seed, length, grouped):
        self.random = random.Random(seed)
        self.length, self.sentences = length, read_sentences()
        self.han = sorted({sign for sentence in self.sentences for sign in sentence if '一' <= sign <= '鿿'})
        # Converts a share of documents to a share of groups, which have three documents on average.
        self.grouped = grouped / 3 / (grouped / 3 + 1 - grouped)

    def pick(self, among):
        return among[int(self.random.random() * len(among))]

    def digit(self, match):
        return '123456789'[int(self.random.random() * 9)]

    def replace(self, text, count):
        """The text with `count` characters replaced."""
        signs = list(text)
        for _ in range(count):
            signs[int(self.random.random() * len(signs))] = self.pick(self.han)
        return ''.join(signs)

    def original(self):
        wanted, sentences = self.length * (0.75 + 0.5 * self.random.random()), []
        while wanted > 0:
            sentences.append(self.pick(self.sentences))
            wanted -= len(sentences[-1])
        text = re.sub('[0-9]', self.digit, self.replace('\n'.join(sentences), len(sentences)))
        return text.split('\n')

    def copy(self, sentences):
        sentences = list(sentences)
        for _ in range(int(self.random.random() * 4)):
            place, edit = int(self.random.random() * len(sentences)), self.random.random()
            if edit < 0.3 and len(sentences) > 2:
                del sentences[place]
            elif edit < 0.6:
                sentences.insert(int(self.random.random() * len(sentences)), sentences.pop(place))
            else:
                sentences[place] = self.pick(self.sentences)
        text = ''.join(sentences)
        return self.replace(text, int(self.random.random() * 0.05 * len(text)))

    def documents(self):
        """Yields (group, text) endlessly."""
        waiting, group = [], 0
        while True:
            if waiting and self.random.random() < len(waiting) / APART:
                yield waiting.pop(int(self.random.random() * len(waiting)))
                continue
            group += 1
            sentences = self.original()
            if self.random.random() < self.grouped:
                waiting += [(group, self.copy(sentences)) for _ in range(1 + int(self.random.random() * 3))]
            yield group, ''.join(sentences)


def main():
    parser = argparse.ArgumentParser(description='Makes a corpus of any size from the sentences of newswire-zh.')
    parser.add_argument('documents', type=int)
    parser.add_argument('directory')
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--length', type=int, default=600)
    parser.add_argument('--grouped', type=float, default=0.3)
    options = parser.parse_args()
    os.makedirs(options.directory, exist_ok=True)
    made = Maker(options.seed, options.length, options.grouped).documents()
    with open(os.path.join(options.directory, 'docs.jsonl'), 'w', encoding='utf-8') as file:
        for number in range(options.documents):
            group, text = next(made)
            file.write(f'{{"id": "m{number}", "text": {json.dumps(text, ensure_ascii=False)}, "group": "g{group}"}}\n')


if __name__ == '__main__':
    main()
