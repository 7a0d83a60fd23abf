# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Pictures of two-dimensional turbulence: vorticity, its frames, spectra, fluxes, balances, distributions, jets."""

import numpy as np
from matplotlib import colormaps
from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

from . import animation, style
from .mesh_plots import LINES, plain_axes, save_gif, snapshot
from .output_file import PlotError

SHARE = 99.7
"""Share of the points, in percent, that the colours resolve."""
MOMENTS = 6
MILLISECONDS = 90
PAUSE = 1600
TERMS = (("viscosity", "viscosity"), ("friction", "friction"), ("hypoviscosity", "hypoviscosity"))


def limit_of(values):
    return style.upper(np.abs(values), SHARE)


def image_on(axes, file, values, limit):
    """The field on the axes; a point is the middle of its square."""
    dx, dy = file.size[0] / len(file.x), file.size[1] / len(file.y)
    extent = (-dx / 2, file.size[0] - dx / 2, -dy / 2, file.size[1] - dy / 2)
    image = axes.imshow(values, cmap=style.SIGNED, vmin=-limit, vmax=limit, origin="lower", extent=extent, interpolation="bicubic")
    axes.set_xlim(extent[:2])
    axes.set_ylim(extent[2:])
    return image


def map_of(file, width, values, limit, title, words):
    panels = style.Panels(width, file.extent)
    axes = panels.axes[0]
    axes.set_xlabel("x (m)")
    axes.set_ylabel("y (m)")
    image = image_on(axes, file, values, limit)
    panels.colour_bar(image, "vorticity (1/s)", extend="both" if np.abs(values).max() > limit else "neither")
    panels.title(title, words)
    return panels, image


def draw_vorticity(file, options, folder):
    values = file.field()
    panels, _ = map_of(file, options.width, values, limit_of(values), file.title, f"Vorticity, {file.words}")
    panels.save(folder.place("vorticity.png"))
    folder.add("vorticity.png", "Vorticity", f"{file.words}. Red turns anticlockwise, blue clockwise.", "hero")


def chosen(frames, most):
    return [frames[n] for n in np.unique(np.round(np.linspace(0, len(frames) - 1, min(most, len(frames)))).astype(int))]


