# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Pictures of compressible flow: density, Mach number, pressure, Schlieren, walls, histories, frames."""

import numpy as np
from matplotlib.collections import LineCollection
from matplotlib.colors import ListedColormap, to_rgb
from matplotlib.ticker import MaxNLocator
from matplotlib.tri import LinearTriInterpolator
from PIL import Image

from . import animation, mesh_raster, sections, streamlines, style
from .mesh_plots import LINES, MeshMap, plain_axes, save_gif, snapshot
from .output_file import PlotError

CONTOURS = 30
RIPPLE = 0.06
"""Closed contour lines up to this share of the diagonal of a picture are left out, except round ones."""
ROUND = 0.4
"""Least area over that of a circle of the same length, of a round line."""
SHARPNESS = 12
"""Factor in the exponent of the Schlieren picture."""
ABRUPT = 0.1
"""A density that changes by more than this share over one triangle has shocks worth a Schlieren picture."""
WALL = "#2b3138"
FAR = "#0b6e74"
MILLISECONDS = 110
PAUSE = 1600
SETTLING = 0.2
"""First share of a history that does not determine the limits of its axis: the start is violent."""


class Map(MeshMap):
    """A plan of the flow: walls as solid lines, far boundaries as dashed ones, periodic ones dotted."""

    def __init__(self, file, width, extent=None):
        super().__init__(file, width, extent)
        self.wide = self.axes.get_position().width * self.panels.width > 3.0
        if not self.wide:
            self.axes.xaxis.set_major_locator(MaxNLocator(2))
            self.panels.left = min(self.panels.left, style.MARGINS["left"])  # space for the title

    def draw_boundary(self):
        for condition, segments in self.file.boundaries():
            kind = condition.get("kind", "")
            look = {"colors": WALL, "linewidths": 1.5} if kind in ("wall", "symmetry") else {"colors": FAR, "linewidths": 1.0}
            look["linestyles"] = "solid" if kind in ("wall", "symmetry") else "dashed" if kind else "dotted"
            self.axes.add_collection(LineCollection(segments, zorder=3, **look))

    def inside(self):
        """Nodes that the picture shows."""
        (left, right), (bottom, top) = self.axes.get_xlim(), self.axes.get_ylim()
        return (self.file.x >= left) & (self.file.x <= right) & (self.file.y >= bottom) & (self.file.y <= top)

    def lines(self, values, levels, **look):
        if len(levels) and np.ptp(values) > 0:
            self.axes.tricontour(self.file.mesh, values, levels=levels, **look)

    def contours(self, values, levels, **look):
        """Lines without ripples: a level at the value of a plateau winds around its least ripples."""
        if not len(levels) or not np.ptp(values) > 0:
            return
        drawn = self.axes.tricontour(self.file.mesh, values, levels=levels)
        lines = [line for level in drawn.allsegs for line in level]
        for collection in getattr(drawn, "collections", None) or [drawn]:
            collection.remove()
        small = RIPPLE * np.hypot(np.ptp(self.axes.get_xlim()), np.ptp(self.axes.get_ylim()))
        self.axes.add_collection(LineCollection([line for line in lines if not is_ripple(line, small)], **look))

    def on_grid(self, values, points=320):
        """x, y, and fields on an even grid over the picture; NaN outside of the mesh."""
        (left, right), (bottom, top) = self.axes.get_xlim(), self.axes.get_ylim()
        step = max(right - left, top - bottom) / points
        columns, rows = (max(8, round((high - low) / step)) for low, high in ((left, right), (bottom, top)))
        x, y = (low + (high - low) * (np.arange(count) + 0.5) / count for low, high, count in ((left, right, columns), (bottom, top, rows)))
        raster = mesh_raster.Raster(self.file.x, self.file.y, self.file.triangles, (left, right, bottom, top), (rows, columns))
        return x, y, [raster.image(one) for one in values]


