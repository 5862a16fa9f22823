# SPDX-License-Identifier: GPL-3.0-or-later
"""Small faults of C sources. A mutant replaces the text from begin to end by another."""
import collections
import re

Mutant = collections.namedtuple('Mutant', 'file line begin end new change line_text')

# Tokens that are looked at; comments, texts and lines of the preprocessor come first, and are left as they are.
TOKEN = re.compile(r'''
    (?P<apart>//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|^[ \t]*\#(?:\\\n|[^\n])*)
  | (?P<number>\b(?:0[xX][0-9a-fA-F]+|\d+\.?\d*(?:[eE][-+]?\d+)?)[uUlLfF]*\b)
  | (?P<name>[A-Za-z_]\w*)
  | (?P<operator><<=|>>=|->|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||\+=|-=|\*=|/=|[-+*/<>=!&|?:;,(){}\[\]])
''', re.VERBOSE | re.MULTILINE | re.DOTALL)

RELATIONAL = {'<': ['<=', '>='], '<=': ['<', '>'], '>': ['>=', '<='], '>=': ['>', '<'], '==': ['!='], '!=': ['=='], '&&': ['||'], '||': ['&&']}
ARITHMETIC = {'+': ['-'], '-': ['+'], '*': ['/'], '/': ['*'], '+=': ['-='], '-=': ['+='], '*=': ['/='], '/=': ['*=']}
NOT_BEFORE_BINARY = {'return', 'case', 'sizeof', 'else', 'do', 'in'}
# What begins no statement that can go: declarations, and what decides where control goes.
KEYWORDS = {'if', 'else', 'for', 'while', 'do', 'switch', 'case', 'default', 'return', 'goto', 'static', 'const', 'typedef', 'struct', 'enum', 'union', 'extern', 'inline', 'sizeof'}


def tokens_of(text):
    return [(match.lastgroup, match.group(), match.start(), match.end()) for match in TOKEN.finditer(text) if match.lastgroup != 'apart']


def in_sizes(tokens):
    """The indices of tokens that say how much room is allocated."""
    found = set()
    for i, (_, word, _, _) in enumerate(tokens):
        if word in ('fp_arena_alloc', 'fp_arena_raw') and tokens[i + 1][1] == '(':
            found.update(range(i + 2, matching(tokens, i + 1)))
    return found


def in_bodies(tokens):
    """The indices of tokens inside functions: within braces that follow a closing parenthesis at the outermost level."""
    depth, inside, within = 0, False, set()
    for i, (_, word, _, _) in enumerate(tokens):
        if word == '{':
            if depth == 0:
                inside = i > 0 and tokens[i - 1][1] == ')'
            depth += 1
        elif word == '}':
            depth -= 1
        elif depth > 0 and inside:
            within.add(i)
    return within


def is_binary(tokens, i):
    """Whether the operator has an operand before it."""
    kind, word, _, _ = tokens[i - 1]
    before = kind == 'number' or (kind == 'name' and word not in NOT_BEFORE_BINARY) or word in (')', ']')
    # A type and a star, a type in parentheses before a sign: declarations and casts.
    if tokens[i][1] == '*' and kind == 'name' and (word.startswith('fp_') or word in ('char', 'double', 'float', 'void', 'int', 'bool', 'size_t') or word.endswith('_t')):
        return False
    if word == ')' and tokens[i - 2][0] == 'name' and tokens[i - 3][1] == '(' and tokens[i - 4][0] != 'name':
        return False
    return before


def matching(tokens, i):
    """The index of the parenthesis that closes the one at i."""
    depth = 0
    for j in range(i, len(tokens)):
        depth += {'(': 1, ')': -1}.get(tokens[j][1], 0)
        if depth == 0:
            return j
    return None


def changed_constants(word):
    suffix = re.search(r'(?<![xX0-9a-fA-F])[uUlLfF]+$|[uUlL]+$', word)
    end = suffix.group() if suffix else ''
    body = word[:len(word) - len(end)] if end else word
    if re.fullmatch(r'\d+|0[xX][0-9a-fA-F]+', body):
        value = int(body, 0) if body != '0' and not re.fullmatch(r'0\d+', body) else int(body, 10)
        return [f'{value + 1}{end}'] + ([f'{value - 1}{end}'] if value > 0 else [])
    return [f'({word} + 1)', f'({word} - 1)']


def statement_end(tokens, i):
    """Where the expression statement that begins at i ends, or None: an assignment, a call or a step, not a declaration."""
    kind, word, _, _ = tokens[i]
    if word in ('break', 'continue') and tokens[i + 1][1] == ';':
        return i + 1
    starts = (kind == 'name' and word not in KEYWORDS) or word in ('*', '++', '--')
    if not starts or (kind == 'name' and tokens[i + 1][0] == 'name') or (kind == 'name' and tokens[i + 1][1] == '*' and tokens[i + 2][0] == 'name'):
        return None
    if word == 'FP_TRY' or (kind == 'name' and tokens[i + 1][1] == ':'):
        return None
    for j in range(i, len(tokens)):
        if tokens[j][1] == ';':
            return j
        if tokens[j][1] in '{}':
            return None
    return None


def mutants_of(file, text):
    """All of a file, in the order of their places."""
    tokens = tokens_of(text)
    body, sizes = in_bodies(tokens), in_sizes(tokens)
    lines = text.split('\n')
    found = []

    def add(begin, end, new, change):
        line = text.count('\n', 0, begin) + 1
        found.append(Mutant(file, line, begin, end, new, change, ' '.join(lines[line - 1].split())))

    for i, (kind, word, begin, end) in enumerate(tokens):
        if i not in body or i + 2 >= len(tokens):
            continue
        if kind == 'number':
            for number, new in enumerate(changed_constants(word)):
                # More room than is used is no fault.
                if number > 0 or i not in sizes or tokens[i - 1][1] not in ('+', '*', ','):
                    add(begin, end, new, f'{word} → {new}')
        elif word in RELATIONAL:
            for new in RELATIONAL[word]:
                add(begin, end, new, f'{word} → {new}')
        elif word in ARITHMETIC and is_binary(tokens, i):
            for new in ARITHMETIC[word]:
                add(begin, end, new, f'{word} → {new}')
        elif word in ('if', 'while') and tokens[i + 1][1] == '(':
            close = matching(tokens, i + 1)
            inner = text[tokens[i + 1][3]:tokens[close][2]]
            add(tokens[i + 1][2], tokens[close][3], f'(!({inner}))', f'{word} (…) → {word} (!(…))')
        if tokens[i - 1][1] in ('{', '}', ';') or (tokens[i - 1][1] in (')', 'else') and kind == 'name'):
            last = statement_end(tokens, i)
            if last is not None and not inside_for(tokens, i):
                statement = ' '.join(text[begin:tokens[last][2]].split())
                add(begin, tokens[last][2], '', f'without {statement[:60]}')
    return found


def inside_for(tokens, i):
    """Whether the place is in the head of a loop: an open parenthesis before it in the same statement."""
    depth = 0
    for j in range(i - 1, max(i - 80, 0), -1):
        word = tokens[j][1]
        if word == ')':
            depth += 1
        elif word == '(':
            depth -= 1
            if depth < 0:
                return True
        elif word in ('{', '}') and depth == 0:
            return False
    return False
