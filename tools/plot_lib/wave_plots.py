# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Pictures of harbour waves: height and crests, surface, directions, depth, gauges, sections, convergence."""

import numpy as np
from matplotlib.collections import LineCollection
from matplotlib.tri import LinearTriInterpolator, Triangulation

from . import animation, style
from .mesh_plots import FRAME_WIDTH, LINES, OUTSIDE, MeshMap, plain_axes, save_gif, snapshot
from .output_file import PlotError

SHORE = "#2b3138"
OPEN = "#0b6e74"
CREST = "#c44e52"
"""Apart from low waves, which are light, and from high ones, which are dark."""
BEACH = "#c9962c"
ABSORBING = 0.3
"""Boundaries that reflect less than this share of the height are drawn as beaches."""
MILLISECONDS = 70
MOST_WAVES, MOST_ROWS = 40, 8
"""Waves and gauges in the picture of the surface over time."""
NOT_CONVERGED = "; NOT CONVERGED"
HEIGHT_SHARE, OTHER_SHARE = 99.9, 99.5
"""Percentiles at which the colours end: a few nodes at corners do not determine them."""


class Map(MeshMap):
    """A plan of the mesh with open boundaries, walls, crests and gauges."""

    def draw_boundary(self):
        """Open boundaries, walls, and strong absorbers, with their key below the map."""
        drawn = {}
        for condition, segments in self.file.boundaries():
            if condition.get("kind") in ("incident", "open"):
                words = "incident waves" if condition["kind"] == "incident" else "open boundary"
                look = {"colors": OPEN, "linewidths": 1.4, "linestyles": "dashed" if condition["kind"] == "open" else "solid"}
            else:
                hard = condition.get("reflection", 1) >= ABSORBING
                words = f"reflection of {ABSORBING:g} or more" if hard else f"reflection below {ABSORBING:g}"
                look = {"colors": SHORE if hard else BEACH, "linewidths": 1.6}
            lines = LineCollection(segments, capstyle="round", clip_on=False, zorder=3, **look)
            drawn[words] = self.axes.add_collection(lines)
        if drawn:
            self.panels.figure.legend(drawn.values(), drawn.keys(), loc="lower left", ncol=len(drawn), frameon=False, fontsize=8,
                                      bbox_to_anchor=(self.panels.left / self.panels.width, 0.0), borderpad=0.2, borderaxespad=0.0,
                                      handlelength=1.8, columnspacing=1.5)

    def draw_crests(self, elevation):
        """Lines along which the phase is zero: where the imaginary part changes sign and the real part is positive."""
        crest = elevation.real[self.file.triangles].mean(axis=1) > 0
        weak = np.abs(elevation)[self.file.triangles].mean(axis=1) < 0.02 * np.abs(elevation).max()
        mask = ~crest | weak
        if mask.all():
            return
        drawn = Triangulation(self.file.x, self.file.y, self.file.triangles, mask=mask)
        self.axes.tricontour(drawn, elevation.imag, levels=[0.0], colors=CREST, linewidths=0.7, alpha=0.9)

    def draw_gauges(self):
        self.draw_points(self.file.gauges())


def words_of(file, component):
    """"T = 8 s, incident height 1.5 m, from 270° (nautical)" of a component, in the convention of the case."""
    period, height = file.attribute("period", 0.0, component), file.attribute("height", 0.0, component)
    words = f"T = {period:.4g} s, incident height {height:.3g} m"
    travel = file.travel(component)
    if travel is not None:
        words += ", " + file.stated_direction(travel)[1]
    return words if file.attribute("converged", 1, component) else words + NOT_CONVERGED


def cut_words(values, limit, share):
    """"; colours end at 2.1, the 99.9th percentile; highest 3.4" where some values lie beyond the colours."""
    highest = float(np.nanmax(values))
    if highest <= limit * (1 + 1e-6):
        return ""
    return f"; colours end at {limit:.3g}, the {share:g}th percentile; highest {highest:.3g}"


