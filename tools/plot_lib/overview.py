# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Oblique view of the buildings, on a map of the wind near the ground."""

import numpy as np
from matplotlib.collections import LineCollection, PathCollection, PolyCollection
from matplotlib.path import Path

from . import sections, style
from .wind_file import SOLID, TERRAIN

# Oblique projection: depth goes up and to the right, heights straight up.
SHIFT, DEPTH = 0.38, 0.52
TOP, SOUTH, EAST = np.array([0.93, 0.93, 0.92]), np.array([0.74, 0.75, 0.76]), np.array([0.58, 0.60, 0.62])
EDGE = "#4a4f55"


def project(points):
    """(n, 3) points to the picture."""
    x, y, z = np.asarray(points, dtype=float).T
    return np.stack([x + SHIFT * y, DEPTH * y + z], axis=-1)


def convex_hull(points):
    points = sorted(map(tuple, points))

    def half(sequence):
        chain = []
        for p in sequence:
            while len(chain) > 1 and ((chain[-1][0] - chain[-2][0]) * (p[1] - chain[-2][1])
                                      <= (chain[-1][1] - chain[-2][1]) * (p[0] - chain[-2][0])):
                chain.pop()
            chain.append(p)
        return chain[:-1]

    return np.array(half(points) + half(reversed(points)))


def walls(building):
    """Visible sides as (polygon, colour), the farthest first; sides of open courts included."""
    low, high = building.base, building.base + building.height
    shown = []
    for ring in (building.corners(), *building.holes):
        for a, b in zip(ring, np.roll(ring, -1, axis=0)):
            normal = np.array([b[1] - a[1], a[0] - b[0]])
            length = np.hypot(*normal)
            # The eye looks along (-SHIFT, 1) over the ground.
            if length == 0 or normal @ np.array([-SHIFT, 1.0]) >= 0:
                continue
            mix = np.clip(normal[0] / length, 0, 1) ** 2
            polygon = project([(*a, low), (*b, low), (*b, high), (*a, high)])
            shown.append((SHIFT * (a[0] + b[0]) - (a[1] + b[1]), polygon, (1 - mix) * SOUTH + mix * EAST))
    return [(polygon, colour) for _, polygon, colour in sorted(shown, key=lambda wall: wall[0])]


def roof(building):
    """The roof as one path; courts are holes, as they run the other way round."""
    high = building.base + building.height
    rings = [project(np.column_stack([ring, np.full(len(ring), high)])) for ring in (building.corners(), *building.holes)]
    return Path.make_compound_path(*(Path(np.vstack([ring, ring[:1]]), closed=True) for ring in rings))


def painting_order(buildings):
    """The buildings, farthest first; one above another comes after it. The eye looks along (-SHIFT, 1)."""
    depths = [SHIFT * b.x - b.y for b in buildings]
    boxes = [(b.corners().min(axis=0), b.corners().max(axis=0)) for b in buildings]
    for n in sorted(range(len(buildings)), key=lambda n: buildings[n].base):
        if buildings[n].base == 0:
            continue
        below = [depths[m] for m, other in enumerate(buildings)
                 if m != n and other.base + other.height <= buildings[n].base * (1 + 1e-9)
                 and np.all(boxes[m][0] < boxes[n][1]) and np.all(boxes[n][0] < boxes[m][1])]
        depths[n] = max([depths[n], *(np.nextafter(depth, np.inf) for depth in below)])
    return [buildings[n] for n in sorted(range(len(buildings)), key=lambda n: depths[n])]


def shadow(building, ground_height):
    """The shadow on the ground, the sun in the south-west."""
    ground = building.corners()
    reach = 0.55 * building.height * np.array([0.8, 0.6])
    hull = convex_hull(np.concatenate([ground, ground + reach]))
    return project(np.column_stack([hull, ground_height(hull)]))


class Ground:
    """Heights of the ground: from the file, or zero."""

    def __init__(self, wind):
        self.terrain = wind.terrain()

    def __call__(self, points):
        """Bilinear between the centres of the columns, constant beyond them."""
        if self.terrain is None:
            return np.zeros(len(points))
        places = []
        for axis, values in zip("xy", np.asarray(points, dtype=float).T):
            centres = self.terrain[axis]
            place = np.interp(values, centres, np.arange(len(centres)))
            low = np.minimum(place.astype(int), max(0, len(centres) - 2))
            places.append((low, np.minimum(low + 1, len(centres) - 1), place - low))
        (i, i_next, a), (j, j_next, b) = places
        h = self.terrain["height"]
        return (1 - b) * ((1 - a) * h[j, i] + a * h[j, i_next]) + b * ((1 - a) * h[j_next, i] + a * h[j_next, i_next])


