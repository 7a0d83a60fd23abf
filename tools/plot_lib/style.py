# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Common style of the pictures: sizes, colours, titles, colour bars."""

from matplotlib.artist import Artist

if hasattr(Artist, "_update_set_signature_and_docstring"):
    # Texts of help on every class of matplotlib that is loaded after this: a quarter of the time to load it.
    Artist._update_set_signature_and_docstring = classmethod(lambda _: None)

import numpy as np  # noqa: E402  (the line above is for all classes)
from matplotlib import rcParams  # noqa: E402
from matplotlib.backends.backend_agg import FigureCanvasAgg  # noqa: E402
from matplotlib.figure import Figure  # noqa: E402
from matplotlib.ticker import FuncFormatter, MaxNLocator, NullFormatter  # noqa: E402

from . import colours, png  # noqa: E402

INK = "#1d2733"
SOFT = "#6b7683"
ACCENT = "#0b6e74"
SOLID = "#8b8f94"
SOLID_EDGE = "#5d6166"
GROUND = "#b7a98b"
GROUND_EDGE = "#7d7058"
LEAVES = "#2f7d32"
SPEED = colours.SPEED
WIND = SPEED.reversed()
"""Speeds of the wind: light is calm and dark is windy, as for the classes of comfort."""
SIGNED = "RdBu_r"
MAGNITUDE = "magma"
FLAG_COLOURS = {0: "#8b8f94", 1: "#f1f3f4", 2: "#b7a98b", 3: "#e3b23c", 4: "#c44e52", 5: "#4c8fbd", 6: "#6a9a5b", 9: "#8d6cab", 10: "#d98cb3",
                11: "#9dc183"}

DPI = 160
MARGINS = {"left": 0.80, "right": 1.30, "top": 0.86, "bottom": 0.62}  # inches
COMPASS = 0.75
"""Inches at the top right that the arrows of north and wind take."""
TALLEST = 7.0
FLATTEST = 0.17
"""Sections flatter than this are drawn with stretched heights, with a note."""

rcParams.update({
    "font.size": 10, "axes.titlesize": 12, "axes.labelsize": 10, "xtick.labelsize": 9, "ytick.labelsize": 9,
    "text.color": INK, "axes.labelcolor": INK, "xtick.color": INK, "ytick.color": INK, "axes.edgecolor": "#9aa3ad",
    "axes.linewidth": 0.8, "figure.facecolor": "white", "savefig.facecolor": "white", "axes.facecolor": "white",
})


def figure(width, height):
    """A figure of `width` x `height` inches and DPI pixels per inch.

    It is unknown to pyplot: from matplotlib 3.11 on, figures that pyplot closes can no longer be drawn.
    """
    return FigureCanvasAgg(Figure(figsize=(width, height), dpi=DPI)).figure


