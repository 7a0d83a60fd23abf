# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""snippets_test.py <project>: every block of C++ or CMake in README.md and docs/ is, line by line, a marked region of a
file that is built. The line before the block is  <!-- from <file> [<region>] --> ; in the file the region is between
two lines  // [<region>]  (or # [<region>]). A block of JSON after  <!-- from <case>.json -->  is a part of that case."""

import re
import sys
import textwrap
import unittest
from pathlib import Path

PROJECT = Path(sys.argv.pop(1))
BLOCK = re.compile(r"(?:<!-- from (?P<file>\S+) \[(?P<region>[^\]]+)\] -->\n+)?```(?P<language>cpp|cmake)\n(?P<text>.*?)\n```",
                   re.DOTALL)

CASE_BLOCK = re.compile(r"<!-- from (?P<file>\S+\.json) -->\n+```json\n(?P<text>.*?)\n```", re.DOTALL)


def region(path, name):
    """The lines of a file between the two marks, without their common indentation."""
    lines = path.read_text(encoding="utf-8").split("\n")
    marks = [n for n, line in enumerate(lines) if line.strip() in (f"// [{name}]", f"# [{name}]")]
    if len(marks) != 2:
        raise ValueError(f"{path}: region [{name}] has {len(marks)} marks instead of 2")
    return textwrap.dedent("\n".join(lines[marks[0] + 1:marks[1]])).strip("\n")


class Snippets(unittest.TestCase):
    def test_every_block_is_code_that_is_built(self):
        blocks = 0
        for page in [PROJECT / "README.md", *sorted((PROJECT / "docs").glob("*.md"))]:
            for block in BLOCK.finditer(page.read_text(encoding="utf-8")):
                blocks += 1
                with self.subTest(page=page.name, starts=block["text"].split("\n")[0]):
                    self.assertIsNotNone(block["file"], "no line <!-- from <file> [<region>] --> before the block")
                    self.assertEqual(block["text"], region(PROJECT / block["file"], block["region"]))
        self.assertGreater(blocks, 5)

    def test_marked_blocks_of_cases_are_in_the_cases(self):
        blocks = 0
        for page in sorted((PROJECT / "docs").glob("*.md")):
            for block in CASE_BLOCK.finditer(page.read_text(encoding="utf-8")):
                blocks += 1
                with self.subTest(page=page.name, starts=block["text"].split("\n")[0]):
                    self.assertIn(f"\n{block['text']}\n", (PROJECT / block["file"]).read_text(encoding="utf-8"))
        self.assertGreater(blocks, 4)

    def test_local_links_lead_somewhere(self):
        for page in [PROJECT / "README.md", *sorted((PROJECT / "docs").glob("*.md"))]:
            for target in re.findall(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
                with self.subTest(page=page.name, target=target):
                    self.assertTrue((page.parent / target).exists())

    def test_the_map_links_every_page(self):
        linked = set(re.findall(r"\]\(([^)#:\s]+\.md)\)", (PROJECT / "docs" / "README.md").read_text(encoding="utf-8")))
        pages = {page.name for page in (PROJECT / "docs").glob("*.md")} - {"README.md"}
        self.assertEqual(pages - linked, set())

    def test_the_map_names_every_folder_of_sources(self):
        map_of_tree = (PROJECT / "docs" / "README.md").read_text(encoding="utf-8")
        for root in ("core/src", "core/src/io", "solvers/src/grid", "solvers/src/sparse", "solvers/src", "apps", "tests", "perf"):
            for folder in sorted(path for path in (PROJECT / root).iterdir() if path.is_dir()):
                with self.subTest(folder=str(folder)):
                    self.assertRegex(map_of_tree, rf"\b{folder.name}\b/?")


if __name__ == "__main__":
    unittest.main()
