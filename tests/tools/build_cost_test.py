# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""build_cost_test.py <project>: tools/build-cost reads records of objects, and its limits fail where they should.

cmake/record-compile-time.sh writes them. Build folders and compilers are made up; build_cost_test runs real ones.
"""

import json
import os
import signal
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PROJECT = Path(sys.argv.pop(1))
SIZE = 100


class BuildCost(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.build = Path(folder.name).resolve()
        self.entries = []
        self.limits(object=20, total=400)

    def limits(self, **limits):
        self.budget = self.build / "budget.ini"
        self.budget.write_text("[limits]\n" + "".join(f"{name} = {value}\n" for name, value in limits.items()))

    def add(self, path, source, record=None, built=True, listed=True):
        """an object, with its record as (user, system) seconds or as text"""
        path = self.build / path
        path.parent.mkdir(parents=True, exist_ok=True)
        if built:
            path.write_bytes(bytes(SIZE))
        if isinstance(record, tuple):
            times = " ".join(f"{int(seconds // 60)}m{seconds % 60:.3f}s" for seconds in record)
            record = f"0m0.001s 0m0.002s\n{times}\n{SIZE}\n"
        if record:
            Path(f"{path}.cpu").write_text(record)
        if listed:
            command = f'c++ -DTEXT=\\"a\\" -o {path.relative_to(self.build)} -c {source}'
            self.entries.append({"directory": str(self.build), "command": command, "file": str(source)})

    def add_source(self, part, name, record=None, **options):
        self.add(f"{part}/CMakeFiles/{name}.dir/{name}.cpp.o", PROJECT / part / f"{name}.cpp", record, **options)

    def add_unity(self, part, target, folder, sources, record):
        unity = self.build / part / "CMakeFiles" / f"{target}.dir" / "Unity" / "unity_src_cxx.cxx"
        unity.parent.mkdir(parents=True, exist_ok=True)
        unity.write_text("/* generated */\n" + "".join(f'#include "{PROJECT / folder / name}"\n' for name in sources))
        self.add(f"{unity.relative_to(self.build)}.o", unity, record)

    def run_tool(self, *arguments, folder=None):
        """exit code, lines printed, lines of errors"""
        (self.build / "compile_commands.json").write_text(json.dumps(self.entries))
        tool = [sys.executable, "-B", PROJECT / "tools/build-cost", folder or self.build, "--budget", self.budget]
        done = subprocess.run([*tool, *arguments], capture_output=True, text=True)
        return done.returncode, done.stdout.splitlines(), done.stderr.splitlines()

    def rows(self, lines, header):
        """the words of each row of a table"""
        begin = next(n for n, line in enumerate(lines) if header in line) + 1
        end = next((n for n in range(begin, len(lines)) if not lines[n]), len(lines))
        return [line.split(maxsplit=1 if "expensive" in header else 2) for line in lines[begin:end]]

    def add_some(self):
        self.add_source("core", "small", (1.5, 0.25))
        self.add_unity("solvers", "karman_solvers", "solvers/src/euler", ["a.cpp", "b.cpp"], (62.0, 1.0))
        self.add_source("tests", "middle", (10.0, 0.5))
        self.add("tests/CMakeFiles/headers.dir/cmake_pch.hxx.gch", self.build / "cmake_pch.hxx.cxx", (4.0, 0.0))

    def test_totals_parts_and_order(self):
        self.add_some()
        code, lines, errors = self.run_tool()
        self.assertEqual((code, errors), (0, []))
        self.assertEqual(lines[0], f"{self.build}: 79.2 CPU seconds in 4 objects")
        self.assertEqual(lines[1], "")
        self.assertEqual(self.rows(lines, "objects  part"), [["63.0", "1", "solvers"], ["14.5", "2", "tests"], ["1.8", "1", "core"]])
        self.assertEqual(self.rows(lines, "most expensive"), [
            ["63.0", "karman_solvers: solvers/src/euler (2 sources)"],
            ["10.5", "middle: tests/middle.cpp"],
            ["4.0", "headers: precompiled header"],
            ["1.8", "small: core/small.cpp"],
        ])

    def test_most(self):
        self.add_some()
        _, lines, _ = self.run_tool("--most", "2")
        self.assertEqual([row[0] for row in self.rows(lines, "most expensive")], ["63.0", "10.5"])

    def test_output_and_arguments_name_the_object_too(self):
        self.add_source("core", "small", (1.5, 0.25))
        output = self.entries[0].pop("command").split()[3]
        self.entries[0]["arguments"] = ["c++", "-o", output, "-c", "small.cpp"]
        self.assertIn("1.8 CPU seconds in 1 objects", self.run_tool()[1][0])
        del self.entries[0]["arguments"]
        self.entries[0]["output"] = output
        self.assertIn("1.8 CPU seconds in 1 objects", self.run_tool()[1][0])

    def test_checks_of_headers_are_no_part_of_the_build(self):
        self.add_source("core", "small", (1.0, 0.0))
        self.add_source("core", "karman_core_verify_interface_header_sets", built=False)
        _, lines, _ = self.run_tool()
        self.assertIn("1.0 CPU seconds in 1 objects", lines[0])
        self.assertEqual(lines[1], "")

    def test_removed_sources_do_not_count(self):
        self.add_source("core", "small", (1.0, 0.0))
        self.add_source("core", "removed", (500.0, 0.0), listed=False)
        code, lines, _ = self.run_tool("--check", "--reference", "1")
        self.assertEqual(code, 0)
        self.assertIn("1.0 CPU seconds in 1 objects", lines[0])

    def test_objects_without_a_record_of_their_own(self):
        self.add_source("core", "small", (1.0, 0.0))
        self.add_source("core", "cached")
        self.add_source("core", "cached_later", f"0m0s 0m0s\n5m0s 0m0s\n{SIZE + 1}\n")
        self.add_source("core", "interrupted", "0m0s 0m0s\n")
        self.add_source("core", "absent", (300.0, 0.0), built=False)
        code, lines, errors = self.run_tool("--check", "--reference", "1")
        self.assertEqual((code, errors), (0, []))
        self.assertIn("1.0 CPU seconds in 1 objects", lines[0])
        self.assertIn("3 objects without a record: ccache", lines[1])
        self.assertIn("1 objects not built", lines[2])
        self.assertIn("checked 1 of 4 objects; the total covers only these", lines[-1])

    def test_nothing_measured(self):
        self.add_source("core", "cached")
        code, lines, errors = self.run_tool("--check")
        self.assertEqual((code, errors), (0, []))
        self.assertEqual(lines[-1], "nothing to check: no object of 1 was measured")

    def test_within_the_limits(self):
        self.add_some()
        code, lines, errors = self.run_tool("--check", "--reference", "3.2")
        self.assertEqual((code, errors), (0, []))
        self.assertEqual(lines[-2], "reference: 3.20 s; limits: 64.0 s for an object, 1280 s in total")
        self.assertEqual(lines[-1], "checked 4 of 4 objects")

    def test_object_over_its_limit(self):
        self.add_some()
        self.add_source("core", "cached")
        code, _, errors = self.run_tool("--check", "--reference", "3")
        self.assertEqual(code, 1)
        self.assertEqual(errors, [
            "build-cost: karman_solvers: solvers/src/euler (2 sources) took 63.0 s = 21.0 references, limit 20; "
            "split it, see CONTRIBUTING.md"
        ])

    def test_total_over_its_limit(self):
        self.add_some()
        self.limits(object=20, total=19.5)
        code, _, errors = self.run_tool("--check", "--reference", "4")
        self.assertEqual(code, 1)
        self.assertEqual(len(errors), 1, errors)
        self.assertIn("4 objects took 79.2 s = 19.8 references, limit 19.5; ", errors[0])
        self.limits(object=20, total=20)
        self.assertEqual(self.run_tool("--check", "--reference", "4")[0], 0)

    def expect_one_line(self, text, *arguments, **options):
        code, lines, errors = self.run_tool(*arguments, **options)
        self.assertEqual(code, 2)
        self.assertEqual(len(errors), 1, errors)
        self.assertRegex(errors[0], f"^build-cost: .*{text}")
        return lines

    def test_wrong_use_is_one_line(self):
        self.expect_one_line("/absent is not a folder; build first", folder=self.build / "absent")
        (self.build / "empty").mkdir()
        self.expect_one_line("/empty has no compile_commands.json", folder=self.build / "empty")
        self.expect_one_line("--most", "--most", "0")
        self.expect_one_line("--unheard", "--unheard")
        self.add_source("core", "small", (1.0, 0.0))
        self.expect_one_line("CMakeCache.txt", "--check")
        (self.build / "CMakeCache.txt").write_text(f"CMAKE_CXX_COMPILER:FILEPATH={self.build}/no-compiler\n")
        self.expect_one_line("no-compiler does not compile", "--check")
        self.limits(object=20)
        self.expect_one_line("budget.ini needs numbers 'object' and 'total'", "--check", "--reference", "1")

    def test_limits_of_the_project(self):
        self.add_source("core", "small", (1.0, 0.0))
        self.budget = PROJECT / "tools/build-budget.ini"
        self.assertEqual(self.run_tool("--check", "--reference", "1")[0], 0)


class Recorder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.object = Path(folder.name, "an object.o")
        self.record = Path(f"{self.object}.cpu")
        self.log = Path(folder.name, "log")

    def compile(self, script, **environment):
        """exit status of the script as compiler; $2 is the object"""
        inherited = {name: value for name, value in os.environ.items() if name != "CCACHE_STATSLOG"}
        command = [PROJECT / "cmake/record-compile-time.sh", "sh", "-c", script, "-o", "-o", self.object]
        return subprocess.run(command, capture_output=True, env={**inherited, **environment}).returncode

    def test_record_of_time_and_size(self):
        self.assertEqual(self.compile('n=0; while [ $n -lt 200000 ]; do n=$((n + 1)); done; printf 12345 >"$2"'), 0)
        shell, compiler, size = self.record.read_text().splitlines()
        self.assertRegex(shell, r"^0m[\d.]+s 0m[\d.]+s$")
        self.assertRegex(compiler, r"^0m\d+\.\d*[1-9]\d*s 0m[\d.]+s$")
        self.assertEqual(int(size), 5)

    def test_status_of_a_failure_without_a_record(self):
        self.assertEqual(self.compile('printf 1 >"$2"; exit 3'), 3)
        self.assertEqual(self.compile('printf 1 >"$2"; kill -KILL $$'), 128 + signal.SIGKILL)
        self.assertFalse(self.record.exists())

    def test_answers_of_ccache_keep_the_record(self):
        for event in ("direct_cache_hit", "preprocessed_cache_hit"):
            self.assertEqual(self.compile(f'printf 1 >"$2"; printf "# a\\n{event}\\n" >>"$CCACHE_STATSLOG"'), 0)
            self.assertFalse(self.record.exists())
        self.record.write_text("earlier")
        self.compile('printf 1 >"$2"; echo direct_cache_hit >>"$CCACHE_STATSLOG"')
        self.assertEqual(self.record.read_text(), "earlier")
        self.compile('printf 1 >"$2"; echo cache_miss >>"$CCACHE_STATSLOG"')
        self.assertNotEqual(self.record.read_text(), "earlier")
        self.assertEqual(sorted(path.name for path in self.object.parent.iterdir()), ["an object.o", "an object.o.cpu"])

    def test_log_of_the_caller(self):
        self.log.write_text("earlier\n")
        self.compile('printf 1 >"$2"; echo cache_miss >>"$CCACHE_STATSLOG"', CCACHE_STATSLOG=str(self.log))
        self.assertEqual(self.log.read_text(), "earlier\ncache_miss\n")

    def test_without_an_object(self):
        done = subprocess.run([PROJECT / "cmake/record-compile-time.sh", "sh", "-c", "exit 7"])
        self.assertEqual(done.returncode, 7)


if __name__ == "__main__":
    unittest.main()
