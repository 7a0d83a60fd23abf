# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Small files of results for tests of perf/report.py."""

import json
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "perf"))
from karman_report import results  # noqa: E402

N = 1 << 20
YARDSTICK = 100e9


def entries(name, times, error="", flops=0, unit="elements"):
    """Google Benchmark's output for one row; the peak is 1000 GFlop/s."""
    made = []
    for repetition, microseconds in enumerate(times):
        entry = {"name": name, "run_name": name, "run_type": "iteration", "repetition_index": repetition, "real_time": microseconds,
                 "time_unit": "us"}
        if error:
            entry.update(error_occurred=True, error_message=error)
        else:
            seconds = microseconds * 1e-6
            entry.update({"bytes": 8.0 * N, "GB/s": 8 * N / seconds * 1e-9, "percent_of_copy": 100 * 8 * N / seconds / YARDSTICK,
                          f"{unit}/s": N / seconds, "batch": 1.0})
            if flops:
                entry.update({"flops": flops, "GFlop/s": flops / seconds * 1e-9, "percent_of_peak": flops / seconds * 1e-10})
        made.append(entry)
    made.append({"name": name + "_median", "run_name": name, "run_type": "aggregate", "aggregate_name": "median", "real_time": 1,
                 "time_unit": "us"})
    return made


ROWS = {
    f"reductions/max/cuda/f64/{N}": [100, 101, 99, 100, 100],
    f"reductions/max/cuda/f64/{N}/peer:cub": [80, 80, 80, 81, 79],
    f"reductions/max/openmp/f64/{N}": [200, 201, 199, 200, 200],
    f"reductions/max/openmp/f64/{N}/peer:kokkos": [400, 600, 500, 300, 420],
}


class WithResults(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def write(self, rows, errors=None, name="result.json", flops=0, unit="elements", **changes):
        """A file with these rows: {name: times in microseconds}. `changes`: entries of the context, none where None."""
        path = Path(self.folder.name) / name
        benchmarks = [entry for row, times in rows.items() for entry in entries(row, times, (errors or {}).get(row, ""), flops, unit)]
        context = {"date": "2026-11-21", "commit": "0123456789ab", "karman_version": "0.1.0", "kokkos_version": "4.6.1",
                   "compiler": "g++ 12.2", "command": "karman-perf <quick> & more", "backend_cuda_device": "Test card",
                   "backend_openmp_device": "Test processor", "backend_cuda_concurrency": "1000", "backend_openmp_concurrency": "2",
                   "yardstick_cuda_GBps": "100.00", "yardstick_openmp_GBps": "100.00"}
        context = {key: value for key, value in {**context, **changes}.items() if value is not None}
        path.write_text(json.dumps({"context": context, "benchmarks": benchmarks}))
        return path

    def load(self, rows=None, errors=None, name="result.json", **more):
        return results.load(self.write(rows or ROWS, errors, name, **more))
