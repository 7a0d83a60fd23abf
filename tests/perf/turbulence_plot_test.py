# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""tools/plot on outputs of karman turbulence: small synthetic ones, and outputs of the program where it is given; the study
of the saturation time."""

import csv
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
STUDY = ROOT / "apps" / "turbulence" / "study" / "saturation_time.py"
KARMAN = None
POINTS = (48, 32)
SIZE = (2 * np.pi, np.pi)


def plot(*arguments):
    return subprocess.run([sys.executable, str(ROOT / "tools" / "plot"), *map(str, arguments)], capture_output=True, text=True,
                          check=False)


def table(file, name, columns):
    rows = np.zeros(len(next(iter(columns.values()))), dtype=np.dtype([(key, "f8") for key in columns]))
    for key, values in columns.items():
        rows[key] = values
    file[name] = rows


def vorticity(time):
    """A vortex at (1.5 + time, 1), and jets along x."""
    x, y = np.meshgrid(*(np.arange(n) * length / n for n, length in zip(POINTS, SIZE)))
    field = 3 * np.exp(-8 * ((x - 1.5 - time) ** 2 + (y - 1) ** 2)) + np.cos(4 * y)
    return field - field.mean()


def spectra(wavenumbers=20):
    k = 1.0 + np.arange(wavenumbers)
    energy = k**-3
    columns = {"wavenumber": k, "energy": energy, "enstrophy": k**2 * energy}
    return columns | {name: -np.sin(k) for name in ("energy_transfer", "enstrophy_transfer", "energy_flux", "enstrophy_flux")}


def write(path, frames=0, beta=0.0, forced=True, averages=True, rest=False):
    with h5py.File(path, "w") as file:
        file.attrs.update({"format": "karman.turbulence", "title": "A synthetic turbulence", "step": 40.0, "time": 1.0, "size": SIZE})
        forcing = {"kind": "ring", "wavenumber": 8, "width": 1, "energy_rate": 0.1} if forced else {"kind": "none"}
        file["/case"] = json.dumps({"terms": {"beta": beta}, "forcing": forcing, "initial": {"kind": "zero"}})
        for axis, n, length in zip("xy", POINTS, SIZE):
            file[f"/grid/{axis}"] = np.arange(n) * length / n
        field = 0 * vorticity(1) if rest else vorticity(1)
        file["/fields/vorticity"] = field
        time = np.linspace(0, 1, 41)
        columns = {"step": np.arange(41.0), "time": time, "energy": time, "enstrophy": 3 * time, "lowest_energy": time / 2}
        for term in ("viscosity", "friction", "hypoviscosity", "forcing", "injected", "balance"):
            columns |= {f"{term}.{kind}": (0.1 * time if term in ("viscosity", "injected") else 0 * time) for kind in ("energy", "enstrophy")}
        table(file, "/history", columns)
        values = spectra()
        table(file, "/spectra", {name: 0 * one if rest and name != "wavenumber" else one for name, one in values.items()})
        if averages:
            table(file, "/mean_spectra", values)
            file["/mean_spectra"].attrs["seconds"] = 0.5
        density, edges = np.histogram(field, 31, density=True)
        table(file, "/histogram", {"vorticity": 0.5 * (edges[1:] + edges[:-1]), "points": density, "density": density})
    (path.parent / "frames").mkdir(exist_ok=True)
    for n in range(frames):
        with h5py.File(path.parent / "frames" / f"frame_{n:06d}.h5", "w") as file:
            file.attrs.update({"step": 10 * n, "time": n / (frames - 1)})
            file["/fields/vorticity"] = vorticity(n / (frames - 1))
            table(file, "/spectra", spectra())


class TurbulencePlot(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.path = self.folder / "turbulence.h5"

    def drawn(self, path=None):
        path = path or self.path
        done = plot(path, "--width", 800)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stderr, "")
        pictures = path.parent / "pictures"
        names = {picture["file"] for picture in json.loads((pictures / "pictures.json").read_text())["pictures"]}
        for name in names:
            with Image.open(pictures / name) as picture:
                self.assertEqual(picture.format, "GIF" if name.endswith("gif") else "PNG")
                picture.seek(getattr(picture, "n_frames", 1) - 1)
                # Without letters and colour bars, which are never blank.
                box = [round(share * side) for share, side in zip((0.2, 0.25, 0.75, 0.8), 2 * picture.size)]
                self.assertGreater(len(set(picture.convert("RGB").crop(box).getdata())), 15, f"{name} is blank")
        return names

    ALWAYS = {"vorticity.png", "spectra.png", "fluxes.png", "history.png", "balance.png", "histogram.png"}

    def test_draws_forced_turbulence(self):
        write(self.path, frames=7)
        self.assertEqual(self.drawn(), self.ALWAYS | {"moments.png", "vorticity.gif"})
        with Image.open(self.folder / "pictures" / "vorticity.gif") as animation:
            self.assertEqual(animation.n_frames, 7)

    def test_draws_jets_on_a_beta_plane(self):
        write(self.path, frames=4, beta=5.0)
        self.assertIn("jets.png", self.drawn())
        from plot_lib import turbulence_file, turbulence_plots
        with turbulence_file.TurbulenceFile(self.path) as file:
            mean = turbulence_plots.zonal_mean(file, np.cos(4 * file.y)[:, None] + 0 * file.x)
            self.assertTrue(np.allclose(mean, -np.sin(4 * file.y) / 4, atol=1e-12), "d u/dy = -omega")

    def test_draws_a_flow_without_frames_forcing_and_averages(self):
        write(self.path, forced=False, averages=False)
        self.assertEqual(self.drawn(), self.ALWAYS)

    def test_draws_fluid_at_rest(self):
        write(self.path, averages=False, rest=True)
        done = plot(self.path)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_frames_of_an_older_run_are_left_out(self):
        write(self.path, frames=6)
        with h5py.File(self.path, "a") as file:
            file.attrs["time"] = 0.6
        self.drawn()
        with Image.open(self.folder / "pictures" / "vorticity.gif") as animation:
            self.assertEqual(animation.n_frames, 4)

    def refused(self, *words):
        done = plot(self.path)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertEqual(len(done.stderr.strip().splitlines()), 1, done.stderr)
        for word in words:
            self.assertIn(word, done.stderr)

    def test_says_what_is_wrong_with_a_file(self):
        write(self.path)
        with h5py.File(self.path, "a") as file:
            del file["/fields/vorticity"]
            file["/fields/vorticity"] = np.ones(3)
        self.refused("/fields/vorticity", "not a field of the box")
        write(self.path)
        with h5py.File(self.path, "a") as file:
            del file.attrs["size"]
        self.refused("damaged")

    def run_program(self, *words):
        done = subprocess.run([str(word) for word in words], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def test_draws_what_the_program_writes(self):
        if KARMAN is None:
            self.skipTest("no program given")
        case = {"title": "A small turbulence", "domain": {"points": [48, 48]}, "terms": {"viscosity": 1e-3, "beta": 3},
                "initial": {"kind": "random"}, "forcing": {"kind": "ring", "wavenumber": 8, "energy_rate": 0.1},
                "time": {"kind": "adaptive", "end": 1, "frames": 4, "averages_from": 0.5}, "outputs": {"history_every": 2}}
        (self.folder / "case.json").write_text(json.dumps(case))
        self.run_program(KARMAN, "turbulence", self.folder / "case.json", "--output", self.folder / "run")
        names = self.drawn(self.folder / "run" / "turbulence.h5")
        self.assertEqual(names, self.ALWAYS | {"moments.png", "vorticity.gif", "jets.png"})

    def write_study(self, members):
        self.path = self.folder / "study.csv"
        lines = ["member,outcome,terms.viscosity,forcing,step,time,energy"]
        for n in range(members):
            name = f"member-{n:03d}"
            lines.append(f'{name},done,{1 + n // 2},"{{""kind"": ""none"", ""n"": {n}}}",40,1,0.5')
            (self.folder / name).mkdir()
            rows = [f"{step},{step / 40},{np.exp(-step * (n + 1) / 40)},{3 * np.exp(-step / 9)}" for step in range(41)]
            (self.folder / name / "history.csv").write_text("\n".join(["step,time,energy,enstrophy", *rows]) + "\n")
        self.path.write_text("\n".join(lines) + "\n")

    def test_draws_the_members_of_a_study(self):
        self.write_study(6)
        (self.folder / "member-003" / "history.csv").unlink()  # it broke down
        self.assertEqual(self.drawn(), {"members.png"})

    def test_says_what_is_wrong_with_a_study(self):
        self.write_study(2)
        right = self.path.read_text()
        for wrong, words in ((right.replace("member,outcome", "member,x"), ["the columns member and outcome"]),
                             (right.replace("member-001", "../elsewhere"), ["expected members named"]),
                             (right + "member-002\n", ["rows of equal length"]), ("", ["rows of equal length"])):
            self.path.write_text(wrong)
            self.refused(*words)
        self.path.write_text(right)
        (self.folder / "member-000" / "history.csv").write_text("step,time,energy,enstrophy\n1,2,x,4\n")
        self.refused("history.csv", "damaged")
        for n in range(2):
            (self.folder / f"member-{n:03d}" / "history.csv").unlink()
        self.refused("no member has a history")
        self.path.unlink()
        done = plot(self.path)
        self.assertEqual((done.returncode, done.stderr), (4, f"plot: {self.path}: no such file\n"))

    def test_draws_a_study_of_the_program(self):
        if KARMAN is None:
            self.skipTest("no program given")
        case = {"domain": {"points": [16, 16]}, "initial": {"kind": "random", "peak_wavenumber": 2}, "terms": {"viscosity": 0.1},
                "time": {"kind": "adaptive", "end": 1, "frames": 0}, "study": [{"initial.seed": [1, 2, 3]}]}
        (self.folder / "case.json").write_text(json.dumps(case))
        self.run_program(KARMAN, "turbulence", self.folder / "case.json", "--output", self.folder / "run")
        self.assertEqual(self.drawn(self.folder / "run" / "study.csv"), {"members.png"})

    def test_the_study_finds_the_saturation_time(self):
        if KARMAN is None:
            self.skipTest("no program given")
        out = self.folder / "study"
        words = (sys.executable, "-B", STUDY, "--karman", KARMAN, "--output", out, "--points", 20, "--wavenumber", 3, "--viscosities",
                 0.02, 0.015, "--seeds", 1)
        text = self.run_program(*words)
        self.assertIn("saturation time ~ Re^", text)
        with open(out / "saturation_time.csv", newline="") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual(len(rows), 2)
        for row in rows:
            # A single run of random forcing: the order of magnitude.
            self.assertTrue(0.3 < 2 * float(row["viscosity"]) * float(row["saturation_time"]) < 3, row)
        with Image.open(out / "saturation_time.png") as picture:
            self.assertGreater(len(set(picture.convert("RGB").getdata())), 15)
        # A study that is there is taken as it is.
        self.assertIn("member-001 (terms.viscosity 0.015, ", text)
        again = self.run_program(*words)
        self.assertEqual(again.splitlines(), text.splitlines()[-2:])
        (out / "condensation" / "study.csv").unlink()
        continued = self.run_program(*words)
        self.assertNotIn("member-001 (", continued)
        self.assertEqual(continued.splitlines()[-2:], again.splitlines())


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT / "tools"))
    sys.dont_write_bytecode = True
    if len(sys.argv) > 1 and not sys.argv[1].startswith("-") and "/" in sys.argv[1]:
        KARMAN = sys.argv.pop(1)
    unittest.main()