def is_ripple(line, small):
    """True for a closed line in a box of at most this diagonal that is far from round: vortices keep theirs."""
    if len(line) < 3 or not np.array_equal(line[0], line[-1]) or np.hypot(*np.ptp(line, axis=0)) > small:
        return False
    x, y = (line - line[0]).T
    area = 0.5 * abs(np.sum(x[:-1] * y[1:] - x[1:] * y[:-1]))
    return 4 * np.pi * area < ROUND * np.sum(np.hypot(*np.diff(line, axis=0).T)) ** 2


def span(values):
    """Limits for colours; a uniform field gets a range around its value."""
    finite = values[np.isfinite(values)]
    if finite.size == 0:
        return 0.0, 1.0
    low, high = float(finite.min()), float(finite.max())
    if high - low > 1e-9 * max(abs(low), abs(high)):
        return low, high
    room = 1e-3 * max(abs(low), 1e-300)
    return low - room, high + room


def draw_density(file, options, folder, values, extent):
    picture = Map(file, options.width, extent)
    scale = style.Limits(values[picture.inside()])
    image = picture.fill(values, cmap=style.SPEED, vmin=scale.low, vmax=scale.high)
    levels = np.linspace(scale.low, scale.high, CONTOURS + 2)[1:-1]
    picture.contours(values, levels, colors=style.INK, linewidths=0.55, alpha=0.8)
    picture.draw_points(file.gauges(), named=picture.wide)
    picture.panels.colour_bar(image, scale.label("density (kg/m³)"), extend=scale.extend)
    picture.panels.title(file.title, f"Density, {file.words}; {CONTOURS} contour lines from {levels[0]:.4g} to {levels[-1]:.4g}")
    picture.save(folder.place("density.png"))
    folder.add("density.png", "Density", f"With {CONTOURS} contour lines; {file.words}.", "hero")


def draw_mach(file, options, folder, values, extent):
    picture = Map(file, options.width, extent)
    shown = values[picture.inside()]
    scale = style.Limits(shown)
    image = picture.fill(values, cmap=style.WIND, vmin=scale.low, vmax=scale.high)
    sonic = shown.min() < 1 < shown.max()
    if sonic:
        picture.lines(values, [1.0], colors=style.INK, linewidths=2.4)
        picture.lines(values, [1.0], colors="white", linewidths=1.2)
    picture.panels.colour_bar(image, scale.label("Mach number"), extend=scale.extend)
    peak = f"; largest {shown.max():.4g}"
    picture.panels.title("Mach number", file.words + peak + ("; white line: Mach 1" if sonic else ""))
    picture.save(folder.place("mach.png"))
    folder.add("mach.png", "Mach number", "The white line is Mach 1." if sonic else f"{file.words}.", "flow")


def coefficient(file, pressure):
    return (pressure - file.pressure) / file.dynamic_pressure


def coefficient_label(file):
    return "Cp" if file.speed > 0 else "(p - p∞) / (γ p∞ / 2)"


def draw_pressure(file, options, folder, values, extent):
    picture = Map(file, options.width, extent)
    as_coefficient = bool(file.groups()) and file.speed > 0
    shown = coefficient(file, values) if as_coefficient else values
    limits = style.Limits(shown[picture.inside()])
    low, high = limits.low, limits.high
    if as_coefficient and low < -0.1 * high:
        limit = max(-low, high)
        scale = {"cmap": style.SIGNED, "vmin": -limit, "vmax": limit}
    else:
        scale = {"cmap": style.SPEED, "vmin": low, "vmax": high}
    image = picture.fill(shown, **scale)
    picture.contours(shown, np.linspace(low, high, CONTOURS + 2)[1:-1], colors=style.INK, linewidths=0.4, alpha=0.6)
    picture.panels.colour_bar(image, limits.label("pressure coefficient Cp" if as_coefficient else "pressure (Pa)"), extend=limits.extend)
    title = "Pressure coefficient" if as_coefficient else "Pressure"
    picture.panels.title(title, f"{file.words}; from {low:.4g} to {high:.4g}" + ("" if as_coefficient else " Pa"))
    picture.save(folder.place("pressure.png"))
    folder.add("pressure.png", title, f"{file.words}.", "flow")


