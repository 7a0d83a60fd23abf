# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The iteration viewer: slices of the Lagrange multiplier recorded during the iteration."""

import numpy as np
from matplotlib import colormaps
from matplotlib.colors import to_rgb
from matplotlib.ticker import MaxNLocator
from PIL import Image

from . import sections, style

MOST_FRAMES = 60
FRAME_WIDTH = 960
MILLISECONDS = 110
PAUSE = 1600  # on the last frame


def watched_section(wind, attributes):
    axis = attributes.get("axis", "z")
    index = int(attributes.get("index", 0))
    coordinate = float(attributes.get("coordinate", float("nan")))
    if axis == "z":
        section = sections.Section({"k": index}, wind.x, wind.y, (0, 1), ("x (m)", "y (m)"), f"z = {coordinate:.4g} m")
    elif axis == "y":
        section = sections.Section({"j": index}, wind.x, wind.z, (0, 2), ("x (m)", "z (m)"), f"y = {coordinate:.4g} m")
    else:
        section = sections.Section({"i": index}, wind.y, wind.z, (1, 2), ("y (m)", "z (m)"), f"x = {coordinate:.4g} m")
    return section


def chosen_frames(count):
    """Indices of at most MOST_FRAMES frames, the first and the last among them."""
    if count <= MOST_FRAMES:
        return np.arange(count)
    return np.unique(np.round(np.linspace(0, count - 1, MOST_FRAMES)).astype(int))


def palette(colour_map=style.SIGNED, also=()):
    """256 colours: the map's own, greys for letters and frames, the colours of buildings and ground, and further ones."""
    # The further ones also in steps to white: edges of lines are mixed with the ground beside them.
    further = [(weight * np.array(to_rgb(colour)) + 1 - weight) for colour in also for weight in (1.0, 0.75, 0.5, 0.25)]
    ramp = colormaps.get_cmap(colour_map)(np.linspace(0, 1, 200 - len(further)))[:, :3]
    greys = np.repeat(np.linspace(0, 1, 46)[:, None], 3, axis=1)
    inks = np.linspace(to_rgb(style.INK), (1, 1, 1), 6)
    solids = [to_rgb(colour) for colour in (style.SOLID, style.SOLID_EDGE, style.GROUND, style.GROUND_EDGE)]
    return np.round(255 * np.concatenate([ramp, greys, inks, solids, *(one[None] for one in further)])).astype(np.uint8)


def nearest_in(given):
    """The nearest colour of a palette for every colour of 5 bits per channel; white stays white."""
    levels = np.round(np.linspace(0, 255, 32)).astype(np.int32)
    colours = np.stack(np.meshgrid(levels, levels, levels, indexing="ij"), axis=-1).reshape(-1, 1, 3)
    best = [((block - given.astype(np.int32)) ** 2).sum(axis=-1).argmin(axis=1) for block in np.array_split(colours, 32)]
    return np.concatenate(best).astype(np.uint8).reshape(32, 32, 32)


def indexed(pictures, colour_map=style.SIGNED, also=()):
    """Pictures with one palette for all of them, so that colours do not flicker. `also`: further colours."""
    colours = palette(colour_map, also)
    nearest = nearest_in(colours)
    frames = []
    for picture in pictures:
        red, green, blue = (np.asarray(picture)[..., n] >> 3 for n in range(3))
        frame = Image.fromarray(nearest[red, green, blue], mode="P")
        frame.putpalette(colours.ravel().tolist())
        frames.append(frame)
    return frames


