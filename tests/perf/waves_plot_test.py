# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""tools/plot on small synthetic outputs of karman waves."""

import json
import subprocess
import sys
import tempfile
import unittest
import unittest.mock
from pathlib import Path

import h5py
import numpy as np
from PIL import Image

ROOT = Path(__file__).resolve().parents[2]
CASE = {
    "boundaries": {"sea": {"kind": "incident"}, "others": {"kind": "reflecting", "reflection": 0.1}},
    "sections": [{"name": "along", "reference": {"amplification": 1.4, "label": "theory"}},
                 {"name": "across", "measured": {"label": "measured", "points": [[20, 1.1], [120, 0.9]]}}],
}


def plot(*arguments):
    return subprocess.run([sys.executable, str(ROOT / "tools" / "plot"), *map(str, arguments)], capture_output=True, text=True,
                          check=False)


def mesh(columns=24, rows=16):
    """Nodes, triangles and boundary edges of a rectangle; the west is label 1, the rest 2."""
    x, y = np.meshgrid(np.linspace(0, 300, columns + 1), np.linspace(0, 200, rows + 1))
    number = np.arange(x.size).reshape(x.shape)
    a, b, c, d = number[:-1, :-1].ravel(), number[:-1, 1:].ravel(), number[1:, 1:].ravel(), number[1:, :-1].ravel()
    triangles = np.concatenate([np.stack([a, b, c], 1), np.stack([a, c, d], 1)])
    west = np.stack([number[1:, 0], number[:-1, 0]], 1)
    others = [np.stack([number[0, :-1], number[0, 1:]], 1), np.stack([number[:-1, -1], number[1:, -1]], 1),
              np.stack([number[-1, 1:], number[-1, :-1]], 1)]
    edges = np.concatenate([west, *others])
    labels = np.concatenate([np.full(len(west), 1), np.full(len(edges) - len(west), 2)])
    return np.stack([x.ravel(), y.ravel()], 1), triangles, edges, labels


def table(file, name, columns):
    kind = np.dtype([(key, "f8") for key in columns])
    rows = np.zeros(len(next(iter(columns.values()))), dtype=kind)
    for key, values in columns.items():
        rows[key] = values
    file[name] = rows


def write(path, waves="regular", components=1, gauges=2, sections=True, frames=3, iterations=4):
    nodes, triangles, edges, labels = mesh()
    x, y = nodes.T
    with h5py.File(path, "w") as file:
        file.attrs.update({"format": "karman.waves", "title": "A synthetic bay", "waves": waves, "components": components,
                           "converged": 1, "largest_component": components - 1, "incident_height": 1.0, "solver": "direct"})
        file["/case"] = json.dumps(CASE)
        for name, values in (("nodes", nodes), ("triangles", triangles), ("edges", edges), ("edge_labels", labels)):
            file[f"/mesh/{name}"] = values
        file["/mesh/boundary_names"] = "1 sea\n2 shore\n"
        file["/depth"] = 10 - x / 40
        for n in range(components):
            eta = (0.5 + 0.001 * y) * np.exp(1j * 2 * np.pi * (x / (60 + 5 * n) + y / 400))
            group = file.create_group(f"/components/{n:04d}")
            group.attrs.update({"period": 8.0 + n, "height": 1.0, "direction": 10.0})
            for name, values in (("elevation_real", eta.real), ("elevation_imaginary", eta.imag), ("height", 2 * abs(eta)),
                                 ("energy_flux", np.stack([100 + y, 20 + x / 10, 0 * x], axis=1)), ("dissipation", y * x / 1e4)):
                group[name] = values
        if waves in ("list", "spectrum"):
            for name, values in (("significant_height", 1 + y / 200), ("energy_flux_x", 50 + y), ("energy_flux_y", 0 * y),
                                 ("dissipation", 0 * y)):
                file[f"/combined/{name}"] = values
        if gauges:
            file.create_dataset("/gauges/names", data=[f"gauge {g}" for g in range(gauges)], dtype=h5py.string_dtype())
            file["/gauges/x"], file["/gauges/y"] = np.linspace(50, 250, gauges), np.linspace(50, 150, gauges)
            component, gauge = (a.ravel() for a in np.meshgrid(np.arange(components), np.arange(gauges), indexing="ij"))
            response = 1 + np.exp(-((component - 1.5) ** 2)) + 0.2 * gauge
            table(file, "/gauges/readings", {"component": component, "gauge": gauge, "period": 8.0 + component, "height": response,
                                             "amplification": response})
        if sections:
            file["/sections/names"] = "along\nacross\n"
            distance = np.linspace(0, 200, 30)
            table(file, "/sections/heights", {"section": np.repeat([0, 1], 30), "distance": np.tile(distance, 2),
                                              "amplification": np.concatenate([1 + distance / 500, 1.2 - distance / 900])})
        table(file, "/history", {"component": np.zeros(iterations), "iteration": 1 + np.arange(iterations),
                                 "change": 10.0 ** -np.arange(iterations)})
        if frames:
            file.create_group("/animation").attrs.update({"period": 8.0, "component": components - 1})
        for n in range(frames):
            file[f"/animation/{n:03d}"] = np.cos(2 * np.pi * (x / 60 - n / frames)).astype("f4")
            file[f"/animation/{n:03d}"].attrs["time"] = 8.0 * n / frames


