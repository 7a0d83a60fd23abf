# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""tools/plot on outputs of karman euler: small synthetic ones, and outputs of the program where it is given."""

import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import h5py
import numpy as np
from PIL import Image

ROOT = Path(__file__).resolve().parents[2]
KARMAN = None
GAMMA = 1.4


def plot(*arguments):
    return subprocess.run([sys.executable, str(ROOT / "tools" / "plot"), *map(str, arguments)], capture_output=True, text=True,
                          check=False)


def table(file, name, columns):
    rows = np.zeros(len(next(iter(columns.values()))), dtype=np.dtype([(key, "f8") for key in columns]))
    for key, values in columns.items():
        rows[key] = values
    file[name] = rows


def rectangle(width, height, columns, rows):
    """Nodes, triangles, boundary edges, labels: 1 for south and north, 2 for west, 3 for east."""
    x, y = np.meshgrid(np.linspace(0, width, columns + 1), np.linspace(0, height, rows + 1))
    number = np.arange(x.size).reshape(x.shape)
    a, b, c, d = number[:-1, :-1].ravel(), number[:-1, 1:].ravel(), number[1:, 1:].ravel(), number[1:, :-1].ravel()
    triangles = np.concatenate([np.stack([a, b, c], 1), np.stack([a, c, d], 1)])
    sides = [(1, number[0, :-1], number[0, 1:]), (1, number[-1, 1:], number[-1, :-1]), (2, number[1:, 0], number[:-1, 0]),
             (3, number[:-1, -1], number[1:, -1])]
    edges = np.concatenate([np.stack([first, second], 1) for _, first, second in sides])
    labels = np.concatenate([np.full(len(first), label) for label, first, _ in sides])
    return np.stack([x.ravel(), y.ravel()], 1), triangles, edges, labels


def ring(around=48, radial=14):
    """Mesh around a thin ellipse from (0, 0) to (1, 0); label 1 the body, 2 the circle of radius 12 around it."""
    angle = -np.linspace(0, 2 * np.pi, around, endpoint=False)  # the domain is on the left of the body's edges
    body = np.stack([0.5 + 0.5 * np.cos(angle), 0.06 * np.sin(angle)], -1)
    circle = np.stack([0.5 + 12 * np.cos(angle), 12 * np.sin(angle)], -1)
    share = np.linspace(0, 1, radial + 1)[:, None, None] ** 3
    nodes = ((1 - share) * body + share * circle).reshape(-1, 2)
    number = np.arange((radial + 1) * around).reshape(radial + 1, around)
    after = np.roll(number, -1, axis=1)
    a, b, c, d = number[:-1].ravel(), after[:-1].ravel(), after[1:].ravel(), number[1:].ravel()
    triangles = np.concatenate([np.stack([a, b, c], 1), np.stack([a, c, d], 1)])
    edges = np.concatenate([np.stack([number[0], after[0]], 1), np.stack([after[-1], number[-1]], 1)])
    return nodes, triangles, edges, np.repeat([1, 2], around)


def states(nodes, time, front):
    """A shock at x = front + time, smeared over little; waves behind it."""
    x, y = nodes.T
    behind = 0.5 * (1 - np.tanh((x - front - time) / 0.04))
    density = 1.4 + 1.4 * behind * (1 + 0.1 * np.sin(9 * x) * np.cos(5 * y))
    velocity = np.stack([0.6 + 1.2 * behind, 0.3 * behind * np.sin(4 * x), 0 * x], 1)
    return {"density": density, "velocity": velocity, "pressure": 1 + 2 * behind * (1 + 0.1 * np.cos(7 * x))}


