# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The command line of tools/plot and the list of pictures."""

import argparse
import errno
import json
import sys
import traceback
import warnings
from pathlib import Path

import numpy as np

from . import animation, compare_plots, field_file, field_plots, flow_file, flow_plots, history, overview, sections
from . import series_file, series_plots, sweep_file, sweep_plots, time_plots, turbulence_file, turbulence_plots, wave_file, wave_plots
from . import wind_samples
from .output_file import PlotError, PlotFileError
from .wind_file import WindFile

MANIFEST = "pictures.json"
NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
"""Errors of a full disk, a spent quota and a file limit; they name no file."""


def parse(arguments):
    parser = argparse.ArgumentParser(
        prog="plot", description="Draws all outputs of a Karman HDF5 file to PNG, and records over time or iterations to an animated GIF.",
        epilog="Exit codes: 0 done, 2 nothing to draw or wrong usage, 4 a file cannot be read or written.")
    parser.add_argument("file", type=Path, help="output file of `karman wind`, `karman poisson`, `karman waves`, `karman euler` or "
                        "`karman turbulence`")
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


def typical_height(wind):
    heights = [b.height for b in wind.buildings()]
    return float(np.median(heights)) / 2 if heights else min(10.0, 0.25 * float(wind.z[-1] - wind.z[0]))


def draw_all(wind, options, folder):
    """Every picture that the file has data for."""
    plan = sections.horizontal(wind, options.height if options.height is not None else typical_height(wind))
    upright = sections.vertical(wind, options.y if options.y is not None else 0.5 * float(wind.y[0] + wind.y[-1]))
    width = options.width
    if wind.has_velocity():
        ground = sections.horizontal(wind, 2.0)
        overview.draw(wind, ground, width, folder.place("overview.png"))
        folder.add("overview.png", "The wind near the ground", f"Buildings and the wind {ground.words}.", "hero")
        sections.draw_speed(wind, plan, width, folder.place("speed_horizontal.png"), "Wind speed from above")
        folder.add("speed_horizontal.png", "From above", f"Wind speed and streamlines, {plan.words}.", "wind")
        sections.draw_speed(wind, upright, width, folder.place("speed_vertical.png"), "Wind speed from the side")
        folder.add("speed_vertical.png", "From the side", f"Wind speed and streamlines, {upright.words}.", "wind")
    if wind.has("/pedestrian"):
        wind_samples.draw_pedestrian(wind, width, folder)
    wind_samples.draw_probes(wind, width, folder)
    if wind.has("/cells/flag"):
        sections.draw_flags(wind, plan, width, folder.place("zones.png"))
        folder.add("zones.png", "Zones", "Where the first guess is not the open profile: cavities and wakes after Röckle.", "solver")
    if wind.has("/cells/lambda"):
        sections.draw_lambda(wind, plan, width, folder.place("lambda_horizontal.png"))
        folder.add("lambda_horizontal.png", "Lagrange multiplier from above", "The solver adds its gradient to the initial field.", "solver")
        sections.draw_lambda(wind, upright, width, folder.place("lambda_vertical.png"))
        folder.add("lambda_vertical.png", "Lagrange multiplier from the side", f"{upright.words.capitalize()}.", "solver")
    if wind.has("/cells/divergence_before") or wind.has("/cells/divergence_after"):
        sections.draw_divergence(wind, plan, width, folder.place("divergence.png"))
        folder.add("divergence.png", "Divergence", "Divergence of the initial field, and of the result.", "solver")
    table = wind.table("/history")
    if np.count_nonzero(table.get("relative_divergence", np.zeros(0)) > 0) > 1:
        history.draw(wind, width, folder.place("convergence.png"))
        folder.add("convergence.png", "Convergence", "Relative divergence at every check of the solver.", "convergence")
    if wind.watched() is not None:
        viewer = animation.Viewer(wind)
        if viewer.usable:
            viewer.strip(width, folder.place("iteration.png"))
            folder.add("iteration.png", "The iteration in six steps", "The multiplier while the solver runs.", "iteration")
            if options.animation:
                viewer.animate(folder.place("iteration.gif"))
                folder.add("iteration.gif", "The iteration", "The multiplier spreads from the buildings through the domain.", "iteration")
    if not folder.pictures:
        raise PlotError(f"{wind.path}: no output to draw")


