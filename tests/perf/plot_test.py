# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""tools/plot and the page with pictures, on a small synthetic file."""

import contextlib
import io
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest
import warnings
from pathlib import Path
from unittest import mock

import h5py
import numpy as np
from PIL import Image

import synthetic_wind

ROOT = Path(__file__).resolve().parents[2]
SHAPE = (8, 14, 22)
KARMAN = None

WIND_CASE = {
    "domain": {"origin": [0, 0], "cells": [24, 20], "spacing": [10, 10],
               "layers": {"kind": "stretched", "count": 8, "thickness": 3, "ratio": 1.1, "uniform_layers": 4}},
    "buildings": [{"kind": "block", "position": [80, 90], "size": [30, 30, 12]}],
    "wind": {"direction": 270, "profile": {"kind": "log", "speed": 5, "height": 10, "roughness": 0.1}},
    "solver": {"method": "mg_pcg"},
}
SENSORS = [{"name": name, "position": [x, 40], "direction": 270, "profile": WIND_CASE["wind"]["profile"]}
           for name, x in (("west", 20), ("east", 200))]


def plot(*arguments):
    return subprocess.run([sys.executable, str(ROOT / "tools" / "plot"), *map(str, arguments)], capture_output=True, text=True,
                          check=False)


class Sweep(unittest.TestCase):
    """Pictures of a wind rose: two directions over 6 x 8 cells with one building."""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = Path(self.folder.name) / "sweep.h5"

    def write(self, comfort):
        ratio = np.linspace(0.2, 0.9, 2 * 6 * 8).reshape(2, 6, 8)
        ratio[:, 2:4, 3:5] = np.nan
        row = [("direction", "f8"), ("frequency", "f8"), ("scale", "f8"), ("shape", "f8")]
        with h5py.File(self.path, "w") as file:
            file.attrs["format"] = "karman.wind_sweep"
            file.attrs["height"], file.attrs["reference_height"] = 1.75, 10.0
            file["grid/x"], file["grid/y"] = np.arange(9.0), np.arange(7.0)
            file["directions"] = np.array([(270, 0.6, 5, 2), (30, 0.3, 4, 1.8)], dtype=row)
            file["speed_ratio"] = ratio.astype("f4")
            for name in ("lawson", "nen8100", "danger") if comfort else ():
                classes = np.arange(48).reshape(6, 8) % 3
                file[f"comfort/{name}"] = np.where(np.isnan(ratio[0]), 255, classes).astype("u1")

    def test_draws_classes_rose_and_directions(self):
        self.write(comfort=True)
        done = plot(self.path)
        self.assertEqual(done.returncode, 0, done.stderr)
        drawn = {Path(line).name for line in done.stdout.split()}
        self.assertEqual(drawn, {"comfort.png", "nen8100.png", "danger.png", "rose.png", "direction_000.png", "direction_001.png"})
        with Image.open(self.path.parent / "pictures" / "comfort.png") as picture:
            self.assertEqual(picture.size[0], 1600)
            self.assertGreater(len(set(picture.convert("RGB").getdata())), 5, "classes, building, letters")

    def test_maps_leave_the_open_field_out(self):
        sys.path.insert(0, str(ROOT / "tools"))
        from plot_lib import style  # the path is known only here
        x, y = np.arange(0.0, 101), np.arange(0.0, 81)
        speed = np.full((80, 100), 2.0)
        self.assertEqual(style.view_of(x, y, style.disturbed(speed)), (0, 100, 0, 80), "nothing to show")
        speed[:, 70:] = 2.1  # less than a tenth
        speed[30:40, 40:50] = np.nan
        speed[32:38, 50:60] = 1.0  # the wake
        self.assertEqual(style.view_of(x, y, style.disturbed(speed)), (38, 62, 28, 42))
        tree = [[(10.0, 35.0), (20.0, 35.0), (15.0, 38.0)]]
        self.assertEqual(style.view_of(x, y, style.disturbed(speed), [tree]), (5, 65, 25, 45), "plants are shown")
        speed[0, 0] = 5.0
        self.assertEqual(style.view_of(x, y, style.disturbed(speed)), (0, 66, 0, 46), "room within the domain alone")
        self.assertTrue(style.disturbed(np.full((3, 3), np.nan)).all())

    def test_maps_show_all_disturbed_wind_in_whole_metres(self):
        self.write(comfort=False)
        sys.path.insert(0, str(ROOT / "tools"))
        from plot_lib import style, sweep_plots
        from plot_lib.sweep_file import SweepFile
        sweep = SweepFile(self.path)
        self.assertEqual(sweep_plots.extent(sweep), (0, 8, 0, 6))
        panels = style.Panels(900, (500000, 500300, 3926000, 3926300))
        style.label_metres(panels.axes[0], ("x (m)", "y (m)"))
        panels.compass(270)
        panels.title("Title " * 60, "words")
        panels.figure.canvas.draw()
        axes = panels.axes[0]
        self.assertEqual([tick.get_text() for tick in axes.get_xticklabels()], ["0", "50", "100", "150", "200", "250", "300"])
        self.assertEqual(axes.get_ylabel(), "y \u2212 3\u202f926\u202f000 (m)")
        self.assertEqual(axes.yaxis.get_offset_text().get_text(), "")
        right = panels.figure.texts[0].get_window_extent(panels.figure.canvas.get_renderer()).x1
        self.assertLessEqual(right, 900, "the title is not cut")
        # Light is calm and dark is windy, for speeds as for classes.
        for colours in (style.WIND([0.0, 1.0])[:, :3].sum(axis=1), [sum(bytes.fromhex(sweep_plots.CLASS_COLOURS[n][1:])) for n in (0, -1)]):
            self.assertGreater(colours[0], colours[1])

    def test_without_statistics_there_are_directions_alone(self):
        self.write(comfort=False)
        done = plot(self.path)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual([Path(line).name for line in done.stdout.split()], ["direction_000.png", "direction_001.png"])

    def test_refuses_maps_that_do_not_fit(self):
        self.write(comfort=True)
        with h5py.File(self.path, "a") as file:
            del file["speed_ratio"]
            file["speed_ratio"] = np.zeros((2, 5, 8))
        done = plot(self.path)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertEqual(len(done.stderr.strip().splitlines()), 1, done.stderr)
        self.assertIn("expected (2, 6, 8)", done.stderr)