def draw_moments(file, options, folder, frames):
    """Some frames beside each other, each with the colours of its own extremes."""
    shown = chosen(frames[1:] if np.abs(file.frame(frames[0][1])).max() == 0 else frames, MOMENTS)
    columns = min(3, len(shown))
    rows = -(-len(shown) // columns)
    inches, ratio = options.width / style.DPI, float(file.size[1] / file.size[0])
    side = (inches - 0.4) / columns - 0.15
    height = 0.5 + rows * (side * ratio + 0.42)
    figure = style.figure(inches, height)
    for n, (time, path) in enumerate(shown):
        row, column = divmod(n, columns)
        left, bottom = 0.2 + column * (side + 0.2), height - 0.5 - (row + 1) * (side * ratio + 0.42) + 0.1
        axes = figure.add_axes([left / inches, bottom / height, side / inches, side * ratio / height])
        values = file.frame(path)
        image_on(axes, file, values, limit_of(values))
        axes.set_xticks([])
        axes.set_yticks([])
        axes.set_title(f"t = {time:.4g} s, colours to ±{limit_of(values):.3g}", loc="left", fontsize=8.5, pad=3)
    title = figure.text(0.2 / inches, 1 - 0.32 / height, file.title, fontsize=13, fontweight="bold")
    room = figure.bbox.width * (1 - 0.4 / inches)
    title.set_fontsize(13 * min(1.0, room / title.get_window_extent(figure.canvas.get_renderer()).width))
    style.save(figure, folder.place("moments.png"))
    folder.add("moments.png", "Six moments", "Vorticity over time, each with its own colours.", "flow")


def animate(file, folder, frames):
    """Every frame, with the colours of the middle of the run."""
    moments = [frames[n] for n in animation.chosen_frames(len(frames))]
    limit = max(limit_of(file.frame(path)) for _, path in moments[len(moments) // 3:])
    panels, image = map_of(file, 1200, file.frame(moments[0][1]), limit, file.title, " ")
    pictures = []
    for time, path in moments:
        image.set_data(file.frame(path))
        panels.figure.texts[1].set_text(f"t = {time:.4g} s")
        pictures.append(snapshot(panels.figure))
    save_gif(animation.indexed(pictures), folder.place("vorticity.gif"), [MILLISECONDS] * (len(pictures) - 1) + [PAUSE])
    folder.add("vorticity.gif", "The flow over time", "Every kept frame.", "flow")


def heading(figure, left, title, words):
    """Title and a line below it, smaller where they would leave the picture."""
    for text in (figure.text(left, 0.93, title, fontsize=13, fontweight="bold"),
                 figure.text(left, 0.88, words, fontsize=9.5, color=style.SOFT)):
        room = (1 - left - 0.01) * figure.bbox.width
        text.set_fontsize(text.get_fontsize() * min(1.0, room / text.get_window_extent(figure.canvas.get_renderer()).width))


def two_axes(options, title, words, labels, height=4.4):
    inches = options.width / style.DPI
    figure = style.figure(inches, height)
    axes = [plain_axes(figure, [left, 0.13, 0.40, 0.66], *label) for left, label in zip((0.075, 0.575), labels)]
    heading(figure, 0.075, title, words)
    return figure, axes


def forced_wavenumber(file):
    kind = file.given("forcing", "kind", default="none")
    return float(file.given("forcing", "wavenumber")) if kind in ("ring", "single", "kolmogorov") else None


def mark_forcing(file, axes):
    wavenumber = forced_wavenumber(file)
    if wavenumber is not None:
        axes.axvline(wavenumber, color=style.SOFT, linewidth=0.9, linestyle="dotted", zorder=1)
        axes.text(wavenumber, 1.01, "forcing", transform=axes.get_xaxis_transform(), fontsize=8, color=style.SOFT, ha="center")


def slope_line(axes, k, spectrum, power, label, low, high):
    """A line of a power law beside the spectrum between two wavenumbers."""
    part = (k >= low) & (k <= high) & (spectrum > 0)
    if np.count_nonzero(part) < 3:
        return
    at = np.array([k[part][0], k[part][-1]])
    factor = 2.2 * np.exp(np.max(np.log(spectrum[part]) - power * np.log(k[part])))
    line = factor * at**power
    axes.loglog(at, line, color=style.INK, linewidth=1.0, linestyle="dashed")
    axes.text(np.sqrt(at[0] * at[1]), 1.25 * np.sqrt(line[0] * line[1]), label, fontsize=9, color=style.INK)


def averaged(file):
    """Table of spectra and the words for it: means over time where there are some."""
    mean = file.table("/mean_spectra")
    if mean:
        seconds = float(file.attribute("seconds", 0.0, "/mean_spectra"))
        return mean, f"mean over the last {seconds:.4g} s"
    return file.table("/spectra"), f"at {file.words}"


def draw_spectra(file, options, folder, frames):
    table, words = averaged(file)
    if not table or not np.any(table["energy"] > 0):
        return
    k, energy = table["wavenumber"], table["energy"]
    spacing = float(k[0])
    inches = options.width / style.DPI
    figure = style.figure(0.72 * inches, 5.2)
    left = 0.85 / (0.72 * inches)
    axes = plain_axes(figure, [left, 0.11, 0.97 - left, 0.71], "wavenumber k (rad/m)", "energy spectrum E(k) (m³/s²)")
    earlier = [file.frame_spectrum(path) for _, path in chosen(frames, 7)[:-1]] if len(frames) > 2 else []
    for n, spectrum in enumerate(one for one in earlier if one is not None and np.any(one[1] > 0)):
        shown = spectrum[1] > 0
        axes.loglog(spectrum[0][shown], spectrum[1][shown] / spacing, color=colormaps.get_cmap("Greys")(0.3 + 0.08 * n), linewidth=0.8,
                    label="earlier frames" if n == 0 else None)
    shown = energy > 0
    density = energy / spacing
    axes.loglog(k[shown], density[shown], color=style.ACCENT, linewidth=2.0, label=words)
    top = float(density.max())
    axes.set_ylim(max(1e-12 * top, float(density[shown].min()) / 3), 30 * top)
    forced = forced_wavenumber(file)
    if forced is not None:
        slope_line(axes, k, density, -5 / 3, "$k^{-5/3}$", 1.5 * spacing, 0.8 * forced)
    if forced is not None or file.given("initial", "kind") == "random":
        beyond = forced if forced is not None else float(k[np.argmax(density)])
        slope_line(axes, k, density, -3.0, "$k^{-3}$", 1.5 * beyond, min(6 * beyond, 0.5 * float(k[-1])))
    mark_forcing(file, axes)
    axes.legend(frameon=False, fontsize=9, loc="upper right")
    heading(figure, left, "Energy spectrum", f"{file.title}; {words}")
    style.save(figure, folder.place("spectra.png"))
    folder.add("spectra.png", "Energy spectrum", f"Energy over wavenumber, {words}, with the slopes of both cascades.", "spectra")


def draw_fluxes(file, options, folder):
    table, words = averaged(file)
    if not table or not np.any(table["energy"] > 0):
        return
    k = table["wavenumber"] + 0.5 * float(table["wavenumber"][0])
    labels = [("wavenumber k (rad/m)", "energy flux (m²/s³)"), ("wavenumber k (rad/m)", "enstrophy flux (1/s³)")]
    figure, both = two_axes(options, "Fluxes through the shells", f"{words}; positive towards higher wavenumbers", labels)
    rate = float(file.given("forcing", "energy_rate", default=0) or 0)
    for axes, name, ink in zip(both, ("energy_flux", "enstrophy_flux"), LINES):
        axes.axhline(0, color=style.SOFT, linewidth=0.8)
        axes.semilogx(k, table[name], color=ink, linewidth=1.8)
        axes.set_xlim(k[0], k[-1])
        axes.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
        axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
        axes.xaxis.set_minor_formatter(NullFormatter())
        mark_forcing(file, axes)
    if rate > 0:
        both[0].axhline(-rate, color=style.INK, linewidth=0.9, linestyle="dashed")
        both[0].annotate("-energy_rate", (k[-1], -rate), (-2, 3), textcoords="offset points", fontsize=8, ha="right", va="bottom")
    style.save(figure, folder.place("fluxes.png"))
    folder.add("fluxes.png", "Fluxes", f"Energy and enstrophy through the shells, {words}.", "spectra")


def draw_history(file, options, folder):
    table = file.table("/history")
    if not table or len(table["time"]) < 2:
        return
    labels = [("t (s)", "energy (m²/s²)"), ("t (s)", "enstrophy (1/s²)")]
    figure, (left, right) = two_axes(options, "Energy and enstrophy", f"{file.title}; means over the box", labels)
    time = table["time"]
    left.plot(time, table["energy"], color=LINES[0], linewidth=1.8, label="energy")
    left.plot(time, table["lowest_energy"], color=LINES[1], linewidth=1.4, label="in the lowest modes")
    left.set_ylim(bottom=0)
    left.legend(frameon=False, fontsize=9)
    right.plot(time, table["enstrophy"], color=LINES[0], linewidth=1.8)
    right.set_ylim(bottom=0)
    style.save(figure, folder.place("history.png"))
    folder.add("history.png", "Energy and enstrophy", "Over time, with the energy of the lowest modes.", "history")


def smoothed_rate(time, total):
    """Rate of a sum over time, over a fortieth of the run."""
    width = max(1, len(time) // 40)
    middle = 0.5 * (time[width:] + time[:-width])
    return middle, (total[width:] - total[:-width]) / np.maximum(time[width:] - time[:-width], 1e-300)


def largest_amount(table, kind):
    """Of energy or enstrophy: the largest value, all gains or all losses, as the command measures its balance."""
    steps = np.diff(table["time"])
    total = lambda rate: float(np.sum(steps * 0.5 * (rate[1:] + rate[:-1])))
    losses = total(sum(table[f"{term}.{kind}"] for term, _ in TERMS))
    gains = total(np.abs(table[f"forcing.{kind}"])) + float(np.max(np.abs(table[f"injected.{kind}"])))
    return max(float(np.max(np.abs(table[kind]))), losses, gains, 1e-300)


def draw_balance(file, options, folder):
    table = file.table("/history")
    if not table or len(table["time"]) < 3:
        return
    labels = [("t (s)", "gain and loss of energy (m²/s³)"), ("t (s)", "gain and loss of enstrophy (1/s³)")]
    kinds = ("energy", "enstrophy")
    closed = [float(np.max(np.abs(table[f"balance.{kind}"]))) / largest_amount(table, kind) for kind in kinds]
    figure, both = two_axes(options, "Balance", f"gains positive; energy closes to {closed[0]:.1e} of its largest value, gains or losses, "
                            f"enstrophy to {closed[1]:.1e}", labels)
    time = table["time"]
    for axes, kind in zip(both, kinds):
        axes.axhline(0, color=style.SOFT, linewidth=0.8)
        # Wide numbers push the label beyond the edge.
        axes.ticklabel_format(axis="y", scilimits=(-2, 3), useMathText=True)
        for (term, name), ink in zip(TERMS, LINES[1:]):
            if np.any(table[f"{term}.{kind}"] != 0):
                axes.plot(time, -table[f"{term}.{kind}"], color=ink, linewidth=1.5, label=name)
        if np.any(table[f"forcing.{kind}"] != 0):
            axes.plot(time, table[f"forcing.{kind}"], color=LINES[0], linewidth=1.5, label="steady forcing")
        if np.any(table[f"injected.{kind}"] != 0):
            axes.plot(*smoothed_rate(time, table[f"injected.{kind}"]), color=LINES[0], linewidth=1.5, label="random forcing")
        axes.plot(*smoothed_rate(time, table[kind]), color=style.INK, linewidth=1.0, linestyle="dashed", label="change")
    lines = dict(zip(*reversed([sum(parts, []) for parts in zip(*(axes.get_legend_handles_labels() for axes in both))])))
    figure.legend(lines.values(), lines.keys(), loc="upper right", bbox_to_anchor=(0.985, 0.985), ncol=len(lines), frameon=False, fontsize=8.5)
    style.save(figure, folder.place("balance.png"))
    folder.add("balance.png", "Balance", "Gains and losses of energy and enstrophy over time.", "history")


def draw_histogram(file, options, folder):
    table = file.table("/histogram")
    vorticity = file.field()
    deviation = float(vorticity.std())
    if not table or deviation == 0:
        return
    shown = table["density"] > 0
    inches = options.width / style.DPI
    figure = style.figure(0.62 * inches, 4.6)
    left = 0.85 / (0.62 * inches)
    axes = plain_axes(figure, [left, 0.13, 0.97 - left, 0.67], "vorticity over its standard deviation", "probability density")
    axes.semilogy(table["vorticity"][shown] / deviation, table["density"][shown] * deviation, color=LINES[0], linewidth=0, marker="o",
                  markersize=3, label="computed")
    ends = np.max(np.abs(table["vorticity"][shown])) / deviation
    at = np.linspace(-ends, ends, 400)
    normal = np.exp(-at**2 / 2) / np.sqrt(2 * np.pi)
    least = float((table["density"][shown] * deviation).min())
    axes.semilogy(at[normal > least / 3], normal[normal > least / 3], color=style.SOFT, linewidth=1.2, label="normal distribution")
    axes.legend(frameon=False, fontsize=9)
    kurtosis = float(np.mean((vorticity - vorticity.mean()) ** 4)) / deviation**4
    heading(figure, left, "Distribution of the vorticity", f"{file.words}; kurtosis {kurtosis:.3g}, of a normal distribution 3")
    style.save(figure, folder.place("histogram.png"))
    folder.add("histogram.png", "Distribution of the vorticity", f"Kurtosis {kurtosis:.3g}; 3 without vortices.", "spectra")


def zonal_mean(file, vorticity):
    """Mean of u over x, of zero mean over y, from d u/dy = -omega."""
    mean = vorticity.mean(axis=1)
    modes = np.fft.rfft(mean)
    wavenumbers = 2 * np.pi / file.size[1] * np.arange(len(modes))
    modes[1:] *= 1j / wavenumbers[1:]
    modes[0] = 0
    if len(mean) % 2 == 0:
        modes[-1] = 0
    return np.fft.irfft(modes, len(mean))


def draw_jets(file, options, folder, frames):
    if float(file.given("terms", "beta", default=0) or 0) == 0:
        return
    labels = [("mean of u over x (m/s)", "y (m)"), ("t (s)", "y (m)")]
    figure, (left, right) = two_axes(options, "Jets", f"{file.title}; mean velocity along x", labels, height=5.0)
    last = zonal_mean(file, file.field())
    left.axvline(0, color=style.SOFT, linewidth=0.8)
    left.plot(last, file.y, color=LINES[0], linewidth=1.8)
    left.set_ylim(0, file.size[1])
    if len(frames) > 2:
        times = np.array([time for time, _ in frames])
        means = np.array([zonal_mean(file, file.frame(path)) for _, path in frames])
        limit = max(float(np.abs(means).max()), 1e-300)
        image = right.pcolormesh(times, file.y, means.T, cmap=style.SIGNED, vmin=-limit, vmax=limit, shading="nearest", rasterized=True)
        right.grid(False)
        right.set_position([0.575, 0.13, 0.335, 0.66])
        bar = figure.colorbar(image, cax=figure.add_axes([0.922, 0.13, 0.012, 0.66]))
        bar.outline.set_visible(False)
    else:
        right.set_visible(False)
    style.save(figure, folder.place("jets.png"))
    folder.add("jets.png", "Jets", "Mean velocity along x at the end and over time.", "flow")


def draw_all(file, options, folder):
    """Every picture that the file has data for."""
    draw_vorticity(file, options, folder)
    frames = file.frames_beside()
    kept = frames if frames and file.frame(frames[0][1]) is not None else []
    if len(kept) > 2:
        draw_moments(file, options, folder, kept)
    draw_jets(file, options, folder, kept)
    draw_spectra(file, options, folder, frames)
    draw_fluxes(file, options, folder)
    draw_history(file, options, folder)
    draw_balance(file, options, folder)
    draw_histogram(file, options, folder)
    if len(kept) > 2 and options.animation:
        animate(file, folder, kept)
    if not folder.pictures:
        raise PlotError(f"{file.path}: no output to draw")
