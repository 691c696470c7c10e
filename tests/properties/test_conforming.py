"""Surfaces that conform: close to each other all over, and sliding.

Such surfaces are common in assembly and simulation. The answers are known in closed form. The work
is bounded, too: every triangle is close to others, and a proof must not visit all pairs.
"""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

import toccata as tc
from toccata._options import Method
from toccata.scenes import models
from toccata.scenes.surface import unit

Shape = tuple[NDArray[np.float64], NDArray[np.int64]]

ADVANCING: tuple[Method, ...] = ("auto", "hca", "c2a")
BUDGET = 20_000
"""Units of work: a fiftieth of the default budget."""

TURN = tc.pose((0.3, -2.0, 1.1), rotvec=(0.4, 1.1, -0.7))


def grid(rows: int, columns: int) -> NDArray[np.int64]:
    """Return the faces of a sheet of squares with vertices row by row."""
    i, j = np.meshgrid(np.arange(rows), np.arange(columns), indexing="ij")
    q = (i * (columns + 1) + j).ravel()
    below = q + columns + 1
    return np.vstack([np.stack([q, q + 1, below + 1], 1), np.stack([q, below + 1, below], 1)])


def sheet(n: int) -> Shape:
    """Return a square of half size 1 in the plane z = 0."""
    x, y = np.meshgrid(*2 * [np.linspace(-1, 1, n + 1)], indexing="ij")
    return np.stack([x.ravel(), y.ravel(), 0 * x.ravel()], 1), grid(n, n)


def tube(radius: float, length: float, around: int = 400, along: int = 30) -> Shape:
    """Return a cylinder about z without caps, with corners at the radius."""
    angle = 2 * np.pi * np.arange(around + 1) / around
    z = np.linspace(-length / 2, length / 2, along + 1)[:, None]
    x, y = radius * np.cos(angle), radius * np.sin(angle)
    points = np.stack(np.broadcast_arrays(x, y, z), -1)
    return points.reshape(-1, 3), grid(along, around)


def crate(n: int, half: tuple[float, float, float], sides: int = 6) -> Shape:
    """Return the sides of a box as sheets; the last one is the top."""
    points, faces = sheet(n)
    flat = [np.roll(points + (0, 0, s), axis + 1, 1) for axis in range(3) for s in (-1, 1)]
    each = [faces + k * len(points) for k in range(sides)]
    return np.vstack(flat[:sides]) * half, np.vstack(each)


SHEET = tc.Mesh(*sheet(224))


@pytest.mark.parametrize("base", [np.eye(4), TURN], ids=["straight", "oblique"])
@pytest.mark.parametrize("yaw", [0.0, 1.0, 20.0])
@pytest.mark.parametrize("height", [1e-4, 1e-5])
@pytest.mark.parametrize("method", ADVANCING)
def test_sheets_that_slide_past_each_other_are_free(
    method: Method, height: float, yaw: float, base: NDArray[np.float64]
) -> None:
    start = base @ tc.pose((-3, 0.013, height))
    motion = tc.Motion.twist(start, linear=base[:3, 0] * 6, angular=base[:3, 2] * yaw)
    options = {"method": method, "tolerance": 1e-6, "budget": BUDGET}
    assert tc.first_contact(SHEET, SHEET, motion, base, **options).status == tc.Status.FREE


@pytest.mark.parametrize("method", ADVANCING)
def test_sheets_that_both_move_are_free(method: Method) -> None:
    one = tc.Motion.linear(TURN @ tc.pose((-3, 0, 1e-4)), TURN @ tc.pose((3, 0, 3 + 1e-4)))
    other = tc.Motion.linear(TURN @ tc.pose((2, 0, 0)), TURN @ tc.pose((-1, 1, 3)))
    options = {"method": method, "tolerance": 1e-6, "budget": BUDGET}
    assert tc.first_contact(SHEET, SHEET, one, other, **options).status == tc.Status.FREE


@pytest.mark.parametrize("method", ADVANCING)
def test_a_sheet_that_sinks_as_it_slides_is_found(method: Method) -> None:
    # With z = 1e-4 (1 - 2 t), the sheet arrives at t = 0.5, where the sheets overlap.
    motion = tc.Motion.linear(tc.pose((-1, 0.013, 1e-4)), tc.pose((1, 0.013, -1e-4)))
    found = tc.first_contact(SHEET, SHEET, motion, method=method, tolerance=1e-6)
    assert found.status == tc.Status.CONTACT
    assert 0.5 - 0.5e-2 - 1e-12 <= found.toc <= 0.5


@pytest.mark.parametrize("method", ["auto", "hca"])
@pytest.mark.parametrize("yaw", [0.0, 1.0])
@pytest.mark.parametrize("tolerance", [None, 1e-3, 1e-5])
def test_flat_pressed_on_flat_stops_at_the_first_contact(
    tolerance: float | None, yaw: float, method: Method
) -> None:
    one = tc.Mesh(*sheet(95))
    motion = tc.Motion.linear(tc.pose((0.1, 0.2, 1)), tc.pose((0.1, 0.2, -1), rotvec=(0, 0, yaw)))
    found = tc.first_contact(one, one, motion, method=method, tolerance=tolerance)
    assert found.status == tc.Status.CONTACT
    assert 0.5 - found.tolerance / 2 - 1e-12 <= found.toc <= 0.5
    assert found.distance <= found.tolerance
    assert found.stats.bv_tests < 40_000


