"""Pages in a real browser: chromium without a display, driven as a person would.

Without chromium these tests are skipped, and the end of the run says so.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from browser.person import FLAGS, SIZE, Person

HERE = Path(__file__).parent
SHOTS = HERE.parent.parent / "build" / "browser"
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("chrome")
_NEEDS = {
    "chromium (apt install chromium)": CHROMIUM is not None,
    "playwright (pip install 'toccata[test]')": find_spec("playwright") is not None,
    "viser (pip install 'toccata[view]')": find_spec("viser") is not None,
}
MISSING = [need for need, there in _NEEDS.items() if not there]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip what needs a browser where there is none."""
    skip = pytest.mark.skip(reason=f"browser tests need {', '.join(MISSING)}")
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(pytest.mark.slow)
            if MISSING:
                item.add_marker(skip)


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Say loudly that nothing was looked at, or where the pictures are."""
    if MISSING:
        terminalreporter.write_sep("!", "NO BROWSER TESTS WERE RUN", red=True, bold=True)
        terminalreporter.write_line(f"They need {', '.join(MISSING)}.", red=True)
    else:
        terminalreporter.write_line(f"Screenshots of the browser tests: {SHOTS}")


@pytest.fixture(scope="package")
def chromium() -> Iterator[Any]:
    """One browser for all tests here; it ends with them, or it would draw on and on."""
    from playwright.sync_api import sync_playwright

    SHOTS.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, headless=True, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def person(chromium: Any) -> Iterator[Callable[..., Person]]:
    """Return what opens an address for someone who looks, clicks and drags."""
    opened: list[Person] = []

    def visit(address: str, server: Any = None, *, offline: bool = False) -> Person:
        context = chromium.new_context(
            viewport={"width": SIZE[0], "height": SIZE[1]}, accept_downloads=True, offline=offline
        )
        opened.append(Person(context.new_page(), server, SHOTS))
        opened[-1].open(address)
        return opened[-1]

    yield visit
    for one in opened:
        one.close()
        assert not one.errors, f"the page complained: {one.errors}"
