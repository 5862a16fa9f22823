#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The programs in examples/, with every one of their allocations failing in turn (tests/house/test_examples.sh).
FAILURES=1 exec tests/house/test_examples.sh
