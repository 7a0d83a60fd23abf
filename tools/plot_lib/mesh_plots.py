# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Parts of pictures that outputs on triangles share: maps with points, plain axes, animations."""

import numpy as np
from PIL import Image

from . import mesh_raster, style

LINES = ("#0b6e74", "#c44e52", "#4c6fb0", "#c9962c", "#7a5195", "#4f8a3c", "#8b5a2b", "#5d6166")
OUTSIDE = "#e9e6df"
FRAME_WIDTH = 900


class MeshMap:
    """A plan of the mesh, drawn to scale, with its boundary and a column for a colour bar."""

    def __init__(self, file, width, extent=None):
        self.file = file
        extent = extent or tuple(float(limit) for limit in (file.x.min(), file.x.max(), file.y.min(), file.y.max()))
        self.frame = (width, *extent)
        known = file.backdrops.get(self.frame)
        self.panels = known.panels if known else style.Panels(width, extent)
        self.axes = self.panels.axes[0]
        if known:
            self.panels.clear()
            return
        self.axes.set_facecolor(OUTSIDE)
        self.axes.set_xlabel("x (m)")
        self.axes.set_ylabel("y (m)")
        if max(np.abs([*self.axes.get_xlim(), *self.axes.get_ylim()])) >= style.FAR:
            style.label_metres(self.axes, ("x (m)", "y (m)"))

    def fill(self, values, **options):
        image = mesh_raster.draw(self.axes, self.file, values, known=self.file.rasters, **options)
        self.draw_boundary()
        return image

    def draw_boundary(self):
        """Lines along the boundary, drawn by each application."""

    def draw_points(self, points, named=True):
        """Named points [(name, x, y)]."""
        for name, x, y in points:
            self.axes.plot(x, y, marker="o", markersize=4.5, markerfacecolor="white", markeredgecolor=style.INK, zorder=5)
            if named:
                self.axes.annotate(name, (x, y), xytext=(5, 4), textcoords="offset points", fontsize=8, zorder=5,
                                   bbox={"boxstyle": "round,pad=0.15", "facecolor": "white", "edgecolor": "none", "alpha": 0.75})

    def save(self, path):
        self.file.backdrops.setdefault(self.frame, style.Backdrop(self.panels)).save(path)


def plain_axes(figure, box, x_label, y_label):
    axes = figure.add_axes(box)
    axes.grid(True, color="#e3e7ea", linewidth=0.7)
    axes.set_xlabel(x_label)
    axes.set_ylabel(y_label)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    return axes


def snapshot(figure):
    """The figure as it is now, as a frame of an animation."""
    figure.canvas.draw()
    drawn = Image.fromarray(np.asarray(figure.canvas.buffer_rgba())[..., :3])
    return drawn.resize((FRAME_WIDTH, round(drawn.height * FRAME_WIDTH / drawn.width)), Image.LANCZOS)


def save_gif(pictures, path, durations):
    """Frames of one palette as an endless animation."""
    pictures[0].save(path, save_all=True, append_images=pictures[1:], duration=durations, loop=0, optimize=False)
