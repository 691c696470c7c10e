"""Distances kept around links."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from oracles.robot import RobotOracle

import toccata as tc
from toccata._robot.options import METHODS
from toccata.scenes.primitives import box
from toccata.scenes.robots import puma, wires


def cube(size: float = 1.0) -> tc.Mesh:
    return tc.Mesh(*box((size, size, size)))


def train() -> tc.Robot:
    """Return two carts that shift along x from 0 and from 5, each on a joint of its own."""
    slide: dict[str, Any] = {"kind": "prismatic", "parent": "rail", "axis": (1, 0, 0)}
    return tc.Robot(
        [tc.Link("rail"), tc.Link("front", cube()), tc.Link("back", cube())],
        [
            tc.Joint("f", child="front", **slide),
            tc.Joint("b", child="back", origin=tc.pose((5.0, 0.0, 0.0)), **slide),
        ],
    )


def wall() -> tc.Scene:
    scene = tc.Scene()
    scene.add("wall", cube(), tc.pose((0.0, 3.0, 0.0)))
    scene.add("gate", cube(), tc.pose((-5.0, 0.0, 0.0)))
    return scene


def contact_time(robot: tc.Robot, q1: tuple[float, float], **how: Any) -> float:
    c = robot.first_contact([0, 0], q1, wall(), **how)
    batch = robot.first_contact_batch([[0, 0]], [q1], wall(), **how)
    path = robot.first_contact_path([[0, 0], q1], wall(), **how)
    assert batch.toc[0] == c.toc and abs(path.toc - c.toc) < 1e-12
    assert robot.motion_is_free([0, 0], q1, wall(), **how) == (not c)
    return c.toc


@pytest.mark.parametrize("method", METHODS)
def test_padding_adds_up_with_that_of_others_and_with_the_separation(method: Any) -> None:
    robot = train()
    near = {"method": method}
    assert abs(contact_time(robot, (5, 0), **near) - 4 / 5) < 1e-5
    one = robot.padded({"front": 0.5})
    assert abs(contact_time(one, (5, 0), **near) - 3.5 / 5) < 1e-5
    assert abs(contact_time(one, (-5, 0), **near) - 3.5 / 5) < 1e-5, "the gate"
    assert abs(contact_time(one, (0, -5), **near) - 3.5 / 5) < 1e-5, "the other's padding"
    both = one.padded({"back": 0.25})
    assert both.padding == {"front": 0.5, "back": 0.25}
    assert abs(contact_time(both, (5, 0), **near) - 3.25 / 5) < 1e-5
    assert abs(contact_time(both, (5, 0), separation=0.125, **near) - 3.125 / 5) < 1e-5
    by_pair = {("front", "back"): 1.0, "default": 0.0}
    assert abs(contact_time(both, (5, 0), separation=by_pair, **near) - 2.25 / 5) < 1e-5
    assert abs(contact_time(both, (-5, 0), separation=by_pair, **near) - 3.5 / 5) < 1e-5
    sequence = tc.RobotSequence(both)
    assert abs(sequence.first_contact([0, 0], [5, 0]).toc - 3.25 / 5) < 1e-5


@pytest.mark.parametrize("method", METHODS)
def test_links_without_padding_keep_the_separation(method: Any) -> None:
    robot = train().padded({"front": 2.5})
    # The back passes nothing, but the front starts within 2.5 of the wall.
    c = robot.first_contact([0, 0], [0, 1], wall(), method=method)
    assert c.status == tc.Status.INITIAL_OVERLAP and (c.link_a, c.link_b) == ("front", "wall")
    robot.ignore("front", "wall")
    assert not robot.first_contact([0, 0], [0, 1], wall(), method=method)
    far = tc.Scene()
    far.add("post", cube(), tc.pose((5.0, 2.0, 0.0)))
    assert not robot.first_contact([0, 0], [0, 1], far, method=method)
    # No more pairs are looked at than without padding.
    plain = train().first_contact([0, 0], [0, 1], far, method=method).stats
    padded = robot.first_contact([0, 0], [0, 1], far, method=method).stats
    assert padded.pairs_after_hierarchy == plain.pairs_after_hierarchy


def test_ignored_pairs_stay_ignored_and_padding_can_be_removed() -> None:
    arm = puma(6)
    q = arm.zero_configuration()
    free = next(row for row in arm.random_configurations(50) if not arm.first_contact(row, row))
    assert arm.ignored_pairs == arm.padded({"forearm": 0.1}).ignored_pairs
    # Neighbours are much nearer to each other than that, whatever the configuration.
    assert not arm.padded({"forearm": 1e-3}).first_contact(free, free)
    padded = arm.padded({"forearm": 0.1, "hand": 0.01})
    assert padded.padded({"forearm": 0}).padding == {"hand": 0.01}
    padded.ignore("hand", "cup")
    assert ("hand", "cup") not in arm.ignored_pairs, "a robot of its own"
    assert not padded.padded({"hand": 0.2}).tests("hand", "cup")
    assert padded.attached("hand", "tool", cube(0.01)).padding == padded.padding
    assert tc.combine({"a": padded}).padding == {"a/forearm": 0.1, "a/hand": 0.01}
    assert padded.placed(tc.pose((1.0, 0.0, 0.0))).padding == padded.padding
    assert arm.padded({"hand": 0.1}).clearance(q, q).lower == arm.clearance(q, q).lower


@pytest.mark.parametrize("method", METHODS)
def test_no_contact_is_missed_at_separation_and_padding(method: Any) -> None:
    robot, world = (
        puma(8).padded({"hand": 0.04, "forearm": 0.02, "wrist_1": 0.01}),
        wires(4, seed=3),
    )
    robot.ignore("wrist_1", "hand")
    bodies = {name: (mesh.vertices, mesh.faces) for name, (mesh, _) in world._bodies.items()}
    rng = np.random.default_rng(8)
    found = 0
    for q0 in robot.random_configurations(8, seed=5):
        q1 = q0 + rng.uniform(-1, 1, q0.shape)
        c = robot.first_contact(q0, q1, world, separation=0.005, method=method)
        kept = Kept(robot, bodies)
        gap, when = kept.closest_until(q0, q1, min(c.toc, 1.0))
        assert gap > 0.005 - 1e-9, f"missed a contact at {when}, got {c}"
        if c:
            found += c.status == tc.Status.CONTACT
            q = kept.at(q0, q1, c.toc)
            near = kept.distance(c.link_a, c.link_b, c.link_b in bodies, q)
            assert near <= 0.005 + c.tolerance + 1e-9
    assert found > 1, "sample too one-sided to prove anything"


class Kept(RobotOracle):
    """Distances that are left when those around links are taken away."""

    def distance(self, a: str, b: str, is_body: bool, q: Any) -> float:
        around = self.robot.padding.get(a, 0.0)
        if not is_body:
            around += self.robot.padding.get(b, 0.0)
        return super().distance(a, b, is_body, q) - around

    def closest_until(self, q0: Any, q1: Any, end: float, *, self_contact: bool = True) -> Any:
        best = (np.inf, 0.0)
        for a, b, is_body in self.pairs(self_contact):
            t, speed = 0.0, self.speed(a, b, is_body, (q0, q1))
            while t < end:
                gap = self.distance(a, b, is_body, self.at(q0, q1, t))
                best = min(best, (gap, t))
                t += max((gap - 0.005) / speed, 1e-3)
        return best


def test_sums_of_distances_are_rounded_up() -> None:
    rng = np.random.default_rng(0)
    for rest, a, b in np.concatenate([rng.uniform(0, 1, (200, 3)), [[0.1, 0.2, 0.3]]]):
        robot = gap_robot(float(Fraction(rest) + Fraction(a) + Fraction(b)))
        assert robot.padded({"a": a, "b": b}).first_contact([0], [0], separation=rest)


def gap_robot(gap: float) -> tc.Robot:
    """Return two points that far apart."""
    points = [np.zeros((1, 3)), np.array([[gap, 0.0, 0.0]])]
    a, b = (tc.Mesh(point, [[0, 0, 0]]) for point in points)
    joint = tc.Joint("turn", "continuous", "base", "b", axis=(1, 0, 0))
    return tc.Robot(
        [tc.Link("base"), tc.Link("a", a), tc.Link("b", b)],
        [tc.Joint("bolt", "fixed", "base", "a"), joint],
    )


def test_bad_input_is_named() -> None:
    robot = train()
    for distance in (-0.1, np.inf, np.nan):
        with pytest.raises(ValueError, match=r"distances, 'front': expected a"):
            robot.padded({"front": distance})
    with pytest.raises(TypeError, match=r"distances, 'front': expected a number, got 'wide'"):
        robot.padded({"front": "wide"})  # type: ignore[dict-item]
    with pytest.raises(ValueError, match=r"distances: expected links with geometry, got 'hand'"):
        robot.padded({"hand": 0.1})
    with pytest.raises(ValueError, match=r"distances: expected links with geometry, got 'rail'"):
        robot.padded({"rail": 0.1})
    with pytest.raises(TypeError, match=r"distances: expected a mapping from links to distances"):
        robot.padded(0.1)  # type: ignore[arg-type]