class WavesPlot(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = Path(self.folder.name) / "waves.h5"
        self.pictures = Path(self.folder.name) / "pictures"

    def drawn(self):
        done = plot(self.path, "--width", 800)
        self.assertEqual(done.returncode, 0, done.stderr)
        manifest = json.loads((self.pictures / "pictures.json").read_text())
        names = {picture["file"] for picture in manifest["pictures"]}
        for name in names:
            with Image.open(self.pictures / name) as picture:
                self.assertEqual(picture.format, "GIF" if name.endswith("gif") else "PNG")
                self.assertGreater(len(set(picture.convert("RGB").resize((40, 40)).getdata())), 15, f"{name} is blank")
        return names, manifest

    def test_draws_every_output_of_one_wave(self):
        write(self.path)
        names, manifest = self.drawn()
        self.assertEqual(names, {"height.png", "surface.png", "energy_flux.png", "dissipation.png", "sections.png", "gauges.png",
                                 "convergence.png", "surface.gif"})
        self.assertEqual(manifest["facts"]["solver"], "direct")
        with Image.open(self.pictures / "surface.gif") as animation:
            self.assertEqual(animation.n_frames, 3)

    def test_dots_mark_what_was_measured(self):
        def coloured():
            write(self.path, frames=0)
            self.drawn()
            with Image.open(self.pictures / "sections.png") as picture:
                pixels = np.asarray(picture.convert("RGB"), dtype=int)
            # The right half, which contains the second section alone; colour of known values.
            return int((np.abs(pixels[:, pixels.shape[1] // 2:] - (0xC4, 0x4E, 0x52)).max(axis=2) < 30).sum())

        known = CASE["sections"][1]
        self.assertGreater(coloured(), 30)
        with unittest.mock.patch.dict(known):
            del known["measured"]
            self.assertEqual(coloured(), 0)

    def test_an_animation_has_the_colours_of_its_map_and_names_its_component(self):
        sys.path.insert(0, str(ROOT / "tools"))
        from matplotlib.colors import to_rgb  # the path is known only here
        from plot_lib import animation, wave_plots
        shown = [np.round(255 * np.array(to_rgb(colour))).astype(np.uint8) for colour in (wave_plots.OUTSIDE, wave_plots.OPEN,
                                                                                         wave_plots.BEACH)]
        picture = Image.fromarray(np.repeat(np.stack(shown)[None], 4, axis=0))
        frame, = animation.indexed([picture], also=(wave_plots.OUTSIDE, wave_plots.OPEN, wave_plots.BEACH))
        self.assertLessEqual(np.abs(np.asarray(frame.convert("RGB"), dtype=int) - np.asarray(picture, dtype=int)).max(), 8)
        self.assertEqual(len(animation.palette(also=(wave_plots.OPEN,))), 256)
        for components, words in ((1, "T = 8 s, t = 0 s"), (3, "component 3 of 3, T = 8 s, t = 0 s")):
            write(self.path, waves="regular" if components == 1 else "spectrum", components=components)
            found = []
            with self.opened() as file, \
                    unittest.mock.patch.object(wave_plots, "snapshot", lambda figure: found.append(figure.texts[1].get_text())), \
                    unittest.mock.patch.object(animation, "indexed"), unittest.mock.patch.object(wave_plots, "save_gif"):
                wave_plots.animate(file, unittest.mock.Mock())
            self.assertEqual(found[0], words)

    def opened(self):
        from plot_lib.wave_file import WaveFile  # the path is known only later
        return WaveFile(self.path)

    def test_a_map_has_a_key_of_its_boundaries(self):
        sys.path.insert(0, str(ROOT / "tools"))
        from plot_lib import style  # the path is known only here
        from plot_lib.wave_plots import Map
        write(self.path)
        with self.opened() as file:
            picture = Map(file, 800)
            picture.fill(file.field("/depth"), cmap=style.WIND, vmin=0, vmax=10)
        legend, = picture.panels.figure.legends
        self.assertEqual([text.get_text() for text in legend.get_texts()], ["incident waves", "reflection below 0.3"])
        renderer = picture.panels.figure.canvas.get_renderer()
        picture.panels.figure.draw(renderer)
        self.assertFalse(legend.get_window_extent(renderer).overlaps(picture.axes.xaxis.label.get_window_extent(renderer)))

    def test_maps_far_from_the_origin_count_from_a_round_position(self):
        sys.path.insert(0, str(ROOT / "tools"))
        from plot_lib.wave_file import WaveFile  # the path is known only here
        from plot_lib.wave_plots import Map
        for offset, label, last in (((0, 0), "y (m)", "200"), ((1748000, 5427000), "y \u2212 5\u202f427\u202f000 (m)", "200")):
            write(self.path)
            with h5py.File(self.path, "a") as file:
                file["/mesh/nodes"][...] += offset
            with WaveFile(self.path) as file:
                picture = Map(file, 800)
                picture.panels.figure.canvas.draw()
                self.assertEqual(picture.axes.get_ylabel(), label)
                self.assertEqual(picture.axes.get_yticklabels()[-1].get_text(), last)
                self.assertEqual(picture.axes.yaxis.get_offset_text().get_text(), "")

    def test_a_scan_has_a_curve(self):
        write(self.path, waves="period_scan", components=5, sections=False, frames=0, iterations=1)
        self.assertEqual(self.drawn()[0], {"resonance.png", "height.png", "surface.png", "energy_flux.png", "dissipation.png"})

    def test_a_spectrum_shows_its_significant_height(self):
        write(self.path, waves="spectrum", components=3, sections=False, frames=0)
        self.assertEqual(self.drawn()[0], {"height.png", "energy_flux.png", "gauges.png", "convergence.png"})

    def test_the_surface_over_time_shows_single_waves(self):
        sys.path.insert(0, str(ROOT / "tools"))
        from plot_lib.wave_plots import shown_times  # the path is known only here
        time = np.arange(0, 1000.5, 0.5)
        surface = np.stack([np.sin(2 * np.pi * time / 8 + 1), 0.5 * np.cos(2 * np.pi * time / 8)], axis=1)
        surface[1400, 0] = 3.0  # at 700 s
        part, gauge = shown_times(time, surface)
        self.assertEqual(gauge, 0)
        self.assertAlmostEqual(time[part][0], 700 - 160, delta=4)
        self.assertAlmostEqual(time[part][-1], 700 + 160, delta=4)
        self.assertEqual(shown_times(time[:100], surface[:100])[0], slice(0, 100))
        write(self.path, waves="spectrum", components=3, sections=False, frames=0)
        with h5py.File(self.path, "a") as file:
            file["/gauges/time"], file["/gauges/surface"] = time, surface
        names, manifest = self.drawn()
        self.assertIn("surface_series.png", names)
        caption = next(one["caption"] for one in manifest["pictures"] if one["file"] == "surface_series.png")
        self.assertIn("highest crest 3 m at gauge 0", caption)
        with h5py.File(self.path, "a") as file:
            del file["/gauges/surface"]
            file["/gauges/surface"] = surface[:, :1]
        self.refused("/gauges/surface", "does not fit")

    def test_states_directions_as_the_case_does(self):
        sys.path.insert(0, str(ROOT / "tools"))
        from plot_lib.wave_file import WaveFile  # the path is known only here
        from plot_lib.wave_plots import cut_words, words_of
        for convention, words in (("nautical", "from 260° (nautical, clockwise from north)"), ("travel", "towards 10° from +x"),
                                  (None, "from 260° (nautical, clockwise from north)")):
            waves = {} if convention is None else {"waves": {"convention": convention}}
            with unittest.mock.patch.dict(CASE, waves):
                write(self.path, waves="spectrum", components=2)
            with WaveFile(self.path) as file:
                self.assertEqual(words_of(file, "/components/0000"), "T = 8 s, incident height 1 m, " + words)
                self.assertIsNone(file.travel(), "no table of the components")
        with h5py.File(self.path, "a") as file:
            # Three parts of the energy travel to north, one to south: north, from 180 degrees.
            table(file, "/summary", {"direction": np.array([90.0, -90.0]), "height": np.sqrt([3.0, 1.0])})
        with WaveFile(self.path) as file:
            self.assertAlmostEqual(file.travel(), 90)
            self.assertEqual(file.stated_direction(file.travel())[1], "from 180° (nautical, clockwise from north)")
        self.assertEqual(cut_words(np.array([0.0, 1.0, 2.0]), 2.0, 99.9), "")
        self.assertEqual(cut_words(np.array([0.0, 1.0, 3.4]), 2.0, 99.9), "; colours end at 2, the 99.9th percentile; highest 3.4")

    def refused(self, *words):
        done = plot(self.path)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertEqual(len(done.stderr.strip().splitlines()), 1, done.stderr)
        for word in words:
            self.assertIn(word, done.stderr)

    def test_says_what_is_wrong_with_a_file(self):
        def spoil(change):
            write(self.path)
            with h5py.File(self.path, "a") as file:
                change(file)

        def bad_triangle(file):
            file["/mesh/triangles"][0, 0] = 10**6

        def short_height(file):
            del file["/components/0000/height"]
            file["/components/0000/height"] = np.ones(3)

        def no_case(file):
            del file["/case"]

        def nothing(file):
            for name in ("components", "gauges", "sections", "history", "animation"):
                del file[name]

        spoil(bad_triangle)
        self.refused("names missing nodes")
        spoil(short_height)
        self.refused("/components/0000/height", "not a nodal field")
        spoil(no_case)
        self.refused("damaged")
        spoil(nothing)
        self.refused("no output to draw")


if __name__ == "__main__":
    unittest.main()