def schlieren(slope, limit):
    return np.exp(-SHARPNESS * slope / limit)


def draw_schlieren(file, options, folder, slope, extent):
    picture = Map(file, options.width, extent)
    scale = style.Limits(slope[picture.inside()])
    largest = float(slope[picture.inside()].max())
    if largest <= 0:
        return
    image = picture.fill(schlieren(slope, scale.high), cmap="gray", vmin=0, vmax=1)
    picture.panels.colour_bar(image, scale.label(f"exp(-{SHARPNESS} |grad ρ| / {scale.high:.4g})"))
    picture.panels.title("Schlieren", f"{file.words}; largest |grad ρ| {largest:.4g} kg/m⁴")
    picture.save(folder.place("schlieren.png"))
    folder.add("schlieren.png", "Schlieren", "Dark where the density changes abruptly: shocks and contacts.", "flow")


def draw_velocity(file, options, folder, velocity, extent):
    """Speed and streamlines; in a domain without boundaries relative to the undisturbed flow."""
    moving = not any(condition for condition, _ in file.boundaries()) and file.speed > 0
    vx, vy = (velocity[:, n] - (file.velocity[n] if moving else 0.0) for n in range(2))
    speed = np.hypot(vx, vy)
    picture = Map(file, options.width, extent)
    scale = style.Limits(speed[picture.inside()])
    fastest = scale.high if scale.high > 0 else 1.0
    slowest = scale.low if scale.low > 0.4 * fastest else 0.0
    image = picture.fill(speed, cmap=style.WIND, vmin=slowest, vmax=fastest)
    if speed.max() > 0:
        x, y, (u, v, strength) = picture.on_grid((vx, vy, speed))
        still = ~(strength > 0.01 * fastest)
        box = picture.axes.get_position()
        density = tuple(max(0.3, 0.22 * inches) for inches in (box.width * picture.panels.width, box.height * picture.panels.height))
        shade = sections.shade_of(strength - slowest, fastest - slowest)
        drawn = streamlines.pieces(x, y, np.where(still, np.nan, u), np.where(still, np.nan, v), shade, density)
        streamlines.draw(picture.axes, *drawn, sections.WIND_LINE_COLOURS)
    picture.panels.colour_bar(image, scale.label("speed (m/s)"), extend=scale.extend)
    words = "relative to the undisturbed flow" if moving else "with streamlines"
    picture.panels.title("Speed", f"{words}, {file.words}")
    picture.save(folder.place("velocity.png"))
    folder.add("velocity.png", "Velocity", f"Speed {words}.", "flow")


def draw_scalar(file, options, folder, values, extent, name, title, label, section="flow"):
    """Any other field: around zero where it has both signs."""
    picture = Map(file, options.width, extent)
    limits = style.Limits(values[picture.inside()])
    low, high = limits.low, limits.high
    if low < 0 < high:
        limit = max(-low, high)
        scale = {"cmap": style.SIGNED, "vmin": -limit, "vmax": limit}
    else:
        scale = {"cmap": style.SPEED, "vmin": low, "vmax": high}
    image = picture.fill(values, **scale)
    picture.panels.colour_bar(image, limits.label(label), extend=limits.extend)
    picture.panels.title(title, f"{file.words}; from {low:.4g} to {high:.4g}")
    picture.save(folder.place(f"{name}.png"))
    folder.add(f"{name}.png", title, f"{file.words}.", section)


def critical_coefficient(file):
    """Cp where the flow is sonic, in isentropic flow from a subsonic state."""
    g, m = file.gamma, file.mach
    return 2 / (g * m * m) * (((2 + (g - 1) * m * m) / (g + 1)) ** (g / (g - 1)) - 1)


def wall_figure(options, subtitle, x_label, y_label, title="Pressure along the walls"):
    figure = style.figure(options.width / style.DPI, 5.2)
    axes = plain_axes(figure, [0.085, 0.12, 0.88, 0.68], x_label, y_label)
    figure.text(0.085, 0.93, title, fontsize=13, fontweight="bold")
    figure.text(0.085, 0.87, subtitle, fontsize=9.5, color=style.SOFT)
    return figure, axes