def view_box(wind, buildings):
    """The part of the ground that is shown: the buildings with some room, or everything."""
    whole = (wind.x[0], wind.x[-1], wind.y[0], wind.y[-1])
    if not buildings:
        return whole
    corners = np.concatenate([b.corners() for b in buildings])
    low, high = corners.min(axis=0), corners.max(axis=0)
    room = 1.3 * max(b.height for b in buildings)
    room = max(room, 0.12 * float(max(high - low)))
    return (max(whole[0], low[0] - room), min(whole[1], high[0] + room),
            max(whole[2], low[1] - room), min(whole[3], high[1] + room))


def ground_streamlines(section, velocity, mask, fastest, ground_height):
    """Streamlines of the ground section, projected."""
    found, _ = sections.stream_pieces(section, velocity, mask, fastest)
    projected = [project(np.column_stack([points, ground_height(points)])) for points, _ in found]
    return LineCollection(projected, colors=[sections.WIND_LINE_COLOURS[shade] for _, shade in found], linewidths=0.7, zorder=2)


def nice_length(limit):
    """The largest 1, 2 or 5 times a power of ten up to `limit`."""
    power = 10.0 ** np.floor(np.log10(limit))
    return max(n * power for n in (1, 2, 5) if n * power <= limit)


def hills(section, ground_height):
    """All corners of cells of a section on the ground, in the picture."""
    corners = np.stack(np.meshgrid(section.first, section.second), axis=-1).reshape(-1, 2)
    return project(np.column_stack([corners, ground_height(corners)]))


def cut(section, box):
    """The cells of a horizontal section inside the box, as slices of rows and columns and the section of them."""
    rows, columns = sections.slices_within(section, box)
    part = sections.Section(section.index, section.first[columns.start:columns.stop + 1], section.second[rows.start:rows.stop + 1],
                            section.components, section.labels, section.words)
    return rows, columns, part


