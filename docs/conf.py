# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Configuration of the documentation site for Sphinx 5.3 or later; tools/docs runs it.

Sphinx reads a folder that stage() fills: copies of the pages, a page per public header from Doxygen's XML, and a page
per linked file of code. The order of the pages is that of the table in docs/README.md.
"""

import os
import re
import shutil
import xml.etree.ElementTree as ElementTree
from pathlib import Path

from breathe.renderer.sphinxrenderer import SphinxRenderer, WithContext
from docutils import nodes
from docutils.statemachine import StringList
from sphinx import addnodes
from sphinx.domains import cpp
from sphinx.search import IndexBuilder

root = Path(__file__).resolve().parent.parent

project = "Karman"
root_doc = "index"
extensions = ["myst_parser", "breathe"]
myst_heading_anchors = 6
myst_enable_extensions = ["html_image"]
breathe_default_project = "karman"
breathe_show_include = False
highlight_language = "text"  # blocks without a language are formulas and commands

html_theme = "furo"
html_title = "Karman"
html_static_path = ["site.css"]
html_css_files = ["site.css"]
html_theme_options = {
    # Debian's Furo has these only behind a switch, not where the system is dark
    "dark_css_variables": {
        "color-problematic": "#ee5151",
        "color-foreground-primary": "#d0d0d0",
        "color-foreground-secondary": "#9ca0a5",
        "color-foreground-muted": "#81868d",
        "color-foreground-border": "#666666",
        "color-background-primary": "#131416",
        "color-background-secondary": "#1a1c1e",
        "color-background-hover": "#1e2124",
        "color-background-hover--transparent": "#1e212400",
        "color-background-border": "#303335",
        "color-background-item": "#444444",
        "color-brand-primary": "#2b8cee",
        "color-brand-content": "#368ce2",
        "color-highlighted-background": "#083563",
        "color-highlight-on-target": "#333300",
        "color-api-keyword": "var(--color-foreground-secondary)",
    },
}
html_copy_source = False
html_show_copyright = False
html_show_search_summary = False  # would fetch pages, which browsers refuse for files
toc_object_entries_show_parents = "hide"
pygments_style = "tango"
pygments_dark_style = "monokai"

languages = {".cpp": "cpp", ".hpp": "cpp", ".cff": "yaml"}
table_of_pages = "docs/README.md"
extra_pages = {"README.md": "index.md", "CONTRIBUTING.md": None, "CHANGELOG.md": None, "perf/results/README.md": None}
# order of a header's parts, and of a class's
sections = (
    "briefdescription detaileddescription innernamespace innerclass enum public-type public-func public-static-func public-attrib "
    "public-static-attrib user-defined typedef func var define related friend"
)
order_of_components = ["core", "mesh", "io", "solvers"]


def underlined(title):
    return f"{title}\n{'=' * len(title)}\n\n"


def toctree(caption, entries):
    """a hidden toctree in Markdown: one group of the navigation"""
    return "\n".join(["", "```{toctree}", ":hidden:", f":caption: {caption}", "", *entries, "```", ""])


class Reference:
    """public headers and names, from Doxygen's XML"""

    def __init__(self, folder):
        self.folder = folder
        self.names = set()  # without "karman::"
        self.headers = {}  # "karman/core/types.hpp": names in it
        self.briefs = {}  # of headers
        self.concepts = {}  # by header
        for compound in ElementTree.parse(folder / "index.xml").getroot().iter("compound"):
            kind, name = compound.get("kind"), compound.findtext("name").removeprefix("karman::")
            if kind == "file":
                self.read_file(compound)
            elif kind == "namespace" and compound.findtext("name").startswith("karman"):
                self.read_namespace(compound)
            elif kind in ("class", "struct", "union", "concept"):
                header = self.definition(compound).find("location").get("file")
                self.add(header, name)
                self.names.update(f"{name}::{member.findtext('name')}" for member in compound.iter("member"))
                if kind == "concept":
                    self.concepts.setdefault(header, []).append(f"karman::{name}")

    def add(self, header, name):
        self.names.add(name)
        self.headers.setdefault(header, []).append(name)

    def definition(self, compound):
        return ElementTree.parse(self.folder / f"{compound.get('refid')}.xml").getroot().find("compounddef")

    def read_file(self, compound):
        definition = self.definition(compound)
        header = definition.find("location").get("file")
        self.headers.setdefault(header, [])
        self.briefs[header] = "".join(definition.find("briefdescription").itertext()).strip()

    def read_namespace(self, compound):
        for member in self.definition(compound).iter("memberdef"):
            name = member.findtext("name")
            # one lower-case word is as often a key of a case
            if member.get("kind") in ("enum", "typedef") or "_" in name:
                self.add(member.find("location").get("file"), name)
                self.names.update(f"{name}::{value.findtext('name')}" for value in member.iter("enumvalue"))