def draw_height(file, options, folder, name, values, words, elevation=None, travel=None):
    picture = Map(file, options.width)
    limit = style.upper(values, HEIGHT_SHARE)
    if travel is not None:
        picture.panels.compass(270 - travel)
    image = picture.fill(values, cmap=style.WIND, vmin=0, vmax=limit)
    if elevation is not None:
        picture.draw_crests(elevation)
    picture.draw_gauges()
    picture.panels.colour_bar(image, "height (m)", extend="max")
    words += "; lines: crests" if elevation is not None else ""
    picture.panels.title(file.title, words + cut_words(values, limit, HEIGHT_SHARE))
    picture.save(folder.place(name))


def draw_surface(file, options, folder, elevation, words):
    """Time at which the highest of all crests passes: at another time a standing wave may be flat."""
    picture = Map(file, options.width)
    limit = style.upper(np.abs(elevation), OTHER_SHARE)
    highest = elevation[np.argmax(np.abs(elevation))]
    turn = np.conj(highest) / np.abs(highest) if highest != 0 else 1.0
    image = picture.fill((elevation * turn).real, cmap=style.SIGNED, vmin=-limit, vmax=limit)
    picture.panels.colour_bar(image, "surface (m)", extend="both")
    picture.panels.title("The surface as its highest crest passes", words + cut_words(np.abs(elevation), limit, OTHER_SHARE))
    picture.save(folder.place("surface.png"))
    folder.add("surface.png", "The surface", "At the moment when its highest crest passes.", "waves")


def draw_direction(file, options, folder, group, words):
    """Arrows along the energy flux on the depth."""
    flux = file.flux(group)
    picture = Map(file, options.width)
    depth = file.field("/depth")
    image = picture.fill(depth, cmap="Blues", vmin=0, vmax=max(float(depth.max()), 1e-9))
    size = max(np.ptp(file.x), np.ptp(file.y)) / 36
    gx, gy = np.meshgrid(np.arange(file.x.min() + size / 2, file.x.max(), size), np.arange(file.y.min() + size / 2, file.y.max(), size))
    u, v = (LinearTriInterpolator(file.mesh, part)(gx, gy) for part in flux)
    strength = np.ma.hypot(u, v)
    if strength.count() == 0 or strength.max() <= 0:
        return
    shown = strength > 1e-3 * strength.max()
    # The length of an arrow goes with the square root of the flux, as heights do.
    scale = np.ma.sqrt(strength / strength.max()) / strength
    picture.axes.quiver(gx[shown], gy[shown], (u * scale)[shown], (v * scale)[shown], color=style.INK, units="xy", scale=1 / (0.95 * size),
                        scale_units="xy", angles="xy", width=0.09 * size, headwidth=3.6, headlength=4.2, headaxislength=3.8, pivot="mid",
                        zorder=4)
    picture.panels.colour_bar(image, "depth (m)")
    picture.panels.title("Where the energy goes", words + "; arrows: root of the flux; colours: depth")
    picture.save(folder.place("energy_flux.png"))
    folder.add("energy_flux.png", "Energy flux", "Arrows along the flux, as long as its root, on the depth.", "waves")


def draw_dissipation(file, options, folder, group):
    values = file.field(f"{group}/dissipation")
    if not np.any(values > 0):
        return
    picture = Map(file, options.width)
    limit = style.upper(values, OTHER_SHARE)
    image = picture.fill(values, cmap=style.MAGNITUDE, vmin=0, vmax=limit)
    picture.panels.colour_bar(image, "dissipation (W/m²)", extend="max")
    picture.panels.title("Lost to friction and breaking", file.title + cut_words(values, limit, OTHER_SHARE))
    picture.save(folder.place("dissipation.png"))
    folder.add("dissipation.png", "Dissipation", "Energy lost at the bed and to breaking.", "waves")


