"""A cube that bounces off a floor: only contacts that separate from the start are ignored.

The judge is the height of each corner of the cube over the plane of the floor, in closed form. A
cube moves apart from its start if each corner that is within reach (s + e) rises there; it has left
when all of them are beyond reach. A corner that sinks from within reach is a contact.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from oracles.shapes import box
from oracles.size import cases

import toccata as tc
from toccata._options import Method

from .asking import METHODS

Array = NDArray[np.float64]
CUBE = tc.Mesh(*box())
# One triangle: any other triangle that comes within reach later would be a contact.
FLOOR = tc.Mesh([(-60, -40, 0), (60, -40, 0), (0, 80, 0)], [(0, 1, 2)])
CORNERS = CUBE.vertices
TIMES = np.concatenate([[0.0], np.geomspace(1e-9, 1, 1000)])
CLEAR = 1.2  # times the reach: beyond it rounding and tolerance have no effect


@dataclass(frozen=True)
class Bounce:
    """A cube and a floor, both moving, and the options of a query."""

    start: Array
    own: tuple[Array, Array]  # velocity and spin of the cube, relative to the floor
    carried: tuple[Array, Array]
    separation: float
    tolerance: float

    @property
    def floor(self) -> tc.Motion:
        """Return the motion of the floor, which starts at the origin."""
        return tc.Motion.twist(np.eye(4), *self.carried)

    @property
    def cube(self) -> tc.Motion:
        """Return the motion of the cube."""
        (velocity, spin), (carried, turned) = self.own, self.carried
        along = carried + np.cross(turned, self.start[:3, 3])
        return tc.Motion.twist(self.start, velocity + along, spin + turned)

    def rates(self) -> Array:
        """Return the speed at which each corner rises from the floor at the start."""
        velocity, spin = self.own
        return (velocity + np.cross(spin, CORNERS @ self.start[:3, :3].T))[:, 2]

    @property
    def reach(self) -> float:
        """Return the distance that counts as contact."""
        return self.separation + self.tolerance

    def heights(self, times: Array) -> Array:
        """Return the height of each corner over the floor, (times, 8)."""
        cube, floor = self.cube.pose(times), self.floor.pose(times)
        world = np.einsum("tij,vj->tvi", cube[:, :3, :3], CORNERS) + cube[:, None, :3, 3]
        return np.einsum("ti,tvi->tv", floor[:, :3, 2], world - floor[:, None, :3, 3])

    def ask(self, method: Method, swapped: bool) -> Any:
        """Return the contact after the start."""
        bodies = (FLOOR, CUBE, self.floor, self.cube), (CUBE, FLOOR, self.cube, self.floor)
        return tc.first_contact(
            *bodies[not swapped],
            method=method,
            tolerance=self.tolerance,
            separation=self.separation,
            initial="ignore_separating",
        )


def drawn(rng: np.random.Generator, floor_moves: bool) -> Bounce:
    """Draw a cube that rests on a face, on an edge or on a corner, exactly or within reach."""
    tolerance = float(10 ** rng.uniform(-7, -3))
    separation = float(rng.choice([0.0, 0.01]))
    turn = rng.normal(size=3) * [(0, 0, 1), (1, 0, 0), (1, 1, 1)][int(rng.integers(3))]
    lowest = (CORNERS @ tc.pose(rotvec=turn)[:3, :3].T)[:, 2].min()
    height = float(rng.choice([0.0, separation, separation + rng.uniform(0, 0.9) * tolerance]))
    start = tc.pose((*rng.uniform(-1, 1, 2), height - lowest), rotvec=turn)
    kind = int(rng.integers(4))
    speed, turns = [
        (tolerance / 2, 1.0),
        (10 ** rng.uniform(-5, 0.5), 1.0),
        (3.0, 0.3),
        (1.0, 4.0),
    ][kind]
    velocity = speed * (rng.normal(size=3) + (0, 0, 2))
    spin = speed * turns * rng.normal(size=3)
    # The velocities of the cube are relative to the moving floor.
    carried, turned = floor_moves * rng.normal(size=(2, 3)) * ((1,), (rng.choice([0, 0.5]),))
    return Bounce(start, (velocity, spin), (carried, turned), separation, tolerance)


def verdict(bounce: Bounce) -> tuple[str, float]:
    """Return the event of the corners and its time; "unclear" if it depends on tolerances."""
    heights = bounce.heights(TIMES)
    lowest, near = heights.min(axis=1), heights[0] < CLEAR * bounce.reach
    rates, doubt = bounce.rates()[near], 1e-3 * np.abs(bounce.rates()).max()
    if rates.min() < -doubt:
        return "sinks", 0.0
    if rates.min() < doubt:
        return "unclear", 0.0
    clear = np.flatnonzero(lowest > CLEAR * bounce.reach)
    if clear.size == 0:
        rises = (np.diff(heights[:, near], axis=0) > 0).all()
        others = (heights[:, ~near] > CLEAR * bounce.reach).all()
        return ("rises" if rises and others else "unclear"), 0.0
    gone = clear[0]
    if (np.diff(heights[: gone + 1, near], axis=0) <= 0).any():
        return "unclear", 0.0
    back = np.flatnonzero(lowest[gone:] <= bounce.separation)
    if back.size:
        return "returns", float(TIMES[gone + back[0]])
    return ("leaves" if (lowest[gone:] > CLEAR * bounce.reach).all() else "unclear"), 0.0


@pytest.mark.parametrize("floor_moves", [False, True])
@pytest.mark.parametrize("method", METHODS)
def test_bounces_agree_with_closed_forms(method: Method, floor_moves: bool) -> None:
    rng, seen = np.random.default_rng(41), dict.fromkeys(("sinks", "rises", "leaves", "returns"), 0)
    for k in range(cases(160)):
        bounce = drawn(rng, floor_moves)
        kind, back = verdict(bounce)
        if kind == "unclear":
            continue
        seen[kind] += 1
        contact = bounce.ask(method, swapped=bool(k % 2))
        told = f"{kind}: {contact.status.name} at {contact.toc}, {bounce}"
        if kind == "sinks":
            assert contact.status in (tc.Status.INITIAL_OVERLAP, tc.Status.CONTACT), told
        elif kind == "returns":
            assert contact.status is tc.Status.CONTACT and 0 < contact.toc <= back, told
            lowest = bounce.heights(np.array([contact.toc])).min()
            assert lowest <= bounce.reach, told
        else:
            assert contact.status is tc.Status.FREE, told
    assert min(seen.values()) > 0 and seen["leaves"] > 10, seen


@pytest.mark.parametrize("method", METHODS)
def test_contacts_from_the_side_are_reported(method: Method) -> None:
    # The cube passes slightly below the edge of the block, and rises too late.
    tolerance = 1e-3
    start = tc.pose((3.0, 0.1, 1 - 0.9 * tolerance))
    passing = tc.Motion.twist(start, (-3.0, 0.0, 0.8 * tolerance), (0, 0, 0))
    contact = tc.first_contact(
        CUBE, CUBE, passing, method=method, tolerance=tolerance, initial="ignore_separating"
    )
    assert contact.status is tc.Status.CONTACT
    assert 2 / 3 - tolerance <= contact.toc <= 2 / 3


@pytest.mark.parametrize("method", METHODS)
def test_a_corner_that_sinks_beyond_reach_is_ignored(method: Method) -> None:
    # One corner stands on the ground and is lifted; another, 1 above it, sinks to 0.69.
    one = tc.Mesh([(0, 0, 0), (2, 0, 1), (2, 0.5, 1)], [(0, 1, 2)])
    for spin in (0.4, 0.6):
        lifted = tc.Motion.twist(np.eye(4), (0, 0, 1), (0, spin, 0))
        contact = tc.first_contact(one, FLOOR, lifted, method=method, initial="ignore_separating")
        assert contact.status is tc.Status.FREE


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("speed", [1e-9, 1e-4])
def test_a_step_too_short_to_leave_is_no_overlap(method: Method, speed: float) -> None:
    rising = tc.Motion.twist(tc.pose((0, 0, 0.5)), (0.3, 0, speed), (0, 0, 1))
    options: Any = {"method": method, "tolerance": 1e-3, "initial": "ignore_separating"}
    assert tc.first_contact(CUBE, FLOOR, rising, **options).status is tc.Status.FREE
    sliding = tc.Motion.twist(tc.pose((0, 0, 0.5)), (0.3, 0, 0), (0, 0, 1))
    assert tc.first_contact(CUBE, FLOOR, sliding, **options).status is tc.Status.INITIAL_OVERLAP
