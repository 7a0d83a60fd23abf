# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Pictures of the problems in time: profiles of columns, frames of a plate."""

import numpy as np
from matplotlib import colormaps
from PIL import Image

from . import style
from .field_plots import centres, colours

MOST_FRAMES = 60
FRAME_WIDTH = 800
MILLISECONDS = 110
PAUSE = 1600


def spread(count, most):
    return np.unique(np.round(np.linspace(0, count - 1, min(count, most))).astype(int))


def draw_columns(file, options, folder):
    """The mean profile at some moments, and the mean over time and height."""
    frames = file.frames()
    z, faces = centres(file.faces("z")), file.faces("z")
    means = np.array([np.asarray(file.field(name)[...], dtype=float).mean(axis=(1, 2)) for _, name in frames])
    times = np.array([time for time, _ in frames])
    figure = style.figure(options.width / style.DPI, 5.4)
    left = figure.add_axes([0.075, 0.12, 0.33, 0.70])
    shown = spread(len(times), 8)
    map_ = colormaps.get_cmap("viridis")
    for n in shown:
        left.plot(means[n], z, color=map_(n / max(len(times) - 1, 1) * 0.92), linewidth=1.6, label=f"t = {times[n]:.4g}")
    left.set_xlabel("mean of q over the columns")
    left.set_ylabel("z")
    left.grid(True, color="#e3e7ea", linewidth=0.7)
    left.legend(frameon=False, fontsize=8)
    for side in ("top", "right"):
        left.spines[side].set_visible(False)
    right = figure.add_axes([0.49, 0.12, 0.41, 0.70])
    if len(times) > 1:
        edges = np.concatenate([[times[0]], centres(times), [times[-1]]])
        image = right.pcolormesh(edges, faces, means.T, shading="flat", rasterized=True, **colours("p", means))
        bar = figure.colorbar(image, cax=figure.add_axes([0.915, 0.12, 0.013, 0.70]))
        bar.outline.set_visible(False)
    right.set_xlabel("t")
    right.set_ylabel("z")
    columns = file.field(frames[0][1]).shape
    figure.text(0.075, 0.93, file.title, fontsize=13, fontweight="bold")
    figure.text(0.075, 0.875, f"{columns[2]} x {columns[1]} columns of {columns[0]} layers, {int(file.attribute('steps', 0))} steps of "
                f"{file.attribute('time_step', 0):g}", fontsize=9.5, color=style.SOFT)
    style.save(figure, folder.place("profiles.png"))
    folder.add("profiles.png", "Profiles", "The mean profile at some moments and over time.", "solution")


def plate_axes(file, width, values, scale):
    x, y = file.faces("x"), file.faces("y")
    ratio = (y[-1] - y[0]) / (x[-1] - x[0])
    inches = width / style.DPI
    side = min(inches - 2.2, 6.4 / ratio)
    height = side * ratio + 1.5
    figure = style.figure(side + 2.2, height)
    axes = figure.add_axes([0.75 / (side + 2.2), 0.6 / height, side / (side + 2.2), side * ratio / height])
    image = axes.pcolormesh(x, y, values, shading="flat", **scale)
    axes.set_xlabel("x")
    axes.set_ylabel("y")
    bar = figure.colorbar(image, cax=figure.add_axes([(0.85 + side) / (side + 2.2), 0.6 / height, 0.16 / (side + 2.2),
                                                      side * ratio / height]))
    bar.outline.set_visible(False)
    figure.text(0.75 / (side + 2.2), 1 - 0.36 / height, file.title, fontsize=13, fontweight="bold")
    note = figure.text(0.75 / (side + 2.2), 1 - 0.62 / height, " ", fontsize=9.5, color=style.SOFT)
    return figure, image, note


