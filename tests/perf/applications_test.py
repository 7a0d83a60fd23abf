# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""perf/applications.py with the program, and with one that fails: applications_test.py KARMAN."""

import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PERF = Path(__file__).resolve().parents[2] / "perf"
sys.path.insert(0, str(PERF))
from karman_report import applications  # noqa: E402

KARMAN = ""
FAILING = """#!/bin/sh
[ "$1" = info ] && exec "{karman}" info --json
echo "karman $1: /mesh: the reason" >&2
exit 3
"""


class Applications(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.output = Path(self.folder.name) / "runs.json"

    def measure(self, *words, karman=None):
        command = [sys.executable, "-B", str(PERF / "applications.py"), "--karman", str(karman or KARMAN), "--output", str(self.output), *words]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    def test_measures_a_solve_and_a_sweep_of_members(self):
        done = self.measure("--cases", "poisson/wire_1d", "wind/hill.*", "euler/sod_tube", "--repeat", "2")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        for platform in applications.load(self.output):
            self.assertEqual(list(platform.cases), ["euler/sod_tube", "poisson/wire_1d", "wind/hillside"])
            for name, timed in platform.cases.items():
                known = sum(timed.seconds[part] for part in ("set_up", "solve", "output"))
                self.assertGreater(timed.seconds["solve"], 0, name)
                self.assertLessEqual(known, timed.seconds["elapsed"], name)
                self.assertAlmostEqual(sum(timed.shares.values()), 1)
        for run in json.loads(self.output.read_text())["runs"]:
            self.assertEqual(len(run["elapsed"]), 2)
            self.assertEqual(run["seconds"]["elapsed"], min(run["elapsed"]))
        self.assertIn("wind/hillside, ", done.stdout)
        self.assertIn("solve ", done.stdout)

    def test_a_run_over_the_limit_is_skipped(self):
        done = self.measure("--cases", "turbulence/decaying", "--limit", "0.2")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("skipped: longer than 0.2 s", done.stdout)
        self.assertEqual(applications.load(self.output)[0].cases["turbulence/decaying"].failure, "skipped: longer than 0.2 s")

    def test_a_failing_case_has_no_time(self):
        failing = Path(self.folder.name) / "karman"
        failing.write_text(FAILING.format(karman=KARMAN))
        failing.chmod(0o755)
        only = subprocess.run([KARMAN, "info", "--json"], capture_output=True, text=True, check=True).stdout
        backend = json.loads(only)["backends"][-1]["name"]
        done = self.measure("--cases", "poisson/wire_1d", "--backend", backend, karman=failing)
        self.assertEqual((done.returncode, done.stderr), (1, ""))
        self.assertEqual(done.stdout, f"poisson/wire_1d, {backend}: exit code 3: karman poisson: /mesh: the reason\n")

    def test_wrong_usage_has_one_line(self):
        done = self.measure("--cases", "euler/naca")
        self.assertEqual(done.returncode, 2)
        self.assertRegex(done.stderr, r"^applications.py: --cases euler/naca: no case has this name; they are euler/bow_shock, .*\n$")
        done = self.measure("--cases", "(")
        self.assertEqual((done.returncode, done.stderr.count("\n")), (2, 1))
        done = self.measure("--backend", "abacus")
        self.assertEqual(done.returncode, 2)
        self.assertRegex(done.stderr, r"^applications.py: --backend abacus: the program has [a-z, ]+\n$")
        done = self.measure("--cases", "poisson/wire_1d", karman="/nowhere/karman")
        self.assertEqual((done.returncode, done.stderr), (4, "applications.py: /nowhere/karman: No such file or directory\n"))
        self.output = Path("/dev/null/runs.json")
        done = self.measure("--cases", "poisson/wire_1d", "--repeat", "1")
        self.assertEqual((done.returncode, done.stderr), (4, "applications.py: /dev/null: File exists\n"))
        self.assertEqual(done.stdout, "", "before the first run")
        for words in (["--repeat", "0"], ["--limit", "0"]):
            self.assertEqual(self.measure(*words).returncode, 2)


if __name__ == "__main__":
    KARMAN = sys.argv.pop(1)
    unittest.main()
