#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The long tests of the Python package: interrupted calls of every kind, killed workers, several processes.
LONG=1 exec tests/python/test_python.sh
