# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Horizontal and vertical slices of the fields."""

from dataclasses import dataclass, replace

import numpy as np
from matplotlib.collections import LineCollection
from matplotlib.colors import BoundaryNorm, ListedColormap, LogNorm
from matplotlib.patches import Patch, PathPatch
from matplotlib.path import Path

from . import streamlines, style
from .wind_file import AIR, FLAGS, SOLID, TERRAIN


@dataclass
class Section:
    """One plane of the grid: its cells and its axes in the picture."""

    index: dict  # {"k": ...} or {"j": ...}, with slices of "j" and "i" for a part of a plan
    first: np.ndarray  # cell faces along the picture's x axis
    second: np.ndarray  # cell faces along its y axis
    components: tuple  # of the velocity, along the two axes
    labels: tuple
    words: str

    @property
    def vertical(self):
        return "k" not in self.index

    @property
    def extent(self):
        return (self.first[0], self.first[-1], self.second[0], self.second[-1])


def horizontal(wind, height):
    k = wind.layer_at(height)
    centre = wind.centres("z")[k] - wind.z[0]
    words = f"z = {centre:.3g} m" if wind.has("/terrain") else f"{centre:.3g} m above the ground"
    return Section({"k": k}, wind.x, wind.y, (0, 1), ("x (m)", "y (m)"), words)


def vertical(wind, y):
    centres = wind.centres("y")
    j = int(np.argmin(np.abs(centres - y)))
    return Section({"j": j}, wind.x, wind.z, (0, 2), ("x (m)", "z (m)"), f"vertical section at y = {style.metres(centres[j])}")


def slices_within(section, box):
    """Rows and columns of the cells of a section inside a box (left, right, bottom, top)."""
    columns, rows = (slice(int(max(0, np.searchsorted(faces, low, side="right") - 1)), int(np.searchsorted(faces, high, side="left")))
                     for faces, low, high in ((section.first, *box[:2]), (section.second, *box[2:])))
    return rows, columns


def near_buildings(wind, section):
    """The part of a plan with buildings, plants and the wind that they disturb: without the open field around them."""
    flags, mask = wind.flags(**section.index), solid_mask(wind, section)
    if wind.has_velocity():
        speed = np.linalg.norm(wind.velocity(**section.index), axis=-1)
        shown = style.disturbed(speed if mask is None else np.where(mask, np.nan, speed))
    elif flags is not None:
        shown = flags != AIR
    else:
        return section
    rows, columns = slices_within(section, style.view_of(section.first, section.second, shown, wind.vegetation()))
    return replace(section, index={**section.index, "j": rows, "i": columns}, first=section.first[columns.start:columns.stop + 1],
                   second=section.second[rows.start:rows.stop + 1])


def solid_mask(wind, section):
    flags = wind.flags(**section.index)
    return None if flags is None else (flags == SOLID) | (flags == TERRAIN)


def ground_mask(wind, section):
    flags = wind.flags(**section.index)
    return None if flags is None else flags == TERRAIN


def mesh(axes, section, values, **options):
    return axes.pcolormesh(section.first, section.second, values, shading="flat", rasterized=True, **options)


def draw_solid(axes, section, mask, ground=None):
    """Buildings in grey and terrain in brown with an outline, so that they read as solid on any colour map."""
    if mask is None or not mask.any():
        return
    buildings = mask if ground is None else mask & ~ground
    for part, colour, edge in ((ground, style.GROUND, style.GROUND_EDGE), (buildings, style.SOLID, style.SOLID_EDGE)):
        if part is None or not part.any():
            continue
        shown = np.where(part, 1.0, np.nan)
        mesh(axes, section, shown, cmap=ListedColormap([colour]), vmin=0, vmax=1, zorder=3)
        axes.add_collection(LineCollection(outline(section, part), colors=edge, linewidths=0.7, zorder=4, capstyle="round"))


def outline_path(rings):
    """Closed rings as one path: holes stay open."""
    vertices = np.concatenate([np.concatenate([ring, ring[:1]]) for ring in rings])
    codes = np.concatenate([[Path.MOVETO] + [Path.LINETO] * (len(ring) - 1) + [Path.CLOSEPOLY] for ring in rings])
    return Path(vertices, codes)


