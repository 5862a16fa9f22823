// SPDX-License-Identifier: GPL-3.0-or-later
// The lesson. Its modules are concatenated into one script, in the order of order.txt.
"use strict";
