# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Solvers over processes: efficiency of weak and strong scaling, beside the time of computing and messages measured apart."""

import re
from html import escape
from typing import NamedTuple

from . import charts, results, text

FAMILY = "scaling"
NAME = re.compile(r"^(?P<solver>\w+)_(?P<kind>weak|strong)_(?P<processes>\d+)$")
SOLVERS = {"sor": "Red-black SOR", "cg": "Conjugate gradients", "multigrid": "Multigrid", "mg_pcg": "Multigrid in conjugate gradients",
           "fast_poisson": "FastPoisson"}


class Entry(NamedTuple):
    """One solver with a number of processes."""

    solver: str
    kind: str  # weak or strong
    processes: int
    efficiency: float
    row: results.Row

    @property
    def model(self):
        """Efficiency if computing hid the exchanges; None where the parts of the time were not measured."""
        share = self.row.figures.get("model", 0.0)
        return self.efficiency / share if share > 0 else None


def entries(run, backend, precision):
    """Rows with an efficiency: time of one process over the time, of strong scaling also over the number of processes."""
    found = []
    for row in run.rows:
        match = NAME.match(row.algorithm)
        if match and row.family == FAMILY and row.backend == backend and row.precision == precision and row.ok:
            found.append((match["solver"], match["kind"], int(match["processes"]), row))
    alone = {solver: row.median for solver, kind, count, row in found if (kind, count) == ("weak", 1)}
    return [Entry(solver, kind, count, alone[solver] / row.median / (count if kind == "strong" else 1), row)
            for solver, kind, count, row in found if solver in alone]


def curves(found, solver):
    """(measured, models): {name: [Point, ...]} of one solver over the number of processes."""
    measured, models = {}, {}
    for entry in found:
        if entry.solver != solver:
            continue
        # The grid of one process is the first one of both kinds.
        for kind in (entry.kind,) if entry.processes > 1 else ("weak", "strong"):
            measured.setdefault(kind, []).append(charts.Point(entry.processes, entry.efficiency, entry.row.noisy))
            model = 1.0 if entry.processes == 1 else entry.model
            if model is not None:
                models.setdefault(f"{kind}, model", []).append(charts.Point(entry.processes, model))
    return measured, {name: points for name, points in models.items() if len(points) > 1}


def _solvers(found):
    return list(dict.fromkeys(entry.solver for entry in found))


def _name(solver):
    return SOLVERS.get(solver, solver.replace("_", " "))


def _bytes(number):
    return f"{text.significant(number * 1e-6)} MB" if number >= 1e5 else f"{text.significant(number * 1e-3)} kB"


def _cells(entry):
    """Texts of a line of the table."""
    figures = entry.row.figures
    iterations = figures.get("iterations", 1.0)

    def figure(name, form):
        return form(figures[name]) if name in figures else "–"

    return (_name(entry.solver), text.PRECISIONS[entry.row.precision], entry.kind if entry.processes > 1 else "alone", str(entry.processes),
            text.size(entry.row.size),
            text.seconds(entry.row.median / iterations), f"{entry.efficiency:.2f}",
            figure("bytes_sent", lambda sent: _bytes(sent / iterations)), figure("overlap", "{:.2f}".format),
            figure("model", "{:.2f}".format))


HEAD = ("solver", "precision", "scaling", "processes", "cells", "time of an iteration", "efficiency", "sent by a process", "overlap", "share of the model")


def _table(found):
    head = "".join(f'<th scope="col"{" class=number" if n > 4 else ""}>{escape(name)}</th>' for n, name in enumerate(HEAD))
    lines = "".join("<tr>" + "".join(f'<td{" class=number" if n > 4 else ""} data-label="{escape(HEAD[n])}">{escape(cell)}</td>'
                                     for n, cell in enumerate(_cells(entry))) + "</tr>" for entry in found)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{lines}</tbody></table>"


def efficiencies(runs):
    """A chart for each run, backend, precision and solver, and a table of its numbers."""
    parts = []
    for run in runs:
        for backend in run.backends():
            for precision in text.PRECISIONS:
                found = entries(run, backend, precision)
                for solver in _solvers(found):
                    measured, models = curves(found, solver)
                    most = max(entry.processes for entry in found)
                    place = f"{text.backend(backend)} ({run.device(backend)}), {text.PRECISIONS[precision]} precision"
                    lines = [*models.items(), ("ideal", [charts.Point(1, 1), charts.Point(most, 1)])]
                    parts.append(charts.figure(
                        charts.curves(list(measured.items()), "processes", "efficiency",
                                      f"Efficiency over processes, {_name(solver)}, {place}", lines=lines),
                        f"{_name(solver)}, {place}",
                        "Weak: as many cells in each process; strong: as many in all. Dashed: the longer of computing and "
                        "exchanging, each measured apart, with the collective messages."))
                if found:
                    parts.append(_table(found))
    return "".join(parts)


def lines(run):
    """The table as text."""
    found = [_cells(entry) for backend in run.backends() for precision in text.PRECISIONS for entry in entries(run, backend, precision)]
    if not found:
        return []
    widths = [max(len(row[n]) for row in (HEAD, *found)) for n in range(len(HEAD))]
    return ["", *("  " + "  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in (HEAD, *found))]
