# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The output folder of `karman wind`: pictures, drawn by tools/plot, and facts of the run."""

import base64
import json
import subprocess
import sys
from pathlib import Path

from .results import ResultError

PLOT = Path(__file__).resolve().parents[2] / "tools" / "plot"
MEDIA = {".png": "image/png", ".gif": "image/gif"}


def _draw(file, folder):
    command = [sys.executable, str(PLOT), str(file), "--output", str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise ResultError((done.stderr.strip() or f"{PLOT} failed").splitlines()[-1])


def load(folder):
    """The manifest of the pictures with `data`, a data URL, added to each; draws them when the file is newer."""
    folder = Path(folder)
    file = folder / "wind.h5"
    if not file.is_file():
        raise ResultError(f"{folder}: holds no wind.h5")
    pictures = folder / "pictures"
    manifest = pictures / "pictures.json"
    if not manifest.is_file() or manifest.stat().st_mtime < file.stat().st_mtime:
        _draw(file, pictures)
    try:
        content = json.loads(manifest.read_text(encoding="utf-8"))
        for picture in content["pictures"]:
            path = pictures / Path(picture["file"]).name
            encoded = base64.b64encode(path.read_bytes()).decode("ascii")
            picture["data"] = f"data:{MEDIA[path.suffix]};base64,{encoded}"
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ResultError(f"{manifest}: {error}") from error
    return content
