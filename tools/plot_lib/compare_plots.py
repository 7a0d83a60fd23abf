# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The picture of a comparison: residual against time, time to solution, memory."""

import numpy as np
from matplotlib.lines import Line2D

from . import style
from .output_file import PlotError

COLOURS = {
    "jacobi": "#b5b5b5", "gauss_seidel": "#8d8d8d", "red_black_gs": "#d9a441", "sor": "#c4713b", "sor_optimal": "#a33b2e",
    "adi": "#7d5ba6", "tridiagonal": "#3d7a3a", "direct": "#2e8b57", "multigrid": "#2b6cb0", "cg": "#d16ba5", "mg_pcg": "#0b3d91",
}
STYLES = ["-", "--", ":", "-."]
MARKS = ["o", "s", "^", "D"]
RAN = ("done", "cut off", "not converged")


def time_text(seconds):
    if seconds < 1e-3:
        return f"{1e6 * seconds:.3g} us"
    return f"{1e3 * seconds:.3g} ms" if seconds < 1 else f"{seconds:.3g} s"


def bytes_text(count):
    for unit, size in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if count >= size:
            return f"{count / size:.3g} {unit}"
    return f"{count:.0f} B"


def bare(axes, sides=("top", "right")):
    for side in sides:
        axes.spines[side].set_visible(False)


def draw_histories(axes, file, rows, backends, tolerance):
    for row in rows:
        table = file.table(f"/runs/{row['backend']}/{row['method']}")
        if not table:
            continue
        shown = np.isfinite(table["residual"]) & (table["residual"] > 0) & (table["seconds"] > 0)
        order = backends.index(row["backend"])
        colour = COLOURS.get(row["method"], style.INK)
        if np.count_nonzero(shown) > 1:
            axes.loglog(table["seconds"][shown], table["residual"][shown], color=colour, linestyle=STYLES[order % 4], linewidth=1.6)
        if shown.any():
            last = np.flatnonzero(shown)[-1]
            axes.loglog(table["seconds"][last], table["residual"][last], color=colour, marker=MARKS[order % 4], markersize=6,
                        markerfacecolor=colour if row["fate"] == "done" else "white")
    axes.axhline(tolerance, color=style.SOFT, linewidth=0.8, linestyle=(0, (1, 2)))
    axes.text(0.995, tolerance, "tolerance ", transform=axes.get_yaxis_transform(), ha="right", va="bottom", fontsize=8, color=style.SOFT)
    axes.set_xlabel("seconds since the start of the solve")
    axes.set_ylabel("relative residual")
    axes.grid(True, which="major", color="#e3e7ea", linewidth=0.7)
    bare(axes)
    methods = list(dict.fromkeys(row["method"] for row in rows))
    handles = [Line2D([], [], color=COLOURS.get(method, style.INK), linewidth=2.4, label=method) for method in methods]
    handles += [Line2D([], [], color=style.INK, linestyle=STYLES[n % 4], marker=MARKS[n % 4], markersize=5, label=f"on {backend}")
                for n, backend in enumerate(backends)]
    handles.append(Line2D([], [], color=style.INK, marker="o", markerfacecolor="white", linestyle="", label="not at the tolerance"))
    axes.legend(handles=handles, loc="center left", bbox_to_anchor=(1.01, 0.5), frameon=False, fontsize=8.5, labelspacing=0.45)


def draw_bars(axes, rows, value, words, label):
    """One bar per row, on a logarithmic axis; pale where the tolerance was not met."""
    values = [max(value(row), 1e-12) for row in rows]
    low = 10.0 ** np.floor(np.log10(min(values)) - 0.2)
    for n, (row, v) in enumerate(zip(rows, values)):
        done = row["fate"] == "done"
        axes.barh(n, v - low, left=low, color=COLOURS.get(row["method"], style.INK), alpha=1 if done else 0.3, height=0.72)
        axes.text(v, n, f" {words(row)}" + ("" if done else f" ({row['fate']})"), va="center", fontsize=7.5)
    axes.set_xscale("log")
    axes.set_xlim(low, max(values) * 40)
    axes.set_yticks(range(len(rows)), [f"{row['method']}, {row['backend']}" for row in rows], fontsize=8)
    axes.invert_yaxis()
    axes.set_xlabel(label)
    axes.tick_params(axis="y", length=0)
    bare(axes)


def draw_all(file, options, folder):
    summary = file.summary()
    rows = [row for row in summary.get("rows", []) if row.get("fate") in RAN]
    if not rows:
        raise PlotError(f"{file.path}: no method ran")
    backends = [backend["name"] for backend in summary["backends"]]
    rows.sort(key=lambda row: (row["fate"] != "done", row["seconds"] if row["fate"] == "done" else row["residual"]))
    inches = options.width / style.DPI
    bars = 0.26 * len(rows) + 0.9
    height = 1.1 + 4.3 + 0.7 + bars
    figure = style.figure(inches, height)
    curves = figure.add_axes([0.8 / inches, (bars + 0.75) / height, (inches - 2.9) / inches, 4.3 / height])
    draw_histories(curves, file, rows, backends, summary["tolerance"])
    half = (inches - 4.4) / 2
    times = figure.add_axes([1.75 / inches, 0.5 / height, half / inches, (bars - 0.75) / height])
    draw_bars(times, rows, lambda row: row["seconds"], lambda row: time_text(row["seconds"]), "time of the solve, s")
    memory = figure.add_axes([(1.75 + half + 0.5 + 1.65) / inches, 0.5 / height, half / inches, (bars - 0.75) / height])
    draw_bars(memory, rows, lambda row: row["memory_bytes"], lambda row: bytes_text(row["memory_bytes"]), "memory, bytes")
    cells = " x ".join(str(n) for n in summary["cells"] if n > 1)
    many = {b["name"]: "" if b["name"] == "cuda" else f", {b['concurrency']} thread{'s' * (b['concurrency'] > 1)}" for b in summary["backends"]}
    devices = ", ".join(f"{b['name']}: {b['device']}{many[b['name']]}" for b in summary["backends"])
    figure.text(0.8 / inches, 1 - 0.36 / height, f"Methods: {summary.get('title') or file.title}", fontsize=13, fontweight="bold")
    figure.text(0.8 / inches, 1 - 0.60 / height, f"{cells} cells, {summary['precision']}, to {summary['tolerance']:g} within "
                f"{summary['budget_seconds']:g} s each; {devices}", fontsize=9, color=style.SOFT)
    figure.text(0.8 / inches, 1 - 0.82 / height, summary.get("verdict", "").split("\n")[0], fontsize=9, color=style.INK)
    style.save(figure, folder.place("compare.png"))
    folder.add("compare.png", "Every method on every backend", "Residual against time, time to solution, memory.", "compare")
