"""The pages of results are generated from their records, as `--record` does."""

from __future__ import annotations

from pathlib import Path

import pytest

from toccata._cli import main

RESULTS = Path(__file__).parents[3] / "benchmarks" / "results"


@pytest.mark.parametrize("path", sorted(RESULTS.glob("*.json")), ids=lambda path: path.stem)
def test_page_is_that_of_its_record(path: Path, tmp_path: Path) -> None:
    page, name = tmp_path / "page.md", path.stem.partition("_")[0]
    assert main(["bench", name, "--record", str(path), "--markdown", str(page)]) == 0
    assert page.read_text() == path.with_suffix(".md").read_text()


@pytest.mark.parametrize("path", sorted(RESULTS.glob("*.md")), ids=lambda path: path.stem)
def test_page_names_its_command(path: Path) -> None:
    assert f"\n    toccata bench {path.stem.partition('_')[0]}" in path.read_text()
