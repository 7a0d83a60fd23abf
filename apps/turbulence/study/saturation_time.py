#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Saturation time of the condensate against the Reynolds number, without friction: runs `karman turbulence` for several
viscosities and draws the figure. docs/turbulence.md has the result.

Random forcing of one mode at wavenumber k_f with the energy rate e. Re = e^(1/3) k_f^(-4/3) / viscosity. At the
saturation time the energy in |k| = 1 has reached 1 - 1/e of its last mean. It is 1 / (2 viscosity) if energy comes to
|k| = 1 at a constant rate from the start on.
"""

import argparse
import csv
import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent
TIMES = 5
"""Length of a run over 1 / (2 viscosity)."""


def parse():
    parser = argparse.ArgumentParser(description="Saturation time of the condensate against the Reynolds number.")
    parser.add_argument("--karman", default="karman", help="the command (default: karman on PATH)")
    parser.add_argument("--launcher", default="", help='words before the command, such as "mpirun -n 4"')
    parser.add_argument("--output", type=Path, default=Path("results/saturation_time"), help="folder of runs and figure")
    parser.add_argument("--points", type=int, default=48, help="points along each axis (default 48)")
    parser.add_argument("--wavenumber", type=float, default=5, help="k_f (default 5)")
    parser.add_argument("--energy-rate", type=float, default=1.0, help="e (default 1)")
    parser.add_argument("--viscosities", type=float, nargs="+", default=[0.014, 0.01, 0.007, 0.005, 0.0035, 0.0025])
    parser.add_argument("--seeds", type=int, nargs="+", default=[1, 2])
    return parser.parse_args()


def case_of(options):
    """All viscosities, each with its own end and all seeds."""
    viscosities = options.viscosities
    return {"title": "Condensation for several viscosities",
            "domain": {"points": [options.points, options.points]},
            "terms": {"viscosity": viscosities[0]},
            "initial": {"kind": "zero"},
            "forcing": {"kind": "single", "wavenumber": options.wavenumber, "width": 1, "energy_rate": options.energy_rate},
            "time": {"kind": "adaptive", "end": 1, "frames": 0},
            "outputs": {"history_every": 20},
            "study": [{"terms.viscosity": viscosities, "time.end": [TIMES / (2 * viscosity) for viscosity in viscosities]},
                      {"forcing.seed": options.seeds}]}


def run(options):
    """The folder of the members and the table of them. A study whose table is there, with the same case, is not repeated; an
    unfinished one continues."""
    case, folder = options.output / "condensation.json", options.output / "condensation"
    text = json.dumps(case_of(options), indent=1) + "\n"
    same = case.exists() and case.read_text() == text
    if not same or not (folder / "study.csv").exists():
        if not same:  # the files there belong to another case
            for name in ("study.csv", "study.checkpoint"):
                (folder / name).unlink(missing_ok=True)
        case.write_text(text)
        words = [*options.launcher.split(), options.karman, "turbulence", case, "--output", folder, "--overwrite"]
        if same and (folder / "study.checkpoint").exists():
            words += ["--restart", folder / "study.checkpoint"]
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            sys.exit(done.stderr.strip())
        print(done.stdout.strip(), flush=True)
    return folder, read_rows(folder / "study.csv")


def read_rows(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def curve(folder, row):
    """Times and energies of |k| = 1 of a member."""
    rows = read_rows(folder / row["member"] / "history.csv")
    return np.array([float(one["time"]) for one in rows]), np.array([float(one["lowest_energy"]) for one in rows])


def saturation(time, energy):
    """Mean of the last fifth of a run, and the time at which the energy first reaches 1 - 1/e of it."""
    even = np.linspace(0, time[-1], 4001)  # steps differ in length
    width = 41  # a hundredth of the run
    values = np.convolve(np.interp(even, time, energy), np.ones(width) / width, mode="valid")
    middle = even[width // 2 : len(even) - width // 2]
    limit = float(np.interp(even, time, energy)[-len(even) // 5 :].mean())
    return limit, float(middle[np.argmax(values >= (1 - np.exp(-1)) * limit)])


def draw(options, table, curves):
    os.environ.setdefault("MPLBACKEND", "Agg")
    import matplotlib.pyplot as plt  # after the choice of the backend
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

    figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4.4), dpi=160, layout="constrained")
    inks = plt.get_cmap("viridis")(np.linspace(0.05, 0.85, len(options.viscosities)))
    for ink, viscosity in zip(inks, options.viscosities):
        for n, (time, energy) in enumerate(curves[viscosity]):
            left.plot(2 * viscosity * time, energy, color=ink, linewidth=1.0, label=f"viscosity {viscosity:g}" if n == 0 else None)
    left.set_xlabel("2 viscosity t")
    left.set_ylabel("energy in |k| = 1")
    left.set_ylim(0, 1.35 * left.get_ylim()[1])
    left.legend(frameon=False, fontsize=8, ncols=2)
    reynolds, constants = table[:, 0], table[:, 2]
    right.loglog(reynolds, constants, "o", color="#c44e52", label="computed")
    ends = np.array([reynolds.min() / 1.2, reynolds.max() * 1.2])
    unit = options.energy_rate ** (1 / 3) * options.wavenumber ** (-4 / 3)
    right.loglog(ends, ends / (2 * unit), color="#1d2733", linewidth=1, label="1 / (2 viscosity)")
    right.set_xlabel("Re")
    right.set_ylabel("saturation time (s)")
    right.legend(frameon=False, fontsize=8)
    for axis in (right.xaxis, right.yaxis):
        axis.set_major_locator(LogLocator(subs=(1, 2, 5)))
        axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
        axis.set_minor_formatter(NullFormatter())
    for axes in (left, right):
        axes.grid(True, which="both", color="#e3e7ea", linewidth=0.6)
        axes.spines[["top", "right"]].set_visible(False)
    figure.savefig(options.output / "saturation_time.png")
    print(options.output / "saturation_time.png")


def main():
    options = parse()
    options.output.mkdir(parents=True, exist_ok=True)
    options.viscosities.sort(reverse=True)
    rows, curves = [], {viscosity: [] for viscosity in options.viscosities}
    folder, members = run(options)
    for member in members:
        viscosity = float(member["terms.viscosity"])
        reynolds = options.energy_rate ** (1 / 3) * options.wavenumber ** (-4 / 3) / viscosity
        curves[viscosity].append(curve(folder, member))
        rows.append((reynolds, viscosity, int(member["forcing.seed"]), *saturation(*curves[viscosity][-1])))
    table = np.array([(row[0], row[1], row[4]) for row in rows])
    with open(options.output / "saturation_time.csv", "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(("reynolds", "viscosity", "seed", "energy", "saturation_time"))
        writer.writerows(rows)
    slope = float(np.polyfit(np.log(table[:, 0]), np.log(table[:, 2]), 1)[0]) if len(options.viscosities) > 1 else float("nan")
    shares = ", ".join(f"{2 * viscosity * constant:.3f}" for _, viscosity, constant in table)
    print(f"saturation time ~ Re^{slope:.3f}; times 2 viscosity: {shares}")
    draw(options, table, curves)


if __name__ == "__main__":
    main()
