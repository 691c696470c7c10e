"""Builds the site from these pages and the docstrings (`make docs`).

The pages are plain Markdown that any viewer shows. Directives for the site stand in comments, which
viewers hide: `<!-- {toctree} ... -->` becomes the directive of that name. Links to files outside of
`docs` become downloads, since the repository has no public address yet.
"""

from __future__ import annotations

import re
from importlib import metadata
from importlib.util import find_spec
from inspect import isbuiltin
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.ext.napoleon import GoogleDocstring

import toccata
from toccata import dynamics

HERE = Path(__file__).resolve().parent

project, author, release = "Toccata", "the Toccata authors", metadata.version("toccata")
copyright = author
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.viewcode", "sphinx_copybutton"]
exclude_patterns = ["_build"]
nitpicky = True
nitpick_ignore_regex = [("py:.*", r"(collections|numpy|typing)\..*")]  # pages of others
highlight_language = "text"
smartquotes_action = "D"  # dashes alone: "auto" is what people type
myst_heading_anchors = 4

autodoc_mock_imports = [name for name in ("ompl", "pyarrow", "viser") if not find_spec(name)]
autodoc_member_order = "bysource"
autodoc_typehints = "none"
python_use_unqualified_type_names = True
autodoc_default_options = {
    "members": True,
    "inherited-members": True,
    "undoc-members": True,
    "no-value": True,
}
autoclass_content = "class"
default_role = "py:obj"  # a name in backquotes: a link if it is documented, else code

html_theme = "furo"
html_title = "Toccata"
html_logo = html_favicon = "_static/logo.svg"
pygments_dark_style = "github-dark"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sphinx = False
html_theme_options = {
    "light_css_variables": {"color-brand-primary": "#b4520d", "color-brand-content": "#a34a0b"},
    "dark_css_variables": {"color-brand-primary": "#f0a35e", "color-brand-content": "#f0a35e"},
}

ANSWERS = {
    name: f"{module.__name__}.{name}" for module in (dynamics, toccata) for name in module.__all__
}
DIRECTIVE = re.compile(r"<!-- (\{[\w:-]+\}.*?)\s*-->", re.DOTALL)
DOCSTRING = re.compile(r"<!-- \{(auto\w+)\} (.*?)\s*-->", re.DOTALL)
LINK = re.compile(r"\]\((\.\./[^)\s#]+\.md)(?:#[^)\s]*)?\)")
TABLE = re.compile(r"^\|.*\|\n\|[-|]+\|\n(?:\|.*\|\n?)+", re.MULTILINE)


def prepare(app: Sphinx, name: str, source: list[str]) -> None:
    """Turn comments into directives, and links to pages outside of `docs` into downloads."""
    folder = (HERE / name).parent

    def link(found: re.Match[str]) -> str:
        inside = (folder / found[1]).resolve().is_relative_to(HERE)
        return found[0] if inside else f"](path:{found[1]})"

    text = DOCSTRING.sub(from_docstring, LINK.sub(link, source[0]))
    source[0] = DIRECTIVE.sub(r"```\1\n```", text)


def from_docstring(comment: re.Match[str]) -> str:
    """Return an autodoc directive with its options; docstrings are not Markdown."""
    name, *options = comment[2].splitlines()
    return "\n".join(
        ["```{eval-rst}", f".. {comment[1]}:: {name}", *map("   ".__add__, options), "```"]
    )


def read_docstring(
    app: Sphinx, what: str, name: str, thing: Any, options: Any, lines: list[str]
) -> None:
    """Convert Google style, tables and links; attributes keep colons, which are not types."""
    if what in ("function", "method", "class"):
        lines[:] = GoogleDocstring(lines).lines()
    text = TABLE.sub(table, "\n".join(lines))
    text = re.sub(r"(?<!`)`(\.\w+)`(?!`)", r"``\1``", text)
    lines[:] = re.sub(r"\bdocs/([\w/-]+)\.md(#[\w-]+)?", r":doc:`/\1`", text).split("\n")


def table(found: re.Match[str]) -> str:
    """Convert a Markdown table in a docstring to a directive."""
    rows = [line.strip("| ").split(" | ") for line in found[0].splitlines()]
    cells = [
        f"{'   * ' if i == 0 else '     '}- {c}"
        for r in rows[:1] + rows[2:]
        for i, c in enumerate(r)
    ]
    return "\n".join([".. list-table::", "   :header-rows: 1", "", *cells, ""])


def name_answer(
    app: Sphinx, what: str, name: str, thing: Any, options: Any, signature: str, answer: str
) -> tuple[str, str] | None:
    """Add the return type to a signature if it is a class of Toccata."""
    said = getattr(thing, "__annotations__", {}).get("return")
    return (signature, ANSWERS[said]) if said in ANSWERS else None


def skip(app: Sphinx, what: str, name: str, thing: Any, skipped: bool, options: Any) -> bool | None:
    """Leave out members inherited from other packages, such as those of `int`."""
    module = getattr(getattr(thing, "__objclass__", thing), "__module__", None) or ""
    foreign = isbuiltin(thing) or (callable(thing) and not module.startswith("toccata"))
    return True if what == "class" and foreign else None


def look_again(app: Sphinx, env: Any, node: nodes.Element, content: nodes.Node) -> Any:
    """Resolve names in backquotes in `toccata`; show undocumented ones as code."""
    if node.get("reftype") != "obj":
        return None
    python, name = env.get_domain("py"), f"toccata.{node['reftarget']}"
    if name not in python.objects:
        return content  # an argument, an option, a formula
    return python.resolve_xref(env, node["refdoc"], app.builder, "obj", name, node, content)


def setup(app: Sphinx) -> None:
    """Register the functions above."""
    app.connect("autodoc-process-docstring", read_docstring)
    app.connect("autodoc-process-signature", name_answer)
    app.connect("autodoc-skip-member", skip)
    app.connect("source-read", prepare)
    app.connect("missing-reference", look_again)