class Series(unittest.TestCase):
    """Pictures of a series of readings: two times over 6 x 8 cells with one building."""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = Path(self.folder.name) / "series.h5"
        speed = np.linspace(0.2, 4, 2 * 6 * 8).reshape(2, 6, 8)
        speed[:, 2:4, 3:5] = np.nan
        with h5py.File(self.path, "w") as file:
            file.attrs["format"] = "karman.wind_series"
            file.attrs["height"] = 1.75
            file["grid/x"], file["grid/y"] = np.arange(9.0), np.arange(7.0)
            file["times"] = np.array([(0, 4, 270), (2.5, 5, 30)], dtype=[(name, "f8") for name in ("time", "speed", "direction")])
            file["readings"] = np.array([[[4, 270], [5, 265]], [[5, 30], [6, 28]]], dtype="f8")
            file["readings"].attrs["names"] = "town\nquay"
            file["speed"] = speed.astype("f4")
            file["probes/square/velocity"] = np.ones((2, 1, 3), dtype="f4")
            file["probes/street/velocity"] = np.ones((2, 7, 3), dtype="f4")

    def test_draws_every_time_and_the_history(self):
        done = plot(self.path)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual([Path(line).name for line in done.stdout.split()], ["history.png", "time_0000.png", "time_0001.png"])
        with Image.open(self.path.parent / "pictures" / "history.png") as picture:
            self.assertEqual(picture.size[0], 1600)

    def test_a_calm_has_no_direction_and_time_has_its_start(self):
        sys.path.insert(0, str(ROOT / "tools"))
        from plot_lib import series_plots, style
        from plot_lib.series_file import SeriesFile
        figures = []

        def axes_of(path):
            with mock.patch.object(style, "save", lambda figure, _: figures.append(figure)):
                series_plots.draw_history(SeriesFile(path), 800, "history.png")
            return figures[-1].axes[1]

        self.assertEqual(axes_of(self.path).get_xlabel(), "time (h)")
        with h5py.File(self.path, "a") as file:
            file["readings"][1, 0] = 0, 270
            file["time"] = [0, 2.5]
            file["time"].attrs["units"] = "hours since 2026-03-01T12:30:00Z"
        axes = axes_of(self.path)
        self.assertEqual(axes.get_xlabel(), "hours since 2026-03-01 12:30 UTC")
        town, quay = (line.get_ydata() for line in axes.get_lines())
        np.testing.assert_array_equal(town, [270, np.nan])
        np.testing.assert_array_equal(quay, [265, 28])

    def test_refuses_maps_that_do_not_fit(self):
        with h5py.File(self.path, "a") as file:
            del file["speed"]
            file["speed"] = np.zeros((2, 5, 8))
        done = plot(self.path)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertEqual(len(done.stderr.strip().splitlines()), 1, done.stderr)
        self.assertIn("expected (2, 6, 8)", done.stderr)


