# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Two runs next to each other: SAME, FASTER or SLOWER, with the noise that the verdict had to overcome."""

from . import text

LEAST = 0.02
"""Differences below two percent are never called a change."""


def verdict(old, new):
    """(verdict, ratio new time / old time, threshold) of two rows of the same name."""
    if not new.ok:
        return (("NOT RUN" if new.skipped else "FAILED"), None, None)
    if not old.ok:
        return ("NO BASELINE", None, None)
    ratio = new.median / old.median
    threshold = max(LEAST, old.spread + new.spread)
    if abs(ratio - 1) <= threshold:
        return ("SAME", ratio, threshold)
    return (("FASTER" if ratio < 1 else "SLOWER"), ratio, threshold)


def compare(old_run, new_run):
    """Lines of text, and the verdicts by name."""
    old_rows = {row.name: row for row in old_run.rows}
    new_rows = {row.name: row for row in new_run.rows}
    lines, verdicts = [], {}
    for label, run in (("old", old_run), ("new", new_run)):
        lines.append(f"{label}: {run.path}, commit {run.context.get('commit', 'unknown')}, {run.context.get('date', '')}")
    devices = [{run.device(b) for b in run.backends()} for run in (old_run, new_run)]
    if devices[0] != devices[1]:
        lines.append("warning: the two runs are from different machines")
    width = max((len(name) for name in new_rows), default=10)
    lines.append(f"{'row':<{width}}  {'old':>10}  {'new':>10}  {'new/old':>8}  {'noise':>7}  verdict")
    for name, new in new_rows.items():
        old = old_rows.get(name)
        if old is None:
            verdicts[name] = "ADDED"
            lines.append(f"{name:<{width}}  {'':>10}  {'':>10}  {'':>8}  {'':>7}  ADDED")
            continue
        word, ratio, threshold = verdict(old, new)
        verdicts[name] = word
        if ratio is None:
            lines.append(f"{name:<{width}}  {'':>10}  {'':>10}  {'':>8}  {'':>7}  {word}")
        else:
            lines.append(
                f"{name:<{width}}  {text.seconds(old.median):>10}  {text.seconds(new.median):>10}  {ratio:>8.3f}"
                f"  {100 * threshold:>5.1f} %  {word}"
            )
    for name in old_rows.keys() - new_rows.keys():
        verdicts[name] = "GONE"
        lines.append(f"{name:<{width}}  {'':>10}  {'':>10}  {'':>8}  {'':>7}  GONE")
    counts = {word: list(verdicts.values()).count(word) for word in dict.fromkeys(verdicts.values())}
    lines.append(", ".join(f"{number} {word}" for word, number in counts.items()))
    return lines, verdicts
