# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Charts as inline SVG whose colours follow the page."""

import math
from html import escape

SCALE = 1.25
"""A bar of full width stands for 125 percent, so that the mark at 100 percent is inside."""


def bar(share, kind):
    """A horizontal bar for a share of the copy bandwidth, the mark at 100 percent."""
    width = min(share / SCALE, 1.0) * 100
    more = " over" if share > SCALE else ""
    return (f'<span class="bar" role="img" aria-label="{100 * share:.0f} percent of the copy bandwidth">'
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
        exponents.insert(0, exponents[0] - 1)  # room for the number at the last point

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
