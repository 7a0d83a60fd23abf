# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs of karman-perf as by a user: python3 command_test.py PATH_OF_KARMAN_PERF."""

import json
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PERF = Path(__file__).resolve().parents[2] / "perf"
sys.path.insert(0, str(PERF))
from karman_report import page, results, text  # noqa: E402

PROGRAM = ""
SHORT = ["--quick", "--benchmark_min_time=0.001", "--benchmark_repetitions=3"]


def run(*arguments):
    return subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, check=False, timeout=300)


class KarmanPerf(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        """Finds the host backend of most runs: serial where the build has it, else the parallel one."""
        listed = run("--list", "--quick").stdout
        cls.host = next(name for name in ("serial", "openmp", "threads") if f"/{name}/" in listed)

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.file = Path(self.folder.name) / "result.json"

    def measure(self, *arguments):
        """A run on one thread."""
        return run(*SHORT, "--backend", self.host, "--threads", "1", f"--benchmark_out={self.file}", *arguments)

    def test_every_listed_name_follows_the_scheme(self):
        for mode in ([], ["--quick"]):
            listed = run("--list", *mode)
            self.assertEqual(listed.returncode, 0, listed.stderr)
            names = [line.split()[0] for line in listed.stdout.splitlines() if "/" in line.split()[0]]
            matches = [results.NAME.match(name) for name in names]
            self.assertNotIn(None, matches)
            self.assertEqual(len(names), len(set(names)))
            self.assertLessEqual({"amg", "copy", "reductions", "sor", "tridiagonal", "tridiagonal_algorithms", "tridiagonal_hybrid", "waves"},
                                 {m["family"] for m in matches})
            own = {name for name, m in zip(names, matches) if not m["peer"]}
            for name, match in zip(names, matches):
                if match["peer"]:
                    self.assertIn(name.rpartition("/peer:")[0], own, "a peer without Karman's row")
                    self.assertIn(match["peer"], text.PEERS)
                self.assertIn(match["family"], text.FAMILIES)
                self.assertIn(match["family"], page.GOOD_RESULTS)

    def test_help_names_every_family(self):
        told = run("--help").stdout.partition("--family NAME[,NAME]")[2].partition("--backend")[0]
        listed = {line.split("/")[0] for line in run("--list").stdout.splitlines() if "/" in line.split()[0]}
        self.assertIn("waves", listed)
        self.assertEqual(set(re.findall(r"\w+", told.partition(":")[2])), listed)

    def test_a_run_writes_checked_rows_with_their_counters(self):
        done = self.measure("--family", "copy,reductions", f"--benchmark_filter=(copy|min_max_sum)/{self.host}/f64/1")
        self.assertEqual(done.returncode, 0, done.stderr)
        found = results.load(self.file)
        names = {row.name for row in found.rows}
        self.assertIn(f"reductions/min_max_sum/{self.host}/f64/1048576", names)
        self.assertIn(f"reductions/min_max_sum/{self.host}/f64/1048576/peer:kokkos", names)
        for row in found.rows:
            self.assertTrue(row.ok, row.failure)
            self.assertEqual(len(row.seconds), 3)
            self.assertGreater(min(row.seconds), 0)
            self.assertGreater(row.bytes, 0)
            self.assertGreater(row.share, 0)
        for key in ("commit", "kokkos_version", "kokkos_configuration", "OMP_NUM_THREADS", f"backend_{self.host}_device",
                    f"yardstick_{self.host}_GBps", "command"):
            self.assertIn(key, found.context)

    def test_every_relaxation_gives_the_known_iterate(self):
        done = self.measure("--family", "sor", f"--benchmark_filter=sor/[a-z]*/{self.host}/f32")
        self.assertEqual(done.returncode, 0, done.stderr)
        rows = results.load(self.file).rows
        self.assertEqual({row.algorithm for row in rows}, {"packed", "folded", "coefficients"})
        self.assertEqual({row.peer for row in rows}, {"", "kokkos_mdrange", "openmp_simd"})

    def test_tridiagonal_rows_are_checked(self):
        done = self.measure("--family", "tridiagonal", "--benchmark_filter=/f32/512x512")
        self.assertEqual(done.returncode, 0, done.stderr)
        rows = results.load(self.file).rows
        self.assertIn("", {row.peer for row in rows})
        for row in rows:
            self.assertEqual((row.unit, row.bytes), ("rows", 20.0 * 512 * 512), row.name)
            self.assertAlmostEqual(row.units, 512 * 512, delta=1)

    def test_euler_rows_report_their_share_of_the_peak(self):
        done = self.measure("--family", "copy,euler_sizes", f"--benchmark_filter=(fma_peak|sizes/residual)/{self.host}/f64/2[06]")
        self.assertEqual(done.returncode, 0, done.stderr)
        found = results.load(self.file)
        rows = {row.family: row for row in found.rows}
        self.assertGreater(rows["euler_sizes"].flops, 300 * 2048)
        self.assertAlmostEqual(rows["euler_sizes"].peak * 1e-9, float(found.context[f"peak_{self.host}_f64_GFlops"]), delta=0.01)
        self.assertGreater(rows["euler_sizes"].share_of_peak, 0)
        self.assertLess(rows["euler_sizes"].share_of_peak, 1)
        self.assertAlmostEqual(rows["copy"].share_of_peak, 1, delta=0.5)
        self.assertFalse(rows["copy"].has_bandwidth)

    def test_the_speed_up_over_threads_is_measured_by_other_programs(self):
        short = [*SHORT, "--family", "euler_threads", "--threads", "2", "--benchmark_filter=/openmp/"]
        if "openmp" not in run("--list", "--quick").stdout:
            self.skipTest("no OpenMP in this build")
        done = run(*short, f"--benchmark_out={self.file}")
        self.assertEqual(done.returncode, 0, done.stderr)
        rows = results.load(self.file).rows
        self.assertEqual([row.algorithm for row in rows], ["residual_1", "residual_2"])
        for row in rows:
            self.assertTrue(row.ok, row.failure)
            self.assertAlmostEqual(row.units, int(row.size), delta=1)
        done = run(*short, "--spoil-answers", f"--benchmark_out={self.file}")
        self.assertEqual(done.returncode, 1)
        for row in results.load(self.file).rows:
            self.assertRegex(row.failure, "^wrong answer: the largest difference of a residual")

    def test_parts_of_a_wave_solve_are_checked(self):
        done = self.measure("--family", "waves", f"--benchmark_filter=waves/(reassembly|product|cocg)/{self.host}")
        self.assertEqual(done.returncode, 0, done.stderr)
        rows = {(row.algorithm, row.peer): row for row in results.load(self.file).rows}
        self.assertLessEqual({("reassembly", ""), ("product", ""), ("cocg", ""), ("cocg", "plain_kokkos")}, set(rows))
        nodes = int(rows["cocg", ""].size)
        self.assertAlmostEqual(rows["cocg", ""].units, 100 * nodes, delta=1)
        for row in rows.values():
            self.assertGreater(row.units, nodes, row.name)
        # Seven entries per row except at the boundary.
        self.assertLess(abs(rows["cocg", ""].bytes / (100 * 336 * nodes) - 1), 0.01)
        done = self.measure("--spoil-answers", "--family", "waves", f"--benchmark_filter=waves/(reassembly|product|cocg)/{self.host}")
        self.assertEqual(done.returncode, 1)
        self.assertFalse(any(row.ok for row in results.load(self.file).rows))

    def test_steps_of_algebraic_multigrid_report_their_figures(self):
        own = ["--family", "amg", f"--benchmark_filter=amg/.*_shuffled/{self.host}/f64/[0-9]+/manual"]  # no peers
        done = self.measure(*own)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, "solve_shuffled.*complexity 1[.].*levels 3.*solver_iterations")
        rows = {row.algorithm: row for row in results.load(self.file).rows}
        self.assertEqual(set(rows), {f"{step}_shuffled" for step in ("setup", "factor", "apply", "solve", "jacobi")})
        entries = {entry["run_name"].split("/")[1]: entry for entry in json.loads(self.file.read_text())["benchmarks"]
                   if entry.get("aggregate_name") == "median"}
        iterations = {name: entry["figure_solver_iterations"] for name, entry in entries.items()}
        self.assertLess(iterations["solve_shuffled"], 25)
        self.assertGreater(iterations["jacobi_shuffled"], 10 * iterations["solve_shuffled"])
        self.assertLess(entries["apply_shuffled"]["figure_complexity"], 2)
        # A cycle reads the matrix of the finest level four times; vectors and other levels cost less than twice that.
        matrix = 12 * 7 * rows["apply_shuffled"].units
        self.assertTrue(4 * matrix < rows["apply_shuffled"].bytes < 12 * matrix)
        self.assertTrue(rows["apply_shuffled"].has_bandwidth)
        self.assertFalse(rows["solve_shuffled"].has_bandwidth)
        done = self.measure("--spoil-answers", *own)
        self.assertEqual(done.returncode, 1)
        for row in results.load(self.file).rows:
            self.assertRegex(row.failure, "^wrong answer: .b - A x.")

    def test_a_wrong_answer_has_no_number_and_a_bad_exit(self):
        done = self.measure("--spoil-answers", f"--benchmark_filter=(copy|max|packed|contiguous)/{self.host}/f../(1|2|512x512)")
        self.assertEqual(done.returncode, 1)
        table = [line for line in done.stdout.splitlines() if line.startswith(("copy/", "reductions/", "sor/", "tridiagonal/"))]
        self.assertTrue(table)
        for line in table:
            self.assertRegex(line, r"no time: wrong answer: ")
            self.assertNotRegex(line, r"GB/s|%")
        for entry in json.loads(self.file.read_text())["benchmarks"]:
            self.assertTrue(entry["error_occurred"])
            self.assertFalse({"GB/s", "bytes", "percent_of_copy"} & entry.keys())
        self.assertEqual({row.family for row in results.load(self.file).rows}, {"copy", "reductions", "sor", "tridiagonal"})

        page = Path(self.folder.name) / "page.html"
        reported = subprocess.run([sys.executable, str(PERF / "report.py"), "--benchmarks", str(self.file), "--text", "--output",
                                   str(page)], capture_output=True, text=True, check=False)
        self.assertEqual(reported.returncode, 1, reported.stderr)
        self.assertIn("FAILED", reported.stdout)
        body = re.sub(r"<style>.*?</style>", "", page.read_text(encoding="utf-8"), flags=re.S)
        self.assertIn("FAILED", body)
        self.assertNotRegex(body, r"elements/s|cell-iterations/s|\d ms|\d µs")

    def test_a_spent_budget_skips_rows_with_a_message(self):
        done = self.measure("--budget", "0.01s", f"--benchmark_filter=max/{self.host}/f64/1048576")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("skipped", done.stderr)
        self.assertTrue(any(row.skipped for row in results.load(self.file).rows))

    def test_an_output_that_cannot_be_written_is_exit_4_at_once(self):
        done = run(*SHORT, f"--benchmark_out={self.folder.name}/no/such/folder.json")
        self.assertEqual(done.returncode, 4)
        self.assertIn("cannot be written", done.stderr)
        self.assertNotIn("reductions/", done.stdout)

    def test_wrong_usage_is_one_line_and_exit_2(self):
        for arguments in (["--quik"], ["--family", "sors"], ["--backend", "abacus"], ["--budget", "soon"], ["--budget"],
                          ["--benchmark_fliter=x"], ["--benchmark_filter=no_such_row"], ["--serve", "copy/copy/serial/f64/7"]):
            done = run(*arguments)
            self.assertEqual(done.returncode, 2, arguments)
            last = done.stderr.strip().splitlines()[-1]
            self.assertTrue(last.startswith("karman-perf: "), last)


if __name__ == "__main__":
    PROGRAM = sys.argv.pop(1)
    unittest.main()
