# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Charts as inline SVG whose colours follow the page."""

import math
from html import escape
from typing import NamedTuple

from . import frame

SCALE = 1.25
"""A bar of full width is 125 percent, so that the mark at 100 percent is inside."""


class Point(NamedTuple):
    """A point of a curve; noisy where its repetitions spread widely."""

    x: float
    y: float
    noisy: bool = False


def bar(share, kind, noisy=False):
    """A horizontal bar for a fraction of the copy bandwidth, with a mark at 100 percent; hatched where the row is noisy."""
    width = min(share / SCALE, 1.0) * 100
    more = (" over" if share > SCALE else "") + (" unsure" if noisy else "")
    label = f"{100 * share:.0f} percent of the copy bandwidth{', noisy' if noisy else ''}"
    return (f'<span class="bar" role="img" aria-label="{label}">'
            f'<span class="fill {kind}{more}" style="width:{width:.1f}%"></span></span>')


def _usable(series):
    series = [(name, sorted(p for p in points if p.x > 0 and p.y > 0 and math.isfinite(p.y))) for name, points in series]
    return [(name, points) for name, points in series if points]


def curves(series, x_label, y_label, title, mark_least=False, lines=(), x_text="{:g}".format):
    """Several curves over a whole number, both axes logarithmic, each labelled at its right end; empty without two points in
    one. `series`: (name, [Point, ...]); noisy points are open. With mark_least the lowest point of each is labelled with its x.
    `lines`: the same for models, dashed and without points. `x_text` writes the numbers under the axis."""
    series, lines = _usable(series), _usable(lines)
    if not any(len(points) > 1 for _, points in series):
        return ""
    longest = max(len(name) for name, _ in series + lines)
    xs = sorted({p.x for _, points in series for p in points})
    low = min(p.y for _, points in series + lines for p in points) / 1.15
    high = max(p.y for _, points in series + lines for p in points) * 1.15
    chart = frame.Frame(title, frame.Log(xs[0], xs[-1]), frame.Log(low, high), right=max(172, 8 * longest + 28))
    for y in frame.log_ticks(low, high):
        chart.rule(y, f"{y:g}")
    for x in xs[::max(1, math.ceil(len(xs) / 10))]:
        chart.tick(x, x_text(x))
    chart.base()
    ends = chart.ends([points[-1] for _, points in series + lines])
    for (label, points), end in zip(lines, ends[len(series):]):
        chart.line(points, "model")
        chart.name(points[-1], end, label)
    for n, (label, points) in enumerate(series):
        colour = f"s{n % frame.STYLES}"
        chart.line(points, f"line {colour}")
        for p in points:
            chart.add(f'<circle class="{"unsure" if p.noisy else "dot"} {colour}" cx="{chart.px(p.x):.1f}" cy="{chart.py(p.y):.1f}" '
                      f'r="{4 if p.noisy else 3}"/>')
        chart.name(points[-1], ends[n], label, colour)
        if mark_least:
            least = min(points, key=lambda point: point.y)
            x, y = chart.px(least.x), chart.py(least.y)
            chart.add(f'<circle class="ring {colour}" cx="{x:.1f}" cy="{y:.1f}" r="7"/>')
            chart.text(x, y + 22 if y + 26 < chart.bottom else y - 13, f"{least.x:g}", "value", "middle")
    return chart.done(x_label, y_label)


def convergence(iterations, residuals):
    """Relative divergence over iterations, logarithmic; empty without two points."""
    points = [Point(x, y) for x, y in zip(iterations, residuals) if y > 0 and math.isfinite(y) and math.isfinite(x)]
    if len(points) < 2:
        return ""
    last = points[-1]
    exponents = list(frame.decades(min(p.y for p in points), max(p.y for p in points)))
    if math.log10(last.y) - exponents[0] < 0.3:
        exponents.insert(0, exponents[0] - 1)  # space for the number at the last point
    chart = frame.Frame("Relative divergence over iterations", frame.Linear(0, last.x or 1),
                        frame.Log(10.0**exponents[0], 10.0**exponents[-1]), height=340)
    for exponent in exponents[::max(1, math.ceil(len(exponents) / 7))]:
        chart.rule(10.0**exponent, frame.power(exponent))
    for x in frame.steps(last.x or 1):
        chart.tick(x, f"{x:g}")
    chart.base()
    chart.line(points, "line")
    x, y = chart.px(last.x), chart.py(last.y)
    chart.add(f'<circle class="dot" cx="{x:.1f}" cy="{y:.1f}" r="4"/>')
    chart.text(x - 10, y + 18, f"{last.y:.1e}", "value", "end")
    return chart.done("iteration, both colours", "relative divergence")


def figure(chart, title, caption):
    """A chart with its caption; empty without a chart."""
    if not chart:
        return ""
    return f"<figure>{chart}<figcaption><b>{escape(title)}.</b> {escape(caption)}</figcaption></figure>"
