# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Comparison of two runs: SAME, FASTER or SLOWER, with the noise threshold of the verdict."""

import statistics

from . import text

LEAST = 0.02
"""Differences below two percent are never called a change."""
RECORDED = 0.03
"""Spread that is assumed of a row with one figure, such as a recorded median; more where the other run spreads more."""


def noise(old, new):
    """Sum of the spreads of two rows of the same name."""
    def spread(row, other):
        if row.has_spread:
            return row.spread
        return max(RECORDED, other.spread)

    return spread(old, new) + spread(new, old)


def verdict(old, new):
    """(verdict, ratio new time / old time, threshold) of two rows of the same name."""
    if not new.ok:
        return (("NOT RUN" if new.skipped else "FAILED"), None, None)
    if not old.ok:
        return ("NO BASELINE", None, None)
    ratio = new.median / old.median
    threshold = max(LEAST, noise(old, new))
    if abs(ratio - 1) <= threshold:
        return ("SAME", ratio, threshold)
    return (("FASTER" if ratio < 1 else "SLOWER"), ratio, threshold)


def _yardstick(run, backend):
    try:
        return float(run.context[f"yardstick_{backend}_GBps"])
    except (KeyError, TypeError, ValueError):
        return 0.0


def _places(old_run, new_run):
    """Lines on the backends that both runs have: devices and memory bandwidth."""
    for backend in [b for b in new_run.backends() if b in old_run.backends()]:
        devices = [run.device(backend) for run in (old_run, new_run)]
        if devices[0] != devices[1]:
            yield f"warning: {backend} is another device: {devices[0]}; {devices[1]}"
        rates = [_yardstick(run, backend) for run in (old_run, new_run)]
        if all(rates):
            yield f"{backend}: copy bandwidth {rates[0]:.1f} GB/s, then {rates[1]:.1f} GB/s; {rates[0] / rates[1]:.3f} new/old in time"


def _alone(run, other):
    """(names, line) of rows in this run only; a family missing from the other is one line."""
    names = {row.name for row in other.rows}
    ran = {(row.backend, row.family) for row in other.rows}
    whole = {}
    for row in run.rows:
        if row.name in names:
            continue
        if (row.backend, row.family) in ran:
            yield [row.name], row.name
        else:
            whole.setdefault((row.backend, row.family), []).append(row.name)
    for (backend, family), names in whole.items():
        yield names, f"{family} on {backend}, {len(names)} row{'s' if len(names) != 1 else ''}"


def _medians(old_rows, new_rows):
    """A line per backend: change of Karman's rows, and of peers, whose code did not change."""
    ratios = {}
    for name, new in new_rows.items():
        old = old_rows.get(name)
        if old and old.ok and new.ok and new.family != "copy":
            ratios.setdefault(new.backend, ([], []))[bool(new.peer)].append(new.median / old.median)
    for backend, (own, peers) in ratios.items():
        parts = [f"{statistics.median(values):.3f} of {len(values)} {whose}"
                 for values, whose in ((own, "rows of Karman"), (peers, "rows of peers")) if values]
        yield f"{backend}: median new/old {', '.join(parts)}"


def compare(old_run, new_run):
    """Lines of text, and the verdicts by name."""
    old_rows = {row.name: row for row in old_run.rows}
    new_rows = {row.name: row for row in new_run.rows}
    lines, verdicts = [], {}
    for label, run in (("old", old_run), ("new", new_run)):
        lines.append(f"{label}: {run.path}, commit {run.context.get('commit', 'unknown')}, {run.context.get('date', '')}")
    lines.extend(_places(old_run, new_run))
    width = max((len(name) for name in new_rows), default=10)
    lines.append(f"{'row':<{width}}  {'old':>10}  {'new':>10}  {'new/old':>8}  {'noise':>7}  verdict")

    def without_figures(name, word):
        return f"{name:<{width}}  {'':>10}  {'':>10}  {'':>8}  {'':>7}  {word}"

    for name, new in new_rows.items():
        old = old_rows.get(name)
        if old is None:
            continue
        word, ratio, threshold = verdict(old, new)
        verdicts[name] = word
        if ratio is None:
            lines.append(without_figures(name, word))
        else:
            noisy = "  NOISY" if old.noisy or new.noisy else ""
            lines.append(
                f"{name:<{width}}  {text.seconds(old.median):>10}  {text.seconds(new.median):>10}  {ratio:>8.3f}"
                f"  {100 * threshold:>5.1f} %  {word}{noisy}"
            )
    for run, other, word in ((new_run, old_run, "ADDED"), (old_run, new_run, "GONE")):
        for names, line in _alone(run, other):
            verdicts.update((name, word) for name in names)
            lines.append(without_figures(line, word))
    lines.extend(_medians(old_rows, new_rows))
    counts = {word: list(verdicts.values()).count(word) for word in dict.fromkeys(verdicts.values())}
    lines.append(", ".join(f"{number} {word}" for word, number in counts.items()))
    if any(not row.has_spread for run in (old_run, new_run) for row in run.rows if row.ok):
        lines.append(f"(rows with one figure, such as a recorded median: a spread of {text.percent(RECORDED)} is assumed, or that of the other run)")
    return lines, verdicts