@pytest.mark.parametrize("method", ["auto", "hca"])
def test_a_lid_that_slides_and_turns_on_its_box_is_free(method: Method) -> None:
    box, lid = tc.Mesh(*crate(45, (1, 1, 1), sides=5)), tc.Mesh(*crate(40, (1.1, 1.1, 0.1)))
    high = 1.1 + 1e-4
    motion = tc.Motion.linear(tc.pose((-3, 0.1, high)), tc.pose((3, 0.1, high), rotvec=(0, 0, 2)))
    options = {"method": method, "tolerance": 1e-6, "budget": BUDGET}
    assert tc.first_contact(lid, box, motion, **options).status == tc.Status.FREE


@pytest.mark.parametrize("method", ["auto", "hca"])
def test_a_plug_that_enters_its_box_is_free(method: Method) -> None:
    box, plug = tc.Mesh(*crate(45, (1, 1, 1), sides=5)), tc.Mesh(*crate(40, (0.999, 0.999, 0.5)))
    motion = tc.Motion.linear(tc.pose((0, 0, 2)), tc.pose((0, 0, -0.4)))
    found = tc.first_contact(plug, box, motion, method=method, tolerance=1e-6)
    assert found.status == tc.Status.FREE


SHAFT = tc.Mesh(*tube(1, 4))


def shaft_motion(base: NDArray[np.float64], turn: float, slide: float) -> tc.Motion:
    start = base @ tc.pose((0, 0, -slide / 2))
    return tc.Motion.twist(start, linear=base[:3, 2] * slide, angular=base[:3, 2] * turn)


@pytest.mark.parametrize(("turn", "slide"), [(0, 8), (0.5, 0), (6.28, 8), (-40, 1)])
@pytest.mark.parametrize("clearance", [1e-2, 1e-3, 1e-4])
@pytest.mark.parametrize("method", ADVANCING)
def test_a_shaft_that_turns_and_slides_in_its_bore_is_free(
    method: Method, clearance: float, turn: float, slide: float
) -> None:
    bore = tc.Mesh(*tube(1 + clearance, 2))
    motion = shaft_motion(TURN, turn, slide)
    options = {"method": method, "tolerance": 1e-6, "budget": 20 * BUDGET}
    assert tc.first_contact(SHAFT, bore, motion, TURN, **options).status == tc.Status.FREE


@pytest.mark.parametrize("method", ["auto", "hca"])
def test_a_bore_that_is_too_narrow_between_its_corners_is_hit(method: Method) -> None:
    # Facets come as near to the axis as radius * cos(pi / 400). Corners of the shaft pass theirs
    # after a turn by half a facet, from corner against corner.
    bore = tc.Mesh(*tube(1 + 2e-5, 2))
    found = tc.first_contact(
        SHAFT, bore, shaft_motion(np.eye(4), 0.5, 0), method=method, tolerance=1e-6
    )
    assert found.status == tc.Status.CONTACT
    assert 0 < found.toc < np.pi / 400 / 0.5
    assert found.distance <= 1e-6


@pytest.mark.parametrize("method", ["auto", "hca"])
def test_a_shaft_that_tilts_in_its_bore_is_found(method: Method) -> None:
    # After this much work the profiles are compared, which proves nothing here. At the far end of
    # the bore the shaft is 2e-3 t (1 + t / 2) off the axis; there is room for 1e-3 at corners and
    # for 3.1e-5 less at facets.
    bore = tc.Mesh(*tube(1 + 1e-3, 2))
    spin = TURN[:3, 2] * 0.5 + TURN[:3, 0] * 2e-3
    motion = tc.Motion.twist(TURN, linear=TURN[:3, 2] * 0.5, angular=spin)
    found = tc.first_contact(SHAFT, bore, motion, TURN, method=method, tolerance=1e-6)
    assert found.status == tc.Status.CONTACT
    off = 2e-3 * found.toc * (1 + found.toc / 2)
    assert 1e-3 - 3.1e-5 - 1e-5 <= off <= 1e-3 + 1e-5


MODELS = [tc.Mesh(*unit(*made)) for made in (models.gear(), models.hammer(), models.club(4000))]


@pytest.mark.parametrize("seed", range(3))
def test_motions_of_several_turns_are_decided(seed: int) -> None:
    rng = np.random.default_rng(seed)

    def direction() -> NDArray[np.float64]:
        v = rng.normal(size=3)
        return np.asarray(v / np.linalg.norm(v))

    for _ in range(25):
        a, b = rng.choice(3, 2)
        start = tc.pose(rng.uniform(1.2, 2.6) * direction(), rotvec=direction() * 2)
        linear, angular = direction() * rng.uniform(0, 3), direction() * rng.uniform(10, 50)
        motion = tc.Motion.twist(start, linear=linear, angular=angular)
        answers = [
            tc.first_contact(MODELS[a], MODELS[b], motion, method=m, tolerance=1e-3, budget=BUDGET)
            for m in ADVANCING
        ]
        statuses = {answer.status for answer in answers}
        assert len(statuses) == 1 and tc.Status.UNDECIDED not in statuses


@pytest.mark.parametrize("method", ADVANCING)
def test_segments_are_separated_down_to_rounding(method: Method) -> None:
    rng = np.random.default_rng(8)
    touching = 0
    for case in range(200):
        # Integer coordinates make ends meet and edges collinear; every other case lies in a plane.
        flat = (1, 1, case % 2)
        p = rng.integers(-4, 5, (4, 3)) * flat
        a = tc.Mesh([p[0], p[1], p[1]], [(0, 1, 2)])
        b = tc.Mesh([p[2], p[3], p[2]], [(0, 1, 2)])
        ends = [tc.pose(rng.integers(-9, 10, 3) * flat) for _ in range(4)]
        one, other = tc.Motion.linear(*ends[:2]), tc.Motion.linear(*ends[2:])
        found = tc.first_contact(a, b, one, other, method=method, tolerance=1e-11)
        assert found.status != tc.Status.UNDECIDED
        touching += bool(found)
    assert touching > 20
