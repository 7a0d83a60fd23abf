# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Pictures of a series of readings: a map of each time, and sensors and probes over time."""

import numpy as np

from . import style
from .sweep_plots import draw_winds


def title_of(series, n):
    mean = f"mean wind of {series.winds['speed'][n]:.3g} m/s from {series.winds['direction'][n]:.0f} degrees"
    return f"{series.winds['time'][n]:g} h, {mean}"


def draw_history(series, width, path):
    """Speeds of sensors and probes above, directions of the sensors below."""
    time = series.winds["time"]
    names, readings = series.readings()
    figure = style.figure(width / style.DPI, 0.62 * width / style.DPI)
    speed = figure.add_axes([0.08, 0.46, 0.66, 0.38])
    direction = figure.add_axes([0.08, 0.10, 0.66, 0.28], sharex=speed)
    for s, name in enumerate(names):
        line, = speed.plot(time, readings[:, s, 0], "o--", markersize=4, linewidth=1.2, label=f"sensor {name}")
        # A calm has no direction.
        from_where = np.where(readings[:, s, 0] > 0, readings[:, s, 1], np.nan)
        direction.plot(time, from_where, "o", markersize=4, color=line.get_color())
    for name, values in series.probes():
        speed.plot(time, values, "-", linewidth=2, label=f"probe {name}")
    speed.set_ylabel("speed (m/s)")
    speed.set_ylim(bottom=0)
    speed.tick_params(labelbottom=False)
    speed.legend(loc="upper left", bbox_to_anchor=(1.02, 1), frameon=False, fontsize=8.5)
    direction.set_ylabel("from (degrees)")
    direction.set_ylim(0, 360)
    direction.set_yticks([0, 90, 180, 270, 360])
    direction.set_xlabel(f"hours since {series.start}" if series.start else "time (h)")
    for axes in (speed, direction):
        axes.grid(True, color="#e3e7ea", linewidth=0.7)
        for side in ("top", "right"):
            axes.spines[side].set_visible(False)
    figure.text(0.06, 0.93, "Sensors and probes over time", fontsize=13, fontweight="bold")
    figure.text(0.06, 0.885, series.title, fontsize=9.5, color=style.SOFT)
    style.save(figure, path)


def draw_all(series, options, folder):
    draw_history(series, options.width, folder.place("history.png"))
    folder.add("history.png", "Sensors and probes over time", "Readings, and the speed at the probes with one sample.", "hero")
    draw_winds(series, options, folder, "speed (m/s)", lambda n: title_of(series, n),
               lambda n: (f"time_{n:04d}.png", f"{series.winds['time'][n]:g} h", "Speed at the height of the maps.", "times"))