def draw_resonance(file, options, folder):
    """Amplification at the gauges over the period."""
    table = file.table("/gauges/readings")
    figure = style.figure(options.width / style.DPI, 5.2)
    axes = plain_axes(figure, [0.075, 0.13, 0.90, 0.67], "period (s)", "height over that of the incident waves")
    for number, (name, _, _) in enumerate(file.gauges()):
        rows = table["gauge"] == number
        period, amplification = table["period"][rows], table["amplification"][rows]
        order = np.argsort(period)
        colour = LINES[number % len(LINES)]
        axes.plot(period[order], amplification[order], color=colour, linewidth=1.7, marker="o", markersize=2.5, label=name)
        best = int(np.argmax(amplification))
        axes.annotate(f"{amplification[best]:.2f} at {period[best]:.4g} s", (period[best], amplification[best]), xytext=(6, 4),
                      textcoords="offset points", fontsize=8.5, color=colour)
    axes.set_ylim(bottom=0)
    axes.margins(y=0.12)
    axes.legend(frameon=False, loc="best", fontsize=9)
    figure.text(0.075, 0.93, file.title, fontsize=13, fontweight="bold")
    figure.text(0.075, 0.87, f"Response to {len(np.unique(table['component']))} periods", fontsize=9.5, color=style.SOFT)
    style.save(figure, folder.place("resonance.png"))
    folder.add("resonance.png", "Resonance", "How much higher waves are at the gauges than those that come in.", "hero")


def draw_gauges(file, options, folder, together):
    """Heights at the gauges, one bar each."""
    names = [name for name, _, _ in file.gauges()]
    if together:
        heights = file.table("/gauges/readings")
        squares = [np.sum(heights["height"][heights["gauge"] == n] ** 2) for n in range(len(names))]
        values, label = np.sqrt(2 * np.asarray(squares)), "significant height (m)"
    else:
        table = file.table("/gauges/readings")
        values = np.array([table["height"][table["gauge"] == n][0] for n in range(len(names))])
        label = "height (m)"
    figure = style.figure(options.width / style.DPI, 1.5 + 0.34 * len(names))
    tall = figure.get_figheight()
    axes = figure.add_axes([0.2, 0.62 / tall, 0.72, 0.34 * len(names) / tall])
    places = np.arange(len(names))[::-1]
    axes.barh(places, values, color=style.ACCENT, height=0.62)
    for place, value in zip(places, values):
        axes.text(value, place, f" {value:.3g}", va="center", fontsize=9)
    axes.set_yticks(places)
    axes.set_yticklabels(names)
    axes.set_xlabel(label)
    axes.margins(x=0.08)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    figure.text(0.2, 1 - 0.42 / tall, "At the gauges", fontsize=13, fontweight="bold")
    style.save(figure, folder.place("gauges.png"))
    folder.add("gauges.png", "Gauges", "Heights at the gauges.", "waves")


def shown_times(time, surface):
    """Part of a series that shows single waves: MOST_WAVES of them around the highest crest, or everything."""
    gauge = int(np.unravel_index(np.nanargmax(surface), surface.shape)[1])
    crest = int(np.nanargmax(surface[:, gauge]))
    above = surface[:, gauge] > np.nanmean(surface[:, gauge])
    waves = max(1, int(np.count_nonzero(above[1:] & ~above[:-1])))
    half = 0.5 * MOST_WAVES * (time[-1] - time[0]) / waves
    if 2 * half >= time[-1] - time[0]:
        return slice(0, len(time)), gauge
    start = min(max(time[crest] - half, time[0]), time[-1] - 2 * half)
    return slice(*np.searchsorted(time, (start, start + 2 * half))), gauge


