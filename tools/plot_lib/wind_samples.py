# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Pedestrian maps and probes of `karman wind`."""

import numpy as np
from matplotlib.colors import Normalize, TwoSlopeNorm
from matplotlib.ticker import MaxNLocator

from . import style
from .sections import hatch_plants

SHOWN = 8
"""Lines in one picture: more could not be told apart."""

LINE_COLOURS = ("#0b6e74", "#c44e52", "#4c8fbd", "#e3b23c", "#6b4c9a", "#5b8c5a", "#8b5a2b", "#1d2733")


def faces_of(centres):
    """Cell faces around centres: halfway between them."""
    if len(centres) == 1:
        return np.array([centres[0] - 0.5, centres[0] + 0.5])
    middle = 0.5 * (centres[1:] + centres[:-1])
    return np.concatenate([[1.5 * centres[0] - 0.5 * centres[1]], middle, [1.5 * centres[-1] - 0.5 * centres[-2]]])


def draw_map(first, second, values, width, path, title, words, label, labels, norm=None, colour_map=style.WIND, vertical=False,
             ground=None, plants=(), compass=False, direction=None, view=None):
    """A map with the cells of buildings in grey, over a terrain with its contour lines; with arrows of north and wind."""
    first, second = faces_of(first), faces_of(second)
    panels = style.Panels(width, view or (first[0], first[-1], second[0], second[-1]), stretchable=vertical)
    axes = panels.axes[0]
    axes.set_facecolor(style.SOLID)
    image = axes.pcolormesh(first, second, np.ma.masked_invalid(values), norm=norm, cmap=colour_map, shading="flat", rasterized=True)
    draw_contours(axes, ground)
    hatch_plants(axes, plants)
    style.label_metres(axes, labels)
    if compass:
        panels.compass(direction)
    panels.colour_bar(image, label, extend="max")
    panels.title(title, words + style.stretch_note(panels))
    panels.save(path)


def draw_contours(axes, ground):
    """Contour lines of the heights of the ground, with their numbers."""
    if ground is None or np.ptp(ground["height"]) <= 0 or min(ground["height"].shape) < 2:
        return
    levels = MaxNLocator(6).tick_values(ground["height"].min(), ground["height"].max())[1:]
    lines = axes.contour(ground["x"], ground["y"], ground["height"], levels=levels, colors=style.GROUND_EDGE, linewidths=0.7)
    for text in axes.clabel(lines, fontsize=7.5, fmt="%g m"):
        text.set_clip_on(True)  # the map may show less than the ground


def speed_norm(values):
    return Normalize(0, style.upper(values))


def draw_pedestrian(wind, width, folder):
    """Speed and speed-up factor at the pedestrian height."""
    maps = wind.pedestrian()
    ground = wind.terrain()
    words = f"{maps['height']:.3g} m above the ground; buildings in grey{'; heights of the ground as lines' if ground else ''}"
    labels = ("x (m)", "y (m)")
    plants = wind.vegetation()
    view = style.view_of(faces_of(maps["x"]), faces_of(maps["y"]), style.disturbed(maps["speed"]), plants)
    words += "; vegetation hatched" if plants else ""
    draw_map(maps["x"], maps["y"], maps["speed"], width, folder.place("pedestrian_speed.png"), "Wind speed for pedestrians", words,
             "wind speed (m/s)", labels, speed_norm(maps["speed"]), ground=ground, plants=plants, compass=True,
             direction=wind.direction, view=view)
    folder.add("pedestrian_speed.png", "Pedestrian wind speed", f"Wind speed {maps['height']:.3g} m above the ground.", "wind")
    # White where the buildings change nothing.
    norm = TwoSlopeNorm(1.0, 0.0, max(1.1, style.upper(maps["speed_up"])))
    draw_map(maps["x"], maps["y"], maps["speed_up"], width, folder.place("pedestrian_speed_up.png"), "Speed-up factor for pedestrians",
             words, "speed over that of the undisturbed wind", labels, norm, style.SIGNED, ground=ground, plants=plants, compass=True,
             direction=wind.direction, view=view)
    folder.add("pedestrian_speed_up.png", "Speed-up factor", "Wind speed over that without buildings: red is faster, blue slower.", "wind")