class Stage:
    """fills the folder that Sphinx reads"""

    def __init__(self, folder, reference):
        self.folder = folder
        self.reference = reference
        self.titles_with = {}  # pages by the names that they mention
        self.listings = {}  # files of code that get a page: its options

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def listing(self, path, *options):
        """docname of the page of a file of code"""
        self.listings.setdefault(path, options)
        return f"source/{path}"

    def relink(self, page, text):
        """links of a page that lead to no other page lead to listings"""

        # a link whose text is a file's name shows the title of that page
        text = re.sub(r"\[(?:\w+/)*(\w+\.md)\]\(((?:\w+/)*\1)\)", r"[](\2)", text)

        def target(match):
            path = os.path.normpath(os.path.join(os.path.dirname(page), match[1]))
            if path == "README.md":
                staged = "index.md"
            elif path == "apps/examples":
                staged = "examples.rst"
            elif (root / path).is_file() and not path.endswith((".md", ".png")):
                staged = self.listing(path) + ".rst"
            else:
                return match[0]
            return f"]({os.path.relpath(staged, os.path.dirname(page) or '.')}"

        return re.sub(r"\]\(([^)#:\s]+)", target, text)

    def page(self, page, staged, appended=""):
        text = (root / page).read_text(encoding="utf-8")
        for name in set(re.findall(r"`(?:karman::)?(\w+)", text)):
            self.titles_with.setdefault(name, []).append(os.path.splitext(staged)[0])
        self.write(staged, self.relink(page, text) + appended)

    def pages(self):
        table = (root / table_of_pages).read_text(encoding="utf-8").partition("## Pages")[2]
        pages = list(dict.fromkeys(f"docs/{name}" for name in re.findall(r"\]\((\w+\.md)\)", table.partition("\n## ")[0])))
        groups = [
            toctree("Pages", ["docs/README", *(page.removesuffix(".md") for page in pages)]),
            toctree("Code", ["examples", "reference/index", "genindex"]),
            toctree("Project", [page.removesuffix(".md") for page in extra_pages if page != "README.md"]),
        ]
        self.page("README.md", "index.md", "".join(groups))
        for page in sorted(path.relative_to(root).as_posix() for path in (root / "docs").glob("*.md")):
            self.page(page, page)
        for page in list(extra_pages)[1:]:
            self.page(page, page)
        shutil.copytree(root / "docs/images", self.folder / "docs/images", dirs_exist_ok=True)

    def examples(self):
        programs = sorted(path.relative_to(root).as_posix() for path in (root / "apps/examples").glob("*/main.cpp"))
        entries = [f"   {path.split('/')[-2]} <{self.listing(path)}>" for path in programs]
        self.write("examples.rst", underlined("Examples") + ".. toctree::\n\n" + "\n".join(entries) + "\n")

    def described_in(self, names):
        """links to the pages that mention one of these names"""
        pages = dict.fromkeys(page for name in names for page in self.titles_with.get(name, []) if page != "index")
        return ", ".join(f":doc:`/{page}`" for page in sorted(pages))

    def header(self, header, names):
        folder = next(name for name in ("core", "solvers") if (root / name / "include" / header).exists())
        listing = self.listing(f"{folder}/include/{header}", ":nosearch:")
        described = self.described_in(names)
        text = [
            underlined(header.rpartition("/")[2]),
            f".. code-block:: cpp\n\n   #include <{header}>\n",
            f":doc:`Source </{listing}>`." + (f" Described in {described}." if described else "") + "\n",
            f".. doxygenfile:: {header}\n   :sections: {sections}\n",
            *(f".. doxygenconcept:: {name}\n" for name in self.reference.concepts.get(header, [])),
        ]
        self.write(f"reference/{header.removesuffix('.hpp')}.rst", "\n".join(text))

    def headers(self):
        groups = {}
        for header, names in self.reference.headers.items():
            if header.startswith("karman/") and "/detail/" not in header:
                self.header(header, names)
                groups.setdefault(os.path.dirname(header).removeprefix("karman/"), []).append(header)
        for group, headers in groups.items():
            text = [underlined(group)]
            for header in sorted(headers):
                name = header.rpartition("/")[2]
                text.append(f":doc:`{name} </reference/{header.removesuffix('.hpp')}>`\n   {self.reference.briefs[header]}\n")
            text.append(".. toctree::\n   :hidden:\n")
            text += [f"   /reference/{header.removesuffix('.hpp')}" for header in sorted(headers)]
            self.write(f"reference/{group}.rst", "\n".join(text) + "\n")
        order = sorted(groups, key=lambda group: (order_of_components.index(group.split("/")[0]), group))
        text = [underlined("Reference"), "Public headers by family, and every public name in the :ref:`index <genindex>`.\n"]
        text += [".. toctree::\n   :maxdepth: 2\n", *(f"   {group}" for group in order)]
        self.write("reference/index.rst", "\n".join(text) + "\n")

    def code(self):
        for path, options in self.listings.items():
            name = f"source/{path}"
            language = "cmake" if path.endswith("CMakeLists.txt") else languages.get(Path(path).suffix, "text")
            title = "/".join(path.split("/")[-2:]) if path.endswith("main.cpp") else path.rpartition("/")[2]
            file = os.path.relpath(root / path, self.folder / os.path.dirname(name))
            text = [":orphan:", *options, "", underlined(title), f"``{path}``\n", f".. literalinclude:: {file}",
                    f"   :language: {language}", *(["   :linenos:"] if language == "cpp" else [])]
            self.write(f"{name}.rst", "\n".join(text) + "\n")


