# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Charts as inline SVG whose colours follow the page."""

import math
from html import escape
from typing import NamedTuple

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


def _decades(low, high):
    return range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)


def _power(exponent):
    digits = str(exponent).replace("-", "−")
    return f'10<tspan dy="-5" font-size="9">{digits}</tspan>'


def _steps(limit, count=6):
    raw = limit / count
    power = 10 ** math.floor(math.log10(raw)) if raw > 0 else 1
    step = next(n * power for n in (1, 2, 5, 10) if n * power >= raw)
    step = max(1, step)
    return [step * n for n in range(int(limit / step) + 1)]


def _apart(positions, least, low, high):
    """Positions in the same order, moved as little as needed to be `least` apart, between low and high."""
    order = sorted(range(len(positions)), key=lambda n: positions[n])
    moved = [min(max(positions[n], low), high) for n in order]
    for n in range(1, len(moved)):
        moved[n] = max(moved[n], moved[n - 1] + least)
    if moved and moved[-1] > high:
        moved[-1] = high
        for n in range(len(moved) - 2, -1, -1):
            moved[n] = min(moved[n], moved[n + 1] - least)
    result = [0.0] * len(positions)
    for n, y in zip(order, moved):
        result[n] = y
    return result


def _log_ticks(low, high):
    """1, 2 and 5 times the powers of ten from low to high; only the powers themselves over a wide range, and all digits where
    there would be fewer than three."""
    exponents = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)

    def of(factors):
        return [f * 10.0**e for e in exponents for f in factors if low * 0.999 <= f * 10.0**e <= high * 1.001]

    ticks = of((1, 2, 5))
    if len(ticks) > 9:
        return of((1,))
    return ticks if len(ticks) >= 3 else of(range(1, 10))


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
    width, height = 760, 360
    longest = max(len(name) for name, _ in series + lines)
    left, right, top, bottom = 64, max(172, 8 * longest + 28), 40, 62
    xs = sorted({p.x for _, points in series for p in points})
    low = min(p.y for _, points in series + lines for p in points)
    high = max(p.y for _, points in series + lines for p in points)
    low, high = low / 1.15, high * 1.15

    def px(x):
        return left + (width - left - right) * math.log(x / xs[0]) / math.log(xs[-1] / xs[0])

    def py(y):
        return top + (height - top - bottom) * math.log(high / y) / math.log(high / low)

    name = "c" + "".join(c if c.isalnum() else "-" for c in title.lower())
    out = [f'<svg class="chart" viewBox="0 0 {width} {height}" role="img" aria-labelledby="{name}">'
           f'<title id="{name}">{escape(title)}</title>']
    for y in _log_ticks(low, high):
        out.append(f'<line class="grid" x1="{left}" x2="{width - right}" y1="{py(y):.1f}" y2="{py(y):.1f}"/>')
        out.append(f'<text class="tick" x="{left - 10}" y="{py(y) + 4:.1f}" text-anchor="end">{y:g}</text>')
    for x in xs[::max(1, math.ceil(len(xs) / 10))]:
        out.append(f'<line class="axis" x1="{px(x):.1f}" x2="{px(x):.1f}" y1="{height - bottom}" y2="{height - bottom + 5}"/>')
        out.append(f'<text class="tick" x="{px(x):.1f}" y="{height - bottom + 20}" text-anchor="middle">{escape(x_text(x))}</text>')
    out.append(f'<line class="axis" x1="{left}" x2="{width - right}" y1="{height - bottom}" y2="{height - bottom}"/>')
    ends = _apart([py(points[-1].y) for _, points in series + lines], 17, top, height - bottom)
    for n, (label, points) in enumerate(lines):
        path = " ".join(f"{'M' if i == 0 else 'L'}{px(p.x):.1f} {py(p.y):.1f}" for i, p in enumerate(points))
        x, y, _ = points[-1]
        end = ends[len(series) + n]
        out.append(f'<path class="model" d="{path}"/>')
        out.append(f'<path class="lead" d="M{px(x) + 5:.1f} {py(y):.1f}L{width - right + 16} {end:.1f}"/>')
        out.append(f'<text class="name" x="{width - right + 20}" y="{end + 4:.1f}">{escape(label)}</text>')
    for n, (label, points) in enumerate(series):
        colour = f"s{n % 8}"
        path = " ".join(f"{'M' if i == 0 else 'L'}{px(p.x):.1f} {py(p.y):.1f}" for i, p in enumerate(points))
        out.append(f'<path class="line {colour}" d="{path}"/>')
        out.extend(f'<circle class="{"unsure" if p.noisy else "dot"} {colour}" cx="{px(p.x):.1f}" cy="{py(p.y):.1f}" '
                   f'r="{4 if p.noisy else 3}"/>' for p in points)
        x, y, _ = points[-1]
        out.append(f'<path class="lead" d="M{px(x) + 5:.1f} {py(y):.1f}L{width - right + 16} {ends[n]:.1f}"/>')
        out.append(f'<text class="name {colour}" x="{width - right + 20}" y="{ends[n] + 4:.1f}">{escape(label)}</text>')
        if mark_least:
            x, y, _ = min(points, key=lambda point: point.y)
            out.append(f'<circle class="ring {colour}" cx="{px(x):.1f}" cy="{py(y):.1f}" r="7"/>')
            beside = py(y) + 22 if py(y) + 26 < height - bottom else py(y) - 13
            out.append(f'<text class="value" x="{px(x):.1f}" y="{beside:.1f}" text-anchor="middle">{x:g}</text>')
    out.append(f'<text class="label" x="{(left + width - right) / 2}" y="{height - 8}" text-anchor="middle">{escape(x_label)}</text>')
    out.append(f'<text class="label" x="8" y="20">{escape(y_label)}</text></svg>')
    return "".join(out)


