# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Convergence of the iteration."""

import numpy as np

from . import style


def draw(wind, width, path):
    table = wind.table("/history")
    iteration, residual = table["iteration"], table["relative_divergence"]
    shown = np.isfinite(residual) & (residual > 0)
    inches = width / style.DPI
    figure = style.figure(inches, 4.6)
    axes = figure.add_axes([0.085, 0.14, 0.88, 0.66])
    axes.semilogy(iteration[shown], residual[shown], color=style.ACCENT, linewidth=1.8, marker="o", markersize=3)
    axes.grid(True, which="major", color="#dfe3e7", linewidth=0.7)
    cycles = wind.attribute("method", "sor") != "sor"
    axes.set_xlabel("cycle of multigrid" if cycles else "iteration (both colours)")
    axes.set_ylabel("relative divergence")
    axes.set_xlim(left=0)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    last = f"{int(iteration[shown][-1])} {'cycles' if cycles else 'iterations'} to {residual[shown][-1]:.2g}" if shown.any() else "no iteration"
    seconds = table.get("seconds")
    if seconds is not None and len(seconds) and shown.any():
        last += f" in {seconds[shown][-1]:.3g} s"
    figure.text(0.085, 0.93, "Convergence of the solve", fontsize=13, fontweight="bold")
    figure.text(0.085, 0.87, last, fontsize=9.5, color=style.SOFT)
    style.save(figure, path)