def draw_surface_series(file, options, folder):
    """The surface over time, one row for each gauge."""
    time, surface = file.surface_series()
    names = [name for name, _, _ in file.gauges()][:MOST_ROWS]
    surface = surface[:, :len(names)]
    if not np.any(np.isfinite(surface)):
        return
    part, highest = shown_times(time, surface)
    whole = part.stop - part.start == len(time)
    inches, row, head, foot = max(600, round(0.62 * options.width)) / style.DPI, 0.85, 0.85, 0.55
    tall = head + foot + row * len(names)
    figure = style.figure(inches, tall)
    limit = 1.1 * float(np.nanmax(np.abs(surface[part]))) or 1.0
    for n, name in enumerate(names):
        low = foot + (len(names) - 1 - n) * row
        axes = plain_axes(figure, [0.75 / inches, low / tall, 1 - 0.95 / inches, (row - 0.18) / tall], "", "")
        axes.plot(time[part], surface[part, n], color=style.ACCENT, linewidth=1.0)
        axes.set_xlim(time[part][0], time[part][-1])
        axes.set_ylim(-limit, limit)
        axes.set_title(name, loc="left", fontsize=8.5, pad=2)
        axes.tick_params(labelsize=8, labelbottom=n == len(names) - 1)
    axes.set_xlabel("time (s)")
    figure.text(0.12 / inches, (foot + 0.5 * row * len(names)) / tall, "surface (m)", rotation=90, va="center", fontsize=9.5)
    figure.text(0.75 / inches, 1 - 0.32 / tall, "The surface over time", fontsize=13, fontweight="bold")
    crest = f"highest crest {np.nanmax(surface):.3g} m at {names[highest]}"
    words = crest if whole else f"{crest}; {time[part][-1] - time[part][0]:.0f} s of {time[-1] - time[0]:.0f} s, around it"
    figure.text(0.75 / inches, 1 - 0.54 / tall, words, fontsize=9, color=style.SOFT)
    style.save(figure, folder.place("surface_series.png"))
    folder.add("surface_series.png", "The surface over time", f"At the gauges; {words}.", "waves")


