# SPDX-License-Identifier: GPL-3.0-or-later
"""Builds fplab._fplab against libfplab; build_ffi.py describes how the library is found."""
import os
import re
import sys

from setuptools import setup

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from build_ffi import HERE, headers_of  # noqa: E402: beside this file

with open(os.path.join(headers_of()[0], 'fplab', 'version.h'), encoding='utf-8') as file:
    VERSION = re.search(r'FP_VERSION "(.*)"', file.read()).group(1)

setup(version=VERSION, cffi_modules=[os.path.join(HERE, 'build_ffi.py') + ':ffibuilder'])
