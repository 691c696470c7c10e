"""initial="ignore_separating" lets bodies leave each other, and none pass through another.

Bodies that touch at one point are within the tolerance at other points, too. The judges are closed
forms: times at which triangles or boxes meet.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from oracles.passing import meetings
from oracles.shapes import Points, Shape, box, random_rotation, triangle
from oracles.size import SEED, cases

import toccata as tc
from toccata._options import Method

from .asking import METHODS, naming

FREE, OVERLAP = tc.Status.FREE, tc.Status.INITIAL_OVERLAP
LEAVING: Any = {"initial": "ignore_separating"}
GROUND = triangle((-1, -1, 0), (3, -1, 0), (-1, 3, 0))
E = 1e-4


def joined(*shapes: Shape) -> Shape:
    """Return one body of several."""
    starts = np.cumsum([0, *(len(v) for v, _ in shapes)])
    faces = [np.asarray(f) + n for (_, f), n in zip(shapes, starts[:-1], strict=True)]
    return np.concatenate([v for v, _ in shapes]), np.concatenate(faces)


def moved(shape: Shape, by: Any) -> Shape:
    return shape[0] + np.asarray(by, dtype=float), shape[1]


def along(shift: Any, start: Any = (0, 0, 0)) -> tc.Motion:
    return tc.Motion.twist(tc.pose(start), linear=shift, angular=(0, 0, 0))


@pytest.mark.parametrize("separation", [0.0, 0.01])
@pytest.mark.parametrize("method", METHODS)
def test_a_sheet_that_touches_with_a_corner_does_not_pass(
    method: Method, separation: float
) -> None:
    """All of it is above the ground, within the tolerance."""
    sheet = tc.Mesh(*triangle((0, 0, 0), (1, 0, E / 2), (0, 1, E / 2)))
    how = {"method": method, "tolerance": E, "separation": separation, **LEAVING}
    assert tc.first_contact(sheet, tc.Mesh(*GROUND), along((0, 0, -1)), **how).toc == 0
    assert not tc.first_contact(sheet, tc.Mesh(*GROUND), along((0, 0, 1)), **how)


@pytest.mark.parametrize("apart", [0.0, 1e-15])
@pytest.mark.parametrize("separation", [0.0, 0.01])
@pytest.mark.parametrize("method", METHODS)
def test_bodies_that_touch_elsewhere_do_not_pass(
    method: Method, separation: float, apart: float
) -> None:
    small = triangle((0.1, 0.1, -0.9 * E), (0.4, 0.1, -0.9 * E), (0.1, 0.4, -0.9 * E))
    two = tc.Mesh(*joined(small, moved(small, (5, 0, 0))))
    step = moved(triangle((0, 0, 0), (1, 0, 0), (0, 1, 0)), (5, 0, -0.9 * E))
    rise = along((0, 0, 1), (0, 0, apart))
    how = {"method": method, "tolerance": E, "separation": separation, **LEAVING}
    found = tc.first_contact(two, tc.Mesh(*joined(GROUND, step)), rise, **how)
    assert found.status is not FREE and found.toc <= E
    assert not tc.first_contact(two, tc.Mesh(*step), rise, **how)


def slotted(gap: float) -> Shape:
    """Return a block up to z = 0, and a shelf over a slot."""
    return joined(moved(box((2, 2, 1)), (0, 0, -0.5)), moved(box((2, 2, 1)), (0, 0, gap + 0.5)))


@pytest.mark.parametrize("method", METHODS)
def test_a_flange_that_sank_into_a_solid_enters_no_other_solid(method: Method) -> None:
    flange = tc.Mesh(*box((1, 1, E / 5)), solid=True)
    rise = along((0, 0, 0.3), (0, 0, -E / 20))  # from -3 / 20 E to E / 20
    how = {"method": method, "tolerance": E, **LEAVING}
    for solid in (False, True):
        slot = tc.Mesh(*slotted(E / 2), solid=solid)
        assert tc.first_contact(flange, slot, rise, **how).toc <= 3 * E
    block = tc.Mesh(*moved(box((2, 2, 1)), (0, 0, -0.5)), solid=True)
    assert not tc.first_contact(flange, block, rise, **how)
    # The surface of a hollow body is a contact, from both sides.
    hollow = tc.Mesh(block.vertices, block.faces)
    assert tc.first_contact(flange, hollow, rise, **how)


def cut_floor(cells: int, solid: bool = False) -> tc.Mesh:
    """Return a flat square of small triangles, or a block under it."""
    ticks = np.linspace(-2, 2, cells + 1)
    x, y = np.meshgrid(ticks, ticks, indexing="ij")
    at = np.arange((cells + 1) ** 2).reshape(cells + 1, cells + 1)
    i, j, k, m = (s.ravel() for s in (at[:-1, :-1], at[1:, :-1], at[1:, 1:], at[:-1, 1:]))
    top = np.column_stack([x.ravel(), y.ravel(), np.zeros(x.size)])
    faces = np.concatenate([np.column_stack([i, j, k]), np.column_stack([i, k, m])])
    if not solid:
        return tc.Mesh(top, faces)
    return tc.Mesh(*joined((top, faces), moved(box((4, 4, 1)), (0, 0, -0.5 - 1e-3))))


@pytest.mark.parametrize("slope", [3.0, 0.3, 0.01])
@pytest.mark.parametrize("start", [0.0, 0.3, 0.9])
@pytest.mark.parametrize("method", METHODS)
def test_a_body_may_leave_a_cut_floor_at_a_shallow_angle(
    method: Method, start: float, slope: float
) -> None:
    """Other triangles come within reach, but the bodies do not approach."""
    cube, floor = tc.Mesh(*box((0.5, 0.5, 0.5))), cut_floor(30)
    for separation, tolerance in ((0.0, 1e-3), (1e-3, 1e-6)):
        reach = separation + tolerance
        shift = np.array((0.8, 0.5, 0)) * min(1.0, 10 * reach / slope)
        above = (0.01, 0.02, 0.25 + start * reach)
        how = {"method": method, "tolerance": tolerance, "separation": separation, **LEAVING}
        rise = along((*shift[:2], slope * np.linalg.norm(shift)), above)
        assert tc.first_contact(cube, floor, rise, **how).status is FREE
        # A body that sinks very little as it slides, or returns, is reported.
        sink = along((*shift[:2], -1e-3 * np.linalg.norm(shift)), above)
        found = tc.first_contact(cube, floor, sink, **how)
        assert found.status is OVERLAP or (start > 0 and found)


def test_a_body_that_left_a_cut_floor_and_returns_is_reported() -> None:
    """It circles off the floor and back over it, and always rises very slowly."""
    pin = tc.Mesh([(3, 0, 0), (3.01, 0, 0.2), (3, 0.01, 0.2)], [(0, 1, 2)])
    around = tc.Motion.twist(tc.pose((-1.5, 0.1, 1e-3)), (0, 0, 1e-3), (0, 0, 2 * np.pi))
    how: Any = {"tolerance": 1e-6, "separation": 0.05, **LEAVING}
    found = tc.first_contact(pin, cut_floor(20), around, **how)
    assert found.status is tc.Status.CONTACT and 0.5 < found.toc < 1


@dataclass(frozen=True)
class Soup:
    """Small triangles that touch others or are within the tolerance, and motions apart."""

    a: Shape
    b: Shape
    shifts: Points
    tolerance: float
    separation: float

    @classmethod
    def drawn(cls, rng: np.random.Generator) -> Soup:
        scale = float(2.0 ** rng.integers(-20, 21))
        tolerance = float(10 ** rng.uniform(-5, -3.1))
        turn = random_rotation(rng) if rng.random() < 0.5 else np.eye(3)
        a, b = [], []
        for k in range(int(rng.integers(1, 4))):
            x, y = close_pair(rng, tolerance, touches=k == 0)
            x, y = (moved((v @ turn.T, f), 4 * turn[0] * k) for v, f in (x, y))
            a.append(x)
            b.append(y)
        shifts = rng.normal(size=(16, 3)) * 10.0 ** rng.uniform(-5, 0, (16, 1))
        straight = rng.random(16) < 0.5
        shifts[straight] = turn[:, 2] * rng.normal(size=(int(straight.sum()), 1))
        reach = float(rng.choice([0.0, 0.01])) * scale
        (p, f), (q, g) = joined(*a), joined(*b)
        return cls((p * scale, f), (q * scale, g), shifts * scale, tolerance * scale, reach)

    def answers(self, method: Method) -> Any:
        start = np.tile(np.eye(4), (len(self.shifts), 1, 1))
        end = start.copy()
        end[:, :3, 3] = self.shifts
        return tc.first_contact_batch(
            tc.Mesh(*self.a),
            tc.Mesh(*self.b),
            start,
            end,
            method=method,
            tolerance=self.tolerance,
            separation=self.separation,
            threads=1,
            **LEAVING,
        )


def close_pair(rng: np.random.Generator, tolerance: float, *, touches: bool) -> tuple[Shape, Shape]:
    """Draw two triangles, flat up to the tolerance or not, and in contact or not."""
    rise = tolerance * float(rng.choice([0.0, 0.3, 0.9, 3.0, 1e3]))
    a, b = rng.uniform(-1, 1, (3, 3)), rng.uniform(-1, 1, (3, 3))
    if rng.random() < 0.3:
        a[2] = a[0] + 0.5 * (a[1] - a[0]) + 1e-3 * rng.normal(size=3)  # a sliver
    a[:, 2] = np.abs(rng.normal(size=3)) * rise
    b[:, 2] = -np.abs(rng.normal(size=3)) * rise * (rng.random() < 0.5)
    kind = rng.random()
    if touches and kind < 0.5:
        a[0], b[0] = (*a[0, :2], 0.0), (*a[0, :2], 0.0)  # corner to corner
    elif touches:
        a[0, 2] = 0.0
        b = np.array([(-9, -9, 0), (9, -9, 0), (0, 9, 0)], dtype=float)  # to a face
    else:
        a[:, 2] += tolerance * rng.uniform(0, 1.2)
    return triangle(*a), triangle(*b)


def test_triangles_that_start_apart_never_cross() -> None:
    rng, seen = np.random.default_rng([11, SEED]), Counter[str]()
    for k in range(cases(120)):
        soup, method = Soup.drawn(rng), METHODS[k % 4]
        found = soup.answers(method)
        size = float(np.abs(soup.b[0]).max())
        for row, shift in enumerate(soup.shifts):
            status, toc = tc.Status(int(found.status[row])), float(found.toc[row])
            seen[status.name] += 1
            # The effect of rounding on the time, also for tilted planes.
            slack = 1e-7 * soup.tolerance / np.linalg.norm(shift) + 1e-9
            first, last = meetings(soup.a, soup.b, shift).T
            # Pairs that do not cross at the start and cross later.
            crosses = (first > -slack) & (last > np.maximum(first, 0) + 1e3 * slack)
            crosses &= (first > slack) | (last > 1e3 * slack)
            late = crosses & (np.maximum(first, 0) + 1e3 * slack < min(toc, 1.0))
            with naming(f"soup {k}, row {row}, {method}"):
                assert not late.any(), (status, toc, first[late], last[late], size)
            seen["crosses"] += bool(crosses.any())
    total = sum(seen[s.name] for s in tc.Status)
    assert min(seen["FREE"], seen["INITIAL_OVERLAP"], seen["crosses"]) > 0.1 * total, seen


def test_boxes_leave_solids_and_enter_none() -> None:
    """Boxes start sunk by less or more than the tolerance, with others within reach."""
    rng, seen = np.random.default_rng([12, SEED]), Counter[str]()
    for k in range(cases(80)):
        tolerance = float(10 ** rng.uniform(-5, -3.1))
        parts = [sunk_box(rng, tolerance, 4.0 * i) for i in range(int(rng.integers(1, 3)))]
        a, b = joined(*(part[0] for part in parts)), joined(*(part[1] for part in parts))
        solids = tc.Mesh(*a, solid=True), tc.Mesh(*b, solid=True)
        for row in range(8):
            shift = rng.normal(size=3) * 10.0 ** rng.uniform(-5, 0)
            if row % 2:
                shift = np.array((0, 0, 1.0)) * abs(rng.normal()) * rng.choice([1, 1, -1])
            how = {"method": METHODS[k % 4], "tolerance": tolerance, **LEAVING}
            found = tc.first_contact(*solids, along(shift), **how)
            seen[found.status.name] += 1
            first, last = boxes_meet(parts, shift)
            enters = (first > 0) & np.isfinite(first)
            with naming(f"sample {k}, row {row}, {how}, {shift}"):
                late = enters & (first + 1e-9 < min(found.toc, 1.0))
                assert not late.any(), (found, first, last)
                if all(part[2] <= min(0.5 * tolerance, part[4]) for part in parts) and (
                    row % 2 and shift[2] > 0 and not enters.any()
                ):
                    assert found.status is FREE, (found, [part[2] for part in parts])
                    seen["leaves"] += 1
    total = sum(seen[s.name] for s in tc.Status)
    assert min(seen["FREE"], seen["INITIAL_OVERLAP"]) > 0.05 * total, seen
    assert seen["leaves"] > 0.05 * total, seen


def sunk_box(
    rng: np.random.Generator, tolerance: float, x: float
) -> tuple[Shape, Shape, float, list[Shape], float]:
    """Draw a box, thin or not, in a block or over it, and perhaps a shelf above it."""
    depth = tolerance * float(rng.choice([-0.5, 0.0, 0.3, 0.5, 2.0]))
    height = float(rng.choice([1.0, 0.2 * tolerance]))
    size = rng.uniform(0.5, 1.5, 2)
    upper = moved(box((*size, height)), (x, rng.uniform(-0.2, 0.2), height / 2 - depth))
    blocks = [moved(box((2, 2, 1)), (x, 0, -0.5))]
    if rng.random() < 0.4:
        gap = height - depth + tolerance * rng.uniform(0.05, 1.5)
        if gap > 0:
            blocks.append(moved(box((2, 2, rng.choice([0.1 * tolerance, 1.0]))), (x, 0, 0)))
            blocks[1] = moved(blocks[1], (0, 0, gap - blocks[1][0][:, 2].min()))
    return upper, joined(*blocks), depth, blocks, height


def boxes_meet(parts: list[Any], shift: Points) -> Points:
    """Return the first and last times at which boxes overlap; (inf, -inf) if they never do."""
    times = []
    for upper, *_ in parts:
        for _, _, _, blocks, _ in parts:
            for block in blocks:
                lo = block[0].min(axis=0) - upper[0].max(axis=0)
                hi = block[0].max(axis=0) - upper[0].min(axis=0)
                with np.errstate(divide="ignore", invalid="ignore"):
                    ends = np.sort(np.array([lo / shift, hi / shift]), axis=0)
                still = shift == 0
                ends[:, still] = np.where((lo < 0) & (hi > 0), [[-np.inf], [np.inf]], [[1], [-1]])[
                    :, still
                ]
                first, last = ends[0].max(), ends[1].min()
                times.append((first, last) if first < last else (np.inf, -np.inf))
    return np.array(times).T
