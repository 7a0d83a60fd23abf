# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Pictures of a polar: lift over the angle, drag over the lift, a line for each Mach number; or drag over the Mach number."""

import numpy as np
from matplotlib import colormaps

from . import style
from .output_file import finite_somewhere
from .turbulence_plots import two_axes


def draw_points(axes, x, y, converged, ink, label=None):
    """A line through the points in their order; hollow ones are not converged. Those that broke down have no values."""
    shown = np.isfinite(x) & np.isfinite(y)
    axes.plot(x[shown], y[shown], color=ink, linewidth=1.5, label=label)
    for mark, face in ((shown & converged, ink), (shown & ~converged, "white")):
        axes.plot(x[mark], y[mark], linestyle="none", marker="o", markersize=5, color=ink, markerfacecolor=face,
                  clip_on=False, zorder=3)


def draw_polar(file, group, options, folder):
    """One line for each Mach number."""
    lift, drag = file.coefficient(group, "lift"), file.coefficient(group, "drag")
    finite_somewhere(lift, f"{group}.lift", file.path)
    labels = [("angle of attack (degrees)", "lift coefficient"), ("lift coefficient", "drag coefficient")]
    figure, both = two_axes(options, file.title, f"{group}: {file.words}", labels)
    machs, converged = file.machs, file.points["converged"] != 0
    machs = [mach for mach in machs if np.isfinite(lift[file.points["mach"] == mach]).any()]
    for mach, ink in zip(machs, colormaps["viridis"](np.linspace(0.05, 0.85, len(machs)))):
        row = file.points["mach"] == mach
        for axes, x, y in zip(both, (file.points["angle"], lift), (lift, drag)):
            draw_points(axes, x[row], y[row], converged[row], ink, f"Mach {mach:g}")
    both[1].set_ylim(bottom=min(0.0, both[1].get_ylim()[0]))
    both[0].legend(frameon=False, fontsize=9)
    place = "polar.png" if group == file.groups[0] else f"polar_{group}.png"
    style.save(figure, folder.place(place))
    folder.add(place, f"Polar of {group}", "Lift over the angle of attack, drag over the lift, a line for each Mach number.", "history")


def draw_drag_rise(file, options, folder):
    """At a given lift: drag and angle over the Mach number."""
    group, converged = file.groups[0], file.points["converged"] != 0
    drag = finite_somewhere(file.coefficient(group, "drag"), f"{group}.drag", file.path)
    labels = [("Mach number", "drag coefficient"), ("Mach number", "angle of attack (degrees)")]
    words = f"{group} at a lift coefficient of {file.target:g}: {file.words}"
    figure, both = two_axes(options, file.title, words, labels)
    for axes, y in zip(both, (drag, file.points["angle"])):
        draw_points(axes, file.points["mach"], y, converged, style.ACCENT)
    both[0].set_ylim(bottom=min(0.0, both[0].get_ylim()[0]))
    style.save(figure, folder.place("drag_rise.png"))
    folder.add("drag_rise.png", "Drag rise", "Drag and angle of attack over the Mach number at a given lift.", "history")


def draw_all(file, options, folder):
    if file.target is not None:
        draw_drag_rise(file, options, folder)
        return
    for group in file.groups:
        draw_polar(file, group, options, folder)