def draw_airfoils(file, options, folder, runs):
    """-Cp upwards over x, upper and lower side."""
    figure, axes = wall_figure(options, f"{file.title}; {file.words}", "x (m)", f"{coefficient_label(file)} (negative upwards)")
    for number, run in enumerate(runs):
        for side, (nodes, words) in enumerate(zip(run.sides(), ("lower side", "upper side"))):
            name = words if len(runs) == 1 else f"{run.name}, {words}"
            axes.plot(run["x"][nodes], run["cp"][nodes], color=LINES[(2 * number + 1 - side) % len(LINES)], linewidth=1.5, marker="o",
                      markersize=2, label=name)
    if 0 < file.mach < 1:
        critical = critical_coefficient(file)
        axes.axhline(critical, color=style.SOFT, linewidth=0.9, linestyle="dashed", label=f"sonic, Cp* = {critical:.3f}")
    axes.invert_yaxis()
    axes.legend(frameon=False, loc="best", fontsize=9)
    style.save(figure, folder.place("walls.png"))
    folder.add("walls.png", "Pressure on the airfoil", "Suction upwards; dashed: sonic flow.", "walls")


def monotone(values):
    steps = np.diff(values)
    return np.all(steps >= 0) or np.all(steps <= 0)


def draw_walls(file, options, folder):
    """Cp along every wall: over x where each runs along x, else over the distance."""
    runs = [run for run in file.runs() if len(run["x"]) > 1]
    if not runs or file.tube is not None:
        return
    airfoils = [run for run in runs if run.slender]
    if airfoils:
        draw_airfoils(file, options, folder, airfoils)
        return
    along_x = all(monotone(run["x"]) and np.ptp(run["x"]) >= np.ptp(run["y"]) for run in runs)
    figure, axes = wall_figure(options, f"{file.title}; {file.words}", "x (m)" if along_x else "distance along the wall (m)",
                               coefficient_label(file))
    for number, run in enumerate(runs):
        axes.plot(run["x" if along_x else "distance"], run["cp"], color=LINES[number % len(LINES)], linewidth=1.5, label=run.name,
                  marker="o" if len(run["x"]) < 300 else None, markersize=2)
    if 1 < len(runs) <= len(LINES):
        axes.legend(frameon=False, loc="best", fontsize=9)
    style.save(figure, folder.place("walls.png"))
    folder.add("walls.png", "Pressure along the walls", "Coefficient at every node of the walls.", "walls")


def stack(options, title, subtitle, labels, x_label, high=1.9):
    """Axes above each other with one abscissa."""
    head, foot, gap, inches = 0.95, 0.55, 0.26, options.width / style.DPI
    tall = head + foot + len(labels) * high + (len(labels) - 1) * gap
    figure = style.figure(inches, tall)
    found = []
    for number, label in enumerate(labels):
        low = tall - head - high - number * (high + gap)
        last = number == len(labels) - 1
        axes = plain_axes(figure, [0.95 / inches, low / tall, (inches - 1.25) / inches, high / tall], x_label if last else "", label)
        axes.tick_params(labelbottom=last)
        axes.ticklabel_format(useOffset=False)
        axes.yaxis.set_label_coords(-0.66 / (inches - 1.25), 0.5)
        found.append(axes)
    figure.text(0.95 / inches, 1 - 0.36 / tall, title, fontsize=13, fontweight="bold")
    figure.text(0.95 / inches, 1 - 0.62 / tall, subtitle, fontsize=9.5, color=style.SOFT)
    return figure, found


def settle(axes, abscissa, columns, least):
    """Limits of y without the start."""
    after = abscissa >= abscissa[0] + SETTLING * (abscissa[-1] - abscissa[0])
    values = np.concatenate([column[after] for column in columns])
    values = values[np.isfinite(values)]
    if values.size == 0:
        return
    low, high = float(values.min()), float(values.max())
    room = max(0.12 * (high - low), 1e-3 * max(abs(low), abs(high)), least)
    axes.set_ylim(low - room, high + room)


