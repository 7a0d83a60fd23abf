# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""tools/plot on small synthetic outputs of `karman poisson`: fields, comparisons, series in time."""

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


def plot(*arguments):
    return subprocess.run([sys.executable, str(ROOT / "tools" / "plot"), *map(str, arguments)], capture_output=True, text=True,
                          check=False)


def grid(file, cells):
    for axis, n in zip("xyz", cells):
        file[f"/grid/{axis}"] = np.linspace(0, 1, n + 1)


def table(file, name, columns):
    rows = np.zeros(len(next(iter(columns.values()))), dtype=[(key, "f8") for key in columns])
    for key, values in columns.items():
        rows[key] = values
    file[name] = rows


class PoissonPlot(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = Path(self.folder.name) / "out.h5"

    def drawn(self, *names):
        done = plot(self.path)
        self.assertEqual(done.returncode, 0, done.stderr)
        pictures = Path(self.folder.name) / "pictures"
        manifest = json.loads((pictures / "pictures.json").read_text())
        self.assertEqual({picture["file"] for picture in manifest["pictures"]}, set(names))
        for name in names:
            with Image.open(pictures / name) as picture:
                self.assertGreater(len(set(picture.convert("RGB").resize((40, 40)).getdata())), 15, f"{name} is blank")
        again = plot(self.path, "--width", "800")
        self.assertEqual(again.returncode, 0, "its own pictures may be replaced: " + again.stderr)
        return manifest

    def solution(self, cells):
        with h5py.File(self.path, "w") as file:
            file.attrs.update({"format": "karman.poisson", "title": "A solution", "method": "cg", "backend": "openmp"})
            grid(file, cells)
            shape = cells[::-1]
            values = np.sin(np.arange(np.prod(shape)) * 0.1).reshape(shape)
            file["/cells/p"] = values
            file["/cells/f"] = -3 * values
            file["/cells/error"] = 1e-5 * values
            file["/cells/solid"] = (values > 0.99).astype(np.uint8)
            table(file, "/history", {"iteration": [0, 5, 10], "residual": [1, 1e-3, 1e-8], "seconds": [0.01, 0.02, 0.03]})

    def test_one_dimension(self):
        self.solution((50, 1, 1))
        self.drawn("fields.png", "convergence.png")

    def test_two_dimensions(self):
        self.solution((30, 20, 1))
        manifest = self.drawn("p.png", "f.png", "error.png", "convergence.png")
        self.assertEqual(manifest["facts"]["method"], "cg")

    def test_three_dimensions(self):
        self.solution((14, 12, 10))
        self.drawn("p.png", "f.png", "error.png", "convergence.png")

    def test_fields_that_do_not_fit_are_refused_in_one_line(self):
        self.solution((30, 20, 1))
        with h5py.File(self.path, "a") as file:
            del file["/cells/f"]
            file["/cells/f"] = np.zeros((3, 4, 5))
        done = plot(self.path)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertEqual(len(done.stderr.strip().splitlines()), 1, done.stderr)
        self.assertIn("/cells/f", done.stderr)

    def test_a_comparison(self):
        rows = [{"method": "direct", "backend": "openmp", "fate": "done", "iterations": 1, "residual": 1e-14, "seconds": 0.002,
                 "set_up_seconds": 0.1, "memory_bytes": 4e6},
                {"method": "jacobi", "backend": "serial", "fate": "cut off", "iterations": 900, "residual": 0.03, "seconds": 2.0,
                 "set_up_seconds": 0.1, "memory_bytes": 3e6},
                {"method": "tridiagonal", "backend": "openmp", "fate": "does not apply", "reason": "one dimension only"}]
        summary = {"title": "A comparison", "cells": [64, 64, 1], "precision": "f64", "tolerance": 1e-8, "budget_seconds": 2,
                   "backends": [{"name": "openmp", "device": "a processor", "concurrency": 4},
                                {"name": "serial", "device": "a processor", "concurrency": 1}],
                   "rows": rows, "verdict": "Use direct on openmp.\n"}
        with h5py.File(self.path, "w") as file:
            file.attrs.update({"format": "karman.poisson.compare", "title": "A comparison"})
            file["/summary"] = json.dumps(summary)
            table(file, "/runs/openmp/direct", {"iteration": [1], "residual": [1e-14], "seconds": [0.002]})
            table(file, "/runs/serial/jacobi", {"iteration": [300, 600, 900], "residual": [0.3, 0.1, 0.03], "seconds": [0.7, 1.4, 2]})
        self.drawn("compare.png")

    def series(self, kind, cells):
        with h5py.File(self.path, "w") as file:
            file.attrs.update({"format": kind, "title": "A series", "steps": 30, "time_step": 0.1})
            grid(file, cells)
            shape = cells[::-1]
            first = np.sin(np.arange(np.prod(shape)) * 0.05).reshape(shape)
            for n in range(4):
                file[f"/frames/{10 * n:09d}"] = first * np.exp(-n)
                file[f"/frames/{10 * n:09d}"].attrs["time"] = 1.0 * n
            table(file, "/history", {"step": [0, 10, 20, 30], "time": [0, 1, 2, 3], "least": [-1, -0.4, -0.1, -0.05],
                                     "most": [1, 0.4, 0.1, 0.05], "largest_error": [0, 1e-4, 2e-4, 1e-4]})

    def test_columns(self):
        self.series("karman.column_diffusion", (3, 2, 20))
        self.drawn("profiles.png", "error.png")

    def test_heat(self):
        self.series("karman.heat", (20, 20, 1))
        self.drawn("frames.png", "frames.gif", "error.png")


if __name__ == "__main__":
    unittest.main()
