# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Streamlines at even distances on an even grid.

The algorithm of matplotlib's streamplot: Heun steps of controlled length, at most one line through each cell of a coarse
raster, seeds from the border inward. Plain numbers, and lines of one colour in one piece, make it several times as fast.
"""

import math

import numpy as np
from matplotlib.collections import LineCollection, PolyCollection
from matplotlib.transforms import IdentityTransform

CELLS = 30
"""Cells of the coarse raster along each axis at density 1."""
LONGEST, SHORTEST = 2.0, 0.1
"""Length of a line in each direction from its seed, and the least of both together: shares of the picture."""
ERROR = 0.003
"""Error of a step, as a share of the picture."""
HEAD = (3.0, 1.5)
"""Length and half the width of an arrow's head in points."""


def spiral(columns, rows):
    """All cells of a raster from its border inward."""
    left, right, bottom, top = 0, columns - 1, 0, rows - 1
    while left <= right and bottom <= top:
        yield from ((i, bottom) for i in range(left, right + 1))
        yield from ((right, j) for j in range(bottom + 1, top + 1))
        if top > bottom:
            yield from ((i, top) for i in range(right - 1, left - 1, -1))
        if right > left:
            yield from ((left, j) for j in range(top - 1, bottom, -1))
        left, right, bottom, top = left + 1, right - 1, bottom + 1, top - 1


class Tracer:
    """Traces lines in grid coordinates: x from 0 to columns - 1, y from 0 to rows - 1."""

    def __init__(self, u, v, density):
        """u, v: velocities in grid steps, (rows, columns); NaN where there is no flow."""
        self.u, self.v = u.tolist(), v.tolist()
        self.right, self.top = u.shape[1] - 1, u.shape[0] - 1
        self.columns, self.rows = (max(1, int(CELLS * d)) for d in np.broadcast_to(density, 2))
        self.taken = set()
        self.step = min(1 / self.columns, 1 / self.rows, 0.1)

    def cell(self, x, y):
        return int(x * (self.columns - 1) / self.right + 0.5), int(y * (self.rows - 1) / self.top + 0.5)

    def direction(self, x, y, sign):
        """Grid steps along the flow per length of the picture; None outside of the flow."""
        if not (0 <= x <= self.right and 0 <= y <= self.top):
            return None
        i, j = min(int(x), self.right - 1), min(int(y), self.top - 1)
        s, t = x - i, y - j
        a, b, c, d = (1 - s) * (1 - t), s * (1 - t), (1 - s) * t, s * t
        low, high = self.u[j], self.u[j + 1]
        u = a * low[i] + b * low[i + 1] + c * high[i] + d * high[i + 1]
        low, high = self.v[j], self.v[j + 1]
        v = a * low[i] + b * low[i + 1] + c * high[i] + d * high[i + 1]
        speed = math.hypot(u / self.right, v / self.top)
        if not speed > 0 or math.isinf(speed):  # NaN too
            return None
        return sign * u / speed, sign * v / speed

    def to_border(self, x, y, along):
        """The length to the border of the grid in a straight line."""
        lengths = [(limit - place if d > 0 else -place) / d for place, d, limit in ((x, along[0], self.right), (y, along[1], self.top))
                   if d != 0]
        return min(lengths)

    def half(self, x, y, sign, own):
        """Points from a seed in one direction, and their length. `own`: cells that this line has taken."""
        points, length, step, here = [(x, y)], 0.0, self.step, self.cell(x, y)
        while True:
            along = self.direction(x, y, sign)
            if along is None:
                return points, length
            ahead = (x + step * along[0], y + step * along[1])
            inside = 0 <= ahead[0] <= self.right and 0 <= ahead[1] <= self.top
            second = self.direction(*ahead, sign) if inside else None
            if second is None:
                if not inside:
                    rest = self.to_border(x, y, along)
                    if rest > 0:  # not on the border already
                        points.append((x + rest * along[0], y + rest * along[1]))
                        length += rest
                return points, length
            dx, dy = 0.5 * step * (along[0] + second[0]), 0.5 * step * (along[1] + second[1])
            error = math.hypot((dx - step * along[0]) / self.right, (dy - step * along[1]) / self.top)
            if error < ERROR:
                x, y = x + dx, y + dy
                if not (0 <= x <= self.right and 0 <= y <= self.top) or length + step > LONGEST:
                    return points, length
                cell = self.cell(x, y)
                if cell != here:
                    if cell in self.taken:
                        return points, length
                    self.taken.add(cell)
                    own.append(cell)
                    here = cell
                length += step
                points.append((x, y))
            step = self.step if error == 0 else min(self.step, 0.85 * step * math.sqrt(ERROR / error))

    def line(self, column, row):
        """The line through a cell; None if another runs there, or if it is too short."""
        if (column, row) in self.taken:
            return None
        x = column * self.right / max(self.columns - 1, 1)
        y = row * self.top / max(self.rows - 1, 1)
        own = [(column, row)]
        self.taken.add(own[0])
        back, before = self.half(x, y, -1.0, own)
        forth, after = self.half(x, y, 1.0, own)
        if before + after > SHORTEST:
            return np.array(back[::-1] + forth[1:])
        self.taken.difference_update(own)
        return None