def abscissa_of(file, table):
    return (table["step"], "step") if file.steady else (table["time"], "time (s)")


def draw_residual(file, options, folder):
    """Of steady runs: a flow in time changes to its end, and its rate does not measure an error."""
    if not file.steady:
        return
    table = file.table("/history")
    residual = table.get("residual", np.zeros(0))
    shown = np.isfinite(residual) & (residual > 0)
    if np.count_nonzero(shown) < 2:
        return
    abscissa = table["step"]
    # That of the run from which the flow started counts, too.
    drop = residual / max(residual[shown].max(), float(file.attribute("largest_residual", 0.0, of="/history")))
    figure, axes = wall_figure(options, f"{file.title}; {file.words}; {drop[shown][-1]:.2g} of the largest at the end", "step",
                               "residual over its largest value", "Residual")
    axes.semilogy(abscissa[shown], drop[shown], color=style.ACCENT, linewidth=1.5)
    style.plain_powers(axes.yaxis)
    wanted = file.case.get("time", {}).get("residual")
    if wanted:
        axes.axhline(wanted, color=style.SOFT, linewidth=0.9, linestyle="dashed", label=f"wanted: {wanted:g}")
        axes.legend(frameon=False, loc="best", fontsize=9)
    axes.set_xlim(left=0)
    style.save(figure, folder.place("residual.png"))
    folder.add("residual.png", "Residual", "Rate of change of the flow, over its largest value.", "convergence")


def draw_forces(file, options, folder):
    table = file.table("/history")
    groups = [name for name in file.groups() if f"{name}.drag" in table]
    if not groups or len(table["step"]) < 2:
        return
    abscissa, label = abscissa_of(file, table)
    kinds = ("drag", "lift", "moment")
    last = ", ".join(f"{kind} {round(table[f'{groups[0]}.{kind}'][-1], 5) + 0.0:.5f}" for kind in kinds)
    words = f"{groups[0]} at the end: {last}; axes without the start"
    figure, stacked = stack(options, "Coefficients", words, kinds, label)
    for axes, kind in zip(stacked, kinds):
        for number, name in enumerate(groups):
            axes.plot(abscissa, table[f"{name}.{kind}"], color=LINES[number % len(LINES)], linewidth=1.4, label=name)
        settle(axes, abscissa, [table[f"{name}.{kind}"] for name in groups], 1e-6)
        axes.set_xlim(left=0)
    if len(groups) > 1:
        stacked[0].legend(frameon=False, loc="best", fontsize=8.5)
    style.save(figure, folder.place("forces.png"))
    folder.add("forces.png", "Coefficients", "Drag, lift and moment of each group of walls.", "walls")


def draw_gauges(file, options, folder):
    table = file.table("/history")
    names = [name for name, _, _ in file.gauges() if f"{name}.density" in table]
    if not names or len(table["step"]) < 2:
        return
    abscissa, label = abscissa_of(file, table)
    sound = float(np.sqrt(file.gamma * file.pressure / file.density))
    kinds = {"density": "density (kg/m³)", "velocity_x": "velocity x (m/s)", "velocity_y": "velocity y (m/s)", "pressure": "pressure (Pa)"}
    figure, stacked = stack(options, "At the gauges", file.title, list(kinds.values()), label, high=1.5)
    for axes, kind in zip(stacked, kinds):
        for number, name in enumerate(names):
            axes.plot(abscissa, table[f"{name}.{kind}"], color=LINES[number % len(LINES)], linewidth=1.4, label=name)
        if file.steady:
            settle(axes, abscissa, [table[f"{name}.{kind}"] for name in names], 1e-6 * sound)
        elif kind.startswith("velocity") and np.ptp(axes.get_ylim()) < 1e-6 * sound:
            axes.set_ylim(-1e-3 * sound, 1e-3 * sound)
        axes.set_xlim(left=0)
    if len(names) <= len(LINES):
        stacked[0].legend(frameon=False, loc="best", fontsize=8.5)
    style.save(figure, folder.place("gauges.png"))
    folder.add("gauges.png", "Gauges", "The flow at the points of the case.", "flow")


