# SPDX-License-Identifier: GPL-3.0-or-later
# The extension, made by build_ffi.py of the public headers: fplab/*.h describe its functions.
from typing import Any

ffi: Any
lib: Any
