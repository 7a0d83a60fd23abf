# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Families with pictures: every tridiagonal algorithm over rows and systems, the hybrid over its
intermediate size, the strategies of assembly. Scaling is drawn by scaling.py and
processes.py, steps of turbulence by spectral.py."""

from collections import Counter

from . import assembly, charts, platforms, processes, results, scaling, spectral, text

ROWS = 512
"""Rows of a system where the number of systems varies."""


def _sides(row):
    rows, _, systems = row.size.partition("x")
    return int(rows), int(systems or 1)


def _own(run, backend, family):
    return [row for row in run.rows if row.family == family and row.backend == backend and row.ok and not row.peer]


def _nanoseconds(row):
    return 1e9 * row.median / row.units


def over_rows(rows):
    """One curve per algorithm: nanoseconds per row over the rows of a system, at the most frequent number of rows."""
    products = Counter(_sides(row)[0] * _sides(row)[1] for row in rows)
    if not products:
        return []
    total = products.most_common(1)[0][0]
    return _by_algorithm((row, _sides(row)[0]) for row in rows if _sides(row)[0] * _sides(row)[1] == total)


def over_systems(rows):
    """One curve per algorithm: nanoseconds per row over the number of systems of 512 rows."""
    return _by_algorithm((row, _sides(row)[1]) for row in rows if _sides(row)[0] == ROWS)


def _by_algorithm(entries):
    found = {}
    for row, x in entries:
        found.setdefault(text.algorithm(row), []).append(charts.Point(x, _nanoseconds(row), row.noisy))
    return list(found.items())


def over_intermediate_size(rows):
    """One curve per precision: nanoseconds per row over the rows left to parallel cyclic reduction."""
    found = {}
    for row in rows:
        found.setdefault(f"{text.PRECISIONS[row.precision]} precision", []).append(
            charts.Point(int(row.algorithm.rpartition("_")[2]), _nanoseconds(row), row.noisy))
    return list(found.items())


def _algorithms(rows, place):
    y_label = "time per row (ns)"
    by_rows = charts.figure(charts.curves(over_rows(rows), "rows per system", y_label, f"Every algorithm over rows, {place}"),
                      f"Rows, {place}", "Constant total number of rows; double precision, systems "
                      "contiguous. Lower is better; the plan chooses by rows, systems and memory layout.")
    by_systems = charts.figure(charts.curves(over_systems(rows), f"systems of {ROWS} rows", y_label, f"Every algorithm over systems, {place}"),
                         f"Systems, {place}", "With few systems, kernel launches and dependent steps "
                         "dominate the time: it falls with every system added.")
    return by_rows + by_systems


def _hybrid(rows, place):
    chart = charts.curves(over_intermediate_size(rows), "rows of the parallel cyclic reduction", "time per row (ns)",
                          f"CR-PCR over its intermediate size, {place}", mark_least=True)
    return charts.figure(chart, f"Crossover, {place}", "Systems of 512 rows. 1: cyclic reduction alone; 512: parallel cyclic "
                   "reduction alone: less work or more parallelism. The ring marks the best size.")


OVER_BACKENDS = {"euler_sizes": scaling.sizes, "euler_threads": scaling.threads, processes.FAMILY: processes.efficiencies}
"""Families whose charts compare the backends of a run."""
ABOVE_TABLE = {spectral.FAMILY: spectral.sizes}
"""Families with charts above their table."""
FAMILIES = {"tridiagonal_algorithms": _algorithms, "tridiagonal_hybrid": _hybrid, "assembly_strategies": assembly.strategies,
            **OVER_BACKENDS}


def section(runs, family, platform):
    """The charts of a family; `platform` gives a readable name."""
    if family in OVER_BACKENDS:
        return OVER_BACKENDS[family](runs)
    return "".join(FAMILIES[family](_own(run, backend, family), platform(label))
                   for label, (run, backend) in platforms.columns(runs).items())


def with_table(runs):
    """Families with a table of Karman beside its peers, in the order of first appearance."""
    return [family for family in results.families(runs) if family != "copy" and family not in FAMILIES]


def above_table(runs, family):
    """The charts of a family with a table; empty where it has none."""
    return ABOVE_TABLE[family](runs) if family in ABOVE_TABLE else ""
