"""The examples and the code of the docs run unchanged, and links of the docs lead to files."""

from __future__ import annotations

import re
import struct
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
EXAMPLES = sorted((ROOT / "examples").glob("*/*.py"))
PAGES = sorted(
    [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *ROOT.glob("benchmarks/**/*.md")]
)


def run(*arguments: str, folder: Path) -> str:
    """Run Python in an empty folder and return its output; warnings are errors."""
    command = [sys.executable, "-W", "error", *arguments]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout


def code_of(page: str) -> str:
    return "\n".join(re.findall(r"```python\n(.*?)```", (ROOT / page).read_text(), re.DOTALL))


def links_of(page: Path) -> list[str]:
    targets = re.findall(r"\]\(([^)\s]+)\)", page.read_text())
    return [target for target in targets if not target.startswith(("http", "#"))]


def numbers(paths: Iterable[Path]) -> list[int]:
    return [int(path.name.partition("_")[0]) for path in paths]


def test_examples_are_numbered_without_gaps() -> None:
    folders = sorted((ROOT / "examples").iterdir())
    assert numbers(folders) == list(range(1, len(folders) + 1))
    for folder in folders:
        files = sorted(folder.glob("*.py"))
        assert files and numbers(files) == list(range(1, len(files) + 1))


def test_page_lists_all_examples() -> None:
    listed = re.findall(r"\]\(\.\./(examples/[^)]*)\)", (ROOT / "docs/examples.md").read_text())
    assert listed == [str(path.relative_to(ROOT)) for path in EXAMPLES]


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_example_says_what_it_shows(path: Path) -> None:
    assert path.read_text().startswith('"""Shows ')


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_example_runs(path: Path, tmp_path: Path) -> None:
    output = run(str(path), folder=tmp_path).strip()
    assert output
    assert not list(tmp_path.iterdir()), "an example leaves no files"
    if path.stem == "1_deforming":
        assert_cloth_comes_to_rest([line for line in output.splitlines() if "cloth" in line])


def assert_cloth_comes_to_rest(lines: list[str]) -> None:
    assert len(lines) >= 5 and all("executed FREE" in line for line in lines)
    assert "proposed CONTACT" in lines[-1], "nothing held it"
    top, hem = map(float, re.findall(r"-?\d\.\d+", lines[-1]))
    assert hem < -0.3 and 0.5 < top < 0.55  # the ball has radius 0.5 around the origin


@pytest.mark.parametrize("page", ["docs/scenes.md", "docs/scale.md", "docs/view.md"])
def test_examples_of_a_page_run_one_after_the_other(page: str, tmp_path: Path) -> None:
    assert run("-c", code_of(page), folder=tmp_path)


def test_examples_of_dynamics_run(tmp_path: Path) -> None:
    lines = run("-c", code_of("docs/dynamics.md"), folder=tmp_path).splitlines()
    hand = ["BLOCKED [2.  1.  0.5]", "('floor', 'wall') [-7.   0.   2.5]"]
    assert lines[:3] == [*hand, "MOUNTED ('straight',)"]
    assert lines[3].endswith("0 True") and lines[-1] == "FREE"
    assert (tmp_path / "path.npz").exists() and (tmp_path / "mounted.npz").exists()


def test_examples_of_adaptive_bodies_run(tmp_path: Path) -> None:
    assert run("-c", code_of("docs/adaptive.md"), folder=tmp_path).splitlines()[:2] == [
        "8 8",
        "True",
    ]


def test_example_of_proximities_runs(tmp_path: Path) -> None:
    assert run("-c", code_of("docs/proximities.md"), folder=tmp_path) == ""


@pytest.mark.parametrize("page", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_links_lead_to_files(page: Path) -> None:
    dead = [t for t in links_of(page) if not (page.parent / t.partition("#")[0]).exists()]
    assert dead == []


def test_picture_of_a_contact_is_drawn_by_its_command(tmp_path: Path) -> None:
    picture, again = ROOT / "docs" / "picture.png", tmp_path / "again.png"
    assert picture.stat().st_size < 250_000
    run(str(ROOT / "docs" / "make_picture.py"), "demo/gear-gear", str(again), folder=tmp_path)
    # Pixels may differ in the last bit between machines; the size may not.
    sizes = [struct.unpack(">II", path.read_bytes()[16:24]) for path in (picture, again)]
    assert sizes[0] == sizes[1]