class Panels:
    """A figure of `count` equal maps side by side with one column for a colour bar on the right.

    `extent` is (left, right, bottom, top) in metres; lengths are drawn to scale, except that a very flat section is
    stretched in height by `stretch`.
    """

    def __init__(self, width_px, extent, count=1, stretchable=False):
        self.width = width_px / DPI
        self.has_compass = False
        left, right, bottom, top = extent
        ratio = (top - bottom) / (right - left)
        self.stretch = 1
        if stretchable and ratio < FLATTEST:
            self.stretch = next((n for n in (2, 3, 5, 10, 20) if n * ratio >= FLATTEST), 50)
        ratio *= self.stretch
        room = self.width - MARGINS["left"] - MARGINS["right"]
        gap = 0.25
        panel_width = (room - (count - 1) * gap) / count
        if panel_width * ratio > TALLEST:
            panel_width = TALLEST / ratio
        panel_height = panel_width * ratio
        self.height = MARGINS["top"] + MARGINS["bottom"] + panel_height
        self.figure = figure(self.width, self.height)
        self.axes = []
        self.left = MARGINS["left"] + (room - count * panel_width - (count - 1) * gap) / 2
        for n in range(count):
            x0 = self.left + n * (panel_width + gap)
            axes = self.figure.add_axes(self._box(x0, MARGINS["bottom"], panel_width, panel_height))
            axes.set_xlim(left, right)
            axes.set_ylim(bottom, top)
            axes.set_aspect(self.stretch)
            axes.tick_params(length=3, labelleft=n == 0)
            self.axes.append(axes)
        bar_height = max(panel_height, 1.0)
        self.bar = self._box(x0 + panel_width + 0.16, MARGINS["bottom"] + (panel_height - bar_height) / 2, 0.16, bar_height)

    def _box(self, x, y, width, height):
        return [x / self.width, y / self.height, width / self.width, height / self.height]

    def title(self, title, subtitle=""):
        x = self.left / self.width
        lines = [self.figure.text(x, 1 - 0.36 / self.height, title, fontsize=13, fontweight="bold", va="baseline"),
                 self.figure.text(x, 1 - 0.60 / self.height, subtitle, fontsize=9.5, color=SOFT, va="baseline")]
        room = (1 - x) * self.width * DPI - (COMPASS * DPI if self.has_compass else 0)
        for line in lines:
            needed = line.get_window_extent(self.figure.canvas.get_renderer()).width
            line.set_fontsize(line.get_fontsize() * min(1.0, room / max(needed, 1.0)))

    def compass(self, direction=None):
        """North upward in the corner at the top right, and the wind from `direction` in degrees. Before title()."""
        self.has_compass = True
        side = 0.62
        axes = self.figure.add_axes(self._box(self.width - side - 0.08, self.height - side - 0.06, side, side))
        axes.set_xlim(-1, 1)
        axes.set_ylim(-1, 1)
        axes.set_axis_off()
        axes.annotate("", (0, 0.55), (0, -0.7), arrowprops={"arrowstyle": "->", "color": SOFT, "linewidth": 1})
        axes.text(0, 0.6, "N", ha="center", va="bottom", fontsize=8.5, color=SOFT)
        if direction is not None and np.isfinite(direction):
            east, north = -np.sin(np.radians(direction)), -np.cos(np.radians(direction))
            axes.annotate("", (0.55 * east, 0.55 * north), (-0.55 * east, -0.55 * north),
                          arrowprops={"arrowstyle": "-|>", "color": ACCENT, "linewidth": 2})

    def colour_bar(self, image, label, **options):
        bar_axes = self.figure.add_axes(self.bar)
        bar = self.figure.colorbar(image, cax=bar_axes, **options)
        bar.outline.set_visible(False)
        bar.ax.tick_params(length=3, width=0.8)
        bar.set_label(label)
        return bar

    def clear(self):
        """Removes the contents of the maps, the title, the colour bar and the key: the axes stay for another picture."""
        self.has_compass = False
        for axes in [one for one in self.figure.axes if one not in self.axes]:
            axes.remove()
        drawn = [artist for axes in self.axes for kind in (axes.images, axes.collections, axes.lines, axes.texts) for artist in kind]
        for artist in [*self.figure.texts, *self.figure.legends, *drawn]:
            artist.remove()

    def save(self, path):
        save(self.figure, path)


DISTURBED = 0.1
"""Part by which a speed differs from the open field where a map has to show it."""


def disturbed(values):
    """True for cells of buildings, and where the wind differs from its median on the border of a map (ny, nx)."""
    border = np.concatenate([values[0], values[-1], values[:, 0], values[:, -1]])
    open_field = np.nanmedian(border) if np.isfinite(border).any() else np.nan
    return ~(np.abs(values - open_field) <= DISTURBED * abs(open_field))


def view_of(x, y, shown, plants=()):
    """The box (left, right, bottom, top) of the cells and of the plants (lists of rings) that a map has to show, with room.

    x, y: faces of the map.
    """
    whole = (x[0], x[-1], y[0], y[-1])
    if not shown.any():
        return whole
    columns, rows = (np.flatnonzero(shown.any(axis=axis)) for axis in (0, 1))
    left, right, bottom, top = x[columns[0]], x[columns[-1] + 1], y[rows[0]], y[rows[-1] + 1]
    for ring in (np.asarray(ring) for rings in plants for ring in rings):
        left, right = min(left, ring[:, 0].min()), max(right, ring[:, 0].max())
        bottom, top = min(bottom, ring[:, 1].min()), max(top, ring[:, 1].max())
    room = 0.1 * max(right - left, top - bottom)
    return max(whole[0], left - room), min(whole[1], right + room), max(whole[2], bottom - room), min(whole[3], top + room)


FAR = 1e5
"""Coordinates of a map beyond this are counted from a round position, which the label names."""


