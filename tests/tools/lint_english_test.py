# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""lint_english_test.py <project>: tools/lint_english finds each kind of broken rule and no other line."""

import contextlib
import importlib.machinery
import importlib.util
import io
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PROJECT = Path(sys.argv.pop(1))


def load():
    loader = importlib.machinery.SourceFileLoader("lint_english", str(PROJECT / "tools/lint_english"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    loader.exec_module(module)
    return module


CHECK = load()


def findings(name, text):
    """exit code and lines printed for a file of this text"""
    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stderr(io.StringIO()) as printed:
        path = Path(folder, name)
        path.write_text(text, encoding="utf-8")
        code = CHECK.main([str(path)])
    return code, printed.getvalue().splitlines()


# Wrong texts are assembled here, so that the check of this file itself finds none.
WRONG = {
    "noun": "Takes " + "wh" + "at the caller gave.",
    "verb": "The code " + "kno" + "ws the side.",
    "per": "Runs once " + "a cell.",
    "phrase": "The run begins " + "anew from the checkpoint.",
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

    def test_prose_and_items_of_pages(self):
        for kind, wrong in WRONG.items():
            with self.subTest(kind):
                self.expect_one("a.md", f"# Page\n\n{wrong}\n", 3)
                self.expect_one("a.md", f"Items:\n\n- first\n- {wrong}\n1. third\n", 4)

    def test_tables_and_sources_of_pages_have_no_sentences(self):
        for text in (f"| a | b |\n|---|---|\n| 1 | {WRONG['long']} |\n", f"## Sources\n\n- {WRONG['long']} {WRONG['verb']}\n"):
            self.assertEqual(findings("a.md", text), (0, []))
        self.expect_one("a.md", f"| a |\n|---|\n| {WRONG['phrase']} |\n", 3)
        self.expect_one("a.md", f"## Sources\n\n## Next\n{WRONG['phrase']}\n", 4)

    def test_texts_in_quotes(self):
        for kind, wrong in WRONG.items():
            with self.subTest(kind):
                first, second = wrong[:9], wrong[9:]
                self.expect_one("a.cpp", f'int x;\nthrow Error("{wrong}");\n', 2)
                self.expect_one("a.cpp", f'int x;\nthrow Error("{first}"\n  "{second}");\n', 2)
                self.expect_one("a.cpp", f'auto text = R"({wrong})";\n', 1)
                self.expect_one("a.py", f'x = 1\nraise Error(f"{{x}} {first}"\n  "{second}")\n', 2)
                self.expect_one("a.sh", f'true\nfail "{wrong}"\n', 2)
                self.expect_one("a.cmake", f'message(FATAL_ERROR "Not found."\n  "{wrong}")\n', 2)
                self.expect_one("a_schema.json", f'{{\n  "description": "{wrong}"\n}}\n', 2)

    def test_added_texts_are_one(self):
        first, second = WRONG["long"].split(" and ")
        self.expect_one("a.cpp", f'int n;\nfail(at("a b", 1), "{first} and" + name(n, 1) +\n  "{second}");\n', 2)
        self.assertEqual(findings("a.cpp", f'fail("{first}" + name(n), "{second}");\n'), (0, []))

    def test_exit_code_of_the_program(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "a.md")
            for text, code in ((WRONG["phrase"], 1), ("The run restarts.", 0)):
                path.write_text(text, encoding="utf-8")
                self.assertEqual(subprocess.run([sys.executable, PROJECT / "tools/lint_english", path], capture_output=True).returncode, code)

    def test_phrases_across_lines(self):
        head, tail = WRONG["phrase"].split(" anew")
        self.expect_one("a.cpp", f"// {head}\n// anew{tail}\n", 1)

    def test_lists_of_texts_are_not_one_sentence(self):
        words = ", ".join(f'"one more choice of {n} words"' for n in range(8))
        self.assertEqual(findings("a.cpp", f"Names const names = {{{words}}};\n"), (0, []))

    def test_terms_pass(self):
        for text in ("The mesh must outlive the object.", "A walled room with a look-up.", "A prototype has some cells."):
            self.assertEqual(findings("a.cpp", f"// {text}\n"), (0, []), text)

    def test_code_and_plain_comments_pass(self):
        for name, text in {
            "a.cpp": f"// Moves 12 bytes per cell; `{WRONG['verb']}` is code.\n",
            "a.hpp": f'char const quote = \'"\'; char const* name = "{WRONG["verb"].replace(" ", "_")}";\n',
            "a.py": f'pattern = re.compile("{WRONG["per"]}")\n',
            "a.sh": f'grep "{WRONG["verb"]}"\n',
            "a.md": f"```\n{WRONG['noun']}\n```\n",
            "a_schema.json": f'{{"enum": ["{WRONG["noun"]}"]}}\n',
        }.items():
            with self.subTest(name):
                self.assertEqual(findings(name, text), (0, []))


if __name__ == "__main__":
    unittest.main()