def convergence(iterations, residuals):
    """Relative divergence over iterations, logarithmic; empty without two points."""
    points = [(x, y) for x, y in zip(iterations, residuals) if y > 0 and math.isfinite(y) and math.isfinite(x)]
    if len(points) < 2:
        return ""
    width, height = 760, 340
    left, right, top, bottom = 64, 18, 40, 62
    last = points[-1][0] or 1
    exponents = list(_decades(min(y for _, y in points), max(y for _, y in points)))
    if math.log10(points[-1][1]) - exponents[0] < 0.3:
        exponents.insert(0, exponents[0] - 1)  # space for the number at the last point

    def px(x):
        return left + (width - left - right) * x / last

    def py(y):
        span = exponents[-1] - exponents[0]
        return top + (height - top - bottom) * (exponents[-1] - math.log10(y)) / span

    out = [f'<svg class="chart" viewBox="0 0 {width} {height}" role="img" aria-labelledby="cv-t">'
           '<title id="cv-t">Relative divergence over iterations</title>']
    stride = max(1, math.ceil(len(exponents) / 7))
    for exponent in exponents[::stride]:
        y = py(10.0**exponent)
        out.append(f'<line class="grid" x1="{left}" x2="{width - right}" y1="{y:.1f}" y2="{y:.1f}"/>')
        out.append(f'<text class="tick" x="{left - 10}" y="{y + 4:.1f}" text-anchor="end">{_power(exponent)}</text>')
    for x in _steps(last):
        out.append(f'<line class="axis" x1="{px(x):.1f}" x2="{px(x):.1f}" y1="{height - bottom}" y2="{height - bottom + 5}"/>')
        out.append(f'<text class="tick" x="{px(x):.1f}" y="{height - bottom + 20}" text-anchor="middle">{x:g}</text>')
    out.append(f'<line class="axis" x1="{left}" x2="{width - right}" y1="{height - bottom}" y2="{height - bottom}"/>')
    path = " ".join(f"{'M' if n == 0 else 'L'}{px(x):.1f} {py(y):.1f}" for n, (x, y) in enumerate(points))
    out.append(f'<path class="line" d="{path}"/>')
    x, y = points[-1]
    out.append(f'<circle class="dot" cx="{px(x):.1f}" cy="{py(y):.1f}" r="4"/>')
    out.append(f'<text class="value" x="{px(x) - 10:.1f}" y="{py(y) + 18:.1f}" text-anchor="end">{escape(f"{y:.1e}")}</text>')
    out.append(f'<text class="label" x="{(left + width - right) / 2}" y="{height - 8}" text-anchor="middle">iteration, both colours</text>')
    out.append(f'<text class="label" x="8" y="20">relative divergence</text></svg>')
    return "".join(out)


def figure(chart, title, caption):
    """A chart with its caption; empty without a chart."""
    if not chart:
        return ""
    return f"<figure>{chart}<figcaption><b>{escape(title)}.</b> {escape(caption)}</figcaption></figure>"
