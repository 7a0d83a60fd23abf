# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Pictures of a solved Poisson problem: fields in one, two and three dimensions, and the history of the residual."""

import numpy as np

from . import style
from .output_file import PlotError

FIELDS = {
    "p": ("p", "The solution", "solution"),
    "f": ("f", "The right-hand side", "problem"),
    "coefficient": ("a", "The coefficient", "problem"),
    "error": ("p - exact", "The error", "check"),
    "residual": ("b - A p", "The residual", "check"),
}


def centres(faces):
    return 0.5 * (faces[1:] + faces[:-1])


def colours(name, values):
    """Map and limits: signed fields around zero, others over their range."""
    finite = values[np.isfinite(values)]
    low, high = (float(finite.min()), float(finite.max())) if finite.size else (0.0, 1.0)
    if low < 0 < high and (name != "p" or min(-low, high) > 0.2 * max(-low, high)):
        limit = style.upper(np.abs(finite), 99.9)
        return {"cmap": style.SIGNED, "vmin": -limit, "vmax": limit}
    if high <= low:
        high = low + max(abs(low), 1.0) * 1e-3
    return {"cmap": style.SPEED, "vmin": low, "vmax": high}


class Planes:
    """The sections that are shown: the plane itself, or the three that cut a box in its middle."""

    def __init__(self, file):
        self.x, self.y, self.z = (file.faces(axis) for axis in "xyz")
        nz, ny, nx = (len(faces) - 1 for faces in (self.z, self.y, self.x))
        self.dimensions = 3 if nz > 1 else 2 if ny > 1 else 1
        whole = slice(None)
        if self.dimensions < 3:
            self.sections = [((0, whole, whole), self.x, self.y, "x", "y", "")]
            return
        self.sections = [
            ((nz // 2, whole, whole), self.x, self.y, "x", "y", f"z = {centres(self.z)[nz // 2]:.3g}"),
            ((whole, ny // 2, whole), self.x, self.z, "x", "z", f"y = {centres(self.y)[ny // 2]:.3g}"),
            ((whole, whole, nx // 2), self.y, self.z, "y", "z", f"x = {centres(self.x)[nx // 2]:.3g}"),
        ]


def draw_lines(file, planes, names, width, path):
    """One dimension: one curve per field."""
    figure = style.figure(width / style.DPI, 1.2 + 1.9 * len(names))
    axes = figure.subplots(len(names), 1, sharex=True, squeeze=False)
    for axis, name in zip(axes[:, 0], names):
        axis.plot(centres(planes.x), np.asarray(file.field(f"/cells/{name}")[0, 0, :], dtype=float), color=style.ACCENT, linewidth=1.6)
        axis.set_ylabel(FIELDS[name][0])
        axis.grid(True, color="#dfe3e7", linewidth=0.7)
        for side in ("top", "right"):
            axis.spines[side].set_visible(False)
    axes[-1, 0].set_xlabel("x")
    figure.suptitle(file.title, x=0.07, ha="left", fontsize=13, fontweight="bold")
    figure.subplots_adjust(left=0.11, right=0.97, top=1 - 0.55 / figure.get_figheight(), bottom=0.55 / figure.get_figheight(),
                           hspace=0.18)
    style.save(figure, path)


def draw_map(file, planes, name, width, path):
    """Two or three dimensions: the field on its sections, with one scale."""
    data = file.field(f"/cells/{name}")
    solid = file.field("/cells/solid") if file.has("/cells/solid") else None
    values, masks = [], []
    for index, *_ in planes.sections:
        section = np.asarray(data[index], dtype=float)
        mask = np.asarray(solid[index]) != 0 if solid is not None else np.zeros(section.shape, dtype=bool)
        values.append(np.where(mask, np.nan, section))
        masks.append(mask)
    scale = colours(name, np.concatenate([v.ravel() for v in values]))
    count = len(planes.sections)
    ratios = [(first[-1] - first[0]) for _, first, *_ in planes.sections]
    tallest = max((second[-1] - second[0]) for _, _, second, *_ in planes.sections)
    room = width / style.DPI - 1.9 - 0.55 * (count - 1)
    unit = min(room / sum(ratios), 6.0 / tallest)
    height = tallest * unit + 1.5
    figure = style.figure(width / style.DPI, height)
    left = 0.75
    for (_, first, second, along, across, words), section, mask in zip(planes.sections, values, masks):
        w, h = (first[-1] - first[0]) * unit, (second[-1] - second[0]) * unit
        axes = figure.add_axes([left / (width / style.DPI), 0.62 / height, w / (width / style.DPI), h / height])
        image = axes.pcolormesh(first, second, section, shading="flat", rasterized=True, **scale)
        axes.set_facecolor(style.SOLID if mask.any() else "white")
        axes.set_xlabel(along)
        axes.set_ylabel(across, labelpad=1)
        axes.set_title(words, loc="left", fontsize=9, color=style.SOFT, pad=3)
        axes.tick_params(length=3)
        left += w + 0.55
    bar = figure.colorbar(image, cax=figure.add_axes([(left - 0.4) / (width / style.DPI), 0.62 / height, 0.16 / (width / style.DPI),
                                                      tallest * unit / height]))
    bar.outline.set_visible(False)
    bar.set_label(FIELDS[name][0])
    figure.text(0.75 / (width / style.DPI), 1 - 0.34 / height, f"{FIELDS[name][1]}: {file.title}", fontsize=13, fontweight="bold")
    style.save(figure, path)


def draw_history(file, width, path):
    table = file.table("/history")
    shown = np.isfinite(table["residual"]) & (table["residual"] > 0)
    figure = style.figure(width / style.DPI, 4.6)
    axes = figure.add_axes([0.085, 0.14, 0.88, 0.66])
    axes.semilogy(table["iteration"][shown], table["residual"][shown], color=style.ACCENT, linewidth=1.8, marker="o", markersize=3)
    axes.grid(True, which="major", color="#dfe3e7", linewidth=0.7)
    axes.set_xlabel("iteration")
    axes.set_ylabel("relative residual")
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    seconds = table["seconds"][shown][-1]
    figure.text(0.085, 0.93, f"Convergence of {file.attribute('method', 'the solve')}", fontsize=13, fontweight="bold")
    figure.text(0.085, 0.87, f"{int(table['iteration'][shown][-1])} iterations to {table['residual'][shown][-1]:.2g} in "
                f"{seconds:.3g} s on {file.attribute('backend', '')}", fontsize=9.5, color=style.SOFT)
    style.save(figure, path)


def draw_all(file, options, folder):
    planes = Planes(file)
    names = [name for name in FIELDS if file.has(f"/cells/{name}")]
    if planes.dimensions == 1 and names:
        draw_lines(file, planes, names, options.width, folder.place("fields.png"))
        folder.add("fields.png", "The fields", "Along the line.", "solution")
    elif planes.dimensions > 1:
        for name in names:
            draw_map(file, planes, name, options.width, folder.place(f"{name}.png"))
            words = "in the plane" if planes.dimensions == 2 else "on the three planes through the middle"
            folder.add(f"{name}.png", FIELDS[name][1], f"{FIELDS[name][0]} {words}.", FIELDS[name][2])
    residuals = file.table("/history").get("residual", np.zeros(0))
    if np.count_nonzero(residuals > 0) > 1:
        draw_history(file, options.width, folder.place("convergence.png"))
        folder.add("convergence.png", "Convergence", "The residual at every check of the solver.", "convergence")
    if not folder.pictures:
        raise PlotError(f"{file.path}: no output to draw")
