"""Assertions of the contract of a first-contact answer against a reference."""

from __future__ import annotations

from math import inf
from typing import Any

import numpy as np

from .body import Body
from .triangles import Triangle, closest, point_triangle_distance
from .truth import Truth
from .vectors import mp, vec

FEATURES = ("vertex-face", "face-vertex", "edge-edge")


def assert_contract(contact: Any, truth: Truth, *, may_be_undecided: bool = False) -> None:
    """Assert all rules of the contract for one answer."""
    status = contact.status.name
    assert bool(contact) == (status != "FREE"), "only FREE may read as false"
    assert (contact.toc == inf) == (status == "FREE"), "toc is inf exactly when FREE"
    assert contact.tolerance == truth.tolerance, "the answer is for another tolerance"
    if status == "FREE":
        assert contact.safe_until >= 1.0, "free, but not proven to the end"
    else:
        assert 0.0 <= contact.toc <= contact.safe_until <= 1.0
    assert_not_late(contact, truth)
    check = {
        "FREE": lambda: None,
        "CONTACT": lambda: _assert_contact(contact, truth),
        "INITIAL_OVERLAP": lambda: _assert_initial_overlap(contact, truth),
        "UNDECIDED": lambda: _assert_undecided(contact, may_be_undecided),
    }
    check[status]()


def assert_not_late(contact: Any, truth: Truth) -> None:
    """Assert rules 1 and 3: no contact within the separation is missed or found late."""
    if truth.touch.hi is None:
        return
    assert contact.status.name != "FREE", f"missed the contact at {mp.nstr(truth.touch.hi, 20)}"
    assert contact.toc <= truth.touch.hi, "the time is after the bodies came within s"
    assert contact.safe_until <= truth.touch.hi, "called safe after the bodies came within s"
    if truth.touch.hi == 0 and contact.status.name != "UNDECIDED":
        assert contact.status.name == "INITIAL_OVERLAP", "within s at the start has its own status"


def _assert_contact(contact: Any, truth: Truth) -> None:
    assert not truth.near.free, "the bodies stay farther apart than s + e: expected FREE"
    assert contact.toc >= truth.near.lo, "earlier than the bodies come within s + e"
    assert contact.feature in FEATURES
    assert_witness(contact, truth)


def _assert_initial_overlap(contact: Any, truth: Truth) -> None:
    assert contact.toc == 0.0
    assert truth.near.lo == 0, "not within s + e at the start"
    if truth.touch.hi == 0 and truth.separation == 0:
        normal = contact.normal
        assert normal is None or np.isnan(normal).all(), "surfaces that cross have no normal"


def _assert_undecided(contact: Any, allowed: bool) -> None:
    assert allowed, "undecided without a budget"
    assert contact.toc == contact.safe_until


def assert_witness(contact: Any, truth: Truth) -> None:
    """Assert that the points, the normal and the triangles show contact within s + e at toc."""
    a, b = (placed_triangle(*side) for side in _sides(contact, truth))
    found = closest(a, b).distance
    assert found <= mp.mpf(truth.separation) + mp.mpf(truth.tolerance), "apart at toc"
    point_a, point_b = np.asarray(contact.point_a), np.asarray(contact.point_b)
    size = max(float(abs(x)) for corner in (*a, *b) for x in corner)
    for point, corners in ((point_a, a), (point_b, b)):
        assert point_triangle_distance(vec(point), corners) <= size * 2.0**-44, "off its triangle"
    gap = point_a - point_b
    rounding = size * 2.0**-44
    assert abs(np.linalg.norm(gap) - contact.distance) <= rounding
    assert contact.distance >= found - rounding
    normal = np.asarray(contact.normal)
    if contact.distance == 0:
        assert np.isnan(normal).all(), "points that coincide have no direction"
        return
    assert abs(np.linalg.norm(normal) - 1.0) <= 2.0**-40
    # Closest points of parallel edges may be off along the edges by more than rounding, but not
    # by more than the tolerance.
    blur = max(rounding * 4, truth.tolerance / 1000)
    assert np.linalg.norm(gap - contact.distance * normal) <= blur, "not from b to a"
    _assert_feature(contact.feature, (point_a, a), (point_b, b), rounding * 4)


def _assert_feature(feature: str | None, side_a: Any, side_b: Any, rounding: float) -> None:
    if feature in ("vertex-face", "face-vertex"):
        point, corners = side_a if feature == "vertex-face" else side_b
        assert min(np.linalg.norm(point - _rounded(x)) for x in corners) <= rounding
    if feature == "edge-edge":
        for point, corners in (side_a, side_b):
            assert _edge_distance(point, corners) <= rounding


def placed_triangle(body: Body, index: int, t: float) -> Triangle:
    """Return one triangle of a body at time t."""
    i, j, k = body.motion.place([vec(body.vertices[row]) for row in body.faces[index]], t)
    return (i, j, k)


def _sides(contact: Any, truth: Truth) -> list[tuple[Body, int, float]]:
    indices = (contact.triangle_a, contact.triangle_b)
    for body, index in zip((truth.a, truth.b), indices, strict=True):
        assert 0 <= index < len(body.faces), "no such triangle"
    return [(truth.a, indices[0], contact.toc), (truth.b, indices[1], contact.toc)]


def _edge_distance(point: Any, corners: Triangle) -> float:
    p = vec(point)
    edges = ((corners[k], corners[k - 1], corners[k]) for k in range(3))
    return min(float(point_triangle_distance(p, edge)) for edge in edges)


def _rounded(x: Any) -> Any:
    return np.array([float(value) for value in x])
