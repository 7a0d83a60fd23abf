# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""README's table of figures, made from the recorded runs."""

from pathlib import Path

from . import results, text
from .results import ResultError

ROOT = Path(__file__).resolve().parents[2]
README = ROOT / "README.md"
BEGIN, END = "<!-- figures: made by perf/report.py readme -->\n", "<!-- end of figures -->\n"
H200, CPU = "H200", "16 cores of its host"
BACKENDS = {H200: "cuda", CPU: "openmp"}
FIGURES = (
    ("red-black SOR with packed walls, f32, 1024 x 1024 x 256 (32)", "sor/packed", "f32", "1024x1024x256", "1024x1024x32"),
    ("tridiagonal systems, f64, 512 rows, 65,536 (8,192) of them", "tridiagonal/contiguous", "f64", "512x65536", "512x8192"),
    ("Poisson by multigrid in conjugate gradients to 1e-8, f64, 512^3 (256^3)", "poisson/mg_pcg", "f64", "512x512x512", "256x256x256"),
    ("Poisson directly, periodic, f64, 512^3 (256^3); peer: its transforms alone", "poisson/fast_periodic", "f64", "512x512x512", "256x256x256"),
    ("matrix of a P1 Laplacian, f64, 8.4 (2.1) million triangles", "assembly/laplacian_ordered", "f64", "8388608", "2097152"),
    ("residual of the Euler equations, f64, 8.4 million triangles", "euler/residual_renumbered", "f64", "8388608", ""),
    ("step of 2-D turbulence, f64, 4096 x 4096; peer: its transforms alone", "vorticity/rk3_step", "f64", "4096x4096", ""),
)
"""Label, kernel, precision, sizes on the H200 and on its host; no size: not recorded."""
MOST_PEERS = 2


def recorded(folder=ROOT / "perf" / "results"):
    """Recorded runs on an H200 and its host, the newest first."""
    found = [results.load(path) for path in sorted(folder.glob("*-h200*/result.json"), reverse=True)]
    if not found:
        raise ResultError(f"{folder}: holds no recorded run of an H200")
    return found


def _case(runs, kernel, backend, precision, size):
    """The newest run with this row and a peer, else with this row, and the case."""
    key = (*kernel.split("/"), precision, size)
    found = [(run, results.cases(run, backend).get(key)) for run in runs]
    found = [(run, case) for run, case in found if case and case.own and case.own.ok]
    for run, case in found:
        if any(row.ok for row in case.peers):
            return run, case
    if found:
        return found[0]
    raise ResultError(f"perf/results: no recorded row {kernel}/{backend}/{precision}/{size}")


def _own(row):
    parts = [text.seconds(row.median), text.rate(row)]
    if row.has_bandwidth and row.family in ("sor", "tridiagonal", "assembly"):
        parts.append(f"{text.percent(row.share)} of copy")
    return ", ".join(parts)


def _peers(case):
    fastest = sorted((row for row in case.peers if row.ok), key=lambda row: row.median)[:MOST_PEERS]
    return ", ".join(f"{text.implementation(row)} {text.seconds(row.median)}" for row in fastest)


def table(runs):
    """Lines of Markdown."""
    lines = [f"| | {H200} | fastest peers | {CPU} | fastest peers | run |", "|---|---|---|---|---|---|"]
    for label, kernel, precision, *sizes in FIGURES:
        cells, sources = [], []
        for place, size in zip(BACKENDS, sizes):
            if not size:
                cells += ["", ""]
                continue
            run, case = _case(runs, kernel, BACKENDS[place], precision, size)
            cells += [_own(case.own), _peers(case)]
            sources.append(run.path.parent.name)
        links = ", ".join(f"[{name[5:]}](perf/results/{name}/table.txt)" for name in dict.fromkeys(sources))
        lines.append(f"| {label} | {' | '.join(cells)} | {links} |")
    return "\n".join(lines) + "\n"


def updated(content, runs):
    """The README with a new table."""
    if content.count(BEGIN) != 1 or content.count(END) != 1 or content.index(END) < content.index(BEGIN):
        raise ResultError(f"{README.name}: expected one '{BEGIN.strip()}' and one '{END.strip()}' after it")
    before, rest = content.split(BEGIN)
    return f"{before}{BEGIN}{table(runs)}{END}{rest.split(END)[1]}"
