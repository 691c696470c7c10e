"""Shared set-up of the tests: the oracles are importable, and hypothesis repeats itself."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

sys.path.insert(0, str(Path(__file__).parent))
from oracles.size import FACTOR, cases

pytest.register_assert_rewrite("oracles.contract", "oracles.linear_contract", "properties.stepping")

# No random seed: a failure comes back when the same tests are run again.
settings.register_profile(
    "repeatable",
    derandomize=True,
    database=None,
    deadline=None,
    max_examples=cases(60),
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.load_profile("repeatable")


def pytest_configure(config: pytest.Config) -> None:
    """Declare the markers of tests that the shorter commands leave out."""
    config.addinivalue_line("markers", "slow: larger samples, deselected by `make quick`")
    config.addinivalue_line("markers", "long: runs in `make test-long` only")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip the tests that only `make test-long` runs."""
    if FACTOR <= 1:
        for item in items:
            if item.get_closest_marker("long"):
                item.add_marker(pytest.mark.skip(reason="`make test-long` runs it"))
