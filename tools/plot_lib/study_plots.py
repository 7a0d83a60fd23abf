# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Pictures of a parameter study: energy and enstrophy of every member over time."""

import numpy as np
from matplotlib import colormaps

from . import style
from .output_file import PlotError
from .turbulence_plots import two_axes

DASHES = ("solid", "dashed", "dotted", "dashdot")
MOST_NAMED = 14
NEEDED = ("time", "energy", "enstrophy")


def draw_histories(file, options, folder):
    """A colour for each value of the key that varies slowest; members of the same colour differ in their dashes."""
    shown = [(row, history) for row, history in ((row, file.history(row)) for row in file.rows)
             if all(name in history for name in NEEDED)]
    if not shown:
        raise PlotError(f"{file.path}: no member has a history")
    values = list(dict.fromkeys(row[2] for row in file.rows))
    inks = dict(zip(values, colormaps.get_cmap("viridis")(np.linspace(0.05, 0.85, len(values)))))
    labels = [("t (s)", "energy (m²/s²)"), ("t (s)", "enstrophy (1/s²)")]
    figure, both = two_axes(options, "Members of the study", f"{len(file.rows)} members: {', '.join(file.paths)}", labels)
    drawn = dict.fromkeys(values, 0)
    for row, history in shown:
        dashes = DASHES[drawn[row[2]] % len(DASHES)]
        drawn[row[2]] += 1
        for axes, name in zip(both, NEEDED[1:]):
            axes.plot(history["time"], history[name], color=inks[row[2]], linestyle=dashes, linewidth=1.5, label=file.words(row))
    both[0].set_ylim(bottom=0)
    if all(np.all(history["enstrophy"] > 0) for _, history in shown):
        both[1].set_yscale("log")
    if len(shown) <= MOST_NAMED:
        both[1].legend(frameon=False, fontsize=7.5)
    style.save(figure, folder.place("members.png"))
    folder.add("members.png", "Members", "Energy and enstrophy of every member over time.", "history")


def draw_all(file, options, folder):
    draw_histories(file, options, folder)