DOTS = "#a8b4bd"
PROFILES = {"density": "density (kg/m³)", "velocity": "velocity (m/s)", "pressure": "pressure (Pa)"}


class Profiles:
    """Curves along the middle of a tube, over the values of all its nodes."""

    def __init__(self, file, options, names, title):
        self.file, self.axis, self.names = file, file.tube, names
        along, across = (file.x, file.y) if self.axis == 0 else (file.y, file.x)
        self.places = np.linspace(along.min(), along.max(), 1201)[1:-1]
        middle = np.full_like(self.places, 0.5 * (across.min() + across.max()))
        self.points = (self.places, middle) if self.axis == 0 else (middle, self.places)
        self.figure, self.stacked = stack(options, title, " ", [PROFILES[name] for name in names], "xy"[self.axis] + " (m)")
        self.dots = [axes.plot([], [], linestyle="none", marker=".", markersize=3, color=DOTS)[0] for axes in self.stacked]
        self.curves = [axes.plot([], [], color=LINES[n], linewidth=1.6)[0] for n, axes in enumerate(self.stacked)]
        for axes in self.stacked:
            axes.set_xlim(along.min(), along.max())

    def show(self, values, words):
        for name, dots, curve in zip(self.names, self.dots, self.curves):
            nodal = values[name][:, self.axis] if name == "velocity" else values[name]
            dots.set_data(self.file.x if self.axis == 0 else self.file.y, nodal)
            curve.set_data(self.places, LinearTriInterpolator(self.file.mesh, nodal)(*self.points))
        self.figure.texts[1].set_text(words)

    def fit(self, fields):
        """Limits of y for all of these."""
        for name, axes in zip(self.names, self.stacked):
            nodal = np.concatenate([values[name][:, self.axis] if name == "velocity" else values[name] for values in fields])
            low, high = span(nodal)
            axes.set_ylim(low - 0.06 * (high - low), high + 0.06 * (high - low))


def draw_tube(file, options, folder, values):
    names = [name for name in PROFILES if name in values]
    if not names:
        return
    profiles = Profiles(file, options, names, file.title)
    profiles.fit([values])
    profiles.show(values, f"{file.words}; line: along the middle, dots: all nodes")
    style.save(profiles.figure, folder.place("profiles.png"))
    folder.add("profiles.png", "Along the tube", "Lines along the middle; dots: every node of the mesh.", "hero")


def line_colours():
    """Every colour of the curves and their dots, fading to white."""
    inks = [to_rgb(ink) for ink in (*LINES[:3], DOTS)]
    return ListedColormap(np.concatenate([np.linspace(ink, (1, 1, 1), 50) for ink in inks]))


def animate_tube(file, options, folder, frames):
    fields = [file.frame(path) for _, path in frames]
    names = [name for name in PROFILES if name in fields[0]]
    if not names:
        return
    file.frame(frames[0][1])  # the tube as it was at the start
    profiles = Profiles(file, options, names, file.title)
    profiles.fit(fields)
    pictures = []
    for time, path in frames:
        profiles.show(file.frame(path), f"t = {time:.4g} s")
        pictures.append(snapshot(profiles.figure))
    finish(folder, animation.indexed(pictures, line_colours()))


def finish(folder, pictures):
    save_gif(pictures, folder.place("flow.gif"), [MILLISECONDS] * (len(pictures) - 1) + [PAUSE])
    folder.add("flow.gif", "The flow over time", "Every kept frame.", "flow")


def greyed(picture):
    """A frame with all 256 greys as its palette."""
    frame = Image.fromarray(np.asarray(picture.convert("L")), mode="P")
    frame.putpalette(np.repeat(np.arange(256, dtype=np.uint8), 3).tolist())
    return frame


def abrupt(file, density):
    corners = density[file.triangles]
    return float(np.max(np.ptp(corners, axis=1) / corners.mean(axis=1))) > ABRUPT


