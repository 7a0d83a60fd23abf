# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Pictures of a sweep over a wind rose: where it is too windy, the rose, and each direction."""

import functools

import numpy as np
from matplotlib.colors import BoundaryNorm, ListedColormap

from . import style
from .wind_samples import draw_contours

# Light and calm to dark and windy, apart in grey print.
CLASS_COLOURS = ["#e8f1dc", "#a9d3a5", "#f0c65a", "#dd7a3b", "#8c1c2c"]
DANGER_COLOURS = ["#f1f3f4", "#f0a860", "#8c1c2c"]
LAWSON = ["sitting", "standing", "strolling", "business\nwalking", "uncom-\nfortable"]
NEN = ["A", "B", "C", "D", "E"]
DANGER = ["none", "limited\nrisk", "dangerous"]


@functools.lru_cache(maxsize=1)
def extent(maps):
    """The buildings and the wakes of all winds, without the open field around them."""
    shown = np.zeros((len(maps.y) - 1, len(maps.x) - 1), dtype=bool)
    for n in range(len(maps)):
        shown |= style.disturbed(maps.speed(n))
    return style.view_of(maps.x, maps.y, shown)


def draw_map(axes, sweep, values, **options):
    image = axes.pcolormesh(sweep.x, sweep.y, values, shading="flat", rasterized=True, **options)
    solid = np.where(np.isnan(values), 1.0, np.nan)
    axes.pcolormesh(sweep.x, sweep.y, solid, cmap=ListedColormap([style.SOLID]), vmin=0, vmax=1, shading="flat", rasterized=True)
    draw_contours(axes, sweep.terrain())
    return image


def height_words(sweep):
    return f"{float(sweep.attribute('height', 0)):g} m above the ground"


def draw_classes(sweep, name, words, colours, title, subtitle, width, path):
    panels = style.Panels(width, extent(sweep))
    norm = BoundaryNorm(np.arange(len(words) + 1) - 0.5, len(words))
    image = draw_map(panels.axes[0], sweep, sweep.map(name), cmap=ListedColormap(colours), norm=norm)
    style.label_metres(panels.axes[0], ("x (m)", "y (m)"))
    panels.compass()
    bar = panels.colour_bar(image, "", ticks=range(len(words)))
    bar.ax.set_yticklabels(words, fontsize=8)
    panels.title(title, subtitle)
    panels.save(path)


def draw_winds(maps, options, folder, label, title, entry):
    """The map of every wind. `title(n)`: its words; `entry(n)`: file, name, words and group in the overview."""
    top, view = max(style.upper(maps.speed(n)) for n in range(len(maps))), extent(maps)
    for n in range(len(maps)):
        file, *words = entry(n)
        panels = style.Panels(max(600, round(0.62 * options.width)), view)
        image = draw_map(panels.axes[0], maps, maps.speed(n), cmap=style.WIND, vmin=0, vmax=top)
        style.label_metres(panels.axes[0], ("x (m)", "y (m)"))
        panels.compass(maps.winds["direction"][n])
        panels.colour_bar(image, label)
        panels.title(title(n), f"{maps.title}; {height_words(maps)}")
        panels.save(folder.place(file))
        folder.add(file, *words)


def draw_rose(sweep, width, path):
    """Bars of the frequencies, divided by the speed of the wind."""
    table = sweep.winds
    figure = style.figure(width / style.DPI, width / style.DPI)
    axes = figure.add_axes([0.08, 0.06, 0.62, 0.76], projection="polar")
    axes.set_theta_zero_location("N")
    axes.set_theta_direction(-1)
    limits = [0, 2, 4, 6, 8, 10, np.inf]
    angle = np.radians(table["direction"])
    bar = 0.9 * 2 * np.pi / max(len(angle), 4)
    below = np.zeros(len(angle))
    shades = style.WIND(np.linspace(0.05, 0.9, len(limits) - 1))
    with np.errstate(over="ignore"):
        for low, high, shade in zip(limits[:-1], limits[1:], shades):
            share = np.exp(-((low / table["scale"]) ** table["shape"])) - np.exp(-((high / table["scale"]) ** table["shape"]))
            part = 100 * table["frequency"] * share
            label = f"{low:g} to {high:g} m/s" if np.isfinite(high) else f"above {low:g} m/s"
            axes.bar(angle, part, width=bar, bottom=below, color=shade, edgecolor="white", linewidth=0.5, label=label)
            below += part
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:g} %")
    axes.legend(loc="center left", bbox_to_anchor=(1.1, 0.5), frameon=False, fontsize=8.5)
    figure.text(0.06, 0.95, "Wind rose", fontsize=13, fontweight="bold")
    height = float(sweep.attribute("reference_height", 10))
    figure.text(0.06, 0.915, f"where the wind comes from, {height:g} m above the ground", fontsize=9.5, color=style.SOFT)
    style.save(figure, path)


def draw_all(sweep, options, folder):
    width = options.width
    small = max(600, round(0.62 * width))
    if sweep.has_comfort:
        draw_classes(sweep, "/comfort/lawson", LAWSON, CLASS_COLOURS, "Where it is too windy to sit",
                     f"{sweep.title}; {height_words(sweep)}; calmest activity after Lawson (1990)", width, folder.place("comfort.png"))
        folder.add("comfort.png", "Where it is too windy to sit", "Lawson's classes: the speed of each is exceeded for 5 % of the time at "
                   "most.", "hero")
        draw_classes(sweep, "/comfort/nen8100", NEN, CLASS_COLOURS, "Classes of NEN 8100",
                     f"{height_words(sweep)}; by the time above 5 m/s", small, folder.place("nen8100.png"))
        folder.add("nen8100.png", "NEN 8100", "A: calm enough to sit, E: poor for walking.", "wind")
        draw_classes(sweep, "/comfort/danger", DANGER, DANGER_COLOURS, "Danger of wind",
                     f"{height_words(sweep)}; by the time above 15 m/s, NEN 8100", small, folder.place("danger.png"))
        folder.add("danger.png", "Danger", "Limited risk from 0.05 % of the year above 15 m/s on, dangerous from 0.3 % on.", "wind")
        draw_rose(sweep, small, folder.place("rose.png"))
        folder.add("rose.png", "The wind rose", "Frequencies and speeds of the case.", "wind")
    direction = sweep.winds["direction"]
    draw_winds(sweep, options, folder, "speed over the reference speed", lambda n: f"Wind from {direction[n]:g} degrees",
               lambda n: (f"direction_{n:03d}.png", f"From {direction[n]:g} degrees", "Speed over the reference speed.", "directions"))
