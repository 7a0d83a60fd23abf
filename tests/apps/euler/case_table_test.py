#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The table of shipped cases in docs/euler.md against runs: nodes, steps, and the figures that a run prints.

case_table_test.py KARMAN FOLDER [CASE...]

Without names all cases run. Ends with 1 after a line for each figure that differs.
"""

import csv
import re
import subprocess
import sys
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[3]
PAGE = PROJECT / "docs" / "euler.md"
CASES = PROJECT / "apps" / "euler" / "cases"
SHARE = 0.01
"""Compilers and instruction sets round differently: so much of the steps may differ, at least one, and the last digit of a figure."""
LINE_SEARCHES = {"polar_naca0012": 0.1}
"""Share of the steps of cases by Newton's method: whether it takes a step may turn on a last digit."""
NUMBER = r"(-?[\d.]+(?:e[-+]?\d+)?)"
ROW = re.compile(r"\| `(\w+)` \| ([\d,]+) \| [\d.]+ s, ([\d,]+) steps \| ([^|]+) \|[^|]*\|")


def table():
    """{case: (nodes, steps, text of the figures)} of the page."""
    section = PAGE.read_text(encoding="utf-8").split("\n## Shipped cases\n", 1)[1].split("\n## ", 1)[0]
    rows = [ROW.fullmatch(line) for line in section.splitlines()]
    return {row[1]: (int(row[2].replace(",", "")), int(row[3].replace(",", "")), row[4]) for row in rows if row}


def gauge(text, name):
    """Density and pressure at a gauge."""
    found = re.search(rf"^gauge {name}: density {NUMBER}, velocity \(.*\), pressure {NUMBER}$", text, re.MULTILINE)
    return float(found[1]), float(found[2])


def coefficient(text, group, name):
    return float(re.search(rf"^{group}: .*\b{name} {NUMBER}", text, re.MULTILINE)[1])


def behind_oblique_shock(text):
    density, pressure = gauge(text, "behind the shock")
    return [(pressure / 1e5, 4), (density * 287.05 * 300 / 1e5, 4)]


def reflected(text):
    return [(value, 4) for region in ("region 2", "region 3") for value in gauge(text, region)]


def stagnation(text):
    density, pressure = gauge(text, "stagnation point")
    return [(pressure, 3), (density / 1.4, 3)]


# Value and decimals of every figure of a run that the row has.
FIGURES = {
    "oblique_shock": behind_oblique_shock,
    "reflected_shock": reflected,
    "bow_shock": stagnation,
    "naca0012": lambda text: [(coefficient(text, "airfoil", name), 4) for name in ("lift", "drag")],
    "moving_piston": lambda text: [(coefficient(text, "piston", "drag"), 4)],
}


def polar(folder):
    """Steps of all points of a sweep, and the last lift and drag; nothing of a single flow."""
    if not (folder / "polar.csv").exists():
        return None
    with (folder / "polar.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    return sum(int(row["steps"]) for row in rows), [(float(rows[-1][f"airfoil.{name}"]), 4) for name in ("lift", "drag")]


def output(karman, case, *options):
    done = subprocess.run([karman, "euler", CASES / f"{case}.json", "--progress", "off", *options], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{case}: exit code {done.returncode}: {done.stderr}")
    return done.stdout


def differences(karman, folder, case, row):
    nodes, steps, figures = row
    text = output(karman, case, "--output", folder / case, "--overwrite")
    counted = int(re.search(r"^mesh +(\d+) nodes", output(karman, case, "--dry-run"), re.MULTILINE)[1])
    if counted != nodes:
        yield f"{counted} nodes, not {nodes}"
    swept = polar(folder / case)
    made = swept[0] if swept else int(re.search(r"^(\d+) steps (?:to|in) ", text, re.MULTILINE)[1])
    if abs(made - steps) > max(1, LINE_SEARCHES.get(case, SHARE) * steps):
        yield f"{made} steps, not {steps}"
    given = [float(number) for number in re.findall(NUMBER, figures)]
    for value, digits in swept[1] if swept else FIGURES.get(case, lambda _: [])(text):
        if all(abs(number - value) > 1.01 * 10**-digits for number in given):
            yield f"{value:.{digits}f} is not in its row: {figures}"


def main(karman, folder, *cases):
    rows = table()
    wrong = [f"{PAGE.name}: no row for {path.stem}" for path in sorted(CASES.glob("*.json")) if path.stem not in rows]
    wrong += [f"{PAGE.name}: {case} is no shipped case" for case in rows if not (CASES / f"{case}.json").exists()]
    for case in cases or rows:
        wrong += [f"{case}: {found}" for found in differences(karman, Path(folder), case, rows[case])]
    print("\n".join(wrong) or f"{len(cases or rows)} rows of {PAGE.name} agree with their runs")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
