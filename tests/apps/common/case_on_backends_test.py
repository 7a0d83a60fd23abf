#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A case that ships, run whole on every backend of the build: each run ends with 0, and their fields agree.

case_on_backends_test.py KARMAN APPLICATION CASE FOLDER
"""

import subprocess
import sys
import time
from pathlib import Path

import h5py
import numpy as np

# Largest norm of the difference of a field over that of the field: of the order of the tolerance of its solver, that of
# the Picard iteration for waves.
TOLERANCES = {"euler": 1e-6, "poisson": 1e-6, "waves": 1e-4, "wind": 1e-3}
# Small differences of large numbers, whose last digits are rounding: the numbers whose size counts, a field or a
# constant. Without that field there is no comparison.
SCALES = {"residual": "f", "error": "p", "divergence_after": "divergence_before", "entropy": 1.0}
# The angle of another field, without meaning where that is nearly zero.
ANGLES = {"direction": "energy_flux"}
# Flows that amplify every rounding error until no digit is left: figures at the end, and how far they may lie apart.
STATISTICS = {"turbulence": {"energy": 0.05, "enstrophy": 0.25}}


def run(words):
    start = time.monotonic()
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, check=False)
    return done, time.monotonic() - start


def backends(karman):
    """Names of the backends that `karman info` lists."""
    lines = run([karman, "info"])[0].stdout.split("backends, the default first:\n", 1)[1].splitlines()
    names = []
    for line in lines:
        if not line.strip():
            break
        if line.startswith("  ") and line[2] != " ":
            names.append(line.split(":", 1)[0].strip())
    return names


def results(folder):
    """The result files of a run, and of the members of a study or a sweep: those beside frames, without checkpoints."""
    found = [path for pattern in ("*.h5", "member-*/*.h5", "point-*/*.h5") for path in Path(folder).glob(pattern)]
    return sorted(path.relative_to(folder) for path in found)


def fields(path):
    found = {}

    def visit(name, item):
        if isinstance(item, h5py.Dataset) and item.dtype.kind == "f" and item.size > 1:
            found[name] = item[()].astype(np.float64)

    with h5py.File(path) as file:
        file.visititems(visit)
    return found


def differing_fields(application, path, first, second):
    """Lines about the fields of two files that differ too much."""
    one, other = fields(first / path), fields(second / path)
    wrong = [f"{path}: other datasets: {sorted(set(one) ^ set(other))}"] if set(one) != set(other) else []
    for name in sorted(set(one) & set(other)):
        a, b = one[name], other[name]
        if a.shape != b.shape or not np.array_equal(np.isnan(a), np.isnan(b)):
            wrong.append(f"{path}:/{name}: another shape, or missing values at other places")
            continue
        group, _, last = name.rpartition("/")
        if last in ANGLES and f"{group}/{ANGLES[last]}" in one:
            continue
        scale = SCALES.get(last, a)
        if isinstance(scale, str):
            if f"{group}/{scale}" not in one:
                continue
            scale = one[f"{group}/{scale}"]
        size = np.linalg.norm(np.nan_to_num(np.broadcast_to(scale, a.shape)).ravel())
        difference = np.linalg.norm(np.nan_to_num(a - b).ravel())
        if not difference <= TOLERANCES[application] * size:
            wrong.append(f"{path}:/{name}: differs by {difference / size if size > 0 else difference:.2e}")
    return wrong


def differing_statistics(limits, path, first, second):
    wrong = []
    with h5py.File(first / path) as one, h5py.File(second / path) as other:
        for name, limit in limits.items():
            a, b = (float(file["/history"][name][-1]) for file in (one, other))
            if not abs(a - b) <= limit * abs(a):
                wrong.append(f"{path}: {name} {a:.6g} and {b:.6g}")
    return wrong


def main(karman, application, case, folder):
    root = Path(__file__).resolve().parents[3]
    outputs, wrong = {}, []
    for backend in backends(karman):
        output = Path(folder) / backend
        done, seconds = run([karman, application, root / "apps" / application / "cases" / f"{case}.json", "--backend", backend,
                             "--output", output, "--overwrite", "--progress", "off"])
        print(f"{backend}: exit {done.returncode} after {seconds:.1f} s; {done.stdout.strip().splitlines()[-2:]}", flush=True)
        if done.stderr:
            print(done.stderr)
        if done.returncode != 0:
            wrong.append(f"{backend}: exit code {done.returncode}")
        elif not results(output):
            wrong.append(f"{backend}: no result")
        else:
            outputs[backend] = output
    names = list(outputs)
    for name in names[1:]:
        first, second = outputs[names[0]], outputs[name]
        if results(first) != results(second):
            wrong.append(f"{names[0]} and {name}: other files")
            continue
        for path in results(first):
            lines = (differing_statistics(STATISTICS[application], path, first, second) if application in STATISTICS
                     else differing_fields(application, path, first, second))
            wrong += [f"{names[0]} and {name}: {line}" for line in lines]
    print("\n".join(wrong) or f"{', '.join(names)}: right")
    return 1 if wrong or not names else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
