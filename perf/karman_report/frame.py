# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The frame of a chart: an SVG with two axes, lines over them, and names at the ends of the lines."""

import math
from html import escape

STYLES = 8
"""Colours, shapes and dash patterns of lines; a ninth line repeats a colour and a shape, with another dash pattern."""
DASHES = ("", "8 4", "2 3", "10 3 2 3", "5 2", "12 5", "1 3 6 3", "3 6")
_SHAPES = (
    "M-4 0A4 4 0 1 0 4 0A4 4 0 1 0 -4 0Z",  # circle
    "M-3.6 -3.6H3.6V3.6H-3.6Z",  # square
    "M0 -5L4.8 3.6H-4.8Z",  # triangle
    "M0 -5.4L5 0L0 5.4L-5 0Z",  # diamond
    "M0 5L4.8 -3.6H-4.8Z",  # triangle, point down
    "M-4.6 -4.6H4.6L-4.6 4.6H4.6Z",  # hourglass
    "M-1.7 -5H1.7V-1.7H5V1.7H1.7V5H-1.7V1.7H-5V-1.7H-1.7Z",  # cross
    "M0 -5.8L1.6 -1.9L5.6 -1.8L2.5 .8L3.5 4.8L0 2.5L-3.5 4.8L-2.5 .8L-5.6 -1.8L-1.6 -1.9Z",  # star
)


class Linear:
    """An axis from low to high."""

    def __init__(self, low, high):
        self.low, self.span = low, high - low

    def part(self, value):
        """Place of a value: 0 at the low end, 1 at the high end."""
        return (value - self.low) / self.span if self.span else 0.5


class Log:
    """A logarithmic axis from low to high."""

    def __init__(self, low, high):
        self.low, self.span = low, math.log(high / low)

    def part(self, value):
        """Place of a value: 0 at the low end, 1 at the high end."""
        return math.log(value / self.low) / self.span if self.span else 0.5


def apart(positions, least, low, high):
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


def decades(low, high):
    """Exponents of the powers of ten around low and high."""
    return range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)


def log_ticks(low, high):
    """1, 2 and 5 times the powers of ten from low to high; only the powers themselves over a wide range, and all digits where
    there would be fewer than three."""
    def of(factors):
        return [f * 10.0**e for e in decades(low, high) for f in factors if low * 0.999 <= f * 10.0**e <= high * 1.001]

    ticks = of((1, 2, 5))
    if len(ticks) > 9:
        return of((1,))
    return ticks if len(ticks) >= 3 else of(range(1, 10))


def steps(limit, count=6, least=1):
    """Round numbers from zero to the limit, about `count` of them, at least `least` apart."""
    raw = limit / count
    power = 10 ** math.floor(math.log10(raw)) if raw > 0 else 1
    step = max(least, next(n * power for n in (1, 2, 5, 10) if n * power >= raw * 0.999))
    return [step * n for n in range(int(limit / step * 1.001) + 1)]


def power(exponent):
    """10 with an exponent, as text of an SVG."""
    digits = str(exponent).replace("-", "−")
    return f'10<tspan dy="-5" font-size="9">{digits}</tspan>'


def path(points):
    """Data of an SVG path through points."""
    return " ".join(f"{'M' if n == 0 else 'L'}{x:.1f} {y:.1f}" for n, (x, y) in enumerate(points))


def marker(number, x, y, noisy=False):
    """The mark of a line: its shape and colour; open where the row is noisy."""
    return (f'<path class="{"unsure" if noisy else "dot"} s{number % STYLES}" transform="translate({x:.1f} {y:.1f})" '
            f'd="{_SHAPES[number % STYLES]}"/>')


def dash(number):
    """Attribute with the dash pattern of a line."""
    pattern = DASHES[(number + number // STYLES) % len(DASHES)]
    return f' stroke-dasharray="{pattern}"' if pattern else ""


class Frame:
    """A chart in the making. `x` and `y` are axes, numbers the size of the picture and of its margins."""

    def __init__(self, title, x, y, *, width=760, height=360, left=64, right=18, top=40, bottom=62, description="", kind=""):
        self.x, self.y = x, y
        self.left, self.right, self.top, self.bottom = left, width - right, top, height - bottom
        name = "c" + "".join(c if c.isalnum() else "-" for c in title.lower())
        described = f'<desc>{escape(description)}</desc>' if description else ""
        classes = f"chart {kind}".strip()
        self.parts = [f'<svg class="{classes}" viewBox="0 0 {width} {height}" role="img" aria-labelledby="{name}">'
                      f'<title id="{name}">{escape(title)}</title>{described}']

    def px(self, x):
        """Place of a value along the horizontal axis."""
        return self.left + (self.right - self.left) * self.x.part(x)

    def py(self, y):
        """Place of a value along the vertical axis."""
        return self.top + (self.bottom - self.top) * (1 - self.y.part(y))

    def add(self, piece):
        self.parts.append(piece)

    def rule(self, y, label):
        """A line of the grid at a value; `label` is text of an SVG."""
        self.add(f'<line class="grid" x1="{self.left}" x2="{self.right}" y1="{self.py(y):.1f}" y2="{self.py(y):.1f}"/>')
        self.add(f'<text class="tick" x="{self.left - 10}" y="{self.py(y) + 4:.1f}" text-anchor="end">{label}</text>')

    def tick(self, x, label):
        """A mark under the horizontal axis."""
        self.add(f'<line class="axis" x1="{self.px(x):.1f}" x2="{self.px(x):.1f}" y1="{self.bottom}" y2="{self.bottom + 5}"/>')
        self.add(f'<text class="tick" x="{self.px(x):.1f}" y="{self.bottom + 20}" text-anchor="middle">{escape(label)}</text>')

    def base(self):
        """The horizontal axis."""
        self.add(f'<line class="axis" x1="{self.left}" x2="{self.right}" y1="{self.bottom}" y2="{self.bottom}"/>')

    def line(self, points, kind, more=""):
        """A line through points."""
        self.add(f'<path class="{kind}" d="{path((self.px(p.x), self.py(p.y)) for p in points)}"{more}/>')

    def text(self, x, y, words, kind, anchor="start"):
        anchored = "" if anchor == "start" else f' text-anchor="{anchor}"'
        self.add(f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}"{anchored}>{escape(words)}</text>')

    def name(self, point, y, label, kind="", mark=""):
        """The name of a line in the right margin at height y, with a lead from its last point and, before it, a mark."""
        self.add(f'<path class="lead" d="M{self.px(point.x) + 5:.1f} {self.py(point.y):.1f}L{self.right + 16} {y:.1f}"/>')
        self.add(mark)
        self.text(self.right + (34 if mark else 20), y + 4, label, f"name {kind}".strip())

    def ends(self, points, least=17):
        """Heights of names beside these points."""
        return apart([self.py(point.y) for point in points], least, self.top, self.bottom)

    def done(self, x_label, y_label):
        """The whole SVG, with the names of its axes."""
        middle = (self.left + self.right) / 2
        self.add(f'<text class="label" x="{middle}" y="{self.bottom + 54}" text-anchor="middle">{escape(x_label)}</text>')
        self.add(f'<text class="label" x="8" y="20">{escape(y_label)}</text></svg>')
        return "".join(self.parts)
