#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# How often McNemar's test is wrong where two arms do not differ: a minute on two processors.
set -eu
exec "${BUILD:-build}/tests/deep/mcnemar_errors"
