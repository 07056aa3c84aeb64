"""Sphinx's settings for the documentation site; `tools/make_site.py` lays out the sources and runs Sphinx on them."""

import ast
import inspect
import sys
import textwrap
from pathlib import Path
from typing import Any

import certus

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

project = "certus"
author = "the certus developers"
release = version = certus.__version__
root_doc = "index"
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
source_suffix = {".md": "markdown", ".rst": "restructuredtext"}
default_role = "py:obj"
highlight_language = "default"
pygments_style = "tango"

# Guides are read on GitHub too, so links to headings are GitHub's.
myst_heading_anchors = 4
myst_enable_extensions = ["colon_fence"]
suppress_warnings = ["myst.header"]

autodoc_member_order = "bysource"
autodoc_typehints = "none"
napoleon_google_docstring = False
napoleon_use_rtype = False
napoleon_preprocess_types = False

html_theme = "pydata_sphinx_theme"
html_title = f"certus {release}"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_js_files = ["tables.js"]
html_copy_source = False
html_show_sphinx = False
html_sidebars: dict[str, list[str]] = {
    "index": [],
    "catalogue": [],
    "CHANGELOG": [],
    "docs/cookbook": [],
    "docs/gallery": [],
}
html_theme_options: dict[str, Any] = {
    "footer_start": [],
    "footer_end": [],
    "header_links_before_dropdown": 7,
    "navbar_align": "left",
    "navbar_persistent": [],
    "navbar_end": ["search-button", "theme-switcher"],
    "show_nav_level": 1,
    "navigation_depth": 2,
    "collapse_navigation": True,
    "show_prev_next": False,
    "show_toc_level": 2,
    "secondary_sidebar_items": {"**": ["page-toc"], "index": []},
}


def add_types(*event: Any) -> None:
    """Write beside each parameter its type: as its code has it, of a metric the words of its declaration."""
    value, lines = event[3], event[5]
    types = {name: each.accepts for name, each in value.parameters.items()} if isinstance(value, certus.Metric) else {}
    types = types or {name: f"``{text}``" for name, text in annotations(value).items()}
    for index, line in enumerate(lines):
        names = line.split(", ")
        if len(found := {types.get(name.lstrip("*"), "") for name in names}) == 1 and (text := found.pop()):
            lines[index] = f"{line} : {text}"


def annotations(value: Any) -> dict[str, str]:
    """The types of the parameters of a function, or of the fields of a class, as they are written."""
    if not (inspect.isroutine(value) or isinstance(value, type)):
        return {}
    try:
        (node,) = ast.parse(textwrap.dedent(inspect.getsource(value))).body
    except (OSError, TypeError):  # made by a call, such as the fields of a named tuple
        return {}
    found = {}
    for each in ast.walk(node):
        if isinstance(each, ast.arg) and each.annotation:
            found[each.arg] = ast.unparse(each.annotation).strip("'\"")
        elif isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name):
            found[each.target.id] = ast.unparse(each.annotation).strip("'\"")
    return found


def setup(app: Any) -> None:
    """Tell Sphinx of the hook above; it comes before napoleon reads the docstring."""
    app.connect("autodoc-process-docstring", add_types, priority=100)