def draw_sections(file, options, folder):
    """Amplification along every section, with reference and measured values of the case."""
    table, names = file.table("/sections/heights"), file.lines("/sections/names")
    given = file.case.get("sections", [])
    columns = min(2, len(names))
    rows = -(-len(names) // columns)
    inches = options.width / style.DPI
    high, head, foot, gap = 2.0, 1.0, 0.55, 0.78
    tall = head + foot + rows * high + (rows - 1) * gap
    figure = style.figure(inches, tall)
    limit = max(1.0, 1.08 * float(np.nanmax(table["amplification"])))
    wide = (inches - 0.75 - 0.25 - (columns - 1) * 0.65) / columns
    for number, name in enumerate(names):
        row, column = divmod(number, columns)
        left, low = 0.75 + column * (wide + 0.65), tall - head - high - row * (high + gap)
        axes = plain_axes(figure, [left / inches, low / tall, wide / inches, high / tall], "distance (m)", "H / H incident")
        rows_of = table["section"] == number
        axes.plot(table["distance"][rows_of], table["amplification"][rows_of], color=style.ACCENT, linewidth=1.7)
        known = given[number].get("reference") if number < len(given) else None
        if known:
            axes.axhline(known["amplification"], color=LINES[1], linewidth=1.1, linestyle="dashed")
            axes.annotate(known["label"], (0.01, known["amplification"]), xycoords=("axes fraction", "data"), xytext=(0, 3),
                          textcoords="offset points", fontsize=8, color=LINES[1])
            limit = max(limit, 1.12 * known["amplification"])
        measured = given[number].get("measured") if number < len(given) else None
        if measured:
            along, ratios = zip(*measured["points"])
            axes.plot(along, ratios, linestyle="none", marker="o", markersize=4, markerfacecolor="white", markeredgecolor=LINES[1],
                      label=measured["label"])
            axes.legend(frameon=False, loc="upper right", fontsize=8, handletextpad=0.2, borderaxespad=0.1)
            limit = max(limit, 1.08 * max(ratios))
        axes.set_title(name, loc="left", fontsize=9.5)
    for axes in figure.axes:
        axes.set_ylim(0, limit)
    figure.text(0.75 / inches, 1 - 0.34 / tall, "Heights along sections", fontsize=13, fontweight="bold")
    figure.text(0.75 / inches, 1 - 0.58 / tall, file.title, fontsize=9.5, color=style.SOFT)
    style.save(figure, folder.place("sections.png"))
    folder.add("sections.png", "Sections", "Heights along the sections of the case.", "waves")


def draw_convergence(file, options, folder):
    table = file.table("/history")
    if not np.any(table.get("iteration", np.zeros(0)) > 1):
        return
    figure = style.figure(options.width / style.DPI, 4.6)
    axes = plain_axes(figure, [0.085, 0.14, 0.88, 0.66], "iteration", "largest change of height over largest height")
    components = np.unique(table["component"])
    for component in components:
        rows = (table["component"] == component) & (table["change"] > 0)
        axes.semilogy(table["iteration"][rows], table["change"][rows], color=style.ACCENT, linewidth=1.5, marker="o", markersize=3,
                      alpha=1.0 if len(components) == 1 else 0.5)
    axes.xaxis.get_major_locator().set_params(integer=True)
    figure.text(0.085, 0.93, "Picard iteration over friction and breaking", fontsize=13, fontweight="bold")
    figure.text(0.085, 0.87, f"{len(components)} component{'s' if len(components) != 1 else ''}; solver: {file.attribute('solver', '')}",
                fontsize=9.5, color=style.SOFT)
    style.save(figure, folder.place("convergence.png"))
    folder.add("convergence.png", "Convergence", "How the iteration over friction and breaking settled.", "convergence")


def animate(file, folder):
    """The surface over one period, as an endless animation."""
    frames = file.frames()
    limit = style.upper(np.max([np.abs(file.field(name)) for _, name in frames], axis=0), 99.5)
    period = float(file.attribute("period", 1.0, "/animation"))
    count = int(file.attribute("components", 1))
    which = f"component {int(file.attribute('component', 0, '/animation')) + 1} of {count}, " if count > 1 else ""
    picture = Map(file, round(FRAME_WIDTH * 1.6))
    image = picture.fill(np.zeros(len(file.x)), cmap=style.SIGNED, vmin=-limit, vmax=limit)
    picture.panels.colour_bar(image, "surface (m)", extend="both")
    picture.panels.title("The surface over a period of one component" if which else "The surface over a period", " ")
    pictures = []
    for time, name in frames:
        image.set_array(file.field(name))
        picture.panels.figure.texts[1].set_text(f"{which}T = {period:.4g} s, t = {time:.3g} s")
        pictures.append(snapshot(picture.panels.figure))
    indexed = animation.indexed(pictures, also=(OUTSIDE, OPEN, BEACH))
    save_gif(indexed, folder.place("surface.gif"), MILLISECONDS)
    folder.add("surface.gif", "The surface over a period", f"Of {which}the one with the largest response." if which else "Of the waves that come in.", "waves")


def draw_all(file, options, folder):
    """Every picture that the file has data for."""
    components, kind = file.components(), file.attribute("waves", "regular")
    together = file.has("/combined/significant_height")
    if kind == "period_scan" and file.gauges():
        draw_resonance(file, options, folder)
    if together:
        count = int(file.attribute("components", 0))
        words = f"significant height, {count} components, {file.attribute('incident_height', 0.0):.3g} m come in"
        travel = file.travel()
        words += f", {file.stated_direction(travel)[1]}" if travel is not None else ""
        words += "" if file.attribute("converged", 1) else NOT_CONVERGED
        draw_height(file, options, folder, "height.png", file.field("/combined/significant_height"), words, travel=travel)
        folder.add("height.png", "Significant height", "Of all components together.", "hero")
        draw_direction(file, options, folder, "/combined", "all components together")
        draw_dissipation(file, options, folder, "/combined")
    elif components:
        largest = f"/components/{int(file.attribute('largest_component', 0)):04d}"
        first = largest if largest in components else components[0]
        elevation, words = file.elevation(first), words_of(file, first)
        if file.has(f"{first}/height"):
            draw_height(file, options, folder, "height.png", file.field(f"{first}/height"), words, elevation, file.travel(first))
            folder.add("height.png", "Height of the waves", words[:1].upper() + words[1:] + ".", "hero")
        if elevation is not None:
            draw_surface(file, options, folder, elevation, words)
        if file.has_flux(first):
            draw_direction(file, options, folder, first, words)
        if file.has(f"{first}/dissipation"):
            draw_dissipation(file, options, folder, first)
    if file.has("/sections/heights"):
        draw_sections(file, options, folder)
    if file.gauges() and kind != "period_scan":
        draw_gauges(file, options, folder, together)
    if file.surface_series() is not None:
        draw_surface_series(file, options, folder)
    draw_convergence(file, options, folder)
    if options.animation and file.frames():
        animate(file, folder)
    if not folder.pictures:
        raise PlotError(f"{file.path}: no output to draw")
