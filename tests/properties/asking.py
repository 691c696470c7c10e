"""Translates plain cases of the property tests to queries."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from math import inf
from types import SimpleNamespace
from typing import Any

import numpy as np
from oracles.cases import Case, Path
from oracles.crowd import Pair
from oracles.shapes import Shape

import toccata as tc
from toccata._options import Method
from toccata._result import feature_name

METHODS: tuple[Method, ...] = ("c2a", "hca", "interval", "auto")


def mesh(shape: Shape) -> tc.Mesh:
    """Build a mesh."""
    return tc.Mesh(*shape)


def motion(path: Path) -> tc.Motion:
    """Build a motion; the arguments come in the order of the API."""
    if path.kind == "twist":
        start, velocity, angular = path.arguments
        return tc.Motion.twist(start, linear=velocity, angular=angular)
    if path.kind == "spline":
        times, poses, kind = path.arguments
        return tc.Motion.spline(times, np.array(poses), kind=kind)
    made: tc.Motion = getattr(tc.Motion, path.kind)(*path.arguments)
    return made


def ask(case: Case, meshes: tuple[tc.Mesh, tc.Mesh] | None = None, **options: Any) -> Any:
    """Return the first contact of a case."""
    a, b = meshes or (mesh(case.shape_a), mesh(case.shape_b))
    options = {"tolerance": case.tolerance, "separation": case.separation} | options
    return tc.first_contact(a, b, motion(case.path_a), motion(case.path_b), **options)


def row(batch: Any, k: int, tolerance: float) -> Any:
    """Return a row of a batch in the form of a single answer, for the contract."""
    status = tc.Status(int(batch.status[k]))
    names = ("toc", "safe_until", "distance", "point_a", "point_b", "normal", "triangle_a")
    values = {name: getattr(batch, name)[k] for name in (*names, "triangle_b")}
    feature = feature_name(batch.feature[k])
    return _Row(status=status, tolerance=tolerance, feature=feature, **values)


def rows_by_pair(found: Any, pairs: Collection[Pair], first: str, second: str) -> dict[Pair, Any]:
    """Return the answer of each pair; pairs without a row are free. `first` names the columns."""
    free = {"status": tc.Status.FREE, "toc": inf, "safe_until": inf}
    answers: dict[Pair, Any] = {pair: _Row(**free) for pair in pairs}
    columns = zip(getattr(found, first), getattr(found, second), strict=True)
    for k, (a, b) in enumerate(columns):
        pair = found.names[a], found.names[b]
        pair = pair if pair in answers else pair[::-1]
        assert not answers[pair], f"two rows of {pair}"
        answers[pair] = row(found, k, float(found.tolerance[k]))
    return answers


class _Row(SimpleNamespace):
    def __bool__(self) -> bool:
        return bool(self.status.name != "FREE")


def bits(contact: Any) -> tuple[bytes, ...]:
    """Return all fields of an answer, bit by bit."""
    numbers = (contact.toc, contact.safe_until, contact.distance, contact.tolerance)
    arrays = (contact.point_a, contact.point_b, contact.normal)
    names = [getattr(contact, name, None) for name in ("body_a", "body_b", "link_a", "link_b")]
    labels = (contact.status.name, contact.feature, contact.triangle_a, contact.triangle_b, *names)
    exact = (np.asarray(x, dtype=np.float64).tobytes() for x in (*numbers, *arrays))
    return (*exact, repr(labels).encode())


def time_of(contact: Any) -> float:
    """Return the time of contact as a number; inf when FREE."""
    return float(contact.toc) if contact else inf


@contextmanager
def naming(label: str) -> Iterator[None]:
    """Name the example in a failure, so that it can be repeated alone."""
    try:
        yield
    except AssertionError as error:
        raise AssertionError(f"{label}: {error}") from error


class HitRate:
    """Counter of contacts in a sample; fails if nearly all or nearly no examples touch."""

    def __init__(self) -> None:
        self.hits = self.total = 0

    def add(self, hit: bool) -> None:
        """Count one example."""
        self.hits, self.total = self.hits + hit, self.total + 1

    def check(self, least: float = 0.3) -> None:
        """Assert that the share of contacts is between `least` (30 %) and 1 - `least`."""
        touching = f"{self.hits} of {self.total} touch"
        assert least <= self.hits / self.total <= 1 - least, (
            f"too one-sided to prove anything: {touching}"
        )
