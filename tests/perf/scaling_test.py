# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs of karman-perf as several processes: scaling_test.py KARMAN_PERF MPIEXEC FLAG_OF_THE_NUMBER."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PERF = Path(__file__).resolve().parents[2] / "perf"
sys.path.insert(0, str(PERF))
from karman_report import processes, results  # noqa: E402

LAUNCH = []
SHORT = ["--quick", "--benchmark_min_time=0.001", "--benchmark_repetitions=2"]


def run(count, *arguments):
    program, mpiexec, flag = LAUNCH
    return subprocess.run([*([mpiexec, flag, str(count)] if count else []), program, *arguments], capture_output=True, text=True,
                          check=False, timeout=120)


class Scaling(unittest.TestCase):
    def measure(self, count, *arguments):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "result.json"
            done = run(count, *SHORT, "--family", "scaling", "--cells", "8", f"--benchmark_out={file}", *arguments)
            return done, results.load(file)

    def test_three_processes_measure_groups_of_one_two_and_three(self):
        done, found = self.measure(3, "--benchmark_filter=/(sor|cg_weak_[13]).*/f64/")
        self.assertEqual(done.returncode, 0, done.stderr)
        host = found.backends()[-1]
        rows = {row.algorithm: row for row in found.rows if row.backend == host}
        self.assertEqual(set(rows), {"sor_weak_1", "sor_weak_2", "sor_strong_2", "sor_weak_3", "sor_strong_3", "cg_weak_1", "cg_weak_3"})
        for row in rows.values():
            self.assertTrue(row.ok, row.failure)
            self.assertGreater(row.median, 0)
        self.assertEqual(found.context["processes"], "3")
        # The process in the middle sends its two faces of 8 x 8 cells, whole ones in each of 20 iterations.
        self.assertEqual({name: row.figures["bytes_sent"] for name, row in rows.items() if "bytes_sent" in row.figures},
                         {name: 20 * 8 * 64 * (2 if name.endswith("3") else 1) for name in rows if not name.endswith("1")})
        self.assertGreater(rows["cg_weak_3"].figures["model"], 0)
        self.assertEqual({e.processes for e in processes.entries(found, host, "f64")}, {1, 2, 3})

    def test_multigrid_makes_the_same_cycles_in_every_group(self):
        done, found = self.measure(2, "--solver", "multigrid,mg_pcg", "--cells", "32")
        self.assertEqual(done.returncode, 0, done.stderr)
        rows = [row for row in found.rows if row.backend == found.backends()[-1]]
        self.assertEqual({row.algorithm for row in rows}, {f"{solver}_{size}" for solver in ("multigrid", "mg_pcg")
                                                           for size in ("weak_1", "weak_2", "strong_2")})
        for row in rows:
            self.assertTrue(row.ok, row.failure)
            self.assertEqual(row.figures["iterations"], 3)
            self.assertEqual(row.figures["grids_in_parts"] > 0, row.figures["processes"] > 1)
            # The residual of an open box falls by a factor of 0.04 per cycle.
            self.assertGreater(row.figures["residual_factor"], 1e-3)
            self.assertLess(row.figures["residual_factor"], 0.05)

    def test_fast_poisson_in_slabs(self):
        done, found = self.measure(2, "--solver", "fast_poisson,fast_poisson_slabs1,fast_poisson_slabs4", "--benchmark_filter=/f64/")
        self.assertEqual(done.returncode, 0, done.stderr)
        rows = [row for row in found.rows if row.backend == found.backends()[-1]]
        for row in rows:
            self.assertTrue(row.ok, row.failure)
        slabs = {row.algorithm: row.figures["slabs"] for row in rows}
        self.assertEqual({name: slabs[name] for name in slabs if not name.endswith("_1")},
                         {f"fast_poisson{kind}_{size}": number for kind, number in (("", 1), ("_slabs1", 1), ("_slabs4", 4))
                          for size in ("weak_2", "strong_2")})

    def test_rows_that_do_not_fit_are_skipped_in_one_line(self):
        done = run(2, "--family", "scaling", "--cells", "2048", "--list")
        self.assertEqual(done.returncode, 0, done.stderr)
        skipped = [line for line in done.stderr.splitlines() if line.startswith("skipped: ")]
        listed = [line for line in done.stdout.splitlines() if line.startswith("scaling/")]
        self.assertGreater(len(skipped), 0)
        for line in skipped:
            self.assertRegex(line, r"^skipped: scaling/\S+ needs [0-9.]+ GB, [0-9.]+ GB are free$")
        # Five solvers, two precisions, three groups.
        self.assertEqual((len(skipped) + len(listed)) % 30, 0)

    def test_one_process_needs_no_launcher(self):
        done, found = self.measure(0, "--solver", "sor", "--benchmark_filter=/f64/")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual({row.algorithm for row in found.rows}, {"sor_weak_1"})

    def test_a_wrong_answer_of_several_processes_has_no_number(self):
        done, found = self.measure(2, "--spoil-answers", "--benchmark_filter=weak_2.*/f64/")
        self.assertEqual(done.returncode, 1)
        for row in found.rows:
            self.assertRegex(row.failure, "^wrong answer: the largest difference to one process")

    def test_wrong_usage_is_one_line(self):
        for arguments in (["--family", "scaling", "--solver", "teapot"], ["--family", "copy"], ["--family", "scaling", "--cells", "1"],
                          ["--family", "scaling", "--transport", "pigeon"]):
            done = run(2, *arguments)
            self.assertEqual(done.returncode, 2, arguments)
            self.assertEqual(done.stderr.count("karman-perf: "), 1, done.stderr)


if __name__ == "__main__":
    LAUNCH = [sys.argv.pop(1) for _ in range(3)]
    unittest.main()
