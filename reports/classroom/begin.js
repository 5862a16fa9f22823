// SPDX-License-Identifier: GPL-3.0-or-later
// The lesson. Its modules stand one behind the other in one script; order.txt says how.
"use strict";
