# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Files of the report."""

import os
from pathlib import Path


def _temporary(path):
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    return path.with_name(f".{path.name}.{os.getpid()}")


def require_writable(path):
    """Raises OSError now where a later write() would."""
    temporary = _temporary(path)
    try:
        temporary.touch()
    finally:
        temporary.unlink(missing_ok=True)


def write(path, content):
    """Through a temporary file, so that an earlier file stays whole if the disk is full."""
    temporary = _temporary(path)
    try:
        temporary.write_text(content, encoding="utf-8")
        temporary.replace(Path(path))
    finally:
        temporary.unlink(missing_ok=True)
