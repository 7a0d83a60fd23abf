# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Roofline of each platform after Williams, Waterman and Patterson (2009): kernels with counted operations under the measured
copy bandwidth and peaks of arithmetic."""

import math
from dataclasses import dataclass
from html import escape
from typing import NamedTuple

from . import charts, curves, frame, platforms, results, text
from .markup import tag

PRECISIONS = ("f64", "f32")
SHOWN_TABLES = 2
"""With more platforms than this, the tables under the plots are folded."""
EXPLAINED = (
    "Horizontal: operations per byte of modelled traffic. Vertical: operations per second. "
    "The roof is the copy bandwidth times the operations per byte, up to the peak of a precision. "
    "Only data in cache can lift a kernel above its slope. "
    "The corner is the ridge: left of it memory is the limit, right of it arithmetic. "
    "Karman is compiled without fused multiplications and additions, so additions and multiplications alone reach half of a peak."
)


class Roof(NamedTuple):
    """Limits of a platform in one run."""

    bandwidth: float  # bytes/s
    peaks: dict  # precision -> flops per second
    loop: str = "copy"  # that measured the bandwidth

    def ridge(self, precision):
        """Operations per byte at which both limits are equal."""
        return self.peaks[precision] / self.bandwidth

    def attainable(self, intensity, precision):
        """The limit in flops per second at this number of operations per byte."""
        return min(self.bandwidth * intensity, self.peaks[precision])


class Placed(NamedTuple):
    """A kernel under a roof."""

    row: results.Row
    intensity: float  # operations per byte
    attainable: float

    @property
    def share(self):
        """Share of the roof."""
        return self.row.flop_rate / self.attainable


@dataclass
class Roofline:
    """Roof and kernels of a platform."""

    platform: platforms.Platform
    roof: Roof
    kernels: list


def roof_of(run, backend):
    """The roof that a run measured; None without copy bandwidth and a peak."""
    def measured(key):
        try:
            return float(run.context.get(key, 0)) * 1e9
        except ValueError:
            return 0.0

    bandwidth = measured(f"yardstick_{backend}_GBps")
    peaks = {precision: peak for precision in PRECISIONS if (peak := measured(f"peak_{backend}_{precision}_GFlops")) > 0}
    loop = str(run.context.get(f"yardstick_{backend}", "copy"))
    return Roof(bandwidth, peaks, loop) if bandwidth > 0 and peaks else None


def _countable(row):
    return row.ok and row.flops > 0 and row.bytes > 0 and row.has_bandwidth


def _measured(platform, families):
    return [measured for family in families for measured in platform.measured(family).values()]


def rooflines(runs):
    """One for each platform with counted operations, each kernel at its largest size there. The roof is that of the newest run with
    such a kernel; kernels of a precision without a peak have no place."""
    found = []
    for platform in platforms.distinct(runs):
        countable = [measured for measured in _measured(platform, curves.with_table(runs)) if _countable(measured.case.own)]
        roofs = [(str(m.run.context.get("date", "")), roof) for m in countable if (roof := roof_of(m.run, platform.backend))]
        if not roofs:
            continue
        roof = max(roofs, key=lambda entry: entry[0])[1]
        kernels = [Placed(row, row.flops / row.bytes, roof.attainable(row.flops / row.bytes, row.precision))
                   for row in (m.case.own for m in countable) if row.precision in roof.peaks]
        if kernels:
            found.append(Roofline(platform, roof, kernels))
    return found


def not_counted(runs):
    """Families of kernels that ran and have no count of operations."""
    places = platforms.distinct(runs)
    return [family for family in curves.with_table(runs)
            if any(m.case.own.ok and not m.case.own.flops for platform in places for m in _measured(platform, [family]))]


def _flops(value):
    return f"{text.significant(value * 1e-12)} TFlop/s" if value >= 1e12 else f"{text.significant(value * 1e-9)} GFlop/s"


def _span(values, down, up):
    return 10 ** (math.log10(min(values)) - down), 10 ** (math.log10(max(values)) + up)


def chart(roofline):
    """The plot of one platform."""
    roof, kernels = roofline.roof, roofline.kernels
    x_axis = _span([*(k.intensity for k in kernels), *(roof.ridge(precision) for precision in roof.peaks)], 0.9, 0.5)
    y_axis = _span([*(k.row.flop_rate for k in kernels), roof.bandwidth * x_axis[0], *roof.peaks.values()], 0.2, 0.3)
    prefix, scale = ("T", 1e12) if max(roof.peaks.values()) >= 1e13 else ("G", 1e9)
    words = "; ".join(f"{n} {text.algorithm(k.row)}, {text.PRECISIONS[k.row.precision]}: {k.intensity:.2f} operations per byte, "
                      f"{_flops(k.row.flop_rate)}" for n, k in enumerate(kernels, 1))
    plot = frame.Frame(f"Roofline, {roofline.platform.name}", frame.Log(*x_axis), frame.Log(*y_axis), width=520, height=380, left=68,
                       right=150, description=words, kind="panel")
    for y in frame.log_ticks(*y_axis):
        plot.rule(y, f"{y / scale:g}")
    for x in frame.log_ticks(*x_axis):
        plot.tick(x, f"{x:g}")
    plot.base()
    _draw_roof(plot, roof, x_axis)
    _draw_kernels(plot, kernels)
    return plot.done("operations per byte of modelled traffic", f"{prefix}Flop/s")


def _draw_roof(plot, roof, x_axis):
    ridges = {precision: roof.ridge(precision) for precision in roof.peaks}
    top = max(ridges.values())
    slope = [charts.Point(x_axis[0], roof.bandwidth * x_axis[0]), charts.Point(top, roof.bandwidth * top)]
    plot.line(slope, "roof")
    ends = {precision: charts.Point(x_axis[1], peak) for precision, peak in roof.peaks.items()}
    heights = plot.ends(list(ends.values()), 44)
    for (precision, end), y in zip(ends.items(), heights):
        n = PRECISIONS.index(precision)
        plot.line([charts.Point(ridges[precision], end.y), end], f"roof s{n}", frame.dash(n))
        plot.name(end, y, text.PRECISIONS[precision], f"s{n}")
        plot.text(plot.right + 20, y + 24, _flops(end.y), "value")
    angle = math.degrees(math.atan2(plot.py(slope[1].y) - plot.py(slope[0].y), plot.px(slope[1].x) - plot.px(slope[0].x)))
    x, y = plot.px(slope[0].x), plot.py(slope[0].y)
    plot.add(f'<text class="value" transform="translate({x:.1f} {y:.1f}) rotate({angle:.1f})" x="12" y="-8">'
             f"{escape(roof.loop)} {text.bandwidth(roof.bandwidth)}</text>")


def _draw_kernels(plot, kernels):
    """Marks by precision, with numbers in a column right of them."""
    column = max(plot.px(k.intensity) for k in kernels) + 26
    places = plot.ends([charts.Point(k.intensity, k.row.flop_rate) for k in kernels], 20)
    for n, (k, place) in enumerate(zip(kernels, places), 1):
        colour = PRECISIONS.index(k.row.precision)
        x, y = plot.px(k.intensity), plot.py(k.row.flop_rate)
        plot.add(f'<path class="lead" d="M{x:.1f} {y:.1f}L{column - 4:.1f} {place:.1f}"/>')
        plot.add(frame.marker(colour, x, y, k.row.noisy))
        plot.text(column, place + 5, str(n), f"name s{colour}")


def _table(kernels, shown):
    rows = []
    for n, k in enumerate(kernels, 1):
        kernel = tag("td", f"{escape(text.algorithm(k.row))}<small>{text.PRECISIONS[k.row.precision]} precision</small>")
        speed = f"{_flops(k.row.flop_rate)}<small>{text.percent(k.share)} of the roof, {_flops(k.attainable)}</small>{text.noise(k.row)}"
        numbers = (tag("td", f"{k.intensity:.2f}", class_="number", data_label="Operations per byte")
                   + tag("td", speed, class_="number", data_label="Speed"))
        rows.append(f'<tr><th scope="row">{n}</th>{kernel}{numbers}</tr>')
    head = ('<th scope="col">No.</th><th scope="col">Kernel</th><th scope="col" class="number">Operations<br>per byte</th>'
            '<th scope="col" class="number">Speed</th>')
    return (f'<details{" open" if shown else ""}><summary>Kernels by number</summary><table><thead><tr>{head}</tr></thead>'
            f"<tbody>{''.join(rows)}</tbody></table></details>")


def section(runs):
    """Part of the page; empty without a kernel that has a place."""
    found = rooflines(runs)
    if not found:
        return ""
    without = ", ".join(text.family(family) for family in not_counted(runs))
    left_out = f'<p class="note">Without a place, since their operations are not counted: {escape(without)}.</p>' if without else ""
    key = "Circles: double precision; squares: single. Open: noisy."
    figures = "".join(f"<div>{charts.figure(chart(roofline), roofline.platform.name, key)}"
                      f"{_table(roofline.kernels, len(found) <= SHOWN_TABLES)}</div>" for roofline in found)
    return f'<h3>Roofline</h3><p>{EXPLAINED}</p>{left_out}<div class="gallery">{figures}</div>'