def draw(wind, section, width, path):
    buildings = wind.buildings()
    rows, columns, part = cut(section, view_box(wind, buildings))
    ground = Ground(wind)
    words = section.words
    if ground.terrain is None:
        velocity = wind.velocity(**section.index)
        mask = sections.solid_mask(wind, section)
    else:
        heights = ground.terrain["height"]
        if heights.shape != (len(wind.y) - 1, len(wind.x) - 1):
            heights = ground(np.stack(np.meshgrid(wind.centres("x"), wind.centres("y")), axis=-1).reshape(-1, 2))
            heights = heights.reshape(len(wind.y) - 1, len(wind.x) - 1)
        velocity, flags = wind.over_ground(heights)
        mask = None if flags is None else (flags == SOLID) | (flags == TERRAIN)
        words = "over the ground"
    velocity = velocity[rows, columns]
    speed = np.linalg.norm(velocity, axis=-1)
    mask = None if mask is None else mask[rows, columns]
    fluid = speed if mask is None else np.where(mask, np.nan, speed)

    fastest = style.upper(fluid)

    left, right, south, north = part.extent
    corners = np.array([(left, south), (right, south), (right, north), (left, north)])
    frame = project(np.column_stack([corners, ground(corners)]))
    outlines = np.concatenate([frame, hills(part, ground)] + [polygon for b in buildings for polygon, _ in walls(b)]
                              + [roof(b).vertices for b in buildings])
    (x0, y0), (x1, y1) = outlines.min(axis=0), outlines.max(axis=0)
    y1 += 0.005 * (x1 - x0)
    inches = width / style.DPI
    room = inches - 0.5
    scale = room / (x1 - x0)
    top, bottom = 0.80, 0.98
    height = (y1 - y0) * scale + top + bottom
    figure = style.figure(inches, height)
    axes = figure.add_axes([0.25 / inches, bottom / height, room / inches, (y1 - y0) * scale / height])
    axes.set_xlim(x0, x1)
    axes.set_ylim(y0, y1)
    axes.axis("off")

    # Cells on the ground as one mesh in projected coordinates.
    gx, gy = np.meshgrid(part.first, part.second)
    gz = ground(np.stack([gx, gy], axis=-1).reshape(-1, 2)).reshape(gx.shape)
    px, py = gx + SHIFT * gy, DEPTH * gy + gz
    colour_map = style.WIND.copy()
    colour_map.set_bad(style.SOLID)
    # Over hills the northern rows first, which they hide.
    order = slice(None, None, 1 if ground.terrain is None else -1)
    image = axes.pcolormesh(px[order], py[order], np.ma.masked_invalid(fluid)[order], cmap=colour_map, vmin=0, vmax=fastest, shading="flat",
                            rasterized=True, zorder=1)
    axes.add_collection(ground_streamlines(part, velocity, mask, fastest, ground))
    if ground.terrain is None:
        axes.plot(*np.vstack([frame, frame[:1]]).T, color="#9aa3ad", linewidth=0.8, zorder=2.5)
    axes.add_collection(PolyCollection([shadow(b, ground) for b in buildings], facecolors=[(0.02, 0.05, 0.1, 0.30)],
                                       edgecolors="none", zorder=3))
    for n, building in enumerate(painting_order(buildings)):
        sides = walls(building)
        axes.add_collection(PolyCollection([p for p, _ in sides], facecolors=[c for _, c in sides],
                                           edgecolors=EDGE, linewidths=0.5, zorder=4 + n))
        axes.add_collection(PathCollection([roof(building)], facecolors=[TOP], edgecolors=EDGE, linewidths=0.5, zorder=4.5 + n))

    length = nice_length(0.2 * (right - left))
    line = x0, x0 + length
    base = -0.20 / scale + y0
    axes.plot(line, (base, base), color=style.INK, linewidth=1.6, clip_on=False, solid_capstyle="butt")
    axes.text(x0, base - 0.10 / scale, f"{length:g} m", va="top", fontsize=9, clip_on=False)
    mean = velocity.reshape(-1, 3)[: , :2].mean(axis=0)
    if np.hypot(*mean) > 0:
        arrow = project([(*(0.10 * (right - left) * mean / np.hypot(*mean)), 0.0)])[0]
        # The words beside the arrow, at half its height: no direction lays it on them.
        half = 0.5 * np.abs(arrow)
        centre = np.array([x0 + length * 1.25 + half[0], min(base, y0 - 0.06 / scale - half[1])])
        axes.annotate("", xy=centre + 0.5 * arrow, xytext=centre - 0.5 * arrow, annotation_clip=False,
                      arrowprops={"arrowstyle": "-|>", "color": style.ACCENT, "linewidth": 1.8, "shrinkA": 0, "shrinkB": 0})
        axes.text(centre[0] + half[0] + 0.10 / scale, centre[1], "mean wind", va="center", fontsize=9, color=style.ACCENT, clip_on=False)
    north = project([(0.0, 1.0, 0.0)])[0]
    start = np.array([x0 + 0.5 * (x1 - x0), base - 0.15 / scale])
    tip = start + 0.36 / scale * north / np.hypot(*north)
    axes.annotate("", xy=tip, xytext=start, annotation_clip=False, arrowprops={"arrowstyle": "->", "color": style.SOFT, "linewidth": 1})
    axes.text(tip[0] + 0.05 / scale, tip[1], "N", va="center", fontsize=9, color=style.SOFT, clip_on=False)
    bar_axes = figure.add_axes([0.60, 0.66 / height, 0.36, 0.13 / height])
    bar = figure.colorbar(image, cax=bar_axes, orientation="horizontal", extend="max")
    bar.outline.set_visible(False)
    bar.set_label("wind speed near the ground (m/s)", fontsize=9, labelpad=2)
    bar.ax.tick_params(length=3)
    figure.text(0.25 / inches, 1 - 0.36 / height, wind.title, fontsize=13, fontweight="bold")
    count = f"{len(buildings)} building{'s' if len(buildings) != 1 else ''}" if buildings else "open field"
    figure.text(0.25 / inches, 1 - 0.60 / height, f"{count}; colours and lines: the wind {words}",
                fontsize=9.5, color=style.SOFT)
    style.save(figure, path)
