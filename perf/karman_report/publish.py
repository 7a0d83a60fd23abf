# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The page as a folder for a web server: pictures, style and results as files of their own."""

import base64
import json
import re
import shutil
from html import escape
from pathlib import Path

from . import page
from .results import ResultError

MANIFEST = "published.json"
"""Names of all files of the folder: another page may replace these, and nothing else."""
EMBEDDED = re.compile(r'src="data:image/(png|gif);base64,([A-Za-z0-9+/=]+)"')


def _names(sources):
    """Names of copies: numbers distinguish files with the same name."""
    paths = [Path(source) for source in sources]
    names = [path.name for path in paths]
    return {path: path.name if names.count(path.name) == 1 else f"{n + 1}-{path.name}" for n, path in enumerate(paths)}


def _contents(runs, wind, platforms, sources):
    """{path in the folder: bytes}."""
    made = page.build(runs, wind, platforms)
    found = {"style.css": page.STYLE.read_bytes()}
    made = re.sub(r"<style>.*?</style>", '<link rel="stylesheet" href="style.css">', made, count=1, flags=re.DOTALL)

    def picture(match):
        name = f"pictures/{len([path for path in found if path.startswith('pictures/')]) + 1:02}.{match[1]}"
        found[name] = base64.b64decode(match[2])
        return f'src="{name}"'

    made = EMBEDDED.sub(picture, made)
    links = []
    for source, name in _names(sources).items():
        found[f"data/{name}"] = source.read_bytes()
        links.append(f'<a href="data/{escape(name)}">{escape(name)}</a>')
    if links:
        made = made.replace("</main>", f'<p class="note">Results behind this page: {", ".join(links)}</p></main>')
    found["index.html"] = made.encode("utf-8")
    return found


def _require_free(folder, overwrite):
    """The files of an earlier page there; raises ResultError for others."""
    if not folder.exists() or not any(folder.iterdir()):
        return []
    manifest = folder / MANIFEST
    if not manifest.is_file():
        raise ResultError(f"{folder}: holds other files; expected a new or empty folder, or an earlier page")
    if not overwrite:
        raise ResultError(f"{folder}: holds a page already; --overwrite replaces it")
    try:
        names = json.loads(manifest.read_text(encoding="utf-8"))["files"]
        paths = [(folder / name).resolve() for name in names]
    except (ValueError, KeyError, TypeError) as error:
        raise ResultError(f"{manifest}: {error!r}") from error
    if not all(folder.resolve() in path.parents for path in paths):
        raise ResultError(f"{manifest}: names a file outside of the folder")
    return paths


def publish(folder, runs, wind, platforms, sources, overwrite):
    """Writes the page into a folder. `sources`: the files that it was made from."""
    folder = Path(folder)
    earlier = _require_free(folder, overwrite)
    contents = _contents(runs, wind, platforms, sources)
    # A whole folder beside the old one first: a full disk leaves the old page as it was.
    fresh = folder.with_name(f".{folder.resolve().name}.new")
    shutil.rmtree(fresh, ignore_errors=True)
    try:
        for name, content in contents.items():
            path = fresh / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        (fresh / MANIFEST).write_text(json.dumps({"files": sorted(contents)}, indent=1) + "\n", encoding="utf-8")
        for path in earlier:
            path.unlink(missing_ok=True)
        for name in [*contents, MANIFEST]:
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            (fresh / name).replace(path)
    finally:
        shutil.rmtree(fresh, ignore_errors=True)
