# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Steps of the vorticity equation over the number of points, and the share of the Fourier transforms in them."""

import math

from . import charts, results, text

FAMILY = "vorticity"
STEP = "rk3_step"
PEER = "transforms_alone"


def _cases(run, backend, precision):
    """(points per side, case) of the step, where both it and the transforms alone have a time."""
    found = []
    for (_, algorithm, of, size), case in results.cases(run, backend, FAMILY).items():
        if algorithm == STEP and of == precision and case.versus_best_peer:
            found.append((math.sqrt(results.size_number(size)), case))
    return found


def times(run, precision):
    """{name: [Point, ...]}: milliseconds per step, and of its transforms alone, over the points per side."""
    found = {}
    for backend in run.backends():
        for side, case in _cases(run, backend, precision):
            for row in (case.own, case.best_peer):
                name = text.backend(backend) + (", transforms" if row.peer else "")
                found.setdefault(name, []).append(charts.Point(side, 1e3 * row.median, row.noisy))
    return found


def shares(run, precision):
    """{name: [Point, ...]}: time of the transforms alone in percent of the step, over the points per side."""
    found = {}
    for backend in run.backends():
        for side, case in _cases(run, backend, precision):
            found.setdefault(text.backend(backend), []).append(
                charts.Point(side, 100 * case.versus_best_peer, case.own.noisy or case.best_peer.noisy))
    return found


def sizes(runs):
    """Both charts for each run and precision."""
    parts = []
    for run in runs:
        for precision in ("f64", "f32"):
            place = f"{text.PRECISIONS[precision]} precision" + (f", {run.device(run.backends()[0])}" if len(runs) > 1 else "")
            parts.append(charts.figure(
                charts.curves(list(times(run, precision).items()), "points per side", "time of a step (ms)",
                              f"Time of a step over points per side, {place}"),
                f"Time, {place}", "A step of three stages, dt chosen by the device, and its transforms alone. Lower is better. "
                "On small planes a device waits for launches."))
            parts.append(charts.figure(
                charts.curves(list(shares(run, precision).items()), "points per side", "transforms in a step (%)",
                              f"Share of the transforms over points per side, {place}"),
                f"Transforms, {place}", "Time of the transforms alone, by the library along both axes, in percent of the step. "
                "100 would be a step that costs nothing else; columns that hold no kept mode are left out of large planes on a device."))
    return "".join(parts)
