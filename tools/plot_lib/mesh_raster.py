# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Triangles as pixels: found once for a mesh and a frame, they draw every field of it."""

import numpy as np
from matplotlib.image import AxesImage
from matplotlib.transforms import Affine2D

TOUCH = 1e-6
"""Part of a pixel that rounding may add to the box of axes."""


def spans(low, high, limit):
    """First pixel, and number of pixels, whose centres lie between two positions."""
    first = np.clip(np.ceil(low - 0.5), 0, limit).astype(np.int64)
    return first, np.maximum(np.clip(np.ceil(high - 0.5), 0, limit).astype(np.int64) - first, 0)


def spread(first, count):
    """Owner and value of the numbers first, first + 1, ... of every owner."""
    owner = np.repeat(np.arange(len(first)), count)
    return owner, np.arange(len(owner)) - np.repeat(np.cumsum(count) - count, count) + first[owner]


def side(low, high):
    """The lower end (x, y) of a side of each triangle, its run and its rise."""
    return [*low, high[0] - low[0], high[1] - low[1]]


def crossing(y, sides, which):
    """Positions along x at which sides have these y."""
    begin, base, run, rise = (one[which] for one in sides)
    share = np.divide(y - base, rise, out=np.zeros_like(y), where=rise != 0)
    return begin + share * run


SMALL = 1 << 22
"""Pixels of a picture up to which they have wide numbers: numpy gathers by these twice as fast."""


class Raster:
    """The pixels inside of triangles, as spans along x. Row 0 is the lowest."""

    def __init__(self, x, y, triangles, extent, shape):
        left, right, bottom, top = extent
        self.shape = rows, columns = shape
        x, y = (x - left) / (right - left) * columns, (y - bottom) / (top - bottom) * rows
        self.nodes = np.take_along_axis(triangles, np.argsort(y[triangles], axis=1), axis=1).T.copy()
        low, centre, high = ((x[nodes], y[nodes]) for nodes in self.nodes)
        first, count = spans(low[1], high[1], rows)
        count[(x[self.nodes].max(axis=0) < 0) | (x[self.nodes].min(axis=0) > columns)] = 0
        # Lines from pixel row to pixel row. Both triangles at a side find the same end of theirs.
        owner, row = spread(first, count)
        middle = row + 0.5
        upper = middle >= centre[1][owner]
        long = crossing(middle, side(low, high), owner)
        both = [np.concatenate(one) for one in zip(side(low, centre), side(centre, high))]
        short = crossing(middle, both, owner + len(triangles) * upper)
        first, count = spans(np.minimum(long, short), np.maximum(long, short), columns)
        shown = np.flatnonzero(count)
        self.owner, first, count, middle = owner[shown], first[shown], count[shown], middle[shown]
        # The span of each pixel. Steps from pixel to pixel are restarted at the first one of each span.
        starts = np.cumsum(count) - count
        pixels = int(count.sum())
        self.span = np.zeros(pixels, dtype=np.intp if pixels <= SMALL else np.int32)
        self.span[starts[1:]] = 1
        np.cumsum(self.span, out=self.span)
        self.steps = (np.arange(pixels) - starts[self.span]).astype(np.float32)
        self.pixels = np.arange(pixels, dtype=self.span.dtype)
        self.pixels += (row[shown] * columns + first - starts).astype(self.span.dtype)[self.span]
        # Weights of the second and the third node at the first pixel, and their slopes along x.
        (ax, ay), (bx, by), (cx, cy) = low, centre, high
        twice = (bx - ax) * (cy - ay) - (cx - ax) * (by - ay)
        share = np.divide(1.0, twice, out=np.zeros_like(twice), where=twice != 0)
        self.slopes = [(cy - ay) * share, (ay - by) * share]
        across = [(ax - cx) * share, (bx - ax) * share]
        right, up = first + 0.5 - ax[self.owner], middle - ay[self.owner]
        self.weights = [right * slope[self.owner] + up * rise[self.owner] for slope, rise in zip(self.slopes, across)]

    def values(self, nodal):
        """Values at the pixels inside of the mesh in single precision, linear in each triangle."""
        a, b, c = (nodal[nodes] for nodes in self.nodes)
        b, c = b - a, c - a
        slope = (self.slopes[0] * b + self.slopes[1] * c).astype(np.float32)
        begin = a[self.owner] + self.weights[0] * b[self.owner] + self.weights[1] * c[self.owner]
        found = slope[self.owner][self.span]
        found *= self.steps
        found += begin.astype(np.float32)[self.span]
        return found

    def image(self, nodal):
        """The values of all pixels; NaN outside of the mesh."""
        found = np.full(self.shape[0] * self.shape[1], np.nan)
        found[self.pixels] = self.values(np.asarray(nodal))
        return found.reshape(self.shape)


class MeshImage(AxesImage):
    """A field at the nodes of a mesh as an image of whole pixels. set_array() takes other values at the nodes."""

    def __init__(self, axes, raster, box, **options):
        """`box`: the pixels (left, right, bottom, top) of the figure that the raster covers."""
        self.raster, self.box = raster, box
        left, bottom, right, top = axes.transData.inverted().transform([box[::2], box[1::2]]).ravel()
        super().__init__(axes, extent=(left, right, bottom, top), origin="lower", interpolation="nearest", **options)
        self.set_clip_path(axes.patch)
        self.set_data(np.zeros((1, 1, 4), dtype=np.uint8))  # matplotlib draws no image without data

    def set_array(self, nodal):
        rows, columns = self.raster.shape
        low, high = self.get_clim()
        count = self.cmap.N
        # One number per colour; the last one is transparent, for NaN and outside of the mesh.
        colours = np.append(self.cmap(np.arange(count), bytes=True).view(np.uint32).ravel(), np.uint32(0))
        nodal = (np.asarray(nodal, dtype=float) - low) * (count / (high - low))
        scaled = self.raster.values(nodal)
        missing = np.isnan(scaled) if np.isnan(nodal).any() else None
        np.clip(scaled, 0, count - 1, out=scaled)
        if missing is not None:
            scaled[missing] = count
        picture = np.zeros(rows * columns, dtype=np.uint32)
        picture[self.raster.pixels] = np.take(colours, scaled.astype(np.uint16))
        self.painted = picture.view(np.uint8).reshape(rows, columns, 4)
        self.stale = True

    def make_image(self, renderer, magnification=1.0, unsampled=False):
        """The pixels as they are: matplotlib would resample them to the same ones."""
        return self.painted, self.box[0], self.box[2], Affine2D()


def pixels_of(axes):
    """Whole pixels (left, right, bottom, top) of the figure that the axes touch."""
    box = axes.get_window_extent()
    left, bottom = (int(np.floor(low + TOUCH)) for low in (box.x0, box.y0))
    right, top = (int(np.ceil(high - TOUCH)) for high in (box.x1, box.y1))
    return left, max(left + 1, right), bottom, max(bottom + 1, top)


def draw(axes, mesh, nodal, cmap, vmin, vmax, known):
    """Draws a field over the limits of the axes. `known` keeps the raster for the next field."""
    box = pixels_of(axes)
    image_of = axes.transData.inverted().transform
    (left, bottom), (right, top) = image_of(box[::2]), image_of(box[1::2])
    key = ((left, right, bottom, top), (box[3] - box[2], box[1] - box[0]))
    if key not in known:
        known.clear()
        known[key] = Raster(mesh.x, mesh.y, mesh.triangles, *key)
    image = MeshImage(axes, known[key], box, cmap=cmap)
    image.set_clim(vmin, vmax)
    image.set_array(nodal)
    axes.add_image(image)
    return image
