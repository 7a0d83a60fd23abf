# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A Python with the packages of Debian. Needs none of them."""

import importlib.util
import os
import sys

SYSTEM_PYTHON = "/usr/bin/python3"
TRIED = "KARMAN_SYSTEM_PYTHON"
"""Variable that is set where the system's Python was tried already."""


def ensure_modules(program, needed):
    """Continues with the system's Python if this one lacks a module; names the packages if both do."""
    missing = [name for name in needed if importlib.util.find_spec(name) is None]
    if not missing:
        return
    if TRIED not in os.environ and os.access(SYSTEM_PYTHON, os.X_OK):
        os.environ[TRIED] = "tried"
        os.execv(SYSTEM_PYTHON, [SYSTEM_PYTHON, *sys.argv])
    packages = " and ".join(f"python3-{name}" for name in missing)
    print(f"{program}: this needs Python with {' and '.join(missing)}: install {packages}, or run tools/install-dependencies", file=sys.stderr)
    sys.exit(4)