def draw_plate(file, options, folder):
    """Six frames in one picture, and all of them as an animation."""
    frames = file.frames()
    frame = lambda n: np.asarray(file.field(frames[n][1])[0], dtype=float)  # noqa: E731  (a name for a look-up)
    scale = colours("T", frame(0))
    shown = spread(len(frames), 6)
    x, y = file.faces("x"), file.faces("y")
    columns = min(3, len(shown))
    rows = -(-len(shown) // columns)
    ratio = (y[-1] - y[0]) / (x[-1] - x[0])
    inches = options.width / style.DPI
    panel = (inches - 1.9) / columns - 0.35
    height = 0.8 + rows * (min(panel * ratio, 4.0) + 0.6)
    figure = style.figure(inches, height)
    axes = figure.subplots(rows, columns, squeeze=False)
    figure.subplots_adjust(left=0.55 / inches, right=1 - 1.25 / inches, top=1 - 0.85 / height, bottom=0.35 / height, wspace=0.12,
                           hspace=0.2)
    for n, place in enumerate(axes.ravel()):
        if n >= len(shown):
            place.set_visible(False)
            continue
        image = place.pcolormesh(x, y, frame(shown[n]), shading="flat", rasterized=True, **scale)
        place.set_aspect("equal")
        place.set_title(f"t = {frames[shown[n]][0]:.4g}", loc="left", fontsize=9)
        place.tick_params(length=2, labelsize=7.5)
    bar = figure.colorbar(image, cax=figure.add_axes([1 - 1.0 / inches, 0.35 / height, 0.16 / inches, 1 - 1.2 / height]))
    bar.outline.set_visible(False)
    figure.text(0.55 / inches, 1 - 0.36 / height, file.title, fontsize=13, fontweight="bold")
    style.save(figure, folder.place("frames.png"))
    folder.add("frames.png", "Six moments", "The field over time.", "solution")
    if len(frames) < 3 or not options.animation:
        return
    figure, image, note = plate_axes(file, 1280, frame(0), scale)
    pictures = []
    for n in spread(len(frames), MOST_FRAMES):
        image.set_array(frame(n).ravel())
        note.set_text(f"t = {frames[n][0]:.4g}")
        figure.canvas.draw()
        picture = Image.fromarray(np.asarray(figure.canvas.buffer_rgba())[..., :3])
        picture = picture.resize((FRAME_WIDTH, round(picture.height * FRAME_WIDTH / picture.width)), Image.LANCZOS)
        pictures.append(picture)
    palette = pictures[0].quantize(colors=255)
    indexed = [picture.quantize(palette=palette, dither=Image.Dither.NONE) for picture in pictures]
    indexed[0].save(folder.place("frames.gif"), save_all=True, append_images=indexed[1:], loop=0,
                    duration=[MILLISECONDS] * (len(indexed) - 1) + [PAUSE])
    folder.add("frames.gif", "The field over time", "Every kept frame.", "solution")


def draw_error(file, options, folder):
    table = file.table("/history")
    error = table.get("largest_error", np.zeros(0))
    if np.count_nonzero(np.isfinite(error) & (error > 0)) < 2:
        return
    figure = style.figure(options.width / style.DPI, 3.8)
    axes = figure.add_axes([0.085, 0.16, 0.88, 0.64])
    axes.semilogy(table["time"], np.maximum(np.abs(table["most"]), np.abs(table["least"])), color=style.SOFT, label="largest value")
    axes.semilogy(table["time"], error, color=style.ACCENT, marker="o", markersize=3, label="largest error")
    axes.set_xlabel("t")
    axes.legend(frameon=False)
    axes.grid(True, which="major", color="#e3e7ea", linewidth=0.7)
    figure.text(0.085, 0.90, "Against the exact solution", fontsize=13, fontweight="bold")
    style.save(figure, folder.place("error.png"))
    folder.add("error.png", "Error", "Against the exact solution, at every frame.", "check")


def draw_all(file, options, folder):
    if file.format == "karman.heat":
        draw_plate(file, options, folder)
    else:
        draw_columns(file, options, folder)
    draw_error(file, options, folder)
