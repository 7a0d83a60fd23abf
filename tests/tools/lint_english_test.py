# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""lint_english_test.py <project>: tools/lint_english finds each kind of broken rule and no other line."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PROJECT = Path(sys.argv.pop(1))


def findings(name, text):
    """exit code and lines printed for a file of this text"""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, name)
        path.write_text(text, encoding="utf-8")
        done = subprocess.run([sys.executable, PROJECT / "tools/lint_english", path], capture_output=True, text=True)
        return done.returncode, done.stderr.splitlines()


# Wrong texts are assembled here, so that the check of this file itself finds none.
WRONG = {
    "noun": "Takes " + "wh" + "at the caller gave.",
    "verb": "The code " + "kno" + "ws the side.",
    "per": "Runs once " + "a cell.",
    "long": " ".join(["Word"] * 15 + ["and"] + ["word"] * 10) + ".",
}


class LintEnglish(unittest.TestCase):
    def expect_one(self, name, text, line):
        code, found = findings(name, text)
        self.assertEqual(code, 1, found)
        self.assertEqual(len(found), 1, found)
        self.assertIn(f"{name}:{line}: ", found[0])

    def test_comments_of_every_language(self):
        for kind, wrong in WRONG.items():
            with self.subTest(kind):
                self.expect_one("a.cpp", f"int x;\n// {wrong}\n", 2)
                self.expect_one("a.hpp", f"/// \\file\n\n/// {wrong}\nint x;\n", 3)
                self.expect_one("a.py", f'"""{wrong}"""\n', 1)
                self.expect_one("a.sh", f"true\n# {wrong}\n", 2)
                self.expect_one("a.cmake", f"# {wrong}\n", 1)

    def test_prose_of_pages_without_the_limit_of_words(self):
        for kind in ("noun", "verb", "per"):
            self.expect_one("a.md", f"# Page\n\n{WRONG[kind]}\n", 3)
        self.assertEqual(findings("a.md", WRONG["long"] + "\n"), (0, []))

    def test_code_and_plain_comments_pass(self):
        for name, text in {
            "a.cpp": f'char const* text = "{WRONG["noun"]}";\n// Moves 12 bytes per cell; `{WRONG["verb"]}` is code.\n',
            "a.py": f'text = "{WRONG["per"]}"\n',
            "a.sh": f'echo "{WRONG["verb"]}"\n',
            "a.md": f"```\n{WRONG['noun']}\n```\n",
        }.items():
            with self.subTest(name):
                self.assertEqual(findings(name, text), (0, []))


if __name__ == "__main__":
    unittest.main()