def stage(app):
    app.karman = Reference(Path(app.config.breathe_projects["karman"]))
    filled = Stage(Path(app.srcdir), app.karman)
    filled.pages()
    filled.examples()
    filled.headers()
    filled.code()


def link_names(app, doctree):
    """public names and headers between backticks lead to the reference"""
    for literal in list(doctree.findall(nodes.literal)):
        if isinstance(literal.parent, (nodes.title, nodes.reference, addnodes.pending_xref)):
            continue
        text = literal.astext()
        name = re.match(r"(?:karman::)?([\w:]*)(?:\(\)| = .*)?$", text)
        if name and name[1] in app.karman.names:
            target = {"refdomain": "cpp", "reftype": "any", "reftarget": f"karman::{name[1]}"}
        elif text.strip("<>") in app.karman.headers:
            target = {"refdomain": "std", "reftype": "doc", "reftarget": f"/reference/{text.strip('<>').removesuffix('.hpp')}"}
        else:
            continue
        literal.replace_self(addnodes.pending_xref("", literal.deepcopy(), refexplicit=True, refwarn=True,
                                                   refdoc=app.env.docname, **target))


def visit_namespace(renderer, reference):
    """contents of a namespace without the heading, which would be the same on every page"""

    def directive(text):
        renderer.state.nested_parse(StringList([text], source=""), 0, nodes.Element())

    parsed = renderer.compound_parser.parse(reference.refid)
    parsed.compounddef.briefdescription = None
    context = renderer.context.create_child_context(parsed)
    name = parsed.compounddef.compoundname
    directive(f".. cpp:namespace-push:: {name.rpartition('::')[2] if renderer.nesting_level else name}")
    renderer.nesting_level += 1
    with WithContext(renderer, context.create_child_context(parsed.compounddef)):
        rendered = renderer.render(parsed, context)
    renderer.nesting_level -= 1
    directive(".. cpp:namespace-pop::")
    return rendered


def contents_parts(directive, signature):
    """name of an entry in the contents of a page, with its scopes; Sphinx has these for other languages"""
    symbol = directive.env.temp_data.get("cpp:last_symbol")
    return tuple(str(symbol.get_full_nested_name()).split("::")) if symbol else ()


def contents_name(directive, signature):
    names = list(signature.findall(addnodes.desc_name))
    return names[-1].astext() if names and signature["_toc_parts"] and directive.objtype != "enumerator" else ""


def searched_objects(domain, all_objects=cpp.CPPDomain.get_objects):
    """names for the search: without parameters"""
    return (entry for entry in all_objects(domain) if entry[2] not in ("functionParam", "templateParam"))


def feed_titles(index, docname, filename, title, doctree, feed=IndexBuilder.feed):
    """a page that its title and its text match is one result: the title has no anchor"""
    feed(index, docname, filename, title, doctree)
    titles = index._all_titles[docname]
    index._all_titles[docname] = [(text, anchor if number else None) for number, (text, anchor) in enumerate(titles)]


def drop_system_style(app, exception):
    """Debian's Furo imports a file of a web server; site.css replaces it."""
    style = Path(app.outdir) / "_static/styles/furo.css"
    if not exception:
        style.write_text(re.sub(r"@import url\(/[^)]*\);", "", style.read_text(encoding="utf-8")), encoding="utf-8")


def setup(app):
    IndexBuilder.feed = feed_titles
    cpp.CPPDomain.get_objects = searched_objects
    cpp.CPPObject._object_hierarchy_parts = contents_parts
    cpp.CPPObject._toc_entry_name = contents_name
    app.connect("build-finished", drop_system_style)
    SphinxRenderer.visit_namespace = visit_namespace
    app.connect("builder-inited", stage)
    app.connect("doctree-read", link_names)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