def animate(file, options, folder, extent):
    """The frames as Schlieren where there are shocks, else the density."""
    found = file.frames_beside() if options.animation else []
    if len(found) < 3:
        return
    frames = [found[n] for n in animation.chosen_frames(len(found))]
    if file.tube is not None:
        animate_tube(file, options, folder, frames)
        return
    last = file.frame(frames[-1][1])
    name = next((name for name in ("density", "mach", "pressure") if name in last), None)
    if name is None:
        return
    grey = name == "density" and abrupt(file, last["density"])
    colours = style.WIND if name == "mach" else style.SPEED
    picture = Map(file, 1440, extent)
    inside = picture.inside()
    if grey:
        limit = style.Limits(last["schlieren"][inside]).high
    else:
        scale = style.Limits(np.concatenate([file.frame(path)[name][inside] for _, path in (frames[0], frames[-1])]))
        low, high = scale.low, scale.high

    def painted(values):
        if grey:
            image = picture.fill(schlieren(values["schlieren"], limit), cmap="gray", vmin=0, vmax=1)
            picture.panels.colour_bar(image, f"exp(-{SHARPNESS} |grad ρ| / {limit:.4g})")
        else:
            image = picture.fill(values[name], cmap=colours, vmin=low, vmax=high)
            picture.panels.colour_bar(image, {"density": "density (kg/m³)", "mach": "Mach number", "pressure": "pressure (Pa)"}[name])
        picture.panels.title(file.title, " ")
        return image

    image = painted(last)
    pictures = []
    for time, path in frames:
        values = file.frame(path)
        if file.moves:
            picture = Map(file, 1440, extent)
            image = painted(values)
        image.set_array(schlieren(values["schlieren"], limit) if grey else values[name])
        picture.panels.figure.texts[1].set_text(f"t = {time:.4g} s")
        pictures.append(snapshot(picture.panels.figure))
    finish(folder, [greyed(one) for one in pictures] if grey else animation.indexed(pictures, colours))


def draw_averages(file, options, folder, extent):
    means = file.values("/averages")
    if not means or file.tube is not None:
        return
    seconds = float(file.attribute("seconds", 0.0, "/averages"))
    titles = {"density": ("Mean density", "density (kg/m³)"), "pressure": ("Mean pressure", "pressure (Pa)"),
              "pressure_rms": ("Fluctuation of the pressure", "root of the mean square (Pa)")}
    for name, (title, label) in titles.items():
        if name in means:
            words = f"{title}, over {seconds:.4g} s"
            draw_scalar(file, options, folder, means[name], extent, f"average_{name}", words, label, "averages")


OTHERS = {"temperature": ("Temperature", "temperature (K)"), "entropy": ("Entropy", "(p / p∞) (ρ∞ / ρ)ᵞ − 1"),
          "energy": ("Total energy", "total energy (J/m³)")}


def draw_maps(file, options, folder, values, extent):
    if "density" in values:
        draw_density(file, options, folder, values["density"], extent)
    if "mach" in values:
        draw_mach(file, options, folder, values["mach"], extent)
    if "pressure" in values:
        draw_pressure(file, options, folder, values["pressure"], extent)
    if "schlieren" in values:
        draw_schlieren(file, options, folder, values["schlieren"], extent)
    if "velocity" in values:
        draw_velocity(file, options, folder, values["velocity"], extent)
    for name, (title, label) in OTHERS.items():
        if name in values:
            draw_scalar(file, options, folder, values[name], extent, name, title, label)


def draw_all(file, options, folder):
    """Every picture that the file has data for."""
    values = file.values()
    extent = file.close_up(values.get("mach"))
    if file.tube is not None:
        draw_tube(file, options, folder, values)
    else:
        draw_maps(file, options, folder, values, extent)
    draw_walls(file, options, folder)
    draw_forces(file, options, folder)
    draw_gauges(file, options, folder)
    draw_averages(file, options, folder, extent)
    draw_residual(file, options, folder)
    animate(file, options, folder, extent)
    if not folder.pictures:
        raise PlotError(f"{file.path}: no output to draw")
