#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The examples of the reference pages of evaluation run as they stand.
LONG=1 exec tests/house/test_readme.sh