def traced(u, v, density):
    """Lines [(n, 2)] in grid coordinates for velocities in grid steps; NaN where there is no flow."""
    tracer = Tracer(u, v, density)
    lines = (tracer.line(*cell) for cell in spiral(tracer.columns, tracer.rows))
    return [line for line in lines if line is not None]


def at(values, points):
    """Values of a grid, linear between its points, at grid coordinates (n, 2)."""
    i, j = (np.clip(points[:, n].astype(int), 0, values.shape[1 - n] - 2) for n in range(2))
    s, t = points[:, 0] - i, points[:, 1] - j
    return ((1 - s) * (1 - t) * values[j, i] + s * (1 - t) * values[j, i + 1]
            + (1 - s) * t * values[j + 1, i] + s * t * values[j + 1, i + 1])


def pieces(x, y, u, v, shade, density):
    """Streamlines in pieces of one shade: [(points (n, 2), shade)], and the middle of each line as [(tail, head, shade)].

    x, y: even coordinates; u, v: velocities (rows, columns), NaN where there is no flow; shade(values at points): numbers of
    colours, where `values` come from `at`.
    """
    origin, spacing = np.array([x[0], y[0]]), np.array([x[1] - x[0], y[1] - y[0]])
    found, middles = [], []
    for line in traced(u / spacing[0], v / spacing[1], density):
        points, shades = origin + spacing * line, shade(line[:-1])
        for part in np.split(np.arange(len(shades)), np.flatnonzero(np.diff(shades)) + 1):
            found.append((points[part[0]:part[-1] + 2], shades[part[0]]))
        along = np.cumsum(np.hypot(*np.diff(points, axis=0).T))
        n = int(np.searchsorted(along, along[-1] / 2))
        middles.append((points[n], points[n + 1], shades[n]))
    return found, middles


def draw(axes, found, middles, colours, linewidth=0.75, zorder=2):
    """Draws lines with an arrow in the middle of each. The limits of the axes are final: arrows are drawn in pixels."""
    axes.add_collection(LineCollection([points for points, _ in found], colors=[colours[shade] for _, shade in found],
                                       linewidths=linewidth, zorder=zorder), autolim=False)
    if not middles:
        return
    tails, heads = (axes.transData.transform([middle[n] for middle in middles]) for n in range(2))
    along = heads - tails
    along /= np.maximum(np.hypot(*along.T), 1e-300)[:, None]
    across = np.stack([-along[:, 1], along[:, 0]], axis=-1)
    length, half = (size * axes.figure.dpi / 72 for size in HEAD)
    tips = 0.5 * (tails + heads) + 0.5 * length * along
    corners = np.stack([tips, tips - length * along + half * across, tips - length * along - half * across], axis=1)
    inks = [colours[shade] for *_, shade in middles]
    axes.add_collection(PolyCollection(corners, facecolors=inks, edgecolors=inks, linewidths=linewidth, joinstyle="miter", zorder=zorder,
                                       transform=IdentityTransform()), autolim=False)