def write(path, mesh, steady=False, frames=0, body=None, averages=False, fields=("density", "velocity", "pressure"), gauges=True):
    nodes, triangles, edges, labels = mesh
    front = 0.3 * np.ptp(nodes[:, 0]) if body is None else 0.6
    end = 0.2 * np.ptp(nodes[:, 0]) if frames else 0.0
    with h5py.File(path, "w") as file:
        file.attrs.update({"format": "karman.euler", "title": "A synthetic flow", "steady": int(steady), "converged": 1, "step": 40.0,
                           "time": end, "gamma": GAMMA, "flow": [1.4, 0.8, 0.0, 1.0], "dynamic_pressure": 0.448})
        case = {"boundaries": {"wall": {"kind": "wall"}, "others": {"kind": "far_field"}}, "time": {"residual": 1e-4}}
        if gauges:
            case["gauges"] = [{"name": "probe", "at": [float(nodes[:, 0].mean()), float(nodes[:, 1].mean())]}]
            file.create_dataset("/gauges/names", data=["probe"], dtype=h5py.string_dtype())
        file["/case"] = json.dumps(case)
        for name, values in (("nodes", nodes), ("triangles", triangles), ("edges", edges), ("edge_labels", labels)):
            file[f"/mesh/{name}"] = values
        file["/mesh/boundary_names"] = "1 wall\n2 in\n3 out\n"
        values = states(nodes, end, front)
        file.create_group("/fields")
        for name in fields:
            file[f"/fields/{name}"] = values[name]
        if averages:
            file["/averages/density"], file["/averages/pressure"] = values["density"], values["pressure"]
            file["/averages/pressure_rms"] = 0.1 * values["density"]
            file["/averages"].attrs["seconds"] = 0.1
        step = np.arange(41.0)
        columns = {"step": step, "time": step / 40 * (end or 1.0), "residual": 10.0 ** (-step / 10)}
        if body is not None:
            file.create_dataset("/forces/names", data=["body"], dtype=h5py.string_dtype())
            columns |= {f"body.{kind}": 0.1 + np.exp(-step / 5) for kind in ("drag", "lift", "moment")}
        if gauges:
            columns |= {f"probe.{kind}": 1 + np.sin(step / 6) for kind in ("density", "velocity_x", "velocity_y", "pressure")}
        table(file, "/history", columns)
        along = body if body is not None else np.arange(int(np.sum(nodes[:, 1] == 0)))
        x, y = nodes[along].T
        cp = (values["pressure"][along] - 1) / 0.448
        table(file, "/walls", {"label": 0 * x + 1, "run": 0 * x, "distance": np.arange(len(x)), "x": x, "y": y, "cp": cp})
    (path.parent / "frames").mkdir(exist_ok=True)
    for n in range(frames):
        time = end * n / (frames - 1)
        with h5py.File(path.parent / "frames" / f"frame_{n:06d}.h5", "w") as file:
            file.attrs.update({"step": 10 * n, "time": time})
            for name, values in states(nodes, time, front).items():
                if name in fields:
                    file[f"/fields/{name}"] = values


def write_polar(path, machs, angles, target=None, failed=()):
    """A polar of two groups of forces; `failed`: points that broke down. The last point is not converged."""
    mach, angle = (values.ravel() for values in np.meshgrid(machs, angles, indexing="ij"))
    lift = 0.11 * angle / np.sqrt(1 - mach**2)
    lift[list(failed)] = np.nan
    converged = np.isfinite(lift).astype(float)
    converged[-1] = 0
    columns = {"mach": mach, "angle": angle, "converged": converged, "solves": 0 * mach + 1, "steps": 0 * mach + 100, "residual": 0 * mach}
    for share, group in ((1.0, "wing"), (0.3, "flap")):
        columns |= {f"{group}.drag": share * (0.01 + lift**2 * mach), f"{group}.lift": share * lift, f"{group}.moment": 0 * lift}
    with h5py.File(path, "w") as file:
        file.attrs.update({"format": "karman.euler_polar", "title": "A synthetic polar"})
        file["/case"] = json.dumps({"sweep": {} if target is None else {"target_lift": target}})
        file.create_dataset("/forces/names", data=["wing", "flap"], dtype=h5py.string_dtype())
        table(file, "/polar", columns)