def label_metres(axes, labels):
    """Labels of both axes in whole metres: "x (m)", or "x - 3 926 000 (m)" with ticks from there."""
    for axis, label, limits in ((axes.xaxis, labels[0], axes.get_xlim()), (axes.yaxis, labels[1], axes.get_ylim())):
        base = 1000 * np.floor(min(limits) / 1000) if max(np.abs(limits)) >= FAR else 0.0
        axis.set_major_locator(MaxNLocator(6, steps=[1, 2, 5, 10]))
        axis.set_major_formatter(FuncFormatter(lambda value, _, base=base: f"{round(value - base, 6):g}"))
        if base:
            sign = "\u2212" if base > 0 else "+"
            label = label.replace(" (m)", f" {sign} {abs(base):,.0f} (m)".replace(",", "\u202f"))
        axis.set_label_text(label)


SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def plain_powers(axis):
    """Labels "10⁻³" of a logarithmic axis as letters: mathematical ones take longer than the rest of a picture."""
    axis.set_major_formatter(FuncFormatter(lambda value, _: "10" + str(round(np.log10(value))).translate(SUPERSCRIPTS)))
    axis.set_minor_formatter(NullFormatter())


def metres(value):
    """A position in a title: from 1000 m on in whole metres with all digits."""
    return f"{value:.4g} m" if abs(value) < 1000 else f"{value:.0f} m"


def save(figure, path):
    """Draws a figure of DPI pixels per inch and writes it."""
    figure.canvas.draw()
    write(figure, path)


def write(figure, path):
    """Writes a figure as it is drawn."""
    png.write(path, np.asarray(figure.canvas.buffer_rgba()), DPI)


class Backdrop:
    """Axes with their ticks and labels, drawn once for all maps on the same panels. Half of the time of a map goes to them."""

    def __init__(self, panels):
        self.panels = panels
        self.pixels = None

    def save(self, path):
        figure, axes = self.panels.figure, self.panels.axes[0]
        canvas = figure.canvas
        renderer, still = canvas.get_renderer(), (figure.patch, axes.patch, axes.xaxis, axes.yaxis)
        if self.pixels is None:
            for artist in still:
                artist.draw(renderer)
            self.pixels = canvas.copy_from_bbox(figure.bbox)
        else:
            canvas.restore_region(self.pixels)
        for artist in still:
            artist.set_visible(False)
        figure.draw(renderer)
        for artist in still:
            artist.set_visible(True)
        write(figure, path)


def stretch_note(panels):
    return f"; heights drawn {panels.stretch} times" if panels.stretch > 1 else ""


SHARE = 99.8
"""Percentile within which a scale ends when values beyond it are few and far."""
FEW = 0.5
"""Values are far when they would lengthen the scale by more than this share of it."""


class Limits:
    """Limits of a colour scale that a few extreme nodes do not determine.

    `low` and `high`; `cut`: words on values beyond, empty without any; `extend` of the colour bar.
    """

    def __init__(self, values):
        finite = values[np.isfinite(values)]
        self.cut, self.extend = "", "neither"
        self.low, self.high = 0.0, 1.0
        if finite.size == 0:
            return
        least, most = float(finite.min()), float(finite.max())
        low, high = (float(np.percentile(finite, share)) for share in (100 - SHARE, SHARE))
        far = FEW * (high - low)
        below, above = low - least > far, most - high > far
        if high - low <= 1e-9 * max(abs(low), abs(high)):  # all but few nodes have one value: no scale would show it
            below = above = False
        self.low, self.high = low if below else least, high if above else most
        if self.high - self.low <= 1e-9 * max(abs(self.low), abs(self.high)):
            room = 1e-3 * max(abs(self.low), 1e-300)
            self.low, self.high = self.low - room, self.high + room
        self.extend = {(0, 0): "neither", (1, 0): "min", (0, 1): "max", (1, 1): "both"}[int(below), int(above)]
        beyond = [f"least {least:.4g}"] * below + [f"largest {most:.4g}"] * above
        if beyond:
            self.cut = f"cut: {' and '.join(beyond)} lie beyond" if len(beyond) > 1 else f"cut: {beyond[0]} lies beyond"

    def label(self, label):
        """The label of the colour bar, with a second line on the cut."""
        return f"{label}\n{self.cut}" if self.cut else label


def upper(values, share=SHARE):
    """A positive colour limit that a few extreme cells do not determine."""
    finite = values[np.isfinite(values)]
    if finite.size == 0:
        return 1.0
    limit = float(np.percentile(finite, share))
    if limit <= 0:
        limit = float(np.max(finite))
    return limit if limit > 0 else 1.0