def hatch_plants(axes, plants):
    """Footprints of plants, lists of rings, in green hatching: one path for all, as there may be thousands."""
    if plants:
        path = outline_path([ring for rings in plants for ring in rings])
        axes.add_patch(PathPatch(path, facecolor="none", edgecolor=style.LEAVES, linewidth=0.7, hatch="////", zorder=2.5))


def draw_vegetation(axes, wind, section):
    """Hatching on horizontal sections."""
    if not section.vertical:
        hatch_plants(axes, wind.vegetation())


def outline(section, mask):
    """The faces between solid and other cells, as segments."""
    across = np.diff(np.pad(mask, ((0, 0), (1, 1))).astype(int), axis=1) != 0
    along = np.diff(np.pad(mask, ((1, 1), (0, 0))).astype(int), axis=0) != 0
    segments = [[(section.first[i], section.second[j]), (section.first[i], section.second[j + 1])]
                for j, i in zip(*np.nonzero(across))]
    return segments + [[(section.first[i], section.second[j]), (section.first[i + 1], section.second[j])]
                       for j, i in zip(*np.nonzero(along))]


def label_axes(axes, section):
    style.label_metres(axes, section.labels)


def even_axis(faces, limit=400):
    """Equidistant points for streamlines, no denser than visible."""
    count = int(min(limit, max(8, len(faces) - 1)))
    step = (faces[-1] - faces[0]) / count
    return faces[0] + step * (np.arange(count) + 0.5)


def on_even_points(section, values):
    """The nearest cell's value on equidistant points."""
    first, second = even_axis(section.first), even_axis(section.second)
    columns = np.clip(np.searchsorted(section.first, first, side="right") - 1, 0, values.shape[1] - 1)
    rows = np.clip(np.searchsorted(section.second, second, side="right") - 1, 0, values.shape[0] - 1)
    return first, second, values[np.ix_(rows, columns)]


STILL = 0.06
"""Where the air hardly moves, streamlines would only tangle: none below this share of the colour scale."""

WIND_LINE_COLOURS = ((0.11, 0.15, 0.20, 0.55), (1.0, 1.0, 1.0, 0.75))
"""On style.WIND, whose fast colours are dark: slow and fast."""
DARK_SHARE = 0.45
"""Part of style.WIND that is dark."""


def shade_of(speed, fastest):
    """Numbers of WIND_LINE_COLOURS at grid coordinates: white lines on dark colours, dark lines on light ones."""
    return lambda points: (streamlines.at(speed, points) >= (1 - DARK_SHARE) * fastest).astype(int)


def stream_pieces(section, velocity, mask, fastest, stretch=1):
    """Streamlines of the components in the plane, as streamlines.pieces; empty in still air."""
    speed = np.linalg.norm(velocity, axis=-1)
    along, across = (velocity[..., component] for component in section.components)
    still = np.hypot(along, across) < STILL * fastest
    hidden = still if mask is None else still | mask
    along, across = np.where(hidden, np.nan, along), np.where(hidden, np.nan, across)
    first, second, u = on_even_points(section, along)
    _, _, v = on_even_points(section, across)
    if np.nanmax(np.hypot(u, v), initial=0.0) <= 0:
        return [], []
    height = (section.second[-1] - section.second[0]) * stretch
    ratio = height / (section.first[-1] - section.first[0])
    shade = shade_of(on_even_points(section, speed)[2], fastest)
    return streamlines.pieces(first, second, u, v, shade, (2.0, min(4.0, max(0.7, 2.0 * ratio))))


def draw_speed(wind, section, width, path, title):
    velocity = wind.velocity(**section.index)
    speed = np.linalg.norm(velocity, axis=-1)
    mask = solid_mask(wind, section)
    panels = style.Panels(width, section.extent, stretchable=section.vertical)
    axes = panels.axes[0]
    fluid = speed if mask is None else np.where(mask, np.nan, speed)
    fastest = style.upper(fluid)
    image = mesh(axes, section, fluid, cmap=style.WIND, vmin=0, vmax=fastest)
    streamlines.draw(axes, *stream_pieces(section, velocity, mask, fastest, panels.stretch), WIND_LINE_COLOURS)
    draw_vegetation(axes, wind, section)
    draw_solid(axes, section, mask, ground_mask(wind, section))
    label_axes(axes, section)
    if not section.vertical:
        panels.compass(wind.direction)
    panels.colour_bar(image, "wind speed (m/s)", extend="max")
    panels.title(title, f"{section.words}; streamlines of the components in the plane{style.stretch_note(panels)}")
    panels.save(path)


