# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Pictures of a series of readings: a map of each time, and sensors and probes over time."""

from . import style
from .sweep_plots import draw_map, extent, height_words


def draw_time(series, n, top, width, path):
    panels = style.Panels(width, extent(series))
    image = draw_map(panels.axes[0], series, series.ratio(n), cmap=style.SPEED, vmin=0, vmax=top)
    panels.axes[0].set_xlabel("x (m)")
    panels.axes[0].set_ylabel("y (m)")
    panels.colour_bar(image, "speed (m/s)")
    mean = f"mean wind of {series.times['speed'][n]:.3g} m/s from {series.times['direction'][n]:.0f} degrees"
    panels.title(f"{series.times['time'][n]:g} h, {mean}", f"{series.title}; {height_words(series)}")
    panels.save(path)


def draw_history(series, width, path):
    """Speeds of sensors and probes above, directions of the sensors below."""
    time = series.times["time"]
    names, readings = series.readings()
    figure = style.plt.figure(figsize=(width / style.DPI, 0.62 * width / style.DPI), dpi=style.DPI)
    speed = figure.add_axes([0.08, 0.46, 0.66, 0.38])
    direction = figure.add_axes([0.08, 0.10, 0.66, 0.28], sharex=speed)
    for s, name in enumerate(names):
        line, = speed.plot(time, readings[:, s, 0], "o--", markersize=4, linewidth=1.2, label=f"sensor {name}")
        direction.plot(time, readings[:, s, 1], "o", markersize=4, color=line.get_color())
    for name, values in series.probes():
        speed.plot(time, values, "-", linewidth=2, label=f"probe {name}")
    speed.set_ylabel("speed (m/s)")
    speed.set_ylim(bottom=0)
    speed.tick_params(labelbottom=False)
    speed.legend(loc="upper left", bbox_to_anchor=(1.02, 1), frameon=False, fontsize=8.5)
    direction.set_ylabel("from (degrees)")
    direction.set_ylim(0, 360)
    direction.set_yticks([0, 90, 180, 270, 360])
    direction.set_xlabel("time (h)")
    for axes in (speed, direction):
        axes.grid(True, color="#e3e7ea", linewidth=0.7)
        for side in ("top", "right"):
            axes.spines[side].set_visible(False)
    figure.text(0.06, 0.93, "Sensors and probes over time", fontsize=13, fontweight="bold")
    figure.text(0.06, 0.885, series.title, fontsize=9.5, color=style.SOFT)
    style.save(figure, path)


def draw_all(series, options, folder):
    small = max(600, round(0.62 * options.width))
    draw_history(series, options.width, folder.place("history.png"))
    folder.add("history.png", "Sensors and probes over time", "Readings, and the speed at the probes with one sample.", "hero")
    count = len(series.times["time"])
    top = max(style.upper(series.ratio(n)) for n in range(count))
    for n in range(count):
        file = f"time_{n:04d}.png"
        draw_time(series, n, top, small, folder.place(file))
        folder.add(file, f"{series.times['time'][n]:g} h", "Speed at the height of the maps.", "times")
