# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""installed_commands_test.py <prefix> <work folder>: the commands of an installation run and find their cases, also
after the installation was moved. The links between the installed pages have targets."""

import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PREFIX = Path(sys.argv.pop(1)).resolve()
WORK = Path(sys.argv.pop(1)).resolve()


def run(*words):
    return subprocess.run([str(word) for word in words], capture_output=True, text=True, check=False, timeout=120)


class InstalledCommands(unittest.TestCase):
    def expect_commands_work(self, prefix):
        cases = prefix / "share/karman/cases"
        listed = run(prefix / "bin/karman", "list")
        self.assertEqual(listed.returncode, 0, listed.stderr)
        self.assertIn(f"The cases are in {cases}/<application>;", listed.stdout)
        application = None
        count = 0
        for line in listed.stdout.split("\n"):
            if match := re.match(r"(\w+): ", line):
                application = match[1]
            elif match := re.match(r"  (\w+) ", line):
                count += 1
                self.assertTrue((cases / application / f"{match[1]}.json").is_file(), line)
        self.assertEqual(count, len(list(cases.glob("*/*.json"))))
        with tempfile.TemporaryDirectory() as folder:
            dry = subprocess.run([prefix / "bin/karman", "wind", cases / "wind/open_field.json", "--dry-run"], cwd=folder,
                                 capture_output=True, text=True, check=False, timeout=120)
        self.assertEqual(dry.returncode, 0, dry.stderr)
        for command in ("karman-perf", "karman-plot", "karman-report"):
            if (prefix / "bin" / command).exists() or command == "karman-plot":
                help_text = run(prefix / "bin" / command, "--help")
                self.assertEqual(help_text.returncode, 0, command + help_text.stderr)

    def test_commands_run_and_name_installed_cases(self):
        self.expect_commands_work(PREFIX)

    def test_an_installation_can_be_moved(self):
        moved = WORK / "moved prefix"
        shutil.rmtree(moved, ignore_errors=True)
        shutil.copytree(PREFIX, moved, symlinks=True)
        self.expect_commands_work(moved)

    def test_programs_need_no_library_of_the_build(self):
        for program in (PREFIX / "bin").iterdir():
            if not program.is_symlink():
                with self.subTest(program=program.name):
                    self.assertNotIn("not found", run("ldd", program).stdout)

    def test_links_between_pages_lead_somewhere(self):
        folder = PREFIX / "share/doc/karman"
        pages = [folder / "README.md", *sorted((folder / "docs").glob("*.md"))]
        self.assertGreater(len(pages), 10)
        for page in pages:
            for target in re.findall(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
                with self.subTest(page=page.name, target=target):
                    self.assertTrue((page.parent / target).exists())
        self.assertTrue((folder / "LICENSE").is_file())
        self.assertTrue((folder / "examples/02_sor_poisson/main.cpp").is_file())


if __name__ == "__main__":
    unittest.main()
