"""The documentation: pages are linked, code prints the shown output, and the site builds."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest

import toccata

ROOT = Path(__file__).parents[3]
DOCS = ROOT / "docs"
PAGES = sorted(path.relative_to(DOCS).with_suffix("").as_posix() for path in DOCS.rglob("*.md"))
TAUGHT = ["index", *(page for page in PAGES if page.startswith(("tutorials/", "how-to/")))]
DIRECTIVE = re.compile(r"<!-- \{([\w-]+)\}(.*?)-->", re.DOTALL)
BLOCK = re.compile(r"```python\n(.*?)```(?:\n\n```text\n(.*?)```)?", re.DOTALL)
END = "\x1e"
"""Printed after each block of code."""

LONGEST = {"tutorials": 220, "how-to": 70, "reference": 80}
"""Most lines of a page, by folder; 320 elsewhere."""
GENERATED = ("cli", "papers")
"""Pages written by a command."""
MOST_WORDS = 30_000
"""Most words of all other pages together."""
WIDEST = 90
"""Columns of code that the site shows without scrolling."""
PEERS = re.compile(r"^(?:import|from) (\w+)", re.MULTILINE)


def text_of(page: str) -> str:
    return (DOCS / f"{page}.md").read_text(encoding="utf-8")


def printed(code: str, folder: Path) -> str:
    """Run code in an empty folder; warnings are errors."""
    command = [sys.executable, "-W", "error", "-c", code]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout


def directives(kind: str) -> Iterator[str]:
    """Yield the bodies of all directives of a kind."""
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
def test_a_page_starts_with_its_title_and_its_purpose(page: str) -> None:
    title, _, first, *_ = text_of(page).split("\n")
    assert re.match(r"# \S", title)
    assert re.match(r"[A-Z`]|\*\*|\[", first)


@pytest.mark.parametrize("page", [page for page in PAGES if page not in GENERATED])
def test_a_page_is_short(page: str) -> None:
    assert text_of(page).count("\n") <= LONGEST.get(page.split("/")[0], 320)


def test_all_pages_together_are_short() -> None:
    words = {page: len(text_of(page).split()) for page in PAGES if page not in GENERATED}
    assert sum(words.values()) <= MOST_WORDS, words


def test_the_project_names_no_address_of_its_own() -> None:
    names = ("pyproject.toml", "CITATION.cff", "benchmarks/pyproject.toml", "docs/conf.py")
    pages = [*ROOT.glob("*.md"), *ROOT.glob("benchmarks/**/*.md"), *DOCS.rglob("*.md")]
    for path in [*pages, *(ROOT / name for name in names)]:
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"github\.(com|io)/toccata|toccata[\w-]*\.github", text), path


@pytest.mark.parametrize("path", [*ROOT.glob("*.md"), *DOCS.rglob("*.md")], ids=lambda p: p.stem)
def test_names_in_prose_exist(path: Path) -> None:
    text = re.sub(r"```.*?```", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
    code = " ".join(re.findall(r"`([^`]+)`", text))
    names = set(re.findall(r"\btc\.(\w+)", code))
    assert [name for name in sorted(names) if not hasattr(toccata, name)] == []


def documented() -> tuple[set[str], set[str]]:
    """Names that the reference takes from docstrings, one by one and by module."""
    names = {body.split()[0] for body in directives("auto(function|class|data)")}
    return names, {body.split()[0] for body in directives("automodule")}


@pytest.mark.parametrize("page", [page for page in PAGES if page.startswith("reference/")])
def test_a_page_of_docstrings_tells_where_they_are_shown(page: str) -> None:
    """Files show no docstrings: only the site and `help` do."""
    text = text_of(page)
    seen = DIRECTIVE.sub("", text)
    assert ("{auto" not in text) or ("`help(toccata.NAME)`" in seen and "`make docs`" in seen)


def test_the_reference_has_every_public_name() -> None:
    names, modules = documented()
    public = {f"toccata.{name}" for name in toccata.__all__}
    assert public - names - modules == set()
    packages = {path.parent.name for path in (ROOT / "src/toccata").glob("[a-z]*/__init__.py")}
    # The command line has no docstrings for users, and names of robots are in `toccata` itself.
    assert {f"toccata.{name}" for name in packages - {"cli", "robot"}} <= modules


def test_every_name_in_the_reference_exists() -> None:
    names, modules = documented()
    for name in sorted(names):
        module, _, attribute = name.rpartition(".")
        assert hasattr(import_module(module), attribute), name
    for name in sorted(modules - {"toccata.planning"}):  # needs ompl
        assert import_module(name).__doc__, name


@pytest.mark.parametrize("page", TAUGHT)
def test_code_of_a_page_prints_the_shown_output(page: str, tmp_path: Path) -> None:
    if page == "tutorials/planner":
        pytest.importorskip("ompl", reason="the planner's tutorial plans with ompl")
    blocks = BLOCK.findall(text_of(page))
    code = "".join(f"{code}\nprint(end={END!r})\n" for code, _ in blocks)
    assert printed(code, tmp_path).split(END)[:-1] == [said for _, said in blocks]


@pytest.mark.parametrize("number", range(len(BLOCK.findall(text_of("coming-from")))))
def test_code_for_users_of_other_libraries_prints_the_shown_output(
    number: int, tmp_path: Path
) -> None:
    code, said = BLOCK.findall(text_of("coming-from"))[number]
    missing = [name for name in PEERS.findall(code) if find_spec(name) is None]
    if missing:
        pytest.skip(f"NOT RUN: it needs {', '.join(missing)}")
    assert printed(code, tmp_path) == said


def test_the_readme_is_short_and_its_code_prints_the_shown_output(tmp_path: Path) -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    lines = text.splitlines()
    assert len(lines) <= 120 and [line for line in lines if len(line) > 100] == []
    ((code, said),) = BLOCK.findall(text)
    assert len(code.split("\n")) <= 13 and "toccata.scenes" not in code
    assert printed(code, tmp_path) == said
    for target in re.findall(r"\]\(([^)#\s]+)", text):
        assert target.startswith("https://") or (ROOT / target).exists(), target


@pytest.mark.parametrize("page", [*TAUGHT, "coming-from"])
def test_code_fits_on_the_site(page: str) -> None:
    code = "".join(re.findall(r"```\w*\n(.*?)```", text_of(page), re.DOTALL))
    assert [line for line in code.splitlines() if len(line) > WIDEST] == []


def test_every_picture_is_small_and_on_a_page() -> None:
    shown = {
        ((DOCS / page).parent / target).resolve()
        for page in PAGES
        for target in re.findall(r"!\[[^]]*\]\(([^)\s]+)\)", text_of(page))
    }
    found = {path for path in DOCS.rglob("*") if path.suffix in (".gif", ".png", ".svg")}
    kept = {path for path in found if path.parent.name != "_static"}
    assert kept == shown
    most = {".gif": 3_000_000, ".png": 250_000, ".svg": 250_000}
    assert [path.name for path in kept if path.stat().st_size > most[path.suffix]] == []


@pytest.mark.parametrize(
    ("script", "file"),
    [
        ("make_architecture_picture.py", "architecture.svg"),
        ("make_benchmark_picture.py", "benchmarks.svg"),
        ("make_cli.py", "cli.md"),
    ],
)
def test_a_generated_file_is_current(script: str, file: str, tmp_path: Path) -> None:
    again = tmp_path / file
    subprocess.run([sys.executable, DOCS / script, again], check=True)
    assert again.read_text() == (DOCS / file).read_text(), f"run python docs/{script}"


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
def test_the_site_shows_docstrings(site: Path) -> None:
    page = (site / "reference/contact.html").read_text(encoding="utf-8")
    assert 'id="toccata.first_contact"' in page
    assert re.search(r"<strong>separation</strong> – distance that counts as contact", page)
    assert ":param" not in page and "Args:" not in page