def plain(value):
    return value.tolist() if isinstance(value, (np.generic, np.ndarray)) else value


def facts(wind):
    """Facts of the run for the page."""
    names = ("title", "karman_version", "commit", "kokkos_version", "compiler", "backend", "device", "precision", "converged",
             "iterations", "relative_divergence", "initial_divergence", "omega", "cells")
    found = {name: plain(wind.attribute(name)) for name in names if wind.attribute(name) is not None}
    timings = {name: plain(value) for name, value in wind.attributes("/timings").items()}
    found["buildings"] = len(wind.buildings())
    found["size"] = [float(faces[-1] - faces[0]) for faces in (wind.x, wind.y, wind.z)]
    return {**found, "timings": timings}


def write_manifest(found, table, folder):
    columns = {name: [float(v) for v in values] for name, values in table.items()}
    text = json.dumps({"facts": found, "history": columns, "pictures": folder.pictures}, indent=1)
    folder.places.append(folder.path / MANIFEST)
    folder.places[-1].write_text(text + "\n", encoding="utf-8")


DRAWERS = {"karman.poisson": field_plots.draw_all, "karman.poisson.compare": compare_plots.draw_all,
           "karman.column_diffusion": time_plots.draw_all, "karman.heat": time_plots.draw_all}


def unforeseen(error, path):
    """One line for an error that no check has foreseen: in most cases, the file is damaged."""
    place = traceback.extract_tb(error.__traceback__)[-1]
    words = " ".join(str(error).split())[:200]
    return (f"{path}: damaged, or not as this version of Karman writes it: {type(error).__name__}: {words} "
            f"({Path(place.filename).name}, line {place.lineno})")


def main(arguments):
    options, folder = parse(arguments), None
    warnings.simplefilter("ignore")  # of numbers that are not finite: an error has one line
    try:
        place = options.output or options.file.resolve().parent / "pictures"
        kind = field_file.format_of(options.file)
        if kind in field_file.FORMATS:
            with field_file.FieldFile(options.file) as fields:
                folder = Folder(place)
                DRAWERS[kind](fields, options, folder)
                found = {name: plain(value) for name, value in fields.attributes().items()}
                write_manifest(found, fields.table("/history"), folder)
        elif kind == wave_file.FORMAT:
            with wave_file.WaveFile(options.file) as waves:
                folder = Folder(place)
                wave_plots.draw_all(waves, options, folder)
                found = {name: plain(value) for name, value in waves.attributes().items()}
                write_manifest(found, waves.table("/history"), folder)
        elif kind == flow_file.FORMAT:
            with flow_file.FlowFile(options.file) as flow:
                folder = Folder(place)
                flow_plots.draw_all(flow, options, folder)
                found = {name: plain(value) for name, value in flow.attributes().items()}
                write_manifest(found, flow.table("/history"), folder)
        elif kind == turbulence_file.FORMAT:
            with turbulence_file.TurbulenceFile(options.file) as flow:
                folder = Folder(place)
                turbulence_plots.draw_all(flow, options, folder)
                found = {name: plain(value) for name, value in flow.attributes().items()}
                write_manifest(found, flow.table("/history"), folder)
        elif kind == series_file.FORMAT:
            with series_file.SeriesFile(options.file) as series:
                folder = Folder(place)
                series_plots.draw_all(series, options, folder)
                found = {name: plain(value) for name, value in series.attributes().items()}
                write_manifest(found, {}, folder)
        elif kind == sweep_file.FORMAT:
            with sweep_file.SweepFile(options.file) as sweep:
                folder = Folder(place)
                sweep_plots.draw_all(sweep, options, folder)
                found = {name: plain(value) for name, value in sweep.attributes().items()}
                write_manifest(found, {}, folder)
        else:
            with WindFile(options.file) as wind:
                folder = Folder(place)
                draw_all(wind, options, folder)
                write_manifest(facts(wind), wind.table("/history"), folder)
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
    except Exception as error:  # noqa: BLE001  (a damaged file may break any step)
        print(f"plot: {unforeseen(error, options.file)}", file=sys.stderr)
        return PlotError.exit_code
