# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The command line of tools/plot and the list of pictures."""

import argparse
import errno
import importlib
import json
import sys
import traceback
import types
import warnings
from pathlib import Path

import numpy as np

from .output_file import DAMAGES, PlotError, PlotFileError, format_of

MANIFEST = "pictures.json"
NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
"""Errors of a full disk, a spent quota and a file limit; they name no file."""


def parse(arguments):
    parser = argparse.ArgumentParser(
        prog="plot", description="Draws all outputs of a Karman HDF5 file to PNG, and records over time or iterations to an animated GIF.",
        epilog="Exit codes: 0 done, 1 a fault of this program, 2 nothing to draw or wrong usage, 4 a file cannot be read or written.")
    parser.add_argument("file", type=Path, help="output file of `karman wind`, `karman poisson`, `karman waves`, `karman euler` or "
                        "`karman turbulence`, or the study.csv of a study")
    parser.add_argument("--output", type=Path, metavar="DIR", help="picture folder (default: pictures/ beside the file)")
    parser.add_argument("--height", type=float, metavar="Z", help="height of the horizontal slices above the ground, m "
                        "(default: half the median building)")
    parser.add_argument("--y", type=float, metavar="Y", help="position of the vertical section, m (default: the middle)")
    parser.add_argument("--width", type=int, default=1600, metavar="PIXELS", help="width of the large pictures (default 1600)")
    parser.add_argument("--no-animation", dest="animation", action="store_false", help="leave out the animated GIF, which takes longest")
    options = parser.parse_args(arguments)
    if not 600 <= options.width <= 8000:
        parser.error(f"--width {options.width}: expected 600 to 8000")
    return options


class Folder:
    """Folder of the pictures. Replaces only pictures in an earlier run's manifest."""

    def __init__(self, path):
        self.path = path
        self.pictures = []
        self.places = []
        try:
            path.mkdir(parents=True, exist_ok=True)
            manifest = path / MANIFEST
            earlier = json.loads(manifest.read_text(encoding="utf-8")) if manifest.exists() else {}
            self.own = {str(p["file"]) for p in earlier.get("pictures", [])}
        except OSError as error:
            raise PlotFileError(f"{path}: {error.strerror}") from error
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            raise PlotFileError(f"{path / MANIFEST}: not a list of pictures; move it") from error

    def place(self, file):
        path = self.path / file
        if path.exists() and file not in self.own:
            raise PlotFileError(f"{path}: already exists and is no picture of this tool; choose another --output")
        self.places.append(path)
        return path

    def withdraw(self):
        """Removes the pictures of this run: a picture that is cut, and others that no list names."""
        for path in self.places:
            path.unlink(missing_ok=True)

    def add(self, file, title, caption, section="more"):
        self.pictures.append({"file": file, "title": title, "caption": caption, "section": section})


def plain(value):
    if isinstance(value, dict):
        return {name: plain(one) for name, one in value.items()}
    return value.tolist() if isinstance(value, (np.generic, np.ndarray)) else value


def write_manifest(found, table, folder):
    columns = {name: [float(v) for v in values] for name, values in table.items()}
    found = {name: plain(value) for name, value in found.items()}
    text = json.dumps({"facts": found, "history": columns, "pictures": folder.pictures}, indent=1)
    folder.places.append(folder.path / MANIFEST)
    folder.places[-1].write_text(text + "\n", encoding="utf-8")


KINDS = {
    "karman.poisson": ("field_file", "FieldFile", "field_plots"),
    "karman.poisson.compare": ("field_file", "FieldFile", "compare_plots"),
    "karman.column_diffusion": ("field_file", "FieldFile", "time_plots"),
    "karman.heat": ("field_file", "FieldFile", "time_plots"),
    "karman.waves": ("wave_file", "WaveFile", "wave_plots"),
    "karman.euler": ("flow_file", "FlowFile", "flow_plots"),
    "karman.euler_polar": ("polar_file", "PolarFile", "polar_plots"),
    "karman.turbulence": ("turbulence_file", "TurbulenceFile", "turbulence_plots"),
    "karman.wind_series": ("series_file", "SeriesFile", "series_plots"),
    "karman.wind_sweep": ("sweep_file", "SweepFile", "sweep_plots"),
}
"""Modules of the reader and of the pictures by format. They are loaded when a file needs them, which takes time."""
STUDY = ("study_file", "StudyFile", "study_plots")
"""Of a table study.csv, and the members beside it."""
WIND = ("wind_file", "WindFile", "wind_plots")
"""Of files without a known format: the reader names what they lack."""


def load(module):
    return importlib.import_module(f".{module}", __package__)


READERS = "_file.py"
"""End of the names of the modules that read files."""
FAULT = 1


def is_from_reading(error):
    """True for an error of h5py or of a reader that contents of a file explain: no check has foreseen them."""
    if not isinstance(error, (*DAMAGES, IndexError, ArithmeticError)):
        return False
    if isinstance(error, AttributeError):
        found = getattr(error, "obj", None)
        if isinstance(found, types.ModuleType) or type(found).__module__.split(".")[0] not in ("h5py", "numpy", "builtins"):
            return False
    places = [Path(place.filename) for place in traceback.extract_tb(error.__traceback__)]
    return any(place.name.endswith(READERS) or "h5py" in place.parts for place in places)


def line_of(error):
    """Kind, words and place of an error."""
    place = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__}: {' '.join(str(error).split())[:200]} ({Path(place.filename).name}, line {place.lineno})"


def main(arguments):
    options, folder = parse(arguments), None
    warnings.simplefilter("ignore")  # of numbers that are not finite: an error has one line
    try:
        place = options.output or options.file.resolve().parent / "pictures"
        is_table = options.file.suffix == ".csv"
        reader, name, pictures = STUDY if is_table else KINDS.get(format_of(options.file), WIND)
        load("style")  # before the first class of matplotlib
        with getattr(load(reader), name)(options.file) as file:
            folder = Folder(place)
            drawer = load(pictures)
            drawer.draw_all(file, options, folder)
            found = drawer.facts(file) if hasattr(drawer, "facts") else file.attributes()
            write_manifest(found, file.table("/history"), folder)
        for picture in folder.pictures:
            print(folder.path / picture["file"])
        return 0
    except PlotError as error:
        print(f"plot: {error}", file=sys.stderr)
        return error.exit_code
    except OSError as error:
        if folder is not None and folder.places and error.errno in NO_ROOM:
            folder.withdraw()
            print(f"plot: {folder.places[-1]}: {error.strerror}; the pictures of this run are removed", file=sys.stderr)
            return 4
        print(f"plot: {error.filename or options.file}: {error.strerror or error}", file=sys.stderr)
        return 4
    except Exception as error:  # noqa: BLE001  (told apart below)
        if folder is not None:
            folder.withdraw()
        if is_from_reading(error):
            print(f"plot: {options.file}: damaged, or not as this version of Karman writes it: {line_of(error)}", file=sys.stderr)
            return PlotError.exit_code
        traceback.print_exc()
        print(f"plot: a fault of this program, not of {options.file}: {line_of(error)}", file=sys.stderr)
        return FAULT
