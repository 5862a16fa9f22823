# SPDX-License-Identifier: GPL-3.0-or-later
"""Builds the extension fplab._fplab: makes cffi's declarations from the public headers.

Links the library of this tree if FPLAB_BUILD names its build directory, or if no other library is
installed (then ../build), with its directory as run path. Else links the library that pkg-config
finds.
"""
import os
import re
import subprocess

import cffi

HERE = os.path.dirname(os.path.abspath(__file__))
# Headers in the order of their dependencies.
ORDER = ('version', 'status', 'text', 'memory', 'progress', 'explanation', 'sketch', 'algorithm',
         'segmenter', 'arm', 'corpus', 'eval', 'columns', 'tables', 'alignment',
         'collection')


def pkg_config(*arguments):
    """The words of pkg-config's answer for fplab; empty if it finds no fplab."""
    try:
        return subprocess.run(['pkg-config', *arguments, 'fplab'], check=True, capture_output=True,
                              text=True).stdout.split()
    except (OSError, subprocess.CalledProcessError):
        return []


def headers_of():
    """The directory of fplab.h, and arguments of Extension that link its library."""
    tree = os.path.join(HERE, os.pardir)
    build = os.environ.get('FPLAB_BUILD') or os.path.join(tree, 'build')
    library = os.path.abspath(os.path.join(build, 'lib'))
    headers = os.path.abspath(os.path.join(tree, 'include'))
    installed = pkg_config('--variable=includedir')
    wanted = os.environ.get('FPLAB_BUILD') or not installed
    there = os.path.exists(os.path.join(library, 'libfplab.so')) and os.path.exists(headers)
    if wanted and there:
        remembered = [] if os.environ.get('FPLAB_NO_RPATH') else [library]
        return headers, {'library_dirs': [library], 'runtime_library_dirs': remembered}
    if not installed:
        raise SystemExit('libfplab was not found: install it (`make install`, or the package '
                         'libfplab-dev), or build it (`make`) in the tree of this package')
    directories = pkg_config('--variable=libdir')
    usual = [] if directories[0].startswith(('/usr/lib', '/lib')) else directories
    return installed[0], {'library_dirs': directories, 'runtime_library_dirs': usual}


def declarations(headers):
    """The public headers in cffi's form: without comments, function bodies and most macros."""
    out = []
    for name in ORDER:
        path = os.path.join(headers, 'fplab', name + '.h')
        if not os.path.exists(path):
            continue
        with open(path, encoding='utf-8') as file:
            text = re.sub(r'/\*.*?\*/', ' ', file.read(), flags=re.S)
        text = text.replace('\\\n', ' ')
        text = re.sub(r'#define FP_KEPT\b.*', '#define FP_KEPT ...', text)
        kept = re.findall(r'^#define FP_KEPT \.\.\.|^#define FP_NEAR_THRESHOLD \d+', text,
                          flags=re.M)
        texts = re.findall(r'^#define (FP_NEAR_ARM|FP_VERSION|FP_LABEL_\w+) "', text, flags=re.M)
        text = re.sub(r'^\s*#.*$', '', text, flags=re.M)
        text = re.sub(r'\bFP_(BEGIN|END)\b|FP_PRINTF\(\d+, \d+\)|extern [^;(]*fp_plugin;', '', text)
        text = re.sub(r'static inline [^{;]*\{.*?\n\}', '', text, flags=re.S)
        out += [*kept, *(f'static char *const {macro};' for macro in texts), text]
    return '\n'.join(out)


INCLUDE, LINKING = headers_of()
ffibuilder = cffi.FFI()
ffibuilder.cdef(declarations(INCLUDE))
ffibuilder.set_source('fplab._fplab', '#include <fplab.h>\n', include_dirs=[INCLUDE],
                      libraries=['fplab'], **LINKING)

if __name__ == '__main__':
    print(declarations(INCLUDE))