class FlowPlot(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.path = self.folder / "euler.h5"

    def drawn(self, path=None, *more):
        path = path or self.path
        done = plot(path, "--width", 800, *more)
        self.assertEqual(done.returncode, 0, done.stderr)
        pictures = path.parent / "pictures"
        manifest = json.loads((pictures / "pictures.json").read_text())
        names = {picture["file"] for picture in manifest["pictures"]}
        for name in names:
            with Image.open(pictures / name) as picture:
                self.assertEqual(picture.format, "GIF" if name.endswith("gif") else "PNG")
                picture.seek(getattr(picture, "n_frames", 1) - 1)
                # Without letters and colour bars, which are never blank.
                box = [round(share * side) for share, side in zip((0.25, 0.3, 0.7, 0.75), 2 * picture.size)]
                inner = picture.convert("RGB").crop(box)
                self.assertGreater(len(set(inner.getdata())), 15, f"{name} is blank")
        return names, manifest

    def test_draws_a_polar(self):
        path = self.folder / "polar.h5"
        write_polar(path, [0.3, 0.7], [0, 1, 2, 3], failed=[2])
        names, _ = self.drawn(path)
        self.assertEqual(names, {"polar.png", "polar_flap.png"})
        from plot_lib import polar_file
        with polar_file.PolarFile(path) as file:
            self.assertEqual((file.machs, file.words), ([0.3, 0.7], "8 points, 2 NOT CONVERGED (hollow)"))
        write_polar(path, [0.3, 0.5, 0.7], [2], target=0.2)
        self.assertEqual(self.drawn(path)[0], {"drag_rise.png"})

    def test_says_what_a_polar_lacks(self):
        path = self.folder / "polar.h5"
        write_polar(path, [0.3], [0, 1], failed=[0, 1])
        self.assertEqual(plot(path).returncode, 2)
        self.assertIn("wing.lift has no finite value", plot(path).stderr)
        write_polar(path, [0.3], [0, 1])
        with h5py.File(path, "a") as file:
            del file["/forces/names"]
        done = plot(path)
        self.assertEqual((done.returncode, done.stderr), (2, f"plot: {path}: damaged: no polar can be read\n"))

    MAPS = {"density.png", "mach.png", "pressure.png", "schlieren.png", "velocity.png"}

    def test_draws_a_flow_in_time(self):
        write(self.path, rectangle(2, 1, 60, 30), frames=5, averages=True)
        names, manifest = self.drawn()
        averages = {"average_density.png", "average_pressure.png", "average_pressure_rms.png"}
        self.assertEqual(names, self.MAPS | averages | {"walls.png", "gauges.png", "flow.gif"})
        self.assertEqual(manifest["facts"]["flow"], [1.4, 0.8, 0.0, 1.0])
        with Image.open(self.folder / "pictures" / "flow.gif") as animation:
            self.assertEqual(animation.n_frames, 5)

    def test_a_schlieren_picture_is_dark_at_the_shock_and_white_before_it(self):
        write(self.path, rectangle(2, 1, 120, 60), gauges=False)
        self.drawn()
        with Image.open(self.folder / "pictures" / "schlieren.png") as picture:
            pixels = np.asarray(picture.convert("L"), dtype=int)
        # The map lies between margins of 128 and 208 pixels; the shock at 0.6 of its 2 m.
        row, shock = pixels[pixels.shape[0] // 2], 128 + round(0.3 * 464)
        self.assertLess(row[shock - 8:shock + 9].min(), 40)
        self.assertGreater(row[shock + 60:shock + 250].min(), 240)

    def test_a_tube_has_profiles(self):
        write(self.path, rectangle(1, 0.02, 100, 2), frames=4, gauges=False)
        self.assertEqual(self.drawn()[0], {"profiles.png", "flow.gif"})

    def test_a_small_body_is_shown_near_by(self):
        mesh = ring()
        write(self.path, mesh, steady=True, body=np.append(np.arange(48), 0))
        self.assertEqual(self.drawn()[0], self.MAPS | {"walls.png", "gauges.png", "forces.png", "residual.png"})
        from plot_lib import flow_file
        with flow_file.FlowFile(self.path) as file:
            left, right, bottom, top = file.body()
            lower, upper = file.runs()[0].sides()
        self.assertTrue(np.allclose((left, right), (-0.5, 1.5)), (left, right))
        self.assertLess(top - bottom, 2)
        self.assertTrue(np.all(mesh[0][lower, 1] <= 1e-12) and np.all(mesh[0][upper, 1] >= -1e-12))
        self.assertTrue(np.all(np.diff(mesh[0][lower, 0]) > 0) and np.all(np.diff(mesh[0][upper, 0]) > 0))

    def test_a_close_up_ends_where_the_sonic_lines_close(self):
        mesh = ring(96, 40)
        write(self.path, mesh, steady=True, body=np.append(np.arange(96), 0))
        from plot_lib import flow_file
        with flow_file.FlowFile(self.path) as file:
            near, (x, y) = file.body(), (file.x, file.y)

            def pocket(middle, radius, inside=1.2, outside=0.8):
                return np.where(np.hypot(x - 0.5, y - middle) < radius, inside, outside)

            def encloses(mach):
                left, right, bottom, top = file.close_up(mach)
                shown = np.hypot(x - 0.5, y - 2) < 2
                return (left < x[shown].min(), right > x[shown].max(), bottom <= near[2], top > y[shown].max(), top < 6)

            self.assertEqual(file.close_up(None), near)
            self.assertEqual(file.close_up(np.full_like(x, 0.8)), near)
            self.assertEqual(file.close_up(np.full_like(x, 1.2)), near, "no sonic line")
            self.assertEqual(file.close_up(pocket(8, 2)), near, "a pocket elsewhere")
            self.assertEqual(file.close_up(pocket(0, 20)), near, "an open pocket")
            self.assertEqual(file.close_up(pocket(0, 0.4)), near, "inside already")
            self.assertEqual(encloses(pocket(2, 2)), (True,) * 5)
            # In supersonic flow the pocket of subsonic gas counts, and one that reaches the outer boundary does not.
            file.velocity = np.array([3.0, 0.0])
            self.assertEqual(encloses(pocket(2, 2, 0.7, 3)), (True,) * 5)
            self.assertEqual(file.close_up(np.full_like(x, 3.0)), near)

    def test_contours_leave_ripples_out_and_keep_vortices(self):
        from plot_lib.flow_file import FlowFile
        from plot_lib.flow_plots import Map, is_ripple
        angle = np.linspace(0, 2 * np.pi, 41)
        angle[-1] = 0.0
        circle = np.stack([np.cos(angle), np.sin(angle)], axis=1)
        self.assertFalse(is_ripple(circle, 4))
        self.assertTrue(is_ripple(circle * (1, 0.1), 4))
        self.assertFalse(is_ripple(circle * (1, 0.1), 1), "too large")
        self.assertFalse(is_ripple(circle[:20] * (1, 0.1), 4), "open")
        write(self.path, rectangle(3, 1, 120, 40))
        with FlowFile(self.path) as file:
            def lines(values):
                picture = Map(file, 800)
                picture.contours(values, [0.5], colors="black")
                return len(picture.axes.collections[-1].get_segments()) if picture.axes.collections else 0

            def hump(x, wide, high):
                return np.exp(-(((file.x - x) / wide) ** 2) - ((file.y - 0.5) / high) ** 2)

            self.assertEqual(lines(hump(0.7, 0.06, 0.06)), 1, "a vortex")
            self.assertEqual(lines(hump(0.7, 0.06, 0.06) + hump(2, 0.11, 0.014)), 1, "a vortex and a ripple")

    def test_two_bodies_are_shown_together(self):
        nodes, triangles, edges, labels = ring()
        upper = nodes + [0, 30]
        mesh = (np.concatenate([nodes, upper]), np.concatenate([triangles, triangles + len(nodes)]),
                np.concatenate([edges, edges + len(nodes)]), np.concatenate([labels, labels]))
        write(self.path, mesh, steady=True, body=np.append(np.arange(48), 0))
        from plot_lib import flow_file
        with flow_file.FlowFile(self.path) as file:
            labels = flow_file.pieces(file.triangles, np.ones(len(file.x), dtype=bool))
            self.assertEqual(set(labels), {0, len(nodes)})
            one = flow_file.Run("one", {axis: np.append(nodes[:48, n], nodes[0, n]) for n, axis in enumerate("xy")})
            other = flow_file.Run("other", {axis: np.append(upper[:48, n], upper[0, n]) for n, axis in enumerate("xy")})
            file.runs = lambda: [one, other]
            self.assertIsNone(file.body(), "too far apart to be small in the domain")
            other.columns["y"] = other["y"] - 27
            left, right, bottom, top = file.close_up(np.full_like(file.x, 0.5))
            self.assertTrue(left < 0 and right > 1 and bottom < -0.06 and top > 3.06, (left, right, bottom, top))

    def test_every_pixel_of_a_raster_lies_in_one_triangle(self):
        from plot_lib.mesh_raster import Raster
        for x, y, triangles in ((*mesh[0].T, mesh[1]) for mesh in (rectangle(2, 1, 17, 9), ring(30, 7))):
            raster = Raster(x, y, triangles, (x.min(), x.max(), y.min(), y.max()), (130, 211))
            self.assertEqual(len(np.unique(raster.pixels)), len(raster.pixels))
            across, up = (low + np.ptp(side) * (np.arange(count) + 0.5) / count
                          for side, low, count in ((x, x.min(), 211), (y, y.min(), 130)))
            expected = 3 * across - 2 * up[:, None] + 1
            found = raster.image(3 * x - 2 * y + 1)
            size = np.abs(expected).max()
            # Single precision, for weights that cancel in long triangles.
            self.assertLess(np.nanmax(np.abs(found - expected)), 2e-5 * size)
            (ax, bx, cx), (ay, by, cy) = x[triangles].T, y[triangles].T
            areas = np.abs((bx - ax) * (cy - ay) - (by - ay) * (cx - ax)).sum() / 2
            share = areas / (np.ptp(x) * np.ptp(y))
            # Pixels at the boundary: at most two per row and column.
            self.assertAlmostEqual(np.isfinite(found).mean(), share, delta=2 * (130 + 211) / (130 * 211))

    def test_a_part_of_the_mesh_is_drawn_as_in_the_whole(self):
        from plot_lib.mesh_raster import Raster
        nodes, triangles, _, _ = rectangle(2, 1, 13, 11)
        field = np.sin(5 * nodes[:, 0]) * nodes[:, 1]
        whole = Raster(*nodes.T, triangles, (0, 2, 0, 1), (100, 200)).image(field)
        part = Raster(*nodes.T, triangles, (0.5, 1, 0.25, 0.75), (50, 50)).image(field)
        self.assertTrue(np.allclose(part, whole[25:75, 50:100], atol=1e-6))

    def test_streamlines_follow_the_flow_and_keep_apart(self):
        from plot_lib import streamlines
        y, x = np.mgrid[0:81, 0:121].astype(float)
        u, v = 40 - y, x - 60
        hidden = np.hypot(x - 60, y - 40) < 8
        lines = streamlines.traced(np.where(hidden, np.nan, u), np.where(hidden, np.nan, v), (1.5, 1.0))
        self.assertGreater(len(lines), 10)
        for line in lines:
            radius = np.hypot(*(line - (60, 40)).T)
            self.assertLess(np.ptp(radius), 0.02 * radius.mean(), "a circle")
            (ax, ay), (bx, by) = (line[:-1] - (60, 40)).T, (line[1:] - (60, 40)).T
            turn = ax * by - ay * bx
            self.assertTrue(np.all(turn > 0), "in the direction of the flow")
            self.assertGreater(radius.min(), 6.5, "none where there is no flow")
            self.assertTrue(np.all((line > -1e-9) & (line < (120 + 1e-9, 80 + 1e-9))))
        cells = [{(int(a * 44 / 120 + 0.5), int(b * 29 / 80 + 0.5)) for a, b in line[1:-1]} for line in lines]
        shared = sum(len(one & other) for n, one in enumerate(cells) for other in cells[:n])
        self.assertLessEqual(shared, 2 * len(lines), "lines share cells at their ends only")
        self.assertEqual(streamlines.traced(np.zeros((9, 9)), np.zeros((9, 9)), 1.0), [])

    def test_pieces_of_a_line_have_one_shade(self):
        from plot_lib import streamlines
        x, y = np.linspace(0, 4, 41), np.linspace(0, 1, 11)
        speed = np.broadcast_to(x, (11, 41))
        found, middles = streamlines.pieces(x, y, np.ones((11, 41)), np.zeros((11, 41)),
                                            lambda points: (streamlines.at(speed, points) >= 2).astype(int), 1.0)
        self.assertEqual({shade for _, shade in found}, {0, 1})
        for points, shade in found:
            self.assertTrue(np.all(points[:-1, 0] >= 2 - 1e-9) if shade else np.all(points[:-1, 0] < 2), points[:, 0])
        self.assertEqual(len(found), 2 * len(middles), "two pieces of every line")

    def test_a_png_file_holds_its_pixels(self):
        from plot_lib import png
        pixels = np.random.default_rng(3).integers(0, 256, (37, 53, 4), dtype=np.uint8)
        png.write(self.folder / "a.png", pixels, 160)
        with Image.open(self.folder / "a.png") as picture:
            self.assertEqual((picture.mode, [round(one) for one in picture.info["dpi"]]), ("RGB", [160, 160]))
            self.assertTrue(np.array_equal(np.asarray(picture), pixels[..., :3]))

    def test_a_map_on_the_backdrop_of_another_is_the_map_alone(self):
        from plot_lib.flow_file import FlowFile
        from plot_lib.flow_plots import Map
        write(self.path, rectangle(2, 1, 20, 10))

        def saved(file, name, values):
            picture = Map(file, 700)
            picture.panels.colour_bar(picture.fill(values, cmap="gray", vmin=0, vmax=2), "x (m)")
            picture.panels.title(name)
            picture.save(self.folder / name)
            with Image.open(self.folder / name) as found:
                return np.asarray(found, dtype=int)

        with FlowFile(self.path) as file:
            first = saved(file, "a.png", file.x)
            second = saved(file, "b.png", 2 - file.x)
            self.assertEqual(len(file.backdrops), 1)
            file.backdrops.clear()
            self.assertTrue(np.array_equal(saved(file, "b.png", 2 - file.x), second))
            self.assertGreater(np.abs(first - second).max(), 200)

    def test_a_scale_says_where_it_is_cut(self):
        from plot_lib.style import Limits
        even = np.linspace(1, 2, 2000)
        plain, single = Limits(even), Limits(np.append(even, 50.0))
        self.assertEqual((plain.low, plain.high, plain.extend, plain.label("a")), (1, 2, "neither", "a"))
        self.assertEqual((single.low, single.extend, single.label("a")), (1, "max", "a\ncut: largest 50 lies beyond"))
        self.assertAlmostEqual(single.high, 2, delta=0.01)
        both = Limits(np.append(even, [50.0, -8.0, np.nan]))
        self.assertEqual((both.extend, both.label("a")), ("both", "a\ncut: least -8 and largest 50 lie beyond"))
        # Nothing to cut at: one value, or one value with few others.
        self.assertEqual((Limits(np.full(9, 3.0)).extend, Limits(np.append(np.full(2000, 3.0), 4.0)).high), ("neither", 4.0))
        self.assertEqual(Limits(np.full(3, np.nan)).cut, "")

    def test_fast_is_dark_and_the_animation_can_be_left_out(self):
        write(self.path, rectangle(2, 1, 60, 30), frames=5, gauges=False)
        names, _ = self.drawn(None, "--no-animation")
        self.assertEqual(names, self.MAPS | {"walls.png"})
        for name in ("velocity.png", "mach.png"):
            with Image.open(self.folder / "pictures" / name) as picture:
                pixels = np.asarray(picture.convert("L"), dtype=int)
            rows = pixels[pixels.shape[0] // 3:2 * pixels.shape[0] // 3]
            # Behind the shock the gas is fast.
            behind, before = (np.median(rows[:, 128 + round(share * 464)]) for share in (0.2, 0.9))
            self.assertLess(behind + 40, before, name)

    def test_frames_of_an_older_run_are_left_out(self):
        write(self.path, rectangle(2, 1, 40, 20), frames=6)
        with h5py.File(self.path, "a") as file:
            file.attrs["time"] = file.attrs["time"] * 0.6
        self.drawn()
        with Image.open(self.folder / "pictures" / "flow.gif") as animation:
            self.assertEqual(animation.n_frames, 4)

    def test_draws_the_fields_that_were_kept(self):
        write(self.path, rectangle(2, 1, 40, 20), frames=4, fields=("pressure",), gauges=False)
        self.assertEqual(self.drawn()[0], {"pressure.png", "walls.png", "flow.gif"})

    def refused(self, *words):
        done = plot(self.path)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertEqual(len(done.stderr.strip().splitlines()), 1, done.stderr)
        for word in words:
            self.assertIn(word, done.stderr)

    def test_says_what_is_wrong_with_a_file(self):
        def spoil(change):
            write(self.path, rectangle(2, 1, 20, 10))
            with h5py.File(self.path, "a") as file:
                change(file)

        def short_density(file):
            del file["/fields/density"]
            file["/fields/density"] = np.ones(3)

        def vacuum(file):
            file.attrs["flow"] = [0.0, 1.0, 0.0, 1.0]

        def nothing(file):
            for name in ("fields", "history", "walls"):
                del file[name]

        spoil(short_density)
        self.refused("density", "not a nodal field")
        spoil(vacuum)
        self.refused("flow is no state")
        spoil(nothing)
        self.refused("no output to draw")

    def test_draws_what_the_program_writes(self):
        if KARMAN is None:
            self.skipTest("no program given")
        case = {"title": "A small wedge",
                "mesh": {"kind": "wedge", "length": 1.5, "height": 1, "corner": 0.5, "angle": 10, "size": 0.08},
                "flow": {"pressure": 1e5, "temperature": 300, "mach": 2},
                "boundaries": {"inflow": {"kind": "inflow"}, "outflow": {"kind": "outflow"}, "others": {"kind": "wall"}},
                "time": {"kind": "transient", "end": 0.003, "frames": 4, "averages_from": 0.001},
                "forces": [{"name": "ramp", "boundaries": ["wall"]}], "gauges": [{"name": "behind", "at": [1.2, 0.3]}]}
        (self.folder / "case.json").write_text(json.dumps(case))
        done = subprocess.run([KARMAN, "euler", self.folder / "case.json", "--output", self.folder / "run"], capture_output=True,
                              text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        names, _ = self.drawn(self.folder / "run" / "euler.h5")
        self.assertLessEqual(self.MAPS | {"walls.png", "gauges.png", "forces.png", "flow.gif", "average_density.png"}, names)


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT / "tools"))
    sys.dont_write_bytecode = True
    if len(sys.argv) > 1 and not sys.argv[1].startswith("-") and "/" in sys.argv[1]:
        KARMAN = sys.argv.pop(1)
    unittest.main()
