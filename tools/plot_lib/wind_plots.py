# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""All pictures of a run of `karman wind`."""

import numpy as np

from . import animation, history, overview, sections, wind_samples
from .output_file import PlotError


def typical_height(wind):
    heights = [b.height for b in wind.buildings()]
    return float(np.median(heights)) / 2 if heights else min(10.0, 0.25 * float(wind.z[-1] - wind.z[0]))


def draw_all(wind, options, folder):
    """Every picture that the file has data for."""
    plan = sections.horizontal(wind, options.height if options.height is not None else typical_height(wind))
    upright = sections.vertical(wind, options.y if options.y is not None else 0.5 * float(wind.y[0] + wind.y[-1]))
    width, near = options.width, sections.near_buildings(wind, plan)
    if wind.has_velocity():
        ground = sections.horizontal(wind, 2.0)
        overview.draw(wind, ground, width, folder.place("overview.png"))
        folder.add("overview.png", "The wind near the ground", f"Buildings and the wind {ground.words}.", "hero")
        sections.draw_speed(wind, near, width, folder.place("speed_horizontal.png"), "Wind speed from above")
        folder.add("speed_horizontal.png", "From above", f"Wind speed and streamlines, {plan.words}.", "wind")
        sections.draw_speed(wind, upright, width, folder.place("speed_vertical.png"), "Wind speed from the side")
        folder.add("speed_vertical.png", "From the side", f"Wind speed and streamlines, {upright.words}.", "wind")
    if wind.has("/pedestrian"):
        wind_samples.draw_pedestrian(wind, width, folder)
    wind_samples.draw_probes(wind, width, folder)
    if wind.has("/cells/flag"):
        sections.draw_flags(wind, plan, width, folder.place("zones.png"))
        folder.add("zones.png", "Zones", "Where the first guess is not the open profile: cavities and wakes after Röckle.", "solver")
    if wind.has("/cells/lambda"):
        sections.draw_lambda(wind, near, width, folder.place("lambda_horizontal.png"))
        folder.add("lambda_horizontal.png", "Lagrange multiplier from above", "The solver adds its gradient to the initial field.", "solver")
        sections.draw_lambda(wind, upright, width, folder.place("lambda_vertical.png"))
        folder.add("lambda_vertical.png", "Lagrange multiplier from the side", f"{upright.words.capitalize()}.", "solver")
    if wind.has("/cells/divergence_before") or wind.has("/cells/divergence_after"):
        sections.draw_divergence(wind, near, width, folder.place("divergence.png"))
        folder.add("divergence.png", "Divergence", "Divergence of the initial field, and of the result.", "solver")
    table = wind.table("/history")
    if np.count_nonzero(table.get("relative_divergence", np.zeros(0)) > 0) > 1:
        history.draw(wind, width, folder.place("convergence.png"))
        folder.add("convergence.png", "Convergence", "Relative divergence at every check of the solver.", "convergence")
    if wind.watched() is not None:
        viewer = animation.Viewer(wind)
        if viewer.usable:
            viewer.strip(width, folder.place("iteration.png"))
            folder.add("iteration.png", "The iteration in six steps", "The multiplier while the solver runs.", "iteration")
            if options.animation:
                viewer.animate(folder.place("iteration.gif"))
                folder.add("iteration.gif", "The iteration", "The multiplier spreads from the buildings through the domain.", "iteration")
    if not folder.pictures:
        raise PlotError(f"{wind.path}: no output to draw")


def facts(wind):
    """Facts of the run for the page."""
    names = ("title", "karman_version", "commit", "kokkos_version", "compiler", "backend", "device", "precision", "converged",
             "iterations", "relative_divergence", "initial_divergence", "omega", "cells")
    found = {name: wind.attribute(name) for name in names if wind.attribute(name) is not None}
    timings = wind.attributes("/timings")
    found["buildings"] = len(wind.buildings())
    found["size"] = [float(faces[-1] - faces[0]) for faces in (wind.x, wind.y, wind.z)]
    return {**found, "timings": timings}