def draw_lines(probes, width, path, title, labels, upright):
    """Speeds along lines: against the height, or against the distance."""
    inches = width / style.DPI
    figure = style.figure(inches, 5.2)
    left = 0.75 / inches
    axes = figure.add_axes([left, 0.13, 0.82 - left, 0.69])
    for probe, colour in zip(probes, LINE_COLOURS):
        along, speed = probe["along"], probe["speed"]
        axes.plot(*((speed, along) if upright else (along, speed)), color=colour, linewidth=1.8, label=probe["name"])
    axes.grid(True, color="#dfe3e7", linewidth=0.7)
    axes.set_xlabel(labels[0])
    axes.set_ylabel(labels[1])
    axes.set_xlim(left=0)
    axes.set_ylim(bottom=0)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    axes.legend(loc="center left", bbox_to_anchor=(1.01, 0.5), frameon=False)
    figure.text(left, 0.93, title, fontsize=13, fontweight="bold")
    figure.text(left, 0.87, "gaps are inside buildings", fontsize=9.5, color=style.SOFT)
    style.save(figure, path)


def along_the_wind(velocity):
    """Horizontal velocity along the direction that it has at the top of a vertical line; None without one there."""
    top = velocity[-1, :2]
    speed = np.hypot(*top)
    return velocity[:, :2] @ (top / speed) if np.isfinite(speed) and speed > 0 else None


def draw_components(probes, width, path):
    """The wind along its direction at the top, one panel for each vertical line: reversed flow shows left of the zero line."""
    found = [(probe, along_the_wind(probe["velocity"])) for probe in probes]
    found = [(probe, component) for probe, component in found if component is not None]
    if not found:
        return False
    inches = width / style.DPI
    figure = style.figure(inches, 4.6)
    left, right = 0.75 / inches, 0.985
    step = (right - left) / len(found)
    least = min(0.0, *(np.nanmin(component) for _, component in found))
    most = max(np.nanmax(component) for _, component in found)
    room = 0.05 * (most - least)
    for n, (probe, component) in enumerate(found):
        axes = figure.add_axes([left + n * step, 0.14, 0.9 * step, 0.64])
        axes.axvline(0, color=style.SOFT, linewidth=0.9)
        axes.plot(component, probe["along"], color=style.ACCENT, linewidth=1.8)
        axes.fill_betweenx(probe["along"], np.minimum(component, 0), 0, color="#c44e52", alpha=0.35, linewidth=0)
        axes.set_xlim(least - room, most + room)
        axes.set_ylim(bottom=0)
        axes.grid(True, color="#dfe3e7", linewidth=0.7)
        axes.set_title(probe["name"].replace("_", " "), fontsize=9)
        if n == 0:
            axes.set_ylabel("height (m)")
        else:
            axes.tick_params(labelleft=False)
    figure.text(left + (right - left) / 2, 0.025, "wind along its direction at the top (m/s)", ha="center")
    figure.text(left, 0.93, "Wind along its direction aloft", fontsize=13, fontweight="bold")
    figure.text(left, 0.87, "reversed flow in red; gaps are inside buildings", fontsize=9.5, color=style.SOFT)
    style.save(figure, path)
    return True


def draw_probes(wind, width, folder):
    """Two pictures for all vertical lines, one for all other lines, one for each plane."""
    probes = wind.probes()
    vertical = [probe for probe in probes if probe["kind"] == "vertical"][:SHOWN]
    lines = [probe for probe in probes if probe["kind"] == "line"][:SHOWN]
    if vertical:
        draw_lines(vertical, width, folder.place("probe_profiles.png"), "Wind speed over height", ("wind speed (m/s)", "height (m)"), True)
        folder.add("probe_profiles.png", "Profiles", "Wind speed along the vertical lines of the case.", "wind")
        if draw_components(vertical, width, folder.place("probe_components.png")):
            folder.add("probe_components.png", "Components", "Wind along its direction at the top of each vertical line.", "wind")
    if lines:
        draw_lines(lines, width, folder.place("probe_lines.png"), "Wind speed along lines", ("distance (m)", "wind speed (m/s)"), False)
        folder.add("probe_lines.png", "Lines", "Wind speed along the lines of the case.", "wind")
    for probe in [probe for probe in probes if probe["kind"] == "plane"][:SHOWN]:
        file = f"probe_{probe['name']}.png"
        first, second = probe["axes"]
        solids = "terrain and buildings" if wind.has("/terrain") else "buildings"
        words = f"plane {probe['axis']} = {style.metres(probe['position'])}; {solids} in grey"
        draw_map(probe[first], probe[second], probe["speed"], width, folder.place(file), f"Wind speed on {probe['name']}", words,
                 "wind speed (m/s)", (f"{first} (m)", f"{second} (m)"), speed_norm(probe["speed"]), vertical=second == "z")
        folder.add(file, f"Plane {probe['name']}", f"Wind speed on the {words.split(';')[0]}.", "wind")
