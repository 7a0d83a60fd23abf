# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""docs_site_test.py <project> <output>: the site of tools/docs is whole and opens without a server or network.

Exit 77, skipped by CTest, where the programs of tools/docs are missing.
"""

import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

OUTPUT = Path(sys.argv.pop(2)).resolve()
PROJECT = Path(sys.argv.pop(1)).resolve()
SITE = OUTPUT / "html"

LOADED = {("script", "src"), ("img", "src"), ("link", "href"), ("iframe", "src"), ("source", "src"), ("source", "srcset")}


class Page(HTMLParser):
    """links, loaded files and anchors of a page"""

    def __init__(self, path):
        super().__init__()
        self.path = path
        self.links = []
        self.loaded = []
        self.anchors = set()
        self.text = path.read_text(encoding="utf-8")
        self.feed(self.text)

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if (tag, name) in LOADED:
                self.loaded.append(value)
            elif (tag, name) == ("a", "href"):
                self.links.append(value)
            elif name == "id" or (tag, name) == ("a", "name"):
                self.anchors.add(value)


class Site:
    """all pages below a folder, and their faults"""

    def __init__(self, folder):
        self.folder = folder.resolve()
        self.pages = {path.resolve(): Page(path.resolve()) for path in folder.rglob("*.html")}

    def fault(self, page, address, loaded):
        """fault of one address, or None"""
        parts = urlsplit(address)
        if parts.scheme or parts.netloc:
            return "loaded from elsewhere" if loaded and parts.scheme != "data" else None
        if parts.path.startswith("/"):
            return "absolute"
        target = (page.path.parent / unquote(parts.path)).resolve() if parts.path else page.path
        if not target.is_file():
            return "no such file"
        if not target.is_relative_to(self.folder):
            return "outside the site"
        if parts.fragment and target in self.pages and unquote(parts.fragment) not in self.pages[target].anchors:
            return "no such heading"
        return None

    def faults(self):
        found = []
        for page in self.pages.values():
            for loaded, addresses in ((False, page.links), (True, page.loaded)):
                for address in addresses:
                    fault = self.fault(page, address, loaded)
                    if fault:
                        found.append(f"{page.path.relative_to(self.folder)}: {address}: {fault}")
        for style in self.folder.rglob("*.css"):
            for address in re.findall(r"url\(\s*['\"]?([^'\")]+)", style.read_text(encoding="utf-8")):
                file = not address.startswith(("data:", "/")) and not urlsplit(address).scheme
                if not address.startswith("data:") and not (file and (style.parent / address.partition("?")[0]).is_file()):
                    found.append(f"{style.relative_to(self.folder)}: {address}: no such file")
        return found


def build(*arguments, **settings):
    return subprocess.run([PROJECT / "tools/docs", *arguments], capture_output=True, text=True, **settings)


def public_classes(header):
    """classes, structs and concepts that a header defines in public namespaces"""
    text = header.read_text(encoding="utf-8")
    text = re.sub(r"^namespace (?:karman::)?detail \{.*?^\}  // namespace (?:karman::)?detail$", "", text, flags=re.S | re.M)
    text = re.sub(r"//[^\n]*", "", text)
    return re.findall(r"^(?:class|struct|concept) (\w+)(?: final)?\s*(?:[{:]|=\s)", text, re.M)


class Faults(unittest.TestCase):
    """The search for faults finds them."""

    def faults(self, body, style=""):
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "other.html").write_text('<p id="here"><img src="a.png"></p>', encoding="utf-8")
            Path(folder, "a.png").write_bytes(b"")
            Path(folder, "page.html").write_text(body, encoding="utf-8")
            Path(folder, "a.css").write_text(style, encoding="utf-8")
            return [line.rpartition(": ")[2] for line in Site(Path(folder)).faults()]

    def test_faults_is_empty_for_a_page_in_order(self):
        self.assertEqual(self.faults('<a href="other.html#here"><img src="a.png"></a><a href="https://gdal.org">'), [])

    def test_faults_of_every_kind_are_found(self):
        self.assertEqual(self.faults('<a href="gone.html">'), ["no such file"])
        self.assertEqual(self.faults('<a href="other.html#gone">'), ["no such heading"])
        self.assertEqual(self.faults('<img src="gone.png">'), ["no such file"])
        self.assertEqual(self.faults('<a href="/other.html">'), ["absolute"])
        self.assertEqual(self.faults('<script src="https://example.org/a.js"></script>'), ["loaded from elsewhere"])
        self.assertEqual(self.faults('<link href="//example.org/a.css">'), ["loaded from elsewhere"])
        self.assertEqual(self.faults("", "@import url(/gone.css);"), ["no such file"])
        self.assertEqual(self.faults("", "a { background: url(https://example.org/a.png) }"), ["no such file"])


class MissingPrograms(unittest.TestCase):
    def test_missing_doxygen_is_one_line_and_exit_2(self):
        with tempfile.TemporaryDirectory() as folder:
            for program in ("bash", "dirname", "date", "realpath"):
                Path(folder, program).symlink_to(shutil.which(program))
            missing = build("--output", f"{folder}/site", env={"PATH": folder})
            self.assertEqual((missing.returncode, missing.stdout), (2, ""))
            self.assertEqual(missing.stderr.count("\n"), 1)
            self.assertIn("package doxygen", missing.stderr)
            optional = build("--if-installed", env={"PATH": folder})
            self.assertEqual((optional.returncode, optional.stderr), (0, ""))
            self.assertIn("skipped", optional.stdout)


class WholeSite(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        done = build("--output", OUTPUT)
        if done.returncode == 2:
            print(done.stderr, end="", file=sys.stderr)
            sys.exit(77)
        if done.returncode:
            raise AssertionError(done.stdout + done.stderr)
        cls.site = Site(SITE)

    def page(self, name):
        return self.site.pages[(SITE / name).resolve()]

    def test_every_page_has_its_title(self):
        pages = {"README.md": "index.html", "CONTRIBUTING.md": "CONTRIBUTING.html", "CHANGELOG.md": "CHANGELOG.html",
                 "perf/results/README.md": "perf/results/README.html"}
        for path in (PROJECT / "docs").glob("*.md"):
            pages[f"docs/{path.name}"] = f"docs/{path.stem}.html"
        for source, name in pages.items():
            title = re.search(r"^# (.*)$", (PROJECT / source).read_text(encoding="utf-8"), re.M)[1].replace("`", "")
            heading = re.sub(r"<[^>]+>", "", re.search(r"<h1>(.*?)<a ", self.page(name).text, re.S)[1])
            self.assertEqual(heading.replace("’", "'"), title, source)

    def test_links_and_loaded_files_exist(self):
        self.assertEqual(self.site.faults(), [])

    def test_every_picture_of_the_pages_is_shown(self):
        shown = {Path(address).name for page in self.site.pages.values() for address in page.loaded}
        for path in [PROJECT / "README.md", *(PROJECT / "docs").glob("*.md")]:
            for picture in re.findall(r"[\w./]+\.(?:png|svg)\b", path.read_text(encoding="utf-8")):
                if (path.parent / picture).is_file():
                    self.assertIn(Path(picture).name, shown, path.name)

    def test_every_public_class_is_in_the_reference(self):
        count = 0
        for component in ("core", "solvers"):
            include = PROJECT / component / "include"
            for header in sorted(include.rglob("*.hpp")):
                if "detail" in header.parts:
                    continue
                name = header.relative_to(include).with_suffix(".html")
                page = self.page(Path("reference", name))
                self.assertIn(f"source/{component}/include/{name.with_suffix('.hpp')}.html", "\n".join(page.links))
                for public in public_classes(header):
                    entry = rf'<dt class="sig sig-object cpp"[^>]*>(?:(?!</dt>).)*<span class="n"><span class="pre">{public}</span>'
                    self.assertRegex(page.text.replace("\n", " "), entry, header.name)
                    count += 1
        self.assertGreater(count, 150)

    def test_names_on_pages_lead_to_the_reference(self):
        links = self.page("docs/red_black_sor.html").links
        self.assertTrue([link for link in links if link.startswith("../reference/karman/solvers/grid/red_black_sor.html#")])

    def test_navigation_has_the_order_of_the_map(self):
        table = (PROJECT / "docs/README.md").read_text(encoding="utf-8").partition("## Pages")[2].partition("\n## ")[0]
        mapped = list(dict.fromkeys(re.findall(r"\]\((\w+)\.md\)", table)))
        sidebar = re.search(r'<div class="sidebar-tree">.*?</div>', self.page("index.html").text, re.S)[0]
        shown = re.findall(r'href="docs/(\w+)\.html"', sidebar)
        self.assertEqual(shown, ["README", *mapped])

    def test_search_is_a_script_with_the_words_of_the_pages(self):
        index = (SITE / "searchindex.js").read_text(encoding="utf-8")
        self.assertTrue(index.startswith("Search.setIndex("))
        terms = index[re.search(r'[{,]\s*"?terms"?:\s*\{', index).start():]
        for word in ("redblacksor", "multigrid", "tridiagon"):
            self.assertRegex(terms, rf'[{{,]\s*"?{word}"?:')
        self.assertIn("searchindex.js", self.page("search.html").loaded)
        self.assertNotIn("fetch(", "\n".join(re.findall(r"<script.*?</script>", self.page("search.html").text, re.S)))
        self.assertIn("SHOW_SEARCH_SUMMARY: false", (SITE / "_static/documentation_options.js").read_text(encoding="utf-8"))


if __name__ == "__main__":
    unittest.main()
