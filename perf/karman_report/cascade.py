# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Cascade plots after Sewall, Pennycook, Jacobsen, Deakin and McIntosh-Smith (2020): efficiencies from the best platform to the
worst, and the performance portability over the first platforms."""

from . import charts, frame, portability, text

MOST_LINES = 8
"""Implementations of one kernel in a plot."""
WIDTH, PLOT, MARGINS = 520, 250, (40, 62)
ROW = 22
DENSE = 12
"""With more platforms than this, letters are small."""


def ordered(efficiencies):
    """(letter, Efficiency) pairs from the best platform to the worst."""
    return sorted(efficiencies.items(), key=lambda entry: -entry[1].value)


def running(efficiencies):
    """Harmonic mean over the first 1, 2, ... platforms of this order."""
    values = [e.value for _, e in ordered(efficiencies)]
    return [portability.harmonic_mean(values[:n]) for n in range(1, len(values) + 1)]


def leading(kernels):
    """The kernel of a family whose implementations are compared: most platforms, then most implementations on two or more of
    them, double precision before single, the first in the file. None without a kernel on two platforms."""
    def rank(kernel):
        several = sum(len(found) > 1 for found in portability.implementations(kernel).values())
        return len(kernel.application), several, kernel.row.precision == "f64"

    compared = [kernel for kernel in kernels if len(kernel.application) > 1]
    return max(compared, key=rank, default=None)


def chosen(kernel):
    """[(name, efficiencies)] of Karman and of the peers on most platforms, best first; and how many peers are left out."""
    found = portability.implementations(kernel)
    own = found.pop("")
    peers = sorted(found.items(), key=lambda entry: (-len(entry[1]), -running(entry[1])[-1]))
    lines = [("Karman", own), *((text.short_peer(name), efficiencies) for name, efficiencies in peers)]
    return lines[:MOST_LINES], max(0, len(lines) - MOST_LINES)


def _panel(lines, number, y_label, title, strip=False):
    """One half of a plot. `lines`: (style, name, [(letter, Efficiency), ...]); the strip gives the platform at each place."""
    most = max(len(entries) for _, _, entries in lines)
    high = max(1.0, *(e.value for _, _, entries in lines for _, e in entries))
    words = "; ".join(f"{name} {', '.join(f'{e.value:.2f} {letter}' for letter, e in entries)}" for _, name, entries in lines)
    below = 12 + ROW * len(lines) if strip else 0
    top, bottom = MARGINS
    plot = frame.Frame(f"{title}: {y_label}", frame.Linear(0.6, most + 0.4), frame.Linear(0, 1.03 * high), width=WIDTH,
                       height=top + PLOT + bottom + below, left=50, right=46 + 10.4 * max(len(name) for _, name, _ in lines), top=top,
                       bottom=bottom + below, description=words, kind="panel")
    for value in frame.steps(high, 5, 0.1):
        plot.rule(value, f"{value:.1f}")
    for place in range(1, most + 1, 1 if most <= DENSE else 2):
        plot.tick(place, str(place))
    plot.base()
    series = [[charts.Point(n, e.value, e.noisy) for n, (_, e) in enumerate(entries, 1)] for _, _, entries in lines]
    heights = plot.ends([points[-1] for points in series], ROW - 1)
    # Backwards, so that the first line is on top.
    for (style, name, _), points, height in reversed(list(zip(lines, series, heights))):
        colour = f"s{style % frame.STYLES}"
        plot.line(points, f"line {colour}", frame.dash(style))
        for p in points:
            plot.add(frame.marker(style, plot.px(p.x), plot.py(p.y), p.noisy))
        plot.name(points[-1], height, name, colour, frame.marker(style, plot.right + 24, height))
    for n, (style, name, entries) in enumerate(lines if strip else ()):
        y = plot.bottom + bottom + 12 + ROW * n
        for place, (letter, _) in enumerate(entries, 1):
            plot.text(plot.px(place), y + 4, letter, "letter dense" if most > DENSE else "letter", "middle")
        plot.add(frame.marker(style, plot.right + 24, y))
        plot.text(plot.right + 34, y + 4, name, f"name s{style % frame.STYLES}")
    return plot.done(f"platforms, the best first (of {number})", y_label)


def plot(lines, number, title, caption, y_label):
    """Both halves with a caption; empty without a line of two platforms. `lines`: (name, {letter: Efficiency}). The place in this list
    gives the style of a line, and a line without efficiencies is not drawn. `number`: platforms in all."""
    lines = [(style, name, ordered(efficiencies)) for style, (name, efficiencies) in enumerate(lines) if efficiencies]
    if not any(len(entries) > 1 for _, _, entries in lines):
        return ""
    means = [(style, name, _means(entries)) for style, name, entries in lines]
    first = _panel(lines, number, y_label, title, strip=True)
    second = _panel(means, number, "performance portability of the first platforms", title)
    return charts.figure(f'<div class="gallery pair">{first}{second}</div>', title, caption)


def _means(entries):
    """The running mean with the letters of the platforms that enter; noisy from the first noisy efficiency on."""
    noisy = [any(e.noisy for _, e in entries[:n]) for n in range(1, len(entries) + 1)]
    return [(letter, portability.Efficiency(value, unsure))
            for (letter, _), value, unsure in zip(entries, running(dict(entries)), noisy)]
