"""The documentation: every page is found, says what its code prints, and builds into a site."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

import toccata

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = sorted(path.relative_to(DOCS).with_suffix("").as_posix() for path in DOCS.rglob("*.md"))
TAUGHT = ["index", *(page for page in PAGES if page.startswith(("tutorials/", "how-to/")))]
DIRECTIVE = re.compile(r"<!-- \{([\w-]+)\}(.*?)-->", re.DOTALL)
BLOCK = re.compile(r"```python\n(.*?)```(?:\n\n```text\n(.*?)```)?", re.DOTALL)
END = "\x1e"
"""Printed after each block of code."""

# Lines that a page may have: who learns or cooks wants little, who looks up wants all.
LONGEST = {"tutorials": 220, "how-to": 70, "reference": 80}
LONGEST_OF = {"api": 1200, "benchmarks": 1200}
WIDEST = 90
"""Columns of code that fit on the site."""


def text_of(page: str) -> str:
    return (DOCS / f"{page}.md").read_text(encoding="utf-8")


def directives(kind: str) -> Iterator[str]:
    """What directives of a kind say, all over the docs."""
    for page in PAGES:
        for name, body in DIRECTIVE.findall(text_of(page)):
            if re.fullmatch(kind, name):
                yield body.strip()


def test_every_page_is_in_one_table_of_contents() -> None:
    rows = [row for body in directives("toctree") for row in body.splitlines()]
    pages = [re.sub(r".*<(.*)>", r"\1", row) for row in rows if row and row[0] != ":"]
    listed = [page for page in pages if "://" not in page]
    assert sorted(listed) == [page for page in PAGES if page != "index"]


@pytest.mark.parametrize("page", PAGES)
def test_a_page_starts_with_its_title_and_says_what_it_is_for(page: str) -> None:
    title, _, first, *_ = text_of(page).split("\n")
    assert re.match(r"# \S", title)
    # A sentence, or the command that made the page.
    assert re.match(r"[A-Z`]|\*\*|\[|    toccata ", first)


@pytest.mark.parametrize("page", PAGES)
def test_a_page_is_no_longer_than_sensible(page: str) -> None:
    most = LONGEST_OF.get(page, LONGEST.get(page.split("/")[0], 320))
    assert text_of(page).count("\n") <= most


def documented() -> tuple[set[str], set[str]]:
    """Names that the reference takes from docstrings, one by one and by module."""
    names = {body.split()[0] for body in directives("auto(function|class|data)")}
    return names, {body.split()[0] for body in directives("automodule")}


def test_the_reference_has_every_public_name() -> None:
    names, modules = documented()
    public = {f"toccata.{name}" for name in toccata.__all__}
    assert public - names - modules == set()
    packages = {path.parent.name for path in (ROOT / "src/toccata").glob("[a-z]*/__init__.py")}
    # The command line has no docstrings for users, and names of robots are in `toccata` itself.
    assert {f"toccata.{name}" for name in packages - {"cli", "robot"}} <= modules


def test_what_the_reference_names_exists() -> None:
    names, modules = documented()
    for name in sorted(names):
        module, _, attribute = name.rpartition(".")
        assert hasattr(import_module(module), attribute), name
    for name in sorted(modules - {"toccata.planning"}):  # which needs ompl
        assert import_module(name).__doc__, name


@pytest.mark.parametrize("page", TAUGHT)
def test_code_of_a_page_prints_what_the_page_says(page: str, tmp_path: Path) -> None:
    if page == "tutorials/planner":
        pytest.importorskip("ompl", reason="the planner's tutorial plans with ompl")
    blocks = BLOCK.findall(text_of(page))
    code = "".join(f"{code}\nprint(end={END!r})\n" for code, _ in blocks)
    command = [sys.executable, "-W", "error", "-c", code]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    told = done.stdout.split(END)[:-1]
    assert told == [said for _, said in blocks]


@pytest.mark.parametrize("page", TAUGHT)
def test_code_fits_on_the_site(page: str) -> None:
    code = "".join(re.findall(r"```\w*\n(.*?)```", text_of(page), re.DOTALL))
    assert [line for line in code.splitlines() if len(line) > WIDEST] == []


def test_every_picture_is_small_and_shown() -> None:
    shown = {
        ((DOCS / page).parent / target).resolve()
        for page in PAGES
        for target in re.findall(r"!\[[^]]*\]\(([^)\s]+)\)", text_of(page))
    }
    found = {path for path in DOCS.rglob("*") if path.suffix in (".png", ".svg")}
    kept = {path for path in found if path.parent.name != "_static"}
    assert kept == shown
    assert [path.name for path in kept if path.stat().st_size > 250_000] == []


def test_picture_of_the_layers_is_drawn_by_its_command(tmp_path: Path) -> None:
    again = tmp_path / "again.svg"
    subprocess.run([sys.executable, DOCS / "make_architecture_picture.py", again], check=True)
    assert again.read_text() == (DOCS / "architecture.svg").read_text()


@pytest.mark.long
def test_pictures_of_tutorials_are_drawn_by_their_command(tmp_path: Path) -> None:
    pytest.importorskip("ompl", reason="the planner's tutorial plans with ompl")
    command = [sys.executable, DOCS / "make_tutorial_pictures.py", tmp_path]
    subprocess.run(command, check=True, timeout=300)
    drawn, kept = ({path.name for path in f.glob("*.png")} for f in (tmp_path, DOCS / "tutorials"))
    assert drawn == kept


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("sphinx", reason="NOT BUILT: the site needs pip install 'toccata[docs]'")
    target = tmp_path_factory.mktemp("site")
    options = ["-W", "--keep-going", "-q", "-d", str(target / "pickles")]
    command = [sys.executable, "-m", "sphinx", *options, str(DOCS), str(target / "html")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    return target / "html"


@pytest.mark.slow
def test_the_site_has_all_pages_and_needs_no_network(site: Path) -> None:
    assert [page for page in PAGES if not (site / f"{page}.html").exists()] == []
    for page in PAGES:
        html = (site / f"{page}.html").read_text(encoding="utf-8")
        foreign = re.findall(
            r'<(?:script|link rel="stylesheet"|img)[^>]*(?:src|href)="https?:', html
        )
        assert foreign == [], page


@pytest.mark.slow
def test_links_of_the_site_lead_to_files_and_anchors(site: Path) -> None:
    for page in PAGES:
        path = site / f"{page}.html"
        for link in re.findall(r'href="([^"]+)"', path.read_text(encoding="utf-8")):
            if re.match(r"\w+:", link):
                continue
            name, _, anchor = link.partition("#")
            target = (path.parent / name.partition("?")[0]).resolve() if name else path
            assert target.is_file(), f"{page}: {link}"
            if anchor and target.suffix == ".html":
                assert f'id="{anchor}"' in target.read_text(encoding="utf-8"), f"{page}: {link}"


@pytest.mark.slow
def test_docstrings_are_read(site: Path) -> None:
    page = (site / "reference/contact.html").read_text(encoding="utf-8")
    assert 'id="toccata.first_contact"' in page
    assert re.search(r"<strong>separation</strong> – distance that counts as contact", page)
    assert ":param" not in page and "Args:" not in page