def draw_lambda(wind, section, width, path):
    values = wind.cells("lambda", **section.index)
    limit = style.upper(np.abs(values))
    panels = style.Panels(width, section.extent, stretchable=section.vertical)
    axes = panels.axes[0]
    image = mesh(axes, section, values, cmap=style.SIGNED, vmin=-limit, vmax=limit)
    if np.ptp(values) > 0:
        centres = [0.5 * (f[1:] + f[:-1]) for f in (section.first, section.second)]
        levels = limit * np.array([-0.8, -0.6, -0.4, -0.2, 0.2, 0.4, 0.6, 0.8])
        axes.contour(*centres, values, levels=levels, colors="#1d273355", linewidths=0.6, zorder=2)
    draw_solid(axes, section, solid_mask(wind, section), ground_mask(wind, section))
    label_axes(axes, section)
    panels.colour_bar(image, "Lagrange multiplier (m²/s)", extend="both")
    panels.title("Lagrange multiplier", section.words + style.stretch_note(panels))
    panels.save(path)


def draw_divergence(wind, section, width, path):
    names = [n for n in ("divergence_before", "divergence_after") if wind.has(f"/cells/{n}")]
    mask = solid_mask(wind, section)
    values = [np.abs(wind.cells(name, **section.index)) for name in names]
    if mask is not None:
        values = [np.where(mask, np.nan, v) for v in values]
    largest = max((float(np.nanmax(v, initial=0.0)) for v in values), default=0.0)
    top = 10.0 ** np.ceil(np.log10(largest)) if largest > 0 else 1.0
    # Two decades below the largest remainder: they show its structure, and the noise of single precision.
    remainder = float(np.nanmax(values[-1], initial=0.0))
    bottom = max(top * 1e-10, min(top * 1e-3, 10.0 ** np.floor(np.log10(remainder)) * 1e-2 if remainder > 0 else top * 1e-8))
    panels = style.Panels(width, section.extent, count=len(names))
    for n, name in enumerate(names):
        axes = panels.axes[n]
        image = mesh(axes, section, np.maximum(values[n], bottom), cmap=style.MAGNITUDE, norm=LogNorm(bottom, top))
        draw_solid(axes, section, mask, ground_mask(wind, section))
        label_axes(axes, section)
        if n > 0:
            axes.set_ylabel("")
        when = "first guess" if name.endswith("before") else "after the solve"
        axes.set_title(f"{when}: at most {float(np.nanmax(values[n], initial=0.0)):.2g} 1/s", loc="left", fontsize=9.5, pad=4)
    panels.colour_bar(image, "|divergence| (1/s)")
    panels.title("Divergence before and after", section.words)
    for text, y in zip(panels.figure.texts, (0.26, 0.48)):
        text.set_y(1 - y / panels.height)
    panels.save(path)


def draw_flags(wind, section, width, path):
    flags = wind.flags(**section.index)
    present = [code for code in FLAGS if (flags == code).any()]
    codes = sorted(FLAGS)
    colours = ListedColormap([style.FLAG_COLOURS[code] for code in codes])
    ranks = np.searchsorted(codes, np.clip(flags, min(codes), max(codes)))
    view = section.extent if section.vertical else style.view_of(section.first, section.second, flags != AIR, wind.vegetation())
    panels = style.Panels(width, view, stretchable=section.vertical)
    axes = panels.axes[0]
    mesh(axes, section, ranks, cmap=colours, norm=BoundaryNorm(np.arange(-0.5, len(codes)), len(codes)))
    draw_vegetation(axes, wind, section)
    draw_solid(axes, section, (flags == SOLID) | (flags == TERRAIN), flags == TERRAIN)
    label_axes(axes, section)
    handles = [Patch(facecolor=style.FLAG_COLOURS[code], edgecolor="#9aa3ad", linewidth=0.6, label=FLAGS[code])
               for code in present]
    axes.legend(handles=handles, loc="center left", bbox_to_anchor=(1.012, 0.5), frameon=False, handlelength=1.1,
                borderaxespad=0, fontsize=8.5, handletextpad=0.6)
    if not section.vertical:
        panels.compass(wind.direction)
    panels.title("Which zone each cell belongs to", section.words + style.stretch_note(panels))
    panels.save(path)
