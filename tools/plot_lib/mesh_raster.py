# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Triangles as pixels: found once for a mesh and a frame, they draw every field of it."""

import numpy as np
from matplotlib.image import AxesImage


def spans(low, high, limit):
    """First pixel, and number of pixels, whose centres lie between two positions."""
    first = np.clip(np.ceil(low - 0.5), 0, limit).astype(np.int64)
    return first, np.maximum(np.clip(np.ceil(high - 0.5), 0, limit).astype(np.int64) - first, 0)


def spread(first, count):
    """Owner and value of the numbers first, first + 1, ... of every owner."""
    owner = np.repeat(np.arange(len(first)), count)
    return owner, np.arange(len(owner)) - np.repeat(np.cumsum(count) - count, count) + first[owner]


def crossing(y, low, high):
    """Position along x at which the line between two points has these y."""
    rise = high[1] - low[1]
    share = np.divide(y - low[1], rise, out=np.zeros_like(y), where=rise != 0)
    return low[0] + share * (high[0] - low[0])


class Raster:
    """The pixels inside of triangles with the weights of their three nodes. Row 0 is the lowest."""

    def __init__(self, x, y, triangles, extent, shape):
        left, right, bottom, top = extent
        self.shape = rows, columns = shape
        x, y = (x - left) / (right - left) * columns, (y - bottom) / (top - bottom) * rows
        corners = np.take_along_axis(triangles, np.argsort(y[triangles], axis=1), axis=1)
        first, count = spans(y[corners[:, 0]], y[corners[:, 2]], rows)
        count[(x[corners].max(axis=1) < 0) | (x[corners].min(axis=1) > columns)] = 0
        # Lines from pixel row to pixel row. Both triangles at a side find the same end of theirs.
        owner, row = spread(first, count)
        middle = row + 0.5
        low, centre, high = ((x[corners[owner, n]], y[corners[owner, n]]) for n in range(3))
        upper = middle >= centre[1]
        long = crossing(middle, low, high)
        short = crossing(middle, tuple(np.where(upper, b, a) for a, b in zip(low, centre)),
                         tuple(np.where(upper, b, a) for a, b in zip(centre, high)))
        first, count = spans(np.minimum(long, short), np.maximum(long, short), columns)
        column = np.arange(count.sum()) - np.repeat(np.cumsum(count) - count - first, count)
        self.pixels = np.repeat(row * columns, count) + column
        self.nodes = [np.repeat(corners[owner, n].astype(np.int32), count) for n in range(3)]
        # Weights of the second and the third node: linear along a line.
        (ax, ay), (bx, by), (cx, cy) = low, centre, high
        twice = (bx - ax) * (cy - ay) - (cx - ax) * (by - ay)
        share = np.divide(1.0, twice, out=np.zeros_like(twice), where=twice != 0)
        weights = []
        for along, across in (((cy - ay) * share, (ax - cx) * share), ((ay - by) * share, (bx - ax) * share)):
            begin = (0.5 - ax) * along + (middle - ay) * across
            weights.append((np.repeat(begin, count) + column * np.repeat(along, count)).astype(np.float32))
        self.weights = [1 - weights[0] - weights[1], *weights]

    def values(self, nodal):
        """Values at the pixels inside of the mesh, linear in each triangle."""
        a, b, c = self.nodes
        found = self.weights[0] * nodal[a]
        found += self.weights[1] * nodal[b]
        found += self.weights[2] * nodal[c]
        return found

    def image(self, nodal):
        """The values of all pixels; NaN outside of the mesh."""
        found = np.full(self.shape[0] * self.shape[1], np.nan)
        found[self.pixels] = self.values(np.asarray(nodal))
        return found.reshape(self.shape)


class MeshImage(AxesImage):
    """A field at the nodes of a mesh as an image. set_array() takes other values at the nodes."""

    def __init__(self, axes, raster, extent, **options):
        self.raster = raster
        super().__init__(axes, extent=extent, origin="lower", interpolation="nearest", **options)
        self.set_clip_path(axes.patch)

    def set_array(self, nodal):
        if nodal is None:
            return
        rows, columns = self.raster.shape
        low, high = self.get_clim()
        count = self.cmap.N
        # One number per colour; the last one is transparent, for NaN and outside of the mesh.
        colours = np.append(self.cmap(np.arange(count), bytes=True).view(np.uint32).ravel(), np.uint32(0))
        scaled = (self.raster.values(nodal) - low) * np.float32(count / (high - low))
        place = np.where(np.isnan(scaled), count, np.clip(scaled, 0, count - 1)).astype(np.uint16)
        picture = np.zeros(rows * columns, dtype=np.uint32)
        picture[self.raster.pixels] = colours[place]
        self.set_data(picture.view(np.uint8).reshape(rows, columns, 4))


def pixels_of(axes):
    """Rows and columns of pixels of the axes as the figure is drawn."""
    box = axes.get_window_extent()
    return max(1, round(box.height)), max(1, round(box.width))


def draw(axes, mesh, nodal, cmap, vmin, vmax, known):
    """Draws a field over the limits of the axes. `known` keeps the raster for the next field."""
    extent = (*axes.get_xlim(), *axes.get_ylim())
    key = (extent, pixels_of(axes))
    if key not in known:
        known.clear()
        known[key] = Raster(mesh.x, mesh.y, mesh.triangles, *key)
    image = MeshImage(axes, known[key], extent, cmap=cmap)
    image.set_clim(vmin, vmax)
    image.set_array(nodal)
    axes.add_image(image)
    return image