class Viewer:
    """Draws one frame after the other on the same axes."""

    def __init__(self, wind):
        self.values, self.iterations, attributes = wind.watched()
        self.section = watched_section(wind, attributes)
        expected = (len(self.section.second) - 1, len(self.section.first) - 1)
        self.usable = self.values.shape[1:] == expected
        if not self.usable:
            return
        self.frames = chosen_frames(len(self.iterations))
        largest = max(float(np.nanmax(np.abs(self.values[n]), initial=0.0)) for n in self.frames)
        limit = style.upper(np.abs(np.asarray(self.values[self.frames[-1]], dtype=float)), 99.5)
        self.limit = limit if limit > 0 else max(largest, 1.0)
        self.mask = sections.solid_mask(wind, self.section)
        self.ground = sections.ground_mask(wind, self.section)

    def _first_frame(self):
        stretchable = self.section.labels[1] == "z (m)"
        self.panels = style.Panels(FRAME_WIDTH * 1.6, self.section.extent, stretchable=stretchable)
        axes = self.panels.axes[0]
        self.image = sections.mesh(axes, self.section, np.asarray(self.values[self.frames[0]], dtype=float),
                                   cmap=style.SIGNED, vmin=-self.limit, vmax=self.limit)
        sections.draw_solid(axes, self.section, self.mask, self.ground)
        sections.label_axes(axes, self.section)
        self.panels.colour_bar(self.image, "Lagrange multiplier (m²/s)", extend="both")
        self.panels.title("Iteration of the solver", " ")

    def picture(self, n):
        self.image.set_array(np.asarray(self.values[n], dtype=float).ravel())
        note = style.stretch_note(self.panels)
        self.panels.figure.texts[1].set_text(f"{self.section.words}; iteration {int(self.iterations[n])}{note}")
        self.panels.figure.canvas.draw()
        rgba = np.asarray(self.panels.figure.canvas.buffer_rgba())
        picture = Image.fromarray(rgba[..., :3])
        return picture.resize((FRAME_WIDTH, round(picture.height * FRAME_WIDTH / picture.width)), Image.LANCZOS)

    def animate(self, path):
        """An animated GIF."""
        self._first_frame()
        pictures = [self.picture(n) for n in self.frames]
        frames = indexed(pictures)
        durations = [MILLISECONDS] * (len(frames) - 1) + [PAUSE]
        frames[0].save(path, save_all=True, append_images=frames[1:], duration=durations, loop=0, optimize=False)

    def strip(self, width, path):
        """Six moments of the iteration in one still picture."""
        moments = self.frames[np.unique(np.round(np.linspace(0, len(self.frames) - 1, 6)).astype(int))]
        columns = min(3, len(moments))
        rows = -(-len(moments) // columns)
        left, right, bottom, top = self.section.extent
        ratio = min(2.0, max(0.2, (top - bottom) / (right - left)))
        inches = width / style.DPI
        panel = (inches - 1.7) / columns
        head, foot, gap = 0.8, 0.55, 0.32
        height = head + foot + rows * (panel * ratio + gap)
        figure = style.figure(inches, height)
        for n, frame in enumerate(moments):
            row, column = divmod(n, columns)
            y0 = foot + (rows - 1 - row) * (panel * ratio + gap)
            axes = figure.add_axes([(0.7 + column * panel) / inches, y0 / height, (panel - 0.12) / inches, panel * ratio / height])
            image = sections.mesh(axes, self.section, np.asarray(self.values[frame], dtype=float), cmap=style.SIGNED,
                                  vmin=-self.limit, vmax=self.limit)
            sections.draw_solid(axes, self.section, self.mask, self.ground)
            axes.set_title(f"iteration {int(self.iterations[frame])}", loc="left", fontsize=9)
            axes.xaxis.set_major_locator(MaxNLocator(4))
            axes.tick_params(length=2, labelsize=7.5, labelleft=column == 0, labelbottom=row == rows - 1)
            if column == 0:
                axes.set_ylabel(self.section.labels[1], fontsize=8.5)
            if row == rows - 1:
                axes.set_xlabel(self.section.labels[0], fontsize=8.5)
        bar_axes = figure.add_axes([(0.7 + columns * panel + 0.06) / inches, foot / height, 0.14 / inches,
                                    (height - head - foot - gap) / height])
        bar = figure.colorbar(image, cax=bar_axes, extend="both")
        bar.outline.set_visible(False)
        bar.set_label("Lagrange multiplier (m²/s)")
        figure.text(0.7 / inches, 1 - 0.32 / height, "Iteration of the solver", fontsize=13, fontweight="bold")
        figure.text(0.7 / inches, 1 - 0.54 / height, f"slice at {self.section.words}", fontsize=9.5, color=style.SOFT)
        style.save(figure, path)