class Program(unittest.TestCase):
    """Pictures of the files that the program writes."""

    def drawn(self, file, more):
        """Names of the pictures of a small case with these further keys."""
        if KARMAN is None:
            self.skipTest("no program given")
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        case = Path(folder.name) / "case.json"
        case.write_text(json.dumps({**WIND_CASE, **more}))
        done = subprocess.run([KARMAN, "wind", case, "--output", Path(folder.name) / "run"], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        done = plot(Path(folder.name) / "run" / file, "--width", "800")
        self.assertEqual(done.returncode, 0, done.stderr)
        return [Path(line).name for line in done.stdout.split()]

    def test_what_the_program_writes_of_a_rose(self):
        sectors = [{"direction": direction, "frequency": 0.4, "scale": 6, "shape": 2} for direction in (270, 30)]
        rose = {"kind": "weibull", "reference_height": 10, "sectors": sectors}
        names = ["comfort.png", "nen8100.png", "danger.png", "rose.png", "direction_000.png", "direction_001.png"]
        self.assertEqual(self.drawn("sweep.h5", {"sweep": {"height": 3, "rose": rose}}), names)

    def test_what_the_program_writes_of_a_series(self):
        times = [{"time": time, "readings": [[5 + time, 270], [4, 280]]} for time in (0, 1)]
        more = {"wind": {"sensors": SENSORS}, "series": {"height": 3, "times": times}}
        self.assertEqual(self.drawn("series.h5", more), ["history.png", "time_0000.png", "time_0001.png"])


class Plot(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = Path(self.folder.name) / "wind.h5"
        self.pictures = Path(self.folder.name) / "pictures"

    def write(self, **options):
        synthetic_wind.write(self.path, shape=SHAPE, spacing=15.0, **options)

    def refused(self, done, code, *words):
        self.assertEqual(done.returncode, code, done.stderr)
        self.assertEqual(len(done.stderr.strip().splitlines()), 1, done.stderr)
        for word in words:
            self.assertIn(word, done.stderr)

    def test_a_full_disk_is_named_with_its_picture(self):
        self.write()
        script = "import resource, sys; resource.setrlimit(resource.RLIMIT_FSIZE, (40000, 40000)); " \
                 "import signal; signal.signal(signal.SIGXFSZ, signal.SIG_IGN); " \
                 "sys.path.insert(0, sys.argv[1]); from plot_lib.command import main; sys.exit(main(sys.argv[2:]))"
        done = subprocess.run([sys.executable, "-B", "-c", script, ROOT / "tools", self.path], capture_output=True, text=True, check=False)
        self.refused(done, 4, str(self.pictures / "overview.png"), "too large", "removed")
        self.assertEqual(list(self.pictures.iterdir()), [])
        self.assertTrue(self.path.exists())
        self.assertEqual(plot(self.path, "--no-animation").returncode, 0, "nothing is left that another run would refuse")

    def divide(self, processes):
        """Moves the fields to files of so many processes, as their run writes them. Returns the names of the fields."""
        fields = []
        with h5py.File(self.path, "a") as file:
            for group in ("cells", "faces"):
                fields += [f"/{group}/{name}" for name in file.get(group, ())]
            file.attrs.update({"parts": processes, "parts_id": "7", "parts_prefix": "wind.part-1-", "parts_suffix": ".h5"})
            for name in fields:
                values, attributes = file[name][...], dict(file[name].attrs)
                layout = h5py.VirtualLayout(values.shape, values.dtype)
                for rank, rows in enumerate(np.array_split(np.arange(values.shape[1]), processes)):
                    part = f"wind.part-1-{rank:04}.h5"
                    box = np.s_[:, rows[0]:rows[-1] + 1]
                    with h5py.File(self.path.with_name(part), "a") as own:
                        own[name] = values[box]
                        own.attrs.update({"part": rank, "part_of": "7"})
                    layout[box] = h5py.VirtualSource(part, name, values[box].shape)
                del file[name]
                file.create_virtual_dataset(name, layout)
                for key, value in attributes.items():
                    if key != "DIMENSION_LIST":
                        file[name].attrs[key] = value
        return fields

    def test_fields_of_several_processes_have_the_pictures_of_one(self):
        self.write()
        self.assertEqual(plot(self.path).returncode, 0)
        one = {path.name: path.read_bytes() for path in self.pictures.iterdir()}
        self.assertIn("/cells/velocity", self.divide(3))
        done = plot(self.path, "--output", Path(self.folder.name) / "of_3")
        self.assertEqual(done.returncode, 0, done.stderr)
        several = {path.name: path.read_bytes() for path in (Path(self.folder.name) / "of_3").iterdir()}
        self.assertEqual(sorted(several), sorted(one))
        self.assertEqual([name for name in one if name.endswith(".png") and one[name] != several[name]], [])

    def test_parts_that_are_missing_or_of_another_file_are_named(self):
        self.write()
        self.divide(3)
        part = self.path.with_name("wind.part-1-0001.h5")
        with h5py.File(part, "a") as own:
            own.attrs["part_of"] = "8"
        self.refused(plot(self.path), 2, part.name, "belongs to another file")
        part.unlink()
        self.refused(plot(self.path), 4, part.name, "cannot read its part")

    def test_no_mean_wind_lies_on_its_words(self):
        self.write()
        sys.path.insert(0, str(ROOT / "tools"))
        from plot_lib import overview, sections, style  # the path is known only here
        from plot_lib.wind_file import WindFile
        for degrees in range(0, 360, 30):
            wind = 3 * np.array([np.cos(np.radians(degrees)), np.sin(np.radians(degrees)), 0.0])
            with h5py.File(self.path, "a") as file:
                file["cells/velocity"][...] = wind
            figures = []
            with WindFile(self.path) as file, mock.patch.object(style, "save", lambda figure, _: figures.append(figure)):
                overview.draw(file, sections.horizontal(file, 2.0), 900, "overview.png")
            figure = figures[0]
            renderer = figure.canvas.get_renderer()
            figure.draw(renderer)
            texts = figure.axes[0].texts
            words = next(text for text in texts if text.get_text() == "mean wind").get_window_extent(renderer)
            arrows = [text.arrow_patch.get_window_extent(renderer) for text in texts if getattr(text, "arrow_patch", None)]
            self.assertEqual(len(arrows), 2, "wind and north")
            for arrow in arrows:
                self.assertFalse(words.overlaps(arrow), f"{degrees} degrees")

    def test_draws_polygons_with_courts(self):
        self.write()
        with h5py.File(self.path, "a") as file:
            rows = len(file["buildings"])
            rings, building = [], []
            for row in range(rows):
                x, y, length, width = (float(file["buildings"][row][name]) for name in ("x", "y", "length", "width"))
                outline = [(x - length / 2, y - width / 2), (x + length / 2, y - width / 2), (x, y + width / 2)]
                rings.append(outline)
                building.append(row)
                if row % 2 == 0:
                    rings.append([(x + 0.3 * (px - x), y + 0.3 * (py - y)) for px, py in reversed(outline)])
                    building.append(row)
            file["footprints/corners"] = [corner for ring in rings for corner in ring]
            file["footprints/starts"] = [3 * n for n in range(len(rings) + 1)]
            file["footprints/building"] = building
        done = plot(self.path)
        self.assertEqual(done.returncode, 0, done.stderr)
        polygons = (self.pictures / "overview.png").read_bytes()
        with h5py.File(self.path, "a") as file:
            del file["footprints"]
        self.assertEqual(plot(self.path).returncode, 0)
        self.assertNotEqual(polygons, (self.pictures / "overview.png").read_bytes(), "the outlines are drawn")

    def test_pictures_of_the_wind_share_their_arrows_and_colours(self):
        self.write(frames=0)
        sys.path.insert(0, str(ROOT / "tools"))
        from plot_lib import overview, sections, style
        from plot_lib.wind_file import WindFile
        wind = WindFile(self.path)
        plan = sections.horizontal(wind, 5.0)
        figures = {}

        def keep(figure, path):
            figures[path] = figure

        with mock.patch.object(style, "save", keep):
            overview.draw(wind, plan, 800, "overview")
            sections.draw_speed(wind, plan, 800, "plan", "From above")
            sections.draw_speed(wind, sections.vertical(wind, 0.0), 800, "side", "From the side")
            sections.draw_flags(wind, plan, 800, "zones")
        for name in ("overview", "plan", "side"):
            maps = [c.cmap(c.norm([c.norm.vmin, c.norm.vmax]))[:, :3].sum(axis=1) for axes in figures[name].axes
                    for c in axes.collections if c.cmap.N == 256 and c.get_array() is not None]
            self.assertTrue(maps, name)
            self.assertTrue(all(calm > windy for calm, windy in maps), f"{name}: light is calm and dark is windy")
        for name in ("overview", "plan", "zones"):
            texts = [text.get_text() for axes in figures[name].axes for text in axes.texts]
            self.assertEqual(texts.count("N"), 1, name)
        self.assertEqual(style.metres(12.25), "12.25 m")
        self.assertEqual(style.metres(5934012.4), "5934012 m")
        wind.y = wind.y + 5934000.0
        self.assertRegex(sections.vertical(wind, 5934000.0).words, r"^vertical section at y = 59\d{5} m$")

    def test_plans_leave_the_open_field_out(self):
        self.write(frames=0)
        sys.path.insert(0, str(ROOT / "tools"))
        from plot_lib import sections
        from plot_lib.wind_file import WindFile
        with WindFile(self.path) as wind:
            plan = sections.horizontal(wind, 5.0)
            near = sections.near_buildings(wind, plan)
            rows, columns = near.index["j"], near.index["i"]
            self.assertLess((rows.stop - rows.start) * (columns.stop - columns.start), 0.9 * wind.shape[1] * wind.shape[2])
            self.assertTrue(np.array_equal(wind.flags(**near.index), wind.flags(**plan.index)[rows, columns]))
            self.assertTrue(np.array_equal(near.first, wind.x[columns.start:columns.stop + 1]))
            whole = wind.velocity(**plan.index)
            self.assertTrue(np.array_equal(wind.velocity(**near.index), whole[rows, columns]))
            outside = np.ones(whole.shape[:2], dtype=bool)
            outside[rows, columns] = False
            self.assertFalse(np.any(sections.solid_mask(wind, plan) & outside), "every building is shown")
        with h5py.File(self.path, "a") as file:
            del file["cells/velocity"]
        with WindFile(self.path) as wind:
            self.assertTrue(np.allclose(wind.velocity(**near.index), wind.velocity(**plan.index)[rows, columns]), "from the faces")

    def test_paints_what_stands_on_another_after_it(self):
        sys.path.insert(0, str(ROOT / "tools"))
        from plot_lib.overview import painting_order
        from plot_lib.wind_file import Building
        low, high = Building(0, 0, 20, 20, 5, 0, 0), Building(0, 8, 4, 4, 5, 0, 5)
        top, far = Building(0, 8, 2, 2, 5, 0, 10), Building(0, 50, 20, 20, 30, 0, 0)
        self.assertEqual(painting_order([top, high, far, low]), [far, low, high, top])

    def test_refuses_footprints_that_lead_out_of_their_list(self):
        for corners, starts, building in (([[0.0, 0.0]] * 3, [0, 4], [0]), ([[0.0, 0.0]] * 3, [0, 3], [99]),
                                          ([[0.0, float("nan")]] * 3, [0, 3], [0]), ([[0.0, 0.0]] * 2, [0, 2], [0])):
            self.write()
            with h5py.File(self.path, "a") as file:
                file["footprints/corners"], file["footprints/starts"] = corners, starts
                file["footprints/building"] = building
            self.refused(plot(self.path), 2, "/footprints")

    def test_draws_every_output(self):
        self.write(frames=4)
        done = plot(self.path)
        self.assertEqual(done.returncode, 0, done.stderr)
        manifest = json.loads((self.pictures / "pictures.json").read_text())
        names = {picture["file"] for picture in manifest["pictures"]}
        self.assertEqual(names, {"overview.png", "speed_horizontal.png", "speed_vertical.png", "zones.png", "lambda_horizontal.png",
                                 "lambda_vertical.png", "divergence.png", "convergence.png", "iteration.png", "iteration.gif"})
        for name in names:
            with Image.open(self.pictures / name) as picture:
                self.assertEqual(picture.format, "GIF" if name.endswith("gif") else "PNG")
                self.assertGreater(len(set(picture.convert("RGB").resize((40, 40)).getdata())), 20, f"{name} is blank")
                if name in ("overview.png", "speed_horizontal.png", "divergence.png"):
                    self.assertEqual(picture.width, 1600)
        with Image.open(self.pictures / "iteration.gif") as animation:
            self.assertEqual(animation.n_frames, 4)
        self.assertEqual(manifest["facts"]["iterations"], 240)
        self.assertEqual(manifest["facts"]["buildings"], 9)
        self.assertEqual(len(manifest["history"]["iteration"]), 13)

        again = plot(self.path, "--width", "600")
        self.assertEqual(again.returncode, 0, "its own pictures may be replaced: " + again.stderr)

        page = Path(self.folder.name) / "index.html"
        report = subprocess.run([sys.executable, str(ROOT / "perf" / "report.py"), "--wind", self.folder.name, "--output", str(page)],
                                capture_output=True, text=True, check=False)
        self.assertEqual(report.returncode, 0, report.stderr)
        made = page.read_text(encoding="utf-8")
        self.assertEqual(re.findall(r'(?:src|href)="(?!data:)', made), [])
        self.assertEqual(made.count("data:image/"), 8)
        for word in ("Nine blocks in a row", "8.3e-06", "converged", '<svg class="chart"'):
            self.assertIn(word, made)

    def test_draws_pedestrian_maps_and_probes(self):
        self.write(frames=0)
        synthetic_wind.add_samples(self.path)
        done = plot(self.path, "--width", "600")
        self.assertEqual(done.returncode, 0, done.stderr)
        for name in ("pedestrian_speed", "pedestrian_speed_up", "probe_profiles", "probe_components", "probe_lines", "probe_section"):
            with Image.open(self.pictures / f"{name}.png") as picture:
                self.assertGreater(len(set(picture.convert("RGB").resize((40, 40)).getdata())), 20, f"{name} is blank")
        with h5py.File(self.path, "a") as file:
            del file["probes/tower/speed"]
            file["probes/tower/speed"] = [1.0]
        self.refused(plot(self.path), 2, "/probes/tower/speed", "8 positions")
        with h5py.File(self.path, "a") as file:
            del file["probes/tower"]
            del file["probes/street/velocity"]
        self.refused(plot(self.path), 2, "/probes/street/velocity", "missing")
        with h5py.File(self.path, "a") as file:
            del file["pedestrian/speed_up"]
        self.refused(plot(self.path), 2, "/pedestrian/speed_up", "missing")

    def test_shades_the_terrain(self):
        self.write(frames=0)
        synthetic_wind.add_samples(self.path)
        synthetic_wind.add_terrain(self.path)
        done = plot(self.path, "--width", "600")
        self.assertEqual(done.returncode, 0, done.stderr)
        for name in ("speed_vertical", "zones"):
            with Image.open(self.pictures / f"{name}.png") as picture:
                colours = set(picture.convert("RGB").getdata())
            self.assertIn((0xB7, 0xA9, 0x8B), colours, f"no ground in {name}")
        with Image.open(self.pictures / "overview.png") as picture:
            self.assertGreater(len(set(picture.convert("RGB").resize((40, 40)).getdata())), 20)
        with h5py.File(self.path, "a") as file:
            del file["terrain/height"]
        self.refused(plot(self.path), 2, "/terrain/height", "missing")

    def test_hatches_vegetation(self):
        self.write(frames=0)
        synthetic_wind.add_samples(self.path)
        names = ("zones", "pedestrian_speed", "speed_horizontal")

        def leaves():
            """Pixels of each picture in the colour of leaves. Plants may widen the view of a map."""
            done = plot(self.path, "--width", "600")
            self.assertEqual(done.returncode, 0, done.stderr)
            found = []
            for name in names:
                with Image.open(self.pictures / f"{name}.png") as picture:
                    pixels = np.asarray(picture.convert("RGB"), dtype=int)
                found.append(np.count_nonzero(np.abs(pixels - (0x2F, 0x7D, 0x32)).max(axis=-1) < 25))
            return found

        before = leaves()
        synthetic_wind.add_vegetation(self.path)
        for name, old, new in zip(names, before, leaves()):
            self.assertGreater(new, old + 30, f"no leaves in {name}")
        with h5py.File(self.path, "a") as file:
            del file["vegetation_footprints/plant"]
            file["vegetation_footprints/plant"] = np.array([0, 0, 2])
        self.refused(plot(self.path), 2, "/vegetation_footprints", "plants")

    def test_faces_alone_are_enough_for_the_wind(self):
        self.write(frames=0, cells=False)
        done = plot(self.path, "--width", "600")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertTrue((self.pictures / "speed_vertical.png").exists())
        self.assertFalse((self.pictures / "zones.png").exists())

    def test_replaces_nothing_that_it_did_not_draw(self):
        self.write(frames=0)
        self.pictures.mkdir()
        mine = self.pictures / "overview.png"
        mine.write_text("mine")
        self.refused(plot(self.path), 4, "overview.png", "already exists")
        self.assertEqual(mine.read_text(), "mine")

    def test_bad_input_gives_one_line(self):
        self.refused(plot(self.path), 4, "no such file")
        self.refused(plot(self.folder.name), 4, "is a folder")
        self.path.write_text("not HDF5")
        self.refused(plot(self.path), 2, "not an HDF5 file")
        with h5py.File(self.path, "w") as file:
            file.attrs["format"] = "karman.other"
        self.refused(plot(self.path), 2, "karman.other")
        self.write(frames=0)
        with h5py.File(self.path, "a") as file:
            del file["cells/lambda"]
            file["cells/lambda"] = [1.0, 2.0]
        self.refused(plot(self.path), 2, "/cells/lambda", "shape")
        with h5py.File(self.path, "a") as file:
            del file["grid/x"]
        self.refused(plot(self.path), 2, "/grid/x")
        self.write(frames=0, cells=False, faces=False)
        with h5py.File(self.path, "a") as file:
            del file["history"]
        self.refused(plot(self.path), 2, "no output to draw")


def plot_here(*arguments):
    """Exit code and standard error of tools/plot, without the start of another Python."""
    if str(ROOT / "tools") not in sys.path:
        sys.path.insert(0, str(ROOT / "tools"))
    from plot_lib.command import main
    error = io.StringIO()
    with contextlib.redirect_stderr(error), contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
        code = main([str(argument) for argument in arguments])
    return code, error.getvalue()


class Modules(unittest.TestCase):
    """Use of matplotlib in the pictures."""

    def test_leave_pyplot_out(self):
        # From matplotlib 3.11 on, a figure that pyplot has closed loses its canvas: animations could not be drawn.
        script = "import pathlib, sys; sys.path.insert(0, sys.argv[1]); import importlib; from plot_lib import style; " \
                 "[importlib.import_module(f'plot_lib.{one.stem}') for one in pathlib.Path(style.__file__).parent.glob('*.py')]; " \
                 "print('matplotlib.pyplot' in sys.modules)"
        done = subprocess.run([sys.executable, "-B", "-c", script, ROOT / "tools"], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stdout.split(), ["False"])

    def test_draw_a_figure_after_it_is_written(self):
        if str(ROOT / "tools") not in sys.path:
            sys.path.insert(0, str(ROOT / "tools"))
        from plot_lib import style
        panels = style.Panels(800, (0, 4, 0, 2))
        with tempfile.TemporaryDirectory() as folder:
            for word in ("first", "second"):
                panels.clear()
                panels.title(word)
                panels.save(Path(folder) / f"{word}.png")
                with Image.open(Path(folder) / f"{word}.png") as picture:
                    self.assertEqual(picture.size, (800, int(style.DPI * panels.height)))


class Damaged(unittest.TestCase):
    """Files of which a part is missing or wrong: one line, never a traceback."""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = Path(self.folder.name) / "file.h5"

    def refused(self, *words, path=None):
        code, error = plot_here(path or self.path)
        self.assertIn(code, (2, 4), error)
        self.assertEqual(len(error.splitlines()), 1, error)
        self.assertTrue(error.startswith("plot: "), error)
        for word in words:
            self.assertIn(word, error)
        return error

    def write_maps(self):
        """A small file whose pictures take long: most damages stop them before."""
        with h5py.File(self.path, "w") as file:
            file.attrs["format"], file.attrs["height"] = "karman.wind_series", 1.75
            file["grid/x"], file["grid/y"] = np.arange(9.0), np.arange(7.0)
            file["times"] = np.array([(0, 4, 270), (2.5, 5, 30)], dtype=[(name, "f8") for name in ("time", "speed", "direction")])
            file["readings"] = np.array([[[4, 270], [5, 265]], [[5, 30], [6, 28]]], dtype="f8")
            file["readings"].attrs["names"] = "town\nquay"
            file["speed"] = np.ones((2, 6, 8), dtype="f4")

    def test_damaged_files_that_lack_bytes(self):
        self.write_maps()
        whole = self.path.read_bytes()
        for length in range(0, len(whole) - 1, 97):
            self.path.write_bytes(whole[:length])
            self.refused("file.h5")

    def test_damaged_datasets(self):
        names = ("grid/x", "grid/y", "times", "readings", "speed")
        for name in names:
            for value in (None, "text", np.arange(3), np.full((2, 2), np.nan), h5py.Empty("f8"), {}):
                self.write_maps()
                with h5py.File(self.path, "a") as file:
                    del file[name]
                    if isinstance(value, dict):
                        file.create_group(name)
                    elif value is not None:
                        file[name] = value
                with self.subTest(name=name, value=value):
                    self.refused("file.h5")
        self.write_maps()
        with h5py.File(self.path, "a") as file:
            readings = file["readings"]
            readings.attrs["names"] = "town"
        self.refused("/readings has shape (2, 2, 2), expected (2, 1, 2)")
        self.write_maps()
        with h5py.File(self.path, "a") as file:
            file["probes"] = "text"
        self.refused("/probes is not a group")
        self.write_maps()
        with h5py.File(self.path, "a") as file:
            file["speed"][...] = np.nan
        self.refused("/speed", "no finite value")
        for value in (np.arange(3.0), b"\xff\xfe", 7):
            with h5py.File(self.path, "a") as file:
                file.attrs["format"] = value
            self.refused("file.h5")

    def test_damaged_links_open_nothing_elsewhere(self):
        os.mkfifo(self.path.parent / "pipe")
        self.refused("pipe", "a regular file", path=self.path.parent / "pipe")
        self.refused("a regular file", path="/dev/zero")
        source = h5py.VirtualSource(str(self.path.parent / "pipe"), "speed", shape=(2, 6, 8))
        layout = h5py.VirtualLayout(shape=(2, 6, 8), dtype="f4")
        layout[...] = source

        def within(name, bytes_of=1):
            """A virtual dataset of another dataset of the same file, with this many copies of it."""
            mapped = h5py.VirtualLayout(shape=(2 * bytes_of, 6, 8), dtype="f4")
            for n in range(bytes_of):
                mapped[2 * n:2 * n + 2] = h5py.VirtualSource(".", name, shape=(2, 6, 8))
            return mapped

        def virtual_of_virtual(file):
            file.create_dataset("stored", (2, 6, 8), "f4")[...] = 1.0
            file.create_virtual_dataset("first", within("stored"))
            file.create_virtual_dataset("speed", within("first"))

        def too_large(file):
            file.create_dataset("stored", (2, 6, 8), "f4")[...] = 1.0
            file.create_virtual_dataset("speed", within("stored", 3))

        for make, word in ((lambda file: file.create_virtual_dataset("speed", layout), "virtual"),
                           (lambda file: file.create_virtual_dataset("speed", within("/none")), "virtual"),
                           (virtual_of_virtual, "virtual"), (too_large, "incomplete"),
                           (lambda file: file.create_dataset("speed", (2, 6, 8), "f4", external=[("none.raw", 0, 384)]), "external"),
                           (lambda file: file.__setitem__("speed", h5py.ExternalLink("pipe", "/speed")), "external"),
                           (lambda file: file.create_dataset("speed", (2, 6, 8), "f4", chunks=(1024, 1024, 512), maxshape=(None,) * 3),
                            "chunks")):
            self.write_maps()
            with h5py.File(self.path, "a") as file:
                del file["speed"]
                make(file)
            self.refused("/speed", word)

    def test_damaged_claims_of_more_data_than_the_file(self):
        self.write_maps()
        with h5py.File(self.path, "a") as file:
            del file["speed"]
            file.create_dataset("speed", (2, 6, 8), "f4", chunks=(1, 6, 8))  # without any chunk
        self.refused("/speed", "incomplete")

    def test_a_fault_of_the_program_is_not_called_damaged(self):
        self.write_maps()
        self.path.with_suffix(".none").touch()
        self.refused(path=self.path.with_suffix(".none"))  # sets the path of the modules
        from plot_lib import series_plots
        from plot_lib.series_file import SeriesFile

        def of_attribute(*_):
            return sys.no_such_name  # as where a new version of a library lacks a name

        def of_error(kind):
            def fail(*_):
                raise kind("words")
            return fail

        # The place of an error is that of the code that raised it: here, of a reader.
        reader = {"sys": sys}
        exec(compile("def lacking(*_): return sys.no_such_name", "series_file.py", "exec"), reader)
        kinds = (AttributeError, KeyError, IndexError, ValueError, TypeError, NotImplementedError)
        faults = [(series_plots, "draw_winds", fail) for fail in (of_attribute, *map(of_error, kinds))]
        for owner, name, fail in [*faults, (SeriesFile, "readings", reader["lacking"])]:
            with self.subTest(name=name), mock.patch.object(owner, name, fail):
                code, error = plot_here(self.path)
                self.assertEqual(code, 1, error)
                self.assertTrue(error.startswith("Traceback"), error)
                last = error.splitlines()[-1]
                self.assertIn(f"plot: a fault of this program, not of {self.path}: ", last)
                self.assertRegex(last, r"\((plot_test|series_file)\.py, line \d+\)$")
                self.assertNotIn("damaged", error)


if __name__ == "__main__":
    if len(sys.argv) > 1 and Path(sys.argv[1]).is_file():
        KARMAN = sys.argv.pop(1)
    unittest.main()
